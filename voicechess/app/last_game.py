"""The newest games of the journal: the last finished one, and the position of the last one with moves."""

from __future__ import annotations

import contextlib

import chess

from voicechess.app import games
from voicechess.game.agreement import Player, Preset
from voicechess.messages import Failure
from voicechess.score.score import Score
from voicechess.storage.journal import Journal


def last_position(journal: Journal) -> chess.Board | None:
    """The position of the newest game with moves, finished or not; None if there is none, or if that is a strict blind
    game in progress, which tells its position to nobody."""
    for summary in journal.games():
        with contextlib.suppress(Failure):  # from a newer program, or damaged
            score = games.score_of(journal.game(summary.id))
            if score.entries:
                hidden = summary.result is None and summary.settings.preset is Preset.STRICT_BLIND
                return None if hidden else score.board()
    return None


def last_finished(journal: Journal) -> tuple[Score, chess.Color | None] | None:
    """The newest finished game, and the colour of its player here (None: both)."""
    for summary in journal.games():
        if summary.result is None:
            continue
        try:
            score = games.score_of(journal.game(summary.id))
        except Failure:
            continue  # from a newer program, or damaged
        settings = summary.settings
        both = settings.white is settings.black
        return score, None if both else settings.white is Player.VOICE
    return None
