"""Where a game stood, kept with its events: the moves and the times that the players know.

A journal keeps words and what they may have meant, and the rules that make moves of them change from version to
version. What was repeated aloud, made and answered is the game, whatever a later version would make of the same words.
"""

from __future__ import annotations

from dataclasses import replace

from voicechess.game import ending, turns
from voicechess.game.events import Stood
from voicechess.game.phases import Phase
from voicechess.game.state import Bound, Ply, Table, start_board
from voicechess.laws import editions
from voicechess.laws.clock import Clock
from voicechess.laws.draws import DrawOffer


def standing(table: Table) -> Stood:
    """Where the game stands now."""
    settled = table.clock.pause(table.now_ms)
    return Stood(at_ms=table.now_ms, moves=_moves(table), white=settled.white, black=settled.black)


def set_right(table: Table, stood: Stood) -> None:
    """The game stood so: what has come out otherwise now is set to that. Moves that are none, or before
    the start, change nothing."""
    if table.phase is Phase.NOT_STARTED:
        return
    if table.pending is not None and (*_moves(table), table.pending.move.uci()) == stood.moves:
        # Another version counts its sentences otherwise, so the end of the repetition went by unnoticed here.
        turns.commit(table, stood.at_ms)
    settled = table.clock.pause(stood.at_ms)
    if _moves(table) != stood.moves:
        _put_back(table, stood)
    elif (settled.white, settled.black) != (stood.white, stood.black):
        table.clock = replace(settled, white=stood.white, black=stood.black, since_ms=table.clock.since_ms)
        if table.plies:
            last = table.plies[-1]  # the mover's time after it is what was told; the other's has run on since
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
    _nothing_open(table)
    # Whatever phase the events have led to here, this is another game: no step of the table leads from there.
    table.phase = Phase.ANNOUNCING
    table.step_to_base()
    decided = editions.after_move(board, table.rules) if moves else None
    if decided is not None:
        ending.finish(table, decided)


def _nothing_open(table: Table) -> None:
    """Nothing was asked, offered, claimed or touched, nobody is waited for and no move is on its way."""
    table.pending = table.open = table.held = table.claim = table.awaited = table.win_claim = table.ending = None
    table.absent = table.judging = None
    table.settled = False
    table.adjournment, table.offer, table.bound = None, DrawOffer(), Bound()
    table.paused = table.stands = table.left = table.considering = table.echo_due = table.slot_by_slot = False
    table.notes.clear()
    table.misses = table.failures = 0
