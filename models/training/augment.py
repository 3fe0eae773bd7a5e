"""New voices, rooms and levels for every pass, on the mel energies themselves.

Powers of independent sounds add, so noise is mixed in by adding energies: as good as mixing waves, and a hundred times
cheaper. All work on (batch, frames, 40) natural logarithms of energies.
"""

from __future__ import annotations

import math

import numpy as np
import torch

from models.training.features import BINS, LOG_FLOOR, Floats, centres, filters, log_mel

DECIBEL = math.log(10) / 10


def white_floor() -> Floats:
    """Mean mel energies, as logarithms, of white noise with a variance of one step of the 16-bit scale, (40,)."""
    noise = np.random.default_rng(0).standard_normal(160_000)
    return np.asarray(np.log(np.exp(log_mel(noise)).mean(0)), np.float32)


class Augmentation:
    """Changes chunks of clean speech into what a microphone might hear.

    Args:
        noise: mel energies of noises at the reference loudness, (frames, 40); where they lie, all of it is done.
        seed: equal seeds and calls give equal changes, on the same kind of device.
        memory: frames at the beginning of each chunk that only a memory hears.
    """

    def __init__(self, noise: torch.Tensor, seed: int, memory: int = 0) -> None:
        self.noise = noise
        self.memory = memory
        self.device = noise.device
        self.random = torch.Generator(self.device).manual_seed(seed)
        self.bins = self._counted(BINS).float()
        self.hertz = torch.from_numpy(centres()).to(self.device)
        self.white = torch.from_numpy(white_floor()).to(self.device)
        # The more bins of the spectrum a filter takes together, the less their phases matter; the window ties three.
        taken = filters().sum(0) ** 2 / (filters() ** 2).sum(0)
        self.phase = torch.from_numpy(np.sqrt(0.5 / np.maximum(1, taken / 1.5)).astype(np.float32)).to(self.device)

    def _counted(self, count: int) -> torch.Tensor:
        return torch.arange(count, device=self.device)

    def _normal(self, *shape: int) -> torch.Tensor:
        return torch.randn(*shape, generator=self.random, device=self.device)

    def _uniform(self, low: float, high: float, *shape: int) -> torch.Tensor:
        return low + (high - low) * torch.rand(*shape, generator=self.random, device=self.device)

    def _sometimes(self, chance: float, *shape: int) -> torch.Tensor:
        return self._uniform(0, 1, *shape) < chance

    def __call__(self, mel: torch.Tensor) -> torch.Tensor:
        """Warp, colour, mix with noise, narrow, set the level and blot out parts."""
        batch = mel.shape[0]
        mel = self.warp(mel) + self.colour(batch)
        mel = self.mix(mel)
        mel = self.narrow(mel)
        mel = self.level(mel)
        return self.blot(self.begun(mel))

    def warp(self, mel: torch.Tensor) -> torch.Tensor:
        """Other vocal tracts: bins move along the axis, more in some places than in others."""
        batch, frames, _ = mel.shape
        turn = math.pi * self.bins / (BINS - 1)
        to = self.bins * (1 + 0.05 * self._normal(batch, 1)) + 0.5 * self._normal(batch, 1)
        to = to + torch.sin(turn) * self._normal(batch, 1) + torch.sin(2 * turn) * 0.7 * self._normal(batch, 1)
        to = to.clamp(0, BINS - 1.001)
        low = to.floor()
        weight = (to - low)[:, None]
        index = low.long()[:, None].expand(batch, frames, BINS)
        return torch.lerp(mel.gather(2, index), mel.gather(2, index + 1), weight)

    def colour(self, batch: int, strength: float = 1.0) -> torch.Tensor:
        """Other microphones: a smooth curve over the bins, (batch, 1, 40)."""
        turn = math.pi * self.bins / (BINS - 1)
        curve = sum(
            torch.cos(order * turn) * scale * self._normal(batch, 1)
            for order, scale in ((1, 1.0), (2, 0.6), (3, 0.4), (5, 0.3), (8, 0.15))
        )
        return strength * curve[:, None]

    def mix(self, mel: torch.Tensor) -> torch.Tensor:
        """Add noise 40 dB below to 4 dB above the speech, none to one in eight; often two noises at once."""
        batch, frames, _ = mel.shape
        noise = self._noise(batch, frames)
        noise = torch.logaddexp(noise, self._noise(batch, frames) - self._uniform(-3, 40, batch, 1, 1) * DECIBEL)
        ratio = torch.where(
            self._sometimes(0.6, batch, 1, 1),
            self._uniform(-4, 16, batch, 1, 1), self._uniform(12, 42, batch, 1, 1),
        )  # fmt: skip
        ratio = torch.where(self._sometimes(0.12, batch, 1, 1), 90.0, ratio)
        return self.summed(mel, noise - ratio * DECIBEL)

    def summed(self, one: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
        """Two sounds at once, (batch, frames, 40) each.

        In one band they help or hinder each other by their phases: the power of the sum is
        S + N + 2 alpha sqrt(S N), alpha the mean cosine over the band (Deng, Droppo and Acero, "Enhancement of log mel
        power spectra of speech using a phase-sensitive model of the acoustic environment", IEEE TSAP 2004).
        """
        alpha = (self.phase * self._normal(*one.shape)).clamp(-0.98, 0.98)
        return torch.logaddexp(one, other) + torch.log1p(alpha / torch.cosh((one - other).clamp(-40, 40) / 2))

    def _noise(self, batch: int, frames: int) -> torch.Tensor:
        """A stretch of any noise through any microphone for each of a batch."""
        start = torch.randint(0, len(self.noise) - frames, (batch, 1), generator=self.random, device=self.device)
        return self.noise[start + self._counted(frames)].float() + self.colour(batch, 0.7)

    def narrow(self, mel: torch.Tensor) -> torch.Tensor:
        """Some lines carry no high or no low tones: those sink by up to 60 dB."""
        batch = mel.shape[0]
        top = torch.exp(self._uniform(math.log(3000), math.log(7000), batch, 1))
        bottom = torch.exp(self._uniform(math.log(60), math.log(400), batch, 1))
        depth = self._uniform(10, 60, batch, 2) * self._sometimes(0.25, batch, 2)
        octaves_above = torch.log2(self.hertz / top).clamp(min=0)
        octaves_below = torch.log2(bottom / self.hertz).clamp(min=0)
        loss = (octaves_above * 120).clamp(max=1.0 * 60) * depth[:, :1] / 60
        loss = loss + (octaves_below * 24).clamp(max=60.0) * depth[:, 1:] / 60
        return mel - loss[:, None] * DECIBEL

    def level(self, mel: torch.Tensor) -> torch.Tensor:
        """From whisper-quiet to too loud, over the steps of a 16-bit scale and the hiss of its input."""
        batch, frames, _ = mel.shape
        gain = self._uniform(-24, 26, batch, 1, 1)
        hiss = self._uniform(-11, 12, batch, 1, 1)
        # One in eight comes from a source without any hiss at all.
        hiss = torch.where(self._sometimes(0.12, batch, 1, 1), -300.0, hiss)
        floor = self.white + 0.3 * self._normal(batch, frames, BINS) + hiss * DECIBEL
        return torch.logaddexp(mel + gain * DECIBEL, floor).clamp(min=LOG_FLOOR)

    def begun(self, mel: torch.Tensor) -> torch.Tensor:
        """In two of three, the sound begins while the memory listens: before it stands its first frame, as in Kaldi."""
        if not self.memory:
            return mel
        batch, frames, _ = mel.shape
        begin = self._uniform(0, self.memory + 1, batch, 1).long()
        begin = begin * self._sometimes(2 / 3, batch, 1)
        at = torch.maximum(self._counted(frames), begin)
        return mel.gather(1, at[:, :, None].expand(mel.shape))

    def blot(self, mel: torch.Tensor) -> torch.Tensor:
        """Blot out bands and moments, as Park et al., "SpecAugment", Interspeech 2019."""
        batch, frames, _ = mel.shape
        at = self._uniform(0, BINS, batch, 1, 1)
        wide = self._uniform(0, 7, batch, 1, 1) * self._sometimes(0.4, batch, 1, 1)
        band = (self.bins >= at) & (self.bins < at + wide)
        mean = mel.mean(2, keepdim=True)
        mel = torch.where(band, mean, mel)
        time = self._counted(frames)[None, :, None]
        at = self._uniform(0, frames, batch, 1, 1)
        long = self._uniform(0, 9, batch, 1, 1) * self._sometimes(0.4, batch, 1, 1)
        return torch.where((time >= at) & (time < at + long), mel.mean((1, 2), keepdim=True) - 3, mel)
