"""Started by voice, cut off in mid-game, resumed by voice: through virtual cables, with no stub on the way."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.drivers.blind_player import BlindPlayer
from tests.drivers.virtual_sound import VirtualSound
from voicechess.storage.places import settings_path

NOTHING_HEARD = "Ich höre nichts."
"""What a player is told whose words got lost: on a busy machine the cable may lose them whole."""

MOST_TRIES = 2


def answer_to(player: BlindPlayer, words: str) -> str:
    """Say something, and again where the program says that it heard nothing; what it said to it, as its lines tell."""
    for _ in range(MOST_TRIES):
        answer = " ".join(player.answer_to(words))
        if not answer.startswith(NOTHING_HEARD):
            break
    return answer


@pytest.mark.sound
def test_from_the_greeting_to_a_killed_game_and_on(
    virtual_sound: VirtualSound,
    model_path: Path,
) -> None:
    settings_path().parent.mkdir(parents=True, exist_ok=True)
    settings_path().write_text("[voice]\nrate = 210\n", "utf-8")
    with BlindPlayer(virtual_sound, model_path) as player:
        player.listen(0, lambda: any("einverstanden" in line for line in player.lines))
        assert "Mit Weiß, leicht" in answer_to(player, "gegen die Maschine")
        assert "Leicht, ohne Uhr" in answer_to(player, "Weiß")
        assert "Ohne Uhr: einverstanden?" in answer_to(player, "Stufe eins")
        assert "drei Sekunden je Zug" in answer_to(player, "fünf Minuten plus drei")
        assert "Kein Springer kann nach Felix sechs." in answer_to(player, "Springer Felix sechs")
        assert "Springer Gustav eins Felix drei." in answer_to(player, "Springer Felix drei")
        player.listen(0, lambda: any(line.startswith("Schwarz") for line in player.lines))
    # The end of the block killed it: nobody said goodbye.
    with BlindPlayer(virtual_sound, model_path) as player:
        player.listen(0, lambda: any("Weiterspielen?" in line for line in player.lines))
        assert "Es geht weiter." in answer_to(player, "ja")
        assert "Springer" in answer_to(player, "alle Züge")
        assert "Wirklich aufgeben?" in answer_to(player, "aufgeben")
        assert "Schwarz gewinnt." in answer_to(player, "ja")
        player.leave("oder Ende?")
