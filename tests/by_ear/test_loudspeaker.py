"""Through a loudspeaker, by ear: the microphone hears the program as it does the player, who cuts in."""

from __future__ import annotations

import contextlib
import threading
from pathlib import Path

import pytest

from tests.drivers.blind_player import MOST_TRIES, BlindPlayer
from tests.drivers.virtual_sound import VirtualSound, until

LATE_S = 20.0
"""Seconds after which a request that was not answered is made again."""

READINGS = 4
"""So many readings of the position the player tries to stop, twice each."""


def stopped(player: BlindPlayer) -> int | None:
    """Since when a reading of the position has been stopped by the player; None: it was read to its end."""
    before = len(player.lines)
    for _ in range(MOST_TRIES):  # what an echo as loud as the player drowns is said again
        player.say("ganze Stellung")
        with contextlib.suppress(TimeoutError):
            until(lambda: len(player.lines) > before + 1, LATE_S)
            break
    assert len(player.lines) > before + 1
    for _ in range(2):
        threading.Event().wait(3.0)  # in the middle of its 25 seconds
        since = player.say("Stopp")
        threading.Event().wait(1.0)
        if player.lines[-1] == "Gestoppt.":
            return since
    threading.Event().wait(25.0)  # to its end; it pauses within
    return None


@pytest.mark.sound
@pytest.mark.parametrize(
    ("late_ms", "below_db"), [(None, 0.0), (50, 10.0), (100, 0.0), (150, 10.0), (300, 0.0), (500, 10.0)]
)
def test_the_player_cuts_in_through_the_echo(
    virtual_sound: VirtualSound,
    model_path: Path,
    late_ms: int | None,
    below_db: float,
) -> None:
    """`late_ms` None: headphones of which the program was not told; sound servers hold sound for up to 500 ms."""
    if late_ms is not None:
        virtual_sound.echo(late_ms, below_db)
    with BlindPlayer(virtual_sound, model_path, "play", "--opponent", "person") as player:
        # Through the whole greeting, from which the way of the echo is learnt.
        player.listen(0, lambda: "Zwei Spieler, Weiß beginnt." in player.lines)
        player.say_until("Eva vier", "Bauer Eva zwei Eva vier.")
        threading.Event().wait(2.0)  # the move is made
        # On a busy machine the virtual echo comes late by jerks, as in no room, and a word in ten is lost anyway
        # (`bench echo` counts them): the player says it again, as people do.
        stopped_at = next((at for at in map(stopped, [player] * READINGS) if at is not None), None)
        assert stopped_at is not None and player.lines[-1] == "Gestoppt."
        player.listen(stopped_at)
        player.say_until("Eva fünf", "Bauer Eva sieben Eva fünf.")
        # Asked about or not understood, but nothing else was ever played.
        repeated = [line for line in player.lines if line.startswith(("Bauer ", "Springer ", "Läufer ", "Dame "))]
        assert repeated == ["Bauer Eva zwei Eva vier.", "Bauer Eva sieben Eva fünf."]
