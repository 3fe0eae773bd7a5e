"""What recognised words would amount to by themselves: the false alarms of a recogniser without a game around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from voicechess.language.lexicon import Lexicon
from voicechess.language.understanding import understand_all
from voicechess.meaning import Answer, Command, Expectation, SpokenMove

COMMAND, MOVE, DOUBTFUL, ANSWER, PART = "command", "move", "doubtful move", "answer", "part"
NOTHING_OF_OURS = "nothing"
"""A command; a move with its target; the same beside a foreign word; a lone answer; part of a move; none of ours."""

KINDS = (COMMAND, MOVE, DOUBTFUL, ANSWER, PART, NOTHING_OF_OURS)
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
    return NOTHING_OF_OURS


def same_move(said: Sequence[str], heard: Sequence[str], lexicon: Lexicon) -> bool:
    """Whether the move that was heard is the one said: same piece, same squares; a lost "schlägt" is no harm."""
    meanings = [understand_all(" ".join(words), lexicon, Expectation())[0].meaning for words in (said, heard)]
    moves = [
        replace(one, captures=False, en_passant=False, check=None) for one in meanings if isinstance(one, SpokenMove)
    ]
    return len(moves) == 2 and moves[0] == moves[1]
