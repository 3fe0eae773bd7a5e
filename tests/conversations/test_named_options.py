"""Whatever a question names in its own sentence is understood in that very wording: "Gegen die Maschine, einen Menschen
oder online?" is answered by "gegen einen Menschen" (issue 49). Every place outside games in both languages, and every
question of the dialogues; typed, and as the recogniser writes it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import pytest

from tests.app.test_commands_offered import PLACES, UNANSWERED, Machine
from tests.drivers.dialogues import FOLDER, Play, game_settings, read
from tests.drivers.talking import Talking
from tests.online.test_online import PLACES as SERVER
from voicechess.app.hearing import Hearing
from voicechess.app.kinds import session_of
from voicechess.conversations.welcome import Welcome, WelcomeStep
from voicechess.correspondence.open_letters import OpenCorrespondence
from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings
from voicechess.game.effects import Effect, Say
from voicechess.language.folders import LANGUAGES
from voicechess.language.lexicon import load
from voicechess.language.wording import Wording
from voicechess.meaning import Hypothesis, RecognisedUtterance, Word
from voicechess.messages import Utterance
from voicechess.online.online import Online
from voicechess.online.online_questions import OnlineStep
from voicechess.practice.after_game import WishfulSession
from voicechess.practice.effects import PracticeEffect

LEADING = frozenset({"gegen", "von", "nach", "in", "mit", "against", "from", "to", "into", "with"})
"""Words that stand before the first thing named and are meant before each."""

NAMES_NOTHING = re.compile(
    r"(welch|which|wie viel|how many|nummer|number|wie heißt|wo |wohin|was |where|what)", re.IGNORECASE
)
"""How questions begin that leave the answer open."""

NO_ANSWER = re.compile(r"not_understood\.|practice\.expects")

ONLY_YES = re.compile(
    r"confirm\.(resign|end|new_game|leave|abort|draw_accept|draw_offer|claim_|retrace|takeback|take_back|absent|arbiter_|seal)"
    r"|complete\.|simul\.confirm"
)
"""What cannot be undone is done for a yes alone, whatever the question says: "Wirklich aufgeben?" comes back as an
echo, and who was misheard once may be so twice. And questions that only repeat what is known."""


def named(text: str) -> tuple[str, ...]:
    """The answers that a sentence names: "A, B oder C?", "Oder: D", and a question of one or two words alone."""
    found: list[str] = []
    for question in re.findall(r"([^.?!]*)\?", text):
        words = question.strip()
        if re.fullmatch(r"\w+, \w+( \w+)*", words) and not re.search(r" (oder|or) ", words):
            words = words.rpartition(", ")[2]  # "Weiß, einverstanden?"
        if NAMES_NOTHING.match(words):
            continue
        terms, _, agreed = words.rpartition(": ")
        if terms and agreed in ("einverstanden", "agreed"):
            found += [*terms.split(", "), agreed]
            continue
        choice = re.search(r" (oder|or) ", words) is not None
        parts = [
            part for part in re.split(r",? (?:oder|or) |, ", words.rpartition(": ")[2] if choice else words) if part
        ]
        if choice:
            first = parts[0].split()
            leads = next((n for n, word in enumerate(first, 1) if word.lower() in LEADING), 0)
            leading = [part for part in parts[1:] if leads and part != "online"]
            found += [*parts, *(" ".join([*first[:leads], part]) for part in leading)]
        elif len(words.split()) < 3 and ":" not in words:
            found.append(words)
    for words in re.findall(r"(?:Oder|Or): ([^.?]*)[.?]", text):
        found += re.split(r",? (?:oder|or) |, ", words)
    return tuple(dict.fromkeys(found))


@pytest.mark.parametrize(
    ("sentence", "answers"),
    [
        (
            "Gegen die Maschine, einen Menschen oder online?",
            ("Gegen die Maschine", "einen Menschen", "online", "Gegen einen Menschen"),
        ),
        ("Wie viele Minuten? Oder: ohne Uhr.", ("ohne Uhr",)),
        ("Mit Weiß, leicht: einverstanden?", ("Mit Weiß", "leicht", "einverstanden")),
        ("Springer von Bella oder Felix?", ("Springer von Bella", "Felix", "Springer von Felix")),
        ("Eine Partie ist nicht zu Ende. Weiterspielen?", ("Weiterspielen",)),
        ("Welche Linie?", ()),
    ],
)
def test_what_a_sentence_names(sentence: str, answers: tuple[str, ...]) -> None:
    assert named(sentence) == answers


def said_to(machine: Machine, words: str, language: str, source: ev.Source, at_ms: int) -> list[Utterance]:
    """What is said to these words."""
    if source is ev.Source.KEYBOARD:
        said = RecognisedUtterance.typed(words, at_ms)
    else:
        heard = tuple(Word(word.strip(".,:;"), at_ms - 500, at_ms - 100) for word in words.lower().split())
        said = RecognisedUtterance((Hypothesis(heard),), at_ms - 500, at_ms - 100)
    event = Hearing(load(language)).understood(said, machine.expectation, at_ms, source)
    return [effect.utterance for effect in machine.handle(event) if isinstance(effect, Say)]


def _place(talk: Talking) -> tuple[Machine, Sequence[Effect]]:
    """The conversation at its open question, as it is put."""
    conversation = talk.conversation
    assert isinstance(conversation, Online)
    return conversation, conversation._ask_anew(talk.now)


def unanswered(
    make: Callable[[], tuple[Machine, Sequence[Effect | PracticeEffect]]], language: str, at_ms: int
) -> list[tuple[str, str, str]]:
    """The questions of a place, as they are put first and once more, with what they name and is not understood."""
    wording = Wording(language, strict=True)
    wrong = []
    for again in (False, True):

        def made(again: bool = again) -> tuple[Machine, list[Utterance]]:
            machine, effects = make()
            said = [effect.utterance for effect in effects if isinstance(effect, Say)]
            for one in said:
                machine.handle(ev.Spoken(at_ms=at_ms, number=one.number))
            if again:
                event = Hearing(load("de")).understood(
                    RecognisedUtterance.typed("hector hector hector", at_ms), machine.expectation, at_ms
                )
                said = [one.utterance for one in machine.handle(event) if isinstance(one, Say)]
            return machine, said

        for asked in made()[1]:
            if ONLY_YES.match(asked.key):
                continue
            for words in named(wording.say(asked)):
                for source in ev.Source if language == "de" else (ev.Source.KEYBOARD,):
                    told = said_to(made()[0], words, language, source, at_ms + 5_000)
                    same = any((one.key, one.slots) == (asked.key, asked.slots) for one in told)
                    same = same and asked.key != "leafing.more"  # which is asked behind the next section as well
                    if same or any(UNANSWERED.match(one.key) or NO_ANSWER.match(one.key) for one in told):
                        wrong.append((asked.key, words, source.value))
    return wrong


def _welcome(step: WelcomeStep) -> tuple[Machine, Sequence[Effect]]:
    waits = OpenCorrespondence(1, "Bob", colour=True, number=3, yours=True)
    rematch = (GameSettings(),) if step is WelcomeStep.REMATCH else ()
    talk = Welcome(usual=GameSettings(), rematch=rematch, unfinished=True, post=(waits,), account=lambda: True)
    talk.handle(ev.Started(at_ms=0))
    talk._listed = (waits,)
    return talk, talk._enter(step, 0)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("step", SERVER)
def test_what_is_named_around_a_game_at_a_server_is_understood(step: OnlineStep, language: str) -> None:
    assert not unanswered(lambda: _place(SERVER[step]()), language, 10_000)


@pytest.mark.parametrize("step", [OnlineStep.EXPIRED, OnlineStep.RETRY])
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_named_when_something_came_of_nothing_is_understood(step: OnlineStep, language: str) -> None:
    def made() -> tuple[Machine, Sequence[Effect]]:
        talk = SERVER[OnlineStep.SEEKING]()
        assert isinstance(talk.conversation, Online)
        talk.conversation.step = step
        return _place(talk)

    assert not unanswered(made, language, 10_000)


OUTSIDE = [name for name in PLACES if not re.match(r"[a-z_]+ (people|machine|server|post) ", name)]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "step", [step for step in WelcomeStep if step not in (WelcomeStep.DONE, WelcomeStep.MICROPHONE)]
)
def test_what_the_welcome_names_is_understood(step: WelcomeStep, language: str) -> None:
    assert not unanswered(lambda: _welcome(step), language, 1_000)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", [name for name in OUTSIDE if not name.startswith("welcome ")])
def test_what_a_question_names_is_understood(name: str, language: str) -> None:
    wrong = unanswered(PLACES[name].make, language, PLACES[name].at_ms)
    # While a challenge is answered, the question that was open before it is not.
    assert not [one for one in wrong if not (name == "challenged" and one[0].startswith("welcome."))]


def test_what_questions_in_games_name_is_understood() -> None:
    """Of each question and each answer the first that a dialogue has."""
    wording, seen, wrong = Wording("de", strict=True), set[tuple[str, str]](), []
    for path in sorted(FOLDER.glob("*.txt")):
        dialogue = read(path)
        if dialogue.settings.get("lang", "de") != "de":
            continue
        play, settings = Play(dialogue), game_settings(dialogue.settings)
        play.run()
        session, log = session_of(settings), tuple(play.log)
        for number, event in enumerate(log, 1):
            said = [effect.utterance for effect in session.handle(event) if isinstance(effect, Say)]
            kinds = {
                (one.key, re.sub(r"\w+(?= oder|,|$)", "", words)) for one in said for words in named(wording.say(one))
            }
            if kinds <= seen:
                continue
            seen |= kinds

            def make(
                settings: GameSettings = settings, log: tuple[ev.Event, ...] = log[:number]
            ) -> tuple[Machine, list[Effect]]:
                again, effects = WishfulSession(session_of(settings)), list[Effect]()
                for one in log:
                    effects = list(again.handle(one))
                return again, effects

            wrong += [(path.stem, *one) for one in unanswered(make, "de", event.at_ms + 1_000)]
    assert not wrong
