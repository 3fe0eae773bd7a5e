"""Halfway between a net and the one that it went on from.

With sounds of their own the words of a move are heard better in noise, but people whom nobody has heard less well: what
the one net has lost the other still has, and halfway between their weights lies what both can (issue 22). After
Wortsman et al., "Robust fine-tuning of zero-shot models", CVPR 2022.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable

import torch
from torch import nn

from models.training.network import Network, split, widened
from models.training.units import Units


def halfway(before: Network, last: Network, inputs: Iterable[torch.Tensor], units: Units) -> Network:
    """The net halfway between both, ready to be used.

    Args:
        before: the net that `last` has grown from; without a memory, what that of `last` hears counts half.
        inputs: normalised mel energies, (batch, frames, 40) each; by them is counted anew what layers normalise by,
            and the net lies where they do then.
        units: that `last` tells apart.

    Raises:
        ValueError: `last` has not grown from such a net.
    """
    network, grown = _evenly_spread(last), widened(split(before, units), last.shape)
    with torch.no_grad():
        if last.memory is not None and grown.memory is not None and not before.shape.memory:
            grown.memory.load_state_dict(last.memory.state_dict())
            grown.memory.recall.weight.zero_()
        other = dict(_evenly_spread(grown).named_parameters())
        for name, parameter in network.named_parameters():
            parameter.lerp_(other[name], 0.5)
        for module in network.modules():
            if isinstance(module, nn.BatchNorm1d):
                module.reset_running_stats()
                module.momentum = None  # the mean of all that is seen
        network.train()
        for batch in inputs:
            network.to(batch.device)(batch)
    network.eval()
    return network


def _evenly_spread(network: Network) -> Network:
    """The same net, but for how large the weights of normalised layers are, which means nothing: what they give has a
    spread of one."""
    found = copy.deepcopy(network)
    with torch.no_grad():
        for layer, norm in found.normalised:
            layer.weight /= torch.sqrt(norm.batch.running_var + norm.batch.eps)[:, None]
    return found
