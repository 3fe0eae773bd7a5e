"""What sighted spectators are shown of a game, and what not; the position in letters at a terminal."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace

import chess
import pytest

from tests.drivers.dialogues import FOLDER, Play, read
from voicechess.app.around import Hooks, Onlooker, Terminal
from voicechess.app.board import CLOCKS_MS, ShownBoard
from voicechess.app.event_clock import EventClock
from voicechess.app.hearing import Hearing
from voicechess.app.inbox import Line
from voicechess.app.kinds import session_of
from voicechess.app.loop import Loop
from voicechess.app.page.shown import LONGEST_TRANSCRIPT, Shown
from voicechess.cli import main
from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings, Player, Preset
from voicechess.game.session import Session
from voicechess.game.sight import Scene, lettered, seen, shown
from voicechess.language.lexicon import load
from voicechess.language.wording import Wording
from voicechess.messages import Failure, Phrase
from voicechess.score.score import PieceLetters
from voicechess.storage.places import page_file

BOTH = GameSettings(white=Player.VOICE, black=Player.VOICE)
E4 = "Bauer Eva zwei Eva vier."


def played(
    settings: GameSettings, *lines: str, board: Onlooker | None = None, show: Callable[[str], None] = lambda _: None
) -> Session:
    """A game with these lines typed, looked at by `board` through the loop; `show` gets what is said."""
    session = session_of(settings)
    loop = Loop(Wording("de"), Hearing(load("de")), EventClock(), terminal=Terminal(show), onlooker=board)
    for line in lines:
        loop.inbox.post(Line(line))
    loop.inbox.post(Line("ende"))
    loop.inbox.post(Line("ja"))
    loop.converse(session, ev.Started(at_ms=loop.now()), lambda: False, Hooks(game=lambda: session))
    return session


def test_the_position_the_last_move_and_the_score() -> None:
    sight = seen(played(replace(BOTH, time="5+3", white_name="Anna"), "e2e4", "e7e5"), 0, PieceLetters.GERMAN)
    assert sight.fen.startswith("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w")
    assert sight.last == (chess.E7, chess.E5)
    assert [line[:5] for line in sight.moves] == ["1. e4"] and " e5 (" in sight.moves[0]
    assert sight.names == ("Anna", "") and sight.below == chess.WHITE


def test_a_takeback_changes_the_score_that_is_kept() -> None:
    session = played(BOTH, "e2e4", "e7e5", "g1f3")
    before = seen(session, 0, PieceLetters.GERMAN)
    shorter = seen(played(BOTH, "e2e4", "e7e5"), 0, PieceLetters.GERMAN, before)
    assert before.moves == ("1. e4 e5", "2. Sf3") and shorter.moves == ("1. e4 e5",)


@pytest.mark.parametrize("over", [False, True])
def test_in_strict_blind_play_the_position_is_covered_until_the_game_is_over(over: bool) -> None:
    resigned = ["weiß gibt auf", "ja"] if over else []
    settings = replace(BOTH, preset=Preset.STRICT_BLIND)
    sight = seen(played(settings, "e2e4", *resigned), 0, PieceLetters.GERMAN)
    assert (sight.fen != "", sight.last is not None) == (over, over)
    assert sight.moves == ("1. e4",), "which was announced"


@pytest.mark.parametrize(
    ("settings", "below"),
    [
        (GameSettings(white=Player.VOICE, black=Player.ENGINE), chess.WHITE),
        (GameSettings(white=Player.ENGINE, black=Player.VOICE), chess.BLACK),
        (BOTH, chess.WHITE),
        (replace(BOTH, display="d", board=2, giver=chess.BLACK), chess.BLACK),
    ],
)
def test_the_players_side_is_below(settings: GameSettings, below: chess.Color) -> None:
    assert seen(session_of(settings), 0, PieceLetters.GERMAN).below is below


def test_nobody_moves_at_the_page_for_the_engine_or_for_an_envelope() -> None:
    """A move clicked while one is sealed would be on the screen."""
    assert not seen(session_of(BOTH), 0, PieceLetters.GERMAN).here, "it has not begun"
    engine = session_of(GameSettings(white=Player.ENGINE, black=Player.VOICE))
    engine.handle(ev.Started(at_ms=0))
    assert not seen(engine, 0, PieceLetters.GERMAN).here
    dialogue = read(FOLDER / "adjourned.txt")
    play, places = Play(dialogue), set()
    list(play._outputs(ev.Started(at_ms=0)))
    for line in (line for line in dialogue.lines if line.startswith(">")):
        list(play._input(line))
        list(play._finish_speaking())
        places.add((play.session.phase.value, seen(play.session, 0, PieceLetters.GERMAN).here))
    assert {("listening", True), ("sealing", False)} <= places
    assert ("sealing", True) not in places


# --- the words that are shown ----------------------------------------------------------------------------------------


class Seen(ShownBoard):
    """A board that keeps what it is told."""

    def __init__(self) -> None:
        super().__init__("", lambda: Wording("de"))
        self.told: list[str] = []
        self.looks: list[int] = []

    def said(self, text: str) -> None:
        self.told.append(f"< {text}")

    def heard(self, words: str) -> None:
        self.told.append(f"> {words}")

    def look(self, game: Session | Scene | None, now_ms: int, idle: bool) -> None:
        assert isinstance(game, Session)
        self.looks.append(len(game.plies))


def test_what_is_heard_and_said_in_its_order() -> None:
    board = Seen()
    played(BOTH, "e2e4", board=board)
    at = board.told.index("> e2e4")
    assert board.told[at + 1] == f"< {E4}"
    assert 1 in board.looks


def test_words_for_an_envelope_are_not_shown() -> None:
    board = Seen()
    session = played(replace(BOTH, time="90"), "e2e4", "hängepartie zwei stunden", "ja", "e7e5", "ja", board=board)
    assert session.phase.value in ("sealing", "adjourned", "over", "confirming")
    assert not any("e7e5" in told or "Eva fünf" in told for told in board.told), board.told


# --- letters at a terminal ------------------------------------------------------------------------------------------


def test_the_position_in_letters() -> None:
    lines = lettered("r3k2r/8/8/4p3/4P3/8/8/RNBQK2R w KQkq - 0 1", "KDTLSB", chess.WHITE)
    assert lines[0] == "8 t . . . k . . t" and lines[3] == "5 . . . . b . . ." and lines[7] == "1 T S L D K . . T"
    assert lines[8] == "  a b c d e f g h"
    turned = lettered("r3k2r/8/8/4p3/4P3/8/8/RNBQK2R w KQkq - 0 1", "KQRBNP", chess.BLACK)
    assert turned[0] == "1 R . . K Q B N R" and turned[8] == "  h g f e d c b a"


@pytest.mark.parametrize(("preset", "times"), [("casual", 3), ("strict-blind", 0)])
def test_it_is_printed_once_after_each_move(preset: str, times: int) -> None:
    printed: list[str] = []
    board = ShownBoard("text", lambda: Wording("de"), print_line=printed.append)
    played(replace(BOTH, preset=Preset(preset)), "e2e4", "wer ist am zug", "e7e5", board=board)
    assert printed.count("  a b c d e f g h") == times
    assert len(printed) == 9 * times


# --- the page's state -----------------------------------------------------------------------------------------------


def told(shown: Shown, number: int) -> dict[str, object]:
    found = shown.since(number)
    assert found is not None
    parsed: dict[str, object] = json.loads(found[1])
    return parsed


def test_a_browser_gets_what_it_has_not_had_and_one_that_comes_later_the_whole() -> None:
    shown = Shown()
    shown.add("heard", "eva vier")
    number = shown.since(0)
    assert number is not None and shown.since(number[0]) is None
    shown.add("said", E4)
    assert told(shown, number[0]) == {"whole": False, "lines": [{"who": "said", "text": E4}]}
    whole = told(shown, 0)
    assert whole["whole"] and len(whole["lines"]) == 2  # type: ignore[arg-type]


def test_an_empty_page_is_told_so_once() -> None:
    shown = Shown()
    first = shown.since(0)
    assert first is not None and shown.since(first[0]) is None


def test_who_has_missed_lines_gets_the_whole() -> None:
    shown = Shown()
    shown.add("said", "1")
    for number in range(2, LONGEST_TRANSCRIPT + 10):
        shown.add("said", str(number))
    late = told(shown, 1)
    assert late["whole"] and len(late["lines"]) == LONGEST_TRANSCRIPT  # type: ignore[arg-type]


def test_the_same_sight_is_told_once() -> None:
    shown, changes = Shown(), []
    shown.changed = lambda: changes.append(1)
    sight = seen(session_of(BOTH), 0, PieceLetters.GERMAN)
    shown.look(sight)
    shown.look(replace(sight))
    assert len(changes) == 1


def test_clocks_are_looked_at_once_a_second_while_nothing_happens() -> None:
    looks: list[int] = []
    board = ShownBoard("", lambda: Wording("de"))
    session = session_of(replace(BOTH, time="5"))
    for now_ms in range(0, 5 * CLOCKS_MS, 100):
        board._sight = None
        board.look(session, now_ms, idle=True)
        looks.append(board._sight is not None)
    assert sum(looks) == 4  # the first look is due when a second has passed


class Failing:
    """A board on which everything fails that is told to it."""

    def __init__(self, *failing: str) -> None:
        self.failing = failing
        self.told: list[str] = []

    def _tell(self, name: str) -> None:
        self.told.append(name)
        if name in self.failing:
            raise RuntimeError(name)

    def said(self, text: str) -> None:
        self._tell("said")

    def heard(self, words: str) -> None:
        self._tell("heard")

    def look(self, game: Session | Scene | None, now_ms: int, idle: bool) -> None:
        self._tell("look")

    def show(self, wanted: bool) -> Phrase:
        self._tell("show")
        return Phrase("page.shown")


FAILED = "Das Brett ist ausgefallen, die Partie geht weiter. Neu mit: Brett zeigen."


@pytest.mark.parametrize("failing", ["said", "heard", "look"])
def test_a_board_that_fails_is_told_once_and_the_game_goes_on(failing: str) -> None:
    said: list[str] = []
    board = Failing(failing)
    session = played(BOTH, "e2e4", "e7e5", board=board, show=said.append)
    assert [move.uci() for move in session.board.move_stack] == ["e2e4", "e7e5"]
    assert said.count(FAILED) == 1 and board.told.count(failing) == 1


def test_a_board_that_failed_can_be_asked_for_again() -> None:
    said: list[str] = []
    board = Failing("look")
    played(BOTH, "e2e4", "Brett zeigen", "e7e5", board=board, show=said.append)
    assert "Das Brett steht im Browser." in said and board.told.count("show") == 1
    assert said.count(FAILED) == 2
    said.clear()
    played(BOTH, "Brett zeigen", board=Failing("show"), show=said.append)
    assert said.count(FAILED) == 1, "silence is no answer"


# --- asked for --------------------------------------------------------------------------------------------------------


def test_without_its_libraries_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> object:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    board = ShownBoard("page", lambda: Wording("de"))
    with pytest.raises(Failure, match="missing_extra"):
        board.begin()
    assert "voicechess[board]" in Wording("de").say(board.show(True))


def test_the_page_s_secret_is_in_a_file_for_its_owner_and_on_no_command_line() -> None:
    opened: list[str] = []
    printed: list[str] = []
    board = ShownBoard("page", lambda: Wording("de"), print_line=printed.append, browse=opened.append)
    assert board.show(True) == Phrase("page.shown")
    secret = printed[-1].rstrip("/").rsplit("/", 1)[-1]
    assert len(secret) > 15
    assert opened == [page_file().as_uri()]
    assert secret not in opened[0]
    assert printed[-1] in page_file().read_text(encoding="utf-8")
    if sys.platform != "win32":
        assert page_file().stat().st_mode & 0o777 == 0o600
    board.close()
    assert not page_file().exists()


def test_options_of_the_page_want_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    for option in (["--board-input"], ["--board-address", "127.0.0.1:0", "--board", "text"]):
        assert main(["play", "--input", "keyboard", "--output", "text", *option]) == 2
        assert "--board" in capsys.readouterr().err


def test_the_libraries_of_the_page_are_not_loaded_by_a_game_without_one() -> None:
    command = "import sys; from voicechess.cli import main; main(['play','--help'])"
    check = "import atexit, sys; atexit.register(lambda: print({'starlette', 'uvicorn'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", f"{check}; {command}"], capture_output=True, text=True, check=False)
    assert done.stdout.rstrip().endswith("set()"), done.stdout + done.stderr


# --- positions outside a game ----------------------------------------------------------------------------------------


def test_a_position_outside_a_game_with_the_moves_that_led_there() -> None:
    board = chess.Board()
    for san in ("e4", "e5", "Qh5", "Ke7", "Qxe5"):
        board.push_san(san)
    sight = shown(Scene(board, ("Anna", ""), ("Gg1f3",), here=True), PieceLetters.GERMAN)
    assert (sight.fen, sight.last, sight.check) == (board.fen(), (chess.H5, chess.E5), chess.E7)
    assert sight.moves == ("1. e4 e5", "2. Dh5 Ke7", "3. Dxe5#") and sight.names == ("Anna", "")
    assert sight.here and sight.drawn == ("Gg1f3",) and sight.clocks == (None, None)


def test_a_position_without_kings_or_moves_and_one_after_a_pass_can_be_seen() -> None:
    assert shown(Scene(chess.Board(None)), PieceLetters.GERMAN).moves == ()
    passed = chess.Board()
    passed.push(chess.Move.null())
    assert shown(Scene(passed), PieceLetters.GERMAN).last is None


def test_nobody_moves_any_more_where_there_is_nothing_to_see() -> None:
    """A click on the analysis that was left would be typed into the next conversation."""
    board = ShownBoard("", lambda: Wording("de"))
    board.look(Scene(chess.Board(), here=True), 0, idle=False)
    assert board._sight is not None and board._sight.here
    board.look(None, 0, idle=True)
    assert not board._sight.here and board._sight.fen == chess.STARTING_FEN
