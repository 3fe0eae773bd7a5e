"""While the program speaks through a loudspeaker a few words are heard: what it says is taken out of the microphone.

Never moves, which would be believed on too little. And no word of the program's own (`Echo.is_own`): what is left of it
sounds like anything. What is heard when it has spoken begins where that ended, or where the player had begun before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from voicechess.meaning import BYSTANDER_DB, UNKNOWN_WORD
from voicechess.sound.devices.interfaces import Block
from voicechess.sound.echo import Echo
from voicechess.sound.model import MODEL_RATE, SpeechModel
from voicechess.sound.pcm import Resampler
from voicechess.sound.recogniser import (
    PRE_ROLL_MS,
    Completeness,
    RecognisedUtterance,
    Recogniser,
    always_complete,
)

CLEAR_FIT = -5.0
"""Words that fit what is left so well are clear: an echo of anything else seldom is."""

GARBLED_FIT = -15.0
"""What fits its words so badly is hardly one of ours: what is left of an echo seldom fits better."""

RECENT_MS = 1_500
"""So long after it what was said may be heard, by a sound server that holds it and a room that sounds on."""

LEAST_REPEATED, MOSTLY = 2, 0.6
"""Of the words that were heard, so many and such a share, in their order, make them those of the program's sentence."""

LONGEST_MS = 500
"""A recogniser takes no longer blocks."""

MOST_MISSED = 3 * MODEL_RATE
"""Of what was heard while the program spoke, so many samples are heard afterwards at most: three seconds."""


class Overhearing:
    """A recogniser behind an echo canceller. `played` is for the loudspeaker's thread, `expect` for any; all else for
    the microphone's."""

    def __init__(self, model: SpeechModel) -> None:
        """Raises `SoundError` where it cannot be had."""
        Resampler(2 * MODEL_RATE, MODEL_RATE)  # what the devices' rates will take
        self._echo = Echo()
        self.played = self._echo.played
        self.said: Callable[[int, int], Iterable[str]] = lambda _began_ms, _ended_ms: ()
        """What the program was saying in that time, part by part."""
        self._recogniser = Recogniser(model, MODEL_RATE)
        self._expected: tuple[tuple[str, ...], Callable[[str], Completeness]] | None = None
        self._applied: tuple[str, ...] = ()
        self._since_ms: int | None = None  # since when somebody has been speaking into it
        self._given = 0  # up to which sample it was given to who listens
        self._cleans = False  # while an echo may last

    def expect(self, phrases: Iterable[str], completeness: Callable[[str], Completeness] = always_complete) -> None:
        """This can be said from the next utterance on."""
        self._expected = (tuple(phrases), completeness)

    def feed(self, block: Block, rate: int, listens: bool) -> RecognisedUtterance | None:
        """The microphone's next block, all of which are wanted; and what the player has said, while it `listens`."""
        clean = self._echo.cleaned(block, rate)
        if not listens or self._expected is None:
            self._recogniser.reset()  # who is speaking is heard from their first word on: `since`
            return None
        phrases, completeness = self._expected
        if phrases != self._applied and not self._recogniser.hearing:
            self._recogniser.expect(phrases, completeness)
            self._applied = phrases
        utterance = self._recogniser.feed(clean)
        self._since_ms = self._recogniser.since_ms
        return None if utterance is None or self.is_own(utterance) is not False else utterance

    def since(self, begins: bool) -> list[Block]:
        """What has been heard since this was last asked, at `MODEL_RATE`, for who listens when nothing is played.

        `begins`: to listen, after the program has spoken: then from where that was over, or from where the player began
        to speak into its end. While an echo may last it is taken out, which makes it later by 0.2 s.
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
        texts = [word.text for word in best.words if word.text != UNKNOWN_WORD]
        repeats = repeated(texts, " ".join(self.said(began_ms - RECENT_MS, ended_ms)))
        return self._echo.is_own(began_ms, ended_ms, clear and bool(words), garbled, repeats)


def repeated(words: Sequence[str], text: str) -> bool:
    """Whether most of these words, two at least, stand in this text in their order."""
    said = re.findall(r"\w+", text.casefold())
    found = [0] * (len(said) + 1)  # the longest common subsequence of the words so far and of so much of the sentence
    for word in words:
        before = list(found)
        for at, other in enumerate(said):
            found[at + 1] = before[at] + 1 if word == other else max(before[at + 1], found[at])
    return found[-1] >= max(LEAST_REPEATED, MOSTLY * len(words))


def _parts(block: Block) -> list[Block]:
    """The same in blocks that are short enough."""
    size, end = 2 * MODEL_RATE * LONGEST_MS // 1000, len(block.pcm)
    return [
        Block(block.pcm[at : at + size], block.ended_ms - max(0, end - at - size) // 2 * 1000 // MODEL_RATE)
        for at in range(0, end, size)
    ]
