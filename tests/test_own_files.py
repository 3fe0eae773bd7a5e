"""What may lie where a file of ours should: nothing hangs, every fault is an OSError, nobody else can read."""

from __future__ import annotations

import json
import os
import stat
import sys
import tempfile
import threading
from pathlib import Path

import pytest

from voicechess import own_files

LINUX = pytest.mark.skipif(sys.platform == "win32", reason="Windows has neither these pipes nor these modes")


@LINUX
@pytest.mark.parametrize("kind", ["pipe", "device", "folder", "link"])
def test_only_regular_files_are_read(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "file"
    match kind:
        case "pipe":
            os.mkfifo(path)
        case "device":
            path = Path("/dev/zero")
        case "folder":
            path.mkdir()
        case "link":
            path.symlink_to("/dev/zero")
    with pytest.raises(OSError, match=r".") as caught:
        own_files.read_bytes(path)
    assert not isinstance(caught.value, FileNotFoundError)
    assert not own_files.may_be_written(path) or kind == "folder"


def test_what_is_not_there_and_what_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        own_files.read_bytes(tmp_path / "none")
    with pytest.raises(own_files.Unreadable):
        own_files.read_bytes(tmp_path / "a\0b")
    assert own_files.may_be_written(tmp_path / "none")


def test_no_more_is_read_than_is_allowed(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * 101)
    assert len(own_files.read_bytes(path, 101)) == 101
    with pytest.raises(own_files.TooLarge):
        own_files.read_bytes(path, 100)


BAD = {
    "a number of 400 digits": "1" * 400,
    "a negative one": "-" + "1" * 400,
    "a float beyond all": "1e999",
    "no number": "NaN",
    "infinity": "-Infinity",
    "brackets": "[" * 100_000,
    "brackets that end": "[" * 100_000 + "]" * 100_000,
    "braces": '{"a":' * 100_000,
    "a text without an end": '"' + "[" * 100_000,
    "backslashes": '"' + "\\" * 100_001,
    "a number of 10000 digits": "1" * 10_000,
    "nothing": "",
}


@pytest.mark.parametrize("text", BAD.values(), ids=BAD.keys())
def test_json_that_no_file_of_ours_has(tmp_path: Path, text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        own_files.parse_json(text)
    path = tmp_path / "file"
    path.write_text('{"key": ' + text + "}")
    with pytest.raises(own_files.Unreadable):
        own_files.read_json(path)


def test_json_that_is_read() -> None:
    text = json.dumps({"a": [1, -2.5, None, True, '[[["\\"{'], "b": {"c": 10**17}})
    assert own_files.parse_json(text) == json.loads(text)
    deepest = "[" * own_files.DEEPEST + "]" * own_files.DEEPEST
    assert own_files.parse_json(deepest) == json.loads(deepest)


def test_text_that_is_none(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"\xff\xfe{")
    with pytest.raises(own_files.Unreadable):
        own_files.read_text(path)


@LINUX
def test_what_is_written_is_nobody_elses(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        path = tmp_path / "home" / "envelopes" / "1.json"
        own_files.write_text(path, "one")
        own_files.write_text(path, "two")
    finally:
        os.umask(before)
    assert path.read_text() == "two"
    assert list(path.parent.iterdir()) == [path]
    modes = [stat.S_IMODE(one.stat().st_mode) for one in (path, path.parent, path.parent.parent)]
    assert modes == [0o600, 0o700, 0o700]


@LINUX
def test_a_pipe_in_its_place_is_written_over_without_waiting(tmp_path: Path) -> None:
    path = tmp_path / "file"
    os.mkfifo(path)
    own_files.write_text(path, "text")
    assert path.read_text() == "text"


def test_a_folder_in_its_place_is_told_and_nothing_is_left(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.mkdir()
    with pytest.raises(OSError, match=r"."):
        own_files.write_text(path, "text")
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("opens", [3, None])
def test_what_another_program_has_open_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opens: int | None
) -> None:
    """A virus scanner lets go after a moment; what stays open (None) is an OSError, and no half file is left."""
    path, refused, replace = tmp_path / "file", 0, Path.replace

    def scanned(fresh: Path, target: Path) -> Path:
        nonlocal refused
        if opens is None or refused < opens:
            refused += 1
            raise PermissionError(13, "used by another process")
        return replace(fresh, target)

    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(Path, "replace", scanned)
    monkeypatch.setattr(own_files, "IN_USE_S", 60.0 if opens else 0.2)
    path.write_text("before")
    if opens:
        own_files.write_text(path, "after")
    else:
        with pytest.raises(PermissionError):
            own_files.write_text(path, "after")
    assert path.read_text() == ("after" if opens else "before")
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["CON", "nul", "Aux.pgn", "COM1", "lpt¹.txt", "con .pgn", "CONOUT$"])
def test_what_windows_takes_for_a_device_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    assert not own_files.may_be_written(tmp_path / name)
    assert own_files.may_be_written(tmp_path / f"x{name}")
    if os.name == "posix":  # Windows itself finds a device there, whatever it is called
        monkeypatch.setattr(sys, "platform", "linux")
        assert own_files.may_be_written(tmp_path / name)


@pytest.mark.skipif(sys.platform != "win32", reason="elsewhere a file that is open can be replaced")
def test_a_file_that_is_really_open_is_replaced_when_it_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("before")
    file = path.open()
    closing = threading.Timer(0.3, file.close)
    closing.start()
    own_files.write_text(path, "after")
    closing.join()
    assert path.read_text() == "after"


def test_a_brief_folder_that_a_killed_program_has_left_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed while it loads its model it leaves a copy of ten megabytes (issue 49); what is new may be in use."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with own_files.brief_folder() as folder:
        (folder / "model").write_text("…")
        name = folder.name
    assert list(tmp_path.iterdir()) == []
    left, used, other = tmp_path / name, tmp_path / f"{name}x", tmp_path / "somebody-elses"
    for one in (left, used, other):
        one.mkdir()
        (one / "model").write_text("…")
    for one in (left, other):
        os.utime(one, (0, 0))
    with own_files.brief_folder():
        assert sorted(path for path in tmp_path.iterdir() if path.name in (left.name, used.name, other.name)) == [
            *sorted((used, other))
        ]
