"""The supported editions of the Laws of Chess as one table, and the rulings that follow from it.

Sources: FIDE Laws 2023 and 2009; of 1985 only two pages (everything else as in 2009). python-chess implements the moves
of the pieces; here are penalties, the categories of time controls, and the effect of a fallen flag.
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
_MOVES_OF_A_GAME = 60  # assumed for the category: base plus 60 times the increment (2023: A.1, B.1)


class Category(Enum):
    """Categories of play by the time allotted."""

    STANDARD = "standard"
    RAPID = "rapid"
    BLITZ = "blitz"


@dataclass(frozen=True, slots=True)
class IllegalMoveRule:
    """The penalty for a completed illegal move."""

    opponent_ms: int  # time added for the opponent
    loses_at: int | None  # number of the illegal move that loses the game, from 1; None: none does
    on_claim: bool = False  # applies only if the opponent claims it before moving


class UnnamedPromotion(Enum):
    """The rule for a pawn moved to the last rank when the clock is pressed without naming a piece."""

    ILLEGAL_QUEEN = "illegal_queen"  # an illegal move, and it becomes a queen
    ILLEGAL = "illegal"
    CLOCK_BACK = "clock_back"  # no illegal move: the player's clock is started again


@dataclass(frozen=True, slots=True)
class Rules:
    """One edition. A category missing in `illegal` or `wrong_claim_ms` is treated as `Category.STANDARD`."""

    edition: int
    illegal: Mapping[Category, IllegalMoveRule]
    wrong_claim_ms: Mapping[Category, int]  # time added for the opponent after an incorrect draw claim
    automatic_draws: bool  # fivefold repetition and 75 moves end the game without a claim (2023: 9.6)
    default_ms: int
    """Default time in milliseconds: a player arriving later than that after the start loses, unless the event specifies
    otherwise (2009: 6.6; 2023: 6.7.1)."""
    default_at_resumption_ms: int
    """The same for the resumption of an adjourned game (2009: Appendix G; 2023: Guidelines I.10, as at the start)."""
    resigning_needs_mate: bool  # resigning draws if the opponent cannot mate (5.1.2)
    draw_after_plies: int  # plies that must be played before a draw can be agreed (5.2.3)
    quickplay: frozenset[Category]
    """Categories with quickplay claims: the opponent cannot, or does not try to, win by normal means (2009: 10.2, not
    in blitz by B3; 2023: Guidelines III.2.2; 1985: none)."""
    quickplay_announced: bool  # only if announced beforehand (III.2.1) and without an increment (III.2.2)
    quickplay_offers: bool  # such a claim counts as a draw offer (2009: 9.1c)
    reversed_until: int | None
    """Moves of both sides before which a game begun with reversed colours is restarted (2023: 7.3); None: the arbiter
    decides (2009: 7.2)."""
    set_up_until: Mapping[Category, int]
    """Moves of both sides after which a wrong set-up or clock setting is no longer corrected (2009: A4, B; 2023:
    A.4.1)."""
    press_is_illegal: bool  # pressing the clock without a move is an illegal move (2023: 7.5.3)
    unnamed_promotion: UnnamedPromotion
    blitz_below_ms: int  # time for 60 moves below which play is blitz
    blitz_bound_is_blitz: bool  # whether exactly that time is blitz

    def illegal_rule(self, category: Category) -> IllegalMoveRule:
        """The rule for completed illegal moves in a category."""
        return self.illegal.get(category, self.illegal[Category.STANDARD])

    def claim_penalty_ms(self, category: Category) -> int:
        """Milliseconds added for the opponent after an incorrect draw claim."""
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
    """The category by base plus 60 times the bonus, of the side with more time; untimed play is standard."""
    if control.untimed:
        return Category.STANDARD
    total = max(_whole_ms(control.periods(colour)) for colour in chess.COLORS)
    if total < rules.blitz_below_ms or (total == rules.blitz_below_ms and rules.blitz_bound_is_blitz):
        return Category.BLITZ
    return Category.RAPID if total < 60 * MINUTE_MS else Category.STANDARD


def _whole_ms(periods: Sequence[Period]) -> int:
    """Milliseconds for a game of 60 moves: all bases, a repeating period as often as needed, and each move's bonus."""
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
    """The penalty for an offence."""

    opponent_ms: int = 0  # time added for the opponent
    ending: Ending | None = None  # set if the offence ends the game
    on_claim: bool = False  # applies only if the opponent claims it before moving


def illegal_move(rules: Rules, kind: Category, board: chess.Board, number: int) -> Penalty:
    """The penalty for the `number`-th (from 1) completed illegal move of the side to move on `board`.

    To be applied only in games with such penalties, and only to moves that were read back and confirmed: nobody is
    penalised for a recognition error.
    """
    rule = rules.illegal_rule(kind)
    offender = board.turn
    if rule.loses_at is not None and number >= rule.loses_at:
        return Penalty(ending=lost(Way.ILLEGAL_MOVES, offender, can_mate(board, not offender)), on_claim=rule.on_claim)
    return Penalty(opponent_ms=rule.opponent_ms, on_claim=rule.on_claim)


def fallen_flag(board: chess.Board, first: Sequence[chess.Color], last_period: bool) -> Ending | None:
    """The ending when flags are down; None: play continues.

    `first`: the side whose flag fell first, or both if that cannot be told (`Clock.flag`). Checkmate, stalemate and a
    dead position on `board` take precedence. Both flags: play continues, but in the last period the game is drawn. One
    flag: lost, or drawn if the opponent cannot mate by any series of legal moves.
    """
    over = finished(board)
    if over is not None or not first:
        return over
    if len(first) > 1:
        return Ending(Way.BOTH_FLAGS) if last_period else None
    loser = first[0]
    return lost(Way.TIME, loser, can_mate(board, not loser))


def resigned(board: chess.Board, loser: chess.Color, rules: Rules) -> Ending:
    """The ending when `loser` resigns on `board`: lost, or drawn if the edition requires that the winner can mate by
    some series of legal moves (2023: 5.1.2)."""
    return lost(Way.RESIGNATION, loser, not rules.resigning_needs_mate or can_mate(board, not loser))


def finished(board: chess.Board) -> Ending | None:
    """The ending by checkmate, stalemate or dead position, immediate in every edition; None otherwise."""
    if not any(board.generate_legal_moves()):
        return Ending(Way.CHECKMATE, not board.turn) if board.is_check() else Ending(Way.STALEMATE)
    return Ending(Way.DEAD_POSITION) if is_dead(board) else None


def after_move(board: chess.Board, rules: Rules) -> Ending | None:
    """The ending caused by the last move on `board` without a claim; None if play continues."""
    over = finished(board)
    if over is None and rules.automatic_draws:
        if board.is_fivefold_repetition():
            return Ending(Way.FIVEFOLD)
        if board.is_seventyfive_moves():
            return Ending(Way.SEVENTY_FIVE_MOVES)
    return over
