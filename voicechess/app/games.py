"""Games in the journal: recorded, replayed, resumed, and exported: as text, in Braille, or as announced; and which
correspondence games are open."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import Enum
from functools import partial
from pathlib import Path

import chess

from voicechess.app.kinds import kind_of, session_of
from voicechess.correspondence.open_letters import OpenCorrespondence
from voicechess.game import events as ev
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
    """The "long" form (Laws, Appendix C): each move as announced, White's with its number; then the result."""
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
    """The initial position, if it is not the usual one (Laws, 8.1: a score can be played through)."""
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
    """An incident in words, with what was announced or claimed and the time added or deducted."""
    words = wording.say(Phrase(f"sheet.note.{note.kind.value}", {"side": Side(note.colour)}))
    sign = "-" if note.ms < 0 else "+"
    return ", ".join([words, *filter(None, [note.text]), *([sign + sheet_time(abs(note.ms))] if note.ms else [])])


def record(sentences: Iterable[str], speech: Speech, path: Path) -> None:
    """Records all sentences into one sound file, 16-bit mono. Raises `SoundError`, also if the file cannot be
    written."""
    silence = bytes(2 * RATE * BETWEEN_MS // 1000)
    pcm = bytearray()
    for sentence in sentences:
        spoken = speech.sound(sentence)
        pcm += converted(spoken.pcm, spoken.rate, RATE, 1) + silence
    write_wav(path, bytes(pcm), RATE)


# --- games in the journal ---------------------------------------------------------------------------------------------


class Format(Enum):
    """Formats of a game: for programs, with German letters, in Braille, for Braille embossers, as announced, as a
    recording of that; and its current position."""

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
    """Records a game: every event, and the position after one that makes or takes back a move.

    A later version of the program may understand the same words differently: the recorded position decides (`Stood`).
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
        """Write a handled event. Raises JournalError as `Recorder.append` does."""
        stood = self._session.standing
        if stood.moves == self._moves:
            self._recorder.append(event)
        else:
            self._moves = stood.moves
            self._recorder.append(event, stood)

    def end(self, ended: GameEnded) -> None:
        """Write the result. Raises JournalError as `Recorder.append` does."""
        self._recorder.end(ended.result, ended.termination)

    def release(self) -> None:
        """Let other programs resume the game."""
        self._recorder.release()


@dataclass(frozen=True, slots=True)
class Continued:
    """A resumed game: its session, the recorder of further events, and the time of its last event."""

    session: Session
    recorder: Recorder
    last_ms: int


def day_of(began: datetime | None = None) -> str:
    """Date in a score's format of a game begun then; None: now."""
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
    """Prepare to resume a game; the caller first handles and records `Resumed`, at or after `last_ms`. `served`:
    connected to the game's server.

    Raises JournalError: as `Journal.resume` and `Journal.game`, "journal.over" if it has a result, and
    "journal.at_server" for a game at a server without a connection.
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
    """Write the result of a game interrupted between its last event and its result."""
    if session.ending is not None:
        recorder.end(session.result, session.ending.way.value)


def unfinished(journal: Journal, served: bool = False) -> GameSummary | None:
    """The last game that can be resumed; None if there is none. Correspondence games are excluded: they take days and
    are listed together. `served`: include games at a server. Raises JournalError if the journal cannot be read."""
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
    """The game played last. Raises JournalError("journal.no_games")."""
    games = journal.by_last_played()
    if not games:
        raise JournalError("journal.no_games")
    return games[0]


def score_of(stored: StoredGame) -> Score:
    """The game's score, dated with its local start; its result is the recorded one, whatever a replay ends with."""
    score = replay(stored).score
    known = stored.summary.result
    return score if known is None or known == score.result else replace(score, ending=None, result=known)


def named(score: Score, settings: GameSettings, wording: Wording) -> Score:
    """The score with the computer's name where it played; a person without a name stays unknown ("?", as in PGN). A
    game of a simultaneous display has its board number (PGN standard, 9.4.4)."""
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
    """The score in one of the formats, ending with a newline; a recording as its text."""
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
    """A score sheet (Laws, Art. 8): players, date, time control, moves, result. Unknown fields are left out, and so is
    a standard initial position. `written` converts words into the script of the moves."""
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


# --- games that are open ----------------------------------------------------------------------------------------------


def open_games(journal: Journal, day: date) -> tuple[OpenCorrespondence, ...]:
    """The unfinished correspondence games, oldest first, without unreadable ones."""
    found = []
    for summary in sorted(journal.games(), key=lambda game: game.id):
        settings = summary.settings
        if kind_of(settings).runs_clock or summary.result is not None:
            continue
        try:
            session = replay(journal.game(summary.id))
        except Failure:
            continue
        session.handle(ev.DayCame(at_ms=0, day=day.isoformat()))
        if session.over:
            continue
        own, board = session.side_here, session.board
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
