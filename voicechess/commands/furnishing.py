"""Which devices, model and voice: the options that every command with a conversation shares."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from voicechess.commands.context import STYLES, Context
from voicechess.house import Furnishing
from voicechess.sound.speech import VoiceSettings


def add_devices(parser: argparse.ArgumentParser, sentence: Callable[[str], str]) -> None:
    """Add the options."""
    parser.add_argument("--input", choices=("voice", "keyboard"), default="voice", help=sentence("input"))
    parser.add_argument("--output", choices=("voice", "text"), default="voice", help=sentence("output"))
    parser.add_argument("--microphone", metavar="NAME|FILE.wav", help=sentence("microphone"))
    parser.add_argument("--speaker", metavar="NAME|FILE.wav", help=sentence("speaker"))
    parser.add_argument("--model", type=Path, metavar="PATH", help=sentence("model"))
    parser.add_argument("--style", choices=tuple(STYLES), default="fide", help=sentence("style"))
    parser.add_argument("--push-to-talk", action="store_true", help=sentence("push_to_talk"))


def furnishing(args: argparse.Namespace, context: Context) -> Furnishing:
    """What was asked for, in the context's language."""
    return Furnishing(
        voice_input=args.input == "voice",
        voice_output=args.output == "voice",
        microphone=args.microphone,
        speaker=args.speaker,
        model=args.model,
        push_to_talk=args.push_to_talk,
        voice=VoiceSettings(language=context.language),
    )
