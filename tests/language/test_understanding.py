"""What words mean: announcements whole and in part, commands, answers, and what must not be understood."""

from __future__ import annotations

import chess
import pytest

from voicechess.language.lexicon import load
from voicechess.language.patterns import Literal
from voicechess.language.phrases import phrases
from voicechess.language.understanding import understand, understand_all
from voicechess.meaning import (
    Answer,
    AnswerKind,
    Castling,
    CheckWord,
    Command,
    Expectation,
    Meaning,
    Question,
    QuestionKind,
    SpokenMove,
    Unclear,
    UnclearReason,
)

A, B, C, D, E, F, G, H = range(8)
N, K, Q, R, P, L = chess.KNIGHT, chess.KING, chess.QUEEN, chess.ROOK, chess.PAWN, chess.BISHOP


def heard(words: str, question: QuestionKind | None = None, *candidates: str) -> Meaning:
    moves = tuple(chess.Move.from_uci(move) for move in candidates)
    return understand(words, load("de"), Expectation(asked=Question(question, candidates=moves)))


MOVES: list[tuple[str, SpokenMove]] = [
    ("Springer Felix drei", SpokenMove(N, to_file=F, to_rank=2)),
    ("pferd felix drei", SpokenMove(N, to_file=F, to_rank=2)),
    ("ross nach felix drei", SpokenMove(N, to_file=F, to_rank=2)),
    ("springer gustav felix drei", SpokenMove(N, G, None, F, 2)),
    ("springer eins felix drei", SpokenMove(N, None, 0, F, 2)),
    ("springer gustav eins felix drei", SpokenMove(N, G, 0, F, 2)),
    ("springer von gustav eins nach felix drei", SpokenMove(N, G, 0, F, 2)),
    ("der springer auf gustav eins geht nach felix drei", SpokenMove(N, G, 0, F, 2)),
    ("springer felix drei von gustav", SpokenMove(N, G, None, F, 2)),
    ("eva zwei eva vier", SpokenMove(None, E, 1, E, 3)),
    ("eva zwei nach eva vier", SpokenMove(None, E, 1, E, 3)),
    ("eva vier", SpokenMove(to_file=E, to_rank=3)),
    ("bauer eva zwo eva vier", SpokenMove(P, E, 1, E, 3)),
    ("eva schlägt david fünf", SpokenMove(None, E, None, D, 4, captures=True)),
    ("eva vier nimmt david fünf", SpokenMove(None, E, 3, D, 4, captures=True)),
    ("eva david fünf", SpokenMove(None, E, None, D, 4)),
    ("schlägt david fünf", SpokenMove(to_file=D, to_rank=4, captures=True)),
    ("turm mal cäsar eins", SpokenMove(R, to_file=C, to_rank=0, captures=True)),
    ("springer schlägt läufer felix sechs", SpokenMove(N, to_file=F, to_rank=5, captures=True, captured=L)),
    ("eva schlägt david sechs en passant", SpokenMove(None, E, None, D, 5, captures=True, en_passant=True)),
    ("eva david sechs im vorbeigehen", SpokenMove(None, E, None, D, 5, en_passant=True)),
    ("eva acht dame", SpokenMove(to_file=E, to_rank=7, promotion=Q)),
    ("eva acht gleich dame", SpokenMove(to_file=E, to_rank=7, promotion=Q)),
    ("eva acht wird eine dame", SpokenMove(to_file=E, to_rank=7, promotion=Q)),
    ("eva acht umwandlung in einen turm", SpokenMove(to_file=E, to_rank=7, promotion=R)),
    ("bauer eva zwei eva eins springer matt", SpokenMove(P, E, 1, E, 0, promotion=N, check=CheckWord.MATE)),
    ("felix schlägt gustav acht läufer schach", SpokenMove(None, F, None, G, 7, True, False, L, None, CheckWord.CHECK)),
    ("dame hector fünf schach", SpokenMove(Q, to_file=H, to_rank=4, check=CheckWord.CHECK)),
    ("dame hektor fünf schachmatt", SpokenMove(Q, to_file=H, to_rank=4, check=CheckWord.MATE)),
    ("dame hector fünf schach und matt", SpokenMove(Q, to_file=H, to_rank=4, check=CheckWord.MATE)),
    ("äh dame also bitte hector ähm fünf", SpokenMove(Q, to_file=H, to_rank=4)),
    ("kurze rochade", SpokenMove(castling=Castling.KINGSIDE)),
    ("kleine rochade schach", SpokenMove(castling=Castling.KINGSIDE, check=CheckWord.CHECK)),
    ("ich rochiere kurz", SpokenMove(castling=Castling.KINGSIDE)),
    ("jetzt rochiere ich kurz", SpokenMove(castling=Castling.KINGSIDE)),
    ("dann rochiere ich mal lang", SpokenMove(castling=Castling.QUEENSIDE)),
    ("große rochade", SpokenMove(castling=Castling.QUEENSIDE)),
    ("rochade lang", SpokenMove(castling=Castling.QUEENSIDE)),
    ("rochade", SpokenMove(castling=Castling.UNSPECIFIED)),
    ("alpha vier", SpokenMove(to_file=A, to_rank=3)),
]

PARTS: list[tuple[str, SpokenMove]] = [
    ("dame", SpokenMove(Q)),
    ("dame anna", SpokenMove(Q, to_file=A)),
    ("dame schlägt", SpokenMove(Q, captures=True)),
    ("dame schlägt turm", SpokenMove(Q, captures=True, captured=R)),
    ("springer von gustav", SpokenMove(N, G)),
    ("springer von gustav eins", SpokenMove(N, G, 0)),
    ("springer gustav felix", SpokenMove(N, G, None, F)),
    ("von bella", SpokenMove(from_file=B)),
    ("von zwei", SpokenMove(from_rank=1)),
    ("bella", SpokenMove(to_file=B)),
    ("zwo", SpokenMove(to_rank=1)),
    ("eva schlägt", SpokenMove(from_file=E, captures=True)),
    ("eva vier schlägt", SpokenMove(from_file=E, from_rank=3, captures=True)),
    ("eva schlägt david", SpokenMove(None, E, None, D, captures=True)),
    ("en passant", SpokenMove(en_passant=True)),
    ("wird dame", SpokenMove(promotion=Q)),
]


@pytest.mark.parametrize(("words", "move"), MOVES)
def test_announcements(words: str, move: SpokenMove) -> None:
    assert heard(words) == move
    assert move.complete


@pytest.mark.parametrize(("words", "move"), PARTS)
def test_parts_of_announcements_are_kept(words: str, move: SpokenMove) -> None:
    assert heard(words) == move
    assert not move.complete


@pytest.mark.parametrize(
    ("words", "command"),
    [
        ("wiederholen", Command("repeat")),
        ("äh wiederholen bitte", Command("repeat")),
        ("was steht auf eva vier", Command("square", (("square", chess.E4),))),
        ("wo ist der schwarze turm", Command("where", (("colour", False), ("piece", R)))),
        ("wo stehen die bauern", Command("where", (("piece", P),))),
        ("reihe sieben", Command("rank", (("rank", 6),))),
        ("linie cäsar", Command("file", (("file", C),))),
        ("zurück zu zug ein und zwanzig", Command("retrace", (("number", 21),))),
        ("schiedsrichter weiß zwei minuten dazu", Command("arbiter_add", (("colour", True), ("number", 2)))),
        ("ich gebe auf", Command("resign")),
        ("remis", Command("draw_offer")),
        ("was kann der springer gustav eins", Command("legal", (("piece", N), ("square", chess.G1)))),
        ("wer greift das feld eva vier an", Command("attackers", (("square", chess.E4),))),
        ("wer greift eva vier an", Command("attackers", (("square", chess.E4),))),
    ],
)
def test_commands(words: str, command: Meaning) -> None:
    assert heard(words) == command


def test_nein_is_no_and_the_game_makes_a_correction_of_it() -> None:
    for question in (None, *QuestionKind):
        assert heard("nein", question) == Answer(AnswerKind.NO)
    assert heard("nein danke") == Answer(AnswerKind.NO)
    assert heard("korrektur") == Command("correct")


@pytest.mark.parametrize(
    ("question", "words", "meaning"),
    [
        (QuestionKind.WHICH_MOVE, "die zweite", Answer(AnswerKind.CHOICE, 2)),
        (QuestionKind.WHICH_MOVE, "keiner", Answer(AnswerKind.NONE)),
        (QuestionKind.WHICH_MOVE, "von gustav", SpokenMove(from_file=G)),
        (QuestionKind.WHICH_MOVE, "bella", SpokenMove(to_file=B)),
        (QuestionKind.WHICH_MOVE, "springer", SpokenMove(N)),
        (QuestionKind.WHICH_MOVE, "mit schach", SpokenMove(check=CheckWord.CHECK)),
        (QuestionKind.WHICH_MOVE, "schlägt", SpokenMove(captures=True)),
        (None, "schlägt", Unclear(UnclearReason.NO_SENSE)),
        (None, "schach", Unclear(UnclearReason.CHECK_ALONE)),
        (None, "und matt bitte", Unclear(UnclearReason.CHECK_ALONE)),
        (None, "schach turm", Unclear(UnclearReason.NO_SENSE)),
        (QuestionKind.COMPLETE, "vier", SpokenMove(to_rank=3)),
        (QuestionKind.PROMOTION, "dame", SpokenMove(promotion=Q)),
        (QuestionKind.PROMOTION, "in einen springer", SpokenMove(promotion=N)),
        (QuestionKind.PROMOTION, "könig", SpokenMove(K)),
        (QuestionKind.COLOUR, "weiß bitte", Command("colour", (("colour", True),))),
        (QuestionKind.COLOUR, "egal", Command("random")),
        (None, "weiß", Unclear(UnclearReason.NO_SENSE)),
        (QuestionKind.OPPONENT, "gegen die maschine", Command("machine")),
        (QuestionKind.LEVEL, "drei", Command("level", (("number", 3),))),
        (QuestionKind.LEVEL, "stufe zehn", Command("level", (("number", 10),))),
        (QuestionKind.TIME, "fünf", Command("minutes", (("number", 5),))),
        (QuestionKind.TIME, "fünf plus drei", Command("minutes", (("number", 5), ("number2", 3)))),
        (QuestionKind.TIME, "drei minuten zwei sekunden", Command("minutes", (("number", 3), ("number2", 2)))),
        (QuestionKind.TIME, "fünf und dreißig minuten", Command("minutes", (("number", 35),))),
        (QuestionKind.TIME, "wie immer", Command("usual")),
        (QuestionKind.TRY_MICROPHONE, "anna eins", SpokenMove(to_file=A, to_rank=0)),
        (QuestionKind.YES_NO, "ja", Answer(AnswerKind.YES)),
        (QuestionKind.EXERCISE, "weißer springer", Command("piece", (("colour", True), ("piece", N)))),
    ],
)
def test_the_question_decides(question: QuestionKind | None, words: str, meaning: Meaning) -> None:
    assert heard(words, question) == meaning


@pytest.mark.parametrize("before", ["nein", "äh nein", "korrektur", "falsch", "ja"])
def test_who_names_a_whole_move_after_an_answer_has_answered_with_it(before: str) -> None:
    for question in (None, QuestionKind.YES_NO, QuestionKind.WHICH_MOVE):
        assert heard(f"{before} springer felix drei", question) == SpokenMove(N, to_file=F, to_rank=2)
    assert heard(f"{before} springer") == Unclear(UnclearReason.NO_SENSE), "half a move does not undo an answer"
    assert heard(f"{before} remis") == Unclear(UnclearReason.NO_SENSE)


def test_a_number_is_the_rank_that_tells_moves_apart_or_else_the_choice() -> None:
    by_rank = ("a1a3", "a5a3")
    assert heard("fünf", QuestionKind.WHICH_MOVE, *by_rank) == SpokenMove(to_rank=4)
    assert heard("eins", QuestionKind.WHICH_MOVE, *by_rank) == SpokenMove(to_rank=0)
    by_file = ("b1d2", "f1d2")
    assert heard("eins", QuestionKind.WHICH_MOVE, *by_file) == Answer(AnswerKind.CHOICE, 1)
    assert heard("zwei", QuestionKind.WHICH_MOVE, *by_file) == Answer(AnswerKind.CHOICE, 2)
    assert heard("drei", QuestionKind.WHICH_MOVE, *by_file) == SpokenMove(to_rank=2)


def test_a_number_in_an_exercise_is_both_number_and_rank() -> None:
    readings = understand_all("drei", load("de"), Expectation(asked=Question(QuestionKind.EXERCISE)))
    assert [reading.meaning for reading in readings] == [Command("number", (("number", 3),)), SpokenMove(to_rank=2)]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("", UnclearReason.NOTHING),
        ("   ", UnclearReason.NOTHING),
        ("[unk]", UnclearReason.NOTHING),
        ("[unk] äh [unk]", UnclearReason.NOTHING),
        ("äh", UnclearReason.NOTHING),
        ("springer springer", UnclearReason.NO_SENSE),
        ("vier eva", UnclearReason.NO_SENSE),
        ("eva vier springer", UnclearReason.NO_SENSE),
        ("springer felix acht dame", UnclearReason.NO_SENSE),
        ("eva acht könig", UnclearReason.NO_SENSE),
        ("dame schlägt könig eva acht", UnclearReason.NO_SENSE),
        ("springer felix drei en passant", UnclearReason.NO_SENSE),
        ("hallo wetter", UnclearReason.NO_SENSE),
        ("vielleicht remis", UnclearReason.NO_SENSE),
        ("[unk] remis", UnclearReason.UNKNOWN_WORDS),
        ("remis [unk]", UnclearReason.UNKNOWN_WORDS),
        ("ich gebe [unk] auf", UnclearReason.UNKNOWN_WORDS),
        ("[unk] ja", UnclearReason.UNKNOWN_WORDS),
        ("nicht auf", UnclearReason.NO_SENSE),
        ("der hund bellt", UnclearReason.UNKNOWN_WORDS),
        ("[unk] springer [unk] felix drei", UnclearReason.UNKNOWN_WORDS),
        ("aber heute springer felix drei", UnclearReason.NO_SENSE),
        ("[unk] dame anna", UnclearReason.UNKNOWN_WORDS),
        ("Sf3", UnclearReason.UNKNOWN_WORDS),
        ("eva vier " * 20, UnclearReason.TOO_LONG),
        ("a" * 10_000, UnclearReason.TOO_LONG),
    ],
)
def test_sentences_that_must_fail(words: str, reason: UnclearReason) -> None:
    for question in (None, QuestionKind.YES_NO, QuestionKind.WHICH_MOVE, QuestionKind.TIME):
        assert heard(words, question) == Unclear(reason)


@pytest.mark.parametrize(
    ("words", "edge"),
    [("[unk] springer felix drei", True), ("springer felix drei heute", True), ("springer [unk] felix drei", False)],
)
def test_a_move_beside_one_strange_word_is_never_a_clean_reading(words: str, edge: bool) -> None:
    (reading,) = understand_all(words, load("de"), Expectation())
    assert reading.meaning == SpokenMove(N, to_file=F, to_rank=2)
    assert reading.cost == (1.0 if edge else 2.0)


def test_typed_lines_allow_no_strange_word() -> None:
    assert understand("springer foo f3", load("de"), Expectation(), typed=True) == Unclear(UnclearReason.UNKNOWN_WORDS)


@pytest.mark.parametrize(
    ("line", "meaning"),
    [
        ("help", Command("help")),
        ("time", Command("time")),
        ("draw", Command("draw_offer")),
        ("exit", Command("end")),
        ("takeback", Command("take_back")),
        ("knight c3", SpokenMove(N, to_file=C, to_rank=2)),
        ("Knight takes c3", SpokenMove(N, to_file=C, to_rank=2, captures=True)),
        ("what is on e4", Command("square", (("square", chess.E4),))),
        ("yes", Answer(AnswerKind.YES)),
        ("stop", Command("stop")),
    ],
)
def test_what_is_typed_is_understood_in_both_languages(line: str, meaning: Meaning) -> None:
    assert understand(line, load("de"), Expectation(), typed=True) == meaning
    assert understand(line, load("en"), Expectation(), typed=True) == meaning


def test_every_english_command_can_be_typed_in_german() -> None:
    german, english = load("de"), load("en")
    missing = set()
    for patterns in english.commands.values():
        for pattern in patterns:
            for sentence in pattern.expand():
                if all(isinstance(part, Literal) for part in sentence):
                    line = " ".join(part.text for part in sentence if isinstance(part, Literal))
                    typed = understand(line, german, Expectation(), typed=True)
                    if typed != understand(line, english, Expectation(), typed=True):
                        missing.add((line, typed))
    assert missing == set()


@pytest.mark.parametrize(
    ("words", "castling"),
    [
        ("kurz", "O-O"),
        ("kurze", "O-O"),
        ("die kurze", "O-O"),
        ("lang", "O-O-O"),
        ("die lange", "O-O-O"),
        ("groß", "O-O-O"),
    ],
)
def test_the_side_alone_answers_which_castling(words: str, castling: str) -> None:
    board = chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    asked = Expectation(board, Question(QuestionKind.WHICH_MOVE, (board.parse_san("O-O"), board.parse_san("O-O-O"))))
    meaning = Command("kingside" if castling == "O-O" else "queenside")
    assert understand(words, load("de"), asked) == understand(words, load("de"), asked, typed=True) == meaning
    assert {words.rsplit(maxsplit=1)[-1]} <= set(phrases(asked, load("de")))
    elsewhere = Expectation(board, Question(QuestionKind.WHICH_MOVE, (board.parse_san("Ke2"), board.parse_san("Kd2"))))
    assert isinstance(understand(words, load("de"), elsewhere), Unclear)


def test_english_words_first_and_german_behind_them() -> None:
    english = load("en")
    for words in ("Knight Felix three", "springer felix drei", "knight f3"):
        assert understand(words, english, Expectation(), typed=True) == SpokenMove(N, to_file=F, to_rank=2)
    assert understand("wiederholen", english, Expectation()) == Command("repeat")
    assert understand("castle queenside", english, Expectation()) == SpokenMove(castling=Castling.QUEENSIDE)
    assert understand("knight felix three", load("de"), Expectation()) == Unclear(UnclearReason.UNKNOWN_WORDS)


@pytest.mark.parametrize("words", ["springer schlägt felix drei schach", "Springer takes Felix drei, check"])
@pytest.mark.parametrize("typed", [False, True])
def test_an_english_game_understands_what_it_announces_and_what_is_spoken(words: str, typed: bool) -> None:
    """The German names stand among English words; German as it is spoken is no English beside a strange word."""
    move = SpokenMove(N, to_file=F, to_rank=2, captures=True, check=CheckWord.CHECK)
    assert [(one.meaning, one.cost) for one in understand_all(words, load("en"), Expectation(), typed)] == [(move, 0)]
