"""What the net tells apart: the sounds, and those of the words of a move each for itself.

The n of "eins" is not quite that of "nein". What is said in every move has sounds of its own, which the net learns
along with whole words (sequence.py): labels, and all other words, know the sounds only. Which words have which stands
in `models/languages/<code>/sounds.toml`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from models.training.phones import Sounds


class Units:
    """The units of a language: its sounds, and those that words have for themselves.

    Args:
        sounds: of all words.
        own: sounds of their own by word, separated by spaces.
        spelled: other spellings of these words.

    Attributes:
        names: the sounds first.
        index: the number of each.
        sound_of: for each unit the number of its sound.
        outputs: how many a net has that tells units apart.
        output_of: for each of these outputs that of a net that tells sounds apart, which are its first ones.
        shares: for each of these outputs its share of the sound's, where the units of a sound are equally likely.
    """

    def __init__(self, sounds: Sounds, own: Mapping[str, str], spelled: Mapping[str, str]) -> None:
        self.sounds = sounds
        self._spelled = spelled
        of_words = (f"{sound}.{word}" for word, said in own.items() for sound in said.split())
        self.names: tuple[str, ...] = (*sounds.names, *of_words)
        self.index = {unit: number for number, unit in enumerate(self.names)}
        self.sound_of = np.array([sounds.index[unit.partition(".")[0]] for unit in self.names])
        self.outputs = 2 * len(self.names)
        self.output_of = np.repeat(2 * self.sound_of, 2) + np.tile((0, 1), len(self.names))
        self.shares = 1 / np.bincount(self.output_of)[self.output_of]

    def of(self, entries: Iterable[tuple[str, tuple[str, ...]]]) -> list[tuple[str, tuple[str, ...]]]:
        """Words and their pronunciations: each with its word's own sounds, where it has some, and with those of all.

        Its own are known from fewer people: with nothing else, the "ja" of somebody new was no word (README.md).
        """
        found = []
        for word, sounds in entries:
            own = tuple(self._unit(sound, self._spelled.get(word, word)) for sound in sounds)
            found += [(word, one) for one in dict.fromkeys((own, sounds))]
        return found

    def _unit(self, sound: str, word: str) -> str:
        unit = f"{sound}.{word}"
        return unit if unit in self.index else sound
