"""Human recordings: which may be used, aligned with a first model, sped up and slowed down, and cut into sentences."""

from __future__ import annotations

import csv
import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import soundfile
from tqdm import tqdm

from models.training import align, corpus
from models.training.features import RATE, Floats
from models.training.language import Language
from models.training.rooms import REFERENCE, loudness
from models.training.speech import Segment, Speaker, Utterance, resample
from models.training.train import load_network

WORST = 0.06
"""Share of recordings left out because they fit their words least."""


@dataclass(frozen=True)
class Recording:
    """A line of the manifest: file (relative to the manifest), what is said, by whom, licence and source."""

    file: str
    text: str
    speaker: str
    licence: str
    source: str


def recordings(folder: Path, without: Collection[str] = ()) -> list[Recording]:
    """The recordings that may be trained on: those of the split "train" and no other, but for some speakers.

    Args:
        folder: where manifest.tsv stands, with columns file, split, text, speaker, licence, source_repo.
    """
    with (folder / "manifest.tsv").open(encoding="utf-8", newline="") as lines:
        return [
            Recording(row["file"], row["text"], row["speaker"], row["licence"], row["source_repo"])
            for row in csv.DictReader(lines, delimiter="\t")
            if row["split"] == "train" and row["speaker"] not in without
        ]


def read(path: Path) -> Floats:
    """Samples at full scale 32768, 16 kHz.

    Raises:
        ValueError: another rate.
    """
    samples, rate = soundfile.read(path, dtype="float32")
    if rate != RATE:
        raise ValueError(f"{path}: {rate} samples a second")
    return np.asarray(samples * 32768, np.float32)


def align_all(
    language: Language, folder: Path, model: Path, out: Path, known: frozenset[str], without: Collection[str] = ()
) -> None:
    """Align every recording that may be trained on; writes one JSON object a line: file, speaker, words, sounds."""
    network = load_network(model)
    found: list[tuple[float, str]] = []
    for item in tqdm(recordings(folder, without), desc="align", unit="file"):
        words = align.words_of(language, item.text)
        try:
            samples = read(folder / item.file)
            score, placed = align.fitted(language, network, samples, words, known, np.random.default_rng(len(samples)))
        except ValueError:
            continue
        entry = {
            "file": item.file, "speaker": item.speaker, "words": words,
            "sounds": placed,
        }  # fmt: skip
        found.append((score, json.dumps(entry, ensure_ascii=False)))
    found.sort()
    kept = found[int(len(found) * WORST) :]
    out.write_text("".join(line + "\n" for _, line in kept), encoding="utf-8")


@dataclass(frozen=True)
class Aligned:
    """A recording with its segments."""

    speaker: str
    spoken: Utterance


def load(path: Path, folder: Path, known: frozenset[str]) -> list[Aligned]:
    """What `align_all` wrote, with the sound."""
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        sounds = [align.Placed(*sound) for sound in entry["sounds"]]
        found.append(Aligned(entry["speaker"], labelled(read(folder / entry["file"]), entry["words"], sounds, known)))
    return found


def labelled(samples: Floats, words: Sequence[str], placed: Sequence[align.Placed], known: frozenset[str]) -> Utterance:
    """Speech with its segments; words that are not `known` are [unk]."""
    heard = [word if word in known else "[unk]" for word in words]
    return Utterance(samples, [Segment(s.begin, s.end, s.phone, heard[s.word] == "[unk]") for s in placed], heard)


def by_speaker(aligned: Iterable[Aligned]) -> dict[str, list[Utterance]]:
    """What each speaker said, the speakers sorted."""
    found: dict[str, list[Utterance]] = {}
    for item in aligned:
        found.setdefault(item.speaker, []).append(item.spoken)
    return dict(sorted(found.items()))


def warped(item: Utterance, factor: float) -> Utterance:
    """The same `factor` times as fast, and as high."""
    samples = resample(item.samples, round(len(item.samples) / factor))
    return Utterance(
        samples, [Segment(s.begin / factor, s.end / factor, s.phone, s.garbage) for s in item.segments], item.words
    )


def _trimmed(item: Utterance, margin: float = 0.02) -> Utterance:
    """Without the silence around it, faded in and out over the margin."""
    begin = max(0.0, item.segments[0].begin - margin)
    end = min(len(item.samples) / RATE, item.segments[-1].end + margin)
    samples = item.samples[int(begin * RATE) : int(end * RATE)].copy()
    fade = min(len(samples) // 2, int(margin * RATE / 2))
    if fade:
        ramp = np.linspace(0, 1, fade, dtype=np.float32)
        samples[:fade] *= ramp
        samples[-fade:] *= ramp[::-1]
    moved = [Segment(s.begin - begin, s.end - begin, s.phone, s.garbage) for s in item.segments]
    return Utterance(samples, moved, item.words)


def joined(parts: list[Utterance], rng: np.random.Generator) -> Utterance:
    """Several utterances as one, at similar loudness, with no or little silence between them."""
    samples: list[Floats] = []
    segments: list[Segment] = []
    words: list[str] = []
    at = 0
    for part in parts:
        gap = int(RATE * rng.uniform(0, 0.25)) if rng.random() < 0.5 else 0
        samples.append(np.zeros(gap, np.float32))
        samples.append(part.samples * np.float32(REFERENCE / loudness(part.samples) * 10 ** (rng.uniform(-4, 4) / 20)))
        at += gap
        segments += [Segment(s.begin + at / RATE, s.end + at / RATE, s.phone, s.garbage) for s in part.segments]
        words += part.words
        at += len(part.samples)
    return Utterance(np.concatenate(samples), segments, words)


def human_part(path: Path, aligned: list[Aligned], seed: int, minutes: float, language: Language) -> None:
    """Human speech in rooms: one part of the corpus; half of it single recordings, half cut into sentences.

    Every speaker is heard as often as the square root of what there is of them, words of the game twice as often as
    others.
    """

    def make() -> dict[str, np.ndarray]:
        rng, speaker = np.random.default_rng(seed), Speaker(seed, language)
        spoken = by_speaker(aligned)
        names = list(spoken)
        shares = np.sqrt([len(items) for items in spoken.values()])
        shares /= shares.sum()

        def draw(name: str, factor: float) -> Utterance:
            items = spoken[name]
            weights = np.array([1.0 if "[unk]" in item.words else 2.0 for item in items])
            item = items[int(rng.choice(len(items), p=weights / weights.sum()))]
            return warped(item, factor * rng.uniform(0.93, 1.07))

        def say() -> Utterance:
            name, factor = names[int(rng.choice(len(names), p=shares))], rng.uniform(0.82, 1.22)
            if rng.random() < 0.5:
                return draw(name, factor)
            parts = []
            for _ in range(rng.integers(2, 6)):
                if rng.random() < 0.3:
                    said = speaker.say([speaker.choice.choice(speaker.sentences.core)])
                    if said is not None:
                        parts.append(said)
                else:
                    parts.append(draw(name, factor))
            return joined([_trimmed(part) for part in parts], rng)

        return corpus.part(say, minutes, rng, language.sounds)

    corpus.keep(path, make)
