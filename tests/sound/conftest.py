"""A speech model to test with, and the virtual sound card."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.virtual_sound import virtual_sound  # noqa: F401 - a fixture

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="session")
def model_path() -> Path:
    """VOICECHESS_MODEL, else this repository's model, else the one among the recordings beside it."""
    shared = Path(os.environ.get("VOICECHESS_SHARED", ROOT.parent / "shared"))
    named = os.environ.get("VOICECHESS_MODEL")
    candidates = [Path(named)] if named else [ROOT / "models" / "starter-de", shared / "models" / "poc-de"]
    for candidate in candidates:
        if (candidate / "graph" / "HCLr.fst").is_file():
            return candidate
    pytest.skip("no German speech model here: set VOICECHESS_MODEL")
