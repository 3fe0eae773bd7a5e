"""The exam of a speech model on its owner's machine: positions, what is said in them, by whom, and in what noise.

Everything is synthesised by espeak-ng's voices and signal processing, deterministically; no recordings are needed.
There are two halves with different voices, positions, noises and talk: one to choose the scaling by, one to evaluate
it. The voices are among those that the starter model was not trained with, and none that figures are reported for.

The model is loaded in a child process, which ends it whatever it does; each process can load only one.
"""

from __future__ import annotations

import json
import random
import re
import subprocess
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import chess

from voicechess.app.hearing import Hearing
from voicechess.app.simulation import session_at
from voicechess.game.effects import Say
from voicechess.game.events import Source, Spoken
from voicechess.language.lexicon import Lexicon, load
from voicechess.language.patterns import Literal
from voicechess.language.sentences import load_sentences
from voicechess.language.understanding import understand
from voicechess.language.wording import Wording
from voicechess.meaning import (
    Command,
    Expectation,
    Hypothesis,
    QuestionKind,
    RecognisedUtterance,
    SpokenMove,
    Word,
    is_whole_move,
)
from voicechess.messages import Failure, Phrase, Text
from voicechess.moves.decisions import Refuse
from voicechess.moves.matching import decide
from voicechess.moves.saying import said_move
from voicechess.sound.devices.interfaces import Block
from voicechess.sound.libraries import begin
from voicechess.sound.mixing import NOMINAL_DBFS, as_int16, at_level, padded, with_floor, with_noise
from voicechess.sound.model import MODEL_RATE, LikelihoodScaling, VoskModel
from voicechess.sound.recogniser import Recogniser, recognise
from voicechess.sound.voices import EspeakVoice, resampled, same_dither, speak, trimmed

if TYPE_CHECKING:
    import numpy as np

    from voicechess.sound.voices import Samples

# --- What is said ---

HALVES = ("chosen by", "judged by")
VOICES: Mapping[str, tuple[str, ...]] = {
    "chosen by": ("m3", "f2", "Gene", "pablo"),
    "judged by": ("aunty", "Storm", "robert", "iven2"),
}
"""Variants of espeak-ng, those of `models.bench.synthesis.TUNING`."""

RATES, PITCHES = (145, 165, 185, 205), (35, 50, 65)

NOISES: Mapping[str, tuple[str, ...]] = {
    "chosen by": ("", "", "hiss", "", "babble", "talker"),
    "judged by": ("", "", "knocks", "", "babble", "talker"),
}
"""Noises of a half, used for about every second announcement; "": a quiet room."""

NOISE_DB: Mapping[str, float] = {"talker": 15.0}
"""Decibels of the voice above a noise; others have `USUAL_NOISE_DB`."""
USUAL_NOISE_DB = 10.0

ANNOUNCED, ILLEGAL, ORDERED, ANSWERED, TALKED, TALKED_INTO, NOISY = 72, 20, 10, 14, 16, 10, 6
"""Number of items of each kind in a half: announcements, illegal moves, commands, answers, talk, single everyday words
during an open question, noise alone. Larger: a longer, more precise exam."""

PLIES = range(6, 50)
LEAST_MOVES = 12
FULL_ONE_IN = 3
"""Every how many-th announcement names its square of origin. Larger: fewer do."""

TALK_WORDS = range(4, 10)
_TALK = ("settings.explain.", "journal.", "bench.", "program.")
"""Prefixes of sentences unrelated to a game."""


@dataclass(frozen=True, slots=True)
class Item:
    """One utterance in an exam.

    said: the words, "" for noise alone. fen: the position. before: what was said before and led to a question. move:
    the intended move as UCI; None where nothing may be played. command: the intended command. ours: whether it is
    addressed to the game at all.
    """

    said: str
    fen: str
    before: str = ""
    move: str | None = None
    command: Command | None = None
    ours: bool = True
    voice: EspeakVoice = field(default_factory=EspeakVoice)
    noise: str = ""


def items(half: str) -> list[Item]:
    """The utterances of a half, always the same."""
    draw, lexicon, wording = random.Random(half), load("de"), Wording("de")
    boards = _boards(draw)
    talk = _talk(lexicon)[HALVES.index(half) :: len(HALVES)]
    made = [
        *_announcements(draw, boards, wording),
        *_illegal(draw, boards, wording, lexicon),
        *_orders(draw, boards, lexicon),
        *_answers(draw, boards, wording, lexicon),
        *(Item(draw.choice(talk), next(boards).fen(), ours=False) for _ in range(TALKED)),
        *(replace(one, noise="") for one in _into_questions(draw, boards, wording, lexicon)),
        *(Item("", next(boards).fen(), ours=False) for _ in range(NOISY)),
    ]
    noises = NOISES[half]
    return [
        replace(
            one,
            voice=EspeakVoice(VOICES[half][number % len(VOICES[half])], draw.choice(RATES), draw.choice(PITCHES)),
            noise=noises[number // 4 % len(noises)] if one.said else [noise for noise in noises if noise][number % 3],
        )
        for number, one in enumerate(made)
    ]


def _boards(draw: random.Random) -> Iterator[chess.Board]:
    """Random positions."""
    while True:
        board = chess.Board()
        for _ in range(draw.choice(PLIES)):
            moves = list(board.legal_moves)
            if not moves:
                break
            # Captures thin the positions out, as in games.
            captures = [move for move in moves if board.is_capture(move)]
            board.push(draw.choice(captures if captures and draw.random() < 0.3 else moves))
        if board.legal_moves.count() >= LEAST_MOVES:
            yield board.copy(stack=False)


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


def _announced(draw: random.Random, board: chess.Board, wording: Wording) -> tuple[chess.Move, str]:
    move = draw.choice(list(board.legal_moves))
    full = draw.randrange(FULL_ONE_IN) == 0
    return move, _words(wording.move(said_move(board, move), full=full))


def _announcements(draw: random.Random, boards: Iterator[chess.Board], wording: Wording) -> Iterator[Item]:
    for _ in range(ANNOUNCED):
        board = next(boards)
        move, said = _announced(draw, board, wording)
        yield Item(said, board.fen(), move=move.uci())


def _illegal(draw: random.Random, boards: Iterator[chess.Board], wording: Wording, lexicon: Lexicon) -> Iterator[Item]:
    """Announcements that are legal in another position, but not in this one."""
    left = ILLEGAL
    while left:
        board, (_, said) = next(boards), _announced(draw, next(boards), wording)
        meaning = understand(said, lexicon, Expectation(board))
        if is_whole_move(meaning) and isinstance(_alone(board, said, lexicon), Refuse):
            left -= 1
            yield Item(said, board.fen())


def _alone(board: chess.Board, said: str, lexicon: Lexicon) -> object:
    """The decision on these words."""
    heard = Hearing(lexicon).understood(RecognisedUtterance.typed(said, 0), Expectation(board), 0, Source.KEYBOARD)
    return decide(board, heard.readings, typed=True)


def _orders(draw: random.Random, boards: Iterator[chess.Board], lexicon: Lexicon) -> Iterator[Item]:
    board = next(boards)
    names = sorted((session_at(board).expectation.commands or frozenset()) & lexicon.commands.keys())
    left = ORDERED
    while left:
        board, name = next(boards), draw.choice(names)
        sentences = [sentence for pattern in lexicon.commands[name] for sentence in pattern.expand()]
        sentence = draw.choice(sentences)
        said = " ".join(part.text for part in sentence if isinstance(part, Literal))
        meaning = understand(said, lexicon, Expectation(board))
        if len(said.split()) == len(sentence) and meaning == Command(name):
            left -= 1
            yield Item(said, board.fen(), command=meaning)


def _answers(draw: random.Random, boards: Iterator[chess.Board], wording: Wording, lexicon: Lexicon) -> Iterator[Item]:
    """The missing rank, where the game asks for it; "ja" where it asks for a confirmation."""
    left = ANSWERED
    while left:
        board = next(boards)
        move, said = _announced(draw, board, wording)
        *before, last = said.split()
        one = Item(last, board.fen(), before=" ".join(before), move=move.uci())
        asked = expectation(one).asked
        if asked.kind is QuestionKind.WHICH_MOVE and asked.candidates == (move,):
            one = replace(one, said="ja")
        elif asked.kind is not QuestionKind.COMPLETE or not isinstance(
            understand(last, lexicon, expectation(one)), SpokenMove
        ):
            continue
        left -= 1
        yield one


def _into_questions(
    draw: random.Random, boards: Iterator[chess.Board], wording: Wording, lexicon: Lexicon
) -> Iterator[Item]:
    everyday = [word for word in lexicon.decoys if len(word) > 2]
    asked = list(_answers(draw, boards, wording, lexicon))
    for number in range(TALKED_INTO):
        yield replace(asked[number % len(asked)], said=draw.choice(everyday), move=None, ours=False)


@cache
def _talk(lexicon: Lexicon) -> tuple[str, ...]:
    """Sentences of the program itself, which nobody says to a game."""
    found = []
    for key, template in load_sentences(lexicon.code).templates.items():
        if not key.startswith(_TALK) or template.gaps:
            continue
        for sentence in re.split(r"[.:;?!]", Wording(lexicon.code).say(Phrase(key))):
            words = _words(sentence)
            if len(words.split()) in TALK_WORDS and words.replace(" ", "").isalpha():
                found.append(words)
    return tuple(dict.fromkeys(found))


def expectation(item: Item) -> Expectation:
    """The game's expectation when it is said."""
    session = session_at(chess.Board(item.fen))
    if item.before:
        said = RecognisedUtterance.typed(item.before, 10_000)
        heard = Hearing(load("de")).understood(said, session.expectation, 10_000, Source.KEYBOARD)
        for effect in session.handle(heard):
            if isinstance(effect, Say):
                session.handle(Spoken(at_ms=11_000, number=effect.utterance.number))
    return session.expectation


# --- Its sound ---

LEAD_S, TAIL_S, ALONE_S = 0.4, 1.6, 2.5
"""Seconds of silence before and after the words, and of a recording of noise alone. Larger: a longer exam."""
ROOM_S = 2.0
"""Duration in seconds of room noise before each utterance, from which the noise floor is estimated. Larger: a
steadier estimate and a longer exam."""

BABBLE_VOICES, BABBLE_S = 6, 20.0


def sound(item: Item, half: str, room: bool = False) -> bytes:
    """The microphone's signal at `MODEL_RATE`. `room`: the room noise before it."""
    import numpy as np

    draw = np.random.default_rng(zlib.crc32(f"{item}{room}".encode()))
    if room or not item.said:
        spoken = np.zeros(round((ROOM_S if room else ALONE_S) * MODEL_RATE), np.float32)
    else:
        spoken = padded(_said(item.said, item.voice), LEAD_S, TAIL_S)
    if item.noise:
        below_db = NOISE_DB.get(item.noise, USUAL_NOISE_DB)
        spoken = with_noise(spoken, _noise(item.noise, half), below_db, NOMINAL_DBFS, draw)
    return as_int16(with_floor(spoken, draw)).tobytes()


def _said(words: str, voice: EspeakVoice) -> Samples:
    samples, rate = speak(Wording("de").for_voice(words.title()), "de", voice)
    return at_level(trimmed(resampled(samples, rate, MODEL_RATE)), NOMINAL_DBFS)


@cache
def _noise(name: str, half: str) -> Samples:
    import numpy as np

    draw = np.random.default_rng(zlib.crc32(name.encode()))
    length = round(BABBLE_S * MODEL_RATE)
    if name in ("babble", "talker"):
        talk = _talk(load("de"))[HALVES.index(half) :: len(HALVES)]
        mixed = np.zeros(length, np.float32)
        for number in range(BABBLE_VOICES if name == "babble" else 1):
            voice = EspeakVoice(VOICES[half][number % 4], 150 + 10 * number, 35 + 6 * number)
            spoken: list[Samples] = []
            while sum(map(len, spoken)) < length:
                spoken.append(padded(_said(talk[draw.integers(len(talk))], voice), 0.0, 0.3))
            mixed += np.concatenate(spoken)[:length]
        return mixed
    return _hiss(draw, length) if name == "hiss" else _knocks(draw, length)


def _hiss(draw: np.random.Generator, length: int) -> Samples:
    """Pink noise: a fan, a distant street."""
    import numpy as np

    spectrum = np.fft.rfft(draw.standard_normal(length))
    pink: Samples = np.fft.irfft(spectrum / np.sqrt(np.arange(1, len(spectrum) + 1)), length).astype(np.float32)
    return pink


def _knocks(draw: np.random.Generator, length: int) -> Samples:
    """Things put down on a table, three a second, over a hum."""
    import numpy as np

    times = np.arange(length) / MODEL_RATE
    mixed = 0.05 * np.sin(2 * np.pi * 100 * times)
    for first in draw.integers(0, length - MODEL_RATE // 2, round(3 * BABBLE_S)):
        tail = np.arange(MODEL_RATE // 4) / MODEL_RATE
        mixed[first : first + len(tail)] += draw.standard_normal(len(tail)) * np.exp(-tail * draw.uniform(20, 80))
    knocked: Samples = mixed.astype(np.float32)
    return knocked


# --- How a model hears it ---


@dataclass(frozen=True, slots=True)
class Attempt:
    """An item, the expectation, and the hypotheses; none if nothing was recognised."""

    item: Item
    expectation: Expectation
    hypotheses: tuple[Hypothesis, ...]


_CHILD = "import sys\nfrom voicechess.app.exam import serve\nserve(*sys.argv[1:])"


class Exam:
    """Runs a model on these halves: iterating yields each attempt as it is decoded, and appends it to `attempts` of its
    half.

    A context manager, which ends the child process. Iterating raises Failure if the model cannot be loaded, ends its
    process, or knows hardly a word of an announcement.
    """

    def __init__(self, path: Path, halves: Sequence[str], one_in: int = 1) -> None:
        """`one_in`: take only every so many-th item."""
        self._path, self._broken = path, Failure("sound.model.unusable", {"path": Text(str(path))}, status=1)
        self._asked = [(half, one) for half in halves for one in items(half)[::one_in]]
        self.attempts: dict[str, list[Attempt]] = {half: [] for half in halves}
        self._child = begin(_CHILD, str(path), str(one_in), *halves, stdout=subprocess.PIPE)

    def __len__(self) -> int:
        return len(self._asked)

    def __enter__(self) -> Exam:
        return self

    def __exit__(self, *_exception: object) -> None:
        self._child.kill()
        self._child.communicate()

    def __iter__(self) -> Iterator[Attempt]:
        self.lexicon = _known(self._told(), self._path)
        for half, item in self._asked:
            attempt = Attempt(item, expectation(item), tuple(map(_hypothesis, self._told())))
            self.attempts[half].append(attempt)
            yield attempt

    def _told(self) -> Any:
        assert self._child.stdout is not None
        try:
            return json.loads(self._child.stdout.readline())
        except ValueError as error:  # an empty line: the process has ended
            raise self._broken from error


def _known(told: Any, path: Path) -> Lexicon:
    """The lexicon without the words that the model lacks. Raises Failure if those are nearly all."""
    if "failed" in told:
        raise Failure(told["failed"], {name: Text(value) for name, value in told["slots"].items()}, status=1)
    lacking = frozenset(told["lacks"])
    lexicon = load("de").restrict(lambda word: word not in lacking)
    groups = (*lexicon.files, *lexicon.ranks, *lexicon.pieces.values())
    if sum(lexicon.sayable(*words[:1]) for words in groups) < len(groups) / 2:
        raise Failure("model.other_language", {"path": Text(str(path))}, status=1)
    return lexicon


def serve(path: str, one_in: str, *halves: str) -> None:
    """In the child process: prints one line with the words that the model lacks, then one line with each item's
    hypotheses."""
    lexicon = load("de")
    try:
        model = VoskModel(Path(path), LikelihoodScaling(shift=0.0))
        restricted = lexicon.restrict(model.knows)
        _print({"lacks": sorted(restricted.silent)})
        for half in halves:
            for item in items(half)[:: int(one_in)]:
                _print(_heard(model, restricted, item, half))
    except Failure as failure:
        slots = {name: value.text for name, value in failure.slots.items() if isinstance(value, Text)}
        _print({"failed": failure.key, "slots": slots})


def _print(told: object) -> None:
    print(json.dumps(told), flush=True)


def _heard(model: VoskModel, lexicon: Lexicon, item: Item, half: str) -> list[object]:
    pcm = sound(item, half)
    recogniser = Recogniser(model, MODEL_RATE)
    Hearing(lexicon).offer(recogniser, expectation(item))
    if item.noise:
        before, step = sound(item, half, room=True), MODEL_RATE // 10
        for first in range(0, len(before), step):
            recogniser.feed(Block(before[first : first + step], 500 * first // MODEL_RATE))
        recogniser.reset()
    same_dither()
    utterances = recognise(recogniser, pcm)
    spoken = [one for one in utterances if any(word != "[unk]" for word in one.hypotheses[0].text.split())]
    found = next(iter([*spoken, *utterances]), None)  # later ones would come during the answer
    return [_as_list(one) for one in found.hypotheses] if found is not None else []


def _as_list(one: Hypothesis) -> list[object]:
    words = [[word.text, word.began_ms, word.ended_ms, word.confidence, word.below_db] for word in one.words]
    return [words, one.log_likelihood, one.speed, one.fit, one.edge_below_db]


def _hypothesis(told: list[Any]) -> Hypothesis:
    words, *rest = told
    return Hypothesis(tuple(Word(*word) for word in words), *rest)
