"""The units that a net distinguishes: the phones, and separate ones for each word of a move.

The n of "eins" is not quite that of "nein". The words of a move have separate phones, which the net learns in sequence
training; labels and all other words have the shared phones only. Which words have which is in
`models/languages/<code>/sounds.toml`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from models.training.phones import Sounds


class Units:
    """The units of a language: the shared phones, and the separate ones of certain words.

    Args:
        sounds: the shared phones.
        own: word -> its separate phones, separated by spaces.
        spelled: other spellings of these words.

    Attributes:
        names: of the units, the shared phones first.
        index: name -> number.
        sound_of: for each unit the number of its phone.
        outputs: number of outputs of a net with units.
        output_of: for each of these outputs the corresponding one of a net without units; its outputs come first.
        shares: for each of these outputs its share of its phone's, if the units of a phone are equally likely.
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
        """Words and pronunciations: each with separate phones, if its word has any, and with the shared ones.

        Separate phones are known from fewer people: with these alone, an unseen person's "ja" was out of vocabulary
        (models/NOTES.md).
        """
        found = []
        for word, sounds in entries:
            own = tuple(self._unit(sound, self._spelled.get(word, word)) for sound in sounds)
            found += [(word, one) for one in dict.fromkeys((own, sounds))]
        return found

    def _unit(self, sound: str, word: str) -> str:
        unit = f"{sound}.{word}"
        return unit if unit in self.index else sound
