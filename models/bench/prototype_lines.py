"""Writes `prototypes.toml` of a language: what people said for each command and choice, from files of wordings.

    python -m models.bench.prototype_lines de tests/language/wordings/tune.de.tsv … > prototypes.toml

Only files of tuning lines may be named, never those for measuring.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from models.bench.wordings import meant_by, read
from voicechess.app.hearing import Hearing
from voicechess.language.lexicon import load
from voicechess.language.prototypes import as_prototype
from voicechess.language.tokens import tokenise
from voicechess.meaning import Command
from voicechess.moves.decisions import Act

FIXED = ("number", "colour")
"""Slots that may be meant without being named: "die leichteste" is level 1."""

HEAD = """\
# Sentences that people typed or said for a command or a choice, its slots as "{square}": a typed line that is not
# understood is asked about by what it resembles (`language/prototypes.py`). Nothing is done on it.
# Written by `python -m models.bench.prototype_lines`.
"""


def entries(language: str, files: Sequence[Path]) -> dict[str, dict[str, None]]:
    """The sentences of each entry: entry -> sentences, in order. Raises Failure for an invalid file."""
    hearing = Hearing(load(language))
    found: dict[str, dict[str, None]] = {}
    for file in files:
        for line in read(file):
            decision = meant_by(line, hearing) if line.usual else None
            if not isinstance(decision, Act) or not isinstance(decision.command, Command):
                continue
            words = [one.text for one in tokenise(line.said, hearing.lexicon, True)]
            said = as_prototype([one for one in words if any(map(str.isalnum, one))], hearing.lexicon)
            fixed = (
                f" {name}={int(value)}"
                for name, value in decision.command.slots
                if name in FIXED and f"{{{name}}}" not in said and isinstance(value, int)
            )
            sentences = found.setdefault(decision.command.name + "".join(fixed), {})
            sentences[" ".join(said)] = None
    return found


def main() -> None:
    language, *files = sys.argv[1:]
    print(HEAD)
    for entry, sentences in sorted(entries(language, [Path(file) for file in files]).items()):
        quoted = ", ".join(f'"{one}"' for one in sorted(sentences) if one)
        print(f"{entry if ' ' not in entry else chr(34) + entry + chr(34)} = [{quoted}]")


if __name__ == "__main__":
    main()
