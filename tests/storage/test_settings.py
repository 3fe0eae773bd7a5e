"""The file of settings: written with explanations, read with distrust."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voicechess.game.agreement import GameSettings
from voicechess.language.folders import LANGUAGES
from voicechess.language.wording import Wording
from voicechess.laws.draws import Quickplay
from voicechess.messages import Failure, Phrase
from voicechess.storage.settings import (
    SETTINGS,
    GamePreferences,
    LibraryPreferences,
    Preferences,
    TonePreferences,
    read_settings,
    settings_text,
    write_settings,
)


def read(tmp_path: Path, text: str) -> tuple[Preferences, list[str]]:
    path = tmp_path / "settings.toml"
    path.write_text(text, "utf-8")
    found, problems = read_settings(path)
    for language in LANGUAGES:
        for problem in problems:
            assert str(path) in Wording(language, strict=True).say(problem.phrase)
    return found, [problem.key.removeprefix("settings.") for problem in problems]


def test_every_setting_is_in_the_file_and_the_other_way_round() -> None:
    kinds = (Preferences, GamePreferences, LibraryPreferences, TonePreferences)
    fields = {field.name for kind in kinds for field in dataclasses.fields(kind)} - {"game", "games", "tones"}
    assert set(SETTINGS) == fields


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_written_file_reads_as_what_was_written(tmp_path: Path, language: str) -> None:
    wording = Wording(language, strict=True)
    assert read(tmp_path, settings_text(wording.say)) == (Preferences(), [])
    changed = Preferences(
        language="en",
        voice='Änne 🎙 "die Erste" \\ ü',
        rate=220,
        volume=0.5,
        tones=TonePreferences(heard=False),
        game=GamePreferences(time="5+3", default_time=0, thresholds=(60, 10)),
    )
    text = settings_text(wording.say, changed)
    assert read(tmp_path, text) == (changed, [])
    assert read(tmp_path, text.replace("\n", "\r\n"))[0] == changed
    for setting in SETTINGS.values():  # each is explained right before it stands
        before, _, _ = text.partition(f"\n{setting.name} = ")
        assert before.rsplit("\n", 1)[-1].startswith("# ")


def test_no_file_means_defaults(tmp_path: Path) -> None:
    assert read_settings(tmp_path / "none.toml") == (Preferences(), ())
    assert read_settings(Path(os.devnull) / "none.toml") == (Preferences(), ())


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("level = 3", "unknown_near"),
        ("[game]\nlevle = 3", "unknown_near"),
        ("[voice]\nqqqqq = 1", "unknown"),
        ("xyzzy = 1", "unknown"),
        ("[[voice]]\nrate = 200", "unknown_near"),
        ("voice = 3", "unknown_near"),
        ('language = "fr"', "no_choice"),
        ("language = 1", "no_choice"),
        ("[game]\nlaws = 1700", "no_choice"),
        ("[game]\nlaws = 2023.0", "no_choice"),
        ("[game]\nlevel = 11", "no_number"),
        ("[game]\nlevel = true", "no_number"),
        ("[game]\nlevel = 3.0", "no_number"),
        ('[game]\nlevel = "3"', "no_number"),
        ("[voice]\nvolume = nan", "no_number"),
        ("[voice]\nvolume = inf", "no_number"),
        ("[voice]\nrate = 79", "no_number"),
        ('[tones]\nheard = "true"', "no_switch"),
        ("[tones]\nheard = 1", "no_switch"),
        ("[game]\ndefault_time = 1441", "no_number"),
        ('[game]\ndefault_time = "60"', "no_number"),
        ("[game]\ndefault_time = true", "no_number"),
        ("[game]\nthresholds = 60", "no_numbers"),
        ("[game]\nthresholds = [60, true]", "no_numbers"),
        ("[game]\nthresholds = [-1]", "no_numbers"),
        ("[sound]\nmicrophone = 1", "no_words"),
        ('[sound]\nmicrophone = "a\\u0007b"', "no_words"),
        ('[game]\ntime = "soon"', "no_time"),
        pytest.param(
            '[sound]\nmodel = "~nobody-of-this-name/x"',
            "no_home",
            marks=pytest.mark.skipif(os.name == "nt", reason="on Windows everybody's home is beside one's own"),
        ),
        ('[sound]\nmicrophone = "' + "x" * 1001 + '"', "too_long"),
        ("[game]\nlevel = " + "9" * 4000, "no_number"),
        ("[voice]\nvolume = " + "9" * 4000, "no_number"),
        ("[game]\nlaws = " + "9" * 4000, "no_choice"),
        ("[game]\nthresholds = [" + "9" * 4000 + "]", "no_numbers"),
        ("[game]\nlevel = " + "9" * 5000, "no_toml"),
        ("a." * 20_000 + "a = 1", "no_toml"),
        ("[" + "a." * 20_000 + "a]", "no_toml"),
        ("language = de", "no_toml"),
        ("language", "no_toml"),
        ('language = "de"\nlanguage = "en"', "no_toml"),
        ("a = " + "[" * 50_000, "no_toml"),
    ],
)
def test_each_wrong_entry_is_one_sentence_and_its_default_holds(tmp_path: Path, text: str, key: str) -> None:
    found, keys = read(tmp_path, text)
    assert keys == [key]
    assert found == Preferences()


def test_right_entries_hold_beside_wrong_ones(tmp_path: Path) -> None:
    found, keys = read(tmp_path, 'language = "en"\nstyle = "x"\n[voice]\nvolume = 1\nrate = 9\n[tones]\nheard = false')
    assert keys == ["no_choice", "no_number"]
    assert found == Preferences(language="en", volume=1.0, tones=TonePreferences(heard=False))


def test_the_line_of_a_mistake_is_named(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text('language = "de"\n\nstyle = fide\n')
    assert read_settings(path)[1][0].slots["number"] == 3
    for long in ("[game]\nlevel = " + "9" * 5000, "\n" + "a." * 2_000 + "a = 1"):
        path.write_text(long + "\nstyle = 'fide'\n")
        assert read_settings(path)[1][0].slots["number"] == 2


@pytest.mark.parametrize(
    ("content", "key"),
    [
        (b"\xff\xfe\x00", "no_text"),
        ("language = 'größer'".encode("latin-1"), "no_text"),
        (b"#" * (2 << 20), "too_large"),
        (b"a." * (1 << 19) + b"a = 1", "too_large"),
    ],
)
def test_files_that_are_no_text(tmp_path: Path, content: bytes, key: str) -> None:
    path = tmp_path / "settings.toml"
    path.write_bytes(content)
    found, problems = read_settings(path)
    assert found == Preferences()
    assert [problem.key for problem in problems] == [f"settings.{key}"]


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    assert [problem.key for problem in read_settings(tmp_path)[1]] == ["settings.unreadable"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has other pipes")
def test_a_pipe_and_a_device_without_end_are_no_file(tmp_path: Path) -> None:
    pipe, zero = tmp_path / "pipe", tmp_path / "zero"
    os.mkfifo(pipe)
    zero.symlink_to("/dev/zero")
    for path in (pipe, zero):
        assert [problem.key for problem in read_settings(path)[1]] == ["settings.unreadable"]


def test_not_more_is_told_than_anybody_reads(tmp_path: Path) -> None:
    _, keys = read(tmp_path, "\n".join(f"q{number} = 1" for number in range(5_000)))
    assert keys == ["unknown"] * 20


def test_a_comment_may_have_as_many_dots_as_it_likes(tmp_path: Path) -> None:
    assert read(tmp_path, " # " + "." * 2_000 + '\nlanguage = "en"') == (Preferences(language="en"), [])


def test_a_byte_order_mark_is_no_mistake(tmp_path: Path) -> None:
    assert read(tmp_path, '\ufefflanguage = "en"') == (Preferences(language="en"), [])


TOML_VALUES: st.SearchStrategy[Any] = st.one_of(
    st.sampled_from(["true", "-1", "1e400", '""', "[]", "{}", "[[]]", "07:32:00", "1979-05-27", '"5+3"', "3", "0x10"]),
    st.text(max_size=6),
)


@settings(max_examples=150)
@given(st.lists(st.tuples(st.sampled_from(list(SETTINGS.values())), TOML_VALUES), max_size=4))
def test_nothing_that_stands_in_the_file_raises(
    tmp_path_factory: pytest.TempPathFactory, entries: list[tuple[Any, str]]
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.toml"
    lines = [f"{setting.place} = {value}" for setting, value in entries]
    path.write_text("\n".join(lines), "utf-8", errors="replace")
    found, _ = read_settings(path)
    values = dataclasses.asdict(found)
    values |= values.pop("game") | values.pop("games") | values.pop("tones")
    assert set(map(type, values.values())) <= {
        str,
        int,
        float,
        bool,
        tuple,
        type(None),
    }


def test_writing_never_overwrites(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "settings.toml"
    write_settings(path, "a")
    with pytest.raises(Failure) as caught:
        write_settings(path, "b")
    assert caught.value.key == "settings.exists"
    assert [file.name for file in path.parent.iterdir()] == ["settings.toml"]
    assert path.read_text() == "a"
    with pytest.raises(Failure) as caught:
        write_settings(path / "below", "b")
    assert caught.value.key == "settings.unwritable"


def test_a_tournament_has_touch_move_and_penalties() -> None:
    agreed = Preferences(game=GamePreferences(preset="tournament")).terms(lambda: True)
    assert agreed.touch_move and agreed.penalties
    tournament = GamePreferences(preset="tournament", touch_move=False, penalties=False)
    without = Preferences(game=tournament).terms(lambda: True)
    assert not (without.touch_move or without.penalties)
    assert not Preferences(game=GamePreferences(preset="strict-blind")).terms(lambda: True).penalties


def test_thresholds_for_the_game() -> None:
    assert Preferences().terms(lambda: True) == GameSettings(quickplay=Quickplay.OFF)
    assert Preferences(game=GamePreferences(thresholds=(60, 10))).terms(lambda: True).personal.thresholds_ms == (
        60_000,
        10_000,
    )


def test_explanations_name_their_choices() -> None:
    text = settings_text(lambda phrase: Wording("en", strict=True).say(Phrase(phrase.key, phrase.slots)))
    assert "80 to 450" in text
    assert "2023" in text
