"""A word that rhymes with an answer is no answer: said in the room while a question is open, it made a move."""

from __future__ import annotations

from pathlib import Path

import chess
import numpy as np
import pytest

from models.bench.synthesis import SAMPLE_RATE, TUNING, Voice, synthesise
from voicechess.language.lexicon import load
from voicechess.language.phrases import phrases
from voicechess.language.readings import interpret
from voicechess.meaning import Expectation, Question, QuestionKind, SpokenMove
from voicechess.moves.decisions import Decision, Play
from voicechess.moves.matching import decide
from voicechess.sound.model import VoskModel
from voicechess.sound.recogniser import Recogniser, recognise
from voicechess.sound.voices import same_dither

BOARD = chess.Board("7k/8/8/8/8/8/8/K3R3 w - - 0 1")
WHICH_RANK = Expectation(
    BOARD, Question(QuestionKind.COMPLETE, partial=SpokenMove(piece=chess.ROOK, to_file=chess.FILE_NAMES.index("e")))
)
VOICES = ("m3", "f2", "Gene")


def answered(model_path: Path, word: str, voice: str) -> Decision:
    """What becomes of this word, said by a synthetic voice into a quiet room after "Welche Reihe?"."""
    assert voice in TUNING, "voices for measuring are not for tests"
    said = (synthesise(word, Voice(voice)) * 20_000).astype("<i2").tobytes()
    room = np.random.default_rng(0).integers(-3, 4, 3 * SAMPLE_RATE // 2).astype("<i2").tobytes()
    same_dither()
    model = VoskModel(model_path)
    lexicon = load("de").restrict(model.knows)
    recogniser = Recogniser(model, SAMPLE_RATE)
    recogniser.expect(phrases(WHICH_RANK, lexicon))
    heard = recognise(recogniser, room + said + room)
    readings = interpret(heard[0].hypotheses if heard else (), WHICH_RANK, lexicon)
    return decide(BOARD, readings, WHICH_RANK.asked)


@pytest.mark.parametrize("voice", VOICES)
@pytest.mark.parametrize("word", ["tier", "lieben"])
def test_a_rhyme_is_not_played(model_path: Path, word: str, voice: str) -> None:
    assert not isinstance(answered(model_path, word, voice), Play)


@pytest.mark.parametrize("voice", VOICES)
@pytest.mark.parametrize(("word", "square"), [("vier", "e4"), ("sieben", "e7"), ("acht", "e8")])
def test_the_answer_itself_is(model_path: Path, word: str, square: str, voice: str) -> None:
    assert answered(model_path, word, voice) == Play(chess.Move.from_uci(f"e1{square}"))
