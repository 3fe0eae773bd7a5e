"""Text to speech: asks the rendering child process, replaces it when it hangs, and caches sentences."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import re
import subprocess
import sys
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

from voicechess.sound.errors import Check, SoundError, failed
from voicechess.sound.pcm import samples, scaled

RENDERER = Path(__file__).with_name("render.py")

START_S, END_S = 10.0, 0.5
"""Timeouts, seconds: for the child process to start, and to end by itself before it is killed."""

ANSWER_S, ANSWER_S_PER_LETTER = 3.0, 0.02
"""Timeout, seconds, for a sentence: at least, and for each letter besides."""

RETRY_AFTER_S = 30.0
"""Seconds until the next attempt after two failures: a silent game must not become a slow one. Larger: the voice is
back later."""

CACHED_SENTENCES = 256
"""Rendered sentences that are kept. Larger: more memory, fewer sentences rendered twice."""

LONGEST_PART = 160
"""Most letters rendered at once: pyttsx3's time grows with the square of the length. Larger: fewer pauses, a later
first sound."""

SLOWEST, FASTEST = 80, 450
"""Range of the speaking rate, words a minute."""

QUICK_TIMES = 4 / 3
"""Factor on the speaking rate for sentences said quickly. Larger: faster."""

SILENT = 64
"""Sample value, of 32767, below which sound is inaudible. Larger: soft beginnings and ends are trimmed."""

END_SILENCE_S = 0.03
"""Seconds of silence kept after a sentence. Larger: longer pauses."""


@dataclass(frozen=True, slots=True)
class VoiceSettings:
    """Voice, rate and volume."""

    language: str = "de"
    voice: str | None = None  # part of a voice's name; None: the language's first voice
    rate: int = 190  # words a minute, 80 to 450
    volume: float = 1.0  # 0 to 1
    second: str | None = None  # the opponent's: part of a name, else any other voice; None: the same as all
    apart: bool = False  # with headphones the opponent is on the left, and the player on the right

    def adjusted(self, rate: int, volume: int) -> VoiceSettings:
        """Adjusted by so many steps of rate (20 words per minute each) and volume (a tenth each), within their
        ranges."""
        return replace(
            self,
            rate=max(SLOWEST, min(FASTEST, self.rate + 20 * rate)),
            volume=max(0.1, min(1.0, round(self.volume + volume / 10, 1))),
        )


@dataclass(frozen=True, slots=True)
class SpokenSound:
    """A rendered sentence."""

    pcm: bytes  # 16-bit mono
    rate: int  # samples per second
    right_language: bool = True  # False: no voice of the language was found
    has_second: bool = True  # False: a second voice was asked for, and there is none


def parts(text: str) -> list[str]:
    """Split at pauses, so that the first part can be heard early."""
    found: list[str] = []
    for sentence in re.split(r"(?<=[.!?;:])\s+", " ".join(text.split())):
        piece = ""
        for clause in re.split(r"(?<=,)\s+", sentence):
            if piece and len(piece) + len(clause) > LONGEST_PART:
                found.append(piece)
                piece = clause
            else:
                piece = f"{piece} {clause}".strip()
        found.append(piece)
    return [piece for piece in found if any(character.isalnum() for character in piece)]


class Speech:
    """A voice. Every method may be called from any thread; one sentence is rendered at a time."""

    def __init__(
        self, settings: VoiceSettings | None = None, *, command: list[str] | None = None, answer_s: float = ANSWER_S
    ) -> None:
        """`command` replaces the child process and `answer_s` its timeout, for tests."""
        self.settings = settings or VoiceSettings()
        self._command = command or [sys.executable, "-P", str(RENDERER)]
        self._answer_s = answer_s
        self._child: _Child | None = None
        self._bundled = False
        self._given_up_until = 0.0
        self._cache: OrderedDict[tuple[str, str | None, str | None, int, str], SpokenSound] = OrderedDict()
        self._lock = threading.Lock()
        self._closed = False

    def warm(self) -> None:
        """Start the child process, so that the first sentence does not wait for it. Never raises."""
        with self._lock:
            try:
                self._ready_child()
            except SoundError:
                return

    def sound(self, text: str, quick: bool = False, second: bool = False) -> SpokenSound:
        """The sentence as sound, as loud as the settings say; empty for a text without letters. Blocks.

        `quick`: `QUICK_TIMES` as fast as the settings say. `second`: in the opponent's voice, if one is set.

        Raises `SoundError`, also when a text with letters has come out without a sound twice.
        """
        clean = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
        settings = self.settings if second else replace(self.settings, second=None)
        if quick:
            settings = replace(settings, rate=min(FASTEST, round(QUICK_TIMES * settings.rate)))
        if not any(character.isalnum() for character in clean):
            return SpokenSound(b"", 22050)
        key = (settings.language, settings.voice, settings.second, settings.rate, clean)
        with self._lock:
            if key in self._cache:
                self._cache.move_to_end(key)
            else:
                self._cache[key] = self._rendered(clean, settings)
            sound = self._cache[key]
            while len(self._cache) > CACHED_SENTENCES:
                self._cache.popitem(last=False)
        return replace(sound, pcm=scaled(sound.pcm, settings.volume))

    def close(self) -> None:
        """End the child process."""
        self._closed = True
        child = self._child
        if child is not None:
            child.end()

    def _rendered(self, text: str, settings: VoiceSettings) -> SpokenSound:
        if time.monotonic() < self._given_up_until:
            raise SoundError("sound.voice.failed")
        voices = {"voice": settings.voice, "second": settings.second, "language": settings.language}
        request: dict[str, object] = {"text": text, "rate": settings.rate, **voices}
        patience = self._answer_s + ANSWER_S_PER_LETTER * len(text)
        sound: SpokenSound | None = None
        for _attempt in range(2):
            child = self._ready_child()
            sound = _spoken(child.ask(request, patience))
            if sound is not None and sound.pcm:
                return sound
            child.kill()
            self._child = None
            if self._closed:
                break
        if sound is None:  # a voice that renders one text as silence may still speak the next
            self._given_up_until = time.monotonic() + RETRY_AFTER_S
        raise SoundError("sound.voice.failed")

    def _ready_child(self) -> _Child:
        if self._child is not None and self._child.alive:
            return self._child
        for _attempt in range(2):
            if self._closed:
                break
            try:
                child = _Child([*self._command, *(["--bundled-espeak"] if self._bundled else [])])
            except OSError:
                continue
            answer = child.answer(START_S)
            if answer is not None and answer[0].get("ready"):
                self._child = child
                return child
            child.kill()
            self._bundled = True  # the system's espeak-ng is broken or has no data: use the wheel's
        self._given_up_until = time.monotonic() + RETRY_AFTER_S
        raise SoundError("sound.voice.failed")


class _Child:
    """One rendering process and the thread that reads its answers. Raises `OSError` when it cannot be started."""

    def __init__(self, command: list[str]) -> None:
        self._answers: queue.SimpleQueue[tuple[dict[str, Any], bytes] | None] = queue.SimpleQueue()
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            # Control-C is for the parent, which then says goodbye.
            process_group=0 if os.name == "posix" else None,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        assert self._process.stdout is not None
        threading.Thread(target=self._read, args=(self._process.stdout,), name="renderer", daemon=True).start()

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    @property
    def pid(self) -> int:
        return self._process.pid

    def ask(self, request: dict[str, object], timeout_s: float) -> tuple[dict[str, Any], bytes] | None:
        """The answer, or None when the process is gone or does not answer in time."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            return None
        return self.answer(timeout_s)

    def answer(self, timeout_s: float) -> tuple[dict[str, Any], bytes] | None:
        try:
            return self._answers.get(timeout=timeout_s)
        except queue.Empty:
            return None

    def end(self) -> None:
        """Let it end by itself and clean up; kill it if it does not."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            self._process.stdin.close()
        try:
            self._process.wait(END_S)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def _read(self, output: BinaryIO) -> None:
        try:
            while line := output.readline():
                fields = json.loads(line)
                size = int(fields["bytes"])
                sound = output.read(size)
                if len(sound) < size:
                    break
                self._answers.put((fields, sound))
        except (ValueError, KeyError, TypeError, OSError):
            pass  # not the protocol: treat it as gone
        self._answers.put(None)


def _spoken(answer: tuple[dict[str, Any], bytes] | None) -> SpokenSound | None:
    """The sound in a child's answer; None where there is no answer, or an error."""
    if answer is None or "error" in answer[0]:
        return None
    fields, pcm = answer
    rate = int(fields["rate"])
    return SpokenSound(_trimmed(pcm, rate), rate, fields["right_language"], fields.get("has_second", True))


def _trimmed(pcm: bytes, rate: int) -> bytes:
    """Without the third of a second of silence that espeak-ng appends, and the little before the first word. Empty for
    inaudible sound."""
    values = samples(pcm)
    begin, end = 0, len(values)
    while end and abs(values[end - 1]) < SILENT:
        end -= 1
    while begin < end and abs(values[begin]) < SILENT:
        begin += 1
    return pcm[2 * begin : 2 * min(len(values), end + int(END_SILENCE_S * rate))] if end else b""


def check_voice(speech: Speech, text: str) -> list[Check]:
    """Whether there is a voice for the language; `text` is a sentence in it."""
    try:
        sound = speech.sound(text)
    except SoundError as error:
        return [failed("sound.check.voice", error)]
    if not sound.pcm:
        return [failed("sound.check.voice", SoundError("sound.voice.failed"))]
    return [
        Check("sound.check.voice", True, "sound.voice.good" if sound.right_language else "sound.voice.wrong_language")
    ]
