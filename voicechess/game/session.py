"""The game: events in, effects out. It touches nothing, asks no clock and knows no words.

`Session.handle` is the whole public face. Two rules: it never raises on an event, and an event that it refuses leaves
the state as it was (it is answered with a sentence). The same events give the same state and the same effects, so a
journal of events is the game. What may follow on a phase stands in `phases.TRANSITIONS`.
"""

from __future__ import annotations

import chess

from voicechess.game import adjourning, claims, course, heard, hints, repetition, timing, turns
from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings
from voicechess.game.effects import VOICE_CHANGES, Effect, Say
from voicechess.game.kind import Kind
from voicechess.game.phases import Phase
from voicechess.game.situation import Ply
from voicechess.game.state import Table
from voicechess.laws import editions
from voicechess.laws.clock import Clock
from voicechess.laws.results import Ending
from voicechess.meaning import Command, Expectation
from voicechess.messages import Failure, Phrase, Text
from voicechess.score.score import Score


class Session:
    """One game from `Started` to its result. `date`: the day it began on, "YYYY.MM.DD", for its score; "" if unknown.
    `kind`: the kind of game; None: at this board, against an engine if the settings name one.

    Raises `Failure` for settings that no game can be played with (a FEN that is none, an unknown edition, a time
    control that is not in the notation).
    """

    def __init__(self, settings: GameSettings, date: str = "", kind: Kind[Table] | None = None) -> None:
        if settings.laws not in editions.EDITIONS:
            raise Failure("cli.bad_settings", {"detail": Text(f"no such edition of the laws: {settings.laws}")})
        self._table = Table(settings, date, kind)

    # --- looking -------------------------------------------------------------------------------------------------

    @property
    def settings(self) -> GameSettings:
        """What was agreed."""
        return self._table.settings

    @property
    def phase(self) -> Phase:
        """What the game is waiting for."""
        return self._table.phase

    @property
    def board(self) -> chess.Board:
        """A copy of the board, with its moves."""
        return self._table.board.copy()

    @property
    def voice_db(self) -> int | None:
        """How loud the player is, as `Heard.voice_db`; None before anything was understood."""
        return self._table.company.voice_db

    @property
    def names_captured(self) -> bool:
        """Whether announcements say which piece is captured."""
        return self._table.names_captured

    @property
    def clock(self) -> Clock:
        """Both sides' time."""
        return self._table.clock

    @property
    def plies(self) -> tuple[Ply, ...]:
        """The moves made, with the clock after each."""
        return tuple(self._table.plies)

    @property
    def standing(self) -> ev.Stood:
        """Its moves and times, as the journal keeps them."""
        return course.standing(self._table)

    @property
    def score(self) -> Score:
        """The score so far: moves, clock times, draw offers, and how it ended. A move that is being repeated is in it:
        it was announced, and is made unless somebody corrects it."""
        return course.score(self._table)

    @property
    def expectation(self) -> Expectation:
        """What can sensibly be said now."""
        return heard.expectation(self._table)

    @property
    def correctable(self) -> bool:
        """Whether a move has been repeated and can still be corrected by voice: it is made when time has passed."""
        return self._table.window is not None

    @property
    def reminders(self) -> tuple[Phrase, ...]:
        """What a player of a correspondence game has to be told of the time on the day that it is."""
        return self._table.kind.reminders(self._table)

    @property
    def decided_here(self) -> bool:
        """Whether laws, clock and result are this program's, and not a server's."""
        return self._table.kind.decided_here

    @property
    def counts_days(self) -> bool:
        """Whether it is played over days, by lines that are sent, and no clock runs."""
        return not self._table.kind.runs_clock

    @property
    def side_here(self) -> chess.Color:
        """The side of the player here; White's where both are."""
        return self._table.kind.side_here

    @property
    def awaits_server(self) -> bool:
        """Whether it is on a server that has not told yet how it stands."""
        return self._table.kind.awaits_news

    def repeats_when_told(self, news: ev.ServerState) -> bool:
        """Whether a move is repeated aloud when the server tells this: one that was never sent, or did not arrive."""
        return self._table.kind.repeats_when_told(news, len(self._table.plies))

    @property
    def over(self) -> bool:
        """Whether the result stands."""
        return self._table.base_phase is Phase.OVER

    @property
    def ending(self) -> Ending | None:
        """How the game ended, None while it is played."""
        return self._table.ending

    @property
    def result(self) -> str:
        """One of `RESULTS`; "*" while it is played."""
        return "*" if self._table.ending is None else self._table.ending.result

    # --- playing -------------------------------------------------------------------------------------------------

    def handle(self, event: ev.Event) -> tuple[Effect, ...]:
        """What `event` changes and what is to be done about it, in this order. Never raises."""
        table = self._table
        started, stood = table.phase is not Phase.NOT_STARTED, False
        if isinstance(event, ev.Started | ev.Resumed):
            table.take_floor()
        if isinstance(event, ev.Suspended):
            gap_ms = max(0, event.gap_ms)
            if not table.kind.slept(table, event.at_ms, gap_ms):
                timing.suspended(table, event.at_ms, gap_ms)
        elif isinstance(event, ev.Resumed):
            # Nothing was due in between: no player was there.
            course.resume(table, event.at_ms)
        elif isinstance(event, ev.Heard) and started:
            # What was said counts from its words, however long they took to be understood.
            timing.pass_time(table, min(event.began_ms, event.at_ms))
            table.now_ms, stood = max(table.now_ms, event.at_ms), table.stands
            heard.hear(table, event)
        elif isinstance(event, ev.ServerEvent):
            # What it tells comes before what is only due: a move that has become void is not sent any more.
            table.now_ms = max(table.now_ms, event.at_ms)
            table.kind.take(table, event)
            if started:
                timing.pass_time(table, event.at_ms)
        else:
            if started:
                timing.pass_time(table, event.at_ms)
            table.now_ms, stood = max(table.now_ms, event.at_ms), table.stands
            if isinstance(event, ev.Spoken):
                table.told.spoken = max(table.told.spoken, event.number)
            self._handle_other(event)
        if table.phase is not Phase.NOT_STARTED:
            turns.make_held(table)
            table.kind.follow(table)
            timing.goes_on(table, stood, table.now_ms)
            timing.flags(table, table.now_ms)
            timing.thresholds(table, table.now_ms)
            table.kind.pass_time(table)
            table.keep_private()
            table.listen(heard.expectation(table))
        return self._collected(event)

    def _handle_other(self, event: ev.Event) -> None:
        """The table of what is answered in which phase; an event that comes in another one changes nothing.

        The phase is the one that lasts behind an open question, if there is one: the engine answers into that.
        """
        table = self._table
        match table.base_phase, event:
            case _, _ if table.kind.take(table, event):
                pass
            case Phase.NOT_STARTED, ev.Started() as begun:
                if begun.voice_db is not None:
                    table.company.understood_db = (begun.voice_db,)
                course.start(table, begun.introduced, begun.three_words)
            case Phase.REPEATING, ev.Tick(speaking=speaking):
                repetition.passed(table, speaking)
            case Phase.REPEATING, ev.Spoken(number=number, completed=completed, listening=listening):
                repetition.said(table, number, completed, listening)
            case Phase.THINKING, ev.OpponentMoved() as moved:
                turns.opponent_moved(table, moved)
            case Phase.REPEATING | Phase.PAUSED, ev.OpponentMoved() as moved:
                turns.hold(table, moved)
            case Phase.THINKING, ev.OpponentAnswered(accepts=accepts):
                turns.opponent_answered(table, accepts)
            case Phase.ADJOURNED, ev.OpponentAnswered(accepts=accepts):
                adjourning.considered(table, accepts)
            case Phase.ADJOURNED, ev.EnvelopeOpened() as opened:
                adjourning.opened(table, opened)
            case Phase.JUDGING, ev.ClaimJudged(scores=scores):
                claims.judged(table, scores)
            case _, ev.HintFound(uci=uci):
                hints.found(table, uci)
            case Phase.SEALING, ev.Sealed() as sealed:
                adjourning.sealed(table, sealed)
            case _, ev.Spoken(number=number):
                heard.spoken(table, number)
            case _, ev.OpponentFailed(reason=reason, final=final):
                turns.opponent_failed(table, reason, final)
            case _, ev.LetterCame():
                table.say("post.only")
            case _, ev.Stood() as stood:
                course.set_right(table, stood)
            case _, ev.DeviceLost() | ev.DeviceFound() as device:
                table.say(device.key)
            case _, ev.Trouble(key=key, detail=detail):
                table.say(key, {"detail": Text(detail)})

    def _collected(self, event: ev.Event) -> tuple[Effect, ...]:
        effects = self._table.take_effects()
        if not isinstance(event, ev.Heard):
            numbers = [one.utterance.number for one in effects if isinstance(one, Say)]
            self._table.told.news = max([self._table.told.news, *numbers])
        said = tuple(one.utterance for one in effects if isinstance(one, Say) and one.utterance.key not in _NO_NEWS)
        if (said and not isinstance(event, ev.Heard)) or (said and not _repeats(event)):
            self._table.told.said = said
        return effects


_NO_NEWS = frozenset(
    (
        "stopped",
        "not_understood.nothing",
        "not_understood.no_sense",
        "not_understood.unknown_words",
        "not_understood.answer",
        "not_understood.here",
    )
)
"""Sentences that nobody wants repeated: who asks for that after one of them wants to hear what came before."""


def _repeats(event: ev.Event) -> bool:
    """Whether this asked for a repetition: what that says is no news to be repeated itself."""
    best = event.readings[0].meaning if isinstance(event, ev.Heard) and event.readings else None
    return isinstance(best, Command) and best.name in ("repeat", *VOICE_CHANGES)
