"""A language that is heard is a folder beside this file, named by its code: what training and measuring need of it.

- `sounds.toml`: the sounds its model tells apart, espeak-ng's names for them, those that words of a move have for
  themselves, and how speakers of other languages say them.
- `pronunciations.toml`: how words are said, where the dictionary or espeak-ng is wrong or not all, and what follows by
  rule.
- `vocabulary.toml`: which of the words in `voicechess/language/<code>` are heard, and how they are drawn.
- `other_words.txt`: everyday words that are none of the game's.
- `voices.toml`: the voices made from recordings of people: which kind is kept for what, and how they say it.
- `bench.toml`: what measures, kept apart from the language's own words, which grow.

Whoever adds a folder adds a language to `python -m models.training --language`.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).resolve().parent

CODES: tuple[str, ...] = tuple(sorted(path.parent.name for path in _ROOT.glob("*/sounds.toml")))
"""The languages that there are, by their codes."""
USUAL = "de"
"""The one that is meant where none is named."""


def table(code: str, name: str) -> dict[str, Any]:
    """A file of a language, parsed; `name` without its ending."""
    return tomllib.loads((_ROOT / code / f"{name}.toml").read_text(encoding="utf-8"))


def other_words(code: str) -> tuple[str, ...]:
    """Everyday words; some may be the game's as well."""
    return tuple((_ROOT / code / "other_words.txt").read_text(encoding="utf-8").split())
