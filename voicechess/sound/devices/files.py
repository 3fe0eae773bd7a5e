"""Sound files: read with distrust, and as stand-ins for a microphone and a loudspeaker."""

from __future__ import annotations

import contextlib
import stat
import struct
import threading
import time
import wave
from array import array
from collections import deque
from collections.abc import Generator, Iterator
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from voicechess.sound.devices.interfaces import Block, Clock, Done, Ear, Pace, Playback, monotonic_ms
from voicechess.sound.devices.streams import Outlet
from voicechess.sound.errors import EndOfSound, SoundError
from voicechess.sound.pcm import as_bytes, converted, level_db, power

BLOCK_MS = 50
LEAST_RATE, MOST_RATE = 8000, 192_000
MOST_BYTES = 500_000_000
LOUDNESS_STEP = 7  # every how many samples one tells which channel is the loudest
UNKNOWN_LENGTH = 0x7FFFF000  # programs that write to a pipe put a length like this into the header
QUIET_DB = -50.0
"""Below this level, in decibels below full scale, a block of a file has no speech in it."""
FILE_RATE = 22050  # what espeak-ng renders, so that nothing is converted


class SoundFile:
    """A WAV or FLAC file of any depth, read piece by piece: as 16-bit mono, of several channels the loudest one.

    What it takes in memory does not grow with its length.
    """

    def __init__(self, path: Path) -> None:
        """Raises `SoundError` below "sound.file" for what is missing, empty, cut off, too large or no such file at all.

        A pipe or a device is no such file: it would have no end.
        """
        self.name = path.name
        self._path = path
        kind = _kind(path)
        import miniaudio

        try:
            # By the content: the library's own way goes by the name.
            info = (miniaudio.wav_get_file_info if kind == b"RIFF" else miniaudio.flac_get_file_info)(str(path))
        except (miniaudio.MiniaudioError, ValueError, OSError) as error:
            raise SoundError("sound.file.not_sound", name=path.name) from error
        self.rate: int = info.sample_rate
        self._channels: int = info.nchannels
        self._channel: int | None = None
        if not LEAST_RATE <= self.rate <= MOST_RATE:
            raise SoundError("sound.file.rate", name=path.name, rate=self.rate)
        with contextlib.closing(self._pieces()) as pieces:
            if next(pieces, None) is None:  # there are bytes, but in no way of writing sound that is known here
                raise SoundError("sound.file.not_sound", name=path.name)

    def pieces(self) -> Iterator[bytes]:
        """The sound from the beginning, in pieces of `BLOCK_MS`. Raises `SoundError` where the file cannot be read."""
        if self._channels > 1 and self._channel is None:
            self._channel = self._loudest()
        for piece in self._pieces():
            yield as_bytes(piece[self._channel or 0 :: self._channels])

    def _loudest(self) -> int:
        powers = [0.0] * self._channels
        for piece in self._pieces():
            for index in range(self._channels):
                powers[index] += power(as_bytes(piece[index :: self._channels * LOUDNESS_STEP]))
        return powers.index(max(powers))

    def _pieces(self) -> Generator[array[int], None, None]:
        """Samples of all channels, in turn."""
        import miniaudio

        try:
            yield from miniaudio.stream_file(
                str(self._path),
                miniaudio.SampleFormat.SIGNED16,
                self._channels,
                self.rate,
                frames_to_read=self.rate * BLOCK_MS // 1000,
            )
        except (miniaudio.MiniaudioError, ValueError, OSError) as error:
            raise SoundError("sound.file.not_sound", name=self.name) from error


def _kind(path: Path) -> bytes:
    """The first four bytes of a file that can be one with sound. Raises `SoundError`."""
    name = path.name
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise SoundError("sound.file.unreadable", name=name)
        if not stat.S_ISREG(status.st_mode):
            raise SoundError("sound.file.not_sound", name=name)
        size = status.st_size
        with path.open("rb") as file:
            head = file.read(12)
            is_riff = head[:4] == b"RIFF" and head[8:] == b"WAVE"
            if is_riff:
                _check_riff(file, size, name)
    except FileNotFoundError as error:
        raise SoundError("sound.file.missing", name=name) from error
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise SoundError("sound.file.unreadable", name=name) from error
    if size == 0:
        raise SoundError("sound.file.empty", name=name)
    if size > MOST_BYTES:
        raise SoundError("sound.file.too_long", name=name)
    if head[:4] != b"fLaC" and not is_riff:
        raise SoundError("sound.file.not_sound", name=name)
    return head[:4]


def _check_riff(file: BinaryIO, size: int, name: str) -> None:
    """Walk the chunks: a data chunk longer than the file means that a part is missing."""
    while len(header := file.read(8)) == 8:
        kind, length = struct.unpack("<4sI", header)
        if kind == b"data":
            if length == 0:
                raise SoundError("sound.file.empty", name=name)
            if length < UNKNOWN_LENGTH and file.tell() + length > size:
                raise SoundError("sound.file.truncated", name=name)
            return
        file.seek(length + length % 2, 1)
        if file.tell() > size:
            break
    raise SoundError("sound.file.truncated", name=name)


def write_wav(path: Path, pcm: bytes, rate: int) -> None:
    """Write 16-bit mono sound. Raises `SoundError`."""
    try:
        with path.open("wb") as raw, wave.open(raw, "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(rate)
            file.writeframes(pcm)
    except OSError as error:
        raise SoundError("sound.file.unwritable", name=path.name) from error


class FileMicrophone:
    """`devices.Microphone` from a file. It stands still while it is not listened to, so nothing in it is talked over.

    In real time its blocks come when a person would have spoken them; fast, they come at once with the times they
    would have had. After the end, `read` raises `EndOfSound`.

    `by_key`: it is heard while a key is held. Then `skip` raises `EndOfSound` when only silence is left, for which
    no player would press the key.
    """

    def __init__(
        self, path: Path, clock: Clock = monotonic_ms, pace: Pace = Pace.REAL_TIME, by_key: bool = False
    ) -> None:
        file = SoundFile(path)
        self.name = path.name
        self.rate = file.rate
        self._pieces = file.pieces()
        self._ahead: deque[bytes] = deque()  # the next ones, as far as they have been looked at
        self._by_key = by_key
        self._clock = clock
        self._pace = pace
        self._now_ms: int | None = None  # the clock's time where the next piece begins

    def read(self, timeout_s: float) -> Block | None:
        if not self._ahead:
            self._ahead.extend(islice(self._pieces, 1))
        if not self._ahead:
            raise EndOfSound
        data = self._ahead[0]
        if self._now_ms is None:
            self._now_ms = self._clock()
        length_ms = 1000 * (len(data) // 2) // self.rate
        if self._pace is Pace.REAL_TIME:
            wait_ms = self._now_ms + length_ms - self._clock()
            if wait_ms > 1000 * timeout_s:
                time.sleep(timeout_s)
                return None
            time.sleep(max(0, wait_ms) / 1000)
        self._ahead.popleft()
        self._now_ms += length_ms
        return Block(data, self._now_ms)

    def skip(self, timeout_s: float) -> bool:
        self._now_ms = None
        if self._by_key and self._only_silence_left():
            raise EndOfSound
        time.sleep(timeout_s)
        return True

    def _only_silence_left(self) -> bool:
        if any(level_db(piece) > QUIET_DB for piece in self._ahead):
            return False
        for piece in self._pieces:
            self._ahead.append(piece)
            if level_db(piece) > QUIET_DB:
                return False
        return True

    def close(self) -> None:
        """Nothing to give back."""


class FileLoudspeaker:
    """`devices.Loudspeaker` into a WAV file, which is a valid file after every write.

    In real time the file becomes a recording of everything said, with the pauses; fast, the pauses are left out and
    a sound has ended as soon as it is written.
    """

    def __init__(self, path: Path, pace: Pace = Pace.REAL_TIME) -> None:
        self.name = path.name
        self._pace = pace
        self._failed: OSError | None = None
        self._closed = threading.Event()
        self._outlet = Outlet(FILE_RATE, 1)
        self._wanted = threading.Event()
        try:
            self._raw = path.open("wb")
        except OSError as error:
            raise SoundError("sound.file.unwritable", name=path.name) from error
        self._file = wave.open(self._raw, "wb")  # noqa: SIM115 - closed in close()
        self._file.setnchannels(1)
        self._file.setsampwidth(2)
        self._file.setframerate(FILE_RATE)
        self._file.writeframes(b"")
        self._thread = threading.Thread(target=self._run, name="file loudspeaker", daemon=True)
        self._thread.start()

    def play(self, pcm: bytes, rate: int, done: Done, ear: Ear = Ear.BOTH) -> Playback:
        self.check()
        playback = self._outlet.play(converted(pcm, rate, FILE_RATE, 1), len(pcm) // 2, done)
        self._wanted.set()
        return playback

    def check(self) -> None:
        if self._failed is not None:
            raise SoundError("sound.file.unwritable", name=self.name)

    def close(self) -> None:
        self._closed.set()
        self._wanted.set()
        if threading.current_thread() is not self._thread:
            self._thread.join(2.0)
        self._outlet.close()
        with contextlib.suppress(OSError):
            self._file.close()
            self._raw.close()

    def _run(self) -> None:
        frames = FILE_RATE * BLOCK_MS // 1000
        due = time.monotonic()
        while not self._closed.is_set():
            if self._pace is Pace.FAST and self._outlet.idle:
                self._wanted.wait(1.0)
                self._wanted.clear()
                continue
            data = self._outlet.pull(frames)
            try:
                self._file.writeframes(data)
            except OSError as error:  # a full disk: the sound is lost, the game is not
                self._failed = error
                self._outlet.close()
                return
            if self._pace is Pace.REAL_TIME:
                due += BLOCK_MS / 1000
                self._closed.wait(max(0.0, due - time.monotonic()))
