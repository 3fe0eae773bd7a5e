"""The engine in an analysis: evaluation, best move and best line of a position.

One position is analysed at a time; a line takes a request per ply. Results are cached by position.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import chess

from voicechess.game.effects import Announcer
from voicechess.messages import Listing, Phrase, Side, Slot
from voicechess.moves.saying import said_move
from voicechess.practice.effects import Examine, Examined, ExaminingFailed, PracticeEffect, StopExamining
from voicechess.practice.exercises.annotations import since_passing
from voicechess.practice.exercises.review import settled, worth_told

LINE = 4
"""Plies of the line told on "beste Variante". Larger: longer to compute and to listen to."""

Effects = tuple[PracticeEffect, ...]


@dataclass
class EngineQuestion:
    """The current request: `command` about the position `board`; `line`: moves of a line found so far."""

    number: int
    command: str
    board: chess.Board
    line: list[Slot] = field(default_factory=list)


class EngineView:
    """Makes requests to the engine and tells the answers. Late answers to cancelled requests are ignored."""

    def __init__(self, speaker: Announcer) -> None:
        self._speaker = speaker
        self._wanted: EngineQuestion | None = None
        self._requests = 0
        self._known: dict[str, tuple[int | None, chess.Move | None]] = {}  # FEN -> centipawns, best move

    @property
    def busy(self) -> bool:
        """Whether a request is open."""
        return self._wanted is not None

    def ask(self, position: chess.Board, command: str) -> Effects:
        """Request what `command` asks of a position, cancelling an earlier request."""
        board = since_passing(position)
        stopped = self.forget()
        if not any(board.legal_moves):
            key = "mated" if board.is_check() else "stalemate"
            return (*stopped, *self._say(Phrase(f"practice.analysis.{key}", {"side": Side(board.turn)})))
        if board.is_insufficient_material():
            return (*stopped, *self._say(Phrase("practice.analysis.worth.level")))
        self._wanted = EngineQuestion(0, command, board)
        return (*stopped, *self._look(self._wanted, Phrase("practice.analysis.thinking")))

    def forget(self) -> Effects:
        """Cancel the open request."""
        if self._wanted is None:
            return ()
        self._wanted = None
        return (StopExamining(),)

    def answered(self, event: Examined | ExaminingFailed) -> Effects:
        """Tell the engine's answer, or a failure together with the part of a line found so far."""
        wanted = self._wanted
        if wanted is None or event.number != wanted.number:
            return ()
        if isinstance(event, ExaminingFailed):
            self._wanted = None
            key = "practice.review.no_engine" if event.reason == "missing" else f"opponent.{event.reason}"
            return self._say(*([_best(wanted.line)] if wanted.line else []), Phrase(key))
        try:
            best = wanted.board.parse_uci(event.best or "")
        except ValueError:
            best = None
        self._known[wanted.board.fen()] = event.centipawns, best
        return self._found(wanted, event.centipawns, best)

    def _say(self, *phrases: Phrase) -> Effects:
        return self._speaker.say(*phrases)

    def _look(self, wanted: EngineQuestion, *first: Phrase) -> Effects:
        """Have the position of `wanted` analysed, or answer at once if it is trivial or known; `first` is said
        before."""
        known = settled(wanted.board)
        if known is not None:
            return self._found(wanted, known.centipawns, known.best, *first)
        if wanted.board.fen() in self._known:
            return self._found(wanted, *self._known[wanted.board.fen()], *first)
        self._requests += 1
        wanted.number = self._requests
        return (*self._say(*first), Examine((wanted.board.copy(),), wanted.number))

    def _found(
        self, wanted: EngineQuestion, centipawns: int | None, best: chess.Move | None, *first: Phrase
    ) -> Effects:
        """Take the evaluation of the position of `wanted`; `first` is said if a further position must be analysed."""
        if wanted.command in ("evaluation", "evaluation_exact"):
            self._wanted = None
            if centipawns is None:
                return self._say(Phrase("practice.analysis.no_answer"))
            return self._say(worth_told(wanted.board, centipawns, wanted.command == "evaluation_exact"))
        if best is not None:
            wanted.line.append(said_move(wanted.board, best))
            wanted.board.push(best)
        goes_on = best is not None and len(wanted.line) < LINE and any(wanted.board.legal_moves)
        if wanted.command == "best_line" and goes_on:
            return self._look(wanted, *first)
        self._wanted = None
        if not wanted.line:
            return self._say(Phrase("practice.analysis.no_answer"))
        return self._say(_best(wanted.line))


def _best(line: Sequence[Slot]) -> Phrase:
    return Phrase("practice.analysis.best", {"moves": Listing(tuple(line), "")})
