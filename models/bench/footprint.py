"""What a speech model costs: size on disk, time to load, memory, processor time; and which words it knows.

Everything is measured in a process of its own, which is also the proof that the model can be loaded at all: a damaged
one may end the process it is loaded into.
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
    """Cost of a model on this machine.

    size_bytes: all files of its folder. load_s: seconds to load it with its files in the disk cache. ready_s: seconds
    from the loaded model to a recogniser with the given grammar. load_memory_mb, memory_mb: megabytes the process grew
    by after loading, and at most while decoding. real_time_factor: processor seconds for a second of sound, one thread.
    """

    size_bytes: int
    load_s: float
    ready_s: float
    load_memory_mb: float
    memory_mb: float
    real_time_factor: float


def in_own_process(
    function: Callable[Concatenate[Path, P], Result], model: Path, *args: P.args, **kwargs: P.kwargs
) -> Result:
    """`function(model, ...)` from a fresh process. Raises Failure when that process dies or the model is refused."""
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
    """Memory now of a process and all that it has started, in megabytes; 0 where it is not told (only Linux does)."""
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
    """Memory of this process now (on Linux) or at its peak (elsewhere; 0 on Windows), in megabytes of 10^6 bytes."""
    if sys.platform == "linux":
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
    try:
        import resource
    except ImportError:  # Windows
        return 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak / 1e3
