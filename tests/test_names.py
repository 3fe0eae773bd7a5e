"""One name, one thing: no two classes and no two files of the package have the same name for different ideas."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from pathlib import Path

import voicechess

PACKAGE = Path(voicechess.__file__).parent

SAME_CLASSES: Mapping[str, str] = {}
"""Classes that stand in several files, with the reason why they are one idea."""

SAME_FILES: Mapping[str, str] = {
    "__init__": "Python's name for the file of a package",
    "effects": "what a machine wants done: of a game, and what practice adds to those",
    "model": "`voicechess model` is about the speech models of sound/",
    "online": "play at a server: what is said around it, how that comes to the server, and its command",
    "personal": "what was learnt about a speaker: worked out in language/, kept in storage/",
    "settings": "`voicechess settings` is about the settings that storage/ keeps",
}
"""Files that stand in several rooms, with the reason why they are one idea."""


def classes(source: str) -> list[str]:
    """The names of all classes in a source text, inner ones too."""
    return [node.name for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ClassDef)]


def repeated(names: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Every name of (name, place) that has several places."""
    places: dict[str, list[str]] = {}
    for name, place in names:
        places.setdefault(name, []).append(place)
    return {name: found for name, found in places.items() if len(found) > 1}


def sources() -> list[tuple[str, Path]]:
    """Every file of the package, with its path as it is told."""
    found = [(path.relative_to(PACKAGE).as_posix(), path) for path in sorted(PACKAGE.rglob("*.py"))]
    assert len(found) > 100
    return found


def test_no_two_classes_have_the_same_name() -> None:
    named = [(name, place) for place, path in sources() for name in classes(path.read_text(encoding="utf-8"))]
    assert len(named) > 200
    assert {name: found for name, found in repeated(named).items() if name not in SAME_CLASSES} == {}
    assert set(SAME_CLASSES) <= set(repeated(named)), "listed, but no longer there twice"


def test_no_two_files_have_the_same_name() -> None:
    named = [(path.stem, place) for place, path in sources()]
    assert {name: found for name, found in repeated(named).items() if name not in SAME_FILES} == {}
    assert set(SAME_FILES) <= set(repeated(named)), "listed, but no longer there twice"


def test_the_search_sees_what_it_looks_for() -> None:
    assert classes("class A:\n    class B: ...\ndef f():\n    class C: ...") == ["A", "B", "C"]
    assert repeated([("A", "one"), ("B", "one"), ("A", "two")]) == {"A": ["one", "two"]}
