"""(j) What is said into the moment after a move was repeated: corrections, and what is none.

A move that stands though somebody said "Korrektur" is a wrong one. What takes a move back that was meant is a nuisance:
it has to be announced once more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import chess

from models.bench.announcing import Words, fullest, styles
from models.bench.hearing_parts import Item, Setting
from models.bench.samples import Conditions, Sample, Spoken
from models.bench.vocabulary import Vocabulary
from voicechess.language.patterns import Literal

SNRS_DB = (20.0, 10.0, 5.0)


def corrections(count: int, setting: Setting) -> list[Item]:
    """The repeated move is taken back in every form, by all voices in turn, in quiet and in noise."""
    forms = _forms(setting.vocabulary)
    conditions = (Conditions(), *(Conditions(noise, snr) for noise in setting.noises for snr in SNRS_DB))
    made = []
    for number in range(count):
        board, words, _ = _repeated(setting)
        form = forms[number % len(forms)]
        said = Spoken(" ".join(form), next(setting.voices))
        sample = Sample(str(number), (said,), form, conditions[number % len(conditions)])
        made.append(Item(sample, board.fen(), before=words))
    return made


def while_repeated(items: Sequence[Item], setting: Setting) -> list[Item]:
    """The same sounds after a move was repeated that was meant."""
    made = []
    for item in items:
        board, words, move = _repeated(setting)
        made.append(replace(item, fen=board.fen(), before=words, move=move.uci()))
    return made


def _forms(vocabulary: Vocabulary) -> list[Words]:
    """Every way to say that the repeated move was not meant."""
    lexicon = vocabulary.lexicon
    patterns = (*lexicon.commands["correct"], *lexicon.answers["no"])
    sentences = [sentence for pattern in patterns for sentence in pattern.expand()]
    words = [tuple(part.text for part in sentence if isinstance(part, Literal)) for sentence in sentences]
    return sorted(set(words))


def _repeated(setting: Setting) -> tuple[chess.Board, str, chess.Move]:
    """A position, a move in it, and the words that announced it without a doubt."""
    while True:
        board = setting.draw.choice(setting.positions)[0]
        move = setting.draw.choice(list(board.legal_moves))
        if styles(board, move, setting.vocabulary):
            return board, " ".join(fullest(board, move, setting.vocabulary)), move
