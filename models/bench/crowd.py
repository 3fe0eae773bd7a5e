"""A crowd of people talking, for choosing settings: many recordings of the split "train" at once.

The recorded noises for that are all of things, while what people have round them most is other people.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from models.bench.mixing import NOMINAL_DBFS, at_level
from models.bench.recordings import load_recording, recordings
from models.bench.synthesis import SAMPLE_RATE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CROWD = "crowd"
"""Its name among the noises."""

VOICES = 12
SECONDS = 60


@lru_cache(maxsize=1)
def crowd() -> NDArray[np.float32]:
    """A minute of so many people at once, the same each time. Raises Failure when the recordings are not there."""
    import numpy as np

    draw = np.random.default_rng(12)
    people = [one.path for one in recordings("train") if one.human]
    length = SECONDS * SAMPLE_RATE
    mixed = np.zeros(length, np.float32)
    for _ in range(VOICES):
        spoken: list[NDArray[np.float32]] = []
        while sum(map(len, spoken)) < length:
            spoken.append(at_level(load_recording(people[draw.integers(len(people))]), NOMINAL_DBFS))
        mixed += np.concatenate(spoken)[:length] / VOICES**0.5
    return mixed
