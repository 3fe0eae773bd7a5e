"""Results of a measurement: counts with confidence intervals, plain tables that read well aloud, JSON."""

from __future__ import annotations

import json
import platform
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from math import sqrt
from pathlib import Path

from voicechess.language.confusions import pairs
from voicechess.messages import Failure, Text

# --- Counts: right utterances, right words, confusions ---


Pair = tuple[str, str]

NOTHING = "-"
"""In place of a word deleted (said, "-") or inserted ("-", recognised)."""


def aligned(said: Sequence[str], heard: Sequence[str]) -> list[Pair]:
    """The alignment of least edit distance, as pairs; `NOTHING` on one side of a deletion or insertion."""
    return [(one or NOTHING, other or NOTHING) for other, one in pairs(heard, said, exchanged=1, odd=1)]


@dataclass
class Tally:
    """Counts of recognised utterances."""

    utterances: int = 0
    right: int = 0  # utterances recognised without an error
    words: int = 0  # words said
    errors: int = 0  # substitutions, deletions and insertions
    confusions: Counter[Pair] = field(default_factory=Counter)  # (said, recognised) -> count, right words included
    same_move: int | None = None  # utterances that mean the right move; None: not counted

    def add(self, said: Sequence[str], heard: Sequence[str]) -> None:
        """Count an utterance."""
        pairs = aligned(said, heard)
        wrong = sum(a != b for a, b in pairs)
        self.utterances += 1
        self.right += wrong == 0
        self.words += len(said)
        self.errors += wrong
        self.confusions.update(pairs)

    @property
    def utterance_share(self) -> float:
        """Percentage of utterances recognised whole."""
        return percentage(self.right, self.utterances)

    @property
    def word_share(self) -> float:
        """100 minus the word error rate, in percent."""
        return 100.0 - percentage(self.errors, self.words)

    def mistakes(self, most: int = 12) -> list[tuple[str, str, int]]:
        """The commonest confusions: said, recognised, count."""
        wrong = [(a, b, count) for (a, b), count in self.confusions.items() if a != b]
        return sorted(wrong, key=lambda item: (-item[2], item[0], item[1]))[:most]

    def matrix(self) -> dict[str, dict[str, int]]:
        """Word said -> word recognised -> count, commonest first."""
        rows: dict[str, dict[str, int]] = {}
        for (a, b), count in sorted(self.confusions.items(), key=lambda item: (item[0][0], -item[1], item[0][1])):
            rows.setdefault(a, {})[b] = count
        return rows

    def figures(self) -> dict[str, object]:
        """The figures for a report; `between`: 95 % interval of the utterance share."""
        moves = {} if self.same_move is None else {"move_share": round(percentage(self.same_move, self.utterances), 2)}
        return {
            "utterances": self.utterances,
            "right": self.right,
            **moves,
            "utterance_share": round(self.utterance_share, 2),
            "between": [round(bound, 2) for bound in interval(self.right, self.utterances)],
            "words": self.words,
            "word_share": round(self.word_share, 2),
        }


def tallied(pairs: Iterable[tuple[Sequence[str], Sequence[str]]]) -> Tally:
    """A tally of (said, recognised)."""
    tally = Tally()
    for said, heard in pairs:
        tally.add(said, heard)
    return tally


def percentage(part: float, whole: float) -> float:
    """100 · part / whole; 0 of 0 is 0."""
    return 100.0 * part / whole if whole else 0.0


def interval(part: int, whole: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share, percent (E. B. Wilson, 1927), which is valid for small and extreme counts."""
    if whole == 0:
        return 0.0, 100.0
    z = 1.959964
    share = part / whole
    middle = share + z * z / (2 * whole)
    spread = z * sqrt(share * (1 - share) / whole + z * z / (4 * whole * whole))
    scale = 100 / (1 + z * z / whole)
    return max(0.0, (middle - spread) * scale), min(100.0, (middle + spread) * scale)


# --- Reports ---


def machine() -> str:
    """This machine in one line: system, processor, Python."""
    processor = platform.processor() or platform.machine()
    if sys.platform == "linux":
        lines = Path("/proc/cpuinfo").read_text(errors="replace").splitlines()
        processor = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), processor)
    return f"{platform.system()} {platform.machine()}, {processor}, Python {platform.python_version()}"


@dataclass(frozen=True)
class Report:
    """A measurement."""

    measured: str  # which one
    subject: str  # what was measured, such as the folder of a model
    note: str  # a remark of whoever measured
    quick: bool  # whether only a small part was measured
    figures: dict[str, object]  # reproducible on one machine
    costs: dict[str, object]  # times and memory, which vary
    machine: str = field(default_factory=machine)


def write_json(report: Report, path: Path) -> None:
    """Write the report as JSON in UTF-8. Raises Failure if it cannot be written."""
    text = json.dumps(asdict(report), ensure_ascii=False, indent=1) + "\n"
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Failure("bench.json_unwritable", {"path": Text(str(path))}) from error


def table(heads: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A table in plain text, the first column left-aligned, the others right-aligned."""
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
    """Progress on standard error, if that is a terminal."""

    def stage(self, name: str) -> Callable[[int, int], None]:
        """A function to be called with (finished, total) in the stage `name`."""
        watched = sys.stderr.isatty()

        def tell(done: int, total: int) -> None:
            if watched:
                end = "\n" if done == total else ""
                print(f"\r\x1b[K{name}: {done}/{total}", end=end, file=sys.stderr, flush=True)

        return tell
