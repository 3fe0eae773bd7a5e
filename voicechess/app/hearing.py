"""From a recogniser's n-best list to a `Heard` event; and the grammar that the recogniser is given before.

`Hearing` is the only way from words to `Heard`: in a game, in `hear`, `demo`, `bench` and the tests.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import chess

from voicechess.app.adjustments import MAY_POINT, SpokenWords, adjusted
from voicechess.app.as_typed import GUESS_COST, as_typed, move_with_piece_last
from voicechess.game import events as ev
from voicechess.language import corrections
from voicechess.language.clauses import split
from voicechess.language.confusions import NO_CONFUSIONS, Confusions, load_confusions
from voicechess.language.lexicon import Lexicon
from voicechess.language.natural import (
    MIN_WORDS_OF_COMMAND,
    names_terms,
    told_in_clauses,
)
from voicechess.language.phrases import phrases
from voicechess.language.placements import REST
from voicechess.language.pointers import guessed_at
from voicechess.language.pointing import may_be_asked_about, pointed_at, usual_words
from voicechess.language.readings import interpret
from voicechess.language.thresholds import load_thresholds
from voicechess.language.tokens import Token, tokenise
from voicechess.language.understanding import begins_castling, choices, may_go_on
from voicechess.meaning import (
    UNKNOWN_WORD,
    Command,
    Expectation,
    Hypothesis,
    Meaning,
    QuestionKind,
    Reading,
    RecognisedUtterance,
    SpokenMove,
    Unclear,
    UnclearReason,
    Word,
    is_whole_move,
    known_words,
)
from voicechess.moves.decisions import Act, AskPromotion, Complete, NotUnderstood, Play, Reply
from voicechess.moves.matching import decide
from voicechess.sound.recogniser import Completeness


class Listening(Protocol):
    """A recogniser or listener: it is given the grammar, and a function that judges whether words are complete."""

    def expect(self, phrases: Iterable[str], completeness: Callable[[str], Completeness], /) -> None: ...


@dataclass(frozen=True)
class Hearing:
    """How words are understood: in which language, and adapted to which speaker."""

    lexicon: Lexicon
    confusions: Confusions | None = None
    """Word confusion probabilities; None: those measured for the language."""
    fit: float = field(default_factory=lambda: load_thresholds().fit)
    """Fit below which a hypothesis is noise (`Hypothesis.fit`). Larger: more is taken for noise."""
    doubt: float = 0.0
    """Cost added to every reading of speech (`LikelihoodScaling`). Larger: more questions."""

    def offer(self, listening: Listening, expectation: Expectation) -> None:
        """Give a recogniser the grammar of what can be said now."""
        lexicon = self.lexicon
        listening.expect(phrases(expectation, lexicon), lambda words: completeness(words, expectation, lexicon))

    def move_in(self, words: str, expectation: Expectation) -> chess.Move | None:
        """The move that these words name under this expectation; None if it would not be played at once."""
        if expectation.board is None:
            return None
        decision = decide(expectation.board, (_read(words, expectation, self.lexicon),), expectation.asked)
        return decision.move if isinstance(decision, Play) else None

    def understood(
        self, said: RecognisedUtterance, expectation: Expectation, at_ms: int, source: ev.Source = ev.Source.VOICE
    ) -> ev.Heard:
        """The event: what was said, with its ranked readings under this expectation."""
        typed = source is ev.Source.KEYBOARD
        spoken = SpokenWords(said, expectation, self.lexicon, self.doubt)
        readings = interpret(
            said.hypotheses, expectation, self.lexicon, typed, self.confusions, fit=self.fit, in_noise=spoken.in_noise
        )
        asked: tuple[Reading, ...] = ()
        if not typed:
            readings, asked = as_typed(spoken, adjusted(spoken, readings))
        words = said.hypotheses[0].text if said.hypotheses else ""
        if typed and isinstance(readings[0].meaning, Unclear):
            readings = move_with_piece_last(words, expectation, self.lexicon) or readings
        best = readings[0].meaning
        points = (
            isinstance(best, Unclear)
            and best.reason in MAY_POINT
            and not _agrees_with_a_but(words, expectation, self.lexicon)
        )
        perhaps: tuple[Reading, ...] = ()
        if typed and is_whole_move(best) and readings[0].cost > 0:
            perhaps = _asked_of_a_square(words, expectation, self.lexicon)
            readings = (Reading(Unclear(UnclearReason.UNKNOWN_WORDS), words=words),) if perhaps else readings
        if not typed:
            perhaps = (() if spoken.noisy else _asked_in_any_order(spoken, readings[0])) or asked
        if points and not typed:
            points = _lacks_one_word(spoken) if UNKNOWN_WORD in words.split() else not spoken.in_noise
        return ev.Heard(
            at_ms=at_ms,
            readings=readings,
            words=words,
            began_ms=said.began_ms,
            ended_ms=said.ended_ms,
            source=source,
            snr_db=said.snr_db,
            voice_db=None if said.voice_db is None else round(said.voice_db),
            fits_badly=spoken.fits_badly,
            partly=not typed and _lacks_nothing_else(words, expectation, self.lexicon),
            perhaps=perhaps or (_pointed_at(words, expectation, self.lexicon, typed) if points else ()),
            torn=said.torn,
        )


def _agrees_with_a_but(words: str, expectation: Expectation, lexicon: Lexicon) -> bool:
    """Whether a line that means nothing begins with a yes to a question that only yes or no answers: "yes, but I want
    black" to going on with a game. That question is asked again."""
    only_yes_or_no = expectation.asked.kind is QuestionKind.YES_NO and expectation.board is None
    agreeing = {word for pattern in lexicon.answers["yes"] for word in pattern.first_words()}
    first = next(iter(words.lower().split()), "").strip(",.!")
    return only_yes_or_no and not choices(expectation) and first in agreeing


def _pointed_at(words: str, expectation: Expectation, lexicon: Lexicon, typed: bool) -> tuple[Reading, ...]:
    """The commands or choices, among those that can be said now, that meaningless words suggest.

    Speech must be in-vocabulary, except for one word if all others belong to the same command (`_lacks_one_word`): some
    part of any talk sounds like a command.
    """
    names = may_be_asked_about(expectation, lexicon, typed)
    chosen = choices(expectation)
    languages = (lexicon, *lexicon.others) if typed else (lexicon.heard,)
    lines = [([token.text for token in tokenise(words, language, typed)], language) for language in languages]
    for said, language in lines:
        known = [word for word in said if word != UNKNOWN_WORD]
        if not typed and not _is_in_vocabulary(known, language):
            return ()
        found = pointed_at(known, language, names, chosen)
        if len(known) < len(said) and not typed:
            sure = [one for one, all_own in found if all_own]  # all but one word are its own or carry no meaning
            return tuple(Reading(one, GUESS_COST, usual_words(one, lexicon)) for one in sure)
        if found and (found[0][1] or not typed):
            return tuple(Reading(one, 0.0 if sure else GUESS_COST, usual_words(one, lexicon)) for one, sure in found)
    most = max(_known(*line) for line in lines)
    for said, language in lines if typed else ():
        if _known(said, language) < most - 1:  # a word or two are in both languages
            continue
        tokens = tokenise(words, language, typed)
        corrected = corrections.parts(tokens, language)
        for some in (*((corrected[1],) if corrected is not None else ()), tokens):
            asked = _told_or_guessed_at(some, expectation, language, names, chosen)
            if asked:
                return tuple(Reading(one, GUESS_COST, usual_words(one, lexicon)) for one in asked)
    return ()


def _asked_of_a_square(words: str, expectation: Expectation, lexicon: Lexicon) -> tuple[Reading, ...]:
    """What a typed question that names a square may ask about it ("wer haut da auf Eva fünf?"): likelier than a move
    amid other words."""
    tokens = tokenise(words, lexicon, True)
    if not any(token.raw == "?" or token.text in lexicon.typed.frames.asking for token in tokens):
        return ()
    pointed = _pointed_at(words, expectation, lexicon, typed=True)
    return tuple(one for one in pointed if isinstance(one.meaning, Command) and one.meaning.slot("square") is not None)


NEW_GAME = "new_game"


def _told_or_guessed_at(
    tokens: Sequence[Token],
    expectation: Expectation,
    lexicon: Lexicon,
    names: Collection[str],
    chosen: Collection[str],
) -> tuple[Command, ...]:
    """What is asked about of a typed line that means nothing as a whole."""
    told = told_in_clauses(tokens, lexicon, expectation, tuple(chosen))
    told = tuple(one for one in told if one.name in names or one.name in chosen)
    if not told and not chosen and NEW_GAME in names and names_terms(tokens, lexicon):
        return (Command(NEW_GAME),)  # terms of a game, said in the middle of another
    return guessed_at([token.text for token in tokens], lexicon, names, chosen, split(tokens, lexicon), told)


ONE_WORD_FIT = -8.0
"""Least fit of a sentence with one out-of-vocabulary word that is asked about. Smaller: more is asked about."""

MIN_KNOWN_WORDS = 3
"""Least number of in-vocabulary words of such a sentence. Smaller: more is asked about, of talk too."""


def _lacks_one_word(spoken: SpokenWords) -> bool:
    """Whether this is a sentence, clear and in a quiet room, with exactly one out-of-vocabulary word."""
    words = spoken.first.text.split() if spoken.first else []
    one = words.count(UNKNOWN_WORD) == 1 and len(words) > MIN_KNOWN_WORDS
    return one and not spoken.noisy and not spoken.fits_less(ONE_WORD_FIT)


def _is_in_vocabulary(said: Sequence[str], lexicon: Lexicon) -> bool:
    return lexicon.wordings.words.union(lexicon.spoken_words).difference(lexicon.decoys).issuperset(said)


ANY_ORDER_ASKED_FIT = -12.0
"""Least fit of a command in any word order that is asked about, if it is not obeyed. Smaller: more is asked about, of
talk too."""


def _asked_in_any_order(spoken: SpokenWords, best: Reading) -> tuple[Reading, ...]:
    """The command that the 1-best hypothesis means in any word order, if it fits too badly to be obeyed, has too many
    rivals or is too short."""
    first, lexicon = spoken.first, spoken.lexicon
    if first is None or spoken.fits_less(ANY_ORDER_ASKED_FIT) or spoken.has_distant_words:
        return ()
    meaning: Meaning | None = None
    if isinstance(best.meaning, Command):
        sure = best.cost <= load_thresholds().command or best.words != first.text
        meaning = None if sure or len(first.words) < MIN_WORDS_OF_COMMAND else best.meaning
    elif isinstance(best.meaning, Unclear) and best.meaning.reason in MAY_POINT:
        for language in dict.fromkeys((lexicon.heard, lexicon)):
            meaning = meaning or spoken.in_any_order(first.text, language, MIN_WORDS_ASKED)
    return (Reading(meaning, 0.0, usual_words(meaning, lexicon)),) if isinstance(meaning, Command) else ()


MIN_WORDS_ASKED = 2
"""Least number of words of such a command. Smaller: more talk in the room is asked about."""


def _known(said: Sequence[str], lexicon: Lexicon) -> int:
    """How many of the words the lexicon of this language has."""
    around = lexicon.wordings
    return sum(
        word in lexicon.spoken_words or word in around.words or word in around.function for word in dict.fromkeys(said)
    )


def _lacks_nothing_else(words: str, expectation: Expectation, lexicon: Lexicon) -> bool:
    """Whether the words have a meaning once `[unk]` is taken out."""
    known = known_words(words)
    return known not in ("", words) and not isinstance(_read(known, expectation, lexicon).meaning, Unclear)


# --- Endpointing: how complete the words so far are, which decides how much silence makes an endpoint ---

MOST_CONFUSION_COST = 5.0
"""Largest cost (minus log probability) of a confusion that delays the endpoint. Larger: later endpoints after more
moves."""

_NO_MOVE_ASKED = (None, QuestionKind.YES_NO)
"""Questions to which part of a move is not an answer, but the beginning of a move."""


def completeness(words: str, expectation: Expectation, lexicon: Lexicon) -> Completeness:
    """How complete `words` are, as something that can be answered now. Cheap: called several times a second.

    "Springer Felix drei" is complete if one legal move fits; a pawn's "Eva acht" may go on with a promotion piece;
    "Springer Gustav eins" is the beginning of a move. This affects only the endpoint: the words are interpreted anew
    when the utterance has ended.
    """
    if not words:
        return Completeness.INCOMPLETE
    reading = _read(words, expectation, lexicon)
    if reading.cost > 0:
        return Completeness.INCOMPLETE
    if isinstance(reading.meaning, Command):
        if reading.meaning.name in ("suppose", "premove") and not reading.meaning.moves:
            return Completeness.BEGUN  # "falls", "falls Springer Felix sechs": the rest of the sentence follows
        if reading.meaning.name == "placed" and QuestionKind.SET_UP in _asked(expectation):
            # Further pieces may follow; one without its square is begun.
            begun = reading.meaning.slot(REST) is not None
            return Completeness.INCOMPLETE if begun else Completeness.MAY_GO_ON
        if not may_go_on(words.split(), lexicon.heard, expectation):
            return Completeness.COMPLETE
        # Terms in the player's own words ("alle acht weiß") may be the first half of an answer ("… und schwarz").
        return Completeness.INCOMPLETE if reading.meaning.name == "terms" else Completeness.MAY_GO_ON
    if expectation.board is None:
        return _without_position(reading.meaning, expectation.asked.kind)
    if _is_begun(words, reading.meaning, expectation, lexicon):
        return Completeness.BEGUN
    match decide(expectation.board, (reading,), expectation.asked):
        case Play() if expectation.asked.kind is None and _begins_if_misheard(words, expectation, lexicon):
            return Completeness.MAY_GO_ON
        case Play(move) if expectation.asked.kind is None and _nothing_follows(
            reading.meaning, move, expectation.board
        ):
            return Completeness.CERTAIN
        case Play() | Reply() | Act():
            return Completeness.COMPLETE
        case AskPromotion():
            return Completeness.MAY_GO_ON
        case _ if _is_begun(words, reading.meaning, Expectation(expectation.answering, expectation.asked), lexicon):
            # The second player may have begun to reply to a move that is still being repeated.
            return Completeness.BEGUN
        case Complete() | NotUnderstood():
            return Completeness.INCOMPLETE
        case _:
            # Illegal or ambiguous: it may be only the first half ("Eva vier … Eva fünf").
            return Completeness.MAY_GO_ON


def _asked(expectation: Expectation) -> tuple[QuestionKind | None, ...]:
    return (expectation.asked.kind, *expectation.asked.earlier)


def _without_position(meaning: Meaning, question: QuestionKind | None) -> Completeness:
    """The completeness of anything but a command, if there is no position."""
    match meaning:
        case Unclear():
            return Completeness.INCOMPLETE
        case SpokenMove() if not meaning.complete:
            # The "Felix" of "Felix drei"; in an exercise it may be the whole answer. Nobody sets up a "Bauer Felix".
            begun = question in (QuestionKind.TRY_MICROPHONE, QuestionKind.SET_UP)
            return Completeness.INCOMPLETE if begun else Completeness.MAY_GO_ON
    return Completeness.COMPLETE


def _read(words: str, expectation: Expectation, lexicon: Lexicon) -> Reading:
    """The best reading of the words, without confusions."""
    hypothesis = Hypothesis(tuple(Word(word, 0, 0) for word in words.split()))
    return interpret((hypothesis,), expectation, lexicon, confusions=NO_CONFUSIONS)[0]


def _is_begun(words: str, meaning: Meaning, expectation: Expectation, lexicon: Lexicon) -> bool:
    """Whether this is the beginning of a move, and that is no answer to the open question."""
    asked = expectation.asked
    if expectation.board is None or (asked.kind not in _NO_MOVE_ASKED and not asked.whole):
        return False
    if isinstance(meaning, SpokenMove):
        a_word = meaning.piece is None and meaning.target is None  # "sechs" also answers some whole-move questions
        return _begins(meaning, expectation.board) and not (asked.whole and a_word)
    if not isinstance(meaning, Unclear):
        return False
    return _goes_on_to_a_file(words, expectation, lexicon) or begins_castling(words.split(), lexicon.heard)


def _begins(move: SpokenMove, board: chess.Board) -> bool:
    """Whether this is how an announcement begins rather than ends: it has no target yet, or an own piece is on it.

    A player who has said "Dame Anna" may pause before "vier", even if only one move fits; one who names the square of
    their own piece is about to say where it goes.
    """
    if move.castling is not None:
        return False
    return move.target is None or board.color_at(move.target) == board.turn


def _nothing_follows(meaning: Meaning, move: chess.Move, board: chess.Board) -> bool:
    """Whether nothing can follow the announcement: "Schach" or "en passant" may, if the move is one."""
    return (
        isinstance(meaning, SpokenMove)
        and meaning.check is None
        and not board.gives_check(move)
        and not board.is_en_passant(move)
    )


def _goes_on_to_a_file(words: str, expectation: Expectation, lexicon: Lexicon) -> bool:
    """Whether the origin is followed by the target's file ("Eva zwei Eva"), which has no meaning yet."""
    before, _, last = words.rpartition(" ")
    if expectation.board is None or not any(last in lexicon.heard.file_words(file) for file in range(8)):
        return False
    move = _read(before, expectation, lexicon).meaning
    return isinstance(move, SpokenMove) and move.target is not None and _begins(move, expectation.board)


def _begins_if_misheard(words: str, expectation: Expectation, lexicon: Lexicon) -> bool:
    """Whether this is the beginning of an announcement if one word was confused with one that sounds like it.

    "Dame Bella zwei" is a move; "Dame Bella drei …" is the beginning of one if the queen is on b3. A player who pauses
    there must not find another move played.
    """
    board = expectation.board
    if board is None:
        return False
    for line, _ in load_confusions(lexicon.heard.code).answers(words.split(), MOST_CONFUSION_COST):
        move = _read(line, expectation, lexicon).meaning
        if not isinstance(move, SpokenMove) or move.from_file is not None or move.target is None:
            continue
        if board.piece_at(move.target) == chess.Piece(move.piece or chess.PAWN, board.turn):
            return True
    return False
