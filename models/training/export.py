"""A trained net as Kaldi's acoustic model: batch norms folded into the layers, mel energies turned into cepstra."""

from __future__ import annotations

import math

import numpy as np
import torch

from models.training import features, kaldi
from models.training.network import FRONT, SKIP, Memory, Network
from models.training.offset import Offset, divisors, kept
from models.training.shape import SUBSAMPLING
from models.training.units import Units
from models.training.write import AcousticModel, Settings


def _folded(weights: torch.Tensor, norm: torch.nn.Module) -> tuple[np.ndarray, np.ndarray]:
    """Weights and bias of a linear layer with the batch norm after it."""
    batch = norm.batch
    gain = (batch.weight / torch.sqrt(batch.running_var + batch.eps)).detach().double().numpy()
    bias = batch.bias.detach().double().numpy() - batch.running_mean.double().numpy() * gain
    return weights.detach().double().numpy() * gain[:, None], bias


def _linear(layer: torch.nn.Linear) -> tuple[np.ndarray, np.ndarray]:
    """Weights and bias of a linear layer."""
    return layer.weight.detach().double().numpy(), layer.bias.detach().double().numpy()


def net(
    network: Network, mean: torch.Tensor, spread: torch.Tensor, priors: np.ndarray, offset: Offset | None = None
) -> bytes:
    """The trained network as Kaldi's acoustic model, its input turned from mel energies to cepstra."""
    built = kaldi.Net(features.BINS)
    weights, bias = _folded(network.front.weight, network.norm)
    by_frame = weights.reshape(len(weights), FRONT, features.BINS)
    by_frame = by_frame / spread.double().numpy()
    bias = bias - (by_frame * mean.double().numpy()).sum((1, 2))
    cepstral = (by_frame @ features.MEL).reshape(len(weights), -1)
    half = FRONT // 2
    spliced = ", ".join("input" if k == half else f"Offset(input, {k - half})" for k in range(FRONT))
    node = built.affine("front.affine", cepstral, bias, f"Append({spliced})")
    node = built.nonlinear("front", "RectifiedLinearComponent", network.shape.width, node)
    for number, block in enumerate(network.blocks):
        shift, name, width = SUBSAMPLING * block.reach, f"block{number}", network.shape.width
        down = block.down.weight.detach().double().numpy()
        both = f"Append(Offset({node}, -{shift}), {node})"
        low = built.affine(f"{name}.down", down, np.zeros(len(down)), both, small=True)
        up, bias = _folded(block.up.weight, block.norm)
        high = built.affine(f"{name}.up", up, bias, f"Append({low}, Offset({low}, {shift}))", small=True)
        high = built.nonlinear(f"{name}.relu", "RectifiedLinearComponent", width, high)
        whole = f"Sum({high}, Scale({SKIP}, {node}))"
        if network.memory is not None and number == network.shape.beside:
            whole = f"Sum({whole}, {_memory(built, network.memory, node)})"
        node = built.same(name, width, whole)
    out, bias = _linear(network.out)
    scores = built.affine("out.affine", out, bias, node, small=True)
    scores = built.nonlinear("out", "LogSoftmaxComponent", len(out), scores)
    if offset is not None:
        inner, added = _linear(offset.inner), _linear(offset.out)
        node = built.affine("offset.inner", *inner, node, small=True)
        node = built.nonlinear("offset.relu", "RectifiedLinearComponent", len(inner[1]), node)
        node = built.affine("offset.out", *added, node)
        node = built.affine("offset.all", np.ones((len(out), 1)), np.zeros(len(out)), node)
        scores = built.same("scores", len(out), f"Sum({scores}, {node})")
    behind, ahead = (SUBSAMPLING * steps + half for steps in (network.shape.behind, network.shape.ahead))
    return built.acoustic_model(scores, (behind, ahead), priors)


def _memory(built: kaldi.Net, memory: Memory, node: str) -> str:
    """The node of what a memory has to say of the sound at `node`."""
    for number, (steps, layer, norm) in enumerate(zip(memory.remembered, memory.layers, memory.norms, strict=True)):
        name, (weights, bias) = f"memory{number}", _folded(layer.weight, norm)
        both = f"Append(Offset({node}, -{SUBSAMPLING * steps}), {node})"
        node = built.affine(f"{name}.affine", weights, bias, both, small=True)
        node = built.nonlinear(name, "RectifiedLinearComponent", len(weights), node)
    recall = memory.recall.weight.detach().double().numpy()
    return built.affine("memory.recall", recall, np.zeros(len(recall)), node, small=True)


def acoustic_model(network: Network, state: dict[str, torch.Tensor], settings: Settings, units: Units) -> AcousticModel:
    """A trained checkpoint as Kaldi's acoustic model. `units`: of its language."""
    priors = divisors(state, settings.prior_scale)
    sounds = units.names if len(priors) == units.outputs else units.sounds.names
    offset = kept(state)
    if offset is not None:
        priors *= math.exp(-settings.raised)
    return AcousticModel(net(network, state["mean"], state["spread"], priors, offset), sounds)
