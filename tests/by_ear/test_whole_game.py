"""A whole game against the machine, played by ear through virtual cables, with no stub on the way.

Synthetic voice → PulseAudio → microphone code → vosk → session → engine → speech → PulseAudio → the player's ears. The
player's own moves come from sunfish; the opponent's it knows only from what it hears.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import chess
import chess.engine
import pytest

from tests.drivers.blind_player import BlindPlayer, score_kept
from tests.drivers.virtual_sound import VirtualSound
from voicechess.moves.saying import said_move
from voicechess.storage.places import settings_path

MOST_MOVES = 20
"""Sunfish often mates the weakest opponent earlier; a longer game is resigned, by voice as well."""

NOISE = os.environ.get("VOICECHESS_NOISE_BY_EAR", "")
"""A recording of a room (a name in shared/noise), or none: then nobody is in the room but the player."""
BELOW_DB = 10.0

MOST_TRIES = 4

GAME = ("play", "--white", "--level", "1", "--time", "60+10")


@dataclass(frozen=True)
class Words:
    """What the player waits for, and says."""

    begins: str
    machine: str
    again: str
    no: str
    yes: str
    resign: str
    really: str
    wins: str
    what_now: str


GERMAN = Words(
    "beginnen", "Schwarz", "wiederholen", "nein", "ja", "aufgeben", "Wirklich aufgeben", "gewinnt", "oder Ende?"
)
ENGLISH = Words("begin", "Black", "repeat", "no", "yes", "resign", "Resign?", "wins", "or end?")


@pytest.fixture
def engine() -> Iterator[chess.engine.SimpleEngine]:
    """What tells the player good moves."""
    with chess.engine.SimpleEngine.popen_uci([sys.executable, "-P", "-m", "sunfish"]) as started:
        yield started


@pytest.fixture(autouse=True)
def brisk_voice() -> None:
    """The program speaks as fast as a player has it who listens a lot."""
    settings_path().parent.mkdir(parents=True, exist_ok=True)
    settings_path().write_text("[voice]\nrate = 210\n", "utf-8")


@dataclass
class Game:
    """The game as the player has it in mind. `again`: how often something had to be said or heard twice; `announced`:
    the last move, in full."""

    player: BlindPlayer
    board: chess.Board
    words: Words = GERMAN
    again: int = 0
    announced: str = ""

    def make(self, move: chess.Move) -> int:
        """Announce a move until it is repeated; the place in the recording where the answers to it begin."""
        said = said_move(self.board, move)
        self.announced = self.player.wording.move(said, full=True)
        # Casual play names what is captured, which the player need not.
        repetition = self.player.wording.move(said_move(self.board, move, names_captured=True), full=True)
        for attempt in range(MOST_TRIES):
            before = len(self.player.lines)
            since = self.player.say(self.announced if attempt else self.player.wording.move(said))
            self.player.listen(since)
            if any(line.startswith(repetition) for line in self.player.lines[before:]):
                self.board.push(move)
                return since
            self.again += 1
        raise AssertionError(f"{repetition} was never played: {self.player.lines[-8:]}")

    def hear_answer(self, since: int, before: int) -> None:
        """Take the opponent's move from what is heard, twice: what the cable has lost a word of may be another move.

        "Schwarz: David fünf" is a whole announcement, and was one of a knight before a quarter of a second was lost.
        Where others talk into the repetition of one's own, that is asked about, and said once more.
        """

        def answered() -> bool:
            return any(line.startswith(self.words.machine) for line in self.player.lines[before:])

        pcm = self.player.listen(since, lambda: answered() or "?" in self.player.lines[-1])
        if not answered():
            self.again += 1
            since = len(self.player.ears.pcm)
            self.player.say_until(self.announced, self.words.machine)
            pcm = bytes(self.player.ears.pcm[since:])
        heard = [self.player.understand(pcm, self.board)]
        while (move := self._told_twice(heard)) is None:
            assert len(heard) <= MOST_TRIES, f"the answer could not be heard: {self.player.lines[before:]}"
            self.again += len(heard) > 1
            if self.player.lines[-1].endswith("?"):
                self.player.listen(self.player.say(self.words.no))  # "wiederholen" was taken for something else
            heard.append(self.player.understand(self.player.hear_sentence(self.words.again), self.board))
        self.board.push(move)

    def _told_twice(self, heard: list[chess.Move | None]) -> chess.Move | None:
        """The move that has been heard twice; or once, where it ends the game and nothing is left to ask."""
        for move in filter(None, heard):
            after = self.board.copy()
            after.push(move)
            if heard.count(move) > 1 or after.is_game_over():
                return move
        return None


@pytest.mark.sound
def test_a_whole_game_by_ear(
    virtual_sound: VirtualSound,
    engine: chess.engine.SimpleEngine,
    model_path: Path,
) -> None:
    play_by_ear(BlindPlayer(virtual_sound, model_path, *GAME), engine)


@(pytest.mark.shared if NOISE else pytest.mark.skip(reason="takes long: VOICECHESS_NOISE_BY_EAR=a recording of noise"))
def test_a_whole_game_by_ear_in_noise(
    virtual_sound: VirtualSound,
    engine: chess.engine.SimpleEngine,
    model_path: Path,
) -> None:
    play_by_ear(BlindPlayer(virtual_sound, model_path, *GAME, noise=(NOISE, BELOW_DB)), engine)


@pytest.mark.sound
def test_an_english_game_by_ear(
    virtual_sound: VirtualSound,
    engine: chess.engine.SimpleEngine,
    english_model_path: Path,
) -> None:
    """From the first sentence on, with the English model and an English voice on both sides."""
    play = ("--lang", "en", *GAME)
    player = BlindPlayer(virtual_sound, english_model_path, *play, language="en")
    play_by_ear(player, engine, ENGLISH, most_moves=8)


def play_by_ear(
    player: BlindPlayer, engine: chess.engine.SimpleEngine, words: Words = GERMAN, most_moves: int = MOST_MOVES
) -> None:
    """Play to the end; what the player understood is what was played, to the last move."""
    with player:
        player.listen(0, lambda: any(words.begins in line for line in player.lines))
        game = Game(player, chess.Board(), words)
        while not game.board.is_game_over() and game.board.fullmove_number <= most_moves:
            move = engine.play(game.board, chess.engine.Limit(time=0.2)).move
            assert move is not None
            before = len(player.lines)
            since = game.make(move)
            if not game.board.is_game_over():
                game.hear_answer(since, before)
        if not game.board.is_game_over():
            player.say_until(words.resign, words.really)
            player.say_until(words.yes, words.wins)
        player.leave(words.what_now)
    score = score_kept()
    assert [entry.move for entry in score.entries] == game.board.move_stack
    assert score.result == (game.board.result() if game.board.is_game_over() else "0-1")
    print(f"{len(game.board.move_stack)} plies, {game.again} said or heard twice, {score.result}")
