"""What others have written beside moves: words are said with their moves, signs in words, figures when asked for."""

from __future__ import annotations

import chess
import chess.pgn
import pytest

from tests.drivers.exercising import analysed
from voicechess.language.folders import LANGUAGES
from voicechess.language.wording import Wording
from voicechess.practice.effects import Examine, ExaminingFailed
from voicechess.practice.exercises.annotations import PART, comments_told, sign_told, signs_told, written


def node(comment: str, plies: int = 1) -> chess.pgn.GameNode:
    """The node behind so many moves, with this comment."""
    at: chess.pgn.GameNode = chess.pgn.Game()
    for uci in ("e2e4", "e7e5")[:plies]:
        at = at.add_variation(chess.Move.from_uci(uci))
    at.comment = comment
    return at


def said(*texts: str, language: str = "de") -> list[list[str]]:
    wording = Wording(language, strict=True)
    return [[wording.say(phrase) for phrase in part] for part in comments_told(*texts)]


@pytest.mark.parametrize(
    ("comment", "words", "white", "spent_ms"),
    [
        ("+0.53/14 47s", "", 53, 47_000),
        ("-0.18/9 29s, Weiss ist Motor", "Weiss ist Motor", -18, 29_000),
        ("0.00/30 1.2s, Draw by 3-fold repetition", "Draw by 3-fold repetition", 0, 1_200),
        ("+M5/21 0.45s", "", 99_995, 450),
        ("-M4/18 120ms", "", -99_996, 120),
        ("+0.25/12 5", "", 25, 5_000),
        ("(e2e4 e7e5) +0.20/13 12", "", 20, 12_000),
        ("(+0.35/20)", "", 35, None),
        ("[%csl Ge4] [#] Guter Zug.", "Guter Zug.", None, None),
        ("book", "", None, None),
        ("+0.31", "", None, None),
        ("d=21, sd=50, mt=67346, tl=5332654, s=3, pv=Nf3 d5, wv=0.24,", "", 24, 67_346),
        ("[%eval 0.3] [%clk 0:09:50]", "", 30, None),
        ("[%eval #-3] [%emt 0:00:12]", "", -99_997, 12_000),
        ("(0.30 → -0.45) Mistake. Nf3 was best.", "Mistake. Nf3 was best.", None, None),
        ("(=) Angebot", "Angebot", None, None),
        ("Bis 1945/46 gespielt", "Bis 1945/46 gespielt", None, None),
        ("Ein guter Zug, 10/10", "Ein guter Zug, 10/10", None, None),
    ],
)
def test_what_programs_write_is_told_from_words(
    comment: str, words: str, white: int | None, spent_ms: int | None
) -> None:
    found = written(node(comment))
    assert (found.words, found.white, found.spent_ms) == (words, white, spent_ms)


def test_what_an_engine_thinks_of_itself_is_of_the_side_that_moved() -> None:
    assert written(node("+0.53/14 47s", plies=2)).white == -53
    assert written(node("[%eval 0.53]", plies=2)).white == 53


def signed(*glyphs: int, comment: str = "") -> chess.pgn.GameNode:
    """A move with these signs."""
    made = node(comment)
    made.nags |= set(glyphs)
    return made


def test_a_diagram_is_told_once() -> None:
    wording = Wording("de", strict=True)
    for made in (signed(220), signed(221), signed(comment="[#] Hier."), signed(220, comment="[#]")):
        assert [wording.say(phrase) for phrase in signs_told(made)] == ["Diagramm."]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("glyph", range(1, 256))
def test_every_sign_has_words(glyph: int, language: str) -> None:
    assert Wording(language, strict=True).say(signs_told(signed(glyph))[0])


def test_signs_of_both_sides() -> None:
    wording = Wording("de", strict=True)
    assert [wording.say(sign_told(glyph)) for glyph in (1, 4, 16, 17, 146, 201)] == [
        "Guter Zug",
        "Grober Fehler",
        "Weiß steht deutlich besser",
        "Schwarz steht deutlich besser",
        "Neuerung",
        "Zeichen zweihunderteins",
    ]
    assert [wording.say(phrase) for phrase in signs_told(signed(6, 14))] == [
        "Zweifelhafter Zug, Weiß steht etwas besser."
    ]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Besser war Sf3, dann exd5.", "Besser war Springer Felix drei, dann Eva schlägt David fünf."),
        ("3. Nf3! Nc6 4.O-O", "drei Springer Felix drei guter Zug Springer Cesar sechs vier kurze Rochade"),
        ("3...Dxh2#", "drei Dame schlägt Hector zwei, matt"),
        ("Das Feld e4 ist schwach", "Das Feld Eva vier ist schwach"),
        ("e8D+ oder e8=N", "Eva acht Dame, Schach oder Eva acht Springer"),
        ("♘f3 mit Angriff", "Springer Felix drei mit Angriff"),
        ("A4-Format, B52, h2o, Se, K+S", "A4-Format, B52, h2o, Se, K+S"),
        ("0-0-0?!", "lange Rochade zweifelhafter Zug"),
    ],
)
def test_moves_in_comments_are_said_as_moves(text: str, sentence: str) -> None:
    ((told,),) = said(text)
    assert told.removeprefix("Kommentar: ").lower() == sentence.lower()


def test_long_comments_are_read_in_parts_and_whole() -> None:
    sentences = " ".join(f"Dies ist der Satz Nummer {number}." for number in range(60))
    parts = [sentence.removeprefix("Kommentar: ") for (sentence,) in said(sentences)]
    assert " ".join(parts) == sentences
    assert len(parts) > 4 and all(part.endswith(".") and len(part) <= PART * 1.5 for part in parts)
    assert " ".join(part[0].removeprefix("Kommentar: ") for part in said("x" * 1_000)).replace(" ", "") == "x" * 1_000


def test_short_comments_are_read_together() -> None:
    assert said("davor", "danach") == [["Kommentar: davor", "Kommentar: danach"]]
    assert len(said("davor", "x " * 150)) == 2


# --- in the analysis -------------------------------------------------------------------------------------------------

TIMED = """[TimeControl "600+5"]

1. e4 {[%clk 0:10:05] [%eval 0.3]} e5 {[%clk 0:10:01]} 2. Qh5?! {[%clk 0:09:50]} (2. Nf3 $1 Nc6) 2... Nc6
{[%clk 0:09:30]} 3. Bc4 {[%clk 0:09:40]} Nf6?? $4 {[%clk 0:09:20]} 4. Qxf7# {[%clk 0:09:30]} 1-0"""


def test_a_long_comment_goes_on_with_weiter_and_a_move_with_vor() -> None:
    words = " ".join(f"Wort{number}" for number in range(200))
    room, _ = analysed([f"1. e4 {{{words}}} e5 2. d4 *"])
    assert room.type("vor")[-1] == "Mehr mit weiter."
    assert room.hear("stopp") == ["Gestoppt."]
    assert room.type("weiter")[0].startswith("Kommentar: Wort")
    assert room.type("vor") == ["Eva fünf."]
    assert room.type("weiter") == ["Zwei: David vier."]
    room.type("zug eins")
    heard = [room.type("weiter")[0]]
    while room.said[-1] == "Mehr mit weiter.":
        heard.append(room.type("weiter")[0])
    assert heard[-1].endswith("Wort199")
    assert room.type("weiter") == ["Eva fünf."]


def test_what_the_file_says_is_answered_and_the_engine_is_asked_when_it_is_asked_again() -> None:
    room, _ = analysed(TIMED.splitlines())
    room.type("vor")
    assert room.type("bewertung") == ["Laut Datei: Weiß steht etwas besser."]
    assert room.type("bewertung") == ["Moment."]
    assert any(isinstance(effect, Examine) for effect in room.effects)
    assert room.type("zeit") == ["Weiß zehn Minuten fünf Sekunden."]
    room.type("ende")
    assert room.type("zeit") == ["Weiß neun Minuten dreißig, Schwarz neun Minuten zwanzig."]
    assert room.type("zugzeiten") == [
        "Zwei: Weiß zwanzig Sekunden, Schwarz sechsunddreißig Sekunden.",
        "Drei: Weiß fünfzehn Sekunden, Schwarz fünfzehn Sekunden.",
        "Vier: Weiß fünfzehn Sekunden.",
    ]
    room, _ = analysed(["1. e4 *"])
    assert room.type("zeit") == room.type("zugzeiten") == ["In der Datei stehen keine Zeiten."]


def test_signs_are_said_behind_their_moves() -> None:
    room, _ = analysed(TIMED.splitlines())
    assert room.type("zug 2") == ["Zug zwei, Weiß: Dame Hector fünf.", "Zweifelhafter Zug."]
    assert room.type("variante") == ["Zwei: Springer Felix drei.", "Guter Zug."]
    assert room.type("variante") == ["Hier gibt es keine Variante."]


def test_the_other_move_has_just_been_made() -> None:
    room, _ = analysed(["1. e4 e5 2. Nf3 (2. f4) (2. d4) 2... Nc6 *"])
    room.type("zug 2")
    assert room.type("variante") == ["Welche Variante? Eins: Felix vier, zwei: David vier."]
    assert room.type("variante 2") == ["Zwei: David vier."]
    assert room.type("variante") == ["Zwei: Felix vier."]


def test_a_side_may_pass_in_a_variation() -> None:
    room, _ = analysed(["1. e4 e5 2. Nf3 (2. -- Nf6 3. Nc3) 2... Nc6 *"])
    room.type("zug 1 schwarz")
    assert room.type("variante") == ["Zwei: kein Zug."]
    assert room.type("letzter zug")
    assert room.type("vor") == ["Springer Felix sechs."]
    assert room.type("letzter zug")
    assert room.type("bewertung") == ["Moment."]
    (board,) = next(effect for effect in room.effects if isinstance(effect, Examine)).boards
    assert all(board.move_stack) and board.turn == chess.WHITE
    room.type("a3")
    assert "2. -- Nf6 3. Nc3 ( 3. a3 )" in room.kept[1]


def test_mistakes_are_looked_for_in_any_game_and_the_analysis_goes_on() -> None:
    room, analysis = analysed(TIMED.splitlines())
    room.type("was war mein fehler")
    assert any(isinstance(effect, Examine) for effect in room.effects) and analysis.busy
    assert room.type("ende")[-2:] == ["Wieder in der Analyse.", "Anfangsstellung."]
    assert not analysis.busy and room.type("vor") == ["Eins: Eva vier."]
    room.type("was war mein fehler")
    failed = ExaminingFailed(at_ms=room.now, reason="missing", number=0)
    assert room.event(failed)[-2:] == ["Wieder in der Analyse.", "Zug eins, Weiß: Eva vier."]
    assert room.keys[0] == "practice.review.no_engine"
    assert room.type("vor")[0] == "Eva fünf."


PLAYED = ['[Result "1-0"]', "", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 1-0"]


@pytest.mark.parametrize(
    ("typed", "last"),
    [
        ("drei Züge vor", "Zug drei, Schwarz: Anna sechs."),
        ("drei züge weiter", "Zug drei, Schwarz: Anna sechs."),
        ("three moves forward", "Zug drei, Schwarz: Anna sechs."),
        ("forward 3", "Zug drei, Schwarz: Anna sechs."),
        ("zwanzig züge vor", "Zug vier, Schwarz: Springer Felix sechs."),
        ("zwei züge zurück", "Weiter zurück geht es nicht."),
    ],
)
def test_so_many_moves_on(typed: str, last: str) -> None:
    room, _ = analysed(PLAYED)
    assert room.type(typed)[-1] == last


def test_so_many_moves_back_and_at_most_to_the_ends() -> None:
    room, _ = analysed(PLAYED)
    assert room.type("zwölf züge vor")[0] == "Ende der Partie, Weiß gewinnt."
    assert room.type("drei züge zurück")[-1] == "Zug eins, Schwarz: Eva fünf."
    assert room.type("zurück")[-1] == "Zug eins, Weiß: Eva vier."
    assert room.type("five moves back")[-1] == "Anfangsstellung."


def test_a_game_without_names_is_not_called_nameless() -> None:
    assert analysed(PLAYED)[0].said[0] == "Analyse."
