"""Draws (Laws, Art. 5, 9, and the quickplay finish): claims, offers and their exact life, and what each costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

import chess

from voicechess.laws.clock import Clock
from voicechess.laws.editions import Category, Rules, category
from voicechess.laws.results import Ending, Way
from voicechess.laws.time_controls import Bonus
from voicechess.messages import Failure


class Claim(Enum):
    """What the player to move may claim a draw by."""

    THREEFOLD = "threefold"
    FIFTY_MOVES = "fifty_moves"


_WAYS = {Claim.THREEFOLD: Way.THREEFOLD, Claim.FIFTY_MOVES: Way.FIFTY_MOVES}


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer to a claim."""

    ending: Ending | None = None  # set if the claim is right: the game is over
    opponent_ms: int = 0  # if it is wrong, what the opponent gets
    must_play: chess.Move | None = None  # if it is wrong, the move announced with it, which must be played

    @property
    def right(self) -> bool:
        """Whether the game is drawn."""
        return self.ending is not None


def claim(
    board: chess.Board,
    kind: Claim,
    rules: Rules,
    category: Category,
    intended: chess.Move | None = None,
) -> Verdict:
    """Decide the claim of the player to move, by the position on `board` or by the announced move `intended`.

    `board` must carry the game's moves, or repetitions cannot be counted; it is left as it was. Raises ValueError when
    `intended` is not legal (an illegal announcement is no claim yet).
    """
    if intended is not None:
        if not board.is_legal(intended):
            raise ValueError("the announced move is not legal")
        # Only what the move brings about counts then, not what stands on the board already.
        board.push(intended)
        right = _holds(board, kind)
        board.pop()
    else:
        right = _holds(board, kind)
    if right:
        return Verdict(Ending(_WAYS[kind]))
    return Verdict(opponent_ms=rules.claim_penalty_ms(category), must_play=intended)


def _holds(board: chess.Board, kind: Claim) -> bool:
    if kind is Claim.THREEFOLD:
        return board.is_repetition(3)
    # A move that mates at the hundredth ply ends the game before anything can be claimed.
    return board.halfmove_clock >= 100 and any(board.generate_legal_moves())


# Offers.


class OfferState(Enum):
    """Where an offer stands."""

    NONE = "none"
    WAITING = "waiting"  # offered by the player to move before moving: it stands once the move is made
    STANDING = "standing"


@dataclass(frozen=True, slots=True)
class DrawOffer:
    """The draw offer that stands, and its transitions (Laws, Art. 9.1). Each act gives the next value.

    An offer belongs between the move and the clock. Made by the player to move before moving, it waits for the move;
    made while the opponent thinks, it stands at once (disturbing, but valid). It cannot be withdrawn; it stands until
    accepted, refused in words, or refused by making a move.
    """

    state: OfferState = OfferState.NONE
    by: chess.Color | None = None
    proper: bool = True  # made by the player to move; False: while the opponent thinks

    def offer(self, by: chess.Color, to_move: chess.Color) -> DrawOffer:
        """`by` offers a draw while it is `to_move`'s turn. Raises `Failure` when an offer is there already."""
        if self.by == by:
            raise Failure("offer.already_offered")
        if self.by is not None:
            raise Failure("offer.answer_first")
        if by == to_move:
            return DrawOffer(OfferState.WAITING, by)
        return DrawOffer(OfferState.STANDING, by, proper=False)

    def offer_with_move(self, by: chess.Color) -> DrawOffer:
        """`by` has made a move and offers before the other clock runs; that move has refused the other's offer."""
        return DrawOffer(OfferState.STANDING, by)

    def moved(self, mover: chess.Color) -> DrawOffer:
        """`mover` has made a move: its own waiting offer stands now, the other's is refused."""
        if self.state is OfferState.WAITING and self.by == mover:
            return DrawOffer(OfferState.STANDING, mover)
        # A waiting offer's maker is to move, so it is never the other side that moves now.
        return self if self.by == mover else DrawOffer()

    def can_answer(self, who: chess.Color) -> bool:
        """Whether `who` is to accept or refuse now."""
        return self.state is OfferState.STANDING and self.by is (not who)

    def meets(self, who: chess.Color) -> bool:
        """Whether `who` may accept or refuse: also what still waits for its move, for an offer is valid at any time."""
        return self.by is (not who)

    def accept(self, who: chess.Color) -> Ending:
        """`who` accepts: the game is drawn. Raises `Failure` when there is nothing to accept."""
        self._answerable(who)
        return Ending(Way.AGREEMENT)

    def decline(self, who: chess.Color) -> DrawOffer:
        """`who` refuses in words. Raises `Failure` when there is nothing to refuse."""
        self._answerable(who)
        return DrawOffer()

    def withdraw(self) -> DrawOffer:
        """An offer cannot be taken back: always raises `Failure`."""
        raise Failure("offer.no_offer" if self.by is None else "offer.cannot_withdraw")

    def _answerable(self, who: chess.Color) -> None:
        if not self.meets(who):
            raise Failure("offer.own_offer" if self.by == who else "offer.no_offer")


# --- The quickplay finish ---

QUICKPLAY_LEFT_MS = 120_000
"""Milliseconds on the claimant's clock below which the claim can be made (2009: 10.2; 2023: Guidelines III)."""

QUICKPLAY_REFUSED_MS = 120_000
"""Milliseconds that the opponent gets for a claim that is refused."""

QUICKPLAY_BONUS_MS = 5_000
"""The increment that can be asked for in place of a claim, in milliseconds (2023: Guidelines III.4)."""

QUICKPLAY_PLIES = 40
"""Plies that the engine plays a claimed position out for. Larger: surer, longer."""

QUICKPLAY_ADVANTAGE = 150
"""Centipawns of advantage for the opponent, at any of those plies, up to which a claim is granted. Larger: more are."""

NO_EFFORT_PLIES = 20
"""Plies before the claim in which the opponent has to have made an effort. Larger: fewer claims are granted."""

NO_EFFORT_GAIN = 100
"""Centipawns that the opponent may have gained in those plies without it counting as an effort: a pawn, since an
engine's evaluations of one position differ by some tenths of one. Larger: more claims are granted."""


class Quickplay(Enum):
    """What was announced for a quickplay finish by the edition of 2023 (Guidelines III)."""

    OFF = "off"  # nothing, so there are no such claims (III.2.1)
    CLAIMS = "claims"  # the claims of III.5
    INCREMENT = "increment"  # five seconds a move on request (III.4), in place of the claims


class Decider(Enum):
    """Who is asked first about a quickplay claim."""

    OPPONENT = "opponent"
    ENGINE = "engine"


@dataclass(frozen=True, slots=True)
class QuickplayClaim:
    """A claim "cannot be won by normal means" or "makes no effort to win"."""

    decider: Decider | None  # who decides it; None: it cannot be made
    refusal: str | None = None  # why not, a key below [sentences.quickplay]


def quickplay(
    clock: Clock,
    claimant: chess.Color,
    to_move: chess.Color,
    at_ms: int,
    opponent_is_engine: bool,
    rules: Rules,
    announced: Quickplay = Quickplay.CLAIMS,
    wanted: Quickplay = Quickplay.CLAIMS,
) -> QuickplayClaim:
    """Whether `claimant` may claim now, or ask for an increment (`wanted`): by an edition and in a kind of play that
    have it, on move, in the last period, with less than two minutes; by 2023 if it was announced, and without any
    bonus."""
    left = clock.remaining(claimant, at_ms)
    if left is None:
        return QuickplayClaim(None, "untimed")
    if not rules.quickplay or (wanted is Quickplay.INCREMENT and not rules.quickplay_announced):
        return QuickplayClaim(None, "edition")
    if rules.quickplay_announced and announced is not wanted:
        return QuickplayClaim(None, "increment_instead" if announced is Quickplay.INCREMENT else "not_announced")
    if claimant != to_move:
        return QuickplayClaim(None, "not_on_move")
    if (
        rules.quickplay_announced
        and clock.control.period(claimant, clock.side(claimant).period).bonus is not Bonus.NONE
    ):
        return QuickplayClaim(None, "increment")
    if category(clock.control, rules) not in rules.quickplay:
        return QuickplayClaim(None, "blitz")
    if not clock.last_period(claimant):
        return QuickplayClaim(None, "not_last_period")
    if left >= QUICKPLAY_LEFT_MS:
        return QuickplayClaim(None, "too_much_time")
    if left == 0:
        return QuickplayClaim(None, "flag")
    return QuickplayClaim(Decider.ENGINE if opponent_is_engine else Decider.OPPONENT)


def quickplay_verdict(granted: bool, way: Way = Way.QUICKPLAY) -> Verdict:
    """What follows: a draw, or two minutes for the opponent and play goes on."""
    return Verdict(Ending(way)) if granted else Verdict(opponent_ms=QUICKPLAY_REFUSED_MS)


def engine_grants(scores: Sequence[int | None]) -> bool:
    """Whether the engine's own play shows that the opponent cannot win by normal means.

    `scores`: the opponent's advantage in centipawns after each of `QUICKPLAY_PLIES` plies played for both sides; None
    for a mate in sight for the opponent. Fewer scores mean that the game ended on the way without a win for it.
    """
    return all(score is not None and score <= QUICKPLAY_ADVANTAGE for score in scores)


def engine_finds_no_effort(board: chess.Board, claimant: chess.Color, scores: Sequence[int | None]) -> bool:
    """Whether the moves that led to `board` show that the claimant's opponent makes no effort to win.

    `scores`: the opponent's advantage in centipawns before each of the last `NO_EFFORT_PLIES` plies and now; None
    for a mate in sight for the opponent. In them it has taken nothing, moved no pawn and come no nearer to winning,
    neither in the second half of them nor now.
    """
    known = [score for score in scores if score is not None]
    if len(scores) <= NO_EFFORT_PLIES or len(known) < len(scores) or any(_tries(board, claimant)):
        return False
    half = len(known) // 2
    # The middle one of each half, since an engine pressed for time is sometimes far off.
    before, since = sorted(known[:half])[half // 2], sorted(known[half:])[half // 2]
    return max(since, known[-1]) <= before + NO_EFFORT_GAIN


def _tries(board: chess.Board, claimant: chess.Color) -> Iterator[bool]:
    """Of each of the opponent's last moves, the latest first, whether it took something or moved a pawn."""
    past = board.copy(stack=NO_EFFORT_PLIES)
    while past.move_stack:
        move = past.pop()
        if past.turn != claimant:
            yield past.is_zeroing(move)
