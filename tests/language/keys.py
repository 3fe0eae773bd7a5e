"""The keys of sentences that the program uses, collected from its syntax trees.

A key is a string constant ("offer.no_offer"), or is put together: f"ending.{way}", "pgn.error." + reason. Of those the
constant parts are known; what fills their gaps stands somewhere in the package too, as a constant (the values of
enumerations) or as the name of a class's attribute; or it is a number.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import voicechess

PACKAGE = Path(voicechess.__file__).parent
MEASURING = PACKAGE.parent / "models" / "bench"

KEY = re.compile(r"[a-z][a-z0-9_]*(\.[a-z0-9_]+)*")
GAP = "(.+)"
FILES = (".conf", ".html", ".scm", ".toml")
"""Names of files look like keys."""

MAKERS = {"Phrase", "Utterance", "Failure", "SoundError", "say", "_say", "say_aside"}
"""Functions and classes whose first argument is a key where it is a constant."""

PREFIXED = {"OpponentError": "opponent.", "_fault": "opponent.", "_error": "settings.", "_refused": "pgn.error."}
"""Functions and classes whose first argument, or `otherwise`, is the rest of a key."""


RETURNED = {"_problem": "settings."}
"""Functions that return the rest of a key, with its slots."""


@dataclass
class Keys:
    """What was found: `named` are the keys that certainly are ones, each with a place."""

    named: dict[str, str] = field(default_factory=dict)
    constants: set[str] = field(default_factory=set)
    patterns: set[str] = field(default_factory=set)
    words: set[str] = field(default_factory=set)

    def may_say(self, key: str) -> bool:
        """Whether something in the package can make this key."""
        if key in self.constants or key in self.named:
            return True
        if key.startswith("unkept."):
            return self.may_say(key.removeprefix("unkept."))
        found = (re.fullmatch(pattern, key) for pattern in self.patterns)
        return any(match is not None and all(map(self._fills, match.groups())) for match in found)

    def _fills(self, part: str) -> bool:
        pieces = (re.sub(r"_?\d+$", "", piece) for piece in part.split("."))
        return part in self.words or all(not piece or piece in self.words for piece in pieces)


def collected(roots: Collection[str], folders: Collection[Path] = (PACKAGE, MEASURING)) -> Keys:
    """All keys below these folders; `roots` are the tables of sentences, with which a key of several parts begins."""
    keys = Keys()
    for path in sorted(path for folder in folders for path in folder.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        parts = {id(part) for node in ast.walk(tree) if _joins(node) for part in _parts(node)}
        for node in ast.walk(tree):
            place = f"{path.relative_to(PACKAGE.parent)}:{getattr(node, 'lineno', 0)}"
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                keys.words.add(node.value.strip("._"))
                if id(node) in parts:
                    continue
                keys.constants.add(node.value)
                root, dot, rest = node.value.partition(".")
                if dot and root in roots and KEY.fullmatch(node.value) and not node.value.endswith(FILES):
                    if rest.endswith("_"):  # the beginning of keys
                        keys.patterns.add(re.escape(node.value) + GAP)
                    else:
                        keys.named[node.value] = place
            elif isinstance(node, ast.Call):
                keys.named.update(dict.fromkeys(_made(node), place))
            elif isinstance(node, ast.FunctionDef):
                keys.named.update(dict.fromkeys(_returned(node), place))
            elif isinstance(node, ast.ClassDef):
                keys.words.update(_attributes(node))
            if _joins(node):
                keys.patterns.add(_pattern(node))
    games = tomllib.loads((PACKAGE / "practice" / "games.toml").read_text(encoding="utf-8"))["games"]
    keys.words.update(game["key"] for game in games)
    keys.patterns = {pattern for pattern in keys.patterns if re.search("[a-z]", pattern.replace(GAP, ""))}
    return keys


def _joins(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add))


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a text that is put together, in order."""
    if isinstance(node, ast.JoinedStr):
        yield from node.values
    elif isinstance(node, ast.BinOp):
        for side in (node.left, node.right):
            yield from _parts(side) if _joins(side) else (side,)


def _pattern(node: ast.AST) -> str:
    """What such a text can be, as a regular expression."""
    pattern = ""
    for part in _parts(node):
        if isinstance(part, ast.Constant):
            pattern += re.escape(str(part.value))
        elif not pattern.endswith(GAP):
            pattern += GAP
    return pattern


def _made(call: ast.Call) -> Iterator[str]:
    """The keys that are certainly used in this call."""
    name = getattr(call.func, "id", getattr(call.func, "attr", ""))
    otherwise = [keyword.value for keyword in call.keywords if keyword.arg in ("key", "otherwise")]
    for argument in (*call.args[:1], *otherwise):
        for node in (argument.body, argument.orelse) if isinstance(argument, ast.IfExp) else (argument,):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and KEY.fullmatch(node.value):
                if name in MAKERS:
                    yield node.value
                elif name in PREFIXED:
                    yield PREFIXED[name] + node.value


def _returned(function: ast.FunctionDef) -> Iterator[str]:
    """The keys that this function returns."""
    if function.name not in RETURNED:
        return
    for node in ast.walk(function):
        if isinstance(node, ast.Tuple) and node.elts and isinstance(first := node.elts[0], ast.Constant):
            yield f"{RETURNED[function.name]}{first.value!s}"


def _attributes(node: ast.ClassDef) -> Iterator[str]:
    """The names of a class's attributes, small: the members of an enumeration, the fields of a dataclass."""
    for statement in node.body:
        targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
        yield from (target.id.lower() for target in targets if isinstance(target, ast.Name))
