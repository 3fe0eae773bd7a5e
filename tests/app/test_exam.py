"""What a model is measured with: the same every time, two halves apart, and said as it is meant."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import chess
import numpy as np
import pytest

from voicechess.app import exam, exam_results
from voicechess.app.exam import HALVES, VOICES, Exam, Item, expectation, items, sound
from voicechess.app.exam_results import examined
from voicechess.app.hearing import Hearing
from voicechess.game.events import Source
from voicechess.language.lexicon import load
from voicechess.meaning import RecognisedUtterance
from voicechess.messages import Failure
from voicechess.moves.decisions import Act, Decision, NotUnderstood, Play, Refuse, Reply
from voicechess.moves.matching import decide
from voicechess.sound.mixing import NOMINAL_DBFS

ITEMS = {half: items(half) for half in HALVES}
EVERY = [one for half in HALVES for one in ITEMS[half]]


def decided(item: Item) -> Decision:
    """What a game does about the very words."""
    waited_for = expectation(item)
    assert waited_for.board is not None
    heard = Hearing(load("de")).understood(RecognisedUtterance.typed(item.said, 0), waited_for, 0, Source.KEYBOARD)
    return decide(waited_for.board, heard.readings, waited_for.asked, typed=True)


def test_the_halves_share_nothing_and_are_always_the_same() -> None:
    first, second = (ITEMS[half] for half in HALVES)
    assert first == items(HALVES[0])
    assert len(first) == len(second) > 100
    assert not {one.voice.variant for one in first} & {one.voice.variant for one in second}
    assert not {one.fen for one in first} & {one.fen for one in second}
    assert not {one.said for one in first if one.said and not one.ours and not one.before} & {
        one.said for one in second
    }


def test_no_voice_is_one_of_those_that_figures_are_reported_for() -> None:
    from models.bench.synthesis import TUNING

    assert {one for voices in VOICES.values() for one in voices} == TUNING


def test_what_is_said_means_what_it_should() -> None:
    for item in EVERY:
        if not item.ours:
            continue
        decision = decided(item)
        if item.move is None:
            assert isinstance(decision, Act if item.command else Refuse), item
        elif item.said == "ja":
            assert isinstance(decision, Reply)
            assert expectation(item).asked.candidates == (chess.Move.from_uci(item.move),)
        else:
            assert decision == Play(chess.Move.from_uci(item.move)), item


def test_talk_is_nothing_that_is_said_to_a_game() -> None:
    talk = [one for one in EVERY if one.said and not one.ours]
    assert len(talk) > 40
    assert sum(isinstance(decided(one), NotUnderstood) for one in talk) >= len(talk) - 2


def test_noise_is_as_far_below_the_voice_as_it_should_be() -> None:
    for noise in ("hiss", "knocks", "babble", "talker"):
        item = next(one for one in EVERY if one.noise == noise and one.said)
        half = HALVES[0] if item in ITEMS[HALVES[0]] else HALVES[1]
        if sys.platform != "win32":  # there the voice's breath is drawn anew
            assert sound(item, half) == sound(item, half)
        room = np.frombuffer(sound(item, half, room=True), np.int16) / 32768
        level = 10 * np.log10(np.mean(room**2))
        expected = NOMINAL_DBFS - exam.NOISE_DB.get(noise, exam.USUAL_NOISE_DB)
        assert level == pytest.approx(expected, abs=0.5), noise


def test_a_model_is_measured_beside_another(model_path: Path) -> None:
    """By itself the starter model is about as good as itself."""
    told: list[float] = []
    measured, lexicon = examined(model_path, model_path, told.append, one_in=12)
    assert told == sorted(told) and told[-1] == 1.0 and len(told) > 20
    assert measured.starter is not None
    assert measured.figures.wrong == measured.starter.wrong == 0
    assert measured.figures.at_once >= measured.starter.at_once - 2 > 0
    assert lexicon.sayable("springer")


def test_a_model_that_is_too_slow_to_be_talked_to_is_a_sentence(
    model_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exam_results, "LONGEST_S", 0.0)
    with pytest.raises(Failure) as failure:
        examined(model_path, None, one_in=20)
    assert failure.value.key == "model.too_slow"


def _without_words(folder: Path) -> None:
    (folder / "graph" / "words.txt").write_text("<eps> 0\n[unk] 1\nhello 2\n", encoding="utf-8")


def _damaged(folder: Path) -> None:
    content = (folder / "am" / "final.mdl").read_bytes()
    (folder / "am" / "final.mdl").write_bytes(content[: len(content) // 2])


def _none(folder: Path) -> None:
    shutil.rmtree(folder)


@pytest.mark.parametrize(
    ("spoilt", "key"),
    [
        (_without_words, "model.other_language"),
        (_damaged, "sound.model.unusable"),
        (_none, "sound.model.missing"),
    ],
)
def test_what_cannot_be_measured_is_a_sentence(
    model_path: Path, tmp_path: Path, spoilt: Callable[[Path], None], key: str
) -> None:
    copy = tmp_path / "model"
    shutil.copytree(model_path, copy)
    spoilt(copy)
    with pytest.raises(Failure) as failure, Exam(copy, HALVES, 50) as one:
        list(one)
    assert failure.value.key == key


def test_a_process_that_is_ended_is_a_sentence(model_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exam, "_CHILD", "print('{\"lacks\": []}', flush=True)")
    with pytest.raises(Failure) as failure, Exam(model_path, HALVES) as one:
        list(one)
    assert failure.value.key == "sound.model.unusable"
    assert one._child.returncode is not None
    assert sys.exc_info() == (None, None, None)
