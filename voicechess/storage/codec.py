"""Events and settings as JSON text and back, losslessly.

Derived from the types alone: a new event or field needs nothing here. A missing field takes its default, so old games
stay readable when fields are added; anything else that does not match the types is a `CodecError`. Where several
classes are possible, "is" names the class.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import types
from dataclasses import replace
from enum import Enum
from functools import cache
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from voicechess.game import events
from voicechess.game.agreement import GameSettings, PersonalChoices
from voicechess.game.events import Event
from voicechess.laws.time_controls import SIDES, parse_time
from voicechess.meaning import Command
from voicechess.messages import Failure
from voicechess.own_files import parse_json

VERSION = 1
"""Version of the format. A higher one was written by a newer program."""

STORED_AS = {"snr_db": "above_room_db", "trimmed": "between"}
"""Renamed fields -> their names in journals, which never change: old games stay readable, and new ones readable for an
older program."""

IN_SECONDS = {f"{name}_seconds": name for name in ("arbiter_add", "arbiter_take", "arbiter_set", "thresholds")}
"""Journals' names of commands whose number counts seconds -> the command; today {seconds=1} says so."""

_SECONDS = ("seconds", 1)
_STORED_IN_SECONDS = {name: stored for stored, name in IN_SECONDS.items()}
_RENAMED = {stored: name for name, stored in STORED_AS.items()}

_T = TypeVar("_T")


class CodecError(ValueError):
    """Invalid text. `newer`: a later version of this program wrote it."""

    def __init__(self, message: str, newer: bool = False) -> None:
        super().__init__(message)
        self.newer = newer


@cache
def event_types() -> dict[str, type[Event]]:
    """All events by name."""
    # Not Event.__subclasses__(): dataclasses with slots leave a second class of the same name there.
    return {
        name: value
        for name, value in vars(events).items()
        if isinstance(value, type) and issubclass(value, Event) and value is not Event
    }


def is_of_game(event: Event) -> bool:
    """Whether this event belongs to a game, and not to a server's lobby or an exercise."""
    return isinstance(event, tuple(event_types().values()))


def encode_event(event: Event) -> str:
    """The event as one line of ASCII JSON (lone surrogates from odd keyboards included)."""
    return _dump({"v": VERSION, "is": type(event).__name__, **_fields(event)})


def decode_event(text: str) -> Event:
    """The event that `encode_event` wrote. Raises CodecError."""
    found = _load(text)
    name = found.pop("is", None)
    kind = event_types().get(name) if isinstance(name, str) else None
    if kind is None:
        raise CodecError(f"unknown event {name!r}", newer=True)
    return _build(kind, found)


def encode_settings(settings: GameSettings) -> str:
    """The settings as one line of ASCII JSON. Personal settings are among the terms, as in older versions."""
    if "|" in settings.time:  # "3|2" from the user; in stored text the bar has another meaning (`decode_settings`)
        with contextlib.suppress(Failure):  # an invalid time is stored unchanged
            settings = replace(settings, time=parse_time(settings.time).notation)
    fields = _fields(settings)
    del fields["personal"]
    return _dump({"v": VERSION, **fields, **_fields(settings.personal)})


def decode_settings(text: str) -> GameSettings:
    """Parse what `encode_settings` wrote; earlier versions put a bar between White's time and Black's.

    Raises CodecError.
    """
    found = _load(text)
    personal = {name: found.pop(name) for name in _hints(cast(Any, PersonalChoices)) if name in found}
    settings = replace(_build(GameSettings, found), personal=_build(PersonalChoices, personal))
    return replace(settings, time=settings.time.replace("|", SIDES))


def _dump(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"))


def _load(text: str) -> dict[str, Any]:
    try:
        found = parse_json(text, infinite=True)  # an impossible reading has an infinite cost
    except ValueError as error:
        raise CodecError("no JSON") from error
    if not isinstance(found, dict):
        raise CodecError("no object")
    version = found.pop("v", None)
    if type(version) is not int or version < 1:
        raise CodecError("no version")
    if version > VERSION:
        raise CodecError(f"version {version}", newer=True)
    return found


def _fields(value: Any) -> dict[str, Any]:
    """All fields except those that are None by default and None now."""
    return {
        STORED_AS.get(field.name, field.name): _plain(getattr(value, field.name))
        for field in dataclasses.fields(value)
        if not (getattr(value, field.name) is None and field.default is None)
    }


def _plain(value: Any) -> Any:
    if value is None or (isinstance(value, bool | int | float | str) and not isinstance(value, Enum)):
        return value
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Command) and value.name in _STORED_IN_SECONDS and _SECONDS in value.slots:
        slots = tuple(one for one in value.slots if one != _SECONDS)
        value = replace(value, name=_STORED_IN_SECONDS[value.name], slots=slots)
    if dataclasses.is_dataclass(value):
        return {"is": type(value).__name__, **_fields(value)}
    raise CodecError(f"cannot keep {type(value).__name__}")


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _build(kind: type[_T], found: dict[str, Any]) -> _T:
    hints = _hints(cast(Any, kind))  # the cast is for mypy, to which not every type is hashable
    unknown = {name for name in found if name in STORED_AS or _RENAMED.get(name, name) not in hints}
    if unknown:
        raise CodecError(f"{kind.__name__} has no {sorted(unknown)}", newer=True)
    try:
        named = {_RENAMED.get(stored, stored): value for stored, value in found.items()}
        return kind(**{name: _typed(hints[name], value) for name, value in named.items()})
    except TypeError as error:  # a field without a default is missing
        raise CodecError(f"{kind.__name__}: {error}") from error


def _typed(hint: Any, value: Any) -> Any:
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        return _one_of(get_args(hint), value)
    if origin is tuple:
        return _tuple(get_args(hint), value)
    if hint is float and type(value) in (int, float):
        return float(value)
    if hint in (int, bool, str) and type(value) is hint:
        return value
    if hint is type(None) and value is None:
        return None
    if isinstance(hint, type) and issubclass(hint, Enum):
        try:
            return hint(value)
        except ValueError as error:
            raise CodecError(f"no {hint.__name__}: {value!r}", newer=True) from error
    if isinstance(hint, type) and dataclasses.is_dataclass(hint) and isinstance(value, dict):
        found = dict(value)
        if found.pop("is", None) != hint.__name__:
            raise CodecError(f"no {hint.__name__}")
        built = _build(hint, found)
        if isinstance(built, Command) and built.name in IN_SECONDS:
            return replace(built, name=IN_SECONDS[built.name], slots=(*built.slots, _SECONDS))
        return built
    raise CodecError(f"{value!r:.40} is no {hint}")


def _one_of(hints: tuple[Any, ...], value: Any) -> Any:
    for hint in hints:
        try:
            return _typed(hint, value)
        except CodecError as error:
            last = error
    raise CodecError(f"{value!r:.40} is none of {hints}", newer=last.newer)


def _tuple(hints: tuple[Any, ...], value: Any) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise CodecError(f"{value!r:.40} is no list")
    if len(hints) == 2 and hints[1] is Ellipsis:
        return tuple(_typed(hints[0], item) for item in value)
    if len(value) != len(hints):
        raise CodecError(f"not {len(hints)} items")
    return tuple(_typed(hint, item) for hint, item in zip(hints, value, strict=True))
