"""Draws (Laws, Art. 5 and 9, quickplay finish): claims, the life cycle of an offer, and the penalties."""

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
    """The grounds on which the player to move may claim a draw."""

    THREEFOLD = "threefold"
    FIFTY_MOVES = "fifty_moves"


_WAYS = {Claim.THREEFOLD: Way.THREEFOLD, Claim.FIFTY_MOVES: Way.FIFTY_MOVES}


@dataclass(frozen=True, slots=True)
class Verdict:
    """The decision on a claim."""

    ending: Ending | None = None  # set if the claim is correct: the game is drawn
    opponent_ms: int = 0  # if it is incorrect: time added for the opponent
    must_play: chess.Move | None = None  # if it is incorrect: the move announced with it, which must be played

    @property
    def right(self) -> bool:
        """Whether the claim is correct and the game drawn."""
        return self.ending is not None


def claim(
    board: chess.Board,
    kind: Claim,
    rules: Rules,
    category: Category,
    intended: chess.Move | None = None,
) -> Verdict:
    """Decide a claim of the player to move, on the position on `board` or the one after the announced move `intended`.

    `board` needs the game's move stack, or repetitions cannot be counted; it is left unchanged. Raises ValueError if
    `intended` is illegal: an illegal announcement is not yet a claim.
    """
    if intended is not None:
        if not board.is_legal(intended):
            raise ValueError("the announced move is not legal")
        # Only the position after the move counts then, not the one on the board.
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
    # A mating move on the hundredth ply ends the game before the claim.
    return board.halfmove_clock >= 100 and any(board.generate_legal_moves())


# Offers.


class OfferState(Enum):
    """The state of a draw offer."""

    NONE = "none"
    WAITING = "waiting"  # made by the player to move before moving: open once the move is made
    STANDING = "standing"  # open: the opponent can answer


@dataclass(frozen=True, slots=True)
class DrawOffer:
    """The current draw offer and its transitions (Laws, Art. 9.1). Immutable: each action returns the next value.

    The proper time is between the move and the press. An offer by the player to move before moving waits for the move;
    one made on the opponent's time is open at once (improper, but valid). It cannot be withdrawn; it is open until it
    is accepted, declined in words, or declined by a move.
    """

    state: OfferState = OfferState.NONE
    by: chess.Color | None = None
    proper: bool = True  # made by the player to move; False: on the opponent's time

    def offer(self, by: chess.Color, to_move: chess.Color) -> DrawOffer:
        """`by` offers a draw on `to_move`'s turn. Raises `Failure` if there is an offer already."""
        if self.by == by:
            raise Failure("offer.already_offered")
        if self.by is not None:
            raise Failure("offer.answer_first")
        if by == to_move:
            return DrawOffer(OfferState.WAITING, by)
        return DrawOffer(OfferState.STANDING, by, proper=False)

    def offer_with_move(self, by: chess.Color) -> DrawOffer:
        """`by` offers after its move and before the press; the move has declined an offer of the opponent's."""
        return DrawOffer(OfferState.STANDING, by)

    def moved(self, mover: chess.Color) -> DrawOffer:
        """The offer after a move of `mover`: its own waiting offer is open now, the opponent's is declined."""
        if self.state is OfferState.WAITING and self.by == mover:
            return DrawOffer(OfferState.STANDING, mover)
        # Whoever made a waiting offer is to move, so `mover` is never the opponent then.
        return self if self.by == mover else DrawOffer()

    def can_answer(self, who: chess.Color) -> bool:
        """Whether an open offer awaits the answer of `who`."""
        return self.state is OfferState.STANDING and self.by is (not who)

    def meets(self, who: chess.Color) -> bool:
        """Whether `who` may accept or decline: an offer that still waits for its move is valid too."""
        return self.by is (not who)

    def accept(self, who: chess.Color) -> Ending:
        """`who` accepts, which draws the game. Raises `Failure` if there is no offer to `who`."""
        self._answerable(who)
        return Ending(Way.AGREEMENT)

    def decline(self, who: chess.Color) -> DrawOffer:
        """`who` declines in words. Raises `Failure` if there is no offer to `who`."""
        self._answerable(who)
        return DrawOffer()

    def withdraw(self) -> DrawOffer:
        """Always raises `Failure`: an offer cannot be withdrawn, or there is none."""
        raise Failure("offer.no_offer" if self.by is None else "offer.cannot_withdraw")

    def _answerable(self, who: chess.Color) -> None:
        if not self.meets(who):
            raise Failure("offer.own_offer" if self.by == who else "offer.no_offer")


# --- The quickplay finish ---

QUICKPLAY_LEFT_MS = 120_000
"""Remaining time of the claimant in milliseconds below which a claim is possible (2009: 10.2; 2023: Guidelines III)."""

QUICKPLAY_REFUSED_MS = 120_000
"""Milliseconds added for the opponent after a rejected claim."""

QUICKPLAY_BONUS_MS = 5_000
"""The increment in milliseconds that can be requested instead of a claim (2023: Guidelines III.4)."""

QUICKPLAY_PLIES = 40
"""Plies for which the engine plays out a claimed position. Larger: more reliable, slower."""

QUICKPLAY_ADVANTAGE = 150
"""The opponent's largest advantage in centipawns, over those plies, with which a claim is granted. Larger: more are."""

NO_EFFORT_PLIES = 20
"""Plies before the claim that are searched for an effort of the opponent's. Larger: fewer claims are granted."""

NO_EFFORT_GAIN = 100
"""Centipawns that the opponent may gain in those plies before it counts as an effort: a pawn, since an engine's
evaluations of one position vary by some tenths of a pawn. Larger: more claims are granted."""


class Quickplay(Enum):
    """What the event announced for a quickplay finish by the Laws of 2023 (Guidelines III)."""

    OFF = "off"  # nothing: no claims (III.2.1)
    CLAIMS = "claims"  # the claims of III.5
    INCREMENT = "increment"  # five seconds a move on request (III.4) instead of claims


class Decider(Enum):
    """Who decides a quickplay claim."""

    OPPONENT = "opponent"
    ENGINE = "engine"


@dataclass(frozen=True, slots=True)
class QuickplayClaim:
    """Whether the claim "cannot win by normal means" or "makes no effort to win" is possible, and who decides it."""

    decider: Decider | None  # None: the claim is not possible
    refusal: str | None = None  # the reason, a key in [sentences.quickplay]


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
    """Whether `claimant` may claim at `at_ms`, or request an increment, as `wanted` says.

    Conditions: edition and category have the rule, the claimant is on move, in the last period, with less than two
    minutes left; by the Laws of 2023 also that the event announced it and the period has no increment or delay.
    """
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
    """The verdict: a draw by `way`, or two minutes for the opponent and play continues."""
    return Verdict(Ending(way)) if granted else Verdict(opponent_ms=QUICKPLAY_REFUSED_MS)


def engine_grants(scores: Sequence[int | None]) -> bool:
    """Whether the engine's continuation shows that the opponent cannot win by normal means.

    `scores`: the opponent's advantage in centipawns after each of `QUICKPLAY_PLIES` plies played for both sides; None:
    the opponent has a forced mate. Fewer scores: the game ended earlier without a win for the opponent.
    """
    return all(score is not None and score <= QUICKPLAY_ADVANTAGE for score in scores)


def engine_finds_no_effort(board: chess.Board, claimant: chess.Color, scores: Sequence[int | None]) -> bool:
    """Whether the moves leading to `board` show that the claimant's opponent makes no effort to win.

    `scores`: the opponent's advantage in centipawns before each of the last `NO_EFFORT_PLIES` plies and now; None: the
    opponent has a forced mate. True if the opponent neither captured nor moved a pawn in those plies and its advantage
    has not grown by more than `NO_EFFORT_GAIN`, neither in their second half nor now.
    """
    known = [score for score in scores if score is not None]
    if len(scores) <= NO_EFFORT_PLIES or len(known) < len(scores) or any(_tries(board, claimant)):
        return False
    half = len(known) // 2
    # The median of each half, since an engine short of time is sometimes far off.
    before, since = sorted(known[:half])[half // 2], sorted(known[half:])[half // 2]
    return max(since, known[-1]) <= before + NO_EFFORT_GAIN


def _tries(board: chess.Board, claimant: chess.Color) -> Iterator[bool]:
    """For each of the opponent's last moves, latest first: whether it was a capture or a pawn move."""
    past = board.copy(stack=NO_EFFORT_PLIES)
    while past.move_stack:
        move = past.pop()
        if past.turn != claimant:
            yield past.is_zeroing(move)
