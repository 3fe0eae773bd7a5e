"""Writing finite-state transducers in OpenFst's binary vector format, which Vosk reads as HCLr.fst and Gr.fst.

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
    """An arc from a state."""

    input: int  # label; 0: epsilon
    output: int  # likewise
    cost: float  # negative natural logarithm of a probability
    to: int  # target state


@dataclass
class Transducer:
    """A transducer whose states are numbered from 0, the start state."""

    arcs: list[list[Arc]] = field(default_factory=list)  # of each state
    final: dict[int, float] = field(default_factory=dict)  # final state -> cost of ending there

    def state(self) -> int:
        """Add a state; returns its number."""
        self.arcs.append([])
        return len(self.arcs) - 1

    def arc(self, source: int, to: int, labels: tuple[int, int], cost: float = 0.0) -> None:
        """Add an arc. `labels`: input and output."""
        self.arcs[source].append(Arc(*labels, cost, to))

    def data(self, *, acceptor: bool = False) -> bytes:
        """The content of the file, arcs sorted by output label. `acceptor`: input and output labels are the same, so
        arcs are sorted by both."""
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
