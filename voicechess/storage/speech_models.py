"""The speech models on this machine: which there are, which is used, and how one more is installed.

A model is complete or absent: it is unpacked and checked in a folder beside its place and then renamed.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from importlib import resources
from pathlib import Path

from voicechess.failure import Failure
from voicechess.messages import Phrase, Text
from voicechess.storage.downloads import ModelError, Progress, Request, download, sha256_of, writing_failed
from voicechess.storage.file_lock import ByteLock
from voicechess.storage.model_check import ModelFolder, look_at, trusted, verify, write_manifest
from voicechess.storage.model_unpack import Limits, sync_folder, sync_folders, unpack
from voicechess.storage.places import models_folder

__all__ = ["KNOWN", "ModelError", "ModelFolder", "Origin", "Store", "choose", "starter", "verify"]


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A published model: `sha256` of its archive; `most_bytes` of the archive, and of the files in it."""

    name: str
    language: str
    url: str
    sha256: str
    licence: str
    megabytes: int
    most_bytes: int
    most_unpacked_bytes: int


KNOWN: Mapping[str, KnownModel] = {
    model.name: model
    for model in (
        # The SHA-256 is the one that one public project pins; whoever finds another must be told both (see
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
    """The model to use, or None when there is none. `notices`: installed models that cannot be used, and why."""

    folder: ModelFolder | None
    origin: Origin | None
    notices: tuple[Failure, ...] = ()

    @property
    def told(self) -> tuple[Phrase, ...]:
        """What a person must know of it: what is wrong with another, and that this one is used instead."""
        instead = (Phrase("model.instead"),) if self.notices and self.origin is Origin.STARTER else ()
        return (*(notice.phrase for notice in self.notices), *instead)


class Store:
    """The folder of installed models. Raises ModelError."""

    def __init__(self, folder: Path | None = None, pause: Callable[[float], None] = time.sleep) -> None:
        self.folder = folder or models_folder()
        self._pause = pause  # between attempts to download, seconds

    def path(self, name: str) -> Path:
        """Where the known model `name` is or would be. Raises ModelError("model.unknown")."""
        if name not in KNOWN:
            raise ModelError("model.unknown", {"name": Text(name), "known": Text(", ".join(KNOWN))})
        return self.folder / name

    def installed(self) -> tuple[KnownModel, ...]:
        """The known models that are here, damaged ones included."""
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
        """Downloads, checks and unpacks a known model; returns its folder, at once when it is there and whole.

        `url` replaces where it comes from, `accept_sha256` what its archive must be; `again` replaces an installed
        one. An archive with another SHA-256 is refused with "model.wrong_sha256" and kept, so that the value can be
        accepted without a second download.
        """
        target = self.path(name)
        model = KNOWN[name]
        expected = (accept_sha256 or model.sha256).lower()
        if len(expected) != 64 or set(expected) - set("0123456789abcdef"):
            raise ModelError("model.bad_sha256", {"found": Text(expected[:80])})
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with ByteLock(self.folder / "install.lock") as lock:
                if not lock.take():
                    raise ModelError("model.busy", status=1)
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
        archive = self.folder / f"{model.name}.zip"
        request = Request(url, archive, model.most_bytes)
        for attempt in (1, 2):
            downloaded = download(request, progress, self._pause)
            if sha256_of(archive) == expected:
                return archive
            if downloaded.in_one_piece or attempt == 2:
                break
            archive.unlink()  # perhaps two halves of different files: once more from the beginning
        found = sha256_of(archive)
        raise ModelError(
            "model.wrong_sha256",
            {"name": Text(model.name), "expected": Text(expected), "found": Text(found)},
            status=1,
        )

    def _place(self, archive: Path, target: Path, model: KnownModel, sha256: str) -> None:
        fresh = self.folder / f".{model.name}.new"
        fresh.mkdir()
        try:
            unpack(archive, fresh, Limits(most_bytes=model.most_unpacked_bytes))
            look_at(fresh)
            write_manifest(fresh, {"name": model.name, "licence": model.licence, "source": model.url, "sha256": sha256})
            sync_folders(fresh)
            if target.exists():
                target.replace(self.folder / f".{model.name}.old")
            fresh.replace(target)
            sync_folder(self.folder)
        finally:
            self._remove_leftovers()

    def _remove_leftovers(self) -> None:
        for name in KNOWN:
            for ending in ("new", "old"):
                shutil.rmtree(self.folder / f".{name}.{ending}", ignore_errors=True)

    def remove(self, name: str) -> None:
        """Removes an installed model and what was downloaded of it."""
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
    """The folder of the starter model: installed with the package, or beside it in a checkout; None when missing."""
    name = f"starter-{language}"
    candidates = [Path(__file__).parents[2] / "models" / name]
    with contextlib.suppress(ImportError, TypeError, ValueError):
        packaged = resources.files("voicechess.models") / name
        if isinstance(packaged, Path):
            candidates.insert(0, packaged)
    return next((path for path in candidates if path.is_dir()), None)


def choose(
    option: Path | None = None,
    language: str = "de",
    environ: Mapping[str, str] = os.environ,
    store: Store | None = None,
) -> Choice:
    """The model to use: the option's, VOICECHESS_MODEL, an installed full model, the starter model, or none.

    Each is tried before it is taken (`trusted`). Raises Failure when the model that was asked for cannot be used; a
    damaged one that nobody asked for becomes a notice and the next is taken.
    """
    if option is not None:
        return Choice(trusted(option), Origin.OPTION)
    wished = environ.get("VOICECHESS_MODEL")
    if wished:
        return Choice(trusted(Path(wished)), Origin.ENVIRONMENT)
    store = store or Store()
    notices: list[Failure] = []
    candidates = [
        (store.path(model.name), Origin.INSTALLED) for model in store.installed() if model.language == language
    ]
    own = starter(language)
    if own is not None:
        candidates.append((own, Origin.STARTER))
    for path, origin in candidates:
        try:
            return Choice(trusted(path), origin, tuple(notices))
        except Failure as error:
            notices.append(error)
    return Choice(None, None, tuple(notices))
