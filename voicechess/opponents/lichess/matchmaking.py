"""Requests to Lichess outside a game: seeks, challenges, games in progress, friends.

A real-time seek lasts as long as its connection, and so does a real-time challenge kept open for longer than 20
seconds: each has a thread that reads it. Nothing here is retried: twice requested could be two games.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from functools import partial

import chess

from voicechess.game.effects import LobbyRequest
from voicechess.game.events import Event
from voicechess.online.lobby import (
    AcceptChallenge,
    CancelSeek,
    ChallengeComputer,
    ChallengeGone,
    ChallengePlayer,
    ChallengeSent,
    DeclineChallenge,
    FriendsListed,
    GamesListed,
    ListFriends,
    ListGames,
    LobbyDone,
    LobbyRefused,
    OnlineGame,
    OnlinePlayer,
    OnlineTerms,
    Seek,
    SeekEnded,
    Speed,
    WithdrawChallenge,
)
from voicechess.opponents.lichess import wire
from voicechess.opponents.lichess.feeds import Errands
from voicechess.opponents.lichess.fields import is_id
from voicechess.opponents.lichess.transport import LineStream, ServerFault, Transport, refusal_reason

_TOO_FAST = frozenset({Speed.BULLET, Speed.BLITZ})
_KEPT_OPEN_S = 60.0
"""Timeout, seconds, of a seek's or challenge's stream; how often those send a line is not documented. Larger: a dead
connection is noticed later."""

_MOST_ASKED_AT_ONCE = 100  # players whose presence is requested at once
_MOST_GAMES = "50"
_DECLINE_WORDS = {"toofast": "tooFast", "tooslow": "tooSlow", "timecontrol": "timeControl"} | {
    "nobot": "noBot",
    "onlybot": "onlyBot",
}
"""Reasons for declining that are sent in camel case but reported in lower case."""


def games_in_progress(transport: Transport) -> tuple[OnlineGame, ...]:
    """The account's games in progress, most urgent first. Raises ServerFault."""
    listed = wire.games(transport.ask("GET", "/api/account/playing", query={"nb": _MOST_GAMES}), transport.server)
    if listed is None:
        raise ServerFault("garbage")
    return listed


class Matchmaking:
    """Performs the lobby's requests, and answers each with one event.

    `ready`: is set while the event stream is open, without which the start of a game would go unnoticed.
    """

    def __init__(
        self,
        transport: Transport,
        errands: Errands,
        post: Callable[[Event], None],
        now_ms: Callable[[], int],
        ready: Callable[[], bool],
    ) -> None:
        self._transport, self._errands, self._post, self._now_ms, self._ready = transport, errands, post, now_ms, ready
        self._lock = threading.Lock()
        self._seek: LineStream | None = None
        self._challenges: dict[str, LineStream] = {}
        self._watch: Callable[[], None] | None = None  # reads the stream opened by a request, after its answer

    def ask(self, request: LobbyRequest) -> None:
        """Perform a request after the pending ones; the answer is posted."""
        self._errands.put(partial(self._perform, request))

    def settled(self, challenge: str) -> None:
        """A challenge was answered, by the event stream: its connection can be closed."""
        with self._lock:
            stream = self._challenges.pop(challenge, None)
        if stream is not None:
            stream.stop()

    def close(self) -> None:
        """Close the seek and the challenges that are kept open."""
        with self._lock:
            kept = [*self._challenges.values(), *([self._seek] if self._seek is not None else [])]
            self._seek = None
            self._challenges.clear()
        for stream in kept:
            stream.stop()

    # --- on the thread of `Errands` -----------------------------------------------------------------------------

    def _perform(self, request: LobbyRequest) -> None:
        try:
            answer = self._answer(request)
        except ServerFault as fault:
            reason = refusal_reason(fault.reason)
            if isinstance(request, ChallengePlayer) and (reason == "gone" or wire.says_unknown_player(fault.detail)):
                reason = "unknown_player"
            answer = self._refusal(request, reason, fault.detail, fault.wait_s)
        self._post(answer)
        watch, self._watch = self._watch, None
        if watch is not None:
            threading.Thread(target=watch, name="lichess-kept-open", daemon=True).start()

    def _refusal(self, request: LobbyRequest, reason: str, detail: str = "", wait_s: int = 0) -> LobbyRefused:
        return LobbyRefused(at_ms=self._now_ms(), request=request.number, reason=reason, detail=detail, wait_s=wait_s)

    def _answer(self, request: LobbyRequest) -> Event:
        """The answer to a request. Raises ServerFault."""
        match request:
            case Seek():
                return self._look_for(request)
            case CancelSeek():
                self._end_seek()
            case ChallengePlayer():
                return self._challenge(request)
            case ChallengeComputer(level, terms):
                self._transport.ask("POST", "/api/challenge/ai", form={"level": str(level), **_form(terms)})
            case WithdrawChallenge(id=challenge):
                self._about(challenge, "cancel")
                self.settled(challenge)
            case AcceptChallenge(id=challenge):
                self._about(challenge, "accept")
            case DeclineChallenge(id=challenge, why=why):
                self._about(challenge, "decline", {"reason": _DECLINE_WORDS.get(why, why)})
            case ListGames():
                listed = games_in_progress(self._transport)
                return GamesListed(at_ms=self._now_ms(), request=request.number, games=listed)
            case ListFriends():
                return FriendsListed(at_ms=self._now_ms(), request=request.number, friends=self._friends())
        return LobbyDone(at_ms=self._now_ms(), request=request.number)

    def _about(self, challenge: str, what: str, form: Mapping[str, str] | None = None) -> None:
        if not is_id(challenge):
            raise ServerFault("gone")
        self._transport.ask("POST", f"/api/challenge/{challenge}/{what}", form=form)

    # --- seeks ----------------------------------------------------------------------------------------------------

    def _look_for(self, request: Seek) -> Event:
        terms = request.terms
        if terms.time.speed in _TOO_FAST or terms.time.speed is Speed.UNLIMITED:
            # The Board API has no such seeks; the server would only reply that the form is invalid.
            return self._refusal(request, "too_fast" if terms.time.speed in _TOO_FAST else "untimed")
        self._end_seek()
        form = {"rated": _flag(terms.rated), "variant": terms.variant}
        if terms.ratings is not None:
            form["ratingRange"] = "{}-{}".format(*terms.ratings)
        if terms.time.days is not None:
            self._transport.ask("POST", "/api/board/seek", form=form | {"days": str(terms.time.days)})
            return LobbyDone(at_ms=self._now_ms(), request=request.number)
        if not self._ready():
            raise ServerFault("network")
        assert terms.time.seconds is not None
        form |= {"time": f"{terms.time.seconds / 60:g}", "increment": str(terms.time.increment)}
        if terms.colour is not None:
            form["color"] = _colour(terms.colour)
        stream = self._transport.stream("POST", "/api/board/seek", form=form, silence_s=_KEPT_OPEN_S)
        with self._lock:
            self._seek = stream
        self._watch = partial(self._wait_for_seek, stream, request.number)
        return LobbyDone(at_ms=self._now_ms(), request=request.number)

    def _end_seek(self) -> None:
        with self._lock:
            stream, self._seek = self._seek, None
        if stream is not None:
            stream.stop()

    def _wait_for_seek(self, stream: LineStream, number: int) -> None:
        _read_to_the_end(stream)
        with self._lock:
            ours = self._seek is stream
            if ours:
                self._seek = None
        if ours:  # otherwise it was cancelled or replaced
            self._post(SeekEnded(at_ms=self._now_ms(), request=number))

    # --- challenges -----------------------------------------------------------------------------------------------

    def _challenge(self, request: ChallengePlayer) -> Event:
        if not wire.is_player_name(request.name):
            return self._refusal(request, "unknown_player")
        path, form = f"/api/challenge/{request.name}", _form(request.terms) | {"rated": _flag(request.terms.rated)}
        if request.terms.time.seconds is None:  # one for days does not expire
            made = wire.made_id(self._transport.ask("POST", path, form=form))
            if made is None:
                raise ServerFault("garbage")
            return ChallengeSent(at_ms=self._now_ms(), request=request.number, id=made)
        stream = self._transport.stream("POST", path, form=form | {"keepAliveStream": "true"}, silence_s=_KEPT_OPEN_S)
        try:
            made = wire.made_id(stream.first())
            if made is None:
                raise ServerFault("garbage")
        except ServerFault:
            stream.close()
            raise
        with self._lock:
            self._challenges[made] = stream
        self._watch = partial(self._keep_challenge, stream, made)
        return ChallengeSent(at_ms=self._now_ms(), request=request.number, id=made)

    def _keep_challenge(self, stream: LineStream, challenge: str) -> None:
        answered = _read_to_the_end(stream)
        with self._lock:
            ours = self._challenges.pop(challenge, None) is stream
        if ours and not answered:  # otherwise the event stream reports it
            self._post(ChallengeGone(at_ms=self._now_ms(), id=challenge, reason="expired"))

    # --- friends --------------------------------------------------------------------------------------------------

    def _friends(self) -> tuple[OnlinePlayer, ...]:
        """Friends, present ones first, each group in the server's order; unsorted if presence is unknown."""
        followed = wire.friends(self._transport.ask("GET", "/api/rel/following").split(b"\n"))
        there: set[str] = set()
        names = list(followed)
        try:
            for start in range(0, len(names), _MOST_ASKED_AT_ONCE):
                ids = ",".join(names[start : start + _MOST_ASKED_AT_ONCE])
                there |= wire.online_ids(self._transport.ask("GET", "/api/users/status", query={"ids": ids}))
        except ServerFault:
            return tuple(followed.values())
        told = [wire.as_there(player, identity in there) for identity, player in followed.items()]
        return tuple(sorted(told, key=lambda player: not player.online))


def _flag(value: bool) -> str:
    return "true" if value else "false"


def _colour(colour: chess.Color | None) -> str:
    return "random" if colour is None else chess.COLOR_NAMES[colour]


def _form(terms: OnlineTerms) -> dict[str, str]:
    """A challenge's form fields. Games against the computer have no rated flag."""
    form = {"color": _colour(terms.colour), "variant": terms.variant}
    if terms.fen:
        form["fen"] = terms.fen
    if terms.time.days is not None:
        form["days"] = str(terms.time.days)
    elif terms.time.seconds is not None:
        clock = (("limit", terms.time.seconds), ("increment", terms.time.increment))
        form |= {f"clock.{name}": str(seconds) for name, seconds in clock}
    return form


def _read_to_the_end(stream: LineStream) -> bool:
    """Wait for the end of a stream that only keeps something open; whether it was answered."""
    answered = False
    try:
        for line in stream.lines():
            answered = answered or wire.done_reason(line) is not None
    except ServerFault:
        pass
    finally:
        stream.close()
    return answered
