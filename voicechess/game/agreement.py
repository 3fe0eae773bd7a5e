"""The terms of a game."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

import chess

from voicechess.laws.draws import Quickplay
from voicechess.messages import Failure, Text
from voicechess.score.letters import LineNotation


class Player(Enum):
    """Who makes a side's moves."""

    VOICE = "voice"  # somebody at this microphone or keyboard
    ENGINE = "engine"
    SERVER = "server"  # somebody elsewhere; the server owns moves, clock, laws and result


class Preset(Enum):
    """How much the program volunteers (Laws, Appendix D.2.7: the assistant tells times only on request)."""

    CASUAL = "casual"
    TOURNAMENT = "tournament"
    STRICT_BLIND = "strict-blind"


DEFAULT_THRESHOLDS_MS = (300_000, 60_000, 30_000, 10_000)
"""Remaining times, milliseconds, that are announced, besides half of the base time."""


@dataclass(frozen=True, slots=True)
class Correspondence:
    """A correspondence game. `colour`: the side of the player here. `notation`: of its lines. `key`: identifies the
    game in them; "": taken from the first line that arrives."""

    colour: chess.Color = chess.WHITE
    notation: LineNotation = LineNotation.SAN
    key: str = ""


@dataclass(frozen=True, slots=True)
class PersonalChoices:
    """Personal preferences in a game; not part of its terms, and chosen anew for each."""

    thresholds_ms: tuple[int, ...] | None = None
    """Remaining times at which the clock is announced; None: half of the base time and `DEFAULT_THRESHOLDS_MS`."""
    captured: bool = True
    """Whether captures name the captured piece, in casual play, where the program may say more than the laws
    require."""
    quick: bool = False  # on a server: send a move at once, during its repetition
    chat: bool = False  # on a server: read out the opponent's chat


@dataclass(frozen=True, slots=True)
class GameSettings:
    """One game's terms. `time` is the notation of `game.clock.parse_time` ("5+3", "90/40+30:15+30"); "" means untimed.

    `default_minutes`: who comes later than that has lost; None: as the edition of the laws has it.
    `quickplay`: what was announced for it by the edition of 2023. `draw_after`: so
    many moves both have to make before a draw can be agreed, and `draw_consent`: only with the arbiter's consent (2023:
    9.1.1), where two people play here.

    Of a game in a simultaneous display: `display`, the same text in all its games; `board`, its number from 1; `giver`,
    the colour of the player who gives it.

    Of a game on a server: `site`, its address; `rated`; both ratings where they are known. `correspondence`: of a game
    by letter, in which both sides are announced or arrive here. `personal`: what is nobody's business but the player's.
    """

    white: Player = Player.VOICE
    black: Player = Player.ENGINE
    level: int = 3
    time: str = ""
    laws: int = 2023
    fen: str = chess.STARTING_FEN
    chess960: int | None = None
    preset: Preset = Preset.CASUAL
    default_minutes: int | None = None
    touch_move: bool = False
    penalties: bool = False
    white_name: str = ""
    black_name: str = ""
    site: str = ""
    rated: bool = False
    white_rating: int | None = None
    black_rating: int | None = None
    display: str = ""
    board: int = 0
    giver: chess.Color = chess.WHITE
    correspondence: Correspondence | None = None
    quickplay: Quickplay = Quickplay.CLAIMS
    draw_after: int = 0
    draw_consent: bool = False
    personal: PersonalChoices = field(default_factory=PersonalChoices)


UNPLAYABLE = (
    chess.STATUS_EMPTY
    | chess.STATUS_NO_WHITE_KING
    | chess.STATUS_NO_BLACK_KING
    | chess.STATUS_TOO_MANY_KINGS
    | chess.STATUS_PAWNS_ON_BACKRANK
    | chess.STATUS_OPPOSITE_CHECK
)
"""Positions from which chess cannot be played. Positions that are only unreachable (ten queens) can be."""


def start_board(settings: GameSettings) -> chess.Board:
    """The initial position of a game with these settings.

    Raises `Failure` for an invalid number or FEN, and for an unplayable position.
    """
    try:
        if settings.chess960 is not None and settings.fen == chess.STARTING_FEN:
            return chess.Board.from_chess960_pos(settings.chess960)
        board = chess.Board(settings.fen, chess960=settings.chess960 is not None)
        if board.status() & UNPLAYABLE:
            raise ValueError(f"no game can have this position: {board.status()!r}")
    except ValueError as error:
        raise Failure("cli.bad_settings", {"detail": Text(str(error))}) from error
    return board
