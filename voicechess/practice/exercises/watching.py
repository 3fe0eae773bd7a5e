"""Choosing a broadcast or a game in progress on a server, and following it."""

from __future__ import annotations

from typing import ClassVar

from voicechess.game import events as ev
from voicechess.game.effects import Announcer, Listen
from voicechess.messages import Listing, Phrase, Slot, Text
from voicechess.practice.effects import FindLive, FollowLive, LiveFound, LiveOffer, RequestFailed
from voicechess.practice.exercises.following import Following
from voicechess.practice.exercises.over_network import Effects, NetworkStep, OverNetwork


class Watching(OverNetwork):
    """Requests what can be followed, offers it, and follows the choice. `address`: the game wanted; "" asks.
    `answers`: see `PositionQueries`."""

    KEY: ClassVar[str] = "live"

    def __init__(self, speaker: Announcer, address: str = "", answers: str = "") -> None:
        super().__init__(speaker)
        self._wanted, self._answers = address, answers
        self._offers: tuple[LiveOffer, ...] = ()

    @property
    def _choices(self) -> int:
        return len(self._offers)

    def _begin(self, at_ms: int) -> Effects:
        said = self._fetch(at_ms)
        return (*said, FindLive(self._number, self._wanted), Listen(self.expectation))

    def _ask(self, *first: Phrase) -> Effects:
        self.step = NetworkStep.CHOOSING
        numbered = tuple(
            Phrase("practice.numbered", {"number": number, "exercise": _title(offer)})
            for number, offer in enumerate(self._offers, 1)
        )
        asked = Phrase("practice.live.what", {"games": Listing(numbered, "")})
        return (*self._speaker.say(*first, asked), Listen(self.expectation))

    def _take(self, number: int, at_ms: int) -> Effects:
        return self._follow(self._offers[number - 1].address, at_ms)

    def _follow(self, address: str, at_ms: int) -> Effects:
        said = self._fetch(at_ms)
        inner = self._give_floor(Following(self._number, self._speaker, self._answers), at_ms)
        return (*said, FollowLive(address, self._number), *inner, Listen(self.expectation))

    def _came(self, event: ev.Event) -> Effects | None:
        match event:
            case LiveFound(number=self._number, offers=offers):
                if self._wanted:
                    return self._follow(self._wanted, event.at_ms)
                self._offers = offers
                return self._ask() if offers else self._ended(Phrase("practice.live.none"))
            case RequestFailed(number=self._number, reason=reason):
                return self._ended(reason)
        return None


def _title(offer: LiveOffer) -> Slot:
    return Phrase("practice.live.player", {"name": Text(offer.title)}) if offer.player else Text(offer.title)
