"""(j) What is said into the moment after a move was repeated: corrections, and what is none.

A move that stands though somebody said "Korrektur" is a wrong one. What takes a move back that was meant is a nuisance:
it has to be announced once more.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

import chess

from voicechess.bench.announcing import Words, fullest, styles
from voicechess.bench.hearing_parts import Item
from voicechess.bench.samples import Conditions, Sample, Spoken
from voicechess.bench.synthesis import Voice
from voicechess.bench.vocabulary import Vocabulary
from voicechess.language.patterns import Literal

SNRS_DB = (20.0, 10.0, 5.0)


def corrections(
    count: int,
    positions: Sequence[tuple[chess.Board, chess.Move]],
    voices: Iterator[Voice],
    noises: Sequence[str],
    vocabulary: Vocabulary,
    draw: random.Random,
) -> list[Item]:
    """The repeated move is taken back in every form, by all voices in turn, in quiet and in noise."""
    forms = _forms(vocabulary)
    conditions = (Conditions(), *(Conditions(noise, snr) for noise in noises for snr in SNRS_DB))
    made = []
    for number in range(count):
        board, words, _ = _repeated(positions, vocabulary, draw)
        form = forms[number % len(forms)]
        sample = Sample(
            str(number), (Spoken(" ".join(form), next(voices)),), form, conditions[number % len(conditions)]
        )
        made.append(Item(sample, board.fen(), before=words))
    return made


def while_repeated(
    items: Sequence[Item],
    positions: Sequence[tuple[chess.Board, chess.Move]],
    vocabulary: Vocabulary,
    draw: random.Random,
) -> list[Item]:
    """The same sounds after a move was repeated that was meant."""
    made = []
    for item in items:
        board, words, move = _repeated(positions, vocabulary, draw)
        made.append(replace(item, fen=board.fen(), before=words, move=move.uci()))
    return made


def _forms(vocabulary: Vocabulary) -> list[Words]:
    """Every way to say that the repeated move was not meant."""
    lexicon = vocabulary.lexicon
    patterns = (*lexicon.commands["correct"], *lexicon.answers["no"])
    sentences = [sentence for pattern in patterns for sentence in pattern.expand()]
    words = [tuple(part.text for part in sentence if isinstance(part, Literal)) for sentence in sentences]
    return sorted(set(words))


def _repeated(
    positions: Sequence[tuple[chess.Board, chess.Move]], vocabulary: Vocabulary, draw: random.Random
) -> tuple[chess.Board, str, chess.Move]:
    """A position, a move in it, and the words that announced it without a doubt."""
    while True:
        board = draw.choice(positions)[0]
        move = draw.choice(list(board.legal_moves))
        if styles(board, move, vocabulary):
            return board, " ".join(fullest(board, move, vocabulary)), move
