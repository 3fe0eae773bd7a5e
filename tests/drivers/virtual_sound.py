"""A private sound server with two virtual cables (null sinks).

The program plays into `loudspeaker`, whose monitor is what a person would hear; a person speaks into `room`, whose
monitor is the program's microphone. Everything is in a private folder; no other sound server is used or changed.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
import wave
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

PULSE_FULL = 65_536
"""PulseAudio's volume of 100 %."""

NEEDED = ("pulseaudio", "pactl", "parec", "pacat")


def missing() -> str | None:
    """Why there is no virtual sound here; None if there is."""
    lacking = [program for program in NEEDED if shutil.which(program) is None]
    if lacking:
        return f"not installed: {', '.join(lacking)}"
    return None


class VirtualSound:
    """A running PulseAudio with the sinks `loudspeaker` and `room`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._socket = folder / "native"
        config = folder / "alsa.conf"
        config.write_text(
            "</usr/share/alsa/alsa.conf>\npcm.!default { type pulse }\nctl.!default { type pulse }\n", encoding="utf-8"
        )
        self.environment = {
            "PULSE_SERVER": f"unix:{self._socket}",
            "PULSE_RUNTIME_PATH": str(folder),
            "XDG_RUNTIME_DIR": str(folder),
            "XDG_CONFIG_HOME": str(folder / "config"),
            "PULSE_COOKIE": str(folder / "cookie"),
            "ALSA_CONFIG_PATH": str(config),
        }
        self._server: subprocess.Popen[bytes] | None = None
        self._modules: dict[str, str] = {}
        self._ears: dict[str, subprocess.Popen[bytes]] = {}

    def _everything(self) -> dict[str, str]:
        return {**os.environ, **self.environment}

    def start(self) -> None:
        """Start the server with both cables."""
        self._server = subprocess.Popen(
            [
                "pulseaudio",
                "-n",
                "--daemonize=no",
                "--use-pid-file=no",
                "--exit-idle-time=-1",
                "--high-priority=no",
                "--log-target=stderr",
                f"--load=module-native-protocol-unix auth-anonymous=1 socket={self._socket}",
            ],
            env=self._everything(),
            stdout=subprocess.DEVNULL,
            stderr=(self._folder / "pulseaudio.log").open("wb"),
        )
        for _attempt in range(100):
            if self._pactl("info", check=False).returncode == 0:
                break
            time.sleep(0.1)
        else:
            log = (self._folder / "pulseaudio.log").read_text(encoding="utf-8", errors="replace")
            raise RuntimeError(f"pulseaudio did not start: {log}")
        for sink in ("loudspeaker", "room"):
            self.plug(sink)
        self._pactl("set-default-sink", "loudspeaker")
        self.hang_microphone_on("room")

    def plug(self, sink: str) -> None:
        """Plug a cable in, perhaps again."""
        loaded = self._pactl("load-module", "module-null-sink", f"sink_name={sink}", "rate=44100", "channels=2")
        self._modules[sink] = loaded.stdout.decode().strip()
        # Without a low-latency listener a null sink works in steps of two seconds, unlike a real sound card.
        self._ears[sink] = subprocess.Popen(
            ["parec", f"--device={sink}.monitor", "--latency-msec=20"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=self._everything(),
        )

    def unplug(self, sink: str) -> None:
        """Unplug a cable, which ends its streams."""
        self._pactl("unload-module", self._modules.pop(sink))
        self._end(self._ears.pop(sink))

    def stop(self) -> None:
        """Kill the server, which ends all streams."""
        if self._server is not None:
            self._server.send_signal(signal.SIGKILL)
            self._server.wait()
            self._server = None
        self._modules.clear()
        while self._ears:
            self._end(self._ears.popitem()[1])
        self._socket.unlink(missing_ok=True)

    def freeze(self) -> None:
        """Suspend the server, which answers nobody any more; `stop` still works."""
        assert self._server is not None
        self._server.send_signal(signal.SIGSTOP)

    def hang_microphone_on(self, sink: str) -> None:
        """Make this cable the microphone of programs that open it from now on."""
        self._pactl("set-default-source", f"{sink}.monitor")

    def echo(self, late_ms: int, below_db: float = 0.0) -> None:
        """Add an echo of the loudspeaker in the microphone, with this delay and attenuation, replacing an earlier
        one."""
        for end in ("what echoes", "echo"):
            if end in self._ears:
                self._end(self._ears.pop(end))
        # Not PulseAudio's loopback, whose rate varies continuously, unlike a room's.
        form = ["--format=s16le", "--rate=44100", "--channels=1"]
        heard = subprocess.Popen(
            ["parec", "--device=loudspeaker.monitor", "--latency-msec=20", *form],
            stdout=subprocess.PIPE,
            env=self._everything(),
        )
        self._ears["echo"] = subprocess.Popen(
            [
                "pacat",
                "--playback",
                "--device=room",
                f"--latency-msec={late_ms}",
                f"--volume={round(PULSE_FULL * 10 ** (-below_db / 60))}",  # its volume is cubic
                *form,
            ],
            stdin=heard.stdout,
            env=self._everything(),
        )
        assert heard.stdout is not None
        heard.stdout.close()  # otherwise the recorder blocks for ever once the player has ended
        self._ears["what echoes"] = heard

    def speak(self, pcm: bytes, rate: int, sink: str = "room") -> None:
        """Play 16-bit mono sound into a cable, and wait for its end."""
        subprocess.run(
            ["pacat", "--playback", f"--device={sink}", "--format=s16le", f"--rate={rate}", "--channels=1"],
            input=pcm,
            env=self._everything(),
            check=True,
            timeout=60,
        )

    @contextmanager
    def recording(self, path: Path, sink: str = "loudspeaker", rate: int = 16000) -> Iterator[None]:
        """Record a cable to a WAV file during the block."""
        raw = path.with_suffix(".raw")
        with raw.open("wb") as output:
            recorder = subprocess.Popen(
                [
                    "parec",
                    f"--device={sink}.monitor",
                    "--format=s16le",
                    f"--rate={rate}",
                    "--channels=1",
                    "--latency-msec=20",
                ],
                stdout=output,
                env=self._everything(),
            )
            try:
                until(lambda: raw.stat().st_size > 0)
                yield
            finally:
                recorder.terminate()
                recorder.wait()
        with wave.open(str(path), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(rate)
            file.writeframes(raw.read_bytes())

    @staticmethod
    def _end(process: subprocess.Popen[bytes]) -> None:
        process.terminate()
        process.wait()

    def _pactl(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            ["pactl", *arguments], env=self._everything(), capture_output=True, check=check, timeout=10
        )


def until(condition: Callable[[], object], timeout_s: float = 120.0) -> None:
    """Wait for a condition. Raises TimeoutError."""
    deadline = time.monotonic() + timeout_s
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"never so, in {timeout_s} seconds")
        time.sleep(0.02)


@pytest.fixture
def virtual_sound(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[VirtualSound]:
    """A running private sound server, to which this process and its children connect."""
    if (reason := missing()) is not None:
        pytest.skip(reason)
    sound = VirtualSound(tmp_path_factory.mktemp("pulse"))
    sound.start()
    for name, value in sound.environment.items():
        monkeypatch.setenv(name, value)
    try:
        yield sound
    finally:
        sound.stop()
