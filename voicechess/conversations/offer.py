"""A game offered with its terms: "Gegen die Maschine, mit Weiß, leicht, ohne Uhr: einverstanden?"

Terms named by the player are settled and read back; only the others are offered again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum

import chess

from voicechess.conversations.asking import minutes_in, number_in
from voicechess.game.agreement import GameSettings, Player
from voicechess.laws.time_controls import describe, parse_time
from voicechess.meaning import Command, Meaning
from voicechess.messages import Listing, Phrase, Side, Slot

LEVELS = range(1, 11)

EASY = 2
"""The level called "leicht", which is offered to a newcomer."""

HARDER = 2
"""Levels added by "schwerer"."""


class Term(Enum):
    """Terms of a game, in the order in which they are announced."""

    OPPONENT = "opponent"
    COLOUR = "colour"
    LEVEL = "level"
    TIME = "time"


TERM_OF: Mapping[str, Term] = {
    **dict.fromkeys(("machine", "person"), Term.OPPONENT),
    **dict.fromkeys(("colour", "random"), Term.COLOUR),
    **dict.fromkeys(("level", "harder", "easier"), Term.LEVEL),
    **dict.fromkeys(("minutes", "hours", "untimed"), Term.TIME),
}
"""Choice -> its term."""


@dataclass(frozen=True, slots=True)
class Offer:
    """An offered game. `named`: terms named by the player, which are no longer asked about. `colour`: the one named
    last, kept while a game between two people is offered."""

    settings: GameSettings
    named: frozenset[Term] = frozenset()
    colour: chess.Color | None = None

    @property
    def terms(self) -> tuple[Term, ...]:
        """The terms of this game; between two people neither colour nor level is one."""
        return (Term.OPPONENT, Term.TIME) if self.people else tuple(Term)

    @property
    def open(self) -> tuple[Term, ...]:
        """The terms that are still offered."""
        return tuple(term for term in self.terms if term not in self.named)

    @property
    def people(self) -> bool:
        """Whether both sides are played by people here."""
        return self.settings.white is self.settings.black is Player.VOICE

    def told(self, terms: Iterable[Term]) -> Listing:
        """These terms as an enumeration."""
        wanted = frozenset(terms)
        return Listing(tuple(self._term(term) for term in self.terms if term in wanted), "")

    def _term(self, term: Term) -> Phrase:
        settings = self.settings
        match term:
            case Term.OPPONENT:
                return Phrase(f"welcome.terms.{'person' if self.people else 'machine'}")
            case Term.COLOUR:
                return Phrase("welcome.terms.colour", {"side": Side(settings.white is Player.VOICE)})
            case Term.LEVEL:
                if settings.level == EASY:
                    return Phrase("welcome.terms.easy")
                return Phrase("welcome.terms.level", {"level": settings.level})
        return describe(parse_time(settings.time))

    def named_in(self, said: Command, before: Offer) -> frozenset[Term]:
        """The terms of this offer that are settled by what was said to the previous one."""
        own = {TERM_OF[part.name] for part in parts_of(said) if part.name in TERM_OF}
        if said.name == "random" and Term.COLOUR in before.named:
            own = set(before.open)
        return frozenset(own & self.named & set(self.terms))

    def with_terms(self, said: Command, coin: Callable[[], bool]) -> Offer | None:
        """The offer with the terms named; None if none of its terms was. `coin` decides "random"."""
        offer: Offer | None = self
        for one in parts_of(said):
            offer = offer._with(one, coin) if offer is not None else None
        return offer

    def _with(self, said: Command, coin: Callable[[], bool]) -> Offer | None:
        settings, level = self.settings, self.settings.level
        match said.name:
            case "machine" if self.people:
                colour = chess.WHITE if self.colour is None else self.colour
                return self._settled(Term.OPPONENT, with_colour(settings, colour))
            case "machine":
                return self._settled(Term.OPPONENT, settings)
            case "person":
                return self._settled(Term.OPPONENT, replace(settings, white=Player.VOICE, black=Player.VOICE))
            case "random" if Term.COLOUR in self.named:
                return replace(self, named=frozenset(Term))  # "egal": accepts the rest
            case name if self.people and TERM_OF.get(name) in (Term.COLOUR, Term.LEVEL):
                return self
            case "colour" | "random":
                white = coin() if said.name == "random" else bool(said.slot("colour"))
                return Offer(with_colour(settings, white), self.named | {Term.OPPONENT, Term.COLOUR}, white)
            case "level" | "harder" | "easier":
                steps = {"harder": HARDER, "easier": -1}.get(said.name, 0)
                wanted = level + steps if steps else number_in(said, "level")
                if wanted is None or (wanted not in LEVELS and not steps):
                    return None
                wanted = min(max(wanted, LEVELS[0]), LEVELS[-1])
                return self._settled(Term.LEVEL, replace(settings, level=wanted))
        time = time_said(said)
        return None if time is None else self._settled(Term.TIME, replace(settings, time=time))

    def _settled(self, term: Term, settings: GameSettings) -> Offer:
        return replace(self, settings=settings, named=self.named | {term})


def description(*games: GameSettings, short: bool = False) -> Phrase:
    """The settings of a game, or of all games of a display, in one sentence (`welcome.description.*`).

    `short`: for somebody who knows them.
    """
    settings, levels = games[0], {settings.level for settings in games}
    if settings.display:
        key = "simul" if len(levels) == 1 else "simul_levels"
        return Phrase(f"welcome.description.{key}", {"count": len(games), "level": settings.level})
    time = parse_time(settings.time)
    slots: dict[str, Slot] = {"time": describe(time)}
    if settings.correspondence is not None:
        return Phrase("welcome.description.post", {**slots, "side": Side(settings.correspondence.colour)})
    if settings.white is settings.black is Player.VOICE:
        return Phrase("welcome.description.person", slots)
    slots["side"] = Side(settings.white is Player.VOICE)
    slots["level"] = settings.level
    return Phrase("welcome.description.machine_short" if short else "welcome.description.machine", slots)


def parts_of(said: Command) -> tuple[Command, ...]:
    """The terms named at once, each as its choice; the kind of opponent first."""
    if said.name != "terms":
        return (said,)
    slots = dict(said.slots)
    parts = [Command(name) for name in ("machine", "person", "random") if name in slots]
    if "colour" in slots:
        parts.append(Command("colour", (("colour", slots["colour"]),)))
    if "level" in slots:
        parts.append(Command("level", (("number", slots["level"]),)))
    if "minutes" in slots:
        increment = (("number2", slots["increment"]),) if slots.get("increment") else ()
        parts.append(Command("minutes", (("number", slots["minutes"]), *increment)))
    elif "untimed" in slots:
        parts.append(Command("untimed"))
    return tuple(parts)


def time_said(meaning: Meaning) -> str | None:
    """The time control's notation for what was said: "5", "5+3", "" for none. None if it is no time control."""
    if isinstance(meaning, Command) and meaning.name == "untimed":
        return ""
    time = minutes_in(meaning)
    if time is None:
        return None
    minutes, increment = time
    return f"{minutes}+{increment}" if increment else str(minutes)


def with_colour(settings: GameSettings, colour: chess.Color) -> GameSettings:
    """A game against the computer with the player here having that colour."""
    white, black = (Player.VOICE, Player.ENGINE) if colour else (Player.ENGINE, Player.VOICE)
    return replace(settings, white=white, black=black)
