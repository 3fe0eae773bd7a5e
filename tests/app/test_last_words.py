"""What ends the program against its will is heard, not only printed."""

from __future__ import annotations

import threading
import wave
from array import array
from pathlib import Path

import pytest

from voicechess.app.context import Context
from voicechess.app.interruption import INTERRUPTED
from voicechess.app.playing import play_new
from voicechess.app.wiring import Program, WantedDevices, tell_notices
from voicechess.conversations.welcome import Welcome
from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings, Player
from voicechess.messages import Failure
from voicechess.sound.devices.interfaces import Microphone
from voicechess.sound.errors import SoundError

LOUD = 300


def heard_s(path: Path) -> float:
    """For how long something could be heard."""
    with wave.open(str(path), "rb") as sound:
        samples = array("h", sound.readframes(sound.getnframes()))
        return sum(abs(sample) > LOUD for sample in samples) / sound.getframerate() / sound.getnchannels()


@pytest.mark.parametrize("error", [ZeroDivisionError("division by zero"), Failure("program.model_needed")])
def test_a_failure_is_said_before_the_program_ends(tmp_path: Path, error: Exception) -> None:
    said = tmp_path / "said.wav"
    with pytest.raises(type(error)), Program(Context.create("de"), WantedDevices(voice_input=False, speaker=str(said))):
        raise error
    assert heard_s(said) > 1.0


def test_an_ordinary_end_has_no_last_words(tmp_path: Path) -> None:
    said = tmp_path / "said.wav"
    with Program(Context.create("de"), WantedDevices(voice_input=False, speaker=str(said))):
        pass
    assert not said.exists() or heard_s(said) == 0.0


def test_that_a_game_is_interrupted_is_said_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = tmp_path / "said.wav"
    with Program(Context.create("de"), WantedDevices(voice_input=False, speaker=str(said))) as program:

        def interrupted(*_: object) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(program.loop, "converse", interrupted)
        play_new(program, GameSettings(white=Player.VOICE, black=Player.VOICE))
    assert program.loop.exit_code == INTERRUPTED
    assert heard_s(said) > 1.0


def test_how_loud_the_player_was_before_a_game_is_known_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[ev.Event] = []
    with Program(Context.create("de"), WantedDevices(voice_input=False, voice_output=False)) as program:
        program.loop._company.understood_db = (-30,)
        monkeypatch.setattr(program.loop, "converse", lambda _machine, first, *_rest: begun.extend(first))
        program.loop.exit_code = 0
        play_new(program, GameSettings(white=Player.VOICE, black=Player.VOICE))
    assert [event.voice_db for event in begun if isinstance(event, ev.Started)] == [-30]


def test_that_there_is_no_microphone_is_told_once_and_before_any_question(
    monkeypatch: pytest.MonkeyPatch, model_path: Path
) -> None:
    def no_microphone(_: object, by_key: bool = False) -> Microphone:
        raise SoundError("sound.microphone.none")

    monkeypatch.setattr("voicechess.app.wiring.open_microphone", no_microphone)
    monkeypatch.setattr("sys.stdin", None)
    lines: list[str] = []
    with Program(Context.create("de"), WantedDevices(voice_output=False, model=model_path)) as program:
        monkeypatch.setattr(program.loop.terminal, "show", lines.append)
        tell_notices(program)
        talk = Welcome(by_voice=program.microphone_there)
        program.loop.converse(talk, ev.Started(at_ms=0), lambda: program.loop.losses.deaf(program.clock.now()))
    missing = "Kein Mikrofon antwortet. Es geht mit der Tastatur."
    assert lines[0] == missing and lines.count(missing) == 1
    assert any(line.startswith("Willkommen") for line in lines[1:])


def test_that_there_is_no_loudspeaker_is_told_once_and_before_any_question(tmp_path: Path) -> None:
    lines: list[str] = []
    unwritable = WantedDevices(voice_input=False, speaker=str(tmp_path / "no folder" / "said.wav"))
    with Program(Context.create("de"), unwritable) as program, pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(program.loop.terminal, "show", lines.append)
        tell_notices(program)
        talk = Welcome()
        program.inbox.type_line("Ende")
        program.loop.converse(talk, ev.Started(at_ms=0), lambda: talk.outcome is not None)
    missing = "Kein Lautsprecher antwortet. Alles steht als Text da."
    assert lines[0] == missing and lines.count(missing) == 1
    assert any(line.startswith("Willkommen") for line in lines[1:])


def test_a_part_that_fails_while_the_game_goes_on_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    before = threading.excepthook
    with Program(Context.create("de"), WantedDevices(voice_input=False, voice_output=False)) as program:
        posted: list[object] = []
        monkeypatch.setattr(program.inbox, "post", posted.append)
        failing = threading.Thread(target=lambda: 1 // 0)
        failing.start()
        failing.join()
    assert [event.key for event in posted if isinstance(event, ev.Trouble)] == ["program.stumbled"]
    assert threading.excepthook is before
