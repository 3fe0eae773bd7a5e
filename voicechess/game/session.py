"""The game: events in, effects out. It does no input or output, reads no clock and has no words of any language.

`Session.handle` is the whole interface. Two rules: it never raises on an event, and an event that it refuses leaves the
state unchanged (and is answered with a sentence). The same events give the same state and the same effects, so a
journal of events is the game. Which phase may follow which is in `phases.TRANSITIONS`.
"""

from __future__ import annotations

import chess

from voicechess.game import adjourning, claims, course, heard, hints, queries, repetition, timing, turns
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
    """One game from `Started` to its result. `date`: the day it began, "YYYY.MM.DD", for its score; "" if unknown.
    `kind`: the kind of game; None: at this board, against an engine if the settings name one.

    Raises `Failure` for settings that no game can be played with: an invalid FEN, an unknown edition of the laws, a
    time control that cannot be parsed.
    """

    def __init__(self, settings: GameSettings, date: str = "", kind: Kind[Table] | None = None) -> None:
        if settings.laws not in editions.EDITIONS:
            raise Failure("cli.bad_settings", {"detail": Text(f"no such edition of the laws: {settings.laws}")})
        self._table = Table(settings, date, kind)

    # --- state ---------------------------------------------------------------------------------------------------

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
        """The player's level, as `Heard.voice_db`; None before anything was understood."""
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
        """Moves and clock times, as the journal stores them."""
        return course.standing(self._table)

    @property
    def score(self) -> Score:
        """The score so far: moves, clock times, draw offers and the ending. It includes the move that is being
        repeated, which is made unless it is corrected."""
        return course.score(self._table)

    @property
    def expectation(self) -> Expectation:
        """What the player can say now: position, open question and valid commands."""
        return heard.expectation(self._table)

    @property
    def correctable(self) -> bool:
        """Whether a move has been repeated and its correction window is still open."""
        return self._table.window is not None

    @property
    def reminders(self) -> tuple[Phrase, ...]:
        """What a correspondence player has to be told today about the time that is left."""
        return self._table.kind.reminders(self._table)

    @property
    def decided_here(self) -> bool:
        """Whether this program, not a server, applies the laws, runs the clock and decides the result."""
        return self._table.kind.decided_here

    @property
    def counts_days(self) -> bool:
        """Whether it is a correspondence game: days are counted and no clock runs."""
        return not self._table.kind.runs_clock

    @property
    def side_here(self) -> chess.Color:
        """The local player's side; White if both players are local."""
        return self._table.kind.side_here

    @property
    def awaits_server(self) -> bool:
        """Whether it is a server game whose state the server has not sent yet."""
        return self._table.kind.awaits_news

    def repeats_when_told(self, news: ev.ServerState) -> bool:
        """Whether this state from the server has a move repeated aloud: one that was never sent, or did not arrive."""
        return self._table.kind.repeats_when_told(news, len(self._table.plies))

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
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
        """Apply `event`; returns the effects to perform, in order. Never raises."""
        table = self._table
        started, stood = table.phase is not Phase.NOT_STARTED, False
        if isinstance(event, ev.Started | ev.Resumed):
            table.take_floor()
        if isinstance(event, ev.Suspended):
            gap_ms = max(0, event.gap_ms)
            if not table.kind.slept(table, event.at_ms, gap_ms):
                timing.suspended(table, event.at_ms, gap_ms)
        elif isinstance(event, ev.Resumed):
            # Nothing fell due in between: no player was there.
            course.resume(table, event.at_ms)
        elif isinstance(event, ev.Heard) and started:
            # Speech counts from when its words began, however long recognition took.
            timing.pass_time(table, min(event.began_ms, event.at_ms))
            table.now_ms, stood = max(table.now_ms, event.at_ms), table.stands
            heard.hear(table, event)
        elif isinstance(event, ev.ServerEvent):
            # The server's news is applied before what time alone brings: a move that it voids must not be sent.
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
        """The table of which event is handled in which phase; in any other phase an event changes nothing.

        The phase is the one behind an open question, if there is one: an engine may answer while a question is open.
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
            case _, ev.Spoken(number=number, completed=completed):
                if completed:
                    queries.heard_whole(table.told, number)
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
"""Keys of sentences that "repeat" skips: after one of them the player wants to hear what came before it."""


def _repeats(event: ev.Event) -> bool:
    """Whether this was a request to repeat: the answer to it is not itself something to repeat."""
    best = event.readings[0].meaning if isinstance(event, ev.Heard) and event.readings else None
    return isinstance(best, Command) and best.name in ("repeat", *VOICE_CHANGES)
