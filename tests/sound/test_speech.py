"""The rendering child process: for real, killed, hanging, talking nonsense."""

from __future__ import annotations

import os
import signal
import struct
import subprocess
import sys
from array import array
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from voicechess.sound import speech as speech_module
from voicechess.sound.errors import SoundError
from voicechess.sound.pcm import peak, samples
from voicechess.sound.render import Renderer, find_voice, normalised, read_rendered
from voicechess.sound.speech import FASTEST, RENDERER, SILENT, Speech, VoiceSettings, check_voice, parts


@pytest.fixture(scope="module")
def speech() -> Iterator[Speech]:
    speech = Speech()
    yield speech
    speech.close()


def child_pid(speech: Speech) -> int:
    assert speech._child is not None
    return speech._child.pid


def test_a_sentence_becomes_sound_in_the_right_language(speech: Speech) -> None:
    sound = speech.sound("Läufer schlägt fünf")
    assert sound.right_language
    assert 0.1 < peak(sound.pcm) <= 1
    assert 0.5 < len(sound.pcm) / 2 / sound.rate < 4
    assert abs(samples(sound.pcm)[0]) >= SILENT  # none at the beginning
    assert max(map(abs, samples(sound.pcm)[-2 * sound.rate // 10 :])) > 64  # no long silence at the end


def test_every_sentence_is_its_own(speech: Speech) -> None:
    short, long = speech.sound("Ja"), speech.sound("Springer Gustav eins Felix drei")
    assert len(short.pcm) < len(long.pcm) / 2
    assert speech.sound("Ja").pcm is short.pcm


def test_faster_is_shorter(speech: Speech) -> None:
    before = speech.sound("Eva zwei Eva vier")
    speech.settings = speech.settings.adjusted(rate=5, volume=0)
    try:
        assert len(speech.sound("Eva zwei Eva vier").pcm) < 0.9 * len(before.pcm)
    finally:
        speech.settings = VoiceSettings()


def test_no_sentence_has_anything_of_the_one_before(speech: Speech) -> None:
    lengths: dict[int, list[int]] = {170: [], 270: [], 120: []}
    try:
        for index in range(12):
            for rate, found in lengths.items():
                speech.settings = VoiceSettings(rate=rate)
                found.append(len(speech.sound("Eva zwei Eva vier" + "." * index).pcm))
    finally:
        speech.settings = VoiceSettings()
    for found in lengths.values():
        assert max(found) < 1.05 * min(found)


@pytest.mark.parametrize("second", ["second", "no such voice"])
def test_the_opponents_voice_is_another_one_of_the_language(second: str) -> None:
    speech = Speech(VoiceSettings(second=second))
    own, others = (speech.sound("Schwarz: Eva fünf.", second=wanted) for wanted in (False, True))
    speech.close()
    assert own.pcm != others.pcm
    assert others.right_language and others.has_second


def test_where_there_is_one_voice_only_it_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a system whose voices have no variants."""
    monkeypatch.setattr("voicechess.sound.render.sys", SimpleNamespace(platform="darwin"))
    renderer = Renderer(bundled=False)
    voices = [
        SimpleNamespace(id="anna", name="Anna", languages=["de"]),
        SimpleNamespace(id="sam", name="Sam", languages=["en"]),
    ]
    renderer._voices = voices
    renderer.choose("de", None, "second")
    assert not renderer.has_second and renderer._found == ("anna", True)
    voices.append(SimpleNamespace(id="petra", name="Petra", languages=["de"]))
    renderer.choose("de", None, "any other")
    assert renderer.has_second and renderer._found == ("petra", True)


def test_what_is_quick_is_quicker_and_never_too_quick(speech: Speech) -> None:
    text = "König Gustav eins, Dame David eins"
    assert len(speech.sound(text, quick=True).pcm) < 0.8 * len(speech.sound(text).pcm)
    try:
        speech.settings = VoiceSettings(rate=FASTEST)
        assert speech.sound(text, quick=True) == speech.sound(text)
    finally:
        speech.settings = VoiceSettings()


def test_a_long_text_is_whole(speech: Speech) -> None:
    once, often = speech.sound("Bauer Anna zwei"), speech.sound(" und ".join(["Bauer Anna zwei"] * 20))
    assert len(often.pcm) > 20 * 0.8 * len(once.pcm)


@pytest.mark.parametrize("text", ["", "  ", "\n", "…", "?!", "\x00\x1b"])
def test_nothing_to_say_is_never_sent(text: str) -> None:
    silent = Speech(command=["no such program"])
    assert silent.sound(text).pcm == b""


ELSEWHERE = """
import sys
sys.path.insert(0, sys.argv[1])
import render
if sys.platform != "win32":
    sys.platform = "darwin"  # the same way as on Windows
class Pyttsx3:
    def __init__(self, languages):
        self.languages = languages
    def getProperty(self, name):
        return [render.ListedVoice("HEDDA", "Hedda", self.languages)] if name == "voices" else "HEDDA"
def begin(self):
    if sys.argv[2] == "none":
        raise OSError("no SAPI")
    self._engine = Pyttsx3([sys.argv[2].encode()])
render.Renderer._begin = begin
render.Renderer._rendered = lambda self, text, rate: (b"system", rate)
renderer = render.Renderer(False)
renderer.choose("de", sys.argv[3] or None)
sound, rate = renderer.render("Turm", 190)
print(sound[:6] == b"system", renderer.voice, renderer.right_language, len(sound) > 6000)
"""


@pytest.mark.parametrize(
    ("system", "wanted", "spoken"),
    [
        ("de", "", "True HEDDA True False"),  # a German voice of the system is taken
        ("en", "", "False German True True"),  # one that speaks no German is not
        ("none", "", "False German True True"),
        ("none", "latvian", "False Latvian False True"),  # what is asked for by name is taken, and told
    ],
)
def test_where_the_system_has_no_german_voice_espeak_speaks(system: str, wanted: str, spoken: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-P", "-c", ELSEWHERE, str(RENDERER.parent), system, wanted],
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    assert ran.stdout.strip() == spoken


def test_a_killed_child_is_replaced(speech: Speech) -> None:
    speech.sound("Turm")
    before = child_pid(speech)
    os.kill(before, getattr(signal, "SIGKILL", signal.SIGTERM))  # on Windows the second is as deadly
    assert speech.sound("Turm Anna eins").pcm
    assert child_pid(speech) != before


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="no SIGSTOP on this system")
def test_a_child_that_does_not_answer_is_replaced() -> None:
    speech = Speech(answer_s=1.0)
    speech.sound("Turm")
    before = child_pid(speech)
    os.kill(before, signal.SIGSTOP)
    assert speech.sound("Dame").pcm
    assert child_pid(speech) != before
    with pytest.raises(ProcessLookupError):
        os.kill(before, 0)
    speech.close()


def test_without_the_systems_espeak_the_wheels_is_taken() -> None:
    speech = Speech(command=[sys.executable, "-P", str(RENDERER), "--bundled-espeak"])
    sound = speech.sound("Läufer Cesar vier")
    speech.close()
    assert sound.right_language
    assert peak(sound.pcm) > 0.1


def test_the_wheel_may_lie_deep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """espeak-ng knows no paths of more than 160 letters."""
    if sys.platform == "win32":
        pytest.skip("Windows wants a right for links")
    import espeakng_loader

    deep = tmp_path / ("x" * 100) / ("y" * 60)
    deep.mkdir(parents=True)
    (deep / "espeakng_loader").symlink_to(Path(espeakng_loader.__file__).parent)
    monkeypatch.setenv("PYTHONPATH", str(deep))
    speech = Speech(command=[sys.executable, "-P", str(RENDERER), "--bundled-espeak"])
    assert speech.sound("Dame").right_language
    speech.close()


SILENT_CHILD = """
import json, pathlib, struct, sys
told = pathlib.Path(sys.argv[1])
print('{"bytes": 0, "ready": true}', flush=True)
for _ in sys.stdin:
    told.write_text(told.read_text() + ".")
    silent = len(told.read_text()) <= int(sys.argv[2])
    values = [0] * 500 if silent else [0] * 500 + [9000] * 500
    head = {"bytes": 2 * len(values), "rate": 22050, "right_language": True}
    sys.stdout.buffer.write(json.dumps(head).encode() + b"\\n" + struct.pack(f"<{len(values)}h", *values))
    sys.stdout.buffer.flush()
"""


def silent_at_first(tmp_path: Path, times: int) -> Speech:
    """A voice whose first sentences come out without a sound."""
    told = tmp_path / "told"
    told.write_text("")
    return Speech(command=[sys.executable, "-c", SILENT_CHILD, str(told), str(times)])


def test_a_sentence_without_a_sound_is_said_again(tmp_path: Path) -> None:
    """Nobody would have heard that anything was said."""
    speech = silent_at_first(tmp_path, 1)
    assert peak(speech.sound("Turm").pcm) > 0.1
    speech.close()


def test_a_sentence_that_stays_without_a_sound_is_an_error_and_not_the_end(tmp_path: Path) -> None:
    speech = silent_at_first(tmp_path, 2)
    with pytest.raises(SoundError):
        speech.sound("Turm")
    assert peak(speech.sound("Dame").pcm) > 0.1
    speech.close()


AT_ONCE = """
import sys
sys.path.insert(0, sys.argv[1])
import render
renderer = render.Renderer(False)  # loads espeak-ng, which the driver looks for when it is imported
from pyttsx3.drivers import _espeak
renderer.choose("de", None)
synthesise, over = _espeak.Synth, []
def watched(*text, **settings):
    status = synthesise(*text, **settings)
    over.append(not renderer._engine.proxy._driver._speaking)
    return status
_espeak.Synth = watched
for _ in range(3):
    renderer.render("Springer Gustav eins Felix drei. " * 20, 140)
print(over)
"""


def test_espeak_is_never_behind() -> None:
    """What waits for it can be cancelled by pyttsx3: sentences without a sound, or at the speed of the one before."""
    if not sys.platform.startswith("linux"):
        pytest.skip("only Linux speaks with espeak-ng")
    ran = subprocess.run(
        [sys.executable, "-P", "-c", AT_ONCE, str(RENDERER.parent)],
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    assert ran.stdout.splitlines()[-1] == "[True, True, True]"


@pytest.mark.parametrize(
    "code",
    [
        "import sys; sys.exit(1)",
        "print('hello')",
        'import sys; sys.stdout.write(\'{"bytes": 100, "ready": true}\\n\')',
        "print('{\"bytes\": 0, \"ready\": true}', flush=True); input(); print('[1]')",
        'print(\'{"bytes": 0, "ready": true}\', flush=True); input(); print(\'{"bytes": 0, "error": "no"}\')',
    ],
)
def test_a_child_that_fails_is_one_clear_error(code: str) -> None:
    speech = Speech(command=[sys.executable, "-c", code])
    for _ in range(2):
        with pytest.raises(SoundError) as error:
            speech.sound("Turm")
        assert error.value.key == "sound.voice.failed"
    assert not check_voice(speech, "Turm")[0].ok
    speech.close()


def test_after_a_failure_nothing_is_tried_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    started = []

    def start(command: list[str]) -> object:
        started.append(command)
        raise OSError

    monkeypatch.setattr(speech_module, "_Child", start)
    speech = Speech()
    speech.warm()
    for _ in range(3):
        with pytest.raises(SoundError):
            speech.sound("Turm")
    assert len(started) <= 2


def test_the_voice_check_of_this_machine(speech: Speech) -> None:
    (check,) = check_voice(speech, "Springer")
    assert (check.ok, check.key) == (True, "sound.voice.good")


def test_long_texts_end_their_parts_where_a_reader_pauses() -> None:
    assert parts("Weiß: König Eva eins. Schwarz am Zug!") == ["Weiß:", "König Eva eins.", "Schwarz am Zug!"]
    assert parts(" ... ") == []
    long = ", ".join(f"Bauer Anna {index}" for index in range(60)) + "."
    assert all(len(part) <= speech_module.LONGEST_PART for part in parts(long))
    assert " ".join(parts(long)) == long


def voice(identifier: str, name: str, *languages: object) -> SimpleNamespace:
    return SimpleNamespace(id=identifier, name=name, languages=list(languages))


def test_voices_are_found_by_any_spelling_of_their_language() -> None:
    for language in ("de", "de-DE", "de_DE", b"\x05de", "DE"):
        assert normalised(language) == "de"
    english = voice("gmw/en", "English", "en-GB")
    for german in (
        voice("gmw/de", "German", "de"),
        voice("com.apple.anna", "Anna", "de_DE"),
        voice("HKEY\\TTS_MS_DE-DE_HEDDA_11.0", "Hedda"),
    ):
        assert find_voice([english, german], "de", None) == (german.id, True)
    assert find_voice([english], "de", None) is None
    assert find_voice([english], "de", "english") == ("gmw/en", False)


def test_a_wanted_voice_is_taken_and_an_unknown_one_is_not_the_end() -> None:
    anna, markus = voice("1", "Anna", "de"), voice("2", "Markus", "de")
    assert find_voice([anna, markus], "de", "mark") == ("2", True)
    assert find_voice([anna, markus], "de", "Petra") == ("1", True)


def test_aiff_by_any_name_is_read(tmp_path: Path) -> None:
    values = array("h", [0, 1, -2, 300])
    big = array("h", values)
    big.byteswap()
    common = struct.pack(">hIhHQ", 1, 4, 16, 16383 + 14, 22050 << (63 - 14))
    chunks = (
        b"AIFF" + b"COMM" + struct.pack(">I", 18) + common + b"SSND" + struct.pack(">III", 16, 0, 0) + big.tobytes()
    )
    path = tmp_path / "speech.wav"
    path.write_bytes(b"FORM" + struct.pack(">I", len(chunks)) + chunks)
    assert read_rendered(path) == (values.tobytes(), 22050)
