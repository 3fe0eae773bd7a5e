"""A game on a server, which owns clock, laws and result: applies and announces what it sends. The player's requests
are in `wishes`.

The board here is the server's, with at most one move more: the player's last one, until the server has it. That one is
sent once. Where it is not known whether it arrived, what the server tells next decides: a move that is not there is
repeated aloud once more, as after any announcement, and only then sent again.

Nothing here ends a game but the server's word. Names and lines of strangers are made harmless before they are said.
"""

from __future__ import annotations

from dataclasses import replace

import chess

from voicechess.game import questions, stopping, timing, turns
from voicechess.game.agreement import Preset, start_board
from voicechess.game.effects import Hush, Wish
from voicechess.game.events import (
    ServerChat,
    ServerEvent,
    ServerLink,
    ServerPresence,
    ServerProfile,
    ServerRated,
    ServerRefused,
    ServerState,
)
from voicechess.game.phases import QUESTIONS, Announcing, Pause, Phase, Thinking
from voicechess.game.queries import announced_last
from voicechess.game.situation import Bound, Ply
from voicechess.game.state import Asking, Table
from voicechess.laws.clock import Clock, SideTime
from voicechess.laws.draws import DrawOffer, OfferState
from voicechess.laws.results import TABLE, Ending, Way, Worth
from voicechess.laws.time_controls import UNTIMED, Bonus, Period, TimeControl, parse_time
from voicechess.messages import Duration, SaidMove, Side, Text, Utterance
from voicechess.online import courtesies, premoves
from voicechess.online.link import LONGEST_LINE, LONGEST_NAME, Gone, Link, harmless, link_key, link_of, refusal_key

ANNOUNCED = 2
"""Most new moves announced one by one; of more, which only happens after an absence, only the last is."""

CLOCKS_START = 2
"""Plies after which Lichess starts the clocks."""

CHAT_MS = 60_000
MOST_LINES = 5
"""Most chat lines read out within CHAT_MS: a flood must not drown the game. Larger: more interruptions."""


def begin(table: Table) -> None:
    """Apply what the server sent before the game began here."""
    link = link_of(table)
    if link.state is not None:
        early, link.state = link.state, None
        _stands(table, link, early)


def told(table: Table, event: ServerEvent) -> None:
    """Handle an event of the server."""
    link = link_of(table)
    match event:
        case ServerRated(change=change):
            _rated(table, change)
        case ServerChat():
            _chat(table, link, event)
        case ServerProfile():
            courtesies.known(table, link, event)
        case ServerRefused() if event.request in link.asides:
            courtesies.refused(table, link, event)
        case ServerLink():
            _link(table, link, event)
        case ServerState() if table.phase is Phase.NOT_STARTED:
            link.state = event
        case _ if table.phase in (Phase.NOT_STARTED, Phase.OVER):
            pass
        case ServerState():
            _stands(table, link, event)
        case ServerPresence():
            _presence(table, link, event)
        case ServerRefused():
            _refused(table, link, event)


def send(table: Table, at_ms: int) -> None:
    """Send the repeated move; it stands once the server has it. The player's clock runs until then, also without a
    connection."""
    link, pending = link_of(table), table.pending
    assert pending is not None, "there is no move to send"
    uci, before = table.board.uci(pending.move), table.clock
    offers = table.offer.by == table.turn
    turns.make(table, pending.move, at_ms)
    link.outgoing = True
    if link.up:
        table.do(link.move(uci, offers))
    else:
        table.clock = before
        table.say("server.kept")
    table.turn_since_ms = table.between_until_ms = at_ms
    turns.go_on(table, at_ms)


# --- so the game stands -----------------------------------------------------------------------------------------------


def _stands(table: Table, link: Link, news: ServerState) -> None:
    """Apply moves, clocks, proposals and the end, in this order: the server's state always wins."""
    before, link.state = link.state, news
    began, link.began = link.began, True
    if not link.up:
        link.up = True
        _back(table, link)
    moves = _read(table, news.moves)
    if moves is None:
        if not link.unreadable:
            table.say("server.unreadable")
        link.unreadable, link.up = True, False
        changed = False
    else:
        link.unreadable = False
        changed = _set_moves(table, link, moves, news)
    left_ms = table.clock.remaining(table.speaker, news.at_ms)
    _set_clock(table, link, news)
    ending = _ending(news, table.board)
    if ending is not None:
        if table.pending is not None:
            table.do(Hush())
        link.settled()
        link.premoves = ()
        stopping.finish(table, ending)
        return
    timing.jumped(table, left_ms)
    if not began and not table.plies and not link.outgoing:
        _tell(table, table.say("server.they_begin" if table.engine_to_move else "server.you_begin"))
    if changed:
        _go_on_when_told(table)
    _proposals(table, link, before, news, changed)
    if changed:
        premoves.answer(table, link)
    if news.expires_ms is not None and not table.engine_to_move and not link.first_told:
        link.first_told = True
        table.say("server.first_move", {"duration": Duration(max(1_000, news.expires_ms // 1_000 * 1_000))})


def _read(table: Table, given: tuple[str, ...]) -> list[chess.Move] | None:
    """The moves on this board, castling normalised; None if they are no legal game."""
    board = start_board(table.settings)
    moves = []
    try:
        for uci in given:
            move = board.parse_uci(uci)
            if not move:
                return None
            board.push(move)
            moves.append(move)
    except ValueError:
        return None
    return moves


def _set_moves(table: Table, link: Link, moves: list[chess.Move], news: ServerState) -> bool:
    """Apply these moves, and announce what is new. Whether the position has changed."""
    ours = [ply.move for ply in table.plies]
    kept = next((n for n, (one, other) in enumerate(zip(ours, moves, strict=False)) if one != other), None)
    kept = min(len(ours), len(moves)) if kept is None else kept
    fresh, removed = moves[kept:], len(ours) - kept
    resumed, link.resumed = link.resumed, False
    if not removed:
        link.settled()  # the server has everything that was sent
    if not fresh and removed == link.outgoing:
        if news.status in PLAYED:
            _as_it_was(table, link, resumed)
        elif link.outgoing:
            _does_not_stand(table, link)
        return False
    unsent = _unsent(table, link)
    if table.phase is Phase.REPEATING or table.phase in QUESTIONS:
        table.do(Hush())
    for _ in range(removed):
        table.board.pop()
        table.plies.pop()
    singly = not removed and len(fresh) <= ANNOUNCED
    if not singly:
        _say_changed(table, fresh, removed)
    for move in fresh:
        if singly:
            turns.announce(table, move)
        _push(table, move, news.at_ms)
    if not singly:
        _say_standing(table)
    elif resumed:
        _say_turn(table)
    if unsent is not None:
        table.say("server.not_sent", {"move": unsent})
    by_them = bool(fresh) and table.turn == table.speaker
    if by_them:
        link.gone = None
    link.settled()
    link.again, link.clocked = "", 0
    link.reply = fresh[0] if by_them and singly and len(fresh) == 1 and unsent is None else None
    table.offer, table.heard.misses, table.heard.refused = DrawOffer(), 0, None
    table.bound = Bound(repeats=by_them and table.settings.preset is Preset.TOURNAMENT)
    table.turn_since_ms = table.now_ms
    return True


def _as_it_was(table: Table, link: Link, resumed: bool) -> None:
    """The server has the same moves as this board, except for one that may be in transit."""
    again, link.again = link.again, ""
    if link.outgoing:
        _not_there(table, link)
    elif again:
        to_turn(table)
        turns.repeat_move(table, chess.Move.from_uci(again), table.now_ms)
    elif resumed:
        _say_standing(table)
        _tell(table, table.last_said)


def _not_there(table: Table, link: Link) -> None:
    """The player's last move is not at the server: in transit, waiting to be sent, or lost."""
    move = table.board.peek()
    if link.lost:
        unmake(table, link)
        table.say("server.not_received")
        to_turn(table)
        turns.repeat_move(table, move, table.now_ms)
    elif link.number is None:
        board = _before_last(table)
        table.do(link.move(board.uci(move), table.offer.by == table.speaker))
        last = announced_last(table)
        if last is not None:
            table.say("server.sent_now", {"move": last})


def unmake(table: Table, link: Link) -> None:
    """Undo the player's last move."""
    table.board.pop()
    table.clock = table.plies.pop().clock_before
    link.settled()
    table.bound, table.offer = Bound(), DrawOffer()
    premoves.forget(table, link)


def _does_not_stand(table: Table, link: Link) -> None:
    unsent = announced_last(table)
    unmake(table, link)
    if unsent is not None:
        table.say("server.not_sent", {"move": unsent})


def _before_last(table: Table) -> chess.Board:
    board = table.board.copy()
    board.pop()
    return board


def _unsent(table: Table, link: Link) -> SaidMove | None:
    """The player's move unknown to the server, as announced: in transit, being repeated, or from before a restart."""
    if link.outgoing:
        return announced_last(table)
    if table.pending is not None:
        return table.announced(table.pending.move)
    again = chess.Move.from_uci(link.again) if link.again else None
    return table.announced(again) if again is not None and table.board.is_legal(again) else None


def _push(table: Table, move: chess.Move, at_ms: int) -> None:
    """Make a move that the server has. The clock times after it are only known for the last one (`_set_clock`)."""
    before = table.plies[-1].clock if table.plies else table.clock
    table.board.push(move)
    table.plies.append(Ply(move, Clock.new(UNTIMED, table.turn), before, at_ms))


def _say_changed(table: Table, fresh: list[chess.Move], removed: int) -> None:
    """Announce moves undone, or more than can be announced one by one."""
    if not removed:
        table.say("server.moves_made", {"count": len(fresh)})
    elif fresh:
        table.say("server.resync")
    else:
        table.say("server.taken_back")


def _say_standing(table: Table) -> None:
    """Announce the last move and the side to move."""
    last = announced_last(table)
    if last is not None:
        table.say("score.last", {"side": Side(last.colour), "move": last})
    _say_turn(table)


def _say_turn(table: Table) -> None:
    table.say("turn.side", {"side": Side(table.turn), "number": table.board.fullmove_number})


def _go_on_when_told(table: Table) -> None:
    """Continue with the side to move once everything was announced. An open confirmation stays open: its subject is
    checked again when it is answered. Only a conditional premove has come too late."""
    if isinstance(table.state, Asking) and table.phase is Phase.CONFIRMING and not premoves.overtaken(table):
        table.amend(replace(table.state, back=Thinking() if table.engine_to_move else None))
        questions.ask_again(table)
        return
    table.enter(Announcing())
    table.wait_for(table.last_said)


def to_turn(table: Table) -> None:
    """Close whatever is open; on to the side to move."""
    table.enter(Announcing())
    table.step_to_turn()


# --- clocks -----------------------------------------------------------------------------------------------------------


def _set_clock(table: Table, link: Link, news: ServerState) -> None:
    """Set both clocks to the server's. While a move waits for the connection the player's runs on."""
    times = {chess.WHITE: news.white_ms, chess.BLACK: news.black_ms}
    control = parse_time(table.settings.time)
    if news.white_ms is None or news.black_ms is None:
        control = UNTIMED
    elif control.untimed and not table.clock.control.untimed:
        control = table.clock.control
    elif control.untimed:
        control = TimeControl(
            _period(news.white_ms, news.white_increment_ms), _period(news.black_ms, news.black_increment_ms)
        )
    sides = {
        colour: SideTime(bank_ms=times[colour] or 0, granted_ms=times[colour] or 0, moves=_moves_of(table, colour))
        for colour in chess.COLORS
    }
    runs = news.status == "started" and len(news.moves) >= CLOCKS_START
    table.clock = Clock(
        control,
        sides[chess.WHITE],
        sides[chess.BLACK],
        turn=table.turn != link.waits,
        since_ms=news.at_ms if runs else None,
    )
    if table.plies and not link.outgoing and link.clocked != len(table.plies):
        link.clocked = len(table.plies)
        table.plies[-1] = replace(table.plies[-1], clock=table.clock)


def _period(base_ms: int, increment_ms: int) -> tuple[Period, ...]:
    return (Period(base_ms, None, Bonus.FISCHER if increment_ms else Bonus.NONE, increment_ms),)


def _moves_of(table: Table, colour: chess.Color) -> int:
    first = start_board(table.settings).turn == colour
    return (len(table.plies) + first) // 2


# --- the end ----------------------------------------------------------------------------------------------------------

PLAYED = frozenset({"created", "started"})

_WAYS = {
    "mate": (Way.CHECKMATE, Way.SERVER_END),
    "resign": (Way.RESIGNATION, Way.SERVER_END),
    "stalemate": (Way.SERVER, Way.STALEMATE),
    "timeout": (Way.LEFT, Way.LEFT_DRAW),
    "outoftime": (Way.TIME, Way.TIME_NO_MATE),
    "draw": (Way.SERVER, Way.AGREEMENT),
    "aborted": (Way.SERVER, Way.ABORTED),
    "noStart": (Way.NO_START, Way.ABORTED),
    "cheat": (Way.CHEATING, Way.SERVER_END),
    "insufficientMaterialClaim": (Way.SERVER, Way.SERVER_DRAW),
    "variantEnd": (Way.SERVER, Way.SERVER_END),
}
"""Lichess' status -> the ending with a winner, and without."""


def _ending(news: ServerState, board: chess.Board) -> Ending | None:
    """How the game ended; None during play. The reason of a draw, which the server does not name, is determined from
    the board."""
    if news.status in PLAYED:
        return None
    won, drawn = _WAYS.get(news.status, (Way.SERVER, Way.SERVER_END))
    if news.winner is not None:
        return Ending(won, news.winner)
    if drawn is Way.AGREEMENT:
        drawn = _drawn(board)
    assert TABLE[drawn][0] is not Worth.WINNER, "what nobody has won"
    return Ending(drawn)


def _drawn(board: chess.Board) -> Way:
    if board.is_insufficient_material():
        return Way.DEAD_POSITION
    if board.is_fivefold_repetition():
        return Way.FIVEFOLD
    if board.halfmove_clock >= 100:
        return Way.FIFTY_MOVES
    return Way.THREEFOLD if board.is_repetition(3) else Way.AGREEMENT


def _rated(table: Table, change: int | None) -> None:
    if change is None:
        table.say("server.rating_unknown")
    elif change:
        table.say("server.rating_up" if change > 0 else "server.rating_down", {"count": abs(change)})
    else:
        table.say("server.rating_same")


# --- what is proposed -------------------------------------------------------------------------------------------------


def _proposals(table: Table, link: Link, before: ServerState | None, news: ServerState, changed: bool) -> None:
    """Draw offers and takebacks of both sides, announced when new, and when gone without anything else."""
    me = table.speaker
    was_ours = before is not None and _draws(before, me) and not changed
    if _draws(news, not me):
        table.offer = DrawOffer().offer_with_move(not me)
        if not link.offered:
            turns.note_offer(table)
            _tell(table, turns.say_offer(table))
    elif _draws(news, me):
        table.offer = DrawOffer(OfferState.STANDING, me)
    elif table.offer.can_answer(me):
        table.offer = DrawOffer()
        table.say("server.draw_withdrawn")
        if table.phase is Phase.DRAW_OFFERED:
            table.step_to_base()
    elif was_ours and table.offer.state is OfferState.STANDING:
        table.offer = DrawOffer()
        table.say("draw.declined_by", {"side": Side(not me)})
    link.offered = _draws(news, not me)
    theirs = _takes_back(news, not me)
    known = before is not None and _takes_back(before, not me)
    if theirs and (not known or changed):
        link.takes_back = True
        _tell(table, table.say("server.takeback_proposed"))
    elif link.takes_back and not theirs:
        link.takes_back = False
        if not changed:
            table.say("server.takeback_withdrawn")
    if before is not None and _takes_back(before, me) and not _takes_back(news, me) and not changed:
        table.say("server.takeback_declined")


def _tell(table: Table, said: Utterance) -> None:
    """Announce something that the player may or must answer."""
    if table.phase in (Phase.LISTENING, Phase.DRAW_OFFERED):
        table.enter(Announcing())
    if table.phase is Phase.ANNOUNCING:
        table.wait_for(said)


def _draws(news: ServerState, colour: chess.Color) -> bool:
    return news.white_draws if colour == chess.WHITE else news.black_draws


def _takes_back(news: ServerState, colour: chess.Color) -> bool:
    return news.white_takes_back if colour == chess.WHITE else news.black_takes_back


# --- presence, connection, chat ---------------------------------------------------------------------------------------


def _presence(table: Table, link: Link, event: ServerPresence) -> None:
    if not event.gone:
        if link.gone:
            table.say("server.returned")
        link.gone = None
        return
    claim_at_ms = None if event.claim_ms is None else event.at_ms + max(0, event.claim_ms)
    if link.gone:
        link.gone.claim_at_ms = claim_at_ms
        return
    link.gone = Gone(claim_at_ms)
    table.say("server.gone")
    if event.claim_ms is not None and event.claim_ms > 0:
        table.say("server.claim_in", {"duration": Duration(event.claim_ms)})


def pass_time(table: Table) -> None:
    """Effects of time alone: the win can be claimed."""
    gone = link_of(table).gone
    if gone is None or gone.told or gone.claim_at_ms is None or table.now_ms < gone.claim_at_ms:
        return
    if table.phase is not Phase.OVER:
        gone.told = True
        table.say("server.may_claim")


def _link(table: Table, link: Link, event: ServerLink) -> None:
    """Announce a lost or restored connection, but not every attempt."""
    if event.up:
        _back(table, link)
        return
    link.up = False
    reason = link_key(event.reason)
    if link.down != reason and table.phase is not Phase.OVER:
        link.down = reason
        table.say(f"server.link.{reason}")


def _back(table: Table, link: Link) -> None:
    if link.down and table.phase is not Phase.OVER:
        table.say("server.link.back")
    link.down = ""


def _chat(table: Table, link: Link, event: ServerChat) -> None:
    text = harmless(event.text, LONGEST_LINE)
    if not link.chat or not text or courtesies.is_own(table, event.name):
        return
    link.lines = [at_ms for at_ms in link.lines if event.at_ms - at_ms < CHAT_MS]
    if len(link.lines) > MOST_LINES:
        return
    link.lines.append(event.at_ms)
    if len(link.lines) > MOST_LINES:
        table.say("server.chat_flood")
        return
    name = harmless(event.name, LONGEST_NAME)
    if name:
        table.say("server.chat", {"name": Text(name), "text": Text(text)})
    else:
        table.say("server.chat_unnamed", {"text": Text(text)})


def _refused(table: Table, link: Link, event: ServerRefused) -> None:
    """The server refuses a request. A refused move is undone; one whose answer was lost may stand."""
    reason = refusal_key(event.reason)
    if link.outgoing and event.request == link.number:
        if reason == "lost":
            link.lost = True
            table.say("server.refused.lost")
            return
        table.say(f"server.refused.{reason}")
        _does_not_stand(table, link)
        _say_standing(table)
        table.turn_since_ms = table.now_ms
        _go_on_when_told(table)
    elif (wish := link.wishes.pop(event.request, None)) is not None:
        if wish is Wish.BERSERK and reason == "wish":
            table.say("server.no_berserk")
        else:
            table.say("server.wish_lost" if reason == "lost" else f"server.refused.{reason}")


# --- coming back ------------------------------------------------------------------------------------------------------


def come_back(table: Table) -> None:
    """After a restart: the game may have gone on, and the server's first state is right."""
    link = link_of(table)
    table.told.said, table.machine.held = (), None
    lost, link.premoves = link.premoves, ()
    _await_the_server(table, link)
    link.resumed = link.began = True
    if table.paused is Pause.LEFT:
        table.step_to_turn()
    table.say("resume.going_on")
    if lost:
        table.say("premove.void")
    said = table.say("server.connecting")
    table.enter(Announcing())
    table.wait_for(said)


def slept(table: Table, at_ms: int, gap_ms: int) -> None:
    """The machine slept for `gap_ms`, and the clocks at the server ran on."""
    table.now_ms = max(table.now_ms, at_ms)
    if table.phase in (Phase.NOT_STARTED, Phase.OVER):
        return
    pending = table.pending
    if pending is not None:  # nobody was there to correct it
        table.do(Hush())
        table.step_to_base()
    table.say("server.slept", {"duration": Duration(gap_ms)})
    premoves.forget(table, link_of(table))
    if pending is not None:
        turns.repeat_move(table, pending.move, table.now_ms)


def _await_the_server(table: Table, link: Link) -> None:
    """Send nothing until the state has arrived. A move that was being repeated is then repeated again, and one that was
    sent may have been lost."""
    if table.pending is not None:
        link.again = table.pending.move.uci()
    if table.pending is not None or table.open is not None:
        table.step_to_base()
    link.up, link.state, link.gone = False, None, None
    link.offered = link.takes_back = False
    link.lost = link.outgoing
    if table.offer.state is OfferState.STANDING:
        table.offer = DrawOffer()
        if table.phase is Phase.DRAW_OFFERED:
            table.step_to_base()
