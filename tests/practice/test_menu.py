"""The conversation around the exercises: choosing, going on, how good, ending."""

from __future__ import annotations

from random import Random

import pytest

from tests.drivers.exercising import AT_EVERY_LEVEL, BEGAN, Room, course
from voicechess.game import events as ev
from voicechess.game.effects import Announcer
from voicechess.language.folders import LANGUAGES
from voicechess.language.lexicon import load
from voicechess.language.patterns import Literal
from voicechess.language.understanding import choices_of
from voicechess.meaning import QuestionKind
from voicechess.messages import Phrase
from voicechess.practice.courses import EXERCISES
from voicechess.practice.drill import Drill
from voicechess.practice.effects import FIRST_NUMBER
from voicechess.practice.menu import Exercise, ExerciseOffer, MenuStep, Practice
from voicechess.practice.schedule import Answered, Bookmark, Deck


def practice(
    bookmark: Bookmark | None = None,
    answers: tuple[Answered, ...] = (),
    chosen: str | None = None,
    level: int | None = None,
) -> tuple[Room, Practice]:
    """The conversation with all exercises that need no engine; those that do cannot begin."""
    speaker, deck = Announcer(FIRST_NUMBER), Deck()

    def beginner(key: str) -> ExerciseOffer:
        def begin(level: int, bookmark: Bookmark | None) -> Exercise | Phrase:
            if (key, level) not in AT_EVERY_LEVEL:
                return Phrase("practice.review.no_engine")
            return Drill(course(key, level), deck, Random(1), speaker, BEGAN, bookmark)

        return ExerciseOffer(key, EXERCISES[key].levels, begin)

    machine = Practice(
        [beginner(key) for key in EXERCISES], speaker, answers=answers, bookmark=bookmark, chosen=chosen, level=level
    )
    room = Room(machine)
    room.begin()
    return room, machine


@pytest.mark.parametrize("words", ["drei", "übung drei", "felder"])
def test_an_exercise_is_chosen_by_number_or_name(words: str) -> None:
    room, machine = practice()
    assert room.keys == ["practice.welcome", "practice.which_exercise"]
    room.hear(words)
    assert room.keys == ["practice.which_level"]
    room.hear("stufe neun")
    assert room.keys == ["practice.heard_otherwise", "practice.which_level"]
    room.hear("stufe vier")
    assert room.keys[:2] == ["practice.squares.explain", "practice.squares.level_4"]
    assert isinstance(machine.exercise, Drill)


@pytest.mark.parametrize(
    "words", ["ich möchte schach spielen lernen", "ich bin anfänger", "lektion", "schach für anfänger"]
)
def test_who_wants_to_learn_chess_need_not_know_what_it_is_called(words: str) -> None:
    room, _ = practice()
    room.hear(words)
    room.hear("stufe zwölf")
    assert room.keys[:2] == ["practice.lessons.explain", "practice.lessons.level_12"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", EXERCISES)
def test_every_exercise_is_chosen_by_its_own_name(key: str, language: str) -> None:
    """A new exercise needs its words in both languages."""
    begun: list[str] = []

    def beginner(key: str) -> ExerciseOffer:
        def begin(level: int, bookmark: Bookmark | None) -> Exercise | Phrase:
            begun.append(key)
            return Phrase("practice.review.no_engine")

        return ExerciseOffer(key, 1, begin)

    for pattern in load(language).choices[f"exercise_{key}"]:
        room = Room(Practice([beginner(one) for one in EXERCISES], Announcer(FIRST_NUMBER)), language)
        room.begin()
        room.type(" ".join(part.text for part in next(iter(pattern.expand())) if isinstance(part, Literal)))
        assert begun == [key], pattern
        begun.clear()


@pytest.mark.parametrize("key", [key for key, row in EXERCISES.items() if row.course is not None])
def test_every_exercise_has_its_own_tasks(key: str) -> None:
    assert course(key, 1).key == key


def test_what_can_be_chosen_is_what_there_is() -> None:
    chosen = {
        name.removeprefix("exercise_") for name in choices_of(QuestionKind.EXERCISE) if name.startswith("exercise_")
    }
    assert chosen == set(EXERCISES)


@pytest.mark.parametrize(("key", "level"), AT_EVERY_LEVEL)
def test_every_exercise_begins_with_two_sentences_and_a_question(key: str, level: int) -> None:
    room, _ = practice(chosen=key, level=level)
    assert room.keys[:2] == [f"practice.{key}.explain", f"practice.{key}.level_{level}"]
    assert room.expectation.asked.kind is QuestionKind.EXERCISE
    assert len(room.keys) > 2


def test_end_leads_back_and_out() -> None:
    room, machine = practice()
    room.hear("wege")
    room.hear("eins")
    room.hear("ende")
    assert room.keys == ["practice.summary_none", "practice.which_exercise"]
    room.hear("ende")
    assert room.keys == ["practice.goodbye"]
    assert machine.over


def test_an_exercise_named_beforehand_ends_the_conversation_with_it() -> None:
    room, machine = practice(chosen="recall", level=1)
    room.hear("ende")
    assert machine.over


def test_going_on_is_offered_and_taken() -> None:
    room, _ = practice(chosen="squares", level=1)
    question = room.wording.say(room.effects[-2].utterance)  # type: ignore[union-attr]
    again, _ = practice(bookmark=room.bookmark)
    assert again.keys == ["practice.welcome", "practice.go_on"]
    assert again.hear("ja")[-1] == question
    other, machine = practice(bookmark=room.bookmark)
    other.hear("nein")
    assert machine.step is MenuStep.EXERCISE


def test_a_bookmark_of_an_unknown_exercise_is_passed_over() -> None:
    room, _ = practice(bookmark=Bookmark("singing", 1, "", 0))
    assert room.keys == ["practice.welcome", "practice.which_exercise"]


def test_what_cannot_begin_says_so_and_asks_again() -> None:
    room, _ = practice()
    room.hear("fehler")
    assert room.keys == ["practice.review.no_engine", "practice.which_exercise"]
    alone, machine = practice(chosen="review")
    assert alone.keys == ["practice.review.no_engine"]
    assert machine.over


def test_how_good_am_i_in_three_sentences_at_any_time() -> None:
    kept = [Answered(BEGAN, "notation", 1, ("file.2",), False)] * 5
    kept += [Answered(BEGAN, "notation", 1, ("rank.0",), True)] * 5
    room, _ = practice(answers=tuple(kept))
    said = room.hear("wie gut bin ich")
    assert said == [
        "Bisher fünfzig Prozent von zehn auf Anhieb richtig.",
        "Am sichersten: die Reihe eins. Am meisten zu üben: die Linie Cesar.",
        "Von den letzten zehn: fünfzig Prozent richtig.",
    ]
    room.hear("gedächtnis")
    room.hear("zwei")
    assert len(room.hear("wie gut bin ich")) == 3
    assert room.expectation.asked.kind is QuestionKind.EXERCISE
    fresh, _ = practice()
    fresh.hear("wie gut bin ich")
    assert fresh.keys == ["practice.progress.nothing"]


def test_the_trend_is_told() -> None:
    worse = [Answered(BEGAN, "paths", 1, ("path.2",), True)] * 20 + [
        Answered(BEGAN, "paths", 1, ("path.2",), False)
    ] * 20
    room, _ = practice(answers=tuple(worse))
    room.hear("wie gut bin ich")
    assert room.keys[-1] == "practice.progress.worse"


def test_noise_help_and_commands_before_an_exercise() -> None:
    room, machine = practice()
    room.hear("[unk]")
    assert room.keys == ["practice.nothing_heard", "practice.which_exercise_again"]
    assert "unk" not in " ".join(room.hear("[unk] wetter"))
    room.hear("hilfe")
    assert room.keys == ["practice.help_exercise", "help.more", "practice.which_exercise"]
    room.hear("hilfe")
    assert room.keys == ["practice.help_also"]
    room.hear("lauter")
    room.hear("hilfe")
    assert room.keys[0] == "practice.help_exercise"
    room.hear("neunundneunzig")
    assert machine.step is MenuStep.EXERCISE
    assert room.hear("lauter") == ["Lauter."]
    assert room.hear("stopp") == ["Gestoppt."]


def test_what_may_have_been_two_things_is_asked_again() -> None:
    room, machine = practice()
    room.hear("ende", "felder", gap=0.4)
    assert room.keys == ["practice.heard_otherwise", "practice.which_exercise_again"]
    assert not machine.over


def test_the_exercises_are_read_out_again_at_every_third_miss_and_when_asked_for() -> None:
    room, _ = practice()
    asked = [room.hear("wetter") and room.keys[-1] for _ in range(6)]
    assert asked == ["practice.which_exercise_again", "practice.which_exercise_again", "practice.which_exercise"] * 2
    room.hear("wiederholen")
    assert room.keys == ["practice.which_exercise"]


def test_a_lost_microphone_is_said_and_the_question_stays() -> None:
    room, machine = practice(chosen="squares", level=1)
    room.event(ev.DeviceLost(at_ms=5, device="microphone"))
    assert room.keys == ["device.microphone_lost"]
    room.event(ev.DeviceFound(at_ms=6, device="microphone"))
    assert room.keys == ["device.microphone_found"]
    room.event(ev.DeviceLost(at_ms=7, device="loudspeaker", was_there=False))
    assert room.keys == ["device.loudspeaker_missing"]
    assert isinstance(machine.exercise, Drill)


def test_random_events_never_raise() -> None:
    random = Random(3)
    words = [
        "ja",
        "nein",
        "eins",
        "zwei",
        "ende",
        "felder",
        "eva vier",
        "[unk]",
        "tipp",
        "pause",
        "weiter",
        "korrektur",
    ]
    words += ["hilfe", "zurück", "stellung", "fertig", "wiederholen", "schneller", "weiß turm eva vier", "remis"]
    for seed in range(6):
        room, machine = practice()
        for _ in range(60):
            room.hear(*random.sample(words, random.choice((1, 1, 2))), gap=random.choice((0.2, 3.0)))
            room.event(ev.Tick(at_ms=room.now))
            if machine.over:
                break
        assert seed >= 0


def test_what_points_to_something_is_asked_about_in_the_choice_and_in_an_exercise() -> None:
    room, machine = practice()
    room.type("irgendwas mit felder")
    assert room.said == ["Felder?"]
    room.type("ja")
    assert room.keys == ["practice.which_level"]
    room.type("eins")
    exercise = machine.exercise
    room.type("irgendwas mit lösungen")
    assert room.said == ["Lösung?"]
    room.type("nein")
    assert machine.exercise is exercise and room.keys == ["practice.then_again"]
    room.type("irgendwas mit lösungen")
    room.type("ja")
    assert "practice.solution" in room.keys[0] or room.keys[0].startswith("practice.")
    assert not any(key.startswith("confirm.") for key in room.keys)


def test_what_points_nowhere_is_told_what_is_waited_for() -> None:
    room, _ = practice(chosen="squares", level=4)
    room.type("rhabarber")
    assert room.keys[0] in ("practice.nothing_heard", "practice.heard_otherwise")
    assert any(key.startswith("practice.expects.") for key in room.keys)


def test_practise_leads_to_the_list_from_everywhere() -> None:
    room, machine = practice(chosen="lessons", level=1)
    room.hear("üben")
    assert room.keys[-1] == "practice.which_exercise" and not machine.over
    room.hear("schach lernen")
    room.hear("üben")
    assert room.keys == ["practice.which_exercise"]
    alone, _ = practice(chosen="lessons")
    alone.hear("üben")
    assert alone.keys == ["practice.which_exercise"]
    alone.hear("ende")
    assert alone.keys == ["practice.goodbye"]


def test_practise_leads_nowhere_from_what_the_list_does_not_have() -> None:
    speaker = Announcer(FIRST_NUMBER)
    entry = ExerciseOffer("x", 1, lambda *_: Drill(course("squares", 1), Deck(), Random(1), speaker, BEGAN), False)
    machine = Practice([entry], speaker, chosen="x")
    room = Room(machine)
    room.begin()
    room.hear("üben")
    assert machine.over and room.keys == ["practice.summary_none"]


def test_another_level_of_the_same_exercise() -> None:
    room, machine = practice(chosen="lessons", level=1)
    assert room.hear("stufe vier")[1].startswith("Stufe vier, die Dame.")
    assert room.hear("nächste stufe")[1].startswith("Stufe fünf, der König.")
    room.hear("stufe dreizehn")
    assert room.said == ["Hier gibt es zwölf Stufen."]
    while "practice.lessons.level_6" not in room.keys:
        room.hear("lösung")
    room.hear("nächste stufe")
    assert room.keys[:2] == ["practice.lessons.explain", "practice.lessons.level_7"]
    answered = len(machine.answers)
    room.hear("lösung")
    room.hear("stufe eins")
    assert len(machine.answers) == answered + 1, "what was answered before is kept"


def test_the_level_may_be_said_before_the_exercise() -> None:
    room, _ = practice()
    assert room.hear("stufe zwei") == ["Stufe zwei.", "Welche Übung? Die Zahl oder der Name."]
    room.hear("felder")
    assert room.keys[1] == "practice.squares.level_2"


def test_who_does_not_know_is_told_where_to_begin() -> None:
    room, _ = practice()
    assert room.hear("weiß nicht") == ["Zum Anfangen: eins, Schach lernen."]
    room.hear("die erste")
    assert room.keys == ["practice.which_level"]
    room.hear("weiß nicht")
    assert room.keys[1] == "practice.lessons.level_1"


def test_the_lessons_come_to_an_end() -> None:
    room, machine = practice(chosen="lessons", level=12)
    for _ in range(5):
        assert not machine.over
        room.hear("lösung")
    assert machine.over
    assert room.said[-2:] == [
        "Das waren alle Stufen: Sie kennen die Regeln.",
        "Fertig. Null von fünf auf Anhieb richtig.",
    ]
    assert room.bookmark is None, "nothing is left to go on with"
