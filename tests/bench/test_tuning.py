"""Costs of confusion and thresholds from recognitions made by hand."""

from __future__ import annotations

import argparse
import tomllib
from dataclasses import replace
from math import log
from pathlib import Path

import chess
import pytest

from models.bench import tuning
from models.bench.hearing_parts import Item
from models.bench.hearing_report import Trial
from models.bench.listening import Overheard
from models.bench.samples import Sample
from models.bench.tuning import PRIOR, as_toml, choose_thresholds, costs, count
from models.bench.vocabulary import Vocabulary
from voicechess.language.confusions import Confusions, pairs, read_confusions
from voicechess.language.lexicon import load
from voicechess.language.thresholds import load_thresholds
from voicechess.meaning import SILENCE_DB, Hypothesis, RecognisedUtterance, Word, level_of

THRESHOLDS = load_thresholds()

LEXICON = load("de")
ROOK = "7k/8/8/8/8/8/8/K3R3 w - - 0 1"


def trial(
    said: str,
    move: str | None,
    *heard: tuple[str, float],
    again: str | None = None,
    before: str = "",
    fit: float | None = None,
) -> Trial:
    """What was said and heard; `again`: what it is at another speed; `before`: what has led to a question."""
    hypotheses = [Hypothesis(tuple(Word(w, 0, 0) for w in text.split()), score, fit=fit) for text, score in heard]
    if again is not None:
        hypotheses.append(Hypothesis(tuple(Word(w, 0, 0) for w in again.split()), 0.0, 0.9))
    utterance = RecognisedUtterance(tuple(hypotheses), 0, 1000, level_of(0.1, 0.5, SILENCE_DB), endpoint_ms=1250)
    item = Item(Sample("", (), tuple(said.split())), ROOK if before else chess.STARTING_FEN, before, move)
    return Trial("a", item, Overheard((utterance,), 1000, 1.0, 0.1, 1.0))


def test_words_find_their_partners() -> None:
    assert pairs(["felix", "zwei"], ["felix", "drei"]) == [("felix", "felix"), ("zwei", "drei")]
    assert pairs(["felix", "drei"], ["springer", "felix", "drei"])[0] == (None, "springer")
    assert pairs(["eva", "vier", "an"], ["eva", "vier"])[-1] == ("an", None)
    assert pairs([], []) == []


def test_a_confusion_costs_what_its_share_is() -> None:
    trials = [trial("springer felix drei", "g1f3", ("springer felix zwei", 0.0))]
    trials += [trial("springer felix zwo", None, ("springer felix zwei", 0.0))] * 7
    exchanged, added = costs(count(trials, LEXICON))
    assert exchanged == {"zwei": {"drei": pytest.approx(-log(1 / (8 + PRIOR)), abs=0.01)}}
    assert added == {}


def test_alternatives_count_by_their_share() -> None:
    even = [trial("eva drei", "e2e3", ("eva drei", 5.0), ("eva drei an", 5.0))]
    counts = count(even, LEXICON)
    assert counts.heard["drei"] == pytest.approx(1.0)
    assert counts.added["an"] == pytest.approx(0.5)


def test_the_file_that_is_written_is_the_file_that_is_read() -> None:
    exchanged, added = {"fünf": {"vier": 3.2, "eins": 4.0}, "zwei": {"drei": 2.0}}, {"an": 3.0}
    text = as_toml(exchanged, added, ["made by hand"])
    assert text.startswith("# made by hand\n")
    assert read_confusions(tomllib.loads(text)) == Confusions(exchanged, added)


@pytest.mark.parametrize(
    ("code", "said", "written"),
    [("en", "rook", ["en/confusions.toml"]), ("de", "turm", ["de/confusions.toml", "thresholds.toml"])],
)
def test_another_language_has_confusions_of_its_own_and_chooses_no_thresholds(
    code: str, said: str, written: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vocabulary = Vocabulary(code)
    asked: list[str] = []

    def prepared(_model: Path | None, language: str) -> tuple[Path, Vocabulary, frozenset[str]]:
        asked.append(language)
        return tmp_path, vocabulary, vocabulary.lexicon.spoken_words

    monkeypatch.setattr(tuning, "prepared", prepared)
    monkeypatch.setattr(tuning, "listened", lambda *_: [trial(said, None, ("[unk]", 0.0), (said, -1.0))] * 2)
    monkeypatch.setattr(tuning, "choose_thresholds", lambda *_: (THRESHOLDS, ["Harm: none."]))
    monkeypatch.setattr("models.bench.tuning.resources.files", lambda _package: tmp_path)
    (tmp_path / code).mkdir()
    args = argparse.Namespace(model=None, lang=code, quick=True, write=True, letters=False, jobs=1)
    assert tuning.run(args) == 0
    found = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.toml"))
    assert (found, asked) == (written, [code])
    text = (tmp_path / written[0]).read_text(encoding="utf-8")
    assert ("--lang en" in text) is (code == "en")


def test_thresholds_follow_the_harm() -> None:
    """Where the right move is often a little behind a wrong one, the margin grows; where never, questions cease."""
    bold = replace(THRESHOLDS, margin=1.0)
    near = [trial("eva drei", "e2e3", ("eva vier", 0.0), ("eva drei", -2.2))] * 5
    assert choose_thresholds(near, LEXICON, Confusions(), bold)[0].margin > 2.2
    shy = replace(THRESHOLDS, margin=2.5)
    right = [trial("eva drei", "e2e3", ("eva drei", 0.0), ("eva vier", -1.8))] * 5
    assert choose_thresholds(right, LEXICON, Confusions(), shy)[0].margin < 1.8


def test_the_weight_of_a_second_hearing_follows_the_harm() -> None:
    """Where words that are wrong are other ones at another speed, that counts; not where it only leads to questions."""
    deaf = replace(THRESHOLDS, again=0.0)
    wrong = [trial("fünf", "e1e5", ("vier", 0.0), again="fünf", before="turm eva")] * 5
    assert choose_thresholds(wrong, LEXICON, Confusions(), deaf)[0].again > 0
    right = [trial("vier", "e1e4", ("vier", 0.0), again="fünf", before="turm eva")] * 9
    assert choose_thresholds(right, LEXICON, Confusions())[0].again == 0


def test_noise_and_half_moves_choose_what_gets_a_sentence() -> None:
    noise = [trial("", None, ("springer", 0.0), ("[unk]", -0.8))] * 20
    halves = [trial("springer felix", "g1f3", ("springer", 0.0), ("[unk]", -0.8))] * 20
    strict = choose_thresholds(noise, LEXICON, Confusions())[0]
    generous = choose_thresholds([*noise, *halves], LEXICON, Confusions())[0]
    assert min(strict.part, strict.sense) < 0.37 < min(generous.part, generous.sense)


def test_halves_that_noise_made_whole_choose_how_far_off_a_half_may_be() -> None:
    lax = replace(THRESHOLDS, half=1.5)
    made_whole = trial("turm eva", "e1e3", ("turm eva acht", 0.0), ("turm eva", -2.2))
    assert choose_thresholds([made_whole], LEXICON, Confusions(), lax)[0].half > 2.2


def test_talk_that_fits_badly_and_players_who_do_choose_how_well_speech_must_fit() -> None:
    lax = replace(THRESHOLDS, fit=-30.0)
    talk = [trial("", None, ("eva vier", 0.0), fit=-22.0)] * 9
    players = [trial("eva vier", "e2e4", ("eva vier", 0.0), fit=-19.0)] * 20
    assert choose_thresholds(talk, LEXICON, Confusions(), lax)[0].fit > -20.5
    assert choose_thresholds([*talk, *players], LEXICON, Confusions(), lax)[0].fit < -17


def test_answers_choose_thresholds_too() -> None:
    """A wrong answer is a wrong move, a "nein" that is understood does no harm."""
    near = [trial("drei", "e1e3", ("vier", 0.0), ("drei", -2.2), before="turm eva")] * 5
    _, lines = choose_thresholds(near, LEXICON, Confusions())
    assert "5.0 (before" in lines[0] or "10.0 (before" in lines[0]
