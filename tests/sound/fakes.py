"""A microphone, a loudspeaker and a recogniser that do what a test says."""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from voicechess.sound.devices.files import SoundFile
from voicechess.sound.devices.interfaces import Block, Done, Ear
from voicechess.sound.errors import SoundError
from voicechess.sound.model import UNMEASURED, Decoded, DecodedWord, LikelihoodScaling

RATE = 16000
FRAME = RATE // 50


def tone(ms: int, amplitude: int = 8000) -> bytes:
    """Something as loud as speech: a square wave."""
    return array("h", [amplitude if index // 20 % 2 else -amplitude for index in range(RATE * ms // 1000)]).tobytes()


def hush(ms: int) -> bytes:
    """A quiet room (not exact zeros)."""
    return array("h", [index % 3 - 1 for index in range(RATE * ms // 1000)]).tobytes()


@dataclass
class ScriptedDecoder:
    """Answers with the words of a script, one word per `word_ms` of loud sound; counts what it was fed."""

    script: list[str]
    phrases: tuple[str, ...]
    word_ms: int = 200
    fed: list[bytes] = field(default_factory=list)
    part_began: int = 0
    end_at: frozenset[int] = frozenset()  # fed pieces after which it says that it has found an end
    otherwise: list[str] = field(default_factory=list)  # what sounds by themselves are; else what was heard so far
    by_themselves: list[bytes] = field(default_factory=list)
    looks: int = 0  # how often `so_far` was asked for

    def accept(self, pcm: bytes) -> bool:
        self.fed.append(pcm)
        return len(self.fed) in self.end_at

    def partial(self) -> str:
        return " ".join(word.text for word in self._words())

    def so_far(self) -> tuple[Decoded, ...]:
        self.looks += 1
        return self._decoded()

    def _decoded(self) -> tuple[Decoded, ...]:
        words = self._words()
        if not words:
            return (Decoded((), 0.0),)
        other = (*words[:-1], DecodedWord("[unk]", words[-1].began_ms, words[-1].ended_ms))
        return Decoded(tuple(words), 2.0), Decoded(other, 1.0), Decoded(tuple(words), 0.5)

    def prepare(self) -> None:
        pass

    def decode_alone(self, pcm: bytes) -> tuple[Decoded, ...]:
        self.by_themselves.append(pcm)
        if not self.otherwise:
            return self.so_far()
        ms = 1000 * (len(pcm) // 2) // RATE
        texts = self.otherwise.pop(0).split()
        words = tuple(
            DecodedWord(text, ms * index // len(texts), ms * (index + 1) // len(texts))
            for index, text in enumerate(texts)
        )
        return (Decoded(words, 1.0),) if words else ()

    def final(self) -> tuple[Decoded, ...]:
        found = self._decoded()
        del self.script[: len(found[0].words)]
        self.part_began = len(b"".join(self.fed))
        return found

    def discard(self) -> None:
        self.final()

    def _words(self) -> list[DecodedWord]:
        sound = b"".join(self.fed)
        loud = [
            start
            for start in range(self.part_began, len(sound), 2 * FRAME)
            if max(map(abs, array("h", sound[start : start + 2 * FRAME])), default=0) > 1000
        ]
        if not loud:
            return []
        began = 1000 * (loud[0] // 2) // RATE
        count = (len(loud) * 20 + self.word_ms // 2) // self.word_ms
        return [
            DecodedWord(text, began + index * self.word_ms, began + (index + 1) * self.word_ms)
            for index, text in enumerate(self.script[:count])
        ]


@dataclass
class ScriptedModel:
    """Knows every word but those of `lacks`; its decoders share one script."""

    script: list[str] = field(default_factory=list)
    lacks: tuple[str, ...] = ()
    end_at: frozenset[int] = frozenset()
    otherwise: list[str] = field(default_factory=list)
    scaling: LikelihoodScaling = UNMEASURED
    word_ms: int = 200
    decoders: list[ScriptedDecoder] = field(default_factory=list)

    def knows(self, word: str) -> bool:
        return word not in self.lacks

    def decoder(self, phrases: Sequence[str], n_best: int) -> ScriptedDecoder:
        decoder = ScriptedDecoder(
            self.script, tuple(phrases), self.word_ms, end_at=self.end_at, otherwise=self.otherwise
        )
        self.decoders.append(decoder)
        return self.decoders[-1]


class ScriptedMicrophone:
    """Gives blocks, None (nothing came) or raises, as scripted; then nothing."""

    def __init__(
        self, *script: bytes | SoundError | Exception | None, rate: int = RATE, stands_still: bool = False
    ) -> None:
        self.name = "scripted"
        self.stands_still = stands_still
        self.rate = rate
        self.now_ms = 0
        self.skipped = 0
        self.closed = False
        self._script: deque[bytes | Exception | None] = deque()
        for entry in script:
            self.add(entry)

    def add(self, entry: bytes | Exception | None) -> None:
        """More of it; sound comes in blocks of 100 ms."""
        if isinstance(entry, bytes):
            size = 2 * self.rate // 10
            self._script.extend(entry[start : start + size] for start in range(0, len(entry), size))
        else:
            self._script.append(entry)

    @property
    def left(self) -> int:
        return len(self._script)

    def read(self, timeout_s: float) -> Block | None:
        entry = self._script.popleft() if self._script else None
        if isinstance(entry, Exception):
            raise entry
        if entry is None:
            return None
        self.now_ms += 1000 * (len(entry) // 2) // self.rate
        return Block(entry, self.now_ms)

    def skip(self, timeout_s: float) -> bool:
        self.skipped += self.stands_still
        return self.stands_still

    def close(self) -> None:
        self.closed = True


@dataclass(eq=False)
class FakePlayback:
    """A sound that lasts until the test ends it."""

    pcm: bytes
    done: Done
    played: int = 0
    ended: bool = False

    def end(self, completed: bool = True) -> None:
        if not self.ended:
            self.ended = True
            self.done(completed)

    def stop(self) -> None:
        self.end(False)


class FakeLoudspeaker:
    """Keeps what it is to play; `dead` makes it a lost one."""

    def __init__(self) -> None:
        self.name = "fake"
        self.playbacks: list[FakePlayback] = []
        self.ears: list[Ear] = []
        self.dead = False
        self.closed = False

    def play(self, pcm: bytes, rate: int, done: Done, ear: Ear = Ear.BOTH) -> FakePlayback:
        self.check()
        self.ears.append(ear)
        self.playbacks.append(FakePlayback(pcm, done))
        return self.playbacks[-1]

    def check(self) -> None:
        if self.dead:
            raise SoundError("sound.loudspeaker.lost")

    def close(self) -> None:
        self.closed = True
        for playback in self.playbacks:
            playback.stop()


@dataclass(frozen=True, slots=True)
class Recording:
    """16-bit mono sound as a whole."""

    pcm: bytes
    rate: int

    @property
    def duration_ms(self) -> int:
        return 1000 * (len(self.pcm) // 2) // self.rate


def read_recording(path: Path) -> Recording:
    """A sound file at once. Raises what `SoundFile` raises."""
    file = SoundFile(path)
    return Recording(b"".join(file.pieces()), file.rate)
