"""Moves: repeated, corrected, made, announced, taken back.

A player's move is first repeated aloud and can be corrected until that has ended. Then it is made, and the mover's
clock stops at the time when the words ended (Laws, Appendix D). The engine thinks about its reply meanwhile; a reply
that comes early is held until the move is made, and dropped if it is corrected. The engine's time runs from when it is
asked, a player's from the end of the engine's announcement: neither clock is charged for the program's speech.
"""

from __future__ import annotations

from dataclasses import replace

import chess

from voicechess.game import claims, penalties, questions, stopping
from voicechess.game.agreement import Preset
from voicechess.game.effects import ConsiderDraw, Hush, StopThinking, Think
from voicechess.game.events import OpponentMoved
from voicechess.game.kind import AtBoard
from voicechess.game.phases import Announcing, Pause, Paused, Phase, Repeating, Thinking
from voicechess.game.situation import Bound, Ply
from voicechess.game.state import Table
from voicechess.laws import draws, editions
from voicechess.laws.chess960 import castling_told
from voicechess.laws.clock import Clock, period_entered
from voicechess.laws.draws import Claim, DrawOffer
from voicechess.laws.editions import category
from voicechess.laws.results import Ending
from voicechess.laws.time_controls import Bonus
from voicechess.meaning import Command
from voicechess.messages import Duration, Side, Slot, Utterance

MOST_FAILURES = 2
"""Number of illegal moves in a row after which the engine is given up. Larger: a broken engine is asked more often."""


def repeat_move(table: Table, move: chess.Move, ended_ms: int) -> None:
    """Repeat `move`, whose words ended at `ended_ms`; it is made once the repetition has been spoken."""
    if stopping.flag_fell(table, ended_ms) or penalties.forbids(table, move):
        return
    table.heard.misses, table.told.helped = 0, None
    table.kind.repeating()
    table.enter(Repeating(move, ended_ms))
    questions.announced(table, move)  # before the repetition, whose end opens the correction window
    if table.board.chess960 and table.board.is_castling(move):
        told = castling_told(table.board, move)  # where king and rook go depends on the position
        said = table.say(told.key, dict(told.slots))
    elif table.kind.is_here(table.turn):
        said = table.say("move.repeat", {"move": table.announced(move)})
    else:
        said = table.say("post.repeat", {"side": Side(table.turn), "move": table.announced(move)})
    table.wait_for(said)
    if table.kind.sends_at_once:
        commit(table, table.now_ms)
    _think_ahead(table)


def _think_ahead(table: Table) -> None:
    """Ask the engine about the position after the move that is being repeated, unless something else comes first: a
    claim, the reply to a draw offer, the end of the game, a hint that the engine is still looking for."""
    pending = table.pending
    if pending is None or table.engine_to_move or not table.kind.against_engine:
        return
    if table.bound.claim is not None or table.offer.by == table.turn or table.seeks_hint:
        return
    board = table.board.copy()
    board.push(pending.move)
    if editions.after_move(board, table.rules) is None:
        table.amend(replace(pending, asked_ms=table.now_ms))
        _ask(table, board, _pressed(table, pending.ended_ms).pause(pending.ended_ms))


def correct(table: Table) -> None:
    """Drop the move that is being repeated: it was not the one that was meant."""
    pending = table.pending
    table.do(Hush())
    table.step_to_base()
    table.say("move.corrected")
    if pending is not None:
        penalties.corrected(table, pending.move)


def commit(table: Table, at_ms: int) -> None:
    """Make the move that was repeated, and press the clock."""
    pending = table.pending
    assert pending is not None, "there is no move to make"
    if table.kind.send(table, at_ms):
        return
    claimed = table.bound.claim is not None
    if claimed and claims.settle(table):
        return
    table.came(table.turn)  # the player who moves is there
    make(table, pending.move, pending.ended_ms)
    decided = editions.after_move(table.board, table.rules)
    if decided is not None:
        stopping.finish(table, decided)
        return
    if table.engine_to_move or claimed:
        # The clock of the engine, or of the player who answers a claim, does not run from the end of the words.
        table.clock = table.clock.pause(pending.ended_ms)
    table.turn_since_ms = pending.ended_ms
    table.between_until_ms = at_ms
    if table.offer.can_answer(table.turn):
        note_offer(table)
        if table.kind.is_here(table.turn):
            say_offer(table)
    if claimed:
        claims.go_on_when_told(table)
    else:
        go_on(table, at_ms, pending.asked_ms)


def say_offer(table: Table) -> Utterance:
    """Tell the player to move that a draw is offered."""
    offerer = table.kind.offerer(table.turn)
    if offerer is None:
        return table.say("draw.offered")
    return table.say("draw.offered_by", {"side": Side(offerer)})


def note_offer(table: Table) -> None:
    """Record the draw offer with the last move, as (=)."""
    if table.plies:
        table.plies[-1] = replace(table.plies[-1], draw_offered=True)


def make(table: Table, move: chess.Move, ended_ms: int) -> None:
    """Complete the move on board, clock and score."""
    mover, before = table.turn, table.clock
    table.clock = _pressed(table, ended_ms)
    table.board.push(move)
    answered, arrived = table.kind.dates(mover, table.plies[-1].arrived if table.plies else None)
    notes = tuple(table.notes)
    table.plies.append(Ply(move, table.clock, before, ended_ms, notes=notes, answered=answered, arrived=arrived))
    table.notes.clear()
    penalties.freed(table, mover)
    table.times.looked_ms = ended_ms
    table.offer = table.offer.moved(mover)
    entered = period_entered(before, table.clock)
    if entered is not None and table.casual:
        table.say("clock.period", {"side": Side(mover), "duration": Duration(entered.left_ms)})


def _pressed(table: Table, ended_ms: int) -> Clock:
    """The clock when the side to move has completed its move."""
    running = table.clock if table.clock.running is not None else table.clock.start(table.turn, ended_ms)
    return running.press(ended_ms)


def go_on(table: Table, at_ms: int, asked_ms: int | None = None) -> None:
    """Continue with the side to move, also after a pause; its clock runs from `at_ms` unless it is running already.

    `asked_ms`: the engine has been thinking about its move since then, and its clock runs from there."""
    table.between_until_ms = min(table.between_until_ms, at_ms)
    if table.clock.running is None and table.kind.decided_here:
        table.clock = table.clock.resume(at_ms if asked_ms is None else asked_ms)
        table.times.looked_ms = at_ms
    table.step_to_turn()
    if table.phase is Phase.THINKING and asked_ms is None:
        think(table)


def think(table: Table) -> None:
    """Ask the engine whether it accepts the draw that is offered, or else for its move. A server sends its move
    unasked."""
    if not table.kind.against_engine:
        return
    if table.machine.held is not None and not considers_first(table):
        make_held(table)
    elif table.offer.can_answer(table.turn):
        consider_draw(table)
    else:
        _ask(table, table.board.copy(), table.clock)


def _ask(table: Table, board: chess.Board, clock: Clock) -> None:
    """Ask the engine for its move on `board` with these clocks."""
    control, at_ms = clock.control, table.now_ms
    increments = dict.fromkeys(chess.COLORS, 0)
    if table.timed:
        for colour in chess.COLORS:
            period = control.period(colour, clock.side(colour).period)
            increments[colour] = 0 if period.bonus is Bonus.HOURGLASS else period.bonus_ms
    table.do(
        Think(
            board,
            clock.remaining(chess.WHITE, at_ms),
            clock.remaining(chess.BLACK, at_ms),
            increments[chess.WHITE],
            increments[chess.BLACK],
            table.settings.level,
        )
    )


def consider_draw(table: Table) -> None:
    """Ask the engine, which is to move, about the draw; it is asked for its move once it has answered."""
    table.amend(Thinking(considering=True))
    table.do(ConsiderDraw(table.board.copy(), table.settings.level))


def considers_first(table: Table) -> bool:
    """Whether the engine's move, which came before the player's was made, has to wait for the engine's reply to the
    draw offer that came with the player's move (Laws, Art. 9.1)."""
    held = table.machine.held
    early = held is not None and held.uci is not None and held.at_ms < table.between_until_ms
    return early and table.offer.can_answer(table.turn)


def make_held(table: Table) -> None:
    """Make the engine's move that was held, if the repetition, question or pause that it waited for is over."""
    if table.phase is Phase.THINKING and table.machine.held is not None and not table.considering:
        held, table.machine.held = table.machine.held, None
        opponent_moved(table, held)


def opponent_answered(table: Table, accepts: bool) -> None:
    """The engine accepts or declines the draw."""
    if not table.considering:
        return
    table.amend(Thinking())
    if accepts:
        stopping.finish(table, table.offer.accept(table.turn))
        return
    table.offer = table.offer.decline(table.turn)
    table.say("draw.declined_by", {"side": Side(table.turn)})
    think(table)  # also while a question is open, since nothing else would ask for the move


def hold(table: Table, event: OpponentMoved) -> None:
    """Hold the engine's move, which came while the player's is being repeated or in a pause: it is made once the
    player's is made, or the game resumed."""
    if table.engine_to_move or (table.pending is not None and table.pending.asked_ms is not None):
        table.machine.held = event


def opponent_moved(table: Table, event: OpponentMoved) -> None:
    """Announce and make the engine's move, or end the game if it resigns. An illegal move counts as a failure."""
    if table.considering:
        return
    if table.phase is Phase.CONFIRMING:
        table.machine.held = event
        return
    mover = table.turn
    if event.uci is None:
        claimed = _claimed(table) if event.claims_draw else None
        stopping.finish(table, claimed or editions.resigned(table.board, mover, table.rules))
        return
    ended_ms = event.at_ms if event.ended_ms is None else event.ended_ms
    if stopping.flag_fell(table, ended_ms):
        return
    try:
        move = table.board.parse_uci(event.uci)
    except ValueError:
        move = chess.Move.null()
    if not move:
        table.machine.failures += 1
        final = table.machine.failures >= MOST_FAILURES
        opponent_failed(table, "illegal", final)
        if not final:
            think(table)
        return
    table.machine.failures = 0
    said = announce(table, move)
    make(table, move, ended_ms)
    table.clock = table.clock.pause(ended_ms)
    table.enter(Announcing())
    table.turn_since_ms = table.now_ms
    table.bound = replace(table.bound, repeats=table.settings.preset is Preset.TOURNAMENT)
    table.wait_for(said)
    decided = editions.after_move(table.board, table.rules)
    if decided is None and event.claims_draw:
        decided = _claimed(table)
    if decided is not None:
        stopping.finish(table, decided)
    elif event.offers_draw and table.may_offer(mover):
        table.offer = table.offer.offer_with_move(mover)
        note_offer(table)
        table.wait_for(say_offer(table))


def announce(table: Table, move: chess.Move) -> Utterance:
    """Announce the mover and the move; castling in Chess960 with the squares of king and rook."""
    if table.board.chess960 and table.board.is_castling(move):
        told = castling_told(table.board, move)
        return table.say("move.opponent_castles", {"side": Side(table.turn), "move": told})
    return table.say("move.opponent", {"side": Side(table.turn), "move": table.announced(move)})


def _claimed(table: Table) -> Ending | None:
    """The ending that the engine's draw claim brings; None if it is not justified, which is ignored."""
    kind = category(table.clock.control, table.rules)
    for claim in Claim:
        verdict = draws.claim(table.board, claim, table.rules, kind)
        if verdict.ending is not None:
            return verdict.ending
    return None


def opponent_failed(table: Table, reason: str, final: bool) -> None:
    """The engine has failed and is being restarted, or has failed for good (`final`): then a person may take over.

    While the player's move is being repeated nothing is said: the engine is asked again once that move is made."""
    if table.pending is not None and table.pending.asked_ms is not None:
        table.amend(replace(table.pending, asked_ms=None))
        table.do(StopThinking())
    if not table.engine_to_move or table.phase is Phase.OVER:
        return
    table.say(f"opponent.{reason}")
    if not final:
        table.say("opponent.restart")
        return
    table.clock = table.clock.pause(table.now_ms)
    table.machine.held = None
    if table.phase is not Phase.PAUSED:
        table.enter(Paused(table.paused or Pause.STOPPED))
    table.say("opponent.given_up")
    questions.confirm(table, Command("take_over"))


def take_over(table: Table) -> None:
    """A person takes over the engine's side."""
    table.kind = AtBoard()
    table.say("opponent.taken_over", {"side": Side(table.turn)})
    go_on(table, table.now_ms)


def plies_to_take_back(table: Table) -> int:
    """How many plies "take back" undoes: the speaker's last one and those after it; 0 if there is none."""
    unsent = table.kind.unsent(table)
    if unsent is not None:
        return unsent
    if table.kind.announces_both:
        return min(1, len(table.plies))
    wanted = 2 if table.turn == table.speaker else 1
    return wanted if len(table.plies) >= wanted else 0


def take_back(table: Table, count: int) -> None:
    """Undo the last `count` plies; both clocks are set back to what they showed before them."""
    if table.engine_to_move:
        table.do(StopThinking())
    table.machine.held = table.win_claim = None
    table.bound, table.offer = Bound(), DrawOffer()
    for _ in range(count):
        table.board.pop()
        ply = table.plies.pop()
        before = ply.clock_before
        table.clock = before.pause(before.since_ms if before.since_ms is not None else 0)
    table.heard.misses = 0
    slots: dict[str, Slot] = {"side": Side(table.turn)}
    table.say("take_back.done", slots)
    table.turn_since_ms = table.now_ms
    if table.paused is None:
        go_on(table, table.now_ms)
    else:
        table.step_to_base()
