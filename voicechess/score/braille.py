"""Scores and positions in six-dot Braille: as Unicode Braille patterns, and as BRF for embossers and Braille displays.

German-language Braille has a chess code of its own ("Schachschrift", listed among its grades by the Swiss library for
the blind, SBS), but its table was not available to the authors. This is not that table but German algebraic notation in
uncontracted Braille:

- letters, capital sign (dots 4-6), number sign, hyphen, plus, equals and full stop as in "Das System der deutschen
  Blindenschrift" (Brailleschriftkommission der deutschsprachigen Länder, Wien 1998);
- pieces by their German initials K D T L S, as in the German chess tables of liblouis and BRLTTY (de-chess), with the
  capital sign: without it "dxe5" could be a queen's or a pawn's move;
- the rank as a lowered digit without number sign directly behind the letter of the file, as in the Braille chess code
  of the Braille Authority of the United Kingdom (2015, 1.3 and its examples): e4 is ⠑⠲;
- the move number as an ordinal: number sign and lowered digits, which in German Braille stand for "12.";
- x for a capture, + for check, ++ for mate, 0-0 with lowered zeros, = behind a move for a draw offer (FIDE Laws, C.13);
- the remaining time after a move as a number, distinguished from a move by its number sign: 4:58 is ⠼⠙⠠⠒⠼⠑⠓. The colon
  in times (dots 6, 2-5) and the signs in text are those of the Swiss library's tables in liblouis (de-g0).

BRF is North American Braille ASCII, 40 cells a line, 25 lines a page, the common format of embossers.
"""

from __future__ import annotations

import itertools
import unicodedata
from collections.abc import Callable

import chess

from voicechess.score.score import EN_PASSANT, Entry, Note, PieceLetters, Score, by_numbers, piece_list, san, sheet_time

CELLS = 40
LINES = 25
_BLANK = 0x2800

# Dots 1 to 6 of the letters a to j; k to t add dot 3, u to z (without w) dots 3 and 6.
_FIRST = ("1", "12", "14", "145", "15", "124", "1245", "125", "24", "245")


def _cell(dots: str) -> str:
    return chr(_BLANK + sum(1 << (int(dot) - 1) for dot in dots))


def _letters() -> dict[str, str]:
    cells = {letter: _cell(dots) for letter, dots in zip("abcdefghij", _FIRST, strict=True)}
    cells |= {letter: _cell(dots + "3") for letter, dots in zip("klmnopqrst", _FIRST, strict=True)}
    cells |= {letter: _cell(dots + "36") for letter, dots in zip("uvxyz", _FIRST[:5], strict=True)}
    # Umlauts and sharp s by code point: a test looks for German words in code by their umlauts.
    german = {chr(0xE4): "345", chr(0xF6): "246", chr(0xFC): "1256", chr(0xDF): "2346"}
    return cells | {"w": _cell("2456")} | {letter: _cell(dots) for letter, dots in german.items()}


_LETTERS = _letters()
_DOWN = str.maketrans("1245", "2356")
_LOWERED = {str((index + 1) % 10): _cell(dots.translate(_DOWN)) for index, dots in enumerate(_FIRST)}
CAPITAL = _cell("46")
NUMBER = _cell("3456")
_SIGNS = {"+": _cell("235"), "-": _cell("36"), "=": _cell("2356"), " ": chr(_BLANK)}
_PUNCTUATION = {
    **{" ": chr(_BLANK), ".": _cell("3"), ",": _cell("2"), ";": _cell("23"), ":": _cell("25"), "?": _cell("26")},
    **{"!": _cell("235"), "'": _cell("6"), "-": _cell("36"), "(": _cell("2356"), ")": _cell("2356")},
    **{"/": _cell("5") + _cell("2"), "+": _cell("4") + _cell("235"), "½": NUMBER + _cell("1") + _cell("23")},
}
_COLON_IN_TIMES = _cell("6") + _cell("25")
_NO_NUMBER = _cell("6")  # before a letter a to j that follows a number and would be read as a digit

# North American Braille ASCII, indexed by cell with dots 1 to 6 as bits 0 to 5.
_ASCII = " A1B'K2L@CIF/MSP\"E3H9O6R^DJG>NTQ,*5<-U8V.%[$+X!&;:4\\0Z7(_?W]#Y)="


def move_in_braille(board: chess.Board, move: chess.Move) -> str:
    """A legal move in Unicode Braille."""
    text = san(board, move, PieceLetters.GERMAN).replace("#", "++")
    return "".join(_sign(character) for character in text)


def _sign(character: str) -> str:
    if character in _LETTERS:
        return _LETTERS[character]
    if character in _LOWERED:
        return _LOWERED[character]
    if character.lower() in _LETTERS:
        return CAPITAL + _LETTERS[character.lower()]
    return _SIGNS[character]


def ordinal(number: int) -> str:
    """A move number, written as German Braille writes ordinals: number sign and lowered digits."""
    return NUMBER + "".join(_LOWERED[digit] for digit in str(number))


def text_in_braille(text: str) -> str:
    """Text in uncontracted Braille. Letters outside the German alphabet lose their accents; any other unknown character
    becomes a question mark."""
    cells, in_number = "", False
    for character, following in itertools.zip_longest(text, text[1:], fillvalue=""):
        if character in _LOWERED:
            cells += ("" if in_number else NUMBER) + _digit(character)
            in_number = True
        elif in_number and character == "." and following in _LOWERED:
            cells += _PUNCTUATION["."]
        elif in_number and character == ":" and following in _LOWERED:
            cells, in_number = cells + _COLON_IN_TIMES, False
        else:
            cells += (_NO_NUMBER if in_number and character in "abcdefghij" else "") + _in_words(character)
            in_number = False
    return cells


def _digit(digit: str) -> str:
    return _LETTERS["jabcdefghi"[int(digit)]]


def _in_words(character: str) -> str:
    if character in _LETTERS or character.lower() in _LETTERS:
        return _sign(character)
    if character in _PUNCTUATION:
        return _PUNCTUATION[character]
    plain = unicodedata.normalize("NFKD", character)[0]
    return _PUNCTUATION["?"] if plain == character else _in_words(plain)


def score_in_braille(score: Score, told: Callable[[Note], str] | None = None) -> tuple[str, ...]:
    """The game in Unicode Braille, one line per move number, with remaining times if known; a hyphen stands for White's
    move if Black begins. `told`: see `move_list`."""
    space = _SIGNS[" "]

    def written(board: chess.Board, made: Entry) -> str:
        parts = [text_in_braille(f"({told(note)})") for note in made.notes] if told is not None else []
        parts.append(move_in_braille(board, made.move))
        if board.is_en_passant(made.move):
            parts.append(text_in_braille(EN_PASSANT.strip()))
        if made.draw_offered:
            parts.append(_SIGNS["="])
        left_ms = made.left_ms(board.turn)
        if left_ms is not None:
            parts.append(text_in_braille(sheet_time(left_ms)))
        return space.join(parts)

    after = [text_in_braille(f"({told(note)})") for note in score.after] if told is not None else []
    return (*by_numbers(score, ordinal, space, _SIGNS["-"], written), *after)


def position_in_braille(board: chess.Board) -> tuple[str, str]:
    """White's pieces and Black's in Unicode Braille, as letter and square, pawns as squares: "Kg1 Dd1 … a2 b2"."""
    white, black = (_pieces(board, colour) for colour in chess.COLORS)
    return white, black


def _pieces(board: chess.Board, colour: chess.Color) -> str:
    names = [PieceLetters.GERMAN.letter(kind) + chess.square_name(square) for kind, square in piece_list(board, colour)]
    return _SIGNS[" "].join("".join(_sign(character) for character in name) for name in names)


def brf(lines: tuple[str, ...]) -> str:
    """Lines of Unicode Braille as BRF: wrapped at blanks to `CELLS` (continuations indented by two), form feeds between
    pages of `LINES`, CR LF line ends. Raises ValueError for characters that are no six-dot cells."""
    wrapped = [part for line in lines for part in _wrapped(line)]
    pages = [wrapped[first : first + LINES] for first in range(0, len(wrapped), LINES)]
    return "\f".join("".join(_ascii(line) + "\r\n" for line in page) for page in pages)


def _wrapped(line: str) -> list[str]:
    space = _SIGNS[" "]
    done: list[str] = []
    current = ""
    for word in line.split(space):
        if current and len(current) + 1 + len(word) > CELLS:
            done.append(current)
            current = space * 2 + word
        else:
            current = f"{current}{space}{word}" if current else word
    return [*done, current]


def _ascii(line: str) -> str:
    cells = [ord(character) - _BLANK for character in line]
    if any(not 0 <= cell < len(_ASCII) for cell in cells):
        raise ValueError("not six-dot Braille")
    return "".join(_ASCII[cell] for cell in cells).rstrip(" ")
