"""Pieces named by the wing they started on: "Königsspringer", "Damenläuferbauer", "queen's rook".

Typed lines only: the speech models lack these words. Such a name means one piece, wherever it has moved since, and is
replaced by its square. If the game did not start from the usual position, or the piece is gone, the name is not
understood.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

import chess

from voicechess.language.lexicon import WING_KEYS, Lexicon
from voicechess.meaning import Unclear, UnclearReason

_FILES = {
    "king": {chess.ROOK: 7, chess.KNIGHT: 6, chess.BISHOP: 5, None: 4},
    "queen": {chess.ROOK: 0, chess.KNIGHT: 1, chess.BISHOP: 2, None: 3},
}
"""The file a piece started on; for a pawn that of the piece behind it; None: king or queen."""

_OFFICERS = (chess.ROOK, chess.KNIGHT, chess.BISHOP)


def on_squares(line: str, lexicons: Iterable[Lexicon], board: chess.Board) -> str | Unclear:
    """The line with such names replaced by piece and square ("springer g1"); `Unclear` for a name without a piece."""
    for lexicon in lexicons:
        names = _names(lexicon)
        for found in reversed(list(names.finditer(line))):
            before = re.findall(r"\w+|\S", line[: found.start()].lower())
            colour = board.turn if not before or before[-1] not in _captures(lexicon) else not board.turn
            word, square = _meant(found, lexicon, board, colour)
            if square is None:
                return Unclear(UnclearReason.NO_SUCH_PIECE, found.group())
            line = f"{line[: found.start()]}{word} {chess.square_name(square)} {line[found.end() :]}".rstrip()
    return line


@lru_cache(maxsize=8)
def _names(lexicon: Lexicon) -> re.Pattern[str]:
    wings = "|".join(f"(?P<{wing}>{_any(lexicon.typed.wings[wing])})" for wing in WING_KEYS)
    officers = _any(word for piece in _OFFICERS for word in _words(lexicon, piece))
    pawns = _any(_words(lexicon, chess.PAWN))
    ending = rf"(?:(?:(?P<of>{officers})(?:'?s)?[ -]?)?(?P<pawn>{pawns})|(?P<officer>{officers}))"
    return re.compile(rf"\b(?:{wings})[ -]?{ending}\b", re.IGNORECASE)


def _any(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


@lru_cache(maxsize=32)
def _words(lexicon: Lexicon, piece: chess.PieceType) -> tuple[str, ...]:
    """The piece's names, their inflected forms, and how else they are spelled."""
    names = lexicon.pieces[piece]
    forms = (form for form, meant in lexicon.wordings.pieces.items() if meant == piece)
    return (*names, *forms, *(spelled for spelled, name in lexicon.typed.spellings.items() if name in names))


@lru_cache(maxsize=8)
def _captures(lexicon: Lexicon) -> frozenset[str]:
    spoken = (word for pattern in lexicon.move["captures"] for word in pattern.words())
    return frozenset((*spoken, *lexicon.typed.signs["captures"]))


def _meant(
    found: re.Match[str], lexicon: Lexicon, board: chess.Board, colour: chess.Color
) -> tuple[str, chess.Square | None]:
    """The piece's name and its current square."""
    wing = next(wing for wing in WING_KEYS if found[wing])
    officer = found["officer"] or found["of"]
    piece = next((one for one in _OFFICERS if officer and officer.lower() in _words(lexicon, one)), None)
    is_pawn = found["pawn"] is not None
    rank = (1 if is_pawn else 0) if colour == chess.WHITE else (6 if is_pawn else 7)
    home = chess.square(_FILES[wing][piece], rank)
    return lexicon.pieces[chess.PAWN if is_pawn or piece is None else piece][0], _now(board, home)


def _now(board: chess.Board, home: chess.Square) -> chess.Square | None:
    """Current square of the piece that started on this one; None if it was captured or promoted, or that is unknown."""
    played = board.root()
    if played.board_fen() != chess.STARTING_BOARD_FEN:
        return None
    square = home
    for move in board.move_stack:
        if move.from_square == square:
            if move.promotion is not None:
                return None
            square = move.to_square
        elif played.is_castling(move):
            short = played.is_kingside_castling(move)
            rook, goal = (chess.H1, chess.F1) if short else (chess.A1, chess.D1)
            if square == rook ^ (0 if played.turn == chess.WHITE else 56):
                square = goal ^ (0 if played.turn == chess.WHITE else 56)
        elif _captured_on(played, move) == square:
            return None
        played.push(move)
    return square


def _captured_on(board: chess.Board, move: chess.Move) -> chess.Square:
    if board.is_en_passant(move):
        return chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square))
    return move.to_square
