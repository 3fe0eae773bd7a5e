"""What players wished for, by ear: premoves and courtesies at the stand-in, a position set up, a book of games, walking
over the board. The last two take long: VOICECHESS_LONG_BY_EAR=1."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.app.test_online_games import Table, moves_by
from tests.by_ear.test_online_game import anna, lichess, table  # noqa: F401 - fixtures
from tests.drivers.blind_player import BlindPlayer
from tests.drivers.lichess.games import Terms
from tests.drivers.virtual_sound import VirtualSound

long = pytest.mark.skipif(not os.environ.get("VOICECHESS_LONG_BY_EAR"), reason="takes long: VOICECHESS_LONG_BY_EAR=1")


@pytest.mark.sound
def test_a_premove_and_courtesies(
    virtual_sound: VirtualSound,
    quick_voice: None,
    model_path: Path,
    table: Table,  # noqa: F811
) -> None:
    table.lichess.play("Anna", "Bert", Terms(600, 5))
    with table.sits("Bert", "play") as bert, anna(table, virtual_sound, model_path, "play") as player:
        player.listen(0, lambda: any("Sie beginnen" in line for line in player.lines))
        player.say_until("Eva vier", "Bauer Eva zwei Eva vier.")
        bert.hears("Eva vier")
        player.say_until("Vorauszug Springer Felix drei", "Vorauszug: Springer Gustav eins Felix drei.")
        moves_by(bert, "eva fünf", "Eva fünf")
        bert.hears("Weiß", "Felix drei")
        player.listen(0, lambda: player.lines[-1] == "Springer Gustav eins Felix drei.")
        player.say_until("wer ist mein Gegner", "Ihr Gegner: Bert, Wertung")
        player.say_until("sag danke", "Geschrieben: Thank you!")
        if os.environ.get("VOICECHESS_LONG_BY_EAR"):
            player.say_until("zeit geben", "Der Gegner bekommt fünfzehn Sekunden.")
    (game,) = table.lichess.games()
    assert [move.uci() for move in game.board.move_stack] == ["e2e4", "e7e5", "g1f3"]


@pytest.mark.sound
def test_a_position_is_set_up(
    virtual_sound: VirtualSound,
    quick_voice: None,
    model_path: Path,
) -> None:
    """A mate in two with five pieces, one of them wrong first."""
    with BlindPlayer(virtual_sound, model_path, "analyse", "--build") as player:
        player.listen(0, lambda: any("Leeres Brett" in line for line in player.lines))
        player.say_until("Weiß König Felix sechs Turm Anna eins", "Weiß: König Felix sechs, Turm Anna eins.")
        player.say_until("Bauer Hector fünf", "Weiß: Bauer Hector fünf.")
        player.say_until("Springer Bella vier", "Weiß: Springer Bella vier.")
        player.say_until(
            "Schwarz König Hector acht Bauer Hector sieben", "Schwarz: König Hector acht, Bauer Hector sieben."
        )
        player.say_until("lösche Bella vier", "Weg: weißer Springer Bella vier.")
        player.say_until("fertig", "Die Stellung steht, Weiß ist am Zug.")
        if os.environ.get("VOICECHESS_LONG_BY_EAR"):
            player.say_until("Analyse", "Hilfe sagt mehr.")
            player.say_until("bester Zug", "Am besten: ")


@long
def test_a_book_of_games_is_read(
    virtual_sound: VirtualSound,
    quick_voice: None,
    model_path: Path,
    tmp_path: Path,
) -> None:
    book = tmp_path / "book.pgn"
    book.write_text("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 (3... Nf6 {Das Zweispringerspiel.} 4. Ng5) 4. c3 {Ruhig.} *")
    with BlindPlayer(virtual_sound, model_path, "analyse", str(book)) as player:
        player.listen(0, lambda: any("Hilfe sagt mehr" in line for line in player.lines))
        player.say_until("weiter lesen", "Eins: Eva vier.")
        player.say_until("Zug drei Schwarz", "Zug drei, Schwarz: Läufer Cesar fünf.")
        player.say_until("Variante eins", "Kommentar: Das Zweispringerspiel.")
        player.say_until("vor", "Vier: Springer Gustav fünf.")
        player.say_until("zur Partie", "Zurück in der Partie.")
        player.say_until("zurück", "Zug zwei, Schwarz: Springer Cesar sechs.")


@long
def test_walking_over_the_board(
    virtual_sound: VirtualSound,
    quick_voice: None,
    model_path: Path,
) -> None:
    with BlindPlayer(virtual_sound, model_path, "play", "--white", "--level", "1") as player:
        player.listen(0, lambda: any("Sie haben Weiß" in line for line in player.lines))
        player.say_until("Reihe zwei", "Reihe zwei: Weiß Bauern")
        player.say_until("nächste Reihe", "Reihe drei leer.")
        player.say_until("vorige Reihe", "Reihe zwei: Weiß Bauern")
        player.say_until("Linie Gustav", "Linie Gustav: ")
        player.say_until("nächste Linie", "Linie Hector: ")
        player.say_until("nächste Linie", "Weiter geht das Brett nicht.")


@long
def test_forms_are_remembered_and_the_opponent_has_a_voice_of_its_own(
    virtual_sound: VirtualSound,
    quick_voice: None,
    model_path: Path,
) -> None:
    with BlindPlayer(virtual_sound, model_path, "play", "--white", "--level", "1") as player:
        player.listen(0, lambda: any("Sie haben Weiß" in line for line in player.lines))
        player.say_until("Material", "acht Bauern.")
        player.say_until("kürzer", "Material jetzt kurz.")
        player.say_until("Material", "Material gleich.")
        player.say_until("wie vorher", "Material wie vorher.")
        player.say_until("zweite Stimme", "Ihr Gegner mit zweiter Stimme.")
        player.say_until("Eva vier", "Schwarz")


@long
def test_a_book_with_bookmarks_and_drawings(
    virtual_sound: VirtualSound,
    quick_voice: None,
    model_path: Path,
    tmp_path: Path,
) -> None:
    book = tmp_path / "book.pgn"
    book.write_text("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. c3 {Ruhig.} *")
    with BlindPlayer(virtual_sound, model_path, "analyse", str(book)) as player:
        player.listen(0, lambda: any("Hilfe sagt mehr" in line for line in player.lines))
        player.say_until("Zug zwei", "Springer Felix drei.")
        player.say_until("Stelle merken", "Stelle gemerkt: ")
        player.say_until("Pfeil Felix drei Eva fünf", "Eingezeichnet: Felix drei nach Eva fünf.")
        player.say_until("markiere Eva fünf", "Eingezeichnet: Eva fünf.")
        player.say_until("Markierungen weg", "Markierungen weg.")
        player.say_until("Ende", "Ende")
        player.say_until("zur Stelle", "Springer Felix drei.")


@long
def test_a_position_is_compared(
    virtual_sound: VirtualSound,
    quick_voice: None,
    model_path: Path,
    tmp_path: Path,
) -> None:
    """Set up inside an analysis, whose position counts as right."""
    game = tmp_path / "game.pgn"
    game.write_text('[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4 *\n')
    with BlindPlayer(virtual_sound, model_path, "analyse", str(game)) as player:
        player.listen(0, lambda: any("Hilfe sagt mehr" in line for line in player.lines))
        player.say_until("Stellung aufbauen", "Leeres Brett")
        player.say_until("Weiß König Eva eins Bauer Eva drei", "Weiß: König Eva eins, Bauer Eva drei.")
        player.say_until("vergleichen", "Auf Eva drei steht")
