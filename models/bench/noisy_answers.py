"""(k) A word alone, in noise, as the answer to a question: what noise hides most easily."""

from __future__ import annotations

from models.bench.announcing import fullest
from models.bench.hearing_parts import Item, Setting, question_for_rank, question_for_yes
from models.bench.samples import Conditions, Sample, Spoken

SNRS_DB = (10.0, 5.0)


def answers_in_noise(count: int, setting: Setting) -> list[Item]:
    """By turns the rank that was asked for, "yes" and "no", by all voices, in all noises."""
    lexicon, draw = setting.vocabulary.lexicon, setting.draw
    yes, no = (setting.vocabulary.single_answer(key) for key in ("yes", "no"))
    conditions = [Conditions(noise, snr) for noise in setting.noises for snr in SNRS_DB]
    made: list[Item] = []
    while len(made) < count:
        board, rank = draw.choice(setting.positions)[0], draw.randrange(8)
        kind = len(made) % 3
        asked = question_for_yes(board, lexicon) if kind else question_for_rank(board, rank, lexicon)
        if asked is None:
            continue
        word = (lexicon.ranks[rank][0], yes, no)[kind]
        sample = Sample(
            str(len(made)), (Spoken(word, next(setting.voices)),), (word,), conditions[len(made) // 3 % len(conditions)]
        )
        move = None if word == no else asked.move.uci()
        again = fullest(asked.board, asked.move, setting.vocabulary)
        made.append(Item(sample, asked.board.fen(), asked.words, move, again=again))
    return made
