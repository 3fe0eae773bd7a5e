"""What tests of the whole program share."""

from __future__ import annotations

import wave
from pathlib import Path

import pytest


@pytest.fixture
def silence(tmp_path: Path) -> str:
    """A microphone that hears nothing for a second."""
    path = tmp_path / "silence.wav"
    with wave.open(str(path), "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(16000)
        sound.writeframes(bytes(32000))
    return str(path)
