"""Draw claims of the player to move (Laws, Art. 9.2, 9.3; 2009: 10.2): on the board, by the move that brings it about,
or because the other side cannot win by normal means.
"""

from __future__ import annotations

from voicechess.game import draws, ending, questions
from voicechess.game.draws import Claim, Decider, Verdict, claim
from voicechess.game.effects import JudgeClaim
from voicechess.game.laws import category
from voicechess.game.messages import Duration, Side
from voicechess.game.score import Note, NoteKind
from voicechess.game.table import Table
from voicechess.language.meaning import Command

KINDS = {
    "claim_threefold": Claim.THREEFOLD,
    "claim_fifty": Claim.FIFTY_MOVES,
    "claim_threefold_move": Claim.THREEFOLD,
    "claim_fifty_move": Claim.FIFTY_MOVES,
}
QUICKPLAY = "claim_quickplay"
CLAIMS = frozenset(KINDS) | {QUICKPLAY}
WITH_MOVE = frozenset({"claim_threefold_move", "claim_fifty_move"})


def refusal(table: Table, command: Command) -> str | None:
    """Why this cannot be claimed now: the key of a sentence, None if it can be."""
    if command.name != QUICKPLAY:
        return None
    found = draws.quickplay(table.clock, table.speaker, table.turn, table.now_ms, table.engine is not None)
    return None if found.refusal is None else f"quickplay.{found.refusal}"


def put(table: Table, command: Command) -> None:
    """The confirmed claim: decided on the board, by the move that is announced next, or by who has to decide it."""
    if command.name == QUICKPLAY:
        _put_quickplay(table)
        return
    table.step_to_base()
    if command.name in WITH_MOVE:
        table.claim = command
        table.say("claim.which_move")
        return
    kind = category(table.clock.control, table.rules)
    _decide(table, claim(table.board, KINDS[command.name], table.rules, kind), table.now_ms)


def settle(table: Table) -> bool:
    """The move being repeated was announced with a claim: whether that was right and has ended the game.

    After a wrong claim the move must be played (Art. 9.5).
    """
    assert table.claim is not None and table.pending is not None
    kind, pending = KINDS[table.claim.name], table.pending
    table.claim = None
    verdict = claim(table.board, kind, table.rules, category(table.clock.control, table.rules), pending.move)
    return _decide(table, verdict, pending.ended_ms)


def _put_quickplay(table: Table) -> None:
    """The clocks stand while the other person, or the engine, decides."""
    claimant, opponent = table.turn, not table.turn
    found = draws.quickplay(table.clock, claimant, claimant, table.now_ms, table.engine is not None)
    if found.refusal is not None:
        table.say(f"quickplay.{found.refusal}")
        questions.close_confirming(table)
        return
    table.clock = table.clock.pause(table.now_ms)
    if found.decider is Decider.ENGINE:
        table.judging = True
        table.step_to_base()
        ask_the_engine(table)
        return
    questions.confirm(
        table,
        Command(QUICKPLAY),
        {"side": Side(opponent)},
        "confirm.quickplay_agree",
        otherwise=lambda table, _: _judged(table, False),
    )
    if table.open is not None:
        table.open.agreed = lambda table, _: _judged(table, True)


def ask_the_engine(table: Table) -> None:
    """The engine is to play the position out for both sides."""
    table.say("claim.judging", {"plies": draws.QUICKPLAY_PLIES})
    table.do(JudgeClaim(table.board.copy(), table.turn, draws.QUICKPLAY_PLIES))


def judged(table: Table, scores: tuple[int | None, ...] | None) -> None:
    """The engine has played the position out; without a verdict nobody is punished."""
    if not table.judging:
        return
    table.judging = False
    if scores is None:
        table.say("claim.no_verdict")
        _play_on(table)
    else:
        _judged(table, draws.engine_grants(scores))


def _judged(table: Table, granted: bool) -> None:
    verdict = draws.quickplay_verdict(granted)
    if not _decide(table, verdict, table.now_ms):
        _play_on(table)


def _play_on(table: Table) -> None:
    table.clock = table.clock.resume(table.now_ms)
    table.looked_ms = table.now_ms
    table.step_to_base()


def _decide(table: Table, verdict: Verdict, at_ms: int) -> bool:
    if verdict.ending is not None:
        ending.finish(table, verdict.ending)
        return True
    opponent = not table.turn
    table.notes.append(Note(NoteKind.CLAIM, table.turn, verdict.opponent_ms if table.timed else 0))
    if table.timed and verdict.opponent_ms:
        table.clock = table.clock.adjust(opponent, verdict.opponent_ms, at_ms)
        table.say("claim.wrong_with_time", {"side": Side(opponent), "duration": Duration(verdict.opponent_ms)})
    else:
        table.say("claim.wrong")
    return False
