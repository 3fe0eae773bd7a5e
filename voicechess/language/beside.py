"""A move in a line with words that belong to none: "der König weicht aus von Emil eins nach Emil zwei"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

import chess

from voicechess.language.announcements import announced_moves
from voicechess.language.clauses import split_tokens
from voicechess.language.lexicon import Lexicon
from voicechess.language.natural import PROMOTION_PIECES
from voicechess.language.tokens import Token, file_numbers, piece_types, rank_numbers, slot_reader
from voicechess.meaning import UNKNOWN_WORD, SpokenMove

MAX_STRANGE_WORDS, MAX_STRANGE_IN_STATEMENT = 3, 12
"""Number of strange words beside a typed move up to which it is asked about, in any line and in one that is no question
and names more than a square. Larger: more questions."""

MIN_STRANGE_WORDS = 2
"""Number of strange words from which a line without a comma is a sentence. Smaller: more notation with a mistake in it
is asked about."""

WORDS_BEHIND_NO = 2
"""Number of words behind a negation within which a piece is what is denied: "keine Dame", "not a queen". Larger: more
is denied."""


def moves_beside(tokens: Sequence[Token], lexicon: Lexicon, least: int = MIN_STRANGE_WORDS) -> tuple[SpokenMove, ...]:
    """The whole move that is left without words that belong to no move, at least so many of them, of the line or else
    of a clause of it: it is asked about, never played."""
    told = [token for token in tokens if token.text.isalpha() and token.text not in words_of_moves(lexicon)]
    strange = [token for token in told if token.text not in file_numbers(lexicon)]
    denied = any(token.text in _words_of_no(lexicon) for token in strange)  # "Springer f3 nein"
    if len(strange) < least and not (strange and (denied or any(token.raw == "," for token in tokens))):
        return ()  # notation with a mistake in it
    for some in (tokens, *split_tokens(tokens, lexicon)):
        if found := tuple(_moves_left(some, lexicon)):
            return found
    # A clause that is castling, which names no square.
    clauses = [announced_moves(one, lexicon, typed=True) for one in split_tokens(tokens, lexicon)]
    castling = [moves[0] for moves in clauses if len(moves) == 1 and moves[0].castling is not None]
    return tuple(castling) if len(castling) == 1 else ()


def _promotion_in(tokens: Sequence[Token], lexicon: Lexicon) -> SpokenMove | None:
    """What a pawn becomes, in one of the wordings for it (`Wordings.promotion`): "ich möchte einen Springer"."""
    words, named = tuple(token.text for token in tokens), new_pieces(lexicon)

    def read_slot(name: str, start: int) -> Iterator[tuple[int, object]]:
        if name == "piece" and words[start] in named:
            yield start + 1, named[words[start]]

    for pattern in lexicon.wordings.promotion:
        for end, captures in pattern.match(words, 0, read_slot, lexicon.fillers) if words else ():
            if end == len(words):
                return SpokenMove(promotion=next(piece for _, piece in captures if isinstance(piece, int)))
    return None


def promotion_beside(tokens: Sequence[Token], lexicon: Lexicon, typed: bool) -> tuple[SpokenMove | None, bool]:
    """The only piece that a line names, as what a pawn becomes, and whether it is sure: "der Bauer soll ein Turm
    werden". Unsure is what is spoken, or denies something: "keine Dame, sondern einen Turm". None where there are
    several or a square, or where somebody wonders, in any language; and for speech, if a word of it is no word of the
    game or an answer. A wording of its own comes first (`Wordings.promotion`)."""
    if said := _promotion_in(tokens, lexicon):
        return said, True
    languages = (lexicon, *lexicon.others)
    words = [token.text for token in tokens]
    if any(wonders(tokens, one) for one in languages) or any(word.isdecimal() for word in words):
        return None, False
    if not typed and not _words_of_others(lexicon).isdisjoint(words):
        return None, False
    denying = frozenset(word for one in languages for word in one.wordings.negations)
    pieces = {n: _names_of_pieces(lexicon).get(word) for n, word in enumerate(words)}
    named = {
        piece
        for n, piece in pieces.items()
        if piece not in (None, chess.PAWN) and denying.isdisjoint(words[max(0, n - WORDS_BEHIND_NO) : n])
    }
    piece = named.pop() if len(named) == 1 else None
    if piece not in PROMOTION_PIECES:
        return None, False
    return SpokenMove(promotion=piece), typed and denying.isdisjoint(words)


def with_piece_first(words: str, lexicon: Lexicon) -> tuple[str, ...]:
    """Lines with the piece at the end of this one before its other words, with and without the word before it: "auf
    Felix drei den Springer" is "den Springer auf Felix drei". Empty if it ends in no piece."""
    said = words.split()
    if len(said) < 2 or said[-1].lower() not in _names_of_pieces(lexicon):
        return ()
    return tuple(" ".join((*said[-size:], *said[:-size])) for size in (1, 2) if size < len(said))


@lru_cache(maxsize=8)
def new_pieces(lexicon: Lexicon) -> Mapping[str, chess.PieceType]:
    """Every name of a piece that a pawn can become."""
    return {word: piece for word, piece in _names_of_pieces(lexicon).items() if piece in PROMOTION_PIECES}


@lru_cache(maxsize=8)
def _words_of_others(lexicon: Lexicon) -> frozenset[str]:
    """Words that make a recognised line something else than a wish for a piece: those of talk, and of answers."""
    answers = (lexicon.answers["no"][0], *lexicon.answers["yes"], *lexicon.commands["correct"])
    said = (word for pattern in answers for word in pattern.words())
    return frozenset({UNKNOWN_WORD, *lexicon.decoys, *said}) - lexicon.fillers


def wonders(tokens: Sequence[Token], lexicon: Lexicon) -> bool:
    """Whether somebody only thinks of what he types: "soll ich …", "vielleicht …"."""
    words = tuple(token.text for token in tokens)
    patterns, read_slot = lexicon.typed.frames.unmeant.wondering, slot_reader(words, lexicon)
    return any(True for one in patterns for start in range(len(words)) for _ in one.match(words, start, read_slot))


def _moves_left(tokens: Sequence[Token], lexicon: Lexicon) -> Iterator[SpokenMove]:
    """The moves that the words of moves are, or, without what links them, the pieces and the squares."""
    frames = lexicon.typed.frames
    if any(token.text in lexicon.wordings.negations - lexicon.answers["no"][0].words() for token in tokens):
        return
    files, ranks = file_numbers(lexicon), rank_numbers(lexicon)
    pairs = {n for n in range(len(tokens) - 1) if tokens[n].text in files and tokens[n + 1].text in ranks}
    squares = pairs | {n + 1 for n in pairs}
    named = _names_of_pieces(lexicon)
    pieces = squares | {n for n, token in enumerate(tokens) if token.text in named}
    linked = pieces | {n for n, token in enumerate(tokens) if token.text in words_of_moves(lexicon)}
    strange = sum(n not in linked and token.text.isalnum() for n, token in enumerate(tokens))
    asks = any(token.text in frames.asking or token.raw == "?" for token in tokens)
    if not squares or strange > MAX_STRANGE_IN_STATEMENT:
        return
    for kept in (linked, pieces):
        found = announced_moves([tokens[n] for n in sorted(kept)], lexicon, typed=True, wide=True)
        whole = [move for move in found if move.complete]
        full = all(move.piece or move.from_file is not None for move in whole)
        if whole and (strange <= MAX_STRANGE_WORDS or (full and not asks)):
            yield from whole
            return


@lru_cache(maxsize=8)
def _words_of_no(lexicon: Lexicon) -> frozenset[str]:
    patterns = (*lexicon.answers["no"], *lexicon.typed.frames.correcting)
    return frozenset(word for pattern in patterns for word in pattern.words())


@lru_cache(maxsize=8)
def _names_of_pieces(lexicon: Lexicon) -> Mapping[str, chess.PieceType]:
    return {**lexicon.wordings.pieces, **piece_types(lexicon)}


@lru_cache(maxsize=8)
def words_of_moves(lexicon: Lexicon) -> frozenset[str]:
    """Names of pieces, and the words between the parts of a typed move."""
    links = (lexicon.move, lexicon.wordings.move, {key.value: one for key, one in lexicon.castling.items()})
    tables = (one for table in links for patterns in table.values() for one in patterns)
    words = frozenset(word for one in tables for word in one.words())
    return words.union(_names_of_pieces(lexicon))
