"""Commands: what each does and where it is allowed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import chess

from voicechess.game import penalties, questions, turns
from voicechess.game.agreement import Preset
from voicechess.game.decisive import DECISIVE, not_your_turn
from voicechess.game.effects import AdjustVoice, Hush, SaveGame
from voicechess.game.phases import PLAYERS_TURN, QUESTIONS, Phase
from voicechess.game.queries import ADVICE, NEEDS, POSITION_QUERIES, QUERIES
from voicechess.game.rulings import VERDICTS
from voicechess.game.state import Table
from voicechess.meaning import Command
from voicechess.messages import Duration, Listing, Phrase, Priority, SaidMove, Side, Slot, TimeLeft
from voicechess.moves.saying import said_move

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
    if command.name not in ("help", "repeat", "stop", "louder", "softer", "faster", "slower"):
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


def _louder(table: Table, command: Command) -> None:
    rate = {"faster": 1, "slower": -1}.get(command.name, 0)
    volume = {"louder": 1, "softer": -1}.get(command.name, 0)
    table.do(AdjustVoice(rate, volume))
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
    table.do(SaveGame())
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
    "louder": _louder,
    "softer": _louder,
    "faster": _louder,
    "slower": _louder,
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
