"""Correspondence lines from outside: given as text to a command, and the games that wait for an answer.

The calendar is read here. A game's moves are made by its session as in any game; a command only says and hears what a
player at the microphone would.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from secrets import randbits

import chess

from voicechess.app.around import Machine
from voicechess.app.games import replay, resume
from voicechess.app.hearing import Hearing
from voicechess.app.mailbox import letter_words
from voicechess.app.simulation import Simulation
from voicechess.game import events as ev
from voicechess.game.agreement import Correspondence
from voicechess.game.effects import Effect, GameEnded, Say, ShowLetter
from voicechess.game.phases import Phase
from voicechess.game.session import Session
from voicechess.language.lexicon import load
from voicechess.meaning import Answer, AnswerKind, Command, Expectation, Meaning, Reading
from voicechess.messages import Failure, Utterance
from voicechess.score.letters import (
    Letter,
    LineNotation,
    mark,
    read_letter,
)
from voicechess.storage.journal import Journal


def terms(colour: chess.Color, language: str, notation: LineNotation | None = None) -> Correspondence:
    """Terms of a new game. White, who sends the first line, draws its identifier; Black's game takes it from there."""
    written = notation or (LineNotation.GERMAN if load(language).about.notation == "german" else LineNotation.SAN)
    return Correspondence(colour, written, mark(randbits(32)) if colour == chess.WHITE else "")


class Dated:
    """A machine that gets the date before every other event of a day. `keep`: records that."""

    def __init__(
        self, machine: Machine, keep: Callable[[ev.Event], None], today: Callable[[], date] = date.today
    ) -> None:
        self._machine, self._keep, self._today = machine, keep, today
        self._day: date | None = None

    @property
    def expectation(self) -> Expectation:
        """What can be said to the machine now."""
        return self._machine.expectation

    def handle(self, event: ev.Event) -> tuple[Effect, ...]:
        """Handle an event, after the date if it changed."""
        effects: tuple[Effect, ...] = ()
        if (day := self._today()) != self._day:
            self._day = day
            came = ev.DayCame(at_ms=event.at_ms, day=day.isoformat())
            effects = self._machine.handle(came)
            self._keep(came)
        return (*effects, *self._machine.handle(event))


# --- a game without a player at the microphone ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Done:
    """Result of a text. `said`: the answers; `letters`: lines to be sent. `changed`: whether anything was done."""

    said: tuple[Utterance, ...]
    letters: tuple[Letter, ...]
    changed: bool


def take_text(
    journal: Journal,
    game_id: int,
    text: str,
    hearing: Hearing,
    day: date,
    notation: LineNotation | None = None,
    yes: bool = False,
) -> Done:
    """Take a move of one's own, or the other side's line, in a game of the journal; returns the line to be sent.

    One's own move may be followed by conditional moves. They are read back and taken literally; if one is invalid,
    nothing of the text is done. `yes`: confirm the questions that the text leads to ("really?").

    Raises `Failure` (JournalError).
    """
    words = letter_words(hearing.lexicon)
    letter = read_letter(text, words)
    begins = re.compile(rf"\b(?=(?:{'|'.join(words.condition)})\s)", re.IGNORECASE)

    def event(simulation: Simulation, session: Session, at_ms: int) -> bool:
        if letter is not None:
            simulation.happen(ev.LetterCame(at_ms=at_ms, letter=letter))
            if yes and session.phase is Phase.CONFIRMING:
                simulation.happen(_heard(Answer(AnswerKind.YES), at_ms))
            return False
        answered = False
        for part in [part.strip() for part in begins.split(text) if part.strip()] or [""]:
            simulation.type(part.rstrip(";"), at_ms)
            asks, conditional = session.phase is Phase.CONFIRMING, begins.match(part) is not None
            if conditional and not asks:
                raise _NothingDone
            if asks and (conditional or yes):
                simulation.happen(_heard(Answer(AnswerKind.YES), at_ms))
                answered = True
        return answered

    return _in_game(journal, game_id, hearing, day, event, notation)


def show_line(
    journal: Journal, game_id: int, hearing: Hearing, day: date, notation: LineNotation | None = None
) -> Done:
    """The line to be sent. From then on its move is final. Raises `Failure` (JournalError)."""
    if journal.game(game_id).summary.result is not None:
        session = replay(journal.game(game_id))
        effects = session.handle(_asks_for_line(0, notation))
        letters = tuple(one.letter for one in effects if isinstance(one, ShowLetter))
        return Done(_said(list(effects)), letters, changed=bool(letters))

    def event(simulation: Simulation, session: Session, at_ms: int) -> bool:
        simulation.happen(_asks_for_line(at_ms, notation))
        return False

    return _in_game(journal, game_id, hearing, day, event)


class _NothingDone(Exception):
    """A part of a text was refused, so nothing of it is done."""


def _asks_for_line(at_ms: int, notation: LineNotation | None) -> ev.Heard:
    return _heard(Command("line" if notation is None else f"line_{notation.value}"), at_ms)


def _heard(meaning: Meaning, at_ms: int) -> ev.Heard:
    reading = Reading(meaning)
    return ev.Heard(
        at_ms=at_ms, readings=(reading,), words="", began_ms=at_ms, ended_ms=at_ms, source=ev.Source.KEYBOARD
    )


def _in_game(
    journal: Journal,
    game_id: int,
    hearing: Hearing,
    day: date,
    event: Callable[[Simulation, Session, int], bool],
    notation: LineNotation | None = None,
) -> Done:
    """Applies `event` and everything that follows to a game. A text that leaves a question open, or is refused, leaves
    no trace. `event`: applies it; returns whether something other than a move was done."""
    continued = resume(journal, game_id)
    try:
        session, at_ms = continued.session, continued.last_ms
        if not session.counts_days:
            raise Failure("post.only")
        simulation = Simulation(session, hearing)
        simulation.happen(ev.DayCame(at_ms=at_ms, day=day.isoformat()))
        begun = session.phase is not Phase.NOT_STARTED
        simulation.happen(ev.Resumed(at_ms=at_ms) if begun else ev.Started(at_ms=at_ms))
        before, first = session.standing.moves, len(simulation.effects)
        own = session.side_here
        try:
            done = event(simulation, session, at_ms)
        except _NothingDone:
            return Done(_said(simulation.effects[first:]), (), changed=False)
        moved = session.standing.moves != before
        if session.over or (moved and session.board.turn != own):
            simulation.happen(_asks_for_line(at_ms, notation))
        effects = simulation.effects[first:]
        said = _said(effects)
        letters = tuple(one.letter for one in effects if isinstance(one, ShowLetter))
        changed = done or moved or session.over or bool(letters)
        changed |= any(utterance.key == "post.their_leave" for utterance in said)
        if changed:
            continued.recorder.append(*simulation.events, session.standing)
            for one in effects:
                if isinstance(one, GameEnded):
                    continued.recorder.end(one.result, one.termination)
        return Done(said, letters, changed)
    finally:
        continued.recorder.release()


def _said(effects: list[Effect]) -> tuple[Utterance, ...]:
    return tuple(one.utterance for one in effects if isinstance(one, Say))
