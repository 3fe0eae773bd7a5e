"""Whoever starts the program at a terminal is told at once that it begins: until the first sentence much is loaded."""

from __future__ import annotations

import pytest

from voicechess import cli
from voicechess.messages import Failure


@pytest.mark.parametrize(
    ("arguments", "terminal", "told"),
    [
        ([], True, True),
        (["--lang", "de"], True, True),
        (["play", "--white"], True, True),
        (["practise"], True, True),
        ([], False, False),  # what reads from a pipe wants the program's own lines
        (["play", "--help"], True, False),
        (["--version"], True, False),
        (["game", "list"], True, False),
        (["online", "play", "--lang", "de"], True, True),
        (["online", "games"], True, False),
    ],
)
def test_it_tells_that_it_begins_before_it_loads_what_it_needs(
    arguments: list[str],
    terminal: bool,
    told: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    loaded: list[str] = []

    def load(*_arguments: object) -> object:
        loaded.append(capsys.readouterr().out)
        raise Failure("cli.interrupted")

    monkeypatch.setattr(cli, "parser", load)
    monkeypatch.setattr("sys.stdout.isatty", lambda: terminal)
    cli.main(arguments)
    assert loaded == ["Voicechess beginnt.\n" if told else ""]
