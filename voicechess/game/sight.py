"""What spectators may see of a game: position, last move, clocks, score; and of a position outside a game.

Sealed moves are not included: the session does not know them either. In strict blind play the position is hidden during
the game: the player may look at the same screen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import chess

from voicechess.game.agreement import Player, Preset
from voicechess.game.cursor import WalkedBoard
from voicechess.game.phases import Phase
from voicechess.game.session import Session
from voicechess.game.situation import Ply
from voicechess.messages import Phrase
from voicechess.score.score import Entry, PieceLetters, Score, move_list

_TO_MOVE = frozenset({Phase.LISTENING, Phase.DRAW_OFFERED, Phase.ECHOING, Phase.CHOOSING, Phase.COMPLETING})


@dataclass(frozen=True, slots=True)
class Sight:
    """A spectator's view of a game, or of a `Scene`."""

    fen: str  # "" if the position is hidden
    last: tuple[chess.Square, chess.Square] | None  # the last move, castling as the king's move
    check: chess.Square | None
    turn: chess.Color
    names: tuple[str, str]
    clocks: tuple[int | None, int | None]  # White's and Black's remaining milliseconds, None if untimed
    running: chess.Color | None  # whose clock runs
    moves: tuple[str, ...]  # the score, one line per move number
    below: chess.Color  # the side at the bottom
    here: bool  # whether the side to move is played here and may move
    result: str
    board: int  # its number in a display, 0 for a single one
    chess960: bool  # castling is king onto rook
    plies: Sequence[Ply | chess.Move]  # the source of `moves`
    drawn: tuple[str, ...] = ()  # as `Scene.drawn`


@dataclass(frozen=True, slots=True)
class Scene:
    """A position outside a game, as an analysis or an exercise shows it."""

    board: chess.Board  # with the moves that led to it; readers never change it
    names: tuple[str, str] = ("", "")
    drawn: tuple[str, ...] = ()
    """Arrows and marked squares as PGN writes them, by colour, origin and target: "Gg1f3", "Re4"."""
    here: bool = False  # whether a move may be made now


def seen(session: Session, now_ms: int, letters: PieceLetters, before: Sight | None = None) -> Sight:
    """The view at `now_ms`. `before`: the previous view, whose score is reused if nothing was added."""
    plies, board, settings = session.plies, session.board, session.settings
    hidden = _hidden(session)
    same = before is not None and before.plies == plies and before.board == settings.board
    if same and before is not None:
        moves = before.moves
    else:
        score = session.score
        moves = move_list(replace(score, entries=score.entries[: len(plies)]), letters)
    last = board.peek() if board.move_stack else None
    players = {chess.WHITE: settings.white, chess.BLACK: settings.black}
    return Sight(
        fen="" if hidden else board.fen(),
        last=None if hidden or last is None else (last.from_square, last.to_square),
        check=None if hidden or not board.is_check() else board.king(board.turn),
        turn=board.turn,
        names=(settings.white_name, settings.black_name),
        clocks=(session.clock.remaining(chess.WHITE, now_ms), session.clock.remaining(chess.BLACK, now_ms)),
        running=session.clock.running,
        moves=moves,
        below=_below(session),
        here=session.phase in _TO_MOVE and players[board.turn] is Player.VOICE,
        result=session.result if session.over else "",
        board=settings.board,
        chess960=board.chess960,
        plies=plies,
    )


def shown(scene: Scene, letters: PieceLetters, before: Sight | None = None) -> Sight:
    """The view of a position outside a game. `before`: as for `seen`."""
    board = scene.board
    last, line, root = board.peek() if board.move_stack else None, tuple(board.move_stack), board.root()
    if before is not None and before.plies == line and not before.board:
        moves = before.moves
    else:
        moves = move_list(Score(fen=root.fen(), chess960=board.chess960, entries=tuple(map(Entry, line))), letters)
    return Sight(
        fen=board.fen(),
        last=(last.from_square, last.to_square) if last else None,  # None also for a pass
        check=board.king(board.turn) if board.is_check() else None,
        turn=board.turn,
        names=scene.names,
        clocks=(None, None),
        running=None,
        moves=moves,
        below=chess.WHITE,
        here=scene.here,
        result="",
        board=0,
        chess960=board.chess960,
        plies=line,
        drawn=scene.drawn,
    )


def _hidden(session: Session) -> bool:
    return session.settings.preset is Preset.STRICT_BLIND and not session.over


def _below(session: Session) -> chess.Color:
    return session.settings.giver if session.settings.display else session.side_here


def walked(shown: Session | Scene | None) -> WalkedBoard | Phrase:
    """The position as one may walk over it; otherwise the reason why not."""
    if shown is None:
        return Phrase("keys.no_board")
    if isinstance(shown, Scene):
        return WalkedBoard(shown.board, here=shown.here)
    return Phrase("forbidden.strict_blind") if _hidden(shown) else WalkedBoard(shown.board, _below(shown))


def lettered(fen: str, letters: str, below: chess.Color) -> tuple[str, ...]:
    """The position in letters, one line per rank and one with the files: "8 t s l d k l s t". `letters`: those of king,
    queen, rook, bishop, knight and pawn; White's are upper case. An empty square is a point."""
    board = chess.Board(fen, chess960=True)
    order = (chess.KING, chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT, chess.PAWN)

    def square(file: int, rank: int) -> str:
        piece = board.piece_at(chess.square(file, rank))
        if piece is None:
            return "."
        letter = letters[order.index(piece.piece_type)]
        return letter.upper() if piece.color else letter.lower()

    files = range(8) if below else range(7, -1, -1)
    ranks = range(7, -1, -1) if below else range(8)
    lines = [" ".join((chess.RANK_NAMES[rank], *(square(file, rank) for file in files))) for rank in ranks]
    return (*lines, " ".join((" ", *(chess.FILE_NAMES[file] for file in files))))
