"""Test items as descriptions, rendered to sound in the process that decodes them.

A `Sample` says who says what under which conditions; `render` makes its sound, which is reproducible bit by bit in
every process, since its name seeds everything random.

Recordings and noises are not part of the project: they are in the folder named by VOICECHESS_SHARED, otherwise in
`shared` beside the repository. Their manifest is tab-separated, with columns file, split, text, vocab, speaker, kind.
"""

from __future__ import annotations

import csv
import importlib
import os
import zlib
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from models.bench.synthesis import SAMPLE_RATE, Voice, synthesise
from models.languages import USUAL
from models.languages.voices import voices
from voicechess.messages import Failure, Text
from voicechess.sound import mixing
from voicechess.sound.mixing import NOMINAL_DBFS, at_level
from voicechess.sound.voices import resampled

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# --- The recordings and noises beside the project ---


NOISES = ("babble", "factory1", "music", "volvo")
"""Noises for measuring, in noise/check."""

TUNING_NOISES = ("doing_the_dishes", "exercise_bike", "pink_noise", "running_tap")
"""Noises for tuning, in noise/train; `crowd` is another one."""


@dataclass(frozen=True)
class Recording:
    """A recorded utterance."""

    path: str  # relative to the folder of its language's recordings
    text: str  # what is said, lower case
    speaker: str
    human: bool  # False: synthetic


def shared_folder() -> Path:
    """The folder of the recordings. Raises Failure if they are missing."""
    named = os.environ.get("VOICECHESS_SHARED")
    folder = Path(named) if named else Path(__file__).resolve().parents[3] / "shared"
    if not (folder / "speech" / "manifest.tsv").is_file():
        raise Failure("bench.recordings_missing", {"path": Text(str(folder))})
    return folder


def require_extra() -> None:
    """Raises Failure if the extra `bench` is not installed."""
    for name in ("numpy", "soundfile"):
        try:
            importlib.import_module(name)
        except (ImportError, OSError) as error:  # soundfile raises OSError where its library is missing
            raise Failure("cli.missing_extra", {"extra": Text("bench")}) from error


def recordings(split: str, code: str = USUAL) -> list[Recording]:
    """The recordings of a language in a split, "check" (for measuring) or "train", in the order of the manifest."""
    with (shared_folder() / voices(code).people / "manifest.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [
        Recording(row["file"], " ".join(row["text"].lower().split()), row["speaker"], row["kind"].startswith("human"))
        for row in rows
        if row["split"] == split
    ]


def load_recording(path: str, code: str = USUAL) -> NDArray[np.float32]:
    """A recording's samples, by its path in the manifest of its language."""
    return _load(shared_folder() / voices(code).people / path)


@lru_cache(maxsize=8)
def load_noise(name: str) -> NDArray[np.float32]:
    """The samples of a noise: one of `NOISES`, `TUNING_NOISES`, or of a room (`hearing_rooms`)."""
    folders = [shared_folder() / "noise" / split for split in ("check", "train")]
    found = (path for folder in folders if (path := folder / f"{name}.flac").is_file())
    return _load(next(found, folders[0] / f"{name}.flac"))


def _load(path: Path) -> NDArray[np.float32]:
    import soundfile

    try:
        samples, rate = soundfile.read(path, dtype="float32", always_2d=True)
    except (soundfile.SoundFileError, OSError) as error:
        raise Failure("bench.recording_unreadable", {"path": Text(str(path))}) from error
    mono: NDArray[np.float32] = samples[:, 0]
    return resampled(mono, int(rate), SAMPLE_RATE)


# --- A crowd: many voices at once, mixed from recordings ---
# The tuning noises are all of machines and water, while the commonest noise is other people.


CROWD = "crowd"
"""Its name as a noise."""

CROWD_VOICES = 12
"""Number of people who speak at a time."""

CROWD_SECONDS = 60
"""Duration, seconds."""


@lru_cache(maxsize=1)
def crowd() -> NDArray[np.float32]:
    """The crowd, reproducible. Raises Failure if the recordings are missing."""
    import numpy as np

    draw = np.random.default_rng(12)
    people = [one.path for one in recordings("train") if one.human]
    length = CROWD_SECONDS * SAMPLE_RATE
    mixed = np.zeros(length, np.float32)
    for _ in range(CROWD_VOICES):
        spoken: list[NDArray[np.float32]] = []
        while sum(map(len, spoken)) < length:
            spoken.append(at_level(load_recording(people[draw.integers(len(people))]), NOMINAL_DBFS))
        mixed += np.concatenate(spoken)[:length] / CROWD_VOICES**0.5
    return mixed


# --- One person talking in the room, or on television: concatenated sentences of one speaker ---


TALKER, TELEVISION = "talker ", "television "
"""Prefixes of the names of these noises; the speaker follows, or language/speaker."""

TALKER_SECONDS = 45
"""Duration, seconds."""


@lru_cache(maxsize=4)
def talker(name: str) -> NDArray[np.float32]:
    """The talk of the speaker that the noise is named after, with pauses between sentences; reproducible.

    Television: through a loudspeaker (compressed, 150 to 5500 Hz) in a room. Raises Failure if the recordings are
    missing.
    """
    import numpy as np

    kind = TELEVISION if name.startswith(TELEVISION) else TALKER
    code, _, speaker = name.removeprefix(kind).rpartition("/")
    code = code or USUAL
    draw = np.random.default_rng(zlib.crc32(speaker.encode()))
    said = [one.path for split in ("check", "train") for one in recordings(split, code) if one.speaker == speaker]
    spoken: list[NDArray[np.float32]] = []
    while sum(map(len, spoken)) < TALKER_SECONDS * SAMPLE_RATE:
        sentence = at_level(load_recording(said[draw.integers(len(said))], code), NOMINAL_DBFS)
        spoken.append(mixing.padded(sentence, 0.0, float(draw.uniform(0.1, 0.6))))
    talking = np.concatenate(spoken)[: TALKER_SECONDS * SAMPLE_RATE]
    if kind == TALKER:
        return talking
    return mixing.reverberated(mixing.through_loudspeaker(talking), 0.4, draw, direct_db=0.0)


# --- Samples, and their sound ---


LEAD_S, TAIL_S = 0.4, 0.8
"""Seconds of silence (or noise) before the first and after the last sound."""


@dataclass(frozen=True)
class Spoken:
    """Synthetic speech."""

    text: str
    voice: Voice


@dataclass(frozen=True)
class Recorded:
    """A recording."""

    path: str  # in the manifest of its language
    language: str = USUAL  # code


@dataclass(frozen=True)
class Pause:
    """Silence."""

    seconds: float


Part = Spoken | Recorded | Pause


@dataclass(frozen=True)
class Conditions:
    """The way from the speaker to the recogniser."""

    noise: str = ""  # name for `load_noise`, `CROWD`, or of a `talker`; "": a quiet room
    snr_db: float = 0.0  # signal-to-noise ratio, decibels
    level_db: float = 0.0  # level above everyday speech, decibels
    rt60_s: float = 0.0  # reverberation time, seconds; 0: none
    direct_db: float = 3.0  # direct-to-reverberant energy ratio, decibels
    telephone: bool = False  # over an 8 kHz line


@dataclass(frozen=True)
class Sample:
    """An utterance to be recognised."""

    name: str  # unique within a measurement; seeds everything random
    parts: tuple[Part, ...]  # in sequence, each at the same level
    words: tuple[str, ...] = ()  # the right result of recognition
    conditions: Conditions = Conditions()
    labels: dict[str, str] = field(default_factory=dict)  # by which tables group, such as the speaker


@dataclass(frozen=True)
class Rendered:
    """The sound of a sample."""

    samples: NDArray[np.int16]  # at `SAMPLE_RATE`
    began_s: float  # begin of the speech in it, seconds
    ended_s: float  # end of the speech in it, seconds


def render(sample: Sample, tail_s: float = TAIL_S) -> Rendered:
    """Render `sample`. Raises Failure if a voice or recording is missing.

    `tail_s`: seconds of silence or noise after the speech.
    """
    import numpy as np

    rng = np.random.default_rng(zlib.crc32(sample.name.encode()))
    speech = np.concatenate([_part(part) for part in sample.parts])
    conditions = sample.conditions
    spoken_s = len(speech) / SAMPLE_RATE
    level = mixing.active_dbfs(speech)
    if conditions.rt60_s:
        speech = mixing.reverberated(speech, conditions.rt60_s, rng, conditions.direct_db)
    sound = mixing.padded(speech, LEAD_S, max(0.0, tail_s - (len(speech) / SAMPLE_RATE - spoken_s)))
    if conditions.noise:
        noise = _noise(conditions.noise)
        reference = level if level > -120.0 else mixing.NOMINAL_DBFS
        sound = mixing.with_noise(sound, noise, conditions.snr_db, reference, rng)
    if conditions.telephone:
        sound = mixing.telephone(sound)
    sound = mixing.with_floor(mixing.scaled(sound, conditions.level_db), rng)
    return Rendered(mixing.as_int16(sound), LEAD_S, LEAD_S + spoken_s)


def _noise(name: str) -> NDArray[np.float32]:
    if name == CROWD:
        return crowd()
    return talker(name) if name.startswith((TALKER, TELEVISION)) else load_noise(name)


def _recorded(part: Recorded) -> NDArray[np.float32]:
    return load_recording(part.path, part.language)


def _part(part: Part) -> NDArray[np.float32]:
    import numpy as np

    if isinstance(part, Pause):
        return np.zeros(round(part.seconds * SAMPLE_RATE), dtype=np.float32)
    said = synthesise(part.text, part.voice) if isinstance(part, Spoken) else _recorded(part)
    return mixing.at_level(said, mixing.NOMINAL_DBFS)
