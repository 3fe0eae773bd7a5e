"""The program's own speech, by ear: it hears itself through a loudspeaker, and nobody else is in the room.

What is asked for is typed. Nothing that it says may become a move, a command or an answer."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path
from random import Random

import chess
import pytest

from models.bench.room import ASKED
from tests.drivers.blind_player import BlindPlayer
from tests.drivers.virtual_sound import VirtualSound, until
from voicechess.game import events as ev
from voicechess.storage.journal import Journal
from voicechess.storage.places import journal_file

MINUTES = float(os.environ.get("VOICECHESS_OWN_SPEECH_BY_EAR", "0"))

LEVELS_DB = (-10, -5, 0, 5, 10)
"""Echo levels over a player's voice, decibels."""

DELAYS_MS = (50, 100, 150, 200, 300, 400, 500)
JUMPS_S = (10.0, 60.0)
"""Seconds between two jumps of the delay, drawn between these."""

SILENCE_S = (1.0, 6.0)
"""Seconds of silence before the next line is typed, drawn between these."""

LONGEST_S = 240.0
"""Seconds that an answer may take: all moves of a long game, read aloud."""

MOVES_SHARE, QUESTION_SHARE = 0.4, 0.1
"""Shares of the typed lines that are moves, and that lead to a question which is left open for a while."""

LEADS_TO_A_QUESTION = ("aufgeben", "Remis anbieten", "zurücknehmen")


@pytest.mark.skipif(not MINUTES, reason="takes long: VOICECHESS_OWN_SPEECH_BY_EAR=minutes")
def test_nothing_that_it_says_is_heard(
    virtual_sound: VirtualSound,
    model_path: Path,
) -> None:
    ends = time.monotonic() + 60 * MINUTES
    draw = Random(int(60 * MINUTES))
    games = 0
    while time.monotonic() < ends:
        games += 1
        _a_game(virtual_sound, model_path, draw, ends)
    journal = Journal(journal_file())
    try:
        heard = [
            (summary.id, event.at_ms, event.at_ms - event.ended_ms, event.words, event.readings[0].meaning)
            for summary in journal.games()
            for event in journal.game(summary.id).events
            if isinstance(event, ev.Heard) and event.source is ev.Source.VOICE
        ]
    finally:
        journal.close()
    print(f"{games} games")
    assert heard == []


def _a_game(sound: VirtualSound, model_path: Path, draw: Random, ends: float) -> None:
    """A game between two people who type, until it or the time is over."""
    over = threading.Event()

    def jump() -> None:
        while not over.is_set():
            late_ms, level_db = draw.choice(DELAYS_MS), draw.choice(LEVELS_DB)
            print(f"{time.monotonic():.0f}: {level_db} dB, {late_ms} ms", flush=True)
            sound.echo(late_ms, -level_db)
            over.wait(draw.uniform(*JUMPS_S))

    board = chess.Board()
    player = BlindPlayer(sound, model_path, "play", "--opponent", "person", types=True)
    jumps = threading.Thread(target=jump)
    jumps.start()
    try:
        player.listen(0, lambda: "Zwei Spieler, Weiß beginnt." in player.lines)
        while time.monotonic() < ends and not board.is_game_over() and player.program.poll() is None:
            chance = draw.random()
            if chance < MOVES_SHARE:
                move = draw.choice(list(board.legal_moves))
                board.push(move)
                _typed(player, move.uci(), draw)
            elif chance < MOVES_SHARE + QUESTION_SHARE:
                _typed(player, draw.choice(LEADS_TO_A_QUESTION), draw)
                _typed(player, "nein", draw)
            else:
                _typed(player, draw.choice(ASKED), draw)
    finally:
        over.set()
        jumps.join()
        player.close()


def _typed(player: BlindPlayer, line: str, draw: Random) -> None:
    """Type this, hear out what is answered, and be silent for a while."""
    before, since = len(player.lines), len(player.ears.pcm)
    player.type(line)
    until(lambda: len(player.lines) > before and player.ears.loud_to > since, LONGEST_S)
    silence_s = draw.uniform(*SILENCE_S)
    until(lambda: player.ears.quiet_s > silence_s, LONGEST_S)
    print(f"{time.monotonic():.0f}: {line}: {player.lines[before:]}", flush=True)
