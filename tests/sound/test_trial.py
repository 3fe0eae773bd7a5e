"""Sound libraries that end the process, hang or fail to start are left alone."""

from __future__ import annotations

import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.drivers.virtual_sound import until
from voicechess.messages import Text
from voicechess.sound.devices import miniaudio, portaudio
from voicechess.sound.devices.choice import Backend, available_backend, open_loudspeaker, open_microphone
from voicechess.sound.errors import SoundError
from voicechess.sound.libraries import Trial, begin, not_loaded
from voicechess.sound.speech import _Child

ABORTS = "import os; os.abort()"
PATIENCE_S = 120.0

on_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere nothing is tried")


@on_linux
@pytest.mark.parametrize(
    ("program", "survives"),
    [
        ("pass", True),
        ("import no_such_library", True),  # what can be caught is no reason
        (ABORTS, False),
    ],
)
def test_what_dies_has_not_survived(program: str, survives: bool) -> None:
    assert Trial(program, PATIENCE_S).survived() == survives


@on_linux
def test_what_hangs_is_not_waited_for_but_may_end_later(tmp_path: Path) -> None:
    awaited = tmp_path / "awaited"
    trial = Trial(f"import os, time\nwhile not os.path.exists({str(awaited)!r}): time.sleep(0.02)", limit_s=0.1)
    assert not trial.survived()
    awaited.touch()
    until(trial.survived, PATIENCE_S)


@on_linux
def test_it_runs_once_and_finds_what_this_process_finds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "counting.py").write_text(f"open({str(tmp_path / 'runs')!r}, 'a').write('x')\n", encoding="utf-8")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    trial = Trial("import counting", PATIENCE_S)
    assert [trial.survived(), trial.survived()] == [True, True]
    assert (tmp_path / "runs").read_text(encoding="utf-8") == "x"


@on_linux
def test_a_portaudio_that_aborts_is_never_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sounddevice", types.ModuleType("sounddevice"))  # importing it would work
    monkeypatch.setattr(portaudio, "_trial", Trial(ABORTS))
    assert available_backend() is Backend.MINIAUDIO


@on_linux
def test_when_both_libraries_die_there_is_no_device(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portaudio, "_trial", Trial(ABORTS))
    monkeypatch.setattr(miniaudio, "_trial", Trial(ABORTS))
    for opened in (open_microphone, open_loudspeaker):
        with pytest.raises(SoundError) as error:
            opened()
        assert error.value.key == "sound.library.dead"
        assert not error.value.was_there


def test_a_portaudio_that_fails_to_start_is_tried_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sounddevice.py").write_text(
        f"open({str(tmp_path / 'loads')!r}, 'a').write('x')\nraise RuntimeError('Error initializing PortAudio')\n",
        encoding="utf-8",
    )
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.delitem(sys.modules, "sounddevice", raising=False)
    monkeypatch.setattr(portaudio, "_trial", Trial("pass", PATIENCE_S))
    monkeypatch.setattr(portaudio, "_unusable", False)
    assert [available_backend(), available_backend()] == [Backend.MINIAUDIO] * 2
    assert (tmp_path / "loads").read_text(encoding="utf-8") == "x"


# --- Windows ---


@pytest.mark.parametrize("package", ["numpy", "no_such_package"])
def test_a_package_that_is_there_and_cannot_be_loaded_is_not_called_missing(package: str) -> None:
    """Without Microsoft's C++ runtime samplerate was "missing" (issue 51)."""
    error = ImportError("DLL load failed while importing it:  The specified module could not be found.")
    found = not_loaded(package, "sound.recogniser.missing", error)
    if package == "numpy":
        assert found.key == "sound.library.unloadable"
        told = "DLL load failed while importing it: The specified module could not be found"
        assert found.slots["reason"] == Text(told)
    else:
        assert found.key == "sound.recogniser.missing"


@pytest.mark.parametrize("starts", [lambda: begin("pass"), lambda: _Child([sys.executable])], ids=["trial", "voice"])
def test_control_c_is_not_for_a_child(starts: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> None:
    """On Windows a console sends it to all of its processes but those of a group of their own (issue 51)."""
    group, given = 0x200, {}

    def popen(command: list[str], **how: object) -> None:
        given.update(how)
        raise OSError

    monkeypatch.setattr(subprocess, "CREATE_NEW_PROCESS_GROUP", group, raising=False)
    monkeypatch.setattr(subprocess, "Popen", popen)
    with pytest.raises(OSError):
        starts()
    assert given["creationflags"] == group
