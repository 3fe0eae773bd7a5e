"""The sets of `bench hearing`: announcements, noise, people's words, illegal moves, other speech, commands.

Every set exists twice, built by the same code from disjoint voices, people, noises, positions and seeds: `TEST` for
figures, `TUNE` for choosing thresholds and costs.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, islice

import chess

from models.bench import natural
from models.bench.announcing import Words, far_miss, fullest, middlegames, near_miss, styles
from models.bench.hearing_parts import (
    BEFORE_GAME,
    QUESTION,
    TURN,
    Item,
    Place,
    Setting,
    asked_by_welcome,
    command_forms,
    in_way,
    joined,
    named,
    places,
    question_for_rank,
    question_for_yes,
    said_by,
    under,
)
from models.bench.hearing_rooms import TEST_ROOMS, TEST_TALK, TUNING_ROOMS, TUNING_TALK, Room, anywhere, in_rooms
from models.bench.samples import (
    CROWD,
    NOISES,
    TUNING_NOISES,
    Conditions,
    Part,
    Pause,
    Recorded,
    Recording,
    Sample,
    Spoken,
    recordings,
)
from models.bench.synthesis import HEARING_TEST, TUNING, Voice, accents
from models.bench.vocabulary import Vocabulary, words_of
from models.languages import CODES
from models.languages.voices import voices
from voicechess.language.patterns import Literal
from voicechess.language.understanding import understand
from voicechess.meaning import Command, Expectation

# --- (j) Corrections, and other sounds during a repetition ---
# A move made in spite of "Korrektur" is a wrong one. One taken back although it was meant only has to be said again.


CORRECTING_SNRS_DB = (20.0, 10.0, 5.0)
"""Signal-to-noise ratios of corrections, decibels."""


def corrections(count: int, setting: Setting) -> list[Item]:
    """Corrections of a repeated move in every form, by all voices in turn, in quiet and in noise."""
    forms = _forms(setting.vocabulary)
    conditions = (Conditions(), *(Conditions(noise, snr) for noise in setting.noises for snr in CORRECTING_SNRS_DB))
    made = []
    for number in range(count):
        board, words, _ = _repeated(setting)
        form = forms[number % len(forms)]
        said = Spoken(" ".join(form), next(setting.voices))
        sample = Sample(str(number), (said,), form, conditions[number % len(conditions)])
        made.append(Item(sample, board.fen(), before=words))
    return made


def while_repeated(items: Sequence[Item], setting: Setting) -> list[Item]:
    """The same sounds during the repetition of a move that was meant."""
    made = []
    for item in items:
        board, words, move = _repeated(setting)
        made.append(replace(item, fen=board.fen(), before=words, move=move.uci()))
    return made


def _forms(vocabulary: Vocabulary) -> list[Words]:
    """All forms of a correction."""
    lexicon = vocabulary.lexicon
    patterns = (*lexicon.commands["correct"], *lexicon.answers["no"])
    sentences = [sentence for pattern in patterns for sentence in pattern.expand()]
    words = [tuple(part.text for part in sentence if isinstance(part, Literal)) for sentence in sentences]
    return sorted(set(words))


def _repeated(setting: Setting) -> tuple[chess.Board, str, chess.Move]:
    """A position, the fullest announcement of a move in it, and the move."""
    while True:
        board = setting.draw.choice(setting.positions)[0]
        move = setting.draw.choice(list(board.legal_moves))
        if styles(board, move, setting.vocabulary):
            return board, " ".join(fullest(board, move, setting.vocabulary)), move


# --- (k) One-word answers to questions in noise, which hides them most easily ---


ANSWER_SNRS_DB = (10.0, 5.0)
"""Signal-to-noise ratios of such answers, decibels."""


def answers_in_noise(count: int, setting: Setting) -> list[Item]:
    """In turn the rank asked for, "yes" and "no", by all voices, in all noises."""
    lexicon, draw = setting.vocabulary.lexicon, setting.draw
    yes, no = (setting.vocabulary.single_answer(key) for key in ("yes", "no"))
    conditions = [Conditions(noise, snr) for noise in setting.noises for snr in ANSWER_SNRS_DB]
    made: list[Item] = []
    while len(made) < count:
        board, rank = draw.choice(setting.positions)[0], draw.randrange(8)
        kind = len(made) % 3
        asked = question_for_yes(board, lexicon) if kind else question_for_rank(board, rank, lexicon)
        if asked is None:
            continue
        word = (lexicon.ranks[rank][0], yes, no)[kind]
        sample = Sample(
            str(len(made)), (Spoken(word, next(setting.voices)),), (word,), conditions[len(made) // 3 % len(conditions)]
        )
        move = None if word == no else asked.move.uci()
        again = fullest(asked.board, asked.move, setting.vocabulary)
        made.append(Item(sample, asked.board.fen(), asked.words, move, again=again))
    return made


# --- All sets ---


SPEEDS = (130, 165, 200)
"""Rates of speech, words per minute."""

FAST_SPEEDS = (225, 250, 275)
"""Rates of hasty speech, words per minute."""

SNRS_DB = (20, 10, 5)
"""Signal-to-noise ratios of announcements in noise, decibels."""


@dataclass(frozen=True)
class Ground:
    """Material of a whole family of sets."""

    name: str  # seeds everything random
    voices: tuple[str, ...]  # espeak-ng's variants
    split: str  # of the recordings: "check" or "train"
    noises: tuple[str, ...]
    rooms: Mapping[str, Room]
    talk: Mapping[str, Mapping[str, Room]]  # further rooms with talk in the language of the game: code -> rooms


TEST = Ground("test", tuple(sorted(HEARING_TEST)), "check", NOISES, TEST_ROOMS, TEST_TALK)
TUNE = Ground("tuning", tuple(sorted(TUNING)), "train", (*TUNING_NOISES, CROWD), TUNING_ROOMS, TUNING_TALK)


PAUSES_S = (0.3, 0.6, 1.0, 1.4, 1.8, 2.0)
"""Pauses between two halves of a move, seconds, as of somebody who plays blindfold and thinks of the square."""


def over_a_pause(items: Sequence[Item], pause_s: float) -> list[Item]:
    """(h) Announcements with the square of origin, with a pause before the target."""
    made = []
    for item in items:
        words, voice = item.sample.words, item.voice
        if voice is not None and len(words) in (4, 5):
            halves = (" ".join(words[:-2]), " ".join(words[-2:]))
            parts = (Spoken(halves[0], voice), Pause(pause_s), Spoken(halves[1], voice))
            made.append(replace(item, sample=replace(item.sample, parts=parts)))
    return made


@dataclass(frozen=True)
class Counts:
    """Numbers of items of the sets."""

    clean: int = 1200  # (a)
    noisy: int = 100  # each row of (b)
    hard: int = 120  # each row of (a) under hard conditions, and of (h) with a pause
    spliced: int = 300  # (c)
    illegal: int = 250  # each row of (d)
    commands: int = 250  # (f), on the player's turn
    commands_elsewhere: int = 150  # each row of (f) elsewhere
    natural: int = 120  # each voice of (g)
    answers_one_in: int = 1  # every n-th answer of (c)
    other_one_in: int = 1  # every n-th recording of other speech, (e) and (n)
    noise_each: int = 10  # stretches of each noise, (e)
    room_each: int = 4  # stretches of each noise of the rooms, (e)
    halves: int = 120  # (h)
    corrections: int = 240  # (j)
    talked_into_one_in: int = 3  # every n-th sound of (e) during a repetition, (j)
    noisy_answers: int = 240  # (k)
    in_room: int = 100  # each row of (l)
    ways: int = 1000  # each way of (m)
    foreign: int = 200  # announcements in each language of (n)


FULL = Counts()
QUICK = Counts(
    clean=60,
    noisy=6,
    hard=12,
    spliced=30,
    illegal=30,
    commands=20,
    commands_elsewhere=8,
    natural=10,
    answers_one_in=4,
    other_one_in=12,
    noise_each=1,
    room_each=1,
    halves=9,
    corrections=13,
    noisy_answers=24,
    in_room=6,
    ways=30,
    foreign=10,
)


class Sets:
    """All sets of one ground, by their names in the tables."""

    def __init__(self, ground: Ground, counts: Counts, vocabulary: Vocabulary) -> None:
        self._ground = ground
        self._counts = counts
        self._vocabulary = vocabulary
        self._positions = middlegames(200, f"hearing/{ground.name}")

    def all(self) -> dict[str, list[Item]]:
        """Every set."""
        counts = self._counts
        clean = self.announcements(counts.clean)
        sets = {"a clean": clean}
        for snr in SNRS_DB:
            for noise in self._ground.noises:
                sets[f"b {noise} {snr} dB"] = under(clean[: counts.noisy], Conditions(noise, float(snr)))
        few = clean[: counts.hard]
        sets["a fast"] = [said_by(one, rate=FAST_SPEEDS[n % 3]) for n, one in enumerate(few)]
        sets["a room 0.5 s"] = under(few, Conditions(rt60_s=0.5))
        foreign = sorted(accents(self._vocabulary.code))
        sets["a accents"] = [said_by(one, accent=foreign[n % len(foreign)]) for n, one in enumerate(few)]
        sets["a telephone 8 kHz"] = under(few, Conditions(telephone=True))
        sets["a quiet -20 dB"] = under(few, Conditions(level_db=-20.0))
        sets["a loud +20 dB"] = under(few, Conditions(level_db=20.0))
        sets["c spliced"] = self.spliced(counts.spliced)
        sets["c answers"] = self.answers()[:: counts.answers_one_in]
        sets["d near"] = self.illegal(counts.illegal, near=True)
        sets["d far"] = self.illegal(counts.illegal, near=False)
        rooms = {**self._ground.rooms, **self._ground.talk.get(self._vocabulary.code, {})}
        sets["d in rooms 10 dB"] = anywhere(sets["d near"][: counts.illegal // 2], rooms, 10.0)
        sets["e other speech"] = self.other_speech()[:: counts.other_one_in]
        sets["e noise"] = self.noise(self._ground.noises, counts.noise_each)
        sets["e rooms"] = self.noise([one for room in rooms.values() for one in room.noises if one], counts.room_each)
        sets["f commands"] = self.commands(counts.commands)
        sets["f in rooms 10 dB"] = anywhere(sets["f commands"], rooms, 10.0)
        sets["f question"] = self.commands(counts.commands_elsewhere, QUESTION)
        for name, place in places(self._vocabulary).items():
            sets[f"f {name}"] = self.commands(counts.commands_elsewhere, place)
        welcomed = self.answers_to_welcome(counts.commands_elsewhere // len(BEFORE_GAME))
        sets["f welcomed in rooms 10 dB"] = anywhere(welcomed, rooms, 10.0)
        of_people = voices(self._vocabulary.code)
        for voice in filter(natural.available, of_people.test if self._ground is TEST else of_people.tuning):
            sets[f"g {of_people.names[voice]}"] = [said_by(one, natural=voice) for one in clean[-counts.natural :]]
        sets["h halves"] = self.halves(counts.halves)
        for pause_s in PAUSES_S:
            sets[f"h pause {pause_s} s"] = over_a_pause(clean, pause_s)[: counts.hard]
        for name in ("other speech", "noise", "rooms"):
            sets[f"i {name}"] = self.while_asked(sets[f"e {name}"])
        sets["j corrections"] = corrections(counts.corrections, self._setting("corrections"))
        for name in ("other speech", "noise", "rooms"):
            heard = sets[f"e {name}"][:: counts.talked_into_one_in]
            sets[f"j {name}"] = while_repeated(heard, self._setting("while repeated"))
        sets["k answers in noise"] = answers_in_noise(counts.noisy_answers, self._setting("answers in noise"))
        sets |= in_rooms(clean[: counts.in_room], rooms)
        for name, way in self._vocabulary.ways.items():
            sets[f"m {name}"] = in_way(clean[: counts.ways], way)
            sets[f"m {name} in rooms 10 dB"] = anywhere(sets[f"m {name}"][: 2 * counts.hard], rooms, 10.0)
            sets[f"m {name}, illegal"] = in_way(sets["d near"], way)
        for code in CODES:
            if code != self._vocabulary.code:
                sets[f"n announced in {code}"] = self.foreign_announcements(code, counts.foreign)
                sets[f"n talk in {code}"] = self.other_speech(code)[:: counts.other_one_in]
        return {
            name: [named(f"{self._ground.name}/{name}", number, one) for number, one in enumerate(items)]
            for name, items in sets.items()
        }

    def announcements(self, count: int) -> list[Item]:
        """(a) A move of each position in every style, by all voices in turn, at three speeds."""
        draw = random.Random(f"{self._ground.name}/announcements")
        voices = self._voices(draw)
        made = []
        for number in range(count):
            board, played = self._positions[number % len(self._positions)]
            move = self._chosen(board, played, draw)
            said = styles(board, move, self._vocabulary)
            style = draw.choice(list(said))
            made.append(self._item(number, board, move, said[style], next(voices), {"style": style}))
        return made

    def foreign_announcements(self, code: str, count: int) -> list[Item]:
        """(n) Moves announced in another language than the chosen one, with other words than names and numbers, which
        are understood in every language."""
        draw = random.Random(f"{self._ground.name}/announced in {code}")
        vocabulary = Vocabulary(code)
        names = {word for words in (*vocabulary.lexicon.files, *vocabulary.lexicon.ranks) for word in words}
        voices = self._voices(draw, code)
        made: list[Item] = []
        while len(made) < count:
            board, played = draw.choice(self._positions)
            move = self._chosen(board, played, draw)
            words = draw.choice(list(styles(board, move, vocabulary).values()) or [()])
            if not names.issuperset(words):
                item = self._item(len(made), board, move, words, next(voices), {})
                made.append(replace(item, again=fullest(board, move, vocabulary)))
        return made

    def illegal(self, count: int, *, near: bool) -> list[Item]:
        """(d) Announcements of illegal moves: one word away from a legal one (`near`), or far from any."""
        draw = random.Random(f"{self._ground.name}/illegal/{near}")
        voices = self._voices(draw)
        made: list[Item] = []
        while len(made) < count:
            board, played = draw.choice(self._positions)
            if near:
                said = list(styles(board, self._chosen(board, played, draw), self._vocabulary).values())
                words = near_miss(board, draw.choice(said), self._vocabulary.lexicon, draw)
            else:
                words = far_miss(board, self._vocabulary.lexicon, draw)
            if words:
                made.append(self._item(len(made), board, None, words, next(voices), {}))
        return made

    def spliced(self, count: int) -> list[Item]:
        """(c) Announcements with the ranks, and half of the pieces, said by people."""
        draw = random.Random(f"{self._ground.name}/spliced")
        people = self._people()
        voices = self._voices(draw)
        ranks = [words[0] for words in self._vocabulary.lexicon.ranks]
        pieces = [words[0] for words in self._vocabulary.lexicon.pieces.values()]
        speakers = sorted(name for name, words in people.items() if sum(rank in words for rank in ranks) >= 4)
        made: list[Item] = []
        for _ in range(200 * count):
            if len(made) == count:
                break
            board, played = draw.choice(self._positions)
            move = self._chosen(board, played, draw)
            words = draw.choice(list(styles(board, move, self._vocabulary).values()))
            speaker = people[draw.choice(speakers)]
            wanted = [word for word in words if word in ranks]
            if not wanted or any(word not in speaker for word in wanted):
                continue
            voice = next(voices)
            anyone = {word: list(said) for one in people.values() for word, said in one.items() if word in pieces}
            parts = []
            for word in words:
                said = speaker.get(word) if word in ranks else anyone.get(word) if draw.random() < 0.5 else None
                parts.append(Recorded(draw.choice(said).path, self._vocabulary.code) if said else Spoken(word, voice))
            made.append(self._item(len(made), board, move, words, voice, {}, tuple(joined(parts))))
        return made

    def answers(self) -> list[Item]:
        """(c) People's single words as answers: the rank asked for, "yes" and "no"; each to two questions. Further
        questions are answered by a synthetic voice."""
        draw = random.Random(f"{self._ground.name}/answers")
        lexicon = self._vocabulary.lexicon
        ranks = {words[0]: rank for rank, words in enumerate(lexicon.ranks)}
        yes, no = (self._vocabulary.single_answer(key) for key in ("yes", "no"))
        voices = self._voices(random.Random(f"{self._ground.name}/answering"))
        spoken = [(word, one) for words in self._people().values() for word, said in words.items() for one in said[:3]]
        made: list[Item] = []
        for word, recording in spoken * 2:
            boards = (board for board, _ in draw.sample(self._positions, len(self._positions)))
            if word in ranks:
                asked = next((q for board in boards if (q := question_for_rank(board, ranks[word], lexicon))), None)
            elif word in (yes, no):
                asked = next((q for board in boards if (q := question_for_yes(board, lexicon))), None)
            else:
                continue
            if asked is not None:
                move = None if word == no else asked.move
                item = self._item(
                    len(made), asked.board, move, (word,), Voice(language=self._vocabulary.code), {"word": word}
                )
                sample = replace(item.sample, parts=(Recorded(recording.path, self._vocabulary.code),))
                made.append(replace(item, sample=sample, before=asked.words, answering=next(voices)))
        return made

    def other_speech(self, language: str = "") -> list[Item]:
        """(e) Speech without a word of the game (`Vocabulary.content`). `language`: "": the chosen one.

        Decoys, everyday words that are in the grammar, are not words of the game.
        """
        ours, code = self._vocabulary.content, language or self._vocabulary.code
        single = set(self._vocabulary.words) - set(self._vocabulary.lexicon.decoys)
        found = [
            one
            for one in recordings(self._ground.split, code)
            if one.human and one.text not in single and ours.isdisjoint(words_of(one.text))
        ]
        boards = cycle(self._positions)
        return [
            Item(
                Sample("", (Recorded(one.path, code),)),
                next(boards)[0].fen(),
                labels={"text": one.text},
            )
            for one in found
        ]

    def noise(self, noises: Sequence[str], each: int) -> list[Item]:
        """(e) Noise alone, as loud as speech, 10 and 20 dB softer."""
        boards = cycle(self._positions)
        return [
            Item(
                Sample("", (Pause(4.0),), conditions=Conditions(name, 10.0 * (number % 3))),
                next(boards)[0].fen(),
                labels={"noise": name},
            )
            for name in noises
            for number in range(each)
        ]

    def commands(self, count: int, place: Place = TURN) -> list[Item]:
        """(f) Commands in a place: each at least once if `count` allows, then in further forms."""
        draw = random.Random(f"{self._ground.name}/commands")
        voices = self._voices(draw)
        lexicon = self._vocabulary.lexicon
        forms = command_forms(self._vocabulary, draw, place)
        made = []
        for number, words in enumerate(islice(cycle(forms), count)):
            meaning = understand(" ".join(words), lexicon, place.waits_for or Expectation())
            board, _ = draw.choice(self._positions)
            before = place.before
            if place is QUESTION:
                asked = None
                while asked is None:
                    board, _ = draw.choice(self._positions)
                    asked = question_for_rank(board, draw.randrange(8), lexicon)
                before = asked.words
            if isinstance(meaning, Command):
                item = self._item(number, board, None, words, next(voices), {"command": meaning.name})
                made.append(replace(item, command=meaning, before=before, waits_for=place.waits_for))
        return made

    def answers_to_welcome(self, count: int) -> list[Item]:
        """(f) Answers to the questions before a game, in turn; `count` for each question."""
        asked = [asked_by_welcome(question) for question in BEFORE_GAME]
        return [item for items in zip(*(self.commands(count, place) for place in asked), strict=True) for item in items]

    def halves(self, count: int) -> list[Item]:
        """(h) Half a move, in quiet and in noise: piece and file of several moves, so the rank has to be asked for."""
        draw = random.Random(f"{self._ground.name}/halves")
        voices = self._voices(draw)
        conditions = (Conditions(), *(Conditions(noise, snr) for noise in self._ground.noises for snr in (10.0, 5.0)))
        made: list[Item] = []
        while len(made) < count:
            asked = question_for_rank(draw.choice(self._positions)[0], draw.randrange(8), self._vocabulary.lexicon)
            if asked is not None:
                item = self._item(len(made), asked.board, asked.move, tuple(asked.words.split()), next(voices), {})
                made += under([item], conditions[len(made) % len(conditions)])
        return made

    def while_asked(self, items: Sequence[Item]) -> list[Item]:
        """(i) The same sounds while a question is open, in turn for a rank and for yes or no."""
        draw = random.Random(f"{self._ground.name}/while asked")
        lexicon = self._vocabulary.lexicon
        made: list[Item] = []
        while len(made) < len(items):
            board, _ = draw.choice(self._positions)
            for_yes = len(made) % 2 == 1
            asked = (
                question_for_yes(board, lexicon) if for_yes else question_for_rank(board, draw.randrange(8), lexicon)
            )
            if asked is not None:
                made.append(replace(items[len(made)], fen=asked.board.fen(), before=asked.words))
        return made

    def _setting(self, seed: str) -> Setting:
        """Positions, voices and noises of this ground."""
        draw = random.Random(f"{self._ground.name}/{seed}")
        return Setting(self._positions, self._voices(draw), self._ground.noises, self._vocabulary, draw)

    def _people(self) -> dict[str, dict[str, list[Recording]]]:
        """Recordings of single words: speaker -> word -> recordings."""
        people: dict[str, dict[str, list[Recording]]] = {}
        for one in recordings(self._ground.split, self._vocabulary.code):
            if one.human and len(words_of(one.text)) == 1:
                people.setdefault(one.speaker, {}).setdefault(one.text, []).append(one)
        return people

    def _chosen(self, board: chess.Board, played: chess.Move, draw: random.Random) -> chess.Move:
        """The move played, castling if possible, or a random move."""
        legal = list(board.legal_moves)
        castling = [move for move in legal if board.is_castling(move)]
        chance = draw.random()
        move = draw.choice(castling) if castling and chance < 0.2 else played if chance < 0.6 else draw.choice(legal)
        return move if styles(board, move, self._vocabulary) else played

    def _voices(self, draw: random.Random, language: str = "") -> cycle[Voice]:
        made = [
            Voice(name, speed, draw.randint(30, 70), draw.randint(30, 70), language=language or self._vocabulary.code)
            for speed in SPEEDS
            for name in self._ground.voices
        ]
        draw.shuffle(made)
        return cycle(made)

    def _item(
        self,
        number: int,
        board: chess.Board,
        move: chess.Move | None,
        words: Words,
        voice: Voice,
        labels: dict[str, str],
        parts: tuple[Part, ...] = (),
    ) -> Item:
        sample = Sample(str(number), parts or (Spoken(" ".join(words), voice),), words)
        again = fullest(board, move, self._vocabulary) if move is not None else ()
        return Item(sample, board.fen(), move=move.uci() if move else None, again=again, labels=labels)
