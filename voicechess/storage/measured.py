"""Measurements of a speech model, stored beside it: the scaling of its likelihoods, and its results.

If nothing can be written beside the model they are stored in the data folder. They are valid for the measured files
only. There is no date: measuring the same model again gives the same file.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

from voicechess import own_files
from voicechess.messages import Failure, Text
from voicechess.sound.model import LikelihoodScaling
from voicechess.storage.places import measured_folder

BESIDE = "measured.json"
"""File name beside the model."""

VERSION = 1
"""Version of the exam (`app.exam`). Measurements of other versions are ignored."""

_EDGE = 1 << 16  # bytes of a file's beginning and end in the fingerprint
_MAX_BYTES = 1 << 16  # of the file
_MAX_FILES = 1000  # of a model in the fingerprint


@dataclass(frozen=True, slots=True)
class Figures:
    """Results of a model in the half of an exam that was not used for tuning."""

    announced: int  # announcements
    at_once: int  # announcements played correctly at once
    wrong: int  # wrong moves played
    overheard: int  # talk and noise obeyed
    harm: float  # total loss, that of a question being 1

    @property
    def percent(self) -> int:
        """Percentage of announcements played correctly at once."""
        return round(100 * self.at_once / max(1, self.announced))


@dataclass(frozen=True, slots=True)
class Measured:
    """Result of an exam."""

    scaling: LikelihoodScaling
    figures: Figures  # of the model with its scaling
    starter: Figures | None = None  # of the starter model; None: there is none

    @property
    def trusted(self) -> bool:
        """Whether it did no worse than the starter model."""
        return self.starter is None or self.figures.harm <= self.starter.harm


def fingerprint(folder: Path) -> str:
    """A hash that changes with the model's files: names, sizes, beginnings and ends. Raises OSError."""
    found = hashlib.sha256(str(VERSION).encode())
    parts = [part for part in sorted(folder.rglob("*")) if part.is_file() and not part.name.startswith(_NOT_THE_MODEL)]
    for part in parts[:_MAX_FILES]:
        with part.open("rb") as file:
            size = part.stat().st_size
            start = file.read(_EDGE)
            file.seek(max(0, size - _EDGE))
            content = hashlib.sha256(start + file.read(_EDGE)).hexdigest()
        found.update(ascii((part.relative_to(folder).as_posix(), size, content)).encode())
    return found.hexdigest()


_NOT_THE_MODEL = (BESIDE, "manifest.json")


def read_measured(folder: Path) -> Measured | None:
    """The measurements of the model in this folder; None if there are none, of other files only, or damaged."""
    found = _found(folder)
    return next((one for one in found if isinstance(one, Measured)), None)


def is_damaged(folder: Path) -> bool:
    """Whether measurements of the model in this folder exist but cannot be read."""
    found = _found(folder)
    return _DAMAGED in found and read_measured(folder) is None


_DAMAGED = "damaged"


def _found(folder: Path) -> list[Measured | str | None]:
    with contextlib.suppress(OSError):
        mark = fingerprint(folder)
        return [_read(path, mark) for path in (folder / BESIDE, _elsewhere(mark))]
    return []


def _elsewhere(mark: str) -> Path:
    return measured_folder() / f"{mark[:32]}.json"


def _read(path: Path, mark: str) -> Measured | str | None:
    """The measurements of these files; None: none; `_DAMAGED`: unreadable."""
    try:
        data = own_files.read_json(path, _MAX_BYTES)
        if data["version"] != VERSION or data["model"] != mark:
            return None
        shift = None if data["scores"]["shift"] is None else _number(data["scores"], "shift")
        scaling = LikelihoodScaling(_number(data["scores"], "scale"), shift, _number(data["scores"], "doubt"))
        if scaling.scale <= 0 or scaling.doubt < 0:
            return _DAMAGED
        starter = None if data["starter"] is None else _figures(data["starter"])
        return Measured(scaling, _figures(data["figures"]), starter)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError):
        return _DAMAGED


def _figures(data: Mapping[str, object]) -> Figures:
    found = {one.name: _number(data, one.name) for one in fields(Figures)}
    counts = {name: int(value) for name, value in found.items() if name != "harm"}
    return Figures(**counts, harm=found["harm"])


def _number(data: Mapping[str, object], name: str) -> float:
    value = data[name]
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(name)
    return float(value)


def write_measured(folder: Path, measured: Measured) -> Path:
    """Write it atomically beside the model, or else in the data folder; returns the path. Raises `Failure`."""
    kept = {
        "scores": asdict(replace(measured.scaling, scale=round(measured.scaling.scale, 4))),
        "figures": asdict(measured.figures),
        "starter": None if measured.starter is None else asdict(measured.starter),
    }
    try:
        mark = fingerprint(folder)
        text = json.dumps({"version": VERSION, "model": mark, **kept}, indent=1) + "\n"
        try:
            path = folder / BESIDE
            own_files.write_text(path, text)
        except OSError:
            path = _elsewhere(mark)
            own_files.write_text(path, text)
    except OSError as error:
        raise Failure("cli.unwritable", {"path": Text(str(measured_folder()))}) from error
    return path
