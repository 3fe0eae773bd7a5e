"""Premoves: the move that is kept is the one that was said, and no other is ever sent."""

from __future__ import annotations

from random import Random

import chess
import pytest

from tests.drivers.events import spoken
from voicechess.app.kinds import session_of
from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings, Player
from voicechess.game.effects import Effect, SendMove
from voicechess.game.phases import Phase
from voicechess.game.session import Session
from voicechess.language.lexicon import load
from voicechess.language.phrases import phrases
from voicechess.meaning import Command, Expectation, Reading
from voicechess.online.link import link_of

SETTINGS = GameSettings(white=Player.SERVER, black=Player.VOICE, time="10+5")


def stands(session: Session, board: chess.Board, at_ms: int) -> tuple[Effect, ...]:
    moves = tuple(move.uci() for move in board.move_stack)
    return session.handle(ev.ServerState(at_ms=at_ms, moves=moves, white_ms=600_000, black_ms=600_000))


def says(session: Session, command: Command, at_ms: int) -> None:
    session.handle(ev.Heard(at_ms=at_ms, readings=(Reading(command),), words="", began_ms=at_ms, ended_ms=at_ms))


@pytest.mark.parametrize("seed", range(60))
def test_a_premove_is_the_move_that_was_said(seed: int) -> None:
    """In positions of random games, with a move that the player could make if it were their turn, and a random answer
    of the opponent: what is sent is that move or nothing; nothing only where it is illegal or no capture any more."""
    random, board = Random(seed), chess.Board()
    for _ in range(2 * random.randrange(30)):
        moves = list(board.legal_moves)
        if not moves or board.is_game_over():
            break
        board.push(random.choice(moves))
    if board.turn == chess.BLACK or board.is_game_over() or board.is_check():
        pytest.skip("the opponent is not to move, or not freely")
    session = session_of(SETTINGS)
    session.handle(ev.Started(at_ms=0))
    stands(session, board, 1_000)
    turned = board.copy(stack=False)
    turned.turn, turned.ep_square = chess.BLACK, None
    candidates = [move for move in turned.legal_moves if turned.piece_type_at(move.to_square) != chess.KING]
    if not candidates:
        pytest.skip("the player could not move")
    meant = random.choice(candidates)
    says(session, Command("premove", moves=(spoken(turned, meant),)), 2_000)
    link = link_of(session._table)
    assert [one.move for one in link.premoves] == [meant]
    captures = turned.is_capture(meant) and link.premoves[0].captures
    session.handle(ev.Spoken(at_ms=3_000, number=link.premoves[0].number))
    board.push(random.choice(list(board.legal_moves)))
    sent = [one.uci for one in stands(session, board, 9_000) if isinstance(one, SendMove)]
    made = board.is_legal(meant) and not (captures and not board.is_capture(meant))
    assert sent == ([board.uci(meant)] if made else [])
    assert not link.premoves


def test_nothing_is_sent_before_it_was_told_back() -> None:
    board, session = chess.Board(), session_of(SETTINGS)
    session.handle(ev.Started(at_ms=0))
    stands(session, board, 1_000)
    says(session, Command("premove", moves=(spoken(_turned(board), chess.Move.from_uci("e7e5")),)), 2_000)
    board.push_uci("e2e4")
    effects = stands(session, board, 9_000)
    assert not [one for one in effects if isinstance(one, SendMove)]
    assert session.phase is Phase.REPEATING


def _turned(board: chess.Board) -> chess.Board:
    turned = board.copy(stack=False)
    turned.turn = not board.turn
    return turned


@pytest.mark.parametrize(("language", "pair"), [("de", "zug springer"), ("de", "zug anna")])
def test_a_move_is_listened_for_behind_the_word(language: str, pair: str) -> None:
    board, lexicon = chess.Board(), load(language)
    listened = phrases(Expectation(board, commands=frozenset({"premove"})), lexicon)
    others = phrases(Expectation(board, commands=frozenset({"time"})), lexicon)
    assert any(pair in phrase for phrase in listened)
    assert not any(pair in phrase for phrase in others)
