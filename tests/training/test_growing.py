"""A net that grows, or is read back from its folder, gives the same scores until it is trained on."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the training extra")

from models.training import export, read, write  # noqa: E402
from models.training.features import BINS  # noqa: E402
from models.training.language import language  # noqa: E402
from models.training.network import Network, first_frame, frames_needed, widened  # noqa: E402
from models.training.shape import Shape  # noqa: E402
from models.training.write import Settings  # noqa: E402

pytestmark = pytest.mark.training
UNITS, PDFS = language("de").units, language("de").sounds.outputs
SMALL, LARGE = Shape(24, 8, (1, 2)), Shape(40, 12, (1, 2))
REMEMBERS: dict[str, Any] = {"memory": 10, "remembered": (2, 4), "beside": 1}


def heard(shape: Shape = SMALL) -> Network:
    """A net whose statistics are not those it began with."""
    torch.manual_seed(5)
    network = Network(shape, PDFS)
    network.train()
    for _ in range(3):
        network(torch.randn(4, frames_needed(shape, 12), BINS) * 3 + 1)
    return network


@pytest.mark.parametrize(
    ("was", "becomes", "larger"),
    [
        (SMALL, LARGE, 1.5),
        (SMALL, replace(SMALL, **REMEMBERS), 1.0),
        (replace(SMALL, **REMEMBERS), replace(LARGE, **REMEMBERS), 1.5),
    ],
)
def test_scores_stay_what_they_were(was: Shape, becomes: Shape, larger: float) -> None:
    small = heard(was)
    large = widened(small, becomes)
    inputs = torch.randn(2, frames_needed(becomes, 9), BINS)
    earlier = 3 * (becomes.behind - was.behind)
    assert sum(p.numel() for p in large.parameters()) > larger * sum(p.numel() for p in small.parameters())
    small.eval()
    large.eval()
    assert torch.allclose(large(inputs), small(inputs[:, earlier:]), atol=1e-5)
    if not earlier:  # What only a memory hears is in a batch's statistics too.
        small.train()
        large.train()
        assert torch.allclose(large(inputs), small(inputs), atol=1e-5)


def test_a_memory_hears_what_is_long_past_and_nothing_that_is_to_come() -> None:
    shape = Shape(24, 8, (1, 2), 10, (4, 8, 16), 1)
    network = heard(shape).eval()
    sound = torch.randn(1, frames_needed(shape, 1), BINS)
    wanted = network(sound)
    assert (shape.behind, shape.ahead) == (3 + 28 - 2, 3)
    # All it hears counts, from the first frame to the last.
    for frame in (0, first_frame(shape), sound.shape[1] - 1):
        changed = sound.clone()
        changed[:, frame] += 3
        assert not torch.equal(network(changed), wanted)


@pytest.mark.parametrize("shape", [LARGE, replace(SMALL, **REMEMBERS)])
def test_everything_new_learns(shape: Shape) -> None:
    large = widened(heard(), shape)
    large.train()
    optimiser = torch.optim.SGD(large.parameters(), lr=0.1)
    before = [parameter.detach().clone() for parameter in large.parameters()]
    for _ in range(3):
        optimiser.zero_grad()
        large(torch.randn(4, frames_needed(shape, 9), BINS)).square().mean().backward()
        optimiser.step()
    for was, now in zip(before, large.parameters(), strict=True):
        rows = (was != now.detach()).reshape(len(was), -1).any(1)
        assert rows.all()


@pytest.mark.parametrize("shape", [Shape(20, 8, (1, 2)), Shape(40, 6, (1, 2)), Shape(40, 12, (1, 1))])
def test_it_does_not_shrink(shape: Shape) -> None:
    with pytest.raises(ValueError, match="cannot grow"):
        widened(heard(), shape)


def test_a_memory_is_not_exchanged() -> None:
    with pytest.raises(ValueError, match="cannot grow"):
        widened(heard(replace(SMALL, **REMEMBERS)), replace(SMALL, **REMEMBERS | {"memory": 12}))


@pytest.mark.parametrize("outputs", [PDFS, UNITS.outputs])
@pytest.mark.parametrize("shape", [Shape(24, 8), Shape(24, 8, memory=10, remembered=(2, 4))])
def test_a_written_net_gives_the_same_scores_when_it_is_read_back(tmp_path: Path, shape: Shape, outputs: int) -> None:
    """What a finished folder holds can be resumed, also while batch norms take their statistics from the batch."""
    settings = Settings()
    torch.manual_seed(6)
    network = Network(shape, outputs)
    mean, spread = torch.full((BINS,), 10.0), torch.full((BINS,), 3.0)
    mel = torch.randn(16, frames_needed(shape, 20), BINS)
    network.train()
    for _ in range(20):
        network(mel * 2 + 1)
    network.eval()
    chances = np.random.default_rng(1).uniform(0.1, 1, outputs)
    chances /= chances.sum()
    state = {"mean": mean, "spread": spread, "priors": chances}
    written = export.acoustic_model(network, state, settings, UNITS)
    write.write_folder(tmp_path, [("eins", ("aI", "n", "s"))], written, settings, UNITS)
    # It is normalised in another way than when it was written.
    heard = (mel * spread + mean - 9) / 2
    state = read.checkpoint(tmp_path, shape, heard, torch.full((BINS,), 9.0), torch.full((BINS,), 2.0), settings, UNITS)
    again = Network(Shape(**state["shape"]), outputs)
    again.load_state_dict(state["averaged"])
    wanted = network(mel)
    for training in (False, True):
        again.train(training)
        found = again(heard)
        assert (found - wanted).abs().mean() < 0.02 * wanted.abs().mean()
    assert np.allclose(state["priors"], chances, rtol=1e-4)


def test_a_net_without_a_memory_is_read_as_one(tmp_path: Path) -> None:
    network, settings = heard().eval(), Settings()
    ones = torch.ones(BINS)
    model = export.acoustic_model(network, {"mean": ones, "spread": ones, "priors": np.ones(PDFS)}, settings, UNITS)
    write.write_folder(tmp_path, [("eins", ("aI", "n", "s"))], model, settings, UNITS)
    sound = torch.randn(4, 100, BINS)
    found = read.checkpoint(tmp_path, replace(SMALL, **REMEMBERS), sound, ones, ones, settings, UNITS)
    assert Shape(**found["shape"]).memory == 0


def test_a_net_of_another_shape_is_not_read(tmp_path: Path) -> None:
    network, settings = Network(SMALL, PDFS).eval(), Settings()
    ones = torch.ones(BINS)
    model = export.acoustic_model(network, {"mean": ones, "spread": ones, "priors": np.ones(PDFS)}, settings, UNITS)
    write.write_folder(tmp_path, [("eins", ("aI", "n", "s"))], model, settings, UNITS)
    with pytest.raises(ValueError, match="another shape"):
        read.checkpoint(tmp_path, Shape(24, 8), torch.zeros(1, 100, BINS), ones, ones, settings, UNITS)
