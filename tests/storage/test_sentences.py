"""Everything the disk and the engines can report has its sentence in German and in English."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from voicechess.language.wording import load_sentences
from voicechess.opponents.levels import LEVELS
from voicechess.storage.settings import SETTINGS

PACKAGE = Path(__file__).parents[2] / "voicechess"
SOURCES = [
    *(PACKAGE / "storage").glob("*.py"),
    PACKAGE / "app" / "games.py",
    *(PACKAGE / "opponents").glob("*.py"),
]
RAISED = re.compile(r'"((?:journal|model)\.[a-z0-9_]+)"')
REASONS = re.compile(r'(?:OpponentError\(|otherwise=)"([a-z0-9_]+)"')


def keys() -> set[str]:
    text = "".join(path.read_text("utf-8") for path in SOURCES)
    settings = (PACKAGE / "storage" / "settings.py").read_text("utf-8")
    return {
        *RAISED.findall(text.replace("model.conf", "")),
        *(f"opponent.{reason}" for reason in REASONS.findall(text)),
        *(level.key for level in LEVELS.values()),
        *(f"settings.explain.{setting.name}" for setting in SETTINGS),
        *(f"settings.{key}" for key in re.findall(r'_error\("([a-z_]+)"', settings)),
        *(f"settings.{key}" for key in re.findall(r'"(no_[a-z]+)", (?:\{|bounds)', settings)),
    }


def test_keys_were_found() -> None:
    found = keys()
    assert {"journal.full", "model.wrong_sha256", "opponent.flood", "settings.no_number", "settings.no_toml"} <= found
    assert len(found) > 70


@pytest.mark.parametrize("language", ["de", "en"])
def test_every_key_has_its_sentence(language: str) -> None:
    assert keys() - set(load_sentences(language).templates) == set()
