"""Which games are meant: names, openings, days and results, each by itself, and why none is."""

from __future__ import annotations

from datetime import date

import chess
import pytest

from voicechess.meaning import Command
from voicechess.messages import Name
from voicechess.score.known_games import (
    GameQuery,
    KnownGame,
    OwnResult,
    begin_so,
    months,
    narrowed,
    openings,
    opponents,
    was_there,
    why_none,
)
from voicechess.score.openings import table
from voicechess.score.pgn import read_pgn

NAMES = {row.english: row.spoken for row in table()}
NAJDORF = next(name for english, name in NAMES.items() if "Najdorf" in english)
WON = KnownGame("", 1, "2026.11.20", "Anna Meier", "Bert", "1-0", chess.WHITE, opening=NAJDORF, eco="B90")
LOST = KnownGame("", 2, "2026.10.02", "Bert", "Ich", "1-0", chess.BLACK, opening=NAMES["Ruy Lopez"], eco="C60")
MACHINE = KnownGame("", 3, "2025.11.??", "", "", "1/2-1/2", chess.WHITE, machine=True)
UNDATED = KnownGame("a.pgn", 1, "????.??.??", "Grünfeld", "Kádas", "0-1")
GAMES = (WON, LOST, MACHINE, UNDATED)


def test_results_are_the_players_own() -> None:
    assert [game.outcome for game in GAMES] == [OwnResult.WON, OwnResult.LOST, OwnResult.DRAWN, None]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        (GameQuery(), GAMES),
        (GameQuery(against="bert"), (WON, LOST)),
        (GameQuery(against="b"), (WON, LOST)),
        (GameQuery(against="meier"), ()),  # the player's own name
        (GameQuery(against="gruenfeld"), (UNDATED,)),
        (GameQuery(against="kadas"), (UNDATED,)),
        (GameQuery(machine=True), (MACHINE,)),
        (GameQuery(outcome=OwnResult.WON), (WON,)),
        (GameQuery(opening="sizilianisch"), (WON,)),
        (GameQuery(opening="sicilian"), (WON,)),
        (GameQuery(opening="najdorf"), (WON,)),
        (GameQuery(opening="b90"), (WON,)),
        (GameQuery(opening="spanisch"), (LOST,)),
        (GameQuery(month=11), (WON, MACHINE)),
        (GameQuery(month=11, year=2025), (MACHINE,)),
        (GameQuery(year=2026), (WON, LOST)),
        (GameQuery(since=date(2026, 11, 1)), (WON,)),
        (GameQuery(until=date(2026, 11, 1)), (LOST,)),
        (GameQuery(since=date(2026, 10, 2), until=date(2026, 10, 2)), (LOST,)),
        (GameQuery(against="bert", outcome=OwnResult.LOST), (LOST,)),
    ],
)
def test_what_is_asked(query: GameQuery, found: tuple[KnownGame, ...]) -> None:
    assert tuple(filter(query.fits, GAMES)) == found


def test_no_variation_of_another_opening_is_meant_by_the_name_of_a_family() -> None:
    english = Name(
        {"de": "Englische Eröffnung, Sizilianisch im Anzug", "en": "English Opening, King's English Variation"}
    )
    game = KnownGame("", 4, "2026.01.01", "", "", "1-0", opening=english)
    assert not GameQuery(opening="sizilianisch").fits(game)
    assert GameQuery(opening="englisch").fits(game)
    assert GameQuery(opening="anzug").fits(game)


def test_every_word_begins_one_of_the_name() -> None:
    assert begin_so("meier an", "Anna Meier")
    assert not begin_so("nna", "Anna Meier")
    assert not begin_so("anna schulz", "Anna Meier")


def test_the_reason_is_the_part_that_no_game_fits() -> None:
    assert why_none(GAMES, GameQuery(against="carla", outcome=OwnResult.WON)) == GameQuery(against="carla")
    assert why_none(GAMES, GameQuery(against="bert", month=1)) == GameQuery(month=1)
    assert why_none(GAMES, GameQuery(machine=True, outcome=OwnResult.WON)) is None


def test_words_narrow_what_was_asked_and_a_day_takes_the_place_of_another() -> None:
    today = date(2026, 11, 29)

    def said(query: GameQuery, **slots: int | str) -> GameQuery:
        return narrowed(query, Command("narrow", tuple(slots.items())), today)

    query = said(said(GameQuery(), letter="m", letter2="e"), result=0)
    assert query == GameQuery(against="me", outcome=OwnResult.LOST)
    query = said(query, month=11)
    assert (query.month, query.since) == (11, None)
    query = said(query, days=7)
    assert (query.month, query.since, query.until) == (0, date(2026, 11, 22), None)
    query = said(query, ago=1)
    assert query.since == query.until == date(2026, 11, 28)
    assert said(query, machine=1) == GameQuery(
        machine=True, outcome=OwnResult.LOST, since=query.since, until=query.until
    )


def test_what_there_is_to_choose_from() -> None:
    assert opponents(GAMES) == [("Bert", 2)], "not the machine, and nobody where the player's side is unknown"
    assert months(GAMES) == [((2026, 11), 1), ((2026, 10), 1), ((2025, 11), 1)]
    assert [(name.by_language["en"], count) for name, count in openings(GAMES)] == [
        ("Sicilian Defense", 1),
        ("Ruy Lopez", 1),
    ]


def test_a_position_is_found_at_the_start_in_the_middle_and_at_the_end_by_another_order_of_moves() -> None:
    (score,) = read_pgn("1. Nf3 d5 2. d4 Nf6 *")
    board = chess.Board()
    assert was_there(score, board.epd())
    for san in ("d4", "d5", "Nf3"):
        board.push_san(san)
    assert was_there(score, board.epd())
    board.push_san("Nf6")
    assert was_there(score, board.epd())
    board.push_san("c4")
    assert not was_there(score, board.epd())
