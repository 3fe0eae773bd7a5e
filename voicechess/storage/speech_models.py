"""Speech models on this machine: finding, checking, choosing and installing them.

A model is complete or absent: it is unpacked and checked in a temporary folder and then renamed. Vosk ends the process
or crashes on many broken models, so a folder is checked before Vosk opens it: the files its loader opens (vosk-api
0.3.45, src/model.cc), the first bytes of each, the list of SHA-256s if there is one, and a trial in a child process
(`trusted`). Tried models are remembered with the sizes and times of their files.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import struct
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from voicechess import own_files
from voicechess.messages import Failure, Phrase, Text
from voicechess.sound.model import STARTER_SCALING, UNMEASURED, LikelihoodScaling, is_starter, probe
from voicechess.storage.archives import Limits, sha256_of, sync_folder, sync_folders, unpack, writing_failed
from voicechess.storage.measured import BESIDE, Measured, is_damaged, read_measured
from voicechess.storage.places import ByteLock, checked_models_file, models_folder

if TYPE_CHECKING:
    from voicechess.storage.downloads import Progress

# --- Checking a model ---

MANIFEST = "manifest.json"

_FST_MAGIC = 2125659606  # OpenFst: kFstMagicNumber
_FST_HAS_OUTPUT_WORDS = 2  # OpenFst: FstHeader::HAS_OSYMBOLS
_MODEL_STARTS = (b"\0B", b"<")  # Kaldi, binary and text
_MAY_BE_EMPTY = ("model.conf", "online_cmvn.conf")
_MAX_MANIFEST = 1 << 20  # bytes
_MAX_MEMORY = 1 << 16  # bytes of the record of tried models
_MAX_REMEMBERED = 16  # models
_HOLE = bytes(1024)  # a block of a file that never reached the disk
_FOLDERS = ("", "am", "conf", "graph", "graph/phones", "ivector", "rescore", "rnnlm")  # where Vosk opens files


@dataclass(frozen=True, slots=True)
class _Layout:
    """File locations in one of Vosk's two layouts."""

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
    """A folder that Vosk can open."""

    path: Path
    grammars: bool  # whether it takes a grammar


def look_at(path: Path) -> ModelFolder:
    """The model in this folder, with the files required.

    Raises Failure: "model.no_folder", "model.missing_file", "model.damaged_file", "model.unreadable".
    """
    try:
        if not own_files.is_there(path) or not path.is_dir():
            raise Failure("model.no_folder", {"path": Text(str(path))})
        layout = _OLD if (path / "final.mdl").exists() and not (path / "am").exists() else _NEW
        # Vosk uses the static graph if both exist.
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
        raise Failure("model.unreadable", {"path": Text(str(path))}) from error
    return ModelFolder(path, grammars)


def _look_at_file(folder: Path, name: str) -> None:
    file = folder / name
    if not file.is_file():
        raise Failure("model.missing_file", {"name": Text(name), "path": Text(str(folder))})
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
        raise Failure("model.damaged_file", {"name": Text(name), "path": Text(str(folder))})


def _fst_flags(file: Path) -> int:
    """Flags in the header of an OpenFst file; -1 if it is none (fst/fst.h, FstHeader::Read)."""
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
    """File name -> SHA-256 from the folder's manifest; empty if there is none. Raises Failure if unreadable."""
    path = folder / MANIFEST
    if not own_files.is_there(path):
        return {}
    try:
        manifest = own_files.read_json(path, _MAX_MANIFEST)
        # The starter model's manifest names the table after its contents.
        sums = manifest["files"] if "files" in manifest else manifest["sha256"]
        found = {str(name): _sha256_in(value) for name, value in sums.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise Failure("model.damaged_file", {"name": Text(MANIFEST), "path": Text(str(folder))}) from error
    if any(Path(name).is_absolute() or ".." in Path(name).parts for name in found):
        raise Failure("model.damaged_file", {"name": Text(MANIFEST), "path": Text(str(folder))})
    return found


def _sha256_in(value: object) -> str:
    """The SHA-256 in an entry, which may hold more than that."""
    text = value.get("sha256") if isinstance(value, dict) else value
    if not isinstance(text, str) or len(text) != 64:
        raise ValueError
    return text.lower()


def verify(path: Path) -> tuple[Failure, ...]:
    """All problems of the model in this folder: missing or broken files, and deviations from its manifest."""
    problems = []
    try:
        look_at(path)
        _parts(path)
        _look_for_holes(path)
    except Failure as error:
        problems.append(error)
    try:
        expected = manifest_of(path)
    except Failure as error:
        return (*problems, error)
    for name, sha256 in expected.items():
        slots = {"name": Text(name), "path": Text(str(path))}
        try:
            if not (path / name).is_file():  # a pipe would block, a device has no end
                problems.append(Failure("model.missing_file", slots))
            elif sha256_of(path / name) != sha256:
                problems.append(Failure("model.changed_file", slots))
        except OSError:
            problems.append(Failure("model.unreadable", slots))
    unique = {(problem.key, problem.slots.get("name")): problem for problem in problems}
    return tuple(unique.values())


def trusted(path: Path) -> ModelFolder:
    """The model in this folder, checked and tried in a child process: now, or since its last change.

    Raises `Failure` with its problem.
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
    """Raises Failure for a graph with a block that never reached the disk: such a model loads, but recognises nothing.

    Other files are not checked: weights may be zero.
    """
    for layout in (_NEW, _OLD):
        name = layout.dynamic[0]
        try:
            holed = (path / name).is_file() and _HOLE in (path / name).read_bytes()
        except OSError as error:
            raise Failure("model.unreadable", {"path": Text(str(path))}) from error
        if holed:
            raise Failure("model.damaged_file", {"name": Text(name), "path": Text(str(path))})


def _parts(path: Path) -> list[tuple[str, int, int]]:
    """Name, size and time (ns) of every file that Vosk may open.

    Raises Failure for anything but regular files: a pipe would block, a device has no end.
    """
    found = []
    try:
        for folder in (path / name for name in _FOLDERS):
            for part in sorted(folder.iterdir()) if folder.is_dir() else ():
                name = part.relative_to(path).as_posix()
                if part.is_file():
                    status = part.stat()
                    found.append((name, status.st_size, status.st_mtime_ns))
                elif not part.is_dir() and name != BESIDE:  # not opened by Vosk
                    raise Failure("model.damaged_file", {"name": Text(name), "path": Text(str(path))})
    except OSError as error:
        raise Failure("model.unreadable", {"path": Text(str(path))}) from error
    return found


def _mark(path: Path) -> str:
    """A hash that changes with the model's files, or the software that reads them."""
    from importlib import metadata

    try:
        version = metadata.version("vosk")
    except metadata.PackageNotFoundError:
        version = ""
    parts = [part for part in _parts(path) if not part[0].startswith(BESIDE)]
    return hashlib.sha256(ascii((version, parts)).encode()).hexdigest()


def _remembered(memory: Path) -> dict[str, str]:
    """Hashes of the models that were tried; empty for an invalid file."""
    try:
        told = own_files.read_json(memory, _MAX_MEMORY)
    except OSError:
        return {}
    return {str(name): str(mark) for name, mark in told.items()} if isinstance(told, dict) else {}


def _remember(memory: Path, marks: dict[str, str]) -> None:
    """Store the newest hashes; if that fails, the next start tries the model again."""
    text = json.dumps(dict(list(marks.items())[:_MAX_REMEMBERED]), indent=1)
    with contextlib.suppress(OSError):
        own_files.write_text(memory, text + "\n")


def write_manifest(folder: Path, about: dict[str, str]) -> None:
    """Write the SHA-256 of every file in the folder, with further information. Raises OSError."""
    sums = {
        file.relative_to(folder).as_posix(): sha256_of(file)
        for file in sorted(folder.rglob("*"))
        if file.is_file() and file.name != MANIFEST
    }
    text = json.dumps({**about, "files": sums}, indent=1, ensure_ascii=False)
    (folder / MANIFEST).write_text(text + "\n", "utf-8")


# --- Finding and installing ---

__all__ = ["KNOWN", "ModelFolder", "Origin", "Store", "choose", "listening", "starter", "verify"]


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A published model."""

    name: str
    language: str
    url: str
    sha256: str  # of the archive
    licence: str
    megabytes: int
    max_bytes: int  # of the archive
    max_unpacked_bytes: int  # of the files in it


KNOWN: Mapping[str, KnownModel] = {
    model.name: model
    for model in (
        # The SHA-256 is the one pinned by a public project; a user who gets another is told both (see
        # `Store.install`). https://alphacephei.com/vosk/models lists the model and its licence.
        KnownModel(
            "small-de",
            "de",
            "https://alphacephei.com/vosk/models/vosk-model-small-de-0.15.zip",
            "b7e53c90b1f0a38456f4cd62b366ecd58803cd97cd42b06438e2c131713d5e43",
            "Apache-2.0",
            47,
            80_000_000,
            400_000_000,
        ),
    )
}


class Origin(Enum):
    """Where the model in use comes from."""

    OPTION = "option"
    ENVIRONMENT = "environment"
    INSTALLED = "installed"
    STARTER = "starter"


@dataclass(frozen=True, slots=True)
class Choice:
    """The model to use."""

    folder: ModelFolder | None  # None: there is no model
    origin: Origin | None
    notices: tuple[Failure, ...] = ()  # problems of installed models
    scaling: LikelihoodScaling = STARTER_SCALING
    doubtful: Phrase | None = None  # why it would not have been chosen unless asked for

    @property
    def asked_for(self) -> bool:
        """Whether it was explicitly asked for."""
        return self.origin in (Origin.OPTION, Origin.ENVIRONMENT)

    @property
    def told(self) -> tuple[Phrase, ...]:
        """Messages for the user: problems of this model or others, and that this one is used instead."""
        instead = (Phrase("model.instead"),) if self.notices and self.origin is Origin.STARTER else ()
        doubtful = (self.doubtful,) if self.doubtful is not None else ()
        return (*(notice.phrase for notice in self.notices), *instead, *doubtful)


class Store:
    """The folder of installed models. Raises Failure."""

    def __init__(self, folder: Path | None = None, pause: Callable[[float], None] = time.sleep) -> None:
        self.folder = folder or models_folder()
        self._pause = pause  # seconds between download attempts

    def path(self, name: str) -> Path:
        """Folder of the known model `name`. Raises Failure("model.unknown")."""
        if name not in KNOWN:
            raise Failure("model.unknown", {"name": Text(name), "known": Text(", ".join(KNOWN))})
        return self.folder / name

    def installed(self) -> tuple[KnownModel, ...]:
        """The installed known models, damaged ones included."""
        return tuple(model for model in KNOWN.values() if (self.folder / model.name).is_dir())

    def install(
        self,
        name: str,
        *,
        progress: Progress | None = None,
        url: str | None = None,
        accept_sha256: str | None = None,
        again: bool = False,
    ) -> Path:
        """Download, check and unpack a known model; returns its folder, at once if it is installed and intact.

        `url` overrides its source, `accept_sha256` the expected hash of the archive; `again` replaces an installed one.
        An archive with another SHA-256 is refused with "model.wrong_sha256" and kept, so that the value can be accepted
        without a second download.
        """
        target = self.path(name)
        model = KNOWN[name]
        expected = (accept_sha256 or model.sha256).lower()
        if len(expected) != 64 or set(expected) - set("0123456789abcdef"):
            raise Failure("model.bad_sha256", {"found": Text(expected[:80])})
        try:
            own_files.make_folder(self.folder)
            with ByteLock(self.folder / "install.lock") as lock:
                if not lock.take():
                    raise Failure("model.busy", status=1)
                self._remove_leftovers()
                if not again and target.is_dir() and not verify(target):
                    return target
                archive = self._archive(model, url or model.url, expected, progress)
                self._place(archive, target, model, expected)
                archive.unlink()
        except OSError as error:
            raise writing_failed(error, target) from error
        return target

    def _archive(self, model: KnownModel, url: str, expected: str, progress: Progress | None) -> Path:
        """The archive, downloaded and checked."""
        from voicechess.storage.downloads import Request, download  # not needed at start

        archive = self.folder / f"{model.name}.zip"
        request = Request(url, archive, model.max_bytes)
        for attempt in (1, 2):
            downloaded = download(request, progress, self._pause)
            if sha256_of(archive) == expected:
                return archive
            if downloaded.in_one_piece or attempt == 2:
                break
            archive.unlink()  # perhaps halves of different files: start over
        found = sha256_of(archive)
        raise Failure(
            "model.wrong_sha256",
            {"name": Text(model.name), "expected": Text(expected), "found": Text(found)},
            status=1,
        )

    def _place(self, archive: Path, target: Path, model: KnownModel, sha256: str) -> None:
        fresh = self.folder / f".{model.name}.new"
        fresh.mkdir()
        try:
            unpack(archive, fresh, Limits(max_bytes=model.max_unpacked_bytes))
            look_at(fresh)
            write_manifest(fresh, {"name": model.name, "licence": model.licence, "source": model.url, "sha256": sha256})
            sync_folders(fresh)
            if target.exists():
                own_files.put_in_place(target, self.folder / f".{model.name}.old")
            own_files.put_in_place(fresh, target)
            sync_folder(self.folder)
        finally:
            self._remove_leftovers()

    def _remove_leftovers(self) -> None:
        for name in KNOWN:
            for ending in ("new", "old"):
                shutil.rmtree(self.folder / f".{name}.{ending}", ignore_errors=True)

    def remove(self, name: str) -> None:
        """Remove an installed model and its downloads."""
        target = self.path(name)
        try:
            if target.exists():
                target.replace(self.folder / f".{name}.old")
            for file in self.folder.glob(f"{name}.zip*"):
                file.unlink()
        except OSError as error:
            raise writing_failed(error, target) from error
        self._remove_leftovers()


def starter(language: str = "de") -> Path | None:
    """The folder of a language's starter model: installed with the package, or next to it in a checkout; None if
    missing."""
    name = f"starter-{language}"
    candidates = [Path(__file__).parents[2] / "models" / name]
    with contextlib.suppress(ImportError, TypeError, ValueError):
        packaged = resources.files("voicechess.models") / name
        if isinstance(packaged, Path):
            candidates.insert(0, packaged)
    return next((path for path in candidates if path.is_dir()), None)


def listening(languages: Sequence[str]) -> str:
    """The first of these languages with a model, tried or not; otherwise the last one."""
    installed = {model.language for model in Store().installed()}
    return next((code for code in languages if code in installed or starter(code) is not None), languages[-1])


def choose(
    option: Path | None = None,
    languages: Sequence[str] = ("de",),
    environ: Mapping[str, str] = os.environ,
    store: Store | None = None,
) -> Choice:
    """The model to use: the option's, VOICECHESS_MODEL, an installed full model, the starter model, or none.

    `languages`: acceptable languages, best first; models of the next are considered if one has none. Each is tried
    before it is chosen (`trusted`). Raises Failure if the model asked for cannot be used; any other damaged one becomes
    a notice and the next is chosen. An installed one is preferred to the starter model only if it was measured and
    found no worse.
    """
    if option is not None:
        return _asked_for(option, Origin.OPTION)
    wished = environ.get("VOICECHESS_MODEL")
    if wished:
        return _asked_for(Path(wished), Origin.ENVIRONMENT)
    store = store or Store()
    notices: list[Failure] = []
    spare = Choice(None, None)
    candidates: list[tuple[Path, Origin]] = []
    for language in languages:
        installed = [model for model in store.installed() if model.language == language]
        candidates += [(store.path(model.name), Origin.INSTALLED) for model in installed]
        own = starter(language)
        if own is not None:
            candidates.append((own, Origin.STARTER))
    for path, origin in candidates:
        try:
            folder = trusted(path)
        except Failure as error:
            notices.append(error)
            continue
        if origin is Origin.STARTER:
            return Choice(folder, origin, tuple(notices))
        measured = read_measured(path)
        if measured is None:
            notices.append(Failure(_unmeasured(path, "model.not_measured"), {"path": Text(str(path))}))
        elif measured.trusted:
            return Choice(folder, origin, tuple(notices), measured.scaling)
        spare = Choice(folder, origin, (), UNMEASURED if measured is None else measured.scaling)
    return replace(spare, notices=tuple(notices))


def _asked_for(path: Path, origin: Origin) -> Choice:
    folder, measured = trusted(path), read_measured(path)
    if is_starter(path):
        return Choice(folder, origin)
    if measured is None:
        told = Phrase(_unmeasured(path, "model.used_unmeasured"), {"path": Text(str(path))})
        return Choice(folder, origin, (), UNMEASURED, told)
    worse = None if measured.trusted else compared("model.used_worse", path, measured)
    return Choice(folder, origin, (), measured.scaling, worse)


def _unmeasured(path: Path, key: str) -> str:
    """The sentence `key`, unless measurements exist but cannot be read."""
    return "model.damaged_measured" if is_damaged(path) else key


def compared(key: str, path: Path, measured: Measured) -> Phrase:
    """A sentence with the results of this model and of the starter model."""
    starter, own = measured.starter or measured.figures, measured.figures
    return Phrase(
        key,
        {
            "path": Text(str(path)),
            "percent": own.percent,
            "wrong": own.wrong,
            "starter": starter.percent,
            "starter_wrong": starter.wrong,
        },
    )


def scaling_of(path: Path) -> LikelihoodScaling:
    """The scaling of the likelihoods of the model in this folder."""
    if is_starter(path):
        return STARTER_SCALING
    measured = read_measured(path)
    return measured.scaling if measured is not None else UNMEASURED
