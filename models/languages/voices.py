"""The voices made from recordings of people, as they say one language: `<code>/voices.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from models.languages import table

Ways = Mapping[str, tuple[str, ...]]
"""For each sound of a language what a voice says instead, nearest first, several sounds separated by spaces."""


@dataclass(frozen=True)
class Kinds:
    """What the voices of one synthesiser are kept for.

    Attributes:
        training: those that a model is trained on.
        further: those that it is trained on in the last steps only.
        tuning: for choosing thresholds: never trained on, never reported as unseen.
        test: those that nothing is trained on or chosen with.
    """

    training: tuple[str, ...] = ()
    further: tuple[str, ...] = ()
    tuning: tuple[str, ...] = ()
    test: tuple[str, ...] = ()

    @property
    def learnt(self) -> tuple[str, ...]:
        """All that training hears."""
        return (*self.training, *self.further)


@dataclass(frozen=True, eq=False)
class Voices:
    """The voices of a language.

    Attributes:
        code: the language that they say.
        people: the folder with recordings of people, beside the project.
        held_out: speakers of its training split that choose settings.
        pico, festival, flite: what those of each synthesiser are kept for.
        reads: voices of SVOX Pico that are given letters.
        read_share: how often they are in the training; else they are given sounds, like the others.
        shares: how much each of SVOX Pico's says in the training.
        x_sampa: for each of these voices its sounds in X-SAMPA by espeak-ng's names; those that are not listed have
            the same name there.
        names: what the tables call the voices that measure.
        known: the voice that measures though the model was trained on it; "" where there is none.
        tongues: ways to say each sound, by the tongue of the voice (`models.bench.diphones.PEOPLE`).
        also: espeak-ng's other names for sounds, each one or more sounds separated by spaces.
        long, short, weak: the vowels, by how long they are.
        milliseconds: how long other sounds are in plain reading, roughly.
    """

    code: str
    people: str
    held_out: tuple[str, ...]
    pico: Kinds
    festival: Kinds
    flite: Kinds
    reads: frozenset[str]
    read_share: float
    shares: Mapping[str, float]
    x_sampa: Mapping[str, Mapping[str, str]]
    names: Mapping[str, str]
    known: str
    tongues: Mapping[str, Ways]
    also: Mapping[str, str]
    long: frozenset[str]
    short: frozenset[str]
    weak: frozenset[str]
    milliseconds: Mapping[str, float]

    @property
    def only_read(self) -> frozenset[str]:
        """Voices that are given nothing but letters."""
        return self.reads if self.read_share == 1 else frozenset()

    @property
    def test(self) -> tuple[str, ...]:
        """Voices that nothing is trained on or chosen with."""
        return (*self.pico.test, *self.festival.test, *self.flite.test)

    @property
    def tuning(self) -> tuple[str, ...]:
        """Voices for choosing thresholds."""
        known = (self.known,) if self.known else ()
        return (*known, *self.pico.tuning, *self.festival.tuning, *self.flite.tuning)


@cache
def voices(code: str) -> Voices:
    """The voices of a language."""
    data = table(code, "voices")
    pico, lengths = data["pico"], data["lengths"]
    tongues = {name: _ways(found) for name, found in data["tongues"].items()}
    same = tongues.pop("same", {})
    return Voices(
        code=code,
        people=data["people"]["folder"],
        held_out=tuple(data["people"]["held_out"]),
        pico=_kinds(pico),
        festival=_kinds(data["festival"]),
        flite=_kinds(data["flite"]),
        reads=frozenset(pico["reads"]),
        read_share=pico["read_share"],
        shares=pico["shares"],
        x_sampa=pico["sounds"],
        names=data["names"],
        known=data["known"]["voice"],
        tongues={name: {**same, **own} for name, own in tongues.items()},
        also=data["also"],
        long=frozenset(lengths["long"]),
        short=frozenset(lengths["short"]),
        weak=frozenset(lengths["weak"]),
        milliseconds=lengths["milliseconds"],
    )


def _kinds(data: Mapping[str, Any]) -> Kinds:
    return Kinds(**{kind: tuple(data.get(kind, ())) for kind in ("training", "further", "tuning", "test")})


def _ways(found: Mapping[str, list[str]]) -> Ways:
    return {sound: tuple(ways) for sound, ways in found.items()}
