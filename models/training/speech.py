"""Synthetic speech by espeak-ng with phone labels, and the sentences that all training voices say."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy import fft

from models.bench.synthesis import RESERVED
from models.training import accents, espeak, lexicon
from models.training.features import RATE, Floats
from models.training.language import Language
from models.training.phones import GARBAGE, is_pause, plain
from models.training.vocabulary import Sentences

ACCENTED = 0.2
OTHER_WORDS = 0.25
"""Shares, 0 to 1: ACCENTED of sentences with a foreign accent, OTHER_WORDS of sentences outside the game."""


@dataclass(frozen=True)
class Segment:
    """A phone in time."""

    begin: float  # seconds
    end: float  # seconds
    phone: str
    garbage: bool = False  # whether its word is out of vocabulary


@dataclass
class Utterance:
    """Labelled speech."""

    samples: Floats  # 1-D, 16 kHz, full scale 32768
    segments: list[Segment]  # in order
    words: list[str] = field(default_factory=list)  # [unk] for those out of vocabulary
    begins: list[float] = field(default_factory=list)  # of the words, seconds; () for recordings and joined utterances


def training_voices() -> tuple[str, ...]:
    """espeak-ng's variants that are not reserved for measuring, nor a whisper."""
    return tuple(name for name in espeak.variants() if name not in RESERVED and name != "whisper")


def resample(samples: Floats, count: int) -> Floats:
    """The sound resampled to `count` samples by Fourier transform."""
    if len(samples) == 0 or count <= 0:
        return np.zeros(max(count, 0), np.float32)
    size = fft.next_fast_len(len(samples) + 64, real=True)
    wanted = max(1, round(size * count / len(samples)))
    spectrum = fft.rfft(samples, size)
    keep = wanted // 2 + 1
    kept = np.zeros(keep, spectrum.dtype)
    kept[: min(keep, len(spectrum))] = spectrum[:keep]
    out = np.asarray(fft.irfft(kept, wanted)[:count], np.float32) * np.float32(wanted / size)
    return np.pad(out, (0, count - len(out)))


class Speaker:
    """Draws sentences of the game and others, and says them by espeak-ng.

    Args:
        seed: equal seeds give equal speech.
        language: of the sentences.
        voices: variants to draw from; None: those for training.
    """

    def __init__(self, seed: int, language: Language, voices: tuple[str, ...] | None = None) -> None:
        self.choice = random.Random(seed)
        self.language = language
        self.sentences = Sentences(self.choice, language)
        self.known = frozenset(self.sentences.words)
        self.voices = voices or training_voices()
        self.others = tuple(word for word in language.other_words if word not in self.known)

    def draw(self) -> Utterance:
        """One utterance; those whose labels do not fit espeak-ng's phonemes are drawn again."""
        while True:
            words = self._other_words() if self.choice.random() < OTHER_WORDS else self.sentences.draw()
            spoken = self.say(words, accent=self.choice.random() < ACCENTED)
            if spoken is not None:
                return spoken

    def _other_words(self) -> list[str]:
        count = self.choice.choice((1, 1, 1, 2, 3, 4, 5, 6, 8))
        mixed = self.choice.random() < 0.25
        words = []
        for _ in range(count):
            kind = self.choice.random()
            if mixed and kind < 0.3:
                words.append(self.choice.choice(self.sentences.words))
            elif kind < 0.75:
                words.append(self.choice.choice(self.others))
            else:
                words.append("[[" + "".join(self._invented()) + "]]")
        return words

    def _invented(self) -> list[str]:
        """Phonemes of an invented word of one to four syllables."""
        pick, parts = self.choice.choice, self.language.invented
        sounds: list[str] = []
        for index in range(pick((1, 2, 2, 3, 4))):
            vowel = pick(parts.vowels if index else parts.first)
            sounds += [*pick(parts.onsets).split(), ("'" if index == 0 else "") + vowel, *pick(parts.codas).split()]
        return sounds

    def say(
        self, words: list[str], *, accent: bool = False, voice: str | None = None, natural: bool = False
    ) -> Utterance | None:
        """Say words; None if the labels would not fit the sound.

        Args:
            accent: with a foreign accent.
            voice: a variant; None: a random one of this speaker's.
            natural: at a usual rate, without warping the vocal tract, each word as espeak-ng reads it.
        """
        choice = self.choice
        voice = voice or choice.choice(self.voices)
        rate = int(choice.triangular(90, 300, 165)) if not natural else choice.randint(130, 200)
        pitch, span = choice.randint(5, 95), choice.randint(5, 95)
        warp = 1.0 if natural else choice.triangular(0.78, 1.24, 1.0)
        expected: list[list[tuple[str, int]]] | None = None
        if accent and not any(word.startswith("[[") for word in words):
            foreign = choice.choice(self.language.foreign)
            expected, text = [], ""
            for word in words:
                readings = self._readings(word)
                said = accents.accented(self.language, choice.choice(readings), foreign, choice) if readings else None
                if said is None:
                    return None
                expected.append([(plain(p), i) for i, (_, parts) in enumerate(said) for p in parts])
                text += "[[" + "".join(p for _, parts in said for p in parts) + "]]" + self._gap()
                expected[-1] = [(said[i][0], i) for _, i in expected[-1]]
            voice = f"{foreign}+{voice}"
        else:
            text = "".join((self._spelling(word) if natural else self._written(word)) + self._gap() for word in words)
            native = self.language.native
            voice = f"{native[0] if len(native) == 1 else choice.choice(native)}+{voice}"
        samples, rate_of_sound, events = espeak.speak(text, voice, rate=rate, pitch=pitch, pitch_range=span)
        labelled = self._segments(events, len(samples) / rate_of_sound, words, expected)
        if labelled is None or len(samples) < rate_of_sound // 8:
            return None
        segments, begins = labelled
        speech = resample(samples, round(len(samples) * RATE / rate_of_sound / warp))
        scaled = [Segment(s.begin / warp, s.end / warp, s.phone, s.garbage) for s in segments]
        heard = [word if word in self.known else "[unk]" for word in words]
        return Utterance(speech, scaled, heard, [begin / warp for begin in begins])

    def _readings(self, word: str) -> tuple[lexicon.Pronunciation, ...]:
        try:
            found = lexicon.variants(self.language, word)
        except ValueError:  # espeak-ng reads a borrowed word with sounds of its own language
            return ()
        return found if self.choice.random() < 0.5 else found[:1]

    def _written(self, word: str) -> str:
        if word.startswith("[["):
            return word
        if word in self.known and self.choice.random() < 0.4:
            return "[[" + "".join(self.choice.choice(lexicon.variants(self.language, word))) + "]]"
        return self._spelling(word)

    def _spelling(self, word: str) -> str:
        return lexicon.spelling(self.language, word)

    def _gap(self) -> str:
        return ", " if self.choice.random() < 0.12 else " "

    def _segments(
        self,
        events: list[espeak.Timed],
        length: float,
        words: list[str],
        expected: list[list[tuple[str, int]]] | None,
    ) -> tuple[list[Segment], list[float]] | None:
        """Segments from espeak-ng's events, and the beginnings of the words; None if its phonemes are not expected."""
        segments: list[Segment] = []
        begins: dict[int, float] = {}
        at, within = -1, 0
        for index, (begin, symbol) in enumerate(events):
            if symbol == espeak.WORD:
                if expected is not None and at >= 0 and within != len(expected[at]):
                    return None
                at, within = at + 1, 0
                continue
            later = [event.begin for event in events[index + 1 :] if event.symbol != espeak.WORD]
            end = later[0] if later else length
            if is_pause(symbol):
                continue
            if not 0 <= at < len(words):
                return None
            garbage = words[at] not in self.known
            begins.setdefault(at, begin)
            if expected is not None:
                if within >= len(expected[at]):
                    return None
                phone, number = expected[at][within]
                within += 1
                if within >= 2 and expected[at][within - 2][1] == number:
                    segments[-1] = Segment(segments[-1].begin, end, phone, garbage)
                    continue
                sounds: tuple[str, ...] | None = (phone,)
            else:
                sounds = self.language.sounds.of(symbol)
                if sounds is None:
                    if not garbage:
                        return None
                    sounds = (GARBAGE,)
            assert sounds is not None
            for number, phone in enumerate(sounds):
                step = (end - begin) / len(sounds)
                if step > 0:
                    segments.append(Segment(begin + number * step, begin + (number + 1) * step, phone, garbage))
        return (segments, list(begins.values())) if at == len(words) - 1 == len(begins) - 1 else None


class Script:
    """Draws the words for voices other than espeak-ng's: sentences of the game, and other words.

    Args:
        seed: equal seeds give equal words.
        language: of the words.
    """

    def __init__(self, seed: int, language: Language) -> None:
        speaker = Speaker(seed, language)
        self.language = language
        self.choice, self.sentences, self.others = speaker.choice, speaker.sentences, speaker.others
        self.known = speaker.known

    def draw_words(self) -> list[str]:
        """One to six other words, or a sentence of the game."""
        if self.choice.random() < OTHER_WORDS:
            return [self.choice.choice(self.others) for _ in range(self.choice.choice((1, 1, 2, 3, 4, 6)))]
        return self.sentences.draw()

    def heard(self, words: Sequence[str]) -> list[str]:
        """The words as the model is to recognise them: [unk] for those out of vocabulary."""
        return [word if word in self.known else "[unk]" for word in words]
