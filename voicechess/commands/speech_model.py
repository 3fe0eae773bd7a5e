"""The speech model a command works with: found, loaded, or a sentence that says what to do."""

from __future__ import annotations

import sys
from pathlib import Path

from voicechess.app.context import Context
from voicechess.failure import Failure
from voicechess.sound.model import VoskModel
from voicechess.storage.speech_models import choose


def load_model(context: Context, option: Path | None, missing: str = "program.model_needed") -> VoskModel:
    """The model of the option, or the one found. Raises `Failure` (the key `missing` when there is none).

    What is wrong with a model that would have been taken is written to standard error: the output may be read by a
    program.
    """
    chosen = choose(option)
    for phrase in chosen.told:
        print(context.wording.say(phrase), file=sys.stderr)
    if chosen.folder is None:
        raise Failure(missing)
    return VoskModel(chosen.folder.path)
