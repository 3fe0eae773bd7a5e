"""Who is heard in a room where others may be: the player, or they. How loud somebody is tells them apart.

A game has one, which comes out of its events; all that is said around games has one together (`app.loop`).
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median_low

from voicechess.game.events import Heard, Source
from voicechess.meaning import Meaning

MOST_TONES, TONES_WITHIN_MS = 2, 60_000
"""Number of tones within that many milliseconds at most, however much is said in the room. More tones: more
disturbance; fewer: more silence."""

SAME_VOICE_DB = 6
"""Level difference in decibels, against the words understood lately, down to which speech may be the same person's:
the loudest vowels of one voice's commands and answers differ by as much ("Uhrzeit" and "Anna eins"). Larger: more
bystanders are taken for the player."""

FAR_OFF_DB = 8
"""Level difference in decibels, against the words understood lately, from which on speech may be a bystander's
(issue 22): outside of games it counts the second time, and into a repetition it is asked about (`game.repetition`).
Larger: fewer are suspected."""

UNDERSTOOD = 3
"""Number of the last understood utterances that estimate the player's level, by their median, so that neither a
shout nor talk taken for the player's decides; of two the softer. Larger: a steadier estimate that follows more
slowly."""

TOGETHER_MS = 30_000
"""Milliseconds after which an utterance no longer counts as evidence for the next one."""

MOST_UNHEARD = 3
"""Number of answers in a row by tone alone, none understood in between, after which it is said in words. Larger:
more tones first."""


@dataclass
class Company:
    """What is known of the voices in the room. Levels in decibels below full scale, as `Heard.voice_db`."""

    understood_db: tuple[int, ...] = ()  # how loud the last words were that were understood
    _loudest_db: int | None = None  # how loud the loudest words were, understood or not
    _tones_ms: tuple[int, ...] = ()  # when talk was answered with a tone
    _unheard_ms: tuple[int, ...] = ()  # when the player may have spoken in vain, since they were understood
    _told_ms: int | None = None  # when it was told last that nothing was understood
    _faint: tuple[Meaning, int] | None = None  # what was heard last, and not surely enough; when its words ended

    @property
    def voice_db(self) -> int | None:
        """How loud the player is; None before anything was understood."""
        return median_low(self.understood_db) if self.understood_db else None

    def hear(self, event: Heard) -> None:
        """Take note of words, whoever said them."""
        if event.voice_db is not None:
            self._loudest_db = event.voice_db if self._loudest_db is None else max(event.voice_db, self._loudest_db)

    def understood(self, event: Heard) -> None:
        """Take note that these words were the player's."""
        self._unheard_ms = ()
        if event.voice_db is not None:
            self.understood_db = (*self.understood_db, event.voice_db)[-UNDERSTOOD:]

    def said_again(self, meaning: Meaning, event: Heard) -> bool:
        """Whether what is heard faintly was so a moment ago; it is remembered."""
        before, self._faint = self._faint, (meaning, event.ended_ms)
        return before is not None and before[0] == meaning and event.began_ms - before[1] < TOGETHER_MS

    def hears_player(self, event: Heard, surely: bool) -> bool:
        """Whether these words are taken for the player's, outside of games: of who is as loud as they are (before
        anything was understood: as the loudest) all are; softer ones have to be understood (`surely`), and far softer
        ones twice."""
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
        """Whether the player may have said that, as loud as it was; not where nobody knows how loud either was.
        `guessing`: before anything was understood the player is who is loudest."""
        softer_db = self._softer_db(event, guessing)
        return softer_db is not None and softer_db <= SAME_VOICE_DB

    def is_far_off(self, event: Heard) -> bool:
        """Whether this was so much softer than the player that it was hardly meant for the program."""
        softer_db = self._softer_db(event)
        return softer_db is not None and softer_db > FAR_OFF_DB

    def _softer_db(self, event: Heard, guessing: bool = False) -> int | None:
        return event.softer_db(self._loudest_db if self.voice_db is None and guessing else self.voice_db)

    def tone_due(self, event: Heard, now_ms: int, guessing: bool = True) -> bool:
        """Whether talk is answered with a tone, which is then taken for sounded. People who talk on are not answered
        again and again, and who is far off not at all; who is as loud as the player always is, since silence would be
        no answer. `guessing`: as in `is_as_loud`."""
        if self.is_far_off(event):
            return False
        if due := self.is_as_loud(event, guessing) or not self.silent(now_ms):
            self._tone_sounded(now_ms)
        return due

    def faint_tone_due(self, now_ms: int) -> bool:
        """Whether who is far off and has said something of the game is answered with a tone, which is then taken for
        sounded: it may be the player, who says it once more."""
        if due := not self.silent(now_ms):
            self._tone_sounded(now_ms)
        return due

    @property
    def told(self) -> bool:
        """Whether it has been told in words that nothing was understood."""
        return self._told_ms is not None

    def tell(self, now_ms: int) -> None:
        """Take note that it is told, with a tone."""
        self._told_ms = now_ms
        self._tone_sounded(now_ms)

    def words_due(self, event: Heard, now_ms: int) -> bool:
        """Whether who spoke is told in words again: who is as loud as the player has heard nothing but tones
        (`MOST_UNHEARD`), and was not told for a minute; they may be others."""
        if not self.is_as_loud(event):
            return False
        self._unheard_ms = (*_within(self._unheard_ms, now_ms, TOGETHER_MS), now_ms)
        lately = self._told_ms is not None and now_ms - self._told_ms < TONES_WITHIN_MS
        return len(self._unheard_ms) >= MOST_UNHEARD and not lately

    def _tone_sounded(self, now_ms: int) -> None:
        self._tones_ms = (*_within(self._tones_ms, now_ms, TONES_WITHIN_MS), now_ms)

    def silent(self, now_ms: int) -> bool:
        """Whether talk has had its tones for the moment."""
        return len(_within(self._tones_ms, now_ms, TONES_WITHIN_MS)) >= MOST_TONES


def _within(times_ms: tuple[int, ...], now_ms: int, last_ms: int) -> tuple[int, ...]:
    """Those of the times that lie so shortly back."""
    return tuple(ms for ms in times_ms if now_ms - ms < last_ms)
