"""The page's server: who gets what, and that nothing that happens there reaches the game."""

from __future__ import annotations

import json
import queue
import select
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from urllib.parse import urlsplit

import chess
import pytest
import requests

from tests.drivers.virtual_sound import until
from voicechess.app.board import ShownBoard
from voicechess.app.kinds import session_of
from voicechess.app.page.connections import AT_ONCE, MOST, PATIENCE_S, Connections
from voicechess.app.page.server import MOST_BROWSERS, Address, Page, typed
from voicechess.app.page.shown import Shown
from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings, Player
from voicechess.game.session import Session
from voicechess.game.sight import seen
from voicechess.language.wording import Wording
from voicechess.messages import Failure
from voicechess.score.score import PieceLetters
from voicechess.storage.places import page_file

BOTH = GameSettings(white=Player.VOICE, black=Player.VOICE)
GIVE_UP_S = 60
ANY_PORT = "127.0.0.1:0"


def begun(settings: GameSettings = BOTH) -> Session:
    session = session_of(settings)
    for effect in session.handle(ev.Started(at_ms=0)):
        if hasattr(effect, "utterance"):
            session.handle(ev.Spoken(at_ms=1, number=effect.utterance.number))
    return session


def looking(session: Session | None = None) -> Shown:
    shown = Shown()
    shown.look(seen(session or begun(), 0, PieceLetters.GERMAN))
    return shown


class Reading:
    """A browser that reads the stream of events, on a thread of its own."""

    def __init__(self, url: str) -> None:
        self.answer = requests.get(url + "events", stream=True, timeout=GIVE_UP_S)
        self.told: queue.Queue[dict[str, object]] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self.answer.iter_lines(chunk_size=None):
            if line.startswith(b"data: "):
                self.told.put(json.loads(line[6:]))

    def next(self) -> dict[str, object]:
        return self.told.get(timeout=GIVE_UP_S)


@pytest.fixture
def moves() -> queue.Queue[str]:
    return queue.Queue()


@pytest.fixture
def page(moves: queue.Queue[str]) -> Iterator[Page]:
    page = Page(looking(), Address(port=0), lambda: {"language": "de"}, moves.put)
    yield page
    page.close()


def parts_of(page: Page) -> tuple[str, int, str]:
    """The host, the port and the secret of its address."""
    parts = urlsplit(page.url)
    assert parts.hostname is not None and parts.port is not None
    return parts.hostname, parts.port, parts.path.strip("/")


def origin_of(page: Page) -> dict[str, str]:
    host, port, _ = parts_of(page)
    return {"Origin": f"http://{host}:{port}"}


def test_it_follows_and_tells_a_later_browser_everything(page: Page) -> None:
    first = Reading(page.url)
    whole = first.next()
    assert whole["whole"] and whole["game"]["fen"].startswith("rnbq")  # type: ignore[index]
    page._shown.add("said", "Bauer Eva vier.")
    assert first.next() == {"whole": False, "lines": [{"who": "said", "text": "Bauer Eva vier."}]}
    later = Reading(page.url).next()
    assert later["game"] == whole["game"] and later["lines"] == [{"who": "said", "text": "Bauer Eva vier."}]


def test_a_move_is_a_typed_line(page: Page, moves: queue.Queue[str]) -> None:
    origin = origin_of(page)
    assert requests.post(page.url + "move", data="g1f3", headers=origin, timeout=GIVE_UP_S).status_code == 204
    assert moves.get(timeout=GIVE_UP_S) == "g1f3"


def test_a_second_click_waits_until_the_game_has_taken_the_first(page: Page, moves: queue.Queue[str]) -> None:
    """A castling clicked twice would castle for both sides; a flood of moves would hold up the game."""
    origin = origin_of(page)

    def post() -> int:
        return requests.post(page.url + "move", data="g1f3", headers=origin, timeout=GIVE_UP_S).status_code

    assert [post() for _ in range(20)] == [204] + [409] * 19
    page._shown.add("said", "Springer Felix drei.")
    assert post() == 409
    page._shown.add("heard", "g1f3")
    assert post() == 204
    assert [moves.get(timeout=GIVE_UP_S) for _ in range(2)] == ["g1f3"] * 2 and moves.empty()


@pytest.mark.parametrize("origin", [None, "http://evil.example", "null"])
def test_no_other_page_moves(page: Page, moves: queue.Queue[str], origin: str | None) -> None:
    headers = {"Origin": origin} if origin else {}
    assert requests.post(page.url + "move", data="g1f3", headers=headers, timeout=GIVE_UP_S).status_code == 403
    assert moves.empty()


@pytest.mark.parametrize(
    ("body", "status"),
    [("", 409), ("aufgeben", 409), ("g1f3\nende", 409), ("e2e4" * 100, 413), ("\x1b[2J", 409), ("z9a1", 409)],
)
def test_nothing_but_a_move_is_taken(page: Page, moves: queue.Queue[str], body: str, status: int) -> None:
    origin = origin_of(page)
    assert requests.post(page.url + "move", data=body, headers=origin, timeout=GIVE_UP_S).status_code == status
    assert moves.empty()


def test_a_page_that_is_only_looked_at_takes_no_move() -> None:
    page = Page(looking(), Address(port=0), lambda: {}, None)
    try:
        data, origin = "g1f3", origin_of(page)
        assert requests.post(page.url + "move", data=data, headers=origin, timeout=GIVE_UP_S).status_code == 404
        assert requests.get(page.url + "words", timeout=GIVE_UP_S).json() == {"input": False}
    finally:
        page.close()


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", ""])
def test_requests_under_another_name_are_refused(page: Page, host: str) -> None:
    _, port, _ = parts_of(page)
    for path in ("", "words", "events"):
        answer = requests.get(page.url + path, headers={"Host": host.format(port=port)}, timeout=GIVE_UP_S)
        assert answer.status_code in (400, 404), path


@pytest.mark.parametrize("address", [Address.read(ANY_PORT), Address(port=0)])
def test_nothing_is_seen_without_the_secret(address: Address) -> None:
    """Every account of this computer reaches its ports."""
    page = Page(looking(), address, lambda: {}, None)
    try:
        base, secret = page.url.rstrip("/").rsplit("/", 1)
        assert len(secret) >= 20
        assert requests.get(page.url, timeout=GIVE_UP_S).status_code == 200
        for path in ("", "words", "events", "board.js", "piece/wK.svg", f"{secret[:-1]}/words", f"{secret}x/words"):
            assert requests.get(f"{base}/{path}", timeout=GIVE_UP_S).status_code == 404, path
    finally:
        page.close()


def test_files_of_this_computer_are_none_of_the_pages(page: Page) -> None:
    for path in ("../../../etc/passwd", "server.py", "%2e%2e/shown.py", "piece/../server.py", "piece/wX.svg"):
        host, port, secret = parts_of(page)
        with socket.create_connection((host, port)) as raw:
            asked = f"GET /{secret}/{path} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n"
            raw.sendall(asked.encode())
            assert b" 404 " in raw.recv(100), path


def test_pieces_and_texts(page: Page) -> None:
    assert requests.get(page.url + "piece/bN.svg", timeout=GIVE_UP_S).text.startswith("<svg")
    answer = requests.get(page.url, timeout=GIVE_UP_S)
    assert answer.headers["Content-Type"].startswith("text/html")
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]


def test_browsers_that_go_and_come_thousands_of_times_and_floods_are_survived(page: Page) -> None:
    """Half of them are cut off in the middle of a request. No more come at once than the system lets wait: of others
    each would come again after a second."""
    host, port, secret = parts_of(page)
    asked = f"GET /{secret}/events HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode()
    for number in range(2_000):
        with socket.create_connection((host, port), timeout=GIVE_UP_S) as raw:
            raw.sendall(asked[: 10 + number % 60] if number % 2 else asked)
        page._shown.add("said", str(number))
        if number % AT_ONCE == 0:
            assert requests.get(page.url + "words", timeout=GIVE_UP_S).status_code == 200

    def comes_through() -> bool:
        """Whether there is room again: those that are gone are noticed when something is told."""
        page._shown.add("said", "wach")
        late = Reading(page.url)
        return late.answer.status_code == 200 and bool(late.next()["whole"])

    until(comes_through, 5 * GIVE_UP_S)
    until(lambda: page._open <= 1, 5 * GIVE_UP_S)
    assert page.works


def test_there_is_an_end_to_how_many_look(page: Page) -> None:
    readers = [Reading(page.url) for _ in range(MOST_BROWSERS)]
    for reader in readers:
        reader.next()
    assert requests.get(page.url + "events", timeout=GIVE_UP_S).status_code == 503


def test_who_does_not_read_holds_up_nobody(page: Page) -> None:
    """The game writes and goes on; the stream of the one who does not read is full."""
    host, port, secret = parts_of(page)
    with socket.create_connection((host, port)) as raw:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        raw.sendall(f"GET /{secret}/events HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
        other = Reading(page.url)
        for number in range(600):
            page._shown.add("said", f"{number} " + "x" * 900)
        while True:
            lines = other.next()["lines"]
            assert isinstance(lines, list)
            if lines and lines[-1]["text"].startswith("599 "):
                break


# --- connections that ask for nothing ---------------------------------------------------------------------------------


def test_there_is_an_end_to_how_many_connections_there_are_and_the_owner_gets_in(
    page: Page, capsys: pytest.CaptureFixture[str]
) -> None:
    """What the server itself tells is written by Python; the sound libraries of other tests write without it."""
    host, port, _ = parts_of(page)
    reader = Reading(page.url)
    reader.next()
    with ExitStack() as idle:
        for _ in range(3 * MOST):
            idle.enter_context(socket.create_connection((host, port), timeout=GIVE_UP_S))
        assert requests.get(page.url + "words", timeout=GIVE_UP_S).status_code == 200
        until(lambda: len(page._connections) <= MOST, GIVE_UP_S)
        page._shown.add("said", "Bauer Eva vier.")
        assert reader.next()["lines"]  # who watches is not displaced
    assert not "".join(capsys.readouterr())


@pytest.mark.parametrize(
    ("begin", "drip"),
    [
        (b"", b""),
        (b"", b"G"),
        (b"GET /{secret}/words HTTP/1.1\r\nHost: {host}\r\nX: ", b"x"),
        (b"GET / HTTP/1.1\r\nHost: {host}\r\n\r\n", b""),  # kept open, but nothing comes any more
        (b"GET /{secret}/words HTTP/1.1\r\nHost: {host}\r\n\r\nGET /{secret}", b"x"),
        (b"POST /{secret}/move HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nContent-Length: 60\r\n\r\n", b"e"),
    ],
)
def test_who_sends_no_whole_request_is_closed(
    page: Page, begin: bytes, drip: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    for waits in ("connections", "server"):
        monkeypatch.setattr(f"voicechess.app.page.{waits}.PATIENCE_S", 0.5)
    host, port, secret = parts_of(page)
    filled = begin.replace(b"{secret}", secret.encode()).replace(b"{host}", f"{host}:{port}".encode())
    with socket.create_connection((host, port), timeout=GIVE_UP_S) as raw:
        raw.sendall(filled)
        raw.settimeout(0.1)
        until(lambda: _closed(raw, drip), GIVE_UP_S)
    until(lambda: len(page._connections) == 0, GIVE_UP_S)


def _closed(raw: socket.socket, drip: bytes) -> bool:
    try:
        raw.sendall(drip)
        return raw.recv(10_000) == b""
    except TimeoutError:
        return False
    except OSError:
        return True


def test_who_answers_may_not_be_displaced_and_knows_the_secret_goes_last() -> None:
    class Transport:
        aborted = False

        def abort(self) -> None:
            self.aborted = True

    now_s = 0.0
    connections = Connections(lambda: now_s)
    made = [Transport() for _ in range(MOST + 1)]
    for number, transport in enumerate(made[:-1]):
        now_s = number
        assert connections.begun(("127.0.0.1", number), transport)  # type: ignore[arg-type]
    for number in (0, 1):
        connections.answering(("127.0.0.1", number))
    connections.answered(("127.0.0.1", 1))
    assert connections.begun(("127.0.0.1", MOST), made[-1])  # type: ignore[arg-type]
    assert [number for number, one in enumerate(made) if one.aborted] == [2]
    now_s = MOST - 1 + PATIENCE_S
    connections.close_idle()
    assert made[3].aborted and not any(made[number].aborted for number in (0, 1, MOST))
    for number in range(1, MOST + 1):
        connections.answering(("127.0.0.1", number))
    assert not connections.begun(("127.0.0.1", MOST + 1), Transport())  # type: ignore[arg-type]


FLOODED = """
import resource, socket, sys, time
from tests.app.test_page import ANY_PORT, begun
from voicechess.app.board import ShownBoard
from voicechess.language.wording import Wording
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))  # far fewer than the page takes
printed = []
board = ShownBoard("", lambda: Wording("de"), address=ANY_PORT, print_line=printed.append, browse=lambda _: None)
board.show(True)
print(printed[1], flush=True)
sys.stdin.readline()
assert board._page.works
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no limits of this kind there")
def test_the_server_says_nothing_on_the_terminal_where_no_connection_can_be_taken() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", FLOODED],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        parts = urlsplit(process.stdout.readline())
        with ExitStack() as idle:
            for _ in range(90):
                idle.enter_context(socket.create_connection((str(parts.hostname), parts.port or 0), timeout=GIVE_UP_S))
            assert process.stderr is not None
            assert not select.select([process.stderr], [], [], 3)[0]
        assert process.communicate("\n", timeout=GIVE_UP_S) == ("", "")
    assert process.returncode == 0


# --- where it listens -------------------------------------------------------------------------------------------------


def test_a_port_in_use_is_a_sentence_where_it_was_asked_for_and_else_another_port() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(Failure, match="in_use"):
            Page(Shown(), Address("127.0.0.1", port, asked=True), lambda: {}, None)
        page = Page(Shown(), Address("127.0.0.1", port), lambda: {}, None)
        assert f":{port}/" not in page.url
        page.close()


@pytest.mark.parametrize("text", ["", "evil.example", "127.0.0.1:99999", "127.0.0.1:x", "1.2.3.4.5", "[::1", ":8464"])
def test_what_is_no_address(text: str) -> None:
    with pytest.raises(Failure, match="bad_address"):
        Address.read(text)


def test_addresses() -> None:
    assert Address.read("0.0.0.0:8464") == Address("0.0.0.0", 8464, asked=True)
    assert Address.read("[::1]:80") == Address("::1", 80, asked=True)
    assert Address.read("192.0.2.7") == Address("192.0.2.7", asked=True)


def test_shown_closed_and_shown_again() -> None:
    printed: list[str] = []
    opened: list[str] = []
    board = ShownBoard("", lambda: Wording("de"), address=ANY_PORT, print_line=printed.append, browse=opened.append)
    assert board.show(False).key == "page.not_shown"
    board.look(begun(), 1_000, idle=False)
    assert board.show(True).key == "page.shown"
    told, address = printed
    assert told == "Das Brett für Sehende steht unter dieser Adresse:" and Reading(address).next()["game"]
    leading = page_file()
    assert opened == [leading.as_uri()] and address in leading.read_text("utf-8"), "no command line has the secret"
    assert board.show(False).key == "page.closed" and not leading.exists()
    with pytest.raises(requests.ConnectionError):
        requests.get(address, timeout=GIVE_UP_S)
    board.show(True)
    assert requests.get(printed[-1], timeout=GIVE_UP_S).status_code == 200
    board.close()


def test_a_page_that_is_served_no_more_is_told() -> None:
    board = ShownBoard("", lambda: Wording("de"), address=ANY_PORT, print_line=lambda _: None, browse=lambda _: None)
    board.show(True)
    assert board._page is not None
    board._page.close()
    with pytest.raises(Failure, match=r"page\.failed"):
        board.look(begun(), 5_000, idle=False)
    assert board.show(True).key == "page.shown"
    board.look(begun(), 6_000, idle=False)
    board.close()


def test_a_browser_that_cannot_be_opened_is_no_matter_of_the_game() -> None:
    def broken(url: str) -> None:
        raise OSError("no browser")

    board = ShownBoard("", lambda: Wording("de"), address=ANY_PORT, print_line=lambda _: None, browse=broken)
    assert board.show(True).key == "page.shown"
    board.close()


# --- what a click means -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "clicked", "line"),
    [
        (chess.STARTING_FEN, "g1f3", "g1f3"),
        (chess.STARTING_FEN, "e2e5", "e2e5"),  # the game says why not
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "e1g1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1a1", "e1c1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", "e8c8"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1f1", "e1f1"),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8n", "a7a8n"),
    ],
)
def test_what_is_typed_for_two_squares(fen: str, clicked: str, line: str) -> None:
    assert typed(looking(begun(replace(BOTH, fen=fen))), clicked) == line


def test_in_chess960_castling_is_announced() -> None:
    shown = looking(begun(replace(BOTH, chess960=518, fen="r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")))
    assert typed(shown, "e1h1") is None
    assert typed(shown, "e1e2") == "e1e2"


def test_nobody_moves_for_the_machine() -> None:
    engine = begun(GameSettings(white=Player.ENGINE, black=Player.VOICE))
    assert typed(looking(engine), "e2e4") is None
    assert typed(Shown(), "e2e4") is None
