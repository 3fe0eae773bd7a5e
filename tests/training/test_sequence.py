"""Training on whole words: posteriors equal those of counting every path, and the gradient is that of the loss."""

import itertools
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the training extra")

from models.training import sequence  # noqa: E402
from models.training.language import language  # noqa: E402
from models.training.phones import GARBAGE  # noqa: E402

pytestmark = pytest.mark.training
SOUNDS, UNITS = language("de").sounds, language("de").units
INDEX, PDFS = SOUNDS.index, SOUNDS.outputs
ENTRIES = [("ja", ("j", "A:")), ("ah", ("A:",)), ("jo", ("j", "o:"))]


def likelihoods(steps: int) -> Any:
    return torch.rand(1, steps, PDFS, generator=torch.Generator().manual_seed(steps)) + 0.1


def allowed(phone: np.ndarray, garbage: np.ndarray, at: np.ndarray) -> Any:
    labels = [torch.from_numpy(one) for one in (phone, garbage, at)]
    return sequence.allowed(labels[0], labels[1], labels[2], len(SOUNDS.names))


def test_posteriors_are_those_of_all_paths() -> None:
    loop, steps = sequence.WordLoop(ENTRIES, {"ja"}, UNITS), 3
    given = likelihoods(steps)
    used, total = loop.posteriors(given)
    states, garbage = range(len(loop.phone)), INDEX[GARBAGE]
    expected, weight_of_all = np.zeros((steps, PDFS)), 0.0
    # A path is a state at each moment and, from the second on, whether it was entered anew.
    for path in itertools.product(states, repeat=steps):
        for entered in itertools.product((False, True), repeat=steps - 1):
            weight, outputs = 1 / len(loop.phone), []
            for step, state in enumerate(path):
                phone = int(loop.phone[state])
                anew = step > 0 and entered[step - 1]
                if step and not anew:
                    weight *= path[step - 1] == state
                elif anew and loop.inner[state]:
                    weight *= float(loop.inner[state]) * (path[step - 1] == int(loop.parent[state]))
                elif anew:
                    weight *= float(loop.end[path[step - 1]] * loop.begin[state])
                output = 2 * phone + (not anew and phone != garbage)
                outputs.append(output)
                weight *= float(given[0, step, output])
            weight_of_all += weight
            for step, output in enumerate(outputs):
                expected[step, output] += weight
    assert np.allclose(used[0].numpy(), expected / weight_of_all, atol=1e-5)
    assert float(total) == pytest.approx(np.log(weight_of_all), abs=1e-4)


@pytest.mark.parametrize("own", [False, True])
def test_the_gradient_is_the_slope(own: bool) -> None:
    loop = sequence.WordLoop(UNITS.of(ENTRIES) if own else ENTRIES, (), UNITS, own)
    outputs = UNITS.outputs if own else PDFS
    scores = torch.randn(2, 6, outputs, generator=torch.Generator().manual_seed(1)).requires_grad_()
    mask = allowed(np.full(40, INDEX["A:"]), np.zeros(40, bool), np.arange(6)[None].repeat(2, 0) * 3)
    priors = torch.full((outputs,), -4.0)
    sequence.loss_of(loop, scores, priors, mask).backward()
    for place in ((0, 2, 2 * INDEX["A:"] + 1), (1, 4, 2 * INDEX["j"]), (0, 0, 1), (1, 3, scores.shape[2] - 1)):
        step = torch.zeros_like(scores)
        step[place] = 0.02
        with torch.no_grad():
            up = sequence.loss_of(loop, scores + step, priors, mask)
            down = sequence.loss_of(loop, scores - step, priors, mask)
        assert float((up - down) / 0.04) == pytest.approx(float(scores.grad[place]), abs=2e-4)


def test_of_labels_that_the_net_holds_impossible_nothing_is_learnt() -> None:
    loop = sequence.WordLoop(ENTRIES, {"ja"}, UNITS)
    scores = torch.zeros(2, 9, PDFS)
    scores[0, :, 2 * INDEX["o:"]] = 2000
    scores.requires_grad_()
    mask = allowed(np.full(40, INDEX["A:"]), np.zeros(40, bool), np.arange(9)[None].repeat(2, 0) * 3)
    loss = sequence.loss_of(loop, scores, torch.full((PDFS,), -4.0), mask)
    loss.backward()
    assert loss.isfinite()
    assert scores.grad is not None
    assert scores.grad.isfinite().all()
    assert scores.grad[1].abs().max() > 0, "from the other chunk it is"


def test_labels_hold_the_right_answer() -> None:
    phone, garbage = np.array([INDEX["A:"]] * 10 + [INDEX["z"]] * 10), np.array([False] * 10 + [True] * 10)
    mask = allowed(phone, garbage, np.array([[5, 9, 18]]))[0]
    assert mask[0, 2 * INDEX["A:"]] == 1
    assert mask[0, 2 * INDEX[GARBAGE]] < 1e-3
    assert mask[1, 2 * INDEX["A:"]] == mask[1, 2 * INDEX[GARBAGE]] == 1
    assert mask[2, 2 * INDEX["z"]] < 1e-3


def test_where_the_labels_name_a_sound_that_of_any_word_is_right() -> None:
    """A word of a move has sounds of its own, of which the labels know nothing: the loop chooses among the words."""
    loop = sequence.WordLoop(UNITS.of([*ENTRIES, ("na", ("n", "A:"))]), (), UNITS, own=True)
    scores = torch.zeros(1, 6, UNITS.outputs, requires_grad=True)
    labels = np.array([INDEX["j"]] * 9 + [INDEX["A:"]] * 9)
    mask = allowed(labels, np.zeros(18, bool), np.arange(6)[None] * 3)
    sequence.loss_of(loop, scores, torch.full((UNITS.outputs,), -4.0), mask).backward()
    assert scores.grad is not None
    wanted = -scores.grad[0, 4]
    assert wanted[2 * UNITS.index["A:.ja"] + 1] > 0.01
    assert wanted[2 * UNITS.index["A:"] + 1] > 0  # its words may be said with those of all words, too
