"""Understanding a line at one of the places of `bench wordings`."""

from __future__ import annotations

from models.bench.wordings import expectations
from voicechess.app.hearing import Hearing
from voicechess.game import events as ev
from voicechess.language.lexicon import load
from voicechess.meaning import RecognisedUtterance


def heard_at(line: str, place: str, language: str = "de", source: ev.Source = ev.Source.KEYBOARD) -> ev.Heard:
    """The event of this line at this place, typed unless another source is named."""
    said = RecognisedUtterance.typed(line, 0)
    return Hearing(load(language)).understood(said, expectations()[place], 0, source)
