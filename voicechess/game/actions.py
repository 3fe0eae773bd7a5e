"""Commands that change something: draw, end, pause, and the program's own speech.

Which of them are available where, and which are confirmed, is in the table of `commands`; queries are answered in
`queries`, the arbiter's rulings and draw claims handled in `rulings`, the adjournment in `adjourning`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import chess

from voicechess.game import adjourning, claims, penalties, questions, stopping, turns
from voicechess.game.agreement import DEFAULT_THRESHOLDS_MS, HALF_OF_BASE_MS
from voicechess.game.effects import (
    VOICE_CHANGES,
    End,
    Hush,
    KeepChoice,
    NewGame,
    ShowBoard,
    SpeakBriskly,
    SpeakThrough,
    StopThinking,
    UseBoardKeys,
    change_told,
)
from voicechess.game.phases import PLAYERS_TURN, QUESTIONS, Phase
from voicechess.game.state import Table
from voicechess.laws import editions
from voicechess.meaning import Command, Meaning
from voicechess.messages import Duration, Failure, Listing, Phrase, Priority, Side
from voicechess.moves.saying import said_move

ANY_SECOND = "second"
"""The setting `opponent_voice` for any voice but the program's own."""

_WAITED_FOR: Mapping[Phase, str] = {
    Phase.PAUSED: "pause.say_resume",
    Phase.OVER: "over.no_moves",
    Phase.SEALING: "adjourn.seal_now",
    Phase.ADJOURNED: "adjourn.what_now",
}


def not_your_turn(table: Table) -> None:
    """Say why the command is not possible now: what the game is waiting for."""
    if table.kind.waits_for:
        table.say(table.kind.waits_for)
    elif table.base_phase is Phase.JUDGING:
        claims.say_who_decides(table)
    else:
        table.say(_WAITED_FOR.get(table.base_phase, "refuse.not_your_turn"))


def take_back(table: Table, command: Command) -> None:
    if table.kind.take_back(table, command):
        return
    count = turns.plies_to_take_back(table)
    if not count:
        table.say(table.kind.nothing_to_take_back(made=bool(table.plies)))
        return
    if table.phase is Phase.PAUSED:
        table.say("take_back.nothing")
        return
    board = table.board.copy()
    for _ in range(count):
        board.pop()
    move = said_move(board, table.plies[-count].move)
    questions.confirm(table, Command("take_back"), {"move": move})


def pause(table: Table, command: Command) -> None:
    if table.phase is Phase.PAUSED:
        table.say("pause.already")
    elif claims.asked(table):
        table.say("claim.first")
    else:
        stopping.stop_play(table)
        table.say("pause.begun")


def moment(table: Table, command: Command) -> None:
    """Stop listening until "weiter", which may also be typed, or given by its key."""
    if table.heard.quiet:
        listen_again(table)
        return
    table.heard.quiet = True
    runs = table.timed and not table.told.quiet and table.base_phase not in (Phase.PAUSED, Phase.OVER)
    table.told.quiet |= runs
    table.say("quiet.clock_runs" if runs else "quiet.begun")


def listen_again(table: Table) -> None:
    """End "Moment"."""
    table.heard.quiet = False
    table.say("quiet.ended")


def go_on(table: Table) -> None:
    """ "Weiter" during "Moment": it ends a pause as well."""
    if table.phase is Phase.PAUSED:
        table.heard.quiet = False
        resume(table, Command("resume"))
    else:
        listen_again(table)


def resume(table: Table, command: Command) -> None:
    if table.phase is Phase.ADJOURNED:
        adjourning.resume(table)
        return
    if table.phase is Phase.DRAW_OFFERED:  # "ich möchte weiterspielen"
        draw_decline(table, Command("draw_decline"))
        return
    if table.phase is not Phase.PAUSED:
        table.say("pause.not_paused")
        return
    table.machine.failures = 0
    table.say("pause.ended", {"side": Side(table.turn)})
    turns.go_on(table, table.now_ms)


def draw_offer(table: Table, command: Command) -> None:
    if table.base_phase is Phase.ADJOURNED:
        adjourning.draw(table, command)
        return
    if table.phase is Phase.PAUSED:
        not_your_turn(table)
        return
    by = table.speaker_of(command)
    if not table.kind.speaks_for(by):
        _not_theirs(table, by)
        return
    if table.offer.meets(by):  # an offer against an offer is agreement
        _ask_acceptance(table, by)
        return
    try:
        table.offer.offer(by, table.turn)
    except Failure as error:
        table.say(error.key, error.slots)
        return
    if table.may_offer(by):
        _confirm_for(table, command, by)
    else:
        table.say_too_early()


def _answers(table: Table, command: Command) -> chess.Color:
    """The side that answers a draw offer: the one named; of two people at one microphone, the one it was made to."""
    if command.slot("colour") is None and table.kind.both_here and table.offer.by is not None:
        return not table.offer.by
    return table.speaker_of(command)


def _ask_acceptance(table: Table, by: chess.Color) -> None:
    """Ask for confirmation, naming the side unless it is that of the player who is to answer anyway."""
    if table.offer.can_answer(table.speaker) and by == table.speaker:
        questions.confirm(table, Command("draw_accept"))
    else:
        named = Command("draw_accept", (("colour", by),))
        questions.confirm(table, named, {"side": Side(by)}, "confirm.draw_accept_side")


def draw_accept(table: Table, command: Command) -> None:
    if table.base_phase is Phase.ADJOURNED:
        adjourning.draw(table, command)
        return
    by = _answers(table, command)
    if not table.kind.speaks_for(by):
        _not_theirs(table, by)
    elif table.offer.meets(by):
        _ask_acceptance(table, by)
    elif table.kind.accept(table, command):
        return
    elif table.offer.by == by and table.kind.both_here:
        table.say("offer.own_offer")
    else:
        table.say("draw.nothing_offered")


def draw_decline(table: Table, command: Command) -> None:
    """Decline the pending offer."""
    if table.base_phase is Phase.ADJOURNED:
        adjourning.draw(table, command)
        return
    if table.kind.decline(table):
        return
    by = _answers(table, command)
    if not table.kind.speaks_for(by):
        _not_theirs(table, by)
    elif table.offer.meets(by):
        table.offer = table.offer.decline(by)
        if by == table.speaker:
            table.say("draw.declined")
        else:
            table.say("draw.declined_by", {"side": Side(by)})
        if table.phase is Phase.DRAW_OFFERED:
            table.step_to_base()
    elif table.offer.by == by and table.kind.both_here:
        table.say("offer.own_offer")
    else:
        table.say("draw.nothing_offered")


def resign(table: Table, command: Command) -> None:
    """ "Aufgeben", or "Schwarz gibt auf": either side may resign at any time."""
    by = table.speaker_of(command)
    if not table.kind.speaks_for(by):
        _not_theirs(table, by)
    else:
        _confirm_for(table, command, by)


def _not_theirs(table: Table, by: chess.Color) -> None:
    table.say(table.kind.others_words, {"side": Side(by)})


def _confirm_for(table: Table, command: Command, by: chess.Color) -> None:
    """Ask for confirmation; with two people at one microphone, naming the side."""
    if table.kind.names_side(by):
        named = Command(command.name, (("colour", by),))
        questions.confirm(table, named, {"side": Side(by)}, f"confirm.{command.name}_side")
    else:
        questions.confirm(table, command)


def leave(table: Table, command: Command) -> None:
    if table.phase is Phase.ADJOURNED or table.base_phase is Phase.OVER:
        left(table, command)
        return
    questions.confirm(table, command, key=table.kind.leaving)


def rematch(table: Table, command: Command) -> None:
    """A rematch is offered by the conversation before the next game; during a game the command does not end it."""
    if table.base_phase is Phase.OVER:
        left(table, Command("new_game"))
    else:
        table.say("elsewhere.over")


def claim(table: Table, command: Command) -> None:
    if table.kind.claim(table, command):
        return
    if command.name == "claim_draw":
        claims.which(table)
    elif table.phase in PLAYERS_TURN or table.phase is Phase.ECHOING:
        refusal = claims.refusal(table, command)
        if refusal is not None:
            table.say(refusal)
            return
        claims.ask(table, command)
    elif claims.asked(table):
        table.say("claim.first")
    else:
        not_your_turn(table)


# --- what a yes does -----------------------------------------------------------------------------------------------


def take_back_agreed(table: Table, command: Command) -> None:
    """Take the last move back."""
    turns.take_back(table, turns.plies_to_take_back(table))


def draw_agreed(table: Table, command: Command) -> None:
    """Accept the offer, if it still stands; in correspondence perhaps one's own, on behalf of the other side."""
    if table.kind.agree(table):
        return
    by = table.kind.agreeing(table.speaker_of(command), table.offer)
    if table.offer.meets(by):
        stopping.agree(table)
    else:
        table.step_to_base()


def resigned(table: Table, command: Command) -> None:
    """Resign."""
    if table.kind.resign(table):
        return
    stopping.finish(table, editions.resigned(table.board, table.speaker_of(command), table.rules))


def left(table: Table, command: Command) -> None:
    """Leave the game, to end the program or start another game."""
    if table.phase is Phase.CONFIRMING and table.base_phase is not Phase.OVER:
        stopping.leave(table)
    table.say("goodbye" if command.name == "end" else "new_game")
    table.do(End() if command.name == "end" else NewGame())


def pressed(table: Table, command: Command) -> None:
    """The clock counts as pressed without naming the promoted piece."""
    move = penalties.ready_confirmed(table)
    if move is not None:
        turns.repeat_move(table, move, table.now_ms)


def take_over(table: Table, command: Command) -> None:
    """A person takes over from the engine."""
    turns.take_over(table)


def offered(table: Table, command: Command) -> None:
    """Offer a draw."""
    by = table.speaker_of(command)
    if table.kind.offer(table, by):
        return
    try:
        table.offer = table.offer.offer(by, table.turn)
    except Failure as error:
        table.say(error.key, error.slots)
        table.step_to_base()
        return
    if by == table.turn:
        table.say("draw.offered_with_move")
        table.step_to_base()
        return
    turns.note_offer(table)
    if table.kind.is_here(table.turn):
        turns.say_offer(table)
    else:
        table.say("draw.offering")
    table.step_to_base()
    if table.phase is Phase.THINKING and (table.machine.held is None or turns.considers_first(table)):
        table.do(StopThinking())
        turns.consider_draw(table)


# --- the program's own speech --------------------------------------------------------------------------------------


def repeat(table: Table, command: Command) -> None:
    for utterance in table.told.said:
        table.again(utterance)


def stop(table: Table, command: Command) -> None:
    """Stop speaking; an open question is dropped, as by "keiner" or "nein"."""
    table.do(Hush())
    table.say("stopped", priority=Priority.NOW)
    if table.phase in QUESTIONS:
        questions.leave(table)
    elif table.phase is Phase.CONFIRMING:
        questions.declined(table)


def handbook(table: Table, command: Command) -> None:
    """Read the handbook, which pauses the game."""
    if table.phase is Phase.PAUSED:
        _told(table, table.told.handbook.begin())
    else:
        table.say("elsewhere.handbook")


def leafed(table: Table, said: Meaning) -> bool:
    """Whether this was a command for the handbook being read. Any other command closes it, except changes of the
    voice."""
    if not table.told.handbook.open:
        return False
    told = table.told.handbook.answer(said)
    if told is None:
        if not (isinstance(said, Command) and said.name in VOICE_CHANGES):
            table.do(Hush())
            table.told.handbook.open = False
            table.say("leafing.closed")
        return False
    table.do(Hush())
    _told(table, told)
    if not table.told.handbook.open:
        table.say("help.paused")
    return True


def _told(table: Table, phrases: tuple[Phrase, ...]) -> None:
    for phrase in phrases:
        table.say(phrase.key, phrase.slots)


def show_board(table: Table, command: Command) -> None:
    table.do(ShowBoard(command.name == "show_board"))


def use_board_keys(table: Table, command: Command) -> None:
    table.do(UseBoardKeys())


def adjust_voice(table: Table, command: Command) -> None:
    table.do(VOICE_CHANGES[command.name])
    table.say(change_told(command.name))


def speak_briskly(table: Table, command: Command) -> None:
    table.do(SpeakBriskly(command.name == "brisk"))
    table.say(f"voice.{command.name}")


def speak_apart(table: Table, command: Command) -> None:
    """The opponent in a second voice, or on the left and the player on the right; or no longer."""
    on = not command.name.startswith("no_")
    second = {"opponent_voice": ANY_SECOND if on else ""}
    table.do(KeepChoice(second if command.name.endswith("voice") else {"left_right": on}))
    table.say(f"voice.{command.name}")


def speak_through(table: Table, command: Command) -> None:
    table.do(SpeakThrough(command.name == "reader"))


def thresholds(table: Table, command: Command) -> None:
    """Announce one more remaining time, none, or the usual ones, in later games too; tell which are still to come."""
    if not table.timed:
        table.say("clock.no_clock")
        return
    wanted_ms = table.times.wanted_ms
    if command.name == "thresholds_none":
        wanted_ms = ()
    elif command.name == "thresholds_usual":
        wanted_ms = None
    else:
        before_ms = DEFAULT_THRESHOLDS_MS if wanted_ms is None else wanted_ms
        added_ms = {command.duration_ms} - {HALF_OF_BASE_MS}
        wanted_ms = tuple(sorted({*before_ms, *added_ms}, reverse=True))
    table.times.wanted_ms = wanted_ms
    chosen = {} if wanted_ms == () else {"thresholds": tuple(ms // 1000 for ms in wanted_ms or ())}
    table.do(KeepChoice({"announce_times": wanted_ms != (), **chosen}))
    left_ms = table.clock.remaining(table.turn, table.now_ms) or 0
    over = table.base_phase is Phase.OVER
    to_come = [ms for ms in table.thresholds(table.turn) if over or ms < left_ms]
    if to_come:
        table.say("clock.thresholds", {"durations": Listing(tuple(Duration(ms) for ms in to_come))})
    else:
        table.say("clock.thresholds_none" if wanted_ms == () else "clock.thresholds_passed")


def adjust(table: Table, command: Command) -> None:
    """ "J'adoube": pieces named before the next move are not touched. Only the player to move may say so (4.2)."""
    if table.phase not in PLAYERS_TURN:
        not_your_turn(table)
        return
    table.bound = replace(table.bound, adjusts=True)
    table.say("adjust")


def claim_flag(table: Table, command: Command) -> None:
    """Flag falls are the assistant's duty, so a player never needs to claim one."""
    if table.kind.claim_time(table, command):
        return
    table.say(table.kind.flag_told if table.timed else "clock.no_clock")


def save(table: Table, command: Command) -> None:
    table.say("saved")


def spell(table: Table, command: Command) -> None:
    if table.phase in PLAYERS_TURN:
        questions.slot_by_slot(table)
    else:
        not_your_turn(table)


def correct(table: Table, command: Command) -> None:
    """ "Korrektur" outside a repetition, during which it is handled separately."""
    if table.phase in QUESTIONS:
        pawn = penalties.promoting(table)
        questions.none_of_them(table)
        if pawn is not None:
            penalties.corrected(table, pawn)
        return
    if table.kind.drop_unsent(table):
        return
    if not turns.plies_to_take_back(table):
        table.say("correct.nothing")
    elif not table.casual:
        table.say("correct.too_late")
    else:
        table.say(table.kind.corrected_late)
        take_back(table, Command("take_back"))
