"""Random events for a game: legal and illegal moves, words with and without a meaning, failures, time."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import chess

from voicechess.game import events as ev
from voicechess.game.commands import COMMANDS
from voicechess.game.phases import Phase
from voicechess.game.session import Session
from voicechess.meaning import (
    Answer,
    AnswerKind,
    Castling,
    CheckWord,
    Command,
    Meaning,
    Reading,
    SpokenMove,
    Unclear,
    UnclearReason,
)

NAMES = sorted({*COMMANDS, "hint"} - {"moment"})  # after which nothing else would happen
REASONS = ("silent", "gone", "illegal", "start")


def spoken(board: chess.Board, move: chess.Move) -> SpokenMove:
    """The full announcement of `move`."""
    if board.is_castling(move):
        return SpokenMove(castling=Castling.KINGSIDE if board.is_kingside_castling(move) else Castling.QUEENSIDE)
    return SpokenMove(
        piece=board.piece_type_at(move.from_square),
        from_file=chess.square_file(move.from_square),
        from_rank=chess.square_rank(move.from_square),
        to_file=chess.square_file(move.to_square),
        to_rank=chess.square_rank(move.to_square),
        promotion=move.promotion,
    )


def ending_fits(session: Session) -> bool:
    """Whether ending and phase are consistent: a game is over, or the arbiter's change of its result is being confirmed
    (8.7)."""
    if session.ending is None:
        return session.phase is not Phase.OVER
    return session.phase in (Phase.OVER, Phase.CONFIRMING)


def some_move(random: Random) -> SpokenMove:
    """A random partial or whole announcement, sensible or not."""

    def maybe(count: int) -> int | None:
        return random.choice([None, random.randrange(count)])

    return SpokenMove(
        piece=random.choice([None, *chess.PIECE_TYPES]),
        from_file=maybe(8) if random.random() < 0.3 else None,
        from_rank=maybe(8) if random.random() < 0.3 else None,
        to_file=maybe(8),
        to_rank=maybe(8),
        captures=random.random() < 0.1,
        en_passant=random.random() < 0.05,
        promotion=random.choice([None] * 8 + list(chess.PIECE_TYPES)),
        castling=random.choice([None] * 8 + list(Castling)),
        check=random.choice([None] * 8 + list(CheckWord)),
        captured=random.choice([None] * 12 + list(chess.PIECE_TYPES)),
    )


def _meaning(session: Session, random: Random) -> Meaning:
    board = session.board
    legal = list(board.legal_moves)
    kind = random.random()
    if kind < 0.4 and legal:
        whole = spoken(board, random.choice(legal))
        parts = [
            whole,
            replace(whole, promotion=None),
            replace(whole, from_file=None),
            replace(whole, from_rank=None),
            replace(whole, from_file=None, from_rank=None),
            replace(whole, piece=None),
            replace(whole, to_rank=None),
        ]
        return random.choice([whole, random.choice(parts)])
    if kind < 0.55:
        return some_move(random)
    if kind < 0.7:
        choice = random.choice(list(AnswerKind))
        return Answer(choice, random.randint(1, 4) if choice is AnswerKind.CHOICE else None)
    if kind < 0.93:
        slots = (
            *(("file", random.randrange(8)), ("rank", random.randrange(8)), ("square", random.randrange(64))),
            *(("piece", random.randint(1, 6)), ("colour", random.random() < 0.5), ("number", random.randrange(90))),
        )
        return Command(random.choice(NAMES), tuple(slot for slot in slots if random.random() < 0.7))
    return Unclear(random.choice(list(UnclearReason)), random.choice(("", "C", "§")))


def heard(session: Session, random: Random, at_ms: int) -> ev.Heard:
    """A random utterance with one to three readings."""
    readings = tuple(
        Reading(_meaning(session, random), random.choice([0.0, 0.3, 1.0, 2.0]))
        for _ in range(random.choice([1, 1, 2, 3]))
    )
    ended_ms = at_ms - random.randrange(800)
    return ev.Heard(
        at_ms=at_ms,
        readings=tuple(sorted(readings, key=lambda reading: reading.cost)),
        words="",
        began_ms=ended_ms - random.randrange(4_000),
        ended_ms=ended_ms,
        source=random.choice(list(ev.Source)),
    )


def random_event(session: Session, random: Random, at_ms: int, unsaid: list[int]) -> ev.Event:
    """A random event, most probably one that advances the game."""
    kind = random.random()
    if unsaid and kind < 0.35:
        completed, listening = random.random() < 0.9, random.random() < 0.5
        return ev.Spoken(at_ms=at_ms, number=unsaid.pop(0), completed=completed, listening=listening)
    if kind < 0.7:
        return heard(session, random, at_ms)
    if kind < 0.8 or (session.phase is Phase.THINKING and kind < 0.86):
        legal = [move.uci() for move in session.board.legal_moves]
        uci = random.choice([*legal, *legal[:1] * 20, "0000", "e9e9", None]) if legal else None
        return ev.OpponentMoved(
            at_ms=at_ms,
            uci=uci,
            offers_draw=random.random() < 0.2,
            claims_draw=random.random() < 0.1,
            ended_ms=random.choice([None, at_ms - 5]),
        )
    if kind < 0.9:
        return ev.Tick(at_ms=at_ms, speaking=random.random() < 0.2)
    return random.choice(
        [
            ev.ClaimJudged(at_ms=at_ms, scores=random.choice([None, (0, 10), (0, None)])),
            ev.HintFound(at_ms=at_ms, uci=random.choice([None, "0000", "e9e9", "e2e4", "g8f6"])),
            ev.Sealed(at_ms=at_ms, sealed="00", ended_ms=at_ms - 5, clear=random.random() < 0.5),
            ev.EnvelopeOpened(at_ms=at_ms, key="00", late_ms=random.choice([0, 10_000_000])),
            ev.OpponentAnswered(at_ms=at_ms, accepts=random.random() < 0.2),
            ev.OpponentFailed(at_ms=at_ms, reason=random.choice(REASONS), final=random.random() < 0.3),
            ev.Suspended(at_ms=at_ms, gap_ms=random.randrange(10_000)),
            ev.Resumed(at_ms=at_ms),
            ev.DeviceLost(at_ms=at_ms, device="microphone", was_there=random.random() < 0.5),
            ev.DeviceFound(at_ms=at_ms, device="loudspeaker"),
            ev.Trouble(at_ms=at_ms, key="saved"),
            ev.Spoken(at_ms=at_ms, number=random.randrange(2_000)),
            ev.Started(at_ms=at_ms),
        ]
    )


def may_be_silent(session: Session) -> bool:
    """Whether an utterance may remain unanswered, as talk after its two tones."""
    table = session._table
    return table.company.silent(table.now_ms)
