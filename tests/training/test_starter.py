"""The committed models: all words, all files as the manifest says, small enough."""

import hashlib
import json
from pathlib import Path

import pytest
import vosk

from models.languages import CODES
from models.training import vocabulary
from models.training.language import language
from voicechess.language.lexicon import load

MODELS = Path(__file__).resolve().parents[2] / "models"
FOLDER = MODELS / "starter-de"


@pytest.fixture(scope="module", params=CODES)
def code(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def folder(code: str) -> Path:
    return MODELS / f"starter-{code}"


@pytest.fixture(scope="module")
def model(folder: Path) -> vosk.Model:
    vosk.SetLogLevel(-1)
    return vosk.Model(model_path=str(folder))


def test_every_word_of_the_language_is_in_the_model(model: vosk.Model, code: str) -> None:
    """If this fails: python -m models.training --steps rewrite --language CODE --out models/starter-CODE."""
    missing = [word for word in (*vocabulary.words(language(code)), "[unk]") if model.vosk_model_find_word(word) < 0]
    assert not missing


def test_the_recipe_writes_every_word_that_is_listened_for(code: str) -> None:
    """Wherever in the folder of the language it stands, beside sentences as well."""
    assert load(code).spoken_words <= set(vocabulary.words(language(code)))


def test_the_manifest_names_every_file_and_its_sum(folder: Path, code: str) -> None:
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    found = {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file() and path.name != "manifest.json"
    }
    assert manifest["sha256"] == found
    assert set(vocabulary.words(language(code))) <= set(manifest["words"])
    assert all({"source", "licence"} <= set(source) for source in manifest["trained_on"])


def test_the_manifest_has_figures_of_this_very_net() -> None:
    """If this fails: voicechess bench model, then --steps record (models/training/README.md)."""
    manifest = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))
    figures = manifest["figures"]
    assert figures["net"] == manifest["sha256"]["am/final.mdl"]
    assert {"clean", "babble 10 dB"} <= figures["announcements"].keys()
    assert {"ranks", "full vocabulary"} <= figures["people"].keys()


def test_the_folder_is_small_and_its_paths_are_plain(folder: Path) -> None:
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 10_000_000
    assert all(path.relative_to(folder).as_posix().isascii() for path in files)


def test_no_sound_takes_it_seconds_to_sort_out(folder: Path) -> None:
    """Kaldi's own limit is reached by talk and music, and takes five seconds of a core to fill: meanwhile nobody is
    heard (models/NOTES.md)."""
    settings = dict(line.lstrip("-").split("=") for line in (folder / "conf" / "model.conf").read_text().splitlines())
    assert 0 < int(settings["max-mem"]) <= 2_000_000


def test_it_takes_grammars(model: vosk.Model, folder: Path) -> None:
    assert (folder / "graph" / "HCLr.fst").exists()
    recogniser = vosk.KaldiRecognizer(model, 16000, json.dumps(["springer eva vier", "[unk]"], ensure_ascii=False))
    recogniser.AcceptWaveform(bytes(32000))
    assert json.loads(recogniser.FinalResult())["text"] == ""
