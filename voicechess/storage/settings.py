"""The settings file that the user edits: one TOML file with every setting explained in their language.

Untrusted input: every invalid entry is reported in one sentence, and its default applies. Command-line options take
precedence.
"""

from __future__ import annotations

import contextlib
import dataclasses
import difflib
import json
import os
import re
import tempfile
import textwrap
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from voicechess import own_files
from voicechess.game.agreement import GameSettings, PersonalChoices, Player, Preset, read_answers
from voicechess.language.alphabets import ALPHABETS
from voicechess.language.folders import LANGUAGES
from voicechess.laws.draws import Quickplay
from voicechess.laws.editions import DEFAULT_EDITION, EDITIONS
from voicechess.laws.time_controls import parse_time
from voicechess.messages import Failure, Phrase, Slot, Text

_MAX_BYTES = 1 << 16  # of the file: ten times the size with all explanations
_MAX_DOTS = 200  # of a line: parsing a dotted key takes quadratic time
_MAX_PROBLEMS = 20  # that are reported
_MAX_CHARACTERS = 1_000  # of a text
_COMMENT_COLUMNS = 100
_LINE = re.compile(r"at line (\d+)")


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting. Its explanation is in [sentences.settings.explain], under its name."""

    default: Any
    table: str = ""  # in the file
    choices: tuple[Any, ...] = ()  # allowed values
    low: float = 0  # range of a number
    high: float = 0
    by_voice: bool = False  # chosen by voice as well, and then remembered
    by_preset: bool = False  # a switch that defaults to the preset's value
    check: Callable[[str], str | None] | None = None  # returns the key of what is wrong with a text; None: nothing
    name: str = ""  # name in the file and in `Preferences` or one of its tables

    @property
    def is_switch(self) -> bool:
        """Whether it is a boolean."""
        return isinstance(self.default, bool) or self.by_preset

    @property
    def place(self) -> str:
        """Its name in sentences: "voice.rate"."""
        return f"{self.table}.{self.name}" if self.table else self.name

    @property
    def offered(self) -> Text:
        """Its choices by name, without the empty one, which is the default."""
        return Text(", ".join(str(choice) for choice in self.choices if choice != ""))

    @property
    def option(self) -> str:
        """The command-line option that overrides it, if there is one."""
        return "--" + self.name.replace("_", "-")


def _time_problem(text: str) -> str | None:
    try:
        parse_time(text)
    except Failure:
        return "no_time"
    return None


def _folder_problem(text: str) -> str | None:
    try:
        Path(text).expanduser()
    except RuntimeError:  # "~nobody/model": no such user
        return "no_home"
    return None


def _answers_problem(text: str) -> str | None:
    pairs = [pair for pair in text.split(",") if pair.strip()]
    return None if len(read_answers(text)) == len(pairs) else "no_answers"


_T = TypeVar("_T")


def _row(default: _T, table: str = "", **rest: Any) -> _T:
    """A field of `Preferences` or `GamePreferences` with its `Setting`; typed as its default."""
    return dataclasses.field(default=default, metadata={"setting": Setting(default, table, **rest)})


@dataclass(frozen=True, slots=True)
class GamePreferences:
    """The settings of a game, the table [game] of the file."""

    colour: str = _row("white", "game", choices=("white", "black", "random"))
    opponent: str = _row("engine", "game", choices=("engine", "person"))
    level: int = _row(GameSettings().level, "game", low=1, high=10)
    time: str = _row("", "game", check=_time_problem)
    laws: int = _row(DEFAULT_EDITION, "game", choices=tuple(sorted(EDITIONS)))
    preset: str = _row(Preset.CASUAL.value, "game", choices=tuple(preset.value for preset in Preset))
    default_time: int | None = _row(None, "game", high=24 * 60)  # minutes; None: as in the edition of the laws
    touch_move: bool | None = _row(None, "game", by_preset=True)
    penalties: bool | None = _row(None, "game", by_preset=True)
    quickplay: str = _row(Quickplay.OFF.value, "game", choices=tuple(one.value for one in Quickplay))
    draw_after: int = _row(0, "game", high=200)
    draw_consent: bool = _row(False, "game")
    captured: bool = _row(True, "game")
    announce_times: bool = _row(True, "game", by_voice=True)
    thresholds: tuple[int, ...] = _row((), "game", low=0, high=86_400, by_voice=True)
    """Remaining seconds at which the clock is announced, 0 for half of the base time; (): as in
    `agreement.DEFAULT_THRESHOLDS_MS`."""

    def agreed(self, coin: Callable[[], bool]) -> GameSettings:
        """The terms of a game for which nothing else is agreed. `coin` decides a random colour: True is White."""
        alone = self.opponent == "engine"
        tournament = self.preset == Preset.TOURNAMENT.value
        white = coin() if self.colour == "random" else self.colour == "white"
        return GameSettings(
            white=Player.ENGINE if alone and not white else Player.VOICE,
            black=Player.ENGINE if alone and white else Player.VOICE,
            level=self.level,
            time=self.time,
            laws=self.laws,
            preset=Preset(self.preset),
            default_minutes=self.default_time,
            touch_move=tournament if self.touch_move is None else self.touch_move,
            penalties=tournament if self.penalties is None else self.penalties,
            quickplay=Quickplay(self.quickplay),
            draw_after=self.draw_after,
            draw_consent=self.draw_consent,
        )


@dataclass(frozen=True, slots=True)
class TonePreferences:
    """Which tones are played, and how loud: the table [tones] of the file."""

    listening: bool = _row(True, "tones")
    heard: bool = _row(True, "tones")
    not_understood: bool = _row(True, "tones")
    clock_low: bool = _row(True, "tones")
    tone_volume: float = _row(1.0, "tones", low=0.1, high=10.0)  # times the volume of the voice, up to full


@dataclass(frozen=True, slots=True)
class LibraryPreferences:
    """What the player has at hand: the table [games] of the file."""

    own_games: str = _row("", "games", check=_folder_problem)
    own_names: str = _row("", "games")
    tables: str = _row("", "games", check=_folder_problem)


@dataclass(frozen=True, slots=True)
class Preferences:
    """All settings, one row each, in file order; used for reading, for the generated file and for command-line options.
    An empty text is the default."""

    language: str = _row("", choices=("", *LANGUAGES))
    style: str = _row("", choices=("", "fide", "own", "plain", "nato"))
    piece_letters: str = _row("", choices=("", *ALPHABETS))
    full: bool = _row(False)
    brisk: bool = _row(False)
    voice: str = _row("", "voice")
    output: str = _row("own", "voice", choices=("own", "reader"))
    opponent_voice: str = _row("", "voice", by_voice=True)
    answers: str = _row("", "voice", check=_answers_problem, by_voice=True)
    rate: int = _row(190, "voice", low=80, high=450)  # words per minute
    volume: float = _row(1.0, "voice", low=0.1, high=1.0)  # 1: full
    microphone: str = _row("", "sound")
    speaker: str = _row("", "sound")
    push_to_talk: bool = _row(False, "sound")
    headphones: str = _row("", "sound", choices=("", "on", "off"))
    left_right: bool = _row(False, "sound", by_voice=True)
    overhear: bool = _row(True, "sound")
    model: str = _row("", "sound", check=_folder_problem)
    tones: TonePreferences = dataclasses.field(default_factory=TonePreferences)
    game: GamePreferences = dataclasses.field(default_factory=GamePreferences)
    games: LibraryPreferences = dataclasses.field(default_factory=LibraryPreferences)
    board: str = _row("", "screen", choices=("", "page", "text"))
    quick: bool = _row(False, "online")
    chat: bool = _row(False, "online")

    def terms(self, coin: Callable[[], bool]) -> GameSettings:
        """The terms of a game for which nothing else is agreed. `coin` decides a random colour: True is White."""
        return self.announced(self.game.agreed(coin))

    def announced(self, agreed: GameSettings) -> GameSettings:
        """These terms with this person's preferences for announcements, which are neither agreed nor taken from an
        earlier game."""
        chosen_ms = tuple(seconds * 1000 for seconds in self.game.thresholds) or None
        thresholds_ms = chosen_ms if self.game.announce_times else ()
        personal = PersonalChoices(thresholds_ms, self.game.captured, self.quick, self.chat, self.answers)
        return replace(agreed, personal=personal)


_TABLE_OF: Mapping[str, type[GamePreferences] | type[LibraryPreferences] | type[TonePreferences]] = {
    "tones": TonePreferences,
    "game": GamePreferences,
    "games": LibraryPreferences,
}
"""The tables that are values of their own, by their names in the file and in `Preferences`."""


def _settings() -> Iterator[Setting]:
    for field in dataclasses.fields(Preferences):
        for row in dataclasses.fields(_TABLE_OF[field.name]) if field.name in _TABLE_OF else (field,):
            yield replace(row.metadata["setting"], name=row.name)


SETTINGS: Mapping[str, Setting] = {setting.name: setting for setting in _settings()}
"""Name -> setting, in file order."""

BY_VOICE = tuple(setting.name for setting in SETTINGS.values() if setting.by_voice)
"""Names of the settings that are chosen by voice as well."""

_BY_PLACE = {setting.place: setting for setting in SETTINGS.values()}
_TABLES = {setting.table for setting in SETTINGS.values() if setting.table}


def read_settings(path: Path) -> tuple[Preferences, tuple[Failure, ...]]:
    """The settings in this file, and its errors; without a file, the defaults."""
    try:
        return _read(_parsed(_text(path), path), path)
    except FileNotFoundError:
        return Preferences(), ()
    except OSError:
        return Preferences(), (_error("unreadable", path),)
    except Failure as error:
        return Preferences(), (error,)


def _text(path: Path) -> str:
    """The file's text. Raises OSError and Failure."""
    try:
        return own_files.read_bytes(path, _MAX_BYTES).decode("utf-8-sig").replace("\r\n", "\n")
    except own_files.TooLarge as error:
        raise _error("too_large", path) from error
    except UnicodeDecodeError as error:
        raise _error("no_text", path) from error


def _parsed(text: str, path: Path) -> dict[str, Any]:
    """The parsed TOML. Raises Failure, also for valid TOML that cannot be parsed in reasonable time."""
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        if line.count(".") > _MAX_DOTS and not line.lstrip().startswith("#"):
            raise _error("no_toml", path, number=number)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = _LINE.search(str(error))
        raise _error("no_toml", path, number=int(found[1]) if found else len(lines)) from error
    except RecursionError as error:
        raise _error("no_toml", path, number=1) from error
    except ValueError as error:  # Python's limit on digits of an integer
        longest = max(range(len(lines)), key=lambda index: len(lines[index]))
        raise _error("no_toml", path, number=longest + 1) from error


def _read(data: dict[str, Any], path: Path) -> tuple[Preferences, tuple[Failure, ...]]:
    found: dict[str, Any] = {}
    problems: list[Failure] = []
    for place, value in _entries(data):
        setting = _BY_PLACE.get(place)
        if setting is None:
            if len(problems) < _MAX_PROBLEMS:
                problems.append(_unknown(place, path))
            continue
        problem = _problem(setting, value)
        if problem is None:
            found[setting.name] = _value(setting, value)
        else:
            key, slots = problem
            problems.append(_error(key, path, name=Text(place), **slots))
    return _with(Preferences(), found), tuple(problems)


def _with(preferences: Preferences, found: Mapping[str, Any]) -> Preferences:
    """The settings with these values by name replaced."""
    own = {
        table: {name: value for name, value in found.items() if SETTINGS[name].table == table} for table in _TABLE_OF
    }
    others = {name: value for name, value in found.items() if SETTINGS[name].table not in own}
    tables: dict[str, Any] = {table: replace(getattr(preferences, table), **values) for table, values in own.items()}
    return replace(preferences, **tables, **others)


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


def _problem(setting: Setting, value: Any) -> tuple[str, dict[str, Slot]] | None:
    """The error in a value: a key and its slots; None if there is none."""
    default = setting.default
    if setting.choices:
        if value in setting.choices and type(value) is type(default):
            return None
        return "no_choice", {"choices": setting.offered}
    if default is None and value == "":
        return None
    if setting.is_switch:
        return None if isinstance(value, bool) else ("no_switch", {})
    bounds: dict[str, Slot] = {"low": Text(f"{setting.low:g}"), "high": Text(f"{setting.high:g}")}
    if isinstance(default, tuple):
        numbers = isinstance(value, list) and all(type(item) is int for item in value) and len(value) <= 50
        return None if numbers and all(_inside(setting, item) for item in value) else ("no_numbers", bounds)
    if isinstance(default, float):
        return None if type(value) in (int, float) and _inside(setting, value) else ("no_number", bounds)
    if default is None or isinstance(default, int):
        return None if type(value) is int and _inside(setting, value) else ("no_number", bounds)
    if not isinstance(value, str) or not value.isprintable():
        return "no_words", {}
    if len(value) > _MAX_CHARACTERS:
        return "too_long", {"number": _MAX_CHARACTERS}
    key = setting.check(value) if setting.check is not None else None
    return None if key is None else (key, {})


def _inside(setting: Setting, value: float) -> bool:
    return setting.low <= value <= setting.high


def _value(setting: Setting, value: Any) -> Any:
    if isinstance(setting.default, tuple):
        return tuple(value)
    if setting.default is None and value == "":
        return None
    return float(value) if isinstance(setting.default, float) else value


def _error(key: str, path: Path, **slots: Slot) -> Failure:
    return Failure(f"settings.{key}", {"path": Text(str(path)), **slots})


def chosen(preferences: Preferences, given: Mapping[str, Any]) -> Preferences:
    """The settings with command-line values applied (by setting name; None: not given).

    Raises Failure for a number out of range, or an unusable text.
    """
    found = {name: value for name, value in given.items() if name in SETTINGS and value is not None}
    for name, value in found.items():
        row = SETTINGS[name]
        if row.high and not (row.choices or isinstance(value, tuple) or _inside(row, value)):
            bounds: dict[str, Slot] = {"low": int(row.low), "high": int(row.high)}
            raise Failure("cli.bad_number", {"option": Text(row.option), **bounds})
    return _with(preferences, found)


def with_chosen(preferences: Preferences, remembered: Mapping[str, str | None]) -> Preferences:
    """The settings with what was chosen by voice (by name, as JSON) where they have their default; what is no value
    any more is passed over."""
    values = _values(preferences)
    found: dict[str, Any] = {}
    for name, text in remembered.items():
        setting = SETTINGS[name]
        with contextlib.suppress(ValueError):
            value = None if text is None else json.loads(text)
            if text is not None and values[name] == setting.default and _problem(setting, value) is None:
                found[name] = _value(setting, value)
    return _with(preferences, found)


def _values(preferences: Preferences) -> dict[str, Any]:
    values = dataclasses.asdict(preferences)
    for table in _TABLE_OF:
        values |= values.pop(table)
    return values


def settings_text(say: Callable[[Phrase], str], preferences: Preferences | None = None) -> str:
    """The text of a settings file with every setting and its explanation, worded by `say`."""
    values = _values(preferences or Preferences())
    lines = [*_comment(say(Phrase("settings.explain.file"))), ""]
    table = ""
    for setting in SETTINGS.values():
        if setting.table != table:
            table = setting.table
            lines += [f"[{table}]", ""]
        slots: dict[str, Slot] = {
            "low": Text(f"{setting.low:g}"),
            "high": Text(f"{setting.high:g}"),
            "choices": setting.offered,
        }
        lines += _comment(say(Phrase(f"settings.explain.{setting.name}", slots)))
        value = values[setting.name]
        # JSON strings, numbers, booleans and lists are valid TOML; TOML has no None.
        lines += [f"{setting.name} = {json.dumps('' if value is None else value, ensure_ascii=False)}", ""]
    return "\n".join(lines)


def _comment(text: str) -> list[str]:
    return [f"# {line}" for line in textwrap.wrap(text, _COMMENT_COLUMNS)]


def write_settings(path: Path, text: str) -> None:
    """Write a new settings file. Raises Failure: "settings.exists" (never overwritten), "unwritable"."""
    try:
        own_files.make_folder(path.parent)
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=".settings")
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            if path.exists():
                raise _error("exists", path)
            own_files.put_in_place(Path(temporary), path)
        finally:
            Path(temporary).unlink(missing_ok=True)
    except OSError as error:
        raise _error("unwritable", path) from error
