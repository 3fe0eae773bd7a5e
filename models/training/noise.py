"""Background noise for training: recordings, coloured noise, voices, crowds, music, knocks, machines."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from scipy import fft, signal

from models.training.features import RATE, Floats
from models.training.rooms import REFERENCE, loudness, room
from models.training.speech import Speaker, resample


def recorded(folder: Path, seconds: float = 180.0) -> list[Floats]:
    """The noise recordings in a folder, 16 kHz, each cut to `seconds`; none if there is no such folder."""
    import soundfile

    return [
        np.asarray(soundfile.read(path, dtype="float32", frames=int(seconds * RATE))[0], np.float32)
        for path in sorted(folder.glob("*.flac"))
    ]


def coloured(seconds: float, rng: np.random.Generator) -> Floats:
    """Noise with a falling, rising or undulating spectrum and perhaps a varying level, like fans, wind and traffic."""
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


def voices(speaker: Speaker, people: Sequence[Floats], minutes: float) -> list[Floats]:
    """Tracks of about half a minute, each of one person talking, at a loudness of 1.

    Args:
        speaker: says the synthetic tracks, of words outside the game.
        people: recordings to concatenate for the others; may be empty.
        minutes: minimal duration of the synthetic tracks; of the others at most about as much.
    """
    tracks: list[Floats] = []
    while sum(map(len, tracks)) < minutes * 60 * RATE:
        track, voice = np.zeros(0, np.float32), speaker.choice.choice(speaker.voices)
        while len(track) < 30 * RATE:
            words = [speaker.choice.choice(speaker.others) for _ in range(speaker.choice.randint(3, 10))]
            said = speaker.say(words, voice=voice)
            if said is not None:
                track = np.concatenate([track, said.samples / np.float32(loudness(said.samples))])
        tracks.append(track)
    order = list(range(len(people)))
    speaker.choice.shuffle(order)
    track = np.zeros(0, np.float32)
    for index in order if people else ():
        track = np.concatenate([track, people[index] / np.float32(loudness(people[index]))])
        if len(track) > 30 * RATE:
            tracks.append(track)
            track = np.zeros(0, np.float32)
            if sum(map(len, tracks)) > 2 * minutes * 60 * RATE:
                break
    return tracks


def _talking(seconds: float, tracks: Sequence[Floats], rng: np.random.Generator) -> Floats:
    """A random stretch of a random track, slightly resampled."""
    count, factor = int(seconds * RATE), rng.uniform(0.85, 1.18)
    needed = int(count * factor) + 1
    track = np.roll(tracks[int(rng.integers(len(tracks)))], int(rng.integers(30 * RATE)))
    return resample(np.resize(track, needed), count)


def babble(seconds: float, count: int, tracks: Sequence[Floats], rng: np.random.Generator) -> Floats:
    """`count` people talking at once, most of them far from the microphone. `tracks`: of `voices`."""
    total = np.zeros(int(seconds * RATE), np.float32)
    for _ in range(count):
        track = _talking(seconds, tracks, rng)
        if rng.random() < 0.6:
            track = room(track, rng)[: len(track)]
        total += track * np.float32(10 ** (rng.uniform(-10, 0) / 20))
    return total


def talker(seconds: float, tracks: Sequence[Floats], rng: np.random.Generator) -> Floats:
    """One person talking in the room, near or far, or on television: band-limited, compressed, perhaps over music.
    `tracks`: of `voices`."""
    count = int(seconds * RATE)
    track = _talking(seconds, tracks, rng)
    if rng.random() < 0.5:
        # Somebody on the telephone, or listening to another: silences of a second or more.
        edges = np.cumsum(rng.uniform(0.8, 4, int(seconds) + 2))
        quiet = np.searchsorted(edges, np.arange(count) / RATE) % 2 == 1
        track = track * np.where(quiet, np.float32(0.01), np.float32(1))
    kind = rng.random()
    if kind < 0.5:
        track = room(track, rng, longest=0.9)[:count]
    elif kind < 0.75:
        band = signal.butter(2, (rng.uniform(80, 300), rng.uniform(4000, 7500)), "band", fs=RATE, output="sos")
        limit = np.float32(3 * loudness(track))
        track = np.tanh(signal.sosfilt(band, track) / limit).astype(np.float32)
        if rng.random() < 0.5:
            track = level(track) + level(music(seconds, rng)) * np.float32(rng.uniform(0.03, 0.3))
        track = room(track, rng, longest=0.6)[:count]
    return np.asarray(track, np.float32)


def crowd(seconds: float, tracks: Sequence[Floats], rng: np.random.Generator) -> Floats:
    """15 to 60 people talking in a hall, so that no word is intelligible, as in a canteen or before a round."""
    size = int(seconds * RATE)
    total = np.zeros(size, np.float32)
    for _ in range(int(rng.integers(15, 60))):
        track = np.roll(tracks[int(rng.integers(len(tracks)))], int(rng.integers(30 * RATE)))
        total += np.resize(track, size) * np.float32(10 ** (rng.uniform(-14, 0) / 20))
    return room(total, rng, longest=1.2)[:size]


def machine(seconds: float, rng: np.random.Generator) -> Floats:
    """Machines in a workshop or a kitchen: a hum with harmonics, hiss, and rhythmic metallic strokes."""
    count = int(seconds * RATE)
    time = np.arange(count) / RATE
    total = np.zeros(count)
    for _ in range(int(rng.integers(1, 4))):
        hertz = rng.uniform(40, 400) * (1 + rng.uniform(0, 0.02) * np.sin(2 * np.pi * rng.uniform(0.05, 2) * time))
        phase = 2 * np.pi * np.cumsum(hertz) / RATE
        for harmonic in range(1, int(rng.integers(4, 30))):
            total += np.sin(harmonic * phase + rng.uniform(0, 6)) * rng.uniform(0, 1) / harmonic ** rng.uniform(0.2, 1)
    total /= np.sqrt((total**2).mean()) + 1e-9
    total = total * 10 ** (rng.uniform(-14, 4) / 20) + coloured(seconds, rng).astype(np.float64)
    begin, period = rng.uniform(0, 1), rng.uniform(0.08, 1.6)
    rings, decay, strength = rng.uniform(300, 5000, 4), rng.uniform(8, 90), 10 ** (rng.uniform(-6, 22) / 20)
    while begin < seconds - 0.3:
        long = min(int(0.4 * RATE), count - int(begin * RATE))
        ring = np.arange(long) / RATE
        stroke = rng.standard_normal(long) * rng.uniform(0.1, 1)
        stroke += sum(np.sin(2 * np.pi * tone * rng.uniform(0.97, 1.03) * ring) for tone in rings)
        total[int(begin * RATE) : int(begin * RATE) + long] += stroke * np.exp(-ring * decay) * strength
        begin += period * rng.uniform(0.9, 1.1) if rng.random() < 0.9 else rng.uniform(0.2, 3)
    return np.asarray(total, np.float32)


def music(seconds: float, rng: np.random.Generator) -> Floats:
    """Random chords, notes and drum beats, with the spectral lines and onsets of music."""
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
    """Pieces set down, keys, a chair: short decaying strokes over a little hiss."""
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


# Kinds of artificial noise, and their shares.
_KINDS = ("babble", "crowd", "coloured", "music", "knocks", "machine", "radio", "talker")
_SHARES = (0.22, 0.12, 0.10, 0.12, 0.06, 0.10, 0.06, 0.22)


def pool(
    seed: int, folder: Path | None, minutes: float, speaker: Speaker, people: Sequence[Floats] = ()
) -> list[Floats]:
    """Noises at the reference loudness: recordings, and artificial ones of ten seconds, at least one of every kind.

    Args:
        folder: recordings for training; None: artificial noise only.
        minutes: total duration of the artificial ones.
        people: recordings of people for background voices.
    """
    rng = np.random.default_rng(seed)
    sounds = recorded(folder) if folder is not None else []
    tracks, long = voices(speaker, people, minutes / 3), 10.0
    for index in range(max(len(_KINDS), round(minutes * 60 / long))):
        kind = _KINDS[index] if index < len(_KINDS) else str(rng.choice(_KINDS, p=_SHARES))
        if kind == "babble":
            sound = babble(long, int(rng.choice([2, 3, 4, 5, 6, 9, 12])), tracks, rng)
        elif kind == "crowd":
            sound = crowd(long, tracks, rng)
        elif kind == "talker":
            sound = talker(long, tracks, rng)
        elif kind == "radio":
            sound = level(music(long, rng)) + level(_talking(long, tracks, rng)) * np.float32(rng.uniform(0.3, 2))
        else:
            sound = {"coloured": coloured, "music": music, "knocks": knocks, "machine": machine}[kind](long, rng)
        sounds.append(sound)
    return [level(sound) for sound in sounds]
