"""The laws that this program keeps, and what shows that it does.

Each `Rule` quotes a sentence (or a table's row) of the page of laws. `kept` and `broken` name dialogues in
tests/dialogues: the rule followed, and tried to be broken. Rules about formats and sums have `tests` as well. `only`
says why there is nothing to break.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Rule:
    """One rule: its section, its beginning, and its proof."""

    section: str
    quote: str
    kept: str = ""
    broken: str = ""
    tests: str = ""
    only: str = ""


EDITIONS, BLIND, CLOCK, SCORE = "Editions", "Playing with blind", "The clock", "The score"
DRAWS, ILLEGAL, RESULTS = "Draws", "Illegal moves", "Results"
FISCHER_RANDOM, ADJOURNMENT, KINDS = "Chess960", "Adjournment", "Kinds of play"
ADDED = "Added to the laws"

RULES = (
    # The table of editions.
    Rule(
        EDITIONS,
        "One table in code",
        "other_edition",
        "",
        "test_editions",
        "an edition that there is not: test_session",
    ),
    Rule(EDITIONS, "illegal move, completed", "touch_move_misheard", "penalty penalty_2009 penalty_1985"),
    Rule(
        EDITIONS,
        "illegal move, rapid/blitz",
        "penalty_rapid penalty_blitz_2009_no_mate",
        "penalty_blitz_2009 penalty_blitz_2009_machine penalty_blitz_2009_too_late",
    ),
    Rule(EDITIONS, "wrong draw claim", "claim_threefold", "claim_wrong claim_wrong_2009 claim_wrong_1985"),
    Rule(
        EDITIONS,
        "fivefold repetition, 75 moves",
        "fivefold seventy_five_moves",
        "no_automatic_draws_in_2009 no_automatic_draws_in_1985",
    ),
    Rule(EDITIONS, "the loser's flag or penalty", "flag_drawn flag_drawn_2009 penalty_no_mate", "flag_lost penalty"),
    Rule(EDITIONS, "castling: rook touched", "touch_rook_first", "touch_castling_forfeited", "test_touch"),
    Rule(EDITIONS, "castling announced, illegal", "touch_castling_no_king_move", "touch_castling", "test_touch"),
    Rule(
        EDITIONS,
        "pawn on the last rank, clock stopped",
        "promotion_unnamed",
        "promotion_unnamed_2023 promotion_unnamed_2009 promotion_unnamed_1985",
    ),
    # Playing blind: the numbered rules.
    Rule(BLIND, "1. Moves are announced clearly, **repeated by the opponent**", "tournament", "tournament_repetition"),
    Rule(BLIND, "At a promotion the chosen piece **must** be announced", "promotion", "promotion_unnamed_2009"),
    Rule(BLIND, "Files: Anna Bella Cesar", "opening_moves", "not_understood"),
    Rule(BLIND, "Ranks from White's side", "opening_moves", "half_heard"),
    Rule(BLIND, 'Castling: "lange Rochade"', "commands_legal_castling", "castling_which"),
    Rule(BLIND, "Pieces: König Dame", "typed", "refuse_pieces"),
    Rule(BLIND, "(German spellings", "spellings", "contradicting_words"),
    Rule(BLIND, "2. A move is completed when", "clock_two_people", "refuse_off_turn"),
    Rule(BLIND, "Only then is the opponent's clock started", "clock", "repetition_cut_short"),
    Rule(BLIND, "So a clock stops at the end of the spoken move", "move_said_in_time", "flag_lost"),
    Rule(BLIND, "3. A slip of the tongue must be corrected at once", "correction_in_time", "correction_too_late"),
    Rule(BLIND, "4. A special clock may announce the time", "clock_periods", "tournament_people"),
    Rule(BLIND, "5. The score is kept in Braille", "commands_moves", "", "test_braille test_pgn", "it is kept always"),
    Rule(BLIND, "6. If two boards", "retrace compare", "retrace_with_machine compare_same compare_tournament"),
    Rule(BLIND, "7. The assistant", "flag_of_machine two_people adjourned", "tournament_people claim_flag"),
    Rule(BLIND, "8. Touched = deliberately picked up", "touch_move", "touch_move_misheard"),
    Rule(BLIND, "In speech our convention is", "refuse_pieces touch_correction", "touch_move"),
    Rule(BLIND, '"j\'adoube" is accepted and answered', "touch_adjust", "touch_move touch_capture touch_foe"),
    # The clock.
    Rule(
        CLOCK,
        "Any number of periods",
        "clock clock_periods clock_bronstein clock_delay clock_hourglass clock_sides",
        "no_clock",
        "test_time_controls test_clock_at_random",
    ),
    Rule(CLOCK, "Time saved in a period carries over", "clock_periods", "clock_delay", "test_clock"),
    Rule(CLOCK, "The first side to run out loses", "flag_lost flag_of_machine flag_period", "flag_drawn"),
    Rule(
        CLOCK,
        "If both are down",
        "both_flags both_flags_periods",
        "both_flags_unequal both_flags_ruled both_flags_untimed",
    ),
    Rule(CLOCK, "Checkmate, stalemate and dead position", "mate_in_time stalemate_in_time", "flag_lost"),
    Rule(
        CLOCK,
        "The clock can be paused",
        "machine_gone suspend arbiter arbiter_clocks",
        "tournament arbiter_not_for_machines",
    ),
    Rule(CLOCK, "Rapid: more than 10", "claim_wrong penalty_rapid", "claim_wrong_standard", "test_editions"),
    # The score.
    Rule(SCORE, "Every move, both clock times", "draw_offer_declined", "", "test_pgn", "a score has no wrong way"),
    Rule(SCORE, "Output: PGN with %clk", "commands_moves", "", "test_pgn", "see the foreign files in test_pgn"),
    Rule(SCORE, '"long" spoken form', "commands_moves", "", "test_pgn", "it is only said"),
    Rule(SCORE, "Braille chess notation", "", "", "test_braille", "an output of the command line"),
    Rule(SCORE, "Under five minutes", "flag_lost", "", "test_pgn", "ours is kept always"),
    # Draws.
    Rule(
        DRAWS,
        "Agreement: offered after making the move",
        "draw_between_people draw_offer_accepted draw_offer_declined draw_offered_by_machine",
        "draw_offer_twice draw_accept_refused",
    ),
    Rule(
        DRAWS,
        "Claims by the player to move",
        "claim_threefold claim_fifty claim_threefold_with_move claim_by_machine",
        "claim_wrong",
    ),
    Rule(
        DRAWS,
        "A right claim ends the game at once",
        "claim_fifty claim_before_the_flag claim_clock_with_move",
        "claim_wrong claim_wrong_untimed claim_clock claim_not_meant_and_the_flag",
    ),
    Rule(DRAWS, "Dead position, stalemate: at once", "dead_position stalemate", "start_decided"),
    Rule(
        DRAWS,
        "Quickplay finish",
        "quickplay_person quickplay_engine quickplay_no_effort_person quickplay_no_effort_engine",
        "quickplay_person_refused quickplay_engine_refused quickplay_no_effort_refused quickplay_not_now "
        "quickplay_increment quickplay_period quickplay_untimed quickplay_no_verdict",
    ),
    # Illegal moves.
    Rule(ILLEGAL, "An announced illegal move is refused", "opening_moves", "refuse_pinned refuse_pawns"),
    Rule(ILLEGAL, "It is penalised only in games that say so", "claim_illegal_without_penalties", "claim_illegal"),
    Rule(ILLEGAL, "Wrong start position", "arbiter_void", "arbiter_void rapid_set_up_2009"),
    Rule(ILLEGAL, "A position that came about by mistake", "retrace take_back", "retrace_with_machine"),
    # Results.
    Rule(RESULTS, "1, ½, 0", "checkmate claim_fifty checkmated", "restart_after_the_end", "test_editions"),
    Rule(RESULTS, "Resignation ends the game", "resign machine_resigns", "resign_while_machine_thinks"),
    Rule(
        RESULTS,
        "Both can lose",
        "arbiter_both_lose arbiter_after_the_end",
        "adjourned_late_both arbiter_after_the_end_machine",
    ),
    # Chess960.
    Rule(
        FISCHER_RANDOM, "960 starting positions", "chess960 english_chess960", "", "test_chess960", "test_cli refuses"
    ),
    Rule(FISCHER_RANDOM, "Castling ends on the usual squares", "chess960_awkward", "king_move_or_castling"),
    # Adjournment.
    Rule(ADJOURNMENT, "The side to move announces", "adjourned adjourned_offer", "adjourned_not_on_move"),
    Rule(
        ADJOURNMENT, "Nobody can read it", "adjourned_machine adjourned_early", "adjourned_broken", "test_adjournment"
    ),
    Rule(ADJOURNMENT, "It may be changed until", "adjourned_changed", "adjourned", "test_adjournment"),
    Rule(
        ADJOURNMENT,
        "A sealed move that is ambiguous",
        "adjourned_no_mate",
        "adjourned_illegal adjourned_ambiguous",
        "test_adjournment",
    ),
    Rule(
        ADJOURNMENT,
        "At the resumption it is opened",
        "adjourned adjourned_machine adjourned_mate",
        "adjourned_flag adjourned_broken",
    ),
    Rule(
        ADJOURNMENT,
        "Coming more than an hour late loses",
        "adjourned_hour adjourned_late_nobody adjourned_late_clock adjourned_replier_missing adjourned_reply_sealed",
        "adjourned_late adjourned_late_machine adjourned_late_both adjourned_replier_never_comes "
        "adjourned_both_missing_2009",
    ),
    # Kinds of play. By network and by correspondence, and several boards at once, are not offered.
    Rule(KINDS, "Over the board", "two_people black_against_machine strict_blind", "", "", "nothing to break"),
    Rule(KINDS, "Sound on or off", "devices", "", "", "nothing to break"),
)

ADDED_RULES = (
    Rule(
        ADDED,
        "resignation when the winner cannot mate",
        "resign_no_mate resign_no_mate_machine",
        "resign_no_mate_2009 resign_no_mate_1985",
        "test_editions",
    ),
    Rule(
        ADDED,
        "draw by agreement",
        "draw_offer_at_once_2009 draw_offer_at_once_1985",
        "draw_offer_too_early draw_offer_at_once_machine draw_after draw_consent",
    ),
    Rule(
        ADDED,
        "a claim of threefold or fifty moves",
        "claim_is_an_offer_2023 claim_is_an_offer_2009 claim_is_an_offer_1985 claim_is_an_offer_machine "
        "claim_wrong_and_accepted quickplay_offer_machine_2009",
        "claim_instead_of_accepting",
    ),
    Rule(
        ADDED, "a piece touched as in touch-move", "claim_fifty", "claim_touched claim_touched_2009 claim_touched_1985"
    ),
    Rule(
        ADDED,
        "draw offer",
        "draw_offer_after_the_move adjourned_offer_at_the_opening draw_offer_against_offer draw_answer_by_name",
        "draw_offer_by_name draw_offer_before_the_move_met draw_answer_machine",
    ),
    Rule(
        ADDED,
        "resignation, flag claims",
        "resign_by_name resign_adjourned_by_name claim_flag flag_of_machine",
        "resign_not_the_machine",
    ),
    Rule(
        ADDED,
        "quickplay finish",
        "quickplay_person quickplay_no_effort_person quickplay_no_effort_engine",
        "quickplay_blitz quickplay_blitz_2009 quickplay_1985",
        "test_draws",
    ),
    Rule(
        ADDED,
        "opponent's judgement of a quickplay claim",
        "quickplay_arbiter_2009 quickplay_postponed quickplay_no_arbiter quickplay_no_arbiter_2023 claim_in_between",
        "quickplay_person_refused quickplay_postponed_lost quickplay_silence quickplay_1985",
    ),
    Rule(
        ADDED,
        "increments and quickplay finish",
        "quickplay_bonus_2009 quickplay_seconds quickplay_seconds_drawn quickplay_seconds_machine",
        "quickplay_increment quickplay_not_announced quickplay_seconds_refused quickplay_seconds_2009 quickplay_1985",
        "test_draws",
    ),
    Rule(
        ADDED,
        "colours reversed",
        "reversed_2023_late reversed_2009 reversed_1985",
        "reversed_2023",
    ),
    Rule(
        ADDED,
        "the clock pressed without a move",
        "pressed_without_penalties",
        "pressed_2023 pressed_2009 pressed_1985",
    ),
    Rule(
        ADDED,
        "draw offer and touched pieces",
        "draw_offer_accepted",
        "draw_offer_touched draw_offer_touched_2009 draw_offer_touched_1985",
    ),
    Rule(
        ADDED,
        "arriving late",
        "absent_2023_plays_on absent_2023_announced absent_2009_announced",
        "absent_2023 absent_2009 absent_1985 absent_2023_zero absent_machine",
    ),
    Rule(
        ADDED,
        "both missing at the start",
        "absent_both_announced",
        "absent_both_2023 absent_both_2009 absent_both_1985",
    ),
    Rule(
        ADDED,
        "default time at a resumption",
        "adjourned_default_named adjourned_hour adjourned_both_come adjourned_nothing_agreed",
        "adjourned_missing_2023 adjourned_late_2023 adjourned_both_missing_2009 adjourned_both_missing_1985",
    ),
)
"""Of the page of additions."""
