"""Naming a friend to challenge: by number in the list, typed, as one word, or spelt.

A name that was only recognised is confirmed before anybody is challenged.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from voicechess.conversations.asking import number_in, ordinal_in
from voicechess.game import events as ev
from voicechess.game.effects import Effect, LobbyRequest
from voicechess.meaning import Command, Meaning
from voicechess.messages import Text
from voicechess.online.challenges import LONGEST_NAME
from voicechess.online.lobby import (
    ListFriends,
)
from voicechess.online.online_questions import OnlineQuestions, OnlineStep
from voicechess.online.online_wish import (
    Mode,
)

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{1,29}")


@dataclass
class OnlineNames(OnlineQuestions):
    """`_denied`: names rejected while spelling."""

    _denied: set[str] = field(default_factory=set)

    def _next_term(self, at_ms: int) -> tuple[Effect, ...]:
        """Ask for the next unknown term; then send the request."""
        raise NotImplementedError

    def _ask_server(self, request: LobbyRequest, at_ms: int) -> tuple[Effect, ...]:
        """Send a request and wait for the answer."""
        raise NotImplementedError

    def _friend_list(self, at_ms: int) -> tuple[Effect, ...]:
        self._spelled, self._denied, self._page = "", set(), 0
        if self._friends is None:
            return self._ask_server(ListFriends(), at_ms)
        return self._enter(OnlineStep.FRIEND, at_ms)

    def _friend_chosen(self, meaning: Meaning, name: str, event: ev.Heard) -> tuple[Effect, ...] | None:
        friends = self._friends or ()
        if name in ("next", "resume"):
            return self._turn_page(len(friends), event.at_ms)
        if name == "spell":
            return self._enter(OnlineStep.SPELLING, event.at_ms)
        number = number_in(meaning, "number") or ordinal_in(meaning)
        if number is not None:
            if 1 <= number <= len(friends):
                return self._name_chosen(friends[number - 1].name, event.at_ms)
            return None
        if event.source is ev.Source.KEYBOARD:
            return self._name_typed(event.words, event.at_ms)
        said = "".join(event.words.split()).lower()
        meant = next((friend.name for friend in friends if friend.name.lower() == said), None)
        return None if meant is None else self._mean(meant, event.at_ms)

    def _name_typed(self, text: str, at_ms: int) -> tuple[Effect, ...]:
        """A typed name, case kept, or the beginning of one friend's name."""
        name = text.strip().removeprefix("@")
        friends = [friend.name for friend in self._friends or ()]
        exact = [one for one in friends if one.lower() == name.lower()]
        begun = [one for one in friends if one.lower().startswith(name.lower())]
        if not exact and len(begun) == 1 and name:
            return self._mean(begun[0], at_ms)
        if not _NAME.fullmatch(name):
            return (self._say("lobby.no_name", name=Text(name[:LONGEST_NAME])), *self._ask_again())
        return self._name_chosen(exact[0] if exact else name, at_ms)

    def _mean(self, name: str, at_ms: int) -> tuple[Effect, ...]:
        self._meant = name
        return self._enter(OnlineStep.MEANT, at_ms)

    def _name_chosen(self, name: str, at_ms: int) -> tuple[Effect, ...]:
        self.wish = replace(self.wish, name=name, mode=Mode.CHALLENGE)
        return self._next_term(at_ms)

    def _letters_heard(self, meaning: Meaning, name: str, event: ev.Heard) -> tuple[Effect, ...] | None:
        at_ms = event.at_ms
        if name == "ready" and self._spelled:
            if not _NAME.fullmatch(self._spelled):
                return (self._say("lobby.no_name", name=Text(self._spelled)), *self._ask_again())
            self._meant = self._spelled
            return self._enter(OnlineStep.SPELLED, at_ms)
        if isinstance(meaning, Command) and name == "letters":
            self._misses = 0
            self._spelled = (self._spelled + "".join(str(letter) for _, letter in meaning.slots))[:LONGEST_NAME]
            begun = [one.name for one in self._friends or () if one.name.lower().startswith(self._spelled)]
            if len(begun) == 1 and begun[0] not in self._denied:
                return self._mean(begun[0], at_ms)
            return (self._say("lobby.letters", words=Text(event.words)),)
        if event.source is ev.Source.KEYBOARD:
            return self._name_typed(event.words, at_ms)
        return None
