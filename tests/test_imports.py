"""The rooms of the package and what each may import: one table, walked over every import there is.

A pure room knows no device, thread, clock, disk or chance: what it needs of them is handed in. Its language files are
the only files it reads.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

import voicechess

PACKAGE = Path(voicechess.__file__).parent

GROUND = {"meaning", "messages"}
LAWS = GROUND | {"moves", "laws"}
GAME = LAWS | {"language", "score", "game"}
TALK = GAME | {"correspondence", "display", "conversations", "online", "practice"}
KNOWS: Mapping[str, set[str]] = {
    "meaning": set(),
    "messages": {"meaning"},
    "own_files": set(),
    "deadline": set(),
    "unreached": {"messages"},
    "language": GROUND,
    "moves": GROUND | {"language"},
    "laws": GROUND | {"moves"},
    "score": LAWS,
    "game": LAWS | {"score", "language.folders"},
    "correspondence": GAME,
    "display": GAME,
    "conversations": GAME | {"correspondence.open_letters", "display.boards"},
    "online": GAME | {"display.boards", "conversations.asking"},
    "practice": GAME,
    # Beside the game; of it they know only what happens, what is to be done, and what was agreed.
    "sound": GROUND | {"own_files"},
    "opponents": GROUND | {"own_files", "deadline", "unreached", "laws", "game.events", "game.effects", "online.lobby"},
    "storage": GROUND
    | {"own_files", "deadline", "unreached", "laws", "language.alphabets", "language.folders", "language.confusions"}
    | {"sound.model", "game.events", "game.agreement"},
    "app": TALK | {"own_files", "sound", "opponents", "storage"},
    "cli": GAME | {"app", "storage"},
    "commands": TALK | {"own_files", "sound", "opponents", "storage", "app"},
    "__main__": {"app.interruption", "cli"},
}
"""Each room, or module beside the rooms, with the rooms and single modules that it may import."""

PURE = (
    *("meaning", "messages", "language", "moves", "laws", "score", "game"),
    *("correspondence", "display", "conversations", "online", "practice"),
)
LIBRARY = {
    *(
        "__future__",
        "abc",
        "array",
        "base64",
        "bisect",
        "codecs",
        "collections",
        "dataclasses",
        "datetime",
        "enum",
        "functools",
        "hashlib",
    ),
    *("heapq", "hmac", "html", "io", "itertools", "json", "logging", "math", "operator", "re", "statistics", "string"),
    *("struct", "types", "typing", "unicodedata", "zlib", "chess"),
}
READING = {"tomllib", "importlib", "pathlib"}
ALSO: Mapping[str, set[str]] = {
    "language": READING,
    "practice.exercises.follow": READING,
    "score.openings": READING,
    "practice.schedule": {"fsrs"},
    "practice": {"random"},
}
"""What single rooms and modules may use as well: their data files, the schedule's library, chance that is handed in."""

BUILT_IN = {"print", "input", "exec", "eval", "breakpoint", "__import__"}


def modules() -> dict[str, Path]:
    """Every module of the package by its name without "voicechess."."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        if name:
            found[name] = path
    return found


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(path: Path) -> Iterator[str]:
    """Everything a file imports, wherever in it, with its whole name."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield from (f"{node.module}.{name.name}" for name in node.names)


def known(path: Path) -> set[str]:
    """The modules of the package that a file imports."""
    found = set()
    for name in imports(path):
        first, _, rest = name.partition(".")
        if first == "voicechess" and rest != "__version__":
            found.add(rest if rest in MODULES else rest.rpartition(".")[0])
    return found


MODULES = modules()
INSIDE = {name: path for name, path in MODULES.items() if name.partition(".")[0] in PURE}


def test_the_table_names_every_room() -> None:
    assert {name.partition(".")[0] for name in MODULES} == set(KNOWS)
    assert len(MODULES) > 100


@pytest.mark.parametrize("name", MODULES)
def test_a_module_imports_only_what_its_room_may_know(name: str) -> None:
    room = name.partition(".")[0]
    for other in known(MODULES[name]):
        other_room = other.partition(".")[0]
        assert other_room == room or {other, other_room} & KNOWS[room], f"{name} imports {other}"


def test_the_table_allows_nothing_that_is_not_used() -> None:
    used = {
        room: {one for name in MODULES if name.partition(".")[0] == room for one in known(MODULES[name])}
        for room in KNOWS
    }
    for room, allowed in KNOWS.items():
        single = {one for one in allowed if "." in one}
        assert single <= used[room], room


def test_the_rooms_stand_in_an_order() -> None:
    order = list(KNOWS)
    for room, allowed in KNOWS.items():
        for other in allowed:
            if "." not in other:
                assert order.index(other) < order.index(room), f"{room} knows {other}"


def test_no_modules_import_each_other() -> None:
    assert not set(circles({name: known(path) & set(MODULES) for name, path in MODULES.items()}))


def circles(edges: Mapping[str, set[str]]) -> Iterator[frozenset[str]]:
    """The groups of modules that reach each other (strongly connected, of two and more)."""

    def reached(start: str) -> set[str]:
        seen: set[str] = set()
        waiting = [start]
        while waiting:
            for other in edges.get(waiting.pop(), ()):
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
        return seen

    reach = {name: reached(name) for name in edges}
    groups = {
        frozenset(other for other in reach[name] if name in reach[other]) for name in edges if name in reach[name]
    }
    yield from groups


@pytest.mark.parametrize("name", INSIDE)
def test_a_pure_module_touches_nothing(name: str) -> None:
    path = INSIDE[name]
    room = name.partition(".")[0]
    allowed = LIBRARY | ALSO.get(room, set()) | ALSO.get(name, set())
    for imported in imports(path):
        first = imported.partition(".")[0]
        assert first == "voicechess" or first in allowed, imported
        assert not imported.startswith(("chess.engine", "chess.svg")), imported
        assert first != "random" or imported == "random.Random", "chance is handed in"
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Attribute):
            assert node.attr not in ("now", "today", "utcnow"), "times are handed in"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            reads = {"open"} if not allowed & READING else set()
            assert node.func.id not in BUILT_IN | reads, node.func.id


READS_AT_IMPORT = """
import importlib, sys
import chess
read = []
def look(event, args):
    if event == "open" and str(args[0]).endswith(".toml"):
        read.append(args[0])
sys.addaudithook(look)
for name in sys.argv[1:]:
    importlib.import_module(name)
assert not read, read
"""


def test_nothing_is_read_at_import() -> None:
    """A pure module is there at once and whatever its data files say: they are read when they are first asked for."""
    names = [f"voicechess.{name}" for name in INSIDE]
    done = subprocess.run([sys.executable, "-c", READS_AT_IMPORT, *names], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_no_words_in_the_game() -> None:
    """What is heard or said stands in the language files: no umlaut in any string of the game."""
    for name, path in INSIDE.items():
        if name.partition(".")[0] in ("language", "practice"):
            continue
        docstrings = {id(node.value) for node in ast.walk(tree(path)) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
                assert not set(node.value) & set("äöüßÄÖÜ"), (name, node.value)


def test_one_error_carries_a_sentence() -> None:
    """`Failure` and those made of it: no other error has a key, so nothing has to ask an error whether it has one."""
    errors: dict[str, set[str]] = {}
    for path in MODULES.values():
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.ClassDef):
                bases = {base.id for base in node.bases if isinstance(base, ast.Name)}
                keyed = any(isinstance(one, ast.Attribute) and one.attr == "key" for one in ast.walk(node))
                if keyed and any(base.endswith(("Error", "Exception", "Failure")) for base in bases):
                    errors[node.name] = bases
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "getattr":
                assert not any(isinstance(one, ast.Constant) and one.value == "key" for one in node.args), path
    assert errors == {"Failure": {"Exception"}, "SoundError": {"Failure"}}


def test_the_walk_sees_what_it_looks_for() -> None:
    assert "threading" in set(imports(PACKAGE / "app" / "wiring.py"))
    edges = {"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}
    assert set(circles(edges)) == {frozenset("abc")}


NOT_REACHED: Mapping[str, str] = {
    "app.keyboard.readinto": "io.BufferedReader calls it",
    "laws.adjournment.from_text": "the other half of to_text: shows that the file of an envelope says everything",
    "opponents.lichess.account.do_GET": "http.server calls it",
    "opponents.lichess.account.handle_error": "socketserver calls it",
    "opponents.lichess.account.log_message": "http.server calls it",
    "practice.schedule.as_json": "the other half of what a deck is made from: shows that nothing is lost",
    "practice.schedule.stability_days": "shows what a deck that was kept still knows",
    "score.pgn.read_pgn": "the other half of write_pgn: shows that a file says everything",
    "sound.devices.choice.loudspeaker_names": "tests look there for the devices of a sound server",
    "sound.devices.choice.microphone_names": "tests look there for the devices of a sound server",
}
"""Public names that no production code uses, each with the reason why it is there."""


def test_every_public_name_is_reached_from_production_code() -> None:
    """What only a test uses is not part of the program. Measuring (models/) counts: it is what some names are for."""
    roots = [PACKAGE, PACKAGE.parent / "models"]
    used: set[str] = set()
    defined: dict[str, str] = {}
    for path in (path for root in roots for path in root.rglob("*.py")):
        module = path.relative_to(PACKAGE.parent).with_suffix("").as_posix().replace("/", ".")
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Name):
                used.add(node.id)
            elif isinstance(node, ast.Attribute):
                used.add(node.attr)
            elif isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
                defined[f"{module}.{node.name}"] = node.name
    unreached = {place for place, name in defined.items() if place.startswith("voicechess.") and name not in used}
    assert len(defined) > 1000
    assert {place.removeprefix("voicechess.") for place in unreached} == set(NOT_REACHED)
