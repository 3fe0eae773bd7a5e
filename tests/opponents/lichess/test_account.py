"""Logging in with the browser or with a personal token, keeping the token, and making the server forget it."""

from __future__ import annotations

import io
import json
import queue
import socket
import stat
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.drivers.lichess.clock import HandClock
from tests.drivers.lichess.faults import Fault, Kind, refusal
from tests.drivers.lichess.standin import StandIn
from tests.opponents.lichess.doubles import SERVER, Double
from voicechess.messages import Failure
from voicechess.opponents.lichess import account
from voicechess.opponents.lichess.account import (
    SCOPES,
    BrowserPages,
    authorise,
    challenge,
    missing_scopes,
    read_token,
    revoke,
)
from voicechess.opponents.lichess.login import AccessToken, TokenStore, system_keyring
from voicechess.opponents.lichess.transport import Transport

PAGES = BrowserPages("de", "Fertig <b>", "Das war nichts.")
SECRET = "lip_secret0123456789"


@pytest.fixture
def lichess() -> Iterator[StandIn]:
    with StandIn(HandClock()) as standin:
        standin.account("Anna")
        yield standin


def asked(address: str) -> dict[str, str]:
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(address).query))


def get(address: str) -> tuple[int, str, str]:
    try:
        with urllib.request.urlopen(address) as page:
            return page.status, page.read().decode(), page.headers["Content-Type"]
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode(), ""


def failure(act: Callable[[], object]) -> Failure:
    with pytest.raises(Failure) as raised:
        act()
    return raised.value


# --- with the browser ---


def test_logging_in_with_the_browser(lichess: StandIn) -> None:
    shown: list[str] = []
    token = authorise(Transport(lichess.url), PAGES, shown.append, browse=lichess.browser("Anna"))
    assert Transport(lichess.url, token).ask("GET", "/api/account").startswith(b'{"id": "anna"')
    (address,) = shown
    query = asked(address)
    assert address.startswith(f"{lichess.url}/oauth?")
    assert query["response_type"] == "code" and query["code_challenge_method"] == "S256"
    assert set(query["scope"].split()) == set(SCOPES) >= {"board:play", "challenge:read", "challenge:write"}
    assert query["redirect_uri"].startswith("http://127.0.0.1:")
    assert lichess.log.complaints == []


def test_every_login_has_secrets_of_its_own(lichess: StandIn) -> None:
    shown: list[str] = []
    for _ in range(2):
        authorise(Transport(lichess.url), PAGES, shown.append, browse=lichess.browser("Anna"))
    first, second = map(asked, shown)
    assert first["state"] != second["state"] and first["code_challenge"] != second["code_challenge"]
    assert all(len(one["state"]) >= 32 for one in (first, second))


def test_the_challenge_is_that_of_the_rfc() -> None:
    """RFC 7636, Appendix B."""
    assert challenge("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk") == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"


def test_without_a_browser_the_address_is_enough(lichess: StandIn) -> None:
    def shown(address: str) -> None:
        threading.Thread(target=lichess.browser("Anna"), args=(address,)).start()

    def no_browser(address: str) -> bool:
        raise OSError("no display")

    authorise(Transport(lichess.url), PAGES, shown, browse=no_browser)


def test_a_login_that_is_denied(lichess: StandIn) -> None:
    found = failure(lambda: authorise(Transport(lichess.url), PAGES, lambda _: None, browse=lichess.browser(None)))
    assert found.key == "online.login.denied"


def test_nobody_answers() -> None:
    found = failure(lambda: authorise(Double().transport, PAGES, lambda _: None, browse=lambda _: False, wait_s=0))
    assert found.key == "online.login.too_late"


def test_only_who_knows_the_state_is_believed() -> None:
    """Other pages in the browser, and other programs, may ask that port as well."""
    server, seen = Double(), list[tuple[int, str, str]]()
    server.answers("/api/token", {"token_type": "Bearer", "access_token": SECRET, "expires_in": 9})

    def browse(address: str) -> None:
        query = asked(address)
        port, state = query["redirect_uri"], query["state"]
        for wrong in (
            "?code=liu_evil",
            "?code=liu_evil&state=",
            "?code=liu_evil&state=" + "x" * 43,
            "?error=access_denied&state=wrong",
            f"favicon.ico?code=liu_evil&state={state}",
            "?" + "&".join(f"a{n}=1" for n in range(100)),
            "?state=%ff%fe",
        ):
            seen.append(get(port + wrong))
        seen.append(get(f"{port}?code=liu_right&state={state}"))

    token = authorise(server.transport, PAGES, lambda _: None, browse=browse)
    assert token.reveal() == SECRET
    assert [status for status, *_ in seen] == [404] * 7 + [200]
    assert "<p>Fertig &lt;b&gt;</p>" in seen[-1][1] and 'lang="de"' in seen[-1][1] and "utf-8" in seen[-1][2]
    (exchange,) = server.asked
    assert exchange[2]["code"] == "liu_right" and exchange[2]["grant_type"] == "authorization_code"
    assert len(exchange[2]["code_verifier"]) >= 43


def test_the_code_is_in_no_log(lichess: StandIn, capsys: pytest.CaptureFixture[str]) -> None:
    authorise(Transport(lichess.url), PAGES, lambda _: None, browse=lichess.browser("Anna"))
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("fault", "key"),
    [
        (refusal(400, "invalid_grant", "POST /api/token"), "online.login.denied"),
        (Fault(Kind.SPOIL_ANSWER, "POST /api/token", body=b"<html>"), "online.failed.server"),
        (Fault(Kind.SPOIL_ANSWER, "POST /api/token", body=b'{"access_token":"a b"}'), "online.bad_token"),
        (Fault(Kind.DROP, "POST /api/token"), "online.failed.network"),
    ],
)
def test_the_code_cannot_be_changed_for_a_token(lichess: StandIn, fault: Fault, key: str) -> None:
    lichess.break_(fault)
    found = failure(lambda: authorise(Transport(lichess.url), PAGES, lambda _: None, browse=lichess.browser("Anna")))
    assert found.key == key


# --- a personal token ---


@pytest.mark.parametrize("text", [SECRET, f"{SECRET}\n", f"  {SECRET}\r\n\r\n"])
def test_a_personal_token_is_read(text: str) -> None:
    assert read_token(io.StringIO(text)).reveal() == SECRET


@pytest.mark.parametrize("raw", [b"", b"\n", b"Bearer lip_x", b"\xff\xfe", b"x" * 200_000])
def test_what_is_no_token_is_said_so(raw: bytes) -> None:
    found = failure(lambda: read_token(io.TextIOWrapper(io.BytesIO(raw), encoding="utf-8")))
    assert found.key == "online.bad_token" and not found.slots


def test_what_a_token_does_not_allow() -> None:
    server, token = Double(), AccessToken(SECRET)
    server.answers("/api/token/test", {SECRET: {"userId": "anna", "scopes": "board:play,challenge:read", "expires": 1}})
    assert missing_scopes(server.transport, token) == ("challenge:write", "follow:read")
    server.answers("/api/token/test", {SECRET: None})
    server.asked.clear()
    server._answers["/api/token/test"].popleft()
    assert failure(lambda: missing_scopes(server.transport, token)).key == "online.failed.token"


def test_logging_out_makes_the_server_forget(lichess: StandIn) -> None:
    transport = Transport(lichess.url, AccessToken(lichess.token("Anna")))
    revoke(transport)
    assert lichess.do(lambda world: dict(world.tokens)) == {}
    revoke(transport)  # it is not valid any more: that is what was wanted


def test_without_a_network_nobody_is_logged_out(lichess: StandIn) -> None:
    transport = Transport(lichess.url, AccessToken(lichess.token("Anna")))
    lichess.disconnect()
    assert failure(lambda: revoke(transport)).key == "online.failed.unreached"


# --- where it is kept ---


class Ring:
    """A keyring; `refuses`: what it does when it is to keep something."""

    def __init__(self, refuses: Exception | None = None, forgets: bool = False) -> None:
        self.kept: dict[tuple[str, str], str] = {}
        self._refuses, self._forgets = refuses, forgets

    def get_password(self, service: str, username: str) -> str | None:
        if self._refuses:
            raise self._refuses
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        if self._refuses:
            raise self._refuses
        if not self._forgets:
            self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        if self._refuses:
            raise self._refuses
        del self.kept[service, username]


def test_the_keyring_keeps_it_and_no_file(tmp_path: Path) -> None:
    ring, file = Ring(), tmp_path / "logins.json"
    store = TokenStore(SERVER, file, ring)
    assert store.read() is None
    store.keep(AccessToken(SECRET))
    assert ring.kept == {("voicechess", SERVER): SECRET} and not file.exists()
    kept = store.read()
    assert kept is not None and kept.reveal() == SECRET
    store.forget()
    assert store.read() is None and not ring.kept
    store.forget()


@pytest.mark.parametrize("ring", [None, Ring(RuntimeError("locked")), Ring(forgets=True)])
def test_without_a_keyring_a_file_that_only_its_owner_can_read_keeps_it(tmp_path: Path, ring: Ring | None) -> None:
    file = tmp_path / "new" / "logins.json"
    store, other = TokenStore(SERVER, file, ring), TokenStore("https://other.example", file, ring)
    store.keep(AccessToken(SECRET))
    other.keep(AccessToken("lip_other"))
    if sys.platform != "win32":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in file.parent.iterdir()] == ["logins.json"]
    one, two = store.read(), other.read()
    assert one is not None and two is not None
    assert (one.reveal(), two.reveal()) == (SECRET, "lip_other"), "each server has its own"
    store.forget()
    assert store.read() is None and other.read() is not None
    other.forget()
    assert not file.exists()


def test_a_file_that_others_could_read_becomes_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "logins.json"
    file.write_text("{}")
    file.chmod(0o644)
    TokenStore(SERVER, file, None).keep(AccessToken(SECRET))
    if sys.platform != "win32":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_new_login_in_the_keyring_leaves_none_in_the_file(tmp_path: Path) -> None:
    file = tmp_path / "logins.json"
    TokenStore(SERVER, file, None).keep(AccessToken("lip_old"))
    store = TokenStore(SERVER, file, Ring())
    store.keep(AccessToken(SECRET))
    assert not file.exists()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"x": 7}', json.dumps({SERVER: "no token!"}), "[" * 60_000])
def test_a_damaged_file_is_told_and_may_be_written_anew(tmp_path: Path, text: str) -> None:
    file = tmp_path / "logins.json"
    file.write_text(text)
    store = TokenStore(SERVER, file, None)
    found = failure(store.read)
    assert found.key == "online.damaged" and "token!" not in repr(found.slots)
    assert found.__cause__ is None and found.__suppress_context__
    store.keep(AccessToken(SECRET))
    assert store.read() is not None


def test_a_disk_that_refuses_is_told_without_the_token(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    found = failure(lambda: TokenStore(SERVER, tmp_path / "file" / "logins.json", None).keep(AccessToken(SECRET)))
    assert found.key == "cli.unwritable" and SECRET not in repr(found.slots)
    assert found.__cause__ is None and found.__suppress_context__


def test_where_everything_is_to_lie_in_one_folder_the_keyring_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    class Library:
        priority = 5

        def get_keyring(self) -> object:
            return self

    monkeypatch.setattr("importlib.import_module", lambda _: Library())
    assert system_keyring({}) is not None
    assert system_keyring({"VOICECHESS_HOME": "/x"}) is None
    Library.priority = 0  # the library has no backend here
    assert system_keyring({}) is None


def test_a_broken_keyring_library_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: str) -> object:
        raise RuntimeError("no session bus")

    monkeypatch.setattr("importlib.import_module", broken)
    assert system_keyring({}) is None


@pytest.mark.parametrize(
    "line", [b"GET http://[::1 HTTP/1.1", b"GET http://[::1]:x/ HTTP/1.1", b"\x00\xff", b"GET / HTTP/9"]
)
def test_no_request_to_the_port_of_the_login_prints_anything(line: bytes, capfd: pytest.CaptureFixture[str]) -> None:
    """Anybody on this machine reaches it (issue 49, 26)."""
    server = account._Quiet(("127.0.0.1", 0), account._handler("state", PAGES, queue.SimpleQueue()))
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    with socket.create_connection(server.server_address) as raw:  # type: ignore[arg-type]
        raw.sendall(line + b"\r\n\r\n")
        raw.shutdown(socket.SHUT_WR)
        while raw.recv(1000):
            pass
    server.shutdown()
    server.server_close()
    assert not "".join(capfd.readouterr())
