"""The editions of the Laws of Chess that can be played by, as one table, and what follows from it.

Sources: FIDE Laws 2023 and 2009; of 1985 two pages (what they leave open is as in 2009). python-chess knows how the
pieces move; here stand penalties, the categories of time controls, and what a fallen flag means.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

import chess

from voicechess.laws.mating import can_mate, is_dead
from voicechess.laws.results import Ending, Way, lost
from voicechess.laws.time_controls import Bonus, Period, TimeControl

MINUTE_MS = 60_000
_MOVES_OF_A_GAME = 60  # that count for the kind of play: base plus 60 times the increment (2023: A.1, B.1)


class Category(Enum):
    """Kinds of play by their time."""

    STANDARD = "standard"
    RAPID = "rapid"
    BLITZ = "blitz"


@dataclass(frozen=True, slots=True)
class IllegalMoveRule:
    """What a completed illegal move costs."""

    opponent_ms: int  # what the opponent gets
    loses_at: int | None  # the number of the illegal move that loses the game; None: none does
    on_claim: bool = False  # only if the opponent claims it before moving


class UnnamedPromotion(Enum):
    """A pawn on the last rank, the clock stopped, no piece named."""

    ILLEGAL_QUEEN = "illegal_queen"  # an illegal move, and it becomes a queen
    ILLEGAL = "illegal"
    CLOCK_BACK = "clock_back"  # warned, or time taken off; the player's clock runs again


@dataclass(frozen=True, slots=True)
class Rules:
    """One edition. A category missing in `illegal` or `wrong_claim_ms` is as `Category.STANDARD`."""

    edition: int
    illegal: Mapping[Category, IllegalMoveRule]
    wrong_claim_ms: Mapping[Category, int]  # what the opponent gets for a wrong draw claim
    automatic_draws: bool  # fivefold repetition and 75 moves end the game at once
    default_ms: int
    """How late a player may come to the start before losing, unless the event says otherwise (2009: 6.6; 2023:
    6.7.1)."""
    default_at_resumption_ms: int
    """The same at the resumption of an adjourned game (2009: Appendix G; 2023: Guidelines I.10, as at the start)."""
    resigning_needs_mate: bool  # who resigns loses only to a side that can still mate (5.1.2)
    draw_after_plies: int  # plies before which no draw can be agreed (5.2.3)
    quickplay: frozenset[Category]
    """Where a player short of time may claim that the opponent cannot or does not try to win (2009: 10.2, not in blitz
    by B3; 2023: Guidelines III.2.2; 1985 knows no such claim)."""
    quickplay_announced: bool  # only if it was announced before (III.2.1), and not with an increment (III.2.2)
    quickplay_offers: bool  # such a claim is an offer of a draw (2009: 9.1c)
    reversed_until: int | None
    """With colours reversed the game starts again until both have made so many moves (2023: 7.3); None: the arbiter
    decides (2009: 7.2)."""
    set_up_until: Mapping[Category, int]
    """Moves of both after which set-up and clock stand as they are (2009: A4, B; 2023: A.4.1)."""
    press_is_illegal: bool  # pressing the clock without a move is an illegal move (2023: 7.5.3)
    unnamed_promotion: UnnamedPromotion
    blitz_below_ms: int  # milliseconds for 60 moves below which play is blitz
    blitz_bound_is_blitz: bool  # exactly that time is blitz as well

    def illegal_rule(self, category: Category) -> IllegalMoveRule:
        """The rule for completed illegal moves."""
        return self.illegal.get(category, self.illegal[Category.STANDARD])

    def claim_penalty_ms(self, category: Category) -> int:
        """What the opponent gets for a wrong draw claim."""
        return self.wrong_claim_ms.get(category, self.wrong_claim_ms[Category.STANDARD])


_NOT_BLITZ = frozenset({Category.STANDARD, Category.RAPID})

_RULES_2009 = Rules(
    edition=2009,
    illegal={
        Category.STANDARD: IllegalMoveRule(2 * MINUTE_MS, 3),
        Category.RAPID: IllegalMoveRule(2 * MINUTE_MS, 3, on_claim=True),  # A4 c
        Category.BLITZ: IllegalMoveRule(0, 1, on_claim=True),  # B3 c
    },
    wrong_claim_ms={Category.STANDARD: 3 * MINUTE_MS},
    automatic_draws=False,
    default_ms=0,
    default_at_resumption_ms=60 * MINUTE_MS,
    resigning_needs_mate=False,
    draw_after_plies=0,
    quickplay=_NOT_BLITZ,
    quickplay_announced=False,
    quickplay_offers=True,
    reversed_until=None,
    set_up_until={Category.RAPID: 3, Category.BLITZ: 3},
    press_is_illegal=False,
    unnamed_promotion=UnnamedPromotion.ILLEGAL,
    # "15 to 60": fifteen minutes are rapid play already.
    blitz_below_ms=15 * MINUTE_MS,
    blitz_bound_is_blitz=False,
)

EDITIONS: Mapping[int, Rules] = {
    2023: Rules(
        edition=2023,
        illegal={
            Category.STANDARD: IllegalMoveRule(2 * MINUTE_MS, 2),
            Category.RAPID: IllegalMoveRule(MINUTE_MS, 2),
            Category.BLITZ: IllegalMoveRule(MINUTE_MS, 2),
        },
        wrong_claim_ms={
            Category.STANDARD: 2 * MINUTE_MS,
            Category.RAPID: MINUTE_MS,
            Category.BLITZ: MINUTE_MS,
        },
        automatic_draws=True,
        default_ms=0,
        default_at_resumption_ms=0,
        resigning_needs_mate=True,
        draw_after_plies=2,
        quickplay=_NOT_BLITZ,
        quickplay_announced=True,
        quickplay_offers=False,
        reversed_until=10,
        set_up_until={Category.RAPID: 10, Category.BLITZ: 10},
        press_is_illegal=True,
        unnamed_promotion=UnnamedPromotion.ILLEGAL_QUEEN,
        blitz_below_ms=10 * MINUTE_MS,
        blitz_bound_is_blitz=True,
    ),
    2009: _RULES_2009,
    1985: replace(_RULES_2009, edition=1985, unnamed_promotion=UnnamedPromotion.CLOCK_BACK, quickplay=frozenset()),
}
DEFAULT_EDITION = 2023


def category(control: TimeControl, rules: Rules) -> Category:
    """Standard, rapid or blitz, by base plus 60 times the bonus of the side with more time; untimed is standard."""
    if control.untimed:
        return Category.STANDARD
    total = max(_whole_ms(control.periods(colour)) for colour in chess.COLORS)
    if total < rules.blitz_below_ms or (total == rules.blitz_below_ms and rules.blitz_bound_is_blitz):
        return Category.BLITZ
    return Category.RAPID if total < 60 * MINUTE_MS else Category.STANDARD


def _whole_ms(periods: Sequence[Period]) -> int:
    """The time of a game of 60 moves: all bases, a repeating period as often as needed, and every move's bonus."""
    total = sum(period.base_ms for period in periods)
    left = _MOVES_OF_A_GAME
    for index, period in enumerate(periods):
        moves = min(left, period.moves or left)
        if index == len(periods) - 1 and period.moves is not None:
            moves = left
            total += (max(0, left - 1) // period.moves) * period.base_ms
        if period.bonus is not Bonus.HOURGLASS:
            total += moves * period.bonus_ms
        left -= moves
    return total


@dataclass(frozen=True, slots=True)
class Penalty:
    """What an offence costs."""

    opponent_ms: int = 0  # what the opponent gets
    ending: Ending | None = None  # set if it ends the game
    on_claim: bool = False  # only if the opponent claims it instead of playing on


def illegal_move(rules: Rules, kind: Category, board: chess.Board, number: int) -> Penalty:
    """The penalty for the `number`-th (from 1) completed illegal move of the side to move on `board`.

    Penalise only in games that say so, and only what was read back and confirmed: a mishearing costs nobody anything.
    """
    rule = rules.illegal_rule(kind)
    offender = board.turn
    if rule.loses_at is not None and number >= rule.loses_at:
        return Penalty(ending=lost(Way.ILLEGAL_MOVES, offender, can_mate(board, not offender)), on_claim=rule.on_claim)
    return Penalty(opponent_ms=rule.opponent_ms, on_claim=rule.on_claim)


def fallen_flag(board: chess.Board, first: Sequence[chess.Color], last_period: bool) -> Ending | None:
    """What becomes of the game when flags are down; None: play on.

    `first` are the sides whose flag fell first: one, or both when nobody can say which (`Clock.flag`). Checkmate,
    stalemate and a dead position on `board` end the game before any flag. Both flags: play on, but in the last period
    the game is drawn. One flag: lost, or drawn when the opponent cannot mate by any series of legal moves.
    """
    over = finished(board)
    if over is not None or not first:
        return over
    if len(first) > 1:
        return Ending(Way.BOTH_FLAGS) if last_period else None
    loser = first[0]
    return lost(Way.TIME, loser, can_mate(board, not loser))


def resigned(board: chess.Board, loser: chess.Color, rules: Rules) -> Ending:
    """What `loser` resigning on `board` comes to: lost, or drawn by an edition in which the winner must be able to mate
    by some series of legal moves (2023: 5.1.2)."""
    return lost(Way.RESIGNATION, loser, not rules.resigning_needs_mate or can_mate(board, not loser))


def finished(board: chess.Board) -> Ending | None:
    """Checkmate, stalemate or dead position, which end a game at once in every edition; None otherwise."""
    if not any(board.generate_legal_moves()):
        return Ending(Way.CHECKMATE, not board.turn) if board.is_check() else Ending(Way.STALEMATE)
    return Ending(Way.DEAD_POSITION) if is_dead(board) else None


def after_move(board: chess.Board, rules: Rules) -> Ending | None:
    """The ending that the last move on `board` has brought about without anybody's claim, None while play goes on."""
    over = finished(board)
    if over is None and rules.automatic_draws:
        if board.is_fivefold_repetition():
            return Ending(Way.FIVEFOLD)
        if board.is_seventyfive_moves():
            return Ending(Way.SEVENTY_FIVE_MOVES)
    return over
