"""What was learnt about one person's speech, on disk: one small file that can be read, deleted and made anew."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path

from voicechess.failure import Failure
from voicechess.game.messages import Text
from voicechess.language.confusions import Confusions, read_confusions


def read_personal(path: Path) -> Confusions | None:
    """What was learnt; None when nothing was. Raises `Failure` for a damaged file."""
    try:
        text = path.read_text("utf-8")
    except OSError:
        return None
    except UnicodeDecodeError as error:
        raise _damaged(path) from error
    try:
        data = json.loads(text)
        if not isinstance(data, dict):
            raise ValueError
        return read_confusions(data)
    except (ValueError, RecursionError) as error:
        raise _damaged(path) from error


def _damaged(path: Path) -> Failure:
    return Failure("calibrate.damaged", {"path": Text(str(path))})


def write_personal(path: Path, learnt: Confusions) -> None:
    """Keep it: whole or not at all. Raises `Failure` when the disk refuses."""
    temporary = path.with_name(path.name + ".new")
    text = json.dumps({"exchanged": learnt.exchanged}, ensure_ascii=False, indent=1)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise Failure("cli.unwritable", {"path": Text(str(path))}) from error


def forget_personal(path: Path) -> bool:
    """Delete it; False when there was nothing. Raises `Failure` when the disk refuses."""
    try:
        path.unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise Failure("cli.unwritable", {"path": Text(str(path))}) from error
    return True
