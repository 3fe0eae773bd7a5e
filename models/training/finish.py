"""The last steps, on a finished folder: words and figures. They need no PyTorch, for the net stays as it is."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path
from typing import Any

from models.training import lexicon, manifest, write
from models.training.language import Language
from models.training.write import AcousticModel, Settings

NETS = ("first", "second", "third", "fourth", "fifth", "sixth")
"""The nets of the recipe, in the order in which they are trained: `<name>.pt` in the folder for work in progress."""


def finish(
    out: Path,
    language: Language,
    words: Collection[str],
    model: AcousticModel,
    settings: Settings,
    made: dict[str, Any],
) -> None:
    """Write a model's folder: lexicon, graphs, net and manifest. `made`: what the manifest says of the net."""
    entries, dearer = lexicon.lexicon(language, words), language.readings.dearer
    known = write.write_folder(out, entries, model, settings, language.units, dearer)
    manifest.write(out, language, known, settings, made)


def rewrite(out: Path, language: Language, words: Collection[str], settings: Settings) -> None:
    """New words for a finished folder: its net stays, lexicon and graphs are made again. Seconds."""
    made = json.loads((out / manifest.NAME).read_text(encoding="utf-8"))
    model = write.read_acoustic_model(out, language.units)
    finish(out, language, words, model, settings, {key: made[key] for key in manifest.ORIGIN})
