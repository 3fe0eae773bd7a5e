"""Everything that can be asked of a game in words, one row a command.

A new command is a row here, its patterns under [commands] in both language files, and a word in a sentence of "Hilfe"
there; a query's function stands in `queries`, that of anything else beside its subject. The recogniser's phrases, the
help and the refusals are read from the rows. What is said outside a game has its rows where it is answered
(`conversations`, `practice`).

The commands that can decide a game or stop its clock ask back: only "ja" is yes, silence is no.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum

from voicechess.game import (
    absence,
    actions,
    adjourning,
    correspondence,
    course,
    penalties,
    queries,
    questions,
    rulings,
    served,
)
from voicechess.game.agreement import Preset
from voicechess.game.effects import VOICE_CHANGES
from voicechess.game.phases import QUESTIONS, Phase
from voicechess.game.state import Sealing, Table
from voicechess.laws.results import Way
from voicechess.meaning import Command
from voicechess.messages import Side, Slot

Do = Callable[[Table, Command], None]


class Games(Enum):
    """In which games a command is obeyed. A game that is over refuses nothing for this."""

    ALL = "all"
    CASUAL = "casual"  # a tournament's clock is stopped by its arbiter alone, and advice is forbidden (Art. 11.3)
    HERE = "here"  # not on a server, which has rules of its own
    WITH_ARBITER = "with_arbiter"  # here, and not a tournament against the machine: it has no arbiter to be called
    SERVER = "server"  # only on a server
    BY_POST = "by_post"  # only by letter


EVER = frozenset(Phase) - {Phase.NOT_STARTED}
TURNS = EVER - {Phase.REPEATING}
"""Most commands are listened for in every phase but one, also where they are answered with why not: a recogniser
without the words for "Pause" bends them into others, into a move or into the "ja" that a question waits for. But while
a move is repeated it is taken back or stands: every other word is a rival of "nein" and "Korrektur"."""

NOBODY = frozenset[Phase]()
"""No phase: the game itself asks it."""

SETTLING = frozenset({Phase.SEALING, Phase.JUDGING})
STANDING = SETTLING | {Phase.ADJOURNED}
"""While a move is being sealed or a claim judged; the same and until an adjourned game is resumed."""


@dataclass(frozen=True, slots=True)
class Row:
    """One command.

    `do`: what it does, or how it asks back. `yes`: what a yes does then (None: it does not ask back, or the question
    it puts says so itself, as a claim's does, which keeps the clock of its words). `needs`: the slots without which it
    says nothing. `heard`: the phases in which the recogniser listens for it; what is typed is answered in all of them.
    `decides`: it may open a question or change whose turn it is, so it cannot wait for the end of an announcement.
    `waits`: the phases in which it is refused with what the game waits for. `over`: the sentence that refuses it when
    the game is over ("": it is done then as well). `games`: in which games it is obeyed. `tells_position`: it tells
    where something stands, which strict blind play refuses. `online`: the sentence that refuses it while a game on a
    server is played ("": it is done there as well). `help`: the sentences of "Hilfe" that name it.
    """

    do: Do
    yes: Do | None = None
    needs: tuple[str, ...] = ()
    heard: frozenset[Phase] = TURNS
    decides: bool = False
    waits: frozenset[Phase] = frozenset()
    over: str = ""
    games: Games = Games.ALL
    tells_position: bool = False
    online: str = ""
    help: tuple[str, ...] = ()


def _not_here(table: Table, command: Command) -> None:
    table.say("command.not_here")


def _help(table: Table, command: Command) -> None:
    """What this phase waits for; asked for once more, what else can be said, part by part."""
    parts = help_parts(table)
    told = table.helped[1] + 1 if table.helped is not None and table.helped[0] is table.phase else 0
    part = told % len(parts)
    table.helped = table.phase, part
    slots: dict[str, Slot] = {} if table.absent is None else {"side": Side(table.absent.colour)}
    for key in parts[part]:
        table.say(key, slots if key == "help.seal_reply" else None)


_GAME = ("game", "game_tournament", "game_online")
_OVER = "over.no_moves"
_UNFAIR = "forbidden.fair_play"
_RUNS = "forbidden.online_pause"

# fmt: off
COMMANDS: Mapping[str, Row] = {
    # The program's own speech
    "repeat": Row(actions.repeat, heard=EVER, help=("voice",)),
    "stop": Row(actions.stop, heard=EVER, help=("voice",)),
    "help": Row(_help, heard=EVER, help=("more",)),
    "louder": Row(actions.adjust_voice, heard=EVER, help=("voice",)),
    "softer": Row(actions.adjust_voice, heard=EVER, help=("voice",)),
    "faster": Row(actions.adjust_voice, heard=EVER, help=("voice",)),
    "slower": Row(actions.adjust_voice, heard=EVER, help=("voice",)),
    "thresholds": Row(actions.thresholds, games=Games.CASUAL, help=("voice",)),
    "thresholds_seconds": Row(actions.thresholds, games=Games.CASUAL, help=("voice",)),
    "thresholds_none": Row(actions.thresholds, games=Games.CASUAL, help=("voice",)),

    # Questions about the position and the game
    "square": Row(queries.square, needs=("square",), tells_position=True, help=("position",)),
    "where": Row(queries.where, needs=("piece",), tells_position=True, help=("position",)),
    "file": Row(queries.file, needs=("file",), tells_position=True, help=("position",)),
    "rank": Row(queries.rank, needs=("rank",), tells_position=True, help=("position",)),
    "position": Row(queries.position, tells_position=True, help=("position",)),
    "position_colour": Row(queries.position_colour, tells_position=True, help=("position",)),
    "position_ranks": Row(queries.position_ranks, tells_position=True, help=("position",)),
    "material": Row(queries.material, tells_position=True, help=("position",)),
    "material_difference": Row(queries.material_difference, tells_position=True, help=("lines",)),
    "diagonals": Row(queries.diagonals, needs=("square",), tells_position=True, help=("lines",)),
    "pawns": Row(queries.pawns, tells_position=True, help=("lines",)),
    "show_position": Row(queries.show_position, tells_position=True, help=("lines",)),
    "legal": Row(queries.legal, games=Games.CASUAL, tells_position=True, help=("advice", "legal")),
    "attackers": Row(queries.attackers, needs=("square",), games=Games.CASUAL, tells_position=True, online=_UNFAIR,
                     help=("advice",)),
    "opening": Row(queries.opening, games=Games.CASUAL, online=_UNFAIR, help=("advice",)),
    "undefended": Row(queries.undefended, games=Games.CASUAL, tells_position=True, online=_UNFAIR, help=("advice",)),
    "moves": Row(queries.moves, help=("moves",)),
    "last_move": Row(queries.last_move, help=("moves",)),
    "last_moves": Row(queries.last_moves, needs=("number",), help=("moves",)),
    "move_times": Row(queries.move_times, games=Games.HERE, help=("times",)),
    "show_game": Row(course.show_game, help=("moves",)),
    "turn": Row(queries.turn, help=("moves",)),
    "time": Row(queries.time, help=("moves",)),

    # The player's own move
    "correct": Row(actions.correct, heard=EVER, decides=True, waits=STANDING, over="correct.nothing", help=_GAME),
    "spell": Row(actions.spell, decides=True, over=_OVER, help=_GAME),
    "take_back": Row(actions.take_back, actions.take_back_agreed, decides=True, waits=STANDING, over="take_back.over",
                     games=Games.CASUAL, help=("game",)),
    "adjust": Row(actions.adjust, over=_OVER, games=Games.HERE, help=("claims",)),
    "ready": Row(penalties.ready, actions.pressed, heard=frozenset({Phase.PROMOTING}), help=("ready",)),

    # The end of the game, and its pauses
    "draw_offer": Row(actions.draw_offer, actions.offered, heard=EVER, decides=True, waits=SETTLING, over=_OVER,
                      help=(*_GAME, "two_people")),
    "draw_accept": Row(actions.draw_accept, actions.draw_agreed, decides=True, waits=SETTLING,
                       over="draw.nothing_offered", help=_GAME),
    "draw_decline": Row(actions.draw_decline, decides=True, waits=SETTLING, over="draw.nothing_offered", help=_GAME),
    "resign": Row(actions.resign, actions.resigned, decides=True, over=_OVER, help=(*_GAME, "two_people")),
    "pause": Row(actions.pause, decides=True, waits=STANDING, over=_OVER, games=Games.CASUAL, online=_RUNS,
                 help=("game",)),
    "resume": Row(actions.resume, decides=True, waits=SETTLING, over=_OVER, online=_RUNS, help=("game",)),
    "new_game": Row(actions.leave, actions.left, decides=True, help=("voice",)),
    "end": Row(actions.leave, actions.left, heard=EVER, decides=True, help=("voice",)),
    "save": Row(actions.save, help=("voice",)),
    # `practice.menu` answers them when the game is over.
    "mistake": Row(_not_here, heard=frozenset({Phase.OVER}), online=_UNFAIR, help=("over",)),
    "practise": Row(_not_here, heard=frozenset({Phase.OVER}), online=_UNFAIR, help=("over",)),

    # Claims
    **dict.fromkeys(
        ("claim_threefold", "claim_fifty", "claim_threefold_move", "claim_fifty_move"),
        Row(actions.claim, decides=True, waits=STANDING, over=_OVER, help=("claims", "online")),
    ),
    "claim_quickplay": Row(actions.claim, decides=True, waits=STANDING, over=_OVER, help=("claims", "online")),
    "claim_no_effort": Row(actions.claim, decides=True, waits=STANDING, over=_OVER, games=Games.HERE, help=("claims",)),
    "claim_flag": Row(actions.claim_flag, correspondence.time_claimed, over=_OVER, help=("claims", "post")),
    "claim_illegal": Row(penalties.claim, penalties.claim_confirmed, decides=True, waits=STANDING, over=_OVER,
                         games=Games.HERE, help=("penalties",)),

    # Correspondence
    **dict.fromkeys(
        ("line", "line_numeric", "line_german", "line_san"),
        Row(correspondence.line, decides=True, games=Games.BY_POST, help=("post",)),
    ),
    "suppose": Row(correspondence.suppose, correspondence.supposed, decides=True, over=_OVER, games=Games.BY_POST,
                   help=("post",)),
    "leave": Row(correspondence.leave, correspondence.leave_taken, needs=("number",), decides=True, over=_OVER,
                 games=Games.BY_POST, help=("post",)),

    # Adjourning, and players who are not there
    "adjourn": Row(adjourning.adjourn, adjourning.begin, decides=True, over=_OVER, games=Games.HERE, help=("claims",)),
    "adjourn_hours": Row(adjourning.adjourn, adjourning.begin, decides=True, over=_OVER, games=Games.HERE,
                         help=("claims",)),
    "seal": Row(adjourning.adjourn, adjourning.seal_confirmed, decides=True, over=_OVER, games=Games.HERE,
                help=("claims", "seal_reply")),
    "change": Row(adjourning.change, decides=True, over="adjournment.error.nothing_sealed", games=Games.HERE,
                  help=("change",)),
    "absent": Row(absence.absent, absence.confirmed, decides=True, waits=SETTLING, over=_OVER, games=Games.HERE,
                  help=("absent",)),
    "present": Row(absence.present, decides=True, waits=SETTLING, over="absent.nobody", games=Games.HERE,
                   help=("absent", "seal_reply")),

    # What the arbiter says, and the way back to an earlier move
    "arbiter": Row(rulings.called, decides=True, waits=STANDING, over=_OVER, games=Games.WITH_ARBITER,
                   help=("two_people",)),
    "arbiter_stop": Row(rulings.stop, decides=True, waits=STANDING, over=_OVER, games=Games.WITH_ARBITER,
                        help=("arbiter",)),
    "arbiter_start": Row(actions.resume, decides=True, waits=STANDING, over=_OVER, games=Games.HERE, help=("game",)),
    "arbiter_loses": Row(rulings.rule, rulings.lost, needs=("colour",), decides=True, waits=SETTLING, over=_OVER,
                         games=Games.WITH_ARBITER, help=("arbiter",)),
    "arbiter_both_lose": Row(rulings.rule, rulings.ended(Way.BOTH_LOSE), decides=True, waits=SETTLING, over=_OVER,
                             games=Games.WITH_ARBITER, help=("arbiter",)),
    "arbiter_draw": Row(rulings.rule, rulings.ended(Way.ARBITER_DRAW), decides=True, waits=SETTLING, over=_OVER,
                        games=Games.WITH_ARBITER, help=("arbiter",)),
    # The pieces stood wrong at the start (Laws 2009, 7.1 a).
    "arbiter_void": Row(rulings.rule, rulings.ended(Way.VOID), decides=True, waits=SETTLING, over=_OVER,
                        games=Games.WITH_ARBITER, help=("arbiter",)),
    "arbiter_flags": Row(rulings.rule_flags, rulings.both_flags, decides=True, waits=STANDING, over=_OVER,
                         games=Games.WITH_ARBITER, help=("arbiter",)),
    "arbiter_warn": Row(rulings.rule, rulings.warned, needs=("colour",), decides=True, waits=STANDING, over=_OVER,
                        games=Games.WITH_ARBITER, help=("arbiter",)),
    **dict.fromkeys(
        ("arbiter_add", "arbiter_add_seconds", "arbiter_take", "arbiter_take_seconds", "arbiter_set",
         "arbiter_set_seconds"),
        Row(rulings.rule_time, rulings.set_clock, needs=("colour", "number"), decides=True, waits=STANDING, over=_OVER,
            games=Games.WITH_ARBITER, help=("arbiter",)),
    ),
    "retrace": Row(rulings.retrace, decides=True, waits=STANDING, over="take_back.over", games=Games.HERE,
                   help=("claims",)),
    "compare": Row(rulings.compare, decides=True, waits=STANDING, over="take_back.over", games=Games.HERE,
                   help=("claims",)),

    # A game on a server
    "abort": Row(served.abort, served.aborted, decides=True, games=Games.SERVER, help=("game_online",)),
    "claim_victory": Row(served.claim_absent, decides=True, games=Games.SERVER, help=("online",)),
    "quick_on": Row(served.quick, games=Games.SERVER, help=("online",)),
    "quick_off": Row(served.quick, games=Games.SERVER, help=("online",)),
    "chat_on": Row(served.chat, games=Games.SERVER, help=("online",)),
    "chat_off": Row(served.chat, games=Games.SERVER, help=("online",)),
    "hint": Row(_not_here, games=Games.SERVER, online=_UNFAIR),

    # What only the game itself asks
    "announced": Row(_not_here, penalties.confirmed, heard=NOBODY),
    "take_over": Row(_not_here, actions.take_over, heard=NOBODY),
}
# fmt: on

BY_POST = frozenset(name for name, row in COMMANDS.items() if row.games is Games.BY_POST)

NOT_BY_POST = frozenset(name for name in COMMANDS if name.startswith("arbiter")) | {
    *("adjourn", "adjourn_hours", "seal", "change", "absent", "present", "pause", "resume", "retrace", "compare"),
    *("adjust", "claim_quickplay", "claim_no_effort", "thresholds", "thresholds_seconds", "thresholds_none"),
    "move_times",
}
"""What needs two people who are there, or a clock that runs."""

SAYABLE: Mapping[Phase, frozenset[str]] = {
    phase: frozenset(name for name, row in COMMANDS.items() if phase in row.heard) - BY_POST for phase in Phase
}
"""What the recogniser listens for in a game at the board. Other commands that are typed are answered as well."""


_ELSEWHERE = frozenset(name for name, row in COMMANDS.items() if row.games is Games.SERVER)
_REFUSED = frozenset(name for name, row in COMMANDS.items() if row.online == _UNFAIR)


def sayable(table: Table) -> frozenset[str]:
    """What the recogniser listens for now. What is said to servers alone takes no other game's words for its own; in a
    game on a server help is refused only where it is listened for."""
    names = SAYABLE[table.phase]
    if table.post is not None:
        return (names - _ELSEWHERE) | {name for name in BY_POST if table.phase in COMMANDS[name].heard}
    if table.link is None or table.phase is Phase.OVER:
        return names - _ELSEWHERE
    return names | _REFUSED if table.phase in TURNS else names


TELL_POSITION = frozenset(name for name, row in COMMANDS.items() if row.tells_position)


def takes_floor(command: Command) -> bool:
    """Whether it cannot wait for the end of an announcement."""
    return command.name in COMMANDS and COMMANDS[command.name].decides


# --- obeying -----------------------------------------------------------------------------------------------------


def obey(table: Table, command: Command) -> None:
    """Carry out a command, or say why not. An open question stays open, and is put again after the answer."""
    opened, row = table.open, COMMANDS.get(command.name)
    if command.name not in ("help", "repeat", "stop", *VOICE_CHANGES):
        table.helped = None
    if row is None:
        _not_here(table, command)
    elif table.base_phase in row.waits:
        actions.not_your_turn(table)
    elif (refused := _refusal(table, command.name)) is not None:
        table.refused_queries += refused == "forbidden.strict_blind"
        table.say(refused)
    elif any(command.slot(slot) is None for slot in row.needs):
        table.say("not_understood.no_sense")
    else:
        row.do(table, command)
    asked = table.phase in QUESTIONS or table.phase is Phase.CONFIRMING
    if asked and opened is not None and table.open is opened and command.name not in ("repeat", "stop"):
        questions.ask_again(table)


def _refusal(table: Table, name: str) -> str | None:
    """Why this is not done in this game, or not any more: the key of a sentence, None if it is."""
    preset, row = table.settings.preset, COMMANDS[name]
    if row.games is Games.SERVER and (table.link is None or table.phase is Phase.OVER):
        return "command.not_here"
    if row.games is Games.BY_POST and table.post is None:
        return "post.only"
    if table.post is not None and name in NOT_BY_POST:
        return "post.not_here"
    if table.phase is Phase.OVER:
        return row.over or None
    if table.link is not None and (row.online or row.games in (Games.HERE, Games.WITH_ARBITER)):
        return row.online or "forbidden.online"
    if row.tells_position and preset is Preset.STRICT_BLIND:
        return "forbidden.strict_blind"
    if row.games is Games.CASUAL and not table.casual:
        return f"forbidden.{'blind_game' if preset is Preset.STRICT_BLIND else 'tournament'}"
    if row.games is Games.WITH_ARBITER and table.engine is not None and not table.casual:
        return "forbidden.tournament"
    return None


def confirmed(table: Table) -> None:
    """The "really?" was answered with yes."""
    opened = table.open
    assert opened is not None and opened.command is not None
    command = opened.command
    yes = opened.agreed or COMMANDS[command.name].yes
    assert yes is not None, f"what asks back about {command.name} knows what a yes does"
    yes(table, command)


# --- help --------------------------------------------------------------------------------------------------------

HELP: tuple[tuple[str, ...], ...] = (
    ("position", "lines", "advice", "legal", "moves", "times"),
    (*_GAME, "two_people"),
    ("online",),
    ("claims", "post", "penalties"),
    ("arbiter",),
    ("voice",),
)
"""The sentences of "Hilfe" after the first, part by part. Each is said while one of the commands it names is obeyed in
this game."""


def _here(table: Table) -> bool:
    """Whether it is played at one board."""
    return table.link is None and table.post is None


_HELP_WHERE: Mapping[str, Callable[[Table], bool]] = {
    "game": lambda table: table.casual and _here(table),
    "game_tournament": lambda table: not (table.casual and table.post is None) and table.link is None,
    "game_online": lambda table: table.link is not None,
    "online": lambda table: table.link is not None,
    "claims": _here,
    "advice": lambda table: table.link is None or table.phase is Phase.OVER,
    "legal": lambda table: table.link is not None and table.phase is not Phase.OVER,
    "two_people": lambda table: table.engine is None and table.post is None,
    "post": lambda table: table.post is not None,
    "penalties": lambda table: table.settings.penalties,
}
"""What some of them depend on besides."""


def help_parts(table: Table) -> tuple[tuple[str, ...], ...]:
    """The sentences of "Hilfe", the second time and so on. What is refused here is left out."""
    ready = ["help.ready"] if table.settings.penalties and table.phase is Phase.PROMOTING else []
    sealed = ["help.change"] if table.phase is Phase.CONFIRMING and isinstance(table.base, Sealing) else []
    first = (_help_key(table), *ready, *sealed, *_absent(table), "help.more")
    obeyed = {key for name, row in COMMANDS.items() if _refusal(table, name) is None for key in row.help}
    obeyed = {name for name in obeyed if name not in _HELP_WHERE or _HELP_WHERE[name](table)}
    rest = (tuple(f"help.{name}" for name in part if name in obeyed) for part in HELP)
    return (first, *filter(None, rest))


def _help_key(table: Table) -> str:
    """The sentence about what the game waits for."""
    if table.link is None or table.phase is not Phase.THINKING:
        return f"help.{table.phase.value}"
    return "help.kept" if table.link.waits else "help.thinking_online"


def _absent(table: Table) -> list[str]:
    """What can be said of a player who has not come to the resumption."""
    replies = table.absent is not None and table.may_seal_reply and table.phase is not Phase.ADJOURNED
    may_be = table.may_be_missing or (table.engine is None and table.phase is Phase.ADJOURNED)
    return ["help.seal_reply"] * replies + ["help.absent"] * may_be
