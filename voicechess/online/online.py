"""The conversation around games at a server: seek an opponent, challenge a friend, play the server's computer, go on
with a game in progress, play a rematch.

A machine like `conversations.welcome`. Requests to the server are effects (`online.lobby`), its answers events; it ends
with `outcome` set. Incoming challenges are handled around it by `online.challenges`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import count

from voicechess.conversations.asking import minutes_in, number_in, ordinal_in
from voicechess.display.boards import MOST_BOARDS
from voicechess.game import events as ev
from voicechess.game.effects import Effect, LobbyRequest
from voicechess.meaning import Answer, AnswerKind, Command, Meaning, SlotValue
from voicechess.messages import Duration, Listing, Phrase, Side, Slot, Text
from voicechess.online.challenges import LONGEST_NAME, agreed, player
from voicechess.online.lobby import (
    COMPUTER_LEVELS,
    DAYS,
    PLAYABLE,
    CancelSeek,
    ChallengeComputer,
    ChallengeGone,
    ChallengePlayer,
    ChallengeSent,
    FriendsListed,
    GameClosed,
    GameOpened,
    GamesListed,
    ListFriends,
    ListGames,
    LobbyDone,
    LobbyLink,
    LobbyRefused,
    OnlineGame,
    OnlineTime,
    Seek,
    SeekEnded,
    Speed,
    WithdrawChallenge,
)
from voicechess.online.online_names import OnlineNames
from voicechess.online.online_questions import WAITING, OnlineStep
from voicechess.online.online_wish import (
    GONE,
    REFUSED,
    Mode,
    OnlineOutcome,
    OnlineWish,
    letters_of,
    once_more,
)

TOLD_FIRST_MS, TOLD_MS = 30_000, 60_000
"""Milliseconds after which a waiting player is told so, and the interval of further reminders. Larger: longer
silences."""

PATIENCE_MS = 5_000
"""Milliseconds without an answer of the server after which the wait is announced; also the delay in which a game may
open after a seek has ended. Larger: longer silences."""

MOST_MINUTES, MOST_SECONDS = 180, 60
"""Most minutes of a game and seconds of the increment, at Lichess."""

LOWEST_RATING, HIGHEST_RATING = 400, 4_000
"""Range of an opponent's rating in a seek."""

_SOUGHT = frozenset({OnlineStep.TIME, OnlineStep.RATED, OnlineStep.SEEKING})
"""Steps of a seek at which its colour and ratings can be given as well."""


def _rating(number: SlotValue | None) -> int:
    """ "Fünfzehn hundert" and "fünfzehn" are 1500: nobody has a rating below a hundred."""
    rating = int(number or 0)
    return 100 * rating if rating < 100 else rating


SEEKABLE = frozenset({Speed.RAPID, Speed.CLASSICAL, Speed.CORRESPONDENCE})
LIVE = frozenset({Speed.BULLET, Speed.BLITZ, Speed.RAPID, Speed.CLASSICAL})
"""Speeds of games played in real time."""


_ACCEPTS = frozenset(
    {(OnlineStep.REMATCH, "rematch"), (OnlineStep.EXPIRED, "resume"), (OnlineStep.RETRY, "repeat")},
)
"""Answers that repeat a question's verb, and so are a yes: "Weitersuchen?", "Noch einmal versuchen?"."""


@dataclass
class Online(OnlineNames):
    """Talks until a game is found. `wish`: what was asked for beforehand. `rematch`: the previous game, whose terms are
    offered again."""

    account: Callable[[], str] = lambda: ""  # whose it is, known when the server has answered
    numbers: Iterator[int] = field(default_factory=lambda: count(1))
    """Numbers of requests, shared by all conversations of a program."""
    left: frozenset[str] = frozenset()
    """Games in progress that are not entered automatically, since the player has just left them."""
    outcome: OnlineOutcome | None = None
    game: OnlineGame | None = None
    boards: tuple[OnlineGame, ...] = ()  # the games of a simultaneous display, if that is what was chosen
    _listed: bool = False
    _known: set[str] = field(default_factory=set)
    _challenge: str | None = None
    _withdrawn: set[int] = field(default_factory=set)
    _link_lost: bool = False

    @property
    def over(self) -> bool:
        """Whether it has an outcome."""
        return self.outcome is not None

    def handle(self, event: ev.Event) -> tuple[Effect, ...]:
        """Handle one event. Never raises; irrelevant events are ignored."""
        if self.over:
            return ()
        match event:
            case GamesListed() if self._answers(event.request):
                return self._games_listed(event)
            case FriendsListed() if self._answers(event.request):
                self._friends, self._page = event.friends, 0
                return self._enter(OnlineStep.FRIEND, event.at_ms)
            case ChallengeSent():
                return self._challenge_sent(event)
            case LobbyDone() if self._answers(event.request):
                return self._done(event.at_ms)
            case LobbyRefused() if event.request == 0 or self._answers(event.request):
                return self._refused(event)
            case SeekEnded() if isinstance(self._request, Seek) and event.request == self._request.number:
                self._ended_at = event.at_ms
            case ChallengeGone() if event.id == self._challenge:
                self._challenge = None
                return (
                    self._say(
                        f"lobby.gone.{event.reason}" if event.reason in GONE else "lobby.gone.generic", **self._who()
                    ),
                    *self._menu(event.at_ms),
                )
            case GameOpened():
                return self._opened(event)
            case GameClosed():
                self.games = tuple(game for game in self.games if game.id != event.id)
            case LobbyLink():
                return self._link(event)
            case _:
                return super().handle(event)
        return ()

    def _back(self, at_ms: int) -> tuple[Effect, ...]:
        """Go back one question, or one letter."""
        if self.step is OnlineStep.SPELLING and self._spelled:
            self._spelled = self._spelled[:-1]
            if not self._spelled:
                return self._ask_anew(at_ms)
            return (self._say("lobby.so_far", letters=letters_of(self._spelled)),)
        if self.step in WAITING:
            return self._cancel(at_ms)
        if self._trail:
            return super()._back(at_ms)
        if self.step is not OnlineStep.MENU:
            return self._menu(at_ms)
        self.outcome = OnlineOutcome.BACK
        return ()

    def _end(self) -> tuple[Effect, ...]:
        self.outcome = OnlineOutcome.END
        return (*self._undo(), self._say("welcome.end"))

    # --- the server ----------------------------------------------------------------------------------------------

    def _begin(self, at_ms: int) -> tuple[Effect, ...]:
        return self._ask_server(ListGames(), at_ms)

    def _ask_server(self, request: LobbyRequest, at_ms: int) -> tuple[Effect, ...]:
        """Send a request and wait for the answer, which is announced only after a while."""
        self.step = OnlineStep.ASKING
        self._waits_since, self._told_at, self._misses = at_ms, None, 0
        self._last = (("lobby.asking", {}),)
        return (self._sent(request), self._listen())

    def _sent(self, request: LobbyRequest) -> LobbyRequest:
        self._request = replace(request, number=next(self.numbers))
        return self._request

    def _answers(self, number: int) -> bool:
        return self._request is not None and number == self._request.number

    def _games_listed(self, event: GamesListed) -> tuple[Effect, ...]:
        self.games = tuple(game for game in event.games if game.terms.variant in PLAYABLE)
        self._known |= {game.id for game in event.games}
        self._page = 0
        if self._listed:
            if not self.games:
                return (self._say("lobby.no_games"), *self._menu(event.at_ms))
            return self._enter(OnlineStep.GAMES, event.at_ms)
        self._listed = True
        name = self.account()
        greeting = (self._say("lobby.here", name=Text(name[:LONGEST_NAME])),) if name and self.rematch is None else ()
        if self.wish.simul:
            return (*greeting, *self._simul(event.at_ms))
        running = next((game for game in self.games if game.speed in LIVE and game.id not in self.left), None)
        if running is not None:
            return (*greeting, self._say("lobby.still_running", **self._against(running)), *self._play(running))
        if self.rematch is not None:
            return self._enter(OnlineStep.REMATCH, event.at_ms)
        if self.wish.mode is not None:
            return (*greeting, *self._next_term(event.at_ms))
        if self.games:
            return (*greeting, *self._enter(OnlineStep.GAMES, event.at_ms))
        return (*greeting, *self._menu(event.at_ms))

    def _play(self, game: OnlineGame) -> tuple[Effect, ...]:
        self.game, self.outcome = game, OnlineOutcome.GAME
        return self._undo(but=game.id)

    def _simul(self, at_ms: int) -> tuple[Effect, ...]:
        """Play all games in progress at once, if there are several."""
        if not self.games:
            return (self._say("lobby.no_games"), *self._menu(at_ms))
        if len(self.games) == 1:
            return (self._say("lobby.still_running", **self._against(self.games[0])), *self._play(self.games[0]))
        self.boards, self.outcome = self.games[:MOST_BOARDS], OnlineOutcome.GAME
        return ()

    def _undo(self, but: str = "") -> tuple[Effect, ...]:
        """Cancel whatever is being sought."""
        if self.step is OnlineStep.SEEKING:
            return (CancelSeek(number=next(self.numbers)),)
        if self.step is OnlineStep.CHALLENGING and self._challenge not in (None, but):
            assert self._challenge is not None
            return (WithdrawChallenge(self._challenge, number=next(self.numbers)),)
        return ()

    def _opened(self, event: GameOpened) -> tuple[Effect, ...]:
        """A new game. One with a running clock is played even if it is no longer wanted."""
        game = event.game
        if game.id in self._known or game.terms.variant not in PLAYABLE:
            return ()
        self._known.add(game.id)
        self.games = (*(one for one in self.games if one.id != game.id), game)
        if not self._listed:
            return ()
        awaited = self.step in WAITING or self.step is OnlineStep.EXPIRED
        if not awaited and game.speed not in LIVE:
            return (self._say("lobby.opened", **self._against(game)),)
        late = () if awaited else (self._say("lobby.opened", **self._against(game)),)
        return (*late, *self._play(game))

    def _challenge_sent(self, event: ChallengeSent) -> tuple[Effect, ...]:
        if event.request in self._withdrawn:
            return (WithdrawChallenge(event.id, number=next(self.numbers)),)
        if not self._answers(event.request):
            return ()
        self._challenge = event.id
        if self.wish.terms.time.speed in LIVE:
            return ()
        stays = self._say("lobby.challenge_stays", **self._who())
        return (stays, *self._menu(event.at_ms))

    def _done(self, at_ms: int) -> tuple[Effect, ...]:
        if isinstance(self._request, Seek) and self._request.terms.time.days is not None:
            return (self._say("lobby.seek_stays"), *self._menu(at_ms))
        return ()  # others are announced when the game opens

    def _refused(self, event: LobbyRefused) -> tuple[Effect, ...]:
        slots: dict[str, Slot] = {}
        reason = event.reason if event.reason in REFUSED else "other"
        match reason:
            case "other":
                slots["detail"] = Text(event.detail[:LONGEST_NAME])
                reason = "other" if event.detail else "server"
                slots = slots if event.detail else {}
            case "busy":
                slots["wait"] = Duration(1_000 * max(1, event.wait_s))
            case "unknown_player":
                slots["name"] = Text(self.wish.name)
        told = self._say(f"lobby.refused.{reason}", **slots)
        match reason:
            case "token" | "scope":
                self.outcome = OnlineOutcome.BACK
                return (told,)
            case "unknown_player":
                self.wish = replace(self.wish, name="")
                return (told, *self._friend_list(event.at_ms))
            case "too_fast" | "untimed":
                self.wish = replace(self.wish, time=None)
                return (told, *self._enter(OnlineStep.TIME, event.at_ms))
            case "gone":
                return (told, *self._menu(event.at_ms))
        return (told, *self._enter(OnlineStep.RETRY, event.at_ms))

    def _link(self, event: LobbyLink) -> tuple[Effect, ...]:
        if event.reason in ("token", "scope"):
            return self._refused(LobbyRefused(at_ms=event.at_ms, request=0, reason=event.reason))
        if event.up is not self._link_lost:
            return ()
        self._link_lost = not event.up
        return (self._say("lobby.link_back" if event.up else "lobby.link_lost"),)

    # --- waiting -------------------------------------------------------------------------------------------------

    def _tick(self, at_ms: int) -> tuple[Effect, ...]:
        if self.step not in WAITING:
            return super()._tick(at_ms)
        if self._ended_at is not None and at_ms - self._ended_at >= PATIENCE_MS:
            self._ended_at = None
            return self._enter(OnlineStep.EXPIRED, at_ms)
        first = PATIENCE_MS if self.step is OnlineStep.ASKING else TOLD_FIRST_MS
        due = self._waits_since + first if self._told_at is None else self._told_at + TOLD_MS
        if at_ms < due:
            return ()
        self._told_at = at_ms
        return self._ask_again()

    def _miss(self, event: ev.Heard) -> tuple[Effect, ...]:
        if self.step in WAITING and not event.words:
            return ()  # a noise, while nothing was asked
        return super()._miss(event)

    def _cancel(self, at_ms: int) -> tuple[Effect, ...]:
        """Cancel what is being waited for."""
        undo = self._undo()
        if isinstance(self._request, ChallengePlayer) and self._challenge is None:
            self._withdrawn.add(self._request.number)
        self._challenge = None
        if not self._listed:
            self.outcome = OnlineOutcome.BACK
            return undo
        return (*undo, self._say("lobby.cancelled"), *self._menu(at_ms))

    # --- answers -------------------------------------------------------------------------------------------------

    def _heard(self, event: ev.Heard) -> tuple[Effect, ...]:
        # So a name can be typed that is a command's word as well.
        if self.step in (OnlineStep.FRIEND, OnlineStep.SPELLING) and event.words.startswith("@"):
            return self._name_typed(event.words, event.at_ms)
        return super()._heard(event)

    def _common(self, command: Command, at_ms: int) -> tuple[Effect, ...] | None:
        if (self.step, command.name) in _ACCEPTS:
            return None
        if command.name == "simul" and self.step in (OnlineStep.GAMES, OnlineStep.MENU):
            told = () if command.slot("number") is None else (self._say("lobby.simul"),)
            return (*told, *self._simul(at_ms))
        return super()._common(command, at_ms)

    def _answer(self, meaning: Meaning, event: ev.Heard) -> tuple[Effect, ...] | None:
        at_ms = event.at_ms
        if isinstance(meaning, Command) and (self.step, meaning.name) in _ACCEPTS:
            meaning = Answer(AnswerKind.YES)
        kind = meaning.kind if isinstance(meaning, Answer) else None
        name = meaning.name if isinstance(meaning, Command) else ""
        if self.wish.mode is Mode.SEEK and isinstance(meaning, Command) and self.step in _SOUGHT:
            sought = self._sought(meaning, at_ms)
            if sought is not None:
                return sought
        match self.step:
            case OnlineStep.REMATCH if kind is None:
                return self._chosen(name, at_ms)
            case OnlineStep.SEEKING | OnlineStep.CHALLENGING | OnlineStep.ASKING:
                return self._cancel(at_ms) if name == "cancel" else None
            case OnlineStep.MENU:
                return self._chosen(name, at_ms)
            case OnlineStep.GAMES:
                return self._game_chosen(meaning, kind, name, at_ms)
            case OnlineStep.FRIEND:
                return self._friend_chosen(meaning, name, event)
            case OnlineStep.SPELLING:
                return self._letters_heard(meaning, name, event)
            case OnlineStep.LEVEL:
                level = number_in(meaning, "level") or ordinal_in(meaning)
                if level is not None and level in COMPUTER_LEVELS:
                    self.wish = replace(self.wish, level=level)
                    return self._next_term(at_ms)
            case OnlineStep.TIME:
                return self._time_heard(meaning, name, at_ms)
            case OnlineStep.RATED if name in ("rated", "casual"):
                self.wish = replace(self.wish, rated=name == "rated")
                return self._next_term(at_ms)
            case OnlineStep.COLOUR if isinstance(meaning, Command) and name in ("colour", "random"):
                colour = None if name == "random" else bool(meaning.slot("colour"))
                self.wish = replace(self.wish, colour=colour, lot=colour is None)
                return self._next_term(at_ms)
            case _ if kind in (AnswerKind.YES, AnswerKind.NO):
                return self._agreed(kind is AnswerKind.YES, at_ms)
        return None

    def _sought(self, command: Command, at_ms: int) -> tuple[Effect, ...] | None:
        """Colour of a seek, or the opponent's rating: given with any of its questions, or while the seek is open, which
        is then renewed."""
        match command.name:
            case "colour" if self.wish.time is not None and self.wish.time.days is not None:
                return (self._say("lobby.no_colour"), *self._ask_again())
            case "colour":
                self.wish = replace(self.wish, colour=bool(command.slot("colour")))
            case "random":
                self.wish = replace(self.wish, colour=None, ratings=None)
            case "ratings":
                low, high = (_rating(command.slot(name)) for name in ("number", "number2"))
                if not LOWEST_RATING <= low < high <= HIGHEST_RATING:
                    return (self._say("lobby.which_ratings", low=LOWEST_RATING, high=HIGHEST_RATING),)
                self.wish = replace(self.wish, ratings=(low, high))
            case _:
                return None
        if self.step is OnlineStep.SEEKING:
            return self._next_term(at_ms)
        if command.name == "ratings":
            low, high = self.wish.ratings or (0, 0)
            told: Slot = Phrase("lobby.terms.ratings", {"low": low, "high": high})
        elif command.name == "colour":
            told = Phrase("lobby.terms.side", {"side": Side(bool(self.wish.colour))})
        else:
            told = Phrase("lobby.terms.anybody")
        return (self._say("lobby.instead.terms", terms=told), *self._ask_again())

    def _agreed(self, yes: bool, at_ms: int) -> tuple[Effect, ...]:
        """An answer to a question of yes or no."""
        match self.step:
            case OnlineStep.REMATCH if yes and self.rematch is not None:
                self.wish = once_more(self.rematch)
                return self._next_term(at_ms)
            case OnlineStep.EXPIRED if yes:
                return self._next_term(at_ms)
            case OnlineStep.RETRY if yes and isinstance(self._request, ListGames | ListFriends):
                return self._ask_server(self._request, at_ms)
            case OnlineStep.RETRY if yes:
                return self._next_term(at_ms)
            case OnlineStep.RETRY if not self._listed:
                self.outcome = OnlineOutcome.BACK
                return ()
            case OnlineStep.MEANT if yes:
                return self._name_chosen(self._meant, at_ms)
            case OnlineStep.SPELLED if yes:
                return self._name_chosen(self._spelled, at_ms)
            case OnlineStep.MEANT | OnlineStep.SPELLED:
                self._denied.add(self._meant)
                return self._enter(OnlineStep.SPELLING, at_ms)
        return self._menu(at_ms)

    def _chosen(self, name: str, at_ms: int) -> tuple[Effect, ...] | None:
        match name:
            case "seek":
                self.wish = OnlineWish(Mode.SEEK)
                return self._next_term(at_ms)
            case "machine":
                self.wish = OnlineWish(Mode.COMPUTER)
                return self._next_term(at_ms)
            case "friend":
                self.wish = OnlineWish(Mode.CHALLENGE)
                return self._next_term(at_ms)
            case "games":
                return self._ask_server(ListGames(), at_ms)
        return None

    def _next_term(self, at_ms: int) -> tuple[Effect, ...]:
        """Ask for the next unknown term; then send the request."""
        wish = self.wish
        if wish.mode is Mode.COMPUTER and wish.level is None:
            return self._enter(OnlineStep.LEVEL, at_ms)
        if wish.mode is Mode.CHALLENGE and not wish.name:
            return self._friend_list(at_ms)
        if wish.time is None:
            return self._enter(OnlineStep.TIME, at_ms)
        if wish.mode is Mode.SEEK and wish.time.speed not in SEEKABLE:
            self.step = OnlineStep.TIME
            fast = wish.time.speed is not Speed.UNLIMITED
            return (self._say("lobby.refused.too_fast" if fast else "lobby.refused.untimed"), *self._ask_anew(at_ms))
        if wish.rated is None and wish.mode is not Mode.COMPUTER and wish.time.speed is not Speed.UNLIMITED:
            return self._enter(OnlineStep.RATED, at_ms)
        if wish.colour is None and not wish.lot and wish.mode is not Mode.SEEK:
            return self._enter(OnlineStep.COLOUR, at_ms)
        self._challenge, self._ended_at = None, None
        if wish.mode is Mode.SEEK:
            return (self._sent(Seek(wish.terms)), *self._enter(OnlineStep.SEEKING, at_ms))
        if wish.mode is Mode.CHALLENGE:
            return (self._sent(ChallengePlayer(wish.name, wish.terms)), *self._enter(OnlineStep.CHALLENGING, at_ms))
        level = wish.level or COMPUTER_LEVELS[0]
        told = self._say("lobby.computer", level=level, terms=agreed(wish.terms, against_computer=True))
        return (told, *self._ask_server(ChallengeComputer(level, wish.terms), at_ms))

    def _time_heard(self, meaning: Meaning, name: str, at_ms: int) -> tuple[Effect, ...] | None:
        if name in ("friend", "machine"):  # offered where a seek would be too fast: with the time that was named
            mode = Mode.COMPUTER if name == "machine" else Mode.CHALLENGE
            self.wish = replace(self.wish, mode=mode, rated=None)
            return self._next_term(at_ms)
        rated = None if not name.endswith(("_rated", "_casual")) else name.endswith("_rated")
        if name == "untimed":
            time = OnlineTime()
        elif name.startswith("days"):
            days = number_in(meaning, name)
            if days not in DAYS:
                return (self._say("lobby.which_days", days=Listing(DAYS, "or")),)
            time = OnlineTime(days=days)
        else:
            found = minutes_in(meaning, "minutes_rated", "minutes_casual")
            if found is None:
                return None
            if found[0] > MOST_MINUTES or found[1] > MOST_SECONDS:
                return (self._say("lobby.too_long", minutes=MOST_MINUTES, seconds=MOST_SECONDS),)
            time = OnlineTime(60 * found[0], found[1])
        self.wish = replace(self.wish, time=time, rated=self.wish.rated if rated is None else rated)
        return self._next_term(at_ms)

    # --- games and friends ---------------------------------------------------------------------------------------

    def _game_chosen(
        self, meaning: Meaning, kind: AnswerKind | None, name: str, at_ms: int
    ) -> tuple[Effect, ...] | None:
        alone = self.games[0] if len(self.games) == 1 else None
        if name in ("next", "resume") and alone is None:
            return self._turn_page(len(self.games), at_ms)
        if alone is not None and (kind is AnswerKind.YES or name == "resume"):
            return self._play(alone)
        if kind is AnswerKind.NO or name == "new_game":
            return self._menu(at_ms)
        number = number_in(meaning, "number") or ordinal_in(meaning)
        if number is not None and 1 <= number <= len(self.games):
            return self._play(self.games[number - 1])
        return None

    # --- words ---------------------------------------------------------------------------------------------------

    def _against(self, game: OnlineGame) -> dict[str, Slot]:
        return {"player": player(game.opponent, rated=False)}
