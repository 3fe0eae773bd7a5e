"""Plays game after game in the running program: start or resume, record every event, end with the result on disk.

A simultaneous display is several games that start, resume and end together.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import date
from typing import Protocol

import chess

from voicechess.app.around import Hooks, Machine
from voicechess.app.context import SPOKEN_BY
from voicechess.app.displaying import RecordedDisplay, begun, games_of, resumed
from voicechess.app.envelopes import Envelopes
from voicechess.app.games import Recording, day_of, open_games, resume, unfinished
from voicechess.app.interruption import INTERRUPTED, leave_output, nobody_reads
from voicechess.app.kinds import session_of
from voicechess.app.mailbox import Mailbox
from voicechess.app.wiring import Program, cannot_play
from voicechess.conversations.offer import Offer
from voicechess.conversations.welcome import Welcome, WelcomeOutcome
from voicechess.conversations.who_speaks import WhoSpeaks
from voicechess.correspondence.open_letters import OpenCorrespondence
from voicechess.display.boards import agreed
from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings
from voicechess.game.effects import GameEnded, ServerRequest
from voicechess.game.phases import Phase
from voicechess.game.session import Session
from voicechess.laws.chess960 import CLASSICAL
from voicechess.meaning import Command
from voicechess.online.client_protocol import Served
from voicechess.online.lobby import OnlineGame
from voicechess.online.online_wish import OnlineOutcome
from voicechess.practice.after_game import WISHES, WishfulSession
from voicechess.score.position import read_position
from voicechess.sound.reader import reader_runs
from voicechess.storage.database import JournalError
from voicechess.storage.journal import GameSummary, Journal
from voicechess.storage.places import envelope_file

TIMES_TOLD = 3
"""Starts of the program at which the words that always work are named. Larger: beginners hear them more often."""

_TOLD = "three_words_told"


class Elsewhere(Protocol):
    """Play elsewhere: the lobby of a server."""

    def has_account(self) -> bool:
        """Whether the player has an account there."""

    def visit(self) -> OnlineOutcome:
        """Talk and play there until the player comes back, or wants to end."""

    def talk(self, inner: Welcome, over: Callable[[], bool]) -> OnlineGame | None:
        """Hold a local conversation during which challenges there can be accepted; the game, if one was."""

    def play(self, game: OnlineGame) -> None:
        """Play the game."""

    def reaches(self, site: str) -> bool:
        """Whether the game at this address can be resumed there, as far as is known."""

    def resume_game(self, site: str) -> None:
        """Resume the game at this address."""


def play_new(
    program: Program,
    settings: GameSettings,
    introduced: bool = False,
    served: Served | None = None,
    opening: ev.Heard | None = None,
) -> None:
    """Play a new game until the player wants another one or the end; `introduced`: see `events.Started`.

    `opening`: the first move, if it was announced before the game.
    """
    settings = program.context.preferences.announced(settings)
    if settings.correspondence is not None:
        from voicechess.app.mail import terms

        settings = replace(settings, correspondence=terms(settings.correspondence.colour, program.context.language))
    session = session_of(settings, day_of())
    program.clock.restart(0)
    recorder = program.journal.begin(settings)
    if recorder.complete and served is None and not session.counts_days:  # otherwise its first event reports why not
        with suppress(JournalError):
            own = settings.fen != chess.STARTING_FEN  # a position that was set up is for once
            program.journal.set_usual(replace(settings, fen=chess.STARTING_FEN, chess960=None) if own else settings)
    three_words = not introduced and _must_tell_three_words(program)
    now, voice_db = program.clock.now(), program.loop.voice_db
    begun = ev.Started(at_ms=now, introduced=introduced, three_words=three_words, voice_db=voice_db)
    first: list[ev.Event] = [begun]
    if opening is not None:
        first.append(replace(opening, at_ms=now, began_ms=now, ended_ms=now))
    _converse(program, session, Recording(recorder, session), tuple(first), served)


def play_on(program: Program, game_id: int, served: Served | None = None) -> None:
    """Resume a game of the journal: its events are replayed, then time runs on. A display is resumed with all its
    games."""
    display = next((game.settings.display for game in program.journal.games() if game.id == game_id), "")
    if display:
        recorded = resumed(program.journal, display)
        program.clock.restart(recorded.last_ms)
        _give(program, recorded, ev.Resumed(at_ms=program.clock.now()))
        return
    continued = resume(program.journal, game_id, served is not None)
    session = continued.session
    program.clock.restart(continued.last_ms)
    now = program.clock.now()
    first = ev.Resumed(at_ms=now) if session.phase is not Phase.NOT_STARTED else ev.Started(at_ms=now)
    _converse(program, session, Recording(continued.recorder, session), first, served)


def play_display(program: Program, boards: Sequence[GameSettings], introduced: bool = False) -> None:
    """Play a new simultaneous display until the giver wants something else or the end."""
    announced = [program.context.preferences.announced(settings) for settings in boards]
    program.clock.restart(0)
    three_words = not introduced and _must_tell_three_words(program)
    recorded = begun(program.journal, announced)
    first = ev.Started(at_ms=program.clock.now(), introduced=introduced, three_words=three_words)
    _give(program, recorded, first)


def play_served(program: Program, recorded: RecordedDisplay, served: Mapping[int, Served]) -> None:
    """Play a display of games at a server, by board number, until the giver wants something else."""
    program.clock.restart(recorded.last_ms)
    three_words = _must_tell_three_words(program)
    _give(program, recorded, ev.Started(at_ms=program.clock.now(), three_words=three_words), served)


def played_with(journal: Journal, game: GameSummary) -> tuple[GameSettings, ...]:
    """The settings of this game; of a display, those of every board."""
    return tuple(one.settings for one in games_of(journal, game.settings.display)) or (game.settings,)


def new_key() -> str:
    """A key shared by the games of a new display."""
    return secrets.token_hex(8)


def _asked_who_speaks(program: Program) -> bool:
    """Asks at the first start with a screen reader whether it should speak, or the program's voice. False: the player
    wants to quit."""
    speaker, journal = program.speaker, program.journal
    if speaker is None or speaker.reader is not None or journal.preference(SPOKEN_BY) is not None or not reader_runs():
        return True
    with suppress(JournalError):
        journal.set_preference(SPOKEN_BY, "voice")
    talk = WhoSpeaks(by_voice=program.microphone_there)
    program.loop.converse(talk, ev.Started(at_ms=program.clock.now()), lambda: talk.over)
    return not talk.ended


def welcome(
    program: Program, rematch: Sequence[GameSettings] = (), online: Elsewhere | None = None, greeted: bool = False
) -> None:
    """Hold the conversation before a game, then play, until the end. `rematch`: the settings of the previous game, or
    of all boards of a display. `greeted`: there was a conversation before, without a game."""
    greeted = greeted or bool(rematch)
    if not _asked_who_speaks(program):
        return
    while program.loop.exit_code is None:
        if program.to_play is not None:
            rematch = ()
        open_game = _to_offer(program, online)
        talk, challenged = _talk(program, open_game is not None, rematch, online, greeted)
        greeted = True
        if program.loop.exit_code is not None or talk.outcome is WelcomeOutcome.END:
            return
        if talk.outcome is WelcomeOutcome.PRACTISE and challenged is None:
            _practise(program, WISHES[talk.wish.name], talk.wish)
        elif online is not None and (challenged is not None or talk.outcome is WelcomeOutcome.ONLINE):
            if challenged is not None:
                online.play(challenged)
            if online.visit() is OnlineOutcome.END:
                return
            rematch = ()
        elif (
            talk.outcome is WelcomeOutcome.GO_ON
            and open_game is not None
            and online is not None
            and open_game.settings.site
        ):
            online.resume_game(open_game.settings.site)
            if online.visit() is OnlineOutcome.END:
                return
            rematch = ()
        elif talk.outcome is WelcomeOutcome.GO_ON and open_game is not None:
            play_on(program, open_game.id)
            rematch = played_with(program.journal, open_game)
        elif talk.outcome is WelcomeOutcome.OPEN and talk.opened is not None:
            play_on(program, talk.opened.id)
            rematch = ()
        elif (unplayable := cannot_play(talk.settings)) is not None:
            program.loop.say_aside(unplayable.key, unplayable.phrase)
        elif talk.boards:
            key = new_key()
            if talk.again:
                rematch = tuple(replace(settings, display=key) for settings in rematch)
            else:
                rematch = agreed(talk.settings, key, talk.levels, alternating=talk.alternating)
            play_display(program, rematch, introduced=True)
        else:
            play_new(program, talk.settings, introduced=True, opening=talk.opening)
            rematch = (talk.settings,) if talk.settings.correspondence is None else ()


def _must_tell_three_words(program: Program) -> bool:
    """Whether to name the words that always work: at the first three starts; afterwards "Hilfe" names them."""
    try:
        kept = program.journal.preference(_TOLD) or ""
        told = int(kept) if kept.isdecimal() and len(kept) < 9 else 0
        if told < TIMES_TOLD:
            program.journal.set_preference(_TOLD, str(told + 1))
    except JournalError:  # better once too often
        return True
    return told < TIMES_TOLD


def _to_offer(program: Program, online: Elsewhere | None) -> GameSummary | None:
    """The game offered for resuming; None if there is none, or none that can be read."""
    try:
        found = unfinished(program.journal, served=online is not None)
        if found is None or online is None or not found.settings.site or online.reaches(found.settings.site):
            return found
        return unfinished(program.journal)
    except JournalError:
        return None


def _post(program: Program) -> tuple[OpenCorrespondence, ...]:
    """The unfinished correspondence games; none if they cannot be read."""
    try:
        return open_games(program.journal, date.today())
    except JournalError:
        return ()


def _talk(
    program: Program, offer: bool, rematch: Sequence[GameSettings], online: Elsewhere | None, greeted: bool
) -> tuple[Welcome, OnlineGame | None]:
    """Hold the conversation; with its outcome the game at a server, if one was accepted meanwhile."""

    def coin() -> bool:
        return program.random.random() < 0.5

    wanted, program.to_play = program.to_play, None
    settings = program.context.preferences.terms(coin)
    first: Offer | None = None
    if wanted is not None:
        board, _ = read_position(wanted.fen)
        settings = replace(settings, fen=wanted.fen, chess960=CLASSICAL if board.chess960 else None)
        against = {None: (), True: (Command("person"),), False: (Command("machine"),)}[wanted.people]
        first = Offer(settings)
        for said in against:
            first = first.with_terms(said, coin) or first
    talk = Welcome(
        settings=settings,
        offer=first,
        usual=program.journal.usual(),
        rematch=tuple(rematch),
        three_words=not rematch and _must_tell_three_words(program),
        unfinished=offer,
        account=online.has_account if online is not None else lambda: False,
        post=_post(program),
        greeted=greeted,
        by_voice=program.microphone_there,
        coin=coin,
    )
    if online is not None:
        return talk, online.talk(talk, lambda: talk.outcome is not None)
    program.loop.converse(talk, ev.Started(at_ms=program.clock.now()), lambda: talk.outcome is not None)
    return talk, None


def _converse(
    program: Program,
    session: Session,
    recording: Recording,
    first: ev.Event | tuple[ev.Event, ...],
    served: Served | None = None,
) -> None:
    """Play the game; afterwards practise what its player asks for, as often as they do.

    Every event and the result go to disk.
    """
    loop = program.loop
    after = WishfulSession(session)
    told = first

    def ended(effect: GameEnded) -> None:
        try:
            recording.end(effect)
        except JournalError as error:
            loop.say_aside(error.key, error.phrase)

    def keep(event: ev.Event) -> None:
        if served is not None and isinstance(event, ev.Suspended):
            served.renew()
        recording.keep(event)

    def keep_day(event: ev.Event) -> None:
        try:
            keep(event)
        except JournalError as error:
            loop.say_aside(error.key, error.phrase)

    machine: Machine = after
    if session.counts_days:
        from voicechess.app.mail import Dated

        machine = Dated(after, keep_day)
    on_disk = program.journal.path is not None
    held = Hooks(
        keep=keep,
        ended=ended,
        envelopes=Envelopes(envelope_file(recording.game_id) if on_disk and recording.game_id > 0 else None),
        saved=lambda: on_disk and recording.complete,
        busy=lambda: session.correctable,
        remaining=lambda colour: session.clock.remaining(colour, loop.now()),
        send=served.send if served is not None else None,
        mailbox=Mailbox() if session.counts_days else None,
        game=lambda: session,
        tells_speakers=True,
    )
    with _released(program, recording, *(() if served is None else (served.close,))):
        program.invite(session.settings)
        if served is not None:
            served.begin()
        while True:
            loop.converse(machine, told, lambda: loop.wants_new_game or after.wish is not None, held)
            if loop.exit_code is not None or loop.wants_new_game or after.wish is None:
                return
            now_ms = program.clock.now()  # practice is not part of the game, and neither is its time
            try:
                _practise(program, after.wish, after.said, session.score.board())
            finally:
                program.clock.restart(now_ms)
            if loop.exit_code is not None or program.to_play is not None:
                return
            after.wish = None
            told = ev.Resumed(at_ms=program.clock.now())


def _practise(program: Program, exercise: str, said: Command, board: chess.Board | None = None) -> None:
    """Practise that exercise, or ("") any. `said`: the command that asked for it; `board`: the final position of the
    game before."""
    from voicechess.app.practising import PracticeWish, practise

    level = program.context.preferences.game.level
    practise(program, PracticeWish(exercise=exercise or None, strength=level, said=said, board=board))


def _give(
    program: Program, recorded: RecordedDisplay, first: ev.Event, served: Mapping[int, Served] | None = None
) -> None:
    """Play the display until the giver wants another game or the end. Every event and every result go to disk.

    `served`: its games at a server, by board number.
    """
    at_server = {} if served is None else served
    loop, display = program.loop, recorded.display
    recorded.tell = lambda failure: loop.say_aside(failure.key, failure.phrase)
    for failure in recorded.unread:
        recorded.tell(failure)
    on_disk = program.journal.path is not None

    def renew(event: ev.Event) -> None:
        for game in at_server.values() if isinstance(event, ev.Suspended) else ():
            game.renew()

    def send(request: ServerRequest) -> None:
        at_server[request.game].send(request)

    hooks = Hooks(
        keep=renew,
        ended=lambda _: None,  # every result is in its game's journal
        saved=lambda: on_disk and recorded.complete,
        busy=lambda: display.at.session.correctable,
        game=lambda: display.at.session,
        send=send if at_server else None,
        tells_speakers=True,
    )
    with _released(program, recorded, *(game.close for game in at_server.values())):
        program.invite_all(recorded.settings)
        for game in at_server.values():
            game.begin()
        loop.converse(recorded, first, lambda: loop.wants_new_game, hooks)


@contextmanager
def _released(program: Program, played: Recording | RecordedDisplay, *left: Callable[[], None]) -> Iterator[None]:
    """Context of a game in progress. An interruption ends the program with a sentence; afterwards `left` disconnects
    what belongs to the game, and others can resume it."""
    try:
        yield
    except (KeyboardInterrupt, OSError) as error:
        if isinstance(error, OSError):
            if not nobody_reads(error):
                raise
            leave_output()
        program.loop.interrupt(INTERRUPTED)
        program.let_speak()
    finally:
        for leave in left:
            leave()
        played.release()
