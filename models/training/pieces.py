"""Words without recordings, joined from the phones of one person's recordings.

Recordings of people have numbers and ordinary sentences, but hardly any words of the game: without joined words a net
learns that real speech is either a number or out of vocabulary. Phones are chosen by unit selection: few joins, at
similar spectra, with the neighbours that they had (Hunt and Black, "Unit selection in a concatenative speech synthesis
system using a large speech database", ICASSP 1996).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from models.training import corpus, human, lexicon, vocabulary
from models.training.features import RATE, SHIFT, Floats, log_mel
from models.training.language import Language, language
from models.training.phones import SILENCE
from models.training.rooms import REFERENCE, loudness
from models.training.speech import Script, Segment, Utterance

CHOICES = 24
"""Candidates considered for each phone. Larger: better joins, slower."""
JOIN, NEIGHBOUR, SPECTRUM = 1.0, 0.5, 0.4
"""Costs of a join, of each neighbour that differs from the recording's, and of a difference of one in the mean log
spectrum at a join."""
FADE = 48
"""Samples of cross-fading on each side of a join: 3 ms."""
FEWEST = 15
"""Fewest different phones of a person to be used."""
SHORT = 0.035
"""Seconds below which a phone was reduced or misaligned, and costs as much as two differing neighbours."""


class Pieces:
    """The phones of one person.

    Args:
        spoken: recordings with their segments.
    """

    def __init__(self, spoken: Sequence[Utterance]) -> None:
        self.samples: list[Floats] = []
        self.sounds: list[Segment] = []
        self.of: list[int] = []
        self.beside: list[tuple[str, str]] = []
        """The phones before and after each phone; silence for a pause."""
        self.joins: list[int] = []
        """Index of the phone that follows without a pause; -1: none."""
        edges: list[tuple[Floats, Floats]] = []
        self.by_phone: dict[str, list[int]] = {}
        for number, item in enumerate(spoken):
            samples = item.samples * np.float32(REFERENCE / loudness(item.samples))
            mel = log_mel(samples)
            self.samples.append(samples)
            for at, sound in enumerate(item.segments):
                before = item.segments[at - 1] if at else None
                after = item.segments[at + 1] if at + 1 < len(item.segments) else None
                touched = after is not None and after.begin - sound.end < 1e-6
                self.beside.append((
                    before.phone if before and sound.begin - before.end < 1e-6 else SILENCE,
                    after.phone if after and touched else SILENCE,
                ))  # fmt: skip
                self.by_phone.setdefault(sound.phone, []).append(len(self.sounds))
                self.joins.append(len(self.sounds) + 1 if touched else -1)
                self.sounds.append(sound)
                self.of.append(number)
                first, last = (min(len(mel) - 1, max(0, round(t * RATE / SHIFT) - 1)) for t in (sound.begin, sound.end))
                edges.append((mel[first], mel[last]))
        self.begins = np.array([one for one, _ in edges])
        self.ends = np.array([one for _, one in edges])

    def _considered(self, phones: Sequence[str], at: int, favour: Floats) -> list[tuple[int, int]]:
        """The best candidates for a phone, equal ones in random order (`favour`), each with its number of differing
        neighbours, plus two if it is short."""
        wanted = (phones[at - 1] if at else SILENCE, phones[at + 1] if at + 1 < len(phones) else SILENCE)

        def odd(sound: int) -> int:
            short = self.sounds[sound].end - self.sounds[sound].begin < SHORT
            return sum(a != b for a, b in zip(self.beside[sound], wanted, strict=True)) + 2 * short

        found = [(sound, odd(sound)) for sound in self.by_phone.get(phones[at], ())]
        return sorted(found, key=lambda one: one[1] + float(favour[self.of[one[0]]]))[:CHOICES]

    def say(self, phones: Sequence[str], rng: np.random.Generator) -> Utterance | None:
        """A word of these phones, trimmed, with its segments; None if the person has no recording of one."""
        favour = rng.random(len(self.samples)).astype(np.float32)
        considered = [self._considered(phones, at, favour) for at in range(len(phones))]
        if not all(considered):
            return None
        places = [[sound for sound, _ in place] for place in considered]
        best, back = np.zeros(len(places[0])), []
        for at, place in enumerate(places):
            if at:
                last = places[at - 1]
                apart = np.abs(self.ends[last][:, None] - self.begins[place][None]).mean(2)
                cost = JOIN + SPECTRUM * apart
                cost[np.array([self.joins[s] for s in last])[:, None] == np.array(place)[None]] = 0
                reached = best[:, None] + cost
                back.append(reached.argmin(0))
                best = reached.min(0)
            best = best + NEIGHBOUR * np.array([odd for _, odd in considered[at]])
        path = [int(best.argmin())]
        for step in reversed(back):
            path.append(int(step[path[-1]]))
        return self._joined([place[i] for place, i in zip(places, reversed(path), strict=True)])

    def _joined(self, chosen: Sequence[int]) -> Utterance:
        """The phones concatenated, cross-faded where they were not neighbours."""
        whole = np.zeros(0, np.float32)
        segments: list[Segment] = []
        run: list[int] = []
        for at, sound in enumerate(chosen):
            run.append(sound)
            if at + 1 < len(chosen) and self.joins[sound] == chosen[at + 1]:
                continue
            source = self.samples[self.of[sound]]
            begin, end = round(self.sounds[run[0]].begin * RATE), round(self.sounds[run[-1]].end * RATE)
            low, high = max(0, begin - FADE), min(len(source), end + FADE)
            piece = source[low:high].copy()
            fade = min(2 * FADE, len(piece) // 2)
            ramp = np.linspace(0, 1, fade, dtype=np.float32)
            piece[:fade] *= ramp
            piece[len(piece) - fade :] *= ramp[::-1]
            overlap = min(fade, len(whole))
            start = len(whole) - overlap
            whole = np.concatenate([whole, np.zeros(len(piece) - overlap, np.float32)])
            whole[start:] += piece
            for number in run:
                here = self.sounds[number]
                offset = start / RATE - low / RATE
                first = segments[-1].end if segments else here.begin + offset
                segments.append(Segment(first, here.end + offset, here.phone))
            run = []
        return Utterance(whole, segments)


class JoinedSpeaker(Script):
    """Speaks sentences of players, and other words, with the phones of recorded people.

    Args:
        seed: equal seeds give equal speech.
        language: whose words.
        aligned: recordings of people with their segments.
    """

    def __init__(self, seed: int, language: Language, aligned: Sequence[human.Aligned]) -> None:
        super().__init__(seed, language)
        self.rng = np.random.default_rng(seed)
        found = [Pieces(spoken) for spoken in human.by_speaker(aligned).values()]
        self.people = [pieces for pieces in found if len(pieces.by_phone) >= FEWEST]
        shares = np.sqrt([len(pieces.sounds) for pieces in self.people])
        self.shares = shares / shares.sum()

    def _word(self, person: Pieces, word: str) -> Utterance | None:
        try:
            language = self.language
            readings = lexicon.variants(language, word) if word in self.known else (lexicon.read(language, word),)
        except ValueError:
            return None
        reading = readings[0] if self.choice.random() < 0.5 else self.choice.choice(readings)
        said = person.say(lexicon.bare(reading), self.rng)
        if said is None:
            return None
        said.words = self.heard([word])
        if said.words != [word]:
            said.segments = [Segment(s.begin, s.end, s.phone, True) for s in said.segments]
        return said

    def draw(self) -> Utterance:
        """Words by one person at a random tempo; sentences with missing phones are drawn again."""
        while True:
            person = self.people[int(self.rng.choice(len(self.people), p=self.shares))]
            parts = [self._word(person, word) for word in self.draw_words()]
            said = [part for part in parts if part is not None]
            if len(said) == len(parts):
                return human.warped(human.joined(said, self.rng), self.rng.uniform(0.82, 1.22))


def joined_part(path: str, seed: int, minutes: float, aligned: str, speech: str, code: str) -> None:
    """Make one part of the corpus: words joined from people's phones, with reverberation.

    Args:
        aligned: file that `human.align_all` wrote.
        speech: the folder with the recordings.
        code: their language.
    """

    def make() -> dict[str, np.ndarray]:
        spoken = language(code)
        known = frozenset(vocabulary.words(spoken))
        speaker = JoinedSpeaker(seed, spoken, human.load(Path(aligned), Path(speech), known))
        return corpus.part(speaker.draw, minutes, np.random.default_rng(seed + 1), spoken.sounds)

    corpus.keep(Path(path), make)
