"""Downloads from a server that breaks off, lies, and sends other things."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random

import pytest

from voicechess.messages import Failure, Phrase
from voicechess.storage import downloads
from voicechess.storage.downloads import Request, download

from .bad_server import Server, serving

CONTENT = Random(7).randbytes(200_000)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("no_proxy", "*")
    with serving(CONTENT) as found:
        yield found


def fetch(server: Server, path: str, folder: Path, most: int = 1_000_000) -> tuple[Path, list[tuple[int, int | None]]]:
    told: list[tuple[int, int | None]] = []
    request = Request(server.url(path), folder / "model.zip", most)
    found = download(request, lambda received, total: told.append((received, total)), pause=lambda seconds: None)
    return found.path, told


@pytest.mark.parametrize(
    "path",
    [
        "good",
        "no_ranges",
        "breaks_off",
        "breaks_off_without_ranges",
        "no_length",
        "wrong_range",
        "range_refused",
        "busy_once",
        "redirect",
    ],
)
def test_the_whole_file_arrives(server: Server, tmp_path: Path, path: str) -> None:
    found, told = fetch(server, path, tmp_path)
    assert found.read_bytes() == CONTENT
    assert told[-1][0] == len(CONTENT)
    assert [file.name for file in tmp_path.iterdir()] == ["model.zip"]


def test_after_a_break_only_the_rest_is_asked_for(server: Server, tmp_path: Path) -> None:
    _, told = fetch(server, "breaks_off", tmp_path)
    starts = [int(asked[6:-1]) if asked else 0 for _, asked in server.requests]
    assert len(starts) == 3
    assert starts[0] < starts[1] < starts[2]
    assert told == sorted(told)
    assert {total for _, total in told} == {len(CONTENT)}


def test_a_later_call_goes_on_where_an_earlier_one_gave_up(server: Server, tmp_path: Path) -> None:
    (tmp_path / "model.zip.part").write_bytes(CONTENT[:1000])
    found, _ = fetch(server, "good", tmp_path)
    assert found.read_bytes() == CONTENT
    assert server.requests == [("/good", "bytes=1000-")]


def test_what_is_there_is_not_downloaded_again(server: Server, tmp_path: Path) -> None:
    (tmp_path / "model.zip").write_bytes(b"x")
    found, _ = fetch(server, "good", tmp_path)
    assert found.read_bytes() == b"x"
    assert server.requests == []


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("always_breaks_off_at_once", "model.no_connection"),
        ("says_more", "model.interrupted"),
        ("endless", "model.too_large"),
        ("huge_length", "model.too_large"),
        ("missing", "model.http_error"),
        ("redirect_to_file", "model.bad_redirect"),
        ("redirect_for_ever", "model.bad_redirect"),
        ("no_http", "model.no_connection"),
    ],
)
def test_servers_that_cannot_be_helped_end_in_a_sentence(server: Server, tmp_path: Path, path: str, key: str) -> None:
    with pytest.raises(Failure) as caught:
        fetch(server, path, tmp_path)
    assert caught.value.key == key
    assert not (tmp_path / "model.zip").exists()
    assert sum(file.stat().st_size for file in tmp_path.iterdir()) <= 1_000_000


@pytest.mark.parametrize("path", ["trickle", "trickle_and_break"])
def test_two_bytes_a_second_are_given_up(server: Server, tmp_path: Path, path: str) -> None:
    """By a clock that goes as if each look at it came ten seconds after the last."""
    seconds = count(step=10)
    request = Request(server.url(path), tmp_path / "model.zip", 1_000_000)
    with pytest.raises(Failure) as caught:
        download(request, pause=lambda _: None, clock=lambda: float(next(seconds)))
    assert caught.value.key == "model.interrupted"
    assert 0 < (tmp_path / "model.zip.part").stat().st_size < 100_000
    # What came is kept: another attempt goes on there.
    found, _ = fetch(server, "good", tmp_path)
    assert found.read_bytes() == CONTENT


def test_who_begins_to_answer_and_never_gets_to_the_point_is_given_up(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(downloads, "_ANSWER_S", 0.2)
    with pytest.raises(Failure) as caught:
        fetch(server, "trickle_of_headers", tmp_path)
    assert caught.value.key == "model.no_connection"


def test_no_server_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/"
        with pytest.raises(Failure) as caught:
            download(Request(url, tmp_path / "x", 10), pause=lambda seconds: None)
    assert caught.value.key == "model.no_connection"
    assert caught.value.slots["reason"] == Phrase("unreached.refused")


def test_no_password_of_the_players_is_sent(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login anna password secret\n", "utf-8")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    download(Request(server.url("redirect"), tmp_path / "x", 1_000_000))
    assert server.logins == [None, None]


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://example.org/x", "model.zip", ""])
def test_only_the_web_is_asked(tmp_path: Path, url: str) -> None:
    with pytest.raises(Failure) as caught:
        download(Request(url, tmp_path / "x", 10))
    assert caught.value.key == "model.bad_address"


def test_a_folder_that_cannot_be_written(server: Server, tmp_path: Path) -> None:
    with pytest.raises(Failure) as caught:
        fetch(server, "good", tmp_path / "missing")
    assert caught.value.key == "model.unwritable"


def test_a_full_disk(server: Server, tmp_path: Path) -> None:
    resource = pytest.importorskip("resource", reason="only POSIX limits the size of files")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, limits[1]))
    try:
        with pytest.raises(Failure) as caught:
            fetch(server, "good", tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert caught.value.key == "model.no_room"
    # With room again, the rest is fetched.
    found, _ = fetch(server, "good", tmp_path)
    assert found.read_bytes() == CONTENT
    assert server.requests[-1][1] is not None
