"""`voicechess model list|install|verify|path|remove|tune`: the installed speech models.

Downloads and measurements show their progress: by a bar on a terminal, and spoken at each quarter.
"""

from __future__ import annotations

import argparse
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from voicechess.app.context import Context
from voicechess.app.hearing import Hearing
from voicechess.app.interruption import INTERRUPTED
from voicechess.app.keyboard import Keyboard
from voicechess.app.wiring import LAST_WORDS_S
from voicechess.commands.progress import spoken_progress
from voicechess.language.folders import LANGUAGES
from voicechess.language.thresholds import contenders
from voicechess.language.understanding import understand
from voicechess.meaning import Command, Expectation, RecognisedUtterance
from voicechess.messages import Failure, Phrase, Text
from voicechess.sound.devices.choice import open_microphone
from voicechess.sound.libraries import Opening, keep_libraries_quiet
from voicechess.sound.listener import Listener, ListenerCallbacks
from voicechess.sound.model import VoskModel, probe
from voicechess.sound.speaker import Speaker
from voicechess.storage.measured import read_measured, write_measured
from voicechess.storage.speech_models import KNOWN, Store, choose, compared, listening, starter, trusted, verify

ACTIONS = ("list", "install", "verify", "path", "remove", "tune")


# --- the command ------------------------------------------------------------------------------------------------------


def add_arguments(parser: argparse.ArgumentParser, sentence: Callable[[str], str]) -> None:
    """Define the arguments; `sentence(key)` gives their help texts."""
    parser.add_argument("action", choices=ACTIONS, help=sentence("action"))
    parser.add_argument("name", nargs="?", help=sentence("name"))
    parser.add_argument("--accept-sha256", metavar="VALUE", help=sentence("accept"))
    parser.add_argument("--url", help=sentence("url"))
    parser.add_argument("--quiet", action="store_true", help=sentence("quiet"))


def run(args: argparse.Namespace, context: Context) -> int:
    """Run the action. Status 1 if a model is damaged or missing."""
    store = Store()
    match args.action:
        case "list":
            return _list(store, context)
        case "install":
            return _install(args, store, context)
        case "remove":
            name = args.name or next(iter(KNOWN))
            store.remove(name)
            context.tell("model.removed", name=name)
            return 0
        case "path":
            path = _path(args.name, store, context)
            if path is None:
                context.tell("model.none")
                return 1
            print(path)
            return 0
        case "tune":
            return _tune(_named(args.name, store, context), args.quiet, context)
    return _verify(args.name, store, context)


def _list(store: Store, context: Context) -> int:
    installed = {model.name for model in store.installed()}
    for name, model in KNOWN.items():
        path = store.path(name)
        if name not in installed:
            context.show("model.line_available", name=name, megabytes=model.megabytes, licence=model.licence)
        elif verify(path):
            context.show("model.line_damaged", name=name, path=str(path))
        else:
            context.show("model.line_installed", name=name, path=str(path), licence=model.licence)
            _show_figures(path, context)
    for own in filter(None, map(starter, LANGUAGES)):
        context.show("model.line_starter", name=own.name, path=str(own))
    chosen = choose(None, context.lexicon.hearable, store=store)
    for notice in chosen.notices:
        context.tell_failure(notice)
    if chosen.folder is None or chosen.origin is None:
        context.tell("model.none")
        return 1
    context.tell(f"model.origin.{chosen.origin.value}", path=str(chosen.folder.path))
    return 0


def _path(name: str | None, store: Store, context: Context) -> Path | None:
    if name is None:
        chosen = choose(None, context.lexicon.hearable, store=store)
        for phrase in chosen.told:
            print(context.wording.say(phrase), file=sys.stderr)
        return chosen.folder.path if chosen.folder is not None else None
    for own in filter(None, map(starter, LANGUAGES)):
        if name == own.name:
            return own
    if name in KNOWN:
        path = store.path(name)
        return path if path.is_dir() else None
    return Path(name)


def _verify(name: str | None, store: Store, context: Context) -> int:
    path = _path(name, store, context)
    if path is None:
        if name is not None:
            context.tell("model.not_installed", name=name)
        else:
            context.tell("model.none")
        return 1
    problems: list[Failure] = [*verify(path)]
    if not problems:
        try:
            probe(path)
        except Failure as failure:
            problems.append(failure)
    for problem in problems:
        context.tell_failure(problem)
    if problems:
        return 1
    context.tell("model.whole", path=str(path))
    return 0


def _install(args: argparse.Namespace, store: Store, context: Context) -> int:
    """Download and measure a model. Status 0 even if it could not be measured: it is installed."""
    name = args.name or next(iter(KNOWN))
    store.path(name)
    with spoken_progress(args.quiet, context, "model.loading") as bar:
        context.tell("model.downloading", name=name, megabytes=KNOWN[name].megabytes)
        path = store.install(name, progress=bar.update, url=args.url, accept_sha256=args.accept_sha256)
        bar.close()
        context.tell("model.installed", name=name, path=str(path))
    if read_measured(path) is None:
        try:
            return _tune(path, args.quiet, context)
        except Failure as failure:
            context.tell_failure(failure)
            context.tell_failure(Failure("model.not_measured", {"path": Text(str(path))}))
    return 0


# --- measuring --------------------------------------------------------------------------------------------------------

MOST_LACKING = 12
"""Missing words that are named; more are only counted. Larger: longer sentences."""


def _named(name: str | None, store: Store, context: Context) -> Path:
    """The model to be measured: by name or folder, otherwise that of the settings, otherwise an installed one.

    Raises `Failure` if there is none, and for a starter model, which is what others are compared with.
    """
    wanted = name or next(iter(model.name for model in store.installed()), None)
    path = context.model if name is None and context.model is not None else _path(wanted, store, context)
    if path is None:
        raise Failure("model.none" if name is None else "model.not_installed", {"name": Text(name or "")}, status=1)
    if path.exists() and any(path.samefile(own) for own in filter(None, map(starter, LANGUAGES))):
        raise Failure("model.is_own", {"path": Text(str(path))}, status=1)
    return path


STOP = Command("stop")


def _tune(path: Path, quiet: bool, context: Context) -> int:
    """Measure a model and store the result; an aborted measurement leaves an earlier result in place.

    Raises `Failure` if it cannot be measured.
    """
    from voicechess.app.exam_results import examined  # slow to import

    trusted(path)
    stopped = threading.Event()

    def line(text: str) -> None:
        if understand(text, context.lexicon, Expectation(), typed=True) == STOP:
            stopped.set()

    def look(share: float) -> None:
        if stopped.is_set():
            raise KeyboardInterrupt
        bar.update(round(1000 * share), 1000)

    keyboard = Keyboard(line, lambda key, begun: None, lambda: None)
    with spoken_progress(quiet, context, "model.measured") as bar:
        listener = None if bar.speaker is None else _listener(bar.speaker, context, stopped.set)
        context.tell("model.measuring" if listener is None else "model.measuring_heard", path=str(path))
        try:
            keyboard.start()
            if listener is not None:
                listener.start()
            measured, lexicon = examined(path, starter(), look)
        except KeyboardInterrupt:
            bar.close()
            context.tell("model.measuring_stopped")
            _say_last(bar.speaker, context, "model.measuring_stopped")
            return INTERRUPTED
        finally:
            keyboard.close()
            if listener is not None:
                listener.close()
    lacking = sorted(lexicon.silent & lexicon.heard.spoken_words)
    if lacking:
        few = ", ".join(lacking) if len(lacking) <= MOST_LACKING else ""
        context.tell("model.lacks" if few else "model.lacks_many", words=few, count=len(lacking))
    write_measured(path, measured)
    _show_figures(path, context)
    return 0


def _listener(speaker: Speaker, context: Context, stop: Callable[[], None]) -> Listener | None:
    """A listener for a spoken "Stopp", deaf while `speaker` speaks; it uses the starter model, since the one measured
    is loaded in another process. None without a starter model, without a microphone, and with push-to-talk.
    """
    kept = context.preferences
    own = starter(listening(context.lexicon.hearable))
    if own is None or kept.push_to_talk:
        return None
    keep_libraries_quiet()
    opening = Opening(lambda: open_microphone(kept.microphone or None), "microphone")
    try:
        opening().close()
        model = VoskModel(trusted(own).path)
    except Failure:
        return None
    expected = Expectation()
    hearing = Hearing(context.lexicon.restrict(model.knows), doubt=model.scaling.doubt)

    def heard(utterance: RecognisedUtterance) -> None:
        readings = hearing.understood(utterance, expected, utterance.ended_ms).readings
        if {one.meaning for one in contenders(readings).readings} == {STOP}:
            stop()

    listener = Listener(opening, model, ListenerCallbacks(heard), speaking=lambda _at_ms: speaker.speaking)
    hearing.offer(listener, expected)
    return listener


def _say_last(speaker: Speaker | None, context: Context, key: str) -> None:
    """Interrupt the speaker with this sentence, and wait up to `LAST_WORDS_S` for its end."""
    if speaker is None:
        return
    speaker.hush()
    speaker.say(-1, context.wording.for_voice(context.wording.say(Phrase(key))))
    speaker.let_speak(LAST_WORDS_S)


def _show_figures(path: Path, context: Context) -> None:
    """Print a model's result beside the starter model's, and which of the two is used."""
    measured = read_measured(path)
    if measured is None:
        context.tell_failure(Failure("model.not_measured", {"path": Text(str(path))}))
        return
    phrase = compared("model.judged_good" if measured.trusted else "model.judged_worse", path, measured)
    context.tell(phrase.key, **phrase.slots)
