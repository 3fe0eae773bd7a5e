"""Turn-taking: no announcement interrupts the player, and the player may barge in on the program.

Without headphones the recogniser is off while the program speaks, so an announcement waits until the player has
finished. With headphones the player is heard at any time: speech that may mean something ends the announcement; noise,
talk and the program's own words, picked up from a loudspeaker after all, do not. Through a loudspeaker only a few
commands are obeyed as a barge-in (`sound.overhearing`), and only with a high posterior.
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
"""Longest time in milliseconds that an announcement waits for speech to end: longer than a command takes, but noise may
never end. Larger: announcements wait longer."""


class Politeness:
    """Holds announcements back while the player speaks or is not answered yet, for `POLITE_MS` at most."""

    def __init__(self) -> None:
        self.waiting = False
        """Whether announcements are held back now."""
        self._since_ms: int | None = None  # onset of the speech; None: silence
        self._held: deque[Event] = deque()  # events whose announcements wait

    def look(self, now_ms: int, occupied: bool) -> None:
        """To be called in every iteration. `occupied`: somebody is speaking, or was not answered yet.

        Noise comes as one utterance after another, so the time since the last silence counts.
        """
        if not occupied:
            self._since_ms = None
        elif self._since_ms is None:
            self._since_ms = now_ms
        self.waiting = self._since_ms is not None and now_ms - self._since_ms < POLITE_MS

    def hold(self, event: Event) -> None:
        """Keep this event until announcements need not wait any more."""
        self._held.append(event)

    def due(self) -> Iterator[Event]:
        """The events that were held, in order, as long as announcements need not wait."""
        while self._held and not self.waiting:
            yield self._held.popleft()

    def clear(self) -> None:
        """Drop the events that were held: another machine has the floor."""
        self._held.clear()


# --- Headphones ---

LEAST_MEANT = 0.05
"""Least posterior, 0 to 1, of a barge-in that is answered: that of a correction (`game.repetition.DENIED`). Larger:
fewer barge-ins are answered."""

MOST_ECHOES = 2
"""Number of times in a row that the program recognises its own words before it concludes that no headphones are worn;
once may be a player who repeats them. Larger: it talks to itself longer before it notices."""

_WORD = re.compile(r"\w+")


class Interjection(Enum):
    """What was heard while the program speaks, or is about to."""

    MEANT = auto()  # it may mean something: a barge-in
    UNCLEAR = auto()  # words without a meaning
    NOTHING = auto()  # noise, or the program's own words
    LEAK = auto()  # the program's own words once more: there are no headphones


class Floor:
    """Tells the player's barge-ins from noise and from the program's own words."""

    def __init__(self) -> None:
        self._echoes = 0

    def claimed(self, heard: Heard, saying: Iterable[str]) -> Interjection:
        """What these words are. `saying`: the sentences that are being spoken or queued."""
        if _stands_in(heard.words, saying):
            self._echoes += 1
            return Interjection.LEAK if self._echoes >= MOST_ECHOES else Interjection.NOTHING
        self._echoes = 0
        likely = [reading for reading in heard.readings if exp(-reading.cost) >= LEAST_MEANT]
        if any(not isinstance(reading.meaning, Unclear) for reading in likely):
            return Interjection.MEANT
        return Interjection.UNCLEAR if heard.words else Interjection.NOTHING


def _stands_in(words: str, sentences: Iterable[str]) -> bool:
    """Whether one of the sentences contains these words, if there are at least two."""
    spoken = words.casefold().split()
    joined = f" {' '.join(spoken)} "
    return len(spoken) > 1 and any(joined in f" {' '.join(_WORD.findall(text.casefold()))} " for text in sentences)


# --- A loudspeaker ---

INTERJECTED = frozenset({"stop", "repeat", "resume", "pause", "correct"})
"""The commands that may barge in while the program speaks through a loudspeaker."""

INTERJECTIONS = Expectation(commands=INTERJECTED, among_talk=INTERJECTED)
"""The grammar while the program speaks through a loudspeaker, besides "nein"; everyday words are the decoys."""

SURE = 0.5
"""Least posterior, 0 to 1, of such a command. Larger: fewer barge-ins are obeyed."""

ANY_FIT = -100.0
"""Fit that every hypothesis exceeds: with residual echo in the sound the fit tells nothing (`Hearing.fit`)."""


def is_interjection(heard: Heard) -> bool:
    """Whether this, understood with `INTERJECTIONS`, is one of these commands and likely enough."""
    best = heard.readings[0]
    match best.meaning:
        case Command(name):
            known = name in INTERJECTED
        case meaning:
            known = meaning == Answer(AnswerKind.NO)
    return known and exp(-best.cost) >= SURE
