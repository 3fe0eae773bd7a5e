"""Two clocks are told apart, two devices joined, and the program's own words known from a player's."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from tests.sound.test_canceller import echo_of, played
from voicechess.sound.canceller import LATENCY, Samples
from voicechess.sound.devices.interfaces import Block
from voicechess.sound.echo import Echo
from voicechess.sound.far_end import BUFFER_MS, BUFFER_SAMPLES, LEAST_CORRECTION, Drift, FarEnd
from voicechess.sound.model import MODEL_RATE

RATE, BURST, BLOCK = 48_000, 1024, 480
SPOKEN_MS = (8_000, 8_600)
"""Of what is heard, when something else may be said."""


@pytest.mark.parametrize("ppm", [-600, 0, 600])
def test_clocks_that_are_far_off_are_found_in_spite_of_bursts(ppm: int) -> None:
    drift, draw, place = Drift(), np.random.default_rng(3), 0.0
    for block in range(1, 3001):
        now = block * 0.03 * (1 + ppm / 1e6) + draw.uniform(-0.01, 0.01)
        drift.take(0.03, now - place - 0.03)
        place = now
    assert drift.ratio == pytest.approx(ppm / 1e6, abs=LEAST_CORRECTION)
    assert ppm or drift.ratio == 0, "what the bursts make of equal clocks is not believed"


def test_it_is_not_believed_at_once() -> None:
    drift = Drift()
    for _ in range(1000):
        drift.take(0.03, 0.001)
    assert drift.ratio > 0
    drift = Drift(known=50e-6)
    for _ in range(300):
        drift.take(0.03, 0.001)
    assert drift.ratio == 50e-6, "devices that have just begun"


def in_time(at_ms: int) -> int:
    return at_ms


def through_devices(
    sound: Samples, heard: Samples, until_ms: int = 10_000, asked: Callable[[int], int] = in_time
) -> tuple[Echo, Samples]:
    """A loudspeaker of another rate that asks in bursts, a microphone; and what is left. `asked`: when it asks for what
    it plays then."""
    echo, left = Echo(), []
    given = (32768 * np.repeat(sound, RATE // MODEL_RATE)).astype("<i2")
    bursts = iter([(asked(1000 * at // RATE), given[at : at + BURST].tobytes()) for at in range(0, len(given), BURST)])
    at_ms, pcm = next(bursts)
    microphone = (32768 * heard).astype("<i2")
    for ended in range(BLOCK, min(len(microphone), MODEL_RATE * until_ms // 1000), BLOCK):
        while at_ms <= 1000 * ended // MODEL_RATE:
            echo.played(pcm, RATE, at_ms)
            at_ms, pcm = next(bursts, (10**9, b""))
        block = Block(microphone[ended - BLOCK : ended].tobytes(), 1000 * ended // MODEL_RATE)
        left.append(np.frombuffer(echo.cleaned(block, MODEL_RATE).pcm, "<i2") / 32768)
    return echo, np.concatenate(left)


def test_what_was_played_is_known_though_it_is_listened_to_far_too_late() -> None:
    """On a busy machine, by seconds: the program's own words were taken for the player's (issue 49)."""
    draw = np.random.default_rng(7)
    sound = played(draw)
    heard = (32768 * echo_of(sound, draw)).astype("<i2")
    echo, given = Echo(), (32768 * sound).astype("<i2")
    for first in range(0, len(given), BLOCK):
        echo.played(given[first : first + BLOCK].tobytes(), MODEL_RATE, 1000 * first // MODEL_RATE)
    for ended in range(BLOCK, len(heard), BLOCK):
        echo.cleaned(Block(heard[ended - BLOCK : ended].tobytes(), 1000 * ended // MODEL_RATE), MODEL_RATE)
    assert echo.is_own(*SPOKEN_MS)


def by_jerks(at_ms: int) -> int:
    """Every 0.7 s the program does not come to it for 0.33 s; the device has enough in store."""
    within = at_ms % 700
    return at_ms - within + 330 if within < 330 else at_ms


@pytest.mark.parametrize(("level", "own"), [(0.0, True), (3.0, False)])
def test_what_is_handed_over_late_is_not_taken_for_played_later(level: float, own: bool) -> None:
    """On a busy machine. An echo that came before what it is the echo of was taken for somebody who speaks, and the
    program played its own announcements as moves (issue 49)."""
    sound = played(np.random.default_rng(7))
    heard = said_at(echo_of(sound, np.random.default_rng(6), 340), level)
    echo, left = through_devices(sound, heard, 9_500, by_jerks)
    assert [echo.is_own(*SPOKEN_MS), echo.is_own(3_000, 3_600), echo.is_own(6_000, 7_000)] == [own, True, True]
    first, last = 6 * MODEL_RATE, 7 * MODEL_RATE
    assert np.mean(left[first:last] ** 2) < 0.1 * np.mean(heard[first:last] ** 2)


def ahead_by_and_by(at_ms: int) -> int:
    """A device that asks for 8 ms more within ten seconds, and plays it no earlier."""
    return at_ms - round(0.0008 * min(max(0, at_ms - 8_000), 10_000))


def test_a_drift_that_the_echo_does_not_have_is_not_believed() -> None:
    """PulseAudio asked for more by and by, which was taken for a drift of 800 ppm: for 20 seconds nothing was
    cancelled, and "Stopp" was not obeyed meanwhile (issue 49)."""
    draw = np.random.default_rng(4)
    sound = played(draw, 24)
    heard = echo_of(sound, draw)
    _, left = through_devices(sound, heard, 24_000, ahead_by_and_by)
    for second in range(10, 23):
        first, last = second * MODEL_RATE, (second + 1) * MODEL_RATE
        assert np.mean(left[first:last] ** 2) < np.mean(heard[first:last] ** 2) / 100, second


def test_the_far_end_is_aligned_at_once_when_a_device_has_discarded_its_buffer() -> None:
    """Or the next word, "Gestoppt.", was heard as the player's (issue 49)."""
    far_end, waiting, discarded_ms = FarEnd(), BUFFER_SAMPLES, 1_500
    for at_ms in range(0, 3_000, 30):
        far_end.played(bytes(2 * 480), MODEL_RATE, at_ms)
        if at_ms == discarded_ms:
            far_end.played(b"", MODEL_RATE, at_ms)
            far_end.played(bytes(2 * MODEL_RATE * 80 // 1000), MODEL_RATE, at_ms)  # fills the buffer again
        far_end.take(at_ms, 0.03)
        waiting += 480
        waiting -= len(far_end.aligned(waiting, 480, at_ms == 0, at_ms)) // 2
    assert [0 <= at_ms - discarded_ms <= 200 for at_ms in far_end.realigned_ms] == [True]


def test_through_devices_that_have_another_rate_and_come_in_bursts() -> None:
    draw = np.random.default_rng(4)
    sound = played(draw)
    heard = echo_of(sound, draw)
    _, left = through_devices(sound, heard)
    assert np.mean(left[8 * MODEL_RATE :] ** 2) < np.mean(heard[8 * MODEL_RATE :] ** 2) / 100


@pytest.mark.parametrize("ppm", [-200, 0, 50])
def test_two_clocks_are_told_apart_by_the_way_that_becomes_longer(ppm: int) -> None:
    draw = np.random.default_rng(4)
    sound = played(draw, 20)
    heard = echo_of(sound, draw)
    at = np.arange(len(heard)) / (1 + ppm / 1e6)  # the microphone counts more of its samples
    heard = np.asarray(np.interp(at, np.arange(len(heard)), heard))
    first, last = 17 * MODEL_RATE, 18 * MODEL_RATE
    said = 0.5 * played(np.random.default_rng(8))[: last - first]
    heard[first:last] += said
    _, left = through_devices(sound, heard, 19_500)
    late = MODEL_RATE * BUFFER_MS // 1000 + LATENCY
    spoiled = left[first + late : last + late] - said
    assert np.mean(spoiled**2) < np.mean(said**2) / 4, "nothing but the player is heard while they speak"


def said_at(heard: Samples, level: float, seed: int = 8) -> Samples:
    """The same with somebody in the room who speaks at `SPOKEN_MS`."""
    first, last = (MODEL_RATE * at_ms // 1000 for at_ms in SPOKEN_MS)
    other = heard.copy()
    other[first:last] += level * played(np.random.default_rng(seed))[: last - first]
    return other


def test_the_programs_own_words_are_known_from_a_players() -> None:
    draw = np.random.default_rng(7)
    sound = played(draw)
    heard = echo_of(sound, draw)
    own, _ = through_devices(sound, heard, 9_500)
    assert own.is_own(*SPOKEN_MS)
    with_player, _ = through_devices(sound, said_at(heard, 3.0), 9_500)
    assert not with_player.is_own(*SPOKEN_MS)


ITS_OWN, LIKE_IT = 23, 8
"""Seeds: what swells in its own way, and what swells as what is played."""


@pytest.mark.parametrize(
    ("distorted", "said", "level", "clear", "own"),
    [
        (0.4, ITS_OWN, 0.85, True, False),
        (0.4, ITS_OWN, 0.85, False, True),
        (0.4, ITS_OWN, 0.0, True, True),
        (1.0, ITS_OWN, 1.5, True, False),  # nothing but the softened rest is left, but it was louder than any echo
        (0.2, ITS_OWN, 0.85, False, False),  # 5 dB more is left than typically
        (0.2, LIKE_IT, 0.6, True, False),  # 4 dB more
        (0.2, LIKE_IT, 0.6, False, True),
    ],
)
def test_what_is_hardly_more_than_what_is_left_is_a_players_if_it_is_clear_or_swells_in_its_own_way(
    distorted: float, said: int, level: float, clear: bool, own: bool
) -> None:
    draw = np.random.default_rng(7)
    sound = played(draw)
    heard = echo_of(sound, draw)
    late = MODEL_RATE * 120 // 1000
    heard[late:] += distorted * np.abs(sound[:-late]) * draw.standard_normal(len(sound) - late)
    echo, _ = through_devices(sound, said_at(heard, level, said), 9_500)
    assert echo.is_own(*SPOKEN_MS, clear=clear) == own


@pytest.mark.parametrize("known", [{"garbled": True}, {"repeats": True}, {"occurs": True}])
@pytest.mark.parametrize(("level", "own"), [(0.85, True), (3.0, False)])
def test_what_may_be_an_echo_and_fits_no_words_or_those_that_were_said_is_the_programs(
    level: float, own: bool, known: dict[str, bool]
) -> None:
    """However much of it the canceller leaves: its way comes and goes by jerks on a busy machine. "sie", the end of
    "Weiß am Zug", was answered by "Nichts verstanden" (issue 49)."""
    draw = np.random.default_rng(7)
    sound = played(draw)
    heard = echo_of(sound, draw)
    late = MODEL_RATE * 120 // 1000
    heard[late:] += 0.2 * np.abs(sound[:-late]) * draw.standard_normal(len(sound) - late)
    echo, _ = through_devices(sound, said_at(heard, level, ITS_OWN), 9_500)
    assert not echo.is_own(*SPOKEN_MS) and echo.is_own(*SPOKEN_MS, **known) == own


@pytest.mark.parametrize("known", [{"garbled": True}, {"repeats": True}])
def test_what_is_said_by_a_loudspeaker_that_was_turned_up_is_the_programs(known: dict[str, bool]) -> None:
    """By ear "Springer Anna drei Bella eins" was taken for a player's, 16 dB over the echo before (issue 49)."""
    sound = played(np.random.default_rng(7))
    heard = echo_of(sound, np.random.default_rng(6))
    heard[: round(7.2 * MODEL_RATE)] *= 0.1
    heard += 1e-4 * np.random.default_rng(5).standard_normal(len(heard))
    echo, _ = through_devices(sound, heard, 9_500)
    assert not echo.is_own(*SPOKEN_MS) and echo.is_own(*SPOKEN_MS, **known)


@pytest.mark.parametrize("jump_ms", [6_500, 7_900, 8_200])
@pytest.mark.parametrize(("level", "own"), [(0.0, True), (3.0, False)])
def test_a_delay_that_jumps_makes_nobodys_words_of_the_programs(jump_ms: int, level: float, own: bool) -> None:
    sound = played(np.random.default_rng(7))
    jump = MODEL_RATE * jump_ms // 1000
    before, after = (echo_of(sound, np.random.default_rng(6), delay_ms) for delay_ms in (120, 200))
    echo, _ = through_devices(sound, said_at(np.concatenate([before[:jump], after[jump:]]), level), 9_500)
    assert echo.is_own(*SPOKEN_MS) == own


def test_where_there_is_no_echo_at_all_everything_heard_is_the_players_and_nothing_is_made_softer() -> None:
    """Headphones of which the program was not told (issue 49)."""
    sound = played(np.random.default_rng(7))
    heard = said_at(1e-4 * np.random.default_rng(6).standard_normal(len(sound)), 0.3)
    echo, left = through_devices(sound, heard, 9_500)
    assert not echo.is_own(*SPOKEN_MS)
    late = MODEL_RATE * BUFFER_MS // 1000 + LATENCY
    first, last = (MODEL_RATE * at_ms // 1000 for at_ms in SPOKEN_MS)
    assert np.mean(left[first + late : last + late] ** 2) == pytest.approx(np.mean(heard[first:last] ** 2), rel=0.2)


@pytest.mark.parametrize("delay_ms", [50, 150, 300, 500])
def test_the_end_of_a_sentence_is_known_however_late_it_is_heard(delay_ms: int) -> None:
    sound = played(np.random.default_rng(7))
    sound[8 * MODEL_RATE :] = 0
    ended_ms = 8_000 + delay_ms
    echo, _ = through_devices(sound, echo_of(sound, np.random.default_rng(6), delay_ms), 9_500)
    assert echo.is_own(ended_ms - 600, ended_ms)


def test_the_end_of_a_sentence_is_known_though_its_last_words_are_drowned() -> None:
    """Else its echo is listened to as if it were the player's."""
    sound = played(np.random.default_rng(7))
    sound[8 * MODEL_RATE :] = 0
    heard = echo_of(sound, np.random.default_rng(6), 300)
    first, last = round(7.2 * MODEL_RATE), round(8.4 * MODEL_RATE)
    heard[first:last] += 0.3 * np.random.default_rng(5).standard_normal(last - first)
    echo, _ = through_devices(sound, heard, 9_500)
    assert echo.sample_at(8_250) < echo.echo_end < echo.sample_at(8_500)


def test_words_of_its_own_while_a_loudspeaker_stands_still_are_the_programs() -> None:
    """What was played lies in the wrong place then, and nobody knows by how much; other words are the player's, who
    else was answered by silence in a room with a loud echo (issue 49)."""
    sound = played(np.random.default_rng(7))
    heard = said_at(echo_of(sound, np.random.default_rng(6), 340), 1.0, ITS_OWN)
    assert not through_devices(sound, heard, 9_500)[0].is_own(*SPOKEN_MS, clear=True)
    still, _ = through_devices(sound, heard, 9_500, lambda at_ms: at_ms if at_ms < 7_900 else at_ms + 2_000)
    assert still.is_own(*SPOKEN_MS, clear=True, repeats=True)
    assert not still.is_own(*SPOKEN_MS, clear=True)


def test_what_is_softer_than_the_echo_while_a_loudspeaker_stands_still_is_the_programs() -> None:
    """ "Weiß zog Eva vier" was heard as "zug eva acht" then, 12 dB softer (issue 49)."""
    sound = played(np.random.default_rng(7))
    heard = echo_of(sound, np.random.default_rng(6), 340)
    heard[round(7.9 * MODEL_RATE) :] *= 0.3
    still, _ = through_devices(sound, heard, 9_500, lambda at_ms: at_ms if at_ms < 7_900 else at_ms + 2_000)
    assert still.is_own(*SPOKEN_MS, clear=True)


@pytest.mark.parametrize(("heard_of_it", "own"), [(1.0, True), (0.0, False)])
def test_words_that_were_said_are_the_programs_however_late_if_there_is_an_echo(heard_of_it: float, own: bool) -> None:
    """A second and more, where a busy machine holds sound so long; without an echo the player repeats them."""
    sound = played(np.random.default_rng(7))
    sound[round(6.7 * MODEL_RATE) :] = 0
    heard = heard_of_it * echo_of(sound, np.random.default_rng(6), 1_900)
    heard += 1e-4 * np.random.default_rng(5).standard_normal(len(heard))
    echo, _ = through_devices(sound, heard if heard_of_it else said_at(heard, 1.0), 9_500)
    assert not echo.is_own(*SPOKEN_MS)
    assert echo.is_own(*SPOKEN_MS, repeats=True) == own


@pytest.mark.parametrize("after_s", [0.2, 0.4, 0.6])
@pytest.mark.parametrize("seed", [LIKE_IT, ITS_OWN])
def test_who_answers_each_question_at_once_may_repeat_its_words(after_s: float, seed: int) -> None:
    """With a headset: what was heard just after each question is no echo of it (issue 49: "was war mein Fehler" was
    answered by silence)."""
    sound = played(np.random.default_rng(7))
    heard = 1e-4 * np.random.default_rng(6).standard_normal(len(sound))
    said = 0.5 * played(np.random.default_rng(seed))
    for asked_s in (1, 3, 5, 7):
        answer = slice(round((asked_s + after_s) * MODEL_RATE), (asked_s + 1) * MODEL_RATE)
        heard[answer] += said[answer]
        sound[asked_s * MODEL_RATE : round((asked_s + 1.1) * MODEL_RATE)] = 0
    echo, _ = through_devices(sound, heard, 9_500)
    assert echo.is_own(7_000 + round(1000 * after_s), 8_000, clear=True, repeats=True) is False


def test_how_loud_the_echo_is_is_still_known_when_a_long_utterance_has_ended() -> None:
    sound = played(np.random.default_rng(7), 20)
    echo, _ = through_devices(sound, echo_of(sound, np.random.default_rng(6)), 19_500)
    assert echo.is_own(7_000, 19_000)


def test_what_is_heard_before_the_way_of_the_echo_is_known_is_known_by_its_swelling() -> None:
    draw = np.random.default_rng(9)
    sound = played(draw)
    echo, _ = through_devices(sound, echo_of(sound, draw), 1_500)
    assert echo.is_own(300, 1_000) is not False
    assert echo.is_own(900, 1_400), "it swells as what was played"


def test_what_is_too_short_or_too_long_ago_to_tell_is_the_programs() -> None:
    silent = np.zeros(10 * MODEL_RATE)
    echo, _ = through_devices(silent, said_at(silent, 3.0), 9_500)
    assert not echo.is_own(*SPOKEN_MS)
    assert echo.is_own(8_000, 8_030)
    assert echo.is_own(-20_000, -19_000) is None
