"""A net that grows, or is read back from its folder, gives the same scores until it is trained on."""

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the training extra")

from models.training import read, write  # noqa: E402
from models.training.features import BINS  # noqa: E402
from models.training.network import PDFS, Network, Shape, frames_needed, widened  # noqa: E402
from models.training.write import Settings  # noqa: E402

pytestmark = pytest.mark.training
SMALL, LARGE = Shape(24, 8, (1, 2)), Shape(40, 12, (1, 2))


def heard() -> Network:
    """A net whose statistics are not those it began with."""
    torch.manual_seed(5)
    network = Network(SMALL)
    network.train()
    for _ in range(3):
        network(torch.randn(4, frames_needed(SMALL, 12), BINS) * 3 + 1)
    return network


def test_scores_stay_what_they_were() -> None:
    small = heard()
    inputs = torch.randn(2, frames_needed(SMALL, 9), BINS)
    large = widened(small, LARGE)
    assert sum(p.numel() for p in large.parameters()) > 1.5 * sum(p.numel() for p in small.parameters())
    for training in (False, True):
        small.train(training)
        large.train(training)
        assert torch.allclose(large(inputs), small(inputs), atol=1e-5)


def test_everything_new_learns() -> None:
    large = widened(heard(), LARGE)
    large.train()
    optimiser = torch.optim.SGD(large.parameters(), lr=0.1)
    before = [parameter.detach().clone() for parameter in large.parameters()]
    for _ in range(3):
        optimiser.zero_grad()
        large(torch.randn(4, frames_needed(LARGE, 9), BINS)).square().mean().backward()
        optimiser.step()
    for was, now in zip(before, large.parameters(), strict=True):
        rows = (was != now.detach()).reshape(len(was), -1).any(1)
        assert rows.all()


@pytest.mark.parametrize("shape", [Shape(20, 8, (1, 2)), Shape(40, 6, (1, 2)), Shape(40, 12, (1, 1))])
def test_it_does_not_shrink(shape: Shape) -> None:
    with pytest.raises(ValueError, match="cannot grow"):
        widened(heard(), shape)


def test_a_written_net_gives_the_same_scores_when_it_is_read_back(tmp_path: Path) -> None:
    """What a finished folder holds can be gone on with, also while batch norms take their statistics from the batch."""
    shape, settings = Shape(24, 8), Settings()
    torch.manual_seed(6)
    network = Network(shape, PDFS)
    mean, spread = torch.full((BINS,), 10.0), torch.full((BINS,), 3.0)
    mel = torch.randn(16, frames_needed(shape, 20), BINS)
    network.train()
    for _ in range(20):
        network(mel * 2 + 1)
    network.eval()
    chances = np.random.default_rng(1).uniform(0.1, 1, PDFS)
    state = {"mean": mean, "spread": spread, "priors": chances / chances.sum()}
    written = write.acoustic_model(network, state, settings)
    write.write_folder(tmp_path, [("eins", ("aI", "n", "s"))], written, settings)
    # It is normalised in another way than when it was written.
    heard = (mel * spread + mean - 9) / 2
    state = read.checkpoint(tmp_path, shape, heard, torch.full((BINS,), 9.0), torch.full((BINS,), 2.0), settings)
    again = Network(Shape(**state["shape"]), PDFS)
    again.load_state_dict(state["averaged"])
    wanted = network(mel)
    for training in (False, True):
        again.train(training)
        found = again(heard)
        assert (found - wanted).abs().mean() < 0.02 * wanted.abs().mean()
    assert np.allclose(state["priors"], chances / chances.sum(), rtol=1e-4)


def test_a_net_of_another_shape_is_not_read(tmp_path: Path) -> None:
    network, settings = Network(SMALL, PDFS).eval(), Settings()
    ones = torch.ones(BINS)
    model = write.acoustic_model(network, {"mean": ones, "spread": ones, "priors": np.ones(PDFS)}, settings)
    write.write_folder(tmp_path, [("eins", ("aI", "n", "s"))], model, settings)
    with pytest.raises(ValueError, match="another shape"):
        read.checkpoint(tmp_path, Shape(24, 8), torch.zeros(1, 100, BINS), ones, ones, settings)
