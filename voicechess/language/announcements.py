"""The grammar of announced moves, from words, letters and signs to `SpokenMove`.

Every way to interpret a line is a row of elements, written as a string of codes, so that the grammar is a handful of
regular expressions over:

    P piece, F file, R rank, T "to", X "takes", O "from", C check, M mate, E en passant, G "promotes to", K castling

Free wording (`wide`) also has W "with" and U "and move it", and other orders of the parts ("schlage mit
dem Läufer den Springer auf Felix sechs"), which are brought into the usual one.

A whole move names its target; a part of one ("Dame Anna", "von Gustav", "zwei") is kept as such for a question to
complete. Letters that can be taken in two ways give two moves: the position decides, or a question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice

import chess

from voicechess.language.alphabets import FIGURINES, PIECE_LETTERS
from voicechess.language.frames import Frames
from voicechess.language.lexicon import Lexicon
from voicechess.language.patterns import Pattern
from voicechess.language.tokens import ENDINGS, Token, file_numbers, piece_types, rank_numbers, without_endings
from voicechess.meaning import UNKNOWN_WORD, Castling, CheckWord, SpokenMove

# --- Elements ---

LINK_CODES: Mapping[str, str] = {
    "to": "T",
    "captures": "X",
    "from": "O",
    "check": "C",
    "mate": "M",
    "en_passant": "E",
    "promotes": "G",
    "with": "W",
    "up": "U",
    "takes_it": "V",
}
MAX_ROWS = 256
"""Rows tried for a typed line, at most: no sensible line has more. Larger: more computing."""


@dataclass(frozen=True, slots=True)
class Element:
    """One part of a move."""

    code: str  # one of the codes above
    value: int | Castling | None = None  # file, rank, piece or castling
    usual: bool = True  # False: a typed letter in the wrong case ("SF3", "lb5"), a last resort
    typed: str = ""  # the letter or sign typed for it; "": a word


def element_rows(
    tokens: Sequence[Token], lexicon: Lexicon, typed: bool, wide: bool = False, framed: bool = False
) -> Iterator[tuple[Element, ...]]:
    """Every row of move elements the tokens can stand for; none if any word is no such element. Fillers are skipped."""
    frames = lexicon.typed.frames if typed else lexicon.frames
    yield from islice(_rows(tokens, 0, lexicon, typed, wide, frames if wide and (typed or framed) else None), MAX_ROWS)


def _rows(
    tokens: Sequence[Token], start: int, lexicon: Lexicon, typed: bool, wide: bool, frames: Frames | None
) -> Iterator[tuple[Element, ...]]:
    if start >= len(tokens):
        yield ()
        return
    for end, parts in _here(tokens, start, lexicon, typed, wide, frames):
        for rest in _rows(tokens, end, lexicon, typed, wide, frames):
            yield parts + rest


def _here(
    tokens: Sequence[Token], start: int, lexicon: Lexicon, typed: bool, wide: bool, frames: Frames | None
) -> Iterator[tuple[int, tuple[Element, ...]]]:
    """Every (end index, elements) for a word or phrase at `start`, longest first."""
    text = tokens[start].text
    words = [token.text for token in tokens]
    phrases: list[tuple[int, Element]] = []
    for element, pattern in _phrases_by_first_word(lexicon, wide, frames).get(text, ()):
        for end, _ in pattern.match(words, start, _no_slots):
            phrases.append((end, element))
    for end, element in sorted(phrases, key=lambda phrase: -phrase[0]):
        yield end, (element,)
    if text in piece_types(lexicon):
        yield start + 1, (Element("P", piece_types(lexicon)[text]),)
    elif wide and text in lexicon.wordings.pieces:
        yield start + 1, (Element("P", lexicon.wordings.pieces[text]),)
    if not typed or len(text) > 1 or text in lexicon.known_words:
        if text in file_numbers(lexicon):
            yield start + 1, (Element("F", file_numbers(lexicon)[text]),)
        if text in rank_numbers(lexicon):
            yield start + 1, (Element("R", rank_numbers(lexicon)[text]),)
    passed_over = text in lexicon.fillers or (wide and text in _passed_over(lexicon, frames))
    if passed_over and (len(text) > 1 or _is_article(tokens, start, lexicon, typed)):
        yield start + 1, ()
    if typed and (tokens[start].raw in _signs(lexicon) or text not in lexicon.known_words):
        for elements in _typed_rows(tokens[start].raw, lexicon):
            yield start + 1, elements


def _is_article(tokens: Sequence[Token], at: int, lexicon: Lexicon, typed: bool) -> bool:
    """Whether a one-letter word that may be skipped is no file: "promoting to a queen", but "rook a d1"."""
    if tokens[at].text not in file_numbers(lexicon):
        return not typed
    behind = tokens[at + 1].text if at + 1 < len(tokens) else ""
    return behind in piece_types(lexicon) or behind in lexicon.wordings.pieces


def _no_slots(_name: str, _start: int) -> Iterator[tuple[int, object]]:
    return iter(())


@lru_cache(maxsize=8)
def _passed_over(lexicon: Lexicon, frames: Frames | None) -> frozenset[str]:
    """Particles that are skipped in a move."""
    beside = frames.beside_moves if frames else frozenset()
    return (lexicon.wordings.particles | beside) - _phrases_by_first_word(lexicon, False).keys()


@lru_cache(maxsize=16)
def _phrases_by_first_word(
    lexicon: Lexicon, wide: bool, frames: Frames | None = None
) -> Mapping[str, tuple[tuple[Element, Pattern], ...]]:
    tables = (lexicon.move, *((lexicon.wordings.move,) if wide else ()), *((frames.move,) if frames else ()))
    entries = [
        (Element(LINK_CODES[key]), pattern)
        for table in tables
        for key, patterns in table.items()
        for pattern in patterns
    ]
    entries += [(Element("K", castling), pattern) for castling, ps in lexicon.castling.items() for pattern in ps]
    index: dict[str, list[tuple[Element, Pattern]]] = {}
    for element, pattern in entries:
        for word in pattern.first_words():
            index.setdefault(word, []).append((element, pattern))
    return {word: tuple(found) for word, found in index.items()}


@lru_cache(maxsize=8)
def _signs(lexicon: Lexicon) -> Mapping[str, Element]:
    return {sign: Element(LINK_CODES[key], typed=sign) for key, signs in lexicon.typed.signs.items() for sign in signs}


def _typed_rows(raw: str, lexicon: Lexicon) -> Iterator[tuple[Element, ...]]:
    """Rows of a typed word read character by character: "Sf3", "exd5", "e8D"."""
    if raw.lower() in _signs(lexicon):
        yield (_signs(lexicon)[raw.lower()],)
        return
    if len(raw) > 8 or (len(raw) > 1 and raw.isalpha() and "x" not in raw.lower()):
        return  # an unknown word, not a move: "da", "lab"
    suffix = next((sign for sign in _signs(lexicon) if len(sign) > 1 and raw.lower().endswith(sign)), "")
    rows: list[tuple[Element, ...]] = [()]
    for character in raw[: len(raw) - len(suffix)]:
        rows = [(*row, element) for row in rows for element in _letter(character, lexicon)]
    ending = (_signs(lexicon)[suffix],) if suffix else ()
    yield from (row + ending for row in rows)


def _letter(character: str, lexicon: Lexicon) -> Iterator[Element]:
    """Elements that a typed character can stand for. Lower case: files first; upper case: pieces first."""
    small = character.lower()
    if character in FIGURINES:
        yield Element("P", FIGURINES[character], typed=character)
        return
    if not character.isascii():
        return
    if character.isdecimal():
        if character in "12345678":
            yield Element("R", int(character) - 1)
        return
    if small in _signs(lexicon):
        yield _signs(lexicon)[small]
    is_file = small in "abcdefgh" and len(small) == 1
    if is_file and character == small:
        yield Element("F", file_numbers(lexicon)[small], typed=character)
    for piece in reversed(chess.PIECE_TYPES):  # SAN's bishop before the Bauer
        if character.upper() in lexicon.typed.pieces[piece]:
            yield Element("P", piece, usual=character != small or not is_file, typed=character)
    if is_file and character != small:
        usual = character.upper() not in _piece_letters(lexicon)
        yield Element("F", file_numbers(lexicon)[small], usual, typed=character)


@lru_cache(maxsize=8)
def _piece_letters(lexicon: Lexicon) -> frozenset[str]:
    return frozenset(letter for letters in lexicon.typed.pieces.values() for letter in letters)


# --- Typed characters that must not be skipped ---

_STRAY = re.compile(
    r"(?P<piece>[^\W\d_])[a-h]?[1-8]?[-x:]?[a-h][1-8]\S*|[a-h]?x?[a-h][18]=?(?P<promoted>[^\W\d_])\S*", re.IGNORECASE
)


def stray(tokens: Sequence[Token], lexicon: Lexicon) -> tuple[bool, str] | None:
    """The character that keeps a typed line from being a move and stands for nothing here, and whether it is in a
    piece's place ("Cc6", "e8=C"); None if there is none."""
    kept = without_endings(tokens)
    found = _STRAY.fullmatch("".join(token.raw for token in kept))
    words = {token.text for token in kept if len(token.raw) > 2}
    in_words = any(not words.isdisjoint(one.known_words) for one in (lexicon, *lexicon.others))
    if found is not None and not in_words:
        letter = found["piece"] or found["promoted"]
        if letter.upper() not in _piece_letters(lexicon):
            return True, letter
    signs = [
        token.raw
        for n, token in enumerate(kept)
        if not any(map(str.isalnum, token.text)) and not _ends_a_sentence(kept, n)
    ]
    sign = next((sign for sign in signs if sign not in _signs(lexicon)), None)
    if sign is None and kept and kept[-1].raw == "=":
        sign = "="
    return None if sign is None else (False, sign)


def _ends_a_sentence(tokens: Sequence[Token], at: int) -> bool:
    """Whether punctuation separates two words, as between sentences."""
    around = tokens[max(0, at - 1) : at + 2]
    words = [one for one in around if len(one.raw) > 1 and one.raw.isalpha()]
    return tokens[at].raw in ENDINGS and len(around) == 3 and len(words) == 2


def _is_foreign(row: Sequence[Element], lexicon: Lexicon) -> bool:
    """Whether a letter in a piece's place belongs to another language: "Cc6", "Hf3". A pawn's file of origin is lower
    case and never its target's."""
    files = [element for element in row if element.code == "F"]
    first = row[0] if row else None
    if first is None or first.code != "F" or not first.typed or len(files) < 2:
        return False
    squares = len(row) > 1 and row[1].code == "R"
    if first.typed.isupper() and first.typed in PIECE_LETTERS - _piece_letters(lexicon):
        return not (squares and all(one.typed.isupper() for one in files))
    return not squares and files[1].value == first.value and first.typed.upper() not in _piece_letters(lexicon)


def _has_loose_sign(row: Sequence[Element]) -> bool:
    """Whether a typed dash is meaningless: at the start, or next to another sign."""
    dashes = [n for n, element in enumerate(row) if element.code == "T" and element.typed]
    return any(n == 0 or row[n - 1].code in "TX" or (n + 1 < len(row) and row[n + 1].code in "TX") for n in dashes)


# --- Grammar ---

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
        r"(?P<piece>P)?(?P<from_file>F)?(?P<from_rank>R)?(?P<link>V)",  # "Springer nimmt ihn", "nimm ihn"
        r"(?P<piece>P)?(?P<from_file>F)(?P<from_rank>R)?(?P<link>[TX]+)(?P<to_file>F)?",  # "Eva vier schlägt David"
        r"(?P<piece>P)(?P<from_file>F)(?P<from_rank>R)?(?P<to_file>F)",  # "Springer Gustav Felix"
        r"(?P<piece>P)?(?P<from_file>F)?(?P<from_rank>R)?(?P<link>X+)T*(?P<captured>P)",  # "Dame schlägt Turm"
        r"(?P<piece>P)?(?P<link>X+)T*(?:(?P<to_file>F)|(?P<to_rank>R))",  # "Turm schlägt Anna"
        r"(?P<piece>P)(?P<link>X)(?P<captured>P)(?P<to_file>F)",  # "Turm schlägt Bauer Anna"
        r"G+(?P<promotion>P)",  # "wird Dame"
        r"(?:(?P<piece>P)?(?P<from_file>F)?(?P<from_rank>R)?(?P<link>X+))?(?P<passant>E)",  # "Bauer schlägt en passant"
    )
)
"""Partial moves, which a question can complete."""

MARKS = tuple(re.compile(pattern) for pattern in (r"(?P<link>X+)", r"(?P<check>[CM]+)"))
"""Words that only distinguish between candidates: "schlägt", "mit Schach"."""

LAST_RANKS = (0, 7)


WIDE_ORDERS = tuple(
    (re.compile(pattern), order)
    for pattern, order in (
        # "schlage mit dem Läufer [von Felix eins] [den Springer] auf Felix sechs"
        (r"(?P<x>X)W(?P<p>P)(?P<o>(?:O|T*)(?:FR?|R)?(?=[PTFR]))T*(?P<c>P)?T*(?P<t>FR)(?P<e>[CM]*)", "poxcte"),
        # "mit dem Läufer [von Felix eins] [den Springer] auf Felix sechs schlagen"
        (r"T*W?(?P<p>P)(?P<o>(?:O(?:FR?|R))?|FR(?=T*P?T*FR))W?T*(?P<c>P)?T*(?P<t>FR)(?P<x>X)(?P<e>[CM]*)", "poxcte"),
        (r"T*(?P<t>FR)(?P<x>X)(?P<e>[CM]*)", "xte"),
        # "auf Felix sechs [schlage ich] mit dem Läufer [von Felix eins]"
        (r"T*(?P<t>FR)T*(?P<x>X)?T*W(?P<p>P)(?P<o>(?:O(?:FR?|R))?)(?P<e>[CM]*)", "poxte"),
        # "schlage [den Springer] auf Felix sechs mit dem Läufer [von Felix eins]"
        (r"(?P<x>X)T*(?:(?P<c>P)T*)?(?P<t>FR)W(?P<p>P)(?P<o>(?:O(?:FR?|R))?)(?P<e>[CM]*)", "poxcte"),
        (r"(?P<c>P)T*(?P<t>FR)(?P<x>X)W(?P<p>P)(?P<o>(?:O(?:FR?|R))?)(?P<e>[CM]*)", "poxcte"),
        # "schlage mit dem Läufer den Springer", or the other way round; "mit dem Läufer den Springer schlagen"
        (r"(?P<x>X)W(?P<p>P)T*(?P<c>P)(?P<e>[CM]*)", "pxce"),
        (r"(?P<x>X)T*(?P<c>P)W(?P<p>P)(?P<e>[CM]*)", "pxce"),
        (r"W(?P<p>P)T*(?P<c>P)(?P<x>X)(?P<e>[CM]*)", "pxce"),
        (r"(?P<x>V)W(?P<p>P)", "px"),  # "nimm ihn mit dem Springer"
        (r"W(?P<p>P)(?P<x>V)", "px"),
        # "nimm den Springer [von Gustav eins] und zieh ihn nach Felix drei"
        (r"X?(?P<p>P)(?P<o>(?:[OT](?:FR?|R))?)UT*(?P<t>FR)(?P<e>[CM]*)", "pote"),
        # "gehe mit dem Springer auf Felix drei"
        (r"T*W(?P<r>P.*)", "r"),
    )
)
"""Word orders of free wording -> the usual order of the same elements."""

FILES_FIRST = tuple(
    (re.compile(pattern), order)
    for pattern, order in (
        # "d pawn to d four", "the f rook takes d one"
        (r"(?P<f>F)(?P<p>P)(?P<r>[TX]*(?:P?T*)FR.*)", "pfr"),
        # "knight takes the e pawn"
        (r"(?P<p>P?X)(?P<f>F)(?P<c>P)", "pcf"),
        (r"X(?P<e>E)", "e"),  # "take en passant"
    )
)
"""The same with a file's letter before the piece on it."""


TAKEN = re.compile(r"T*(?P<c>P)T*(?P<t>FR)?(?P<x>X)(?P<e>[CM]*)")
"""In "den Springer [auf Felix sechs] schlagen" the article decides whether the piece is captured or moves."""


def _in_usual_order(
    row: tuple[Element, ...], tokens: Sequence[Token], lexicon: Lexicon, files_first: bool
) -> tuple[Element, ...]:
    codes = "".join(element.code for element in row)
    taken = TAKEN.fullmatch(codes)
    if taken is not None and _is_taken(tokens, lexicon):
        return tuple(element for name in "xcte" if taken[name] for element in row[taken.start(name) : taken.end(name)])
    for expression, order in WIDE_ORDERS + (FILES_FIRST if files_first else ()):
        match = expression.fullmatch(codes)
        if match is not None:
            parts = (row[match.start(name) : match.end(name)] for name in order if match.group(name))
            return tuple(element for part in parts for element in part)
    return row


def _is_taken(tokens: Sequence[Token], lexicon: Lexicon) -> bool:
    """Whether the first piece has an accusative article."""
    pieces = (*piece_types(lexicon), *lexicon.wordings.pieces)
    place = next((n for n, token in enumerate(tokens) if token.text in pieces), 0)
    return place > 0 and tokens[place - 1].text in lexicon.wordings.objects


def announced_moves(
    tokens: Sequence[Token],
    lexicon: Lexicon,
    typed: bool = False,
    marks: bool = False,
    wide: bool = False,
    framed: bool = False,
) -> tuple[SpokenMove, ...]:
    """Every move or partial move that the tokens can announce, without duplicates.

    Only typed letters are ambiguous: "Bb4" is SAN's bishop and a German Bauer, "bc3" a pawn and, in lower case, a
    bishop. `marks`: a lone "schlägt" or "Schach" is an answer to the open question. `wide`: free wording; `framed`:
    also with the words of frames, as in typed lines. A whole move may be preceded by its side: "Schwarz: Springer Cesar
    sechs".
    """
    tokens = without_leading_particle(tokens, lexicon)
    found = _announced(tokens, lexicon, typed, marks, wide, framed)
    colour = next((side for side, words in lexicon.colours.items() if tokens and tokens[0].text in words), None)
    if found or colour is None:
        return found
    rest = tokens[2:] if len(tokens) > 1 and tokens[1].raw == ":" else tokens[1:]
    moves = _announced(rest, lexicon, typed, False, wide, framed)
    return tuple(replace(move, colour=colour) for move in moves if move.complete)


def without_leading_particle(tokens: Sequence[Token], lexicon: Lexicon) -> Sequence[Token]:
    """ "Ich ziehe mal den Springer nach Felix drei" captures nothing: between a sentence's first words and the first
    element of a move, "mal" is a particle. At the very start a word may have been lost: "(Läufer) mal Springer"."""
    particles, parts = _particles_and_parts(lexicon)
    for n, token in enumerate(tokens):
        if token.text in particles:
            told = any(one.text not in lexicon.fillers for one in tokens[:n])
            return (*tokens[:n], *tokens[n + 1 :]) if told else tokens
        if token.text in parts or token.text == UNKNOWN_WORD:
            return tokens
    return tokens


@lru_cache(maxsize=8)
def _particles_and_parts(lexicon: Lexicon) -> tuple[frozenset[str], frozenset[str]]:
    """Particles that can also mean "takes", and the words for pieces, squares, captures and castling."""
    takes = [*lexicon.move["captures"], *lexicon.wordings.move.get("captures", ())]
    patterns = [*takes, *(one for ones in lexicon.castling.values() for one in ones)]
    words = {word for pattern in patterns for word in pattern.words()}
    named = (*lexicon.files, *lexicon.ranks, *lexicon.pieces.values(), tuple(lexicon.wordings.pieces))
    particles = lexicon.wordings.particles & lexicon.links
    return particles, frozenset(words).union(*named) - lexicon.fillers - lexicon.wordings.particles


def _announced(
    tokens: Sequence[Token], lexicon: Lexicon, typed: bool, marks: bool, wide: bool, framed: bool
) -> tuple[SpokenMove, ...]:
    found: dict[SpokenMove, tuple[bool, bool, bool]] = {}
    for said in element_rows(without_endings(tokens) if typed else tokens, lexicon, typed, wide, framed):
        row = _in_usual_order(said, tokens, lexicon, typed or lexicon.letters_said) if wide else said
        if typed and (_is_foreign(row, lexicon) or _has_loose_sign(row)):
            continue
        codes = "".join(element.code for element in row)
        for move in _moves(codes, row, marks):
            if not _possible(move) or not _possible_promotion(codes, move):
                continue
            # In lower case "dd4" may be a pawn's file or a queen: SAN names a pawn's file only with "x".
            usual = all(element.usual for element in row) and not (typed and _bare_pawn_file(tokens, codes))
            rank = (move.complete, _pawn_can_go(move), usual)
            found[move] = max(found.get(move, rank), rank)
    best = max(found.values(), default=None)
    return tuple(move for move, rank in found.items() if rank == best)


def _moves(codes: str, row: Sequence[Element], marks: bool) -> Iterator[SpokenMove]:
    for expression in (WHOLE, CASTLING, *PARTS, *(MARKS if marks else ())):
        match = expression.fullmatch(codes)
        if match is not None:
            if not _contradicts_itself(match, row):
                yield _move(match, row)
            return


def _contradicts_itself(match: re.Match[str], row: Sequence[Element]) -> bool:
    """Whether two different origins are named: "exd5 von c"."""
    groups = match.groupdict()
    for kind in ("file", "rank"):
        names = (f"from_{kind}", f"named_{kind}", f"lone_{kind}", f"behind_{kind}")
        if len({row[match.start(name)].value for name in names if groups.get(name)}) > 1:
            return True
    return False


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
        captures="X" in link or "V" in link,
        en_passant=passant,
        promotion=number("promotion"),
        castling=castling if isinstance(castling, Castling) else None,
        check=CheckWord.MATE if "M" in check else CheckWord.CHECK if check else None,
        captured=number("captured"),
    )


def _possible(move: SpokenMove) -> bool:
    """Whether any position could allow the move."""
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


def _possible_promotion(codes: str, move: SpokenMove) -> bool:
    """Whether a promotion lacks its piece only where that is allowed: not in "e4 ="."""
    if "G" not in codes or move.promotion is not None:
        return True
    return move.piece in (None, chess.PAWN) and move.to_rank in LAST_RANKS


def _pawn_can_go(move: SpokenMove) -> bool:
    """Whether a pawn can get to the target, if only a file names the origin, as for pawns."""
    if move.piece is not None or move.from_file is None or move.from_rank is not None or move.to_file is None:
        return True
    files = abs(move.from_file - move.to_file)
    return files == 1 or (files == 0 and not move.captures)


def _bare_pawn_file(tokens: Sequence[Token], codes: str) -> bool:
    return codes.startswith("FFR") and any(len(token.raw) > 2 for token in tokens)
