"""Adjourning a game (Laws 2009, Appendix G; 2023, Guidelines I; identical): request, sealed move, closing, a draw
agreed meanwhile, and the resumption: on time, early, late, or without the envelope.

The sealed move never reaches this module in plain text: while the phase is SEALING, `KeepPrivate` has the loop seal
announcements, and only the seal arrives. An ambiguous or illegal sealed move loses when the envelope is opened; since
nobody is to lose by a recognition error, the player is told so and may change it until the clocks are stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import chess

from voicechess.game import questions, state, stopping, turns
from voicechess.game.effects import ConsiderDraw, OpenEnvelope, StopThinking
from voicechess.game.events import EnvelopeOpened, Sealed
from voicechess.game.penalties import move_named
from voicechess.game.phases import PLAYERS_TURN, Adjourned, Announcing, Phase, Sealing
from voicechess.game.situation import Absent
from voicechess.game.state import Table
from voicechess.laws import editions
from voicechess.laws.adjournment import (
    EARLY_MS,
    Adjournment,
    Envelope,
    Opened,
    Stage,
    missed,
    open_envelope,
    resumption,
)
from voicechess.laws.clock import Clock
from voicechess.laws.draws import DrawOffer
from voicechess.laws.results import Ending, Way
from voicechess.meaning import Command, Reading
from voicechess.messages import Duration, Side, Slot, Text
from voicechess.moves.decisions import Ask, AskPromotion, Play, Refuse
from voicechess.moves.matching import decide

HOUR_MS = 3_600_000
"""Milliseconds of an hour."""

_NEVER_MS = 2**62
"""Lateness in milliseconds of a player who has not arrived at all: more than any default time."""

SEAL = Command("seal")
LATE = "late"
"""Name of the command that confirms that a player came late; only the game itself asks it."""


# --- for the loop, which seals announcements -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Announcement:
    """An announcement for the envelope: the moves it can mean, legal or not, and whether it is one legal move."""

    moves: tuple[chess.Move, ...]
    clear: bool


def announcement(board: chess.Board, readings: Sequence[Reading], typed: bool) -> Announcement | None:
    """The announcement in `readings` on `board`; None if it is no whole move (a command, noise, a partial move)."""
    match decide(board, readings, typed=typed):
        case Play(move):
            return Announcement((move,), True)
        case Ask(moves) | AskPromotion(moves):
            return Announcement(moves, False)
        case Refuse(_, spoken) if spoken.complete:
            named = move_named(board, spoken)
            return Announcement(() if named is None else (named,), False)
    return None


def envelope_at(envelope: Envelope, clock: Clock, ended_ms: int, resumes: str) -> Envelope:
    """The envelope at closing: both sides' time used until `ended_ms`, and when play resumes."""
    stopped = clock.pause(ended_ms)
    return replace(envelope, white_ms=stopped.white.spent_ms, black_ms=stopped.black.spent_ms, resumes=resumes)


# --- sealing -----------------------------------------------------------------------------------------------------


def adjourn(table: Table, command: Command) -> None:
    """ "Hängepartie", perhaps with the number of hours until play resumes."""
    if table.phase is Phase.ADJOURNED:
        table.say("adjourn.what_now")
    elif table.phase is Phase.SEALING:
        table.say("adjourn.seal_now")
    elif table.phase in PLAYERS_TURN and table.may_seal_reply:
        questions.confirm(table, SEAL, {"side": Side(not table.turn)}, "confirm.seal_reply")
    elif table.phase in PLAYERS_TURN:
        hours = command.slot("number")
        if isinstance(hours, int):
            questions.confirm(table, command, {"duration": Duration(hours * HOUR_MS)}, "confirm.adjourn_hours")
        else:
            questions.confirm(table, command, None, "confirm.adjourn")
    else:
        table.say("refuse.not_your_turn")


def seal_confirmed(table: Table, command: Command) -> None:
    """Confirmed: the sealed move is final; or, before there is one, the game is to be adjourned."""
    if table.adjournment is None:
        begin(table, command)
    else:
        stop_clocks(table)


def begin(table: Table, command: Command) -> None:
    """Agreed: the player announces the move privately, on their own clock."""
    hours = command.slot("number")
    _ask_for_the_move(table, hours * HOUR_MS if isinstance(hours, int) else None)


def _ask_for_the_move(table: Table, resumes_in_ms: int | None) -> None:
    settings = table.settings
    adjournment = Adjournment(
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
    table.enter(Sealing(adjournment, resumes_in_ms))
    table.say("adjourn.seal_now")


def sealed(table: Table, event: Sealed) -> None:
    """The announcement was sealed, perhaps replacing another: ask whether to stop the clocks."""
    sealing = table.base
    assert isinstance(sealing, Sealing), "a move is to be sealed"
    if table.phase is Phase.CONFIRMING and sealing.adjournment.stage is not Stage.SEALED:
        return
    if stopping.flag_fell(table, event.ended_ms):
        return
    envelope = envelope_at(sealing.adjournment.envelope, table.clock, event.ended_ms, event.resumes)
    table.amend(replace(sealing, adjournment=Adjournment(envelope, Stage.SEALED, event.sealed)))
    table.clock = table.clock.pause(event.ended_ms)
    if not event.clear:
        table.say("adjourn.unclear")
    questions.confirm(
        table,
        SEAL,
        otherwise=lambda table, _: _ask_for_the_move(table, sealing.resumes_in_ms),
        after_silence="adjourn.reopened",
    )


def change(table: Table, command: Command) -> None:
    """Replace the sealed move, before the clocks are stopped."""
    sealing = table.base
    if isinstance(sealing, Adjourned):
        table.say("adjournment.error.too_late_to_change")
    elif not isinstance(sealing, Sealing):
        table.say("adjournment.error.nothing_sealed")
    elif table.phase is Phase.CONFIRMING:
        _ask_for_the_move(table, sealing.resumes_in_ms)
    else:
        table.say("adjourn.seal_now")


def stop_clocks(table: Table) -> None:
    """Confirmed: the move is final and the game is adjourned."""
    if not isinstance(table.base, Sealing) or table.base.adjournment.stage is not Stage.SEALED:
        table.step_to_base()
        return
    adjournment = table.base.adjournment.stop_clocks()
    table.enter(Adjourned(adjournment))
    if table.absent is not None:
        table.say("adjourn.reply_sealed")
        _wait(table)
        return
    table.say("ending.adjourned")
    for words in adjournment.envelope.words():
        table.say(words.key, words.slots)
    if table.kind.both_here and loses_at_once(table):
        table.say("adjourn.default_zero")
    table.say("adjourn.what_now")


def cancel(table: Table) -> None:
    """ "Nein" instead of a move for the envelope."""
    table.say("adjourn.cancelled")
    table.step_to_turn()


# --- before the resumption ---------------------------------------------------------------------------------------


def draw(table: Table, command: Command) -> None:
    """A draw may be agreed before the resumption (2009: G.6): both people are asked, an engine considers it."""
    adjourned, offered = table.base, table.offer.by
    assert isinstance(adjourned, Adjourned), "play is to be resumed"
    if command.name == "draw_decline":
        table.say("draw.nothing_offered" if offered is None else "draw.declined")
        table.offer = DrawOffer()
    elif command.name == "draw_accept" and offered is None:
        table.say("draw.nothing_offered")
    elif not table.may_offer(table.turn):
        table.say_too_early()
    elif table.kind.against_engine:
        if adjourned.considering:
            table.say("offer.already_offered")
            return
        table.amend(replace(adjourned, considering=True))
        table.say("draw.offering")
        table.do(ConsiderDraw(table.board.copy(), table.settings.level))
    else:
        named = command.name == "draw_offer" and command.slot("colour") is not None
        _ask_agreement(table, table.turn, table.speaker_of(command) if named else offered)


def _ask_agreement(table: Table, colour: chess.Color, offered: chess.Color | None) -> None:
    """Ask one side, then the other; the side that offered need not be asked."""

    def agreed(*_: object) -> None:
        if colour == table.turn and offered != (not colour):
            _ask_agreement(table, not colour, offered)
        else:
            stopping.agree(table)

    if colour == offered == table.turn:
        _ask_agreement(table, not colour, offered)
        return
    questions.confirm(table, Command("draw_accept"), {"side": Side(colour)}, "confirm.draw_agree", agreed=agreed)


def considered(table: Table, accepts: bool) -> None:
    """The engine's decision on the draw before the resumption."""
    adjourned = table.base
    assert isinstance(adjourned, Adjourned), "play is to be resumed"
    if not adjourned.considering:
        return
    if accepts:
        stopping.finish(table, Ending(Way.AGREEMENT))
    else:
        table.amend(replace(adjourned, considering=False))
        table.say("draw.declined_by", {"side": Side(not table.turn)})


# --- resuming ----------------------------------------------------------------------------------------------------


def resume(table: Table) -> None:
    """Resume play: the envelope is to be opened. The player who was waited for has arrived."""
    adjourned = table.base
    if not isinstance(adjourned, Adjourned):
        return
    table.step_to_base()
    if adjourned.considering:
        table.do(StopThinking())
    settled = adjourned.settled
    if table.absent is not None:
        came = table.clock.pause(table.now_ms)
        table.clock = replace(came, turn=table.turn, turn_ms=table.absent.turn_ms)
        table.came(not table.turn)
        settled = True
    table.amend(replace(adjourned, considering=False, settled=settled))
    table.do(OpenEnvelope(adjourned.adjournment.envelope, anyway=settled))


def come_back(table: Table) -> None:
    """After a restart: keep waiting for a missing player, or resume."""
    if isinstance(table.base, Adjourned):
        table.amend(replace(table.base, considering=False))  # the engine that was asked no longer runs
    if table.absent is None:
        resume(table)
        return
    table.step_to_base()
    table.absent = replace(table.absent, over=False)
    _wait(table)


def _wait(table: Table, late_ms: int = 0) -> None:
    """Run the clock of the missing side to reply, since `late_ms` ago (2009: G.9 b, c), also if both are missing."""
    assert table.absent is not None
    if table.clock.turn == table.turn:
        table.absent = replace(table.absent, turn_ms=table.clock.turn_ms)
    table.clock = table.clock.start(not table.turn, table.now_ms - late_ms)
    table.times.looked_ms = table.now_ms
    table.say("adjourn.waiting" if table.timed else "adjourn.waiting_untimed", {"side": Side(not table.turn)})


def missing(table: Table, colours: tuple[chess.Color, ...]) -> None:
    """These sides are missing at the resumption. The envelope is opened only when the side to reply is present (2009:
    G.5; 2023: I.7)."""
    assert table.adjournment is not None
    waited = table.is_missing(not table.turn)
    table.step_to_base()
    table.absent = Absent(colours) if table.absent is None else replace(table.absent, colours=colours)
    if len(colours) > 1:
        table.say("absent.both")
    if not waited:
        table.do(OpenEnvelope(table.adjournment.envelope, wanted=(not table.turn) not in colours))


def overdue(table: Table) -> None:
    """The missing player loses, unless the sealed move has ended the game, which has to be checked."""
    assert table.absent is not None and table.adjournment is not None
    if not table.absent.over:
        table.absent = replace(table.absent, over=True)
        table.step_to_base()
        table.do(OpenEnvelope(table.adjournment.envelope, anyway=True))


def opened(table: Table, event: EnvelopeOpened) -> None:
    """The time is known, and the key if available: continue with or without the sealed move."""
    adjourned = table.state
    if not isinstance(adjourned, Adjourned):
        return
    absent = table.absent
    if event.early_ms:
        _too_early(table, event.early_ms)
        return
    if absent is not None and not absent.over:
        default_ms = _default_ms(table)
        if absent.loses_at_ms is None and default_ms is not None:
            table.absent = absent = replace(absent, loses_at_ms=table.now_ms - event.late_ms + default_ms)
        if (not table.turn) in absent.colours:
            if absent.loses_at_ms is not None and absent.loses_at_ms <= table.now_ms:
                overdue(table)
            else:
                _wait(table, event.late_ms)
            return
    found = _found(table, event.key)
    if absent is not None and absent.over:
        _missed(table, found, absent.colours)
    elif absent is not None:
        _without(table, found, lambda: _go_on(table, found, absent.colours, event.late_ms))
    else:
        _without(table, found, lambda: _ask_who_is_late(table, found, 0 if adjourned.settled else event.late_ms))


def _default_ms(table: Table) -> int | None:
    """Default time of the resumption, milliseconds; None if no time of resumption was agreed."""
    minutes = table.settings.default_minutes
    default_ms = table.rules.default_at_resumption_ms if minutes is None else minutes * 60_000
    return default_ms if default_ms or _agreed(table) else None


def _agreed(table: Table) -> bool:
    return table.adjournment is not None and resumption(table.adjournment.envelope.resumes) is not None


def loses_at_once(table: Table) -> bool:
    """Whether a player who arrives after the agreed time has lost."""
    return _default_ms(table) == 0


def _is_over(table: Table, late_ms: int) -> bool:
    """Whether a player this late has lost by default."""
    default_ms = _default_ms(table)
    return default_ms is not None and late_ms > default_ms


def _missed(table: Table, found: Opened | None, absent: Sequence[chess.Color]) -> None:
    """Nobody arrived in time. If one side is missing, announce the sealed move; if both, the envelope stays closed,
    unless its move has ended the game (2009: G.11; 2023: I.11)."""
    after = None
    if found is not None and found.move is not None:
        after = table.board.copy()
        after.push(found.move)
    decides = after is not None and editions.finished(after) is not None
    if found is not None and (len(absent) == 1 or decides):
        _go_on(table, found, absent, _NEVER_MS)
    else:
        stopping.finish(table, missed(absent, None))


def _minutes(ms: int) -> Duration:
    """Rounded to whole minutes."""
    return Duration(ms // 60_000 * 60_000)


def _too_early(table: Table, early_ms: int) -> None:
    """Before the agreed time nobody is missing; ask whether to play already."""
    assert table.adjournment is not None
    envelope, early = table.adjournment.envelope, _minutes(early_ms)
    if table.absent is not None:
        table.absent = None
        table.say("adjourn.not_yet", {"duration": early})
        return

    def agreed(*_: object) -> None:
        table.step_to_base()
        table.do(OpenEnvelope(envelope, anyway=True))

    questions.confirm(table, Command("resume"), {"duration": early}, "confirm.early", agreed=agreed)


def _found(table: Table, key: str) -> Opened | None:
    """The contents of the envelope; None if it is lost, or another game's."""
    assert table.adjournment is not None
    try:
        return open_envelope(table.adjournment.envelope, table.adjournment.sealed, bytes.fromhex(key))
    except ValueError:
        return None


def _without(table: Table, found: Opened | None, go_on: Callable[[], None]) -> None:
    """Call `go_on`; if the envelope is lost, only after a confirmation, since it may still be found."""
    if found is not None:
        go_on()
        return

    def agreed(*_: object) -> None:
        table.step_to_base()
        go_on()

    table.say("adjournment.error.broken")
    side: dict[str, Slot] = {"side": Side(table.turn)}
    questions.confirm(table, Command("resume"), side, "confirm.without_envelope", agreed=agreed)


def _ask_who_is_late(table: Table, found: Opened | None, late_ms: int) -> None:
    """Ask since when somebody has been missing. The program cannot see who arrived; an engine is never late.

    Within the default time only the clock counts, of the side to reply, or of the one the engine waited for. Without a
    clock, a player against an engine is asked, since there is no arbiter to decide (2023: 6.7.1).
    """
    if late_ms <= EARLY_MS:
        _go_on(table, found, (), 0)
    elif table.kind.against_engine and loses_at_once(table):
        _who_is_late(table, found, late_ms, [table.speaker], ())
    elif table.kind.against_engine:
        _go_on(table, found, (table.speaker,), late_ms)
    elif _is_over(table, late_ms):
        _who_is_late(table, found, late_ms, [chess.WHITE, chess.BLACK], ())
    elif table.timed:
        _who_is_late(table, found, late_ms, [not table.turn], ())
    else:
        _go_on(table, found, (), 0)


def _who_is_late(
    table: Table, found: Opened | None, late_ms: int, ask: Sequence[chess.Color], absent: tuple[chess.Color, ...]
) -> None:
    """Ask about one side after the other."""
    if not ask:
        table.step_to_base()
        _go_on(table, found, absent, late_ms)
        return

    def answered(came_late: bool) -> None:
        _who_is_late(table, found, late_ms, ask[1:], (*absent, ask[0]) if came_late else absent)

    slots: dict[str, Slot] = {"side": Side(ask[0]), "duration": _minutes(late_ms)}
    questions.confirm(
        table,
        Command(LATE),
        slots,
        "confirm.late_loses" if _is_over(table, late_ms) else "",
        agreed=lambda *_: answered(True),
        otherwise=lambda *_: answered(False),
    )


def _go_on(table: Table, found: Opened | None, absent: Sequence[chess.Color], late_ms: int) -> None:
    """Make the sealed move, or end the game; without the envelope it is announced again (2009: G.12; I.10 in 2023)."""
    if found is None:
        if absent and _is_over(table, late_ms):
            stopping.finish(table, missed(absent, None))
            return
        _charge(table, absent, late_ms)
        table.enter(Announcing())
        said = table.say("adjourn.announce_again", {"side": Side(table.turn)})
        table.turn_since_ms = table.now_ms
        table.wait_for(said)
        return
    if found.move is None:
        assert found.flaw is not None and found.ending is not None
        table.say("adjourn.opened_words", {"words": Text(found.words)})
        table.say(f"adjournment.flaw.{found.flaw.value}")
        stopping.finish(table, found.ending)
        return
    mover = table.turn
    after = table.board.copy()
    after.push(found.move)
    slots: dict[str, Slot] = {"side": Side(mover), "move": table.announced(found.move)}
    said = table.say("adjourn.opened", slots)
    if absent and _is_over(table, late_ms) and editions.finished(after) is None:
        stopping.finish(table, missed(absent, after))
        return
    table.clock = table.clock.resume(table.now_ms)
    turns.make(table, found.move, table.now_ms)
    table.clock = table.clock.pause(table.now_ms)
    decided = editions.after_move(table.board, table.rules)
    if decided is not None:
        stopping.finish(table, decided)
        return
    _charge(table, absent, late_ms)
    table.enter(Announcing())
    table.turn_since_ms = table.now_ms
    if table.offer.can_answer(table.turn) and not table.engine_to_move:
        said = turns.say_offer(table)
    if table.absent is not None:
        said = table.say("adjourn.may_seal", {"side": Side(not table.turn)})
    table.wait_for(said)
    table.between_until_ms = table.now_ms + state.SPEECH_LIMIT_MS


def _charge(table: Table, absent: Sequence[chess.Color], late_ms: int) -> None:
    """Charge a late player's clock since the agreed time; not that of one still missing."""
    for colour in absent:
        if table.timed and not table.is_missing(colour):
            ran = table.clock.start(colour, table.now_ms - late_ms).pause(table.now_ms)
            table.clock = replace(ran, turn=table.turn, turn_ms=0)
            table.say("adjourn.charged", {"side": Side(colour), "duration": _minutes(late_ms)})
