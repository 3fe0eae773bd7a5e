"""The table of commands is whole: what it says of a command is so, and every command that can be said has its row."""

from __future__ import annotations

import re
from functools import cache

import chess
import pytest

from voicechess.app.simulation import session_at
from voicechess.game import events as ev
from voicechess.game.commands import COMMANDS, HELP, SAYABLE
from voicechess.game.kind import Games
from voicechess.game.phases import Phase
from voicechess.language.folders import LANGUAGES
from voicechess.language.lexicon import load
from voicechess.language.patterns import SlotPart
from voicechess.language.sentences import load_sentences
from voicechess.language.understanding import understand
from voicechess.language.wording import Wording
from voicechess.meaning import Command, Expectation, Reading, SpokenMove
from voicechess.messages import Phrase, Side

SAID = sorted(name for name, row in COMMANDS.items() if row.heard)
ASKING = sorted(name for name, row in COMMANDS.items() if row.yes is not None)
LEXICONS = {code: load(code) for code in LANGUAGES}

OUTSIDE = {
    "how_good": "asked of an exercise",
    "next": "asked of an exercise",
    "skip": "asked of an exercise",
    "solution": "asked of an exercise",
    **dict.fromkeys(
        ("beginning", "forward", "forward_moves", "back_moves", "goto", "variation", "leave_variation", "to_game"),
        "moves about an analysis",
    ),
    **dict.fromkeys(("next_game", "previous_game", "other_game", "game"), "moves about a file of games"),
    **dict.fromkeys(("keep_place", "to_place", "places", "strike_place", "read_on"), "asked of a file of games"),
    **dict.fromkeys(("best_line", "best_move", "evaluation", "evaluation_exact"), "asked of an analysis"),
    **dict.fromkeys(("comment", "strike_comment"), "written into an analysis"),
    **dict.fromkeys(("arrow", "mark", "clear_marks"), "drawn in an analysis"),
    "calibrate": "a conversation of its own, from the welcome",
    "settings": "answered by the welcome",
    "simul": "the welcome begins a simultaneous display",
    **dict.fromkeys(("board", "next_board"), "answered by a simultaneous display"),
}
"""Commands that a game has no row for, and why."""

NAMED_BY = {
    "standings": "material_difference",
    "rematch": "new_game",
    "claim_no_effort": "claim_quickplay",
    "claim_threefold_move": "claim_fifty_move",
    "adjourn_hours": "adjourn",
    "arbiter_start": "resume",
    "line_german": "line",
    "line_san": "line",
    **dict.fromkeys((name for name in SAID if re.match("arbiter_(?!start)", name)), "arbiter_stop"),
}
"""Commands that are named by another of their kind; the arbiter's by the sentence about what the arbiter says."""

NAMED_OTHERWISE = {
    "help": "who hears its sentences has found it",
    "german": "it is spoken already",
}


def test_every_command_that_can_be_said_in_a_game_has_its_patterns_in_both_languages() -> None:
    for code, lexicon in LEXICONS.items():
        assert [name for name in SAID if not lexicon.commands.get(name)] == [], code


def test_every_pattern_belongs_to_a_row_or_is_said_outside_a_game() -> None:
    for code, lexicon in LEXICONS.items():
        assert set(lexicon.commands) - set(SAID) == set(OUTSIDE), code


def test_what_is_said_outside_a_game_is_no_command_of_it() -> None:
    assert set(OUTSIDE) & set(COMMANDS) == set()


@pytest.mark.parametrize("name", SAID)
def test_what_a_command_needs_is_in_every_sentence_for_it(name: str) -> None:
    for code, lexicon in LEXICONS.items():
        for sentence in (sentence for pattern in lexicon.commands[name] for sentence in pattern.expand()):
            slots = {part.name.replace("pieces", "piece") for part in sentence if isinstance(part, SlotPart)}
            assert set(COMMANDS[name].needs) <= slots, (code, sentence)


@pytest.mark.parametrize("name", ASKING)
def test_what_asks_back_has_its_question_in_both_languages(name: str) -> None:
    one = name if not name.startswith("arbiter_points") else "arbiter_points"
    asked = re.compile(rf"confirm\.{one.removesuffix('_seconds')}(_.*)?")
    for code in LEXICONS:
        assert any(asked.fullmatch(key) for key in load_sentences(code).templates), code


@pytest.mark.parametrize("name", SAID)
def test_the_sentences_of_help_that_a_row_gives_name_the_command(name: str) -> None:
    row = COMMANDS[name]
    if name in NAMED_OTHERWISE:
        return
    assert row.help, "every command that is obeyed is named by help"
    for key in row.help:
        assert NAMED_BY.get(name, name) in named_in(key), f"help.{key}"


@cache
def named_in(key: str) -> frozenset[str]:
    """The commands that a German sentence of "Hilfe" names."""
    text = Wording("de", strict=True).say(Phrase(f"help.{key}", {"side": Side(chess.WHITE)}))
    found = (understand(chunk.strip(), LEXICONS["de"], Expectation()) for chunk in re.split(r"[.,:;?]|\boder\b", text))
    return frozenset(meaning.name for meaning in found if isinstance(meaning, Command))


def test_every_sentence_of_help_stands_in_a_row_and_is_told() -> None:
    told = {key for part in HELP for key in part}
    named = {key for row in COMMANDS.values() for key in row.help}
    assert told - named == set()
    assert named - told == {
        "more",
        "ready",
        "change",
        "over",
        "paused",
        "absent",
        "seal_reply",
    }  # told with what a phase waits for


@pytest.mark.parametrize("games", Games)
def test_while_a_move_is_repeated_only_what_takes_it_back_or_is_no_wish_is_listened_for(games: Games) -> None:
    always = {"repeat", "stop", "help", "louder", "softer", "faster", "slower", "end"}
    heard = SAYABLE[games]
    assert heard[Phase.REPEATING] == always | {"correct", "draw_offer"}
    assert heard[Phase.NOT_STARTED] == frozenset()
    usual = heard[Phase.LISTENING]
    assert all(heard[phase] >= usual for phase in Phase if phase not in (Phase.NOT_STARTED, Phase.REPEATING))


def test_every_refusal_is_a_sentence_in_both_languages() -> None:
    said = {sentence for row in COMMANDS.values() for sentence in (*row.refused.values(), row.over) if sentence}
    for code in LEXICONS:
        assert said - set(load_sentences(code).templates) == set(), code


FOREIGN = ("elsewhere.server", "post.only", "elsewhere.ahead", "premove.engine")
"""What refuses words of another kind of game."""


@pytest.mark.parametrize("games", Games)
def test_what_is_done_or_refused_with_a_reason_is_listened_for_in_every_kind_of_game(games: Games) -> None:
    foreign = {name for name, row in COMMANDS.items() if row.refused.get(games) in FOREIGN}
    heard = {name for phase in Phase for name in SAYABLE[games][phase]}
    assert heard == set(SAID) - foreign


def test_what_changes_nothing_never_has_to_wait() -> None:
    assert [name for name, row in COMMANDS.items() if row.waits and not row.decides] == []


def test_between_what_others_say_is_heard_what_decides_nothing_or_can_be_asked_about() -> None:
    game = session_at(chess.Board())
    assert {"repeat", "time", "position", "pause", "resign", "end"} <= game.expectation.among_talk
    move = (Reading(SpokenMove(to_file=4, to_rank=3)),)
    game.handle(ev.Heard(at_ms=9, readings=move, words="eva vier", began_ms=1, ended_ms=8))
    assert game.phase is Phase.REPEATING and not game.expectation.among_talk


def test_while_a_question_is_open_and_after_moment_nothing_that_decides_is_heard_between_what_others_say() -> None:
    for name in ("resign", "moment"):
        game = session_at(chess.Board())
        game.handle(ev.Heard(at_ms=9, readings=(Reading(Command(name)),), words=name, began_ms=1, ended_ms=8))
        assert not any(COMMANDS[one].decides for one in game.expectation.among_talk)
        assert "time" in game.expectation.among_talk
