"""Components of the test sets of `bench hearing`."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

import chess

from models.bench.announcing import Words
from models.bench.samples import Conditions, Part, Sample, Spoken
from models.bench.synthesis import Voice
from models.bench.vocabulary import Vocabulary, Way
from voicechess.conversations.asking import awaited
from voicechess.game.commands import SAYABLE
from voicechess.game.kind import Games
from voicechess.game.phases import Phase
from voicechess.language.lexicon import Lexicon
from voicechess.language.patterns import Literal
from voicechess.language.understanding import choices_of, understand
from voicechess.meaning import Command, Expectation, QuestionKind, SpokenMove
from voicechess.moves.fitting import fits
from voicechess.practice import drill, menu
from voicechess.practice.answers import expected
from voicechess.practice.exercises import review


@dataclass(frozen=True)
class Item:
    """One utterance, and what it should lead to."""

    sample: Sample
    fen: str  # the position
    before: str = ""  # words recognised perfectly before it, which led to a question or a repetition
    move: str | None = None  # the move that is meant, UCI; None: no move may be played
    command: Command | None = None  # the command that is meant
    again: Words = ()  # the words of another try
    answering: Voice | None = None  # who answers questions if the sample is a recording
    labels: dict[str, str] = field(default_factory=dict)  # for reports
    waits_for: Expectation | None = None  # outside games: what is expected

    @property
    def voice(self) -> Voice | None:
        """The synthetic voice that speaks, or answers questions; None: there is none."""
        return next((part.voice for part in self.sample.parts if isinstance(part, Spoken)), self.answering)


@dataclass(frozen=True)
class Setting:
    """Material of items."""

    positions: Sequence[tuple[chess.Board, chess.Move]]  # with the moves played in them
    voices: Iterator[Voice]  # in turn
    noises: Sequence[str]  # names
    vocabulary: Vocabulary
    draw: random.Random


def under(items: Sequence[Item], conditions: Conditions) -> list[Item]:
    """The same utterances under other conditions."""
    return [replace(one, sample=replace(one.sample, conditions=conditions)) for one in items]


def said_by(item: Item, **changes: int | str) -> Item:
    """The same utterance by a voice with other settings (rate, accent)."""
    parts = tuple(
        replace(part, voice=replace(part.voice, **changes)) if isinstance(part, Spoken) else part  # type: ignore[arg-type]
        for part in item.sample.parts
    )
    return replace(item, sample=replace(item.sample, parts=parts))


def in_way(items: Sequence[Item], way: Way) -> list[Item]:
    """The same announcements by synthetic voices, with squares said in another way."""
    made = []
    for item in items:
        parts = tuple(
            replace(part, text=way.spelled(part.text.split())) if isinstance(part, Spoken) else part
            for part in item.sample.parts
        )
        sample = replace(item.sample, parts=parts, words=way.words(item.sample.words))
        made.append(replace(item, sample=sample, again=way.words(item.again)))
    return made


def named(prefix: str, number: int, item: Item) -> Item:
    """The item with a unique name, which seeds everything random in its sound."""
    return replace(item, sample=replace(item.sample, name=f"{prefix}/{number}"))


def joined(parts: Sequence[Part]) -> list[Part]:
    """The parts with adjacent words of one voice joined."""
    made: list[Part] = []
    for voice, group in groupby(parts, key=lambda part: part.voice if isinstance(part, Spoken) else None):
        members = list(group)
        if voice is None:
            made.extend(members)
        else:
            made.append(Spoken(" ".join(part.text for part in members if isinstance(part, Spoken)), voice))
    return made


@dataclass(frozen=True)
class Exchange:
    """A question of a game."""

    board: chess.Board
    words: str  # words that lead to it
    move: chess.Move  # the move that the expected answer means


def question_for_rank(board: chess.Board, rank: int, lexicon: Lexicon) -> Exchange | None:
    """A question for the rank: piece and file of several moves, one of them to `rank` (0 to 7); None if impossible."""
    for move in board.legal_moves:
        kind = board.piece_type_at(move.from_square)
        file = chess.square_file(move.to_square)
        if kind in (None, chess.PAWN) or chess.square_rank(move.to_square) != rank or board.is_castling(move):
            continue
        found = fits(board, SpokenMove(piece=kind, to_file=file))
        if len(found) > 1 and len(fits(board, SpokenMove(piece=kind, to_file=file, to_rank=rank))) == 1:
            return Exchange(board, f"{lexicon.pieces[kind][0]} {lexicon.files[file][0]}", move)
    return None


def question_for_yes(board: chess.Board, lexicon: Lexicon) -> Exchange | None:
    """A question for yes or no: piece and file of exactly one move. None if there is none."""
    for move in board.legal_moves:
        kind = board.piece_type_at(move.from_square)
        file = chess.square_file(move.to_square)
        if kind in (None, chess.PAWN) or board.is_castling(move):
            continue
        if fits(board, SpokenMove(piece=kind, to_file=file)) == (move,):
            return Exchange(board, f"{lexicon.pieces[kind][0]} {lexicon.files[file][0]}", move)
    return None


@dataclass(frozen=True)
class Place:
    """Where commands are said: in a game or in a conversation."""

    commands: frozenset[str]  # that are expected there
    before: str = ""  # words that lead there in a game
    waits_for: Expectation | None = None  # of a conversation; None: a game


WELCOMED = frozenset({"help", "repeat", "stop", "louder", "softer", "faster", "slower", "english", "german", "end"})
"""The commands of the conversation before a game."""

AT_BOARD = SAYABLE[Games.CASUAL_ENGINE]

TURN = Place(AT_BOARD[Phase.LISTENING])
QUESTION = Place(AT_BOARD[Phase.COMPLETING] - {"file", "rank"})
"""While a part of a move is asked for; a file or a rank is an answer there."""


BEFORE_GAME = (QuestionKind.OPPONENT, QuestionKind.COLOUR, QuestionKind.LEVEL, QuestionKind.TIME)
"""The questions before a game that are answered by a choice."""


def asked_by_welcome(question: QuestionKind, commands: frozenset[str] | None = None) -> Place:
    """A question before a game, and what is said to it: its answers, or other `commands`."""
    return Place(frozenset(choices_of(question)) if commands is None else commands, waits_for=awaited(question))


def places(vocabulary: Vocabulary) -> dict[str, Place]:
    """Places besides `TURN` and `QUESTION`, by their names in the tables."""
    exercises = {
        "exercises": (QuestionKind.EXERCISE, menu.CONTROLS - {"next", "skip"}),
        "exercise": (QuestionKind.EXERCISE, drill.CONTROLS | {"how_good"}),
        "review": (QuestionKind.YES_NO, review.CONTROLS | {"how_good"}),
    }
    conversations = {
        "over": Place(AT_BOARD[Phase.OVER], waits_for=Expectation(commands=AT_BOARD[Phase.OVER])),
        "welcome": asked_by_welcome(QuestionKind.OPPONENT, WELCOMED),
        **{
            name: Place(commands, waits_for=expected(commands, question))
            for name, (question, commands) in exercises.items()
        },
    }
    return {
        "really": Place(AT_BOARD[Phase.CONFIRMING], before=vocabulary.before("really")),
        "pause": Place(AT_BOARD[Phase.PAUSED], before=vocabulary.before("pause")),
        **conversations,
    }


def command_forms(vocabulary: Vocabulary, draw: random.Random, place: Place = TURN) -> list[Words]:
    """Up to three forms of every command and answer expected in a place, slots filled, shuffled; first one of each."""
    lexicon = vocabulary.lexicon
    values: dict[str, list[str]] = {
        "file": [words[0] for words in lexicon.files],
        "rank": [words[0] for words in lexicon.ranks],
        "piece": [words[0] for words in lexicon.pieces.values()],
        "pieces": [words[0] for words in lexicon.plurals.values()],
        "colour": [words[0] for words in lexicon.colours.values()],
        "number": [lexicon.numerals.words[number][0] for number in range(2, 13)],
        "letter": [words[0] for words in lexicon.letters.values()],
        "own": [word for words in lexicon.own.values() for word in words],
    }
    values["square"] = [f"{file} {rank}" for file in values["file"] for rank in values["rank"]]
    rounds: list[list[Words]] = [[], [], []]
    patterns = {**lexicon.choices, **lexicon.commands}
    expectation = place.waits_for or Expectation()
    for name in sorted(place.commands & patterns.keys()):
        sentences = [sentence for pattern in patterns[name] for sentence in pattern.expand()]
        found = 0
        for sentence in draw.sample(sentences, len(sentences)):
            words = " ".join(
                part.text if isinstance(part, Literal) else draw.choice(values[part.name]) for part in sentence
            )
            meaning = understand(words, lexicon, expectation)
            if isinstance(meaning, Command) and meaning.name == name and found < len(rounds):
                rounds[found].append(tuple(words.split()))
                found += 1
    for forms in rounds:
        draw.shuffle(forms)
    return [form for forms in rounds for form in forms]
