"""Where a command works that is not available here: every refusal says so.

Every command is either here or in the table of a game's commands (`commands`).
"""

from __future__ import annotations

from collections.abc import Mapping

PLACES: Mapping[str, str] = {
    **dict.fromkeys(("how_good", "next", "skip", "solution"), "exercise"),
    **dict.fromkeys(
        (
            "forward",
            "forward_moves",
            "back_moves",
            "goto",
            "beginning",
            "variation",
            "leave_variation",
            "to_game",
            "best_line",
            "best_move",
            "read_on",
            "keep_place",
            "to_place",
            "places",
            "strike_place",
            "next_game",
            "previous_game",
            "other_game",
            "game",
        ),
        "analysis",
    ),
    **dict.fromkeys(("played_here", "endgame_table"), "over"),
    **dict.fromkeys(("evaluation", "evaluation_exact", "comment", "strike_comment"), "analysis"),
    **dict.fromkeys(("arrow", "mark", "clear_marks"), "analysis"),
    **dict.fromkeys(("mistake", "practise", "analyse", "set_up", "find_games", "live", "rematch"), "over"),
    **dict.fromkeys(("calibrate", "settings", "simul"), "welcome"),
    **dict.fromkeys(("board", "next_board", "standings"), "display"),
    **dict.fromkeys(("abort", "berserk", "claim_victory", "quick_on", "quick_off", "chat_on", "chat_off"), "server"),
    **dict.fromkeys(("opponent", "give_time", "say_hello", "say_luck", "say_game", "say_thanks", "say_bye"), "server"),
    "say_text": "server",
    **dict.fromkeys(("line", "line_numeric", "line_german", "line_san", "leave"), "post"),
    "suppose": "ahead",
    **dict.fromkeys(("premove", "no_premove"), "server"),
    "ready": "ready",
    "handbook": "handbook",
}
"""Command -> where it works: an entry of [sentences.elsewhere]. All others work in a game."""


def place_of(name: str) -> str:
    """Key of the sentence that says where this command works."""
    return f"elsewhere.{PLACES.get(name, 'game')}"
