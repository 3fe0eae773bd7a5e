"""Newcomers talk to the whole program through virtual cables, in their own words (issue 50).

VOICECHESS_NEWCOMERS=NAME has one of them, "all" all ten, which takes most of an hour: what a voice is taken for differs
from run to run. What is printed is how long it took to the first move, what had to be said again, and what was answered
with something else.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import chess
import pytest

from tests.drivers.blind_player import BlindPlayer
from tests.drivers.newcomer import Newcomer, described, scripts
from tests.drivers.virtual_sound import VirtualSound, until
from voicechess.app.games import score_of
from voicechess.game.agreement import Player
from voicechess.storage.journal import Journal, StoredGame
from voicechess.storage.places import journal_file

NAMED = os.environ.get("VOICECHESS_NEWCOMERS", "")
MOVES = 10

SETTLED_S = 3.0
"""Seconds of silence after which the program waits for the newcomer: longer than a correction and an easy answer."""

ASKED_S = 1.5
"""The same before the game, where only sentences follow on sentences."""

PATIENCE_S = 60.0


class WholeProgram:
    """The program as a process with its devices. What is on its board is read from its journal, not heard."""

    def __init__(self, player: BlindPlayer) -> None:
        self._player = player
        self.began = time.monotonic()
        player.listen(0, lambda: player.lines)  # a tone comes first, where the start takes long
        self._settle()

    @property
    def greeting(self) -> Sequence[str]:
        return tuple(self._player.lines)

    def _settle(self) -> None:
        quiet_s = ASKED_S if self._game() is None else SETTLED_S
        until(lambda: self._player.ears.quiet_s > quiet_s, PATIENCE_S)

    def say(self, words: str) -> Sequence[str]:
        before = len(self._player.lines)
        said_s = time.monotonic() - self.began
        self._player.hear_sentence(words)
        self._settle()
        answer = self._player.lines[before:]
        print(f"{said_s:6.1f} s: {words!r} - {time.monotonic() - self.began:6.1f} s: {answer}")
        return answer

    def _game(self) -> StoredGame | None:
        if not journal_file().exists():
            return None
        journal = Journal(journal_file(), looking=True)
        try:
            games = journal.games()
            return journal.game(games[0].id) if games else None
        finally:
            journal.close()

    @property
    def board(self) -> chess.Board | None:
        game = self._game()
        if game is None:
            return None
        board = chess.Board()
        for entry in score_of(game).entries:
            board.push(entry.move)
        return board

    @property
    def settings(self) -> Mapping[str, object]:
        game = self._game()
        assert game is not None
        return described(game.summary.settings.white, game.summary.settings.black, game.summary.settings.time)

    @property
    def awaits_me(self) -> bool:
        def my_turn() -> bool:
            game, board = self._game(), self.board
            if game is None or board is None:
                return False
            settings = game.summary.settings
            return (settings.white if board.turn else settings.black) is Player.VOICE

        until(my_turn, PATIENCE_S)
        self._settle()
        return True


@pytest.mark.skipif(not NAMED, reason="takes long: VOICECHESS_NEWCOMERS=all, or a name")
@pytest.mark.parametrize("script", scripts(), ids=lambda script: str(script["name"]))
def test_a_newcomer_by_ear(
    virtual_sound: VirtualSound,
    model_path: Path,
    script: Mapping[str, Any],
) -> None:
    if NAMED not in ("all", script["name"]):
        pytest.skip(f"only {NAMED} was asked for")
    with BlindPlayer(virtual_sound, model_path) as player:
        program = WholeProgram(player)
        newcomer = Newcomer(script, program)
        newcomer.begin(program.greeting)
        newcomer.play(1)
        first_move_s = time.monotonic() - program.began
        newcomer.play(MOVES)
        minutes = (time.monotonic() - program.began) / 60
        print(
            f"{newcomer.name}: first move after {first_move_s:.0f} s, {newcomer.asked} asked before it, ten moves in "
            f"{minutes:.1f} min, {newcomer.again} moves said again, answered otherwise: {newcomer.unanswered}"
        )
        assert newcomer.wanted() == []
