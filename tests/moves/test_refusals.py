"""Every reason why a move is not legal, by its meaning; the words stand in the dialogues."""

from __future__ import annotations

from pathlib import Path
from random import Random

import chess
import pytest

from tests.drivers.dialogues import FOLDER, OUTPUTS, Dialogue, Play, read
from tests.drivers.events import some_move
from tests.moves.test_matching import POSITIONS
from voicechess.language.folders import LANGUAGES
from voicechess.language.wording import Wording
from voicechess.meaning import Castling, Reading, SpokenMove
from voicechess.messages import Listing, Piece, Square
from voicechess.moves.decisions import Refuse
from voicechess.moves.matching import decide
from voicechess.moves.refusals import untold, why_illegal


def to(square: str, **parts: object) -> SpokenMove:
    index = chess.parse_square(square)
    return SpokenMove(to_file=chess.square_file(index), to_rank=chess.square_rank(index), **parts)  # type: ignore[arg-type]


def test_only_pawns_become_something_else() -> None:
    board = chess.Board("8/k3P3/8/8/8/8/3Q4/4K3 w - - 0 1")
    assert why_illegal(board, to("d8", piece=chess.QUEEN, promotion=chess.ROOK)).key == "promotion_only_pawns"
    assert why_illegal(board, to("e8", promotion=chess.KING)).slots == {"piece": Piece(chess.KING)}
    assert why_illegal(board, to("e8", promotion=chess.PAWN)).key == "promotion_piece"


def test_blocked_names_the_nearest_piece() -> None:
    board = chess.Board("4k3/8/8/n7/8/N7/8/R3K3 w - - 0 1")
    refusal = why_illegal(board, to("a8", piece=chess.ROOK))
    assert refusal.key == "blocked"
    assert refusal.slots == {"square": Square(chess.A3), "piece": Piece(chess.KNIGHT, chess.WHITE)}


def test_the_nearest_miss_of_several_pieces_is_told() -> None:
    """One knight is pinned and could go there, the other never could: the pin is the reason."""
    board = chess.Board("4k3/8/8/8/4r3/8/4N3/N3K3 w - - 0 1")
    assert why_illegal(board, to("c3", piece=chess.KNIGHT)).key == "pinned"


@pytest.mark.parametrize(
    ("fen", "square", "kind", "obstacle"),
    [
        ("4k3/8/8/8/8/8/5PPP/RN3RK1 w - - 0 1", "h1", chess.ROOK, (chess.G1, chess.KING)),
        ("7k/8/8/3p4/1p6/8/8/B5KB w - - 0 1", "c6", chess.BISHOP, (chess.D5, chess.PAWN)),
    ],
)
def test_of_two_pieces_in_whose_way_something_stands_the_nearer_is_told_of(
    fen: str, square: str, kind: chess.PieceType, obstacle: tuple[chess.Square, chess.PieceType]
) -> None:
    board = chess.Board(fen)
    refusal = why_illegal(board, to(square, piece=kind))
    at, standing = obstacle
    assert refusal.slots["square"] == Square(at)
    assert refusal.slots["piece"] == Piece(standing, board.color_at(at))


@pytest.mark.parametrize(
    ("moves", "key"),
    [
        ("e2e4 a7a6 e4e5 d7d5 a2a3 a6a5", "en_passant_late"),  # two steps, one move too late
        ("e2e4 d7d6 e4e5 d6d5", "en_passant_one_step"),  # never possible
        ("e2e4 d7d6 e4e5 d6d5 a2a3 a7a6", "en_passant_one_step"),
    ],
)
def test_en_passant_that_never_was_possible_is_not_too_late(moves: str, key: str) -> None:
    board = chess.Board()
    for move in moves.split():
        board.push_uci(move)
    assert why_illegal(board, to("d6", from_file=4)).key == key


def test_a_check_is_met_before_anything_else() -> None:
    board = chess.Board("k3r3/8/8/8/8/8/7R/4K3 w - - 0 1")
    assert why_illegal(board, to("h3", piece=chess.ROOK)).key == "still_in_check"
    assert why_illegal(board, SpokenMove(castling=Castling.KINGSIDE)).key == "castling_rook_gone"


@pytest.mark.parametrize(
    ("fen", "side", "square"),
    [
        ("4k3/8/8/8/8/8/8/RK1Q4 w Q - 0 1", Castling.QUEENSIDE, chess.D1),
        ("4k3/8/8/8/8/8/8/5QKR w K - 0 1", Castling.KINGSIDE, chess.F1),
    ],
)
def test_what_stands_where_the_rook_would_go_is_in_the_way(fen: str, side: Castling, square: chess.Square) -> None:
    refusal = why_illegal(chess.Board(fen, chess960=True), SpokenMove(castling=side))
    assert refusal.key == "castling_between"
    assert refusal.slots == {"square": Square(square), "piece": Piece(chess.QUEEN)}


def test_a_named_piece_that_cannot_go_there_says_nothing_of_the_others() -> None:
    board = chess.Board()
    from_b1 = why_illegal(board, to("f3", piece=chess.KNIGHT, from_file=1, from_rank=0))
    assert (from_b1.key, from_b1.slots["origin"]) == ("movement_from", Square(chess.B1))
    assert why_illegal(board, to("d4", from_file=2)).slots["origin"] == Square(chess.C2)
    assert (
        why_illegal(chess.Board("4k3/8/8/8/8/2P5/2P1P3/4K3 w - - 0 1"), to("e3", from_file=2)).key
        == "movement_from_file"
    )
    assert (
        why_illegal(chess.Board("4k3/8/8/8/8/4P3/P1P5/4K3 w - - 0 1"), to("e4", from_rank=1)).key
        == "movement_from_rank"
    )
    assert why_illegal(board, to("f5", piece=chess.KNIGHT)).key == "movement"


@pytest.mark.parametrize("fen", POSITIONS.values(), ids=POSITIONS)
def test_that_no_piece_goes_there_is_said_only_where_it_is_true(fen: str) -> None:
    board, random = chess.Board(fen), Random(4)
    for _ in range(3000):
        spoken = some_move(random)
        decision = decide(board, [Reading(spoken)])
        if isinstance(decision, Refuse) and decision.refusal.key in ("movement", "movement_of_one", "no_pawn"):
            target = chess.square(spoken.to_file or 0, spoken.to_rank or 0)
            kind = spoken.piece or chess.PAWN
            assert not any(
                move.to_square == target and board.piece_type_at(move.from_square) == kind for move in board.legal_moves
            ), spoken


@pytest.mark.parametrize("fen", POSITIONS.values(), ids=POSITIONS)
def test_every_refusal_can_be_said_in_both_languages(fen: str) -> None:
    board, random = chess.Board(fen), Random(3)
    wordings = [Wording(language, strict=True) for language in LANGUAGES]
    refused = 0
    for _ in range(600):
        decision = decide(board, [Reading(some_move(random))])
        if isinstance(decision, Refuse):
            refused += 1
            assert all(wording.say(decision.refusal.phrase) for wording in wordings)
            assert not [
                slot for slot in decision.refusal.slots.values() if isinstance(slot, Listing) and not slot.items
            ]
    assert refused > 50


@pytest.mark.parametrize("fen", POSITIONS.values(), ids=POSITIONS)
def test_strict_blind_refusals_name_no_piece_and_no_square(fen: str) -> None:
    """Whoever announces illegal moves one after the other learns nothing of the position from the answers."""
    board, random = chess.Board(fen), Random(5)
    wordings = [Wording(language, strict=True) for language in LANGUAGES]
    told = set()
    for _ in range(1500):
        decision = decide(board, [Reading(some_move(random))])
        if isinstance(decision, Refuse):
            told.add(decision.refusal.key)
            plain = untold(decision.refusal)
            assert not plain.slots or plain.key == "promotion_piece", plain
            assert all(wording.say(plain.phrase) for wording in wordings)
    assert "not_possible" not in told
    assert {"movement", "empty_square", "blocked", "own_piece"} & told


OFF_TURN = {FOLDER / "refuse_off_turn.txt"}
"""Nothing about a move is refused there: it is short the first time."""


@pytest.mark.parametrize("path", sorted(set(FOLDER.glob("refuse_*.txt")) - OFF_TURN), ids=lambda path: path.stem)
def test_a_repeated_refusal_is_shorter_than_the_first(path: Path) -> None:
    """Whatever is refused in the dialogues, said once more at once; in both languages."""
    dialogue = read(path)
    inputs = [line for line in dialogue.lines if not line.startswith(OUTPUTS)]
    found = 0
    for number, line in enumerate(inputs):
        played = Play(Dialogue("", dialogue.settings, [*inputs[: number + 1], *([line] if line[:2] == "> " else [])]))
        played.run()
        told = played.said[-2:]
        keys = [one.key.removeprefix("refuse.") for one in told if one.key.startswith("refuse.")]
        if line[:2] != "> " or len(keys) < 2 or keys[0] in ("piece_again", "again", "not_your_turn"):
            continue
        for wording in (Wording("de"), Wording("en")):
            first, again = map(wording.say, told)
            assert len(again) < len(first), (first, again)
        found += 1
    assert found
