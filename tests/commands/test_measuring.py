"""`voicechess model tune`: quarters, figures, what is broken off, and what cannot be measured."""

from __future__ import annotations

import io
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import chess
import pytest

from tests.drivers.virtual_sound import until
from tests.sound.fakes import ScriptedMicrophone
from tests.storage.archives import write_model
from voicechess.app import exam, exam_results
from voicechess.app.context import Context
from voicechess.app.wiring import Program, WantedDevices
from voicechess.cli import main
from voicechess.commands import model as commands
from voicechess.commands import progress
from voicechess.commands.options import load_model
from voicechess.language.lexicon import Lexicon, load
from voicechess.language.thresholds import Contenders, contenders
from voicechess.meaning import Reading
from voicechess.messages import Failure, Text
from voicechess.sound.devices.files import write_wav
from voicechess.sound.errors import SoundError
from voicechess.sound.model import UNMEASURED, LikelihoodScaling
from voicechess.storage import speech_models
from voicechess.storage.measured import Figures, Measured, read_measured, write_measured
from voicechess.storage.places import settings_path
from voicechess.storage.speech_models import Store, choose, starter

STARTER = Figures(100, 96, 0, 1, 20.0)
GOOD = Measured(LikelihoodScaling(0.7, -3.5, 0.1), Figures(100, 97, 0, 0, 12.5), STARTER)
WORSE = Measured(LikelihoodScaling(0.7), Figures(100, 61, 2, 0, 460.0), STARTER)
Judge = Callable[[Path, Path | None, Callable[[float], None]], tuple[Measured, Lexicon]]


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(speech_models, "probe", lambda path: None)
    return write_model(tmp_path / "model")


def answers(monkeypatch: pytest.MonkeyPatch, measured: Measured, lacking: tuple[str, ...] = ()) -> None:
    """The next measurement comes to this, in four steps."""

    def examine(path: Path, other: Path | None, progress: Callable[[float], None]) -> tuple[Measured, Lexicon]:
        assert other == starter()
        for step in range(1, 9):
            progress(step / 8)
        return measured, load("de").restrict(lambda word: word not in lacking)

    monkeypatch.setattr(exam_results, "examined", examine)


def tune(*arguments: str) -> int:
    return main([*arguments[:-1], "model", "tune", arguments[-1], "--quiet"])


def test_quarters_figures_and_the_better_one(
    model: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers(monkeypatch, GOOD, ("springer", "rochade"))
    assert tune(str(model)) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"Ich messe das Modell in {model}, etwa drei Minuten lang. Stopp und die Eingabetaste beenden es.",
        "Fünfundzwanzig Prozent gemessen.",
        "Fünfzig Prozent gemessen.",
        "Fünfundsiebzig Prozent gemessen.",
        "Hundert Prozent gemessen.",
        "Dem Modell fehlen diese Wörter: rochade, springer.",
        "Auf Anhieb versteht es siebenundneunzig von hundert Ansagen, falsche Züge: null. Das mitgelieferte:"
        f" sechsundneunzig, falsche Züge: null. Ich empfehle das gemessene: --model {model}.",
    ]
    assert read_measured(model) == GOOD
    assert choose(model).told == ()


def test_the_worse_one_is_taken_only_where_somebody_insists(
    model: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers(monkeypatch, WORSE, tuple(sorted(load("de").spoken_words))[:40])
    assert tune("--lang", "en", str(model)) == 0
    figures = (
        "It understands sixty-one of a hundred announcements at once, wrong moves: two. The one that came along:"
        " ninety-six, wrong moves: zero."
    )
    assert capsys.readouterr().out.splitlines()[-2:] == [
        "The model lacks forty words.",
        f"{figures} I recommend the one that came along. I take the one that was measured only if you ask for it:"
        f" --model {model}.",
    ]
    assert [phrase.key for phrase in choose(model).told] == ["model.used_worse"]


@pytest.mark.parametrize("typed", ["stopp\n", "ja\nstop\n"])
def test_stopp_ends_it_and_leaves_what_stood(
    model: Path, typed: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_measured(model, WORSE)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed.encode())))

    def examine(path: Path, other: Path | None, progress: Callable[[float], None]) -> tuple[Measured, Lexicon]:
        while True:
            progress(0.1)
            time.sleep(0.01)

    monkeypatch.setattr(exam_results, "examined", examine)
    assert tune(str(model)) == 130
    assert capsys.readouterr().out.splitlines()[-1] == "Abgebrochen. Es bleibt, wie es war."
    assert read_measured(model) == WORSE


class Spoken:
    """A player who says something as soon as anybody listens, and a speaker that notes what it says. The measurement
    lasts until that has been heard."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, words: str) -> None:
        self.sound = exam.sound(exam.Item(words, chess.STARTING_FEN), "judged by")
        self.said: list[str] = []
        self.heard: list[Sequence[Reading]] = []
        self.speaking = False
        self.microphones: list[ScriptedMicrophone] = []
        monkeypatch.setattr(commands, "open_microphone", self._microphone)
        monkeypatch.setattr(progress, "Speaker", lambda *_: self)
        monkeypatch.setattr(commands, "contenders", self._contenders)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
        monkeypatch.setattr(exam_results, "examined", self._examine)

    def _microphone(self, choice: str | None) -> ScriptedMicrophone:
        self.microphones.append(ScriptedMicrophone(self.sound))
        return self.microphones[-1]

    def _contenders(self, readings: Sequence[Reading]) -> Contenders:
        self.heard.append(readings)
        return contenders(readings)

    def _examine(self, path: Path, other: Path | None, progress: Callable[[float], None]) -> tuple[Measured, Lexicon]:
        until(lambda: self.heard or self.microphones[-1].left == 0)
        while any(one[0].meaning == commands.STOP for one in self.heard):  # until it does
            progress(0.1)
        until(lambda: self.speaking or self.microphones[-1].left == 0)  # what was heard has been judged
        progress(0.1)
        return GOOD, load("de")

    def start(self) -> None: ...

    def hush(self) -> None: ...

    def let_speak(self, longest_s: float) -> None: ...

    def close(self) -> None: ...

    def say(self, number: int, text: str) -> None:
        self.said.append(text)


@pytest.mark.parametrize("word", ["stopp", "ruhe"])
def test_so_it_does_where_it_is_said(
    model: Path, word: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Progress was spoken, and only typing ended it."""
    spoken = Spoken(monkeypatch, word)
    assert main(["model", "tune", str(model)]) == 130
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("Stopp beendet es, gesagt oder getippt.")
    assert lines[-1] == spoken.said[-1] == "Abgebrochen. Es bleibt, wie es war."
    assert read_measured(model) is None


@pytest.mark.parametrize(("words", "speaking"), [("zeit", False), ("stopp beendet es", False), ("stopp", True)])
def test_other_words_and_its_own_voice_end_nothing(
    model: Path, words: str, speaking: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoken = Spoken(monkeypatch, words)
    spoken.speaking = speaking
    assert main(["model", "tune", str(model)]) == 0
    assert bool(spoken.heard) is not speaking and read_measured(model) == GOOD


@pytest.mark.parametrize("missing", ["microphone", "model", "voice", "key"])
def test_without_a_microphone_and_the_starter_model_it_is_typed(
    model: Path, missing: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> None:
        raise SoundError("sound.microphone.none")

    spoken = Spoken(monkeypatch, "stopp")
    monkeypatch.setattr(exam_results, "examined", lambda *_: (GOOD, load("de")))
    if missing == "microphone":
        monkeypatch.setattr(commands, "open_microphone", broken)
    elif missing == "model":
        monkeypatch.setattr(commands, "VoskModel", broken)
    elif missing == "key":
        settings_path().parent.mkdir(parents=True, exist_ok=True)
        settings_path().write_text("[sound]\npush_to_talk = true\n", encoding="utf-8")
    assert main(["model", "tune", str(model), *["--quiet"] * (missing == "voice")]) == 0
    assert capsys.readouterr().out.splitlines()[0].endswith("Stopp und die Eingabetaste beenden es.")
    assert len(spoken.microphones) == (1 if missing == "model" else 0)


def test_so_does_an_interruption(
    model: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def examine(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(exam_results, "examined", examine)
    assert tune("--lang", "en", str(model)) == 130
    assert capsys.readouterr().out.splitlines()[-1] == "Broken off. All stays as it was."
    assert read_measured(model) is None


def test_what_cannot_be_measured_is_one_sentence(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def examine(*_: object) -> None:
        raise Failure("model.other_language", {"path": Text(str(model))}, status=1)

    monkeypatch.setattr(exam_results, "examined", examine)
    (tmp_path / "empty").mkdir()
    for arguments, said in (
        ([str(tmp_path / "nowhere")], f"Den Ordner {tmp_path / 'nowhere'} gibt es nicht."),
        ([str(tmp_path / "empty")], f"Im Modell {tmp_path / 'empty'} fehlt am/final.mdl."),
        ([str(starter())], "Das ist das mitgelieferte Modell. Es ist schon gemessen."),
        (["starter-de"], "Das ist das mitgelieferte Modell. Es ist schon gemessen."),
        ([], "Das ist das mitgelieferte Modell. Es ist schon gemessen."),
        (["small-de"], "Das Modell small-de ist nicht installiert. Es kommt mit: voicechess model install small-de."),
        (
            [str(model)],
            f"Das Modell in {model} kennt die deutschen Schachwörter nicht. Es wird eines für Deutsch gebraucht.",
        ),
    ):
        assert main(["model", "tune", *arguments, "--quiet"]) in (1, 2)
        assert capsys.readouterr().err == said + "\n"


def test_commands_take_a_models_scores_as_they_were_measured(
    model_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(model_path, copy)
    (copy / "manifest.json").unlink(missing_ok=True)
    context = Context.create("de")
    assert load_model(context, copy).scaling == UNMEASURED
    assert capsys.readouterr().err == (
        f"Dieses Modell ist noch nicht gemessen, deshalb frage ich oft nach. Messen: voicechess model tune {copy}.\n"
    )
    write_measured(copy, WORSE)
    assert load_model(context, copy).scaling == WORSE.scaling
    assert capsys.readouterr().err == (
        "Ich nehme dieses Modell, weil Sie es verlangen; gemessen ist es schlechter. Auf Anhieb versteht es"
        " einundsechzig von hundert Ansagen, falsche Züge: zwei. Das mitgelieferte: sechsundneunzig, falsche Züge:"
        " null.\n"
    )
    write_measured(copy, GOOD)
    assert load_model(context, copy).scaling == GOOD.scaling
    assert capsys.readouterr().err == ""
    write_wav(tmp_path / "silence.wav", bytes(32_000), 16_000)
    wanted = WantedDevices(voice_input=True, voice_output=False, model=copy, microphone=str(tmp_path / "silence.wav"))
    with Program(context, wanted) as program:
        model = program._models.of(program.lexicon)
        assert model is not None and model.scaling == GOOD.scaling
        assert program.loop.hearing.doubt == GOOD.scaling.doubt


def test_an_installed_model_is_measured_at_once_and_then_used(
    model: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers(monkeypatch, GOOD)
    installed = write_model(Store().path("small-de"))
    monkeypatch.setattr(Store, "install", lambda *_, **__: installed)
    assert main(["model", "install", "small-de", "--quiet"]) == 0
    assert "Ich empfehle das gemessene" in capsys.readouterr().out
    chosen = choose()
    assert chosen.folder is not None
    assert (chosen.folder.path, chosen.scaling, chosen.told) == (installed, GOOD.scaling, ())
    assert main(["model", "list"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert any("Auf Anhieb versteht es" in line for line in shown)
    assert shown[-1].startswith("Benutzt wird das installierte Modell")


def test_one_that_could_not_be_measured_is_installed_all_the_same(
    model: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def examine(*_: object) -> None:
        raise Failure("bench.synthesiser_missing")

    monkeypatch.setattr(exam_results, "examined", examine)
    installed = write_model(Store().path("small-de"))
    monkeypatch.setattr(Store, "install", lambda *_, **__: installed)
    assert main(["model", "install", "small-de", "--quiet"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-2].startswith("Die Sprachausgabe espeak-ng fehlt")
    assert lines[-1].startswith(f"Das Modell in {installed} ist noch nicht gemessen.")
