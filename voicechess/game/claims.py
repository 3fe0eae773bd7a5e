"""Draw claims of the player to move (Laws, Art. 9.2, 9.3; 2009: 10.2): on the board, by the move that brings it about,
or because the other side cannot, or does not try to, win by normal means.

The claimant may stop the clock (Art. 9.5): from the words of the claim until its answer has been told nobody's time
runs. A claim that is not meant after all ("nein", or silence) has stopped nothing.
"""

from __future__ import annotations

from dataclasses import replace

from voicechess.game import questions, state
from voicechess.game.effects import JudgeClaim
from voicechess.game.phases import Announcing, Judging
from voicechess.game.state import Table
from voicechess.laws import draws
from voicechess.laws.clock import Clock
from voicechess.laws.draws import Claim, Decider, QuickplayClaim, Verdict, claim
from voicechess.laws.editions import category
from voicechess.laws.results import Way
from voicechess.meaning import Command
from voicechess.messages import Duration, Side
from voicechess.score.score import Note, NoteKind

KINDS = {
    "claim_threefold": Claim.THREEFOLD,
    "claim_fifty": Claim.FIFTY_MOVES,
    "claim_threefold_move": Claim.THREEFOLD,
    "claim_fifty_move": Claim.FIFTY_MOVES,
}
NO_EFFORT = "claim_no_effort"
QUICKPLAY = {"claim_quickplay": Way.QUICKPLAY, NO_EFFORT: Way.NO_EFFORT}
"""The two grounds of 10.2 (2009; 2023: Guidelines III), and the endings they lead to."""

CLAIMS = frozenset(KINDS) | frozenset(QUICKPLAY)
WITH_MOVE = frozenset({"claim_threefold_move", "claim_fifty_move"})


def refusal(table: Table, command: Command) -> str | None:
    """Why this cannot be claimed now: the key of a sentence, None if it can be."""
    if command.name not in QUICKPLAY:
        # Art. 9.4: who has touched a piece must move, and claims nothing on that move.
        return "claim.touched" if table.bound.touched else None
    found = _quickplay(table, table.clock.pause(table.words_ended_ms))
    if found.refusal is not None:
        return f"quickplay.{found.refusal}"
    unknown = found.decider is Decider.ENGINE and command.name == NO_EFFORT
    return "claim.no_verdict" if unknown and len(table.plies) < draws.NO_EFFORT_PLIES else None


def _quickplay(table: Table, clock: Clock) -> QuickplayClaim:
    machine = table.engine is not None
    return draws.quickplay(clock, table.speaker, table.turn, table.now_ms, machine, table.rules)


def ask(table: Table, command: Command) -> None:
    """Ask back. The clock goes on, and has stood since the words of the claim once that is confirmed."""
    stopped = table.clock.pause(table.words_ended_ms)
    questions.confirm(table, command, agreed=lambda table, command: _put(table, command, stopped))


def asked(table: Table) -> bool:
    """Whether a claim is being asked back: then no flag falls that its yes would find up."""
    opened = table.open
    return opened is not None and opened.command is not None and opened.command.name in CLAIMS


def _put(table: Table, command: Command, stopped: Clock) -> None:
    """The confirmed claim: decided on the board, by the move that is announced next, or by who has to decide it."""
    table.clock = stopped
    if command.name in QUICKPLAY:
        _put_quickplay(table, command)
    elif command.name in WITH_MOVE:
        # The move is thought about on the claimant's own time; the clock stands again when it is announced.
        table.bound = replace(table.bound, claim=command)
        table.clock = stopped.resume(table.now_ms)
        table.looked_ms = table.now_ms
        table.step_to_base()
        table.say("claim.which_move")
    else:
        kind = category(table.clock.control, table.rules)
        if not _decide(table, claim(table.board, KINDS[command.name], table.rules, kind), table.now_ms):
            _count_as_offer(table)
            go_on_when_told(table)


def settle(table: Table) -> bool:
    """The move being repeated was announced with a claim: whether that was right and has ended the game.

    After a wrong claim the move must be played (Art. 9.5).
    """
    assert table.bound.claim is not None and table.pending is not None
    kind, pending = KINDS[table.bound.claim.name], table.pending
    table.bound = replace(table.bound, claim=None)
    verdict = claim(table.board, kind, table.rules, category(table.clock.control, table.rules), pending.move)
    if _decide(table, verdict, pending.ended_ms):
        return True
    _count_as_offer(table)
    return False


def _count_as_offer(table: Table) -> None:
    """A claim is also an offer of a draw (2023: 9.1.2.3; 2009: 9.1c), which stands with the claimant's move."""
    if table.offer.by is None and table.may_offer(table.turn):
        table.offer = table.offer.offer(table.turn, table.turn)
        table.say("claim.as_offer")


def go_on_when_told(table: Table) -> None:
    """The clock runs again when what follows from the claim has been said."""
    table.enter(Announcing())
    table.wait_for(table.last_said)


def _put_quickplay(table: Table, command: Command) -> None:
    """The clocks stand while the other person, or the engine, decides."""
    found = _quickplay(table, table.clock)
    if found.refusal is not None:
        table.say(f"quickplay.{found.refusal}")
        table.clock = table.clock.resume(table.now_ms)
        table.step_to_base()
        return
    if found.decider is Decider.ENGINE:
        table.enter(Judging(command))
        ask_the_engine(table, command)
        return
    questions.confirm(
        table,
        command,
        {"side": Side(not table.turn)},
        "confirm.quickplay_agree",
        agreed=lambda table, command: _judged(table, command, True),
        otherwise=lambda table, command: _judged(table, command, False),
    )


def ask_the_engine(table: Table, command: Command) -> None:
    """The engine is to play the position out for both sides, or to look at the moves that were made."""
    made = command.name == NO_EFFORT
    plies = draws.NO_EFFORT_PLIES if made else draws.QUICKPLAY_PLIES
    table.say("claim.judging_made" if made else "claim.judging", {"plies": plies})
    table.do(JudgeClaim(table.board.copy(), table.turn, plies, made))


def judged(table: Table, scores: tuple[int | None, ...] | None) -> None:
    """The engine has decided the claim; without a verdict there is no penalty."""
    command = table.judging
    assert command is not None, "a claim is being judged"
    table.enter(Announcing())
    if scores is None:
        table.say("claim.no_verdict")
        go_on_when_told(table)
    elif command.name == NO_EFFORT:
        _judged(table, command, draws.engine_finds_no_effort(table.board, table.turn, scores))
    else:
        _judged(table, command, draws.engine_grants(scores))


def _judged(table: Table, command: Command, granted: bool) -> None:
    verdict = draws.quickplay_verdict(granted, QUICKPLAY[command.name])
    if not _decide(table, verdict, table.now_ms):
        go_on_when_told(table)


def _decide(table: Table, verdict: Verdict, at_ms: int) -> bool:
    if verdict.ending is not None:
        state.finish(table, verdict.ending)
        return True
    opponent = not table.turn
    table.notes.append(Note(NoteKind.CLAIM, table.turn, verdict.opponent_ms if table.timed else 0))
    if table.timed and verdict.opponent_ms:
        table.clock = table.clock.adjust(opponent, verdict.opponent_ms, at_ms)
        table.say("claim.wrong_with_time", {"side": Side(opponent), "duration": Duration(verdict.opponent_ms)})
    else:
        table.say("claim.wrong")
    return False
