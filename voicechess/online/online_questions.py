"""The questions before a game at a server, their sentences, and going back.

`online.online` handles the answers and sends the requests.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import ClassVar

from voicechess.conversations.asking import Conversation, Given
from voicechess.game.effects import Effect, LobbyRequest
from voicechess.meaning import QuestionKind
from voicechess.messages import Listing, Phrase, Slot, Text
from voicechess.online.challenges import agreed, duration, player
from voicechess.online.lobby import (
    COMPUTER_LEVELS,
    OnlineGame,
    OnlinePlayer,
)
from voicechess.online.online_wish import (
    OnlineWish,
    friend_told,
    how_many_wait,
    letters_of,
    standing,
    swapped,
)

AT_A_TIME = 4
"""Friends or games read out at a time. Larger: longer lists to listen to."""


class OnlineStep(Enum):
    """The open question, or what is being waited for."""

    ASKING = "asking"  # the server has not answered yet
    GAMES = "games"
    MENU = "menu"
    REMATCH = "rematch"
    FRIEND = "friend"
    SPELLING = "spelling"
    SPELLED = "spelled"
    MEANT = "meant"
    LEVEL = "level"
    TIME = "time"
    RATED = "rated"
    COLOUR = "colour"
    SEEKING = "seeking"
    CHALLENGING = "challenging"
    EXPIRED = "expired"
    RETRY = "retry"


WAITING = frozenset({OnlineStep.ASKING, OnlineStep.SEEKING, OnlineStep.CHALLENGING})
_QUESTIONS = {
    OnlineStep.GAMES: QuestionKind.NUMBER,
    OnlineStep.MENU: QuestionKind.ONLINE,
    OnlineStep.FRIEND: QuestionKind.FRIEND,
    OnlineStep.SPELLING: QuestionKind.SPELLING,
    OnlineStep.LEVEL: QuestionKind.LEVEL,
    OnlineStep.TIME: QuestionKind.ONLINE_TIME,
    OnlineStep.RATED: QuestionKind.RATED,
    OnlineStep.COLOUR: QuestionKind.COLOUR,
    **dict.fromkeys(WAITING, QuestionKind.WAITING),
    OnlineStep.SEEKING: QuestionKind.SEEKING,
}
PASSED = WAITING | {OnlineStep.EXPIRED, OnlineStep.RETRY, OnlineStep.MEANT, OnlineStep.SPELLED, OnlineStep.REMATCH}
"""Steps skipped by "zurück"."""


@dataclass
class OnlineQuestions(Conversation):
    """The open question and the answers so far."""

    REMEMBERED: ClassVar[tuple[str, ...]] = ("step", "wish", "_page")

    wish: OnlineWish = field(default_factory=OnlineWish)  # what is wanted so far
    rematch: OnlineGame | None = None  # the game before, of whose kind another one is offered
    step: OnlineStep = OnlineStep.ASKING
    games: tuple[OnlineGame, ...] = ()  # in progress
    _friends: tuple[OnlinePlayer, ...] | None = None  # None until the server has told them
    _page: int = 0
    _spelled: str = ""
    _meant: str = ""
    _request: LobbyRequest | None = None  # what was asked of the server last
    _ended_at: int | None = None  # when a seek ended without a game
    _waits_since: int = 0
    _told_at: int | None = None

    def _key(self, part: str = "") -> str:
        match self.step:
            case OnlineStep.GAMES if len(self.games) == 1:
                return f"lobby.{part}game"
            case OnlineStep.MENU if self.games and not part:
                return "lobby.menu_games"
            case OnlineStep.COLOUR:
                return f"welcome.{part}colour"
            case OnlineStep.FRIEND if not part and not self._friends:
                return "lobby.friend_none"
            case OnlineStep.FRIEND if not part and self._friends is not None and len(self._friends) == 1:
                return "lobby.friend_one"
            case OnlineStep.FRIEND | OnlineStep.GAMES if not part and self._page:
                return "lobby.page"
        return f"lobby.{part}{self.step.value}"

    @property
    def _question(self) -> QuestionKind:
        return _QUESTIONS.get(self.step, QuestionKind.YES_NO)

    def _slots(self) -> Mapping[str, Slot]:
        match self.step:
            case OnlineStep.GAMES if len(self.games) == 1:
                return {"game": standing(self.games[0])}
            case OnlineStep.GAMES:
                listed = self._numbered([standing(game) for game in self.games])
                if self._page:
                    return {"items": listed}
                return {"count": len(self.games), "waiting": how_many_wait(self.games), "items": listed}
            case OnlineStep.FRIEND if self._friends:
                listed = self._numbered([friend_told(friend) for friend in self._friends])
                counted: dict[str, Slot] = {"count": len(self._friends)}
                return {"items": listed} if self._page or len(self._friends) == 1 else {**counted, "items": listed}
            case OnlineStep.SPELLED:
                return {"letters": letters_of(self._spelled)}
            case OnlineStep.MEANT:
                return {"name": Text(self._meant)}
            case OnlineStep.SEEKING:
                return {"terms": agreed(self.wish.terms)}
            case OnlineStep.CHALLENGING:
                return {**self._who(), "terms": agreed(self.wish.terms)}
            case OnlineStep.REMATCH if self.rematch is not None:
                terms = swapped(self.rematch.terms)
                described = agreed(terms, self.rematch.opponent.level is not None)
                return {"player": player(self.rematch.opponent), "terms": described}
        return {}

    def _numbered(self, items: Sequence[Slot]) -> Listing:
        """The items of the current page, with their numbers."""
        first = self._page * AT_A_TIME
        page = items[first : first + AT_A_TIME]
        return Listing(
            tuple(Phrase("lobby.item", {"number": n, "item": item}) for n, item in enumerate(page, first + 1)), "groups"
        )

    def _enter(self, step: OnlineStep, at_ms: int) -> tuple[Effect, ...]:
        self.step = step
        self._waits_since, self._told_at = at_ms, None
        return self._ask_anew(at_ms)

    def _menu(self, at_ms: int) -> tuple[Effect, ...]:
        """Start over: all choices are dropped."""
        self._trail.clear()
        self.wish, self._request, self._ended_at = OnlineWish(), None, None
        self.step = OnlineStep.MENU
        return self._ask_anew(at_ms)

    def _turn_page(self, items: int, at_ms: int) -> tuple[Effect, ...]:
        """The next page of a list, after the last the first again."""
        self._page = (self._page + 1) % max(1, -(-items // AT_A_TIME))
        return self._ask_anew(at_ms)

    @property
    def _earlier(self) -> tuple[QuestionKind, ...]:
        """When a rematch is offered, other ways to play there are answers as well."""
        return (*super()._earlier, *((QuestionKind.ONLINE,) if self.step is OnlineStep.REMATCH else ()))

    def _worth_going_back_to(self, before: Mapping[str, object]) -> bool:
        return (
            super()._worth_going_back_to(before) and before["step"] not in PASSED and self.step is not OnlineStep.MENU
        )

    def _chosen_instead(self, given: Given) -> Phrase | None:
        wish = self.wish
        match given.before["step"]:
            case OnlineStep.MENU if wish.mode is not None:
                return Phrase(f"lobby.instead.{wish.mode.value}")
            case OnlineStep.LEVEL:
                return Phrase("welcome.instead.level", {"level": wish.level or COMPUTER_LEVELS[0]})
            case OnlineStep.TIME if wish.time is not None:
                return Phrase("lobby.instead.terms", {"terms": duration(wish.time)})
            case OnlineStep.RATED:
                return Phrase(
                    "lobby.instead.terms", {"terms": Phrase(f"lobby.terms.{'rated' if wish.rated else 'casual'}")}
                )
        return None

    def _who(self) -> dict[str, Slot]:
        return {"player": Text(self.wish.name)}
