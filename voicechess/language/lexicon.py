"""A language's words and patterns, read from `<language>/words.toml` and validated.

A speech model may lack some of the words: `Lexicon.restrict` records which, and `Lexicon.unsayable` lists what can then
not be said at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any

import chess

from voicechess.language.alphabets import letters_of
from voicechess.language.folders import (
    FALLBACK,
    FRAMES,
    LANGUAGES,
    POINTERS,
    SWITCHES,
    TYPED,
    WORDINGS,
    WORDS,
    common_words,
    filled_up,
    read_data,
    read_words,
)
from voicechess.language.frames import NO_FRAMES, Frames, joined, read_frames
from voicechess.language.patterns import Literal, Pattern, PatternError, SlotPart
from voicechess.language.wordings import NO_WORDINGS, Wordings, read_wordings
from voicechess.meaning import AnswerKind, Castling

SLOTS = frozenset(
    {
        *("file", "rank", "square", "piece", "pieces", "colour", "own", "number", "letter", "seconds"),
        *("result", "ago", "days", "machine", "here"),
    }
)
"""Slots of patterns. {seconds=1}: the number counts seconds; without it, minutes. In a search for games: {result=0}
lost, 1 drawn, 2 won; {ago=1} yesterday; {days=7} since then; {machine=1} against the computer; {here=1} with the
current position, 2 with its opening."""

NOTATIONS = ("german", "english")
"""Languages whose piece letters a score can use."""

FILE_KEYS = "abcdefgh"
WING_KEYS = ("king", "queen")
WRITTEN_KEYS = ("draw", "resigns")
"""What is written by hand after a line, besides the words of the commands."""
SEARCH_MONTHS = tuple(f"month_{number}" for number in range(1, 13))
SEARCH_KEYS = (
    *(
        "games",
        "lead",
        "articles",
        "against",
        "with",
        "dates",
        "lost",
        "drawn",
        "won",
        "machine",
        "position",
        "opening",
    ),
    *("today", "yesterday", "week", "month", "days", *SEARCH_MONTHS),
)
"""The words of typed lines that look for games (`searching`)."""
POST_KEYS = ("condition", "reply", "leave")
"""Keys of the words of a correspondence line."""

LETTER_KEYS: Mapping[str, str] = {letter: letter for letter in "ijklmnopqrstuvwxyz"} | {
    "underscore": "_",
    "hyphen": "-",
}
"""Entry in [letters] -> what it stands for in a name; a to h are the files."""
PIECE_KEYS: Mapping[str, chess.PieceType] = {name: chess.PIECE_NAMES.index(name) for name in chess.PIECE_NAMES if name}
ANSWER_KEYS: Mapping[str, tuple[AnswerKind, int | None]] = {
    "yes": (AnswerKind.YES, None),
    "no": (AnswerKind.NO, None),
    "none": (AnswerKind.NONE, None),
    "first": (AnswerKind.CHOICE, 1),
    "second": (AnswerKind.CHOICE, 2),
    "third": (AnswerKind.CHOICE, 3),
    "fourth": (AnswerKind.CHOICE, 4),
}
MOVE_KEYS = ("to", "captures", "from", "check", "mate", "en_passant", "promotes")
TYPED_SIGNS = ("captures", "to", "check", "mate", "promotes", "en_passant")
ANSWER_LETTERS = ("yes", "no")


class LexiconError(ValueError):
    """A language file is missing or invalid; the message names the file and the entry."""


@dataclass(frozen=True, slots=True)
class Unsayable:
    """An entry that cannot be said with the speech model in use."""

    key: str  # its place in the language file
    words: tuple[str, ...]  # its wordings, each of which has a word that the model lacks


@dataclass(frozen=True, slots=True)
class About:
    """A language's name, voice and notation."""

    name: str  # "Deutsch"
    voice: str  # the language of the synthetic voice
    notation: str  # one of `NOTATIONS`: "german" (Sf3) or "english" (Nf3)
    handbook: str  # file name of the handbook without its suffix
    capitals: frozenset[str]  # words that begin with a capital in writing, in lower case

    def written(self, word: str) -> str:
        """A word of the lexicon as it is written within a sentence: "Zeit", "wer"."""
        return word.capitalize() if word in self.capitals else word


@dataclass(frozen=True, slots=True)
class Numerals:
    """Number words of a language."""

    words: Mapping[int, tuple[str, ...]]  # number -> its words, for each number with a word of its own
    joiners: tuple[str, ...]  # "und", between units and tens
    tens_first: bool  # "twenty-one" rather than "einundzwanzig"


@dataclass(frozen=True, slots=True)
class Typing:
    """What is understood only when typed."""

    spellings: Mapping[str, str]  # other spellings -> the usual one
    pieces: Mapping[chess.PieceType, tuple[str, ...]]  # the letters for each piece
    signs: Mapping[str, tuple[str, ...]]  # by `TYPED_SIGNS`: "x" for captures
    answers: Mapping[str, tuple[str, ...]]  # by `ANSWER_LETTERS`: "j" to a yes-or-no question
    wings: Mapping[str, tuple[str, ...]]  # by `WING_KEYS`: "Königs", "Damen", as in Königsspringer
    files: tuple[tuple[str, ...], ...]  # a to h, in other spelling alphabets ("alpha")
    search: Mapping[str, tuple[str, ...]]  # words of lines that look for games, by `SEARCH_KEYS`
    frames: Frames = NO_FRAMES  # the spoken frames, and the typed ones
    alphabet: str = ""  # language whose letters stand for pieces; "": those of the language files

    def answer(self, line: str) -> str:
        """Which of `ANSWER_LETTERS` a line is, in answer to a yes-or-no question, where an "n" is no knight; "" if
        neither."""
        said = line.strip().rstrip(".!").lower()
        return next((key for key, letters in self.answers.items() if said in letters), "")


@dataclass(frozen=True, slots=True)
class CorrespondenceWords:
    """Words of correspondence games."""

    line: Mapping[str, tuple[str, ...]]  # of a conditional line, by `POST_KEYS`
    sender: Mapping[str, tuple[str, ...]]  # what a sender adds after a line, by `WRITTEN_KEYS`


@dataclass(frozen=True, eq=False)
class Lexicon:
    """Words and patterns of one language. The first of several synonyms is the one that is spoken."""

    code: str  # "de"
    hears: str  # language of the speech model; as read, of the substitute for a model of its own
    about: About
    files: tuple[tuple[str, ...], ...]  # a to h
    ranks: tuple[tuple[str, ...], ...]  # 1 to 8
    pieces: Mapping[chess.PieceType, tuple[str, ...]]
    plurals: Mapping[chess.PieceType, tuple[str, ...]]
    colours: Mapping[chess.Color, tuple[str, ...]]
    move: Mapping[str, tuple[Pattern, ...]]  # links between the parts of a move, by `MOVE_KEYS`
    castling: Mapping[Castling, tuple[Pattern, ...]]
    fillers: frozenset[str]  # skipped everywhere
    own: Mapping[bool, tuple[str, ...]]  # whose pieces: "meine" (True), "deine" (False: those of the other side)
    letters: Mapping[str, tuple[str, ...]]  # the spelling alphabet from i on
    correspondence: CorrespondenceWords
    numerals: Numerals
    answers: Mapping[str, tuple[Pattern, ...]]
    commands: Mapping[str, tuple[Pattern, ...]]
    choices: Mapping[str, tuple[Pattern, ...]]
    decoys: tuple[str, ...]  # everyday words offered to the recogniser, which keep talk from becoming a command
    typed: Typing
    spelled: bool  # whether files are also recognised in other spelling alphabets (`Typing.files`)
    letters_said: bool  # whether files are recognised as single letters
    wordings: Wordings = NO_WORDINGS
    frames: Frames = NO_FRAMES
    silent: frozenset[str] = field(default=frozenset())  # words that the speech model in use lacks

    @cached_property
    def heard(self) -> Lexicon:
        """The lexicon of the speech model's language: this one or another."""
        if self.hears == self.code:
            return self
        heard = load(self.hears, self.typed.alphabet)
        return replace(heard, silent=self.silent, spelled=self.spelled if self.silent else heard.spelled)

    @property
    def hearable(self) -> tuple[str, ...]:
        """Languages whose speech models can be used, best first: its own, then `hears` as read."""
        return tuple(dict.fromkeys((self.code, self.hears)))

    @cached_property
    def others(self) -> tuple[Lexicon, ...]:
        """Lexicons of the other languages: typed lines are understood in all of them."""
        return tuple(load(code, self.typed.alphabet) for code in LANGUAGES if code != self.code)

    @cached_property
    def spoken_words(self) -> frozenset[str]:
        """Every word that can be spoken: all plain words but the language's name, spellings and typed signs."""
        words = {word for _, patterns in self._entries() for pattern in patterns for word in pattern.words()}
        words |= {names[0] for names in self.typed.files if self.spelled} | self._letters
        return frozenset(words | self.fillers | set(self.decoys) | set(self.numerals.joiners))

    @cached_property
    def known_words(self) -> frozenset[str]:
        """Every word that is understood: the spoken ones and the typed file names. Single letters are not included:
        typed, they may be pieces."""
        return self.spoken_words - self._letters | {word for words in self.typed.files for word in words}

    @cached_property
    def _letters(self) -> frozenset[str]:
        return frozenset(FILE_KEYS) if self.letters_said else frozenset()

    @cached_property
    def links(self) -> frozenset[str]:
        """Words between the squares of a move, or between piece and target: "nach", "schlägt"."""
        return frozenset(word for key in ("to", "captures") for pattern in self.move[key] for word in pattern.words())

    def restrict(self, known: Callable[[str], bool]) -> Lexicon:
        """This lexicon for a model with a smaller vocabulary; `known` is called once for each word.

        Understanding is unaffected (typed words need no model); `sayable` and `unsayable` change. If the model knows
        more words of this language than of `heard`, this one becomes `heard`.
        """
        own, others = (sum(map(known, one.spoken_words)) / len(one.spoken_words) for one in (self, self.heard))
        lexicon = self if own <= others else replace(self, hears=self.code)
        heard = lexicon.heard
        words = heard.spoken_words | heard.known_words | heard.wordings.words | heard.frames.words
        silent = frozenset(word for word in words if not known(word))
        spelled = all(any(word not in silent for word in names) for names in heard.typed.files)
        return replace(lexicon, silent=silent, spelled=spelled)

    def sayable(self, *words: str) -> bool:
        """Whether the model in use knows all these words."""
        return self.silent.isdisjoint(words)

    def unsayable(self) -> tuple[Unsayable, ...]:
        """The entries that cannot be said with the model in use, in the order of the language file."""
        lexicon = self.heard
        lacking = []
        for key, patterns in lexicon._entries():
            stand_ins = lexicon.typed.files[FILE_KEYS.index(key[-1])] if key.startswith("files.") else ()
            if any(lexicon.sayable(word) for word in stand_ins):
                continue
            sentences = [sentence for pattern in patterns for sentence in pattern.expand()]
            if not any(lexicon.sayable(*_literals(sentence)) for sentence in sentences):
                words = {" ".join(_literals(sentence)): None for sentence in sentences}
                lacking.append(Unsayable(key, tuple(words)))
        return tuple(lacking)

    def file_alphabets(self) -> tuple[tuple[tuple[str, ...], ...], ...]:
        """The words for each file, a to h, in every alphabet that is recognised, as far as the model knows them: the
        announced names (another alphabet's where the model lacks them), the other alphabet, the letters."""

        def known(names: Iterable[str]) -> tuple[str, ...]:
            return tuple(word for word in names if self.sayable(word))

        announced = tuple(known(names) for names in self.files)
        spelled = tuple(known(names) for names in self.typed.files)
        found = [tuple(names or others for names, others in zip(announced, spelled, strict=True))]
        if self.spelled and all(announced):
            found.append(spelled)
        if self.letters_said:
            found.append(tuple(known(letter) for letter in FILE_KEYS))
        return tuple(found)

    def file_words(self, file: int) -> tuple[str, ...]:
        """The words for a file (0 to 7) that the model in use knows, best first."""
        return tuple(word for alphabet in self.file_alphabets() for word in alphabet[file])

    def _entries(self) -> Iterator[tuple[str, tuple[Pattern, ...]]]:
        """Every entry by its place in the file; plain words as patterns."""
        for key, words in zip(FILE_KEYS, self.files, strict=True):
            yield f"files.{key}", _plain(words)
        for number, words in enumerate(self.ranks, 1):
            yield f"ranks.{number}", _plain(words)
        for section, by_piece in (("pieces", self.pieces), ("plurals", self.plurals)):
            for name, piece in PIECE_KEYS.items():
                yield f"{section}.{name}", _plain(by_piece[piece])
        for colour, words in self.colours.items():
            yield f"colours.{chess.COLOR_NAMES[colour]}", _plain(words)
        for letter, words in self.letters.items():
            yield f"letters.{letter}", _plain(words)
        for key, words in self.correspondence.line.items():
            yield f"post.{key}", _plain(words)
        for value, words in self.numerals.words.items():
            yield f"numbers.{value}", _plain(words)
        for castling, patterns in self.castling.items():
            yield f"castling.{castling.value}", patterns
        tables = {"move": self.move, "answers": self.answers, "commands": self.commands, "choices": self.choices}
        for section, table in tables.items():
            for key, patterns in table.items():
                yield f"{section}.{key}", patterns


def load(language: str = "de", alphabet: str = "") -> Lexicon:
    """The lexicon of a language ("de", "en"); typed moves with the letters of one of `ALPHABETS`, if it is named.

    Raises `LexiconError` when the language's file is missing or wrong.
    """
    return _load(language, alphabet)


@cache
def _load(language: str, alphabet: str) -> Lexicon:
    if alphabet:
        lexicon = load(language)
        return replace(lexicon, typed=replace(lexicon.typed, pieces=letters_of(alphabet), alphabet=alphabet))
    place = f"{language}/{WORDS}"
    try:
        data = read_words(language)
        if not data:
            raise LexiconError("there is no such language")
        whole = data if language == FALLBACK else filled_up(data, common_words())
        beside = (read_data(language, name) for name in (WORDINGS, FRAMES, POINTERS, TYPED))
        return read(_with_switches(whole), *beside)
    except (
        OSError,
        ValueError,
        PatternError,
    ) as error:
        raise LexiconError(f"{place}: {error}") from error


def _with_switches(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """`data` with the words that ask for another language, taken from that language's file where this one has none."""
    commands = dict(_table(data, "commands"))
    for command, code in SWITCHES.items():
        if command not in commands:
            commands[command] = _table(read_data(code, WORDS), "language").get("asked_for")
    return {**data, "commands": commands}


def spoken_words(language: str = "de") -> frozenset[str]:
    """Every word that can be spoken in a language: what a speech model must know."""
    return load(language).spoken_words | load(language).wordings.words


def read(
    data: Mapping[str, Any],
    wordings: Mapping[str, Any] | None = None,
    frames: Mapping[str, Any] | None = None,
    pointers: Mapping[str, Any] | None = None,
    only_typed: Mapping[str, Any] | None = None,
) -> Lexicon:
    """A lexicon from a parsed language file and, if present, those of its wordings, frames, pointers and typed words.
    Raises `LexiconError` or `PatternError` naming the entry."""
    fillers = frozenset(_words(_table(data, "fillers").get("words"), "fillers.words"))
    in_own_words = read_wordings(wordings or {}, pointers)
    silent = fillers | in_own_words.wrapping_words | in_own_words.function
    language = _table(data, "language")
    typed = _table(data, "typed")
    spellings = _table(data, "spellings") if "spellings" in data else {}
    numbers = dict(_table(data, "numbers"))
    joiners = _words(numbers.pop("and", None), "numbers.and")
    tens_first = numbers.pop("tens_first", False) is True
    return Lexicon(
        code=_string(language, "language", "code"),
        hears=_string(language, "language", "hears"),
        about=About(
            name=_string(language, "language", "name"),
            voice=_string(language, "language", "voice"),
            notation=_one_of(language, "notation", NOTATIONS),
            handbook=_string(language, "language", "handbook"),
            capitals=frozenset(_words(language["capitals"], "language.capitals") if "capitals" in language else ()),
        ),
        files=_keyed(_table(data, "files"), "files", FILE_KEYS),
        ranks=_keyed(_table(data, "ranks"), "ranks", "12345678"),
        pieces=_by_piece(_table(data, "pieces"), "pieces"),
        plurals=_by_piece(_table(data, "plurals"), "plurals"),
        colours={
            colour: _words(_table(data, "colours").get(name), f"colours.{name}")
            for colour, name in ((chess.WHITE, "white"), (chess.BLACK, "black"))
        },
        move=_exactly(_patterns(data, "move"), "move", MOVE_KEYS),
        castling={
            Castling(key): patterns
            for key, patterns in _exactly(
                _patterns(data, "castling"), "castling", tuple(castling.value for castling in Castling)
            ).items()
        },
        fillers=fillers,
        own={
            mine: _words(_table(data, "own").get(name), f"own.{name}")
            for mine, name in ((True, "words"), (False, "others"))
        },
        correspondence=CorrespondenceWords(
            line={key: _words(_table(data, "post").get(key), f"post.{key}") for key in POST_KEYS},
            sender={key: _words(_table(data, "written").get(key), f"written.{key}") for key in WRITTEN_KEYS},
        ),
        letters={
            letter: _words(_table(data, "letters").get(key), f"letters.{key}") for key, letter in LETTER_KEYS.items()
        },
        numerals=Numerals(
            words={int(key): _words(words, f"numbers.{key}") for key, words in numbers.items()},
            joiners=joiners,
            tens_first=tens_first,
        ),
        answers=_exactly(_patterns(data, "answers"), "answers", tuple(ANSWER_KEYS)),
        commands=_patterns(data, "commands"),
        choices=_patterns(data, "choices"),
        decoys=_words(_table(data, "decoys").get("words"), "decoys.words"),
        typed=Typing(
            spellings={key: _string(spellings, "spellings", key) for key in spellings},
            pieces=_by_piece(typed, "typed"),
            answers={key: _words(typed.get(key), f"typed.{key}") for key in ANSWER_LETTERS},
            wings={key: _words(_table(typed, "wings").get(key), f"typed.wings.{key}") for key in WING_KEYS},
            signs={key: _words(typed.get(key), f"typed.{key}") for key in TYPED_SIGNS},
            files=_keyed(_table(typed, "files"), "typed.files", FILE_KEYS),
            search={key: _words(_table(typed, "search").get(key), f"typed.search.{key}") for key in SEARCH_KEYS},
            frames=read_frames(joined(frames or {}, only_typed or {}), silent),
        ),
        spelled=language.get("spelled", False) is True,
        letters_said=language.get("letters", False) is True,
        wordings=in_own_words,
        frames=read_frames(frames or {}, silent),
    )


def _table(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    table = data.get(name)
    if not isinstance(table, Mapping) or not table:
        raise LexiconError(f"[{name}] is missing or empty")
    return table


def _string(table: Mapping[str, Any], section: str, key: str) -> str:
    value = table.get(key)
    if not isinstance(value, str) or not value:
        raise LexiconError(f"{section}.{key} must be a text")
    return value


def _one_of(language: Mapping[str, Any], key: str, known: tuple[str, ...]) -> str:
    value = _string(language, "language", key)
    if value not in known:
        raise LexiconError(f"language.{key} must be one of {', '.join(known)}")
    return value


def _words(value: object, place: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not value or not all(isinstance(word, str) and word for word in value):
        raise LexiconError(f"{place} must be a list of words")
    return tuple(value)


def _keyed(table: Mapping[str, Any], section: str, keys: str) -> tuple[tuple[str, ...], ...]:
    return tuple(_words(table.get(key), f"{section}.{key}") for key in keys)


def _by_piece(table: Mapping[str, Any], section: str) -> Mapping[chess.PieceType, tuple[str, ...]]:
    return {piece: _words(table.get(name), f"{section}.{name}") for name, piece in PIECE_KEYS.items()}


def _patterns(data: Mapping[str, Any], section: str) -> Mapping[str, tuple[Pattern, ...]]:
    table, rules = _table(data, section), _rules(data)
    patterns: dict[str, tuple[Pattern, ...]] = {}
    for key, value in table.items():
        try:
            patterns[key] = tuple(Pattern(text, rules) for text in _words(value, f"{section}.{key}"))
        except PatternError as error:
            raise LexiconError(f"{section}.{key}: {error}") from error
        for pattern in patterns[key]:
            if not pattern.slots() <= SLOTS:
                raise LexiconError(f"{section}.{key}: unknown slot {sorted(pattern.slots() - SLOTS)}")
    return patterns


def _rules(data: Mapping[str, Any]) -> Mapping[str, str]:
    """Named rules, which stand for a part of many patterns."""
    rules = data.get("rules", {})
    return {name: _string(rules, "rules", name) for name in rules}


def _exactly(
    table: Mapping[str, tuple[Pattern, ...]], section: str, keys: tuple[str, ...]
) -> Mapping[str, tuple[Pattern, ...]]:
    if set(table) != set(keys):
        raise LexiconError(f"[{section}] must have exactly the entries {', '.join(keys)}")
    return table


def _plain(words: tuple[str, ...]) -> tuple[Pattern, ...]:
    return tuple(Pattern(word) for word in words)


def _literals(sentence: tuple[Literal | SlotPart, ...]) -> tuple[str, ...]:
    return tuple(part.text for part in sentence if isinstance(part, Literal))
