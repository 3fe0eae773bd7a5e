"""`voicechess online` at the stand-in: the account, and what is given on the command line."""

from __future__ import annotations

import io
import stat
import sys
import webbrowser
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.drivers.lichess.faults import Fault, Kind
from tests.drivers.lichess.standin import StandIn
from tests.drivers.lichess.world import ALL_SCOPES
from voicechess.cli import main
from voicechess.storage.places import data_folder, token_file

NOBODY = "Niemand ist angemeldet. Anmelden mit: voicechess online login.\n"


@pytest.fixture
def lichess() -> Iterator[StandIn]:
    with StandIn() as standin:
        yield standin


def online(lichess: StandIn | str, *arguments: str) -> int:
    return main(["online", *arguments, "--server", lichess if isinstance(lichess, str) else lichess.url])


def log_in(lichess: StandIn, monkeypatch: pytest.MonkeyPatch, name: str = "Anna") -> str:
    token = lichess.token(name)
    monkeypatch.setattr("sys.stdin", io.StringIO(token + "\n"))
    assert online(lichess, "login", "--token", "-") == 0
    return token


def test_a_token_comes_from_standard_input_and_is_kept_where_only_its_owner_reads_it(
    lichess: StandIn, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    token = log_in(lichess, monkeypatch)
    assert capsys.readouterr().out == "Sie sind angemeldet.\n"
    if sys.platform != "win32":
        assert stat.S_IMODE(token_file().stat().st_mode) == 0o600
    assert online(lichess, "games") == 0
    assert capsys.readouterr().out == "Keine Partie läuft.\n"
    assert online(lichess, "logout") == 0
    assert capsys.readouterr().out == "Sie sind abgemeldet.\n"
    assert token not in lichess.do(lambda world: world.tokens), "the server has forgotten it as well"
    assert not token_file().exists()
    assert online(lichess, "games") == 2
    told = capsys.readouterr()
    assert told.err == NOBODY
    assert token not in told.out + told.err


def test_a_token_comes_from_a_file(lichess: StandIn, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "token"
    file.write_text(lichess.token("Anna"))
    assert online(lichess, "login", "--token", str(file)) == 0
    assert online(lichess, "login", "--token", str(tmp_path / "none")) == 2
    assert capsys.readouterr().err == f"Die Datei {tmp_path / 'none'} lässt sich nicht lesen.\n"


@pytest.mark.parametrize(
    ("action", "options", "named"),
    [
        ("login", ["--time", "10+5"], "--time"),
        ("login", ["--level", "3"], "--level"),
        ("login", ["--960"], "--960"),
        ("login", ["--casual"], "--rated/--casual"),
        ("login", ["--input", "keyboard"], "--input"),
        ("logout", ["--token", "file"], "--token"),
        ("games", ["--output", "text"], "--output"),
        ("games", ["--no-push-to-talk"], "--push-to-talk"),
    ],
)
def test_who_logs_in_or_lists_games_takes_only_its_own_options(
    action: str, options: list[str], named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert online("http://127.0.0.1:9", action, *options) == 2
    assert capsys.readouterr().err == f"{named} gehört nicht zu: voicechess online {action}.\n"


def test_logging_in_with_the_browser(
    lichess: StandIn, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lichess.account("Anna")
    monkeypatch.setattr(webbrowser, "open", lichess.browser("Anna"))
    assert online(lichess, "login") == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith(
        f"Melden Sie sich im Browser an. Öffnet er sich nicht, ist das die Adresse: {lichess.url}"
    )
    assert told[1] == "Sie sind angemeldet."
    assert online(lichess, "games") == 0
    monkeypatch.setattr(webbrowser, "open", lichess.browser(None))
    assert online(lichess, "login") == 2
    assert capsys.readouterr().err.startswith("Die Anmeldung wurde abgelehnt.")


@pytest.mark.parametrize("token", ["", "lip_wrong", "with blanks", "\x1b[2J", "x" * 10_000, "schlüssel"])
def test_what_is_no_token_is_one_sentence(
    token: str, lichess: StandIn, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(token))
    assert online(lichess, "login", "--token", "-") == 2
    assert capsys.readouterr().err == "Das ist kein Zugangsschlüssel von Lichess.\n"
    assert not token_file().exists()


def test_a_token_that_allows_too_little_is_refused_and_one_without_friends_is_told(
    lichess: StandIn, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(lichess.token("Anna", ["challenge:read"])))
    assert online(lichess, "login", "--token", "-") == 2
    told = capsys.readouterr().err
    assert told.startswith("Der Schlüssel erlaubt nicht genug. Ihm fehlt: board:play, challenge:write")
    without = [scope for scope in ALL_SCOPES if scope != "follow:read"]
    monkeypatch.setattr("sys.stdin", io.StringIO(lichess.token("Anna", without)))
    assert online(lichess, "login", "--token", "-") == 0
    assert "Freunde lassen sich nicht vorlesen" in capsys.readouterr().out


def test_a_token_that_was_revoked_is_told(
    lichess: StandIn, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lichess.revoke(log_in(lichess, monkeypatch))
    sentence = "Die Anmeldung gilt nicht mehr. Melden Sie sich neu an: voicechess online login.\n"
    for action in (("games",), ("play", "--input", "keyboard", "--output", "text")):
        capsys.readouterr()
        assert online(lichess, *action) == 2
        assert capsys.readouterr().err == sentence


def test_no_network_is_told_and_logging_out_is_done_here_at_least(
    lichess: StandIn, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    log_in(lichess, monkeypatch)
    lichess.disconnect()
    assert online(lichess, "games") == 2
    assert capsys.readouterr().err == "Der Server ist nicht zu erreichen: dort nimmt niemand an.\n"
    assert online(lichess, "logout") == 2
    assert capsys.readouterr().err.startswith("Hier sind Sie abgemeldet, bei Lichess nicht: Der Server ist nicht")
    assert not token_file().exists()
    assert online(lichess, "logout") == 2
    assert capsys.readouterr().err == NOBODY


def test_a_server_that_answers_nonsense_is_told(
    lichess: StandIn, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    log_in(lichess, monkeypatch)
    lichess.break_(Fault(Kind.SPOIL_ANSWER, "GET */account", times=None, body=b"<html>\x1b[2J"))
    assert online(lichess, "games") == 2
    assert capsys.readouterr().err == "Beim Server ist etwas schiefgegangen.\n"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("play", "--server", "ftp://lichess.org"), "Das ist keine Adresse eines Servers: ftp://lichess.org."),
        (("play", "--server", "http://lichess.org"), "Das ist keine Adresse eines Servers: http://lichess.org."),
        (("play", "--level", "9"), "--level muss zwischen eins und acht liegen."),
        (("play", "--time", "5d3"), "Diese Bedenkzeit gibt es bei Lichess nicht: 5d3. Zum Beispiel 10+5."),
        (("play", "--time", "90/40:30"), "Diese Bedenkzeit gibt es bei Lichess nicht: 90/40:30. Zum Beispiel 10+5."),
        (("play", "--days", "4"), "Tage je Zug gibt es: eins, zwei, drei, fünf, sieben, zehn oder vierzehn."),
        (("challenge",), "Es fehlt: NAME. Mehr zeigt: voicechess online --help."),
        (("play", "Bert"), "Diese Angabe verstehe ich nicht: Bert. Welche Angaben es gibt, zeigt: voicechess --help."),
    ],
)
def test_wrong_arguments_are_one_sentence(
    arguments: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["online", *arguments]) == 2
    assert capsys.readouterr().err == sentence + "\n"


def test_games_in_progress_are_listed(
    lichess: StandIn, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    log_in(lichess, monkeypatch)
    game = lichess.play("Anna", "Bert")
    capsys.readouterr()
    assert online(lichess, "games") == 0
    told = capsys.readouterr().out
    assert told.startswith("Eins: gegen Bert, tausendfünfhundert, Sie sind am Zug")
    assert told.endswith(f"{lichess.url}/{game.id}\n")


def test_doctor_tells_whether_there_is_an_account_and_never_the_token(capsys: pytest.CaptureFixture[str]) -> None:
    main(["doctor"])
    assert "Lichess: in Ordnung. Niemand ist angemeldet." in capsys.readouterr().out
    data_folder().mkdir(parents=True, exist_ok=True)
    token_file().write_text('{"https://lichess.org": "lip_secret"}')
    main(["doctor"])
    told = capsys.readouterr().out
    assert "Lichess: in Ordnung. Jemand ist angemeldet." in told and "secret" not in told
