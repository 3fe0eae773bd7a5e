"""Every system and every Python that we name can install the program from wheels."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import product

import pytest

from tests.installing.resolution import PYTHONS, SYSTEMS, resolved

pytestmark = pytest.mark.index

NEEDED = {
    "chess",
    "espeakng-loader",
    "fsrs",
    "numpy",
    "pyttsx3",
    "requests",
    "samplerate",
    "sounddevice",
    "sunfish",
    "vosk",
}


@pytest.mark.usefixtures("package_index")
def test_each_system_can_have_its_screen_reader_speak() -> None:
    with ThreadPoolExecutor(8) as pool:
        for found in pool.map(lambda system: resolved(system, PYTHONS[0], ("reader",)), SYSTEMS):
            assert "prismatoid" in found


@pytest.mark.usefixtures("package_index")
def test_each_system_and_each_python_can_install_it_without_a_compiler() -> None:
    """The floor of vosk stays where macOS has wheels: only there the older one is taken. Where miniaudio has no wheel
    it is not wanted either; the README asks for PortAudio there. Windows' Python lacks samplerate's C++ runtime."""
    cases = list(product(SYSTEMS, PYTHONS))
    with ThreadPoolExecutor(8) as pool:  # most of the time is spent waiting for the index
        found = dict(zip(cases, pool.map(lambda case: resolved(*case), cases), strict=True))
    assert len(found) == 20
    for (system, python), versions in found.items():
        case = f"{system}, Python {python}: {versions}"
        assert versions.keys() >= NEEDED, case
        assert (versions["vosk"] == "0.3.44") == system.startswith("macOS"), case
        assert ("miniaudio" in versions) == (system != "Linux arm64"), case
        assert ("msvc-runtime" in versions) == system.startswith("Windows"), case
