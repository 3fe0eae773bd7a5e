"""A game played without devices: a synthetic voice speaks into the real recogniser, the game answers.

Everything between sound and sound is what a real game uses; only microphone and loudspeaker are left out, so it runs
anywhere and as fast as the machine can.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from voicechess.app.hearing import completeness
from voicechess.game import events as ev
from voicechess.game.effects import Effect, Listen, Say
from voicechess.game.session import Session
from voicechess.language.lexicon import Lexicon
from voicechess.language.phrases import phrases
from voicechess.language.readings import interpret
from voicechess.language.wording import Wording
from voicechess.meaning import Expectation
from voicechess.sound.model import SpeechModel
from voicechess.sound.pcm import converted
from voicechess.sound.recogniser import Recogniser, recognise
from voicechess.sound.speech import Speech

RATE = 16_000
BEFORE_MS, AFTER_MS = 400, 1_200
"""Silence around a spoken sentence: what a room gives, and enough for the longest wait for more words."""


@dataclass
class Rehearsal:
    """Speaks, hears and keeps the sound of a conversation. `sound` is 16 kHz mono, 16 bit.

    `wording` is the program's, `spoken` that of the player, who speaks the language that the recogniser hears.
    `show(who, words)` is told every line: "player" or "program".
    """

    session: Session
    wording: Wording
    spoken: Wording
    lexicon: Lexicon
    model: SpeechModel
    player: Speech
    program: Speech
    show: Callable[[str, str], None]
    sound: bytearray = field(default_factory=bytearray)
    heard: str = ""
    _expectation: Expectation = field(default_factory=Expectation)

    @property
    def now_ms(self) -> int:
        """The conversation's own time: how much of it has been heard."""
        return len(self.sound) * 1000 // (2 * RATE)

    def start(self) -> None:
        """The first announcements."""
        self._perform(self.session.handle(ev.Started(at_ms=self.now_ms)))

    def speak(self, words: str) -> None:
        """The player says this; what the game makes of it is said."""
        self.show("player", words)
        voice = self.player.sound(self.spoken.for_voice(words))
        pcm = _silence(BEFORE_MS) + converted(voice.pcm, voice.rate, RATE, 1) + _silence(AFTER_MS)
        recogniser = Recogniser(self.model, RATE)
        expectation, lexicon = self._expectation, self.lexicon
        recogniser.expect(phrases(expectation, lexicon), lambda text: completeness(text, expectation, lexicon))
        began_ms = self.now_ms
        self.sound += pcm
        self.heard = ""
        for utterance in recognise(recogniser, pcm, began_ms):
            self.heard = utterance.hypotheses[0].text if utterance.hypotheses else ""
            readings = interpret(utterance.hypotheses, expectation, lexicon)
            self._perform(
                self.session.handle(
                    ev.Heard(
                        at_ms=max(self.now_ms, utterance.ended_ms),
                        readings=readings,
                        words=self.heard,
                        began_ms=utterance.began_ms,
                        ended_ms=utterance.ended_ms,
                        above_room_db=utterance.level.above_db,
                    )
                )
            )

    def answer(self, uci: str) -> None:
        """The opponent's move."""
        self._perform(self.session.handle(ev.OpponentMoved(at_ms=self.now_ms, uci=uci)))

    def _perform(self, effects: tuple[Effect, ...]) -> None:
        waiting = list(effects)
        while waiting:
            effect = waiting.pop(0)
            match effect:
                case Say(utterance):
                    text = self.wording.say(utterance)
                    self.show("program", text)
                    spoken = self.program.sound(self.wording.for_voice(text))
                    self.sound += converted(spoken.pcm, spoken.rate, RATE, 1) + _silence(150)
                    waiting += self.session.handle(ev.Spoken(at_ms=self.now_ms, number=utterance.number))
                case Listen(expectation):
                    self._expectation = expectation


def _silence(ms: int) -> bytes:
    return bytes(2 * RATE * ms // 1000)
