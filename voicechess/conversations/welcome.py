"""The conversation before a game: is the microphone heard, who plays, how strong, how long.

A small state machine with the events and effects of `game.session`. It ends with `outcome` set: a new game with its
settings, resuming an unfinished one, or the end. No state outlives it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import ClassVar

import chess

from voicechess.conversations.asking import MISSES, Conversation, Given, awaited, number_in, ordinal_in
from voicechess.conversations.offer import (
    EASY,
    LEVELS,
    TERM_OF,
    Offer,
    Term,
    description,
    parts_of,
    time_said,
    with_colour,
)
from voicechess.correspondence.open_letters import OpenCorrespondence
from voicechess.display.boards import FEWEST_BOARDS, MOST_BOARDS
from voicechess.game import events as ev
from voicechess.game.agreement import Correspondence, GameSettings, Player
from voicechess.game.effects import Effect
from voicechess.language.thresholds import contenders
from voicechess.laws.time_controls import parse_time
from voicechess.meaning import (
    Answer,
    AnswerKind,
    Command,
    Expectation,
    Meaning,
    QuestionKind,
    Reading,
    SlotValue,
    SpokenMove,
    Unclear,
)
from voicechess.messages import Failure, Listing, Phrase, Side, Slot
from voicechess.moves.decisions import Play
from voicechess.moves.matching import decide


class WelcomeStep(Enum):
    """The open question."""

    MICROPHONE = "microphone"
    REMATCH = "rematch"
    POST = "post"
    UNFINISHED = "unfinished"
    USUAL = "usual"
    SETTINGS = "settings"
    OFFER = "offer"
    OPPONENT = "opponent"
    COLOUR = "colour"
    LEVEL = "level"
    TIME = "time"
    DAYS = "days"
    BOARDS = "boards"
    DONE = "done"


class WelcomeOutcome(Enum):
    """How the conversation ended."""

    NEW_GAME = "new_game"
    GO_ON = "go_on"
    ONLINE = "online"
    OPEN = "open"  # a correspondence game
    PRACTISE = "practise"  # or anything else without a game: see `Welcome.wish`
    END = "end"


_QUESTIONS = {
    WelcomeStep.MICROPHONE: QuestionKind.TRY_MICROPHONE,
    WelcomeStep.REMATCH: QuestionKind.YES_NO,
    WelcomeStep.POST: QuestionKind.NUMBER,
    WelcomeStep.UNFINISHED: QuestionKind.YES_NO,
    WelcomeStep.USUAL: QuestionKind.YES_NO,
    WelcomeStep.SETTINGS: QuestionKind.YES_NO,
    WelcomeStep.OFFER: QuestionKind.YES_NO,
    WelcomeStep.OPPONENT: QuestionKind.OPPONENT,
    WelcomeStep.COLOUR: QuestionKind.COLOUR,
    WelcomeStep.LEVEL: QuestionKind.LEVEL,
    WelcomeStep.TIME: QuestionKind.TIME,
    WelcomeStep.DAYS: QuestionKind.DAYS,
    WelcomeStep.BOARDS: QuestionKind.LEVEL,
}

_OFFERS = (
    *(WelcomeStep.REMATCH, WelcomeStep.UNFINISHED, WelcomeStep.POST),
    *(WelcomeStep.USUAL, WelcomeStep.SETTINGS, WelcomeStep.OFFER),
)
"""Questions about a game that is there, or offered, which another opponent answers as well."""

_BY_TERMS = (WelcomeStep.REMATCH, WelcomeStep.USUAL, WelcomeStep.SETTINGS, WelcomeStep.OFFER)
"""Questions that can be answered by one of their terms, changed or not."""

_ACCEPTS = frozenset(
    {
        (WelcomeStep.UNFINISHED, "resume"),
        (WelcomeStep.REMATCH, "rematch"),
        *((step, "begin") for step in _BY_TERMS),
    }
)
"""Answers that repeat a question's verb, or begin what was offered, and so are a yes: "Weiterspielen?", "Revanche?"."""

_ASKS_FOR = {
    "ask_opponent": WelcomeStep.OPPONENT,
    "ask_colour": WelcomeStep.COLOUR,
    "ask_level": WelcomeStep.LEVEL,
    "timed": WelcomeStep.TIME,
}
"""Choices that name a term without its value: its question follows."""

_QUESTION_ABOUT = {
    Term.OPPONENT: WelcomeStep.OPPONENT,
    Term.COLOUR: WelcomeStep.COLOUR,
    Term.LEVEL: WelcomeStep.LEVEL,
    Term.TIME: WelcomeStep.TIME,
}

WITHOUT_GAME = frozenset({"practise", "analyse", "set_up", "mistake", "live", "find_games"})
"""Commands that lead to practice, at every question except the microphone check."""

NO_WISH = Command("")
"""No wish other than a game."""

MOST_TOLD = 9
"""Most games read out at once. Larger: longer lists to listen to."""


@dataclass
class Welcome(Conversation):
    """Asks for the terms of a game.

    The first answer also checks the microphone: only if none comes, a word is asked for to check it. Somebody who has
    played before and knows the words is hardly greeted; a player who has just played is neither greeted nor is their
    microphone checked again. A first move counts as a yes to the offer.
    """

    REMEMBERED: ClassVar[tuple[str, ...]] = (
        *("step", "settings", "boards", "levels", "alternating"),
        *("offer", "_listed", "_by_post"),
    )

    usual: GameSettings | None = None  # the terms of last time
    rematch: Sequence[GameSettings] = ()  # settings of the previous game in this program, or of all boards of a display
    three_words: bool = True  # the player has to be told the words that always work
    unfinished: bool = False  # there is an unfinished game
    account: Callable[[], bool] = lambda: False  # whether the player has an account at the server; called on demand
    post: tuple[OpenCorrespondence, ...] = ()  # the unfinished correspondence games
    opened: OpenCorrespondence | None = None  # the one that was chosen
    greeted: bool = False  # the player has just played, but no rematch is offered
    coin: Callable[[], bool] = lambda: True  # decides a random colour; True is White
    settings: GameSettings = field(default_factory=GameSettings)  # default terms; in the end those of the game
    outcome: WelcomeOutcome | None = None
    step: WelcomeStep = WelcomeStep.MICROPHONE
    boards: int = 0  # number of boards of a display; 0: a single game
    levels: tuple[int, ...] = ()  # of the boards
    alternating: bool = False  # alternating colours at the boards
    again: bool = False  # the rematch was accepted
    opening: ev.Heard | None = None  # what was heard of a first move
    wish: Command = NO_WISH  # the command of `WITHOUT_GAME` given instead of playing
    offer: Offer | None = None  # the terms of a single game; if given initially, it is offered first
    _listed: tuple[OpenCorrespondence, ...] = ()
    _by_post: bool = False
    _ahead: dict[WelcomeStep, Command] = field(default_factory=dict)  # answers given before their questions
    _tried: bool = False  # the microphone was checked
    _noticed: bool = False  # the player was heard
    _understood: bool = False  # a word was understood, even if not the one asked for

    @property
    def over(self) -> bool:
        """Whether it has an outcome."""
        return self.outcome is not None

    def _key(self, part: str = "") -> str:
        return f"welcome.{part}{self.step.value}"

    @property
    def _question(self) -> QuestionKind:
        return _QUESTIONS[self.step]

    def _begin(self, at_ms: int) -> tuple[Effect, ...]:
        return (*self._introduction(), *self._enter(self._first_step(), at_ms))

    # --- steps ---------------------------------------------------------------------------------------------------

    def _introduction(self) -> tuple[Effect, ...]:
        if self.rematch or self.greeted:
            return ()
        if self._known:
            return (self._say("welcome.back"),)
        greeting = self._say("welcome.greeting" if self.by_voice else "welcome.greeting_text")
        if not self.three_words:
            return (greeting,)
        return (greeting, self._say("welcome.other_language"), self._say("welcome.three_words"))

    @property
    def _known(self) -> bool:
        """Whether the player has played before and knows the words that always work."""
        return self.usual is not None and not self.three_words

    def _first_step(self) -> WelcomeStep:
        if self.offer is not None:
            return WelcomeStep.OFFER
        if self.rematch:
            return WelcomeStep.REMATCH
        return self._after_microphone()

    def _after_microphone(self) -> WelcomeStep:
        self._listed = tuple(game for game in self.post if game.waits)
        return WelcomeStep.POST if self._listed else self._after_post()

    def _after_post(self) -> WelcomeStep:
        if self.unfinished:
            return WelcomeStep.UNFINISHED
        return self._after_unfinished()

    def _after_unfinished(self) -> WelcomeStep:
        # A player who does not want the same again does not want it as always either.
        return WelcomeStep.USUAL if self.usual is not None and (self.usual,) != self.rematch else self._after_usual()

    def _after_usual(self) -> WelcomeStep:
        # What the settings file says is offered where it says anything of its own, and nothing was offered like it.
        offered = [(GameSettings(),), self.rematch, () if self.usual is None else (self.usual,)]
        told = [description(*terms) for terms in offered if terms]
        if description(self.settings) not in told:
            return WelcomeStep.SETTINGS
        if self.rematch or self.usual is not None:
            return WelcomeStep.OPPONENT
        return WelcomeStep.OFFER

    @property
    def _easy(self) -> GameSettings:
        """The default offer: an easy game, unless the settings file says otherwise."""
        return (
            replace(self.settings, level=EASY)
            if description(self.settings) == description(GameSettings())
            else self.settings
        )

    def _enter(self, step: WelcomeStep, at_ms: int) -> tuple[Effect, ...]:
        self.step = step
        if step is WelcomeStep.OFFER:
            self.offer = self.offer or Offer(self._easy)
        if (ahead := self._ahead.pop(step, None)) is not None:
            said = self._take(ahead, at_ms)
            if said is not None:
                return said
        self._tried |= step is WelcomeStep.MICROPHONE
        if step is WelcomeStep.DONE:
            self.outcome = self.outcome or WelcomeOutcome.NEW_GAME
            return ()
        return self._ask_anew(at_ms)

    def _slots(self) -> Mapping[str, Slot]:
        if self.step is WelcomeStep.POST:
            told = tuple(game.told(place) for place, game in enumerate(self._listed[:MOST_TOLD], 1))
            key = "welcome.letter.one" if len(self._listed) == 1 else "welcome.letter.several"
            head = Phrase(key if not self._by_post else "welcome.letter.open", {"count": len(self._listed)})
            return {"head": head, "games": Listing(told, "row")}
        if self.step is WelcomeStep.OFFER and self.offer is not None:
            return {"terms": self.offer.told(self.offer.open)}
        proposed = self._proposed
        short = self._known and self.step is WelcomeStep.USUAL
        return {"description": description(*proposed, short=short)} if proposed else {}

    @property
    def _proposed(self) -> Sequence[GameSettings]:
        """The settings offered by the open question; none if it offers none."""
        return {
            WelcomeStep.REMATCH: self.rematch,
            WelcomeStep.USUAL: () if self.usual is None else (self.usual,),
            WelcomeStep.SETTINGS: (self.settings,),
            WelcomeStep.OFFER: () if self.offer is None else (self.offer.settings,),
        }.get(self.step, ())

    @property
    def expectation(self) -> Expectation:
        """What can be said to the open question, including a first move if that counts as a yes."""
        return awaited(self._question, self._opening_board, self._earlier)

    @property
    def _opening_board(self) -> chess.Board | None:
        """The position in which a first move counts as a yes; None if it does not."""
        if self.step not in (WelcomeStep.USUAL, WelcomeStep.OFFER) or not self._proposed:
            return None
        (settings,) = self._proposed
        usual = settings.fen == chess.STARTING_FEN and settings.chess960 is None
        return chess.Board() if usual and settings.white is Player.VOICE else None

    def _start(self, settings: GameSettings, at_ms: int) -> tuple[Effect, ...]:
        self.settings = settings
        self.outcome = WelcomeOutcome.NEW_GAME
        if self.boards:
            return self._enter(WelcomeStep.DONE, at_ms)  # the display announces itself
        return (self._say("welcome.starting", description=description(settings)), *self._enter(WelcomeStep.DONE, at_ms))

    # --- hearing -------------------------------------------------------------------------------------------------

    def _heard(self, event: ev.Heard) -> tuple[Effect, ...]:
        self._noticed = True
        meaning, sure = event.readings[0].meaning, contenders(event.readings).sure
        self._understood |= not isinstance(meaning, Unclear) and sure
        if isinstance(meaning, Command) and meaning.name in WITHOUT_GAME and not sure:
            return self._miss(event)  # as for "Ende": a bystander's word must not lead anywhere
        return super()._heard(event)

    def _common(self, command: Command, at_ms: int) -> tuple[Effect, ...] | None:
        if command.name == "usual" and self.usual is not None:
            self.boards = 0
            return self._start(self.usual, at_ms)
        if command.name == "as_set" and self.step is WelcomeStep.SETTINGS:
            return self._start(self.settings, at_ms)
        if command.name == "simul" and self.step is not WelcomeStep.MICROPHONE:
            return self._display(command.slot("number"), at_ms)
        if command.name in WITHOUT_GAME and self.step is not WelcomeStep.MICROPHONE:
            self.wish, self.outcome = command, WelcomeOutcome.PRACTISE
            return ()
        return super()._common(command, at_ms)

    @property
    def _earlier(self) -> tuple[QuestionKind, ...]:
        """When terms are offered, another kind of opponent is an answer as well."""
        offered = [QuestionKind.OPPONENT] if self.step in _OFFERS else []
        if self.step in _BY_TERMS:
            offered += [QuestionKind.COLOUR, QuestionKind.LEVEL, QuestionKind.TIME]
        return (*super()._earlier, *offered)

    def _worth_going_back_to(self, before: Mapping[str, object]) -> bool:
        another = super()._worth_going_back_to(before) or self.offer != before["offer"]
        return another and before["step"] is not WelcomeStep.MICROPHONE

    def _chosen_instead(self, given: Given) -> Phrase | None:
        settings = self.settings
        match given.before["step"]:
            case WelcomeStep.OPPONENT if self.boards or self.step is WelcomeStep.BOARDS:
                return Phrase("welcome.instead.simul")
            case WelcomeStep.OPPONENT if self._by_post:
                return Phrase("welcome.instead.correspondence")
            case WelcomeStep.OPPONENT:
                person = settings.white is settings.black is Player.VOICE
                return Phrase(f"welcome.instead.{'person' if person else 'machine'}")
            case WelcomeStep.COLOUR:
                post = settings.correspondence
                white = post.colour if post is not None else settings.white is Player.VOICE
                return Phrase("welcome.your_colour", {"side": Side(bool(white))})
            case WelcomeStep.LEVEL:
                return Phrase("welcome.instead.level", {"level": settings.level})
            case WelcomeStep.BOARDS:
                return Phrase("welcome.instead.boards", {"count": self.boards})
        return None

    def _ask_again(self) -> tuple[Effect, ...]:
        return self._ask() if self.step is WelcomeStep.OFFER else super()._ask_again()

    def _help(self) -> tuple[tuple[str, ...], ...]:
        answers, also = super()._help()
        if self.step is WelcomeStep.MICROPHONE:
            return answers, also
        elsewhere: tuple[str, ...] = ("welcome.help.simul", "welcome.help.without_game")
        if self.step is WelcomeStep.LEVEL and self.boards:
            answers, elsewhere = ("welcome.help.levels",), elsewhere[1:]
        elif self.step is WelcomeStep.OPPONENT:  # where it is one of the answers
            elsewhere = elsewhere[1:]
        return answers, elsewhere, also

    def _display(self, number: SlotValue | None, at_ms: int) -> tuple[Effect, ...]:
        """Prepare a simultaneous display, with the number of boards if it was said."""
        self.offer = None
        if number is None:
            return self._enter(WelcomeStep.BOARDS, at_ms)
        if not isinstance(number, int) or not FEWEST_BOARDS <= number <= MOST_BOARDS:
            told = self._say("welcome.boards_between", low=FEWEST_BOARDS, high=MOST_BOARDS)
            return (told, *self._enter(WelcomeStep.BOARDS, at_ms))
        self.boards = number
        return self._enter(WelcomeStep.LEVEL, at_ms)

    def _end(self) -> tuple[Effect, ...]:
        self.outcome = WelcomeOutcome.END
        return (self._say("welcome.end"),)

    def _take(self, meaning: Command, at_ms: int) -> tuple[Effect, ...] | None:
        """Take an answer given before its question."""
        reading = Reading(meaning)
        return self._answer(
            meaning, ev.Heard(at_ms=at_ms, readings=(reading,), words="", began_ms=at_ms, ended_ms=at_ms)
        )

    def _answer(self, meaning: Meaning, event: ev.Heard) -> tuple[Effect, ...] | None:
        at_ms = event.at_ms
        if self.step is WelcomeStep.LEVEL and (nth := ordinal_in(meaning)):
            meaning = Command("level", (("number", nth),))  # "the second"
        if isinstance(meaning, Command) and (changed := self._named(meaning, event)) is not None:
            return changed
        if self.step in _OFFERS and isinstance(meaning, Command):
            if (self.step, meaning.name) in _ACCEPTS:
                meaning = Answer(AnswerKind.YES)
            elif meaning.name in ("machine", "person", "online", "correspondence"):
                self.step, self.offer = WelcomeStep.OPPONENT, None
        if meaning == Command("new_game"):  # every question leads to one, except those that offer an old game
            if self.step not in (WelcomeStep.UNFINISHED, WelcomeStep.POST):
                return self._ask()
            meaning = Answer(AnswerKind.NO)
        yes = meaning.kind is AnswerKind.YES if isinstance(meaning, Answer) else None
        match self.step:
            case WelcomeStep.MICROPHONE:
                typed = event.source is ev.Source.KEYBOARD
                if typed or (isinstance(meaning, SpokenMove) and (meaning.to_file, meaning.to_rank) == (0, 0)):
                    good = self._say("welcome.typed" if typed else "welcome.heard_well")
                    return (good, *self._enter(self._after_microphone(), at_ms))
            case WelcomeStep.POST:
                return self._which_game(meaning, at_ms)
            case WelcomeStep.UNFINISHED if isinstance(meaning, Answer):
                if yes:
                    self.outcome = WelcomeOutcome.GO_ON
                    return self._enter(WelcomeStep.DONE, at_ms)
                return self._enter(self._after_unfinished(), at_ms)
            case WelcomeStep.USUAL | WelcomeStep.OFFER if isinstance(meaning, SpokenMove):
                return self._opened_with(event)
            case step if step in _BY_TERMS and isinstance(meaning, Answer):
                if yes and self._proposed:
                    self.settings, self.outcome = self._proposed[0], WelcomeOutcome.NEW_GAME
                    self.again = self.step is WelcomeStep.REMATCH
                    self.boards = len(self._proposed) if self.settings.display else 0
                    return self._enter(WelcomeStep.DONE, at_ms)  # its description was the question
                if self.offer is not None and self.offer.named:
                    return self._enter(_QUESTION_ABOUT[self.offer.open[0]], at_ms)
                self.offer = None
                following = {WelcomeStep.REMATCH: self._after_microphone, WelcomeStep.USUAL: self._after_usual}.get(
                    self.step
                )
                return self._enter(WelcomeStep.OPPONENT if following is None else following(), at_ms)
            case WelcomeStep.OPPONENT if meaning == Command("online"):
                if not self.account():
                    return (self._say("lobby.no_account"), *self._ask_again())
                self.outcome = WelcomeOutcome.ONLINE
                return ()
            case WelcomeStep.OPPONENT if isinstance(meaning, Command) and meaning.name in ("machine", "person"):
                self.boards = 0
                if meaning.name == "person":
                    self.settings = replace(self.settings, white=Player.VOICE, black=Player.VOICE)
                    return self._enter(WelcomeStep.TIME, at_ms)
                return self._enter(WelcomeStep.COLOUR, at_ms)
            case WelcomeStep.OPPONENT if isinstance(meaning, Command) and meaning.name == "correspondence":
                self._by_post, self._listed = True, self.post
                return self._enter(WelcomeStep.POST if self.post else WelcomeStep.COLOUR, at_ms)
            case WelcomeStep.COLOUR:
                colour = self._colour(meaning)
                if colour is not None and self._by_post:
                    terms = Correspondence(colour)
                    self.settings = replace(self.settings, white=Player.VOICE, black=Player.VOICE, correspondence=terms)
                    return (self._say("welcome.your_colour", side=Side(colour)), *self._enter(WelcomeStep.DAYS, at_ms))
                if colour is not None:
                    self.settings = with_colour(self.settings, colour)
                    return (self._say("welcome.your_colour", side=Side(colour)), *self._enter(WelcomeStep.LEVEL, at_ms))
            case WelcomeStep.LEVEL if self.boards and isinstance(meaning, Command) and meaning.name == "levels":
                levels = [int(value) for name, value in meaning.slots if name.startswith("number")]
                if len(levels) > self.boards:
                    return (self._say("welcome.too_many_levels", count=self.boards), *self._ask_again())
                if all(level in LEVELS for level in levels):
                    self.levels = tuple(levels[number % len(levels)] for number in range(self.boards))
                    return self._start(replace(self.settings, level=levels[0], time=""), at_ms)
            case WelcomeStep.LEVEL:
                level = number_in(meaning, "level", *(("level_mixed",) if self.boards else ()))
                if level is not None and level in LEVELS:
                    self.settings = replace(self.settings, level=level)
                    self.levels = (level,) * self.boards
                    self.alternating = isinstance(meaning, Command) and meaning.name == "level_mixed"
                    if self.boards:  # untimed, as displays usually are
                        return self._start(replace(self.settings, time=""), at_ms)
                    return self._enter(WelcomeStep.TIME, at_ms)
            case WelcomeStep.BOARDS:
                number = number_in(meaning, "level")
                if number is not None:
                    return self._display(number, at_ms)
            case WelcomeStep.TIME:
                time = time_said(meaning)
                if time is not None:
                    return self._start(replace(self.settings, time=time), at_ms)
            case WelcomeStep.DAYS:
                days = _days(meaning)
                if days is not None:
                    return self._start(replace(self.settings, time=days), at_ms)
        return None

    def _named(self, said: Command, event: ev.Heard) -> tuple[Effect, ...] | None:
        """Take terms that were named: they are read back, and the others offered. None if there are none."""
        offer = self.offer
        if self.step in _BY_TERMS or (self.step is WelcomeStep.UNFINISHED and said.name == "terms"):
            offer = offer or Offer(self._proposed[0] if self._proposed else self._easy)
        if said.name == "terms" and self.step is WelcomeStep.OPPONENT:
            offer = Offer(self._easy)
        if offer is None and said.name == "terms":
            return self._ahead_of(parts_of(said), event.at_ms)
        if offer is None or offer.settings.display:
            return None
        if said.name in _ASKS_FOR:
            self.offer = offer
            return self._enter(_ASKS_FOR[said.name], event.at_ms)
        alone = len(event.readings[0].words.split()) < 2
        if alone and said.name == "level" and Term.LEVEL in offer.named and Term.TIME in offer.open:
            said = Command("minutes", said.slots)  # a lone number can only mean minutes here
        changed = offer.with_terms(said, self.coin)
        if changed is None:
            return None
        self.offer = changed
        named = changed.named_in(said, offer)
        told = (self._say("welcome.agreed", terms=changed.told(named)),) if named else ()
        if changed.open:
            return (*told, *self._enter(WelcomeStep.OFFER, event.at_ms))
        self.settings, self.outcome = changed.settings, WelcomeOutcome.NEW_GAME
        return (*told, *self._enter(WelcomeStep.DONE, event.at_ms))

    def _ahead_of(self, parts: Sequence[Command], at_ms: int) -> tuple[Effect, ...] | None:
        """Several terms where one was asked for: each answers its question in turn."""
        self._ahead = {_QUESTION_ABOUT[TERM_OF[part.name]]: part for part in parts}
        return self._enter(self.step, at_ms) if self.step in self._ahead else None

    def _opened_with(self, event: ev.Heard) -> tuple[Effect, ...] | None:
        """Take a first move as a yes, if it would be played as it was recognised."""
        board = self._opening_board
        typed = event.source is ev.Source.KEYBOARD
        if board is None or not isinstance(decide(board, event.readings, typed=typed), Play):
            return None
        self.settings, self.outcome, self.opening = self._proposed[0], WelcomeOutcome.NEW_GAME, event
        return self._enter(WelcomeStep.DONE, event.at_ms)

    def _which_game(self, meaning: Meaning, at_ms: int) -> tuple[Effect, ...] | None:
        """Choose one of the games read out, or none: then a new one, if correspondence was asked for."""
        if isinstance(meaning, Answer) and meaning.kind in (AnswerKind.NO, AnswerKind.NONE):
            return self._enter(WelcomeStep.COLOUR if self._by_post else self._after_post(), at_ms)
        place = number_in(meaning, "number") or ordinal_in(meaning)
        if place is None and isinstance(meaning, Answer) and len(self._listed) == 1:
            place = 1  # "ja"
        if place is None or not 1 <= place <= len(self._listed):
            return None
        self.opened, self.outcome = self._listed[place - 1], WelcomeOutcome.OPEN
        return self._enter(WelcomeStep.DONE, at_ms)

    def _colour(self, meaning: Meaning) -> chess.Color | None:
        if not isinstance(meaning, Command):
            return None
        if meaning.name == "random":
            return self.coin()
        colour = meaning.slot("colour")
        return bool(colour) if meaning.name == "colour" and colour is not None else None

    def _silence(self, at_ms: int) -> tuple[Effect, ...]:
        if self._misses >= MISSES and not (self._tried or self.rematch or self.greeted):
            return (self._say("welcome.silence"), *self._enter(WelcomeStep.MICROPHONE, at_ms))
        if self._misses >= MISSES and self.step is WelcomeStep.MICROPHONE:
            return self._give_up(at_ms)
        return super()._silence(at_ms)

    def _give_up(self, at_ms: int) -> tuple[Effect, ...]:
        if self.step is WelcomeStep.MICROPHONE:
            told = "heard" if self._understood else "use_keyboard" if self._noticed else "use_keyboard_unheard"
            return (self._say(f"welcome.{told}"), *self._enter(self._after_microphone(), at_ms))
        return super()._give_up(at_ms)


def _days(meaning: Meaning) -> str | None:
    """The notation for days: "three days a move", "ten moves in fifty days", "" for none. None if it is no time
    control."""
    if not isinstance(meaning, Command):
        return None
    if meaning.name == "untimed":
        return ""
    one, other = meaning.slot("number"), meaning.slot("number2")
    notation = f"{other}days/{one}" if meaning.name == "days_moves" else f"{one}days"
    if meaning.name not in ("days", "days_moves"):
        return None
    try:
        return parse_time(notation).notation
    except Failure:
        return None
