"""The check-up of microphone and loudspeaker; voice and model are checked where they live."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from voicechess.messages import Text, Tone
from voicechess.sound.devices.interfaces import Loudspeaker, Microphone
from voicechess.sound.errors import Check, EndOfSound, SoundError, failed
from voicechess.sound.pcm import SILENCE_DB, level_db
from voicechess.sound.tones import TONE_RATE, tone_pcm

LISTEN_S = 1.0
"""Seconds that a microphone is listened to."""

ANSWER_S = 4.0
"""Timeout, seconds, for a device to deliver or take sound."""

QUIET_DB = -75.0
"""Level in decibels below full scale under which a microphone is called quiet: a quiet living room is louder at any
usable one. Larger: more microphones are called quiet."""


def check_microphone(open_microphone: Callable[[], Microphone], listen_s: float = LISTEN_S) -> list[Check]:
    """Whether the microphone delivers sound, more than perfect silence. Takes `listen_s`."""
    name_key = "sound.check.microphone"
    try:
        microphone = open_microphone()
    except SoundError as error:
        return [failed(name_key, error)]
    try:
        level, came = SILENCE_DB, False
        heard_ms, deadline = 0, time.monotonic() + ANSWER_S
        while heard_ms < 1000 * listen_s and time.monotonic() < deadline:
            block = microphone.read(0.1)
            if block is not None:
                came = came or any(block.pcm)
                level = max(level, level_db(block.pcm))
                heard_ms += block.lasts_ms(microphone.rate)
    except SoundError as error:
        return [failed(name_key, error)]
    except EndOfSound:
        pass
    finally:
        microphone.close()
    if not heard_ms:
        return [failed(name_key, SoundError("sound.microphone.silent"))]
    if not came:
        return [failed(name_key, SoundError("sound.microphone.zeros"))]
    key = "sound.microphone.quiet" if level < QUIET_DB else "sound.microphone.good"
    return [Check(name_key, True, key, {"name": Text(microphone.name)})]


def check_loudspeaker(open_loudspeaker: Callable[[], Loudspeaker]) -> list[Check]:
    """Whether the loudspeaker takes sound: plays the short "heard" tone."""
    name_key = "sound.check.loudspeaker"
    try:
        loudspeaker = open_loudspeaker()
    except SoundError as error:
        return [failed(name_key, error)]
    ended = threading.Event()
    try:
        loudspeaker.play(tone_pcm(Tone.HEARD), TONE_RATE, lambda _completed: ended.set())
        if not ended.wait(ANSWER_S):
            raise SoundError("sound.loudspeaker.silent")
    except SoundError as error:
        return [failed(name_key, error)]
    finally:
        loudspeaker.close()
    return [Check(name_key, True, "sound.loudspeaker.good", {"name": Text(loudspeaker.name)})]
