"""Draw claims of the player to move (Laws, Art. 9.2, 9.3): on the board, or by the move that brings it about."""

from __future__ import annotations

from voicechess.game import ending
from voicechess.game.draws import Claim, Verdict, claim
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
WITH_MOVE = frozenset({"claim_threefold_move", "claim_fifty_move"})


def put(table: Table, command: Command) -> None:
    """The confirmed claim: decided on the board, or by the move that is announced next."""
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
