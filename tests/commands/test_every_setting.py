"""Every setting changes something: each is written into the file, and what it changes is looked at where it shows."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import wave
from array import array
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import chess
import pytest

from voicechess.app.context import Context
from voicechess.app.kinds import session_of
from voicechess.app.library import Library
from voicechess.app.wiring import Program
from voicechess.cli import main, parser
from voicechess.commands.options import wanted_devices
from voicechess.commands.play import game_settings, given_settings
from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings, PersonalChoices, Player, Preset
from voicechess.game.effects import Say, SendMove
from voicechess.language.wording import Wording
from voicechess.laws.draws import Quickplay
from voicechess.meaning import Reading, SpokenMove
from voicechess.messages import Failure, Tone
from voicechess.sound.pcm import power
from voicechess.storage.places import settings_path
from voicechess.storage.settings import SETTINGS

SHOWN: set[str] = set()
E4 = ev.Heard(at_ms=3, readings=(Reading(SpokenMove(to_file=4, to_rank=3)),), words="e4", began_ms=2, ended_ms=3)
Test = Callable[..., None]


def shows(*places: str) -> Callable[[Test], Test]:
    """Marks a test that sees what these settings change."""
    SHOWN.update(places)
    return lambda test: test


def write(**values: Any) -> None:
    """The file of settings with these, each in its table, and nothing else."""
    lines, table = [], ""
    for setting in SETTINGS.values():
        if setting.name not in values:
            continue
        if setting.table != table:
            table = setting.table
            lines.append(f"[{table}]")
        lines.append(f"{setting.name} = {json.dumps(values[setting.name])}")
    settings_path().parent.mkdir(parents=True, exist_ok=True)
    settings_path().write_text("\n".join(lines), "utf-8")


def test_no_setting_is_without_effect() -> None:
    """Whoever adds a setting shows here what it does."""
    assert {setting.place for setting in SETTINGS.values()} == SHOWN


# --- what is said ------------------------------------------------------------------------------------------------


@shows("games.own_games", "games.own_names")
def test_games_of_ones_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["game", "find"]) == 1
    (tmp_path / "own.pgn").write_text('[White "Bert"]\n[Black "Carla"]\n[Result "0-1"]\n\n1. e4 e5 0-1\n', "utf-8")
    write(own_games=str(tmp_path), own_names="Robert, Bert")
    assert main(["game", "find", "--result", "lost"]) == 0
    assert "gegen Carla, verloren" in capsys.readouterr().out


@shows("games.tables")
def test_endgame_tables(tmp_path: Path) -> None:
    write(tables=str(tmp_path))
    library = Library(Path(Context.create("de").preferences.games.tables))
    with pytest.raises(Failure, match=r"tables\.empty"):
        library.verdict(chess.Board("8/8/8/8/8/4k3/8/4K2R w - - 0 1"))


@shows("piece_letters")
def test_letters_of_pieces(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["say", "Cf3"]) == 2
    assert capsys.readouterr().err.strip().endswith("C ist hier keine Figur.")
    write(piece_letters="es")
    assert main(["say", "Cf3"]) == 0
    assert capsys.readouterr().out == "Springer Felix drei\n"


@shows("language", "style", "full")
@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({}, "Springer Felix drei\n"),
        ({"language": "en"}, "Knight Felix three\n"),
        ({"language": "en", "preset": "tournament"}, "Springer Felix drei\n"),
        ({"language": "en", "style": "fide"}, "Springer Felix drei\n"),
        ({"style": "nato"}, "Springer Foxtrot drei\n"),
        ({"full": True}, "Springer Gustav eins Felix drei\n"),
    ],
)
def test_words(settings: dict[str, Any], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    write(**settings)
    assert main(["say", "Nf3"]) == 0
    assert capsys.readouterr().out == said


@shows("brisk")
@pytest.mark.parametrize(
    ("brisk", "command", "said"),
    [
        (False, "", ["Bauer Eva zwei Eva vier.", "Springer Gustav acht Felix sechs."]),
        (True, "", ["Eva vier.", "Springer Felix sechs."]),
        (False, "zügig", ["Bauer Eva zwei Eva vier.", "Zügig.", "Springer Felix sechs."]),
        (True, "brisk off", ["Eva vier.", "Nicht mehr zügig.", "Springer Gustav acht Felix sechs."]),
    ],
)
def test_brisk(brisk: bool, command: str, said: list[str]) -> None:
    write(brisk=brisk)
    play = [sys.executable, "-m", "voicechess", "play", "--both", "--input", "keyboard", "--output", "text"]
    lines = "\n".join(["e4", *filter(None, [command]), "Sf6"])
    done = subprocess.run(play, input=lines.encode(), stdout=subprocess.PIPE, check=False)
    assert [line for line in done.stdout.decode().splitlines() if line in said] == said


def test_the_language_of_the_settings_is_spoken(capsys: pytest.CaptureFixture[str]) -> None:
    write(language="en")
    assert main(["say", "Nf9"]) == 2
    assert capsys.readouterr().err == "This is no move in this position: Nf9.\n"


def announced(tmp_path: Path, **settings: Any) -> bytes:
    """The sound of a long announcement."""
    write(**settings)
    file = tmp_path / "said.wav"
    assert main(["say", "Nf3", "--full", "--overwrite", "--out", str(file)]) == 0
    return file.read_bytes()


@shows("voice.answers")
def test_forms_of_answers_are_chosen_in_the_file_or_by_voice() -> None:

    def in_short(*lines: str) -> bool:
        """Whether the time is told of one side only."""
        return any(line.startswith("Weiß noch") for line in played_with(*lines))

    write(answers="time short, position long")
    assert in_short("zeit")
    write(answers="time briefly")
    assert Context.create(None).problems
    write()
    assert not in_short("zeit", "kürzer")
    assert in_short("zeit", "wie vorher")
    assert not in_short("zeit")


@shows("voice.voice", "voice.rate")
def test_voice(tmp_path: Path) -> None:
    usual = announced(tmp_path)
    assert announced(tmp_path, voice="english") != usual
    assert len(announced(tmp_path, rate=80)) > 1.5 * len(usual) > 2 * len(announced(tmp_path, rate=450))


def played(file: Path, *tones: Tone, **settings: Any) -> list[int]:
    """How loud each sample is of these tones of the program, on a loudspeaker that is a file; silence is left out."""
    file.unlink(missing_ok=True)
    write(speaker=str(file), **settings)
    args = parser(Wording("de")).parse_args(["play", "--input", "keyboard"])
    context = Context.create(None).choosing(given_settings(args))
    with Program(context, wanted_devices(args, context)) as program:
        assert program.speaker is not None
        for tone in tones:
            program.speaker.tone(tone)
        program.let_speak()
    with wave.open(str(file)) as sound:
        return [abs(sample) for sample in array("h", sound.readframes(sound.getnframes())) if sample]


@shows("sound.speaker", "voice.volume")
def test_loudspeaker_and_loudness(tmp_path: Path) -> None:
    loud, soft = (max(played(tmp_path / "heard.wav", Tone.HEARD, volume=volume)) for volume in (1.0, 0.1))
    assert soft < loud / 5


@shows("voice.volume")
def test_loudness_of_a_written_file(tmp_path: Path) -> None:
    loud, soft = (power(announced(tmp_path, volume=volume)[44:]) for volume in (1.0, 0.1))
    assert 0 < soft < loud / 50, "power goes with the square"


@shows("tones.listening", "tones.heard", "tones.not_understood", "tones.clock_low")
@pytest.mark.parametrize("tone", Tone)
def test_tones(tone: Tone, tmp_path: Path) -> None:
    """One that is turned off is missing beside another one."""
    other = Tone.HEARD if tone is not Tone.HEARD else Tone.CLOCK_LOW
    both = played(tmp_path / "on.wav", tone, other)
    assert 0 < len(played(tmp_path / "off.wav", tone, other, **{tone.value: False})) < len(both)


@shows("tones.tone_volume")
def test_tones_have_a_volume_of_their_own(tmp_path: Path) -> None:
    def loudest(name: str, **settings: float) -> int:
        return max(played(tmp_path / name, Tone.HEARD, **settings))

    full, soft = loudest("full.wav", volume=1.0), loudest("soft.wav", volume=0.2)
    assert loudest("louder.wav", volume=0.2, tone_volume=5.0) == full
    assert loudest("softer.wav", volume=1.0, tone_volume=0.2) == soft
    assert loudest("loudest.wav", volume=1.0, tone_volume=10.0) == full


# --- what is heard -----------------------------------------------------------------------------------------------


@shows("sound.microphone")
def test_microphone(tmp_path: Path, model_path: Path) -> None:
    announced(tmp_path)
    file = tmp_path / "said.wav"
    with wave.open(str(file)) as sound:
        frames, rate = sound.readframes(sound.getnframes()), sound.getframerate()
    with wave.open(str(file), "wb") as longer:
        longer.setnchannels(1)
        longer.setsampwidth(2)
        longer.setframerate(rate)
        silence = bytes(2 * 2 * rate)
        longer.writeframes(silence + frames + silence)
    write(microphone=str(file), model=str(model_path))
    command = [sys.executable, "-m", "voicechess", "play", "--both", "--output", "text"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        hanging = threading.Timer(120, process.kill)
        hanging.start()
        said = process.stdout.read().decode().splitlines()  # it ends with the recording, not with its open input
        hanging.cancel()
    assert "Springer Gustav eins Felix drei." in said


@shows("sound.push_to_talk")
@pytest.mark.parametrize("push_to_talk", [True, False])
def test_the_space_bar_is_for_talking_where_that_is_wanted(
    push_to_talk: bool, tmp_path: Path, model_path: Path
) -> None:
    announced(tmp_path)
    write(microphone=str(tmp_path / "said.wav"), model=str(model_path), push_to_talk=push_to_talk)
    args = parser(Wording("de")).parse_args(["play", "--output", "text"])
    context = Context.create(None).choosing(given_settings(args))
    with Program(context, wanted_devices(args, context)) as program:
        assert program.listener is not None
        program._key(" ", False)
        assert program.listener.pressed is push_to_talk


@shows("sound.headphones")
@pytest.mark.parametrize(("headphones", "last", "worn"), [("on", "off", True), ("off", "on", False), ("", "on", True)])
def test_headphones(headphones: str, last: str, worn: bool) -> None:
    """What stands in the file goes before what was asked for last by voice."""
    write(headphones=headphones)
    args = parser(Wording("de")).parse_args(["play", "--input", "keyboard"])
    for _ in range(2):
        context = Context.create(None).choosing(given_settings(args))
        with Program(context, wanted_devices(args, context)) as program:
            assert program.speaker is not None
            is_worn = program.speaker.headphones
            program._wear(last == "on")
            assert program.speaker.headphones is (last == "on")
    assert is_worn is worn


@shows("voice.opponent_voice", "sound.left_right")
def test_the_opponents_voice_and_left_and_right(tmp_path: Path) -> None:
    """In the file, or by voice."""
    write(opponent_voice="f3", left_right=True, speaker=str(tmp_path / "said.wav"))
    context = Context.create(None)
    with Program(context, wanted_devices(None, context)) as program:
        assert program.speaker is not None
        assert (program.speaker.settings.second, program.speaker.settings.apart) == ("f3", True)
        program._choose({"left_right": False})
        program._choose({"opponent_voice": ""})
        assert (program.speaker.settings.second, program.speaker.settings.apart) == (None, False)


@shows("sound.overhear")
@pytest.mark.parametrize("overhear", [True, False])
def test_overhear(overhear: bool, model_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What hears a few words while the program speaks is there where it is wanted."""
    monkeypatch.setenv("VOICECHESS_MODEL", str(model_path))
    write(overhear=overhear)
    context = Context.create(None)
    with Program(context, wanted_devices(None, context)) as program:
        assert (program._overhearing is not None) is overhear


@shows("sound.model")
def test_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(model=str(tmp_path))
    assert main(["demo"]) == 2
    assert str(tmp_path) in capsys.readouterr().err


# --- what is remembered -------------------------------------------------------------------------------------------


def played_with(*lines: str) -> list[str]:
    """What a start of the program says to these lines, in a game of two people with a clock."""
    play = [sys.executable, "-m", "voicechess", "play", "--both", "--time", "2+0", "--input", "keyboard"]
    typed = "\n".join(lines).encode()
    done = subprocess.run([*play, "--output", "text"], input=typed, stdout=subprocess.PIPE, check=False)
    return done.stdout.decode().splitlines()


def test_times_chosen_by_voice_hold_at_the_next_start_and_the_file_goes_before_them() -> None:
    chosen = "Ich sage an: eine Minute, dreißig Sekunden, zwanzig Sekunden und zehn Sekunden."
    usual = "Ich sage an: eine Minute, zwanzig Sekunden und zehn Sekunden."
    assert chosen not in played_with("ansagen zwanzig sekunden", "ansagen normal", "ansagen halbe minute")
    assert chosen in played_with("ansagen zwanzig sekunden")
    write(thresholds=[60, 10])
    assert usual in played_with("ansagen zwanzig sekunden")
    write()
    assert "Ich sage keine Zeiten mehr an." in played_with("keine ansagen")
    assert Context.create(None).preferences.announced(GameSettings()).personal == NEVER
    played_with("ansagen normal")
    assert Context.create(None).preferences.announced(GameSettings()).personal == PersonalChoices()


# --- what is played ----------------------------------------------------------------------------------------------


def agreed(*options: str, **settings: Any) -> GameSettings:
    """The terms of `voicechess play` with these options and settings."""
    write(**settings)
    args = parser(Wording("de")).parse_args(["play", *options])
    return game_settings(args, Context.create(None).choosing(given_settings(args)).preferences)[0]


SOON = PersonalChoices(thresholds_ms=(60_000, 10_000))
NEVER = PersonalChoices(thresholds_ms=())

GAME: dict[str, tuple[Any, dict[str, Any], list[str], dict[str, Any]]] = {
    # the setting; its value; what it makes of the terms; an option that goes before it; what that makes of them
    "colour": ("black", {"white": Player.ENGINE, "black": Player.VOICE}, ["--white"], {"white": Player.VOICE}),
    "opponent": ("person", {"white": Player.VOICE, "black": Player.VOICE}, ["--black"], {"white": Player.ENGINE}),
    "level": (7, {"level": 7}, ["--level", "2"], {"level": 2}),
    "time": ("5+3", {"time": "5+3"}, ["--time", ""], {"time": ""}),
    "laws": (1985, {"laws": 1985}, ["--laws", "2009"], {"laws": 2009}),
    "preset": ("tournament", {"preset": Preset.TOURNAMENT}, ["--preset", "casual"], {"preset": Preset.CASUAL}),
    "default_time": (30, {"default_minutes": 30}, ["--default-time", "0"], {"default_minutes": 0}),
    "touch_move": (True, {"touch_move": True}, ["--no-touch-move"], {"touch_move": False}),
    "penalties": (True, {"penalties": True}, ["--no-penalties"], {"penalties": False}),
    "quickplay": ("increment", {"quickplay": Quickplay.INCREMENT}, [], {"quickplay": Quickplay.INCREMENT}),
    "draw_after": (30, {"draw_after": 30}, [], {"draw_after": 30}),
    "draw_consent": (True, {"draw_consent": True}, [], {"draw_consent": True}),
    "captured": (
        False,
        {"personal": PersonalChoices(captured=False)},
        [],
        {"personal": PersonalChoices(captured=False)},
    ),
    "thresholds": ([60, 10], {"personal": SOON}, [], {"personal": SOON}),
    "announce_times": (False, {"personal": NEVER}, [], {"personal": NEVER}),
}


@shows("voice.output")
@pytest.mark.parametrize(
    ("output", "option", "reads"),
    [
        ("own", [], False),
        ("reader", [], True),
        ("reader", ["--output", "voice"], False),
        ("own", ["--output", "reader"], True),
    ],
)
def test_who_speaks(output: str, option: list[str], reads: bool) -> None:
    write(output=output)
    args = parser(Wording("de")).parse_args(["play", *option])
    context = Context.create(None).choosing(given_settings(args))
    assert wanted_devices(args, context).reader is reads
    assert wanted_devices(args, context).voice_output


@shows("screen.board")
@pytest.mark.parametrize("board", ["", "text", "page"])
def test_what_whoever_sees_is_shown(board: str) -> None:
    write(board=board)
    command = [sys.executable, "-m", "voicechess", "play", "--both", "--input", "keyboard", "--output", "text"]
    done = subprocess.run(command, input="", capture_output=True, encoding="utf-8", check=False)
    assert ("8 t s l d k l s t" in done.stdout) is (board == "text")
    assert ("http://127.0.0.1:" in done.stdout) is (board == "page")


@shows("online.quick", "online.chat")
@pytest.mark.parametrize("name", ["quick", "chat"])
def test_a_game_on_a_server_is_played_as_wanted(name: str) -> None:
    plain, wanted = agreed(), agreed(**{name: True})
    assert not getattr(plain.personal, name) and getattr(wanted.personal, name)
    told = [ev.ServerState(at_ms=1), ev.ServerChat(at_ms=2, name="anna", text="hallo"), E4]
    for settings, differs in ((plain, False), (wanted, True)):
        session = session_of(replace(settings, black=Player.SERVER))
        done = [effect for event in (ev.Started(at_ms=0), *told) for effect in session.handle(event)]
        seen = {
            "quick": any(isinstance(effect, SendMove) for effect in done),
            "chat": any(isinstance(effect, Say) and effect.utterance.key == "server.chat" for effect in done),
        }
        assert seen[name] is differs


@shows(*(f"game.{name}" for name in GAME))
@pytest.mark.parametrize("name", GAME)
def test_terms_of_a_game(name: str) -> None:
    value, expected, options, other = GAME[name]
    plain, with_setting, with_option = agreed(), agreed(**{name: value}), agreed(*options, **{name: value})
    assert plain == GameSettings(quickplay=Quickplay.OFF)
    assert {field: getattr(with_setting, field) for field in expected} == expected
    assert with_setting != plain
    assert {field: getattr(with_option, field) for field in other} == other


def test_a_random_colour_is_drawn() -> None:
    assert {agreed(colour="random").white for _ in range(64)} == {Player.VOICE, Player.ENGINE}


def test_both_sides_or_a_level_say_who_plays() -> None:
    assert agreed("--both", colour="black").white is agreed("--both").black is Player.VOICE
    assert agreed("--level", "4", opponent="person").black is Player.ENGINE


def welcomed(lines: str) -> list[str]:
    """What `voicechess` says when these lines are typed."""
    command = [sys.executable, "-m", "voicechess", "--lang", "de"]
    done = subprocess.run(command, input=lines.encode(), capture_output=True, check=False, timeout=120)
    return done.stdout.decode().splitlines()


def test_the_welcome_offers_the_settings_and_goes_by_them() -> None:
    write(opponent="person", time="5+3", preset="tournament", captured=True)
    said = welcomed("ja\ne4\nd5\nexd5\nende\nja\n")
    assert "Wie eingestellt: Zwei Spieler, fünf Minuten, drei Sekunden je Zug?" in said
    assert "Bauer Eva vier schlägt David fünf." in said, "in a tournament it is not told what was captured"


# --- a loudspeaker that is a file --------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [[], ["play", "--both", "--input", "keyboard"]])
def test_a_file_of_the_settings_is_not_written_over(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "kept.wav"
    file.write_bytes(b"kept")
    write(speaker=str(file))
    assert main(command) == 2
    assert capsys.readouterr().err == (
        f"In {settings_path()} steht als Lautsprecher die Datei {file}, und die gibt es schon. Nennen Sie dort eine "
        "andere, oder benennen Sie diese um. Überschrieben wird sie nur mit: voicechess play --overwrite.\n"
    )
    assert file.read_bytes() == b"kept"


def test_doctor_tells_of_a_file_that_is_there_and_makes_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "new.wav"
    write(speaker=str(file))
    main(["doctor"])
    assert not file.exists(), "it would be in the way of the next game"
    file.write_bytes(b"kept")
    capsys.readouterr()
    main(["doctor"])
    told = capsys.readouterr().out.splitlines()
    assert sum("voicechess play --overwrite" in line for line in told) == 1
    assert len(told) > 5, "the other parts are looked at as well"
    assert file.read_bytes() == b"kept"
