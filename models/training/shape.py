"""The shape of a net as numbers, independent of PyTorch."""

from __future__ import annotations

from dataclasses import dataclass

SUBSAMPLING = 3
"""Frames of 10 ms for each step of the net, which is thus 30 ms."""


@dataclass(frozen=True)
class Shape:
    """Sizes of a net; times in steps of 30 ms."""

    width: int = 320  # of each block's output
    bottleneck: int = 96  # of each block
    reach: tuple[int, ...] = (1, 1, 1, 1, 2, 2, 2, 1)  # context of each block to either side
    memory: int = 0  # width of the memory's layers; 0: no memory
    remembered: tuple[int, ...] = (4, 8, 16, 32)  # distance of the two taps of each of its layers
    beside: int = 3  # index of the block in parallel to it, from 0

    @property
    def ahead(self) -> int:
        """Right context in steps, besides the first layer's three frames."""
        return sum(self.reach)

    @property
    def behind(self) -> int:
        """Left context in steps."""
        return self.ahead + (max(0, sum(self.remembered) - self.reach[self.beside]) if self.memory else 0)
