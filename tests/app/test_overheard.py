"""Through a loudspeaker a few words are heard while the program speaks, and nothing else.

How they are told from the program's own is in tests/sound/test_echo.py.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.app.test_headphones import QUIET_MS, REPETITION, SENTENCE_MS, _unhurried, played  # noqa: F401 - a fixture
from voicechess.app.context import Context
from voicechess.app.wiring import Program, WantedDevices
from voicechess.game.repetition import GRACE_MS

INTO_IT = QUIET_MS + 1_000


@pytest.mark.parametrize("word", ["korrektur", "nein"])
def test_a_repetition_is_taken_back_before_its_end(word: str) -> None:
    game = played((QUIET_MS, "eva vier"), (INTO_IT, f"~{word}"), (QUIET_MS + 6_000, "david vier"), headphones=False)
    assert game.moves == ["d2d4"] and game.voice.hushed == [REPETITION]


def test_a_reading_is_stopped_and_goes_no_further() -> None:
    game = played((QUIET_MS, "hilfe"), (INTO_IT, "~stopp"), headphones=False)
    assert game.voice.hushed[-1] == "Mehr mit Hilfe." and game.voice.said[-1] == "Gestoppt."


@pytest.mark.parametrize("words", ["david vier", "eva vier", "aufgeben", "ja", "[unk]", "quatsch"])
def test_nothing_else_is_heard_then(words: str) -> None:
    game = played((QUIET_MS, "eva vier"), (INTO_IT, f"~{words}"), headphones=False)
    assert game.moves == ["e2e4"] and game.voice.hushed == [] and game.voice.tones == []
    assert game.made_ms is not None and game.made_ms >= QUIET_MS + SENTENCE_MS + GRACE_MS, "the whole window"


def test_a_word_that_is_only_known_when_all_is_said_still_counts() -> None:
    late = QUIET_MS + SENTENCE_MS + 200
    game = played((QUIET_MS, "eva vier"), (late, "~korrektur"), (QUIET_MS + 6_000, "david vier"), headphones=False)
    assert game.moves == ["d2d4"] and game.voice.hushed == []


@pytest.mark.parametrize(
    ("wanted", "overhears"),
    [
        (WantedDevices(), True),
        (WantedDevices(overhears=False), False),
        (WantedDevices(voice_output=False), False),
        (WantedDevices(push_to_talk=True), False),
        (WantedDevices(speaker="out.wav"), False),
    ],
)
def test_it_listens_then_where_that_can_be_had_and_is_wanted(
    model_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wanted: WantedDevices, overhears: bool
) -> None:
    monkeypatch.chdir(tmp_path)  # a loudspeaker that is a file is opened at once
    monkeypatch.setenv("VOICECHESS_MODEL", str(model_path))
    monkeypatch.setattr("voicechess.app.wiring._opens", lambda _choice: True)
    program = Program(Context.create("de"), wanted)
    try:
        assert (program._overhearing is not None) is overhears
    finally:
        program.__exit__(None, None, None)  # it was never begun
