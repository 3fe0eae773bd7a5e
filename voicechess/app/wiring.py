"""The program, its parts wired together: loop, keyboard, voice, ear, opponent, journal.

Whatever is missing on this machine is left out and said: without a model or microphone play goes on by keyboard,
without a voice by text, without a disk in memory.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from types import TracebackType
from typing import TYPE_CHECKING

from voicechess.app.around import Switches, Terminal
from voicechess.app.board import ShownBoard
from voicechess.app.context import CHOSEN_LANGUAGE, HEADPHONES, SPOKEN_BY, Context
from voicechess.app.ears import LoadedModels, ModelEar, only_hears
from voicechess.app.hearing import Hearing
from voicechess.app.inbox import EventClock, Inbox, InputEnded, KeyPressed, ModelReady
from voicechess.app.interruption import nobody_reads
from voicechess.app.keyboard import Keyboard
from voicechess.app.loop import Loop
from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings, Player, start_board
from voicechess.game.effects import Request
from voicechess.language.confusions import load_confusions
from voicechess.language.folders import LANGUAGES
from voicechess.language.lexicon import load
from voicechess.language.sentences import load_sentences
from voicechess.language.wording import Wording
from voicechess.laws.chess960 import as_chess
from voicechess.meaning import RecognisedUtterance, SpeakingLevel
from voicechess.messages import Failure, Phrase, Text, Tone, unexpected
from voicechess.opponents import discovery
from voicechess.opponents.discovery import EngineSpec
from voicechess.opponents.engine import EngineOpponent
from voicechess.practice.effects import PlayFrom
from voicechess.sound.devices.choice import is_file, is_sound_output, open_loudspeaker, open_microphone, prepare
from voicechess.sound.errors import SoundError
from voicechess.sound.libraries import Opening, keep_libraries_quiet
from voicechess.sound.listener import Attention, Listener, ListenerCallbacks
from voicechess.sound.model import VoskModel
from voicechess.sound.reader import PACE, Reader
from voicechess.sound.speaker import Speaker, SpeakerCallbacks
from voicechess.sound.speech import Speech, VoiceSettings
from voicechess.storage.database import JournalError
from voicechess.storage.journal import open_journal
from voicechess.storage.personal import read_personal
from voicechess.storage.places import journal_file, personal_file

if TYPE_CHECKING:
    from voicechess.sound.overhearing import Overhearing

READER_PACE = "reader_pace"
"""The preference in the journal with the pace of the player's screen reader, in characters a second."""

MOST_LEVELS = 64
"""Number of utterances whose levels are kept: more than a calibration has."""

LAST_WORDS_S = 20.0
"""Timeout in seconds for the last sentence before the program ends. Larger: a stuck device holds up the end longer."""

MOMENT_KEY = "\t"
"""What it is pressed for can also be said: "Moment", and "weiter"."""


def load_all_words() -> None:
    """Reads the words of both languages, which are then known: later no file may be left to open (issue 49, 22)."""
    with suppress(Exception):  # who needs them is told what is wrong with them
        for language in LANGUAGES:
            load_sentences(language)
            load_confusions(language)
            load(language)


@dataclass(frozen=True)
class WantedBoard:
    """What sighted spectators are shown: see `app.board.ShownBoard`. `takes_moves`: moves come from the page too."""

    form: str = ""
    address: str | None = None
    takes_moves: bool = False


@dataclass(frozen=True)
class WantedDevices:
    """Which devices are wanted, and how the voice speaks. `microphone`/`speaker`: a name or a WAV file. `reader`: the
    player's screen reader reads in place of the voice. `overhears`: a few words are heard while it speaks, through a
    loudspeaker as well."""

    voice_input: bool = True
    voice_output: bool = True
    microphone: str | None = None
    speaker: str | None = None
    model: Path | None = None
    push_to_talk: bool = False
    headphones: bool = False
    overhears: bool = True
    voice: VoiceSettings = field(default_factory=VoiceSettings)
    tones: frozenset[Tone] = frozenset(Tone)
    board: WantedBoard = WantedBoard()
    reader: bool = False


class _Seats:
    """The opponents' places at the boards: the engine of every game that is played against one, by its number."""

    def __init__(self) -> None:
        self._engines: Mapping[int, EngineOpponent] = {}

    def take(self, engines: Mapping[int, EngineOpponent]) -> None:
        """Sit down; who sat here before goes."""
        self.close()
        self._engines = engines

    def ask(self, request: Request) -> bool:
        engine = self._engines.get(request.game)
        if engine is not None:
            engine.ask(request)
        return engine is not None

    def stop(self, game: int = 0) -> None:
        engine = self._engines.get(game)
        if engine is not None:
            engine.stop(game)

    def close(self) -> None:
        for engine in set(self._engines.values()):
            engine.close()
        self._engines = {}


def _opens(choice: str | None) -> bool:
    """Whether this microphone can be opened now. A file can: it is read once, by the listener."""
    if choice is not None and is_file(choice):
        return True
    try:
        open_microphone(choice).close()
    except SoundError:
        return False
    return True


def _told_of_settings(context: Context) -> list[Phrase]:
    """The first thing that is wrong in them, and where the others are told: a start is no place for twenty."""
    told = [problem.phrase for problem in context.problems[:1]]
    return [*told, Phrase("settings.more")] if len(context.problems) > 1 else told


class Program:
    """Everything that a conversation needs, joined when it is made; `with` starts it and ends it. `loop` runs games."""

    def __init__(self, context: Context, wanted: WantedDevices, rng: Random | None = None) -> None:
        keep_libraries_quiet()
        if wanted.voice_input or wanted.voice_output:
            prepare()
        self.context, self.wanted = context, wanted
        self.random = rng or Random()
        self.clock = EventClock()
        self.inbox = Inbox()
        self.to_play: PlayFrom | None = None  # a game from a position that was set up, which is to be offered next
        self.notices: list[Phrase] = _told_of_settings(context)
        self.levels: deque[SpeakingLevel] = deque(maxlen=MOST_LEVELS)  # of the last utterances
        self.fits: deque[float] = deque(maxlen=MOST_LEVELS)  # how well they fitted their words
        self.journal, problem = open_journal(journal_file())
        if problem is not None:
            self.notices.append(problem.phrase)
        attention = Attention()
        self._overhearing: Overhearing | None = None
        self._unheard: SoundError | None = None
        self.speaker = self._make_speaker(attention) if wanted.voice_output else None
        if self.speaker is not None:
            # The loudspeaker is opened while the model is loaded, and the voice woken: the first words come sooner.
            if wanted.reader:
                self._begin_reader(self.speaker)
            if wanted.speaker is None or not is_sound_output(wanted.speaker):
                self.speaker.tone(Tone.HEARD)  # that it begins: the welcome comes a second later, or more (issue 49)
            self.speaker.start()
        self._models = LoadedModels(wanted.model, self.inbox.post)
        if wanted.voice_input:
            self.notices.extend(self._models.first(context.lexicon))
        self.lexicon = self._models.words(context.lexicon)
        model = self._models.of(self.lexicon)
        self._overhearing = None if model is None else self._make_overhearing(model)
        self.microphone_there = model is not None and self._try_microphone()
        self.listener = None if model is None else self._make_listener(model, attention)
        self.keyboard = Keyboard(self.inbox.type_line, self._key, lambda: self.inbox.post(InputEnded()))
        self._seats = _Seats()
        self.board = self._make_board()
        self.loop = Loop(
            context.wording,
            self._learnt(),
            self.clock,
            inbox=self.inbox,
            voice=self.speaker,
            ear=None if self.listener is None else ModelEar(self.listener, self._overhearing, self._models),
            opponent=self._seats,
            onlooker=self.board,
            terminal=Terminal(
                hide=self.keyboard.hide,
                paced=not self.keyboard.interactive,
                ends_with_input=self.listener is None or self._file_microphone,
            ),
            switches=Switches(
                language=self._speak, model=self._hear_with, reader=self._speak_through, headphones=self._wear
            ),
        )
        attention.player_db = lambda: self.loop.player_db
        self._excepthook = threading.excepthook

    def __enter__(self) -> Program:
        threading.excepthook = self._thread_failed
        if self.listener is not None:
            self.listener.start()
        self.keyboard.start()
        threading.Thread(target=load_all_words, name="words", daemon=True).start()
        self._begin_board()
        if self.speaker is not None and not self.speaker.has_loudspeaker() and self.speaker.reader is None:
            # It comes as an event as well, but after the first question: a player who hears nothing should know why.
            self.notices.append(Phrase(ev.DeviceLost.missing("loudspeaker")))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, Exception) and not nobody_reads(error):
            self._tell_why(error)
        self.keyboard.close()
        self.board.close()
        for room in (self.listener, self._seats, self.speaker):
            if room is not None:
                room.close()
        self._models.close()
        self.journal.close()
        threading.excepthook = self._excepthook

    def _thread_failed(self, _failed: threading.ExceptHookArgs) -> None:
        """A thread has ended that should not have: the loop still runs, and can say so."""
        self.inbox.post(ev.Trouble(at_ms=self.clock.now(), key="program.stumbled"))

    def _tell_why(self, error: Exception) -> None:
        """What ends the program is said as well as printed: a player who cannot see it would be left in silence."""
        if self.speaker is None:
            return
        phrase = error.phrase if isinstance(error, Failure) else unexpected("program.internal", error)
        self.speaker.hush()
        self.speaker.say(-1, self.loop.words(phrase))
        self.let_speak()

    def let_speak(self) -> None:
        """Wait until everything is said, at most `LAST_WORDS_S`."""
        if self.speaker is not None:
            self.speaker.let_speak(LAST_WORDS_S)

    def _make_board(self) -> ShownBoard:
        wanted = self.wanted.board
        move = self.inbox.type_line if wanted.takes_moves else None
        return ShownBoard(wanted.form, lambda: self.context.wording, address=wanted.address, move=move)

    def _begin_board(self) -> None:
        if self.wanted.board.form != "page":
            return
        try:
            self.board.begin()
        except Failure as failure:
            self.notices.append(failure.phrase)

    @property
    def _file_microphone(self) -> bool:
        return self.wanted.microphone is not None and is_file(self.wanted.microphone)

    def _learnt(self) -> Hearing:
        """What a calibration has found out about the speaker is added to what was measured for everybody."""
        model, hears = self._models.of(self.lexicon), self.lexicon.hears
        hearing = Hearing(self.lexicon, doubt=0.0 if model is None else model.scaling.doubt)
        try:
            personal = read_personal(personal_file(hears))
        except Failure as failure:
            self.notices.append(failure.phrase)
            return hearing
        if personal is None:
            return hearing
        fit = hearing.fit if personal.fit is None else min(hearing.fit, personal.fit)
        return replace(hearing, confusions=load_confusions(hears).adjusted(personal.confusions), fit=fit)

    # --- voice and ear -------------------------------------------------------------------------------------------

    def _make_speaker(self, attention: Attention) -> Speaker:
        choice = self.wanted.speaker
        callbacks = SpeakerCallbacks(
            spoken=lambda number, completed: self.inbox.post(
                ev.Spoken(at_ms=self.clock.now(), number=number, completed=completed)
            ),
            lost=lambda error: self._lost("loudspeaker", error),
            found=lambda _name: self._found("loudspeaker"),
            trouble=self._trouble,
        )
        return Speaker(
            Opening(lambda: open_loudspeaker(choice, handed=self._played), "loudspeaker"),
            Speech(self.wanted.voice),
            callbacks,
            tones=self.wanted.tones,
            speech_since=lambda: attention.since_ms,
            respelled=self._respelled,
            barges_in=lambda: attention.barges_in,
            near=lambda: attention.near,
            headphones=self.wanted.headphones,
        )

    def _played(self, pcm: bytes, rate: int, at_ms: int) -> None:
        """What the loudspeaker was handed goes to what overhears, once that is there."""
        if self._overhearing is not None:
            self._overhearing.played(pcm, rate, at_ms)

    def _make_overhearing(self, model: VoskModel) -> Overhearing | None:
        """What hears a few words while the program speaks; None: it is not wanted, or cannot be had here."""
        wanted = self.wanted
        if not (wanted.overhears and wanted.voice_output) or wanted.push_to_talk:
            return None
        if self._file_microphone or (wanted.speaker is not None and is_sound_output(wanted.speaker)):
            return None
        try:
            from voicechess.sound.overhearing import Overhearing

            overhearing = Overhearing(model)
        except (ImportError, SoundError):  # NumPy or libsamplerate is missing
            return None
        if self.speaker is not None:
            overhearing.said = self.speaker.said
        return overhearing

    def _respelled(self, text: str) -> str:
        """As the voice of the language that is spoken now has to have it."""
        return self.context.wording.for_voice(text)

    def _try_microphone(self) -> bool:
        """Whether the microphone answers. The listener finds out as well, but after the first question."""
        there = _opens(self.wanted.microphone)
        if not there:
            self.notices.append(Phrase(ev.DeviceLost.missing("microphone")))
        elif self.lexicon.heard is not self.lexicon:
            self.notices.append(only_hears(self.lexicon))
        return there

    def _make_listener(self, model: VoskModel, attention: Attention) -> Listener:
        choice, by_key, speaker = self.wanted.microphone, self.wanted.push_to_talk, self.speaker
        file = self._file_microphone

        def speaking(at_ms: int) -> bool:
            if speaker is None or speaker.headphones:
                return False
            return speaker.speaking if file else speaker.audible_at(at_ms)  # a file stands still: nobody is talked over

        callbacks = ListenerCallbacks(
            heard=self._heard,
            likely=self._foresee,
            lost=lambda error: self._lost("microphone", error),
            found=lambda _name: self._found("microphone"),
            trouble=self._trouble,
            ended=lambda: self.inbox.post(InputEnded()),
            overheard=self._said_over,
        )
        return Listener(
            Opening(lambda: open_microphone(choice, by_key=by_key), "microphone"),
            model,
            callbacks,
            attention=attention,
            speaking=speaking,
            push_to_talk=by_key,
            overhearing=self._overhearing,
            leaks=lambda: speaker is not None and not speaker.headphones and speaker.reader is None,
        )

    def _begin_reader(self, speaker: Speaker) -> None:
        """The screen reader reads from the first sentence on; where there is none, that is told, and ours speaks."""
        try:
            speaker.read_by(Reader(self._pace()))
        except SoundError as error:
            self.notices.append(error.phrase)

    def _speak_through(self, reader: bool) -> Phrase:
        if self.speaker is None:
            return Phrase("sound.reader.no_voice")
        if not reader:
            self.speaker.read_by(None)
            self._keep_who_speaks("voice")
            return Phrase("sound.reader.own_voice")
        try:
            found = Reader(self._pace())
        except SoundError as error:
            return error.phrase
        self.speaker.read_by(found)
        self._keep_who_speaks("reader")
        return Phrase("sound.reader.reads", {"name": Text(found.name)})

    def _keep_who_speaks(self, who: str) -> None:
        with suppress(JournalError):  # then it is asked for again next time
            self.journal.set_preference(SPOKEN_BY, who)

    def _pace(self) -> float:
        """Characters a second that the player's reader reads; as slow as one may be where that was not measured."""
        with suppress(JournalError, ValueError):
            return float(self.journal.preference(READER_PACE) or PACE)
        return PACE

    def _lost(self, device: str, error: SoundError) -> None:
        if device == "loudspeaker" and self.speaker is not None and self.speaker.reader is not None:
            self._unheard = error  # the screen reader has its own
            return
        self.inbox.post(ev.DeviceLost(at_ms=self.clock.now(), device=device, was_there=error.was_there))

    def _found(self, device: str) -> None:
        self.inbox.post(ev.DeviceFound(at_ms=self.clock.now(), device=device))

    def _trouble(self, error: SoundError) -> None:
        if error.key == "sound.reader.lost" and self._unheard is not None:
            unheard, self._unheard = self._unheard, None
            self._lost("loudspeaker", unheard)
        self.inbox.post(ev.Trouble(at_ms=self.clock.now(), key=error.key))

    def _key(self, key: str, line_begun: bool) -> None:
        self.inbox.post(KeyPressed())
        if key == MOMENT_KEY and not line_begun:
            self.inbox.type_line("moment")  # a word of every language; once more it ends what it began
        if self.wanted.push_to_talk and self.listener is not None and key == " " and not line_begun:
            # Terminals tell of keys that go down, not up: the first press begins, the next ends.
            if self.listener.pressed:
                self.listener.release()
            else:
                self.listener.press()

    def _heard(self, utterance: RecognisedUtterance) -> None:
        if utterance.level is not None:
            self.levels.append(utterance.level)
        if utterance.hypotheses[0].fit is not None:
            self.fits.append(utterance.hypotheses[0].fit)
        if self.wanted.push_to_talk and self.listener is not None:
            self.listener.release()
        self.inbox.post(utterance.shifted(self._shift_ms()))

    def _foresee(self, words: str) -> None:
        """While the silence after these words is waited for, the voice gets ready to repeat them."""
        if self.speaker is not None:
            self.speaker.foresee(lambda: self.loop.foreseen(words))

    def _said_over(self, utterance: RecognisedUtterance) -> None:
        """While the program spoke. What a screen reader says is not known: it may have been that."""
        if self.speaker is not None and self.speaker.reader is None:
            self.inbox.post(replace(utterance.shifted(self._shift_ms()), overheard=True))

    def _shift_ms(self) -> int:
        """The recogniser's times are those of the monotonic clock; the game's run through sleep."""
        return self.clock.now() - time.monotonic_ns() // 1_000_000

    def _wear(self, on: bool) -> None:
        """Headphones, from now on and at the next start; or none."""
        if self.speaker is not None:
            self.speaker.headphones = on
        with suppress(JournalError):  # then it is asked for again next time
            self.journal.set_preference(HEADPHONES, "on" if on else "off")

    def _speak(self, code: str) -> tuple[Wording, Hearing]:
        """Wording, words and voice of another language, from the next sentence on and at the next start.

        What listens follows as soon as its model is loaded (`_hear_with`)."""
        self.context = self.context.speaking(code)
        self._models.fetch(self.context.lexicon)
        with suppress(JournalError):  # then it is asked for again next time
            self.journal.set_preference(CHOSEN_LANGUAGE, code)
        if self.speaker is not None:
            own = self.wanted.voice
            self.speaker.speak(code, own.voice if code == own.language else None)
        return self.context.wording, self._heard_now()

    def _hear_with(self, ready: ModelReady) -> tuple[Hearing, tuple[Phrase, ...]]:
        """A model was loaded: what is heard with it. Where there is none, the one before goes on, and that is told."""
        self._models.take(ready)
        hearing = self._heard_now()
        only = ready.language == self.lexicon.code != self.lexicon.heard.code and self.microphone_there
        return hearing, (*ready.told, *([only_hears(self.lexicon)] if only else ()))

    def _heard_now(self) -> Hearing:
        """The hearing for the present language, with the models that are loaded by now."""
        self.lexicon = self._models.words(self.context.lexicon)
        return self._learnt()

    # --- opponent ------------------------------------------------------------------------------------------------

    def invite(self, settings: GameSettings) -> None:
        """Bring the engine to the board if this game needs one. What is missing comes to the game as an event."""
        self.invite_all({0: settings})

    def invite_all(self, games: Mapping[int, GameSettings]) -> None:
        """The same for several games, by their numbers: they share an engine where it is the same one."""
        self._seats.take({})
        engines: dict[EngineSpec, EngineOpponent] = {}
        seats: dict[int, EngineOpponent] = {}
        for number, settings in games.items():
            if Player.ENGINE not in (settings.white, settings.black):
                continue
            spec = discovery.choose(settings.level, settings.chess960 is not None)
            if spec is None:
                now = self.clock.now()
                self.inbox.post(ev.OpponentFailed(at_ms=now, reason="missing", final=True, game=number))
                continue
            if spec not in engines:
                engines[spec] = EngineOpponent(spec, self.inbox.post, self.clock.now, random=self.random)
            seats[number] = engines[spec]
        self._seats.take(seats)


def cannot_play(*games: GameSettings) -> Failure | None:
    """Why the engine that this machine has cannot play one of these games, to be told before they begin; None: it can,
    or there is none, or none is needed."""
    for settings in games:
        if Player.ENGINE in (settings.white, settings.black) and settings.chess960 is not None:
            spec = discovery.choose(settings.level, chess960=True)
            if spec is not None and not spec.plays_chess960 and as_chess(start_board(settings)) is None:
                return Failure("opponent.chess960")
    return None


def tell_notices(program: Program) -> None:
    """Say what is missing on this machine, once."""
    for notice in program.notices:
        program.loop.tell_missing(notice)
    program.notices.clear()
