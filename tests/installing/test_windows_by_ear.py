"""A game by ear with Windows' Python, under Wine: its PulseAudio driver plays and records through virtual cables."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.drivers.blind_player import BlindPlayer
from tests.drivers.virtual_sound import VirtualSound, until, virtual_sound  # noqa: F401 - a fixture
from tests.drivers.windows import Windows, missing

pytestmark = [
    pytest.mark.sound,
    pytest.mark.wine,
    pytest.mark.skipif(missing() is not None, reason=str(missing())),
]

BEGINS_S = 240
"""Seconds until the program begins under Wine on a busy machine; longer only makes a failure later."""

MOVES = (
    ("Eva vier", "Bauer Eva zwei Eva vier."),
    ("Eva fünf", "Bauer Eva sieben Eva fünf."),
    ("Springer Felix drei", "Springer Gustav eins Felix drei."),
    ("Springer Cesar sechs", "Springer Bella acht Cesar sechs."),
    ("Läufer Bella fünf", "Läufer Felix eins Bella fünf."),
    ("Bauer Anna sechs", "Bauer Anna sieben Anna sechs."),
    ("Läufer Anna vier", "Läufer Bella fünf Anna vier."),
    ("Springer Felix sechs", "Springer Gustav acht Felix sechs."),
    ("Kurze Rochade", "Kurze Rochade."),
    ("Läufer Eva sieben", "Läufer Felix acht Eva sieben."),
)


def test_from_the_welcome_through_ten_moves_and_a_killed_game_goes_on(
    windows: Windows,
    virtual_sound: VirtualSound,  # noqa: F811
    model_path: Path,
) -> None:
    with BlindPlayer(virtual_sound, model_path, windows=windows) as player:
        until(lambda: player.lines, BEGINS_S)
        player.listen(0, lambda: any("einverstanden" in line for line in player.lines))
        player.say_until("gegen einen Menschen", "Ohne Uhr: einverstanden?")
        player.say_until("ja", "Zwei Spieler, Weiß beginnt.")
        for words, repeated in MOVES:
            player.say_until(words, repeated)
        player.program.kill()
    with BlindPlayer(virtual_sound, model_path, "game", "resume", windows=windows) as again:
        until(lambda: again.lines, BEGINS_S)
        again.listen(0, lambda: MOVES[-1][1] in again.lines)
        again.say_until("Turm Eva eins", "Turm Felix eins Eva eins.")
