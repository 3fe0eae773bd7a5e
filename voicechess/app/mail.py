"""Lines of correspondence games at the rim: pasted, given as text to a command, and the games that wait for an answer.

The calendar is asked here. A game's moves are made by its session as in any game; a command only says and hears what
somebody at the microphone would.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from secrets import randbits

import chess

from voicechess.app.games import replay, resume
from voicechess.app.hearing import Hearing
from voicechess.app.simulation import Machine, Simulation
from voicechess.correspondence.open_letters import OpenCorrespondence
from voicechess.game import events as ev
from voicechess.game.agreement import Correspondence
from voicechess.game.effects import Effect, GameEnded, Say, ShowLetter
from voicechess.game.phases import Phase
from voicechess.game.session import Session
from voicechess.language.alphabets import ALPHABETS
from voicechess.language.lexicon import Lexicon, load
from voicechess.language.patterns import SlotPart
from voicechess.meaning import Answer, AnswerKind, Command, Expectation, Meaning, Reading, RecognisedUtterance
from voicechess.messages import Failure, Utterance
from voicechess.score.letters import (
    SENDER,
    Letter,
    LetterWords,
    LineNotation,
    is_cut,
    looks_like_letter,
    mark,
    read_letter,
)
from voicechess.storage.journal import Journal

MOST_LINES = 200
"""So many typed lines a line may be broken into."""


def letter_words(lexicon: Lexicon) -> LetterWords:
    """The words of a line: written in this language, read in all."""
    languages = (lexicon, *lexicon.others)
    condition, reply, leave = (
        tuple(dict.fromkeys(word for one in languages for word in one.post[key])) for key in lexicon.post
    )
    draw, resigns = (
        {text: side for one in languages for text, side in _by_hand(one, key, command).items()}
        for key, command in (("draw", "draw_offer"), ("resigns", "resign"))
    )
    return LetterWords(condition, reply, leave, draw, resigns, ALPHABETS.get(lexicon.alphabet, ""))


def _by_hand(lexicon: Lexicon, key: str, command: str) -> dict[str, str]:
    """What may be written for this command, and who says so: the side that is named, or who sends it."""
    found = dict.fromkeys(lexicon.written[key], SENDER)
    for sentence in (sentence for pattern in lexicon.commands[command] for sentence in pattern.expand()):
        named = any(isinstance(part, SlotPart) for part in sentence)
        for colour in chess.COLORS if named else (None,):
            for word in ("",) if colour is None else lexicon.colours[colour]:
                text = " ".join(word if isinstance(part, SlotPart) else part.text for part in sentence)
                found[text.casefold()] = SENDER if colour is None else chess.COLOR_NAMES[colour]
    return found


def terms(colour: chess.Color, language: str, notation: LineNotation | None = None) -> Correspondence:
    """The terms of a new game. White, who sends the first line, draws its mark; Black's game takes it from there."""
    written = notation or (LineNotation.GERMAN if load(language).notation == "german" else LineNotation.SAN)
    return Correspondence(colour, written, mark(randbits(32)) if colour == chess.WHITE else "")


# --- lines that are pasted --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pasted:
    """What came of a typed line. `taken`: it is none of a player's words. `failure`: what has to be said about it."""

    taken: bool = False
    letter: Letter | None = None
    failure: Failure | None = None


@dataclass
class Mailbox:
    """Takes lines from what is typed. One that a mail program has broken is put together again."""

    _begun: list[str] = field(default_factory=list)

    def typed(self, text: str, words: LetterWords) -> Pasted:
        """What this typed line is, with those before it."""
        if self._begun:
            if ("*" in text or any(character.isdigit() for character in text)) and len(self._begun) < MOST_LINES:
                return self._together(text, words)
            self._begun.clear()
            return Pasted(failure=Failure("letter.error.cut"), taken=not text.strip())
        return self._together(text, words) if looks_like_letter(text) else Pasted()

    def _together(self, text: str, words: LetterWords) -> Pasted:
        whole = "\n".join([*self._begun, text])
        if is_cut(whole):
            self._begun.append(text)
            return Pasted(taken=True)
        self._begun.clear()
        try:
            letter = read_letter(whole, words)
        except Failure as failure:
            return Pasted(taken=True, failure=failure)
        return Pasted(taken=letter is not None, letter=letter)


class Dated:
    """A machine that is told which day it is before everything else that happens on it. `keep`: writes that down."""

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
        """As the machine does."""
        effects: tuple[Effect, ...] = ()
        if (day := self._today()) != self._day:
            self._day = day
            came = ev.DayCame(at_ms=event.at_ms, day=day.isoformat())
            effects = self._machine.handle(came)
            self._keep(came)
        return (*effects, *self._machine.handle(event))


# --- a game without anybody at the microphone -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a text. `said`: what was answered, `letters`: lines to be sent. `changed`: whether it was done."""

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
    """A move of one's own or the other side's line, in a game of the journal; and the line that is to be sent then.

    Conditional moves may follow one's own move. They are told back and stand as they were written; where one does not,
    nothing of the text is done. `yes`: so is a question that the text leads to ("really?") answered.

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
            simulation.hear(RecognisedUtterance.typed(part.rstrip(";"), at_ms), ev.Source.KEYBOARD)
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
    """The line that is to be sent. From then on its move stands. Raises `Failure` (JournalError)."""
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
    """A part of a text was refused, so that nothing of it is done."""


def _asks_for_line(at_ms: int, notation: LineNotation | None) -> ev.Heard:
    return _heard(Command("line" if notation is None else f"line_{notation.value}"), at_ms)


def _heard(meaning: Meaning, at_ms: int) -> ev.Heard:
    reading = Reading(meaning)
    return ev.Heard(
        at_ms=at_ms, readings=(reading,), words="", began_ms=at_ms, ended_ms=at_ms, source=ev.Source.KEYBOARD
    )


class _Noting:
    """A session whose events are noted, to be kept when something has come of them."""

    def __init__(self, session: Session) -> None:
        self.events: list[ev.Event] = []
        self.effects: list[Effect] = []
        self.session = session

    @property
    def expectation(self) -> Expectation:
        return self.session.expectation

    def handle(self, event: ev.Event, /) -> tuple[Effect, ...]:
        effects = self.session.handle(event)
        self.events.append(event)
        self.effects += effects
        return effects


def _in_game(
    journal: Journal,
    game_id: int,
    hearing: Hearing,
    day: date,
    event: Callable[[Simulation, Session, int], bool],
    notation: LineNotation | None = None,
) -> Done:
    """What `event` does in a game, and everything that follows from it. A text that leaves a question open, or is
    refused, leaves no trace. `event`: does it; whether something was done that is no move."""
    continued = resume(journal, game_id)
    try:
        session, at_ms = continued.session, continued.last_ms
        if session.settings.correspondence is None:
            raise Failure("post.only")
        noting = _Noting(session)
        simulation = Simulation(noting, hearing)
        simulation.happen(ev.DayCame(at_ms=at_ms, day=day.isoformat()))
        begun = session.phase is not Phase.NOT_STARTED
        simulation.happen(ev.Resumed(at_ms=at_ms) if begun else ev.Started(at_ms=at_ms))
        before, noting.effects = session.standing.moves, []
        own = session.settings.correspondence.colour
        try:
            done = event(simulation, session, at_ms)
        except _NothingDone:
            return Done(_said(noting.effects), (), changed=False)
        moved = session.standing.moves != before
        if session.over or (moved and session.board.turn != own):
            simulation.happen(_asks_for_line(at_ms, notation))
        said = _said(noting.effects)
        letters = tuple(one.letter for one in noting.effects if isinstance(one, ShowLetter))
        changed = done or moved or session.over or bool(letters)
        changed |= any(utterance.key == "post.their_leave" for utterance in said)
        if changed:
            continued.recorder.append(*noting.events, session.standing)
            for one in noting.effects:
                if isinstance(one, GameEnded):
                    continued.recorder.end(one.result, one.termination)
        return Done(said, letters, changed)
    finally:
        continued.recorder.release()


def _said(effects: list[Effect]) -> tuple[Utterance, ...]:
    return tuple(one.utterance for one in effects if isinstance(one, Say))


# --- games that are open ----------------------------------------------------------------------------------------------


def open_games(journal: Journal, day: date) -> tuple[OpenCorrespondence, ...]:
    """The correspondence games that are not over, oldest first. One that cannot be read is left out."""
    found = []
    for summary in sorted(journal.games(), key=lambda game: game.id):
        settings = summary.settings
        if settings.correspondence is None or summary.result is not None:
            continue
        try:
            session = replay(journal.game(summary.id))
        except Failure:
            continue
        session.handle(ev.DayCame(at_ms=0, day=day.isoformat()))
        if session.over:
            continue
        own, board = settings.correspondence.colour, session.board
        found.append(
            OpenCorrespondence(
                summary.id,
                opponent=(settings.black_name if own else settings.white_name),
                colour=own,
                number=board.fullmove_number,
                yours=board.turn == own,
                reminders=session.reminders,
            )
        )
    return tuple(found)
