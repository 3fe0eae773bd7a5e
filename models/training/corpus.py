"""Features and labels of many utterances in a row, made in parts so that a broken run goes on where it stopped.

A part is an .npz file: `mel` (frames, 40) half precision at the reference loudness and without noise, `phone`
(frames,), `garbage` (frames,) whether the word is not the model's, `segment` (frames,) counting the sounds, so that the
first frame of each is known.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from models.training.features import LENGTH, RATE, SHIFT, Floats, log_mel
from models.training.phones import Sounds
from models.training.rooms import REFERENCE, breath, clip, loudness, room, telephone
from models.training.speech import Utterance


@dataclass(frozen=True)
class Frames:
    """Features and labels, row by row; see this module's docstring."""

    mel: npt.NDArray[np.float16]
    phone: npt.NDArray[np.uint8]
    garbage: npt.NDArray[np.bool_]
    segment: npt.NDArray[np.int32]


def labels(
    utterance: Utterance, count: int, sounds: Sounds
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.bool_], npt.NDArray[np.int32]]:
    """The sound, the kind of word and the number of the sound at the middle of each of `count` frames."""
    phone, garbage = np.zeros(count, np.uint8), np.zeros(count, np.bool_)
    segment = np.zeros(count, np.int32)
    middle = (np.arange(count) * SHIFT + LENGTH / 2) / RATE
    number, last = 0, 0.0
    for sound in utterance.segments:
        number += 1 + (sound.begin > last + 1e-6)
        inside = (middle >= sound.begin) & (middle < sound.end)
        segment[middle >= sound.begin] = number
        segment[middle >= sound.end] = number + 1
        phone[inside], garbage[inside] = sounds.index[sound.phone], sound.garbage
        last = sound.end
    return phone, garbage, segment


def staged(utterance: Utterance, rng: np.random.Generator) -> Utterance:
    """The utterance in silence, a room or a telephone, at the reference loudness, sometimes with a breath before it."""
    before, after = int(RATE * rng.uniform(0.05, 0.5)), int(RATE * rng.uniform(0.1, 0.6))
    speech = utterance.samples * np.float32(REFERENCE / loudness(utterance.samples))
    head, tail = np.zeros(before, np.float32), np.zeros(after, np.float32)
    if rng.random() < 0.15 and before > 2400:
        head[-2400:-400] += breath(2000, rng) * np.float32(REFERENCE * rng.uniform(0.02, 0.3))
    whole = np.concatenate([head, speech, tail])
    if rng.random() < 0.5:
        whole = room(whole, rng)[: len(whole)]
    if rng.random() < 0.07:
        whole = clip(whole, rng)
    if rng.random() < 0.08:
        whole = telephone(whole, rng)
    shift = before / RATE
    moved = [type(s)(s.begin + shift, s.end + shift, s.phone, s.garbage) for s in utterance.segments]
    return Utterance(whole, moved, utterance.words)


def frames(utterances: Iterable[Utterance], sounds: Sounds) -> Frames:
    """Features and labels of utterances, one after the other."""
    mel: list[Floats] = []
    phone, garbage, segment, offset = [], [], [], 0
    for utterance in utterances:
        features = log_mel(utterance.samples)
        p, g, s = labels(utterance, len(features), sounds)
        mel.append(features)
        phone.append(p)
        garbage.append(g)
        segment.append(s + offset)
        offset += int(s[-1]) + 1 if len(s) else 0
    return Frames(
        np.concatenate(mel).astype(np.float16), np.concatenate(phone), np.concatenate(garbage), np.concatenate(segment)
    )


def part(
    draw: Callable[[], Utterance], minutes: float, rng: np.random.Generator, sounds: Sounds
) -> dict[str, npt.NDArray[np.generic]]:
    """So many minutes of utterances, each staged, as the arrays of one part."""
    made: list[Utterance] = []
    length = 0.0
    while length < minutes * 60:
        made.append(staged(draw(), rng))
        length += len(made[-1].samples) / RATE
    return vars(frames(made, sounds))


def keep(path: Path, make: Callable[[], dict[str, npt.NDArray[np.generic]]]) -> None:
    """Write arrays to `path` unless it is there already; never leaves half a file."""
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(f".{os.getpid()}.npz")
    np.savez(partial, **make())  # type: ignore[arg-type]
    partial.replace(path)


def load(paths: Iterable[Path]) -> Frames:
    """All parts as one.

    Raises:
        FileNotFoundError: there is none.
    """
    mel, phone, garbage, segment, offset = [], [], [], [], 0
    for path in paths:
        with np.load(path) as part:
            mel.append(part["mel"])
            phone.append(part["phone"])
            garbage.append(part["garbage"])
            segment.append(part["segment"] + offset)
            offset += int(part["segment"][-1]) + 1
    if not mel:
        raise FileNotFoundError("no parts of a corpus")
    return Frames(np.concatenate(mel), np.concatenate(phone), np.concatenate(garbage), np.concatenate(segment))
