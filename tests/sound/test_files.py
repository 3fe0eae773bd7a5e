"""Sound files: what is read, what is refused and with which sentence, and files as devices."""

from __future__ import annotations

import contextlib
import os
import struct
import subprocess
import sys
import tracemalloc
import wave
from array import array
from pathlib import Path

import pytest

from tests.drivers.virtual_sound import until
from tests.sound.fakes import RATE, hush, read_recording, tone
from voicechess.sound.devices.choice import open_loudspeaker, open_microphone
from voicechess.sound.devices.files import FileLoudspeaker, FileMicrophone, write_wav
from voicechess.sound.devices.interfaces import Pace
from voicechess.sound.errors import EndOfSound, SoundError
from voicechess.sound.pcm import samples


def wav(path: Path, rate: int = 16000, channels: int = 1, width: int = 2, frames: int = 1600) -> Path:
    """A ramp in the last channel, zeros in the others."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(width)
        file.setframerate(rate)
        shift = 8 * (width - 2)
        for index in range(frames):
            value = (index % 200) * 100
            last = (value // 256 + 128).to_bytes(1) if width == 1 else (value << shift).to_bytes(width, "little")
            silent = b"\x80" if width == 1 else bytes(width)
            file.writeframesraw(silent * (channels - 1) + last)
    return path


@pytest.mark.parametrize("rate", [8000, 16000, 22050, 44100, 48000])
@pytest.mark.parametrize("channels", [1, 2, 6])
def test_any_rate_and_the_loudest_channel(tmp_path: Path, rate: int, channels: int) -> None:
    recording = read_recording(wav(tmp_path / "a.wav", rate, channels))
    assert recording.rate == rate
    assert samples(recording.pcm)[:200].tolist() == [100 * index for index in range(200)]


@pytest.mark.parametrize("width", [1, 3, 4])
def test_other_depths(tmp_path: Path, width: int) -> None:
    recording = read_recording(wav(tmp_path / "a.wav", width=width))
    expected = [100 * index for index in range(200)]
    assert all(abs(a - b) <= 256 for a, b in zip(samples(recording.pcm)[:200], expected, strict=True))


def test_floating_point_and_a_length_that_was_never_filled_in(tmp_path: Path) -> None:
    sound = array("f", [0.5] * 800).tobytes()
    head = struct.pack("<4sIHHIIHH", b"fmt ", 16, 3, 1, 16000, 64000, 4, 32)
    body = b"WAVE" + head + struct.pack("<4sI", b"data", 0xFFFFFFFF) + sound
    path = tmp_path / "piped.wav"
    path.write_bytes(b"RIFF" + struct.pack("<I", 0xFFFFFFFF) + body)
    recording = read_recording(path)
    assert len(recording.pcm) == 1600
    assert samples(recording.pcm)[5] == pytest.approx(16384, abs=2)


def test_what_is_no_sound_has_its_sentence(tmp_path: Path) -> None:
    good = wav(tmp_path / "good.wav").read_bytes()
    cases = {
        "sound.file.empty": [b"", good[:40] + struct.pack("<I", 0)],
        "sound.file.truncated": [good[:-500], good[:50], good[:20], good[:12]],
        "sound.file.not_sound": [
            b"ID3\x04" + bytes(500),
            b"\xff\xfb\x90\x00" * 500,
            b"hello",
            b"RIFF" + bytes(400),
            b"fLaC" + bytes(400),
            good[:20] + b"\x99\x99" + good[22:],
        ],
        "sound.file.rate": [good[:24] + struct.pack("<I", 200) + good[28:]],
    }
    for key, contents in cases.items():
        for index, content in enumerate(contents):
            path = tmp_path / f"{key}{index}.wav"
            path.write_bytes(content)
            with pytest.raises(SoundError) as error:
                read_recording(path)
            assert (error.value.key, index) == (key, index)
            assert "name" in error.value.slots


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such files here")
@pytest.mark.parametrize("name", ["pipe.wav", "zeros.wav"])
def test_what_has_no_end_is_no_sound_file(tmp_path: Path, name: str) -> None:
    """In a process of its own, since whoever opens such a thing may wait for ever."""
    path = tmp_path / name
    if name == "pipe.wav":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero")
    command = [sys.executable, "-m", "voicechess", "hear", str(path)]
    done = subprocess.run(command, capture_output=True, check=False, timeout=120)
    assert done.returncode == 2
    assert done.stderr.decode().splitlines() == [
        f"Die Datei {name} ist keine Tondatei, die gelesen werden kann. Es gehen WAV und FLAC."
    ]


def test_a_long_file_is_never_in_memory_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "long.wav"
    with wave.open(str(path), "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(8000)
        file.writeframes(bytes(4 * 8000 * 600))
    microphone = FileMicrophone(path, clock=lambda: 0, pace=Pace.FAST)
    read_bytes = 0
    tracemalloc.start()
    with contextlib.suppress(EndOfSound):
        while block := microphone.read(0.1):
            read_bytes += len(block.pcm)
    assert read_bytes == 2 * 8000 * 600
    assert tracemalloc.get_traced_memory()[1] < 1_000_000
    tracemalloc.stop()


def test_the_content_tells_what_a_file_is_and_not_its_name(tmp_path: Path) -> None:
    wav(tmp_path / "a.wav").rename(tmp_path / "a.flac")
    assert read_recording(tmp_path / "a.flac").duration_ms == 100
    (tmp_path / "a.flac").rename(tmp_path / "sound")
    assert read_recording(tmp_path / "sound").duration_ms == 100


def test_missing_files_and_folders(tmp_path: Path) -> None:
    with pytest.raises(SoundError) as missing:
        open_microphone(str(tmp_path / "nowhere.wav"))
    assert missing.value.key == "sound.file.missing"
    with pytest.raises(SoundError) as folder:
        read_recording(tmp_path)
    assert folder.value.key == "sound.file.unreadable"
    with pytest.raises(SoundError) as unwritable:
        open_loudspeaker(str(tmp_path / "no" / "folder.wav"))
    assert unwritable.value.key == "sound.file.unwritable"


def test_a_file_that_is_heard_by_a_key_ends_when_only_silence_is_left(tmp_path: Path) -> None:
    """Nobody presses a key to hear the silence at the end, so `read` would never come to it."""
    write_wav(tmp_path / "a.wav", hush(200) + tone(50) + hush(300), RATE)
    microphone = FileMicrophone(tmp_path / "a.wav", clock=lambda: 0, pace=Pace.FAST, by_key=True)
    microphone.skip(0)
    blocks = [microphone.read(0) for _ in range(4)]
    microphone.skip(0)
    blocks.append(microphone.read(0))
    assert b"".join(block.pcm for block in blocks if block) == hush(200) + tone(50), "what was looked at is not lost"
    with pytest.raises(EndOfSound):
        microphone.skip(0)


def test_a_fast_file_has_the_times_it_would_have_had(tmp_path: Path) -> None:
    microphone = FileMicrophone(wav(tmp_path / "a.wav", frames=2000), clock=lambda: 5000, pace=Pace.FAST)
    blocks = []
    with pytest.raises(EndOfSound):
        while True:
            blocks.append(microphone.read(0.1))
    assert [block.ended_ms for block in blocks if block] == [5050, 5100, 5125]


def test_a_file_in_real_time_waits_for_the_clock_and_stands_still_unheard(tmp_path: Path) -> None:
    now = [1000]
    microphone = FileMicrophone(wav(tmp_path / "a.wav"), clock=lambda: now[0])
    assert microphone.read(0.001) is None
    now[0] = 1050
    first = microphone.read(0.001)
    assert first is not None
    assert first.ended_ms == 1050
    microphone.skip(0)
    now[0] = 9000
    assert microphone.read(0.001) is None
    now[0] = 9050
    second = microphone.read(0.001)
    assert second is not None
    assert second.ended_ms == 9050


def test_a_loudspeaker_file_holds_what_was_played(tmp_path: Path) -> None:
    path = tmp_path / "said.wav"
    sound = array("h", range(2205)).tobytes()
    ended: list[bool] = []
    loudspeaker = FileLoudspeaker(path, Pace.FAST)
    for count in (1, 2):
        loudspeaker.play(sound, 22050, ended.append)
        until(lambda count=count: len(ended) == count)  # type: ignore[misc]
    loudspeaker.close()
    loudspeaker.close()
    pcm = read_recording(path).pcm
    assert ended == [True, True]
    assert pcm.count(sound[2:]) == 2


def test_a_loudspeaker_file_is_whole_before_it_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "said.wav"
    ended: list[bool] = []
    loudspeaker = open_loudspeaker(str(path), pace=Pace.FAST)
    loudspeaker.play(bytes(range(200)) * 100, 22050, ended.append)
    until(lambda: ended)
    assert read_recording(path).duration_ms >= 450
    loudspeaker.close()


def test_write_wav(tmp_path: Path) -> None:
    write_wav(tmp_path / "a.wav", b"\x01\x02" * 100, 22050)
    assert read_recording(tmp_path / "a.wav").pcm == b"\x01\x02" * 100
    with pytest.raises(SoundError):
        write_wav(tmp_path, b"", 22050)
