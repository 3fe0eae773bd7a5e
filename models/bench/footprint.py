"""The cost of a speech model: size on disk, loading time, memory, processor time; and which words it knows.

Everything runs in a separate process, which also shows whether the model can be loaded: a damaged one may crash it.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from models.bench.decoding import quiet
from models.bench.samples import Sample, render
from models.bench.synthesis import SAMPLE_RATE
from voicechess.messages import Failure, Text
from voicechess.own_files import is_there

P = ParamSpec("P")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Footprint:
    """The cost of a model on this machine."""

    size_bytes: int  # of all files in its folder
    load_s: float  # seconds to load it from the disk cache
    ready_s: float  # seconds to make a recogniser with a grammar, once loaded
    load_memory_mb: float  # growth of the process by loading, megabytes
    memory_mb: float  # largest growth while decoding, megabytes
    real_time_factor: float  # processor seconds per second of sound, one thread


def in_own_process(
    function: Callable[Concatenate[Path, P], Result], model: Path, *args: P.args, **kwargs: P.kwargs
) -> Result:
    """`function(model, …)` in a fresh process. Raises Failure if the process dies or the model is refused."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"), initializer=quiet) as pool:
        try:
            return pool.submit(function, model, *args, **kwargs).result()
        except BrokenProcessPool as error:
            raise Failure("bench.model_unusable", {"path": Text(str(model))}) from error


def known_words(model: Path, words: Sequence[str]) -> frozenset[str]:
    """Those of `words` (and "[unk]") that the model can recognise. To be called by `in_own_process`."""
    loaded = _loaded(model)
    return frozenset(word for word in words if loaded.vosk_model_find_word(word) >= 0)


def footprint(model: Path, grammar: Sequence[str], samples: Sequence[Sample]) -> Footprint:
    """Loads the model and decodes `samples` in small pieces, as from a microphone. To be called by `in_own_process`."""
    import vosk

    sounds = [render(sample).samples.tobytes() for sample in samples]
    files = [file for file in model.rglob("*") if file.is_file()]
    size = sum(len(file.read_bytes()) for file in files)  # reads all, so that loading is timed from the disk cache
    before = resident_mb()
    began = time.perf_counter()
    loaded = _loaded(model)
    load_s = time.perf_counter() - began
    load_memory = resident_mb() - before
    began = time.perf_counter()
    recogniser = vosk.KaldiRecognizer(loaded, SAMPLE_RATE, json.dumps(grammar, ensure_ascii=False))
    ready_s = time.perf_counter() - began
    spent, peak = 0.0, load_memory
    for data in sounds:
        began = time.thread_time()
        for first in range(0, len(data), 6400):
            recogniser.AcceptWaveform(data[first : first + 6400])
        recogniser.FinalResult()
        spent += time.thread_time() - began
        peak = max(peak, resident_mb() - before)
    return Footprint(
        size_bytes=size,
        load_s=load_s,
        ready_s=ready_s,
        load_memory_mb=load_memory,
        memory_mb=peak,
        real_time_factor=spent / (sum(map(len, sounds)) / 2 / SAMPLE_RATE),
    )


def _loaded(model: Path) -> Any:
    import vosk

    if not is_there(model) or not model.is_dir():
        raise Failure("bench.model_missing", {"path": Text(str(model))})
    vosk.SetLogLevel(-1)
    try:
        return vosk.Model(model_path=str(model))
    except Exception as error:  # vosk raises plain Exception
        raise Failure("bench.model_unusable", {"path": Text(str(model))}) from error


def family_mb(pid: int) -> float:
    """Current memory of a process and all its descendants, megabytes; 0 outside Linux."""
    if sys.platform != "linux":
        return 0.0
    parents: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
    family = {pid}
    while grown := {child for child, parent in parents.items() if parent in family} - family:
        family |= grown
    pages = 0
    for member in family:
        with suppress(OSError):
            pages += int(Path(f"/proc/{member}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def resident_mb() -> float:
    """Memory of this process in megabytes (10^6 bytes): current on Linux, the peak elsewhere, 0 on Windows."""
    if sys.platform == "linux":
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
    try:
        import resource
    except ImportError:  # Windows
        return 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak / 1e3
