"""The committed model: all words, all files as the manifest says, small enough."""

import hashlib
import json
from pathlib import Path

import pytest
import vosk

from models.training import vocabulary
from models.training.language import language

FOLDER = Path(__file__).resolve().parents[2] / "models" / "starter-de"


@pytest.fixture(scope="module")
def model() -> vosk.Model:
    vosk.SetLogLevel(-1)
    return vosk.Model(model_path=str(FOLDER))


def test_every_word_of_the_language_is_in_the_model(model: vosk.Model) -> None:
    """If this fails: python -m models.training --steps rewrite --out models/starter-de."""
    missing = [word for word in (*vocabulary.words(language("de")), "[unk]") if model.vosk_model_find_word(word) < 0]
    assert not missing


def test_the_manifest_names_every_file_and_its_sum() -> None:
    manifest = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))
    found = {
        path.relative_to(FOLDER).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in FOLDER.rglob("*")
        if path.is_file() and path.name != "manifest.json"
    }
    assert manifest["sha256"] == found
    assert set(vocabulary.words(language("de"))) <= set(manifest["words"])
    assert all({"source", "licence"} <= set(source) for source in manifest["trained_on"])


def test_the_manifest_has_figures_of_this_very_net() -> None:
    """If this fails: voicechess bench model, then --steps record (models/training/README.md)."""
    manifest = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))
    figures = manifest["figures"]
    assert figures["net"] == manifest["sha256"]["am/final.mdl"]
    assert {"clean", "babble 10 dB"} <= figures["announcements"].keys()
    assert {"ranks", "full vocabulary"} <= figures["people"].keys()


def test_the_folder_is_small_and_its_paths_are_plain() -> None:
    files = [path for path in FOLDER.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 10_000_000
    assert all(path.relative_to(FOLDER).as_posix().isascii() for path in files)


def test_no_sound_takes_it_seconds_to_sort_out() -> None:
    """Kaldi's own limit is reached by talk and music, and takes five seconds of a core to fill: meanwhile nobody is
    heard (models/NOTES.md)."""
    settings = dict(line.lstrip("-").split("=") for line in (FOLDER / "conf" / "model.conf").read_text().splitlines())
    assert 0 < int(settings["max-mem"]) <= 2_000_000


def test_it_takes_grammars(model: vosk.Model) -> None:
    assert (FOLDER / "graph" / "HCLr.fst").exists()
    recogniser = vosk.KaldiRecognizer(model, 16000, json.dumps(["springer eva vier", "[unk]"], ensure_ascii=False))
    recogniser.AcceptWaveform(bytes(32000))
    assert json.loads(recogniser.FinalResult())["text"] == ""
