"""Speech that means nothing as it was recognised, but would if it had been typed: asked about.

Typed lines are understood more widely, since nothing in them is misheard. Where speech was recognised clearly, in a
quiet room and without `[unk]`, that wider meaning is the likeliest one. It is done at once only if it fits well and
answers the open question, and asked about otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from voicechess.app.adjustments import MAY_POINT, SpokenWords
from voicechess.language.beside import with_piece_first
from voicechess.language.lexicon import Lexicon
from voicechess.language.pointing import MAX_OFFERED, may_be_asked_about, usual_words
from voicechess.language.thresholds import contenders, load_thresholds
from voicechess.language.understanding import EDGE_WORD_COST, choices, understand_all
from voicechess.meaning import (
    UNKNOWN_WORD,
    Answer,
    Command,
    Expectation,
    Hypothesis,
    QuestionKind,
    Reading,
    SpokenMove,
    Unclear,
)
from voicechess.moves.fitting import fits

ASKED_FIT = -8.0
"""Least fit (`Hypothesis.fit`) of speech that is asked about. Smaller: more is asked about, of talk too."""

BEAM = 3.5
"""Log-likelihood below the 1-best hypothesis up to which others are read. Larger: more is asked about."""

MAX_READ = 5
"""Number of hypotheses that are read. Larger: more computing."""

MIN_WORDS = 2
"""Least number of words. Smaller: more talk is asked about, since a single word resembles anything."""

SURE_FIT = 0.0
"""Least fit of an answer that counts at once. Smaller: less is asked about, and more talk answers a question."""

SURE_SHARE = 0.8
"""Least share of the hypotheses, 0 to 1, that mean such an answer. Larger: more is asked about."""

OWN_DB = 5.0
"""Decibels below the loudest word up to which words left out as softer may still be the player's, if the whole line
means another command. Larger: more lines with a bystander's words are asked about."""

GUESS_COST = 1.0
"""Cost of a command or choice that the words only suggest, above `Thresholds.command`. Larger: it is asked about after
more others."""


def as_typed(spoken: SpokenWords, readings: tuple[Reading, ...]) -> tuple[tuple[Reading, ...], tuple[Reading, ...]]:
    """The readings of speech, and the commands to ask about, if it means nothing as it was recognised but something as
    typed lines; the same readings and nothing otherwise."""
    best = readings[0].meaning
    if isinstance(best, Command):
        whole = _whole_line(spoken) if readings[0].trimmed else ()
        if best in whole:
            return readings, () if contenders(readings).sure else _asked([best], spoken.lexicon)
        if whole:
            return _doubted(readings), _asked([*whole[:1], best], spoken.lexicon)
        return _doubted(readings) if _ends_unasked(best, spoken) else readings, _either(spoken, readings)
    uncalled = isinstance(best, Answer) and best.choice and spoken.expectation.asked.kind is not QuestionKind.WHICH_MOVE
    if not uncalled and not (isinstance(best, Unclear) and best.reason in MAY_POINT):
        return readings, ()
    shares = _shares(spoken)
    if not shares:
        return readings, ()
    meaning, share = shares[0]
    words = spoken.first.text if spoken.first else ""
    if isinstance(meaning, SpokenMove):
        return (Reading(meaning, EDGE_WORD_COST, words), *readings[1:]), ()
    sure = share >= SURE_SHARE and not spoken.fits_less(SURE_FIT) and not spoken.noisy
    if sure and _answers(meaning, spoken.expectation):
        return (Reading(meaning, -math.log(share), words), *readings[1:]), ()
    asked = [one for one, _ in shares[:MAX_OFFERED] if isinstance(one, Command)]
    return readings, _asked(asked, spoken.lexicon)


def _whole_line(spoken: SpokenWords) -> tuple[Command, ...]:
    """What the whole line would mean as a typed one, if its first and last word may be the player's (`OWN_DB`):
    "what pieces have I got", not "what pieces have I"."""
    words = spoken.first.words if spoken.first is not None else ()
    if any(word.below_db > OWN_DB for word in (*words[:1], *words[-1:])):
        return ()
    return tuple(one for one, _ in _shares(spoken) if isinstance(one, Command))


def _doubted(readings: tuple[Reading, ...]) -> tuple[Reading, ...]:
    """These readings, of which the best is not obeyed without a question."""
    return (replace(readings[0], cost=max(readings[0].cost, GUESS_COST)), *readings[1:])


def _asked(commands: Sequence[Command], lexicon: Lexicon) -> tuple[Reading, ...]:
    """These commands as readings that are asked about."""
    return tuple(Reading(one, GUESS_COST, usual_words(one, lexicon)) for one in commands[:MAX_OFFERED])


def _ends_unasked(command: Command, spoken: SpokenWords) -> bool:
    """Whether this ends the program in place of an answer, where no question is asked first, and was found among other
    words and fits less well: "just you end me" was "just you and me"."""
    expectation = spoken.expectation
    if command != Command("end") or spoken.first is None or expectation.board is not None:
        return False
    return expectation.asked.kind is not None and len(spoken.first.words) > MIN_WORDS and spoken.fits_less(SURE_FIT)


def _either(spoken: SpokenWords, readings: tuple[Reading, ...]) -> tuple[Reading, ...]:
    """The commands that were recognised nearly as likely ("is there anything on e four", "… on b four"), if none is
    likely enough to be obeyed."""
    near = contenders(readings)
    if not _clear(spoken) or (near.sure and near.agreed) or readings[0].trimmed:
        return ()
    said = [one.meaning for one in near.readings if isinstance(one.meaning, Command) and not one.trimmed]
    return _asked([one for one in said if _can_be_said(one, spoken.expectation, spoken.lexicon)], spoken.lexicon)


def _answers(command: Command, expectation: Expectation) -> bool:
    """Whether this answers the open question, by something that is repeated and can be taken back."""
    return command.name in choices(expectation) and command.name != "begin"


def _shares(spoken: SpokenWords) -> tuple[tuple[Command | SpokenMove, float], ...]:
    """What the hypotheses would mean as typed lines, each with its share of them, 0 to 1, likeliest first: commands and
    choices that can be said now, and legal moves. Empty if the speech is not clear enough. An answer does not count: it
    would be a yes to nothing asked by the program. Senseless hypotheses weigh less, since few say such a thing."""
    likelihoods: dict[Command | SpokenMove | None, float] = {}
    for place, one in enumerate(_clear(spoken)):
        alike = () if place else spoken.lexicon.frames.sounding_alike(one.text)[1:]  # others would take too long
        lines = (one.text, *alike, *with_piece_first(one.text, spoken.lexicon))
        meant = (_meant(line, spoken.expectation, spoken.lexicon) for line in lines)
        meaning = next((one for one in meant if one is not None), None)
        weight = math.exp(one.log_likelihood) * (load_thresholds().senseless if meaning is None else 1.0)
        likelihoods[meaning] = likelihoods.get(meaning, 0.0) + weight
    total = sum(likelihoods.values())
    found = [(meaning, share / total) for meaning, share in likelihoods.items() if meaning is not None]
    return tuple(sorted(found, key=lambda one: -one[1]))


def _clear(spoken: SpokenWords) -> Sequence[Hypothesis]:
    """The hypotheses that are read; none if the speech is not clear."""
    first, whole = spoken.first, spoken.with_soft_edges
    if first is None or (spoken.noisy and whole is None) or spoken.has_distant_words or spoken.fits_less(ASKED_FIT):
        return ()
    near = [one for one in spoken.of_first_pass if one.log_likelihood > first.log_likelihood - BEAM]
    read = near[:MAX_READ] if whole is None else [whole, *near[: MAX_READ - 1]]
    return [one for one in read if UNKNOWN_WORD not in one.text and len(one.words) >= MIN_WORDS]


def move_with_piece_last(words: str, expectation: Expectation, lexicon: Lexicon) -> tuple[Reading, ...]:
    """The legal move of a typed line whose piece comes last ("f3 Springer"), which is asked about; empty if it is
    none."""
    for line in with_piece_first(words, lexicon):
        if isinstance(move := _meant(line, expectation, lexicon), SpokenMove):
            return (Reading(move, EDGE_WORD_COST, words),)
    return ()


def _meant(words: str, expectation: Expectation, lexicon: Lexicon) -> Command | SpokenMove | None:
    """What a typed line means without a doubt: a command or choice that can be said now, or a legal move."""
    best = understand_all(words, lexicon, expectation, typed=True)[0]
    meaning = None if best.cost else best.meaning
    if isinstance(meaning, SpokenMove):
        board = expectation.board
        legal = meaning.complete and board is not None and len(fits(board, meaning)) == 1
        return meaning if legal and expectation.asked.kind in (None, QuestionKind.YES_NO) else None
    return meaning if isinstance(meaning, Command) and _can_be_said(meaning, expectation, lexicon) else None


def _can_be_said(command: Command, expectation: Expectation, lexicon: Lexicon) -> bool:
    """Whether this command, or this choice, can be given now."""
    names = may_be_asked_about(expectation, lexicon, typed=False)
    return command.name in names or command.name in choices(expectation)
