"""Headphones are suggested where what speaks and what listens is worn."""

from __future__ import annotations

import pytest

from voicechess.commands.doctor import worn
from voicechess.messages import Text


@pytest.mark.parametrize(
    ("microphone", "loudspeaker", "is_worn"),
    [
        ("Jabra Headset: USB Audio", "Jabra Headset: USB Audio", True),
        ("Headset (AirPods)", "Headphones (AirPods)", True),
        ("HDA Intel PCH: ALC257", "HDA Intel PCH: ALC257", False),
        ("Headset Microphone", "Speakers (Realtek)", False),
    ],
)
def test_a_headset_is_known_by_its_names(microphone: str, loudspeaker: str, is_worn: bool) -> None:
    assert worn(Text(microphone), Text(loudspeaker)) is is_worn


def test_a_device_that_does_not_answer_is_none() -> None:
    assert not worn(None, Text("Headset"))
