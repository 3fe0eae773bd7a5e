"""A language changes what listens as well: its model is loaded beside the game, which goes on meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tests.sound.fakes import ScriptedModel
from voicechess.app.context import Context
from voicechess.app.inbox import ModelReady
from voicechess.app.wiring import Program, WantedDevices
from voicechess.commands import doctor, options
from voicechess.conversations.welcome import Welcome
from voicechess.game import events as ev
from voicechess.game.effects import SpeakLanguage
from voicechess.language.lexicon import load
from voicechess.messages import Failure
from voicechess.sound.errors import Check
from voicechess.storage.speech_models import Choice, ModelFolder, Origin


class Heard(ScriptedModel):
    """Knows the words of one language; the path says which."""

    def __init__(self, path: Path, *_scaling: object) -> None:
        super().__init__(["nothing"])
        self.path, self.words = path, load(path.name).spoken_words if path.name in ("de", "en") else frozenset()

    def knows(self, word: str) -> bool:
        return word in self.words


class Models:
    """Stands for the models on a machine, each named by its language. `may_load`: until then only the first is."""

    def __init__(self, *there: str) -> None:
        self.there = there
        self.loaded: list[str] = []
        self.may_load = threading.Event()

    def choose(self, option: Path | None, languages: Sequence[str], environ: Mapping[str, str] | None = None) -> Choice:
        if threading.current_thread().name == "model":
            assert self.may_load.wait(60)
        if option is not None:
            return Choice(ModelFolder(option, True), Origin.OPTION)
        code = next((code for code in languages if code in self.there), None)
        if code is None:
            return Choice(None, None)
        self.loaded.append(code)
        return Choice(ModelFolder(Path(code), True), Origin.STARTER)


@pytest.fixture
def models(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Models:
    models = Models(*request.param)
    monkeypatch.setattr("voicechess.app.speech_input.choose", models.choose)
    monkeypatch.setattr("voicechess.app.speech_input.VoskModel", Heard)
    return models


def begun(silence: str, language: str, option: Path | None = None) -> Program:
    """A program whose threads are not begun: its loop is driven by hand."""
    return Program(Context.create(language), WantedDevices(voice_output=False, microphone=silence, model=option))


def ready(program: Program) -> ModelReady:
    item = program.inbox.take(60)
    assert isinstance(item, ModelReady)
    program.loop._take(item)
    return item


def listens(program: Program) -> str:
    """The language of the model that the listener was given with what is expected."""
    listener = program.listener
    assert listener is not None and listener._expected is not None
    model = listener._expected.model
    assert isinstance(model, Heard)
    return model.path.name


BOTH = pytest.mark.parametrize("models", [("de", "en")], indirect=True)


@BOTH
def test_english_changes_ear_and_sentences_and_nothing_waits_for_the_model(models: Models, silence: str) -> None:
    program = begun(silence, "de")
    program.loop._offer(Welcome().expectation)
    assert listens(program) == program.lexicon.hears == "de"

    program.loop._perform(SpeakLanguage("en"))  # returns though nothing can be loaded yet
    assert program.loop.wording.language == program.loop.hearing.lexicon.code == "en"
    assert listens(program) == program.loop.hearing.lexicon.heard.code == "de", "it is not deaf meanwhile"
    assert program.loop.hearing.lexicon.sayable("springer")

    models.may_load.set()
    assert ready(program).told == ()
    assert listens(program) == program.loop.hearing.lexicon.heard.code == program.lexicon.hears == "en"
    assert program.loop.hearing.lexicon.sayable("knight", "takes")

    program.loop._perform(SpeakLanguage("de"))
    assert listens(program) == program.loop.hearing.lexicon.heard.code == "de", "its model is still there"
    program.loop._perform(SpeakLanguage("en"))
    assert listens(program) == "en"
    assert models.loaded == ["de", "en"] and program.inbox.empty


@pytest.mark.parametrize("models", [("de",)], indirect=True)
def test_without_a_model_of_the_language_the_ear_stays_and_that_is_told(
    models: Models, silence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    program = begun(silence, "de")
    program.loop._perform(SpeakLanguage("en"))
    models.may_load.set()
    ready(program)
    assert listens(program) == program.loop.hearing.lexicon.heard.code == "de"
    assert capsys.readouterr().out == (
        "By voice I understand German only, for example: springer felix drei, ja, nein, hilfe, wiederholen, stopp. "
        "English can be typed.\n"
    )


@pytest.mark.parametrize("models", [("en",)], indirect=True)
def test_the_same_the_other_way_round(models: Models, silence: str, capsys: pytest.CaptureFixture[str]) -> None:
    program = begun(silence, "en")
    assert [notice.key for notice in program.notices] == []
    program.loop._perform(SpeakLanguage("de"))
    models.may_load.set()
    ready(program)
    assert listens(program) == program.loop.hearing.lexicon.heard.code == "en"
    assert program.loop.hearing.lexicon.sayable("knight")
    assert "Gesprochen verstehe ich nur Englisch, zum Beispiel: knight " in capsys.readouterr().out


@BOTH
def test_who_has_gone_back_meanwhile_is_heard_in_the_language_they_speak(models: Models, silence: str) -> None:
    program = begun(silence, "de")
    program.loop._perform(SpeakLanguage("en"))
    program.loop._perform(SpeakLanguage("de"))
    models.may_load.set()
    ready(program)
    assert listens(program) == program.loop.hearing.lexicon.heard.code == "de"


@BOTH
def test_a_conversation_goes_over_to_the_new_ear(models: Models, silence: str) -> None:
    program = begun(silence, "de")
    models.may_load.set()
    program.inbox.type_line("english")
    talk = Welcome()
    program.loop.converse(talk, ev.Started(at_ms=0), lambda: program.lexicon.hears == "en")
    assert listens(program) == "en"


@BOTH
@pytest.mark.parametrize("named", ["en", "fr"], ids=["of another language", "of a language that nobody speaks here"])
@pytest.mark.usefixtures("models")
def test_a_model_of_another_language_is_noticed(silence: str, named: str) -> None:
    program = begun(silence, "de", Path(named))
    assert [notice.key for notice in program.notices] == ["model.not_of_language", "model.instead"]
    assert program.lexicon.heard.code == "de" and program.lexicon.sayable("springer")


@BOTH
@pytest.mark.usefixtures("models")
def test_a_german_model_may_listen_to_who_is_spoken_to_in_english(silence: str) -> None:
    program = begun(silence, "en", Path("de"))
    assert [notice.key for notice in program.notices] == ["program.only_hears"]
    assert program.lexicon.heard.code == "de"


@BOTH
@pytest.mark.usefixtures("models")
def test_commands_that_need_a_model_say_that_one_is_of_another_language(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (options, doctor):
        monkeypatch.setattr(module, "VoskModel", Heard)
        monkeypatch.setattr(module, "choose", Models("de").choose)
    monkeypatch.setattr(doctor, "verify", lambda _path: ())
    monkeypatch.setattr(doctor, "check_model", lambda path: [Check("model", True, "sound.model.good")])
    german = Context.create("de")
    with pytest.raises(Failure) as failure:
        options.load_model(german, Path("en"))
    told = german.wording.say(failure.value.phrase)
    assert told == "Das Modell in en ist keines für Deutsch."
    assert options.load_model(german, Path("de")).path == options.load_model(Context.create("en"), Path("de")).path
    assert [(check.ok, check.key) for check in doctor._model(Path("en"), german)] == [(False, "model.not_of_language")]
    assert all(check.ok for check in doctor._model(Path("de"), german))
