"""What Lichess sends, as events and types of ours (lichess.org/api, OpenAPI 2.0.165).

Parsing is total: nothing here raises, whatever comes. What makes no sense is `NoEvent.GARBAGE` or None; what is valid
but of no interest (an empty line that keeps the connection alive, a kind of event that came later) is
`NoEvent.NOTHING`.
Texts come without anything that a terminal obeys, and shortened.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

import chess

from voicechess.game.events import ServerChat, ServerPresence, ServerState
from voicechess.messages import one_line
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

_UNTIMED = 2_147_483_647
"""What the clocks of a game without time show (Java's largest Int)."""

_LONGEST_NAME, _LONGEST_TEXT, _LONGEST_FEN = 60, 500, 120
_MOST_GAMES, _MOST_FRIENDS = 200, 500
_MOST_POINTS = 100_000
_COUNTRY = re.compile(r"[A-Z]{2}(-[A-Z]{2,3})?")
_ID = re.compile(r"[A-Za-z0-9]{1,20}")
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
    """Whose token it is."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class FullGame:
    """The first line of a game's stream: what was agreed, and how it stands."""

    game: OnlineGame
    state: ServerState


@dataclass(frozen=True, slots=True)
class GameFinished:
    """A game has ended, wherever it was played. `change`: of the player's rating, None where it is not told."""

    id: str
    rated: bool = False
    change: int | None = None


class _NonsenseError(Exception):
    """Something that must be there is not, or is something else."""


# --- JSON, with limits ------------------------------------------------------------------------------------------------


def _refuse(constant: str) -> object:
    raise ValueError(constant)


def _json(data: bytes) -> object:
    """Raises _NonsenseError."""
    try:
        return json.loads(data.decode("utf-8"), parse_constant=_refuse)
    except (ValueError, RecursionError) as error:  # ValueError also for a number of 5000 digits
        raise _NonsenseError from error


def _object(found: object) -> Mapping[str, Any]:
    if not isinstance(found, dict):
        raise _NonsenseError
    return found


def _inner(found: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """The object of that name; an empty one where there is none."""
    inside = found.get(name)
    return inside if isinstance(inside, dict) else {}


def _text(found: Mapping[str, Any], name: str, longest: int = _LONGEST_NAME) -> str:
    """The text of that name as one line; "" where there is none. Surrogates that no file could keep are left out."""
    text = found.get(name)
    if not isinstance(text, str):
        return ""
    return one_line(text[:longest].encode("utf-8", "ignore").decode("utf-8")).strip()


def _number(found: Mapping[str, Any], name: str, low: int = 0, high: int = _UNTIMED) -> int | None:
    """The whole number of that name; None where there is none or it is out of range."""
    number = found.get(name)
    return number if type(number) is int and low <= number <= high else None


def _needed(found: Mapping[str, Any], name: str, high: int = _UNTIMED) -> int:
    number = _number(found, name, 0, high)
    if number is None:
        raise _NonsenseError
    return number


def _flag(found: Mapping[str, Any], name: str) -> bool:
    return found.get(name) is True


def _id(found: Mapping[str, Any], *names: str) -> str:
    """The first of these that is an id. It goes into addresses, so nothing else will do. Raises _NonsenseError."""
    for name in names:
        text = found.get(name)
        if isinstance(text, str) and _ID.fullmatch(text):
            return text
    raise _NonsenseError


def is_id(text: str) -> bool:
    """Whether it can be the id of a game or of a challenge."""
    return _ID.fullmatch(text) is not None


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
    """A line of a game's stream, read at `at_ms`. `me`: the id of the account; `server`: its address, for the page."""
    if not line.strip():
        return NoEvent.NOTHING
    try:
        found = _object(_json(line))
        match found.get("type"):
            case "gameFull":
                return _full(found, at_ms, me, server)
            case "gameState":
                return _state(found, at_ms)
            case "opponentGone":
                return _presence(found, at_ms)
            case "chatLine":
                # What spectators write is not for the players.
                if found.get("room") != "player":
                    return NoEvent.NOTHING
                return ServerChat(at_ms=at_ms, name=_text(found, "username"), text=_text(found, "text", _LONGEST_TEXT))
            case str():
                return NoEvent.NOTHING
    except _NonsenseError:
        pass
    return NoEvent.GARBAGE


def _state(found: Mapping[str, Any], at_ms: int) -> ServerState:
    moves = found.get("moves")
    status = found.get("status")
    if not isinstance(moves, str) or not isinstance(status, str):
        raise _NonsenseError
    played = tuple(moves.split())
    if not all(_UCI.fullmatch(move) for move in played):
        raise _NonsenseError
    winner = _colour(found, "winner")
    if "winner" in found and winner is None:
        raise _NonsenseError  # the game would end as one that nobody has won
    waiting = _inner(found, "expiration")
    to_move, idle = _number(waiting, "millisToMove"), _number(waiting, "idleMillis")
    return ServerState(
        at_ms=at_ms,
        moves=played,
        white_ms=_clock(found, "wtime"),
        black_ms=_clock(found, "btime"),
        white_increment_ms=_number(found, "winc") or 0,
        black_increment_ms=_number(found, "binc") or 0,
        status=status if status in _STATUSES else "unknownFinish",
        winner=winner,
        white_draws=_flag(found, "wdraw"),
        black_draws=_flag(found, "bdraw"),
        white_takes_back=_flag(found, "wtakeback"),
        black_takes_back=_flag(found, "btakeback"),
        expires_ms=None if to_move is None or idle is None else max(0, to_move - idle),
    )


def _clock(found: Mapping[str, Any], name: str) -> int | None:
    shown = _needed(found, name)
    return None if shown == _UNTIMED else shown


def _presence(found: Mapping[str, Any], at_ms: int) -> ServerPresence:
    if not isinstance(found.get("gone"), bool):
        raise _NonsenseError
    seconds = _number(found, "claimWinInSeconds", 0, 86_400)
    gone = _flag(found, "gone")
    return ServerPresence(at_ms=at_ms, gone=gone, claim_ms=None if seconds is None or not gone else seconds * 1000)


def _full(found: Mapping[str, Any], at_ms: int, me: str, server: str) -> FullGame:
    white, black = _object(found.get("white")), _object(found.get("black"))
    if white.get("id") == me:
        colour, opponent = chess.WHITE, black
    elif black.get("id") == me:
        colour, opponent = chess.BLACK, white
    else:
        raise _NonsenseError
    state = replace(_state(_object(found.get("state")), at_ms), first=True)
    start = _text(found, "initialFen", _LONGEST_FEN)
    start = "" if start == "startpos" else start
    clock = _inner(found, "clock")
    initial, increment = _number(clock, "initial"), _number(clock, "increment") or 0
    days = _number(found, "daysPerTurn", 1, 366)
    time = OnlineTime(None if initial is None else initial // 1000, increment // 1000, days)
    terms = OnlineTerms(time, _flag(found, "rated"), _variant(found), colour, start)
    begins = chess.BLACK if start.split(" ")[1:2] == ["b"] else chess.WHITE
    turn = begins if len(state.moves) % 2 == 0 else not begins
    left = state.white_ms if colour == chess.WHITE else state.black_ms
    identity = _id(found, "id", "gameId")
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
    level = _number(found, "aiLevel", COMPUTER_LEVELS[0], COMPUTER_LEVELS[-1])
    if level is None:
        level = _number(found, "ai", COMPUTER_LEVELS[0], COMPUTER_LEVELS[-1])
    online = found.get("online")
    return OnlinePlayer(
        name=_text(found, name) or _text(found, "id"),
        title=_text(found, "title"),
        rating=_number(found, "rating", 1, 9999),
        provisional=_flag(found, "provisional"),
        level=level,
        online=online if isinstance(online, bool) else None,
    )


def _variant(found: Mapping[str, Any]) -> str:
    return _text(_inner(found, "variant"), "key") or "standard"


def _speed(found: Mapping[str, Any]) -> Speed | None:
    text = found.get("speed")
    return _SPEEDS.get(text) if isinstance(text, str) else None


def _time(found: Mapping[str, Any]) -> OnlineTime:
    """A challenge's `timeControl`."""
    match found.get("type"):
        case "clock":
            return OnlineTime(_needed(found, "limit"), _number(found, "increment") or 0)
        case "correspondence":
            return OnlineTime(days=_number(found, "daysPerTurn", 1, 366))
        case "unlimited":
            return OnlineTime()
    raise _NonsenseError


# --- the event stream -------------------------------------------------------------------------------------------------


def event_line(
    line: bytes, at_ms: int, me: str, server: str
) -> GameOpened | GameFinished | ChallengeArrived | ChallengeGone | NoEvent:
    """A line of the stream of what reaches an account. One's own challenges are NOTHING: their answers come apart."""
    if not line.strip():
        return NoEvent.NOTHING
    try:
        found = _object(_json(line))
        match found.get("type"):
            case "gameStart":
                return GameOpened(at_ms=at_ms, game=_game(_object(found.get("game")), server))
            case "gameFinish":
                game = _object(found.get("game"))
                return GameFinished(_id(game, "gameId", "id"), _flag(game, "rated"), _change(game))
            case "challenge":
                return _challenge(_object(found.get("challenge")), at_ms, me)
            case "challengeCanceled":
                return ChallengeGone(at_ms=at_ms, id=_id(_object(found.get("challenge")), "id"), reason="cancelled")
            case "challengeDeclined":
                challenge = _object(found.get("challenge"))
                why = _text(challenge, "declineReasonKey").lower()
                reason = why if why in _DECLINED else "generic"
                return ChallengeGone(at_ms=at_ms, id=_id(challenge, "id"), reason=reason)
            case str():
                return NoEvent.NOTHING
    except _NonsenseError:
        pass
    return NoEvent.GARBAGE


def _change(game: Mapping[str, Any]) -> int | None:
    return _number(game, "ratingDiff", -9999, 9999)


def _challenge(found: Mapping[str, Any], at_ms: int, me: str) -> ChallengeArrived | NoEvent:
    challenger = _object(found.get("challenger"))
    if found.get("direction") == "out" or challenger.get("id") == me:
        return NoEvent.NOTHING
    start = _text(found, "initialFen", _LONGEST_FEN)
    theirs = _colour(found, "color")  # as the challenger chose it; "random" is none
    terms = OnlineTerms(
        _time(_object(found.get("timeControl"))),
        _flag(found, "rated"),
        _variant(found),
        None if theirs is None else not theirs,
        "" if start == "startpos" else start,
    )
    return ChallengeArrived(
        at_ms=at_ms,
        id=_id(found, "id"),
        challenger=_player(challenger, "name"),
        terms=terms,
        rematch_of=_text(found, "rematchOf"),
    )


def _game(found: Mapping[str, Any], server: str) -> OnlineGame:
    """A game in the event stream or in the list of games: its times are not told there."""
    colour = _colour(found, "color")
    if colour is None:
        raise _NonsenseError
    identity = _id(found, "gameId", "id")
    return OnlineGame(
        identity,
        _player(_inner(found, "opponent"), "username"),
        OnlineTerms(rated=_flag(found, "rated"), variant=_variant(found), colour=colour),
        fen=_text(found, "fen", _LONGEST_FEN),
        site=f"{server}/{identity}",
        my_turn=_flag(found, "isMyTurn"),
        moved=_flag(found, "hasMoved"),
        last_move=_text(found, "lastMove", 5),
        seconds_left=_number(found, "secondsLeft"),
        speed=_speed(found),
    )


# --- answers to requests ----------------------------------------------------------------------------------------------


def account(body: bytes) -> Account | None:
    """Whose token it is."""
    try:
        found = _object(_json(body))
        text = found.get("id")
        if not isinstance(text, str) or not is_player_name(text):
            return None
        return Account(text, _text(found, "username") or text)
    except _NonsenseError:
        return None


@dataclass(frozen=True, slots=True)
class Profile:
    """Who somebody is: `title` as the server abbreviates it, `country` the code of their flag; "" for none."""

    title: str = ""
    country: str = ""


def profile(body: bytes) -> Profile | None:
    """Who a player is. A flag that is no country's is none."""
    try:
        found = _object(_json(body))
    except _NonsenseError:
        return None
    flag = _text(_inner(found, "profile"), "flag")
    return Profile(_text(found, "title"), flag if _COUNTRY.fullmatch(flag) else "")


def crosstable(body: bytes, me: str, them: str) -> tuple[int, tuple[int, int]] | None:
    """How many games two players have played against each other, and what each has made in them, in half points."""
    try:
        found = _object(_json(body))
        games = _needed(found, "nbGames")
        points = {name.lower(): points for name, points in _object(found.get("users")).items()}
    except _NonsenseError:
        return None
    made = [points.get(name.lower(), 0) for name in (me, them)]
    if not all(type(one) in (int, float) and 0 <= one <= _MOST_POINTS for one in made):
        return None
    return games, (round(2 * made[0]), round(2 * made[1]))


def is_player_name(text: str) -> bool:
    """Whether Lichess gives such names. Nothing else goes into an address."""
    return re.fullmatch(r"[A-Za-z0-9_-]{2,30}", text) is not None


def games(body: bytes, server: str) -> tuple[OnlineGame, ...] | None:
    """The games in progress, most urgent first. One that makes no sense is left out."""
    try:
        listed = _object(_json(body)).get("nowPlaying")
    except _NonsenseError:
        return None
    if not isinstance(listed, list):
        return None
    found = []
    for one in listed[:_MOST_GAMES]:
        try:
            found.append(_game(_object(one), server))
        except _NonsenseError:
            continue
    return tuple(found)


def friends(lines: Iterable[bytes]) -> dict[str, OnlinePlayer]:
    """Those whom the account follows, by their ids, a line each."""
    found: dict[str, OnlinePlayer] = {}
    for line in lines:
        try:
            one = _object(_json(line))
        except _NonsenseError:
            continue
        identity = one.get("id")
        if isinstance(identity, str) and is_player_name(identity) and not _flag(one, "disabled"):
            found[identity] = _player(one, "username")
        if len(found) == _MOST_FRIENDS:
            break
    return found


def as_there(player: OnlinePlayer, online: bool) -> OnlinePlayer:
    """The player, with whether they are there."""
    return replace(player, online=online)


def online_ids(body: bytes) -> frozenset[str]:
    """Which of the players asked about are there at this moment."""
    try:
        listed = _json(body)
    except _NonsenseError:
        return frozenset()
    if not isinstance(listed, list):
        return frozenset()
    there = (one for one in listed if isinstance(one, dict) and one.get("online") is True)
    return frozenset(one["id"] for one in there if isinstance(one.get("id"), str))


def made_id(body: bytes) -> str | None:
    """The id of what was made: a challenge (which may come wrapped in an object), a game against the computer."""
    try:
        found = _object(_json(body))
        return _id(_inner(found, "challenge") or found, "id")
    except _NonsenseError:
        return None


def done_reason(line: bytes) -> str | None:
    """How a challenge that was kept open has ended: "accepted", "declined", "canceled"; None: another line."""
    try:
        done = _object(_json(line)).get("done")
    except _NonsenseError:
        return None
    return done if isinstance(done, str) else None


def error_text(body: bytes) -> str:
    """The server's own words of what went wrong, "" where it has none. Of a form's errors, the first."""
    try:
        found: object = _object(_json(body)).get("error")
    except _NonsenseError:
        return ""
    for _ in range(3):
        if isinstance(found, dict) and found:
            found = next(iter(found.values()))
        elif isinstance(found, list) and found:
            found = found[0]
    return _text({"error": found}, "error", _LONGEST_TEXT)


def says_unknown_player(detail: str) -> bool:
    """Whether these words of the server, which are English, mean that there is no such player."""
    return detail.lower().startswith("no such user")


def access_token(body: bytes) -> str | None:
    """The token that a code was changed for."""
    try:
        found = _object(_json(body)).get("access_token")
    except _NonsenseError:
        return None
    return found if isinstance(found, str) else None


def scopes(body: bytes, token: str) -> frozenset[str] | None:
    """What a token allows; None: it is not valid."""
    try:
        found = _object(_object(_json(body)).get(token))
    except _NonsenseError:
        return None
    return frozenset(_text(found, "scopes", _LONGEST_TEXT).replace(",", " ").split())
