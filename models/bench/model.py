"""`voicechess bench model PATH`: recognition with any Vosk model.

Single words by people and whole announcements by synthetic voices, none of them used in training, in quiet, noise and
rooms; false alarms; costs. What a game makes of the recognition is measured by `bench hearing`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

from models.bench import model_sets
from models.bench.decoding import Decoder, Grammar, Recognition, Task
from models.bench.footprint import footprint, in_own_process, known_words
from models.bench.model_report import ALARMS, as_text, same_move, verdict
from models.bench.report import Report, Stages, Tally, interval, percentage, tallied, write_json
from models.bench.samples import Sample, require_extra, shared_folder
from models.bench.vocabulary import Vocabulary
from models.languages import CODES, USUAL
from voicechess.meaning import UNKNOWN_WORD

SEED = "model"

_SIZES = {
    # announcements: clean, in each noise and level, in each accent; stretches of each noise; every n-th other speech
    "full": (600, 150, 50, 15, 1),
    "quick": (100, 20, 10, 3, 3),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `voicechess bench model`."""
    parser.add_argument("model", type=Path, metavar="PATH", help="a Vosk model folder")
    parser.add_argument("--lang", default=USUAL, choices=CODES, help="the language that it hears")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write all figures there")
    parser.add_argument("--quick", action="store_true", help="a small part of everything")
    parser.add_argument("--note", default="", help="a remark that belongs to the figures, printed with them")
    parser.add_argument("--jobs", type=int, default=None, metavar="N", help="worker processes")


def run(args: argparse.Namespace) -> int:
    """Measures `args.model`, prints the tables, returns 0. Raises Failure when it cannot be measured."""
    report = measure(args.model, args.lang, quick=args.quick, note=args.note, jobs=args.jobs, stages=Stages())
    print(as_text(report))
    if args.json:
        write_json(report, args.json)
    return 0


def measure(model: Path, code: str = USUAL, *, quick: bool, note: str, jobs: int | None, stages: Stages) -> Report:
    """All figures of a model. `figures` are reproducible on one machine; `costs` are times and memory."""
    require_extra()
    shared_folder()  # fail early without recordings
    vocabulary = Vocabulary(code)
    known = in_own_process(known_words, model, [*vocabulary.words, UNKNOWN_WORD])
    clean, noisy, foreign, noises, one_in = _SIZES["quick" if quick else "full"]
    spoken = model_sets.announced(model_sets.announcements(clean, known, vocabulary, SEED), SEED, vocabulary.code)
    ideas = ([word for word in idea if word in known] for idea in vocabulary.announcing)
    short_list = tuple(words[0] for words in ideas if words)
    with Decoder(model, jobs) as decoder:

        def decode(name: str, samples: Sequence[Sample], *grammars: Grammar) -> list[tuple[Recognition, ...]]:
            return decoder.decode([Task(sample, grammars) for sample in samples], stages.stage(name))

        figures: dict[str, object] = {
            "words": _coverage(vocabulary, known, short_list),
            "announcements": _announcements(decode, spoken, short_list, vocabulary, noisy=noisy, foreign=foreign),
            "people": _people(decode, vocabulary, known),
            "false alarms": _false_alarms(decode, vocabulary, known, short_list, noises=noises, one_in=one_in),
        }
    costs = in_own_process(footprint, model, short_list, spoken[:20])
    return Report(measured="model", subject=str(model), note=note, quick=quick, figures=figures, costs=asdict(costs))


Decode = Callable[..., list[tuple[Recognition, ...]]]


def _coverage(vocabulary: Vocabulary, known: frozenset[str], short_list: Grammar) -> dict[str, object]:
    missing = [word for word in vocabulary.words if word not in known]
    unsayable = [idea[0] for idea in vocabulary.announcing if known.isdisjoint(idea)]
    return {
        "vocabulary": len(vocabulary.words),
        "missing": missing,
        "short list": len(short_list),
        "missing from the short list": unsayable,
        "rejects": UNKNOWN_WORD in known,
    }


def _announcements(
    decode: Decode, spoken: list[Sample], short_list: Grammar, vocabulary: Vocabulary, *, noisy: int, foreign: int
) -> dict[str, object]:
    """Whole announcements with the short list as grammar, by condition; the clean ones also by voice and word."""

    def tally(samples: Sequence[Sample], results: Iterable[tuple[Recognition, ...]]) -> Tally:
        pairs = [(sample.words, recognised.words) for sample, (recognised,) in zip(samples, results, strict=True)]
        counted = tallied((_canonical(said, vocabulary), _canonical(heard, vocabulary)) for said, heard in pairs)
        counted.same_move = sum(same_move(said, heard, vocabulary.lexicon) for said, heard in pairs)
        return counted

    clean_results = decode("clean", spoken, short_list)
    clean = tally(spoken, clean_results)
    sets = {name: model_sets.under(spoken[:noisy], name, how) for name, how in model_sets.conditions().items()}
    sets["fast"] = model_sets.fast(spoken[:noisy])
    sets |= {
        f"accent {name}": samples
        for name, samples in model_sets.with_accents(spoken[:foreign], vocabulary.code).items()
    }
    sets |= model_sets.natural(spoken[:noisy], vocabulary.code)
    tallies = {name: tally(samples, decode(name, samples, short_list)) for name, samples in sets.items()}
    first = tally(spoken[:noisy], clean_results[:noisy])
    everything = Tally()
    for one in (clean, *tallies.values()):
        everything.confusions.update(one.confusions)
    by_voice: dict[str, list[int]] = {}
    for number, sample in enumerate(spoken):
        by_voice.setdefault(sample.labels["voice"], []).append(number)
    return {
        "by condition": {
            "clean": clean.figures(),
            f"clean, the first {noisy}": first.figures(),
            **{name: one.figures() for name, one in tallies.items()},
        },
        "by voice": {
            voice: tally([spoken[n] for n in numbers], [clean_results[n] for n in numbers]).figures()
            for voice, numbers in sorted(by_voice.items())
        },
        "by word": _by_word(everything),
        "confusions": everything.mistakes(20),
        "matrix": everything.matrix(),
    }


def _people(decode: Decode, vocabulary: Vocabulary, known: frozenset[str]) -> dict[str, object]:
    """Single words by people, with the full vocabulary and the small grammars of questions."""
    samples = [sample for sample in model_sets.human_words(vocabulary) if sample.words[0] in known]
    unknown = (UNKNOWN_WORD,) if UNKNOWN_WORD in known else ()
    full = tuple(word for word in vocabulary.words if word in known)
    grammars = {"full vocabulary": full, "full vocabulary with [unk]": full + unknown}
    for name, words in vocabulary.groups.items():
        grammars[name] = tuple(word for word in words if word in known)
        grammars[f"{name} with [unk]"] = grammars[name] + unknown
    if not unknown:
        grammars = {name: words for name, words in grammars.items() if not name.endswith("[unk]")}
    results: dict[str, object] = {}
    for name, grammar in grammars.items():
        fitting = [sample for sample in samples if sample.words[0] in grammar]
        if not fitting:
            continue
        heard = [recognised.words for (recognised,) in decode(f"people, {name}", fitting, grammar)]
        results[name] = _human_figures(fitting, heard, vocabulary)
    return results


def _human_figures(samples: list[Sample], heard: list[tuple[str, ...]], vocabulary: Vocabulary) -> dict[str, object]:
    def tally(chosen: Iterable[int]) -> Tally:
        return tallied(
            (_canonical(samples[n].words, vocabulary), _canonical(_said_only(heard[n]), vocabulary)) for n in chosen
        )

    everything = tally(range(len(samples)))
    speakers: dict[str, list[int]] = {}
    for number, sample in enumerate(samples):
        # Forvo's words are all by different people, so they share a row.
        speakers.setdefault(sample.labels["speaker"].split("_")[0], []).append(number)
    by_speaker = {name: tally(numbers).figures() for name, numbers in sorted(speakers.items())}
    shares = [tally(numbers).utterance_share for numbers in speakers.values()]
    rejected = sum(not _said_only(words) for words in heard)
    return {
        **everything.figures(),
        "mean over speakers": round(sum(shares) / len(shares), 2),
        "nothing heard": rejected,
        "by speaker": by_speaker,
        "by word": _by_word(everything),
        "confusions": everything.mistakes(20),
        "matrix": everything.matrix(),
    }


def _false_alarms(
    decode: Decode, vocabulary: Vocabulary, known: frozenset[str], short_list: Grammar, *, noises: int, one_in: int
) -> dict[str, object]:
    """How often other speech and noise are recognised as a command or a complete move."""
    unknown = (UNKNOWN_WORD,) if UNKNOWN_WORD in known else ()
    grammars = {
        "full vocabulary": tuple(word for word in vocabulary.words if word in known) + unknown,
        "short list": short_list + unknown,
    }
    results: dict[str, object] = {}
    for name, samples in (
        ("speech without our words", model_sets.other_speech(vocabulary)[::one_in]),
        ("noise alone", model_sets.noise_alone(4.0, noises)),
    ):
        recognised = decode(name, samples, *grammars.values())
        for column, grammar in enumerate(grammars):
            heard = [row[column].words for row in recognised]
            kinds = [verdict(words, vocabulary.lexicon) for words in heard]
            alarms = sum(kind in ALARMS for kind in kinds)
            results[f"{name}, {grammar}"] = {
                "utterances": len(samples),
                "alarms": alarms,
                "share": round(percentage(alarms, len(samples)), 2),
                "between": [round(bound, 2) for bound in interval(alarms, len(samples))],
                "kinds": {kind: kinds.count(kind) for kind in sorted(set(kinds))},
                "examples": [
                    f"{sample.labels.get('text') or sample.name}: {' '.join(words)}"
                    for sample, words, kind in zip(samples, heard, kinds, strict=True)
                    if kind in ALARMS
                ][:12],
            }
    return results


def _by_word(tally: Tally) -> dict[str, dict[str, object]]:
    """Counts for each word said, its share of right ones, and its commonest confusion."""
    rows: dict[str, dict[str, object]] = {}
    for word, heard in tally.matrix().items():
        said = sum(heard.values())
        wrong = {other: count for other, count in heard.items() if other != word}
        rows[word] = {
            "said": said,
            "right": heard.get(word, 0),
            "share": round(percentage(heard.get(word, 0), said), 2),
            "taken for": next(iter(wrong), ""),
        }
    return rows


def _said_only(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(word for word in words if word != UNKNOWN_WORD)


def _canonical(words: Sequence[str], vocabulary: Vocabulary) -> tuple[str, ...]:
    return tuple(vocabulary.canonical(word) for word in words)
