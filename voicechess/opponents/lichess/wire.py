"""Parses what Lichess sends into events and types of this program (lichess.org/api, OpenAPI 2.0.165).

Parsing is total: nothing here raises, whatever comes. Invalid data is `NoEvent.GARBAGE` or None; valid data of no
interest (an empty keep-alive line, a newer kind of event) is `NoEvent.NOTHING`. Texts are stripped of control
characters and shortened.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

import chess

from voicechess.game.events import ServerChat, ServerPresence, ServerState
from voicechess.online.lobby import (
    COMPUTER_LEVELS,
    ChallengeArrived,
    ChallengeGone,
    GameOpened,
    OnlineGame,
    OnlinePlayer,
    OnlineTerms,
    OnlineTime,
    Speed,
)
from voicechess.opponents.lichess.fields import (
    LARGEST,
    LONGEST_FEN,
    LONGEST_TEXT,
    NonsenseError,
    as_object,
    flag_of,
    id_of,
    inner_object,
    needed_number,
    number_of,
    parsed,
    text_of,
)

_MOST_GAMES, _MOST_FRIENDS = 200, 500
_MOST_POINTS = 100_000
_COUNTRY = re.compile(r"[A-Z]{2}(-[A-Z]{2,3})?")
_UCI = re.compile(r"(?:[a-h][1-8]){2}[qrbnk]?")
_NOT_OVER = frozenset({"created", "started"})
_STATUSES = _NOT_OVER | {
    *("aborted", "mate", "resign", "stalemate", "timeout", "draw", "outoftime", "cheat", "noStart"),
    *("unknownFinish", "insufficientMaterialClaim", "variantEnd"),
}
_DECLINED = frozenset(
    {
        *("generic", "later", "toofast", "tooslow", "timecontrol", "rated"),
        *("casual", "standard", "variant"),
        "nobot",
        "onlybot",
    }
)
_SPEEDS = {"ultraBullet": Speed.BULLET} | {speed.value: speed for speed in Speed}
_COLOURS = {"white": chess.WHITE, "black": chess.BLACK}


class NoEvent(Enum):
    """A line that is no event."""

    NOTHING = "nothing"
    GARBAGE = "garbage"


@dataclass(frozen=True, slots=True)
class Account:
    """The account of a token."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class FullGame:
    """The first line of a game's stream: its terms, and its state."""

    game: OnlineGame
    state: ServerState


@dataclass(frozen=True, slots=True)
class GameFinished:
    """A game has ended, wherever it was played. `change`: of the player's rating, None if not reported."""

    id: str
    rated: bool = False
    change: int | None = None


def _colour(found: Mapping[str, Any], name: str) -> chess.Color | None:
    text = found.get(name)
    return _COLOURS.get(text) if isinstance(text, str) else None


# --- a game's stream --------------------------------------------------------------------------------------------------


def is_over(state: ServerState) -> bool:
    """Whether the game has ended."""
    return state.status not in _NOT_OVER


def game_line(
    line: bytes, at_ms: int, me: str, server: str
) -> FullGame | ServerState | ServerPresence | ServerChat | NoEvent:
    """Parse a line of a game's stream, read at `at_ms`. `me`: the account's id; `server`: its address, for the page."""
    if not line.strip():
        return NoEvent.NOTHING
    try:
        found = as_object(parsed(line))
        match found.get("type"):
            case "gameFull":
                return _full(found, at_ms, me, server)
            case "gameState":
                return _state(found, at_ms)
            case "opponentGone":
                return _presence(found, at_ms)
            case "chatLine":
                # Spectators' chat is not for the players.
                if found.get("room") != "player":
                    return NoEvent.NOTHING
                return ServerChat(
                    at_ms=at_ms, name=text_of(found, "username"), text=text_of(found, "text", LONGEST_TEXT)
                )
            case str():
                return NoEvent.NOTHING
    except NonsenseError:
        pass
    return NoEvent.GARBAGE


def _state(found: Mapping[str, Any], at_ms: int) -> ServerState:
    moves = found.get("moves")
    status = found.get("status")
    if not isinstance(moves, str) or not isinstance(status, str):
        raise NonsenseError
    played = tuple(moves.split())
    if not all(_UCI.fullmatch(move) for move in played):
        raise NonsenseError
    winner = _colour(found, "winner")
    if "winner" in found and winner is None:
        raise NonsenseError  # otherwise the game would end without a winner
    waiting = inner_object(found, "expiration")
    to_move, idle = number_of(waiting, "millisToMove"), number_of(waiting, "idleMillis")
    return ServerState(
        at_ms=at_ms,
        moves=played,
        white_ms=_clock(found, "wtime"),
        black_ms=_clock(found, "btime"),
        white_increment_ms=number_of(found, "winc") or 0,
        black_increment_ms=number_of(found, "binc") or 0,
        status=status if status in _STATUSES else "unknownFinish",
        winner=winner,
        white_draws=flag_of(found, "wdraw"),
        black_draws=flag_of(found, "bdraw"),
        white_takes_back=flag_of(found, "wtakeback"),
        black_takes_back=flag_of(found, "btakeback"),
        expires_ms=None if to_move is None or idle is None else max(0, to_move - idle),
    )


def _clock(found: Mapping[str, Any], name: str) -> int | None:
    shown = needed_number(found, name)
    return None if shown == LARGEST else shown


def _presence(found: Mapping[str, Any], at_ms: int) -> ServerPresence:
    if not isinstance(found.get("gone"), bool):
        raise NonsenseError
    seconds = number_of(found, "claimWinInSeconds", 0, 86_400)
    gone = flag_of(found, "gone")
    return ServerPresence(at_ms=at_ms, gone=gone, claim_ms=None if seconds is None or not gone else seconds * 1000)


def _full(found: Mapping[str, Any], at_ms: int, me: str, server: str) -> FullGame:
    white, black = as_object(found.get("white")), as_object(found.get("black"))
    if white.get("id") == me:
        colour, opponent = chess.WHITE, black
    elif black.get("id") == me:
        colour, opponent = chess.BLACK, white
    else:
        raise NonsenseError
    state = replace(_state(as_object(found.get("state")), at_ms), first=True)
    start = text_of(found, "initialFen", LONGEST_FEN)
    start = "" if start == "startpos" else start
    clock = inner_object(found, "clock")
    initial, increment = number_of(clock, "initial"), number_of(clock, "increment") or 0
    days = number_of(found, "daysPerTurn", 1, 366)
    time = OnlineTime(None if initial is None else initial // 1000, increment // 1000, days)
    terms = OnlineTerms(time, flag_of(found, "rated"), _variant(found), colour, start)
    begins = chess.BLACK if start.split(" ")[1:2] == ["b"] else chess.WHITE
    turn = begins if len(state.moves) % 2 == 0 else not begins
    left = state.white_ms if colour == chess.WHITE else state.black_ms
    identity = id_of(found, "id", "gameId")
    game = OnlineGame(
        identity,
        _player(opponent, "name"),
        terms,
        site=f"{server}/{identity}",
        my_turn=turn == colour and not is_over(state),
        moved=len(state.moves) > (0 if begins == colour else 1),
        last_move=state.moves[-1] if state.moves else "",
        seconds_left=None if left is None else left // 1000,
        speed=_speed(found),
    )
    return FullGame(game, state)


# --- players and terms ------------------------------------------------------------------------------------------------


def _player(found: Mapping[str, Any], name: str) -> OnlinePlayer:
    level = number_of(found, "aiLevel", COMPUTER_LEVELS[0], COMPUTER_LEVELS[-1])
    if level is None:
        level = number_of(found, "ai", COMPUTER_LEVELS[0], COMPUTER_LEVELS[-1])
    online = found.get("online")
    return OnlinePlayer(
        name=text_of(found, name) or text_of(found, "id"),
        title=text_of(found, "title"),
        rating=number_of(found, "rating", 1, 9999),
        provisional=flag_of(found, "provisional"),
        level=level,
        online=online if isinstance(online, bool) else None,
    )


def _variant(found: Mapping[str, Any]) -> str:
    return text_of(inner_object(found, "variant"), "key") or "standard"


def _speed(found: Mapping[str, Any]) -> Speed | None:
    text = found.get("speed")
    return _SPEEDS.get(text) if isinstance(text, str) else None


def _time(found: Mapping[str, Any]) -> OnlineTime:
    """A challenge's `timeControl`."""
    match found.get("type"):
        case "clock":
            return OnlineTime(needed_number(found, "limit"), number_of(found, "increment") or 0)
        case "correspondence":
            return OnlineTime(days=number_of(found, "daysPerTurn", 1, 366))
        case "unlimited":
            return OnlineTime()
    raise NonsenseError


# --- the event stream -------------------------------------------------------------------------------------------------


def event_line(
    line: bytes, at_ms: int, me: str, server: str
) -> GameOpened | GameFinished | ChallengeArrived | ChallengeGone | NoEvent:
    """Parse a line of an account's event stream. One's own challenges are NOTHING: their answers come separately."""
    if not line.strip():
        return NoEvent.NOTHING
    try:
        found = as_object(parsed(line))
        match found.get("type"):
            case "gameStart":
                return GameOpened(at_ms=at_ms, game=_game(as_object(found.get("game")), server))
            case "gameFinish":
                game = as_object(found.get("game"))
                return GameFinished(id_of(game, "gameId", "id"), flag_of(game, "rated"), _change(game))
            case "challenge":
                return _challenge(as_object(found.get("challenge")), at_ms, me)
            case "challengeCanceled":
                return ChallengeGone(at_ms=at_ms, id=id_of(as_object(found.get("challenge")), "id"), reason="cancelled")
            case "challengeDeclined":
                challenge = as_object(found.get("challenge"))
                why = text_of(challenge, "declineReasonKey").lower()
                reason = why if why in _DECLINED else "generic"
                return ChallengeGone(at_ms=at_ms, id=id_of(challenge, "id"), reason=reason)
            case str():
                return NoEvent.NOTHING
    except NonsenseError:
        pass
    return NoEvent.GARBAGE


def _change(game: Mapping[str, Any]) -> int | None:
    return number_of(game, "ratingDiff", -9999, 9999)


def _challenge(found: Mapping[str, Any], at_ms: int, me: str) -> ChallengeArrived | NoEvent:
    challenger = as_object(found.get("challenger"))
    if found.get("direction") == "out" or challenger.get("id") == me:
        return NoEvent.NOTHING
    start = text_of(found, "initialFen", LONGEST_FEN)
    theirs = _colour(found, "color")  # the challenger's choice; "random" is none
    terms = OnlineTerms(
        _time(as_object(found.get("timeControl"))),
        flag_of(found, "rated"),
        _variant(found),
        None if theirs is None else not theirs,
        "" if start == "startpos" else start,
    )
    return ChallengeArrived(
        at_ms=at_ms,
        id=id_of(found, "id"),
        challenger=_player(challenger, "name"),
        terms=terms,
        rematch_of=text_of(found, "rematchOf"),
    )


def _game(found: Mapping[str, Any], server: str) -> OnlineGame:
    """A game in the event stream or in the list of games, which lack its times."""
    colour = _colour(found, "color")
    if colour is None:
        raise NonsenseError
    identity = id_of(found, "gameId", "id")
    return OnlineGame(
        identity,
        _player(inner_object(found, "opponent"), "username"),
        OnlineTerms(rated=flag_of(found, "rated"), variant=_variant(found), colour=colour),
        fen=text_of(found, "fen", LONGEST_FEN),
        site=f"{server}/{identity}",
        my_turn=flag_of(found, "isMyTurn"),
        moved=flag_of(found, "hasMoved"),
        last_move=text_of(found, "lastMove", 5),
        seconds_left=number_of(found, "secondsLeft"),
        speed=_speed(found),
    )


# --- answers to requests ----------------------------------------------------------------------------------------------


def account(body: bytes) -> Account | None:
    """The account of a token."""
    try:
        found = as_object(parsed(body))
        text = found.get("id")
        if not isinstance(text, str) or not is_player_name(text):
            return None
        return Account(text, text_of(found, "username") or text)
    except NonsenseError:
        return None


@dataclass(frozen=True, slots=True)
class Profile:
    """A profile: `title` as the server abbreviates it, `country` the code of the flag; "" for none."""

    title: str = ""
    country: str = ""


def profile(body: bytes) -> Profile | None:
    """A player's profile. A flag that is no country's is ignored."""
    try:
        found = as_object(parsed(body))
    except NonsenseError:
        return None
    flag = text_of(inner_object(found, "profile"), "flag")
    return Profile(text_of(found, "title"), flag if _COUNTRY.fullmatch(flag) else "")


def crosstable(body: bytes, me: str, them: str) -> tuple[int, tuple[int, int]] | None:
    """Number of games between two players, and each one's score in half points."""
    try:
        found = as_object(parsed(body))
        games = needed_number(found, "nbGames")
        points = {name.lower(): points for name, points in as_object(found.get("users")).items()}
    except NonsenseError:
        return None
    made = [points.get(name.lower(), 0) for name in (me, them)]
    if not all(type(one) in (int, float) and 0 <= one <= _MOST_POINTS for one in made):
        return None
    return games, (round(2 * made[0]), round(2 * made[1]))


def is_player_name(text: str) -> bool:
    """Whether this can be a name at Lichess. Only such names go into addresses."""
    return re.fullmatch(r"[A-Za-z0-9_-]{2,30}", text) is not None


def games(body: bytes, server: str) -> tuple[OnlineGame, ...] | None:
    """The games in progress, most urgent first, without invalid ones."""
    try:
        listed = as_object(parsed(body)).get("nowPlaying")
    except NonsenseError:
        return None
    if not isinstance(listed, list):
        return None
    found = []
    for one in listed[:_MOST_GAMES]:
        try:
            found.append(_game(as_object(one), server))
        except NonsenseError:
            continue
    return tuple(found)


def plays_by_the_clock(game: OnlineGame) -> bool:
    """Whether its clock runs while the player is away; True also if unknown."""
    return game.speed not in (Speed.CORRESPONDENCE, Speed.UNLIMITED)


def friends(lines: Iterable[bytes]) -> dict[str, OnlinePlayer]:
    """The players whom the account follows, by id, one per line."""
    found: dict[str, OnlinePlayer] = {}
    for line in lines:
        try:
            one = as_object(parsed(line))
        except NonsenseError:
            continue
        identity = one.get("id")
        if isinstance(identity, str) and is_player_name(identity) and not flag_of(one, "disabled"):
            found[identity] = _player(one, "username")
        if len(found) == _MOST_FRIENDS:
            break
    return found


def as_there(player: OnlinePlayer, online: bool) -> OnlinePlayer:
    """The player with this presence."""
    return replace(player, online=online)


def online_ids(body: bytes) -> frozenset[str]:
    """Ids of the requested players who are online."""
    try:
        listed = parsed(body)
    except NonsenseError:
        return frozenset()
    if not isinstance(listed, list):
        return frozenset()
    there = (one for one in listed if isinstance(one, dict) and one.get("online") is True)
    return frozenset(one["id"] for one in there if isinstance(one.get("id"), str))


def made_id(body: bytes) -> str | None:
    """The id of what was created: a challenge (perhaps wrapped in an object), or a game against the computer."""
    try:
        found = as_object(parsed(body))
        return id_of(inner_object(found, "challenge") or found, "id")
    except NonsenseError:
        return None


def done_reason(line: bytes) -> str | None:
    """Outcome of a challenge that was kept open: "accepted", "declined", "canceled"; None: another line."""
    try:
        done = as_object(parsed(line)).get("done")
    except NonsenseError:
        return None
    return done if isinstance(done, str) else None


def error_text(body: bytes) -> str:
    """The server's error message, "" if there is none. Of a form's errors, the first."""
    try:
        found: object = as_object(parsed(body)).get("error")
    except NonsenseError:
        return ""
    for _ in range(3):
        if isinstance(found, dict) and found:
            found = next(iter(found.values()))
        elif isinstance(found, list) and found:
            found = found[0]
    return text_of({"error": found}, "error", LONGEST_TEXT)


def says_unknown_player(detail: str) -> bool:
    """Whether this (English) error message means an unknown player."""
    return detail.lower().startswith("no such user")


def access_token(body: bytes) -> str | None:
    """The token in the answer to a code."""
    try:
        found = as_object(parsed(body)).get("access_token")
    except NonsenseError:
        return None
    return found if isinstance(found, str) else None


def scopes(body: bytes, token: str) -> frozenset[str] | None:
    """A token's scopes; None: invalid."""
    try:
        found = as_object(as_object(parsed(body)).get(token))
    except NonsenseError:
        return None
    return frozenset(text_of(found, "scopes", LONGEST_TEXT).replace(",", " ").split())
