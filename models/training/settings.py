"""How much of everything: a model in about an hour and a half on two cores, or a tiny one in a minute for the tests."""

from __future__ import annotations

from dataclasses import dataclass

from models.training.network import Shape
from models.training.write import Settings

HELD_OUT: tuple[str, ...] = ("hd05", "martin_herweg", "childsplay_de")
"""Speakers of the training split that choose settings: left out of the training with --hold-out, heard by `check`."""


@dataclass(frozen=True)
class Preset:
    """Sizes of one run of the recipe.

    Attributes:
        parts, minutes: synthetic speech, so many parts of so many minutes.
        noise_minutes: artificial noise.
        human_parts: parts of human speech, of as many minutes.
        first, second: batches before and after recordings are aligned.
        written: weights of decoding.
    """

    shape: Shape
    parts: int
    minutes: float
    noise_minutes: float
    human_parts: int
    first: int
    second: int
    written: Settings
    rate: float = 2e-3
    size: int = 64


PRESETS: dict[str, Preset] = {
    "full": Preset(Shape(320, 96), 16, 60, 60, 6, 1800, 4000, Settings()),
    "tiny": Preset(Shape(96, 48, (1, 1, 1, 2)), 4, 10, 2, 1, 260, 60, Settings(), rate=5e-3, size=32),
}
