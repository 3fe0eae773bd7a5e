"""What the arbiter says is done: clocks stopped and started at once; after a yes time given, taken or set, a warning,
a game awarded; and the way back to an earlier move.

The clocks stand while the arbiter is asked (2009: 6.12; 2023: 6.11.2), until the arbiter starts them again; a ruling
that is spoken into the running game stops them until it has been answered.

Going back is for two boards that differ (Laws 2023, D.2.9; 2009, Appendix E): the score is read until it parts from
the player's, both players have to agree, and both clocks are set to what they were.

Draw claims of the player to move (Laws, Art. 9.2, 9.3; 2009: 10.2): on the board, by the move that brings it about,
or because the other side cannot, or does not try to, win by normal means.

Whoever claims may stop the clock (Art. 9.5): from the words of the claim until its answer has been told nobody's time
runs. A claim that is not meant after all ("nein", or silence) has stopped nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import chess

from voicechess.game import questions, state, timing, turns
from voicechess.game.effects import JudgeClaim
from voicechess.game.phases import Phase, Step
from voicechess.game.state import Table, start_board
from voicechess.laws import draws
from voicechess.laws.clock import Clock
from voicechess.laws.draws import Claim, Decider, QuickplayClaim, Verdict, claim
from voicechess.laws.editions import category
from voicechess.laws.results import Ending, Way
from voicechess.meaning import Command
from voicechess.messages import Duration, Listing, SaidMove, Side, Slot
from voicechess.moves.saying import said_move
from voicechess.score.score import Note, NoteKind

# --- What the arbiter says is done: clocks stopped and started at once; after a yes time given, taken or  ---

UNITS_MS = {
    "arbiter_add": 60_000,
    "arbiter_add_seconds": 1_000,
    "arbiter_take": 60_000,
    "arbiter_take_seconds": 1_000,
    "arbiter_set": 60_000,
    "arbiter_set_seconds": 1_000,
}
MOST_MS = 24 * 3_600_000
NEEDED: Mapping[str, tuple[str, ...]] = {
    "arbiter_loses": ("colour",),
    "arbiter_warn": ("colour",),
    **dict.fromkeys(UNITS_MS, ("colour", "number")),
}
VERDICTS = frozenset({"arbiter_loses", "arbiter_both_lose", "arbiter_draw", "arbiter_void"})


def rule(table: Table, command: Command) -> None:
    """The arbiter has spoken; asks back before anything is done."""
    if table.phase is Phase.OVER:
        table.say("over.no_moves")
    elif table.engine is not None and not table.casual:
        table.say("forbidden.tournament")  # a machine's tournament has no arbiter to be called
    elif command.name in ("arbiter", "arbiter_stop"):
        _stop(table, command)
    elif any(command.slot(slot) is None for slot in NEEDED.get(command.name, ())):
        table.say("arbiter.what")
    elif command.name in VERDICTS or command.name == "arbiter_warn":
        _ask(table, command, _named(command))
    elif not table.timed:
        table.say("clock.no_clock")
    elif command.name == "arbiter_flags":
        _ask(table, command, {})
    else:
        slots = _named(command) | {"duration": Duration(_ms(command))}
        _ask(table, command, slots, f"confirm.{command.name.removesuffix('_seconds')}")


def _ask(table: Table, command: Command, slots: dict[str, Slot], key: str = "") -> None:
    """Really? Until that is answered the clocks stand."""
    questions.confirm(table, command, slots, key)
    timing.stand(table)


def _stop(table: Table, command: Command) -> None:
    """The arbiter is called, or has stopped the clocks."""
    if table.timed and table.phase not in (Phase.PAUSED, Phase.ADJOURNED):
        timing.stop_play(table)
        table.say("arbiter.stopped")
    elif command.name == "arbiter_stop":
        table.say("arbiter.already" if table.timed else "clock.no_clock")
    if command.name == "arbiter":
        table.say("arbiter.what")


def carry_out(table: Table, command: Command) -> None:
    """The confirmed ruling."""
    colour = bool(command.slot("colour"))
    match command.name:
        case "arbiter_loses":
            state.finish(table, Ending(Way.ARBITER, not colour))
        case "arbiter_both_lose":
            state.finish(table, Ending(Way.BOTH_LOSE))
        case "arbiter_void":  # the pieces stood wrong at the start (Laws 2009, 7.1 a)
            state.finish(table, Ending(Way.VOID))
        case "arbiter_flags":
            _both_flags(table)
        case "arbiter_draw":
            state.finish(table, Ending(Way.ARBITER_DRAW))
        case "arbiter_warn":
            table.notes.append(Note(NoteKind.WARNING, colour))
            table.say("arbiter.warned", {"side": Side(colour)})
            questions.close_confirming(table)
        case _:
            _set_clock(table, command, colour)


def _both_flags(table: Table) -> None:
    """Both flags were found down, and nobody can say which fell first."""
    for colour in chess.COLORS:
        table.clock = table.clock.set(colour, 0, table.now_ms)
    if not state.flag_fell(table, table.now_ms):
        table.say("arbiter.play_on")
        questions.close_confirming(table)


def _set_clock(table: Table, command: Command, colour: chess.Color) -> None:
    before = table.clock.remaining(colour, table.now_ms) or 0
    if command.name.startswith("arbiter_add"):
        table.clock = table.clock.adjust(colour, _ms(command), table.now_ms)
    elif command.name.startswith("arbiter_take"):
        table.clock = table.clock.adjust(colour, -_ms(command), table.now_ms)
    else:
        table.clock = table.clock.set(colour, _ms(command), table.now_ms)
    left = table.clock.remaining(colour, table.now_ms) or 0
    table.notes.append(Note(NoteKind.ARBITER, colour, left - before))
    table.say("arbiter.done", {"side": Side(colour), "duration": Duration(left)})
    questions.close_confirming(table)


def _named(command: Command) -> dict[str, Slot]:
    colour = command.slot("colour")
    return {} if colour is None else {"side": Side(bool(colour))}


def _ms(command: Command) -> int:
    number = command.slot("number")
    return min(int(number or 0) * UNITS_MS[command.name], MOST_MS)


def retrace(table: Table, command: Command) -> None:
    """Back to before White's (or the first) move of this number, if there is one and everybody agrees."""
    if _may_go_back(table, command):
        kept = len(table.plies) - _plies_after(table, command)
        _ask_back(table, kept, "confirm.retrace", {"number": int(command.slot("number") or 0)}, table.speaker)


def compare(table: Table, command: Command) -> None:
    """The boards differ: read the score, from the move named or from the first, until it parts from the other one."""
    if not table.plies and table.phase is not Phase.OVER:
        table.say("score.none")
    elif command.slot("number") is None:
        if _may_go_back(table, Command("compare", (("number", table.board.root().fullmove_number),))):
            _compare_from(table, 0)
    elif _may_go_back(table, command):
        _compare_from(table, len(table.plies) - _plies_after(table, command))


def _may_go_back(table: Table, command: Command) -> bool:
    """Whether the game can go back to before the move named; if not, it is said why."""
    if table.phase is Phase.OVER or _plies_after(table, command) <= 0:
        table.say("take_back.over" if table.phase is Phase.OVER else "retrace.no_such_move")
    elif table.engine is not None and not table.casual:
        table.say("forbidden.tournament")
    else:
        return True
    return False


def _compare_from(table: Table, index: int) -> None:
    """Read the moves of one number, from ply `index` on: are they the same in the other score?"""
    if index >= len(table.plies):
        table.say("compare.same")
        questions.close_confirming(table)
        return
    board = start_board(table.settings)
    for ply in table.plies[:index]:
        board.push(ply.move)
    number, pair = board.fullmove_number, table.plies[index : index + (2 if board.turn == chess.WHITE else 1)]
    said: list[SaidMove] = []
    for ply in pair:
        said.append(said_move(board, ply.move))
        board.push(ply.move)

    def parts(at: int) -> None:
        slots: dict[str, Slot] = {"number": number, "mover": Side(said[at].colour)}
        _ask_back(table, index + at, "confirm.compare_back", slots, table.speaker)

    def differ() -> None:
        if len(pair) == 1:
            parts(0)
        else:
            slots: dict[str, Slot] = {"side": Side(said[0].colour), "move": said[0]}
            _ask_reader(table, "confirm.compare_ply", slots, lambda: parts(1), lambda: parts(0))

    slots: dict[str, Slot] = {"number": number, "moves": Listing(tuple(said), "")}
    _ask_reader(table, "confirm.compare", slots, lambda: _compare_from(table, index + len(pair)), differ)


def _ask_reader(
    table: Table, key: str, slots: dict[str, Slot], same: Callable[[], None], differ: Callable[[], None]
) -> None:
    """Ask whoever holds the other score; silence ends the comparison. The clocks stand meanwhile."""
    questions.confirm(table, Command("compare"), slots, key, otherwise=lambda *_: differ())
    assert table.open is not None
    table.open.agreed, table.open.silent = (lambda *_: same()), "compare.silence"
    timing.stand(table)


def _ask_back(table: Table, kept: int, key: str, slots: dict[str, Slot], colour: chess.Color) -> None:
    """Ask a player, and then the other one, whether the game goes back to its first `kept` plies."""

    def agreed(*_: object) -> None:
        if table.engine is None and colour == asked_first:
            _ask_back(table, kept, "confirm.retrace_too", slots, not colour)
            return
        table.notes.append(Note(NoteKind.RETRACE, table.turn))
        turns.take_back(table, len(table.plies) - kept)

    asked_first = table.speaker
    questions.confirm(table, Command("retrace"), slots | {"side": Side(colour)}, key)
    assert table.open is not None
    table.open.agreed = agreed
    timing.stand(table)


def _plies_after(table: Table, command: Command) -> int:
    """How many plies have been made since the position before this move number; 0 or less if it was never there."""
    number = command.slot("number")
    start = table.board.root()
    if not isinstance(number, int) or number < start.fullmove_number:
        return 0
    before = (number - start.fullmove_number) * 2 - (0 if start.turn == chess.WHITE else 1)
    return len(table.plies) - max(0, before)


ARBITER: Mapping[str, Callable[[Table, Command], None]] = {
    **dict.fromkeys([*UNITS_MS, *VERDICTS, "arbiter_flags", "arbiter_warn", "arbiter_stop", "arbiter"], rule),
    "retrace": retrace,
    "compare": compare,
}


# --- Draw claims of the player to move (Laws, Art. 9.2, 9.3; 2009: 10.2): on the board, by the move that  ---

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
    questions.confirm(table, command)
    if table.open is not None:
        table.open.agreed = lambda table, command: _put(table, command, stopped)


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
        table.claim = command
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
    assert table.claim is not None and table.pending is not None
    kind, pending = KINDS[table.claim.name], table.pending
    table.claim = None
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
    table.open = None
    table.step(Step.ANNOUNCED)
    table.wait_for(table.last_said, table.now_ms + turns.SPEECH_LIMIT_MS)


def _put_quickplay(table: Table, command: Command) -> None:
    """The clocks stand while the other person, or the engine, decides."""
    found = _quickplay(table, table.clock)
    if found.refusal is not None:
        table.say(f"quickplay.{found.refusal}")
        table.clock = table.clock.resume(table.now_ms)
        questions.close_confirming(table)
        return
    if found.decider is Decider.ENGINE:
        table.judging = command
        table.step_to_base()
        ask_the_engine(table, command)
        return
    questions.confirm(
        table,
        command,
        {"side": Side(not table.turn)},
        "confirm.quickplay_agree",
        otherwise=lambda table, command: _judged(table, command, False),
    )
    if table.open is not None:
        table.open.agreed = lambda table, command: _judged(table, command, True)


def ask_the_engine(table: Table, command: Command) -> None:
    """The engine is to play the position out for both sides, or to look at the moves that were made."""
    made = command.name == NO_EFFORT
    plies = draws.NO_EFFORT_PLIES if made else draws.QUICKPLAY_PLIES
    table.say("claim.judging_made" if made else "claim.judging", {"plies": plies})
    table.do(JudgeClaim(table.board.copy(), table.turn, plies, made))


def judged(table: Table, scores: tuple[int | None, ...] | None) -> None:
    """The engine has decided the claim; without a verdict nobody is punished."""
    command, table.judging = table.judging, None
    if command is None:
        return
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
