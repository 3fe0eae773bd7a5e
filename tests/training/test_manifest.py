"""A model's manifest names what its net has heard, and under which licence."""

import csv
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="needs the training extra")
pytest.importorskip("soundfile", reason="needs the training extra")

from models.training import manifest
from models.training.language import language

pytestmark = pytest.mark.training


def test_only_noises_for_training_are_named_by_source_and_licence(tmp_path: Path) -> None:
    columns = ["file", "split", "licence", "source_repo"]
    rows = [
        ("train/b.flac", "train", "CC0", "x/y"), ("train/a.flac", "train", "CC0", "x/y"),
        ("train/c.flac", "train", "CC BY 4.0", ""), ("check/d.flac", "check", "CC0", "x/y"),
    ]  # fmt: skip
    with (tmp_path / "manifest.tsv").open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, delimiter="\t")
        writer.writerows([columns, *rows])
    found = manifest.trained_on(language("de"), (), tmp_path / "manifest.tsv", festivals=False)
    assert [(one["source"], one["licence"], one["names"]) for one in found if "names" in one] == [
        ("noise: source not stated", "CC BY 4.0", ["c"]),
        ("noise: https://github.com/x/y", "CC0", ["a", "b"]),
    ]


def test_without_recordings_only_synthetic_voices_are_named(tmp_path: Path) -> None:
    found = manifest.trained_on(language("de"), (), tmp_path / "none.tsv", festivals=False)
    assert found == manifest.synthetic(language("de"))
    assert [one["source"].partition(",")[0] for one in found] == ["espeak-ng", "SVOX Pico"]
