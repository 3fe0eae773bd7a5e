"""What listens: the speech models of the languages that are spoken, and the ear that goes over from one to another.

A language that is asked for later has its model loaded on a thread of its own. Until that is done the model before it
goes on listening, with the words that it knows.
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
"""Share of a language's words that a model must know to be one of it. Larger: more models that are asked for are taken
for those of a language that nobody speaks here."""

CLOSING_S = 3.0
"""Seconds that a model which is being loaded is waited for at the end of the program: a library that is unloaded
meanwhile could crash."""


def language_of(knows: Callable[[str], bool]) -> tuple[str, float]:
    """The language most of whose words a model knows, and the share of them."""
    shares = {code: sum(map(knows, load(code).spoken_words)) / len(load(code).spoken_words) for code in LANGUAGES}
    return max(shares.items(), key=lambda one: one[1])


def not_of(lexicon: Lexicon, model: VoskModel) -> Phrase | None:
    """That a model is none for this language, nor for the one that stands in for it; None: it is."""
    code, share = language_of(model.knows)
    if code in lexicon.hearable and share >= LEAST_KNOWN:
        return None
    return Phrase("model.not_of_language", {"path": Text(str(model.path)), "own": Text(lexicon.about.name)})


def only_hears(lexicon: Lexicon) -> Phrase:
    """That another language is heard than the one that is spoken, with a few words of it."""
    heard = lexicon.heard
    asked_for = {code: command for command, code in SWITCHES.items()}
    language, own = (_first_word(lexicon.commands[asked_for[one.code]]).capitalize() for one in (heard, lexicon))
    move = (heard.pieces[chess.KNIGHT][0], heard.files[5][0], heard.ranks[2][0])
    alone = [_first_word(heard.answers[key]) for key in ("yes", "no")]
    alone += [_first_word(heard.commands[key]) for key in ("help", "repeat", "stop")]
    words = ", ".join((" ".join(move), *filter(None, alone)))
    return Phrase("program.only_hears", {"language": Text(language), "words": Text(words), "own": Text(own)})


def _first_word(patterns: Sequence[Pattern]) -> str:
    """The first of the sentences that is one word; "" where there is none."""
    sentences = (sentence for pattern in patterns for sentence in pattern.expand())
    alone = (part.text for (part, *more) in sentences if not more and isinstance(part, Literal))
    return next(alone, "")


class LoadedModels:
    """The speech models that are loaded, by the language that each hears. Belongs to one thread, that of the loop."""

    def __init__(self, option: Path | None, ready: Callable[[ModelReady], None]) -> None:
        """`option`: the model that is wished for, in place of the usual one of its language. `ready`: is told of each
        that was loaded afterwards, on a thread of its own."""
        self._option, self._ready = option, ready
        self._by_language: dict[str, VoskModel] = {}
        self._loading: dict[str, threading.Thread] = {}

    def first(self, lexicon: Lexicon) -> list[Phrase]:
        """Load the one that hears this language, or stands in; what is to be told of it."""
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
        self._by_language[language_of(model.knows)[0]] = model
        return told

    @property
    def any(self) -> bool:
        """Whether there is one."""
        return bool(self._by_language)

    def words(self, lexicon: Lexicon) -> Lexicon:
        """The words of a language as they can be heard now, be it in another language."""
        loaded = self._by_language
        if not loaded:
            return lexicon
        hears = next((code for code in lexicon.hearable if code in loaded), next(reversed(loaded)))
        return replace(lexicon, hears=hears).restrict(loaded[hears].knows)

    def of(self, lexicon: Lexicon) -> VoskModel | None:
        """What hears these words (`words`)."""
        return self._by_language.get(lexicon.hears)

    def fetch(self, lexicon: Lexicon) -> None:
        """Load the model of this language, unless it is there or on its way; `ready` is told what comes of it."""
        code = lexicon.code
        if not self._by_language or code in self._by_language or code in self._loading:
            return
        self._loading[code] = threading.Thread(
            target=lambda: self._ready(_load((code,), {}, code)), name="model", daemon=True
        )
        self._loading[code].start()

    def take(self, ready: ModelReady) -> None:
        """One is ready, or could not be had."""
        self._loading.pop(ready.language, None)
        if ready.model is not None:
            self._by_language[ready.language] = ready.model

    def close(self) -> None:
        """Wait for what is being loaded."""
        for thread in self._loading.values():
            thread.join(CLOSING_S)


def _load(languages: Sequence[str], environ: Mapping[str, str], code: str = "") -> ModelReady:
    """The usual model of the first of these languages that has one. Told is what is wrong with one that was passed
    over."""
    try:
        chosen = choose(None, languages, environ)
        model = None if chosen.folder is None else VoskModel(chosen.folder.path, chosen.scaling)
    except Failure as failure:
        return ModelReady(code, None, (failure.phrase,))
    return ModelReady(code, model, tuple(notice.phrase for notice in chosen.notices))


class ModelEar:
    """The listener, told what is expected and by which model; and what hears a few words while the program speaks."""

    def __init__(self, listener: Listener, overhearing: Overhearing | None, models: LoadedModels) -> None:
        self._listener, self._overhearing, self._models = listener, overhearing, models
        self._offered: Hearing | None = None  # to what overhears, which always listens for the same

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
