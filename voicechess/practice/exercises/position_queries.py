"""A game's queries about a position outside one: in an analysis, and while a position is set up.

They are answered by the functions of a game, at a table with that position. What was told is remembered from one to
the next: how far walking over ranks, files and pieces has come, and which form of each answer is wanted.
"""

from __future__ import annotations

import chess

from voicechess.game import queries
from voicechess.game.agreement import GameSettings, Player, read_answers
from voicechess.game.commands import obey
from voicechess.game.effects import Announcer, Effect
from voicechess.game.phases import Phase, Waiting
from voicechess.game.situation import Outbox, Ply, ToldSoFar
from voicechess.game.state import Table
from voicechess.meaning import Command


class PositionQueries:
    """`answers`: the forms of answers chosen before (`read_answers`)."""

    def __init__(self, speaker: Announcer, answers: str = "") -> None:
        self._speaker = speaker
        self._told = ToldSoFar(forms=read_answers(answers))

    def answer(self, board: chess.Board, command: Command) -> tuple[Effect, ...]:
        """The effects of a query. `board`: the position, with the moves that led to it."""
        table = Table(GameSettings(white=Player.VOICE, black=Player.VOICE), _out=Outbox(self._speaker))
        table.told, table.board, table.state = self._told, board, Waiting(Phase.LISTENING)
        table.plies = [Ply(move, table.clock, table.clock, 0) for move in board.move_stack]
        obey(table, command)
        return table.take_effects()

    def heard_whole(self, number: int) -> None:
        """Utterance `number` was said to its end: walking goes on behind it."""
        queries.heard_whole(self._told, number)
