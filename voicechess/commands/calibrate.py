"""`voicechess calibrate`: learn a player's speech in three minutes."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable

from voicechess.app.context import Context
from voicechess.app.wiring import READER_PACE, Program, tell_notices
from voicechess.commands.options import add_devices, wanted_devices
from voicechess.conversations.calibration import Calibrating
from voicechess.game import events as ev
from voicechess.language.personal import phrases_to_read
from voicechess.messages import Failure, Listing, Phrase, Text
from voicechess.sound.reader import FASTEST_PACE, LATENCY_S, SLOWEST_PACE, Reader
from voicechess.storage.journal import open_journal
from voicechess.storage.personal import Personal, forget_personal, read_personal, write_personal
from voicechess.storage.places import journal_file, personal_file
from voicechess.storage.speech_models import listening


def add_arguments(parser: argparse.ArgumentParser, sentence: Callable[[str], str]) -> None:
    """Define the arguments; `sentence(key)` gives their help texts."""
    parser.add_argument("--forget", action="store_true", help=sentence("forget"))
    parser.add_argument("--reader", action="store_true", help=sentence("reader"))
    parser.add_argument("--show", action="store_true", help=sentence("show"))
    add_devices(parser, sentence)


def run(args: argparse.Namespace, context: Context) -> int:
    """Calibrate and store the result, or delete or show a stored one. Status 1 if the calibration was aborted."""
    path = personal_file(listening(context.lexicon.hearable))
    if args.forget:
        context.tell("calibrate.forgotten" if forget_personal(path) else "calibrate.nothing_to_forget")
        return 0
    if args.show:
        return _show(context)
    if args.reader:
        return _measure_reader(context)
    context = context.with_options(args)
    with Program(context, wanted_devices(args, context)) as program:
        if program.listener is None or not program.microphone_there:  # before any other notice
            raise Failure("calibrate.no_voice", status=1)
        tell_notices(program)
        conversation = Calibrating(
            phrases_to_read(program.lexicon),
            program.lexicon,
            levels=lambda: tuple(program.levels),
            fits=lambda: tuple(program.fits),
        )
        program.loop.converse(conversation, ev.Started(at_ms=program.clock.now()), lambda: conversation.over)
        if conversation.learnt is None:
            return program.loop.exit_code or 1
        path = personal_file(program.lexicon.hears)
        learnt = Personal(conversation.learnt, conversation.level, conversation.fit)
        if learnt.anything:
            write_personal(path, learnt)
            program.loop.say_aside("calibrate.kept", Phrase("calibrate.kept", {"path": Text(str(path))}))
        else:
            forget_personal(path)  # an earlier result no longer holds
        return program.loop.exit_code or 0


def _measure_reader(context: Context) -> int:
    """Measure the screen reader's pace in characters per second, from one press of Enter to the next, and store it."""
    reader = Reader()
    journal, _ = open_journal(journal_file())
    try:
        told = context.wording.say(Phrase("sound.reader.measure"))
        context.tell("sound.reader.measure")
        reader.say(told)
        sys.stdin.readline()
        reader.quiet()
        text = context.wording.say(Phrase("sound.reader.sample"))
        began_s = time.monotonic()
        reader.say(text)
        ended = sys.stdin.readline()
        seconds = time.monotonic() - began_s - LATENCY_S
        pace = len(text) / seconds if seconds > 0 and ended else 0.0
        if not SLOWEST_PACE <= pace <= FASTEST_PACE:
            context.tell("sound.reader.not_measured")
            return 1
        journal.set_preference(READER_PACE, f"{pace:.1f}")
        context.show("sound.reader.measured", pace=round(pace))
    finally:
        reader.close()
        journal.close()
    return 0


def _show(context: Context) -> int:
    personal = read_personal(personal_file(listening(context.lexicon.hearable)))
    if personal is None:
        context.tell("calibrate.nothing_to_forget")
        return 0
    found = [(heard, said) for heard, words in personal.confusions.exchanged.items() for said in words]
    pairs = [Phrase("calibrate.pair", {"said": Text(said), "heard": Text(heard)}) for heard, said in sorted(found)]
    if pairs:
        context.tell("calibrate.shown", pairs=Listing(tuple(pairs)))
    if personal.level is not None:
        context.tell(f"calibrate.level_{personal.level.advice}", above=personal.level.snr_db)
    if personal.fit is not None:
        context.tell("calibrate.fit")
    return 0
