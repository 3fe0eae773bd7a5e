"""Writing a model folder for Vosk from a net and a lexicon.

HCLr.fst has every pronunciation of every word and optional silence between words; a word's label is on its first arc,
so that composition with a grammar has no dead ends. Words share the states of common suffixes, which halves the file.
Gr.fst is the grammar used when none is given.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from models.training import features, kaldi
from models.training.lexicon import Pronunciation
from models.training.openfst import Transducer
from models.training.phones import GARBAGE, SILENCE, SILENT, UNKNOWN_SOUND
from models.training.shape import SUBSAMPLING
from models.training.units import Units
from voicechess.meaning import UNKNOWN_WORD

MODEL = "am/final.mdl"
_STAY = math.log(2)
"""Transition cost of a step of 30 ms; the same on all paths."""


@dataclass(frozen=True)
class Settings:
    """Weights for decoding, chosen on voices and people kept for tuning. Costs are negative natural logarithms."""

    acoustic_scale: float = 0.28  # weight of the net's scores. Larger: costs of the graph matter less
    prior_scale: float = 0.95  # exponent of the priors by which scores are divided. Larger: rarer phones are favoured
    raised: float = 0.7
    """Constant added to the scores of a net with an offset, per step: words in noise fit it less well than the net from
    which its offset was learnt. Larger: fewer words are taken for noise, and more noise for words."""
    unknown_cost: float = 1.0  # cost of each [unk]. Larger: less is rejected
    unknown_step: float = 0.15
    """Cost of each step of [unk]. Larger: less is rejected. Below 0.15 it becomes a rival of words by unseen people,
    whose answers are then read back."""
    unknown_steps: int = 5  # minimal length of [unk], steps. Larger: short noises become words
    word_cost: float = 0.3  # cost of each word. Larger: fewer insertions, more deletions
    silence_cost: float = 1.2  # cost of a pause between words. Larger: fewer pauses
    beam: float = 11.0  # of the search. Larger: slower, fewer search errors
    lattice_beam: float = 6.0
    """Larger: more alternatives, slower. With 4 the meant word was often missing beside misrecognised ones."""
    max_active: int = 3000  # most active states of a step. Larger: slower in noise
    max_mem: int = 2_000_000
    """Memory limit of lattice determinisation, bytes, beyond which the lattice is pruned. Larger: talk and music take
    longer, with Kaldi's 50,000,000 up to five seconds of a core."""


def phone_names(sounds: Sequence[str]) -> list[str]:
    """Kaldi's phones, number 1 first: silence, garbage, each phone by word position (begin, internal, end,
    singleton)."""
    return [SILENCE, f"{GARBAGE}_S", *(f"{sound}_{place}" for sound in sounds[2:] for place in "BIES")]


def outputs(sounds: Sequence[str]) -> tuple[list[int], list[int]]:
    """The net's outputs for the first and further frames of each of `phone_names`; garbage has one for both."""
    numbers = [SILENT, UNKNOWN_SOUND, *(k for k in range(2, len(sounds)) for _ in "BIES")]
    return [2 * k for k in numbers], [2 * k + (k != UNKNOWN_SOUND) for k in numbers]


@dataclass(frozen=True)
class AcousticModel:
    """A net as Kaldi's acoustic model."""

    data: bytes  # the file without its transition model
    sounds: tuple[str, ...]  # names of its outputs: phones, or units

    @property
    def transitions(self) -> bytes:
        """The transition model, with which the file begins."""
        return b"\0B" + kaldi.transition_model(*outputs(self.sounds))


def _pronunciations(
    entries: Sequence[tuple[str, Pronunciation]],
    words: dict[str, int],
    names: Sequence[str],
    settings: Settings,
    dearer: Mapping[str, float],
) -> Transducer:
    number = {name: index for index, name in enumerate(names, 1)}
    graph = Transducer()
    boundary, silence, start = graph.state(), graph.state(), graph.state()
    graph.final[start] = 0.0
    quiet = number[SILENCE]
    graph.arc(boundary, start, (0, 0))
    graph.arc(boundary, silence, (kaldi.onward(quiet), 0), _STAY + settings.silence_cost)
    graph.arc(silence, silence, (kaldi.self_loop(quiet), 0), _STAY)
    graph.arc(silence, start, (0, 0))
    heard: dict[tuple[int, ...], int] = {(): boundary}  # suffix -> the state of its first phone

    def hears(phones: tuple[int, ...]) -> int:
        if phones not in heard:
            after = hears(phones[1:])
            heard[phones] = here = graph.state()
            graph.arc(here, here, (kaldi.self_loop(phones[0]), 0), _STAY)
            labels, cost = ((kaldi.onward(phones[1]), 0), _STAY) if len(phones) > 1 else ((0, 0), 0.0)
            graph.arc(here, after, labels, cost)
        return heard[phones]

    for word, sounds in entries:
        places = "S" if len(sounds) == 1 else f"B{'I' * (len(sounds) - 2)}E"
        phones = tuple(number[f"{sound}_{place}"] for sound, place in zip(sounds, places, strict=True))
        cost = _STAY + settings.word_cost + dearer.get(word, 0.0)
        graph.arc(start, hears(phones), (kaldi.onward(phones[0]), words[word]), cost)
    garbage, step = number[f"{GARBAGE}_S"], _STAY + settings.unknown_step
    state = graph.state()
    # A single path of minimal length keeps lattices small.
    graph.arc(
        start, state, (kaldi.onward(garbage), words[UNKNOWN_WORD]), step + settings.unknown_cost + settings.word_cost
    )
    for _ in range(settings.unknown_steps - 1):
        following = graph.state()
        graph.arc(state, following, (kaldi.self_loop(garbage), 0), step)
        state = following
    graph.arc(state, state, (kaldi.self_loop(garbage), 0), step)
    graph.arc(state, boundary, (0, 0))
    return graph


def _any_words(words: dict[str, int]) -> Transducer:
    graph, cost = Transducer(), math.log(len(words) + 1)
    state = graph.state()
    graph.final[state] = cost
    for number in words.values():
        graph.arc(state, state, (number, number), cost)
    return graph


def write_folder(
    folder: Path,
    entries: Sequence[tuple[str, Pronunciation]],
    model: AcousticModel,
    settings: Settings,
    units: Units,
    dearer: Mapping[str, float] = MappingProxyType({}),
) -> list[str]:
    """Write all files of a model except its manifest.

    Args:
        entries: words and their pronunciations.
        units: of the language.
        model: if it has units, words of a move are also written with separate phones.
        dearer: costs of single words besides `Settings.word_cost`.

    Returns:
        The words, [unk] last.
    """
    words = {word: number for number, word in enumerate([*dict.fromkeys(word for word, _ in entries), UNKNOWN_WORD], 1)}
    names = phone_names(model.sounds)
    if model.sounds == units.names:
        entries = units.of(entries)
    places = {"B": "begin", "I": "internal", "E": "end", "S": "singleton"}
    boundaries = "".join(f"{i} {'nonword' if n == SILENCE else places[n[-1]]}\n" for i, n in enumerate(names, 1))
    conf = (
        f"--min-active=200\n--max-active={settings.max_active}\n--beam={settings.beam}\n"
        f"--lattice-beam={settings.lattice_beam}\n--max-mem={settings.max_mem}\n"
        f"--acoustic-scale={settings.acoustic_scale}\n"
        f"--frame-subsampling-factor={SUBSAMPLING}\n--endpoint.silence-phones=1\n"
        "--endpoint.rule2.min-trailing-silence=0.5\n--endpoint.rule3.min-trailing-silence=0.75\n"
        "--endpoint.rule4.min-trailing-silence=1.0\n"
    )
    content: dict[str, bytes | str] = {
        MODEL: model.transitions + model.data,
        "conf/mfcc.conf": features.MFCC_CONF,
        "conf/model.conf": conf,
        "graph/HCLr.fst": _pronunciations(entries, words, names, settings, dearer).data(),
        "graph/Gr.fst": _any_words(words).data(acceptor=True),
        "graph/disambig_tid.int": f"{2 * len(names) + 1}\n",
        "graph/words.txt": "<eps> 0\n" + "".join(f"{word} {number}\n" for word, number in words.items()),
        "graph/phones.txt": "<eps> 0\n" + "".join(f"{name} {i}\n" for i, name in enumerate(names, 1)),
        "graph/phones/word_boundary.int": boundaries,
    }
    for name, data in content.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return list(words)


def read_acoustic_model(folder: Path, units: Units) -> AcousticModel:
    """Read the net of a folder written by `write_folder`; `units`: of its language.

    Raises:
        ValueError: it was written for other phones.
    """
    data = (folder / MODEL).read_bytes()
    for sounds in (units.sounds.names, units.names):
        begin = AcousticModel(b"", sounds).transitions
        if data.startswith(begin):
            return AcousticModel(data[len(begin) :], sounds)
    raise ValueError(f"{folder}: a model of other sounds")
