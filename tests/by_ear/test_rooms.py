"""Ten plies by ear in rooms with steady noise: how many are played at once, how many after a question or a tone, and
that none is played that was not said."""

from __future__ import annotations

import os
from pathlib import Path

import chess
import pytest

from tests.drivers.blind_player import BlindPlayer, score_kept
from tests.drivers.virtual_sound import VirtualSound, until
from voicechess.moves.saying import said_move

ROOMS = os.environ.get("VOICECHESS_ROOMS_BY_EAR", "").split()
"""Recordings of noise (names in shared/noise, or "pink_noise"), one game in each at each level."""

BELOW_DB = (20.0, 5.0)
"""Decibels by which the noise is below the player's voice."""

GAME = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5c6", "d7c6", "e1g1", "f7f6"]
MADE_S = 2.5
"""Seconds of silence after which a repeated move has been made."""

MOST_TRIES = 5


@(pytest.mark.shared if ROOMS else pytest.mark.skip(reason="takes long: VOICECHESS_ROOMS_BY_EAR='babble volvo'"))
@pytest.mark.parametrize("below_db", BELOW_DB)
@pytest.mark.parametrize("room", ROOMS)
def test_ten_plies_in_a_room(
    virtual_sound: VirtualSound,
    quick_voice: None,
    model_path: Path,
    room: str,
    below_db: float,
) -> None:
    """A move that was not understood, or asked about, is said once more in full."""
    board, tries = chess.Board(), []
    people = ("play", "--opponent", "person")
    with BlindPlayer(virtual_sound, model_path, *people, noise=(room, below_db)) as player:
        player.listen(0, lambda: any("beginnt" in line for line in player.lines))
        for uci in GAME:
            move = chess.Move.from_uci(uci)
            tries.append(_announced(player, board, move))
            board.push(move)
        until(lambda: player.ears.quiet_s > MADE_S)
    played = [entry.move.uci() for entry in score_kept().entries]
    print(f"{room}, {below_db:.0f} dB: {tries.count(1)} of {len(tries)} at once, {tries}", flush=True)
    assert played == GAME


def _announced(player: BlindPlayer, board: chess.Board, move: chess.Move) -> int:
    """Say this move until it is repeated; how often it was said. Where another one is repeated, that is wrong."""
    said = said_move(board, move)
    full = player.wording.move(said, full=True)
    repeated = player.wording.move(said_move(board, move, names_captured=True), full=True)
    others = {
        player.wording.move(said_move(board, other, names_captured=True), full=True)
        for other in board.legal_moves
        if other != move
    }
    for attempt in range(1, MOST_TRIES + 1):
        before = len(player.lines)
        player.hear_sentence(full if attempt > 1 else player.wording.move(said))
        lines = player.lines[before:]
        assert not others.intersection(line.rstrip(".") for line in lines), f"{full}: {lines}"
        if any(line.startswith(repeated) for line in lines):
            until(lambda: player.ears.quiet_s > MADE_S)
            return attempt
        print(f"{full}: {lines}", flush=True)
    raise AssertionError(f"{full} was never played: {player.lines[-8:]}")
