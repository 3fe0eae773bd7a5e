"""Kinds of game: which one the terms ask for, and that each has what the table of commands leaves to it."""

from __future__ import annotations

from collections.abc import Mapping

import chess
import pytest

from voicechess.app.kinds import kind_of
from voicechess.correspondence.by_post import ByPost
from voicechess.game import commands
from voicechess.game.agreement import Correspondence, GameSettings, Player
from voicechess.game.commands import COMMANDS
from voicechess.game.kind import AgainstEngine, AtBoard, Kind, kind_here
from voicechess.game.state import Table
from voicechess.online.on_server import OnServer

VOICE = Player.VOICE
TERMS: Mapping[type[Kind[Table]], GameSettings] = {
    AtBoard: GameSettings(white=VOICE, black=VOICE),
    AgainstEngine: GameSettings(white=Player.ENGINE, black=VOICE),
    OnServer: GameSettings(white=VOICE, black=Player.SERVER),
    ByPost: GameSettings(white=VOICE, black=VOICE, correspondence=Correspondence(chess.BLACK)),
}


@pytest.mark.parametrize("asked", TERMS)
def test_the_terms_name_the_kind(asked: type[Kind[Table]]) -> None:
    assert type(kind_of(TERMS[asked])) is asked


@pytest.mark.parametrize("asked", [OnServer, ByPost])
def test_a_game_that_needs_more_than_a_board_is_not_played_without_its_kind(asked: type[Kind[Table]]) -> None:
    with pytest.raises(AssertionError):
        kind_here(TERMS[asked])


@pytest.mark.parametrize("asked", TERMS)
def test_whose_words_are_heard_sits_here_and_is_spoken_for(asked: type[Kind[Table]]) -> None:
    kind = kind_of(TERMS[asked])
    for turn in chess.COLORS:
        speaker = kind.speaker(turn)
        assert kind.is_here(speaker) and kind.speaks_for(speaker)
    assert kind.both_here is (asked is AtBoard)
    assert kind.opponent is None or not (kind.is_here(kind.opponent) or kind.speaks_for(kind.opponent))


@pytest.mark.parametrize("asked", TERMS)
def test_commands_that_only_one_kind_has_are_done_by_it(asked: type[Kind[Table]]) -> None:
    """A row that leaves what it does to the kind, and is not refused, would find nothing there."""
    kind = kind_of(TERMS[asked])
    games = {kind.games(casual, over) for casual in (True, False) for over in (True, False)}
    left = {name: row for name, row in COMMANDS.items() if row.do is commands.own}
    done = {name for name, row in left.items() if not games <= set(row.refused)}
    assert done == {name for name in kind.own if name in left}
    for name, (_, yes) in kind.own.items():
        assert (yes is None) == (COMMANDS[name].yes is None), name
