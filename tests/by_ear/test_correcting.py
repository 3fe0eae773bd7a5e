"""Corrections by ear, through virtual cables: said as another move, said unclearly, said once more."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.drivers.blind_player import BlindPlayer
from tests.drivers.virtual_sound import VirtualSound


def answer(player: BlindPlayer, words: str) -> list[str]:
    """Say this and listen; what was said to it, nothing where there was a tone."""
    before = len(player.lines)
    player.listen(player.say(words))
    return player.lines[before:]


@pytest.mark.sound
def test_no_move_is_made_over_a_doubt(virtual_sound: VirtualSound, model_path: Path) -> None:
    with BlindPlayer(virtual_sound, model_path, "play", "--opponent", "person") as player:
        player.listen(0, lambda: "Zwei Spieler, Weiß beginnt." in player.lines)
        assert answer(player, "Eva vier") == ["Bauer Eva zwei Eva vier."]
        assert answer(player, "Turm Gustav fünf") == ["Kein Turm kann nach Gustav fünf. Meinten Sie Eva vier?"]
        assert answer(player, "nein") == ["Also keiner. Bitte den ganzen Zug."]
        assert answer(player, "David vier") == ["Bauer David zwei David vier."]
        assert answer(player, "nichts") == []
        assert answer(player, "Korrektur") == ["Korrigiert. Welcher Zug?"]


@pytest.mark.sound
def test_the_other_player_may_pause_inside_an_answer_that_begins_at_once(
    virtual_sound: VirtualSound,
    model_path: Path,
) -> None:
    """Their first half comes while White's move can still be corrected; it was answered by itself (issue 22)."""
    with BlindPlayer(virtual_sound, model_path, "play", "--opponent", "person") as player:
        player.listen(0, lambda: "Zwei Spieler, Weiß beginnt." in player.lines)
        assert player.answer_to("Springer Gustav eins", "Felix drei") == ["Springer Gustav eins Felix drei."]
        assert player.answer_to("Bauer Eva sieben", "Eva fünf") == ["Bauer Eva sieben Eva fünf."]
        assert player.answer_to("Bauer David zwei", "David vier") == ["Bauer David zwei David vier."]


@pytest.mark.sound
def test_the_new_piece_may_be_wished_for_in_a_sentence(
    virtual_sound: VirtualSound,
    model_path: Path,
) -> None:
    pawn = "8/4P3/8/8/8/8/k7/4K3 w - - 0 1"
    with BlindPlayer(virtual_sound, model_path, "play", "--opponent", "person", "--fen", pawn) as player:
        player.listen(0, lambda: "Zwei Spieler, Weiß beginnt." in player.lines)
        assert answer(player, "Eva acht") == ["Umwandlung in Dame, Turm, Läufer oder Springer?"]
        player.say_until("ich möchte einen Springer", "Bauer Eva sieben Eva acht Springer.")
