"""A blind player: speaks into the room, listens to the loudspeaker, and knows only what was said.

The program runs in its own process with microphone, recogniser, engine and voice; two virtual cables connect it with
the player.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from array import array
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Self

import chess
import numpy as np

from models.bench.samples import load_noise
from models.bench.synthesis import SAMPLE_RATE, Voice, synthesise
from tests.drivers.virtual_sound import VirtualSound, until
from tests.drivers.windows import Windows
from voicechess.app.games import score_of
from voicechess.app.hearing import completeness
from voicechess.language.lexicon import load
from voicechess.language.phrases import phrases
from voicechess.language.readings import interpret
from voicechess.language.wording import Wording
from voicechess.meaning import Expectation, Hypothesis
from voicechess.messages import Phrase, Text
from voicechess.moves.decisions import Play
from voicechess.moves.matching import decide
from voicechess.moves.saying import said_move
from voicechess.score.score import Score
from voicechess.sound import mixing
from voicechess.sound.model import VoskModel
from voicechess.sound.pcm import converted
from voicechess.sound.recogniser import Completeness, EndpointTimeouts, Recogniser, recognise
from voicechess.sound.speech import Speech, VoiceSettings
from voicechess.storage.journal import Journal
from voicechess.storage.places import journal_file

RATE = 16_000
"""Samples per second of recordings."""

LOUD = 300
"""Sample value, of 32767, above which sound is speech: the cables carry hardly any noise."""

QUIET_S = 0.7
"""Seconds of silence after which the program has finished speaking."""

HEARS_OUT = EndpointTimeouts(certain_ms=900, complete_ms=900, may_go_on_ms=900)
"""Endpoint timeouts of the player, who waits for the end of a sentence."""

TURN_S = 30.0
"""Seconds within which the program has to answer."""

LATE_S = 3.0
"""Seconds after a line was printed within which it is heard."""

LEAST_ARRIVED = 0.7
"""Share of the loud tenths of a second of words at the end of the cable from which they have arrived."""

MOST_LOST = 2
"""Times that words lost in the cable are said again."""

MOST_TRIES = 4
"""Times that something is said until it is understood."""

END_S = 30.0
"""Seconds within which the program has to end."""

TRACE_S = 2.0
"""Seconds for the program to print the stacks of its threads."""

YES = {"de": "Ja", "en": "Yes"}
ENDS = {"de": ("Ende", "Auf Wiederhören"), "en": ("end", "Goodbye")}
"""The command that ends the program, and its answer."""

MOST_TOLD = 10_000
"""Most characters of the program's error output in a failure."""


def loud(pcm: bytes) -> int:
    """Number of loud tenths of a second of this sound."""
    samples = array("h", pcm[: len(pcm) // 2 * 2])
    return sum(
        max(map(abs, samples[first : first + RATE // 10])) > LOUD for first in range(0, len(samples), RATE // 10)
    )


class Ears:
    """Records a cable."""

    def __init__(self, sound: VirtualSound, sink: str = "loudspeaker") -> None:
        self.pcm = bytearray()
        self.loud_to = 0  # the byte of `pcm` up to which something was loud
        self._loud_at = time.monotonic()
        self._recorder = subprocess.Popen(
            [
                "parec",
                f"--device={sink}.monitor",
                "--format=s16le",
                f"--rate={RATE}",
                "--channels=1",
                "--latency-msec=20",
            ],
            stdout=subprocess.PIPE,
            env={**os.environ, **sound.environment},
        )
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self._recorder.stdout is not None
        while data := os.read(self._recorder.stdout.fileno(), 3200):
            self.pcm += data
            samples = array("h", data[: len(data) // 2 * 2])
            if max(map(abs, samples), default=0) > LOUD:
                self._loud_at = time.monotonic()
                self.loud_to = len(self.pcm)

    @property
    def quiet_s(self) -> float:
        """Seconds since the last loud sound."""
        return time.monotonic() - self._loud_at

    def close(self) -> None:
        """Stop recording."""
        self._recorder.terminate()
        self._recorder.wait()


def hush() -> bytes:
    """A second of the faint noise that every room has: digital silence would be a muted microphone."""
    rng = Random(0)
    return array("h", (rng.randint(-3, 3) for _ in range(RATE))).tobytes()


class Room:
    """Background noise of the room, played in a loop."""

    def __init__(self, sound: VirtualSound, noise: bytes) -> None:
        self._player = subprocess.Popen(
            ["pacat", "--playback", "--device=room", "--format=s16le", f"--rate={RATE}", "--channels=1"],
            stdin=subprocess.PIPE,
            env={**os.environ, **sound.environment},
        )
        self._noise = noise
        threading.Thread(target=self._rustle, daemon=True).start()

    def _rustle(self) -> None:
        assert self._player.stdin is not None
        with contextlib.suppress(OSError):
            while True:
                self._player.stdin.write(self._noise)

    def close(self) -> None:
        """Stop the noise."""
        self._player.kill()
        self._player.wait()


class Said:
    """The last words of the player.

    Attributes:
        from_byte: byte of the recording at the other end of the cable from which they can come.
        loud: number of their loud tenths of a second.
        lost: times that they were lost in the cable.
    """

    def __init__(self, pcm: bytes, rate: int, from_byte: int) -> None:
        self.pcm, self.rate, self.from_byte = pcm, rate, from_byte
        self.loud = loud(converted(pcm, rate, RATE, 1))
        self.lost = 0


class BlindPlayer:
    """Plays by ear; a context manager.

    Args:
        model: folder of the speech model of program and player.
        arguments: of `voicechess`.
        natural: voice of `bench.natural` to speak with; "": the voice of the program.
        home: folder of games and settings; None: that of the test.
        noise: background noise: name for `bench.samples`, and decibels below the player's voice; None: a quiet room.
        windows: the Python of the program, under Wine; None: this one.
        language: code of the language of both sides.
        types: whether the player has a keyboard.
    """

    def __init__(
        self,
        sound: VirtualSound,
        model: Path,
        *arguments: str,
        natural: str = "",
        home: Path | None = None,
        noise: tuple[str, float] | None = None,
        windows: Windows | None = None,
        language: str = "de",
        types: bool = False,
    ) -> None:
        self._sound = sound
        self._natural = natural
        self.voice = Speech(VoiceSettings(language, rate=150))
        self.wording = Wording(language, strict=True)
        self._room = Room(sound, hush() if noise is None else self._recorded(*noise))
        self.ears = Ears(sound)
        self._microphone = Ears(sound, "room")
        self._last: Said | None = None
        self.model = VoskModel(model)
        # Without letters, which are never announced: "a" would be a rival of "Eva" in every move.
        self.lexicon = load(language).restrict(lambda word: len(word) > 1 and self.model.knows(word))
        self.lines: list[str] = []
        self.said: list[str] = []
        python = [sys.executable] if windows is None else windows.command()
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - as long as the program
        self.program = subprocess.Popen(
            [*python, "-m", "voicechess", *arguments],
            stdin=subprocess.PIPE if types else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self._errors if windows is None else subprocess.DEVNULL,  # with a file Python crashes under Wine
            env={
                **(os.environ if windows is None else windows.environment),
                **sound.environment,
                "VOICECHESS_HOME": os.environ["VOICECHESS_HOME"],
                "VOICECHESS_MODEL": str(model),
                **({} if home is None else {"VOICECHESS_HOME": str(home)}),
                "PYTHONFAULTHANDLER": "1",  # prints the stacks of all threads on SIGABRT
                "VOICECHESS_DEBUG": "1",  # the log has what was heard
            },
            text=True,
            encoding="utf-8",
        )
        threading.Thread(target=self._read, daemon=True).start()

    def type(self, line: str) -> None:
        """Type a line."""
        assert self.program.stdin is not None
        self.program.stdin.write(line + "\n")
        self.program.stdin.flush()

    def _read(self) -> None:
        assert self.program.stdout is not None
        for line in self.program.stdout:
            self.lines.append(line.rstrip("\n"))

    def listen(self, since: int, until_said: Callable[[], object] | None = None) -> bytes:
        """Wait until the program has spoken after the byte `since` of the recording; returns the sound.

        `until_said`: a condition to wait for as well, since the program may pause between two sentences. The player's
        words are said again if the cable has lost them.
        """
        while not self._heard_after(since):
            self._last_words_again()
        if until_said is not None:
            self._until(until_said)
            # A line is printed when its sentence is queued, so that is being spoken now, or was just before.
            printed, deadline = len(self.ears.pcm), time.monotonic() + LATE_S
            self._until(lambda: self.ears.loud_to > printed or time.monotonic() > deadline)
        self._until(lambda: self.ears.quiet_s > QUIET_S)
        return bytes(self.ears.pcm[since:])

    def _heard_after(self, since: int) -> bool:
        try:
            until(lambda: self.ears.loud_to > since, TURN_S)
        except TimeoutError:
            return False
        return True

    def _last_words_again(self) -> None:
        last = self._last
        if last is None or last.lost >= MOST_LOST:
            raise AssertionError(self._silence())
        arrived = loud(bytes(self._microphone.pcm[last.from_byte :]))
        if arrived >= LEAST_ARRIVED * last.loud:
            raise AssertionError(f"{self._silence()} though {arrived} of {last.loud} tenths came to the microphone")
        print(f"the cable lost {self.said[-1]}: {arrived} of {last.loud} tenths of a second came through")
        last.lost += 1
        last.from_byte = len(self._microphone.pcm)
        self._sound.speak(last.pcm, last.rate)

    def _until(self, condition: Callable[[], object]) -> None:
        try:
            until(condition, TURN_S)
        except TimeoutError:
            raise AssertionError(self._silence()) from None

    def _silence(self) -> str:
        """Diagnosis of a silent program, which is ended."""
        status = self.program.poll()
        if status is None:
            self.program.send_signal(signal.SIGABRT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.program.wait(TRACE_S)
        return f"silence after: {self.said[-1:]}, {self.lines[-6:]}; exit status {status}; {self._logged()}"

    def _logged(self) -> str:
        self._errors.seek(0)
        return self._errors.read().decode("utf-8", "replace")[-MOST_TOLD:]

    def say(self, *parts: str, pause_s: float = 1.0) -> int:
        """Say this into the room, with a pause between its parts; returns the byte of the recording from which the
        answer comes."""
        spoken, rates = zip(*map(self._spoken, parts), strict=True)
        rate = rates[0]
        pcm = bytes(2 * round(pause_s * rate)).join(spoken) + bytes(2 * rate // 5)
        since = len(self.ears.pcm)
        self.said.append(" … ".join(parts))
        self._last = Said(pcm, rate, len(self._microphone.pcm))
        self._sound.speak(pcm, rate)
        return since

    def _recorded(self, name: str, below_db: float) -> bytes:
        pcm, rate = self._spoken("Springer Gustav eins Felix drei")
        spoken = np.frombuffer(converted(pcm, rate, RATE, 1), "<i2") / np.float32(32767)
        noise = load_noise(name)
        quiet = np.zeros(len(noise), np.float32)
        level = mixing.active_dbfs(spoken.astype(np.float32))
        return mixing.as_int16(mixing.with_noise(quiet, noise, below_db, level, np.random.default_rng(0))).tobytes()

    def _spoken(self, words: str) -> tuple[bytes, int]:
        if self._natural:
            said = synthesise(words, Voice(natural=self._natural))
            return (said * 32767).astype("<i2").tobytes(), SAMPLE_RATE
        sound = self.voice.sound(self.wording.for_voice(words))
        return sound.pcm, sound.rate

    def answer_to(self, *parts: str) -> list[str]:
        """Say something as `say` does; returns the lines that follow."""
        before = len(self.lines)
        self.listen(self.say(*parts), lambda: len(self.lines) > before)
        return self.lines[before:]

    def say_until(self, words: str, answer: str) -> str:
        """Say this, again if necessary, until the program's lines contain `answer`; returns them. "Did you mean …?"
        with these words is answered with yes, since the same words could be the question's own."""
        before = len(self.lines)
        for attempt in range(MOST_TRIES):
            asked = attempt and self.lines[-1].endswith(self._did_you_mean(words))
            self.hear_sentence(YES[self.wording.language] if asked else words)
            said = " ".join(self.lines[before:])
            if answer in said:
                return said
        raise AssertionError(f"{words} was not answered by {answer}: {self.lines[before:]}")

    def _did_you_mean(self, words: str) -> str:
        return self.wording.say(Phrase("ask.did_you_mean", {"move": Text(words)}))

    def hear_sentence(self, words: str) -> bytes:
        """Say this; returns the sound of the answer. After a tone alone, which may be a reply to others, wait for more
        before speaking again."""
        told = len(self.lines)
        since = self.say(words)
        self.listen(since)
        if len(self.lines) == told:
            late = time.monotonic() + LATE_S
            self.listen(0, lambda: len(self.lines) > told or time.monotonic() > late)
        return bytes(self.ears.pcm[since:])

    def leave(self, after: str = "") -> None:
        """End the program by voice. `after`: the end of a sentence to wait for first."""
        self.listen(0, (lambda: any(line.endswith(after) for line in self.lines[-3:])) if after else None)
        self.say_until(*ENDS[self.wording.language])
        try:
            status = self.program.wait(END_S)
        except subprocess.TimeoutExpired:
            raise AssertionError(self._silence()) from None
        assert status == 0, self.lines[-6:]

    def announce(self, board: chess.Board, move: chess.Move) -> int:
        """Announce a move in full."""
        return self.say(self.wording.move(said_move(board, move)))

    def understand(self, pcm: bytes, board: chess.Board) -> chess.Move | None:
        """The last move of the side to move that is recognised in this sound and certain enough to be played in a game;
        None if there is none. Only words after the name of a side count: those before are the repetition of the
        player's own move.
        """
        recogniser = Recogniser(self.model, RATE, timeouts=HEARS_OUT)
        expectation = Expectation(board=board)
        colours = {word for words in self.lexicon.colours.values() for word in words}

        def whole(words: str) -> Completeness:
            """Completeness of an announcement, without the words up to the name of a side."""
            said = words.split()
            return completeness(" ".join(said[_named(said, colours) :]), expectation, self.lexicon)

        recogniser.expect((*phrases(expectation, self.lexicon), *colours), whole)
        heard = None
        for utterance in recognise(recogniser, pcm):
            answers = tuple(filter(None, (_after(hypothesis, colours) for hypothesis in utterance.hypotheses)))
            decision = decide(board, interpret(answers, expectation, self.lexicon))
            if isinstance(decision, Play):
                heard = decision.move
        return heard

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Kill the program, and stop recording and playing. What it has heard is printed, for a failed test."""
        self.program.kill()
        self.program.wait()
        print(self._logged())
        self.ears.close()
        self._microphone.close()
        self._errors.close()
        self._room.close()
        self.voice.close()


def score_kept(number: int = 1) -> Score:
    """The score of a game in this test's journal."""
    with contextlib.closing(Journal(journal_file())) as journal:
        return score_of(journal.game(number))


def _after(hypothesis: Hypothesis, colours: set[str]) -> Hypothesis | None:
    """The hypothesis after the name of a side; None if it has none."""
    after = _named([word.text for word in hypothesis.words], colours)
    return replace(hypothesis, words=hypothesis.words[after:]) if after else None


def _named(words: Sequence[str], colours: set[str]) -> int:
    """Number of words up to the name of a side; 0 if there is none."""
    return max((at for at, word in enumerate(words, 1) if word in colours), default=0)
