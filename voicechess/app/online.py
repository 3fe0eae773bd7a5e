"""Online play: connects the conversations with `opponents.lichess`, account and lobby, and puts its games into the
journal.

A game at the server and its entry in the journal are matched by address, so a killed program resumes with both.
Challenges that arrive during a game are kept until it is over.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from typing import TypeVar

import chess

from voicechess.app.around import Hooks
from voicechess.app.displaying import at_server
from voicechess.app.playing import play_new, play_on, play_served
from voicechess.app.wiring import Program
from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings, Player
from voicechess.game.effects import LobbyRequest
from voicechess.laws.chess960 import CLASSICAL
from voicechess.messages import Failure
from voicechess.online.challenges import Doorbell, Inner
from voicechess.online.client_protocol import Served, ServerClient
from voicechess.online.lobby import (
    KNOCKS,
    ChallengeArrived,
    ChallengeGone,
    LobbyEvent,
    LobbyRefused,
    OnlineGame,
    OnlinePlayer,
    OnlineTerms,
)
from voicechess.online.online_wish import OnlineOutcome, OnlineWish
from voicechess.opponents.lichess.login import LICHESS, AccessToken, TokenStore, system_keyring
from voicechess.storage.database import JournalError
from voicechess.storage.journal import GameSummary
from voicechess.storage.places import token_file

AT_ONCE_S = 0.5
"""Seconds for an answer of the server before a conversation bridges the wait. Larger: longer silences."""

_Answer = TypeVar("_Answer")

PLAYED = frozenset({"created", "started"})
"""States that a server gives unfinished games."""


def token_store(server: str) -> TokenStore:
    """The store of this player's token for a server."""
    return TokenStore(server, token_file(), system_keyring())


class OnlineRoom:
    """One player at one server, as long as the program runs; nothing is read or opened before it is needed.

    `token`: None for the stored one.
    """

    def __init__(self, program: Program, server: str = LICHESS, token: AccessToken | None = None) -> None:
        self._program, self._server, self._token = program, server, token
        self._client: ServerClient | None = None
        self._name = ""
        self._numbers = count(1)
        self._lock = threading.Lock()
        self._waiting: list[ChallengeArrived] = []
        self._talking = self._over = False
        self._left: frozenset[str] = frozenset()
        self._rematch: OnlineGame | None = None
        self._wish = OnlineWish()  # the wish for the next visit, unless another is given
        self._boards: tuple[OnlineGame, ...] = ()  # boards of a display that was asked for
        self._connecting = threading.Lock()

    def close(self) -> None:
        """Disconnect from the server."""
        if self._client is not None:
            self._client.close()

    def has_account(self) -> bool:
        """Whether somebody has logged in; True also if that cannot be read, which `connect` reports."""
        try:
            return self._access() is not None
        except Failure:
            return True

    def _access(self) -> AccessToken | None:
        """The token; None if nobody has logged in. Raises Failure if that cannot be read."""
        if self._token is None:
            self._token = token_store(self._server).read()
        return self._token

    def connect(self) -> None:
        """Connect. Raises Failure: nobody has logged in, an invalid token, no network."""
        token = self._access()
        if token is None:
            raise Failure("lobby.no_account")
        with self._connecting:
            if self._client is None:
                # The client is imported on demand: that takes a tenth of a second.
                from voicechess.opponents.lichess.client import LichessClient

                self._client = LichessClient(self._server, token, self._post, self._program.clock.now)
            if not self._name:
                self._name = self._client.connect().name

    def reached(self) -> bool:
        """Connect while the player can speak; False if they did not wait. Raises Failure."""

        def connected() -> bool:
            self.connect()
            return True

        return self._waited_for(connected) is not None

    def _waited_for(self, ask: Callable[[], _Answer], drop: Callable[[_Answer], object] = id) -> _Answer | None:
        """The server's answer, requested on another thread, since it may take long and the player may say "Ende".

        None if the player left; `drop` then gets the late answer. Raises Failure.
        """
        from voicechess.online.reaching import Reaching

        found: list[_Answer] = []
        failed: list[Failure] = []
        done, left, lock = threading.Event(), threading.Event(), threading.Lock()
        talk = Reaching(by_voice=self._program.microphone_there, done=done.is_set)

        def run() -> None:
            try:
                answer = ask()
                with lock:
                    found.append(answer)
                    late = left.is_set()
                if late:
                    drop(answer)
            except Failure as failure:
                failed.append(failure)
            finally:
                done.set()

        threading.Thread(target=run, name="online", daemon=True).start()
        if not done.wait(AT_ONCE_S):
            loop = self._program.loop
            loop.converse(talk, ev.Started(at_ms=loop.now()), lambda: talk.over, Hooks(busy=lambda: not talk.over))
        with lock:
            if talk.ended and self._program.loop.exit_code is None:
                self._program.loop.exit_code = 0
            if talk.left or self._program.loop.exit_code is not None:
                left.set()
                if found:
                    drop(found[0])
                return None
        if failed:
            raise failed[0]
        return found[0]

    # --- conversations -------------------------------------------------------------------------------------------

    def visit(self, wish: OnlineWish | None = None) -> OnlineOutcome:
        """Talk and play there until the player has had enough: `BACK` to the previous conversation, or `END`."""
        wished, self._wish = wish or self._wish, OnlineWish()
        while True:
            outcome, game = self._conversation(wished)
            if self._boards and self._program.loop.exit_code is None:
                self.play_boards(self._boards)
            elif game is not None and self._program.loop.exit_code is None:
                self.play(game)
            if self._program.loop.exit_code is not None:
                return OnlineOutcome.END
            if self._program.to_play is not None:  # a position set up after a game here, to be played elsewhere
                return OnlineOutcome.BACK
            if game is None and not self._boards:
                return outcome
            wished = OnlineWish()

    def _conversation(self, wish: OnlineWish) -> tuple[OnlineOutcome, OnlineGame | None]:
        """Hold the conversation: its outcome, and the game that comes of it."""
        from voicechess.online.online import Online
        from voicechess.online.online_questions import OnlineStep

        talk = Online(
            by_voice=self._program.microphone_there,
            account=lambda: self._name,
            wish=wish,
            rematch=self._rematch,
            numbers=self._numbers,
            left=self._left,
        )
        self._rematch = None
        game = self.talk(talk, lambda: talk.over, lambda: talk.step is OnlineStep.ASKING)
        self._boards = () if game is not None else talk.boards
        return talk.outcome or OnlineOutcome.BACK, game or talk.game

    def talk(
        self, inner: Inner, over: Callable[[], bool], busy: Callable[[], bool] = lambda: False
    ) -> OnlineGame | None:
        """Hold a conversation in which challenges can be accepted; the game, if one was."""
        loop = self._program.loop
        with self._lock:
            waiting, self._waiting, self._talking = self._waiting, [], True
        bell = Doorbell(by_voice=self._program.microphone_there, inner=inner, numbers=self._numbers, waiting=waiting)
        hooks = Hooks(lobby=self._ask, busy=lambda: not bell.asking and busy())
        loop.converse(bell, ev.Started(at_ms=loop.now()), lambda: bell.over or over(), hooks)
        with self._lock:
            self._talking, self._over, self._waiting = False, False, bell.pending
        return bell.game

    def _ask(self, request: LobbyRequest) -> None:
        """Send a request to the server; the answer is posted. Not on the loop's thread while unconnected."""
        if self._name and self._client is not None:
            self._client.ask(request)
        else:
            threading.Thread(target=self._connect_and_ask, args=(request,), name="online", daemon=True).start()

    def _connect_and_ask(self, request: LobbyRequest) -> None:
        try:
            self.connect()
        except Failure as failure:
            from voicechess.opponents.lichess.transport import refusal_reason

            reason = refusal_reason(failure.key.rpartition(".")[2])
            detail = self._program.loop.words(failure.phrase)
            refused = LobbyRefused(
                at_ms=self._program.clock.now(), request=request.number, reason=reason, detail=detail
            )
            self._program.inbox.post(refused)
            return
        assert self._client is not None
        self._client.ask(request)

    # --- games ---------------------------------------------------------------------------------------------------

    def play(self, game: OnlineGame) -> None:
        """Play a game there until it ends or the player leaves; after a finished one a rematch is offered."""
        program, client = self._program, self._client
        assert client is not None
        self._left |= {game.id}
        try:
            found = self._waited_for(lambda: client.enter(game.id), lambda late: late[1].leave())
        except Failure as failure:
            program.loop.say_aside(failure.key, failure.phrase)
            return
        if found is None:
            return
        told, served = found
        told = replace(told, opponent=_known(told.opponent, game.opponent))
        number = self._entry(told.site)
        try:
            if number is None:
                play_new(program, self._settings(told), introduced=True, served=served)
            else:
                play_on(program, number, served=served)
        except Failure as failure:  # there is no game, and the player does not count as present
            served.leave()
            program.loop.say_aside(failure.key, failure.phrase)
        else:
            self._rematch = told if self._over else None

    def play_boards(self, games: Sequence[OnlineGame]) -> None:
        """Play these games at once, as boards of a simultaneous display, until the player leaves. A game keeps its
        board number throughout."""
        program, client = self._program, self._client
        assert client is not None
        self._left |= {game.id for game in games}
        by_last_played = self._entries()
        entries = {
            game.site: next((one for one in by_last_played if one.settings.site == game.site), None) for game in games
        }
        settings: dict[int, GameSettings] = {}
        known: dict[int, GameSummary] = {}
        served: dict[int, Served] = {}
        told_of: set[str] = set()
        for number, game in _numbered(games, entries).items():
            try:
                found = self._waited_for(
                    partial(client.enter, game.id, partial(self._post_of, number)), lambda late: late[1].leave()
                )
            except Failure as failure:  # the other games are played
                if failure.key not in told_of:
                    program.loop.say_aside(failure.key, failure.phrase)
                told_of.add(failure.key)
                continue
            if found is None:
                break
            told, entered = found
            told = replace(told, opponent=_known(told.opponent, game.opponent))
            settings[number], served[number] = replace(self._settings(told), board=number), entered
            if (entry := entries[game.site]) is not None:
                known[number] = entry
        last = next((number for one in by_last_played for number, entry in known.items() if entry is one), 1)
        try:
            recorded = at_server(program.journal, settings, known, last) if settings else None
        except Failure as failure:
            program.loop.say_aside(failure.key, failure.phrase)
            recorded = None
        for number, entered in served.items():
            if recorded is None or number not in recorded.display.boards:
                entered.leave()
        if recorded is not None:
            play_served(program, recorded, {number: served[number] for number in recorded.display.boards})

    def _post_of(self, number: int, event: ev.Event) -> None:
        """Post an event of the game at this board of a display."""
        self._program.inbox.post(replace(event, game=number) if isinstance(event, ev.ServerEvent) else event)

    def _entries(self) -> list[GameSummary]:
        """The unfinished games of the journal, last played first; none if it cannot be read."""
        try:
            return [one for one in self._program.journal.by_last_played() if one.result is None]
        except JournalError:
            return []

    def reaches(self, site: str) -> bool:
        """Whether this is a game at this server, and somebody has logged in."""
        return site.startswith(f"{self._server}/") and self.has_account()

    def resume_game(self, site: str) -> None:
        """Resume a game of the journal in its present state at the server; a board of a display with all the others, at
        the next visit."""
        if any(one.settings.board for one in self._entries() if one.settings.site == site):
            self._wish = OnlineWish(simul=True)
            return
        try:
            connected = self.reached()
        except Failure as failure:
            self._program.loop.say_aside(failure.key, failure.phrase)
            return
        if not connected:
            return
        self.play(OnlineGame(site.removeprefix(f"{self._server}/"), OnlinePlayer(""), OnlineTerms(), site=site))

    def _entry(self, site: str) -> int | None:
        """Number of the game's entry in the journal."""
        try:
            games = self._program.journal.games()
            found = [one.id for one in games if one.settings.site == site and one.result is None]
        except JournalError:  # then the rest of the game is written as a new one
            return None
        return found[0] if found else None

    def _settings(self, game: OnlineGame) -> GameSettings:
        """The game's terms as settings. The server's laws apply, so deviating settings are dropped."""
        white = game.terms.colour == chess.WHITE
        fen, chess960 = _start(game)
        kept = self._program.context.preferences.terms(lambda: white)
        return replace(
            kept,
            white=Player.VOICE if white else Player.SERVER,
            black=Player.SERVER if white else Player.VOICE,
            time=game.terms.time.control.notation,
            laws=GameSettings().laws,
            fen=fen,
            chess960=chess960,
            default_minutes=None,
            touch_move=False,
            penalties=False,
            white_name=self._name if white else _name(game.opponent),
            black_name=_name(game.opponent) if white else self._name,
            site=game.site,
            rated=game.terms.rated,
            white_rating=None if white else game.opponent.rating,
            black_rating=game.opponent.rating if white else None,
        )

    # --- on the client's threads -------------------------------------------------------------------------------

    def _post(self, event: ev.Event) -> None:
        """Post an event to the loop. Events of the lobby during a game do not concern the game."""
        knocks = False
        with self._lock:
            held = not self._talking and isinstance(event, LobbyEvent)
            if held and isinstance(event, ChallengeArrived):
                known = any(one.id == event.id for one in self._waiting)
                self._waiting = self._waiting if known else [*self._waiting, event]
                knocks = self._over and not known
            elif held and isinstance(event, ChallengeGone):
                self._waiting = [one for one in self._waiting if one.id != event.id]
            elif isinstance(event, ev.ServerState) and event.status not in PLAYED:
                knocks = bool(self._waiting) and not self._over
                self._over = True
        if not held:
            self._program.inbox.post(event)
        if knocks:
            self._program.inbox.post(ev.Trouble(at_ms=event.at_ms, key=KNOCKS))


def _known(told: OnlinePlayer, listed: OnlinePlayer) -> OnlinePlayer:
    """The opponent as the game describes it, completed from the list of games."""
    return replace(told, rating=told.rating or listed.rating, level=told.level or listed.level)


def _numbered(games: Sequence[OnlineGame], entries: Mapping[str, GameSummary | None]) -> dict[int, OnlineGame]:
    """The games by board number: the previous one, otherwise the next free one in the server's order."""
    found: dict[int, OnlineGame] = {}
    for game in games:
        entry = entries[game.site]
        if entry is not None and entry.settings.board > 0:
            found.setdefault(entry.settings.board, game)
    free = (number for number in count(1) if number not in found)
    placed = {game.id for game in found.values()}
    found |= {number: game for game, number in zip([one for one in games if one.id not in placed], free, strict=False)}
    return dict(sorted(found.items()))


def _name(player: OnlinePlayer) -> str:
    if player.level is not None:
        return f"Stockfish {player.level}"
    return player.name


def _start(game: OnlineGame) -> tuple[str, int | None]:
    """The initial position as settings: a Chess960 position by its number, any other by its FEN."""
    fen = game.terms.fen or chess.STARTING_FEN
    if game.terms.variant != "chess960":
        return fen, None
    try:
        number = chess.Board(fen, chess960=True).chess960_pos()
    except ValueError:  # the session reports the invalid position
        number = None
    return (fen, CLASSICAL) if number is None else (chess.STARTING_FEN, number)
