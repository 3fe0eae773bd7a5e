"""Where a command goes that is not obeyed here: no refusal is without it.

Every command that can be said stands here or in the table of those of a game (`commands`).
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
        ),
        "analysis",
    ),
    **dict.fromkeys(("evaluation", "evaluation_exact", "comment", "strike_comment"), "analysis"),
    **dict.fromkeys(("mistake", "practise", "analyse", "set_up", "find_games", "live", "rematch"), "over"),
    **dict.fromkeys(("calibrate", "settings", "simul"), "welcome"),
    **dict.fromkeys(("board", "next_board", "standings"), "display"),
    **dict.fromkeys(("abort", "claim_victory", "quick_on", "quick_off", "chat_on", "chat_off"), "server"),
    **dict.fromkeys(("opponent", "give_time", "say_hello", "say_luck", "say_game", "say_thanks", "say_bye"), "server"),
    "say_text": "server",
    **dict.fromkeys(("line", "line_numeric", "line_german", "line_san", "leave"), "post"),
    "suppose": "ahead",
    **dict.fromkeys(("premove", "no_premove"), "server"),
    "ready": "ready",
    "handbook": "handbook",
}
"""Command -> where it goes: an entry of [sentences.elsewhere]. All others go in a game."""


def place_of(name: str) -> str:
    """The key of the sentence that says where the command of this name goes."""
    return f"elsewhere.{PLACES.get(name, 'game')}"
