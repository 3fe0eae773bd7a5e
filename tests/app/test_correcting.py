"""After its repetition a move can be corrected before it is made: while somebody speaks, and once more where what was
said was not understood. What is kept of it comes to the same game again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from voicechess.app.around import Hooks, Terminal
from voicechess.app.event_clock import EventClock
from voicechess.app.hearing import Hearing
from voicechess.app.inbox import Inbox
from voicechess.app.loop import Loop
from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings, Player
from voicechess.game.company import SAME_VOICE_DB
from voicechess.game.repetition import GRACE_MS, LONGEST_GRACE_MS, SAY_AGAIN_MS
from voicechess.game.session import Session
from voicechess.language.lexicon import load
from voicechess.language.wording import Wording
from voicechess.meaning import Expectation, Hypothesis, RecognisedUtterance, Word
from voicechess.messages import Priority, Tone, Whose

STEP_MS = 50


@pytest.fixture(autouse=True)
def _unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("voicechess.app.loop.TICK_S", 0.001)  # time passes by itself here


class Ticking(EventClock):
    """Time passes by being looked at between two rounds of the loop, and things happen when they are due. Words with
    "~" before them are said into what the program says, through a loudspeaker; those with "@-40" behind are so loud."""

    def __init__(self, script: list[tuple[int, str]], inbox: Inbox) -> None:
        super().__init__()
        self.now_ms = 0
        self.script = list(script)
        self.inbox = inbox

    def now(self) -> int:
        return self.now_ms

    def gap(self) -> int:
        self.now_ms += STEP_MS
        while self.script and self.script[0][0] <= self.now_ms:
            at_ms, line = self.script.pop(0)
            words, _, voice_db = line.partition("@")
            spoken = tuple(Word(word, at_ms - 500, at_ms) for word in words.removeprefix("~").split())
            overheard = words.startswith("~")
            level = int(voice_db) if voice_db else None
            self.inbox.post(RecognisedUtterance((Hypothesis(spoken),), at_ms - 500, at_ms, None, level, overheard))
        return 0


@dataclass
class Ear:
    """A microphone in a room in which somebody speaks from `began_ms` to `ended_ms`."""

    clock: Ticking
    began_ms: int = 0
    ended_ms: int = 0

    @property
    def hearing(self) -> bool:
        return self.began_ms <= self.clock.now_ms < self.ended_ms

    def expect(self, expectation: Expectation, hearing: Hearing) -> None: ...


@dataclass
class Voice:
    """A voice that has said everything at once."""

    clock: Ticking
    inbox: Inbox
    headphones: bool = False

    def say(
        self,
        number: int,
        text: str | Callable[[], str],
        priority: Priority,
        quick: bool = False,
        whose: Whose = Whose.PROGRAM,
    ) -> None:
        self.inbox.post(ev.Spoken(at_ms=self.clock.now(), number=number))

    def tone(self, tone: Tone) -> bool:
        return True

    def hush(self) -> None: ...

    def adjust(self, rate: int, volume: int) -> None: ...

    def mute(self, on: bool) -> None: ...


def played(
    *script: tuple[int, str], speaking: tuple[int, int] = (0, 0), piped: tuple[str, ...] = ()
) -> tuple[list[str], int | None]:
    """What is made of words at these times, in milliseconds; and when the first move was made. `speaking`: somebody
    does between these times. `piped`: lines that are there from the beginning."""
    inbox = Inbox()
    for line in piped:
        inbox.type_line(line)
    clock = Ticking(list(script), inbox)
    voice, ear = Voice(clock, inbox), Ear(clock, *speaking)
    loop = Loop(
        *(Wording("de"), Hearing(load("de")), clock),
        inbox=inbox,
        voice=voice,
        speech_input=ear,
        terminal=Terminal(lambda _: None, paced=True),
    )
    session = Session(GameSettings(white=Player.VOICE, black=Player.VOICE))
    made: list[int] = []
    kept: list[ev.Event] = []

    def over() -> bool:
        if session.plies and not made:
            made.append(clock.now_ms)
        return clock.now_ms > 12_000

    loop.converse(
        session,
        ev.Started(at_ms=0),
        over,
        Hooks(keep=kept.append, busy=lambda: session.correctable, tells_speakers=True),
    )
    again = Session(session.settings)
    for event in kept:
        again.handle(event)
    assert (again.plies, again.phase) == (session.plies, session.phase)
    return [move.move.uci() for move in session.plies], made[0] if made else None


def test_a_move_nobody_corrects_is_made_after_a_moment() -> None:
    moves, made_ms = played((1000, "eva vier"))
    assert moves == ["e2e4"] and made_ms is not None
    assert 1000 + GRACE_MS <= made_ms <= 1000 + GRACE_MS + 4 * STEP_MS


def test_after_words_that_were_not_understood_there_is_another_moment() -> None:
    first = 1000 + GRACE_MS - 200
    again = first + SAY_AGAIN_MS - 200
    assert again > 1000 + GRACE_MS, "too late, had the first not been heard"
    assert played((1000, "eva vier"), (first, "quatsch"), (again, "korrektur"), (again + 2000, "david vier"))[0] == [
        "d2d4"
    ]


def test_noise_gives_no_other_moment() -> None:
    assert played(
        (1000, "eva vier"), (1000 + GRACE_MS - 200, "[unk]"), (1000 + GRACE_MS + SAY_AGAIN_MS - 400, "korrektur")
    )[0] == ["e2e4"]


@pytest.mark.parametrize(("below_db", "moves"), [(SAME_VOICE_DB, []), (SAME_VOICE_DB + 1, ["e2e4"])])
def test_what_was_as_loud_as_the_player_and_not_understood_gives_another_moment(
    below_db: int, moves: list[str]
) -> None:
    """It may have been "falsch", taken for noise."""
    unheard = (1000 + GRACE_MS - 200, f"[unk]@{-30 - below_db}")
    again = (1000 + GRACE_MS + SAY_AGAIN_MS - 400, "korrektur@-30")
    assert played((1000, "eva vier@-30"), unheard, again)[0] == moves


def test_who_is_not_understood_twice_is_asked() -> None:
    talk = [(1000 + number * GRACE_MS // 2, "quatsch") for number in range(1, 3)]
    assert played((1000, "eva vier"), *talk)[0] == [], "the question is open"
    assert played((1000, "eva vier"), *talk, (6000, "ja"))[0] == ["e2e4"]
    assert played((1000, "eva vier"), *talk, (6000, "nein"))[0] == []


def test_no_move_is_made_while_somebody_is_speaking() -> None:
    began, ended = 1000 + GRACE_MS - 200, 1000 + GRACE_MS + 1500
    assert played((1000, "eva vier"), speaking=(began, ended))[1] in range(ended, ended + 4 * STEP_MS)
    assert played((1000, "eva vier"), (ended, "korrektur"), speaking=(began, ended))[0] == []


def test_noise_does_not_hold_up_the_game() -> None:
    moves, made_ms = played((1000, "eva vier"), speaking=(1200, 12_000))
    assert moves == ["e2e4"] and made_ms is not None
    assert 1000 + LONGEST_GRACE_MS <= made_ms <= 1000 + LONGEST_GRACE_MS + 4 * STEP_MS


def test_a_repetition_that_is_repeated_can_be_corrected_as_the_first() -> None:
    again = 1000 + GRACE_MS - 200
    assert played((1000, "eva vier"), (again, "wiederholen"))[1] in range(again + GRACE_MS, again + 2 * SAY_AGAIN_MS)
    assert played((1000, "eva vier"), (again, "wiederholen"), (again + GRACE_MS - 200, "korrektur"))[0] == []


def test_a_piped_line_is_no_word_into_that_time() -> None:
    assert played(piped=("e4", "nein"))[0] == ["e2e4"], "the move has been made, and can be taken back"
    assert played(piped=("e4", "e5"))[0] == ["e2e4", "e7e5"]
