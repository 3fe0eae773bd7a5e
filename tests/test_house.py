"""What a house says of itself before anything begins."""

from __future__ import annotations

import wave
from pathlib import Path

import pytest

from voicechess.commands.context import Context
from voicechess.house import Furnishing, House


@pytest.mark.parametrize(("language", "told"), [("en", True), ("de", False)])
def test_who_hears_english_is_told_that_german_is_understood(
    tmp_path: Path, model_path: Path, language: str, told: bool
) -> None:
    """All that is asked in English has its answer in German words: "ja" closes what "yes or no?" opens."""
    silence = tmp_path / "silence.wav"
    with wave.open(str(silence), "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(16000)
        sound.writeframes(bytes(32000))
    wanted = Furnishing(voice_output=False, microphone=str(silence), model=model_path)
    with House(Context.create(language), wanted) as house:
        assert ("program.hears_german" in [notice.key for notice in house.notices]) is told
