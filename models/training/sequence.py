"""Training on whole words: right words must beat all other words, not sounds other sounds.

Maximum mutual information without lattices (Povey et al., "Purely sequence-trained neural networks for ASR based on
lattice-free MMI", Interspeech 2016), but over a loop of the model's own words, silence and garbage instead of a phone
model: just what the recogniser searches later. The right answer is the same loop, held to the labels with a tolerance
of 30 ms, so pronunciations may be chosen freely.
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
"""Weight of the net's scores against the graph, near the acoustic scale of decoding."""
CORE_WEIGHT = 4.0
"""How much likelier a word of a move is than any other."""
PAUSE, OTHER = 0.15, 0.02
"""Probability that silence, or a word that is not the model's, comes next."""
OUTSIDE = 1e-6
"""Weight of sounds that the labels do not allow."""


class WordLoop:
    """All pronunciations of all words as a tree, any of whose words may follow any other.

    States stand in depth-first order, so that the first child of each is the next one.

    Args:
        entries: words and pronunciations.
        core: words of moves, which come oftener.
        units: of the language.
        own: whether the pronunciations are in units, where words of a move have sounds of their own.
        device: where to count; None for the processor.

    Attributes:
        outputs: of a net that is trained with it, two for each of the sounds.
        phone, parent: of each state; parent -1 where a word begins.
        begin: probability that a word begins with the state after another has ended; 0 inside words.
        inner: probability that the state follows its parent; 0 where a word begins.
        end: probability that a word ends with the state.
        sound: for each output that of a net that tells sounds apart.
        posteriors: as `_posteriors`, on a GPU all of its steps at once (`replay.replayed`).
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
        # Sorted, every prefix stands before its continuations: that is depth first.
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

    # Inside, the batch is the last axis: a state's row is taken as a whole then, which is twice as fast.

    def _emissions(self, likelihoods: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Likelihoods of each phone's first and further frames, (steps, phones, batch) each."""
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
        """How likely each output is used at each moment, over all paths, and the logarithm of all their weight.

        Args:
            likelihoods: (batch, steps, outputs), not negative.

        Returns:
            (batch, steps, outputs), summing to one at each moment; and logarithms of totals, (batch,).
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
    """Which sounds the labels allow, (chunks, steps, 2 * sounds), two for each: those within `tolerance` frames.

    Args:
        phone, garbage: labels of a corpus, (frames,).
        at: frames of 10 ms in question, (chunks, steps).
        sounds: how many the language has.
    """
    mask = torch.full((*at.shape, sounds), OUTSIDE, device=at.device)
    for shift in range(-tolerance, tolerance + 1):
        there = (at + shift).clamp(0, len(phone) - 1)
        label = torch.where(garbage[there], UNKNOWN_SOUND, phone[there])
        mask.scatter_(2, label[:, :, None].long(), 1.0)
    return mask.repeat_interleave(2, 2)


def loss_of(loop: WordLoop, scores: torch.Tensor, log_priors: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """The right words' disadvantage against all words, a frame; differentiable in `scores`.

    scores: (batch, steps, outputs). mask: of `allowed`.
    """
    logs = SCALE * (torch.log_softmax(scores.float(), 2) - log_priors)
    with torch.no_grad():
        likelihoods = torch.exp(logs - logs.amax(2, keepdim=True))
        found, totals = loop.posteriors(torch.cat((likelihoods * mask[:, :, loop.sound], likelihoods)))
        (right, every), (right_total, every_total) = found.chunk(2), totals.chunk(2)
        # Where the net holds what the labels say to be impossible for long, no number is left of it: nothing is learnt.
        wrong = (every - right).nan_to_num(0.0, 0.0, 0.0)
        value = (every_total - right_total).nan_to_num(0.0, 0.0, 0.0).sum()
    # The gradient of the totals is the difference of posteriors; the value itself is added for display.
    surrogate = (wrong * logs).sum()
    return (surrogate - surrogate.detach() + value) / mask.shape[0] / mask.shape[1]
