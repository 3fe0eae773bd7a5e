"""The calibration through virtual cables: real voice, microphone and recogniser, no stub on the way.

A whole one takes two minutes; without VOICECHESS_CALIBRATE_BY_EAR=all only one that is broken off is made.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.drivers.blind_player import BlindPlayer
from tests.drivers.virtual_sound import VirtualSound
from voicechess.language.personal import phrases_to_read
from voicechess.storage.places import personal_file

WHOLE = os.environ.get("VOICECHESS_CALIBRATE_BY_EAR") == "all"
END_S = 30.0
MOST_TRIES = 3
"""So often a phrase may be asked for."""


def told(*arguments: str) -> str:
    """What the command says to these arguments."""
    command = [sys.executable, "-m", "voicechess", "calibrate", *arguments]
    return subprocess.run(command, capture_output=True, check=True, timeout=60, env=dict(os.environ)).stdout.decode()


def repeat(player: BlindPlayer, phrase: str) -> None:
    """Repeat the phrase that was read out, "drei" as "zwei", until the program goes on."""
    assert player.lines[-1] == f"{phrase.title()}."
    for _ in range(MOST_TRIES):
        if f"{phrase.title()}." not in player.answer_to(phrase.replace("drei", "zwei")):
            return
    raise AssertionError(f"not heard: {phrase}, {player.lines[-6:]}")


@pytest.mark.sound
def test_one_that_is_broken_off_leaves_nothing(
    virtual_sound: VirtualSound,
    model_path: Path,
    quick_voice: None,
) -> None:
    with BlindPlayer(virtual_sound, model_path, "calibrate") as player:
        first, second = phrases_to_read(player.lexicon)[:2]
        player.listen(0, lambda: f"{first.title()}." in player.lines)
        repeat(player, first)
        assert player.lines[-1] == f"{second.title()}."
        player.say("Ende")
        assert player.program.wait(END_S) == 1, player.lines[-6:]
        assert "Abgebrochen. Alles bleibt, wie es war." in player.lines
    assert not personal_file("de").exists()


@pytest.mark.skipif(not WHOLE, reason="takes two minutes: VOICECHESS_CALIBRATE_BY_EAR=all")
def test_a_whole_calibration_is_read_repeated_told_kept_shown_and_deleted(
    virtual_sound: VirtualSound,
    model_path: Path,
    quick_voice: None,
) -> None:
    with BlindPlayer(virtual_sound, model_path, "calibrate") as player:
        phrases = phrases_to_read(player.lexicon)
        player.listen(0, lambda: f"{phrases[0].title()}." in player.lines)
        for phrase in phrases:
            repeat(player, phrase)
        assert player.program.wait(END_S) == 0, player.lines[-6:]
        said = " ".join(player.lines)
    assert " genau gehört." in said
    assert "Ihr drei höre ich als zwei" in said
    assert "Statt zwei können Sie auch zwo sagen." in said
    assert "Dezibel über dem Raum. Das ist gut so." in said
    kept = json.loads(personal_file("de").read_text("utf-8"))
    assert "drei" in kept["exchanged"]["zwei"]
    assert -45 < kept["level"]["speech_db"] < kept["level"]["peak_db"] <= 0
    assert kept["level"]["floor_db"] < kept["level"]["speech_db"] - 15
    assert "Ihr drei höre ich als zwei" in (shown := told("--show")) and "Dezibel" in shown
    assert "gelöscht" in told("--forget")
    assert not personal_file("de").exists()
