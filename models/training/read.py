"""Loading a finished model as a net for further training: the inverse of `export.net`.

Batch norms were folded into the weights, which are quantised to one or two bytes, so this is the net as it decodes,
with the same scores up to quantisation.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from models.training import features, kaldi
from models.training.network import FRONT, Network
from models.training.shape import Shape
from models.training.units import Units
from models.training.write import Settings, read_acoustic_model

_AFFINE = kaldi.token("<FixedAffineComponent>") + kaldi.token("<LinearParams>")


def matrix(data: bytes, at: int) -> tuple[kaldi.Matrix, int]:
    """Read a compressed matrix of `kaldi.matrix` or `kaldi.small_matrix` at `at`; returns it and the offset behind it.

    Raises:
        ValueError: there is no compressed matrix.
    """
    small = data.startswith(kaldi.token("CM"), at)
    if not small and not data.startswith(kaldi.token("CM2"), at):
        raise ValueError("no compressed matrix")
    at += len(kaldi.token("CM" if small else "CM2"))
    low, span, rows, columns = struct.unpack_from("<ffii", data, at)
    at += struct.calcsize("<ffii")
    if not small:
        steps = np.frombuffer(data, "<u2", rows * columns, at).reshape(rows, columns)
        return low + steps * (span / 65535), at + 2 * rows * columns
    knots = low + np.frombuffer(data, "<u2", 4 * columns, at).reshape(columns, 4) * (span / 65535)
    at += 8 * columns
    codes = np.frombuffer(data, np.uint8, rows * columns, at).reshape(columns, rows)
    values = [np.interp(column, kaldi.CODES, own) for column, own in zip(codes, knots, strict=True)]
    return np.stack(values, 1), at + rows * columns


def _vector(data: bytes, at: int) -> kaldi.Matrix:
    at += len(kaldi.token("FV"))
    (count,) = struct.unpack_from("<i", data, at + 1)
    return np.frombuffer(data, "<f4", count, at + 5).astype(np.float64)


def _affine_layers(data: bytes) -> Iterator[tuple[kaldi.Matrix, kaldi.Matrix]]:
    """Weights and bias of each affine layer, in order."""
    at = data.find(_AFFINE)
    while at >= 0:
        weights, at = matrix(data, at + len(_AFFINE))
        yield weights, _vector(data, at + len(kaldi.token("<BiasParams>")))
        at = data.find(_AFFINE, at)


def checkpoint(
    folder: Path,
    shape: Shape,
    mel: torch.Tensor,
    mean: torch.Tensor,
    spread: torch.Tensor,
    settings: Settings,
    units: Units,
) -> dict[str, Any]:
    """The net of a finished folder as a checkpoint for `train.train`.

    Args:
        shape: of its net; a memory is dropped if the net has none.
        mel: typical input, (chunks, frames, 40), normalised by bin, from which batch norm statistics are computed, so
            that the scores are the same in training.
        mean, spread: of the normalisation, (40,) each.
        settings: with which the folder was written.
        units: of its language.

    Raises:
        ValueError: not a folder of `write.write_folder`, or a net of another shape.
    """
    data = read_acoustic_model(folder, units).data
    affine = list(_affine_layers(data))
    kept: dict[str, Any] = {}
    if b"name=offset.all " in data:
        *affine, inner, added, _ = affine
        kept["offset"] = {
            f"{name}.{kind}": torch.from_numpy(values).float()
            for name, layer in (("inner", inner), ("out", added))
            for kind, values in zip(("weight", "bias"), layer, strict=True)
        }
    (front, front_bias), *middle, (out, out_bias) = affine
    if len(middle) == 2 * len(shape.reach):
        shape = replace(shape, memory=0)
    network = Network(shape, len(out))
    layers = list(_layers(network))
    if [weights.shape for weights, _ in middle] != [tuple(layer.weight.shape) for layer, _ in layers]:
        raise ValueError(f"{folder}: a net of another shape")
    by_frame = front.reshape(len(front), FRONT, features.BINS) @ features.CEPSTRA
    front_bias = front_bias + (by_frame * mean.double().numpy()).sum((1, 2))
    by_frame = by_frame * spread.double().numpy()
    with torch.no_grad():
        network.front.weight.copy_(torch.from_numpy(by_frame.reshape(len(front), -1)))
        network.out.weight.copy_(torch.from_numpy(out))
        network.out.bias.copy_(torch.from_numpy(out_bias))
        for (layer, _), (weights, _) in zip(layers, middle, strict=True):
            layer.weight.copy_(torch.from_numpy(weights))
        biases = [(norm, bias) for (_, norm), (_, bias) in zip(layers, middle, strict=True) if norm is not None]
        # In order, since each depends on the output of the ones before it.
        for norm, bias in [(network.norm, front_bias), *biases]:
            _settle(network, norm.batch, torch.from_numpy(bias).float(), mel)
    priors = _vector(data, data.rfind(kaldi.token("<Priors>")) + len(kaldi.token("<Priors>")))
    priors = priors ** (1 / settings.prior_scale)
    return kept | {
        "averaged": network.state_dict(), "mean": mean, "spread": spread, "shape": asdict(shape),
        "priors": priors / priors.sum(),
    }  # fmt: skip


def _layers(network: Network) -> Iterator[tuple[torch.nn.Linear, torch.nn.Module | None]]:
    """The layers between first and last in the order of `export.net`, each with its batch norm, if any."""
    for number, block in enumerate(network.blocks):
        yield block.down, None
        yield block.up, block.norm
        if network.memory is not None and number == network.shape.beside:
            yield from zip(network.memory.layers, network.memory.norms, strict=True)
            yield network.memory.recall, None


def _settle(network: Network, norm: torch.nn.BatchNorm1d, bias: torch.Tensor, mel: torch.Tensor) -> None:
    """Set a batch norm to the statistics of its input, with gain and shift such that it only adds `bias`."""
    seen: list[torch.Tensor] = []
    hook = norm.register_forward_pre_hook(lambda _, inputs: seen.append(inputs[0]))
    network.eval()
    network(mel)
    hook.remove()
    norm.running_mean.copy_(seen[0].mean(0))
    norm.running_var.copy_(seen[0].var(0))
    norm.weight.copy_(torch.sqrt(norm.running_var + norm.eps))
    norm.bias.copy_(bias + norm.running_mean)
