"""Hypothesis strategies for every event, made from the types."""

from __future__ import annotations

import dataclasses
import types
from enum import Enum
from typing import Any, Union, get_args, get_origin, get_type_hints

from hypothesis import strategies as st

from voicechess.game.agreement import GameSettings
from voicechess.game.events import Event
from voicechess.storage.codec import event_types

# Lone surrogates are what a keyboard that is not UTF-8 leaves in a line.
TEXTS = st.text(st.characters(codec=None, exclude_categories=()), max_size=8)


def of(hint: Any) -> st.SearchStrategy[Any]:
    """Values of a type as the events use them."""
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        return st.one_of([of(part) for part in get_args(hint)])
    if origin is tuple:
        parts = get_args(hint)
        if len(parts) == 2 and parts[1] is Ellipsis:
            return st.lists(of(parts[0]), max_size=3).map(tuple)
        return st.tuples(*map(of, parts))
    if hint is float:
        return st.floats(allow_nan=False)
    if hint is str:
        return TEXTS
    if hint is int:
        return st.integers(-(2**40), 2**40)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return st.sampled_from(list(hint))
    if dataclasses.is_dataclass(hint):
        hints = get_type_hints(hint)
        return st.builds(hint, **{name: of(part) for name, part in hints.items()})  # type: ignore[arg-type]
    return st.from_type(hint)


EVENTS: st.SearchStrategy[Event] = st.one_of([of(kind) for kind in event_types().values()])
SETTINGS: st.SearchStrategy[GameSettings] = of(GameSettings)
