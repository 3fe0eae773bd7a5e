"""A Windows Python that runs under Wine: `python -m tests.drivers.windows FOLDER` makes one (issue 51).

CPython 3.11 for Windows, signed by the Python Software Foundation, is taken from the package panda3d, which deploys
programs with it, and Microsoft's C++ runtime from msvc-runtime. python.exe and python3.dll, a few lines each, are
compiled by mingw; the standard library is that of the running Python 3.11. Needs Debian's wine and
gcc-mingw-w64-x86-64.

Wine is not Windows: it has no SAPI, no console without a terminal, and bugs of its own (`LACKING`).
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import struct
import subprocess
import sys
import sysconfig
import threading
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

PARTS = {
    "panda3d==1.10.16": "37acfb92655c4226879f95c988e2ef1449a53c54486d6c1ebc00e2772429af82",
    "msvc-runtime==14.44.35112": "aba7fbe71897d25ed53fbb7f391e9f50289378a8a9ae218ba18530c663448391",
    "pip==25.3": "9655943313a94722b7774661c21049070f6bbb0a1516bf02f7c8d5d9201514cd",
}
"""The wheels that Windows' Python is made of, with their SHA-256."""

LACKING = ("numpy==1.26.4", "rpds-py==0.13.2")
"""Older versions used under Wine 8: numpy 2 calls crealf, which its C runtime lacks; newer rpds-py do not load."""

TESTED_WITH = (
    "pytest>=8",
    "pytest-xdist>=3.6",
    "hypothesis>=6",
    "jsonschema>=4.21",
    "referencing>=0.33",
    "PyYAML>=6",
    "soundfile>=0.12",
)

LAST_WORDS_S = 10
"""Timeout, seconds, for the end of a stream after its program has ended: a child may keep it open."""

NEEDED = ("wine", "x86_64-w64-mingw32-gcc")

PYTHON_EXE = """
#include <wchar.h>
__declspec(dllimport) int Py_Main(int argc, wchar_t **argv);
int wmain(int argc, wchar_t **argv) { return Py_Main(argc, argv); }
"""
PYTHON3_DLL = "int __stdcall DllMain(void *a, unsigned b, void *c) { return 1; }\n"


def missing(*more: str) -> str | None:
    """Why there is no Windows Python here with these programs besides; None if there is."""
    lacking = [program for program in (*NEEDED, *more) if shutil.which(program) is None]
    if lacking:
        return f"not installed: {', '.join(lacking)}"
    if sys.version_info[:2] != (3, 11):
        return "its library is that of a Python 3.11, and this is another"
    return None


@dataclass(frozen=True, slots=True)
class Windows:
    """A Windows Python."""

    folder: Path  # with cpython/ (python.exe) and prefix/ (Wine's disk C:)

    @property
    def environment(self) -> dict[str, str]:
        """The environment of its programs, without our variables that affect a Python."""
        ours = ("PYTHON", "PYTEST_", "VOICECHESS_", "VIRTUAL_ENV", "CI", "LC_", "LANG")
        return {
            **{name: value for name, value in os.environ.items() if not name.startswith(ours)},
            "WINEPREFIX": str(self.folder / "prefix"),
            "WINEDEBUG": "-all",
            "WINEDLLOVERRIDES": "winedbg.exe=d;mscoree=d;mshtml=d",
            "LC_ALL": "C.UTF-8",
        }

    def command(self, *arguments: str) -> list[str]:
        """Its python.exe with these arguments."""
        return ["wine", str(self.folder / "cpython" / "python.exe"), *arguments]

    def run(
        self, *arguments: str, cwd: Path = ROOT, typed: str = "", timeout_s: float | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run it to its end, not to that of its children. Raises TimeoutExpired.

        Its streams are pipes, since Python crashes at the start under Wine with a plain file.
        """
        command, said = self.command(*arguments), bytearray()
        with subprocess.Popen(
            command,
            cwd=cwd,
            env=self.environment,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        ) as process:
            stdin, stdout = process.stdin, process.stdout
            assert stdin is not None and stdout is not None

            def read() -> None:
                while block := stdout.read(1 << 16):
                    said.extend(block)

            reader = threading.Thread(target=read, daemon=True)
            reader.start()
            with contextlib.suppress(BrokenPipeError):
                stdin.write(typed.encode())
            stdin.close()
            try:
                process.wait(timeout_s)
            except subprocess.TimeoutExpired as error:
                process.kill()
                raise subprocess.TimeoutExpired(command, error.timeout, bytes(said)) from None
            reader.join(LAST_WORDS_S)
            text = said.decode(errors="replace").replace("\r\n", "\n")
            return subprocess.CompletedProcess(command, process.returncode, text)

    def end(self) -> None:
        """End all its processes."""
        subprocess.run(["wineserver", "-k"], env=self.environment, check=False)

    def pip(self, *arguments: str) -> None:
        """Run its pip. Raises RuntimeError with pip's output."""
        done = self.run("-m", "pip", "--disable-pip-version-check", *arguments)
        if done.returncode:
            raise RuntimeError(done.stdout)


def make(folder: Path) -> Windows:
    """Make a Windows Python in `folder`, with everything that the program and its tests need, without the program.

    Raises RuntimeError for a wheel with another checksum, `subprocess.CalledProcessError` if a step fails.
    """
    made = Windows(folder.resolve())
    cpython = made.folder / "cpython"
    (cpython / "DLLs").mkdir(parents=True)
    panda, runtime, pip = (_wheel(made.folder / "parts", part, value) for part, value in PARTS.items())
    with zipfile.ZipFile(panda) as archive:
        for name in archive.namelist():
            if name.startswith("deploy_libs/") and name.lower().endswith((".pyd", ".dll")):
                (cpython / "DLLs" / Path(name).name).write_bytes(archive.read(name))
    (cpython / "DLLs" / "python311.dll").rename(cpython / "python311.dll")
    (cpython / "DLLs" / "VCRUNTIME140.dll").unlink(missing_ok=True)
    with zipfile.ZipFile(runtime) as archive:
        for name in archive.namelist():
            if Path(name).name in ("vcruntime140.dll", "vcruntime140_1.dll", "msvcp140.dll"):
                (cpython / Path(name).name).write_bytes(archive.read(name))
    shutil.copytree(
        sysconfig.get_path("stdlib"),
        cpython / "Lib",
        ignore=shutil.ignore_patterns(
            "site-packages",
            "dist-packages",
            "lib-dynload",
            "__pycache__",
            "config-3*",
            "_sysconfigdata*",
            "test",
            "EXTERNALLY-MANAGED",
            "sitecustomize.py",
        ),
    )
    (cpython / "Lib" / "site-packages").mkdir()
    with zipfile.ZipFile(pip) as archive:  # Debian's Python has its ensurepip switched off
        archive.extractall(cpython / "Lib" / "site-packages")
    _compile(made.folder, cpython)
    subprocess.run(["wineboot", "-i"], env=made.environment, stdin=subprocess.DEVNULL, capture_output=True, check=True)
    requirements = _requirements()
    made.pip("install", "-q", "--no-warn-script-location", *requirements, *LACKING, *TESTED_WITH)
    return made


def _wheel(folder: Path, part: str, value: str) -> Path:
    name, _, version = part.partition("==")
    platform = ["--only-binary=:all:", "--platform=win_amd64", "--python-version=3.11", "--no-deps"]
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "-q", *platform]
    subprocess.run([*command, "-d", str(folder), part], check=True)
    (found,) = folder.glob(f"{name.replace('-', '_')}-{version}-*.whl")
    if hashlib.sha256(found.read_bytes()).hexdigest() != value:
        raise RuntimeError(f"{found.name} is not the one that was looked at")
    return found


def _compile(folder: Path, cpython: Path) -> None:
    """Compile python.exe, which is like CPython's, and python3.dll, which forwards the stable ABI."""
    program, library, exports = folder / "python.c", folder / "python3.c", folder / "python3.def"
    program.write_text(PYTHON_EXE)
    library.write_text(PYTHON3_DLL)
    names = [name for name in exported(cpython / "python311.dll") if name.startswith(("Py", "_Py"))]
    exports.write_text("LIBRARY python3.dll\nEXPORTS\n" + "".join(f"  {name} = python311.{name}\n" for name in names))
    compiler = "x86_64-w64-mingw32-gcc"
    here = str(cpython)
    subprocess.run(
        [compiler, "-municode", "-O1", "-o", f"{here}/python.exe", str(program), f"{here}/python311.dll"], check=True
    )
    shared = [compiler, "-shared", "-nostdlib", "-Wl,-e,DllMain"]
    subprocess.run([*shared, "-o", f"{here}/python3.dll", str(library), str(exports)], check=True)


def exported(library: Path) -> list[str]:
    """The names that a 64-bit DLL exports (PE format: the export directory, entry 0 of the data directories)."""
    data = library.read_bytes()
    header = struct.unpack_from("<I", data, 0x3C)[0]
    sections, optional = struct.unpack_from("<H", data, header + 6)[0], struct.unpack_from("<H", data, header + 20)[0]
    table = [struct.unpack_from("<IIII", data, header + 24 + optional + 40 * n + 8) for n in range(sections)]

    def at(address: int) -> int:
        return next(
            int(address - start + raw)
            for size, start, length, raw in table
            if start <= address < start + max(size, length)
        )

    directory = at(struct.unpack_from("<I", data, header + 24 + 112)[0])
    names = at(struct.unpack_from("<I", data, directory + 32)[0])
    found = []
    for number in range(struct.unpack_from("<I", data, directory + 24)[0]):
        begin = at(struct.unpack_from("<I", data, names + 4 * number)[0])
        found.append(data[begin : data.index(b"\0", begin)].decode())
    return found


def _requirements() -> list[str]:
    """Requirements of the program with the extras `board` and `online`."""
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    return [*project["dependencies"], *extras["board"], *extras["online"]]


def main(arguments: Sequence[str]) -> int:
    """Make one in the folder of the only argument, and print how to run it."""
    lacking = missing()
    if lacking is not None or len(arguments) != 1:
        print(lacking or "python -m tests.drivers.windows FOLDER")
        return 2
    made = make(Path(arguments[0]))
    print(made.run("-c", "import sys; print(sys.version)").stdout, end="")
    print(f"WINEPREFIX={made.folder}/prefix wine {made.folder}/cpython/python.exe")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
