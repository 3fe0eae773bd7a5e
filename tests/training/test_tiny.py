"""The whole recipe in small: a model made from nothing in about a minute decodes what it was not trained on."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import vosk

pytest.importorskip("torch", reason="needs the training extra")
pytest.importorskip("scipy", reason="needs the training extra")
pytest.importorskip("soundfile", reason="needs the training extra")
pytest.importorskip("tqdm", reason="needs the training extra")
pytest.importorskip("ttspico", reason="needs the training extra")

from models.bench.synthesis import TUNING
from models.training import check, manifest
from models.training.__main__ import main
from models.training.language import language
from models.training.rooms import loudness
from models.training.settings import PRESETS
from models.training.speech import Speaker

pytestmark = pytest.mark.training

SENTENCES = (
    "springer gustav eins felix drei",
    "dame hector fünf schlägt eva acht",
    "kurze rochade",
    "läufer cesar vier nimmt felix sieben",
    "bauer anna zwei anna vier",
    "turm david eins nach david acht",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    work = tmp_path_factory.mktemp("tiny")
    # No recordings: everything this model knows it has from the synthesiser.
    assert main(["--preset", "tiny", "--work", str(work), "--shared", str(work / "none"), "--steps",
                 "synthesise", "train", "align", "retrain", "words", "grow", "people", "write"]) == 0  # fmt: skip
    return work / "model"


def decoded(folder: Path) -> check.Tally:
    """The sentences by a voice that it was not trained on."""
    vosk.SetLogLevel(-1)
    model = vosk.Model(model_path=str(folder))
    core = sorted({word for sentence in SENTENCES for word in sentence.split()})
    ear, total = check.Ear(model, [*core, "[unk]"]), check.Tally()
    speaker = Speaker(1, language("de"), tuple(sorted(TUNING)))
    for sentence in SENTENCES:
        said = speaker.say(sentence.split(), natural=True, voice="m3")
        assert said is not None
        total.add(said.words, ear.words(said.samples * (2000 / loudness(said.samples))))
    return total


def test_it_decodes_sentences_it_was_not_trained_on(folder: Path) -> None:
    total = decoded(folder)
    assert total.words_right >= 80, total.errors
    assert total.utterances_right >= 50, total.errors


def test_its_manifest_fits(folder: Path) -> None:
    told = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert told["sha256"] == manifest.sums(folder)
    assert told["command"].endswith("--preset tiny --seed 1")


def test_a_finished_run_does_nothing_again(folder: Path) -> None:
    before = (folder.parent / "first.pt").stat().st_mtime_ns
    assert main(["--preset", "tiny", "--work", str(folder.parent), "--shared", str(folder / "none"),
                 "--steps", "synthesise", "train", "retrain", "words", "grow", "people"]) == 0  # fmt: skip
    assert (folder.parent / "first.pt").stat().st_mtime_ns == before


def test_the_net_of_an_earlier_step_can_be_written_beside_it(folder: Path, tmp_path: Path) -> None:
    assert main(["--preset", "tiny", "--work", str(folder.parent), "--shared", str(folder / "none"),
                 "--out", str(tmp_path), "--net", "third", "--steps", "write"]) == 0  # fmt: skip
    vosk.Model(model_path=str(tmp_path))
    assert (tmp_path / "am" / "final.mdl").stat().st_size < (folder / "am" / "final.mdl").stat().st_size


def test_a_finished_folder_is_gone_on_with(folder: Path, tmp_path: Path) -> None:
    for part in folder.parent.glob("*.npz"):
        (tmp_path / part.name).hardlink_to(part)
    assert main(["--preset", "tiny", "--work", str(tmp_path), "--shared", str(tmp_path / "none"),
                 "--begin", str(folder), "--steps", "people", "write"]) == 0  # fmt: skip
    vosk.Model(model_path=str(tmp_path / "model"))
    before, after = ((one / "am" / "final.mdl").read_bytes() for one in (folder, tmp_path / "model"))
    assert len(before) == len(after)
    assert before != after
    told = json.loads((tmp_path / "model" / "manifest.json").read_text(encoding="utf-8"))
    assert told["command"].endswith(f"--begin {folder}")
    total = decoded(tmp_path / "model")
    assert total.words_right >= 80, total.errors


def test_a_net_that_does_not_go_halfway_back_stays_as_it_was_trained(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only how well the sound fits is put back."""
    import torch

    for part in (*folder.parent.glob("*.npz"), folder.parent / "fifth.pt"):
        (tmp_path / part.name).hardlink_to(part)
    trained = torch.load(folder.parent / "sixth.pt", weights_only=False)
    trained.pop("offset")
    torch.save(trained, tmp_path / "sixth.pt")
    monkeypatch.setitem(PRESETS, "tiny", replace(PRESETS["tiny"], halfway=False))
    assert main(["--preset", "tiny", "--work", str(tmp_path), "--shared", str(tmp_path / "none"),
                 "--steps", "people"]) == 0  # fmt: skip
    settled = torch.load(tmp_path / "sixth.pt", weights_only=False)
    assert "offset" in settled
    assert all(torch.equal(settled["averaged"][name], weights) for name, weights in trained["averaged"].items())


def test_words_of_a_move_have_sounds_of_their_own(folder: Path) -> None:
    assert "n.eins_I" in (folder / "graph" / "phones.txt").read_text(encoding="utf-8")
