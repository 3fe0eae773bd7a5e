"""The common offset of a frame's scores, which makes them measure how well the sound fits the words.

Sequence training depends only on differences between words, so the common offset of all scores of a frame drifts. It is
restored to that of the net before: a small layer learns the difference for each frame from the last layer's input.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from models.training.network import Network
from models.training.sequence import SCALE, WordLoop

WIDTH = 64
"""Width of the hidden layer. Without one, isolated words fit less well than those of a sentence."""
ROUNDS, ROWS, RATE = 8, 1024, 1e-3
"""Epochs, frames a batch, and peak learning rate."""


class Offset(nn.Module):  # type: ignore[misc]
    """Maps the last layer's input, (..., width), to the offset, (..., 1)."""

    def __init__(self, width: int, between: int) -> None:
        super().__init__()
        self.inner = nn.Linear(width, between)
        self.out = nn.Linear(between, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        added: torch.Tensor = self.out(torch.relu(self.inner(x)))
        return added


def kept(state: dict[str, Any]) -> Offset | None:
    """The offset of a checkpoint; None if it has none."""
    if "offset" not in state:
        return None
    between, width = state["offset"]["inner.weight"].shape
    offset = Offset(width, between)
    offset.load_state_dict(state["offset"])
    return offset


def divisors(state: dict[str, Any], prior_scale: float) -> npt.NDArray[np.float64]:
    """The divisors of scores in decoding: the priors of a checkpoint, (outputs,), to the power of `prior_scale`."""
    priors = np.asarray(state["priors"], np.float64) ** prior_scale
    return np.asarray(priors / priors.sum())


class Scorer:
    """Computes the scores used in decoding, of a checkpoint.

    Args:
        network, state: of `train.load_network`.
        prior_scale: exponent of the priors.
    """

    def __init__(self, network: Network, state: dict[str, Any], prior_scale: float) -> None:
        self._network, self._offset = network, kept(state)
        device = network.out.bias.device
        self._log_priors = torch.from_numpy(np.log(divisors(state, prior_scale))).float().to(device)
        self._mean, self._spread = state["mean"].to(device), state["spread"].to(device)
        if self._offset is not None:
            self._offset.to(device)

    def __call__(self, mel: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The last layer's input, (batch, steps, width), and the scores, for mel energies (batch, frames, 40)."""
        heard = self._network.heard((mel - self._mean) / self._spread)
        scores = torch.log_softmax(self._network.out(heard), 2) - self._log_priors
        return heard, scores if self._offset is None else scores + self._offset(heard)


def learnt(now: Scorer, before: Scorer, loop: WordLoop, chunks: Iterable[tuple[torch.Tensor, torch.Tensor]]) -> Offset:
    """Learn the offset with which the spoken words get the scores of the net before.

    Args:
        now: the net, with units as outputs.
        before: the net that training continued from.
        loop: the words of the training.
        chunks: mel energies, (batch, frames, 40), each with the mask of phones allowed by its labels
            (`sequence.allowed`).
    """
    with torch.no_grad():
        found = list(_lacking(now, before, loop, chunks))
        heard, wanted = (torch.cat(column) for column in zip(*found, strict=True))
        known = len(heard) - len(heard) // 6  # the rest is held out for validation
        centre, spread = heard[:known].float().mean(0), heard[:known].float().std(0) + 1e-3
        usual = wanted[:known].mean()
    torch.manual_seed(0)
    offset: Offset = Offset(heard.shape[1], WIDTH).to(heard.device)
    rows = min(ROWS, known)
    optimiser = torch.optim.Adam(offset.parameters(), RATE, weight_decay=1e-5)
    pace = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, ROUNDS * (known // rows))
    for _ in range(ROUNDS):
        for some in torch.randperm(known, device=heard.device)[: known // rows * rows].split(rows):
            added = offset((heard[some].float() - centre) / spread)[:, 0]
            loss = ((added + usual - wanted[some]) ** 2).mean()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            pace.step()
    with torch.no_grad():
        offset.inner.weight /= spread
        offset.inner.bias -= offset.inner.weight @ centre
        offset.out.bias += usual
        off = offset(heard[known:].float())[:, 0] - wanted[known:]
    logging.info("offset: %.2f are left of %.2f", off.square().mean().sqrt(), wanted[known:].std())
    return offset


def _lacking(
    now: Scorer, before: Scorer, loop: WordLoop, chunks: Iterable[tuple[torch.Tensor, torch.Tensor]]
) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    """The last layer's input, (frames, width) in half precision, and the missing offset of the right words' scores."""
    for mel, mask in chunks:
        heard, scores = now(mel)
        likely = torch.exp(SCALE * (scores - scores.amax(2, keepdim=True)))
        right, _ = loop.posteriors(likely * mask[:, :, loop.sound])
        # A net without a memory needs less left context, so it has scores of earlier steps too.
        then = before(mel)[1][:, -scores.shape[1] :]
        if then.shape[2] < scores.shape[2]:
            then = then[:, :, loop.sound]
        yield heard.flatten(0, 1).half(), (right * (then - scores)).sum(2).flatten()
