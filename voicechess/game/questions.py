"""Questions to a player: asked with the few words that decide, closed by an answer, or by silence, which counts as no.

Which of several moves, the missing part of a move, the promotion piece, confirmations: each has its phase, and each can
be left by announcing a whole move, by "keiner", or by any other clear command.

A player whose "zwei" and "drei" are confused is told once a game that one of them has another name. They are the only
ranks known to be confused by ear (`de/alike.toml`) of which one has a synonym.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import combinations

import chess

from voicechess.game.phases import QUESTIONS, Phase, QuestionPhase
from voicechess.game.state import SPEECH_LIMIT_MS, Asking, OpenQuestion, Table
from voicechess.meaning import Answer, AnswerKind, Command, Missing, Question, QuestionKind, SpokenMove
from voicechess.messages import File, Listing, Phrase, Piece, Priority, Rank, Slot, Square
from voicechess.moves.decisions import Ask, AskPromotion, Complete
from voicechess.moves.refusals import Refusal
from voicechess.moves.saying import said_move

# --- limits -----------------------------------------------------------------------------------------------------------

ANSWER_MS = 15_000
"""Timeout in milliseconds, from the end of a "really?", after which silence counts as no. Larger: questions stay open
longer while the player's clock runs."""

UNANSWERED = 2
"""Number of replies to a "really?" that are no answer and together count as no. Larger: it is asked more often."""

MISSES = 2
"""Number of utterances in a row that were not understood after which another way to say a move is taken or offered.
Larger: the player repeats the same words more often."""

_SLOT_PIECES = (chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT)


# --- asking -----------------------------------------------------------------------------------------------------------


def ask(table: Table, decision: Ask, rest: tuple[chess.Move, ...] = (), *, again: bool = False) -> None:
    """Ask which of these moves was meant; a single one is proposed: "did you mean …?"

    In a noisy room short words are lost, so the question asks for the whole move instead of "ja" or a number. `rest`:
    moves to propose after a "no". `again`: the question was asked before and not answered, so it says how to answer.
    """
    question = _which(table.board, decision.moves)
    proposes = len(decision.moves) == 1
    whole = table.heard.in_noise or (again and not proposes)
    if whole:
        question = Phrase("ask.if_so_again" if proposes else "ask.whole", {"question": question})
    elif again:
        question = Phrase("ask.yes_or_no", {"question": question})
    if decision.doubt is None:
        said = table.say("ask.plain", {"question": question}, Priority.PATIENT)
    else:
        slots: dict[str, Slot] = {"reason": table.reason(decision.doubt), "question": question}
        said = table.say("ask.with_reason", slots, Priority.PATIENT)
    promotions = _promotions_open(table)
    if proposes and not whole and decision.moves[0] in promotions:
        asked = Question(QuestionKind.PROMOTION, promotions, read_back=decision.moves[0])
        _open(table, Phase.PROMOTING, OpenQuestion(asked, said, table.now_ms))
        return
    opened = OpenQuestion(Question(QuestionKind.WHICH_MOVE, decision.moves, rest, whole=whole), said, table.now_ms)
    _open(table, Phase.CHOOSING, opened)


def _promotions_open(table: Table) -> tuple[chess.Move, ...]:
    """The promotions of which one is asked for; empty if something else is asked, or nothing."""
    opened = table.open
    return opened.asked.candidates if opened is not None and opened.asked.kind is QuestionKind.PROMOTION else ()


def ask_about(table: Table, decision: Ask) -> None:
    """Ask about the moves that were heard; after `MISSES` failures of the same question, slot by slot instead."""
    opened = table.open
    if opened is not None and decision.moves == (opened.asked.read_back,):
        ask(table, decision, again=True)
        return
    if opened is None or opened.asked.kind is not QuestionKind.WHICH_MOVE or opened.asked.candidates != decision.moves:
        ask(table, decision, decision.rest)
        return
    failed = opened.unanswered + 1
    if failed >= MISSES:
        slot_by_slot(table)
        return
    ask(table, decision, decision.rest, again=True)
    if table.open is not None:
        table.amend_question(replace(table.open, unanswered=failed))


def ask_about_repeated(table: Table, decision: Ask, unanswered: int = 0) -> None:
    """The same if one of the moves has been repeated already, since the player then believes it was made."""
    ask(table, decision)
    if table.open is not None:
        table.amend_question(replace(table.open, repeated=True, unanswered=unanswered))


def refused_instead(table: Table, refusal: Refusal) -> bool:
    """Handle an illegal move in place of an answer; returns whether the question was asked again with the reason. That
    is done once for a move that was already repeated; after that the player is told that it does not count."""
    opened = table.open
    again = opened is not None and opened.repeated
    binds = table.settings.touch_move or table.settings.penalties  # then the illegal move comes first
    if opened is not None and again and opened.unanswered + 1 < MISSES and not binds:
        ask_about_repeated(table, Ask(opened.asked.candidates, refusal), opened.unanswered + 1)
        return True
    if table.phase in QUESTIONS:
        table.step_to_base()
    if again:
        table.say("ask.none")
    return False


def complete(table: Table, decision: Complete, *, slot_by_slot: bool = False) -> None:
    """Part of the move is known: ask for the next part, or in a noisy room, where single words are lost, for the whole
    move."""
    slots: dict[str, Slot] = {}
    key = f"complete.{decision.missing.value}"
    known = decision.partial
    whole = table.heard.in_noise and not slot_by_slot and not known.complete
    if whole:
        key = "complete.whole"
    elif decision.missing is Missing.TO_FILE and known.piece is not None:
        key, slots = "complete.to_file_of", {"piece": Piece(known.piece)}
    elif decision.missing is Missing.TO_RANK and known.to_file is not None:
        key, slots = "complete.to_rank_of", {"file": File(known.to_file)}
    asked = Question(QuestionKind.COMPLETE, partial=known, missing=decision.missing, whole=whole)
    said = table.say(key, slots, Priority.PATIENT)
    _open(table, Phase.COMPLETING, OpenQuestion(asked, said, table.now_ms, slot_by_slot=slot_by_slot))


def offer_spelling(table: Table, key: str) -> None:
    """The move was not understood twice: say how it can be spelled. Nothing is asked, since it may have been talk in
    the room."""
    table.heard.misses = 0
    table.told.denied = table.say(key).number


def slot_by_slot(table: Table) -> None:
    """Ask for piece, file and rank one after the other: each by itself is recognised more reliably."""
    table.heard.misses = 0
    table.say("complete.slot_by_slot")
    complete(table, Complete(SpokenMove(), Missing.PIECE), slot_by_slot=True)


def ask_promotion(table: Table, decision: AskPromotion) -> None:
    """Ask for the promotion piece, which has to be announced by the laws."""
    pieces = Listing(tuple(Piece(kind) for kind in _SLOT_PIECES), "or")
    said = table.say("ask.promotion", {"choices": pieces}, Priority.PATIENT)
    _open(table, Phase.PROMOTING, OpenQuestion(Question(QuestionKind.PROMOTION, decision.moves), said, table.now_ms))


def confirm(
    table: Table,
    command: Command,
    slots: dict[str, Slot] | None = None,
    key: str = "",
    *,
    agreed: Callable[[Table, Command], None] | None = None,
    otherwise: Callable[[Table, Command], None] | None = None,
    silent: str = "",
    after_silence: str = "",
    stands: bool = False,
    either: tuple[Command, ...] = (),
) -> None:
    """Ask "really?" before a command; only "ja" confirms it. `key`: the sentence, if it is not named after the command.
    The other arguments are those of `OpenQuestion`.

    `stands`: the clock, if it runs or was stopped for the previous question, is stopped until this one is answered.
    """
    said = table.say(key or f"confirm.{command.name}", slots)
    if stands and table.clock.running is not None:
        table.clock = table.clock.pause(table.now_ms)
    else:
        stands = stands and table.stands
    opened = OpenQuestion(
        Question(QuestionKind.YES_NO),
        said,
        table.now_ms,
        command=command,
        # Until the question has been spoken, the time that takes is allowed for as well.
        deadline_ms=table.now_ms + SPEECH_LIMIT_MS + ANSWER_MS,
        agreed=agreed,
        otherwise=otherwise,
        silent=silent,
        after_silence=after_silence,
        stands=stands,
        either=either,
    )
    _open(table, Phase.CONFIRMING, opened)


def _open(table: Table, phase: QuestionPhase, opened: OpenQuestion) -> None:
    if opened.utterance.priority is Priority.PATIENT:
        opened = replace(opened, about_ms=min(table.heard.words_ended_ms, opened.asked_ms))
    if table.open is not None and table.open.slot_by_slot:
        opened = replace(opened, slot_by_slot=True)
    table.enter(Asking(phase, opened, table.base))


def ask_again(table: Table) -> None:
    """Ask the open question once more."""
    if table.open is not None:
        table.again(table.open.utterance)


def said(table: Table, utterance: int) -> None:
    """The open question has been spoken: the timeout for its answer runs from now."""
    opened = table.open
    if opened is None or opened.utterance.number != utterance:
        return
    deadline_ms = None if opened.deadline_ms is None else table.now_ms + ANSWER_MS
    table.amend_question(replace(opened, said=utterance, deadline_ms=deadline_ms))


# --- naming what differs ----------------------------------------------------------------------------------------------


def _which(board: chess.Board, moves: tuple[chess.Move, ...]) -> Phrase:
    said = [said_move(board, move) for move in moves]
    if len(said) == 1:
        return Phrase("ask.did_you_mean", {"move": said[0]})
    if {move.castling is not None for move in said} == {True}:
        return Phrase("ask.castling")
    plain = all(move.castling is None and move.promotion is None for move in said)
    if plain and len({move.piece for move in said}) == 1:
        piece = Piece(said[0].piece)
        if len({move.to_square for move in said}) == 1:
            return Phrase("ask.from", {"piece": piece, "choices": _choices("ask.from_", [m.from_square for m in said])})
        if len({move.from_square for move in said}) == 1:
            return Phrase("ask.to", {"piece": piece, "choices": _choices("ask.to_", [m.to_square for m in said])})
    elif plain and len({move.to_square for move in said}) == 1 and len({move.piece for move in said}) == len(said):
        return Phrase("ask.piece", {"choices": Listing(tuple(Piece(move.piece) for move in said), "or")})
    return Phrase("ask.which", {"choices": Listing(tuple(said), "or")})


def _choices(key: str, squares: list[chess.Square]) -> Listing:
    """ "von Bella oder von Gustav": by file if the files differ, else by rank, else by square."""
    if len({chess.square_file(square) for square in squares}) == len(squares):
        items = [Phrase(key + "file", {"file": File(chess.square_file(square))}) for square in squares]
    elif len({chess.square_rank(square) for square in squares}) == len(squares):
        items = [Phrase(key + "rank", {"rank": Rank(chess.square_rank(square))}) for square in squares]
    else:
        items = [Phrase(key + "square", {"square": Square(square)}) for square in squares]
    return Listing(tuple(items), "or")


# --- answering --------------------------------------------------------------------------------------------------------


def answer(table: Table, given: Answer) -> chess.Move | None:
    """Handle an answer in CHOOSING, COMPLETING or PROMOTING; returns the move that it names, if any."""
    opened = table.open
    assert opened is not None, "answers come to open questions only"
    if given.kind in (AnswerKind.NO, AnswerKind.NONE):
        if opened.asked.read_back is not None and given.kind is AnswerKind.NO:
            ask_promotion(table, AskPromotion(opened.asked.candidates))
        elif opened.asked.rest and given.kind is AnswerKind.NO:
            ask(table, Ask(opened.asked.rest[:1]), opened.asked.rest[1:])
        else:
            none_of_them(table)
    elif given.kind is AnswerKind.CHOICE:
        among = opened.asked.candidates
        if opened.asked.kind is QuestionKind.PROMOTION:
            among = tuple(m for kind in _SLOT_PIECES for m in opened.asked.candidates if m.promotion == kind)
        number = given.choice or 0
        if 1 <= number <= len(among) and opened.asked.kind is not QuestionKind.COMPLETE:
            return among[number - 1]
        missed(table)
    elif opened.asked.read_back is not None:
        return opened.asked.read_back
    elif opened.asked.kind is not QuestionKind.WHICH_MOVE:
        missed(table)
    elif len(opened.asked.candidates) == 1:
        return opened.asked.candidates[0]
    else:
        # "Ja" to "A oder B?" chooses neither: the first is proposed by itself.
        ask(table, Ask(opened.asked.candidates[:1]), opened.asked.candidates[1:])
    return None


def none_of_them(table: Table) -> None:
    """The player meant none of the moves asked about: ask for the whole move, or offer to spell it."""
    was_slots = table.open is not None and table.open.slot_by_slot
    table.step_to_base()
    table.heard.misses += 1
    if table.heard.misses >= MISSES and not was_slots:
        offer_spelling(table, "ask.none_again")
    else:
        table.say("ask.none")


def leave(table: Table) -> None:
    """Drop the question; it does not count as a miss."""
    table.step_to_base()
    table.heard.misses = 0
    table.say("ask.none")


def missed(table: Table) -> None:
    """The utterance was no answer: ask again, or after `MISSES` in a row ask another way."""
    table.heard.misses += 1
    if table.heard.misses >= MISSES and table.phase in (Phase.LISTENING, Phase.DRAW_OFFERED, Phase.CHOOSING):
        table.step_to_base()
        offer_spelling(table, "not_understood.again")
    elif table.heard.misses >= MISSES and table.phase is not Phase.PROMOTING:
        table.heard.misses = 0
        table.step_to_base()
        table.say("not_understood.whole_move")
    elif table.open is not None:
        table.amend_question(replace(table.open, unanswered=table.open.unanswered + 1))
        table.say("not_understood.answer")
        if table.heard.in_noise and table.open.asked.kind is QuestionKind.WHICH_MOVE and not table.open.asked.whole:
            ask(
                table, Ask(table.open.asked.candidates), table.open.asked.rest
            )  # it was quiet when the question was asked
        else:
            ask_again(table)


def declined(table: Table, key: str = "confirm.no") -> None:
    """The "really?" was answered with no, or met with silence."""
    opened = table.open
    if opened is not None and opened.silent and key == "confirm.silence":
        key = opened.silent
    elif opened is not None and opened.otherwise is not None and opened.command is not None:
        if opened.after_silence and key == "confirm.silence":
            table.say(opened.after_silence)
        opened.otherwise(table, opened.command)
        return
    table.say(key)
    table.step_to_base()


# --- confused ranks ---------------------------------------------------------------------------------------------------

TIMES = 2
"""Number of confusions of these ranks in a game at which other words for them are suggested. Larger: later."""

_ALIKE = frozenset((1, 2))
"""Ranks (0 to 7) whose German names are confused most: "zwei" and "drei"."""


def doubted(table: Table, moves: Iterable[chess.Move]) -> None:
    """These moves, which were spoken, are about to be asked about: count it if the two ranks were confused."""
    if any(_alike(table.board, one, other) for one, other in combinations(moves, 2)):
        _count(table)


def corrected(table: Table, move: chess.Move) -> None:
    """`move` was recognised, but not meant."""
    table.heard.corrected = move
    table.deny((move,))


def announced(table: Table, move: chess.Move) -> None:
    """`move` was announced, perhaps in place of the one that was corrected before."""
    before, table.heard.corrected = table.heard.corrected, None
    if before is not None and _alike(table.board, before, move):
        _count(table)


def _count(table: Table) -> None:
    table.heard.rank_doubts += 1
    if table.heard.rank_doubts == TIMES:
        two, three = sorted(_ALIKE)
        table.say("hint.other_word", {"rank": Rank(two), "other": Rank(three)})


def _alike(board: chess.Board, one: chess.Move, other: chess.Move) -> bool:
    """Whether the announcements differ only in these two ranks, of the target or of the origin."""
    if board.piece_type_at(one.from_square) != board.piece_type_at(other.from_square):
        return False
    if one.to_square == other.to_square:
        return _ranks_alike(one.from_square, other.from_square)
    return _ranks_alike(one.to_square, other.to_square)


def _ranks_alike(one: chess.Square, other: chess.Square) -> bool:
    same_file = chess.square_file(one) == chess.square_file(other)
    return same_file and {chess.square_rank(one), chess.square_rank(other)} == _ALIKE
