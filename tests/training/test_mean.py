"""Halfway between two nets."""

import copy
from dataclasses import replace
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="needs the training extra")

from models.training.features import BINS  # noqa: E402
from models.training.language import language  # noqa: E402
from models.training.mean import halfway  # noqa: E402
from models.training.network import Network, frames_needed, split  # noqa: E402
from models.training.shape import Shape  # noqa: E402

pytestmark = pytest.mark.training
SHAPE = Shape(24, 8, (1, 2), 10, (2, 4), 1)
UNITS, PDFS = language("de").units, language("de").sounds.outputs
INPUTS = [torch.randn(16, frames_needed(SHAPE, 12), BINS, generator=torch.Generator().manual_seed(n)) for n in range(9)]


def heard() -> Network:
    """A net that has heard the inputs."""
    torch.manual_seed(3)
    network = Network(SHAPE, PDFS)
    for module in network.modules():
        if isinstance(module, torch.nn.BatchNorm1d):
            module.momentum = None
    network.train()
    with torch.no_grad():
        for batch in INPUTS:
            network(batch)
    network.eval()
    return network


def test_how_large_the_weights_of_a_normalised_layer_are_means_nothing() -> None:
    before = heard()
    last = split(before, UNITS)
    with torch.no_grad():
        last.front.weight.copy_(last.front.weight.flip(0))
    found = halfway(before, last, INPUTS, UNITS)
    with torch.no_grad():
        for layer, norm in last.normalised:
            layer.weight *= 7
            norm.batch.running_mean *= 7
            norm.batch.running_var *= 49
        assert torch.allclose(halfway(before, last, INPUTS, UNITS)(INPUTS[0]), found(INPUTS[0]), atol=1e-3)


def test_nothing_lies_between_a_net_and_itself() -> None:
    before = heard()
    found = halfway(before, split(before, UNITS), INPUTS, UNITS)
    with torch.no_grad():
        assert torch.allclose(found(INPUTS[0]), split(before, UNITS)(INPUTS[0]), atol=1e-3)


def test_it_is_as_far_from_either() -> None:
    before = split(heard(), UNITS)
    last = copy.deepcopy(before)
    with torch.no_grad():
        last.out.bias += 2
        last.norm.batch.weight *= 3
    found = halfway(before, last, INPUTS, UNITS)
    assert torch.allclose(found.out.bias, before.out.bias + 1)
    assert torch.allclose(found.norm.batch.weight, 2 * before.norm.batch.weight)


def test_what_layers_normalise_by_is_that_of_the_new_weights() -> None:
    before = split(heard(), UNITS)
    last = copy.deepcopy(before)
    with torch.no_grad():
        last.front.weight.copy_(-last.front.weight.flip(0))
    found = halfway(before, last, INPUTS, UNITS)
    normalised: list[Any] = []
    found.norm.register_forward_hook(lambda _module, _given, made: normalised.append(made.flatten(0, 1)))
    with torch.no_grad():
        for batch in INPUTS:
            found(batch)
    made = torch.cat(normalised)
    assert torch.allclose(made.mean(0), torch.zeros(SHAPE.width), atol=0.02)
    assert torch.allclose(made.std(0), torch.ones(SHAPE.width), atol=0.02)


def test_of_a_memory_that_is_new_half_is_heard() -> None:
    torch.manual_seed(4)
    before = Network(replace(SHAPE, memory=0), PDFS)
    last = split(heard(), UNITS)
    found = halfway(before, last, INPUTS, UNITS)
    assert torch.allclose(found.state_dict()["memory.recall.weight"], last.state_dict()["memory.recall.weight"] / 2)
    for (layer, _), (trained, norm) in zip(found.normalised[-2:], last.normalised[-2:], strict=True):
        spread = torch.sqrt(norm.batch.running_var + norm.batch.eps)[:, None]
        assert torch.allclose(layer.weight, trained.weight / spread, atol=1e-5)


def test_another_shape_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot grow"):
        halfway(heard(), split(Network(Shape(24, 8, (1, 2)), PDFS), UNITS), INPUTS, UNITS)
