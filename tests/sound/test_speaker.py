"""Who is heard when, with a loudspeaker whose sounds end when the test says so."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.drivers.virtual_sound import until
from tests.sound.fakes import FakeLoudspeaker, FakePlayback
from voicechess.messages import Priority, Tone
from voicechess.sound import speaker as speaker_module
from voicechess.sound.devices.interfaces import Done, Loudspeaker, Playback, monotonic_ms
from voicechess.sound.errors import SoundError
from voicechess.sound.pcm import peak
from voicechess.sound.speaker import Speaker, SpeakerCallbacks
from voicechess.sound.speech import Speech, SpokenSound
from voicechess.sound.tones import tone_pcm, unspoken_pcm


class SpelledSpeech(Speech):
    """A voice whose sound is the text itself, so that a test can read what was played."""

    def __init__(self) -> None:
        super().__init__(command=["never started"])
        self.failing = False
        self.right_language = True
        self.rendered: list[str] = []
        self.quick: list[str] = []

    def warm(self) -> None:
        pass

    def sound(self, text: str, quick: bool = False) -> SpokenSound:
        self.rendered.append(text)
        self.quick += [text] * quick
        if self.failing:
            raise SoundError("sound.voice.failed")
        return SpokenSound(text.encode("utf-16-le"), 22050, self.right_language)


class Stage:
    """A speaker with all its callbacks written down."""

    def __init__(self) -> None:
        self.loudspeaker = FakeLoudspeaker()
        self.available = True
        self.speech = SpelledSpeech()
        self.spoken: list[tuple[int, bool]] = []
        self.told: list[str] = []
        self.somebody_since_ms: int | None = None
        self.taken = False
        self.near = True
        self.speaker = Speaker(
            self.open,
            self.speech,
            SpeakerCallbacks(
                spoken=lambda number, completed: self.spoken.append((number, completed)),
                lost=lambda error: self.told.append(f"lost {error.key}"),
                found=lambda name: self.told.append(f"found {name}"),
                trouble=lambda error: self.told.append(f"trouble {error.key}"),
            ),
            somebody_since=lambda: self.somebody_since_ms,
            taken=lambda: self.taken,
            near=lambda: self.near,
        )
        self.speaker.start()

    def open(self) -> Loudspeaker:
        if not self.available:
            raise SoundError("sound.loudspeaker.none")
        return self.loudspeaker

    def playing(self, index: int) -> str:
        """The text that is the index-th sound, once it is being played."""
        return self.sound(index).decode("utf-16-le")

    def sound(self, index: int) -> bytes:
        """The index-th sound, once it is being played."""
        until(lambda: len(self.loudspeaker.playbacks) > index)
        return self.loudspeaker.playbacks[index].pcm

    def end(self, index: int) -> None:
        self.loudspeaker.playbacks[index].end()

    def has_spoken(self, *expected: tuple[int, bool]) -> bool:
        until(lambda: len(self.spoken) >= len(expected))
        return tuple(self.spoken) == expected


@pytest.fixture
def stage(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    monkeypatch.setattr(speaker_module, "RETRY_S", 0.01)
    monkeypatch.setattr(speaker_module, "POLL_S", 0.01)
    stage = Stage()
    yield stage
    stage.speaker.close()


def test_one_after_the_other(stage: Stage) -> None:
    stage.speaker.say(1, "eins")
    stage.speaker.say(2, "zwei")
    assert stage.playing(0) == "eins"
    stage.end(0)
    assert stage.playing(1) == "zwei"
    stage.end(1)
    assert stage.has_spoken((1, True), (2, True))


def test_after_the_sound_is_off_one_sentence_is_heard_and_no_more_until_it_is_on(stage: Stage) -> None:
    stage.speaker.mute(True)
    stage.speaker.say(1, "aus")
    stage.speaker.say(2, "stumm")
    assert not stage.speaker.tone(Tone.LISTENING)
    assert stage.playing(0) == "aus"
    stage.end(0)
    assert stage.has_spoken((2, True), (1, True)), "who waits for what is not heard waits for nothing"
    stage.speaker.mute(False)
    stage.speaker.say(3, "an")
    assert stage.playing(1) == "an"


def test_what_is_to_be_said_quickly_is_rendered_so_in_all_its_parts(stage: Stage) -> None:
    stage.speaker.say(1, "Weiß: König Eva eins; Dame David eins.", quick=True)
    stage.speaker.say(2, "Weiß am Zug.")
    for index in range(4):
        stage.playing(index)
        stage.end(index)
    assert stage.has_spoken((1, True), (2, True))
    assert set(stage.speech.quick) == {"Weiß:", "König Eva eins;", "Dame David eins."}


def test_next_goes_before_normal_but_interrupts_nothing(stage: Stage) -> None:
    stage.speaker.say(1, "eins")
    assert stage.playing(0) == "eins"
    stage.speaker.say(2, "zwei")
    stage.speaker.say(3, "drei", Priority.NEXT)
    stage.speaker.say(4, "vier", Priority.NEXT)
    for index, text in enumerate(["eins", "drei", "vier", "zwei"]):
        assert stage.playing(index) == text
        stage.end(index)
    assert stage.has_spoken((1, True), (3, True), (4, True), (2, True))


def test_next_goes_between_two_parts_of_something_long(stage: Stage) -> None:
    stage.speaker.say(1, "Weiß: König Eva eins; Dame David eins.")
    assert stage.playing(0) == "Weiß:"
    stage.speaker.say(2, "Noch eine Minute.", Priority.NEXT)
    stage.speaker.say(3, "Schwarz.")
    said = ["Weiß:", "Noch eine Minute.", "König Eva eins;", "Dame David eins.", "Schwarz."]
    for index, text in enumerate(said):
        assert stage.playing(index) == text
        stage.end(index)
    assert stage.has_spoken((2, True), (1, True), (3, True))


def test_what_goes_between_is_hushed_with_the_rest(stage: Stage) -> None:
    stage.speaker.say(1, "Weiß: König Eva eins.")
    assert stage.playing(0) == "Weiß:"
    stage.speaker.say(2, "Noch eine Minute.", Priority.NEXT)
    stage.end(0)
    assert stage.playing(1) == "Noch eine Minute."
    stage.speaker.hush()
    until(lambda: len(stage.spoken) == 2)
    assert sorted(stage.spoken) == [(1, False), (2, False)]


def test_a_text_that_changes_is_asked_for_when_its_turn_has_come(stage: Stage) -> None:
    left = ["zehn"]
    stage.speaker.say(1, "eins")
    stage.speaker.say(2, lambda: f"Noch {left[0]}. Sekunden.")
    assert stage.playing(0) == "eins"
    left[0] = "neun"
    stage.end(0)
    assert stage.playing(1) == "Noch neun."
    stage.end(1)
    assert stage.playing(2) == "Sekunden."
    stage.end(2)
    assert stage.has_spoken((1, True), (2, True))


@pytest.fixture
def patient(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> Stage:
    """Nothing here comes of time passing."""
    monkeypatch.setattr(speaker_module, "HELD_S", 1000.0)
    monkeypatch.setattr(speaker_module, "KNOWN_S", 1000.0)
    monkeypatch.setattr(speaker_module, "SETTLED_S", 0.0)
    monkeypatch.setattr(speaker_module, "AFTER_SPEECH_S", 0.0)
    return stage


def test_a_question_does_not_begin_while_somebody_speaks(patient: Stage) -> None:
    patient.somebody_since_ms = monotonic_ms()
    patient.speaker.say(1, "wohin?", Priority.PATIENT)
    until(lambda: patient.speech.rendered == ["wohin?"])
    assert patient.speaker.speaking and not patient.speaker.sounding, "they are listened to"
    patient.speaker.say(2, "eins")
    patient.somebody_since_ms = None
    assert patient.playing(0) == "eins", "what is no question about their words goes before it"
    patient.end(0)
    assert patient.playing(1) == "wohin?"
    patient.end(1)
    assert patient.has_spoken((2, True), (1, True))


def test_a_question_gives_way_to_whoever_had_begun_before_it(patient: Stage) -> None:
    patient.speaker.say(1, "wohin? Welche Linie?", Priority.PATIENT)
    assert patient.playing(0) == "wohin?"
    assert not patient.speaker.sounding, "somebody may have begun before it"
    patient.somebody_since_ms = monotonic_ms() - 1000
    until(lambda: patient.loudspeaker.playbacks[0].ended)
    assert patient.spoken == []
    patient.somebody_since_ms = None
    assert patient.playing(1) == "wohin?"
    patient.end(1)
    assert patient.playing(2) == "Welche Linie?"
    patient.end(2)
    assert patient.has_spoken((1, True))


def test_when_it_was_heard_is_known_afterwards(stage: Stage) -> None:
    """Who lags behind, on a busy machine, asks for that (issue 49)."""
    before_ms = monotonic_ms() - 1
    stage.speaker.say(1, "eins")
    assert stage.playing(0) == "eins"
    until(lambda: stage.speaker.sounding)
    during_ms = monotonic_ms()
    stage.end(0)
    assert stage.has_spoken((1, True))
    until(lambda: not stage.speaker.sounding)
    assert [stage.speaker.sounded(at_ms) for at_ms in (before_ms, during_ms, monotonic_ms())] == [False, True, False]
    assert "eins" in stage.speaker.said(before_ms, monotonic_ms())
    assert stage.speaker.said(before_ms - 5_000, before_ms - 4_000) == [""]


def test_a_question_is_not_interrupted_by_its_own_sound(patient: Stage) -> None:
    patient.speaker.say(1, "wohin?", Priority.PATIENT)
    assert patient.playing(0) == "wohin?"
    patient.somebody_since_ms = monotonic_ms() + 1000
    patient.speaker.say(2, "eins")
    patient.end(0)
    assert patient.has_spoken((1, True))
    assert patient.playing(1) == "eins"


def test_noise_does_not_keep_a_question_back_for_ever(patient: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speaker_module, "HELD_S", 0.0)
    patient.somebody_since_ms = monotonic_ms() - 1000
    patient.speaker.say(1, "wohin?", Priority.PATIENT)
    assert patient.playing(0) == "wohin?"
    assert patient.speaker.sounding
    patient.end(0)
    assert patient.has_spoken((1, True))


def test_a_question_that_waits_can_be_hushed(patient: Stage) -> None:
    patient.somebody_since_ms = monotonic_ms()
    patient.speaker.say(1, "wohin?", Priority.PATIENT)
    until(lambda: patient.speech.rendered == ["wohin?"])
    patient.speaker.hush()
    assert patient.has_spoken((1, False))
    assert not patient.loudspeaker.playbacks


@pytest.mark.parametrize("priority", [Priority.NORMAL, Priority.NEXT])
def test_nothing_begins_over_a_player_who_goes_on_speaking(patient: Stage, priority: Priority) -> None:
    """A refusal, "nicht verstanden", the repetition of a move: it was said over them, and they were not heard."""
    patient.somebody_since_ms = monotonic_ms()
    patient.speaker.say(1, "Kein Turm.", priority)
    until(lambda: patient.speech.rendered == ["Kein Turm."])
    assert not patient.speaker.sounding, "they are listened to"
    patient.somebody_since_ms = None
    assert patient.playing(0) == "Kein Turm."
    patient.end(0)
    assert patient.has_spoken((1, True))


def test_whoever_begins_while_it_is_rendered_is_heard_too(patient: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    render = patient.speech.sound

    def begin(text: str, quick: bool = False) -> SpokenSound:
        if text not in patient.speech.rendered:
            patient.somebody_since_ms = monotonic_ms()
        return render(text, quick)

    monkeypatch.setattr(patient.speech, "sound", begin)
    patient.speaker.say(1, "Kein Turm.")
    until(lambda: patient.speech.rendered == ["Kein Turm."])
    patient.speaker.say(2, "sofort", Priority.NOW)  # the thread has been round
    assert patient.playing(0) == "sofort"
    patient.speaker.hush()


def test_what_has_begun_over_somebody_is_stopped_and_said_after_them(patient: Stage) -> None:
    """They began so shortly before its first sound that this is only heard during it."""
    patient.speaker.say(1, lambda: "Noch vier Minuten. Schwarz fünf.")
    assert patient.playing(0) == "Noch vier Minuten."
    assert not patient.speaker.sounding
    patient.somebody_since_ms = monotonic_ms() - 1000
    until(lambda: patient.loudspeaker.playbacks[0].ended)
    patient.somebody_since_ms = None
    assert patient.playing(1) == "Noch vier Minuten."
    patient.end(1)
    assert patient.playing(2) == "Schwarz fünf."
    patient.end(2)
    assert patient.has_spoken((1, True))


def test_no_tone_drowns_who_goes_on_speaking(patient: Stage) -> None:
    patient.somebody_since_ms = monotonic_ms()
    patient.speaker.say(1, "eins", Priority.NEXT)
    until(lambda: patient.speech.rendered == ["eins"])
    patient.speaker.tone(Tone.NOT_UNDERSTOOD)
    patient.speaker.say(2, "zwei", Priority.NEXT)
    assert not patient.speaker.sounding and not patient.loudspeaker.playbacks
    patient.speaker.hush()
    assert patient.has_spoken((2, False), (1, False))


def test_what_is_hushed_before_its_first_sound_drowns_nobody(patient: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was said ends what waits to be said; its speaker goes on, and is listened to without a gap."""
    monkeypatch.setattr(speaker_module, "AFTER_SPEECH_S", 1000.0)
    patient.somebody_since_ms = monotonic_ms()
    patient.speaker.say(1, "eins")
    until(lambda: patient.speech.rendered == ["eins"])
    patient.speaker.hush()
    assert not patient.speaker.sounding
    until(lambda: not patient.speaker.speaking)
    assert not patient.speaker.sounding


def test_a_click_or_talk_further_away_holds_up_nothing(patient: Stage) -> None:
    patient.somebody_since_ms, patient.near = monotonic_ms() - 1000, False
    patient.speaker.say(1, "Kein Turm.")
    assert patient.playing(0) == "Kein Turm."
    assert patient.speaker.sounding, "it does not give way: with its own voice in it, a noise cannot be told"
    patient.end(0)
    assert patient.has_spoken((1, True))


def test_what_follows_is_said_at_once(patient: Stage) -> None:
    """The program is in the middle of what it says; what is heard there is its own echo."""
    patient.speaker.say(1, "eins")
    patient.speaker.say(2, "zwei")
    assert patient.playing(0) == "eins"
    patient.somebody_since_ms = monotonic_ms() + 1000
    patient.end(0)
    assert patient.playing(1) == "zwei"
    assert patient.speaker.sounding
    patient.end(1)
    assert patient.has_spoken((1, True), (2, True))


def test_others_who_talk_for_ever_hold_up_nothing_for_long(patient: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speaker_module, "HELD_S", 0.05)
    patient.somebody_since_ms = monotonic_ms()
    patient.speaker.say(1, "eins")
    patient.speaker.say(2, "zwei")
    assert patient.playing(0) == "eins"
    patient.end(0)
    assert patient.playing(1) == "zwei"


def test_now_ends_what_is_said_and_keeps_what_waits(stage: Stage) -> None:
    stage.speaker.say(1, "eins")
    assert stage.playing(0) == "eins"
    stage.speaker.say(2, "zwei")
    stage.speaker.say(3, "drei", Priority.NOW)
    assert stage.loudspeaker.playbacks[0].ended
    assert stage.playing(1) == "drei"
    stage.end(1)
    assert stage.playing(2) == "zwei"
    stage.end(2)
    assert stage.has_spoken((1, False), (3, True), (2, True))


def test_hush_stops_at_once_and_reports_all(stage: Stage) -> None:
    stage.speaker.say(1, "eins. noch eins. und noch eins.")
    assert stage.playing(0) == "eins."
    stage.speaker.say(2, "zwei")
    stage.speaker.hush()
    assert stage.loudspeaker.playbacks[0].ended
    until(lambda: len(stage.spoken) == 2)
    assert sorted(stage.spoken) == [(1, False), (2, False)]
    stage.speaker.say(3, "drei")
    assert stage.playing(1) == "drei"


def test_a_long_text_is_played_sentence_by_sentence(stage: Stage) -> None:
    stage.speaker.say(1, "Weiß. Schwarz!")
    assert stage.playing(0) == "Weiß."
    assert stage.spoken == []
    until(lambda: "Schwarz!" in stage.speech.rendered)  # ahead, while the first one is heard
    stage.end(0)
    assert stage.playing(1) == "Schwarz!"
    stage.end(1)
    assert stage.has_spoken((1, True))


def test_speaking_covers_waiting_sound_and_its_echo(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not stage.speaker.speaking
    stage.speaker.say(1, "eins")
    assert stage.speaker.speaking
    stage.playing(0)
    monkeypatch.setattr(speaker_module, "KNOWN_S", 0.0)
    monkeypatch.setattr(speaker_module, "AFTER_SPEECH_S", 1000.0)
    stage.end(0)
    assert stage.has_spoken((1, True))
    assert stage.speaker.speaking and stage.speaker.sounding


def test_tones_are_played_when_wanted(stage: Stage) -> None:
    stage.speaker.tone(Tone.NOT_UNDERSTOOD)
    until(lambda: len(stage.loudspeaker.playbacks) == 1)
    assert stage.loudspeaker.playbacks[0].pcm == tone_pcm(Tone.NOT_UNDERSTOOD)
    assert stage.spoken == []
    stage.end(0)
    quiet = Speaker(stage.open, SpelledSpeech(), tones=())
    quiet.tone(Tone.HEARD)
    assert not quiet.speaking


def test_a_tone_does_not_wait_for_the_voice_to_wake() -> None:
    """The first thing that is heard of the program."""
    awake = threading.Event()

    class Slow(SpelledSpeech):
        def warm(self) -> None:
            awake.wait(60.0)

    loudspeaker = FakeLoudspeaker()
    speaker = Speaker(lambda: loudspeaker, Slow())
    speaker.tone(Tone.HEARD)
    speaker.start()
    try:
        until(lambda: len(loudspeaker.playbacks) == 1, 60.0)
        assert loudspeaker.playbacks[0].pcm == tone_pcm(Tone.HEARD)
    finally:
        awake.set()
        speaker.close()


def test_a_listening_tone_comes_after_the_words(stage: Stage) -> None:
    stage.speaker.say(1, "eins")
    stage.playing(0)
    stage.speaker.tone(Tone.LISTENING)
    stage.speaker.say(2, "zwei")
    stage.end(0)
    until(lambda: len(stage.loudspeaker.playbacks) == 2)
    assert stage.loudspeaker.playbacks[1].pcm == tone_pcm(Tone.LISTENING)
    stage.end(1)
    assert stage.playing(2) == "zwei"


def test_without_a_loudspeaker_everything_counts_as_said(stage: Stage) -> None:
    stage.speaker.say(1, "eins. zwei.")
    stage.playing(0)
    stage.available = False
    stage.loudspeaker.dead = True
    assert stage.has_spoken((1, True))
    stage.speaker.say(2, "zwei")
    assert stage.has_spoken((1, True), (2, True))
    assert stage.told == ["lost sound.loudspeaker.lost"]
    stage.loudspeaker.dead = False
    stage.available = True
    until(lambda: len(stage.told) == 2)
    assert stage.told[1] == "found fake"
    stage.speaker.say(3, "drei")
    assert stage.playing(1) == "drei"


def test_where_the_voice_fails_a_sound_stands_for_the_sentence(stage: Stage) -> None:
    stage.speech.failing = True
    stage.speaker.say(1, "eins. Und noch mehr.")
    stage.speaker.say(2, "zwei")
    for index in (0, 1):
        assert stage.sound(index) == unspoken_pcm()
        stage.end(index)
    assert stage.has_spoken((1, True), (2, True))
    assert stage.told == ["trouble sound.voice.failed"]


def test_a_voice_that_fails_anew_is_told_anew(stage: Stage) -> None:
    for number, failing in enumerate((True, False, True)):
        stage.speech.failing = failing
        stage.speaker.say(number, "eins")
        stage.sound(number)
        stage.end(number)
    assert stage.told == ["trouble sound.voice.failed"] * 2


def test_a_voice_of_another_language_speaks_but_is_told(stage: Stage) -> None:
    stage.speech.right_language = False
    stage.speaker.say(1, "eins")
    assert stage.playing(0) == "eins"
    assert stage.told == ["trouble sound.voice.wrong_language"]


def test_empty_texts_are_spoken_at_once(stage: Stage) -> None:
    stage.speaker.say(1, " ")
    stage.speaker.say(2, "…")
    assert stage.has_spoken((1, True), (2, True))
    assert stage.speech.rendered == []


def test_rate_and_volume_stay_within_what_can_be_heard(stage: Stage) -> None:
    for _ in range(30):
        loudest = stage.speaker.adjust(rate=1, volume=1)
    assert (loudest.rate, loudest.volume) == (450, 1.0)
    for _ in range(30):
        softest = stage.speaker.adjust(rate=-1, volume=-1)
    assert (softest.rate, softest.volume) == (80, 0.1)


def test_the_volume_is_heard(stage: Stage) -> None:
    stage.speaker.adjust(volume=-9)
    stage.speaker.tone(Tone.HEARD)
    until(lambda: len(stage.loudspeaker.playbacks) == 1)
    assert peak(stage.loudspeaker.playbacks[0].pcm) == pytest.approx(peak(tone_pcm(Tone.HEARD)) / 10, rel=0.02)


def test_closing_reports_what_was_cut_and_gives_the_device_back(stage: Stage) -> None:
    stage.speaker.say(1, "eins")
    stage.playing(0)
    stage.speaker.say(2, "zwei")
    stage.speaker.close()
    assert sorted(stage.spoken) == [(1, False), (2, False)]
    assert stage.loudspeaker.closed


@dataclass
class Played:
    """A sound that has ended already."""

    played: int

    def stop(self) -> None:
        pass


class ImmediateLoudspeaker:
    """Every sound has been played at once."""

    name = ""

    def play(self, pcm: bytes, rate: int, done: Done) -> Playback:
        done(True)
        return Played(len(pcm) // 2)

    def check(self) -> None:
        pass

    def close(self) -> None:
        pass


def test_many_threads_and_every_utterance_is_reported_once() -> None:
    spoken: list[int] = []
    speaker = Speaker(
        ImmediateLoudspeaker, SpelledSpeech(), SpeakerCallbacks(spoken=lambda number, _completed: spoken.append(number))
    )
    speaker.start()

    def talk(first: int) -> None:
        for number in range(first, first + 100):
            speaker.say(number, "ja", Priority(number % 3))
            if number % 10 == 0:
                speaker.hush()

    threads = [threading.Thread(target=talk, args=(first,)) for first in range(0, 400, 100)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    until(lambda: len(spoken) >= 400)
    speaker.close()
    assert sorted(spoken) == list(range(400))


def test_an_error_that_nobody_expected_leaves_it_neither_mute_nor_speaking_for_ever(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While it counts as speaking, nobody is listened to."""

    def broken(_pcm: bytes, _rate: int, _done: object) -> FakePlayback:
        raise OSError("no such card")

    monkeypatch.setattr(stage.loudspeaker, "play", broken)
    stage.speaker.say(1, "eins")
    assert stage.has_spoken((1, True))
    until(lambda: not stage.speaker.speaking)
    assert stage.told[0] == "lost sound.loudspeaker.lost"
    monkeypatch.undo()
    until(lambda: stage.told[-1] == "found fake")
    stage.speaker.say(2, "zwei")
    assert stage.playing(0) == "zwei"


def test_what_will_perhaps_be_said_is_rendered_before(stage: Stage) -> None:
    stage.speaker.foresee(lambda: ("Turm Eva zwei. Schach.", False))
    until(lambda: stage.speech.rendered)
    assert stage.speech.rendered == ["Turm Eva zwei."]
    assert not stage.loudspeaker.playbacks
    stage.speaker.foresee(lambda: None)
    stage.speaker.say(1, "eins")
    assert stage.playing(0) == "eins"
