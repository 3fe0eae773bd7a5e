"""The three ways of deciding on words that were recognised, and how an item's end is counted."""

from __future__ import annotations

from dataclasses import replace

import chess
import pytest

from models.bench.deciders import (
    ASK,
    COMMAND,
    NOISE,
    PLAY,
    REFUSE,
    UNCLEAR,
    Decider,
    Decision,
    LegalOnly,
    Literally,
    OurGame,
    as_hypothesis,
)
from models.bench.hearing import reply
from models.bench.hearing_parts import Item
from models.bench.hearing_report import (
    AFTER_A_QUESTION,
    ASKED,
    AT_ONCE,
    IGNORED,
    MISSED,
    REFUSED,
    WRONG,
    Outcome,
    Trial,
    as_text,
    costs,
    figures,
)
from models.bench.listening import Overheard
from models.bench.report import Report
from models.bench.samples import Sample
from models.bench.vocabulary import Vocabulary
from voicechess.meaning import SILENCE_DB, Command, Expectation, Question, QuestionKind, RecognisedUtterance, level_of

GERMAN = Vocabulary("de")
TWO_KNIGHTS = "4k3/8/8/8/8/8/8/N1N1K3 w - - 0 1"
DECIDERS: list[Decider] = [OurGame(GERMAN.lexicon), Literally(GERMAN), LegalOnly(GERMAN)]


def _item(fen: str = chess.STARTING_FEN, move: str | None = None, before: str = "") -> Item:
    return Item(Sample("x", (), ("springer", "felix", "drei")), fen, before, move, again=("springer",))


@pytest.mark.parametrize("decider", DECIDERS, ids=lambda one: str(one.name))
def test_what_is_clear_is_clear_to_all(decider: Decider) -> None:
    def hear(words: str, fen: str = chess.STARTING_FEN) -> Decision:
        return decider.begin(_item(fen)).hear((as_hypothesis(words),))

    assert hear("springer felix drei") == Decision(PLAY, chess.Move.from_uci("g1f3"))
    assert hear("wie viel zeit").command == Command("time")
    assert hear("wie viel zeit").kind == COMMAND
    assert hear("[unk]").kind in (NOISE, UNCLEAR)
    assert hear("springer bella drei", TWO_KNIGHTS).kind == ASK


def test_an_illegal_announcement_is_refused_by_two_and_bent_by_the_third() -> None:
    kinds = {one.name: one.begin(_item()).hear((as_hypothesis("bauer eva fünf"),)) for one in DECIDERS}
    assert kinds["ours"].kind == REFUSE
    assert kinds["literal"].kind == REFUSE
    assert kinds["legal only"].kind in (PLAY, ASK)


def test_a_command_is_heard_where_it_is_answered_with_why_not_and_where_no_game_is() -> None:
    ours = OurGame(GERMAN.lexicon)
    for words, name in (("buchstabieren", "spell"), ("fertig", "ready")):
        heard = ours.begin(_item(before="aufgeben")).hear((as_hypothesis(words),))
        assert heard.kind == COMMAND and heard.command == Command(name)
    welcome = replace(_item(), waits_for=Expectation(asked=Question(QuestionKind.OPPONENT)))
    assert ours.begin(welcome).hear((as_hypothesis("englisch"),)) == Decision(COMMAND, command=Command("english"))
    assert ours.begin(welcome).hear((as_hypothesis("englisch heute"),)).kind == UNCLEAR
    assert ours.begin(welcome).hear((as_hypothesis("[unk]"),)).kind == NOISE


@pytest.mark.parametrize("decider", DECIDERS, ids=lambda one: str(one.name))
def test_a_question_is_closed_by_its_answer(decider: Decider) -> None:
    item = _item(TWO_KNIGHTS, "c1b3")
    dialogue = decider.begin(item)
    asked = dialogue.hear((as_hypothesis("springer bella drei"),))
    assert set(asked.asked) == {chess.Move.from_uci("a1b3"), chess.Move.from_uci("c1b3")}
    answer = reply(item, dialogue.expectation, GERMAN.lexicon)
    assert answer is not None
    assert dialogue.hear((as_hypothesis(" ".join(answer)),)) == Decision(PLAY, chess.Move.from_uci("c1b3"))


@pytest.mark.parametrize("decider", DECIDERS, ids=lambda one: str(one.name))
def test_the_missing_part_completes_a_move(decider: Decider) -> None:
    item = _item("4k3/8/8/8/8/8/8/3QK3 w - - 0 1", "d1a4", "dame anna")
    dialogue = decider.begin(item)
    assert dialogue.expectation.asked.kind is not None
    answer = reply(item, dialogue.expectation, GERMAN.lexicon)
    assert answer == ("vier",)
    assert dialogue.hear((as_hypothesis("vier"),)).move == chess.Move.from_uci("d1a4")


def test_the_player_says_yes_a_number_a_part_or_all_again() -> None:
    board = chess.Board(TWO_KNIGHTS)
    moves = (chess.Move.from_uci("a1b3"), chess.Move.from_uci("c1b3"))
    item = _item(TWO_KNIGHTS, "c1b3")

    def said(candidates: tuple[chess.Move, ...]) -> tuple[str, ...] | None:
        return reply(item, Expectation(board, Question(QuestionKind.WHICH_MOVE, candidates)), GERMAN.lexicon)

    assert said(moves) == ("zweite",)
    assert said(moves[1:]) == ("ja",)
    assert said(moves[:1]) == item.again
    assert reply(_item(), Expectation(board, Question(QuestionKind.WHICH_MOVE, moves)), GERMAN.lexicon) is None
    queen = Item(Sample("x", ()), "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", move="a7a8q")
    promotion = Expectation(chess.Board(queen.fen), Question(QuestionKind.PROMOTION, (chess.Move.from_uci("a7a8q"),)))
    assert reply(queen, promotion, GERMAN.lexicon) == ("dame",)


def _trial(item: Item, *decisions: Decision, endpoint_ms: int = 2300) -> Trial:
    hypothesis = as_hypothesis("springer felix drei")
    noise = RecognisedUtterance((as_hypothesis("[unk]"),), 0, 100, level_of(0.1, 0.1, SILENCE_DB), endpoint_ms=200)
    heard = RecognisedUtterance((hypothesis,), 400, 2000, level_of(0.1, 0.1, SILENCE_DB), endpoint_ms=endpoint_ms)
    trial = Trial("a clean", item, Overheard((noise, heard), 2000, 4.0, 0.1, 50.0))
    for name in ("ours", "literal", "legal only"):
        trial.outcomes[name] = Outcome(decisions[0], decisions[1] if len(decisions) > 1 else None)
    return trial


def test_noise_is_told_from_words_that_make_no_sense() -> None:
    """Noise gets a tone and, not every time, a sentence; words without sense get one each time."""
    ours = OurGame(GERMAN.lexicon)
    for words, kind in (("[unk]", NOISE), ("äh", NOISE), ("david david david", UNCLEAR)):
        dialogue = ours.begin(_item())
        assert [dialogue.hear((as_hypothesis(words),)).kind for _ in range(2)] == [kind, kind]


def test_what_is_said_after_a_repetition_takes_the_move_back_or_lets_it_stand() -> None:
    item = _item(before="springer gustav eins felix drei")
    move = chess.Move.from_uci("g1f3")
    for words, decided in {
        "korrektur": Decision(COMMAND, command=Command("correct")),
        "nein": Decision(COMMAND, command=Command("correct")),
        "[unk]": Decision(PLAY, move),
        "ja": Decision(PLAY, move),
        "david david david": Decision(UNCLEAR),
        "springer hector drei": Decision(ASK, asked=(chess.Move.from_uci("g1h3"), move)),
    }.items():
        assert OurGame(GERMAN.lexicon).begin(item).hear((as_hypothesis(words),)) == decided, words


def test_how_an_item_ends() -> None:
    right, wrong = (Decision(PLAY, chess.Move.from_uci(uci)) for uci in ("g1f3", "g1h3"))
    item = _item(move="g1f3")
    ends = {
        AT_ONCE: _trial(item, right),
        AFTER_A_QUESTION: _trial(item, Decision(ASK), right),
        WRONG: _trial(item, Decision(ASK), wrong),
        ASKED: _trial(item, Decision(ASK), Decision(UNCLEAR)),
        REFUSED: _trial(item, Decision(REFUSE)),
        MISSED: _trial(item, Decision(UNCLEAR)),
        IGNORED: _trial(item, Decision(NOISE)),
    }
    assert {name: trial.end("ours") for name, trial in ends.items()} == {name: name for name in ends}
    assert _trial(_item(), right).end("ours") == WRONG  # nothing was meant, something was played
    time = Item(Sample("x", ()), chess.STARTING_FEN, command=Command("time"))
    assert _trial(time, Decision(COMMAND, command=Command("time"))).end("ours") == AT_ONCE
    assert _trial(time, Decision(COMMAND, command=Command("resign"))).end("ours") != AT_ONCE


def test_the_first_utterance_with_a_word_counts_and_its_silence() -> None:
    trial = _trial(_item(), Decision(REFUSE))
    assert trial.hypotheses[0].text == "springer felix drei"
    assert trial.silence_ms == 300


def test_the_report_counts_every_end_once_and_shows_what_went_wrong() -> None:
    right, wrong = (Decision(PLAY, chess.Move.from_uci(uci)) for uci in ("g1f3", "g1h3"))
    item = _item(move="g1f3")
    trials = [_trial(item, right), _trial(item, wrong), _trial(item, Decision(ASK), right)]
    report = Report("hearing", "model", "a note", True, figures(trials), costs(trials))
    text = as_text(report)
    assert "a note" in text and "g1f3 | g1h3" in text
    row = next(line for line in text.splitlines() if line.startswith("a clean"))
    assert row.split()[2:6] == ["3", "33.33", "66.67", "1"]
