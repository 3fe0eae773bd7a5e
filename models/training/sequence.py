"""Sequence training: the right words compete with all other words instead of phones with phones.

Lattice-free maximum mutual information (Povey et al., "Purely sequence-trained neural networks for ASR based on
lattice-free MMI", Interspeech 2016). The denominator is a loop of the model's words, silence and garbage instead of a
phone model, as the recogniser searches it later; the numerator is the same loop restricted to the labels with a
tolerance of 30 ms, so the pronunciation is free.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence

import torch

from models.training.lexicon import Pronunciation
from models.training.phones import GARBAGE, SILENCE, UNKNOWN_SOUND
from models.training.replay import replayed
from models.training.units import Units

SCALE = 0.33
"""Acoustic scale: weight of the net's scores relative to the graph, near that of decoding. Larger: the graph matters
less."""
CORE_WEIGHT = 4.0
"""Prior of a word of a move relative to another word. Larger: other words are recognised less readily."""
PAUSE, OTHER = 0.15, 0.02
"""Probabilities that silence, or an out-of-vocabulary word, comes next."""
OUTSIDE = 1e-6
"""Weight of phones that the labels do not allow, instead of 0, so that no path is impossible."""


class WordLoop:
    """A prefix tree of all pronunciations, in a loop: any word may follow any other.

    States are in depth-first order, so the first child of a state is the next state.

    Args:
        entries: words and pronunciations.
        core: words of moves, which are more frequent.
        units: of the language.
        own: whether the pronunciations are in units, with separate phones for the words of a move.
        device: None: the CPU.

    Attributes:
        outputs: number of outputs of a net trained with it, two for each phone or unit.
        phone, parent: of each state; parent -1 at the beginning of a word.
        begin: probability that a word begins with the state after another has ended; 0 inside words.
        inner: probability that the state follows its parent; 0 at the beginning of a word.
        end: probability that a word ends with the state.
        sound: for each output the corresponding one of a net without units.
        posteriors: `_posteriors`, on a GPU as a captured graph (`replay.replayed`).
    """

    def __init__(
        self,
        entries: Sequence[tuple[str, Pronunciation]],
        core: Collection[str],
        units: Units,
        own: bool = False,
        device: torch.device | None = None,
    ) -> None:
        index = units.index if own else units.sounds.index
        self.outputs = 2 * len(index)
        spelled = Counter(word for word, _ in entries)
        weights = {word: CORE_WEIGHT if word in core else 1.0 for word in spelled}
        total = sum(weights.values())
        passing: defaultdict[Pronunciation, float] = defaultdict(float)
        ending: defaultdict[Pronunciation, float] = defaultdict(float)
        for word, said in entries:
            share = (1 - PAUSE - OTHER) * weights[word] / total / math.sqrt(spelled[word])
            ending[said] += share
            for length in range(1, len(said) + 1):
                passing[said[:length]] += share
        for phone, share in ((SILENCE, PAUSE), (GARBAGE, OTHER)):
            passing[(phone,)] = ending[(phone,)] = share
        # Sorted, every prefix precedes its continuations: depth-first order.
        states = sorted(passing, key=lambda said: [index[sound] for sound in said])
        number = {said: place for place, said in enumerate(states)}
        parents = [number[said[:-1]] if len(said) > 1 else -1 for said in states]
        inner = [passing[said] / passing[said[:-1]] if len(said) > 1 else 0.0 for said in states]
        self.phone = torch.tensor([index[said[-1]] for said in states], device=device)
        self.parent = torch.tensor(parents, device=device)
        self.begin = torch.tensor([passing[said] if len(said) == 1 else 0.0 for said in states], device=device)
        self.inner = torch.tensor(inner, device=device)
        self.end = torch.tensor([ending[said] / passing[said] for said in states], device=device)
        self.sound = torch.from_numpy(units.output_of[: self.outputs]).to(device)
        self._before = self.parent.clamp(min=0)
        self._inner = self.inner[:, None]
        self._roots = torch.nonzero(self.begin)[:, 0]
        self._begin = self.begin[self._roots, None]
        self.posteriors = replayed(self._posteriors)

    # Inside, the batch is the last axis, so that the row of a state is contiguous, which is twice as fast.

    def _emissions(self, likelihoods: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Likelihoods of the first and the further frames of each phone, (steps, phones, batch) each."""
        by_step = likelihoods.permute(1, 2, 0)
        first, again = by_step[:, 0::2].contiguous(), by_step[:, 1::2].contiguous()
        again[:, UNKNOWN_SOUND] = first[:, UNKNOWN_SOUND]
        return first, again

    def _enter(self, before: torch.Tensor) -> torch.Tensor:
        """Weight with which each state is entered, from the weights of all one step earlier, (states, batch)."""
        entered = before.index_select(0, self._before) * self._inner
        entered.index_add_(0, self._roots, self._begin * (self.end @ before))
        return entered

    def _leave(self, entering: torch.Tensor) -> torch.Tensor:
        """The transpose of `_enter`."""
        left = self.end[:, None] * (self.begin @ entering)
        return left.index_add_(0, self._before, entering * self._inner)

    def _posteriors(self, likelihoods: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Forward-backward: posteriors of the outputs at each step, over all paths, and the log weight of all paths.

        Args:
            likelihoods: (batch, steps, outputs), not negative.

        Returns:
            Posteriors, (batch, steps, outputs), summing to one at each step; log totals, (batch,).
        """
        batch, steps, outputs = likelihoods.shape
        first, again = self._emissions(likelihoods)
        ahead, entered = likelihoods.new_empty(2, steps, len(self.phone), batch)
        norms = likelihoods.new_empty(steps, batch)
        state = again[0].index_select(0, self.phone) / len(self.phone)
        for step in range(steps):
            if step:
                entered[step] = self._enter(state)
                state = state * again[step].index_select(0, self.phone)
                state.addcmul_(entered[step], first[step].index_select(0, self.phone))
            norms[step] = state.sum(0)
            state = torch.div(state, norms[step], out=ahead[step])
        used = likelihoods.new_zeros(steps, outputs, batch)
        behind = likelihoods.new_ones(len(self.phone), batch)
        for step in range(steps - 1, 0, -1):
            behind = behind / norms[step]
            entering = first[step].index_select(0, self.phone) * behind
            staying = again[step].index_select(0, self.phone) * behind
            used[step, 0::2].index_add_(0, self.phone, entered[step] * entering)
            used[step, 1::2].index_add_(0, self.phone, ahead[step - 1] * staying)
            behind = staying + self._leave(entering)
        used[0, 1::2].index_add_(0, self.phone, ahead[0] * behind)
        garbage = 2 * UNKNOWN_SOUND
        used[:, garbage] += used[:, garbage + 1]
        used[:, garbage + 1] = 0
        used = used / used.sum(1, keepdim=True).clamp(min=1e-20)
        return used.permute(2, 0, 1), norms.log().sum(0)


def allowed(
    phone: torch.Tensor, garbage: torch.Tensor, at: torch.Tensor, sounds: int, tolerance: int = 3
) -> torch.Tensor:
    """Mask of the outputs that the labels allow, (chunks, steps, 2 * sounds): 1 for phones within `tolerance` frames of
    10 ms, otherwise `OUTSIDE`.

    Args:
        phone, garbage: labels of a corpus, (frames,).
        at: frame numbers of the steps, (chunks, steps).
        sounds: number of phones of the language.
    """
    mask = torch.full((*at.shape, sounds), OUTSIDE, device=at.device)
    for shift in range(-tolerance, tolerance + 1):
        there = (at + shift).clamp(0, len(phone) - 1)
        label = torch.where(garbage[there], UNKNOWN_SOUND, phone[there])
        mask.scatter_(2, label[:, :, None].long(), 1.0)
    return mask.repeat_interleave(2, 2)


def loss_of(loop: WordLoop, scores: torch.Tensor, log_priors: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """The LF-MMI loss per step; differentiable in `scores`.

    Args:
        scores: of the net, (batch, steps, outputs).
        log_priors: of its outputs, (outputs,).
        mask: of `allowed`.
    """
    logs = SCALE * (torch.log_softmax(scores.float(), 2) - log_priors)
    with torch.no_grad():
        likelihoods = torch.exp(logs - logs.amax(2, keepdim=True))
        found, totals = loop.posteriors(torch.cat((likelihoods * mask[:, :, loop.sound], likelihoods)))
        (right, every), (right_total, every_total) = found.chunk(2), totals.chunk(2)
        # Labels that the net takes for impossible over many steps underflow to NaN: nothing is learnt from them.
        wrong = (every - right).nan_to_num(0.0, 0.0, 0.0)
        value = (every_total - right_total).nan_to_num(0.0, 0.0, 0.0).sum()
    # The gradient is the difference of posteriors; the value itself is added for display.
    surrogate = (wrong * logs).sum()
    return (surrogate - surrogate.detach() + value) / mask.shape[0] / mask.shape[1]
