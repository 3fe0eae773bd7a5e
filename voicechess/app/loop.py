"""One queue, one thread: events go into the game, effects come out and are performed.

Devices, the engine and the keyboard only put items on the queue (`Inbox`); their failures arrive as events too. An
event is in the journal before anything that follows from it is spoken.

What the loop knows of the rooms around it (`app.around`) is passed to its constructor, and what belongs to a single
conversation with that conversation (`Hooks`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from voicechess.app.around import (
    NO_HOOKS,
    Hooks,
    Machine,
    Nobody,
    Onlooker,
    Opponent,
    SpeechInput,
    Switches,
    Terminal,
    Voice,
)
from voicechess.app.board_keys import Pressed, TypedMove
from voicechess.app.event_clock import EventClock
from voicechess.app.hearing import Hearing
from voicechess.app.inbox import BoardKey, Inbox, InputEnded, Item, KeyPressed, Line, ModelReady
from voicechess.app.losses import Losses
from voicechess.app.mailbox import letter_words
from voicechess.app.open_requests import OpenRequests
from voicechess.app.turn_taking import ANY_FIT, INTERJECTIONS, Floor, Interjection, Politeness, is_interjection
from voicechess.game import effects as ef
from voicechess.game import events as ev
from voicechess.game.company import Company
from voicechess.game.cursor import WalkedBoard
from voicechess.game.effects import LobbyRequest
from voicechess.game.sight import walked
from voicechess.language.thresholds import contenders
from voicechess.language.wording import Wording
from voicechess.meaning import Command, Expectation, Reading, RecognisedUtterance
from voicechess.messages import WHOSE, Failure, Phrase, Priority, Slot, TimeLeft, Tone, Utterance, Whose
from voicechess.moves.saying import said_move
from voicechess.own_files import none_left
from voicechess.score.letters import line_of

TICK_S = 0.1

ON_TIME_MS = 2_000
"""Longest delay in milliseconds with which a remaining time is still announced as if on time: "noch eine Minute", not
"noch neunundfünfzig Sekunden". Larger: rounder and less exact."""


class Loop:
    """Performs the effects of machines. One machine at a time has the floor (`converse`).

    `inbox`: the queue that is read; None: one of its own."""

    def __init__(
        self,
        wording: Wording,
        hearing: Hearing,
        clock: EventClock,
        *,
        inbox: Inbox | None = None,
        voice: Voice | None = None,
        speech_input: SpeechInput | None = None,
        opponent: Opponent | None = None,
        onlooker: Onlooker | None = None,
        terminal: Terminal | None = None,
        switches: Switches | None = None,
    ) -> None:
        self.wording, self.hearing, self.clock = wording, hearing, clock
        self.inbox = inbox or Inbox()
        self.voice, self.speech_input, self.opponent = voice, speech_input, opponent
        self.exit_code: int | None = None
        self.wants_new_game = False
        self._machine: Machine = Nobody()
        self._hooks = NO_HOOKS
        self._saved: Callable[[], bool] = lambda: True
        self._private = ef.KeepPrivate(None)
        self.terminal, self._switches = terminal or Terminal(), switches or Switches()
        self._onlooker, self._onlooker_failed = onlooker, False
        self.losses = Losses()
        self._unsaid: dict[int, str] = {}  # the text of each utterance that was not spoken to its end, by number
        self._floor, self._company = Floor(), Company()
        self._asked = OpenRequests()
        self._expectation = Expectation()
        self._offered = False  # whether the recogniser got an expectation since the floor changed
        self._politeness = Politeness()

    def now(self) -> int:
        """Event time, milliseconds."""
        return self.clock.now()

    @property
    def voice_db(self) -> int | None:
        """The level of the player who was understood last outside a game (`Heard.voice_db`)."""
        return self._company.voice_db

    @property
    def player_db(self) -> int | None:
        """The player's level, in a game or outside; None before anything was understood. For any thread."""
        game = self._hooks.game() if self._hooks.tells_speakers else None
        return self.voice_db if game is None else game.voice_db

    @property
    def expectation(self) -> Expectation:
        """What the player can say now."""
        return self._expectation

    @property
    def words_awaited(self) -> bool:
        """Whether a question is open, or a move for an envelope awaited, so that letters are to be typed. For any
        thread."""
        return self._expectation.asked.kind is not None or self._private.envelope is not None

    @property
    def waits_for_nothing(self) -> bool:
        """Whether every item that arrived has been handled."""
        return self.inbox.empty and not self.terminal.lines

    # --- the loop ------------------------------------------------------------------------------------------------

    def converse(
        self,
        machine: Machine,
        first: ev.Event | tuple[ev.Event, ...],
        over: Callable[[], bool],
        hooks: Hooks = NO_HOOKS,
    ) -> None:
        """Give the floor to a machine until it is `over` and everything has been said, or the program is to end.

        `first`: the events that it gets before any others.
        """
        self.give_floor(machine, first, hooks)
        while self.exit_code is None and not (over() and not self._unsaid):
            try:
                self.step()
            except Exception as error:
                if not none_left(error):
                    raise
                self._tell_of_shortage()
        self._drain()

    def give_floor(
        self, machine: Machine, first: ev.Event | tuple[ev.Event, ...] = (), hooks: Hooks = NO_HOOKS
    ) -> None:
        """From now on events go to this machine, `first` before any others. The caller then calls `step`."""
        self._machine, self._hooks, self.wants_new_game = machine, hooks, False
        self._saved = hooks.saved or self._saved
        self._private = ef.KeepPrivate(None)
        self._asked.clear()
        self._unsaid.clear()
        self._politeness.clear()
        if self.terminal.keys is not None:
            self.terminal.keys.leave()
        self.clock.gap()  # what was slept between two conversations is charged to nobody
        self._offered = False
        for event in first if isinstance(first, tuple) else (first,):
            self._dispatch(event)
        if not self._offered:  # the machine before this one expected other words
            self._offer(machine.expectation)

    def _tell_of_shortage(self) -> None:
        """Say that no file could be opened. What was asked for is not done; the player can ask again."""
        if self.losses.shortage_is_news(self.now()):
            self.say_aside("program.no_descriptors")

    def step(self) -> None:
        """One round: handle the next item, or send a tick if none has come for `TICK_S`."""
        gap = self.clock.gap()
        if gap:
            self._dispatch(ev.Suspended(at_ms=self.now(), gap_ms=gap))
        occupied = self.speech_input is not None and (self.speech_input.hearing or not self.inbox.empty)
        self._politeness.look(self.now(), occupied)
        for event in self._politeness.due():
            self._take(event)
        terminal = self.terminal
        if terminal.lines and (not terminal.paced or self._idle):
            self.inbox.answered()
            self._typed(terminal.lines.popleft())
            return
        if terminal.ended and self._nobody_can_speak and not terminal.lines and self._idle:
            in_game = self._hooks.ended is not None
            self.say_aside("program.input_ended" if in_game else "program.input_over")
            self.exit_code = 0
            return
        with self.clock.waiting():
            item = self.inbox.take(TICK_S)
        if item is not None:
            self._take(item)
        elif not self._politeness.waiting:
            # In this order, since an utterance that has just ended is on the queue.
            speaking = self.speech_input is not None and (self.speech_input.hearing or not self.inbox.empty)
            self._dispatch(ev.Tick(at_ms=self.now(), speaking=speaking))

    def _take(self, item: Item) -> None:
        match item:
            case Line(text):
                self.terminal.lines.append(text)
            case RecognisedUtterance():
                self.losses.heard()
                self._heard(item, ev.Source.VOICE)
            case KeyPressed():
                if self.voice is not None:
                    self.voice.hush()
            case BoardKey(key) if self.terminal.keys is not None:
                private = self._private.envelope is not None
                self._walk(self.terminal.keys.pressed(key, self._walked(), self.words, private))
            case InputEnded():
                self.terminal.ended = True
            case ModelReady():
                self._hear_with(item)
            case ev.OpponentMoved() | ev.OpponentAnswered() | ev.ClaimJudged() | ev.HintFound() if (
                self._politeness.waiting
            ):
                self._politeness.hold(item)
            case _ if self._politeness.waiting and isinstance(item, ev.ServerEvent):
                self._politeness.hold(item)
            case ev.OpponentMoved() | ev.OpponentAnswered() | ev.ClaimJudged() | ev.HintFound() | ev.OpponentFailed():
                # An answer may have been queued before it was cancelled.
                if self._asked.wants(item.request):
                    self._dispatch(item)
            case ev.Spoken(number=number):
                self._unsaid.pop(number, None)
                if number >= 0:
                    listening = self.speech_input is not None and (self._headphones or not self._unsaid)
                    self._dispatch(replace(item, listening=listening))
            case ev.DeviceLost():
                if item.device == "microphone":
                    self.losses.microphone_lost(self.now())
                if self.losses.is_news(item):
                    self._dispatch(item)
            case ev.DeviceFound(device="microphone"):
                self.losses.microphone_found()
                self._dispatch(item)
            case ev.Event():
                self._dispatch(item)

    @property
    def _nobody_can_speak(self) -> bool:
        """Whether no microphone is left either, once the keyboard's input has ended."""
        return self.terminal.ends_with_input or self.losses.deaf(self.now())

    @property
    def _idle(self) -> bool:
        """Whether nothing is being said or computed, so that the next piped line can be handled."""
        return not self._unsaid and not self._asked and not self._hooks.busy()

    def _typed(self, text: str) -> None:
        if self._hooks.mailbox is not None:
            pasted = self._hooks.mailbox.typed(text, letter_words(self.hearing.lexicon))
            if pasted.failure is not None:
                self.say_aside(pasted.failure.key, pasted.failure.phrase)
            if pasted.letter is not None:
                self._dispatch(ev.LetterCame(at_ms=self.now(), letter=pasted.letter))
            if pasted.taken:
                return
        self._heard(RecognisedUtterance.typed(text, self.now()), ev.Source.KEYBOARD)

    def _heard(self, said: RecognisedUtterance, source: ev.Source) -> None:
        hearing = replace(self.hearing, fit=ANY_FIT) if said.overheard else self.hearing
        if said.overheard and not is_interjection(hearing.understood(said, INTERJECTIONS, self.now())):
            return
        self._understood(hearing.understood(said, self._expectation, self.now(), source), source, said.overheard)

    def _walked(self) -> WalkedBoard | Phrase:
        """The position that keys may walk over, which is what spectators see; or the reason why there is none."""
        return walked(self._hooks.game() or self._hooks.scene())

    def _walk(self, pressed: tuple[Pressed, ...]) -> None:
        """Perform what a key on the board gives rise to."""
        for one in pressed:
            match one:
                case TypedMove(line):
                    self._typed(line)
                case Command():
                    now, keyboard = self.now(), ev.Source.KEYBOARD
                    asked = ev.Heard(
                        at_ms=now, readings=(Reading(one),), words="", began_ms=now, ended_ms=now, source=keyboard
                    )
                    self._understood(asked, keyboard)
                case _:
                    self.say_aside(one.key, one)

    def _understood(self, heard: ev.Heard, source: ev.Source, overheard: bool = False) -> None:
        if not self._private.envelope:
            self._tell_onlooker(lambda onlooker: onlooker.heard(heard.words))
        if not self._hooks.tells_speakers and not overheard and not self._is_players(heard):
            return
        if source is ev.Source.VOICE and self._unsaid:
            if not self._has_the_floor(heard, overheard):
                return
            cuts_in = self._headphones or overheard
            heard = replace(heard, cut_in=cuts_in, ahead=not cuts_in)
        # A move announced for the envelope goes no further: neither the game nor its journal gets the words.
        event = self._hooks.envelopes.seal(heard, self._private) if self._private.envelope else heard
        if self._hooks.envelopes.unkept:
            self.say_aside("program.envelope_unkept")
        self._dispatch(event)

    def _is_players(self, heard: ev.Heard) -> bool:
        """Whether the player, not a bystander, said this, as far as can be told. Bystanders get a tone at most."""
        surely = contenders(heard.readings).sure
        if self._company.hears_player(heard, surely):
            return True
        # An answer that is not accepted is never met with silence.
        if surely or self._company.tone_due(heard, self.now()):
            self._perform(ef.Sound(Tone.NOT_UNDERSTOOD, alone=True))
        return False

    @property
    def _headphones(self) -> bool:
        """Whether the player wears headphones, so that the microphone listens while the program speaks."""
        return self.voice is not None and self.voice.headphones

    def _has_the_floor(self, heard: ev.Heard, overheard: bool) -> bool:
        """Whether words count that were said while the program speaks, or is about to. `overheard`: they were heard
        through the echo of the loudspeaker; such a barge-in ends the announcement."""
        if overheard and self.voice is not None:
            self.voice.hush()
        return overheard or (self._barges_in(heard) if self._headphones else self._counts_ahead(heard))

    def _counts_ahead(self, heard: ev.Heard) -> bool:
        """Whether words count that were said with an announcement queued but not begun, without headphones. Only
        commands do, since nobody can answer what they have not heard yet; the announcement follows."""
        return self._hooks.tells_speakers or isinstance(heard.readings[0].meaning, Command)

    def _barges_in(self, heard: ev.Heard) -> bool:
        """Whether words heard with headphones, while the program speaks or is about to, are a barge-in."""
        assert self.voice is not None, "it speaks"
        match self._floor.claimed(heard, self._unsaid.values()):
            case Interjection.MEANT:
                self.voice.hush()
                return True
            case Interjection.UNCLEAR:
                self.voice.tone(Tone.NOT_UNDERSTOOD)
            case Interjection.LEAK:
                self._switches.headphones(False)
                self.say_aside("program.hears_itself")
        return False

    def _dispatch(self, event: ev.Event) -> None:
        """Hand one event to the machine, and then those that its effects give rise to.

        What was on its way while the clock was restarted for a new game has a stamp of the old one: it happens now.
        """
        now = self.now()
        waiting = deque([event if event.at_ms <= now else replace(event, at_ms=now)])
        while waiting and self.exit_code is None:
            event = waiting.popleft()
            match event:
                case ev.OpponentAnswered(accepts=True, game=game):
                    self._asked.drop(game)  # nor is its move wanted any more
                case (
                    ev.OpponentMoved()
                    | ev.OpponentAnswered()
                    | ev.ClaimJudged()
                    | ev.HintFound()
                    | ev.OpponentFailed(final=True)
                ):
                    self._asked.answered(event.request)
            effects = self._machine.handle(event)
            if self._hooks.keep is not None and (effects or not isinstance(event, ev.Tick)):
                self._keep(self._hooks.keep, event)
            for effect in effects:
                waiting.extend(self._perform(effect))
            idle = isinstance(event, ev.Tick) and not effects
            self._tell_onlooker(partial(self._look, idle=idle))

    def _keep(self, keep: Callable[[ev.Event], None], event: ev.Event) -> None:
        try:
            keep(event)
        except Failure as failure:
            self.say_aside(failure.key, failure.phrase)

    # --- effects -------------------------------------------------------------------------------------------------

    def _perform(self, effect: ef.Effect) -> list[ev.Event]:
        match effect:
            case ef.Say(utterance):
                return self._say(utterance)
            case ef.Sound(tone, alone):
                heard = self.voice is not None and self.voice.tone(tone)
                if alone and not heard:
                    self.say_aside(f"tone.{tone.value}")
            case ef.Hush():
                if self.voice is not None:
                    self.voice.hush()
            case ef.Listen(expectation):
                self._offer(expectation)
            case ef.Think() | ef.ConsiderDraw() | ef.JudgeClaim() | ef.SeekHint():
                return self._ask(effect)
            case ef.SendMove() | ef.SendWish() | ef.GiveTime() | ef.SendChat() | ef.LookUpOpponent():
                if self._hooks.send is None:
                    return [ev.ServerRefused(at_ms=self.now(), request=effect.number, reason="no_server")]
                self._hooks.send(effect)
            case ef.KeepPrivate():
                self._private = effect
                self.terminal.hide(effect.envelope is not None)
            case ef.OpenEnvelope():
                return [self._hooks.envelopes.open(effect, self.now())]
            case ef.StopThinking(game):
                self._asked.drop(game)
                if self.opponent is not None:
                    self.opponent.stop(game)
            case ef.ShowLetter(letter):
                self.terminal.show(line_of(letter, letter_words(self.hearing.lexicon)))
            case ef.ShowText(lines):
                for line in lines:
                    self.terminal.show(line)
            case ef.ShowBoard(shown):
                self._onlooker_failed = False
                self._tell_onlooker(partial(self._show_board, shown))
            case ef.UseBoardKeys():
                keys = self.terminal.keys
                self._walk((Phrase("keys.no_terminal"),) if keys is None else keys.begin(self._walked()))
            case ef.SpeakThrough(reader):
                told = self._switches.reader(reader)
                self.say_aside(told.key, told)
            case ef.SpeakLanguage(code):
                if self._switches.language is not None:
                    wording, self.hearing = self._switches.language(code)
                    self.wording = wording.briskly(self.wording.brisk)
                    self._offer(self._expectation)  # in the words of the new language
            case ef.SpeakBriskly(on):
                self.wording = self.wording.briskly(on)
            case ef.KeepChoice(values):
                self._switches.choose(values)
            case ef.WearHeadphones(on):
                self._floor = Floor()
                self._switches.headphones(on)
            case ef.AdjustVoice(rate, volume):
                if self.voice is not None:
                    self.voice.adjust(rate, volume)
            case ef.Mute(on):
                if self.voice is not None:
                    self.voice.mute(on)
            case ef.GameEnded() if self._hooks.ended is not None:
                self._hooks.ended(effect)
            case ef.NewGame():
                self.wants_new_game = True
            case _ if isinstance(effect, LobbyRequest):
                self._hooks.lobby(effect)
            case ef.End(code):
                self.exit_code = code
        return []

    def _hear_with(self, ready: ModelReady) -> None:
        """The speech model of a language has been loaded, or could not be."""
        if self._switches.model is not None:
            self.hearing, told = self._switches.model(ready)
            self._offer(self._expectation)
            for phrase in told:
                self.say_aside(phrase.key, phrase)

    def _offer(self, expectation: Expectation) -> None:
        """Have the recogniser listen for this from now on."""
        self._expectation, self._offered = expectation, True
        if self.speech_input is not None:
            self.speech_input.expect(expectation, self.hearing)

    def _ask(self, request: ef.Request) -> list[ev.Event]:
        """Ask the opponent. If there is none, a claim stays undecided and a hint is none."""
        number = self._asked.next_number()
        if self.opponent is None or not self.opponent.ask(replace(request, number=number)):
            if isinstance(request, ef.SeekHint):
                return [ev.HintFound(at_ms=self.now(), game=request.game)]
            return [ev.ClaimJudged(at_ms=self.now(), game=request.game)] if isinstance(request, ef.JudgeClaim) else []
        if not isinstance(request, ef.ConsiderDraw):
            self._asked.drop(request.game)
        self._asked.add(number, request.game)
        return []

    def foreseen(self, words: str) -> tuple[str, bool] | None:
        """The repetition of the move that these words name, and whether it is spoken quickly, so that it can be
        rendered before the endpoint. None: they name no move. For any thread; changes nothing."""
        expectation, game = self._expectation, self._hooks.game()
        move = self.hearing.move_in(words, expectation)
        if move is None or expectation.board is None:
            return None
        names_captured = game is not None and game.names_captured
        repetition = Utterance("move.repeat", {"move": said_move(expectation.board, move, names_captured)})
        return self.words(repetition), self.wording.quick(repetition)

    def words(self, message: Utterance | Phrase) -> str:
        """The message as text; it never claims that a game is saved if it is not."""
        return self.wording.say(message, saved=self._saved())

    def _say(self, utterance: Utterance) -> list[ev.Event]:
        text = self.words(utterance)
        self._told(text)
        if self.voice is None:
            return [ev.Spoken(at_ms=self.now(), number=utterance.number)]
        self._unsaid[utterance.number] = text
        words: str | Callable[[], str] = text
        if any(isinstance(slot, TimeLeft) for slot in utterance.slots.values()):
            words = partial(self._worded_late, utterance)
        whose = WHOSE.get(utterance.key, Whose.PROGRAM)
        self.voice.say(utterance.number, words, utterance.priority, self.wording.quick(utterance), whose)
        return []

    def _told(self, text: str) -> None:
        self.terminal.show(text)
        self._tell_onlooker(lambda onlooker: onlooker.said(text))

    def _tell_onlooker(self, tell: Callable[[Onlooker], None]) -> None:
        """Call the onlooker. If that fails, say so once and leave it alone until the board is asked for again; the game
        goes on."""
        if self._onlooker is None or self._onlooker_failed:
            return
        try:
            tell(self._onlooker)
        except Exception:
            self._onlooker_failed = True
            self.say_aside("page.failed")

    def _look(self, onlooker: Onlooker, idle: bool) -> None:
        onlooker.look(self._hooks.game() or self._hooks.scene(), self.now(), idle)

    def _show_board(self, shown: bool, onlooker: Onlooker) -> None:
        told = onlooker.show(shown)
        self.say_aside(told.key, told)

    def _worded_late(self, utterance: Utterance) -> str:
        """The text at the moment it is spoken, with the clock times of that moment. On the voice's thread."""
        slots = {name: self._left(slot) for name, slot in utterance.slots.items()}
        return self.words(replace(utterance, slots=slots))

    def _left(self, slot: Slot) -> Slot:
        """A remaining time as it is now, unless the delay is within `ON_TIME_MS`."""
        if not isinstance(slot, TimeLeft):
            return slot
        left_ms = self._hooks.remaining(slot.colour)
        return slot if left_ms is None or 0 <= slot.ms - left_ms < ON_TIME_MS else TimeLeft(slot.colour, left_ms)

    def say_aside(self, key: str, phrase: Phrase | None = None) -> None:
        """Say something that belongs to no machine, so nothing waits for its end."""
        text = self.words(phrase or Phrase(key))
        self._told(text)
        if self.voice is not None:
            self.voice.say(-1, text, Priority.NEXT)

    def tell_missing(self, notice: Phrase) -> None:
        """Say what is missing on this computer. The loss of such a device is not announced again."""
        self.say_aside(notice.key, notice)
        self.losses.told_missing(notice)

    def interrupt(self, code: int) -> None:
        """End the program with this status, saying only that it was interrupted."""
        self.exit_code = code
        if self.voice is not None:
            self.voice.hush()
        self.say_aside("program.interrupted")

    def _drain(self, patience_s: float = 20.0) -> None:
        """Wait until the last sentences have been spoken, `patience_s` at most."""
        deadline = self.now() + int(patience_s * 1000)
        while self._unsaid and self.now() < deadline:
            item = self.inbox.take(TICK_S)
            if isinstance(item, ev.Spoken):
                self._unsaid.pop(item.number, None)
            elif isinstance(item, KeyPressed) and self.voice is not None:
                self.voice.hush()
            elif isinstance(item, Line):
                self.terminal.lines.append(item.text)
            elif isinstance(item, InputEnded):
                self.terminal.ended = True
            elif isinstance(item, ModelReady):
                self._hear_with(item)
