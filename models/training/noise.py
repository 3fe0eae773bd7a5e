"""What is heard beside the player: recordings, coloured noise, voices in the room, music, knocks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy import fft

from models.training.features import RATE, Floats
from models.training.rooms import REFERENCE, loudness, room
from models.training.speech import Speaker


def recorded(folder: Path, seconds: float = 180.0) -> list[Floats]:
    """The recordings in a folder of noises, 16 kHz, each cut to `seconds`; none if there is no such folder."""
    import soundfile

    return [
        np.asarray(soundfile.read(path, dtype="float32", frames=int(seconds * RATE))[0], np.float32)
        for path in sorted(folder.glob("*.flac"))
    ]


def coloured(seconds: float, rng: np.random.Generator) -> Floats:
    """Noise whose spectrum falls, rises or undulates, and whose level may waver, as fans, wind and traffic do."""
    count = int(seconds * RATE)
    spectrum = fft.rfft(rng.standard_normal(count).astype(np.float32))
    hertz = np.linspace(1, RATE / 2, len(spectrum))
    decibels = -rng.uniform(-3, 9) * np.log2(hertz / 1000 + 0.02)
    knots = rng.standard_normal(8) * rng.choice([1, 4, 8])
    decibels += np.interp(np.sqrt(hertz / hertz[-1]), np.linspace(0, 1, 8), knots)
    sound = fft.irfft(spectrum * 10 ** (decibels / 20), count)
    if rng.random() < 0.4:
        wave = np.interp(
            np.arange(count),
            np.arange(0, count + RATE, RATE // 2),
            rng.uniform(-12, 6, count // (RATE // 2) + 3)[: len(np.arange(0, count + RATE, RATE // 2))],
        )
        sound *= 10 ** (wave / 20)
    return np.asarray(sound, np.float32)


def babble(seconds: float, voices: int, speaker: Speaker, rng: np.random.Generator) -> Floats:
    """Several people talking at once, about other things, most of them far from the microphone."""
    count = int(seconds * RATE)
    total = np.zeros(count, np.float32)
    for _ in range(voices):
        track = np.zeros(0, np.float32)
        while len(track) < count:
            words = [speaker.choice.choice(speaker.others) for _ in range(speaker.choice.randint(3, 10))]
            said = speaker.say(words)
            if said is not None:
                track = np.concatenate([track, said.samples / loudness(said.samples)])
        track = track[:count]
        if rng.random() < 0.6:
            track = room(track, rng)[:count]
        total += track * np.float32(10 ** (rng.uniform(-8, 0) / 20))
    return total


def music(seconds: float, rng: np.random.Generator) -> Floats:
    """Chords, a tune and a beat: nothing anyone would listen to, but with music's lines and strokes in its spectrum."""
    count = int(seconds * RATE)
    total = np.zeros(count, np.float64)
    beat = rng.uniform(0.25, 0.7)
    at = 0.0
    while at < seconds - 0.3:
        long = min(beat * rng.choice([0.5, 1, 1, 2, 4]), seconds - at)
        time = np.arange(int(long * RATE)) / RATE
        note = np.zeros(len(time))
        for _ in range(int(rng.choice([1, 1, 2, 3, 4]))):
            hertz = 55 * 2 ** (rng.integers(0, 48) / 12)
            vibrato = rng.uniform(0, 0.01) * np.sin(2 * np.pi * rng.uniform(4, 7) * time)
            phase = 2 * np.pi * hertz * np.cumsum(1 + vibrato) / RATE
            fall = rng.uniform(0.4, 1.6)
            for harmonic in range(1, 1 + min(14, int(7000 / hertz))):
                note += np.sin(harmonic * phase) / harmonic**fall * rng.uniform(0.3, 1)
        envelope = np.minimum(1, time / rng.uniform(0.005, 0.08)) * np.exp(-time * rng.uniform(0.2, 5))
        begin = int(at * RATE)
        total[begin : begin + len(time)] += note * envelope
        if rng.random() < 0.5:
            drum = rng.standard_normal(min(1600, count - begin)) * np.exp(
                -np.arange(min(1600, count - begin)) / rng.uniform(80, 500)
            )
            total[begin : begin + len(drum)] += drum * rng.uniform(0.5, 4)
        at += long * rng.choice([0.5, 1, 1])
    return np.asarray(total, np.float32)


def knocks(seconds: float, rng: np.random.Generator) -> Floats:
    """Pieces set down, keys, a chair: short strokes with a ring of their own over a little hiss."""
    count = int(seconds * RATE)
    total = rng.standard_normal(count) * 0.01
    for _ in range(int(seconds * rng.uniform(1, 5))):
        begin, long = int(rng.integers(0, count - 3200)), int(rng.integers(200, 3000))
        time = np.arange(long) / RATE
        stroke = rng.standard_normal(long) + rng.uniform(0, 5) * np.sin(2 * np.pi * rng.uniform(200, 4000) * time)
        total[begin : begin + long] += stroke * np.exp(-time * rng.uniform(15, 200)) * rng.uniform(0.1, 2)
    return np.asarray(total, np.float32)


def level(sound: Floats) -> Floats:
    """The sound at the reference loudness."""
    return sound * np.float32(REFERENCE / loudness(sound))


def pool(seed: int, folder: Path | None, minutes: float, speaker: Speaker) -> list[Floats]:
    """A collection of noises at the reference loudness: a third voices, the rest of every kind.

    Args:
        folder: recordings for training; None for artificial noise only.
        minutes: how much of the artificial ones, in all.
    """
    rng = np.random.default_rng(seed)
    sounds = recorded(folder) if folder is not None else []
    long = 10.0
    for index in range(max(6, round(minutes * 60 / long))):
        kind = index % 6
        if kind < 3:
            sounds.append(babble(long, int(rng.choice([3, 4, 5, 6, 9, 12])), speaker, rng))
        else:
            sounds.append((coloured, music, knocks)[kind - 3](long, rng))
    return [level(sound) for sound in sounds]
