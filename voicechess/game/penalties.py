"""Touch-move and penalties, in games that have them; and only for what was read back and confirmed.

After an announcement that was refused or corrected, its words are read back and the player is asked whether they said
them. Silence and anything but "ja" count as a misrecognition, which costs nobody anything. The consequences of a yes
are in `touch` (Laws, Art. 4) and `laws` (Art. 7).
"""

from __future__ import annotations

from dataclasses import replace

import chess

from voicechess.game import questions, stopping
from voicechess.game.phases import Phase
from voicechess.game.situation import Announced, Bound
from voicechess.game.state import Table
from voicechess.laws import touch
from voicechess.laws.editions import Penalty, category, illegal_move
from voicechess.meaning import Castling, Command, SpokenMove
from voicechess.messages import Duration, Piece, Side, Slot, Square, Text
from voicechess.moves.decisions import AskPromotion
from voicechess.moves.saying import said_move
from voicechess.score.score import Note, NoteKind

SAID = Command("announced")
UNNAMED = Command("ready")
PRESSED = Command("pressed")
CLAIM = Command("claim_illegal")


# --- what an announcement names ----------------------------------------------------------------------------------


def pieces_named(board: chess.Board, spoken: SpokenMove) -> tuple[chess.Square, ...]:
    """The pieces that an announcement names unambiguously, own piece first; none if several could be meant."""
    if spoken.castling is not None:
        king = board.king(board.turn)
        return () if king is None else (king,)
    if spoken.piece is None and spoken.from_file is None:
        return ()
    target = spoken.target
    own = _fitting_pieces(board, spoken)
    if target in own:
        return (target,)
    if len(own) != 1:
        return ()
    return (own[0], target) if target is not None and board.color_at(target) == (not board.turn) else (own[0],)


def _fitting_pieces(board: chess.Board, spoken: SpokenMove) -> list[chess.Square]:
    return [
        square
        for square in chess.scan_forward(board.occupied_co[board.turn])
        if spoken.piece in (None, board.piece_type_at(square))
        and spoken.from_file in (None, chess.square_file(square))
        and spoken.from_rank in (None, chess.square_rank(square))
    ]


def move_named(board: chess.Board, spoken: SpokenMove) -> chess.Move | None:
    """The move that an announcement names, legal or not, by the first matching piece; None if it names none."""
    pieces = pieces_named(board, spoken) or tuple(_fitting_pieces(board, spoken))
    if not pieces:
        return None
    if spoken.castling is not None:
        file = 2 if spoken.castling is Castling.QUEENSIDE else 6
        return chess.Move(pieces[0], chess.square(file, chess.square_rank(pieces[0])))
    if spoken.target is None or spoken.target == pieces[0]:
        return None
    return chess.Move(pieces[0], spoken.target, spoken.promotion)


# --- reading back ------------------------------------------------------------------------------------------------


def refused(table: Table, spoken: SpokenMove, words: str) -> None:
    """An illegal move was announced and refused: with touch-move or penalties, read it back."""
    settings = table.settings
    if not (settings.touch_move or settings.penalties) or not (spoken.complete and words):
        return
    castling = spoken.castling if spoken.castling in (Castling.KINGSIDE, Castling.QUEENSIDE) else None
    announced = Announced(words, pieces_named(table.board, spoken), castling)
    if settings.penalties or ((announced.pieces or castling) and not table.bound.adjusts):
        _read_back(table, announced)


def corrected(table: Table, move: chess.Move) -> None:
    """A legal move was announced and corrected. No offence (Appendix D); but with touch-move its pieces were touched:
    for castling the king and then the rook, so that it must be played (4.4.1; 2009 4.4 a)."""
    if not table.settings.touch_move or table.bound.adjusts:
        return
    board = table.board
    origin = move.from_square
    if origin in table.bound.touched:
        return  # it must move already
    if board.is_castling(move):
        named = Announced("", (origin, _castling_rook(board, move)), illegal=False)
        table.bound = replace(table.bound, announced=named)
        questions.confirm(table, SAID, {"move": said_move(board, move)}, "confirm.announced_castling")
        return
    captured = board.color_at(move.to_square) == (not table.turn)
    pieces = (origin, move.to_square) if captured else (origin,)
    piece = Piece(board.piece_type_at(origin) or chess.PAWN)
    table.bound = replace(table.bound, announced=Announced("", pieces, illegal=False))
    questions.confirm(table, SAID, {"piece": piece, "square": Square(origin)}, "confirm.announced_piece")


def _castling_rook(board: chess.Board, castling: chess.Move) -> chess.Square:
    rights = board.castling_rights & chess.BB_RANKS[chess.square_rank(castling.from_square)]
    return chess.msb(rights) if board.is_kingside_castling(castling) else chess.lsb(rights)


def promoting(table: Table) -> chess.Move | None:
    """The pending promotion, as a queen's; None if there is none."""
    return table.open.asked.candidates[0] if table.phase is Phase.PROMOTING and table.open is not None else None


def _read_back(table: Table, announced: Announced) -> None:
    table.bound = replace(table.bound, announced=announced)
    questions.confirm(table, SAID, {"words": Text(announced.words)})


def confirmed(table: Table, command: Command) -> None:
    """ "Ja", the player said that."""
    announced, table.bound = table.bound.announced, replace(table.bound, announced=None)
    table.step_to_base()
    if announced is None:
        return
    if announced.illegal and table.settings.penalties and _penalise(table, announced.words):
        return
    if table.settings.touch_move and (announced.pieces or announced.castling) and not table.bound.adjusts:
        _touch(table, announced)


def _touch(table: Table, announced: Announced) -> None:
    if table.offer.can_answer(table.turn):  # Art. 9.1: touching a piece declines the offer
        table.offer = table.offer.decline(table.turn)
        table.say("draw.declined")
        table.step_to_base()
    touched = tuple(dict.fromkeys((*table.bound.touched, *announced.pieces)))
    table.bound = replace(table.bound, touched=touched, castling=announced.castling or table.bound.castling)
    allowed = allowed_moves(table)
    if len(allowed) < table.board.legal_moves.count():
        _say_bound(table, "touch.bound", allowed)
    else:
        table.say("touch.free")


def _say_bound(table: Table, key: str, allowed: frozenset[chess.Move]) -> None:
    """Say what is mandatory now: castling, capturing a certain piece, or moving one; or which castling is forfeited."""
    board = table.board
    castlings = [move for move in allowed if board.is_castling(move)]
    if len(castlings) == len(allowed) == 1:
        table.say(key + "_castling", {"move": said_move(board, castlings[0])})
        return
    origins = {move.from_square for move in allowed}
    victims = {touch.victim(board, move) for move in allowed if board.is_capture(move)} & set(table.bound.touched)
    if len(victims) == 1 and all(board.is_capture(move) for move in allowed):
        victim = min(victims)
        if len(origins) == 1:
            piece = Piece(board.piece_type_at(min(origins)) or chess.PAWN)
            table.say(key + "_capture", {"piece": piece, "square": Square(min(origins)), "target": Square(victim)})
        else:
            piece = Piece(board.piece_type_at(victim) or chess.PAWN)
            table.say(key + "_captured", {"piece": piece, "square": Square(victim)})
        return
    kind = board.piece_type_at(min(origins)) if len(origins) == 1 else None
    if kind is None:
        table.say(key + "_forfeited")  # rook before king, and neither can move otherwise
    else:
        table.say(key, {"piece": Piece(kind), "square": Square(min(origins))})


def allowed_moves(table: Table) -> frozenset[chess.Move]:
    """The legal moves left by the touched pieces."""
    bound = table.bound
    allowed = touch.allowed_moves(table.board, bound.touched) if bound.touched else frozenset(table.board.legal_moves)
    if bound.castling is not None:
        allowed = allowed & touch.after_illegal_castling(table.board, bound.castling) or allowed
    return allowed


def forbids(table: Table, move: chess.Move) -> bool:
    """Whether touched pieces forbid a legal move; says so."""
    if not (table.bound.touched or table.bound.castling):
        return False
    allowed = allowed_moves(table)
    if move in allowed:
        return False
    table.step_to_base()
    _say_bound(table, "touch.refused", allowed)
    return True


# --- penalties ---------------------------------------------------------------------------------------------------


def _penalise(table: Table, words: str) -> bool:
    """Another completed illegal move of the side to move: whether it has ended the game. The engine claims whatever it
    may."""
    offender, number = table.turn, table.illegal_moves[table.turn] + 1
    penalty = illegal_move(table.rules, category(table.clock.control, table.rules), table.board, number)
    claimable = penalty.on_claim and table.kind.speaks_for(not offender)
    granted_ms = penalty.opponent_ms if table.timed and not claimable else 0
    table.notes.append(Note(NoteKind.ILLEGAL, offender, granted_ms, words))
    if claimable:
        table.win_claim = (not offender, penalty)
        table.say(_claimed(penalty)[0], {"side": Side(not offender)})
        return False
    return _costs(table, offender, penalty)


def _claimed(penalty: Penalty) -> tuple[str, str]:
    """Sentences that this can be claimed, and that confirm the claim: the win; a draw, by a side that cannot mate
    (2009: B3 c); or time."""
    if penalty.ending is None:
        return "illegal.may_claim_time", "confirm.claim_illegal_time"
    if penalty.ending.winner is None:
        return "illegal.may_claim_draw", "confirm.claim_illegal_draw"
    return "illegal.may_claim", "confirm.claim_illegal"


def _costs(table: Table, offender: chess.Color, penalty: Penalty) -> bool:
    """Apply the penalty; whether it has ended the game."""
    table.illegal_moves[offender] += 1
    if penalty.ending is not None:
        stopping.finish(table, penalty.ending)
        return True
    if penalty.opponent_ms and table.timed:
        table.clock = table.clock.adjust(not offender, penalty.opponent_ms, table.now_ms)
        table.say("illegal.penalty", {"side": Side(not offender), "duration": Duration(penalty.opponent_ms)})
    else:
        table.say("illegal.noted")
    return False


def claim(table: Table, command: Command) -> None:
    """ "Regelwidrig": the other person claims the illegal move just announced, or confirmed before."""
    if table.phase is Phase.PAUSED:
        table.say("pause.say_resume")
    elif not table.settings.penalties:
        table.say("illegal.no_penalties")
    elif table.win_claim is not None:
        claimant, penalty = table.win_claim
        questions.confirm(table, CLAIM, {"side": Side(claimant)}, _claimed(penalty)[1])
    elif table.bound.announced is not None:
        _read_back(table, table.bound.announced)
    elif _was_claimable(table):
        table.say("illegal.too_late")  # the opponent has moved since (2009: B3 c)
    else:
        table.say("illegal.nothing")


def _was_claimable(table: Table) -> bool:
    """Whether there was an illegal move by which the win could be claimed."""
    rule = table.rules.illegal_rule(category(table.clock.control, table.rules))
    noted = any(note.kind is NoteKind.ILLEGAL for ply in table.plies for note in ply.notes)
    return rule.on_claim and noted


def claim_confirmed(table: Table, command: Command) -> None:
    """The penalty is claimed."""
    claimed, table.win_claim = table.win_claim, None
    table.step_to_base()
    if claimed is not None:
        claimant, penalty = claimed
        if penalty.ending is None:
            table.notes.append(Note(NoteKind.ARBITER, claimant, penalty.opponent_ms))
        _costs(table, not claimant, penalty)


# --- a promotion without its piece -------------------------------------------------------------------------------


def ready(table: Table, command: Command) -> None:
    """ "Fertig", as if pressing the clock: with a pawn on the last rank and no piece named the editions differ; without
    any move it is an illegal move in 2023 (7.5.3)."""
    if presses(table):
        questions.confirm(table, PRESSED, agreed=_pressed)
    elif table.phase is not Phase.PROMOTING or table.open is None:
        table.say("elsewhere.ready")
    elif not table.settings.penalties:
        table.say("promotion.not_yet")
    else:
        move = table.open.asked.candidates[0]
        table.bound = replace(table.bound, announced=Announced("", (move.from_square, move.to_square)))
        questions.confirm(table, UNNAMED)


def presses(table: Table) -> bool:
    """Whether pressing the clock without a move would be an illegal move now."""
    running = table.settings.penalties and table.timed and table.rules.press_is_illegal
    return running and table.phase in (Phase.LISTENING, Phase.DRAW_OFFERED)


def _pressed(table: Table, command: Command) -> None:
    """The clock was pressed without a move: an illegal move, and the player has to move."""
    table.step_to_base()
    _penalise(table, "press")


def ready_confirmed(table: Table) -> chess.Move | None:
    """The clock counts as pressed without naming a piece. Returns the move that results, if any."""
    announced, table.bound = table.bound.announced, replace(table.bound, announced=None)
    table.step_to_base()
    if announced is None:
        return None
    origin, target = announced.pieces
    ruling = touch.unnamed_promotion(table.rules, origin, target)
    if ruling.illegal and _penalise(table, chess.square_name(target)):
        return None
    if ruling.move is not None:
        return ruling.move
    slots: dict[str, Slot] = {"square": Square(target)}
    table.say("promotion.clock_back" if not ruling.illegal else "promotion.name_it", slots)
    moves = tuple(m for m in table.board.legal_moves if (m.from_square, m.to_square) == (origin, target))
    questions.ask_promotion(table, AskPromotion(moves))
    return None


def freed(table: Table, mover: chess.Color) -> None:
    """A move was made or taken back: the next one is free; a player who could claim has moved instead."""
    table.bound = Bound()
    if table.win_claim is not None and table.win_claim[0] == mover:
        table.win_claim = None
