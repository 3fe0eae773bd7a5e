"""Random games that often adjourn, claim and offend: the rarer phases are reached, and everything holds in them."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from random import Random

import pytest

from tests.drivers.events import heard, random_event
from tests.game.test_random_games import check, said, state
from voicechess.app.envelopes import sealed
from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings, Player
from voicechess.game.effects import KeepPrivate, OpenEnvelope
from voicechess.game.phases import Phase
from voicechess.game.session import Session
from voicechess.meaning import Answer, AnswerKind, Command, Reading
from voicechess.storage.codec import decode_event, encode_event

GAMES = (
    GameSettings(black=Player.VOICE, time="90", penalties=True, touch_move=True),
    GameSettings(time="90", penalties=True),
    GameSettings(black=Player.VOICE, touch_move=True, chess960=5),
    GameSettings(fen="4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1", time="119s|60", black=Player.VOICE),
)
WISHES = ("adjourn", "adjourn_hours", "seal", "change", "claim_quickplay", "claim_illegal", "resume", "ready", "pause")
NONCE, NOW = bytes(16), datetime(2026, 11, 21, 18, 0)
MUST_BE_REACHED = {Phase.SEALING, Phase.ADJOURNED, Phase.CONFIRMING}


def words(session: Session, random: Random, at_ms: int) -> ev.Heard:
    """Something is heard; what leads into the rarer phases is likelier than among all words."""
    event = heard(session, random, at_ms)
    kind = random.random()
    if session.phase is Phase.CONFIRMING and kind < 0.7:
        meaning = Answer(AnswerKind.YES)
    elif session.phase is Phase.ADJOURNED and kind < 0.5:
        return replace(event, readings=(Reading(Command("resume")),))
    elif kind < 0.3:
        slots = (("number", random.randrange(4)),) if random.random() < 0.5 else ()
        return replace(event, readings=(Reading(Command(random.choice(WISHES), slots)),))
    else:
        return event
    return replace(event, readings=(Reading(meaning),), began_ms=at_ms, ended_ms=at_ms)


def play(settings: GameSettings, random: Random, steps: int = 160) -> set[Phase]:
    """One random game; the phases it went through."""
    live, replayed = Session(settings), Session(settings)
    now_ms, unsaid, reached = 0, list[int](), set[Phase]()
    private, envelope = KeepPrivate(None), b""
    waiting: list[ev.Event] = [ev.Started(at_ms=0)]
    for _ in range(steps):
        now_ms += random.choice([0, 5, 300, 1_500])
        if not waiting:
            if random.random() < 0.5:
                event, key = sealed(words(live, random, now_ms), private, NONCE, NOW)
                envelope = key or envelope
                waiting.append(event)
            elif unsaid:
                waiting.append(ev.Spoken(at_ms=now_ms, number=unsaid.pop(0)))
            else:
                waiting.append(random_event(live, random, now_ms, unsaid))
        event = decode_event(encode_event(waiting.pop(0)))
        effects = live.handle(event)
        unsaid += [say.utterance.number for say in said(effects)]
        for effect in effects:
            if isinstance(effect, KeepPrivate):
                private = effect
            elif isinstance(effect, OpenEnvelope):
                late_ms = random.choice([0, 4_000_000])
                key = envelope if random.random() < 0.9 else NONCE
                waiting.append(ev.EnvelopeOpened(at_ms=now_ms, key=key.hex(), late_ms=late_ms))
        assert replayed.handle(event) == effects
        assert state(replayed) == state(live)
        assert (private.envelope is not None) >= (live.phase is Phase.SEALING)
        check(live)
        reached.add(live.phase)
    return reached


@pytest.mark.parametrize("settings", GAMES, ids=range(len(GAMES)))
def test_whatever_happens_in_the_rarer_phases(settings: GameSettings) -> None:
    reached = set[Phase]()
    for seed in range(12):
        reached |= play(settings, Random(seed))
    assert reached >= MUST_BE_REACHED
