"""What was played is taken out, what was said is not, and two clocks are told apart."""

from __future__ import annotations

import numpy as np
import pytest

from models.bench.canceller import HOP, Canceller, Drift, Echo, Remainder, Samples
from models.bench.echo import obeyed
from voicechess.game.events import Heard
from voicechess.meaning import Command, Reading
from voicechess.sound.devices.interfaces import Block
from voicechess.sound.model import MODEL_RATE

SECONDS, SETTLED = 10, 8


def played(draw: np.random.Generator) -> Samples:
    """Noise in syllables."""
    syllables = np.repeat(draw.random(SECONDS * 5), MODEL_RATE // 5)
    return np.asarray(0.1 * syllables * draw.standard_normal(SECONDS * MODEL_RATE))


def echo_of(sound: Samples, draw: np.random.Generator, delay_ms: int = 120) -> Samples:
    """What comes back from a small room."""
    room = draw.standard_normal(1600) * np.exp(-np.arange(1600) / 300)
    late = MODEL_RATE * delay_ms // 1000
    return np.concatenate([np.zeros(late), np.convolve(sound, room / np.linalg.norm(room))])[: len(sound)]


def below_db(left: Samples, heard: Samples) -> float:
    """How much softer the end of the one is."""
    end = SETTLED * MODEL_RATE
    return float(10 * np.log10(np.mean(heard[end : len(left)] ** 2) / np.mean(left[end:] ** 2)))


def cancelled(heard: Samples, sound: Samples) -> Samples:
    canceller = Canceller()
    hops = range(0, len(heard) - HOP + 1, HOP)
    return np.concatenate([canceller.hop(heard[at : at + HOP], sound[at : at + HOP])[0] for at in hops])


def test_what_was_played_is_taken_out() -> None:
    draw = np.random.default_rng(1)
    sound = played(draw)
    echo = echo_of(sound, draw)
    assert below_db(cancelled(echo, sound), echo) > 20


def test_what_is_said_meanwhile_is_not() -> None:
    draw = np.random.default_rng(2)
    sound = played(draw)
    echo = echo_of(sound, draw)
    said = np.zeros(len(echo))
    said[9 * MODEL_RATE :] = 0.05 * draw.standard_normal(MODEL_RATE)
    left = cancelled(echo + said, sound)
    spoiled = (left - said[: len(left)])[9 * MODEL_RATE :]
    assert np.mean(spoiled**2) < 0.05 * 0.05 / 10


@pytest.mark.parametrize("ppm", [-200, 0, 50, 200])
def test_the_drift_of_two_clocks_is_found_in_spite_of_bursts(ppm: int) -> None:
    drift, draw, place = Drift(), np.random.default_rng(3), 0.0
    for block in range(1, 1001):
        now = block * 0.03 * (1 + ppm / 1e6) + draw.uniform(-0.01, 0.01)
        drift.take(0.03, now - place - 0.03)
        place = now
    assert drift.share == pytest.approx(ppm / 1e6, abs=40e-6)


def test_it_is_not_believed_at_once() -> None:
    drift = Drift()
    drift.take(0.03, 0.01)
    drift.take(0.03, 0.02)
    assert drift.share == 0


def test_through_devices_that_have_another_rate_and_come_in_bursts() -> None:
    draw = np.random.default_rng(4)
    sound = played(draw)
    heard = echo_of(sound, draw)
    echo, left = Echo(), []
    rate, burst = 48_000, 1024
    given = (32768 * np.repeat(sound, 3)).astype("<i2")
    bursts = iter([(1000 * at // rate, given[at : at + burst].tobytes()) for at in range(0, len(given), burst)])
    at_ms, pcm = next(bursts)
    microphone = (32768 * heard).astype("<i2")
    for ended in range(480, len(microphone), 480):
        while at_ms <= 1000 * ended // MODEL_RATE:
            echo.played(pcm, rate, at_ms)
            at_ms, pcm = next(bursts, (10**9, b""))
        block = echo.cleaned(Block(microphone[ended - 480 : ended].tobytes(), 1000 * ended // MODEL_RATE), MODEL_RATE)
        left.append(np.frombuffer(block.pcm, "<i2") / 32768)
    assert below_db(np.concatenate(left), heard) > 20


def test_what_is_left_is_made_soft_until_somebody_speaks() -> None:
    remainder = Remainder()
    assert {remainder.factor(-20.0, audible=True) for _ in range(100)} == {0.01}
    assert [remainder.factor(0.0, audible=True) for _ in range(3)][-1] == 1
    assert remainder.factor(-20.0, audible=False) == 1


def test_while_the_way_of_the_echo_is_not_known_nobody_is_heard() -> None:
    remainder = Remainder()
    assert {remainder.factor(0.0, audible=True) for _ in range(100)} == {0.01}


@pytest.mark.parametrize(
    ("words", "cost", "is_obeyed"), [("stopp", 0.0, True), ("stopp", 2.0, False), ("ruhe", 0.0, False)]
)
def test_few_words_are_obeyed(words: str, cost: float, is_obeyed: bool) -> None:
    readings = (Reading(Command("stop"), cost),)
    assert obeyed(Heard(at_ms=900, readings=readings, words=words, began_ms=0, ended_ms=400)) is is_obeyed
