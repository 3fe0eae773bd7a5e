"""A model's manifest names what its net has heard, and under which licence."""

import csv
import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="needs the training extra")
pytest.importorskip("soundfile", reason="needs the training extra")

from models.training import human, manifest
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


@pytest.mark.parametrize(("code", "ending"), [("de", ""), ("en", " --lang en")])
def test_the_figures_that_are_recorded_tell_how_they_were_measured(tmp_path: Path, code: str, ending: str) -> None:
    model, report = tmp_path / "model", tmp_path / "report.json"
    (model / "am").mkdir(parents=True)
    (model / "am" / "final.mdl").write_bytes(b"net")
    about: dict[str, Any] = {"language": code, "sha256": manifest.sums(model), "figures": None}
    (model / manifest.NAME).write_text(json.dumps(about), encoding="utf-8")
    measured: dict[str, object] = {
        "measured": "model", "quick": False, "subject": "models/x", "machine": "one", "costs": {},
        "figures": {"announcements": {"by condition": {}}, "people": {}, "false alarms": {}},
    }  # fmt: skip
    report.write_text(json.dumps(measured), encoding="utf-8")
    manifest.record(model, report, date(2026, 1, 2))
    figures = json.loads((model / manifest.NAME).read_text(encoding="utf-8"))["figures"]
    assert figures["command"] == f"voicechess bench model models/x{ending}"
    assert (figures["net"], figures["date"]) == (about["sha256"]["am/final.mdl"], "2026-01-02")
    report.write_text(json.dumps({**measured, "quick": True}), encoding="utf-8")
    with pytest.raises(ValueError, match="no full measurement"):
        manifest.record(model, report, date(2026, 1, 2))


def test_recordings_are_named_by_repository_or_package() -> None:
    made = [human.Recording("a", "one", "anna", "GPL", source) for source in ("x/y", "Debian: klettres-data", "x/y")]
    found = manifest.sources(made)
    assert [(one["source"], one["recordings"]) for one in found] == [
        ("Debian: klettres-data", 1),
        ("https://github.com/x/y", 2),
    ]
