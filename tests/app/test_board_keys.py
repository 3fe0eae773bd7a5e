"""Keys that walk over the board: what they tell, and which of them are left to the line."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import chess
import pytest

from tests.drivers.terminal import Terminal
from voicechess.app.board_keys import LETTERS, BoardKeys, Pressed, TypedMove
from voicechess.game.agreement import GameSettings, Player, Preset
from voicechess.game.cursor import WalkedBoard, move_line, next_piece, stepped
from voicechess.game.session import Session
from voicechess.game.sight import Scene, walked
from voicechess.language.folders import LANGUAGES
from voicechess.language.wording import Wording
from voicechess.meaning import Command
from voicechess.messages import Phrase

GERMAN = Wording("de", strict=True)


class Walker:
    """Keys on a board, and what is told of it in German."""

    def __init__(self, fen: str = chess.STARTING_FEN, below: chess.Color = chess.WHITE, **kinds: bool) -> None:
        self.keys = BoardKeys()
        self.walked = WalkedBoard(chess.Board(fen, **kinds), below)
        self.begun = self._in_words(self.keys.begin(self.walked))

    def press(self, *pressed: str, private: bool = False) -> list[object]:
        """What the last of these keys gives rise to."""
        told: list[object] = []
        for key in pressed:
            told = self._in_words(self.keys.pressed(key, self.walked, GERMAN.say, private))
        return told

    @staticmethod
    def _in_words(pressed: tuple[Pressed, ...]) -> list[object]:
        return [GERMAN.say(one) if isinstance(one, Phrase) else one for one in pressed]


def test_arrows_go_from_square_to_square_up_to_the_edge() -> None:
    walker = Walker()
    assert walker.begun[-1] == "Eva zwei: weißer Bauer."
    assert walker.press("up") == ["Eva drei: leer."]
    assert walker.press("right", "right", "right") == ["Hector drei: leer."]
    assert walker.press("right") == ["Rand."]
    assert walker.press("left") == ["Gustav drei: leer."]
    assert walker.press("down", "down") == ["Gustav eins: weißer Springer."]
    assert walker.press("down") == ["Rand."]


def test_who_plays_black_sits_on_the_other_side() -> None:
    walker = Walker(below=chess.BLACK)
    assert walker.begun[-1] == "Eva sieben: schwarzer Bauer."
    assert walker.press("up") == ["Eva sechs: leer."]
    assert walker.press("right") == ["David sechs: leer."]


def test_letters_lead_to_the_next_such_piece_and_with_shift_to_the_one_before() -> None:
    walker = Walker()
    knights = [walker.press("s")[0] for _ in range(4)]
    assert knights == [
        "Bella acht: schwarzer Springer.",
        "Gustav acht: schwarzer Springer.",
        "Bella eins: weißer Springer.",
        "Gustav eins: weißer Springer.",
    ]
    assert walker.press("S") == ["Bella eins: weißer Springer."]
    assert walker.press("8") == ["Bella acht: schwarzer Springer."]
    assert Walker("4k3/8/8/8/8/8/8/4K3 w - - 0 1").press("d") == ["Diese Figur steht nicht auf dem Brett."]


def test_a_move_is_a_typed_line() -> None:
    walker = Walker()
    assert walker.press("\r") == ["Bauer Eva zwei wohin?"]
    assert walker.press("up", "up", "\r") == [TypedMove("e2e4")]
    assert walker.press("\r") == ["Hier steht keine Figur, die am Zug ist."]
    assert walker.press("down", "down", "\r", "\r") == ["Doch nicht gezogen."]


def test_a_piece_taken_before_the_position_changed_is_not_moved() -> None:
    walker = Walker()
    walker.press("\r", "up", "up")
    walker.walked = WalkedBoard(chess.Board("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"))
    assert walker.press("\r") == ["Hier steht keine Figur, die am Zug ist."]


def test_a_move_for_the_envelope_is_not_told() -> None:
    assert Walker().press("\r", private=True) == ["Für den Umschlag: den Zug sagen oder tippen."]


def test_where_no_move_can_be_made_none_is_begun() -> None:
    walker = Walker()
    walker.walked = WalkedBoard(chess.Board(), here=False)
    assert walker.press("\r") == ["Hier wird gerade nicht gezogen."]


def test_what_is_walked_over_is_what_spectators_see() -> None:
    strict = Session(GameSettings(preset=Preset.STRICT_BLIND))
    assert walked(strict) == Phrase("forbidden.strict_blind")
    black = walked(Session(GameSettings(white=Player.ENGINE, black=Player.VOICE)))
    assert isinstance(black, WalkedBoard) and black.below == chess.BLACK
    assert walked(Scene(chess.Board())) == WalkedBoard(chess.Board(), here=False)
    assert walked(None) == Phrase("keys.no_board")


def test_castling() -> None:
    castles = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    assert Walker(castles).press("1", "\r", "right", "right", "\r") == [TypedMove("e1g1")]
    assert Walker(castles).press("1", "\r", "T", "\r") == [TypedMove("e1g1")]
    told = Walker(castles, chess960=True).press("1", "\r", "T", "\r")
    assert told == ["Die Rochade bitte ansagen: kurze oder lange Rochade."]


def test_letters_of_commands() -> None:
    walker = Walker()
    assert walker.press("z") == [Command("last_move")]
    assert walker.press("u") == [Command("time")]
    assert walker.press("m") == [Command("legal", (("square", chess.E2),))]
    assert walker.press("f") == ["Eva zwei: weißer Bauer."]
    assert walker.press("x") == ["Diese Taste tut hier nichts. H nennt alle."]
    assert "Z: letzter Zug" in str(walker.press("h"))
    assert walker.press("escape") == ["Eingabezeile."]


def test_they_are_on_and_off_before_the_loop_has_answered() -> None:
    keys = BoardKeys()
    assert keys.claimed("f6", False, False) == "f6"
    assert keys.claimed("k", False, False) == "k"
    assert keys.claimed("\x1b", False, False) == "escape"
    assert keys.claimed("k", False, False) is None
    assert keys.claimed("f6", False, False) == "f6"
    assert keys.claimed("f6", False, False) == "escape"


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_letter_does_one_thing_and_the_help_names_it(code: str) -> None:
    wording = Wording(code)
    letters = wording.say(Phrase("page.piece_letters")).lower()
    commands = [wording.say(Phrase(f"keys.letter.{name}")).lower() for name in LETTERS]
    every = letters + "".join(commands)
    assert len(set(every)) == len(every)
    told = wording.say(Phrase("keys.help"))
    assert all(letter.upper() in told for letter in every.replace("h", ""))  # H is named where they begin


@pytest.mark.parametrize(
    ("key", "begun", "asked", "taken"),
    [
        ("up", False, False, True),
        ("d", False, False, True),
        ("\r", False, False, True),
        ("d", True, False, False),
        ("up", True, False, False),
        ("d", False, True, False),
        ("up", False, True, True),
        (" ", False, False, False),
        ("\t", False, False, False),
        ("\x03", False, False, False),
        ("\x04", False, False, False),
        ("home", False, False, False),
    ],
)
def test_which_keys_are_the_boards(key: str, begun: bool, asked: bool, taken: bool) -> None:
    keys = BoardKeys()
    assert keys.claimed(key, begun, asked) is None
    keys.begin(WalkedBoard(chess.Board()))
    assert keys.claimed(key, begun, asked) == (key if taken else None)


def test_without_a_board_the_reason_is_told_and_keys_write_again() -> None:
    walker = Walker()
    keys = walker.keys
    reason = Phrase("keys.no_board")
    assert keys.pressed("up", reason, GERMAN.say) == (reason, Phrase("keys.off"))
    assert not keys.on
    assert keys.pressed("f6", reason, GERMAN.say) == (reason,)
    assert not keys.on


@pytest.mark.parametrize("step", [1, -1])
def test_the_next_piece_is_the_nearest_in_the_order_of_the_squares(step: int) -> None:
    """In either direction every piece is visited once a round, in order."""
    board = chess.Board()
    square, visited = chess.E4, []
    for _ in range(16):
        found = next_piece(board, square, chess.PAWN, step)
        assert found is not None
        visited.append(found)
        square = found
    assert sorted(visited) == [*range(8, 16), *range(48, 56)]
    behind = [one for one in visited if step * (one - chess.E4) > 0]
    assert visited[: len(behind)] == sorted(behind, reverse=step < 0)


def test_steps_back_lead_back() -> None:
    for square in chess.SQUARES:
        for arrow, back in (("left", "right"), ("up", "down")):
            there = stepped(square, arrow, chess.WHITE)
            assert there is None or stepped(there, back, chess.WHITE) == square
    assert move_line(chess.Board(), chess.G1, chess.F3) == "g1f3"


# --- the whole program at a terminal ---------------------------------------------------------------------------------

UP, DOWN, RIGHT, F6 = b"\x1b[A", b"\x1b[B", b"\x1b[C", b"\x1b[17~"


@pytest.fixture
def at_terminal() -> Iterator[list[Terminal]]:
    started: list[Terminal] = []
    yield started
    for terminal in started:
        terminal.process.kill()
        terminal.close()
        terminal.process.wait()


def program(started: list[Terminal], begun: str, *command: str) -> Terminal:
    """The program at a terminal, once it has said this and reads single keys."""
    terminal = Terminal([sys.executable, "-m", "voicechess", *command, "--input", "keyboard", "--output", "text"])
    started.append(terminal)
    terminal.read_until(begun)
    while terminal.echoes():  # until then the terminal gives whole lines
        time.sleep(0.01)
    return terminal


def press(terminal: Terminal, keys: bytes, told: str, times: int = 1) -> None:
    """Press these keys, and wait until this has been told so many times in all."""
    terminal.type(keys)
    while terminal.shown.count(told) < times and terminal._read():
        pass
    assert terminal.shown.count(told) >= times, terminal.shown


@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals are tested on POSIX")
def test_a_game_is_played_with_arrows_and_lines(at_terminal: list[Terminal]) -> None:
    game = program(at_terminal, "Weiß beginnt.", "play", "--both")
    press(game, F6, "Eva zwei: weißer Bauer.")
    press(game, b"\r", "Bauer Eva zwei wohin?")
    press(game, UP, "Eva drei: leer.")
    press(game, UP, "Eva vier: leer.")
    press(game, b"\r", "Bauer Eva zwei Eva vier.")
    press(game, b"D", "David eins: weiße Dame.")
    press(game, b"z", "Weiß zog Eva vier.")
    press(game, b"\x1b", "Eingabezeile.", 2)
    press(game, b"e5\r", "Bauer Eva sieben Eva fünf.")
    press(game, UP + b"\r", "Auf Eva fünf steht")  # the line typed before, as ever
    press(game, "feld für feld\r".encode(), "Das Brett.", 2)
    press(game, b"s", "Gustav eins: weißer Springer.")


@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals are tested on POSIX")
def test_a_question_is_answered_by_letters(at_terminal: list[Terminal]) -> None:
    game = program(at_terminal, "Weiß beginnt.", "play", "--both")
    press(game, b"aufgeben\r", "Gibt Weiß wirklich auf?")
    press(game, F6, "Eva zwei: weißer Bauer.")
    press(game, b"n\r", "Also nicht.")
    press(game, UP, "Eva drei: leer.")
    press(game, b"s", "Bella acht: schwarzer Springer.")


@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals are tested on POSIX")
def test_an_analysis_is_walked_over(at_terminal: list[Terminal], tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    file.write_text("1. e4 e5 2. Nf3 *\n")
    analysis = program(at_terminal, "Hilfe sagt mehr.", "analyse", str(file))
    press(analysis, F6, "Eva zwei: weißer Bauer.")
    press(analysis, b"\r" + UP + UP + b"\r", "Eins: Eva vier.")
    press(analysis, b"f", "Eva vier: weißer Bauer.")
    press(analysis, b"z", "Weiß zog Eva vier.")
    press(analysis, b"\x1b", "Eingabezeile.", 2)
    press(analysis, b"ende\r", "Ende der Partie")
    press(analysis, b"ende\r", "Analyse beenden?")
    press(analysis, F6, "Das Brett.", 2)
    press(analysis, b"\r", "Hier wird gerade nicht gezogen.")
