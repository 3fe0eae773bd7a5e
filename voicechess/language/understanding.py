"""From words to a meaning: an announced move, a command, an answer, or the reason why there is none.

Pure and total: any line has a meaning, if only `Unclear`. The open question decides between meanings: "drei" is a
level, a number of minutes, a rank or the third choice.

The language file takes precedence, then free wording (`natural`). Unknown words are not skipped: with one, a command or
an answer is not understood, and a whole move costs so much that it is asked about and never played at once. Fillers
("äh", "bitte") are skipped everywhere.

Commands are understood even when they are not valid now (`Expectation.commands`), so that the game can say why not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache

import chess

from voicechess.language import corrections
from voicechess.language.announcements import announced_moves, stray
from voicechess.language.beside import moves_beside, promotion_beside, wonders
from voicechess.language.denials import Read, is_denied
from voicechess.language.folders import common_words
from voicechess.language.lexicon import ANSWER_KEYS, Lexicon
from voicechess.language.natural import as_promotion, in_own_words, numbered
from voicechess.language.patterns import Pattern
from voicechess.language.placements import placements
from voicechess.language.remarks import belongs_before_the_game, courtesy, without_ages, written_to_them
from voicechess.language.searching import searched_in_any
from voicechess.language.steps import with_targets
from voicechess.language.tokens import (
    ENDINGS,
    MAX_CHARACTERS,
    Token,
    numbered_move,
    read_number,
    required_words,
    slot_reader,
    tokenise,
)
from voicechess.language.wings import on_squares
from voicechess.meaning import (
    CASTLING_CHOICES,
    UNKNOWN_WORD,
    Answer,
    AnswerKind,
    Command,
    Expectation,
    Meaning,
    QuestionKind,
    Reading,
    SlotValue,
    SpokenMove,
    Unclear,
    UnclearReason,
    is_partial_move,
    is_whole_move,
)

MAX_WORDS = 24
"""Most words of a line, fillers included: no announcement, command or answer has more. Larger: more computing."""

MAX_PLACED_WORDS = 120
"""The same while a position is built: thirty-two pieces on squares. Larger: more computing."""

EDGE_WORD_COST, INNER_WORD_COST = 1.0, 2.0
"""Cost of an unknown or everyday word at the edge of a whole move, and within it. Above `Thresholds.clean`, so that the
move is never played at once. Larger: fewer such moves are asked about."""

LOST_WORD_COST = EDGE_WORD_COST
"""Cost of a word of a move that must have been said but was not recognised. Larger: fewer such moves are asked
about."""

CHOICES: Mapping[QuestionKind, tuple[str, ...]] = {
    QuestionKind.COLOUR: ("colour", "random", "usual", "ask_colour"),
    QuestionKind.OPPONENT: (
        "machine",
        "person",
        "online",
        "correspondence",
        "usual",
        "as_set",
        "ask_opponent",
        "begin",
    ),
    QuestionKind.LEVEL: ("level", "harder", "easier", "levels", "level_mixed", "usual", "ask_level"),
    QuestionKind.TIME: ("minutes", "hours", "timed", "untimed", "usual", "chess960"),
    QuestionKind.DAYS: ("days", "days_moves", "untimed"),
    QuestionKind.EXERCISE: (
        *("number", "colour", "light", "dark", "same", "different", "unknown", "empty", "piece", "placed"),
        *("exercise", "set_level", "next_level"),  # and every "exercise_…"
    ),
    QuestionKind.ONLINE: ("seek", "friend", "machine", "games"),
    QuestionKind.ONLINE_TIME: (
        *("minutes", "hours", "days", "untimed", "minutes_rated", "minutes_casual", "days_rated", "days_casual"),
        *("friend", "machine", "colour", "random", "ratings"),
    ),
    QuestionKind.RATED: ("rated", "casual", "colour", "random", "ratings"),
    QuestionKind.FRIEND: ("number",),
    QuestionKind.SPELLING: ("letters",),
    QuestionKind.NUMBER: ("number",),
    QuestionKind.WAITING: ("cancel",),
    QuestionKind.SEEKING: ("cancel", "colour", "random", "ratings"),
    QuestionKind.CHALLENGED: ("later",),
    QuestionKind.FOUND: ("narrow", "opponents", "openings", "months", "all_games", "open_game", "number"),
    QuestionKind.SET_UP: (
        *("placed", "piece", "colour", "remove", "clear_board", "start_position", "to_move"),
        *("may_castle_short", "may_castle_long", "may_castle", "no_castling"),
    ),
}
"""Question -> the choices ([choices] in the language files) that answer it; use `choices_of`, which includes
exercises."""

_UNKNOWN = frozenset({UnclearReason.UNKNOWN_WORDS, UnclearReason.UNKNOWN_LETTER, UnclearReason.UNKNOWN_SIGN})

MARK_QUESTIONS = frozenset({QuestionKind.WHICH_MOVE, QuestionKind.COMPLETE})
"""Questions that a lone "schlägt" or "mit Schach" can answer."""


def understand(words: str, lexicon: Lexicon, expectation: Expectation, typed: bool = False) -> Meaning:
    """The likeliest meaning of a line. `typed` lines may contain SAN, UCI, letters and digits, in any language; the
    lexicon's own takes precedence. Never raises."""
    return understand_all(words, lexicon, expectation, typed)[0].meaning


def understand_all(words: str, lexicon: Lexicon, expectation: Expectation, typed: bool = False) -> tuple[Reading, ...]:
    """Every meaning of a line, likeliest first, never empty; never raises.

    Equal costs come only from ambiguous letters ("Bb4": SAN's bishop or a German Bauer) and from exercises ("drei": a
    number or a rank): if more than one is possible, the game has to ask.
    """
    if len(words) > MAX_CHARACTERS:
        return (Reading(Unclear(UnclearReason.TOO_LONG)),)
    if typed and expectation.board is not None:
        named = on_squares(words, (lexicon, *lexicon.others), expectation.board)
        if isinstance(named, Unclear):
            return (Reading(named, words=words),)
        words = with_targets(named, (lexicon, *lexicon.others), expectation.board)
    if typed and expectation.asked.kind is QuestionKind.YES_NO:
        for one in (lexicon, *lexicon.others):
            if answer := one.typed.answer(words):
                return (Reading(Answer(AnswerKind(answer)), words=words),)
    written = written_to_them(words, lexicon) if typed else None
    if written is not None:
        return (Reading(written, words=words),)
    searched = searched_in_any(words, lexicon, expectation) if typed else None
    if searched is not None:
        return (Reading(searched, words=words),)
    found = _understood(words, lexicon, expectation, typed)
    if isinstance(found[0].meaning, Unclear) and (polite := courtesy(words, lexicon, typed)):
        return (Reading(Unclear(polite), words=words),)
    if (
        typed
        and isinstance(found[0].meaning, Unclear)
        and belongs_before_the_game(words, lexicon, expectation, understand)
    ):
        return (Reading(Unclear(UnclearReason.TERMS), words=words),)
    if _takes_a_number(found) and (rest := without_ages(words, lexicon, typed)) is not None:
        unknown = Reading(Unclear(UnclearReason.UNKNOWN_WORDS), words=words)
        return _understood(rest, lexicon, expectation, typed) if rest else (unknown,)
    if typed and any(isinstance(one.meaning, SpokenMove) for one in found):
        wrong = _other_number(words, expectation.board)
        return found if wrong is None else (Reading(wrong, words=words),)
    return found


OF_A_NUMBER = frozenset({"level", "minutes"})
"""Choices that a lone number is, and somebody's age is not."""


def _takes_a_number(readings: Sequence[Reading]) -> bool:
    return any(isinstance(one.meaning, Command) and one.meaning.name in OF_A_NUMBER for one in readings)


def _other_number(words: str, board: chess.Board | None) -> Unclear | None:
    """The objection to the number before a typed move, which was copied or meant for another position; None if there is
    none."""
    numbered = numbered_move(words)
    if numbered is None or board is None:
        return None
    number, blacks = numbered
    if number != board.fullmove_number:
        return Unclear(UnclearReason.OTHER_NUMBER, str(board.fullmove_number))
    return Unclear(UnclearReason.OTHER_SIDE, str(number)) if blacks and board.turn == chess.WHITE else None


def _understood(words: str, lexicon: Lexicon, expectation: Expectation, typed: bool) -> tuple[Reading, ...]:
    # Speech is in the model's language, whatever language is spoken back; typed lines are in any.
    languages = (lexicon, *lexicon.others) if typed else dict.fromkeys((lexicon.heard, lexicon))
    found = []
    if typed and (square := _asked_square(words, lexicon, expectation)):
        return (Reading(square, words=words),)
    for language in languages:
        readings = _answered_in_own_words(words, language, expectation, typed)
        readings = readings or _understand_in(words, language, expectation, typed)
        if not _strangeness(readings, typed):
            return readings
        found.append(readings)
    # Letters that are a partial move, or none, are read literally: nothing in a typed move is skipped.
    half = any(is_partial_move(one[0].meaning) or _has_stray(one[0].meaning) for one in found)
    for language in languages:
        tokens = tokenise(words, language, typed)
        if len(tokens) <= MAX_WORDS:
            corrected = _corrected(tokens, language, expectation) if typed else None
            read = _reader(language, expectation)
            if corrected is not None:
                said = Reading(corrected, words=" ".join(token.text for token in tokens))
                return (_doubted(said, tokens, language, read, typed),)
            reading = in_own_words(tokens, language, expectation, choices(expectation), typed)
            if reading is not None and not (half and isinstance(reading.meaning, SpokenMove)):
                return (_doubted(reading, tokens, language, read, typed),)
            if expectation.asked.kind is QuestionKind.PROMOTION:
                wish, sure = promotion_beside(tokens, language, typed)
                if wish:
                    line = " ".join(token.text for token in tokens)
                    return (Reading(wish, 0.0 if sure else EDGE_WORD_COST, line),)
            beside = moves_beside(tokens, language) if typed and not half else ()
            if beside:
                line = " ".join(token.text for token in tokens)
                return tuple(Reading(move, EDGE_WORD_COST, line) for move in beside)
    return min(found, key=lambda readings: _strangeness(readings, typed))


def _answered_in_own_words(words: str, lexicon: Lexicon, expectation: Expectation, typed: bool) -> tuple[Reading, ...]:
    """The choice that answers the open question, if the words are also a command: "die weißen Figuren" is an answer, or
    asks where they are."""
    chosen = choices(expectation)
    if not chosen:
        return ()
    tokens = tokenise(words, lexicon, typed)
    if not 0 < len(tokens) <= MAX_WORDS:
        return ()
    as_it_stands = next(_meanings(tokens, lexicon, expectation, typed), None)
    if not isinstance(as_it_stands, Command) or as_it_stands.name in chosen:
        return ()
    reading = in_own_words(tokens, lexicon, replace(expectation, commands=frozenset()), chosen, typed, only=True)
    return (reading,) if reading is not None else ()


def _asked_square(words: str, lexicon: Lexicon, expectation: Expectation) -> Command | None:
    """The question what stands on a square that is typed alone, with a question mark, where no pawn can go there."""
    tokens, board = tokenise(words, lexicon, typed=True), expectation.board
    texts = [token.text for token in tokens if token.raw != "?"]
    if board is None or expectation.asked.kind is not None or len(texts) != 2 or tokens[-1].raw != "?":
        return None
    squares = [value for end, value in slot_reader(texts, lexicon)("square", 0) if end == len(texts)]
    if not squares or not isinstance(squares[0], int):
        return None
    to_it = (move for move in board.legal_moves if move.to_square == squares[0])
    pawn = any(board.piece_type_at(move.from_square) == chess.PAWN for move in to_it)
    return None if pawn else Command("square", (("square", squares[0]),))


def _corrected(tokens: Sequence[Token], lexicon: Lexicon, expectation: Expectation) -> Meaning | None:
    """What a typed line means in which somebody corrects himself."""
    return corrections.meant(tokens, lexicon, _reader(lexicon, expectation), _answer_the_same)


def _reader(lexicon: Lexicon, expectation: Expectation) -> Read:
    def read(some: Sequence[Token]) -> Meaning | None:
        own = in_own_words(some, lexicon, expectation, choices(expectation), typed=True)
        return own.meaning if own is not None else next(_meanings(some, lexicon, expectation, typed=True), None)

    return read


def _answer_the_same(one: Meaning, other: Meaning) -> bool:
    """Whether two choices answer one question; what is no choice may stand for anything."""
    names = {meaning.name for meaning in (one, other) if isinstance(meaning, Command)}
    asked = [answers for answers in CHOICES.values() if not names.isdisjoint(answers)]
    return len(names) == 1 or not asked or any(names.issubset(answers) for answers in asked)


def _doubted(reading: Reading, tokens: Sequence[Token], lexicon: Lexicon, read: Read, typed: bool) -> Reading:
    """The reading. A move that is only thought of ("soll ich Eva vier spielen?"), or that was heard without its file,
    is to be asked about; so is what a typed command points to that is denied, or would decide something."""
    meaning = reading.meaning
    if isinstance(meaning, SpokenMove):
        doubtful = wonders(tokens, lexicon) or (not typed and _lost_its_file(meaning))
        return replace(reading, cost=EDGE_WORD_COST) if doubtful else reading
    if typed and isinstance(meaning, Command):
        wondered = meaning.name in lexicon.typed.frames.unmeant.decisive and wonders(tokens, lexicon)
        if wondered or is_denied(tokens, meaning, lexicon, read):
            return Reading(Unclear(UnclearReason.UNKNOWN_WORDS), words=reading.words)
    return reading


def _lost_its_file(meaning: Meaning) -> bool:
    """Whether the origin is only a rank, which nobody announces: "zieht sechs Eva fünf" was "David sechs Eva fünf" in
    noise."""
    return (
        isinstance(meaning, SpokenMove) and meaning.from_rank is not None and meaning.from_file is meaning.piece is None
    )


def _has_stray(meaning: Meaning) -> bool:
    return isinstance(meaning, Unclear) and meaning.reason in _UNKNOWN - {UnclearReason.UNKNOWN_WORDS}


def _strangeness(readings: Sequence[Reading], typed: bool) -> int:
    """0: all words understood; 1: a move beside an unknown word, or typed letters that are a partial move ("next" is
    more likely a word of another language than a capture by a knight on the e-file); 2: no meaning; 3: unknown
    words."""
    meaning = readings[0].meaning
    if isinstance(meaning, Unclear):
        return 3 if meaning.reason in _UNKNOWN else 2
    half = typed and is_partial_move(meaning)
    return int(half or readings[0].cost > 0)


@cache
def choices_of(question: QuestionKind) -> tuple[str, ...]:
    """The choices that answer a question; exercises come from the language files."""
    named = CHOICES.get(question, ())
    if question is not QuestionKind.EXERCISE:
        return named
    return (*named, *(key for key in common_words()["choices"] if key.startswith("exercise_")))


def choices(expectation: Expectation) -> tuple[str, ...]:
    """The choices that answer the open question, or an earlier one."""
    board, asked = expectation.board, expectation.asked
    if asked.kind is QuestionKind.WHICH_MOVE and board is not None and any(map(board.is_castling, asked.candidates)):
        return tuple(CASTLING_CHOICES)
    questions = (asked.kind, *asked.earlier)
    return tuple(dict.fromkeys(key for question in questions if question for key in choices_of(question)))


def _understand_in(typed_or_said: str, lexicon: Lexicon, expectation: Expectation, typed: bool) -> tuple[Reading, ...]:
    tokens = tokenise(typed_or_said, lexicon, typed)
    line = " ".join(token.text for token in tokens)
    words = [token for token in tokens if token.raw not in ENDINGS]
    if len(words) > (MAX_PLACED_WORDS if _is_set_up(expectation) else MAX_WORDS):
        return (Reading(Unclear(UnclearReason.TOO_LONG)),)
    if all(token.text == UNKNOWN_WORD or token.text in lexicon.fillers for token in words):
        # Fillers alone mean nothing either, unless a pattern consists of them, which is checked below.
        unheard = any(token.text == UNKNOWN_WORD for token in words) or not words
        if unheard:
            return (Reading(Unclear(UnclearReason.NOTHING), words=line),)
    meanings = tuple(dict.fromkeys(_meanings(tokens, lexicon, expectation, typed)))
    if meanings:
        return tuple(
            Reading(one, 0.0 if typed or not _has_lost_a_word(one) else LOST_WORD_COST, line) for one in meanings
        )
    noisy = () if typed else tuple(_moves_beside_noise(tokens, lexicon, line))
    return noisy or (Reading(_unclear(tokens, lexicon, typed), words=line),)


def _has_lost_a_word(meaning: Meaning) -> bool:
    """Whether the origin's file, or the piece before its rank, must have been said but was not recognised: "sechs Eva
    fünf"."""
    return (
        is_whole_move(meaning) and (meaning.piece, meaning.from_file) == (None, None) and meaning.from_rank is not None
    )


def _unclear(tokens: Sequence[Token], lexicon: Lexicon, typed: bool) -> Unclear:
    """Why the words have no meaning; for a typed line, the unknown character."""
    found = stray(tokens, lexicon) if typed else None
    if found is None:
        return Unclear(_reason([token for token in tokens if token.raw not in ENDINGS], lexicon, typed))
    letter, text = found
    return Unclear(UnclearReason.UNKNOWN_LETTER if letter else UnclearReason.UNKNOWN_SIGN, text)


def _reason(tokens: Sequence[Token], lexicon: Lexicon, typed: bool) -> UnclearReason:
    texts = {token.text for token in tokens}
    if texts <= lexicon.fillers:
        return UnclearReason.NOTHING
    marks = announced_moves(tokens, lexicon, typed, marks=True)
    if any(mark.check and mark == SpokenMove(check=mark.check) for mark in marks):
        return UnclearReason.CHECK_ALONE
    return UnclearReason.NO_SENSE if texts <= lexicon.known_words else UnclearReason.UNKNOWN_WORDS


def _meanings(tokens: Sequence[Token], lexicon: Lexicon, expectation: Expectation, typed: bool) -> Iterator[Meaning]:
    """Every meaning of the whole line, likeliest first."""
    question = expectation.asked.kind
    words = tuple(token.text for token in tokens if any(map(str.isalnum, token.text)))
    placed = placements(tokens, lexicon) if _is_set_up(expectation) else None
    if placed is not None:
        yield placed
        return
    found: list[Meaning] = []
    for key in choices(expectation):
        found.extend(Command(key, slots) for slots in _slots(words, lexicon, "choices", key))
    moves = _moves(tokens, lexicon, expectation, typed)
    found = found or list(_choices_after_a_no(words, lexicon, expectation))
    if found:
        yield found[0]
        if question is QuestionKind.EXERCISE:
            yield from moves
        return
    answer = _answer(words, lexicon, expectation)
    if answer is not None:
        yield answer
        return
    listened = typed or expectation.commands is None or "suppose" in expectation.commands
    conditional = _conditional(tokens, lexicon, typed) if listened else None
    if conditional is not None:
        yield conditional
        return
    ahead = _ahead(tokens, lexicon, typed)
    if ahead is not None:
        yield ahead
        return
    for key in _keys(words, lexicon, "commands"):
        for slots in _slots(words, lexicon, "commands", key):
            yield Command(key, slots)
            return
    yield from moves or _moves_after_an_answer(tokens, lexicon, typed)


def _is_set_up(expectation: Expectation) -> bool:
    """Whether a position is being built."""
    return QuestionKind.SET_UP in (expectation.asked.kind, *expectation.asked.earlier)


def _conditional(tokens: Sequence[Token], lexicon: Lexicon, typed: bool) -> Command | None:
    """ "Falls Springer Felix sechs, dann Läufer Bella fünf": two whole, unambiguous moves; without moves if the second
    is missing or unclear.

    Any single word between them may be "dann", which is short and mistaken for "an" or "kann": a conditional move is
    read back and needs a yes.
    """
    words = [token.text for token in tokens]
    begins = next((n for n, word in enumerate(words) if word not in lexicon.fillers), len(words))
    if begins >= len(words) or words[begins] not in lexicon.correspondence.line["condition"]:
        return None
    places = [n for n in range(begins + 1, len(words)) if words[n] in lexicon.correspondence.line["reply"]]
    if not places and not typed:
        places = list(range(begins + 2, len(words)))
    found: dict[tuple[SpokenMove, ...], None] = {}
    for middle in places:
        parts = (tokens[begins + 1 : middle], tokens[middle + 1 :])
        whole = [[move for move in announced_moves(part, lexicon, typed) if move.complete] for part in parts]
        if all(len(moves) == 1 for moves in whole):
            found[tuple(moves[0] for moves in whole)] = None
    if len(found) == 1:
        return Command("suppose", moves=next(iter(found)))
    first = tokens[
        begins + 1 : places[0] if places and words[places[0]] in lexicon.correspondence.line["reply"] else len(words)
    ]
    ends = (len(first),) if typed else range(2, len(first) + 1)
    said = any(move.complete for end in ends for move in announced_moves(first[:end], lexicon, typed))
    return Command("suppose") if said else None


def _ahead(tokens: Sequence[Token], lexicon: Lexicon, typed: bool) -> Command | None:
    """ "Vorauszug Springer Felix drei": a whole, unambiguous move."""
    words = tuple(token.text for token in tokens)
    read_slot = slot_reader(words, lexicon)
    for pattern in lexicon.commands["premove"]:
        for end, _ in pattern.match(words, 0, read_slot, lexicon.fillers):
            rest = tokens[end + 1 :] if end < len(tokens) and tokens[end].raw in (*ENDINGS, ":") else tokens[end:]
            moves = [move for move in announced_moves(rest, lexicon, typed) if move.complete]
            if len(moves) == 1:
                return Command("premove", moves=(moves[0],))
    return None


def _moves_after_an_answer(tokens: Sequence[Token], lexicon: Lexicon, typed: bool) -> tuple[SpokenMove, ...]:
    """The whole move in "Nein, Springer Felix drei" or "Korrektur: Eva vier". "Nicht Springer Felix drei" denies it."""
    words = tuple(token.text for token in tokens)
    denying = lexicon.wordings.negations.difference(*(one.words() for one in lexicon.answers["no"][:1]))
    read_slot = slot_reader(words, lexicon)
    begins = next((word for word in words if word not in lexicon.fillers), "")
    for pattern in (*lexicon.answers["no"], *lexicon.answers["yes"], *lexicon.commands["correct"]):
        if pattern.first_words().isdisjoint((begins, *words[:1])):
            continue
        for end, _ in pattern.match(words, 0, read_slot, lexicon.fillers):
            if words[end - 1] in denying:
                continue
            rest = tokens[end + 1 :] if end < len(tokens) and tokens[end].raw in (*ENDINGS, ":") else tokens[end:]
            return tuple(move for move in announced_moves(rest, lexicon, typed) if move.complete)
    return ()


def _choices_after_a_no(words: Sequence[str], lexicon: Lexicon, expectation: Expectation) -> Iterator[Command]:
    """The choice in "Nein, Schwarz" or "Korrektur: Stufe drei"."""
    read_slot = slot_reader(words, lexicon)
    for pattern in (lexicon.answers["no"][0], *lexicon.commands["correct"]):
        for end, _ in pattern.match(words, 0, read_slot, lexicon.fillers) if choices(expectation) else ():
            for key in choices(expectation) if end < len(words) else ():
                yield from (Command(key, slots) for slots in _slots(words[end:], lexicon, "choices", key))


def _moves(tokens: Sequence[Token], lexicon: Lexicon, expectation: Expectation, typed: bool) -> tuple[SpokenMove, ...]:
    question = expectation.asked.kind
    if question is QuestionKind.PROMOTION and typed and len(tokens) == 1 and len(tokens[0].raw) == 1:
        tokens = (Token(tokens[0].text, tokens[0].raw.upper()),)  # here "d" is the queen (Dame), not a file
    if question in MARK_QUESTIONS:
        lines = {
            word for key in ("file", "rank") for pattern in lexicon.commands[key] for word in pattern.first_words()
        }
        tokens = tuple(token for token in tokens if token.text not in lines)  # "Turm von Reihe eins"
    moves = announced_moves(tokens, lexicon, typed, marks=question in MARK_QUESTIONS)
    if question is QuestionKind.PROMOTION:
        return tuple(as_promotion(move, lexicon) for move in moves)
    return moves


def _answer(words: Sequence[str], lexicon: Lexicon, expectation: Expectation) -> Answer | None:
    for key in _keys(words, lexicon, "answers"):
        for _ in _slots(words, lexicon, "answers", key):
            kind, choice = ANSWER_KEYS[key]
            return Answer(kind, choice)
    asked = expectation.asked
    if asked.kind is QuestionKind.WHICH_MOVE:
        for end, number in read_number(words, 0, lexicon):
            if end == len(words) and 1 <= number <= len(asked.candidates):
                return None if _names_a_rank(number, asked.candidates) else Answer(AnswerKind.CHOICE, number)
    return None


def _names_a_rank(number: int, candidates: Sequence[chess.Move]) -> bool:
    """Whether the candidates differ by rank and this is one of their ranks: then "zwei" is the rank, not the second
    candidate."""
    for squares in ([move.from_square for move in candidates], [move.to_square for move in candidates]):
        ranks = {chess.square_rank(square) + 1 for square in squares}
        if len(ranks) > 1 and number in ranks:
            return True
    return False


def _moves_beside_noise(tokens: Sequence[Token], lexicon: Lexicon, line: str) -> Iterator[Reading]:
    """Whole moves with exactly one unknown word: asked about, never played."""
    strange = [
        index
        for index, token in enumerate(tokens)
        if token.text == UNKNOWN_WORD or token.text in lexicon.decoys or token.text not in lexicon.known_words
    ]
    if len(strange) != 1:
        return
    index = strange[0]
    cost = EDGE_WORD_COST if index in (0, len(tokens) - 1) else INNER_WORD_COST
    for move in announced_moves((*tokens[:index], *tokens[index + 1 :]), lexicon):
        if move.complete:
            yield Reading(replace(move), cost, line)


def may_go_on(words: Sequence[str], lexicon: Lexicon, expectation: Expectation) -> bool:
    """Whether a command, or a choice that answers the open question, continues after these words."""
    read_slot = slot_reader(words, lexicon)
    entries = [("choices", key) for key in choices(expectation)]
    entries += [("commands", key) for key in _keys(words, lexicon, "commands")]
    patterns = (pattern for section, key in entries for pattern in _section(lexicon, section)[key])
    return any(pattern.begins_with(words, read_slot, lexicon.fillers) for pattern in patterns)


def begins_castling(words: Sequence[str], lexicon: Lexicon) -> bool:
    """Whether these words begin a castling announcement: "kurze" of "kurze Rochade"."""
    read_slot = slot_reader(words, lexicon)
    patterns = (pattern for side in lexicon.castling.values() for pattern in side)
    return any(pattern.begins_with(words, read_slot, lexicon.fillers) for pattern in patterns)


def _slots(
    words: Sequence[str], lexicon: Lexicon, section: str, key: str
) -> Iterator[tuple[tuple[str, SlotValue], ...]]:
    """The slots of each match of all words with a pattern of this entry."""
    read_slot = slot_reader(words, lexicon)
    told = required_words(tuple(words), lexicon.fillers, lexicon)
    for pattern in _section(lexicon, section)[key]:
        if not told.may_fit(pattern):
            continue
        for end, captures in pattern.match(words, 0, read_slot, lexicon.fillers):
            if all(word in lexicon.fillers for word in words[end:]):
                yield numbered(captures)


def _section(lexicon: Lexicon, section: str) -> Mapping[str, tuple[Pattern, ...]]:
    tables = {"answers": lexicon.answers, "commands": lexicon.commands, "choices": lexicon.choices}
    return tables[section]


def _keys(words: Sequence[str], lexicon: Lexicon, section: str) -> tuple[str, ...]:
    """Entries of a section that can start with the first word, or the first one after fillers."""
    index = _by_first_word(lexicon, section)
    keys = dict.fromkeys(index.get("", ()))
    for word in words:
        keys.update(dict.fromkeys(index.get(word, ())))
        if word not in lexicon.fillers:
            break
    return tuple(keys)


@lru_cache(maxsize=32)
def _by_first_word(lexicon: Lexicon, section: str) -> Mapping[str, tuple[str, ...]]:
    index: dict[str, dict[str, None]] = {}
    for key, patterns in _section(lexicon, section).items():
        for pattern in patterns:
            for word in pattern.first_words():
                index.setdefault(word, {})[key] = None
    return {word: tuple(keys) for word, keys in index.items()}
