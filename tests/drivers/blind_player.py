"""A player who cannot see: speaks into the room, listens to the loudspeaker, and knows nothing but what was said.

The program runs as its own process with its real microphone, recogniser, engine and voice; between it and this player
there are only two virtual cables.
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
LOUD = 300
"""A sample above this is speech: the cables carry no noise."""

QUIET_S = 0.7
HEARS_OUT = EndpointTimeouts(certain_ms=900, complete_ms=900, may_go_on_ms=900)
"""A listener waits for the end of the sentence, however the speaker hesitates."""
TURN_S = 30.0
LATE_S = 3.0

LEAST_ARRIVED = 0.7
"""Of words that came through the cable whole, at least this share of their loud moments is heard at its end."""

MOST_LOST = 2
MOST_TRIES = 4
END_S = 30.0
TRACE_S = 2.0
YES = {"de": "Ja", "en": "Yes"}
ENDS = {"de": ("Ende", "Auf Wiederhören"), "en": ("end", "Goodbye")}
"""What ends the program, and how it takes its leave."""
MOST_TOLD = 5000
"""Letters of what the program printed before it fell silent."""


def loud(pcm: bytes) -> int:
    """How many tenths of a second of this sound somebody can be heard in."""
    samples = array("h", pcm[: len(pcm) // 2 * 2])
    return sum(
        max(map(abs, samples[first : first + RATE // 10])) > LOUD for first in range(0, len(samples), RATE // 10)
    )


class Ears:
    """Records what comes out of a cable; `loud_to`: the byte of `pcm` up to which something could be heard."""

    def __init__(self, sound: VirtualSound, sink: str = "loudspeaker") -> None:
        self.pcm = bytearray()
        self.loud_to = 0
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
        """For how long nothing was heard."""
        return time.monotonic() - self._loud_at

    def close(self) -> None:
        """Stop recording."""
        self._recorder.terminate()
        self._recorder.wait()


def hush() -> bytes:
    """A second of the faint noise every room has; perfect silence would mean a microphone that is switched off."""
    rng = Random(0)
    return array("h", (rng.randint(-3, 3) for _ in range(RATE))).tobytes()


class Room:
    """What is heard in the room while nobody speaks to the program: this, over and over."""

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
        """Be as silent as a grave."""
        self._player.kill()
        self._player.wait()


class Said:
    """The last words, as sound, and where at the other end of the cable they should have come out."""

    def __init__(self, pcm: bytes, rate: int, from_byte: int) -> None:
        self.pcm, self.rate, self.from_byte = pcm, rate, from_byte
        self.loud = loud(converted(pcm, rate, RATE, 1))
        self.lost = 0  # times


class BlindPlayer:
    """Plays by ear. `arguments` are those of `voicechess`; `natural`: a voice of `bench.natural` to speak with; `home`:
    the folder of its games and settings, None that of the test; `noise`: of a recording that `bench.samples` knows, so
    many decibels below the player's voice, is the room's; `windows`: the program runs with that Python, under Wine;
    `language`: what is spoken and heard, which `model` has to know; `types`: there is a keyboard as well."""

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
        # No move is announced with letters: "a" would be a rival of "Eva" in every one.
        self.lexicon = load(language).restrict(lambda word: len(word) > 1 and self.model.knows(word))
        self.lines: list[str] = []
        self.said: list[str] = []
        python = [sys.executable] if windows is None else windows.command()
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - as long as the program
        self.program = subprocess.Popen(
            [*python, "-m", "voicechess", *arguments],
            stdin=subprocess.PIPE if types else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self._errors if windows is None else subprocess.DEVNULL,  # a file ends Python under Wine
            env={
                **(os.environ if windows is None else windows.environment),
                **sound.environment,
                "VOICECHESS_HOME": os.environ["VOICECHESS_HOME"],
                "VOICECHESS_MODEL": str(model),
                **({} if home is None else {"VOICECHESS_HOME": str(home)}),
                "PYTHONFAULTHANDLER": "1",  # on SIGABRT it tells what each of its threads is at
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
        """Wait until something was said after the `since`-th byte, and it has been quiet for a moment; the sound.

        `until_said`: also wait for this, since the program may pause between two sentences to think. What the cable
        lost on its way to the microphone is said again: no program can answer it.
        """
        while not self._heard_after(since):
            self._last_words_again()
        if until_said is not None:
            self._until(until_said)
            # Its line is printed when it is queued; it is heard now, or has just been.
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
        """What is known when nothing comes any more; ends the program."""
        status = self.program.poll()
        if status is None:
            self.program.send_signal(signal.SIGABRT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.program.wait(TRACE_S)
        self._errors.seek(0)
        told = self._errors.read().decode("utf-8", "replace")[-MOST_TOLD:]
        return f"silence after: {self.said[-1:]}, {self.lines[-6:]}; exit status {status}; {told}"

    def say(self, *parts: str, pause_s: float = 1.0) -> int:
        """Say this into the room, with a pause between its parts; the place in the recording where the answer will
        begin."""
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
        """Say something, as `say` does; the lines that follow."""
        before = len(self.lines)
        self.listen(self.say(*parts), lambda: len(self.lines) > before)
        return self.lines[before:]

    def say_until(self, words: str, answer: str) -> str:
        """Say this until it is answered so: what the cable damages is asked for again, and what others drown gets a
        tone; "did you mean …?" these words gets a yes, as from people: said again, they are the question's own. What
        was said since, as its lines tell."""
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
        """Say this; the sound of what is answered. A tone alone, which may be one for others, is waited out: who speaks
        on at once is drowned by the next one."""
        told = len(self.lines)
        since = self.say(words)
        self.listen(since)
        if len(self.lines) == told:
            late = time.monotonic() + LATE_S
            self.listen(0, lambda: len(self.lines) > told or time.monotonic() > late)
        return bytes(self.ears.pcm[since:])

    def leave(self, after: str = "") -> None:
        """Say that this is the end, and wait for it. `after`: first hear out the last sentence, which ends so."""
        self.listen(0, (lambda: any(line.endswith(after) for line in self.lines[-3:])) if after else None)
        self.say_until(*ENDS[self.wording.language])
        try:
            status = self.program.wait(END_S)
        except subprocess.TimeoutExpired:
            raise AssertionError(self._silence()) from None
        assert status == 0, self.lines[-6:]

    def announce(self, board: chess.Board, move: chess.Move) -> int:
        """Announce a move as the laws want it."""
        return self.say(self.wording.move(said_move(board, move)))

    def understand(self, pcm: bytes, board: chess.Board) -> chess.Move | None:
        """The last move of the side to move that can be heard in this sound, if it is clear enough to be played.

        Judged as the game judges: a careful listener asks again rather than guess. Only what comes after the name of
        the side counts; what comes before is this player's own move, repeated.
        """
        recogniser = Recogniser(self.model, RATE, timeouts=HEARS_OUT)
        expectation = Expectation(board=board)
        colours = {word for words in self.lexicon.colours.values() for word in words}

        def whole(words: str) -> Completeness:
            """Whether an announcement is whole, which tells whether its soft last word belongs to it."""
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
        """Kill the program, and stop recording and playing."""
        self.program.kill()
        self.program.wait()
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
    """What is left of a hypothesis after the name of a side; None without one."""
    after = _named([word.text for word in hypothesis.words], colours)
    return replace(hypothesis, words=hypothesis.words[after:]) if after else None


def _named(words: Sequence[str], colours: set[str]) -> int:
    """How many words there are up to the name of a side; 0 without one."""
    return max((at for at, word in enumerate(words, 1) if word in colours), default=0)
