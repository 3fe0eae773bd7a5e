"""The speech model a command works with: found, loaded, or a sentence that says what to do."""

from __future__ import annotations

from pathlib import Path

from voicechess.failure import Failure
from voicechess.model_store import choose
from voicechess.sound.model import VoskModel


def load_model(option: Path | None, missing: str = "program.model_needed") -> VoskModel:
    """The model of the option, or the one found. Raises `Failure` (the key `missing` when there is none)."""
    chosen = choose(option)
    if chosen.folder is None:
        raise Failure(missing)
    return VoskModel(chosen.folder.path)
