"""Adjourning a game (Laws 2009, Appendix G; 2023, Guidelines I): the envelope, the sealed move, late arrival.

The side to move announces a move privately. The announcement is sealed as the moves it can mean: normally one; several,
none or an illegal one if it was ambiguous, unreadable or illegal, which loses the game when the envelope is opened, not
before. Everything on the envelope but the move is public; its text is the context of the seal, so it cannot be changed
unnoticed.

The move itself is in the envelope's file, readable by its owner only (mode 0600), preceded by a nonce. The journal has
the seal: the SHA-256 of the envelope's text, the nonce and the move. It reveals nothing about the move, since a nonce
of 16 random bytes cannot be guessed, and proves on opening that this is the move that was sealed, in this game. Without
the file the move is lost. A nonce is used once; it is an argument, since game code draws no random numbers.
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

NONCE_BYTES = 16
MAX_BYTES = 510
"""Maximum length of the sealed text in bytes: some moves, and the words as heard."""
_OLD_KEY_BYTES, _OLD_PADDED, _OLD_TAG_BYTES = 32, 512, 32
"""Lengths in the cipher that sealed moves before version 1.0: its key is in the envelope's file, the ciphertext in the
journal."""


class SealBroken(ValueError):
    """The content does not match the seal in this context: damaged, altered, or from another game."""


def seal(text: str, nonce: bytes, context: bytes) -> tuple[str, bytes]:
    """Seal `text` (at most `MAX_BYTES` bytes in UTF-8): the seal as 64 hexadecimal digits, and the envelope's content.

    `context`: the envelope's text; opening needs the same bytes. Raises ValueError on wrong lengths.
    """
    content = nonce + text.encode()
    if len(nonce) != NONCE_BYTES:
        raise ValueError("nonce of the wrong length")
    if len(content) > NONCE_BYTES + MAX_BYTES:
        raise ValueError("text too long to seal")
    return _seal_of(content, context), content


def _seal_of(content: bytes, context: bytes) -> str:
    return hashlib.sha256(len(context).to_bytes(8, "big") + context + content).hexdigest()


def unseal(sealed: str, key: bytes, context: bytes) -> str:
    """The sealed text; `key`: the envelope's content. Raises `SealBroken` unless it matches the seal exactly."""
    if len(sealed) > 2 * hashlib.sha256().digest_size:
        return _unsealed_as_before(sealed, key, context)
    if len(key) < NONCE_BYTES or _seal_of(key, context) != sealed:
        raise SealBroken("not what was sealed")
    return key[NONCE_BYTES:].decode()


def _unsealed_as_before(sealed: str, key: bytes, context: bytes) -> str:
    """The text of an old version's envelope: `sealed` is ciphertext (SHAKE-256, HMAC-SHA-256), `key` its key."""
    try:
        raw = bytes.fromhex(sealed)
    except ValueError as error:
        raise SealBroken("not hexadecimal") from error
    if len(raw) != NONCE_BYTES + _OLD_PADDED + _OLD_TAG_BYTES or len(key) != _OLD_KEY_BYTES:
        raise SealBroken("wrong length")
    nonce, cipher, tag = raw[:NONCE_BYTES], raw[NONCE_BYTES:-_OLD_TAG_BYTES], raw[-_OLD_TAG_BYTES:]
    told = nonce + len(context).to_bytes(8, "big") + context + cipher
    if not hmac.compare_digest(tag, hmac.digest(_derived(key, b"tag"), told, "sha256")):
        raise SealBroken("wrong key or changed text")
    stream = hashlib.shake_256(_derived(key, b"stream") + nonce).digest(len(cipher))
    padded = bytes(a ^ b for a, b in zip(cipher, stream, strict=True))
    return padded[2 : 2 + int.from_bytes(padded[:2], "big")].decode()


def _derived(key: bytes, use: bytes) -> bytes:
    return hmac.digest(key, b"voicechess sealed move " + use, "sha256")


# --- The envelope and the resumption ---

EARLY_MS = 60_000
"""Milliseconds before the agreed time from which a resumption is not early. Larger: fewer are called early."""

_MAX_MOVES = 20  # sealed of the moves that an announcement can mean
_MAX_CHARACTERS = 60  # sealed of its words


@dataclass(frozen=True, slots=True)
class Envelope:
    """The public text of an envelope."""

    white: str  # names
    black: str
    fen: str  # the position before the sealed move
    chess960: bool
    white_ms: int  # time used
    black_ms: int
    sealed_by_white: bool
    move_number: int
    draw_offered: bool
    resumes: str  # agreed date and time of the resumption in ISO 8601 ("2026-11-22T18:00"); "": none agreed

    @property
    def sealer(self) -> chess.Color:
        """The side that sealed the move."""
        return self.sealed_by_white

    @property
    def board(self) -> chess.Board:
        """The position before the sealed move, with an empty move stack."""
        return chess.Board(self.fen, chess960=self.chess960)

    def context(self) -> bytes:
        """The envelope's text as bytes, which the seal covers."""
        return self.to_text().encode()

    def to_text(self) -> str:
        """All fields as one line of canonical JSON."""
        return json.dumps(asdict(self), sort_keys=True, separators=(",", ":"), ensure_ascii=True)

    @classmethod
    def from_text(cls, text: str) -> Envelope:
        """Parse the output of `to_text`. Raises `SealBroken` for anything else, byte by byte."""
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
        """The envelope's text as sentences; empty fields are left out."""
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
    """The agreed time of the resumption; None if none was agreed or `resumes` is no date and time."""
    date, _, time = resumes.partition("T")
    parts = [*date.split("-"), *time.split(":")]
    if len(parts) < 5 or not all(part.isdecimal() for part in parts[:5]):
        return None
    _, month, day, hour, minute = (int(part) for part in parts[:5])
    sensible = 1 <= month <= 12 and 1 <= day <= 31 and hour <= 23 and minute <= 59
    return Moment(month, day, hour, minute) if sensible else None


class Stage(Enum):
    """The stage of an adjournment."""

    ASKED = "asked"  # waiting for the private announcement of the side to move
    SEALED = "sealed"  # a move is sealed and may still be changed
    STOPPED = "stopped"  # the clocks are stopped: nothing can be changed


@dataclass(frozen=True, slots=True)
class Adjournment:
    """An adjournment in progress. Immutable: each action returns the next value."""

    envelope: Envelope
    stage: Stage = Stage.ASKED
    sealed: str = ""  # the seal, for the journal
    key: bytes = b""  # the envelope's content, secret

    def seal(self, moves: Sequence[chess.Move], words: str, nonce: bytes) -> Adjournment:
        """Seal an announcement: the `moves` it can mean, and its `words` as heard. Replaces a move sealed before.

        `nonce` must be new each time. Raises `Failure` once the clocks are stopped.
        """
        if self.stage is Stage.STOPPED:
            raise Failure("adjournment.error.too_late_to_change")
        heard = "".join(character for character in words if character.isprintable())[:_MAX_CHARACTERS]
        content = json.dumps({"moves": [move.uci() for move in moves[:_MAX_MOVES]], "words": heard}, ensure_ascii=False)
        return Adjournment(self.envelope, Stage.SEALED, *seal(content, nonce, self.envelope.context()))

    def stop_clocks(self) -> Adjournment:
        """Confirm the sealed move and stop the clocks. Raises `Failure` if nothing is sealed."""
        if self.stage is Stage.ASKED:
            raise Failure("adjournment.error.nothing_sealed")
        return Adjournment(self.envelope, Stage.STOPPED, self.sealed, self.key)


class Flaw(Enum):
    """Why a sealed move loses; the value is a key in [sentences.adjournment.flaw]."""

    AMBIGUOUS = "ambiguous"
    UNREADABLE = "unreadable"
    ILLEGAL = "illegal"


@dataclass(frozen=True, slots=True)
class Opened:
    """The content of an opened envelope."""

    move: chess.Move | None  # to be played; None: `flaw` ends the game with `ending`
    words: str  # as announced
    flaw: Flaw | None = None
    ending: Ending | None = None


def open_envelope(envelope: Envelope, sealed: str, key: bytes) -> Opened:
    """Open an envelope at the resumption; `key`: its content. Raises `SealBroken` if that does not match the seal.

    An ambiguous, unreadable or illegal move loses; it draws if the opponent cannot mate.
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
    """The ending when these sides (at least one) have not arrived at the resumption within the default time.

    `after_sealed` is the position after the sealed move, if the envelope has been opened: if that move ended the game
    (mate, stalemate, dead position), its ending holds (2009: G.11; 2023: I.11). Both absent: both lose.
    """
    over = finished(after_sealed) if after_sealed is not None else None
    if over is not None:
        return over
    return Ending(Way.BOTH_LATE) if len(set(absent)) > 1 else Ending(Way.LATE, not absent[0])
