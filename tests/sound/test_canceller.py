"""What was played is taken out, what was said is not, and what is left of the echo is made soft."""

from __future__ import annotations

import numpy as np
import pytest

from voicechess.sound.canceller import HOP, LATENCY, SUPPRESSED_GAIN, Canceller, ResidualSuppressor, Samples
from voicechess.sound.model import MODEL_RATE

SECONDS, SETTLED = 10, 8


def played(draw: np.random.Generator, seconds: int = SECONDS) -> Samples:
    """Noise in syllables."""
    syllables = np.repeat(draw.random(seconds * 5), MODEL_RATE // 5)
    return np.asarray(0.1 * syllables * draw.standard_normal(seconds * MODEL_RATE))


def echo_of(sound: Samples, draw: np.random.Generator, delay_ms: int = 120) -> Samples:
    """What comes back from a small room."""
    room = draw.standard_normal(1600) * np.exp(-np.arange(1600) / 300)
    late = MODEL_RATE * delay_ms // 1000
    return np.concatenate([np.zeros(late), np.convolve(sound, room / np.linalg.norm(room))])[: len(sound)]


def below_db(left: Samples, heard: Samples, first_s: float = SETTLED) -> float:
    """How much softer the end of the one is."""
    end = round(first_s * MODEL_RATE)
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


@pytest.mark.parametrize("then_ms", [20, 300])
def test_a_delay_that_jumps_is_followed_at_once(then_ms: int) -> None:
    draw = np.random.default_rng(5)
    sound = played(draw)
    jump = 8 * MODEL_RATE
    same = np.random.default_rng(6).integers(1 << 30)
    before, after = (echo_of(sound, np.random.default_rng(same), delay_ms) for delay_ms in (120, then_ms))
    echo = np.concatenate([before[:jump], after[jump:]])
    assert below_db(cancelled(echo, sound), echo, 8.8) > 15


def test_who_speaks_more_loudly_than_the_echo_is_no_other_way() -> None:
    draw = np.random.default_rng(2)
    sound = played(draw)
    echo = echo_of(sound, draw)
    said = np.zeros(len(echo))
    said[5 * MODEL_RATE : 7 * MODEL_RATE] = 10 * played(np.random.default_rng(3), 2)
    canceller = Canceller()
    astray = 0
    for at in range(0, len(echo) - HOP + 1, HOP):
        left, _ = canceller.hop((echo + said)[at : at + HOP], sound[at : at + HOP])
        astray += canceller.diverged_hops
    assert not astray
    assert np.mean(left**2) < np.mean(echo[-HOP:] ** 2) / 30


def test_no_echo_comes_before_what_it_is_the_echo_of() -> None:
    draw = np.random.default_rng(5)
    sound = played(draw)
    known = echo_of(sound, draw)
    sooner = MODEL_RATE * 160 // 1000  # than it came, 120 ms after it was played
    echo = np.concatenate([known[: 8 * MODEL_RATE], known[8 * MODEL_RATE + sooner :]])
    canceller = Canceller()
    for at in range(0, 9 * MODEL_RATE, HOP):
        canceller.hop(echo[at : at + HOP], sound[at : at + HOP])
        assert not canceller.diverged_hops, at / MODEL_RATE


def loudness(left_db: float, audible: bool, hops: int, remainder: ResidualSuppressor) -> list[float]:
    """How much of noise is left by `remainder`, hop by hop, when it is so much louder than the echo."""
    draw = np.random.default_rng(3)
    found, level = [], 0.1 * 10 ** (left_db / 20)
    for _ in range(hops):
        noise = draw.standard_normal(HOP)
        made = remainder.hop(level * noise, 0.1 * noise, audible)
        found.append(float(np.sqrt(np.mean(made**2))) / level)
    return found


def test_what_is_left_is_made_soft_until_somebody_speaks_and_their_beginning_is_kept() -> None:
    remainder, late = ResidualSuppressor(), LATENCY // HOP
    assert max(loudness(-20.0, True, 100, remainder)[late:]) < 2 * SUPPRESSED_GAIN
    begun = loudness(10.0, True, 20, remainder)
    # What is late comes out whole from its first hop on, though it took three to know that somebody speaks.
    assert begun[late + 1] > 0.5 and begun[-1] > 0.5
    assert max(loudness(-20.0, True, 100, remainder)[-40:]) < 2 * SUPPRESSED_GAIN


def test_between_two_sentences_the_noise_of_the_room_is_nobody_and_whoever_speaks_is_heard() -> None:
    """Nothing is played there, and what is left is far louder than that: every pause became an utterance (issue 22)."""
    remainder, late, draw = ResidualSuppressor(), LATENCY // HOP, np.random.default_rng(3)

    def loudest(hops: int, voice: float, echo: float) -> float:
        """What comes out at most, of a room whose noise is 0.001."""
        found = []
        for _ in range(hops):
            sound = draw.standard_normal(HOP)
            made = remainder.hop((0.001 + 0.1 * echo + voice) * sound, echo * sound, True)
            found.append(float(np.sqrt(np.mean(made**2))))
        return max(found[late:])

    for _ in range(3):
        assert loudest(100, 0.0, 0.1) < 2 * SUPPRESSED_GAIN * 0.01
        assert loudest(25, 0.0, 0.0) < 2 * SUPPRESSED_GAIN * 0.01
    assert loudest(25, 0.01, 0.0) > 0.5 * 0.01


def test_where_nothing_is_played_everything_is_heard() -> None:
    assert min(loudness(60.0, False, 30, ResidualSuppressor())[LATENCY // HOP + 1 :]) > 0.5


def test_while_the_way_of_the_echo_is_not_known_nothing_is_made_softer() -> None:
    """There may be none at all, with headphones (issue 49)."""
    assert max(loudness(0.0, True, 100, ResidualSuppressor())) > 0.5


def test_what_is_found_where_there_is_no_echo_makes_nothing_louder() -> None:
    canceller, draw = Canceller(), np.random.default_rng(5)
    sound, room = played(draw), 1e-4 * draw.standard_normal(SECONDS * MODEL_RATE)
    hops = [
        (room[at : at + HOP], canceller.hop(room[at : at + HOP], sound[at : at + HOP])[0])
        for at in range(0, len(room) - HOP, HOP)
    ][8:]
    assert np.mean([left**2 for _, left in hops]) < 2 * np.mean([heard**2 for heard, _ in hops])
