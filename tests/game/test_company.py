"""The player is told from others by how loud they are."""

from __future__ import annotations

import pytest

from voicechess.game import events as ev
from voicechess.game.company import FAR_OFF_DB, SAME_VOICE_DB, TOGETHER_MS, Company
from voicechess.meaning import Command, Meaning, Reading, Unclear, UnclearReason

CLOCK, HELP = Command("time"), Command("help")
TALK = Unclear(UnclearReason.UNKNOWN_WORDS)


def heard(meaning: Meaning, voice_db: int | None, at_ms: int = 0, source: ev.Source = ev.Source.VOICE) -> ev.Heard:
    readings = (Reading(meaning),)
    return ev.Heard(
        at_ms=at_ms, readings=readings, words="", began_ms=at_ms, ended_ms=at_ms, voice_db=voice_db, source=source
    )


def test_before_anything_was_understood_the_player_is_who_is_loudest() -> None:
    company = Company()
    assert company.hears_player(heard(TALK, -40), surely=False)
    assert company.hears_player(heard(TALK, -30), surely=False)
    assert not company.hears_player(heard(TALK, -31 - SAME_VOICE_DB), surely=False)
    assert company.hears_player(heard(CLOCK, -31 - SAME_VOICE_DB), surely=True)
    assert company.hears_player(heard(TALK, -31 - SAME_VOICE_DB), surely=False), "that was the player"


def test_what_was_not_measured_or_was_typed_is_the_players() -> None:
    company = Company((-30,))
    assert company.hears_player(heard(TALK, None), surely=False)
    assert company.hears_player(heard(TALK, -60, source=ev.Source.KEYBOARD), surely=False)


@pytest.mark.parametrize(
    ("first", "later_ms", "second", "counts"),
    [
        (CLOCK, TOGETHER_MS - 1, CLOCK, True),
        (CLOCK, TOGETHER_MS, CLOCK, False),
        (CLOCK, 1_000, HELP, False),
    ],
)
def test_what_is_far_softer_counts_when_it_is_said_again(
    first: Command, later_ms: int, second: Command, counts: bool
) -> None:
    company, soft_db = Company((-30,)), -31 - FAR_OFF_DB
    assert not company.hears_player(heard(first, soft_db), surely=True)
    assert company.hears_player(heard(second, soft_db, later_ms), surely=True) is counts
    assert company.voice_db == (soft_db if counts else -30)


@pytest.mark.parametrize(
    ("levels_db", "player_db"),
    [
        ((-30,), -30),
        ((-30, -20), -30),
        ((-20, -30), -30),
        ((-30, -30, -45), -30),  # talk that was taken for the player's
        ((-30, -30, -15), -30),  # "Nein!"
        ((-30, -30, -30, -40, -40), -40),  # they have leant back
    ],
)
def test_how_loud_the_player_is_the_last_words_tell_and_not_one_of_them(
    levels_db: tuple[int, ...], player_db: int
) -> None:
    company = Company()
    for level_db in levels_db:
        company.understood(heard(CLOCK, level_db))
    assert company.voice_db == player_db


def test_how_loud_the_player_was_before_the_game_counts_as_one_of_their_words() -> None:
    company = Company((-30,))
    for level_db in (-45, -30):
        company.understood(heard(CLOCK, level_db))
    assert company.voice_db == -30
