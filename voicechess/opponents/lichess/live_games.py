"""Running games at Lichess that can be followed: broadcast rounds, and single games.

A round's stream has each game in full as PGN, again after every change. A game's stream has its moves, one per line,
delayed by three moves while it lasts (against cheating); they are converted to PGN here. Neither needs an account.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

import chess
import chess.pgn

from voicechess.opponents.lichess.feeds import Contact, Feed, Pause, real_pause
from voicechess.opponents.lichess.fields import (
    LONGEST_FEN,
    NonsenseError,
    as_object,
    flag_of,
    id_of,
    inner_object,
    is_id,
    number_of,
    objects_of,
    parsed,
    text_of,
)
from voicechess.opponents.lichess.transport import LineStream, ServerFault, Transport

MOST_OFFERED = 9
"""Most rounds and games offered, so that one digit selects one. Larger: a longer list to listen to."""

CHANNELS = ("best", "classical", "rapid", "blitz")
"""Channels of Lichess TV, the slow ones first; "best": the highest ratings."""

_MOST_ROUNDS = 6
_MOST_LISTED = 200
_LONGEST_PGN = 200_000  # characters of one game
_MOST_GAMES = 500  # of a round
_TAG = re.compile(r'\[(\w+) "((?:[^"\\]|\\.)*)"\]')
_COMMENT = re.compile(r"\{[^}]*\}?")
_RESULTS = ("*", "1-0", "0-1", "1/2-1/2")
_PLACE = re.compile(r"[A-Za-z0-9]{8}(?:[A-Za-z0-9]{4})?")
_ROUND, _GAME = "round:", "game:"
_RUNNING = frozenset({"created", "started"})
_SILENT_S = 60.0
"""Seconds of silence after which a stream is reopened: nobody has moved, or the connection is dead. Larger: a dead one
is noticed later."""


@dataclass(frozen=True, slots=True)
class Followable:
    """A broadcast round, or (`player`) a running game of the player `title`. `address`: what `LiveFeed` takes."""

    address: str
    title: str
    player: bool = False


def address_of(text: str) -> str | None:
    """The address for a typed or pasted page of a round or a game, or a game's id; None if it is none."""
    parts = [part for part in urlsplit(text).path.split("/") if part]
    if parts[:1] == ["broadcast"]:
        return f"{_ROUND}{parts[3]}" if len(parts) > 3 and len(parts[3]) == 8 and is_id(parts[3]) else None
    found = parts[-1] if len(parts) == 1 else parts[0] if parts and "://" in text else ""
    return f"{_GAME}{found[:8]}" if _PLACE.fullmatch(found) else None


def on_now(transport: Transport) -> tuple[Followable, ...]:
    """What can be followed: running broadcasts, then the games of Lichess TV. Raises ServerFault."""
    rounds = _rounds(transport.ask("GET", "/api/broadcast/top"))
    games = _tv(transport.ask("GET", "/api/tv/channels"))
    if rounds is None or games is None:
        raise ServerFault("garbage")
    return (*rounds[:_MOST_ROUNDS], *games)[:MOST_OFFERED]


def _rounds(body: bytes) -> tuple[Followable, ...] | None:
    try:
        active = objects_of(as_object(parsed(body)), "active", _MOST_LISTED)
    except NonsenseError:
        return None
    found = []
    for one in active:
        tour, played = inner_object(one, "tour"), inner_object(one, "round")
        if not flag_of(played, "ongoing"):
            continue
        title = ", ".join(filter(None, (text_of(tour, "name", 80), text_of(played, "name"))))
        try:
            found.append(Followable(f"{_ROUND}{id_of(played, 'id')}", title))
        except NonsenseError:
            continue
    return tuple(found)


def _tv(body: bytes) -> tuple[Followable, ...] | None:
    try:
        channels = as_object(parsed(body))
    except NonsenseError:
        return None
    found: dict[str, Followable] = {}
    for name in CHANNELS:
        game = inner_object(channels, name)
        user = inner_object(game, "user")
        title = " ".join(filter(None, (text_of(user, "title"), text_of(user, "name"))))
        try:
            address = f"{_GAME}{id_of(game, 'gameId')}"
        except NonsenseError:
            continue
        if title:
            found.setdefault(address, Followable(address, title, player=True))
    return tuple(found.values())


# --- one game after another -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GameTold:
    """A game's current state. `key` stays the same throughout; `title`: the players."""

    key: str
    title: str
    pgn: str


class PgnLines:
    """Splits the lines of a PGN stream into games. Empty lines may be missing."""

    def __init__(self) -> None:
        self._tags: list[str] = []
        self._moves: list[str] = []
        self._length = 0

    def take(self, line: str) -> GameTold | None:
        """The game that ends with this line. Raises NonsenseError."""
        line = line.strip()
        if line.startswith("[") and _TAG.fullmatch(line):
            if self._moves:  # the previous game has no end
                self._clear()
                raise NonsenseError
            self._tags.append(line)
        else:
            self._moves.append(line)
        self._length += len(line)
        if self._length > _LONGEST_PGN:
            self._clear()
            raise NonsenseError
        text = " ".join(self._moves)
        if not self._moves or _open_comment(text):
            return None
        if _COMMENT.sub(" ", text).split()[-1:] not in [[result] for result in _RESULTS]:
            return None
        tags = {found[1]: found[2] for found in map(_TAG.fullmatch, self._tags) if found is not None}
        pgn = "\n".join((*self._tags, "", text, ""))
        self._clear()
        players = [tags.get(name, "").replace("\\", "") for name in ("White", "Black")]
        key = tags.get("GameURL") or tags.get("Site", "") + "|".join((tags.get("Board", ""), *players))
        return GameTold(key, " – ".join(filter(lambda name: name.strip("?"), players)), pgn)

    def _clear(self) -> None:
        self._tags, self._moves, self._length = [], [], 0


def _open_comment(text: str) -> bool:
    return text.rfind("{") > text.rfind("}")


class GameLines:
    """Converts the lines of a game's stream to PGN, as far as it has come."""

    def __init__(self) -> None:
        self._told: Mapping[str, object] = {}
        self._board: chess.Board | None = None
        self._clocks: list[tuple[int, int] | None] = []

    def take(self, line: bytes) -> GameTold | None:
        """The game including this line; None: nothing new. Raises NonsenseError."""
        found = as_object(parsed(line))
        if "id" in found:
            id_of(found, "id")
            self._told = found
            if self._board is None:
                variant = text_of(inner_object(found, "variant"), "key") or "standard"
                fen = text_of(found, "initialFen", LONGEST_FEN) or chess.STARTING_FEN
                if variant not in ("standard", "chess960", "fromPosition"):
                    raise ServerFault("gone")  # such a game cannot be followed here
                try:
                    self._board = chess.Board(fen, chess960=variant == "chess960")
                except ValueError as error:
                    raise NonsenseError from error
                return None
            return self._game() if self._over else None
        if self._board is None:
            raise NonsenseError
        uci = text_of(found, "lm", 5)
        if not uci:
            return self._game()
        try:
            self._board.push_uci(uci)
        except ValueError as error:
            raise NonsenseError from error
        if text_of(found, "fen", LONGEST_FEN).split(" ")[0] != self._board.board_fen():
            raise NonsenseError
        clocks = number_of(found, "wc"), number_of(found, "bc")
        self._clocks.append(None if clocks[0] is None or clocks[1] is None else (clocks[0], clocks[1]))
        return self._game()

    @property
    def _over(self) -> bool:
        return text_of(inner_object(self._told, "status"), "name") not in _RUNNING

    def _game(self) -> GameTold:
        assert self._board is not None
        game = chess.pgn.Game.from_board(self._board)
        players = [_player(self._told, colour) for colour in ("white", "black")]
        game.headers["White"], game.headers["Black"] = players
        winner = text_of(self._told, "winner")
        ended = {"white": "1-0", "black": "0-1"}.get(winner, "1/2-1/2")
        game.headers["Result"] = ended if self._over else "*"
        for node, clocks in zip(game.mainline(), self._clocks, strict=False):
            if clocks is not None:
                node.set_clock(clocks[0] if not node.turn() else clocks[1])
        identity = id_of(self._told, "id")
        return GameTold(identity, " – ".join(players), f"{game}\n")


def _player(told: Mapping[str, object], colour: str) -> str:
    one = inner_object(inner_object(told, "players"), colour)
    user = inner_object(one, "user")
    name = " ".join(filter(None, (text_of(user, "title"), text_of(user, "name"))))
    level = number_of(one, "aiLevel", 1, 8)
    return name or ("?" if level is None else f"Stockfish {level}")


# --- what is kept open ------------------------------------------------------------------------------------------------


class LiveFeed:
    """Follows a round or a game at `address`, until `stop`. `tell` is called with each game as it changes, `link` with
    whether the server is up, and why not. Both on its own thread."""

    def __init__(
        self,
        transport: Transport,
        address: str,
        tell: Callable[[GameTold], None],
        link: Callable[[bool, str], None],
        now: Callable[[], float],
        pause: Pause = real_pause,
    ) -> None:
        self._transport, self._address, self._tell = transport, address, tell
        self._told: dict[str, str] = {}
        self._pgn, self._game = PgnLines(), GameLines()
        self._feed = Feed(
            "live", self._open, self._take, link=Contact(link, up=True), now=now, pause=pause, over=lambda: self._over
        )
        self._over = False

    def start(self) -> None:
        """Start."""
        self._feed.start()

    def stop(self) -> None:
        """Ends it; from any thread."""
        self._feed.stop()

    def _open(self) -> LineStream:
        self._pgn, self._game = PgnLines(), GameLines()
        kind, _, identity = self._address.partition(":")
        if not is_id(identity):
            raise ServerFault("gone")
        path = f"/api/stream/broadcast/round/{identity}.pgn" if f"{kind}:" == _ROUND else f"/api/stream/game/{identity}"
        return self._transport.stream("GET", path, silence_s=_SILENT_S, silence_ends=True)

    def _take(self, line: bytes, first: bool) -> bool:
        try:
            if self._address.startswith(_ROUND):
                found = self._pgn.take(line.decode("utf-8", "replace"))
            else:
                found = self._game.take(line)
        except NonsenseError:
            return False
        if found is not None and self._told.get(found.key) != found.pgn and len(self._told) < _MOST_GAMES:
            # After a reconnection a game is sent from its first move again: none of that is news.
            if self._address.startswith(_GAME):
                before = self._told.get(found.key, "")
                if len(before) > len(found.pgn) and found.pgn.rstrip(" *\n") in before:
                    return True
                self._over = '[Result "*"]' not in found.pgn
            self._told[found.key] = found.pgn
            self._tell(found)
        return True
