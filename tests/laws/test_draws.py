"""Claims, the life of a draw offer, the quickplay finish."""

from __future__ import annotations

import random

import chess
import pytest

from voicechess.laws.clock import Clock
from voicechess.laws.draws import (
    Claim,
    Decider,
    DrawOffer,
    OfferState,
    claim,
    engine_finds_no_effort,
    engine_grants,
    quickplay,
    quickplay_verdict,
)
from voicechess.laws.editions import EDITIONS, Category
from voicechess.laws.results import Ending, Way
from voicechess.laws.time_controls import parse_time
from voicechess.messages import Failure

W, B = chess.WHITE, chess.BLACK


def played(*moves: str) -> chess.Board:
    board = chess.Board()
    for move in moves:
        board.push_san(move)
    return board


SHUFFLE = ("Nf3", "Nf6", "Ng1", "Ng8")


def judge(board: chess.Board, kind: Claim, intended: str | None = None, edition: int = 2023) -> Ending | int:
    move = board.parse_san(intended) if intended else None
    verdict = claim(board, kind, EDITIONS[edition], Category.STANDARD, move)
    assert verdict.must_play == (None if verdict.right else move)
    return verdict.ending or verdict.opponent_ms


def test_threefold_on_the_board() -> None:
    assert judge(played(*SHUFFLE * 2), Claim.THREEFOLD) == Ending(Way.THREEFOLD)


def test_threefold_by_an_announced_move() -> None:
    board = played(*SHUFFLE, *SHUFFLE[:3])
    assert judge(board, Claim.THREEFOLD) == 120_000
    assert judge(board, Claim.THREEFOLD, "Ng8") == Ending(Way.THREEFOLD)
    assert judge(board, Claim.THREEFOLD, "Nd5") == 120_000
    assert judge(board, Claim.THREEFOLD, "Nd5", 2009) == 180_000
    assert board.fullmove_number == 4


def test_lost_castling_right_is_another_position() -> None:
    board = played("e4", "e5", "Ke2", "Ke7", "Ke1", "Ke8", "Ke2", "Ke7", "Ke1", "Ke8")
    assert judge(board, Claim.THREEFOLD) == 120_000


def test_fifty_moves_on_the_board_and_by_a_move() -> None:
    board = chess.Board("4k3/8/8/8/8/8/4P3/R3K3 w - - 99 80")
    assert judge(board, Claim.FIFTY_MOVES) == 120_000
    assert judge(board, Claim.FIFTY_MOVES, "Ra2") == Ending(Way.FIFTY_MOVES)
    assert judge(board, Claim.FIFTY_MOVES, "e3") == 120_000
    assert judge(chess.Board("4k3/8/8/8/8/8/4P3/R3K3 w - - 100 80"), Claim.FIFTY_MOVES) == Ending(Way.FIFTY_MOVES)


def test_an_illegal_announcement_is_no_claim() -> None:
    with pytest.raises(ValueError, match="not legal"):
        claim(chess.Board(), Claim.THREEFOLD, EDITIONS[2023], Category.STANDARD, chess.Move.from_uci("e2e5"))


def test_claims_are_decided_as_python_chess_decides_them() -> None:
    chance = random.Random(3)
    rights = dict.fromkeys(Claim, 0)
    for _ in range(12):
        board = chess.Board("4k3/8/8/8/8/8/8/R3K3 w - - 80 60")
        while not board.is_game_over() and board.ply() < 190:
            threefold = isinstance(judge(board, Claim.THREEFOLD), Ending)
            assert threefold == board.is_repetition(3)
            fifty = isinstance(judge(board, Claim.FIFTY_MOVES), Ending)
            assert fifty == board.is_fifty_moves()
            announced = [None, *board.legal_moves]
            rules = EDITIONS[2023]
            right = (claim(board, one, rules, Category.STANDARD, move).right for one in Claim for move in announced)
            assert any(right) == board.can_claim_draw()
            rights[Claim.THREEFOLD] += threefold
            rights[Claim.FIFTY_MOVES] += fifty
            moves = list(board.legal_moves)
            board.push(chance.choice(moves[:3]))
    assert all(rights.values())


# Offers.


def test_an_offer_made_with_the_move_stands_until_it_is_answered() -> None:
    offer = DrawOffer().offer_with_move(W)
    assert offer.can_answer(B)
    assert not offer.can_answer(W)
    assert offer.accept(B) == Ending(Way.AGREEMENT)
    assert offer.decline(B) == DrawOffer()


def test_an_offer_is_refused_by_making_a_move() -> None:
    assert DrawOffer().offer_with_move(W).moved(B) == DrawOffer()


def test_an_offer_before_the_move_waits_for_the_move() -> None:
    offer = DrawOffer().offer(W, to_move=W)
    assert offer.state is OfferState.WAITING
    assert not offer.can_answer(B)
    assert offer.meets(B) and offer.accept(B) == Ending(Way.AGREEMENT)  # an offer is valid at any time
    assert offer.moved(W).can_answer(B)


def test_an_offer_while_the_other_thinks_is_valid_but_not_proper() -> None:
    offer = DrawOffer().offer(B, to_move=W)
    assert offer.can_answer(W)
    assert not offer.proper
    assert offer.moved(W) == DrawOffer()


@pytest.mark.parametrize(
    ("act", "key"),
    [
        (lambda offer: offer.offer(W, W), "already_offered"),
        (lambda offer: offer.offer(B, B), "answer_first"),
        (lambda offer: offer.withdraw(), "cannot_withdraw"),
        (lambda offer: offer.accept(W), "own_offer"),
        (lambda offer: offer.decline(W), "own_offer"),
        (lambda offer: DrawOffer().accept(W), "no_offer"),
        (lambda offer: DrawOffer().withdraw(), "no_offer"),
    ],
)
def test_what_an_offer_does_not_allow(act: object, key: str) -> None:
    assert callable(act)
    with pytest.raises(Failure) as refusal:
        act(DrawOffer().offer_with_move(W))
    assert refusal.value.key == f"offer.{key}"


# The quickplay finish.


def asked(time: str, used_ms: int, engine: bool = False, edition: int = 2023) -> Decider | str | None:
    clock = Clock.new(parse_time(time)).start(W, 0)
    answer = quickplay(clock, W, clock.turn, used_ms, engine, EDITIONS[edition])
    return answer.decider or answer.refusal


def test_when_a_quickplay_claim_is_possible() -> None:
    assert asked("15", 780_001) is Decider.OPPONENT
    assert asked("15", 780_001, engine=True) is Decider.ENGINE
    assert asked("15", 780_000) == "too_much_time"
    assert asked("15", 900_000) == "flag"
    assert asked("15+2", 780_001) == "increment"
    assert asked("15/40:5", 780_001) == "not_last_period"
    assert asked("", 0) == "untimed"
    clock = Clock.new(parse_time("1")).start(W, 0)
    assert quickplay(clock, B, clock.turn, 0, False, EDITIONS[2023]).refusal == "not_on_move"


def test_a_quickplay_claim_by_edition_and_kind_of_play() -> None:
    """Not in blitz (2009: B3; 2023: Guidelines III.2.2); 1985 has no such claim."""
    assert asked("14", 780_001, edition=2009) == "blitz"
    assert asked("15", 780_001, edition=2009) is Decider.OPPONENT
    assert asked("60", 3_500_000, edition=2009) is Decider.OPPONENT
    assert asked("10", 500_000) == "blitz"
    assert asked("11", 600_000) is Decider.OPPONENT
    assert asked("60", 3_500_000) is Decider.OPPONENT
    assert [asked(time, 50_000, edition=1985) for time in ("1", "15", "60")] == ["edition"] * 3


def test_what_follows_from_a_quickplay_claim() -> None:
    assert quickplay_verdict(True).ending == Ending(Way.QUICKPLAY)
    assert quickplay_verdict(False).opponent_ms == 120_000
    assert engine_grants([0, 20, -500, 150])
    assert not engine_grants([0, 151])
    assert not engine_grants([0, None])
    assert quickplay_verdict(True, Way.NO_EFFORT).ending == Ending(Way.NO_EFFORT)


def shuffled(*last: str) -> chess.Board:
    """Rooks that go to and fro for twenty plies, White to move; `last` instead of Black's last moves."""
    board = chess.Board("r3k3/p7/8/8/8/8/P7/R3K2R w - - 0 1")
    whites, blacks = ["Rg1", "Rh1"] * 5, [*["Rb8", "Ra8"] * 5][: 10 - len(last)] + list(last)
    for white, black in zip(whites, blacks, strict=True):
        board.push_san(white)
        board.push_san(black)
    return board


def test_no_effort_is_found_in_what_was_played() -> None:
    level: list[int | None] = [100] * 21
    assert engine_finds_no_effort(shuffled(), W, level)
    assert engine_finds_no_effort(shuffled(), W, [*level[:20], 200])
    assert not engine_finds_no_effort(shuffled(), W, [*level[:20], 201]), "it has come nearer"
    assert not engine_finds_no_effort(shuffled(), W, [*level[:10], *[210] * 10, 150]), "it had, before it failed"
    assert not engine_finds_no_effort(shuffled(), W, [*level[:20], None]), "it has a mate in sight"
    assert not engine_finds_no_effort(shuffled(), W, level[:20]), "too little was played"
    assert not engine_finds_no_effort(shuffled("Rb8", "a5"), W, level), "a pawn was moved"
    # What the claimant did is no effort of the other side.
    board = shuffled()
    board.push_san("a3")
    board.push_san("Rb8")
    assert engine_finds_no_effort(board, W, level)
