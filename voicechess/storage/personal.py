"""Speaker adaptation on disk: one small file that can be read, deleted and recreated."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from voicechess import own_files
from voicechess.language.confusions import NO_CONFUSIONS, Confusions, read_confusions
from voicechess.meaning import SpeakingLevel
from voicechess.messages import Failure, Text


@dataclass(frozen=True, slots=True)
class Personal:
    """Results of a speaker's calibration."""

    confusions: Confusions = NO_CONFUSIONS
    level: SpeakingLevel | None = None  # None: unknown
    fit: float | None = None  # the speaker's fit threshold, if below the default (`language.personal.least_fit`)

    @property
    def anything(self) -> bool:
        """Whether there is anything to store."""
        return bool(self.confusions.exchanged) or self.level is not None or self.fit is not None


def read_personal(path: Path) -> Personal | None:
    """Read the file; None if there is none. Raises `Failure` for a damaged one."""
    try:
        data = own_files.read_json(path)
        if not isinstance(data, dict):
            raise ValueError
        return Personal(read_confusions(data), _level(data.get("level")), _fit(data.get("fit")))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise _damaged(path) from error


def _level(data: object) -> SpeakingLevel | None:
    """The level in a file, None if it has none. Raises ValueError for anything else."""
    if data is None:
        return None
    names = [one.name for one in fields(SpeakingLevel)]
    values = [data.get(name) for name in names] if isinstance(data, dict) else []
    numbers = [float(value) for value in values if isinstance(value, int | float)]
    if len(numbers) != len(names):
        raise ValueError("level must have " + ", ".join(names))
    return SpeakingLevel(*numbers)


def _fit(data: object) -> float | None:
    """The fit in a file, None if it has none. Raises ValueError for anything else."""
    if data is None:
        return None
    if isinstance(data, bool) or not isinstance(data, int | float):
        raise ValueError("fit must be a number")
    return float(data)


def _damaged(path: Path) -> Failure:
    return Failure("calibrate.damaged", {"path": Text(str(path))})


def write_personal(path: Path, learnt: Personal) -> None:
    """Write it atomically. Raises `Failure` for disk errors."""
    data: dict[str, object] = {"exchanged": learnt.confusions.exchanged}
    if learnt.level is not None:
        data["level"] = asdict(learnt.level)
    if learnt.fit is not None:
        data["fit"] = learnt.fit
    try:
        own_files.write_text(path, json.dumps(data, ensure_ascii=False, indent=1))
    except OSError as error:
        raise Failure("cli.unwritable", {"path": Text(str(path))}) from error


def forget_personal(path: Path) -> bool:
    """Delete the file; False if there was none. Raises `Failure` for disk errors."""
    try:
        path.unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise Failure("cli.unwritable", {"path": Text(str(path))}) from error
    return True
