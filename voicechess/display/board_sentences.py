"""Which sentences of a game are said in a simultaneous display, which it says itself, and which in other words."""

from __future__ import annotations

from collections.abc import Mapping

from voicechess.messages import Duration, Slot, TimeLeft

SAID_ONCE = frozenset(
    {"start.three_words", "start.time", "start.you_begin", "start.two_players", "start.machine_begins"}
)
"""What a game says at its start, and the display says for all of them."""

GREETING = frozenset({"server.against", "server.rated"})
"""What a game at a server says of itself before it tells how it stands."""

NEVER_SAID = frozenset({"server.they_begin", "over.what_now", "help.over", "help.arbiter", "help.absent"})
"""What does not hold in a display, or is said by it in other words."""

TOLD_ANYWAY = frozenset(
    {"resume.going_on", "turn.side", "score.last", "draw.offered", "draw.offered_by", "pause.say_resume"}
)
"""What a game says when it goes on, and the display when the giver arrives."""

TOLD_BY_DISPLAY = frozenset({"resume.going_on", "server.connecting"})
"""What a game at a server says when it is entered, and the display for all of them."""

LINK = "server.link."
"""How sentences about the connection begin: of those that wait for the giver only the last one holds."""

INTO_REPETITION = frozenset({"elsewhere.display", "pause.not_paused"})
"""What a game says to a command that only a display has."""

AT_ONCE = frozenset({"clock.threshold", "clock.threshold_side"})
"""What the giver has to know of a board at once, wherever they are; and how a game there has ended."""

_OTHERWISE: Mapping[str, str] = {"confirm.new_game": "simul.confirm_leave", "confirm.end": "simul.confirm_end"}
"""Questions of a game that are about the whole display."""

ANSWERED = frozenset({"confirm.no", "confirm.silence"})
"""What a game says when such a question has been answered."""


def otherwise(key: str, *, over: bool) -> str:
    """The sentence that is said for this one of a game; `over`: the whole display is."""
    if key == "over.no_moves" and not over:
        return "simul.over_here"  # there is more to do than a new game or the end
    return _OTHERWISE.get(key, key)


def fixed(slot: Slot) -> Slot:
    """A time as it is now: when it is spoken, another board may be at hand, with other clocks."""
    return Duration(slot.ms) if isinstance(slot, TimeLeft) else slot
