"""Simultaneous displays in the journal: every board is a game of its own, and all games of a display share its key.

Every event is in its game's journal before anything that follows is said. An interrupted display is resumed with all
its games: each is replayed, and the giver is at the board of the last event.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from voicechess.app.games import day_of, replay, resume
from voicechess.app.kinds import session_of
from voicechess.display.display_games import KeepAt
from voicechess.display.simul import Display
from voicechess.game import effects as ef
from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings
from voicechess.game.session import Session
from voicechess.meaning import Expectation
from voicechess.messages import Failure
from voicechess.storage.database import JournalError
from voicechess.storage.journal import GameSummary, Journal, Recorder

_UNREADABLE = frozenset({"journal.unreadable", "journal.newer_game"})


@dataclass
class RecordedDisplay:
    """A display as the loop runs it."""

    display: Display
    recorders: Mapping[int, Recorder]  # write the unfinished games, by board number
    last_ms: int = 0  # time of the last event in any of them
    tell: Callable[[Failure], None] = lambda failure: None  # reports disk errors
    unread: tuple[Failure, ...] = ()  # why games of it cannot be resumed with the others

    @property
    def expectation(self) -> Expectation:
        """What can be said to the display now."""
        return self.display.expectation

    def handle(self, event: ev.Event) -> tuple[ef.Effect, ...]:
        """The display's effects, after the event was written."""
        effects: list[ef.Effect] = []
        for effect in self.display.handle(event):
            if isinstance(effect, KeepAt):
                self._keep(effect)
            else:
                effects.append(effect)
        return tuple(effects)

    @property
    def complete(self) -> bool:
        """Whether everything is on disk."""
        return all(recorder.complete for recorder in self.recorders.values())

    @property
    def settings(self) -> dict[int, GameSettings]:
        """The settings of every board."""
        return {number: board.session.settings for number, board in self.display.boards.items()}

    def release(self) -> None:
        """Let other programs resume it."""
        for recorder in self.recorders.values():
            recorder.release()

    def _keep(self, kept: KeepAt) -> None:
        recorder = self.recorders.get(kept.number)
        if recorder is None:
            return
        known = not self.complete  # a disk error is reported once, not at every board
        try:
            if isinstance(kept.happened, ef.GameEnded):
                recorder.end(kept.happened.result, kept.happened.termination)
            else:
                recorder.append(*filter(None, (kept.happened, kept.stood)))
        except JournalError as error:
            if not known:
                self.tell(error)


def begun(journal: Journal, agreed: Sequence[GameSettings]) -> RecordedDisplay:
    """A new display with all its games in the journal. Raises `Failure` for impossible terms."""
    sessions = [session_of(settings, day_of()) for settings in agreed]
    recorders = {settings.board: journal.begin(settings) for settings in agreed}
    return RecordedDisplay(Display(sessions), recorders)


def resumed(journal: Journal, key: str) -> RecordedDisplay:
    """The display `key` as it was, without games that cannot be read. Raises JournalError if one is being played
    elsewhere, and if none is left to resume ("journal.over")."""
    sessions: list[Session] = []
    recorders: dict[int, Recorder] = {}
    unread: list[Failure] = []
    last_ms = 0
    games = games_of(journal, key)
    try:
        for game in games:
            try:
                continued = resume(journal, game.id)
            except JournalError as error:
                if error.key == "journal.over":
                    sessions.append(replay(journal.game(game.id)))
                elif error.key in _UNREADABLE:
                    unread.append(error)
                else:
                    raise
                continue
            sessions.append(continued.session)
            recorders[game.settings.board] = continued.recorder
            last_ms = max(last_ms, continued.last_ms)
        if not recorders:
            raise JournalError("journal.over", {"number": games[0].id if games else 0})
    except Failure:
        for recorder in recorders.values():
            recorder.release()
        raise
    last = next(game for game in journal.by_last_played() if game.settings.display == key)
    return RecordedDisplay(Display(sessions, last.settings.board), recorders, last_ms, unread=tuple(unread))


def at_server(
    journal: Journal, games: Mapping[int, GameSettings], entries: Mapping[int, GameSummary], at: int
) -> RecordedDisplay:
    """A display of games at a server, by board number; `entries`: those already in the journal, which are continued
    there. Without games that cannot be read or are being played elsewhere."""
    sessions: dict[int, Session] = {}
    recorders: dict[int, Recorder] = {}
    unread: list[Failure] = []
    last_ms = 0
    for number, settings in games.items():
        try:
            if number in entries:
                continued = resume(journal, entries[number].id, served=True)
                sessions[number], recorders[number] = continued.session, continued.recorder
                last_ms = max(last_ms, continued.last_ms)
            else:
                sessions[number] = session_of(settings, day_of())
                recorders[number] = journal.begin(settings)
        except Failure as error:
            unread.append(error)
    if not sessions:
        raise unread[0]
    display = Display(list(sessions.values()), at, list(sessions))
    return RecordedDisplay(display, recorders, last_ms, unread=tuple(unread))


def games_of(journal: Journal, key: str) -> list[GameSummary]:
    """The games of a display, by board number."""
    found = [game for game in journal.games() if key and game.settings.display == key]
    return sorted(found, key=lambda game: game.settings.board)
