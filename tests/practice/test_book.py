"""A file of games read like a book: what reading aloud leaves off, bookmarks of what has changed."""

from __future__ import annotations

from tests.drivers.exercising import Room, analysed
from voicechess.game import effects as ef
from voicechess.game import events as ev
from voicechess.practice.bookmarks import MOST_PLACES, Place, with_place

BOOK = ["1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. c3 {Here.} Nf6 (4... d6) *", "", '[White "Clara"]', "", "1. d4 *"]


def begun_aloud() -> tuple[Room, list[int]]:
    """Reading aloud has begun; the numbers of the moves' sentences, none of which has been said."""
    room, analysis = analysed(BOOK, chosen=1)
    said = list(analysis._read_aloud())
    return room, [effect.utterance.number for effect in said if isinstance(effect, ef.Say)]


def test_the_cursor_is_at_the_move_that_was_being_read_when_it_was_cut_short() -> None:
    room, numbers = begun_aloud()
    assert len(numbers) > 4
    room.machine.handle(ev.Spoken(at_ms=2, number=numbers[0]))
    room.machine.handle(ev.Spoken(at_ms=2, number=numbers[1]))
    for number in numbers[2:]:
        room.machine.handle(ev.Spoken(at_ms=3, number=number, completed=False))
    assert room.hear("wiederholen") == ["Zug zwei, Weiß: Springer Felix drei."]
    assert room.hear("weiter")[0] == "Springer Cesar sechs.", "and it is read on from there"


def test_who_asks_into_the_reading_asks_about_what_was_read() -> None:
    room, numbers = begun_aloud()
    room.machine.handle(ev.Spoken(at_ms=2, number=numbers[0]))
    assert room.hear("was steht auf eva fünf") == ["Auf Eva fünf steht ein schwarzer Bauer."]
    assert room.hear("was steht auf felix drei") == ["Felix drei ist leer."]


def test_what_was_heard_to_its_end_stays() -> None:
    room, numbers = begun_aloud()
    for number in numbers:
        room.machine.handle(ev.Spoken(at_ms=2, number=number))
    assert room.hear("wiederholen")[0] == "Zug vier, Weiß: Cesar drei."


def test_a_bookmark_in_a_variation_that_was_struck_leads_to_what_is_left() -> None:
    room, _ = analysed(BOOK, chosen=1)
    room.hear("eva vier")
    room.hear("cesar fünf")
    room.hear("stelle merken")
    room.hear("korrektur")
    assert room.hear("zur stelle") == [
        "Die gemerkte Stelle gibt es so nicht mehr.",
        "Zug eins, Weiß: Eva vier.",
    ]


def test_a_bookmark_of_a_game_that_is_gone() -> None:
    room, _ = analysed(BOOK, chosen=1, places=(Place(7, ("e2e4",), 1),))
    assert room.hear("zur stelle") == ["Die gemerkte Stelle gibt es so nicht mehr."]
    assert room.hear("welche stellen") == ["Eins: Zug eins, Weiß."]
    assert room.hear("vor") == ["Eins: Eva vier."]


def test_changes_of_one_game_are_not_undone_in_another() -> None:
    room, _ = analysed(BOOK, chosen=1)
    room.hear("david vier")
    room.hear("partie vor")
    assert room.hear("korrektur") == ["Nichts zu korrigieren."]
    assert "1. d4" in room.kept[1]


def test_places_are_told_at_the_next_opening() -> None:
    room, _ = analysed(BOOK, places=(Place(1, ("e2e4",), 1),))
    assert room.said[0] == "Sie haben sich etwas gemerkt: zur Stelle."
    assert room.hear("zur stelle")[-1] == "Zug eins, Weiß: Eva vier."
    assert room.hear("partie vor") == ["Analyse: Clara."], "nothing is explained"
    alone, _ = analysed(BOOK[:1], places=(Place(1, ("e2e4",), 1),))
    assert alone.said[-1] == "Sie haben sich etwas gemerkt: zur Stelle."


def test_typed_bookmarks() -> None:
    room, _ = analysed(BOOK, chosen=1)
    room.type("vor")
    assert room.type("Lesezeichen")[0].startswith("Stelle gemerkt")
    room.type("anfang")
    assert room.type("zum Lesezeichen")[-1] == "Zug eins, Weiß: Eva vier."
    assert room.type("zur gemerkten Stelle")[-1] == "Zug eins, Weiß: Eva vier."
    assert room.type("meine Lesezeichen")[-1].startswith("Eins:")
    assert room.type("set a bookmark")[0].startswith("Stelle gemerkt")
    assert room.type("go to the bookmark")[-1] == "Zug eins, Weiß: Eva vier."
    assert room.type("Lesezeichen löschen")[0].startswith("Stelle gestrichen")


def test_the_oldest_bookmarks_are_dropped() -> None:
    places: tuple[Place, ...] = ()
    for number in range(MOST_PLACES + 3):
        places = with_place(places, Place(1, (), number))
    assert len(places) == MOST_PLACES
    assert places[-1].number == MOST_PLACES + 2
