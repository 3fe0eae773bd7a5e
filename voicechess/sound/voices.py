"""espeak-ng's voices by themselves, to measure with: text in, samples out, the same samples every time.

espeak-ng, from the espeakng-loader package, is called through ctypes. The library keeps the state of its voices'
flutter and noise from one utterance to the next, even over espeak_Terminate, so that an utterance would sound
different depending on what was said before. Here it is loaded afresh for every utterance (4 ms): an utterance
depends on its own text and settings and on nothing else, in whatever process and order it is made.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import ceil, gcd
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from voicechess.messages import Failure, Text
from voicechess.sound.render import espeak_data

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Samples = NDArray[np.float32]

UTF8 = 1
_SYNCHRONOUS = 2  # espeak_AUDIO_OUTPUT: events and samples come in the callback, before espeak_Synth returns
_DONT_EXIT = 0x8000  # espeakINITIALIZE_DONT_EXIT: a missing data folder is an error code, not the end of the process
_RATE, _PITCH, _RANGE = 1, 3, 4  # espeak_PARAMETER

_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.c_void_p)


Made = TypeVar("Made")


@dataclass(frozen=True)
class EspeakVoice:
    """A synthetic speaker.

    variant: an espeak-ng voice variant, or "" for the plain voice. rate: words a minute, 80 to 450. pitch, intonation:
    0 to 99, espeak-ng's middle is 50.
    """

    variant: str = ""
    rate: int = 160
    pitch: int = 50
    intonation: int = 50


def speak(text: str, language: str, voice: EspeakVoice, flags: int = UTF8) -> tuple[Samples, int]:
    """`text` said in a language of espeak-ng's, float32 in -1..1, and the samples a second. Raises Failure."""
    import numpy as np

    if voice.variant and not (data_path() / "voices" / "!v" / voice.variant).is_file():
        raise Failure("bench.voice_missing", {"voice": Text(voice.variant)})  # the library would use its plain voice
    chunks: list[NDArray[np.int16]] = []

    def receive(wave: ctypes._Pointer[ctypes.c_short], count: int, _events: int) -> int:
        if wave and count > 0:
            chunks.append(np.ctypeslib.as_array(wave, (count,)).copy())
        return 0

    def say(library: ctypes.CDLL, rate: int) -> int:
        callback = _CALLBACK(receive)
        library.espeak_SetSynthCallback(callback)
        choose_voice(library, f"{language}+{voice.variant}" if voice.variant else language)
        for parameter, value in ((_RATE, voice.rate), (_PITCH, voice.pitch), (_RANGE, voice.intonation)):
            library.espeak_SetParameter(parameter, value, 0)
        data = text.encode()
        library.espeak_Synth(data, len(data) + 1, 0, 1, 0, flags, None, None)
        return rate

    rate = with_fresh_library(say)
    if not chunks:
        raise Failure("bench.voice_silent", {"voice": Text(voice.variant or language)})
    return (np.concatenate(chunks) / 32768).astype(np.float32), rate


@cache
def data_path() -> Path:
    """Where espeak-ng's data lie. Raises Failure where they are missing."""
    try:
        return espeak_data()
    except (ImportError, OSError, RuntimeError) as error:
        raise Failure("bench.synthesiser_missing") from error


def choose_voice(library: ctypes.CDLL, name: str) -> None:
    """The voice that speaks next. Raises Failure where there is none of this name."""
    if library.espeak_SetVoiceByName(name.encode()) != 0:
        raise Failure("bench.voice_missing", {"voice": Text(name)})


def with_fresh_library(use: Callable[[ctypes.CDLL, int], Made]) -> Made:
    """`use(library, sample rate)` with a copy of the library whose static data is as on the first day."""
    os.environ["ESPEAK_DATA_PATH"] = str(data_path())
    try:
        import espeakng_loader

        library = ctypes.CDLL(espeakng_loader.get_library_path())
    except (ImportError, OSError) as error:
        raise Failure("bench.synthesiser_missing") from error
    try:
        rate = library.espeak_Initialize(_SYNCHRONOUS, 0, None, _DONT_EXIT)
        if rate <= 0:
            raise Failure("bench.synthesiser_missing")
        # Breath is drawn at random, from a generator of its own and from the C library's, both seeded by the clock.
        library.espeak_ng_SetRandSeed(ctypes.c_long(1))
        same_dither()
        try:
            return use(library, rate)
        finally:
            library.espeak_Terminate()
    finally:
        if sys.platform != "win32":  # on Windows the copy stays, and reruns are alike only in order
            import _ctypes

            _ctypes.dlclose(library._handle)


def same_dither() -> None:
    """What the C library's rand() gives from now on is the same every time: breath, and Kaldi's dither."""
    if sys.platform != "win32":
        ctypes.CDLL(None).srand(1)


def resampled(samples: Samples, rate: int, to_rate: int) -> Samples:
    """`samples` at another rate, band-limited (by the spectrum, so meant for utterances, not for hours)."""
    import numpy as np

    if rate == to_rate or len(samples) == 0:
        return samples
    unit = rate // gcd(rate, to_rate)  # so many samples are a whole number of samples at the other rate
    pad = unit * ceil(rate / 20 / unit)  # silence on both sides keeps the ends from wrapping around into each other
    padded = np.concatenate([np.zeros(pad), samples, np.zeros(pad + (-len(samples)) % unit)])
    length = len(padded) * to_rate // rate
    spectrum = np.fft.rfft(padded)
    wanted = np.zeros(length // 2 + 1, dtype=complex)
    kept = min(len(spectrum), len(wanted))
    wanted[:kept] = spectrum[:kept]
    out = np.fft.irfft(wanted, length) * (length / len(padded))
    first = pad * to_rate // rate
    return out[first : first + round(len(samples) * to_rate / rate)].astype(np.float32)


def trimmed(samples: Samples, below: float = 0.003) -> Samples:
    """`samples` without the near-silence (peak under `below` of the loudest sample) before and after."""
    import numpy as np

    loud = np.flatnonzero(np.abs(samples) > below * float(np.max(np.abs(samples), initial=0.0)))
    return samples[loud[0] : loud[-1] + 1] if len(loud) else samples
