"""Tells the player's speech from bystanders' by its level.

Each game has its own estimate, derived from its events; all conversations outside games share one (`app.loop`).
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median_low

from voicechess.game.events import Heard, Source
from voicechess.meaning import Meaning

MOST_TONES, TONES_WITHIN_MS = 2, 60_000
"""Most tones within that many milliseconds, however much is said in the room. More tones: more disturbance; fewer: more
silence."""

SAME_VOICE_DB = 6
"""Decibels below recently understood words down to which speech may be the same person's: the loudest vowels of one
voice's utterances differ by as much ("Uhrzeit" and "Anna eins"). Larger: more bystanders are taken for the player."""

FAR_OFF_DB = 8
"""Decibels below recently understood words from which speech may be a bystander's (issue 22): outside games it counts
only when repeated, and during a repetition it is asked about (`game.repetition`). Larger: fewer are suspected."""

UNDERSTOOD = 3
"""Number of recent understood utterances whose median level is the player's, so that neither a shout nor talk taken for
the player's decides; of two, the softer. Larger: a steadier estimate that follows more slowly."""

TOGETHER_MS = 30_000
"""Milliseconds after which an utterance no longer corroborates the next one. Larger: more is obeyed the second time."""

MOST_UNHEARD = 3
"""Consecutive replies by tone alone after which it is said in words that nothing was understood. Larger: more tones
first."""


@dataclass
class Company:
    """State of the estimate. Levels in decibels below full scale, as `Heard.voice_db`."""

    understood_db: tuple[int, ...] = ()  # levels of recent understood utterances
    _loudest_db: int | None = None  # highest level of any words
    _tones_ms: tuple[int, ...] = ()  # times of tones in reply to talk
    _unheard_ms: tuple[int, ...] = ()  # times of possible utterances of the player since one was understood
    _told_ms: int | None = None  # when it was last said that nothing was understood
    _faint: tuple[Meaning, int] | None = None  # last reading that was too uncertain, and the end of its words

    @property
    def voice_db(self) -> int | None:
        """The player's level; None before anything was understood."""
        return median_low(self.understood_db) if self.understood_db else None

    def hear(self, event: Heard) -> None:
        """Note an utterance, whoever said it."""
        if event.voice_db is not None:
            self._loudest_db = event.voice_db if self._loudest_db is None else max(event.voice_db, self._loudest_db)

    def understood(self, event: Heard) -> None:
        """Note that this utterance was the player's."""
        self._unheard_ms = ()
        if event.voice_db is not None:
            self.understood_db = (*self.understood_db, event.voice_db)[-UNDERSTOOD:]

    def said_again(self, meaning: Meaning, event: Heard) -> bool:
        """Whether this uncertain reading repeats the previous one; notes it."""
        before, self._faint = self._faint, (meaning, event.ended_ms)
        return before is not None and before[0] == meaning and event.began_ms - before[1] < TOGETHER_MS

    def hears_player(self, event: Heard, surely: bool) -> bool:
        """Whether an utterance outside games is taken for the player's: at the player's level (or, before anything was
        understood, the loudest so far) always; softer ones have to be understood (`surely`), and far softer ones
        twice."""
        self.hear(event)
        softer_db = self._softer_db(event, guessing=True)
        if event.source is Source.KEYBOARD or softer_db is None:
            return True
        if softer_db > SAME_VOICE_DB and not surely:
            return False
        if softer_db > FAR_OFF_DB and not self.said_again(event.readings[0].meaning, event):
            return False
        if surely:
            self.understood(event)
        return True

    def is_as_loud(self, event: Heard, guessing: bool = False) -> bool:
        """Whether the level is high enough for the player; False if either level is unknown. `guessing`: before
        anything was understood the loudest speaker is taken for the player."""
        softer_db = self._softer_db(event, guessing)
        return softer_db is not None and softer_db <= SAME_VOICE_DB

    def is_far_off(self, event: Heard) -> bool:
        """Whether this was so much softer than the player that it was hardly meant for the program."""
        softer_db = self._softer_db(event)
        return softer_db is not None and softer_db > FAR_OFF_DB

    def _softer_db(self, event: Heard, guessing: bool = False) -> int | None:
        return event.softer_db(self._loudest_db if self.voice_db is None and guessing else self.voice_db)

    def tone_due(self, event: Heard, now_ms: int, guessing: bool = True) -> bool:
        """Whether talk gets a tone, which then counts as played. Continuous talk does not get one each time, and talk
        far softer than the player none; speech as loud as the player's always does, since silence is no answer.
        `guessing`: as in `is_as_loud`."""
        if self.is_far_off(event):
            return False
        if due := self.is_as_loud(event, guessing) or not self.silent(now_ms):
            self._tone_sounded(now_ms)
        return due

    def faint_tone_due(self, now_ms: int) -> bool:
        """Whether soft speech about the game gets a tone, which then counts as played: it may be the player, who then
        repeats it."""
        if due := not self.silent(now_ms):
            self._tone_sounded(now_ms)
        return due

    @property
    def told(self) -> bool:
        """Whether it was said in words that nothing was understood."""
        return self._told_ms is not None

    def tell(self, now_ms: int) -> None:
        """Note that it was said in words, with a tone."""
        self._told_ms = now_ms
        self._tone_sounded(now_ms)

    def words_due(self, event: Heard, now_ms: int) -> bool:
        """Whether to say in words again that nothing was understood: a speaker as loud as the player has got only tones
        (`MOST_UNHEARD`), and no words for a minute."""
        if not self.is_as_loud(event):
            return False
        self._unheard_ms = (*_within(self._unheard_ms, now_ms, TOGETHER_MS), now_ms)
        lately = self._told_ms is not None and now_ms - self._told_ms < TONES_WITHIN_MS
        return len(self._unheard_ms) >= MOST_UNHEARD and not lately

    def _tone_sounded(self, now_ms: int) -> None:
        self._tones_ms = (*_within(self._tones_ms, now_ms, TONES_WITHIN_MS), now_ms)

    def silent(self, now_ms: int) -> bool:
        """Whether talk gets no tone at the moment."""
        return len(_within(self._tones_ms, now_ms, TONES_WITHIN_MS)) >= MOST_TONES


def _within(times_ms: tuple[int, ...], now_ms: int, last_ms: int) -> tuple[int, ...]:
    """The times within the last `last_ms` milliseconds."""
    return tuple(ms for ms in times_ms if now_ms - ms < last_ms)
