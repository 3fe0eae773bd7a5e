"""The virtual sound card, and a speaker on a stage."""

from collections.abc import Iterator

import pytest

from tests.drivers.virtual_sound import virtual_sound  # noqa: F401 - a fixture
from tests.sound.stage import Stage
from voicechess.sound import speaker as speaker_module
from voicechess.sound.devices import kept_open


@pytest.fixture
def stage(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    monkeypatch.setattr(kept_open, "RETRY_S", 0.01)
    monkeypatch.setattr(speaker_module, "POLL_S", 0.01)
    stage = Stage()
    yield stage
    stage.speaker.close()
