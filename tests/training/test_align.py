"""Recordings: only those for training are ever read, and sounds are found where they are."""

import csv
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the training extra")
pytest.importorskip("soundfile", reason="needs the training extra")
pytest.importorskip("scipy", reason="needs the training extra")

from models.training import align, human
from models.training.language import language

pytestmark = pytest.mark.training
GERMAN = language("de")
INDEX, PHONES = GERMAN.sounds.index, GERMAN.sounds.names


def test_only_the_training_split_is_read(tmp_path: Path) -> None:
    columns = ["file", "split", "text", "speaker", "licence", "source_repo"]
    with (tmp_path / "manifest.tsv").open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, columns, delimiter="\t")
        writer.writeheader()
        for file, split, speaker in (("a", "train", "one"), ("b", "check", "one"), ("c", "train", "two")):
            writer.writerow(dict(zip(columns, (file, split, "eins", speaker, "CC BY 4.0", "x/y"), strict=True)))
    assert [item.file for item in human.recordings(tmp_path)] == ["a", "c"]
    assert [item.file for item in human.recordings(tmp_path, without=("two",))] == ["a"]


def test_numbers_are_the_words_the_game_hears() -> None:
    assert align.words_of(GERMAN, "Einundzwanzig, dreiunddreißig") == [
        "ein",
        "und",
        "zwanzig",
        "drei",
        "und",
        "dreißig",
    ]


def test_sounds_are_found_where_they_score_best() -> None:
    truth = [("SIL", 20), ("f", 8), ("i:", 12), ("3", 6), ("SIL", 9), ("aI", 14), ("n", 7), ("s", 11), ("SIL", 20)]
    scores = np.full((sum(count for _, count in truth), len(PHONES)), -5.0, np.float32)
    at, expected = 0, []
    for phone, count in truth:
        scores[at : at + count, INDEX[phone]] = 0
        if phone != "SIL":
            expected.append((phone, at))
        at += count
    mean, placed = align.align(GERMAN, scores, ["vier", "eins"], frozenset(("vier", "eins")))
    assert mean == pytest.approx(0)
    assert [(sound.phone, round((sound.begin - 0.0075) * 100)) for sound in placed] == expected
    assert [sound.word for sound in placed] == [0, 0, 0, 1, 1, 1]


def test_too_short_a_recording_is_refused() -> None:
    with pytest.raises(ValueError, match="short"):
        align.align(GERMAN, np.zeros((3, len(PHONES)), np.float32), ["eins", "zwei"], frozenset())
