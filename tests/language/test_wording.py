"""Messages in words: moves, cases, times, lists, styles, and what happens when a sentence is missing."""

from __future__ import annotations

import chess
import pytest

from voicechess.language.folders import LANGUAGES
from voicechess.language.forms import FormError, Forms
from voicechess.language.sentences import Sentences, load_sentences, read_template
from voicechess.language.wording import Style, Wording, WordingError
from voicechess.meaning import Castling, CheckWord
from voicechess.messages import (
    Duration,
    File,
    Listing,
    Ordinal,
    Phrase,
    Piece,
    Pieces,
    Rank,
    SaidMove,
    Side,
    Slot,
    Square,
    Text,
    Utterance,
)

GERMAN = Forms(load_sentences("de").forms)
ENGLISH = Forms(load_sentences("en").forms)
N, K, Q, R, P = chess.KNIGHT, chess.KING, chess.QUEEN, chess.ROOK, chess.PAWN


def wording(template: str, language: str = "de", style: Style = Style.FIDE, **more: str) -> Wording:
    """A wording with sentences of its own: "test" and those in `more`."""
    one = Wording(language, style, strict=True)
    texts = {"test": template, **more}
    one._sentences = Sentences(
        {key: read_template(text, key) for key, text in texts.items()}, load_sentences(language).forms
    )
    return one


def said(template: str, **slots: Slot) -> str:
    return wording(template).say(Phrase("test", slots))


KNIGHT = SaidMove(chess.WHITE, N, chess.G1, chess.F3)


@pytest.mark.parametrize(
    ("move", "short", "full"),
    [
        (KNIGHT, "Springer Felix drei", "Springer Gustav eins Felix drei"),
        (
            SaidMove(chess.WHITE, N, chess.G1, chess.F3, captured=P, needs_file=True, check=CheckWord.CHECK),
            "Springer Gustav schlägt Felix drei, Schach",
            "Springer Gustav eins schlägt Felix drei, Schach",
        ),
        (
            SaidMove(chess.WHITE, R, chess.A1, chess.A4, needs_rank=True),
            "Turm eins Anna vier",
            "Turm Anna eins Anna vier",
        ),
        (
            SaidMove(chess.WHITE, Q, chess.H4, chess.E1, needs_file=True, needs_rank=True, check=CheckWord.MATE),
            "Dame Hector vier Eva eins, matt",
            "Dame Hector vier Eva eins, matt",
        ),
        (SaidMove(chess.WHITE, P, chess.E2, chess.E4), "Eva vier", "Bauer Eva zwei Eva vier"),
        (
            SaidMove(chess.WHITE, P, chess.E7, chess.D8, captured=R, promotion=Q, needs_file=True),
            "Eva schlägt David acht Dame",
            "Bauer Eva sieben schlägt David acht Dame",
        ),
        (
            SaidMove(chess.WHITE, P, chess.E5, chess.D6, captured=P, en_passant=True, needs_file=True),
            "Eva schlägt David sechs en passant",
            "Bauer Eva fünf schlägt David sechs en passant",
        ),
        (
            SaidMove(chess.WHITE, K, chess.E1, chess.G1, castling=Castling.KINGSIDE, check=CheckWord.CHECK),
            "Kurze Rochade, Schach",
            "Kurze Rochade, Schach",
        ),
    ],
)
def test_announcements(move: SaidMove, short: str, full: str) -> None:
    assert Wording("de").move(move) == short
    assert Wording("de").move(move, full=True) == full


def test_an_announcement_may_name_the_piece_that_is_captured() -> None:
    takes = SaidMove(chess.WHITE, Q, chess.D2, chess.H6, captured=chess.BISHOP, names_captured=True)
    assert Wording("de").move(takes) == "Dame schlägt Läufer Hector sechs"
    assert Wording("en").move(takes, full=True) == "Queen David two takes bishop Hector six"
    passant = SaidMove(chess.WHITE, P, chess.E5, chess.D6, P, en_passant=True, needs_file=True, names_captured=True)
    assert Wording("de").move(passant) == "Eva schlägt David sechs en passant", "that can only be a pawn"


def test_styles_and_languages() -> None:
    assert Wording("de", Style.NATO).move(KNIGHT) == "Springer Foxtrot drei"
    assert Wording("de", Style.LETTERS).move(KNIGHT) == "Springer f drei"
    capture = SaidMove(chess.WHITE, P, chess.B2, chess.C3, captured=P, needs_file=True)
    assert Wording("de", Style.LETTERS).move(capture) == "b schlägt c drei", "a capital B would be a piece"


def test_the_announcing_language_is_german_in_english_too() -> None:
    """FIDE Laws 2023, D.2.1 (2009: E.1): German numerals, piece names and castling; plain English can be chosen."""
    castling = SaidMove(chess.WHITE, K, chess.E1, chess.C1, castling=Castling.QUEENSIDE, check=CheckWord.CHECK)
    promotion = SaidMove(chess.WHITE, P, chess.E7, chess.D8, captured=R, promotion=Q, needs_file=True)
    for style, moves in (
        (
            Style.FIDE,
            ("Springer Gustav eins Felix drei", "Lange Rochade, check", "Bauer Eva sieben takes David acht Dame"),
        ),
        (
            Style.OWN,
            ("Knight Gustav one Felix three", "Long castling, check", "Pawn Eva seven takes David eight queen"),
        ),
        (
            Style.NATO,
            ("Knight Golf one Foxtrot three", "Long castling, check", "Pawn Echo seven takes Delta eight queen"),
        ),
    ):
        assert tuple(Wording("en", style).move(move, full=True) for move in (KNIGHT, castling, promotion)) == moves
    # What stands in a sentence is English; a piece that is named as in an announcement is named alike.
    assert (
        wording("{m:the} on {s}", "en").say(Phrase("test", {"m": Piece(N), "s": Square(chess.E4)}))
        == "The knight on Eva vier"
    )
    assert wording("{m}?", "en").say(Phrase("test", {"m": Piece(N)})) == "Springer?"
    assert wording("{m}?", "en", Style.OWN).say(Phrase("test", {"m": Piece(N)})) == "Knight?"
    assert wording("{m}", "en").say(Phrase("test", {"m": Piece(N, chess.WHITE)})) == "White knight"


@pytest.mark.parametrize(
    ("template", "slots", "text"),
    [
        ("{m}", {"m": Piece(N)}, "Springer"),
        ("{m:the} steht", {"m": Piece(N)}, "Der Springer steht"),
        ("{m:accusative}", {"m": Piece(P)}, "Den Bauern"),
        ("mit {m:dative}", {"m": Piece(Q, chess.BLACK)}, "Mit der schwarzen Dame"),
        ("{m:the_plural}", {"m": Piece(R, chess.WHITE)}, "Die weißen Türme"),
        (
            "{m}, {n}, {o}",
            {"m": Pieces(R, 2), "n": Pieces(Q, 1, chess.WHITE), "o": Pieces(P, 0)},
            "Zwei Türme, eine weiße Dame, keine Bauern",
        ),
        ("ohne {m:accusative}", {"m": Pieces(P, 1)}, "Ohne einen Bauern"),
        ("{s} zieht {s:adjective}", {"s": Side(chess.BLACK)}, "Schwarz zieht schwarz"),
        ("noch {d}", {"d": Duration(90_999)}, "Noch eine Minute dreißig"),
        ("der {o} Zug", {"o": Ordinal(21)}, "Der einundzwanzigste Zug"),
        ("im {o:dative} Zug", {"o": Ordinal(3)}, "Im dritten Zug"),
        ("{n} Züge, {o:feminine} Partie", {"n": 40, "o": 1}, "Vierzig Züge, eine Partie"),
        ("auf {s}, {f}, {r}", {"s": Square(chess.E4), "f": File(7), "r": Rank(1)}, "Auf Eva vier, Hector, zwei"),
        ("{t}", {"t": Text("wort für wort")}, "Wort für wort"),
        ("{m} gespielt", {"m": KNIGHT}, "Springer Felix drei gespielt"),
        ("{m:full}", {"m": KNIGHT}, "Springer Gustav eins Felix drei"),
        ("{l}", {"l": Listing((Piece(N), Piece(Q), Piece(R)))}, "Springer, Dame und Turm"),
        ("{l:dative}", {"l": Listing((Piece(N), Piece(Q)), "or")}, "Dem Springer oder der Dame"),
        ("{l}", {"l": Listing((1, 2, 3), "")}, "Eins, zwei, drei"),
        ("{l}", {"l": Listing((Square(0),), "or")}, "Anna eins"),
        ("Gut. {m:the} zieht", {"m": Piece(K)}, "Gut. Der König zieht"),
        ("da: {m:the}", {"m": Piece(K)}, "Da: der König"),
    ],
)
def test_slots_in_german(template: str, slots: dict[str, Slot], text: str) -> None:
    assert said(template, **slots) == text


def test_sentences_stand_in_sentences() -> None:
    one = wording("{reason}. {again}", why="{m:the} ist gefesselt", more="noch einmal")
    slots: dict[str, Slot] = {"reason": Phrase("why", {"m": Piece(N)}), "again": Phrase("more")}
    assert one.say(Utterance("test", slots)) == "Der Springer ist gefesselt. Noch einmal"


@pytest.mark.parametrize(
    ("ms", "german", "english"),
    [
        (0, "null Sekunden", "zero seconds"),
        (-5, "null Sekunden", "zero seconds"),
        (999, "weniger als eine Sekunde", "less than a second"),
        (1_999, "eine Sekunde", "one second"),
        (30_000, "dreißig Sekunden", "thirty seconds"),
        (60_000, "eine Minute", "one minute"),
        (65_000, "eine Minute fünf Sekunden", "one minute five seconds"),
        (90_000, "eine Minute dreißig", "one minute thirty"),
        (7_500_000, "zwei Stunden fünf Minuten", "two hours five minutes"),
        (3_661_000, "eine Stunde eine Minute eine Sekunde", "one hour one minute one second"),
        (172_800_000, "zwei Tage", "two days"),
    ],
)
def test_times_as_a_person_says_them(ms: int, german: str, english: str) -> None:
    assert (GERMAN.duration(ms), ENGLISH.duration(ms)) == (german, english)


@pytest.mark.parametrize(
    ("number", "german", "english"),
    [
        (0, "null", "zero"),
        (16, "sechzehn", "sixteen"),
        (21, "einundzwanzig", "twenty-one"),
        (100, "hundert", "one hundred"),
        (101, "hunderteins", "one hundred and one"),
        (960, "neunhundertsechzig", "nine hundred and sixty"),
        (1001, "tausendeins", "one thousand one"),
        (21_000, "einundzwanzigtausend", "twenty-one thousand"),
        (-3, "minus drei", "minus three"),
        (2_000_000, "2000000", "2000000"),
    ],
)
def test_numbers(number: int, german: str, english: str) -> None:
    assert (GERMAN.number(number), ENGLISH.number(number)) == (german, english)


@pytest.mark.parametrize(
    ("number", "form", "german", "english"),
    [
        (1, "times", "einmal", "once"),
        (2, "times", "zweimal", "twice"),
        (21, "times", "einundzwanzigmal", "twenty-one times"),
        (1985, "year", "neunzehnhundertfünfundachtzig", "nineteen eighty-five"),
        (1900, "year", "neunzehnhundert", "nineteen hundred"),
        (1905, "year", "neunzehnhundertfünf", "nineteen oh five"),
        (2009, "year", "zweitausendneun", "two thousand nine"),
        (2023, "year", "zweitausenddreiundzwanzig", "twenty twenty-three"),
    ],
)
def test_numbers_that_are_said_in_a_way_of_their_own(number: int, form: str, german: str, english: str) -> None:
    assert (GERMAN.number(number, form), ENGLISH.number(number, form)) == (german, english)


def test_from_an_hour_on_a_clock_is_read_without_seconds() -> None:
    for ms, german, english in (
        (3_599_000, "neunundfünfzig Minuten neunundfünfzig", "fifty-nine minutes fifty-nine"),
        (3_601_000, "eine Stunde", "one hour"),
        (3_900_000, "eine Stunde fünf Minuten", "one hour five minutes"),
        (5_399_000, "eine Stunde neunundzwanzig", "one hour twenty-nine"),
    ):
        assert (GERMAN.duration(ms, "clock"), ENGLISH.duration(ms, "clock")) == (german, english)
    assert GERMAN.duration(3_601_000) == "eine Stunde eine Sekunde", "what is agreed or confirmed is said whole"


def test_no_two_numbers_sound_the_same() -> None:
    for forms in (GERMAN, ENGLISH):
        assert len({forms.number(number) for number in range(2_000)}) == 2_000
        assert len({forms.ordinal(number) for number in range(1, 1_000)}) == 999
        assert len({forms.duration(seconds * 1000) for seconds in range(7_300)}) == 7_300


@pytest.mark.parametrize(
    ("template", "slots"),
    [
        ("{m}", {}),
        ("{m:wrong}", {"m": Piece(N)}),
        ("{m}", {"m": Phrase("nothing")}),
        ("{m}", {"m": Phrase("test", {})}),
    ],
)
def test_what_cannot_be_said_is_loud_in_tests(template: str, slots: dict[str, Slot]) -> None:
    with pytest.raises((WordingError, FormError)):
        said(template, **slots)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_missing_sentence_is_said_and_never_a_traceback(language: str) -> None:
    with pytest.raises(WordingError):
        Wording(language, strict=True).say(Phrase("no.such.key"))
    assert "no.such.key" in Wording(language).say(Phrase("no.such.key"))


def test_a_sentence_in_itself_ends() -> None:
    one = wording("{x}")
    loop: dict[str, Slot] = {}
    loop["x"] = Phrase("test", loop)
    with pytest.raises(WordingError):
        one.say(Phrase("test", loop))


def test_the_voice_gets_other_spellings_than_the_reader() -> None:
    german = Wording("de")
    assert german.for_voice("Kurze Rochade, remis, en passant.") == "Kurze Ro-schade, remie, ang passang."
    assert german.for_voice("En passant") == "Ang passang"
    assert german.for_voice("Springer Cesar drei") == "Springer Zesar drei"
    assert german.for_voice("Premise und Cesarin") == "Premise und Cesarin", "whole words only"
    assert Wording("en").for_voice("Eva four") == "Ehva four"


def test_a_game_that_is_not_on_disk_is_not_called_saved() -> None:
    wording = Wording("de", strict=True)
    assert wording.say(Phrase("saved")) == "Gespeichert."
    assert wording.say(Phrase("saved"), saved=False).startswith("Die Partie lässt sich nicht speichern.")
    assert wording.say(Phrase("stopped"), saved=False) == "Gestoppt."


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("Anna  Müller-Łęcka 🐴", "Anna  Müller-Łęcka 🐴"),
        ("Anna\nSchwarz gibt auf.\r\n", "Anna Schwarz gibt auf.  "),
        ("\x1b[31;1mAnna\x9b0m", "Anna"),
        ("An\x1b]0;root\x07na\x1b]52;c;cm0=\x1b\\", "Anna"),
        ("An\x9d0;root\x9cna\x90x\x9c", "Anna"),
        ("\x1b]0;Anna", " ]0;Anna"),
        ("Anna\u2028\x85\x0b\x0c\x00\x7f\x8d", "Anna       "),
        ("Anna \u202egnukA\u2066", "Anna  gnukA "),
        ("\ud83d", " "),
    ],
)
def test_what_others_have_written_is_on_one_line_and_commands_no_terminal(written: str, shown: str) -> None:
    assert said("Es spielt {name}.", name=Text(written)) == f"Es spielt {shown}."


def test_a_flood_of_terminal_sequences_is_read_once() -> None:
    for begun in ("\x1b[", "\x9b", "\x1b]", "\x9d", "\x90"):
        assert len(said("{name}", name=Text(begun * 100_000))) <= 200_000


def test_pages_show_figures_and_the_voice_says_words() -> None:
    spoken, german = Wording("de", strict=True), Wording("de", strict=True).for_the_eye()
    total = Phrase("practice.progress.total", {"count": 3, "percent": 67})
    assert spoken.say(total) == "Bisher siebenundsechzig Prozent von drei auf Anhieb richtig."
    assert german.say(total) == "Bisher 67 % von 3 auf Anhieb richtig."
    assert Wording("en").for_the_eye().say(total) == "So far 67 % of 3 right at once."
    assert german.square(chess.E4) == "Eva vier", "squares have their names everywhere"
