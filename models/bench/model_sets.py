"""The test sets of `bench model`: words by people, announcements by synthetic voices, other speech and noise."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial

from models.bench import natural as naturals
from models.bench.samples import NOISES, Conditions, Pause, Recorded, Recording, Sample, Spoken, recordings
from models.bench.synthesis import MODEL_TEST, Voice, accents
from models.bench.vocabulary import Vocabulary, words_of
from models.languages.voices import voices
from voicechess.language.natural import PROMOTION_PIECES

SNRS_DB = (20, 10, 5, 0)
"""Signal-to-noise ratios, decibels."""

ASKED_FOR_DB = (13, 8, 3)
"""Further ones of babble: the goals for babble (issue 3: 99, 95, 80 % at 10, 5, 0 dB) were set by a measure that
counted noise about three decibels lower."""


def natural_voices(code: str) -> dict[str, str]:
    """Natural voices for measuring a model of this language: name in the tables -> voice."""
    found = voices(code)
    known = (found.known,) if found.known else ()
    return {f"natural, {found.names[voice]}": voice for voice in (*found.test, *known)}


_SHAPES = (
    # relative frequency, and what is said
    (24, ("piece", "square")),
    (16, ("piece", "square", "square")),
    (12, ("piece", "captures", "square")),
    (6, ("piece", "to", "square")),
    (14, ("square", "square")),
    (12, ("square",)),
    (6, ("file", "captures", "square")),
    (4, ("file", "last rank", "promoted")),
    (6, ("castling",)),
)
_CHECK, _MATE = 0.12, 0.03  # probabilities that these are added


def announcements(count: int, known: frozenset[str], vocabulary: Vocabulary, seed: str) -> list[tuple[str, ...]]:
    """`count` announcements in all styles, of words that the model knows; reproducible by `seed`.

    Squares and pieces are random: recognition is measured, not chess.
    """
    draw = random.Random(seed)
    spoken = {
        "piece": _spoken(vocabulary.lexicon.pieces.values(), known),
        "file": _spoken(vocabulary.lexicon.files, known),
        "rank": _spoken(vocabulary.lexicon.ranks, known),
        "last rank": _spoken([vocabulary.lexicon.ranks[0], vocabulary.lexicon.ranks[-1]], known),
        "promoted": _spoken((vocabulary.lexicon.pieces[piece] for piece in sorted(PROMOTION_PIECES)), known),
        **{
            place: [phrase for phrase in vocabulary.announced(place) if known.issuperset(phrase.split())]
            for place in ("captures", "to", "castling")
        },
    }
    check, mate = (vocabulary.announced(word)[0] for word in ("check", "mate"))
    weights = [weight for weight, _ in _SHAPES]

    def word(slot: str) -> list[str]:
        return [] if not spoken[slot] else draw.choice(spoken[slot]).split()

    made = []
    for _ in range(count):
        words: list[str] = []
        for slot in draw.choices([shape for _, shape in _SHAPES], weights)[0]:
            words += word("file") + word("rank") if slot == "square" else word(slot)
        ending = draw.random()
        if ending < _MATE + _CHECK:
            words += [ending_word for ending_word in [mate if ending < _MATE else check] if ending_word in known]
        made.append(tuple(words))
    return made


def _spoken(ideas: Iterable[Sequence[str]], known: frozenset[str]) -> list[str]:
    """For each idea its first word that the model knows, if any."""
    sayable = ([word for word in words if word in known] for words in ideas)
    return [words[0] for words in sayable if words]


def announced(lines: list[tuple[str, ...]], seed: str, code: str) -> list[Sample]:
    """The announcements by the synthetic test voices in turn, at ordinary rates and pitches, in a quiet room.

    A quarter of them have a pause, as of somebody who thinks while speaking.
    """
    draw = random.Random(seed)
    variants = sorted(MODEL_TEST)
    samples = []
    for number, words in enumerate(lines):
        voice = Voice(
            variants[number % len(variants)], draw.randint(120, 210), draw.randint(25, 75), draw.randint(20, 80),
            language=code,
        )  # fmt: skip
        gap = draw.randrange(1, len(words)) if len(words) > 1 and draw.random() < 0.25 else len(words)
        parts = [Spoken(" ".join(words[:gap]), voice)]
        samples.append(
            Sample(
                name=f"{seed}/{number}",
                parts=(*parts, Pause(draw.uniform(0.1, 0.5)), Spoken(" ".join(words[gap:]), voice))
                if gap < len(words)
                else tuple(parts),
                words=words,
                labels={"voice": voice.variant},
            )
        )
    return samples


def under(samples: list[Sample], name: str, conditions: Conditions) -> list[Sample]:
    """The same utterances under other conditions."""
    return [replace(one, name=f"{one.name}/{name}", conditions=conditions) for one in samples]


def conditions() -> dict[str, Conditions]:
    """Conditions of whole announcements: name in the tables -> conditions."""
    noisy = {f"{noise} {snr} dB": Conditions(noise, float(snr)) for noise in NOISES for snr in SNRS_DB}
    noisy |= {f"babble {snr} dB": Conditions("babble", float(snr)) for snr in ASKED_FOR_DB}
    return noisy | {
        "quiet -20 dB": Conditions(level_db=-20.0),
        "loud +20 dB": Conditions(level_db=20.0),
        "telephone 8 kHz": Conditions(telephone=True),
        "room 0.5 s": Conditions(rt60_s=0.5),
    }


def _by_others(samples: list[Sample], name: str, change: Callable[[Voice], Voice]) -> list[Sample]:
    """The same utterances by changed voices; `name` distinguishes them."""
    return [
        replace(
            one,
            name=f"{one.name}/{name}",
            parts=tuple(
                replace(part, voice=change(part.voice)) if isinstance(part, Spoken) else part for part in one.parts
            ),
        )
        for one in samples
    ]


def with_accents(samples: list[Sample], code: str) -> dict[str, list[Sample]]:
    """The same announcements with every foreign accent of the language's tables."""
    return {accent: _by_others(samples, accent, partial(replace, accent=accent)) for accent in accents(code)}


def fast(samples: list[Sample]) -> list[Sample]:
    """The same announcements at 230 to 270 words per minute, without pauses."""
    made = []
    for number, one in enumerate(samples):
        first = next(part for part in one.parts if isinstance(part, Spoken))
        voice = replace(first.voice, rate=230 + 10 * (number % 5))
        made.append(replace(one, name=f"{one.name}/fast", parts=(Spoken(" ".join(one.words), voice),)))
    return made


def natural(samples: list[Sample], code: str) -> dict[str, list[Sample]]:
    """The same announcements by those of `natural_voices` that are installed."""

    def by(voice: str) -> Callable[[Voice], Voice]:
        return lambda own: Voice(rate=own.rate, natural=voice, language=code)

    return {
        name: _by_others(samples, name, by(voice))
        for name, voice in natural_voices(code).items()
        if naturals.available(voice)
    }


def human_words(vocabulary: Vocabulary) -> list[Sample]:
    """All recordings of a single word of the vocabulary by a person."""
    return [
        _recorded(one, (one.text,), vocabulary.code)
        for one in recordings("check", vocabulary.code)
        if one.human and one.text in set(vocabulary.words)
    ]


def other_speech(vocabulary: Vocabulary) -> list[Sample]:
    """All recordings of people without a word of the game (`Vocabulary.content`)."""
    ours = vocabulary.content
    single = set(vocabulary.words)
    return [
        _recorded(one, (), vocabulary.code)
        for one in recordings("check", vocabulary.code)
        if one.human and one.text not in single and ours.isdisjoint(words_of(one.text))
    ]


def noise_alone(seconds: float, each: int) -> list[Sample]:
    """`each` stretches of every noise alone, in turn as loud as speech, 10 dB and 20 dB softer."""
    return [
        Sample(
            name=f"noise/{noise}/{number}",
            parts=(Pause(seconds),),
            conditions=Conditions(noise, 10.0 * (number % 3)),
            labels={"noise": noise},
        )
        for noise in NOISES
        for number in range(each)
    ]


def _recorded(one: Recording, words: tuple[str, ...], code: str) -> Sample:
    return Sample(
        name=one.path,
        parts=(Recorded(one.path, code),),
        words=words,
        labels={"speaker": one.speaker, "text": one.text},
    )
