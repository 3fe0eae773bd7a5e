"""The net: a factorised time-delay network (TDNN-F) over three frames at a time, written to Kaldi's nnet3 as it is.

After Povey et al., "Semi-orthogonal low-rank matrix factorization for deep neural networks", Interspeech 2018. A first
layer sees seven frames of mel energies every 30 ms; each block squeezes two moments into a bottleneck, unfolds two of
those, and adds what came in. Level and channel are not normalised: the training varies them.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import nn

from models.training.features import BINS
from models.training.phones import PHONES

SUBSAMPLING = 3
FRONT = 7
SKIP = 0.66
PDFS = 2 * len(PHONES)
"""Outputs: for phone k its first frame (2k) and every further one (2k + 1)."""


@dataclass(frozen=True)
class Shape:
    """Sizes of a net: width, bottleneck, and the reach of each block in steps of 30 ms."""

    width: int = 320
    bottleneck: int = 96
    reach: tuple[int, ...] = (1, 1, 1, 1, 2, 2, 2, 1)

    @property
    def context(self) -> int:
        """Steps of 30 ms that the net sees on either side, besides the first layer's three frames."""
        return sum(self.reach)


class _Norm(nn.Module):  # type: ignore[misc]
    """Batch normalisation over the last axis of (batch, steps, width)."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.batch = nn.BatchNorm1d(width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.batch(x.reshape(-1, x.shape[-1])).reshape(x.shape)


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
        low = self.down(torch.cat((x[:, :-d], x[:, d:]), 2))
        high = self.up(torch.cat((low[:, :-d], low[:, d:]), 2))
        return torch.relu(self.norm(high)) + SKIP * x[:, d:-d]


class Network(nn.Module):  # type: ignore[misc]
    """Mel energies (batch, frames, 40), normalised by bin, to scores (batch, steps, PDFS)."""

    def __init__(self, shape: Shape, outputs: int = PDFS) -> None:
        super().__init__()
        self.shape = shape
        self.front = nn.Linear(FRONT * BINS, shape.width, bias=False)
        self.norm = _Norm(shape.width)
        self.blocks = nn.ModuleList(Block(shape.width, shape.bottleneck, reach) for reach in shape.reach)
        self.out = nn.Linear(shape.width, outputs)

    def forward(self, x: torch.Tensor, dropout: float = 0.0) -> torch.Tensor:
        steps = (x.shape[1] - FRONT) // SUBSAMPLING + 1
        # Seven frames side by side, a row every third frame.
        spliced = torch.cat([x[:, k : k + SUBSAMPLING * (steps - 1) + 1 : SUBSAMPLING] for k in range(FRONT)], 2)
        x = torch.relu(self.norm(self.front(spliced)))
        for block in self.blocks:
            if dropout:
                x = x * (torch.rand(x.shape[0], 1, x.shape[2]) >= dropout).to(x.dtype) / (1 - dropout)
            x = block(x)
        return self.out(x)


def widened(small: Network, shape: Shape) -> Network:
    """A larger net that gives the same scores, to be trained on: what is new is there, but nothing listens to it yet.

    After Chen, Goodfellow and Shlens, "Net2Net: accelerating learning via knowledge transfer", ICLR 2016.

    Args:
        shape: of the same reach, at least as wide, the bottleneck at least as large.

    Raises:
        ValueError: another reach, or smaller.
    """
    old = small.shape
    if shape.reach != old.reach or shape.width < old.width or shape.bottleneck < old.bottleneck:
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
        norms = zip(
            [large.norm, *(b.norm for b in large.blocks)], [small.norm, *(b.norm for b in small.blocks)], strict=True
        )
        for one, other in norms:
            for name in ("weight", "bias", "running_mean", "running_var"):
                getattr(one.batch, name)[wide] = getattr(other.batch, name)
    return large


def _grow(large: torch.Tensor, small: torch.Tensor, rows: torch.Tensor, columns: torch.Tensor) -> None:
    """Put a matrix into a larger one; its own rows take nothing of the new columns."""
    large[rows] = 0
    large[rows[:, None], columns] = small


def frames_needed(shape: Shape, steps: int) -> int:
    """Frames of 10 ms that give `steps` outputs; the first output's own frame is number `first_frame(shape)`."""
    return SUBSAMPLING * (steps + 2 * shape.context - 1) + FRONT


def first_frame(shape: Shape) -> int:
    """The frame that output 0 is about."""
    return SUBSAMPLING * shape.context + FRONT // 2
