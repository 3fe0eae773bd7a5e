"""The recipe's espeak-ng keeps to itself."""

from __future__ import annotations

import subprocess
import sys

BY_NAME = """
from models.training import espeak
assert espeak.speak("eins")[0].size
try:
    from pyttsx3.drivers import _espeak
except RuntimeError:  # there is no other
    print("False")
else:
    print(_espeak.dll._handle == espeak._library().c._handle)
"""


def test_whoever_loads_espeak_ng_by_its_name_does_not_get_the_recipes_copy() -> None:
    """pyttsx3 did, and set it to speak in a thread of its own: synthesis fell silent or crashed, tests later."""
    ran = subprocess.run([sys.executable, "-c", BY_NAME], capture_output=True, text=True, check=True, timeout=600)
    assert ran.stdout.split() == ["False"]
