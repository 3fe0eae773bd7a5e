"""Pawn moves given as a number of steps: "Damenbauer zwei Felder vor", "den Bauern vor dem König einen Schritt".

Typed lines only. A pawn named by its square, its file or the piece behind it, and its number of steps, are replaced by
its square and its target in the position; the rest of the line is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

import chess

from voicechess.language.lexicon import Lexicon
from voicechess.language.tokens import file_numbers, piece_types, rank_numbers

MOST_STEPS = 2


def with_targets(line: str, lexicons: Iterable[Lexicon], board: chess.Board) -> str:
    """The line with such a pawn replaced by its square, and its steps by its target; unchanged if there is none."""
    for lexicon in lexicons:
        expressions = _expressions(lexicon)
        if expressions is None:
            continue
        named, steps = expressions
        pawn = named.search(line)
        square = None if pawn is None or _is_any(pawn, lexicon) else _pawn(pawn, lexicon, board)
        if pawn is None or square is None:
            continue
        word = lexicon.pieces[chess.PAWN][0]
        before, behind = line[: pawn.start()], line[pawn.end() :]
        counted = steps.search(behind)
        if counted is None:
            continue
        target = square + (8 if board.turn else -8) * (1 if counted["one"] or counted["single"] else MOST_STEPS)
        if not 0 <= target < 64:
            continue
        rest = behind[counted.end() :].lstrip(" ,")
        told = re.search(r"\w", rest) is not None and _names_a_square(rest, lexicon)
        goal = "" if told else f" {chess.square_name(target)}"
        return f"{before}{word} {chess.square_name(square)}{behind[: counted.start()]}{goal} {rest}".rstrip()
    return line


def _is_any(found: re.Match[str], lexicon: Lexicon) -> bool:
    """Whether this is any pawn: in English "a pawn", but "the a pawn" is the one on that file."""
    words = lexicon.typed.frames.steps
    before = found.string[: found.start()].lower().split()[-1:]
    return (found["ahead"] or "").lower() in words["one"] and not set(before).intersection(words["articles"])


def _pawn(found: re.Match[str], lexicon: Lexicon, board: chess.Board) -> chess.Square | None:
    """The one pawn of the side to move that matches."""
    own = board.pieces(chess.PAWN, board.turn)
    if found["file"] and found["rank"]:
        square = chess.square(
            file_numbers(lexicon)[found["file"].lower()], rank_numbers(lexicon)[found["rank"].lower()]
        )
        return square if square in own else None
    if found["piece"]:
        piece = piece_types(lexicon).get(found["piece"].lower())
        steps = 8 if board.turn else -8
        fronts = [one + steps for one in board.pieces(piece, board.turn)] if piece else []
        pawns = [square for square in fronts if square in own]
    else:
        name = found["file"] or found["ahead"]
        named = file_numbers(lexicon)[name.lower()] if name else None
        pawns = [square for square in own if chess.square_file(square) == named]
    return pawns[0] if len(pawns) == 1 else None


@lru_cache(maxsize=8)
def _expressions(lexicon: Lexicon) -> tuple[re.Pattern[str], re.Pattern[str]] | None:
    """Expressions for a pawn and for its steps; None where a language has no words for these."""
    words = lexicon.typed.frames.steps
    if not words:
        return None
    pawns = _any((*lexicon.pieces[chess.PAWN], *(w for w, p in lexicon.wordings.pieces.items() if p == chess.PAWN)))
    files, ranks, pieces = (_any(table(lexicon)) for table in (file_numbers, rank_numbers, piece_types))
    articles = f"(?:(?:{_any(words['articles'])}) )?"
    unit, on = _any(words["unit"]), _any(words["forward"])
    named = (
        rf"(?:\b(?P<ahead>{files})[ -])?\b(?:{pawns})\b"
        rf"(?: (?:(?:{_any(words['on'])}) )?(?P<file>{files})(?! (?:{unit})\b)(?: ?(?P<rank>{ranks}))?\b"
        rf"| (?:{_any(words['before'])}) {articles}(?P<piece>{pieces})\b)?"
    )
    only = f"(?:(?:{_any(words['only'])}) )?"
    one, two = _any(words["one"]), _any(words["two"])
    steps = (
        rf" +(?:(?:{on}) )?{only}(?:(?P<one>{one})|{two})(?: (?:{unit}) (?:{on})\b| (?:{unit})\b| (?:{on})\b)"
        rf"| +(?:{on}) {only}(?:(?P<single>{one})|{two})(?=\W*$)"
    )
    return re.compile(named, re.IGNORECASE), re.compile(steps, re.IGNORECASE)


def _any(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


def _names_a_square(text: str, lexicon: Lexicon) -> bool:
    files, ranks = _any(file_numbers(lexicon)), _any(rank_numbers(lexicon))
    return re.search(rf"\b(?:{files}) ?(?:{ranks})\b", text, re.IGNORECASE) is not None
