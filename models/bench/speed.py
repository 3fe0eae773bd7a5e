"""`voicechess bench speed`: waiting times, and the cost of the program, on this machine, which is named.

Wall-clock times depend on the load of the machine; processor times ("cpu") hardly do.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import queue
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import chess

from models.bench import beside_talk
from models.bench.announcing import middlegames, styles
from models.bench.answering import repetitions
from models.bench.deciders import as_hypothesis
from models.bench.footprint import family_mb, resident_mb
from models.bench.report import Report, Stages, table, write_json
from models.bench.vocabulary import Vocabulary
from voicechess.app.hearing import Hearing
from voicechess.app.simulation import Simulation, session_at
from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings, Player
from voicechess.game.repetition import GRACE_MS
from voicechess.game.session import Session
from voicechess.game.telling import sides_in_short, sides_told
from voicechess.language.folders import LANGUAGES
from voicechess.language.lexicon import Lexicon, load
from voicechess.language.phrases import phrases
from voicechess.language.wording import Wording
from voicechess.meaning import RecognisedUtterance
from voicechess.messages import Failure, Phrase, Utterance
from voicechess.moves.saying import said_move
from voicechess.sound.errors import SoundError
from voicechess.sound.speech import RENDERER, Speech, VoiceSettings, parts
from voicechess.storage.speech_models import choose

MOST_MOVES = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"
"""218 legal moves, the most there can be (N. Petrović, 1964)."""

SPOKEN_GAME = Path(__file__).with_name("spoken_game.txt")
"""Forty moves with ten mishaps; its format is described at its top."""


BOARDS = (2, 20)
"""Numbers of boards of the displays that are compared."""

_SPEAKING_MS, _DECODING_MS = 1_000, 290  # duration of an utterance, and until its repetition begins (docs/hearing.md)
_ANSWER_S = 20.0  # timeout of an answer
_GAME_PLIES = 40  # most plies of a simulated game

_MIDDLEGAMES = (
    "r1bq1rk1/2p1bppp/p1np1n2/1p2p3/4P3/1BP2N1P/PP1P1PP1/RNBQR1K1 b - - 0 9",
    "r2q1rk1/pb1nbppp/1pp1pn2/3p4/2PP4/1PN1PN2/PB2BPPP/R2Q1RK1 w - - 0 11",
    "2r2rk1/1b2qppp/p3pn2/1p6/3N4/1P2P3/PB3PPP/2RQ1RK1 w - - 0 17",
)
"""Positions to be read aloud, with 32, 32 and 24 pieces."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `voicechess bench speed`."""
    parser.add_argument("--model", type=Path, metavar="PATH", help="a Vosk model folder")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write all figures there")
    parser.add_argument("--quick", action="store_true", help="a small part of everything")
    parser.add_argument("--speech", action="store_true", help="only how long the program speaks")


def run(args: argparse.Namespace) -> int:
    """Measure and print the table; returns 0."""
    stages = Stages()
    vocabulary = Vocabulary("de")
    chosen = choose(args.model).folder
    costs: dict[str, object] = {}
    if not args.speech:
        if chosen is not None:
            costs |= _ready(chosen.path, 2 if args.quick else 5)
            costs |= repetitions(chosen.path, 10 if args.quick else 40)
            costs |= beside_talk.costs(chosen.path, 2.0 if args.quick else 30.0)
        costs |= _typed(10 if args.quick else 40)
        costs |= _displays(1 if args.quick else 2)
        costs |= _first_sound(5 if args.quick else 25, vocabulary)
    for language in LANGUAGES:
        costs |= _listened(language)
    if not args.speech:
        costs |= _handling(vocabulary, stages)
        costs |= _many_games(50 if args.quick else 1000, vocabulary.lexicon, stages)
    report = Report("speed", str(chosen.path) if chosen else "no model", "", args.quick, {}, costs)
    print(table([f"On {report.machine}", ""], [[name, str(value)] for name, value in costs.items()]))
    if args.json:
        write_json(report, args.json)
    return 0


def _ready(model: Path, times: int) -> dict[str, object]:
    """Time from the start of the program until it can listen, and its memory with the model."""
    taken, memory = [], 0.0
    for _ in range(times):
        began = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-m", "models.bench.ready", str(model)], capture_output=True, check=False
        )
        taken.append(time.perf_counter() - began)
        if done.returncode != 0:
            raise Failure("bench.worker_died")
        said = json.loads(done.stdout.splitlines()[-1])
        memory = max(memory, float(said["memory_mb"]))
    return {
        "ready to listen after start, s, fastest": round(min(taken), 3),
        "ready to listen after start, s, median": round(median(taken), 3),
        "memory with the model, MB": memory,
    }


@dataclass
class _Typing:
    """The program with pipes for standard input and output."""

    process: subprocess.Popen[str]
    lines: queue.Queue[tuple[str, float]]  # its output, each line with its time

    @property
    def pid(self) -> int:
        return self.process.pid

    def answer_s(self, line: str) -> float:
        """Type a line after all output has ended; returns the seconds until the line that answers it."""
        assert self.process.stdin is not None
        _drain(self.lines)
        began = time.perf_counter()
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()
        return _wait(self.lines) - began


@contextmanager
def _typing(*arguments: str) -> Iterator[_Typing]:
    """`voicechess play` with these arguments and its own home."""
    with tempfile.TemporaryDirectory() as home:
        process = subprocess.Popen(
            [sys.executable, "-m", "voicechess", "play", *arguments, "--input", "keyboard", "--output", "text"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"VOICECHESS_HOME": home},
            encoding="utf-8",
        )
        lines: queue.Queue[tuple[str, float]] = queue.Queue()
        output = process.stdout
        assert output is not None

        def read() -> None:
            for line in output:
                lines.put((line, time.perf_counter()))

        threading.Thread(target=read, daemon=True).start()
        try:
            _wait(lines)
            yield _Typing(process, lines)
        finally:
            process.kill()
            process.wait()


def _typed(moves: int) -> dict[str, object]:
    """Time from a typed move to its answer, with two people playing."""
    taken = []
    board = chess.Board()
    with _typing("--opponent", "person") as program:
        for _ in range(moves):
            move = min(board.legal_moves, key=lambda one: (board.is_capture(one), board.is_check(), one.uci()))
            taken.append(program.answer_s(move.uci()))
            board.push(move)
    return {
        "typed move answered, ms, median": round(1000 * median(taken), 1),
        "typed move answered, ms, slowest": round(1000 * max(taken), 1),
    }


def _displays(rounds: int) -> dict[str, object]:
    """The same in displays of few and of many boards, and their memory with the shared engine."""
    found: dict[str, object] = {}
    for boards in BOARDS:
        with _typing("--simul", str(boards), "--level", "1") as program:
            moves = ["a2a3", "h2h3"][:rounds]  # the second is legal after any reply to the first
            taken = [program.answer_s(move) for move in moves for _ in range(boards)]
            _drain(program.lines)
            memory = family_mb(program.pid)
        found |= {
            f"{boards} boards, typed move answered, ms, median": round(1000 * median(taken), 1),
            f"{boards} boards, memory with their engine, MB": round(memory, 1),
        }
    return found


def _wait(lines: queue.Queue[tuple[str, float]]) -> float:
    try:
        return lines.get(timeout=_ANSWER_S)[1]
    except queue.Empty as error:
        raise Failure("bench.no_answer") from error


def _drain(lines: queue.Queue[tuple[str, float]]) -> None:
    """Read the remaining output until it has ended."""
    while True:
        try:
            lines.get(timeout=0.3)
        except queue.Empty:
            return


def _first_sound(sentences: int, vocabulary: Vocabulary) -> dict[str, object]:
    """Time to render a sentence to sound, without the latency of the loudspeaker."""
    wording = Wording(vocabulary.lexicon.code)
    speech = Speech()
    taken = []
    try:
        speech.warm()
        speech.sound(wording.square(chess.E4))
        for board, move in middlegames(sentences, "speed"):
            text = wording.move(said_move(board, move), full=True)
            began = time.perf_counter()
            speech.sound(text)
            taken.append(time.perf_counter() - began)
    except SoundError:
        return {"announcement rendered, ms": "no voice on this machine"}
    finally:
        speech.close()
    return {
        "announcement rendered, ms, median": round(1000 * median(taken), 1),
        "announcement rendered, ms, slowest": round(1000 * max(taken), 1),
    }


def _listened(language: str) -> dict[str, object]:
    """Duration of the program's speech in the spoken game, by the bundled voice at its usual rate."""
    wording = Wording(language)
    brisk = wording.briskly(True)
    speech = Speech(VoiceSettings(language), command=[sys.executable, "-P", str(RENDERER), "--bundled-espeak"])
    in_all = in_moves = 0.0

    def listen(utterance: Utterance) -> int:
        nonlocal in_all, in_moves
        seconds = lasts(utterance)
        in_all += seconds
        in_moves += seconds if utterance.key in ("move.repeat", "move.opponent") else 0.0
        return round(1000 * seconds)

    def lasts(said: Utterance | Phrase, wording: Wording = wording) -> float:
        texts = parts(wording.for_voice(wording.say(said)))
        sounds = [speech.sound(text, wording.quick(said)) for text in texts]
        return sum(len(sound.pcm) / 2 / sound.rate for sound in sounds)

    try:
        game = SpokenGame(language, listen)
        game.play()
        briskly = SpokenGame(language, lambda said: round(1000 * lasts(said, brisk)))
        briskly.play()
        boards = [chess.Board(fen) for fen in _MIDDLEGAMES]
        short = [round(sum(map(lasts, sides_in_short(board))), 1) for board in boards]
        whole = [round(sum(map(lasts, sides_told(board))), 1) for board in boards]
    except SoundError:
        return {f"speech in the spoken game, {language}, s": "no voice on this machine"}
    finally:
        speech.close()
    return {
        f"speech in the spoken game, {language}, s": round(in_all, 1),
        f"of that, announced moves, {language}, s": round(in_moves, 1),
        f"a ply, {language}, s, median": round(median(game.plies_ms) / 1000, 2),
        f"a ply, briskly, {language}, s, median": round(median(briskly.plies_ms) / 1000, 2),
        f"a position in short, {language}, s": short,
        f"a position as a whole, {language}, s": whole,
    }


class SpokenGame:
    """The game of `SPOKEN_GAME` in one language, in simulated time.

    Args:
        listen: called with each utterance, returns its duration in milliseconds.

    Attributes:
        plies_ms: milliseconds from the end of each of the player's moves to the end of the engine's announcement, where
            nothing else was said; the engine answers at once.
        positions: the board before each line, and after the last one; without a move that can still be corrected.
    """

    def __init__(self, language: str, listen: Callable[[Utterance], int]) -> None:
        _, _, body = SPOKEN_GAME.read_text(encoding="utf-8").partition("\n\n")
        lines = [line for line in body.splitlines() if line and not line.startswith("#")]
        self._lines = lines[1:]
        self._number = LANGUAGES.index(language)
        self._wording, self._listen = Wording(language), listen
        self.session = Session(GameSettings(black=Player.ENGINE, time=lines[0].removeprefix("time: ")))
        self._conversation = Simulation(self.session, Hearing(load(language)), self._say)
        self._now_ms = 0
        self.plies_ms: list[int] = []
        self.positions: list[chess.Board] = []
        self._words_ended_ms: int | None = None  # end of a move's words, if nothing was said since
        self._spoken_into = False  # the next line is a barge-in, so nothing is said to its end

    def play(self) -> None:
        """Play it from the greeting to the result."""
        self._conversation.happen(ev.Started(at_ms=0, three_words=False))
        for line, following in zip(self._lines, [*self._lines[1:], ""], strict=True):
            self._spoken_into = following.startswith(">|")
            self.positions.append(self.session.board.copy())
            self._happen(line)
        self.positions.append(self.session.board.copy())

    def _say(self, utterance: Utterance) -> int | None:
        self._now_ms += self._listen(utterance)
        return None if self._spoken_into else self._now_ms

    def _happen(self, line: str) -> None:
        mark, _, rest = line.partition(" ")
        if mark == "=" and rest == "declines":
            self._conversation.happen(ev.OpponentAnswered(at_ms=self._now_ms, accepts=False))
            return
        if mark == "=":
            self._now_ms += GRACE_MS
            self._conversation.happen(ev.OpponentMoved(at_ms=self._now_ms, uci=rest))
            if self._words_ended_ms is not None:
                self.plies_ms.append(self._now_ms - self._words_ended_ms)
            return
        if rest:
            words = rest.split(" | ")[self._number]
        else:
            board = self.session.board
            words = self._wording.move(said_move(board, board.parse_uci(line))).casefold().replace(",", "")
        began_ms, self._now_ms = self._now_ms, self._now_ms + _SPEAKING_MS + _DECODING_MS
        self._words_ended_ms = None if rest else began_ms + _SPEAKING_MS
        said = RecognisedUtterance((as_hypothesis(words),), began_ms, began_ms + _SPEAKING_MS)
        self._conversation.hear(said, at_ms=self._now_ms)


def _handling(vocabulary: Vocabulary, stages: Stages) -> dict[str, object]:
    """Processor times of understanding and handling all announcements of 218 legal moves."""
    board = chess.Board(MOST_MOVES)
    hearing = Hearing(vocabulary.lexicon)
    said = [words for move in board.legal_moves for words in styles(board, move, vocabulary).values()]
    tell = stages.stage("218 moves")
    understood, handled, offered = [], [], []
    for number, words in enumerate(said):
        session = session_at(board)
        began = time.thread_time()
        phrases(session.expectation, vocabulary.lexicon)
        offered.append(time.thread_time() - began)
        began = time.thread_time()
        announced = RecognisedUtterance((as_hypothesis(" ".join(words)),), 1000, 3000)
        heard = hearing.understood(announced, session.expectation, 3000)
        understood.append(time.thread_time() - began)
        began = time.thread_time()
        session.handle(heard)
        handled.append(time.thread_time() - began)
        tell(number + 1, len(said))
    return {
        "announcements in a position with 218 moves": len(said),
        "Session.handle, cpu ms, median": round(1000 * median(handled), 3),
        "Session.handle, cpu ms, 99th": round(1000 * _percentile(handled, 99), 3),
        "understanding, cpu ms, 99th": round(1000 * _percentile(understood, 99), 3),
        "phrases for the recogniser, cpu ms, 99th": round(1000 * _percentile(offered, 99), 3),
    }


def _percentile(values: Sequence[float], share: int) -> float:
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, len(ranked) * share // 100)]


def _many_games(games: int, lexicon: Lexicon, stages: Stages) -> dict[str, object]:
    """Memory and processor time of many simulated games, after the first tenth and at the end."""
    draw = random.Random("games")
    tell = stages.stage("games")
    tenth = max(1, games // 10)
    memory: list[float] = []
    spent: list[float] = []
    for number in range(games):
        began = time.thread_time()
        _one_game(draw, lexicon)
        spent.append(time.thread_time() - began)
        if (number + 1) % tenth == 0:
            gc.collect()
            memory.append(resident_mb())
        tell(number + 1, games)
    return {
        "simulated games": games,
        "moves in each": _GAME_PLIES,
        "memory after a tenth, MB": round(memory[0], 1),
        "memory at the end, MB": round(memory[-1], 1),
        "cpu ms per move, first tenth": round(1000 * sum(spent[:tenth]) / tenth / _GAME_PLIES, 3),
        "cpu ms per move, last tenth": round(1000 * sum(spent[-tenth:]) / tenth / _GAME_PLIES, 3),
    }


def _one_game(draw: random.Random, lexicon: Lexicon) -> None:
    """Play random legal moves of two people, announced by origin and target."""
    session = Session(GameSettings(white=Player.VOICE, black=Player.VOICE))
    now_ms = 0
    conversation = Simulation(session, Hearing(lexicon))
    conversation.happen(ev.Started(at_ms=0))
    for _ in range(_GAME_PLIES):
        moves = list(session.board.legal_moves)
        if not moves:
            return
        move = draw.choice(moves)
        words = " ".join(
            f"{lexicon.files[chess.square_file(square)][0]} {lexicon.ranks[chess.square_rank(square)][0]}"
            for square in (move.from_square, move.to_square)
        )
        if move.promotion:
            words += f" {lexicon.pieces[move.promotion][0]}"
        now_ms += 5000
        conversation.hear(RecognisedUtterance((as_hypothesis(words),), now_ms - 2000, now_ms))
