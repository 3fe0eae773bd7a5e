"""What the stand-in knows: accounts, tokens, games, challenges, seeks, and who is listening.

It belongs to one event loop. Whoever listens is a `Listener`: a stream that takes lines. Everything that happens is
told to those whom it concerns at once.
"""

from __future__ import annotations

import itertools
import string
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Protocol

import chess

from tests.drivers.lichess.clock import Timetable
from tests.drivers.lichess.games import FIRST_MOVE_MS, Account, Game, Json, Refused, Seat, Terms, simple_move

if TYPE_CHECKING:
    from tests.drivers.lichess.spectator_endpoints import Round, Spectator

SCOPES = ("board:play", "challenge:read", "challenge:write")
ALL_SCOPES = (*SCOPES, "follow:read")
CHALLENGE_MS = 20_000
"""How long a challenge in real time waits that nobody keeps alive."""
GONE_MS = 1_000
"""How long after the last game stream has closed a player counts as gone."""
RATING_CHANGE = 8


class Missing(Exception):
    """404."""


class Listener(Protocol):
    """A stream that somebody has open."""

    def send(self, line: Json) -> None: ...

    def end(self) -> None: ...


@dataclass(frozen=True)
class Token:
    account: Account
    scopes: tuple[str, ...]


@dataclass
class Challenge:
    """`kept`: the stream that keeps it alive, if there is one."""

    id: str
    challenger: Account
    dest: Account
    terms: Terms
    colour: str
    challenger_has: chess.Color
    status: str = "created"
    decline_reason: str = ""
    rematch_of: str = ""
    kept: Listener | None = None

    @property
    def open(self) -> bool:
        return self.status in ("created", "offline")


@dataclass
class Seek:
    """`stream`: that of one in real time, which lives as long as it does."""

    id: str
    account: Account
    terms: Terms
    colour: str
    stream: Listener | None
    ratings: tuple[int, int] = (0, 9_999)

    def takes(self, other: Account) -> bool:
        """Whether somebody of this rating may answer it."""
        return self.ratings[0] <= other.rating <= self.ratings[1]


@dataclass
class Behaviour:
    """What the stand-in does otherwise than usual. All of it may be changed at any time.

    `says_back`: tells that an opponent is back. `king_takes_rook`: castling is told so in every game; None: in Chess960
    and from a position. `expires`: which games end when the first move does not come; None: those from a seek.
    `bare_computer`: the computer has neither id nor name in gameFull, as in the server's source and against its
    description. `keep_alive_s`: for game and event streams, in the wall's seconds. `one_at_a_time`: a second request of
    an account beside the first is answered with 429.
    """

    says_back: bool = True
    king_takes_rook: bool | None = None
    expires: bool | None = None
    bare_computer: bool = False
    keep_alive_s: tuple[float, float] = (6, 7)
    one_at_a_time: bool = False


@dataclass
class World:
    """Everything. `changed` is called after whatever happens."""

    times: Timetable
    dice: Random
    behaviour: Behaviour
    changed: Callable[[], None]
    url: str = ""
    accounts: dict[str, Account] = field(default_factory=dict)
    tokens: dict[str, Token] = field(default_factory=dict)
    games: dict[str, Game] = field(default_factory=dict)
    challenges: dict[str, Challenge] = field(default_factory=dict)
    seeks: list[Seek] = field(default_factory=list)
    watching: dict[str, list[tuple[chess.Color, Listener]]] = field(default_factory=dict)
    events: dict[str, Listener] = field(default_factory=dict)
    """Event streams by token: only one of each is open."""
    puzzles: dict[str, list[Json]] = field(default_factory=dict)
    """By theme in Lichess' words, that of the day as "daily"."""
    rounds: dict[str, Round] = field(default_factory=dict)
    spectators: dict[str, list[Spectator]] = field(default_factory=dict)
    """By game."""
    _ids: Iterator[int] = field(default_factory=itertools.count)

    @property
    def now_ms(self) -> int:
        return self.times.clock.now_ms()

    def new_id(self) -> str:
        """Eight letters and digits, no two alike."""
        letters = string.ascii_letters + string.digits
        number = next(self._ids)
        tail = letters[number // 62**2 % 62] + letters[number // 62 % 62] + letters[number % 62]
        return "".join(self.dice.choice(letters) for _ in range(5)) + tail

    # --- Accounts ---

    def account(self, name: str) -> Account:
        """By name, however it is written. Raises KeyError."""
        return self.accounts[name.lower()]

    def online(self, account: Account) -> bool:
        return account.robot or any(
            self.tokens[token].account is account for token in self.events if token in self.tokens
        )

    def tell(self, account: Account, event: Json) -> None:
        """An event to all event streams of somebody."""
        for token, listener in list(self.events.items()):
            if token in self.tokens and self.tokens[token].account is account:
                listener.send(event)

    # --- Games ---

    def start(self, seats: tuple[Seat, Seat], terms: Terms, source: str, game_id: str = "") -> Game:
        game = Game(game_id or self.new_id(), seats, terms, source, self.now_ms, self.dice)
        if self.behaviour.expires is not None:
            game.expires = self.behaviour.expires
        if self.behaviour.king_takes_rook is not None:
            game.king_takes_rook = self.behaviour.king_takes_rook
        self.games[game.id] = game
        self.watching[game.id] = []
        for colour, seat in game.seats.items():
            if seat.account:
                self.tell(seat.account, {"type": "gameStart", "game": self.info(game, colour)})
        self._moved(game)
        return game

    def info(self, game: Game, colour: chess.Color) -> Json:
        board = game.terms.speed not in ("ultraBullet", "bullet")
        told = game.info_json(colour, self.now_ms)
        return told | {"compat": {"bot": False, "board": board}, "id": game.id}

    def act(self, game: Game, act: Callable[[int], bool | None], chat: str = "") -> None:
        """Let something be done to a game, given the time; and tell of it. What returns False has changed nothing."""
        before, over = game.ply, game.over
        if act(self.now_ms) is False:
            return
        if chat and not game.over:
            self.say(game, "lichess", chat)
        self.tell_state(game)
        if game.over and not over:
            self._ended(game)
        elif game.ply != before:
            self._moved(game)
        for spectator in list(self.spectators.get(game.id, ())):
            spectator.look(self.now_ms)
        self.changed()

    def tell_state(self, game: Game) -> None:
        for _, listener in list(self.watching[game.id]):
            listener.send(game.state_json(self.now_ms))

    def say(self, game: Game, name: str, text: str, room: str = "player") -> None:
        if room == "player":
            game.chat.append((name, text))
        for _, listener in list(self.watching[game.id]):
            listener.send({"type": "chatLine", "room": room, "username": name, "text": text})

    def _moved(self, game: Game) -> None:
        """It is somebody's turn: their clock runs, or they move by themselves."""
        if game.over:
            return
        ply, takebacks = game.ply, game.takebacks

        def still() -> bool:
            return not game.over and (game.ply, game.takebacks) == (ply, takebacks)

        def flag() -> None:
            if still():
                left = game.flags_in_ms(self.now_ms)
                if left == 0:
                    self.act(game, game.flag)
                elif left is not None:
                    self.times.after(left, flag)

        def expire() -> None:
            if still():
                self.act(game, lambda now: game.end("aborted", None, now))

        def move() -> None:
            if still():
                found = simple_move(game.board.copy(), seat.level or 1, self.dice)
                self.act(game, lambda now: game.move(turn, game.board.uci(found), False, now))

        until_flag = game.flags_in_ms(self.now_ms)
        if until_flag is not None:
            self.times.after(until_flag, flag)
        if game.expires and ply < 2:
            self.times.after(FIRST_MOVE_MS, expire)
        turn = game.board.turn
        seat = game.seats[turn]
        if seat.account is None or seat.account.robot:
            self.times.after(0, move)

    def _ended(self, game: Game) -> None:
        if game.terms.rated and game.status != "aborted":
            for colour, seat in game.seats.items():
                won = 0 if game.winner is None else 1 if game.winner == colour else -1
                seat.rating_change = RATING_CHANGE * won
                if seat.account:
                    seat.account.rating += seat.rating_change
        for colour, seat in game.seats.items():
            if seat.account:
                self.tell(seat.account, {"type": "gameFinish", "game": self.info(game, colour)})
        for _, listener in list(self.watching[game.id]):
            listener.end()

    # --- Presence ---

    def watch(self, game: Game, colour: chess.Color, listener: Listener) -> None:
        """A player opens the game's stream."""
        listener.send(game.full_json(self.now_ms, self.behaviour.bare_computer))
        if game.over:
            listener.end()
            return
        self.watching[game.id].append((colour, listener))
        seat = game.seats[colour]
        seat.streams += 1
        if seat.gone_since_ms is not None:
            seat.gone_since_ms = None
            if self.behaviour.says_back:
                self._tell_presence(game, colour, {"type": "opponentGone", "gone": False})
        wait = game.claim_in_ms(not colour, self.now_ms)
        if wait is not None:
            listener.send({"type": "opponentGone", "gone": True, "claimWinInSeconds": wait // 1000})

    def unwatch(self, game: Game, colour: chess.Color, listener: Listener) -> None:
        """A player's stream has closed, by whatever cause."""
        entry = (colour, listener)
        if entry not in self.watching[game.id]:
            return
        self.watching[game.id].remove(entry)
        seat = game.seats[colour]
        seat.streams -= 1
        left_ms = seat.left_ms = self.now_ms

        def gone() -> None:
            here = seat.streams or seat.left_ms != left_ms
            if game.over or here or seat.gone_since_ms is not None or not game.real_time:
                return
            seat.gone_since_ms = now_ms = self.now_ms
            self._tell_gone(game, colour, now_ms, now_ms)

        self.times.after(GONE_MS, gone)
        self.changed()

    def _tell_gone(self, game: Game, colour: chess.Color, since_ms: int, now_ms: int) -> None:
        wait = game.claim_in_ms(colour, now_ms)
        if game.over or wait is None or game.seats[colour].gone_since_ms != since_ms:
            return
        told: Json = {"type": "opponentGone", "gone": True, "claimWinInSeconds": wait // 1000}
        self._tell_presence(game, colour, told)
        if wait:
            self.times.after(wait, lambda: self._tell_gone(game, colour, since_ms, self.now_ms))

    def _tell_presence(self, game: Game, colour: chess.Color, told: Json) -> None:
        for other, listener in list(self.watching[game.id]):
            if other != colour:
                listener.send(told)
        self.changed()

    # --- Challenges ---

    def challenge(
        self, challenger: Account, dest: Account, terms: Terms, colour: str, rematch_of: str = "", keeps: bool = False
    ) -> Challenge:
        """Raises Refused. `keeps`: a stream will keep it alive."""
        terms.start(self.dice)
        if terms.rated and terms.variant == "fromPosition":
            raise Refused("A game from a position cannot be rated")
        has = self._drawn(colour)
        made = Challenge(self.new_id(), challenger, dest, terms, colour, has, rematch_of=rematch_of)
        self.challenges[made.id] = made
        for account in (dest, challenger):
            event = {"type": "challenge", "challenge": self.challenge_json(made, account)}
            self.tell(account, event | {"compat": {"bot": False, "board": True}})
        if terms.seconds is not None and not keeps:
            self.times.after(CHALLENGE_MS, lambda: self.end_challenge(made, "canceled"))
        if dest.robot:
            self.times.after(0, lambda: self.accept(made))
        self.changed()
        return made

    def challenge_json(self, challenge: Challenge, reader: Account | None = None) -> Json:
        terms = challenge.terms
        control: Json = {"type": "unlimited"}
        if terms.seconds is not None:
            minutes = f"{terms.seconds / 60:g}+{terms.increment}"
            control = {"type": "clock", "limit": terms.seconds, "increment": terms.increment, "show": minutes}
        elif terms.days is not None:
            control = {"type": "correspondence", "daysPerTurn": terms.days}
        told: Json = {
            "id": challenge.id,
            "url": f"{self.url}/{challenge.id}",
            "status": challenge.status,
            "challenger": challenge.challenger.challenge_json(self.online(challenge.challenger)),
            "destUser": challenge.dest.challenge_json(self.online(challenge.dest)),
            "variant": terms.variant_json(),
            "rated": terms.rated,
            "speed": terms.speed,
            "timeControl": control,
            "color": challenge.colour,
            "finalColor": chess.COLOR_NAMES[challenge.challenger_has],
            "perf": {"icon": "", "name": terms.perf.capitalize()},
        }
        if reader is not None:
            told["direction"] = "out" if reader is challenge.challenger else "in"
        if terms.fen:
            told["initialFen"] = terms.fen
        if challenge.rematch_of:
            told["rematchOf"] = challenge.rematch_of
        return told

    def accept(self, challenge: Challenge) -> None:
        """Raises Missing where it is not open any more."""
        if not challenge.open:
            raise Missing
        challenge.status = "accepted"
        mine, theirs = self._seat(challenge.challenger), self._seat(challenge.dest)
        seats = (mine, theirs) if challenge.challenger_has else (theirs, mine)
        self.start(seats, challenge.terms, "friend", challenge.id)
        self._answered(challenge)

    def decline(self, challenge: Challenge, reason: str) -> None:
        challenge.decline_reason = reason or "generic"
        self.end_challenge(challenge, "declined")

    def end_challenge(self, challenge: Challenge, status: str) -> None:
        """Cancelled, declined or forgotten, if it is still open."""
        if not challenge.open:
            return
        challenge.status = status
        told = self.challenge_json(challenge)
        if status == "declined":
            told |= {"declineReason": f"No: {challenge.decline_reason}.", "declineReasonKey": challenge.decline_reason}
        for account in (challenge.challenger, challenge.dest):
            self.tell(account, {"type": f"challenge{status.capitalize()}", "challenge": told})
        self._answered(challenge)

    def _answered(self, challenge: Challenge) -> None:
        if challenge.kept:
            challenge.kept.send({"done": challenge.status})
            challenge.kept.end()
        self.changed()

    # --- Seeks ---

    def seek(
        self,
        account: Account,
        terms: Terms,
        colour: str,
        stream: Listener | None,
        ratings: tuple[int, int] = (0, 9_999),
    ) -> Seek:
        """Look for an opponent, and find one who is looking already."""
        self.seeks = [one for one in self.seeks if one.stream is None or one.account is not account]
        made = Seek(self.new_id(), account, terms, colour, stream, ratings)
        robot = next((one for one in self.accounts.values() if one.robot and one is not account), None)
        if robot:
            self._pair(made, Seek("", robot, terms, "random", None))
            return made
        for other in self.seeks:
            alike = other.terms == terms and other.account is not account
            alike = alike and made.takes(other.account) and other.takes(account)
            if alike and (other.colour != colour or colour == "random"):
                self.seeks.remove(other)
                self._pair(other, made)
                return made
        self.seeks.append(made)
        self.changed()
        return made

    def end_seek(self, seek: Seek) -> None:
        """Its connection has closed."""
        if seek in self.seeks:
            self.seeks.remove(seek)
            self.changed()

    def _pair(self, one: Seek, other: Seek) -> None:
        white = one.colour == "white" or other.colour == "black"
        if one.colour == other.colour == "random":
            white = self._drawn("random")
        first, second = self._seat(one.account), self._seat(other.account)
        self.start((first, second) if white else (second, first), one.terms, "lobby")
        for seek in (one, other):
            if seek.stream:
                seek.stream.end()
        self.changed()

    def _seat(self, account: Account) -> Seat:
        return Seat(account, 1 if account.robot else None, account.rating)

    def play_computer(self, account: Account, level: int, terms: Terms, colour: str) -> Game:
        has = self._drawn(colour)
        seats = (self._seat(account), Seat(None, level))
        return self.start(seats if has else (seats[1], seats[0]), terms, "ai")

    def _drawn(self, colour: str) -> chess.Color:
        return self.dice.random() < 0.5 if colour == "random" else colour == "white"
