"""Commands: what each does and where it is allowed.

Commands that can decide a game or stop its clock. The dangerous ones ask back; only "ja" is yes, silence is no.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import chess

from voicechess.game import absence, adjourning, claims, penalties, questions, rulings, state, turns
from voicechess.game.agreement import Preset
from voicechess.game.effects import VOICE_CHANGES, ConsiderDraw, End, Hush, NewGame, StopThinking
from voicechess.game.phases import PLAYERS_TURN, QUESTIONS, Phase
from voicechess.game.queries import ADVICE, NEEDS, POSITION_QUERIES, QUERIES
from voicechess.game.rulings import VERDICTS
from voicechess.game.state import Table
from voicechess.laws import editions
from voicechess.meaning import Command
from voicechess.messages import Duration, Failure, Listing, Phrase, Priority, SaidMove, Side, Slot, TimeLeft
from voicechess.moves.saying import said_move

# --- Commands that can decide a game or stop its clock. The dangerous ones ask back; only "ja" is yes, si ---

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
        state.stop_play(table)
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
    except Failure as error:
        table.say(error.key, error.slots)
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
        refusal = claims.refusal(table, command)
        if refusal is not None:
            table.say(refusal)
            return
        claims.ask(table, command)
    else:
        not_your_turn(table)


def confirmed(table: Table) -> None:
    """The "really?" was answered with yes."""
    opened = table.open
    assert opened is not None and opened.command is not None
    command = opened.command
    if opened.agreed is not None:
        opened.agreed(table, command)
        return
    _do_confirmed(table, command)


def _do_confirmed(table: Table, command: Command) -> None:
    match command.name:
        case "resign":
            state.finish(table, editions.resigned(table.board, table.speaker_of(command), table.rules))
        case "draw_accept" if table.offer.can_answer(table.speaker):
            state.finish(table, table.offer.accept(table.speaker))
        case "draw_offer":
            _offer(table, table.speaker_of(command))
        case "take_back":
            turns.take_back(table, turns.plies_to_take_back(table))
        case "take_over":
            turns.take_over(table)
        case "end" | "new_game":
            if table.phase is Phase.CONFIRMING:
                state.leave(table)
            table.say("goodbye" if command.name == "end" else "new_game")
            table.do(End() if command.name == "end" else NewGame())
        case "announced":
            penalties.confirmed(table)
        case "ready":
            move = penalties.ready_confirmed(table)
            if move is not None:
                turns.repeat_move(table, move, table.now_ms)
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
            table.step_to_base()


def _offer(table: Table, by: chess.Color) -> None:
    try:
        table.offer = table.offer.offer(by, table.turn)
    except Failure as error:
        table.say(error.key, error.slots)
        table.step_to_base()
        return
    if by == table.turn:
        table.say("draw.offered_with_move")
        table.step_to_base()
        return
    turns.note_offer(table)
    if table.engine is None:
        turns.say_offer(table)
    else:
        table.say("draw.offering")
    table.step_to_base()
    if table.phase is Phase.THINKING and table.held is None:
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
    **dict.fromkeys(claims.CLAIMS, _claim),
    "claim_illegal": penalties.claim,
    **dict.fromkeys(("adjourn", "adjourn_hours", "seal"), adjourning.adjourn),
    "change": adjourning.change,
    **rulings.ARBITER,
    **absence.ABSENCE,
    "arbiter_start": _resume,
}


# --- Commands: what each does and where it is allowed ---

CASUAL_ONLY = frozenset({"take_back", "pause", "thresholds", "thresholds_seconds", "thresholds_none"})
"""What only casual play has: a tournament's clock is stopped by its arbiter alone."""


ADJOURNED = frozenset({"resume", "draw_offer", "draw_accept", "draw_decline", "absent", "present"})
"""What can be done between the adjournment and the resumption, besides verdicts and what goes at any time."""

_ANYTIME = frozenset({"resign", "end", "new_game", "adjourn", "adjourn_hours", "seal", "change"})
_CHANGES = frozenset(DECISIVE) - _ANYTIME | {"correct"}
MUST_WAIT: Mapping[Phase, frozenset[str]] = {
    **dict.fromkeys((Phase.SEALING, Phase.JUDGING), _CHANGES),
    Phase.ADJOURNED: _CHANGES - VERDICTS - ADJOURNED,
}
"""What cannot be done while a move is being sealed, a claim judged, or the game adjourned."""


def obey(table: Table, command: Command) -> None:
    """Carry out a command, or say why not. An open question stays open, and is put again after the answer."""
    opened = table.open
    if command.name not in ("help", "repeat", "stop", *VOICE_CHANGES):
        table.helped = None
    if command.name in MUST_WAIT.get(table.base_phase, ()):
        not_your_turn(table)
        if table.phase is Phase.CONFIRMING:
            questions.ask_again(table)
        return
    forbidden = _forbidden(table, command)
    if forbidden is not None:
        table.say(forbidden)
    elif command.name in QUERIES:
        needed = NEEDS.get(command.name)
        if needed is not None and command.slot(needed) is None:
            table.say("not_understood.no_sense")
        else:
            QUERIES[command.name](table, command)
    else:
        COMMANDS.get(command.name, _not_here)(table, command)
    asked = table.phase in QUESTIONS or table.phase is Phase.CONFIRMING
    if asked and opened is not None and table.open is opened and command.name not in ("repeat", "stop"):
        questions.ask_again(table)


def _forbidden(table: Table, command: Command) -> str | None:
    preset = table.settings.preset
    if table.phase is Phase.OVER:
        return None
    if preset is Preset.STRICT_BLIND and command.name in POSITION_QUERIES:
        table.refused_queries += 1
        return "forbidden.strict_blind"
    if preset is not Preset.CASUAL and command.name in CASUAL_ONLY | ADVICE:
        return f"forbidden.{'blind_game' if preset is Preset.STRICT_BLIND else 'tournament'}"
    return None


# --- saying ------------------------------------------------------------------------------------------------------


def _repeat(table: Table, command: Command) -> None:
    for utterance in table.said:
        table.again(utterance)


def _last_move(table: Table, command: Command) -> None:
    last = last_move(table)
    if last is None:
        table.say("score.none")
    else:
        table.say("score.last", {"side": Side(last.colour), "move": last})


def last_move(table: Table) -> SaidMove | None:
    """The last move made, as it was announced."""
    if not table.plies:
        return None
    board = table.board.copy()
    board.pop()
    return said_move(board, table.plies[-1].move, table.names_captured)


def _time(table: Table, command: Command) -> None:
    made = (len(table.plies) + 1) // 2
    key = {0: "clock.moves_none", 1: "clock.moves_one"}.get(made, "clock.moves_many")
    slots: dict[str, Slot] = {"moves": Phrase(key, {"count": made} if made > 1 else {})}
    if table.timed:
        for name, colour in (("white", chess.WHITE), ("black", chess.BLACK)):
            slots[name] = TimeLeft(colour, table.clock.remaining(colour, table.now_ms) or 0)
        table.say("clock.both", slots, Priority.NEXT)
    else:
        table.say("clock.untimed", slots)


def _stop(table: Table, command: Command) -> None:
    """Silence; and a question that is open is left, as by "keiner" or "nein"."""
    table.do(Hush())
    table.say("stopped", priority=Priority.NOW)
    if table.phase in QUESTIONS:
        questions.leave(table)
    elif table.phase is Phase.CONFIRMING:
        questions.declined(table)


def _help(table: Table, command: Command) -> None:
    """What this phase waits for; asked for once more, what else can be said, part by part."""
    parts = help_parts(table)
    told = table.helped[1] + 1 if table.helped is not None and table.helped[0] is table.phase else 0
    part = told % len(parts)
    table.helped = table.phase, part
    slots: dict[str, Slot] = {} if table.absent is None else {"side": Side(table.absent.colour)}
    for key in parts[part]:
        table.say(key, slots if key == "help.seal_reply" else None)


def help_parts(table: Table) -> tuple[tuple[str, ...], ...]:
    """The sentences of "Hilfe", the second time and so on. What is refused here is left out."""
    over, casual = table.phase is Phase.OVER, table.casual
    ready = ["help.ready"] if table.settings.penalties and table.phase is Phase.PROMOTING else []
    asking = ["help.position"] if over or table.settings.preset is not Preset.STRICT_BLIND else []
    asking += ["help.advice"] if over or casual else []
    parts = [[f"help.{table.phase.value}", *ready, *_absent(table), "help.more"], [*asking, "help.moves"]]
    if not over:
        playing = ["help.game" if casual else "help.game_tournament"]
        parts += [playing + (["help.two_people"] if table.engine is None else [])]
        parts += [["help.claims"] + (["help.penalties"] if table.settings.penalties else [])]
        parts += [["help.arbiter"]] if casual or table.engine is None else []
    parts += [["help.voice"]]
    return tuple(map(tuple, parts))


def _absent(table: Table) -> list[str]:
    """What can be said of who has not come to the resumption."""
    replies = table.absent is not None and table.may_seal_reply and table.phase is not Phase.ADJOURNED
    may_be = table.may_be_missing or (table.engine is None and table.phase is Phase.ADJOURNED)
    return ["help.seal_reply"] * replies + ["help.absent"] * may_be


def _adjust_voice(table: Table, command: Command) -> None:
    table.do(VOICE_CHANGES[command.name])
    table.say(f"voice.{command.name}")


def _thresholds(table: Table, command: Command) -> None:
    if not table.timed:
        table.say("clock.no_clock")
        return
    factors = {"thresholds_seconds": 1_000}
    number = command.slot("number")
    if not isinstance(number, int):
        table.thresholds_ms = ()
        table.say("clock.thresholds_none")
        return
    added = number * factors.get(command.name, 60_000)
    table.thresholds_ms = tuple(sorted({*(table.thresholds_ms or ()), added}, reverse=True))
    told = Listing(tuple(Duration(ms) for ms in table.thresholds_ms))
    table.say("clock.thresholds", {"durations": told})


def _adjust(table: Table, command: Command) -> None:
    """ "J'adoube": what is named until the next move is not touched."""
    if table.phase is Phase.OVER:
        not_your_turn(table)
        return
    if table.phase in PLAYERS_TURN:
        table.bound = replace(table.bound, adjusts=True)
    table.say("adjust")


def _claim_flag(table: Table, command: Command) -> None:
    """Claiming on time is the assistant's duty, so there is nothing to claim that it does not."""
    if table.phase is Phase.OVER:
        not_your_turn(table)
    else:
        table.say("claim.flag" if table.timed else "clock.no_clock")


def _save(table: Table, command: Command) -> None:
    table.say("saved")


def _not_here(table: Table, command: Command) -> None:
    table.say("command.not_here")


# --- moves -------------------------------------------------------------------------------------------------------


def _spell(table: Table, command: Command) -> None:
    if table.phase in PLAYERS_TURN:
        questions.slot_by_slot(table)
    else:
        not_your_turn(table)


def _correct(table: Table, command: Command) -> None:
    """ "Korrektur", too late or early: before the repetition has ended it is dealt with where it is heard."""
    if table.phase in QUESTIONS:
        questions.none_of_them(table)
        return
    if table.phase is Phase.OVER or not turns.plies_to_take_back(table):
        table.say("correct.nothing")
    elif not table.casual:
        table.say("correct.too_late")
    else:
        table.say("correct.too_late")
        DECISIVE["take_back"](table, Command("take_back"))


COMMANDS: Mapping[str, Callable[[Table, Command], None]] = {
    "repeat": _repeat,
    "last_move": _last_move,
    "time": _time,
    "stop": _stop,
    "help": _help,
    **dict.fromkeys(VOICE_CHANGES, _adjust_voice),
    "thresholds": _thresholds,
    "thresholds_seconds": _thresholds,
    "thresholds_none": _thresholds,
    "adjust": _adjust,
    "save": _save,
    "claim_flag": _claim_flag,
    "spell": _spell,
    "ready": penalties.ready,
    "correct": _correct,
    **DECISIVE,
}
