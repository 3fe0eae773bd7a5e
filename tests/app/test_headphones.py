"""With headphones the player is heard while the program speaks: what they say ends it, noise and its own words do not.

The clock is turned by hand; what the loudspeaker does is in tests/sound/test_speaker.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import pytest

from tests.app.test_correcting import Ear, Ticking
from voicechess.app.around import Switches, Terminal
from voicechess.app.hearing import Hearing
from voicechess.app.inbox import Inbox
from voicechess.app.loop import Loop
from voicechess.app.turn_taking import MOST_ECHOES, Floor, Interjection
from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings, Player
from voicechess.game.repetition import GRACE_MS
from voicechess.game.session import Session
from voicechess.language.lexicon import load
from voicechess.language.wording import Wording
from voicechess.meaning import Command, Reading, Unclear, UnclearReason
from voicechess.messages import Priority, Tone, Whose

SENTENCE_MS = 2_000
REPETITION = "Bauer Eva zwei Eva vier."


@pytest.fixture(autouse=True)
def _unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("voicechess.app.loop.TICK_S", 0.001)  # time passes by itself here


class Room(Ticking):
    """Also tells when a sentence is over."""

    def __init__(self, script: list[tuple[int, str]], inbox: Inbox) -> None:
        super().__init__(script, inbox)
        self.ends: list[tuple[int, int]] = []

    def gap(self) -> int:
        while self.ends and self.ends[0][0] <= self.now_ms:
            self.inbox.post(ev.Spoken(at_ms=self.now_ms, number=self.ends.pop(0)[1]))
        return super().gap()


@dataclass
class Voice:
    """Each sentence lasts two seconds, one after the other."""

    clock: Room
    headphones: bool = True
    said: list[str] = field(default_factory=list)
    hushed: list[str] = field(default_factory=list)
    tones: list[Tone] = field(default_factory=list)

    def say(
        self,
        number: int,
        text: str | Callable[[], str],
        priority: Priority,
        quick: bool = False,
        whose: Whose = Whose.PROGRAM,
    ) -> None:
        self.said.append(text if isinstance(text, str) else text())
        begins_ms = max([self.clock.now_ms, *(at_ms for at_ms, _ in self.clock.ends)])
        self.clock.ends.append((begins_ms + SENTENCE_MS, number))

    def tone(self, tone: Tone) -> bool:
        self.tones.append(tone)
        return True

    def hush(self) -> None:
        self.hushed += self.said[len(self.said) - len(self.clock.ends) :]
        ends, self.clock.ends = self.clock.ends, []
        for _, number in ends:
            self.clock.inbox.post(ev.Spoken(at_ms=self.clock.now_ms, number=number, completed=False))

    def adjust(self, rate: int, volume: int) -> None: ...

    def mute(self, on: bool) -> None: ...


@dataclass
class Played:
    """What came of it: the moves that stand, what was said, and when the first move was made."""

    moves: list[str]
    voice: Voice
    made_ms: int | None


def played(*script: tuple[int, str], until_ms: int = 25_000, headphones: bool = True) -> Played:
    """A game of two people, into which these words are spoken; the times are those at which they are understood."""
    inbox = Inbox()
    clock = Room(list(script), inbox)
    voice = Voice(clock, headphones)

    def wear(on: bool) -> None:
        voice.headphones = on

    loop = Loop(
        *(Wording("de"), Hearing(load("de")), clock),
        inbox=inbox,
        voice=voice,
        speech_input=Ear(clock),
        terminal=Terminal(lambda _: None),
        switches=Switches(headphones=wear),
    )
    session = Session(GameSettings(white=Player.VOICE, black=Player.VOICE))
    made: list[int] = []

    def over() -> bool:
        if session.plies and not made:
            made.append(clock.now_ms)
        return clock.now_ms > until_ms

    loop.converse(session, ev.Started(at_ms=0), over)
    return Played([ply.move.uci() for ply in session.plies], voice, made[0] if made else None)


QUIET_MS = 5_000  # the greeting is over


def test_a_correction_into_the_repetition_ends_it() -> None:
    game = played((QUIET_MS, "eva vier"), (QUIET_MS + 1_000, "korrektur"), (QUIET_MS + 6_000, "david vier"))
    assert game.moves == ["d2d4"] and game.voice.hushed == [REPETITION]


def test_the_greeting_ends_with_the_first_move() -> None:
    game = played((1_000, "eva vier"))
    assert game.moves == ["e2e4"] and REPETITION not in game.voice.hushed and game.voice.hushed


@pytest.mark.parametrize("noise", ["[unk]", "quatsch"])
def test_noise_and_talk_end_nothing_and_are_no_miss(noise: str) -> None:
    into = [(QUIET_MS + 300 + 400 * number, noise) for number in range(4)]
    game = played((QUIET_MS, "eva vier"), *into)
    assert game.moves == ["e2e4"] and game.voice.hushed == []
    assert game.made_ms is not None and game.made_ms >= QUIET_MS + SENTENCE_MS + GRACE_MS, "the whole window"
    assert game.voice.tones.count(Tone.NOT_UNDERSTOOD) == (4 if noise == "quatsch" else 0)
    assert len(game.voice.said) == len(set(game.voice.said)), "nothing is asked, and nothing said twice"


def test_what_the_program_says_itself_is_no_answer_to_it() -> None:
    """Headphones that lie on the table, or were never there."""
    echo = (QUIET_MS + 1_500, "bauer eva zwei eva vier")
    game = played((QUIET_MS, "eva vier"), echo)
    assert game.made_ms is not None and game.made_ms >= QUIET_MS + SENTENCE_MS + GRACE_MS, "it confirmed nothing"
    assert game.voice.headphones and game.voice.hushed == []
    again = (QUIET_MS + 1_800, "eva vier")
    game = played((QUIET_MS, "eva vier"), echo, again)
    assert not game.voice.headphones and game.voice.said[-1].startswith("Ich höre mich selbst.")


def test_a_question_that_was_not_heard_out_is_not_agreed_to() -> None:
    game = played((QUIET_MS, "aufgeben"), (QUIET_MS + 500, "ja"), (QUIET_MS + 9_000, "ja"), until_ms=20_000)
    assert game.voice.said.count("Gibt Weiß wirklich auf?") == 2
    assert "Weiß gibt auf. Schwarz gewinnt." in game.voice.said


def test_two_words_of_its_own_in_a_row_are_a_leak() -> None:
    heard = ev.Heard(at_ms=1, readings=(Reading(Command("time")),), words="zeit", began_ms=0, ended_ms=1)
    unclear = replace(heard, readings=(Reading(Unclear(UnclearReason.NO_SENSE)),), words="bauer eva")
    floor = Floor()
    assert floor.claimed(heard, ["Bauer Eva zwei."]) is Interjection.MEANT
    assert floor.claimed(replace(unclear, words="turm eva"), ["Bauer Eva zwei."]) is Interjection.UNCLEAR
    assert [floor.claimed(unclear, ["Bauer Eva zwei."]) for _ in range(MOST_ECHOES)] == [
        Interjection.NOTHING,
        Interjection.LEAK,
    ]
