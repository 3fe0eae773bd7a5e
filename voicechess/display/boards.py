"""The boards of a simultaneous display: their terms, their state, and the overall standing."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

import chess

from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings, Player
from voicechess.game.phases import QUESTIONS, Phase
from voicechess.game.session import Session
from voicechess.messages import Listing, Phrase, Slot, Utterance

FEWEST_BOARDS, MOST_BOARDS = 2, 48
"""Number of boards; the maximum is the record of blindfold simultaneous play (T. Gareyev, Las Vegas 2016)."""


_ASKS = frozenset({"draw.offered", "draw.offered_by", "server.takeback_proposed", "server.may_claim"})
"""Announcements of a game at a server that the giver may answer while the opponent is to move."""


def agreed(
    terms: GameSettings,
    key: str,
    levels: Sequence[int],
    *,
    giver: chess.Color = chess.WHITE,
    alternating: bool = False,
    people: Collection[int] = (),
) -> tuple[GameSettings, ...]:
    """The terms of every board of the display `key`, one board per level; otherwise as in `terms`.

    `giver`: the giver's colour at board 1; `alternating`: the other one at every second board. `people`: numbers of the
    boards played by a person here.
    """
    found = []
    for number, level in enumerate(levels, 1):
        colour = giver if number % 2 or not alternating else not giver
        opponent = Player.VOICE if number in people else Player.ENGINE
        players, names = (Player.VOICE, opponent), (terms.white_name, terms.black_name)
        white, black = players if colour else players[::-1]
        at_board = replace(terms, white=white, black=black, level=level, display=key, board=number, giver=colour)
        if colour != giver:
            at_board = replace(at_board, white_name=names[1], black_name=names[0])
        found.append(at_board)
    return tuple(found)


@dataclass
class Board:
    """One board."""

    session: Session
    number: int  # from 1
    held: deque[ev.Event] = field(default_factory=deque)  # the opponent's moves, waiting for the giver
    untold: list[Utterance] = field(default_factory=list)  # utterances waiting for the giver
    due: type[ev.Started | ev.Resumed] | None = None  # event that starts or resumes the game when the giver arrives
    looked_ms: int = 0  # when its clock was last checked
    seen: bool = False

    @property
    def served(self) -> bool:
        """Whether it is a game at a server."""
        return not self.session.decided_here

    @property
    def giver(self) -> chess.Color:
        """The giver's colour here."""
        settings = self.session.settings
        return settings.white is Player.VOICE if self.served else settings.giver

    @property
    def moves(self) -> int:
        """Number of plies made."""
        return len(self.session.plies)

    @property
    def timed(self) -> bool:
        """Whether there is a time limit."""
        return bool(self.session.settings.time)

    @property
    def givers_move(self) -> bool:
        """Whether the giver is to move."""
        return not self.session.over and self.session.board.turn == self.giver

    @property
    def ready(self) -> bool:
        """Whether the giver has something to do here: a move has arrived, or somebody is to speak or was asked."""
        thinking = self.session.phase in (Phase.THINKING, Phase.JUDGING) and self.due is None
        asked = any(utterance.key in _ASKS for utterance in self.untold)
        return not self.session.over and (bool(self.held) or not thinking or asked)

    @property
    def asking(self) -> bool:
        """Whether a question is open or a move is being repeated, so that leaving has to be announced."""
        return self.session.phase in (*QUESTIONS, Phase.CONFIRMING, Phase.REPEATING)

    @property
    def result(self) -> str:
        """ "won", "drawn", "lost" for the giver, "none"; "" while it is played."""
        if not self.session.over:
            return ""
        points = self.session.result.split("-")
        return {"1": "won", "1/2": "drawn", "0": "lost"}.get(points[0 if self.giver else -1], "none")


def standings(boards: Sequence[Board]) -> tuple[str, dict[str, Slot]]:
    """The sentence with the results and the remaining boards."""
    left = Listing(tuple(board.number for board in boards if not board.session.over))
    if not left.items:
        return "simul.results", {"results": results(boards)}
    if len(left.items) == len(boards):
        return "simul.nothing_yet", {"count": len(boards)}
    return "simul.standings", {"results": results(boards), "boards": left}


def results(boards: Sequence[Board]) -> Listing:
    """ "Sieben Siege, zwei Remis und eine Niederlage"."""
    found = [board.result for board in boards]
    counted = [(kind, found.count(kind)) for kind in ("won", "drawn", "lost", "none")]
    return Listing(tuple(_counted(kind, count) for kind, count in counted if count))


def waiting(boards: Sequence[Board]) -> Phrase:
    """Number of boards at which opponents wait for the giver."""
    count = sum(board.ready for board in boards)
    if count > 1:
        return Phrase("simul.wait", {"count": count})
    return Phrase("simul.wait_one" if count else "simul.wait_none")


def _counted(kind: str, count: int) -> Phrase:
    return Phrase(f"simul.{kind}_one") if count == 1 else Phrase(f"simul.{kind}", {"count": count})
