"""One game after another in an open house: begin or resume, record every event, end with the result on disk."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace

from voicechess.app.envelopes import Envelopes
from voicechess.app.games import Recording, resume, unfinished
from voicechess.app.interruption import INTERRUPTED, leave_output, nobody_reads
from voicechess.app.practising import Wish, practise
from voicechess.app.wiring import House
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


def play_new(house: House, settings: GameSettings, introduced: bool = False) -> None:
    """A game from its beginning until the player wants another one or the end; `introduced`: see `events.Started`."""
    settings = replace(settings, captured=house.context.preferences.captured)
    session = Session(settings)
    house.restart_clock(0)
    recorder = house.journal.begin(settings)
    if recorder.complete:  # else its first event tells why not
        with suppress(JournalError):
            house.journal.set_usual(settings)
    with _recording(house, Recording(recorder, session)):
        house.invite(settings)
        three_words = not introduced and _must_tell_three_words(house)
        _converse(house, session, ev.Started(at_ms=house.clock.now(), introduced=introduced, three_words=three_words))


def play_on(house: House, game_id: int) -> None:
    """Go on with a game of the journal: its events are replayed, then time goes on from there."""
    continued = resume(house.journal, game_id)
    session = continued.session
    house.restart_clock(continued.last_ms)
    with _recording(house, Recording(continued.recorder, session)):
        house.invite(session.settings)
        now = house.clock.now()
        begun = session.phase is not Phase.NOT_STARTED
        _converse(house, session, ev.Resumed(at_ms=now) if begun else ev.Started(at_ms=now))


def welcome(house: House, rematch: GameSettings | None = None) -> None:
    """The conversation before a game, then games until the end. `rematch`: the settings of the game before."""
    while house.loop.exit_code is None:
        open_game = _to_offer(house)
        talk = _talk(house, open_game is not None, rematch)
        if house.loop.exit_code is not None or talk.outcome is WelcomeOutcome.END:
            return
        if talk.outcome is WelcomeOutcome.GO_ON and open_game is not None:
            play_on(house, open_game.id)
            rematch = open_game.settings
        else:
            play_new(house, talk.settings, introduced=True)
            rematch = talk.settings


def _must_tell_three_words(house: House) -> bool:
    """Whether the words that always work are to be told. Three times are enough: then "Hilfe" tells of them."""
    try:
        kept = house.journal.preference(_TOLD) or ""
        told = int(kept) if kept.isdecimal() and len(kept) < 9 else 0
        if told < TIMES_TOLD:
            house.journal.set_preference(_TOLD, str(told + 1))
    except JournalError:  # then once too often
        return True
    return told < TIMES_TOLD


def _to_offer(house: House) -> GameSummary | None:
    """The game to go on with; None where there is none, or none that can be read: then a new one is played."""
    try:
        return unfinished(house.journal)
    except JournalError:
        return None


def _talk(house: House, offer: bool, rematch: GameSettings | None) -> Welcome:
    """The conversation, held to its end."""
    talk = Welcome(
        usual=house.journal.usual(),
        rematch=rematch,
        three_words=rematch is None and _must_tell_three_words(house),
        unfinished=offer,
        by_voice=house.microphone_there,
        coin=lambda: house.random.random() < 0.5,
    )
    house.loop.converse(talk, ev.Started(at_ms=house.clock.now()), lambda: talk.outcome is not None)
    return talk


def _converse(house: House, session: Session, first: ev.Event) -> None:
    """The game; and once it is over, what its player wants to practise of it, as often as it is asked for."""
    loop = house.loop
    loop.wants_new_game = False
    machine = AfterGame(session)
    event = first
    try:
        while loop.exit_code is None and not loop.wants_new_game:
            loop.correctable = lambda: session.phase is Phase.REPEATING
            loop.remaining = lambda colour: session.clock.remaining(colour, loop.now())
            loop.converse(machine, event, lambda: loop.wants_new_game or machine.wish is not None)
            if machine.wish is not None:
                _practise(house, machine.wish)
                machine.wish = None
                event = ev.Resumed(at_ms=house.clock.now())
    except (KeyboardInterrupt, OSError) as error:
        if isinstance(error, OSError):
            if not nobody_reads(error):
                raise
            leave_output()
        loop.exit_code = INTERRUPTED
        if loop.voice is not None:
            loop.voice.hush()
        loop.say_aside("program.interrupted")
        house.let_speak()


def _practise(house: House, exercise: str) -> None:
    """What happens in practice stands in no game; its time neither."""
    loop, now_ms = house.loop, house.clock.now()
    record, ended = loop.record, loop.on_ended
    loop.record = loop.on_ended = None
    try:
        practise(house, Wish(exercise=exercise or None))
    finally:
        loop.record, loop.on_ended = record, ended
        house.restart_clock(now_ms)


@contextmanager
def _recording(house: House, recording: Recording) -> Iterator[None]:
    """While inside, every event and the result go to disk."""

    def ended(effect: GameEnded) -> None:
        try:
            recording.end(effect)
        except JournalError as error:
            house.loop.say_aside(error.key, error.phrase)

    on_disk = house.journal.path is not None
    # To the end of the program, or until the next game: goodbyes come after the game.
    house.context.wording.kept = lambda: on_disk and recording.complete
    numbered = on_disk and recording.game_id > 0
    house.loop.envelopes = Envelopes(envelope_file(recording.game_id) if numbered else None)
    house.loop.record = recording.keep
    house.loop.on_ended = ended
    try:
        yield
    finally:
        house.loop.record = house.loop.on_ended = None
        house.loop.envelopes = Envelopes()  # what comes next does not write into this game's
        recording.release()
