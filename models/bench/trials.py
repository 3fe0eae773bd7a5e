"""One item of `bench hearing` from sound to decision, by every way of deciding."""

from __future__ import annotations

from dataclasses import dataclass, field

from models.bench.deciders import ASK, COMMAND, NOISE, PLAY, REFUSE, Decision
from models.bench.hearing_parts import Item
from models.bench.listening import Overheard
from voicechess.meaning import Hypothesis
from voicechess.sound.model import UNKNOWN
from voicechess.sound.recogniser import RecognisedUtterance

AT_ONCE, AFTER_A_QUESTION, WRONG = "right at once", "right after one question", "wrong move played"
ASKED, REFUSED, COMMANDED, MISSED = "asked", "refused", "command or answer", "not understood"
IGNORED = "taken for noise"
ENDS = (AT_ONCE, AFTER_A_QUESTION, WRONG, ASKED, REFUSED, COMMANDED, MISSED, IGNORED)
"""How an item can end. After a question that was not closed rightly: "asked". What is taken for noise, or not heard at
all, gets a tone at most, and now and then a sentence; what is not understood gets a sentence each time."""


@dataclass(frozen=True)
class Outcome:
    """What was done about the utterance, and about the answer where there was a question. cpu_s: deciding the first."""

    first: Decision
    second: Decision | None = None
    cpu_s: float = 0.0


@dataclass
class Trial:
    """An item, what was recognised, and what each way of deciding made of it."""

    set: str
    item: Item
    overheard: Overheard
    outcomes: dict[str, Outcome] = field(default_factory=dict)

    @property
    def utterance(self) -> RecognisedUtterance | None:
        """The utterance that is answered: the first with a word in it. Later ones would fall into the answer."""
        spoken = (
            one for one in self.overheard.utterances if any(word != UNKNOWN for word in one.hypotheses[0].text.split())
        )
        return next(spoken, next(iter(self.overheard.utterances), None))

    @property
    def hypotheses(self) -> tuple[Hypothesis, ...]:
        """What may have been said; nothing when nothing was heard."""
        return self.utterance.hypotheses if self.utterance else ()

    @property
    def above_room_db(self) -> int | None:
        """How far that utterance was above the noise of the room."""
        return self.utterance.level.above_db if self.utterance else None

    @property
    def silence_ms(self) -> int | None:
        """From the end of the speech to the end of the utterance as the recogniser saw it."""
        return self.utterance.closed_ms - self.overheard.ended_ms if self.utterance else None

    def end(self, decider: str) -> str:
        """How it ended with one way of deciding, one of `ENDS`."""
        outcome, item = self.outcomes[decider], self.item
        played = [one.move for one in (outcome.first, outcome.second) if one is not None and one.kind == PLAY]
        if any(move is None or move.uci() != item.move for move in played):
            return WRONG
        first = outcome.first
        if item.command is not None and first.kind == COMMAND:
            return AT_ONCE if first.command == item.command else COMMANDED
        if item.move is None and item.before and item.sample.words and first.kind == COMMAND:
            return AT_ONCE  # a "no" that was taken as an answer
        if played:
            return AT_ONCE if first.kind == PLAY else AFTER_A_QUESTION
        return {ASK: ASKED, REFUSE: REFUSED, COMMAND: COMMANDED, NOISE: IGNORED}.get(first.kind, MISSED)
