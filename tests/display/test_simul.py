"""Simultaneous displays: every dialogue says what its file says; no move reaches a board that was not named."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path
from random import Random

import chess
import pytest

import voicechess.language
from tests.drivers.dialogues import read, written
from tests.drivers.displays import DisplayPlay, Kept, played
from voicechess.app.kinds import session_of
from voicechess.display.boards import MOST_BOARDS, Board, agreed
from voicechess.display.simul import SAID_HERE
from voicechess.game import effects as ef
from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings, Player
from voicechess.game.phases import Phase
from voicechess.language.lexicon import load
from voicechess.language.understanding import understand_all
from voicechess.storage.codec import decode_event, decode_settings, encode_event, encode_settings

FOLDER = Path(__file__).parent / "dialogues"
FILES = sorted(FOLDER.glob("simul_*.txt"))


@lru_cache
def play(path: Path) -> tuple[DisplayPlay, str]:
    dialogue = read(path)
    found, lines = played(dialogue)
    return found, written(dialogue, lines)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_dialogue(path: Path, request: pytest.FixtureRequest) -> None:
    _, text = play(path)
    if request.config.getoption("--rewrite-dialogues"):
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


def test_every_sentence_of_a_display_is_said_in_some_dialogue() -> None:
    file = Path(voicechess.language.__file__).parent / "de" / "simul.toml"
    table = tomllib.loads(file.read_text(encoding="utf-8"))["sentences"]["simul"]
    said = {key for path in FILES for key in play(path)[0].said_keys}
    not_said = {"none", "none_one", "event"}  # no game of a display ends without a result; what a score is headed with
    assert {f"simul.{key}" for key in table} - said - {f"simul.{key}" for key in not_said} == set()


def test_every_command_of_a_display_is_heard_in_some_dialogue() -> None:
    heard = {name for path in FILES for name in play(path)[0].commands}
    assert SAID_HERE - heard == set()


def test_the_terms_of_a_display() -> None:
    terms = agreed(GameSettings(time="5+3"), "x", [2, 2, 3, 3], alternating=True, people=[4])
    assert [one.board for one in terms] == [1, 2, 3, 4]
    assert [one.level for one in terms] == [2, 2, 3, 3]
    assert [one.giver for one in terms] == [chess.WHITE, chess.BLACK, chess.WHITE, chess.BLACK]
    assert [(one.white, one.black) for one in terms] == [
        (Player.VOICE, Player.ENGINE),
        (Player.ENGINE, Player.VOICE),
        (Player.VOICE, Player.ENGINE),
        (Player.VOICE, Player.VOICE),
    ]
    assert [decode_settings(encode_settings(one)) for one in terms] == list(terms)


def givers_moves(board: Board) -> int:
    return (board.moves + (board.giver == chess.WHITE)) // 2


class Party:
    """A display in which everything happens at random: words, answers, time, restarts. `wants`: what an engine is
    asked, a board; `named`: the board that was named last, as far as it had been said."""

    def __init__(self, seed: int, boards: int) -> None:
        self.draw = Random(seed)
        self.lexicon = load("de")
        people = [number for number in range(1, boards + 1) if self.draw.random() < 0.2]
        time = self.draw.choice(["", "", "1", "3+2"])
        alternating = self.draw.random() < 0.5
        self.kept = Kept(agreed(GameSettings(time=time), "x", [1] * boards, alternating=alternating, people=people))
        self.now = 0
        self.wants: dict[int, ef.Think | ef.ConsiderDraw | ef.JudgeClaim] = {}
        self.unsaid: list[ef.Say] = []
        self.named = 0
        self.happen(ev.Started(at_ms=0))

    def happen(self, event: ev.Event) -> None:
        for effect in self.kept.handle(event):
            match effect:
                case ef.Say():
                    self.unsaid.append(effect)
                    if effect.utterance.key in ("simul.board", "simul.board_side"):
                        self.named = 0  # until it has been said
                case ef.Think() | ef.ConsiderDraw() | ef.JudgeClaim():
                    self.wants[effect.game] = effect
                case ef.StopThinking(game):
                    self.wants.pop(game, None)

    def hear_out(self, completed: bool = True) -> None:
        while self.unsaid:
            said = self.unsaid.pop(0).utterance
            if said.key in ("simul.board", "simul.board_side", "simul.again", "simul.for_board") and completed:
                self.named = int(str(said.slots["number"]))
            listening = not self.unsaid and self.draw.random() < 0.7
            self.happen(ev.Spoken(at_ms=self.now, number=said.number, completed=completed, listening=listening))

    def words(self) -> str:
        draw, display = self.draw, self.kept.display
        if draw.random() < 0.6:
            position = display.at.session.board
            moves = [position.uci(move) for move in position.legal_moves]
            if moves:
                return draw.choice(moves)
        return draw.choice(
            [
                "weiter",
                "stand",
                "stellung",
                "ja",
                "ja",
                "nein",
                "remis",
                "aufgeben",
                "zurück",
                "pause",
                "hilfe",
                "stopp",
            ]
            + [
                "nächstes brett",
                "wiederholen",
                "korrektur",
                "e4",
                "schwarz gibt auf",
                "hängepartie",
                "blubb",
                "annehmen",
            ]
            + [f"brett {draw.randint(0, len(display.boards) + 1)}" for _ in range(4)]
        )

    def hear(self, earlier_ms: int) -> None:
        words = self.words()
        readings = understand_all(words, self.lexicon, self.kept.expectation, typed=True)
        began = max(0, self.now - earlier_ms)
        source = ev.Source.KEYBOARD
        moved = {number: givers_moves(board) for number, board in self.kept.display.boards.items()}
        at, named = self.kept.display.at.number, self.named
        heard = ev.Heard(
            at_ms=self.now, readings=readings, words=words, began_ms=began, ended_ms=self.now, source=source
        )
        pending = self.kept.phase is Phase.REPEATING
        self.happen(heard)
        for number, board in self.kept.display.boards.items():
            # Words make moves at the board at hand only, whose name had been said, or one was being repeated there.
            if givers_moves(board) > moved[number] and number != self.kept.display.at.number:
                assert number == at, "a move at another board"
                assert pending or named == at, "a move at a board that had not been named"

    def answer(self) -> None:
        number = self.draw.choice(sorted(self.wants))
        match self.wants.pop(number):
            case ef.Think(board):
                uci = self.draw.choice([board.uci(move) for move in board.legal_moves] or ["0000"])
                if self.draw.random() < 0.02:
                    self.happen(ev.OpponentFailed(at_ms=self.now, reason="gone", final=True, game=number))
                else:
                    self.happen(ev.OpponentMoved(at_ms=self.now, uci=uci, ended_ms=self.now - 5, game=number))
            case ef.ConsiderDraw():
                accepts = self.draw.random() < 0.3
                self.happen(ev.OpponentAnswered(at_ms=self.now, accepts=accepts, game=number))
            case ef.JudgeClaim():
                self.happen(ev.ClaimJudged(at_ms=self.now, game=number))

    def step(self) -> None:
        self.now += self.draw.randint(0, 3_000)
        chance = self.draw.random()
        if chance < 0.45:
            self.hear(self.draw.choice([0, 0, 0, 4_000]))
        elif chance < 0.7:
            self.hear_out(self.draw.random() < 0.9)
        elif chance < 0.9 and self.wants:
            self.answer()
        elif chance < 0.98:
            self.happen(ev.Tick(at_ms=self.now, speaking=self.draw.random() < 0.3))
        elif chance < 0.99:
            self.happen(ev.Suspended(at_ms=self.now, gap_ms=self.draw.randint(0, 2_000)))
        else:
            self.kept.restart()
            self.wants.clear()
            self.unsaid.clear()
            self.named = 0
            self.happen(ev.Resumed(at_ms=self.now))


@pytest.mark.parametrize(("seed", "boards"), [(seed, 2 + seed % 4) for seed in range(12)])
def test_whatever_happens_every_game_is_what_its_own_journal_says(seed: int, boards: int) -> None:
    party = Party(seed, boards)
    for _ in range(400):
        party.step()
        if party.kept.display.over:
            break
    for number, board in party.kept.display.boards.items():
        fresh = session_of(board.session.settings)
        for event in party.kept.journal[number]:
            fresh.handle(decode_event(encode_event(event)))
        ended = party.kept.ended.get(number)
        assert fresh.board.move_stack[: board.moves] == board.session.board.move_stack
        assert board.session.over == (ended is not None)
        assert ended is None or ended.result == board.session.result
        # Also alone, with its clock: ticks that ask for nothing are not kept, and change nothing.
        assert (fresh.plies, fresh.result) == (board.session.plies, board.session.result)


def test_a_display_of_as_many_boards_as_there_may_be_goes_round_in_order() -> None:
    party = Party(0, 2)
    party.kept = Kept(agreed(GameSettings(), "x", [3] * MOST_BOARDS))
    party.happen(ev.Started(at_ms=0))
    for number in range(1, MOST_BOARDS + 1):
        assert party.kept.display.at.number == number
        party.hear_out()
        readings = understand_all("e4", party.lexicon, party.kept.expectation, typed=True)
        party.happen(ev.Heard(at_ms=party.now, readings=readings, words="e4", began_ms=party.now, ended_ms=party.now))
        party.hear_out()
        party.now += 10_000
        party.happen(ev.Tick(at_ms=party.now))
    assert sorted(party.wants) == list(range(1, MOST_BOARDS + 1))
    assert all(board.moves == 1 for board in party.kept.display.boards.values())
