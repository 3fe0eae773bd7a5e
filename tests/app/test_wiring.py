"""What the program says of itself before anything begins, and what it tells the loop of what was heard."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest

from voicechess.app.context import Context
from voicechess.app.inbox import KeyPressed, Line
from voicechess.app.wiring import Program, WantedDevices, cannot_play
from voicechess.cli import main
from voicechess.game.agreement import GameSettings, Player
from voicechess.game.effects import SpeakLanguage
from voicechess.language.folders import LANGUAGES
from voicechess.language.lexicon import load
from voicechess.language.understanding import understand
from voicechess.meaning import Answer, AnswerKind, Command, Expectation, Hypothesis, RecognisedUtterance, Word, level_of
from voicechess.messages import Failure
from voicechess.storage.places import settings_path
from voicechess.storage.settings import Preferences, read_settings
from voicechess.storage.speech_models import Choice, choose


@pytest.mark.parametrize(("language", "told"), [("en", True), ("de", False)])
def test_who_hears_english_is_told_that_german_is_understood(
    silence: str, model_path: Path, language: str, told: bool
) -> None:
    """All that is asked in English has its answer in German words: "ja" closes what "yes or no?" opens."""
    wanted = WantedDevices(voice_output=False, microphone=silence, model=model_path)
    with Program(Context.create(language), wanted) as program:
        assert ("program.only_hears" in [notice.key for notice in program.notices]) is told


def test_it_is_heard_that_it_begins_before_the_model_is_loaded(silence: str, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []
    monkeypatch.setattr("voicechess.app.wiring.Speaker.tone", lambda _self, tone: heard.append(tone.name))

    def choosing(_model: object, _languages: object) -> Choice:
        heard.append("model")
        return choose(None)

    monkeypatch.setattr("voicechess.app.speech_input.choose", choosing)
    with Program(Context.create("de"), WantedDevices(microphone=silence)):
        assert heard == ["HEARD", "model"]


def test_another_language_changes_words_wording_and_voice(silence: str, model_path: Path) -> None:
    wanted = WantedDevices(voice_output=False, microphone=silence, model=model_path)
    with Program(Context.create("de"), wanted) as program:
        for code, yes in (("en", "yes"), ("de", "ja")):
            program.loop._perform(SpeakLanguage(code))
            assert program.context.language == program.loop.wording.language == code
            assert program.loop.hearing.lexicon.code == code
            assert understand(yes, program.loop.hearing.lexicon, Expectation()) == Answer(AnswerKind.YES)
            assert program.loop.hearing.lexicon is program.lexicon
            assert "englisch" not in program.lexicon.silent and "deutsch" not in program.lexicon.silent


def test_the_language_asked_for_is_spoken_at_the_next_start_unless_another_is_given() -> None:
    def start(given: str | None = None, asked_for: str | None = None) -> str:
        with Program(Context.create(given), WantedDevices(voice_input=False, voice_output=False)) as program:
            began = program.loop.wording.language
            if asked_for is not None:
                program.loop._perform(SpeakLanguage(asked_for))
            return began

    assert start(asked_for="en") == "de"
    assert start() == "en"
    assert start(given="de") == "de"
    assert start(asked_for="de") == "en"
    assert start(asked_for="en") == "de"
    settings_path().write_text('language = "de"\n', encoding="utf-8")
    assert start() == "de"
    settings_path().write_text('language = ""\n', encoding="utf-8")
    assert start() == "en"


def test_the_file_of_settings_is_read_once(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    read: list[Path] = []

    def reading(path: Path) -> tuple[Preferences, tuple[Failure, ...]]:
        read.append(path)
        return read_settings(path)

    monkeypatch.setattr("voicechess.app.context.read_settings", reading)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert main(["play", "--input", "keyboard", "--output", "text"]) == 0
    assert len(read) == 1


def test_the_loop_is_told_how_far_speech_was_above_the_room_and_how_loud(
    silence: str, model_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = WantedDevices(voice_output=False, microphone=silence, model=model_path)
    with Program(Context.create("de"), wanted) as program:
        posted: list[object] = []
        monkeypatch.setattr(program.inbox, "post", posted.append)
        for floor_db, above in ((-60.0, 40), (-26.0, 6)):
            utterance = RecognisedUtterance(
                (Hypothesis((Word("ja", 0, 300),)),), 0, 300, level_of(0.1, 0.5, floor_db), -31.4, endpoint_ms=550
            )
            program._heard(utterance)
            heard = posted[-1]
            assert isinstance(heard, RecognisedUtterance) and (heard.snr_db, heard.voice_db) == (above, -31.4)
            understood = program.loop.hearing.understood(heard, Expectation(), 300)
            assert (understood.snr_db, understood.voice_db) == (above, -31)


def test_a_key_says_moment_unless_it_is_part_of_a_line() -> None:
    with Program(Context.create("de"), WantedDevices(voice_input=False, voice_output=False)) as program:
        posted: list[object] = []
        program.inbox.post = posted.append  # type: ignore[method-assign, assignment]
        program._key("\t", True)
        assert [type(item) for item in posted] == [KeyPressed]
        program._key("\t", False)
        assert [item.text for item in posted if isinstance(item, Line)] == ["moment"]
    for code in LANGUAGES:
        assert understand("moment", load(code), Expectation()) == Command("moment")


def test_that_an_engine_cannot_play_chess960_is_told_before_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    found: dict[str, str] = {}
    monkeypatch.setattr("shutil.which", lambda name, path=None: found.get(name))
    terms = GameSettings(chess960=0)
    for games in ((terms,), (GameSettings(), terms)):
        refused = cannot_play(*games)
        assert isinstance(refused, Failure)
        assert refused.key == "opponent.chess960"
    for playable in (replace(terms, black=Player.VOICE), replace(terms, chess960=518), GameSettings()):
        assert cannot_play(playable) is None
    found["stockfish"] = "/usr/games/stockfish"
    assert cannot_play(terms) is None
