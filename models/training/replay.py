"""Many small operations on a GPU, recorded once and replayed: else most of the time would go into starting each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch


def replayed(function: Callable[[torch.Tensor], Any]) -> Callable[[torch.Tensor], Any]:
    """The same function of one tensor, which on a GPU is recorded for each shape that it meets.

    What it gives there holds until it is called again: it is written to the same memory then.
    """
    recorded: dict[torch.Size, tuple[torch.cuda.CUDAGraph, torch.Tensor, Any]] = {}

    def replay(given: torch.Tensor) -> Any:
        if not given.is_cuda:
            return function(given)
        if given.shape not in recorded:
            graph, kept = torch.cuda.CUDAGraph(), given.clone()
            function(kept)  # what is set up at the first call must not be recorded
            torch.cuda.synchronize()
            with torch.cuda.graph(graph):
                found = function(kept)
            recorded[given.shape] = (graph, kept, found)
        graph, kept, found = recorded[given.shape]
        kept.copy_(given)
        graph.replay()
        return found

    return replay
