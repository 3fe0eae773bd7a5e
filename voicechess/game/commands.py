"""The commands that a game obeys, one row each.

A new command needs a row here, its patterns under [commands] in each language file, and a mention in a sentence of
"Hilfe" there. The function of a query is in `queries`, any other beside its subject. The recogniser's grammar, the help
and the refusals are read from the rows. Commands outside a game have their rows where they are handled
(`conversations`, `practice`).

Commands that can end a game or stop its clock are confirmed first: only "ja" counts as yes, silence as no.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from voicechess.game import (
    absence,
    actions,
    adjourning,
    claims,
    course,
    hints,
    penalties,
    queries,
    questions,
    rulings,
    two_forms,
)
from voicechess.game.agreement import Preset
from voicechess.game.effects import VOICE_CHANGES
from voicechess.game.elsewhere import PLACES, place_of
from voicechess.game.kind import Games
from voicechess.game.phases import QUESTIONS, Phase, Sealing
from voicechess.game.state import Table
from voicechess.language.folders import SWITCHES
from voicechess.laws.draws import Quickplay
from voicechess.laws.results import Way
from voicechess.meaning import Command, Meaning, Reading
from voicechess.messages import Phrase, Side, Slot, Text

Do = Callable[[Table, Command], None]


BOARD = frozenset(Games) - {Games.SERVER, Games.SERVER_OVER, Games.POST}

EVER = frozenset(Phase) - {Phase.NOT_STARTED}
TURNS = EVER - {Phase.REPEATING}
"""Most commands are in the grammar in every phase but one, even where they are refused: a recogniser without the words
for "Pause" would force them into others, into a move or into the "ja" that a question waits for. While a move is being
repeated it can only be corrected, and any other word would be a rival of "nein" and "Korrektur"."""

NOBODY = frozenset[Phase]()
"""No phase: only the game itself issues the command, in a question of its own."""

SEALING = frozenset({Phase.SEALING})
SETTLING = frozenset({Phase.SEALING, Phase.JUDGING})
STANDING = SETTLING | {Phase.ADJOURNED}
"""SETTLING: while a move is being sealed or a claim judged. STANDING: the same, and until an adjourned game resumes."""


@dataclass(frozen=True, slots=True)
class Row:
    """One command. Sentences are keys of the language files."""

    do: Do  # carries it out, or asks for confirmation
    yes: Do | None = None
    """Carries it out once confirmed. None: it needs no confirmation, or its question has its own (`OpenQuestion`)."""
    needs: tuple[str, ...] = ()  # the slots without which it means nothing
    heard: frozenset[Phase] = TURNS  # the phases whose grammar has it; a typed command is handled in all of them
    decides: bool = False
    """It may open a question, or change whose turn it is, so it does not wait for the end of an announcement."""
    waits: frozenset[Phase] = frozenset()  # the phases in which it is refused with what the game is waiting for
    refused: Mapping[Games | Preset, str] = field(default_factory=dict)
    """The kinds of game, and the presets while a game lasts, that refuse it, each with the sentence that says why."""
    over: str = ""  # the sentence that refuses it after the end of the game; "": it is obeyed then too
    help: tuple[str, ...] = ()  # the sentences of "Hilfe" that name it


def _not_here(table: Table, command: Command) -> None:
    table.say(place_of(command.name))


def own(table: Table, command: Command) -> None:
    """A command that only one kind of game has: that kind carries it out."""
    do, _ = table.kind.own[command.name]
    do(table, command)


def own_agreed(table: Table, command: Command) -> None:
    _, yes = table.kind.own[command.name]
    assert yes is not None, "it asks back"
    yes(table, command)


def _help(table: Table, command: Command) -> None:
    """Say what the game is waiting for; each further request tells the next part of what else can be said."""
    parts = help_parts(table)
    told = table.told.helped[1] + 1 if table.told.helped is not None and table.told.helped[0] is table.phase else 0
    part = told % len(parts)
    table.told.helped = table.phase, part
    slots: dict[str, Slot] = {"side": Side(not table.turn)}
    for key in parts[part]:
        table.say(key, slots if key == "help.seal_reply" else None)


_GAME = ("game", "game_tournament", "game_online")
_OVER = "over.no_moves"

_UNTOLD = "forbidden.strict_blind"
_NO_SERVER, _NO_LETTERS, _NO_AHEAD, _NO_PREMOVE = "elsewhere.server", "post.only", "elsewhere.ahead", "premove.engine"
_FOREIGN = frozenset({_NO_SERVER, _NO_LETTERS, _NO_AHEAD, _NO_PREMOVE})
"""Refusals of commands that belong to another kind of game; these are not in the grammar."""

Refusals = dict[Games | Preset, str]

_CASUAL: Refusals = {Preset.TOURNAMENT: "forbidden.tournament", Preset.STRICT_BLIND: "forbidden.blind_game"}
"""Only in casual games: in a tournament the arbiter alone stops the clock, and advice is forbidden (Art. 11.3)."""

_POSITION: Refusals = {Preset.STRICT_BLIND: _UNTOLD}
"""Tells where pieces stand, which strict blindfold play forbids."""

_UNFAIR: Refusals = {Games.SERVER: "forbidden.fair_play"}
_NO_POST: Refusals = {Games.POST: "post.not_here"}
"""Needs two players who are present, or a running clock."""

_ENGINES = (Games.CASUAL_ENGINE, Games.SERVER_OVER)
_BOARD: Refusals = {Games.SERVER: "forbidden.online", **_NO_POST}
_RUNS: Refusals = {Games.SERVER: "forbidden.online_pause", **_NO_POST}
_ARBITER: Refusals = {Games.TOURNAMENT_ENGINE: "arbiter.none", **_BOARD}
_TWO: Refusals = {**dict.fromkeys((*_ENGINES, Games.TOURNAMENT_ENGINE), "arbiter.none"), **_BOARD}
_COMPANY: Refusals = dict.fromkeys((*BOARD, Games.POST), _NO_SERVER)
_SERVER: Refusals = {Games.SERVER_OVER: _NO_SERVER, **_COMPANY}
_PREMOVE: Refusals = _SERVER | dict.fromkeys((Games.CASUAL_ENGINE, Games.TOURNAMENT_ENGINE), _NO_PREMOVE)
_AHEAD: Refusals = dict.fromkeys((*BOARD, Games.SERVER_OVER), _NO_AHEAD)
_POST: Refusals = dict.fromkeys((*BOARD, Games.SERVER, Games.SERVER_OVER), _NO_LETTERS)

# fmt: off
COMMANDS: Mapping[str, Row] = {
    # The program's own speech
    "repeat": Row(actions.repeat, heard=EVER, help=("voice",)),
    "stop": Row(actions.stop, heard=EVER, help=("voice",)),
    "help": Row(_help, heard=EVER, help=("more",)),
    "handbook": Row(actions.handbook, help=("paused",)),
    **dict.fromkeys(("louder", "softer", "faster", "slower"),
                    Row(actions.adjust_voice, heard=EVER, help=("voice",))),
    **dict.fromkeys(("second_voice", "no_second_voice", "left_right", "no_left_right"),
                    Row(actions.speak_apart, help=("voice",))),
    "reader": Row(actions.speak_through, help=("voice",)),
    "own_voice": Row(actions.speak_through, help=("voice",)),
    "headphones": Row(actions.adjust_voice, help=("voice",)),
    "no_headphones": Row(actions.adjust_voice, help=("voice",)),
    "sound_off": Row(actions.adjust_voice, decides=True, help=("voice",)),
    "sound_on": Row(actions.adjust_voice, help=("voice",)),
    **{command: Row(actions.adjust_voice, decides=True, help=("voice",)) for command in SWITCHES},
    "brisk": Row(actions.speak_briskly, help=("voice",)),
    "no_brisk": Row(actions.speak_briskly, help=("voice",)),
    **dict.fromkeys(("thresholds", "thresholds_none", "thresholds_usual"),
                    Row(actions.thresholds, refused=_CASUAL | _NO_POST, help=("voice",))),

    # Questions about the position and the game
    "square": Row(queries.square, needs=("square",), refused=_POSITION, help=("squares",)),
    "where": Row(queries.where, needs=("piece",), refused=_POSITION, help=("squares",)),
    "file": Row(queries.file, needs=("file",), refused=_POSITION, help=("squares",)),
    "rank": Row(queries.rank, needs=("rank",), refused=_POSITION, help=("squares",)),
    **dict.fromkeys(("position_whole", "position", "position_colour", "own_pieces", "other_pieces"),
                    Row(two_forms.answer, refused=_POSITION, help=("position",))),
    **dict.fromkeys(("shorter", "longer", "usual_form"), Row(two_forms.change, help=("forms",))),
    "position_ranks": Row(queries.position_ranks, refused=_POSITION, help=("squares",)),
    **dict.fromkeys(
        ("rank_next", "rank_back", "file_next", "file_back", "piece_next", "piece_back"),
        Row(queries.walk, refused=_POSITION, help=("squares",)),
    ),
    "changes": Row(queries.changes, refused=_POSITION, help=("position",)),
    "material": Row(two_forms.answer, refused=_POSITION, help=("squares",)),
    "material_difference": Row(queries.material_difference, refused=_POSITION, help=("lines",)),
    # "Wie steht es": the results of several boards, and on one board who has more.
    "standings": Row(queries.material_difference, refused=_POSITION, help=("lines",)),
    "diagonals": Row(queries.diagonals, needs=("square",), refused=_POSITION, help=("lines",)),
    "pawns": Row(queries.pawns, refused=_POSITION, help=("lines",)),
    "show_position": Row(queries.show_position, refused=_POSITION, help=("lines",)),
    **dict.fromkeys(("show_board", "hide_board"), Row(actions.show_board, help=("lines",))),
    "board_keys": Row(actions.use_board_keys, refused=_POSITION, help=("lines",)),
    "legal": Row(queries.legal, refused=_CASUAL | _POSITION, help=("advice", "legal")),
    "attackers": Row(queries.attackers, needs=("square",), refused=_CASUAL | _POSITION | _UNFAIR, help=("advice",)),
    "hint": Row(hints.hint, refused=_CASUAL | _UNFAIR | _NO_POST, over=_OVER, help=("hint",)),
    "opening": Row(queries.opening, refused=_CASUAL | _UNFAIR, help=("advice",)),
    "undefended": Row(queries.undefended, refused=_CASUAL | _POSITION | _UNFAIR, help=("advice",)),
    **{
        name: Row(do, refused=_CASUAL | _POSITION | _UNFAIR, help=("relations",))
        for name, do in {
            "pinned": queries.pinned,
            "attacked": queries.attacked,
            "doubled_pawns": queries.doubled_pawns,
            "isolated_pawns": queries.isolated_pawns,
            "passed_pawns": queries.passed_pawns,
        }.items()
    },
    "castling": Row(queries.castling, refused=_CASUAL | _POSITION, help=("relations",)),
    "moves": Row(queries.moves, help=("moves",)),
    "last_move": Row(two_forms.answer, help=("moves",)),
    "last_moves": Row(queries.last_moves, needs=("number",), help=("moves",)),
    "move_times": Row(queries.move_times, refused=_BOARD, help=("times",)),
    "show_game": Row(course.show_game, help=("moves",)),
    "turn": Row(queries.turn, help=("moves",)),
    "time": Row(two_forms.answer, help=("moves",)),

    # The player's own move
    "correct": Row(actions.correct, heard=EVER, decides=True, waits=STANDING, over="correct.nothing", help=_GAME),
    "spell": Row(actions.spell, decides=True, over=_OVER, help=_GAME),
    "take_back": Row(actions.take_back, actions.take_back_agreed, decides=True, waits=STANDING, refused=_CASUAL,
                     over="take_back.over", help=("game",)),
    "adjust": Row(actions.adjust, refused=_BOARD, over=_OVER, help=("claims",)),
    "ready": Row(penalties.ready, actions.pressed, heard=frozenset({Phase.PROMOTING}), help=("ready",)),

    # The end of the game, and its pauses
    "draw_offer": Row(actions.draw_offer, actions.offered, heard=EVER, decides=True, waits=SETTLING, over=_OVER,
                      help=(*_GAME, "two_people")),
    "draw_accept": Row(actions.draw_accept, actions.draw_agreed, decides=True, waits=SETTLING,
                       over="draw.nothing_offered", help=_GAME),
    "draw_decline": Row(actions.draw_decline, decides=True, waits=SETTLING, over="draw.nothing_offered", help=_GAME),
    "resign": Row(actions.resign, actions.resigned, decides=True, over=_OVER, help=(*_GAME, "two_people")),
    "pause": Row(actions.pause, decides=True, waits=STANDING, refused=_CASUAL | _RUNS, over=_OVER, help=("game",)),
    "moment": Row(actions.moment, help=("voice",)),
    "resume": Row(actions.resume, decides=True, waits=SETTLING, refused=_RUNS, over=_OVER, help=("game",)),
    "new_game": Row(actions.leave, actions.left, decides=True, help=("voice",)),
    "rematch": Row(actions.rematch, decides=True, help=("over",)),
    "end": Row(actions.leave, actions.left, heard=EVER, decides=True, help=("voice",)),
    "save": Row(actions.save, help=("voice",)),
    # `practice.menu` answers them when the game is over.
    "mistake": Row(_not_here, heard=frozenset({Phase.OVER}), refused=_UNFAIR, help=("over",)),
    "practise": Row(_not_here, heard=frozenset({Phase.OVER}), refused=_UNFAIR, help=("over",)),
    "analyse": Row(_not_here, heard=frozenset({Phase.OVER}), refused=_UNFAIR, help=("over",)),
    "set_up": Row(_not_here, heard=frozenset({Phase.OVER}), refused=_UNFAIR, help=("over",)),
    "find_games": Row(_not_here, heard=frozenset({Phase.OVER}), refused=_UNFAIR, help=("over",)),
    "played_here": Row(_not_here, heard=frozenset({Phase.OVER}), refused=_UNFAIR, help=("over",)),
    "endgame_table": Row(_not_here, heard=frozenset({Phase.OVER}), refused=_UNFAIR, help=("over",)),
    "live": Row(_not_here, heard=frozenset({Phase.OVER}), refused={Games.SERVER: "forbidden.live"}, help=("over",)),

    # Claims
    **dict.fromkeys(
        ("claim_threefold", "claim_fifty", "claim_threefold_move", "claim_fifty_move"),
        Row(actions.claim, decides=True, waits=STANDING, over=_OVER, help=("claims", "online")),
    ),
    "claim_quickplay": Row(actions.claim, decides=True, waits=STANDING, refused=_BOARD, over=_OVER,
                           help=("quickplay",)),
    "claim_draw": Row(actions.claim, decides=True, waits=STANDING, refused=_NO_POST, over=_OVER,
                      help=("claims", "online")),
    "claim_increment": Row(actions.claim, decides=True, waits=STANDING, refused=_BOARD, over=_OVER,
                           help=("increment",)),
    "claim_no_effort": Row(actions.claim, decides=True, waits=STANDING, refused=_BOARD, over=_OVER,
                           help=("quickplay",)),
    "claim_flag": Row(actions.claim_flag, own_agreed, over=_OVER, help=("claims", "post")),
    "claim_illegal": Row(penalties.claim, penalties.claim_confirmed, decides=True, waits=STANDING,
                         refused={Games.SERVER: "forbidden.online"}, over=_OVER, help=("penalties",)),

    # Correspondence
    **dict.fromkeys(
        ("line", "line_numeric", "line_german", "line_san"),
        Row(own, decides=True, refused=_POST, help=("post",)),
    ),
    "suppose": Row(own, own_agreed, decides=True, refused=_AHEAD, help=("post", "premove")),
    "leave": Row(own, own_agreed, needs=("number",), decides=True, refused=_POST,
                 over=_OVER, help=("post",)),

    # Adjourning, and players who are not there
    "adjourn": Row(adjourning.adjourn, adjourning.begin, decides=True, refused=_BOARD, over=_OVER, help=("claims",)),
    "adjourn_hours": Row(adjourning.adjourn, adjourning.begin, decides=True, refused=_BOARD, over=_OVER,
                         help=("claims",)),
    "seal": Row(adjourning.adjourn, adjourning.seal_confirmed, decides=True, refused=_BOARD, over=_OVER,
                help=("claims", "seal_reply")),
    "change": Row(adjourning.change, decides=True, refused=_BOARD, over="adjournment.error.nothing_sealed",
                  help=("change",)),
    "absent": Row(absence.absent, absence.confirmed, decides=True, waits=SETTLING, refused=_BOARD,
                  help=("absent",)),
    "absent_both": Row(absence.absent, absence.confirmed, decides=True, waits=SETTLING, refused=_BOARD, over=_OVER,
                       help=("absent",)),
    "present": Row(absence.present, decides=True, waits=SETTLING, refused=_BOARD, over="absent.nobody",
                   help=("absent", "seal_reply")),

    # What the arbiter says, and the way back to an earlier move
    "arbiter": Row(rulings.called, decides=True, waits=STANDING, refused=_ARBITER, over=_OVER, help=("two_people",)),
    "arbiter_stop": Row(rulings.stop, decides=True, waits=STANDING, refused=_ARBITER, over=_OVER, help=("arbiter",)),
    "arbiter_start": Row(actions.resume, decides=True, waits=STANDING, refused=_BOARD, over=_OVER, help=("game",)),
    "arbiter_loses": Row(rulings.rule, rulings.lost, needs=("colour",), decides=True, waits=SETTLING, refused=_ARBITER,
                         help=("arbiter",)),
    "arbiter_both_lose": Row(rulings.rule, rulings.ended(Way.BOTH_LOSE), decides=True, waits=SETTLING, refused=_ARBITER,
                             help=("arbiter",)),
    "arbiter_draw": Row(rulings.rule, rulings.ended(Way.ARBITER_DRAW), decides=True, waits=SEALING, refused=_ARBITER,
                        help=("arbiter",)),
    **dict.fromkeys(
        ("arbiter_points", "arbiter_points_half_first", "arbiter_points_half_second", "arbiter_points_both"),
        Row(rulings.rule_points, rulings.given_points, decides=True, waits=SEALING, refused=_ARBITER,
            help=("arbiter",)),
    ),
    **dict.fromkeys(
        ("arbiter_refuses", "arbiter_later"),
        Row(rulings.rule_claim, decides=True, waits=SEALING, refused=_ARBITER, over=_OVER, help=("arbiter",)),
    ),
    # The pieces stood wrong at the start (Laws 2009, 7.1 a).
    "arbiter_void": Row(rulings.rule, rulings.ended(Way.VOID), decides=True, waits=SETTLING, refused=_ARBITER,
                        over=_OVER, help=("arbiter",)),
    "arbiter_flags": Row(rulings.rule_flags, rulings.both_flags, decides=True, waits=STANDING, refused=_ARBITER,
                         over=_OVER, help=("arbiter",)),
    "arbiter_warn": Row(rulings.rule, rulings.warned, needs=("colour",), decides=True, waits=STANDING, refused=_ARBITER,
                        over=_OVER, help=("arbiter",)),
    **dict.fromkeys(
        ("arbiter_add", "arbiter_take", "arbiter_set"),
        Row(rulings.rule_time, rulings.set_clock, needs=("colour", "number"), decides=True, waits=STANDING,
            refused=_ARBITER, over=_OVER, help=("arbiter",)),
    ),
    "reversed": Row(rulings.colours_reversed, rulings.ended(Way.REVERSED), decides=True, waits=STANDING, refused=_TWO,
                    over=_OVER, help=("two_people",)),
    "retrace": Row(rulings.retrace, decides=True, waits=STANDING, refused=_BOARD, over="take_back.over",
                   help=("claims",)),
    "compare": Row(rulings.compare, decides=True, waits=STANDING, refused=_BOARD, over="take_back.over",
                   help=("claims",)),

    # A game on a server
    "abort": Row(own, own_agreed, decides=True, refused=_SERVER, help=("game_online",)),
    "berserk": Row(own, own_agreed, decides=True, refused=_SERVER, help=("company",)),
    "claim_victory": Row(own, decides=True, refused=_SERVER, help=("online",)),
    "quick_on": Row(own, refused=_SERVER, help=("online",)),
    "quick_off": Row(own, refused=_SERVER, help=("online",)),
    "chat_on": Row(own, refused=_SERVER, help=("online",)),
    "chat_off": Row(own, refused=_SERVER, help=("online",)),
    **dict.fromkeys(
        ("premove", "no_premove"),
        Row(own, heard=frozenset({Phase.THINKING}), decides=True, refused=_PREMOVE, help=("premove",)),
    ),
    "opponent": Row(own, refused=_COMPANY, help=("company",)),
    "give_time": Row(own, decides=True, refused=_COMPANY, over=_OVER, help=("company",)),
    **dict.fromkeys(
        ("say_hello", "say_luck", "say_game", "say_thanks", "say_bye"),
        Row(own, decides=True, refused=_COMPANY, help=("company",)),
    ),
    "say_text": Row(own, heard=NOBODY, refused=_COMPANY, help=("company",)),  # only typed

    # What only the game itself asks
    "announced": Row(_not_here, penalties.confirmed, heard=NOBODY),
    "take_over": Row(_not_here, actions.take_over, heard=NOBODY),
}
# fmt: on


def _listened(row: Row, phase: Phase, games: Games) -> bool:
    """Whether the grammar has it: also where it is refused, unless it belongs to another kind of game."""
    refusal = row.refused.get(games)
    return phase in row.heard if refusal is None else phase in TURNS and refusal not in _FOREIGN


SAYABLE: Mapping[Games, Mapping[Phase, frozenset[str]]] = {
    games: {phase: frozenset(name for name, row in COMMANDS.items() if _listened(row, phase, games)) for phase in Phase}
    for games in Games
}
"""The commands in the grammar. Others are handled when they are typed."""


def games_of(table: Table) -> Games:
    """The kind of game, as far as refusals depend on it."""
    return table.kind.games(table.casual, table.base_phase is Phase.OVER)


def sayable(table: Table) -> frozenset[str]:
    """The commands in the grammar now."""
    listened = SAYABLE[games_of(table)][table.phase]
    return listened | {"ready"} if penalties.presses(table) else listened


_UNDECIDING = frozenset(name for name, row in COMMANDS.items() if not row.decides)


_CAN_BE_ASKED = frozenset({Phase.LISTENING, Phase.DRAW_OFFERED, Phase.THINKING, Phase.ANNOUNCING, Phase.PAUSED})
"""Phases without an open question in which one can be asked."""


def among_talk(table: Table) -> frozenset[str]:
    """The commands that are obeyed although they were found amid a bystander's words: those that change nothing, or
    that can be asked about (`doubted`). None while a move is being repeated, since anything understood there confirms
    the move."""
    if table.phase in (Phase.REPEATING, Phase.ECHOING):
        return frozenset()
    if table.phase in _CAN_BE_ASKED and not table.heard.quiet:
        return sayable(table)
    return sayable(table) & (_UNDECIDING | {_asked_about(table)})


def heard_twice(table: Table) -> frozenset[str]:
    """The commands that are obeyed when they were heard twice with too low a posterior: those of `among_talk`; while
    listening is paused only "resume"; after a game, where nothing can be lost, every command."""
    if table.heard.quiet:
        return frozenset({"resume"})
    return sayable(table) if table.phase is Phase.OVER else among_talk(table)


TELL_POSITION = frozenset(name for name, row in COMMANDS.items() if _UNTOLD in row.refused.values())


def takes_floor(command: Command) -> bool:
    """Whether it does not wait for the end of an announcement."""
    return command.name in COMMANDS and COMMANDS[command.name].decides


# --- obeying -----------------------------------------------------------------------------------------------------


def obey(table: Table, command: Command) -> None:
    """Carry out a command, or say why not. An open question stays open and is asked again after the answer."""
    if actions.leafed(table, command):
        return
    opened, row = table.open, COMMANDS.get(command.name)
    if command.name not in ("help", "repeat", "stop", *VOICE_CHANGES):
        table.told.helped = None
    if row is None:
        _not_here(table, command)
    elif table.base_phase in row.waits:
        actions.not_your_turn(table)
    elif (refused := refusal(table, command.name)) is not None:
        table.told.refused_queries += refused == _UNTOLD
        table.say(refused)
    elif any(command.slot(slot) is None for slot in row.needs):
        table.say("not_understood.no_sense")
    else:
        row.do(table, command)
    asked = table.phase in QUESTIONS or table.phase is Phase.CONFIRMING
    if asked and opened is not None and table.open is opened and command.name not in ("repeat", "stop"):
        questions.ask_again(table)


def doubted(table: Table, command: Command, words: str) -> None:
    """A command that ends or changes the game was found amid a bystander's words: ask whether it was meant, unless it
    is confirmed or refused anyway. `words`: those that were recognised as the command."""
    row = COMMANDS[command.name]
    if row.yes is not None or table.base_phase in row.waits or refusal(table, command.name) is not None:
        obey(table, command)
    else:
        questions.confirm(table, command, {"words": Text(words)}, "confirm.meant", agreed=_meant)


def perhaps(table: Table, pointed: tuple[Reading, ...], typed: bool) -> bool:
    """Ask about the commands that words without a meaning suggest; False if they suggest none that is obeyed here.

    A command that is confirmed anyway asks its own question, and "repeat" is obeyed, since it changes nothing. A typed
    line in place of a yes to such a question has its own guess asked about in turn.
    """
    found = [one for one in pointed if isinstance(one.meaning, Command) and _can_be_meant(one.meaning)]
    commands = tuple(one.meaning for one in found if isinstance(one.meaning, Command))
    if commands and typed and is_guess(table):
        table.step_to_base()
    if not commands or table.open is not None or table.phase not in _CAN_BE_ASKED | {Phase.OVER} or table.heard.quiet:
        return False
    slots: dict[str, Slot] = {name: Text(one.words) for name, one in zip(("words", "other"), found, strict=False)}
    key = "confirm.meant" if len(commands) == 1 else "confirm.either"
    if table.phase is Phase.OVER:
        table.say(key, slots)
        table.heard.perhaps = commands
    elif len(commands) == 1 and (commands[0].name == "repeat" or COMMANDS[commands[0].name].yes is not None):
        obey(table, commands[0])
    else:
        either = commands if len(commands) > 1 else ()
        questions.confirm(table, commands[0], slots, key, agreed=_meant, either=either)
    if table.open is not None and table.open.otherwise is None:
        table.amend_question(replace(table.open, guessed=True))
    return True


BESIDE_A_GUESS = frozenset({"repeat", "stop", "help", *VOICE_CHANGES})
"""Commands that leave a question about a guess open: its answer may still come."""


def is_guess(table: Table) -> bool:
    """Whether the open question is about a guess, made from words without a meaning."""
    return table.open is not None and table.open.guessed


def _can_be_meant(command: Command) -> bool:
    row = COMMANDS.get(command.name)
    return row is not None and row.do is not _not_here


def is_asked_about(table: Table, command: Command) -> bool:
    """Whether this is the command that is being asked about (`doubted`), so that saying it again confirms it. "Weiter"
    counts also if it is part of the question: "Jetzt schon weiter?"."""
    opened = table.open
    goes_on = opened is not None and opened.command == Command("resume") == command
    return goes_on or command.name == _asked_about(table)


def chosen(table: Table, number: int | None) -> Command | None:
    """Which of the commands asked about this choice means (1 is the first; None: a "ja"); None if it means none."""
    either = table.heard.perhaps if table.open is None else table.open.either
    if number is None:
        return either[0] if len(either) == 1 else None
    return either[number - 1] if 1 <= number <= len(either) else None


def _asked_about(table: Table) -> str:
    """The name of the command that is being asked about; "" if none is."""
    opened = table.open
    return opened.command.name if opened is not None and opened.command is not None and opened.agreed is _meant else ""


def _meant(table: Table, command: Command) -> None:
    table.step_to_base()
    obey(table, command)


def refusal(table: Table, name: str) -> str | None:
    """The sentence that tells why this game does not, or no longer, obey the command; None if it does."""
    row = COMMANDS[name]
    over = table.base_phase is Phase.OVER
    if over and name in table.kind.answers_over:
        return None
    if over and table.kind.over_first and row.over and row.refused.get(Games.SERVER) not in _FOREIGN:
        return row.over  # the command is about this game, so it is refused because that is over
    refused = row.refused.get(games_of(table))
    if refused is None:
        refused = row.over if over else row.refused.get(table.settings.preset)
    return refused or None


def told_elsewhere(meaning: Meaning | None) -> Phrase | None:
    """Where a command can be used, for a place that does not have it; None if `meaning` is no command."""
    known = isinstance(meaning, Command) and (meaning.name in COMMANDS or meaning.name in PLACES)
    return Phrase(place_of(meaning.name)) if isinstance(meaning, Command) and known else None


def confirmed(table: Table) -> None:
    """The "really?" was answered with yes."""
    opened = table.open
    assert opened is not None and opened.command is not None
    command = opened.command
    if opened.either:  # "ja" to "Pause oder Ende?" chooses neither
        questions.ask_again(table)
        return
    yes = opened.agreed or COMMANDS[command.name].yes
    assert yes is not None, f"what asks back about {command.name} knows what a yes does"
    yes(table, command)


# --- help --------------------------------------------------------------------------------------------------------

_EVERYWHERE = frozenset(Games)

HELP: tuple[Mapping[str, frozenset[Games]], ...] = (
    {
        "game": frozenset({Games.CASUAL, *_ENGINES}),
        "game_tournament": frozenset({Games.TOURNAMENT, Games.TOURNAMENT_ENGINE, Games.POST}),
        "game_online": frozenset({Games.SERVER}),
        "two_people": frozenset({Games.CASUAL, Games.TOURNAMENT}),
    },
    dict.fromkeys(("moves", "times", "hint"), _EVERYWHERE),
    {"position": _EVERYWHERE, "forms": _EVERYWHERE},
    {"squares": _EVERYWHERE},
    {"lines": _EVERYWHERE, "advice": _EVERYWHERE - {Games.SERVER}, "legal": frozenset({Games.SERVER})},
    {"relations": _EVERYWHERE},
    {
        "online": frozenset({Games.SERVER}),
        "premove": frozenset({Games.SERVER}),
        "company": frozenset({Games.SERVER, Games.SERVER_OVER}),
    },
    {
        **dict.fromkeys(("claims", "quickplay", "increment"), BOARD | {Games.SERVER_OVER}),
        "post": frozenset({Games.POST}),
        "penalties": _EVERYWHERE,
    },
    {"arbiter": _EVERYWHERE},
    {"voice": _EVERYWHERE},
)
"""The sentences of "Hilfe" after the first, part by part, each with the kinds of game it is worded for. A sentence is
said in these as long as one of the commands that it names is obeyed."""


def help_parts(table: Table) -> tuple[tuple[str, ...], ...]:
    """The parts of "Hilfe" after the first. What is refused here is left out."""
    promotes = table.settings.penalties and table.phase is Phase.PROMOTING
    ready = ["help.ready"] if promotes or penalties.presses(table) else []
    sealed = ["help.change"] if table.phase is Phase.CONFIRMING and isinstance(table.base, Sealing) else []
    first = (_help_key(table), *ready, *sealed, *_absent(table), "help.more")
    others = table.kind.answers_over if table.base_phase is Phase.OVER else frozenset()
    obeyed = {key for name in COMMANDS.keys() - others if refusal(table, name) is None for key in COMMANDS[name].help}
    if not table.settings.penalties:
        obeyed.discard("penalties")
    for wanted, name in ((Quickplay.CLAIMS, "quickplay"), (Quickplay.INCREMENT, "increment")):
        if not claims.announced(table, wanted):
            obeyed.discard(name)
    games = games_of(table)
    rest = (tuple(f"help.{name}" for name, told in part.items() if name in obeyed and games in told) for part in HELP)
    return (first, *filter(None, rest))


def _help_key(table: Table) -> str:
    """The sentence that tells what the game is waiting for."""
    return table.kind.help_key(table.phase)


def _absent(table: Table) -> list[str]:
    """What can be said about a player who has not come to the resumption."""
    replies = table.absent is not None and table.may_seal_reply and table.phase is not Phase.ADJOURNED
    may_be = table.may_be_missing or (table.kind.both_here and table.phase is Phase.ADJOURNED)
    return ["help.seal_reply"] * replies + ["help.absent"] * may_be
