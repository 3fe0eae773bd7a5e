"""The package for Debian and Ubuntu: installed, used and removed on a bare Debian without Python or a network."""

from __future__ import annotations

import gzip
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.drivers.bare_system import HOME, BareSystem, essential
from tests.installing.conftest import GAME, ROOT, SAID
from voicechess import __version__

pytestmark = [
    pytest.mark.frozen,
    pytest.mark.skipif(shutil.which("dpkg-query") is None, reason="the bare system is copied from a Debian"),
]


COMPLETED = """
source /usr/share/bash-completion/completions/voicechess
COMP_WORDS=(voicechess pra) COMP_CWORD=1
f=$(complete -p voicechess | sed "s/.*-F //; s/ .*//")
"$f" voicechess pra voicechess
echo "${COMPREPLY[@]}"
"""
"""What the shell offers after `voicechess pra`."""


@pytest.fixture(scope="module")
def package(frozen: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("deb") / "voicechess.deb"
    made = [sys.executable, str(ROOT / "freeze" / "deb.py"), str(frozen), str(target)]
    done = subprocess.run(made, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return target


@pytest.fixture
def debian(computer: BareSystem, package: Path) -> BareSystem:
    """The bare system with the database of its packages, as dpkg finds it on a real one."""
    kept = computer.root / "var" / "lib" / "dpkg"
    for folder in ("info", "updates", "triggers"):
        (kept / folder).mkdir(parents=True, exist_ok=True)
    status = subprocess.run(["dpkg-query", "-s", *essential()], capture_output=True, text=True, check=True).stdout
    (kept / "status").write_text(status.rstrip("\n") + "\n", "utf-8")
    (kept / "available").touch()
    shutil.copy(package, computer.root / "tmp" / "voicechess.deb")
    return computer


def test_it_is_installed_played_with_and_removed_and_the_games_stay(debian: BareSystem) -> None:
    done = debian.run("dpkg", "--install", "/tmp/voicechess.deb", by_root=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert debian.run("voicechess", "--version").stdout == f"voicechess {__version__}\n"
    doctor = debian.run("voicechess", "doctor").stdout.splitlines()
    assert "Sprachmodell: in Ordnung. Das Sprachmodell starter-de geht." in doctor
    assert "Stimme: in Ordnung. Die Sprachausgabe geht." in doctor
    played = debian.run("voicechess", "play", "--both", "--input", "keyboard", "--output", "text", typed=GAME)
    assert [line for line in played.stdout.splitlines() if line in SAID] == SAID
    assert debian.run("voicechess", "demo").stdout.splitlines()[-1] == "Alle sieben Züge wurden richtig gehört."
    assert debian.run("bash", "-c", COMPLETED).stdout.split() == ["practise"]
    share = debian.root / "usr" / "share"
    page = gzip.decompress((share / "man" / "de" / "man1" / "voicechess.1.gz").read_bytes()).decode()
    assert "Schach mit der Stimme" in page and "Züge ansagen" in page
    assert '<html lang="de">' in (share / "doc" / "voicechess" / "handbuch.html").read_text("utf-8")

    removed = debian.run("dpkg", "--remove", "voicechess", by_root=True)
    assert removed.returncode == 0, removed.stdout + removed.stderr
    assert "Partien und Einstellungen bleiben in ~/.local/share/voicechess." in removed.stdout
    assert not (debian.root / "usr" / "lib" / "voicechess").exists()
    assert not (share / "applications" / "voicechess.desktop").exists()
    assert (debian.root / HOME.strip("/") / ".local" / "share" / "voicechess" / "games.sqlite").is_file()


def test_it_says_truly_what_it_needs(package: Path) -> None:
    """No Python and no library but the C library, in a version that the folder was made with or an older one."""
    needs = subprocess.run(["dpkg-deb", "-f", package, "Depends"], capture_output=True, text=True, check=True).stdout
    name, version = needs.removesuffix(")\n").split(" (>= ")
    assert name == "libc6"
    assert (2, 17) <= tuple(map(int, version.split("."))) <= tuple(map(int, _libc().split(".")))


def _libc() -> str:
    told = subprocess.run(["getconf", "GNU_LIBC_VERSION"], capture_output=True, text=True, check=True).stdout
    return told.split()[1]


def test_menu_entry_and_description_are_what_desktops_take(package: Path, tmp_path: Path) -> None:
    subprocess.run(["dpkg-deb", "-x", package, tmp_path], check=True)
    entry = (tmp_path / "usr/share/applications/voicechess.desktop").read_text("utf-8").splitlines()
    assert entry[0] == "[Desktop Entry]"
    assert {"Type=Application", "Exec=voicechess", "Terminal=true", "Comment[de]=Schach mit der Stimme"} <= set(entry)
    told = ElementTree.parse(tmp_path / "usr/share/metainfo/voicechess.metainfo.xml").getroot()
    assert told.findtext("launchable") == "voicechess.desktop"
    assert told.findtext("project_license") == "GPL-3.0-or-later"
