"""The table of exercises, in the order in which they are offered; menu, command line and tests follow from it.

A new exercise is a file in `exercises/`, a row here and its words in `practice.toml` of each language: "exercise_…" in
[choices], its name and its sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from voicechess.language.lexicon import Lexicon
from voicechess.language.tokens import tokenise, without_endings
from voicechess.practice.exercises.blindfold import FADING
from voicechess.practice.exercises.follow import Follow, GameScore, famous_games, own_game
from voicechess.practice.exercises.lessons import LESSONS, Lessons
from voicechess.practice.exercises.mates import Mates
from voicechess.practice.exercises.notation import Notation
from voicechess.practice.exercises.paths import Paths
from voicechess.practice.exercises.puzzles import Find, Puzzles
from voicechess.practice.exercises.recall import Recall
from voicechess.practice.exercises.squares import Squares
from voicechess.practice.schedule import Deck
from voicechess.practice.task import Course
from voicechess.score.score import PieceLetters, Score


@dataclass(frozen=True, slots=True)
class Material:
    """Input of the courses."""

    lexicon: Lexicon
    deck: Deck
    scores: Sequence[Score] = ()  # the player's own games to follow; (): famous ones
    find: Find | None = None  # puzzles of a file, see `Puzzles`; None: no file
    seen: Sequence[str] = ()  # skills trained before, oldest first


@dataclass(frozen=True, slots=True)
class ExerciseRow:
    """A row of the table."""

    levels: int  # at least 1; 1: the level is not asked for
    course: Callable[[int, Material], Course] | None  # its tasks at a level; None: not a series of tasks


def _notation(level: int, material: Material) -> Notation:
    """The course with the language's piece letters and vocabulary."""
    lexicon = material.lexicon
    words = lexicon.heard.spoken_words | lexicon.spoken_words

    def in_words(line: str) -> bool:
        return all(token.text in words for token in without_endings(tokenise(line, lexicon, typed=True)))

    return Notation(PieceLetters[lexicon.about.notation.upper()], in_words, level)


def _to_follow(scores: Sequence[Score]) -> tuple[GameScore, ...]:
    own = tuple(
        own_game(" – ".join(score.players), score.start(), [entry.move for entry in score.entries])
        for score in scores
        if score.entries and not score.chess960
    )
    return own or famous_games()


EXERCISES: Mapping[str, ExerciseRow] = {
    "lessons": ExerciseRow(len(LESSONS), lambda level, material: Lessons(level)),
    "notation": ExerciseRow(4, _notation),
    "squares": ExerciseRow(5, lambda level, material: Squares(level)),
    "paths": ExerciseRow(4, lambda level, material: Paths(level)),
    "follow": ExerciseRow(4, lambda level, material: Follow(_to_follow(material.scores), level)),
    "recall": ExerciseRow(5, lambda level, material: Recall(level)),
    "mates": ExerciseRow(4, lambda level, material: Mates(level)),
    "blindfold": ExerciseRow(len(FADING), None),
    "review": ExerciseRow(1, None),
    "puzzles": ExerciseRow(1, lambda level, material: Puzzles(material.deck, material.find, material.seen)),
    "online": ExerciseRow(1, None),
}
"""The exercises by their names in the language files, in [sentences.practice]."""
