"""Openings: the table against what is known elsewhere, games looked up backwards and by transposition, PGN's tags."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path

import chess
import pytest

from voicechess.laws.results import Ending, Way
from voicechess.score.openings import MAX_PLIES, NamedOpening, opening_of, table
from voicechess.score.pgn import read_pgn, write_pgn
from voicechess.score.score import Entry, Score

SHARED = Path(os.environ.get("VOICECHESS_SHARED", Path(__file__).parents[3] / "shared")) / "openings"


def played(moves: str) -> chess.Board:
    board = chess.Board()
    for san in moves.split():
        board.push_san(san)
    return board


def found(moves: str) -> NamedOpening:
    opening = opening_of(played(moves))
    assert opening is not None
    return opening


def a_score(moves: str, ending: Ending | None = None) -> Score:
    return Score(entries=tuple(Entry(move) for move in played(moves).move_stack), ending=ending)


RESIGNED = Ending(Way.RESIGNATION, chess.WHITE)


def test_the_table_has_the_main_openings_each_position_once() -> None:
    positions = [played(opening.moves).epd() for opening in table()]
    assert len(positions) == len(set(positions)) >= 350
    assert max(len(opening.moves.split()) for opening in table()) <= MAX_PLIES


@pytest.mark.parametrize("opening", table(), ids=lambda opening: opening.moves.replace(" ", "_"))
def test_a_row_is_found_by_its_own_moves_and_has_names_in_both_languages(opening: NamedOpening) -> None:
    assert found(opening.moves) == opening
    assert re.fullmatch("[A-E][0-9][0-9]", opening.eco)
    assert set(opening.spoken.by_language) == {"de", "en"}
    for name in (opening.english, opening.german):
        assert name == name.strip() and name[0].isupper() and name.count(": ") <= 1
    assert not re.search(r"\b(Defense|Variation|Attack|Opening|Game)\b", opening.german)


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.is_dir(), reason="the list of openings lies beside the project, not in it")
def test_codes_and_english_names_are_those_of_the_list_beside_the_project() -> None:
    known: dict[str, set[tuple[str, str]]] = {}
    for file in sorted(SHARED.glob("?.tsv")):
        for line in file.read_text(encoding="utf-8").splitlines()[1:]:
            eco, name, moves = line.split("\t")
            known.setdefault(played(re.sub(r"\d+\.", "", moves)).epd(), set()).add((eco, name))
    assert len(known) > 3_000
    wrong = [row for row in table() if (row.eco, row.english) not in known.get(played(row.moves).epd(), set())]
    assert not wrong


def test_a_game_is_named_by_its_last_known_position() -> None:
    najdorf = found("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6")
    assert (najdorf.eco, najdorf.english) == ("B90", "Sicilian Defense: Najdorf Variation")
    assert najdorf.german == "Sizilianische Verteidigung: Najdorf-Variante"
    assert found("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 h4 h5") == najdorf


def test_transpositions_count() -> None:
    assert found("c4 e6 Nf3 d5 d4 Nf6 Nc3") == found("d4 d5 c4 e6 Nc3 Nf6 Nf3")


def test_without_a_known_position_there_is_no_opening() -> None:
    assert opening_of(chess.Board()) is None
    board = chess.Board("4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1")
    board.push_san("e4")
    assert opening_of(board) is None
    chess960 = chess.Board.from_chess960_pos(0)
    chess960.push_san("e4")
    assert opening_of(chess960) is None


def test_looking_up_leaves_the_board_as_it_is() -> None:
    board = played("e4 e5")
    opening_of(board)
    assert board == played("e4 e5") and len(board.move_stack) == 2


def test_the_pgn_of_a_game_that_is_over_names_the_opening() -> None:
    text = write_pgn(a_score("e4 c5 b3", RESIGNED))
    assert '[ECO "B20"]\n[Opening "' in text
    assert not any(name in write_pgn(a_score("e4 c5 b3")) for name in ("ECO", "Opening"))


def test_the_opening_in_a_pgn_is_read_over_where_it_is_what_the_moves_say() -> None:
    score = a_score("e4 c5 b3", RESIGNED)
    (again,) = read_pgn(write_pgn(score))
    assert not {name for name, _ in again.tags} & {"ECO", "Opening"}
    assert write_pgn(again) == write_pgn(score)


@pytest.mark.parametrize("tags", [(("ECO", "A00"),), (("Opening", "Meine"),), (("ECO", "A00"), ("Opening", "Meine"))])
def test_what_somebody_else_called_the_opening_is_kept(tags: tuple[tuple[str, str], ...]) -> None:
    score = replace(a_score("e4 c5 b3", RESIGNED), tags=tags)
    text = write_pgn(score)
    assert text.count("[ECO") + text.count("[Opening") == len(tags)
    (again,) = read_pgn(text)
    assert set(tags) <= set(again.tags)
    assert write_pgn(again) == text
