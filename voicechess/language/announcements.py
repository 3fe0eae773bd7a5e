"""The grammar of announced moves: rows of elements (`elements`) into `SpokenMove`.

A whole move names its target; what is only a part of one ("Dame Anna", "von Gustav", "zwei") is kept as such, so that
a question can complete it. Letters that can be taken in two ways give two moves: the position decides, or a question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import chess

from voicechess.language.elements import Element, element_rows
from voicechess.language.lexicon import Lexicon
from voicechess.language.tokens import Token
from voicechess.meaning import Castling, CheckWord, SpokenMove

ENDING = r"(?P<passant>E)?(?P<check>[CM]*)"

WHOLE = re.compile(
    r"(?P<passant_first>E[TX]*)?(?P<piece>P)?T*"
    r"(?:O(?:(?P<named_file>F)(?P<named_rank>R)?|(?P<lone_rank>R))|(?P<from_file>F)?(?P<from_rank>R)?)"
    r"(?P<link>[TX]*)(?:(?<=X)(?P<captured>P)T*)?(?P<to_file>F)(?P<to_rank>R)"
    r"(?:O(?P<behind_file>F)?(?P<behind_rank>R)?)?(?:G*(?P<promotion>P)|G+)?" + ENDING
)
"""Everything from "Felix drei" to "Bauer Eva sieben schlägt Turm David acht wird Dame Schach"."""

CASTLING = re.compile(r"(?P<castling>K)" + ENDING)

PARTS = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?P<piece>P)?T*(?:(?P<to_file>F)|(?P<to_rank>R))",  # "Dame Anna", "Bella", "zwei"
        r"(?P<piece>P)?O(?P<from_file>F)?(?P<from_rank>R)?(?P<link>[TX]*)",  # "Springer von Gustav eins nach"
        r"(?P<piece>P)[OT]*(?P<link>[TX]*)",  # "Springer schlägt"
        r"(?P<piece>P)?(?P<from_file>F)(?P<from_rank>R)?(?P<link>[TX]+)(?P<to_file>F)?",  # "Eva vier schlägt David"
        r"(?P<piece>P)(?P<from_file>F)(?P<from_rank>R)?(?P<to_file>F)",  # "Springer Gustav Felix"
        r"(?P<piece>P)?(?P<from_file>F)?(?P<from_rank>R)?(?P<link>X+)T*(?P<captured>P)",  # "Dame schlägt Turm"
        r"(?P<piece>P)?(?P<link>X+)T*(?:(?P<to_file>F)|(?P<to_rank>R))",  # "Turm schlägt Anna"
        r"G+(?P<promotion>P)",  # "wird Dame"
        r"(?P<passant>E)",
    )
)
"""Parts of moves that mean something at any time: they can be completed."""

MARKS = tuple(re.compile(pattern) for pattern in (r"(?P<link>X+)", r"(?P<check>[CM]+)"))
"""Words that only tell one of several moves from another: "schlägt", "mit Schach"."""

LAST_RANKS = (0, 7)


def announced_moves(
    tokens: Sequence[Token], lexicon: Lexicon, typed: bool = False, marks: bool = False
) -> tuple[SpokenMove, ...]:
    """Every move, or part of one, that the tokens can announce: the usual reading first, without doubles.

    Several only come from typed letters: "Bb4" is the bishop of SAN and a German Bauer, "bc3" a pawn and, in small
    letters, a bishop. `marks`: a question is open that a lone "schlägt" or "Schach" can answer.
    """
    found: dict[SpokenMove, tuple[bool, bool, bool]] = {}
    for row in element_rows(tokens, lexicon, typed):
        codes = "".join(element.code for element in row)
        for move in _moves(codes, row, marks):
            if not _possible(move):
                continue
            # In small letters "dd4" may be a pawn's file or a queen: SAN names a pawn's file only with "x".
            usual = all(element.usual for element in row) and not (typed and _bare_pawn_file(tokens, codes))
            rank = (move.complete, _pawn_can_go(move), usual)
            found[move] = max(found.get(move, rank), rank)
    best = max(found.values(), default=None)
    return tuple(move for move, rank in found.items() if rank == best)


def _moves(codes: str, row: Sequence[Element], marks: bool) -> Iterator[SpokenMove]:
    for expression in (WHOLE, CASTLING, *PARTS, *(MARKS if marks else ())):
        match = expression.fullmatch(codes)
        if match is not None:
            yield _move(match, row)
            return


def _move(match: re.Match[str], row: Sequence[Element]) -> SpokenMove:
    groups = match.groupdict()

    def number(*names: str) -> int | None:
        for name in names:
            if groups.get(name):
                value = row[match.start(name)].value
                return value if isinstance(value, int) else None
        return None

    castling = row[match.start("castling")].value if groups.get("castling") else None
    check = groups.get("check") or ""
    passant = bool(groups.get("passant") or groups.get("passant_first"))
    link = (groups.get("link") or "") + (groups.get("passant_first") or "")
    return SpokenMove(
        piece=number("piece"),
        from_file=number("from_file", "named_file", "behind_file"),
        from_rank=number("from_rank", "named_rank", "lone_rank", "behind_rank"),
        to_file=number("to_file"),
        to_rank=number("to_rank"),
        captures="X" in link,
        en_passant=passant,
        promotion=number("promotion"),
        castling=castling if isinstance(castling, Castling) else None,
        check=CheckWord.MATE if "M" in check else CheckWord.CHECK if check else None,
        captured=number("captured"),
    )


def _possible(move: SpokenMove) -> bool:
    """Whether any position could allow it: what cannot be a move is not one that was meant."""
    if move.promotion is not None:
        if move.promotion in (chess.PAWN, chess.KING) or move.piece not in (None, chess.PAWN):
            return False
        if move.to_rank is not None and move.to_rank not in LAST_RANKS:
            return False
    if move.en_passant and move.piece not in (None, chess.PAWN):
        return False
    if move.captured == chess.KING:
        return False
    return move != SpokenMove()


def _pawn_can_go(move: SpokenMove) -> bool:
    """False when only a file names the origin, as for pawns, and no pawn gets from there to the target."""
    if move.piece is not None or move.from_file is None or move.from_rank is not None or move.to_file is None:
        return True
    files = abs(move.from_file - move.to_file)
    return files == 1 or (files == 0 and not move.captures)


def _bare_pawn_file(tokens: Sequence[Token], codes: str) -> bool:
    return codes.startswith("FFR") and any(len(token.raw) > 2 for token in tokens)
