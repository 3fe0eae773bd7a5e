"""A display of games at a server, at random: every move that is sent was announced at the board that was named, once;
what the server says and what the boards show is the same in the end."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

import chess
import pytest

from tests.display.test_simul import Party
from tests.drivers.displays import Kept, agreed_in
from voicechess.game import effects as ef
from voicechess.game import events as ev
from voicechess.language.lexicon import load


@dataclass
class Server:
    """One game at a server. `asked`: requests on their way to it."""

    board: chess.Board = field(default_factory=chess.Board)
    asked: list[ef.ServerRequest] = field(default_factory=list)
    resigned: bool = False

    def state(self, number: int, at_ms: int) -> ev.ServerState:
        moves = tuple(move.uci() for move in self.board.move_stack)
        status, winner = ("resign", self.board.turn) if self.resigned else ("started", None)
        if self.board.is_game_over():
            outcome = self.board.outcome()
            assert outcome is not None
            status, winner = ("draw" if outcome.winner is None else "mate", outcome.winner)
        return ev.ServerState(at_ms=at_ms, moves=moves, status=status, winner=winner, game=number)


class ServedParty(Party):
    """As a display of engines, with servers instead. `made`: moves that were announced and stand, a board."""

    def __init__(self, seed: int, boards: int) -> None:
        self.draw, self.lexicon = Random(seed), load("de")
        names = ", ".join("Anna" for _ in range(boards))
        self.kept = Kept(agreed_in({"served": names, "alternating": "yes", "time": self.draw.choice(["", "10+5"])}))
        self.servers = {number: Server() for number in range(1, boards + 1)}
        self.now, self.named = 0, 0
        self.wants, self.unsaid = {}, []
        self.happen(ev.Started(at_ms=0))
        self.tell_all()

    def happen(self, event: ev.Event) -> None:
        at = self.kept.display.at.number
        for effect in self.kept.handle(event):
            match effect:
                case ef.Say():
                    self.unsaid.append(effect)
                case ef.SendMove(game=number) | ef.SendWish(game=number):
                    assert number in (at, self.kept.display.at.number), "sent at a board where the giver is not"
                    self.servers[number].asked.append(effect)

    def tell_all(self) -> None:
        for number, server in self.servers.items():
            self.happen(server.state(number, self.now))

    def answer(self) -> None:
        number, server = self.draw.choice(list(self.servers.items()))
        giver = self.kept.display.boards[number].giver
        if server.resigned or server.board.is_game_over():
            return
        if server.asked:
            request = server.asked.pop(0)
            fate = self.draw.random()
            if fate < 0.2:  # nobody knows whether it arrived; half of them did
                self.happen(ev.ServerRefused(at_ms=self.now, request=request.number, reason="lost", game=number))
            if isinstance(request, ef.SendMove) and fate > 0.1:
                move = chess.Move.from_uci(request.uci)
                assert server.board.turn == giver and move in server.board.legal_moves, (
                    "sent twice, or to another board"
                )
                server.board.push(move)
            elif isinstance(request, ef.SendWish):
                server.resigned = request.wish is ef.Wish.RESIGN and server.board.turn == giver
        elif server.board.turn != giver:
            server.board.push(self.draw.choice(list(server.board.legal_moves)))
        self.happen(server.state(number, self.now))

    def step(self) -> None:
        self.wants = {0: ef.JudgeClaim(chess.Board(), chess.WHITE, 0)} if self.draw.random() < 0.9 else {}
        restarts = self.kept.display
        super().step()
        if self.kept.display is not restarts:
            for server in self.servers.values():
                server.asked.clear()  # what was on its way when the power was cut did not arrive
            self.tell_all()


@pytest.mark.parametrize("seed", range(16))
def test_no_move_is_sent_twice_or_to_a_board_that_is_not_at_hand(seed: int) -> None:
    party = ServedParty(seed, 2 + seed % 4)
    for _ in range(500):
        party.step()
        if party.kept.display.over:
            break
    for server in party.servers.values():
        server.asked.clear()
    party.tell_all()
    sent = sum(len(server.board.move_stack) for server in party.servers.values())
    assert sent > 20, "something was played"
    for number, board in party.kept.display.boards.items():
        if not board.held:
            shown = board.session.board.move_stack
            assert shown[: len(party.servers[number].board.move_stack)] == party.servers[number].board.move_stack
