"""What is said is played, asked about or refused, and never turned into another move."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations
from math import log
from random import Random

import chess
import pytest

from tests.drivers.events import some_move, spoken
from voicechess.language.folders import LANGUAGES
from voicechess.language.lexicon import load
from voicechess.language.thresholds import load_thresholds
from voicechess.language.understanding import understand_all
from voicechess.language.wording import Style, Wording
from voicechess.meaning import (
    Answer,
    AnswerKind,
    Castling,
    Command,
    Expectation,
    Question,
    QuestionKind,
    Reading,
    SpokenMove,
    Unclear,
    UnclearReason,
)
from voicechess.moves.decisions import Act, Ask, AskPromotion, Complete, NotUnderstood, Play, Refuse, Reply
from voicechess.moves.fitting import fits
from voicechess.moves.matching import candidates, decide, weighed
from voicechess.moves.saying import said_move

THRESHOLDS = load_thresholds()
MARGIN = THRESHOLDS.margin

POSITIONS = {
    "start": chess.STARTING_FEN,
    "kiwipete": "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "promotions": "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "en passant": "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "both en passant": "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1",
    "queens": "7k/8/8/Q2Q3Q/8/8/8/Q2Q2QK w - - 0 1",
    "knights": "4k3/8/2N1N3/1N3N2/8/1N3N2/2N1N3/4K3 w - - 0 1",
    "rooks": "R3k2R/8/8/8/8/8/8/R3K2R w KQ - 0 1",
    "check": "rnb1k1nr/pppp1ppp/8/4p3/1b1PP2q/2N5/PPP2PPP/R1BQKBNR w KQkq - 0 1",
    "mates": "6k1/5ppp/8/8/8/8/5PPP/1R2R1K1 w - - 0 1",
    "black castles": "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
}


@pytest.fixture(params=POSITIONS, name="board")
def _board(request: pytest.FixtureRequest) -> chess.Board:
    return chess.Board(POSITIONS[request.param])


def legal(board: chess.Board) -> list[chess.Move]:
    return list(board.legal_moves)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_announcement_is_understood_as_its_move(board: chess.Board, language: str) -> None:
    """Proof by counting: each legal move, as the program announces it, short and full."""
    lexicon = load(language)
    wording = Wording(language, Style.FIDE, strict=True)
    expectation = Expectation(board=board)
    for move in legal(board):
        for full in (False, True):
            text = wording.move(said_move(board, move), full).lower().replace(",", "")
            decision = decide(board, understand_all(text, lexicon, expectation))
            assert decision == Play(move), text


@pytest.mark.parametrize("board", [name for name in POSITIONS if name != "queens"], indirect=["board"])
def test_a_rival_is_asked_about(board: chess.Board) -> None:
    pairs = list(permutations(legal(board), 2))
    for first, second in Random(1).sample(pairs, min(150, len(pairs))):
        best, rival = spoken(board, first), spoken(board, second)
        close = decide(board, [Reading(best), Reading(rival, MARGIN / 2)])
        assert close == Ask((first, second)) or isinstance(close, AskPromotion | Complete)
        assert decide(board, [Reading(best), Reading(rival, THRESHOLDS.full)]) == Play(first)


def test_nothing_else_than_what_was_said_is_played(board: chess.Board) -> None:
    """Whatever is said, in whatever pieces: a move that is played has every part of it."""
    random = Random(2)
    for _ in range(1_500):
        said = some_move(random)
        before = board.fen()
        decision = decide(board, [Reading(said)])
        assert board.fen() == before
        if isinstance(decision, Play):
            assert said.complete
            assert fits(board, said) == (decision.move,)
        if isinstance(decision, Ask):
            assert 1 <= len(decision.moves) <= 3
            assert all(board.is_legal(move) for move in decision.moves)


def illegal(board: chess.Board) -> Iterator[SpokenMove]:
    for kind in chess.PIECE_TYPES:
        for square in chess.SQUARES:
            said = SpokenMove(piece=kind, to_file=chess.square_file(square), to_rank=chess.square_rank(square))
            if not fits(board, said):
                yield said


def test_a_clear_illegal_announcement_is_never_another_move(board: chess.Board) -> None:
    """Refused with a reason, or asked about (a king to where castling takes it); its legal neighbour is only asked."""
    legal_move = legal(board)[0]
    neighbour = Reading(spoken(board, legal_move), MARGIN * 0.9)
    for said in illegal(board):
        assert isinstance(decide(board, [Reading(said)]), Refuse | Ask)
        assert isinstance(decide(board, [Reading(said), neighbour]), Ask)


def test_a_reading_that_is_not_clean_is_asked_about() -> None:
    board = chess.Board()
    said = SpokenMove(to_file=4, to_rank=3)
    unclear = NotUnderstood(UnclearReason.NO_SENSE)
    assert decide(board, [Reading(said, THRESHOLDS.clean)]) == Play(chess.Move.from_uci("e2e4"))
    assert decide(board, [Reading(said, THRESHOLDS.clean * 1.1)]) == Ask((chess.Move.from_uci("e2e4"),))
    assert decide(board, [Reading(said, THRESHOLDS.ask * 1.1)]) == NotUnderstood(UnclearReason.NOTHING)
    assert decide(board, [Reading(Command("resign"), THRESHOLDS.command * 1.1)]) == unclear
    assert decide(board, [Reading(Answer(AnswerKind.YES), THRESHOLDS.command * 1.1)]) == unclear


def test_what_is_likelier_than_a_move_is_not_one() -> None:
    board, move = chess.Board(), Reading(SpokenMove(to_file=4, to_rank=3), 0.2)
    unclear = NotUnderstood(UnclearReason.NO_SENSE)
    assert decide(board, [Reading(Unclear(UnclearReason.NOTHING)), move]) == NotUnderstood(UnclearReason.NOTHING)
    assert decide(board, [Reading(Unclear(UnclearReason.NO_SENSE)), move]) == Ask((chess.Move.from_uci("e2e4"),))
    assert decide(board, [Reading(Command("time")), move]) == unclear
    assert decide(board, [Reading(Command("time")), Reading(move.meaning, MARGIN)]) == Act(Command("time"))
    assert decide(board, [Reading(Answer(AnswerKind.YES)), move]) == unclear
    assert decide(board, []) == NotUnderstood(UnclearReason.NOTHING)


def test_beside_something_illegal_its_legal_neighbour_is_asked_about_with_the_reason() -> None:
    board = chess.Board()
    illegal_move, move = SpokenMove(to_file=4, to_rank=4), SpokenMove(to_file=4, to_rank=3)
    near = decide(board, [Reading(illegal_move), Reading(move, THRESHOLDS.neighbour * 0.9)])
    assert isinstance(near, Ask) and near.moves == (chess.Move.from_uci("e2e4"),) and near.doubt is not None
    assert decide(board, [Reading(illegal_move), Reading(move, MARGIN * 0.9)]) == Ask(near.moves)
    assert isinstance(decide(board, [Reading(illegal_move), Reading(move, THRESHOLDS.neighbour)]), Refuse)
    babble = [Reading(illegal_move, THRESHOLDS.ask * 1.1), Reading(move, THRESHOLDS.ask * 1.2)]
    assert decide(board, babble) == NotUnderstood(UnclearReason.NOTHING)


CHOSEN = replace(THRESHOLDS, clean=0.3, refuse=0.5, ask=1.7, part=0.4, sense=0.25, whole=0.25)


def test_of_several_neighbours_the_nearest_are_named_and_the_others_kept_for_a_no() -> None:
    board = chess.Board("4k3/8/8/8/8/8/8/R3K2R w - - 0 1")
    illegal_move = Reading(SpokenMove(chess.ROOK, to_file=1, to_rank=4))
    near, other, further, furthest = (
        Reading(spoken(board, chess.Move.from_uci(uci)), cost)
        for uci, cost in (("a1b1", 2.5), ("a1a5", 2.6), ("h1h5", 2.6 + MARGIN), ("h1h4", 2.7 + MARGIN))
    )
    far = replace(THRESHOLDS, neighbour=3 * MARGIN)
    decided = decide(board, [illegal_move, furthest, near, further, other], thresholds=far)
    assert isinstance(decided, Ask) and decided.doubt is not None
    assert [move.uci() for move in decided.moves] == ["a1b1", "a1a5"]
    assert [move.uci() for move in decided.rest] == ["h1h5"]


def test_what_may_as_well_be_noise_opens_no_question() -> None:
    """But somebody who was asked something is about to answer, and what is typed is no noise."""
    board, noise = chess.Board(), NotUnderstood(UnclearReason.NOTHING)
    half, move = SpokenMove(piece=chess.KNIGHT), SpokenMove(to_file=4, to_rank=3)
    vague = [Reading(half, 0.41)]
    assert isinstance(decide(board, [Reading(half, 0.4)], thresholds=CHOSEN), Complete)
    assert decide(board, vague, thresholds=CHOSEN) == noise
    assert isinstance(decide(board, vague, thresholds=CHOSEN, typed=True), Complete)
    for reason in (UnclearReason.NOTHING, UnclearReason.NO_SENSE, UnclearReason.UNKNOWN_WORDS):
        sensible, doubtful = ([Reading(move, 0.33), Reading(Unclear(reason), -log(share))] for share in (0.21, 0.23))
        assert decide(board, sensible, thresholds=CHOSEN) == Ask((chess.Move.from_uci("e2e4"),))
        assert decide(board, doubtful, thresholds=CHOSEN) == noise
        assert decide(board, doubtful, Question(QuestionKind.COMPLETE, partial=half), CHOSEN) != noise
        assert decide(board, doubtful, thresholds=CHOSEN, typed=True) != noise


def test_a_whole_move_is_less_likely_to_be_noise_than_a_part_of_one() -> None:
    board, senseless = chess.Board("4k3/8/8/8/8/8/3P4/R3K3 w Q - 0 1"), Unclear(UnclearReason.NO_SENSE)
    generous = replace(CHOSEN, whole=0.5)
    for move, asked in ((SpokenMove(to_file=3, to_rank=2), True), (SpokenMove(to_file=3), False)):
        doubtful = [Reading(move, 0.33), Reading(senseless, -log(0.3))]
        assert decide(board, doubtful, thresholds=CHOSEN) == NotUnderstood(UnclearReason.NOTHING)
        decision = decide(board, doubtful, thresholds=generous)
        assert (decision == Ask((chess.Move.from_uci("d2d3"),))) is asked, decision


@pytest.mark.parametrize("reason", [UnclearReason.NO_SENSE, UnclearReason.UNKNOWN_WORDS])
def test_words_without_sense_are_told_of_when_they_were_clear(reason: UnclearReason) -> None:
    board, vague = chess.Board(), [Reading(Unclear(reason), 0.51)]
    assert decide(board, [Reading(Unclear(reason), 0.5)], thresholds=CHOSEN) == NotUnderstood(reason)
    assert decide(board, vague, thresholds=CHOSEN) == NotUnderstood(UnclearReason.NOTHING)
    assert decide(board, vague, Question(QuestionKind.COMPLETE), CHOSEN) == NotUnderstood(reason)


def test_what_comes_to_the_same_move_is_no_rival_but_supports_it() -> None:
    board, doubtful = chess.Board(), log(2)
    knight = SpokenMove(piece=chess.KNIGHT, to_file=5, to_rank=2)
    best = Reading(knight, doubtful)
    assert doubtful > THRESHOLDS.clean
    assert decide(board, [best]) == Ask((chess.Move.from_uci("g1f3"),))
    for same in (replace(knight, captures=True), replace(knight, from_rank=0), replace(knight, to_rank=None)):
        assert decide(board, [best, Reading(same, doubtful)]) == Play(chess.Move.from_uci("g1f3")), same
    for other in (replace(knight, to_file=7), SpokenMove(to_file=4, to_rank=3), replace(knight, to_file=None)):
        assert decide(board, [best, Reading(other, doubtful)]) != Play(chess.Move.from_uci("g1f3")), other
    # Said for certain, it is asked about.
    assert isinstance(decide(board, [Reading(replace(knight, captures=True))]), Ask)


def test_beside_a_legal_move_announced_in_full_only_another_legal_one_is_a_doubt() -> None:
    """Words by chance seldom come to one that can be made; but of the illegal and the legal one the likelier counts."""
    board, half = chess.Board(), log(2)
    others = (
        SpokenMove(piece=chess.KNIGHT, to_file=5, to_rank=4),
        Unclear(UnclearReason.NO_SENSE),
        Unclear(UnclearReason.UNKNOWN_WORDS),
    )
    for said, uci in (
        (SpokenMove(piece=chess.KNIGHT, to_file=5, to_rank=2), "g1f3"),
        (SpokenMove(from_file=4, from_rank=1, to_file=4, to_rank=3), "e2e4"),
    ):
        move = chess.Move.from_uci(uci)
        for other in others:
            assert decide(board, [Reading(said, half), Reading(other, half + 0.01)]) == Play(move)
            assert decide(board, [Reading(other, half), Reading(said, half + 0.01)]) != Play(move)
        several = [Reading(other, log(4)) for other in others]
        assert decide(board, [Reading(said, log(4)), *several]) == Play(move)
        doubtful = THRESHOLDS.clean + 0.1  # of a model whose scores are not known, or since it hardly fits
        assert decide(board, [Reading(said, doubtful), Reading(others[0], doubtful + 3)]) == Ask((move,))
        square = SpokenMove(to_file=move.to_square % 8, to_rank=move.to_square // 8)
        if uci == "e2e4":
            assert decide(board, [Reading(square, half), Reading(others[0], half + 0.01)]) == Ask((move,))


def test_a_move_that_may_go_on_to_another_square_is_asked_about() -> None:
    board = chess.Board()
    knight, move = SpokenMove(piece=chess.KNIGHT, to_file=5, to_rank=2), chess.Move.from_uci("g1f3")
    from_f3 = SpokenMove(piece=chess.KNIGHT, from_file=5, from_rank=2)
    said = Reading(knight, 0.2, "springer felix drei")
    goes_on = Reading(from_f3, 0.2 + THRESHOLDS.margin * 0.9, "springer felix drei auf")
    assert decide(board, [said, goes_on]) == Ask((move,))
    assert decide(board, [said, replace(goes_on, words="acht springer felix drei")]) == Play(move)
    assert decide(board, [said, replace(goes_on, cost=0.2 + THRESHOLDS.full)]) == Play(move)
    from_there = Reading(replace(knight, from_file=6, from_rank=0), 0.2, "springer gustav eins felix drei")
    assert decide(board, [from_there, replace(goes_on, words=f"{from_there.words} auf")]) == Play(move)


def test_the_same_squares_the_other_way_round_are_no_doubt() -> None:
    """ "Dame Gustav drei auf Eva eins" sounds like "… aus Eva eins", which a queen on g3 cannot do."""
    board = chess.Board("7k/8/8/8/8/6Q1/8/K7 w - - 0 1")
    there = SpokenMove(chess.QUEEN, from_file=6, from_rank=2, to_file=4, to_rank=0)
    back = SpokenMove(chess.QUEEN, from_file=4, from_rank=0, to_file=6, to_rank=2)
    assert decide(board, [Reading(there, log(1.5)), Reading(back, log(3))]) == Play(chess.Move.from_uci("g3e1"))
    for readings in (
        [Reading(back, log(1.5)), Reading(there, log(3))],  # rather the one that cannot be
        [Reading(there, log(1.5)), Reading(replace(there, to_rank=4), log(3))],
    ):
        assert not isinstance(decide(board, readings), Play)


def test_noise_behind_half_a_move_does_not_complete_it() -> None:
    """ "Springer Cesar" with talk behind it was heard as "Springer Cesar acht", and that was played."""
    board, chosen = chess.Board("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"), replace(THRESHOLDS, full=1.5, half=2.5)
    whole, half = SpokenMove(chess.ROOK, to_file=4, to_rank=4), SpokenMove(chess.ROOK, to_file=4)
    other = replace(whole, to_rank=5)
    move = chess.Move.from_uci("e2e5")
    assert decide(board, [Reading(whole), Reading(half, 2.4)], thresholds=chosen) == Ask((move,))
    assert decide(board, [Reading(whole), Reading(half, 2.6)], thresholds=chosen) == Play(move)
    assert decide(board, [Reading(whole), Reading(other, 1.6)], thresholds=chosen) == Play(move)
    assert THRESHOLDS.half > THRESHOLDS.margin


def test_a_pawn_is_meant_by_a_square_alone() -> None:
    board = chess.Board("4k3/8/8/8/8/5N2/7P/4K3 w - - 0 1")
    decision = decide(board, [Reading(SpokenMove(to_file=3, to_rank=3))])
    assert isinstance(decision, Ask) and decision.doubt is not None and decision.doubt.key == "no_pawn"


@pytest.mark.parametrize("rest", [(), ("d1e1",), ("d1d2",)])
def test_half_a_move_said_again_is_no_yes_to_the_whole_that_was_made_of_it(rest: tuple[str, ...]) -> None:
    """ "Turm David" with noise behind it was heard as "Turm David vier"; said again, it is still half a move."""
    board, proposed = chess.Board("6k1/8/8/8/8/8/6K1/3R4 w - - 0 1"), chess.Move.from_uci("d1d4")
    asked = Question(QuestionKind.WHICH_MOVE, (proposed,), rest=tuple(map(chess.Move.from_uci, rest)))
    half = SpokenMove(chess.ROOK, to_file=3)
    assert isinstance(decide(board, [Reading(half)], asked), Complete)
    assert isinstance(decide(board, [Reading(SpokenMove(to_file=3))], asked), NotUnderstood)
    for said in (SpokenMove(to_rank=3), SpokenMove(to_file=3, to_rank=3), replace(half, to_rank=3)):
        assert decide(board, [Reading(said)], asked) == Play(proposed)


def test_of_a_square_whose_file_was_lost_no_pawn_is_made() -> None:
    """ "David sechs Eva fünf" in noise was heard as "zieht sechs Eva fünf", and a pawn went from e6 to e5 for it."""
    both = chess.Board("6k1/8/3qp3/8/8/8/8/6K1 b - - 0 1")
    pawn, queen = chess.Move.from_uci("e6e5"), chess.Move.from_uci("d6e5")
    heard = understand_all("zieht sechs eva fünf", load("de"), Expectation(both))
    assert decide(both, heard) == Ask((queen, pawn))
    alone = chess.Board("6k1/8/3q4/8/8/8/8/6K1 b - - 0 1")
    assert decide(alone, heard) == Ask((queen,))
    typed = understand_all("sechs eva fünf", load("de"), Expectation(alone), typed=True)
    assert decide(alone, typed, typed=True) == Play(queen)


def test_typed_letters_that_mean_two_things_are_settled_by_the_position() -> None:
    board = chess.Board("4k3/8/8/8/8/4B3/P7/4K3 w - - 0 1")
    bishop = Reading(SpokenMove(piece=chess.BISHOP, to_file=3, to_rank=3))
    pawn = Reading(SpokenMove(piece=chess.PAWN, to_file=3, to_rank=3))
    assert decide(board, [pawn, bishop], typed=True) == Play(chess.Move.from_uci("e3d4"))
    assert decide(board, [pawn, bishop]) == Ask((chess.Move.from_uci("e3d4"),))


def test_castling_is_not_guessed() -> None:
    board = chess.Board(POSITIONS["rooks"])
    assert isinstance(decide(board, [Reading(SpokenMove(castling=Castling.UNSPECIFIED))]), Ask)
    only = chess.Board("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")
    assert decide(only, [Reading(SpokenMove(castling=Castling.UNSPECIFIED))]) == Ask((chess.Move.from_uci("e1c1"),))
    king = SpokenMove(piece=chess.KING, to_file=2, to_rank=0)
    assert decide(only, [Reading(king)]) == Ask((chess.Move.from_uci("e1c1"),))


def test_every_choice_can_be_named_by_what_differs() -> None:
    board = chess.Board("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1")
    moves = fits(board, SpokenMove(piece=chess.KNIGHT, to_file=3, to_rank=1))
    asked = Question(QuestionKind.WHICH_MOVE, moves)
    for move in moves:
        file, rank = chess.square_file(move.from_square), chess.square_rank(move.from_square)
        for answer in (
            SpokenMove(to_file=file),
            SpokenMove(from_file=file),
            SpokenMove(to_rank=rank),
            SpokenMove(piece=chess.KNIGHT, to_file=file),
            SpokenMove(to_file=file, to_rank=rank),
            spoken(board, move),
        ):
            assert decide(board, [Reading(answer)], asked) == Play(move), answer
    assert isinstance(decide(board, [Reading(SpokenMove(to_file=3, to_rank=1))], asked), Ask | Refuse | NotUnderstood)
    assert decide(board, [Reading(Answer(AnswerKind.CHOICE, 2))], asked) == Reply(Answer(AnswerKind.CHOICE, 2))


def test_a_no_needs_only_be_likelier_than_not() -> None:
    board = chess.Board()
    asked = Question(QuestionKind.WHICH_MOVE, (chess.Move.from_uci("e2e4"),))
    another = Reading(SpokenMove(to_file=3, to_rank=3), 1.0)
    for kind, cost, decided in (
        (AnswerKind.NO, 0.6, Reply(Answer(AnswerKind.NO))),
        (AnswerKind.NONE, 0.6, Reply(Answer(AnswerKind.NONE))),
        (AnswerKind.NO, 0.8, NotUnderstood(UnclearReason.NO_SENSE)),
        (AnswerKind.YES, 0.2, NotUnderstood(UnclearReason.NO_SENSE)),
    ):
        assert decide(board, [Reading(Answer(kind), cost), another], asked) == decided
    unasked = decide(board, [Reading(Answer(AnswerKind.NO), 0.6), another])
    assert unasked == NotUnderstood(UnclearReason.NO_SENSE), "talk in the room is no answer"


def test_a_number_that_says_nothing_of_the_one_move_offered_leaves_a_no_near_it() -> None:
    """ "Nein" in noise, heard as "eins" or "drei" and less surely as itself, was not understood."""
    board, no = chess.Board(), Reading(Answer(AnswerKind.NO), 1.4)
    one, two = ((chess.Move.from_uci("e2e4"),), (chess.Move.from_uci("e2e4"), chess.Move.from_uci("e2e3")))
    first = Reading(Answer(AnswerKind.CHOICE, 1), 0.3)
    for said in (first, Reading(SpokenMove(to_rank=2), 0.3)):
        assert decide(board, [said, no], Question(QuestionKind.WHICH_MOVE, one)) == Reply(Answer(AnswerKind.NO))
        assert decide(board, [said, no], Question(QuestionKind.WHICH_MOVE, two)) != Reply(Answer(AnswerKind.NO))
        surely = [Reading(said.meaning, 0.0), Reading(no.meaning, 3.3)]
        assert decide(board, surely, Question(QuestionKind.WHICH_MOVE, one)) != Reply(Answer(AnswerKind.NO))
    own = Reading(SpokenMove(to_rank=3), 0.3)
    assert decide(board, [own, no], Question(QuestionKind.WHICH_MOVE, one)) != Reply(Answer(AnswerKind.NO))
    noise = [Reading(Unclear(UnclearReason.NOTHING), 0.1), Reading(first.meaning, 2.6), Reading(no.meaning, 3.6)]
    assert decide(board, noise, Question(QuestionKind.WHICH_MOVE, one)) != Reply(Answer(AnswerKind.NO))
    talk = [Reading(first.meaning, 1.6), Reading(Unclear(UnclearReason.NOTHING), 0.3), Reading(no.meaning, 3.0)]
    assert decide(board, talk, Question(QuestionKind.WHICH_MOVE, one)) != Reply(Answer(AnswerKind.NO))


KNIGHT, OTHER = SpokenMove(chess.KNIGHT, to_file=5, to_rank=2), SpokenMove(chess.KNIGHT, to_file=7, to_rank=2)
KNIGHT_MOVE, OTHER_MOVE = chess.Move.from_uci("g1f3"), chess.Move.from_uci("g1h3")


@pytest.mark.parametrize("piece", [chess.KNIGHT, None])
def test_where_a_move_was_proposed_its_beginning_is_no_move_to_be_refused(piece: chess.PieceType | None) -> None:
    """Of "Springer Gustav eins Felix drei" the rest was lost in the talk of others (issue 22)."""
    asked = Question(QuestionKind.WHICH_MOVE, (KNIGHT_MOVE,), (OTHER_MOVE,), whole=True)
    begun = Reading(SpokenMove(piece, to_file=6, to_rank=0))
    assert decide(chess.Board(), [begun], asked) == Ask((KNIGHT_MOVE,), rest=(OTHER_MOVE,))
    elsewhere = Reading(SpokenMove(piece, to_file=1, to_rank=0))
    assert isinstance(decide(chess.Board(), [elsewhere], asked), Refuse)


@pytest.mark.parametrize("whole", [True, False])
def test_among_words_without_sense_the_one_move_that_was_proposed_is_said_again(whole: bool) -> None:
    """Only where the question wanted the whole move, no other legal one is near, and no half of it."""
    asked = Question(QuestionKind.WHICH_MOVE, (KNIGHT_MOVE,), whole=whole)
    senseless = Reading(Unclear(UnclearReason.NO_SENSE), 0.2)
    decided = decide(chess.Board(), [senseless, Reading(KNIGHT, 4.0)], asked)
    assert decided == (Play(KNIGHT_MOVE) if whole else Ask((KNIGHT_MOVE,)))
    for beside in (OTHER, replace(KNIGHT, to_rank=None)):
        cost = 5.5 if beside == OTHER else THRESHOLDS.half
        decided = decide(chess.Board(), [senseless, Reading(KNIGHT, 4.0), Reading(beside, cost)], asked)
        assert isinstance(decided, Ask)
    asked = replace(asked, candidates=(OTHER_MOVE,))
    assert isinstance(decide(chess.Board(), [senseless, Reading(KNIGHT, 4.0)], asked), Ask)


def test_what_was_heard_before_is_likelier_and_what_answers_by_a_word_is_not_weighed() -> None:
    board, rival = chess.Board(), Reading(OTHER, MARGIN - 0.1)
    assert decide(board, [Reading(KNIGHT), rival]) == Ask((KNIGHT_MOVE, OTHER_MOVE))
    for before, decided in (
        ([Reading(KNIGHT, 1.0)], Play(KNIGHT_MOVE)),
        ([Reading(replace(KNIGHT, from_file=6), 1.0)], Play(KNIGHT_MOVE)),  # the same move, otherwise announced
        ([Reading(KNIGHT, 1.0), Reading(OTHER, 2.0)], Ask((KNIGHT_MOVE, OTHER_MOVE))),
        ([Reading(KNIGHT, 9.0)], Ask((KNIGHT_MOVE, OTHER_MOVE))),
    ):
        assert decide(board, weighed(board, [Reading(KNIGHT), rival], before)) == decided
    pawn, beside = SpokenMove(to_file=4, to_rank=3), SpokenMove(to_file=3, to_rank=3)
    moves = (chess.Move.from_uci("e2e4"), chess.Move.from_uci("d2d4"))
    asked = Question(QuestionKind.WHICH_MOVE, moves)
    readings = [Reading(pawn), Reading(beside, MARGIN - 0.1)]
    assert decide(board, weighed(board, readings, [Reading(pawn, 1.0)], asked), asked) == decide(board, readings, asked)


def test_what_would_be_misheard_again_is_asked_about_until_the_answer_is_yes() -> None:
    board = chess.Board("5r2/8/k7/8/8/8/8/K7 b - - 0 1")
    move = chess.Move.from_uci("f8a8")
    clear = Reading(spoken(board, move))
    suspect = replace(clear, suspect=True)
    assert decide(board, [suspect]) == Ask((move,))
    senseless = Reading(Unclear(UnclearReason.NO_SENSE))
    for whole in (False, True):
        asked = Question(QuestionKind.WHICH_MOVE, (move,), whole=whole)
        assert decide(board, weighed(board, [suspect], [suspect], asked), asked) == Ask((move,))
        assert not isinstance(decide(board, [senseless, replace(suspect, cost=0.3)], asked), Play)
        assert decide(board, [clear], asked) == Play(move)
        assert decide(board, [Reading(Answer(AnswerKind.YES))], asked) == Reply(Answer(AnswerKind.YES))
    assert decide(board, [senseless, replace(clear, cost=0.3)], asked) == Play(move)


def test_candidates_come_with_their_costs() -> None:
    board = chess.Board()
    readings = [
        Reading(SpokenMove(piece=chess.KNIGHT, to_file=5, to_rank=2)),
        Reading(SpokenMove(piece=chess.KNIGHT), 0.7),
    ]
    assert [(move.uci(), cost) for move, cost in candidates(board, readings)] == [
        ("g1f3", 0.0),
        ("b1a3", 0.7),
        ("b1c3", 0.7),
        ("g1h3", 0.7),
    ]
