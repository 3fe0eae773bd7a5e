"""Everything the laws say has words in both languages, and the words say it."""

from __future__ import annotations

import chess
import pytest

from voicechess.language.folders import LANGUAGES
from voicechess.language.wording import Wording
from voicechess.laws.adjournment import Envelope, Flaw, resumption
from voicechess.laws.chess960 import announcement, by_hand, by_number, castling_told
from voicechess.laws.results import TABLE, Ending, Way
from voicechess.laws.time_controls import describe, parse_time
from voicechess.messages import Failure, Phrase
from voicechess.score.pgn import read_pgn


def said(phrase: Phrase, language: str = "de") -> str:
    return Wording(language, strict=True).say(phrase)


TIMES = {
    "": "Ohne Uhr",
    "90/40+30:30+30": "Vierzig Züge in neunzig Minuten, dann dreißig Minuten, dreißig Sekunden je Zug",
    "90/40:30+30": "Vierzig Züge in neunzig Minuten, dann dreißig Minuten plus dreißig Sekunden je Zug",
    "5d3": "Fünf Minuten, drei Sekunden Aufschub je Zug",
    "120/40:60/20": "Vierzig Züge in hundertzwanzig Minuten, dann jeweils zwanzig Züge in sechzig Minuten",
    "1": "Eine Minute",
    "1/10:5": "Zehn Züge, Bedenkzeit eine Minute, dann fünf Minuten",
    "3h": "Sanduhr, drei Minuten",
    "5+3~3": "Weiß: fünf Minuten, drei Sekunden je Zug. Schwarz: drei Minuten",
}


@pytest.mark.parametrize("time", TIMES)
def test_times_as_players_say_them(time: str) -> None:
    assert said(describe(parse_time(time))) == TIMES[time]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("time", [*TIMES, "5b3", "90/40b5:30/20d3:10+1", "1/1:5"])
def test_times_have_words(language: str, time: str) -> None:
    assert said(describe(parse_time(time)), language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("way", Way)
def test_endings_have_words(language: str, way: Way) -> None:
    winner = chess.WHITE if TABLE[way][0].has_winner else None
    words = said(Ending(way, winner).words, language)
    if winner is not None:
        assert {"de": "Weiß", "en": "White"}[language] in words


BAD_TIMES = ("x", "0", "1441", "5+3601", "5/0", "9:3", "5h:3", "~".join("555"), ":".join(["5/5"] * 9), "5" * 201)
BAD_GAMES = (
    "",
    "1. e4 ~",
    "1. e4 {",
    "1. e4 )",
    '[Variant "Antichess"]\n*',
    '[FEN "x"]\n*',
    "1. -- *",
    "1. e5 *",
    '[Result "1-0"]\n0-1',
    "1. e4 {" + "x" * 4_000_000 + "} *",
    '[Result "0-0"]\n1. e4',
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_refusals_have_words(language: str) -> None:
    keys = set()
    for time in BAD_TIMES:
        with pytest.raises(Failure) as bad_time:
            parse_time(time)
        keys.add(bad_time.value.key)
        assert said(Phrase(bad_time.value.key, bad_time.value.slots), language)
    for text in BAD_GAMES:
        with pytest.raises(Failure) as bad_game:
            read_pgn(text)
        keys.add(bad_game.value.key)
        assert said(Phrase(bad_game.value.key, bad_game.value.slots), language)
    assert len(keys) == len(BAD_TIMES) + len(BAD_GAMES)
    with pytest.raises(Failure) as bad_number:
        by_number(960)
    assert said(Phrase(bad_number.value.key, bad_number.value.slots), language)
    with pytest.raises(Failure) as bad_pieces:
        by_hand([chess.ROOK] * 8)
    assert said(Phrase(bad_pieces.value.key, bad_pieces.value.slots), language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "key",
    [
        *(f"offer.{key}" for key in ("already_offered", "answer_first", "cannot_withdraw", "own_offer", "no_offer")),
        *(f"quickplay.{key}" for key in ("untimed", "not_on_move", "increment", "not_last_period")),
        *(f"quickplay.{key}" for key in ("too_much_time", "flag")),
        *(f"adjournment.flaw.{flaw.value}" for flaw in Flaw),
        *(f"adjournment.error.{key}" for key in ("nothing_sealed", "too_late_to_change", "broken")),
    ],
)
def test_short_refusals_have_words(language: str, key: str) -> None:
    assert said(Phrase(key), language)


def test_chess960_in_words() -> None:
    assert said(announcement(by_number(518))).startswith("Chess960, Stellung fünfhundertachtzehn: Anna Turm, Bella")
    board = chess.Board("4k3/8/8/8/8/8/8/6KR w H - 0 1", chess960=True)
    assert said(castling_told(board, chess.Move.from_uci("g1h1"))) == (
        "Kurze Rochade. Der König bleibt auf Gustav eins, der Turm geht von Hector eins nach Felix eins."
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_envelope_in_words(language: str) -> None:
    envelope = Envelope("Anna", "Bernd", chess.STARTING_FEN, False, 60_000, 0, True, 41, True, "")
    words = " ".join(said(phrase, language) for phrase in envelope.words())
    assert "Anna" in words
    assert "Bernd" in words


def test_of_the_envelope_nothing_is_said_that_is_empty() -> None:
    bare = Envelope("?", "", chess.STARTING_FEN, False, 61_000, 5_400_000, True, 41, False, "")
    assert [said(phrase) for phrase in bare.words()] == [
        "Abgegeben von Weiß, Zug einundvierzig.",
        "Verbraucht: Weiß eine Minute eine Sekunde, Schwarz eine Stunde dreißig.",
    ]


@pytest.mark.parametrize(
    ("resumes", "german", "english"),
    [
        ("2026-11-21T20:00", "einundzwanzigsten November um zwanzig Uhr", "eight p.m. on the twenty-first of November"),
        ("2026-03-01T01:05", "ersten März um ein Uhr fünf", "one oh five a.m. on the first of March"),
        ("2026-05-30T12:30", "dreißigsten Mai um zwölf Uhr dreißig", "twelve thirty p.m. on the thirtieth of May"),
        ("2026-05-30T00:00", "dreißigsten Mai um null Uhr", "twelve a.m. on the thirtieth of May"),
    ],
)
def test_day_and_hour_are_said_as_people_say_them(resumes: str, german: str, english: str) -> None:
    moment = resumption(resumes)
    assert moment is not None
    told = Phrase("adjournment.resumes", {"moment": moment})
    assert said(told) == f"Fortsetzung am {german}."
    assert said(told, "en") == f"Resumption at {english}."


@pytest.mark.parametrize("resumes", ["2026-01-01T00:00", "2026-12-31T23:59"])
def test_the_first_and_the_last_minute_of_a_year_are_moments(resumes: str) -> None:
    assert resumption(resumes) is not None


@pytest.mark.parametrize(
    "resumes",
    [
        *("", "tomorrow", "2026-13-01T10:00", "2026-00-01T10:00", "2026-05-32T10:00", "2026-05-00T10:00"),
        *("2026-05-30T24:00", "2026-05-30T10:60"),
    ],
)
def test_what_is_no_date_is_not_said(resumes: str) -> None:
    assert resumption(resumes) is None
