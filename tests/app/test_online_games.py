"""Whole games between two programs at the stand-in, typed: challenged, played, killed in the middle, played again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import chess
import pytest

from tests.drivers.lichess.games import Game, Terms
from tests.drivers.lichess.standin import StandIn
from tests.drivers.online_player import OnlinePlayer
from voicechess.game.agreement import Player
from voicechess.storage.journal import GameSummary, open_journal

FOOLS_MATE = (("felix drei", "Felix drei"), ("eva fünf", "Eva fünf"), ("gustav vier", "Gustav vier"))
MATE = ("dame hector vier", "Hector vier, matt")


@pytest.fixture
def lichess() -> Iterator[StandIn]:
    with StandIn() as standin:
        yield standin


class Table:
    """Anna and Bert, each with a home of their own."""

    def __init__(self, lichess: StandIn, folder: Path) -> None:
        self.lichess, self.folder = lichess, folder
        for name in ("Anna", "Bert"):
            (folder / name).mkdir()
            (folder / f"{name}.token").write_text(lichess.token(name))
        lichess.account("Anna").follows = ["bert"]

    def sits(self, name: str, *arguments: str) -> OnlinePlayer:
        token = str(self.folder / f"{name}.token")
        return OnlinePlayer(self.folder / name, self.lichess.url, *arguments, "--token", token)

    def journal(self, name: str) -> list[GameSummary]:
        journal, problem = open_journal(self.folder / name / "games.sqlite")
        assert problem is None
        try:
            return list(journal.games())
        finally:
            journal.close()

    def over(self, number: int = 0) -> Game:
        """The game, once it has ended."""
        self.lichess.until(lambda: self.lichess.games()[number].over)
        return self.lichess.games()[number]


@pytest.fixture
def table(lichess: StandIn, tmp_path: Path) -> Table:
    return Table(lichess, tmp_path)


def moves_by(player: OnlinePlayer, typed: str, heard: str) -> None:
    """Types a move until it is repeated: one that is typed in the moment of the announcement before is too early."""
    line = "zu früh"
    while "zu früh" in line:
        player.type(typed)
        line = player.until(lambda line: heard in line or "zu früh" in line, heard)


def played(white: OnlinePlayer, black: OnlinePlayer, moves: tuple[tuple[str, str], ...] = FOOLS_MATE) -> None:
    """Each move is typed, and heard at the other place before the next."""
    mover, other = white, black
    for typed, heard in moves:
        moves_by(mover, typed, heard)
        other.hears(heard)
        mover, other = other, mover


CHALLENGE = ("challenge", "Bert", "--time", "5+3", "--casual", "--colour", "white")


def test_a_challenge_a_game_a_rematch_and_the_end(table: Table) -> None:
    with table.sits("Anna", *CHALLENGE) as anna, table.sits("Bert", "play") as bert:
        told = bert.hears("Anna", "fordert Sie heraus", "Annehmen?")
        assert "fünf Minuten, drei Sekunden je Zug, freundschaftlich, Sie haben Schwarz" in told
        bert.type("ja")
        anna.hears("Sie haben Weiß")
        anna.hears("Sie beginnen.")
        played(anna, bert)
        moves_by(bert, *MATE)
        anna.hears(MATE[1])
        assert anna.hears("Schachmatt") == "Schachmatt. Schwarz gewinnt."
        assert bert.hears("Schachmatt") == "Schachmatt. Schwarz gewinnt."
        anna.type("neue partie")
        anna.hears("Revanche gegen Bert", "Sie haben Schwarz?")
        anna.type("ja")
        bert.hears("Eine Herausforderung ist da.")  # it waits until the player comes back from the game
        bert.type("annehmen")
        bert.hears("Anna", "fordert Sie heraus", "Sie haben Weiß", "Annehmen?")
        bert.type("annehmen")
        bert.hears("Sie beginnen.")
        played(bert, anna, FOOLS_MATE[:2])
        anna.type("aufgeben")
        anna.type("ja")
        bert.hears("Weiß gewinnt")
        table.over(1)
        for player in (anna, bert):
            player.type("ende")
            assert player.ends() == 0
    first, second = table.lichess.games()
    assert (first.status, first.winner) == ("mate", chess.BLACK)
    assert (second.status, second.winner) == ("resign", chess.WHITE)
    assert table.lichess.sent_twice() == []
    for name in ("Anna", "Bert"):
        newest, oldest = table.journal(name)
        assert (oldest.result, newest.result) == ("0-1", "1-0")
        assert oldest.settings.site == f"{table.lichess.url}/{first.id}"
        assert {oldest.settings.white_name, oldest.settings.black_name} == {"Anna", "Bert"}
        assert Player.SERVER is (oldest.settings.black if name == "Anna" else oldest.settings.white)


def test_once_it_is_over_an_online_game_is_reviewed(table: Table) -> None:
    with table.sits("Anna", *CHALLENGE) as anna, table.sits("Bert", "play") as bert:
        bert.hears("Annehmen?")
        bert.type("ja")
        anna.hears("Sie beginnen.")
        anna.type("was war mein fehler")
        anna.hears("Hilfe ist erst nach der Partie erlaubt.")
        played(anna, bert)
        moves_by(bert, *MATE)
        anna.hears("Schachmatt")
        anna.type("was war mein fehler")
        anna.hears("Zug zwei, Weiß: gespielt wurde Gustav vier.", "Das ließ ein Matt zu.")


@pytest.mark.parametrize("by_wish", [False, True])
def test_a_program_that_is_killed_goes_on_with_its_game_and_its_entry(table: Table, by_wish: bool) -> None:
    with table.sits("Bert", "play") as bert:
        with table.sits("Anna", *CHALLENGE) as anna:
            bert.hears("Annehmen?")
            bert.type("ja")
            anna.hears("Sie beginnen.")
            played(anna, bert, FOOLS_MATE[:2])
            anna.kill()
        again = ("play", "--time", "10+5", "--rated") if by_wish else ("play",)
        with table.sits("Anna", *again) as anna:
            anna.hears("Ihre Partie gegen Bert läuft noch.")
            played(anna, bert, FOOLS_MATE[2:])
            moves_by(bert, *MATE)
            anna.hears("Schachmatt")
            table.over()
            anna.type("ende")
            assert anna.ends() == 0
    (entry,) = table.journal("Anna")
    assert entry.result == "0-1"
    (game,) = table.lichess.games()
    assert [move.uci() for move in game.board.move_stack] == ["f2f3", "e7e5", "g2g4", "d8h4"]
    assert table.lichess.sent_twice() == []


def test_two_who_seek_the_same_find_each_other(table: Table) -> None:
    seek = ("play", "--time", "10+5", "--rated")
    with table.sits("Anna", *seek) as anna, table.sits("Bert", "play") as bert:
        anna.hears("Ich suche: zehn Minuten, fünf Sekunden je Zug, gewertet.")
        bert.hears("Gegner suchen")
        for words in ("gegner suchen", "zehn minuten plus fünf gewertet"):
            bert.type(words)
        white, black = (anna, bert) if "Weiß" in anna.hears("Sie haben") else (bert, anna)
        white.hears("Sie beginnen.")
        played(white, black)
        moves_by(black, *MATE)
        for player in (white, black):
            player.hears("Schachmatt")
            player.type("ende")
            assert player.ends() == 0
    assert table.over().terms == Terms(600, 5, rated=True)


def test_no_network_at_the_start_is_told_and_tried_again(table: Table) -> None:
    table.lichess.disconnect()
    with table.sits("Anna", "play") as anna:
        anna.hears("Lichess ist nicht zu erreichen.")
        anna.hears("Noch einmal versuchen?")
        table.lichess.connect()
        anna.type("ja")
        anna.hears("Bei Lichess als Anna.")
        anna.hears("Gegner suchen")
        anna.type("ende")
        assert anna.ends() == 0


def test_a_game_is_left_and_the_list_leads_back_to_it(table: Table) -> None:
    """Games of days: several are told at the start, and each is opened by its number."""
    for opponent in ("Bert", "Carl", "Dora"):
        table.lichess.play("Anna", opponent, Terms(days=3))
    with table.sits("Anna", "play") as anna:
        told = anna.hears("Partien laufen")
        assert told.startswith("Drei Partien laufen, drei warten auf Sie. Eins: gegen ")
        anna.type("zwei")
        anna.hears("Sie beginnen.")
        anna.type("eva vier")
        table.lichess.until(lambda: sum(len(game.board.move_stack) for game in table.lichess.games()) == 1)
        anna.type("ende")
        anna.hears("Wirklich gehen?")
        anna.type("ja")
        assert anna.ends() == 0
    (game,) = [game for game in table.lichess.games() if game.board.move_stack]
    assert game.id == table.lichess.games()[1].id


def test_unknown_players_and_strange_names_are_one_sentence_and_the_talk_goes_on(table: Table) -> None:
    with table.sits("Anna", "challenge", "Nobody", "--time", "5+0", "--casual", "--colour", "random") as anna:
        anna.hears("Nobody gibt es bei Lichess nicht.")
        anna.hears("Welche Nummer, oder welcher Name?")
        for name in ("\x1b[2Jbob", "Jürgen", "bob/../account", "x" * 200):
            anna.type(name)
            assert anna.hears("So kann bei Lichess niemand heißen").isprintable()
        anna.type("bert")
        anna.hears("Ich fordere Bert heraus")
        anna.type("abbrechen")
        anna.hears("Abgebrochen.")
        anna.type("ende")
        assert anna.ends() == 0
    assert all(line.isprintable() for line in anna.said)


def test_the_servers_computer_is_played_and_resigned_against(table: Table) -> None:
    with table.sits("Anna", "play", "--level", "1", "--time", "10+0", "--colour", "white") as anna:
        anna.hears("Computer, Stufe eins, zehn Minuten, Sie haben Weiß.")
        anna.hears("Sie beginnen.")
        anna.type("eva vier")
        anna.hears("Schwarz: ")
        anna.type("aufgeben")
        anna.type("ja")
        anna.hears("Schwarz gewinnt")
        anna.type("neue partie")
        anna.hears("Revanche gegen Computer, Stufe eins: zehn Minuten, Sie haben Schwarz?")
        anna.type("nein")
        anna.hears("Gegner suchen")
        anna.type("zurück")
        anna.hears("Gegen die Maschine")  # the conversation before a game here
        anna.type("ende")
        assert anna.ends() == 0
    (entry,) = table.journal("Anna")
    assert entry.settings.black_name == "Stockfish 1"


def test_a_challenge_is_announced_in_the_welcome_and_one_during_a_game_here_after_it(table: Table) -> None:
    with table.sits("Anna", "play") as anna:
        anna.hears("Gegner suchen")
        anna.type("zurück")
        anna.hears("Gegen die Maschine, mit Weiß, leicht, ohne Uhr: einverstanden?")
        first = table.lichess.challenge("Bert", "Anna", Terms(300, 3))
        anna.hears("Bert", "fordert Sie heraus", "Annehmen?")
        anna.type("später")
        anna.hears("Abgelehnt.")
        anna.hears("Gegen die Maschine, mit Weiß")  # the question that was open
        for words in ("mensch", "ohne uhr"):
            anna.type(words)
        anna.hears("Weiß")
        second = table.lichess.challenge("Bert", "Anna", Terms(300, 3))
        for words in ("eva vier", "eva fünf", "neue partie", "ja"):
            anna.type(words)
        anna.hears("Annehmen?")
        anna.type("ja")
        anna.hears("Partie gegen Bert.")
        table.lichess.until(lambda: table.lichess.game(second.id))
        anna.type("ende")
        anna.hears("Wirklich gehen?")
        anna.type("ja")
        assert anna.ends() == 0
    assert table.lichess.do(lambda world: world.challenges[first.id].status) == "declined"
    assert [entry.settings.site for entry in table.journal("Anna")][-1] == "", "the game here has only its own moves"


def test_the_conversation_before_a_game_offers_the_one_at_the_server_that_was_cut_off(table: Table) -> None:
    with table.sits("Bert", "play") as bert:
        with table.sits("Anna", *CHALLENGE) as anna:
            bert.hears("Annehmen?")
            bert.type("ja")
            anna.hears("Sie beginnen.")
            played(anna, bert, FOOLS_MATE)
            moves_by(bert, *MATE)
            anna.kill()
            bert.hears("Schachmatt")
        with table.sits("Anna", "play") as anna:
            anna.hears("Gegner suchen")
            anna.type("zurück")
            anna.hears("Eine Partie ist nicht zu Ende. Weiterspielen?")
            anna.type("ja")
            anna.hears("Schachmatt. Schwarz gewinnt.")
            anna.type("ende")
            assert anna.ends() == 0
    (entry,) = table.journal("Anna")
    assert entry.result == "0-1", "it has ended while nobody was there"


SETUP = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
SHUFFLED = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1"


@pytest.mark.parametrize(
    ("terms", "told"),
    [
        (
            Terms(600, variant="chess960", fen=SHUFFLED),
            "Chess960, Stellung null: Anna Läufer, Bella Läufer, Cesar Dame",
        ),
        (Terms(600, variant="fromPosition", fen=SETUP), ""),
    ],
)
def test_other_starts_are_played_as_they_are(table: Table, terms: Terms, told: str) -> None:
    game = table.lichess.play("Anna", "Bert", terms)
    with table.sits("Anna", "play") as anna:
        anna.hears("Ihre Partie gegen Bert läuft noch.")
        anna.hears("Sie beginnen.")
        anna.type("eva vier")
        anna.hears("Bauer Eva zwei Eva vier.")
        table.lichess.until(lambda: len(table.lichess.game(game.id).board.move_stack) == 1)
        table.lichess.end(game.id, "draw")
        anna.hears("Remis")
        anna.type("ende")
        assert anna.ends() == 0
    (entry,) = table.journal("Anna")
    assert entry.result == "1/2-1/2"
    if terms.variant == "chess960":
        assert entry.settings.chess960 == chess.Board(terms.fen or "", chess960=True).chess960_pos()
    else:
        assert entry.settings.fen == terms.fen
    assert any(told in line for line in anna.said), anna.said
