"""Packs the frozen program so that it runs from a stick: `python freeze/pack.py dist/voicechess TARGET [SOURCE]`.

TARGET ends in .zip (Windows) or .tar.gz (elsewhere, where files have rights). The folder for games lies beside the
program in it. SOURCE, the source distribution, goes along with it, as the licence wants.
"""

from __future__ import annotations

import sys
import tarfile
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from start import GAMES_BESIDE

NAME = "voicechess"
ABOUT = """Hier stehen Einstellungen, Partien und Sprachmodelle, solange dieser Ordner neben dem Programm liegt.
Settings, games and speech models are kept here as long as this folder lies beside the program.
"""


def pack(folder: Path, target: Path, source: Path | None = None) -> None:
    """Write the archive. Raises OSError, and ValueError for another kind of archive."""
    about = folder.parent / "about.txt"
    about.write_text(ABOUT, "utf-8")
    inside = {path: f"{NAME}/{path.relative_to(folder).as_posix()}" for path in sorted(folder.rglob("*"))}
    inside[about] = f"{NAME}/{GAMES_BESIDE}/README.txt"
    if source is not None:
        inside[source] = f"{NAME}/source/{source.name}"
    try:
        if target.name.endswith(".zip"):
            with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
                for path, name in inside.items():
                    packed.write(path, name)
        elif target.name.endswith(".tar.gz"):
            with tarfile.open(target, "w:gz", compresslevel=6) as archive:
                for path, name in inside.items():
                    archive.add(path, name, recursive=False)
        else:
            raise ValueError(f"neither .zip nor .tar.gz: {target}")
    finally:
        about.unlink()


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    pack(*map(Path, sys.argv[1:]))
