"""Every dialogue says exactly what its file says; together they show every command, every sentence, every ending."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

import voicechess.language
from tests.drivers.dialogues import FOLDER, Play, read, written
from voicechess.game.commands import COMMANDS
from voicechess.storage.codec import encode_event

# No words mean these (a new king, a new piece for a queen); `test_reasons` shows them by their meanings.
NOT_IN_WORDS = {"refuse.promotion_only_pawns", "refuse.promotion_piece"}
FILES = sorted(FOLDER.glob("*.txt"))


@lru_cache
def played(path: Path) -> tuple[Play, str]:
    dialogue = read(path)
    play = Play(dialogue)
    return play, written(dialogue, play.run())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_dialogue(path: Path, request: pytest.FixtureRequest) -> None:
    _, text = played(path)
    if request.config.getoption("--rewrite-dialogues"):
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


def test_there_are_dialogues() -> None:
    assert len(FILES) >= 40


def test_a_greeting_that_is_left_out_is_written_in_another_dialogue() -> None:
    plays = [played(path)[0] for path in FILES]
    written_out = {play.greeting for play in plays if play.dialogue.settings.get("greeting") == "yes"}
    missing = {play.dialogue.about for play in plays if play.greeting not in written_out}
    assert not missing


def test_what_the_recogniser_is_offered_is_written_for_every_phase() -> None:
    plays = [played(path)[0] for path in FILES]
    written_out = [play for play in plays if play.listens]
    assert len(written_out) >= 12
    assert set().union(*(play.phases for play in written_out)) == set().union(*(play.phases for play in plays))


def leaves(table: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """The keys of all sentences in a table and the tables in it."""
    for key, value in table.items():
        if isinstance(value, str):
            yield path + key
        else:
            yield from leaves(value, f"{path}{key}.")


def test_every_sentence_of_a_game_is_said_in_some_dialogue() -> None:
    folder = Path(voicechess.language.__file__).parent
    table = tomllib.loads((folder / "de" / "game.toml").read_text(encoding="utf-8"))["sentences"]
    keys = set(leaves(table))
    said = {key for path in FILES for key in played(path)[0].said_keys}
    in_the_analysis = {"not_understood.thing.take_back"}
    assert keys - said - NOT_IN_WORDS - in_the_analysis == set()


def test_every_command_is_heard_in_some_dialogue() -> None:
    heard = {name for path in FILES for name in played(path)[0].commands}
    elsewhere = {"mistake", "practise", "analyse", "set_up"}  # practice answers them, in the dialogues of its own
    assert {name for name, row in COMMANDS.items() if row.heard} - elsewhere - heard == set()


def test_each_dialogue_is_replayed_to_the_same_state_after_every_event() -> None:
    from voicechess.app.kinds import session_of

    for path in FILES[::4]:
        play = played(path)[0]
        fresh = session_of(play.session.settings)
        live = session_of(play.session.settings)
        for event in play.log:
            assert live.handle(event) == fresh.handle(event)
        assert (fresh.phase, fresh.board, fresh.clock, fresh.plies) == (
            play.session.phase,
            play.session.board,
            play.session.clock,
            play.session.plies,
        )


def test_what_was_said_for_the_envelope_is_in_no_event() -> None:
    play = played(FOLDER / "adjourned_changed.txt")[0]
    journal = "".join(encode_event(event) for event in play.log)
    assert "Sealed" in journal
    assert not any(told in journal for told in ("cesar", "bella", "eva vier", "david", "springer", '"to_file":1'))
