"""A finished or unfinished score as it is announced: line by line, and as one sound file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import chess

from voicechess.language.wording import Wording
from voicechess.messages import Phrase, Text
from voicechess.moves.saying import said_move
from voicechess.score.score import Score
from voicechess.sound.devices.files import write_wav
from voicechess.sound.pcm import converted
from voicechess.sound.speech import Speech

RATE = 22_050
BETWEEN_MS = 400


def lines(score: Score, wording: Wording) -> tuple[str, ...]:
    """The "long" form (Laws, Appendix C): each move as it was announced, White's with its number; then the ending."""
    told = [Phrase("score.none")] if not score.entries else []
    for board, made in score.positions():
        key = "score.white" if board.turn == chess.WHITE else "score.black"
        full = wording.move(said_move(board, made.move), full=True)
        told.append(Phrase(key, {"number": board.fullmove_number, "move": Text(full)}))
    if score.ending is not None:
        told.append(score.ending.words)
    return tuple(wording.say(phrase) for phrase in told)


def record(sentences: Iterable[str], speech: Speech, path: Path) -> None:
    """All sentences as one sound file, 16-bit mono. Raises `SoundError`, also when the file cannot be written."""
    silence = bytes(2 * RATE * BETWEEN_MS // 1000)
    pcm = bytearray()
    for sentence in sentences:
        spoken = speech.sound(sentence)
        pcm += converted(spoken.pcm, spoken.rate, RATE, 1) + silence
    write_wav(path, bytes(pcm), RATE)
