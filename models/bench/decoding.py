"""Many samples through one speech model, on all cores, with the same result whatever the number of cores.

Each worker process loads the model once and owns its recognisers (a vosk recogniser belongs to one thread). A sample
is decoded by itself: the whole of it at once, then the recogniser starts anew. Results keep the order of the work.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from models.bench.samples import Sample, render
from models.bench.synthesis import SAMPLE_RATE
from voicechess.messages import Failure
from voicechess.sound.voices import same_dither

# --- Worker processes, each with the model loaded ---


Work = TypeVar("Work")
Result = TypeVar("Result")

Progress = Callable[[int, int], None]
"""Told how many of how many are done."""

_MOST_JOBS = 8


class Workers:
    """Processes that have run `load(model)` once; a context manager.

    A worker whose `load` fails ends the whole pool: `footprint.known_words` shows before that the model can be loaded.
    """

    def __init__(self, load: Callable[[str], None], model: Path, jobs: int | None = None) -> None:
        self._pool = ProcessPoolExecutor(
            max_workers=jobs or max(1, min(_MOST_JOBS, os.cpu_count() or 1)),
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_begin,
            initargs=(load, str(model)),
        )

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_exception: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def map(
        self,
        function: Callable[[Sequence[Work]], list[Result]],
        work: Sequence[Work],
        piece: int,
        progress: Progress | None = None,
    ) -> list[Result]:
        """`function` over `work` in pieces of that many, all results in order. Raises Failure when a worker dies."""
        pieces = [work[first : first + piece] for first in range(0, len(work), piece)]
        done: list[Result] = []
        try:
            for results in self._pool.map(function, pieces):
                done.extend(results)
                if progress:
                    progress(len(done), len(work))
        except BrokenProcessPool as error:
            raise Failure("bench.worker_died") from error
        return done


def quiet() -> None:
    """Sends this worker's standard error nowhere: the recogniser writes there in English, whatever its log level."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


def _begin(load: Callable[[str], None], model: str) -> None:
    quiet()
    load(model)


# --- Decoding ---


Grammar = tuple[str, ...]
"""Phrases that may be recognised; "[unk]" among them stands for everything else."""

_PIECE = 12  # samples a worker takes at a time
_KEPT = 4  # recognisers a worker keeps: those of the grammars used last


@dataclass(frozen=True)
class Task:
    """One sample to be decoded once with each grammar. alternatives: how many word sequences to give (0: the best)."""

    sample: Sample
    grammars: tuple[Grammar, ...]
    alternatives: int = 0


@dataclass(frozen=True)
class Hypothesis:
    """A word sequence and the recogniser's score for it (comparable within one recognition only)."""

    words: tuple[str, ...]
    score: float = 0.0


@dataclass(frozen=True)
class Recognition:
    """What was recognised in a sample under one grammar, best first; never empty.

    sound_s: length of the sound. cpu_s: processor time spent decoding it.
    """

    hypotheses: tuple[Hypothesis, ...]
    sound_s: float
    cpu_s: float

    @property
    def words(self) -> tuple[str, ...]:
        """The best word sequence."""
        return self.hypotheses[0].words


class Decoder:
    """A speech model and the worker processes that decode with it; a context manager."""

    def __init__(self, model: Path, jobs: int | None = None) -> None:
        self._workers = Workers(_load, model, jobs)

    def __enter__(self) -> Decoder:
        return self

    def __exit__(self, *exception: object) -> None:
        self._workers.__exit__(*exception)

    def decode(self, tasks: Sequence[Task], progress: Progress | None = None) -> list[tuple[Recognition, ...]]:
        """One recognition for each grammar of each task, in their order. Raises Failure when a worker dies."""
        return self._workers.map(_decode_all, tasks, _PIECE, progress)


_model: Any = None
_recognisers: OrderedDict[tuple[Grammar, int], Any] = OrderedDict()


def _load(path: str) -> None:
    global _model
    import vosk

    vosk.SetLogLevel(-1)
    _model = vosk.Model(model_path=path)  # raises where it is no model: then the pool is broken, and says so once


def _decode_all(tasks: Sequence[Task]) -> list[tuple[Recognition, ...]]:
    return [_decode(task) for task in tasks]


def _decode(task: Task) -> tuple[Recognition, ...]:
    data = render(task.sample).samples.tobytes()
    return tuple(_recognise(data, grammar, task.alternatives) for grammar in task.grammars)


def _recognise(data: bytes, grammar: Grammar, alternatives: int) -> Recognition:
    recogniser = _recogniser(grammar, alternatives)
    same_dither()
    began = time.thread_time()
    # Everything in one piece: the recogniser looks for the end of an utterance only between pieces, and here the
    # measurement, not a pause within an announcement, says where an utterance ends.
    recogniser.AcceptWaveform(data)
    result = json.loads(recogniser.FinalResult())  # also drops the features, so that the next sample starts anew
    spent = time.thread_time() - began
    return Recognition(hypotheses(result), len(data) / 2 / SAMPLE_RATE, spent)


def hypotheses(result: dict[str, Any]) -> tuple[Hypothesis, ...]:
    """The word sequences in one of vosk's results, with or without alternatives; at least one, maybe without words."""
    found = [Hypothesis(tuple(one["text"].split()), float(one["confidence"])) for one in result.get("alternatives", ())]
    return tuple(found) or (Hypothesis(tuple(result.get("text", "").split())),)


def _recogniser(grammar: Grammar, alternatives: int) -> Any:
    import vosk

    key = (grammar, alternatives)
    if key in _recognisers:
        _recognisers.move_to_end(key)
        return _recognisers[key]
    # ensure_ascii: the library's reader does not decode \u00fc, and words with umlauts would vanish
    made = vosk.KaldiRecognizer(_model, SAMPLE_RATE, json.dumps(grammar, ensure_ascii=False))
    made.SetMaxAlternatives(alternatives)
    _recognisers[key] = made
    if len(_recognisers) > _KEPT:
        _recognisers.popitem(last=False)
    return made
