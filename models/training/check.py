"""The last step: what a finished folder hears, measured through Vosk on voices and people kept for choosing settings.

Never on the test sets: `voicechess bench model` measures those. Used to choose `write.Settings`, and by the test of
the tiny model.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import vosk

from models.bench import natural
from models.bench.synthesis import TUNING
from models.training import human, lexicon, noise
from models.training.align import words_of
from models.training.features import RATE, Floats
from models.training.language import Language
from models.training.rooms import REFERENCE, loudness
from models.training.speech import Speaker
from models.training.vocabulary import Sentences, words
from voicechess.language.confusions import pairs
from voicechess.meaning import UNKNOWN_WORD
from voicechess.sound.voices import same_dither


@dataclass
class Tally:
    """Words said, wrong (inserted, missing or exchanged), utterances and those with an error, and the errors.

    like: words that mean the same, and count as the same.
    """

    said: int = 0
    wrong: int = 0
    utterances: int = 0
    failed: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    like: Mapping[str, str] = field(default_factory=dict)

    def add(self, reference: Sequence[str], heard: Sequence[str]) -> None:
        """Count one utterance."""
        reference = [self.like.get(word, word) for word in reference]
        heard = [self.like.get(word, word) for word in heard]
        self.said += len(reference)
        self.utterances += 1
        if reference != heard:
            self.wrong += distance(reference, heard)
            self.failed += 1
            self.errors[f"{' '.join(reference)} > {' '.join(heard)}"] += 1

    @property
    def words_right(self) -> float:
        """Share of words right, in percent."""
        return 100 * (1 - self.wrong / max(1, self.said))

    @property
    def utterances_right(self) -> float:
        """Share of utterances without any error, in percent."""
        return 100 * (1 - self.failed / max(1, self.utterances))


def distance(a: Sequence[str], b: Sequence[str]) -> int:
    """Least number of words to insert, drop or exchange."""
    return sum(one != other for one, other in pairs(a, b, exchanged=1, odd=1))


class Ear:
    """A recogniser with one grammar.

    Args:
        model: a loaded vosk.Model.
        phrases: the grammar; None for the model's own.
    """

    def __init__(self, model: Any, phrases: Iterable[str] | None) -> None:
        grammar = () if phrases is None else (json.dumps(list(phrases), ensure_ascii=False),)
        self.recogniser = vosk.KaldiRecognizer(model, RATE, *grammar)
        self.recogniser.SetWords(True)
        self.fed = 0

    def hear(self, samples: Floats) -> list[dict[str, Any]]:
        """The words heard, each with word, start, end (seconds) and conf."""
        quiet = np.random.default_rng(len(samples)).standard_normal(len(samples) + 9600) * 2
        quiet[4000 : 4000 + len(samples)] += samples
        data = np.clip(np.rint(quiet), -32768, 32767).astype("<i2").tobytes()
        self.recogniser.Reset()
        same_dither()
        found: list[dict[str, Any]] = []
        for begin in range(0, len(data), 6400):
            if self.recogniser.AcceptWaveform(data[begin : begin + 6400]):
                found += json.loads(self.recogniser.Result()).get("result", [])
        found += json.loads(self.recogniser.FinalResult()).get("result", [])
        # Times count from the first sample the recogniser was ever given.
        before = (self.fed + 4000) / RATE
        self.fed += len(data) // 2
        for word in found:
            word["start"] -= before
            word["end"] -= before
        return found

    def words(self, samples: Floats) -> list[str]:
        """The words heard."""
        return [word["word"] for word in self.hear(samples)]


def announcements(language: Language, count: int, seed: int = 5) -> list[tuple[Floats, list[str]]]:
    """Moves said by the voices for tuning, and the words said."""
    speaker = Speaker(seed, language, tuple(sorted(TUNING)))
    made: list[tuple[Floats, list[str]]] = []
    while len(made) < count:
        said = speaker.say(speaker.sentences.move(), natural=True)
        if said is not None:
            made.append((said.samples * np.float32(REFERENCE * 2 / loudness(said.samples)), said.words))
    return made


def natural_announcements(language: Language, count: int, seed: int = 6) -> list[tuple[Floats, list[str]]]:
    """Moves said by the natural voice for tuning, and the words said; none where it is not installed."""
    voice = next((one for one in language.voices.festival.tuning if natural.available(one)), None)
    if voice is None:
        return []
    sentences = Sentences(random.Random(seed), language)
    made: list[tuple[Floats, list[str]]] = []
    for said in (sentences.move() for _ in range(count)):
        # Not by `bench.synthesis`, which ends the copy of espeak-ng that the other voices here speak with.
        words = [lexicon.variants(language, word)[0] for word in said]
        samples = natural.speak(words, voice, natural.EVERYDAY_RATE, language.code)
        made.append((samples * np.float32(REFERENCE * 2 / loudness(samples)), said))
    return made


def mixed(items: Sequence[tuple[Floats, list[str]]], sounds: Sequence[Floats], decibels: float) -> list[Any]:
    """The same with noise so much below the speech."""
    rng = np.random.default_rng(11)
    made = []
    for samples, said in items:
        sound = sounds[int(rng.integers(len(sounds)))]
        start = int(rng.integers(max(1, len(sound) - len(samples) - 8000)))
        part = np.resize(sound[start:], len(samples) + 6400)
        whole = np.pad(samples, 3200)
        part = part * np.float32(loudness(samples) / loudness(part) * 10 ** (-decibels / 20))
        made.append((whole + part, said))
    return made


def tally(language: Language, ear: Ear, items: Iterable[tuple[Floats, list[str]]]) -> Tally:
    """Hear all of them; [unk] at the edges is no error of a word list that has it."""
    total = Tally(like=language.heard.like)
    for samples, said in items:
        total.add(said, [word for word in ear.words(samples) if word != UNKNOWN_WORD])
    return total


def people(
    language: Language, folder: Path, speakers: Collection[str], known: Collection[str]
) -> list[tuple[str, Floats, list[str]]]:
    """Recordings of single words of the game by these speakers of the training split: speaker, sound, words."""
    return [
        (item.speaker, human.read(folder / item.file), words_of(language, item.text))
        for item in human.recordings(folder)
        if item.speaker in speakers and all(word in known for word in words_of(language, item.text))
    ]


def other_talk(language: Language, count: int, seed: int = 9) -> list[Floats]:
    """One to six words that are not the game's, said by the voices for tuning."""
    speaker = Speaker(seed, language, tuple(sorted(TUNING)))
    made: list[Floats] = []
    while len(made) < count:
        said = speaker.say([speaker.choice.choice(speaker.others) for _ in range(speaker.choice.randint(1, 6))])
        if said is not None:
            made.append(said.samples * np.float32(REFERENCE * 2 / loudness(said.samples)))
    return made


def check(
    language: Language, model_folder: Path, speech: Path | None, speakers: Collection[str], count: int = 120
) -> dict[str, Any]:
    """Measure a model folder; percentages of words right by condition, and what it makes of other words."""
    vosk.SetLogLevel(-1)
    model = vosk.Model(model_path=str(model_folder))
    vocabulary, sentences = words(language), Sentences(random.Random(0), language)
    core = sorted(set(sentences.core))
    figures: dict[str, Any] = {}
    moves = announcements(language, count)
    ear, unsure = Ear(model, core), Ear(model, [*vocabulary, UNKNOWN_WORD])
    tracks = noise.voices(Speaker(77, language, tuple(sorted(TUNING))), (), 4.0)
    talk = [noise.level(noise.babble(12.0, 6, tracks, np.random.default_rng(k))) for k in range(4)]
    for name, decibels in (("clean", None), ("10 dB", 10.0), ("5 dB", 5.0), ("0 dB", 0.0)):
        found = tally(language, ear, moves if decibels is None else mixed(moves, talk, decibels))
        figures[f"moves {name}"] = round(found.words_right, 2)
    if spoken := natural_announcements(language, count):
        figures["moves natural"] = round(tally(language, ear, spoken).words_right, 2)
    figures["moves clean, whole list"] = round(tally(language, unsure, moves).words_right, 2)
    if speech is not None:
        recorded = people(language, speech, speakers, frozenset(vocabulary))
        for name, phrases in (
            ("ranks", list(dict.fromkeys(sentences.ranks))),
            ("whole list", vocabulary),
            ("whole list, unk", [*vocabulary, UNKNOWN_WORD]),
        ):
            listener = Ear(model, phrases)
            found = Tally(like=language.heard.like)
            for _, samples, said in recorded:
                if name != "ranks" or (len(said) == 1 and said[0] in phrases):
                    found.add(said, [word for word in listener.words(samples) if word != UNKNOWN_WORD])
            figures[f"people {name}"] = round(found.words_right, 2)
            figures[f"people {name} errors"] = found.errors.most_common(8)
    alarms = Counter[str]()
    ears = {"core": Ear(model, [*core, UNKNOWN_WORD]), "whole list": unsure}
    for samples in other_talk(language, count):
        for name, listener in ears.items():
            wrong = [word for word in listener.words(samples) if word != UNKNOWN_WORD]
            alarms[name] += bool(wrong)
            alarms[name + ", words"] += len(wrong)
    figures["alarms"] = {name: round(number / count, 3) for name, number in alarms.items()}
    return figures
