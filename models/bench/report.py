"""Results of a measurement as data and as text: tables that read well aloud and in a terminal, JSON for programs."""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from voicechess.messages import Failure, Text


def machine() -> str:
    """This machine in a line: system, processor, Python."""
    processor = platform.processor() or platform.machine()
    if sys.platform == "linux":
        lines = Path("/proc/cpuinfo").read_text(errors="replace").splitlines()
        processor = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), processor)
    return f"{platform.system()} {platform.machine()}, {processor}, Python {platform.python_version()}"


@dataclass(frozen=True)
class Report:
    """One measurement. `figures` is the same in every run on one machine, `costs` (times, memory) never quite."""

    measured: str
    subject: str
    note: str
    quick: bool
    figures: dict[str, object]
    costs: dict[str, object]
    machine: str = field(default_factory=machine)


def write_json(report: Report, path: Path) -> None:
    """The whole report as JSON, keys in a fixed order, letters as they are. Raises Failure if it cannot be written."""
    text = json.dumps(asdict(report), ensure_ascii=False, indent=1) + "\n"
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Failure("bench.json_unwritable", {"path": Text(str(path))}) from error


def table(heads: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A table in plain text: the first column to the left, figures to the right."""
    cells = [[_cell(value) for value in row] for row in rows]
    widths = [max(len(line[column]) for line in [list(heads), *cells]) for column in range(len(heads))]
    lines = []
    for line in [list(heads), *cells]:
        first, *rest = (
            text.ljust(width) if not at else text.rjust(width)
            for at, (text, width) in enumerate(zip(line, widths, strict=True))
        )
        lines.append("  ".join([first, *rest]).rstrip())
    return "\n".join(lines)


def _cell(value: object) -> str:
    return f"{value:.2f}" if isinstance(value, float) else str(value)


class Stages:
    """Progress on standard error, where it is a terminal."""

    def stage(self, name: str) -> Callable[[int, int], None]:
        """A function to be told (done, of how many) in the stage called `name`."""
        watched = sys.stderr.isatty()

        def tell(done: int, total: int) -> None:
            if watched:
                end = "\n" if done == total else ""
                print(f"\r\x1b[K{name}: {done}/{total}", end=end, file=sys.stderr, flush=True)

        return tell
