"""A newcomer of tests/by_ear/newcomers.toml, who answers questions, announces moves and asks in own words (issue 50).

The same person plays with a simulated program (tests/conversations/test_newcomers.py) and by ear with the real one
(tests/by_ear/test_newcomers.py), and knows only what the program has said.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Protocol

import chess

from voicechess.game.agreement import Player

SCRIPTS = Path(__file__).parents[1] / "by_ear" / "newcomers.toml"

PIECES = {
    chess.PAWN: ("Bauer", "dem Bauern", "den Bauern"),
    chess.KNIGHT: ("Springer", "dem Springer", "den Springer"),
    chess.BISHOP: ("Läufer", "dem Läufer", "den Läufer"),
    chess.ROOK: ("Turm", "dem Turm", "den Turm"),
    chess.QUEEN: ("Dame", "der Dame", "die Dame"),
    chess.KING: ("König", "dem König", "den König"),
}
FILES = ("Anna", "Bella", "Cesar", "David", "Eva", "Felix", "Gustav", "Hector")
RANKS = ("eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht")

MOST_ASKED = 14
"""Most utterances before the first move. Larger: newcomers are more patient."""

MOST_TRIES = 4
"""Most announcements of one move, each in other words."""


class GivenUp(AssertionError):
    """The newcomer has no more to say; the message has the conversation."""


class Program(Protocol):
    """A program that a newcomer talks to."""

    @property
    def board(self) -> chess.Board | None:
        """The board as it is now; None: no game has begun."""
        ...

    @property
    def settings(self) -> Mapping[str, object]:
        """The game's terms, as `described` has them."""
        ...

    def say(self, words: str) -> Sequence[str]:
        """Say this; returns the answer."""
        ...

    @property
    def awaits_me(self) -> bool:
        """Whether it is the newcomer's turn."""
        ...


def square(number: chess.Square) -> str:
    """A square in FIDE's names."""
    return f"{FILES[chess.square_file(number)]} {RANKS[chess.square_rank(number)]}"


@dataclass
class Newcomer:
    """A newcomer."""

    script: Mapping[str, Any]  # an entry of the scripts
    program: Program
    conversation: list[str] = field(default_factory=list)  # everything said, with "> " before the newcomer's words
    tried: Counter[str] = field(default_factory=Counter)  # first way of saying something -> number of ways used
    unanswered: list[str] = field(default_factory=list)  # questions in between that were not answered
    again: int = 0  # number of announcements beyond the first
    asked: int = 0  # number of utterances before the first move
    made: int = 0  # number of moves made
    _random: Random = field(default_factory=lambda: Random(50))

    @property
    def name(self) -> str:
        return str(self.script["name"])

    def say(self, words: str) -> str:
        """Say this; returns the answer as one text."""
        self.conversation.append(f"> {words}")
        said = list(self.program.say(words))
        self.conversation += said
        return " ".join(said)

    def begin(self, greeting: Sequence[str]) -> None:
        """Answer questions until a game has begun. Raises GivenUp."""
        self.conversation += greeting
        while self.program.board is None:
            if self.asked >= MOST_ASKED:
                raise GivenUp(self._last_words())
            self.asked += 1
            self.say(self._answer())

    def _answer(self) -> str:
        last = next(line for line in reversed(self.conversation) if not line.startswith("> ")).lower()
        for block in self.script["answers"]:
            if any(part in last for part in block["hears"]):
                return self._next(block["says"])
        return self._next(self.script["always"])

    def _next(self, ways: Sequence[str]) -> str:
        """The next way of saying something; after all, the last one again."""
        used = self.tried[ways[0]]
        self.tried[ways[0]] += 1
        return ways[min(used, len(ways) - 1)]

    def play(self, moves: int) -> None:
        """Play up to the move of this number, with the questions in between. Raises GivenUp."""
        while self.made < moves:
            number = self.made + 1
            for between in self.script.get("between", ()):
                if between["before"] == number:
                    said = self.say(between["says"]).lower()
                    if between["then"] and not any(part in said for part in between["then"]):
                        self.unanswered.append(between["says"])
                    self._decline(said)
            self._make_a_move(number)
            self.made = number

    def _decline(self, said: str) -> None:
        """Decline confirmations, so that the game continues."""
        for _ in range(3):
            if not said.rstrip().endswith("?"):
                return
            said = self.say("nein")

    def _make_a_move(self, number: int) -> None:
        if not self.program.awaits_me:
            raise GivenUp(self._last_words())
        board = self.program.board
        assert board is not None
        move = self._chosen(board)
        for way in range(MOST_TRIES):
            said = self.say(self._words(board, move, number + way))
            for _ in range(2):
                if self._played(board) or not said.rstrip().endswith("?"):
                    break
                said = self.say(self._answer_about(board, move, said))
            played = self._played(board)
            if played == move:
                return
            if played is not None:
                raise GivenUp(f"not {move} but {played} was played: {self._last_words()}")
            self.again += 1
        raise GivenUp(self._last_words())

    def _answer_about(self, board: chess.Board, move: chess.Move, question: str) -> str:
        """The answer to a question about this move: yes or no if a move is proposed, otherwise the square of origin."""
        if "einten" not in question:  # "Meinten Sie …?"
            return square(move.from_square)
        name = PIECES[board.piece_type_at(move.from_square) or chess.PAWN][0]
        others = [other for other, *_ in PIECES.values() if other != name]
        proposed = square(move.to_square) in question and (name in question or not any(o in question for o in others))
        return "ja" if proposed and (name == "Bauer" or name in question) else "nein"

    def _played(self, before: chess.Board) -> chess.Move | None:
        """The move made since `before`; None: none."""
        now = self.program.board
        assert now is not None
        return now.move_stack[before.ply()] if now.ply() > before.ply() else None

    def _chosen(self, board: chess.Board) -> chess.Move:
        """A random move that does not end the game; castling kingside if legal, which the scripts have words for."""
        castling = [move for move in board.legal_moves if board.is_kingside_castling(move)]
        if castling:
            return castling[0]
        moves = sorted((move for move in board.legal_moves if not board.is_castling(move)), key=chess.Move.uci)
        quiet = [move for move in moves if move.promotion is None and not self._ends(board, move)]
        return self._random.choice(quiet or moves)

    @staticmethod
    def _ends(board: chess.Board, move: chess.Move) -> bool:
        after = board.copy()
        after.push(move)
        return after.is_game_over()

    def _words(self, board: chess.Board, move: chess.Move, turn: int) -> str:
        piece = board.piece_type_at(move.from_square) or chess.PAWN
        kind = "moves"
        if board.is_castling(move):
            kind = "castling"
        elif board.is_capture(move):
            kind = "captures"
        elif piece == chess.PAWN:
            kind = "pawns"
        ways = self.script[kind]
        name, dative, accusative = PIECES[piece]
        filled: str = ways[turn % len(ways)].format(
            piece=name,
            dative=dative,
            accusative=accusative,
            to=square(move.to_square),
            **{"from": square(move.from_square)},
        )
        return filled

    def wanted(self) -> list[str]:
        """The differences between the game and the newcomer's wishes."""
        wants, got = self.script["wants"], self.program.settings
        return [
            f"{name}: {value} was wanted, {got.get(name)} came"
            for name, value in wants.items()
            if value != "random" and got.get(name) != value
        ]

    def _last_words(self) -> str:
        position = "" if self.program.board is None else f" ({self.program.board.fen()})"
        return f"{self.name} gave up{position}: " + " | ".join(self.conversation)


@cache
def scripts() -> tuple[Mapping[str, Any], ...]:
    """All newcomers."""
    with SCRIPTS.open("rb") as file:
        return tuple(tomllib.load(file)["newcomer"])


def described(white: Player, black: Player, time: str) -> Mapping[str, object]:
    """The terms of a game as in the scripts."""
    machine = Player.ENGINE in (white, black)
    return {
        "opponent": "engine" if machine else "person",
        "clock": bool(time),
        "colour": "white" if white is Player.VOICE else "black",
    }
