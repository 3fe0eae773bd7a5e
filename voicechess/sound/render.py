"""The child process that turns sentences into sound; the only place where pyttsx3 is imported.

pyttsx3 can hang for ever, exit the process, print to standard output and forget to stop writing files (its issues
#140, #361, #402, #433; all but the Windows and macOS ones were seen here). So it lives in a process that can be
replaced: one JSON line in, one JSON line and the sound out. One `save_to_file` per `runAndWait`, on one thread.

Where the system has no voice of the language and no espeak-ng of its own (Windows, macOS), eSpeak NG of the wheel
speaks by itself. Runs as a script and imports nothing of the package. Tried on Linux and under Wine, which has no SAPI.
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
import sysconfig
import tempfile
import wave
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

BUNDLED = "--bundled-espeak"
SECOND_VARIANT = "+f3"  # of eSpeak NG: the second voice, a woman's beside the plain man's
LONGEST_DATA_PATH = 140  # espeak-ng cuts longer ones off at 160 and ends the process (N_PATH_HOME)


def load_espeak(bundled: bool) -> tuple[Any, bool]:
    """On Linux: espeak-ng's library, found by pyttsx3 under its name, and whether it is the wheel's.

    The system's is taken unless it is missing or `bundled` asks for the one of the espeakng-loader wheel.
    """
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
        try:
            link.symlink_to(data)
        except OSError:  # Windows wants a right for that
            shutil.copytree(data, link)
        data = link
    return data


class _VoiceEntry(ctypes.Structure):
    """espeak_VOICE of speak_lib.h."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("languages", ctypes.c_char_p),
        ("identifier", ctypes.c_char_p),
        ("gender", ctypes.c_ubyte),
        ("age", ctypes.c_ubyte),
        ("variant", ctypes.c_ubyte),
        ("reserved", ctypes.c_ubyte),
        ("score", ctypes.c_int),
        ("spare", ctypes.c_void_p),
    )


class ListedVoice(NamedTuple):
    """A voice of eSpeak NG, as pyttsx3 describes its own."""

    id: str  # by which it is taken
    name: str
    languages: list[bytes]


class Espeak:
    """eSpeak NG of the espeakng-loader wheel, without pyttsx3: text in, samples out.

    Raises ImportError, OSError or RuntimeError where the library or its data cannot be loaded.
    """

    _SYNCHRONOUS, _DONT_EXIT, _UTF8, _RATE = 2, 0x8000, 1, 1  # speak_lib.h of espeak-ng 1.51

    def __init__(self) -> None:
        import espeakng_loader

        if sys.platform == "win32" and Path(sysconfig.get_path("scripts")).is_dir():
            os.add_dll_directory(sysconfig.get_path("scripts"))  # where pip has put msvcp140.dll
        os.environ["ESPEAK_DATA_PATH"] = str(espeak_data())
        self._library = ctypes.CDLL(espeakng_loader.get_library_path())
        self._samples_a_second = int(self._library.espeak_Initialize(self._SYNCHRONOUS, 0, None, self._DONT_EXIT))
        if self._samples_a_second <= 0:
            raise RuntimeError("espeak-ng does not start")
        self._sound = bytearray()
        receiver = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.c_void_p)
        self._receive = receiver(self._received)  # kept: the library only has its address
        self._library.espeak_SetSynthCallback(self._receive)

    def _received(self, samples: Any, count: int, _events: object) -> int:
        if samples and count > 0:
            self._sound += ctypes.string_at(samples, 2 * count)
        return 0

    def voices(self) -> list[ListedVoice]:
        """All its voices."""
        self._library.espeak_ListVoices.restype = ctypes.POINTER(ctypes.POINTER(_VoiceEntry))
        found: list[ListedVoice] = []
        for entry in self._library.espeak_ListVoices(None):
            if not entry:
                return found
            voice = entry.contents
            # The languages are a priority (one byte), a name and a zero, over and over; the first is the voice's own.
            language = voice.languages[1:] if voice.languages else b""
            found.append(ListedVoice(voice.name.decode(), voice.identifier.decode(), [language]))
        return found

    def take(self, voice: str) -> bool:
        """The voice that speaks next, by its name; whether there is one."""
        return bool(self._library.espeak_SetVoiceByName(voice.encode()) == 0)

    def render(self, text: str, rate: int) -> tuple[bytes, int]:
        """16-bit mono sound and its samples per second. `rate`: words per minute."""
        self._sound.clear()
        self._library.espeak_SetParameter(self._RATE, rate, 0)
        data = text.encode()
        status = self._library.espeak_Synth(data, len(data) + 1, 0, 1, 0, self._UTF8, None, None)
        if status != 0:
            raise RuntimeError(f"espeak-ng: {status}")
        return bytes(self._sound), self._samples_a_second


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
    """The system's voices by pyttsx3, set to one of them; off Linux eSpeak NG where none speaks the language."""

    def __init__(self, bundled: bool) -> None:
        self.bundled = bundled
        self._engine: Any = None
        self._espeak: Espeak | None = None
        self._asked: tuple[str, str | None, str | None] | None = None
        self._found: tuple[str, bool] | None = None
        self._alone = False  # eSpeak NG speaks by itself
        self.voice = ""
        self.right_language = False
        self.has_second = True
        if sys.platform.startswith("linux"):
            _library, self.bundled = load_espeak(bundled)
            without_thread()
            self._begin()
        elif bundled:
            self._espeak = Espeak()
        else:
            self._begin_elsewhere()
        self._voices: list[Any] = list(self._engine.getProperty("voices") or []) if self._engine is not None else []

    def _begin(self) -> None:
        import pyttsx3

        self._engine = pyttsx3.init()

    def _begin_elsewhere(self) -> None:
        """A system whose voices do not start (a Windows without SAPI) still has eSpeak NG."""
        try:
            self._begin()
        except Exception:  # COM errors are of many classes
            self._espeak = Espeak()

    def choose(self, language: str, wanted: str | None, second: str | None = None) -> None:
        """The voice for the next sentences; `render` sets it and looks whether it was taken.

        `second`: not the one wanted but another: the one of this name, else any.
        """
        if self._asked == (language, wanted, second):
            return
        self._asked = (language, wanted, second)
        self._found = find_voice(self._voices, language, wanted)
        self._alone = False
        if self._found is None and not sys.platform.startswith("linux"):
            self._take_espeak(language, wanted)
        self.has_second = second is None or self._choose_second(language, second)

    def _choose_second(self, language: str, named: str) -> bool:
        """Another voice than the one found; whether there is one. Those of eSpeak NG have variants."""
        if self._found is None:
            return False
        first, espeak = self._found[0], self._alone or sys.platform.startswith("linux")
        listed = self._espeak.voices() if self._alone and self._espeak is not None else self._voices
        others = [voice for voice in listed if _speaks(voice, language) and str(voice.id) != first]
        of_name = [one for one in others if named.casefold() in f"{one.id} {one.name}".casefold()]
        if of_name or (others and not espeak):
            self._found = str((of_name or others)[0].id), True
        elif espeak:
            self._found = first + SECOND_VARIANT, self._found[1]
        else:
            return False
        return not self._alone or self._espeak is None or self._espeak.take(self._found[0])

    def _take_espeak(self, language: str, wanted: str | None) -> None:
        if self._espeak is None:
            try:
                self._espeak = Espeak()
            except (ImportError, OSError, RuntimeError):
                if self._engine is None:
                    raise
                return  # a voice of another language is better than none
        found = find_voice(self._espeak.voices(), language, wanted)
        if found is not None and self._espeak.take(found[0]):
            self._found, self._alone = found, True

    def render(self, text: str, rate: int) -> tuple[bytes, int]:
        """16-bit mono sound and its rate. `rate`: words per minute."""
        if self._alone and self._espeak is not None and self._found is not None:
            self.voice, self.right_language = self._found
            return self._espeak.render(text, rate)
        if self._engine is None:
            raise RuntimeError("no voice of this language")
        sound = self._rendered(text, rate)
        found = self._found
        self.voice = str(self._engine.getProperty("voice"))
        taken = found is not None and self.voice.casefold() == found[0].casefold()
        self.right_language = found is not None and found[1] and taken
        if found is not None and not taken and self._asked is not None and self._asked[2] is not None:
            self.has_second, self.right_language = False, found[1]
        return sound

    def _rendered(self, text: str, rate: int) -> tuple[bytes, int]:
        folder = Path(tempfile.mkdtemp(prefix="voicechess-brief-"))  # own_files removes what is left of it
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
            renderer.choose(request["language"], request["voice"], request.get("second"))
            sound, rate = renderer.render(request["text"], request["rate"])
            told = {"right_language": renderer.right_language, "has_second": renderer.has_second}
            answer(sound, rate=rate, voice=renderer.voice, **told)
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
