"""A failure that ends as a sentence: a key of the language files and what to fill in."""

from __future__ import annotations

from collections.abc import Mapping

from voicechess.messages import Phrase, Slot, Text


class Failure(Exception):
    """Something a person must be told. `status` is the exit status where it ends the program (2: wrong input)."""

    def __init__(self, key: str, slots: Mapping[str, Slot] | None = None, status: int = 2) -> None:
        super().__init__(key)
        self.key = key
        self.slots: Mapping[str, Slot] = dict(slots or {})
        self.status = status

    @property
    def phrase(self) -> Phrase:
        """What to say."""
        return Phrase(self.key, self.slots)


def unexpected(key: str, error: BaseException | None) -> Phrase:
    """An error that nobody expected, as the sentence `key`, whose slot `detail` is what Python calls it."""
    return Phrase(key, {"detail": Text(f"{type(error).__name__}: {error}")})
