"""Through virtual cables: corrections in the welcome, answers in a question's words, and the game's own words after
an exercise (issue 49: after "was war mein Fehler" the voice was dead)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.drivers.blind_player import BlindPlayer
from tests.drivers.virtual_sound import VirtualSound
from voicechess.storage.places import settings_path

OVER = "Was war mein Fehler, Üben, neue Partie, oder Ende?"


@pytest.mark.sound
def test_back_and_forth_and_after_a_review(virtual_sound: VirtualSound, model_path: Path) -> None:
    settings_path().parent.mkdir(parents=True, exist_ok=True)
    settings_path().write_text("[voice]\nrate = 240\n", "utf-8")
    with BlindPlayer(virtual_sound, model_path) as player:
        player.listen(0, lambda: any("einverstanden" in line for line in player.lines))
        player.say_until("nein", "einen Menschen oder online")
        player.say_until("gegen die Maschine", "Zufall")
        player.say_until("Weiß", "Sie haben Weiß.")
        player.say_until("nein Schwarz", "Sie haben Schwarz.")
        player.say_until("zurück", "Zufall")
        player.say_until("zurück", "einen Menschen oder online")
        player.say_until("gegen einen Menschen", "Wie viele Minuten")
        player.say_until("ohne Uhr", "Zwei Spieler")
        player.listen(0)
        for move in ("Felix drei", "Eva fünf", "Gustav vier"):
            player.answer_to(move)
        player.say_until("Dame Hector vier", OVER)
        player.say_until("was war mein Fehler", "Von dort")
        player.say_until("Ende", "Übung beendet.")
        player.listen(0)
        player.say_until("was war mein Fehler", "Von dort")
        player.say_until("nein", "wichtigen Augenblicke")
        player.listen(0)
        player.say_until("neue Partie", "Revanche")
        player.say_until("Ende", "Auf Wiederhören")
