"""A search for one's own games by opponent, result, day, opening or position, and the analysis of one of them.

The games' metadata is loaded once (`SearchGames`); queries are then answered from it, and each further condition
narrows the result. Only a position is searched for in the games themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from enum import Enum

import chess

from voicechess.game import events as ev
from voicechess.game.commands import told_elsewhere
from voicechess.game.effects import VOICE_CHANGES, Announcer, Hush, Listen, Sound
from voicechess.game.sight import Scene
from voicechess.language.thresholds import contenders
from voicechess.meaning import Command, Expectation, QuestionKind, Unclear, UnclearReason
from voicechess.messages import Failure, Listing, Phrase, Slot, Text, Tone
from voicechess.practice.answers import expected
from voicechess.practice.effects import (
    GamesFound,
    PracticeEffect,
    RequestFailed,
    SearchedSoFar,
    SearchGames,
    StopSearching,
)
from voicechess.practice.found_sentences import found_told, game_told, month_told, none_told
from voicechess.practice.menu import Exercise, scene_of
from voicechess.score import known_games
from voicechess.score.known_games import GameQuery, KnownGame, OwnResult
from voicechess.score.openings import opening_of

Effects = tuple[PracticeEffect, ...]

OWN = frozenset({"find_games", "draw_offer", "next", "take_back", "repeat", "help", "stop", "end", "practise"})
CONTROLS = OWN | frozenset(VOICE_CHANGES)

FIRST_TOLD = 3
"""Games listed at first; "nächste" tells one more each time. Larger: a longer list to listen to."""

MOST_OFFERED = 9
"""Opponents, openings or months offered at most. Larger: a longer list to listen to."""

PATIENCE_MS = 5_000
"""Interval in milliseconds of progress reports of the search. Larger: rarer."""

HERE_POSITION, HERE_OPENING = 1, 2
"""The values of the slot {here}."""


class FindingStep(Enum):
    """The state of the search."""

    LOADING = "loading"  # waiting for all games
    LOOKING = "looking"  # waiting for the games with a position
    FOUND = "found"
    OPEN = "open"  # the analysis of a game has the floor
    DONE = "done"


class Finding:
    """The conversation.

    first: the command that began it.
    opened: begins the analysis of a game; raises `Failure`.
    board: the position meant by "diese Stellung", with its move stack; None: there is none.
    """

    def __init__(
        self,
        first: Command,
        opened: Callable[[KnownGame], Exercise],
        speaker: Announcer,
        today: date,
        board: chess.Board | None = None,
    ) -> None:
        self.step = FindingStep.LOADING
        self._first, self._opened, self._speaker, self._today, self._board = first, opened, speaker, today, board
        self._query = GameQuery()
        self._opening: Slot | None = None  # full name of the opening asked for, if it was chosen from a list
        self._games: tuple[KnownGame, ...] = ()  # all
        self._hits: tuple[KnownGame, ...] = ()  # matching the query
        self._holding: Mapping[str, tuple[KnownGame, ...]] = {}  # EPD -> games in which it occurred
        self._offered: tuple[GameQuery, ...] = ()  # options chosen by number; (): numbers choose a game
        self._names: tuple[Slot | None, ...] = ()  # full names of openings, parallel to `_offered`
        self._at = 0  # index of the hit told last, or of the first of several
        self._next = 0  # index of the hit that "nächste" tells
        self._number = 0  # of the open request
        self._percent = 0
        self._helped = 0  # parts of the help told in a row
        self._since_ms = 0
        self._inner: Exercise | None = None

    @property
    def expectation(self) -> Expectation:
        """Conditions and numbers; only commands to cancel during the search."""
        if self._inner is not None:
            return self._inner.expectation
        return expected(CONTROLS, QuestionKind.FOUND if self.step is FindingStep.FOUND else QuestionKind.WAITING)

    @property
    def over(self) -> bool:
        """Whether it has ended and said so."""
        return self.step is FindingStep.DONE

    @property
    def busy(self) -> bool:
        """Whether a search is in progress."""
        if self._inner is not None:
            return self._inner.busy
        return self.step in (FindingStep.LOADING, FindingStep.LOOKING)

    @property
    def scene(self) -> Scene | None:
        """What spectators see of the analysis."""
        return scene_of(self._inner)

    def handle(self, event: ev.Event) -> Effects:
        """Handle an event. Never raises."""
        if self._inner is not None:
            return self._passed_on(self._inner, event)
        match event:
            case ev.Started():
                said = self._say(Phrase("practice.find.searching"))
                self._wait(FindingStep.LOADING, event.at_ms)
                return (*said, SearchGames(self._number), Listen(self.expectation))
            case ev.Tick(at_ms=now) if self.busy and now - self._since_ms >= PATIENCE_MS:
                self._since_ms = now
                return self._say(Phrase("practice.find.waiting", {"percent": self._percent}))
            case SearchedSoFar(number=self._number, percent=percent) if self.busy:
                self._percent = percent
            case RequestFailed(number=self._number, reason=reason) if self.busy:
                return self._ended(reason)
            case GamesFound(number=self._number) if self.busy:
                return (*self._came(event), *(() if self.over or self.busy else (Listen(self.expectation),)))
            case ev.Heard() if event.readings and not self.over:
                done = self._heard(event)
                return done if self.over or self._inner is not None else (*done, Listen(self.expectation))
        return ()

    def leave(self) -> Effects:
        """Cancel the search; the effects needed before the analysis is abandoned."""
        return (StopSearching(), *(() if self._inner is None else self._inner.leave()))

    def _say(self, *phrases: Phrase) -> Effects:
        return self._speaker.say(*phrases)

    def _wait(self, step: FindingStep, at_ms: int) -> None:
        """Enter a step of waiting; the request gets the number of the last utterance."""
        self.step, self._since_ms, self._percent = step, at_ms, 0
        self._number = self._speaker.last_number

    def _ended(self, *told: Phrase) -> Effects:
        self.step = FindingStep.DONE
        return (StopSearching(), Hush(), *self._say(*told))

    def _passed_on(self, inner: Exercise, event: ev.Event) -> Effects:
        """Pass an event to the analysis; when that ends, return to the list."""
        done = inner.handle(event)
        if not inner.over:
            return done
        self._inner, self.step = None, FindingStep.FOUND
        return (*done, *self._say(Phrase("practice.find.back")), *self._tell(self._at), Listen(self.expectation))

    # --- results -------------------------------------------------------------------------------------------------

    def _came(self, event: GamesFound) -> Effects:
        if self.step is FindingStep.LOOKING:
            self._holding = {**self._holding, self._query.position: event.games}
            return self._answer(event.at_ms)
        self._games = event.games
        if not self._games:
            return self._ended(*event.told, Phrase("practice.find.no_games"))
        told = self._say(*event.told) if event.told else ()
        return (*told, *self._ask(GameQuery(), self._first, event.at_ms))

    def _ask(self, query: GameQuery, command: Command, at_ms: int) -> Effects:
        """Refine `query` by a command and answer it."""
        query = known_games.narrowed(query, command, self._today)
        here = command.slot("here")
        if command.slot("opening"):
            self._opening = None
        if here is not None and self._board is None:
            self._query = query
            return (*self._say(Phrase("practice.find.nothing_here")), *self._answer(at_ms))
        if here == HERE_POSITION and self._board is not None:
            query = replace(query, position=self._board.epd())
        if here == HERE_OPENING and self._board is not None:
            found = opening_of(self._board)
            if found is None:
                self._query = query
                return (*self._say(Phrase("practice.find.no_opening_here")), *self._answer(at_ms))
            self._opening = known_games.family(found.spoken)
            query = replace(query, opening=known_games.family(found.spoken).by_language["en"])
        self._query = query
        return self._answer(at_ms)

    def _answer(self, at_ms: int) -> Effects:
        """Tell the number of matching games and the first ones, or why there is none."""
        query = self._query
        self.step, self._offered = FindingStep.FOUND, ()
        hits = tuple(game for game in self._games if query.fits(game))
        if query.position and hits:
            if query.position not in self._holding:
                said = self._say(Phrase("practice.find.looking", {"count": len(self._games)}))
                self._wait(FindingStep.LOOKING, at_ms)
                return (*said, SearchGames(self._number, query.position, self._games), Listen(self.expectation))
            holding = self._holding[query.position]
            hits = tuple(game for game in hits if game in holding)
        if not hits:
            return self._none()
        self._hits, self._at, self._next = hits, 0, min(FIRST_TOLD, len(hits))
        more = (Phrase("practice.find.more"),) if len(hits) > FIRST_TOLD else ()
        told = found_told(len(hits), query, self._games, self._today, self._opening)
        return self._say(told, *(self._line(n) for n in range(self._next)), *more)

    def _none(self) -> Effects:
        """Tell why no game matches, and return to all games."""
        holding = self._holding.get(self._query.position, self._games)
        reason = none_told(self._games, holding, self._query, self._today, self._opening)
        self._query, self._opening, self._hits, self._at, self._next = GameQuery(), None, self._games, 0, 0
        return self._say(reason, Phrase("practice.find.of_all", {"count": len(self._games)}))

    # --- telling -------------------------------------------------------------------------------------------------

    def _line(self, place: int) -> Phrase:
        """The sentence for a hit; `place` counts from 0."""
        return game_told(self._hits[place], place + 1, self._today)

    def _tell(self, place: int) -> Effects:
        """Tell one hit, which becomes the one that "öffnen" opens; `place` counts from 0."""
        if not self._hits:
            return self._say(Phrase("practice.find.of_all", {"count": len(self._games)}))
        self._at = place
        return self._say(self._line(place))

    # --- hearing -------------------------------------------------------------------------------------------------

    def _heard(self, event: ev.Heard) -> Effects:
        heard = contenders(event.readings)
        if heard.only != Command("help"):
            self._helped = 0
        for meaning in heard.meanings if heard.sure else ():
            done = self._command(meaning, event.at_ms) if isinstance(meaning, Command) else None
            if done is not None:
                return done
        likeliest = heard.likeliest
        if isinstance(likeliest, Unclear) and likeliest.reason is UnclearReason.NOTHING:
            return (Sound(Tone.NOT_UNDERSTOOD, alone=True),)
        if self.busy:
            return self._say(Phrase("practice.find.waiting", {"percent": self._percent}))
        told = told_elsewhere(likeliest) if heard.sure else None
        words = Phrase("practice.heard_otherwise", {"words": Text(event.words)})
        return self._say(words, told or Phrase("practice.find.for_example"))

    def _help(self) -> Effects:
        """What answers; said again, what else there is, part by part."""
        keys = ("help_waiting",) if self.busy else ("help", "help_who", "help_more")
        parts = [*(Phrase(f"practice.find.{key}") for key in keys), Phrase("practice.help_also")]
        at, self._helped = self._helped % len(parts), self._helped + 1
        return self._say(parts[at], *(() if at else (Phrase("help.more"),)))

    def _command(self, command: Command, at_ms: int) -> Effects | None:
        name = command.name
        if name in VOICE_CHANGES:
            return self._speaker.adjust_voice(name)
        match name:
            case "stop":
                return self._speaker.stop()
            case "end" | "practise":
                return self._ended(Phrase("practice.find.left"))
            case "cancel" | "take_back" if self.busy:
                return self._ended(Phrase("practice.find.left"))
            case "help":
                return self._help()
        if self.busy:
            return None
        match name:
            case "find_games":
                self._opening = None
                return self._ask(GameQuery(), command, at_ms)
            case "narrow":
                return self._ask(self._query, command, at_ms)
            case "draw_offer":
                return self._ask(self._query, Command("narrow", (("result", int(OwnResult.DRAWN)),)), at_ms)
            case "all_games":
                self._query, self._opening = GameQuery(), None
                return self._answer(at_ms)
            case "opponents":
                found = known_games.opponents(self._hits)
                return self._offer(name, [(Text(who), count, GameQuery(against=who), None) for who, count in found])
            case "openings":
                named = known_games.openings(self._hits)
                queries = [(one, count, GameQuery(opening=one.by_language["en"]), one) for one, count in named]
                return self._offer(name, queries)
            case "months":
                dated = known_games.months(self._hits)
                return self._offer(
                    name,
                    [(month_told(*at), count, GameQuery(month=at[1], year=at[0]), None) for at, count in dated],
                )
            case "number":
                return self._chosen(int(command.slot("number") or 0), at_ms)
            case "open_game":
                number = command.slot("number")
                if number is not None:
                    return self._chosen(int(number), at_ms)
                return self._open(self._at, at_ms)
            case "next":
                return self._on(1)
            case "take_back":
                return self._on(-1)
            case "repeat":
                return self._answer(at_ms)
        return None

    def _offer(self, name: str, found: Sequence[tuple[Slot, int, GameQuery, Slot | None]]) -> Effects:
        """Offer opponents, openings or months with their numbers of games, to be chosen by number."""
        if not found:
            return self._say(Phrase(f"practice.find.no_{name}"))
        first = found[:MOST_OFFERED]
        self._offered, self._names = tuple(query for _, _, query, _ in first), tuple(named for *_, named in first)
        told = tuple(
            Phrase("practice.find.offered", {"number": place, "name": one, "count": count})
            for place, (one, count, _, _) in enumerate(first, 1)
        )
        return self._say(Phrase(f"practice.find.which_{name}", {"count": len(found), "things": Listing(told, "")}))

    def _chosen(self, number: int, at_ms: int) -> Effects:
        """Choose the option with this number, from 1; if none are offered, open the game with this number."""
        if not self._offered:
            return self._open(number - 1, at_ms)
        if not 1 <= number <= len(self._offered):
            return self._say(Phrase("practice.find.numbers", {"last": len(self._offered)}))
        one = self._offered[number - 1]
        changed = {name: getattr(one, name) for name in ("against", "opening", "month", "year") if getattr(one, name)}
        if "opening" in changed:
            self._opening = self._names[number - 1]
        self._query = replace(self._query, **changed)
        return self._answer(at_ms)

    def _on(self, by: int) -> Effects:
        """Tell the next hit of the list (`by` 1) or the previous one (-1)."""
        self._offered = ()
        place = self._next if by > 0 else max(self._at - 1, 0)
        if not self._hits or place >= len(self._hits):
            return self._say(Phrase("practice.find.no_more"))
        self._next = place + 1
        return self._tell(place)

    def _open(self, place: int, at_ms: int) -> Effects:
        if not 0 <= place < len(self._hits):
            return self._say(Phrase("practice.find.numbers", {"last": len(self._hits)}))
        self._at, self._next = place, place + 1
        try:
            self._inner = self._opened(self._hits[place])
        except Failure as failure:
            return self._say(failure.phrase)
        self.step = FindingStep.OPEN
        return self._inner.handle(ev.Started(at_ms=at_ms))
