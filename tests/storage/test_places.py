"""Where files go, on every system and without a home."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from voicechess.storage.places import ByteLock, data_folder, journal_file, models_folder, settings_path


@pytest.mark.parametrize(
    ("environ", "platform", "data", "settings"),
    [
        ({"HOME": "/home/eva"}, "linux", "/home/eva/.local/share/voicechess", "/home/eva/.config/voicechess"),
        ({"HOME": "/h", "XDG_DATA_HOME": "/d", "XDG_CONFIG_HOME": "/c"}, "linux", "/d/voicechess", "/c/voicechess"),
        ({"HOME": "/h", "XDG_DATA_HOME": "d"}, "linux", "/h/.local/share/voicechess", "/h/.config/voicechess"),
        (
            {"HOME": "/Users/eva"},
            "darwin",
            "/Users/eva/Library/Application Support/voicechess",
            "/Users/eva/Library/Application Support/voicechess",
        ),
        ({"LOCALAPPDATA": "/L"}, "win32", "/L/voicechess", "/L/voicechess"),
        ({"USERPROFILE": "/U"}, "win32", "/U/AppData/Local/voicechess", "/U/AppData/Local/voicechess"),
        ({"HOME": "/h", "VOICECHESS_HOME": "/own"}, "linux", "/own", "/own"),
    ],
)
def test_places(environ: dict[str, str], platform: str, data: str, settings: str) -> None:
    assert data_folder(environ, platform) == Path(data)
    assert journal_file(environ, platform) == Path(data) / "games.sqlite"
    assert models_folder(environ, platform) == Path(data) / "models"
    assert settings_path(environ, platform) == Path(settings) / "settings.toml"


def test_no_home_at_all_is_a_place_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", nobody)
    with pytest.raises(OSError):
        data_folder({}, "linux").mkdir(parents=True)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no HOME")
def test_an_empty_home_is_not_the_root_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    import pwd

    class Entry:
        pw_dir = "/home/eva"

    monkeypatch.setenv("HOME", "")
    monkeypatch.setattr(pwd, "getpwuid", lambda _user: Entry)
    for environ in ({"HOME": ""}, {"HOME": "", "USERPROFILE": ""}, {}):
        assert data_folder(environ, "linux") == Path("/home/eva/.local/share/voicechess")
        assert settings_path(environ, "linux") == Path("/home/eva/.config/voicechess/settings.toml")


def another_process_takes_3(path: Path) -> str:
    code = (
        "from pathlib import Path; from voicechess.storage.places import ByteLock;"
        f"print(ByteLock(Path({str(path)!r})).take(3))"
    )
    root = str(Path(__file__).parents[2])
    return subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True
    ).stdout.strip()


def test_a_lock_keeps_other_processes_out_until_it_is_released(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with ByteLock(path) as lock:
        assert lock.take(3)
        assert lock.take(4)
        assert another_process_takes_3(path) == "False"
        lock.release(3)
        assert another_process_takes_3(path) == "True"
        assert lock.take(3)
    assert another_process_takes_3(path) == "True"
    lock.release(3)  # after closing, nothing


def test_a_process_shares_its_locks_with_itself_and_keeps_them_until_all_are_given_back(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    first, second = ByteLock(path), ByteLock(path)
    assert first.take(3)
    assert first.take(3)  # Windows refuses the same byte to the same handle
    assert first.free(3)
    assert first.free(4)
    assert second.take(3)
    second.release(4)  # not held: nothing happens, Windows raises
    second.release(3)
    second.release(3)
    assert another_process_takes_3(path) == "False"
    second.close()  # POSIX drops every lock of a process with the first descriptor it closes
    assert another_process_takes_3(path) == "False"
    first.close()
    assert another_process_takes_3(path) == "True"
