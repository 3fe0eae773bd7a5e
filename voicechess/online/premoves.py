"""Premoves in a game on a server: announced while the opponent thinks, read back, and made when they have moved.

A premove is one particular move, from square to square: it never becomes another piece's move. It can be cancelled
while it is read back. If the opponent moves before that was possible, it is announced like any move, and sent once the
time for a correction is over; otherwise it is sent at once, and announced. It is not made if the opponent expects an
answer, or a question is open, which is then announced.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import chess

from voicechess.game import turns
from voicechess.game.agreement import Preset
from voicechess.game.conditional import as_said, tell_back, told_conditional
from voicechess.game.phases import Phase
from voicechess.game.state import Table
from voicechess.meaning import Command, Reading, SpokenMove
from voicechess.messages import Listing, Phrase
from voicechess.moves.decisions import AskPromotion, Play, Refuse
from voicechess.moves.matching import decide
from voicechess.moves.refusals import Refusal
from voicechess.moves.saying import said_move
from voicechess.online.link import Link, Premove, link_of

REACTION_MS = 1_500
"""Milliseconds since a premove was read back after which it is sent at once: there was time to object. Larger: more are
announced like ordinary moves, which costs clock time."""

# --- announced --------------------------------------------------------------------------------------------------------


def premove(table: Table, command: Command) -> None:
    """ "Vorauszug Springer Felix drei"; alone it asks which premoves there are."""
    link = link_of(table)
    if not command.moves and link.premoves:
        _tell(table, link)
        return
    refused = _refused(table)
    if refused is not None:
        table.say(refused)
    elif not command.moves:
        table.say("premove.how")
    else:
        _set(table, link, command.moves[0])


def _refused(table: Table) -> str | None:
    """Why no premove is possible now: a sentence's key; None if one is."""
    if not table.engine_to_move:
        return "premove.your_turn"
    if table.settings.board:
        return "premove.display"
    if table.settings.preset is Preset.TOURNAMENT:
        return "premove.tournament"
    return None if link_of(table).up else "server.no_link"


def _set(table: Table, link: Link, spoken: SpokenMove) -> None:
    refusal: Refusal | None = None
    for board in _foreseen(table.board, spoken):
        match decide(board, (Reading(spoken),), typed=True):
            case Play(move) if board.piece_type_at(move.to_square) != chess.KING:
                said = said_move(board, move)
                number = table.say("premove.set", {"move": said}).number
                others = tuple(one for one in link.premoves if one.answers is not None)
                link.premoves = (*others, Premove(move, said, number, captures=_captures(spoken)))
                return
            case Refuse(found):
                refusal = refusal or found
            case AskPromotion():
                table.say("premove.promotion")
                return
            case _:
                table.say("premove.unclear")
                return
    assert refusal is not None, "the position as it stands refuses it"
    reason = table.reason(refusal)
    table.say(reason.key, reason.slots)


def _foreseen(board: chess.Board, spoken: SpokenMove) -> Iterator[chess.Board]:
    """Positions in which a premove may be meant: this one with the player to move, and the one after the opponent's
    capture or move on the target square."""
    as_it_stands = board.copy(stack=False)
    as_it_stands.turn, as_it_stands.ep_square = not board.turn, None
    yield as_it_stands
    target = spoken.target
    if target is None or board.piece_type_at(target) == chess.KING or board.color_at(target) == board.turn:
        return
    captured = as_it_stands.copy(stack=False)
    last = chess.square_rank(target) in (0, 7)
    captured.set_piece_at(target, chess.Piece(chess.KNIGHT if last else chess.PAWN, board.turn))
    yield captured


def _captures(spoken: SpokenMove) -> bool:
    return spoken.captures or spoken.captured is not None or spoken.en_passant


def suppose(table: Table, command: Command) -> None:
    """ "Falls Eva fünf, dann Springer Felix drei": read back, and kept if confirmed."""
    refused = _refused(table)
    if refused is not None:
        table.say(refused)
        return
    tell_back(table, command)


def supposed(table: Table, command: Command) -> None:
    """Confirmed: it stands, replacing another reply to the same move."""
    link = link_of(table)
    table.step_to_base()
    kept = as_said(table.board, command.moves) if table.engine_to_move else None
    if kept is None:
        table.say("premove.late")
        return
    after = table.board.copy()
    after.push(kept[0])
    others = tuple(one for one in link.premoves if one.answers != kept[0])
    link.premoves = (*others, Premove(kept[1], said_move(after, kept[1]), told_ms=table.now_ms, answers=kept[0]))
    table.say("post.supposed")


def overtaken(table: Table) -> bool:
    """Whether the open question is about a conditional premove, and the opponent has moved meanwhile, which is told."""
    opened = table.open
    if opened is None or opened.command is None or opened.command.name != "suppose" or table.engine_to_move:
        return False
    table.say("premove.late")
    return True


def _tell(table: Table, link: Link) -> None:
    told = [
        Phrase("premove.conditional", told_conditional(table.board, (one.answers, one.move)))
        if one.answers is not None
        else one.said
        for one in link.premoves
    ]
    table.say("premove.waiting", {"premoves": Listing(tuple(told), "groups")})


def told(table: Table, link: Link, number: int) -> None:
    """Utterance `number` was said to its end."""
    link.premoves = tuple(
        replace(one, told_ms=table.now_ms) if one.number == number and one.told_ms is None else one
        for one in link.premoves
    )


# --- cancelled --------------------------------------------------------------------------------------------------------


def no_premove(table: Table, command: Command) -> None:
    """ "Kein Vorauszug": also cancels conditional ones."""
    if not dropped(table):
        table.say("premove.none" if table.engine_to_move else "premove.your_turn")


def dropped(table: Table) -> bool:
    """Cancel the premoves, and say so. Whether there was one."""
    link = link_of(table)
    if not link.premoves:
        return False
    link.premoves = ()
    table.say("premove.deleted")
    return True


def forget(table: Table, link: Link) -> None:
    """The game has taken another course."""
    if link.premoves:
        link.premoves = ()
        table.say("premove.void")


# --- made -------------------------------------------------------------------------------------------------------------


def answer(table: Table, link: Link) -> None:
    """The position has changed: make the premove that replies to the opponent's move, or say why not."""
    reply, link.reply = link.reply, None
    if reply is None:
        forget(table, link)
        return
    waiting, link.premoves = link.premoves, ()
    fitting = [one for one in waiting if one.answers == reply] or [one for one in waiting if one.answers is None]
    if not fitting:
        if waiting:
            _say(table, "premove.unmatched")
        return
    chosen = fitting[0]
    if table.phase is not Phase.ANNOUNCING or link.takes_back or table.offer.can_answer(table.speaker):
        _say(table, "premove.held_back", chosen)
    elif not table.board.is_legal(chosen.move) or (chosen.captures and not table.board.is_capture(chosen.move)):
        _say(table, "premove.illegal", chosen)
    else:
        turns.go_on(table, table.now_ms)
        table.say("premove.plays")
        link.premoving = chosen.told_ms is not None and table.now_ms - chosen.told_ms >= REACTION_MS
        turns.repeat_move(table, chosen.move, table.now_ms)
        link.premoving = False


def _say(table: Table, key: str, one: Premove | None = None) -> None:
    """Say it; the player's words count from its end on."""
    said = table.say(key, {} if one is None else {"move": one.said})
    if table.phase is Phase.ANNOUNCING:
        table.wait_for(said)
