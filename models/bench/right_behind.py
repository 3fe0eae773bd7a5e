"""Moves said right behind the program's own words through a loudspeaker, in the simulated room of `models.bench.stage`.

    python -m models.bench.right_behind --share 0.4

One move in a new game, at a time from 0.2 s before the end of the announcement's echo to 0.25 s after it: played, asked
about, answered by a sentence or not at all, or another move made."""

from __future__ import annotations

import argparse
import random
from collections import Counter
from itertools import product
from pathlib import Path

import chess

from models.bench.hearing import prepared
from models.bench.report import table
from models.bench.stage import Sounds, Stage
from models.bench.synthesis import HEARING_TEST, TUNING, Voice
from voicechess.app.hearing import Hearing
from voicechess.language.lexicon import load
from voicechess.sound.mixing import NOMINAL_DBFS, at_level
from voicechess.sound.model import VoskModel
from voicechess.sound.voices import same_dither
from voicechess.storage.speech_models import scaling_of

GREETING, REPETITION = "Zwei Spieler, Weiß beginnt.", "Bauer Eva zwei Eva vier."

MOVES = (
    (False, "Eva vier", "e2e4"),
    (True, "Eva fünf", "e7e5"),
    (True, "Springer Gustav acht Felix sechs", "g8f6"),
    (False, "Springer Gustav eins Felix drei", "g1f3"),
)
"""Whether it is said behind the repetition of a typed move, its words, and the move."""

LEVELS_DB = (-10.0, 0.0, 10.0)
"""Echo levels over the player's voice, decibels."""

DELAYS_MS = (50, 150, 300, 500)
"""Delays of the echo."""

AFTER_MS = (-200, 0, 100, 250)
"""Milliseconds after the end of the echo at which the player begins."""

ANSWERED_MS = 6_000
"""Milliseconds within which it is answered."""

OUTCOMES = ("played", "asked", "sentence", "silence", "another move")


def outcome(
    model: VoskModel,
    hearing: Hearing,
    sounds: Sounds,
    echo_db: float,
    late_ms: int,
    after_ms: int,
    voice: Voice,
    n: int,
) -> str:
    """Which of `OUTCOMES` the n-th of `MOVES` has."""
    is_reply, words, wanted = MOVES[n]
    same_dither()
    stage = Stage(model, hearing, sounds, echo_db, random.Random(late_ms))
    stage.air.stay(late_ms)
    behind = REPETITION if is_reply else GREETING
    ends_ms = over_ms = 1 << 40

    def after() -> None:
        nonlocal ends_ms, over_ms
        now_ms, left_ms, told = stage.clock.ms, stage.voice.left_ms, stage.told
        if over_ms < 1 << 40:
            return
        if is_reply and not told[2:] and stage.silent and now_ms > 3_000:
            stage.inbox.type_line("e2e4")
        playing = [part.text for part in stage.voice.said(now_ms - 40, now_ms)]
        if ends_ms == 1 << 40 and left_ms is not None and told[-1:] == [behind] and any(map(behind.endswith, playing)):
            ends_ms = now_ms + left_ms + late_ms
        if now_ms >= ends_ms + after_ms:
            sound = at_level(sounds(words, voice), NOMINAL_DBFS)
            stage.air.say(sound)
            over_ms = now_ms + len(sound) // 16 + ANSWERED_MS

    stage.after = after
    stage.play(lambda: stage.clock.ms > over_ms)
    made, told = stage.game.session.board.move_stack[is_reply:], stage.told[2 + is_reply :]
    if made:
        return "played" if made == [chess.Move.from_uci(wanted)] else "another move"
    if any("?" in sentence for sentence in told):
        return "asked"
    return "sentence" if told else "silence"


def main() -> None:
    """See the top of this file."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--model", type=Path, metavar="PATH", help="a Vosk model folder")
    parser.add_argument("--draw", default="A", help="what is drawn: B... with voices that nothing was chosen by (A)")
    parser.add_argument("--share", type=float, default=1.0, help="of the 192 scenes, 0 to 1")
    given = parser.parse_args()
    path, _, _ = prepared(given.model)
    model = VoskModel(path, scaling_of(path))
    hearing, sounds = Hearing(load("de").restrict(model.knows)), Sounds()
    voices, draw = sorted(HEARING_TEST if given.draw[0] == "B" else TUNING), random.Random(given.draw)
    found: Counter[tuple[float, str]] = Counter()
    for n, echo_db, late_ms, after_ms in product(range(len(MOVES)), LEVELS_DB, DELAYS_MS, AFTER_MS):
        if draw.random() > given.share:
            continue
        voice = Voice(draw.choice(voices), draw.choice((145, 165, 185)), draw.choice((40, 50, 60)))
        found[echo_db, outcome(model, hearing, sounds, echo_db, late_ms, after_ms, voice, n)] += 1
    rows = [(f"{echo_db:+.0f} dB", *(str(found[echo_db, one]) for one in OUTCOMES)) for echo_db in LEVELS_DB]
    print(table(("echo over player", *OUTCOMES), rows))


if __name__ == "__main__":
    main()
