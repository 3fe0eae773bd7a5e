"""The program beside its own loudspeaker: it answers nothing that it says itself, and hears who speaks into its end.

Listener, canceller, loop and session as they run, in a room of arithmetic (`models.bench.stage`); issue 49.
"""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from models.bench.loudspeaker import NO_ECHO_DB
from models.bench.room import ANSWERED_MS
from models.bench.stage import Sounds, Stage
from models.bench.synthesis import Voice
from tests.sound.fakes import ScriptedMicrophone, ScriptedModel, hush, tone
from tests.sound.test_listener import steps
from voicechess.app.hearing import Hearing
from voicechess.game import events as ev
from voicechess.language.lexicon import load
from voicechess.meaning import Hypothesis, RecognisedUtterance, Word
from voicechess.sound.echo import Echo
from voicechess.sound.listener import Listener, ListenerCallbacks
from voicechess.sound.mixing import NOMINAL_DBFS, at_level
from voicechess.sound.model import VoskModel
from voicechess.sound.overhearing import Overhearing, coincides, repeated
from voicechess.sound.queued import PlayedText
from voicechess.sound.voices import same_dither
from voicechess.storage.speech_models import scaling_of

PLAYER = Voice(rate=150)
REPETITION = "Bauer Eva zwei Eva vier."


@pytest.fixture(scope="module")
def model(model_path: Path) -> VoskModel:
    return VoskModel(model_path, scaling_of(model_path))


class Scene:
    """A game of two people whose first move is typed. `told`: what was said since then; `heard`: by voice."""

    def __init__(self, model: VoskModel, echo_db: float, late_ms: int) -> None:
        same_dither()
        self._sounds = Sounds()
        hearing = Hearing(load("de").restrict(model.knows))
        self.stage = Stage(model, hearing, self._sounds, echo_db, random.Random(late_ms))
        self.stage.air.stay(late_ms)

    def play(self, words: str = "", after_ms: int = 0, into_ms: int | None = None) -> list[ev.Heard]:
        """What is heard where the player says these words so long after the end of the repetition of a move as they
        hear it, or so long after the program has begun to read the position."""
        stage = self.stage
        ends_ms: int | None = None
        over_ms = 1 << 40

        def say() -> None:
            nonlocal over_ms
            if words:
                stage.air.say(at_level(self._sounds(words, PLAYER), NOMINAL_DBFS))
            over_ms = stage.clock.ms + ANSWERED_MS

        def after() -> None:
            nonlocal ends_ms
            now_ms, left_ms = stage.clock.ms, stage.voice.left_ms
            if over_ms < 1 << 40:
                return
            if into_ms is None:
                if not stage.told[2:] and stage.silent and now_ms > 3_000:
                    stage.inbox.type_line("e2e4")
                if ends_ms is None and stage.told[-1:] == [REPETITION] and left_ms is not None:
                    ends_ms = now_ms + left_ms + stage.air.late_ms
                if ends_ms is not None and now_ms >= ends_ms + after_ms:
                    say()
            else:
                if not stage.told[2:] and stage.silent and now_ms > 3_000:
                    stage.inbox.type_line("ganze Stellung")
                if ends_ms is None and stage.told[2:] and left_ms is not None:
                    ends_ms = now_ms
                if ends_ms is not None and now_ms >= ends_ms + into_ms:
                    say()

        stage.after = after
        stage.play(lambda: stage.clock.ms > over_ms)
        return [event for _, event in stage.game.heard]


@pytest.mark.parametrize("echo_db", [NO_ECHO_DB, 0.0])
@pytest.mark.parametrize("after_ms", [80, 200])
def test_a_word_begun_right_behind_the_end_of_a_sentence_is_heard_whole(
    model: VoskModel, echo_db: float, after_ms: int
) -> None:
    scene = Scene(model, echo_db, 100)
    assert [event.words for event in scene.play("Remis", after_ms)] == ["remis"]


def test_a_word_begun_into_the_end_of_a_sentence_is_heard_whole(model: VoskModel) -> None:
    assert [event.words for event in Scene(model, NO_ECHO_DB, 50).play("Remis", -250)] == ["remis"]


@pytest.mark.parametrize(
    ("words", "late_ms", "question"),
    [
        # "Felix sechs" was played: what is softer than the program's words before it was taken for a bystander's.
        ("Springer Gustav acht Felix sechs", 50, "Meinten Sie Springer Felix sechs?"),
        ("Eva fünf", 150, "Meinten Sie Eva fünf?"),  # nothing was answered
    ],
)
def test_a_move_begun_right_behind_a_loud_sentence_is_asked_about(
    model: VoskModel, words: str, late_ms: int, question: str
) -> None:
    scene = Scene(model, 10.0, late_ms)
    scene.play(words, 0)
    assert scene.stage.told[-1] == question
    assert [move.uci() for move in scene.stage.game.session.board.move_stack] == ["e2e4"]


@pytest.mark.parametrize(
    ("script", "lasts_ms", "reported"),
    [
        ("zwei spieler weiß beginnt eva vier | eva vier", 800, ["eva vier, torn"]),
        ("zwei spieler eva vier auf | eva vier auf", 400, ["eva vier auf, torn"]),  # most words are not the program's
        ("zwei spieler weiß beginnt", 800, []),
        ("zwei eva vier", 400, ["zwei eva vier"]),  # a single word may be anybody's
    ],
)
def test_what_follows_the_programs_words_is_recognised_alone(script: str, lasts_ms: int, reported: list[str]) -> None:
    """Said right behind the greeting, all of it was dropped as the program's, and nothing was answered (issue 49)."""
    heard: list[str] = []
    words = script.replace(" |", "").split()
    model = ScriptedModel(words, word_ms=200)
    overhearing = Overhearing(model)
    text = "Zwei Spieler, weiß beginnt." if lasts_ms > 400 else "Zwei Spieler."
    overhearing.said = lambda _began_ms, _ended_ms: [PlayedText(text, 1_000, lasts_ms)]
    listener = Listener(
        lambda: ScriptedMicrophone(hush(1_000) + tone(200 * len(script.partition(" |")[0].split())) + hush(2_000)),
        model,
        ListenerCallbacks(
            heard=lambda said: heard.append(f"{said.hypotheses[0].text}{', torn' if said.torn else ''}"),
        ),
        overhearing=overhearing,
        leaks=lambda: True,
    )
    listener.expect(words)
    steps(listener)
    assert heard == reported


@pytest.mark.parametrize("before_ms", [0, 100, 300])
def test_a_word_begun_right_before_a_short_sentence_and_ended_into_it_is_heard_whole(before_ms: int) -> None:
    """What was heard before the sentence was dropped with its beginning: by ear a "Korrektur" became a "Hector" then,
    two of 62 (issue 49). A word that was told before is not heard again."""
    heard: list[str] = []
    model = ScriptedModel(50 * ["turm"], word_ms=100)
    overhearing = Overhearing(model)
    begins_ms = 2_000 + before_ms
    listener = Listener(
        lambda: ScriptedMicrophone(hush(1_000) + tone(100) + hush(900) + tone(600) + hush(2_000)),
        model,
        ListenerCallbacks(
            heard=lambda utterance: heard.append(utterance.hypotheses[0].text),
            overheard=lambda utterance: heard.append(f"over: {utterance.hypotheses[0].text}"),
        ),
        speaking=lambda at_ms: begins_ms < at_ms <= 2_700,
        overhearing=overhearing,
        leaks=lambda: True,
    )
    listener.expect(["turm"])
    overhearing.expect(["turm"])
    steps(listener)
    assert heard == ["turm", "turm turm turm turm turm turm"]


@pytest.mark.parametrize(
    ("heard", "its_own"),
    [
        ("bauer sieben anna sechs", True),
        ("eva sieben ist leer", False),
        ("noch kein zug", False),
        ("anna", False),
        ("turm anna eins", False),
        ("das ist der bauer anna sieben dort hinten noch", False),
    ],
)
def test_words_of_its_own_sentence_are_known(heard: str, its_own: bool) -> None:
    assert repeated(heard.split(), "Bauer Anna sieben Anna sechs.") == its_own


def test_words_that_were_recognised_with_a_letter_changed_are_known() -> None:
    """By ear, with an echo that the canceller did not follow, "Weiß zog Hector vier." was taken for the player's."""
    assert repeated(["weiß", "zug", "hektor", "vier"], "Weiß zog Hector vier.")
    assert not repeated(["zwei", "hektor"], "Drei Hector.")


@pytest.mark.parametrize(
    ("began_ms", "text", "own"),
    [
        (2_600, "felix fünf", True),
        (3_000, "felix fünf", True),
        (3_700, "felix fünf", False),  # a player who repeats it
        (1_700, "felix fünf", False),  # and one who says it into the sentence
        (2_600, "felix", False),
        (2_600, "turm felix", False),
    ],
)
def test_words_are_its_own_at_the_time_at_which_it_says_them(began_ms: int, text: str, own: bool) -> None:
    """By ear, when the echo had become 20 dB louder within the sentence, its "Felix fünf" was asked about as a move."""
    words = [Word(word, began_ms + 350 * at, began_ms + 350 * at + 300) for at, word in enumerate(text.split())]
    assert coincides(words, [PlayedText("Dame Cesar acht Felix fünf.", 1_000, 2_400)]) == own
    assert not coincides(words, [PlayedText("Dame Cesar acht Felix fünf.", 1_000)])


@pytest.mark.parametrize(
    ("at_ms", "played"),
    [
        (900, ""),  # the words began after the sound was cut, with `EARLY_MS` to spare
        (1_500, "Läufer"),
        (3_100, "Läufer Cesar Felix eins;"),
        (5_000, "Läufer Cesar Felix eins; Bauern Eva vier."),
    ],
)
def test_words_that_were_cut_are_not_its_own(at_ms: int, played: str) -> None:
    """By ear, after "Stopp" into an announcement, "Eva fünf" was dropped as words that it had never come to, which were
    found in a poorer hypothesis: "felix eva fünf" (issue 49)."""
    said = PlayedText("Läufer Cesar Felix eins; Bauern Eva vier.", 1_300, 3_700)
    assert said.until(at_ms).text == played
    heard = [Word("felix", 3_200, 3_600), Word("eva", 3_850, 4_150), Word("fünf", 4_150, 4_450)]
    assert coincides(heard, [said]) and not coincides(heard, [said.until(3_100)])
    for unknown in (replace(said, lasts_ms=0), replace(said, is_estimate=True), replace(said, text="")):
        assert unknown.until(at_ms) == unknown


@pytest.mark.parametrize(
    ("text", "fit", "strange"),
    [
        ("felix fünf", 20.0, True),
        ("eva fünf", 20.0, True),  # one of them may be anybody's
        ("felix fünf", 5.0, False),
        ("felix", 20.0, False),
        ("felix [unk]", 20.0, False),
        ("eva zwei", 20.0, False),
    ],
)
def test_clear_words_that_it_has_not_said_are_the_players_whatever_their_sound(
    model: VoskModel, text: str, fit: float, strange: bool
) -> None:
    words = tuple(Word(word, 1_200 + 300 * at, 1_500 + 300 * at) for at, word in enumerate(text.split()))
    overhearing = Overhearing(model)
    overhearing.said = lambda _began_ms, _ended_ms: [PlayedText("Bauer Eva zwei Eva vier.", 1_000, 1_500)]
    assert overhearing.is_strange(RecognisedUtterance((Hypothesis(words, fit=fit),), 1_200, 1_800)) == strange


@pytest.mark.parametrize(
    ("slower", "faster", "steady"),
    [("stopp", "stopp", True), ("dem stopp", "stopp", True), ("stopp", "sturm", False), ("[unk]", "[unk]", False)],
)
def test_a_word_said_into_the_programs_speech_is_judged_by_itself_where_every_speed_has_it(
    model: VoskModel, monkeypatch: pytest.MonkeyPatch, slower: str, faster: str, steady: bool
) -> None:
    """ "Stopp" into an echo as loud: of 80, 55 were obeyed, since the words before it fitted badly (issue 49)."""
    overhearing = Overhearing(model)
    judged: dict[str, object] = {}

    def judge(began_ms: int, _ended_ms: int, _clear: bool, garbled: bool, *_: bool) -> bool:
        judged.update(began_ms=began_ms, garbled=garbled)
        return False

    monkeypatch.setattr(overhearing._echo, "is_own", judge)
    heard = Hypothesis((Word("käufer", 1_000, 1_400), Word("stopp", 1_600, 2_000)), fit=-20.0)
    others = [Hypothesis((Word(text, 0, 0),), speed=speed) for text, speed in ((slower, 0.9), (faster, 1.1))]
    utterance = RecognisedUtterance((heard, *others), 1_000, 2_000)
    assert overhearing.is_own(utterance, bargein=True) is False
    assert judged == {"began_ms": 1_600 if steady else 1_000, "garbled": not steady}
    overhearing.is_own(utterance)
    assert judged == {"began_ms": 1_000, "garbled": True}, "behind its speech all words count"


def test_a_single_word_stands_in_its_sentence() -> None:
    assert not repeated(["nein"], "Springer Gustav eins.", least=1)
    assert not repeated(["nein"], "Ein Zug: Eva vier.", least=1)
    assert repeated(["pause"], "Bauern Hector drei sonst zu Hause.", least=1)  # it paused the game
    assert repeated(["sechs"], "Bauer Anna sieben Anna sechs.", least=1)
    assert not repeated(["sechs", "eva"], "Bauer Anna sieben Anna sechs.", least=1)


def test_words_are_compared_as_they_were_heard_at_every_speed(
    model: VoskModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By ear its "Nichts verstanden" was a wish for repetition, recognised as "um nicht verstanden", and as "um nichts
    verstanden" in another hypothesis (issue 49)."""
    hypotheses = tuple(
        Hypothesis(tuple(Word(word, 1_000, 1_500) for word in words.split()))
        for words in ("um immer verstanden", "um nichts verstanden")
    )
    overhearing, told = Overhearing(model), list[bool]()
    overhearing.said = lambda _began_ms, _ended_ms: [PlayedText("Nichts verstanden.")]
    monkeypatch.setattr(Echo, "is_own", lambda *arguments: told.append(arguments[5]))
    overhearing.is_own(RecognisedUtterance(hypotheses, 1_000, 1_500))
    overhearing.is_own(RecognisedUtterance(hypotheses[:1], 1_000, 1_500))
    assert told == [True, False]


def test_words_of_several_of_its_sentences_are_known() -> None:
    said = "Springer Felix drei. Kurze Rochade. Mehr mit Hilfe."
    assert repeated(["felix", "drei", "kurze", "rochade", "david", "hilfe"], said)


@pytest.mark.parametrize("late_ms", [50, 150, 300, 500])
@pytest.mark.parametrize("echo_db", [-10.0, 0.0, 10.0])
def test_nothing_that_it_says_itself_is_answered(model: VoskModel, echo_db: float, late_ms: int) -> None:
    scene = Scene(model, echo_db, late_ms)
    assert scene.play() == [] and scene.stage.voice.tones == [] and scene.stage.told[-1] == REPETITION


@pytest.mark.parametrize(("echo_db", "late_ms"), [(NO_ECHO_DB, 50), (-10.0, 50), (-10.0, 150), (-10.0, 500)])
def test_a_reading_is_stopped(model: VoskModel, echo_db: float, late_ms: int) -> None:
    scene = Scene(model, echo_db, late_ms)
    assert [event.words for event in scene.play("Stopp", into_ms=2_000)] == ["stopp"]
    assert scene.stage.told[-1] == "Gestoppt."
