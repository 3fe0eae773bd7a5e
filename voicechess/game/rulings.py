"""The arbiter's rulings: clocks stopped and started at once; after a confirmation time added, deducted or set, a
warning, a game awarded; and the way back to an earlier move.

The clocks stand while the arbiter is asked (2009: 6.12; 2023: 6.11.2), until the arbiter restarts them; a ruling during
play stops them until it is confirmed.

Going back serves two boards that differ (Laws 2023, D.2.9; 2009, Appendix E): the score is read until it deviates from
the player's, both players have to agree, and both clocks are restored.
"""

from __future__ import annotations

from collections.abc import Callable

import chess

from voicechess.game import claims, questions, stopping, turns
from voicechess.game.agreement import start_board
from voicechess.game.phases import Judging, Phase
from voicechess.game.state import Table
from voicechess.laws.editions import category
from voicechess.laws.results import Ending, Way, by_points
from voicechess.meaning import Command
from voicechess.messages import Duration, Listing, Phrase, SaidMove, Side, Slot
from voicechess.moves.saying import said_move
from voicechess.score.score import Note, NoteKind

MOST_MS = 24 * 3_600_000
"""Most time of a single ruling: a day. More is reduced to that."""


def called(table: Table, command: Command) -> None:
    """ "Schiedsrichter": stop the clocks and ask for the ruling. A claim is kept: that is what the arbiter is called
    for."""
    if claims.is_put(table) and table.open is not None and table.open.command is not None:
        claims.to_arbiter(table, table.open.command)
        return
    if claims.asked(table):
        table.say("claim.first")
        return
    _stop(table)
    table.say("arbiter.what")


def stop(table: Table, command: Command) -> None:
    """The arbiter stops the clocks."""
    if claims.asked(table):
        called(table, command)
    elif not _stop(table):
        table.say("arbiter.already" if table.timed else "clock.no_clock")


def _stop(table: Table) -> bool:
    """Stop the clocks, if any may be running; whether one was."""
    running = table.timed and table.base_phase not in (Phase.PAUSED, Phase.ADJOURNED, Phase.OVER)
    if running:
        stopping.stop_play(table)
        table.say("arbiter.stopped")
    return running


def rule(table: Table, command: Command) -> None:
    """A verdict or a warning, to be confirmed; not the draw that the arbiter grants on a claim."""
    if table.base_phase is Phase.JUDGING:
        rule_claim(table, command)
        return
    limit = _set_up_stands(table)
    if command.name == "arbiter_void" and limit is not None:
        table.say("arbiter.set_up_stands", {"number": limit})
        return
    _ask_to_rule(table, command, _named(command))


def _ask_to_rule(table: Table, command: Command, slots: dict[str, Slot], key: str = "") -> None:
    """Ask for confirmation; also after the end (8.7), except without an arbiter."""
    if table.base_phase is Phase.OVER and not table.kind.both_here:
        table.say("over.no_moves")
    else:
        _ask(table, command, slots, key)


def _set_up_stands(table: Table) -> int | None:
    """Number of moves of both sides after which errors in set-up or clock can no longer be claimed."""
    limit = table.rules.set_up_until.get(category(table.clock.control, table.rules))
    return limit if limit is not None and _made_by_both(table) >= limit else None


def _made_by_both(table: Table) -> int:
    return min(table.clock.moves(colour) for colour in chess.COLORS)


def colours_reversed(table: Table, command: Command) -> None:
    """ "Farben vertauscht": the game is restarted, or stands (2023: 7.3), or the arbiter decides (2009: 7.2)."""
    limit = table.rules.reversed_until
    if limit is None:
        _ask(table, command, {}, "confirm.reversed_ruled")
    elif _made_by_both(table) < limit:
        _ask(table, command, {}, "confirm.reversed")
    else:
        table.say("arbiter.reversed_stands", {"number": limit})


def rule_claim(table: Table, command: Command) -> None:
    """The arbiter grants a claim, rejects or postpones it (2009: 10.2 a to c; 2023: Guidelines III.5)."""
    judging = table.base
    if not isinstance(judging, Judging) or not judging.by_arbiter:
        table.say("claim.wait" if isinstance(judging, Judging) else "claim.nothing")
    elif command.name == "arbiter_later" and judging.flagged:
        claims.say_who_decides(table)
    elif command.name == "arbiter_later":
        claims.postponed(table)
    else:
        claims.ruled(table, command.name == "arbiter_draw")


HALF = 0.5
"""Points of a draw."""


def _points(command: Command) -> tuple[float, float] | None:
    """The points for White and Black; None if they are impossible."""
    first, second = command.slot("number"), command.slot("number2")
    given = {
        "arbiter_points": (first, second),
        "arbiter_points_half_first": (HALF, first),
        "arbiter_points_half_second": (first, HALF),
        "arbiter_points_both": (first, first),
    }[command.name]
    colour = command.slot("colour") is not False
    if command.name != "arbiter_points_both" and command.slot("colour2") is not (not colour):
        return None
    if not all(isinstance(one, int | float) and one <= 1 for one in given):
        return None
    one, other = (float(one or 0) for one in given)
    return (one, other) if colour == chess.WHITE else (other, one)


def rule_points(table: Table, command: Command) -> None:
    """Points for each side (2009: 11.1, 13.4 e and f; 2023: 11.1, 12.9.4 and 12.9.5), to be confirmed."""
    points = _points(command)
    if points is None:
        table.say("arbiter.points_wrong")
        return
    words = dict(zip(("white", "black"), (Phrase(f"points.{_named_points(one)}") for one in points), strict=True))
    if table.base_phase is not Phase.JUDGING:
        _ask_to_rule(table, command, dict(words), "confirm.arbiter_points")
    else:
        claims.say_who_decides(table)


def _named_points(points: float) -> str:
    return {0.0: "none", HALF: "half", 1.0: "one"}[points]


def rule_flags(table: Table, command: Command) -> None:
    """Both flags were found down, to be confirmed."""
    if table.timed:
        _ask(table, command, {})
    else:
        table.say("clock.no_clock")


def rule_time(table: Table, command: Command) -> None:
    """Time added, deducted or set, to be confirmed."""
    if table.timed:
        slots = _named(command) | {"duration": Duration(_ms(command))}
        limit = _set_up_stands(table)
        if command.name == "arbiter_set" and limit is not None:
            _ask(table, command, slots | {"number": limit}, "confirm.arbiter_set_late")
        else:
            _ask(table, command, slots, f"confirm.{command.name}")
    else:
        table.say("clock.no_clock")


def _ask(table: Table, command: Command, slots: dict[str, Slot], key: str = "") -> None:
    """Ask for confirmation, with the clocks stopped meanwhile."""
    questions.confirm(table, command, slots, key, stands=True)


# --- what a yes does ---------------------------------------------------------------------------------------------


def lost(table: Table, command: Command) -> None:
    """The named side has lost."""
    stopping.finish(table, Ending(Way.ARBITER, not command.slot("colour")))


def given_points(table: Table, command: Command) -> None:
    """Award the points."""
    points = _points(command)
    assert points is not None, "they have been asked about"
    stopping.finish(table, by_points(*points))


def ended(way: Way) -> Callable[[Table, Command], None]:
    """End the game this way, for both sides alike."""

    def end(table: Table, command: Command) -> None:
        if way in (Way.REVERSED, Way.VOID):
            stopping.start_again(table, Ending(way))
        else:
            stopping.finish(table, Ending(way))

    return end


def warned(table: Table, command: Command) -> None:
    """Record the warning."""
    colour = bool(command.slot("colour"))
    table.notes.append(Note(NoteKind.WARNING, colour))
    table.say("arbiter.warned", {"side": Side(colour)})
    table.step_to_base()


def both_flags(table: Table, command: Command) -> None:
    """Both flags were found down, and it is unknown which fell first."""
    for colour in chess.COLORS:
        table.clock = table.clock.set(colour, 0, table.now_ms)
    if not stopping.flag_fell(table, table.now_ms, chess.COLORS):
        table.say("arbiter.play_on")
        table.step_to_base()


def set_clock(table: Table, command: Command) -> None:
    """Change a side's time as ruled, and announce it."""
    colour = bool(command.slot("colour"))
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
    table.step_to_base()


def _named(command: Command) -> dict[str, Slot]:
    colour = command.slot("colour")
    return {} if colour is None else {"side": Side(bool(colour))}


def _ms(command: Command) -> int:
    return min(command.duration_ms, MOST_MS)


# --- the way back ------------------------------------------------------------------------------------------------


def retrace(table: Table, command: Command) -> None:
    """Go back to before White's (or the first) move of this number, if it exists and everybody agrees."""
    if _may_go_back(table, command):
        kept = len(table.plies) - _plies_after(table, command)
        _ask_back(table, kept, "confirm.retrace", {"number": int(command.slot("number") or 0)}, table.speaker)


def compare(table: Table, command: Command) -> None:
    """The boards differ: read the score, from the move named or the first, until it deviates from the other one."""
    if not table.plies:
        table.say("score.none")
    elif command.slot("number") is None:
        if _may_go_back(table, Command("compare", (("number", table.board.root().fullmove_number),))):
            _compare_from(table, 0)
    elif _may_go_back(table, command):
        _compare_from(table, len(table.plies) - _plies_after(table, command))


def _may_go_back(table: Table, command: Command) -> bool:
    """Whether the game can go back to before the named move; if not, says why."""
    if _plies_after(table, command) <= 0:
        table.say("retrace.no_such_move")
    elif command.name == "retrace" and _own_board_only(table):
        table.say("forbidden.tournament")
    else:
        return True
    return False


def _own_board_only(table: Table) -> bool:
    """Whether only the player's own board can be wrong: against an engine its score is right, and nothing is taken
    back."""
    return table.kind.against_engine and not table.casual


def _compare_from(table: Table, index: int) -> None:
    """Read the moves of one number, from ply `index` on, and ask whether they agree with the other score."""
    if index >= len(table.plies):
        table.say("compare.same")
        table.step_to_base()
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
        if _own_board_only(table):
            table.say("compare.own_board", {"number": number, "side": Side(said[at].colour), "move": said[at]})
            table.step_to_base()
            return
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
    """Ask the person with the other score; silence ends the comparison. The clocks stand meanwhile."""
    questions.confirm(
        table,
        Command("compare"),
        slots,
        key,
        agreed=lambda *_: same(),
        otherwise=lambda *_: differ(),
        silent="compare.silence",
        stands=True,
    )


def _ask_back(table: Table, kept: int, key: str, slots: dict[str, Slot], colour: chess.Color) -> None:
    """Ask one player, then the other, whether to go back to the first `kept` plies."""

    def agreed(*_: object) -> None:
        if table.kind.both_here and colour == asked_first:
            _ask_back(table, kept, "confirm.retrace_too", slots, not colour)
            return
        table.notes.append(Note(NoteKind.RETRACE, table.turn))
        turns.take_back(table, len(table.plies) - kept)

    asked_first = table.speaker
    questions.confirm(table, Command("retrace"), slots | {"side": Side(colour)}, key, agreed=agreed, stands=True)


def _plies_after(table: Table, command: Command) -> int:
    """Plies made since the position before this move number; 0 or less if it never occurred."""
    number = command.slot("number")
    start = table.board.root()
    if not isinstance(number, int) or number < start.fullmove_number:
        return 0
    before = (number - start.fullmove_number) * 2 - (0 if start.turn == chess.WHITE else 1)
    return len(table.plies) - max(0, before)
