"""Communication between the players of a game on a server besides moves: the opponent's profile, chat lines, and time
given.

Each is requested once, and only failures are reported. It needs the connection; none of it affects the board.
"""

from __future__ import annotations

from collections.abc import Mapping

from voicechess.game.effects import GiveTime, LookUpOpponent, SendChat
from voicechess.game.events import ServerProfile, ServerRefused
from voicechess.game.phases import Phase
from voicechess.game.state import Table
from voicechess.meaning import Command
from voicechess.messages import Country, Duration, Listing, Phrase, Slot, Text
from voicechess.online.link import LONGEST_NAME, Link, harmless, link_of

FEWEST_SECONDS, MOST_SECONDS = 5, 60
"""Range of seconds that can be given at once at Lichess."""

USUAL_SECONDS = 15
"""Seconds given by default, as by Lichess' button."""

LONGEST_TEXT = 140
"""Most characters of a chat line at Lichess."""

LINES: Mapping[str, str] = {
    "say_hello": "Hello!",
    "say_luck": "Good luck!",
    "say_game": "Good game!",
    "say_thanks": "Thank you!",
    "say_bye": "Goodbye!",
}
"""Command -> its chat line, in English, which is understood everywhere."""

TITLES = frozenset({"gm", "wgm", "im", "wim", "fm", "wfm", "cm", "wcm", "nm", "wnm", "lm", "bot"})
"""Keys below [sentences.opponent.title]: the titles that Lichess has."""


# --- who the opponent is ----------------------------------------------------------------------------------------------


def opponent(table: Table, command: Command) -> None:
    """ "Wer ist mein Gegner": what the game knows, and the server's profile when it arrives."""
    link = link_of(table)
    white = table.speaker is False
    settings = table.settings
    name = harmless(settings.white_name if white else settings.black_name, LONGEST_NAME)
    rating = settings.white_rating if white else settings.black_rating
    if not name:
        table.say("opponent_is.nameless")
    elif rating is None:
        table.say("opponent_is.name", {"name": Text(name)})
    else:
        table.say("opponent_is.rated", {"name": Text(name), "rating": rating})
    if link.profile is not None:
        _tell(table, link.profile)
    elif not link.up:
        table.say("opponent_is.no_link")
    elif not any(isinstance(one, LookUpOpponent) for one in link.asides.values()):
        table.do(link.aside(LookUpOpponent()))


def known(table: Table, link: Link, event: ServerProfile) -> None:
    """The opponent's profile has arrived."""
    link.profile = event
    for number in [number for number, one in link.asides.items() if isinstance(one, LookUpOpponent)]:
        del link.asides[number]
    _tell(table, event)


def _tell(table: Table, profile: ServerProfile) -> None:
    parts: list[Slot] = []
    if profile.title.lower() in TITLES:
        parts.append(Phrase(f"opponent_is.title.{profile.title.lower()}"))
    if profile.country:
        parts.append(Country(profile.country))
    if parts:
        table.say("opponent_is.more", {"parts": Listing(tuple(parts), "")})
    if profile.games:
        mine, theirs = map(_points, profile.half_points)
        table.say("opponent_is.record", {"count": profile.games, "mine": mine, "theirs": theirs})
    elif profile.games == 0:
        table.say("opponent_is.first")
    elif not parts:
        table.say("opponent_is.nothing")


def _points(halves: int) -> Slot:
    """Points in words: "drei", "zweieinhalb"."""
    whole, half = divmod(halves, 2)
    if not half:
        return whole
    return Phrase("opponent_is.and_half", {"count": whole}) if whole else Phrase("opponent_is.half")


# --- time and lines ---------------------------------------------------------------------------------------------------


def give_time(table: Table, command: Command) -> None:
    """ "Fünfzehn Sekunden geben": adds to the opponent's clock."""
    number = command.slot("number")
    seconds = USUAL_SECONDS if number is None else int(number)
    if not table.timed:
        table.say("clock.no_clock")
    elif not FEWEST_SECONDS <= seconds <= MOST_SECONDS:
        table.say("server.give_how", {"fewest": FEWEST_SECONDS, "most": MOST_SECONDS})
    elif _asked(table, GiveTime(seconds)):
        table.say("server.given", {"duration": Duration(1_000 * seconds)})


def write(table: Table, command: Command) -> None:
    """Send a chat line: one of `LINES`, or the typed text."""
    link = link_of(table)
    fixed = LINES.get(command.name)
    text = harmless(str(command.slot("text") or ""), 2 * LONGEST_TEXT) if fixed is None else fixed
    if not text:
        table.say("server.write_what")
    elif len(text) > LONGEST_TEXT:
        table.say("server.write_less", {"count": LONGEST_TEXT})
    elif _asked(table, SendChat(text)):
        table.say("server.written", {"text": Text(text)})
        if not link.chat and table.base_phase is not Phase.OVER:  # a writer wants to hear the reply
            link.chat = True
            table.say("server.chat_on")


def _asked(table: Table, request: SendChat | GiveTime) -> bool:
    """Send a request, or say that there is no connection. Whether it was sent."""
    link = link_of(table)
    if not link.up:
        table.say("server.no_link")
        return False
    table.do(link.aside(request))
    return True


def refused(table: Table, link: Link, event: ServerRefused) -> None:
    """The server refuses it, or has not answered."""
    match link.asides.pop(event.request):
        case LookUpOpponent():
            table.say("opponent_is.unknown")
        case GiveTime():
            table.say("server.not_given")
        case SendChat():
            table.say("server.not_written")


def is_own(table: Table, name: str) -> bool:
    """Whether a line of the chat is the player's own."""
    settings = table.settings
    own = settings.white_name if table.speaker else settings.black_name
    return bool(own) and name.lower() == own.lower()
