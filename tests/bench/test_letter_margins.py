"""How well letters are told apart, from recognitions made by hand."""

from __future__ import annotations

import argparse
import tomllib
from pathlib import Path

import chess
import pytest

from models.bench import letter_margins, tuning
from models.bench.hearing_parts import Item
from models.bench.hearing_report import Trial
from models.bench.listening import Overheard
from models.bench.samples import Sample
from models.bench.vocabulary import Vocabulary
from voicechess.language.confusions import load_confusions
from voicechess.language.lexicon import load
from voicechess.meaning import SILENCE_DB, Hypothesis, RecognisedUtterance, Word, level_of
from voicechess.messages import Failure
from voicechess.moves.letter_rivals import LEAST_MARGIN, RIVAL_COST

ENGLISH = load("en")
ALIKE = {"d": ("b", "e"), "e": ("d",)}


def trial(said: str, *heard: tuple[str, float]) -> Trial:
    hypotheses = tuple(Hypothesis(tuple(Word(word, 0, 0) for word in text.split()), score) for text, score in heard)
    utterance = RecognisedUtterance(hypotheses, 0, 1000, level_of(0.1, 0.5, SILENCE_DB), endpoint_ms=1250)
    item = Item(Sample("", (), tuple(said.split())), chess.STARTING_FEN)
    return Trial("", item, Overheard((utterance,), 1000, 1.0, 0.1, 1.0))


def test_a_value_is_how_much_likelier_the_letter_is_that_was_said() -> None:
    trials = [
        trial("d four", ("d four", 0.0), ("e four", -2.0)),
        trial("d four", ("e four", 0.0), ("d four", -1.0)),
        trial("d two d four", ("d two b four", 0.0), ("d two d four", -0.5), ("b two b four", -1.0)),
        trial("d four", ("knight d four", 0.0), ("delta four", -0.5), ("d three", -1.0)),
        trial("d four", ("d four", 0.0), ("bravo four", -1.0)),
    ]
    found = letter_margins.values(trials, ENGLISH)
    assert found.keys() == {("e", "d"), ("b", "d")}
    assert found["e", "d"] == pytest.approx([2.0, -1.0]) and found["b", "d"] == pytest.approx([-0.5])


def test_a_margin_reaches_beyond_the_worst_and_grows_with_what_is_not_known() -> None:
    apart = letter_margins.margins({("d", "e"): [5.0] * 20, ("e", "d"): [1.0, -2.0, 1.0] * 7}, ALIKE)
    assert apart.keys() == {"e"} and apart["e"]["d"] > 2.0
    few, many = (letter_margins.margins({("e", "d"): [2.0] * count}, ALIKE) for count in (1, 30))
    assert few["e"]["d"] > many.get("e", {}).get("d", LEAST_MARGIN)


def test_a_margin_is_one_of_letters_that_are_alike_and_no_wider_than_any() -> None:
    worst = [-9.0, 1.0]
    assert letter_margins.margins({("e", "d"): worst, ("f", "d"): worst}, ALIKE) == {"e": {"d": RIVAL_COST}}


def test_the_file_that_is_written_is_the_file_that_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vocabulary, path = Vocabulary("en"), tmp_path / "en" / "letters.toml"
    path.parent.mkdir()
    heard = [trial("d four", ("e four", 0.0), ("d four", -1.0))]
    monkeypatch.setattr(tuning, "prepared", lambda *_: (tmp_path, vocabulary, vocabulary.lexicon.spoken_words))
    monkeypatch.setattr(letter_margins, "heard_letters", lambda *_: heard)
    monkeypatch.setattr("models.bench.tuning.resources.files", lambda _package: tmp_path)
    args = argparse.Namespace(model=None, lang="en", quick=False, write=True, letters=True, jobs=1)
    assert tuning.run(args) == 0
    found = letter_margins.margins(letter_margins.values(heard, ENGLISH), load_confusions("en").letters)
    assert tomllib.loads(path.read_text(encoding="utf-8")) == found != {}
    assert "--lang en --letters --write" in path.read_text(encoding="utf-8")


def test_nothing_is_written_of_a_language_that_is_not_measured_with_letters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vocabulary = Vocabulary("de")
    monkeypatch.setattr(tuning, "prepared", lambda *_: (tmp_path, vocabulary, vocabulary.lexicon.spoken_words))
    args = argparse.Namespace(model=None, lang="de", quick=False, write=True, letters=True, jobs=1)
    with pytest.raises(Failure, match="no_letters"):
        tuning.run(args)
