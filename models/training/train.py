"""Training of the net on random chunks of the corpus: at frame level first, then on whole words (`sequence`).

On a CPU a batch is split among threads of one core each: torch's own threads wait for each other at every operation,
which is slow on a busy machine. On a GPU all data is there, and batches are not split.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch.utils._pytree import tree_map
from tqdm import tqdm

from models.training import sequence
from models.training.augment import Augmentation
from models.training.corpus import Frames
from models.training.network import Network, first_frame, frames_needed, split, widened
from models.training.phones import SILENT, UNKNOWN_SOUND
from models.training.shape import SUBSAMPLING, Shape
from models.training.units import Units

CHUNK = 100
"""Steps of 30 ms in a chunk: three seconds."""
GARBAGE_SHARE = 0.75
"""Share of the target, 0 to 1, for the garbage output in an out-of-vocabulary word; the rest is for the phone itself.
Larger: other speech is rejected more readily, and words of unseen people too."""


NEVER = np.iinfo(np.int64).max // 2
"""Frame number after all others."""
FRAMEWISE = 0.1
"""Weight of the frame-level loss in sequence training. Larger: the common offset of the scores drifts less, with less
gain in noise."""


class Source:
    """A corpus and its share of every batch.

    Args:
        share: of a batch, 0 to 1.
        garbage: as `GARBAGE_SHARE`.
        device: of its features and labels; None: the CPU.

    Attributes:
        mel, phone, unknown, segment: of the frames; `unknown`: whether the word is out of vocabulary.
        silent: numbers of the silent frames, ascending.
    """

    def __init__(
        self, frames: Frames, share: float, garbage: float = GARBAGE_SHARE, device: torch.device | None = None
    ) -> None:
        self.share, self.garbage = share, garbage
        self.silent = np.flatnonzero(frames.phone == SILENT)
        self.mel, self.phone, self.unknown, self.segment = (
            torch.from_numpy(column).to(device) for column in (frames.mel, frames.phone, frames.garbage, frames.segment)
        )

    def wanted(self, at: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Target outputs at the given frames (twice the phone, plus one unless it has just begun), and their garbage
        shares."""
        again = self.segment[at] == self.segment[(at - SUBSAMPLING).clamp(min=0)]
        return self.phone[at].long() * 2 + again, self.unknown[at] * self.garbage


@dataclass(frozen=True)
class Schedule:
    """Duration and pace of training."""

    batches: int
    size: int = 64  # chunks a batch
    rate: float = 2e-3  # peak learning rate
    averaged: float = 0.998  # decay of the running mean of the weights. Larger: over more batches
    dropout: float = 0.05


def cut(
    source: Source, shape: Shape, count: int, rng: np.random.Generator, *, masks: int = 0
) -> tuple[torch.Tensor, ...]:
    """Random chunks: mel energies, (count, frames, 40), target outputs and garbage shares, (count, CHUNK) each.

    `masks`: number of phones of the language, to return the masks of `sequence.allowed` as well; 0: without. For a net
    with a memory the speaker changes in half of the chunks, so that it does not rely on earlier speech being the
    current speaker's.
    """
    need = frames_needed(shape, CHUNK)
    numbers = rng.integers(0, len(source.mel) - need, (count, 1)) + np.arange(need)
    if shape.memory:
        _taken_over(numbers, source.silent, rng)
    rows = torch.from_numpy(numbers).to(source.mel.device)
    at = rows[:, first_frame(shape) :: SUBSAMPLING][:, :CHUNK]
    wanted, garbage = source.wanted(at)
    garbage[source.phone[at] == UNKNOWN_SOUND] = 1.0
    found = (source.mel[rows].float(), wanted, garbage)
    return (*found, sequence.allowed(source.phone, source.unknown, at, masks)) if masks else found


def augmented(shape: Shape, noise: torch.Tensor, seed: int) -> Augmentation:
    """The augmentation of chunks for a net of this shape; `noise`: mel energies, (frames, 40)."""
    return Augmentation(noise, seed, SUBSAMPLING * (shape.behind - shape.ahead))


def drawn(
    sources: Sequence[Source],
    shape: Shape,
    size: int,
    rng: np.random.Generator,
    augmentation: Augmentation,
    masks: int = 0,
) -> list[torch.Tensor]:
    """A batch of about `size` chunks of `cut`, by the shares of the sources, with augmented mel energies."""
    counts = np.maximum(1, np.round([size * source.share for source in sources])).astype(int)
    parts = [cut(source, shape, count, rng, masks=masks) for source, count in zip(sources, counts, strict=True)]
    mel, *labels = (torch.cat(column) for column in zip(*parts, strict=True))
    with torch.no_grad():
        return [augmentation(mel), *labels]


def _taken_over(rows: npt.NDArray[np.int64], silent: npt.NDArray[np.int64], rng: np.random.Generator) -> None:
    """In every other row of frame numbers, (count, frames), continue elsewhere in the corpus from a silence on."""
    frames, half = rows.shape[1], rows[::2]
    begin = half[:, :1]
    here = np.searchsorted(silent, begin + rng.integers(frames, size=begin.shape))
    there = silent[rng.integers(np.searchsorted(silent, silent[-1] - frames), size=begin.shape)]
    kept = np.append(silent, NEVER)[here] - begin
    after = np.arange(frames) - kept
    np.copyto(half, there + after, where=after >= 0)


def loss_of(scores: torch.Tensor, wanted: torch.Tensor, garbage: torch.Tensor, units: Units) -> torch.Tensor:
    """Frame-level loss: cross-entropy of the phones with the garbage shares. Units count as their phones."""
    likely = torch.softmax(scores.float(), 2)
    sound_of = torch.from_numpy(units.output_of[: likely.shape[2]]).to(likely.device)
    sounds = likely.new_zeros(*likely.shape[:2], units.sounds.outputs).index_add(2, sound_of, likely)
    logs = torch.log(sounds + 1e-20)
    sound = logs.gather(2, wanted[:, :, None])[:, :, 0]
    return -((1 - garbage) * sound + garbage * logs[:, :, 2 * UNKNOWN_SOUND]).mean()


def priors(sources: Sequence[Source], outputs: int) -> np.ndarray:
    """Priors of the outputs, (outputs,), summing to one."""
    total = np.zeros(outputs)
    for source in sources:
        at = torch.arange(SUBSAMPLING, len(source.mel), SUBSAMPLING, device=source.mel.device)
        wanted, garbage = source.wanted(at)
        share = garbage.cpu().numpy()
        counts = np.bincount(wanted.cpu().numpy(), 1 - share, outputs)
        counts[2 * UNKNOWN_SOUND] += share.sum()
        total += source.share * counts / counts.sum()
    total += 1e-5
    return np.asarray(total / total.sum())


def statistics(source: Source, noise: torch.Tensor, seed: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Mean and standard deviation of each bin after augmentation, (40,) each."""
    rng = np.random.default_rng(seed)
    start = rng.integers(0, len(source.mel) - 300, (400, 1))
    mel = Augmentation(noise, seed)(source.mel[torch.from_numpy(start + np.arange(300)).to(source.mel.device)].float())
    flat = mel.reshape(-1, mel.shape[2])
    return flat.mean(0), flat.std(0)


def save(path: Path, state: dict[str, Any]) -> None:
    """Write a checkpoint for any device, atomically."""
    partial = path.with_suffix(".partial")
    torch.save(tree_map(lambda value: value.cpu() if isinstance(value, torch.Tensor) else value, state), partial)
    partial.replace(path)


def load_network(path: Path) -> tuple[Network, dict[str, Any]]:
    """The averaged net of a checkpoint in evaluation mode, and the checkpoint."""
    state = torch.load(path, weights_only=False)
    network = Network(Shape(**state["shape"]), len(state["averaged"]["out.bias"]))
    network.load_state_dict(state["averaged"])
    network.eval()
    return network, state


def train(
    path: Path,
    shape: Shape,
    sources: Sequence[Source],
    noise: torch.Tensor,
    schedule: Schedule,
    seed: int,
    units: Units,
    start: Path | None = None,
    loop: sequence.WordLoop | None = None,
    cores: int = 2,
) -> None:
    """Train a net into the checkpoint `path`: resume that one, or begin with the net of `start`, widened to `shape`, or
    anew.

    Args:
        sources: of the chunks; shares should sum to one.
        noise: mel energies of noises, (frames, 40). The net is trained on their device, where the sources must be too.
        units: of the language.
        loop: for sequence training, with a little of the frame-level loss (`FRAMEWISE`); None: at frame level.
        cores: number of threads on a CPU.
    """
    device, shared = noise.device, 1 if noise.is_cuda else cores
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    sounds = units.sounds.outputs
    outputs = sounds if loop is None else loop.outputs
    network = Network(shape, outputs).to(device)
    network.train()
    optimiser = torch.optim.AdamW(network.parameters(), lr=schedule.rate, weight_decay=1e-3)
    begun = 0
    if path.exists():
        state = torch.load(path, weights_only=False)
        begun = state["batch"]
        network.load_state_dict(state["network"])
        if "optimiser" in state:
            optimiser.load_state_dict(state["optimiser"])
        averaged = {key: value.to(device) for key, value in state["averaged"].items()}
        mean, spread = state["mean"], state["spread"]
    elif start is not None:
        other, state = load_network(start)
        network.load_state_dict(widened(split(other, units) if outputs == units.outputs else other, shape).state_dict())
        averaged = {key: value.clone() for key, value in network.state_dict().items()}
        mean, spread = state["mean"], state["spread"]
    else:
        mean, spread = statistics(sources[0], noise, seed)
        averaged = {key: value.clone() for key, value in network.state_dict().items()}
    if begun >= schedule.batches:
        return
    rng = np.random.default_rng((seed, begun))
    augmentation = augmented(shape, noise, seed + begun)
    chances = priors(sources, sounds)
    if outputs == units.outputs:
        chances = chances[units.output_of] * units.shares
    kept, loss_seen = time.monotonic(), torch.zeros(())
    parameters = list(network.parameters())
    prior_logs = torch.from_numpy(np.log(chances)).float().to(device)
    mean, spread = mean.to(device), spread.to(device)

    # On CPUs without bfloat16 it is emulated, two and a half times slower than float32.
    halves = noise.is_cuda or torch.cpu.get_capabilities().get("avx512_bf16", False)

    def work(share: list[torch.Tensor]) -> tuple[torch.Tensor, tuple[torch.Tensor, ...]]:
        inputs, wanted, garbage, *masks = share
        with torch.autocast(device.type, torch.bfloat16, enabled=halves):
            scores = network(inputs, schedule.dropout)
        loss = loss_of(scores, wanted, garbage, units)
        if loop is not None:
            loss = FRAMEWISE * loss + sequence.loss_of(loop, scores, prior_logs, masks[0])
        return loss.detach(), torch.autograd.grad(loss, parameters)

    threads = ThreadPoolExecutor(shared, initializer=torch.set_flush_denormal, initargs=(True,))
    bar = tqdm(range(begun, schedule.batches), desc=path.stem, unit="batch", initial=begun, total=schedule.batches)

    def keep(batch: int, last: bool) -> None:
        state = {
            "network": network.state_dict(), "averaged": averaged, "mean": mean, "spread": spread, "batch": batch,
            "shape": asdict(shape), "priors": chances, "seed": seed,
        }  # fmt: skip
        save(path, state if last else state | {"optimiser": optimiser.state_dict()})

    masks = 0 if loop is None else len(units.sounds.names)
    for batch in bar:
        mel, *labels = drawn(sources, shape, schedule.size, rng, augmentation, masks)
        inputs = (mel - mean) / spread
        done = batch / schedule.batches
        rate = schedule.rate * min(1, (batch + 1) / 150) * max(0.01, 0.5 * (1 + math.cos(math.pi * done)))
        for group in optimiser.param_groups:
            group["lr"] = rate
        shares = [[tensor[core::shared] for tensor in (inputs, *labels)] for core in range(shared)]
        found = list(threads.map(work, shares))
        loss = sum(value for value, _ in found) / shared
        for index, parameter in enumerate(parameters):
            parameter.grad = sum(gradients[index] for _, gradients in found) / shared
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimiser.step()
        weight = min(schedule.averaged, (batch + 1) / (batch + 10))
        with torch.no_grad():
            for key, value in network.state_dict().items():
                if value.dtype.is_floating_point:
                    averaged[key].lerp_(value, 1 - weight)
                else:
                    averaged[key].copy_(value)
        loss_seen = loss if batch == begun else 0.98 * loss_seen + 0.02 * loss
        if batch % 50 == 0:
            bar.set_postfix(loss=f"{float(loss_seen):.3f}", refresh=False)
        if time.monotonic() - kept > 120:
            kept = time.monotonic()
            keep(batch + 1, False)
    keep(schedule.batches, True)
