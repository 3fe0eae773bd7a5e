"""Correspondence by text messages: a move as a line to copy, and the opponent's line read and checked.

A line carries the whole score, for comparison, and a checksum, which detects a move altered on the way::

    [K7QM] 1. e4 e5 2. Sf3 Sc6 3. Lb5 (=) 2026-11-20/2026-11-23 wenn a6 dann La4; wenn Sf6 dann 0-0 *7HK2QD

    [K7QM]                      the game's mark, the same on both sides
    1. e4 e5 … 3. Lb5           the score; the last move is the new one, in SAN, German letters or ICCF numbers
    (=)                         a draw offer; or a result: 1-0, 0-1, 1/2-1/2
    2026-11-20/2026-11-23       dates on which the opponent's last move was received and this line sent (ICCF Playing
                                Rules Email 2 e to h: a continuous record of all moves, both dates)
    wenn a6 dann La4            a conditional move; several are separated by semicolons
    *7HK2QD                     the checksum of everything before it, independent of the notation

ICCF numbers: each square is its file and rank from 1 to 8, "5254" is e2-e4, castling is the king's move, a fifth digit
promotes: 1 queen, 2 rook, 3 bishop, 4 knight. In Chess960, where that may be ambiguous, castling is the king's square
and the rook's, as in UCI.

Lines written by hand need less: a single move, or the last few with their numbers. The rest of a mail (quotation marks,
greetings, signatures) is ignored.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import Enum
from itertools import islice

import chess

from voicechess.messages import Failure, SaidMove, Side, Slot, Text
from voicechess.moves.saying import said_move
from voicechess.score.score import PieceLetters, parse_san, san

MAX_MAIL = 100_000
"""Longest mail that is read, in characters. A line with the longest game ever played has less than ten thousand."""

_MAX_TOKENS = 20_000  # read of a mail
_MAX_CONDITIONS = 20  # read of a line
_MAX_BEGINNINGS = 100  # lines of a mail that begin with a number and a dot and are tried as a line of moves

_MAX_SHOWN = 20
"""Characters of foreign text that are quoted in a sentence."""

_MAX_REST = 200
"""Characters kept of the text after a line: a sentence or two."""

_ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
_KEY_LENGTH, _CHECK_LENGTH = 4, 6
_PROMOTIONS = (chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT)

SENDER = "sender"

RESULTS = ("1-0", "0-1", "1/2-1/2")


class LineNotation(Enum):
    """The notation of a line's moves."""

    SAN = "san"
    GERMAN = "german"
    NUMERIC = "numeric"


@dataclass(frozen=True, slots=True)
class LetterWords:
    """Words in a line, in lower case: the first of each is written, all are read."""

    condition: tuple[str, ...]  # "if"
    reply: tuple[str, ...]  # "then"
    leave: tuple[str, ...]
    draw: Mapping[str, str] = field(default_factory=dict)
    """Handwritten draw offers after a move -> who offers: "white", "black" or `SENDER`."""
    resigns: Mapping[str, str] = field(default_factory=dict)  # handwritten resignations -> who resigns
    pieces: str = ""
    """Letters of king, queen, rook, bishop, knight and pawn in handwritten moves; "": German and English ones."""


@dataclass(frozen=True, slots=True)
class Letter:
    """A parsed line, not yet compared with a game. "" and None: absent."""

    moves: tuple[str, ...] = ()
    number: int | None = None  # move number of the first of `moves`
    black: bool = False  # whether the first of `moves` is Black's
    key: str = ""  # the game's mark
    check: str = ""  # the checksum
    offers_draw: bool = False
    result: str = ""
    received: str = ""  # ISO date on which the opponent's move was received
    sent: str = ""  # ISO date
    conditions: tuple[tuple[str, str], ...] = ()  # conditional moves: one of the reader's, and the reply
    leave: tuple[str, str] | None = None  # first and last day, ISO dates
    draw_by_hand: str = ""  # who offers a draw in words after the line (a value of `LetterWords.draw`)
    resigns: str = ""  # who resigns there (a value of `LetterWords.resigns`)
    rest: str = ""  # text after the line that was not understood
    pieces: str = ""  # `LetterWords.pieces` for its moves; "" in a line written by a program


@dataclass(frozen=True, slots=True)
class Contents:
    """A line's moves, parsed and compared with the score."""

    moves: tuple[chess.Move, ...]  # all moves of the game
    fresh: int  # number of moves at the end that are not yet in our score
    conditions: tuple[tuple[chess.Move, chess.Move], ...] = ()


# --- one move ---------------------------------------------------------------------------------------------------------


def written(board: chess.Board, move: chess.Move, notation: LineNotation) -> str:
    """A legal move in a notation."""
    match notation:
        case LineNotation.SAN:
            return san(board, move)
        case LineNotation.GERMAN:
            return san(board, move, PieceLetters.GERMAN)
    squares = "".join(f"{chess.square_file(one) + 1}{chess.square_rank(one) + 1}" for one in _squares(board, move))
    return squares + (str(_PROMOTIONS.index(move.promotion) + 1) if move.promotion is not None else "")


def _squares(board: chess.Board, move: chess.Move) -> tuple[chess.Square, chess.Square]:
    if board.is_castling(move) and not board.chess960:
        file = 6 if board.is_kingside_castling(move) else 2
        return move.from_square, chess.square(file, chess.square_rank(move.from_square))
    return move.from_square, move.to_square


_CASTLING = re.compile(r"[0Oo]-[0Oo](?:-[0Oo])?[+#]?")
_NUMERIC = re.compile(r"([1-8])([1-8])-?([1-8])([1-8])([1-4]?)")


def parse_written(board: chess.Board, text: str, pieces: str = "") -> chess.Move:
    """Parse a legal move in any of the notations; `pieces`: see `Letter`. Raises ValueError for everything else."""
    found = _NUMERIC.fullmatch(text)
    text = text.rstrip("!?")  # annotations
    if found is None:
        return parse_san(board, _in_english(text, pieces) if pieces else text)
    files_and_ranks = [int(digit) - 1 for digit in found.groups()[:4]]
    promotion = _PROMOTIONS[int(found[5]) - 1] if found[5] else None
    move = chess.Move(chess.square(*files_and_ranks[:2]), chess.square(*files_and_ranks[2:]), promotion)
    if not move or not board.is_legal(move):
        raise chess.IllegalMoveError(text)
    return move


_ENGLISH_PIECES = "KQRBNP"
_OFFERED = re.compile(r"(?P<move>\S+?)(?:\(=\)|(?<=[2-7])=)")
"""A move directly followed by a draw offer, where "=" cannot be that of a promotion."""
_EN_PASSANT = ("e.p", "ep")  # as a separate word, without its final dot
_LETTERED = re.compile(r"([A-Z]?)(.*?)(=?)\(?([A-Z]?)\)?([+#]*)", re.DOTALL)


def _in_english(text: str, pieces: str) -> str:
    """The move with English piece letters. Raises ValueError for a letter that is not in `pieces`."""
    found = _LETTERED.fullmatch(text)
    if found is None or _CASTLING.fullmatch(text):
        return text
    first, middle, equals, last, check = found.groups()
    try:
        piece, promoted = (_ENGLISH_PIECES[pieces.index(one)] if one else "" for one in (first, last))
    except ValueError as error:
        raise chess.InvalidMoveError(text) from error
    return piece.replace("P", "") + middle + ("=" if promoted else equals) + promoted + check


# --- writing a line ---------------------------------------------------------------------------------------------------


def mark(number: int) -> str:
    """A game's mark: four characters encoding a random number."""
    return _signs(number, _KEY_LENGTH)


def _signs(number: int, length: int) -> str:
    signs = ""
    for _ in range(length):
        number, rest = divmod(number, len(_ALPHABET))
        signs += _ALPHABET[rest]
    return signs


def letter_of(
    start: chess.Board,
    moves: Sequence[chess.Move],
    notation: LineNotation,
    letter: Letter,
    conditions: Sequence[tuple[chess.Move, chess.Move]] = (),
) -> Letter:
    """`letter` with these moves and conditions in `notation`, and its checksum."""
    board, tokens = start.copy(), []
    for move in moves:
        tokens.append(written(board, move, notation))
        board.push(move)
    told = []
    for one, answer in conditions:
        first = written(board, one, notation)
        board.push(one)
        told.append((first, written(board, answer, notation)))
        board.pop()
    number, black = start.fullmove_number, start.turn == chess.BLACK
    whole = replace(letter, moves=tuple(tokens), number=number, black=black, conditions=tuple(told))
    return replace(whole, check=checked(start, Contents(tuple(moves), 0, tuple(conditions)), whole))


def checked(start: chess.Board, contents: Contents, letter: Letter) -> str:
    """The checksum of a line; the same in all notations."""
    parts = [
        start.fen(),
        letter.key,
        " ".join(move.uci() for move in contents.moves),
        " ".join(f"{one.uci()}{answer.uci()}" for one, answer in contents.conditions),
        "=" if letter.offers_draw else "",
        letter.result,
        letter.received,
        letter.sent,
        " ".join(letter.leave or ()),
    ]
    digest = hashlib.sha256("\n".join(parts).encode()).digest()
    return _signs(int.from_bytes(digest[:8], "big"), _CHECK_LENGTH)


def line_of(letter: Letter, words: LetterWords) -> str:
    """The line as text."""
    parts = [f"[{letter.key}]"] if letter.key else []
    number, black = letter.number or 1, letter.black
    for index, token in enumerate(letter.moves):
        if not black:
            parts.append(f"{number}.")
        elif not index:
            parts.append(f"{number}...")
        parts.append(token)
        number, black = number + black, not black
    if letter.offers_draw:
        parts.append("(=)")
    if letter.result:
        parts.append(letter.result)
    if letter.sent:
        parts.append(f"{letter.received}/{letter.sent}" if letter.received else letter.sent)
    if letter.leave is not None:
        parts.append(f"{words.leave[0]} {letter.leave[0]}/{letter.leave[1]}")
    conditions = (f"{words.condition[0]} {one} {words.reply[0]} {answer}" for one, answer in letter.conditions)
    if letter.conditions:
        parts.append("; ".join(conditions))
    if letter.check:
        parts.append(f"*{letter.check}")
    return " ".join(parts)


# --- reading a line ---------------------------------------------------------------------------------------------------

_QUOTED = re.compile(r"^[\s>|]*[>|]\s?")
_SIGNATURE = re.compile(r"^--\s*$")
_KEY = re.compile(rf"\[([{_ALPHABET}]{{{_KEY_LENGTH}}})\]", re.IGNORECASE)
_CHECK = re.compile(rf"\*([{_ALPHABET}]{{{_CHECK_LENGTH}}})", re.IGNORECASE)
_NUMBER = re.compile(r"(\d{1,4})(\.+|…)")
_FIGURINES = "".join(chess.UNICODE_PIECE_SYMBOLS.values())
_SQUARES = r"[a-h]?[1-8]?[x:\-]?[a-h][1-8]\S{0,6}"
_MOVE = re.compile(rf"[KQRBNDTLS{_FIGURINES}]?\ufe0e?{_SQUARES}|{_CASTLING.pattern}|[1-8]{{2}}-?[1-8]{{2}}[1-4]?")
_DATE = r"\d{4}-\d{2}-\d{2}"
_DATES = re.compile(rf"(?:({_DATE})/)?({_DATE})")
_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—−", "-") | {"½": "1/2", "\u00a0": " "})


def read_letter(text: str, words: LetterWords) -> Letter | None:
    """The line in a message; None if there is none.

    A mail may quote earlier lines: unquoted text takes precedence, and of several lines the longest score. Raises
    `Failure` for a mail that is too long and a line that is truncated or malformed.
    """
    if len(text) > MAX_MAIL:
        raise Failure("letter.error.too_long")
    own: list[str] = []
    quoted: list[str] = []
    begun = False
    for line in _cleaned(text).split("\n"):
        if _SIGNATURE.match(line) and begun:
            break
        unquoted = _QUOTED.sub("", line)
        begun = begun or _begins(unquoted)
        (own if unquoted == line else quoted).append(unquoted)
    for lines in (own, quoted):
        found = list(_letters("\n".join(lines), words))
        if found:
            return max(found, key=lambda one: (bool(one.key), _last(one)))
    return None


def _cleaned(text: str) -> str:
    """The text with plain dashes, blanks and line ends, and without control and format characters."""
    plain = unicodedata.normalize("NFC", text).replace("\r\n", "\n").replace("\r", "\n").translate(_DASHES)
    return "".join(c if c == "\n" or c.isprintable() else " " if c == "\t" else "" for c in plain)


def _last(letter: Letter) -> int:
    return 2 * (letter.number or 0) + letter.black + len(letter.moves)


def _begins(text: str) -> bool:
    return _KEY.search(text) is not None or re.match(r"\s*\d{1,4}(\.|…)", text) is not None


def looks_like_letter(text: str) -> bool:
    """Whether a typed text looks like a pasted line or the beginning of one."""
    unquoted = _QUOTED.sub("", text)
    if _KEY.search(text) is not None or _NUMERIC.fullmatch(unquoted.strip()) is not None:
        return True
    return _numbered(unquoted) is not None or (unquoted != text and _begins(unquoted))


def is_cut(text: str) -> bool:
    """Whether `text` has a line without its checksum yet: a mail program may have wrapped it."""
    found = _KEY.search(text)
    return found is not None and _CHECK.search(text, found.end()) is None


def _numbered(text: str) -> re.Match[str] | None:
    """Match of at least two numbered moves: a single "3. Lb5" is an announcement like any other."""
    return re.match(r"\s*\d{1,4}\s*(?:\.+|…)\s*[^\s\d]\S*\s+(?:\d{1,4}\s*(?:\.+|…)|[^\s\d]\S*\s*)", text)


def _letters(text: str, words: LetterWords) -> Iterator[Letter]:
    keys = list(_KEY.finditer(text))
    ends = [*(found.start() for found in keys[1:]), len(text)]
    for found, end in zip(keys, ends, strict=False):
        rest = text[found.end() : end]
        letter = _taken(rest, words, closed=True)
        if letter is not None:
            yield replace(letter, key=found[1].upper())
    if keys:
        return
    for number in islice(re.finditer(r"^[ \t]*(?=\d{1,4}[ \t]*(?:\.|…)\s*\S)", text, re.MULTILINE), _MAX_BEGINNINGS):
        letter = _taken(text[number.end() :], words, closed=False)
        if letter is not None and letter.moves:
            yield letter
            return
    if _is_move(text.strip(), words.pieces):
        yield Letter(moves=(text.strip(),), pieces=words.pieces)


def _is_move(token: str, pieces: str) -> bool:
    """Whether a token has the form of a move, in the usual letters or those of `pieces`."""
    own = pieces and token[:1] in pieces and re.fullmatch(_SQUARES, token[1:])
    return bool(own) or _MOVE.fullmatch(token) is not None


def _tokens(text: str) -> Iterator[tuple[str, re.Match[str]]]:
    """The tokens of a line, each with the match of its word: "1.e4" is two; trailing punctuation is stripped, but ";"
    is a token."""
    for count, found in enumerate(re.finditer(r"\S+", text)):
        if count > _MAX_TOKENS:
            return
        token = found.group()
        number = _NUMBER.match(token)
        if number is not None and number.end() < len(token):
            yield number.group(), found
            token = token[number.end() :]
        bare = token if _NUMBER.fullmatch(token) else token.rstrip(".,;")
        if bare:
            yield bare, found
        if token.endswith(";"):
            yield ";", found


def _taken(text: str, words: LetterWords, closed: bool) -> Letter | None:
    """Parse the text from the beginning of a line; None if there is none. `closed`: a program's line, which must end
    with its checksum. Raises `Failure` for a malformed one."""
    letter, moves, conditions = Letter(), list[str](), list[tuple[str, str]]()
    waiting = list[str]()  # "wenn", the move, "dann"
    leaves, end, behind = False, 0, len(text)
    for token, found in _tokens(text):
        before, end = end, found.end()
        low = token.casefold()
        if (check := _CHECK.fullmatch(token)) is not None:
            letter, behind = replace(letter, check=check[1].upper()), end
            break
        if waiting:
            waiting.append(low if len(waiting) == 2 else token)
            if len(waiting) == 3 and low not in words.reply:
                raise Failure("letter.error.condition", {"text": Text(token[:_MAX_SHOWN])})
            if len(waiting) == 4:
                conditions.append((waiting[1], waiting[3]))
                waiting.clear()
        elif low in words.condition and moves and len(conditions) < _MAX_CONDITIONS:
            waiting.append(low)
        elif low in words.leave:
            leaves = True
        elif (dates := _DATES.fullmatch(token)) is not None:
            first, last = (_dated(one) if one else "" for one in dates.groups())
            letter = (
                replace(letter, leave=(first or last, last)) if leaves else replace(letter, received=first, sent=last)
            )
            leaves = False
        elif (number := _NUMBER.fullmatch(token)) is not None:
            if letter.number is None and not moves:
                letter = replace(letter, number=int(number[1]), black=len(number[2]) > 1 or number[2] == "…")
            elif not _follows(letter, len(moves), int(number[1])):
                raise Failure("letter.error.number", {"number": int(number[1])})
        elif token == "(=)":
            letter = replace(letter, offers_draw=True)
        elif token in RESULTS:
            letter = replace(letter, result=token)
        elif _is_move(token, "" if closed else words.pieces) and not letter.sent and not conditions:
            offered = None if closed else _OFFERED.fullmatch(token)
            letter = replace(letter, offers_draw=letter.offers_draw or offered is not None)
            moves.append(token if offered is None else offered["move"])
        elif token != ";" and not (moves and low in _EN_PASSANT):
            if (
                closed
                and (moves or letter.number is not None)
                and re.fullmatch(r"[^\W\d_]?\S{1,6}", token)
                and any(c.isdigit() for c in token)
            ):
                raise Failure("letter.error.unreadable", {"text": Text(token[:_MAX_SHOWN])})
            behind = before
            break
    if waiting:
        raise Failure("letter.error.cut")
    pieces = "" if closed else words.pieces
    letter = replace(letter, moves=tuple(moves), conditions=tuple(conditions), pieces=pieces)
    if not (moves or letter.leave or letter.result):
        return None
    if closed and not letter.check:
        raise Failure("letter.error.cut")
    return _with_words(letter, text[behind:], words)


def _with_words(letter: Letter, text: str, words: LetterWords) -> Letter:
    """The line with the handwritten text after it: draw offers and resignations in known words, anywhere in the text.
    The rest of the same line, and any other sentence about a draw or a resignation, becomes `Letter.rest`."""
    about = {word for phrases in (words.draw, words.resigns) for phrase in phrases for word in phrase.split()[-1:]}
    rest = list[str]()
    for number, line in enumerate(text.split("\n")):
        whole = _in_words(line)
        parts = [line] if whole in words.draw or whole in words.resigns else re.split(r"(?<=[.!?;])\s+", line)
        for part in parts:
            said = _in_words(part)
            if said in words.draw:
                letter = replace(letter, draw_by_hand=words.draw[said])
            elif said in words.resigns:
                letter = replace(letter, resigns=words.resigns[said])
            elif (number == 0 and part.strip(_CLOSING)) or not about.isdisjoint(said.split()):
                rest.append(part.strip())
    return replace(letter, rest=" ".join(rest)[:_MAX_REST])


_CLOSING = " \t.,;:!)"
"""Punctuation without a meaning of its own."""


def _in_words(text: str) -> str:
    """The text in lower case without surrounding punctuation and surplus blanks."""
    return " ".join(text.casefold().strip(" \t.,;:!?()[]\"'").split())


def _follows(letter: Letter, count: int, number: int) -> bool:
    """Whether a move number is correct after `count` moves of the line."""
    ply = 2 * (letter.number or 1) + letter.black + count
    return ply // 2 == number


def _dated(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError as error:
        raise Failure("letter.error.date", {"text": Text(text)}) from error


# --- comparing it -----------------------------------------------------------------------------------------------------


def compare(letter: Letter, start: chess.Board, played: Sequence[chess.Move], key: str = "") -> Contents:
    """Compare a line with our score and parse its new moves. Raises `Failure` with the reason if they disagree.

    Compared are the mark, every move in both scores, and the checksum; the first difference is reported with both
    moves.
    """
    if letter.key and key and letter.key != key:
        raise Failure("letter.error.other_game", {"there": Text(letter.key), "here": Text(key)})
    board, moves = start.copy(), list[chess.Move]()
    first = _first_ply(letter, start) if letter.number is not None else len(played)
    if first < 0:
        raise Failure("letter.error.number", {"number": letter.number or 0})
    if first > len(played):
        for move in played:
            board.push(move)
        raise Failure("letter.error.skipped", _place(board))
    for move in played[:first]:
        board.push(move)
    for ply, token in enumerate(letter.moves, first):
        here = played[ply] if ply < len(played) else None
        try:
            move = parse_written(board, token, letter.pieces)
        except ValueError as error:
            if here is not None:
                raise _differs(board, here, Text(token[:_MAX_SHOWN])) from error
            raise Failure("letter.error.impossible", {**_place(board), "text": Text(token[:_MAX_SHOWN])}) from error
        if here is not None and move != here:
            raise _differs(board, here, said_move(board, move))
        moves.append(move)
        board.push(move)
    known = min(len(played), first + len(letter.moves))
    whole = (*played[:first], *moves)
    conditions = tuple(_condition(board, one, answer, letter.pieces) for one, answer in letter.conditions)
    contents = Contents(whole, len(whole) - known, conditions)
    if letter.check and letter.check != checked(start, contents, letter):
        raise Failure("letter.error.check")
    return contents


def _first_ply(letter: Letter, start: chess.Board) -> int:
    ply = 2 * ((letter.number or 0) - start.fullmove_number) + letter.black
    return ply - (start.turn == chess.BLACK)


def _condition(board: chess.Board, one: str, answer: str, pieces: str) -> tuple[chess.Move, chess.Move]:
    try:
        first = parse_written(board, one, pieces)
        after = board.copy()
        after.push(first)
        return first, parse_written(after, answer, pieces)
    except ValueError as error:
        raise Failure("letter.error.condition", {"text": Text(f"{one} {answer}"[:_MAX_SHOWN])}) from error


def _place(board: chess.Board) -> dict[str, Slot]:
    return {"number": board.fullmove_number, "side": Side(board.turn)}


def _differs(board: chess.Board, here: chess.Move, there: Text | SaidMove) -> Failure:
    return Failure("letter.error.differs", {**_place(board), "here": said_move(board, here), "there": there})
