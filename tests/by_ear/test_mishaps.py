"""Forty moves and ten mishaps by ear: the game whose speech `bench speed` counts, two people at one microphone.

Everything that can go wrong without a fault of the program: a move that cannot be made, half a move, a correction, a
wrong answer, words that are no move."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import chess
import pytest

from models.bench.speed import SPOKEN_GAME, SpokenGame
from tests.by_ear.test_whole_game import Game
from tests.drivers.blind_player import BlindPlayer, score_kept
from tests.drivers.virtual_sound import VirtualSound, until

SOFTER_DB = 10.0

CORRECTED_S = 2.0
"""Seconds after a repetition from which on words are no correction of that move: people think."""


@pytest.mark.skipif(not os.environ.get("VOICECHESS_LONG_BY_EAR"), reason="takes long: VOICECHESS_LONG_BY_EAR=1")
@pytest.mark.parametrize("late_ms", [None, 150])
def test_forty_moves_and_ten_mishaps(
    virtual_sound: VirtualSound,
    quick_voice: None,
    model_path: Path,
    late_ms: int | None,
) -> None:
    """`late_ms`: so late the microphone hears the loudspeaker, 10 dB below the player; None: not at all.

    Moves that are said by halves are made as well, so where the game stands is told by the same game, played without
    sound.
    """
    followed = SpokenGame("de", lambda _: 1000)
    followed.play()
    if late_ms is not None:
        virtual_sound.echo(late_ms, SOFTER_DB)
    _, _, body = SPOKEN_GAME.read_text(encoding="utf-8").partition("\n\n")
    lines = [line for line in body.splitlines() if line and not line.startswith("#")]
    time = lines[0].removeprefix("time: ")
    with BlindPlayer(virtual_sound, model_path, "play", "--opponent", "person", "--time", time) as player:
        game = Game(player, chess.Board())
        player.listen(0, lambda: any("beginnt" in line for line in player.lines))
        for line, following, stands in zip(lines[1:], [*lines[2:], ""], followed.positions[:-1], strict=True):
            game.board = stands.copy()
            before = len(player.lines)
            mark, _, rest = line.partition(" ")
            if mark != ">|":
                threading.Event().wait(CORRECTED_S)
            if mark in (">", ">|"):
                words = rest.split(" | ")[0]
                if following.startswith(">|"):  # what is said next is said into the answer
                    player.say(words)
                    until(lambda: len(player.lines) > before)  # noqa: B023 - called at once
                else:
                    player.answer_to(words)
            elif rest == "declines":
                player.answer_to("nein")
            else:
                player.listen(game.make(chess.Move.from_uci(rest or line)))
            print(f"{line}: {player.lines[before:]}", flush=True)
        assert any("gewinnt" in line for line in player.lines[-3:])
    score = score_kept()
    assert [entry.move for entry in score.entries] == followed.positions[-1].move_stack
    print(f"{len(score.entries)} plies, {game.again} said twice")
