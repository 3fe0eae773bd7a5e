"""Failures of sound as keys of sentences, and the lines of a check-up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from voicechess.messages import Failure, Slot, Text


class SoundError(Failure):
    """A failure a person can act on. `key` names its sentence in the language files (sound.toml), `slots` fill it."""

    def __init__(self, key: str, **slots: Slot | str) -> None:
        super().__init__(key, {name: Text(value) if isinstance(value, str) else value for name, value in slots.items()})

    @property
    def was_there(self) -> bool:
        """Of a device that does not answer: whether it did before."""
        return self.key in ("sound.microphone.lost", "sound.loudspeaker.lost")


class EndOfSound(Exception):
    """A file that stands for a microphone has been read to its end. Not a failure."""


@dataclass(frozen=True, slots=True)
class Check:
    """One line of a check-up: the part (`name_key`), whether it works, and the sentence that says so or what to do."""

    name_key: str
    ok: bool
    key: str
    slots: Mapping[str, Slot] = field(default_factory=dict)


def failed(name_key: str, error: SoundError) -> Check:
    """The line for a part that does not work."""
    return Check(name_key, False, error.key, error.slots)
