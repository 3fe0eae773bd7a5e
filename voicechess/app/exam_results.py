"""Chooses the scaling of a speech model's likelihoods from an exam, and evaluates it.

The thresholds were tuned with the starter model and are kept; another model's likelihoods are made comparable
(`LikelihoodScaling`). The scaling with the lowest loss is chosen, the same loss that the thresholds minimise.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from statistics import median

import chess

from voicechess.app.exam import HALVES, Attempt, Exam
from voicechess.language.lexicon import Lexicon
from voicechess.language.readings import interpret
from voicechess.language.thresholds import WRONG_MOVE_HARM
from voicechess.meaning import AnswerKind, Command, Expectation, Hypothesis, Reading, UnclearReason
from voicechess.messages import Failure, Text
from voicechess.moves.decisions import Act, Ask, AskPromotion, Complete, Decision, NotUnderstood, Play, Refuse, Reply
from voicechess.moves.matching import decide
from voicechess.sound.model import STARTER_SCALING, UNMEASURED, LikelihoodScaling
from voicechess.sound.recogniser import fit
from voicechess.storage.measured import Figures, Measured

# --- The loss ---

WRONG, OVERHEARD, MISSED, ASKED, DISTURBED = WRONG_MOVE_HARM, 8.0, 4.0, 1.0, 0.3
"""Losses: a wrong move; a move or command taken from background speech; an utterance not understood or wrongly refused;
a question; a question after background speech. Larger: that outcome is avoided more."""


@dataclass(frozen=True, slots=True)
class Meant:
    """The intention behind an utterance."""

    move: chess.Move | None = None  # None where none may be made
    command: Command | None = None
    ours: bool = True  # it was addressed to the game
    answering: bool = False  # a question was open


def harm(decision: Decision, expectation: Expectation, meant: Meant) -> float:
    """Loss of this decision."""
    move = meant.move
    match decision:
        case Play(played):
            return 0.0 if played == move else WRONG if meant.ours else OVERHEARD
        case Act(command):
            return 0.0 if command == meant.command else OVERHEARD
        case Reply(answer):
            if not meant.ours:
                return OVERHEARD
            if answer.kind is AnswerKind.YES and meant.answering:
                return 0.0 if expectation.asked.candidates == (move,) else WRONG
            return 0.0 if answer.kind is AnswerKind.NO and meant.answering and move is None else MISSED
        case Ask(moves) | AskPromotion(moves):
            if not meant.ours:
                return DISTURBED
            offered = (*moves, *(decision.rest if isinstance(decision, Ask) else ()))
            return ASKED if move in moves or move is None else 2 * ASKED if move in offered else MISSED
        case Complete():
            return ASKED if meant.ours else DISTURBED
        case Refuse():
            clear_illegal = move is None and meant.command is None and meant.ours and not meant.answering
            return 0.0 if clear_illegal else DISTURBED if not meant.ours else MISSED
        case NotUnderstood(reason):
            if not meant.ours:
                return 0.0 if reason is UnclearReason.NOTHING else DISTURBED
    return MISSED


# --- Decisions with a scaling ---

SCALES = (0.125, 0.18, 0.25, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8)
DOUBTS = (0.0, 0.1, 0.2, 0.35)
"""Values tried for `LikelihoodScaling.doubt`. With the last every move is asked about (`Thresholds.clean`), while
commands are still obeyed when clear."""

USUAL_FIT = 10.8
"""Median fit of what version 8 of the starter model understood in the exam, for which the thresholds were tuned.
Larger: other models are taken to fit worse."""

FEWEST = 10
"""Fewest utterances recognised verbatim for an estimate of a model's usual fit. Larger: fewer models get one."""


def rescaled(hypothesis: Hypothesis, scaling: LikelihoodScaling) -> Hypothesis:
    """A hypothesis of an exam as the recogniser would return it with this scaling."""
    scaled = replace(hypothesis, log_likelihood=scaling.scale * hypothesis.log_likelihood)
    if hypothesis.fit is None or scaling.shift is None:
        return replace(scaled, fit=None)
    return replace(scaled, fit=fit(scaled, scaling.shift))


def decisions(attempts: Sequence[Attempt], lexicon: Lexicon, scaling: LikelihoodScaling) -> list[Decision]:
    """The decision on each utterance."""
    return [
        _decision(attempt, readings, scaling.doubt)
        for attempt, readings in zip(attempts, _read(attempts, lexicon, scaling), strict=True)
    ]


def _read(attempts: Sequence[Attempt], lexicon: Lexicon, scaling: LikelihoodScaling) -> list[tuple[Reading, ...]]:
    return [
        interpret([rescaled(one, scaling) for one in attempt.hypotheses], attempt.expectation, lexicon)
        for attempt in attempts
    ]


def _decision(attempt: Attempt, readings: Sequence[Reading], doubt: float) -> Decision:
    if not attempt.hypotheses:
        return NotUnderstood(UnclearReason.NOTHING)
    assert attempt.expectation.board is not None
    charged = [replace(one, cost=one.cost + doubt) for one in readings]
    return decide(attempt.expectation.board, charged, attempt.expectation.asked)


def meant(attempt: Attempt) -> Meant:
    """The intention behind an attempt."""
    item = attempt.item
    move = chess.Move.from_uci(item.move) if item.move else None
    return Meant(move, item.command, item.ours, bool(item.before))


CAUTION = 2.0
"""Extra loss accepted in favour of smaller scales, with which more is asked: some dozen correct announcements do not
prove that none in some hundred is wrong. And four times that for a known fit: other rooms have more noise than the
exam. Larger: more cautious scalings."""

HEARING_SHARE = 0.9
"""Share of the measuring time, 0 to 1, that recognition takes; choosing the scaling takes the rest. Affects only the
reported progress."""

LONGEST_S = 1200.0
"""Duration of an exam in seconds after which a model counts as too slow for dialogue. Larger: slower models are
accepted."""


def chosen(attempts: Sequence[Attempt], lexicon: Lexicon) -> LikelihoodScaling:
    """The scaling with the lowest loss; among nearly equal ones the smallest scale, then the least doubt."""
    harms: dict[LikelihoodScaling, float] = {}
    for scale in SCALES:
        for shift in dict.fromkeys((_shift(attempts, scale), None)):
            read = _read(attempts, lexicon, LikelihoodScaling(scale, shift))
            for doubt in DOUBTS:
                harms[LikelihoodScaling(scale, shift, doubt)] = sum(
                    harm(_decision(attempt, readings, doubt), attempt.expectation, meant(attempt))
                    for attempt, readings in zip(attempts, read, strict=True)
                )
    telling = {scaling: found for scaling, found in harms.items() if scaling.shift is not None}
    if telling and min(telling.values()) <= min(harms.values()) + 4 * CAUTION:
        harms = telling
    enough = min(harms.values()) + CAUTION
    return min(
        (scaling for scaling, found in harms.items() if found <= enough),
        key=lambda scaling: (scaling.scale, scaling.doubt),
    )


def _shift(attempts: Sequence[Attempt], scale: float) -> float | None:
    """The shift that makes verbatim recognised speech fit as well as with the starter model."""
    fits = [
        fit(rescaled(attempt.hypotheses[0], LikelihoodScaling(scale)), 0.0)
        for attempt in attempts
        if attempt.item.ours and attempt.hypotheses and attempt.hypotheses[0].text == attempt.item.said
    ]
    return round(USUAL_FIT - median(fits), 1) if len(fits) >= FEWEST else None


def figures(attempts: Sequence[Attempt], lexicon: Lexicon, scaling: LikelihoodScaling) -> Figures:
    """Results of a model with this scaling."""
    found = list(zip(attempts, decisions(attempts, lexicon, scaling), strict=True))
    harms = [(attempt, decision, harm(decision, attempt.expectation, meant(attempt))) for attempt, decision in found]
    announced = [one for one in harms if one[0].item.move and not one[0].item.before]
    return Figures(
        announced=len(announced),
        at_once=sum(isinstance(decision, Play) and not bad for _, decision, bad in announced),
        wrong=sum(bad == WRONG for _, _, bad in harms),
        overheard=sum(bad == OVERHEARD for _, _, bad in harms),
        harm=round(sum(bad for _, _, bad in harms), 1),
    )


# --- A model examined ---


def examined(
    path: Path, starter: Path | None, progress: Callable[[float], None] = lambda share: None, one_in: int = 1
) -> tuple[Measured, Lexicon]:
    """What is to be stored about the model in this folder, and the words it knows; `progress` is called with 0 to 1.

    `starter`: the model to compare with; None if there is none. `one_in`: see `Exam`. Raises Failure if one of them
    cannot be measured.
    """
    to_choose, to_measure = HALVES
    with ExitStack() as processes:
        exam = processes.enter_context(Exam(path, HALVES, one_in))
        other = None if starter is None else processes.enter_context(Exam(starter, (to_measure,), one_in))
        until_s = time.monotonic() + LONGEST_S
        for number, _ in enumerate(zip_longest(exam, other or ()), 1):
            progress(HEARING_SHARE * number / len(exam))
            if time.monotonic() > until_s:
                raise Failure("model.too_slow", {"path": Text(str(path))}, status=1)
    beside = None if other is None else figures(other.attempts[to_measure], other.lexicon, STARTER_SCALING)
    measured = kept(exam.attempts[to_choose], exam.attempts[to_measure], exam.lexicon, beside)
    progress(1.0)
    return measured, exam.lexicon


def kept(
    to_choose: Sequence[Attempt], to_measure: Sequence[Attempt], lexicon: Lexicon, starter: Figures | None
) -> Measured:
    """What is stored about these attempts. A model worse than the starter model gets a more cautious scaling than it
    chose: a model with more visible errors has more invisible ones too."""
    scaling = chosen(to_choose, lexicon)
    measured = Measured(scaling, figures(to_measure, lexicon, scaling), starter)
    if measured.trusted:
        return measured
    scale = scaling.scale * UNMEASURED.scale
    shift = None if scaling.shift is None else _shift(to_choose, scale)
    careful = LikelihoodScaling(scale, shift, max(scaling.doubt, UNMEASURED.doubt))
    return Measured(careful, figures(to_measure, lexicon, careful), starter)
