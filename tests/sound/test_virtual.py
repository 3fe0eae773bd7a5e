"""The real thing through a virtual sound card: real devices, real voice, real recogniser."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.drivers.virtual_sound import VirtualSound, until
from tests.sound.fakes import read_recording
from voicechess.meaning import RecognisedUtterance
from voicechess.sound.checks import check_loudspeaker, check_microphone
from voicechess.sound.devices import portaudio
from voicechess.sound.devices.choice import (
    Backend,
    loudspeaker_names,
    microphone_names,
    open_loudspeaker,
    open_microphone,
)
from voicechess.sound.devices.interfaces import monotonic_ms
from voicechess.sound.errors import SoundError
from voicechess.sound.listener import Listener, ListenerCallbacks
from voicechess.sound.model import VoskModel
from voicechess.sound.recogniser import Recogniser, recognise
from voicechess.sound.speaker import Speaker, SpeakerCallbacks
from voicechess.sound.speech import Speech, VoiceSettings

pytestmark = [
    pytest.mark.sound,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="PulseAudio is tested on Linux"),
]

SENTENCE = "Springer Gustav eins Felix drei"
PHRASES = [SENTENCE.lower(), "läufer felix vier", "eva zwei eva vier", "turm anna eins", "felix drei"]


@pytest.fixture(params=list(Backend), ids=[backend.value for backend in Backend])
def backend(request: pytest.FixtureRequest, virtual_sound: VirtualSound) -> Backend:
    """Each library in turn, with the virtual sound card as the system's."""
    chosen: Backend = request.param
    if chosen is Backend.PORTAUDIO:
        if not portaudio.available():
            pytest.skip("PortAudio is not installed")
        portaudio.refresh()
    return chosen


@pytest.fixture(scope="module")
def speech() -> Iterator[Speech]:
    speech = Speech(VoiceSettings(rate=150))
    yield speech
    speech.close()


def text_of(utterance: RecognisedUtterance) -> str:
    return utterance.hypotheses[0].text.replace("[unk]", "").strip()


@contextmanager
def speaking(backend: Backend, told: list[str]) -> Iterator[Speaker]:
    """A speaker that writes down what it tells."""
    speaker = Speaker(
        lambda: open_loudspeaker(backend=backend),
        Speech(VoiceSettings(rate=150)),
        SpeakerCallbacks(
            spoken=lambda number, completed: told.append(f"spoken {number} {completed}"),
            lost=lambda error: told.append(f"lost {error.key}"),
            found=lambda name: told.append("found"),
        ),
    )
    speaker.start()
    try:
        yield speaker
    finally:
        speaker.close()


@contextmanager
def listening(
    backend: Backend,
    model: VoskModel,
    told: list[str],
    heard: list[RecognisedUtterance],
    speaking: Callable[[int], bool] = lambda _at_ms: False,
) -> Iterator[Listener]:
    """A listener that writes down what it tells."""
    listener = Listener(
        lambda: open_microphone(backend=backend),
        model,
        ListenerCallbacks(
            heard=heard.append,
            lost=lambda error: told.append(f"lost {error.key}"),
            found=lambda name: told.append("found"),
            trouble=lambda error: told.append(f"trouble {error.key}"),
        ),
        speaking=speaking,
    )
    listener.expect(PHRASES)
    listener.start()
    try:
        yield listener
    finally:
        listener.close()


def test_what_is_said_can_be_heard_and_recognised(
    backend: Backend, virtual_sound: VirtualSound, model_path: Path, tmp_path: Path
) -> None:
    told: list[str] = []
    path = tmp_path / "heard.wav"
    with speaking(backend, told) as speaker, virtual_sound.recording(path):
        speaker.say(1, SENTENCE)
        until(lambda: told == ["spoken 1 True"])
        time.sleep(0.3)  # the cable's own delay
    recording = read_recording(path)
    recogniser = Recogniser(VoskModel(model_path), recording.rate)
    recogniser.expect(PHRASES)
    assert SENTENCE.lower() in [text_of(utterance) for utterance in recognise(recogniser, recording.pcm)]


def test_what_is_spoken_into_the_microphone_is_heard_with_its_time(
    backend: Backend, virtual_sound: VirtualSound, model_path: Path, speech: Speech
) -> None:
    told: list[str] = []
    heard: list[RecognisedUtterance] = []
    sound = speech.sound(SENTENCE)
    with listening(backend, VoskModel(model_path), told, heard) as listener:
        until(lambda: listener.rate and listener.level.now_db <= 0 and listener.level.floor_db < -40)
        time.sleep(1.0)
        began = monotonic_ms()
        virtual_sound.speak(sound.pcm, sound.rate)
        ended = monotonic_ms()
        until(lambda: heard)
    assert [text_of(utterance) for utterance in heard] == [SENTENCE.lower()]
    assert began - 100 < heard[0].began_ms < heard[0].ended_ms < ended + 100  # a device does not know its delay exactly
    assert told == []


def test_the_program_does_not_hear_itself(
    backend: Backend, virtual_sound: VirtualSound, model_path: Path, speech: Speech
) -> None:
    """The microphone hangs on the loudspeaker's own cable; a person then says the same."""
    virtual_sound.hang_microphone_on("loudspeaker")
    told: list[str] = []
    heard: list[RecognisedUtterance] = []
    with (
        speaking(backend, told) as speaker,
        listening(backend, VoskModel(model_path), told, heard, speaking=speaker.audible_at) as listener,
    ):
        until(lambda: listener.rate)
        speaker.say(1, SENTENCE)
        until(lambda: told == ["spoken 1 True"])
        time.sleep(1.0)
        assert heard == []
        sound = speech.sound(SENTENCE)
        virtual_sound.speak(sound.pcm, sound.rate, sink="loudspeaker")
        until(lambda: heard)
    assert [text_of(utterance) for utterance in heard] == [SENTENCE.lower()]


def test_a_pulled_cable_is_told_and_found_again(
    backend: Backend, virtual_sound: VirtualSound, model_path: Path
) -> None:
    heard: list[RecognisedUtterance] = []
    of_speaker: list[str] = []
    of_listener: list[str] = []
    with (
        speaking(backend, of_speaker) as speaker,
        listening(backend, VoskModel(model_path), of_listener, heard) as listener,
    ):
        until(lambda: listener.rate)
        speaker.say(1, "Turm")
        until(lambda: of_speaker == ["spoken 1 True"])
        virtual_sound.stop()
        until(lambda: len(of_speaker) == 2 and len(of_listener) == 1)
        speaker.say(2, "Dame")
        until(lambda: len(of_speaker) == 3)
        virtual_sound.start()
        until(lambda: len(of_speaker) == 4 and len(of_listener) == 2)
        speaker.say(3, "Bauer")
        until(lambda: len(of_speaker) == 5)
    assert of_speaker == [
        "spoken 1 True",
        "lost sound.loudspeaker.lost",
        "spoken 2 True",
        "found",
        "spoken 3 True",
    ]
    assert of_listener == ["lost sound.microphone.lost", "found"]


def test_devices_by_name_and_the_check_up(backend: Backend, virtual_sound: VirtualSound) -> None:
    assert microphone_names(backend)
    assert loudspeaker_names(backend)
    with pytest.raises(SoundError) as unknown:
        open_microphone("no such microphone", backend=backend)
    assert unknown.value.key == "sound.microphone.unknown"
    name = loudspeaker_names(backend)[0]
    (loudspeaker,) = check_loudspeaker(lambda: open_loudspeaker(name, backend=backend))
    assert (loudspeaker.ok, loudspeaker.key) == (True, "sound.loudspeaker.good")
    (microphone,) = check_microphone(lambda: open_microphone(backend=backend))
    assert microphone.key == "sound.microphone.zeros"  # nobody speaks into the virtual room


def test_no_sound_card_at_all(virtual_sound: VirtualSound) -> None:
    virtual_sound.stop()
    for backend in Backend:
        (microphone,) = check_microphone(lambda backend=backend: open_microphone(backend=backend))  # type: ignore[misc]
        (loudspeaker,) = check_loudspeaker(lambda backend=backend: open_loudspeaker(backend=backend))  # type: ignore[misc]
        assert not microphone.ok
        assert not loudspeaker.ok
