"""What was understood: hypotheses of the recogniser, meanings of words, and the context they are understood in.

Values without a language: `language` makes them from words, `game` answers them. Files and ranks are 0 to 7 (a to h,
1 to 8), squares and pieces python-chess' numbers.

Beside them `SpeakingLevel`: how loud a player is at the microphone. Nothing is understood differently for it (the
recogniser normalises levels), but a player can do more about clipping or a noisy room than any program.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
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


CASTLING_CHOICES: Mapping[str, Castling] = {"kingside": Castling.KINGSIDE, "queenside": Castling.QUEENSIDE}
"""The choices that answer "Kurze oder lange Rochade?"."""


class CheckWord(Enum):
    """ "Schach" or "matt" said with a move."""

    CHECK = "check"
    MATE = "mate"


@dataclass(frozen=True, slots=True)
class SpokenMove:
    """A move, or a part of one, as it was said. None: not said.

    A lone square, file or rank stands in `to_file` and `to_rank`; the question decides whether it answers "from where?"
    or "where to?".
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
    """A command, or a choice that a question offers."""

    name: str  # its key in [commands] or [choices] of the language file
    slots: tuple[tuple[str, SlotValue], ...] = ()
    """file, rank (0-7), square (0-63), piece (chess.PAWN..chess.KING), colour (chess.WHITE is True), number; a second
    number of one pattern is number2, and so on; seconds where the number counts these, not minutes."""
    moves: tuple[SpokenMove, ...] = ()  # of a conditional move: the opponent's move and the answer to it

    def slot(self, name: str) -> SlotValue | None:
        """The value said for this slot, or None."""
        return dict(self.slots).get(name)

    @property
    def duration_ms(self) -> int:
        """How long its number is, in minutes or in seconds as it says; 0 where it has none."""
        number = self.slot("number")
        return int(number or 0) * (60_000 if self.slot("seconds") is None else 1_000)


class AnswerKind(Enum):
    """What an answer says."""

    YES = "yes"
    NO = "no"
    NONE = "none"  # none of those proposed
    CHOICE = "choice"  # the n-th of those proposed


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to a question."""

    kind: AnswerKind
    choice: int | None = None  # which one, from 1; for `CHOICE` only


class UnclearReason(Enum):
    """Why words have no meaning."""

    NOTHING = "nothing"  # silence, noise or [unk] only
    UNKNOWN_WORDS = "unknown_words"  # out of vocabulary
    NO_SENSE = "no_sense"  # known words that no pattern matches
    CHECK_ALONE = "check_alone"  # "Schach" or "matt" without the move it belongs to
    TOO_LONG = "too_long"
    UNKNOWN_LETTER = "unknown_letter"  # typed where a piece stands, and none of ours: "Cc6"
    UNKNOWN_SIGN = "unknown_sign"  # typed in a move, and nothing that we know: "e4 *"
    OTHER_NUMBER = "other_number"  # "12. Sf3" where another move comes: `text` tells which
    NO_SUCH_PIECE = "no_such_piece"  # "Damenspringer" where that has been captured, or nobody knows which it is
    OTHER_SIDE = "other_side"  # "12... Sf6" where White is to move
    THANKS = "thanks"  # a lone "danke", which wants nothing
    GREETING = "greeting"  # a lone "guten Abend", typed
    PRAISE = "praise"  # a lone "gut gespielt", typed
    TERMS = "terms"  # "Stufe drei" in the middle of a game, typed

    @property
    def answered(self) -> bool:
        """Whether the words are understood, and answered by a sentence instead of a tone."""
        return self in (UnclearReason.THANKS, UnclearReason.GREETING, UnclearReason.PRAISE, UnclearReason.TERMS)


@dataclass(frozen=True, slots=True)
class Unclear:
    """Words without a meaning."""

    reason: UnclearReason
    text: str = ""  # the letter, sign, number or name at fault


Meaning = SpokenMove | Command | Answer | Unclear


def is_whole_move(meaning: Meaning | None) -> TypeGuard[SpokenMove]:
    """Whether this is a move with a target square, or a castling."""
    return isinstance(meaning, SpokenMove) and meaning.complete


def is_partial_move(meaning: Meaning | None) -> TypeGuard[SpokenMove]:
    """Whether this is a part of a move that does not say where to."""
    return isinstance(meaning, SpokenMove) and not meaning.complete


def is_full_move(meaning: Meaning | None) -> TypeGuard[SpokenMove]:
    """Whether this is a whole move that names more than its target square. Noise and talk produce many squares, but
    hardly ever a legal move like that."""
    return is_whole_move(meaning) and not names_a_part(meaning)


def names_a_part(meaning: Meaning) -> bool:
    """Whether this is a partial move or another hint at one: a square, a file, a rank, a piece, a number, a side."""
    match meaning:
        case SpokenMove():
            return replace(meaning, to_file=None, to_rank=None) == SpokenMove() or not meaning.complete
        case Answer(kind):
            return kind is AnswerKind.CHOICE
        case Command(name):
            return name in ("file", "rank", *CASTLING_CHOICES)
    return False


# --- What the recogniser heard ---

UNKNOWN_WORD = "[unk]"
"""The recogniser's garbage model: sound that fits none of its words. It is no word: nobody hears or reads it."""

UNKNOWN_SPELLINGS = (UNKNOWN_WORD, "<unk>")
"""`UNKNOWN_WORD` as models write it."""


def known_words(words: str) -> str:
    """The words without `UNKNOWN_WORD`, as they can be read back; "" where nothing else was heard."""
    if "unk" not in words.lower():
        return words
    return " ".join(word for word in words.split() if word.lower() not in UNKNOWN_SPELLINGS)


@dataclass(frozen=True, slots=True)
class Reading:
    """One meaning of an utterance; the same words may have several."""

    meaning: Meaning
    cost: float = 0.0
    """Minus the natural logarithm of the probability that this was meant: 0 is certain, 0.7 is one in two. What makes a
    meaning less plausible, as a strange word, is added."""
    words: str = ""  # the words that were read so, as they can be read back
    trimmed: bool = False  # softer words beside them, perhaps a bystander's, were left out (`Expectation.among_talk`)
    letter: bool = False  # a file was said as a letter, and this is with another one that sounds like it
    suspect: bool = False
    """Its words hint at an error of recognition that would recur, so that it is neither played unasked nor for having
    been said again."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "words", known_words(self.words))


@dataclass(frozen=True, slots=True)
class Word:
    """A recognised word, aligned in time."""

    text: str
    began_ms: int  # milliseconds of the event's time, as `ended_ms`
    ended_ms: int
    confidence: float = 1.0  # posterior, 0 to 1
    below_db: float = 0.0  # level below the loudest word of the utterance, decibels; 0 also where it was not measured


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One word sequence of the recogniser's n-best list."""

    words: tuple[Word, ...]
    log_likelihood: float = 0.0
    """Natural logarithm, higher is better; only differences between hypotheses of the same `speed` mean anything."""
    speed: float = 1.0
    """1 as it was said; else the tempo of a second pass: how much faster the same sound was decoded again."""
    fit: float | None = None
    """Log-likelihood ratio of the words to free speech, per second: 5 to 15 is usual for speech that is meant for us,
    -20 and less for other sound. None where the model's likelihoods do not tell."""
    edge_below_db: float | None = None
    """Level of words at its edges that a bystander may have said, decibels below the loudest word; other hypotheses are
    without those words. None: it has none."""
    lead_in_below_db: float | None = None
    """Level of the sound right before the first word, decibels below that of the words. None: there is no such sound,
    or it was not measured, as in all but the best hypothesis."""

    @property
    def text(self) -> str:
        """The words, joined by single spaces."""
        return " ".join(word.text for word in self.words)


BEAM = 4.0
"""Natural logarithms below the best hypothesis beyond which others get no share of the probability: they only tell
which moves may have been meant where no likelier reading is legal. Short answers have no beam. Larger: more rivals."""

MAX_HYPOTHESES = 8
"""Number of best hypotheses that get a share. Larger: more rivals."""


def within_beam(hypotheses: Sequence[Hypothesis]) -> list[Hypothesis]:
    """Those of one pass, likeliest first, that the probability is shared out among."""
    best = hypotheses[:MAX_HYPOTHESES]
    return [one for one in best if one.log_likelihood >= hypotheses[0].log_likelihood - BEAM]


# --- The context ---


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
    SEEKING = "seeking"  # the same, while anybody may come
    CHALLENGED = "challenged"
    FOUND = "found"  # which of the games that were found, or which others
    SET_UP = "set_up"  # what stands where in a position that grows


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
    read_back: chess.Move | None = None  # of a pawn's promotions, the one that a yes means and a no denies
    partial: SpokenMove | None = None  # what is known of a move already
    missing: Missing | None = None  # the part of `partial` that is wanted
    whole: bool = False  # the whole move is wanted once more: single words are lost in noise
    earlier: tuple[QuestionKind, ...] = ()  # the questions before, latest first: an answer to one corrects that one

    @property
    def denied(self) -> tuple[chess.Move, ...]:
        """The moves that a "no" denies."""
        return self.candidates if self.read_back is None else (self.read_back,)


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
"""Level of the smallest step of 16 bits, decibels below full scale."""

MIN_LEVELS = 5
"""Number of utterances from which a speaker's usual level is told. Larger: surer, later."""

CLIPPED_DB = -0.1
"""Peak level, decibels below full scale, above which speech counts as clipped. Larger: less does."""

QUIET_DB = -45.0
"""Mean level, decibels below full scale, below which speech counts as quiet: down to it, it is heard as well as ever
(`bench hearing`, "a quiet -20 dB"). Larger: more does."""

LONG_WORD_MS = 400
"""Duration in milliseconds from which a loud word alone may be a command ("wiederholen", "Stellung"): talk in the room
hardly has words that long. Larger: fewer commands and less talk are obeyed."""

BYSTANDER_DB = 4.0
"""Decibels below the loudest word from which words beside a command or a move may be a bystander's, or residual echo.
Larger: fewer words are left out."""

CLEAR_SNR_DB = 15.0
"""SNR in decibels below which the room counts as loud: at 20 dB nearly everything is heard, at 10 dB less (`bench
hearing`, "b"). Larger: more is asked about in noise."""


def is_noisy(snr_db: int | None) -> bool:
    """Whether the room is loud for speech of this SNR; not where it was not measured (None)."""
    return snr_db is not None and snr_db < CLEAR_SNR_DB


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
        return "noisy" if is_noisy(self.snr_db) else "good"


def level_of(rms: float, peak: float, floor_db: float) -> SpeakingLevel:
    """The level of one utterance from its root mean square and its largest sample, both 0 to 1."""
    return SpeakingLevel(_db(rms), _db(peak), floor_db)


def typical_level(levels: Sequence[SpeakingLevel]) -> SpeakingLevel | None:
    """The median level of a speaker, which a cough or a bang does not move; None with fewer than `MIN_LEVELS`."""
    if len(levels) < MIN_LEVELS:
        return None
    columns = ([one.speech_db for one in levels], [one.peak_db for one in levels], [one.floor_db for one in levels])
    return SpeakingLevel(*(round(_median(column), 1) for column in columns))


def _median(values: list[float]) -> float:
    """The middle one, the greater of two."""
    return sorted(values)[len(values) // 2]


def _db(value: float) -> float:
    return max(SILENCE_DB, 20 * log10(value)) if value > 0 else SILENCE_DB


# --- An utterance ---


@dataclass(frozen=True, slots=True)
class RecognisedUtterance:
    """What was said between two endpoints, or typed as one line. Times are milliseconds of one clock: of the
    recogniser's blocks, and of the game's events after `shifted`."""

    hypotheses: tuple[Hypothesis, ...]
    """The n-best list, best first, never empty where something was heard, texts all different. Where others talk: what
    the near voice said by itself, then the likeliest with softer words beside it (`Hypothesis.edge_below_db`). Behind
    them, where there were few words, those of the same sound decoded again, slower and faster."""
    began_ms: int  # beginning of the best hypothesis' words
    ended_ms: int  # their end
    level: SpeakingLevel | None = None  # None: not measured
    voice_db: float | None = None  # level of its loudest word, decibels below full scale; None: not measured
    overheard: bool = False  # a barge-in through a loudspeaker: said into what the program was saying
    torn: bool = False  # words may be missing: the device, or the program's own voice, swallowed some of the sound
    endpoint_ms: int = 0  # when the endpoint was decided
    decode_ms: float = 0.0  # time spent decoding

    @property
    def snr_db(self) -> int | None:
        """Signal-to-noise ratio, decibels; None: not measured."""
        return None if self.level is None else self.level.snr_db

    def __str__(self) -> str:
        """One line for the log: the hypotheses with their fits, then times and levels."""
        heard = " | ".join(f"{one.text} ({one.fit if one.speed == 1 else f'x{one.speed}'})" for one in self.hypotheses)
        voice = "" if self.voice_db is None else f", {self.voice_db:.0f} dB, SNR {self.snr_db}"
        torn = ", torn" if self.torn else ""
        return f"{heard}; {self.began_ms} to {self.ended_ms}, endpoint {self.endpoint_ms}{voice}{torn}"

    def shifted(self, ms: int) -> RecognisedUtterance:
        """The same with the times of a clock that is `ms` ahead; those of single words stay."""
        return replace(self, began_ms=self.began_ms + ms, ended_ms=self.ended_ms + ms)

    @classmethod
    def typed(cls, text: str, now_ms: int) -> RecognisedUtterance:
        """A typed line, which takes no time."""
        words = tuple(Word(part, now_ms, now_ms) for part in text.split())
        return cls((Hypothesis(words),), now_ms, now_ms)
