"""`voicechess say MOVE`: announce a move, as text or sound."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from voicechess.app.context import Context, may_write, position
from voicechess.commands.options import add_setting
from voicechess.language.readings import interpret
from voicechess.meaning import Expectation, Hypothesis, Word
from voicechess.messages import Failure, Text
from voicechess.moves.decisions import NotUnderstood, Play
from voicechess.moves.matching import decide
from voicechess.moves.saying import said_move


def add_arguments(parser: argparse.ArgumentParser, sentence: Callable[[str], str]) -> None:
    """Define the arguments; `sentence(key)` gives their help texts."""
    parser.add_argument("move", metavar="MOVE", nargs="+", help=sentence("move"))
    parser.add_argument("--fen", help=sentence("fen"))
    add_setting(parser, sentence, "style")
    parser.add_argument("--out", type=Path, help=sentence("out"))
    parser.add_argument("--overwrite", action="store_true", help=sentence("overwrite"))
    add_setting(parser, sentence, "full")


def run(args: argparse.Namespace, context: Context) -> int:
    """Print the announcement and, with --out, write it as sound. Raises `Failure` if it is not one legal move."""
    may_write(args.out, args.overwrite)
    context = context.with_options(args)
    board, dropped = position(args.fen)
    context.tell_on_error(*dropped)
    text = " ".join(args.move)
    words = tuple(Word(part, 0, 0) for part in text.split())
    readings = interpret((Hypothesis(words),), Expectation(board=board), context.lexicon, typed=True)
    decision = decide(board, readings)
    if isinstance(decision, NotUnderstood) and decision.text:
        raise Failure(decision.phrase.key, decision.phrase.slots)
    if not isinstance(decision, Play):
        raise Failure("cli.bad_move", {"move": Text(text[:80])})
    announcement = context.wording.move(said_move(board, decision.move), full=context.preferences.full)
    print(announcement)
    if args.out is not None:
        from voicechess.sound.devices.files import write_wav
        from voicechess.sound.speech import Speech

        speech = Speech(context.voice)
        try:
            sound = speech.sound(context.wording.for_voice(announcement))
        finally:
            speech.close()
        try:
            write_wav(args.out, sound.pcm, sound.rate)
        except OSError as error:
            raise Failure("cli.unwritable", {"path": Text(str(args.out))}) from error
    return 0
