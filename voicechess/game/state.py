"""The table a game is played at: board, clock, score so far, the open question, and what is to be done about an event.

`Table` only keeps things together and collects effects. What happens to them is in `turns`, `questions`, `commands`,
`queries`, `timing` and the other files that `session` brings together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import InitVar, dataclass, field, replace

import chess

from voicechess.game import phases
from voicechess.game.agreement import DEFAULT_THRESHOLDS_MS, GameSettings, Preset, start_board
from voicechess.game.company import Company
from voicechess.game.effects import Effect, KeepPrivate, Listen, Say, Sound, StopThinking
from voicechess.game.kind import Kind, kind_here
from voicechess.game.phases import (
    Adjourned,
    Announcing,
    Awaited,
    CorrectionWindow,
    Judging,
    Lasting,
    Over,
    Pause,
    Paused,
    Phase,
    QuestionPhase,
    Repeating,
    Sealing,
    Thinking,
    Waiting,
)
from voicechess.game.situation import Absent, Bound, FromEngine, HeardSoFar, Outbox, Ply, TimesToTell, ToldSoFar, Unsure
from voicechess.laws.adjournment import Adjournment, Stage
from voicechess.laws.clock import Clock, half_of_base
from voicechess.laws.draws import DrawOffer
from voicechess.laws.editions import EDITIONS, Penalty, Rules
from voicechess.laws.results import Ending
from voicechess.laws.time_controls import parse_time
from voicechess.meaning import Command, Expectation, Question, Reading
from voicechess.messages import Phrase, Priority, SaidMove, Slot, Tone, Utterance
from voicechess.moves.refusals import Refusal, untold
from voicechess.moves.saying import said_move
from voicechess.score.score import Note

SPEECH_LIMIT_MS = 20_000
"""Timeout in milliseconds after which a sentence counts as said though its end was not reported."""


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question that was put: what was asked, how, and what an answer does. `deadline_ms`: when silence has become a
    no (None: never)."""

    asked: Question
    utterance: Utterance
    asked_ms: int = 0
    command: Command | None = None
    deadline_ms: int | None = None
    unanswered: int = 0
    agreed: Callable[[Table, Command], None] | None = None  # what a yes does, if not what `command` says
    otherwise: Callable[[Table, Command], None] | None = None  # what a no or silence does
    silent: str = ""  # silence is no answer then, not even a no: this is said
    after_silence: str = ""  # said first where silence does what a no does
    stands: bool = False  # the clock stands until it is answered
    about_ms: int | None = None  # when the words ended that it is about, whose rest may come before it is heard
    either: tuple[Command, ...] = ()  # these commands are the choice
    slot_by_slot: bool = False  # the move is taken apart: piece, file and rank, one after the other
    repeated: bool = False  # one of the moves had been repeated as said, so that it is not dropped without a word
    guessed: bool = False  # words that meant nothing pointed to what it is about
    said: int = 0  # the last of its utterances that has been said

    @property
    def unsaid(self) -> bool:
        """Whether it has not been said yet, as it was last put."""
        return self.said != self.utterance.number


@dataclass(frozen=True, slots=True)
class Asking:
    """A question is open. `back`: where the game returns when it is closed; None: to the player to move."""

    phase: QuestionPhase
    question: OpenQuestion
    back: Lasting | None = None


PhaseState = Waiting | Repeating | Announcing | Asking | Lasting
"""A phase with everything that belongs to it, and is gone with it."""


# --- the table itself -------------------------------------------------------------------------------------------------


@dataclass
class Table:
    """Everything a game is, at one moment. Times in milliseconds of the events' time.

    `given`: the kind of game; None: at this board, against an engine if the settings name one.
    """

    settings: GameSettings
    date: str = ""  # the day it began on
    given: InitVar[Kind[Table] | None] = None
    kind: Kind[Table] = field(init=False)
    board: chess.Board = field(init=False)
    clock: Clock = field(init=False)
    rules: Rules = field(init=False)
    state: PhaseState = field(default_factory=lambda: Waiting(Phase.NOT_STARTED))
    plies: list[Ply] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)  # what happened since the last move
    offer: DrawOffer = field(default_factory=DrawOffer)
    bound: Bound = field(default_factory=Bound)
    illegal_moves: dict[chess.Color, int] = field(default_factory=lambda: dict.fromkeys(chess.COLORS, 0))
    win_claim: tuple[chess.Color, Penalty] | None = None  # who may claim instead of moving, and what follows
    postponed: tuple[chess.Color, Command] | None = None  # a claim, and whose, that the arbiter decides later
    absent: Absent | None = None
    machine: FromEngine = field(default_factory=FromEngine)
    company: Company = field(default_factory=Company)
    heard: HeardSoFar = field(default_factory=HeardSoFar)
    told: ToldSoFar = field(default_factory=ToldSoFar)
    times: TimesToTell = field(default_factory=TimesToTell)
    now_ms: int = 0
    started_ms: int = 0
    turn_since_ms: int = 0  # since when the player to move can know that it is their turn
    between_until_ms: int = 0  # words that began before this were said between the last move and the clock (Art. 9.1)
    _out: Outbox = field(default_factory=Outbox)

    def __post_init__(self, given: Kind[Table] | None) -> None:
        self.kind = kind_here(self.settings) if given is None else given
        self.settings = self.kind.agreed(self.settings)
        self.board = start_board(self.settings)
        self.clock = Clock.new(parse_time(self.settings.time), self.board.turn)
        self.rules = EDITIONS[self.settings.laws]
        self.times.wanted_ms = self.settings.personal.thresholds_ms

    # --- the phase and what belongs to it -----------------------------------------------------------------------------

    @property
    def phase(self) -> Phase:
        """What the game is waiting for."""
        return self.state.phase

    @property
    def pending(self) -> Repeating | None:
        """The move that is being repeated."""
        return self.state if isinstance(self.state, Repeating) else None

    @property
    def open(self) -> OpenQuestion | None:
        """The question that is open."""
        return self.state.question if isinstance(self.state, Asking) else None

    @property
    def ending(self) -> Ending | None:
        """How the game has ended, None while it is played."""
        return self.base.ending if isinstance(self.base, Over) else None

    @property
    def awaited(self) -> Awaited | None:
        """What the game waits for to be said."""
        awaited = self.state.awaited if isinstance(self.state, Repeating | Announcing) else None
        return awaited if isinstance(awaited, Awaited) else None

    @property
    def window(self) -> CorrectionWindow | None:
        """The time in which the move that has been repeated can still be corrected by voice."""
        awaited = self.state.awaited if isinstance(self.state, Repeating) else None
        return awaited if isinstance(awaited, CorrectionWindow) else None

    @property
    def base(self) -> Lasting | None:
        """What lasts, also behind an open question; None while a player is to move."""
        if isinstance(self.state, Asking):
            return self.state.back
        return self.state if isinstance(self.state, Lasting) else None

    @property
    def base_phase(self) -> Phase:
        """What the game waits for when the question that is open, if any, has been closed, and is not the player."""
        return self.phase if self.base is None else self.base.phase

    @property
    def paused(self) -> Pause | None:
        """Why the game is paused."""
        return self.base.why if isinstance(self.base, Paused) else None

    @property
    def judging(self) -> Command | None:
        """The claim that the engine judges."""
        return self.base.claim if isinstance(self.base, Judging) and not self.base.by_arbiter else None

    @property
    def adjournment(self) -> Adjournment | None:
        """The adjournment on its way."""
        return self.base.adjournment if isinstance(self.base, Sealing | Adjourned) else None

    @property
    def considering(self) -> bool:
        """Whether the engine is asked about a draw."""
        return isinstance(self.base, Thinking | Adjourned) and self.base.considering

    @property
    def stands(self) -> bool:
        """Whether the clock stands only for the question that is open."""
        return self.open is not None and self.open.stands

    # --- asking -------------------------------------------------------------------------------------------------------

    @property
    def turn(self) -> chess.Color:
        """Whose move it is."""
        return self.board.turn

    @property
    def mistaken(self) -> frozenset[chess.Move]:
        """Moves that were heard in place of the one that is to come, and not meant."""
        unsure = self.heard.unsure
        return unsure.mistaken if unsure and unsure.plies == len(self.plies) else frozenset()

    def deny(self, moves: Iterable[chess.Move], readings: tuple[Reading, ...] = ()) -> None:
        """These moves were heard and not meant; `readings`: what else may have been."""
        self.heard.unsure = Unsure(len(self.plies), self.heard.words_ended_ms, readings, self.mistaken | set(moves))

    @property
    def timed(self) -> bool:
        """Whether anybody's time is limited."""
        return not self.clock.control.untimed

    @property
    def default_ms(self) -> int:
        """How late a player may come to the start."""
        minutes = self.settings.default_minutes
        return self.rules.default_ms if minutes is None else minutes * 60_000

    @property
    def may_be_missing(self) -> bool:
        """Whether one of two people may not have come yet to the start."""
        started = all(self.clock.moves(colour) for colour in chess.COLORS)
        return self.kind.both_here and not started and self.base_phase not in (Phase.NOT_STARTED, Phase.OVER)

    def is_missing(self, colour: chess.Color) -> bool:
        """Whether this side has been told to be missing."""
        return self.absent is not None and colour in self.absent.colours

    def came(self, colour: chess.Color) -> None:
        """This side is there now, if it was missing."""
        if self.absent is not None and colour in self.absent.colours:
            others = tuple(other for other in self.absent.colours if other != colour)
            self.absent = replace(self.absent, colours=others) if others else None

    @property
    def may_seal_reply(self) -> bool:
        """Whether the player to move answers a side that is missing, and may seal the move."""
        return self.is_missing(not self.turn) and bool(self.plies)

    @property
    def engine_to_move(self) -> bool:
        """Whether the engine, or somebody on a server, makes the next move."""
        return self.kind.opponent == self.turn

    @property
    def seeks_hint(self) -> bool:
        """Whether the engine is looking for a hint for the player to move."""
        hint = self.machine.hint
        return hint is not None and hint.uci is None and hint.fen == self.board.fen()

    @property
    def casual(self) -> bool:
        """Whether the program may help and volunteer."""
        return self.settings.preset is Preset.CASUAL

    def announced(self, move: chess.Move) -> SaidMove:
        """The announcement of a move that is legal now, as this game's settings want it."""
        return said_move(self.board, move, self.names_captured)

    @property
    def names_captured(self) -> bool:
        """Whether announcements say which piece is captured. Elsewhere they are as the laws have them, and in strict
        blind play the program does not tell where that piece stood."""
        return self.casual and self.settings.personal.captured

    def reason(self, refusal: Refusal) -> Phrase:
        """Why a move is refused, as far as this game tells its players."""
        told = untold(refusal) if self.settings.preset is Preset.STRICT_BLIND else refusal
        return told.phrase

    @property
    def speaker(self) -> chess.Color:
        """Whose words are heard: the only player's at the microphone, else those of the side to move."""
        return self.kind.speaker(self.turn)

    def speaker_of(self, command: Command) -> chess.Color:
        """For whom `command` was said: for the side it names ("Schwarz gibt auf"), else for the speaker."""
        colour = command.slot("colour")
        return self.speaker if colour is None else bool(colour)

    def may_offer(self, by: chess.Color) -> bool:
        """Whether a draw that `by` offers now can be agreed once it stands (2023: 5.2.3, after a move of both)."""
        needed = max(self.rules.draw_after_plies, 2 * self.settings.draw_after)
        return len(self.plies) + (by == self.turn) >= needed

    def say_too_early(self) -> None:
        """Why a draw cannot be agreed yet."""
        if self.settings.draw_after:
            self.say("offer.not_before", {"number": self.settings.draw_after})
        else:
            self.say("offer.too_early")

    def thresholds(self, colour: chess.Color) -> tuple[int, ...]:
        """The remaining times that are announced to `colour` in its current period."""
        if not self.timed:
            return ()
        base = self.clock.control.period(colour, self.clock.side(colour).period).base_ms
        half = half_of_base(self.clock.control, colour)
        wanted = (half or 0, *DEFAULT_THRESHOLDS_MS) if self.times.wanted_ms is None else self.times.wanted_ms
        return tuple(ms for ms in sorted(set(wanted), reverse=True) if 0 < ms < base)

    # --- doing --------------------------------------------------------------------------------------------------------

    def enter(self, entered: PhaseState) -> None:
        """Go over to another phase, with what belongs to it: the only place where the phase changes. What belonged to
        the old one is gone with it: also the engine's answer to a move that is not made. Raises IllegalTransition."""
        phases.check(self.phase, entered.phase)
        if self.pending is not None and self.pending.asked_ms is not None and entered.phase is not Phase.THINKING:
            self.machine.held = None
            self.do(StopThinking())
        self.state = entered

    def amend(self, amended: PhaseState) -> None:
        """Something new about the phase the game is in, or about the one that lasts behind the open question."""
        if isinstance(self.state, Asking) and isinstance(amended, Lasting):
            self.state = replace(self.state, back=amended)
        else:
            assert amended.phase is self.phase, "another phase is entered"
            self.state = amended

    def amend_question(self, question: OpenQuestion) -> None:
        """Something new about the question that is open."""
        assert isinstance(self.state, Asking), "a question is open"
        self.state = replace(self.state, question=question)

    def step_to_base(self) -> None:
        """Close what is open: back to what lasts, or on to the side that is to move."""
        if self.base is None:
            self.step_to_turn()
        elif self.state is not self.base:
            self.enter(self.base)

    def step_to_turn(self) -> None:
        """On to the side that is to move, whatever lasted until now."""
        if self.engine_to_move:
            following: PhaseState = Thinking()
        elif self.bound.repeats:
            following = Waiting(Phase.ECHOING)
        else:
            answers = self.offer.can_answer(self.turn) and self.kind.is_here(self.turn)
            following = Waiting(Phase.DRAW_OFFERED if answers else Phase.LISTENING)
        if following.phase is self.phase:
            self.amend(following)
        else:
            self.enter(following)

    def forget(self) -> None:
        """Nothing is offered, claimed or touched any more, and no player is waited for."""
        self.machine.held = self.win_claim = self.absent = self.postponed = None
        self.offer, self.bound = DrawOffer(), Bound()

    def say(self, key: str, slots: Mapping[str, Slot] | None = None, priority: Priority = Priority.NORMAL) -> Utterance:
        """Say the sentence `key`; returns the numbered utterance."""
        utterance = self._out.announcer.utterance(key, slots, priority)
        self._out.effects.append(Say(utterance))
        return utterance

    def tell(self, phrases: Sequence[Phrase]) -> Utterance:
        """Say these sentences, one at least; returns the last one."""
        return [self.say(one.key, one.slots) for one in phrases][-1]

    def again(self, utterance: Utterance) -> Utterance:
        """Say the same once more, under a new number; what waited for the old one waits for the new one."""
        fresh = self.say(utterance.key, dict(utterance.slots), utterance.priority)
        match self.state:
            case Repeating(awaited=CorrectionWindow(number)) if number == utterance.number:
                self.wait_for(fresh)
            case Repeating(awaited=Awaited(number, until_ms)) | Announcing(awaited=Awaited(number, until_ms)) if (
                number == utterance.number
            ):
                self.amend(replace(self.state, awaited=Awaited(fresh.number, until_ms)))
            case Asking(question=question) if question.utterance.number == utterance.number:
                self.amend_question(replace(question, utterance=fresh))
        return fresh

    def wait_for(self, utterance: Utterance) -> None:
        """The game goes on when this has been said, or after `SPEECH_LIMIT_MS` without a report."""
        assert isinstance(self.state, Repeating | Announcing), "only these wait for the end of what is said"
        self.amend(replace(self.state, awaited=Awaited(utterance.number, self.now_ms + SPEECH_LIMIT_MS)))

    def sound(self, tone: Tone, *, alone: bool = False) -> None:
        """Play a short tone; `alone` when nothing is said with it."""
        self._out.effects.append(Sound(tone, alone))

    def do(self, effect: Effect) -> None:
        """Have this done."""
        self._out.effects.append(effect)

    def take_floor(self) -> None:
        """Whoever had the floor until now expected other words: what can be said is told in any case."""
        self._out.listened = None

    def listen(self, expectation: Expectation) -> None:
        """Tell what can be said now, if that has changed."""
        if expectation != self._out.listened:
            self._out.listened = expectation
            self._out.effects.append(Listen(expectation))

    def keep_private(self) -> None:
        """Tell whether announcements are for the envelope, if that has changed: until the clocks are stopped."""
        sealing, wanted = self.base, KeepPrivate(None)
        if isinstance(sealing, Sealing) and (self.phase is Phase.SEALING or sealing.adjournment.stage is Stage.SEALED):
            wanted = KeepPrivate(sealing.adjournment.envelope, self.clock, sealing.resumes_in_ms)
        if wanted != self._out.private:
            self._out.private = wanted
            self._out.effects.append(wanted)

    def take_effects(self) -> tuple[Effect, ...]:
        """What has been collected; the next event starts with nothing."""
        effects, self._out.effects = tuple(self._out.effects), []
        return effects

    @property
    def last_said(self) -> Utterance:
        """What has been said last about the event at hand. Raises ValueError when nothing has."""
        said = [effect.utterance for effect in self._out.effects if isinstance(effect, Say)]
        if not said:
            raise ValueError("nothing has been said")
        return said[-1]
