"""Voice activity in steady noise: speech a little louder is detected, the noise alone is not."""

from __future__ import annotations

import random
from array import array

import pytest

from voicechess.sound.vad import FRAME_MS, VoiceActivityDetector

RATE = 16_000
FRAME = RATE * FRAME_MS // 1000


def noise(milliseconds: int, level: float, seed: int) -> array[int]:
    """Steady white noise whose standard deviation is `level`."""
    draw = random.Random(seed)
    return array("h", (round(draw.gauss(0.0, level)) for _ in range(RATE * milliseconds // 1000)))


def states(detector: VoiceActivityDetector, samples: array[int]) -> list[bool]:
    return [detector.push(samples[start : start + FRAME].tobytes()) for start in range(0, len(samples), FRAME)]


@pytest.mark.parametrize("level", [20, 100, 800])
def test_steady_noise_becomes_the_room_whatever_its_level(level: int) -> None:
    detector = VoiceActivityDetector()
    states(detector, noise(5000, level, 1))
    detector.end()
    assert not any(states(detector, noise(6000, level, 2)))


@pytest.mark.parametrize("level", [100, 400])
def test_speech_seven_decibels_louder_is_detected_at_once_and_so_is_its_end(level: int) -> None:
    detector = VoiceActivityDetector()
    states(detector, noise(5000, level, 1))
    detector.end()
    speech = states(detector, noise(600, 2.24 * level, 3))
    after = states(detector, noise(400, level, 4))
    assert all(speech[5:])
    assert not any(after[4:])
