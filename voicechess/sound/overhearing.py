"""Barge-in without headphones: a few words are recognised while the program speaks, behind an echo canceller.

Moves are never taken there, since too little evidence would decide them. Sound that is the program's own
(`Echo.is_own`) is dropped: residual echo sounds like anything. After the program has spoken, recognition starts where
its echo ended, or where the player started before that.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from voicechess.meaning import BYSTANDER_DB, UNKNOWN_WORD, RecognisedUtterance, Word
from voicechess.sound.devices.interfaces import Block
from voicechess.sound.echo import Echo
from voicechess.sound.model import MODEL_RATE, SpeechModel
from voicechess.sound.pcm import Resampler
from voicechess.sound.queued import EARLY_MS, PlayedText
from voicechess.sound.recogniser import (
    PRE_ROLL_MS,
    Completeness,
    Recogniser,
    always_complete,
)

_LOG = logging.getLogger(__name__)

CLEAR_FIT = -5.0
"""Fit at which words in the residual count as clear: residual echo seldom fits as well. Larger: fewer of the player's
soft words are obeyed."""

GARBLED_FIT = -15.0
"""Fit below which sound holds hardly any known word: residual echo is usually below it. Larger: more is taken for
echo."""

RECENT_MS = 1_500
"""Milliseconds for which a sentence may still be heard after it was played: sound servers buffer it, rooms reverberate.
Larger: more of the player's repetitions are taken for echo."""

WORD = re.compile(r"\w+")

LEAST_REPEATED, MOSTLY = 2, 0.6
"""Fewest words, and share of the recognised words, that must occur in the program's sentence in order to make them the
program's own. Larger: less is taken for echo."""

ALIKE = 0.65
"""Share of the letters of two words, 0 to 1, that makes them the same word among several (`SequenceMatcher.ratio`):
"Weiß zog Hector vier" is recognised as "weiß zug hektor vier". "Zwei" and "drei" have 0.5. Larger: less is taken for
echo."""

ALIKE_ALONE = 0.8
"""The same for a word alone and another of its length: the "Hause" of "sonst zu Hause" was heard as "Pause"; "nein" and
"eins" have 0.75. Larger: less is taken for echo."""

LATE_MS = 800
"""Milliseconds after the time at which the program plays some words (`PlayedText.time_of`; before it: `EARLY_MS`) in
which the same words are its own whatever their level: the echo is up to 500 ms late. Larger: more of the player's
repetitions after the sentence are taken for echo."""

STRANGE_FIT = 10.0
"""Fit from which `LEAST_REPEATED` words or more, most of them not the program's, are the player's although their sound
cannot be told from the echo. Of 230 utterances of its own one fitted better, and all its words were the program's.
Larger: more of the player's words are dropped."""

STRANGE_MS = 4_000
"""Milliseconds before such words in which the program must not have said them. Larger: as above."""

LONGEST_MS = 500
"""Longest block that a recogniser takes, milliseconds."""

MOST_MISSED = 3 * MODEL_RATE
"""Most samples (three seconds) of sound during the program's speech that are recognised afterwards. Larger: more
computing at that moment."""


class Overhearing:
    """A recogniser behind an echo canceller. `played` is for the loudspeaker's thread, `expect` for any, all else for
    the microphone's."""

    def __init__(self, model: SpeechModel) -> None:
        """Raises `SoundError` where a library is missing."""
        Resampler(2 * MODEL_RATE, MODEL_RATE)  # raises where no device's rate could be converted
        self._echo = Echo()
        self.played = self._echo.played
        self.said: Callable[[int, int], Sequence[PlayedText]] = lambda _began_ms, _ended_ms: ()
        """What the program was playing between two times."""
        self._model = model
        self._recogniser = Recogniser(model, MODEL_RATE)
        self._recogniser.echo_ended_ms = self.echo_ended_ms
        self._expected: tuple[tuple[str, ...], Callable[[str], Completeness], SpeechModel] | None = None
        self._applied: tuple[tuple[str, ...], SpeechModel] | None = None
        self._since_ms: int | None = None  # onset of speech during the program's
        self._given = 0  # sample up to which `since` has returned sound
        self._told = 0  # sample up to which the main recogniser has returned utterances
        self._cleans = False  # whether `since` returns the residual, while there may be echo

    def expect(self, phrases: Iterable[str], completeness: Callable[[str], Completeness] = always_complete) -> None:
        """Recognise these phrases from the next utterance on."""
        self._expected = (tuple(phrases), completeness, self._model)

    def recognise_with(self, model: SpeechModel) -> None:
        """Recognise with this model from the next expectation on."""
        self._model = model

    def feed(self, block: Block, rate: int, listens: bool) -> RecognisedUtterance | None:
        """Take the next microphone block (every one is needed); what the player has said, if it `listens`."""
        clean = self._echo.cleaned(block, rate)
        if not listens or self._expected is None:
            self._recogniser.reset()  # `since` returns the speech from its onset on
            return None
        phrases, completeness, model = self._expected
        if (phrases, model) != self._applied and not self._recogniser.hearing:
            self._recogniser.expect(phrases, completeness, model)
            self._applied = (phrases, model)
        utterance = self._recogniser.feed(clean)
        self._since_ms = self._recogniser.since_ms
        if utterance is None:
            return None
        own = self.is_own(utterance, bargein=True) is not False
        _LOG.debug("%s: %s", "own words" if own else "player", utterance)
        return None if own else utterance

    def since(self, begins: bool) -> list[Block]:
        """The sound since the last call, at `MODEL_RATE`, for the main recogniser, which listens while nothing is
        played.

        `begins`: the program has just stopped speaking and the main recogniser starts: from the end of the echo, or
        from where the player started to speak into it, or before it: what the main recogniser had heard of those words
        was dropped. While there may be echo the residual is returned, 0.2 s later.
        """
        echo = self._echo
        if begins:
            first = max(self._given, echo.echo_end)
            if self._since_ms is not None:
                first = max(self._told, min(first, echo.sample_at(self._since_ms - PRE_ROLL_MS)))
            self._given = max(first, echo.heard - MOST_MISSED)
            self._since_ms, self._cleans = None, True
        pieces = []
        if self._cleans:
            pieces.append(echo.recent(self._given, clean=True))
            self._given, self._cleans = max(self._given, echo.cleaned_to), echo.may_echo
        if not self._cleans:
            pieces.append(echo.recent(self._given, clean=False))
            self._given = echo.heard
        return [part for piece in pieces for part in _parts(piece)]

    def echo_ended_ms(self) -> int:
        """When the echo of what the program said last has died away, by the estimated delay."""
        return self._echo.ended_ms

    def told(self, utterance: RecognisedUtterance) -> None:
        """The main recogniser has returned this: `since` returns none of it again."""
        self._told = self._echo.sample_at(utterance.ended_ms)

    def rest(self, utterance: RecognisedUtterance) -> list[Block]:
        """The sound since the end of the program's words in this utterance, at `MODEL_RATE`: where the player began
        right behind them, one utterance has both. Empty where it began after them or ended with them."""
        echo, words = self._echo, utterance.hypotheses[0].words
        played = self.said(utterance.began_ms - RECENT_MS, utterance.ended_ms)
        own = own_words(words, played)
        late = [word for word in own if echo.sample_at(word.began_ms) >= echo.echo_end]
        if len(late) < LEAST_REPEATED:  # the player's, by chance
            own = own[: len(own) - len(late)]
        own_end_ms = max((word.ended_ms for word in own), default=utterance.began_ms)
        behind = [word.began_ms for word in words if word.began_ms >= own_end_ms > utterance.began_ms]
        first = max(echo.sample_at(own_end_ms), min([echo.echo_end, *map(echo.sample_at, behind[:1])]))
        if not echo.sample_at(utterance.began_ms) < first < echo.sample_at(utterance.endpoint_ms):
            return []
        self._given, self._cleans = first, True
        return self.since(begins=False)

    def begins_as_own(self, utterance: RecognisedUtterance) -> bool:
        """Whether its first words are the program's, and others follow."""
        words = [word for word in utterance.hypotheses[0].words if word.text != UNKNOWN_WORD]
        played = self.said(utterance.began_ms - RECENT_MS, utterance.ended_ms)
        return len(words) > LEAST_REPEATED and len(own_words(words[:LEAST_REPEATED], played)) == LEAST_REPEATED

    def is_strange(self, utterance: RecognisedUtterance) -> bool:
        """Whether words that may be echo by their sound (`is_own`) are clearly others than the program has said."""
        best = utterance.hypotheses[0]
        words = [word.text for word in best.words]
        if best.fit is None or best.fit < STRANGE_FIT or len(words) < LEAST_REPEATED or UNKNOWN_WORD in words:
            return False
        played = self.said(utterance.began_ms - STRANGE_MS, utterance.ended_ms)
        return not repeated(words, " ".join(one.text for one in played)) and not coincides(best.words, played)

    def is_own(self, utterance: RecognisedUtterance, bargein: bool = False) -> bool | None:
        """Whether this is the program's own speech; None: undecided. `bargein`: it was recognised during that, where a
        player says a word: if it is steady, it decides, whatever was recognised before it."""
        best = utterance.hypotheses[0]
        words = [word for word in best.words if word.text != UNKNOWN_WORD and word.below_db < BYSTANDER_DB]
        steady = bargein and is_steady(utterance)
        if steady:
            words = list(best.words[-1:])
        clear = best.fit is not None and best.fit >= CLEAR_FIT
        garbled = not words or (best.fit is not None and best.fit < GARBLED_FIT and not steady)
        began_ms, ended_ms = utterance.began_ms, utterance.ended_ms
        if words:
            began_ms, ended_ms = words[0].began_ms, max(word.ended_ms for word in words)
        played = self.said(began_ms - RECENT_MS, ended_ms)
        said = " ".join(one.text for one in played)
        # "Nichts verstanden" was heard as "um nicht verstanden", and then as "um nichts verstanden".
        every = utterance.hypotheses if not steady else (replace(best, words=best.words[-1:]),)
        heard = [[word.text for word in one.words if word.text != UNKNOWN_WORD] for one in every]
        repeats, occurs = any(repeated(one, said) for one in heard), repeated(heard[0], said, least=1)
        if any(coincides(one.words, played) for one in every):
            return True  # whatever the echo: by ear one that had become 20 dB louder within the sentence
        return self._echo.is_own(began_ms, ended_ms, clear and bool(words), garbled, repeats, occurs)


def is_steady(utterance: RecognisedUtterance) -> bool:
    """Whether it ends with the same word at every speed at which it was recognised. A player's word does, however badly
    it fits together with the echo; what is recognised in echo alone does in one utterance of seven."""
    best = {one.speed: one.text for one in reversed(utterance.hypotheses)}
    last = {(text.split() or [UNKNOWN_WORD])[-1] for text in best.values()}
    return len(best) > 1 and len(last) == 1 and UNKNOWN_WORD not in last


def repeated(words: Sequence[str], text: str, least: int = LEAST_REPEATED) -> bool:
    """Whether most of these words, and at least `least`, occur in this text in order (longest common subsequence), each
    the same or, if several must occur, `ALIKE`."""
    said = WORD.findall(text.casefold())
    found = [0] * (len(said) + 1)  # length for the words so far and each prefix of the text
    for word in words:
        before = list(found)
        for at, other in enumerate(said):
            same = alike(word, other) if least > 1 else _rhymes(word, other)
            found[at + 1] = before[at] + 1 if same else max(before[at + 1], found[at])
    return found[-1] >= max(least, MOSTLY * len(words))


def alike(word: str, other: str) -> bool:
    """Whether these are the same word, or nearly."""
    return word == other or SequenceMatcher(None, word, other).ratio() >= ALIKE


def _rhymes(word: str, other: str) -> bool:
    same_length = len(word) == len(other)
    return word == other or (same_length and SequenceMatcher(None, word, other).ratio() >= ALIKE_ALONE)


def coincides(words: Sequence[Word], played: Sequence[PlayedText]) -> bool:
    """Whether most of these words, and at least `LEAST_REPEATED`, were recognised when the program played them."""
    heard = [word for word in words if word.text != UNKNOWN_WORD]
    return len(own_words(words, played)) >= max(LEAST_REPEATED, MOSTLY * len(heard))


def own_words(words: Sequence[Word], played: Sequence[PlayedText]) -> list[Word]:
    """Those of these words that were recognised when the program played them."""
    said = [
        (match[0], one.time_of(match.start()))
        for one in played
        if one.lasts_ms
        for match in WORD.finditer(one.text.casefold())
    ]
    return [
        word
        for word in words
        if any(-EARLY_MS <= word.began_ms - at_ms <= LATE_MS and alike(word.text, text) for text, at_ms in said)
    ]


def _parts(block: Block) -> list[Block]:
    """The same sound in blocks of at most `LONGEST_MS`."""
    size, end = 2 * MODEL_RATE * LONGEST_MS // 1000, len(block.pcm)
    return [
        Block(block.pcm[at : at + size], block.ended_ms - max(0, end - at - size) // 2 * 1000 // MODEL_RATE)
        for at in range(0, end, size)
    ]
