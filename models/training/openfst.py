"""OpenFst's binary vector format, which Vosk reads for HCLr.fst and Gr.fst; no tool of OpenFst is needed.

After fst/fst.cc (FstHeader::Write) and vector-fst.h of OpenFst 1.8: tropical weights, arcs of the type "standard".
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass, field
from typing import NamedTuple

_MAGIC, _VERSION = 2125659606, 2
_EXPANDED_MUTABLE = 0x3
_INPUT_SORTED, _OUTPUT_SORTED = 0x10000000, 0x40000000


class Arc(NamedTuple):
    """Labels (0: none), cost (negative natural logarithm of a probability), and the state it leads to."""

    input: int
    output: int
    cost: float
    to: int


@dataclass
class Transducer:
    """States are numbers from 0, the first is the start."""

    arcs: list[list[Arc]] = field(default_factory=list)
    final: dict[int, float] = field(default_factory=dict)

    def state(self) -> int:
        """A new state."""
        self.arcs.append([])
        return len(self.arcs) - 1

    def arc(self, source: int, to: int, labels: tuple[int, int], cost: float = 0.0) -> None:
        """An arc between two states."""
        self.arcs[source].append(Arc(*labels, cost, to))

    def data(self, *, acceptor: bool = False) -> bytes:
        """The file's content, arcs sorted by output label (and by input label, where both are the same)."""
        properties = _EXPANDED_MUTABLE | _OUTPUT_SORTED | (_INPUT_SORTED if acceptor else 0)
        count = sum(map(len, self.arcs))
        head = struct.pack("<i", _MAGIC)
        for name in (b"vector", b"standard"):
            head += struct.pack("<i", len(name)) + name
        head += struct.pack("<iiQqqq", _VERSION, 0, properties, 0, len(self.arcs), count)
        body = bytearray(head)
        for state, arcs in enumerate(self.arcs):
            body += struct.pack("<fq", self.final.get(state, math.inf), len(arcs))
            for arc in sorted(arcs, key=lambda arc: (arc.output, arc.input)):
                body += struct.pack("<iifi", *arc)
        return bytes(body)
