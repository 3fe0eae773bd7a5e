"""What is heard clearly may have its words in any order; noise, bystanders and half-heard words may not (issue 50).

What fits badly is doubted, and what lacks one word is asked about.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import chess
import pytest

from voicechess.app import adjustments
from voicechess.app.adjustments import ANY_ORDER_FIT
from voicechess.app.hearing import ANY_ORDER_ASKED_FIT, Hearing
from voicechess.app.simulation import session_at
from voicechess.conversations.asking import awaited
from voicechess.game.agreement import Player
from voicechess.language.lexicon import Lexicon, load
from voicechess.language.natural import heard_in_any_order
from voicechess.language.tokens import Token
from voicechess.language.trimming import ELSEWHERE_DB
from voicechess.meaning import (
    UNKNOWN_WORD,
    Answer,
    AnswerKind,
    Command,
    Expectation,
    Hypothesis,
    Meaning,
    Question,
    QuestionKind,
    RecognisedUtterance,
    SpeakingLevel,
    SpokenMove,
    Unclear,
    UnclearReason,
    Word,
)
from voicechess.moves.decisions import Act, Ask, NotUnderstood, Play, Reply
from voicechess.moves.matching import decide

TAKE_BACK = "das wollte ich nicht ziehen"
LEXICON = load("de")


def said(*lines: str, fit: float = 5.0, snr_db: float = 40.0, softest_db: float = 0.0) -> RecognisedUtterance:
    """Hypotheses, each e times less likely than the one before; the first word is so much softer than the loudest."""
    found = []
    for number, line in enumerate(lines):
        words = tuple(
            Word(text, 300 * n, 300 * n + 250, below_db=0.0 if n else softest_db) for n, text in enumerate(line.split())
        )
        found.append(Hypothesis(words, log_likelihood=-1.0 * number, fit=fit))
    return RecognisedUtterance(tuple(found), 0, 300 * len(found[0].words), SpeakingLevel(-20.0, -10.0, -20.0 - snr_db))


def meant(words: str, fit: float = 5.0, snr_db: float = 40.0, softest_db: float = 0.0) -> Meaning:
    """What is understood in a game against the machine."""
    heard = said(words, fit=fit, snr_db=snr_db, softest_db=softest_db)
    return Hearing(LEXICON).understood(heard, EXPECTED, 0).readings[0].meaning


def decided(heard: RecognisedUtterance, expectation: Expectation | None = None) -> object:
    expectation = expectation or EXPECTED
    readings = Hearing(LEXICON).understood(heard, expectation, 0).readings
    return decide(expectation.board or chess.Board(), readings, expectation.asked)


EXPECTED: Expectation = session_at(chess.Board(), Player.ENGINE).expectation
AFTER_E4_E5 = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
GAME: Expectation = session_at(chess.Board(AFTER_E4_E5), Player.ENGINE).expectation
ASKED = replace(EXPECTED, asked=Question(QuestionKind.YES_NO))


def test_a_sentence_in_its_own_order_is_understood() -> None:
    assert meant(TAKE_BACK) == Command("take_back")
    assert meant("den Springer setze ich auf Felix drei".lower()) == SpokenMove(chess.KNIGHT, to_file=5, to_rank=2)


@pytest.mark.parametrize(
    ("fit", "snr_db", "softest_db"),
    [(ANY_ORDER_FIT - 1, 40.0, 0.0), (5.0, 8.0, 0.0), (5.0, 40.0, ELSEWHERE_DB)],
)
def test_not_where_it_may_be_something_else(fit: float, snr_db: float, softest_db: float) -> None:
    assert isinstance(meant(TAKE_BACK, fit, snr_db, softest_db), Unclear)


def test_not_with_a_word_that_is_none_of_ours() -> None:
    assert isinstance(meant(TAKE_BACK.replace("nicht", "[unk]")), Unclear)


@pytest.mark.parametrize(
    "sentence", ["ich ziehe mal den springer nach felix drei", "also ich spiele mal den springer nach felix drei"]
)
def test_a_particle_takes_no_piece(sentence: str) -> None:
    """ "mal" is a word for taking too: a knight that was to go to f3 was taken there instead."""
    assert meant(sentence) == SpokenMove(chess.KNIGHT, to_file=5, to_rank=2)


def test_a_particle_that_may_have_lost_its_piece_takes() -> None:
    assert meant("mal springer felix drei") == SpokenMove(captures=True, captured=chess.KNIGHT, to_file=5, to_rank=2)


def test_a_sentence_without_a_meaning_as_it_stands_is_no_rival_of_what_it_means() -> None:
    """As it stands no hypothesis has a meaning, which is sure; one of them has another one in any order. "Jawohl das
    stimmt", heard perfectly, was not understood."""
    assert decided(said("ich ziehe den springer nach felix drei"), GAME) == Play(chess.Move.from_uci("g1f3"))
    rival = "könnten sie etwas lauter sprechen"
    other = "könnten sie etwas leiser sprechen"
    heard = Hearing(LEXICON).understood(said(other, rival), EXPECTED, 0)
    assert not any(isinstance(one.meaning, Unclear) for one in heard.readings[:1])
    assert min(heard.readings, key=lambda one: one.cost).meaning == Command("softer")
    assert decided(said("jawohl das stimmt", "jawohl das stimme"), ASKED) == Reply(Answer(AnswerKind.YES))


def test_a_legal_move_may_stand_between_all_the_words_of_a_typed_one() -> None:
    sentence = "mit dem läufer gehe ich auf bella fünf"
    assert decided(said(sentence), GAME) == Play(chess.Move.from_uci("f1b5"))
    assert not isinstance(decided(said(sentence, fit=-1.0), GAME), Play)
    assert not isinstance(decided(said(sentence), Expectation(chess.Board())), Play)


@pytest.mark.parametrize(
    "sentence",
    [
        "springer für ist auf felix drei",
        "ich gebe mit dem springer auf felix drei",
        "ich [unk] mit dem springer auf felix drei",
        "was macht der springer auf felix drei",
    ],
)
def test_a_clear_sentence_without_a_meaning_that_names_a_piece_and_its_square_is_asked_about(sentence: str) -> None:
    """ "Weiter oder fünf Sekunden je Zug?" was the answer to "ich fahre mit dem Läufer auf Felix fünf" (issue 50)."""
    assert decided(said(sentence), GAME) == Ask((chess.Move.from_uci("g1f3"),))


@pytest.mark.parametrize(
    ("sentence", "heard"),
    [
        ("springer für ist nicht auf felix drei", {}),
        ("springer für ist auf felix sechs", {}),  # where it cannot go
        ("für ist auf eva vier", {}),  # no piece
        ("springer für ist auf felix drei", {"fit": -1.0}),
        ("springer für ist auf felix drei", {"snr_db": 5.0}),
        ("springer für ist auf felix drei", {"softest_db": ELSEWHERE_DB}),
    ],
)
def test_it_is_not_where_it_may_be_talk(sentence: str, heard: dict[str, float]) -> None:
    assert isinstance(decided(said(sentence, **heard), GAME), NotUnderstood)


def test_a_short_word_alone_that_fits_badly_is_not_obeyed() -> None:
    """In talk "Ohr" was heard as "Uhr", and there was "was"."""
    assert decided(said("uhr", fit=0.0)) == Act(Command("time"))
    assert decided(said("uhr", fit=-4.0)) == NotUnderstood(UnclearReason.NOTHING)  # a tone
    assert decided(said("uhr", fit=-4.0, snr_db=5.0)) == Act(Command("time"))  # noise makes every word fit badly


def test_a_long_yes_that_fits_badly_agrees_to_nothing() -> None:
    assert decided(said("ja das stimmt", fit=0.0), ASKED) == Reply(Answer(AnswerKind.YES))
    assert isinstance(decided(said("ja das stimmt", fit=-15.0), ASKED), NotUnderstood)


def test_a_sentence_that_lacks_one_word_is_asked_about() -> None:
    online = awaited(QuestionKind.ONLINE)

    def pointed(words: str, fit: float = -1.0, snr_db: float = 40.0) -> list[Meaning]:
        heard = Hearing(LEXICON).understood(said(words, fit=fit, snr_db=snr_db), online, 0)
        return [one.meaning for one in heard.perhaps]

    sentence = f"ich möchte {UNKNOWN_WORD} herausfordern"
    assert pointed(sentence) == [Command("friend")]
    assert not pointed(sentence, fit=-9.0)
    assert not pointed(sentence, snr_db=5.0)
    assert not pointed(f"ich {UNKNOWN_WORD} möchte {UNKNOWN_WORD} herausfordern")
    assert not pointed(f"{UNKNOWN_WORD} herausfordern")


def test_a_whole_sentence_is_meant_and_not_what_a_part_of_it_means() -> None:
    """Its end alone is a repetition."""
    assert meant("kannst du mir die stellung nochmal durchgeben") == Command("position")


@pytest.mark.parametrize(
    ("words", "fit", "guessed"),
    [
        ("ich hab keine kopfhörer mehr auf", ANY_ORDER_FIT + 1, None),
        ("ich hab keine kopfhörer mehr auf", ANY_ORDER_FIT - 1, "no_headphones"),
        ("ich hab keine kopfhörer mehr auf", ANY_ORDER_ASKED_FIT - 1, None),
        ("dreh lauter", 5.0, "louder"),
    ],
)
def test_what_fits_too_badly_to_be_obeyed_or_is_too_short_is_asked_about(
    words: str, fit: float, guessed: str | None
) -> None:
    heard = Hearing(LEXICON).understood(said(words, fit=fit), EXPECTED, 0)
    assert [one.meaning.name for one in heard.perhaps if isinstance(one.meaning, Command)] == (
        [guessed] if guessed else []
    )
    noisy = Hearing(LEXICON).understood(said(words, fit=fit, snr_db=3.0), EXPECTED, 0)
    assert not noisy.perhaps


@pytest.mark.parametrize(("rival", "sure"), [("in läufer setze ich auf cesar vier", True), ("läufer auf [unk]", False)])
def test_a_rival_that_differs_in_words_that_say_nothing_is_none(rival: str, sure: bool) -> None:
    board = replace(EXPECTED, board=chess.Board("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"))
    heard = said("den läufer setze ich auf cesar vier", rival, rival.replace("ich", "nicht" if not sure else "sich"))
    close = tuple(replace(one, log_likelihood=-0.1 * n) for n, one in enumerate(heard.hypotheses))
    best = Hearing(LEXICON).understood(replace(heard, hypotheses=close), board, 0).readings[0]
    assert (isinstance(best.meaning, SpokenMove) and best.cost == 0.0) == sure


def test_where_nothing_is_asked_no_sentence_is_an_answer() -> None:
    looking = replace(EXPECTED, commands=frozenset({"variation", "goto", "forward"}))
    heard = Hearing(LEXICON).understood(said("zeig mir die erste variante"), looking, 0)
    assert heard.readings[0].meaning == Command("variation", (("number", 1),))


def test_a_line_without_a_meaning_is_read_in_any_order_only_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def counting(tokens: Sequence[Token], lexicon: Lexicon, *rest: Any, **more: Any) -> Meaning | None:
        read.append(" ".join((lexicon.code, *(token.text for token in tokens))))
        return heard_in_any_order(tokens, lexicon, *rest, **more)

    monkeypatch.setattr(adjustments, "heard_in_any_order", counting)
    understood = Hearing(LEXICON).understood(said("gestern war das wetter noch besser"), EXPECTED, 0)
    assert isinstance(understood.readings[0].meaning, Unclear)
    assert read == ["de gestern war das wetter noch besser"]
