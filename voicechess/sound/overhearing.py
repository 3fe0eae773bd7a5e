"""Barge-in through a loudspeaker: a few words are recognised while the program speaks, behind an echo canceller.

Never moves, which would be believed on too little. And no word of the program's own (`Echo.is_own`): residual echo
sounds like anything. When the program has spoken, listening begins where its echo ended, or where the player had begun
before that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from voicechess.meaning import BYSTANDER_DB, UNKNOWN_WORD, RecognisedUtterance
from voicechess.sound.devices.interfaces import Block
from voicechess.sound.echo import Echo
from voicechess.sound.model import MODEL_RATE, SpeechModel
from voicechess.sound.pcm import Resampler
from voicechess.sound.recogniser import (
    PRE_ROLL_MS,
    Completeness,
    Recogniser,
    always_complete,
)

CLEAR_FIT = -5.0
"""Fit from which on words in the residual are clear: residual echo seldom fits as well. Larger: fewer soft words of the
player's are obeyed."""

GARBLED_FIT = -15.0
"""Fit below which sound holds hardly a word of ours; residual echo seldom fits better. Larger: more is taken for the
program's own."""

RECENT_MS = 1_500
"""Milliseconds for which a sentence may be heard after it was said: sound servers hold it, rooms reverberate. Larger:
more of the player's repetitions are taken for it."""

LEAST_REPEATED, MOSTLY = 2, 0.6
"""Words, and share of the words heard, that must stand in the program's sentence, in their order, to make them its own.
Larger: fewer words are taken for the program's."""

LONGEST_MS = 500
"""Milliseconds of the longest block that a recogniser takes."""

MOST_MISSED = 3 * MODEL_RATE
"""Samples (three seconds) of what was heard into the program's speech that are recognised afterwards at most."""


class Overhearing:
    """A recogniser behind an echo canceller. `played` is for the loudspeaker's thread, `expect` for any, all else for
    the microphone's."""

    def __init__(self, model: SpeechModel) -> None:
        """Raises `SoundError` where it cannot be had."""
        Resampler(2 * MODEL_RATE, MODEL_RATE)  # raises where the devices' rates could not be changed
        self._echo = Echo()
        self.played = self._echo.played
        self.said: Callable[[int, int], Iterable[str]] = lambda _began_ms, _ended_ms: ()
        """What the program was saying between two times, sentence by sentence."""
        self._model = model
        self._recogniser = Recogniser(model, MODEL_RATE)
        self._expected: tuple[tuple[str, ...], Callable[[str], Completeness], SpeechModel] | None = None
        self._applied: tuple[tuple[str, ...], SpeechModel] | None = None
        self._since_ms: int | None = None  # onset of speech into the program's
        self._given = 0  # the sample up to which `since` has given sound
        self._cleans = False  # whether it gives cancelled sound, since echo may last

    def expect(self, phrases: Iterable[str], completeness: Callable[[str], Completeness] = always_complete) -> None:
        """Recognise these phrases from the next utterance on."""
        self._expected = (tuple(phrases), completeness, self._model)

    def recognise_with(self, model: SpeechModel) -> None:
        """What is expected from now on is recognised by this model."""
        self._model = model

    def feed(self, block: Block, rate: int, listens: bool) -> RecognisedUtterance | None:
        """Take the microphone's next block (all of them are wanted); what the player has said, while it `listens`."""
        clean = self._echo.cleaned(block, rate)
        if not listens or self._expected is None:
            self._recogniser.reset()  # `since` gives the speech from its onset on
            return None
        phrases, completeness, model = self._expected
        if (phrases, model) != self._applied and not self._recogniser.hearing:
            self._recogniser.expect(phrases, completeness, model)
            self._applied = (phrases, model)
        utterance = self._recogniser.feed(clean)
        self._since_ms = self._recogniser.since_ms
        return None if utterance is None or self.is_own(utterance) is not False else utterance

    def since(self, begins: bool) -> list[Block]:
        """The sound since the last call, at `MODEL_RATE`, for the recogniser that listens while nothing is played.

        `begins`: that one begins to listen, after the program has spoken: then from where its echo was over, or from
        where the player began to speak into its end. While echo may last it is cancelled, 0.2 s later.
        """
        echo = self._echo
        if begins:
            first = echo.over
            if self._since_ms is not None:
                first = min(first, echo.sample_at(self._since_ms - PRE_ROLL_MS))
            self._given = max(self._given, first, echo.heard - MOST_MISSED)
            self._since_ms, self._cleans = None, True
        pieces = []
        if self._cleans:
            pieces.append(echo.kept(self._given, clean=True))
            self._given, self._cleans = max(self._given, echo.cleaned_to), echo.lasts
        if not self._cleans:
            pieces.append(echo.kept(self._given, clean=False))
            self._given = echo.heard
        return [part for piece in pieces for part in _parts(piece)]

    def is_own(self, utterance: RecognisedUtterance) -> bool | None:
        """Whether the program itself has said this; None: that cannot be told."""
        best = utterance.hypotheses[0]
        words = [word for word in best.words if word.text != UNKNOWN_WORD and word.below_db < BYSTANDER_DB]
        clear = best.fit is not None and best.fit >= CLEAR_FIT
        garbled = not words or (best.fit is not None and best.fit < GARBLED_FIT)
        began_ms, ended_ms = utterance.began_ms, utterance.ended_ms
        if words:
            began_ms, ended_ms = words[0].began_ms, max(word.ended_ms for word in words)
        said = " ".join(self.said(began_ms - RECENT_MS, ended_ms))
        # "Nichts verstanden" was heard as "um nicht verstanden", and then as "um nichts verstanden".
        heard = [[word.text for word in one.words if word.text != UNKNOWN_WORD] for one in utterance.hypotheses]
        repeats, stands = any(repeated(one, said) for one in heard), repeated(heard[0], said, least=1)
        return self._echo.is_own(began_ms, ended_ms, clear and bool(words), garbled, repeats, stands)


def repeated(words: Sequence[str], text: str, least: int = LEAST_REPEATED) -> bool:
    """Whether most of these words, and at least `least` of them, occur in this text in their order (longest common
    subsequence)."""
    said = re.findall(r"\w+", text.casefold())
    found = [0] * (len(said) + 1)  # its length for the words so far and each prefix of the sentence
    for word in words:
        before = list(found)
        for at, other in enumerate(said):
            found[at + 1] = before[at] + 1 if word == other else max(before[at + 1], found[at])
    return found[-1] >= max(least, MOSTLY * len(words))


def _parts(block: Block) -> list[Block]:
    """The same in blocks of `LONGEST_MS` at most."""
    size, end = 2 * MODEL_RATE * LONGEST_MS // 1000, len(block.pcm)
    return [
        Block(block.pcm[at : at + size], block.ended_ms - max(0, end - at - size) // 2 * 1000 // MODEL_RATE)
        for at in range(0, end, size)
    ]
