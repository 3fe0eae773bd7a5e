"""Adjourning a game (Laws 2009, Appendix G; 2023, Guidelines I): the envelope, its sealed move, and coming late.

The side to move announces a move privately. What was announced is sealed as the moves it can mean: one move when all is
well; several, none or an illegal one when the announcement was ambiguous, unreadable or illegal, which loses at the
opening, not before. The envelope says everything but the move and may lie open; its text is the context of the seal, so
nothing in it can be changed unseen.

The seal is encrypted and authenticated with a key that only the envelope's file holds. The standard library has no
cipher, so this is one in the textbook form "encrypt, then authenticate": the keystream is SHAKE-256 of a derived key
and a nonce, XORed onto the padded text; HMAC-SHA-256 over nonce, context and ciphertext. Each is used as it is meant to
be (SHAKE as an extendable output, HMAC as a MAC), with separate derived keys.

It protects the move from readers of the journal, the log, the screen or the sealed text who lack the key: they learn
nothing of it, not even its length, and cannot change it or move it to another game unseen. It does not protect it from
a reader of the key (the envelope's file), and without the key the move is lost. A key must not be used twice with one
nonce; both are handed in, since game code draws no random numbers: 32 and 16 fresh random bytes for each seal.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from dataclasses import fields as _fields
from enum import Enum

import chess

from voicechess.laws.editions import finished
from voicechess.laws.mating import can_mate
from voicechess.laws.results import Ending, Way, lost
from voicechess.messages import Duration, Failure, Moment, Phrase, Side, Slot, Text

# --- The seal ---

KEY_BYTES = 32
NONCE_BYTES = 16
_TAG_BYTES = 32
_PADDED = 512
LONGEST = _PADDED - 2


class SealBroken(ValueError):
    """The sealed text is not what was sealed with this key and context: damaged, changed, or another game's."""


def seal(text: str, key: bytes, nonce: bytes, context: bytes) -> str:
    """`text` (at most `LONGEST` bytes in UTF-8) sealed, as hexadecimal digits of constant length.

    `context` is not secret, but opening needs the same bytes. Raises ValueError on wrong lengths.
    """
    _check(key, nonce)
    plain = text.encode()
    if len(plain) > LONGEST:
        raise ValueError("text too long to seal")
    padded = len(plain).to_bytes(2, "big") + plain.ljust(LONGEST, b"\0")
    cipher = _masked(padded, key, nonce)
    return (nonce + cipher + _tag(key, nonce, cipher, context)).hex()


def unseal(sealed: str, key: bytes, context: bytes) -> str:
    """The sealed text. Raises `SealBroken` unless key, context and every bit are right."""
    try:
        raw = bytes.fromhex(sealed)
    except ValueError as error:
        raise SealBroken("not hexadecimal") from error
    if len(raw) != NONCE_BYTES + _PADDED + _TAG_BYTES or len(key) != KEY_BYTES:
        raise SealBroken("wrong length")
    nonce, cipher, tag = raw[:NONCE_BYTES], raw[NONCE_BYTES:-_TAG_BYTES], raw[-_TAG_BYTES:]
    if not hmac.compare_digest(tag, _tag(key, nonce, cipher, context)):
        raise SealBroken("wrong key or changed text")
    padded = _masked(cipher, key, nonce)
    return padded[2 : 2 + int.from_bytes(padded[:2], "big")].decode()


def _check(key: bytes, nonce: bytes) -> None:
    if len(key) != KEY_BYTES or len(nonce) != NONCE_BYTES:
        raise ValueError("key or nonce of the wrong length")


def _derived(key: bytes, use: bytes) -> bytes:
    return hmac.digest(key, b"voicechess sealed move " + use, "sha256")


def _masked(text: bytes, key: bytes, nonce: bytes) -> bytes:
    stream = hashlib.shake_256(_derived(key, b"stream") + nonce).digest(len(text))
    return bytes(a ^ b for a, b in zip(text, stream, strict=True))


def _tag(key: bytes, nonce: bytes, cipher: bytes, context: bytes) -> bytes:
    return hmac.digest(_derived(key, b"tag"), nonce + len(context).to_bytes(8, "big") + context + cipher, "sha256")


# --- The envelope and the resumption ---

EARLY_MS = 60_000
"""Less than that before the agreed time is no earlier."""

_MOST_MOVES = 20
_LONGEST_WORDS = 60


@dataclass(frozen=True, slots=True)
class Envelope:
    """What stands on the envelope. `fen` is the position before the sealed move, `sealed_by_white` who sealed it.

    `white_ms`, `black_ms`: time used. `resumes` is date and time of the resumption as the players agreed on it, in
    ISO 8601 ("2026-11-22T18:00"), "" when nothing was agreed.
    """

    white: str
    black: str
    fen: str
    chess960: bool
    white_ms: int
    black_ms: int
    sealed_by_white: bool
    move_number: int
    draw_offered: bool
    resumes: str

    @property
    def sealer(self) -> chess.Color:
        """Who sealed the move."""
        return self.sealed_by_white

    @property
    def board(self) -> chess.Board:
        """The position before the sealed move, without the moves that led to it."""
        return chess.Board(self.fen, chess960=self.chess960)

    def context(self) -> bytes:
        """The envelope's text, to which the seal is bound."""
        return self.to_text().encode()

    def to_text(self) -> str:
        """One line of JSON with all fields, always the same for the same envelope."""
        return json.dumps(asdict(self), sort_keys=True, separators=(",", ":"), ensure_ascii=True)

    @classmethod
    def from_text(cls, text: str) -> Envelope:
        """The envelope that `to_text` wrote. Raises `SealBroken` for anything else."""
        try:
            fields = json.loads(text)
            envelope = cls(**fields)
            typed = all(type(fields[field.name]).__name__ == field.type for field in _fields(cls))
            genuine = typed and envelope.to_text() == text and envelope.board.is_valid()
        except (ValueError, TypeError, AttributeError, RecursionError) as error:
            raise SealBroken("no envelope") from error
        if not genuine or envelope.board.turn != envelope.sealer:
            raise SealBroken("no envelope")
        return envelope

    def words(self) -> tuple[Phrase, ...]:
        """What stands on the envelope, to be said; nothing is said of a field that is empty."""
        used: dict[str, Slot] = {
            "white": _used(chess.WHITE, self.white, self.white_ms),
            "black": _used(chess.BLACK, self.black, self.black_ms),
        }
        sealed: dict[str, Slot] = {"side": Side(self.sealer), "move": self.move_number}
        told = [Phrase("adjournment.envelope", sealed), Phrase("adjournment.used", used)]
        if self.draw_offered:
            told.append(Phrase("adjournment.offer_open"))
        moment = resumption(self.resumes)
        if moment is not None:
            told.append(Phrase("adjournment.resumes", {"moment": moment}))
        return tuple(told)


def _used(colour: chess.Color, name: str, spent_ms: int) -> Phrase:
    slots: dict[str, Slot] = {"side": Side(colour), "time": Duration(spent_ms)}
    if name in ("", "?"):
        return Phrase("adjournment.side", slots)
    return Phrase("adjournment.named", {**slots, "name": Text(name)})


def resumption(resumes: str) -> Moment | None:
    """When play is to go on, None where that was not agreed or is no date and time."""
    date, _, time = resumes.partition("T")
    parts = [*date.split("-"), *time.split(":")]
    if len(parts) < 5 or not all(part.isdecimal() for part in parts[:5]):
        return None
    _, month, day, hour, minute = (int(part) for part in parts[:5])
    sensible = 1 <= month <= 12 and 1 <= day <= 31 and hour <= 23 and minute <= 59
    return Moment(month, day, hour, minute) if sensible else None


class Stage(Enum):
    """Where an adjournment stands."""

    ASKED = "asked"  # the side to move is to announce its move privately
    SEALED = "sealed"  # it has; the move may still be changed
    STOPPED = "stopped"  # the clocks are stopped: nothing can be changed


@dataclass(frozen=True, slots=True)
class Adjournment:
    """An adjournment on its way; each act gives the next value. `sealed` is the sealed text, fit for the journal."""

    envelope: Envelope
    stage: Stage = Stage.ASKED
    sealed: str = ""

    def seal(self, moves: Sequence[chess.Move], words: str, key: bytes, nonce: bytes) -> Adjournment:
        """Seal what was announced: `moves` it can mean, `words` as heard. Again: the earlier move is replaced.

        Raises `Failure` when the clocks are stopped. A new nonce each time.
        """
        if self.stage is Stage.STOPPED:
            raise Failure("adjournment.error.too_late_to_change")
        heard = "".join(character for character in words if character.isprintable())[:_LONGEST_WORDS]
        content = json.dumps(
            {"moves": [move.uci() for move in moves[:_MOST_MOVES]], "words": heard}, ensure_ascii=False
        )
        return Adjournment(self.envelope, Stage.SEALED, seal(content, key, nonce, self.envelope.context()))

    def stop_clocks(self) -> Adjournment:
        """Confirm: the clocks stop, the move stands. Raises `Failure` while nothing is sealed."""
        if self.stage is Stage.ASKED:
            raise Failure("adjournment.error.nothing_sealed")
        return Adjournment(self.envelope, Stage.STOPPED, self.sealed)


class Flaw(Enum):
    """Why a sealed move loses; the value is a key below [sentences.adjournment.flaw]."""

    AMBIGUOUS = "ambiguous"
    UNREADABLE = "unreadable"
    ILLEGAL = "illegal"


@dataclass(frozen=True, slots=True)
class Opened:
    """The envelope opened: `move` is to be made, or `flaw` ends the game with `ending`. `words`: as announced."""

    move: chess.Move | None
    words: str
    flaw: Flaw | None = None
    ending: Ending | None = None


def open_envelope(envelope: Envelope, sealed: str, key: bytes) -> Opened:
    """Open the seal at the resumption. Raises `SealBroken` when it is not this envelope's, or the key is not.

    An ambiguous, unreadable or illegal move loses, unless the opponent cannot mate.
    """
    content = unseal(sealed, key, envelope.context())
    try:
        fields: Mapping[str, object] = json.loads(content)
        written, words = fields["moves"], str(fields["words"])
        moves = [chess.Move.from_uci(str(uci)) for uci in written] if isinstance(written, list) else []
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise SealBroken("no sealed move") from error
    board = envelope.board
    legal = [move for move in moves if board.is_legal(move)]
    if len(legal) == 1 and len(moves) == 1:
        return Opened(legal[0], words)
    flaw = Flaw.UNREADABLE if not moves else Flaw.AMBIGUOUS if len(moves) > 1 else Flaw.ILLEGAL
    ending = lost(Way.SEALED_MOVE, envelope.sealer, can_mate(board, not envelope.sealer))
    return Opened(None, words, flaw, ending)


def missed(absent: Sequence[chess.Color], after_sealed: chess.Board | None) -> Ending:
    """What it costs these sides (at least one) not to have come to the resumption within the default time.

    `after_sealed` is the position with the sealed move made, if the envelope has been opened: a game that this move
    has ended (mate, stalemate, dead position) stays as it ended (2009: G.11; 2023: I.11). Both absent: both lose.
    """
    over = finished(after_sealed) if after_sealed is not None else None
    if over is not None:
        return over
    return Ending(Way.BOTH_LATE) if len(set(absent)) > 1 else Ending(Way.LATE, not absent[0])
