"""A sound server of its own, with two cables: what is played into one end comes out of the other.

`loudspeaker` is what the program plays into (its monitor is what a person would hear); `room` is what a person speaks
into (its monitor is the program's microphone). Everything lies in a private folder: nothing else is heard or changed.
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
"""PulseAudio's volume at which nothing is made softer."""

NEEDED = ("pulseaudio", "pactl", "parec", "pacat")


def missing() -> str | None:
    """Why there can be no virtual sound here, or None."""
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
        """Start the server and plug both cables in."""
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
        """Plug a cable in (again)."""
        loaded = self._pactl("load-module", "module-null-sink", f"sink_name={sink}", "rate=44100", "channels=2")
        self._modules[sink] = loaded.stdout.decode().strip()
        # A null sink to which nobody listens closely works in steps of two seconds, which no real card does.
        self._ears[sink] = subprocess.Popen(
            ["parec", f"--device={sink}.monitor", "--latency-msec=20"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=self._everything(),
        )

    def unplug(self, sink: str) -> None:
        """Pull a cable out; whoever plays into it or records from it is cut off."""
        self._pactl("unload-module", self._modules.pop(sink))
        self._end(self._ears.pop(sink))

    def stop(self) -> None:
        """End the server; whoever is connected is cut off."""
        if self._server is not None:
            self._server.send_signal(signal.SIGKILL)
            self._server.wait()
            self._server = None
        self._modules.clear()
        while self._ears:
            self._end(self._ears.popitem()[1])
        self._socket.unlink(missing_ok=True)

    def freeze(self) -> None:
        """The server is there, but answers nobody any more; `stop` ends it all the same."""
        assert self._server is not None
        self._server.send_signal(signal.SIGSTOP)

    def hang_microphone_on(self, sink: str) -> None:
        """Let the system's microphone hear this cable; for programs that open it from now on."""
        self._pactl("set-default-source", f"{sink}.monitor")

    def echo(self, late_ms: int, below_db: float = 0.0) -> None:
        """From now on the microphone hears the loudspeaker, so much later and so much more softly; as often as it is
        told, each time in place of the last."""
        for end in ("what echoes", "echo"):
            if end in self._ears:
                self._end(self._ears.pop(end))
        # PulseAudio's own loopback runs faster and slower all the time, which no room does.
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
        heard.stdout.close()  # else it waits for ever to be read once nobody plays it
        self._ears["what echoes"] = heard

    def speak(self, pcm: bytes, rate: int, sink: str = "room") -> None:
        """Play 16-bit mono sound into a cable, to its end."""
        subprocess.run(
            ["pacat", "--playback", f"--device={sink}", "--format=s16le", f"--rate={rate}", "--channels=1"],
            input=pcm,
            env=self._everything(),
            check=True,
            timeout=60,
        )

    @contextmanager
    def recording(self, path: Path, sink: str = "loudspeaker", rate: int = 16000) -> Iterator[None]:
        """Write what is played into a cable to a WAV file while the block runs."""
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
    """Wait until something is so; `TimeoutError` when it never is."""
    deadline = time.monotonic() + timeout_s
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"never so, in {timeout_s} seconds")
        time.sleep(0.02)


@pytest.fixture
def virtual_sound(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[VirtualSound]:
    """A running sound server of this test's own, to which this process and its children connect."""
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
