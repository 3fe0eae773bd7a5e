"""Makes folder, zip and installer for Windows on a Linux: `python freeze/windows.py FOLDER TARGET [SOURCE]`.

FOLDER holds the Windows Python of tests/drivers/windows.py, and is made where there is none; TARGET gets the folder
`voicechess`, voicechess-VERSION-windows-x64.zip and the installer, which has a 64-bit stub so that it runs under Wine
too. SOURCE, the source distribution, goes into the zip, as the licence wants. Needs Debian's wine,
gcc-mingw-w64-x86-64 and nsis.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from blas import blas
from pack import pack

from tests.drivers.windows import Windows, make, missing
from voicechess import __version__

ROOT = Path(__file__).resolve().parent.parent

INSTALLER = f"voicechess-{__version__}-windows-x64.exe"
ARCHIVE = f"voicechess-{__version__}-windows-x64.zip"
STUB = ("-XTarget amd64-unicode",)
"""A Windows of today runs 32-bit and 64-bit installers; a Wine without its 32-bit half, as Debian's is, only these."""


def frozen(windows: Windows, target: Path) -> Path:
    """The folder that PyInstaller makes with that Python. Raises RuntimeError with what it printed where it fails."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    windows.pip("install", "-q", "--no-warn-script-location", *extras["reader"], *extras["freeze"][1:])
    places = [f"--distpath={target}", f"--workpath={target / 'work'}"]
    spec = str(ROOT / "freeze" / "voicechess.spec")
    done = windows.run("-m", "PyInstaller", "--noconfirm", "--log-level=WARN", *places, spec)
    if done.returncode or not (target / "voicechess" / "voicechess.exe").is_file():
        raise RuntimeError(done.stdout)
    folder = target / "voicechess"
    for library in folder.glob("_internal/vosk/*.dll"):
        # Made by mingw, with symbols for its debugger: 20 MB that no program reads.
        subprocess.run(["x86_64-w64-mingw32-strip", "--strip-unneeded", str(library)], check=True)
    (matrices,) = folder.glob("_internal/numpy.libs/libopenblas64_*.dll")
    blas(matrices)  # 35 kB for 34 MB
    return folder


def installer(folder: Path, target: Path) -> Path:
    """The installer of a frozen folder. Raises CalledProcessError where makensis refuses its script."""
    given = (f"-DVERSION={__version__}", f"-DFOLDER={folder}", f"-DTARGET={target}")
    subprocess.run(["makensis", "-V2", "-WX", *STUB, *given, str(ROOT / "freeze" / "installer.nsi")], check=True)
    return target


def main(arguments: list[str]) -> int:
    """Make all three; the exit status."""
    lacking = missing("makensis")
    if lacking is not None or len(arguments) not in (2, 3):
        print(lacking or __doc__)
        return 2
    python, target = Path(arguments[0]), Path(arguments[1]).resolve()
    windows = Windows(python.resolve()) if (python / "cpython" / "python.exe").is_file() else make(python)
    folder = frozen(windows, target)
    pack(folder, target / ARCHIVE, *map(Path, arguments[2:]))
    installer(folder, target / INSTALLER)
    print(folder, target / ARCHIVE, target / INSTALLER, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
