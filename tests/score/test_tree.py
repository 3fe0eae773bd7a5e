"""A game with its variations: what is read of a PGN, what is left out, and what is written again."""

from __future__ import annotations

import chess
import chess.pgn
import pytest

from voicechess.messages import Failure
from voicechess.score.pgn import read_games, write_game
from voicechess.score.tree import MAX_DEPTH, MAX_NODES, comment_said, read_tree


def tree(text: str) -> tuple[chess.pgn.Game, int]:
    ((score, part),) = read_games(text)
    return read_tree(score, part)


def line(node: chess.pgn.GameNode) -> list[str]:
    found = []
    while node.variations:
        node = node.variations[0]
        assert node.move is not None
        found.append(node.move.uci())
    return found


def test_variations_comments_and_signs_come_back_as_they_were() -> None:
    text = "{Anfang} 1. e4 {a} {b} (1. d4 $10 d5 ({davor} 1... Sf6 {danach}) 2. c4) 1... e5!? (1... c5) 2. Nf3 *"
    ((score, part),) = read_games(text)
    game, left_out = read_tree(score, part)
    assert left_out == 0
    written = write_game(score, game)
    ((again, part),) = read_games(written)
    assert write_game(again, read_tree(again, part)[0]) == written
    assert line(game) == ["e2e4", "e7e5", "g1f3"]
    pawn, queen = game.variations
    assert (game.comment, pawn.comment, queen.nags) == ("Anfang", "a b", {10})
    knight = queen.variations[1]
    assert (knight.starting_comment, knight.comment) == ("davor", "danach")
    assert pawn.variations[0].nags == {5}


@pytest.mark.parametrize(
    ("text", "left_out", "first_moves"),
    [
        ("1. e4 e5 (1... Zz9 2. d4) 2. Nf3 *", 1, ["e7e5"]),
        ("1. e4 e5 (1... c5 2. -- d6 (2... e6)) 2. Nf3 *", 0, ["e7e5", "c7c5"]),
        ("1. e4 e5 (1... c5 2. Nf3 (2. Ke8 d6) d6) *", 1, ["e7e5", "c7c5"]),
        ("(1. d4) 1. e4 e5 *", 1, ["e7e5"]),
        ("1. e4 e5 () (1... e5 2. d4) *", 0, ["e7e5"]),
    ],
)
def test_a_variation_that_cannot_be_read_is_left_out(text: str, left_out: int, first_moves: list[str]) -> None:
    game, counted = tree(text)
    assert counted == left_out
    assert [str(node.move) for node in game.variations[0].variations] == first_moves


def test_each_game_has_its_own_part_of_the_file() -> None:
    text = '\ufeff[White "A"]\n\n1. e4 (1. d4) * {between} [White "B"]\n1. c4 (1. b3) 1-0\n[White "C"]\n\n*'
    parts = [read_tree(score, part)[0] for score, part in read_games(text)]
    assert [[str(node.move) for node in game.variations] for game in parts] == [["e2e4", "d2d4"], ["c2c4", "b2b3"], []]


@pytest.mark.parametrize(
    "text",
    [
        "1. e4 " + "(1. d4 " * 100_000 + ")" * 100_000 + "*",
        "1. e4 " + "(1. d4 d5) " * 100_000 + "*",
        "1. e4 (1. d4 " + "Nf6 (Nc6 Nf3 (Nc3 Nf6 (Nb8 Nf3 (Nb1 " * 1_000 + ")" * 4_001 + " *",
        "1. e4 (1. d4 d5 " + "Nf3 Nf6 Ng1 Ng8 " * 100_000 + ") *",
        "1. e4 " + "{" + "[" * 1_000_000 + "} *",
        " ".join(f"{2 * n + 1}. Nf3 Nf6 {2 * n + 2}. Ng1 Ng8" for n in range(1_000)) + " (1... a6) " * 50_000 + "*",
    ],
    ids=["brackets", "wide", "variations in variations", "long", "comment", "wide at the end of a long game"],
)
def test_floods_are_bounded(text: str) -> None:
    game, _ = tree(text)
    nodes = depth = 0
    waiting: list[tuple[chess.pgn.GameNode, int]] = [(game, 0)]
    while waiting:
        node, above = waiting.pop()
        nodes, depth = nodes + 1, max(depth, above)
        waiting += [(child, above + (child is not node.variations[0])) for child in node.variations]
    assert nodes <= MAX_NODES + 6_000
    assert depth <= MAX_DEPTH


def test_brackets_that_do_not_end_are_refused() -> None:
    with pytest.raises(Failure) as caught:
        tree("1. e4 (1. d4 *")
    assert caught.value.key == "pgn.error.variation"


def test_what_is_written_for_programs_is_not_said() -> None:
    assert comment_said("[%clk 0:05:00] gut (=) [%eval 0.3]") == "gut"
