"""The screen reader's voice of Linux for real: Speech Dispatcher with its dummy, which takes every text."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.drivers.virtual_sound import until
from voicechess.app.context import Context
from voicechess.app.wiring import Program, WantedDevices

GIVE_UP_S = 120
pytestmark = [
    pytest.mark.reader,
    pytest.mark.skipif(shutil.which("speech-dispatcher") is None, reason="Speech Dispatcher is not installed"),
]
CONFIGURATION = """
LogLevel 5
LogDir "{log}"
DefaultLanguage "de"
AudioOutputMethod "alsa"
AudioALSADevice "null"
AddModule "dummy" "sd_dummy" ""
DefaultModule dummy
"""


class Dispatcher:
    """A Speech Dispatcher of its own in this folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("log", "configuration/modules", "configuration/clients"):
            (folder / name).mkdir(parents=True)
        (folder / "configuration" / "speechd.conf").write_text(CONFIGURATION.format(log=folder / "log"))
        self.socket = folder / "socket"
        self.environment = {**os.environ, "SPEECHD_ADDRESS": f"unix_socket:{self.socket}"}
        command = ["speech-dispatcher", "--run-single", "--communication-method", "unix_socket", "--timeout", "0"]
        places = ["--socket-path", self.socket, "--config-dir", folder / "configuration", "--pid-file", folder / "pid"]
        self.server = subprocess.Popen(
            [*command, *map(str, places), "--log-dir", str(folder / "log")],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until(self.socket.exists, GIVE_UP_S)

    def read(self) -> list[str]:
        """What it was given to read."""
        log = (self.folder / "log" / "speech-dispatcher.log").read_text("utf-8", "replace")
        return re.findall(r"Queueing message \|(.*?)\| with priority", log, re.DOTALL)

    def close(self) -> None:
        self.server.kill()  # asked to end, it waits now and then for its own threads
        self.server.wait(GIVE_UP_S)


@pytest.fixture
def dispatcher(tmp_path: Path) -> Iterator[Dispatcher]:
    dispatcher = Dispatcher(tmp_path / "d")
    yield dispatcher
    dispatcher.close()


def play(dispatcher: Dispatcher, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "voicechess", *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=dispatcher.environment, encoding="utf-8")


GAME = ["play", "--both", "--input", "keyboard", "--output", "reader"]


def test_a_game_is_read_each_sentence_once_and_as_it_is_written(dispatcher: Dispatcher) -> None:
    program = play(dispatcher, *GAME)
    out, err = program.communicate("e2e4\ne7e5\nspringer cesar drei\nende\nja\n", timeout=GIVE_UP_S)
    shown = out.splitlines()
    assert dispatcher.read() == ["Speech Dispatcher", *shown], "its name shows that it takes texts"
    assert "Springer Bella eins Cesar drei." in shown, "not respelled for our own voice"
    assert (program.returncode, err) == (0, "")


def test_the_reader_ends_in_mid_game_and_our_voice_goes_on(dispatcher: Dispatcher, tmp_path: Path) -> None:
    file = tmp_path / "own.wav"
    program = play(dispatcher, *GAME, "--speaker", str(file))
    assert program.stdin is not None and program.stdout is not None
    program.stdin.write("e2e4\n")
    program.stdin.flush()
    shown = [next(program.stdout).rstrip("\n") for _ in range(3)]
    until(lambda: dispatcher.read()[1:] == shown, GIVE_UP_S)
    dispatcher.close()
    out, err = program.communicate("e7e5\nende\nja\n", timeout=GIVE_UP_S)
    assert "Der Bildschirmleser antwortet nicht mehr. Ich spreche selbst weiter." in out
    assert file.stat().st_size > 3 * 44_100, "three sentences of our own voice"
    assert (program.returncode, err) == (0, "")


def test_by_voice_to_the_reader_and_back(dispatcher: Dispatcher, tmp_path: Path) -> None:
    game = ["play", "--both", "--input", "keyboard", "--speaker", str(tmp_path / "own.wav")]
    program = play(dispatcher, *game)
    typed = "bildschirmleser\nmaterial\neigene stimme\ne2e4\nende\nja\n"
    out, _ = program.communicate(typed, timeout=GIVE_UP_S)
    assert "Speech Dispatcher liest jetzt." in out and "Ich spreche wieder selbst." in out
    read = dispatcher.read()
    assert any("Bauern" in line for line in read)
    assert not any("Eva zwei Eva vier" in line for line in read), "which our own voice has said"


def play_with_our_voice(folder: Path, address: Path) -> subprocess.CompletedProcess[str]:
    """A game to its end, with Speech Dispatcher asked for at this address."""
    return subprocess.run(
        [sys.executable, "-m", "voicechess", *GAME, "--speaker", str(folder / "own.wav")],
        input="ende\nja\n",
        env={**os.environ, "SPEECHD_ADDRESS": f"unix_socket:{address}"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_without_a_reader_our_voice_speaks_and_says_why(tmp_path: Path) -> None:
    done = play_with_our_voice(tmp_path, tmp_path / "none")
    assert "Es antwortet kein Bildschirmleser. Ich spreche selbst." in done.stdout
    assert (done.returncode, done.stderr) == (0, "")


VOICES = "".join(f"249-Voice {number}\tde\tnone\r\n" for number in range(200_000)) + "249 OK VOICE LIST SENT\r\n"
ANSWERS = {
    b"LIST SYNTHESIS_VOICES": VOICES,
    b"LIST OUTPUT_MODULES": "250-one\r\n250 OK MODULE LIST SENT\r\n",
    b"GET OUTPUT_MODULE": "251-one\r\n251 OK GET RETURNED\r\n",
}


def answer_with_many_voices(server: socket.socket) -> None:
    """A Speech Dispatcher whose list of voices takes its library minutes to read."""
    with contextlib.suppress(OSError):  # the test has ended
        connection, _ = server.accept()
        for line in connection.makefile("rb"):
            connection.sendall(ANSWERS.get(line.strip(), "208 OK CLIENT NAME SET\r\n").encode())


def test_a_reader_that_hangs_does_not_crash_the_end(tmp_path: Path) -> None:
    """The library of Speech Dispatcher was unloaded while it read a list: "Segmentation fault" after the game, and
    after `voicechess doctor` (issue 49)."""
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "many"))
        server.listen()
        threading.Thread(target=answer_with_many_voices, args=(server,), daemon=True).start()
        done = play_with_our_voice(tmp_path, tmp_path / "many")
    assert "Der Bildschirmleser antwortet nicht mehr. Ich spreche selbst weiter." in done.stdout
    assert (done.returncode, done.stderr) == (0, "")


def test_the_pace_is_measured_and_used(dispatcher: Dispatcher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPEECHD_ADDRESS", dispatcher.environment["SPEECHD_ADDRESS"])
    program = play(dispatcher, "calibrate", "--reader")
    assert program.stdin is not None and program.stdout is not None
    next(program.stdout)
    program.stdin.write("\n")
    program.stdin.flush()
    until(lambda: any("Türme" in line for line in dispatcher.read()), GIVE_UP_S)
    time.sleep(3)  # what the reader takes, as far as this test is concerned
    out, err = program.communicate("\n", timeout=GIVE_UP_S)
    assert re.fullmatch(r"Gut: \d+ Zeichen in der Sekunde\.\n", out), out + err
    assert program.returncode == 0
    context = Context.create(None)
    with Program(context, WantedDevices(voice_input=False, reader=True, speaker=str(tmp_path / "own.wav"))) as playing:
        assert playing.speaker is not None and playing.speaker.reader is not None
        assert f"Gut: {playing.speaker.reader.pace:.0f} Zeichen" in out


def test_the_doctor_names_it(dispatcher: Dispatcher) -> None:
    program = play(dispatcher, "doctor")
    out, _ = program.communicate(timeout=GIVE_UP_S)
    assert "Bildschirmleser: in Ordnung. Speech Dispatcher antwortet; es spricht die eigene Stimme." in out.splitlines()
