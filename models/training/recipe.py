"""The steps of the training recipe; an interrupted run resumes at its step."""

from __future__ import annotations

import argparse
import json
import logging
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import torch

from models import languages
from models.bench import festival, flite
from models.training import (
    check,
    corpus,
    diphone,
    export,
    human,
    lexicon,
    manifest,
    mean,
    natural,
    offset,
    pieces,
    read,
    sequence,
    synthesise,
    transfer,
    vocabulary,
)
from models.training import train as training
from models.training.augment import Augmentation
from models.training.finish import NETS, finish
from models.training.language import language
from models.training.settings import GROWN_SHARES, PEOPLE_SHARES, PRESETS, SHARES, Growth, Preset, Shares

SETTLED_SIZE, NORM_SHARE, OFFSET_SHARE = 32, 70, 14
"""Chunks a batch for recomputing norms and learning the offset, and batches of the training for each such batch of
norms and of the offset."""


class Run:
    """A run of the recipe in one folder."""

    def __init__(self, options: argparse.Namespace, out: Path) -> None:
        self.options = options
        self.device = torch.device(options.device or ("cuda" if torch.cuda.is_available() else "cpu"))
        self.preset: Preset = PRESETS[options.preset]
        self.work: Path = options.work
        self.out = out
        self.language = language(options.language)
        self.voices = self.language.voices
        self.speech: Path = options.shared / self.voices.people
        self.noises: Path = options.shared / "noise" / "train"
        self.without = self.voices.held_out if options.hold_out else ()
        self.words = vocabulary.words(self.language)
        self.first, self.second, self.third, *self.grown, self.sixth = (self.work / f"{name}.pt" for name in NETS)
        self.begun = self.work / "begun.pt"
        self.aligned = self.work / "aligned.jsonl"

    @property
    def people(self) -> bool:
        """Whether there are recordings for training."""
        return (self.speech / "manifest.tsv").exists() and self.preset.human_parts > 0

    @property
    def diphones(self) -> bool:
        """Whether Festival's and Flite's voices are installed, if the language has any."""
        named = self.voices.festival.training and self.voices.flite.learnt and self.preset.diphone_parts
        return bool(named) and festival.available(self.voices.festival.learnt) and flite.available()

    def synthesise(self) -> None:
        noises = self.noises if self.noises.is_dir() else None
        people = human.recordings(self.speech, self.without) if self.people else []
        files = [self.speech / item.file for item in people]
        preset, options = self.preset, self.options
        synthesise.synthesise(
            self.work, options.seed, preset.parts, preset.minutes, preset.noise_minutes, noises, files, options.cores,
            self.language.code,
        )  # fmt: skip
        if not self.diphones:
            logging.info("no voices of festival and flite, or not installed: the model will not have heard them")
            return
        further = (*self.voices.festival.further, *self.voices.flite.learnt)
        self._make(
            (diphone.diphone_part, part)
            for name, seed, voices in (("diphone", 800, self.voices.festival.training), ("further", 900, further))
            for part in self._parts(name, preset.diphone_parts, seed, voices)
        )

    def _parts(self, name: str, count: int, seed: int, *rest: object) -> list[tuple[object, ...]]:
        """The arguments for each part of a corpus of this name: path, seed, minutes and the rest."""
        first = self.options.seed * 1000 + seed
        paths = [str(self.work / f"{name}-{index:03d}.npz") for index in range(count)]
        return [
            (path, first + index, self.preset.minutes, *rest, self.language.code) for index, path in enumerate(paths)
        ]

    def _make(self, jobs: Iterable[tuple[Callable[..., None], tuple[object, ...]]]) -> None:
        synthesise.in_processes(list(jobs), self.options.cores)

    def _noise(self) -> torch.Tensor:
        parts = []
        for path in sorted(self.work.glob("noise-?.npz")):
            with np.load(path) as part:
                parts.append(part["mel"])
        return torch.from_numpy(np.concatenate(parts)).to(self.device)

    def _source(self, name: str, share: float, garbage: float = training.GARBAGE_SHARE) -> training.Source:
        parts = corpus.load(sorted(self.work.glob(f"{name}-???.npz")))
        return training.Source(parts, share, garbage, self.device)

    def train(self) -> None:
        stage, source = self.preset.first, [self._source("speech", 1.0)]
        schedule = training.Schedule(stage.batches, stage.size, stage.rate)
        noise, seed, cores = self._noise(), self.options.seed, self.options.cores
        begin = None
        if self.carried:
            self._begin()
            begin = self.begun
        training.train(
            self.first, self.preset.shape, source, noise, schedule, seed, self.language.units, begin, cores=cores
        )

    @property
    def carried(self) -> bool:
        """Whether the net to begin with is of another language."""
        return self.options.begin is not None and manifest.language_of(self.options.begin) != self.language.code

    def _begin(self) -> None:
        """Save the net of the finished folder as the checkpoint to begin with."""
        path = self.begun if self.carried else self.grown[-1]
        if self.options.begin is None or path.exists():
            return
        spoken, noise = self._source("speech", 1.0), self._noise()
        mean, spread = training.statistics(spoken, noise, self.options.seed)
        rng = np.random.default_rng(self.options.seed)
        shape, theirs = self.preset.people.shape, language(manifest.language_of(self.options.begin))
        mel, *_ = training.cut(spoken, shape, 128, rng)
        heard = (Augmentation(noise, self.options.seed)(mel) - mean) / spread
        heard, mean, spread = heard.cpu(), mean.cpu(), spread.cpu()
        found = read.checkpoint(self.options.begin, shape, heard, mean, spread, self.preset.written, theirs.units)
        training.save(path, transfer.carried_over(found, theirs, self.language) if self.carried else found)

    def align(self) -> None:
        preset, options = self.preset, self.options
        goes_on = options.begin is not None and not self.carried
        if goes_on:
            self._begin()
        aligner = self.grown[-1] if goes_on else self.first
        natural_parts = self._parts("natural", preset.natural_parts, 700, str(aligner))
        self._make((natural.natural_part, part) for part in natural_parts)
        if not self.people:
            return
        known = frozenset(self.words)
        if not self.aligned.exists():
            human.align_all(self.language, self.speech, aligner, self.aligned, known, self.without)
        spoken = human.load(self.aligned, self.speech, known)
        for index in range(self.preset.human_parts):
            seed = self.options.seed * 1000 + 500 + index
            human.human_part(self.work / f"human-{index:03d}.npz", spoken, seed, self.preset.minutes, self.language)
        joined_parts = self._parts("joined", preset.joined_parts, 600, str(self.aligned), str(self.speech))
        self._make((pieces.joined_part, part) for part in joined_parts)

    def _sources(self, shares: Shares) -> list[training.Source]:
        found = [self._source("natural", shares.natural)]
        if self.diphones:
            found.append(self._source("diphone", shares.diphone))
            if shares.further:
                found.append(self._source("further", shares.further))
        if self.people:
            found.append(self._source("human", shares.human, training.GARBAGE_SHARE / 3))
            if shares.joined:
                found.append(self._source("joined", shares.joined, training.GARBAGE_SHARE / 3))
        return [self._source("speech", 1 - sum(source.share for source in found)), *found]

    def retrain(self) -> None:
        stage, shape = self.preset.second, self.preset.shape
        schedule = training.Schedule(stage.batches, stage.size, stage.rate)
        seed, cores = self.options.seed + 1, self.options.cores
        noise = self._noise()
        training.train(
            self.second,
            shape,
            self._sources(SHARES),
            noise,
            schedule,
            seed,
            self.language.units,
            self.first,
            cores=cores,
        )

    def train_words(self) -> None:
        first = Growth(self.preset.shape, self.preset.words)
        self._train_words([first], [self.third], self._sources(SHARES), 2, self.second, self._loop())

    def grow(self) -> None:
        sources = self._sources(GROWN_SHARES)
        self._train_words(self.preset.growths, self._grown, sources, 3, self.third, self._loop())

    @property
    def _grown(self) -> list[Path]:
        """The files of the larger nets of the preset."""
        return self.grown[: len(self.preset.growths)]

    @property
    def _largest(self) -> Path:
        """The file of the net that the last one is trained from."""
        return (self._grown or [self.third])[-1]

    def train_people(self) -> None:
        """Train the last net: more recordings, changes of speaker, separate phones for the words of a move."""
        if not self.carried:
            self._begin()
        sources, loop = self._sources(PEOPLE_SHARES), self._loop(own_sounds=True)
        self._train_words([self.preset.people], [self.sixth], sources, 5, self._largest, loop)
        self._settle(sources, loop)

    def _settle(self, sources: Sequence[training.Source], loop: sequence.WordLoop) -> None:
        """Average the last net with the one before it, if the preset says so, and restore the common offset of its
        scores."""
        device = self.device
        last, state = training.load_network(self.sixth)
        if "offset" in state:
            return
        before, state_before = training.load_network(self._largest)
        seed, scale, shape = self.options.seed + 6, self.preset.written.prior_scale, self.preset.people.shape
        rng, augmentation = np.random.default_rng(seed), training.augmented(shape, self._noise(), seed)

        def drawn(share: int) -> Iterator[list[torch.Tensor]]:
            for _ in range(-(-self.preset.people.stage.batches // share)):
                yield training.drawn(sources, shape, SETTLED_SIZE, rng, augmentation, len(self.language.sounds.names))

        mel_mean, spread = state["mean"].to(device), state["spread"].to(device)
        inputs = ((mel - mel_mean) / spread for mel, *_ in drawn(NORM_SHARE))
        network = mean.halfway(before, last, inputs, self.language.units) if self.preset.halfway else last.to(device)
        weights = network.state_dict()
        state |= {"network": weights, "averaged": weights}
        now, then = offset.Scorer(network, state, scale), offset.Scorer(before.to(device), state_before, scale)
        found = offset.learnt(now, then, loop, ((mel, mask) for mel, *_, mask in drawn(OFFSET_SHARE)))
        training.save(self.sixth, state | {"offset": found.state_dict()})

    def _loop(self, own_sounds: bool = False) -> sequence.WordLoop:
        core = vocabulary.Sentences(random.Random(0), self.language).core
        entries, units = lexicon.lexicon(self.language, self.words), self.language.units
        return sequence.WordLoop(units.of(entries) if own_sounds else entries, core, units, own_sounds, self.device)

    def _train_words(
        self,
        growths: Sequence[Growth],
        ends: Sequence[Path],
        sources: Sequence[training.Source],
        seed: int,
        begin: Path,
        loop: sequence.WordLoop,
    ) -> None:
        """Sequence training of nets, each initialised from the one before; the sources are loaded once."""
        noise, cores = self._noise(), self.options.cores
        for number, (growth, end) in enumerate(zip(growths, ends, strict=True)):
            stage = growth.stage
            schedule = training.Schedule(stage.batches, stage.size, stage.rate, averaged=0.995)
            training.train(
                end, growth.shape, sources, noise, schedule, self.options.seed + seed + number, self.language.units,
                begin, loop, cores,
            )  # fmt: skip
            begin = end

    def write(self) -> None:
        network, state = training.load_network(self.work / f"{self.options.net}.pt")
        model = export.acoustic_model(network, state, self.preset.written, self.language.units)
        command = f"python -m models.training --preset {self.options.preset} --seed {self.options.seed}"
        if self.options.language != languages.USUAL:
            command += f" --language {self.options.language}"
        if self.options.begin is not None:
            command += f" --begin {self.options.begin}"
        made = {
            "version": self.language.version,
            "command": command,
            "seed": self.options.seed,
        }
        recorded = human.recordings(self.speech, self.without) if self.people else []
        heard = manifest.trained_on(self.language, recorded, self.noises.parent / "manifest.tsv", self.diphones)
        finish(self.out, self.language, self.words, model, self.preset.written, made | {"trained_on": heard})

    def check(self) -> None:
        speech = self.speech if (self.speech / "manifest.tsv").exists() else None
        found = check.check(self.language, self.out, speech, self.voices.held_out)
        (self.work / "check.json").write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        for name, figure in found.items():
            logging.info("%s: %s", name, figure)

    def take(self, steps: Sequence[str]) -> None:
        """Run the named steps in the order of the recipe."""
        known = {
            "synthesise": self.synthesise, "train": self.train, "align": self.align, "retrain": self.retrain,
            "words": self.train_words, "grow": self.grow, "people": self.train_people, "write": self.write,
            "check": self.check,
        }  # fmt: skip
        for name, step in known.items():
            if name in steps:
                logging.info("%s", name)
                step()
