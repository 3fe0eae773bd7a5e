"""Positions, and the ways to announce a move in them: legal, nearly legal, and far from it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

import chess

from models.bench.vocabulary import Vocabulary
from voicechess.language.lexicon import Lexicon
from voicechess.language.understanding import understand
from voicechess.meaning import Expectation, SpokenMove
from voicechess.moves.fitting import fits

# --- Middlegame positions from playouts of a seeded player, sensible rather than strong ---


_VALUES = {chess.PAWN: 1.0, chess.KNIGHT: 3.0, chess.BISHOP: 3.1, chess.ROOK: 5.0, chess.QUEEN: 9.0, chess.KING: 0.0}
_FIRST_PLY, _LAST_PLY, _EVERY = 16, 72, 7  # plies of a playout between which every seventh position is taken
_LEAST_MOVES = 12  # fewest legal moves of a position that is taken


@cache
def middlegames(count: int, seed: str) -> tuple[tuple[chess.Board, chess.Move], ...]:
    """`count` positions that occurred in the playouts, with the move that was played; the same for the same seed.

    The boards are shared: copy one before making moves on it.
    """
    draw = random.Random(seed)
    found: list[tuple[chess.Board, chess.Move]] = []
    while len(found) < count:
        board = chess.Board()
        for ply in range(_LAST_PLY):
            if board.is_game_over(claim_draw=True):
                break
            move = _sensible(board, draw)
            wanted = ply >= _FIRST_PLY and (ply - _FIRST_PLY) % _EVERY == 0
            if wanted and board.legal_moves.count() >= _LEAST_MOVES and len(found) < count:
                found.append((board.copy(stack=False), move))
            board.push(move)
    return tuple(found)


def _sensible(board: chess.Board, draw: random.Random) -> chess.Move:
    """A move that wins material, hangs little and tends to the centre, with random variation."""
    return max(board.legal_moves, key=lambda move: (_worth(board, move) + draw.gauss(0, 0.7), move.uci()))


def _worth(board: chess.Board, move: chess.Move) -> float:
    piece = board.piece_type_at(move.from_square) or chess.PAWN
    taken = board.piece_type_at(move.to_square)
    worth = _VALUES[taken] if taken else 0.0
    if move.promotion:
        worth += _VALUES[move.promotion] - 1
    enemy = not board.turn
    if board.is_attacked_by(enemy, move.to_square) and piece != chess.KING:
        guarded = len(board.attackers(board.turn, move.to_square)) > 1
        cheapest = min(_VALUES[board.piece_type_at(s) or chess.PAWN] for s in board.attackers(enemy, move.to_square))
        worth -= max(0.0, _VALUES[piece] - cheapest) if guarded else _VALUES[piece]
    if board.is_attacked_by(enemy, move.from_square):
        worth += 0.5 * _VALUES[piece]
    centre = 3.5 - max(abs(chess.square_file(move.to_square) - 3.5), abs(chess.square_rank(move.to_square) - 3.5))
    worth += 0.15 * centre + (1.0 if board.is_castling(move) else 0.0) + (0.3 if board.gives_check(move) else 0.0)
    return worth - (0.4 if piece == chess.KING and not board.is_castling(move) else 0.0)


# --- Announcements: every way to say a move, and what is nearly one ---


Words = tuple[str, ...]


def styles(board: chess.Board, move: chess.Move, vocabulary: Vocabulary) -> dict[str, Words]:
    """The announcements of `move` by style. Each, taken literally, means this move and no other."""
    named = dict(_styles(board, move, vocabulary))
    return {style: words for style, words in named.items() if meant(board, words, vocabulary.lexicon) == (move,)}


def fullest(board: chess.Board, move: chess.Move, vocabulary: Vocabulary) -> Words:
    """The longest announcement, which people make when they were not understood."""
    return max(styles(board, move, vocabulary).values(), key=len)


def meant(board: chess.Board, words: Words, lexicon: Lexicon) -> tuple[chess.Move, ...]:
    """The legal moves that `words` announce, taken literally."""
    spoken = _spoken(words, lexicon)
    return fits(board, spoken) if spoken is not None and spoken.complete else ()


def _spoken(words: Words, lexicon: Lexicon) -> SpokenMove | None:
    meaning = understand(" ".join(words), lexicon, Expectation())
    return meaning if isinstance(meaning, SpokenMove) else None


def _square(square: chess.Square, lexicon: Lexicon) -> Words:
    return lexicon.files[chess.square_file(square)][0], lexicon.ranks[chess.square_rank(square)][0]


def _styles(board: chess.Board, move: chess.Move, vocabulary: Vocabulary) -> Iterator[tuple[str, Words]]:
    lexicon = vocabulary.lexicon
    if board.is_castling(move):
        sides = vocabulary.announced("castling")
        short, other = sides[:2] if chess.square_file(move.to_square) == 6 else sides[2:]
        yield "castling", tuple(short.split())
        yield "castling, other word", tuple(other.split())
        return
    kind = board.piece_type_at(move.from_square) or chess.PAWN
    piece = () if kind == chess.PAWN else (lexicon.pieces[kind][0],)
    origin, target = _square(move.from_square, lexicon), _square(move.to_square, lexicon)
    takes = board.is_capture(move)
    capture, to = vocabulary.announced("captures"), vocabulary.announced("to")
    tail = (lexicon.pieces[move.promotion][0],) if move.promotion else ()
    hint = _origin_hint(board, move, origin)
    start = (*piece, *hint) if kind != chess.PAWN else (origin[0],) if takes else ()
    yield "short", start + target + tail
    yield "long", piece + origin + target + tail
    yield "squares", origin + target + tail
    if takes:
        yield "captures", (*start, capture[0], *target, *tail)
        yield "captures, other word", (*piece, *origin, capture[1], *target, *tail)
    else:
        yield "to", (*start, *to[0].split(), *target, *tail) if start else (*origin, *to[0].split(), *target, *tail)
        yield "to, other word", (*piece, *origin, *to[1].split(), *target, *tail)
    after = board.copy(stack=False)
    after.push(move)
    if after.is_check():
        word = vocabulary.announced("mate" if after.is_checkmate() else "check")[0]
        yield "check", (*start, *target, *tail, word)


def _origin_hint(board: chess.Board, move: chess.Move, origin: Words) -> Words:
    """The file, rank or square of origin if the piece alone is ambiguous, as in SAN; () if not."""
    san = board.san(move).replace("x", "").rstrip("+#")
    extra = san[1:-2]
    if not extra:
        return ()
    return origin if len(extra) == 2 else (origin[0],) if extra.isalpha() else (origin[1],)


def near_miss(board: chess.Board, words: Words, lexicon: Lexicon, draw: random.Random) -> Words | None:
    """`words` with one word replaced by another of its kind, announcing no legal move; None if there is none."""
    kinds = [[words[0] for words in ideas] for ideas in (lexicon.files, lexicon.ranks, lexicon.pieces.values())]
    ways = [
        (*words[:place], other, *words[place + 1 :])
        for place, word in enumerate(words)
        for kind in kinds
        if word in kind
        for other in kind
        if other != word
    ]
    draw.shuffle(ways)
    return next((way for way in ways if _announces_nothing(board, way, lexicon)), None)


def far_miss(board: chess.Board, lexicon: Lexicon, draw: random.Random) -> Words:
    """A piece and a square that no piece can move to, and whose file and rank no piece of that kind reaches."""
    moves = list(board.legal_moves)
    targets = {move.to_square for move in moves}
    for _ in range(1000):
        kind = draw.choice([chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN, chess.KING])
        target = draw.randrange(64)
        file, rank = chess.square_file(target), chess.square_rank(target)
        own = {move.to_square for move in moves if board.piece_type_at(move.from_square) == kind}
        beside = any(chess.square_file(one) == file or chess.square_rank(one) == rank for one in own)
        words = (lexicon.pieces[kind][0], *_square(target, lexicon))
        if not beside and target not in targets and _announces_nothing(board, words, lexicon):
            return words
    return near_miss(board, (lexicon.pieces[chess.KING][0], *_square(draw.randrange(64), lexicon)), lexicon, draw) or ()


def _announces_nothing(board: chess.Board, words: Words, lexicon: Lexicon) -> bool:
    spoken = _spoken(words, lexicon)
    return spoken is not None and spoken.complete and not fits(board, spoken)
