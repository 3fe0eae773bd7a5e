"""The command line: every mistake is one sentence and status 2, and a game can be played through a pipe."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import threading
import wave
from array import array
from pathlib import Path

import pytest

from voicechess import __version__
from voicechess.cli import main
from voicechess.sound.pcm import converted
from voicechess.storage.places import journal_file, settings_path

FRESH = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def run_play(lines: bytes, *arguments: str) -> subprocess.CompletedProcess[str]:
    """`voicechess play` with these lines on standard input."""
    done = subprocess.run(
        [sys.executable, "-m", "voicechess", "play", "--input", "keyboard", "--output", "text", *arguments],
        input=lines,
        capture_output=True,
        check=False,
        timeout=120,
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def test_it_ends_in_order_while_the_pipe_is_open() -> None:
    """A program that hands lines on keeps its end of the pipe open, as long as this one runs."""
    command = [sys.executable, "-m", "voicechess", "play", "--input", "keyboard", "--output", "text", "--both"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(b"ende\nja\n")
        process.stdin.flush()
        hanging = threading.Timer(120, process.kill)
        hanging.start()
        said = process.stdout.read().decode()
        status = process.wait()
        hanging.cancel()
    assert said.splitlines()[-1] == "Die Partie ist gespeichert. Auf Wiederhören."
    assert status == 0


def test_nothing_is_called_saved_that_is_not(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "no folder").write_text("")
    monkeypatch.setenv("VOICECHESS_HOME", str(tmp_path / "no folder"))
    done = run_play(b"springer felix drei\nspeichern\nneue partie\nnein\nende\nja\n", "--both")
    assert done.stdout.splitlines()[-5:] == [
        "Die Partie lässt sich nicht speichern. Sie bleibt nur, solange das Programm läuft.",
        "Die Partie lässt sich nicht speichern. Trotzdem verlassen?",
        "Also nicht.",
        "Die Partie lässt sich nicht speichern und geht verloren. Wirklich aufhören?",
        "Die Partie ließ sich nicht speichern. Auf Wiederhören.",
    ]
    assert run_play(b"springer felix drei\n", "--both").stdout.splitlines()[-1].endswith("ließ sich nicht speichern.")


@pytest.mark.parametrize(
    ("setting", "preset", "told"),
    [("true", "casual", True), ("false", "casual", False), ("true", "tournament", False)],
)
def test_whether_captures_name_the_piece_is_a_setting_of_casual_play(setting: str, preset: str, told: bool) -> None:
    settings = Path(os.environ["VOICECHESS_HOME"]) / "settings.toml"
    settings.write_text(f"[game]\ncaptured = {setting}\n")
    done = run_play(
        b"eva vier\ndavid f\xc3\xbcnf\neva schl\xc3\xa4gt david f\xc3\xbcnf\n", "--both", "--preset", preset
    )
    announced = "Bauer Eva vier schlägt Bauer David fünf." if told else "Bauer Eva vier schlägt David fünf."
    assert announced in done.stdout.splitlines()


@pytest.mark.parametrize("command", [["play", "--both"], []])
def test_what_is_wrong_in_the_settings_is_told_at_the_start(command: list[str]) -> None:
    settings_path().parent.mkdir(parents=True, exist_ok=True)
    home = "" if sys.platform == "win32" else '[sound]\nmodel = "~nobody-of-this-name/x"\n'  # there all have one
    settings_path().write_text(f'language = "fr"\n{home}[game]\nlevel = 0\n')
    devices = ["--input", "keyboard", "--output", "text"] if command else []
    told = subprocess.run(
        [sys.executable, "-m", "voicechess", *command, *devices],
        input=b"",
        capture_output=True,
        check=False,
        timeout=120,
    ).stdout.decode()
    problem = f"In {settings_path()}: language muss eines sein von: de, en."
    assert told.splitlines()[:2] == [
        problem,
        "In den Einstellungen ist noch mehr falsch. Alles nennt: voicechess settings show",
    ]


def test_without_a_game_none_is_called_saved() -> None:
    command = [sys.executable, "-m", "voicechess", "practise", "squares", "--input", "keyboard", "--output", "text"]
    done = subprocess.run(command, input=b"1\n", capture_output=True, check=False, timeout=120)
    assert done.stdout.decode().splitlines()[-1] == "Die Eingabe ist zu Ende."


def go_on(lines: str) -> str:
    """What `voicechess` says when started again, going on with the game that was broken off, with these lines."""
    return subprocess.run(
        [sys.executable, "-m", "voicechess"],
        input=f"ja\n{lines}".encode(),
        capture_output=True,
        check=False,
        timeout=120,
    ).stdout.decode()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--nonsense"], "Diese Angabe verstehe ich nicht: --nonsense."),
        (["dance"], "Diese Angabe verstehe ich nicht: dance."),
        (["play", "--leve", "3"], "Diese Angabe verstehe ich nicht: --leve 3."),
        (["play", "--level", "many"], "Diese Angabe verstehe ich nicht: many."),
        (
            ["game"],
            "Es fehlt: list, find, show, export, resume, new, move oder line. Mehr zeigt: voicechess game --help.\n",
        ),
        (["say", "--style", "nato"], "Es fehlt: MOVE. Mehr zeigt: voicechess say --help.\n"),
        (["play", "--level"], "Nach --level fehlt ein Wert. Mehr zeigt: voicechess play --help.\n"),
        (["play", "--level", "11"], "--level muss zwischen eins und zehn liegen."),
        (["play", "--default-time", "-1"], "--default-time muss zwischen null und tausendvierhundertvierzig liegen."),
        (["play", "--960", "960"], "--960 muss zwischen null und neunhundertneunundfünfzig liegen."),
        (["play", "--960", "KKKKKKKK"], "König: davon stehen genau eins auf der Grundreihe."),
        (["play", "--960", "TTSSLLDK"], "Der König muss zwischen den beiden Türmen stehen."),
        (["play", "--time", "5x5"], "Die Zeitangabe 5x5 verstehe ich nicht."),
        (
            ["play", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"],
            "Diese Stellung ist nicht möglich. Weiß hat keinen König.",
        ),
        (["play", "--fen", "\x1b[2J8\n8"], "Das ist keine gültige Stellung in FEN: 8 8.\n"),
        (["play", "--fen", FRESH[:-1] + "9" * 50], "Das ist keine gültige Stellung in FEN: rnbq"),
        (["hear", "--fen", FRESH[:-3] + "9" * 50 + " 1", "x.wav"], "Das ist keine gültige Stellung in FEN: rnbq"),
        (["play", "--fen", "x" * 5000], "Das ist keine gültige Stellung in FEN: " + "x" * 20),
        (["practise", "--pgn", os.devnull], f"Die Datei {os.devnull} lässt sich nicht lesen."),
        (["play", "--microphone", "nix.wav"], "Die Datei nix.wav gibt es nicht."),
        (["say", "Sf9"], "Das ist in dieser Stellung kein Zug: Sf9."),
        (["game", "show"], "Es ist noch keine Partie gespeichert."),
        (["game", "show", "7"], "Eine Partie Nummer sieben gibt es nicht."),
        (["game", "move"], "Es fehlt: number."),
        (["game", "line", "7"], "Eine Partie Nummer sieben gibt es nicht."),
        (["game", "new"], "Es fehlt: --correspondence."),
        (["game", "new", "--correspondence", "white", "--time", "5+3"], "In einer Fernpartie zählen Tage: 5+3 ist"),
        (["game", "new", "--correspondence", "white", "--time", "0days"], "Möglich sind ein bis"),
        (["game", "new", "--correspondence", "black", "--fen", "x"], "Das ist keine gültige Stellung in FEN: x."),
        (["model", "install", "big-xx"], "Ein Modell big-xx kenne ich nicht."),
    ],
)
def test_mistakes_are_one_sentence_and_status_2(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    printed = capsys.readouterr()
    assert printed.err.startswith(said)
    assert printed.err.count("\n") == 1


@pytest.mark.parametrize("arguments", [["--white"], ["--simul", "2", "--white"]])
def test_a_machine_without_chess960_is_told_before_the_game(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("voicechess.opponents.discovery.stockfish", lambda: None)
    assert main(["play", *arguments, "--960", "0"]) == 2
    told = "Diese Maschine kann kein Chess960. Es geht mit Stockfish oder gegen einen Menschen.\n"
    assert capsys.readouterr().err == told


def test_a_strange_setting_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    settings_path().parent.mkdir(parents=True, exist_ok=True)
    settings_path().write_text('"levl\\u001b[2J\\nx" = 3\n', "utf-8")
    main(["settings", "show"])
    assert "\x1b" not in (shown := capsys.readouterr().out)
    assert "levl x" in shown.splitlines()[-1]


def test_mistakes_in_english(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--lang", "en", "play", "--level", "99"]) == 2
    assert capsys.readouterr().err == "--level must be between one and ten.\n"


@pytest.mark.parametrize("content", [b"", b"RIFF", b"ID3\x04\x00" + bytes(4000), b"no sound at all", None])
def test_files_that_are_no_recordings(
    content: bytes | None, tmp_path: Path, capsys: pytest.CaptureFixture[str], model_path: Path
) -> None:
    file = tmp_path / "recording.wav"
    if content is not None:
        file.write_bytes(content)
    assert main(["hear", str(file), "--model", str(model_path)]) == 2
    assert "recording.wav" in capsys.readouterr().err


def test_a_folder_that_is_no_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--model", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_move_announced_and_heard_again(tmp_path: Path, capsys: pytest.CaptureFixture[str], model_path: Path) -> None:
    file = tmp_path / "move.wav"
    assert main(["say", "Nf3", "--full", "--out", str(file)]) == 0
    assert capsys.readouterr().out == "Springer Gustav eins Felix drei\n"
    assert main(["hear", str(file), "--json", "--fen", FRESH, "--model", str(model_path)]) == 0
    heard = json.loads(capsys.readouterr().out)
    assert (heard["decision"], heard["move"], heard["heard"]) == ("play", "g1f3", "springer gustav eins felix drei")
    assert heard["candidates"][0] == {"move": "g1f3", "cost": 0.0}
    assert set(heard) == {"file", "began_ms", "ended_ms", "heard", "decision", "move", "candidates", "say", "decode_ms"}


@pytest.mark.parametrize(
    ("rate", "channels"), [(8000, 1), (8000, 2), (11_025, 2), (12_000, 1), (22_050, 1), (44_100, 2), (192_000, 2)]
)
def test_recordings_of_every_rate_are_heard(
    rate: int, channels: int, tmp_path: Path, capfd: pytest.CaptureFixture[str], model_path: Path
) -> None:
    said, other = tmp_path / "said.wav", tmp_path / "Other.wav"
    assert main(["say", "Nf3", "--full", "--out", str(said)]) == 0
    with wave.open(str(said), "rb") as file:
        pcm = converted(file.readframes(file.getnframes()), file.getframerate(), rate, 1)
    silence = array("h", bytes(2 * rate))
    frames = array("h", [0]) * (channels * (len(pcm) // 2 + 2 * len(silence)))
    frames[channels - 1 :: channels] = silence + array("h", pcm) + silence
    with wave.open(str(other), "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(frames.tobytes())
    capfd.readouterr()
    assert main(["hear", str(other), "--fen", FRESH, "--model", str(model_path)]) == 0
    printed = capfd.readouterr()
    move = "Springer Gustav eins Felix drei"
    assert printed.out == f"Datei {other}: gehört »{move.lower()}«. Gespielt würde: {move}.\n"
    assert printed.err == ""


def test_what_would_be_asked_or_refused_is_told_and_the_file_keeps_its_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, model_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "snd").mkdir()
    assert main(["say", "Nf3", "--out", "snd/x.wav", "--fen", FRESH]) == 0
    capsys.readouterr()
    for fen, told, ending in (
        ("4k3/8/8/8/3N4/8/8/4K1N1 w - - 0 1", "Gefragt würde: Springer ", "?\n"),
        ("4k3/7p/8/8/8/8/7P/4K3 w - - 0 1", "Abgelehnt würde: Sie haben keinen Springer", ".\n"),
    ):
        assert main(["hear", "snd/x.wav", "--fen", fen, "--model", str(model_path)]) == 0
        line = capsys.readouterr().out
        assert line.startswith(f"Datei {Path('snd/x.wav')}: gehört »springer felix drei«. {told}")
        assert line.endswith(ending)


@pytest.mark.parametrize(
    "arguments",
    [
        ["say", "Nf3", "--out"],
        ["demo", "--out"],
        ["game", "export", "--out"],
        ["practise", "--report", "--out"],
        ["play", "--input", "keyboard", "--speaker"],
        ["game", "resume", "--input", "keyboard", "--speaker"],
        ["practise", "squares", "--input", "keyboard", "--speaker"],
    ],
)
def test_a_file_that_is_there_is_not_written_over(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "kept.wav"
    file.write_bytes(b"kept")
    assert main([*arguments, str(file)]) == 2
    printed = capsys.readouterr()
    assert printed.err == f"Die Datei {file} gibt es schon. Überschrieben wird sie nur mit --overwrite.\n"
    assert printed.out == ""
    assert file.read_bytes() == b"kept"


def test_it_is_written_over_where_that_was_said(tmp_path: Path) -> None:
    for name in ("said.wav", "played.wav"):
        (tmp_path / name).write_bytes(b"kept")
    assert main(["say", "Nf3", "--overwrite", "--out", str(tmp_path / "said.wav")]) == 0
    play = [sys.executable, "-m", "voicechess", "play", "--both", "--input", "keyboard", "--overwrite"]
    play += ["--speaker", str(tmp_path / "played.wav")]
    assert subprocess.run(play, input=b"ende\nja\n", capture_output=True, check=False, timeout=120).returncode == 0
    for name in ("said.wav", "played.wav"):
        assert (tmp_path / name).read_bytes().startswith(b"RIFF")


@pytest.mark.parametrize(
    ("language", "model", "end", "heard"),
    [
        ("de", "model_path", "Schachmatt. Weiß gewinnt.", "Alle sieben Züge wurden richtig gehört."),
        ("en", "english_model_path", "Checkmate. White wins.", "All seven moves were heard right."),
    ],
)
def test_the_demonstration_hears_every_move(
    language: str,
    model: str,
    end: str,
    heard: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    request: pytest.FixtureRequest,
) -> None:
    file, listens = tmp_path / "demo.wav", request.getfixturevalue(model)
    assert main(["demo", "--lang", language, "--model", str(listens), "--out", str(file)]) == 0
    told = capsys.readouterr().out
    assert end in told
    assert heard in told
    assert file.stat().st_size > 500_000


@pytest.mark.parametrize(("style", "said"), [("fide", "Eva vier\n"), ("plain", "E vier\n"), ("nato", "Echo vier\n")])
def test_styles(style: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["say", "e4", "--style", style]) == 0
    assert capsys.readouterr().out.casefold() == said.casefold()


def test_a_game_through_a_pipe_is_kept_when_the_input_ends() -> None:
    played = run_play(b"e4\nSpringer Gustav eins Felix drei\n", "--time", "5+3", "--level", "1")
    assert played.returncode == 0
    lines = played.stdout.splitlines()
    assert "Bauer Eva zwei Eva vier." in lines
    assert "Springer Gustav eins Felix drei." in lines
    assert sum(line.startswith("Schwarz: ") for line in lines) == 2
    assert lines[-1] == "Die Eingabe ist zu Ende. Die Partie ist gespeichert."
    assert played.stderr == ""
    listed = subprocess.run(
        [sys.executable, "-m", "voicechess", "game", "export"], capture_output=True, check=True, timeout=60
    ).stdout.decode()
    assert "1. e4 " in listed
    assert '[Result "*"]' in listed
    assert "[%clk 0:05:" in listed


def test_three_starts_tell_the_words_that_always_work() -> None:
    starts = [run_play(b"ende\nja\n", "--both").stdout, *(go_on("ende\nja\n") for _ in range(2))]
    starts.append(run_play(b"ende\nja\n", "--both").stdout)
    assert ["Drei Wörter gehen immer" in said for said in starts] == [True, True, True, False]


@pytest.mark.parametrize("again", [["play", "--both"], ["game", "resume"]])
def test_a_new_game_is_first_the_same_again(again: list[str]) -> None:
    run_play(b"e4\n", "--both", "--time", "9+9")
    command = [sys.executable, "-m", "voicechess", *again, "--input", "keyboard", "--output", "text"]
    lines = b"neue partie\nja\nja\ne4\n"
    done = subprocess.run(command, input=lines, capture_output=True, check=False, timeout=120)
    said = done.stdout.decode().splitlines()
    offered = next(number for number, line in enumerate(said) if line.startswith("Revanche: Zwei Spieler"))
    assert said[offered + 1].startswith("Zwei Spieler")
    assert "Bauer Eva zwei Eva vier." in said[offered:]
    assert not any(line.startswith("Willkommen") for line in said)


def test_the_unfinished_game_is_offered_and_goes_on() -> None:
    run_play(b"e4\n", "--opponent", "person")
    again = go_on("e5\nalle Züge\n")
    assert "Weiterspielen?" in again
    assert "Bauer Eva sieben Eva fünf." in again


def test_a_game_goes_on_where_it_stood_though_its_words_mean_something_else_now() -> None:
    """As they may to a later version of the program: what was repeated and answered is the game."""
    run_play(b"d3\ne5\nd4\n", "--opponent", "person")
    database = sqlite3.connect(journal_file())
    [(number, body)] = database.execute('SELECT number, body FROM event WHERE body LIKE \'%"words":"e5"%\'').fetchall()
    assert '"to_rank":4' in body
    other = body.replace('"to_rank":4', '"to_rank":5')
    database.execute("UPDATE event SET body = ? WHERE number = ?", (other, number))
    database.commit()
    database.close()
    again = go_on("exd4\n")
    assert "Bauer Eva fünf schlägt Bauer David vier." in again


def test_the_mistake_is_shown_after_the_game() -> None:
    lines = "f3\ne5\ng4\nDh4\nwas war mein Fehler\nnein\nnein\nnein\nende\nende\n"
    played = run_play(lines.encode(), "--opponent", "person")
    assert played.returncode == 0
    said = played.stdout.splitlines()
    mate = said.index("Schachmatt. Schwarz gewinnt.")
    assert any("gespielt wurde Gustav vier. Das ließ ein Matt zu." in line for line in said[mate:])
    assert said[-1] == "Die Partie ist gespeichert. Auf Wiederhören."


def test_bad_lines_are_answered_and_hurt_nothing() -> None:
    lines = b"\xff\xfe\x00 e4\n" + b"a" * 10_000 + b"\n\x1b[31m\n\n" + "🐴 f3\n".encode() + b"e4\n"
    played = run_play(lines, "--opponent", "person")
    assert played.returncode == 0
    assert "Traceback" not in played.stdout + played.stderr
    assert "Bauer Eva zwei Eva vier." in played.stdout


@pytest.mark.skipif(os.name == "nt", reason="file permissions work differently there")
@pytest.mark.parametrize("home", ["/dev/null/home", "/proc/voicechess"])
def test_without_a_place_to_save_the_game_goes_on(home: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VOICECHESS_HOME", home)
    played = run_play(b"e4\n", "--opponent", "person")
    assert played.returncode == 0
    assert "lässt sich nichts speichern" in played.stdout
    assert "Bauer Eva zwei Eva vier." in played.stdout


def test_a_device_may_have_a_name_longer_than_any_file() -> None:
    played = run_play(b"e4\n", "--both", "--microphone", "x" * 300, "--speaker", "x" * 300)
    assert played.stdout.splitlines()[-2] == "Bauer Eva zwei Eva vier."


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"voicechess {__version__}\n"


def test_help_is_in_the_language_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    german = capsys.readouterr().out
    assert "spielt eine Partie" in german.casefold() or "Spielt eine Partie" in german
    with pytest.raises(SystemExit):
        main(["--lang", "en", "--help"])
    assert "lay a game" in capsys.readouterr().out


def test_a_thread_that_fails_shows_a_sentence_and_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(_args: object, _context: object) -> int:
        failing = threading.Thread(target=lambda: 1 // 0)
        failing.start()
        failing.join()
        return 0

    monkeypatch.setattr("voicechess.commands.say.run", run)
    assert main(["say", "--lang", "de", "e4"]) == 0
    printed = capsys.readouterr().err
    assert printed.startswith("Ein Fehler im Programm: ZeroDivisionError") and "Traceback" not in printed


def test_a_correspondence_game_from_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two people, each with a folder of their own; what one prints is what the other is given."""

    def run(who: str, *arguments: str, status: int = 0) -> tuple[str, str]:
        monkeypatch.setenv("VOICECHESS_HOME", str(tmp_path / who))
        assert main(["game", *arguments]) == status
        printed = capsys.readouterr()
        return printed.out, printed.err

    assert run("eva", "new", "--correspondence", "white", "--time", "50days/10", "--against", "Hans")[0] == (
        "Fernpartie eins ist angelegt: Fernpartie, Sie mit Weiß, zehn Züge in fünfzig Tagen.\n"
    )
    run("hans", "new", "--correspondence", "black", "--time", "50days/10", "--notation", "numeric")
    line = run("eva", "move", "1", "e4 falls e5 dann Sf3")[0].splitlines()[-1]
    assert run("eva", "line", "1")[0].splitlines()[-1] == line
    assert run("hans", "line", "1", status=1)[1] == "Erst Ihr Zug, dann die Zeile.\n"
    assert run("hans", "move", "1", line.replace("1. e4", "1. d4"), status=1)[1].startswith("Die Zeile ist unterwegs")
    assert run("hans", "move", "1", f"> {line}")[0].splitlines()[0] == "Weiß: Eva vier."
    run("hans", "move", "1", "e5")
    assert "1. 5254 5755 2. 7163 2836 " in run("hans", "move", "1", "2836")[0]
    assert run("eva", "list")[0].endswith("Fernpartie, Weiß gegen Hans, nicht zu Ende.\n")
    assert '[TimeControl "10/4320000"]' in run("eva", "export", "1")[0]


@pytest.mark.parametrize(
    "arguments",
    [["play", "--help"], ["--help"], ["play", "--both", "--input", "keyboard", "--output", "text"]],
)
def test_a_start_loads_nothing_that_it_does_not_need(arguments: list[str]) -> None:
    """What sends to a server, keeps passwords, serves a page or speaks through a screen reader comes when it is asked
    for."""
    unneeded = {"requests", "urllib3", "keyring", "starlette", "uvicorn", "prism", "http.server"}
    check = f"import atexit, sys; atexit.register(lambda: print({unneeded!r} & set(sys.modules)))"
    run = f"{check}; from voicechess.cli import main; sys.exit(main({arguments!r}))"
    done = subprocess.run([sys.executable, "-c", run], input="", capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "set()"


LOADED_BY_THEN = """
import sys
from voicechess.app.wiring import LOADED_LATER
from voicechess.cli import main
say, found = sys.stdout.write, []
def write(text):
    found.append([name for name in LOADED_LATER if name in sys.modules])
    return say(text)
sys.stdout.write = write
status = main({arguments!r})
sys.stdout.write = say
print(found[0])
sys.exit(status)
"""


@pytest.mark.parametrize("arguments", [["--lang", "de"], ["play", "--both", "--input", "keyboard", "--output", "text"]])
def test_the_first_sentence_does_not_wait_for_what_is_needed_later(arguments: list[str]) -> None:
    """Practice, servers, correspondence and engines are half of all that there is to load; it took two seconds on
    Windows (issue 51)."""
    code = LOADED_BY_THEN.format(arguments=arguments)
    done = subprocess.run([sys.executable, "-c", code], input="", capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "[]"


def test_children_may_keep_what_they_compiled() -> None:
    """A voice or an engine that compiles everything anew took most of a minute to begin on Windows (issue 51)."""
    code = "import os; from voicechess.cli import main; main(['settings', 'show']); print(sorted(os.environ))"
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert "PYTHONDONTWRITEBYTECODE" not in done.stdout and "VOICECHESS_HOME" in done.stdout


def test_a_name_longer_than_any_may_be_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    name = "x" * 300
    for command in (["manual", "--out"], ["say", "Nf3", "--out"], ["model", "verify"], ["demo", "--model"]):
        assert main([*command, name + (".wav" if "say" in command else "")]) in (1, 2)
        assert "Ein Fehler im Programm" not in "".join(capsys.readouterr())
