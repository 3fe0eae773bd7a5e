"""The virtual sound card."""

from tests.virtual_sound import virtual_sound  # noqa: F401 - a fixture
