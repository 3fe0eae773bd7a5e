"""Initialising a net from that of another language: the inner layers are kept, the outputs replaced.

Vowels, fricatives and stops, rooms and noise are similar in all languages, and the layers that distinguish them took
most of the training. Each phone of the new language is initialised from the most similar one (`[nearest]` in
`models/languages/<code>/sounds.toml`). After Kunze et al., "Transfer learning for speech recognition on a budget",
RepL4NLP 2017.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from models.training.language import Language
from models.training.phones import GARBAGE, SILENCE


def carried_over(state: dict[str, Any], theirs: Language, ours: Language) -> dict[str, Any]:
    """A checkpoint of `theirs`, from `read.checkpoint`, with the phones of `ours` as outputs, without units.

    Raises:
        ValueError: a phone of `ours` has no nearest one among `theirs`.
    """
    nearest = {SILENCE: SILENCE, GARBAGE: GARBAGE, **ours.nearest.get(theirs.code, {})}
    if lacking := [sound for sound in ours.sounds.names if nearest.get(sound) not in theirs.sounds.index]:
        raise ValueError(f"[nearest.{theirs.code}] in sounds.toml of {ours.code} lacks {' '.join(lacking)}")
    # In a net with units the first outputs are those of the phones.
    of = [2 * theirs.sounds.index[nearest[sound]] + again for sound in ours.sounds.names for again in (0, 1)]
    weights = dict(state["averaged"])
    for name in ("out.weight", "out.bias"):
        weights[name] = weights[name][torch.tensor(of)].clone()
    chances = np.asarray(state["priors"])[of]
    kept = {key: state[key] for key in ("mean", "spread", "shape")}
    return kept | {"averaged": weights, "priors": chances / chances.sum()}
