"""The file of settings that a person edits: one TOML file with every setting explained in their language.

Read with distrust: every wrong entry is one sentence, and its default holds. Options on the command line go before it.
"""

from __future__ import annotations

import dataclasses
import difflib
import json
import os
import re
import stat
import tempfile
import textwrap
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from voicechess.game.agreement import Preset
from voicechess.laws.editions import EDITIONS
from voicechess.laws.time_controls import parse_time
from voicechess.messages import Failure, Phrase, Slot, Text

_LARGEST_FILE = 1 << 16
"""In bytes: ten times the file with all its explanations."""
_MOST_DOTS = 200
_MOST_PROBLEMS = 20
_LONGEST_TEXT = 1_000
_COMMENT_COLUMNS = 100
_LINE = re.compile(r"at line (\d+)")


@dataclass(frozen=True, slots=True)
class Preferences:
    """What a person has settled once.

    `rate`: words per minute; `volume`: 0 to 1; `thresholds`: seconds left at which the clock is announced, empty for
    half of the base and `game.settings.DEFAULT_THRESHOLDS_MS`. Empty texts mean: the usual one.
    """

    language: str = "de"
    style: str = "fide"
    full: bool = False
    voice: str = ""
    rate: int = 170
    volume: float = 1.0
    microphone: str = ""
    speaker: str = ""
    push_to_talk: bool = False
    model: str = ""
    listening: bool = True
    heard: bool = True
    not_understood: bool = True
    clock_low: bool = True
    colour: str = "white"
    opponent: str = "engine"
    level: int = 3
    time: str = ""
    laws: int = 2023
    preset: str = Preset.CASUAL.value
    captured: bool = True
    thresholds: tuple[int, ...] = ()

    @property
    def thresholds_ms(self) -> tuple[int, ...] | None:
        """For `GameSettings.thresholds_ms`."""
        return tuple(seconds * 1000 for seconds in self.thresholds) or None


@dataclass(frozen=True, slots=True)
class _Setting:
    """One entry: its table, its name there and in `Preferences`, and what it may be."""

    table: str
    name: str
    choices: tuple[Any, ...] = ()
    low: float = 0
    high: float = 0
    check: Callable[[str], str | None] | None = None  # gives the key of what is wrong, None where nothing is

    @property
    def default(self) -> Any:
        return _DEFAULTS[self.name]

    @property
    def place(self) -> str:
        """How it is called in sentences: "voice.rate"."""
        return f"{self.table}.{self.name}" if self.table else self.name


def _time_problem(text: str) -> str | None:
    try:
        parse_time(text)
    except Failure:
        return "no_time" if text else None
    return None


def _folder_problem(text: str) -> str | None:
    try:
        Path(text).expanduser()
    except RuntimeError:  # "~nobody/model": there is no such user
        return "no_home"
    return None


_DEFAULTS: dict[str, Any] = {field.name: field.default for field in dataclasses.fields(Preferences)}
SETTINGS: Sequence[_Setting] = (
    _Setting("", "language", ("de", "en")),
    _Setting("", "style", ("fide", "own", "plain", "nato")),
    _Setting("", "full"),
    _Setting("voice", "voice"),
    _Setting("voice", "rate", low=80, high=450),
    _Setting("voice", "volume", low=0.1, high=1.0),
    _Setting("sound", "microphone"),
    _Setting("sound", "speaker"),
    _Setting("sound", "push_to_talk"),
    _Setting("sound", "model", check=_folder_problem),
    _Setting("tones", "listening"),
    _Setting("tones", "heard"),
    _Setting("tones", "not_understood"),
    _Setting("tones", "clock_low"),
    _Setting("game", "colour", ("white", "black", "random")),
    _Setting("game", "opponent", ("engine", "person")),
    _Setting("game", "level", low=1, high=10),
    _Setting("game", "time", check=_time_problem),
    _Setting("game", "laws", tuple(sorted(EDITIONS))),
    _Setting("game", "preset", tuple(preset.value for preset in Preset)),
    _Setting("game", "captured"),
    _Setting("game", "thresholds", low=1, high=86_400),
)
"""Every setting, in the file's order. The explanation of each is [sentences.settings.explain] under its name."""

_BY_PLACE = {setting.place: setting for setting in SETTINGS}
_TABLES = {setting.table for setting in SETTINGS if setting.table}


def read_settings(path: Path) -> tuple[Preferences, tuple[Failure, ...]]:
    """The settings in this file, and what is wrong in it; without a file, the defaults."""
    try:
        return _read(_parsed(_text(path), path), path)
    except FileNotFoundError:
        return Preferences(), ()
    except OSError:
        return Preferences(), (_error("unreadable", path),)
    except Failure as error:
        return Preferences(), (error,)


def _text(path: Path) -> str:
    """What stands in the file. Raises OSError and Failure, also for what is no file: a pipe has no end."""
    try:
        # A pipe that nobody writes to would be waited for.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except NotADirectoryError as error:
        raise FileNotFoundError(path) from error
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise _error("unreadable", path)
        content = file.read(_LARGEST_FILE + 1)
    if len(content) > _LARGEST_FILE:
        raise _error("too_large", path)
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except ValueError as error:
        raise _error("no_text", path) from error


def _parsed(text: str, path: Path) -> dict[str, Any]:
    """The TOML in it. Raises Failure, also for what TOML allows and no computer reads in time."""
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        # The time that tomllib takes for a dotted key grows with the square of its parts.
        if line.count(".") > _MOST_DOTS and not line.lstrip().startswith("#"):
            raise _error("no_toml", path, number=number)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = _LINE.search(str(error))
        raise _error("no_toml", path, number=int(found[1]) if found else len(lines)) from error
    except RecursionError as error:
        raise _error("no_toml", path, number=1) from error
    except ValueError as error:  # Python's, for a number with more digits than it converts
        longest = max(range(len(lines)), key=lambda index: len(lines[index]))
        raise _error("no_toml", path, number=longest + 1) from error


def _read(data: dict[str, Any], path: Path) -> tuple[Preferences, tuple[Failure, ...]]:
    found: dict[str, Any] = {}
    problems: list[Failure] = []
    for place, value in _entries(data):
        setting = _BY_PLACE.get(place)
        if setting is None:
            if len(problems) < _MOST_PROBLEMS:
                problems.append(_unknown(place, path))
            continue
        problem = _problem(setting, value)
        if problem is None:
            found[setting.name] = _value(setting, value)
        else:
            key, slots = problem
            problems.append(_error(key, path, name=Text(place), **slots))
    return Preferences(**found), tuple(problems)


def _entries(data: dict[str, Any]) -> list[tuple[str, Any]]:
    entries: list[tuple[str, Any]] = []
    for name, value in data.items():
        if name in _TABLES and isinstance(value, dict):
            entries.extend((f"{name}.{inner}", inside) for inner, inside in value.items())
        else:
            entries.append((name, value))
    return entries


def _unknown(place: str, path: Path) -> Failure:
    near = difflib.get_close_matches(place, _BY_PLACE, 1) or [
        known for known in _BY_PLACE if known.rpartition(".")[2] == place.rpartition(".")[2]
    ]
    name = Text(place[:60])
    if near:
        return _error("unknown_near", path, name=name, near=Text(near[0]))
    return _error("unknown", path, name=name)


def _problem(setting: _Setting, value: Any) -> tuple[str, dict[str, Slot]] | None:
    """What is wrong with a value: a key and its slots."""
    default = setting.default
    if setting.choices:
        if value in setting.choices and type(value) is type(default):
            return None
        return "no_choice", {"choices": Text(", ".join(map(str, setting.choices)))}
    if isinstance(default, bool):
        return None if isinstance(value, bool) else ("no_switch", {})
    bounds: dict[str, Slot] = {"low": Text(f"{setting.low:g}"), "high": Text(f"{setting.high:g}")}
    if isinstance(default, tuple):
        numbers = isinstance(value, list) and all(type(item) is int for item in value) and len(value) <= 50
        return None if numbers and all(_inside(setting, item) for item in value) else ("no_numbers", bounds)
    if isinstance(default, float):
        return None if type(value) in (int, float) and _inside(setting, value) else ("no_number", bounds)
    if isinstance(default, int):
        return None if type(value) is int and _inside(setting, value) else ("no_number", bounds)
    if not isinstance(value, str) or not value.isprintable():
        return "no_words", {}
    if len(value) > _LONGEST_TEXT:
        return "too_long", {"number": _LONGEST_TEXT}
    key = setting.check(value) if setting.check is not None else None
    return None if key is None else (key, {})


def _inside(setting: _Setting, value: float) -> bool:
    return setting.low <= value <= setting.high


def _value(setting: _Setting, value: Any) -> Any:
    if isinstance(setting.default, tuple):
        return tuple(value)
    return float(value) if isinstance(setting.default, float) else value


def _error(key: str, path: Path, **slots: Slot) -> Failure:
    return Failure(f"settings.{key}", {"path": Text(str(path)), **slots})


def settings_text(say: Callable[[Phrase], str], preferences: Preferences | None = None) -> str:
    """The file with every setting and its explanation, in the words of `say`."""
    values = dataclasses.asdict(preferences or Preferences())
    lines = [*_comment(say(Phrase("settings.explain.file"))), ""]
    table = ""
    for setting in SETTINGS:
        if setting.table != table:
            table = setting.table
            lines += [f"[{table}]", ""]
        slots: dict[str, Slot] = {
            "low": Text(f"{setting.low:g}"),
            "high": Text(f"{setting.high:g}"),
            "choices": Text(", ".join(map(str, setting.choices))),
        }
        lines += _comment(say(Phrase(f"settings.explain.{setting.name}", slots)))
        # JSON's texts, numbers, switches and lists are TOML's.
        lines += [f"{setting.name} = {json.dumps(values[setting.name], ensure_ascii=False)}", ""]
    return "\n".join(lines)


def _comment(text: str) -> list[str]:
    return [f"# {line}" for line in textwrap.wrap(text, _COMMENT_COLUMNS)]


def write_settings(path: Path, text: str) -> None:
    """Writes a new file of settings. Raises Failure: "settings.exists" (never overwritten), "unwritable"."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=".settings")
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            if path.exists():
                raise _error("exists", path)
            Path(temporary).replace(path)
        finally:
            Path(temporary).unlink(missing_ok=True)
    except OSError as error:
        raise _error("unwritable", path) from error
