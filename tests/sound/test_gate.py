"""The gate in steady noise: speech a little louder than it opens the gate, the noise alone does not."""

from __future__ import annotations

import random
from array import array

import pytest

from voicechess.sound.utterance import FRAME_MS, Gate

RATE = 16_000
FRAME = RATE * FRAME_MS // 1000


def noise(milliseconds: int, level: float, seed: int) -> array[int]:
    """Steady white noise whose standard deviation is `level`."""
    draw = random.Random(seed)
    return array("h", (round(draw.gauss(0.0, level)) for _ in range(RATE * milliseconds // 1000)))


def states(gate: Gate, samples: array[int]) -> list[bool]:
    return [gate.push(samples[start : start + FRAME].tobytes()) for start in range(0, len(samples), FRAME)]


@pytest.mark.parametrize("level", [20, 100, 800])
def test_steady_noise_becomes_the_room_whatever_its_level(level: int) -> None:
    gate = Gate()
    states(gate, noise(5000, level, 1))
    gate.close()
    assert not any(states(gate, noise(6000, level, 2)))


@pytest.mark.parametrize("level", [100, 400])
def test_what_is_seven_decibels_louder_opens_it_at_once_and_its_end_closes_it(level: int) -> None:
    gate = Gate()
    states(gate, noise(5000, level, 1))
    gate.close()
    speech = states(gate, noise(600, 2.24 * level, 3))
    after = states(gate, noise(400, level, 4))
    assert all(speech[5:])
    assert not any(after[4:])
