"""The score of a game that was played: draw offers (Article 8.1) and claims stand where they were made."""

from __future__ import annotations

import chess
import pytest

from tests.drivers.dialogues import FOLDER, Play, read
from voicechess.score.score import Note, NoteKind, Score


def score_of(name: str) -> Score:
    play = Play(read(FOLDER / f"{name}.txt"))
    play.run()
    return play.session.score


@pytest.mark.parametrize(
    ("name", "offered_with"),
    [("draw_offer_declined", ["e2e4"]), ("draw_between_people", ["e2e4", "g1f3"])],
)
def test_a_draw_offer_stands_at_the_move_it_was_made_with(name: str, offered_with: list[str]) -> None:
    assert [entry.move.uci() for entry in score_of(name).entries if entry.draw_offered] == offered_with


def test_a_claim_stands_with_its_side_and_the_time_that_it_cost() -> None:
    notes = [note for entry in score_of("quickplay_person_refused").entries for note in entry.notes]
    assert notes == [Note(NoteKind.CLAIM, chess.WHITE, 120_000)]
