"""Started where there is no sound, or where it goes away: the program says which, and goes on by keyboard."""

from __future__ import annotations

import ctypes.util
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.drivers.virtual_sound import VirtualSound, virtual_sound  # noqa: F401 - a fixture

LONGEST_S = 300.0

pytestmark = [
    pytest.mark.sound,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="ALSA and PulseAudio are tested on Linux"),
]

without_portaudio = pytest.mark.skipif(
    ctypes.util.find_library("portaudio") is None, reason="PortAudio is not installed"
)


class Program:
    """`voicechess` as its own process, by pipes: a line in for each line typed, a line out for each sentence."""

    def __init__(self, environment: dict[str, str]) -> None:
        self.lines: list[str] = []
        self._process = subprocess.Popen(
            [sys.executable, "-m", "voicechess"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **environment},
            encoding="utf-8",
        )
        self._hanging = threading.Timer(LONGEST_S, self._process.kill)
        self._hanging.start()

    def read_until(self, enough: Callable[[], bool]) -> None:
        """Read lines until there are enough, or the program has ended."""
        assert self._process.stdout is not None
        while not enough() and (line := self._process.stdout.readline()):
            self.lines.append(line.strip())

    def end(self) -> tuple[int, str]:
        """Say goodbye; the exit status, and what came by standard error."""
        rest, errors = self._process.communicate("Ende\n")
        self.lines += rest.splitlines()
        return self._process.returncode, errors

    def close(self) -> None:
        self._hanging.cancel()
        self._process.kill()
        self._process.communicate()


@contextmanager
def program(environment: dict[str, str]) -> Iterator[Program]:
    """The program, running."""
    started = Program(environment)
    try:
        yield started
    finally:
        started.close()


def both_named(lines: list[str]) -> bool:
    """Whether it was said of microphone and loudspeaker that they do not answer."""
    answering = [line for line in lines if "antwortet" in line]
    return any("Mikrofon" in line for line in answering) and any("Lautsprecher" in line for line in answering)


@without_portaudio
@pytest.mark.parametrize("configuration", ["none", "spoilt"])
def test_without_sound_it_goes_on_by_keyboard(configuration: str, model_path: Path, tmp_path: Path) -> None:
    """PortAudio aborts without a configuration of ALSA, and does not start with one that is spoilt."""
    alsa = tmp_path / "alsa.conf"
    alsa.write_text("" if configuration == "none" else "pcm.!default { type", encoding="utf-8")
    no_server = {"PULSE_SERVER": f"unix:{tmp_path}/none", "XDG_RUNTIME_DIR": str(tmp_path), "JACK_NO_START_SERVER": "1"}
    with program({"ALSA_CONFIG_PATH": str(alsa), **no_server}) as started:
        started.read_until(lambda: any(line.startswith("Willkommen") for line in started.lines))
        assert started.end() == (0, ""), started.lines
    missing = [
        "Kein Mikrofon antwortet. Es geht mit der Tastatur.",
        "Kein Lautsprecher antwortet. Alles steht als Text da.",
    ]
    assert started.lines[:2] == missing
    assert started.lines[2].startswith("Willkommen bei Voicechess. Tippen Sie")
    assert [started.lines.count(line) for line in missing] == [1, 1]
    assert started.lines[-1] == "Auf Wiederhören."


@pytest.mark.parametrize("end", [VirtualSound.stop, VirtualSound.freeze])
def test_sound_that_goes_away_does_not_answer_any_more(
    end: Callable[[VirtualSound], None],
    virtual_sound: VirtualSound,  # noqa: F811
    model_path: Path,
) -> None:
    with program(virtual_sound.environment) as started:
        # Nobody is in the room: the microphone's perfect silence is told once it is listened to, after the greeting.
        started.read_until(lambda: any("nur vollkommene Stille" in line for line in started.lines))
        end(virtual_sound)
        started.read_until(lambda: both_named(started.lines))
        assert started.end() == (0, ""), started.lines
    assert "Das Mikrofon antwortet nicht mehr. Es geht mit der Tastatur weiter." in started.lines
    assert "Der Lautsprecher antwortet nicht mehr. Alles steht als Text da." in started.lines


def test_where_portaudio_would_abort_a_sound_server_is_still_found(virtual_sound: VirtualSound) -> None:  # noqa: F811
    found = subprocess.run(
        [sys.executable, "-c", "from voicechess.sound.devices.choice import *; print(bool(loudspeaker_names()))"],
        env={**os.environ, **virtual_sound.environment, "ALSA_CONFIG_PATH": os.devnull},
        capture_output=True,
        check=False,
        timeout=LONGEST_S,
    )
    assert (found.returncode, found.stdout) == (0, b"True\n")
