"""Annotations of games by people and programs, and their sentences.

Text is read aloud with the moves in it as announcements; numeric annotation glyphs (NAGs) have words of their own. What
programs write at every move (evaluation, time) is told only on request: PGN's [%eval], [%clk] and [%emt], and the
comments of engine tournaments ("+0.53/14 47s": evaluation for the side that moved; "wv=0.24": for White).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import chess
import chess.pgn

from voicechess.meaning import Castling, CheckWord
from voicechess.messages import Duration, Listing, Phrase, SaidMove, Side, Slot, Text, TimeLeft
from voicechess.moves.saying import said_move
from voicechess.practice.exercises.review import MATE_SCORE
from voicechess.score.pgn import BRACKET, SIGNS
from voicechess.score.score import PieceLetters

# --- moves -----------------------------------------------------------------------------------------------------------


def moved(board: chess.Board, move: chess.Move) -> Slot:
    """A move of a line, or a pass in a variation."""
    return said_move(board, move) if move else Phrase("practice.analysis.passes")


def since_passing(board: chess.Board) -> chess.Board:
    """The position with only the moves since the last pass (null move), which engines and scores do not support."""
    passed = max((place for place, move in enumerate(board.move_stack, 1) if not move), default=0)
    moves = board.move_stack[passed:]
    since = board.copy()
    for _ in moves:
        since.pop()
    since.clear_stack()
    for move in moves:
        since.push(move)
    return since


# --- signs -----------------------------------------------------------------------------------------------------------

_OF_MOVES = {
    1: "good",
    2: "mistake",
    3: "brilliant",
    4: "blunder",
    5: "interesting",
    6: "dubious",
    7: "only",
    8: "only",
}
DIAGRAM = 220
"""Glyph of a printed diagram (221: seen from Black's side), which ChessBase writes as the comment "[#]"."""

_OF_MOVES |= {DIAGRAM: "diagram", DIAGRAM + 1: "diagram"}
_OF_MOVES |= {10: "level", 11: "level", 12: "level", 13: "unclear", 140: "idea", 141: "against", 146: "novelty"}
_OF_SIDES = {
    14: "slightly",
    16: "clearly",
    18: "winning",
    20: "winning",
    22: "zugzwang",
    26: "space",
    32: "development",
}
_OF_SIDES |= {36: "initiative", 40: "attack", 44: "compensation", 132: "counterplay", 138: "time_trouble"}
"""Numeric annotation glyphs (PGN specification, 10) for White; the following number is Black's."""


def sign_told(glyph: int) -> Phrase:
    """A glyph in words, or by its number if it has none."""
    if glyph in _OF_MOVES:
        return Phrase(f"practice.analysis.sign.{_OF_MOVES[glyph]}")
    for number, colour in ((glyph, chess.WHITE), (glyph - 1, chess.BLACK)):
        if number in _OF_SIDES:
            return Phrase(f"practice.analysis.sign.{_OF_SIDES[number]}", {"side": Side(colour)})
    return Phrase("practice.analysis.sign.other", {"number": glyph})


def signs_told(node: chess.pgn.GameNode) -> tuple[Phrase, ...]:
    """All glyphs of a move in one sentence, and whether the book has a diagram there; () if none."""
    drawn = {DIAGRAM} if "[#]" in node.comment and not node.nags & {DIAGRAM, DIAGRAM + 1} else set()
    signs = tuple(sign_told(glyph) for glyph in sorted(node.nags | drawn) if glyph)
    return (Phrase("practice.analysis.signs", {"signs": Listing(signs, "")}),) if signs else ()


# --- comments of programs --------------------------------------------------------------------------------------------

_ENGINE = re.compile(
    r"(?:\([^()]*\)\s*)?\(?(?P<score>[+-]?(?:\d+[.,]\d+|[M#]\d+)|[+-][M#]\d+)/\d+(?:\s+(?P<time>\d+(?:[.,]\d+)?)\s*(?P<unit>ms|s|m)?\b)?\)?[,;]?"
)
"""cutechess, Arena, WinBoard, Fritz: evaluation and depth, often with the time of the move."""

_KEYED = re.compile(r"(?:^|,\s*)(?:d|sd|mt|wv|ev)=[^,]*(?:,|$)")
"""TCEC: "d=21, sd=50, mt=67346, …, wv=0.24"."""

_BARE = re.compile(r"[+-]?(?:\d+[.,]\d{1,2}|[M#]\d+)|book|\(book\)")
_SWING = re.compile(r"\(\s*[+-−]?[\d.#]+\s*→\s*[+-−]?[\d.#]+\s*\)")
"""Lichess: "(0.30 → -0.45) Mistake. Nf3 was best."."""

_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, None: 1.0}


@dataclass(frozen=True, slots=True)
class Written:
    """A comment split into a program's data and text.

    words: the text.
    white: the evaluation in centipawns for White; None if absent.
    spent_ms: the time of the move in milliseconds; None if absent.
    """

    words: str
    white: int | None = None
    spent_ms: int | None = None


def written(node: chess.pgn.GameNode) -> Written:
    """Parse the comment after the move of `node`."""
    words = " ".join(part for part in BRACKET.sub(" ", node.comment).split() if part not in ("(=)", "[#]"))
    thought, took = _bracketed(node)
    keyed = dict(part.split("=", 1) for part in re.split(r",\s*", words) if "=" in part) if _KEYED.search(words) else {}
    if keyed:
        white = _centipawns(keyed.get("wv", "")) if thought is None else thought
        took = took if took is not None or not keyed.get("mt", "").isdecimal() else int(keyed["mt"])
        return Written("", white, took)
    engine = _ENGINE.match(words)
    if engine is not None:
        own = _centipawns(engine["score"])
        white = own if own is None or node.turn() == chess.BLACK else -own
        if engine["time"] and took is None:
            took = round(float(engine["time"].replace(",", ".")) * _SECONDS[engine["unit"]] * 1_000)
        return Written(words[engine.end() :].strip(" ,;"), white if thought is None else thought, took)
    if _BARE.fullmatch(words):
        return Written("", thought, took)
    return Written(" ".join(_SWING.sub(" ", words).split()), thought, took)


def _bracketed(node: chess.pgn.GameNode) -> tuple[int | None, int | None]:
    """PGN's [%eval] (centipawns for White) and [%emt] (milliseconds); None if absent."""
    score, took = node.eval(), node.emt()
    white = None if score is None else score.white().score(mate_score=MATE_SCORE)
    return white, None if took is None else round(took * 1_000)


def _centipawns(text: str) -> int | None:
    """Parse "+0.53", "-M5", "#3" into centipawns; None for anything else."""
    found = re.fullmatch(r"([+-]?)(?:([M#])(\d{1,3})|(\d{1,6})[.,](\d{1,2})\d*)", text.strip())
    if found is None:
        return None
    size = MATE_SCORE - int(found[3]) if found[2] else int(found[4]) * 100 + int(found[5].ljust(2, "0"))
    return -size if found[1] == "-" else size


# --- times -----------------------------------------------------------------------------------------------------------


def times_told(node: chess.pgn.GameNode) -> tuple[Phrase, ...]:
    """Both sides' remaining time at `node` and the time of its move, as far as the file has them."""
    left: dict[chess.Color, float] = {}
    at: chess.pgn.GameNode | None = node
    while at is not None and len(left) < 2:
        clock = at.clock()
        if clock is not None and at.parent is not None:
            left.setdefault(not at.turn(), clock)
        at = at.parent
    told = [
        Phrase(
            "practice.analysis.clock_of", {"side": Side(colour), "left": TimeLeft(colour, round(left[colour] * 1_000))}
        )
        for colour in (chess.WHITE, chess.BLACK)
        if colour in left
    ]
    phrases = [Phrase("practice.analysis.clocks", {"clocks": Listing(tuple(told), "")})] if told else []
    spent = written(node).spent_ms
    if spent is not None and node.parent is not None:
        phrases.append(Phrase("practice.analysis.spent", {"duration": Duration(spent)}))
    return tuple(phrases) or (Phrase("practice.analysis.no_times"),)


def costs_told(line: Iterable[chess.pgn.GameNode], increment_ms: int) -> tuple[Phrase, ...]:
    """The time of each move of a line, as written or computed from the clocks; a sentence per move number."""
    before: dict[chess.Color, float] = {}
    told: dict[int, list[Slot]] = {}
    for node in line:
        if node.parent is None:
            continue
        colour, clock, spent = node.parent.turn(), node.clock(), written(node).spent_ms
        if spent is None and clock is not None and colour in before:
            spent = max(0, round((before[colour] - clock) * 1_000) + increment_ms)
        if clock is not None:
            before[colour] = clock
        if spent is not None:
            number = (node.parent.ply() // 2) + 1
            told.setdefault(number, []).append(
                Phrase("score.cost", {"side": Side(colour), "duration": Duration(spent)})
            )
    return tuple(
        Phrase("score.costs", {"number": number, "costs": Listing(tuple(costs), "")}) for number, costs in told.items()
    ) or (Phrase("practice.analysis.no_times"),)


# --- text with moves in it -------------------------------------------------------------------------------------------

PART = 300
"""Characters of a comment read aloud at a time, about twenty seconds; the rest on request. Larger: longer parts."""

_LETTERS = {
    letter: kind
    for letters in (PieceLetters.GERMAN, PieceLetters.ENGLISH)
    for letter, kind in zip(
        letters.value, (chess.KING, chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT), strict=True
    )
} | {symbol: chess.Piece.from_symbol(letter).piece_type for letter, symbol in chess.UNICODE_PIECE_SYMBOLS.items()}
_MOVE = re.compile(
    r"(?<![\w-])(?:(?P<number>\d{1,3})\s?(?:\.+|…)\s?)?(?:(?P<castling>[O0]-[O0](?:-[O0])?)"
    r"|(?P<piece>[KDTLSQRBN♔-♟])?(?P<file>[a-h])?(?P<rank>[1-8])?(?P<takes>[x:-])?(?P<to>[a-h][1-8])"
    r"(?:=?(?P<promotion>[DTLSQRBN]))?)(?P<check>\+{1,2}|#)?(?P<sign>[!?]{1,2})?(?![\w-])"
)


def comments_told(*texts: str) -> list[tuple[Phrase, ...]]:
    """Comments as parts of about `PART` characters, each a group of sentences, with moves as announcements."""
    told: list[tuple[Phrase, ...]] = []
    room = 0
    for part in (part for text in texts for part in _parts(text)):
        phrase = Phrase("practice.analysis.comment", {"text": _with_moves(part)})
        if len(part) <= room:
            told[-1] = (*told[-1], phrase)
            room -= len(part)
        else:
            told.append((phrase,))
            room = PART - len(part)
    return told


def _parts(text: str) -> list[str]:
    """Split a text into parts of about `PART` characters, preferably at the end of a sentence, without short rests."""
    parts = []
    while len(text) > PART * 3 // 2:
        cut = max(text.rfind(end, PART // 2, PART) + 1 for end in (". ", "! ", "? ", "; ", ": "))
        cut = cut or text.rfind(" ", PART // 2, PART) + 1 or PART
        parts.append(text[:cut].strip())
        text = text[cut:].strip()
    return [*parts, text] if text else parts


def _with_moves(text: str) -> Slot:
    items: list[Slot] = []
    at = 0
    for found in _MOVE.finditer(text):
        between = text[at : found.start()].strip()
        if between:
            items.append(Text(between))
        if found["number"]:
            items.append(int(found["number"]))
        items.append(_said(found))
        if found["sign"]:
            items.append(sign_told(SIGNS[found["sign"]]))
        at = found.end()
        mark = re.match(r"[.,;:)]+(?=\s|\Z)", text[at:])
        if mark is not None:
            items[-1] = Phrase("practice.analysis.marked", {"words": items[-1], "mark": Text(mark[0])})
            at += mark.end()
    if not items:
        return Text(text)
    rest = text[at:].strip()
    return Listing((*items, Text(rest)) if rest else tuple(items), "row")


def _said(found: re.Match[str]) -> SaidMove:
    """The move as written, legal or not."""
    mate = {"#": CheckWord.MATE, None: None}.get(found["check"], CheckWord.CHECK)
    if found["castling"]:
        side = Castling.KINGSIDE if len(found["castling"]) == 3 else Castling.QUEENSIDE
        return SaidMove(chess.WHITE, chess.KING, chess.E1, chess.G1, castling=side, check=mate)
    file, rank = found["file"], found["rank"]
    return SaidMove(
        chess.WHITE,
        _LETTERS.get(found["piece"] or "", chess.PAWN),
        chess.square(ord(file or "a") - ord("a"), int(rank or 1) - 1),
        chess.parse_square(found["to"]),
        captured=chess.PAWN if found["takes"] in ("x", ":") else None,
        promotion=_LETTERS.get(found["promotion"] or ""),
        check=mate,
        needs_file=file is not None,
        needs_rank=rank is not None,
    )
