"""Keeping a sealed move secret: encrypted and authenticated with a key that only the envelope's file holds.

The standard library has no cipher, so this is one in the textbook form "encrypt, then authenticate": the keystream is
SHAKE-256 of a derived key and a nonce, XORed onto the padded text; HMAC-SHA-256 over nonce, context and ciphertext.
Each is used as it is meant to be (SHAKE as an extendable output, HMAC as a MAC), with separate derived keys.

What it protects: whoever sees the journal, the log, the screen or the sealed text without the key learns nothing of
the move, not even its length, and cannot change it or move it to another game unseen. What it does not: whoever can
read the key (the file of the envelope) can read the move; whoever deletes it destroys the move; a key must not be used
twice with one nonce. Key and nonce are handed in, for game code draws no random numbers: 32 and 16 fresh random bytes
for each seal.
"""

from __future__ import annotations

import hashlib
import hmac

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
