"""Commands that can decide a game or stop its clock. The dangerous ones ask back; only "ja" is yes, silence is no."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import chess

from voicechess.game import absence, adjourning, claiming, ending, penalties, questions, rulings, timing, turns
from voicechess.game.effects import ConsiderDraw, End, NewGame, StopThinking
from voicechess.game.phases import PLAYERS_TURN, Phase
from voicechess.game.state import Table
from voicechess.laws import editions
from voicechess.laws.draws import OfferError
from voicechess.meaning import Command
from voicechess.messages import Side
from voicechess.moves.saying import said_move

_NOT_NOW: Mapping[Phase, str] = {
    Phase.PAUSED: "pause.say_resume",
    Phase.OVER: "over.no_moves",
    Phase.SEALING: "adjourn.seal_now",
    Phase.ADJOURNED: "adjourn.what_now",
    Phase.JUDGING: "claim.wait",
}


def not_your_turn(table: Table) -> None:
    table.say(_NOT_NOW.get(table.base_phase, "refuse.not_your_turn"))


def _take_back(table: Table, command: Command) -> None:
    count = turns.plies_to_take_back(table)
    if table.phase in (Phase.OVER, Phase.PAUSED) or not count:
        table.say("take_back.over" if table.phase is Phase.OVER else "take_back.nothing")
        return
    board = table.board.copy()
    for _ in range(count):
        board.pop()
    move = said_move(board, table.plies[-count].move)
    questions.confirm(table, Command("take_back"), {"move": move})


def _pause(table: Table, command: Command) -> None:
    if table.phase is Phase.OVER:
        table.say("over.no_moves")
    elif table.phase is Phase.PAUSED:
        table.say("pause.already")
    else:
        timing.stop_play(table)
        table.say("pause.begun")


def _resume(table: Table, command: Command) -> None:
    if table.phase is Phase.ADJOURNED:
        adjourning.resume(table)
        return
    if table.phase is not Phase.PAUSED:
        table.say("pause.not_paused" if table.phase is not Phase.OVER else "over.no_moves")
        return
    table.paused = table.left = False
    table.failures = 0
    table.say("pause.ended", {"side": Side(table.turn)})
    turns.go_on(table, table.now_ms)


def _draw_offer(table: Table, command: Command) -> None:
    if table.base_phase is Phase.ADJOURNED:
        adjourning.draw(table, command)
        return
    if table.phase in (Phase.OVER, Phase.PAUSED):
        not_your_turn(table)
        return
    by = table.speaker_of(command)
    if by == table.engine:
        table.say("command.machines", {"side": Side(by)})
        return
    if table.offer.can_answer(by):
        questions.confirm(table, Command("draw_accept"))
        return
    try:
        table.offer.offer(by, table.turn)
    except OfferError as error:
        table.say(f"offer.{error.key}")
        return
    if table.may_offer(by):
        _confirm_for(table, command, by)
    else:
        table.say("offer.too_early")


def _draw_accept(table: Table, command: Command) -> None:
    if table.base_phase is Phase.ADJOURNED:
        adjourning.draw(table, command)
        return
    if table.offer.can_answer(table.speaker):
        questions.confirm(table, command)
    else:
        table.say("draw.nothing_offered")


def decline_draw(table: Table, command: Command) -> None:
    """The offer that stands is refused in words."""
    if table.base_phase is Phase.ADJOURNED:
        adjourning.draw(table, command)
        return
    if table.offer.can_answer(table.speaker):
        table.offer = table.offer.decline(table.speaker)
        table.say("draw.declined")
        if table.phase is Phase.DRAW_OFFERED:
            table.step_to_base()
    else:
        table.say("draw.nothing_offered")


def _resign(table: Table, command: Command) -> None:
    """ "Aufgeben", or "Schwarz gibt auf": either side may at any time, whoever is to move."""
    by = table.speaker_of(command)
    if table.phase is Phase.OVER:
        table.say("over.no_moves")
    elif by == table.engine:
        table.say("command.machines", {"side": Side(by)})
    else:
        _confirm_for(table, command, by)


def _confirm_for(table: Table, command: Command, by: chess.Color) -> None:
    """Ask back; of two people at one microphone with the name of the side that it is done for."""
    if table.engine is None:
        named = Command(command.name, (("colour", by),))
        questions.confirm(table, named, {"side": Side(by)}, f"confirm.{command.name}_side")
    else:
        questions.confirm(table, command)


def _leave(table: Table, command: Command) -> None:
    if table.phase in (Phase.OVER, Phase.ADJOURNED):
        _do_confirmed(table, command)
        return
    questions.confirm(table, command)


def _claim(table: Table, command: Command) -> None:
    if table.phase in PLAYERS_TURN or table.phase is Phase.ECHOING:
        refusal = claiming.refusal(table, command)
        if refusal is not None:
            table.say(refusal)
            return
        claiming.ask(table, command)
    else:
        not_your_turn(table)


def confirmed(table: Table) -> None:
    """The "really?" was answered with yes."""
    opened = table.open
    assert opened is not None and opened.command is not None
    command = opened.command
    table.open = None
    if opened.agreed is not None:
        opened.agreed(table, command)
        return
    _do_confirmed(table, command)


def _do_confirmed(table: Table, command: Command) -> None:
    match command.name:
        case "resign":
            ending.finish(table, editions.resigned(table.board, table.speaker_of(command), table.rules))
        case "draw_accept" if table.offer.can_answer(table.speaker):
            ending.finish(table, table.offer.accept(table.speaker))
        case "draw_offer":
            _offer(table, table.speaker_of(command))
        case "take_back":
            turns.take_back(table, turns.plies_to_take_back(table))
        case "take_over":
            turns.take_over(table)
        case "end" | "new_game":
            if table.phase is Phase.CONFIRMING:
                timing.leave(table)
            table.say("goodbye" if command.name == "end" else "new_game")
            table.do(End() if command.name == "end" else NewGame())
        case "announced":
            penalties.confirmed(table)
        case "ready":
            penalties.ready_confirmed(table)
        case "claim_illegal":
            penalties.claim_confirmed(table)
        case "absent":
            absence.confirmed(table, command)
        case "adjourn" | "adjourn_hours":
            adjourning.begin(table, command)
        case "seal" if table.adjournment is not None:
            adjourning.stop_clocks(table)
        case "seal":
            adjourning.begin(table, command)
        case name if name in rulings.ARBITER:
            rulings.carry_out(table, command)
        case _:
            questions.close_confirming(table)


def _offer(table: Table, by: chess.Color) -> None:
    try:
        table.offer = table.offer.offer(by, table.turn)
    except OfferError as error:
        table.say(f"offer.{error.key}")
        questions.close_confirming(table)
        return
    if by == table.turn:
        table.say("draw.offered_with_move")
        questions.close_confirming(table)
        return
    turns.note_offer(table)
    if table.engine is None:
        turns.say_offer(table)
    else:
        table.say("draw.offering")
    questions.close_confirming(table)
    if table.phase is Phase.THINKING:
        table.do(StopThinking())
        table.considering = True
        table.do(ConsiderDraw(table.board.copy(), table.settings.level))


DECISIVE: Mapping[str, Callable[[Table, Command], None]] = {
    "take_back": _take_back,
    "pause": _pause,
    "resume": _resume,
    "draw_offer": _draw_offer,
    "draw_accept": _draw_accept,
    "draw_decline": decline_draw,
    "resign": _resign,
    "new_game": _leave,
    "end": _leave,
    **dict.fromkeys(claiming.CLAIMS, _claim),
    "claim_illegal": penalties.claim,
    **dict.fromkeys(("adjourn", "adjourn_hours", "seal"), adjourning.adjourn),
    "change": adjourning.change,
    **rulings.ARBITER,
    **absence.ABSENCE,
    "arbiter_start": _resume,
}
