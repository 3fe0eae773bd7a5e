"""A game at the stand-in: laws by python-chess, clocks, offers, ends; and how it looks in the server's JSON.

What the published description leaves open follows the server's source (lila: BotPlayer, Drawer, Takebacker, Rewind):
the clocks stand until both have moved once; an offer or a takeback that cannot be is answered with ok and does
nothing; the fiftieth move and the fifth repetition end a game, the third can be claimed by offering a draw.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import chess

from tests.drivers.lichess.clock import DAY_MS

Json = dict[str, Any]

UNTIMED_MS = 2_147_483_647
STATUS_IDS = {
    "created": 10,
    "started": 20,
    "aborted": 25,
    "mate": 30,
    "resign": 31,
    "stalemate": 32,
    "timeout": 33,
    "draw": 34,
    "outoftime": 35,
    "cheat": 36,
    "noStart": 37,
    "unknownFinish": 38,
    "insufficientMaterialClaim": 39,
    "variantEnd": 60,
}
VARIANTS = {
    "standard": ("Standard", "Std"),
    "chess960": ("Chess960", "960"),
    "fromPosition": ("From Position", "FEN"),
}
FIRST_MOVE_MS = 30_000
CLAIM_AFTER_MS = 30_000
OFFERS_AGAIN_AFTER = 20
"""Plies until the same player may offer a draw again."""


class Refused(Exception):
    """The server's reason for answering 400."""


@dataclass(frozen=True)
class Terms:
    """`seconds` and `increment`, or `days` a move, or neither. `fen`: where it starts if not as usual."""

    seconds: int | None = None
    increment: int = 0
    days: int | None = None
    rated: bool = False
    variant: str = "standard"
    fen: str | None = None

    @property
    def speed(self) -> str:
        if self.seconds is None:
            return "correspondence"
        forty_moves = self.seconds + 40 * self.increment
        bounds = ((30, "ultraBullet"), (180, "bullet"), (480, "blitz"), (1500, "rapid"))
        return next((name for below, name in bounds if forty_moves < below), "classical")

    @property
    def perf(self) -> str:
        return "chess960" if self.variant == "chess960" else self.speed

    def variant_json(self) -> Json:
        name, short = VARIANTS[self.variant]
        return {"key": self.variant, "name": name, "short": short}

    def start(self, dice: random.Random) -> chess.Board:
        """Raises Refused where there is no such position."""
        if self.variant == "chess960" and self.fen is None:
            return chess.Board.from_chess960_pos(dice.randrange(960))
        try:
            board = chess.Board(self.fen or chess.STARTING_FEN, chess960=self.variant != "standard")
        except ValueError as error:
            raise Refused(f"Invalid FEN: {error}") from error
        if not board.is_valid() or board.is_game_over():
            raise Refused("Invalid FEN")
        return board


@dataclass
class Account:
    """Somebody who has an account. `follows`: ids of others. `robot`: accepts everything and moves by itself."""

    id: str
    name: str
    rating: int = 1500
    title: str | None = None
    provisional: bool = False
    follows: list[str] = field(default_factory=list)
    robot: bool = False
    country: str = ""

    def challenge_json(self, online: bool) -> Json:
        told: Json = {"id": self.id, "name": self.name, "rating": self.rating}
        if self.title:
            told["title"] = self.title
        if self.provisional:
            told["provisional"] = True
        if online:
            told["online"] = True
        return told


@dataclass
class Seat:
    """Who has one colour: an account, or the computer (`level` without an account)."""

    account: Account | None = None
    level: int | None = None
    rating: int = 1500
    rating_change: int | None = None
    streams: int = 0
    """How many game streams this player has open: their presence hangs on it."""
    left_ms: int | None = None
    """When the last of them closed."""
    gone_since_ms: int | None = None
    offered_at: int = -OFFERS_AGAIN_AFTER

    @property
    def name(self) -> str:
        return self.account.name if self.account else f"Stockfish level {self.level}"

    def player_json(self, bare: bool) -> Json:
        """As in gameFull. `bare`: the computer as the server's source has it, without the id and name that the
        description requires."""
        if self.account is None:
            told: Json = {"aiLevel": self.level}
            return told if bare else told | {"id": "", "name": self.name, "title": None}
        told = {"id": self.account.id, "name": self.account.name, "title": self.account.title, "rating": self.rating}
        return told | ({"provisional": True} if self.account.provisional else {})

    def opponent_json(self) -> Json:
        """As in the events and in the list of games."""
        if self.account is None:
            return {"id": None, "username": self.name, "ai": self.level}
        told: Json = {"id": self.account.id, "username": self.account.name, "rating": self.rating}
        return told if self.rating_change is None else told | {"ratingDiff": self.rating_change}


@dataclass(frozen=True)
class Sent:
    """A move that a player has sent. `accepted`: it was made."""

    colour: chess.Color
    uci: str
    accepted: bool
    takebacks: int
    """Takebacks in this game before it."""


class Game:
    """One game. Every method that changes it takes the time; who is told of a change is not its affair."""

    def __init__(
        self, game_id: str, seats: Sequence[Seat], terms: Terms, source: str, now_ms: int, dice: random.Random
    ) -> None:
        self.id = game_id
        self.seats = {chess.WHITE: seats[0], chess.BLACK: seats[1]}
        self.terms = terms
        self.source = source
        self.board = terms.start(dice)
        self.initial_fen = "startpos" if terms.variant == "standard" else self.board.fen()
        self.created_ms = self.moved_ms = now_ms
        self.status = "started"
        self.winner: chess.Color | None = None
        self.draws: set[chess.Color] = set()
        self.takes_back: set[chess.Color] = set()
        self.chat: list[tuple[str, str]] = []
        self.arena = False  # paired by an arena that allows berserk
        self.king_takes_rook = terms.variant != "standard"
        self.expires = source == "lobby" and terms.seconds is not None
        self.sent: list[Sent] = []
        self.takebacks = 0
        initial = UNTIMED_MS
        if terms.seconds is not None:
            initial = terms.seconds * 1000
        elif terms.days is not None:
            initial = terms.days * DAY_MS
        self._left = {chess.WHITE: initial, chess.BLACK: initial}

    # --- What stands ---

    @property
    def over(self) -> bool:
        return self.status != "started"

    @property
    def ply(self) -> int:
        return len(self.board.move_stack)

    @property
    def abortable(self) -> bool:
        return not self.over and self.ply < 2

    @property
    def real_time(self) -> bool:
        return self.terms.seconds is not None

    def colour_of(self, account: Account) -> chess.Color | None:
        return next((colour for colour, seat in self.seats.items() if seat.account is account), None)

    def moves(self) -> list[str]:
        """In UCI, castling as it is told at present."""
        board = self.board.root()
        told = []
        for move in self.board.move_stack:
            told.append(board.uci(move, chess960=self.king_takes_rook))
            board.push(move)
        return told

    def left_ms(self, colour: chess.Color, now_ms: int) -> int:
        """On this player's clock."""
        left = self._left[colour]
        if self.over or colour != self.board.turn or left == UNTIMED_MS or (self.real_time and self.ply < 2):
            return left
        return max(0, left - (now_ms - self.moved_ms))

    def flags_in_ms(self, now_ms: int) -> int | None:
        """Until the flag of the player to move falls; None: it does not, as things stand."""
        if self.over or self._left[self.board.turn] == UNTIMED_MS or (self.real_time and self.ply < 2):
            return None
        return self.left_ms(self.board.turn, now_ms)

    def sent_twice(self) -> list[Sent]:
        """Moves that a player sent again after they had been made, with no takeback between.

        A player who has moved cannot move the same piece from the same square again without another move of theirs.
        """
        last: dict[chess.Color, Sent] = {}
        twice = []
        for one in self.sent:
            before = last.get(one.colour)
            if before and (before.uci, before.takebacks) == (one.uci, one.takebacks):
                twice.append(one)
            if one.accepted:
                last[one.colour] = one
        return twice

    # --- What happens ---

    def move(self, colour: chess.Color, uci: str, offers_draw: bool, now_ms: int) -> None:
        """Raises Refused."""
        self.sent.append(Sent(colour, uci, False, self.takebacks))
        if self.over or self.board.turn != colour:
            raise Refused("Not your turn, or game already over")
        try:
            move = self.board.parse_uci(uci)
        except ValueError as error:
            raise Refused(f"Invalid UCI or illegal move: {uci}") from error
        if not move:
            raise Refused(f"Invalid UCI: {uci}")
        if offers_draw:
            self._offer_draw(colour)
        left = self.left_ms(colour, now_ms)
        if self.real_time and self.ply >= 2:
            left += self.terms.increment * 1000
        elif self.terms.days is not None:
            left = self.terms.days * DAY_MS
        self._left[colour] = left
        self.board.push(move)
        self.moved_ms = now_ms
        self.sent[-1] = Sent(colour, uci, True, self.takebacks)
        self.draws.discard(not colour)
        self.takes_back.clear()
        self._end_by_the_laws(now_ms)

    def _end_by_the_laws(self, now_ms: int) -> None:
        board = self.board
        if board.is_checkmate():
            self.end("mate", not board.turn, now_ms)
        elif board.is_stalemate():
            self.end("stalemate", None, now_ms)
        elif board.is_insufficient_material() or board.is_fifty_moves() or board.is_fivefold_repetition():
            self.end("draw", None, now_ms)

    def end(self, status: str, winner: chess.Color | None, now_ms: int) -> None:
        self._left = {colour: self.left_ms(colour, now_ms) for colour in (chess.WHITE, chess.BLACK)}
        self.status, self.winner = status, winner
        self.draws.clear()
        self.takes_back.clear()

    def flag(self, now_ms: int) -> None:
        """The time of the player to move is up."""
        loser = self.board.turn
        can_mate = not self.board.has_insufficient_material(not loser)
        self.end("outoftime", (not loser) if can_mate else None, now_ms)

    def resign(self, colour: chess.Color, now_ms: int) -> None:
        self._must_be_on()
        if self.abortable:
            self.end("aborted", None, now_ms)
        else:
            self.end("resign", not colour, now_ms)

    def abort(self, now_ms: int) -> None:
        if not self.abortable:
            raise Refused("This game can no longer be aborted")
        self.end("aborted", None, now_ms)

    def draw(self, colour: chess.Color, yes: bool, now_ms: int) -> bool:
        """Offer, accept, claim a third repetition; decline or withdraw. Whether anything has changed."""
        if self.over:
            return False
        if not yes:
            changed = bool(self.draws)
            self.draws.clear()
            return changed
        if self.board.is_repetition(3) or (not colour) in self.draws:
            self.end("draw", None, now_ms)
            return True
        return self._offer_draw(colour)

    def _offer_draw(self, colour: chess.Color) -> bool:
        seat = self.seats[colour]
        other = self.seats[not colour]
        if self.ply < 2 or other.account is None or self.ply - seat.offered_at < OFFERS_AGAIN_AFTER:
            return False
        seat.offered_at = self.ply
        self.draws.add(colour)
        return True

    def takeback(self, colour: chess.Color, yes: bool, now_ms: int) -> bool:
        """Propose, accept; decline or withdraw. Whether anything has changed."""
        if self.over:
            return False
        if not yes:
            changed = bool(self.takes_back)
            self.takes_back.clear()
            return changed
        if self.ply < 2:
            return False
        if (not colour) in self.takes_back:
            self.rewind(1 if self.board.turn == colour else 2, now_ms)
        elif self.seats[not colour].account is None:
            self.rewind(2 if self.board.turn == colour else 1, now_ms)
        elif colour in self.takes_back:
            return False
        else:
            self.takes_back.add(colour)
        return True

    def rewind(self, plies: int, now_ms: int) -> None:
        """Take moves back; the clocks keep what they show."""
        turn = self.board.turn
        self._left[turn] = self.left_ms(turn, now_ms)
        for _ in range(min(plies, self.ply)):
            self.board.pop()
        self.takebacks += 1
        self.takes_back.clear()
        self.draws.clear()
        self.moved_ms = now_ms

    def rewrite(self, moves: Sequence[str], now_ms: int) -> None:
        """The game has had other moves than everybody thought."""
        self.rewind(self.ply, now_ms)
        for uci in moves:
            self.board.push_uci(uci)

    def give_time(self, colour: chess.Color, seconds: int, now_ms: int) -> None:
        """The opponent of this player has so much more. Raises Refused."""
        self._must_be_on()
        if not self.real_time:
            raise Refused("There is no clock")
        self._left = {one: self.left_ms(one, now_ms) + 1_000 * seconds * (one != colour) for one in self._left}
        self.moved_ms = now_ms

    def berserk(self, colour: chess.Color, now_ms: int) -> None:
        """This player goes on with half the time. Raises Refused."""
        self._must_be_on()
        if not self.arena or self.ply + (self.board.turn != colour) > 1:
            raise Refused("The berserk has failed")
        self._left = {one: self.left_ms(one, now_ms) // (2 if one == colour else 1) for one in self._left}

    def claim(self, colour: chess.Color, status: str, now_ms: int) -> None:
        """The game or a draw, when the other has been gone for long enough. Raises Refused."""
        self._must_be_on()
        wait = self.claim_in_ms(not colour, now_ms)
        if wait is None or wait > 0:
            raise Refused("The opponent has not left the game for long enough")
        self.end(status, colour if status == "timeout" else None, now_ms)

    def claim_in_ms(self, gone: chess.Color, now_ms: int) -> int | None:
        """Until the game can be claimed because this player is gone; None: they are here."""
        since = self.seats[gone].gone_since_ms
        return None if since is None else max(0, since + CLAIM_AFTER_MS - now_ms)

    def _must_be_on(self) -> None:
        if self.over:
            raise Refused("The game is already over")

    # --- How it looks ---

    def state_json(self, now_ms: int) -> Json:
        """A gameState line."""
        told: Json = {
            "type": "gameState",
            "moves": " ".join(self.moves()),
            "wtime": self.left_ms(chess.WHITE, now_ms),
            "btime": self.left_ms(chess.BLACK, now_ms),
            "winc": self.terms.increment * 1000 if self.real_time else 0,
            "binc": self.terms.increment * 1000 if self.real_time else 0,
            "status": self.status,
        }
        if self.winner is not None:
            told["winner"] = chess.COLOR_NAMES[self.winner]
        for name, colours in (("draw", self.draws), ("takeback", self.takes_back)):
            for colour in colours:
                told[chess.COLOR_NAMES[colour][0] + name] = True
        if self.expires and not self.over and self.ply < 2:
            told["expiration"] = {"idleMillis": now_ms - self.moved_ms, "millisToMove": FIRST_MOVE_MS}
        return told

    def full_json(self, now_ms: int, bare_computer: bool) -> Json:
        """A gameFull line."""
        terms = self.terms
        told: Json = {
            "type": "gameFull",
            "id": self.id,
            "variant": terms.variant_json(),
            "speed": terms.speed,
            "perf": {"name": terms.perf.capitalize()},
            "rated": terms.rated,
            "createdAt": self.created_ms,
            "white": self.seats[chess.WHITE].player_json(bare_computer),
            "black": self.seats[chess.BLACK].player_json(bare_computer),
            "initialFen": self.initial_fen,
            "state": self.state_json(now_ms),
        }
        if terms.seconds is not None:
            told["clock"] = {"initial": terms.seconds * 1000, "increment": terms.increment * 1000}
        if terms.days is not None:
            told["daysPerTurn"] = terms.days
        return told

    def info_json(self, colour: chess.Color, now_ms: int) -> Json:
        """What an event or the list of games says of it to one player."""
        me, other = self.seats[colour], self.seats[not colour]
        told: Json = {
            "fullId": f"{self.id}{chess.COLOR_NAMES[colour][:4]}",
            "gameId": self.id,
            "fen": self.board.fen(),
            "color": chess.COLOR_NAMES[colour],
            "lastMove": self.moves()[-1] if self.ply else "",
            "source": self.source,
            "status": {"id": STATUS_IDS[self.status], "name": self.status},
            "variant": self.terms.variant_json(),
            "speed": self.terms.speed,
            "perf": self.terms.perf,
            "rated": self.terms.rated,
            "hasMoved": self.ply > (0 if colour == self.board.root().turn else 1),
            "opponent": other.opponent_json(),
            "isMyTurn": not self.over and self.board.turn == colour,
        }
        if self._left[colour] != UNTIMED_MS:
            told["secondsLeft"] = self.left_ms(colour, now_ms) // 1000
        if self.winner is not None:
            told["winner"] = chess.COLOR_NAMES[self.winner]
        if me.rating_change is not None:
            told["ratingDiff"] = me.rating_change
        return told


def simple_move(board: chess.Board, level: int, dice: random.Random) -> chess.Move:
    """What the computer plays: by lot, and the more often the best capture, the higher its level is."""
    moves = sorted(board.legal_moves, key=lambda move: move.uci())
    if dice.random() * 8 >= level:
        return dice.choice(moves)

    def worth(move: chess.Move) -> int:
        taken = board.piece_type_at(move.to_square) if board.is_capture(move) else None
        board.push(move)
        mates = board.is_checkmate()
        board.pop()
        return 100 if mates else (taken or 0) + (move.promotion or 0)

    dice.shuffle(moves)
    return max(moves, key=worth)
