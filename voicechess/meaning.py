"""What was understood: the meanings of spoken and typed words, in values that know no language.

`language` makes these from words, `game` answers them. Files and ranks are 0 to 7 (a to h, 1 to 8), squares and pieces
are python-chess' numbers. Beside them stands how loudly a player speaks into this microphone: nothing is heard
differently for it, since the recogniser makes up for levels by itself; but where speech is clipped, or hardly louder
than the room, the player can do more about it than any program.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from math import log10
from typing import TypeGuard

import chess

# --- Meanings of words ---


class Castling(Enum):
    """Which castling was named; `UNSPECIFIED` for "Rochade" alone."""

    KINGSIDE = "kingside"
    QUEENSIDE = "queenside"
    UNSPECIFIED = "unspecified"


class CheckWord(Enum):
    """ "Schach" or "matt" said with a move."""

    CHECK = "check"
    MATE = "mate"


@dataclass(frozen=True, slots=True)
class SpokenMove:
    """A move, or a part of one, as it was said. `None` means: not said.

    A lone square, file or rank stands in `to_file` and `to_rank`; the question that was asked decides whether it
    answers "from where?" or "where to?".
    """

    piece: chess.PieceType | None = None
    from_file: int | None = None
    from_rank: int | None = None
    to_file: int | None = None
    to_rank: int | None = None
    captures: bool = False
    en_passant: bool = False
    promotion: chess.PieceType | None = None
    castling: Castling | None = None
    check: CheckWord | None = None
    captured: chess.PieceType | None = None  # named as the piece taken: "Springer schlägt Läufer Felix sechs"
    colour: chess.Color | None = None  # whose move it was said to be: "Schwarz: Springer Cesar sechs"

    @property
    def complete(self) -> bool:
        """Whether a target square or a castling was named."""
        return self.castling is not None or self.target is not None

    @property
    def origin(self) -> chess.Square | None:
        """The square the piece comes from, 0 to 63; None where its file or rank was not said."""
        return _square(self.from_file, self.from_rank)

    @property
    def target(self) -> chess.Square | None:
        """The square the piece goes to, 0 to 63; None where its file or rank was not said."""
        return _square(self.to_file, self.to_rank)


def _square(file: int | None, rank: int | None) -> chess.Square | None:
    return None if file is None or rank is None else chess.square(file, rank)


SlotValue = int | bool | str


@dataclass(frozen=True, slots=True)
class Command:
    """A command or a choice: `name` is its key in [commands] or [choices] of the language file.

    Slots: file, rank (0-7), square (0-63), piece (chess.PAWN..chess.KING), colour (chess.WHITE is True), number;
    a second number in one pattern is `number2`, and so on.
    `moves`: those of a conditional move, the one and the answer to it.
    """

    name: str
    slots: tuple[tuple[str, SlotValue], ...] = ()
    moves: tuple[SpokenMove, ...] = ()

    def slot(self, name: str) -> SlotValue | None:
        """The value said for this slot, or None."""
        return dict(self.slots).get(name)


class AnswerKind(Enum):
    """What an answer says: yes, no, none of these, or the n-th."""

    YES = "yes"
    NO = "no"
    NONE = "none"
    CHOICE = "choice"


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to a question. `choice` counts from 1 and is set for `CHOICE` only."""

    kind: AnswerKind
    choice: int | None = None


class UnclearReason(Enum):
    """Why words mean nothing to us."""

    NOTHING = "nothing"  # silence, noise or [unk] only
    UNKNOWN_WORDS = "unknown_words"  # words we do not know
    NO_SENSE = "no_sense"  # known words in no order that means something
    CHECK_ALONE = "check_alone"  # "Schach" or "matt" without the move it belongs to
    TOO_LONG = "too_long"
    UNKNOWN_LETTER = "unknown_letter"  # typed where a piece stands, and none of ours: "Cc6"
    UNKNOWN_SIGN = "unknown_sign"  # typed in a move, and nothing that we know: "e4 *"
    OTHER_NUMBER = "other_number"  # "12. Sf3" where another move comes: `text` tells which
    NO_SUCH_PIECE = "no_such_piece"  # "Damenspringer" where that has been captured, or nobody knows which it is
    OTHER_SIDE = "other_side"  # "12... Sf6" where White is to move


@dataclass(frozen=True, slots=True)
class Unclear:
    """Words without a meaning, and why. `text`: the letter, sign, number or name that is meant."""

    reason: UnclearReason
    text: str = ""


Meaning = SpokenMove | Command | Answer | Unclear


def is_whole_move(meaning: Meaning | None) -> TypeGuard[SpokenMove]:
    """Whether this is a move with a target square, or a castling."""
    return isinstance(meaning, SpokenMove) and meaning.complete


def is_half_move(meaning: Meaning | None) -> TypeGuard[SpokenMove]:
    """Whether this is a part of a move that does not say where to."""
    return isinstance(meaning, SpokenMove) and not meaning.complete


UNKNOWN = "[unk]"
"""What the recogniser writes for sound that is none of its words. It is no word: nobody hears or reads it."""

UNKNOWNS = (UNKNOWN, "<unk>")
"""`UNKNOWN` as some models have it."""


def known_words(words: str) -> str:
    """The words without `UNKNOWN`, as they can be read back to who spoke; "" where nothing else was heard."""
    return " ".join(word for word in words.split() if word.lower() not in UNKNOWNS) if "unk" in words.lower() else words


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to take what was heard. `cost` is 0 for the literal best and grows with every change assumed.

    `words`: those that were taken so, as they can be read back. `between`: softer words beside them were left out,
    which others may have said (`Expectation.among_talk`).
    """

    meaning: Meaning
    cost: float = 0.0
    words: str = ""
    between: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "words", known_words(self.words))


@dataclass(frozen=True, slots=True)
class Word:
    """A recognised word with its place in the sound (milliseconds of the event's time) and confidence 0..1.

    `below_db`: how much softer it is than the loudest word beside it, where that was measured.
    """

    text: str
    began_ms: int
    ended_ms: int
    confidence: float = 1.0
    below_db: float = 0.0


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One word sequence of the recogniser. `score`: log-likelihood, higher is better; only differences count, and only
    among those of the same `speed`: 1 as it was said, else how much faster the same sound was heard again.

    `fit`: how much rather the sound is these words than any sound, a second of speech; 5 to 15 is usual for speech that
    is meant for us, -20 and less for other sound. None where the speech model's scores do not tell.

    `below_db`: None; or words at its edges are so many decibels softer than the loudest, and were perhaps said by
    somebody else, as the hypotheses without them assume.

    `led_db`: how much softer than its words the sound right before them is; None where there is none, or nobody
    measured it, as of all but the best one.
    """

    words: tuple[Word, ...]
    score: float = 0.0
    speed: float = 1.0
    fit: float | None = None
    below_db: float | None = None
    led_db: float | None = None

    @property
    def text(self) -> str:
        """The words, joined by single spaces."""
        return " ".join(word.text for word in self.words)


SCORE_BEAM, MOST_HYPOTHESES = 4.0, 8
"""The beam: hypotheses this much (in score) below the best, or after this many, get no share of what was heard. They
only tell which moves may have been meant where the likelier readings are not legal. Short answers have no beam, since
much less is enough to have them read back."""


def near(hearing: Sequence[Hypothesis]) -> list[Hypothesis]:
    """Those of one hearing, likeliest first, that what was heard is shared out among."""
    return [one for one in hearing[:MOST_HYPOTHESES] if one.score >= hearing[0].score - SCORE_BEAM]


class QuestionKind(Enum):
    """What kind of answer a question wants: a short answer means different things to different ones."""

    WHICH_MOVE = "which_move"  # several moves fit; the word that tells them apart is enough
    COMPLETE = "complete"  # a part of a move was heard; the rest is wanted
    PROMOTION = "promotion"
    YES_NO = "yes_no"
    COLOUR = "colour"
    OPPONENT = "opponent"
    LEVEL = "level"
    TIME = "time"
    DAYS = "days"  # the time of a correspondence game
    REPEAT_MOVE = "repeat_move"  # the opponent's announcement is to be repeated (Laws, Appendix D)
    TRY_MICROPHONE = "try_microphone"
    EXERCISE = "exercise"
    ONLINE = "online"  # what is to be done at a server
    ONLINE_TIME = "online_time"
    RATED = "rated"
    FRIEND = "friend"
    SPELLING = "spelling"  # the letters of a name
    NUMBER = "number"  # of a list
    WAITING = "waiting"  # for another player
    CHALLENGED = "challenged"


class Missing(Enum):
    """The part of a move to ask for next."""

    PIECE = "piece"
    TO_FILE = "to_file"
    TO_RANK = "to_rank"
    FROM_FILE = "from_file"


@dataclass(frozen=True, slots=True)
class Question:
    """A question as far as its answer depends on it; `game.state.OpenQuestion` adds what an answer does.

    Made where it is put. The recogniser's phrases, the understanding, the endpointing and the decision read it.
    """

    kind: QuestionKind | None = None  # None: nothing was asked
    candidates: tuple[chess.Move, ...] = ()  # the moves it is about, in the order in which they were named
    rest: tuple[chess.Move, ...] = ()  # the moves proposed next when the candidates are declined
    partial: SpokenMove | None = None  # what is known of a move already
    missing: Missing | None = None  # the part of `partial` that is wanted
    whole: bool = False  # the whole move is wanted once more: single words are lost in noise
    earlier: tuple[QuestionKind, ...] = ()  # the questions before, latest first: an answer to one corrects that one


NO_QUESTION = Question()


@dataclass(frozen=True, slots=True)
class Expectation:
    """What can be said now: the context for the recogniser's grammar and for understanding."""

    board: chess.Board | None = None  # whose moves may be announced; None: no moves now. Readers never change it
    asked: Question = NO_QUESTION
    commands: frozenset[str] | None = None  # the names that are valid now; None: all
    answering: chess.Board | None = None
    """The position after a move still being repeated: a second player at the board may announce their reply there."""
    among_talk: frozenset[str] = frozenset()
    """Commands that are heard between softer words of others too; if there are any, so are the answers to `asked`."""


# --- The level of speech at the microphone ---

SILENCE_DB = -96.0
"""The smallest step of 16 bits."""

FEWEST = 5
"""Fewer utterances than that say nothing about how somebody usually speaks."""

CLIPPED_DB = -0.1
"""A largest sample above this has been cut off."""

QUIET_DB = -45.0
"""Softer than speech of which it was measured that it is heard as well as ever (`bench hearing`, "a quiet -20 dB")."""

LONG_MS = 400
"""Of talk in the room hardly a word that lasts so long is one for us: "wiederholen", "Stellung"."""

BESIDE_DB = 4.0
"""Words before and behind a command, or before a move, that are so much softer than the loudest may be somebody else's,
or what is left of an echo."""

CLEAR_DB = 15.0
"""SNR in decibels below which the room counts as loud: at 20 dB nearly everything is heard, at 10 dB less (`bench
hearing`, "b"). Larger: more is asked about in noise."""


def is_loud(snr_db: int | None) -> bool:
    """Whether the room is loud for speech of this SNR; not where it was not measured (None)."""
    return snr_db is not None and snr_db < CLEAR_DB


@dataclass(frozen=True, slots=True)
class SpeakingLevel:
    """How loud speech is at the microphone, in decibels below full scale (at most 0)."""

    speech_db: float  # mean level of the speech
    peak_db: float  # its largest sample
    floor_db: float  # noise floor of the room

    @property
    def snr_db(self) -> int:
        """Signal-to-noise ratio, decibels, at least 0."""
        return max(0, round(self.speech_db - self.floor_db))

    @property
    def advice(self) -> str:
        """The worst that is wrong with it: "clipped", "quiet", "noisy"; or "good"."""
        if self.peak_db > CLIPPED_DB:
            return "clipped"
        if self.speech_db < QUIET_DB:
            return "quiet"
        return "noisy" if is_loud(self.snr_db) else "good"


def measured(rms: float, peak: float, floor_db: float) -> SpeakingLevel:
    """One utterance's level from its root mean square and its largest sample, both 0 to 1."""
    return SpeakingLevel(_db(rms), _db(peak), floor_db)


def usual(levels: Sequence[SpeakingLevel]) -> SpeakingLevel | None:
    """The level somebody usually has: a cough or a bang does not count. None when there were too few utterances."""
    if len(levels) < FEWEST:
        return None
    columns = ([one.speech_db for one in levels], [one.peak_db for one in levels], [one.floor_db for one in levels])
    return SpeakingLevel(*(round(_median(column), 1) for column in columns))


def _median(values: list[float]) -> float:
    """The middle one, the greater of two."""
    return sorted(values)[len(values) // 2]


def _db(value: float) -> float:
    return max(SILENCE_DB, 20 * log10(value)) if value > 0 else SILENCE_DB
