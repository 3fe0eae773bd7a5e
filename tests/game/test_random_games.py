"""Random events in random phases: what must hold whatever happens."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from tests.drivers.events import ending_fits, may_be_silent, random_event
from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings, Player, Preset
from voicechess.game.effects import Effect, Say, SeekHint, ShowBoard, Sound, SpeakThrough, UseBoardKeys
from voicechess.game.phases import PLAYERS_TURN, Phase
from voicechess.game.session import Session
from voicechess.language.folders import LANGUAGES
from voicechess.language.wording import Wording

GAMES = {
    "machine": GameSettings(time="1+1"),
    "black": GameSettings(white=Player.ENGINE, black=Player.VOICE, time="2/3:1d2"),
    "people": GameSettings(black=Player.VOICE, time="30s+5"),
    "untimed": GameSettings(fen="r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
    "endgame": GameSettings(fen="8/P2k4/8/2pP4/8/8/5K1p/8 w - c6 0 1", black=Player.VOICE, preset=Preset.STRICT_BLIND),
    "tournament": GameSettings(time="20s", preset=Preset.TOURNAMENT, laws=2009),
    "penalties": GameSettings(time="10", black=Player.VOICE, penalties=True, touch_move=True),
    "penalties 2009": GameSettings(time="1", penalties=True, touch_move=True, laws=2009),
    "hourglass": GameSettings(time="1h", black=Player.VOICE, chess960=37),
}
STEPS = 250
LISTENING = PLAYERS_TURN | {Phase.CONFIRMING, Phase.ECHOING}


def said(effects: tuple[Effect, ...]) -> list[Say]:
    return [effect for effect in effects if isinstance(effect, Say)]


def state(session: Session) -> tuple[object, ...]:
    return (session.phase, session.board, session.clock, session.plies, session.expectation, session.ending)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", GAMES)
def test_whatever_happens(name: str, seed: int) -> None:
    random = Random(f"{name} {seed}")
    live, replayed = Session(GAMES[name]), Session(GAMES[name])
    wordings = [Wording(language, strict=True) for language in LANGUAGES]
    now_ms, unsaid = 0, list[int]()
    for step in range(STEPS):
        now_ms += random.choice([0, 5, 300, 2_000, 9_000]) if step else 0
        event = random_event(live, random, now_ms, unsaid) if step else ev.Started(at_ms=0)
        before = live.phase
        effects = live.handle(event)
        utterances = [say.utterance for say in said(effects)]
        unsaid += [utterance.number for utterance in utterances]
        if isinstance(event, ev.Heard) and (before in LISTENING or before in (Phase.SEALING, Phase.ADJOURNED)):
            # What may as well be noise gets a tone; whoever hears no tones is given a word for it.
            # What comes of a voice or a board is told by what shows it, a hint by the engine's answer.
            sounded = any(
                (isinstance(effect, Sound) and effect.alone)
                or isinstance(effect, ShowBoard | UseBoardKeys | SpeakThrough | SeekHint)
                for effect in effects
            )
            assert utterances or sounded or may_be_silent(live), f"no answer to {event} in {before}"
        for wording in wordings:
            assert all(wording.say(utterance) for utterance in utterances)
        assert replayed.handle(event) == effects
        assert state(replayed) == state(live)
        check(live)


def check(session: Session) -> None:
    board, clock = session.board, session.clock
    assert board.is_valid()
    if session.phase is not Phase.ADJOURNED:  # at a resumption the clock runs of the side that is missing
        assert clock.running in (None, board.turn)
    if session.phase in (Phase.PAUSED, Phase.OVER, Phase.ANNOUNCING, Phase.NOT_STARTED, Phase.JUDGING):
        assert clock.running is None
    if session.phase in PLAYERS_TURN | {Phase.THINKING, Phase.ECHOING, Phase.SEALING}:
        assert clock.running == board.turn
    assert len(session.plies) == len(board.move_stack)
    assert ending_fits(session)


def test_events_out_of_place_leave_the_state_as_it_was() -> None:
    session = Session(GameSettings(time="5"))
    too_early: list[ev.Event] = [ev.Spoken(at_ms=0, number=3), ev.Tick(at_ms=0), ev.OpponentMoved(at_ms=0, uci="e2e4")]
    for event in too_early:
        assert session.handle(event) == ()
        assert session.phase is Phase.NOT_STARTED
    session.handle(ev.Started(at_ms=0))
    session.handle(ev.Spoken(at_ms=0, number=3))
    before = state(session)
    assert session.phase is Phase.LISTENING
    out_of_place: list[ev.Event] = [
        ev.Started(at_ms=1),
        ev.OpponentMoved(at_ms=1, uci="e2e4"),
        ev.OpponentMoved(at_ms=1, uci=None),
        ev.OpponentAnswered(at_ms=1, accepts=True),
        ev.OpponentFailed(at_ms=1, reason="gone", final=True),
        ev.Spoken(at_ms=1, number=999),
        ev.Heard(at_ms=1, readings=(), words="", began_ms=0, ended_ms=1),
    ]
    for event in out_of_place:
        effects = session.handle(event)
        assert state(session) == before, event
        assert not said(effects) or isinstance(event, ev.Heard)


def test_ticks_change_no_result() -> None:
    """The same game with and without ticks between its events ends alike."""
    for seed in range(4):
        random = Random(seed)
        ticking, quiet = Session(GAMES["people"]), Session(GAMES["people"])
        events: list[ev.Event] = [ev.Started(at_ms=0)]
        unsaid: list[int] = []
        for step in range(120):
            event = events[-1] if step == 0 else random_event(ticking, random, step * 900, unsaid)
            if isinstance(event, ev.Tick):
                continue
            if isinstance(event, ev.Spoken):
                event = replace(event, listening=False)  # else the move waits for a tick, which tells who speaks
            unsaid += [say.utterance.number for say in said(ticking.handle(event))]
            quiet.handle(event)
            assert quiet.board == ticking.board
            for moment in range(step * 900, step * 900 + 300, 100):
                unsaid += [say.utterance.number for say in said(ticking.handle(ev.Tick(at_ms=moment)))]
        assert [ply.move for ply in quiet.plies] == [ply.move for ply in ticking.plies]
