"""Questions of lessons on a board: yes or no, or a move that does what was taught.

A wrong answer is explained like an illegal move in a game. Boards may have no kings; python-chess then accepts every
move that the piece can make.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import chess

from voicechess.meaning import Castling, Meaning, Reading, SpokenMove
from voicechess.messages import Phrase, Piece, Side, Slot, Square
from voicechess.moves.decisions import Ask, Play, Refuse
from voicechess.moves.matching import decide
from voicechess.moves.refusals import Refusal, attackers_listing, why_illegal
from voicechess.moves.saying import said_move
from voicechess.practice.answers import yes_said
from voicechess.practice.positions import side_told
from voicechess.practice.task import MISFIT, RIGHT, AnswerVerdict, Assessment, Task


@dataclass(frozen=True)
class BoardTask(Task):
    """A question about the position `fen` after the moves `made` (UCI), which are announced.

    `kind`: of the question, a key in [sentences.practice.lessons].
    """

    kind: str
    fen: str
    made: tuple[str, ...] = ()

    @property
    def ident(self) -> str:
        return f"{self.kind}.{self.fen}.{' '.join(self.made)}"

    @property
    def skills(self) -> tuple[str, ...]:
        return (self.kind,)  # replaced by the lesson's skill

    def reached(self) -> chess.Board:
        """The position of the question."""
        board = chess.Board(self.fen)
        for uci in self.made:
            board.push_uci(uci)
        return board

    def position(self) -> tuple[Phrase, ...]:
        board = chess.Board(self.fen)
        keys = {chess.WHITE: "white_pieces", chess.BLACK: "black_pieces"}
        told = [
            Phrase(f"practice.{key}", {"pieces": side_told(board, colour)})
            for colour, key in keys.items()
            if board.occupied_co[colour]
        ]
        for uci in self.made:
            move = said_move(board, chess.Move.from_uci(uci))
            told.append(Phrase("practice.puzzles.came", {"side": Side(board.turn), "move": move}))
            board.push_uci(uci)
        return tuple(told)

    def mirrored(self) -> BoardTask:
        """The same question with colours reversed."""
        board = chess.Board(self.fen)
        made = tuple(mirrored(chess.Move.from_uci(uci)).uci() for uci in self.made)
        return replace(self, fen=board.mirror().fen(), made=made)


def mirrored(move: chess.Move) -> chess.Move:
    """The move on the board with colours reversed."""
    return chess.Move(chess.square_mirror(move.from_square), chess.square_mirror(move.to_square), move.promotion)


def _example(board: chess.Board, move: chess.Move) -> Phrase:
    return Phrase("practice.lessons.example", {"move": said_move(board, move)})


# --- Yes or no ---


@dataclass(frozen=True)
class JudgeTask(BoardTask):
    """A yes-or-no question. `kind`: "can_move" or "can_castle" (is `move` legal?), "check" or "mate"."""

    move: str = ""  # UCI; castling as the king's two squares

    @property
    def ident(self) -> str:
        return f"{super().ident}.{self.move}"

    def mirrored(self) -> JudgeTask:
        other = super().mirrored()
        assert isinstance(other, JudgeTask)
        return replace(other, move=mirrored(chess.Move.from_uci(self.move)).uci() if self.move else "")

    @property
    def answer(self) -> bool:
        """The right answer."""
        board = self.reached()
        match self.kind:
            case "check":
                return board.is_check()
            case "mate":
                return board.is_checkmate()
        return chess.Move.from_uci(self.move) in board.legal_moves

    def ask(self) -> tuple[Phrase, ...]:
        board = self.reached()
        side = Side(board.turn)
        match self.kind:
            case "can_move":
                move = chess.Move.from_uci(self.move)
                kind = board.piece_type_at(move.from_square)
                assert kind is not None, "asked about pieces that are there"
                slots: dict[str, Slot] = {
                    "piece": Piece(kind),
                    "origin": Square(move.from_square),
                    "square": Square(move.to_square),
                }
                return (*self.position(), Phrase("practice.lessons.can_move", slots))
            case "can_castle":
                return (*self.position(), Phrase(f"practice.lessons.can_castle.{self._castling.value}", {"side": side}))
        return (*self.position(), Phrase(f"practice.lessons.{self.kind}", {"side": side}))

    @property
    def _castling(self) -> Castling:
        move = chess.Move.from_uci(self.move)
        return Castling.KINGSIDE if move.to_square > move.from_square else Castling.QUEENSIDE

    def assess(self, meaning: Meaning, words: str) -> Assessment:
        said = yes_said(meaning)
        if said is None:
            return MISFIT
        return Assessment(AnswerVerdict.RIGHT if said is self.answer else AnswerVerdict.WRONG)

    def solution(self) -> tuple[Phrase, ...]:
        board = self.reached()
        match self.kind:
            case "check" if self.answer:
                return (Phrase("practice.lessons.in_check", {"attackers": attackers_listing(board, board.checkers())}),)
            case "check":
                return (Phrase("practice.follow.no_check"),)
            case "mate" if self.answer:
                return (Phrase("practice.lessons.is_mate"),)
            case "mate" if not board.is_check():
                return (Phrase("practice.lessons.is_stalemate"),)
            case "mate":
                way_out = min(board.legal_moves, key=lambda move: move.uci())
                return (Phrase("practice.lessons.not_mate"), _example(board, way_out))
            case _ if self.answer:
                return (Phrase("practice.lessons.possible"),)
            case "can_castle":
                return (why_illegal(board, SpokenMove(castling=self._castling)).phrase,)
        move = chess.Move.from_uci(self.move)
        return (why_illegal(board, _in_full(board, move)).phrase,)

    def expects(self) -> Phrase:
        return Phrase("practice.expects.yes_no")

    @property
    def tries(self) -> int:
        return 1


def _in_full(board: chess.Board, move: chess.Move) -> SpokenMove:
    """The move spoken with its piece and both squares."""
    return SpokenMove(
        piece=board.piece_type_at(move.from_square),
        from_file=chess.square_file(move.from_square),
        from_rank=chess.square_rank(move.from_square),
        to_file=chess.square_file(move.to_square),
        to_rank=chess.square_rank(move.to_square),
    )


# --- A move ---


def _any(board: chess.Board, move: chess.Move) -> bool:
    return True


def _mates(board: chess.Board, move: chess.Move) -> bool:
    after = board.copy(stack=False)
    after.push(move)
    return after.is_checkmate()


_WANTED: Mapping[str, tuple[Callable[[chess.Board, chess.Move], bool], str]] = {
    "go": (_any, ""),
    "escape": (_any, ""),
    "capture": (chess.Board.is_capture, "practice.lessons.no_capture"),
    "give_check": (chess.Board.gives_check, "refuse.no_check"),
    "give_mate": (_mates, "refuse.no_mate"),
    "castle": (chess.Board.is_castling, "practice.lessons.no_castling"),
    "en_passant": (chess.Board.is_en_passant, "refuse.no_en_passant"),
}
"""Kind of question -> the condition on the move, and the sentence for a legal move that fails it. Promotions are
checked by `PlayTask.becomes`."""

_MISHEARD = frozenset(
    {
        "no_such_piece",
        "no_such_piece_on_file",
        "no_such_piece_on_rank",
        "empty_square",
        "opponents_piece",
        "other_piece",
        "other_side_to_move",
        "no_pawn",
        "cannot_move_like_that",
        "cannot_move_like_that_of_one",
    }
)
"""Refusals that indicate a recognition error rather than a mistake about the moves of pieces."""


@dataclass(frozen=True)
class PlayTask(BoardTask):
    """Make a move that meets the condition of `kind`. `becomes`: the piece to promote to, with `kind` "promote"."""

    becomes: chess.PieceType | None = None

    @property
    def ident(self) -> str:
        return f"{super().ident}.{self.becomes}"

    def board(self) -> chess.Board:
        return self.reached()

    @property
    def solutions(self) -> tuple[chess.Move, ...]:
        """All right moves, at least one."""
        board = self.reached()
        return tuple(move for move in board.legal_moves if self._does_it(board, move))

    def _does_it(self, board: chess.Board, move: chess.Move) -> bool:
        if self.kind == "promote":
            return move.promotion == self.becomes
        wanted, _ = _WANTED[self.kind]
        return wanted(board, move)

    def ask(self) -> tuple[Phrase, ...]:
        board = self.reached()
        told = self.position()
        if board.turn == chess.BLACK and self.kind != "escape":
            told = (*told, Phrase("practice.puzzles.ask", {"side": Side(board.turn)}))
        match self.kind:
            case "go" | "capture":
                question = Phrase(f"practice.lessons.{self.kind}", {"piece": Piece(self._piece(board))})
            case "promote" if self.becomes is not None:
                question = Phrase("practice.lessons.promote", {"piece": Piece(self.becomes)})
            case "escape":
                question = Phrase("practice.lessons.escape", {"side": Side(board.turn)})
            case _:
                question = Phrase(f"practice.lessons.{self.kind}")
        return (*told, question)

    def _piece(self, board: chess.Board) -> chess.PieceType:
        """The piece of the question."""
        kind = board.piece_type_at(self.solutions[0].from_square)
        assert kind is not None, "solutions are legal moves"
        return kind

    def assess(self, meaning: Meaning, words: str) -> Assessment:
        if not isinstance(meaning, SpokenMove):
            return MISFIT
        board = self.reached()
        match decide(board, (Reading(self._with_its_piece(board, meaning)),)):
            case Play(move) | Ask((move,), None):
                return self._judged(board, move)
            case Ask((_,), Refusal() as doubt):
                return _refused(doubt)
            case Refuse(refusal, _):
                return _refused(refusal)
        return Assessment(AnswerVerdict.MISFIT, (Phrase("practice.mates.incomplete"),))

    def _with_its_piece(self, board: chess.Board, spoken: SpokenMove) -> SpokenMove:
        """The spoken move, with the question's piece added to a square alone."""
        if self.kind not in ("go", "capture") or spoken.piece is not None or spoken.origin is not None:
            return spoken
        return replace(spoken, piece=self._piece(board)) if spoken.target is not None else spoken

    def _judged(self, board: chess.Board, move: chess.Move) -> Assessment:
        if self._does_it(board, move):
            return RIGHT
        if self.kind == "promote":
            return Assessment(AnswerVerdict.WRONG, _other_piece(move))
        _, reason = _WANTED[self.kind]
        return Assessment(AnswerVerdict.WRONG, (Phrase(reason),))

    def solution(self) -> tuple[Phrase, ...]:
        board = self.reached()
        return (_example(board, min(self.solutions, key=lambda move: move.uci())),)

    def expects(self) -> Phrase:
        return Phrase("practice.expects.move")


def _other_piece(move: chess.Move) -> tuple[Phrase, ...]:
    if move.promotion is None:
        return (Phrase("practice.lessons.no_promotion"),)
    return (Phrase("practice.lessons.other_piece", {"piece": Piece(move.promotion)}),)


def _refused(refusal: Refusal) -> Assessment:
    verdict = AnswerVerdict.MISFIT if refusal.key in _MISHEARD else AnswerVerdict.WRONG
    return Assessment(verdict, (refusal.phrase,))
