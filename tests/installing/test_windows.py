"""The program with Windows' Python, under Wine: what a Linux cannot show of locks, files, keys, voices and children.

`python -m tests.drivers.windows FOLDER` makes such a Python, as `.ci/run` does; VOICECHESS_WINDOWS names its folder, or
says "new" to have one made for this run. VOICECHESS_WINDOWS_ROOMS=all tries the other tests too, which takes an hour.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.drivers.terminal import Terminal
from tests.drivers.windows import Windows, missing
from tests.installing.conftest import GAME, ROOT, SAID
from voicechess.app.interruption import INTERRUPTED

pytestmark = [
    pytest.mark.wine,
    pytest.mark.skipif(missing() is not None, reason=str(missing())),
]

ALWAYS = {
    "storage": ("tests/storage", "tests/test_own_files.py"),
    "opponents": tuple(f"tests/opponents/test_{name}.py" for name in ("engine", "bad_engines", "beginner", "levels"))
    + tuple(f"tests/opponents/lichess/test_{name}.py" for name in ("account", "puzzle_answers", "tls", "wire")),
    "app": tuple(
        f"tests/app/test_{name}.py"
        for name in (
            *("games", "keyboard", "page", "board", "late_clock"),
            *("kinds", "envelopes", "exam_results", "old_journals", "game_archive", "opening_index"),
        )
    ),
    "conversations": ("tests/conversations",),
    "game": (
        "--deselect",
        "tests/game/test_dialogues.py::test_each_dialogue_is_replayed_to_the_same_state_after_every_event",
        "tests/game/test_dialogues.py",
        *(
            f"tests/game/test_{name}.py"
            for name in ("commands", "company", "misheard", "phases", "score", "session", "torn_sentence", "walking")
        ),
    ),
    "sound": tuple(f"tests/sound/test_{name}.py" for name in ("files", "speech", "opening", "listener")),
    "commands": (
        "-k",
        "folder or microphone or mistakes or every_option or not_written_over",
        "tests/commands/test_bad_files.py",
        "tests/commands/test_cli.py",
        "tests/commands/test_help.py",
        "tests/commands/test_every_setting.py",
    ),
}
"""Where systems differ: a folder at a file's place has another error there, for one. And what a player meets: every
conversation, and every dialogue of a game."""

NEED_MORE = ("by_ear", "installing", "training")
"""Folders of tests that need PulseAudio, a package index, PyTorch."""

ROOMS = {
    folder.name: (f"tests/{folder.name}",)
    for folder in sorted((ROOT / "tests").iterdir())
    if folder.name not in NEED_MORE and any(folder.rglob("test_*.py"))
}
"""All tests, those that are only computed too: on request."""

ASKED = {**ROOMS, "storage": ALWAYS["storage"]} if os.environ.get("VOICECHESS_WINDOWS_ROOMS") == "all" else ALWAYS

HANGS_S = 3600
"""Far longer than any of them takes on a busy machine."""

NOT_THERE = " and ".join(
    f"not {name}" for name in ("sound", "shared", "index", "frozen", "browser", "reader", "training", "wine")
)
"""What needs PulseAudio, a browser and the like, by the markers."""


def test_it_is_windows(windows: Windows) -> None:
    assert windows.run("-c", "import sys; print(sys.platform, sys.version_info[:2])").stdout.strip() == "win32 (3, 11)"


def test_a_game_is_typed_and_kept(windows: Windows, tmp_path: Path) -> None:
    """Standard input is a pipe; the folder of the games has an umlaut and a space."""
    home = tmp_path / "Jürgen Müller"
    home.mkdir()
    program = f"import os, sys; os.environ['VOICECHESS_HOME'] = r'Z:{home}'; from voicechess.cli import main; "
    play = "sys.exit(main(['play', '--both', '--input', 'keyboard', '--output', 'text']))"
    played = windows.run("-c", program + play, typed=GAME)
    assert [line for line in played.stdout.splitlines() if line in SAID] == SAID
    shown = windows.run("-c", program + "sys.exit(main(['game', 'show']))")
    assert "Springer Gustav eins Felix drei" in shown.stdout or "Sf3" in shown.stdout
    assert (home / "games.sqlite").is_file()


def test_input_from_nowhere_ends_the_program(windows: Windows) -> None:
    code = (
        "import subprocess, sys; sys.exit(subprocess.run([sys.executable, '-m', 'voicechess', 'play', '--both', "
        "'--output', 'text'], stdin=subprocess.DEVNULL, timeout=300).returncode)"
    )
    assert windows.run("-c", code).returncode == 0


def test_a_profile_with_umlauts_and_spaces_does_for_everything(windows: Windows, tmp_path: Path) -> None:
    """Games, settings, temporary files and the model's own ones: all lie below a name as people have them."""
    home = tmp_path / "Jürgen Müller"
    (home / "Temp").mkdir(parents=True)
    code = f"""
import os, subprocess, sys
for name, below in dict(USERPROFILE="", APPDATA="Roaming", LOCALAPPDATA="Local", TEMP="Temp", TMP="Temp").items():
    os.environ[name] = os.path.join(r"Z:{home}", below)
for command in (["settings", "write"], ["demo"], ["play", "--both", "--input", "keyboard", "--output", "text"]):
    done = subprocess.run([sys.executable, "-m", "voicechess", "--lang", "de", *command], input={GAME.encode()!r})
    assert done.returncode == 0, command
"""
    ran = windows.run("-c", code)
    assert ran.returncode == 0, ran.stdout
    assert "Alle sieben Züge wurden richtig gehört." in ran.stdout
    assert [line for line in ran.stdout.splitlines() if line in SAID] == SAID
    assert {path.name for path in (home / "Local" / "voicechess").iterdir()} >= {"games.sqlite", "settings.toml"}


@pytest.mark.parametrize(
    ("target", "told"),
    [
        ("con.html", "ist keine Datei."),
        ("~nobody/x.html", "lässt sich nicht schreiben."),
        (f"{'x' * 300}.html", "lässt sich nicht schreiben."),
    ],
)
def test_where_nothing_can_be_written_is_told(windows: Windows, tmp_path: Path, target: str, told: str) -> None:
    """Not a file with the attribute "read-only": Wine lets root write into it."""
    code = f"""
import os
from voicechess.cli import main
os.chdir(r"Z:{tmp_path}")
assert main(["--lang", "de", "manual", "--overwrite", "--out", {target!r}]) == 2
"""
    ran = windows.run("-c", code)
    assert ran.returncode == 0, ran.stdout
    assert told in ran.stdout


def test_a_console_of_another_code_page_is_written_to(windows: Windows) -> None:
    code = (
        "import os, subprocess, sys; os.environ['PYTHONIOENCODING'] = 'cp437'; "
        "sys.exit(subprocess.run([sys.executable, '-m', 'voicechess', '--lang', 'de', 'manual']).returncode)"
    )
    ran = windows.run("-c", code)
    assert ran.returncode == 0, ran.stdout
    assert "Züge ansagen" in ran.stdout


def test_in_a_console_a_line_is_typed_and_mended_and_control_c_ends_it(windows: Windows, tmp_path: Path) -> None:
    """Wine shows the console at our terminal: Windows' own calls read the keys."""
    home = f"import os; os.environ['VOICECHESS_HOME'] = r'Z:{tmp_path}'; "
    play = "['--lang', 'de', 'play', '--both', '--input', 'keyboard', '--output', 'text']"
    code = f"{home}import sys; from voicechess.cli import main; sys.exit(main({play}))"
    console = Terminal(windows.command("-c", code), windows.environment)
    try:
        console.read_until("Weiß beginnt.")
        for key in ("Sprinter", *"\x7f" * 3, "ger g1 f3\r"):
            console.type(key.encode())
        console.read_until("Springer Gustav eins Felix drei.")
        console.type(b"\x03")
        console.read_until("Unterbrochen. Die Partie ist gespeichert.")
        assert console.wait() == INTERRUPTED, console.shown
        assert "Unterbrochen" in console.shown and "Traceback" not in console.shown
    finally:
        console.process.kill()
        console.close()


PRODUCTS = """
import sys
sys.path.insert(0, {folder!r})
import numpy as np
assert np.__file__.startswith({folder!r})
chance = np.random.default_rng(1)

def plain(a, b):
    return np.array([[sum((x * y for x, y in zip(row, column)), a.dtype.type(0)) for column in b.T] for row in a])

for kind in ("f4", "f8", "c8", "c16"):
    def some(*shape):
        made = chance.integers(-9, 9, shape).astype(kind)
        return made + 1j * chance.integers(-9, 9, shape).astype(kind) if kind[0] == "c" else made
    a, b, x, y = some(5, 7), some(7, 4), some(50), some(7)
    both = [(a, b), (a, a.T), (a.T, a), (b.T, a.T), (a[::2, ::3], b[::3, ::-1]), (np.asfortranarray(a), b)]
    for left, right in (*both, (a.conj(), a.conj().T)):
        known = plain(left, right)
        assert (left @ right == known).all(), (kind, left.shape)
        assert (left @ right[:, 0] == known[:, 0]).all()
        assert (left[0] @ right == known[0]).all()
        assert left[0].dot(right[:, 0]) == known[0, 0]
        assert np.vdot(left[0], right[:, 0]) == plain(left.conj(), right)[0, 0]
    assert (np.convolve(x, y) == [sum(x[i] * y[n - i] for i in range(50) if 0 <= n - i < 7) for n in range(56)]).all()
print("right", flush=True)
np.linalg.solve(np.eye(3), np.ones(3))
"""


def test_the_frozen_folder_multiplies_without_openblas(windows: Windows, tmp_path: Path) -> None:
    """34 MB smaller (freeze/blas.c). Small whole numbers: what is computed is exact."""
    packages = windows.folder / "cpython" / "Lib" / "site-packages"
    for name in ("numpy", "numpy.libs"):
        shutil.copytree(packages / name, tmp_path / name)
    (library,) = (tmp_path / "numpy.libs").glob("libopenblas64_*.dll")
    subprocess.run([sys.executable, str(ROOT / "freeze" / "blas.py"), str(library)], check=True)
    ran = windows.run("-c", PRODUCTS.format(folder="Z:" + str(tmp_path).replace("/", "\\")))
    assert (ran.returncode, ran.stdout) == (3, "right\nNo linear algebra in this folder: dcopy\n")


@pytest.mark.parametrize("room", ASKED)
def test_the_tests_pass(windows: Windows, room: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Those that need POSIX, or what Wine lacks, are skipped there by name; how many is printed."""
    asked = ("-p", "no:cacheprovider", "--hypothesis-seed=0", "-m", NOT_THERE, *ASKED[room])
    ran = windows.run("-m", "pytest", *asked, timeout_s=HANGS_S)
    assert ran.returncode == 0, ran.stdout[-6000:]
    (counted,) = re.findall(r"^\d+ passed.*", ran.stdout, re.MULTILINE)
    skipped = [line for line in ran.stdout.splitlines() if line.startswith("SKIPPED")]
    assert not [line for line in skipped if re.search("not installed|could not import|no German speech model", line)]
    with capsys.disabled():
        print(f"\nunder Wine, {room}: {counted}", *skipped, sep="\n")
