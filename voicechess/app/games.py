"""Games in the journal: recorded, replayed, continued, and written: as text, in Braille, or as they are announced."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum
from functools import partial
from pathlib import Path

import chess

from voicechess.app.kinds import kind_of, session_of
from voicechess.game.agreement import GameSettings, Player
from voicechess.game.effects import GameEnded
from voicechess.game.events import Event
from voicechess.game.session import Session
from voicechess.language.wording import Wording
from voicechess.laws.results import Worth
from voicechess.laws.time_controls import describe
from voicechess.messages import Failure, Listing, Phrase, Piece, Side, Slot, Square, Text
from voicechess.moves.saying import said_move
from voicechess.score.braille import brf, position_in_braille, score_in_braille, text_in_braille
from voicechess.score.pgn import write_pgn
from voicechess.score.score import (
    UNKNOWN_TAG,
    Note,
    PieceLetters,
    Score,
    german_position,
    move_list,
    piece_list,
    sheet_time,
)
from voicechess.sound.devices.files import write_wav
from voicechess.sound.pcm import converted
from voicechess.sound.speech import Speech
from voicechess.storage.database import JournalError
from voicechess.storage.journal import GameSummary, Journal, Recorder, StoredGame

# --- a score as it is announced ---------------------------------------------------------------------------------------

RATE = 22_050
BETWEEN_MS = 400


def lines_aloud(score: Score, wording: Wording) -> tuple[str, ...]:
    """The "long" form (Laws, Appendix C): each move as it was announced, White's with its number; then the ending."""
    told = _position_aloud(score) + ([Phrase("score.none")] if not score.entries else [])
    for board, made in score.positions():
        told += [Phrase("sheet.aloud", {"text": Text(_note(note, wording))}) for note in made.notes]
        key = "score.white" if board.turn == chess.WHITE else "score.black"
        full = wording.move(said_move(board, made.move), full=True)
        told.append(Phrase(key, {"number": board.fullmove_number, "move": Text(full)}))
        if made.draw_offered:
            told.append(Phrase("sheet.offer", {"side": Side(board.turn)}))
    told += [Phrase("sheet.aloud", {"text": Text(_note(note, wording))}) for note in score.after]
    if score.ending is not None:
        told.append(score.ending.words)
    return tuple(wording.say(phrase) for phrase in told)


def _begins_elsewhere(score: Score) -> bool:
    return score.fen != chess.STARTING_FEN


def _position_aloud(score: Score) -> list[Phrase]:
    """Where the game begins, if that is not the usual position (Laws, 8.1: a score can be played through)."""
    if not _begins_elsewhere(score):
        return []
    board = score.start()
    told = [Phrase("sheet.begins", {"side": Side(board.turn)})]
    for colour in chess.COLORS:
        pieces = tuple(
            Phrase("position.piece_on", {"piece": Piece(kind), "square": Square(square)})
            for kind, square in piece_list(board, colour)
        )
        told.append(Phrase("sheet.stands", {"side": Side(colour), "pieces": Listing(pieces)}))
    return told


def _note(note: Note, wording: Wording) -> str:
    """An incident in words, with what was announced or claimed and the time that was given or taken."""
    words = wording.say(Phrase(f"sheet.note.{note.kind.value}", {"side": Side(note.colour)}))
    sign = "-" if note.ms < 0 else "+"
    return ", ".join([words, *filter(None, [note.text]), *([sign + sheet_time(abs(note.ms))] if note.ms else [])])


def record(sentences: Iterable[str], speech: Speech, path: Path) -> None:
    """All sentences as one sound file, 16-bit mono. Raises `SoundError`, also when the file cannot be written."""
    silence = bytes(2 * RATE * BETWEEN_MS // 1000)
    pcm = bytearray()
    for sentence in sentences:
        spoken = speech.sound(sentence)
        pcm += converted(spoken.pcm, spoken.rate, RATE, 1) + silence
    write_wav(path, bytes(pcm), RATE)


# --- games in the journal ---------------------------------------------------------------------------------------------


class Format(Enum):
    """How a game can be written: for programs, for readers of German letters, in Braille, for Braille embossers, in the
    words in which it was announced, as a recording of them; and the position that it has come to."""

    PGN = "pgn"
    GERMAN = "german"
    BRAILLE = "braille"
    BRF = "brf"
    SPOKEN = "spoken"
    RECORDING = "recording"
    FEN = "fen"
    POSITION_BRAILLE = "position-braille"
    POSITION_BRF = "position-brf"


class Recording:
    """Keeps a game: every event, and with one that makes or takes back a move where the game stands then.

    A later version of the program may make something else of the same words: what stood is what it goes by (`Stood`).
    """

    def __init__(self, recorder: Recorder, session: Session) -> None:
        self._recorder, self._session = recorder, session
        self._moves: tuple[str, ...] | None = None

    @property
    def complete(self) -> bool:
        """Whether everything is on disk."""
        return self._recorder.complete

    @property
    def game_id(self) -> int:
        """The game's number; 0 if it could not be written at all."""
        return self._recorder.game_id

    def keep(self, event: Event) -> None:
        """Writes an event that the session has handled. Raises JournalError as `Recorder.append` does."""
        stood = self._session.standing
        if stood.moves == self._moves:
            self._recorder.append(event)
        else:
            self._moves = stood.moves
            self._recorder.append(event, stood)

    def end(self, ended: GameEnded) -> None:
        """Writes how the game ended. Raises JournalError as `Recorder.append` does."""
        self._recorder.end(ended.result, ended.termination)

    def release(self) -> None:
        """From now on another program can go on with the game."""
        self._recorder.release()


@dataclass(frozen=True, slots=True)
class Continued:
    """A game that goes on: its session as it was, what writes its further events, and its last event's time."""

    session: Session
    recorder: Recorder
    last_ms: int


def day_of(began: datetime | None = None) -> str:
    """The day as a score has it, of a game that began then; None: now."""
    return (began or datetime.now()).astimezone().strftime("%Y.%m.%d")


def replay(stored: StoredGame) -> Session:
    """The session after all events of the game. Raises JournalError("journal.unreadable")."""
    try:
        session = session_of(stored.summary.settings, day_of(stored.summary.started))
    except Failure as error:
        raise JournalError("journal.unreadable", {"number": stored.summary.id}) from error
    for event in stored.events:
        session.handle(event)
    return session


def resume(journal: Journal, game_id: int, served: bool = False) -> Continued:
    """Makes ready to play on; the caller handles and records `Resumed` first, at or after `last_ms`. `served`: with the
    server that the game is on.

    Raises JournalError: as `Journal.resume` and `Journal.game`, "journal.over" when the result stands, and
    "journal.at_server" for one on a server without it.
    """
    recorder = journal.resume(game_id)
    try:
        stored = journal.game(game_id)
        settings = stored.summary.settings
        if not served and not kind_of(settings).decided_here:
            raise JournalError("journal.at_server", {"number": game_id})
        session = replay(stored)
        if session.over:
            _end(recorder, session)
            raise JournalError("journal.over", {"number": game_id})
    except Failure:
        recorder.release()
        raise
    last_ms = max((event.at_ms for event in stored.events), default=0)
    return Continued(session, recorder, last_ms)


def _end(recorder: Recorder, session: Session) -> None:
    """Writes how a game ended that was cut off between its last event and this."""
    if session.ending is not None:
        recorder.end(session.result, session.ending.way.value)


def unfinished(journal: Journal, served: bool = False) -> GameSummary | None:
    """The last game that can go on, to be offered; None when there is none. Correspondence games are no such games:
    they wait for days, and are told of together. `served`: those at a server can go on as well. Raises JournalError
    where the journal cannot be read."""
    for game in journal.unfinished():
        if not kind_of(game.settings).runs_clock:
            continue
        try:
            resume(journal, game.id, served).recorder.release()
        except JournalError:
            continue  # over, or from a newer program
        return game
    return None


def last_played(journal: Journal) -> GameSummary:
    """The game that was played last. Raises JournalError("journal.no_games")."""
    games = journal.by_last_played()
    if not games:
        raise JournalError("journal.no_games")
    return games[0]


def score_of(stored: StoredGame) -> Score:
    """The game's score, dated by the day it began here; the result is the one written, whatever a replay ends with."""
    score = replay(stored).score
    known = stored.summary.result
    return score if known is None or known == score.result else replace(score, ending=None, result=known)


def named(score: Score, settings: GameSettings, wording: Wording) -> Score:
    """With the machine's name where it played; a person who gave none stays unknown ("?", as PGN has it). A game of a
    simultaneous display has its board's number (PGN standard, 9.4.4)."""
    machine = wording.say(Phrase("sheet.machine", {"level": Text(str(settings.level))}))
    white, black = (
        machine if player is Player.ENGINE and name == UNKNOWN_TAG else name
        for player, name in ((settings.white, score.white), (settings.black, score.black))
    )
    tags = score.tags
    if settings.display:
        tags += (("Event", wording.say(Phrase("simul.event"))), ("Board", str(settings.board)))
    return replace(score, white=white, black=black, tags=tags)


def write(score: Score, form: Format, wording: Wording) -> str:
    """The score in one of the formats, ending with a line break; a recording as the words that are recorded."""
    match form:
        case Format.PGN:
            return write_pgn(score)
        case Format.GERMAN:
            noted = partial(_note, wording=wording)
            lines = _sheet(score, move_list(score, PieceLetters.GERMAN, noted), german_position(score.start()), wording)
        case Format.BRAILLE:
            lines = _in_braille(score, wording)
        case Format.BRF:
            return brf(_in_braille(score, wording))
        case Format.SPOKEN | Format.RECORDING:
            lines = lines_aloud(score, wording)
        case Format.FEN:
            lines = (score.board().fen(),)
        case Format.POSITION_BRAILLE:
            lines = position_in_braille(score.board())
        case Format.POSITION_BRF:
            return brf(position_in_braille(score.board()))
    return "".join(f"{line}\n" for line in lines)


def _in_braille(score: Score, wording: Wording) -> tuple[str, ...]:
    moves = score_in_braille(score, partial(_note, wording=wording))
    return _sheet(score, moves, position_in_braille(score.start()), wording, text_in_braille)


def _sheet(
    score: Score,
    moves: Sequence[str],
    position: Sequence[str],
    wording: Wording,
    written: Callable[[str], str] = str,
) -> tuple[str, ...]:
    """A score sheet (Laws, Art. 8): who played, when and with what time, the moves, the result. What is unknown is left
    out, and so is the position that it begins with if it is the usual one. `written` puts the words into the script of
    the moves."""
    head = [Phrase(f"sheet.{side}", {"name": Text(name)}) for side, name in _players(score)]
    if "?" not in score.date:
        head.append(Phrase("sheet.date", {"date": Text(".".join(reversed(score.date.split("."))))}))
    if score.time is not None and not score.time.untimed:
        head.append(Phrase("sheet.time", {"time": describe(score.time)}))
    if _begins_elsewhere(score):
        head.append(Phrase("sheet.begins", {"side": Side(score.start().turn)}))
    above, below = ([written(wording.say(phrase)) for phrase in part] for part in (head, [_result(score)]))
    return (*above, *(position if _begins_elsewhere(score) else ()), *moves, *below)


def _players(score: Score) -> list[tuple[str, str]]:
    return [(side, name) for side, name in (("white", score.white), ("black", score.black)) if name != UNKNOWN_TAG]


def _result(score: Score) -> Phrase:
    result = score.ending.result if score.ending is not None else score.result
    key = "sheet.none" if result == Worth.NONE.value else "sheet.result"
    slots: dict[str, Slot] = {"result": Text(result.replace("1/2", "½"))}
    if score.ending is None:
        return Phrase(f"{key}_only", slots)
    return Phrase(key, {**slots, "ending": score.ending.words})
