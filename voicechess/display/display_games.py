"""The games of a display: passes events to them, records them, and performs, drops or postpones their effects.

A game knows nothing of the display: its utterances are renumbered, and those of a board without the giver wait, or are
announced with the board's number.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from voicechess.display import board_sentences as sentences
from voicechess.display.boards import Board
from voicechess.game import effects as ef
from voicechess.game import events as ev
from voicechess.game.session import Session
from voicechess.messages import Phrase, Slot, Utterance


@dataclass(frozen=True, slots=True)
class KeepAt:
    """An event of the game at board `number`, for its journal before anything that follows is said. `stood`: the state
    of the game, if a move was made or taken back."""

    number: int
    happened: ev.Event | ef.GameEnded
    stood: ev.Stood | None = None


DisplayEffect = ef.Effect | KeepAt


class DisplayGames:
    """The games by board number (`boards`), the current board, and the effects so far (`_effects`)."""

    def __init__(self, sessions: Sequence[Session], at: int, numbers: Sequence[int] | None) -> None:
        known = numbers or [session.settings.board for session in sessions]
        self.boards = {number: Board(session, number) for number, session in zip(known, sessions, strict=True)}
        self._at = self.boards.get(at) or next(iter(self.boards.values()))
        self._announcer = ef.Announcer()
        self._effects: list[DisplayEffect] = []
        self._numbers: dict[int, tuple[Board, int]] = {}  # display's utterance number -> board, and its game's number
        self._going = False  # the giver is done here
        self._aside = False  # utterances now wait, although the giver is there
        self._quiet = False  # utterances now are dropped
        self._unsaid = frozenset[str]()  # as are these sentences
        self._listens = False  # the current game has sent its expectation
        self._now_ms = 0

    @property
    def over(self) -> bool:
        """Whether all games have ended."""
        return all(board.session.over for board in self.boards.values())

    def _everywhere(self, event: ev.Event, boards: Sequence[Board]) -> None:
        """Pass an event to several games; their reply is said once, by the current board."""
        for board in boards:
            self._quietly(board, event, quiet=board is not self._at)

    def _quietly(self, board: Board, event: ev.Event, quiet: bool = True) -> None:
        before, self._quiet = self._quiet, quiet
        self._tell(board, event)
        self._quiet = before

    def _tell(self, board: Board, event: ev.Event) -> None:
        """Pass an event to a game, record it, and perform the effects."""
        waiting = deque([event])
        while waiting:
            event = waiting.popleft()
            before, phase, was_over = board.moves, board.session.phase, board.session.over
            effects = board.session.handle(event)
            if not effects and isinstance(event, ev.Tick) and board.session.phase is phase:
                return  # a tick without effect is not recorded
            self._do(KeepAt(board.number, event, board.session.standing if board.moves != before else None))
            ends = any(isinstance(effect, ef.GameEnded) for effect in effects)
            for effect in effects:
                waiting.extend(self._perform(board, effect, ends))
            has_moved = board.moves > before and not board.givers_move
            if board is self._at and (has_moved or board.session.over > was_over):
                self._going = True

    def _perform(self, board: Board, effect: ef.Effect, ends: bool) -> Iterator[ev.Event]:
        """Perform an effect of a game, or note that it is impossible; returns the events that follow."""
        here = board is self._at
        match effect:
            case ef.Say(utterance):
                if not self._says(board, utterance, ends):
                    yield ev.Spoken(at_ms=self._now_ms, number=utterance.number)
            case ef.Listen():
                self._listens |= here
            case (
                ef.Think()
                | ef.ConsiderDraw()
                | ef.JudgeClaim()
                | ef.SeekHint()
                | ef.StopThinking()
                | ef.SendMove()
                | ef.SendWish()
                | ef.GiveTime()
                | ef.SendChat()
                | ef.LookUpOpponent()
            ):
                if isinstance(effect, ef.StopThinking) and board.givers_move:
                    board.held.clear()  # the move it answers was corrected, or taken back
                self._do(replace(effect, game=board.number))
            case ef.GameEnded():
                board.held.clear()
                self._do(KeepAt(board.number, effect))
            case ef.Sound() | ef.Hush() if not here or self._quiet:
                pass
            case _:
                self._do(effect)

    def _says(self, board: Board, utterance: Utterance, ends: bool) -> bool:
        """Say an utterance of a game, if it is to be said now; whether its end will be reported."""
        key = utterance.key
        if self._quiet or key in (*sentences.NEVER_SAID, *sentences.SAID_ONCE, *self._unsaid):
            return False
        if board is self._at and (ends or not self._aside):
            self._say_of(board, utterance)
            return True
        if ends or board.session.over or key in sentences.AT_ONCE:
            self._say_from(board, utterance)
            return False
        if key.startswith(sentences.LINK):
            before = len(board.untold)
            board.untold = [one for one in board.untold if not one.key.startswith(sentences.LINK)]
            if key == f"{sentences.LINK}back" and len(board.untold) < before:
                return False
        board.untold.append(utterance)
        return False

    def _say_of(self, board: Board, utterance: Utterance) -> None:
        """Say an utterance of the current game under a new number. Confirmations that decide a game name the board."""
        slots = {name: sentences.fixed(slot) for name, slot in utterance.slots.items()}
        key = sentences.otherwise(utterance.key, over=self.over)
        if key.startswith("confirm.") and key not in sentences.ANSWERED:
            slots, key = {"number": board.number, "sentence": Phrase(key, slots)}, "simul.from_board"
        said = self._announcer.utterance(key, slots, utterance.priority)
        self._numbers[said.number] = (board, utterance.number)
        self._do(ef.Say(said))

    def _say_from(self, board: Board, utterance: Utterance) -> None:
        """Say an utterance of a board where the giver is not."""
        sentence = Phrase(utterance.key, {name: sentences.fixed(slot) for name, slot in utterance.slots.items()})
        self._do(ef.Say(self._announcer.utterance("simul.from_board", {"number": board.number, "sentence": sentence})))

    def _say(self, key: str, slots: Mapping[str, Slot] | None = None) -> None:
        self._do(ef.Say(self._announcer.utterance(key, slots)))

    def _do(self, effect: DisplayEffect) -> None:
        self._effects.append(effect)
