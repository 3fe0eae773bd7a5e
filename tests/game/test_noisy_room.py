"""In a noisy room single words are lost: there a question is answered by the whole move, said once more."""

from __future__ import annotations

from itertools import product

import chess
import pytest

from tests.drivers.hearer import DOUBT, Hearer
from tests.drivers.positions import POSITIONS
from voicechess.app.adjustments import BAD_FIT, MASKED_FIT, MASKED_FULL_FIT
from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings, Player
from voicechess.game.company import FAR_OFF_DB, SAME_VOICE_DB
from voicechess.game.heard import MOST_FAINT
from voicechess.game.phases import Phase
from voicechess.game.session import Session
from voicechess.language.readings import EDGE_FREE_DB, FIT_COST
from voicechess.language.thresholds import load_thresholds
from voicechess.language.wording import Style, Wording
from voicechess.meaning import CLEAR_SNR_DB
from voicechess.messages import Phrase
from voicechess.moves.saying import said_move
from voicechess.sound.utterance import VOICE_CONTINUES_DB

THRESHOLDS = load_thresholds()

QUIET, LOUD = round(CLEAR_SNR_DB), round(CLEAR_SNR_DB) - 1
UNSURE = THRESHOLDS.fit - 3
"""So badly do the words fit that they are asked about, and well enough to be asked about."""

KNIGHT, OTHER = "springer gustav eins felix drei", "springer gustav eins hector drei"
ILLEGAL = "springer gustav eins felix zwei"
WORDING = Wording("de", Style.FIDE, strict=True)


def question(hearer: Hearer) -> str:
    """How the question was put."""
    assert hearer.told is not None
    phrase = hearer.told.slots["question"]
    assert isinstance(phrase, Phrase)
    return phrase.key


@pytest.fixture
def hearer() -> Hearer:
    return Hearer(chess.Board())


def test_in_a_quiet_room_a_word_is_enough_and_so_is_the_same_move_said_again(hearer: Hearer) -> None:
    for answer, doubt in (("ja", 0.0), (KNIGHT, DOUBT)):
        assert hearer.hear((KNIGHT, 0.0), doubt=DOUBT, snr_db=QUIET) == ["ask.plain"]
        assert question(hearer) == "ask.did_you_mean"
        assert not hearer.session.expectation.asked.whole
        assert hearer.hear((answer, 0.0), doubt=doubt, snr_db=QUIET) == ["move.repeat g1f3"]
        hearer.hear(("nein", 0.0))


def test_in_a_quiet_room_what_may_have_been_another_move_is_no_yes(hearer: Hearer) -> None:
    """The square alone is no knight's whole move; and beside another legal one, that may have been said."""
    hearer.hear((KNIGHT, 0.0), doubt=DOUBT, snr_db=QUIET)
    assert hearer.hear(("felix drei", 0.0), doubt=DOUBT, snr_db=QUIET) == ["ask.plain"]
    assert question(hearer) == "ask.yes_or_no"
    assert hearer.hear((KNIGHT, 0.0), (OTHER, -0.2), snr_db=QUIET) == ["ask.plain"]
    assert hearer.session.phase is Phase.CHOOSING


def test_what_fits_badly_was_said_in_noise_whatever_was_measured_of_the_room(hearer: Hearer) -> None:
    """Others who talk may have begun together with the player (issue 22)."""
    assert hearer.hear((KNIGHT, 0.0), fit=BAD_FIT, doubt=DOUBT, snr_db=QUIET) == ["ask.plain"]
    assert question(hearer) == "ask.did_you_mean"
    hearer.hear(("nein", 0.0))
    assert hearer.hear((KNIGHT, 0.0), fit=BAD_FIT - 1, doubt=DOUBT, snr_db=QUIET) == ["ask.plain"]
    assert question(hearer) == "ask.if_so_again"
    assert hearer.hear((KNIGHT, 0.0), fit=UNSURE, snr_db=QUIET) == ["move.repeat g1f3"]


def test_in_noise_the_move_is_asked_for_once_more_and_said_again_it_is_made(hearer: Hearer) -> None:
    assert hearer.hear((KNIGHT, 0.0), fit=UNSURE, snr_db=LOUD) == ["ask.plain"]
    assert question(hearer) == "ask.if_so_again"
    assert hearer.session.expectation.asked.whole
    assert hearer.told is not None
    assert WORDING.say(hearer.told) == "Meinten Sie Springer Felix drei? Wenn ja, bitte den Zug noch einmal."
    assert hearer.hear((KNIGHT, 0.0), fit=UNSURE, snr_db=LOUD) == ["move.repeat g1f3"]


@pytest.mark.parametrize(("words", "answer"), [("ja", "move.repeat g1f3"), ("nein", "ask.none")])
def test_in_noise_yes_and_no_answer_it_as_well(hearer: Hearer, words: str, answer: str) -> None:
    hearer.hear((KNIGHT, 0.0), fit=UNSURE, snr_db=LOUD)
    assert hearer.hear((words, 0.0), snr_db=LOUD) == [answer]


def test_another_unsure_move_is_asked_about_and_its_own_answer_makes_it(hearer: Hearer) -> None:
    hearer.hear((KNIGHT, 0.0), fit=UNSURE, snr_db=LOUD)
    assert hearer.hear((OTHER, 0.0), fit=UNSURE, snr_db=LOUD) == ["ask.plain"]
    assert hearer.hear((KNIGHT, 0.0), fit=UNSURE, snr_db=LOUD) == ["ask.plain"]
    assert hearer.hear((KNIGHT, 0.0), fit=UNSURE, snr_db=LOUD) == ["move.repeat g1f3"]


def test_a_rival_of_the_move_said_again_keeps_it_from_being_made(hearer: Hearer) -> None:
    hearer.hear((KNIGHT, 0.0), fit=UNSURE, snr_db=LOUD)
    assert hearer.hear((KNIGHT, 0.0), (OTHER, -0.2), snr_db=LOUD) == ["ask.plain"]
    assert question(hearer) == "ask.whole"


def test_of_several_moves_one_said_unsurely_is_proposed_and_not_made(hearer: Hearer) -> None:
    assert hearer.hear((KNIGHT, 0.0), (OTHER, -0.2), snr_db=LOUD) == ["ask.plain"]
    assert question(hearer) == "ask.whole"
    assert hearer.hear((KNIGHT, 0.0), fit=UNSURE, snr_db=LOUD) == ["ask.plain"]
    assert question(hearer) == "ask.if_so_again"


def test_what_hardly_fits_at_all_confirms_nothing(hearer: Hearer) -> None:
    hearer.hear((KNIGHT, 0.0), fit=UNSURE, snr_db=LOUD)
    answered = hearer.hear((KNIGHT, 0.0), fit=THRESHOLDS.fit - 20, snr_db=LOUD)
    assert not any(key.startswith("move.repeat") for key in answered)


def test_its_square_is_enough_for_a_pawn_as_ever() -> None:
    for fit in (UNSURE, 0.0):
        hearer = Hearer(chess.Board())
        hearer.hear(("eva vier", 0.0), fit=UNSURE, snr_db=LOUD)
        assert question(hearer) == "ask.if_so_again"
        assert hearer.hear(("eva vier", 0.0), fit=fit, snr_db=LOUD) == ["move.repeat e2e4"]


def test_less_than_a_square_confirms_nothing() -> None:
    hearer = Hearer(chess.Board("7k/8/8/8/8/8/8/K3R3 w - - 0 1"))
    hearer.hear(("turm eva drei", 0.0), fit=UNSURE, snr_db=LOUD)
    assert question(hearer) == "ask.if_so_again"
    answered = hearer.hear(("drei", 0.0), fit=UNSURE, snr_db=LOUD)
    assert not any(key.startswith("move.repeat") for key in answered)


def test_where_the_noise_comes_after_the_question_it_is_put_anew(hearer: Hearer) -> None:
    hearer.hear((KNIGHT, 0.0), doubt=DOUBT, snr_db=QUIET)
    assert hearer.hear(("ja", 0.0), ("anna", -0.1), snr_db=LOUD) == ["not_understood.answer", "ask.plain"]
    assert question(hearer) == "ask.if_so_again"
    assert hearer.hear((KNIGHT, 0.0), fit=UNSURE, snr_db=LOUD) == ["move.repeat g1f3"]


def test_half_a_move_with_noise_behind_it_is_not_made_whole_by_being_said_twice() -> None:
    hearer = Hearer(chess.Board("7k/8/8/8/8/8/8/K3R3 w - - 0 1"))
    for _ in range(2):
        told = hearer.hear(("turm eva drei", 0.0), ("turm eva", 0.5 - THRESHOLDS.half), snr_db=LOUD)
        assert told == ["ask.plain"]
        assert question(hearer) == "ask.if_so_again"
    assert hearer.hear(("turm eva", 0.0), snr_db=LOUD) == ["complete.whole"]


@pytest.mark.parametrize(
    ("words", "fit", "snr_db", "told"),
    [
        ("springer felix drei", MASKED_FIT - 1, LOUD, "ask.plain"),
        ("springer felix drei", MASKED_FIT, LOUD, "move.repeat g1f3"),
        ("springer felix drei", MASKED_FIT - 1, QUIET, "move.repeat g1f3"),
        ("felix drei", MASKED_FIT - 1, LOUD, "ask.plain"),
        (KNIGHT, MASKED_FIT - 1, LOUD, "move.repeat g1f3"),
        (KNIGHT, MASKED_FULL_FIT, LOUD, "move.repeat g1f3"),
        (KNIGHT, MASKED_FULL_FIT - 1, LOUD, "ask.plain"),
        (KNIGHT, MASKED_FULL_FIT - 1, QUIET, "ask.plain"),
    ],
)
def test_a_move_that_fits_its_words_badly_is_asked_about_the_sooner_in_noise_and_if_it_is_short(
    hearer: Hearer, words: str, fit: float, snr_db: int, told: str
) -> None:
    """Without a rival near, for the noise may have made another of it: "sieben" behind "Springer David"."""
    assert hearer.hear((words, 0.0), fit=fit, snr_db=snr_db) == [told]


def test_beside_a_move_announced_in_full_only_another_legal_one_is_a_doubt(hearer: Hearer) -> None:
    beside = ((ILLEGAL, -0.2), ("acht springer felix", -0.3))
    assert hearer.hear((KNIGHT, 0.0), *beside) == ["move.repeat g1f3"]
    hearer.hear(("nein", 0.0))
    assert hearer.hear((KNIGHT, 0.0), *beside, fit=MASKED_FULL_FIT - 1) == ["ask.plain"]
    hearer.hear(("nein", 0.0))
    assert hearer.hear((KNIGHT, 0.0), (OTHER, -2.2)) == ["ask.plain"]


def test_in_noise_a_command_that_fits_badly_is_obeyed(hearer: Hearer) -> None:
    assert hearer.hear(("zeit", 0.0), fit=MASKED_FIT - 1, snr_db=LOUD) == ["clock.untimed"]


AMONG_OTHERS = f"was {KNIGHT} [unk]"


def test_among_words_of_others_the_proposed_move_is_recognised_as_said_again(hearer: Hearer) -> None:
    """What makes no sense with a softer "was" before it, and no word behind it, is a move without: doubtful once, and
    not the second time."""
    for told in (["ask.plain"], ["move.repeat g1f3"]):
        assert hearer.hear((AMONG_OTHERS, 0.0), snr_db=LOUD, softer=("was",)) == told


@pytest.mark.parametrize(
    "second",
    [f"was {OTHER} [unk]", "was springer gustav eins [unk]", "was [unk]", "was springer felix drei zwei [unk]"],
)
def test_among_words_of_others_nothing_else_confirms_it(hearer: Hearer, second: str) -> None:
    hearer.hear((AMONG_OTHERS, 0.0), snr_db=LOUD, softer=("was",))
    assert question(hearer) == "ask.if_so_again"
    answered = hearer.hear((second, 0.0), snr_db=LOUD, softer=("was",))
    assert not any(key.startswith("move.repeat") for key in answered)


def test_half_a_move_among_words_of_others_confirms_nothing(hearer: Hearer) -> None:
    hearer.hear((AMONG_OTHERS, 0.0), snr_db=LOUD, softer=("was",))
    half = ("springer gustav eins", 0.5 - THRESHOLDS.half)
    assert hearer.hear((AMONG_OTHERS, 0.0), half, snr_db=LOUD, softer=("was",))[-1] == "ask.plain"


THIRD = "springer bella eins cesar drei"
NEARLY = -THRESHOLDS.margin + 0.2
"""Rivals that are so much less likely are asked about."""


def test_two_hearings_of_one_move_with_different_rivals_leave_no_doubt(hearer: Hearer) -> None:
    assert hearer.hear((KNIGHT, 0.0), (OTHER, -0.2), snr_db=LOUD) == ["ask.plain"]
    assert hearer.hear((KNIGHT, 0.0), (THIRD, NEARLY), snr_db=LOUD) == ["move.repeat g1f3"]


@pytest.mark.parametrize("passed_ms", [20_000, 40_000])
def test_so_do_two_of_which_the_first_was_not_understood(hearer: Hearer, passed_ms: int) -> None:
    """What was said longer ago counts no more."""
    hearer.hear(("was", 0.0), (KNIGHT, -0.3), ("was zwei", -0.1), snr_db=QUIET)
    assert hearer.session.expectation.asked.kind is None
    hearer.now_ms += passed_ms - 10_000
    told = hearer.hear((KNIGHT, 0.0), (THIRD, NEARLY), snr_db=QUIET)
    assert told == (["move.repeat g1f3"] if passed_ms < 30_000 else ["ask.plain"])


def test_the_same_rivals_twice_leave_the_doubt(hearer: Hearer) -> None:
    for _ in range(2):
        assert hearer.hear((KNIGHT, 0.0), (OTHER, NEARLY), snr_db=LOUD) == ["ask.plain"]


def test_another_move_that_is_said_clearly_is_made_whatever_was_heard_before(hearer: Hearer) -> None:
    hearer.hear((KNIGHT, 0.0), (OTHER, -0.2), snr_db=LOUD)
    assert hearer.hear((THIRD, 0.0), snr_db=LOUD) == ["move.repeat b1c3"]


def test_a_move_that_was_declined_is_not_expected_any_more(hearer: Hearer) -> None:
    hearer.hear((KNIGHT, 0.0), fit=UNSURE, snr_db=LOUD)
    hearer.hear(("nein", 0.0), snr_db=QUIET)
    assert hearer.hear((KNIGHT, 0.0), (THIRD, NEARLY), snr_db=LOUD) == ["ask.plain"]


def test_whoever_types_is_in_no_noise(hearer: Hearer) -> None:
    hearer.hear((KNIGHT, 0.0), fit=UNSURE, snr_db=LOUD)
    hearer.hear(("keiner", 0.0), source=ev.Source.KEYBOARD)
    hearer.hear(("springer", 0.0), source=ev.Source.KEYBOARD)
    assert not hearer.session.expectation.asked.whole


@pytest.mark.parametrize("name", list(POSITIONS))
def test_only_the_move_that_was_proposed_is_made_for_having_been_said_twice(name: str) -> None:
    board = chess.Board(POSITIONS[name])
    said = {move: WORDING.move(said_move(board, move), True).lower().replace(",", "") for move in board.legal_moves}
    some = list(said)[:: max(1, len(said) // 12)]
    confirmed = 0
    for first, second in product(some, some):
        hearer = Hearer(board)
        asked = hearer.hear((said[first], 0.0), fit=UNSURE, snr_db=LOUD)
        assert asked == ["ask.plain"], said[first]
        answered = hearer.hear((said[second], 0.0), fit=UNSURE, snr_db=LOUD)
        if first != second:
            assert not any(key.startswith("move.repeat") for key in answered), (said[first], said[second])
        confirmed += answered == [f"move.repeat {first.uci()}"]
    assert confirmed == len(some)


@pytest.mark.parametrize(
    ("words", "led_db", "told"),
    [
        ("cesar drei", VOICE_CONTINUES_DB - 1, ["ask.plain"]),
        ("cesar drei", VOICE_CONTINUES_DB, ["move.repeat c2c3"]),
        ("cesar drei", None, ["move.repeat c2c3"]),
        ("bella eins cesar drei", VOICE_CONTINUES_DB - 1, ["move.repeat b1c3"]),  # it says from where
    ],
)
def test_a_square_alone_behind_words_that_were_not_understood_may_be_the_rest_of_a_move(
    hearer: Hearer, words: str, led_db: float | None, told: list[str]
) -> None:
    """Of "Bella eins Cesar drei", said between two talkers, only the second half was heard: the pawn moved."""
    assert hearer.hear((words, 0.0), led_db=led_db) == told


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("springer ist", ["ask.plain"]),
        ("springer [unk]", ["ask.plain"]),
        ("springer", ["move.repeat b1c3"]),  # it makes sense together
        ("hier ist", ["move.repeat c2c3"]),
        ("[unk]", ["move.repeat c2c3"]),
        ("bauer ist", ["move.repeat c2c3"]),
        ("anna ist", ["move.repeat c2c3"]),  # talk has such names
    ],
)
def test_a_square_alone_behind_the_softer_name_of_a_piece_is_asked_about(
    hearer: Hearer, line: str, told: list[str]
) -> None:
    """Said as "rook to Hector three", heard as "rook of Hector three", it moved the pawn: the first words were 9 dB
    softer, and left out as a bystander's since they made no sense."""
    assert hearer.hear((f"{line} cesar drei", 0.0), softer=line.split()) == told


@pytest.mark.parametrize(
    ("line", "below_db", "told"),
    [
        ("springer ist cesar drei", EDGE_FREE_DB - 0.1, ["ask.plain"]),
        ("springer ist cesar drei", EDGE_FREE_DB, ["move.repeat c2c3"]),  # somebody else
        ("hier ist cesar drei", 1.0, ["move.repeat c2c3"]),
    ],
)
def test_so_it_is_if_the_near_voice_was_decoded_without_that_name(
    hearer: Hearer, line: str, below_db: float, told: list[str]
) -> None:
    assert hearer.hear(("cesar drei", 0.0), wider=(line, below_db)) == told


@pytest.mark.parametrize("snr_db", [QUIET, LOUD])
def test_heard_so_again_it_is_asked_about_again(hearer: Hearer, snr_db: int) -> None:
    for told in ("ask.plain", "ask.plain", "complete.slot_by_slot"):
        heard = hearer.hear(("cesar drei", 0.0), wider=("springer ist cesar drei", 1.0), snr_db=snr_db)
        assert heard[0] == told
    assert hearer.hear(("springer cesar drei", 0.0), snr_db=snr_db) == ["move.repeat b1c3"]


@pytest.mark.parametrize("answer", ["ja", "cesar drei"])
def test_it_is_played_if_that_is_what_was_meant(hearer: Hearer, answer: str) -> None:
    hearer.hear(("cesar drei", 0.0), wider=("springer ist cesar drei", 1.0))
    assert hearer.hear((answer, 0.0)) == ["move.repeat c2c3"]


@pytest.mark.parametrize("wider", ["springer ist cesar drei", "cesar drei ist springer"])
def test_a_move_that_names_its_piece_is_played_whatever_softer_name_is_beside_it(hearer: Hearer, wider: str) -> None:
    line = wider.replace("cesar", "springer cesar", 1)
    assert hearer.hear(("springer cesar drei", 0.0), wider=(line, 1.0)) == ["move.repeat b1c3"]


def test_a_square_alone_is_played_if_the_softer_name_stands_behind_it(hearer: Hearer) -> None:
    assert hearer.hear(("cesar drei", 0.0), wider=("cesar drei ist springer", 1.0)) == ["move.repeat c2c3"]


@pytest.mark.parametrize("snr_db", [QUIET, LOUD])
def test_a_pawn_s_move_with_its_file_twice_is_asked_about_each_time(hearer: Hearer, snr_db: int) -> None:
    """ "Rook to Hector three", beside an English television, was heard as "Hector Hector three", and the pawn moved."""
    for told in ("ask.plain", "ask.plain", "complete.slot_by_slot"):
        assert hearer.hear(("cesar cesar drei", 0.0), snr_db=snr_db)[0] == told


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("cesar zwei cesar drei", "move.repeat c2c3"),
        ("springer gustav felix drei", "move.repeat g1f3"),
        ("bauer cesar drei", "move.repeat c2c3"),
    ],
)
def test_other_moves_from_a_file_are_played(hearer: Hearer, line: str, told: str) -> None:
    assert hearer.hear((line, 0.0)) == [told]


# --- between words of others -----------------------------------------------------------------------------------------

TALK = ("springer", "acht")


@pytest.mark.parametrize(
    ("answer", "told", "phase"),
    [
        ("ja", "pause.begun", Phase.PAUSED),
        ("pause", "pause.begun", Phase.PAUSED),
        ("pause acht", "pause.begun", Phase.PAUSED),  # the same again between words of others
        ("nein", "confirm.no", Phase.LISTENING),
        ("remis anbieten acht", "not_understood.yes_or_no", Phase.CONFIRMING),
    ],
)
def test_a_command_that_decides_is_asked_about_where_others_talk(
    hearer: Hearer, answer: str, told: str, phase: Phase
) -> None:
    assert hearer.hear(("springer pause", 0.0), softer=TALK) == ["confirm.meant"]
    assert hearer.told is not None and WORDING.say(hearer.told) == "Pause?"
    assert hearer.hear((answer, 0.0), softer=TALK)[-1] == told
    assert hearer.session.phase is phase


def test_weiter_where_others_talk_is_asked_about_and_ends_the_pause(hearer: Hearer) -> None:
    hearer.hear(("pause", 0.0))
    assert hearer.hear(("springer weiter", 0.0), softer=TALK) == ["confirm.meant"]
    assert hearer.hear(("springer weiter", 0.0), softer=TALK) == ["pause.ended"]
    assert hearer.session.phase is Phase.LISTENING


def test_what_asks_back_by_itself_does_so_once_where_others_talk(hearer: Hearer) -> None:
    assert hearer.hear(("aufgeben acht", 0.0), softer=TALK) == ["confirm.resign_side"]
    hearer.hear(("aufgeben acht", 0.0), softer=TALK)
    assert hearer.session.phase is Phase.CONFIRMING
    assert hearer.hear(("ja", 0.0))[0] == "ending.resignation"


def test_what_decides_nothing_is_answered_at_once_where_others_talk(hearer: Hearer) -> None:
    assert hearer.hear(("springer wer ist am zug", 0.0), softer=TALK) == ["turn.side"]


@pytest.mark.parametrize(
    ("voice_db", "tones"), [(-30, 5), (-30 - SAME_VOICE_DB, 5), (-31 - SAME_VOICE_DB, 2), (None, 2)]
)
def test_who_is_as_loud_as_the_player_is_answered_each_time_and_others_twice_a_minute(
    hearer: Hearer, voice_db: int | None, tones: int
) -> None:
    hearer.hear(("stellung", 0.0), voice_db=-30)
    hearer.hear(("[unk]", 0.0), voice_db=voice_db)  # the first is told what the tone means
    heard = 1
    for _ in range(4):
        hearer.hear(("[unk]", 0.0), voice_db=voice_db)
        heard += hearer.tone
    assert heard == tones


@pytest.mark.parametrize(
    ("between", "voice_db", "told"),
    [
        ("", -30 - SAME_VOICE_DB, [0, 0, 0, 0, 0, 1, 0, 0, 0]),  # once a minute, for it may be others
        ("", -31 - SAME_VOICE_DB, [0] * 9),
        ("stellung", -30, [0] * 9),
    ],
)
def test_a_player_who_hears_nothing_but_tones_is_told_in_words(
    hearer: Hearer, between: str, voice_db: int, told: list[int]
) -> None:
    """Four times nothing but a tone came back, and they waited for an answer (issue 22)."""
    hearer.hear(("stellung", 0.0), voice_db=-30)
    assert hearer.hear(("[unk]", 0.0), voice_db=-30) == ["not_understood.nothing"]
    heard = []
    for number in range(len(told)):
        heard.append(hearer.hear(("[unk]", 0.0), voice_db=voice_db).count("not_understood.nothing"))
        if between and number % 2:
            hearer.hear((between, 0.0), voice_db=-30)
    assert heard == told


@pytest.mark.parametrize(
    ("typed", "tones"),
    [
        ((), [True, True, True, False, True]),
        (("e4",), [True, True, True, False, True]),  # which may have been the machine's
        (("e4", "e5"), [True, True, False, False, False]),  # whoever types has the room answered no more than others
    ],
)
def test_before_anything_was_understood_the_loudest_is_answered_each_time(
    hearer: Hearer, typed: tuple[str, ...], tones: list[bool]
) -> None:
    """The first word of a game was lost three times, and the third time there was silence (issue 22)."""
    for move in typed:
        hearer.hear((move, 0.0), source=ev.Source.KEYBOARD)
        assert hearer.told is not None
        hearer.session.handle(ev.Spoken(at_ms=hearer.now_ms, number=hearer.told.number))
    heard = []
    for voice_db in (-30, -40, -30, -40, -30):
        hearer.hear(("[unk]", 0.0), voice_db=voice_db)
        heard.append(hearer.tone)
    assert heard == tones


def test_who_was_understood_before_the_game_is_known_in_it() -> None:
    session = Session(GameSettings(white=Player.VOICE, black=Player.ENGINE))
    session.handle(ev.Started(at_ms=0, voice_db=-30))
    assert session._table.company.voice_db == -30


def test_talk_that_was_asked_about_is_no_player(hearer: Hearer) -> None:
    hearer.hear((KNIGHT, 0.0), fit=UNSURE, voice_db=-40)
    assert hearer.session._table.company.voice_db is None


FAINT = THRESHOLDS.fit - 10
"""So badly do words fit that they get a tone and no more."""


@pytest.mark.parametrize(("words", "told"), [("zeit", "clock.untimed"), ("pause", "confirm.meant")])
def test_a_command_that_was_heard_faintly_is_obeyed_when_it_is_said_again(
    hearer: Hearer, words: str, told: str
) -> None:
    """Though others were heard between; one that decides is asked about."""
    hearer.hear((words, 0.0), fit=FAINT)
    hearer.hear(("[unk]", 0.0), fit=FAINT)
    assert hearer.hear((words, 0.0), fit=FAINT)[-1] == told


@pytest.mark.parametrize(
    ("second", "fit", "later_ms"),
    [
        ("material", FAINT, 0),
        ("zeit", THRESHOLDS.fit - (MOST_FAINT + 1) / FIT_COST, 0),
        ("zeit", FAINT, 30_000),
        ("[unk] zeit", FAINT, 0),
    ],
)
def test_nothing_else_says_it_again(hearer: Hearer, second: str, fit: float, later_ms: int) -> None:
    hearer.hear(("zeit", 0.0), fit=FAINT)
    hearer.now_ms += later_ms
    assert hearer.hear((second, 0.0), fit=fit) == [] and hearer.tone


def test_into_a_repetition_nothing_faint_is_obeyed(hearer: Hearer) -> None:
    hearer.hear(("pause", 0.0), fit=FAINT)
    hearer.hear((KNIGHT, 0.0))
    assert hearer.session.phase is Phase.REPEATING
    hearer.hear(("pause", 0.0), fit=FAINT)
    assert hearer.session.phase is Phase.REPEATING


def test_the_end_after_a_game_is_one_when_it_is_said_again(hearer: Hearer) -> None:
    hearer.hear(("aufgeben", 0.0))
    hearer.hear(("ja", 0.0))
    assert hearer.session.phase is Phase.OVER
    assert "goodbye" not in hearer.hear(("ende", 0.0), fit=FAINT)
    assert hearer.hear(("ende", 0.0), fit=FAINT) == ["goodbye"]


def test_after_moment_a_faint_weiter_is_one_when_it_is_said_again_and_nothing_else_is(hearer: Hearer) -> None:
    hearer.hear(("moment", 0.0))
    for words, told in (("zeit", []), ("zeit", []), ("weiter", []), ("weiter", ["quiet.ended"])):
        assert hearer.hear((words, 0.0), fit=FAINT) == told


def test_weiter_after_moment_ends_a_pause_too(hearer: Hearer) -> None:
    hearer.hear(("pause", 0.0))
    hearer.hear(("moment", 0.0))
    assert hearer.hear(("weiter", 0.0)) == ["pause.ended"]
    assert hearer.hear((KNIGHT, 0.0))[-1] == "move.repeat g1f3"


@pytest.mark.parametrize(
    ("words", "voice_db", "told"),
    [
        ("hector drei", -30 - FAR_OFF_DB, ["ask.plain"]),
        ("hector drei", -31 - FAR_OFF_DB, []),
        ("springer", -31 - FAR_OFF_DB, []),
        ("hector drei", None, ["ask.plain"]),
        ("nein", -31 - FAR_OFF_DB, ["move.corrected"]),
    ],
)
def test_talk_that_is_far_off_is_no_correction_unless_it_is_said_twice(
    hearer: Hearer, words: str, voice_db: int | None, told: list[str]
) -> None:
    """By ear, in a meeting ten decibels below, a sentence of it was asked about as if it had been the player's."""
    hearer.hear((KNIGHT, 0.0), voice_db=-30)
    assert hearer.hear((words, 0.0), voice_db=voice_db) == told
    if not told:
        assert hearer.tone and hearer.session.phase is Phase.REPEATING
        assert hearer.hear((words, 0.0), voice_db=voice_db) == ["ask.plain"]
