"""The conversation before a game, in the words a player would say."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.drivers.talking import Talking
from voicechess.conversations.asking import MISSES, SILENCE_MS
from voicechess.conversations.welcome import Welcome, WelcomeOutcome, WelcomeStep
from voicechess.display.boards import agreed
from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings, Player
from voicechess.language.thresholds import load_thresholds
from voicechess.meaning import Command, Reading, Unclear, UnclearReason
from voicechess.messages import Phrase


class Talk(Talking):
    """Speaks to a `Welcome`."""

    def __init__(self, welcome: Welcome, language: str = "de", heard_out: bool = True) -> None:
        self.welcome = welcome
        super().__init__(welcome, language, heard_out)

    def tell_step(self, step: WelcomeStep) -> None:
        """Go to the question of this step."""
        self.spoken(self.welcome._enter(step, self.now))


OFFER = "Gegen die Maschine, mit Weiß, leicht, ohne Uhr: einverstanden?"


def test_a_new_player_is_offered_a_game() -> None:
    talk = Talk(Welcome())
    assert talk.said == [
        "Willkommen bei Voicechess.",
        "For English, say: English.",
        "Drei Wörter gehen immer: Hilfe, Wiederholen, Stopp.",
        OFFER,
    ]
    talk.say("ja")
    assert talk.welcome.outcome is WelcomeOutcome.NEW_GAME
    assert talk.welcome.settings == GameSettings(level=2)


def test_who_declines_the_offer_is_asked_one_by_one() -> None:
    talk = Talk(Welcome())
    assert talk.say("nein") == ["Gegen die Maschine, einen Menschen oder online?"]
    assert talk.say("maschine") == ["Weiß, Schwarz oder Zufall?"]
    assert talk.say("schwarz")[0] == "Sie haben Schwarz."
    assert talk.say("stufe zwei") == ["Wie viele Minuten? Oder: ohne Uhr."]
    talk.say("fünf minuten plus drei")
    assert talk.welcome.outcome is WelcomeOutcome.NEW_GAME
    assert talk.welcome.settings == GameSettings(white=Player.ENGINE, black=Player.VOICE, level=2, time="5+3")


@pytest.mark.parametrize(("above", "over"), [(0.0, True), (0.01, False)])
def test_it_ends_for_a_word_that_was_surely_heard(above: float, over: bool) -> None:
    talk = Talk(Welcome())
    reading = Reading(Command("end"), load_thresholds().command + above)
    talk.tell(ev.Heard(at_ms=1, readings=(reading,), words="ende", began_ms=0, ended_ms=1))
    assert talk.welcome.over is over


def test_one_of_two_choices_heard_nearly_as_well_is_asked_about() -> None:
    talk = Talk(Welcome())
    talk.tell_step(WelcomeStep.LEVEL)
    above = load_thresholds().command + 0.01
    seven, eight = (Reading(Command("level", (("number", n),)), above, f"Stufe {n}") for n in (7, 8))
    heard = ev.Heard(at_ms=1, readings=(seven, eight), words="stufe sieben", began_ms=0, ended_ms=1)
    assert talk.tell(replace(heard, perhaps=(seven, eight))) == ["Stufe 7 oder Stufe 8?"]
    assert talk.say("das zweite")[0] == "Stufe acht."


WITHOUT_GAME = {
    ("de", "hilfe"): {
        "practise": "üben",
        "analyse": "analyse",
        "set_up": "stellung aufbauen",
        "find_games": "partien suchen",
        "mistake": "was war mein fehler",
    },
    ("en", "help"): {
        "practise": "practise",
        "analyse": "analysis",
        "set_up": "set up a position",
        "find_games": "find games",
        "mistake": "what was my mistake",
    },
}


@pytest.mark.parametrize(("language", "help_word"), WITHOUT_GAME)
@pytest.mark.parametrize("step", [step for step in WelcomeStep if step is not WelcomeStep.DONE])
def test_practice_and_analysis_are_reached_from_every_question_and_named_by_help(
    step: WelcomeStep, language: str, help_word: str
) -> None:
    for command, words in WITHOUT_GAME[language, help_word].items():
        talk = Talk(Welcome(usual=GameSettings(), rematch=(GameSettings(),)), language)
        talk.tell_step(step)
        named = words in " ".join(line for _ in range(3) for line in talk.type(help_word)).lower()
        talk.say(words, ev.Source.VOICE if language == "de" else ev.Source.KEYBOARD)
        there = talk.welcome.outcome is WelcomeOutcome.PRACTISE and talk.welcome.wish.name == command
        assert there == named == (step is not WelcomeStep.MICROPHONE), command


@pytest.mark.parametrize("words", ["neue partie", "noch eine partie"])
def test_a_new_game_is_what_every_question_leads_to(words: str) -> None:
    talk = Talk(Welcome())
    assert talk.type(words) == [OFFER]
    old = Talk(Welcome(unfinished=True))
    assert old.type(words) == [OFFER], "not the old one"


def test_a_doubtful_word_takes_nobody_to_practice() -> None:
    talk = Talk(Welcome())
    reading = Reading(Command("practise"), load_thresholds().command + 0.01)
    talk.tell(ev.Heard(at_ms=1, readings=(reading,), words="üben", began_ms=0, ended_ms=1))
    assert not talk.welcome.over


def test_where_others_talk_a_question_is_put_again_once_and_then_in_the_usual_time() -> None:
    talk = Talk(Welcome())
    talk.say("nein")

    def noise() -> list[str]:
        talk.now += 1_000
        unclear = (Reading(Unclear(UnclearReason.NO_SENSE)),)
        now = talk.now
        event = ev.Heard(at_ms=now, readings=unclear, words="", began_ms=now, ended_ms=now, fits_badly=True)
        return talk.tell(event)

    again = ["Nicht verstanden.", "Maschine, Mensch oder online?"]
    assert noise() == again
    assert noise() == noise() == []
    assert talk.wait(SILENCE_MS - 2_000) == again
    assert talk.say("maschine") == ["Weiß, Schwarz oder Zufall?"]


def test_what_was_heard_is_told_only_where_it_is_all_there_was() -> None:
    talk = Talk(Welcome())
    talk.tell_step(WelcomeStep.OPPONENT)
    assert talk.say("zeit")[0] == "Gehört: zeit."
    assert talk.say("maschine [unk]")[0] == "Nicht verstanden."


def test_help_is_given_the_third_time_and_again_the_sixth() -> None:
    talk = Talk(Welcome())
    talk.tell_step(WelcomeStep.OPPONENT)
    told = [" ".join(talk.say("zeit")) for _ in range(6)]
    assert ["Fernpartie" in one for one in told] == [False, False, True] * 2


@pytest.mark.parametrize("words", ["no limit", "no time limit", "without time", "without a clock", "unlimited"])
def test_no_limit_is_an_answer_in_english(words: str) -> None:
    talk = Talk(Welcome(), "en")
    talk.say("no", ev.Source.KEYBOARD)
    talk.tell_step(WelcomeStep.TIME)
    talk.say(words, ev.Source.KEYBOARD)
    assert talk.welcome.outcome is WelcomeOutcome.NEW_GAME and talk.welcome.settings.time == ""


@pytest.mark.parametrize(
    ("words", "time"),
    [
        ("ohne uhr", ""),
        ("zehn minuten", "10"),
        ("drei minuten plus zwei", "3+2"),
        ("neunzig minuten", "90"),
        ("zwei stunden", "120"),
        ("eine stunde dreißig minuten", "90"),
        ("eine stunde", "60"),
    ],
)
def test_times_as_people_say_them(words: str, time: str) -> None:
    talk = Talk(Welcome(by_voice=False))
    for answer in ("nein", "mensch", words):
        talk.say(answer)
    assert talk.welcome.outcome is WelcomeOutcome.NEW_GAME
    assert talk.welcome.settings == GameSettings(white=Player.VOICE, black=Player.VOICE, time=time)


@pytest.mark.parametrize("words", ["zurück zu zug fünf", "ansagen fünf minuten", "grundstellung fünf"])
def test_a_number_in_another_sentence_is_no_time(words: str) -> None:
    talk = Talk(Welcome(by_voice=False))
    talk.say("nein")
    talk.say("mensch")
    talk.say(words)
    assert talk.welcome.step is WelcomeStep.TIME


def test_numbers_alone_answer_the_level_and_the_time() -> None:
    talk = Talk(Welcome(by_voice=False, coin=lambda: False))
    for answer in ("nein", "maschine", "zufall", "drei", "acht"):
        talk.say(answer)
    assert talk.welcome.settings == GameSettings(white=Player.ENGINE, black=Player.VOICE, level=3, time="8")


def test_the_unfinished_game_is_offered_before_anything_else() -> None:
    talk = Talk(Welcome(unfinished=True, by_voice=False))
    assert "Weiterspielen?" in talk.said[-1]
    talk.say("ja")
    assert talk.welcome.outcome is WelcomeOutcome.GO_ON
    declined = Talk(Welcome(unfinished=True, by_voice=False))
    declined.say("nein")
    assert declined.welcome.outcome is None
    assert declined.welcome.step is WelcomeStep.OFFER


def test_as_always() -> None:
    usual = GameSettings(level=4, time="5+3")
    talk = Talk(Welcome(usual=usual, by_voice=False))
    assert talk.said[-1].startswith("Wie immer: Sie mit Weiß gegen die Maschine, Stufe vier, ")
    talk.say("ja")
    assert talk.welcome.settings == usual
    at_once = Talk(Welcome(usual=usual, by_voice=False))
    at_once.say("nein")
    at_once.say("wie immer")
    assert at_once.welcome.settings == usual


def test_what_the_settings_say_is_offered_after_what_was_played_last() -> None:
    settings = GameSettings(white=Player.ENGINE, black=Player.VOICE, level=2, time="10", laws=1985)
    talk = Talk(Welcome(settings=settings, usual=GameSettings(level=4), by_voice=False))
    assert talk.said[-1].startswith("Wie immer: ")
    assert talk.say("nein") == ["Wie eingestellt: Sie mit Schwarz gegen die Maschine, Stufe zwei, zehn Minuten?"]
    talk.say("ja")
    assert talk.welcome.settings == settings
    declined = Talk(Welcome(settings=settings, by_voice=False))
    declined.say("nein")
    for answer in ("mensch", "ohne uhr"):
        declined.say(answer)
    people = GameSettings(white=Player.VOICE, black=Player.VOICE, level=2, laws=1985)
    assert declined.welcome.settings == people, "what was not asked is as it was set"


@pytest.mark.parametrize("settings", [GameSettings(laws=1985), GameSettings(level=4)])
def test_the_settings_are_not_offered_where_they_say_what_is_known(settings: GameSettings) -> None:
    talk = Talk(Welcome(settings=settings, usual=GameSettings(level=4), by_voice=False))
    assert talk.say("nein") == ["Gegen die Maschine, einen Menschen oder online?"]


@pytest.mark.parametrize("words", ["online", "lichess", "online spielen"])
def test_play_at_a_server_begins_here_where_there_is_an_account(words: str) -> None:
    talk = Talk(Welcome(by_voice=False, account=lambda: True))
    assert talk.say(words) == []
    assert talk.welcome.outcome is WelcomeOutcome.ONLINE
    nowhere = Talk(Welcome(by_voice=False))
    assert nowhere.say(words) == [
        "Dafür braucht es ein Konto bei Lichess. Anmelden mit dem Befehl: voicechess online login.",
        "Maschine, Mensch oder online?",
    ]
    assert nowhere.welcome.outcome is None


def test_every_hearing_is_answered_and_help_fits_the_question() -> None:
    talk = Talk(Welcome(by_voice=False))
    talk.say("nein")
    again = "Maschine, Mensch oder online?"
    answers = "Maschine, Mensch, Fernpartie, oder online. Oder gegen mehrere: Simultan gegen fünf."
    assert talk.say("hilfe") == [answers, "Mehr mit Hilfe.", again]
    assert talk.say("hilfe") == [
        "Ohne Partie: Üben, Analyse, Partien suchen, Stellung aufbauen, Übertragung, was war mein Fehler.",
        again,
    ]
    assert talk.say("hilfe") == [
        "Und: Zurück. Wiederholen. Stopp. Lauter, leiser, schneller, langsamer. Kopfhörer, Kopfhörer aus. Ton aus, "
        "Ton an. Englisch. Handbuch. Ende.",
        again,
    ]
    assert talk.say("hilfe")[0] == answers
    talk.say("wiederholen")
    assert talk.say("hilfe")[0] == answers, "it begins with what is waited for"
    for _ in range(5):
        assert talk.say("felix sieben")
    assert talk.welcome.step is WelcomeStep.OPPONENT
    assert talk.say("wiederholen") == ["Gegen die Maschine, einen Menschen oder online?"]
    assert talk.say("stopp")
    talk.say("ende")
    assert talk.welcome.outcome is WelcomeOutcome.END


def test_who_is_not_heard_is_asked_again_and_then_sent_to_the_keyboard() -> None:
    talk = Talk(Welcome())
    said = [sentence for _ in range(2 * MISSES) for sentence in talk.wait(SILENCE_MS)]
    assert said[:2] == ["Ich höre nichts.", OFFER]
    assert "Sagen Sie bitte: Anna eins." in said
    assert any(sentence.startswith("Ich höre Sie nicht. Weiter mit der Tastatur") for sentence in said)
    assert talk.welcome.step is WelcomeStep.OFFER


def test_whose_words_were_understood_is_heard_whatever_they_were() -> None:
    talk = Talk(Welcome())
    talk.tell_step(WelcomeStep.MICROPHONE)
    assert talk.say("hilfe")
    for words in ("hallo", "ja"):
        talk.say(words)
    assert talk.say("hallo")[:1] == ["Ich höre Sie."]
    assert talk.welcome.step is WelcomeStep.OFFER


def test_who_is_heard_and_not_understood_is_told_that() -> None:
    talk = Talk(Welcome())
    talk.tell_step(WelcomeStep.MICROPHONE)
    said = [sentence for _ in range(MISSES) for sentence in talk.say("hallo wetter")]
    assert any(sentence.startswith("Ich kann Sie nicht verstehen. Weiter mit der Tastatur") for sentence in said)


@pytest.mark.parametrize(
    ("language", "missing", "lost", "found"),
    [
        (
            "de",
            "Kein Mikrofon antwortet. Es geht mit der Tastatur.",
            "Das Mikrofon antwortet nicht mehr. Es geht mit der Tastatur weiter.",
            "Das Mikrofon ist da.",
        ),
        (
            "en",
            "No microphone answers. The keyboard works.",
            "The microphone no longer answers. The keyboard still works.",
            "The microphone is there.",
        ),
    ],
)
def test_only_a_microphone_that_was_there_does_not_answer_any_more(
    language: str, missing: str, lost: str, found: str
) -> None:
    talk = Talk(Welcome(by_voice=False), language)
    assert talk.tell(ev.DeviceLost(at_ms=1, device="microphone", was_there=False)) == [missing]
    assert talk.tell(ev.DeviceFound(at_ms=2, device="microphone")) == [found]
    assert talk.tell(ev.DeviceLost(at_ms=3, device="microphone")) == [lost]


@pytest.mark.parametrize("source", ev.Source)
@pytest.mark.parametrize("step", [step for step in WelcomeStep if step is not WelcomeStep.DONE])
def test_english_said_or_typed_changes_the_language_and_german_back(step: WelcomeStep, source: ev.Source) -> None:
    rematch = (GameSettings(),) if step is WelcomeStep.REMATCH else ()
    talk = Talk(Welcome(usual=GameSettings(), rematch=rematch))
    assert ("For English, say: English." in talk.said) is (not rematch), "only the first time"
    talk.tell_step(step)
    typed = source is ev.Source.KEYBOARD
    for words, language in (("english" if typed else "englisch", "en"), ("german" if typed else "auf deutsch", "de")):
        said = talk.say(words, source)
        assert talk.wording.language == language
        assert said[0] == {"en": "English from now on.", "de": "Jetzt Deutsch."}[language]
        assert len(said) >= 2 and talk.welcome.step is step and talk.expectation.asked.kind is not None
    assert Talk(Welcome(three_words=False)).said[0] and "English" not in " ".join(Talk(Welcome(three_words=False)).said)


def test_what_was_no_word_is_not_read_back() -> None:
    talk = Talk(Welcome(by_voice=False))
    talk.tell_step(WelcomeStep.OPPONENT)
    assert talk.say("[unk]") == ["Nicht verstanden.", "Maschine, Mensch oder online?"]
    assert talk.say("[unk] wetter <unk>")[0] == "Gehört: wetter."


def test_whoever_types_need_not_prove_the_microphone() -> None:
    talk = Talk(Welcome())
    talk.tell_step(WelcomeStep.MICROPHONE)
    assert talk.say("hallo", ev.Source.KEYBOARD)[0] == "Gut, Sie tippen. Sprechen geht auch."
    assert talk.welcome.step is WelcomeStep.OFFER


def test_whoever_is_spoken_to_is_not_silent() -> None:
    """In English what comes before the first question takes longer than anybody is silent."""
    talk = Talk(Welcome(), "en", heard_out=False)
    assert [talk.wait(SILENCE_MS) for _ in range(5)] == [[]] * 5
    for number in range(1, len(talk.said) + 1):
        assert talk.wait(SILENCE_MS) == []
        talk.tell(ev.Spoken(at_ms=talk.now, number=number))
    assert talk.wait(SILENCE_MS - 1) == []
    assert talk.wait(1)[0] == "I hear nothing."


def test_a_wrong_answer_is_answered_in_short() -> None:
    talk = Talk(Welcome(unfinished=True, by_voice=False))
    asked = talk.said[-1]
    assert talk.say("springer felix drei") == ["Gehört: springer felix drei.", "Weiterspielen? Ja oder nein?"]
    assert talk.say("wiederholen") == [asked]


def test_the_words_that_always_work_need_not_be_told() -> None:
    assert Talk(Welcome(three_words=False)).said == [
        "Willkommen bei Voicechess.",
        OFFER,
    ]


def test_after_a_game_the_same_again_is_offered_first() -> None:
    before = GameSettings(level=4, time="5+3")
    asked = "Revanche: Sie mit Weiß gegen die Maschine, Stufe vier, fünf Minuten, drei Sekunden je Zug?"
    talk = Talk(Welcome(usual=before, rematch=(before,), unfinished=True))
    assert talk.said == [asked], "neither a greeting nor another trial of the microphone"
    assert talk.say("ja") == []
    assert (talk.welcome.outcome, talk.welcome.settings) == (WelcomeOutcome.NEW_GAME, before)
    declined = Talk(Welcome(usual=before, rematch=(before,), unfinished=True))
    assert declined.say("nein") == ["Eine Partie ist nicht zu Ende. Weiterspielen?"]
    assert declined.say("nein") == ["Gegen die Maschine, einen Menschen oder online?"]


def test_who_was_greeted_is_not_greeted_again() -> None:
    assert Talk(Welcome(greeted=True)).said == [OFFER]


@pytest.mark.parametrize(("language", "words"), [("de", "simultan gegen fünf"), ("en", "simul against five")])
def test_a_display_is_begun_by_voice(language: str, words: str) -> None:
    talk = Talk(Welcome(by_voice=False, settings=GameSettings(time="5+3", level=7)), language)
    said = talk.say(words, ev.Source.KEYBOARD)
    assert said == [{"de": "Stufe, von eins bis zehn? Eins ist die leichteste."}.get(language, said[0])]
    assert talk.say("2", ev.Source.KEYBOARD) == []
    welcome = talk.welcome
    assert (welcome.outcome, welcome.boards, welcome.again) == (WelcomeOutcome.NEW_GAME, 5, False)
    assert (welcome.settings.level, welcome.settings.time) == (2, ""), "without a clock, unless one is wanted"


@pytest.mark.parametrize(
    ("language", "words", "levels", "alternating"),
    [
        ("de", "alle stufe drei", (3, 3, 3, 3, 3), False),
        ("de", "stufe drei weiß und schwarz", (3, 3, 3, 3, 3), True),
        ("de", "stufe zwei dann zwei dann drei dann drei dann vier", (2, 2, 3, 3, 4), False),
        ("de", "zwei dann vier", (2, 4, 2, 4, 2), False),
        ("en", "level two then four", (2, 4, 2, 4, 2), False),
        ("en", "all level three white and black", (3, 3, 3, 3, 3), True),
    ],
)
def test_the_levels_and_colours_of_a_display_are_said(
    language: str, words: str, levels: tuple[int, ...], alternating: bool
) -> None:
    talk = Talk(Welcome(by_voice=False), language)
    talk.say("simultan gegen fünf" if language == "de" else "simul against five", ev.Source.KEYBOARD)
    assert talk.say(words, ev.Source.KEYBOARD) == []
    welcome = talk.welcome
    assert (welcome.boards, welcome.levels, welcome.alternating) == (5, levels, alternating)
    assert welcome.settings.time == ""


def test_levels_that_do_not_fit_are_asked_for_again() -> None:
    talk = Talk(Welcome(by_voice=False))
    talk.say("simultan gegen zwei")
    assert talk.say("eins dann zwei dann drei") == ["Es gibt nur zwei Bretter.", "Stufe eins bis zehn?"]
    assert talk.say("eins dann elf")[-1] == "Stufe eins bis zehn?"
    assert talk.say("hilfe")[0].startswith("Eine Stufe für alle, oder mehrere")
    assert talk.say("eins dann zwei") == []
    assert talk.welcome.levels == (1, 2)
    single = Talk(Welcome(by_voice=False))
    single.say("nein")
    single.say("maschine")
    single.say("weiß")
    assert single.say("zwei dann drei")[-1] == "Stufe eins bis zehn?", "one game has one level"
    assert single.welcome.outcome is None


def test_how_many_boards_is_asked_and_too_many_are_refused() -> None:
    talk = Talk(Welcome(by_voice=False))
    assert talk.say("simultan") == ["Gegen wie viele?"]
    assert talk.say("hilfe")[0] == "So viele Bretter, wie Sie wollen, von zwei bis achtundvierzig."
    assert talk.say("eins") == ["Zwei bis achtundvierzig Bretter.", "Gegen wie viele?"]
    assert talk.say("simultan gegen fünf hundert") == ["Zwei bis achtundvierzig Bretter.", "Gegen wie viele?"]
    assert talk.say("zwanzig")[0].startswith("Stufe")
    assert talk.say("ach was")[0] != ""
    assert talk.say("drei") == []
    assert talk.welcome.boards == 20


def test_after_a_display_the_same_is_offered() -> None:
    before = agreed(GameSettings(), "x", [2, 2])
    talk = Talk(Welcome(rematch=before))
    assert talk.said == ["Revanche: Simultan gegen zwei, Stufe zwei?"]
    assert talk.say("ja") == []
    assert (talk.welcome.boards, talk.welcome.again) == (2, True)
    mixed = Talk(Welcome(rematch=agreed(GameSettings(), "x", [2, 3])))
    assert mixed.said == ["Revanche: Simultan gegen zwei?"]


def test_after_another_choice_there_is_no_display() -> None:
    talk = Talk(Welcome(by_voice=False, usual=GameSettings(level=4)))
    assert talk.say("simultan gegen drei")[0].startswith("Stufe")
    assert talk.say("wie immer") != []
    assert talk.welcome.boards == 0


KNOWN = GameSettings(level=4, time="5+3")


def test_who_plays_as_always_is_asked_at_once() -> None:
    talk = Talk(Welcome(usual=KNOWN, three_words=False))
    assert talk.said == ["Willkommen.", "Wie immer: Weiß, Stufe vier, fünf Minuten, drei Sekunden je Zug?"]
    assert talk.say("ja") == []
    assert (talk.welcome.outcome, talk.welcome.settings) == (WelcomeOutcome.NEW_GAME, KNOWN)
    assert talk.welcome.opening is None
    english = Talk(Welcome(usual=KNOWN, three_words=False), "en")
    assert english.said == ["Welcome.", "As usual: White, level four, five minutes, three seconds a move?"]


def test_who_has_a_game_to_go_on_with_is_asked_at_once_too() -> None:
    talk = Talk(Welcome(usual=KNOWN, three_words=False, unfinished=True))
    assert talk.said == ["Willkommen.", "Eine Partie ist nicht zu Ende. Weiterspielen?"]


def test_the_first_move_is_a_yes_to_playing_as_always() -> None:
    for welcome in (Welcome(usual=KNOWN, three_words=False), Welcome(usual=KNOWN, by_voice=False)):
        talk = Talk(welcome)
        assert talk.say("eva vier") == []
        assert (talk.welcome.outcome, talk.welcome.settings) == (WelcomeOutcome.NEW_GAME, KNOWN)
        assert talk.welcome.opening is not None
        assert talk.welcome.opening.words == "eva vier"


@pytest.mark.parametrize("words", ["eva fünf", "springer", "eva", "dame hector fünf", "springer eva zwei"])
def test_what_is_no_first_move_begins_no_game(words: str) -> None:
    talk = Talk(Welcome(usual=KNOWN, three_words=False))
    assert talk.say(words) == [f"Gehört: {words}.", "Wie immer? Ja oder nein?"]
    assert talk.welcome.outcome is None


@pytest.mark.parametrize(
    "usual",
    [
        GameSettings(white=Player.ENGINE, black=Player.VOICE),
        GameSettings(chess960=5),
        GameSettings(fen="4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
    ],
)
def test_a_first_move_is_taken_only_where_it_is_the_player_s_and_the_usual_position(usual: GameSettings) -> None:
    talk = Talk(Welcome(usual=usual, three_words=False))
    talk.say("eva vier")
    assert talk.welcome.outcome is None
    talk.say("nein")
    assert talk.say("eva vier")[0] == "Gehört: eva vier."


def test_where_the_one_who_is_known_is_not_heard_the_microphone_is_tried() -> None:
    talk = Talk(Welcome(usual=KNOWN, three_words=False))
    said: list[str] = []
    for _ in range(2 * MISSES + 2):
        talk.now += SILENCE_MS
        said += talk.tell(ev.Tick(at_ms=talk.now))
    assert said.index("Sagen Sie bitte: Anna eins.") < said.index(
        talk.wording.say(Phrase("welcome.use_keyboard_unheard"))
    )
    assert talk.welcome.step is WelcomeStep.USUAL
    assert said.count("Sagen Sie bitte: Anna eins.") == 1


def test_the_handbook_is_read_section_by_section_and_the_question_put_again_after_it() -> None:
    talk = Talk(Welcome())
    first = talk.say("handbuch")
    assert first[:2] == ["Im Handbuch: Weiter. Zurück. Wiederholen. Stopp.", "Handbuch zu voicechess."]
    assert first[-1] == "Weiter?"
    assert talk.say("weiter")[0] == "Die erste Partie."
    assert talk.say("ja")[0] == "Züge ansagen."
    assert talk.say("zurück")[0] == "Die erste Partie."
    assert talk.say("springer felix drei")[-1] == "Weiter?"
    assert talk.say("lauter") == ["Lauter."]
    assert talk.say("wiederholen")[0] == "Die erste Partie."
    assert talk.say("englisch")[1] == "The first game."
    assert talk.say("deutsch")[1] == "Die erste Partie."
    assert talk.say("stopp") == ["Handbuch zu.", OFFER]
    assert talk.say("handbuch")[0] == "Die erste Partie."
    for _ in range(20):
        last = talk.say("weiter")
        if last[0] == "Das war das Handbuch.":
            break
    assert last == ["Das war das Handbuch.", OFFER]
    talk.say("ja")
    assert talk.welcome.outcome is WelcomeOutcome.NEW_GAME


def test_silence_in_the_handbook_is_asked_once_and_another_command_closes_it() -> None:
    talk = Talk(Welcome())
    talk.say("handbuch")
    assert talk.wait(SILENCE_MS) == ["Weiter?"]
    assert talk.wait(SILENCE_MS) == talk.wait(SILENCE_MS) == []
    assert talk.say("simultan") == ["Handbuch zu.", "Gegen wie viele?"]
