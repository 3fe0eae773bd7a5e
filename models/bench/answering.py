"""How long a player waits for the first sound of the answer: the whole program, between two virtual cables.

Measured from the last sound of a move's words in the cable to the microphone to the first sound of its repetition in
the cable from the loudspeaker. The cables are those of a PulseAudio of its own, whose clock both recordings share.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
import time
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from statistics import median

import chess
import numpy as np

from tests.drivers.virtual_sound import VirtualSound, missing, until
from voicechess.language.wording import Wording
from voicechess.moves.saying import said_move
from voicechess.sound.speech import Speech, VoiceSettings

GAME = (
    "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3 e8g8 h2h3 c6a5 b3c2 c7c5 d2d4 d8c7 "
    "b1d2 c5d4 c3d4 a5c6 d2b3 a6a5 c1e3 a5a4 b3d2 c6b4 c2b1 c8d7 a2a3 b4c6 b1d3 c6a5 d1e2 f8b8"
)
"""Ruy Lopez, Chigorin defence: the moves that are announced, without checks. UCI."""

RATE = 16_000
MIC_LOUD, HEARD_LOUD = 300, 100
"""Sample values, of 32767, above which sound is the player's words or the program's speech: noise in the cables is
softer."""

SPEED = 150  # words a minute of the player
ANSWERED_S = 4.0  # a longer wait counts as no answer
PAUSE_S = 0.7
COMMAND = (sys.executable, "-m", "voicechess")


class Tap:
    """Records a cable. Times are the earliest possible ones of a sample on the monotonic clock, seconds."""

    def __init__(self, sound: VirtualSound, sink: str) -> None:
        form = ["--format=s16le", f"--rate={RATE}", "--channels=1", "--latency-msec=10"]
        self._recorder = subprocess.Popen(
            ["parec", f"--device={sink}.monitor", *form],
            stdout=subprocess.PIPE,
            env={**os.environ, **sound.environment},
        )
        self._pcm = bytearray()
        self._began_s = float("inf")
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self._recorder.stdout is not None
        while data := os.read(self._recorder.stdout.fileno(), 3200):
            now_s = time.monotonic()
            self._pcm += data
            self._began_s = min(self._began_s, now_s - len(self._pcm) / 2 / RATE)

    def loud(self, from_s: float, above: int) -> tuple[float, float] | None:
        """Times of the first and the last sample above a value since `from_s`; None: there was none."""
        if not self._pcm:
            return None
        first = max(0, round((from_s - self._began_s) * RATE))
        samples = np.frombuffer(bytes(self._pcm[2 * first :]), "<i2").astype(np.int32)
        found = np.nonzero(np.abs(samples) > above)[0]
        if not len(found):
            return None
        begins_s = self._began_s + first / RATE
        return begins_s + int(found[0]) / RATE, begins_s + int(found[-1]) / RATE

    def close(self) -> None:
        """Stop recording."""
        self._recorder.terminate()
        self._recorder.wait()


class Program:
    """`voicechess` with these arguments between two virtual cables, with its own home."""

    def __init__(self, folder: Path, model: Path, arguments: Sequence[str], command: Sequence[str] = COMMAND) -> None:
        self.sound = VirtualSound(folder)
        self.sound.start()
        environment = {
            **os.environ,
            **self.sound.environment,
            "VOICECHESS_HOME": str(folder / "home"),
            "VOICECHESS_MODEL": str(model),
        }
        self.heard, self.said = Tap(self.sound, "loudspeaker"), Tap(self.sound, "room")
        self._room = subprocess.Popen(
            ["pacat", "--playback", "--device=room", "--format=s16le", f"--rate={RATE}", "--channels=1"],
            stdin=subprocess.PIPE,
            env=environment,
        )
        threading.Thread(target=self._rustle, daemon=True).start()
        self.began_s = time.monotonic()
        self.process = subprocess.Popen(
            [*command, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            encoding="utf-8",
        )
        self.lines: list[tuple[float, str]] = []
        threading.Thread(target=self._read, daemon=True).start()

    def _rustle(self) -> None:
        """Play the faint noise that every room has: digital silence would be a muted microphone."""
        draw = Random(0)
        noise = array("h", (draw.randint(-3, 3) for _ in range(RATE))).tobytes()
        assert self._room.stdin is not None
        with suppress(OSError):
            while True:
                self._room.stdin.write(noise)

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append((time.monotonic(), line.rstrip("\n")))

    def let_speak(self, quiet_s: float = PAUSE_S) -> None:
        """Wait until the program has said something and then been silent for `quiet_s` seconds."""
        until(lambda: (last := self.heard.loud(0, HEARD_LOUD)) and time.monotonic() - last[1] > quiet_s, 60.0)

    def waits_s(self, pcm: bytes, rate: int) -> float | None:
        """Say this; returns the seconds from its last sound to the first one of the answer, None if there was none."""
        began_s = time.monotonic()
        self.sound.speak(pcm + bytes(2 * rate // 5), rate)
        words = self.said.loud(began_s, MIC_LOUD)
        if words is None:
            return None
        with suppress(TimeoutError):
            until(lambda: self.heard.loud(words[1], HEARD_LOUD), ANSWERED_S)
        answer = self.heard.loud(words[1], HEARD_LOUD)
        return None if answer is None else answer[0] - words[1]

    def close(self) -> None:
        """End the program, the recordings and the sound server."""
        self.process.kill()
        self.process.wait()
        self._room.kill()
        self._room.wait()
        self.heard.close()
        self.said.close()
        self.sound.stop()


@contextmanager
def between_cables(model: Path, *arguments: str, command: Sequence[str] = COMMAND) -> Iterator[Program]:
    """The running program, ended afterwards."""
    with tempfile.TemporaryDirectory(prefix="voicechess-") as folder:
        program = Program(Path(folder), model, arguments, command)
        try:
            yield program
        finally:
            program.close()


def repetitions(model: Path, moves: int, command: Sequence[str] = COMMAND) -> dict[str, object]:
    """Time from the end of a move's words to the first sound of its repetition, two people playing, as table rows."""
    if missing() is not None:
        return {"end of a move to its repetition, s": "no virtual sound on this machine"}
    voice, wording = Speech(VoiceSettings(rate=SPEED)), Wording("de", strict=True)
    board = chess.Board()
    taken: list[float] = []
    unheard = 0
    try:
        with between_cables(model, "play", "--opponent", "person", command=command) as program:
            program.let_speak(2.0)
            for move in map(chess.Move.from_uci, GAME.split()[:moves]):
                announced = wording.move(said_move(board, move), full=True)
                sound = voice.sound(wording.for_voice(announced))
                told = len(program.lines)
                waits_s = program.waits_s(sound.pcm, sound.rate)
                program.let_speak()
                if waits_s is None or not any(line.startswith(announced[:6]) for _, line in program.lines[told:]):
                    unheard += 1
                    break  # what follows would be said in another position
                taken.append(waits_s)
                board.push(move)
                time.sleep(1.0)  # the time for a correction
    finally:
        voice.close()
    if not taken:
        return {"end of a move to its repetition, s": "no move was repeated"}
    ranked = sorted(taken)
    return {
        "end of a move to its repetition, whole program, s, median": round(median(ranked), 3),
        "end of a move to its repetition, whole program, s, 95th": round(
            ranked[min(len(ranked) - 1, len(ranked) * 95 // 100)], 3
        ),
        "of so many moves": len(ranked),
        "machine's load meanwhile": round(os.getloadavg()[0], 1),
    }
