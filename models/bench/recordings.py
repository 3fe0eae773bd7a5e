"""The recordings and noises beside the project, which it measures with and never contains.

They are looked for in the folder that VOICECHESS_SHARED names, else in `shared` beside the repository. A manifest
(tab-separated: file, split, text, vocab, speaker, kind, ...) says what is in them.
"""

from __future__ import annotations

import csv
import importlib
import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from models.bench.synthesis import SAMPLE_RATE, resampled
from voicechess.messages import Failure, Text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NOISES = ("babble", "factory1", "music", "volvo")
"""Noises for measuring, in noise/check."""

TUNING_NOISES = ("doing_the_dishes", "exercise_bike", "pink_noise", "running_tap")
"""Noises for choosing settings, in noise/train; `crowd` makes another."""


@dataclass(frozen=True)
class Recording:
    """One recorded utterance. `path` is relative to the speech folder, `text` is what is said, lower case."""

    path: str
    text: str
    speaker: str
    human: bool


def shared_folder() -> Path:
    """Where the recordings are. Raises Failure when they are not there."""
    named = os.environ.get("VOICECHESS_SHARED")
    folder = Path(named) if named else Path(__file__).resolve().parents[3] / "shared"
    if not (folder / "speech" / "manifest.tsv").is_file():
        raise Failure("bench.recordings_missing", {"path": Text(str(folder))})
    return folder


def require_extra() -> None:
    """Raises Failure when what measuring needs beyond playing is not installed."""
    for name in ("numpy", "soundfile"):
        try:
            importlib.import_module(name)
        except (ImportError, OSError) as error:  # soundfile raises OSError where its library is missing
            raise Failure("cli.missing_extra", {"extra": Text("bench")}) from error


def recordings(split: str) -> list[Recording]:
    """The recordings of a split, "check" (for measuring) or "train", in the order of the manifest."""
    with (shared_folder() / "speech" / "manifest.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [
        Recording(row["file"], " ".join(row["text"].lower().split()), row["speaker"], row["kind"].startswith("human"))
        for row in rows
        if row["split"] == split
    ]


def load_recording(path: str) -> NDArray[np.float32]:
    """A recording's samples, by its path in the manifest."""
    return _load(shared_folder() / "speech" / path)


@lru_cache(maxsize=8)
def load_noise(name: str) -> NDArray[np.float32]:
    """One of `NOISES` or `TUNING_NOISES`."""
    return _load(shared_folder() / "noise" / ("check" if name in NOISES else "train") / f"{name}.flac")


def _load(path: Path) -> NDArray[np.float32]:
    import soundfile

    try:
        samples, rate = soundfile.read(path, dtype="float32", always_2d=True)
    except (soundfile.SoundFileError, OSError) as error:
        raise Failure("bench.recording_unreadable", {"path": Text(str(path))}) from error
    mono: NDArray[np.float32] = samples[:, 0]
    return resampled(mono, int(rate), SAMPLE_RATE)
