"""How a model's scores are taken: by what they come to, not by what they are called."""

from __future__ import annotations

from dataclasses import replace

import chess
import pytest

from voicechess.app.exam import Attempt, Item, expectation
from voicechess.app.exam_results import Meant, chosen, decisions, figures, harm, kept, rescaled
from voicechess.app.hearing import Hearing
from voicechess.game.events import Source
from voicechess.language.lexicon import load
from voicechess.meaning import (
    Command,
    Expectation,
    Hypothesis,
    Missing,
    RecognisedUtterance,
    SpokenMove,
    UnclearReason,
    Word,
)
from voicechess.moves.decisions import Act, Ask, Complete, Decision, NotUnderstood, Play
from voicechess.sound.model import STARTER_SCALING, LikelihoodScaling
from voicechess.storage.measured import Figures

LEXICON = load("de")
START = chess.STARTING_FEN
RANKS = ("drei", "vier")


def attempt(said: str, move: str | None, *heard: tuple[str, float], ours: bool = True) -> Attempt:
    """What was said and heard, each word for a quarter of a second, with its score."""
    item = Item(said, START, move=move, ours=ours)
    hypotheses = [
        Hypothesis(tuple(Word(w, 250 * n, 250 * n + 250) for n, w in enumerate(text.split())), score, fit=0.0)
        for text, score in heard
    ]
    return Attempt(item, expectation(item), tuple(hypotheses))


def clear(gap: float) -> list[Attempt]:
    """Pawn moves that are heard rightly, their rivals less likely by so much."""
    found = []
    for file, name in enumerate(("anna", "bella", "cesar", "david", "eva", "felix", "gustav", "hector")):
        for rank, other in (("drei", "vier"), ("vier", "drei")):
            uci = f"{chess.FILE_NAMES[file]}2{chess.FILE_NAMES[file]}{3 if rank == 'drei' else 4}"
            found.append(attempt(f"{name} {rank}", uci, (f"{name} {rank}", 5.0), (f"{name} {other}", 5.0 - gap)))
    return found


def wrong(gap: float) -> list[Attempt]:
    """The same, where what was said is the less likely one."""
    pairs = clear(gap)
    return [replace(one, item=pairs[number ^ 1].item) for number, one in enumerate(pairs)]


def test_a_model_that_shouts_is_taken_more_softly() -> None:
    """One that is surely right by six and wrong by three: with less than a third of that nothing wrong is played."""
    trusting = chosen(clear(6.0), LEXICON)
    careful = chosen([*clear(6.0), *clear(6.0), *wrong(3.0)[:4]], LEXICON)
    assert figures(wrong(3.0), LEXICON, trusting).wrong or trusting.scale < 0.7
    assert careful.scale <= 0.5
    assert figures(wrong(3.0)[:4], LEXICON, careful).wrong == 0
    shouting = [
        replace(one, hypotheses=tuple(replace(h, log_likelihood=4 * h.log_likelihood) for h in one.hypotheses))
        for one in [*clear(6.0), *clear(6.0), *wrong(3.0)[:4]]
    ]
    assert chosen(shouting, LEXICON).scale == pytest.approx(careful.scale / 4, rel=0.5)


def test_a_model_that_is_wrong_without_a_doubt_is_asked_about_every_time() -> None:
    scores = chosen([*clear(50.0), *wrong(50.0)[:5]], LEXICON)
    assert scores.doubt > 0.3
    assert all(isinstance(one, Ask) for one in decisions(clear(50.0), LEXICON, scores))


def test_speech_fits_as_well_as_with_the_starter_model() -> None:
    """Its fits are far off: shifted, speech is taken for speech, and what fits much worse for noise."""
    speech = [
        replace(one, hypotheses=tuple(replace(h, log_likelihood=h.log_likelihood - 60) for h in one.hypotheses))
        for one in clear(6.0)
    ]
    talk = [attempt("kaffee", None, ("anna drei", -400.0), ours=False) for _ in range(20)]
    scores = chosen([*speech, *talk], LEXICON)
    assert scores.shift is not None and scores.shift > 0
    assert figures(talk, LEXICON, scores).overheard == 0
    assert figures(speech, LEXICON, scores).at_once == len(speech)
    assert figures(talk, LEXICON, LikelihoodScaling()).overheard == len(talk)


def test_one_that_is_worse_than_the_starter_model_is_taken_more_cautiously() -> None:
    better, worse = (kept(clear(6.0), clear(6.0), LEXICON, Figures(16, 16, 0, 0, harm)) for harm in (0.0, -1.0))
    assert better.trusted and better.scaling == chosen(clear(6.0), LEXICON)
    assert not worse.trusted
    assert worse.scaling.scale == better.scaling.scale / 2 and worse.scaling.doubt >= 0.25
    assert worse.figures == figures(clear(6.0), LEXICON, worse.scaling)


def test_the_figures_are_counted() -> None:
    talk = attempt("", None, ("anna drei", 5.0), ours=False)
    illegal = attempt("anna acht", None, ("anna drei", 5.0))
    unheard = attempt("anna drei", "a2a3")
    found = figures([*clear(6.0), *wrong(6.0)[:2], talk, illegal, unheard], LEXICON, LikelihoodScaling())
    assert found == Figures(announced=19, at_once=16, wrong=3, overheard=1, harm=612.0)


@pytest.mark.parametrize(
    ("decision", "meant", "cost"),
    [
        (Play(chess.Move.from_uci("e2e4")), Meant(chess.Move.from_uci("e2e4")), 0),
        (Play(chess.Move.from_uci("e2e4")), Meant(chess.Move.from_uci("e2e3")), 200),
        (Play(chess.Move.from_uci("e2e4")), Meant(), 200),
        (Play(chess.Move.from_uci("e2e4")), Meant(ours=False), 8),
        (Act(Command("help")), Meant(command=Command("help")), 0),
        (Act(Command("help")), Meant(chess.Move.from_uci("e2e4")), 8),
        (Complete(SpokenMove(piece=chess.KNIGHT), Missing.TO_FILE), Meant(chess.Move.from_uci("g1f3")), 1),
        (NotUnderstood(UnclearReason.NO_SENSE), Meant(chess.Move.from_uci("e2e4")), 4),
    ],
)
def test_a_wrong_move_is_worse_than_any_question(decision: Decision, meant: Meant, cost: float) -> None:
    assert harm(decision, Expectation(chess.Board()), meant) == cost


def test_doubt_is_added_to_what_is_heard_and_not_to_what_is_typed() -> None:
    said = RecognisedUtterance.typed("eva vier", 0)
    waited_for = Expectation(chess.Board())
    sure, doubtful = Hearing(LEXICON), Hearing(LEXICON, doubt=0.35)
    heard = [one.understood(said, waited_for, 0).readings[0] for one in (sure, doubtful)]
    assert heard[1].cost == pytest.approx(heard[0].cost + 0.35)
    typed = [one.understood(said, waited_for, 0, Source.KEYBOARD).readings[0] for one in (sure, doubtful)]
    assert typed[0] == typed[1]


def test_a_hypothesis_is_rescored_as_the_recogniser_gives_it() -> None:
    (one, *_) = clear(6.0)[0].hypotheses
    assert rescaled(one, LikelihoodScaling(2.0)) == replace(one, log_likelihood=10.0, fit=None)
    assert rescaled(one, STARTER_SCALING).fit == pytest.approx((5.0 + 10.0) / 0.5)
    assert rescaled(one, LikelihoodScaling(2.0, -3.0)).fit == pytest.approx((10.0 + 10.0) / 0.5 - 3)
    assert rescaled(replace(one, fit=None), STARTER_SCALING).fit is None
