"""From hypotheses to readings: each hypothesis is understood, and every meaning gets a cost.

A cost is minus the logarithm of a posterior: the hypotheses of a decoding pass share a probability of 1. Clearly spoken
words leave next to nothing to their rivals; coughs and talk give many equally poor hypotheses, none of which comes near
1. That, and not the recogniser's confidence, separates speech to the program from other speech. Besides these literal
readings there are readings with one word substituted by a likely confusion (`confusions`).

Words of bystanders around a command, a move or an answer are trimmed off by their level.

How certain is certain enough is decided by `thresholds`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice, pairwise, product
from math import exp, log, log1p

from voicechess.language.announcements import announced_moves
from voicechess.language.confusions import MAX_WORDS, Confusions, load_confusions
from voicechess.language.lexicon import Lexicon
from voicechess.language.natural import ANSWERED_BY_PARTS
from voicechess.language.thresholds import WRONG_MOVE_HARM, load_thresholds
from voicechess.language.tokens import tokenise
from voicechess.language.trimming import Lines, can_be, move_in_a_senseless_line, trimmed
from voicechess.language.understanding import EDGE_WORD_COST, understand_all
from voicechess.meaning import (
    Answer,
    AnswerKind,
    Command,
    Expectation,
    Hypothesis,
    Meaning,
    QuestionKind,
    Reading,
    SpokenMove,
    Unclear,
    UnclearReason,
    is_partial_move,
    is_whole_move,
    names_a_part,
    within_beam,
)

SENTENCE_PAUSE_MS = 700
"""Pause between two words, milliseconds, that may separate two sentences. Larger: more words are joined into one
sentence."""

MAX_CONFUSED = 3
"""Best hypotheses in which confusions are tried. Larger: more rivals, more computing."""

NO_SENSE_PRIOR = 0.4
"""Prior of a hypothesis without a meaning, relative to one with: people say such lines less often than the recogniser's
grammar assumes. Larger: more is not understood."""

_WITHOUT_SENSE = frozenset({UnclearReason.NO_SENSE, UnclearReason.CHECK_ALONE})

FIT_COST = 0.2
"""Cost per unit of `Hypothesis.fit` below the threshold. Larger: more that fits badly is asked about or ignored."""

EDGE_FREE_DB, EDGE_COST_PER_DB = 7.5, 0.5
"""Decibels below the loudest word up to which words at the edges may be the player's own for free, and cost per further
decibel. Larger threshold, smaller cost: soft words count more."""

REST_FREE_DB = 10.0
"""The same threshold where those words complete a partial move: that is more likely one voice than two. Larger: more
moves are completed."""

PART_COST = 4.0
"""Cost of a partial move that soft words beside it would complete, minus what these cost. Larger: the whole move is
preferred."""

MAX_CONFUSION_COST, MAX_CONFUSION_MOVE_COST = 6.0, 4.0
"""Highest costs of readings with a confusion: of answers, and of moves. Larger: more rivals."""


def interpret(
    hypotheses: Sequence[Hypothesis],
    expectation: Expectation,
    lexicon: Lexicon,
    typed: bool = False,
    confusions: Confusions | None = None,
    again: float | None = None,
    fit: float | None = None,
    alone: float | None = None,
    in_noise: bool = False,
) -> tuple[Reading, ...]:
    """The readings of an utterance, lowest cost first, never empty; never raises.

    Hypotheses with the same meaning add up. The costs of understanding (for an unknown word beside a move) and of a
    confusion are added. If noise is likelier than every announcement it stays first. Moves outside the beam come last.

    `confusions`: None for those measured for the language. `again`, `fit`, `alone`: override the thresholds of these
    names. `in_noise`: bystanders may be as loud as the player.
    """
    with_edges = [one for one in hypotheses if one.edge_below_db is not None]
    hypotheses = [one for one in hypotheses if one.edge_below_db is None]
    if not hypotheses:
        return (Reading(Unclear(UnclearReason.NOTHING)),)
    read: dict[str, Sequence[Reading]] = {
        one.text: _across_a_pause(one, understand_all(one.text, lexicon, expectation, typed), lexicon)
        for one in hypotheses
    }
    chosen = load_thresholds()
    again = chosen.again if again is None else again
    fit = chosen.fit if fit is None else fit
    alone = chosen.alone if alone is None else alone
    answering = expectation.asked.kind in ANSWERED_BY_PARTS
    by_speed = _by_speed(hypotheses)
    passes = {speed: one_pass if answering else within_beam(one_pass) for speed, one_pass in by_speed.items()}
    heard = [one for one_pass in passes.values() for one in one_pass]
    among = {} if typed else _whole_ranks(read, lexicon) | trimmed(Lines(heard, read, lexicon, expectation, in_noise))
    lines = _merged(_posteriors(passes, read, again), among)
    shares: dict[tuple[Meaning, float], float] = {}
    words: dict[tuple[Meaning, float], str] = {}
    for line, share in lines.items():
        for reading in read[line]:
            key = (reading.meaning, reading.cost)
            shares[key] = shares.get(key, 0.0) + share
            words.setdefault(key, reading.words)
    cheapest: dict[Meaning, Reading] = {}
    for key, share in shares.items():
        _keep(cheapest, Reading(key[0], key[1] + max(0.0, -log(share)), words[key]))
    if not answering:
        _add_beyond_beam(cheapest, by_speed.get(1.0, []), lines, read)
    if not typed and expectation.board is not None:
        if confusions is None:
            confusions = load_confusions(lexicon.heard.code)
        for line in list(lines)[:MAX_CONFUSED]:
            _add_confused(cheapest, line, -log(lines[line]), expectation, lexicon, confusions)
    _mark_trimmed(cheapest, hypotheses[0], among, read)
    _add_with_edges(cheapest, with_edges, lexicon, expectation)
    senseless = not typed and all(isinstance(meaning, Unclear) for meaning in cheapest)
    if senseless and (move := move_in_a_senseless_line(hypotheses[0], lexicon, expectation, in_noise)) is not None:
        _keep(cheapest, move)
    fitting = hypotheses[0].fit
    if fitting is not None:
        cheapest = _with_fit(cheapest, fitting - fit, alone if answering else None)
    return tuple(sorted(cheapest.values(), key=lambda one: (one.cost, isinstance(one.meaning, Unclear))))


def _across_a_pause(hypothesis: Hypothesis, readings: Sequence[Reading], lexicon: Lexicon) -> Sequence[Reading]:
    """The readings without moves across a long pause, unless one side of the pause has a meaning of its own, which is
    then asked about: "(wo sind) meine Springer" followed by "Cesar drei" is no knight's move.

    The plain beginning of an announcement is kept: "Springer", a pause for thought, and the rest are one move.
    """
    words = hypothesis.words
    pauses = [later.began_ms - word.ended_ms for word, later in pairwise(words)]
    longest = max(pauses, default=0)
    if longest < SENTENCE_PAUSE_MS:
        return readings
    at = pauses.index(longest) + 1
    before, behind = ([word.text for word in half] for half in (words[:at], words[at:]))
    if announced_moves(tokenise(before[0], lexicon, False), lexicon):
        return readings
    alone = [
        move for move in announced_moves(tokenise(" ".join(behind), lexicon, False), lexicon) if is_whole_move(move)
    ]
    return [
        replace(one, cost=max(one.cost, EDGE_WORD_COST))
        if alone and is_whole_move(one.meaning) and one.meaning not in alone and one.meaning.castling is None
        else one
        for one in readings
    ]


def _with_fit(readings: Mapping[Meaning, Reading], above: float, alone: float | None) -> dict[Meaning, Reading]:
    """Add the cost of a fit below the threshold; short answers (`alone`) get "nothing was said" as a rival instead.

    So an answer that fits badly is read back, neither accepted nor ignored. "Ja" cannot be read back, but other speech
    is hardly ever mistaken for it, while noise makes any single word fit badly. `above`: fit minus the threshold.
    """
    penalty = FIT_COST * max(0.0, -above)
    # At the threshold, silence is as likely as an accepted answer may be wrong.
    nothing = 50.0 if alone is None else max(-50.0, min(50.0, log(WRONG_MOVE_HARM) + FIT_COST * (above - alone)))
    shared = log1p(exp(-nothing))
    found = {
        meaning: replace(one, cost=one.cost + (shared if alone is not None and _is_short(meaning) else penalty))
        for meaning, one in readings.items()
    }
    if nothing < MAX_CONFUSION_COST:
        _keep(found, Reading(Unclear(UnclearReason.NOTHING), log1p(exp(nothing))))
    return found


def _by_speed(hypotheses: Sequence[Hypothesis]) -> dict[float, list[Hypothesis]]:
    """Hypotheses by decoding pass (speed), likeliest first."""
    passes: dict[float, list[Hypothesis]] = {}
    for one in sorted(hypotheses, key=lambda one: -one.log_likelihood):
        passes.setdefault(one.speed, []).append(one)
    return passes


def _posteriors(
    passes: Mapping[float, Sequence[Hypothesis]], read: Mapping[str, Sequence[Reading]], again: float
) -> dict[str, float]:
    """The posterior of each line, highest first, summing to 1.

    Every pass has a weight that its hypotheses share: words found at one speed only have a limited posterior, however
    certain the recogniser was at that speed.
    """
    weight_of = {speed: 1.0 if speed == 1.0 else again for speed in passes}
    lines: dict[str, float] = {}
    for speed, one_pass in passes.items():
        best = one_pass[0].log_likelihood
        weights = [exp(max(-50.0, one.log_likelihood - best)) * _prior(read[one.text][0].meaning) for one in one_pass]
        for one, weight in zip(one_pass, weights, strict=True):
            lines[one.text] = lines.get(one.text, 0.0) + weight_of[speed] * weight / sum(weights)
    heard = sum(weight_of.values())
    return {line: share / heard for line, share in sorted(lines.items(), key=lambda item: -item[1]) if share > 0}


def _add_beyond_beam(
    cheapest: dict[Meaning, Reading],
    one_pass: Sequence[Hypothesis],
    lines: Mapping[str, float],
    read: Mapping[str, Sequence[Reading]],
) -> None:
    """Add moves found only outside the beam, with their log-likelihood below the best as cost."""
    first = len(within_beam(one_pass))
    known = set(cheapest)
    top, share = next(iter(lines.items()))
    base = log(_prior(read[top][0].meaning)) - log(share)
    for one in one_pass[first:]:
        for reading in read[one.text]:
            if isinstance(reading.meaning, SpokenMove) and reading.meaning not in known:
                cost = reading.cost + base + one_pass[0].log_likelihood - one.log_likelihood
                _keep(cheapest, Reading(reading.meaning, max(0.0, cost), reading.words))


def _add_with_edges(
    cheapest: dict[Meaning, Reading], with_edges: Sequence[Hypothesis], lexicon: Lexicon, expectation: Expectation
) -> None:
    """Add moves that include soft words at the edges as the player's own: "Springer Gustav eins" and a softer "Felix
    drei". The partial move they complete then costs more, the more so the less they cost; unless the whole is
    impossible: "Läufer Felix vier" may be left of a soft "sieben"."""
    for one in with_edges:
        for reading in understand_all(one.text, lexicon, expectation):
            if not is_whole_move(reading.meaning) or one.edge_below_db is None:
                continue
            parts = [meaning for meaning in cheapest if is_partial_move(meaning)]
            doubt = EDGE_COST_PER_DB * (one.edge_below_db - (REST_FREE_DB if parts else EDGE_FREE_DB))
            for part in parts if can_be(reading.meaning, expectation.board) else ():
                cheapest[part] = replace(cheapest[part], cost=cheapest[part].cost + max(0.0, PART_COST - doubt))
            _keep(cheapest, Reading(reading.meaning, reading.cost + max(0.0, doubt), reading.words))


def _merged(lines: Mapping[str, float], among: Mapping[str, str]) -> Mapping[str, float]:
    """Posteriors in which a line counts as another one, as what was trimmed out of it (`among`), highest first."""
    meant: dict[str, float] = {}
    for line, share in lines.items():
        found = among.get(line, line)
        meant[found] = meant.get(found, 0.0) + share
    return dict(sorted(meant.items(), key=lambda item: -item[1]))


def _whole_ranks(lines: Iterable[str], lexicon: Lexicon) -> dict[str, str]:
    """Lines with a letter behind the name of a file, where a rank belongs ("Cesar a goes to David seven"), and the same
    line with a rank that sounds like it ("eight" whose end was lost), where that one was recognised as well."""
    heard, known, found = lexicon.heard, set(lines), dict[str, str]()
    alike = load_confusions(heard.code).alike
    names = {name for files in (*heard.files, *heard.typed.files) for name in files if len(name) > 1}
    for line in known:
        words = line.split()
        if len(words) > MAX_WORDS:
            continue
        said = [
            (word, *alike.get(word, ())) if len(word) == 1 and before in names else (word,)
            for before, word in pairwise(("", *words))
        ]
        for whole in islice((" ".join(words) for words in product(*said)), 1, None):
            if whole in known:
                found[line] = whole
    return found


def _mark_trimmed(
    cheapest: dict[Meaning, Reading],
    best: Hypothesis,
    among: Mapping[str, str],
    read: Mapping[str, Sequence[Reading]],
) -> None:
    """Mark commands that were trimmed out of a line (`among`), unless the best hypothesis is that command alone."""
    for line in set(among.values()) - {best.text}:
        meaning = read[line][0].meaning
        if isinstance(meaning, Command) and meaning in cheapest:
            cheapest[meaning] = replace(cheapest[meaning], trimmed=True)


def _prior(meaning: Meaning) -> float:
    return NO_SENSE_PRIOR if isinstance(meaning, Unclear) and meaning.reason in _WITHOUT_SENSE else 1.0


def _add_confused(
    cheapest: dict[Meaning, Reading],
    line: str,
    cost: float,
    expectation: Expectation,
    lexicon: Lexicon,
    confusions: Confusions,
) -> None:
    """Add moves, and answers about moves, that this line may be with one confusion; never a command or "ja", which are
    taken literally. "Nein" only where a move is offered: there it is likelier than a lone rank."""
    words = line.split()
    variants = list(confusions.variants(words, MAX_CONFUSION_MOVE_COST - cost))
    if answering := expectation.asked.kind in ANSWERED_BY_PARTS:
        variants += confusions.answers(words, MAX_CONFUSION_COST - cost)
    for other, extra in variants:
        for reading in understand_all(other, lexicon, expectation):
            denied = reading.meaning == Answer(AnswerKind.NO) and expectation.asked.kind is QuestionKind.WHICH_MOVE
            if is_whole_move(reading.meaning) or denied or (answering and names_a_part(reading.meaning)):
                _keep(cheapest, Reading(reading.meaning, cost + extra + reading.cost, reading.words))


def _is_short(meaning: Meaning) -> bool:
    """Whether this is an answer of a word or two."""
    return isinstance(meaning, Answer) or names_a_part(meaning)


def _keep(cheapest: dict[Meaning, Reading], reading: Reading) -> None:
    known = cheapest.get(reading.meaning)
    if known is None or reading.cost < known.cost:
        cheapest[reading.meaning] = reading
