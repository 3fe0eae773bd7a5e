"""Free wording: an entry of the language file or its wordings, with a wrapping around it.

"Könnten Sie bitte den letzten Zug zurücknehmen" is "zurücknehmen" in a wrapping. Every word must be accounted for: an
unknown word, or a "nicht" that belongs nowhere, leaves the line without a meaning (`pointing` then asks).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

import chess

from voicechess.language import clauses
from voicechess.language.announcements import announced_moves, without_leading_particle
from voicechess.language.frames import Frames
from voicechess.language.lexicon import ANSWER_KEYS, Lexicon
from voicechess.language.patterns import Captures, Pattern
from voicechess.language.tokens import Token, read_number, required_words, slot_reader, without_endings
from voicechess.language.wrapping import ends, no_slots, spans
from voicechess.meaning import (
    UNKNOWN_WORD,
    Answer,
    AnswerKind,
    Castling,
    Command,
    Expectation,
    Meaning,
    QuestionKind,
    Reading,
    SlotValue,
    SpokenMove,
)

ANSWERED_BY_PARTS = frozenset({QuestionKind.WHICH_MOVE, QuestionKind.COMPLETE, QuestionKind.PROMOTION})
"""Questions that a part of a move can answer."""

DENIED_WITH_A_REASON = ANSWERED_BY_PARTS | {QuestionKind.YES_NO}
"""Questions to which a line starting with "no" is a no, whatever reason follows."""

PROMOTION_PIECES = (chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT)

CASTLING = SpokenMove(castling=Castling.UNSPECIFIED)
"""All that "castle" specifies."""

TERMS_ASKED = frozenset(
    {QuestionKind.OPPONENT, QuestionKind.COLOUR, QuestionKind.LEVEL, QuestionKind.TIME, QuestionKind.YES_NO}
)
"""Questions that several terms of a game may answer at once."""

TERMS = ("machine", "person", "colour", "random", "level", "minutes", "hours", "untimed")
"""Choices that are terms of a game."""

Entry = tuple[str, tuple[tuple[str, SlotValue], ...]]

_SLOT_NAMES = {"pieces": "piece", "nth": "number", "nth_rank": "rank"}


def in_own_words(
    tokens: Sequence[Token],
    lexicon: Lexicon,
    expectation: Expectation,
    chosen: Sequence[str],
    typed: bool,
    only: bool = False,
) -> Reading | None:
    """The reading of a line that matches no pattern of the language file as it stands; None if it has no meaning.

    `chosen`: the choices that answer the open question; `only`: nothing else counts. Decoys (`Lexicon.decoys`) in a
    recognised line are skipped too, but then a bystander may have said them (`Reading.trimmed`).
    """
    line = " ".join(token.text for token in tokens)
    words = tuple(token.text for token in tokens if any(map(str.isalnum, token.text)))
    if not words:
        return None
    if UNKNOWN_WORD in words:  # a sentence has no noise in it
        denied = expectation.asked.kind in DENIED_WITH_A_REASON and not only and _denies(words, lexicon)
        return Reading(Answer(AnswerKind.NO), words=line) if denied else None
    everywhere, quiet = lexicon.wordings.particles, _particles_in_quiet(lexicon)
    commands = None if typed else expectation.commands
    meaning = _said(words, lexicon, expectation, chosen, commands, typed, everywhere if typed else quiet)
    parts = clauses.split(tokens, lexicon) if typed else ()
    question = expectation.asked.kind

    def by_itself(clause: tuple[str, ...]) -> Meaning | None:
        return _by_itself(clause, lexicon, expectation, chosen)

    if typed and question is None and isinstance(meaning, Answer):  # to nothing: "darf ich den noch mal machen?"
        meaning = by_itself(words)
    if meaning is None and question in ANSWERED_BY_PARTS:
        meaning = clauses.meant(parts, lexicon, True, by_itself)
    if meaning is None and typed and question in DENIED_WITH_A_REASON:
        meaning = _chosen_instead(words, lexicon, chosen, by_itself)
    if meaning is None:
        meaning = _of_a_move(tokens, words, lexicon, question, typed)
    if meaning is None and typed:
        meaning = (
            _said_in_any_order(words, lexicon, expectation, chosen, commands, typed=True)
            or clauses.meant(parts, lexicon, question is not None, by_itself)
            or _said_in_two_clauses(words, lexicon, expectation, chosen)
            or _asked_rhetorically(tokens, lexicon, by_itself)
            or (_denied_with_a_reason(parts, by_itself) if question in DENIED_WITH_A_REASON else None)
        )
    if meaning is not None and not (only and getattr(meaning, "name", None) not in chosen):
        return Reading(meaning, words=line)
    if not typed and not quiet.issuperset(everywhere.intersection(words)):
        meaning = _said(words, lexicon, expectation, chosen, commands, typed, everywhere)
        if meaning is not None and not (only and getattr(meaning, "name", None) not in chosen):
            return Reading(meaning, words=line, trimmed=True)
    return None


def _said(
    words: tuple[str, ...],
    lexicon: Lexicon,
    expectation: Expectation,
    chosen: Sequence[str],
    commands: frozenset[str] | None,
    typed: bool,
    particles: frozenset[str],
) -> Meaning | None:
    """The answer, command, choice or terms that these words match. `commands`: those that can be given; None: all."""
    question = expectation.asked.kind
    found = _entry(words, lexicon, tuple(chosen), commands, question, typed, particles)
    if found is not None:
        return _meant_by(found, expectation)
    if question in TERMS_ASKED and (terms := _terms(words, lexicon, particles)):
        return Command("terms", terms)
    return None


def _of_a_move(
    tokens: Sequence[Token],
    words: tuple[str, ...],
    lexicon: Lexicon,
    question: QuestionKind | None,
    typed: bool,
    wide: bool = False,
) -> Meaning | None:
    """The move, or the "no" to one, that these words match. `wide`: as in `_move`."""
    move = _move(tokens, lexicon, typed, parts=question in ANSWERED_BY_PARTS, wide=wide)
    if move is not None:
        return as_promotion(move, lexicon) if question is QuestionKind.PROMOTION else move
    return Answer(AnswerKind.NO) if question in DENIED_WITH_A_REASON and _denies(words, lexicon) else None


@lru_cache(maxsize=8)
def _particles_in_quiet(lexicon: Lexicon) -> frozenset[str]:
    """Particles that are not decoys: background talk is not taken for them."""
    return lexicon.wordings.particles - frozenset(lexicon.decoys)


def _said_in_any_order(
    words: tuple[str, ...],
    lexicon: Lexicon,
    expectation: Expectation,
    chosen: Sequence[str],
    commands: frozenset[str] | None,
    answers: bool = True,
    typed: bool = False,
) -> Meaning | None:
    """The meaning of words in any order, contractions expanded. `commands`: as in `_said`; `answers`: whether they may
    be an answer."""
    frames = lexicon.typed.frames if typed else lexicon.frames
    full = frames.in_full(words)
    said = _said(full, lexicon, expectation, chosen, commands, True, lexicon.wordings.particles)
    if said is not None and (answers or not isinstance(said, Answer)):
        return said
    entry = _framed(full, lexicon, frames, tuple(chosen), expectation.asked.kind, commands)
    return None if entry is None else _meant_by(entry, expectation)


def _by_itself(
    words: tuple[str, ...], lexicon: Lexicon, expectation: Expectation, chosen: Sequence[str]
) -> Meaning | None:
    """The meaning of a clause of a typed line; without an open question, an answer only if it is nothing else."""
    if expectation.asked.kind is None:
        said = _said(words, lexicon, expectation, chosen, None, False, lexicon.wordings.particles)
        said = said or _said_in_any_order(words, lexicon, expectation, chosen, None, answers=False, typed=True)
        if said is not None:
            return said
    said = _said(words, lexicon, expectation, chosen, None, True, lexicon.wordings.particles)
    return said or _said_in_any_order(words, lexicon, expectation, chosen, None, typed=True)


def names_terms(tokens: Sequence[Token], lexicon: Lexicon) -> bool:
    """Whether a typed line says on what terms a game is to be played: "gegen den Computer mit Schwarz"."""
    words = tuple(token.text for token in tokens if any(map(str.isalnum, token.text)))
    if _terms(words, lexicon, lexicon.wordings.particles):
        return True
    frames = lexicon.typed.frames
    found = _framed(frames.in_full(words), lexicon, frames, TERMS, QuestionKind.OPPONENT, frozenset())
    return len(words) >= MIN_WORDS_OF_COMMAND and found is not None and found[0] in TERMS


def told_in_clauses(
    tokens: Sequence[Token], lexicon: Lexicon, expectation: Expectation, chosen: Sequence[str]
) -> tuple[Command, ...]:
    """Commands that are a clause of a typed line without an overall meaning, or the whole line, held back though it
    denies nothing: they are asked about."""
    parts = clauses.split(tokens, lexicon)
    found = clauses.meanings(parts, lambda words: _by_itself(words, lexicon, expectation, chosen))
    if len(parts) != 1 or not lexicon.wordings.negations.isdisjoint(parts[0]):
        return found
    meaning = _by_itself(parts[0], lexicon, expectation, chosen)
    return (meaning,) if isinstance(meaning, Command) else ()


def _asked_rhetorically(
    tokens: Sequence[Token], lexicon: Lexicon, read: Callable[[tuple[str, ...]], Meaning | None]
) -> Meaning | None:
    """The command in a question whose "not" denies nothing: "wollen wir uns nicht auf Remis einigen?"."""
    frames = lexicon.typed.frames
    words = frames.in_full([token.text for token in tokens if any(map(str.isalnum, token.text))])
    denied = [n for n, word in enumerate(words) if word in frames.rhetorical]
    if tokens[-1].raw != "?" or len(denied) != 1 or words[0] not in frames.opening_questions:
        return None
    meaning = read((*words[: denied[0]], *words[denied[0] + 1 :]))
    return meaning if isinstance(meaning, Command) else None


def _denied_with_a_reason(
    parts: Sequence[tuple[str, ...]], read: Callable[[tuple[str, ...]], Meaning | None]
) -> Answer | None:
    """The "no" that is a clause, with a reason behind it: "kommt nicht in Frage, ich stehe auf Gewinn"."""
    no = Answer(AnswerKind.NO)
    return no if len(parts) > 1 and read(parts[0]) == no else None


def _chosen_instead(
    words: tuple[str, ...],
    lexicon: Lexicon,
    chosen: Sequence[str],
    read: Callable[[tuple[str, ...]], Meaning | None],
) -> Command | None:
    """The choice behind a "no", in any order ("nein, ich spiel mit meiner Schwester"), or that the "no" is part of ("no
    time limit")."""
    begins = [end for end in ends(words, 0, lexicon.wordings.correction, lexicon) if end < len(words)]
    for begin in (0, *begins) if chosen and begins else ():
        meaning = read(words[begin:])
        if isinstance(meaning, Command) and meaning.name in chosen:
            return meaning
    return None


MIN_WORDS_OF_CLAUSE = 2
"""Fewest words of a clause. Smaller: more lines have a meaning."""


def _said_in_two_clauses(
    words: tuple[str, ...], lexicon: Lexicon, expectation: Expectation, chosen: Sequence[str]
) -> Command | None:
    """The command that both halves of a line mean independently: a reason and a wish ("ich verstehe dich kaum, sprich
    lauter")."""
    for end in range(MIN_WORDS_OF_CLAUSE, len(words) - MIN_WORDS_OF_CLAUSE + 1):
        first, second = (
            _said_in_any_order(clause, lexicon, expectation, chosen, None, typed=True)
            for clause in (words[:end], words[end:])
        )
        if isinstance(first, Command) and first == second:
            return first
    return None


MIN_WORDS_OF_COMMAND = 3
"""Fewest recognised words of a command in any order. Smaller: more background talk is obeyed, where a word or two
resemble anything."""


def heard_in_any_order(
    tokens: Sequence[Token],
    lexicon: Lexicon,
    expectation: Expectation,
    chosen: Sequence[str],
    commands: bool,
) -> Meaning | None:
    """The meaning of recognised words in any order, or in a wrapping of typed moves; None if they have none, or a word
    is unknown. They have to fit the sound well (`Hearing.understood`). `commands`: whether they may be a command."""
    words = tuple(token.text for token in tokens)
    if not words or UNKNOWN_WORD in words:
        return None
    question = expectation.asked.kind
    meaning = _of_a_move(tokens, words, lexicon, question, typed=False, wide=True)
    if meaning is not None:
        return meaning
    may = expectation.commands if commands and question not in ANSWERED_BY_PARTS else frozenset()
    return _said_in_any_order(words, lexicon, expectation, chosen, may, answers=question is not None)


def move_in_a_sentence(tokens: Sequence[Token], lexicon: Lexicon) -> SpokenMove | None:
    """The whole move in a recognised sentence with free wording as in typed lines ("mit dem Läufer gehe ich auf Bella
    fünf"); None if there is none, or a word is unknown."""
    words = tuple(token.text for token in tokens)
    if not words or UNKNOWN_WORD in words:
        return None
    return _move(tokens, lexicon, typed=False, parts=False, wide=True, framed=True)


@lru_cache(maxsize=1024)
def _framed(
    words: tuple[str, ...],
    lexicon: Lexicon,
    frames: Frames,
    chosen: tuple[str, ...],
    question: QuestionKind | None,
    commands: frozenset[str] | None,
) -> Entry | None:
    """The choice, answer or command whose frame matches all of these words; first those that answer the open question.
    `commands`: as in `_said`."""
    read_slot = slot_reader(words, lexicon)
    sections: dict[str, frozenset[str] | tuple[str, ...] | None] = {
        "choices": chosen,
        "answers": None,
        "commands": commands,
    }
    if question is None:
        del sections["answers"]
    for section, names in sections.items():
        found = frames.fitting(words, section, names, read_slot)
        if found is not None:
            key, captures = found
            taken = _slots_taken(lexicon, section).get(key, frozenset())
            return key, tuple(slot for slot in numbered(captures) if slot[0].rstrip("2345") in taken)
    return None


def _meant_by(entry: Entry, expectation: Expectation) -> Meaning:
    key, slots = entry
    if key == "other":
        return _other(expectation)
    return _answer(key) if key in ANSWER_KEYS else Command(key, slots)


def _answer(key: str) -> Answer:
    kind, choice = ANSWER_KEYS[key]
    return Answer(kind, choice)


def _other(expectation: Expectation) -> Answer:
    """ "Den anderen": the second of two; a no to a single one."""
    return Answer(AnswerKind.CHOICE, 2) if len(expectation.asked.candidates) == 2 else Answer(AnswerKind.NO)


def _denies(words: Sequence[str], lexicon: Lexicon) -> bool:
    """Whether it starts with a "no" after which something else follows."""
    return any(True for _ in lexicon.answers["no"][0].match(words, 0, no_slots, lexicon.fillers))


@lru_cache(maxsize=1024)
def _entry(
    words: tuple[str, ...],
    lexicon: Lexicon,
    chosen: tuple[str, ...],
    commands: frozenset[str] | None,
    question: QuestionKind | None,
    typed: bool,
    particles: frozenset[str],
) -> Entry | None:
    """The choice, answer or command that these words are, with the shortest wrapping."""
    around = lexicon.wordings
    answers = typed or question is not None
    skip = lexicon.fillers | particles
    beside = skip if typed else lexicon.fillers  # "das Jahr" is no "ja"
    for start, end in spans(words, around.before, around.behind, lexicon):
        inner = words[start:end]
        if chosen and (entry := _fitting(inner, lexicon, "choices", chosen, skip)):
            return entry
        if answers and (entry := _fitting(inner, lexicon, "answers", None, beside)):
            return entry
        if entry := _fitting(inner, lexicon, "commands", commands, skip):
            return entry
    if chosen:
        for begin in ends(words, 0, around.correction, lexicon):
            for start, end in spans(words[begin:], around.before, around.behind, lexicon):
                if entry := _fitting(words[begin:][start:end], lexicon, "choices", chosen, skip):
                    return entry
    return None


def _fitting(
    words: tuple[str, ...], lexicon: Lexicon, section: str, names: Iterable[str] | None, skip: frozenset[str]
) -> Entry | None:
    """The entry, among these names, with a pattern that matches all words except those in `skip`."""
    if not _may_fit(words, skip, lexicon, section):
        return None
    for passed in (skip - lexicon.wordings.telling, skip):
        if entry := _fitting_without(words, passed, lexicon, section, names):
            return entry
    return None


def _may_fit(words: tuple[str, ...], skip: frozenset[str], lexicon: Lexicon, section: str) -> bool:
    """Whether any pattern has all these words except those in `skip`: a cheap test that hardly any line passes."""
    having, with_slots = _patterns_by_word(lexicon, section)
    told, left = required_words(words, skip, lexicon), -1
    for word in told.words:
        left &= having.get(word, 0) | (0 if word in told.plain else with_slots)
        if not left:
            return False
    return True


@lru_cache(maxsize=32)
def _patterns_by_word(lexicon: Lexicon, section: str) -> tuple[Mapping[str, int], int]:
    """The patterns of a section with each word, and those with a slot, as bit masks: bit n is pattern n."""
    having: dict[str, int] = {}
    with_slots = 0
    tables = (_table(lexicon, section), lexicon.wordings.section(section))
    for n, pattern in enumerate(one for table in tables for patterns in table.values() for one in patterns):
        with_slots |= pattern.has_slot << n
        for word in pattern.words():
            having[word] = having.get(word, 0) | 1 << n
    return having, with_slots


def _fitting_without(
    words: tuple[str, ...], skip: frozenset[str], lexicon: Lexicon, section: str, names: Iterable[str] | None
) -> Entry | None:
    index = _by_first_word(lexicon, section)
    found: dict[tuple[str, Pattern], None] = dict.fromkeys(index.get("", ()))
    for word in words:
        found.update(dict.fromkeys(index.get(word, ())))
        if word not in skip:
            break
    read_slot = slot_reader(words, lexicon)
    told = required_words(words, skip, lexicon)
    for key, pattern in found:
        if (names is not None and key not in names) or not told.may_fit(pattern):
            continue
        for end, captures in pattern.match(words, 0, read_slot, skip):
            if all(word in skip for word in words[end:]):
                taken = _slots_taken(lexicon, section).get(key, frozenset())
                return key, tuple(slot for slot in numbered(captures) if slot[0].rstrip("2345") in taken)
    return None


@lru_cache(maxsize=32)
def _slots_taken(lexicon: Lexicon, section: str) -> Mapping[str, frozenset[str]]:
    """Slots of each entry in the language file. A wording may have words for more ("was hat Schwarz gezogen"): those
    are no slots."""
    return {
        key: frozenset(_SLOT_NAMES.get(name, name) for pattern in patterns for name in pattern.slots())
        for key, patterns in _table(lexicon, section).items()
    }


def _table(lexicon: Lexicon, section: str) -> Mapping[str, tuple[Pattern, ...]]:
    return {"answers": lexicon.answers, "commands": lexicon.commands, "choices": lexicon.choices}[section]


def numbered(captures: Captures) -> tuple[tuple[str, SlotValue], ...]:
    """Captures as slots of a command: a second value of the same name becomes "number2", and plurals become pieces."""
    counts: dict[str, int] = {}
    slots: list[tuple[str, SlotValue]] = []
    for slot, value in captures:
        name = _SLOT_NAMES.get(slot, slot)
        counts[name] = counts.get(name, 0) + 1
        if isinstance(value, int | bool | str):
            given = bool(value) if name == "colour" else value
            slots.append((name if counts[name] == 1 else f"{name}{counts[name]}", given))
    return tuple(slots)


@lru_cache(maxsize=32)
def _by_first_word(lexicon: Lexicon, section: str) -> Mapping[str, tuple[tuple[str, Pattern], ...]]:
    """Every pattern of a section (the language file's first) with its entry, by the words it can start with."""
    index: dict[str, dict[tuple[str, Pattern], None]] = {}
    for table in (_table(lexicon, section), lexicon.wordings.section(section)):
        for key, patterns in table.items():
            for pattern in patterns:
                for word in pattern.first_words():
                    index.setdefault(word, {})[(key, pattern)] = None
    return {word: tuple(found) for word, found in index.items()}


def _terms(
    words: tuple[str, ...], lexicon: Lexicon, particles: frozenset[str]
) -> tuple[tuple[str, SlotValue], ...] | None:
    """Several terms at once, each as a slot named like its choice: "gegen den Computer mit Schwarz, Stufe drei, zehn
    Minuten". A lone number is no term: it might be a level or minutes."""
    found = _terms_from(words, 0, lexicon, lexicon.fillers | particles | lexicon.typed.frames.joining)
    told = dict.fromkeys(term for one in found or () for term in one)
    terms = dict(tuple(told))
    alone = found is None or len(found) < 2 or len(terms) < len(found)
    return None if alone or len(terms) < len(told) else tuple(terms.items())  # "drei Minuten Blitz" names two times


def _terms_from(
    words: tuple[str, ...], start: int, lexicon: Lexicon, skip: frozenset[str]
) -> tuple[tuple[tuple[str, SlotValue], ...], ...] | None:
    """The consecutive terms from here on; None if anything else is among them."""
    if all(word in skip or word in lexicon.numerals.joiners for word in words[start:]):
        return ()
    for end in range(len(words), start, -1):
        term = _term(words[start:end], lexicon, skip)
        rest = _terms_from(words, end, lexicon, skip) if term else None
        if term and rest is not None:
            return (term, *rest)
    return None


def _term(words: tuple[str, ...], lexicon: Lexicon, skip: frozenset[str]) -> tuple[tuple[str, SlotValue], ...]:
    inner = words[1:] if words[0] in lexicon.numerals.joiners else words
    if (
        not inner
        or all(word in skip for word in inner)
        or any(e == len(inner) for e, _ in read_number(inner, 0, lexicon))
    ):
        return ()
    around = lexicon.wordings
    for start, end in spans(inner, around.before, around.behind, lexicon):
        entry = _fitting(inner[start:end], lexicon, "choices", TERMS, skip)
        if entry is not None and not all(word in lexicon.wordings.ordinals for word in inner[start:end]):
            key, slots = entry
            values = dict(slots)
            if key == "hours":
                return (("minutes", 60 * int(values.get("number", 0)) + int(values.get("number2", 0))),)
            if key == "minutes":
                return (("minutes", values["number"]), ("increment", values.get("number2", 0)))
            return ((key, values.get("colour", values.get("number", True))),)
    return ()


# --- Moves ---


def as_promotion(move: SpokenMove, lexicon: Lexicon) -> SpokenMove:
    """A move that names only a piece, as the answer to "which piece?" at a promotion. Where a rook is called a castle,
    a lone "castle" is one."""
    castling = {word for pattern in lexicon.castling[Castling.UNSPECIFIED] for word in pattern.words()}
    if move == CASTLING and not castling.isdisjoint(lexicon.pieces[chess.ROOK]):
        return SpokenMove(promotion=chess.ROOK)
    if move.piece in PROMOTION_PIECES and move == SpokenMove(piece=move.piece):
        return SpokenMove(promotion=move.piece)
    if move.captured in PROMOTION_PIECES and move == SpokenMove(captures=True, captured=move.captured):
        return SpokenMove(promotion=move.captured)  # "ich nehme eine Dame"
    return move


def _move(
    tokens: Sequence[Token], lexicon: Lexicon, typed: bool, parts: bool, wide: bool = False, framed: bool = False
) -> SpokenMove | None:
    """The one move announced in a wrapping; `parts`: or a partial move; `wide`: also in a wrapping of typed lines;
    `framed`: also with typed words between its elements."""
    around = lexicon.wordings
    before, behind = around.move_before, around.move_behind
    if typed or wide:
        frames = lexicon.typed.frames if typed else lexicon.frames
        before, behind = before + frames.move_before, behind + frames.move_behind
    if typed:
        tokens = without_endings(tokens)
    tokens = without_leading_particle(tokens, lexicon)
    words = tuple(token.text for token in tokens)
    double = around.particles & lexicon.links  # "ich sag mal" captures nothing
    for start, end in spans(words, before, behind, lexicon):
        if start and words[start] in double:
            continue
        moves = announced_moves(tokens[start:end], lexicon, typed, wide=True, framed=framed)
        said = {
            replace(move)
            for move in moves
            if move.complete
            or parts
            or move in ALONE
            or (move.captured and move.piece)
            or (move.captures and (typed or (wide and move.captured)))
        }
        if len(said) == 1:
            return said.pop()
    return None


ALONE = (SpokenMove(en_passant=True), SpokenMove(captures=True))
"""All that "take en passant" and "take it" specify."""
