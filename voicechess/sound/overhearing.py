"""While the program speaks through a loudspeaker a few words are heard: what it says is taken out of the microphone.

Never moves, which would be believed on too little. And no word of the program's own (`Echo.is_own`): what is left of it
sounds like anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from voicechess.meaning import BESIDE_DB
from voicechess.sound.devices.interfaces import Block
from voicechess.sound.echo import Echo
from voicechess.sound.model import MODEL_RATE, UNKNOWN, SpeechModel
from voicechess.sound.pcm import Resampler
from voicechess.sound.recogniser import Completeness, RecognisedUtterance, Recogniser, always_complete

CLEAR_FIT = -5.0
"""Words that fit what is left so well are clear: an echo of anything else seldom is."""


class Overhearing:
    """A recogniser behind an echo canceller. `played` is for the loudspeaker's thread, `expect` for any; all else for
    the microphone's."""

    def __init__(self, model: SpeechModel) -> None:
        """Raises `SoundError` where it cannot be had."""
        Resampler(2 * MODEL_RATE, MODEL_RATE)  # what the devices' rates will take
        self._echo = Echo()
        self.played = self._echo.played
        self._recogniser = Recogniser(model, MODEL_RATE)
        self._expected: tuple[tuple[str, ...], Callable[[str], Completeness]] | None = None
        self._applied: tuple[str, ...] = ()

    def expect(self, phrases: Iterable[str], completeness: Callable[[str], Completeness] = always_complete) -> None:
        """This can be said from the next utterance on."""
        self._expected = (tuple(phrases), completeness)

    def feed(self, block: Block, rate: int, listens: bool) -> RecognisedUtterance | None:
        """The microphone's next block, all of which are wanted; and what the player has said, while it `listens`."""
        clean = self._echo.cleaned(block, rate)
        if not listens or self._expected is None:
            utterance = self._recogniser.flush()
            self._recogniser.reset()
        else:
            phrases, completeness = self._expected
            if phrases != self._applied and not self._recogniser.hearing:
                self._recogniser.expect(phrases, completeness)
                self._applied = phrases
            utterance = self._recogniser.feed(clean)
        return None if utterance is None or self._is_own(utterance) else utterance

    def _is_own(self, utterance: RecognisedUtterance) -> bool:
        best = utterance.hypotheses[0]
        words = [word for word in best.words if word.text != UNKNOWN and word.below_db < BESIDE_DB]
        clear = best.fit is not None and best.fit >= CLEAR_FIT
        return not words or self._echo.is_own(words[0].began_ms, max(word.ended_ms for word in words), clear)
