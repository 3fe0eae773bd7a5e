"""What recognised words would amount to by themselves: the false alarms of a recogniser without a game around it."""

from __future__ import annotations

from collections.abc import Sequence

from voicechess.language.lexicon import Lexicon
from voicechess.language.meaning import Answer, Command, Expectation, SpokenMove
from voicechess.language.understanding import understand_all

COMMAND, MOVE, DOUBTFUL, ANSWER, PART, NOTHING = "command", "move", "doubtful move", "answer", "part", "nothing"
"""A command; a move with its target; the same beside a foreign word; a lone answer; part of a move; none of ours."""

KINDS = (COMMAND, MOVE, DOUBTFUL, ANSWER, PART, NOTHING)
ALARMS = frozenset({COMMAND, MOVE, DOUBTFUL})
"""What someone who said nothing of the kind would call a false alarm."""


def verdict(words: Sequence[str], lexicon: Lexicon) -> str:
    """Which of `KINDS` the words are when nothing was asked."""
    reading = understand_all(" ".join(words), lexicon, Expectation())[0]
    meaning = reading.meaning
    if isinstance(meaning, Command):
        return COMMAND
    if isinstance(meaning, Answer):
        return ANSWER
    if isinstance(meaning, SpokenMove):
        return PART if not meaning.complete else MOVE if reading.cost == 0 else DOUBTFUL
    return NOTHING
