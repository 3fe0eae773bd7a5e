"""Every option of every command explains itself, in both languages (issue 49, 21)."""

from __future__ import annotations

import argparse

import pytest

from voicechess.cli import COMMANDS, main, parser
from voicechess.language.folders import LANGUAGES
from voicechess.language.sentences import load_sentences
from voicechess.language.wording import UNKNOWN_KEY, Wording

LACKING = {
    language: max(
        (part for part in load_sentences(language).templates[UNKNOWN_KEY].parts if isinstance(part, str)), key=len
    )
    for language in LANGUAGES
}
"""What is said for a key that has no sentence, without the key."""


def actions(top: argparse.ArgumentParser) -> list[tuple[str, argparse.Action]]:
    (commands,) = (one for one in top._actions if isinstance(one, argparse._SubParsersAction))
    return [(name, action) for name, sub in commands.choices.items() for action in sub._actions]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_has_a_sentence_of_its_own(command: str, language: str) -> None:
    wording = Wording(language, strict=True)  # a key without a sentence raises
    found = [action for name, action in actions(parser(wording, [command])) if name == command]
    assert len(found) >= 3
    for action in found:
        assert action.help, action
        assert LACKING[language] not in action.help, action.option_strings


def test_a_value_is_written_as_it_is_typed() -> None:
    helps = {action.dest: action.help or "" for name, action in actions(parser(Wording("de"))) if name == "online"}
    assert helps["action"].startswith("login ") and helps["colour"].startswith("white, ")
    assert helps["days"].startswith("Tage")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["plya"], "Diese Angabe verstehe ich nicht: plya. Meinten Sie play?"),
        (["play", "--board", "pgae"], "Diese Angabe verstehe ich nicht: pgae. Meinten Sie page?"),
        (["online", "play", "--colour", "blue"], "Diese Angabe verstehe ich nicht: blue. Möglich sind white, black "),
        (["game", "tell"], "Diese Angabe verstehe ich nicht: tell. Möglich sind list, find, show, export, "),
    ],
)
def test_a_wrong_value_is_told_with_what_is_right(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert capsys.readouterr().err.startswith(told)
