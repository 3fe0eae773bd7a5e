"""Measured confusions put into announcements: nothing else is played without a question."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import chess
import pytest

from tests.drivers.positions import POSITIONS
from voicechess.language.confusions import MIN_COST, Confusions, load_confusions
from voicechess.language.lexicon import load
from voicechess.language.readings import interpret
from voicechess.language.thresholds import load_thresholds
from voicechess.language.understanding import understand_all
from voicechess.language.wording import Style, Wording
from voicechess.meaning import Expectation, Hypothesis, SpokenMove, Word
from voicechess.moves.decisions import Play
from voicechess.moves.fitting import fits
from voicechess.moves.matching import decide
from voicechess.moves.saying import said_move

THRESHOLDS = load_thresholds()

LEXICON = load("de")
WORDING = Wording("de", Style.FIDE, strict=True)

NEAR = 1.4
"""Right words that score so little below the misheard ones have to lead to a question."""

SAMPLE = 150
"""Announcements of a position that are tried, by chance but always the same."""


def said_for_heard() -> dict[str, list[str]]:
    """Every measured confusion: the words that each word can be taken for; ranks and files besides, as in any ear."""
    found: dict[str, list[str]] = {}
    for heard, said in load_confusions("de").exchanged.items():
        for word in said:
            found.setdefault(word, []).append(heard)
    for one, other in (("zwei", "drei"), ("eins", "drei"), ("fünf", "vier"), ("anna", "eva"), ("bella", "eva")):
        found.setdefault(one, []).append(other)
        found.setdefault(other, []).append(one)
    return found


WRONG_WORDS = said_for_heard()


def misheard(words: tuple[str, ...], times: int) -> Iterator[tuple[str, ...]]:
    """The words with that many of them taken for others."""
    if times == 0:
        yield words
        return
    for place, word in enumerate(words):
        for heard in WRONG_WORDS.get(word, ()):
            yield from misheard((*words[:place], heard, *words[place + 1 :]), times - 1)


def announcements(board: chess.Board) -> list[tuple[chess.Move, tuple[str, ...]]]:
    made = []
    for move in board.legal_moves:
        for full in (False, True):
            words = WORDING.move(said_move(board, move), full).lower().replace(",", "").split()
            made.append((move, tuple(words)))
    return Random(7).sample(made, min(SAMPLE, len(made)))


def hypothesis(words: tuple[str, ...], score: float) -> Hypothesis:
    return Hypothesis(tuple(Word(word, 0, 0) for word in words), score)


def cases(board: chess.Board, times: int) -> Iterator[tuple[chess.Move, tuple[str, ...], tuple[str, ...]]]:
    random = Random(times)
    for move, words in announcements(board):
        wrong = [heard for heard in misheard(words, times) if heard != words]
        for heard in random.sample(wrong, min(6, len(wrong))):
            yield move, words, heard


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("name", list(POSITIONS))
def test_where_the_right_words_are_near_no_other_move_is_played(name: str, times: int) -> None:
    board = chess.Board(POSITIONS[name])
    expectation = Expectation(board=board)
    for move, words, heard in cases(board, times):
        readings = interpret((hypothesis(heard, 0.0), hypothesis(words, -NEAR)), expectation, LEXICON)
        decision = decide(board, readings)
        assert not isinstance(decision, Play) or decision.move == move, (words, heard)


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("name", list(POSITIONS))
def test_what_is_played_was_literally_heard(name: str, times: int) -> None:
    """Without an alternative nothing can show that a whole legal announcement was another one; but no move is ever
    played by changing a word, and none that the words heard do not announce."""
    board = chess.Board(POSITIONS[name])
    expectation = Expectation(board=board)
    for _, words, heard in cases(board, times):
        decision = decide(board, interpret((hypothesis(heard, 0.0),), expectation, LEXICON))
        if isinstance(decision, Play):
            literal = [r.meaning for r in understand_all(" ".join(heard), LEXICON, expectation)]
            moves = [fits(board, one) for one in literal if isinstance(one, SpokenMove)]
            assert (decision.move,) in moves, (words, heard)


def test_an_illegal_announcement_is_not_bent_by_any_confusion() -> None:
    """Even if somebody confused every word with every other: it is refused or asked about."""
    ranks = [words[0] for words in LEXICON.ranks]
    everything = Confusions({one: dict.fromkeys([r for r in ranks if r != one], 0.0) for one in ranks})
    board = chess.Board()
    for file in (words[0] for words in LEXICON.files):
        for rank in ("fünf", "sechs", "sieben", "acht"):
            heard = hypothesis(("springer", file, rank), 0.0)
            readings = interpret((heard,), Expectation(board=board), LEXICON, confusions=everything)
            assert not isinstance(decide(board, readings), Play)


def test_no_confusion_takes_a_clear_move_away() -> None:
    """A clearly heard legal move is played whatever the costs of confusion are: they lead to questions elsewhere."""
    assert THRESHOLDS.margin <= THRESHOLDS.full < MIN_COST
    ranks = [words[0] for words in LEXICON.ranks]
    everything = Confusions({one: dict.fromkeys([r for r in ranks if r != one], 0.0) for one in ranks})
    board = chess.Board()
    for move, words in announcements(board):
        readings = interpret((hypothesis(words, 0.0),), Expectation(board=board), LEXICON, confusions=everything)
        assert decide(board, readings) == Play(move)
