"""Worker processes for measuring: each loads the speech model once; results keep the order of the work."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import TypeVar

from voicechess.messages import Failure

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


def same_dither() -> None:
    """What is decoded next is decoded the same every time: Kaldi dithers with the C library's rand()."""
    if sys.platform != "win32":
        ctypes.CDLL(None).srand(1)


def _begin(load: Callable[[str], None], model: str) -> None:
    quiet()
    load(model)
