"""What is heard around a move's repetition: a correction, a late "Schach", and the player's own repetition of a move.

The repetition is the last chance to take a move back, and a player who was misheard hears it now. A question, or a move
to be said again, costs little; a move that stands though somebody has just said "nein" is a wrong one. So what may be a
correction is one, and what is said in another way than the move that was repeated is asked about, even where it is no
move at all (Laws, Appendix D: a slip is corrected at once, before the opponent's clock is started).

Who goes on speaking before the repetition has begun is heard first: they correct the move, say it again, or add
"Schach". By anything else no move is made that has not been repeated.

"Schach" or "matt" may come when its move has been taken already: after a pause it is an utterance of its own.

In tournaments the player repeats the opponent's announcement before thinking (Laws, Appendix D.2.1). A wrong repetition
is announced again, while the player's time runs: the opponent's move was completed with its announcement. A recogniser
that does not hear must not hold up a player: after some attempts the game goes on.
"""

from __future__ import annotations

from dataclasses import replace
from math import exp

import chess

from voicechess.game import commands, questions, turns
from voicechess.game.effects import Hush
from voicechess.game.events import Heard, Source
from voicechess.game.phases import CorrectionWindow, Phase
from voicechess.game.state import Table
from voicechess.meaning import Answer, AnswerKind, Castling, Command, SpokenMove, Unclear, UnclearReason
from voicechess.messages import Side, Tone
from voicechess.moves.decisions import (
    MAX_CHOICES,
    Act,
    Ask,
    AskPromotion,
    Complete,
    Decision,
    NotUnderstood,
    Play,
    Refuse,
    Reply,
    moves_of,
)
from voicechess.moves.matching import NO_ANSWERS, decide
from voicechess.moves.refusals import Refusal
from voicechess.moves.saying import check_given, said_move

# --- the player's own repetition --------------------------------------------------------------------------------------

ATTEMPTS = 3


def before(table: Table) -> chess.Board:
    """The position in which the announcement that is to be repeated was made."""
    board = table.board.copy()
    board.pop()
    return board


def hear_echo(table: Table, event: Heard) -> None:
    """A repetition, right or wrong; or a command, which waits for none."""
    board, last = before(table), table.plies[-1].move
    decision = decide(board, event.readings, typed=event.source is Source.KEYBOARD)
    if isinstance(decision, Act):
        commands.obey(table, decision.command)
        return
    if decision == Play(last):
        table.say("echo.right")
    elif event.ahead:
        return  # what was wrong with the words before comes next
    else:
        table.heard.misses += 1
        if table.heard.misses < ATTEMPTS:
            table.say("echo.again", {"side": Side(not table.turn), "move": said_move(board, last)})
            return
        table.say("echo.go_on", {"side": Side(not table.turn), "move": said_move(board, last)})
    table.heard.misses = 0
    table.bound = replace(table.bound, repeats=False)
    table.step_to_base()


# --- "Schach" or "matt" after its move --------------------------------------------------------------------------------


def into_repetition(table: Table) -> None:
    """The move being repeated gives no check, so it is doubtful now, and is asked about."""
    pending = table.pending
    assert pending is not None, "a move is being repeated"
    table.do(Hush())
    questions.ask_about_repeated(table, Ask((pending.move,), Refusal("no_check")))


def belongs_to_last_move(table: Table) -> bool:
    """Whether the last move gives check: then that is said."""
    if table.open is not None or not table.board.is_check():
        return False
    table.say("check.mate" if table.board.is_checkmate() else "check.check")
    return True


# --- corrections ------------------------------------------------------------------------------------------------------

DENIED = 0.05
"""Posterior of "nein" and "Korrektur" together, 0 to 1, that takes the move back: corrections in noise are heard,
talk in the room is not taken for one (models/NOTES.md). Larger: fewer corrections, and fewer false ones."""

MOST_UNCLEAR = 2
"""Number of times that words into a repetition are passed over when not understood, before it is asked whether the
move is right."""


GRACE_MS = 1_000
"""Time in milliseconds for "Korrektur" after a move has been repeated, since the program does not listen while it
speaks. Neither player's clock is charged: it is pressed at the time when the move's words ended."""

SAY_AGAIN_MS = 2_000
"""Time in milliseconds added after words that were not understood: to hear the tone and say them once more."""

LONGEST_GRACE_MS = 6_000
"""Upper limit of that time in milliseconds, while somebody speaks or was not understood: noise must not hold up the
game."""

CUT_SHORT_MS = 2_500
"""Time in milliseconds for a correction after a barge-in into the repetition: the player who cuts it short wants to
speak."""


def said(table: Table, number: int, completed: bool, listening: bool) -> None:
    """Utterance `number` has ended. If it is the repetition, its move is made, but not before somebody can have said
    that it is wrong.

    `listening`: a microphone listens from now on. The end of that time comes with a `Tick`, which knows whether
    somebody is speaking, and never with the words that are heard: those were said before the move was made.
    """
    assert table.pending is not None, "a move is being repeated"
    if table.awaited is None or table.awaited.number != number:
        return
    if listening:
        more_ms = 0 if completed else CUT_SHORT_MS
        window = CorrectionWindow(number, table.now_ms + GRACE_MS + more_ms, table.now_ms + LONGEST_GRACE_MS + more_ms)
        table.amend(replace(table.pending, awaited=window))
    elif completed:
        turns.commit(table, table.now_ms)
    else:
        cut_short(table, table.now_ms)


def passed(table: Table, speaking: bool) -> None:
    """Time has passed: the move is made unless it has been corrected."""
    window = table.window
    if window is not None and table.now_ms >= (window.latest_ms if speaking else window.until_ms):
        turns.commit(table, table.now_ms)


def hear(table: Table, event: Heard) -> bool:
    """Answer `event`, heard while the move is being repeated. Whether it is still to be answered after the move."""
    to_be_answered = _answered(table, event)
    window, pending = table.window, table.pending
    noise = event.readings[0].meaning == Unclear(UnclearReason.NOTHING) and not table.company.is_as_loud(event)
    if window is not None and pending is not None and not noise:
        until_ms = max(window.until_ms, min(event.at_ms + SAY_AGAIN_MS, window.latest_ms))
        table.amend(replace(pending, awaited=replace(window, until_ms=until_ms)))
    return to_be_answered


def _answered(table: Table, event: Heard) -> bool:
    pending = table.pending
    assert pending is not None, "a move is being repeated"
    decision = decide(table.board, event.readings, typed=event.source is Source.KEYBOARD)
    castling_alone = event.source is Source.VOICE and _castling_alone(event)
    match decision:
        case Act(Command("correct")) | Reply(Answer(AnswerKind.NO | AnswerKind.NONE)):
            _correct(table, event)
            return False
        case Act(Command("repeat" | "help")):
            commands.obey(table, decision.command)
            return False
        case Act(Command("stop")) if table.window is not None:
            _which(table, decision)  # nothing is said that it could end: "halt" is about the move
            return False
        case Act(Command("stop")):
            table.do(Hush())
            cut_short(table, event.at_ms)
            return False
        case Play(move) if move == pending.move and not castling_alone:
            turns.commit(table, event.at_ms)
            return False
    answer = None if castling_alone else _opponents_answer(table, event)
    answers = isinstance(answer, Play) or (isinstance(answer, Ask | AskPromotion) and not isinstance(decision, Play))
    if not answers and _denied(event) >= DENIED:
        _correct(table, event)
        return False
    check_alone = event.readings[0].meaning == Unclear(UnclearReason.CHECK_ALONE)
    if check_alone and check_given(table.board, pending.move) is not None:
        return False  # the rest of its announcement, whatever else "Schach" sounds like
    match decision:
        case NotUnderstood(UnclearReason.CHECK_ALONE):
            into_repetition(table)
            return False
        case Play() | Ask() | AskPromotion() | Complete() | Refuse() if not answers and table.company.is_far_off(event):
            # Asked about when it is said twice. A "nein" takes the move back however soft it is.
            _unclear(table, decision)
            return False
        case Play() if not answers:
            _which(table, decision)
            return False
        case NotUnderstood(UnclearReason.NOTHING):
            table.sound(Tone.NOT_UNDERSTOOD)
            return False
        case _ if isinstance(decision, NotUnderstood) or isinstance(answer, Complete):
            # A word or two may be half an answer, and half a correction.
            _unclear(table, decision)
            return False
        case Ask() | AskPromotion() | Complete() | Refuse() if not answers:
            _which(table, decision)
            return False
    if event.ahead:
        _unclear(table, decision)
        return False
    turns.commit(table, event.at_ms)
    return table.phase is not Phase.OVER or isinstance(decision, Act)


def cut_short(table: Table, at_ms: int) -> None:
    """Who cuts the repetition short may want to correct the move: the move waits for that, and not longer."""
    assert table.pending is not None, "a move is being repeated"
    awaited = table.awaited
    if awaited is not None:
        until_ms = min(awaited.until_ms, at_ms + CUT_SHORT_MS)
        table.amend(replace(table.pending, awaited=replace(awaited, until_ms=until_ms)))


def _correct(table: Table, event: Heard) -> None:
    if event.source is Source.VOICE and table.pending is not None:
        questions.corrected(table, table.pending.move)
    turns.correct(table)


def _unclear(table: Table, decision: Decision) -> None:
    """Somebody has spoken and was not understood: they can say it again, and are asked when that was no use."""
    assert table.pending is not None, "a move is being repeated"
    again = replace(table.pending, unclear=table.pending.unclear + 1)
    table.amend(again)
    table.sound(Tone.NOT_UNDERSTOOD)
    if again.unclear >= MOST_UNCLEAR:
        _which(table, decision)


def _which(table: Table, decision: Decision) -> None:
    """Two announcements one after the other: which of them is meant is no question for guessing."""
    assert table.pending is not None, "a move is being repeated"
    repeated = table.pending.move
    others = [move for move in moves_of(decision) if move != repeated][: MAX_CHOICES - 1]
    table.do(Hush())
    if isinstance(decision, Play):
        questions.doubted(table, (*others, repeated))
    doubt = decision.refusal if isinstance(decision, Refuse) else None
    questions.ask_about_repeated(table, Ask((*others, repeated), doubt))


def answering(table: Table) -> chess.Board | None:
    """The position that the person beside answers in, who knows the repeated move already; None against the engine."""
    if not table.kind.announces_both or table.pending is None:
        return None
    after = table.board.copy()
    after.push(table.pending.move)
    return after


def _opponents_answer(table: Table, event: Heard) -> Decision | None:
    after = answering(table)
    return None if after is None else decide(after, event.readings)


def _castling_alone(event: Heard) -> bool:
    """Castling was heard, and not which: "korrigieren" is taken for "rochieren" ((j) of `bench hearing`)."""
    meaning = event.readings[0].meaning
    return isinstance(meaning, SpokenMove) and meaning.castling is Castling.UNSPECIFIED


def _denied(event: Heard) -> float:
    """How likely it is, of everything that may have been said, that it takes the move back."""
    return sum(exp(-reading.cost) for reading in event.readings if reading.meaning in (*NO_ANSWERS, Command("correct")))
