"""Presets: a model from scratch in four to five hours on two idle cores, continuing a finished one in about one and a
quarter, a long run on a GPU, or a tiny model in a minute."""

from __future__ import annotations

from dataclasses import dataclass, replace

from models.training.shape import Shape
from models.training.write import Settings


@dataclass(frozen=True)
class Shares:
    """Shares of a batch, 0 to 1; the rest is espeak-ng."""

    natural: float  # SVOX Pico
    diphone: float  # Festival
    human: float  # recordings of people
    further: float = 0.0  # further voices of Festival and Flite
    joined: float = 0.0  # words joined from people's phones


SHARES = Shares(natural=0.18, diphone=0.15, human=0.25)
"""From the second stage on."""
GROWN_SHARES = Shares(natural=0.16, diphone=0.12, human=0.22, further=0.12)
"""For the larger nets."""
PEOPLE_SHARES = Shares(natural=0.10, diphone=0.07, human=0.28, further=0.07, joined=0.22)
"""For the last net."""


@dataclass(frozen=True)
class Stage:
    """A stage of training."""

    batches: int
    rate: float  # peak learning rate
    size: int = 64  # chunks of three seconds a batch


@dataclass(frozen=True)
class Growth:
    """A larger net and its stage of training."""

    shape: Shape
    stage: Stage


@dataclass(frozen=True)
class Preset:
    """Sizes of one run of the recipe."""

    shape: Shape  # of the first nets
    parts: int  # number of parts of synthetic speech by espeak-ng
    minutes: float  # duration of each part of any kind
    noise_minutes: float  # duration of artificial noise
    natural_parts: int  # number of parts of SVOX Pico's speech
    diphone_parts: int  # of Festival's speech, and of that of the further voices
    human_parts: int  # of recordings
    joined_parts: int  # of words joined from the phones of recordings
    first: Stage  # frame-level training on synthetic speech
    second: Stage  # the same with recordings
    words: Stage  # sequence training
    growths: tuple[Growth, ...]  # larger nets, each initialised from the one before it
    people: Growth  # the last net, with more recordings and a memory
    written: Settings  # weights for decoding
    halfway: bool = True  # whether the last net is averaged with the one before it


REMEMBERING = Shape(896, 256, memory=128)
"""Shape of the last net, whose memory adds 1.8 s of left context."""

PRESETS: dict[str, Preset] = {
    "full": Preset(
        Shape(512, 128), 14, 60, 160, 5, 5, 6, 4, Stage(1500, 2e-3), Stage(1500, 2e-3), Stage(5200, 1e-3),
        (Growth(Shape(640, 192), Stage(6000, 1e-3)), Growth(Shape(896, 256), Stage(5000, 1e-3))),
        Growth(REMEMBERING, Stage(2700, 6e-4)), Settings(),
    ),
    "tiny": Preset(
        Shape(128, 48, (1, 1, 1, 2)), 3, 8, 2, 1, 1, 1, 1,
        Stage(420, 6e-3, 24), Stage(20, 3e-3, 24), Stage(20, 2e-3, 16),
        (
            Growth(Shape(144, 56, (1, 1, 1, 2)), Stage(10, 1e-3, 16)),
            Growth(Shape(160, 64, (1, 1, 1, 2)), Stage(10, 1e-3, 16)),
        ),
        Growth(Shape(160, 64, (1, 1, 1, 2), memory=24), Stage(10, 1e-3, 16)),
        Settings(),
    ),
}  # fmt: skip
PRESETS["onward"] = replace(
    PRESETS["full"], parts=6, natural_parts=2, diphone_parts=2, people=Growth(REMEMBERING, Stage(1700, 5e-4))
)
"""For --begin: the steps synthesise, align, people, write."""
PRESETS["onward-short"] = replace(
    PRESETS["onward"], parts=3, noise_minutes=120, human_parts=4, joined_parts=3,
    people=Growth(REMEMBERING, Stage(1500, 6e-4)),
)  # fmt: skip
"""The same in an hour."""
PRESETS["long"] = replace(
    PRESETS["onward"], parts=12, noise_minutes=480, natural_parts=4, diphone_parts=4, human_parts=12, joined_parts=12,
    people=Growth(REMEMBERING, Stage(7500, 1.5e-3, 512)), halfway=False,
)  # fmt: skip
"""The same for a GPU: 35 times as much training, in a quarter of an hour. Without averaging, since the nets are too far
apart."""
PRESETS["carried"] = replace(
    PRESETS["full"], shape=REMEMBERING, parts=5, noise_minutes=120, natural_parts=2, diphone_parts=2, human_parts=3,
    joined_parts=2, first=Stage(400, 1e-3), second=Stage(250, 1e-3), words=Stage(700, 8e-4), growths=(),
    people=Growth(REMEMBERING, Stage(600, 6e-4)), halfway=False,
)  # fmt: skip
"""For --begin with a finished folder of another language, an hour and a half on two cores: all steps but grow."""
PRESETS["carried-tiny"] = replace(
    PRESETS["tiny"], shape=PRESETS["tiny"].people.shape, parts=2, first=Stage(160, 4e-3, 24), growths=(), halfway=False
)
"""The same as a toy, continuing a model of "tiny"."""
PRESETS["toy"] = replace(PRESETS["tiny"], parts=1, minutes=6, noise_minutes=1, first=Stage(300, 6e-3, 16))
"""Ten words of a new language in a minute: the steps synthesise, train, and write with --net first."""
