"""The phones of a model, and the mapping of espeak-ng's phonemes to them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

SILENCE, GARBAGE = "SIL", "GARB"
"""The first two phones of every language: silence, and garbage for words outside the vocabulary."""
SILENT, UNKNOWN_SOUND = 0, 1
"""Their numbers."""

_PAUSES = frozenset(("", "_", "_:", "_|", "_!", "_^_", "_::", "__"))
_STRESS = re.compile("^[',%=|]+")


@dataclass(frozen=True, eq=False)
class Sounds:
    """The phones of a language."""

    names: tuple[str, ...]  # espeak-ng's names in the order of the net's outputs, silence and garbage first
    vowels: frozenset[str]  # the vowels among them
    others: Mapping[str, tuple[str, ...]]  # other phonemes of espeak-ng's voices -> the phones they become, 0 to 2

    @cached_property
    def index(self) -> Mapping[str, int]:
        """The number of each phone."""
        return {name: number for number, name in enumerate(self.names)}

    @property
    def outputs(self) -> int:
        """Number of outputs of a net: for phone k 2k (its first frame) and 2k + 1 (its further frames)."""
        return 2 * len(self.names)

    def of(self, symbol: str) -> tuple[str, ...] | None:
        """The phones for one of espeak-ng's phonemes; None if the language does not have it."""
        bare = plain(symbol)
        if bare in self.index:
            return (bare,)
        return self.others.get(bare)


def is_pause(symbol: str) -> bool:
    """Whether espeak-ng's symbol is silence: a pause, or the glottal stop before a vowel."""
    return symbol in _PAUSES


def plain(symbol: str) -> str:
    """The symbol without its stress mark."""
    return _STRESS.sub("", symbol)
