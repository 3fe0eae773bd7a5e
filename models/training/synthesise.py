"""The first step of the recipe: features of synthetic speech and noise, in parts, on all cores."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from multiprocessing import get_context
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import cast

import numpy as np
from tqdm import tqdm

from models.training import corpus, human, noise
from models.training.features import log_mel
from models.training.language import language
from models.training.speech import Speaker

NOISE_PARTS = 4
"""Number of parts of noise; the recordings are in the first one."""


def speech_part(path: str, seed: int, minutes: float, code: str) -> None:
    """Make one part of the corpus: synthetic speech with reverberation."""

    def make() -> dict[str, np.ndarray]:
        spoken = language(code)
        return corpus.part(Speaker(seed, spoken).draw, minutes, np.random.default_rng(seed), spoken.sounds)

    corpus.keep(Path(path), make)


def noise_part(path: str, seed: int, minutes: float, noises: str | None, people: list[str], code: str) -> None:
    """Make one part of the noise: concatenated mel energies (`mel`), at the reference loudness.

    Args:
        noises: folder of recorded noises; None: artificial ones only.
        people: recordings of people for background voices.
        code: of the language of synthetic background voices.
    """

    def make() -> dict[str, np.ndarray]:
        talk = [human.read(Path(file)) for file in people]
        sounds = noise.pool(seed, Path(noises) if noises else None, minutes, Speaker(seed, language(code)), talk)
        random.Random(seed).shuffle(sounds)
        return {"mel": np.concatenate([log_mel(sound) for sound in sounds]).astype(np.float16)}

    corpus.keep(Path(path), make)


def in_processes(jobs: list[tuple[Callable[..., None], tuple[object, ...]]], cores: int) -> None:
    """Run jobs in separate processes, since espeak-ng crashes on a few texts; such a part is made from another seed.

    Args:
        jobs: functions and their arguments, of which the first is a path and the second a seed.
        cores: number of processes at a time.

    Raises:
        RuntimeError: a part failed five times.
    """
    context = get_context("spawn")
    waiting = [(job, arguments, 0) for job, arguments in reversed(jobs)]
    running: list[tuple[BaseProcess, Callable[..., None], tuple[object, ...], int]] = []
    with tqdm(total=len(jobs), desc="synthesise", unit="part") as bar:
        while waiting or running:
            while waiting and len(running) < cores:
                job, arguments, tried = waiting.pop()
                path, seed, *rest = arguments
                process: BaseProcess = context.Process(
                    target=job, args=(path, cast(int, seed) + tried * 500_000, *rest)
                )
                process.start()
                running.append((process, job, arguments, tried))
            wait([process.sentinel for process, *_ in running])
            for entry in [entry for entry in running if entry[0].exitcode is not None]:
                running.remove(entry)
                process, job, arguments, tried = entry
                if process.exitcode == 0:
                    bar.update()
                elif tried < 4:
                    waiting.append((job, arguments, tried + 1))
                else:
                    raise RuntimeError(f"{arguments[0]}: failed five times")


def synthesise(
    work: Path,
    seed: int,
    parts: int,
    minutes: float,
    noise_minutes: float,
    noises: Path | None,
    people: Sequence[Path],
    cores: int,
    code: str,
) -> None:
    """Make the missing parts: `parts` parts of `minutes` of speech each, and noise.

    Args:
        work: folder for intermediate files.
        noises: folder of noise recordings for training; None: artificial noise only.
        people: recordings of people for training.
        cores: number of processes at a time.
        code: of the language.
    """
    jobs: list[tuple[Callable[..., None], tuple[object, ...]]] = []
    files = [str(path) for path in people]
    for index in range(NOISE_PARTS):
        folder = str(noises) if noises and index == 0 else None
        path, chosen = str(work / f"noise-{index}.npz"), files[index::NOISE_PARTS]
        jobs.append((noise_part, (path, seed * 1000 + 900 + index, noise_minutes / NOISE_PARTS, folder, chosen, code)))
    for index in range(parts):
        jobs.append((speech_part, (str(work / f"speech-{index:03d}.npz"), seed * 1000 + index, minutes, code)))
    in_processes(jobs, cores)
