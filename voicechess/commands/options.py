"""Which devices, model and voice: the options that every command with a conversation shares.

The speech model a command works with: found, loaded, or a sentence that says what to do.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from voicechess.app.context import STYLES, Context, may_write
from voicechess.app.wiring import Furnishing
from voicechess.messages import Failure, Tone
from voicechess.sound.devices.choice import is_sound_output
from voicechess.sound.model import VoskModel
from voicechess.sound.speech import VoiceSettings
from voicechess.storage.settings import Preferences
from voicechess.storage.speech_models import choose

# --- Which devices, model and voice: the options that every command with a conversation shares ---


def add_devices(parser: argparse.ArgumentParser, sentence: Callable[[str], str]) -> None:
    """Add the options. What is not given comes from the settings."""
    parser.add_argument("--input", choices=("voice", "keyboard"), default="voice", help=sentence("input"))
    parser.add_argument("--output", choices=("voice", "text"), default="voice", help=sentence("output"))
    parser.add_argument("--microphone", metavar="NAME|FILE.wav", help=sentence("microphone"))
    parser.add_argument("--speaker", metavar="NAME|FILE.wav", help=sentence("speaker"))
    parser.add_argument("--overwrite", action="store_true", help=sentence("overwrite"))
    parser.add_argument("--model", type=Path, metavar="PATH", help=sentence("model"))
    parser.add_argument("--style", choices=tuple(STYLES), help=sentence("style"))
    parser.add_argument("--push-to-talk", action="store_true", help=sentence("push_to_talk"))


def furnishing(args: argparse.Namespace | None, context: Context) -> Furnishing:
    """What was asked for, the rest from the settings. `args` None: settings only.

    Raises `Failure` where the loudspeaker is a file that is there already.
    """
    kept = context.preferences
    options = args or argparse.Namespace(
        input="voice", output="voice", microphone=None, speaker=None, model=None, push_to_talk=False, overwrite=False
    )
    speaker = options.speaker or kept.speaker or None
    if options.output == "voice" and speaker is not None and is_sound_output(speaker):
        may_write(Path(speaker), options.overwrite)
    return Furnishing(
        voice_input=options.input == "voice",
        voice_output=options.output == "voice",
        microphone=options.microphone or kept.microphone or None,
        speaker=speaker,
        model=options.model or (Path(kept.model).expanduser() if kept.model else None),
        push_to_talk=options.push_to_talk or kept.push_to_talk,
        voice=VoiceSettings(context.language, kept.voice or None, kept.rate, kept.volume),
        tones=wanted_tones(kept),
    )


def wanted_tones(kept: Preferences) -> frozenset[Tone]:
    """The tones that have not been turned off."""
    return frozenset(tone for tone in Tone if getattr(kept, tone.value))


# --- The speech model a command works with: found, loaded, or a sentence that says what to do ---


def load_model(context: Context, option: Path | None, missing: str = "program.model_needed") -> VoskModel:
    """The model of the option, or the one found. Raises `Failure` (the key `missing` when there is none).

    What is wrong with a model that would have been taken is written to standard error: the output may be read by a
    program.
    """
    chosen = choose(option)
    for phrase in chosen.told:
        print(context.wording.say(phrase), file=sys.stderr)
    if chosen.folder is None:
        raise Failure(missing)
    return VoskModel(chosen.folder.path)
