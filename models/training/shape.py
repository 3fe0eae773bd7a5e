"""The shape of a net as numbers, independent of PyTorch."""

from __future__ import annotations

from dataclasses import dataclass

SUBSAMPLING = 3
"""Frames of 10 ms for each step of the net, which is thus 30 ms."""


@dataclass(frozen=True)
class Shape:
    """Sizes of a net, in steps of 30 ms where they are times.

    Attributes:
        reach: context of each block to either side.
        memory: width of the memory's layers; 0: no memory.
        remembered: distance of the two taps of each of its layers.
        beside: index of the block in parallel to it, from 0.
    """

    width: int = 320
    bottleneck: int = 96
    reach: tuple[int, ...] = (1, 1, 1, 1, 2, 2, 2, 1)
    memory: int = 0
    remembered: tuple[int, ...] = (4, 8, 16, 32)
    beside: int = 3

    @property
    def ahead(self) -> int:
        """Right context in steps, besides the first layer's three frames."""
        return sum(self.reach)

    @property
    def behind(self) -> int:
        """Left context in steps."""
        return self.ahead + (max(0, sum(self.remembered) - self.reach[self.beside]) if self.memory else 0)
