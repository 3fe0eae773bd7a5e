"""An opening that hangs holds nobody up."""

from __future__ import annotations

import threading

import pytest

from tests.drivers.virtual_sound import until
from voicechess.sound.errors import SoundError
from voicechess.sound.libraries import Opening


def test_what_was_opened_or_raised_comes_through() -> None:
    results: list[str | SoundError] = ["device", SoundError("sound.microphone.none"), "another"]

    def opened() -> str:
        result = results.pop(0)
        if isinstance(result, SoundError):
            raise result
        return result

    opening = Opening(opened, "microphone", limit_s=60)
    assert opening() == "device"
    with pytest.raises(SoundError) as error:
        opening()
    assert error.value.key == "sound.microphone.none"
    assert opening() == "another"


def test_an_opening_that_hangs_is_told_and_its_device_taken_later() -> None:
    answers = threading.Event()
    begun: list[int] = []

    def opened() -> str:
        begun.append(1)
        answers.wait()
        return "device"

    opening = Opening(opened, "loudspeaker", limit_s=0.05)
    for _ in range(3):
        with pytest.raises(SoundError) as error:
            opening()
        assert error.value.key == "sound.loudspeaker.silent"
    answers.set()
    found: list[str] = []

    def taken() -> bool:
        try:
            found.append(opening())
        except SoundError:
            return False
        return True

    until(taken)
    assert (found, begun) == (["device"], [1])
