"""A game looked through by ear: real voice, microphone, recogniser and engine; no stub on the way."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.drivers.blind_player import BlindPlayer
from tests.drivers.virtual_sound import VirtualSound


@pytest.mark.sound
def test_a_game_is_looked_through_by_ear(
    virtual_sound: VirtualSound,
    quick_voice: None,
    model_path: Path,
    tmp_path: Path,
) -> None:
    pgn = tmp_path / "partie.pgn"
    pgn.write_text("1. e4 e5 2. Qh5 (2. Nf3) 2... Nc6 3. Bc4 Nf6 4. Qxf7# 1-0")

    def answered(words: str, sentence: str) -> None:
        """Say it, again if it was not understood, until the answer has been heard."""
        for _ in range(3):
            before = len(player.lines)
            player.listen(player.say(words), lambda: len(player.lines) > before)  # noqa: B023 - called at once
            if sentence in player.lines[before:]:
                return
        raise AssertionError(f"{words}: {player.lines[-6:]}")

    with BlindPlayer(virtual_sound, model_path, "analyse", str(pgn)) as player:
        player.listen(0, lambda: any(line.startswith("Vor, zurück") for line in player.lines))
        answered("Zug eins Schwarz", "Zug eins, Schwarz: Eva fünf.")
        answered("Variante", "Zwei: Springer Felix drei.")
        answered("zur Partie", "Zurück in der Partie.")
        answered("Zug drei Schwarz", "Zug drei, Schwarz: Springer Felix sechs.")
        answered("Bewertung", "Weiß setzt im nächsten Zug matt.")
        answered("Bauer David vier", "Vier: David vier.")
    assert "( 4. d4 )" in (tmp_path / "partie.analysis.pgn").read_text("utf-8")
