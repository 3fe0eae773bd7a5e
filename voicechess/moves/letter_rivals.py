"""Squares that sound like others, above all by letters: every recogniser confuses "b" with "d", "e" and "g".

The n-best list shows the alternatives: where a wrong letter was recognised, the right one was never far below. So a
move with a file spoken as a letter has as rivals all moves that differ from it only in such letters and are nearly as
likely. How near that is was measured for each letter in a quiet room (`Confusions.margins`): "d" is heard as "e", "e"
hardly ever as "d". A legal rival is asked about, by the file's name. With an illegal rival the move itself is asked
about, so that an illegal announcement never plays another move. Without rivals the letter was clear, and the move is
played like any other. "Bishop c to b four" has "bishop c two b four" as a rival in the same way.

People hardly ever mix letters and names in one announcement, so in "rook Felix eight to a eight" the letter was most
probably a name: so "auf Eva acht" was heard. Such a move is never played unasked (`mixes_alphabets`,
`Reading.suspect`).

A few names of files are rivals too, but only in noise (`with_names`). English "to" and "two" sound the same, so that
legality decides between them (`_to_or_two`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import exp, log

import chess

from voicechess.language.confusions import Confusions, load_confusions
from voicechess.language.lexicon import FILE_KEYS, Lexicon
from voicechess.language.thresholds import load_thresholds
from voicechess.language.tokens import tokenise
from voicechess.meaning import Meaning, Reading, SpokenMove
from voicechess.moves.fitting import fits

DOUBTED_COST = 0.1
"""Cost above `Thresholds.clean` added to a move with an illegal rival, so that it is asked about. Larger: if it was
not recognised clearly anyway, it is rejected as not understood."""


RIVAL_COST = 3.5
"""Largest cost above the best hypothesis of a rival with another letter, in noise, where the best is illegal, and
where nothing was measured. Of 250 announcements with letters (tuning voices) the right one was at most 2.5 above, and
the n-best list always reached 4. Larger: more is asked about."""

LEAST_MARGIN = 1.5
"""The same in a quiet room for a letter whose margin was measured to be less: one "g" of 184 other announcements was
heard as a "d", 1.25 likelier. Larger: more is asked about."""

NAME_COST = 4.0
"""Largest cost above the best hypothesis of a rival with another name of a file, in noise: of 360 tuning announcements
the right one was at most 3.6 above. Larger: more is asked about."""

_Files = Mapping[tuple[bool, int | None], float]
"""Files that were heard, True with those that a piece comes from, with their least cost above the best reading."""


def with_letters(
    readings: Sequence[Reading], board: chess.Board, lexicon: Lexicon, in_noise: bool = False
) -> tuple[Reading, ...]:
    """The readings of what was heard, and those with another letter, lowest cost first. `in_noise`: letters are
    told apart worse than was measured."""
    tables = [load_confusions(code) for code in (lexicon.heard.code, lexicon.code)]
    confusions = next((table for table in tables if table.letters), None)
    if confusions is None or not readings:
        return tuple(readings)
    readings = _to_or_two(readings, board)
    full = load_thresholds().full
    most = readings[0].cost + full
    files = _files(readings)
    measured = bool(tables[0].margins) and not in_noise and _is_legal(readings[0], board)
    confusions = replace(confusions, margins=tables[0].margins if measured else {})
    if measured:
        readings = _without_others(readings, confusions, files, full)
    cheapest: dict[Meaning, Reading] = {}
    for one in readings:
        cheapest.setdefault(one.meaning, one)  # insertion order: equally likely ones stay in the order heard
    doubted = load_thresholds().clean + DOUBTED_COST
    doubt = doubted if _is_said_from_two(readings, board) or _lacks_a_file(readings, board) else 0.0
    for one in readings:
        if not isinstance(one.meaning, SpokenMove) or one.cost >= most:
            continue
        for rival, cost in _rivals(one.meaning, frozenset(one.words.split()), confusions, files):
            known = cheapest.get(rival)
            if not fits(board, rival):
                if one is readings[0] and fits(board, one.meaning):
                    doubt = doubted
            elif known is None or known.cost > one.cost + cost:
                cheapest[rival] = Reading(rival, one.cost + cost, one.words, letter=True)
    if (saved := _saved_together(readings, board, confusions, files)) > 0:
        alike = _alike(readings[0], confusions, files)
        cheapest |= {move: replace(one, cost=one.cost - saved) for move, one in cheapest.items() if move in alike}
    found = sorted(cheapest.values(), key=lambda one: one.cost)
    return tuple(replace(one, cost=one.cost + doubt) if isinstance(one.meaning, SpokenMove) else one for one in found)


def with_names(readings: Sequence[Reading], board: chess.Board, lexicon: Lexicon) -> tuple[Reading, ...]:
    """The readings of what was heard in noise; legal moves that differ from the best one in names of files that noise
    makes of others (`Confusions.names`), and were heard up to `NAME_COST` above it, are its rivals."""
    best, names = readings[0], load_confusions(lexicon.heard.code).names

    def is_rival(one: Reading) -> bool:
        apart = _files_apart(best.meaning, one.meaning) if one.cost <= best.cost + NAME_COST else None
        if apart is None or not all(is_alike(heard, said, one.words.split()) for heard, said in apart):
            return False
        return _is_legal(one, board)

    def is_alike(heard: int | None, said: int | None, words: Sequence[str]) -> bool:
        if heard is None or said is None:
            return False
        others = {other for word in best.words.split() if word in lexicon.files[heard] for other in names.get(word, {})}
        return not others.isdisjoint(set(words).intersection(lexicon.files[said]))

    if not names:
        return tuple(readings)
    near = min(cost for said in names.values() for cost in said.values())
    found = (replace(one, cost=min(one.cost, best.cost + near)) if is_rival(one) else one for one in readings[1:])
    return (best, *sorted(found, key=lambda one: one.cost))


def mixes_alphabets(reading: Reading, lexicon: Lexicon) -> bool:
    """Whether a move has one file that was said as a letter and another that was said as a name of either alphabet. An
    article beside two names is no letter: "move a rook Felix eight to Eva eight". `lexicon`: of the words."""
    move = reading.meaning
    if not isinstance(move, SpokenMove) or move.from_file is None or move.to_file is None:
        return False
    words = {token.text for token in tokenise(reading.words, lexicon)}
    files = {move.from_file, move.to_file}
    named = {file for file in files if not words.isdisjoint((*lexicon.files[file], *lexicon.typed.files[file]))}
    lettered = {file for file in files if reading.letter or FILE_KEYS[file] in words}
    return bool(named) and bool(lettered - named if len(files) > 1 else lettered)


def _files_apart(best: Meaning, other: Meaning) -> list[tuple[int | None, int | None]] | None:
    """The files of origin and target in which two moves differ, each as heard best and as in the other; None if they
    differ in anything else, or one is no move."""
    if not isinstance(best, SpokenMove) or not isinstance(other, SpokenMove):
        return None
    if replace(other, from_file=best.from_file, to_file=best.to_file) != best:
        return None
    ends = ((best.from_file, other.from_file), (best.to_file, other.to_file))
    return [(heard, said) for heard, said in ends if heard != said]


def _is_legal(reading: Reading, board: chess.Board) -> bool:
    return isinstance(reading.meaning, SpokenMove) and bool(fits(board, reading.meaning))


def _without_others(readings: Sequence[Reading], confusions: Confusions, files: _Files, beyond: float) -> list[Reading]:
    """The readings; those that differ from the best only in letters that are no rivals by what was measured cost so
    much more than it that they are none."""
    best, rivals = readings[0], _alike(readings[0], confusions, files)

    def is_other(one: Reading) -> bool:
        apart = None if one.meaning in rivals else _files_apart(best.meaning, one.meaning)
        return apart is not None and all(is_other_letter(heard, other, one) for heard, other in apart)

    def is_other_letter(heard: int | None, other: int | None, reading: Reading) -> bool:
        if heard is None or other is None or FILE_KEYS[other] not in confusions.letters.get(FILE_KEYS[heard], {}):
            return False
        return FILE_KEYS[heard] in best.words.split() and FILE_KEYS[other] in reading.words.split()

    return [replace(one, cost=max(one.cost, best.cost + beyond)) if is_other(one) else one for one in readings]


def _saved_together(readings: Sequence[Reading], board: chess.Board, confusions: Confusions, files: _Files) -> float:
    """Cost subtracted from an illegal best reading and its rivals that differ in letters only, since one of them is
    more probable than each alone: "d four" that may be "b four" or "e four" was an announcement in any case, to be
    refused or asked about, not noise. 0 for a legal one, whose doubt remains."""
    best = readings[0]
    alike = _alike(best, confusions, files)
    if len(alike) < 2 or not isinstance(best.meaning, SpokenMove) or fits(board, best.meaning):
        return 0.0
    together = -log(sum(exp(-one.cost) for one in readings if one.meaning in alike))
    return best.cost - max(together, load_thresholds().clean)


def _alike(reading: Reading, confusions: Confusions, files: _Files) -> frozenset[Meaning]:
    """A move and its rivals that differ in letters only; empty if the reading is no move."""
    if not isinstance(reading.meaning, SpokenMove):
        return frozenset()
    rivals = _rivals(reading.meaning, frozenset(reading.words.split()), confusions, files)
    return frozenset({reading.meaning, *(rival for rival, _ in rivals)})


def _to_or_two(readings: Sequence[Reading], board: chess.Board) -> Sequence[Reading]:
    """The readings without an illegal best one that sounds like another one ("Gustav to Eva two", "Gustav two Eva
    two") which is legal and was recognised too. That one is asked about if it names no rank of origin, since any piece
    on that file may make it.
    """
    best = readings[0].meaning
    if not isinstance(best, SpokenMove) or best.from_file is None or best.from_rank not in (None, 1):
        return readings
    meant = replace(best, from_rank=1 if best.from_rank is None else None)
    both = [one for one in readings if one.meaning in (best, meant)]
    if len(both) < 2 or fits(board, best) or not fits(board, meant):
        return readings
    cost = max(0.0, -log(sum(exp(-one.cost) for one in both)))
    if meant.from_rank is None:
        cost += load_thresholds().clean + DOUBTED_COST
    only = next(replace(one, cost=cost) for one in both if one.meaning == meant)
    return sorted((only, *(one for one in readings if one not in both)), key=lambda one: one.cost)


def _is_said_from_two(readings: Sequence[Reading], board: chess.Board) -> bool:
    """Whether the best reading is a legal move from a file "to" a square while the same words may also mean an illegal
    one from the second rank ("c to b four", "c two b four")."""
    best = readings[0].meaning
    if not isinstance(best, SpokenMove) or best.from_file is None or best.from_rank is not None:
        return False
    from_two = replace(best, from_rank=1)
    heard = any(one.meaning == from_two for one in readings)
    return heard and bool(fits(board, best)) and not fits(board, from_two)


def _lacks_a_file(readings: Sequence[Reading], board: chess.Board) -> bool:
    """Whether the best is a legal move from a rank, and the same with the file before it was heard nearly as likely,
    which is not legal: "bishop a eight e seven" runs into "bishop eight e seven"."""
    best = readings[0].meaning
    if not isinstance(best, SpokenMove) or best.from_file is not None or best.from_rank is None:
        return False
    near = (one.meaning for one in readings if one.cost <= readings[0].cost + RIVAL_COST)
    from_file = [one for one in near if isinstance(one, SpokenMove) and replace(one, from_file=None) == best != one]
    return any(not fits(board, one) for one in from_file) and bool(fits(board, best))


def _files(readings: Sequence[Reading]) -> _Files:
    """The files of all moves that were heard."""
    found: dict[tuple[bool, int | None], float] = {}
    for one in readings:
        if isinstance(one.meaning, SpokenMove):
            for file in ((True, one.meaning.from_file), (False, one.meaning.to_file)):
                found[file] = min(one.cost - readings[0].cost, found.get(file, RIVAL_COST + 1))
    return found


def _rivals(
    move: SpokenMove, words: frozenset[str], confusions: Confusions, files: _Files
) -> Iterator[tuple[SpokenMove, float]]:
    """The move with files said as letters replaced by confusable ones, each with its additional cost. Confusions of one
    utterance are correlated, so two cost no more than the larger one."""

    def others(file: int | None, origin: bool) -> list[tuple[int | None, float]]:
        letter = FILE_KEYS[file] if file is not None else ""
        measured = confusions.margins.get(letter, {})
        found: list[tuple[int | None, float]] = [(file, 0.0)]
        for other, cost in confusions.letters.get(letter, {}).items() if letter in words else ():
            margin = max(LEAST_MARGIN, measured.get(other, 0.0)) if confusions.margins else RIVAL_COST
            if files.get((origin, FILE_KEYS.index(other)), margin + 1) <= margin:
                found.append((FILE_KEYS.index(other), cost))
        return found

    for origin, target in product(others(move.from_file, True), others(move.to_file, False)):
        if origin[1] or target[1]:
            exchanged = replace(move, from_file=origin[0], to_file=target[0])
            yield exchanged, max(origin[1], target[1])
