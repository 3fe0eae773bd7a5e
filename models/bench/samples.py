"""Test items described in a few words, and made into sound where they are decoded, so that processes share the work.

A `Sample` says who says what under which conditions; `render` makes its sound. Equal samples sound equal, bit for
bit, in every process: whatever is drawn at random is drawn from the sample's own name.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from models.bench import mixing
from models.bench.crowd import CROWD, crowd
from models.bench.recordings import load_noise, load_recording
from models.bench.synthesis import SAMPLE_RATE, Voice, synthesise

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LEAD_S, TAIL_S = 0.4, 0.8
"""Silence (or noise) before the first and after the last spoken sound."""


@dataclass(frozen=True)
class Spoken:
    """German text said by a synthetic voice."""

    text: str
    voice: Voice


@dataclass(frozen=True)
class Recorded:
    """A recording beside the project, by its path in the manifest."""

    path: str


@dataclass(frozen=True)
class Pause:
    """Silence, in seconds."""

    seconds: float


Part = Spoken | Recorded | Pause


@dataclass(frozen=True)
class Conditions:
    """What happens on the way to the recogniser.

    noise: one of `recordings.NOISES` or `TUNING_NOISES`, `CROWD`, or "" for a quiet room; snr_db: speech over noise.
    level_db: louder than everyday speech by so much. rt60_s: reverberation time of the room, 0 for none. telephone:
    over an 8 kHz line.
    """

    noise: str = ""
    snr_db: float = 0.0
    level_db: float = 0.0
    rt60_s: float = 0.0
    telephone: bool = False


@dataclass(frozen=True)
class Sample:
    """One utterance to be recognised.

    name: unique within a measurement; seeds what is random. parts: said one after the other, each at the same level.
    words: what a perfect recogniser would return. labels: what the tables group by, such as the speaker.
    """

    name: str
    parts: tuple[Part, ...]
    words: tuple[str, ...] = ()
    conditions: Conditions = Conditions()
    labels: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Rendered:
    """A sample as sound: 16-bit samples, and where the speech begins and ends in them, in seconds."""

    samples: NDArray[np.int16]
    began_s: float
    ended_s: float


def render(sample: Sample, tail_s: float = TAIL_S) -> Rendered:
    """The sound of `sample` at `SAMPLE_RATE`. Raises Failure when a voice or recording is not there.

    tail_s: seconds of silence or noise behind the last spoken sound.
    """
    import numpy as np

    rng = np.random.default_rng(zlib.crc32(sample.name.encode()))
    speech = np.concatenate([_part(part) for part in sample.parts])
    conditions = sample.conditions
    spoken_s = len(speech) / SAMPLE_RATE
    level = mixing.active_dbfs(speech)
    if conditions.rt60_s:
        speech = mixing.reverberated(speech, conditions.rt60_s, rng)
    sound = mixing.padded(speech, LEAD_S, max(0.0, tail_s - (len(speech) / SAMPLE_RATE - spoken_s)))
    if conditions.noise:
        noise = crowd() if conditions.noise == CROWD else load_noise(conditions.noise)
        reference = level if level > -120.0 else mixing.NOMINAL_DBFS
        sound = mixing.with_noise(sound, noise, conditions.snr_db, reference, rng)
    if conditions.telephone:
        sound = mixing.telephone(sound)
    sound = mixing.with_floor(mixing.scaled(sound, conditions.level_db), rng)
    return Rendered(mixing.as_int16(sound), LEAD_S, LEAD_S + spoken_s)


def _part(part: Part) -> NDArray[np.float32]:
    import numpy as np

    if isinstance(part, Pause):
        return np.zeros(round(part.seconds * SAMPLE_RATE), dtype=np.float32)
    said = synthesise(part.text, part.voice) if isinstance(part, Spoken) else load_recording(part.path)
    return mixing.at_level(said, mixing.NOMINAL_DBFS)
