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


def frames_needed(shape: Shape, steps: int) -> int:
    """Frames of 10 ms that give `steps` outputs; the first output's own frame is number `first_frame(shape)`."""
    return SUBSAMPLING * (steps + 2 * shape.context - 1) + FRONT


def first_frame(shape: Shape) -> int:
    """The frame that output 0 is about."""
    return SUBSAMPLING * shape.context + FRONT // 2
