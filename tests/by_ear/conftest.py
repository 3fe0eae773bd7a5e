"""Fixtures of the tests by ear."""

from __future__ import annotations

import pytest

from tests.drivers.virtual_sound import virtual_sound  # noqa: F401 - a fixture
from voicechess.storage.places import settings_path


@pytest.fixture
def quick_voice() -> None:
    """The program speaks as fast as a practised listener sets it."""
    settings_path().parent.mkdir(parents=True, exist_ok=True)
    settings_path().write_text("[voice]\nrate = 280\n", "utf-8")
