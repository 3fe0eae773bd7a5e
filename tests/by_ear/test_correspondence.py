"""A correspondence game by ear: begun in the welcome, the move sent, saved, and resumed on the next day, when the
other side's move is announced as in its letter, and one is pasted."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.by_ear.test_rooms import MADE_S
from tests.drivers.blind_player import BlindPlayer, score_kept
from tests.drivers.virtual_sound import VirtualSound, until

TODAY, TOMORROW = "DAY+12", "DAY-12"
"""Time zones a day apart, as POSIX writes them: what day it is goes by the time where the player is."""

LINE = re.compile(r"\[\w{4}\] (?P<moves>.+) (?P<received>[\d-]{10})/(?P<sent>[\d-]{10}) \*\w{6}")


def line(player: BlindPlayer) -> re.Match[str]:
    """The line to be sent, asked for by voice."""
    player.say_until("Zeile", "Die Zeile steht da, zum Kopieren.")
    return next(found for text in reversed(player.lines) if (found := LINE.fullmatch(text)))


def save(player: BlindPlayer) -> None:
    player.say_until("Ende", "Speichern und aufhören?")
    player.say_until("ja", "gespeichert")
    assert player.program.wait(30) == 0


@pytest.mark.skipif(not os.environ.get("VOICECHESS_LONG_BY_EAR"), reason="takes long: VOICECHESS_LONG_BY_EAR=1")
def test_a_correspondence_game_by_ear(
    virtual_sound: VirtualSound,
    quick_voice: None,
    model_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TZ", TODAY)
    with BlindPlayer(virtual_sound, model_path) as player:
        player.listen(0, lambda: any("einverstanden" in line for line in player.lines))
        player.say_until("Fernpartie", "Weiß, Schwarz oder Zufall?")
        player.say_until("Weiß", "Wie viele Tage je Zug?")
        player.say_until("drei Tage je Zug", "Sie sind am Zug, Zug eins.")
        player.say_until("Eva vier", "Zum Verschicken: Zeile.")
        first = line(player)
        assert first["moves"] == "1. e4"
        save(player)

    monkeypatch.setenv("TZ", TOMORROW)
    with BlindPlayer(virtual_sound, model_path, types=True) as player:
        player.listen(0, lambda: any("Welche Nummer?" in line for line in player.lines))
        player.say_until("eins", "Schwarz ist am Zug.")
        player.say_until("Eva fünf", "Schwarz: Bauer Eva sieben Eva fünf.")
        until(lambda: player.ears.quiet_s > MADE_S)
        player.say_until("Springer Felix drei", "Zum Verschicken: Zeile.")
        second = line(player)
        assert second["moves"] == "1. e4 e5 2. Sf3"
        assert first["sent"] < second["received"] == second["sent"]
        player.type("> 2. Sf3 Sc6")
        player.listen(0, lambda: "Schwarz: Springer Cesar sechs." in player.lines)
        save(player)
    assert [entry.move.uci() for entry in score_kept().entries] == ["e2e4", "e7e5", "g1f3", "b8c6"]
