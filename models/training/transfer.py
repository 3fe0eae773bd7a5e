"""A net of one language as the beginning of another's: what it hears stays, its outputs become those of the other.

Vowels, hisses and stops, rooms and noise are much the same in every language, and the layers that tell them apart took
most of the training. Each sound of the new language begins as the one that is most like it (`[nearest]` in
`models/languages/<code>/sounds.toml`) and learns from there. After Kunze et al., "Transfer learning for speech
recognition on a budget", RepL4NLP 2017.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from models.training.language import Language
from models.training.phones import GARBAGE, SILENCE


def carried_over(state: dict[str, Any], theirs: Language, ours: Language) -> dict[str, Any]:
    """A checkpoint of a net of `theirs`, as of `read.checkpoint`, with the outputs of `ours`, sounds and no units.

    Raises:
        ValueError: a sound of `ours` has no nearest one among `theirs`.
    """
    nearest = {SILENCE: SILENCE, GARBAGE: GARBAGE, **ours.nearest.get(theirs.code, {})}
    if lacking := [sound for sound in ours.sounds.names if nearest.get(sound) not in theirs.sounds.index]:
        raise ValueError(f"[nearest.{theirs.code}] in sounds.toml of {ours.code} lacks {' '.join(lacking)}")
    # The first outputs of a net that tells units apart are those of the sounds.
    of = [2 * theirs.sounds.index[nearest[sound]] + again for sound in ours.sounds.names for again in (0, 1)]
    weights = dict(state["averaged"])
    for name in ("out.weight", "out.bias"):
        weights[name] = weights[name][torch.tensor(of)].clone()
    chances = np.asarray(state["priors"])[of]
    kept = {key: state[key] for key in ("mean", "spread", "shape")}
    return kept | {"averaged": weights, "priors": chances / chances.sum()}
