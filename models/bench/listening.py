"""Recognising samples as the game does, with VAD and endpointing, on all cores."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from models.bench.decoding import Progress, Workers
from models.bench.footprint import resident_mb
from models.bench.samples import Pause, Rendered, Sample, render
from models.bench.synthesis import SAMPLE_RATE
from voicechess.app.hearing import Hearing
from voicechess.language.lexicon import Lexicon, load
from voicechess.meaning import Expectation, RecognisedUtterance
from voicechess.sound.devices.interfaces import Block
from voicechess.sound.mixing import TELEPHONE_RATE, as_int16
from voicechess.sound.model import VoskModel
from voicechess.sound.recogniser import Recogniser, recognise
from voicechess.sound.voices import resampled, same_dither
from voicechess.storage.speech_models import scaling_of

_TAIL_S = 1.6  # seconds after the speech: longer than any endpoint timeout
_ROOM_S = 3.2  # seconds of the room before the speech, from which the VAD estimates the noise floor
_PIECE = 8  # samples that a worker takes at a time


@dataclass(frozen=True)
class Listening:
    """A sample to be recognised."""

    sample: Sample
    expectation: Expectation  # of the game when it is said


@dataclass(frozen=True)
class Overheard:
    """The result of recognising a sample."""

    utterances: tuple[RecognisedUtterance, ...]
    ended_ms: int  # true end of the speech, on the clock of the utterances
    sound_s: float  # duration of the sound
    cpu_s: float  # processor time
    memory_mb: float  # of the process afterwards


class Ears:
    """Worker processes that recognise as the game does; a context manager."""

    def __init__(self, model: Path, language: str = "de", jobs: int | None = None) -> None:
        self._workers = Workers(partial(_load, language=language), model, jobs)

    def __enter__(self) -> Ears:
        return self

    def __exit__(self, *exception: object) -> None:
        self._workers.__exit__(*exception)

    def listen(self, tasks: Sequence[Listening], progress: Progress | None = None) -> list[Overheard]:
        """Recognise the samples, in order. Raises Failure if a worker dies."""
        return self._workers.map(_listen_all, tasks, _PIECE, progress)


_model: VoskModel | None = None
_lexicon: Lexicon | None = None


def _load(path: str, language: str = "de") -> None:
    global _model, _lexicon
    _model = VoskModel(Path(path), scaling_of(Path(path)))
    _lexicon = load(language).restrict(_model.knows)


def _listen_all(tasks: Sequence[Listening]) -> list[Overheard]:
    return [_listen(task) for task in tasks]


def _listen(task: Listening) -> Overheard:
    assert _model is not None and _lexicon is not None, "the worker has loaded them"
    sample = task.sample
    sound = render(sample, _TAIL_S)
    same_dither()
    pcm, rate = delivered(sound, sample)
    recogniser = Recogniser(_model, rate)
    Hearing(_lexicon).offer(recogniser, task.expectation)
    if any(not isinstance(part, Pause) for part in sample.parts):
        _hear_the_room(recogniser, sample)
    began = time.thread_time()
    utterances = recognise(recogniser, pcm)
    spent = time.thread_time() - began
    return Overheard(
        tuple(utterances), round(1000 * sound.ended_s), len(sound.samples) / SAMPLE_RATE, spent, resident_mb()
    )


def delivered(sound: Rendered, sample: Sample) -> tuple[bytes, int]:
    """The sound as its microphone delivers it, and its sample rate: that of a telephone is 8000 per second."""
    if not sample.conditions.telephone:
        return sound.samples.tobytes(), SAMPLE_RATE
    narrow = resampled((sound.samples / 32767).astype("float32"), SAMPLE_RATE, TELEPHONE_RATE)
    return as_int16(narrow).tobytes(), TELEPHONE_RATE


def _hear_the_room(recogniser: Recogniser, sample: Sample) -> None:
    """Feed the noise of the room before the speech: its result is dropped, but the VAD keeps the noise floor."""
    before = replace(sample, name=f"{sample.name}/before", parts=(Pause(_ROOM_S),))
    pcm, rate = delivered(render(before, 0.0), sample)
    step = rate // 10  # bytes: 50 ms
    for first in range(0, len(pcm), step):
        recogniser.feed(Block(pcm[first : first + step], 500 * first // rate))
    recogniser.reset()
