"""A net that grows gives the same scores until it is trained on, and then what is new in it takes part."""

import pytest

torch = pytest.importorskip("torch", reason="needs the training extra")

from models.training.features import BINS  # noqa: E402
from models.training.network import Network, Shape, frames_needed, widened  # noqa: E402

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
