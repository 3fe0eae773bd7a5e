"""After the game: the moments that mattered, and trying again from there."""

from __future__ import annotations

from itertools import pairwise

import chess
import pytest

from tests.drivers.exercising import Room
from voicechess.game.effects import Announcer
from voicechess.practice.effects import FIRST_NUMBER, Examine, Examined, ExaminingFailed, StopExamining
from voicechess.practice.exercises.review import Evaluation, Review, expected_points, find_moments, settled

SCHOLARS = ("e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7")
"""Black allows mate with the sixth ply."""

VIEWS: dict[int, tuple[int, str]] = {
    0: (30, "e2e4"),
    1: (-30, "e7e5"),
    2: (30, "g1f3"),
    3: (40, "b8c6"),
    4: (-40, "f1c4"),
    5: (30, "d8e7"),
    6: (99_999, "h5f7"),
}
"""What an engine would say before each ply, for the side to move."""


def moves() -> list[chess.Move]:
    return [chess.Move.from_uci(uci) for uci in SCHOLARS]


def reviewing(colour: chess.Color | None = None, played: list[chess.Move] | None = None) -> tuple[Room, Review]:
    review = Review(chess.Board(), moves() if played is None else played, Announcer(FIRST_NUMBER), colour)
    room = Room(review)
    room.begin()
    return room, review


def look(room: Room, until: int = len(VIEWS)) -> list[str]:
    """The engine looks at the positions; all keys said."""
    keys = []
    for index in range(until):
        centipawns, best = VIEWS[index]
        room.event(Examined(at_ms=room.now, index=index, centipawns=centipawns, best=best))
        keys += room.keys
    return keys


def test_what_is_decided_needs_no_engine() -> None:
    room, _ = reviewing()
    (examine,) = (effect for effect in room.effects if isinstance(effect, Examine))
    assert len(examine.boards) == len(SCHOLARS) - 1  # the mate at the end is known, and that it can be given
    assert settled(chess.Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")) == Evaluation(0, None)
    assert settled(chess.Board()) is None
    fools_mate = chess.Board("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2")
    assert settled(fools_mate) == Evaluation(99_999, chess.Move.from_uci("d8h4"))


def test_the_moment_is_told_without_the_better_move_and_progress_on_the_way() -> None:
    room, _ = reviewing()
    keys = look(room)
    assert keys.count("practice.review.progress") == 3
    assert keys[-3:] == ["practice.review.found_one", "practice.review.moment", "practice.review.try_from"]
    said = room.hear("wiederholen")
    assert said[0] == "Erster Augenblick, Zug drei, Schwarz: gespielt wurde Springer Felix sechs. Das ließ ein Matt zu."
    assert room.hear("nein")[0] == "Besser ist Dame Eva sieben."


def test_help_at_the_offer_is_short_and_names_its_answers() -> None:
    room, _ = reviewing()
    look(room)
    assert room.hear("hilfe") == [
        "Ja: Sie ziehen von dort. Nein: ich sage den besseren Zug. Mehr mit Hilfe.",
        "Von dort noch einmal ziehen?",
    ]
    assert "practice.help_also" in (room.hear("hilfe") and room.keys)


def test_the_position_before_a_try_is_the_short_one() -> None:
    room, _ = reviewing()
    look(room)
    assert room.hear("stellung")[1].startswith("Schwarz: ")
    assert room.hear("ja")[-1] == "Schwarz ist am Zug. Welcher Zug?"
    short = len(" ".join(room.said))
    assert len(" ".join(room.hear("ganze stellung"))) > short


def test_only_ones_own_mistakes() -> None:
    room, review = reviewing(chess.WHITE)
    assert look(room)[-1] == "practice.review.nothing_found"
    assert review.over


@pytest.mark.parametrize(
    ("words", "keys"),
    [
        ("dame eva sieben", ["practice.review.best", "practice.review.done"]),
        ("springer felix sechs", ["practice.review.as_before", "practice.review.better_was", "practice.review.done"]),
        ("tipp", ["practice.review.better_was", "practice.review.done"]),
        ("weiter mit zug", None),
    ],
)
def test_trying_again(words: str, keys: list[str] | None) -> None:
    room, review = reviewing()
    look(room)
    room.hear("ja")
    assert room.keys == ["position.side", "position.side", "practice.review.your_move"]
    room.hear(words)
    if keys is None:
        assert room.keys[0] == "practice.nothing_heard"
        assert not review.over
    else:
        assert room.keys == keys
        assert review.over


@pytest.mark.parametrize(("centipawns", "verdict"), [(-35, "good"), (400, "not_better"), (99_000, "not_better")])
def test_another_move_is_looked_at(centipawns: int, verdict: str) -> None:
    room, review = reviewing()
    look(room)
    room.hear("ja")
    room.hear("gustav sechs")
    assert room.keys == ["practice.review.thinking"]
    assert review.busy
    room.hear("stopp")
    room.event(Examined(at_ms=room.now, index=0, centipawns=centipawns, best=None))
    assert room.keys[0] == f"practice.review.{verdict}"


def test_an_illegal_move_is_refused_with_the_reason() -> None:
    room, review = reviewing()
    look(room)
    room.hear("ja")
    room.hear("läufer anna vier")
    assert room.keys[0].startswith("refuse.")
    assert room.keys[-1] == "practice.review.your_move"
    assert not review.over


def test_what_may_have_been_two_things_is_asked_for_again() -> None:
    room, review = reviewing()
    look(room)
    room.hear("ende", "ja", gap=0.4)
    assert room.keys == ["practice.once_more", "practice.review.moment", "practice.review.try_from"]
    room.hear("ja")
    room.hear("dame eva sieben", "dame felix sechs", gap=0.4)
    assert room.keys[0] == "practice.once_more"
    assert room.keys[-1] == "practice.review.your_move"
    assert not review.over


def test_the_opening_is_told_and_the_question_put_again() -> None:
    room, review = reviewing()
    room.hear("welche eröffnung ist das")
    assert room.keys == ["opening.name", "practice.review.progress"]
    look(room)
    room.hear("ja")
    room.hear("eröffnung")
    assert room.keys[0] == "opening.name"
    assert room.keys[-1] == "practice.review.your_move"
    assert not review.over


def test_stop_takes_what_has_been_seen() -> None:
    room, review = reviewing()
    look(room, until=3)
    room.hear("stopp")
    assert StopExamining() in room.effects
    assert room.keys == ["practice.review.stopped", "practice.review.nothing_found"]
    assert review.over
    room.event(Examined(at_ms=room.now, index=3, centipawns=0, best="b8c6"))
    assert room.keys == []


def test_a_failing_engine_ends_with_a_sentence() -> None:
    room, review = reviewing()
    said = room.event(ExaminingFailed(at_ms=0, reason="gone"))
    assert said == ["Die Maschine ist abgestürzt. Ich kann die Partie nicht durchsehen."]
    assert review.over


def test_no_moves_no_review() -> None:
    room, review = reviewing(played=[])
    assert room.keys == ["practice.review.no_game"]
    assert review.over


def test_a_garbled_best_move_is_passed_over() -> None:
    room, _ = reviewing()
    room.event(Examined(at_ms=0, index=0, centipawns=50, best="e2e5"))
    room.event(Examined(at_ms=0, index=1, centipawns=None, best="zzzz"))
    assert room.keys in ([], ["practice.review.progress"])


def test_at_most_three_moments_in_the_order_of_the_game() -> None:
    played = [chess.Move.from_uci(uci) for uci in ("g1f3", "g8f6", "f3g1", "f6g8") * 3]
    values = [0, 300, 0, 500, -200, 100, 0, 50, 0, 900, 0, 0, 0]
    views: list[Evaluation | None] = []
    board = chess.Board()
    for value, move in zip(values, [*played, None], strict=True):
        views.append(Evaluation(value, chess.Move.from_uci("e2e4" if board.turn else "e7e5")))
        if move is not None:
            board.push(move)
    found = find_moments(chess.Board(), played, views)
    assert len(found) == 3
    assert [moment.ply for moment in found] == sorted(moment.ply for moment in found)
    worst = sorted((expected_points(b) - expected_points(-a) for b, a in pairwise(values)), reverse=True)
    assert sorted((moment.loss for moment in found), reverse=True) == worst[:3]


def test_expected_points_are_a_share() -> None:
    assert expected_points(0) == 0.5
    assert 0.99 < expected_points(50_000) <= 1
    assert expected_points(-100) == pytest.approx(1 - expected_points(100))
