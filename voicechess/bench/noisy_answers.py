"""(k) A word alone, in noise, as the answer to a question: what noise hides most easily."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import chess

from voicechess.bench.hearing_parts import Item, question_for_rank, question_for_yes
from voicechess.bench.samples import Conditions, Sample, Spoken
from voicechess.bench.synthesis import Voice
from voicechess.bench.vocabulary import Vocabulary

SNRS_DB = (10.0, 5.0)


def answers_in_noise(
    count: int,
    positions: Sequence[tuple[chess.Board, chess.Move]],
    voices: Iterator[Voice],
    noises: Sequence[str],
    vocabulary: Vocabulary,
    draw: random.Random,
) -> list[Item]:
    """By turns the rank that was asked for, "yes" and "no", by all voices, in all noises."""
    lexicon = vocabulary.lexicon
    yes, no = (vocabulary.single_answer(key) for key in ("yes", "no"))
    conditions = [Conditions(noise, snr) for noise in noises for snr in SNRS_DB]
    made: list[Item] = []
    while len(made) < count:
        board, rank = draw.choice(positions)[0], draw.randrange(8)
        kind = len(made) % 3
        asked = question_for_yes(board, lexicon) if kind else question_for_rank(board, rank, lexicon)
        if asked is None:
            continue
        word = (lexicon.ranks[rank][0], yes, no)[kind]
        sample = Sample(
            str(len(made)), (Spoken(word, next(voices)),), (word,), conditions[len(made) // 3 % len(conditions)]
        )
        move = None if word == no else asked.move.uci()
        made.append(Item(sample, asked.board.fen(), asked.words, move, again=(word,)))
    return made
