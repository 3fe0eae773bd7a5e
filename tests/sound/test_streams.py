"""What device callbacks fill and play, without a device."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from tests.sound.fakes import RATE, tone
from voicechess.messages import Tone
from voicechess.sound.devices import portaudio, streams
from voicechess.sound.devices.choice import Backend, available_backend
from voicechess.sound.devices.interfaces import matching
from voicechess.sound.devices.streams import Intake, Outlet
from voicechess.sound.errors import SoundError
from voicechess.sound.pcm import channel, converted, level_db, peak, samples, scaled
from voicechess.sound.tones import TONE_RATE, tone_pcm


def test_blocks_come_in_order_with_the_time_of_their_last_sample() -> None:
    now = [1000]
    intake = Intake(RATE, lambda: now[0])
    times = []
    for late_ms in (40, 0, 70, 20, 0):  # blocks of 100 ms, called for more or less late
        now[0] += 100
        now[0] += late_ms
        intake.put(bytes(2 * RATE // 10))
        now[0] -= late_ms
        block = intake.read(0)
        assert block is not None
        times.append(block.ended_ms)
    assert times == [1140, 1200, 1300, 1400, 1500]
    assert intake.read(0) is None


def test_lost_sound_does_not_leave_the_times_behind() -> None:
    now = [1000]
    intake = Intake(RATE, lambda: now[0])
    intake.put(bytes(2 * RATE // 10))
    now[0] = 3000
    intake.put(bytes(2 * RATE // 10), overflow=True)
    blocks = [intake.read(0), intake.read(0)]
    assert [(block.ended_ms, block.gap) for block in blocks if block] == [(1000, False), (3000, True)]
    for _ in range(50):  # lost without a word
        now[0] += 150
        intake.put(bytes(2 * RATE // 10))
    last = [intake.read(0) for _ in range(50)][-1]
    assert last is not None
    assert now[0] - last.ended_ms < 2000


def test_what_waited_too_long_to_be_read_leaves_a_gap() -> None:
    intake = Intake(RATE, lambda: 0)
    second = bytes(2 * RATE)
    for _ in range(round(streams.LONGEST_QUEUE_S) + 2):
        intake.put(second)
    blocks = [intake.read(0) for _ in range(3)]
    assert [block.gap for block in blocks if block] == [True, False, False]
    assert intake.overflows == 2


def test_a_microphone_that_stops_calling_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "FIRST_CALL_S", 0.0)
    monkeypatch.setattr(streams, "SILENT_DEVICE_S", -1.0)
    intake = Intake(RATE, lambda: 0)
    intake.put(b"\x01\x00")
    assert intake.read(0) is not None
    with pytest.raises(SoundError) as error:
        intake.read(0.001)
    assert (error.value.key, error.value.was_there) == ("sound.microphone.lost", True)


def test_sound_nobody_reads_is_dropped_oldest_first() -> None:
    intake = Intake(1000, lambda: 0)
    for index in range(50):
        intake.put(bytes([index]) * 2000)
    assert intake.overflows == 20
    first = intake.read(0)
    assert first is not None
    assert first.pcm[0] == 20


def test_an_outlet_gives_the_sound_and_then_silence() -> None:
    ended: list[bool] = []
    outlet = Outlet(100, 2)
    playback = outlet.play(bytes(range(1, 21)), 10, ended.append)
    assert outlet.pull(3) == bytes(range(1, 13))
    assert playback.played == 6
    assert ended == []
    assert outlet.pull(4) == bytes(range(13, 21)) + bytes(8)
    assert (ended, outlet.idle) == ([True], True)
    assert outlet.pull(2) == bytes(8)
    playback.stop()
    assert ended == [True]


def test_it_is_told_what_is_handed_over_silence_as_well_and_that_the_device_forgets_it() -> None:
    """Of two channels one: the same is on both."""
    handed: list[tuple[bytes, int]] = []
    outlet = Outlet(100, 2, flush=lambda: None, handed=lambda pcm, rate, _at_ms: handed.append((pcm, rate)))
    playback = outlet.play(b"\x01\x00\x01\x00\x02\x00\x02\x00", 2, lambda _completed: None)
    outlet.pull(1)
    playback.stop()
    outlet.pull(2)
    assert handed == [(b"\x01\x00", 100), (b"", 100), (bytes(4), 100)]


def test_done_waits_for_what_the_device_still_holds() -> None:
    ended: list[bool] = []
    outlet = Outlet(100, 1, tail_s=0.1)
    outlet.play(bytes(10), 5, ended.append)
    outlet.pull(10)
    assert ended == []
    outlet.pull(5)
    assert ended == [True]


def test_stopping_flushes_and_a_new_sound_ends_the_one_before() -> None:
    ended: list[tuple[int, bool]] = []
    flushed: list[bool] = []
    outlet = Outlet(100, 1, flush=lambda: flushed.append(True))
    first = outlet.play(bytes(100), 50, lambda completed: ended.append((1, completed)))
    second = outlet.play(b"\x07" * 100, 50, lambda completed: ended.append((2, completed)))
    assert ended == [(1, False)]
    assert outlet.pull(2) == b"\x07" * 4
    first.stop()
    assert flushed == []
    second.stop()
    second.stop()
    assert flushed == [True]
    assert ended == [(1, False), (2, False)]
    assert outlet.pull(2) == bytes(4)


@pytest.mark.parametrize(("latency_s", "discards"), [(0.07, False), (0.3, True)])
def test_a_device_discards_its_buffer_only_where_that_is_long(
    monkeypatch: pytest.MonkeyPatch, latency_s: float, discards: bool
) -> None:
    """Otherwise the next word was not cancelled from what the microphone hears (issue 49)."""
    aborted: list[bool] = []
    stream = SimpleNamespace(
        latency=latency_s,
        start=lambda: None,
        abort=lambda **_: aborted.append(True),
        close=lambda **_: None,
    )
    device = {"name": "cable", "default_samplerate": 48_000, "max_output_channels": 2}
    library = SimpleNamespace(
        PortAudioError=OSError,
        query_devices=lambda _index, _kind: device,
        RawOutputStream=lambda **_: stream,
    )
    monkeypatch.setattr(portaudio, "_sounddevice", lambda: library)
    loudspeaker = portaudio.PortAudioLoudspeaker()
    loudspeaker.play(bytes(2 * 48_000), 48_000, lambda _: None).stop()
    assert aborted == [True] * discards
    loudspeaker.close()


def test_a_loudspeaker_that_stops_calling_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "FIRST_CALL_S", -1.0)
    monkeypatch.setattr(streams, "SILENT_DEVICE_S", -1.0)
    outlet = Outlet(100, 1)
    outlet.pull(2)
    with pytest.raises(SoundError) as error:
        outlet.check()
    assert (error.value.key, error.value.was_there) == ("sound.loudspeaker.lost", True)


def test_devices_that_never_called_are_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "FIRST_CALL_S", -1.0)
    with pytest.raises(SoundError) as error:
        Outlet(100, 1).check()
    assert (error.value.key, error.value.was_there) == ("sound.loudspeaker.silent", False)
    with pytest.raises(SoundError) as error:
        Intake(RATE, lambda: 0).read(0.001)
    assert (error.value.key, error.value.was_there) == ("sound.microphone.silent", False)


def test_without_portaudio_miniaudio_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sounddevice", None)
    monkeypatch.setattr(portaudio, "_unusable", False)
    assert not portaudio.available()
    assert available_backend() is Backend.MINIAUDIO


def test_devices_are_meant_by_name_or_a_part_of_it() -> None:
    names = ["USB Headset, ALSA", "USB, ALSA", "pulse, ALSA"]
    assert matching("usb, alsa", names) == 1
    assert matching("usb", names) == 0
    assert matching("headset", names) == 0
    assert matching("bluetooth", names) is None


def test_arithmetic() -> None:
    assert samples(channel(b"\x01\x00\x02\x00\x03\x00\x04\x00", 2, 1)).tolist() == [2, 4]
    assert level_db(bytes(640)) == -96.0
    assert level_db(b"\x10\x00" * 320) == -96.0  # a constant is no sound
    assert level_db(tone(100, 16384)) == pytest.approx(-6.0, abs=0.1)
    assert peak(scaled(tone(100, 20000), 0.5)) == pytest.approx(10000 / 32768, abs=0.001)
    assert len(converted(tone(1000), RATE, 44100, 2)) == pytest.approx(4 * 44100, rel=0.01)
    assert converted(b"", RATE, 44100, 2) == b""


def test_tones_differ_are_short_and_not_too_loud() -> None:
    tones = [tone_pcm(each) for each in Tone]
    assert len(set(tones)) == len(tones)
    assert all(len(each) / 2 / TONE_RATE <= 0.35 for each in tones)
    assert all(0.2 < peak(each) < 0.3 for each in tones)
