"""Is this folder a Vosk model, is it whole, and does it work?

Vosk ends the process or crashes on many broken models, so a folder is looked at before it gets to Vosk: the files its
loader opens (vosk-api 0.3.45, src/model.cc), the first bytes of each, our list of SHA-256s where there is one, and what
becomes of a process that tries it (`trusted`). What has been tried is remembered with the sizes and times of its files.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import struct
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from voicechess.messages import Text
from voicechess.sound.model import probe
from voicechess.storage.downloads import ModelError, sha256_of
from voicechess.storage.places import checked_models_file

MANIFEST = "manifest.json"

_FST_MAGIC = 2125659606  # OpenFst: kFstMagicNumber
_FST_HAS_OUTPUT_WORDS = 2  # OpenFst: FstHeader::HAS_OSYMBOLS
_MODEL_STARTS = (b"\0B", b"<")  # Kaldi, binary and text
_MAY_BE_EMPTY = ("model.conf", "online_cmvn.conf")
_LARGEST_MANIFEST = 1 << 20
_LARGEST_MEMORY = 1 << 16
_MOST_REMEMBERED = 16
_HOLE = bytes(1024)
_FOLDERS = ("", "am", "conf", "graph", "graph/phones", "ivector", "rescore", "rnnlm")  # what Vosk opens lies in these


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where one of Vosk's two layouts has its files."""

    acoustic: str
    graph: str
    conf: str

    @property
    def always(self) -> tuple[str, ...]:
        model = ("conf/model.conf",) if self.conf else ()
        return (f"{self.acoustic}final.mdl", f"{self.conf}mfcc.conf", *model)

    @property
    def dynamic(self) -> tuple[str, ...]:
        return tuple(self.graph + name for name in ("HCLr.fst", "Gr.fst", "disambig_tid.int"))

    @property
    def static(self) -> str:
        return f"{self.graph}HCLG.fst"

    @property
    def words(self) -> str:
        return f"{self.graph}words.txt"


_NEW = _Layout("am/", "graph/", "conf/")
_OLD = _Layout("", "", "")
_IVECTOR = tuple(
    f"ivector/{name}"
    for name in ("final.ie", "final.dubm", "final.mat", "global_cmvn.stats", "online_cmvn.conf", "splice.conf")
)


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A folder that Vosk can open. `grammars`: whether it can be told what to expect."""

    path: Path
    grammars: bool


def look_at(path: Path) -> ModelFolder:
    """The model in this folder, by the files it must have.

    Raises ModelError: "model.no_folder", "model.missing_file", "model.damaged_file", "model.unreadable".
    """
    try:
        if not path.is_dir():
            raise ModelError("model.no_folder", {"path": Text(str(path))})
        layout = _OLD if (path / "final.mdl").exists() and not (path / "am").exists() else _NEW
        # Vosk takes the static graph where there are both.
        grammars = not (path / layout.static).exists()
        for name in (*layout.always, *(layout.dynamic if grammars else (layout.static,))):
            _look_at_file(path, name)
        if (path / _IVECTOR[0]).exists():
            for name in _IVECTOR:
                _look_at_file(path, name)
        graph = path / (layout.dynamic[1] if grammars else layout.static)
        if (path / layout.words).exists() or not _fst_flags(graph) & _FST_HAS_OUTPUT_WORDS:
            _look_at_file(path, layout.words)
    except OSError as error:
        raise ModelError("model.unreadable", {"path": Text(str(path))}) from error
    return ModelFolder(path, grammars)


def _look_at_file(folder: Path, name: str) -> None:
    file = folder / name
    if not file.is_file():
        raise ModelError("model.missing_file", {"name": Text(name), "path": Text(str(folder))})
    with file.open("rb") as opened:
        start = opened.read(64)
    bad = not start and file.name not in _MAY_BE_EMPTY
    if file.suffix == ".fst":
        bad = bad or _fst_flags(file) < 0
    elif file.suffix == ".mdl":
        bad = bad or not start.startswith(_MODEL_STARTS)
    elif file.name == "words.txt":
        bad = bad or not _is_word_line(start)
    if bad:
        raise ModelError("model.damaged_file", {"name": Text(name), "path": Text(str(folder))})


def _fst_flags(file: Path) -> int:
    """The flags in the header of an OpenFst file; -1 when it is none (fst/fst.h, FstHeader::Read)."""
    with file.open("rb") as opened:
        header = opened.read(256)
    try:
        magic, at = struct.unpack_from("<i", header)[0], 4
        for _ in ("type of graph", "type of arcs"):
            at += 4 + int(struct.unpack_from("<i", header, at)[0])
        flags: int = struct.unpack_from("<i", header, at + 4)[0]  # after the version
    except struct.error:
        return -1
    return flags if magic == _FST_MAGIC and flags >= 0 else -1


def _is_word_line(start: bytes) -> bool:
    fields = start.split(b"\n", 1)[0].split()
    return len(fields) == 2 and fields[1].isdigit()


def manifest_of(folder: Path) -> dict[str, str]:
    """SHA-256s by file name from the folder's manifest; empty when there is none. Raises ModelError when unreadable."""
    path = folder / MANIFEST
    if not path.exists():
        return {}
    try:
        if not path.is_file() or path.stat().st_size > _LARGEST_MANIFEST:
            raise ValueError
        manifest = json.loads(path.read_text("utf-8"))
        # The starter model's own manifest calls the table by what it holds.
        files = manifest["files"] if "files" in manifest else manifest["sha256"]
        found = {str(name): _sha256_in(value) for name, value in files.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ModelError("model.damaged_file", {"name": Text(MANIFEST), "path": Text(str(folder))}) from error
    if any(Path(name).is_absolute() or ".." in Path(name).parts for name in found):
        raise ModelError("model.damaged_file", {"name": Text(MANIFEST), "path": Text(str(folder))})
    return found


def _sha256_in(value: object) -> str:
    """The SHA-256 as text, also where an entry holds more than that."""
    text = value.get("sha256") if isinstance(value, dict) else value
    if not isinstance(text, str) or len(text) != 64:
        raise ValueError
    return text.lower()


def verify(path: Path) -> tuple[ModelError, ...]:
    """Everything that is wrong with the model in this folder: its files, and what differs from its manifest."""
    problems = []
    try:
        look_at(path)
        _parts(path)
        _look_for_holes(path)
    except ModelError as error:
        problems.append(error)
    try:
        expected = manifest_of(path)
    except ModelError as error:
        return (*problems, error)
    for name, sha256 in expected.items():
        slots = {"name": Text(name), "path": Text(str(path))}
        try:
            if not (path / name).is_file():  # a pipe would be waited for, a device has no end
                problems.append(ModelError("model.missing_file", slots))
            elif sha256_of(path / name) != sha256:
                problems.append(ModelError("model.changed_file", slots))
        except OSError:
            problems.append(ModelError("model.unreadable", slots))
    unique = {(problem.key, problem.slots.get("name")): problem for problem in problems}
    return tuple(unique.values())


def trusted(path: Path) -> ModelFolder:
    """The model in this folder, found whole and tried in a process of its own: now, or before it was last changed.

    Raises `Failure` with what is wrong with it.
    """
    folder = look_at(path)
    mark = _mark(path)
    memory = checked_models_file()
    name = os.fsdecode(path.absolute())
    remembered = _remembered(memory)
    if remembered.get(name) == mark:
        return folder
    for problem in verify(path):
        raise problem
    probe(path)
    _remember(memory, {name: mark, **{other: its for other, its in remembered.items() if other != name}})
    return folder


def _look_for_holes(path: Path) -> None:
    """Raises ModelError for a graph with a stretch that never got to the disk: with it a model loads, and is deaf.

    Not of the other files: weights may be zero.
    """
    for layout in (_NEW, _OLD):
        name = layout.dynamic[0]
        try:
            holed = (path / name).is_file() and _HOLE in (path / name).read_bytes()
        except OSError as error:
            raise ModelError("model.unreadable", {"path": Text(str(path))}) from error
        if holed:
            raise ModelError("model.damaged_file", {"name": Text(name), "path": Text(str(path))})


def _parts(path: Path) -> list[tuple[str, int, int]]:
    """Name, size and time (ns) of every file that Vosk may open.

    Raises ModelError for what is no file: a pipe would be waited for, a device has no end.
    """
    found = []
    try:
        for folder in (path / name for name in _FOLDERS):
            for part in sorted(folder.iterdir()) if folder.is_dir() else ():
                name = part.relative_to(path).as_posix()
                if part.is_file():
                    status = part.stat()
                    found.append((name, status.st_size, status.st_mtime_ns))
                elif not part.is_dir():
                    raise ModelError("model.damaged_file", {"name": Text(name), "path": Text(str(path))})
    except OSError as error:
        raise ModelError("model.unreadable", {"path": Text(str(path))}) from error
    return found


def _mark(path: Path) -> str:
    """What changes when a file of the model does, or what reads it."""
    try:
        version = metadata.version("vosk")
    except metadata.PackageNotFoundError:
        version = ""
    return hashlib.sha256(ascii((version, _parts(path))).encode()).hexdigest()


def _remembered(memory: Path) -> dict[str, str]:
    """Marks of the models that were tried; a file that makes no sense remembers nothing."""
    try:
        if not memory.is_file() or memory.stat().st_size > _LARGEST_MEMORY:
            return {}
        told = json.loads(memory.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return {str(name): str(mark) for name, mark in told.items()} if isinstance(told, dict) else {}


def _remember(memory: Path, marks: dict[str, str]) -> None:
    """Keep the newest; where that cannot be done, the next start tries the model again."""
    temporary = memory.with_name(f"{memory.name}.{os.getpid()}")
    text = json.dumps(dict(list(marks.items())[:_MOST_REMEMBERED]), indent=1)
    try:
        memory.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_text(text + "\n", "utf-8")
        temporary.replace(memory)
    except OSError:
        with contextlib.suppress(OSError):
            temporary.unlink()


def write_manifest(folder: Path, about: dict[str, str]) -> None:
    """Writes the SHA-256 of every file in the folder, with what else is to be known. Raises OSError."""
    files = {
        file.relative_to(folder).as_posix(): sha256_of(file)
        for file in sorted(folder.rglob("*"))
        if file.is_file() and file.name != MANIFEST
    }
    text = json.dumps({**about, "files": files}, indent=1, ensure_ascii=False)
    (folder / MANIFEST).write_text(text + "\n", "utf-8")
