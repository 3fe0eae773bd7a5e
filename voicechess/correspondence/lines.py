"""Correspondence: lines that arrive and are shown, and conditional moves.

The session makes the moves as in any game. Both sides are played here: one's own moves are announced, the other's
arrive as lines or are read out from a letter. `score.letters` parses and compares the lines.
"""

from __future__ import annotations

from collections.abc import Sequence

import chess

from voicechess.correspondence import days
from voicechess.correspondence.post import Post, post_of
from voicechess.game import questions, stopping, turns
from voicechess.game.agreement import start_board
from voicechess.game.conditional import as_said, tell_back, told_conditional
from voicechess.game.effects import ShowLetter
from voicechess.game.phases import PLAYERS_TURN, Announcing, Phase
from voicechess.game.state import Table
from voicechess.laws.editions import after_move, resigned
from voicechess.laws.mating import can_mate
from voicechess.laws.results import PGN_RESULTS, Way, lost
from voicechess.laws.time_controls import describe
from voicechess.meaning import Command
from voicechess.messages import Failure, Phrase, Side, Slot, Text, Utterance
from voicechess.moves.saying import said_move
from voicechess.score.letters import SENDER, Contents, Letter, LineNotation, compare, letter_of, parse_written

# --- beginning and going on -------------------------------------------------------------------------------------------


def greeting(table: Table, introduced: bool) -> tuple[Phrase, ...]:
    """The greeting; `introduced`: the terms were just announced."""
    terms: dict[str, Slot] = {"side": Side(post_of(table).own), "time": describe(table.clock.control)}
    return (_whose_turn(table),) if introduced else (Phrase("post.begin", terms), _whose_turn(table))


def _whose_turn(table: Table) -> Phrase:
    side: dict[str, Slot] = {"side": Side(table.turn)}
    if table.turn != post_of(table).own:
        return Phrase("post.theirs", side)
    return Phrase("post.yours", {**side, "number": table.board.fullmove_number})


def report(table: Table) -> tuple[Phrase, ...]:
    """State of the game after its last move was announced."""
    post = post_of(table)
    unsent = table.turn != post.own and len(table.plies) > post.out
    return (*days.reminders(table), *([Phrase("post.unsent")] if unsent else []), _whose_turn(table))


def unsent(table: Table) -> int:
    """Plies that can be taken back: the last one that is in no line yet, and its promised replies."""
    for count, ply in enumerate(reversed(table.plies[post_of(table).out :]), 1):
        if ply.answered is None or not ply.answered.promised:
            return count
    return 0


def follow(table: Table) -> None:
    """After every event: a move that was made since may have been promised an answer, or its line is to be sent."""
    post = post_of(table)
    if table.phase in (Phase.NOT_STARTED, Phase.REPEATING) or post.seen == len(table.plies):
        return
    if post.seen > len(table.plies):  # taken back
        post.return_to(len(table.plies))
        return
    mover, last = not table.turn, table.plies[-1].move
    promises = post.offered if mover == post.own else post.promised
    post.settle(len(table.plies))
    answer = next((answer for one, answer in promises if one == last), None)
    if table.phase is Phase.OVER:
        if mover == post.own:
            table.say("post.ready_last")
        return
    if answer is not None and table.phase in (Phase.LISTENING, Phase.DRAW_OFFERED, Phase.ANNOUNCING):
        post.keeps_promise = True
        _arrive(table, [answer], "post.promised")
        post.keeps_promise, post.seen = False, len(table.plies)
        if table.ending is None:
            _await(table, table.tell([_whose_turn(table) if mover == post.own else Phrase("post.ready")]))
    elif mover == post.own:
        table.say("post.ready")


def _arrive(table: Table, moves: Sequence[chess.Move], key: str = "move.opponent") -> None:
    """Announce and make moves that are not announced by a player here."""
    for move in moves:
        table.say(key, {"side": Side(table.turn), "move": table.announced(move)})
        turns.make(table, move, table.now_ms)
        decided = after_move(table.board, table.rules)
        if decided is not None:
            stopping.finish(table, decided)
            return


def _await(table: Table, told: Utterance) -> None:
    """The player to move has heard what there is to be known when this has been said."""
    table.turn_since_ms = table.now_ms
    table.enter(Announcing())
    table.wait_for(told)


# --- a line arrives ---------------------------------------------------------------------------------------------------


def letter_came(table: Table, letter: Letter) -> None:
    """A received line: applied, or rejected with the reason and without effect."""
    post = post_of(table)
    if table.phase is Phase.REPEATING or table.open is not None:
        table.say("post.busy")
        return
    if not letter.key and letter.number is None and len(letter.moves) == 1:
        _announced(table, letter.moves[0], letter.pieces)
        return
    try:
        contents = compare(letter, start_board(table.settings), [ply.move for ply in table.plies], post.key)
    except Failure as failure:
        table.say(failure.key, failure.slots)
        return
    post.key = post.key or letter.key
    refused = _refused(table, letter, contents)
    if refused is not None:
        table.say(refused.key, refused.slots)
        return
    if letter.leave is not None:
        days.their_leave(table, post, letter.leave, alone=not (contents.fresh or letter.result))
    if contents.fresh:
        _take(table, post, letter, contents)
    elif letter.draw_by_hand and table.turn == post.own and len(contents.moves) == len(table.plies):
        told = _told_behind(table, post, letter)
        if told is not None:
            _await(table, told)
    elif letter.rest or letter.draw_by_hand:
        _tell_rest(table, letter)
    if table.phase is not Phase.OVER and letter.result:
        _ended(table, post, letter.result)
    elif table.phase is not Phase.OVER and _resigns(post, letter):
        other = not post.own
        if table.phase is Phase.ANNOUNCING:
            turns.go_on(table, table.now_ms)
        resigns = Command("resign", (("colour", other),))
        questions.confirm(table, resigns, {"side": Side(other)}, "confirm.resign_side")
    elif letter.resigns:
        table.say("post.other_result", {"result": Text("0-1" if letter.resigns == "white" else "1-0")})


def _resigns(post: Post, letter: Letter) -> bool:
    return letter.resigns in (SENDER, chess.COLOR_NAMES[not post.own])


def _tell_rest(table: Table, letter: Letter) -> Utterance:
    """Announce what follows the line without an effect here."""
    return table.say("post.behind", {"text": Text(letter.rest or "(=)")})


def _announced(table: Table, text: str, pieces: str) -> None:
    """A single typed move: an announcement like any other, perhaps in numeric notation."""
    if table.phase not in (*PLAYERS_TURN, Phase.ANNOUNCING):
        table.say("over.no_moves" if table.phase is Phase.OVER else "post.busy")
        return
    try:
        move = parse_written(table.board, text, pieces)
    except ValueError:
        slots: dict[str, Slot] = {"side": Side(table.turn), "number": table.board.fullmove_number}
        table.say("letter.error.impossible", {**slots, "text": Text(text)})
        return
    if table.phase is Phase.ANNOUNCING:
        turns.go_on(table, table.now_ms)
    turns.repeat_move(table, move, table.now_ms)


def _refused(table: Table, letter: Letter, contents: Contents) -> Phrase | None:
    """Why a line is rejected although it agrees with the score here."""
    post = post_of(table)
    if table.phase is Phase.OVER:
        return Phrase("over.no_moves")
    if letter.result and not letter.check:
        return Phrase("post.say_result", {"side": Side(not post.own)})
    if not contents.fresh:
        by_hand = letter.draw_by_hand or letter.resigns or letter.rest
        return Phrase("post.old") if letter.leave is None and not letter.result and not by_hand else None
    if table.turn == post.own:
        slots: dict[str, Slot] = {"move": said_move(table.board, contents.moves[-contents.fresh])}
        return Phrase("post.your_move", slots)
    fresh = contents.moves[-contents.fresh :]
    promised = dict(post.promised).get(fresh[0])
    # The other side may have made the answer that was promised, and the next move after it.
    if len(fresh) > 1 and (len(fresh) > 3 or fresh[1] != promised):
        return Phrase("post.too_many")
    return None


def _take(table: Table, post: Post, letter: Letter, contents: Contents) -> None:
    fresh = contents.moves[-contents.fresh :]
    post.letter = letter
    _arrive(table, fresh[:1])
    for index, move in enumerate(fresh[1:], 1):
        if table.phase is not Phase.OVER:
            post.keeps_promise = index == 1
            _arrive(table, [move], "post.promised" if index == 1 else "move.opponent")
            post.keeps_promise = False
    post.letter = None
    if len(fresh) > 1:
        post.settle(len(table.plies))
    if table.phase is Phase.OVER:
        return
    kept = dict(post.promised).get(fresh[0]) if len(fresh) == 1 else None
    told = table.last_said
    told = _told_behind(table, post, letter, promised=kept is not None) or told
    if kept is None:
        if len(fresh) == 1:
            post.settle(len(table.plies))
        post.offered = contents.conditions
    for one, answer in contents.conditions if kept is None else ():
        told = table.say("post.condition", told_conditional(table.board, (one, answer)))
    _await(table, told)


def _told_behind(table: Table, post: Post, letter: Letter, promised: bool = False) -> Utterance | None:
    """Announce a line's draw offer and anything else after it; returns the last utterance. `promised`: the reply to its
    move was made."""
    told: Utterance | None = None
    offered = letter.offers_draw or letter.draw_by_hand in (SENDER, chess.COLOR_NAMES[not post.own])
    if offered and promised:
        told = table.say("post.offer_passed")
    elif offered and table.may_offer(not table.turn):
        table.offer = table.offer.offer_with_move(not table.turn)
        turns.note_offer(table)
        told = turns.say_offer(table)
    elif offered:
        told = table.say("offer.too_early")
    return _tell_rest(table, letter) if letter.rest or (letter.draw_by_hand and not offered) else told


def _ended(table: Table, post: Post, result: str) -> None:
    """The line ends the game: the other side resigns, accepts a draw, or claims on time."""
    other = not post.own
    if result == ("0-1" if other else "1-0"):
        stopping.finish(table, resigned(table.board, other, table.rules))
    elif result == "1/2-1/2" and table.offer.can_answer(other):
        stopping.finish(table, table.offer.accept(other))
    elif result == ("1-0" if other else "0-1") and (found := days.account(table, post.own)) and found.overstepped:
        stopping.finish(table, lost(Way.TIME, post.own, can_mate(table.board, other)))
    else:
        table.say("post.other_result", {"result": Text(result)})


# --- a line is shown --------------------------------------------------------------------------------------------------


def line(table: Table, command: Command) -> None:
    """ "Zeile": the line with the last own move, to be copied. From then on that move stands."""
    post = post_of(table)
    wanted = command.name.removeprefix("line_")
    letter = _letter(table, post, post.terms.notation if wanted == command.name else LineNotation(wanted))
    if letter is None:
        table.say("post.nothing")
        return
    post.out, post.untold = len(table.plies), None
    table.say("post.shown")
    table.do(ShowLetter(letter))


def _letter(table: Table, post: Post, notation: LineNotation) -> Letter | None:
    """The line to be sent now; None if there is none."""
    own_last = bool(table.plies) and table.turn != post.own
    over = table.phase is Phase.OVER
    if not (own_last or over or post.untold is not None):
        return None
    last = table.plies[-1].answered if own_last else None
    ending = table.ending
    result = ending.result if ending is not None and ending.result in PGN_RESULTS else ""
    leave = post.untold
    letter = Letter(
        key=post.key,
        offers_draw=own_last and table.plies[-1].draw_offered,
        result=result,
        received=last.received.isoformat() if last is not None else "",
        sent=last.sent.isoformat() if last is not None else post.day.isoformat(),
        leave=(leave.first.isoformat(), leave.last.isoformat()) if leave is not None else None,
    )
    moves = [ply.move for ply in table.plies]
    conditions = post.promised if own_last and not over else ()
    return letter_of(start_board(table.settings), moves, notation, letter, conditions)


# --- conditional moves ------------------------------------------------------------------------------------------------


def suppose(table: Table, command: Command) -> None:
    """ "Falls Springer Felix sechs, dann Läufer Bella fünf": read back, and kept if confirmed."""
    post = post_of(table)
    if table.phase is Phase.OVER or table.turn == post.own or len(table.plies) <= post.out:
        table.say("post.suppose_later")
        return
    tell_back(table, command)


def supposed(table: Table, command: Command) -> None:
    """It was told back rightly: it stands, in place of another answer to the same move."""
    post = post_of(table)
    table.step_to_base()
    kept = as_said(table.board, command.moves)
    if kept is not None:
        post.promised = (*(one for one in post.promised if one[0] != kept[0]), kept)
        table.say("post.supposed")
