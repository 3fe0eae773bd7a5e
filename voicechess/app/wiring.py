"""The program with its parts wired together: loop, keyboard, speaker, listener, opponent, journal.

What is missing on this computer is left out and announced: without a speech model or microphone the game is played by
keyboard, without a synthetic voice by text, without a writable disk in memory.
"""

from __future__ import annotations

import importlib
import json
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
from voicechess.app.board_keys import BoardKeys
from voicechess.app.context import CHOSEN_LANGUAGE, CHOSEN_SETTING, HEADPHONES, SPOKEN_BY, Context
from voicechess.app.event_clock import EventClock
from voicechess.app.hearing import Hearing
from voicechess.app.inbox import BoardKey, Inbox, InputEnded, KeyPressed, ModelReady
from voicechess.app.interruption import nobody_reads
from voicechess.app.keyboard import Keyboard
from voicechess.app.loop import Loop
from voicechess.app.speech_input import LoadedModels, SwitchingListener, only_hears
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
from voicechess.sound.devices.choice import is_file, is_sound_output, open_loudspeaker, open_microphone, prepare
from voicechess.sound.devices.interfaces import monotonic_ms
from voicechess.sound.errors import SoundError
from voicechess.sound.libraries import Opening, keep_libraries_quiet
from voicechess.sound.listener import Attention, Listener, ListenerCallbacks
from voicechess.sound.model import VoskModel
from voicechess.sound.reader import DEFAULT_PACE, Reader
from voicechess.sound.speaker import Speaker, SpeakerCallbacks
from voicechess.sound.speech import Speech, VoiceSettings
from voicechess.storage.database import JournalError
from voicechess.storage.journal import open_journal
from voicechess.storage.personal import read_personal
from voicechess.storage.places import journal_file, personal_file

if TYPE_CHECKING:
    from voicechess.opponents.engine import EngineOpponent
    from voicechess.practice.effects import PlayFrom
    from voicechess.sound.overhearing import Overhearing

READER_PACE = "reader_pace"
"""Key of the preference in the journal that has the speed of the player's screen reader, characters per second."""

MOST_LEVELS = 64
"""Number of utterances whose levels are kept: more than a calibration has. Larger: older ones count longer."""

LAST_WORDS_S = 20.0
"""Timeout in seconds for the last sentence before the program ends. Larger: a stuck device delays the exit longer."""

MOMENT_KEY = "\t"
"""The key that stops listening for a moment, and starts it again; "Moment" and "weiter" do the same."""


LOADED_LATER = (
    *("voicechess.opponents.engine", "chess.pgn", "voicechess.app.practising", "voicechess.app.mail"),
    *("voicechess.correspondence.by_post", "voicechess.online.on_server", "voicechess.online.online"),
    "voicechess.online.reaching",
)
"""What no first sentence needs and a game or a wish may need: half of all that there is to load."""

FIRST_SENTENCE_S = 5.0
"""Timeout in seconds for the first sentence, after which the rest is loaded beside it. Larger: on a computer that takes
as long, a first wish may wait for it."""


def load_the_rest() -> None:
    """Load the words of all languages and `LOADED_LATER`, since there may be no file descriptor left once they are
    needed."""
    with suppress(Exception):  # the failure is reported when it is needed
        for language in LANGUAGES:
            load_sentences(language)
            load_confusions(language)
            load(language)
        for name in LOADED_LATER:
            importlib.import_module(name)


@dataclass(frozen=True)
class WantedBoard:
    """What sighted spectators see (`app.board.ShownBoard`). `takes_moves`: moves can be made on the page too."""

    form: str = ""
    address: str | None = None
    takes_moves: bool = False


@dataclass(frozen=True)
class WantedDevices:
    """Which devices to use, and how the voice speaks. `microphone`/`speaker`: a name or a WAV file."""

    voice_input: bool = True
    voice_output: bool = True
    microphone: str | None = None
    speaker: str | None = None
    model: Path | None = None
    push_to_talk: bool = False
    headphones: bool = False
    overhears: bool = True  # a few commands may barge in, through a loudspeaker as well
    voice: VoiceSettings = field(default_factory=VoiceSettings)
    tones: frozenset[Tone] = frozenset(Tone)
    tone_volume: float = 1.0  # times the volume of the voice, up to full
    board: WantedBoard = WantedBoard()
    reader: bool = False  # the player's screen reader reads instead of the synthetic voice


class _Seats:
    """The engines of all games that are played against one, by the number of the game."""

    def __init__(self) -> None:
        self._engines: Mapping[int, EngineOpponent] = {}

    def take(self, engines: Mapping[int, EngineOpponent]) -> None:
        """Use these engines from now on, and close those of before."""
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
    """Whether this microphone can be opened now. A file counts as one that can: only the listener reads it."""
    if choice is not None and is_file(choice):
        return True
    try:
        open_microphone(choice).close()
    except SoundError:
        return False
    return True


def _told_of_settings(context: Context) -> list[Phrase]:
    """The first problem in the settings, and where to find the others: twenty at the start would be too many."""
    told = [problem.phrase for problem in context.problems[:1]]
    return [*told, Phrase("settings.more")] if len(context.problems) > 1 else told


class Program:
    """Everything that a conversation needs, wired at construction; `with` starts and ends it. `loop` runs games."""

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
        self.fits: deque[float] = deque(maxlen=MOST_LEVELS)  # their fits (`Hypothesis.fit`)
        self.journal, problem = open_journal(journal_file())
        if problem is not None:
            self.notices.append(problem.phrase)
        attention = Attention()
        self._overhearing: Overhearing | None = None
        self._unheard: SoundError | None = None
        self.speaker = self._make_speaker(attention) if wanted.voice_output else None
        if self.speaker is not None:
            # The loudspeaker is opened and the voice loaded while the speech model loads: the first words come sooner.
            if wanted.reader:
                self._begin_reader(self.speaker)
            if wanted.speaker is None or not is_sound_output(wanted.speaker):
                self.speaker.tone(Tone.HEARD)  # a sign of life: the welcome takes a second or more
            self.speaker.start()
        self._models = LoadedModels(wanted.model, self.inbox.post)
        if wanted.voice_input:
            self.notices.extend(self._models.first(context.lexicon))
        self.lexicon = self._models.words(context.lexicon)
        model = self._models.of(self.lexicon)
        self._overhearing = None if model is None else self._make_overhearing(model)
        self.microphone_there = model is not None and self._try_microphone()
        self.listener = None if model is None else self._make_listener(model, attention)
        self._board_keys = BoardKeys()
        self.keyboard = Keyboard(self.inbox.type_line, self._key, lambda: self.inbox.post(InputEnded()))
        self._seats = _Seats()
        self.board = self._make_board()
        self.loop = Loop(
            context.wording,
            self._learnt(),
            self.clock,
            inbox=self.inbox,
            voice=self.speaker,
            speech_input=None
            if self.listener is None
            else SwitchingListener(self.listener, self._overhearing, self._models),
            opponent=self._seats,
            onlooker=self.board,
            terminal=Terminal(
                hide=self.keyboard.hide,
                paced=not self.keyboard.interactive,
                ends_with_input=self.listener is None or self._file_microphone,
                keys=self._board_keys if self.keyboard.interactive else None,
            ),
            switches=Switches(
                language=self._speak,
                model=self._hear_with,
                reader=self._speak_through,
                headphones=self._wear,
                choose=self._choose,
            ),
        )
        attention.player_db = lambda: self.loop.player_db
        self._excepthook = threading.excepthook

    def __enter__(self) -> Program:
        threading.excepthook = self._thread_failed
        if self.listener is not None:
            self.listener.start()
        self.keyboard.start()
        threading.Thread(target=self._load_the_rest, name="rest", daemon=True).start()
        self._begin_board()
        if self.speaker is not None and not self.speaker.has_loudspeaker() and self.speaker.reader is None:
            # It also comes as an event, but after the first question: a player who hears nothing should know why.
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

    def _load_the_rest(self) -> None:
        self.inbox.read.wait(FIRST_SENTENCE_S)  # beside it, the first sentence would come later
        load_the_rest()

    def _thread_failed(self, _failed: threading.ExceptHookArgs) -> None:
        """A thread has died of an error; the loop still runs and can say so."""
        self.inbox.post(ev.Trouble(at_ms=self.clock.now(), key="program.stumbled"))

    def _tell_why(self, error: Exception) -> None:
        """Say what ends the program as well as printing it: a blind player would be left in silence."""
        if self.speaker is None:
            return
        phrase = error.phrase if isinstance(error, Failure) else unexpected("program.internal", error)
        self.speaker.hush()
        self.speaker.say(-1, self.loop.words(phrase))
        self.let_speak()

    def let_speak(self) -> None:
        """Wait until everything has been spoken, `LAST_WORDS_S` at most."""
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
        """The hearing of the present language, with what a calibration has learnt about the player."""
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
            tone_volume=self.wanted.tone_volume,
            speech_since=lambda: attention.since_ms,
            respelled=self._respelled,
            barges_in=lambda: attention.barges_in,
            near=lambda: attention.near,
            headphones=self.wanted.headphones,
        )

    def _played(self, pcm: bytes, rate: int, at_ms: int) -> None:
        """Pass the far end on to the echo canceller, once that is there."""
        if self._overhearing is not None:
            self._overhearing.played(pcm, rate, at_ms)

    def _make_overhearing(self, model: VoskModel) -> Overhearing | None:
        """The recogniser behind the echo canceller; None: it is not wanted, or a library for it is missing."""
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
        """The text as the voice of the present language needs it to pronounce it right."""
        return self.context.wording.for_voice(text)

    def _try_microphone(self) -> bool:
        """Whether the microphone can be opened. The listener finds out as well, but after the first question."""
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
            return speaker.speaking if file else speaker.audible_at(at_ms)  # nothing is missed in a file, which waits

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
            clock=None if file else monotonic_ms,
        )

    def _begin_reader(self, speaker: Speaker) -> None:
        """Have the screen reader read from the first sentence on; if there is none, say so in the synthetic voice."""
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
        """Speed of the player's screen reader, characters per second; until it is measured, the slowest plausible."""
        with suppress(JournalError, ValueError):
            return float(self.journal.preference(READER_PACE) or DEFAULT_PACE)
        return DEFAULT_PACE

    def _lost(self, device: str, error: SoundError) -> None:
        if device == "loudspeaker" and self.speaker is not None and self.speaker.reader is not None:
            self._unheard = error  # the screen reader may still be heard
            return
        self.inbox.post(ev.DeviceLost(at_ms=self.clock.now(), device=device, was_there=error.was_there))

    def _found(self, device: str) -> None:
        self.inbox.post(ev.DeviceFound(at_ms=self.clock.now(), device=device))

    def _trouble(self, error: SoundError) -> None:
        if error.key == "sound.reader.lost" and self._unheard is not None:
            unheard, self._unheard = self._unheard, None
            self._lost("loudspeaker", unheard)
        self.inbox.post(ev.Trouble(at_ms=self.clock.now(), key=error.key))

    def _key(self, key: str, line_begun: bool) -> bool:
        """Take note of a key; returns whether it belongs to the board and not to the line."""
        self.inbox.post(KeyPressed())
        claimed = self._board_keys.claimed(key, line_begun, self.loop.words_awaited)
        if claimed is not None:
            self.inbox.post(BoardKey(claimed))
            return True
        if key == MOMENT_KEY and not line_begun:
            self.inbox.type_line("moment")  # a command in every language; the second time it ends the pause
        if self.wanted.push_to_talk and self.listener is not None and key == " " and not line_begun:
            # Terminals report only that a key goes down, so one press begins and the next one ends.
            if self.listener.pressed:
                self.listener.release()
            else:
                self.listener.press()
        return False

    def _heard(self, utterance: RecognisedUtterance) -> None:
        if utterance.level is not None:
            self.levels.append(utterance.level)
        if utterance.hypotheses[0].fit is not None:
            self.fits.append(utterance.hypotheses[0].fit)
        if self.wanted.push_to_talk and self.listener is not None:
            self.listener.release()
        self.inbox.post(utterance.shifted(self._shift_ms()))

    def _foresee(self, words: str) -> None:
        """Render the repetition of these words while the silence that makes an endpoint is waited for."""
        if self.speaker is not None:
            self.speaker.prerender(lambda: self.loop.foreseen(words))

    def _said_over(self, utterance: RecognisedUtterance) -> None:
        """Handle words heard while the program spoke. Not with a screen reader, whose own speech is unknown here."""
        if self.speaker is not None and self.speaker.reader is None:
            self.inbox.post(replace(utterance.shifted(self._shift_ms()), overheard=True))

    def _shift_ms(self) -> int:
        """Milliseconds from the recogniser's monotonic clock to the game's, which also runs while the computer
        sleeps."""
        return self.clock.now() - time.monotonic_ns() // 1_000_000

    def _wear(self, on: bool) -> None:
        """The player wears headphones, or does not, from now on and at the next start."""
        if self.speaker is not None:
            self.speaker.headphones = on
        with suppress(JournalError):  # then it is asked for again next time
            self.journal.set_preference(HEADPHONES, "on" if on else "off")

    def _choose(self, values: Mapping[str, object]) -> None:
        """The player has chosen these settings by voice, for later games and the next start."""
        self.context = self.context.with_chosen(values)
        if self.speaker is not None:
            voice = self.context.voice
            self.speaker.arrange(voice.second, voice.apart)
        with suppress(JournalError):  # then it is chosen again next time
            for name, value in values.items():
                self.journal.set_preference(CHOSEN_SETTING + name, json.dumps(value))

    def _speak(self, code: str) -> tuple[Wording, Hearing]:
        """Change wording, lexicon and voice to another language, from the next sentence on and at the next start.

        The recogniser follows as soon as its model is loaded (`_hear_with`)."""
        self.context = self.context.speaking(code)
        self._models.fetch(self.context.lexicon)
        with suppress(JournalError):  # then it is asked for again next time
            self.journal.set_preference(CHOSEN_LANGUAGE, code)
        if self.speaker is not None:
            own = self.wanted.voice
            self.speaker.speak(code, own.voice if code == own.language else None)
        return self.context.wording, self._heard_now()

    def _hear_with(self, ready: ModelReady) -> tuple[Hearing, tuple[Phrase, ...]]:
        """A model was loaded: the hearing with it. If there is none, the previous one stays and the player is told."""
        self._models.take(ready)
        hearing = self._heard_now()
        only = ready.language == self.lexicon.code != self.lexicon.heard.code and self.microphone_there
        return hearing, (*ready.told, *([only_hears(self.lexicon)] if only else ()))

    def _heard_now(self) -> Hearing:
        """The hearing of the present language with the models that are loaded by now."""
        self.lexicon = self._models.words(self.context.lexicon)
        return self._learnt()

    # --- opponent ------------------------------------------------------------------------------------------------

    def invite(self, settings: GameSettings) -> None:
        """Start the engine if this game needs one. If it is missing, the game gets an event."""
        self.invite_all({0: settings})

    def invite_all(self, games: Mapping[int, GameSettings]) -> None:
        """The same for several games, by their numbers; games with the same engine share one process."""
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
                from voicechess.opponents.engine import EngineOpponent

                engines[spec] = EngineOpponent(spec, self.inbox.post, self.clock.now, random=self.random)
            seats[number] = engines[spec]
        self._seats.take(seats)


def cannot_play(*games: GameSettings) -> Failure | None:
    """Why the installed engine cannot play one of these games, to be said before they begin; None: it can, or there is
    none, or none is needed."""
    for settings in games:
        if Player.ENGINE in (settings.white, settings.black) and settings.chess960 is not None:
            spec = discovery.choose(settings.level, chess960=True)
            if spec is not None and not spec.plays_chess960 and as_chess(start_board(settings)) is None:
                return Failure("opponent.chess960")
    return None


def tell_notices(program: Program) -> None:
    """Say once what is missing on this computer."""
    for notice in program.notices:
        program.loop.tell_missing(notice)
    program.notices.clear()
