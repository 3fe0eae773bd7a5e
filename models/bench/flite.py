"""The synthesiser Flite, with two American voices and a Scottish one, which have the phones of English.

It is a program of the system: on Debian `apt-get install flite`, which includes its voices.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from dataclasses import replace
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

from models.bench.diphones import LEAD_S, PEOPLE, Plan, Said
from models.bench.festival import read
from voicechess.messages import Failure

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

VOICES: tuple[str, ...] = ("slt", "rms", "awb")
"""Its voices that are not Festival's."""
PACKAGE = "flite"
LICENCE = "Carnegie Mellon's and the University of Edinburgh's, much like MIT"


class Everything:
    """The transitions of a voice that can say any: a container of everything."""

    def __contains__(self, passage: object) -> bool:
        return True


def available() -> bool:
    """Whether the program is installed."""
    return shutil.which("flite") is not None


def speak(plan: Plan, pace: float = 1.0, pitch: float = 1.0) -> tuple[NDArray[np.float32], tuple[Said, ...]]:
    """The sound of a plan, -1 to 1, mono, 16 kHz, and the actual times of its phones.

    The voice uses the phones of the plan, with its own durations and intonation.

    Args:
        pace, pitch: relative to the voice's usual, 0.3 to 3.

    Returns:
        The samples, and times as in a `Plan`, from `diphones.LEAD_S` on. Both empty if the voice cannot say it.

    Raises:
        Failure: the program is not installed.
    """
    import numpy as np

    if not available():
        raise Failure("bench.natural_missing")
    sounds = [piece.sound for piece in plan.pieces]
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "said.wav"
        done = subprocess.run(
            [
                "flite", "-voice", plan.voice, "--setf", f"duration_stretch={1 / pace:.3f}",
                "--setf", f"int_f0_target_mean={PEOPLE[plan.voice].hertz * pitch:.1f}",
                "-p", " ".join(sounds), "-psdur", "-o", str(path),
            ],
            capture_output=True, check=False, text=True,
        )  # fmt: skip
        spoken = [part.rsplit(":", 1) for part in done.stdout.split()]
        if done.returncode or [sound for sound, _ in spoken] != sounds or not path.exists():
            return np.zeros(0, np.float32), ()
        samples = read(path)
    planned = [0.0, *accumulate(piece.seconds for piece in plan.pieces)]
    real = [0.0, *(float(end) for _, end in spoken)]
    at = np.interp([[one.begin + LEAD_S, one.end + LEAD_S] for one in plan.said], planned, real) - LEAD_S
    said = tuple(replace(one, begin=float(b), end=float(e)) for one, (b, e) in zip(plan.said, at, strict=True))
    return samples, said
