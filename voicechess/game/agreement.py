"""The terms of a game."""

from __future__ import annotations

from collections.abc import Mapping
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


HALF_OF_BASE_MS = 0
"""Among remaining times: half of the base time, whatever that is."""

DEFAULT_THRESHOLDS_MS = (HALF_OF_BASE_MS, 300_000, 60_000, 10_000)
"""Remaining times, milliseconds, that are announced unless others were chosen."""


FORMS = ("short", "long")

TWO_FORMS: Mapping[str, str] = {
    "position": "short",
    "position_colour": "long",
    "own_pieces": "long",
    "other_pieces": "long",
    "material": "long",
    "last_move": "short",
    "time": "long",
}
"""Queries with a short and a long answer (`game.two_forms`), and which of them is usual."""


def read_answers(text: str) -> dict[str, str]:
    """The forms in which queries are answered, from "position long, time short"; what is no such pair, or of another
    version, is passed over."""
    pairs = (tuple(pair.split()) for pair in text.split(","))
    return {pair[0]: pair[1] for pair in pairs if len(pair) == 2 and pair[0] in TWO_FORMS and pair[1] in FORMS}


def answers_text(forms: Mapping[str, str]) -> str:
    """What `read_answers` reads; the usual forms are left out."""
    return ", ".join(f"{name} {form}" for name, form in forms.items() if TWO_FORMS[name] != form)


@dataclass(frozen=True, slots=True)
class Correspondence:
    """What is particular to a correspondence game."""

    colour: chess.Color = chess.WHITE  # the side of the player here
    notation: LineNotation = LineNotation.SAN  # of its lines
    key: str = ""  # identifies the game in its lines; "": taken from the first line that arrives


@dataclass(frozen=True, slots=True)
class PersonalChoices:
    """Personal preferences in a game; not part of its terms, and chosen anew for each."""

    thresholds_ms: tuple[int, ...] | None = None
    """Remaining times at which the clock is announced; None: `DEFAULT_THRESHOLDS_MS`; (): never."""
    captured: bool = True
    """Whether captures name the captured piece, in casual play, where the program may say more than the laws
    require."""
    quick: bool = False  # on a server: send a move at once, during its repetition
    chat: bool = False  # on a server: read out the opponent's chat
    answers: str = ""  # the forms in which queries are answered (`read_answers`)


@dataclass(frozen=True, slots=True)
class GameSettings:
    """The terms of a game."""

    white: Player = Player.VOICE
    black: Player = Player.ENGINE
    level: int = 3  # of the engine, 1 to 10
    time: str = ""  # as read by `time_controls.parse_time` ("5+3", "90/40+30:15+30"); "": untimed
    laws: int = 2023  # edition
    fen: str = chess.STARTING_FEN
    chess960: int | None = None  # number of the starting position; None: standard chess
    preset: Preset = Preset.CASUAL
    default_minutes: int | None = None  # lateness that loses; None: as in the edition of the laws
    touch_move: bool = False
    penalties: bool = False  # for illegal moves
    white_name: str = ""
    black_name: str = ""
    site: str = ""  # address of a game on a server
    rated: bool = False
    white_rating: int | None = None  # None: unknown
    black_rating: int | None = None
    display: str = ""  # of a simultaneous display: a text shared by all its games
    board: int = 0  # its number in a display, from 1
    giver: chess.Color = chess.WHITE  # colour of the player who gives the display
    correspondence: Correspondence | None = None
    """Of a correspondence game, in which both sides' moves are entered here; None: another kind of game."""
    quickplay: Quickplay = Quickplay.CLAIMS  # what was announced for the quickplay finish (edition of 2023)
    draw_after: int = 0  # moves of both sides before a draw can be agreed (2023: 9.1.1)
    draw_consent: bool = False  # a draw needs the arbiter's consent (2023: 9.1.1), with two people here
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
