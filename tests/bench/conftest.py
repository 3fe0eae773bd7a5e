"""The speech model that lies beside the project, for tests that need a real one."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.bench.samples import shared_folder
from voicechess.messages import Failure


@pytest.fixture
def stand_in_model() -> Path:
    """A small German model."""
    try:
        folder = shared_folder() / "models" / "poc-de"
    except Failure:
        pytest.skip("the recordings and models beside the project are not here (VOICECHESS_SHARED)")
    if not folder.is_dir():
        pytest.skip(f"no model in {folder}")
    return folder
