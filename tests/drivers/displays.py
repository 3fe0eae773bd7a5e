"""Dialogues of simultaneous displays: as those of a game (`tests.drivers.dialogues`), with several boards.

In the head: "boards: 3", or "levels: 2,2,3", one a board; "people: 2,3", the boards that a person beside plays;
"alternating: yes"; "giver: black"; "served: Anna, Bert" are the names of opponents at a server, and "server 2: moves
e2e4" is what it tells of a board. An answer names its board: "engine 3: e7e5". ">< eva vier" are words that began
three seconds earlier, when all has been said. "restart" replays every game from what was kept of it. At the end stands
every board with its moves and its result.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import chess

from tests.drivers.dialogues import Dialogue, Play, game_settings
from voicechess.app.kinds import session_of
from voicechess.display.boards import agreed
from voicechess.display.display_games import KeepAt
from voicechess.display.simul import Display
from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings, Player
from voicechess.game.effects import Effect, GameEnded
from voicechess.game.phases import Phase
from voicechess.meaning import Expectation

OWN = ("boards", "levels", "people", "alternating", "giver", "served")


def agreed_in(head: Mapping[str, str]) -> tuple[GameSettings, ...]:
    """The terms of every board from the lines of a dialogue's head."""
    terms = game_settings({name: value for name, value in head.items() if name not in OWN})
    served = [name.strip() for name in head.get("served", "").split(",") if name]
    levels = (
        [3] * len(served)
        or [int(level) for level in head.get("levels", "").split(",") if level]
        or [3] * int(head["boards"])
    )
    people = [int(number) for number in head.get("people", "").split(",") if number]
    giver, alternating = head.get("giver") != "black", head.get("alternating") == "yes"
    found = agreed(terms, "display", levels, giver=giver, alternating=alternating, people=people)
    return tuple(map(_at_server, found, served)) if served else found


def _at_server(terms: GameSettings, opponent: str) -> GameSettings:
    """The terms against an opponent on a server."""
    if terms.giver:
        return replace(terms, black=Player.SERVER, black_name=opponent)
    return replace(terms, white=Player.SERVER, white_name=opponent)


class Kept:
    """A display with a journal of each board in memory, used like a single game."""

    def __init__(self, terms: tuple[GameSettings, ...]) -> None:
        self.terms = terms
        self.journal: dict[int, list[ev.Event]] = {one.board: [] for one in terms}
        self.ended: dict[int, GameEnded] = {}
        self.last = 1
        self.display = Display([session_of(one) for one in terms])

    @property
    def settings(self) -> GameSettings:
        return self.terms[0]

    @property
    def phase(self) -> Phase:
        return self.display.at.session.phase

    @property
    def expectation(self) -> Expectation:
        return self.display.expectation

    def handle(self, event: ev.Event) -> tuple[Effect, ...]:
        effects: list[Effect] = []
        for effect in self.display.handle(event):
            if not isinstance(effect, KeepAt):
                effects.append(effect)
            elif isinstance(effect.happened, GameEnded):
                self.ended[effect.number] = effect.happened
            else:
                self.journal[effect.number] += filter(None, [effect.happened, effect.stood])
                self.last = effect.number
        return tuple(effects)

    def restart(self) -> None:
        """Replay all games from their journals."""
        sessions = [session_of(one) for one in self.terms]
        for session in sessions:
            for event in self.journal[session.settings.board]:
                session.handle(event)
        self.display = Display(sessions, self.last)


@dataclass
class DisplayPlay(Play):
    """A dialogue of a display being played."""

    kept: Kept = field(init=False)

    def __post_init__(self) -> None:
        whole = self.dialogue
        self.dialogue = replace(
            whole, settings={name: whole.settings[name] for name in whole.settings if name not in OWN}
        )
        super().__post_init__()
        self.dialogue = whole
        self.kept = Kept(agreed_in(whole.settings))
        self.session = self.kept  # type: ignore[assignment]  # has everything that a dialogue needs of a game

    def _input(self, line: str) -> Iterator[str]:
        mark, _, words = line.partition(" ")
        if mark == "><":
            yield from self._outputs(self._heard(words, "><|"))
        elif mark.rstrip("|") == "restart":
            self.kept.restart()
            self.unsaid.clear()
            self.now_ms += 10_000
            yield from self._outputs(ev.Resumed(at_ms=self.now_ms))
        else:
            yield from super()._input(line)

    def _engine(self, what: str) -> ev.Event:
        number, _, rest = what.partition(": ")
        answer = super()._engine(rest)
        assert isinstance(answer, ev.OpponentMoved | ev.OpponentAnswered | ev.ClaimJudged | ev.OpponentFailed)
        return replace(answer, game=int(number))

    def _server(self, what: str) -> ev.Event:
        number, _, rest = what.partition(": ")
        self.session = self.kept.display.boards[int(number)].session
        told = super()._server(rest)
        self.session = self.kept  # type: ignore[assignment]
        assert isinstance(told, ev.ServerEvent)
        return replace(told, game=int(number))

    def _end(self) -> Iterator[str]:
        yield ""
        for number, board in self.kept.display.boards.items():
            position = board.session.board
            moves = chess.Board(board.session.settings.fen).variation_san(position.move_stack)
            yield " ".join(filter(None, [f"position: board {number}:", moves, board.session.result]))


def played(dialogue: Dialogue) -> tuple[DisplayPlay, list[str]]:
    """Play a dialogue; returns its lines with the resulting outputs."""
    play = DisplayPlay(dialogue)
    return play, play.run()
