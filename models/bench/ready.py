"""A child process of `bench speed`: the start of the program up to the moment when it can listen.

Run as `python -m models.bench.ready MODEL`; prints one JSON object with its memory when ready.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from models.bench.footprint import resident_mb


def main(model_path: str) -> None:
    """Do what `voicechess play` does before listening, without a microphone."""
    import voicechess.app.wiring  # noqa: F401  # everything that playing imports
    from voicechess.app.hearing import Hearing
    from voicechess.app.simulation import session_at
    from voicechess.game.agreement import GameSettings, Player
    from voicechess.game.session import Session
    from voicechess.language.lexicon import load
    from voicechess.language.wording import Wording
    from voicechess.sound.devices.interfaces import Block
    from voicechess.sound.model import VoskModel
    from voicechess.sound.recogniser import Recogniser

    model = VoskModel(Path(model_path))
    hearing = Hearing(load("de").restrict(model.knows))
    Wording("de")
    session = Session(GameSettings(white=Player.VOICE, black=Player.VOICE))
    expectation = session_at(session.board).expectation
    recogniser = Recogniser(model, 16_000)
    hearing.offer(recogniser, expectation)
    loud = b"".join(bytes((0, 32 if n % 16 < 8 else 224)) for n in range(8000))
    recogniser.feed(Block(bytes(16_000), 500))
    recogniser.feed(Block(loud, 1000))  # opens the gate, so that the decoder is made
    print(json.dumps({"ready": recogniser.hearing, "memory_mb": round(resident_mb(), 1)}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
