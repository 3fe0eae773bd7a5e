"""Averaging a net with the one that its training continued from.

Separate phones for the words of a move improve recognition in noise but worsen it for unseen people; the mean of the
weights of both nets has the advantages of both. After Wortsman et al., "Robust fine-tuning of zero-shot models", CVPR
2022.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable

import torch
from torch import nn

from models.training.network import Network, split, widened
from models.training.units import Units


def halfway(before: Network, last: Network, inputs: Iterable[torch.Tensor], units: Units) -> Network:
    """The mean of both nets, in evaluation mode.

    Args:
        before: the net that `last` was trained from; if it has no memory, that of `last` counts half.
        inputs: normalised mel energies, (batch, frames, 40) each, from which batch norm statistics are recomputed; the
            net is moved to their device.
        units: outputs of `last`.

    Raises:
        ValueError: `last` cannot have been trained from such a net.
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
                module.momentum = None  # cumulative mean over all batches
        network.train()
        for batch in inputs:
            network.to(batch.device)(batch)
    network.eval()
    return network


def _evenly_spread(network: Network) -> Network:
    """The net with weights of normalised layers rescaled to outputs of unit variance; their scale is arbitrary."""
    found = copy.deepcopy(network)
    with torch.no_grad():
        for layer, norm in found.normalised:
            layer.weight /= torch.sqrt(norm.batch.running_var + norm.batch.eps)[:, None]
    return found
