"""In every phase, conversation and exercise: what is answered is listened for, and "Hilfe" names what is done there."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Protocol

import chess
import pytest

from tests.drivers.dialogues import FOLDER, Play, game_settings, read
from tests.drivers.exercising import BEGAN, course
from tests.practice.test_review import SCHOLARS, VIEWS
from voicechess.app.kinds import session_of
from voicechess.conversations.calibration import Calibrating
from voicechess.conversations.welcome import Welcome, WelcomeStep
from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings, Player
from voicechess.game.effects import Announcer, Listen, Say
from voicechess.game.phases import Phase
from voicechess.language.lexicon import load
from voicechess.language.patterns import Literal
from voicechess.language.understanding import choices, understand
from voicechess.language.wording import Wording
from voicechess.meaning import Command, Expectation, Reading
from voicechess.online.challenges import Doorbell
from voicechess.online.lobby import ChallengeArrived, FriendsListed, GamesListed, OnlineGame, OnlinePlayer, OnlineTerms
from voicechess.online.online import Online
from voicechess.practice.after_game import WishfulSession
from voicechess.practice.courses import EXERCISES
from voicechess.practice.drill import Drill
from voicechess.practice.effects import FIRST_NUMBER, Examined, LiveFound, LiveGame, LiveOffer, PracticeEffect
from voicechess.practice.exercises.blindfold import Blindfold
from voicechess.practice.exercises.fetched import FetchedPuzzles
from voicechess.practice.exercises.following import SETTLED_MS
from voicechess.practice.exercises.review import Review
from voicechess.practice.exercises.watching import Watching
from voicechess.practice.menu import Exercise, ExerciseOffer, Practice
from voicechess.practice.schedule import Bookmark, Deck

SLOTS = {
    "file": "anna",
    "rank": "eins",
    "square": "eva vier",
    "piece": "springer",
    "pieces": "springer",
    "colour": "weiß",
    "number": "fünf",
    "own": "meine",
    "letter": "otto",
}

VARIANTS = {
    "claim_threefold_move": "claim_fifty_move",
    "adjourn_hours": "adjourn",
    "next": "skip",
    "rematch": "new_game",
    "standings": "material_difference",
    "correct": "take_back",
    **dict.fromkeys(("arbiter_add", "arbiter_take", "arbiter_set", "arbiter_warn", "arbiter_loses"), "arbiter_stop"),
    **dict.fromkeys(("arbiter_both_lose", "arbiter_draw", "arbiter_flags", "arbiter_void"), "arbiter_stop"),
    **dict.fromkeys(("arbiter_refuses", "arbiter_later"), "arbiter_stop"),
    **dict.fromkeys(("arbiter_points", "arbiter_points_both"), "arbiter_stop"),
    **dict.fromkeys(("arbiter_points_half_first", "arbiter_points_half_second"), "arbiter_stop"),
    "arbiter": "arbiter_stop",
    "arbiter_start": "resume",
    "line_german": "line",
    "line_san": "line",
}
"""Commands that are named by another of their kind; the arbiter's by the sentence about what the arbiter says."""

NEEDS_NO_NAME = {
    "help": "who hears its sentences has found it",
    "ready": "in an exercise it only tells that something is missing",
    "usual": "the question itself offers it",
    "german": "it is spoken already",
}

REFUSED = re.compile(
    r"command\.|refuse\.|forbidden\.|over\.no_moves|pause\.(say_resume|already|not_paused)|take_back\.(over|nothing)"
    r"|adjourn\.(seal_now|what_now)|claim\.(wait|nothing|first|arbiter)|draw\.nothing_offered|illegal\.(nothing|no_penalties)|clock\.no_clock"
    r"|adjournment\.error|arbiter\.(already|none)|correct\.nothing|retrace\.|offer\.|quickplay\.|server\.flag|not_understood\.|compare\."
    r"|post\.(not_here|nothing|out|suppose_later|suppose_how|no_claim)"
    r"|(welcome|calibrate)\.no_way_back|practice\.(no_way_back|nothing_to|no_position|not_ready)|absent\.(against_machine|known|has_moved|nobody)"
)
"""Answers that say why not."""

UNANSWERED = re.compile(
    r"elsewhere\.|(command\.not_here|post\.only|premove\.(engine|your_turn))$"
    r"|(welcome|practice)\.(heard_otherwise|not_understood|nothing_heard|expects)|practice\.(did_you_say|(online|live)\.(waiting|nothing_yet))"
    r"|calibrate\.(read|again|done)"
)
"""Answers to words that are nothing in this place."""


class Machine(Protocol):
    """A game, a conversation or an exercise."""

    @property
    def expectation(self) -> Expectation: ...
    def handle(self, event: ev.Event) -> tuple[PracticeEffect, ...]: ...


@dataclass
class Place:
    """A machine at a place: `make` brings a fresh one there and gives the effects on the way."""

    name: str
    make: Callable[[], tuple[Machine, list[PracticeEffect]]]
    at_ms: int = 1_000

    def expectation(self) -> Expectation:
        found = [effect.expectation for effect in self.make()[1] if isinstance(effect, Listen)]
        return found[-1]

    def answer(self, *commands: Command) -> list[PracticeEffect]:
        """What comes of these commands, one after the other; for the last one."""
        machine, _ = self.make()
        effects: list[PracticeEffect] = []
        for number, command in enumerate(commands, 1):
            effects = list(machine.handle(heard(command, self.at_ms + 10 * number)))
        if isinstance(machine, WishfulSession) and machine.wish is not None:
            return [Listen(Expectation())]  # it goes to practice: more than nothing
        return effects


def heard(command: Command, at_ms: int) -> ev.Heard:
    readings = (Reading(command, 0.0, command.name),)
    return ev.Heard(at_ms=at_ms, readings=readings, words=command.name, began_ms=at_ms, ended_ms=at_ms)


def keys(effects: list[PracticeEffect]) -> list[str]:
    return [effect.utterance.key for effect in effects if isinstance(effect, Say)]


# --- places ------------------------------------------------------------------------------------------------------


def in_games() -> dict[str, Place]:
    """Every phase, with the machine and beside another player, casual and in tournaments, as the dialogues reach it."""
    found: dict[str, Place] = {}
    for path in sorted(FOLDER.glob("*.txt")):
        dialogue = read(path)
        if dialogue.settings.get("lang", "de") != "de":
            continue
        settings = game_settings(dialogue.settings)
        play = Play(dialogue)
        play.run()
        session = session_of(settings)
        for number, event in enumerate(play.log, 1):
            session.handle(event)
            people = "people" if Player.ENGINE not in (settings.white, settings.black) else "machine"
            people = "server" if Player.SERVER in (settings.white, settings.black) else people
            people = "post" if settings.correspondence is not None else people
            name = f"{session.phase.value} {people} {settings.preset.value}"
            if name not in found and session.phase is not Phase.NOT_STARTED:
                found[name] = Place(name, _replayed(settings, tuple(play.log[:number])), event.at_ms)
    return found


def _replayed(settings: GameSettings, log: tuple[ev.Event, ...]) -> Callable[[], tuple[Machine, list[PracticeEffect]]]:
    def make() -> tuple[Machine, list[PracticeEffect]]:
        session = session_of(settings)
        for event in log:
            session.handle(event)
        return WishfulSession(session), [Listen(session.expectation)]

    return make


def _begun(machine: Callable[[], Machine], *events: ev.Event) -> Callable[[], tuple[Machine, list[PracticeEffect]]]:
    def make() -> tuple[Machine, list[PracticeEffect]]:
        made = machine()
        effects = [effect for event in (ev.Started(at_ms=0), *events) for effect in made.handle(event)]
        return made, effects

    return make


ONLINE: Mapping[str, tuple[str, ...]] = {
    "menu": (),
    "time": ("seek",),
    "level": ("machine",),
    "friend": ("friend",),
    "spelling": ("friend", "spell"),
    "games": ("games",),
}
"""Questions around games at a server, with the commands that lead there."""


def _online(name: str) -> tuple[Machine, list[PracticeEffect]]:
    """The conversation at one of them."""
    talk = Online(by_voice=False)
    effects: list[PracticeEffect] = []
    game = OnlineGame("gameABCD", OnlinePlayer("Bob"), OnlineTerms(colour=chess.WHITE))
    games = (game, replace(game, id="gameEFGH")) if name == "games" else ()
    answers = [
        ev.Started(at_ms=0),
        GamesListed(at_ms=0, request=1, games=()),
        *(heard(Command(command), 1) for command in ONLINE[name]),
        FriendsListed(at_ms=1, request=2, friends=(OnlinePlayer("Bob"),)),
        GamesListed(at_ms=1, request=2, games=games),
    ]
    if name == "spelling":
        answers.append(answers.pop(3))
    for event in answers:
        effects += talk.handle(event)
    return talk, effects


def in_conversations() -> dict[str, Place]:
    """The welcome at every question, the calibration."""
    lexicon = load("de")

    def welcome(step: WelcomeStep) -> Callable[[], Machine]:
        def made() -> Machine:
            talk = Welcome(usual=GameSettings())
            talk._first_step = lambda: step  # type: ignore[method-assign]
            return talk

        return made

    steps = [step for step in WelcomeStep if step is not WelcomeStep.DONE]
    places = {f"welcome {step.value}": Place(step.value, _begun(welcome(step))) for step in steps}
    for made in ONLINE:
        places[f"online {made}"] = Place(made, partial(_online, made))
    bell = partial(Doorbell, inner=Welcome())
    challenge = ChallengeArrived(at_ms=0, id="challeng", challenger=OnlinePlayer("Bob"), terms=OnlineTerms())
    places["challenged"] = Place("challenged", _begun(bell, challenge))
    places["calibrating"] = Place("calibrating", _begun(lambda: Calibrating(("eva vier", "eva fünf"), lexicon)))
    return places


def in_practice() -> dict[str, Place]:
    """The choice of an exercise, and every exercise."""

    def drill(key: str) -> Callable[[], Exercise]:
        return lambda: Drill(course(key, 1), Deck(), Random(1), Announcer(FIRST_NUMBER), BEGAN)

    def review() -> Exercise:
        return Review(chess.Board(), [chess.Move.from_uci(uci) for uci in SCHOLARS], Announcer(FIRST_NUMBER))

    def blindfold() -> Exercise:
        return Blindfold(session_of(GameSettings()), Announcer(FIRST_NUMBER), Bookmark("blindfold", 1, "", 7))

    def fetched() -> FetchedPuzzles:
        return FetchedPuzzles(lambda lines: None, Announcer(FIRST_NUMBER))

    def watching() -> Watching:
        return Watching(Announcer(FIRST_NUMBER))

    exercises: dict[str, Callable[[], Exercise]] = {key: drill(key) for key in EXERCISES}
    exercises |= {"review": review, "blindfold": blindfold, "online": fetched}
    begins = exercises | {"live": watching}  # which is in no list

    def beginner(key: str) -> Callable[[int, Bookmark | None], Exercise]:
        return lambda _level, _mark: begins[key]()

    def practice(chosen: str | None, mark: Bookmark | None = None) -> Callable[[], Machine]:
        def made() -> Machine:
            entries = [ExerciseOffer(key, 3, beginner(key)) for key in (begins if chosen == "live" else exercises)]
            return Practice(entries, Announcer(FIRST_NUMBER), chosen=chosen, level=1 if chosen else None, bookmark=mark)

        return made

    looked = [
        Examined(at_ms=1, index=index, centipawns=centipawns, best=best) for index, (centipawns, best) in VIEWS.items()
    ]
    places = {key: Place(key, _begun(practice(key))) for key in exercises}
    places["review, looked through"] = Place("review", _begun(practice("review"), *looked))
    places["online, fetching"] = Place(
        "online", _begun(practice("online"), heard(Command("number", (("number", 2),)), 1))
    )
    offers = (LiveOffer("round:r", "Cup"), LiveOffer("game:g", "Ada", player=True))
    found = LiveFound(at_ms=1, number=FIRST_NUMBER + 1, offers=offers)
    number = FIRST_NUMBER + 3  # of the request, after what has been said till then
    pgn = "1. e4 e5 *\n"
    boards = [LiveGame(at_ms=2, number=number, key=key, title=key, pgn=pgn) for key in "ab"]
    settled = [heard(Command("number", (("number", 1),)), 1), *boards, ev.Tick(at_ms=3), ev.Tick(at_ms=3 + SETTLED_MS)]
    places["live, asking"] = Place("live", _begun(practice("live")))
    places["live, choosing"] = Place("live", _begun(practice("live"), found))
    places["live, waiting"] = Place("live", _begun(practice("live"), found, settled[0]))
    places["live, which board"] = Place("live", _begun(practice("live"), found, *settled))
    yes = ev.Heard(
        at_ms=2, readings=(Reading(understand("ja", load("de"), Expectation())),), words="ja", began_ms=2, ended_ms=2
    )
    places["review, trying"] = Place("review", _begun(practice("review"), *looked, yes))
    places["menu"] = Place("menu", _begun(practice(None)))
    places["going on"] = Place("going on", _begun(practice(None, Bookmark("squares", 1, "shade", 1))))
    level = heard(Command("exercise_squares"), 1)
    places["level"] = Place("level", _begun(practice(None), level))
    return places


PLACES: Mapping[str, Place] = in_games() | in_conversations() | in_practice()


# --- what is said there ------------------------------------------------------------------------------------------


def commands(expectation: Expectation) -> dict[str, Command]:
    """Every command and every choice of the place that is a command there, as it is understood."""
    lexicon = load("de")
    found = {}
    for key, patterns in lexicon.commands.items():
        sentences = [sentence for pattern in patterns for sentence in pattern.expand()]
        for sentence in sentences:
            words = " ".join(part.text if isinstance(part, Literal) else SLOTS[part.name] for part in sentence)
            meaning = understand(words, lexicon, Expectation())
            if isinstance(meaning, Command) and meaning.name == key:
                found[key] = meaning
                break
    assert set(found) == set(lexicon.commands)
    return found


def offered(expectation: Expectation) -> set[str]:
    lexicon = load("de")
    return set(lexicon.commands if expectation.commands is None else expectation.commands) | set(choices(expectation))


def named(place: Place) -> set[str]:
    """The commands that the sentences of "Hilfe" name, asked for until they come again."""
    lexicon, wording = load("de"), Wording("de", strict=True)
    texts: list[str] = []
    for times in range(1, 13):
        said = [wording.say(one.utterance) for one in place.answer(*[Command("help")] * times) if isinstance(one, Say)]
        texts += said
    found: set[str] = set()
    for chunk in re.split(r"[.,:;?]|, oder|\boder\b|\bbricht ab\b", " . ".join(texts)):
        meaning = understand(chunk.strip(), lexicon, Expectation())
        if isinstance(meaning, Command):
            found.add(meaning.name)
    return found


@pytest.mark.parametrize("name", PLACES)
def test_what_is_answered_is_listened_for_and_what_is_done_is_named_by_help(name: str) -> None:
    place = PLACES[name]
    expectation = place.expectation()
    names = named(place)
    unheard, unnamed = set(), set()
    for key, command in commands(expectation).items():
        effects = place.answer(command)
        said = keys(effects)
        if not effects or (said and UNANSWERED.match(said[0])):
            continue
        if key not in offered(expectation):
            unheard.add(key)
        refused = bool(said) and REFUSED.match(said[0]) is not None
        if not refused and not {key, VARIANTS.get(key, key)} & names and key not in NEEDS_NO_NAME:
            unnamed.add(key)
    if name.startswith(Phase.REPEATING.value):
        unheard.clear()  # "nein" and "Korrektur" are to have no rivals there: (j) of `bench hearing`
    if name.startswith("draw_offered"):
        unnamed -= {"resume", "arbiter_start"}  # who wants to play on says no to the offer, which is named
    if name.startswith("welcome"):
        unnamed.discard("new_game")  # what every one of its questions leads to
    assert (unheard, unnamed) == (set(), set())


def test_every_phase_and_every_exercise_is_looked_at() -> None:
    looked_at = " ".join(PLACES)
    assert all(phase.value in looked_at for phase in Phase if phase is not Phase.NOT_STARTED)
    assert set(EXERCISES) <= set(PLACES)
    assert len(PLACES) > 50
