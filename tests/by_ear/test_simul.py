"""A simultaneous display of five by ear: through virtual cables, with no stub on the way.

Mate in one at every board, so that it ends in two minutes. The giver hears which board it is before a word is said.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import chess
import pytest

from tests.drivers.blind_player import BlindPlayer
from tests.drivers.virtual_sound import VirtualSound
from voicechess.app.displaying import games_of
from voicechess.app.games import replay
from voicechess.storage.journal import Journal
from voicechess.storage.places import journal_file, settings_path

MATE_IN_ONE = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"
NUMBERS = ["eins", "zwei", "drei", "vier", "fünf"]


@pytest.mark.sound
def test_a_display_of_five_by_ear(virtual_sound: VirtualSound, model_path: Path) -> None:
    settings_path().parent.mkdir(parents=True, exist_ok=True)
    settings_path().write_text("[voice]\nrate = 230\n", "utf-8")
    with BlindPlayer(
        virtual_sound, model_path, "play", "--simul", "5", "--level", "2,2,3,3,4", "--fen", MATE_IN_ONE
    ) as player:
        player.listen(0, lambda: "Brett eins." in player.lines)
        player.say_until("Stand", "Es laufen fünf Bretter.")
        player.say_until("Brett vier", "Brett vier.")
        for number in (4, 5, 1, 2):
            player.listen(0, partial(player.lines.__contains__, f"Brett {NUMBERS[number - 1]}."))
            player.say_until("Turm David acht", "Schachmatt. Weiß gewinnt.")
        player.listen(0, lambda: "Brett drei." in player.lines)
        player.say_until("aufgeben", "Brett drei: Wirklich aufgeben?")
        player.say_until("ja", "Das Simultan ist zu Ende: vier Siege und eine Niederlage.")
        player.leave()
    journal = Journal(journal_file(), looking=True)
    try:
        key = journal.games()[0].settings.display
        boards = [replay(journal.game(game.id)) for game in games_of(journal, key)]
    finally:
        journal.close()
    assert [board.result for board in boards] == ["1-0", "1-0", "0-1", "1-0", "1-0"]
    mate = [chess.Move.from_uci("d1d8")]
    assert [board.board.move_stack for board in boards] == [mate, mate, [], mate, mate]
