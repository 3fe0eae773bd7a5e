"""What every command starts from: the language, its words, and the settings a person keeps."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import chess

from voicechess.game.agreement import Preset
from voicechess.language.folders import LANGUAGES
from voicechess.language.lexicon import Lexicon, load
from voicechess.language.wording import Style, Wording
from voicechess.messages import Failure, Phrase, Slot, Text
from voicechess.own_files import may_be_written
from voicechess.score.position import read_position
from voicechess.sound.devices.choice import is_file
from voicechess.sound.speech import VoiceSettings
from voicechess.storage.journal import kept_preference
from voicechess.storage.places import journal_file, settings_path
from voicechess.storage.settings import SETTINGS, Preferences, chosen, read_settings

CHOSEN_LANGUAGE = "language"
"""The preference in the journal that says which language was asked for last in a conversation."""

HEADPHONES = "headphones"
"""The preference in the journal that says whether headphones were asked for last: "on" or "off"."""

SPOKEN_BY = "spoken_by"
"""The same of who speaks: "reader" or "voice"; nothing where nobody was asked yet."""

STYLES: Mapping[str, Style] = {"fide": Style.FIDE, "own": Style.OWN, "plain": Style.LETTERS, "nato": Style.NATO}


@dataclass(frozen=True)
class Context:
    """One language, ready to speak and to understand.

    `kept`: the settings as they stand in their file; `preferences`: with the options that go before them. `problems`:
    what is wrong in the file.
    """

    language: str
    wording: Wording
    kept: Preferences = field(default_factory=Preferences)
    preferences: Preferences = field(default_factory=Preferences)
    problems: tuple[Failure, ...] = ()

    @classmethod
    def create(cls, language: str | None) -> Context:
        """The settings file read, and a language ("de", "en"): the one given, else that of the settings, else the one
        asked for last ("English" in the conversation before a game), else German."""
        kept, problems = read_settings(settings_path())
        spoken = language or kept.language or _asked_for_last() or LANGUAGES[0]
        return cls(spoken, _wording(spoken, kept), kept, kept, problems)

    @property
    def lexicon(self) -> Lexicon:
        """The words of the language, with the letters that are set for typed moves."""
        return load(self.language, self.preferences.piece_letters)

    def choosing(self, given: Mapping[str, Any]) -> Context:
        """The same, with what is `given` in place of the settings of the file.

        See `storage.settings.chosen`, also for the Failures that it raises.
        """
        preferences = chosen(self.kept, given)
        return replace(self, preferences=preferences, wording=_wording(self.language, preferences))

    def speaking(self, language: str) -> Context:
        """The same in another language."""
        return replace(
            self, language=language, wording=_wording(language, self.preferences).briskly(self.wording.brisk)
        )

    def with_options(self, args: argparse.Namespace) -> Context:
        """The same, with the options of voice and devices that were given in place of their settings.

        What is agreed of a game is left to `voicechess play`: elsewhere a level is that of an exercise.
        """
        given = {name: value for name, value in vars(args).items() if name in SETTINGS}
        return self.choosing({name: value for name, value in given.items() if SETTINGS[name].table != "game"})

    @property
    def voice(self) -> VoiceSettings:
        """How the program speaks."""
        kept = self.preferences
        return VoiceSettings(self.language, kept.voice or None, kept.rate, kept.volume)

    @property
    def model(self) -> Path | None:
        """The folder of the speech model that is wanted; None: the usual one."""
        return Path(self.preferences.model).expanduser() if self.preferences.model else None

    def tell(self, key: str, **slots: Slot | str) -> None:
        """Print one sentence."""
        filled = {name: Text(value) if isinstance(value, str) else value for name, value in slots.items()}
        print(self.wording.say(Phrase(key, filled)), flush=True)

    def show(self, key: str, **slots: Slot | str) -> None:
        """Print one line of a table: for the eye, numbers in figures."""
        filled = {name: Text(value) if isinstance(value, str) else value for name, value in slots.items()}
        print(self.wording.for_the_eye().say(Phrase(key, filled)), flush=True)

    def tell_on_error(self, *phrases: Phrase) -> None:
        """Print sentences beside what a command was asked for, which others may read from standard output."""
        for phrase in phrases:
            print(self.wording.say(phrase), file=sys.stderr, flush=True)

    def tell_failure(self, failure: Failure) -> None:
        """Print what went wrong."""
        print(self.wording.say(failure.phrase), flush=True)


def _wording(language: str, preferences: Preferences) -> Wording:
    style = STYLES.get(preferences.style)
    if style is None and preferences.game.preset != Preset.CASUAL.value:
        style = Style.FIDE  # Laws, Appendix D.2.1
    return Wording(language, style, full=preferences.full, brisk=preferences.brisk)


def _asked_for_last() -> str | None:
    """The language that was asked for last in a conversation."""
    code = kept_preference(journal_file(), CHOSEN_LANGUAGE)
    return code if code in LANGUAGES else None


def asked_for_headphones() -> str:
    """Whether headphones were asked for last in a conversation: "on", "off", "" where nobody has."""
    return kept_preference(journal_file(), HEADPHONES) or ""


def asked_for_reader() -> bool:
    """Whether the player's screen reader was asked to speak, at the first start with one."""
    return kept_preference(journal_file(), SPOKEN_BY) == "reader"


def position(fen: str | None) -> tuple[chess.Board, tuple[Phrase, ...]]:
    """A board from what was given on the command line, and what was impossible in it and is left out, to be told.

    Raises `Failure` when it is no legal position.
    """
    if not fen:
        return chess.Board(), ()
    try:
        return read_position(fen)
    except Failure as failure:
        raise Failure("cli.impossible_fen", {"reason": failure.phrase}) from failure
    except ValueError as error:
        raise Failure("cli.bad_fen", {"fen": Text(fen[:100])}) from error


def may_write(path: Path | None, overwrite: bool) -> None:
    """Raises `Failure` when there is such a file already and it was not said that it may be written over, and for what
    is no file: a pipe would be waited for, and what goes into a device is gone."""
    if path is None:
        return
    if not may_be_written(path):
        raise Failure("cli.no_file", {"path": Text(str(path))})
    if not overwrite and is_file(str(path)):
        raise Failure("cli.exists", {"path": Text(str(path))})
