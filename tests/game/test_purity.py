"""`language/` and `game/` touch nothing: they import pure parts of the standard library, `chess`, and each other."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import voicechess

PACKAGE = Path(voicechess.__file__).parent
ROOMS = ("language", "game")
PURE = {
    *("__future__", "collections", "dataclasses", "enum", "functools", "itertools", "math", "re", "string", "types"),
    *("typing", "unicodedata", "bisect", "operator", "heapq", "json", "struct", "hashlib", "hmac", "base64", "chess"),
}
# Language files are read once, from the package itself.
READING = {"tomllib", "importlib", "pathlib"}
BUILT_IN = {"print", "input", "open", "exec", "eval", "breakpoint", "__import__"}
FILES = sorted(path for room in ROOMS for path in (PACKAGE / room).glob("**/*.py"))


def imports(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield from (f"{node.module}.{name.name}" for name in node.names)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_pure(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    allowed = PURE | (READING if path.parent.name == "language" else set())
    for name in imports(tree):
        first, *rest = name.split(".")
        if first == "voicechess":
            assert rest[0] in ROOMS, name
        else:
            assert first in allowed, name
        assert not name.startswith(("chess.engine", "chess.svg")), name
    called = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    assert not called & (BUILT_IN - ({"open"} if path.parent.name == "language" else set()))


def test_the_walk_finds_files_and_sees_imports() -> None:
    assert len(FILES) > 20
    assert "threading" in set(imports(ast.parse("def f():\n    import threading")))


def test_no_words_in_the_game() -> None:
    """What is heard or said stands in the language files: no umlaut in any string of the game."""
    for path in FILES:
        if path.parent.name != "game":
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
                assert not set(node.value) & set("äöüßÄÖÜ"), (path.name, node.value)
