"""`voicechess bench tuning`: costs of confusion and thresholds, chosen on the tuning sets and written as data.

The tuning sets share no voice, person, noise or position with the test sets. Every second utterance is used for the
costs of confusion, the others for the thresholds, by coordinate descent on a harm of which wrong moves have by far the
largest share.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import date
from importlib import resources
from math import exp, log
from pathlib import Path

import chess

from models.bench import letter_margins
from models.bench.deciders import OurGame
from models.bench.hearing import prepared
from models.bench.hearing_report import Trial
from models.bench.hearing_sets import QUICK, TUNE, Counts, Sets
from models.bench.listening import Ears, Listening
from models.bench.report import Stages
from models.bench.vocabulary import Vocabulary
from models.languages import CODES, USUAL
from voicechess.app.exam_results import Meant, harm
from voicechess.language.confusions import Confusions, load_confusions, pairs
from voicechess.language.folders import LETTERS
from voicechess.language.lexicon import Lexicon
from voicechess.language.readings import interpret
from voicechess.language.thresholds import Thresholds, load_thresholds
from voicechess.meaning import UNKNOWN_WORD, Expectation, Reading
from voicechess.messages import Failure
from voicechess.moves.decisions import Decision
from voicechess.moves.matching import decide

# --- Costs of confusion ---
# Each hypothesis counts with its share of the likelihood, so that all utterances contribute, not only the few whose
# best hypothesis is wrong.


MAX_CONFUSION_COST = 5.0
"""Largest cost that is stored. Larger: rarer confusions are tried, with more computing."""

PRIOR = 2.0
"""Right recognitions added to the count of each word. Larger: confusions seen once or twice cost more."""


@dataclass
class WordCounts:
    """Counts of recognised words, weighted by posterior."""

    heard: dict[str, float] = field(default_factory=lambda: defaultdict(float))  # word recognised
    exchanged: dict[tuple[str, str], float] = field(default_factory=lambda: defaultdict(float))  # (recognised, said)
    added: dict[str, float] = field(default_factory=lambda: defaultdict(float))  # word inserted


def count(trials: Iterable[Trial], lexicon: Lexicon) -> WordCounts:
    """Counts over the utterances with known words. Names of one file, rank or piece count as one word."""
    same = {word: words[0] for words in (*lexicon.files, *lexicon.ranks, *lexicon.pieces.values()) for word in words}
    counts = WordCounts()
    for trial in trials:
        said = [same.get(word, word) for word in trial.item.sample.words]
        hypotheses = [one for one in trial.hypotheses if one.speed == 1.0 and one.edge_below_db is None]
        if not said or not hypotheses:
            continue
        weights = [exp(max(-50.0, one.log_likelihood - hypotheses[0].log_likelihood)) for one in hypotheses]
        for hypothesis, weight in zip(hypotheses, weights, strict=True):
            words = [same.get(word, word) for word in hypothesis.text.split()]
            for heard, meant in pairs(words, said):
                if heard is not None:
                    counts.heard[heard] += weight / sum(weights)
                if heard is not None and meant is None:
                    counts.added[heard] += weight / sum(weights)
                if heard is not None and meant is not None and heard != meant:
                    counts.exchanged[heard, meant] += weight / sum(weights)
    return counts


def costs(counts: WordCounts) -> tuple[dict[str, dict[str, float]], dict[str, float]]:
    """Costs of exchanged words ([recognised][said]) and of inserted words: -log of their share of the recognitions of
    the word, up to `MAX_CONFUSION_COST`."""
    exchanged: dict[str, dict[str, float]] = {}
    for (heard, said), number in sorted(counts.exchanged.items()):
        cost = -log(number / (counts.heard[heard] + PRIOR))
        if cost <= MAX_CONFUSION_COST and heard != UNKNOWN_WORD:
            exchanged.setdefault(heard, {})[said] = round(cost, 2)
    added = {
        heard: round(-log(number / (counts.heard[heard] + PRIOR)), 2)
        for heard, number in sorted(counts.added.items())
        if -log(number / (counts.heard[heard] + PRIOR)) <= MAX_CONFUSION_COST
    }
    return exchanged, added


def as_toml(exchanged: Mapping[str, Mapping[str, float]], added: Mapping[str, float], remarks: Sequence[str]) -> str:
    """The file that `language.confusions` reads."""
    lines = [*(f"# {remark}" for remark in remarks), "", "[added]"]
    lines += [f'"{word}" = {cost}' for word, cost in added.items()]
    lines += ["", "[exchanged]"]
    for heard, said in exchanged.items():
        inside = ", ".join(f'"{word}" = {cost}' for word, cost in said.items())
        lines.append(f'"{heard}" = {{ {inside} }}')
    return "\n".join(lines) + "\n"


# --- Thresholds ---


THRESHOLDS = load_thresholds()

ENOUGH = Counts(
    clean=200,
    noisy=30,
    hard=40,
    spliced=200,
    illegal=200,
    commands=100,
    commands_elsewhere=0,
    natural=120,
    halves=90,
    other_one_in=3,
    noise_each=12,
    in_room=30,
    ways=100,
)
"""Numbers of items: some minutes on two cores."""

NOT_CHOSEN_BY = ("j ", "k ", "n ")
"""Prefixes of sets without influence: no threshold is about speech during a repetition, and answers in noise and speech
in another language were added after the thresholds in use."""

TRIED: dict[str, tuple[float, ...]] = {
    "margin": (1.5, 2.0, 2.5),  # below, an alternative is likelier than one in five
    "half": (1.5, 2.0, 2.5, 3.0, 3.5),
    "full": (2.0, 2.5, 3.0, 3.5),
    "clean": (0.3, 0.4, 0.5, 0.6, 0.7, 0.85, 1.0),
    "command": (0.4, 0.5, 0.6, 0.7, 0.85, 1.0),
    "refuse": (0.5, 0.6, 0.7, 0.85, 1.0),
    "neighbour": (3.5, 4.0, 5.0, 6.0),  # above, unlikely moves are offered
    "ask": (1.2, 1.4, 1.7, 2.0, 2.5),
    "part": (0.2, 0.3, 0.4, 0.6, 0.8, 1.2, 1.7),
    "sense": (0.1, 0.15, 0.2, 0.25, 0.35, 0.5, 0.7, 1.0),
    "whole": (0.1, 0.15, 0.2, 0.25, 0.35, 0.5, 0.7, 1.0),
    "fit": (-30.0, -25.0, -20.0, -18.0),  # above, unseen people, who fit worse, might be taken for noise
    "alone": (0.0, 4.0, 8.0),  # above, all answers of unseen people might be read back
    "again": (0.0, 0.25, 0.5, 0.75, 1.0),
    "senseless": (0.03, 0.1, 0.2, 0.5, 1.0),
}
"""The values tried of each threshold."""

ROUNDS = 2
"""Number of passes over all thresholds."""

CAUTION = 4.0
"""Additional harm accepted for a more cautious value of each threshold: some hundred utterances without a wrong move do
not exclude one in some thousand. Larger: more questions."""
CAUTIOUS: dict[str, Callable[[Sequence[float]], float]] = {
    "margin": max,
    "half": max,
    "full": max,
    "clean": min,
    "command": min,
    "neighbour": max,
    "again": max,
    "senseless": max,
    "whole": max,
    "fit": min,
    "alone": max,
}
"""Which of two values is more cautious, of thresholds that prevent something, and of those by which a player might be
taken for noise or refused a legal move: unseen people are misrecognised more often."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `voicechess bench tuning`."""
    parser.add_argument("--model", type=Path, metavar="PATH", help="a Vosk model folder")
    parser.add_argument("--lang", default=USUAL, choices=CODES, help="the language that is spoken")
    parser.add_argument("--quick", action="store_true", help="a small part of everything")
    parser.add_argument("--write", action="store_true", help="write the files of the program; else only show them")
    parser.add_argument("--letters", action="store_true", help="only how well letters are told apart")
    parser.add_argument("--jobs", type=int, default=None, metavar="N", help="worker processes")


def run(args: argparse.Namespace) -> int:
    """Measure, print and perhaps write the files; returns 0. Raises Failure if it cannot be measured.

    The thresholds are shared by all languages and chosen with German only; for other languages they are only shown.
    """
    code = args.lang
    path, vocabulary, known = prepared(args.model, code)
    lexicon = vocabulary.lexicon.restrict(known.__contains__)
    folder = Path(str(resources.files("voicechess.language")))
    if args.letters:
        text = _letters(vocabulary, lexicon, path, args.jobs)
        print(text)
        if args.write:
            (folder / code / LETTERS).write_text(text, encoding="utf-8")
        return 0
    heard = listened(vocabulary, lexicon, path, QUICK if args.quick else ENOUGH, args.jobs)
    exchanged, added = costs(count(heard[::2], lexicon))
    confusions = replace(load_confusions(code), exchanged=exchanged, added=added)
    thresholds, lines = choose_thresholds(heard[1::2], lexicon, confusions)
    spoken = "" if code == USUAL else f" --lang {code}"
    command = f"voicechess bench tuning{spoken} --write" + (" --quick" if args.quick else "")
    remarks = [f"Made by `{command}` on {date.today().isoformat()}, {len(heard)} utterances of the tuning sets."]
    files = {
        f"{code}/confusions.toml": as_toml(exchanged, added, [*remarks, "Costs are -log of the share of hearings."]),
        "thresholds.toml": "\n".join(
            [*(f"# {line}" for line in [*remarks, *lines]), *(f"{k} = {v}" for k, v in asdict(thresholds).items()), ""]
        ),
    }
    for name, text in files.items():
        print(f"{name}\n{text}")
        if args.write and (code == USUAL or name.startswith(f"{code}/")):
            (folder / name).write_text(text, encoding="utf-8")
    return 0


def _letters(vocabulary: Vocabulary, lexicon: Lexicon, model: Path, jobs: int | None) -> str:
    """The file of the letters' margins. Raises Failure if the language has no test sets with letters."""
    if "letters" not in vocabulary.ways:
        raise Failure("bench.no_letters")
    heard = letter_margins.heard_letters(vocabulary, lexicon, model, jobs)
    command = f"voicechess bench tuning --lang {vocabulary.code} --letters --write"
    remarks = (
        f"Made by `{command}` on {date.today().isoformat()}, {len(heard)} announcements of the tuning sets.",
        "[the letter heard best]: how much less likely another one may be and have been said.",
    )
    found = letter_margins.values(heard, lexicon)
    return letter_margins.as_toml(letter_margins.margins(found, load_confusions(vocabulary.code).letters), remarks)


def listened(vocabulary: Vocabulary, lexicon: Lexicon, model: Path, counts: Counts, jobs: int | None) -> list[Trial]:
    """Recognise the tuning sets."""
    sets = Sets(TUNE, counts, vocabulary).all()
    items = [(name, item) for name, of_set in sets.items() if not name.startswith(NOT_CHOSEN_BY) for item in of_set]
    ours = OurGame(lexicon)
    tasks = [Listening(item.sample, ours.begin(item).expectation) for _, item in items]
    with Ears(model, vocabulary.code, jobs=jobs) as ears:
        heard = ears.listen(tasks, Stages().stage("tuning"))
    return [Trial(name, item, overheard) for (name, item), overheard in zip(items, heard, strict=True)]


def choose_thresholds(
    trials: Sequence[Trial], lexicon: Lexicon, confusions: Confusions, start: Thresholds = THRESHOLDS
) -> tuple[Thresholds, list[str]]:
    """The thresholds with the least harm, found one at a time, and remarks on the harm."""
    ours = OurGame(lexicon)
    waited_for = [(trial, ours.begin(trial.item).expectation) for trial in trials]
    read: dict[tuple[float, float, float], list[tuple[Reading, ...]]] = {}

    def harm_of(thresholds: Thresholds) -> float:
        key = again, fit, alone = thresholds.again, thresholds.fit, thresholds.alone
        if key not in read:
            read[key] = [
                interpret(trial.hypotheses, expectation, lexicon, False, confusions, again, fit, alone)
                for trial, expectation in waited_for
            ]
        return sum(
            _harm(trial, expectation, _decision(expectation, readings, thresholds))
            for (trial, expectation), readings in zip(waited_for, read[key], strict=True)
        )

    best = start
    for _ in range(ROUNDS):
        for name in (one.name for one in fields(Thresholds)):
            best = _least(name, best, harm_of)
    return best, [f"Harm on {len(trials)} of them: {harm_of(best):.1f} (before: {harm_of(start):.1f})."]


def _least(name: str, thresholds: Thresholds, harm: Callable[[Thresholds], float]) -> Thresholds:
    """The thresholds with the best value of one: the middle of the best ones, or a cautious one within `CAUTION`."""
    harms = {value: harm(replace(thresholds, **{name: value})) for value in TRIED[name]}
    cautious = CAUTIOUS.get(name)
    good = [value for value, found in harms.items() if found <= min(harms.values()) + (CAUTION if cautious else 1e-9)]
    return replace(thresholds, **{name: cautious(good) if cautious else good[len(good) // 2]})


def _decision(expectation: Expectation, readings: Sequence[Reading], thresholds: Thresholds) -> Decision:
    assert expectation.board is not None, "every item has a position"
    return decide(expectation.board, readings, expectation.asked, thresholds)


def _harm(trial: Trial, expectation: Expectation, decision: Decision) -> float:
    item = trial.item
    move = chess.Move.from_uci(item.move) if item.move else None
    ours = move is not None or item.command is not None or bool(item.sample.words)
    return harm(decision, expectation, Meant(move, item.command, ours, bool(item.before)))
