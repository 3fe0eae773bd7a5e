"""Speech around a move's repetition: a correction, a late "Schach", and the player's own repetition of a move.

The repetition is the last chance to take a move back, and the moment at which a player learns of a misrecognition. A
question, or a move to be repeated, costs little; a move that stands although somebody has just said "nein" is a wrong
one. So anything that may be a correction is one, and anything but the repeated move is asked about, even if it is no
move at all (Laws, Appendix D: a slip is corrected at once, before the opponent's clock is started).

Somebody who continues before the repetition has started is heard first: they correct the move, repeat it, or add
"Schach". Nothing else makes a move that was not repeated.

"Schach" or "matt" may come after the move was recognised: after a pause it is an utterance of its own.

In tournaments the player repeats the opponent's announcement before thinking (Laws, Appendix D.2.1). After a wrong
repetition it is announced again, on the player's clock: the opponent's move was completed with its announcement. A
failing recogniser must not hold a player up: after some attempts the game goes on.
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
"""Number of wrong repetitions of the opponent's move after which the game goes on without one. Larger: a failing
recogniser holds a player up longer."""


def before(table: Table) -> chess.Board:
    """The position before the move that is to be repeated."""
    board = table.board.copy()
    board.pop()
    return board


def hear_echo(table: Table, event: Heard) -> None:
    """Handle a repetition, right or wrong; or a command, which needs none."""
    board, last = before(table), table.plies[-1].move
    decision = decide(board, event.readings, typed=event.source is Source.KEYBOARD)
    if isinstance(decision, Act):
        commands.obey(table, decision.command)
        return
    if decision == Play(last):
        table.say("echo.right")
    elif event.ahead:
        return  # the correction of the previous words follows
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
    """The move being repeated gives no check, so it is doubtful and is asked about."""
    pending = table.pending
    assert pending is not None, "a move is being repeated"
    table.do(Hush())
    questions.ask_about_repeated(table, Ask((pending.move,), Refusal("no_check")))


def belongs_to_last_move(table: Table) -> bool:
    """Whether the last move gives check, so that "Schach" belongs to it."""
    if table.open is not None or not table.board.is_check():
        return False
    table.say("check.mate" if table.board.is_checkmate() else "check.check")
    return True


# --- corrections ------------------------------------------------------------------------------------------------------

DENIED = 0.05
"""Total posterior of "nein" and "Korrektur", 0 to 1, at which the move is taken back: high enough for talk, low enough
for corrections in noise (models/NOTES.md). Larger: fewer corrections, and fewer false ones."""

MOST_UNCLEAR = 2
"""Utterances during a repetition that may be ignored as not understood before asking whether the move is right. Larger:
fewer questions."""


GRACE_MS = 1_000
"""Time, milliseconds, for "Korrektur" after a repetition, since the program does not listen while speaking. Not charged
to either clock: it is pressed as of the end of the move's words. Larger: slower games."""

SAY_AGAIN_MS = 2_000
"""Time, milliseconds, added after an utterance that was not understood: to hear the tone and repeat it. Larger: slower
games in noise."""

LONGEST_GRACE_MS = 6_000
"""Upper limit, milliseconds, of all that time, while somebody speaks or was not understood: noise must not hold up the
game. Larger: slower games in noise."""

CUT_SHORT_MS = 2_500
"""Time, milliseconds, for a correction after a barge-in into the repetition, by which the player means to speak.
Larger: slower games."""


def said(table: Table, number: int, completed: bool, listening: bool) -> None:
    """Utterance `number` has ended. After the repetition its move is made, once there was time for an objection.

    `listening`: a microphone is active now. That time ends with a `Tick`, which knows whether somebody is speaking, and
    never with an utterance, which began before the move was made.
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
    """Time has passed: make the move unless it was corrected."""
    window = table.window
    if window is not None and table.now_ms >= (window.latest_ms if speaking else window.until_ms):
        turns.commit(table, table.now_ms)


def hear(table: Table, event: Heard) -> bool:
    """Handle `event` during the repetition. Whether it is still to be handled after the move."""
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
            _which(table, decision)  # nothing is being said that it could stop: "halt" is about the move
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
        return False  # the rest of the announcement, whatever else sounds like "Schach"
    match decision:
        case NotUnderstood(UnclearReason.CHECK_ALONE):
            into_repetition(table)
            return False
        case Play() | Ask() | AskPromotion() | Complete() | Refuse() if not answers and table.company.is_far_off(event):
            # Asked about when repeated. A "nein" takes the move back, however soft.
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
    """A barge-in may be followed by a correction: the move waits for that, and no longer."""
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
    """An utterance was not understood: wait for it to be repeated, and ask if that does not help."""
    assert table.pending is not None, "a move is being repeated"
    again = replace(table.pending, unclear=table.pending.unclear + 1)
    table.amend(again)
    table.sound(Tone.NOT_UNDERSTOOD)
    if again.unclear >= MOST_UNCLEAR:
        _which(table, decision)


def _which(table: Table, decision: Decision) -> None:
    """Two different announcements: ask which one is meant."""
    assert table.pending is not None, "a move is being repeated"
    repeated = table.pending.move
    others = [move for move in moves_of(decision) if move != repeated][: MAX_CHOICES - 1]
    table.do(Hush())
    if isinstance(decision, Play):
        questions.doubted(table, (*others, repeated))
    doubt = decision.refusal if isinstance(decision, Refuse) else None
    questions.ask_about_repeated(table, Ask((*others, repeated), doubt))


def answering(table: Table) -> chess.Board | None:
    """The position for the other person at the board, who knows the repeated move already; None against an engine."""
    if not table.kind.announces_both or table.pending is None:
        return None
    after = table.board.copy()
    after.push(table.pending.move)
    return after


def _opponents_answer(table: Table, event: Heard) -> Decision | None:
    after = answering(table)
    return None if after is None else decide(after, event.readings)


def _castling_alone(event: Heard) -> bool:
    """Castling without a side: "korrigieren" is confused with "rochieren" ((j) of `bench hearing`)."""
    meaning = event.readings[0].meaning
    return isinstance(meaning, SpokenMove) and meaning.castling is Castling.UNSPECIFIED


def _denied(event: Heard) -> float:
    """Posterior, 0 to 1, that this takes the move back."""
    return sum(exp(-reading.cost) for reading in event.readings if reading.meaning in (*NO_ANSWERS, Command("correct")))
