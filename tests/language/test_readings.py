"""Hypotheses into readings: literal, ranked by score, each meaning once."""

from __future__ import annotations

from dataclasses import replace
from math import exp, log

import chess
import pytest

from voicechess.language.confusions import MIN_COST, Confusions, load_confusions, read_confusions
from voicechess.language.folders import LANGUAGES
from voicechess.language.lexicon import load
from voicechess.language.readings import FIT_COST, interpret
from voicechess.language.thresholds import WRONG_MOVE_HARM, load_thresholds
from voicechess.meaning import (
    BEAM,
    MAX_HYPOTHESES,
    Answer,
    AnswerKind,
    Command,
    Expectation,
    Hypothesis,
    Meaning,
    Question,
    QuestionKind,
    Reading,
    SpokenMove,
    Unclear,
    UnclearReason,
    Word,
    within_beam,
)
from voicechess.moves.decisions import Ask, Play
from voicechess.moves.matching import decide

THRESHOLDS = load_thresholds()

KNIGHT = SpokenMove(chess.KNIGHT, to_file=5, to_rank=2)
BISHOP = SpokenMove(chess.BISHOP, to_file=5, to_rank=2)


def hypothesis(text: str, score: float) -> Hypothesis:
    return Hypothesis(tuple(Word(word, 0, 0) for word in text.split()), score)


def understood(words: str) -> Meaning:
    return heard((words, 0.0))[0].meaning


def heard(*hypotheses: tuple[str, float]) -> tuple[Reading, ...]:
    return interpret([hypothesis(*one) for one in hypotheses], Expectation(), load("de"))


def _with_pause(before: str, behind: str, pause_ms: int) -> Hypothesis:
    words, at = [], 0
    for text in before.split():
        words.append(Word(text, at, at + 300))
        at += 350
    at += pause_ms
    for text in behind.split():
        words.append(Word(text, at, at + 300))
        at += 350
    return Hypothesis(tuple(words), 0.0)


@pytest.mark.parametrize(
    ("before", "behind", "pause_ms", "doubted"),
    [
        ("ich meine springer", "cesar drei", 1400, True),  # "wo sind meine Springer?", and then a pawn's move
        ("ich meine springer", "cesar drei", 300, False),
        ("springer", "cesar drei", 1900, False),
        ("springer bella eins", "cesar drei", 1900, False),
        ("ich ziehe", "springer cesar drei", 1400, False),
    ],
)
def test_a_move_that_two_sentences_make_is_asked_about(before: str, behind: str, pause_ms: int, doubted: bool) -> None:
    one = _with_pause(before, behind, pause_ms)
    best = interpret([one], Expectation(chess.Board()), load("de"))[0]
    assert isinstance(best.meaning, SpokenMove) and best.meaning.piece == chess.KNIGHT
    assert isinstance(decide(chess.Board(), [best]), Ask if doubted else Play)


def test_castling_with_a_pause_in_it_is_one_move() -> None:
    board = chess.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    best = interpret([_with_pause("kurze", "rochade", 2000)], Expectation(board), load("de"))[0]
    assert decide(board, [best]) == Play(chess.Move.from_uci("e1g1"))


def test_a_reading_costs_what_its_share_is_short_of_the_whole() -> None:
    whole = 1 + exp(-1.5)
    best, other = heard(("läufer felix drei", 90.5), ("springer felix drei", 92.0))
    assert (best.meaning, best.words) == (KNIGHT, "springer felix drei")
    assert best.cost == pytest.approx(log(whole))
    assert (other.meaning, other.words) == (BISHOP, "läufer felix drei")
    assert other.cost == pytest.approx(1.5 + log(whole))


def test_what_was_heard_without_an_alternative_costs_nothing() -> None:
    assert heard(("springer felix drei", -40.0)) == (Reading(KNIGHT, 0.0, "springer felix drei"),)


def test_different_words_for_the_same_support_each_other() -> None:
    readings = heard(("pferd felix drei", 9.0), ("springer felix drei", 10.0), ("springer nach felix drei", 8.0))
    assert [(reading.meaning, reading.words) for reading in readings] == [(KNIGHT, "springer felix drei")]
    assert readings[0].cost == pytest.approx(0.0, abs=1e-9)


def test_many_poor_alternatives_leave_none_a_clear_share() -> None:
    readings = heard(*((f"springer felix {rank}", 0.0) for rank in ("drei", "vier", "fünf", "sechs", "sieben", "acht")))
    assert min(reading.cost for reading in readings) == pytest.approx(log(6))


def test_what_is_far_behind_tells_what_else_was_meant_and_takes_no_share() -> None:
    near = [("springer felix drei", 10.0), ("läufer felix drei", 9.0)]
    far = [(f"turm felix {rank}", 10.0 - BEAM - 0.1) for rank in ("eins", "zwei", "vier", "fünf", "sechs", "sieben")]
    usual, readings = heard(*near), heard(*near, *far)
    assert readings[: len(usual)] == usual
    assert {one.words for one in readings[len(usual) :]} == {words for words, _ in far}
    assert all(one.cost == pytest.approx(BEAM + 0.1 + usual[0].cost) for one in readings[len(usual) :])
    # It adds nothing to what near hypotheses mean, and is nothing but moves.
    again = [
        ("pferd felix drei", 10.0 - BEAM - 0.1),
        ("nach läufer nach", 10.0 - BEAM - 0.1),
        ("zeit", 5.0),
    ]
    assert heard(*near, *again) == usual


def test_so_many_hypotheses_share_what_was_heard_and_the_others_are_far_behind() -> None:
    ranks = ("eins", "zwei", "vier", "fünf", "sechs", "sieben", "acht")
    near = [("springer felix drei", 10.0), *((f"turm felix {rank}", 9.0) for rank in ranks)]
    assert len(near) == MAX_HYPOTHESES
    usual, readings = heard(*near), heard(*near, ("läufer felix drei", 8.9))
    assert readings[:MAX_HYPOTHESES] == usual
    (far,) = readings[MAX_HYPOTHESES:]
    assert far.meaning == BISHOP and far.cost == pytest.approx(1.1 + usual[0].cost)


def test_what_is_far_behind_weighs_in_an_answer_only() -> None:
    """A word that may have been another answer is read back for much less."""
    board = chess.Board("7k/8/8/8/8/8/4R3/K7 w - - 0 1")
    half = SpokenMove(chess.ROOK, to_file=4)
    asked = Expectation(board, Question(QuestionKind.COMPLETE, tuple(board.legal_moves), partial=half))
    said = [hypothesis("drei", 0.0), hypothesis("zwei", -BEAM - 0.1)]
    slower = [replace(one, speed=0.9) for one in said]
    none = Confusions({}, {})
    assert len(interpret([*said, *slower], asked, load("de"), confusions=none)) == 2
    assert interpret(said, asked, load("de"), confusions=none)[0].cost > 0
    assert len(interpret([said[0], *slower], Expectation(board), load("de"), confusions=none)) == 1
    assert interpret(said, Expectation(board), load("de"), confusions=none)[0].cost == 0


def test_what_fits_its_words_badly_is_dearer_whatever_it_is() -> None:
    def at(fit: float | None) -> list[float]:
        words = (hypothesis("springer felix drei", 2.0), hypothesis("das wird nichts", 1.0))
        readings = interpret([replace(one, fit=fit) for one in words], Expectation(), load("de"), fit=-10.0)
        return [reading.cost for reading in readings]

    usual = at(None)
    assert at(-10.0) == usual == at(12.0)
    assert at(-15.0) == pytest.approx([cost + 5 * FIT_COST for cost in usual])


def test_an_answer_that_fits_badly_has_no_answer_at_all_for_a_rival() -> None:
    board = chess.Board("7k/8/8/8/8/8/4R3/K7 w - - 0 1")
    partial = SpokenMove(chess.ROOK, to_file=4)
    asked = Expectation(board, Question(QuestionKind.COMPLETE, tuple(board.legal_moves), partial=partial))
    third, nothing = SpokenMove(to_rank=2), Unclear(UnclearReason.NOTHING)

    def at(fit: float | None, said: str = "drei", expectation: Expectation = asked) -> dict[Meaning, float]:
        words = [replace(hypothesis(said, 1.0), fit=fit)]
        readings = interpret(words, expectation, load("de"), confusions=Confusions({}, {}), fit=-20.0, alone=8.0)
        return {reading.meaning: reading.cost for reading in readings}

    # Where it fits just well enough, as likely as an answer may be wrong: that is read back. No answer costs more.
    assert at(-12.0)[nothing] - at(-12.0)[third] == pytest.approx(log(WRONG_MOVE_HARM))
    assert at(-32.0)[nothing] - at(-32.0)[third] == pytest.approx(log(WRONG_MOVE_HARM) - 20 * FIT_COST)
    assert at(-32.0)[third] < THRESHOLDS.clean
    assert at(5.0) == pytest.approx({third: 0.0}, abs=0.01) and at(None) == {third: 0.0}
    assert list(at(-60.0)) == list(at(-1e9)) == [nothing, third]
    # "Ja" is taken as long as it is no more doubtful than other sound beside it.
    agreed = Answer(AnswerKind.YES)
    assert list(at(-32.0, "ja")) == [agreed, nothing]
    assert at(-32.0, "ja")[nothing] - at(-32.0, "ja")[agreed] == pytest.approx(log(WRONG_MOVE_HARM) - 20 * FIT_COST)
    # Whole moves, and what is said unasked, cost more by what their fit lacks to the threshold.
    for said, expectation in (("turm eva drei", asked), ("drei", Expectation(board)), ("ja", Expectation(board))):
        usual = at(None, said, expectation)
        found = at(-32.0, said, expectation)
        assert {one: found[one] for one in usual} == pytest.approx(
            {o: cost + 12 * FIT_COST for o, cost in usual.items()}
        )


def test_noise_that_scores_best_stays_first() -> None:
    readings = heard(("[unk]", 10.0), ("springer felix drei", 7.0))
    assert readings[0].meaning == Unclear(UnclearReason.NOTHING)
    assert readings[1].meaning == KNIGHT and readings[1].cost == pytest.approx(3.0 + readings[0].cost)


def test_at_the_same_score_a_meaning_comes_before_none() -> None:
    assert heard(("[unk]", 1.0), ("springer felix drei", 1.0))[0].meaning == KNIGHT


def test_costs_of_understanding_and_of_shares_add_up() -> None:
    readings = heard(("springer felix drei heute", 2.0), ("läufer felix drei", 1.5))
    assert [reading.meaning for reading in readings] == [BISHOP, KNIGHT]
    assert readings[1].cost - readings[0].cost == pytest.approx(0.5)


def test_a_word_may_have_been_another_but_only_in_a_move() -> None:
    confusions = Confusions({"zwei": {"drei": 3.0}, "zeit": {"zwei": 0.1}, "eva": {"anna": 0.1}}, {"an": 2.9})
    expectation = Expectation(board=chess.Board())

    def read(text: str) -> list[tuple[Meaning, float]]:
        readings = interpret([hypothesis(text, 0.0)], expectation, load("de"), confusions=confusions)
        return [(reading.meaning, reading.cost) for reading in readings]

    two = SpokenMove(chess.KNIGHT, to_file=5, to_rank=1)
    assert read("springer felix zwei") == [(two, 0.0), (KNIGHT, 3.0)]
    assert (KNIGHT, 2.9) in read("springer felix drei an")
    assert read("zeit") == [(Command("time"), 0.0)]
    pawns = [(SpokenMove(to_file=4, to_rank=3), 0.0), (SpokenMove(to_file=0, to_rank=3), MIN_COST)]
    assert read("eva vier") == pawns
    assert typed("springer felix zwei", confusions) == [(two, 0.0)]


def typed(text: str, confusions: Confusions) -> list[tuple[Meaning, float]]:
    """Typed words are what was typed."""
    board = Expectation(board=chess.Board())
    readings = interpret([hypothesis(text, 0.0)], board, load("de"), typed=True, confusions=confusions)
    return [(reading.meaning, reading.cost) for reading in readings]


def test_no_measured_confusion_is_so_cheap_that_a_move_could_be_played_by_it() -> None:
    assert THRESHOLDS.clean + 0.5 < MIN_COST
    for language in LANGUAGES:
        confusions = load_confusions(language)
        lines = [(word, other) for word, said in confusions.exchanged.items() for other in said]
        assert all(heard_word != said_word for heard_word, said_word in lines)
        assert set(confusions.exchanged) <= load(language).heard.spoken_words | {"[unk]"}


@pytest.mark.parametrize("damaged", [{"exchanged": 3}, {"exchanged": {"zwei": {"drei": "x"}}}, {"added": {"an": -1}}])
def test_a_damaged_file_of_costs_is_named(damaged: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="table"):
        read_confusions(damaged)


@pytest.mark.parametrize("hypotheses", [(), (("", 0.0),)])
def test_nothing_heard_is_a_reading_too(hypotheses: tuple[tuple[str, float], ...]) -> None:
    assert [reading.meaning for reading in heard(*hypotheses)] == [Unclear(UnclearReason.NOTHING)]


def test_of_a_word_or_two_only_what_is_near_the_best_is_kept() -> None:
    nearest = [Hypothesis((), -0.4 * number) for number in range(MAX_HYPOTHESES + 1)]
    far = Hypothesis((), -BEAM - 0.1)
    assert within_beam([*nearest[:3], far]) == nearest[:3]
    assert within_beam(nearest) == nearest[:MAX_HYPOTHESES]
    assert within_beam(()) == []


def levelled(line: str, below_db: float | None = None) -> Hypothesis:
    """Words with how much softer than the loudest they are behind a colon."""
    words = (word.partition(":") for word in line.split())
    return Hypothesis(tuple(Word(text, 0, 0, below_db=float(db or 0)) for text, _, db in words), edge_below_db=below_db)


def readings_of(*hypotheses: Hypothesis) -> dict[Meaning, float]:
    return {one.meaning: one.cost for one in interpret(hypotheses, Expectation(), load("de"))}


def test_softer_words_beside_the_near_voice_are_the_dearer_the_softer() -> None:
    short, whole = understood("springer gustav eins"), understood("springer gustav eins felix drei")
    alone, beside = levelled("springer gustav eins"), "springer gustav eins felix drei"
    found = [readings_of(alone, levelled(beside, below_db)) for below_db in (7.0, 10.0, 15.0)]
    assert [one[short] for one in found] == [0.0, 0.0, 0.0]
    assert [one[whole] for one in found] == [0.0, pytest.approx(1.25), pytest.approx(3.75)]
    # Of a part of a move, a little softer word beside it is the rest; a much softer one is somebody else's.
    part, move = understood("springer felix"), understood("springer felix drei")
    near, far = (readings_of(levelled("springer felix"), levelled("springer felix drei", db)) for db in (10.0, 18.0))
    assert near[move] == 0.0 and near[part] > THRESHOLDS.half
    assert far[move] - far[part] > THRESHOLDS.half


@pytest.mark.parametrize(("rank", "costs_more"), [("drei", True), ("fünf", False)])
def test_what_cannot_be_takes_nothing_from_the_part_of_a_move_that_was_said(rank: str, costs_more: bool) -> None:
    """Of "Läufer Felix vier", by a headset, a soft "sieben" was left, and nothing was asked (issue 22)."""
    heard = (levelled("springer felix"), levelled(f"springer felix {rank}", 12.0))
    found = {one.meaning: one.cost for one in interpret(heard, Expectation(chess.Board()), load("de"))}
    assert (found[understood("springer felix")] > THRESHOLDS.part) == costs_more
    assert understood(f"springer felix {rank}") in found


def test_a_move_between_senseless_soft_words_is_worth_a_question() -> None:
    found = readings_of(levelled("eins:5 springer felix drei david:4 [unk]:2"))
    assert THRESHOLDS.clean < found[KNIGHT] <= THRESHOLDS.ask
    assert KNIGHT not in readings_of(levelled("eins:1 springer felix drei david:4 [unk]:2"))


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("eins springer gustav eins felix drei acht ross", True),
        ("eins springer gustav eins felix drei nein", False),
        ("eins springer felix drei acht", False),  # others say so much themselves
        ("eins acht eins ross acht springer gustav eins felix drei", False),
    ],
)
def test_a_move_from_square_to_square_between_loud_words_is_worth_a_question(line: str, offered: bool) -> None:
    found = readings_of(levelled(line))
    moves = [meaning for meaning in found if isinstance(meaning, SpokenMove)]
    assert moves == ([understood("springer gustav eins felix drei")] if offered else [])
    assert all(THRESHOLDS.clean < found[move] <= THRESHOLDS.ask for move in moves)


@pytest.mark.parametrize(("line", "offered"), [("vier kurze rochade acht eins", True), ("vier rochade acht", False)])
def test_castling_to_a_side_between_loud_words_is_worth_a_question(line: str, offered: bool) -> None:
    """Others hardly say so much of it (issue 22)."""
    found = readings_of(levelled(line))
    moves = [meaning for meaning in found if isinstance(meaning, SpokenMove)]
    assert moves == ([understood("kurze rochade")] if offered else [])
    assert all(THRESHOLDS.clean < found[move] <= THRESHOLDS.ask for move in moves)


@pytest.mark.parametrize(
    ("line", "clear"),
    [
        ("eins:4 springer felix drei [unk]:4", True),
        ("acht:6 eins:4 springer felix drei", True),
        ("eins:3 springer felix drei", False),
        ("acht:3 eins:6 springer felix drei", False),  # somebody as near began it
        ("könig:9 springer felix drei", False),  # which of the two pieces was meant is a question
        ("acht:9 dame:6 springer felix drei", False),
        ("springer:6 springer felix drei", True),
        ("springer felix drei acht:5", True),
        ("springer felix drei acht:4", False),  # one's own voice sinks so far
        ("springer felix drei david:6 acht:3", False),
        ("springer felix drei nein:9", False),
        ("springer felix drei acht:9 korrektur:9", False),
    ],
)
def test_between_words_of_others_that_are_softer_a_move_is_clear(line: str, clear: bool) -> None:
    assert (readings_of(levelled(line)).get(KNIGHT, 9.0) <= THRESHOLDS.clean) == clear


def test_a_soft_nein_beside_a_move_is_a_doubt_about_it() -> None:
    found = readings_of(levelled("springer felix drei nein:5"), levelled("springer felix drei"))
    assert found[KNIGHT] > THRESHOLDS.clean


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        (("ja", "ja vier:6", "ja acht:6"), AnswerKind.YES),
        (("im:21 ja", "ja", "des:21 ja:0.5"), AnswerKind.YES),
        (("nein", "nein sieben:7", "nein vier:7"), AnswerKind.NO),
        (("ja", "ja vier:5", "ja acht:5"), None),  # perhaps the player's own
        (("ja", "im:9 ja", "des:9 ja"), None),  # perhaps "das Jahr"
        (("ja vier:9", "ja acht:9"), None),  # nobody heard it alone
        (("ja sieben:12", "ja cesar:13 dazu:17"), AnswerKind.YES),
        (("ja gustav:13 vier:12", "ja gustav:13 drei:12"), AnswerKind.YES),
        (("ja nein:13", "ja keins:13"), None),
        (("ja", "ja nein:9", "ja keins:9"), None),
        (("ja", "ja gustav:9 vier:9", "ja gustav:9 drei:9"), None),  # that makes sense, if softly said
    ],
)
def test_an_answer_is_clear_between_much_softer_words(lines: tuple[str, ...], answer: AnswerKind | None) -> None:
    move = chess.Move.from_uci("g1f3")
    for asked, clear in ((Question(QuestionKind.WHICH_MOVE, (move,)), answer), (Question(), None)):
        best = interpret([levelled(line) for line in lines], Expectation(chess.Board(), asked), load("de"))[0]
        taken = best.cost <= THRESHOLDS.command and isinstance(best.meaning, Answer)
        assert (best.meaning.kind if isinstance(best.meaning, Answer) and taken else None) == clear


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("drei springer gustav eins felix drei", "springer gustav eins felix drei"),
        ("acht eva zwei eva vier an", "eva zwei eva vier"),
        ("pferd springer felix drei", "springer felix drei"),
        ("springer felix drei an", "springer felix drei"),
        ("springer felix drei anna", None),  # it goes on
        ("springer gustav eins felix drei vier", None),  # corrected
        ("[unk] springer felix drei", None),  # somebody may talk about it
        ("springer felix drei korrektur an", None),
        ("eva vier springer felix drei", None),  # which of the two?
        ("springer felix drei pause an", None),
        ("ist drei an springer felix drei", None),
        ("acht drei an springer felix drei", None),  # three words more
        ("was macht der springer auf felix drei", None),  # a question about it
        ("steht ein springer auf felix drei", None),
        ("wenn springer felix drei dann", None),
        ("springer felix drei was", None),
        ("drei eva vier an", None),  # a square alone
        ("drei springer felix vier", None),  # not legal
    ],
)
def test_in_noise_a_legal_move_announced_in_full_stands_between_a_word_or_two(line: str, move: str | None) -> None:
    expectation, lexicon = Expectation(chess.Board()), load("de")
    for in_noise in (True, False):
        best = interpret([hypothesis(line, 0.0)], expectation, lexicon, in_noise=in_noise)[0]
        assert (best.meaning == understood(move or "") and best.cost == 0.0) is (in_noise and move is not None)


@pytest.mark.parametrize(
    "line", ["was macht der springer auf felix drei", "an drei springer felix drei an drei acht an"]
)
def test_in_noise_a_legal_move_among_other_words_is_asked_about(line: str) -> None:
    expectation, lexicon = Expectation(chess.Board()), load("de")
    for in_noise, offered in ((True, ("g1f3",)), (False, ())):
        readings = interpret([hypothesis(line, 0.0)], expectation, lexicon, in_noise=in_noise)
        decision = decide(chess.Board(), readings)
        moves = decision.moves if isinstance(decision, Ask) else ()
        assert tuple(move.uci() for move in moves) == offered


AMONG = Expectation(among_talk=frozenset({"last_move", "repeat"}))


@pytest.mark.parametrize(("ms", "below_db", "obeyed"), [(400, 1.0, True), (380, 1.0, False), (400, 0.9, False)])
def test_one_long_word_that_is_the_loudest_is_a_command_whatever_is_beside_it(
    ms: int, below_db: float, obeyed: bool
) -> None:
    talk = (Word("ross", 0, 200, below_db=below_db), Word("david", 200, 600, below_db=3.0))
    words = (*talk, Word("wiederholen", 600, 600 + ms), Word("vier", 1100, 1300, below_db=9.0))
    (best, *_) = interpret([Hypothesis(words)], AMONG, load("de"))
    assert (best.meaning == Command("repeat")) == obeyed


@pytest.mark.parametrize(
    ("line", "among_talk", "level"),
    [
        ("springer:6 stufe eins", AMONG.among_talk, 1),
        ("springer:6 stufe eins", frozenset[str](), None),
        ("springer:2 stufe eins", AMONG.among_talk, None),  # as loud
    ],
)
def test_an_answer_by_a_choice_stands_between_softer_words(
    line: str, among_talk: frozenset[str], level: int | None
) -> None:
    expectation = Expectation(asked=Question(QuestionKind.LEVEL), among_talk=among_talk)
    best = interpret([levelled(line)], expectation, load("de"))[0].meaning
    assert (best.slot("number") if isinstance(best, Command) and best.name == "level" else None) == level


def test_a_whole_announcement_is_never_cut_for_being_soft_at_its_end() -> None:
    whole = understood("springer felix drei eva fünf")
    assert readings_of(levelled("springer felix drei eva:9 fünf:9")) == {whole: 0.0}


def test_a_soft_word_beside_a_move_is_no_doubt_about_it() -> None:
    soft, loud = (
        readings_of(levelled("springer felix drei"), levelled(f"acht:{db} springer felix drei")) for db in "51"
    )
    assert soft == {KNIGHT: 0.0} and loud[KNIGHT] > THRESHOLDS.clean


@pytest.mark.parametrize(
    ("lines", "command"),
    [
        (("springer:6 wiederholen", "acht:6 wiederholen [unk]:5"), "repeat"),
        (("letzter zug abgeben:5",), "last_move"),  # two words of one command and a third of somebody else's
        (("springer:2 wiederholen",), None),  # as loud: said by the same person
        (("springer wiederholen:6",), None),  # what is softer is no command
        (("a:6 b:6 c:6 d:6 e:6 wiederholen",), None),  # talk
        (("pause springer:6",), None),  # it would change something
        (("springer:6 wiederholen", "springer:6 stellung"), None),  # which of two commands is not clear
    ],
)
def test_a_command_among_softer_words_is_one_if_everything_heard_comes_to_it(
    lines: tuple[str, ...], command: str | None
) -> None:
    lexicon = load("de")
    best = interpret([levelled(line) for line in lines], AMONG, lexicon)[0]
    obeyed = isinstance(best.meaning, Command) and best.cost <= THRESHOLDS.command
    assert (best.meaning.name if isinstance(best.meaning, Command) and obeyed else None) == command
    assert (
        interpret([levelled(line) for line in lines], Expectation(), lexicon)[0].meaning != best.meaning or not obeyed
    )
