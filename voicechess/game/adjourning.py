"""Adjourning a game (Laws 2009, Appendix G; 2023, Guidelines I): asked for, sealed, closed, opened again.

The move for the envelope never comes here in plain: while the phase is SEALING, `KeepPrivate` has the rim seal what is
announced, and only the sealed text arrives. A sealed move that is ambiguous or illegal loses at the opening; since a
mishearing must cost nobody anything, the player is told that it is, and may change it until the clocks are stopped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import chess

from voicechess.game import ending, laws, moving, questions
from voicechess.game.adjournment import (
    LATE_MS,
    Adjournment,
    Envelope,
    Opened,
    Stage,
    late,
    open_envelope,
)
from voicechess.game.clock import Clock
from voicechess.game.effects import OpenEnvelope
from voicechess.game.events import EnvelopeOpened, Sealed
from voicechess.game.matching import Ask, AskPromotion, Context, Play, Refuse, decide
from voicechess.game.messages import Duration, Side, Slot, Text
from voicechess.game.offending import move_named
from voicechess.game.phases import PLAYERS_TURN, Phase, Step
from voicechess.game.settings import Player
from voicechess.game.table import Table
from voicechess.language.meaning import Command, Reading

HOUR_MS = 3_600_000
SEAL = Command("seal")
LATE = "late"


# --- for the rim -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Announcement:
    """What was announced for the envelope: the moves it can mean, legal or not, and whether it is one legal move."""

    moves: tuple[chess.Move, ...]
    clear: bool


def announcement(board: chess.Board, readings: Sequence[Reading], typed: bool) -> Announcement | None:
    """What `readings` announce on `board`; None if they announce no whole move (a command, noise, a part)."""
    match decide(board, readings, Context(typed=typed)):
        case Play(move):
            return Announcement((move,), True)
        case Ask(moves) | AskPromotion(moves):
            return Announcement(moves, False)
        case Refuse(_, spoken) if spoken.complete:
            named = move_named(board, spoken)
            return Announcement(() if named is None else (named,), False)
    return None


def envelope_at(envelope: Envelope, clock: Clock, ended_ms: int, resumes: str) -> Envelope:
    """The envelope as it is closed: both times used until `ended_ms`, and when play is to go on."""
    stopped = clock.pause(ended_ms)
    return replace(envelope, white_ms=stopped.white.spent_ms, black_ms=stopped.black.spent_ms, resumes=resumes)


# --- sealing -----------------------------------------------------------------------------------------------------


def adjourn(table: Table, command: Command) -> None:
    """ "Hängepartie", perhaps with the hours until play goes on."""
    if table.phase is Phase.ADJOURNED:
        table.say("adjourn.what_now")
    elif table.phase is Phase.SEALING:
        table.say("adjourn.seal_now")
    elif table.phase in PLAYERS_TURN:
        hours = command.slot("number")
        if isinstance(hours, int):
            questions.confirm(table, command, {"duration": Duration(hours * HOUR_MS)}, "confirm.adjourn_hours")
        else:
            questions.confirm(table, command, None, "confirm.adjourn")
    else:
        table.say("over.no_moves" if table.phase is Phase.OVER else "refuse.not_your_turn")


def begin(table: Table, command: Command) -> None:
    """Agreed: the player announces the move privately, on their own time."""
    hours = command.slot("number")
    table.resumes_in_ms = hours * HOUR_MS if isinstance(hours, int) else None
    _ask_for_the_move(table)


def _ask_for_the_move(table: Table) -> None:
    settings = table.settings
    table.adjournment = Adjournment(
        Envelope(
            white=settings.white_name or "?",
            black=settings.black_name or "?",
            fen=table.board.fen(),
            chess960=table.board.chess960,
            white_ms=0,
            black_ms=0,
            sealed_by_white=table.turn,
            move_number=table.board.fullmove_number,
            draw_offered=table.offer.by is not None,
            resumes="",
        )
    )
    if table.clock.running is None:
        table.clock = table.clock.resume(table.now_ms)
    table.step_to_base()
    table.say("adjourn.seal_now")


def sealed(table: Table, event: Sealed) -> None:
    """The rim has sealed what was announced, perhaps another move instead: are the clocks to be stopped?"""
    adjournment = table.adjournment
    replaces = table.phase is Phase.CONFIRMING and adjournment is not None and adjournment.stage is Stage.SEALED
    if adjournment is None or not (replaces or table.phase is Phase.SEALING):
        return
    if ending.flag_fell(table, event.ended_ms):
        return
    envelope = envelope_at(adjournment.envelope, table.clock, event.ended_ms, event.resumes)
    table.adjournment = Adjournment(envelope, Stage.SEALED, event.sealed)
    table.clock = table.clock.pause(event.ended_ms)
    if not event.clear:
        table.say("adjourn.unclear")
    questions.confirm(table, SEAL, otherwise=lambda table, _: _ask_for_the_move(table))


def change(table: Table, command: Command) -> None:
    """Another move instead, while the clocks have not been stopped."""
    adjournment = table.adjournment
    if adjournment is None:
        table.say("adjournment.error.nothing_sealed")
    elif adjournment.stage is Stage.STOPPED:
        table.say("adjournment.error.too_late_to_change")
    elif table.phase is Phase.CONFIRMING:
        _ask_for_the_move(table)
    else:
        table.say("adjourn.seal_now")


def stop_clocks(table: Table) -> None:
    """Confirmed: the move stands and the game is adjourned."""
    if table.adjournment is None or table.adjournment.stage is not Stage.SEALED:
        questions.close_confirming(table)
        return
    table.adjournment = table.adjournment.stop_clocks()
    table.step_to_base()
    table.say("ending.adjourned")
    words = table.adjournment.envelope.words()
    table.say(words.key, dict(words.slots))
    table.say("adjourn.what_now")


def drop(table: Table) -> None:
    """No adjournment after all; one that is closed stays."""
    if table.adjournment is not None and table.adjournment.stage is not Stage.STOPPED:
        table.adjournment = None


def cancel(table: Table) -> None:
    """ "Nein" instead of a move for the envelope."""
    drop(table)
    table.say("adjourn.cancelled")
    table.step_to_base()


# --- resuming ----------------------------------------------------------------------------------------------------


def resume(table: Table) -> None:
    """Play goes on: the envelope is to be opened."""
    if table.adjournment is not None:
        if table.phase is not Phase.ADJOURNED:
            table.step_to_base()
        table.do(OpenEnvelope(table.adjournment.envelope))


def opened(table: Table, event: EnvelopeOpened) -> None:
    """The key is there, or not; whoever is more than an hour late has lost."""
    if table.phase is not Phase.ADJOURNED or table.adjournment is None:
        return
    envelope = table.adjournment.envelope
    try:
        found = open_envelope(envelope, table.adjournment.sealed, bytes.fromhex(event.key))
    except ValueError:
        table.say("adjournment.error.broken")
        table.say("adjourn.what_now")
        return
    words = envelope.words()
    table.say(words.key, dict(words.slots))
    if event.late_ms > LATE_MS and envelope.resumes:
        engine = table.engine
        if engine is None:
            _who_is_late(table, event, chess.WHITE, ())
            return
        _go_on(table, found, (not engine,), event.late_ms)
    else:
        _go_on(table, found, (), 0)


def _who_is_late(table: Table, event: EnvelopeOpened, colour: chess.Color, absent: tuple[chess.Color, ...]) -> None:
    """Ask White, then Black: the program cannot see who came."""

    def answered(came_late: bool) -> None:
        now_absent = (*absent, colour) if came_late else absent
        if colour == chess.WHITE:
            _who_is_late(table, event, chess.BLACK, now_absent)
            return
        assert table.adjournment is not None
        table.step_to_base()
        key = bytes.fromhex(event.key)
        _go_on(
            table, open_envelope(table.adjournment.envelope, table.adjournment.sealed, key), now_absent, event.late_ms
        )

    slots: dict[str, Slot] = {"side": Side(colour)}
    questions.confirm(table, Command(LATE), slots, otherwise=lambda *_: answered(False))
    if table.open is not None:
        table.open.agreed = lambda *_: answered(True)


def _go_on(table: Table, found: Opened, absent: Sequence[chess.Color], late_ms: int) -> None:
    """Make the sealed move, or end the game."""
    if found.move is None:
        assert found.flaw is not None and found.ending is not None
        table.say("adjourn.opened_words", {"words": Text(found.words)})
        table.say(f"adjournment.flaw.{found.flaw.value}")
        ending.finish(table, found.ending)
        return
    mover = table.turn
    after = table.board.copy()
    after.push(found.move)
    slots: dict[str, Slot] = {"side": Side(mover), "move": table.announced(found.move)}
    said = table.say("adjourn.opened", slots)
    missed = late(absent, late_ms, after)
    if missed is not None and laws.finished(after) is None:
        ending.finish(table, missed)
        return
    table.adjournment = None
    table.clock = table.clock.resume(table.now_ms)
    moving.make(table, found.move, table.now_ms)
    table.clock = table.clock.pause(table.now_ms)
    decided = laws.after_move(table.board, table.rules)
    if decided is not None:
        ending.finish(table, decided)
        return
    table.step(Step.ANNOUNCED)
    table.turn_since_ms = table.now_ms
    if table.offer.can_answer(table.turn) and table.players[table.turn] is Player.VOICE:
        said = moving.say_offer(table)
    table.wait_for(said, table.now_ms + moving.SPEECH_LIMIT_MS)
    table.between_until_ms = table.awaited_until_ms
