"""Starting and resuming a game, and restoring its state from the journal.

The first sentences tell the players what they need; those of a resumed game tell its state.

A journal stores words with their possible meanings, and the rules that turn them into moves change between versions.
What was announced, made and replied to is the game, whatever a later version would understand. So the moves and clock
times known to the players are stored with the events, and a replay is corrected by them.
"""

from __future__ import annotations

from dataclasses import replace

import chess

from voicechess.game import adjourning, claims, stopping, turns
from voicechess.game.agreement import GameSettings, Preset, start_board
from voicechess.game.effects import ShowText
from voicechess.game.events import Stood
from voicechess.game.phases import Adjourned, Announcing, Judging, Pause, Phase, Sealing
from voicechess.game.queries import announced_last
from voicechess.game.situation import Ply
from voicechess.game.state import Table
from voicechess.laws import editions
from voicechess.laws.chess960 import announcement
from voicechess.laws.clock import Clock
from voicechess.laws.results import Ending, Way
from voicechess.laws.time_controls import describe
from voicechess.meaning import Command
from voicechess.messages import Duration, Phrase, Side, Slot
from voicechess.score.pgn import write_pgn
from voicechess.score.score import UNDATED, Score, entry

# --- beginning and resuming -------------------------------------------------------------------------------------------


def start(table: Table, introduced: bool = False, three_words: bool = True) -> None:
    """Tell the players what they need; the first one's clock starts afterwards.

    `introduced`: they know the words that always work, and the time control; `three_words`: see `ev.Started`.
    """
    table.started_ms = table.now_ms
    if three_words and not introduced:
        table.say("start.three_words")
    _terms(table, introduced)
    decided = editions.finished(table.board) if table.kind.decided_here else None
    if decided is not None:
        stopping.finish(table, decided)
        return
    last = table.tell(table.kind.greeting(table, introduced))
    table.enter(Announcing())
    if table.kind.against_engine and table.engine_to_move:
        # The engine need not listen to the greeting.
        turns.go_on(table, table.now_ms)
    else:
        table.wait_for(last)
    table.kind.begun(table)


def _terms(table: Table, introduced: bool) -> None:
    """Announce unusual terms: position, edition, time control, preset."""
    settings = table.settings
    if settings.chess960 is not None and settings.fen == chess.STARTING_FEN:
        row = announcement(table.board)
        table.say(row.key, dict(row.slots))
    elif settings.fen != GameSettings().fen:
        table.say("start.position")
    if settings.laws != editions.DEFAULT_EDITION:
        table.say("start.laws", {"year": settings.laws})
    if table.timed and not introduced:
        table.say("start.time", {"time": describe(table.clock.control)})
    if settings.default_minutes is not None and table.kind.announces_both:
        default = Duration(settings.default_minutes * 60_000)
        table.say(
            "start.default_time" if settings.default_minutes else "start.default_time_zero", {"duration": default}
        )
    if settings.touch_move:
        table.say("start.touch_move")
    if settings.penalties:
        table.say("start.penalties")
    if settings.preset is Preset.TOURNAMENT and table.kind.tournament:
        table.say(table.kind.tournament)
    elif settings.preset is Preset.STRICT_BLIND:
        table.say("start.strict_blind")


def resume(table: Table, at_ms: int) -> None:
    """Resume after a restart, whose time is charged to neither side: announce the state and go on."""
    table.clock = table.clock.pause(table.now_ms if table.pending is None else table.pending.ended_ms)
    table.now_ms = max(table.now_ms, at_ms)
    if table.phase is Phase.NOT_STARTED:
        start(table)
        return
    if table.base_phase is Phase.OVER:
        table.step_to_base()
        table.say("over.what_now")
        return
    if table.kind.come_back(table):
        return
    table.told.said, table.machine.held = (), None
    if isinstance(table.base, Adjourned):
        adjourning.come_back(table)
        return
    if isinstance(table.base, Judging) and table.base.by_arbiter:
        table.step_to_base()
        claims.say_who_decides(table)
        return
    if table.judging is not None:
        table.step_to_base()
        claims.ask_the_engine(table, table.judging)
        return
    if isinstance(table.base, Sealing) or table.paused is Pause.LEFT:
        table.step_to_turn()
    elif table.open is not None:
        table.step_to_base()
    pending = table.pending
    if pending is not None:
        # A move was heard but not made: repeat it, so that it can be corrected.
        table.clock = table.clock.resume(pending.ended_ms)
        table.step_to_base()
        table.turn_since_ms = 0
        turns.repeat_move(table, pending.move, pending.ended_ms)
        return
    table.say("resume.going_on")
    last = announced_last(table)
    if last is not None:
        table.say("score.last", {"side": Side(last.colour), "move": last})
    if table.paused is not None:
        table.say("pause.say_resume")
        return
    turn: dict[str, Slot] = {"side": Side(table.turn), "number": table.board.fullmove_number}
    told = table.tell(table.kind.report(table) or (Phrase("turn.side", turn),))
    if table.engine_to_move:
        table.step_to_turn()
        table.clock = table.clock.resume(table.now_ms)
        turns.think(table)
        return
    if table.offer.can_answer(table.turn) and table.kind.is_here(table.turn):
        told = turns.say_offer(table)
    if table.bound.claim is not None:
        told = table.say("claim.which_move")
    table.enter(Announcing())
    table.wait_for(told)


# --- its score --------------------------------------------------------------------------------------------------------


def score(table: Table) -> Score:
    """The score so far, including the move being repeated, which is made unless corrected."""
    settings = table.settings
    adjourned = Ending(Way.ADJOURNED) if table.phase is Phase.ADJOURNED else None
    return Score(
        white=settings.white_name or "?",
        black=settings.black_name or "?",
        date=table.date or UNDATED,
        fen=start_board(settings).fen(),
        chess960=settings.chess960 is not None,
        time=table.clock.control,
        edition=settings.laws if table.kind.decided_here else None,
        ending=table.ending or adjourned,
        result="*" if table.ending is None else table.ending.result,
        entries=tuple(
            entry(ply.move, ply.clock, ply.ended_ms, ply.draw_offered, ply.notes)
            for ply in (*table.plies, *_being_repeated(table))
        ),
        after=tuple(table.notes) if table.pending is None else (),
        tags=table.kind.tags(settings),
    )


def _being_repeated(table: Table) -> tuple[Ply, ...]:
    pending, before = table.pending, table.clock
    if pending is None:
        return ()
    running = before if before.running is not None else before.start(table.turn, pending.ended_ms)
    notes = tuple(table.notes)
    return (Ply(pending.move, running.press(pending.ended_ms), before, pending.ended_ms, notes=notes),)


def show_game(table: Table, command: Command) -> None:
    """The score so far as PGN, to be copied."""
    table.do(ShowText(tuple(write_pgn(score(table)).rstrip().split("\n"))))
    table.say("show.game")


# --- where a game stood -----------------------------------------------------------------------------------------------


def standing(table: Table) -> Stood:
    """Where the game stands now."""
    settled = table.clock.pause(table.now_ms)
    return Stood(at_ms=table.now_ms, moves=_moves(table), white=settled.white, black=settled.black)


def set_right(table: Table, stood: Stood) -> None:
    """Set the game to this state where the replay differs. Moves that are invalid, or precede the start, change
    nothing."""
    if table.phase is Phase.NOT_STARTED:
        return
    if table.pending is not None and (*_moves(table), table.pending.move.uci()) == stood.moves:
        # Other versions number sentences differently, so the end of the repetition was missed here.
        turns.commit(table, stood.at_ms)
    settled = table.clock.pause(stood.at_ms)
    if _moves(table) != stood.moves:
        _put_back(table, stood)
    elif (settled.white, settled.black) != (stood.white, stood.black):
        since_ms = None if table.clock.since_ms is None else max(table.clock.since_ms, stood.at_ms)
        table.clock = replace(settled, white=stood.white, black=stood.black, since_ms=since_ms)
        if table.plies:
            last = table.plies[-1]  # the mover's time after it was announced; the other's has run on since
            after = replace(last.clock, black=stood.black) if table.turn else replace(last.clock, white=stood.white)
            table.plies[-1] = replace(last, clock=after)


def _moves(table: Table) -> tuple[str, ...]:
    return tuple(ply.move.uci() for ply in table.plies)


def _put_back(table: Table, stood: Stood) -> None:
    board = start_board(table.settings)
    try:
        moves = [board.push_uci(uci) for uci in stood.moves]
    except ValueError:
        return
    same = next(
        (n for n, (ply, move) in enumerate(zip(table.plies, moves, strict=False)) if ply.move != move),
        min(len(table.plies), len(moves)),
    )
    plies = table.plies[:same]
    times = Clock(table.clock.control, stood.white, stood.black)
    for move in moves[same:]:
        before = plies[-1].clock if plies else Clock.new(times.control, board.root().turn)
        plies.append(Ply(move, replace(times, turn=not before.turn), before, stood.at_ms))
    table.board, table.plies = board, plies
    table.clock = replace(times, turn=board.turn, since_ms=stood.at_ms)
    table.forget()
    table.notes.clear()
    table.heard.misses = table.machine.failures = 0
    table.enter(Announcing())
    table.step_to_turn()
    table.kind.put_back()
    decided = editions.after_move(board, table.rules) if moves and table.kind.decided_here else None
    if decided is not None:
        stopping.finish(table, decided)
