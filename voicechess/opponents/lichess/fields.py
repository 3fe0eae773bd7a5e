"""Accessors for fields of Lichess' JSON, with limits on length, size and type.

Texts are stripped of control characters and shortened.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from voicechess.messages import one_line

LONGEST_NAME, LONGEST_TEXT, LONGEST_FEN = 60, 500, 120
LARGEST = 2_147_483_647
"""Java's largest Int, which also stands for the clocks of an untimed game."""

_ID = re.compile(r"[A-Za-z0-9]{1,20}")
_THEME = re.compile(r"[A-Za-z0-9]{1,40}")


class NonsenseError(Exception):
    """A required field is missing or of the wrong type."""


def _refuse(constant: str) -> object:
    raise ValueError(constant)


def parsed(data: bytes) -> object:
    """Parsed JSON. Raises NonsenseError."""
    try:
        return json.loads(data.decode("utf-8"), parse_constant=_refuse)
    except (ValueError, RecursionError) as error:  # ValueError also for a number of 5000 digits
        raise NonsenseError from error


def as_object(found: object) -> Mapping[str, Any]:
    """The value, if it is an object. Raises NonsenseError."""
    if not isinstance(found, dict):
        raise NonsenseError
    return found


def inner_object(found: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """The object in that field; empty if there is none."""
    inside = found.get(name)
    return inside if isinstance(inside, dict) else {}


def objects_of(found: Mapping[str, Any], name: str, most: int) -> tuple[Mapping[str, Any], ...]:
    """The first `most` objects in the list in that field; () if there is no list."""
    listed = found.get(name)
    return tuple(one for one in listed[:most] if isinstance(one, dict)) if isinstance(listed, list) else ()


def text_of(found: Mapping[str, Any], name: str, longest: int = LONGEST_NAME) -> str:
    """The text in that field as one line; "" if there is none. Surrogates, which no file could store, are dropped."""
    text = found.get(name)
    if not isinstance(text, str):
        return ""
    return one_line(text[:longest].encode("utf-8", "ignore").decode("utf-8")).strip()


def number_of(found: Mapping[str, Any], name: str, low: int = 0, high: int = LARGEST) -> int | None:
    """The integer in that field; None if there is none or it is out of range."""
    number = found.get(name)
    return number if type(number) is int and low <= number <= high else None


def needed_number(found: Mapping[str, Any], name: str, high: int = LARGEST) -> int:
    """The integer in that field. Raises NonsenseError if there is none."""
    number = number_of(found, name, 0, high)
    if number is None:
        raise NonsenseError
    return number


def flag_of(found: Mapping[str, Any], name: str) -> bool:
    """Whether the field of that name is true."""
    return found.get(name) is True


def is_id(text: str) -> bool:
    """Whether this can be the id of a game, a challenge or a round."""
    return _ID.fullmatch(text) is not None


def is_theme(text: str) -> bool:
    """Whether this can be the name of a puzzle theme."""
    return _THEME.fullmatch(text) is not None


def id_of(found: Mapping[str, Any], *names: str) -> str:
    """The first of these fields that is an id. It becomes part of addresses, so it is validated. Raises
    NonsenseError."""
    for name in names:
        text = found.get(name)
        if isinstance(text, str) and is_id(text):
            return text
    raise NonsenseError
