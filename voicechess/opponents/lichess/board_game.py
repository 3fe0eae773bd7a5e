"""One game at Lichess: its stream as events, and the player's actions as requests.

Nothing is sent twice that must not be: if the answer to a request is lost, a second stream of the game is opened, whose
first line tells whether the server acted; only if not is the request repeated. (If a move was still under way and
arrived after all, the server would refuse the second one: no move is legal twice in a row.)
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import chess

from voicechess.game.effects import GiveTime, LookUpOpponent, SendChat, SendMove, SendWish, ServerRequest, Wish
from voicechess.game.events import (
    Event,
    ServerChat,
    ServerLink,
    ServerPresence,
    ServerProfile,
    ServerRated,
    ServerRefused,
    ServerState,
)
from voicechess.online.lobby import OnlineGame
from voicechess.opponents.lichess import wire
from voicechess.opponents.lichess.feeds import Contact, Errands, Feed, Pause, is_final, pause_s, real_pause
from voicechess.opponents.lichess.transport import LineStream, ServerFault, Transport

_LOG = logging.getLogger(__name__)

_PATHS = {
    Wish.RESIGN: "resign",
    Wish.ABORT: "abort",
    Wish.BERSERK: "berserk",
    Wish.OFFER_DRAW: "draw/yes",
    Wish.ACCEPT_DRAW: "draw/yes",
    Wish.DECLINE_DRAW: "draw/no",
    Wish.PROPOSE_TAKEBACK: "takeback/yes",
    Wish.ACCEPT_TAKEBACK: "takeback/yes",
    Wish.DECLINE_TAKEBACK: "takeback/no",
    Wish.CLAIM_VICTORY: "claim-victory",
    Wish.CLAIM_DRAW: "claim-draw",
}

_BEFORE_CLOCKS_RUN = 2
"""Plies after which the clocks run."""

_LAST_REQUESTS_S = 3.0
"""Seconds that closing waits for pending requests, such as a resignation. Larger: a later exit."""

_AT_ANY_TIME = frozenset({Wish.RESIGN, Wish.DECLINE_DRAW, Wish.DECLINE_TAKEBACK})
"""Wishes that remain valid after a move."""

_LONG_CASTLINGS = {"e1h1": "e1g1", "e1a1": "e1c1", "e8h8": "e8g8", "e8a8": "e8c8"}
"""Castling as king takes rook -> as the king's move."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """Another stream of the game, its first line, and how many states were known when it was requested."""

    stream: LineStream
    state: ServerState
    states: int


@dataclass(frozen=True, slots=True)
class _Entered:
    """The stream opened by `enter`, its first line, and the time it was read."""

    stream: LineStream
    full: wire.FullGame
    at_s: float


class BoardGame:
    """One game of this account.

    `post` gets the events, on threads of this class; `now_ms` stamps them. `enter` opens the stream and returns the
    game's terms, `begin` posts its state and all that follows, `send` sends the player's actions.
    """

    def __init__(
        self,
        game_id: str,
        me: str,
        transport: Transport,
        errands: Errands,
        post: Callable[[Event], None],
        now_ms: Callable[[], int],
        *,
        now_s: Callable[[], float] = time.monotonic,
        pause: Pause = real_pause,
    ) -> None:
        self.id = game_id
        self._me, self._transport, self._errands = me, transport, errands
        self._post, self._now_ms, self._now_s, self._pause = post, now_ms, now_s, pause
        self._contact = Contact(self._tell_link, up=True)
        self._lock = threading.Lock()
        self._state: ServerState | None = None
        self._states = 0
        self._accepted: tuple[str, ...] | None = None  # moves before one that was accepted but not reported
        self._colour: chess.Color = chess.WHITE
        self._entered: _Entered | None = None
        self._closed = threading.Event()
        self._feed = Feed(
            "game", self._open, self._take, link=self._contact, now=now_s, pause=pause, over=self._is_over, greets=True
        )

    # --- called by the program ------------------------------------------------------------------------------------

    def enter(self) -> OnlineGame:
        """Open the game's stream: from now on the player counts as present. Raises ServerFault."""
        stream, full = self._look()
        self._colour = full.game.terms.colour == chess.WHITE
        self._entered = _Entered(stream, full, self._now_s())
        return full.game

    def begin(self) -> None:
        """Post the game's state with the current clocks, and everything that happens from now on."""
        entered = self._entered
        assert entered is not None, "enter first"
        passed_ms = int((self._now_s() - entered.at_s) * 1000)
        state = replace(_later(entered.full, passed_ms), at_ms=self._now_ms())
        self._feed.take_over(entered.stream, lambda: self._stands(state))
        self._feed.start()

    def send(self, request: ServerRequest) -> None:
        """Send a request after the pending ones. Answered by the next ServerState or by ServerRefused."""
        with self._lock:
            before = self._state
        if isinstance(request, SendMove | SendWish):
            self._errands.put(partial(self._perform, request, before))
        else:
            self._errands.put(partial(self._once, request))

    def renew(self) -> None:
        """Fetch the state by a new stream: the machine has slept, and this one may have missed something."""
        self._errands.put(self._renew)

    def rated(self, finished: wire.GameFinished) -> None:
        """The event stream has reported the rating change."""
        if finished.rated:
            self._post(ServerRated(at_ms=self._now_ms(), change=finished.change))

    def close(self) -> None:
        """Leave the game after the pending requests; the player counts as gone if it is not over."""
        sent = threading.Event()
        self._errands.put(sent.set)
        sent.wait(_LAST_REQUESTS_S)
        self.leave()

    def leave(self) -> None:
        """Leave without waiting for pending requests."""
        self._closed.set()
        self._feed.stop()
        self._feed.join(1.0)
        if self._entered is not None and self._state is None:
            self._entered.stream.close()

    # --- the stream -----------------------------------------------------------------------------------------------

    def _open(self) -> LineStream:
        return self._transport.stream("GET", f"/api/board/game/stream/{self.id}")

    def _read(self, line: bytes) -> wire.FullGame | ServerState | ServerPresence | ServerChat | wire.NoEvent:
        return wire.game_line(line, self._now_ms(), self._me, self._transport.server)

    def _take(self, line: bytes, first: bool) -> bool:
        """Post the contents of a line; whether it is valid. The first one must be the whole game."""
        found = self._read(line)
        match found:
            case wire.FullGame(state=state):
                self._stands(state)
            case wire.NoEvent.GARBAGE:
                return False
            case _ if first:
                return False
            case ServerState():
                self._stands(found)
            case ServerPresence() | ServerChat():
                self._post(found)
        return True

    def _stands(self, state: ServerState) -> None:
        """Post the state, preceded by the news that the server is back if it was away."""
        with self._lock:
            self._state = state
            self._states += 1
            if state.first or state.moves != self._accepted:  # otherwise an offer, reported before the move arrived
                self._accepted = None
        if not (state.first and self._contact.found("game", "request")):
            self._post(state)

    def _is_over(self) -> bool:
        return self._state is not None and wire.is_over(self._state)

    def _tell_link(self, up: bool, reason: str) -> None:
        """Report the connection. That it is back is always reported together with the state, without which it is
        useless: pending requests wait for that."""
        self._post(ServerLink(at_ms=self._now_ms(), up=up, reason=reason))
        if up and self._state is not None:
            self._post(self._state)

    def _look(self) -> tuple[LineStream, wire.FullGame]:
        """Another stream of this game, and its first line. Raises ServerFault."""
        stream = self._open()
        try:
            found = self._read(stream.first())
            if not isinstance(found, wire.FullGame):
                raise ServerFault("garbage")
        except ServerFault:
            stream.close()
            raise
        return stream, found

    def _adopt(self, seen: _Seen, news: bool = True) -> None:
        """Switch to that stream; its first line is posted if it is `news`.

        A state received meanwhile on the old one may be newer: then its moves begin with those of this line.
        """

        def take() -> None:
            with self._lock:
                known = self._state.moves if self._state is not None else ()
                told = seen.state.moves
                younger = self._states != seen.states and len(told) < len(known) and known[: len(told)] == told
            if news and not younger:
                self._stands(seen.state)

        self._feed.take_over(seen.stream, take)
        self._contact.found("request")

    def _truth(self) -> _Seen | None:
        """The game's state by a new stream, however long that takes; None if it can no longer be determined."""
        failures = 0
        while not self._closed.is_set():
            states = self._states
            try:
                stream, full = self._look()
                return _Seen(stream, full.state, states)
            except ServerFault as fault:
                failures += 1
                self._contact.lost("request", fault.reason)
                if is_final(fault):
                    return None
                self._pause(pause_s(failures, fault.wait_s), self._closed)
        return None

    def _renew(self) -> None:
        seen = None if self._is_over() else self._truth()
        if seen is not None:
            self._adopt(seen)

    # --- sending, on the thread of `Errands` ---------------------------------------------------------------

    def _perform(self, request: SendMove | SendWish, before: ServerState | None) -> None:
        if isinstance(request, SendMove) and self._was_sent(request, before):
            return
        if isinstance(request, SendWish) and not self._has_reason(request.wish, self._state):
            self._refuse(request, "wish")
            return
        failures = 0
        while not self._closed.is_set():
            try:
                self._transport.ask("POST", self._path(request))
            except ServerFault as fault:
                _LOG.debug("request: %s", fault.reason)
                if fault.reason in ("token", "scope"):
                    self._contact.lost("request", fault.reason)
                    self._refuse(request, "token")
                    return
                if fault.reason in ("other", "gone"):
                    self._refused(request, before, fault.reason)
                    return
                if fault.acted and isinstance(request, SendMove) and self._was_sent(request, before):
                    return  # the stream has reported meanwhile that it arrived
                failures += 1
                self._contact.lost("request", fault.reason)
                self._pause(pause_s(failures, fault.wait_s), self._closed)
                if fault.acted and not self._is_still_to_do(request, before):
                    return
            else:
                with self._lock:
                    # The same moves may have been reported again meanwhile, as by a reopened stream.
                    known = self._state is not None and before is not None and self._state.moves == before.moves
                    if isinstance(request, SendMove) and before is not None and known:
                        self._accepted = before.moves
                self._contact.found("request")
                return

    def _was_sent(self, request: SendMove, before: ServerState | None) -> bool:
        """Whether the server has this move already: it was requested again before the server reported it."""
        with self._lock:
            if before is not None and self._accepted == before.moves:
                return True
            return self._state is not None and _was_made(request.uci, before, self._state)

    def _once(self, request: GiveTime | SendChat | LookUpOpponent) -> None:
        """Try only once: time given twice, or a line written twice, is worse than none."""
        try:
            match request:
                case GiveTime(seconds):
                    self._transport.ask("POST", f"/api/round/{self.id}/add-time/{seconds}")
                case SendChat(text):
                    form = {"room": "player", "text": text}
                    self._transport.ask("POST", f"/api/board/game/{self.id}/chat", form=form)
                case LookUpOpponent():
                    self._post(self._looked_up())
        except ServerFault as fault:
            _LOG.debug("request: %s", fault.reason)
            self._refuse(request, "lost" if fault.acted else fault.reason)

    def _looked_up(self) -> ServerProfile:
        """The opponent's profile. Raises ServerFault."""
        opponent = self._entered.full.game.opponent if self._entered is not None else None
        if opponent is None or opponent.level is not None or not wire.is_player_name(opponent.name):
            return ServerProfile(at_ms=self._now_ms())  # the computer, or somebody without a name
        profile = wire.profile(self._transport.ask("GET", f"/api/user/{opponent.name}"))
        if profile is None:
            raise ServerFault("garbage")
        found: tuple[int, tuple[int, int]] | None = None
        try:
            path = f"/api/crosstable/{self._me}/{opponent.name}"
            found = wire.crosstable(self._transport.ask("GET", path), self._me, opponent.name)
        except ServerFault as fault:
            _LOG.debug("crosstable: %s", fault.reason)
        games, half_points = (None, (0, 0)) if found is None else found
        return ServerProfile(
            at_ms=self._now_ms(),
            title=profile.title,
            country=profile.country,
            games=games,
            half_points=half_points,
        )

    def _path(self, request: SendMove | SendWish) -> str:
        base = f"/api/board/game/{self.id}"
        match request:
            case SendMove(uci, offers_draw):
                return f"{base}/move/{uci}" + ("?offeringDraw=true" if offers_draw else "")
            case SendWish(wish):
                return f"{base}/{_PATHS[wish]}"

    def _refuse(self, request: ServerRequest, reason: str) -> None:
        self._post(ServerRefused(at_ms=self._now_ms(), request=request.number, reason=reason))

    def _refused(self, request: ServerRequest, before: ServerState | None, reason: str) -> None:
        """Report a refusal, followed by the current state; only the state if it refused because it had acted before."""
        if reason == "other":
            reason = "move" if isinstance(request, SendMove) else "wish"
        seen = self._truth()
        if seen is None:
            self._refuse(request, reason)
            return
        if not (isinstance(request, SendMove) and _was_made(request.uci, before, seen.state)):
            self._refuse(request, reason)
        self._adopt(seen)

    def _is_still_to_do(self, request: ServerRequest, before: ServerState | None) -> bool:
        """Whether a request whose answer was lost has to be repeated; if not, the state is posted."""
        seen = self._truth()
        if seen is None:
            self._refuse(request, "lost")
            return False
        same = before is None or seen.state.moves == before.moves
        match request:
            case SendMove(uci):
                again = same
                if not (same or _was_made(uci, before, seen.state) or wire.is_over(seen.state)):
                    self._refuse(request, "lost")
            case SendWish(wish):
                # A proposal that is gone was answered, if anything has changed.
                again = self._has_reason(wish, seen.state, again=True) and (same or wish in _AT_ANY_TIME)
        again = again and not wire.is_over(seen.state)
        self._adopt(seen, news=not again)
        return again

    def _has_reason(self, wish: Wish, state: ServerState | None, again: bool = False) -> bool:
        """Whether the wish still applies: accepting an offer that is gone would make a new one."""
        if state is None:
            return True
        draws, takes_back = (state.white_draws, state.black_draws), (state.white_takes_back, state.black_takes_back)
        if self._colour == chess.BLACK:
            draws, takes_back = draws[::-1], takes_back[::-1]
        match wish:
            case Wish.ACCEPT_DRAW | Wish.DECLINE_DRAW:
                return draws[1]
            case Wish.ACCEPT_TAKEBACK | Wish.DECLINE_TAKEBACK:
                return takes_back[1]
            case Wish.OFFER_DRAW:
                return not (again and draws[0])
            case Wish.PROPOSE_TAKEBACK:
                return not (again and takes_back[0])
        return True


def _later(full: wire.FullGame, passed_ms: int) -> ServerState:
    """The state after so much more time: the clock of the side to move runs once both first moves are made."""
    state = full.state
    if len(state.moves) < _BEFORE_CLOCKS_RUN or wire.is_over(state):
        return state
    mine = full.game.terms.colour == chess.WHITE
    if mine == full.game.my_turn:
        return replace(state, white_ms=None if state.white_ms is None else max(0, state.white_ms - passed_ms))
    return replace(state, black_ms=None if state.black_ms is None else max(0, state.black_ms - passed_ms))


def _was_made(uci: str, before: ServerState | None, state: ServerState) -> bool:
    """Whether the move was made after `before`, by this player, whose turn it was."""
    known = before.moves if before is not None else ()
    if len(state.moves) <= len(known) or state.moves[: len(known)] != known:
        return False
    made = state.moves[len(known)]
    return _LONG_CASTLINGS.get(made, made) == _LONG_CASTLINGS.get(uci, uci)
