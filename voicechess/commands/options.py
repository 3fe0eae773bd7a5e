"""The options shared by all commands with a conversation: devices, speech model and voice.

`load_model` finds and loads the speech model of a command.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from voicechess.app.context import Context, asked_for_headphones, asked_for_reader, may_write
from voicechess.app.speech_input import not_of
from voicechess.app.wiring import WantedBoard, WantedDevices
from voicechess.messages import Failure, Text, Tone
from voicechess.own_files import may_be_written
from voicechess.sound.devices.choice import SOUND_FILES, is_file, is_sound_output
from voicechess.sound.model import VoskModel
from voicechess.storage.places import settings_path
from voicechess.storage.settings import SETTINGS, Preferences
from voicechess.storage.speech_models import choose

# --- devices, model and voice -----------------------------------------------------------------------------------------


def add_setting(
    parser: argparse.ArgumentParser, sentence: Callable[[str], str], name: str, metavar: str | None = None
) -> None:
    """Define the option that overrides the setting of this name; None, its default, leaves the setting in force."""
    row = SETTINGS[name]
    text = sentence(name)
    if row.is_switch:
        parser.add_argument(row.option, action=argparse.BooleanOptionalAction, default=None, help=text)
    elif row.choices:
        parser.add_argument(row.option, type=type(row.default), choices=tuple(filter(None, row.choices)), help=text)
    else:
        parser.add_argument(row.option, type=int if row.high else str, metavar=metavar, help=text)


def add_devices(parser: argparse.ArgumentParser, sentence: Callable[[str], str]) -> None:
    """Define the options of devices, model and voice. Those not given come from the settings."""
    parser.add_argument("--input", choices=("voice", "keyboard"), default="voice", help=sentence("input"))
    parser.add_argument("--output", dest="spoken", choices=("voice", "reader", "text"), help=sentence("output"))
    add_setting(parser, sentence, "microphone", "NAME|FILE.wav")
    add_setting(parser, sentence, "speaker", "NAME|FILE.wav")
    parser.add_argument("--overwrite", action="store_true", help=sentence("overwrite"))
    add_setting(parser, sentence, "model", "PATH")
    add_setting(parser, sentence, "style")
    add_setting(parser, sentence, "push_to_talk")
    add_setting(parser, sentence, "headphones")
    add_setting(parser, sentence, "brisk")


def add_board(parser: argparse.ArgumentParser, sentence: Callable[[str], str]) -> None:
    """Define the options of the board for sighted spectators."""
    parser.add_argument("--board", nargs="?", const="page", choices=("page", "text"), help=sentence("board"))
    parser.add_argument("--board-address", metavar="ADDRESS:PORT", help=sentence("board_address"))
    parser.add_argument("--board-input", action="store_true", help=sentence("board_input"))


def wanted_devices(args: argparse.Namespace | None, context: Context) -> WantedDevices:
    """The devices by the options and settings in `context`; `args` None: no options.

    Raises `Failure` if the loudspeaker is a file that exists already, or the microphone an unreadable sound file.
    """
    wanted = devices(args, context)
    given = getattr(args, "microphone", None)
    if wanted.voice_input and given and given.lower().endswith(SOUND_FILES):
        from voicechess.sound.devices.files import SoundFile

        SoundFile(Path(given))  # raises: a bad file is a usage error, while a missing device may come back
    if wanted.voice_output and wanted.speaker is not None and is_sound_output(wanted.speaker):
        overwrite = args is not None and args.overwrite
        if args is not None and args.speaker:
            may_write(Path(wanted.speaker), overwrite)
        elif (problem := kept_file(wanted.speaker, overwrite)) is not None:
            raise problem
    return wanted


def kept_file(speaker: str, overwrite: bool = False) -> Failure | None:
    """Why the sound file set as loudspeaker cannot be written: unwritable, or it exists and `overwrite` is not
    given."""
    if not is_sound_output(speaker):
        return None
    if not may_be_written(Path(speaker)):
        return Failure("cli.no_file", {"path": Text(speaker)})
    if overwrite or not is_file(speaker):
        return None
    return Failure("settings.speaker_exists", {"path": Text(str(settings_path())), "file": Text(speaker)})


def devices(args: argparse.Namespace | None, context: Context) -> WantedDevices:
    """As `wanted_devices`, without checking files."""
    kept = context.preferences
    output = None if args is None else args.spoken
    return WantedDevices(
        voice_input=args is None or args.input == "voice",
        voice_output=output != "text",
        microphone=kept.microphone or None,
        speaker=kept.speaker or None,
        model=context.model,
        push_to_talk=kept.push_to_talk,
        headphones=(kept.headphones or asked_for_headphones()) == "on",
        overhears=kept.overhear,
        voice=context.voice,
        tones=wanted_tones(kept),
        tone_volume=kept.tones.tone_volume,
        reader=output == "reader" or (output is None and (kept.output == "reader" or asked_for_reader())),
        board=_board(args, kept),
    )


def _board(args: argparse.Namespace | None, kept: Preferences) -> WantedBoard:
    """The board shown to sighted spectators. Raises `Failure` for an option that needs the page without it."""
    address = getattr(args, "board_address", None)
    takes_moves = bool(getattr(args, "board_input", False))
    for option, given in (("--board-address", address is not None), ("--board-input", takes_moves)):
        if given and kept.board != "page":
            raise Failure("page.needs_board", {"option": Text(option)})
    return WantedBoard(kept.board, address, takes_moves)


def wanted_tones(kept: Preferences) -> frozenset[Tone]:
    """The tones that are turned on."""
    return frozenset(tone for tone in Tone if getattr(kept.tones, tone.value))


# --- loading the model ------------------------------------------------------------------------------------------------


def load_model(context: Context, option: Path | None, missing: str = "program.model_needed") -> VoskModel:
    """Load the model of the option, otherwise of the settings, otherwise the default one.

    Raises `Failure` if there is none (key `missing`) or it is of another language. Problems of models that were passed
    over are written to standard error, since the output may be read by a program.
    """
    chosen = choose(option or context.model, context.lexicon.hearable)
    for phrase in chosen.told:
        print(context.wording.say(phrase), file=sys.stderr)
    if chosen.folder is None:
        raise Failure(missing)
    model = VoskModel(chosen.folder.path, chosen.scaling)
    wrong = not_of(context.lexicon, model) if chosen.asked_for else None
    if wrong is not None:
        raise Failure(wrong.key, wrong.slots)
    return model
