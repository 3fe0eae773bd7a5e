"""Kaldi's binary formats: matrices, a transition model, and an nnet3 network inside an acoustic model.

After io-funcs.cc, kaldi-matrix.cc, compressed-matrix.cc, hmm/transition-model.cc, hmm/hmm-topology.cc and
nnet3/{nnet-nnet,nnet-simple-component,am-nnet-simple}.cc of Kaldi. Only what a recogniser reads is written.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[np.floating]


def token(name: str) -> bytes:
    return name.encode("ascii") + b" "


def integer(value: int) -> bytes:
    return b"\x04" + struct.pack("<i", value)


def real(value: float) -> bytes:
    return b"\x04" + struct.pack("<f", value)


def integers(values: Sequence[int]) -> bytes:
    """std::vector<int32>."""
    return b"\x04" + struct.pack("<i", len(values)) + np.asarray(values, "<i4").tobytes()


def vector(values: Matrix) -> bytes:
    """Vector<float>."""
    return token("FV") + integer(len(values)) + struct.pack(f"<{len(values)}f", *values)


def _scale(values: Matrix) -> tuple[float, float, bytes]:
    """A matrix' lowest value and its span, and the header of compressed matrices, which names them and its sizes."""
    low, high = float(values.min()), float(values.max())
    span = max(high - low, 1e-9)
    return low, span, struct.pack("<ffii", low, span, *values.shape)


def _steps(values: Matrix, low: float, span: float) -> Matrix:
    """Values as the nearest of 65536 even steps."""
    steps: Matrix = np.clip(np.rint((values - low) * (65535 / span)), 0, 65535)
    return steps


def matrix(values: Matrix) -> bytes:
    """Matrix<float> in Kaldi's two-byte compressed form, which its reader unpacks: 65536 even steps, half the size."""
    low, span, header = _scale(values)
    data: bytes = _steps(values, low, span).astype("<u2").tobytes()
    return token("CM2") + header + data


CODES = (0, 64, 192, 255)
"""The bytes that stand for a column's knots; those between them are even steps."""


def small_matrix(values: Matrix) -> bytes:
    """Matrix<float> in Kaldi's one-byte compressed form: a quarter of the size, each column with steps of its own.

    A column's four knots are two bytes each on the scale of the whole matrix; its values are 64 steps from the lowest
    knot to the second, 128 on to the third, 63 on to the highest. Kaldi's own writer puts the inner knots at the
    quartiles; at the outer tenths, weights that are spread like a bell lose a third less.
    """
    low, span, header = _scale(values)
    apart = np.arange(4)[:, None]
    steps = _steps(np.quantile(values, (0.0, 0.1, 0.9, 1.0), axis=0), low, span)
    # Knots never coincide, so that nothing is divided by zero; at the upper end of the scale lower ones make room.
    steps = np.minimum(np.maximum.accumulate(steps - apart, axis=0), 65532) + apart
    knots = low + steps * (span / 65535)
    codes = np.empty(values.T.shape, np.uint8)
    for code, column, knot in zip(codes, values.T, knots.T, strict=True):
        code[:] = np.rint(np.interp(column, knot, CODES))
    data: bytes = steps.T.astype("<u2").tobytes() + codes.tobytes()
    return token("CM") + header + data


def transition_model(first: Sequence[int], further: Sequence[int]) -> bytes:
    """A one-state topology for every phone, as chain models have it: one output for its first frame, one for the rest.

    Args:
        first, further: the two outputs of each phone; phones count from 1.

    Transition 2k - 1 of phone k is its self-loop, 2k leads on; both cost the same.
    """
    count = len(first)
    phones = range(1, count + 1)
    data = token("<TransitionModel>") + token("<Topology>") + integers(list(phones)) + integers([-1] + [0] * count)
    data += integer(-1) + integer(1) + integer(2)  # self-loops have outputs of their own; one entry; two states
    data += integer(0) + integer(1) + integer(2) + integer(0) + real(0.5) + integer(1) + real(0.5)
    data += integer(-1) + integer(-1) + integer(0)
    data += token("</Topology>") + token("<Tuples>") + integer(count)
    for phone in phones:
        data += integer(phone) + integer(0) + integer(first[phone - 1]) + integer(further[phone - 1])
    logs = np.concatenate([[0.0], np.full(2 * count, np.log(0.5))])
    return (
        data
        + token("</Tuples>")
        + token("<LogProbs>")
        + vector(logs)
        + token("</LogProbs>")
        + token("</TransitionModel>")
    )


def self_loop(phone: int) -> int:
    """The transition that stays in a phone."""
    return 2 * phone - 1


def onward(phone: int) -> int:
    """The transition that enters a phone, in Kaldi's reordered graphs."""
    return 2 * phone


@dataclass
class Net:
    """An nnet3 network under construction, from cepstra to scores."""

    width: int
    lines: list[str] = field(default_factory=list)
    components: list[bytes] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.lines.append(f"input-node name=input dim={self.width}")

    def _add(self, name: str, component: bytes, source: str) -> str:
        self.lines.append(f"component-node name={name} component={name} input={source}")
        self.components.append(token("<ComponentName>") + token(name) + component)
        return name

    def affine(self, name: str, weights: Matrix, bias: Matrix, source: str, small: bool = False) -> str:
        """weights (out, in) times the source plus bias; returns the node's name, as all of these do.

        small: weights of one byte instead of two.
        """
        kind = "FixedAffineComponent"
        written = small_matrix(weights) if small else matrix(weights)
        data = token(f"<{kind}>") + token("<LinearParams>") + written + token("<BiasParams>") + vector(bias)
        return self._add(name, data + token(f"</{kind}>"), source)

    def nonlinear(self, name: str, kind: str, width: int, source: str) -> str:
        """RectifiedLinearComponent or LogSoftmaxComponent."""
        data = token(f"<{kind}>") + token("<Dim>") + integer(width)
        data += token("<ValueAvg>") + vector(np.zeros(0)) + token("<DerivAvg>") + vector(np.zeros(0))
        for name_of in ("<Count>", "<NumDimsSelfRepaired>", "<NumDimsProcessed>"):
            data += token(name_of) + real(0.0)
        return self._add(name, data + token(f"</{kind}>"), source)

    def same(self, name: str, width: int, source: str) -> str:
        """A node that passes on a sum of others."""
        data = token("<NoOpComponent>") + token("<Dim>") + integer(width) + token("<BackpropScale>") + real(1.0)
        return self._add(name, data + token("</NoOpComponent>"), source)

    def acoustic_model(self, output: str, context: tuple[int, int], priors: Matrix) -> bytes:
        """AmNnetSimple: the network, frames of 10 ms seen to the left and right, and the priors of its outputs."""
        config = "\n".join([*self.lines, f"output-node name=output input={output} objective=linear"])
        data = token("<Nnet3>") + b"\n" + config.encode("ascii") + b"\n\n"
        data += token("<NumComponents>") + integer(len(self.components)) + b"".join(self.components) + token("</Nnet3>")
        return (
            data
            + token("<LeftContext>")
            + integer(context[0])
            + token("<RightContext>")
            + integer(context[1])
            + token("<Priors>")
            + vector(priors)
        )
