"""`voicechess bench echo`: barge-in by a few words while the program speaks through a loudspeaker.

The echo path is simulated (`models.bench.loudspeaker`) in simulated time, so all figures but processor times are
reproducible."""

from __future__ import annotations

import argparse
import math
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from models.bench.announcing import middlegames
from models.bench.decoding import Workers
from models.bench.hearing import prepared
from models.bench.loudspeaker import BLOCK_MS, NO_ECHO_DB, EchoPath, blocks_with_far_end, microphone_signal
from models.bench.report import Report, Stages, percentage, table, write_json
from models.bench.synthesis import HEARING_TEST, SAMPLE_RATE, TUNING, Voice, synthesise
from voicechess.app.hearing import Hearing
from voicechess.app.turn_taking import ANY_FIT, INTERJECTIONS, is_interjection
from voicechess.language.lexicon import load
from voicechess.language.sentences import load_sentences
from voicechess.language.understanding import understand
from voicechess.language.wording import Wording
from voicechess.meaning import Meaning
from voicechess.messages import Phrase
from voicechess.moves.saying import said_move
from voicechess.sound.mixing import NOMINAL_DBFS, at_level
from voicechess.sound.model import VoskModel
from voicechess.sound.overhearing import Overhearing
from voicechess.sound.voices import same_dither
from voicechess.storage.speech_models import scaling_of

if TYPE_CHECKING:
    from voicechess.sound.voices import Samples

SPOKEN = ("stopp", "wiederholen", "weiter", "pause", "nein", "korrektur")
"""The words that are obeyed during speech (`turn_taking.INTERJECTIONS`)."""

LEVELS_DB = (NO_ECHO_DB, -10.0, -5.0, 0.0, 5.0, 10.0)
"""Echo levels over the player's voice, decibels."""

BETWEEN_S = 0.4
"""Seconds between two sentences of the program's."""

SETTLES_S = 40.0
"""Seconds of the program's speech before the player's first word, in which the canceller converges."""

WORDS_PER_SCENE = 10
"""Number of words said in one room."""

STRETCH_S = 120.0
"""Seconds of the program's own speech in one room."""

MOVES = 120
"""Number of moves among the sentences of the program."""

NOT_SAID = ("settings.", "bench.", "program.", "doctor.", "cli.")
"""Prefixes of sentences that are only printed."""

MOST_TOLD = 10
"""Most false ones that are printed."""


@dataclass(frozen=True)
class Interjection:
    """A word of the player's during the program's speech."""

    words: str
    ended_ms: int  # end of its words


@dataclass(frozen=True)
class Scene:
    """Words said into the program's speech in one room."""

    echo_db: float  # echo level over the player's voice, decibels
    number: int  # of the scene, among those of this level
    count: int  # number of words
    voices: tuple[str, ...]  # names of the voices they are drawn from


@dataclass(frozen=True)
class Outcome:
    """The result of a scene or of a stretch of own speech."""

    obeyed: int  # number of the player's words obeyed
    wrong: int  # number of the player's words obeyed as another one
    false: tuple[str, ...]  # meanings obeyed that nobody had said
    heard_s: float  # duration of the sound, seconds
    spent_s: float  # processor time for it, seconds


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `voicechess bench echo`."""
    parser.add_argument("--model", type=Path, metavar="PATH", help="a Vosk model folder")
    parser.add_argument("--hours", type=float, default=1.0, metavar="N", help="of the program's own speech (1)")
    parser.add_argument("--each", type=int, default=40, metavar="N", help="words said at each level (40)")
    parser.add_argument("--tuning", action="store_true", help="with the voices that settings are chosen by")
    parser.add_argument("--jobs", type=int, metavar="N", help="processes (as many as there are cores)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write all figures there")


def run(args: argparse.Namespace) -> int:
    """Measures, prints the table, returns 0. Raises Failure when it cannot be measured."""
    path, _, _ = prepared(args.model)
    voices = tuple(sorted(TUNING if args.tuning else HEARING_TEST))
    scenes = [
        Scene(echo_db, first // WORDS_PER_SCENE, min(WORDS_PER_SCENE, args.each - first), voices)
        for echo_db in LEVELS_DB
        for first in range(0, args.each, WORDS_PER_SCENE)
    ]
    stretches = range(math.ceil(3600 * args.hours / STRETCH_S))
    stages = Stages()
    with Workers(_load, path, args.jobs) as workers:
        spoken = workers.map(_said_into, scenes, 1, stages.stage("words"))
        alone = workers.map(_own_speech, stretches, 1, stages.stage("own speech"))
    rows = []
    for echo_db in LEVELS_DB:
        found = [one for scene, one in zip(scenes, spoken, strict=True) if scene.echo_db == echo_db]
        obeyed, wrong = sum(one.obeyed for one in found), sum(one.wrong for one in found)
        name = "none" if echo_db == NO_ECHO_DB else f"{echo_db:+.0f} dB"
        rows.append((name, f"{obeyed} of {args.each}", wrong))
    false = [told for one in alone for told in one.false]
    hours = sum(one.heard_s for one in alone) / 3600
    share, share_words = _share(alone), _share(spoken)
    print(table(("echo over player", "obeyed", "as another"), rows))
    print(f"False ones in {hours:.2f} hours of the program's own speech: {len(false)}")
    print(*false[:MOST_TOLD], sep="\n")
    print(f"It takes {share} % of a core; where words are said into it all the time {share_words} %.")
    if args.json:
        figures: dict[str, object] = {"levels": rows, "hours": hours, "false": false}
        subject = "echo, tuning voices" if args.tuning else "echo"
        write_json(
            Report("echo", subject, "", False, figures, {"share of a core, percent": share, "with words": share_words}),
            args.json,
        )
    return 0


def _share(outcomes: Sequence[Outcome]) -> float:
    """Processor time, percent of a core."""
    return round(percentage(sum(one.spent_s for one in outcomes), sum(one.heard_s for one in outcomes)), 1)


class Measure:
    """Canceller, recogniser and understanding as in the program."""

    def __init__(self, model: Path) -> None:
        self._model = VoskModel(model, scaling_of(model))
        self._hearing = Hearing(load("de").restrict(self._model.knows), fit=ANY_FIT)
        self._meanings = {words: understand(words, self._hearing.lexicon, INTERJECTIONS) for words in SPOKEN}
        self._sentences = list(sentences())
        self._said: dict[str, Samples] = {}

    def said_into(self, task: Scene) -> Outcome:
        """Measure a scene."""
        draw = random.Random(f"obeyed {task.echo_db} {task.number}")
        path = EchoPath.drawn(task.echo_db, draw)
        far, near, wanted = self._scene(path, draw, task.count, task.voices)
        heard = microphone_signal(far, near, path, draw)
        found, spent_s = self._heard(far, heard, path)
        obeyed = wrong = 0
        for one in wanted:
            answers = [
                meaning for meaning, began_ms, ended_ms in found if began_ms - 300 < one.ended_ms < ended_ms + 500
            ]
            meant = self._meanings[one.words]
            obeyed += meant in answers
            wrong += any(meaning != meant for meaning in answers)
        return Outcome(obeyed, wrong, (), len(heard) / SAMPLE_RATE, spent_s)

    def own_speech(self, number: int) -> Outcome:
        """Measure the stretch of own speech with this number, which seeds it."""
        draw = random.Random(f"own speech {number}")
        path = EchoPath.drawn(draw.choice(LEVELS_DB[1:]), draw)
        far = self._speech(draw, STRETCH_S)
        heard = microphone_signal(far, np.zeros(len(far), np.float32), path, draw)
        found, spent_s = self._heard(far, heard, path)
        false = tuple(f"{meaning} ({path})" for meaning, _, _ in found)
        return Outcome(0, 0, false, len(heard) / SAMPLE_RATE, spent_s)

    def _speech(self, draw: random.Random, seconds: float) -> Samples:
        """The far end: about `seconds` of the program's speech."""
        pieces: list[Samples] = [np.zeros(SAMPLE_RATE // 2, np.float32)]
        while sum(map(len, pieces)) < seconds * SAMPLE_RATE:
            text = draw.choice(self._sentences)
            if text not in self._said:
                self._said[text] = synthesise(text, Voice(rate=175))
            pieces += [self._said[text], np.zeros(round(BETWEEN_S * SAMPLE_RATE), np.float32)]
        return np.concatenate(pieces)

    def _scene(
        self, path: EchoPath, draw: random.Random, count: int, voices: Sequence[str]
    ) -> tuple[Samples, Samples, list[Interjection]]:
        """Far end, near end, and the words in it."""
        far = self._speech(draw, SETTLES_S + 3.5 * count)
        near = np.zeros(len(far), np.float32)
        wanted = []
        for number in range(count):
            words = draw.choice(SPOKEN)
            voice = Voice(draw.choice(voices), draw.choice((145, 165, 185)), draw.choice((40, 50, 60)))
            said = at_level(synthesise(words, voice), NOMINAL_DBFS)
            first = round((SETTLES_S + 3.5 * number + draw.random()) * SAMPLE_RATE)
            near[first : first + len(said)] += said[: len(near) - first]
            wanted.append(Interjection(words, 1000 * (first + len(said)) // SAMPLE_RATE))
        return far, near, wanted

    def _heard(self, far: Samples, heard: Samples, path: EchoPath) -> tuple[list[tuple[Meaning, int, int]], float]:
        """The meanings obeyed with begin and end of their words, milliseconds; and the processor time, seconds."""
        same_dither()
        overhearing = Overhearing(self._model)
        self._hearing.offer(overhearing, INTERJECTIONS)
        found: list[tuple[Meaning, int, int]] = []
        blocks = list(blocks_with_far_end(far, heard, path))
        began = time.process_time()
        for bursts, block in blocks:
            for burst in bursts:
                overhearing.played(*burst)
            utterance = overhearing.feed(block, SAMPLE_RATE, True)
            if utterance is None:
                continue
            event = self._hearing.understood(utterance, INTERJECTIONS, block.ended_ms - BLOCK_MS)
            if is_interjection(event):
                found.append((event.readings[0].meaning, utterance.began_ms, utterance.ended_ms))
        return found, time.process_time() - began


_measure: Measure | None = None


def _load(path: str) -> None:
    global _measure
    _measure = Measure(Path(path))


def _said_into(tasks: Sequence[Scene]) -> list[Outcome]:
    assert _measure is not None, "the worker has loaded it"
    return [_measure.said_into(task) for task in tasks]


def _own_speech(numbers: Sequence[int]) -> list[Outcome]:
    assert _measure is not None, "the worker has loaded it"
    return [_measure.own_speech(number) for number in numbers]


def sentences() -> Iterator[str]:
    """Sentences of the program in games: moves, and those without slots."""
    wording = Wording("de", strict=True)
    for board, move in middlegames(MOVES, "echo"):
        yield wording.move(said_move(board, move))
    for key, template in load_sentences("de").templates.items():
        if not template.gaps and not key.startswith(NOT_SAID):
            yield wording.say(Phrase(key))
