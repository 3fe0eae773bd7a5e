"""A fourth synthesiser, Flite: its voices are two Americans and a Scot, and have the sounds of English.

It is a program of the system: on Debian `apt-get install flite`, which brings its voices along.
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
"""Its voices that Festival does not have."""
PACKAGE = "flite"
LICENCE = "Carnegie Mellon's and the University of Edinburgh's, much like MIT"


class Everything:
    """The passages between sounds that a voice can say where they need not have been recorded: all."""

    def __contains__(self, passage: object) -> bool:
        return True


def available() -> bool:
    """Whether the program is installed."""
    return shutil.which("flite") is not None


def speak(plan: Plan, pace: float = 1.0, pitch: float = 1.0) -> tuple[NDArray[np.float32], tuple[Said, ...]]:
    """The sound of a plan, -1 to 1, mono, 16 kHz, and when the sounds of its language really are.

    The voice takes its sounds from the plan, but lengths and melody of its own.

    Args:
        pace, pitch: against the voice's usual, 0.3 to 3.

    Returns:
        The samples; times as in a `Plan`, counted from `diphones.LEAD_S` after their beginning. Both empty if the
        voice cannot say it.

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
