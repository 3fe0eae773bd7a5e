"""Every failure of this room has its sentence, in both languages and with the same slots."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent / "voicechess"


def sentences(language: str) -> dict[str, str]:
    with (ROOT / "language" / f"{language}.sound.toml").open("rb") as file:
        table = tomllib.load(file)["sentences"]
    found: dict[str, str] = {}

    def walk(prefix: str, value: object) -> None:
        if isinstance(value, dict):
            for key, inner in value.items():
                walk(f"{prefix}.{key}" if prefix else key, inner)
        else:
            found[prefix] = str(value)

    walk("", table)
    return found


def test_both_languages_say_the_same_with_the_same_slots() -> None:
    german, english = sentences("de"), sentences("en")
    assert german.keys() == english.keys()
    for key, text in german.items():
        assert set(re.findall(r"\{\w+", text)) == set(re.findall(r"\{\w+", english[key])), key


def test_every_key_in_the_code_has_a_sentence() -> None:
    keys: set[str] = set()
    for path in (ROOT / "sound").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        keys.update(re.findall(r'"(sound\.[a-z_]+\.[a-z_]+)"', text))
    keys.update(f"sound.{device}.{what}" for device in ("microphone", "loudspeaker") for what in ("none", "refused"))
    assert len(keys) > 30
    assert keys <= sentences("de").keys()
