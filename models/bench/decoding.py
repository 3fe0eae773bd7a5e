"""Decoding many samples with one speech model on all cores, with results independent of the number of cores.

Each worker process loads the model once and has its own recognisers (a vosk recogniser belongs to one thread). Each
sample is decoded as a whole and independently of the others. Results are in the order of the work.
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
"""Called with the number of finished items and their total."""

_MOST_JOBS = 8
"""Most worker processes by default; each holds a model in memory."""


class Workers:
    """Processes that have run `load(model)` once; a context manager.

    A failing `load` breaks the whole pool; `footprint.known_words` checks before whether a model can be loaded.
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
        """Results of `function` for `work` in pieces of `piece` items, in order. Raises Failure if a worker dies."""
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
    """Discard this process' standard error, where the recogniser logs whatever its log level."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


def _begin(load: Callable[[str], None], model: str) -> None:
    quiet()
    load(model)


# --- Decoding ---


Grammar = tuple[str, ...]
"""Phrases that can be recognised; "[unk]" among them: everything else."""

_PIECE = 12  # samples a worker takes at a time
_KEPT = 4  # recognisers that a worker keeps, those of the last grammars


@dataclass(frozen=True)
class Task:
    """A sample to be decoded."""

    sample: Sample
    grammars: tuple[Grammar, ...]  # once with each of them
    alternatives: int = 0  # length of the n-best list; 0: only the best hypothesis


@dataclass(frozen=True)
class Hypothesis:
    """A word sequence."""

    words: tuple[str, ...]
    score: float = 0.0  # vosk's confidence, comparable within one recognition only


@dataclass(frozen=True)
class Recognition:
    """The result of decoding a sample with one grammar."""

    hypotheses: tuple[Hypothesis, ...]  # best first, never empty
    sound_s: float  # duration of the sound
    cpu_s: float  # processor time of decoding it

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the best hypothesis."""
        return self.hypotheses[0].words


class Decoder:
    """Worker processes that decode with a speech model; a context manager."""

    def __init__(self, model: Path, jobs: int | None = None) -> None:
        self._workers = Workers(_load, model, jobs)

    def __enter__(self) -> Decoder:
        return self

    def __exit__(self, *exception: object) -> None:
        self._workers.__exit__(*exception)

    def decode(self, tasks: Sequence[Task], progress: Progress | None = None) -> list[tuple[Recognition, ...]]:
        """A recognition for each grammar of each task, in order. Raises Failure if a worker dies."""
        return self._workers.map(_decode_all, tasks, _PIECE, progress)


_model: Any = None
_recognisers: OrderedDict[tuple[Grammar, int], Any] = OrderedDict()


def _load(path: str) -> None:
    global _model
    import vosk

    vosk.SetLogLevel(-1)
    _model = vosk.Model(model_path=path)  # raises if it is no model, which breaks the pool


def _decode_all(tasks: Sequence[Task]) -> list[tuple[Recognition, ...]]:
    return [_decode(task) for task in tasks]


def _decode(task: Task) -> tuple[Recognition, ...]:
    data = render(task.sample).samples.tobytes()
    return tuple(_recognise(data, grammar, task.alternatives) for grammar in task.grammars)


def _recognise(data: bytes, grammar: Grammar, alternatives: int) -> Recognition:
    recogniser = _recogniser(grammar, alternatives)
    same_dither()
    began = time.thread_time()
    # In one piece, since vosk checks for endpoints only between pieces, and here a sample is one utterance.
    recogniser.AcceptWaveform(data)
    result = json.loads(recogniser.FinalResult())  # also resets the features for the next sample
    spent = time.thread_time() - began
    return Recognition(hypotheses(result), len(data) / 2 / SAMPLE_RATE, spent)


def hypotheses(result: dict[str, Any]) -> tuple[Hypothesis, ...]:
    """The hypotheses of a result of vosk's, with or without alternatives; at least one, perhaps without words."""
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
