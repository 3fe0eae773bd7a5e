"""A player who goes on speaking after an utterance has ended, while its answer is decided and rendered."""

from __future__ import annotations

import threading

import pytest

from tests.drivers.virtual_sound import until
from tests.sound.fakes import FakeLoudspeaker, ScriptedMicrophone, ScriptedModel, hush, tone
from tests.sound.stage import SpelledSpeech
from tests.sound.test_listener import SPOKEN, steps
from voicechess.meaning import RecognisedUtterance
from voicechess.messages import Priority
from voicechess.sound import speaker as speaker_module
from voicechess.sound.devices.interfaces import monotonic_ms
from voicechess.sound.listener import Attention, Listener, ListenerCallbacks
from voicechess.sound.speaker import Speaker
from voicechess.sound.speech import SpokenSound


class SlowSpeech(SpelledSpeech):
    """Renders when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.may = threading.Event()

    def sound(self, text: str, quick: bool = False, second: bool = False) -> SpokenSound:
        self.may.wait(20.0)
        return super().sound(text, quick, second)


@pytest.mark.parametrize("priority", [Priority.NORMAL, Priority.PATIENT])
def test_the_rest_is_heard_before_the_answer_begins(monkeypatch: pytest.MonkeyPatch, priority: Priority) -> None:
    """Whatever is said: it was begun over the player, who was not heard any more from then on."""
    monkeypatch.setattr(speaker_module, "LOUDSPEAKER_WAIT_S", 1000.0)
    monkeypatch.setattr(speaker_module, "SETTLED_S", 0.0)
    attention, speech, loudspeaker, words = Attention(), SlowSpeech(), FakeLoudspeaker(), list[str]()
    speaker = Speaker(lambda: loudspeaker, speech, speech_since=lambda: attention.since_ms, near=lambda: attention.near)

    def heard(utterance: RecognisedUtterance) -> None:
        words.append(utterance.hypotheses[0].text)
        speaker.say(len(words), f"Antwort {len(words)}", priority)

    microphone = ScriptedMicrophone(SPOKEN)
    listener = Listener(
        lambda: microphone,
        ScriptedModel(["turm", "anna"]),
        ListenerCallbacks(heard=heard),
        attention=attention,
        speaking=speaker.audible_at,
    )
    listener.expect(["turm anna"])
    speaker.start()
    try:
        steps(listener, microphone.left)
        assert words == ["turm"]
        microphone.add(tone(300))  # while the answer is rendered
        steps(listener, microphone.left)
        speech.may.set()
        until(lambda: bool(speech.rendered))
        assert speaker.speaking and not speaker.audible_at(monotonic_ms()) and not loudspeaker.playbacks
        microphone.add(hush(700))
        steps(listener, microphone.left)
        assert words == ["turm", "anna"]
        until(lambda: len(loudspeaker.playbacks) == 1)
        assert loudspeaker.playbacks[0].pcm.decode("utf-16-le") == "Antwort 1"
    finally:
        speaker.close()
