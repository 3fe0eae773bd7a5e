"""`voicechess bench room`: a game that speaks through a loudspeaker into its own microphone, faster than real time.

It plays on `models.bench.stage`. Moves and queries are typed; the microphone picks up the program's own speech and, in
some stretches, a player's barge-in. Anything else that is recognised counts as an error: a move, a command, an answer,
a tone (issue 49)."""

from __future__ import annotations

import argparse
import math
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from models.bench.decoding import Workers
from models.bench.hearing import prepared
from models.bench.loudspeaker import NO_ECHO_DB
from models.bench.report import Report, Stages, table, write_json
from models.bench.stage import BLOCK_MS, Sounds, Stage, echo_name
from models.bench.synthesis import HEARING_TEST, SAMPLE_RATE, TUNING, Voice
from voicechess.app.hearing import Hearing
from voicechess.app.turn_taking import INTERJECTIONS
from voicechess.game.session import Session
from voicechess.language.lexicon import load
from voicechess.language.understanding import understand
from voicechess.sound.mixing import NOMINAL_DBFS, at_level
from voicechess.sound.model import VoskModel
from voicechess.sound.voices import same_dither
from voicechess.storage.speech_models import scaling_of

LEVELS_DB = (NO_ECHO_DB, -10.0, 0.0, 10.0)
"""Echo levels over the player's voice, decibels."""

SAID = ("stopp", "nein", "pause")
"""Words that the player says during speech."""

ASKED = ("ganze Stellung", "Stellung", "Hilfe", "Material", "alle Züge", "letzter Zug", "wer ist am Zug", "Wiederholen")
"""Queries that are typed."""

MOVES_SHARE = 0.4
"""Share of the typed lines that are moves, 0 to 1; the others are queries."""

EVERY_MS = 1_500
"""Least time between two typed lines, milliseconds. Larger: less speech per simulated hour."""

STRETCH_S = 180.0
"""Seconds of the program's speech in a stretch."""

INTO_S = (1.5, 5.0)
"""Range of the seconds into the program's speech at which the player says a word."""

ANSWERED_MS = 2_500
"""Milliseconds within which a word has to be obeyed."""

MOST_TOLD = 20
"""Most errors that are printed."""


@dataclass(frozen=True)
class Stretch:
    """A game in one room."""

    echo_db: float  # echo level over the player's voice, decibels
    number: int  # of the stretch, among those of this level
    words: int  # number of words that the player says; 0: nobody is there
    voices: tuple[str, ...]  # names of the voices they are drawn from


@dataclass(frozen=True)
class Outcome:
    """The result of a stretch."""

    said: tuple[str, ...]  # the player's words
    obeyed: tuple[str, ...]  # those that were obeyed
    false: tuple[str, ...]  # what else was recognised
    spoke_s: float  # duration of the program's speech


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `voicechess bench room`."""
    parser.add_argument("--model", type=Path, metavar="PATH", help="a Vosk model folder")
    parser.add_argument("--hours", type=float, default=1.0, metavar="N", help="of the program's own speech (1)")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="its first stretch (0), for further hours")
    parser.add_argument("--each", type=int, default=40, metavar="N", help="words said at each level (40)")
    parser.add_argument("--tuning", action="store_true", help="with the voices that settings are chosen by")
    parser.add_argument("--jobs", type=int, metavar="N", help="processes (as many as there are cores)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write all figures there")


def run(args: argparse.Namespace) -> int:
    """Measures, prints the table, returns 0. Raises Failure when it cannot be measured."""
    path, _, _ = prepared(args.model)
    voices = tuple(sorted(TUNING if args.tuning else HEARING_TEST))
    a_stretch = 10
    spoken = [
        Stretch(echo_db, first // a_stretch, min(a_stretch, args.each - first), voices)
        for echo_db in LEVELS_DB
        for first in range(0, args.each, a_stretch)
    ]
    count = math.ceil(3600 * args.hours / STRETCH_S)
    numbers = range(args.first, args.first + count)
    alone = [Stretch(LEVELS_DB[1 + number % (len(LEVELS_DB) - 1)], number, 0, ()) for number in numbers]
    stages = Stages()
    with Workers(_load, path, args.jobs) as workers:
        into = workers.map(_play, spoken, 1, stages.stage("words"))
        own = workers.map(_play, alone, 1, stages.stage("own speech"))
    rows = []
    for echo_db in LEVELS_DB:
        found = [one for stretch, one in zip(spoken, into, strict=True) if stretch.echo_db == echo_db]
        said, obeyed = sum(len(one.said) for one in found), sum(len(one.obeyed) for one in found)
        lost = Counter(word for one in found for word in one.said) - Counter(w for one in found for w in one.obeyed)
        rows.append((echo_name(echo_db), f"{obeyed} of {said}", ", ".join(f"{word} {n}" for word, n in lost.items())))
    print(table(("echo over player", "obeyed", "lost"), rows))
    false = [told for one in (*into, *own) for told in one.false]
    hours = sum(one.spoke_s for one in own) / 3600
    print(f"Heard of the program's own in {hours:.2f} hours of its speech, and beside those words: {len(false)}")
    print(*false[:MOST_TOLD], sep="\n")
    if args.json:
        figures: dict[str, object] = {"levels": rows, "hours": hours, "false": false}
        write_json(Report("room", "room, tuning voices" if args.tuning else "room", "", False, figures, {}), args.json)
    return 0


class Measure:
    """A worker's model and cached sounds."""

    def __init__(self, model: Path) -> None:
        self._model = VoskModel(model, scaling_of(model))
        self._hearing = Hearing(load("de").restrict(self._model.knows))
        self._meanings = {words: understand(words, self._hearing.lexicon, INTERJECTIONS) for words in SAID}
        self._sounds = Sounds()

    def play(self, task: Stretch) -> Outcome:
        """Measure a stretch."""
        same_dither()
        draw = random.Random(f"room {task.echo_db} {task.number} {task.words}")
        stage = Stage(self._model, self._hearing, self._sounds, task.echo_db, draw)
        said: list[tuple[str, int, int]] = []  # with begin and end, milliseconds
        next_ms, say_ms = 0, None

        def after() -> None:
            nonlocal next_ms, say_ms
            now_ms, began_ms = stage.clock.ms, stage.voice.began_ms
            if stage.silent:
                say_ms = None
                if now_ms >= next_ms:
                    next_ms = now_ms + EVERY_MS
                    stage.inbox.type_line(_asked(stage.game.session, draw, bool(said) and said[-1][0] == "pause"))
            elif len(said) < task.words and began_ms is not None:
                if say_ms is None and now_ms - began_ms <= BLOCK_MS:
                    say_ms = now_ms + round(1000 * draw.uniform(*INTO_S))
                elif say_ms is not None and now_ms >= say_ms:
                    say_ms = None
                    if not said or now_ms > said[-1][2] + ANSWERED_MS:
                        said.append(self._say(stage, draw, task.voices))

        def over() -> bool:
            heard_out = len(said) == task.words and stage.clock.ms > said[-1][2] + ANSWERED_MS if task.words else False
            return heard_out or stage.spoke_s >= STRETCH_S or stage.game.session.over

        stage.after = after
        stage.play(over)
        obeyed = [
            word
            for word, began_ms, ended_ms in said
            if any(
                event.readings[0].meaning == self._meanings[word] and began_ms <= at_ms <= ended_ms + ANSWERED_MS
                for at_ms, event in stage.game.heard
            )
        ]
        found = [(at_ms, f"{one.words}: {one.readings[0].meaning}") for at_ms, one in stage.game.heard]
        false = [
            f"{told} ({stage.air.description}, at {at_ms} ms of {task.number})"
            for at_ms, told in (*found, *((at_ms, "a tone") for at_ms in stage.voice.tones))
            if not any(began_ms <= at_ms <= ended_ms + ANSWERED_MS for _, began_ms, ended_ms in said)
        ]
        return Outcome(tuple(word for word, _, _ in said), tuple(obeyed), tuple(false), stage.spoke_s)

    def _say(self, stage: Stage, draw: random.Random, voices: Sequence[str]) -> tuple[str, int, int]:
        """The player begins to say one of the words; returns it with its begin and end, milliseconds."""
        word = draw.choice(SAID)
        voice = Voice(draw.choice(voices), draw.choice((145, 165, 185)), draw.choice((40, 50, 60)))
        sound = at_level(self._sounds(word, voice), NOMINAL_DBFS)
        stage.air.say(sound)
        return word, stage.clock.ms, stage.clock.ms + 1000 * len(sound) // SAMPLE_RATE


def _asked(session: Session, draw: random.Random, paused: bool) -> str:
    """The next line to be typed."""
    if paused and draw.random() < 0.5:
        return "weiter"
    legal = list(session.board.legal_moves)
    if legal and draw.random() < MOVES_SHARE:
        return draw.choice(legal).uci()
    return draw.choice(ASKED)


_measure: Measure | None = None


def _load(path: str) -> None:
    global _measure
    _measure = Measure(Path(path))


def _play(tasks: Sequence[Stretch]) -> list[Outcome]:
    assert _measure is not None, "the worker has loaded it"
    return [_measure.play(task) for task in tasks]
