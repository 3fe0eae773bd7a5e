"""Did-you-mean for lines that no pattern matches: the entries (commands and choices) that share their words.

Nothing is done without asking: one entry is asked about ("Zurücknehmen?"), two are offered as a choice. A word weighs
more the fewer entries have it; its inflected forms, and prefixes in [content] of the wordings, nearly as much.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice

import chess

from voicechess.language.lexicon import Lexicon
from voicechess.language.patterns import Constant, Literal, Pattern, SlotPart
from voicechess.language.tokens import file_numbers, piece_types, rank_numbers, slot_reader
from voicechess.meaning import UNKNOWN_WORD, Command, Expectation, SlotValue

MIN_SCORE = 0.3
"""Lowest score of an entry that is asked about; a word of a single entry scores 1. Larger: fewer questions."""

RIVAL_SHARE = 0.7
"""Share of the best score, 0 to 1, from which another entry is offered beside it. Larger: fewer are."""

MAX_ENTRIES = 8
"""Most entries that may share a word for it to count. Larger: vaguer words count."""

FORM_WEIGHT = 0.7
"""Factor for an inflected form of a word. Larger: it counts more."""

MAX_OFFERED = 2
"""Most entries offered at a time."""

MIN_FORM_LETTERS = 5
"""Fewest letters of a word with inflected forms: shorter ones resemble other words. Larger: fewer forms."""

MAX_FUNCTION_LETTERS = 3
"""Most letters of a word taken for an article, pronoun and the like. Larger: fewer words point anywhere."""

SLOTS = ("square", "pieces", "piece", "file", "rank", "colour", "number", "nth", "nth_rank", "own")
"""Slots searched for in a line, longest first; those of one name, the first that is found."""

_NAMES = {"pieces": "piece", "nth": "number", "nth_rank": "rank"}
"""Names of slots in a command where they differ."""


@dataclass(frozen=True)
class _Index:
    """Index from words to entries."""

    words: Mapping[str, Mapping[str, float]]  # word -> entries with weights
    beginnings: Mapping[str, Mapping[str, float]]  # prefix -> entries with weights
    alike: Mapping[str, set[str]]  # first `MIN_FORM_LETTERS` - 1 letters -> words
    ending: Mapping[str, frozenset[str]]  # suffix -> words


def pointed_at(
    words: Sequence[str], lexicon: Lexicon, commands: Collection[str], chosen: Collection[str]
) -> tuple[tuple[Command, bool], ...]:
    """At most `MAX_OFFERED` of these commands and choices, best first; none if the words point nowhere, or negate.

    With each, whether every word is its own or meaningless, none denies, and nothing else matches: then only the word
    order is unknown.
    """
    said = [word for word in words if word != UNKNOWN_WORD]
    slots = slots_in(said, lexicon)
    around = lexicon.wordings
    denied = [word for word in said if word in around.negations]
    scores: dict[str, float] = {}
    for section, names in (("choices", chosen), ("commands", commands)):
        for word in dict.fromkeys(said):
            if word in _saying_nothing(lexicon):
                continue
            for key, weight in _weights(word, lexicon, section, MAX_ENTRIES, word not in around.negations).items():
                if key in names:
                    scores[key] = scores.get(key, 0.0) + weight
        for key in list(scores):
            if denied and key in names and not any(word in _own_words(lexicon, section, key) for word in denied):
                del scores[key]
    found: list[tuple[float, Command]] = []
    for key, score in scores.items():
        section = "choices" if key in chosen else "commands"
        values = filled(lexicon, section, key, slots, said)
        if values is not None and score >= MIN_SCORE:
            found.append((score + 0.2 * sum(name in slots for name, _ in values), Command(key, values)))
    found.sort(key=lambda one: -one[0])
    near = [one for score, one in found if score >= RIVAL_SHARE * found[0][0]][:MAX_OFFERED]
    sure = len(near) == 1 and not denied
    return tuple((one, sure and _all_own(said, lexicon, one.name, chosen)) for one in near)


def _all_own(words: Sequence[str], lexicon: Lexicon, key: str, chosen: Collection[str]) -> bool:
    around = lexicon.wordings
    own = _own_words(lexicon, "choices" if key in chosen else "commands", key)
    beginnings = around.content.get(key, ())
    values = {*file_numbers(lexicon), *rank_numbers(lexicon), *piece_types(lexicon), *around.pieces}
    silent = around.wrapping_words | values
    if not all(word in own or word in silent or word.startswith(beginnings) for word in words):
        return False
    return not _counts_something_else(words, lexicon, "choices" if key in chosen else "commands", key)


def _counts_something_else(words: Sequence[str], lexicon: Lexicon, section: str, key: str) -> bool:
    """Whether the number is one of things that this entry has elsewhere only, or not at all: "five whole hours" and
    "five seconds" are no five minutes."""
    behind = _behind_a_number(lexicon, section, key)
    if not behind:
        return False
    read = slot_reader(words, lexicon)
    ends = (end for start in range(len(words)) for end, _ in read("number", start))
    following = next((words[end] for end in ends if end < len(words)), None)
    return following is not None and following not in behind and following not in lexicon.wordings.wrapping_words


@lru_cache(maxsize=512)
def _behind_a_number(lexicon: Lexicon, section: str, key: str) -> frozenset[str]:
    """The words that may follow the first number in the patterns of an entry."""
    sentences = _sentences(patterns_of(lexicon, section, key))
    numbers = [next((n for n, part in enumerate(one) if _is_number(part)), len(one)) for one in sentences]
    behind = [one[number + 1] for one, number in zip(sentences, numbers, strict=True) if number + 1 < len(one)]
    return frozenset(part.text for part in behind if isinstance(part, Literal))


def _is_number(part: Literal | SlotPart | Constant) -> bool:
    return isinstance(part, SlotPart) and part.name == "number"


@lru_cache(maxsize=8192)
def _weights(word: str, lexicon: Lexicon, section: str, common: int, alone: bool) -> Mapping[str, float]:
    """A word's weight for each entry; "nicht" and "kein" (not `alone`) count only through [content]."""
    index = _index(lexicon, section, common)
    if alone and word in index.words:
        return index.words[word]
    found: dict[str, float] = {}
    for beginning, entries in index.beginnings.items():
        if word.startswith(beginning):
            found.update(entries)
    if found or len(word) < MIN_FORM_LETTERS:
        return found
    for other in index.alike.get(word[: MIN_FORM_LETTERS - 1], set()).union(*_with_ending(word, index)):
        if _is_form(word, other):
            entries = index.words[other]
            for key, weight in entries.items():
                found[key] = max(found.get(key, 0.0), FORM_WEIGHT * weight)
    return found


def _with_ending(word: str, index: _Index) -> Iterator[frozenset[str]]:
    """Words that are a suffix of this one, and words with this one as a suffix."""
    for length in range(MIN_FORM_LETTERS, len(word) + 1):
        yield index.ending.get(word[-length:], frozenset())


def _is_form(word: str, other: str) -> bool:
    """Whether they share a stem and differ in their endings, or one is the last part of a compound."""
    if len(other) < MIN_FORM_LETTERS:
        return False
    if word.endswith(other) or other.endswith(word):
        return True
    same = next((n for n, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), min(len(word), len(other)))
    return same >= MIN_FORM_LETTERS - 1 and same >= max(len(word), len(other)) - 3


def patterns_of(lexicon: Lexicon, section: str, key: str) -> tuple[Pattern, ...]:
    """Patterns of an entry, in the language file and in the wordings."""
    table = {"commands": lexicon.commands, "choices": lexicon.choices}[section]
    return (*table.get(key, ()), *lexicon.wordings.section(section).get(key, ()))


def says_nothing(word: str, lexicon: Lexicon) -> bool:
    """Whether a word has no meaning of its own."""
    return word in _saying_nothing(lexicon)


def words_near(word: str, lexicon: Lexicon, section: str, denies: bool) -> Mapping[str, float]:
    """Entries of a section with this word or a form of it, each with its weight."""
    return _weights(word, lexicon, section, len(lexicon.commands), not denies)


def is_own(lexicon: Lexicon, section: str, key: str, words: Collection[str]) -> bool:
    """Whether an entry has one of these words in its patterns."""
    return not _own_words(lexicon, section, key).isdisjoint(words)


@lru_cache(maxsize=512)
def slot_alone(lexicon: Lexicon, section: str, key: str) -> str | None:
    """The slot that an entry may consist of: a colour, a number."""
    roots = (pattern.root for pattern in patterns_of(lexicon, section, key))
    return next((root.name for root in roots if isinstance(root, SlotPart)), None)


@lru_cache(maxsize=512)
def _own_words(lexicon: Lexicon, section: str, key: str) -> frozenset[str]:
    return frozenset(word for pattern in patterns_of(lexicon, section, key) for word in pattern.words())


@lru_cache(maxsize=8)
def _saying_nothing(lexicon: Lexicon) -> frozenset[str]:
    """Words that point to no entry: those of wrappings and moves, and short ones that are no entry by themselves."""
    moves = frozenset(word for patterns in lexicon.move.values() for pattern in patterns for word in pattern.words())
    tables = (lexicon.commands, lexicon.choices)
    alone = {p.text for table in tables for patterns in table.values() for p in patterns}
    short = {word for word in lexicon.spoken_words | lexicon.wordings.words if len(word) <= MAX_FUNCTION_LETTERS}
    content = {word for words in lexicon.wordings.content.values() for word in words}
    return (
        lexicon.wordings.wrapping_words
        | lexicon.wordings.function
        | moves
        | lexicon.fillers
        | ((short | set(lexicon.decoys)) - alone - content)
    )


@lru_cache(maxsize=8)
def _index(lexicon: Lexicon, section: str, common: int) -> _Index:
    table = {"commands": lexicon.commands, "choices": lexicon.choices}[section]
    by_word: dict[str, set[str]] = {}
    for key in table:
        for word in _own_words(lexicon, section, key) - _saying_nothing(lexicon):
            by_word.setdefault(word, set()).add(key)
    beginnings: dict[str, set[str]] = {}
    for key, words in lexicon.wordings.content.items():
        for word in words if key in table else ():
            beginnings.setdefault(word, set()).add(key)
    entries = _weighted(by_word, common)
    alike: dict[str, set[str]] = {}
    ending: dict[str, set[str]] = {}
    for word in entries:
        alike.setdefault(word[: MIN_FORM_LETTERS - 1], set()).add(word)
        for length in range(MIN_FORM_LETTERS, len(word) + 1):
            ending.setdefault(word[-length:], set()).add(word)
    return _Index(
        entries, _weighted(beginnings, common), alike, {letters: frozenset(found) for letters, found in ending.items()}
    )


def _weighted(entries: Mapping[str, set[str]], common: int) -> Mapping[str, Mapping[str, float]]:
    return {word: dict.fromkeys(sorted(keys), 1 / len(keys)) for word, keys in entries.items() if len(keys) <= common}


# --- Slot values, and reading them back ---


def slots_in(words: Sequence[str], lexicon: Lexicon) -> dict[str, SlotValue]:
    """The first value in the line for each slot."""
    read = slot_reader(words, lexicon)
    found: dict[str, SlotValue] = {}
    for name in SLOTS:
        for start in range(len(words)):
            value = next((value for _, value in read(name, start)), None)
            if isinstance(value, int | bool | str):
                found.setdefault(_NAMES.get(name, name), value)
                break
    return found


Values = tuple[tuple[str, SlotValue], ...]


def filled(
    lexicon: Lexicon, section: str, key: str, slots: Mapping[str, SlotValue], said: Collection[str]
) -> Values | None:
    """The slots of an entry as this line fills them, and the values its words imply; None if one is missing, or the
    line implies two, such as minutes and seconds."""
    named = [one for one, words in _constants(lexicon, section, key).items() if not words.isdisjoint(said)]
    given = named[0] if named else ()
    sentence = _usual(lexicon, section, key, frozenset(slots), given)
    if sentence is None or len(named) > 1:
        return None
    names = [_NAMES.get(part.name, part.name) for part in sentence if isinstance(part, SlotPart)]
    return (*((name, slots[name]) for name in names), *given)


@lru_cache(maxsize=512)
def _constants(lexicon: Lexicon, section: str, key: str) -> Mapping[Values, frozenset[str]]:
    """Values that sentences of an entry imply, with the words found only in those: seconds by "Sekunden", nothing by
    "Minuten". Empty if all imply the same."""
    words: dict[Values, set[str]] = {}
    for sentence in _sentences(_patterns(lexicon, section, key)):
        given = _given(sentence)
        words.setdefault(given, set()).update(part.text for part in sentence if isinstance(part, Literal))
    return {
        one: frozenset(own.difference(*(others for other, others in words.items() if other != one)))
        for one, own in words.items()
        if len(words) > 1
    }


def _given(sentence: Iterable[Literal | SlotPart | Constant]) -> Values:
    return tuple((part.name, part.value) for part in sentence if isinstance(part, Constant))


Sentence = tuple[Literal | SlotPart | Constant, ...]


def _patterns(lexicon: Lexicon, section: str, key: str) -> tuple[Pattern, ...]:
    return {"commands": lexicon.commands, "choices": lexicon.choices}[section].get(key, ())


def _sentences(patterns: Iterable[Pattern]) -> list[Sentence]:
    return [one for pattern in patterns for one in islice(pattern.expand_with_constants(), 64)]


@lru_cache(maxsize=2048)
def _usual(
    lexicon: Lexicon, section: str, key: str, slots: frozenset[str], given: Values = (), several: bool = False
) -> Sentence | None:
    """The first sentence in the language file whose slots are all given; of those without slots the shortest. `given`:
    the implied values. `several`: in the plural."""
    patterns = _patterns(lexicon, section, key)
    named = slots | ({"pieces"} if "piece" in slots else set())
    sentences = [one for one in _sentences(patterns) if _given(one) == given]
    names = [[part.name for part in one if isinstance(part, SlotPart)] for one in sentences]
    fitting = [
        (one, bool(own))
        for one, own in zip(sentences, names, strict=True)
        if named.issuperset(own) and len(own) == len(set(own))  # one value each
    ]
    usual = _sentences(patterns[:1])
    plain = sorted((one for one, with_slot in fitting if not with_slot), key=lambda one: (one not in usual, len(one)))
    chosen = next(chain((one for one, with_slot in fitting if with_slot), plain), None)  # "Mensch", "Stufe drei"
    if chosen is None or not several:
        return chosen
    return next((one for one, _ in fitting if one != chosen and _is_plural(one, chosen)), chosen)


def _is_plural(sentence: Sentence, other: Sentence) -> bool:
    """Whether they differ only in endings: "{number} minute", "{number} minuten"."""
    return len(sentence) == len(other) and all(
        a == b or (isinstance(a, Literal) and isinstance(b, Literal) and a.text.startswith(b.text))
        for a, b in zip(sentence, other, strict=True)
    )


def may_be_asked_about(expectation: Expectation, lexicon: Lexicon, typed: bool) -> frozenset[str]:
    """Names of the commands that a line may be asked about: those that can be given now."""
    if expectation.commands is not None:
        return expectation.commands
    talk = expectation.among_talk | ({"end", "practise", "calibrate"} if typed else {"end"})
    return talk if expectation.among_talk else frozenset(lexicon.commands)


def usual_words(command: Command, lexicon: Lexicon) -> str:
    """The usual wording of a command or choice with its slots filled: "was steht auf Eva vier"."""
    slots = {name: value for name, value in command.slots if name != "own"}  # its form depends on the piece
    for section in ("choices", "commands"):
        constants = _constants(lexicon, section, command.name)
        given = next((one for one in constants if one and set(one) <= set(command.slots)), ())
        sentence = _usual(lexicon, section, command.name, frozenset(slots), given, slots.get("number", 1) != 1)
        if sentence is not None:
            said = [part for part in sentence if not isinstance(part, Constant)]
            words = [
                part.text if isinstance(part, Literal) else _word(part.name, slots, lexicon, last=part is said[-1])
                for part in said
            ]
            return " ".join(lexicon.about.written(word) for phrase in words for word in phrase.split())
    return command.name


def _word(name: str, slots: Mapping[str, SlotValue], lexicon: Lexicon, last: bool) -> str:
    """The usual word for a slot's value. `last`: nothing follows, so that a number is said as one counts: "Stufe eins",
    but "ein Zug"."""
    value = slots["piece" if name == "pieces" else name]
    if name == "number" and last and 1 <= int(value) <= len(lexicon.ranks):
        return lexicon.ranks[int(value) - 1][0]
    if name == "square":
        square = int(value)
        return f"{lexicon.files[chess.square_file(square)][0]} {lexicon.ranks[chess.square_rank(square)][0]}"
    if name == "colour":
        return lexicon.colours[bool(value)][0]
    return next(_plain(name, int(value), lexicon), str(value))


def _plain(name: str, value: int, lexicon: Lexicon) -> Iterator[str]:
    tables: Mapping[str, Mapping[int, Sequence[str]]] = {
        "file": dict(enumerate(lexicon.files)),
        "rank": dict(enumerate(lexicon.ranks)),
        "piece": lexicon.pieces,
        "pieces": lexicon.plurals,
        "number": lexicon.numerals.words,
    }
    if value in tables.get(name, {}):
        yield tables[name][value][0]
