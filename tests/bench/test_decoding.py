"""Decoding through worker processes, with a real model where one lies beside the project."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("numpy")

from models.bench.decoding import Decoder, Task, hypotheses
from models.bench.footprint import footprint, in_own_process, known_words
from models.bench.samples import Conditions, Sample, Spoken
from models.bench.synthesis import Voice
from voicechess.messages import Failure


def _samples(count: int) -> list[Sample]:
    text = "springer gustav eins felix drei"
    return [
        Sample(
            f"{number}", (Spoken(text, Voice("m7", rate=140 + number)),), tuple(text.split()), Conditions(level_db=-3)
        )
        for number in range(count)
    ]


def test_a_result_with_and_without_alternatives_and_an_empty_one() -> None:
    assert [one.words for one in hypotheses({"text": "eva vier"})] == [("eva", "vier")]
    both = hypotheses({"alternatives": [{"text": "eva", "confidence": 2.5}, {"text": "anna", "confidence": 1.0}]})
    assert [(one.words, one.score) for one in both] == [(("eva",), 2.5), (("anna",), 1.0)]
    assert hypotheses({"text": ""})[0].words == ()


@pytest.mark.parametrize("content", [None, b"", b"no model at all"])
def test_what_is_no_model_is_a_sentence_and_ends(tmp_path: Path, content: bytes | None) -> None:
    folder = tmp_path / "model"
    if content is not None:
        (folder / "am").mkdir(parents=True)
        (folder / "am" / "final.mdl").write_bytes(content)
    with pytest.raises(Failure) as failure:
        in_own_process(known_words, folder, ["eva"])
    assert failure.value.key == ("bench.model_missing" if content is None else "bench.model_unusable")
    assert failure.value.slots


def test_a_name_longer_than_any_may_be_is_that_of_no_model(tmp_path: Path) -> None:
    with pytest.raises(Failure) as failure:
        in_own_process(known_words, tmp_path / ("x" * 300), ["eva"])
    assert failure.value.key == "bench.model_missing"


@pytest.mark.shared
def test_a_real_model_hears_the_same_whatever_the_number_of_processes(stand_in_model: Path) -> None:
    words = ("springer", "gustav", "eins", "felix", "drei", "zwei", "nosuchword")
    known = in_own_process(known_words, stand_in_model, words)
    assert known == set(words[:-1])
    grammar = tuple(sorted(known))
    tasks = [Task(sample, (grammar, ("eins", "zwei")), 3) for sample in _samples(14)]
    with Decoder(stand_in_model, 1) as decoder:
        alone = decoder.decode(tasks)
    with Decoder(stand_in_model, 2) as decoder:
        shared = decoder.decode(tasks)
    assert [[one.hypotheses for one in row] for row in alone] == [[one.hypotheses for one in row] for row in shared]
    assert sum(row[0].words == tasks[0].sample.words for row in alone) >= 13
    assert all(len(row) == 2 for row in alone)
    costs = in_own_process(footprint, stand_in_model, grammar, _samples(2))
    assert costs.size_bytes > 1_000_000
    assert costs.load_s > 0 and costs.real_time_factor > 0 and costs.memory_mb > 1
