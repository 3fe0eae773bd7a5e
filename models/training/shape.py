"""The shape of a net, as numbers: known without PyTorch, which only the net itself needs."""

from __future__ import annotations

from dataclasses import dataclass

SUBSAMPLING = 3
"""The net is computed at every third frame of 10 ms: a step of 30 ms."""


@dataclass(frozen=True)
class Shape:
    """Sizes of a net, in steps of 30 ms where they are times.

    Attributes:
        reach: of each block, to either side.
        memory: width of the layers of the memory; without one, 0.
        remembered: how far apart the two moments are that each of its layers takes of the one before.
        beside: the block that it stands beside, counted from 0.
    """

    width: int = 320
    bottleneck: int = 96
    reach: tuple[int, ...] = (1, 1, 1, 1, 2, 2, 2, 1)
    memory: int = 0
    remembered: tuple[int, ...] = (4, 8, 16, 32)
    beside: int = 3

    @property
    def ahead(self) -> int:
        """Steps that the net sees of what is to come, besides the first layer's three frames."""
        return sum(self.reach)

    @property
    def behind(self) -> int:
        """Steps that it sees of what has been."""
        return self.ahead + (max(0, sum(self.remembered) - self.reach[self.beside]) if self.memory else 0)
