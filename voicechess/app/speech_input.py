"""Speech input in several languages: the models of the languages in use, and the listener that switches between them.

The model of a language that is asked for later is loaded on its own thread. Until then the previous model stays in use,
with the words that it knows.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import chess

from voicechess.app.hearing import Hearing
from voicechess.app.inbox import ModelReady
from voicechess.app.turn_taking import INTERJECTIONS
from voicechess.language.folders import LANGUAGES, SWITCHES
from voicechess.language.lexicon import Lexicon, load
from voicechess.language.patterns import Literal, Pattern
from voicechess.meaning import Expectation
from voicechess.messages import Failure, Phrase, Text
from voicechess.sound.errors import SoundError
from voicechess.sound.listener import Listener
from voicechess.sound.model import VoskModel
from voicechess.storage.speech_models import choose

if TYPE_CHECKING:
    from voicechess.sound.overhearing import Overhearing

LEAST_KNOWN = 0.1
"""Share of a language's words, 0 to 1, that a model must know to be of that language. Larger: more models are taken for
those of an unknown language."""

CLOSING_S = 3.0
"""Timeout, seconds, for a model that is still loading at the end of the program: unloading its library meanwhile could
crash. Larger: a later exit."""


def language_of(knows: Callable[[str], bool], likely: Sequence[str] = ()) -> tuple[str, float]:
    """The language whose words a model knows best, and the share of them. `likely`: languages that are tried first; one
    whose words are all known is it, and no other is loaded."""
    shares: dict[str, float] = {}
    for code in dict.fromkeys((*likely, *LANGUAGES)):
        words = load(code).spoken_words
        shares[code] = sum(map(knows, words)) / len(words)
        if shares[code] == 1:
            break
    return max(shares.items(), key=lambda one: one[1])


def not_of(lexicon: Lexicon, model: VoskModel) -> Phrase | None:
    """Message that a model is neither for this language nor for its substitute; None if it is."""
    code, share = language_of(model.knows, lexicon.hearable)
    if code in lexicon.hearable and share >= LEAST_KNOWN:
        return None
    return Phrase("model.not_of_language", {"path": Text(str(model.path)), "own": Text(lexicon.about.name)})


def only_hears(lexicon: Lexicon) -> Phrase:
    """Message that another language is recognised than the one spoken back, with a few of its words."""
    heard = lexicon.heard
    asked_for = {code: command for command, code in SWITCHES.items()}
    language, own = (_first_word(lexicon.commands[asked_for[one.code]]).capitalize() for one in (heard, lexicon))
    move = (heard.pieces[chess.KNIGHT][0], heard.files[5][0], heard.ranks[2][0])
    alone = [_first_word(heard.answers[key]) for key in ("yes", "no")]
    alone += [_first_word(heard.commands[key]) for key in ("help", "repeat", "stop")]
    words = ", ".join((" ".join(move), *filter(None, alone)))
    return Phrase("program.only_hears", {"language": Text(language), "words": Text(words), "own": Text(own)})


def _first_word(patterns: Sequence[Pattern]) -> str:
    """The first sentence of a single word; "" if there is none."""
    sentences = (sentence for pattern in patterns for sentence in pattern.expand())
    alone = (part.text for (part, *more) in sentences if not more and isinstance(part, Literal))
    return next(alone, "")


class LoadedModels:
    """The loaded speech models by language. Belongs to the loop's thread."""

    def __init__(self, option: Path | None, ready: Callable[[ModelReady], None]) -> None:
        """`option`: a model to use instead of its language's default. `ready`: called for each model loaded later, on
        its thread."""
        self._option, self._ready = option, ready
        self._by_language: dict[str, VoskModel] = {}
        self._loading: dict[str, threading.Thread] = {}

    def first(self, lexicon: Lexicon) -> list[Phrase]:
        """Load the model for this language, or its substitute; returns messages about it."""
        chosen = choose(self._option, lexicon.hearable)
        told = list(chosen.told)
        if chosen.folder is None:
            return [*told, Phrase("program.no_model")]
        try:
            model = VoskModel(chosen.folder.path, chosen.scaling)
        except SoundError as error:
            return [*told, error.phrase, Phrase("program.no_model")]
        wrong = not_of(lexicon, model) if chosen.asked_for else None
        usual = None if wrong is None else _load(lexicon.hearable, {}).model
        if wrong is not None and usual is not None:
            told += [wrong, Phrase("model.instead")]
            model = usual
        self._by_language[language_of(model.knows, lexicon.hearable)[0]] = model
        return told

    @property
    def any(self) -> bool:
        """Whether any model is loaded."""
        return bool(self._by_language)

    def words(self, lexicon: Lexicon) -> Lexicon:
        """The words of a language as they can be recognised now, possibly in another language."""
        loaded = self._by_language
        if not loaded:
            return lexicon
        hears = next((code for code in lexicon.hearable if code in loaded), next(reversed(loaded)))
        return replace(lexicon, hears=hears).restrict(loaded[hears].knows)

    def of(self, lexicon: Lexicon) -> VoskModel | None:
        """The model that recognises these words (`words`)."""
        return self._by_language.get(lexicon.hears)

    def fetch(self, lexicon: Lexicon) -> None:
        """Start loading this language's model, unless it is loaded or loading; `ready` is called with the result."""
        code = lexicon.code
        if not self._by_language or code in self._by_language or code in self._loading:
            return
        self._loading[code] = threading.Thread(
            target=lambda: self._ready(_load((code,), {}, code)), name="model", daemon=True
        )
        self._loading[code].start()

    def take(self, ready: ModelReady) -> None:
        """Take a model that was loaded, or failed to load."""
        self._loading.pop(ready.language, None)
        if ready.model is not None:
            self._by_language[ready.language] = ready.model

    def close(self) -> None:
        """Wait for models being loaded."""
        for thread in self._loading.values():
            thread.join(CLOSING_S)


def _load(languages: Sequence[str], environ: Mapping[str, str], code: str = "") -> ModelReady:
    """The default model of the first of these languages that has one, with a message about any that was rejected."""
    try:
        chosen = choose(None, languages, environ)
        model = None if chosen.folder is None else VoskModel(chosen.folder.path, chosen.scaling)
    except Failure as failure:
        return ModelReady(code, None, (failure.phrase,))
    return ModelReady(code, model, tuple(notice.phrase for notice in chosen.notices))


class SwitchingListener:
    """The listener, given the expected phrases and the model for them; likewise the recogniser for barge-ins."""

    def __init__(self, listener: Listener, overhearing: Overhearing | None, models: LoadedModels) -> None:
        self._listener, self._overhearing, self._models = listener, overhearing, models
        self._offered: Hearing | None = None  # last offered for barge-ins, whose grammar never changes

    @property
    def hearing(self) -> bool:
        return self._listener.hearing

    def expect(self, expectation: Expectation, hearing: Hearing) -> None:
        model = self._models.of(hearing.lexicon)
        if model is not None:
            self._listener.recognise_with(model)
        hearing.offer(self._listener, expectation)
        if self._overhearing is not None and hearing is not self._offered:
            if model is not None:
                self._overhearing.recognise_with(model)
            hearing.offer(self._overhearing, INTERJECTIONS)
            self._offered = hearing
