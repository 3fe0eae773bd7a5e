"""The net: a factorised time-delay network (TDNN-F) with a step of three frames, as in Kaldi's nnet3.

After Povey et al., "Semi-orthogonal low-rank matrix factorization for deep neural networks", Interspeech 2018. The
first layer takes seven frames of mel energies every 30 ms; each block projects two steps to a bottleneck, expands two
of those, and adds its input. Level and channel are not normalised but varied in training.

One block may have a memory in parallel with a longer left context: who talked before the player, how loud the room is.
It has no right context, so it adds no latency.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import nn

from models.training.features import BINS
from models.training.shape import SUBSAMPLING, Shape
from models.training.units import Units

FRONT = 7
"""Frames of 10 ms that the first layer takes."""

SKIP = 0.66
"""Share of a block's input that is added to its output, as in Kaldi's TDNN-F."""


class _Norm(nn.Module):  # type: ignore[misc]
    """Batch normalisation over the last axis of (batch, steps, width)."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.batch = nn.BatchNorm1d(width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.batch(x.reshape(-1, x.shape[-1])).reshape(x.shape)


def _of_two(layer: nn.Linear, x: torch.Tensor, d: int) -> torch.Tensor:
    """`layer` applied to the concatenation of (t - d, t), without concatenating, which took an eighth of the
    training."""
    both = layer.weight.unflatten(1, (2, -1)).transpose(0, 1).flatten(0, 1)
    earlier, later = nn.functional.linear(x, both).chunk(2, 2)
    return earlier[:, :-d] + later[:, d:]


class Block(nn.Module):  # type: ignore[misc]
    """Linear bottleneck over (t - d, t); affine, batch norm and ReLU over (t, t + d); plus a share of the input."""

    def __init__(self, width: int, bottleneck: int, reach: int) -> None:
        super().__init__()
        self.reach = reach
        self.down = nn.Linear(2 * width, bottleneck, bias=False)
        self.up = nn.Linear(2 * bottleneck, width, bias=False)
        self.norm = _Norm(width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        d = self.reach
        low = _of_two(self.down, x, d)
        high = self.up(torch.cat((low[:, :-d], low[:, d:]), 2))
        return torch.relu(self.norm(high)) + SKIP * x[:, d:-d]


class Memory(nn.Module):  # type: ignore[misc]
    """Layers of affine, batch norm and ReLU over two taps of the layer before, (t - d, t), then a linear projection."""

    def __init__(self, width: int, memory: int, remembered: tuple[int, ...]) -> None:
        super().__init__()
        self.remembered = remembered
        widths = (width, *(memory for _ in remembered[1:]))
        self.layers = nn.ModuleList(nn.Linear(2 * before, memory, bias=False) for before in widths)
        self.norms = nn.ModuleList(_Norm(memory) for _ in remembered)
        self.recall = nn.Linear(memory, width, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for d, layer, norm in zip(self.remembered, self.layers, self.norms, strict=True):
            x = torch.relu(norm(_of_two(layer, x, d)))
        return self.recall(x)


class Network(nn.Module):  # type: ignore[misc]
    """Mel energies (batch, frames, 40), normalised by bin, to scores (batch, steps, outputs).

    Outputs are those of `phones.Sounds`, or of `units.Units`.
    """

    def __init__(self, shape: Shape, outputs: int) -> None:
        super().__init__()
        self.shape = shape
        self.front = nn.Linear(FRONT * BINS, shape.width, bias=False)
        self.norm = _Norm(shape.width)
        self.blocks = nn.ModuleList(Block(shape.width, shape.bottleneck, reach) for reach in shape.reach)
        self.memory = Memory(shape.width, shape.memory, shape.remembered) if shape.memory else None
        self.out = nn.Linear(shape.width, outputs)

    @property
    def normalised(self) -> list[tuple[nn.Linear, _Norm]]:
        """The layers with a batch norm, and the norms."""
        found = [(self.front, self.norm), *((block.up, block.norm) for block in self.blocks)]
        return found if self.memory is None else [*found, *zip(self.memory.layers, self.memory.norms, strict=True)]

    def forward(self, x: torch.Tensor, dropout: float = 0.0) -> torch.Tensor:
        return self.out(self.heard(x, dropout))

    def heard(self, x: torch.Tensor, dropout: float = 0.0) -> torch.Tensor:
        """The last layer's input, (batch, steps, width)."""
        steps = (x.shape[1] - FRONT) // SUBSAMPLING + 1
        # Seven frames concatenated, at every third frame.
        spliced = torch.cat([x[:, k : k + SUBSAMPLING * (steps - 1) + 1 : SUBSAMPLING] for k in range(FRONT)], 2)
        x = torch.relu(self.norm(self.front(spliced)))
        for number, block in enumerate(self.blocks):
            if dropout:
                x = x * (torch.rand(x.shape[0], 1, x.shape[2], device=x.device) >= dropout).to(x.dtype) / (1 - dropout)
            now = block(x)
            if self.memory is not None and number == self.shape.beside:
                # Align both: from the memory's full left context to the block's right context.
                past = self.memory(x)[:, : -block.reach]
                now = now[:, -past.shape[1] :] + past
            x = now
        return x


def widened(small: Network, shape: Shape) -> Network:
    """A larger net with the same scores, to be trained further: new units exist, but their outgoing weights are zero.

    After Chen, Goodfellow and Shlens, "Net2Net: accelerating learning via knowledge transfer", ICLR 2016.

    Args:
        shape: of the same reach, at least as wide, with at least as large a bottleneck, and with the same memory, or a
            new one if there was none.

    Raises:
        ValueError: another reach or memory, or smaller.
    """
    old = small.shape
    remembers = (old.memory, old.remembered, old.beside)
    forgets = old.memory and (shape.memory, shape.remembered, shape.beside) != remembers
    if shape.reach != old.reach or shape.width < old.width or shape.bottleneck < old.bottleneck or forgets:
        raise ValueError(f"{old} cannot grow to {shape}")
    large = Network(shape, small.out.out_features)
    wide = torch.arange(old.width)
    narrow = torch.arange(old.bottleneck)
    with torch.no_grad():
        large.front.weight[wide] = small.front.weight
        _grow(large.out.weight, small.out.weight, torch.arange(len(small.out.weight)), wide)
        large.out.bias.copy_(small.out.bias)
        for new, was in zip(large.blocks, small.blocks, strict=True):
            _grow(new.down.weight, was.down.weight, narrow, torch.cat((wide, wide + shape.width)))
            _grow(new.up.weight, was.up.weight, wide, torch.cat((narrow, narrow + shape.bottleneck)))
        norms = [(large.norm, small.norm), *((b.norm, a.norm) for b, a in zip(large.blocks, small.blocks, strict=True))]
        for one, other in norms:
            for name in ("weight", "bias", "running_mean", "running_var"):
                getattr(one.batch, name)[wide] = getattr(other.batch, name)
        if large.memory is not None and small.memory is not None:
            _widen(large.memory, small.memory, wide)
        elif large.memory is not None:
            large.memory.recall.weight.zero_()
    return large


def split(whole: Network, units: Units) -> Network:
    """A net with units as outputs, to be trained further: initially all units of a phone are equally likely.

    A net that has units already is returned unchanged.
    """
    if whole.out.out_features == units.outputs:
        return whole
    network = Network(whole.shape, units.outputs)
    state = whole.state_dict()
    state["out.weight"] = state["out.weight"][units.output_of]
    state["out.bias"] = state["out.bias"][units.output_of] + torch.from_numpy(np.log(units.shares)).float()
    network.load_state_dict(state)
    network.train(whole.training)
    return network


def _widen(large: Memory, small: Memory, wide: torch.Tensor) -> None:
    """Copy a memory into that of a wider net, whose first rows and columns are those of the narrower one."""
    width, inside = len(large.recall.weight), torch.arange(small.recall.in_features)
    _grow(large.layers[0].weight, small.layers[0].weight, inside, torch.cat((wide, wide + width)))
    _grow(large.recall.weight, small.recall.weight, wide, inside)
    for new, was in zip([*large.layers[1:], *large.norms], [*small.layers[1:], *small.norms], strict=True):
        new.load_state_dict(was.state_dict())


def _grow(large: torch.Tensor, small: torch.Tensor, rows: torch.Tensor, columns: torch.Tensor) -> None:
    """Copy a matrix into a larger one; its rows get zero weights for the new columns."""
    large[rows] = 0
    large[rows[:, None], columns] = small


def frames_needed(shape: Shape, steps: int) -> int:
    """Frames of 10 ms needed for `steps` outputs; output 0 belongs to frame `first_frame(shape)`."""
    return SUBSAMPLING * (steps + shape.behind + shape.ahead - 1) + FRONT


def first_frame(shape: Shape) -> int:
    """The frame to which output 0 belongs."""
    return SUBSAMPLING * shape.behind + FRONT // 2
