"""Incoming challenges: announced at once, whatever conversation is in progress, and accepted or declined.

Also the descriptions of players, terms and games at a server.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Protocol

from voicechess.conversations.asking import MISSES, Conversation
from voicechess.game import events as ev
from voicechess.game.effects import Announcer, Effect, Listen, Say
from voicechess.laws.time_controls import describe
from voicechess.meaning import Answer, AnswerKind, Command, Expectation, Meaning, QuestionKind, Reading
from voicechess.messages import Listing, Phrase, Side, Slot, Text
from voicechess.online.lobby import (
    PLAYABLE,
    AcceptChallenge,
    CancelSeek,
    ChallengeArrived,
    ChallengeGone,
    DeclineChallenge,
    GameOpened,
    LobbyEvent,
    LobbyRefused,
    OnlineGame,
    OnlinePlayer,
    OnlineTerms,
    OnlineTime,
)

FIRST_NUMBER = 2_000_000
"""Utterances about challenges are numbered above this, so that they never clash with the interrupted conversation's."""

LONGEST_NAME = 40

# --- How it is described ---


def player(who: OnlinePlayer, rated: bool = True) -> Slot:
    """The player's name; `rated`: with the rating, if known."""
    if who.level is not None:
        return Phrase("lobby.player.computer", {"level": who.level})
    if not who.name:
        return Phrase("lobby.player.unknown")
    name = Text(f"{who.title} {who.name}".strip()[:LONGEST_NAME])
    if who.rating is None or not rated:
        return name
    return Phrase("lobby.player.rated", {"name": name, "rating": who.rating})


def duration(time: OnlineTime) -> Phrase:
    """The time control in words."""
    if time.days is not None:
        return Phrase("lobby.terms.days" if time.days != 1 else "lobby.terms.day", {"days": time.days})
    return describe(time.control)


def agreed(terms: OnlineTerms, against_computer: bool = False) -> Listing:
    """The terms in words; for the computer's games without "unrated"."""
    parts: list[Slot] = [duration(terms.time)]
    if not against_computer:
        parts.append(Phrase("lobby.terms.rated" if terms.rated else "lobby.terms.casual"))
    if terms.variant == "chess960":
        parts.append(Phrase("lobby.terms.chess960"))
    elif terms.variant == "fromPosition":
        parts.append(Phrase("lobby.terms.position"))
    elif terms.variant != "standard":
        parts.append(Text(terms.variant[:LONGEST_NAME]))
    if terms.colour is not None:
        parts.append(Phrase("lobby.terms.side", {"side": Side(terms.colour)}))
    if terms.ratings is not None:
        parts.append(Phrase("lobby.terms.ratings", {"low": terms.ratings[0], "high": terms.ratings[1]}))
    return Listing(tuple(parts), "")


# --- A challenge in the middle of another conversation ---


class Inner(Protocol):
    """The conversation in progress until a challenge arrives: the welcome, online play, an exercise."""

    @property
    def expectation(self) -> Expectation: ...
    def handle(self, event: ev.Event) -> tuple[Effect, ...]: ...


@dataclass
class Doorbell(Conversation):
    """Passes everything to `inner` until a challenge arrives, which is then asked about; afterwards `inner` repeats its
    question. Ends when an accepted game has opened (`game`), or with `inner`.

    An unanswered challenge stays open: "annehmen" still accepts it.
    """

    inner: Inner = field(kw_only=True)
    numbers: Iterator[int] = field(default_factory=count)
    """Numbers of requests, shared by all conversations of a program."""
    waiting: list[ChallengeArrived] = field(default_factory=list)  # challenges that arrived before this conversation
    game: OnlineGame | None = None
    _asked: ChallengeArrived | None = None
    _open_ones: list[ChallengeArrived] = field(default_factory=list)
    _accepted: dict[int, ChallengeArrived] = field(default_factory=dict)
    _held: list[ev.Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._announcer = Announcer(FIRST_NUMBER)

    @property
    def over(self) -> bool:
        """Whether a game has opened."""
        return self.game is not None

    @property
    def expectation(self) -> Expectation:
        """What can be said about the challenge, otherwise to the inner conversation."""
        return super().expectation if self.asking else self.inner.expectation

    @property
    def asking(self) -> bool:
        """Whether a challenge is being asked about."""
        return self._asked is not None

    @property
    def pending(self) -> list[ChallengeArrived]:
        """The challenges neither answered nor withdrawn."""
        asked = [] if self._asked is None else [self._asked]
        return [*asked, *self.waiting, *self._open_ones]

    def handle(self, event: ev.Event) -> tuple[Effect, ...]:
        """Handle one event, or pass it on."""
        match event:
            case ChallengeArrived():
                return self._arrived(event)
            case ChallengeGone() if any(one.id == event.id for one in self.pending):
                return self._gone(event)
            case GameOpened(game=game) if game.id in {one.id for one in self._accepted.values()}:
                self.game = game
                return (CancelSeek(number=next(self.numbers)),)  # an answer to it now would be a second game
            case LobbyRefused() if event.request in self._accepted:
                return self._refused(event)
            case ev.Started():
                return (*self._pass(event), *self._next(event.at_ms))
            case ev.Heard() if self._asked is None and self._accepts(event):
                return self._accept(self._open_ones.pop(), event.at_ms)
            case ev.Heard() | ev.Tick() if self._asked is not None:
                return super().handle(event)
            case ev.Spoken() if event.number > FIRST_NUMBER:
                return super().handle(event)
            case GameOpened():
                return self._pass(event)
            case _ if isinstance(event, LobbyEvent) and (self._asked is not None or self._accepted):
                self._held.append(event)  # two questions cannot be answered at once
                return ()
        return self._pass(event)

    def _pass(self, event: ev.Event) -> tuple[Effect, ...]:
        effects = self.inner.handle(event)
        if self._asked is None:
            return effects
        return tuple(effect for effect in effects if not isinstance(effect, Listen))

    # --- what arrives --------------------------------------------------------------------------------------------

    def _arrived(self, event: ChallengeArrived) -> tuple[Effect, ...]:
        if event.id in {one.id for one in self.pending}:
            return ()  # open ones are sent again whenever the stream is opened
        if event.terms.variant not in PLAYABLE:
            told = self._say("challenged.not_played", **self._described(event))
            return (told, DeclineChallenge(event.id, "standard", number=next(self.numbers)))
        self.waiting.append(event)
        return self._next(event.at_ms)

    def _gone(self, event: ChallengeGone) -> tuple[Effect, ...]:
        gone = next(one for one in self.pending if one.id == event.id)
        told = self._say("challenged.gone", player=player(gone.challenger))
        self.waiting = [one for one in self.waiting if one is not gone]
        self._open_ones = [one for one in self._open_ones if one is not gone]
        if self._asked is not gone:
            return (told,)
        return (told, *self._back(event.at_ms))

    def _refused(self, event: LobbyRefused) -> tuple[Effect, ...]:
        """It could not be accepted: it was just withdrawn, or the server is unreachable."""
        challenge = self._accepted.pop(event.request)
        key = "challenged.gone" if event.reason == "gone" else "challenged.not_accepted"
        return (self._say(key, player=player(challenge.challenger)), *self._back(event.at_ms))

    # --- asking --------------------------------------------------------------------------------------------------

    def _next(self, at_ms: int) -> tuple[Effect, ...]:
        """Ask about the next challenge, unless one is being asked about."""
        if self._asked is not None or not self.waiting:
            return ()
        self._asked = self.waiting.pop(0)
        return self._ask_anew(at_ms)

    def _back(self, at_ms: int) -> tuple[Effect, ...]:
        """Continue with the next challenge, or the previous question."""
        self._asked = None
        following = self._next(at_ms)
        if following:
            return following
        held, self._held = self._held, []
        told = tuple(effect for event in held for effect in self._pass(event))
        if any(isinstance(effect, Say) for effect in told):
            return (*told, Listen(self.expectation))
        again = Reading(Command("repeat"))
        heard = ev.Heard(at_ms=at_ms, readings=(again,), words="", began_ms=at_ms, ended_ms=at_ms)
        return (*told, Listen(self.expectation), *self._pass(heard))

    def _key(self, part: str = "") -> str:
        if part:
            return f"challenged.{part}question"
        rematch = self._asked is not None and self._asked.rematch_of
        return "challenged.rematch" if rematch else "challenged.question"

    @property
    def _question(self) -> QuestionKind:
        return QuestionKind.CHALLENGED

    def _slots(self) -> Mapping[str, Slot]:
        return {} if self._asked is None else self._described(self._asked)

    def _described(self, challenge: ChallengeArrived) -> dict[str, Slot]:
        return {"player": player(challenge.challenger), "terms": agreed(challenge.terms)}

    def _begin(self, at_ms: int) -> tuple[Effect, ...]:
        return self._next(at_ms)

    # --- answers -------------------------------------------------------------------------------------------------

    def _accepts(self, event: ev.Heard) -> bool:
        """Whether this accepts a challenge that was left open."""
        return bool(self._open_ones) and event.readings[0].meaning == Command("draw_accept")

    def _answer(self, meaning: Meaning, event: ev.Heard) -> tuple[Effect, ...] | None:
        challenge = self._asked
        if challenge is None:
            return None
        kind = meaning.kind if isinstance(meaning, Answer) else None
        name = meaning.name if isinstance(meaning, Command) else ""
        if kind is AnswerKind.YES or name == "draw_accept":
            return self._accept(challenge, event.at_ms)
        if kind is AnswerKind.NO or name in ("draw_decline", "later", "take_back"):
            why = "generic" if kind is AnswerKind.NO or name == "draw_decline" else "later"
            declined = DeclineChallenge(challenge.id, why, number=next(self.numbers))
            return (declined, self._say("challenged.declined"), *self._back(event.at_ms))
        return None

    def _accept(self, challenge: ChallengeArrived, at_ms: int) -> tuple[Effect, ...]:
        accepted = AcceptChallenge(challenge.id, number=next(self.numbers))
        self._accepted[accepted.number] = challenge
        self._asked = None
        return (accepted, self._say("challenged.accepted"), Listen(self.expectation))

    def _silence(self, at_ms: int) -> tuple[Effect, ...]:
        if self._misses < MISSES or self._asked is None:
            return super()._silence(at_ms)
        self._open_ones.append(self._asked)
        return (self._say("challenged.stays"), *self._back(at_ms))

    def _end(self) -> tuple[Effect, ...]:
        self._asked = None
        end = Reading(Command("end"))
        return self._pass(ev.Heard(at_ms=self._asked_at, readings=(end,), words="", began_ms=0, ended_ms=0))
