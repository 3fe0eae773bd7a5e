"""The cost of listening in a game beside uninterrupted talk, in the simulated room of `models.bench.stage`.

Two people play with headphones, which the program does not know of. Measured is the processor time of the listening
thread; talk that is taken for a player's is counted."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import chess

from models.bench.loudspeaker import NO_ECHO_DB
from models.bench.samples import TALKER, talker
from models.bench.stage import Sounds, Stage
from models.bench.synthesis import HEARING_TEST, SAMPLE_RATE, Voice
from voicechess.app.hearing import Hearing
from voicechess.language.lexicon import load
from voicechess.language.wording import Wording
from voicechess.meaning import Unclear
from voicechess.moves.saying import said_move
from voicechess.sound.mixing import NOMINAL_DBFS, at_level
from voicechess.sound.model import VoskModel
from voicechess.sound.voices import same_dither
from voicechess.storage.speech_models import scaling_of

if TYPE_CHECKING:
    from voicechess.sound.voices import Samples

WHO_TALKS = f"{TALKER}emodb14"
"""German, with pauses of 0.1 to 0.6 s between sentences; among the rooms for measuring."""

BELOW_DB = 10.0
"""Decibels by which the talk is softer than the player."""

THOUGHT_S = (5.0, 40.0)
"""Seconds that a player thinks before a move, drawn between these."""

BEGINS_MS = 8_000
"""Milliseconds after which the first move is said."""

ANSWERED_MS = 6_000
"""Milliseconds within which a move is repeated, or is said again."""

MOST_TRIES = 3
"""Times that a move is said before it is typed. Larger: fewer moves are typed."""


@dataclass
class Beside:
    """The result."""

    lasted_s: float = 0.0  # seconds of simulated time
    cpu_s: float = 0.0  # processor seconds of the listening thread
    said: int = 0  # number of moves announced
    at_once: int = 0  # of these, played when announced for the first time
    typed: int = 0  # of these, never recognised
    tones: int = 0  # number of tones in reply to talk
    false: list[str] = field(default_factory=list)  # what else was played, obeyed or answered

    @property
    def cores(self) -> float:
        """Share of a core: processor time per simulated time."""
        return self.cpu_s / self.lasted_s if self.lasted_s else 0.0


class _Players:
    """Two players who announce their moves in turn. Called after each block."""

    def __init__(self, stage: Stage, sounds: Sounds, draw: random.Random, found: Beside) -> None:
        self._stage, self._sounds, self._draw, self._found = stage, sounds, draw, found
        self._wording = Wording("de", strict=True)
        self._voice = Voice(draw.choice(sorted(HEARING_TEST)))
        self._board = chess.Board()  # as they have it in mind
        self._move: chess.Move | None = None  # what they want to play
        self._tries, self._next_ms, self._until_ms = 0, BEGINS_MS, 0
        self.speaking: list[tuple[int, int]] = []  # from when to when what is heard and answered may be theirs

    def __call__(self) -> None:
        now_ms, made = self._stage.clock.ms, self._stage.game.session.board.move_stack
        if len(made) != len(self._board.move_stack):
            self._note(made[-1], now_ms)
        elif now_ms < (self._next_ms if self._move is None else self._until_ms) or not self._stage.silent:
            return
        elif self._move is None:
            self._move, self._tries = self._draw.choice(list(self._board.legal_moves)), 0
            self._found.said += 1
            self._say(self._move, now_ms)
        elif self._tries < MOST_TRIES:
            self._say(self._move, now_ms)
        else:
            self._found.typed += 1
            self._until_ms = now_ms + ANSWERED_MS
            self._stage.inbox.type_line(self._move.uci())

    def _note(self, made: chess.Move, now_ms: int) -> None:
        if made != self._move:
            self._found.false.append(f"{made} was played, {self._move} was said, at {now_ms} ms")
        self._found.at_once += self._tries == 1
        self._board = self._stage.game.session.board.copy()
        self._move, self._next_ms = None, now_ms + round(1000 * self._draw.uniform(*THOUGHT_S))

    def _say(self, move: chess.Move, now_ms: int) -> None:
        self._tries += 1
        words = self._wording.for_voice(self._wording.move(said_move(self._board, move), full=True))
        sound = at_level(self._sounds(words, self._voice), NOMINAL_DBFS)
        self._stage.air.say(sound)
        self._until_ms = now_ms + 1000 * len(sound) // SAMPLE_RATE + ANSWERED_MS
        self.speaking.append((now_ms, self._until_ms))


def beside_talk(model: Path, minutes: float) -> Beside:
    """Games of `minutes` in all, beside the same uninterrupted talk."""
    same_dither()
    draw = random.Random("beside talk")
    opened = VoskModel(model, scaling_of(model))
    hearing, sounds, found = Hearing(load("de").restrict(opened.knows)), Sounds(), Beside()
    talk = at_level(talker(WHO_TALKS), NOMINAL_DBFS - BELOW_DB)
    while found.lasted_s < 60 * minutes:
        left_ms = round(60_000 * minutes - 1000 * found.lasted_s)
        _play(Stage(opened, hearing, sounds, NO_ECHO_DB, draw), sounds, draw, found, talk, left_ms)
    return found


def _play(stage: Stage, sounds: Sounds, draw: random.Random, found: Beside, talk: Samples, most_ms: int) -> None:
    """Play one game, or the part of it within `most_ms`."""
    stage.air.surround(talk)
    players = _Players(stage, sounds, draw, found)
    stage.after = players
    stage.play(lambda: stage.clock.ms >= most_ms or stage.game.session.over)
    found.lasted_s += stage.clock.ms / 1000
    found.cpu_s += stage.listening_s

    def is_talk(at_ms: int) -> bool:
        return not any(began_ms <= at_ms <= ended_ms for began_ms, ended_ms in players.speaking)

    found.tones += sum(is_talk(at_ms) for at_ms in stage.voice.tones)
    found.false += [
        f"{one.words}: {one.readings[0].meaning}, at {at_ms} ms"
        for at_ms, one in stage.game.heard
        if is_talk(at_ms) and not isinstance(one.readings[0].meaning, Unclear)
    ]


def costs(model: Path, minutes: float) -> dict[str, object]:
    """The result of `beside_talk` as table rows."""
    found = beside_talk(model, minutes)
    return {
        f"listening in a game beside talk {BELOW_DB:.0f} dB below, cores": round(found.cores, 3),
        "of so many minutes": round(found.lasted_s / 60, 1),
        "moves said, at once, never heard": [found.said, found.at_once, found.typed],
        "talk answered by a tone": found.tones,
        "talk taken for a player's": found.false,
    }
