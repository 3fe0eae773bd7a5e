"""`python -m models.training`: make the starter model again, step by step; a run that was stopped goes on there."""

from __future__ import annotations

import argparse
import json
import logging
import sys
from pathlib import Path

import numpy as np
import torch

from models.training import check, corpus, human, lexicon, manifest, synthesise, train, vocabulary, write
from models.training.settings import HELD_OUT, PRESETS, Preset

STEPS = ("synthesise", "train", "align", "retrain", "write", "check")
ROOT = Path(__file__).resolve().parents[2]
VERSION = 1


def _arguments(given: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m models.training", description=__doc__)
    parser.add_argument("--work", type=Path, default=ROOT / "models" / "work", help="folder for work in progress")
    parser.add_argument("--out", type=Path, help="folder of the model; default: inside the work folder")
    parser.add_argument("--preset", choices=sorted(PRESETS), default="full")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared", help="folder with speech/ and noise/")
    parser.add_argument("--hold-out", action="store_true", help="leave out the speakers that choose settings")
    parser.add_argument("--steps", nargs="+", choices=STEPS, default=STEPS, help="only these steps")
    parser.add_argument("--cores", type=int, default=2)
    return parser.parse_args(given)


class Run:
    """One run of the recipe in one folder."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.preset: Preset = PRESETS[options.preset]
        self.work: Path = options.work
        self.out: Path = options.out or self.work / "model"
        self.speech: Path = options.shared / "speech"
        self.noises: Path = options.shared / "noise" / "train"
        self.without = HELD_OUT if options.hold_out else ()
        self.words = vocabulary.words()
        self.first, self.second = self.work / "first.pt", self.work / "second.pt"
        self.aligned = self.work / "aligned.jsonl"

    @property
    def people(self) -> bool:
        """Whether there are recordings to train on."""
        return (self.speech / "manifest.tsv").exists() and self.preset.human_parts > 0

    def synthesise(self) -> None:
        noises = self.noises if self.noises.is_dir() else None
        preset = self.preset
        synthesise.synthesise(
            self.work, self.options.seed, preset.parts, preset.minutes, preset.noise_minutes, noises, self.options.cores
        )

    def _noise(self) -> torch.Tensor:
        parts = []
        for path in sorted(self.work.glob("noise-?.npz")):
            with np.load(path) as part:
                parts.append(part["mel"])
        return torch.from_numpy(np.concatenate(parts))

    def _synthetic(self) -> corpus.Frames:
        return corpus.load(sorted(self.work.glob("speech-???.npz")))

    def _schedule(self, batches: int, rate: float) -> train.Schedule:
        return train.Schedule(batches, self.preset.size, rate)

    def train(self) -> None:
        schedule = self._schedule(self.preset.first, self.preset.rate)
        source = [train.Source(self._synthetic(), 1.0)]
        train.train(self.first, self.preset.shape, source, self._noise(), schedule, self.options.seed)

    def align(self) -> None:
        if not self.people:
            return
        known = frozenset(self.words)
        if not self.aligned.exists():
            human.align_all(self.speech, self.first, self.aligned, known, self.without)
        spoken = human.load(self.aligned, self.speech, known)
        for index in range(self.preset.human_parts):
            seed = self.options.seed * 1000 + 500 + index
            human.human_part(self.work / f"human-{index:03d}.npz", spoken, seed, self.preset.minutes)

    def retrain(self) -> None:
        sources = [train.Source(self._synthetic(), 0.65 if self.people else 1.0)]
        if self.people:
            recorded = corpus.load(sorted(self.work.glob("human-???.npz")))
            sources.append(train.Source(recorded, 0.35, train.GARBAGE_SHARE / 2))
        schedule = self._schedule(self.preset.second, self.preset.rate * 0.75)
        shape, seed = self.preset.shape, self.options.seed + 1
        train.train(self.second, shape, sources, self._noise(), schedule, seed, start=self.first)

    def write(self) -> None:
        network, state = train.load_network(self.second)
        entries = lexicon.lexicon(self.words)
        known = write.write_model(self.out, network, state, entries, self.preset.written)
        made = {
            "version": VERSION,
            "command": f"python -m models.training --preset {self.options.preset} --seed {self.options.seed}",
            "seed": self.options.seed,
        }
        recorded = human.recordings(self.speech, self.without) if self.people else []
        manifest.write(self.out, known, self.preset.written, made, recorded, self.noises.is_dir())

    def check(self) -> None:
        speech = self.speech if (self.speech / "manifest.tsv").exists() else None
        found = check.check(self.out, speech, HELD_OUT)
        (self.work / "check.json").write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        for name, figure in found.items():
            logging.info("%s: %s", name, figure)


def main(given: list[str] | None = None) -> int:
    """Run the steps asked for; 0 when all are done."""
    options = _arguments(given)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    torch.set_num_threads(options.cores)
    options.work.mkdir(parents=True, exist_ok=True)
    run = Run(options)
    for step in STEPS:
        if step in options.steps:
            logging.info("%s", step)
            getattr(run, step)()
    return 0


if __name__ == "__main__":
    sys.exit(main())
