"""Which sentences of a game are spoken in a simultaneous display, and which the display replaces or rewords."""

from __future__ import annotations

from collections.abc import Mapping

from voicechess.messages import Duration, Slot, TimeLeft

SAID_ONCE = frozenset(
    {"start.three_words", "start.time", "start.you_begin", "start.two_players", "start.machine_begins"}
)
"""Sentences at a game's start that the display says once for all."""

GREETING = frozenset({"server.against", "server.rated"})
"""Sentences of a game at a server before its first state."""

NEVER_SAID = frozenset({"server.they_begin", "over.what_now", "help.over", "help.arbiter", "help.absent"})
"""Sentences that do not apply in a display, or that it rewords."""

TOLD_ANYWAY = frozenset(
    {"resume.going_on", "turn.side", "score.last", "draw.offered", "draw.offered_by", "pause.say_resume"}
)
"""Sentences of a resumed game that the display says when the giver arrives."""

TOLD_BY_DISPLAY = frozenset({"resume.going_on", "server.connecting"})
"""Sentences of a game at a server when it is entered, which the display says once for all."""

LINK = "server.link."
"""Prefix of sentences about the connection: of those waiting for the giver only the last one applies."""

INTO_REPETITION = frozenset({"elsewhere.display", "pause.not_paused"})
"""Replies of a game to commands that only a display has."""

AT_ONCE = frozenset({"clock.threshold", "clock.threshold_side"})
"""Announcements that interrupt the giver at any board; results do as well."""

_OTHERWISE: Mapping[str, str] = {"confirm.new_game": "simul.confirm_leave", "confirm.end": "simul.confirm_end"}
"""Confirmations of a game that apply to the whole display."""

ANSWERED = frozenset({"confirm.no", "confirm.silence"})
"""A game's replies when such a confirmation was answered."""


def otherwise(key: str, *, over: bool) -> str:
    """The sentence that replaces this one of a game; `over`: the whole display is over."""
    if key == "over.no_moves" and not over:
        return "simul.over_here"  # more is possible than a new game or the end
    return _OTHERWISE.get(key, key)


def fixed(slot: Slot) -> Slot:
    """Fix a time at its current value: when it is spoken, another board with other clocks may be current."""
    return Duration(slot.ms) if isinstance(slot, TimeLeft) else slot
