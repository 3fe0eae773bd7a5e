"""With headphones, by ear: the loudspeaker's cable does not lead into the microphone, and the player cuts in."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from tests.drivers.blind_player import BlindPlayer
from tests.drivers.virtual_sound import VirtualSound, until


@pytest.mark.sound
def test_the_player_cuts_in(virtual_sound: VirtualSound, model_path: Path) -> None:
    with BlindPlayer(virtual_sound, model_path, "play", "--opponent", "person", "--headphones", "on") as player:
        # Into the greeting, whose end nobody waits for.
        until(lambda: "Zwei Spieler, Weiß beginnt." in player.lines)
        player.say("Eva vier")
        until(lambda: "Bauer Eva zwei Eva vier." in player.lines)
        # Into the repetition.
        player.say("Korrektur")
        until(lambda: "Korrigiert. Welcher Zug?" in player.lines)
        # Into the question.
        player.say("David vier")
        until(lambda: "Bauer David zwei David vier." in player.lines)
        # Into a long reading, once the move has been made: until then only what takes it back is listened for.
        player.listen(len(player.ears.pcm))
        threading.Event().wait(3.0)
        player.say("Stellung")
        until(lambda: any(line.startswith("Weiß: ") for line in player.lines))
        threading.Event().wait(2.0)  # in the middle of it
        player.say("Stopp")
        until(lambda: player.lines[-1] == "Gestoppt.")
