"""Who is heard when, with a loudspeaker whose sounds end when the test says so."""

from __future__ import annotations

import threading
from dataclasses import dataclass

import pytest

from tests.drivers.virtual_sound import until
from tests.sound.fakes import FakeLoudspeaker, FakePlayback
from tests.sound.stage import SpelledSpeech, Stage
from voicechess.messages import Priority, Tone, Whose
from voicechess.sound import speaker as speaker_module
from voicechess.sound.devices.interfaces import Done, Ear, Playback
from voicechess.sound.pcm import peak
from voicechess.sound.speaker import Speaker, SpeakerCallbacks
from voicechess.sound.tones import tone_pcm, unspoken_pcm


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


@pytest.mark.parametrize(
    ("headphones", "apart", "ears"),
    [
        (True, True, [Ear.BOTH, Ear.RIGHT, Ear.LEFT]),
        (True, False, [Ear.BOTH] * 3),
        (False, True, [Ear.BOTH] * 3),
    ],
)
def test_with_headphones_the_opponent_is_left_and_the_player_right(
    stage: Stage, headphones: bool, apart: bool, ears: list[Ear]
) -> None:
    stage.speaker.headphones = headphones
    stage.speaker.arrange(None, apart)
    for index, whose in enumerate(Whose):
        stage.speaker.say(index, "ja", whose=whose)
        stage.playing(index)
        stage.end(index)
    assert stage.has_spoken((0, True), (1, True), (2, True))
    assert stage.loudspeaker.ears == ears


def test_the_opponent_has_the_second_voice_and_is_heard_in_the_first_where_there_is_none(stage: Stage) -> None:
    stage.speaker.arrange("second", apart=False)
    stage.speaker.say(1, "eins", whose=Whose.PLAYER)
    stage.speaker.say(2, "zwei", whose=Whose.OPPONENT)
    stage.speech.has_second = False
    stage.speaker.say(3, "drei", whose=Whose.OPPONENT)
    for index in range(3):
        stage.playing(index)
        stage.end(index)
    assert stage.has_spoken((1, True), (2, True), (3, True))
    assert set(stage.speech.second) == {"zwei", "drei"}
    assert stage.told[-1] == "trouble sound.voice.no_second"


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
    monkeypatch.setattr(speaker_module, "ONSET_CHECK_S", 0.0)
    monkeypatch.setattr(speaker_module, "AFTER_SPEECH_S", 1000.0)
    stage.end(0)
    assert stage.has_spoken((1, True))
    assert stage.speaker.speaking and stage.audible


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

    def play(self, pcm: bytes, rate: int, done: Done, ear: Ear = Ear.BOTH) -> Playback:
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

    def broken(*_sound: object) -> FakePlayback:
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
    stage.speaker.prerender(lambda: ("Turm Eva zwei. Schach.", False))
    until(lambda: stage.speech.rendered)
    assert stage.speech.rendered == ["Turm Eva zwei."]
    assert not stage.loudspeaker.playbacks
    stage.speaker.prerender(lambda: None)
    stage.speaker.say(1, "eins")
    assert stage.playing(0) == "eins"
