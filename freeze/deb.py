"""Makes a package for Debian and Ubuntu of the frozen folder: `python freeze/deb.py dist/voicechess TARGET.deb`.

It needs nothing but a C library: the folder brings its Python. The command, its manual page, completion for bash and
zsh, an entry in the menu and the handbook stand where Debian has them. Needs dpkg-deb and shtab.
"""

from __future__ import annotations

import argparse
import gzip
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import shtab

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from voicechess import __version__
from voicechess.cli import COMMANDS, parser
from voicechess.language.folders import LANGUAGES
from voicechess.language.handbook import as_html, as_text, handbook
from voicechess.language.lexicon import load
from voicechess.language.wording import Wording

ROOT = Path(__file__).resolve().parent.parent

ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
ABOUT = {"de": "Schach mit der Stimme", "en": "Chess played by voice"}

DESKTOP = """[Desktop Entry]
Type=Application
Name=voicechess
Comment={en}
Comment[de]={de}
Exec=voicechess
Terminal=true
Categories=Game;BoardGame;
Keywords=chess;Schach;voice;Sprache;
"""

METAINFO = """<?xml version="1.0" encoding="UTF-8"?>
<component type="desktop-application">
  <id>voicechess</id>
  <name>voicechess</name>
  <summary>{en}</summary>
  <summary xml:lang="de">{de}</summary>
  <metadata_license>FSFAP</metadata_license>
  <project_license>GPL-3.0-or-later</project_license>
  <description>
    <p>Chess in the announcing language for blind players. It hears moves and says them, without the Internet.</p>
    <p xml:lang="de">Schach in der Ansagesprache für blinde Spieler. Es hört Züge und sagt sie, ohne Internet.</p>
  </description>
  <launchable type="desktop-id">voicechess.desktop</launchable>
  <provides><binary>voicechess</binary></provides>
  <supports><control>voice</control><control>keyboard</control></supports>
  <content_rating type="oars-1.1"/>
</component>
"""

CONTROL = """Package: voicechess
Version: {version}
Architecture: {architecture}
Maintainer: The voicechess maintainers <voicechess@localhost>
Installed-Size: {size}
Depends: libc6 (>= {libc})
Recommends: libasound2 | libasound2t64, libportaudio2, libpulse0
Suggests: stockfish, speech-dispatcher
Section: games
Priority: optional
Description: {en}
 Chess in the announcing language that FIDE laid down for blind players. It hears
 moves and says them, without the Internet; German first, English too.
"""

REMOVED = """#!/bin/sh
# What people played is theirs: it stays, and they are told where.
if [ "$1" = remove ] || [ "$1" = purge ]; then
  echo "Partien und Einstellungen bleiben in ~/.local/share/voicechess." \
    "Games and settings stay in ~/.local/share/voicechess."
fi
"""


def deb(folder: Path, target: Path) -> Path:
    """The package. Raises CalledProcessError where dpkg-deb refuses it, KeyError on another machine."""
    with tempfile.TemporaryDirectory() as kept:
        root = Path(kept) / "root"
        library, share = root / "usr/lib/voicechess", root / "usr/share"
        shutil.copytree(folder, library, symlinks=True)
        (root / "usr/bin").mkdir()
        (root / "usr/bin/voicechess").symlink_to("../lib/voicechess/voicechess")
        for path, text in _shared().items():
            file = share / path
            file.parent.mkdir(parents=True, exist_ok=True)
            packed = path.endswith(".gz")
            file.write_bytes(gzip.compress(text.encode(), mtime=0) if packed else text.encode())
        control = root / "DEBIAN"
        control.mkdir()
        size = sum(file.stat().st_size for file in root.rglob("*") if file.is_file() and not file.is_symlink()) // 1024
        machine, libc = ARCHITECTURES[_read("uname", "-m")], needed_libc(library)
        facts = {"version": __version__, "architecture": machine, "size": size, "libc": libc}
        (control / "control").write_text(CONTROL.format(**facts, **ABOUT), "utf-8")
        (control / "postrm").write_text(REMOVED, "utf-8")
        for each in root.rglob("*"):
            if not each.is_symlink():
                each.chmod(0o755 if each.is_dir() or each.name in ("voicechess", "postrm") else 0o644)
        root.chmod(0o755)
        build = ["dpkg-deb", "--root-owner-group", "-Zxz", "-z2", "--build", str(root), str(target)]
        subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
    return target


def needed_libc(folder: Path) -> str:
    """The newest version of the C library that a file in the folder asks for ("2.34")."""
    asked = {
        tuple(map(int, found.split(b".")))
        for file in folder.rglob("*")
        if file.is_file() and not file.is_symlink() and (file.suffix == "" or ".so" in file.name)
        for found in re.findall(rb"\x00GLIBC_(2\.\d{1,2})(?=\x00)", file.read_bytes())
    }
    return ".".join(map(str, max(asked)))


def _read(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def _shared() -> dict[str, str]:
    """The files of /usr/share, by their paths there; those named .gz are packed."""
    lines = parser(Wording("en"))
    found = {
        "applications/voicechess.desktop": DESKTOP.format(**ABOUT),
        "metainfo/voicechess.metainfo.xml": METAINFO.format(**ABOUT),
        "bash-completion/completions/voicechess": shtab.complete(lines, "bash"),
        "zsh/vendor-completions/_voicechess": shtab.complete(lines, "zsh"),
        "doc/voicechess/copyright": (ROOT / "LICENSE").read_text("utf-8"),
        "man/man1/voicechess.1.gz": manual_page("en"),
        "man/de/man1/voicechess.1.gz": manual_page("de"),
    }
    for language in LANGUAGES:
        title = load(language).about.handbook
        sections = handbook(language)
        found[f"doc/voicechess/{title}.html"] = as_html(sections, language)
        found[f"doc/voicechess/{title}.txt"] = as_text(sections)
    return found


def manual_page(language: str) -> str:
    """The manual page (troff, man(7)): every command with its explanation, then the whole handbook."""
    top = parser(Wording(language))
    (commands,) = (action for action in top._actions if isinstance(action, argparse._SubParsersAction))
    lines = [".TH VOICECHESS 1", ".SH NAME", f"voicechess \\- {ABOUT[language]}", ".SH SYNOPSIS"]
    lines += [".B voicechess", "[COMMAND] [\\-\\-help]", ".SH COMMANDS"]
    told = {choice.dest: choice.help or "" for choice in commands._choices_actions}
    for choice, text in told.items():
        lines += [".TP", f".B {_troff(choice)}", _troff(text)]
    assert len(told) == len(COMMANDS)
    for section in handbook(language):
        lines.append(f'.SH "{_troff(section.title)}"')
        for passage in section.blocks:
            lines += [".PP", _troff(passage.text)]
    return "\n".join(lines) + "\n"


def _troff(text: str) -> str:
    """Text that troff prints as it is: no line begins with a control character."""
    return "\\&" + text.replace("%%", "%").replace("\\", "\\e").replace("-", "\\-").replace('"', "\\(dq")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    deb(*map(Path, sys.argv[1:]))
