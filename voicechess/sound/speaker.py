"""Plays utterances and tones on one loudspeaker, in order, on one thread.

NORMAL utterances queue up, NEXT goes before everything normal, NOW interrupts. Whatever happens to the loudspeaker or
the voice, every utterance is reported as spoken exactly once, so a game never waits for sound that was lost; its text
was printed. No utterance starts while the near voice is speaking: until its first sound the program listens, with or
without headphones, and what was said is answered first.
"""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

from voicechess.messages import Priority, Tone, Whose
from voicechess.sound.devices.interfaces import Done, Ear, Loudspeaker, Playback, monotonic_ms
from voicechess.sound.devices.kept_open import KeptOpen
from voicechess.sound.errors import SoundError
from voicechess.sound.history import History
from voicechess.sound.pcm import scaled
from voicechess.sound.queued import PlayedText, QueuedSound, played_of
from voicechess.sound.reader import Reader
from voicechess.sound.speech import Speech, SpokenSound, VoiceSettings, parts
from voicechess.sound.tones import TONE_RATE, tone_pcm, unspoken_pcm

AFTER_SPEECH_S, AFTER_TONE_S = 0.2, 0.05
"""Seconds after speech, and after a tone, for which the program would still hear itself in the room. Larger: less echo
is recognised, quick answers lose their beginning."""

POLL_S, WATCH_S = 0.25, 0.02
"""Interval, seconds, of the thread when nothing happens, and while somebody's speech is watched. Larger: less
computing, later reactions."""

HEADPHONES_WAIT_S = 3.0
"""Timeout, seconds, of an utterance that waits for a speaker to finish; noise never does. Larger: later announcements
in noise."""

LOUDSPEAKER_WAIT_S = 2.0
"""The same without headphones, where the player hears only silence meanwhile: as long as it takes to say a move and
have it understood, which is the longest of what usually follows. Larger: later announcements in noise."""

SETTLED_S = 0.2
"""Seconds of silence before it starts: what was just said is being understood, and may make it obsolete. Larger: later
announcements."""

ONSET_CHECK_S = 0.25
"""Seconds after the start of an utterance during which an onset may still turn out to precede it. Larger: the program
hears more of its own beginnings."""

ONSET_LATENCY_S = 0.06
"""Latency of onset detection, seconds (`sound.vad`)."""

SILENCE = PlayedText("")

ALMOST_SAID_S = 0.3
"""Seconds left of an utterance below which a barge-in no longer interrupts it: people answer that long before a
question is over. Larger: fewer barge-ins."""

MOST_YIELDS = 3
"""Barge-ins that may interrupt one utterance: noise must not suppress a sentence for ever. Larger: sentences are
interrupted more often."""


def _ignore(*_arguments: object) -> None:
    """The default callback."""


def _nobody() -> int | None:
    return None


def _as_it_is(text: str) -> str:
    return text


def _no() -> bool:
    return False


def _yes() -> bool:
    return True


@dataclass(frozen=True, slots=True)
class SpeakerCallbacks:
    """Callbacks of a speaker, on its own thread; they must only enqueue."""

    spoken: Callable[[int, bool], None] = _ignore
    """The utterance of this number has ended; False: it was cut short or dropped."""
    lost: Callable[[SoundError], None] = _ignore
    """The loudspeaker is missing or lost, with the reason."""
    found: Callable[[str], None] = _ignore
    """The loudspeaker is back, with its name."""
    trouble: Callable[[SoundError], None] = _ignore
    """The voice fails or speaks another language; reported once, and again if a voice that worked fails anew."""


class Speaker:
    """A voice and a loudspeaker. All methods may be called from any thread and return at once."""

    def __init__(
        self,
        open_loudspeaker: Callable[[], Loudspeaker],
        speech: Speech,
        callbacks: SpeakerCallbacks | None = None,
        *,
        tones: Collection[Tone] = tuple(Tone),
        tone_volume: float = 1.0,
        speech_since: Callable[[], int | None] = _nobody,
        respelled: Callable[[str], str] = _as_it_is,
        barges_in: Callable[[], bool] = _no,
        near: Callable[[], bool] = _yes,
        headphones: bool = False,
    ) -> None:
        """`tones`: those that are played; others are skipped. `tone_volume`: theirs, times the
        voice's, up to full. `speech_since`: onset of speech to the program
        (`Attention.since_ms`); None: silence. `respelled`: maps a text to what this voice pronounces correctly; a
        screen reader gets the original. `barges_in`: whether that speech is long enough for a barge-in
        (`Attention.barges_in`). `near`: whether it may be the near voice (`Attention.near`). `headphones`: the
        microphone does not pick up what is played."""
        self._speech = speech
        self._tell = callbacks or SpeakerCallbacks()
        self._output = KeptOpen(open_loudspeaker, self._tell.lost, self._tell.found)
        self._tones = dict.fromkeys(tones, tone_volume)
        self._speech_since, self._respelled = speech_since, respelled
        self._reader: Reader | None = None
        self._reader_gone: SoundError | None = None
        self._barges_in, self._near = barges_in, near
        self.headphones = headphones
        self._muted = self._mutes = False
        self._troubles: set[str] = set()
        self._changed = threading.Condition()
        self._waiting: list[QueuedSound] = []
        self._forgotten: list[QueuedSound] = []
        self._prerendered: Callable[[], tuple[str, bool] | None] | None = None
        self._current: QueuedSound | None = None
        self._playback: Playback | None = None
        self._quiet_at = 0.0
        self._saying = History(SILENCE)
        self._audible = History((math.inf, 0.0))  # seconds from and until which the program hears itself
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="speaker", daemon=True)

    def start(self) -> None:
        """Start the thread: open the loudspeaker, start the voice, play what is queued."""
        self._thread.start()

    def has_loudspeaker(self) -> bool:
        """Whether the loudspeaker could be opened. Blocks until the first attempt is over (`libraries.Opening`)."""
        return self._output.is_there()

    @property
    def settings(self) -> VoiceSettings:
        """The current voice settings."""
        return self._speech.settings

    @property
    def speaking(self) -> bool:
        """Whether something is playing, queued, or has just ended."""
        with self._changed:
            return self._current is not None or bool(self._waiting) or time.monotonic() < self._quiet_at

    def let_speak(self, longest_s: float) -> None:
        """Block until everything was said, at most so many seconds."""
        until_s = time.monotonic() + longest_s
        while self.speaking and time.monotonic() < until_s:
            time.sleep(0.05)

    def audible_at(self, at_ms: int) -> bool:
        """Whether the microphone would have picked up the program at that time of the monotonic clock. Before its first
        sound, and until no earlier onset can turn up any more, it is False: the program listens."""
        with self._changed:
            from_s, quiet_at = self._audible.at(at_ms)
        return at_ms + 1 > 1000 * from_s or at_ms < 1000 * quiet_at

    def said(self, began_ms: int, ended_ms: int) -> list[PlayedText]:
        """The parts that it was playing between these times of the same clock, without words that it never came to."""
        with self._changed:
            return played_of(self._saying.within(began_ms, ended_ms))

    def say(
        self,
        number: int,
        text: str | Callable[[], str],
        priority: Priority = Priority.NORMAL,
        quick: bool = False,
        whose: Whose = Whose.PROGRAM,
    ) -> None:
        """Queue an utterance; `spoken` is called with its number, at once while muted. A callable is asked for the text
        when its turn comes."""
        if self._muted:
            self._tell.spoken(number, True)
            return
        self._muted, self._mutes = self._mutes, False
        item = (
            QueuedSound(priority, number, parts(text))
            if isinstance(text, str)
            else QueuedSound(priority, number, late=text)
        )
        item.quick, item.whose = quick, whose
        self._put(item)

    def prerender(self, text: Callable[[], tuple[str, bool] | None]) -> None:
        """Render in advance what may be said next (with whether it is `quick`). Called on the speaker's thread."""
        with self._changed:
            self._prerendered = text
            self._changed.notify()

    def tone(self, tone: Tone) -> bool:
        """Queue a tone: "listening" after what is queued, others before it. False if it is switched off, or muted."""
        if tone not in self._tones or self._muted:
            return False
        self._put(QueuedSound(Priority.NORMAL if tone is Tone.LISTENING else Priority.NEXT, tone=tone))
        return True

    def hush(self) -> None:
        """Stop at once and clear the queue."""
        with self._changed:
            self._forgotten += self._waiting
            self._waiting.clear()
            playback = self._cancel_current()
            self._note()
            self._changed.notify()
        if playback is not None:
            playback.stop()

    def speak(self, language: str, voice: str | None) -> None:
        """From the next sentence on, speak this language with this voice (None: the first one of the language)."""
        self._speech.settings = replace(self._speech.settings, language=language, voice=voice)

    def arrange(self, second: str | None, apart: bool) -> None:
        """From the next sentence on, this voice for the opponent, and left and right, as in `VoiceSettings`."""
        self._speech.settings = replace(self._speech.settings, second=second, apart=apart)

    @property
    def reader(self) -> Reader | None:
        """The screen reader in use; None: the program's own voice."""
        return self._reader

    def read_by(self, reader: Reader | None) -> None:
        """Use this screen reader from the next sentence on; None: the program's own voice."""
        before, self._reader = self._reader, reader
        if before is not None and before is not reader:
            before.close()

    def adjust(self, rate: int = 0, volume: int = 0) -> VoiceSettings:
        """Change rate and volume by steps from the next sentence on; returns the new settings."""
        if self._reader is not None:
            self._trouble(SoundError("sound.reader.adjusts"))
        self._speech.settings = self._speech.settings.adjusted(rate, volume)
        return self._speech.settings

    def mute(self, on: bool) -> None:
        """Say one more sentence, then nothing until called with `on` False."""
        self._mutes, self._muted = on, self._muted and on

    def close(self) -> None:
        """Stop, and release voice and loudspeaker."""
        self.hush()
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._speech.close()
        self.read_by(None)
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join(3.0)

    def _audible_from(self, item: QueuedSound) -> float:
        """Time from which the program hears itself because of this item: 0 now, infinity not before it starts."""
        if not self._waits_for_speech(item):
            return 0.0
        if item.begun_s is None:
            return math.inf
        if item.provisional and not item.cancelled:
            return max(item.begun_s, min(item.begun_s + ONSET_CHECK_S, item.waits_until_s or 0.0))
        return item.begun_s

    def _note(self, silent: bool = False) -> None:
        """Note a change in what is playing or queued; `silent`: the text being played has ended or was cut. Called with
        the lock held."""
        if silent:
            self._saying.note(monotonic_ms(), SILENCE)
        items = [item for item in (self._current, *self._waiting) if item is not None]
        from_s = min(map(self._audible_from, items), default=math.inf)
        self._audible.note(monotonic_ms(), (from_s, self._quiet_at))

    def _put(self, item: QueuedSound) -> None:
        with self._changed:
            playback = self._cancel_current() if item.priority is Priority.NOW else None
            place = sum(1 for other in self._waiting if other.priority >= item.priority)
            self._waiting.insert(place, item)
            self._note()
            self._changed.notify()
        if playback is not None:
            playback.stop()

    def _cancel_current(self) -> Playback | None:
        """Take the current item out. Called with the lock held; the caller stops the playback after releasing it, since
        stopping may wait for the device's thread, which may wait for the lock to report an end."""
        if self._current is None:
            return None
        self._current.cancelled = True
        return self._playback

    def _run(self) -> None:
        self._guarded(self._watch_loudspeaker)
        self._output.tried.set()
        self._guarded(self._step)  # the first tone needs no voice
        if self._reader is None:
            self._speech.warm()
        while not self._closed:
            self._guarded(self._step)
        self._report_forgotten()
        if self._current is not None:
            self._end(self._current)
        self._output.close()

    def _guarded(self, work: Callable[[], None]) -> None:
        try:
            work()
        except Exception:  # without this thread the program would neither speak nor listen
            self._lose(SoundError("sound.loudspeaker.lost"))

    def _step(self) -> None:
        """One iteration of the thread."""
        self._watch_loudspeaker()
        self._watch_reader()
        with self._changed:
            if not self._has_work():
                self._changed.wait(WATCH_S if self.headphones or self._is_provisional() else POLL_S)
            self._choose()
            current = self._current
            foreseen, self._prerendered = self._prerendered, None
        self._report_forgotten()
        if current is None:
            self._render_foreseen(foreseen)
            return
        if current.cancelled:
            self._end(current)
        elif current.playing:
            self._restart_later(current)
            self._yield_to_barge_in(current)
        elif self._is_held_up(current):
            with self._changed:
                self._changed.wait(WATCH_S)
        else:
            self._go_on(current)

    def _choose(self) -> None:
        """Choose the next item; between two parts of a long one, whatever has priority over it. Called with the lock
        held."""
        current = self._current
        if current is not None:
            goes_before = bool(self._waiting) and self._waiting[0].priority > current.priority
            if not goes_before or current.playing or current.cancelled or not current.parts:
                return
            place = sum(1 for other in self._waiting if other.priority > current.priority)
            self._waiting.insert(place, current)
            self._current = None
        if self._waiting:
            self._current = self._waiting.pop(0)

    def _is_held_up(self, item: QueuedSound) -> bool:
        """Whether an utterance has to wait, since somebody is speaking or has just spoken. Checked again after
        rendering, just before its first sound."""
        if not self._waits_for_speech(item) or item.begun_s is not None or not self._has_output:
            return False
        if item.waits_until_s is None:
            item.waits_until_s = time.monotonic() + (HEADPHONES_WAIT_S if self.headphones else LOUDSPEAKER_WAIT_S)
            item.whole = list(item.parts)
            if item.parts:
                self._render_ahead(item.parts[0], item.quick, item.whose)
        now_s, since_ms = time.monotonic(), self._speech_since()
        if since_ms is not None and (self.headphones or self._near()):
            item.quiet_from_s = now_s + SETTLED_S
            return now_s < item.waits_until_s
        # It is noise; once the program's own voice is in it, nothing more can be told from it.
        gives_way = item.priority is Priority.PATIENT or not self.headphones
        item.provisional = gives_way and since_ms is None and item.tone is None
        return now_s < min(item.quiet_from_s, item.waits_until_s)

    def _waits_for_speech(self, item: QueuedSound) -> bool:
        """Whether it waits for a speaker at all: not if it interrupts the program itself or follows such an item, nor a
        tone with headphones, where it masks no words."""
        if item.priority is Priority.PATIENT:
            return True
        if self.headphones:
            return item.number is not None
        return item.priority is not Priority.NOW and not item.follows

    def _is_provisional(self) -> bool:
        """Whether an onset may still turn out to precede the current utterance."""
        item = self._current
        return item is not None and item.begun_s is not None and time.monotonic() < self._audible_from(item)

    def _restart_later(self, item: QueuedSound) -> None:
        """Stop for somebody who had started to speak before this utterance, and start it again later."""
        since_ms = self._speech_since() if self._is_provisional() else None
        if since_ms is None or item.begun_s is None or since_ms / 1000 >= item.begun_s + ONSET_LATENCY_S:
            return
        with self._changed:
            playback = self._playback
            item.parts, item.begun_s = list(item.whole), None
            self._note(silent=True)
        if playback is not None:
            playback.stop()

    def _yield_to_barge_in(self, item: QueuedSound) -> None:
        """With headphones a barge-in interrupts the utterance at once. What was said may cancel it (`hush`); otherwise
        the interrupted sentence is repeated once it is quiet."""
        began_s, since_ms = item.begun_s, self._speech_since()
        if not self.headphones or item.number is None or began_s is None or since_ms is None:
            return
        now_s = time.monotonic()
        almost = not item.parts and item.ends_s - now_s < ALMOST_SAID_S
        if since_ms / 1000 < began_s or almost or item.yields >= MOST_YIELDS or not self._barges_in():
            return
        with self._changed:
            playback = self._playback
            item.parts.insert(0, item.part)
            item.yields, item.begun_s, item.waits_until_s = item.yields + 1, None, now_s + HEADPHONES_WAIT_S
            self._note(silent=True)
        if playback is not None:
            playback.stop()

    def _has_work(self) -> bool:
        current = self._current
        if current is None:
            return bool(self._waiting or self._forgotten or self._prerendered or self._closed)
        return current.cancelled or not current.playing or bool(self._forgotten) or self._closed

    @property
    def _has_output(self) -> bool:
        """Whether there is a loudspeaker or screen reader."""
        return self._output.device is not None or self._reader is not None

    def _go_on(self, item: QueuedSound) -> None:
        """Play the item's next part, or end it."""
        reader = self._reader if item.tone is None else None
        play = self._own(item) if reader is None else self._read(item, reader)
        if play is None:
            self._end(item)
            return

        def done(_completed: bool) -> None:  # on the device's thread; the lock is never held for long
            with self._changed:
                item.playing = False
                self._changed.notify()

        with self._changed:
            if item.cancelled:
                return
            item.playing = True
            now_s = time.monotonic()
            item.begun_s = now_s if item.begun_s is None else item.begun_s
            item.ends_s = now_s + item.lasts_s
            now_ms = monotonic_ms()
            self._saying.note(now_ms, PlayedText(item.part, now_ms, round(1000 * item.lasts_s), reader is not None))
            self._note()
        before = list(item.parts)
        if reader is not None:
            item.parts.clear()
        try:
            playback = play(done)
        except SoundError as error:
            if reader is None:
                self._lose(error)
                return
            # No sentence is lost: the program's own voice takes over from here.
            with self._changed:
                item.playing = False
                item.parts[:] = before
            self.read_by(None)
            self._trouble(error)
            return
        with self._changed:
            self._playback = playback
            cancelled = item.cancelled
        if cancelled:
            playback.stop()
        if item.parts:
            self._render_ahead(item.parts[0], item.quick, item.whose)

    def _read(self, item: QueuedSound, reader: Reader) -> Callable[[Done], Playback] | None:
        """A call that has the screen reader read the rest of the item; None: nothing is left."""
        self._take_text(item)
        text = " ".join(item.parts)
        whole = list(item.parts)
        item.part, item.lasts_s = text, reader.estimated_s(text)

        def gone(error: SoundError) -> None:  # while reading: the program's own voice repeats it
            with self._changed:
                item.playing, self._reader_gone = False, error
                item.parts[:] = whole
                self._changed.notify()

        return (lambda done: reader.say(text, done, gone)) if text else None

    def _own(self, item: QueuedSound) -> Callable[[Done], Playback] | None:
        """A call that plays the item's next part; None: there is none, or no loudspeaker."""
        sound, loudspeaker = self._next_sound(item), self._output.device
        if sound is None or loudspeaker is None:
            return None
        pcm, rate = sound
        item.lasts_s = len(pcm) / 2 / rate
        ear = item.ear if self.headphones and self._speech.settings.apart else Ear.BOTH
        return lambda done: loudspeaker.play(*sound, done, ear)

    @staticmethod
    def _take_text(item: QueuedSound) -> None:
        """Ask for a text that is computed when its turn comes."""
        if item.late is not None:
            item.parts, item.late = parts(item.late()), None
            item.whole = list(item.parts)

    def _next_sound(self, item: QueuedSound) -> tuple[bytes, int] | None:
        volume = self._speech.settings.volume
        if item.tone is not None:
            tone, item.tone = item.tone, None
            return scaled(tone_pcm(tone), min(1.0, volume * self._tones[tone])), TONE_RATE
        self._take_text(item)
        while item.parts and self._output.device is not None and not item.cancelled:
            try:
                item.part = item.parts.pop(0)
                sound = self._rendered(item.part, item.quick, item.whose)
            except SoundError as error:
                self._trouble(error)
                item.parts.clear()
                return scaled(unspoken_pcm(), volume), TONE_RATE
            self._troubles.discard("sound.voice.failed")
            if not sound.right_language:
                self._trouble(SoundError("sound.voice.wrong_language"))
            if not sound.has_second:
                self._trouble(SoundError("sound.voice.no_second"))
            if sound.pcm:
                return sound.pcm, sound.rate
        return None

    def _end(self, item: QueuedSound) -> None:
        with self._changed:
            self._current = self._playback = None
            begun = item.begun_s is not None
            for other in self._waiting:
                other.follows = begun
            if begun:
                self._quiet_at = time.monotonic() + (AFTER_TONE_S if item.number is None else AFTER_SPEECH_S)
            self._note(silent=True)
        if item.number is not None:
            self._tell.spoken(item.number, not item.cancelled)

    def _report_forgotten(self) -> None:
        with self._changed:
            forgotten, self._forgotten = self._forgotten, []
        for item in forgotten:
            if item.number is not None:
                self._tell.spoken(item.number, False)

    def _render_foreseen(self, foreseen: Callable[[], tuple[str, bool] | None] | None) -> None:
        said = None if foreseen is None else foreseen()
        if said is not None:
            text, quick = said
            for part in parts(text)[:1]:
                self._render_ahead(part, quick)

    def _rendered(self, text: str, quick: bool, whose: Whose = Whose.PROGRAM) -> SpokenSound:
        return self._speech.sound(self._respelled(text), quick, whose is Whose.OPPONENT)

    def _render_ahead(self, text: str, quick: bool, whose: Whose = Whose.PROGRAM) -> None:
        if self._reader is not None:
            return
        with contextlib.suppress(SoundError):  # reported when it is really needed
            self._rendered(text, quick, whose)

    def _trouble(self, error: SoundError) -> None:
        if error.key not in self._troubles:
            self._troubles.add(error.key)
            self._tell.trouble(error)

    def _watch_reader(self) -> None:
        error, self._reader_gone = self._reader_gone, None
        if error is not None:
            self.read_by(None)
            self._trouble(error)

    def _watch_loudspeaker(self) -> None:
        try:
            self._output.watch()
        except SoundError as error:
            self._lose(error)

    def _lose(self, error: SoundError) -> None:
        """Go on without sound: the current item counts as said."""
        self._output.lose(error)
        if self._current is not None:
            self._current.parts.clear()
            self._current.playing = False
