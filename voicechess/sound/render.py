"""The child process that turns sentences into sound; the only place where pyttsx3 is imported.

pyttsx3 can hang for ever, exit the process, print to standard output and forget to stop writing files (its issues
#140, #361, #402, #433; all but the Windows and macOS ones were seen here). So it lives in a process that can be
replaced: one JSON line in, one JSON line and the sound out. One `save_to_file` per `runAndWait`, on one thread.

Runs as a script and imports nothing of the package. Only Linux has been tested.
"""

from __future__ import annotations

import array
import atexit
import contextlib
import ctypes
import json
import os
import shutil
import struct
import sys
import tempfile
import wave
from pathlib import Path
from typing import Any, BinaryIO

BUNDLED = "--bundled-espeak"
LONGEST_DATA_PATH = 140  # espeak-ng cuts longer ones off at 160 and ends the process (N_PATH_HOME)


def load_espeak(bundled: bool) -> tuple[Any, bool]:
    """On Linux: espeak-ng's library (else None), found by pyttsx3 under its name, and whether it is the wheel's.

    The system's is taken unless it is missing or `bundled` asks for the one of the espeakng-loader wheel.
    """
    if not sys.platform.startswith("linux"):
        return None, False
    if not bundled:
        for name in ("libespeak-ng.so.1", "libespeak.so.1"):
            with contextlib.suppress(OSError):
                return ctypes.CDLL(name), False
    import espeakng_loader

    os.environ["ESPEAK_DATA_PATH"] = str(espeak_data())
    return ctypes.CDLL(espeakng_loader.get_library_path()), True  # found again by its soname


def espeak_data() -> Path:
    """The folder of the wheel's data, by a name that espeak-ng takes. Raises RuntimeError where it is empty."""
    import espeakng_loader

    data = Path(espeakng_loader.get_data_path())
    if not (data / "phontab").is_file():  # without it espeak ends the process
        raise RuntimeError("no espeak-ng data")
    if len(str(data)) > LONGEST_DATA_PATH:
        folder = tempfile.mkdtemp(prefix="voicechess-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        link = Path(folder) / "espeak-ng-data"
        link.symlink_to(data)
        data = link
    return data


def without_thread() -> None:
    """Let pyttsx3 use espeak-ng in its synchronous mode, where a sentence is finished when the call returns.

    pyttsx3 2.99 asks for a mode in which a thread of espeak-ng's works off a queue. `espeak_IsPlaying` does not tell
    there whether anything is waiting (it is true for a moment without reason, too; fifo.c of espeak-ng 1.51), and when
    it is true pyttsx3 cancels. Of 10900 short sentences on a busy machine one came out without any sound, and 22 of
    1550 programs said their first one at another speed.

    The synchronous mode sends everything but the event that a sentence is over, which pyttsx3 waits for.
    """
    from pyttsx3.drivers import _espeak

    over = (_espeak.EVENT * 2)()
    over[0].type, over[1].type = _espeak.EVENT_MSG_TERMINATED, _espeak.EVENT_LIST_TERMINATED
    synthesise = _espeak.Synth

    def synthesise_all(*text: object, **settings: object) -> int:
        status = int(synthesise(*text, **settings))
        if status != _espeak.EE_OK:
            raise RuntimeError(f"espeak-ng: {status}")
        _espeak.SynthCallback(None, 0, over)
        return status

    _espeak.AUDIO_OUTPUT_RETRIEVAL = _espeak.AUDIO_OUTPUT_SYNCHRONOUS
    _espeak.Synth = synthesise_all


def normalised(language: object) -> str:
    """ "de", "de-DE", "de_DE", b"\\x05de" and the like as "de" (pyttsx3 #433)."""
    text = language.decode("utf-8", "ignore") if isinstance(language, bytes) else str(language)
    letters = "".join(character if character.isalpha() else " " for character in text.lower()).split()
    return letters[0] if letters else ""


def find_voice(voices: list[Any], language: str, wanted: str | None) -> tuple[str, bool] | None:
    """The id of the voice to take and whether it speaks the language: the one wanted by part of its name or id, else
    one of the language, plain ones first."""
    speaking = [voice for voice in voices if _speaks(voice, language)]
    if wanted:
        for voice in speaking + voices:
            if wanted.casefold() in (str(voice.id) + " " + str(voice.name)).casefold():
                return str(voice.id), voice in speaking
    if speaking:
        plain = min(speaking, key=lambda voice: ("mb" in str(voice.id), len(str(voice.id))))
        return str(plain.id), True
    return None


def _speaks(voice: Any, language: str) -> bool:
    languages = [normalised(entry) for entry in (voice.languages or [])]
    if any(languages):
        return language in languages
    # Some systems leave the list empty and name the language in the voice's id only ("…_DE-DE_HEDDA…").
    parts = str(voice.id).replace("-", "_").replace(".", "_").replace("/", "_").lower().split("_")
    return language in parts


class Renderer:
    """pyttsx3, set to one voice."""

    def __init__(self, bundled: bool) -> None:
        espeak, self.bundled = load_espeak(bundled)
        if espeak is not None:
            without_thread()
        self._begin()
        self._voices = list(self._engine.getProperty("voices") or [])
        self._asked: tuple[str, str | None] | None = None
        self._found: tuple[str, bool] | None = None
        self.voice = ""
        self.right_language = False

    def _begin(self) -> None:
        import pyttsx3

        self._engine: Any = pyttsx3.init()

    def choose(self, language: str, wanted: str | None) -> None:
        """The voice for the next sentences; `render` sets it and looks whether it was taken."""
        if self._asked != (language, wanted):
            self._asked = (language, wanted)
            self._found = find_voice(self._voices, language, wanted)

    def render(self, text: str, rate: int) -> tuple[bytes, int]:
        """16-bit mono sound and its rate. `rate`: words per minute."""
        sound = self._rendered(text, rate)
        found = self._found
        self.voice = str(self._engine.getProperty("voice"))
        taken = found is not None and self.voice.casefold() == found[0].casefold()
        self.right_language = found is not None and found[1] and taken
        return sound

    def _rendered(self, text: str, rate: int) -> tuple[bytes, int]:
        folder = Path(tempfile.mkdtemp(prefix="voicechess-"))
        path = folder / ("speech.aiff" if sys.platform == "darwin" else "speech.wav")  # macOS writes AIFF always (#361)
        try:
            if sys.platform == "win32" and self.voice:
                self._engine = None  # there an engine speaks only once (pyttsx3 #402)
                self._begin()
            if self._found is not None and self._engine.getProperty("voice") != self._found[0]:
                self._engine.setProperty("voice", self._found[0])
            self._engine.setProperty("rate", rate)
            self._engine.setProperty("volume", 1.0)
            self._engine.save_to_file(text, str(path))
            self._engine.runAndWait()  # with nothing to say it would never return
            return read_rendered(path)
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def read_rendered(path: Path) -> tuple[bytes, int]:
    """What pyttsx3 has written: WAV, or AIFF by any name."""
    with path.open("rb") as file:
        head = file.read(4)
    if head == b"FORM":
        return read_aiff(path.read_bytes())
    with wave.open(str(path), "rb") as sound:
        if sound.getsampwidth() != 2:
            raise RuntimeError("not 16 bit")
        return _mono(sound.readframes(sound.getnframes()), sound.getnchannels(), False), sound.getframerate()


def read_aiff(data: bytes) -> tuple[bytes, int]:
    """16-bit AIFF or AIFF-C (Python's own reader is gone since 3.13)."""
    channels, rate, little, frames, position = 0, 0, False, b"", 12
    while position + 8 <= len(data):
        kind, length = struct.unpack_from(">4sI", data, position)
        body = data[position + 8 : position + 8 + length]
        if kind == b"COMM":
            channels, _, bits, exponent, mantissa = struct.unpack_from(">hIhHQ", body)
            if bits != 16:
                raise RuntimeError("not 16 bit")
            rate = round(mantissa * 2.0 ** ((exponent & 0x7FFF) - 16383 - 63))  # an 80-bit number
            little = body[18:22] == b"sowt"
        elif kind == b"SSND":
            frames = body[8:]
        position += 8 + length + length % 2
    if not (channels and rate and frames):
        raise RuntimeError("no sound in the file")
    return _mono(frames, channels, not little), rate


def _mono(frames: bytes, channels: int, big: bool) -> bytes:
    values = array.array("h", frames[: len(frames) // 2 * 2])
    if big:
        values.byteswap()
    return values[::channels].tobytes()


def serve(requests: BinaryIO, answers: BinaryIO, bundled: bool) -> None:
    """Answer requests until there are none: a JSON line {samples, rate, voice, …} and the sound, or {error}."""

    def answer(sound: bytes, **fields: object) -> None:
        answers.write(json.dumps({"bytes": len(sound), **fields}).encode() + b"\n" + sound)
        answers.flush()

    try:
        renderer = Renderer(bundled)
    except Exception as error:  # whatever it is, the parent decides what to do next
        answer(b"", error=f"{type(error).__name__}: {error}")
        return
    answer(b"", ready=True, bundled=renderer.bundled)
    for line in requests:
        try:
            request = json.loads(line)
            renderer.choose(request["language"], request["voice"])
            sound, rate = renderer.render(request["text"], request["rate"])
            answer(sound, rate=rate, voice=renderer.voice, right_language=renderer.right_language)
        except Exception as error:
            answer(b"", error=f"{type(error).__name__}: {error}")


def main() -> None:
    """Keep the real standard output for the answers; whatever prints goes to standard error."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    if sys.platform == "win32":
        import msvcrt

        msvcrt.setmode(answers.fileno(), os.O_BINARY)
    serve(sys.stdin.buffer, answers, BUNDLED in sys.argv[1:])


if __name__ == "__main__":
    main()
