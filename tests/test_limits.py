"""How large a file and a class may become. (Imports and circles: `tests.test_imports`.)"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import voicechess

PACKAGE = Path(voicechess.__file__).parent
ROOTS = (PACKAGE, *(PACKAGE.parent / name for name in ("models", "tests", "freeze")))

MOST_FIELDS = 25
"""Fields of one class. What has more holds several things that belong together, and these are classes of their own."""

MOST_LINES = 600
"""Lines of one file. What has more is about several subjects."""

NO_FIELDS = ("ClassVar", "InitVar")


def fields(node: ast.ClassDef) -> set[str]:
    """The fields of a class: those of a dataclass, and every attribute that a method sets on `self`."""
    found = set()
    for statement in node.body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            if not ast.unparse(statement.annotation).startswith(NO_FIELDS):
                found.add(statement.target.id)
        elif isinstance(statement, ast.FunctionDef):
            found.update(
                inner.attr
                for inner in ast.walk(statement)
                if isinstance(inner, ast.Attribute) and isinstance(inner.ctx, ast.Store)
                if isinstance(inner.value, ast.Name) and inner.value.id == "self"
            )
    return found


def classes(source: str) -> Iterator[ast.ClassDef]:
    """All classes in a source text, inner ones too."""
    yield from (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ClassDef))


def test_no_class_has_too_many_fields() -> None:
    found = {
        f"{path.relative_to(PACKAGE).as_posix()}: {node.name}": len(fields(node))
        for path in sorted(PACKAGE.rglob("*.py"))
        for node in classes(path.read_text(encoding="utf-8"))
    }
    assert len(found) > 200
    assert {name: count for name, count in found.items() if count > MOST_FIELDS} == {}


def test_no_file_is_too_long() -> None:
    lines = {
        path.relative_to(PACKAGE.parent).as_posix(): len(path.read_text(encoding="utf-8").splitlines())
        for root in ROOTS
        for path in sorted(root.rglob("*.py"))
    }
    assert len(lines) > 500
    assert {name: count for name, count in lines.items() if count > MOST_LINES} == {}


def test_the_count_sees_what_it_counts() -> None:
    source = """
class Outer:
    limit: ClassVar[int] = 3
    given: InitVar[int]
    kept: int
    def __init__(self):
        self.one = self._two = 0
        self.three, other.four = 1, 2
    class Inner:
        def later(self):
            if True:
                self.five: int = 5
"""
    outer, inner = classes(source)
    assert (outer.name, fields(outer)) == ("Outer", {"kept", "one", "_two", "three"})
    assert (inner.name, fields(inner)) == ("Inner", {"five"})
