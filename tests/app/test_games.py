"""Games from the journal: replayed, continued, written as text."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import wave
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

import chess
import pytest

from tests.storage.test_journal import read_only
from voicechess.app import games
from voicechess.app.kinds import session_of
from voicechess.app.last_game import last_finished, last_position
from voicechess.cli import main
from voicechess.game.agreement import GameSettings, Player, Preset
from voicechess.game.effects import GameEnded, Say
from voicechess.game.events import Event, Heard, OpponentMoved, ServerState, Spoken, Started
from voicechess.game.session import Session
from voicechess.language.folders import LANGUAGES
from voicechess.language.wording import Wording
from voicechess.laws.results import Ending, Way
from voicechess.meaning import Reading, SpokenMove
from voicechess.score.braille import position_in_braille, text_in_braille
from voicechess.score.pgn import read_pgn
from voicechess.score.score import Entry, Note, NoteKind, Score
from voicechess.sound.speech import Speech, SpokenSound
from voicechess.storage.database import JournalError
from voicechess.storage.journal import Journal, Recorder
from voicechess.storage.places import journal_file

GERMAN = Wording("de")
MATE = ("f2f3", "e7e5", "g2g4", "d8h4")


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    found = Journal(tmp_path / "games.sqlite")
    yield found
    found.close()


def said(uci: str, at_ms: int) -> Heard:
    """The announcement of a move, with everything in it."""
    move = chess.Move.from_uci(uci)
    spoken = SpokenMove(
        from_file=chess.square_file(move.from_square),
        from_rank=chess.square_rank(move.from_square),
        to_file=chess.square_file(move.to_square),
        to_rank=chess.square_rank(move.to_square),
    )
    return Heard(at_ms=at_ms, readings=(Reading(spoken),), words=uci, began_ms=at_ms - 500, ended_ms=at_ms - 100)


def play(session: Session, recorder: Recorder, moves: tuple[str, ...], start_ms: int = 0) -> None:
    """White speaks and Black is the engine; everything that is said is heard to its end."""
    now = start_ms

    def happen(event: Event) -> None:
        waiting = [event]
        while waiting:
            recorder.append(waiting[0])
            for effect in session.handle(waiting.pop(0)):
                if isinstance(effect, Say):
                    waiting.append(Spoken(at_ms=now, number=effect.utterance.number))

    if start_ms == 0:
        happen(Started(at_ms=0))
    for uci in moves:
        now += 2_000
        happen(said(uci, now) if session.board.turn == chess.WHITE else OpponentMoved(at_ms=now, uci=uci))


def test_a_game_on_a_server_is_kept_and_can_be_gone_through_when_it_is_over(journal: Journal) -> None:
    settings = GameSettings(white=Player.SERVER, black=Player.VOICE, site="https://lichess.org/abcdefgh", time="5+3")
    session = session_of(settings)
    recorder = games.Recording(journal.begin(settings), session)
    now = 0

    def happen(event: Event) -> None:
        effects = session.handle(event)
        recorder.keep(event)
        for effect in effects:
            if isinstance(effect, Say):
                happen(Spoken(at_ms=now, number=effect.utterance.number))
            elif isinstance(effect, GameEnded):
                recorder.end(effect)

    states = [(), ("e2e4",), ("e2e4", "c7c5"), ("e2e4", "c7c5", "g1f3")]
    happen(Started(at_ms=0))
    for moves in states:
        now += 3_000
        if len(moves) == 2:
            happen(said("c7c5", now))
        happen(ServerState(at_ms=now, moves=moves, white_ms=290_000, black_ms=280_000))
    happen(ServerState(at_ms=now, moves=states[-1], white_ms=280_000, black_ms=280_000, status="resign", winner=False))
    recorder.release()
    stored = journal.game(recorder.game_id)
    assert games.replay(stored).ending == session.ending == Ending(Way.RESIGNATION, chess.BLACK)
    found = last_finished(journal)
    assert found is not None
    score, colour = found
    assert colour == chess.BLACK and [one.move.uci() for one in score.entries] == ["e2e4", "c7c5", "g1f3"]
    text = games.write(score, games.Format.PGN, GERMAN)
    assert '[Site "https://lichess.org/abcdefgh"]' in text and '[Event "Casual game"]' in text


def played(journal: Journal, settings: GameSettings, moves: tuple[str, ...]) -> tuple[Session, Recorder]:
    recorder = journal.begin(settings, datetime(2026, 5, 1, 12, tzinfo=UTC))
    session = session_of(settings)
    play(session, recorder, moves)
    return session, recorder


def test_the_last_position_is_that_of_the_newest_game_with_moves_and_of_no_strict_blind_one_in_progress(
    journal: Journal,
) -> None:
    assert last_position(journal) is None
    session, _ = played(journal, GameSettings(), MATE[:2])
    played(journal, GameSettings(), ())
    found = last_position(journal)
    assert found is not None and found.fen() == session.board.fen()
    played(journal, GameSettings(preset=Preset.STRICT_BLIND), MATE[:3])
    assert last_position(journal) is None


def test_the_replayed_game_is_the_game_that_was_played(journal: Journal) -> None:
    session, recorder = played(journal, GameSettings(time="5+3"), MATE[:3])
    again = games.replay(journal.game(recorder.game_id))
    assert [move.uci() for move in session.board.move_stack] == list(MATE[:3])
    assert again.board.move_stack == session.board.move_stack
    assert again.clock == session.clock
    assert again.phase == session.phase


def test_a_game_goes_on_to_its_end(journal: Journal) -> None:
    _, recorder = played(journal, GameSettings(time="5+3"), MATE[:3])
    offered = games.unfinished(journal)
    assert offered is not None
    continued = games.resume(journal, offered.id)
    assert (offered.id, continued.last_ms) == (recorder.game_id, 6_000)
    play(continued.session, continued.recorder, MATE[3:], continued.last_ms)
    assert continued.session.result == "0-1"
    # The program ended before it wrote the result: the game is not offered again, and the result is found.
    assert games.unfinished(journal) is None
    assert journal.game(offered.id).summary.result == "0-1"
    with pytest.raises(JournalError) as caught:
        games.resume(journal, offered.id)
    assert caught.value.key == "journal.over"


def test_a_game_that_cannot_be_read_is_passed_over(journal: Journal) -> None:
    _, first = played(journal, GameSettings(), MATE[:1])
    _, second = played(journal, GameSettings(), MATE[:1])
    journal._database.execute("UPDATE event SET body = 'x' WHERE game = ?", (second.game_id,))
    offered = games.unfinished(journal)
    assert offered is not None
    assert offered.id == first.game_id
    with pytest.raises(JournalError) as caught:
        games.resume(journal, second.game_id)
    assert caught.value.key == "journal.unreadable"


def test_settings_that_no_game_can_have_are_a_damaged_game(journal: Journal) -> None:
    recorder = journal.begin(GameSettings(fen="no position"))
    with pytest.raises(JournalError) as caught:
        games.replay(journal.game(recorder.game_id))
    assert caught.value.key == "journal.unreadable"


def test_the_result_that_was_written_stands(journal: Journal) -> None:
    """Also where a later version makes something else of the words that ended the game."""
    _, recorder = played(journal, GameSettings(), MATE[:2])
    recorder.end("0-1", "resignation")
    score = games.score_of(journal.game(recorder.game_id))
    assert '[Result "0-1"]' in games.write(score, games.Format.PGN, GERMAN)
    _, mated = played(journal, GameSettings(), MATE)
    mated.end("0-1", "checkmate")
    assert games.score_of(journal.game(mated.game_id)).ending is not None


def test_formats(journal: Journal) -> None:
    settings = GameSettings(time="5+3", white_name="Anna", black=Player.ENGINE)
    _, recorder = played(journal, settings, ("g1f3", "g8f6"))
    score = games.score_of(journal.game(recorder.game_id))
    assert score.date.startswith("2026.05.")
    pgn = games.write(score, games.Format.PGN, GERMAN)
    assert '[White "Anna"]' in pgn
    assert "[%clk" in pgn
    read = read_pgn(pgn)[0]
    assert [entry.move.uci() for entry in read.entries] == ["g1f3", "g8f6"]
    assert [entry.white_ms for entry in read.entries] == [entry.white_ms for entry in score.entries]
    assert "⠎" in games.write(score, games.Format.BRAILLE, GERMAN)
    assert games.write(score, games.Format.BRF, GERMAN).isascii()
    assert games.write(score, games.Format.SPOKEN, GERMAN) == (
        "Eins: Springer Gustav eins Felix drei.\nSpringer Gustav acht Felix sechs.\n"
    )
    assert games.write(score, games.Format.FEN, GERMAN).startswith("rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w")
    assert "⠎" in games.write(score, games.Format.POSITION_BRAILLE, GERMAN)
    assert games.write(score, games.Format.POSITION_BRF, GERMAN).isascii()


SHEETS = {
    "de": """\
Weiß: Anna
Schwarz: Maschine, Stufe 7
Gespielt am 01.05.2026
Bedenkzeit: fünf Minuten, drei Sekunden je Zug
1. f3 (5:04) e5 (5:04)
2. g4 (5:05) Dh4# (5:05)
Ergebnis: 0-1. Schachmatt. Schwarz gewinnt.
""",
    "en": """\
White: Anna
Black: Machine, level 7
Played on 01.05.2026
Time control: five minutes, three seconds a move
1. f3 (5:04) e5 (5:04)
2. g4 (5:05) Dh4# (5:05)
Result: 0-1. Checkmate. Black wins.
""",
}


@pytest.mark.parametrize("language", SHEETS)
def test_a_score_sheet_has_names_times_and_the_result(journal: Journal, language: str) -> None:
    settings = GameSettings(time="5+3", white_name="Anna", level=7)
    _, recorder = played(journal, settings, MATE)
    wording = Wording(language, strict=True)
    score = games.named(games.score_of(journal.game(recorder.game_id)), settings, wording)
    seen = games.write(score, games.Format.GERMAN, wording)
    assert seen == SHEETS[language]
    felt = games.write(score, games.Format.BRAILLE, wording)
    head, _, moves = felt.partition("⠼⠂⠀")
    assert head.splitlines() == [text_in_braille(line) for line in seen.splitlines()[:4]]
    assert moves.splitlines()[0] == "⠋⠒⠀⠼⠑⠠⠒⠼⠚⠙⠀⠑⠢⠀⠼⠑⠠⠒⠼⠚⠙"
    assert moves.splitlines()[-1] == text_in_braille(seen.splitlines()[-1])
    embossed = games.write(score, games.Format.BRF, wording)
    assert embossed.isascii()
    assert max(map(len, embossed.split("\r\n"))) <= 40


NOTED = Score(
    fen="4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 12",
    entries=(
        Entry(chess.Move.from_uci("d7d5"), draw_offered=True, notes=(Note(NoteKind.WARNING, chess.BLACK),)),
        Entry(
            chess.Move.from_uci("e5d6"),
            notes=(
                Note(NoteKind.ILLEGAL, chess.WHITE, 120_000, "Ke3"),
                Note(NoteKind.CLAIM, chess.WHITE, text="threefold"),
            ),
        ),
    ),
    after=(Note(NoteKind.NO_EFFORT, chess.BLACK),),
)


def test_a_sheet_begins_with_a_position_of_its_own_and_has_everything_that_pgn_has() -> None:
    seen = games.write(NOTED, games.Format.GERMAN, GERMAN).splitlines()
    assert seen == [
        "Stellung, Schwarz am Zug:",
        "Ke1 e5",
        "Ke8 d7",
        "12. … (Schwarz verwarnt) d5 (=)",
        "13. (Weiß regelwidrig, Ke3, +2:00) (Weiß mit falschem Antrag, threefold) exd6 e.p.",
        "(Antrag von Schwarz: kein Gewinnversuch)",
        "Noch kein Ergebnis.",
    ]
    felt = games.write(NOTED, games.Format.BRAILLE, GERMAN).splitlines()
    assert felt[0] == text_in_braille(seen[0])
    assert felt[1:3] == list(position_in_braille(NOTED.start()))
    for line, words in ((3, "(Schwarz verwarnt)"), (4, "(Weiß regelwidrig, Ke3, +2:00)"), (4, "e.p.")):
        assert text_in_braille(words) in felt[line]
    assert games.write(NOTED, games.Format.BRF, GERMAN).isascii()
    assert games.write(NOTED, games.Format.SPOKEN, GERMAN).splitlines() == [
        "Stellung, Schwarz am Zug:",
        "Weiß: König Eva eins und Bauer Eva fünf.",
        "Schwarz: König Eva acht und Bauer David sieben.",
        "Schwarz verwarnt.",
        "Bauer David sieben David fünf.",
        "Schwarz bietet Remis.",
        "Weiß regelwidrig, Ke3, +2:00.",
        "Weiß mit falschem Antrag, threefold.",
        "Dreizehn: Bauer Eva fünf schlägt David sechs en passant.",
        "Antrag von Schwarz: kein Gewinnversuch.",
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sheet_of_chess960_begins_with_its_position(language: str) -> None:
    start = chess.Board.from_chess960_pos(0)
    score = Score(fen=start.fen(), chess960=True)
    wording = Wording(language, strict=True)
    seen = games.write(score, games.Format.GERMAN, wording).splitlines()
    assert seen[1].startswith("K") and seen[1].endswith("a2 b2 c2 d2 e2 f2 g2 h2")
    assert games.write(score, games.Format.BRAILLE, wording).splitlines()[1:3] == list(position_in_braille(start))
    for kind in NoteKind:
        noted = Score(entries=(Entry(chess.Move.from_uci("e2e4"), notes=(Note(kind, chess.WHITE, -5_000, "x"),)),))
        for form in (games.Format.GERMAN, games.Format.BRAILLE, games.Format.SPOKEN):
            assert games.write(noted, form, wording)


def test_nobody_is_called_a_question_mark(journal: Journal) -> None:
    """But in PGN, where that is how somebody without a name is written."""
    people = GameSettings(black=Player.VOICE, black_name="Bo")
    recorder = journal.begin(people, datetime(2026, 5, 1, 12, tzinfo=UTC))
    score = games.named(games.score_of(journal.game(recorder.game_id)), people, GERMAN)
    pgn = games.write(score, games.Format.PGN, GERMAN)
    assert '[White "?"]' in pgn and '[Black "Bo"]' in pgn
    assert games.write(score, games.Format.GERMAN, GERMAN).splitlines() == [
        "Schwarz: Bo",
        "Gespielt am 01.05.2026",
        "Noch kein Ergebnis.",
    ]
    machine = games.named(Score(), GameSettings(level=4), GERMAN)
    assert '[Black "Maschine, Stufe 4"]' in games.write(machine, games.Format.PGN, GERMAN)
    assert games.write(machine, games.Format.GERMAN, GERMAN).splitlines()[0] == "Schwarz: Maschine, Stufe 4"


@pytest.mark.parametrize(
    ("score", "said"),
    [
        (Score(result="1/2-1/2"), "Ergebnis: ½-½."),
        (Score(ending=Ending(Way.AGREEMENT)), "Ergebnis: ½-½. Remis durch Vereinbarung."),
        (Score(ending=Ending(Way.BOTH_LOSE)), "Ergebnis: 0-0. Der Schiedsrichter entscheidet: beide verlieren."),
        (
            Score(ending=Ending(Way.HALF_POINT, False)),
            "Ergebnis: 0-½. Der Schiedsrichter entscheidet: ein halber Punkt für Schwarz, keiner für Weiß.",
        ),
        (Score(ending=Ending(Way.ADJOURNED)), "Kein Ergebnis. Die Partie ist unterbrochen."),
    ],
)
def test_the_result_of_a_score_sheet(score: Score, said: str) -> None:
    assert games.write(score, games.Format.GERMAN, GERMAN) == f"{said}\n"


def test_the_announcements_as_one_recording(tmp_path: Path) -> None:
    class Voice:
        """Each word is ten milliseconds of sound."""

        def sound(self, text: str) -> SpokenSound:
            return SpokenSound(bytes(2 * 160 * len(text.split())), 16_000)

    path = tmp_path / "game.wav"
    games.record(["a b c", "d e"], cast(Speech, Voice()), path)
    with wave.open(str(path)) as file:
        seconds = file.getnframes() / file.getframerate()
    assert seconds == pytest.approx(0.05 + 2 * games.BETWEEN_MS / 1000, abs=0.001)


def test_the_last_game(journal: Journal) -> None:
    with pytest.raises(JournalError) as caught:
        games.last_played(journal)
    assert caught.value.key == "journal.no_games"
    _, recorder = played(journal, GameSettings(), ())
    assert games.last_played(journal).id == recorder.game_id


def begun(path: Path, count: int = 1) -> None:
    """So many games that are not over."""
    with contextlib.closing(Journal(path)) as journal:
        for _ in range(count):
            played(journal, GameSettings(), MATE[:2])


@pytest.mark.parametrize("repeated", [False, True])
def test_a_move_that_was_being_repeated_is_in_the_score(journal: Journal, repeated: bool) -> None:
    """The program died after it had been announced: whoever played heard it."""
    settings = GameSettings(time="5+3")
    session, recorder = played(journal, settings, MATE[:2])
    heard = said(MATE[2], 7_000)
    recorder.append(heard)
    (repetition,) = [effect for effect in session.handle(heard) if isinstance(effect, Say)]
    if repeated:
        recorder.append(Spoken(at_ms=8_000, number=repetition.utterance.number))
    score = games.score_of(journal.game(recorder.game_id))
    assert [entry.move.uci() for entry in score.entries] == list(MATE[:3])
    assert score.entries[-1].white_ms is not None
    assert score.result == "*"


def test_on_a_disk_that_cannot_be_written_to_games_are_read(capsys: pytest.CaptureFixture[str]) -> None:
    begun(journal_file())
    if os.name == "nt":
        pytest.skip("Windows has other links")
    read_only(journal_file())
    assert main(["game", "list"]) == 0
    assert main(["game", "show"]) == 0
    assert main(["game", "export"]) == 0
    printed = capsys.readouterr()
    assert printed.out.count("Partie 1 vom") == 2
    assert "1. f3 e5" in printed.out
    assert printed.err == ""


@pytest.mark.skipif(os.name == "nt", reason="Windows has other links")
@pytest.mark.parametrize("number", ["", "1"])
def test_on_a_disk_that_cannot_be_written_to_games_go_on(number: str) -> None:
    begun(journal_file())
    read_only(journal_file())
    status, told, _ = resume(number, "g4\nende\nja\n")
    lines = told.splitlines()
    assert (status, lines[0].count("lässt sich nichts speichern")) == (0, 1)
    assert "Bauer Gustav zwei Gustav vier." in lines
    assert "ließ sich nicht speichern" in lines[-1]


def resume(number: str, lines: str) -> tuple[int, str, str]:
    """`voicechess game resume`, with these lines."""
    text_only = ("--input", "keyboard", "--output", "text")
    done = subprocess.run(
        [sys.executable, "-m", "voicechess", "game", "resume", *number.split(), *text_only],
        input=lines,
        capture_output=True,
        check=False,
        encoding="utf-8",
        timeout=120,
    )
    return done.returncode, done.stdout, done.stderr


def test_games_that_cannot_be_read_are_not_said_to_be_none() -> None:
    journal_file().write_bytes(b"")
    journal_file().unlink()
    journal_file().mkdir(parents=True)
    for number in ("", "1"):
        status, _, told = resume(number, "")
        assert (status, told) == (1, f"Die Partien in {journal_file()} lassen sich gerade nicht lesen.\n")


def test_a_game_played_elsewhere_is_not_said_to_be_none(journal: Journal) -> None:
    begun(journal_file())
    with contextlib.closing(Journal(journal_file())) as elsewhere:
        elsewhere.resume(1)
        status, _, told = resume("", "")
    assert (status, told) == (1, "Partie Nummer eins wird gerade von einem anderen Programm gespielt.\n")


def test_the_last_game_is_the_one_played_last() -> None:
    """Not the one begun last, nor the first."""
    begun(journal_file(), 3)
    assert resume("", "g4\n")[1].count("Gustav vier") == 1
    assert "Bauer Hector zwei Hector vier." in resume("2", "h4\n")[1]
    with contextlib.closing(Journal(journal_file(), looking=True)) as journal:
        assert games.last_played(journal).id == 2
    status, told, _ = resume("", "")
    assert (status, told.startswith("Partie zwei vom ")) == (0, True)
