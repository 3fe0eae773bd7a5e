"""espeak-ng through its C library: sound, and the time of every phoneme in it.

The events of type 7 (espeakEVENT_PHONEME in espeak-ng's speak_lib.h) name each phoneme and the millisecond at which it
begins, so synthetic speech comes labelled. Library and data are those of the `espeakng-loader` package (espeak-ng
1.52), the same on every system.
"""

from __future__ import annotations

import ctypes
import functools
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import espeakng_loader
import numpy as np
import numpy.typing as npt

SYNCHRONOUS = 2
PHONEME_EVENTS = 1
EVENT_WORD, EVENT_PHONEME = 1, 7
RATE, PITCH, RANGE = 1, 3, 4
UTF8, PHONEME_INPUT = 1, 0x100
SONAME, OWN_SONAME = b"libespeak-ng.so.1\0", b"libespeak-ng.copy\0"
"""The library's SONAME, and one of the same length for our copy: dlopen returns a library that is already loaded under
the SONAME it is asked for."""
WORD = "WORD"
"""The symbol that stands before the phonemes of each word."""


class Timed(NamedTuple):
    """A phoneme (espeak-ng's mnemonic) or `WORD`, and when it begins, in seconds."""

    begin: float
    symbol: str


class _Identity(ctypes.Union):
    _fields_ = (("number", ctypes.c_int), ("name", ctypes.c_char_p), ("string", ctypes.c_char * 8))


class _Event(ctypes.Structure):
    _fields_ = (
        ("type", ctypes.c_int),
        ("unique_identifier", ctypes.c_uint),
        ("text_position", ctypes.c_int),
        ("length", ctypes.c_int),
        ("audio_position", ctypes.c_int),
        ("sample", ctypes.c_int),
        ("user_data", ctypes.c_void_p),
        ("id", _Identity),
    )


_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.POINTER(_Event))


class _Library:
    """An instance of espeak-ng, which keeps its state in global variables: of a copy of the library under another name,
    so that whatever else speaks in this process neither changes this state nor ends it: pyttsx3 loads
    "libespeak-ng.so.1", got this copy, and made it speak in a thread of its own, which crashed."""

    def __init__(self) -> None:
        self.chunks: list[npt.NDArray[np.int16]] = []
        self.events: list[Timed] = []
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:  # Windows keeps what is loaded
            library = Path(str(espeakng_loader.get_library_path()))
            copy = Path(folder) / library.name
            copy.write_bytes(library.read_bytes().replace(SONAME, OWN_SONAME))
            self.c = ctypes.CDLL(str(copy))
        self.c.espeak_Info.restype = ctypes.c_char_p
        self.sample_rate: int = self.c.espeak_Initialize(
            SYNCHRONOUS, 0, str(espeakng_loader.get_data_path()).encode(), PHONEME_EVENTS
        )
        if self.sample_rate <= 0:
            raise RuntimeError("espeak-ng found no data")
        self._keep = _CALLBACK(self._receive)
        self.c.espeak_SetSynthCallback(self._keep)

    def _receive(self, samples: Any, count: int, events: Any) -> int:
        if samples and count > 0:
            self.chunks.append(np.ctypeslib.as_array(samples, (count,)).copy())
        i = 0
        while events[i].type != 0:
            event = events[i]
            if event.type == EVENT_PHONEME:
                raw = bytes(event.id.string)
                self.events.append(Timed(event.audio_position / 1000, raw.split(b"\0")[0].decode("utf-8", "replace")))
            elif event.type == EVENT_WORD:
                self.events.append(Timed(event.audio_position / 1000, WORD))
            i += 1
        return 0


@functools.cache
def _library() -> _Library:
    return _Library()


def version() -> str:
    """The version of the synthesiser, for the manifest."""
    return str(_library().c.espeak_Info(None).decode())


def variants() -> tuple[str, ...]:
    """The names of the voice variants that came with the library, sorted; those with a space in them left out."""
    folder = Path(str(espeakng_loader.get_data_path())) / "voices" / "!v"
    return tuple(sorted(path.name for path in folder.iterdir() if " " not in path.name))


def speak(
    text: str, voice: str = "de", *, rate: int = 160, pitch: int = 50, pitch_range: int = 50
) -> tuple[npt.NDArray[np.float32], int, list[Timed]]:
    """Say `text`; `[[...]]` within it is phonemes in espeak-ng's own letters.

    Args:
        voice: a language, with a variant after a plus sign, as "de+f1".
        rate: words a minute, 80 to 450.
        pitch, pitch_range: 0 to 99.

    Returns:
        Samples (1-D, full scale 32768), samples a second, and the phonemes in order.

    Raises:
        ValueError: there is no such voice.
    """
    library = _library()
    library.chunks.clear()
    library.events.clear()
    if library.c.espeak_SetVoiceByName(voice.encode()) != 0:
        raise ValueError(voice)
    for parameter, value in ((RATE, rate), (PITCH, pitch), (RANGE, pitch_range)):
        library.c.espeak_SetParameter(parameter, int(value), 0)
    data = text.encode()
    # Everything has been received when this returns. espeak_Synchronize would wait for a thread that has no part in it,
    # and was seen to wait for ever.
    library.c.espeak_Synth(data, len(data) + 1, 0, 1, 0, UTF8 | PHONEME_INPUT, None, None)
    samples = np.concatenate(library.chunks).astype(np.float32) if library.chunks else np.zeros(0, np.float32)
    return samples, library.sample_rate, list(library.events)
