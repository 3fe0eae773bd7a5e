"""One utterance taken by itself: what was heard on a position and what the game would do about it.

The same recogniser, phrases, understanding and session as in a game; for `voicechess hear` and measurements.
"""

from __future__ import annotations

from dataclasses import dataclass

import chess

from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings, Player
from voicechess.game.effects import Say
from voicechess.game.session import Session
from voicechess.language.lexicon import Lexicon
from voicechess.language.readings import interpret
from voicechess.language.wording import Wording
from voicechess.meaning import Expectation
from voicechess.moves.matching import (
    Act,
    Ask,
    AskPromotion,
    Complete,
    Decision,
    NotUnderstood,
    Play,
    Refuse,
    Reply,
    candidates,
    decide,
)
from voicechess.sound.recogniser import RecognisedUtterance

DECISIONS = {
    Play: "play",
    Ask: "ask",
    Complete: "ask",
    AskPromotion: "ask",
    Refuse: "refuse",
    Act: "command",
    Reply: "command",
    NotUnderstood: "unclear",
}

WAITED_MS = 60_000
"""The game has been listening for so long when a recording begins: nothing in it was said too early."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of an utterance. `decision`: play, ask, refuse, command or unclear; `move` only when played.

    `candidates`: legal moves with their costs, cheapest first; `say`: what the game answers.
    """

    heard: str
    decision: str
    move: chess.Move | None
    candidates: tuple[tuple[chess.Move, float], ...]
    say: str


def session_at(board: chess.Board) -> Session:
    """A game in this position, both sides at the microphone, its first announcements over."""
    session = Session(GameSettings(white=Player.VOICE, black=Player.VOICE, fen=board.fen()))
    for effect in session.handle(ev.Started(at_ms=0)):
        if isinstance(effect, Say):
            session.handle(ev.Spoken(at_ms=0, number=effect.utterance.number))
    return session


def outcome(utterance: RecognisedUtterance, board: chess.Board, lexicon: Lexicon, wording: Wording) -> Outcome:
    """What a game in this position does about the utterance."""
    session = session_at(board)
    readings = interpret(utterance.hypotheses, session.expectation, lexicon)
    decision: Decision = decide(board, readings)
    words = utterance.hypotheses[0].text if utterance.hypotheses else ""
    heard = ev.Heard(
        at_ms=WAITED_MS + utterance.ended_ms,
        readings=readings,
        words=words,
        began_ms=WAITED_MS + utterance.began_ms,
        ended_ms=WAITED_MS + utterance.ended_ms,
        above_room_db=utterance.level.above_db,
    )
    said = [wording.say(effect.utterance) for effect in session.handle(heard) if isinstance(effect, Say)]
    return Outcome(
        heard=heard.words,
        decision=DECISIONS[type(decision)],
        move=decision.move if isinstance(decision, Play) else None,
        candidates=tuple(candidates(board, readings)),
        say=" ".join(said),
    )


def expectation_at(board: chess.Board) -> Expectation:
    """What can be said by the player to move in this position."""
    return session_at(board).expectation
