"""`voicechess` alone: the conversation before a game, then the game."""

from __future__ import annotations

import argparse

from voicechess.commands.context import Context
from voicechess.house import Furnishing, House
from voicechess.playing import tell_notices, welcome
from voicechess.sound.speech import VoiceSettings


def run(_args: argparse.Namespace, context: Context) -> int:
    """Greet, agree, play."""
    wanted = Furnishing(voice=VoiceSettings(language=context.language))
    with House(context, wanted) as house:
        tell_notices(house)
        welcome(house)
        return house.loop.exit_code or 0
