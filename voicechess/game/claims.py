"""Draw claims of the player to move (Laws, Art. 9.2, 9.3; 2009: 10.2): on the board, by the move that brings it about,
or because the other side cannot, or does not try to, win by normal means.

The claimant may stop the clock (Art. 9.5): it stands from the end of the claim's words until the answer was announced.
A claim that is withdrawn ("nein", or silence) has not stopped it.
"""

from __future__ import annotations

from dataclasses import replace

from voicechess.game import questions, stopping
from voicechess.game.effects import JudgeClaim
from voicechess.game.phases import Announcing, Judging
from voicechess.game.state import Table
from voicechess.laws import draws
from voicechess.laws.clock import Clock
from voicechess.laws.draws import Claim, Decider, Quickplay, QuickplayClaim, Verdict, claim
from voicechess.laws.editions import category
from voicechess.laws.results import Ending, Way
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
"""The two grounds of 10.2 (2009; 2023: Guidelines III), with the terminations they lead to."""

INCREMENT = "claim_increment"
"""An increment of five seconds instead of a claim (2023: Guidelines III.4)."""

CLAIMS = frozenset(KINDS) | frozenset(QUICKPLAY) | {INCREMENT}
WITH_MOVE = frozenset({"claim_threefold_move", "claim_fifty_move"})


def refusal(table: Table, command: Command) -> str | None:
    """Why this cannot be claimed now: a sentence's key; None if it can."""
    if command.name in KINDS:
        # Art. 9.4: a player who has touched a piece cannot claim on that move.
        return "claim.touched" if table.bound.touched else None
    found = _quickplay(table, command, table.clock.pause(table.heard.words_ended_ms))
    if found.refusal is not None:
        return f"quickplay.{found.refusal}"
    unknown = found.decider is Decider.ENGINE and command.name == NO_EFFORT
    return "claim.no_verdict" if unknown and len(table.plies) < draws.NO_EFFORT_PLIES else None


def _quickplay(table: Table, command: Command, clock: Clock) -> QuickplayClaim:
    return draws.quickplay(
        clock,
        table.speaker,
        table.turn,
        table.now_ms,
        table.kind.against_engine,
        table.rules,
        table.settings.quickplay,
        Quickplay.INCREMENT if command.name == INCREMENT else Quickplay.CLAIMS,
    )


def which(table: Table) -> None:
    """ "Remis reklamieren": ask for the ground. Each one is a command."""
    table.say("claim.which_quickplay" if announced(table, Quickplay.CLAIMS) else "claim.which")


def announced(table: Table, wanted: Quickplay) -> bool:
    """Whether such claims are possible in this game's quickplay finish."""
    if not table.timed or not table.rules.quickplay:
        return False
    return table.settings.quickplay is wanted if table.rules.quickplay_announced else wanted is Quickplay.CLAIMS


def ask(table: Table, command: Command) -> None:
    """Ask for confirmation. The clock runs on, but a confirmed claim stops it as of its words."""
    stopped = table.clock.pause(table.heard.words_ended_ms)
    questions.confirm(table, command, agreed=lambda table, command: _put(table, command, stopped))


def asked(table: Table) -> bool:
    """Whether a claim awaits confirmation: until then no flag falls that the claim would prevent."""
    opened = table.open
    return opened is not None and opened.command is not None and opened.command.name in CLAIMS


def is_put(table: Table) -> bool:
    """Whether a claim was made and its judge is being asked for."""
    opened = table.open
    put = opened is not None and opened.command is not None and opened.command.name in QUICKPLAY
    return put and opened is not None and opened.otherwise is not None


def _put(table: Table, command: Command, stopped: Clock) -> None:
    """A confirmed claim: decided on the board, by the next announced move, or by its judge."""
    table.clock = stopped
    if command.name in QUICKPLAY or command.name == INCREMENT:
        _put_quickplay(table, command)
    elif command.name in WITH_MOVE:
        # The claimant's clock runs until the move is announced.
        table.bound = replace(table.bound, claim=command)
        table.clock = stopped.resume(table.now_ms)
        table.times.looked_ms = table.now_ms
        table.step_to_base()
        table.say("claim.which_move")
    else:
        kind = category(table.clock.control, table.rules)
        if not _decide(table, claim(table.board, KINDS[command.name], table.rules, kind), table.now_ms):
            _count_as_offer(table)
            go_on_when_told(table)


def settle(table: Table) -> bool:
    """The move being repeated was announced with a claim: whether that was correct and has ended the game.

    After an incorrect claim the move must be played (Art. 9.5).
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
    """A claim is also a draw offer (2023: 9.1.2.3; 2009: 9.1c), pending with the claimant's move."""
    if table.offer.by is None and table.may_offer(table.turn):
        table.offer = table.offer.offer(table.turn, table.turn)
        table.say("claim.as_offer")


def go_on_when_told(table: Table) -> None:
    """Restart the clock once the result of the claim was announced."""
    table.enter(Announcing())
    table.wait_for(table.last_said)


def _put_quickplay(table: Table, command: Command) -> None:
    """Stop the clocks while the other person, or the engine, decides."""
    found = _quickplay(table, command, table.clock)
    if found.refusal is not None:
        table.say(f"quickplay.{found.refusal}")
        table.clock = table.clock.resume(table.now_ms)
        table.step_to_base()
        return
    if found.decider is Decider.ENGINE and command.name == INCREMENT:
        _give_increment(table, command)
    elif found.decider is Decider.ENGINE:
        table.enter(Judging(command))
        ask_the_engine(table, command)
    else:
        questions.confirm(
            table,
            command,
            {"side": Side(not table.turn)},
            "confirm.quickplay_agree",
            agreed=_agreed,
            otherwise=_not_agreed,
        )


def _agreed(table: Table, command: Command) -> None:
    """The other person agrees to the draw."""
    stopping.finish(table, Ending(QUICKPLAY.get(command.name, Way.AGREEMENT)))


def _not_agreed(table: Table, command: Command) -> None:
    """They do not, which decides nothing: the arbiter has to (2009: 10.2; 2023: Guidelines III.5)."""
    if command.name == INCREMENT:
        questions.confirm(
            table,
            command,
            key="confirm.increment_ruled",
            agreed=_give_increment,
            otherwise=lambda table, _: drop(table),
        )
    else:
        questions.confirm(table, command, key="confirm.is_arbiter", agreed=to_arbiter, otherwise=_without_arbiter)


def to_arbiter(table: Table, command: Command) -> None:
    """Stop the clocks until the arbiter has decided."""
    table.enter(Judging(command, by_arbiter=True))
    say_who_decides(table)


def say_who_decides(table: Table) -> None:
    """Say that the engine is still judging, or what the arbiter can say."""
    judging = table.base
    if not isinstance(judging, Judging) or not judging.by_arbiter:
        table.say("claim.wait")
    elif judging.flagged:
        table.say("claim.arbiter_flagged")
    else:
        table.say("claim.arbiter")


def _without_arbiter(table: Table, command: Command) -> None:
    """The claim ends the game and is submitted with its score (2009: Appendix D; 2023: Guidelines III.6)."""
    questions.confirm(table, command, key="confirm.refer", agreed=_referred, otherwise=lambda table, _: drop(table))


def _referred(table: Table, command: Command) -> None:
    kind = NoteKind.NO_EFFORT if command.name == "claim_no_effort" else NoteKind.UNWINNABLE
    table.notes.append(Note(kind, table.turn))
    stopping.finish(table, Ending(Way.REFERRED))


def drop(table: Table) -> None:
    """Drop the claim without a penalty; play goes on."""
    table.enter(Announcing())
    table.say("claim.rests")
    go_on_when_told(table)


def ruled(table: Table, granted: bool) -> None:
    """The arbiter's decision on the claim, perhaps after the claimant's flag fell."""
    judging = table.base
    assert isinstance(judging, Judging) and judging.by_arbiter, "the arbiter decides"
    table.enter(Announcing())
    if not granted and judging.flagged:
        stopping.flag_fell(table, table.now_ms)
    else:
        _judged(table, judging.claim, granted)


def postponed(table: Table) -> None:
    """The arbiter postpones the decision, at the latest until the claimant's flag falls."""
    judging = table.base
    assert isinstance(judging, Judging) and judging.by_arbiter, "the arbiter decides"
    table.postponed = (table.turn, judging.claim)
    table.enter(Announcing())
    table.say("claim.postponed")
    go_on_when_told(table)


def _give_increment(table: Table, command: Command) -> None:
    """Five seconds increment for both, two extra minutes for the opponent; the request is also a draw offer."""
    opponent, more_ms = not table.turn, draws.QUICKPLAY_REFUSED_MS
    table.clock = table.clock.with_increment(draws.QUICKPLAY_BONUS_MS, table.now_ms)
    table.clock = table.clock.adjust(opponent, more_ms, table.now_ms)
    table.notes.append(Note(NoteKind.CLAIM, table.turn, more_ms))
    table.enter(Announcing())
    table.say("claim.increment", {"side": Side(opponent), "duration": Duration(more_ms)})
    if table.kind.against_engine:
        _count_as_offer(table)
    go_on_when_told(table)


def ask_the_engine(table: Table, command: Command) -> None:
    """Have the engine play the position out, or evaluate the moves made."""
    made = command.name == NO_EFFORT
    plies = draws.NO_EFFORT_PLIES if made else draws.QUICKPLAY_PLIES
    table.say("claim.judging_made" if made else "claim.judging", {"plies": plies})
    table.do(JudgeClaim(table.board.copy(), table.turn, plies, made))


def judged(table: Table, scores: tuple[int | None, ...] | None) -> None:
    """The engine's verdict on the claim; without one there is no penalty."""
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
        if table.kind.against_engine and table.rules.quickplay_offers:
            _count_as_offer(table)
        go_on_when_told(table)


def _decide(table: Table, verdict: Verdict, at_ms: int) -> bool:
    if verdict.ending is not None:
        stopping.finish(table, verdict.ending)
        return True
    opponent = not table.turn
    table.notes.append(Note(NoteKind.CLAIM, table.turn, verdict.opponent_ms if table.timed else 0))
    if table.timed and verdict.opponent_ms:
        table.clock = table.clock.adjust(opponent, verdict.opponent_ms, at_ms)
        table.say("claim.wrong_with_time", {"side": Side(opponent), "duration": Duration(verdict.opponent_ms)})
    else:
        table.say("claim.wrong")
    return False
