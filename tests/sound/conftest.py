"""The virtual sound card."""

from tests.drivers.virtual_sound import virtual_sound  # noqa: F401 - a fixture
