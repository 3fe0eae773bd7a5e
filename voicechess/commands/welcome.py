"""`voicechess` alone: the conversation before a game, then the game."""

from __future__ import annotations

import argparse

from voicechess.app.context import Context
from voicechess.app.playing import welcome
from voicechess.app.wiring import House, tell_notices
from voicechess.commands.options import furnishing


def run(_args: argparse.Namespace, context: Context) -> int:
    """Greet, agree, play."""
    with House(context, furnishing(None, context)) as house:
        tell_notices(house)
        welcome(house)
        return house.loop.exit_code or 0
