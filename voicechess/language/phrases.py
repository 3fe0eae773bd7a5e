"""The recogniser's grammar: what can be said now, as phrases.

The recogniser estimates a bigram model over the phrases (vosk, order 2, discount 0.5): a whole phrase makes its order
likelier, and any pair of adjacent words that occurs in one can be recognised in another. So the phrases need to cover
every sensible *pair* of words, not every sentence:

- every way to announce each legal move, which makes these moves a little likelier;
- rivals: every pair inside an announcement of any piece to any square, so that an illegal move is recognised as
  such and not as the nearest legal one;
- the commands, answers and choices that are valid now, with their slots filled;
- decoys: everyday words and fillers, so that background talk has a likelier reading than a move.

Words that the model in use lacks (`Lexicon.silent`) never occur.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from math import prod

import chess

from voicechess.language.beside import new_pieces, words_of_moves
from voicechess.language.lexicon import Lexicon
from voicechess.language.natural import PROMOTION_PIECES
from voicechess.language.patterns import Literal, Pattern, SlotPart, with_new_pairs
from voicechess.language.tokens import letter_words, whose
from voicechess.language.understanding import choices
from voicechess.meaning import Expectation, QuestionKind

MAX_PHRASES = 10_000
"""Most phrases; legal moves, which come last, would be cut first (never in practice). Larger: more memory and time to
build the grammar."""

MAX_FILLINGS = 200
"""Most combinations of slot values listed for a sentence; beyond, each value occurs once. Larger: more phrases."""

ALWAYS_MOVES = frozenset(
    {
        *(QuestionKind.TRY_MICROPHONE, QuestionKind.EXERCISE, QuestionKind.COMPLETE, QuestionKind.WHICH_MOVE),
        QuestionKind.SET_UP,
    }
)
"""Questions answered by squares or partial moves even without a position."""


def phrases(expectation: Expectation, lexicon: Lexicon) -> tuple[str, ...]:
    """The phrases to recognise, without duplicates, at most `MAX_PHRASES`. The recogniser adds [unk] itself."""
    heard = lexicon.heard
    found: dict[str, None] = dict.fromkeys(
        _standing(heard, expectation.commands, expectation.asked.kind, choices(expectation))
    )
    if expectation.asked.earlier:
        found.update(dict.fromkeys(_after_a_no(heard, choices(expectation))))
    found.update(dict.fromkeys(_worded(heard, _wordings_of(expectation), choices(expectation))))
    found.update(dict.fromkeys(_answered(heard, expectation.asked.kind)))
    if expectation.board is not None or expectation.asked.kind in ALWAYS_MOVES:
        found.update(dict.fromkeys(_rivals(heard)))
    if QuestionKind.SET_UP in (expectation.asked.kind, *expectation.asked.earlier):
        found.update(dict.fromkeys(_placements(heard)))
    if expectation.board is not None:
        found.update(dict.fromkeys(_legal(expectation.board, heard)))
    if expectation.board is not None and "suppose" in (expectation.commands or ()):
        found.update(dict.fromkeys(_conditionals(heard)))
    if expectation.board is not None and "premove" in (expectation.commands or ()):
        found.update(dict.fromkeys(_ahead(heard)))
    if expectation.asked.kind in (QuestionKind.WHICH_MOVE, QuestionKind.COMPLETE, QuestionKind.PROMOTION):
        found.update(dict.fromkeys(_parts(heard)))
    if expectation.asked.kind is QuestionKind.PROMOTION:
        found.update(dict.fromkeys(_promotions(heard)))
    offered = {word for phrase in found for word in phrase.split()}
    worded = _wordings_of(expectation)
    alone = [*_framed(heard, worded, choices(expectation))]
    if expectation.board is not None and worded is not None:
        # "Läufer frisst auf Cesar zwei", "Königin": words of moves that no phrase has.
        alone += sorted(word for word in words_of_moves(heard) if heard.sayable(word))
    found.update(dict.fromkeys(word for word in alone if word not in offered))
    return tuple(found)[:MAX_PHRASES]


class _Names:
    """The words that the model knows, to build announcements from. Lists may be empty."""

    def __init__(self, lexicon: Lexicon) -> None:
        def known(words: Iterable[str]) -> tuple[str, ...]:
            return tuple(word for word in words if lexicon.sayable(word))

        self.alphabets = lexicon.file_alphabets()
        self.files = tuple(lexicon.file_words(file) for file in range(8))
        self.ranks = tuple(known(words) for words in lexicon.ranks)
        self.pieces = {piece: known(words) for piece, words in lexicon.pieces.items()}
        self.links = {
            key: tuple(sentence for pattern in patterns for sentence in _filled(pattern, lexicon))
            for key, patterns in lexicon.move.items()
        }

    def square(self, alphabet: Sequence[tuple[str, ...]], square: chess.Square) -> str:
        """The usual words for a square in one of the alphabets; empty if there are none."""
        file, rank = alphabet[chess.square_file(square)], self.ranks[chess.square_rank(square)]
        return f"{file[0]} {rank[0]}" if file and rank else ""

    def first(self, table: Sequence[str]) -> str:
        """The usual one of several words; empty if there is none."""
        return table[0] if table else ""


@lru_cache(maxsize=16)
def _names(lexicon: Lexicon) -> _Names:
    return _Names(lexicon)


def _legal(board: chess.Board, lexicon: Lexicon) -> Iterator[str]:
    """Every way to announce each legal move: short, with the file, rank or both of its origin; within one alphabet
    each. Pairs with another alphabet's file are among the rivals."""
    for alphabet in _names(lexicon).alphabets:
        yield from _legal_in(alphabet, board, lexicon)


def _legal_in(alphabet: Sequence[tuple[str, ...]], board: chess.Board, lexicon: Lexicon) -> Iterator[str]:
    names = _names(lexicon)
    captures = names.first(names.links["captures"])
    passant = names.first(names.links["en_passant"])
    for move in board.generate_legal_moves():
        if board.is_castling(move):
            continue  # castling is among the rivals, legal or not
        kind = board.piece_type_at(move.from_square) or chess.PAWN
        piece = names.first(names.pieces[kind])
        file = names.first(alphabet[chess.square_file(move.from_square)])
        rank = names.first(names.ranks[chess.square_rank(move.from_square)])
        origin, target = names.square(alphabet, move.from_square), names.square(alphabet, move.to_square)
        if not target:
            continue
        takes = board.is_capture(move)
        endings = [""]
        if move.promotion is not None:
            endings = [f" {word}" for word in names.pieces[move.promotion]]
        elif takes and passant and board.is_en_passant(move):
            endings = ["", f" {passant}"]
        links = (" ", f" {captures} ") if takes and captures else (" ",)
        starts = [origin] if origin else []
        if kind != chess.PAWN:
            starts = [f"{piece} {start}" for start in ("", file, rank, origin)] if piece else starts
        elif takes:
            starts.append(file)
        for ending in endings:
            if kind == chess.PAWN and not takes:
                yield f"{target}{ending}"
            for start in starts:
                for link in links:
                    yield f"{start.strip()}{link}{target}{ending}"


@lru_cache(maxsize=16)
def _rivals(lexicon: Lexicon) -> tuple[str, ...]:
    """Phrases with every pair of words that an announcement can have, legal or not."""
    return tuple(_covering(_rival_phrases(lexicon)))


def _rival_phrases(lexicon: Lexicon) -> Iterator[str]:
    names = _names(lexicon)
    pieces = [word for kind in reversed(chess.PIECE_TYPES) for word in names.pieces[kind]]
    files = [word for words in names.files for word in words]
    ranks = [word for words in names.ranks for word in words]
    if not files or not ranks:
        return
    for file in files:
        yield from (f"{file} {rank}" for rank in ranks)
    for index, piece in enumerate(pieces):
        for step, file in enumerate(files):
            rank = ranks[(index + step) % len(ranks)]
            yield f"{piece} {file} {rank}"
        for step, rank in enumerate(ranks):
            yield f"{piece} {rank} {files[(index + step) % len(files)]} {ranks[step - 1]}"
    for alphabet in names.alphabets:  # nobody mixes two alphabets in one announcement
        own = [word for words in alphabet for word in words]
        for step, file in enumerate(own):
            for index, other in enumerate(own):
                piece = pieces[(step + index) % len(pieces)] if pieces else ""
                yield f"{piece} {file} {other} {ranks[(step + index) % len(ranks)]}".strip()
    for step, rank in enumerate(ranks):
        for index, file in enumerate(files):
            origin = f"{files[(step + index) % len(files)]} {rank}"
            yield f"{origin} {file} {ranks[(step + index) % len(ranks)]}"
    for link in (*names.links["to"], *names.links["captures"], *names.links["from"]):
        for index, file in enumerate(files):
            target = f"{file} {ranks[index % len(ranks)]}"
            yield f"{pieces[index % len(pieces)]} {link} {target}" if pieces else f"{link} {target}"
            if link not in names.links["from"][1:]:
                # "Felix drei aus Gustav eins" is never said, and "aus" is taken for "auf" too easily.
                yield f"{files[index - 1]} {ranks[(index + 1) % len(ranks)]} {link} {target}"
    for link in names.links["captures"]:
        for index, file in enumerate(files):
            yield f"{file} {link} {files[index - 1]} {ranks[index % len(ranks)]}"
    new_pieces = [word for kind in PROMOTION_PIECES for word in names.pieces[kind]]
    castlings = [
        sentence
        for patterns in lexicon.castling.values()
        for pattern in patterns
        for sentence in _filled(pattern, lexicon)
    ]
    for index, piece in enumerate(new_pieces):
        square = f"{files[index % len(files)]} {{}}"
        yield from (square.format(f"{rank} {piece}") for last in (0, 7) for rank in names.ranks[last])
        yield from (square.format(f"{ranks[-1]} {link} {piece}") for link in names.links["promotes"])
    # Everything that "Schach" and "matt" can follow.
    ends = [f"{files[index % len(files)]} {rank}" for index, rank in enumerate(ranks)]
    ends += [f"{files[0]} {ranks[-1]} {piece}" for piece in new_pieces]
    ends += [f"{end} {passant}" for end in ends[: len(ranks)] for passant in names.links["en_passant"]]
    ends += castlings
    for end in ends:
        yield end
        yield from (f"{end} {word}" for word in (*names.links["check"], *names.links["mate"]))
    # "Nein, Springer Felix drei."
    for patterns in (lexicon.answers["no"], lexicon.answers["yes"], lexicon.commands["correct"]):
        for before in _filled(patterns[0], lexicon):
            yield from (f"{before} {word}" for word in (*pieces, *files))
    yield from pieces
    yield from files


@lru_cache(maxsize=16)
def _conditionals(lexicon: Lexicon) -> tuple[str, ...]:
    """Every pair of words that "falls", "dann" and the sides ("Schwarz: …") form with a move before or after them."""
    names = _names(lexicon)
    begin = _begin(lexicon)
    ends = [word for words in names.ranks for word in words] + [
        *(word for kind in PROMOTION_PIECES for word in names.pieces[kind]),
        *(link for key in ("check", "mate", "en_passant") for link in names.links[key]),
        *(sentence for ps in lexicon.castling.values() for p in ps for sentence in _filled(p, lexicon)),
    ]
    conditions = [word for word in lexicon.correspondence.line["condition"] if lexicon.sayable(word)]
    replies = [word for word in lexicon.correspondence.line["reply"] if lexicon.sayable(word)]
    sides = [words[0] for words in lexicon.colours.values() if lexicon.sayable(words[0])]
    found = [f"{one} {word}" for one in (*conditions, *replies, *sides) for word in begin]
    found += [f"{end} {one}" for one in replies for end in ends]
    return tuple(_covering(found))


@lru_cache(maxsize=16)
def _placements(lexicon: Lexicon) -> tuple[str, ...]:
    """Every pair of words in enumerations of pieces on squares: "eins Dame", "eins Schwarz", "weiße Türme". A file
    after a rank ("eins Bella") is among the rivals."""
    names = _names(lexicon)
    ranks = [word for words in names.ranks for word in words]
    files = [word for words in names.files for word in words]
    pieces = [word for words in names.pieces.values() for word in words]
    plurals = [word for words in lexicon.plurals.values() for word in words if lexicon.sayable(word)]
    colours = [word for words in lexicon.colours.values() for word in words if lexicon.sayable(word)]
    if not (ranks and files and pieces):
        return ()
    named = list(dict.fromkeys((*pieces, *plurals)))
    found: list[str] = []
    for colour in colours:
        for step in range(max(len(ranks), len(named))):
            found.append(f"{ranks[step % len(ranks)]} {colour} {named[step % len(named)]}")
    for index, piece in enumerate(named):
        for step in range(len(files) if piece in plurals else len(ranks)):
            found.append(f"{ranks[step % len(ranks)]} {piece} {files[(index + step) % len(files)]}")
    return tuple(_covering(found))


def _begin(lexicon: Lexicon) -> list[str]:
    """The ways an announcement can start."""
    names = _names(lexicon)
    begin = [word for words in (*names.pieces.values(), *names.files) for word in words]
    return begin + [s.split()[0] for ps in lexicon.castling.values() for p in ps for s in _filled(p, lexicon)]


@lru_cache(maxsize=16)
def _ahead(lexicon: Lexicon) -> tuple[str, ...]:
    """Every pair of words that "Vorauszug" forms with the move after it."""
    said = [sentence for pattern in lexicon.commands["premove"] for sentence in _filled(pattern, lexicon)]
    return tuple(_covering(f"{one} {word}" for one in said for word in _begin(lexicon)))


@lru_cache(maxsize=16)
def _parts(lexicon: Lexicon) -> tuple[str, ...]:
    """Partial moves, which complete or choose a move."""
    names = _names(lexicon)
    froms = names.links["from"]
    files = [word for words in names.files for word in words]
    ranks = [word for words in names.ranks for word in words]
    pieces = [word for words in names.pieces.values() for word in words]
    parts = [*files, *ranks, *pieces]
    parts += [f"{link} {part}" for link in froms for part in (*files, *ranks)]
    parts += [f"{link} {piece}" for link in names.links["promotes"] for piece in pieces]
    named = (word for key in ("file", "rank") for pattern in lexicon.commands[key] for word in pattern.first_words())
    lines = [word for word in named if lexicon.sayable(word)]
    parts += [f"{link} {line}" for link in (*froms, *names.links["to"][:1]) for line in lines]
    parts += [*names.links["captures"], *names.links["check"], *names.links["mate"], *names.links["en_passant"]]
    return tuple(dict.fromkeys(parts))


@lru_cache(maxsize=16)
def _promotions(lexicon: Lexicon) -> tuple[str, ...]:
    """Every pair of words in the wordings for what a pawn becomes ("ich möchte einen Springer"), and of what denies a
    piece: "keine Dame" must not be heard as "eine Dame"."""
    pieces = [word for word in new_pieces(lexicon) if lexicon.sayable(word)]
    negations = (no for no in sorted(lexicon.wordings.negations) if lexicon.sayable(*no.split()))
    denied = (f"{no} {piece}" for no in negations for piece in pieces)
    sentences = [
        sentence for pattern in lexicon.wordings.promotion for sentence in pattern.expand_pairs(lexicon.sayable)
    ]
    said = (
        " ".join(part.text if isinstance(part, Literal) else piece for part in sentence)
        for sentence in sentences
        for piece in pieces
    )
    return tuple(_covering((*denied, *said)))


@lru_cache(maxsize=64)
def _standing(
    lexicon: Lexicon, commands: frozenset[str] | None, question: QuestionKind | None, chosen: tuple[str, ...]
) -> tuple[str, ...]:
    """Phrases independent of the position: answers, commands, choices, fillers and decoys."""
    entries = [*lexicon.answers.values()]
    entries += [patterns for key, patterns in lexicon.commands.items() if commands is None or key in commands]
    entries += [lexicon.choices[key] for key in chosen]
    sentences = (sentence for patterns in entries for pattern in patterns for sentence in _filled(pattern, lexicon))
    found = dict.fromkeys(_covering(sentences))
    if question is QuestionKind.WHICH_MOVE:
        found.update(dict.fromkeys(word for number in (1, 2, 3) for word in lexicon.numerals.words[number]))
    found.update(dict.fromkeys((*sorted(lexicon.fillers), *lexicon.decoys)))
    return tuple(phrase for phrase in found if lexicon.sayable(*phrase.split()))


@lru_cache(maxsize=64)
def _after_a_no(lexicon: Lexicon, chosen: tuple[str, ...]) -> tuple[str, ...]:
    """ "Nein, Schwarz": every pair of a "no" and the start of a choice."""
    begun = [pattern for patterns in (lexicon.answers["no"][:1], lexicon.commands["correct"]) for pattern in patterns]
    before = [sentence for pattern in begun for sentence in _filled(pattern, lexicon)]
    sentences = (
        sentence for key in chosen for pattern in lexicon.choices[key] for sentence in _filled(pattern, lexicon)
    )
    firsts = dict.fromkeys(sentence.split()[0] for sentence in sentences)
    return tuple(f"{no} {first}" for no in before for first in firsts)


FEW = 30
"""Fewest valid commands for further wordings to be recognised: below, only taking a move back matters. Exercises are
exempt. Larger: wordings are recognised in fewer places."""


def _wordings_of(expectation: Expectation) -> frozenset[str] | None:
    """Commands whose further wordings are recognised; None: no wordings at all. Where a move is read back or asked
    about, every additional word is a rival of the few that matter."""
    if expectation.commands is None:
        return expectation.among_talk | {"end"} if expectation.among_talk else None
    about_a_move = expectation.asked.kind in (QuestionKind.WHICH_MOVE, QuestionKind.COMPLETE, QuestionKind.PROMOTION)
    few = len(expectation.commands) < FEW and expectation.asked.kind is not QuestionKind.EXERCISE
    return None if about_a_move or few else expectation.commands


@lru_cache(maxsize=64)
def _worded(lexicon: Lexicon, commands: frozenset[str] | None, chosen: tuple[str, ...]) -> tuple[str, ...]:
    """Further wordings of these commands and choices, with each word of each pattern at least once, and the wrappings
    around them. All their sentences would be too many; a pair of words that is not listed only costs a little more."""
    if commands is None:
        return ()
    around = lexicon.wordings
    tables = [around.choices.get(key, ()) for key in chosen]
    tables += [patterns for key, patterns in around.commands.items() if key in commands]
    tables += [around.before, around.behind, around.move_before, around.move_behind]
    found = (one for patterns in tables for pattern in patterns for one in _each_word_once(pattern, lexicon))
    return tuple(dict.fromkeys(found))


@lru_cache(maxsize=64)
def _framed(lexicon: Lexicon, commands: frozenset[str] | None, chosen: tuple[str, ...]) -> tuple[str, ...]:
    """Words of the frames of these commands and choices, and silent words. Those in no other phrase are offered by
    themselves, since they may come in any order."""
    if commands is None:
        return ()
    frames = lexicon.frames
    entries = [*(frames.commands.get(key, ()) for key in commands), *(frames.choices.get(key, ()) for key in chosen)]
    framed = [frame for frames_of_one in entries for frame in frames_of_one]
    found = frames.around_words.union(*(frame.words() for frame in framed))
    if any(frame.has_ordinal for frame in framed):
        found |= lexicon.wordings.ordinals.keys()
    return tuple(sorted(word for word in found if lexicon.sayable(word)))


_ANSWERS: dict[QuestionKind, tuple[str, ...]] = {
    QuestionKind.YES_NO: ("yes", "no"),
    QuestionKind.WHICH_MOVE: ("none", "first", "second", "third", "other", "no"),
}
"""Answers to each question whose further wordings are recognised."""


@lru_cache(maxsize=8)
def _answered(lexicon: Lexicon, question: QuestionKind | None) -> tuple[str, ...]:
    """Free wordings of answers ("ja genau", "nein, den anderen"), each word of each pattern once. A yes only where the
    wording starts with one: nothing else in the room may resign a game."""
    keys = _ANSWERS.get(question, ()) if question is not None else ()
    yes = {word for pattern in lexicon.answers["yes"] for word in pattern.first_words()}
    found = (
        (key, one)
        for key in keys
        for pattern in lexicon.wordings.answers.get(key, ())
        for one in _each_word_once(pattern, lexicon)
    )
    return tuple(dict.fromkeys(one for key, one in found if key != "yes" or one.split()[0] in yes))


@lru_cache(maxsize=4096)
def _each_word_once(pattern: Pattern, lexicon: Lexicon) -> tuple[str, ...]:
    """The fewest sentences of a pattern with each of its words; slot values are in other phrases."""
    found: dict[str, None] = {}
    for row, sentence in enumerate(pattern.expand_each()):
        values = [_values(part, lexicon) for part in sentence]
        if values and all(values):
            found[" ".join(options[row % len(options)] for options in values)] = None
    return tuple(found)


def _covering(sentences: Iterable[str]) -> Iterator[str]:
    """Only sentences that add a new pair of adjacent words, sentence start and end included."""
    return with_new_pairs(sentences, str.split)


def _filled(pattern: Pattern, lexicon: Lexicon) -> Iterator[str]:
    """Sentences of a pattern that the model can recognise: all, or if too many, each value of each slot once."""
    for sentence in pattern.expand():
        values = [_values(part, lexicon) for part in sentence]
        if not all(values):
            continue
        if prod(map(len, values)) <= MAX_FILLINGS:
            yield from map(" ".join, product(*values))
        else:
            for row in range(max(map(len, values))):
                yield " ".join(options[row % len(options)] for options in values)


def _values(part: Literal | SlotPart, lexicon: Lexicon) -> tuple[str, ...]:
    """The words for this part of a sentence."""
    if isinstance(part, Literal):
        return (part.text,) if lexicon.sayable(part.text) else ()
    return _slot_values(lexicon)[part.name]


@lru_cache(maxsize=16)
def _slot_values(lexicon: Lexicon) -> Mapping[str, tuple[str, ...]]:
    def known(words: Iterable[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(word for word in words if lexicon.sayable(*word.split())))

    files = [word for file in range(8) for word in lexicon.file_words(file)]
    ranks = known(word for words in lexicon.ranks for word in words)
    squares = [f"{file} {ranks[index % len(ranks)]}" for index, file in enumerate(files)] if ranks else []
    return {
        "file": known(files),
        "rank": ranks,
        "square": known(squares),
        "piece": known(word for words in lexicon.pieces.values() for word in words),
        "pieces": known(word for words in lexicon.plurals.values() for word in words),
        "colour": known(word for words in lexicon.colours.values() for word in words),
        "number": known(_number_phrases(lexicon)),
        "own": known(whose(lexicon)),
        "letter": known(word for word in letter_words(lexicon) if len(word) > 1),
        "nth": known(lexicon.wordings.ordinals),
        "nth_rank": known(word for word, number in lexicon.wordings.ordinals.items() if number <= 8),
    }


def _number_phrases(lexicon: Lexicon) -> Iterator[str]:
    """Every number word by itself, and pairs such that every number up to 999 has its adjacent words."""
    words = dict(sorted(lexicon.numerals.words.items()))
    for entry in words.values():
        yield from entry
    tens = [words[value][0] for value in range(20, 100, 10)]
    units = [words[value][0] for value in range(1, 10)]
    joiner = lexicon.numerals.joiners[0]
    for index, unit in enumerate(units):
        ten = tens[index % len(tens)]
        yield f"{ten} {unit}" if lexicon.numerals.tens_first else f"{unit} {joiner} {ten}"
        yield f"{unit} {words[100][0]} {ten}"
