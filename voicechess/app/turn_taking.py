"""Who speaks when: a moment to correct a move after its repetition, and no announcement while a player speaks.

The program does not listen while it speaks: what somebody was saying when it began would be lost.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from voicechess.game.events import Spoken

GRACE_MS = 1_000
"""Since the program does not listen while it speaks, "Korrektur" gets this long after a move has been repeated. It
costs neither player time: the clock goes over at the time when the move's words ended."""

SAY_AGAIN_MS = 2_000
"""After words in that moment that were not understood: time to hear the tone and say them once more."""

LONGEST_GRACE_MS = 6_000
"""The longest such moment, while somebody speaks or was not understood: noise must not hold up the game."""

POLITE_MS = 3_000
"""How long somebody may speak before they are interrupted: longer than a command takes, but noise never stops."""


@dataclass(frozen=True)
class _Held:
    """The end of a repetition, not passed on before `until_ms`; at `latest_ms` in any case."""

    spoken: Spoken
    until_ms: int
    latest_ms: int


class Grace:
    """The moment after a repetition. Times are the loop's, in milliseconds."""

    def __init__(self) -> None:
        self._held: _Held | None = None

    @property
    def given(self) -> bool:
        """Whether the end of a repetition is being held back."""
        return self._held is not None

    def give(self, spoken: Spoken, now_ms: int) -> None:
        """The repetition has just ended with this."""
        self._held = _Held(spoken, now_ms + GRACE_MS, now_ms + LONGEST_GRACE_MS)

    def prolong(self, now_ms: int) -> None:
        """Somebody has spoken and was not understood."""
        if self._held is not None:
            self._held = replace(self._held, until_ms=min(now_ms + SAY_AGAIN_MS, self._held.latest_ms))

    def over(self, now_ms: int, hearing: bool) -> Spoken | None:
        """The end of the repetition, once, when it is to be passed on; `hearing`: somebody is speaking now."""
        held = self._held
        if held is None or now_ms < (held.latest_ms if hearing else held.until_ms):
            return None
        self._held = None
        return replace(held.spoken, at_ms=now_ms)


class Politeness:
    """Lets a player who has begun to speak finish, and be answered, for `POLITE_MS` at most."""

    def __init__(self) -> None:
        self._since_ms: int | None = None

    def waits(self, now_ms: int, occupied: bool) -> bool:
        """Whether an announcement waits; to be asked in every round. `occupied`: somebody speaks or is not answered.

        Noise is one utterance after the other, so what counts is how long ago it was last quiet.
        """
        if not occupied:
            self._since_ms = None
            return False
        if self._since_ms is None:
            self._since_ms = now_ms
        return now_ms - self._since_ms < POLITE_MS
