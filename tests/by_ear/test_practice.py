"""A session of each exercise through virtual cables: real voice, microphone, recogniser; no stub on the way.

The player knows the right answer by looking at the bookmark that the program keeps of its open question. All exercises
take some minutes; without VOICECHESS_PRACTICE_BY_EAR=all only two are played.
"""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest

from tests.drivers.blind_player import BlindPlayer
from tests.drivers.exercising import AT_EVERY_LEVEL, course
from tests.drivers.virtual_sound import VirtualSound
from tests.practice.oracle import Player
from voicechess.app.practice_store import PracticeStore
from voicechess.language.lexicon import load
from voicechess.language.understanding import understand
from voicechess.meaning import Expectation, Question, QuestionKind
from voicechess.practice.drill import TaskSequence
from voicechess.practice.schedule import Deck
from voicechess.practice.task import AnswerVerdict, Task
from voicechess.storage.journal import Journal
from voicechess.storage.places import journal_file

ALL = os.environ.get("VOICECHESS_PRACTICE_BY_EAR") == "all"
QUICKEST = (("squares", 1), ("paths", 1))
CLOSED = 2
MOST_TRIES = 4

long = pytest.mark.skipif(not ALL, reason="takes long: VOICECHESS_PRACTICE_BY_EAR=all")


def open_task(key: str, level: int) -> Task:
    """The program's open question, made again from its bookmark."""
    store = PracticeStore(journal_file())
    try:
        mark = store.bookmark()
    finally:
        store.close()
    assert mark is not None
    task = TaskSequence(course(key, level), Deck(), Random()).again(mark)
    assert task is not None
    return task


def answer(player: BlindPlayer, task: Task) -> None:
    """Say the right answer, step by step, until the program says that it is right."""
    knows = Player("de")
    tries = 0
    while tries < MOST_TRIES:
        words = knows.right(task)[0]
        before = len(player.lines)
        player.listen(player.say(words), lambda: len(player.lines) > before)  # noqa: B023 - called at once
        said = player.lines[before:]
        meaning = understand(words, load("de"), Expectation(task.board(), Question(QuestionKind.EXERCISE)))
        assessed = task.assess(meaning, words)
        if assessed.verdict is AnswerVerdict.RIGHT and "Richtig." in said:
            return
        step = [player.wording.say(phrase) for phrase in assessed.say]
        if assessed.verdict is AnswerVerdict.GOES_ON and assessed.task is not None and step[0] in said:
            task = assessed.task
        else:
            tries += 1  # not heard, or misheard: this is what correction is for
            if any(line.startswith("Gehört: ") for line in said):
                player.listen(player.say("Korrektur"))
    raise AssertionError(f"{knows.right(task)} was never taken: {player.lines[-8:]}")


@pytest.mark.sound
@pytest.mark.parametrize(("key", "level"), [one for one in AT_EVERY_LEVEL if ALL or one in QUICKEST])
def test_an_exercise_by_ear(
    key: str,
    level: int,
    virtual_sound: VirtualSound,
    quick_voice: None,
    model_path: Path,
) -> None:
    with BlindPlayer(virtual_sound, model_path, "practise", key, "--level", str(level)) as player:
        player.listen(0, lambda: len(player.lines) > 2)
        for _ in range(CLOSED):
            answer(player, open_task(key, level))
        player.say_until("Ende", "Fertig. ")
        assert player.program.wait(timeout=60) == 0
    store = PracticeStore(journal_file())
    assert len(store.answers()) == CLOSED
    store.close()


@long
def test_blindfold_by_ear(virtual_sound: VirtualSound, quick_voice: None, model_path: Path) -> None:
    with BlindPlayer(virtual_sound, model_path, "practise", "blindfold", "--level", "1") as player:
        player.listen(0, lambda: any("Sie haben" in line for line in player.lines))
        if any("Die Maschine beginnt" in line for line in player.lines):
            player.listen(0, lambda: any(line.startswith("Weiß: ") for line in player.lines))
        for _ in range(MOST_TRIES):
            before = len(player.lines)
            player.listen(player.say("welcher Zug war das"), lambda: len(player.lines) > before)  # noqa: B023
            if not any("weder" in line or "verstanden" in line for line in player.lines[before:]):
                break
        before = len(player.lines)
        player.listen(player.say("aufgeben"), lambda: any("Wirklich" in line for line in player.lines[before:]))
        player.listen(player.say("ja"), lambda: any("gibt auf" in line for line in player.lines[before:]))
        player.listen(0, lambda: player.program.poll() is not None)
        assert any(line.startswith("Um Hilfe gebeten haben Sie") for line in player.lines), player.lines
    journal = Journal(journal_file())
    assert journal.games()[0].result in ("1-0", "0-1")
    journal.close()


@long
def test_review_by_ear(
    virtual_sound: VirtualSound,
    quick_voice: None,
    model_path: Path,
    tmp_path: Path,
) -> None:
    pgn = tmp_path / "mate.pgn"
    pgn.write_text("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0")
    with BlindPlayer(virtual_sound, model_path, "practise", "review", "--pgn", str(pgn)) as player:
        player.listen(0, lambda: any("Wollen Sie" in line for line in player.lines))
        assert any("gespielt wurde Springer Felix sechs" in line for line in player.lines)
        before = len(player.lines)
        player.listen(player.say("ja"), lambda: any("Welchen Zug" in line for line in player.lines[before:]))
        player.listen(player.say("Dame Eva sieben"), lambda: any("Zug" in line for line in player.lines[before + 3 :]))
