"""Correspondence between two people, each with a journal of their own and nothing between them but text.

Two weeks in simulated time; whole games by lot; a game that is replayed; lines that are pasted; other people's mail.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from random import Random

import chess
import pytest

from voicechess.app.around import Hooks, Terminal
from voicechess.app.event_clock import EventClock
from voicechess.app.games import open_games, replay, unfinished
from voicechess.app.hearing import Hearing
from voicechess.app.loop import Loop
from voicechess.app.mail import Dated, Done, show_line, take_text, terms
from voicechess.app.mailbox import Mailbox, letter_words
from voicechess.game import effects as ef
from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings, Player
from voicechess.game.session import Session
from voicechess.language.lexicon import load
from voicechess.language.wording import Wording
from voicechess.meaning import Expectation
from voicechess.messages import Failure
from voicechess.score.letters import MAX_MAIL, LineNotation, line_of
from voicechess.storage.journal import Journal

FIRST = date(2026, 11, 1)


@dataclass
class Correspondent:
    """Somebody at home: a journal, a language, and a calendar."""

    folder: Path
    colour: chess.Color
    language: str = "de"
    time: str = "50days/10"
    notation: LineNotation | None = None
    fen: str = chess.STARTING_FEN
    day: date = FIRST
    hearing: Hearing = field(init=False)

    def __post_init__(self) -> None:
        self.folder.mkdir()
        self.hearing = Hearing(load(self.language))
        self.wording = Wording(self.language, strict=True)
        journal = self.journal()
        settings = GameSettings(
            white=Player.VOICE,
            black=Player.VOICE,
            time=self.time,
            fen=self.fen,
            correspondence=terms(self.colour, self.language, self.notation),
        )
        recorder = journal.begin(settings)
        recorder.release()
        self.game = recorder.game_id
        journal.close()

    def journal(self) -> Journal:
        return Journal(self.folder / "games.sqlite")

    def does(self, text: str, yes: bool = False) -> Done:
        journal = self.journal()
        try:
            return take_text(journal, self.game, text, self.hearing, self.day, yes=yes)
        finally:
            journal.close()

    def says(self, text: str) -> str:
        """What is sent after this text; the text is done."""
        done = self.does(text)
        assert done.changed, self.told(done)
        return "\n".join(line_of(letter, letter_words(self.hearing.lexicon)) for letter in done.letters)

    def refuses(self, text: str) -> str:
        """What is told about a text that is not done; nothing has changed."""
        before = self.session().standing
        try:
            done = self.does(text)
        except Failure as failure:
            told = self.wording.say(failure.phrase)
        else:
            assert not done.changed, self.told(done)
            told = self.told(done)
        assert self.session().standing == before
        return told

    def told(self, done: Done) -> str:
        return " ".join(self.wording.say(utterance) for utterance in done.said)

    def session(self) -> Session:
        journal = self.journal()
        try:
            return replay(journal.game(self.game))
        finally:
            journal.close()

    def reminders(self) -> str:
        journal = self.journal()
        try:
            (game,) = open_games(journal, self.day)
            return " ".join(self.wording.say(phrase) for phrase in game.reminders)
        finally:
            journal.close()

    @property
    def moves(self) -> tuple[str, ...]:
        return self.session().standing.moves


def couple(tmp_path: Path, **settings: str) -> tuple[Correspondent, Correspondent]:
    white = Correspondent(tmp_path / "white", chess.WHITE, **settings)  # type: ignore[arg-type]
    return white, Correspondent(tmp_path / "black", chess.BLACK, language="en", **settings)  # type: ignore[arg-type]


def on(day: int, *people: Correspondent) -> None:
    for one in people:
        one.day = FIRST + timedelta(days=day)


def test_two_weeks(tmp_path: Path) -> None:
    """German at one side, English at the other: a conditional move, leave, a reminder, a limit that is overstepped."""
    white, black = couple(tmp_path, time="3days")
    first = white.says("e4 falls e5 dann Sf3; falls c5 dann Sc3")
    assert "wenn e5 dann Sf3; wenn c5 dann Sc3 *" in first
    on(2, black)
    assert black.says(f"Hi Hans,\n\n> {first}\n") == "", "it is told, and nothing is to be sent yet"
    reply = black.says("e5")
    assert reply == "", "the conditional move has been made, so that Black is to move again"
    assert " ".join(black.moves) == "e2e4 e7e5 g1f3"
    on(3, black, white)
    third = black.says("Nc6")
    assert "2. Nf3 Nc6 2026-11-03/2026-11-04" in third
    assert white.says(third) == "", "White is to move: the conditional move is made here as well"
    assert white.moves == black.moves
    assert " ".join(white.moves) == "e2e4 e7e5 g1f3 b8c6"
    kept = white.session().plies[2].answered
    assert kept is not None and kept.promised, "it costs no time"

    on(5, white, black)
    assert white.reminders() == "Weiß: noch ein Tag für diesen Zug."
    on(6, white, black)
    assert white.reminders() == "Weiß: Heute ist der letzte Tag."
    fourth = white.says("Läufer Bella fünf")
    assert black.refuses(fourth.replace("Lb5", "Lc4")).startswith("The line was altered on the way")
    assert black.refuses(fourth.replace(" 2. Sf3 Sc6", "")).startswith("Move number three is in the wrong place")
    assert black.says(fourth) == ""

    on(8, black)
    leave = white.refuses("urlaub zehn tage")
    assert leave == "Urlaub vom siebten November bis zum sechzehnten November?", "only yes takes it"
    on(13, white, black)
    assert "Black has overstepped the time" in black.reminders()
    assert white.reminders() == "Schwarz hat die Bedenkzeit überschritten. Sie können reklamieren: Zeit abgelaufen."
    fifth = black.says("a6")
    assert white.says(fifth) == "", "a move that comes late is made; the claim is White's to make"
    assert white.moves == black.moves
    assert white.session().settings.correspondence != black.session().settings.correspondence


@pytest.mark.parametrize("notation", LineNotation)
@pytest.mark.parametrize("seed", range(2))
def test_games_by_lot_are_the_same_in_both_journals(tmp_path: Path, seed: int, notation: LineNotation) -> None:
    random = Random(seed)
    white, black = couple(tmp_path)
    board = chess.Board()
    for number in range(16):
        mover, other = (white, black) if board.turn else (black, white)
        on(number, white, black)
        move = random.choice(sorted(board.legal_moves, key=chess.Move.uci))
        mover.says(move.uci() if move.promotion is None else board.san(move))
        journal = mover.journal()
        line = show_line(journal, mover.game, mover.hearing, mover.day, notation).letters[0]
        journal.close()
        other.says(line_of(line, letter_words(mover.hearing.lexicon)))
        board.push(move)
        assert white.moves == black.moves == tuple(one.uci() for one in board.move_stack)


def test_leave_is_told_and_not_counted(tmp_path: Path) -> None:
    white, black = couple(tmp_path, time="3days")
    black.says(white.says("e4"))
    assert black.refuses("leave seven days") == "Leave from the first of November to the seventh of November?"
    assert black.does("leave seven days", yes=True).changed
    journal = black.journal()
    away = show_line(journal, black.game, black.hearing, black.day).letters[0]
    journal.close()
    told = white.told(white.does(line_of(away, letter_words(black.hearing.lexicon))))
    assert told == "Schwarz hat Urlaub vom ersten November bis zum siebten November."
    for day, reminded in (
        (5, "Schwarz hat Urlaub bis zum siebten November. Schwarz: noch drei Tage für diesen Zug."),
        (9, "Schwarz: Heute ist der letzte Tag."),
        (10, "Schwarz hat die Bedenkzeit überschritten. Sie können reklamieren: Zeit abgelaufen."),
    ):
        on(day, white, black)
        assert white.reminders() == reminded
    assert white.does("zeit abgelaufen", yes=True).letters[0].result == "1-0"


def test_mate_ends_the_game_at_both_sides(tmp_path: Path) -> None:
    white, black = couple(tmp_path)
    for number, move in enumerate(("f3", "e5", "g4")):
        mover, other = (white, black) if number % 2 == 0 else (black, white)
        other.says(mover.says(move))
    line = black.says("Qh4#")
    assert "Qh4# 0-1" in line
    white.does(line)
    for one in (white, black):
        journal = one.journal()
        assert journal.games()[0].result == "0-1"
        assert open_games(journal, one.day) == ()
        journal.close()
    assert white.refuses("e4") == "Partie Nummer eins ist schon zu Ende."
    journal = black.journal()
    (again,) = show_line(journal, black.game, black.hearing, black.day).letters
    journal.close()
    assert line_of(again, letter_words(black.hearing.lexicon)) == line, "it can be sent once more"


def test_a_correspondence_game_is_not_offered_as_the_unfinished_one(tmp_path: Path) -> None:
    white, _ = couple(tmp_path)
    white.says("e4")
    journal = white.journal()
    try:
        assert unfinished(journal) is None
        (game,) = open_games(journal, white.day)
        assert (game.yours, game.waits, game.number) == (False, False, 1)
    finally:
        journal.close()


BAD = [
    "",
    "\n\n\n",
    "Hallo Eva, wie geht es Dir?",
    "> > >",
    "-- \nHans",
    "\x00\x1b[2J\u202e\ufeff",
    "e9",
    "5255",
    "1. e4 Kh8",
    "[QQQQ] 1. e4 e5 *234567",
    "[K7QM] 1. e4",
    "Sf3 oder Sc3",
    "falls e5 dann",
    "e4 falls e5 dann Kh8",
    "x" * (MAX_MAIL + 1),
    "1. e4 e5 2. " * 800_000,
]


@pytest.mark.parametrize("text", BAD, ids=range(len(BAD)))
def test_bad_input_is_one_short_answer_and_changes_nothing(tmp_path: Path, text: str) -> None:
    white, _ = couple(tmp_path)
    told = white.refuses(text)
    assert told
    assert len(told) < 250


def test_only_correspondence_games_take_lines(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "games.sqlite")
    journal.begin(GameSettings()).release()
    with pytest.raises(Failure, match="only"):
        take_text(journal, 1, "e4", Hearing(load("de")), FIRST)
    with pytest.raises(Failure, match="no_game"):
        take_text(journal, 7, "e4", Hearing(load("de")), FIRST)
    journal.close()


# --- at the keyboard --------------------------------------------------------------------------------------------------

WORDS = letter_words(load("de"))


def test_a_line_that_was_broken_is_put_together(tmp_path: Path) -> None:
    white, black = couple(tmp_path)
    line = white.says("e4 falls e5 dann Sf3; falls c5 dann Sc3")
    box = Mailbox()
    words = line.split()
    typed = [box.typed(" ".join(words[start : start + 4]), WORDS) for start in range(0, len(words), 4)]
    assert all(one.taken for one in typed)
    assert [one.letter is None for one in typed] == [True] * (len(typed) - 1) + [False]
    assert typed[-1].letter is not None
    assert typed[-1].letter.moves == ("e4",)
    assert black.moves == ()


def test_who_gives_a_broken_line_up_is_told_and_heard() -> None:
    box = Mailbox()
    assert box.typed("[K7QM] 1. e4 e5", WORDS).taken
    given_up = box.typed("hilfe", WORDS)
    assert (given_up.taken, given_up.failure is not None) == (False, True), "it is a word like any other"
    assert not box.typed("hilfe", WORDS).failure
    assert box.typed("Springer Felix drei", WORDS) == box.typed("e4", WORDS)


@dataclass
class Noting:
    """Notes what comes to it."""

    expectation = Expectation()
    got: list[ev.Event] = field(default_factory=list)

    def handle(self, event: ev.Event, /) -> tuple[ef.Effect, ...]:
        self.got.append(event)
        return ()


def test_pasted_lines_come_to_the_game_and_words_as_ever() -> None:
    shown: list[str] = []
    machine = Noting()
    loop = Loop(Wording("de"), Hearing(load("de")), EventClock(), terminal=Terminal(shown.append))
    for line in ("5254", "[K7QM] 1. e4 e5", "*ABCDEF", "[K7QM] 1. e4", "hilfe"):
        loop.inbox.type_line(line)

    def over() -> bool:
        return any(isinstance(event, ev.Heard) for event in machine.got)

    loop.converse(machine, ev.Started(at_ms=0), over, Hooks(mailbox=Mailbox()))
    letters = [event.letter for event in machine.got if isinstance(event, ev.LetterCame)]
    assert [letter.moves for letter in letters] == [("5254",), ("e4", "e5")]
    assert shown == ["Das Ende der Zeile fehlt. Bitte die ganze Zeile."]


def test_the_day_is_told_before_what_happens_on_it() -> None:
    days = iter([FIRST, FIRST, FIRST + timedelta(days=1)])
    kept: list[ev.Event] = []
    machine = Noting()
    dated = Dated(machine, kept.append, lambda: next(days))
    for at_ms in range(3):
        dated.handle(ev.Tick(at_ms=at_ms))
    assert [type(event).__name__ for event in machine.got] == ["DayCame", "Tick", "Tick", "DayCame", "Tick"]
    assert [event.day for event in kept if isinstance(event, ev.DayCame)] == ["2026-11-01", "2026-11-02"]
