"""Draw claims of the player to move (Laws, Art. 9.2, 9.3; 2009: 10.2): on the board, by the move that brings it about,
or because the other side cannot, or does not try to, win by normal means.

The claimant may stop the clock (Art. 9.5): from the words of the claim until its answer has been told nobody's time
runs. A claim that is not meant after all ("nein", or silence) has stopped nothing.
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
"""The two grounds of 10.2 (2009; 2023: Guidelines III), and the endings they lead to."""

INCREMENT = "claim_increment"
"""Five seconds a move in place of a claim (2023: Guidelines III.4)."""

CLAIMS = frozenset(KINDS) | frozenset(QUICKPLAY) | {INCREMENT}
WITH_MOVE = frozenset({"claim_threefold_move", "claim_fifty_move"})


def refusal(table: Table, command: Command) -> str | None:
    """Why this cannot be claimed now: the key of a sentence, None if it can be."""
    if command.name in KINDS:
        # Art. 9.4: who has touched a piece must move, and claims nothing on that move.
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
    """ "Remis reklamieren": what by? Each of these words is a command."""
    table.say("claim.which_quickplay" if announced(table, Quickplay.CLAIMS) else "claim.which")


def announced(table: Table, wanted: Quickplay) -> bool:
    """Whether this game has such claims in its quickplay finish."""
    if not table.timed or not table.rules.quickplay:
        return False
    return table.settings.quickplay is wanted if table.rules.quickplay_announced else wanted is Quickplay.CLAIMS


def ask(table: Table, command: Command) -> None:
    """Ask back. The clock goes on, and has stood since the words of the claim once that is confirmed."""
    stopped = table.clock.pause(table.heard.words_ended_ms)
    questions.confirm(table, command, agreed=lambda table, command: _put(table, command, stopped))


def asked(table: Table) -> bool:
    """Whether a claim is being asked back: then no flag falls that its yes would find up."""
    opened = table.open
    return opened is not None and opened.command is not None and opened.command.name in CLAIMS


def is_put(table: Table) -> bool:
    """Whether a claim has been put, and it is asked who decides it."""
    opened = table.open
    put = opened is not None and opened.command is not None and opened.command.name in QUICKPLAY
    return put and opened is not None and opened.otherwise is not None


def _put(table: Table, command: Command, stopped: Clock) -> None:
    """The confirmed claim: decided on the board, by the move that is announced next, or by who has to decide it."""
    table.clock = stopped
    if command.name in QUICKPLAY or command.name == INCREMENT:
        _put_quickplay(table, command)
    elif command.name in WITH_MOVE:
        # The move is thought about on the claimant's own time; the clock stands again when it is announced.
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
    """The other person gives the draw."""
    stopping.finish(table, Ending(QUICKPLAY.get(command.name, Way.AGREEMENT)))


def _not_agreed(table: Table, command: Command) -> None:
    """They do not, which decides nothing: the arbiter does (2009: 10.2; 2023: Guidelines III.5)."""
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
    """The clocks stand until the arbiter has decided."""
    table.enter(Judging(command, by_arbiter=True))
    say_who_decides(table)


def say_who_decides(table: Table) -> None:
    """That the engine is still at it, or what the arbiter can say."""
    judging = table.base
    if not isinstance(judging, Judging) or not judging.by_arbiter:
        table.say("claim.wait")
    elif judging.flagged:
        table.say("claim.arbiter_flagged")
    else:
        table.say("claim.arbiter")


def _without_arbiter(table: Table, command: Command) -> None:
    """The claim ends the game, and is sent in with its score (2009: Appendix D; 2023: Guidelines III.6)."""
    questions.confirm(table, command, key="confirm.refer", agreed=_referred, otherwise=lambda table, _: drop(table))


def _referred(table: Table, command: Command) -> None:
    kind = NoteKind.NO_EFFORT if command.name == "claim_no_effort" else NoteKind.UNWINNABLE
    table.notes.append(Note(kind, table.turn))
    stopping.finish(table, Ending(Way.REFERRED))


def drop(table: Table) -> None:
    """Nobody decides it: it costs nothing, and play goes on."""
    table.enter(Announcing())
    table.say("claim.rests")
    go_on_when_told(table)


def ruled(table: Table, granted: bool) -> None:
    """What the arbiter has decided about the claim, perhaps after the claimant's flag had fallen."""
    judging = table.base
    assert isinstance(judging, Judging) and judging.by_arbiter, "the arbiter decides"
    table.enter(Announcing())
    if not granted and judging.flagged:
        stopping.flag_fell(table, table.now_ms)
    else:
        _judged(table, judging.claim, granted)


def postponed(table: Table) -> None:
    """The arbiter decides later, at the latest when the claimant's flag has fallen."""
    judging = table.base
    assert isinstance(judging, Judging) and judging.by_arbiter, "the arbiter decides"
    table.postponed = (table.turn, judging.claim)
    table.enter(Announcing())
    table.say("claim.postponed")
    go_on_when_told(table)


def _give_increment(table: Table, command: Command) -> None:
    """Five seconds a move for both, two minutes for the other side; and the request is an offer of a draw."""
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
