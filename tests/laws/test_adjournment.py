"""Adjournment: the envelope, its seal, changing, opening, coming late."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voicechess.laws.adjournment import (
    MAX_BYTES,
    Adjournment,
    Envelope,
    Flaw,
    SealBroken,
    Stage,
    missed,
    open_envelope,
    seal,
    unseal,
)
from voicechess.laws.results import Ending, Way
from voicechess.messages import Duration, Failure, Phrase, Side

W, B = chess.WHITE, chess.BLACK
NONCE = bytes(range(16))
ENVELOPE = Envelope("Änne", "Bella", chess.STARTING_FEN, False, 3_600_000, 3_000_000, True, 1, True, "2026-11-22T18:00")
E4, D4 = chess.Move.from_uci("e2e4"), chess.Move.from_uci("d2d4")
E5 = chess.Move.from_uci("e2e5")


def sealed(*moves: chess.Move, envelope: Envelope = ENVELOPE) -> tuple[str, bytes]:
    act = Adjournment(envelope).seal(moves, "eva vier", NONCE).stop_clocks()
    return act.sealed, act.key


def test_the_move_comes_out_as_it_went_in() -> None:
    opened = open_envelope(ENVELOPE, *sealed(E4))
    assert (opened.move, opened.words, opened.ending) == (E4, "eva vier", None)


def test_the_sealed_text_tells_nothing() -> None:
    texts = [sealed(E4)[0], sealed(D4)[0], sealed()[0], sealed(E4, D4)[0]]
    assert {len(text) for text in texts} == {64}
    assert len(set(texts)) == len(texts)
    other = Adjournment(ENVELOPE).seal([E4], "eva vier", bytes(16)).sealed
    assert other != texts[0], "another nonce: the same move cannot be found by trying"


def test_an_envelope_of_an_old_version_still_opens() -> None:
    """Sealed by a cipher, whose key stood in the envelope's file, with the nonce and the words of these tests."""
    old = (Path(__file__).parent / "sealed_before.txt").read_text(encoding="ascii").strip()
    opened = open_envelope(ENVELOPE, old, bytes(range(32)))
    assert (opened.move, opened.words) == (E4, "eva vier")
    for broken, key in ((old[:-2], bytes(range(32))), (old, bytes(32)), ("1" + old[1:], bytes(range(32)))):
        with pytest.raises(SealBroken):
            open_envelope(ENVELOPE, broken, key)


def test_it_can_be_changed_until_the_clocks_stop() -> None:
    first = Adjournment(ENVELOPE).seal([E4], "", NONCE)
    second = first.seal([D4], "", bytes(16))
    stopped = second.stop_clocks()
    assert open_envelope(ENVELOPE, stopped.sealed, stopped.key).move == D4
    assert stopped.stage is Stage.STOPPED
    with pytest.raises(Failure) as refusal:
        stopped.seal([E4], "", NONCE)
    assert refusal.value.key == "adjournment.error.too_late_to_change"
    with pytest.raises(Failure):
        Adjournment(ENVELOPE).stop_clocks()


@pytest.mark.parametrize(("moves", "flaw"), [((E4, D4), Flaw.AMBIGUOUS), ((), Flaw.UNREADABLE), ((E5,), Flaw.ILLEGAL)])
def test_a_flawed_sealed_move_loses(moves: tuple[chess.Move, ...], flaw: Flaw) -> None:
    opened = open_envelope(ENVELOPE, *sealed(*moves))
    assert (opened.move, opened.flaw, opened.ending) == (None, flaw, Ending(Way.SEALED_MOVE, B))


def test_unless_the_opponent_cannot_mate() -> None:
    bare = replace(ENVELOPE, fen="4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
    opened = open_envelope(bare, *sealed(E5, envelope=bare))
    assert opened.ending == Ending(Way.SEALED_NO_MATE)


def test_nothing_else_opens_it() -> None:
    text, key = sealed(E4)
    flipped = format(int(text[40], 16) ^ 1, "x")
    for envelope, broken, opens in (
        (ENVELOPE, text, bytes(32)),
        (ENVELOPE, text, key.replace(b"e2e4", b"d2d4")),
        (ENVELOPE, text, b""),
        (replace(ENVELOPE, white_ms=0), text, key),
        (replace(ENVELOPE, resumes=""), text, key),
        (ENVELOPE, text[:40] + flipped + text[41:], key),
        (ENVELOPE, text[:-2], key),
        (ENVELOPE, "nonsense", key),
        (ENVELOPE, "ä" * 64, key),
        (ENVELOPE, "", key),
    ):
        with pytest.raises(SealBroken):
            open_envelope(envelope, broken, opens)


def test_the_text_that_a_seal_is_bound_to_stays_the_same() -> None:
    """Otherwise a later version could not open what this one has sealed."""
    assert ENVELOPE.to_text() == (
        '{"black":"Bella","black_ms":3000000,"chess960":false,"draw_offered":true,'
        '"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"'
        ',"move_number":1,"resumes":"2026-11-22T18:00","sealed_by_white":true,"white":"\\u00c4nne","white_ms":3600000}'
    )


def test_the_envelope_as_text() -> None:
    assert Envelope.from_text(ENVELOPE.to_text()) == ENVELOPE
    text = ENVELOPE.to_text()
    for broken in (
        "",
        "{}",
        "[]",
        "null",
        text + " ",
        text.replace("true", '"yes"', 1),
        text.replace(" w KQkq", " b KQkq"),
        "[" * 5_000,
    ):
        with pytest.raises(SealBroken):
            Envelope.from_text(broken)


def test_the_envelope_in_words_has_everything_but_the_move() -> None:
    sealed, used, *_ = ENVELOPE.words()
    assert sealed.slots == {"side": Side(W), "move": 1}
    white = used.slots["white"]
    assert isinstance(white, Phrase) and white.slots["time"] == Duration(3_600_000)


@settings(max_examples=30)
@given(st.text(max_size=120), st.binary(max_size=40))
def test_any_text_is_sealed_and_unsealed(text: str, context: bytes) -> None:
    assert unseal(*seal(text, NONCE, context), context) == text


@settings(max_examples=30)
@given(st.text(max_size=300))
def test_any_words_fit_in(words: str) -> None:
    moves = [chess.Move.from_uci("a7a8q")] * 30
    act = Adjournment(ENVELOPE).seal(moves, words, NONCE)
    assert open_envelope(ENVELOPE, act.sealed, act.key).flaw is Flaw.AMBIGUOUS


def test_wrong_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="wrong length"):
        seal("x", NONCE[:15], b"")
    with pytest.raises(ValueError, match="too long"):
        seal("x" * (MAX_BYTES + 1), NONCE, b"")


def test_coming_late() -> None:
    assert missed([W], None) == Ending(Way.LATE, B)
    assert missed([W, B], None) == Ending(Way.BOTH_LATE)
    mated = chess.Board("R6k/8/6K1/8/8/8/8/8 b - - 0 1")
    assert missed([W], mated) == Ending(Way.CHECKMATE, W)
    assert missed([B], chess.Board()) == Ending(Way.LATE, W)
