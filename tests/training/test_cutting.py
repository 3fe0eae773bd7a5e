"""Chunks cut out of a corpus: sound and labels go together, and for a net with a memory others take over."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the training extra")

from models.training.corpus import Frames  # noqa: E402
from models.training.features import BINS  # noqa: E402
from models.training.network import first_frame, frames_needed  # noqa: E402
from models.training.phones import SILENT  # noqa: E402
from models.training.shape import Shape  # noqa: E402
from models.training.train import CHUNK, Source, cut  # noqa: E402

pytestmark = pytest.mark.training
PLAIN, REMEMBERING = Shape(24, 8, (1, 2)), Shape(24, 8, (1, 2), 10, (4, 8, 16), 1)
LENGTH = 2000
"""Up to which half precision counts."""


def corpus() -> Frames:
    """A second of one sound, a tenth of silence, and so on; each frame's energies are its number."""
    number = np.arange(LENGTH)
    spoken = number % 110 < 100
    phone = np.where(spoken, 1 + SILENT + number // 110 % 20, SILENT).astype(np.uint8)
    mel = np.repeat(number.astype(np.float16)[:, None], BINS, 1)
    return Frames(mel, phone, np.zeros(LENGTH, np.bool_), (number // 110 * 2 + ~spoken).astype(np.int32))


def breaks(mel: np.ndarray) -> list[np.ndarray]:
    """Where each chunk goes on elsewhere."""
    return [np.flatnonzero(np.diff(row[:, 0]) != 1) for row in mel]


def test_a_chunk_is_one_stretch_for_a_net_without_a_memory() -> None:
    mel, *_ = cut(Source(corpus(), 1.0), PLAIN, 40, np.random.default_rng(1))
    assert mel.shape == (40, frames_needed(PLAIN, CHUNK), BINS)
    assert all(not len(places) for places in breaks(mel.numpy()))


def test_others_take_over_in_silence_where_there_is_a_memory() -> None:
    frames = corpus()
    mel, wanted, _ = cut(Source(frames, 1.0), REMEMBERING, 80, np.random.default_rng(1))
    heard = mel.numpy()
    places = breaks(heard)
    assert max(len(one) for one in places) == 1
    assert 25 <= sum(len(one) for one in places) <= 40, "half of them, but for those that found no silence"
    for row, broken in zip(heard, places, strict=True):
        assert all(frames.phone[int(row[at + 1, 0])] == SILENT for at in broken)
    at = first_frame(REMEMBERING) + 3 * np.arange(CHUNK)
    assert (wanted.numpy() // 2 == frames.phone[heard[:, at, 0].astype(int)]).all(), "labels go with the sound"
