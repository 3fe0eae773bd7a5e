"""Short answers: a word that may have been another of the answers is read back, and never played at once."""

from __future__ import annotations

from collections.abc import Iterator
from math import log

import chess
import pytest

from tests.drivers.hearer import LEXICON, Hearer
from tests.drivers.positions import POSITIONS
from voicechess.game import events as ev
from voicechess.language.confusions import NO_CONFUSIONS, Confusions, load_confusions
from voicechess.language.personal import learn, phrases_to_read
from voicechess.language.readings import NO_SENSE_PRIOR
from voicechess.language.thresholds import WRONG_MOVE_HARM, load_thresholds
from voicechess.meaning import QuestionKind, SpokenMove
from voicechess.moves.fitting import fits

THRESHOLDS = load_thresholds()

RANKS = [words[0] for words in LEXICON.ranks]
TWO_OR_THREE = chess.Board("7k/8/8/8/8/8/8/K3R3 w - - 0 1")
"""The rook can go to the second, the third and other ranks of its file."""

RARELY = Confusions({one: {two: log(100)} for one, two in zip(RANKS, [*RANKS[1:], RANKS[0]], strict=True)})
"""Every rank is once in a hundred times the next one."""


def questions_for_a_rank(board: chess.Board) -> Iterator[tuple[str, dict[int, chess.Move]]]:
    """Piece and file, as words, and the moves that each rank said then means; two at least."""
    for kind, names in LEXICON.pieces.items():
        for file in range(8):
            found = fits(board, SpokenMove(piece=kind, to_file=file))
            ranks = {chess.square_rank(move.to_square): move for move in found}
            if kind != chess.PAWN and len(found) == len(ranks) > 1:
                yield f"{names[0]} {LEXICON.files[file][0]}", ranks


@pytest.mark.parametrize("name", list(POSITIONS))
def test_a_word_that_may_have_been_another_answer_is_never_played_at_once(name: str) -> None:
    board = chess.Board(POSITIONS[name])
    for words, moves in questions_for_a_rank(board):
        for rank, move in moves.items():
            hearer = Hearer(board, RARELY)
            assert hearer.hear((words, 0.0))[-1].startswith("complete.to_rank"), words
            answered = hearer.hear((RANKS[rank], 0.0))
            if (rank + 1) % 8 in moves or (rank - 1) % 8 in moves:  # both ways: costs of single words are rough
                assert answered == ["ask.plain"], (words, rank)
                assert hearer.session.expectation.asked.candidates == (move,)
                assert hearer.hear(("ja", 0.0)) == [f"move.repeat {move.uci()}"]
            else:
                assert answered == [f"move.repeat {move.uci()}"], (words, rank)


def test_nothing_else_is_read_back() -> None:
    """Words without a confusion, whole moves, and what is typed."""
    board = TWO_OR_THREE
    for rank in range(1, 8):
        hearer = Hearer(board)
        hearer.hear(("turm eva", 0.0))
        assert hearer.hear((RANKS[rank], 0.0)) == [f"move.repeat e1e{rank + 1}"]
    hearer = Hearer(board, RARELY)
    hearer.hear(("turm eva", 0.0))
    assert hearer.hear(("turm eva zwei", 0.0)) == ["move.repeat e1e2"]
    hearer = Hearer(board, RARELY)
    hearer.hear(("turm eva", 0.0), source=ev.Source.KEYBOARD)
    assert hearer.hear(("zwei", 0.0), source=ev.Source.KEYBOARD) == ["move.repeat e1e2"]


def test_zwei_and_drei_are_read_back_whatever_was_measured_and_zwo_is_not() -> None:
    """It was so that "drei" was taken for "zwei" without any alternative, and the wrong move was made."""
    for word, answer in (("zwei", ["ask.plain"]), ("drei", ["ask.plain"]), ("zwo", ["move.repeat e1e2"])):
        hearer = Hearer(TWO_OR_THREE, Confusions(alike=load_confusions("de").alike))
        hearer.hear(("turm eva", 0.0))
        assert hearer.hear((word, 0.0)) == answer
    # Where only one of them can be meant, nothing is asked.
    hearer = Hearer(chess.Board("7k/8/8/8/4p3/8/4P3/K3R3 b - - 0 1"), load_confusions("de"))
    hearer.hear(("könig hector", 0.0))
    assert hearer.hear(("ja", 0.0)) == ["move.repeat h8h7"]


def test_what_rhymes_on_no_takes_no_move_that_was_offered() -> None:
    """ "Meinten Sie Springer Hector vier?" – "nein", surely heard as "eins", in noise: the move was made."""
    board = chess.Board("7k/8/8/8/8/4R3/8/K7 w - - 0 1")
    for rank in ("eins", "drei", "vier"):
        hearer = Hearer(board, load_confusions("de"))
        hearer.hear(("turm eva vier", 0.0), ("turm david drei", -0.5))
        assert hearer.session.expectation.asked.kind is QuestionKind.WHICH_MOVE
        answered = hearer.hear((rank, 0.0))
        assert answered == (["move.repeat e3e4"] if rank == "vier" else ["ask.plain"]), rank
        if rank != "vier":
            assert hearer.hear((rank, 0.0)) == ["ask.plain"], "the only one, and no answer to that"
            assert hearer.hear(("ja", 0.0))[0].startswith("move.repeat")
    hearer = Hearer(board, load_confusions("de"))
    hearer.hear(("turm eva", 0.0))
    assert hearer.hear(("eins", 0.0)) == ["move.repeat e3e1"], "who is asked for a rank does not say no"


@pytest.mark.parametrize(
    ("times", "answer"),
    [(2 * WRONG_MOVE_HARM, "move.repeat e1e4"), (WRONG_MOVE_HARM / 2, "ask.plain")],
)
def test_so_it_is_with_alternatives_of_the_recogniser(times: float, answer: str) -> None:
    hearer = Hearer(TWO_OR_THREE)
    hearer.hear(("turm eva", 0.0))
    assert hearer.hear(("vier", 0.0), ("fünf", -log(times))) == [answer]


@pytest.mark.parametrize("other", ["tier", "hier vier", "vier [unk]", "[unk]"])
@pytest.mark.parametrize(
    ("times", "answer"),
    [(2 * WRONG_MOVE_HARM, "move.repeat e1e4"), (WRONG_MOVE_HARM / 2, "ask.plain")],
)
def test_what_may_have_been_no_answer_at_all_is_read_back(other: str, times: float, answer: str) -> None:
    """ "Tier", said in the room while "Welche Reihe?" was open, made a move to the fourth rank."""
    hearer = Hearer(TWO_OR_THREE)
    hearer.hear(("turm eva", 0.0))
    senseless = 1.0 if "[unk]" in other else NO_SENSE_PRIOR
    assert hearer.hear(("vier", 0.0), (other, -log(times * senseless))) == [answer]


@pytest.mark.parametrize("other", ["fünf", "nein", "[unk]", ""])
@pytest.mark.parametrize("speed", [0.9, 1.1])
def test_a_word_that_is_another_one_at_another_speed_is_read_back(other: str, speed: float) -> None:
    """ "Sechs" was taken for "zwo", and "nein" for "drei": surely, and without any alternative."""
    hearer = Hearer(TWO_OR_THREE)
    hearer.hear(("turm eva", 0.0))
    again = {0.9: "vier", 1.1: "vier"}
    assert hearer.hear(("vier", 0.0), again=again | {speed: other}) == ["ask.plain"]
    assert hearer.session.expectation.asked.candidates == (chess.Move.from_uci("e1e4"),)
    assert hearer.hear(("ja", 0.0), again={0.9: "ja", 1.1: "ja"}) == ["move.repeat e1e4"]


def test_a_word_that_is_the_same_at_every_speed_is_taken() -> None:
    hearer = Hearer(TWO_OR_THREE)
    hearer.hear(("turm eva", 0.0))
    assert hearer.hear(("vier", 0.0), again={0.9: "vier", 1.1: "vier"}) == ["move.repeat e1e4"]


@pytest.mark.parametrize("weight", [1.0, 1.5 / WRONG_MOVE_HARM])
def test_what_may_have_been_no_does_not_name_the_move(weight: float) -> None:
    """ "Meinten Sie Turm Eva drei?" – "nein", heard as "drei"."""
    hearer = Hearer(TWO_OR_THREE)
    hearer.hear(("turm eva drei", 0.0), ("turm eva vier", 0.0))
    assert hearer.hear(("ja", 0.0)) == ["ask.plain"]
    assert len(hearer.session.expectation.asked.candidates) == 1
    assert hearer.hear(("drei", 0.0), ("nein", log(weight))) == ["ask.plain"]
    assert hearer.hear(("ja", 0.0))[0].startswith("move.repeat")


SURE = THRESHOLDS.fit + THRESHOLDS.alone


@pytest.mark.parametrize("words", ["vier", "reihe vier", "eva vier"])
def test_an_answer_that_may_be_talk_in_the_room_is_read_back(words: str) -> None:
    """While "Welche Reihe?" was open, "sieben" in other people's talk made a move."""
    for fit, answer in ((SURE + 1, "move.repeat e1e4"), (SURE - 1, "ask.plain"), (THRESHOLDS.fit - 10, "ask.plain")):
        hearer = Hearer(TWO_OR_THREE)
        hearer.hear(("turm eva", 0.0))
        assert hearer.hear((words, 0.0), fit=fit) == [answer], fit
    assert hearer.session.expectation.asked.candidates == (chess.Move.from_uci("e1e4"),)
    assert hearer.hear(("vier", 0.0), fit=THRESHOLDS.fit - 10) == ["ask.plain"], "said again, it is as doubtful"
    assert hearer.hear(("ja", 0.0), fit=THRESHOLDS.fit - 20) == ["not_understood.nothing"]
    assert hearer.hear(("ja", 0.0), fit=THRESHOLDS.fit - 5) == ["move.repeat e1e4"]


def test_an_answer_that_is_nothing_like_its_words_is_none() -> None:
    hearer = Hearer(TWO_OR_THREE)
    hearer.hear(("turm eva", 0.0))
    assert hearer.hear(("vier", 0.0), fit=-70.0) == ["not_understood.nothing"]
    assert hearer.hear(("vier", 0.0), fit=0.0) == ["move.repeat e1e4"], "the question is still open"


def test_several_small_risks_are_one_large_risk() -> None:
    hearer = Hearer(TWO_OR_THREE)
    hearer.hear(("turm eva", 0.0))
    rarely = -log(1.5 * WRONG_MOVE_HARM)
    assert hearer.hear(("vier", 0.0), ("fünf", rarely), ("acht", rarely)) == ["ask.plain"]


def test_a_denied_answer_proposes_what_it_may_have_been() -> None:
    hearer = Hearer(TWO_OR_THREE, load_confusions("de"))
    hearer.hear(("turm eva", 0.0))
    hearer.hear(("zwei", 0.0))
    hearer.hear(("nein", 0.0))
    assert hearer.session.expectation.asked.candidates == (chess.Move.from_uci("e1e3"),)
    assert hearer.hear(("ja", 0.0)) == ["move.repeat e1e3"]


def test_the_same_doubtful_word_again_decides_nothing() -> None:
    hearer = Hearer(TWO_OR_THREE, load_confusions("de"))
    hearer.hear(("turm eva", 0.0))
    for _ in range(2):
        assert hearer.hear(("zwei", 0.0))[-1:] == ["ask.plain"]
    assert hearer.hear(("zwei", 0.0)) == ["complete.slot_by_slot", "complete.piece"]
    assert hearer.hear(("turm eva vier", 0.0)) == ["move.repeat e1e4"]


def test_the_number_of_a_choice_is_an_answer_like_any_other() -> None:
    """ "Drei" for the third of three moves may have been "zwei", the second."""
    board = chess.Board("4k3/8/8/8/8/8/8/N1N1K1N1 w - - 0 1")
    hearer = Hearer(board, load_confusions("de"))
    moves = ("springer bella drei", "springer david drei", "springer felix drei")
    asked = hearer.hear(*((words, 0.0) for words in moves))
    choices = hearer.session.expectation.asked.candidates
    assert asked == ["ask.plain"] and len(choices) == 3
    assert hearer.hear(("zwei", 0.0)) == ["ask.plain"]
    assert hearer.session.expectation.asked.candidates == choices[1:2]


def test_a_calibration_makes_the_answers_of_its_speaker_safe() -> None:
    """Whose "fünf" is taken for "vier" is asked back where both fit; whoever is heard well is not."""
    phrases = phrases_to_read(LEXICON)
    own = NO_CONFUSIONS.adjusted(learn([(one, one.replace("fünf", "vier")) for one in phrases], LEXICON))
    for confusions, answer in ((own, "ask.plain"), (NO_CONFUSIONS, "move.repeat e1e4")):
        hearer = Hearer(TWO_OR_THREE, confusions)
        hearer.hear(("turm eva", 0.0))
        assert hearer.hear(("vier", 0.0)) == [answer]


@pytest.mark.parametrize(
    ("words", "answers"),
    [
        (["ja"], ["move.repeat e7e8r"]),
        (["nein", "dame"], ["ask.promotion", "move.repeat e7e8q"]),
        (["dame"], ["move.repeat e7e8q"]),
        (["ich möchte einen springer"], ["move.repeat e7e8n"]),
        (["nein springer"], ["ask.promotion"]),
        (["keiner"], ["ask.none"]),
    ],
)
def test_a_promotion_read_back_can_be_answered_with_another_piece(words: list[str], answers: list[str]) -> None:
    """ "Meinten Sie Eva acht Turm?" – "Dame": the answer was that there is no queen."""
    hearer = Hearer(chess.Board("7k/4P3/8/8/8/8/8/K7 w - - 0 1"))
    hearer.hear(("eva acht", 0.0))
    assert hearer.hear(("turm", 0.0), ("dame", -0.8)) == ["ask.plain"]
    assert [hearer.hear((line, 0.0))[-1] for line in words] == answers


def test_a_promotion_read_back_is_asked_about_again_as_long_as_it_is_doubtful() -> None:
    hearer = Hearer(chess.Board("7k/4P3/8/8/8/8/8/K7 w - - 0 1"))
    hearer.hear(("eva acht", 0.0))
    for _ in range(3):
        assert hearer.hear(("turm", 0.0), ("dame", -0.8)) == ["ask.plain"]
    assert hearer.hear(("ja", 0.0)) == ["move.repeat e7e8r"]
