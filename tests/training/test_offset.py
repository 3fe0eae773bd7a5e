"""What is added to all the scores of a moment, so that they mean what they meant before."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import vosk

torch = pytest.importorskip("torch", reason="needs the training extra")

from models.training import export, lexicon, offset, read, sequence, vocabulary, write  # noqa: E402
from models.training.features import BINS  # noqa: E402
from models.training.language import language  # noqa: E402
from models.training.network import Network, frames_needed, split  # noqa: E402
from models.training.shape import Shape  # noqa: E402

pytestmark = pytest.mark.training
SHAPE = Shape(24, 8, (1, 2))
GERMAN = language("de")
UNITS, PDFS = GERMAN.units, GERMAN.sounds.outputs


@pytest.fixture(scope="module")
def loop() -> sequence.WordLoop:
    entries = UNITS.of(lexicon.lexicon(GERMAN, vocabulary.words(GERMAN)))
    return sequence.WordLoop(entries, GERMAN.heard.denying, UNITS, own=True)


def scorer(network: Network) -> offset.Scorer:
    outputs = network.out.out_features
    priors = np.full(PDFS, 1 / PDFS)
    if outputs == UNITS.outputs:
        priors = priors[UNITS.output_of] * UNITS.shares
    state = {"mean": torch.zeros(BINS), "spread": torch.ones(BINS), "priors": priors}
    return offset.Scorer(network, state, 1.0)


def test_scores_that_have_drifted_are_put_back(loop: sequence.WordLoop) -> None:
    torch.manual_seed(5)
    before = Network(SHAPE, PDFS)
    before.eval()
    now = split(before, UNITS)
    with torch.no_grad():  # what no word of the labels has takes all the others' share away, more or less of it
        now.out.bias[-1] += 8
        now.out.weight[-1] *= 5

    def chunks(count: int) -> list[tuple[Any, Any]]:
        mask = torch.ones(8, 20, PDFS)
        mask[:, :, UNITS.output_of[-1]] = 0
        return [(torch.randn(8, frames_needed(SHAPE, 20), BINS), mask) for _ in range(count)]

    found = offset.learnt(scorer(now), scorer(before), loop, chunks(40))
    mel = chunks(1)[0][0]
    with torch.no_grad():
        heard, scores = scorer(now)(mel)
        wanted = scorer(before)(mel)[1][:, :, UNITS.output_of]
        lacking = (wanted - scores)[:, :, :-2]
        left = lacking - found(heard)
    assert lacking.mean() > 1
    assert abs(left.mean()) < 0.1
    assert left.std() < 0.7 * lacking.std()


def test_it_counts_in_decoding_and_is_read_back(tmp_path: Path) -> None:
    torch.manual_seed(6)
    network = split(Network(SHAPE, PDFS), UNITS)
    network.eval()
    added = offset.Offset(SHAPE.width, offset.WIDTH)
    with torch.no_grad():
        added.inner.weight.zero_()
        added.inner.bias.fill_(1)
        added.out.weight.fill_(1 / offset.WIDTH)
        added.out.bias.fill_(0.5)
    ones, settings = torch.ones(BINS), write.Settings(raised=0)
    state = {"mean": ones, "spread": ones, "priors": np.full(UNITS.outputs, 1 / PDFS)}
    vosk.SetLogLevel(-1)
    sound = np.random.default_rng(1).integers(-3000, 3000, 16000).astype("<i2").tobytes()

    def score(name: str, given: dict[str, object]) -> float:
        folder = tmp_path / name
        write.write_folder(
            folder,
            [("nein", ("n", "aI", "n"))],
            export.acoustic_model(network, given, settings, UNITS),
            settings,
            UNITS,
        )
        ear = vosk.KaldiRecognizer(vosk.Model(model_path=str(folder)), 16000)
        ear.SetMaxAlternatives(1)
        ear.AcceptWaveform(sound)
        return float(json.loads(ear.FinalResult())["alternatives"][0]["confidence"])

    more = score("with", state | {"offset": added.state_dict()}) - score("without", state)
    assert more == pytest.approx(1.5 * settings.acoustic_scale * 33, rel=0.05)  # a second of steps of 30 ms
    mel = torch.randn(4, frames_needed(SHAPE, 30), BINS)
    found = read.checkpoint(tmp_path / "with", SHAPE, mel, ones, ones, settings, UNITS)
    restored = offset.kept(found)
    assert restored is not None
    heard = torch.randn(2, 3, SHAPE.width)
    assert torch.allclose(restored(heard), added(heard), atol=0.01)
    assert offset.kept(read.checkpoint(tmp_path / "without", SHAPE, mel, ones, ones, settings, UNITS)) is None
