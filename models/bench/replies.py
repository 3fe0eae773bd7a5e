"""What the player of `bench hearing` answers to a question."""

from __future__ import annotations

import chess

from models.bench.announcing import Words
from models.bench.hearing_parts import Item
from voicechess.language.lexicon import Lexicon
from voicechess.language.patterns import Literal
from voicechess.meaning import Expectation, Question

_ORDINALS = ("first", "second", "third", "fourth")


def reply(item: Item, expectation: Expectation, lexicon: Lexicon) -> Words | None:
    """The answer to the open question: yes, the number of the choice, the missing part; else the whole move again.

    Where the question wants the whole move once more: of one move that is proposed the same words again, be it even
    that another was meant, which is the worst that can be answered then; of several the fullest announcement. None
    where nothing was meant to be played, so that there is nothing to answer.
    """
    if item.move is None:
        return None
    move = chess.Move.from_uci(item.move)
    if expectation.asked.whole:
        return item.sample.words if len(expectation.asked.candidates) == 1 and not item.before else item.again
    if expectation.asked.question is Question.WHICH_MOVE and move in expectation.asked.candidates:
        if len(expectation.asked.candidates) == 1:
            return _answer("yes", lexicon)
        return _answer(_ORDINALS[expectation.asked.candidates.index(move)], lexicon)
    if expectation.asked.question is Question.PROMOTION and move.promotion and move in expectation.asked.candidates:
        return (lexicon.pieces[move.promotion][0],)
    if expectation.asked.question is Question.COMPLETE and (part := _missing(expectation, move, lexicon)):
        return part
    return item.again


def _missing(expectation: Expectation, move: chess.Move, lexicon: Lexicon) -> Words | None:
    """What the half-heard move still lacks, if what was heard of it is right."""
    partial = expectation.asked.partial
    if partial is None:
        return None
    to_file, to_rank = chess.square_file(move.to_square), chess.square_rank(move.to_square)
    from_file, from_rank = chess.square_file(move.from_square), chess.square_rank(move.from_square)
    heard = (
        (partial.to_file, to_file),
        (partial.to_rank, to_rank),
        (partial.from_file, from_file),
        (partial.from_rank, from_rank),
    )
    if any(said is not None and said != meant for said, meant in heard):
        return None
    file, rank = lexicon.files[to_file][0], lexicon.ranks[to_rank][0]
    if partial.to_file is None:
        return (file, rank)
    if partial.to_rank is None:
        return (rank,)
    return (lexicon.files[from_file][0], lexicon.ranks[from_rank][0])


def _answer(key: str, lexicon: Lexicon) -> Words:
    sentences = [sentence for pattern in lexicon.answers[key] for sentence in pattern.expand()]
    first = next(sentence for sentence in sentences if len(sentence) == 1)
    return tuple(part.text for part in first if isinstance(part, Literal))
