"""Who has the floor: no announcement interrupts anybody, and with headphones the player may interrupt the program.

Without them the program does not listen while it speaks, and the words would be lost; so an announcement waits.
With them a player is heard at any time. What they say ends what is being said if it may mean anything; noise, talk and
the program's own words, which a microphone beside a loudspeaker hears, end nothing. Through a loudspeaker a few words
are heard meanwhile (`sound.overhearing`), which are to be sure.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from enum import Enum, auto
from math import exp

from voicechess.game.events import Event, Heard
from voicechess.meaning import Answer, AnswerKind, Command, Expectation, Unclear

POLITE_MS = 3_000
"""Duration in milliseconds of somebody's speech after which the program speaks all the same: longer than a command
takes, but noise never stops. Larger: announcements wait longer."""


class Politeness:
    """Lets a player who has begun to speak finish, and be answered, for `POLITE_MS` at most."""

    def __init__(self) -> None:
        self.waiting = False
        """Whether announcements wait now."""
        self._since_ms: int | None = None  # since when somebody speaks
        self._held: deque[Event] = deque()  # what is announced after that

    def look(self, now_ms: int, occupied: bool) -> None:
        """To be called in every round. `occupied`: somebody speaks, or has spoken and was not answered yet.

        Noise is one utterance after the other, so what counts is how long ago it was last quiet.
        """
        if not occupied:
            self._since_ms = None
        elif self._since_ms is None:
            self._since_ms = now_ms
        self.waiting = self._since_ms is not None and now_ms - self._since_ms < POLITE_MS

    def hold(self, event: Event) -> None:
        """Keep this until announcements need not wait any more."""
        self._held.append(event)

    def due(self) -> Iterator[Event]:
        """What was held, in its order, as far as it need not wait."""
        while self._held and not self.waiting:
            yield self._held.popleft()

    def clear(self) -> None:
        """What was held is for somebody who has the floor no longer."""
        self._held.clear()


# --- Headphones ---

LEAST_MEANT = 0.05
"""Posterior, 0 to 1, from which on what may have been said is worth an answer: that of a correction
(`game.repetition.DENIED`). Larger: fewer barge-ins are answered."""

MOST_ECHOES = 2
"""Number of times in a row that the program recognises its own words before it concludes that no headphones are
worn: once may be somebody who repeats them."""

_WORD = re.compile(r"\w+")


class Interjection(Enum):
    """What was heard while the program speaks, or is about to."""

    MEANT = auto()  # it may mean something: the word is the player's
    UNCLEAR = auto()  # words, but none that mean anything
    NOTHING = auto()  # noise, or what the program has just said
    LEAK = auto()  # once more what the program has just said: the microphone hears it


class Floor:
    """Judges who claims the word."""

    def __init__(self) -> None:
        self._echoes = 0

    def claimed(self, heard: Heard, saying: Iterable[str]) -> Interjection:
        """What this comes to. `saying`: the sentences that are being said, or wait."""
        if _stands_in(heard.words, saying):
            self._echoes += 1
            return Interjection.LEAK if self._echoes >= MOST_ECHOES else Interjection.NOTHING
        self._echoes = 0
        likely = [reading for reading in heard.readings if exp(-reading.cost) >= LEAST_MEANT]
        if any(not isinstance(reading.meaning, Unclear) for reading in likely):
            return Interjection.MEANT
        return Interjection.UNCLEAR if heard.words else Interjection.NOTHING


def _stands_in(words: str, sentences: Iterable[str]) -> bool:
    """Whether these words, two at least, stand in one of the sentences."""
    spoken = words.casefold().split()
    joined = f" {' '.join(spoken)} "
    return len(spoken) > 1 and any(joined in f" {' '.join(_WORD.findall(text.casefold()))} " for text in sentences)


# --- A loudspeaker ---

INTERJECTED = frozenset({"stop", "repeat", "resume", "pause", "correct"})
"""The commands that are heard while the program speaks through a loudspeaker."""

INTERJECTIONS = Expectation(commands=INTERJECTED, among_talk=INTERJECTED)
"""What is listened for while the program speaks, besides "nein"; everyday words are its rivals."""

SURE = 0.5
"""Posterior, 0 to 1, that such a word needs. Larger: fewer barge-ins are obeyed."""

ANY_FIT = -100.0
"""Fit that everything exceeds: behind a barge-in it tells nothing (`Hearing.fit`), since residual echo is in the
sound as well."""


def is_interjection(heard: Heard) -> bool:
    """Whether this, understood with `INTERJECTIONS`, is one of the few words, and sure enough."""
    best = heard.readings[0]
    match best.meaning:
        case Command(name):
            known = name in INTERJECTED
        case meaning:
            known = meaning == Answer(AnswerKind.NO)
    return known and exp(-best.cost) >= SURE
