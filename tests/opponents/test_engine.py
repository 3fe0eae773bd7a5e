"""The engine that is installed with the program, and the one that may be on the machine."""

from __future__ import annotations

from collections.abc import Callable

import chess
import pytest

from voicechess.game.effects import ConsiderDraw, JudgeClaim, SeekHint, Think
from voicechess.game.events import ClaimJudged, HintFound, OpponentAnswered, OpponentFailed, OpponentMoved
from voicechess.laws.draws import NO_EFFORT_GAIN, NO_EFFORT_PLIES, engine_finds_no_effort, engine_grants
from voicechess.opponents.discovery import choose, engines, stockfish, sunfish

from .conftest import Listener, Start

Scores = tuple[int | None, ...]

MATE_IN_ONE = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"
HOPELESS = "k7/8/8/8/8/8/QQ6/K7 b - - 0 1"


@pytest.mark.parametrize("spec", engines(), ids=lambda spec: spec.name)
def test_every_engine_here_finds_a_mate_and_plays_on_every_level(start: Start, spec: object) -> None:
    listener = start(spec=spec)
    listener.opponent.ask(Think(chess.Board(MATE_IN_ONE), 60_000, 60_000, level=9))
    assert listener.next() == OpponentMoved(at_ms=4711, uci="d1d8", ended_ms=4711)
    for level in range(1, 11):
        board = chess.Board()
        board.push_san("e4")
        listener.opponent.ask(Think(board, 2_000, 2_000, level=level))
        event = listener.next()
        assert isinstance(event, OpponentMoved)
        assert event.uci is not None
        assert chess.Move.from_uci(event.uci) in board.legal_moves


def test_sunfish_is_there() -> None:
    spec = sunfish()
    assert spec is not None
    assert spec in engines()


def test_sunfish_cannot_castle_in_chess960_and_says_so(start: Start) -> None:
    board = chess.Board.from_chess960_pos(0)
    listener = start(spec=sunfish())
    listener.opponent.ask(Think(board, 1000, 1000, level=9))
    assert listener.next() == OpponentFailed(at_ms=4711, reason="chess960", final=True)


@pytest.mark.parametrize(
    ("fen", "move"),
    [
        (chess.STARTING_FEN, None),  # position 518 is chess
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "d1d8"),  # nobody can castle any more
    ],
)
def test_chess960_that_has_become_chess_is_played(start: Start, fen: str, move: str | None) -> None:
    listener = start(spec=sunfish())
    board = chess.Board(fen, chess960=True)
    listener.opponent.ask(Think(board, 1000, 1000, level=9))
    event = listener.next()
    assert isinstance(event, OpponentMoved)
    assert move in (None, event.uci)


def test_draw_offers_are_answered_from_the_position(start: Start) -> None:
    listener = start(spec=sunfish())
    listener.opponent.ask(ConsiderDraw(chess.Board(HOPELESS), 5))
    assert listener.next() == OpponentAnswered(at_ms=4711, accepts=False)
    listener.opponent.ask(ConsiderDraw(chess.Board("k7/8/8/8/8/8/1QQ5/K7 w - - 0 1"), 5))
    assert listener.next() == OpponentAnswered(at_ms=4711, accepts=True)


def test_a_hint_is_the_best_move_whatever_the_level(start: Start) -> None:
    listener = start(spec=sunfish())
    listener.opponent.ask(SeekHint(chess.Board(MATE_IN_ONE), number=3))
    assert listener.next() == HintFound(at_ms=4711, uci="d1d8", request=3)


def test_there_is_no_hint_where_the_engine_cannot_play(start: Start) -> None:
    listener = start(spec=sunfish())
    listener.opponent.ask(SeekHint(chess.Board.from_chess960_pos(0), number=4))
    assert listener.next() == HintFound(at_ms=4711, uci=None, request=4)


MOST_CLAIMS = 6
"""Times that a claim is judged: an engine short of time is sometimes far off (-600, 200, -560, under Wine beside other
work; +371 where nobody is ahead), and then denies it."""


def scores_of(listener: Listener, claim: JudgeClaim, shown: Callable[[Scores], bool]) -> Scores | None:
    """The scores by which the engine judges the claim, or None if it has judged it `MOST_CLAIMS` times and `shown` has
    not become true of them."""
    for _ in range(MOST_CLAIMS):
        listener.opponent.ask(claim)
        judged = listener.next()
        assert isinstance(judged, ClaimJudged)
        assert judged.scores is not None
        if shown(judged.scores):
            return judged.scores
    return None


def test_a_claim_is_judged_by_playing_on(start: Start) -> None:
    listener = start(spec=sunfish())
    nobody_gets_through = chess.Board("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1")  # however little time there is
    scores = scores_of(listener, JudgeClaim(nobody_gets_through, chess.WHITE, 6), engine_grants)
    assert len(scores or ()) == 6
    listener.opponent.ask(JudgeClaim(chess.Board(HOPELESS), chess.BLACK, 6))
    lost = listener.next()
    assert isinstance(lost, ClaimJudged)
    assert not engine_grants(lost.scores or ())


def test_a_claim_of_no_effort_is_judged_by_what_was_played(start: Start) -> None:
    """Knights to and fro are no effort; to take a knight is one."""
    listener = start(spec=sunfish())
    board = chess.Board("4k1n1/pppp4/8/8/8/8/PPPP4/4K1N1 w - - 0 1")
    for move in ["Nf3", "Nf6", "Ng1", "Ng8"] * 5:
        board.push_san(move)
    claim = JudgeClaim(board.copy(), chess.WHITE, NO_EFFORT_PLIES, made=True)
    scores = scores_of(listener, claim, lambda found: engine_finds_no_effort(board, chess.WHITE, found))
    assert len(scores or ()) == NO_EFFORT_PLIES + 1
    for move in ("Nf3", "Nf6", "Ne5", "Ke7", "Ng4", "Nxg4"):
        board.push_san(move)

    def has_gained(found: Scores) -> bool:
        first, last = found[0], found[-1]
        return last is None or (first is not None and last > first + NO_EFFORT_GAIN)

    assert scores_of(listener, JudgeClaim(board, chess.WHITE, NO_EFFORT_PLIES, made=True), has_gained)


def test_a_claim_that_no_engine_can_judge_has_no_verdict(start: Start) -> None:
    listener = start(spec=sunfish())
    listener.opponent.ask(JudgeClaim(chess.Board.from_chess960_pos(0), chess.WHITE, 6))
    assert listener.next() == ClaimJudged(at_ms=4711, scores=None)
    listener.opponent.ask(JudgeClaim(chess.Board.from_chess960_pos(0), chess.WHITE, 6, made=True))
    assert listener.next() == ClaimJudged(at_ms=4711, scores=None)


def test_without_a_legal_move_there_is_no_answer_but_a_failure(start: Start) -> None:
    listener = start(spec=sunfish())
    listener.opponent.ask(Think(chess.Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), None, None))
    assert listener.next() == OpponentFailed(at_ms=4711, reason="no_move", final=True)


def test_same_seed_same_careless_moves(start: Start) -> None:
    def moves(seed: int) -> list[str | None]:
        listener = start(spec=sunfish(), seed=seed)
        found = []
        for _ in range(8):
            listener.opponent.ask(Think(chess.Board(), 2000, 2000, level=1))
            event = listener.next()
            assert isinstance(event, OpponentMoved)
            found.append(event.uci)
        return found

    first = moves(1)
    assert first == moves(1)
    assert len(set(first)) > 1


def test_choice_of_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {"stockfish": "/usr/games/stockfish"}
    monkeypatch.setattr("shutil.which", lambda name, path=None: found.get(name))
    strong, simple = stockfish(), sunfish()
    assert strong is not None
    assert choose(3) == simple
    assert choose(9) == strong
    assert choose(3, chess960=True) == strong
    monkeypatch.setattr("voicechess.opponents.discovery.find_spec", lambda name: None)
    assert choose(3) == strong
    found.clear()
    assert choose(3) is None
    assert engines() == ()


def test_one_engine_plays_many_games_and_answers_each(start: Start) -> None:
    listener = start(spec=sunfish())
    boards = {game: chess.Board(MATE_IN_ONE if game % 2 else chess.STARTING_FEN) for game in range(1, 21)}
    for game, board in boards.items():
        listener.opponent.ask(Think(board, 60_000, 60_000, level=9, number=100 + game, game=game))
    answers = [listener.next() for _ in boards]
    assert [(answer.game, answer.request) for answer in answers if isinstance(answer, OpponentMoved)] == [
        (game, 100 + game) for game in boards
    ], "in the order in which they were asked"
    for answer in answers:
        assert isinstance(answer, OpponentMoved)
        assert answer.uci is not None
        assert chess.Move.from_uci(answer.uci) in boards[answer.game].legal_moves


def test_a_game_that_stops_or_asks_again_leaves_the_others_alone(start: Start) -> None:
    listener = start(spec=sunfish())
    board = chess.Board(MATE_IN_ONE)
    for number, game in enumerate((1, 2, 3), 1):
        listener.opponent.ask(Think(board, 60_000, 60_000, level=9, number=number, game=game))
    listener.opponent.stop(2)
    listener.opponent.ask(Think(board, 60_000, 60_000, level=9, number=4, game=3))
    listener.opponent.ask(ConsiderDraw(chess.Board("k7/8/8/8/8/8/1QQ5/K7 w - - 0 1"), 5, number=5, game=4))
    answers = [listener.next() for _ in range(3)]
    assert {(one.game, one.request) for one in answers if isinstance(one, OpponentMoved)} == {(1, 1), (3, 4)}
    assert answers[-1] == OpponentAnswered(at_ms=4711, accepts=True, request=5, game=4)
    assert listener.events.empty()
