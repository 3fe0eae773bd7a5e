"""The player's own screen reader as the voice: never both voices at once, and no sentence lost, whatever it does."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest

from tests.drivers.virtual_sound import until
from tests.sound.stage import Stage
from voicechess.messages import Priority, Tone
from voicechess.sound import reader as reader_module
from voicechess.sound import speaker as speaker_module
from voicechess.sound.devices import kept_open
from voicechess.sound.errors import SoundError
from voicechess.sound.reader import DEFAULT_PACE, FASTEST_PACE, LATENCY_S, SLOWEST_PACE, Reader, find_readers
from voicechess.sound.tones import tone_pcm

QUICK = FASTEST_PACE
LIMIT_S = 0.2


@dataclass
class FakeBackend:
    """A screen reader that does what a test says. `speaks`: None, it cannot tell."""

    name: str = "Vorleser"
    speaks: bool | None = None
    taken: list[str] = field(default_factory=list)
    stopped: int = 0
    asked: int = 0
    failing: Exception | None = None
    hangs: threading.Event | None = None

    @property
    def speaking(self) -> bool:
        self.asked += 1
        if self.speaks is None:
            raise NotImplementedError
        return self.speaks

    def output(self, text: str, interrupt: bool = False) -> None:
        assert not interrupt
        if self.hangs is not None:
            self.hangs.wait()
        if self.failing is not None:
            raise self.failing
        self.taken.append(text)

    def stop(self) -> None:
        self.stopped += 1
        if self.hangs is not None:
            self.hangs.wait()


@pytest.fixture
def backend() -> FakeBackend:
    return FakeBackend()


@pytest.fixture
def stage(monkeypatch: pytest.MonkeyPatch, backend: FakeBackend) -> Iterator[Stage]:
    monkeypatch.setattr(kept_open, "RETRY_S", 0.01)
    monkeypatch.setattr(speaker_module, "POLL_S", 0.01)
    monkeypatch.setattr(reader_module, "LATENCY_S", 0.01)
    stage = Stage()
    stage.speaker.read_by(Reader(QUICK, lambda: [backend], LIMIT_S, tried=False))
    yield stage
    if backend.hangs is not None:
        backend.hangs.set()
    stage.speaker.close()


def test_the_reader_gets_each_sentence_once_and_whole_and_our_voice_is_silent(
    stage: Stage, backend: FakeBackend
) -> None:
    stage.speaker.say(1, "Weiß: König Eva eins; Dame David eins.")
    stage.speaker.say(2, lambda: "Noch vier Minuten.")
    assert stage.has_spoken((1, True), (2, True))
    assert backend.taken == ["Weiß: König Eva eins; Dame David eins.", "Noch vier Minuten."]
    assert not stage.loudspeaker.playbacks and not stage.speech.rendered


def test_tones_are_still_played(stage: Stage) -> None:
    assert stage.speaker.tone(Tone.HEARD)
    assert stage.sound(0) == tone_pcm(Tone.HEARD)
    stage.end(0)


def test_it_is_listened_again_only_after_the_reckoned_time(stage: Stage) -> None:
    reader = stage.speaker.reader
    assert reader is not None
    text = "a" * int(QUICK)  # a second
    began = time.monotonic()
    stage.speaker.say(1, text)
    assert stage.speaker.speaking
    assert stage.has_spoken((1, True))
    assert time.monotonic() - began >= reader.estimated_s(text) - 0.05


def test_hush_stops_the_reader_and_forgets_the_rest(stage: Stage, backend: FakeBackend) -> None:
    stage.speaker.say(1, "a" * 8_000)
    stage.speaker.say(2, "zwei")
    until(lambda: len(backend.taken) == 1)
    stage.speaker.hush()
    until(lambda: backend.stopped == 1)
    until(lambda: sorted(stage.spoken) == [(1, False), (2, False)])


def test_what_is_urgent_stops_the_reader(stage: Stage, backend: FakeBackend) -> None:
    stage.speaker.say(1, "a" * 8_000)
    until(lambda: len(backend.taken) == 1)
    stage.speaker.say(2, "Stopp", Priority.NOW)
    until(lambda: (2, True) in stage.spoken)
    assert backend.stopped == 1 and backend.taken[1] == "Stopp"


def test_a_reader_that_tells_is_believed(stage: Stage, backend: FakeBackend) -> None:
    backend.speaks = True
    stage.speaker.read_by(Reader(SLOWEST_PACE, lambda: [backend], LIMIT_S, tried=False))
    stage.speaker.say(1, "a" * 50)  # ten seconds by its pace
    until(lambda: bool(backend.taken))
    asked = backend.asked
    until(lambda: backend.asked > asked + 1)
    assert not stage.spoken
    backend.speaks = False
    until(lambda: stage.spoken == [(1, True)])


def test_but_not_for_ever(stage: Stage, backend: FakeBackend) -> None:
    backend.speaks = True
    stage.speaker.read_by(Reader(QUICK, lambda: [backend], LIMIT_S, tried=False))
    stage.speaker.say(1, "kurz")
    assert stage.has_spoken((1, True))


@pytest.mark.parametrize("how", ["raises", "hangs"])
def test_where_it_fails_our_voice_says_that_sentence_and_goes_on(stage: Stage, backend: FakeBackend, how: str) -> None:
    stage.speaker.say(1, "eins")
    assert stage.has_spoken((1, True))
    if how == "raises":
        backend.failing = OSError("gone")
    else:
        backend.hangs = threading.Event()
    stage.speaker.say(2, "Weiß: König Eva eins.")
    assert stage.playing(0) == "Weiß:"
    stage.end(0)
    assert stage.playing(1) == "König Eva eins."
    stage.end(1)
    assert stage.has_spoken((1, True), (2, True))
    assert stage.told == ["trouble sound.reader.lost"]
    assert stage.speaker.reader is None
    assert backend.taken == ["eins"]


def test_a_text_that_was_given_up_is_not_read_beside_our_voice(stage: Stage, backend: FakeBackend) -> None:
    backend.hangs = threading.Event()
    stage.speaker.say(1, "eins")
    assert stage.playing(0) == "eins"
    backend.hangs.set()
    until(lambda: backend.stopped == 1)
    stage.end(0)
    assert stage.has_spoken((1, True))


def test_one_that_goes_while_it_reads_loses_nothing(stage: Stage, backend: FakeBackend) -> None:
    backend.speaks = True
    stage.speaker.read_by(Reader(SLOWEST_PACE, lambda: [backend], LIMIT_S, tried=False))
    stage.speaker.say(1, "a" * 50)
    until(lambda: bool(backend.taken))
    backend.speaks = None
    assert stage.playing(0) == "a" * 50
    stage.end(0)
    assert stage.has_spoken((1, True))
    assert stage.told == ["trouble sound.reader.lost"]


def test_one_that_begins_late_has_not_finished(stage: Stage, backend: FakeBackend) -> None:
    backend.speaks = False
    reader = Reader(20.0, lambda: [backend], LIMIT_S, tried=False)
    stage.speaker.read_by(reader)
    began = time.monotonic()
    stage.speaker.say(1, "a" * 20)  # a second
    assert stage.has_spoken((1, True))
    assert time.monotonic() - began >= reader.estimated_s("a" * 20) - 0.05


def test_our_voice_waits_for_what_the_reader_reads_and_both_are_stopped(stage: Stage, backend: FakeBackend) -> None:
    stage.speaker.say(1, "a" * 8_000)
    until(lambda: bool(backend.taken))
    stage.speaker.read_by(None)
    stage.speaker.say(2, "zwei")
    assert not stage.loudspeaker.playbacks
    stage.speaker.hush()
    until(lambda: backend.stopped == 1)
    assert not stage.loudspeaker.playbacks


def test_the_first_that_takes_a_text_is_chosen() -> None:
    """One "succeeded" without running (prism, issue 49)."""
    pretending, running = FakeBackend("NVDA", failing=OSError("not there")), FakeBackend("JAWS")
    reader = Reader(DEFAULT_PACE, lambda: [pretending, running], LIMIT_S)
    assert (reader.name, running.taken) == ("JAWS", ["JAWS"])
    reader.close()


def test_louder_and_faster_are_the_readers_own(stage: Stage) -> None:
    stage.speaker.adjust(rate=1)
    stage.speaker.adjust(rate=1)
    assert stage.told == ["trouble sound.reader.adjusts"]


def test_a_reader_that_hangs_holds_up_nobody_who_stops_it(stage: Stage, backend: FakeBackend) -> None:
    stage.speaker.say(1, "a" * 8_000)
    until(lambda: len(backend.taken) == 1)
    backend.hangs = threading.Event()
    stage.speaker.hush()
    assert stage.has_spoken((1, False)), "though the reader has not come back from its stop"


def test_without_a_loudspeaker_the_reader_still_reads(stage: Stage, backend: FakeBackend) -> None:
    stage.available = False
    stage.loudspeaker.dead = True
    stage.speaker.say(1, "eins", Priority.PATIENT)
    assert stage.has_spoken((1, True))
    assert backend.taken == ["eins"]


def test_our_own_voice_again(stage: Stage, backend: FakeBackend) -> None:
    stage.speaker.read_by(None)
    stage.speaker.say(1, "eins")
    assert stage.playing(0) == "eins"
    stage.end(0)
    assert stage.has_spoken((1, True)) and not backend.taken


def test_the_pace_stays_within_what_a_reader_reads(backend: FakeBackend) -> None:
    for given, kept in ((1.0, SLOWEST_PACE), (20.0, 20.0), (1e9, FASTEST_PACE)):
        reader = Reader(given, lambda: [backend], LIMIT_S, tried=False)
        assert reader.pace == kept
        assert reader.estimated_s("a" * 100) == pytest.approx(LATENCY_S + 100 / kept)
        reader.close()


def failing(error: Exception) -> Callable[[], list[FakeBackend]]:
    def find() -> list[FakeBackend]:
        raise error

    return find


@pytest.mark.parametrize("error", [SoundError("sound.reader.none"), OSError("x"), RuntimeError("x")])
def test_one_that_cannot_be_had_is_a_sentence(error: Exception) -> None:
    with pytest.raises(SoundError, match="reader"):
        Reader(DEFAULT_PACE, failing(error), LIMIT_S)


def test_one_that_hangs_while_it_is_looked_for_is_a_sentence() -> None:
    waits = threading.Event()

    def find() -> list[FakeBackend]:
        waits.wait()
        return [FakeBackend()]

    with pytest.raises(SoundError, match="lost"):
        Reader(DEFAULT_PACE, find, LIMIT_S)
    waits.set()


def test_without_its_library_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> object:
        raise ImportError(name)

    monkeypatch.setattr("voicechess.sound.reader.importlib.import_module", missing)
    with pytest.raises(SoundError, match="extra"):
        next(find_readers())
