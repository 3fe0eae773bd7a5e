"""A language is one folder: a skeleton of French is laid into a copy of the program, and nothing else is changed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from voicechess.language import folders
from voicechess.language.folders import LANGUAGES, SWITCHES, filled_up

ROOT = Path(__file__).parents[2]
FRENCH = Path(__file__).parent / "fr"
GAME = "e4\ne5\ncavalier Gustav un Felix trois\n"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the program, which has one language more."""
    folder = tmp_path_factory.mktemp("french")
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "voicechess", folder / "voicechess", ignore=ignored)
    shutil.rmtree(folder / "voicechess" / "language" / "fr", ignore_errors=True)
    shutil.copytree(FRENCH, folder / "voicechess" / "language" / "fr")
    return folder


def test_the_words_of_a_subject_may_stand_beside_its_sentences_once(monkeypatch: pytest.MonkeyPatch) -> None:
    files: dict[str, dict[str, Any]] = {
        "words.toml": {"commands": {"stop": ["stopp"]}, "choices": {"usual": ["wie immer"]}},
        "game.toml": {"commands": {"count": ["wie viele"]}, "sentences": {"count": "{count}."}},
    }
    monkeypatch.setattr(folders, "read_data", lambda language, name: files.get(name, {}))
    assert folders.read_words("de") == {
        "commands": {"stop": ["stopp"], "count": ["wie viele"]},
        "choices": {"usual": ["wie immer"]},
    }
    files["game.toml"]["choices"] = {"usual": ["immer"]}
    with pytest.raises(ValueError, match=r"choices\.usual stands in game\.toml as well"):
        folders.read_words("de")


def run(copy: Path, home: Path, *arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "voicechess", *arguments],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy), "VOICECHESS_HOME": str(home)},
        input=typed,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=300,
    )


def settle(copy: Path, home: Path, **settings: str) -> None:
    """Settings as a person writes them into the file."""
    path = Path(run(copy, home, "settings", "path").stdout.strip())
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f'{key} = "{value}"\n' for key, value in settings.items()), encoding="utf-8")


PLAY = ("play", "--both", "--input", "keyboard", "--output", "text")


def test_moves_are_understood_and_announced_in_the_new_language(copy: Path, tmp_path: Path) -> None:
    settle(copy, tmp_path, style="own")
    done = run(copy, tmp_path, *PLAY, "--lang", "fr", typed=GAME)
    lines = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (0, "")
    assert "Cavalier Gustav un Felix trois." in lines
    assert "The input has ended. The game is saved." in lines, "what it has no sentence for is English"


def test_words_alone_make_a_language_that_speaks_english(copy: Path, tmp_path: Path) -> None:
    bare = copy / "voicechess" / "language" / "xx"
    bare.mkdir()
    try:
        words = (FRENCH / "words.toml").read_text(encoding="utf-8").replace('code = "fr"', 'code = "xx"')
        (bare / "words.toml").write_text(words.partition("[ranks]")[0], encoding="utf-8")
        done = run(copy, tmp_path, *PLAY, "--lang", "xx", typed="e4\n")
    finally:
        shutil.rmtree(bare)
    lines = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (0, "")
    assert "Pawn Eva two Eva four." in lines and "The input has ended. The game is saved." in lines


def test_it_is_asked_for_by_its_own_words_everywhere(copy: Path, tmp_path: Path) -> None:
    done = run(copy, tmp_path, *PLAY, "--lang", "de", typed="français\nauf deutsch\n")
    lines = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (0, "")
    assert [line for line in lines if line in ("En français maintenant.", "Jetzt Deutsch.")] == [
        "En français maintenant.",
        "Jetzt Deutsch.",
    ]


def test_the_settings_take_it_and_the_doctor_counts_what_it_lacks(copy: Path, tmp_path: Path) -> None:
    settle(copy, tmp_path, language="fr")
    told = [line for line in run(copy, tmp_path, "doctor").stdout.splitlines() if line.startswith("Language: ")]
    assert len(told) == 1
    assert "Français" in told[0]
    assert not [
        line for line in run(copy, tmp_path, "doctor", "--lang", "en").stdout.splitlines() if "Français" in line
    ]


def test_the_languages_of_this_program() -> None:
    assert LANGUAGES[0] == "de" and "en" in LANGUAGES, "German is spoken where nothing else was chosen"
    assert SWITCHES.items() >= {"german": "de", "english": "en"}.items(), "journals have these commands"
    assert set(SWITCHES.values()) == set(LANGUAGES)


def test_what_a_language_has_itself_goes_before_what_the_other_has() -> None:
    own = {"ranks": {"1": ["un"]}, "typed": {"king": ["r"]}}
    other = {"ranks": {"1": ["one"], "2": ["two"]}, "typed": {"files": {"a": ["alpha"]}}, "own": {"words": ["my"]}}
    assert filled_up(own, other) == {
        "ranks": {"1": ["un"], "2": ["two"]},
        "typed": {"king": ["r"], "files": {"a": ["alpha"]}},
        "own": {"words": ["my"]},
    }


def test_a_table_of_forms_is_taken_whole() -> None:
    own, other = {"times": {"many": "{count}mal"}}, {"times": {"2": "twice"}, "styles": {"own": {"files": []}}}
    assert filled_up(own, other, entries=False) == {"times": {"many": "{count}mal"}, "styles": {"own": {"files": []}}}
