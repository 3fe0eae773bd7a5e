"""The player's requests to the game's server: draw, takeback, claim, end; quick sending and chat.

They are only requested; the next state answers them (`served`).
"""

from __future__ import annotations

from voicechess.game import questions, turns
from voicechess.game.effects import Wish
from voicechess.game.phases import PLAYERS_TURN, Phase
from voicechess.game.state import Table
from voicechess.laws.draws import DrawOffer, OfferState
from voicechess.meaning import Command
from voicechess.messages import Duration, Phrase, Slot
from voicechess.moves.saying import said_move
from voicechess.online import served
from voicechess.online.link import link_of


def wish(table: Table, wanted: Wish, key: str) -> bool:
    """Send a wish and say `key`, or say that there is no connection. Whether it was sent."""
    link = link_of(table)
    if not link.up:
        table.say("server.no_link")
        return False
    table.do(link.wish(wanted))
    table.say(key)
    return True


def resigned(table: Table) -> None:
    """Resign; the server confirms the end."""
    wish(table, Wish.RESIGN, "server.sent")
    table.step_to_base()


def offered(table: Table) -> None:
    """Offer a draw while the opponent thinks."""
    if wish(table, Wish.OFFER_DRAW, "draw.offering"):
        table.offer = DrawOffer(OfferState.STANDING, table.speaker, proper=False)
        turns.note_offer(table)
    table.step_to_base()


def draw_agreed(table: Table) -> None:
    """Accept the opponent's offer, if it still stands."""
    if table.offer.can_answer(table.speaker):
        wish(table, Wish.ACCEPT_DRAW, "server.sent")
    else:
        table.say("draw.nothing_offered")
    table.step_to_base()


def draw_declined(table: Table) -> None:
    """Decline the opponent's offer."""
    if wish(table, Wish.DECLINE_DRAW, "draw.declined"):
        table.offer = table.offer.decline(table.speaker)
        if table.phase is Phase.DRAW_OFFERED:
            table.step_to_base()


def take_back(table: Table, command: Command) -> None:
    """Propose a takeback; an unsent move is just dropped."""
    link = link_of(table)
    if drop_unsent(table):
        return
    if link.takes_back:
        accept_takeback(table)
        return
    count = turns.plies_to_take_back(table)
    if not count:
        table.say("take_back.nothing")
        return
    past = table.board.copy()
    for _ in range(count - 1):
        past.pop()
    move = past.pop()
    slots: dict[str, Slot] = {"move": said_move(past, move)}
    questions.confirm(table, command, slots, "confirm.takeback_propose", agreed=_propose_takeback)


def _propose_takeback(table: Table, command: Command) -> None:
    wish(table, Wish.PROPOSE_TAKEBACK, "server.takeback_sent")
    table.step_to_base()


def drop_unsent(table: Table) -> bool:
    """Correct a move that waits for the connection, as during its repetition. Whether there was one."""
    link = link_of(table)
    if not link.waits:
        return False
    running = table.clock  # the player's own, which the server may have adjusted since
    served.unmake(table, link)
    table.clock = running
    served.to_turn(table)
    table.say("move.corrected")
    return True


def accept_takeback(table: Table) -> None:
    """Grant the opponent's takeback, after a confirmation."""
    questions.confirm(table, Command("draw_accept"), key="confirm.takeback_accept", agreed=_takeback_agreed)


def _takeback_agreed(table: Table, command: Command) -> None:
    link = link_of(table)
    if not link.takes_back:
        table.say("server.takeback_withdrawn")
    elif wish(table, Wish.ACCEPT_TAKEBACK, "server.sent"):
        link.takes_back = False
    table.step_to_base()


def decline_takeback(table: Table) -> None:
    """Decline the opponent's takeback."""
    if wish(table, Wish.DECLINE_TAKEBACK, "server.takeback_refused"):
        link_of(table).takes_back = False


def claim(table: Table, command: Command) -> None:
    """A draw claim is sent as an offer: the server judges it. "Remis beanspruchen" claims against an absent opponent;
    with a present one it asks for the claim meant."""
    link = link_of(table)
    if command.name == "claim_draw" and not link.gone:
        table.say("claim.which")
    elif command.name == "claim_draw":
        claim_absent(table, Command("claim_draw"))
    elif table.phase in PLAYERS_TURN or table.phase is Phase.ECHOING:
        questions.confirm(table, command, key="confirm.claim_online", agreed=_claimed)
    else:
        table.say("refuse.not_your_turn")


def _claimed(table: Table, command: Command) -> None:
    """A confirmed claim: at once, or with the next announced move."""
    if not command.name.endswith("_move"):
        wish(table, Wish.OFFER_DRAW, "server.sent")
    elif table.engine_to_move:
        table.say("refuse.not_your_turn")
    else:
        table.offer = DrawOffer(OfferState.WAITING, table.speaker)
        table.say("claim.which_move")
    table.step_to_base()


def abort(table: Table, command: Command) -> None:
    """ "Partie abbrechen": before both have moved."""
    if len(table.plies) < served.CLOCKS_START:
        questions.confirm(table, command)
    else:
        table.say("server.abort_late")


def aborted(table: Table, command: Command) -> None:
    """Abort; the server confirms it."""
    wish(table, Wish.ABORT, "server.sent")
    table.step_to_base()


def berserk(table: Table, command: Command) -> None:
    """ "Halbe Zeit": berserk in an arena game, before the player's first move."""
    if not table.timed:
        table.say("clock.no_clock")
    elif _has_moved(table):
        table.say("server.berserk_late")
    else:
        questions.confirm(table, command)


def went_berserk(table: Table, command: Command) -> None:
    """Request it; the server's next clock shows it, and it refuses outside of arenas."""
    if _has_moved(table):
        table.say("server.berserk_late")
    else:
        wish(table, Wish.BERSERK, "server.sent")
    table.step_to_base()


def _has_moved(table: Table) -> bool:
    return len(table.plies) + (table.turn != table.speaker) > 1


def claim_absent(table: Table, command: Command) -> None:
    """Claim the win or a draw, because the opponent is gone."""
    refusal = _no_claim(table)
    if refusal is None:
        questions.confirm(table, command, agreed=_absent_claimed)
    else:
        table.say(refusal.key, refusal.slots)


def _no_claim(table: Table) -> Phrase | None:
    """Why the game cannot be claimed now; None if it can."""
    gone = link_of(table).gone
    if gone is None or gone.claim_at_ms is None:
        return Phrase("server.not_gone")
    left_ms = gone.claim_at_ms - table.now_ms
    return Phrase("server.claim_in", {"duration": Duration(left_ms)}) if left_ms > 0 else None


def _absent_claimed(table: Table, command: Command) -> None:
    """The opponent may have come back while it was asked."""
    refusal = _no_claim(table)
    if refusal is None:
        wish(table, Wish.CLAIM_VICTORY if command.name == "claim_victory" else Wish.CLAIM_DRAW, "server.sent")
    else:
        table.say(refusal.key, refusal.slots)
    table.step_to_base()


def quick(table: Table, command: Command) -> None:
    """Whether a move is sent while it is being repeated."""
    link = link_of(table)
    link.quick = command.name == "quick_on"
    table.say("server.quick_on" if link.quick else "server.quick_off")


def chat(table: Table, command: Command) -> None:
    """Whether what the opponent writes is read out."""
    link = link_of(table)
    link.chat = command.name == "chat_on"
    table.say("server.chat_on" if link.chat else "server.chat_off")
