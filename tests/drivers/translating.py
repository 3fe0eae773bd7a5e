"""Translation of dialogues: every line is understood, and its meaning put into words of the other language.

Words come from the other language's patterns for that meaning, and must be understood as the same meaning in the same
place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product

import chess

from tests.drivers.dialogues import Play
from voicechess.game.events import Heard
from voicechess.language.lexicon import ANSWER_KEYS, Lexicon, load
from voicechess.language.patterns import Literal, Pattern, SlotPart
from voicechess.language.placements import REST
from voicechess.language.understanding import understand
from voicechess.meaning import (
    Answer,
    CheckWord,
    Command,
    Expectation,
    Meaning,
    Question,
    QuestionKind,
    SlotValue,
    SpokenMove,
    Unclear,
    UnclearReason,
)
from voicechess.practice.answers import placements_said

MAX_SENTENCES = 400
"""Number of sentences of one pattern that are tried. Larger: more wordings, slower."""

NO_WORD_OF_ANY = frozenset({UnclearReason.NOTHING, UnclearReason.UNKNOWN_WORDS, UnclearReason.TOO_LONG})
"""Reasons why a line has no meaning that hold in every language."""


class Untranslatable(AssertionError):
    """No words of the other language have this meaning here."""


def translated(
    line: str, lexicon: Lexicon, into: Lexicon, expectation: Expectation, typed: bool = False
) -> tuple[str, Meaning]:
    """The words in the language `into` for a line of `lexicon`'s, and their meaning. Raises `Untranslatable`."""
    meaning = understand(line, lexicon, expectation, typed)
    for words in _words_for(meaning, line, lexicon, into):
        if understand(words, into, expectation, typed) == meaning:
            return words, meaning
    raise Untranslatable(f"{into.code} has no words for {line!r}: {meaning}")


def _words_for(meaning: Meaning, line: str, lexicon: Lexicon, into: Lexicon) -> Iterator[str]:
    match meaning:
        case SpokenMove():
            yield word_by_word(line, lexicon, into)  # with the words too many that make it doubtful
            yield from _moves(meaning, into)
        case Answer(kind, choice):
            keys = [key for key, value in ANSWER_KEYS.items() if value == (kind, choice)]
            for key in keys:
                for pattern in (*into.answers[key], *into.wordings.answers.get(key, ())):
                    yield from _filled(pattern, (), into)
            if choice is not None:
                yield from number_words(choice, into)
        case Command("say_text", slots):
            begin = _first(into.commands["say_hello"], into).split()[0]
            yield f"{begin}: {dict(slots)['text']}"
        case Command("placed"):
            yield _placed(meaning, into)
        case Command("premove", moves=(ahead,)):
            yield from (f"{_first(into.commands['premove'], into)} {words}" for words in _moves(ahead, into))
        case Command("suppose", moves=(theirs, ours)):
            condition, reply = into.correspondence.line["condition"][0], into.correspondence.line["reply"][0]
            for one, other in product(_moves(theirs, into), _moves(ours, into)):
                yield f"{condition} {one} {reply} {other}"
        case Command(name, slots):
            for pattern in _patterns(name, into):
                yield from _filled(pattern, slots, into)
            if name in ("find_games", "narrow"):
                yield line  # typed names are the same, and their words may be in any language
        case Unclear(UnclearReason.CHECK_ALONE):
            yield from (*_of(into, "check"), *_of(into, "mate"))
        case Unclear(UnclearReason.THANKS):
            yield _first(into.typed.frames.unmeant.thanks, into)
        case Unclear(UnclearReason.GREETING):
            yield _first(into.typed.frames.unmeant.greetings, into)
        case Unclear(UnclearReason.PRAISE):
            yield _first(into.typed.frames.unmeant.praise, into)
        case Unclear(UnclearReason.TERMS):
            at_the_level = Expectation(asked=Question(QuestionKind.LEVEL))
            yield from _words_for(understand(line, lexicon, at_the_level), line, lexicon, into)
        case Unclear(UnclearReason.NO_SENSE):
            yield word_by_word(line, lexicon, into)
            yield " ".join(into.decoys[:2])
        case Unclear(reason) if reason in NO_WORD_OF_ANY:
            yield line
        case _:
            pass
    yield word_by_word(line, lexicon, into)


def _emptied(lexicon: Lexicon) -> str:
    """The word after a square that is to be emptied."""
    behind = next(pattern for pattern in lexicon.choices["remove"] if "" in pattern.first_words())
    (*_, last) = next(iter(behind.expand()))
    assert isinstance(last, Literal)
    return last.text


def _placed(meaning: Command, into: Lexicon) -> str:
    """Pieces on squares, with the meaningless words at the end."""
    words: list[str] = []
    for square, piece in ((one.square, one.piece) for one in placements_said(meaning)):
        if piece is not None:
            words += [into.colours[piece.colour][0]] if piece.colour is not None else []
            words.append(into.pieces[piece.kind][0])
        words += [into.files[chess.square_file(square)][0], into.ranks[chess.square_rank(square)][0]]
        words += [] if piece is not None else [_emptied(into)]
    return " ".join((*words, str(meaning.slot(REST) or "")))


def word_by_word(line: str, lexicon: Lexicon, into: Lexicon) -> str:
    """The line with names of squares and pieces, numbers, answers and decoys replaced, and other words as they are."""
    known = dict(reversed(list(_word_pairs(lexicon, into))))  # the first one counts: the knight, not the knights
    return " ".join(known.get(word, word) for word in line.split())


def _word_pairs(lexicon: Lexicon, into: Lexicon) -> Iterator[tuple[str, str]]:
    tables: list[tuple[Sequence[Sequence[str]], Sequence[Sequence[str]]]] = [
        (list(lexicon.numerals.words.values()), [into.numerals.words[number] for number in lexicon.numerals.words]),
        (lexicon.ranks, into.ranks),
        (lexicon.files, into.files),
        *((list(one.values()), list(other.values())) for one, other in _named(lexicon, into)),
    ]
    for ours, theirs in tables:
        for words, others in zip(ours, theirs, strict=True):
            for word in words:
                yield word, others[0]
    for key, patterns in (*lexicon.answers.items(), *lexicon.move.items(), *lexicon.commands.items()):
        for pattern in patterns:
            for sentence in islice(pattern.expand(), MAX_SENTENCES):
                if len(sentence) == 1 and isinstance(sentence[0], Literal):
                    yield sentence[0].text, _first({**into.answers, **into.move, **into.commands}[key], into)
    yield from ((word, into.decoys[0]) for word in lexicon.decoys)


def _named(
    lexicon: Lexicon, into: Lexicon
) -> Iterator[tuple[Mapping[int, Sequence[str]], Mapping[int, Sequence[str]]]]:
    yield lexicon.pieces, into.pieces
    yield lexicon.plurals, into.plurals
    yield (
        {int(colour): words for colour, words in lexicon.colours.items()},
        {int(colour): words for colour, words in into.colours.items()},
    )


def _patterns(name: str, into: Lexicon) -> Iterator[Pattern]:
    for table in (into.commands, into.choices, into.wordings.commands, into.wordings.choices):
        yield from table.get(name, ())


def _first(patterns: Sequence[Pattern], into: Lexicon) -> str:
    return next(_filled(patterns[0], (), into))


def _filled(pattern: Pattern, slots: Sequence[tuple[str, SlotValue]], into: Lexicon) -> Iterator[str]:
    """The sentences of a pattern with these slot values."""
    for sentence in islice(pattern.expand(), MAX_SENTENCES):
        left = dict(slots)
        parts: list[Sequence[str]] = []
        for part in sentence:
            if isinstance(part, Literal):
                parts.append((part.text,))
            else:
                key = next((key for key in left if key.rstrip("23456789") == _slot_key(part, left)), None)
                parts.append(tuple(_slot_words(part.name, left.pop(key), into)) if key is not None else ())
        for words in islice(product(*parts), 4):
            yield " ".join(words)


def _slot_key(part: SlotPart, left: Mapping[str, SlotValue]) -> str:
    same = {"pieces": "piece", "nth": "number", "nth_rank": "rank"}
    return part.name if part.name in left else same.get(part.name, part.name)


def _slot_words(name: str, value: SlotValue, into: Lexicon) -> Iterator[str]:
    match name:
        case "number":
            yield from number_words(int(value), into)
        case "nth" | "nth_rank":
            yield from (word for word, one in into.wordings.ordinals.items() if one == int(value) + (name != "nth"))
        case "file":
            yield from into.files[int(value)]
        case "rank":
            yield into.ranks[int(value)][0]
        case "square":
            yield f"{into.files[chess.square_file(int(value))][0]} {into.ranks[chess.square_rank(int(value))][0]}"
        case "piece":
            yield from into.pieces[int(value)]
        case "pieces":
            yield from into.plurals[int(value)]
        case "colour":
            yield from into.colours[bool(value)]
        case "own":
            yield from into.own[bool(value)]
        case "letter":
            yield _letter(str(value), into)


def _letter(letter: str, into: Lexicon) -> str:
    return into.letters[letter][0] if letter in into.letters else into.files["abcdefgh".index(letter)][0]


def number_words(number: int, into: Lexicon) -> Iterator[str]:
    """A number in words, 0 to 9999, of a language with tens before units, such as English."""
    if number in into.numerals.words:
        yield from into.numerals.words[number]
    elif number < 100:
        yield f"{into.numerals.words[number - number % 10][0]} {into.numerals.words[number % 10][0]}"
    elif number < 1_000:
        hundreds = f"{into.numerals.words[number // 100][0]} {into.numerals.words[100][0]}"
        rest = number % 100
        yield from (f"{hundreds} {words}" for words in number_words(rest, into)) if rest else (hundreds,)
    elif number < 10_000:
        thousands = f"{into.numerals.words[number // 1_000][0]} {into.numerals.words[1_000][0]}"
        rest = number % 1_000
        yield from (f"{thousands} {words}" for words in number_words(rest, into)) if rest else (thousands,)


def _moves(move: SpokenMove, into: Lexicon) -> Iterator[str]:
    colour: Sequence[str] = [""] if move.colour is None else into.colours[move.colour]
    middles: list[Sequence[str]]
    endings = [_of(into, key) for key in _ending_keys(move)]
    if move.castling is not None:
        middles = [[words for pattern in into.castling[move.castling] for words in _filled(pattern, (), into)]]
    else:
        middles = [
            into.pieces[move.piece] if move.piece is not None else [""],
            _square(move.from_file, move.from_rank, into),
            _of(into, "captures") if move.captures or move.captured is not None else ["", *_of(into, "to")],
            into.pieces[move.captured] if move.captured is not None else [""],
            _square(move.to_file, move.to_rank, into),
            into.pieces[move.promotion] if move.promotion is not None else [""],
        ]
    for parts in islice(product(colour, *middles, *endings), MAX_SENTENCES):
        yield " ".join(part for part in parts if part)


def _ending_keys(move: SpokenMove) -> Iterator[str]:
    if move.en_passant:
        yield "en_passant"
    if move.check is not None:
        yield "mate" if move.check is CheckWord.MATE else "check"


def _of(into: Lexicon, key: str) -> list[str]:
    return [words for pattern in into.move[key] for words in _filled(pattern, (), into)]


def _square(file: int | None, rank: int | None, into: Lexicon) -> list[str]:
    words = [into.files[file][0]] if file is not None else []
    return [" ".join([*words, *([into.ranks[rank][0]] if rank is not None else [])])]


class SaidInAnother(Play):
    """A German dialogue whose lines are translated into the language of its settings."""

    def _heard(self, words: str, mark: str) -> Heard:
        german = load("de")

        def said(line: str) -> str:
            return translated(line, german, self.lexicon, self.session.expectation, mark.startswith(">>"))[0]

        if mark[:2] in (">a", ">n"):
            words = " / ".join(said(line) for line in words.split(" / "))
        elif mark == ">b":
            softer, _, line = words.partition(" ")
            words = f"{word_by_word(softer, german, self.lexicon)} {said(line)}"
        else:
            words = said(words)
        return super()._heard(words, mark)
