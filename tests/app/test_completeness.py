"""How long words are waited for, by what they can still become."""

from __future__ import annotations

import chess
import pytest

from voicechess.app.hearing import completeness
from voicechess.app.simulation import session_at
from voicechess.game.agreement import Player
from voicechess.game.events import Heard
from voicechess.game.phases import Phase
from voicechess.game.session import Session
from voicechess.language.lexicon import load
from voicechess.language.understanding import understand_all
from voicechess.meaning import Expectation, Question, QuestionKind, SpokenMove
from voicechess.sound.recogniser import Completeness

LEXICON = load("de")
QUEEN = chess.Board("4k3/8/8/8/8/p7/8/Q3K3 w - - 0 1")
ONE_TO_THE_C_FILE = chess.Board("4k3/8/8/8/8/8/8/1N2K3 w - - 0 1")


def waits(words: str, board: chess.Board) -> Completeness:
    return completeness(words, Expectation(board=board), LEXICON)


@pytest.mark.parametrize(
    "words", ["eva vier", "bauer eva vier", "springer felix drei", "springer gustav eins felix drei"]
)
def test_after_a_legal_move_nothing_follows(words: str) -> None:
    assert waits(words, chess.Board()) is Completeness.CERTAIN


@pytest.mark.parametrize(
    ("fen", "words"),
    [
        ("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "dame anna acht"),  # "schach"
        ("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "dame anna acht schach"),  # "matt", for all that is known here
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "eva schlägt david sechs"),  # "en passant"
    ],
)
def test_a_word_more_may_follow_where_it_would_be_true(fen: str, words: str) -> None:
    assert waits(words, chess.Board(fen)) is Completeness.COMPLETE


def test_a_single_word_may_be_misheard_and_is_waited_for_a_little_longer_than_a_move() -> None:
    assert waits("material", chess.Board()) is Completeness.COMPLETE
    assert waits("stellung", chess.Board()) is Completeness.MAY_GO_ON  # "weiß"


@pytest.mark.parametrize("words", ["springer", "springer felix", "springer nach", "eva zwei eva", "turm schlägt"])
def test_the_beginning_of_a_move_is_not(words: str) -> None:
    assert waits(words, chess.Board()) is Completeness.BEGUN
    assert completeness(words, Expectation(chess.Board(), Question(QuestionKind.YES_NO)), LEXICON) is Completeness.BEGUN


@pytest.mark.parametrize(
    "words", ["vor aus zug", "falls", "falls springer cesar sechs", "falls springer cesar sechs dann"]
)
def test_a_condition_without_its_answer_is_the_beginning_of_one(words: str) -> None:
    """Answered at once, "falls" was talked into before the move that follows it."""
    assert waits(words, chess.Board()) is Completeness.BEGUN
    assert waits("falls eva fünf dann springer felix drei", chess.Board()) is not Completeness.BEGUN


def test_what_means_nothing_is_no_beginning() -> None:
    assert waits("", chess.Board()) is Completeness.INCOMPLETE
    assert waits("felix felix felix felix", chess.Board()) is Completeness.INCOMPLETE


def test_a_missing_rank_is_waited_for_even_where_only_one_fits() -> None:
    assert waits("springer cesar", ONE_TO_THE_C_FILE) is Completeness.BEGUN
    assert waits("dame schlägt", QUEEN) is Completeness.BEGUN
    assert waits("dame schlägt anna drei", QUEEN) is Completeness.CERTAIN


@pytest.mark.parametrize("words", ["eva zwei", "springer gustav eins", "bauer eva zwei"])
def test_whoever_names_a_piece_of_their_own_is_about_to_say_where_it_goes(words: str) -> None:
    assert waits(words, chess.Board()) is Completeness.BEGUN


def test_a_move_that_may_be_a_misheard_beginning_waits_a_little() -> None:
    """A person said "Dame Bella drei … Bella eins"; "drei" was heard as "zwei", and another move was played."""
    queen = chess.Board("4k3/8/8/8/8/1Q6/8/4K3 w - - 0 1")
    assert waits("dame bella zwei", queen) is Completeness.MAY_GO_ON
    assert waits("dame bella vier", queen) is Completeness.CERTAIN
    assert waits("eva drei", chess.Board()) is Completeness.MAY_GO_ON


def test_what_is_not_legal_may_be_the_first_half_of_something() -> None:
    assert waits("eva fünf", chess.Board()) is Completeness.MAY_GO_ON


@pytest.mark.parametrize("words", ["kurze", "lange", "kleine", "kurz"])
def test_castling_is_begun_with_its_first_word(words: str) -> None:
    """ "Kurze … Rochade" over two seconds was talked over (issue 49)."""
    board = chess.Board("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    assert waits(words, board) is Completeness.BEGUN


@pytest.mark.parametrize("words", ["kurze rochade", "lange rochade"])
def test_castling_ends_with_its_words(words: str) -> None:
    board = chess.Board("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    assert waits(words, board) is Completeness.CERTAIN


def test_a_piece_that_is_set_up_needs_its_whole_square() -> None:
    """By ear the soft last word of "Bauer Hector fünf" was taken for another voice's, since it was whole without it."""
    building = Expectation(asked=Question(QuestionKind.SET_UP))
    for begun in ("bauer hector", "bauer", "hector", "weiß bauer hector"):
        assert completeness(begun, building, LEXICON) is Completeness.INCOMPLETE
    assert completeness("bauer hector fünf", building, LEXICON) is Completeness.MAY_GO_ON


def test_the_answer_to_a_question_is_complete_alone() -> None:
    rank = Expectation(QUEEN, Question(QuestionKind.COMPLETE, partial=SpokenMove(piece=chess.QUEEN, to_file=0)))
    assert completeness("drei", rank, LEXICON) is Completeness.COMPLETE


@pytest.mark.parametrize("words", ["springer gustav eins", "gustav eins", "springer", "springer felix"])
def test_where_the_whole_move_is_asked_for_its_beginning_is_no_answer(words: str) -> None:
    """Beside a talker "Turm Anna acht" was ended before "Anna sechs" (issue 22)."""
    move = chess.Move.from_uci("g1f3")
    whole = Expectation(chess.Board(), Question(QuestionKind.WHICH_MOVE, (move,), whole=True))
    assert completeness(words, whole, LEXICON) is Completeness.BEGUN
    assert completeness("springer gustav eins felix drei", whole, LEXICON) is not Completeness.BEGUN
    assert completeness("ja", whole, LEXICON) is not Completeness.BEGUN
    assert completeness("felix", whole, LEXICON) is not Completeness.BEGUN  # answers it as well


def test_a_square_that_tells_which_of_many_knights_is_a_whole_answer() -> None:
    """After "Springer David vier" with four knights that can go there, it says where the knight comes from."""
    session = session_at(chess.Board("k7/8/8/1N3N2/8/1N3N2/8/K7 w - - 0 1"))
    readings = understand_all("springer david vier", LEXICON, session.expectation)
    session.handle(
        Heard(at_ms=60_000, readings=readings, words="springer david vier", began_ms=58_000, ended_ms=59_000)
    )
    assert session.phase is Phase.COMPLETING
    assert completeness("bella drei", session.expectation, LEXICON) is Completeness.COMPLETE


@pytest.mark.parametrize("question", [QuestionKind.TIME, QuestionKind.ONLINE_TIME])
def test_an_increment_may_follow_on_the_minutes(question: QuestionKind) -> None:
    expectation = Expectation(asked=Question(question))
    assert completeness("zehn minuten", expectation, LEXICON) is Completeness.MAY_GO_ON
    assert completeness("ohne uhr", expectation, LEXICON) is Completeness.COMPLETE


@pytest.mark.parametrize(
    ("question", "words", "waits"),
    [
        (QuestionKind.LEVEL, "stufe", Completeness.INCOMPLETE),
        (QuestionKind.LEVEL, "stufe drei", Completeness.MAY_GO_ON),
        (QuestionKind.LEVEL, "stufe drei dann", Completeness.MAY_GO_ON),
        (QuestionKind.LEVEL, "alle acht weiß", Completeness.INCOMPLETE),
        (QuestionKind.LEVEL, "alle acht weiß und schwarz", Completeness.COMPLETE),
        (QuestionKind.DAYS, "zwei züge in", Completeness.INCOMPLETE),
        (QuestionKind.SPELLING, "anna", Completeness.MAY_GO_ON),
        (QuestionKind.EXERCISE, "weißer", Completeness.MAY_GO_ON),
        (QuestionKind.EXERCISE, "felix", Completeness.MAY_GO_ON),
        (QuestionKind.EXERCISE, "felix drei", Completeness.COMPLETE),
        (QuestionKind.OPPONENT, "gegen die", Completeness.INCOMPLETE),
        (QuestionKind.OPPONENT, "gegen die maschine", Completeness.COMPLETE),
    ],
)
def test_the_beginning_of_an_answer_before_a_game_is_no_answer(
    question: QuestionKind, words: str, waits: Completeness
) -> None:
    """Found by measuring: of "alle acht … weiß und schwarz" the first half was answered (issue 22)."""
    assert completeness(words, Expectation(asked=Question(question)), LEXICON) is waits


def test_the_rest_of_a_time_at_a_server_may_follow_too() -> None:
    expectation = Expectation(asked=Question(QuestionKind.ONLINE_TIME))
    assert completeness("drei tage", expectation, LEXICON) is Completeness.MAY_GO_ON
    assert completeness("drei tage gewertet", expectation, LEXICON) is Completeness.COMPLETE


def repeating(opponent: Player) -> Session:
    """White has said "Eva vier", which is being repeated."""
    session = session_at(chess.Board(), opponent)
    readings = understand_all("eva vier", LEXICON, session.expectation)
    session.handle(Heard(at_ms=60_000, readings=readings, words="eva vier", began_ms=58_000, ended_ms=59_000))
    assert session.phase is Phase.REPEATING
    return session


@pytest.mark.parametrize("words", ["bauer eva sieben", "springer gustav acht", "eva sieben eva"])
def test_the_person_beside_may_begin_to_answer_a_move_that_is_being_repeated(words: str) -> None:
    """Found by ear: "Bauer Eva sieben … Eva fünf" was answered after its first half (issue 22)."""
    assert completeness(words, repeating(Player.VOICE).expectation, LEXICON) is Completeness.BEGUN
    assert completeness(words, repeating(Player.ENGINE).expectation, LEXICON) is not Completeness.BEGUN


def test_a_correction_does_not_wait_for_the_person_beside() -> None:
    expectation = repeating(Player.VOICE).expectation
    assert completeness("david vier", expectation, LEXICON) is Completeness.CERTAIN
    assert completeness("nein", expectation, LEXICON) in (Completeness.COMPLETE, Completeness.MAY_GO_ON)
