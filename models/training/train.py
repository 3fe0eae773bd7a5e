"""Training of the net on chunks cut anywhere out of the corpus: sound by sound first, then on whole words.

A batch is shared out among threads that each work on one core; that holds its pace on a machine that does other things
too, where torch's own threads wait for each other at every operation. Where there is a GPU, all of it lies there, and
each batch is worked on whole.
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
"""Outputs in a chunk: three seconds."""
GARBAGE_SHARE = 0.75
"""How much of the target goes to the garbage output in a word that is not the model's; the rest to the sound itself."""


NEVER = np.iinfo(np.int64).max // 2
"""The number of a frame that does not come."""
FRAMEWISE = 0.1
"""Weight of the frame-wise loss beside that of whole words."""


class Source:
    """A corpus, and the share of every batch that is cut from it.

    Args:
        device: where its features and labels are to lie.

    Attributes:
        mel, phone, unknown, segment: the frames; `unknown` where a word is not the model's.
        silent: the numbers of the frames in which nobody speaks, rising.
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
        """The output wanted at the given frames, twice the sound, plus one unless the sound has just begun; and
        garbage's share of it."""
        again = self.segment[at] == self.segment[(at - SUBSAMPLING).clamp(min=0)]
        return self.phone[at].long() * 2 + again, self.unknown[at] * self.garbage


@dataclass(frozen=True)
class Schedule:
    """How long and how fast to train: batches, chunks in each, and the peak of the learning rate."""

    batches: int
    size: int = 64
    rate: float = 2e-3
    averaged: float = 0.998
    dropout: float = 0.05


def cut(
    source: Source, shape: Shape, count: int, rng: np.random.Generator, *, masks: int = 0
) -> tuple[torch.Tensor, ...]:
    """Random chunks: mel energies (count, frames, 40), outputs wanted and garbage shares (count, CHUNK).

    With `masks`, how many sounds the language has, also the outputs the labels allow, two for each sound. For a net
    with a memory others take over in half of the chunks, so that it does not take whoever spoke before for the one who
    is speaking.
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
    """A batch of about `size` chunks as `cut` gives them, by the shares of the sources, with augmented mel energies."""
    counts = np.maximum(1, np.round([size * source.share for source in sources])).astype(int)
    parts = [cut(source, shape, count, rng, masks=masks) for source, count in zip(sources, counts, strict=True)]
    mel, *labels = (torch.cat(column) for column in zip(*parts, strict=True))
    with torch.no_grad():
        return [augmentation(mel), *labels]


def _taken_over(rows: npt.NDArray[np.int64], silent: npt.NDArray[np.int64], rng: np.random.Generator) -> None:
    """Let every other row of frame numbers, (count, frames), go on elsewhere from one of its silences on."""
    frames, half = rows.shape[1], rows[::2]
    begin = half[:, :1]
    here = np.searchsorted(silent, begin + rng.integers(frames, size=begin.shape))
    there = silent[rng.integers(np.searchsorted(silent, silent[-1] - frames), size=begin.shape)]
    kept = np.append(silent, NEVER)[here] - begin
    after = np.arange(frames) - kept
    np.copyto(half, there + after, where=after >= 0)


def loss_of(scores: torch.Tensor, wanted: torch.Tensor, garbage: torch.Tensor, units: Units) -> torch.Tensor:
    """Cross-entropy of the sounds, with a share of garbage."""
    likely = torch.softmax(scores.float(), 2)
    sound_of = torch.from_numpy(units.output_of[: likely.shape[2]]).to(likely.device)
    sounds = likely.new_zeros(*likely.shape[:2], units.sounds.outputs).index_add(2, sound_of, likely)
    logs = torch.log(sounds + 1e-20)
    sound = logs.gather(2, wanted[:, :, None])[:, :, 0]
    return -((1 - garbage) * sound + garbage * logs[:, :, 2 * UNKNOWN_SOUND]).mean()


def priors(sources: Sequence[Source], outputs: int) -> np.ndarray:
    """How often each output is wanted, (outputs,), summing to one."""
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
    """Mean and spread of each bin after augmentation, (40,) each."""
    rng = np.random.default_rng(seed)
    start = rng.integers(0, len(source.mel) - 300, (400, 1))
    mel = Augmentation(noise, seed)(source.mel[torch.from_numpy(start + np.arange(300)).to(source.mel.device)].float())
    flat = mel.reshape(-1, mel.shape[2])
    return flat.mean(0), flat.std(0)


def save(path: Path, state: dict[str, Any]) -> None:
    """Write a checkpoint, for any device; never leaves half a file."""
    partial = path.with_suffix(".partial")
    torch.save(tree_map(lambda value: value.cpu() if isinstance(value, torch.Tensor) else value, state), partial)
    partial.replace(path)


def load_network(path: Path) -> tuple[Network, dict[str, Any]]:
    """The averaged net of a checkpoint, ready to be used, and the checkpoint."""
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
    """Train into the checkpoint `path`; goes on where that one stopped, or begins with the net of `start`, grown.

    Args:
        sources: what to cut chunks from; shares should sum to one.
        noise: mel energies of noises, (frames, 40); where they lie, the net is trained, and all else has to lie too.
        units: of the language.
        loop: train on whole words of this loop, with a little of the frame-wise training beside it.
        cores: threads to share each batch out to, where there is no GPU.
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

    # Where a processor has no such numbers they are imitated, and take two and a half times as long as whole ones.
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
