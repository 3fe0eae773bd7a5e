"""Context of every command: the language, its words, and the player's settings."""

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
from voicechess.storage.settings import BY_VOICE, SETTINGS, Preferences, chosen, read_settings, with_chosen

CHOSEN_LANGUAGE = "language"
"""Preference in the journal: the language last asked for in a conversation."""

HEADPHONES = "headphones"
"""Preference in the journal: headphones, "on" or "off", as last said."""

SPOKEN_BY = "spoken_by"
"""Preference in the journal: the voice, "reader" or "voice"; absent if never asked."""

CHOSEN_SETTING = "setting."
"""Prefix of preferences in the journal: the settings last chosen by voice, by name, as JSON."""

STYLES: Mapping[str, Style] = {"fide": Style.FIDE, "own": Style.OWN, "plain": Style.LETTERS, "nato": Style.NATO}


@dataclass(frozen=True)
class Context:
    """One language, ready for speaking and understanding."""

    language: str
    wording: Wording
    kept: Preferences = field(default_factory=Preferences)  # the settings in the file
    preferences: Preferences = field(default_factory=Preferences)  # with command-line options applied
    problems: tuple[Failure, ...] = ()  # errors in the file

    @classmethod
    def create(cls, language: str | None) -> Context:
        """Reads the settings file, and what was last chosen by voice where it has a default.

        Picks the language ("de", "en"): the one given, otherwise that of the settings, otherwise the one last asked for
        ("English" in the conversation before a game), otherwise German."""
        kept, problems = read_settings(settings_path())
        kept = with_chosen(kept, {name: kept_preference(journal_file(), CHOSEN_SETTING + name) for name in BY_VOICE})
        spoken = language or kept.language or _asked_for_last() or LANGUAGES[0]
        return cls(spoken, _wording(spoken, kept), kept, kept, problems)

    @property
    def lexicon(self) -> Lexicon:
        """The language's words, with the letters set for typed moves."""
        return load(self.language, self.preferences.piece_letters)

    def choosing(self, given: Mapping[str, Any]) -> Context:
        """This context with `given` values in place of the file's.

        See `storage.settings.chosen`, also for its Failures.
        """
        preferences = chosen(self.kept, given)
        return replace(self, preferences=preferences, wording=_wording(self.language, preferences))

    def with_chosen(self, values: Mapping[str, Any]) -> Context:
        """This context with these settings, by name, chosen by voice."""
        return replace(self, kept=chosen(self.kept, values), preferences=chosen(self.preferences, values))

    def speaking(self, language: str) -> Context:
        """This context in another language."""
        return replace(
            self, language=language, wording=_wording(language, self.preferences).briskly(self.wording.brisk)
        )

    def with_options(self, args: argparse.Namespace) -> Context:
        """This context with the command-line options for voice and devices applied.

        Terms of a game are left to `voicechess play`: elsewhere a level is that of an exercise.
        """
        given = {name: value for name, value in vars(args).items() if name in SETTINGS}
        return self.choosing({name: value for name, value in given.items() if SETTINGS[name].table != "game"})

    @property
    def voice(self) -> VoiceSettings:
        """The voice settings."""
        kept = self.preferences
        second = kept.opponent_voice or None
        return VoiceSettings(self.language, kept.voice or None, kept.rate, kept.volume, second, kept.left_right)

    @property
    def model(self) -> Path | None:
        """Folder of the speech model asked for; None: the default."""
        return Path(self.preferences.model).expanduser() if self.preferences.model else None

    def tell(self, key: str, **slots: Slot | str) -> None:
        """Print one sentence."""
        filled = {name: Text(value) if isinstance(value, str) else value for name, value in slots.items()}
        print(self.wording.say(Phrase(key, filled)), flush=True)

    def show(self, key: str, **slots: Slot | str) -> None:
        """Print one line of a table, with numbers in figures."""
        filled = {name: Text(value) if isinstance(value, str) else value for name, value in slots.items()}
        print(self.wording.for_the_eye().say(Phrase(key, filled)), flush=True)

    def tell_on_error(self, *phrases: Phrase) -> None:
        """Print sentences to standard error, since others may read a command's standard output."""
        for phrase in phrases:
            print(self.wording.say(phrase), file=sys.stderr, flush=True)

    def tell_failure(self, failure: Failure) -> None:
        """Print a failure."""
        print(self.wording.say(failure.phrase), flush=True)


def _wording(language: str, preferences: Preferences) -> Wording:
    style = STYLES.get(preferences.style)
    if style is None and preferences.game.preset != Preset.CASUAL.value:
        style = Style.FIDE  # Laws, Appendix D.2.1
    return Wording(language, style, full=preferences.full, brisk=preferences.brisk)


def _asked_for_last() -> str | None:
    """The language last asked for in a conversation."""
    code = kept_preference(journal_file(), CHOSEN_LANGUAGE)
    return code if code in LANGUAGES else None


def asked_for_headphones() -> str:
    """Headphones as last said in a conversation: "on", "off", or "" if never."""
    return kept_preference(journal_file(), HEADPHONES) or ""


def asked_for_reader() -> bool:
    """Whether the screen reader was chosen as the voice, at the first start with one."""
    return kept_preference(journal_file(), SPOKEN_BY) == "reader"


def position(fen: str | None) -> tuple[chess.Board, tuple[Phrase, ...]]:
    """A board from the command line, and messages about anything impossible in it that is ignored.

    Raises `Failure` if the position is illegal.
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
    """Raises `Failure` if the file exists and may not be overwritten, or is no regular file: a pipe would block, and
    what goes into a device is lost."""
    if path is None:
        return
    if not may_be_written(path):
        raise Failure("cli.no_file", {"path": Text(str(path))})
    if not overwrite and is_file(str(path)):
        raise Failure("cli.exists", {"path": Text(str(path))})
