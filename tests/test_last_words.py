"""What ends the program against its will is heard, not only printed."""

from __future__ import annotations

import threading
import wave
from array import array
from pathlib import Path

import pytest

from voicechess.commands.context import Context
from voicechess.failure import Failure
from voicechess.game import events as ev
from voicechess.game.settings import GameSettings, Player
from voicechess.house import Furnishing, House
from voicechess.interruption import INTERRUPTED
from voicechess.playing import play_new

LOUD = 300


def heard_s(path: Path) -> float:
    """For how long something could be heard."""
    with wave.open(str(path), "rb") as sound:
        samples = array("h", sound.readframes(sound.getnframes()))
        return sum(abs(sample) > LOUD for sample in samples) / sound.getframerate() / sound.getnchannels()


@pytest.mark.parametrize("error", [ZeroDivisionError("division by zero"), Failure("program.model_needed")])
def test_a_failure_is_said_before_the_program_ends(tmp_path: Path, error: Exception) -> None:
    said = tmp_path / "said.wav"
    with pytest.raises(type(error)), House(Context.create("de"), Furnishing(voice_input=False, speaker=str(said))):
        raise error
    assert heard_s(said) > 1.0


def test_an_ordinary_end_has_no_last_words(tmp_path: Path) -> None:
    said = tmp_path / "said.wav"
    with House(Context.create("de"), Furnishing(voice_input=False, speaker=str(said))):
        pass
    assert not said.exists() or heard_s(said) == 0.0


def test_that_a_game_is_interrupted_is_said_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = tmp_path / "said.wav"
    with House(Context.create("de"), Furnishing(voice_input=False, speaker=str(said))) as house:

        def interrupted(*_: object) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(house.loop, "converse", interrupted)
        play_new(house, GameSettings(white=Player.VOICE, black=Player.VOICE))
    assert house.loop.exit_code == INTERRUPTED
    assert heard_s(said) > 1.0


def test_a_part_that_fails_while_the_game_goes_on_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    before = threading.excepthook
    with House(Context.create("de"), Furnishing(voice_input=False, voice_output=False)) as house:
        posted: list[object] = []
        monkeypatch.setattr(house.loop, "post", posted.append)
        failing = threading.Thread(target=lambda: 1 // 0)
        failing.start()
        failing.join()
    assert [event.key for event in posted if isinstance(event, ev.Trouble)] == ["program.stumbled"]
    assert threading.excepthook is before
