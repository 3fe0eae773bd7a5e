"""`voicechess doctor`: a line for each part: in order, or what to do about it.

Status 1 if play is impossible. Without microphone, loudspeaker, voice or model it is possible by keyboard and text, as
the last line says.
"""

from __future__ import annotations

import argparse
import queue
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random

import chess

from voicechess.app.context import Context
from voicechess.app.online import token_store
from voicechess.app.speech_input import not_of
from voicechess.commands.options import devices, kept_file
from voicechess.game import events as ev
from voicechess.game.effects import Think
from voicechess.language.folders import lacking_words
from voicechess.language.sentences import load_sentences
from voicechess.messages import Failure, Phrase, Slot, Text
from voicechess.opponents import discovery
from voicechess.opponents.engine import EngineOpponent
from voicechess.opponents.lichess.login import LICHESS
from voicechess.own_files import make_folder
from voicechess.sound.checks import check_loudspeaker, check_microphone
from voicechess.sound.devices.choice import is_sound_output, open_loudspeaker, open_microphone
from voicechess.sound.errors import Check, SoundError
from voicechess.sound.libraries import keep_libraries_quiet
from voicechess.sound.model import VoskModel, check_model
from voicechess.sound.reader import Reader
from voicechess.sound.speech import Speech, check_voice
from voicechess.storage.places import data_folder
from voicechess.storage.speech_models import choose, verify

ENGINE_S = 15.0
"""Seconds to wait for an engine's move. Larger: slow machines pass, a dead engine takes longer to report."""

HEADSETS = ("headset", "headphone", "earphone", "earbuds", "airpods", "hands-free", "handsfree", "kopfhörer")
"""Substrings of the names of headsets and headphones, in lower case."""


def add_arguments(parser: argparse.ArgumentParser, sentence: Callable[[str], str]) -> None:
    """Define the arguments; `sentence(key)` gives their help texts."""
    parser.add_argument("--model", type=Path, metavar="PATH", help=sentence("model"))


def run(args: argparse.Namespace, context: Context) -> int:
    """Check all parts and print a line for each."""
    keep_libraries_quiet()
    wanted = devices(None, context)
    speech = Speech(wanted.voice)
    sample = context.wording.for_voice(context.wording.say(Phrase("sound.voice.sample")))
    parts: list[Callable[[], list[Check]]] = [
        lambda: check_microphone(lambda: open_microphone(wanted.microphone)),
        lambda: _loudspeaker(wanted.speaker),
        lambda: check_voice(speech, sample),
        lambda: _reader(wanted.reader),
        lambda: _model(args.model or wanted.model, context),
        _engine,
        _disk,
        lambda: _language(context),
        lambda: _account(context),
    ]
    works: dict[str, bool] = {}
    names: list[Slot | None] = []
    try:
        for problem in context.problems:
            context.tell_failure(problem)
        for part in parts:
            for check in part():
                works[check.name_key] = works.get(check.name_key, True) and check.ok
                names.append(check.slots.get("name"))
                name = Phrase(check.name_key)
                context.tell(
                    "doctor.ok" if check.ok else "doctor.bad", part=name, detail=Phrase(check.key, check.slots)
                )
    finally:
        speech.close()
    if not wanted.headphones and worn(*names[:2]):
        context.tell("doctor.headphones")
    if not works["doctor.part.engine"] or not works["doctor.part.disk"]:
        context.tell("doctor.not_good")
        return 1
    context.tell("doctor.all_good" if all(works.values()) else "doctor.keyboard_only")
    return 0


def worn(microphone: Slot | None, loudspeaker: Slot | None) -> bool:
    """Whether both devices are named as headsets or headphones."""
    names = [device.text.casefold() for device in (microphone, loudspeaker) if isinstance(device, Text)]
    return len(names) == 2 and all(any(word in name for word in HEADSETS) for name in names)


def _loudspeaker(choice: str | None) -> list[Check]:
    """Check the loudspeaker; a file is only checked for being writable, since writing it would block the next game."""
    if choice is None or not is_sound_output(choice):
        return check_loudspeaker(lambda: open_loudspeaker(choice))
    problem = kept_file(choice)
    if problem is not None:
        return [Check("sound.check.loudspeaker", False, problem.key, problem.slots)]
    return [Check("sound.check.loudspeaker", True, "sound.loudspeaker.good", {"name": Text(choice)})]


def _reader(wanted: bool) -> list[Check]:
    """Check the player's screen reader, by sending it a text only if it is wanted for output."""
    name = "doctor.part.reader"
    try:
        reader = Reader(tried=wanted)
    except SoundError as error:
        return [Check(name, False, error.key) if wanted else Check(name, True, "sound.reader.not_there")]
    reader.close()
    return [Check(name, True, f"sound.reader.{'good' if wanted else 'not_wanted'}", {"name": Text(reader.name)})]


def _model(option: Path | None, context: Context) -> list[Check]:
    """Check the speech model: intact, loadable, of the right language, and which meanings it has no words for."""
    name = "doctor.part.model"
    try:
        chosen = choose(option, context.lexicon.hearable)
        if chosen.folder is None:
            return [Check(name, False, "doctor.detail.model_missing")]
        for phrase in chosen.told:
            context.tell(phrase.key, **phrase.slots)
        problems = verify(chosen.folder.path)
    except Failure as failure:
        return [Check(name, False, failure.key, failure.slots)]
    if problems:
        return [Check(name, False, problem.key, problem.slots) for problem in problems]
    checks = [Check(name, check.ok, check.key, check.slots) for check in check_model(chosen.folder.path)]
    if checks[0].ok:
        model = VoskModel(chosen.folder.path)
        wrong = not_of(context.lexicon, model)
        if wrong is not None:
            return [Check(name, False, wrong.key, wrong.slots)]
        lexicon = context.lexicon.restrict(model.knows)
        lacking = ", ".join("/".join(idea.words) for idea in lexicon.unsayable())
        if lacking:
            checks.append(Check(name, True, "doctor.detail.words_missing", {"words": Text(lacking)}))
    return checks


def _engine() -> list[Check]:
    """Ask every installed engine for a move; failing ones are reported only if all fail."""
    name = "doctor.part.engine"
    checks = []
    for spec in discovery.engines():
        answers: queue.SimpleQueue[ev.Event] = queue.SimpleQueue()
        opponent = EngineOpponent(spec, answers.put, lambda: 0, random=Random(0))
        try:
            opponent.ask(Think(chess.Board(), None, None, level=6))
            answer = answers.get(timeout=ENGINE_S)
            ok = isinstance(answer, ev.OpponentMoved)
        except queue.Empty:
            ok = False
        finally:
            opponent.close()
        slots: dict[str, Slot] = {"name": Text(spec.name)}
        checks.append(Check(name, ok, "doctor.detail.found" if ok else "doctor.detail.engine_missing", slots))
    # One working engine is enough.
    good = [check for check in checks if check.ok]
    return good or [Check(name, False, "doctor.detail.engine_missing")]


def _account(context: Context) -> list[Check]:
    """Report whether the player is logged in at Lichess; good either way."""
    there = False
    try:
        there = token_store(LICHESS).read() is not None
    except Failure as failure:
        context.tell_failure(failure)
    return [Check("doctor.part.online", True, "doctor.detail.account" if there else "doctor.detail.no_account")]


def _language(context: Context) -> list[Check]:
    """Report how many sentences and words an incomplete language takes from English; nothing for a complete one."""
    language, name = context.lexicon, "doctor.part.language"
    sentences, words = len(load_sentences(language.code).lacking), lacking_words(language.code)
    if not sentences and not words:
        return []
    slots: dict[str, Slot] = {"name": Text(language.about.name), "sentences": sentences, "words": words}
    return [Check(name, True, "doctor.detail.not_whole", slots)]


def _disk() -> list[Check]:
    folder = data_folder()
    slots: dict[str, Slot] = {"path": Text(str(folder)), "name": Text(str(folder))}
    try:
        make_folder(folder)
        with tempfile.NamedTemporaryFile(dir=folder) as file:
            file.write(bytes(4096))
            file.flush()
    except OSError:
        return [Check("doctor.part.disk", False, "doctor.detail.disk_missing", slots)]
    return [Check("doctor.part.disk", True, "doctor.detail.found", slots)]
