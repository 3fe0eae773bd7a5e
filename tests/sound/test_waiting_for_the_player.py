"""Nothing begins over a player who speaks, and nobody else holds it up for long."""

from __future__ import annotations

import pytest

from tests.drivers.virtual_sound import until
from tests.sound.stage import Stage
from voicechess.messages import Priority, Tone
from voicechess.sound import speaker as speaker_module
from voicechess.sound.devices.interfaces import monotonic_ms
from voicechess.sound.speech import SpokenSound


@pytest.fixture
def patient(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> Stage:
    """Nothing here comes of time passing."""
    monkeypatch.setattr(speaker_module, "LOUDSPEAKER_WAIT_S", 1000.0)
    monkeypatch.setattr(speaker_module, "ONSET_CHECK_S", 1000.0)
    monkeypatch.setattr(speaker_module, "SETTLED_S", 0.0)
    monkeypatch.setattr(speaker_module, "AFTER_SPEECH_S", 0.0)
    return stage


def test_a_question_does_not_begin_while_somebody_speaks(patient: Stage) -> None:
    patient.speech_since_ms = monotonic_ms()
    patient.speaker.say(1, "wohin?", Priority.PATIENT)
    until(lambda: patient.speech.rendered == ["wohin?"])
    assert patient.speaker.speaking and not patient.audible, "they are listened to"
    patient.speaker.say(2, "eins")
    patient.speech_since_ms = None
    assert patient.playing(0) == "eins", "what is no question about their words goes before it"
    patient.end(0)
    assert patient.playing(1) == "wohin?"
    patient.end(1)
    assert patient.has_spoken((2, True), (1, True))


def test_a_question_gives_way_to_whoever_had_begun_before_it(patient: Stage) -> None:
    patient.speaker.say(1, "wohin? Welche Linie?", Priority.PATIENT)
    assert patient.playing(0) == "wohin?"
    assert not patient.audible, "somebody may have begun before it"
    patient.speech_since_ms = monotonic_ms() - 1000
    until(lambda: patient.loudspeaker.playbacks[0].ended)
    assert patient.spoken == []
    patient.speech_since_ms = None
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
    until(lambda: stage.audible)
    during_ms = monotonic_ms()
    stage.end(0)
    assert stage.has_spoken((1, True))
    until(lambda: not stage.audible)
    assert [stage.speaker.audible_at(at_ms) for at_ms in (before_ms, during_ms, monotonic_ms())] == [False, True, False]
    assert "eins" in [played.text for played in stage.speaker.said(before_ms, monotonic_ms())]
    assert stage.speaker.said(before_ms - 5_000, before_ms - 4_000) == []


def test_what_was_cut_was_not_said(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sound lasts a second a letter."""
    monkeypatch.setattr(stage.speech, "sound", lambda text, *_: SpokenSound(text.encode("utf-16-le"), 1, True))
    sentence = "Bauern Anna Bella Cesar Felix Gustav Hector zwei"
    began_ms = monotonic_ms()
    stage.speaker.say(1, sentence)
    assert stage.playing(0) == sentence
    stage.speaker.hush()
    assert stage.has_spoken((1, False))
    [played] = stage.speaker.said(began_ms - 1_000, monotonic_ms() + 5_000)
    assert sentence.startswith(played.text) and "Gustav" not in played.text


def test_a_question_is_not_interrupted_by_its_own_sound(patient: Stage) -> None:
    patient.speaker.say(1, "wohin?", Priority.PATIENT)
    assert patient.playing(0) == "wohin?"
    patient.speech_since_ms = monotonic_ms() + 1000
    patient.speaker.say(2, "eins")
    patient.end(0)
    assert patient.has_spoken((1, True))
    assert patient.playing(1) == "eins"


def test_noise_does_not_keep_a_question_back_for_ever(patient: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speaker_module, "LOUDSPEAKER_WAIT_S", 0.0)
    patient.speech_since_ms = monotonic_ms() - 1000
    patient.speaker.say(1, "wohin?", Priority.PATIENT)
    assert patient.playing(0) == "wohin?"
    assert patient.audible
    patient.end(0)
    assert patient.has_spoken((1, True))


def test_a_question_that_waits_can_be_hushed(patient: Stage) -> None:
    patient.speech_since_ms = monotonic_ms()
    patient.speaker.say(1, "wohin?", Priority.PATIENT)
    until(lambda: patient.speech.rendered == ["wohin?"])
    patient.speaker.hush()
    assert patient.has_spoken((1, False))
    assert not patient.loudspeaker.playbacks


@pytest.mark.parametrize("priority", [Priority.NORMAL, Priority.NEXT])
def test_nothing_begins_over_a_player_who_goes_on_speaking(patient: Stage, priority: Priority) -> None:
    """A refusal, "nicht verstanden", the repetition of a move: it was said over them, and they were not heard."""
    patient.speech_since_ms = monotonic_ms()
    patient.speaker.say(1, "Kein Turm.", priority)
    until(lambda: patient.speech.rendered == ["Kein Turm."])
    assert not patient.audible, "they are listened to"
    patient.speech_since_ms = None
    assert patient.playing(0) == "Kein Turm."
    patient.end(0)
    assert patient.has_spoken((1, True))


def test_whoever_begins_while_it_is_rendered_is_heard_too(patient: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    render = patient.speech.sound

    def begin(text: str, quick: bool = False, second: bool = False) -> SpokenSound:
        if text not in patient.speech.rendered:
            patient.speech_since_ms = monotonic_ms()
        return render(text, quick, second)

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
    assert not patient.audible
    patient.speech_since_ms = monotonic_ms() - 1000
    until(lambda: patient.loudspeaker.playbacks[0].ended)
    patient.speech_since_ms = None
    assert patient.playing(1) == "Noch vier Minuten."
    patient.end(1)
    assert patient.playing(2) == "Schwarz fünf."
    patient.end(2)
    assert patient.has_spoken((1, True))


def test_no_tone_drowns_who_goes_on_speaking(patient: Stage) -> None:
    patient.speech_since_ms = monotonic_ms()
    patient.speaker.say(1, "eins", Priority.NEXT)
    until(lambda: patient.speech.rendered == ["eins"])
    patient.speaker.tone(Tone.NOT_UNDERSTOOD)
    patient.speaker.say(2, "zwei", Priority.NEXT)
    assert not patient.audible and not patient.loudspeaker.playbacks
    patient.speaker.hush()
    assert patient.has_spoken((2, False), (1, False))


def test_what_is_hushed_before_its_first_sound_drowns_nobody(patient: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was said ends what waits to be said; its speaker goes on, and is listened to without a gap."""
    monkeypatch.setattr(speaker_module, "AFTER_SPEECH_S", 1000.0)
    patient.speech_since_ms = monotonic_ms()
    patient.speaker.say(1, "eins")
    until(lambda: patient.speech.rendered == ["eins"])
    patient.speaker.hush()
    assert not patient.audible
    until(lambda: not patient.speaker.speaking)
    assert not patient.audible


def test_a_click_or_talk_further_away_holds_up_nothing(patient: Stage) -> None:
    patient.speech_since_ms, patient.near = monotonic_ms() - 1000, False
    patient.speaker.say(1, "Kein Turm.")
    assert patient.playing(0) == "Kein Turm."
    assert patient.audible, "it does not give way: with its own voice in it, a noise cannot be told"
    patient.end(0)
    assert patient.has_spoken((1, True))


def test_what_follows_is_said_at_once(patient: Stage) -> None:
    """The program is in the middle of what it says; what is heard there is its own echo."""
    patient.speaker.say(1, "eins")
    patient.speaker.say(2, "zwei")
    assert patient.playing(0) == "eins"
    patient.speech_since_ms = monotonic_ms() + 1000
    patient.end(0)
    assert patient.playing(1) == "zwei"
    assert patient.audible
    patient.end(1)
    assert patient.has_spoken((1, True), (2, True))


def test_others_who_talk_for_ever_hold_up_nothing_for_long(patient: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speaker_module, "LOUDSPEAKER_WAIT_S", 0.05)
    patient.speech_since_ms = monotonic_ms()
    patient.speaker.say(1, "eins")
    patient.speaker.say(2, "zwei")
    assert patient.playing(0) == "eins"
    patient.end(0)
    assert patient.playing(1) == "zwei"
