"""Sounds that words of a move have for themselves."""

from pathlib import Path

import numpy as np
import pytest
import vosk

torch = pytest.importorskip("torch", reason="needs the training extra")

from models.training import align, export, lexicon, vocabulary, write  # noqa: E402
from models.training.features import BINS  # noqa: E402
from models.training.language import language  # noqa: E402
from models.training.network import Network, frames_needed, split  # noqa: E402
from models.training.shape import Shape  # noqa: E402

pytestmark = pytest.mark.training
SHAPE = Shape(24, 8, (1, 2))
GERMAN = language("de")
UNITS, PHONES, INDEX, PDFS = GERMAN.units, GERMAN.sounds.names, GERMAN.sounds.index, GERMAN.sounds.outputs


def net() -> Network:
    torch.manual_seed(3)
    network = Network(SHAPE, PDFS)
    network.eval()
    return network


def test_words_of_a_move_may_have_sounds_of_their_own_and_all_words_those_of_all() -> None:
    said = dict(reversed(UNITS.of(lexicon.lexicon(GERMAN, vocabulary.words(GERMAN)))))  # the usual one of each word
    assert said["nein"] == ("n.nein", "aI.nein", "n.nein")
    assert said["hektor"] == said["hector"]
    assert said["hector"][0] == "h.hector"
    assert said["mein"] == ("m", "aI", "n")
    said_oddly = ("a", "I", "n", "s")
    assert UNITS.of([("eins", said_oddly)]) == [("eins", ("a", "I", "n.eins", "s.eins")), ("eins", said_oddly)]
    assert UNITS.of([("mein", ("m", "aI", "n"))]) == [("mein", ("m", "aI", "n"))]


def test_every_unit_is_one_of_a_word_that_is_known() -> None:
    known = set(vocabulary.words(GERMAN))
    assert {unit.partition(".")[2] for unit in UNITS.names[len(PHONES) :]} <= known
    assert len(set(UNITS.names)) == len(UNITS.names)


def test_the_units_of_a_sound_share_what_it_had() -> None:
    whole = net()
    apart = split(whole, UNITS)
    mel = torch.randn(2, frames_needed(SHAPE, 5), BINS)
    with torch.no_grad():
        found, wanted = torch.softmax(apart(mel), 2), torch.softmax(whole(mel), 2)
    sounds = torch.zeros(2, 5, PDFS).index_add(2, torch.from_numpy(UNITS.output_of), found)
    assert torch.allclose(sounds, wanted, atol=1e-5)
    assert torch.allclose(found[..., 2 * UNITS.index["n.nein"]], found[..., 2 * UNITS.index["n"]])
    assert split(apart, UNITS) is apart


def test_a_recording_is_aligned_by_sounds_where_the_net_tells_units_apart() -> None:
    """A sound is as likely as all of its units together."""
    network = split(net(), UNITS)
    ones = {"mean": torch.ones(BINS), "spread": torch.ones(BINS), "priors": UNITS.shares / PDFS}
    with torch.no_grad():  # n is nothing but that of "nein"
        network.out.weight.zero_()
        network.out.bias.fill_(-20)
        network.out.bias[2 * UNITS.index["n.nein"]] = 0
    samples = np.random.default_rng(2).standard_normal(16000).astype(np.float32) * 500
    found = align.posteriors(GERMAN, network, ones, samples)
    assert found.shape[1] == len(PHONES)
    assert (found.argmax(1) == INDEX["n"]).all()


def test_a_folder_says_what_its_net_tells_apart(tmp_path: Path) -> None:
    """Words of a move are written with their own sounds where the net has them."""
    ones, settings, entries = torch.ones(BINS), write.Settings(), [("nein", ("n", "aI", "n"))]
    for network, sounds in ((net(), PHONES), (split(net(), UNITS), UNITS.names)):
        outputs = network.out.out_features
        state = {"mean": ones, "spread": ones, "priors": np.full(outputs, 1 / PDFS)}
        model = export.acoustic_model(network, state, settings, UNITS)
        assert model.sounds == sounds
        write.write_folder(tmp_path, entries, model, settings, UNITS)
        assert write.read_acoustic_model(tmp_path, UNITS) == model
        assert ("n.nein_B" in (tmp_path / "graph" / "phones.txt").read_text()) == (sounds == UNITS.names)
        vosk.SetLogLevel(-1)
        assert vosk.Model(model_path=str(tmp_path)).vosk_model_find_word("nein") > 0
