"""The sounds that a model tells apart, and how espeak-ng's phonemes become them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

SILENCE, GARBAGE = "SIL", "GARB"
"""The first two of every language's sounds: nobody speaks; a word that is not the model's."""
SILENT, UNKNOWN_SOUND = 0, 1
"""Their numbers."""

_PAUSES = frozenset(("", "_", "_:", "_|", "_!", "_^_", "_::", "__"))
_STRESS = re.compile("^[',%=|]+")


@dataclass(frozen=True, eq=False)
class Sounds:
    """The sounds of a language.

    Attributes:
        names: espeak-ng's, silence and garbage first, in the order of the net's outputs.
        vowels: those among them that are.
        others: phonemes of espeak-ng's voices that are two of these, or another of these, or none.
    """

    names: tuple[str, ...]
    vowels: frozenset[str]
    others: Mapping[str, tuple[str, ...]]

    @cached_property
    def index(self) -> Mapping[str, int]:
        """The number of each sound."""
        return {name: number for number, name in enumerate(self.names)}

    @property
    def outputs(self) -> int:
        """Outputs of a net that tells them apart: for sound k its first frame (2k) and every further one (2k + 1)."""
        return 2 * len(self.names)

    def of(self, symbol: str) -> tuple[str, ...] | None:
        """Our sounds for one of espeak-ng's phonemes; None if it is not a sound of the language."""
        bare = plain(symbol)
        if bare in self.index:
            return (bare,)
        return self.others.get(bare)


def is_pause(symbol: str) -> bool:
    """Whether espeak-ng's symbol stands for silence: a pause, or the stop before a vowel."""
    return symbol in _PAUSES


def plain(symbol: str) -> str:
    """The symbol without its mark of stress."""
    return _STRESS.sub("", symbol)
