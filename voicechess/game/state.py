"""The state of a game: board, clock, score so far, the open question, and the effects of the current event.

`Table` only holds things together and collects effects. What happens to them is in `turns`, `questions`, `commands`,
`queries`, `timing` and the other files that `session` combines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import InitVar, dataclass, field, replace

import chess

from voicechess.game import phases
from voicechess.game.agreement import (
    DEFAULT_THRESHOLDS_MS,
    HALF_OF_BASE_MS,
    GameSettings,
    Preset,
    read_answers,
    start_board,
)
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
"""Timeout, milliseconds, after which a sentence without a report counts as said. Larger: a lost report delays the game
longer."""


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """An open question: what was asked, how, and what the answers do."""

    asked: Question  # as far as the answer depends on it
    utterance: Utterance  # as last asked
    asked_ms: int = 0  # when it was first asked; words that began earlier are no answer
    command: Command | None = None  # the command to be confirmed
    deadline_ms: int | None = None  # when silence becomes a no; None: never
    unanswered: int = 0  # number of utterances since that were no answer
    agreed: Callable[[Table, Command], None] | None = None  # effect of a yes, if not that of `command`
    otherwise: Callable[[Table, Command], None] | None = None  # effect of a no or silence
    silent: str = ""  # said on silence, which then is no answer at all
    after_silence: str = ""  # said before silence takes effect as a no
    stands: bool = False  # the clock is stopped until it is answered
    about_ms: int | None = None  # end of the words it is about, which may be continued before it is heard
    either: tuple[Command, ...] = ()  # the commands to choose from
    slot_by_slot: bool = False  # asks for piece, file and rank of a move one by one
    repeated: bool = False  # one of the moves was already repeated, so dropping it has to be announced
    guessed: bool = False  # its subject was suggested by words without a meaning
    said: int = 0  # the last of its utterances said so far

    @property
    def unsaid(self) -> bool:
        """Whether it has not been said yet, as last asked."""
        return self.said != self.utterance.number


@dataclass(frozen=True, slots=True)
class Asking:
    """A question is open."""

    phase: QuestionPhase
    question: OpenQuestion
    back: Lasting | None = None  # the phase to return to when it is closed; None: the player to move


PhaseState = Waiting | Repeating | Announcing | Asking | Lasting
"""A phase with its data, which ends with it."""


# --- the table itself -------------------------------------------------------------------------------------------------


@dataclass
class Table:
    """The complete state of a game. Times in milliseconds of the events' time."""

    settings: GameSettings
    date: str = ""  # start date, "YYYY.MM.DD"
    given: InitVar[Kind[Table] | None] = None  # its kind; None: at this board, or against an engine in the settings
    kind: Kind[Table] = field(init=False)
    board: chess.Board = field(init=False)  # with the moves made on its stack
    clock: Clock = field(init=False)
    rules: Rules = field(init=False)  # of the edition of the laws
    state: PhaseState = field(default_factory=lambda: Waiting(Phase.NOT_STARTED))
    plies: list[Ply] = field(default_factory=list)  # the moves made
    notes: list[Note] = field(default_factory=list)  # incidents since the last move
    offer: DrawOffer = field(default_factory=DrawOffer)  # the pending draw offer, and who may not offer again
    bound: Bound = field(default_factory=Bound)  # obligations of the player to move
    illegal_moves: dict[chess.Color, int] = field(default_factory=lambda: dict.fromkeys(chess.COLORS, 0))
    win_claim: tuple[chess.Color, Penalty] | None = None  # who may claim instead of moving, and the penalty
    postponed: tuple[chess.Color, Command] | None = None  # a claim postponed by the arbiter, and the claimant
    absent: Absent | None = None  # None: nobody is missing
    machine: FromEngine = field(default_factory=FromEngine)
    company: Company = field(default_factory=Company)  # tells the player's voice from bystanders'
    heard: HeardSoFar = field(default_factory=HeardSoFar)
    told: ToldSoFar = field(default_factory=ToldSoFar)
    times: TimesToTell = field(default_factory=TimesToTell)
    now_ms: int = 0  # of the current event
    started_ms: int = 0  # when the game began
    turn_since_ms: int = 0  # when the player to move learnt that it is their turn
    between_until_ms: int = 0  # words that began before this came between the last move and the clock (Art. 9.1)
    _out: Outbox = field(default_factory=Outbox)

    def __post_init__(self, given: Kind[Table] | None) -> None:
        self.kind = kind_here(self.settings) if given is None else given
        self.settings = self.kind.agreed(self.settings)
        self.board = start_board(self.settings)
        self.clock = Clock.new(parse_time(self.settings.time), self.board.turn)
        self.rules = EDITIONS[self.settings.laws]
        self.times.wanted_ms = self.settings.personal.thresholds_ms
        self.told.forms = read_answers(self.settings.personal.answers)

    # --- the phase and what belongs to it -----------------------------------------------------------------------------

    @property
    def phase(self) -> Phase:
        """What the game is waiting for."""
        return self.state.phase

    @property
    def pending(self) -> Repeating | None:
        """The move being repeated."""
        return self.state if isinstance(self.state, Repeating) else None

    @property
    def open(self) -> OpenQuestion | None:
        """The open question."""
        return self.state.question if isinstance(self.state, Asking) else None

    @property
    def ending(self) -> Ending | None:
        """How the game ended; None during play."""
        return self.base.ending if isinstance(self.base, Over) else None

    @property
    def awaited(self) -> Awaited | None:
        """The utterance whose end the game waits for."""
        awaited = self.state.awaited if isinstance(self.state, Repeating | Announcing) else None
        return awaited if isinstance(awaited, Awaited) else None

    @property
    def window(self) -> CorrectionWindow | None:
        """The time in which the repeated move can still be corrected by voice."""
        awaited = self.state.awaited if isinstance(self.state, Repeating) else None
        return awaited if isinstance(awaited, CorrectionWindow) else None

    @property
    def base(self) -> Lasting | None:
        """The lasting phase, also behind an open question; None while a player is to move."""
        if isinstance(self.state, Asking):
            return self.state.back
        return self.state if isinstance(self.state, Lasting) else None

    @property
    def base_phase(self) -> Phase:
        """The phase behind the open question, if any."""
        return self.phase if self.base is None else self.base.phase

    @property
    def paused(self) -> Pause | None:
        """Why the game is paused."""
        return self.base.why if isinstance(self.base, Paused) else None

    @property
    def judging(self) -> Command | None:
        """The claim being judged."""
        return self.base.claim if isinstance(self.base, Judging) and not self.base.by_arbiter else None

    @property
    def adjournment(self) -> Adjournment | None:
        """The adjournment in progress."""
        return self.base.adjournment if isinstance(self.base, Sealing | Adjourned) else None

    @property
    def considering(self) -> bool:
        """Whether the engine is considering a draw."""
        return isinstance(self.base, Thinking | Adjourned) and self.base.considering

    @property
    def stands(self) -> bool:
        """Whether the clock is stopped only for the open question."""
        return self.open is not None and self.open.stands

    # --- asking -------------------------------------------------------------------------------------------------------

    @property
    def turn(self) -> chess.Color:
        """Whose move it is."""
        return self.board.turn

    @property
    def mistaken(self) -> frozenset[chess.Move]:
        """Moves that were recognised in place of the next one, but not meant."""
        unsure = self.heard.unsure
        return unsure.mistaken if unsure and unsure.plies == len(self.plies) else frozenset()

    def deny(self, moves: Iterable[chess.Move], readings: tuple[Reading, ...] = ()) -> None:
        """Note that these moves were recognised but not meant; `readings`: the other readings."""
        self.heard.unsure = Unsure(len(self.plies), self.heard.words_ended_ms, readings, self.mistaken | set(moves))

    @property
    def timed(self) -> bool:
        """Whether there is a time limit."""
        return not self.clock.control.untimed

    @property
    def default_ms(self) -> int:
        """Default time at the start, milliseconds."""
        minutes = self.settings.default_minutes
        return self.rules.default_ms if minutes is None else minutes * 60_000

    @property
    def may_be_missing(self) -> bool:
        """Whether one of two people may still be missing at the start."""
        started = all(self.clock.moves(colour) for colour in chess.COLORS)
        return self.kind.both_here and not started and self.base_phase not in (Phase.NOT_STARTED, Phase.OVER)

    def is_missing(self, colour: chess.Color) -> bool:
        """Whether this side was reported missing."""
        return self.absent is not None and colour in self.absent.colours

    def came(self, colour: chess.Color) -> None:
        """This side has arrived, if it was missing."""
        if self.absent is not None and colour in self.absent.colours:
            others = tuple(other for other in self.absent.colours if other != colour)
            self.absent = replace(self.absent, colours=others) if others else None

    @property
    def may_seal_reply(self) -> bool:
        """Whether the player to move replies to a missing side, and may seal the move."""
        return self.is_missing(not self.turn) and bool(self.plies)

    @property
    def engine_to_move(self) -> bool:
        """Whether the next move comes from the engine or a server."""
        return self.kind.opponent == self.turn

    @property
    def seeks_hint(self) -> bool:
        """Whether the engine is searching for a hint."""
        hint = self.machine.hint
        return hint is not None and hint.uci is None and hint.fen == self.board.fen()

    @property
    def casual(self) -> bool:
        """Whether the program may help and volunteer information."""
        return self.settings.preset is Preset.CASUAL

    def announced(self, move: chess.Move) -> SaidMove:
        """Announcement of a legal move, by this game's settings."""
        return said_move(self.board, move, self.names_captured)

    @property
    def names_captured(self) -> bool:
        """Whether announcements name the captured piece. In other games they follow the laws, and in strict blind play
        the program does not reveal what stood there."""
        return self.casual and self.settings.personal.captured

    def reason(self, refusal: Refusal) -> Phrase:
        """Why a move is refused, as far as this game may tell."""
        told = untold(refusal) if self.settings.preset is Preset.STRICT_BLIND else refusal
        return told.phrase

    @property
    def speaker(self) -> chess.Color:
        """The side whose words are heard: the only player here, otherwise the side to move."""
        return self.kind.speaker(self.turn)

    def speaker_of(self, command: Command) -> chess.Color:
        """The side that `command` is for: the one it names ("Schwarz gibt auf"), otherwise the speaker's."""
        colour = command.slot("colour")
        return self.speaker if colour is None else bool(colour)

    def may_offer(self, by: chess.Color) -> bool:
        """Whether a draw offered now by `by` can be agreed (2023: 5.2.3, after a move of both)."""
        needed = max(self.rules.draw_after_plies, 2 * self.settings.draw_after)
        return len(self.plies) + (by == self.turn) >= needed

    def say_too_early(self) -> None:
        """Say why a draw cannot be agreed yet."""
        if self.settings.draw_after:
            self.say("offer.not_before", {"number": self.settings.draw_after})
        else:
            self.say("offer.too_early")

    def thresholds(self, colour: chess.Color) -> tuple[int, ...]:
        """Remaining times announced to `colour` in its current period."""
        if not self.timed:
            return ()
        base = self.clock.control.period(colour, self.clock.side(colour).period).base_ms
        half = half_of_base(self.clock.control, colour) or 0
        wanted = DEFAULT_THRESHOLDS_MS if self.times.wanted_ms is None else self.times.wanted_ms
        found = {half if ms == HALF_OF_BASE_MS else ms for ms in wanted}
        return tuple(ms for ms in sorted(found, reverse=True) if 0 < ms < base)

    # --- doing --------------------------------------------------------------------------------------------------------

    def enter(self, entered: PhaseState) -> None:
        """Change the phase, with its data; nothing else does. The data of the old one is lost, including the engine's
        reply to a move that is not made. Raises IllegalTransition."""
        phases.check(self.phase, entered.phase)
        if self.pending is not None and self.pending.asked_ms is not None and entered.phase is not Phase.THINKING:
            self.machine.held = None
            self.do(StopThinking())
        self.state = entered

    def amend(self, amended: PhaseState) -> None:
        """Change the data of the current phase, or of the lasting one behind the open question."""
        if isinstance(self.state, Asking) and isinstance(amended, Lasting):
            self.state = replace(self.state, back=amended)
        else:
            assert amended.phase is self.phase, "another phase is entered"
            self.state = amended

    def amend_question(self, question: OpenQuestion) -> None:
        """Change the open question."""
        assert isinstance(self.state, Asking), "a question is open"
        self.state = replace(self.state, question=question)

    def step_to_base(self) -> None:
        """Close the open question: back to the lasting phase, or to the side to move."""
        if self.base is None:
            self.step_to_turn()
        elif self.state is not self.base:
            self.enter(self.base)

    def step_to_turn(self) -> None:
        """On to the side to move, whatever the phase."""
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
        """Drop all offers, claims, touched pieces and missing players."""
        self.machine.held = self.win_claim = self.absent = self.postponed = None
        self.offer, self.bound = DrawOffer(), Bound()

    def say(self, key: str, slots: Mapping[str, Slot] | None = None, priority: Priority = Priority.NORMAL) -> Utterance:
        """Say the sentence `key`; returns the numbered utterance."""
        utterance = self._out.announcer.utterance(key, slots, priority)
        self._out.effects.append(Say(utterance))
        return utterance

    def tell(self, phrases: Sequence[Phrase]) -> Utterance:
        """Say these sentences, at least one; returns the last utterance."""
        return [self.say(one.key, one.slots) for one in phrases][-1]

    def again(self, utterance: Utterance) -> Utterance:
        """Repeat an utterance under a new number; what waited for the old one waits for the new one."""
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
        """Continue when this was said, or after `SPEECH_LIMIT_MS` without a report."""
        assert isinstance(self.state, Repeating | Announcing), "only these wait for the end of what is said"
        self.amend(replace(self.state, awaited=Awaited(utterance.number, self.now_ms + SPEECH_LIMIT_MS)))

    def sound(self, tone: Tone, *, alone: bool = False) -> None:
        """Play a short tone; `alone` when nothing is said with it."""
        self._out.effects.append(Sound(tone, alone))

    def do(self, effect: Effect) -> None:
        """Add an effect."""
        self._out.effects.append(effect)

    def take_floor(self) -> None:
        """The game gets the floor: its expectation is sent again in any case."""
        self._out.listened = None

    def listen(self, expectation: Expectation) -> None:
        """Send the expectation, if it has changed."""
        if expectation != self._out.listened:
            self._out.listened = expectation
            self._out.effects.append(Listen(expectation))

    def keep_private(self) -> None:
        """Send whether announcements are to be sealed, if that has changed: until the clocks are stopped."""
        sealing, wanted = self.base, KeepPrivate(None)
        if isinstance(sealing, Sealing) and (self.phase is Phase.SEALING or sealing.adjournment.stage is Stage.SEALED):
            wanted = KeepPrivate(sealing.adjournment.envelope, self.clock, sealing.resumes_in_ms)
        if wanted != self._out.private:
            self._out.private = wanted
            self._out.effects.append(wanted)

    def take_effects(self) -> tuple[Effect, ...]:
        """The collected effects; the next event starts with none."""
        effects, self._out.effects = tuple(self._out.effects), []
        return effects

    @property
    def last_said(self) -> Utterance:
        """The last utterance of the current event. Raises ValueError if there is none."""
        said = [effect.utterance for effect in self._out.effects if isinstance(effect, Say)]
        if not said:
            raise ValueError("nothing has been said")
        return said[-1]
