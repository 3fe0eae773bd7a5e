"""Where each sound of a recording is, by a first model that was trained on synthetic speech alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import torch

from models.training import lexicon
from models.training.features import LENGTH, RATE, SHIFT, Floats, log_mel
from models.training.language import Language
from models.training.network import Network, first_frame, frames_needed
from models.training.rooms import REFERENCE, loudness
from models.training.shape import SUBSAMPLING

PRIOR_SCALE = 0.8


class Placed(NamedTuple):
    """A sound: from when to when in seconds, which, and of which word, counted from 0."""

    begin: float
    end: float
    phone: str
    word: int


def words_of(language: Language, text: str) -> list[str]:
    """The words of a transcript, in lower case; what the game hears as several is: einundzwanzig is three words."""
    spaced = text.lower()
    for pattern, words in language.heard.together:
        spaced = pattern.sub(words, spaced)
    return re.findall(r"[^\W\d_]+", spaced)


def posteriors(language: Language, network: Network, state: dict[str, torch.Tensor], samples: Floats) -> np.ndarray:
    """Scores of every phone at every frame of 10 ms, divided by its prior: (frames, phones), logarithms."""
    mel, count = log_mel(samples), len(language.sounds.names)
    if not len(mel):
        return np.zeros((0, count), np.float32)
    # Three passes, one for each phase of the 30 ms step.
    steps = -(-len(mel) // SUBSAMPLING)
    before = first_frame(network.shape)
    need = frames_needed(network.shape, steps) + SUBSAMPLING
    padded = np.pad(mel, ((before, max(0, need - before - len(mel))), (0, 0)), mode="edge")
    inputs = (torch.from_numpy(padded) - state["mean"]) / state["spread"]
    outputs = network.out.out_features
    of_phone = np.arange(count) == np.repeat(language.units.sound_of, 2)[:outputs, None]
    found = np.zeros((steps * SUBSAMPLING, count))
    with torch.no_grad():
        for phase in range(SUBSAMPLING):
            piece = inputs[phase : phase + frames_needed(network.shape, steps)]
            found[phase::SUBSAMPLING] = torch.softmax(network(piece[None])[0], 1).numpy() @ of_phone
    together = np.log(found[: len(mel)] + 1e-20) - PRIOR_SCALE * np.log(np.asarray(state["priors"]) @ of_phone)
    return np.asarray(together, np.float32)


def _graph(
    language: Language, words: Sequence[str], known: frozenset[str]
) -> tuple[list[tuple[str, int]], list[set[int]], list[int], set[int]]:
    """States (phone, word), states each may follow, first states, last states; silence between words is optional."""
    states: list[tuple[str, int]] = []
    before: list[set[int]] = []

    def add(phone: str, word: int, sources: set[int]) -> int:
        states.append((phone, word))
        before.append({len(states) - 1} | sources)
        return len(states) - 1

    ends = {add("SIL", -1, set())}
    firsts = list(ends)
    for number, word in enumerate(words):
        finished = set()
        readings = lexicon.variants(language, word) if word in known else (lexicon.read(language, word),)
        for reading in dict.fromkeys(map(lexicon.bare, readings)):
            last = -1
            for index, phone in enumerate(reading):
                last = add(phone, number, ends if index == 0 else {last})
                if number == 0 and index == 0:
                    firsts.append(last)
            finished.add(last)
        pause = add("SIL", -1, finished)
        ends = finished | {pause}
    return states, before, firsts, ends


def align(
    language: Language, scores: np.ndarray, words: Sequence[str], known: frozenset[str]
) -> tuple[float, list[Placed]]:
    """The likeliest times of the sounds of `words`.

    Args:
        language: of the words.
        scores: as from `posteriors`.
        known: the model's words; those have variants, any other is read once.

    Returns:
        The mean score of a frame, and the sounds in order, without silence.

    Raises:
        ValueError: too few frames, or a word that cannot be read.
    """
    states, before, firsts, lasts = _graph(language, words, known)
    if len(scores) < 2 * len(words) + 2:
        raise ValueError("too short")
    count = len(states)
    allowed = np.full((count, count), -np.inf, np.float32)
    for to, sources in enumerate(before):
        allowed[list(sources), to] = 0
    emitted = scores[:, [language.sounds.index[phone] for phone, _ in states]]
    best = np.full(count, -np.inf, np.float32)
    best[firsts] = emitted[0, firsts]
    back = np.zeros((len(scores), count), np.int32)
    for time in range(1, len(scores)):
        reached = best[:, None] + allowed
        back[time] = reached.argmax(0)
        best = reached.max(0) + emitted[time]
    state = max(lasts, key=lambda index: float(best[index]))
    if not np.isfinite(best[state]):
        raise ValueError("too short for its words")
    mean = float(best[state]) / len(scores)
    path = [state]
    for time in range(len(scores) - 1, 0, -1):
        path.append(int(back[time, path[-1]]))
    path.reverse()
    placed: list[Placed] = []
    edges = [0, *(time for time in range(1, len(path)) if path[time] != path[time - 1]), len(path)]
    for begin, end in pairwise(edges):
        phone, word = states[path[begin]]
        if word >= 0:
            # A frame's label is that of its middle; sounds change half way between two middles.
            offset = (LENGTH - SHIFT) / 2
            placed.append(Placed((begin * SHIFT + offset) / RATE, (end * SHIFT + offset) / RATE, phone, word))
    return mean, placed


def fitted(
    language: Language,
    model: tuple[Network, dict[str, torch.Tensor]],
    samples: Floats,
    words: Sequence[str],
    known: frozenset[str],
    rng: np.random.Generator,
) -> tuple[float, list[Placed]]:
    """`align` for speech of any level: at the reference loudness, with a little hiss where there is digital silence.

    Raises:
        ValueError: as `align`.
    """
    loud = samples * np.float32(REFERENCE / loudness(samples))
    hissing = loud + rng.standard_normal(len(samples)).astype(np.float32)
    return align(language, posteriors(language, *model, hissing), words, known)
