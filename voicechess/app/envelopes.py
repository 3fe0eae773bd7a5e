"""Envelopes of adjourned games: seals a move without the game seeing it, and stores it.

Game code draws no random numbers and reads no calendar, so both come from here. A move announced for sealing stops
here: the seal goes on to the game and its journal, the move to the envelope's file and nowhere else. What that protects
is described in `laws.adjournment`: whoever can read the file can read the move.
"""

from __future__ import annotations

import contextlib
import json
import secrets
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from voicechess import own_files
from voicechess.game import events as ev
from voicechess.game.adjourning import announcement, envelope_at
from voicechess.game.effects import KeepPrivate, OpenEnvelope
from voicechess.laws.adjournment import EARLY_MS, NONCE_BYTES, Adjournment, Envelope
from voicechess.meaning import Answer, Command, Reading, SpokenMove, Unclear, UnclearReason


def sealed(heard: ev.Heard, private: KeepPrivate, nonce: bytes, now: datetime) -> tuple[ev.Event, bytes]:
    """What the game may know of `heard` while `private` holds: the sealed move, or words without a move. With it the
    contents of the envelope, if it is a move.

    `now`: the calendar's time, to note on the envelope when play resumes.
    """
    if private.envelope is None or private.clock is None:
        return heard, b""
    found = announcement(private.envelope.board, heard.readings, heard.source is ev.Source.KEYBOARD)
    if found is None:
        return _without_moves(heard), b""
    resumes = ""
    if private.resumes_in_ms is not None:
        resumes = (now + timedelta(milliseconds=private.resumes_in_ms)).strftime("%Y-%m-%dT%H:%M")
    envelope = envelope_at(private.envelope, private.clock, heard.ended_ms, resumes)
    act = Adjournment(envelope).seal(found.moves, heard.words, nonce)
    event = ev.Sealed(at_ms=heard.at_ms, sealed=act.sealed, ended_ms=heard.ended_ms, resumes=resumes, clear=found.clear)
    return event, act.key


def _without_moves(heard: ev.Heard) -> ev.Heard:
    """`heard` without anything that could reveal a move: partial moves, or words not understood."""
    best = heard.readings[0].meaning if heard.readings else None
    if isinstance(best, Command | Answer):
        harmless = tuple(one for one in heard.readings if isinstance(one.meaning, Command | Answer))
        return replace(heard, readings=harmless)
    reason = best.reason if isinstance(best, Unclear) else UnclearReason.NO_SENSE
    assert best is None or isinstance(best, SpokenMove | Unclear)
    return replace(heard, readings=(Reading(Unclear(reason)),), words="")


class Envelopes:
    """The envelopes of one game. `path` None: in memory, lost with the program.

    Never raises: a file that cannot be written leaves the key in memory (`unkept`: this has to be announced), and one
    that cannot be read has no key.
    """

    def __init__(self, path: Path | None = None, now: Callable[[], datetime] = datetime.now) -> None:
        self._path, self._now = path, now
        self._key = b""
        self.unkept = False

    def seal(self, heard: ev.Heard, private: KeepPrivate) -> ev.Event:
        """As `sealed`, and writes the move to the envelope's file."""
        self.unkept = False
        event, key = sealed(heard, private, secrets.token_bytes(NONCE_BYTES), self._now())
        if isinstance(event, ev.Sealed):
            assert private.envelope is not None and private.clock is not None
            self._keep(envelope_at(private.envelope, private.clock, event.ended_ms, event.resumes), key)
        return event

    def open(self, asked: OpenEnvelope, at_ms: int) -> ev.EnvelopeOpened:
        """How late or early it is, and the key if it is wanted and not too early."""
        late_ms = 0
        with contextlib.suppress(ValueError):
            late = self._now() - datetime.fromisoformat(asked.envelope.resumes)
            late_ms = int(late.total_seconds() * 1_000)
        early_ms = -late_ms if late_ms <= -EARLY_MS and not asked.anyway else 0
        key = (self._key or self._kept()).hex() if asked.wanted and not early_ms else ""
        return ev.EnvelopeOpened(at_ms=at_ms, key=key, late_ms=max(0, late_ms), early_ms=early_ms)

    def _keep(self, envelope: Envelope, key: bytes) -> None:
        self._key = key
        if self._path is None:
            self.unkept = True
            return
        text = json.dumps({"envelope": envelope.to_text(), "key": key.hex()})
        try:
            own_files.write_text(self._path, text)
        except OSError:
            self.unkept = True

    def _kept(self) -> bytes:
        if self._path is None:
            return b""
        try:
            return bytes.fromhex(own_files.read_json(self._path)["key"])
        except (OSError, ValueError, KeyError, TypeError):
            return b""
