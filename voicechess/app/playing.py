"""One game after another in the running program: begin or resume, record every event, end with the result on disk."""

from __future__ import annotations

from contextlib import suppress

from voicechess.app.envelopes import Envelopes
from voicechess.app.games import Recording, resume, unfinished
from voicechess.app.interruption import INTERRUPTED, leave_output, nobody_reads
from voicechess.app.loop import Terms
from voicechess.app.practising import PracticeWish, practise
from voicechess.app.wiring import Program
from voicechess.conversations.welcome import Welcome, WelcomeOutcome
from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings
from voicechess.game.effects import GameEnded
from voicechess.game.phases import Phase
from voicechess.game.session import Session
from voicechess.practice.menu import AfterGame
from voicechess.storage.database import JournalError
from voicechess.storage.journal import GameSummary
from voicechess.storage.places import envelope_file

TIMES_TOLD = 3
"""So many starts of the program tell the words that always work."""

_TOLD = "three_words_told"


def play_new(program: Program, settings: GameSettings, introduced: bool = False) -> None:
    """A game from its beginning until the player wants another one or the end; `introduced`: see `events.Started`."""
    settings = program.context.preferences.announced(settings)
    session = Session(settings)
    program.clock.restart(0)
    recorder = program.journal.begin(settings)
    if recorder.complete:  # else its first event tells why not
        with suppress(JournalError):
            program.journal.set_usual(settings)
    three_words = not introduced and _must_tell_three_words(program)
    first = ev.Started(at_ms=program.clock.now(), introduced=introduced, three_words=three_words)
    _converse(program, session, Recording(recorder, session), first)


def play_on(program: Program, game_id: int) -> None:
    """Go on with a game of the journal: its events are replayed, then time goes on from there."""
    continued = resume(program.journal, game_id)
    session = continued.session
    program.clock.restart(continued.last_ms)
    now = program.clock.now()
    first = ev.Resumed(at_ms=now) if session.phase is not Phase.NOT_STARTED else ev.Started(at_ms=now)
    _converse(program, session, Recording(continued.recorder, session), first)


def welcome(program: Program, rematch: GameSettings | None = None) -> None:
    """The conversation before a game, then games until the end. `rematch`: the settings of the game before."""
    while program.loop.exit_code is None:
        open_game = _to_offer(program)
        talk = _talk(program, open_game is not None, rematch)
        if program.loop.exit_code is not None or talk.outcome is WelcomeOutcome.END:
            return
        if talk.outcome is WelcomeOutcome.GO_ON and open_game is not None:
            play_on(program, open_game.id)
            rematch = open_game.settings
        else:
            play_new(program, talk.settings, introduced=True)
            rematch = talk.settings


def _must_tell_three_words(program: Program) -> bool:
    """Whether the words that always work are to be told. Three times are enough: then "Hilfe" tells of them."""
    try:
        kept = program.journal.preference(_TOLD) or ""
        told = int(kept) if kept.isdecimal() and len(kept) < 9 else 0
        if told < TIMES_TOLD:
            program.journal.set_preference(_TOLD, str(told + 1))
    except JournalError:  # then once too often
        return True
    return told < TIMES_TOLD


def _to_offer(program: Program) -> GameSummary | None:
    """The game to go on with; None where there is none, or none that can be read: then a new one is played."""
    try:
        return unfinished(program.journal)
    except JournalError:
        return None


def _talk(program: Program, offer: bool, rematch: GameSettings | None) -> Welcome:
    """The conversation, held to its end."""

    def coin() -> bool:
        return program.random.random() < 0.5

    talk = Welcome(
        settings=program.context.preferences.terms(coin),
        usual=program.journal.usual(),
        rematch=rematch,
        three_words=rematch is None and _must_tell_three_words(program),
        unfinished=offer,
        by_voice=program.microphone_there,
        coin=coin,
    )
    program.loop.converse(talk, ev.Started(at_ms=program.clock.now()), lambda: talk.outcome is not None)
    return talk


def _converse(program: Program, session: Session, recording: Recording, first: ev.Event) -> None:
    """The game; and once it is over, what its player wants to practise of it, as often as it is asked for.

    Every event and the result go to disk.
    """
    loop = program.loop
    machine = AfterGame(session)
    event = first

    def ended(effect: GameEnded) -> None:
        try:
            recording.end(effect)
        except JournalError as error:
            loop.say_aside(error.key, error.phrase)

    on_disk = program.journal.path is not None
    terms = Terms(
        keep=recording.keep,
        ended=ended,
        envelopes=Envelopes(envelope_file(recording.game_id) if on_disk and recording.game_id > 0 else None),
        saved=lambda: on_disk and recording.complete,
        busy=lambda: session.correctable,
        remaining=lambda colour: session.clock.remaining(colour, loop.now()),
    )
    try:
        program.invite(session.settings)
        while True:
            loop.converse(machine, event, lambda: loop.wants_new_game or machine.wish is not None, terms)
            if loop.exit_code is not None or loop.wants_new_game or machine.wish is None:
                return
            now_ms = program.clock.now()  # what happens in practice stands in no game; its time neither
            try:
                practise(
                    program, PracticeWish(exercise=machine.wish or None, strength=program.context.preferences.level)
                )
            finally:
                program.clock.restart(now_ms)
            if loop.exit_code is not None:
                return
            machine.wish = None
            event = ev.Resumed(at_ms=program.clock.now())
    except (KeyboardInterrupt, OSError) as error:
        if isinstance(error, OSError):
            if not nobody_reads(error):
                raise
            leave_output()
        loop.interrupt(INTERRUPTED)
        program.let_speak()
    finally:
        recording.release()
