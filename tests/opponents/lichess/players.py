"""Players with the whole program but its devices: client, session and journal, and a plan that announces by itself.

What is said is said at once, and a correction's time passes without anybody waiting for it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import chess

from tests.drivers.events import spoken
from tests.drivers.lichess.standin import StandIn
from tests.opponents.lichess.robots import Robot, Skipping
from voicechess.app.games import Recording, replay, resume
from voicechess.app.kinds import session_of
from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings, PersonalChoices, Player
from voicechess.game.effects import Effect, GameEnded, Say, SendMove, SendWish
from voicechess.game.phases import PLAYERS_TURN, Phase
from voicechess.game.session import Session
from voicechess.meaning import Answer, AnswerKind, Command, Meaning, Reading
from voicechess.messages import Utterance
from voicechess.online.lobby import OnlineGame
from voicechess.opponents.lichess.board_game import BoardGame
from voicechess.storage.database import JournalError
from voicechess.storage.journal import Journal, Recorder

CORRECTED_MS = 10_000
"""After this a repeated move is made."""

Plan = Callable[[chess.Board, chess.Color], Meaning | None]
"""What to say in this position on one's own turn; None: nothing."""


def announces_by_lot(seed: int, plies: int, ending: str = "resign") -> Plan:
    """Moves drawn by the position alone, so that the same game comes about whatever goes wrong; then gives up."""

    def plan(board: chess.Board, _: chess.Color) -> Meaning | None:
        if board.ply() >= plies:
            return Command(ending)
        moves = sorted(board.legal_moves, key=lambda move: move.uci())
        return spoken(board, Random(f"{seed} {board.fen()}").choice(moves))

    return plan


def announces(*moves: str) -> Plan:
    """These moves, as far as they go."""

    def plan(board: chess.Board, _: chess.Color) -> Meaning | None:
        told = moves[board.ply()] if board.ply() < len(moves) else ""
        return spoken(board, chess.Move.from_uci(told)) if told else None

    return plan


@dataclass
class Table:
    """A game that is being played. `asked`: what was said where it had no effect yet, so it is not said again."""

    online: OnlineGame
    game: BoardGame
    session: Session
    recording: Recording
    plan: Plan
    asked: set[tuple[int, str]] = field(default_factory=set)
    ended: GameEnded | None = None
    sent: list[str] = field(default_factory=list)


class PowerCut(BaseException):
    """Nothing happens after this."""


@dataclass(frozen=True)
class Kept:
    """A game as the journal has it."""

    moves: tuple[str, ...]
    result: str | None
    termination: str | None


class Announcer(Robot):
    """Somebody who plays by the session. `path`: where the journal is, None: in memory.

    `dies_after`: after so many steps, an event that is handled, written, or an effect that is performed, everything is
    gone but what is on disk and at the server. Another one with the same `path` goes on.
    """

    def __init__(
        self,
        standin: StandIn,
        name: str,
        path: Path | None = None,
        *,
        silence_s: float = 20.0,
        times: Skipping | None = None,
        quick: bool = False,
        chat: bool = False,
        dies_after: int | None = None,
    ) -> None:
        super().__init__(standin, name, silence_s=silence_s, times=times)
        self.name = name
        self.quick, self.chat = quick, chat
        self.said: list[Utterance] = []
        self.path = path
        self.dead = threading.Event()
        self._dies_after = dies_after
        self._skipped_ms = 0
        self.tables: dict[str, Table] = {}
        self.over: dict[str, GameEnded] = {}
        self.kept: dict[str, Kept] = {}
        self._journal: Journal

    def now_ms(self) -> int:
        return super().now_ms() + self._skipped_ms

    def announce(self, game_id: str, plan: Plan) -> None:
        """Play this game, from now on."""
        online, game = self.client.enter(game_id)

        def sit_down() -> None:
            table = self._known(online, game, plan) or self._new(online, game, plan)
            self.tables[game_id] = table
            first = ev.Started if table.session.phase is Phase.NOT_STARTED else ev.Resumed
            self._happen(table, first(at_ms=self.now_ms()))

        self._events.put(sit_down)
        game._post = lambda event: self._events.put(lambda: self._happen(self.tables[game_id], event))
        game.begin()

    def _new(self, online: OnlineGame, game: BoardGame, plan: Plan) -> Table:
        white = online.terms.colour is not chess.BLACK
        settings = GameSettings(
            white=Player.VOICE if white else Player.SERVER,
            black=Player.SERVER if white else Player.VOICE,
            time=online.terms.time.control.notation,
            fen=online.terms.fen or chess.STARTING_FEN,
            default_minutes=None,
            white_name=self.name if white else online.opponent.name,
            black_name=online.opponent.name if white else self.name,
            site=online.site,
            personal=PersonalChoices(quick=self.quick, chat=self.chat),
        )
        session = session_of(settings)
        return Table(online, game, session, Recording(self._journal.begin(settings), session), plan)

    def _known(self, online: OnlineGame, game: BoardGame, plan: Plan) -> Table | None:
        """The game as the journal has it from before."""
        entries = [one for one in self._journal.games() if one.settings.site == online.site]
        assert len(entries) <= 1, "one game is one entry"
        if not entries:
            return None
        try:
            continued = resume(self._journal, entries[0].id, served=True)
        except JournalError as error:
            assert error.key == "journal.over"
            stored = self._journal.game(entries[0].id)
            table = Table(
                online, game, replay(stored), Recording(Recorder(self._journal, entries[0].id, 0), replay(stored)), plan
            )
            self._finished(table, entries[0].id)
            table.ended = GameEnded(stored.summary.result or "", stored.summary.termination or "")
            self.over[online.id] = table.ended
            return table
        self._skipped_ms = max(self._skipped_ms, continued.last_ms - super().now_ms())
        return Table(online, game, continued.session, Recording(continued.recorder, continued.session), plan)

    def _run(self) -> None:
        self._journal = Journal(self.path)
        super()._run()
        self._journal.close()

    def _step(self) -> None:
        if self._dies_after is not None:
            self._dies_after -= 1
            if self._dies_after < 0:
                raise PowerCut

    def die(self) -> None:
        """What the operating system does for one that was killed: its connections are closed."""
        self.client._transport.close()
        self.client.close()

    # --- on the thread of the player ------------------------------------------------------------------------------

    def _happen(self, table: Table, event: ev.Event) -> None:
        if table.ended is not None or self.dead.is_set():
            return
        try:
            self._follow(table, event)
        except PowerCut:
            self.dead.set()

    def _follow(self, table: Table, event: ev.Event) -> None:
        waiting = [event]
        while waiting:
            one = waiting.pop(0)
            effects = table.session.handle(one)
            self._step()
            if table.ended is None:
                table.recording.keep(one)
            for effect in effects:
                self._step()
                spoken_of = self._perform(table, effect)
                if spoken_of is not None:
                    waiting.append(spoken_of)
            if isinstance(one, ev.ServerRefused | ev.ServerLink) or (isinstance(one, ev.ServerState) and one.first):
                table.asked.clear()
            if not waiting and table.ended is None:
                further = self._next(table)
                waiting += [] if further is None else [further]
        if table.ended is not None:
            self._leave(table)

    def _perform(self, table: Table, effect: Effect) -> ev.Event | None:
        match effect:
            case Say(utterance):
                self.said.append(utterance)
                return ev.Spoken(at_ms=self.now_ms(), number=utterance.number)
            case SendMove() | SendWish():
                table.sent.append(effect.uci if isinstance(effect, SendMove) else effect.wish.value)
                table.game.send(effect)
            case GameEnded():
                table.ended = effect
        return None

    def _next(self, table: Table) -> ev.Event | None:
        """What the player does now."""
        session = table.session
        if session.phase is Phase.REPEATING:
            self._skipped_ms += CORRECTED_MS
            return ev.Tick(at_ms=self.now_ms())
        if session.phase is Phase.CONFIRMING:
            return self._heard(Answer(AnswerKind.YES))
        if session.phase not in PLAYERS_TURN:
            return None
        colour = table.online.terms.colour is not chess.BLACK
        meaning = table.plan(session.board, colour)
        mark = (session.board.ply(), f"{meaning}")
        if meaning is None or mark in table.asked:
            return None
        table.asked.add(mark)
        return self._heard(meaning)

    def _heard(self, meaning: Meaning) -> ev.Heard:
        now = self.now_ms()
        readings = (Reading(meaning, 0.0),)
        return ev.Heard(at_ms=now, readings=readings, words="", began_ms=now, ended_ms=now, source=ev.Source.KEYBOARD)

    def _leave(self, table: Table) -> None:
        assert table.ended is not None
        table.recording.end(table.ended)
        self._step()
        table.game.leave()
        self._finished(table, table.recording.game_id)
        self.over[table.online.id] = table.ended

    def _finished(self, table: Table, number: int) -> None:
        stored = self._journal.game(number)
        moves = tuple(ply.move.uci() for ply in replay(stored).plies)
        assert moves == tuple(ply.move.uci() for ply in table.session.plies), "replayed to the same game"
        self.kept[table.online.id] = Kept(moves, stored.summary.result, stored.summary.termination)
