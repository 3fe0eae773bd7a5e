"""The table a game is played at: board, clock, score so far, the open question, and what is to be done about an event.

`Table` only keeps things together and collects effects. What happens to them is in `turns`, `questions`, `commands`,
`queries`, `timing` and the other files that `session` brings together. At the end of this file is what stops the
clocks: a question, the pause, and the end of the game, whose result is said and stands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import ClassVar

import chess

from voicechess.game import phases
from voicechess.game.agreement import DEFAULT_THRESHOLDS_MS, GameSettings, Player, Preset
from voicechess.game.effects import Announcer, Effect, GameEnded, KeepPrivate, Listen, Say, Sound, StopThinking
from voicechess.game.events import OpponentMoved
from voicechess.game.phases import Phase
from voicechess.laws.adjournment import Adjournment, Stage
from voicechess.laws.clock import Clock, half_of_base
from voicechess.laws.draws import DrawOffer
from voicechess.laws.editions import EDITIONS, Rules, fallen_flag
from voicechess.laws.results import Ending
from voicechess.laws.time_controls import parse_time
from voicechess.meaning import Asked, Castling, Command, Expectation
from voicechess.messages import Failure, Phrase, Priority, SaidMove, Slot, Text, Tone, Utterance
from voicechess.moves.refusals import Refusal, untold
from voicechess.moves.saying import said_move
from voicechess.score.score import Note

# --- the table --------------------------------------------------------------------------------------------------------

UNPLAYABLE = (
    chess.STATUS_EMPTY
    | chess.STATUS_NO_WHITE_KING
    | chess.STATUS_NO_BLACK_KING
    | chess.STATUS_TOO_MANY_KINGS
    | chess.STATUS_PAWNS_ON_BACKRANK
    | chess.STATUS_OPPOSITE_CHECK
)
"""Positions that chess cannot go on from. What only could not have come about (ten queens) can be played."""


SPEECH_LIMIT_MS = 20_000
"""The timeout after which something counts as said though its end was not reported."""


@dataclass(frozen=True, slots=True)
class Ply:
    """One move made, with the clock after it (and before it, for taking back) and when its words ended."""

    move: chess.Move
    clock: Clock
    clock_before: Clock
    ended_ms: int
    draw_offered: bool = False
    notes: tuple[Note, ...] = ()


class Pause(Enum):
    """Why the game is paused, also while a question is open in the pause."""

    STOPPED = "stopped"  # goes on when somebody says so
    LEFT = "left"  # the player went; coming back ends it


@dataclass(frozen=True, slots=True)
class Absent:
    """A side that is missing. `loses_at_ms`: when its default time is over (None: not known, or never).

    `turn_ms`: what the move of the side to move had taken when the clock of the missing side was started instead.
    """

    colour: chess.Color
    loses_at_ms: int | None = None
    turn_ms: int = 0
    over: bool = False


@dataclass(slots=True)
class OpenQuestion:
    """A question that was put: what was asked, how, and what an answer does. `deadline_ms`: when silence has become a
    no (None: never)."""

    asked: Asked
    utterance: Utterance
    asked_ms: int = 0
    command: Command | None = None
    deadline_ms: int | None = None
    unanswered: int = 0
    agreed: Callable[[Table, Command], None] | None = None  # what a yes does, if not what `command` says
    otherwise: Callable[[Table, Command], None] | None = None  # what a no or silence does
    silent: str = ""  # silence is no answer then, not even a no: this is said
    stands: bool = False  # the clock stands until it is answered
    about_ms: int | None = None  # when the words ended that it is about, whose rest may come before it is heard
    slot_by_slot: bool = False  # the move is taken apart: piece, file and rank, one after the other
    said: int = 0  # the last of its utterances that has been said

    @property
    def unsaid(self) -> bool:
        """Whether it has not been said yet, as it was last put."""
        return self.said != self.utterance.number


@dataclass(frozen=True, slots=True)
class Waiting:
    """A phase that has nothing of its own."""

    phase: Phase


@dataclass(frozen=True, slots=True)
class Repeating:
    """A move is being repeated and not made yet. `ended_ms`: the end of its words, when its clock stops.

    `unclear`: how often somebody has spoken meanwhile who was not understood.
    """

    phase: ClassVar[Phase] = Phase.REPEATING
    move: chess.Move
    ended_ms: int
    unclear: int = 0


@dataclass(frozen=True, slots=True)
class Asking:
    """A question is open: `phase` is CHOOSING, COMPLETING, PROMOTING or CONFIRMING."""

    phase: Phase
    question: OpenQuestion


@dataclass(frozen=True, slots=True)
class Over:
    """The game has ended so."""

    phase: ClassVar[Phase] = Phase.OVER
    ending: Ending


PhaseState = Waiting | Repeating | Asking | Over
"""A phase with everything that belongs to it, and is gone with it."""


@dataclass(frozen=True, slots=True)
class Announced:
    """What was announced, as it would be read back: the words, the pieces it names, the castling it wants."""

    words: str
    pieces: tuple[chess.Square, ...] = ()
    castling: Castling | None = None
    illegal: bool = True


@dataclass(frozen=True, slots=True)
class Bound:
    """What binds the player to move since the last move: pieces touched in their order, an illegal castling announced.

    `adjusts`: "j'adoube" was said. `announced`: what may still have to be answered for.
    """

    touched: tuple[chess.Square, ...] = ()
    castling: Castling | None = None
    adjusts: bool = False
    announced: Announced | None = None


@dataclass
class Table:
    """Everything a game is, at one moment. Times in milliseconds of the events' time."""

    settings: GameSettings
    board: chess.Board = field(init=False)
    clock: Clock = field(init=False)
    rules: Rules = field(init=False)
    thresholds_ms: tuple[int, ...] | None = field(init=False)
    state: PhaseState = Waiting(Phase.NOT_STARTED)
    players: dict[chess.Color, Player] = field(init=False)
    plies: list[Ply] = field(default_factory=list)
    held: OpponentMoved | None = None  # the engine's move that came while it could not be made
    paused: Pause | None = None
    stands: bool = False  # the clock stands only for the question that is open
    offer: DrawOffer = field(default_factory=DrawOffer)
    considering: bool = False  # the engine is asked about a draw
    echo_due: bool = False  # the player is to repeat the engine's last announcement before anything else
    claim: Command | None = None  # a draw claim that the next announced move is to make good
    bound: Bound = Bound()
    illegal_moves: dict[chess.Color, int] = field(default_factory=lambda: dict.fromkeys(chess.COLORS, 0))
    win_claim: tuple[chess.Color, Ending] | None = None  # who may claim instead of moving, and what follows
    judging: Command | None = None  # the claim that the engine judges
    adjournment: Adjournment | None = None
    resumes_in_ms: int | None = None
    absent: Absent | None = None
    settled: bool = False  # who was late to this resumption has been dealt with
    started_ms: int = 0
    notes: list[Note] = field(default_factory=list)  # what happened since the last move
    misses: int = 0
    refused: tuple[int, Phrase] | None = None  # what was refused last, and after how many plies
    in_noise: bool = False  # whether the room was loud when the last words were spoken
    noise_told: bool = False  # whether it has been said that nothing was understood; from then on the tone tells it
    rank_doubts: int = 0  # how often two ranks that sound alike had to be told apart
    corrected: chess.Move | None = None  # what was heard in place of the move that is to come
    failures: int = 0  # illegal moves of the engine, one after the other
    refused_queries: int = 0
    awaited: int | None = None  # the utterance whose end moves the game on
    awaited_until_ms: int = 0
    now_ms: int = 0
    turn_since_ms: int = 0  # since when the player to move can know that it is their turn
    words_ended_ms: int = 0  # when the words that are being answered had been said
    between_until_ms: int = 0  # words that began before this were said between the last move and the clock (Art. 9.1)
    looked_ms: int = 0  # until when thresholds of the clock have been looked at
    told_thresholds: set[tuple[chess.Color, int, int]] = field(default_factory=set)
    said: tuple[Utterance, ...] = ()  # what "repeat" repeats
    helped: tuple[Phase, int] | None = None  # where help was asked for last, and which part of it was told
    _announcer: Announcer = field(default_factory=Announcer)
    _effects: list[Effect] = field(default_factory=list)
    _listened: Expectation | None = None
    _private: KeepPrivate = field(default_factory=lambda: KeepPrivate(None))

    def __post_init__(self) -> None:
        self.board = start_board(self.settings)
        self.clock = Clock.new(parse_time(self.settings.time), self.board.turn)
        self.rules = EDITIONS[self.settings.laws]
        self.players = {chess.WHITE: self.settings.white, chess.BLACK: self.settings.black}
        self.thresholds_ms = self.settings.thresholds_ms

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
        return self.state.ending if isinstance(self.state, Over) else None

    # --- asking -------------------------------------------------------------------------------------------------------

    @property
    def turn(self) -> chess.Color:
        """Whose move it is."""
        return self.board.turn

    @property
    def timed(self) -> bool:
        """Whether anybody's time is limited."""
        return not self.clock.control.untimed

    @property
    def default_ms(self) -> int | None:
        """How late a player may come to the start; None where neither the settings nor the laws say it."""
        minutes = self.settings.default_minutes
        return self.rules.default_ms if minutes is None else minutes * 60_000

    @property
    def may_be_missing(self) -> bool:
        """Whether one of two people may not have come yet to the start."""
        started = all(self.clock.moves(colour) for colour in chess.COLORS)
        return self.engine is None and not started and self.phase not in (Phase.NOT_STARTED, Phase.OVER)

    @property
    def may_seal_reply(self) -> bool:
        """Whether the player to move answers a side that is missing, and may seal the move."""
        return self.absent is not None and self.absent.colour != self.turn and bool(self.plies)

    @property
    def engine_to_move(self) -> bool:
        """Whether the engine makes the next move."""
        return self.players[self.turn] is Player.ENGINE

    @property
    def engine(self) -> chess.Color | None:
        """The engine's side; None when two people play."""
        return next((colour for colour in chess.COLORS if self.players[colour] is Player.ENGINE), None)

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
        return self.casual and self.settings.captured

    def reason(self, refusal: Refusal) -> Phrase:
        """Why a move is refused, as far as this game tells its players."""
        told = untold(refusal) if self.settings.preset is Preset.STRICT_BLIND else refusal
        return told.phrase

    @property
    def speaker(self) -> chess.Color:
        """Whose words are heard: the only player's at the microphone, else those of the side to move."""
        engine = self.engine
        return self.turn if engine is None else not engine

    def speaker_of(self, command: Command) -> chess.Color:
        """For whom `command` was said: for the side it names ("Schwarz gibt auf"), else for the speaker."""
        colour = command.slot("colour")
        return self.speaker if colour is None else bool(colour)

    def may_offer(self, by: chess.Color) -> bool:
        """Whether a draw that `by` offers now can be agreed once it stands (2023: 5.2.3, after a move of both)."""
        return len(self.plies) + (by == self.turn) >= self.rules.draw_after_plies

    def thresholds(self, colour: chess.Color) -> tuple[int, ...]:
        """The remaining times that are announced to `colour` in its current period."""
        if not self.timed:
            return ()
        base = self.clock.control.period(colour, self.clock.side(colour).period).base_ms
        half = half_of_base(self.clock.control, colour)
        wanted = (half or 0, *DEFAULT_THRESHOLDS_MS) if self.thresholds_ms is None else self.thresholds_ms
        return tuple(ms for ms in sorted(set(wanted), reverse=True) if 0 < ms < base)

    # --- doing --------------------------------------------------------------------------------------------------------

    def enter(self, entered: PhaseState | Phase) -> None:
        """Go over to another phase, with what belongs to it: the only place where the phase changes. What belonged to
        the old one is gone with it, and what was waited for to be said. Raises IllegalTransition."""
        state = Waiting(entered) if isinstance(entered, Phase) else entered
        phases.check(self.phase, state.phase)
        self.state, self.awaited = state, None

    def step_to_base(self) -> None:
        """Close what is open: on to the side that is to move, or back to the pause."""
        base = self._base
        if self.phase is not base:
            self.enter(base)

    def forget(self) -> None:
        """Nothing is offered, claimed, judged, touched or adjourned any more, and no player is waited for."""
        self.held = self.claim = self.paused = self.judging = self.win_claim = self.absent = self.adjournment = None
        self.offer, self.bound = DrawOffer(), Bound()
        self.stands = self.considering = self.echo_due = self.settled = False

    @property
    def base_phase(self) -> Phase:
        """What the game waits for when the question that is open, if any, has been closed."""
        return self._base if self.phase is Phase.CONFIRMING else self.phase

    @property
    def _base(self) -> Phase:
        if self.paused is not None:
            return Phase.PAUSED
        if self.adjournment is not None:
            return Phase.ADJOURNED if self.adjournment.stage is Stage.STOPPED else Phase.SEALING
        if self.judging is not None:
            return Phase.JUDGING
        if self.engine_to_move:
            return Phase.THINKING
        if self.echo_due:
            return Phase.ECHOING
        return Phase.DRAW_OFFERED if self.offer.can_answer(self.turn) else Phase.LISTENING

    def say(self, key: str, slots: Mapping[str, Slot] | None = None, priority: Priority = Priority.NORMAL) -> Utterance:
        """Say the sentence `key`; returns the numbered utterance."""
        utterance = self._announcer.utterance(key, slots, priority)
        self._effects.append(Say(utterance))
        return utterance

    def again(self, utterance: Utterance) -> Utterance:
        """Say the same once more, under a new number; what waited for the old one waits for the new one."""
        fresh = self.say(utterance.key, dict(utterance.slots), utterance.priority)
        if self.awaited == utterance.number:
            self.awaited = fresh.number
        if self.open is not None and self.open.utterance.number == utterance.number:
            self.open.utterance = fresh
        return fresh

    def wait_for(self, utterance: Utterance) -> None:
        """The game goes on when this has been said, or after `SPEECH_LIMIT_MS` without a report."""
        self.awaited, self.awaited_until_ms = utterance.number, self.now_ms + SPEECH_LIMIT_MS

    def sound(self, tone: Tone, *, alone: bool = False) -> None:
        """Play a short tone; `alone` when nothing is said with it."""
        self._effects.append(Sound(tone, alone))

    def do(self, effect: Effect) -> None:
        """Have this done."""
        self._effects.append(effect)

    def listen(self, expectation: Expectation) -> None:
        """Tell what can be said now, if that has changed."""
        if expectation != self._listened:
            self._listened = expectation
            self._effects.append(Listen(expectation))

    def keep_private(self) -> None:
        """Tell whether announcements are for the envelope, if that has changed: until the clocks are stopped."""
        adjournment, wanted = self.adjournment, KeepPrivate(None)
        closing = adjournment is not None and adjournment.stage is Stage.SEALED and self.phase is Phase.CONFIRMING
        if adjournment is not None and (closing or self.phase is Phase.SEALING):
            wanted = KeepPrivate(adjournment.envelope, self.clock, self.resumes_in_ms)
        if wanted != self._private:
            self._private = wanted
            self._effects.append(wanted)

    def take_effects(self) -> tuple[Effect, ...]:
        """What has been collected; the next event starts with nothing."""
        effects, self._effects = tuple(self._effects), []
        return effects

    @property
    def last_said(self) -> Utterance:
        """What has been said last about the event at hand. Raises ValueError when nothing has."""
        said = [effect.utterance for effect in self._effects if isinstance(effect, Say)]
        if not said:
            raise ValueError("nothing has been said")
        return said[-1]


def start_board(settings: GameSettings) -> chess.Board:
    """The position a game with these settings starts from.

    Raises `Failure` for a number or a FEN that is none, and for a position that no game can have.
    """
    try:
        if settings.chess960 is not None and settings.fen == chess.STARTING_FEN:
            return chess.Board.from_chess960_pos(settings.chess960)
        board = chess.Board(settings.fen, chess960=settings.chess960 is not None)
        if board.status() & UNPLAYABLE:
            raise ValueError(f"no game can have this position: {board.status()!r}")
    except ValueError as error:
        raise Failure("cli.bad_settings", {"detail": Text(str(error))}) from error
    return board


# --- what stops the clocks --------------------------------------------------------------------------------------------


def stand(table: Table) -> None:
    """The clock stands until the question that is open has been answered."""
    if table.open is not None and (table.stands or table.clock.running is not None):
        table.open.stands = table.stands = True
        table.clock = table.clock.pause(table.now_ms)


def stop_play(table: Table) -> None:
    """Into the pause from wherever the game is, but not while a move is being repeated. An envelope stays closed."""
    drop_adjournment(table)
    if table.adjournment is not None:
        table.step_to_base()
        return
    table.clock = table.clock.pause(table.now_ms)
    if table.engine_to_move:
        table.do(StopThinking())
        table.considering = False
    if table.judging is not None:
        table.do(StopThinking())
        table.judging = None
    table.paused, table.stands = table.paused or Pause.STOPPED, False
    if table.phase is not Phase.PAUSED:
        table.enter(Phase.PAUSED)


def drop_adjournment(table: Table) -> None:
    """No adjournment after all; one whose envelope is closed stays."""
    if table.adjournment is not None and table.adjournment.stage is not Stage.STOPPED:
        table.adjournment = None


def leave(table: Table) -> None:
    """The player goes; the game is kept as it stands, with its clock stopped, until somebody comes back."""
    stop_play(table)
    if table.paused is not None:
        table.paused = Pause.LEFT


def finish(table: Table, ending: Ending) -> None:
    """End the game with `ending`, now."""
    if table.judging is not None or (table.engine_to_move and table.phase in (Phase.THINKING, Phase.CONFIRMING)):
        table.do(StopThinking())
    table.clock = table.clock.pause(table.now_ms)
    table.forget()
    table.enter(Over(ending))
    words = ending.words
    table.say(words.key, dict(words.slots))
    if table.settings.preset is Preset.STRICT_BLIND and table.refused_queries:
        table.say("over.refused_queries", {"count": table.refused_queries})
    table.do(GameEnded(ending.result, ending.way.value))
    table.say("over.what_now")


def flag_fell(table: Table, at_ms: int) -> bool:
    """Whether a flag was down at `at_ms` and what becomes of it has ended the game (both down: play may go on)."""
    first = table.clock.flag(at_ms)
    if not first:
        return False
    last_period = all(table.clock.last_period(colour) for colour in first)
    ending = fallen_flag(table.board, first, last_period)
    if ending is None:
        table.clock = table.clock.play_on(at_ms)
        return False
    finish(table, ending)
    return True
