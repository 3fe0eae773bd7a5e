"""What is announced is understood as exactly that: legal moves of awkward positions, in all languages and styles."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from tests.drivers.positions import POSITIONS, every_move, fitting
from voicechess.language.folders import LANGUAGES
from voicechess.language.lexicon import load
from voicechess.language.understanding import understand_all
from voicechess.language.wording import Style, Wording
from voicechess.meaning import Expectation, SpokenMove

MOVES = list(every_move())


def test_there_is_something_to_say() -> None:
    assert len(MOVES) > 500
    assert {name for name, *_ in MOVES} == set(POSITIONS)
    assert {said.promotion for *_, said in MOVES} == {None, 2, 3, 4, 5}
    assert any(said.en_passant for *_, said in MOVES)
    assert any(said.needs_file and said.needs_rank for *_, said in MOVES)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("style", list(Style))
def test_announcements_are_understood_as_the_move_they_announce(language: str, style: Style) -> None:
    wording, lexicon = Wording(language, style, strict=True), load(language)
    for _, board, move, said in MOVES:
        for full, names_captured in product((False, True), repeat=2):
            text = wording.move(replace(said, names_captured=names_captured), full)
            for typed in (False, True):
                readings = understand_all(text, lexicon, Expectation(board=board), typed)
                for reading in readings:
                    assert isinstance(reading.meaning, SpokenMove), f"{text}: {reading.meaning}"
                    assert reading.cost == 0
                found = {m for r in readings if isinstance(r.meaning, SpokenMove) for m in fitting(board, r.meaning)}
                assert found == {move}, f"{board.fen()}: {text}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_typed_notation_never_becomes_another_move(language: str) -> None:
    """SAN, UCI, long algebraic: the first reading that fits is the move; in small letters it is at least among them."""
    lexicon = load(language)
    for _, board, move, _ in MOVES:
        for line in (board.san(move), board.lan(move), board.uci(move)):
            readings = understand_all(line, lexicon, Expectation(board=board), typed=True)
            fits = [fitting(board, r.meaning) for r in readings if isinstance(r.meaning, SpokenMove)]
            if board.is_castling(move) and line == board.uci(move):
                # By its squares castling is a king's move to where he goes: for the game to know.
                assert readings[0].meaning == SpokenMove(
                    None, 4, move.from_square // 8, move.to_square % 8, move.to_square // 8
                )
                continue
            assert [move] in fits, f"{board.fen()}: {line}: {readings}"
            assert next(found for found in fits if found) == [move], f"{board.fen()}: {line}"
        line = board.san(move).lower()
        if line.startswith("bx"):
            continue  # in small letters that is a pawn's capture and nothing else
        small = understand_all(line, lexicon, Expectation(board=board), typed=True)
        assert move in [m for r in small if isinstance(r.meaning, SpokenMove) for m in fitting(board, r.meaning)]
