"""What the recogniser heard, as readings for the game: each hypothesis understood, the likelier ones cheaper."""

from __future__ import annotations

from collections.abc import Sequence

from voicechess.language.lexicon import Lexicon
from voicechess.language.meaning import Expectation, Hypothesis, Meaning, Reading, Unclear, UnclearReason
from voicechess.language.understanding import understand_all


def interpret(
    hypotheses: Sequence[Hypothesis], expectation: Expectation, lexicon: Lexicon, typed: bool = False
) -> tuple[Reading, ...]:
    """The readings of one utterance, best first, never empty; never raises.

    A reading costs what its hypothesis scores below the best one, plus what understanding charges for it. The same
    meaning twice counts once, at its lower cost. Noise that scores best stays first: what is likelier than every
    announcement is not one.
    """
    if not hypotheses:
        return (Reading(Unclear(UnclearReason.NOTHING)),)
    best = max(hypothesis.score for hypothesis in hypotheses)
    cheapest: dict[Meaning, Reading] = {}
    for hypothesis in sorted(hypotheses, key=lambda one: -one.score):
        for reading in understand_all(hypothesis.text, lexicon, expectation, typed):
            cost = reading.cost + best - hypothesis.score
            known = cheapest.get(reading.meaning)
            if known is None or cost < known.cost:
                cheapest[reading.meaning] = Reading(reading.meaning, cost, reading.words)
    return tuple(sorted(cheapest.values(), key=lambda one: (one.cost, isinstance(one.meaning, Unclear))))
