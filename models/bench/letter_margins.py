"""How well the recogniser tells letters apart, for files spoken as letters: `voicechess bench tuning --letters`.

Heard are the announcements with letters of the tuning sets, in a quiet room, some of them said fast, in a reverberant
room and by telephone as well, and letters that people say, each before a rank. Where the n-best list has the
announcement and the same with one other letter, the difference of their costs is one value for this pair, positive
where the right letter is likelier. How far below the letter heard best another one may be and have been said follows
from their mean and deviation.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import sqrt
from pathlib import Path
from statistics import mean, pstdev

import chess

from models.bench.deciders import OurGame
from models.bench.hearing_parts import Item, said_by, under
from models.bench.hearing_report import Trial
from models.bench.hearing_sets import FAST_SPEEDS, TUNE, Counts, Sets
from models.bench.listening import Ears, Listening
from models.bench.report import Stages
from models.bench.samples import Conditions, Recorded, Sample, recordings
from models.bench.vocabulary import Vocabulary
from voicechess.language.lexicon import FILE_KEYS, Lexicon
from voicechess.language.readings import interpret
from voicechess.language.understanding import understand
from voicechess.meaning import SpokenMove
from voicechess.moves.letter_rivals import LEAST_MARGIN, RIVAL_COST

LETTERS, PEOPLE = "m letters", "people's letters"
"""Names of the sets."""

IN_EACH_WAY = slice(60, 90)
"""The announcements that are also said in each of `WAYS`: by telephone or fast a "g" becomes an "e"."""

COUNTS = Counts(ways=240)
"""Numbers of items; 240 of `LETTERS` give eight values or more of most pairs."""

DEVIATIONS = 3.0
"""Standard deviations from the mean of a pair that its margin covers; normally distributed, one value in 700 is beyond.
Larger: more is asked about."""

USUAL_DEVIATION, USUAL_WEIGHT = 1.6, 6
"""Prior of a pair's standard deviation: that of all pairs together, and the number of values that it weighs as much as.
Larger: more is asked about (the first), and the same for all pairs (the second)."""

BEYOND = 0.5
"""Cost by which a margin exceeds the most extreme value of its pair at least. Larger: more is asked about."""

WAYS: Mapping[str, Callable[[Item, int], Item]] = {
    "tel": lambda item, _: under([item], Conditions(telephone=True))[0],
    "room": lambda item, _: under([item], Conditions(rt60_s=0.5))[0],
    "fast": lambda item, number: said_by(item, rate=FAST_SPEEDS[number % len(FAST_SPEEDS)]),
}
"""Further conditions of announcements: name -> change of an item, given its number."""

Values = Mapping[tuple[str, str], Sequence[float]]
"""(letter recognised, letter said) -> differences of their costs, positive if the letter said was likelier."""


def heard_letters(vocabulary: Vocabulary, lexicon: Lexicon, model: Path, jobs: int | None) -> list[Trial]:
    """Recognise the announcements with letters."""
    voices = [(LETTERS, item) for item in Sets(TUNE, COUNTS, vocabulary).all()[LETTERS]]
    others = [
        (f"{LETTERS} {way}", replace(said, sample=replace(said.sample, name=f"{item.sample.name}/{way}")))
        for way, changed in WAYS.items()
        for number, (_, item) in enumerate(voices[IN_EACH_WAY])
        for said in [changed(item, number)]
    ]
    items = [*voices, *others, *((PEOPLE, item) for item in letters_of_people(vocabulary))]
    ours = OurGame(lexicon)
    with Ears(model, vocabulary.code, jobs=jobs) as ears:
        tasks = [Listening(item.sample, ours.begin(item).expectation) for _, item in items]
        heard = ears.listen(tasks, Stages().stage("tuning"))
    return [Trial(name, item, overheard) for (name, item), overheard in zip(items, heard, strict=True)]


def letters_of_people(vocabulary: Vocabulary) -> list[Item]:
    """A pawn's first moves, by one and two squares, with the file said as a letter by everybody of whom it is recorded,
    and the rank by the same person if recorded, otherwise by the first one."""
    said: dict[str, dict[str, Recorded]] = {}
    for one in recordings(TUNE.split, vocabulary.code):
        if one.human:
            said.setdefault(one.speaker, {}).setdefault(one.text, Recorded(one.path, vocabulary.code))
    ranks = {number: vocabulary.lexicon.ranks[number - 1][0] for number in (3, 4)}
    anybody = {rank: next(said[name][rank] for name in sorted(said) if rank in said[name]) for rank in ranks.values()}
    made = []
    for name, (letter, (number, rank)) in product(sorted(said), product(FILE_KEYS, ranks.items())):
        if letter in said[name]:
            parts = (said[name][letter], said[name].get(rank, anybody[rank]))
            sample = Sample(f"{TUNE.name}/{PEOPLE}/{name}/{letter}{number}", parts, (letter, rank))
            made.append(Item(sample, chess.STARTING_FEN, move=f"{letter}2{letter}{number}"))
    return made


def values(trials: Iterable[Trial], lexicon: Lexicon) -> Values:
    """The values of each pair of letters."""
    ours, found = OurGame(lexicon), dict[tuple[str, str], list[float]]()
    for trial in trials:
        expectation = ours.begin(trial.item).expectation
        meant = understand(" ".join(trial.item.sample.words), lexicon, expectation)
        readings = interpret(trial.hypotheses, expectation, lexicon)
        right = next((one.cost for one in readings if one.meaning == meant), None)
        if right is None or not isinstance(meant, SpokenMove):
            continue
        for one in readings:
            pair = _exchanged(one.meaning, meant) if isinstance(one.meaning, SpokenMove) else None
            if pair is not None and pair[0] in one.words.split():
                found.setdefault(pair, []).append(one.cost - right)
    return found


def _exchanged(move: SpokenMove, meant: SpokenMove) -> tuple[str, str] | None:
    """(letter recognised, letter said) of the one file in which two moves differ; None if they differ otherwise."""
    if replace(move, from_file=meant.from_file, to_file=meant.to_file) != meant:
        return None
    ends = ((move.from_file, meant.from_file), (move.to_file, meant.to_file))
    other = [(heard, said) for heard, said in ends if heard != said]
    if len(other) != 1 or other[0][0] is None or other[0][1] is None:
        return None
    return FILE_KEYS[other[0][0]], FILE_KEYS[other[0][1]]


def margins(found: Values, alike: Mapping[str, Collection[str]]) -> dict[str, dict[str, float]]:
    """[letter recognised][letter said] -> margin, of letters that are `alike`; above `LEAST_MARGIN`, at most
    `RIVAL_COST`."""
    chosen: dict[str, dict[str, float]] = {}
    for (heard, said), likelier in sorted(found.items()):
        if said not in alike.get(heard, ()):
            continue
        spread = len(likelier) * pstdev(likelier) ** 2 + USUAL_WEIGHT * USUAL_DEVIATION**2
        deviation = sqrt(spread / (len(likelier) + USUAL_WEIGHT))
        margin = max(DEVIATIONS * deviation - mean(likelier), BEYOND - min(likelier))
        if margin > LEAST_MARGIN:
            chosen.setdefault(heard, {})[said] = round(min(margin, RIVAL_COST), 1)
    return chosen


def as_toml(found: Mapping[str, Mapping[str, float]], remarks: Sequence[str]) -> str:
    """The file that `language.confusions` reads."""
    lines = [*(f"# {remark}" for remark in remarks), ""]
    for heard, said in found.items():
        lines += [f"[{heard}]", *(f"{letter} = {margin}" for letter, margin in said.items()), ""]
    return "\n".join(lines)
