"""Handles what the player said, in every phase. Everything is answered; nothing is done that was not meant."""

from __future__ import annotations

from dataclasses import replace

import chess

from voicechess.game import actions, adjourning, commands, here, penalties, questions, repetition, timing, turns
from voicechess.game.company import TOGETHER_MS
from voicechess.game.effects import Hush
from voicechess.game.events import Heard, Source
from voicechess.game.phases import PLAYERS_TURN, QUESTIONS, Phase
from voicechess.game.situation import Denial, Unsure
from voicechess.game.state import Table
from voicechess.meaning import (
    NO_QUESTION,
    AnswerKind,
    Command,
    Expectation,
    Question,
    QuestionKind,
    Reading,
    SpokenMove,
    UnclearReason,
    is_noisy,
)
from voicechess.messages import Phrase, Piece, Square, Tone
from voicechess.moves.decisions import (
    MAX_CHOICES,
    Act,
    Ask,
    AskPromotion,
    Complete,
    Decision,
    NotUnderstood,
    Play,
    Refuse,
    Reply,
)
from voicechess.moves.fitting import fits
from voicechess.moves.matching import candidates, decide, is_likely_command, weighed

TALK = frozenset({UnclearReason.UNKNOWN_WORDS, UnclearReason.TOO_LONG})
"""What conversation in the room is recognised as, other than noise. It is answered with the tone alone."""

BREATH_MS = 2_000
"""Longest pause in milliseconds after words that were not understood, or after a "no", for what follows to be the rest
of that sentence. Larger: more utterances that stand by themselves are asked about, or taken as part of the "no"."""

MOST_FAINT = 4.0
"""Largest cost (minus log posterior) of a command that is obeyed when it is heard twice. Larger: more talk is taken for
a command the second time."""

MOST_LIKE = 6.0
"""Largest cost (minus log posterior) of a move that is offered in place of one that was denied. Larger: more moves are
offered that sound less like what was said."""

_BRIEF = frozenset(
    f"refuse.{key}"
    for key in (
        "no_check",
        "no_mate",
        "no_en_passant",
        "no_such_piece",
        "other_piece",
        "cannot_move_like_that",
        "cannot_move_like_that_of_one",
    )
)
"""Refusals that are hardly longer than the announcement: when repeated they do not name the move."""


def hear(table: Table, event: Heard) -> None:
    """Decide what `event` means in this phase, and act on it."""
    table.heard.in_noise = event.in_noise
    table.heard.words_ended_ms = event.ended_ms
    table.company.hear(event)
    if table.heard.quiet and _kept_out(table, event):
        return
    between = table.phase is Phase.REPEATING or event.began_ms < table.between_until_ms
    if table.phase is Phase.REPEATING and not repetition.hear(table, event):
        return
    if table.phase is Phase.ANNOUNCING and event.ahead:
        # The announcement has not begun, so these words are no answer to it.
        event = replace(event, began_ms=min(event.began_ms, table.turn_since_ms - 1))
    if table.phase is Phase.ANNOUNCING and event.began_ms >= table.turn_since_ms:
        # A player who barges in has heard enough of the announcement: their time begins with their words.
        table.do(Hush())
        turns.go_on(table, event.began_ms)
    if table.phase is Phase.ECHOING:
        repetition.hear_echo(table, event)
        return
    decision = _said_twice(table, event, _decided(table, event))
    if isinstance(decision, Play | Act | Reply):
        table.company.understood(event)
    if between and table.kind.announces_both and table.offer.by is None and decision == Act(Command("draw_offer")):
        # With two players at one microphone, the one who has just moved may offer until the clock is pressed (9.1).
        decision = Act(Command("draw_offer", (("colour", not table.turn),)))
    if event.ahead and isinstance(decision, NotUnderstood) and _means_nothing(event, decision.reason):
        return  # a queued announcement follows at once, so this is not met with silence
    if table.phase is Phase.ANNOUNCING and _takes_the_floor(decision):
        turns.go_on(table, event.at_ms)
    if _from_far_off(table, event, decision):
        return
    if decision == NotUnderstood(UnclearReason.CHECK_ALONE) and repetition.belongs_to_last_move(table):
        return
    if _half_heard(table, event, decision):
        table.do(Hush())
        questions.ask_again(table)
        return
    if _goes_on_denying(table, event, decision):
        if not event.ahead:
            table.say("confirm.no")
        return
    if denied := _denied(table, decision):
        table.heard.denial = Denial(denied, event.ended_ms)
    offered, table.heard.perhaps = table.heard.perhaps, ()
    if offered and table.phase is Phase.OVER and isinstance(decision, Reply):
        table.heard.perhaps = offered
        command = commands.chosen(table, decision.answer.choice)
        table.heard.perhaps = ()
        if command is not None and decision.answer.kind in (AnswerKind.YES, AnswerKind.CHOICE):
            commands.obey(table, command)
        else:
            table.say("confirm.no")
        return
    pointed = event.perhaps or (_spoiled(event, decision) if table.phase in PLAYERS_TURN else ())
    if (
        isinstance(decision, NotUnderstood)
        and not event.ahead
        and commands.perhaps(table, pointed, event.source is Source.KEYBOARD)
    ):
        return
    if _comes_before_the_question(table, event) and decision != NotUnderstood(UnclearReason.NOTHING):
        table.do(Hush())  # the new utterance replaces it
    elif _comes_before_the_answer(table, event, decision):
        table.do(Hush())
        table.heard.refused = None  # the reason was not heard
    if table.phase is Phase.CONFIRMING:
        _while_confirming(table, event, decision)
    elif table.phase in PLAYERS_TURN:
        _on_turn(table, event, decision)
    elif table.phase is Phase.SEALING and isinstance(decision, Reply):
        _while_sealing(table, decision.answer.kind)
    else:
        _off_turn(table, event, decision)


def _spoiled(event: Heard, decision: Decision) -> tuple[Reading, ...]:
    """The command that would have been clear enough, but for the beginning of a move that sounds like it: "Linie Eva"
    beside a much less likely "nehme Eva". It is asked about, except in a noisy room."""
    if decision != NotUnderstood(UnclearReason.NO_SENSE) or event.source is not Source.VOICE:
        return ()
    if is_noisy(event.snr_db):
        return ()
    return event.readings[:1] if is_likely_command(event.readings) else ()


def _decided(table: Table, event: Heard) -> Decision:
    """What to do about the words.

    A player who was asked to repeat or complete a move is likely to do so, so the readings are combined with those of
    the first attempt. What was misrecognised once may be again: instead of a move that the player has denied, the one
    that sounds most like it is asked about.
    """
    asked, plies = _asked(table, event), len(table.plies)
    if event.source is Source.KEYBOARD:
        return decide(table.board, event.readings, asked, typed=True)
    before: tuple[Reading, ...] = ()
    unsure = table.heard.unsure
    if unsure and unsure.plies == plies and event.began_ms - unsure.ended_ms < TOGETHER_MS:
        before = tuple(one for one in unsure.readings if table.mistaken.isdisjoint(_moves(table, one)))
    readings = weighed(table.board, event.readings, before, asked)
    decision = decide(table.board, readings, asked)
    if isinstance(decision, Play) and decision.move in table.mistaken and asked.candidates != (decision.move,):
        heard = [move for move, cost in candidates(table.board, event.readings) if cost < MOST_LIKE]
        others = tuple(move for move in heard if move not in table.mistaken)
        if others:
            decision = Ask(others[:1], rest=(*others[1 : MAX_CHOICES - 1], decision.move))
    if isinstance(decision, Play) and asked.candidates != (decision.move,) and _is_torn(table, event, decision.move):
        decision = Ask((decision.move,))
    match decision:
        case Ask() | AskPromotion() | Complete() | Refuse() | NotUnderstood():
            announced = tuple(one for one in readings if isinstance(one.meaning, SpokenMove))
            unheard = isinstance(decision, NotUnderstood)
            table.heard.unsure = Unsure(plies, event.ended_ms, announced or before, table.mistaken, unheard)
        case Reply(answer) if answer.kind in (AnswerKind.NO, AnswerKind.NONE):
            table.deny(asked.denied, before)
        case Play():
            table.heard.unsure = Unsure(plies, event.ended_ms, mistaken=table.mistaken)
    return decision


def _is_torn(table: Table, event: Heard, move: chess.Move) -> bool:
    """Whether the recogniser may have missed a word of this move."""
    return event.torn or _lacks_its_beginning(table, event, move)


def _lacks_its_beginning(table: Table, event: Heard, move: chess.Move) -> bool:
    """Whether a bare square may be the end of a sentence whose beginning was not understood: "(ich gehe mit dem
    Springer auf) Hector drei" is no pawn move. If no other piece can go there, it is one."""
    said, unsure = event.readings[0].meaning, table.heard.unsure
    if not isinstance(said, SpokenMove) or (said.piece, said.from_file, said.from_rank, said.castling) != (None,) * 4:
        return False
    if said.target is None or table.open is not None:  # a part of a move, which answers a question
        return False
    if unsure is None or not unsure.unheard or unsure.plies != len(table.plies):
        return False
    if event.began_ms - unsure.ended_ms >= BREATH_MS:
        return False
    board = table.board
    others = (one for one in board.legal_moves if one.to_square == move.to_square != one.from_square)
    return any(board.piece_type_at(one.from_square) != chess.PAWN for one in others)


def _said_twice(table: Table, event: Heard, decision: Decision) -> Decision:
    """`decision`, or to obey a command whose posterior was too low and that is now heard a second time: a player who
    only got the tone says it again, while talk seldom yields the same command twice. Commands that end or change the
    game are asked about."""
    if not isinstance(decision, NotUnderstood) or not event.readings:
        return decision
    best = event.readings[0]
    command = best.meaning
    if not isinstance(command, Command) or best.cost > MOST_FAINT or command.name not in commands.heard_twice(table):
        return decision
    if not table.company.said_again(command, event):
        return decision
    return Act(command, trimmed=table.phase is not Phase.OVER)


def _from_far_off(table: Table, event: Heard, decision: Decision) -> bool:
    """Whether this was so soft that a bystander may have said it, and is uncertain as well. It is answered when it is
    heard a second time; the first time with a tone at most, and not at all if it means nothing."""
    if table.open is not None or not table.company.is_far_off(event):
        return False
    match decision:
        case NotUnderstood():
            return True
        case Ask() | AskPromotion() | Complete() | Refuse():
            if table.company.said_again(event.readings[0].meaning, event):
                return False
            if table.company.faint_tone_due(table.now_ms):  # it may have been the player, speaking more softly
                table.sound(Tone.NOT_UNDERSTOOD, alone=True)
            return True
    return False


def _moves(table: Table, reading: Reading) -> tuple[chess.Move, ...]:
    return fits(table.board, reading.meaning) if isinstance(reading.meaning, SpokenMove) else ()


def _kept_out(table: Table, event: Heard) -> bool:
    """Whether to ignore this while listening is paused: all speech but "weiter", which ends the pause. Typed lines
    count."""
    typed = event.source is Source.KEYBOARD
    if _said_twice(table, event, decide(table.board, event.readings, typed=typed)) == Act(Command("resume")):
        actions.go_on(table)
        return True
    return not typed


def _takes_the_floor(decision: Decision) -> bool:
    """Whether words that began before an announcement, and were recognised during it, are acted on at once."""
    return isinstance(decision, Reply) or (isinstance(decision, Act) and commands.takes_floor(decision.command))


def _comes_before_the_question(table: Table, event: Heard) -> bool:
    """Whether the player went on speaking before the question about their last words could be asked aloud."""
    opened = table.open
    if event.source is not Source.VOICE or opened is None or not opened.unsaid:
        return False
    return event.ahead or opened.about_ms is not None


def _comes_before_the_answer(table: Table, event: Heard, decision: Decision) -> bool:
    """The same for a refusal or another answer that a newly announced move makes obsolete, provided nothing else is
    queued that would be lost with it."""
    if not event.ahead or table.open is not None or table.phase not in PLAYERS_TURN:
        return False
    return table.told.news <= table.told.spoken and not isinstance(decision, Act | Reply)


def _may_be_a_rest(table: Table, event: Heard) -> bool:
    """Whether this names no piece and continues words that were refused or not understood: after "Dame Hector fünf" was
    refused, "Hector vier" need not be a pawn move."""
    meaning = event.readings[0].meaning
    goes_on = event.ahead and table.told.denied > table.told.spoken
    return goes_on and isinstance(meaning, SpokenMove) and meaning.piece is None and meaning.castling is None


def _half_heard(table: Table, event: Heard, decision: Decision) -> bool:
    """Whether this is a yes, or a choice by number, to a question that has not been spoken to its end. A "no", and
    words that carry their own meaning, count all the same."""
    opened = table.open
    unheard = event.cut_in or event.ahead
    if not unheard or opened is None or not opened.unsaid or event.began_ms < opened.asked_ms:
        return False
    return isinstance(decision, Reply) and decision.answer.kind in (AnswerKind.YES, AnswerKind.CHOICE)


_DRAWS = frozenset({"draw_offer", "draw_accept", "draw_decline"})


def _denied(table: Table, decision: Decision) -> frozenset[str]:
    """The commands that name what these words say no to; empty if they say no to nothing, or to a move."""
    match decision:
        case Act(Command("draw_decline")):
            return _DRAWS
        case Reply(answer) if answer.kind in (AnswerKind.NO, AnswerKind.NONE):
            opened = table.open
            if opened is None:
                proposed = table.phase is Phase.DRAW_OFFERED or table.kind.proposes(table)
                return _DRAWS | {"take_back"} if proposed else frozenset()
            names = frozenset(one.name for one in (opened.command, *opened.either) if one is not None)
            return names if names.isdisjoint(_DRAWS) else names | _DRAWS
    return frozenset()


def _goes_on_denying(table: Table, event: Heard, decision: Decision) -> bool:
    """Whether this continues a "no" that was not answered aloud yet: "nein danke, kein Remis" offers no draw, even if
    its second half is recognised as "ein Remis"."""
    denial = table.heard.denial
    if denial is None or not (event.ahead or event.cut_in) or event.began_ms - denial.ended_ms >= BREATH_MS:
        return False
    if isinstance(decision, Act):
        return decision.command.name in denial.commands
    pointed = {one.meaning.name for one in event.perhaps if isinstance(one.meaning, Command)}
    return isinstance(decision, NotUnderstood) and bool(pointed) and pointed <= denial.commands


def expectation(table: Table) -> Expectation:
    """What the player can say now; the recogniser's grammar and the parsing of the words follow from it."""
    opened = table.open
    names, among = commands.sayable(table), commands.among_talk(table)
    if table.phase is Phase.ECHOING:
        return Expectation(repetition.before(table), Question(QuestionKind.REPEAT_MOVE, (table.plies[-1].move,)), names)
    # The grammar has moves even where none can be made: without them a recogniser would force a move into a command,
    # or into the "ja" that a question waits for. The player is told why the move cannot be made.
    board = None if table.phase in (Phase.NOT_STARTED, Phase.OVER) else table.board.copy()
    if opened is None:
        answered = table.phase is Phase.DRAW_OFFERED or table.kind.proposes(table) or table.told.handbook.open
        asked = Question(QuestionKind.YES_NO) if answered else NO_QUESTION
        after = repetition.answering(table) if table.phase is Phase.REPEATING else None
        return Expectation(board, asked, names, after, among)
    return Expectation(board, opened.asked, names, among_talk=among)


def _asked(table: Table, event: Heard) -> Question:
    """The question that these words may answer. Words that began before it was asked cannot, but may be the rest of the
    utterance that it is about."""
    opened = table.open
    if opened is None or event.began_ms < (opened.asked_ms if opened.about_ms is None else opened.about_ms):
        return NO_QUESTION
    return opened.asked


def _on_turn(table: Table, event: Heard, decision: Decision) -> None:
    early = event.began_ms < table.turn_since_ms
    match decision:
        case Act(command, trimmed) if _is_doubted(command, trimmed):
            commands.doubted(table, command, _words(event, command))
        case Act(command):
            if command.name not in ("repeat", "stop", "help"):
                table.heard.misses = 0
            commands.obey(table, command)
        case Reply(answer):
            if table.open is not None and event.began_ms < table.open.asked_ms:
                questions.missed(table)
            elif early and answer.kind is AnswerKind.NO:
                commands.obey(table, Command("correct"))  # begun before the opponent moved: it is about the own move
            elif early:
                table.say("not_understood.nothing_asked")
            elif table.phase in QUESTIONS:
                pawn = penalties.promoting(table)
                named = questions.answer(table, answer)
                if named is not None:
                    turns.repeat_move(table, named, event.ended_ms)
                elif pawn is not None and table.open is None:
                    penalties.corrected(table, pawn)
            else:
                _unasked(table, answer.kind)
        case NotUnderstood(reason):
            if reason is UnclearReason.NOTHING or (table.open is None and _is_talk(event, reason)):
                _noise(table, event)
            else:
                _not_understood(table, decision)
        case _ if early:
            # It was said before the opponent's move was announced, so it is no reply to that move.
            table.say("refuse.not_your_turn_then")
        case Play(move) if _leaves_promotion(table, move):
            pawn = penalties.promoting(table)
            table.step_to_base()
            if pawn is not None:
                penalties.corrected(table, pawn)
        case Play(move) if _may_be_a_rest(table, event):
            questions.ask(table, Ask((move,)))
        case Play(move):
            turns.repeat_move(table, move, event.ended_ms)
        case Ask():
            asked = (*decision.moves, *decision.rest)
            if event.source is Source.VOICE and table.mistaken.isdisjoint(asked):
                questions.doubted(table, asked)  # the misrecognition is counted when the corrected move is announced
            questions.ask_about(table, decision)
        case Complete():
            questions.complete(table, decision)
        case AskPromotion():
            questions.ask_promotion(table, decision)
        case Refuse(refusal, spoken):
            if not questions.refused_instead(table, refusal):
                _refuse(table, table.reason(refusal), spoken)
                penalties.refused(table, spoken, _words(event, spoken))


def _leaves_promotion(table: Table, move: chess.Move) -> bool:
    """Whether, instead of a promotion piece, a move of another piece was announced although the pawn counts as touched:
    then the player is asked whether that was said, as after a correction."""
    pawn = penalties.promoting(table)
    touches = table.settings.touch_move and not table.bound.adjusts
    return touches and pawn is not None and pawn.from_square not in (move.from_square, *table.bound.touched)


def _refuse(table: Table, told: Phrase, spoken: SpokenMove) -> None:
    """Say why the move is refused. A second time in the same position it is said in short, with the piece and square
    that were recognised."""
    if table.heard.refused != (len(table.plies), told):
        table.heard.refused = (len(table.plies), told)
        said = table.say(told.key, told.slots)
    elif spoken.piece is not None and spoken.target is not None and told.key not in _BRIEF:
        said = table.say("refuse.piece_again", {"piece": Piece(spoken.piece), "square": Square(spoken.target)})
    else:
        said = table.say("refuse.again")
    table.told.denied = said.number


def _words(event: Heard, meaning: SpokenMove | Command) -> str:
    """The words that were recognised as `meaning`, to be read back."""
    return next((one.words for one in event.readings if one.meaning == meaning and one.words), event.words)


def _is_doubted(command: Command, between: bool) -> bool:
    """Whether a command is confirmed before it is obeyed: one that ends or changes the game, found amid a bystander's
    words."""
    return between and commands.takes_floor(command)


def _unasked(table: Table, kind: AnswerKind) -> None:
    """A "ja" or "nein" that answers no open question."""
    proposed = table.phase is Phase.DRAW_OFFERED or table.kind.proposes(table)
    if proposed and kind is AnswerKind.YES:
        commands.obey(table, Command("draw_accept"))
    elif proposed and kind in (AnswerKind.NO, AnswerKind.NONE):
        actions.draw_decline(table, Command("draw_decline"))
    elif table.bound.claim is not None and kind in (AnswerKind.NO, AnswerKind.NONE):
        table.bound = replace(table.bound, claim=None)
        table.say("claim.dropped")
    elif kind is AnswerKind.NO and table.phase not in (Phase.PAUSED, Phase.OVER):
        commands.obey(table, Command("correct"))
    elif table.phase is Phase.OVER:  # the last sentence of a game asks what to do next
        table.say("over.what_now")
    else:
        table.say("not_understood.nothing_asked")


def _means_nothing(event: Heard, reason: UnclearReason) -> bool:
    return reason is UnclearReason.NOTHING or _is_talk(event, reason)


def _is_talk(event: Heard, reason: UnclearReason) -> bool:
    return event.source is Source.VOICE and reason in TALK


def _noise(table: Table, event: Heard) -> None:
    """Answer noise or talk in the room, no failed attempt: with the tone, the first time with a sentence about it."""
    if event.source is Source.VOICE and table.company.told:
        _tone(table, event)
    else:
        _nothing_understood(table, event)


def _tone(table: Table, event: Heard) -> None:
    """Answer talk in the room. Who has moved without ever being understood does not play by voice: from the second ply
    on their level is not estimated."""
    if table.company.words_due(event, table.now_ms):
        _nothing_understood(table, event)
    elif table.company.tone_due(event, table.now_ms, guessing=len(table.plies) < 2):
        table.sound(Tone.NOT_UNDERSTOOD, alone=True)


def _nothing_understood(table: Table, event: Heard) -> None:
    if event.source is Source.VOICE:
        table.company.tell(table.now_ms)
    table.sound(Tone.NOT_UNDERSTOOD)
    table.say("not_understood.nothing")


def _not_understood(table: Table, decision: NotUnderstood) -> None:
    if not decision.reason.answered:
        table.sound(Tone.NOT_UNDERSTOOD)
    if decision.text or decision.reason.answered:
        table.say(decision.phrase.key, decision.phrase.slots)
    if table.open is not None:
        questions.missed(table)
    elif decision.text or decision.reason.answered:
        table.heard.misses += not decision.reason.answered
    elif table.heard.misses + 1 >= questions.MISSES and decision.reason is not UnclearReason.TOO_LONG:
        questions.offer_spelling(table, "not_understood.again")
    else:
        table.heard.misses += 1
        table.told.denied = table.say(decision.phrase.key, decision.phrase.slots).number
        _name_what_fits(table, decision)


def _name_what_fits(table: Table, decision: NotUnderstood) -> None:
    """Name what can be said here, after words that suggest no command."""
    fits_here = here.told(table)
    if decision.reason in (UnclearReason.UNKNOWN_WORDS, UnclearReason.NO_SENSE) and fits_here is not None:
        table.say(fits_here.key, fits_here.slots)


def _off_turn(table: Table, event: Heard, decision: Decision) -> None:
    """While the engine thinks, in a pause and after the end: commands are obeyed, moves refused with the reason."""
    match decision:
        case Act(command, trimmed) if _is_doubted(command, trimmed):
            commands.doubted(table, command, _words(event, command))
        case Act(command):
            commands.obey(table, command)
        case Reply(answer) if actions.leafed(table, answer):
            pass
        case Reply(answer):
            _unasked(table, answer.kind)
        case NotUnderstood(reason) if _means_nothing(event, reason):
            _tone(table, event)
        case NotUnderstood():
            if not decision.reason.answered:
                table.sound(Tone.NOT_UNDERSTOOD)
            table.say(decision.phrase.key, decision.phrase.slots)
            _name_what_fits(table, decision)
        case _:
            actions.leafed(table, event.readings[0].meaning)
            actions.not_your_turn(table)


def _while_sealing(table: Table, kind: AnswerKind) -> None:
    """Answers while a move is to be sealed: "nein" cancels the adjournment. Moves are handled elsewhere."""
    if kind in (AnswerKind.NO, AnswerKind.NONE):
        adjourning.cancel(table)
    else:
        table.say("adjourn.seal_now")


def _while_confirming(table: Table, event: Heard, decision: Decision) -> None:
    opened = table.open
    assert opened is not None, "the phase has its question"
    match decision:
        case Reply(answer) if answer.kind is AnswerKind.YES and event.began_ms >= opened.asked_ms:
            commands.confirmed(table)
        case Reply(answer) if answer.kind in (AnswerKind.NO, AnswerKind.NONE):
            questions.declined(table)
        case Reply(answer) if answer.kind is AnswerKind.CHOICE and commands.chosen(table, answer.choice):
            command = commands.chosen(table, answer.choice)
            assert command is not None
            table.step_to_base()
            commands.obey(table, command)
        case Act(command) if opened.either and command.name in {one.name for one in opened.either}:
            table.step_to_base()
            commands.obey(table, command)
        case Act(command) if _says_again(table, event, command) and event.began_ms >= opened.asked_ms:
            commands.confirmed(table)
        case Act(command):
            if commands.is_guess(table) and command.name not in commands.BESIDE_A_GUESS:
                table.step_to_base()  # a player who says what they want did not mean the guess
            commands.obey(table, command)
        case Play() | Ask() | Complete() | AskPromotion() | Refuse():
            # Playing on is not a yes.
            questions.declined(table)
            if table.phase in PLAYERS_TURN:
                _on_turn(table, event, decision)
        case _:
            table.amend_question(replace(opened, unanswered=opened.unanswered + 1))
            if opened.unanswered + 1 >= questions.UNANSWERED:
                questions.declined(table, "confirm.silence")
            else:
                questions.ask_again(table)
                table.say("not_understood.yes_or_no")


def _says_again(table: Table, event: Heard, command: Command) -> bool:
    """Whether the command that is to be confirmed is said again, which is a yes. Where it is confirmed anyway, only a
    typed line counts: the end of "Springer Felix drei zurücknehmen?" may be what the microphone hears."""
    opened = table.open
    typed = event.source is Source.KEYBOARD and opened is not None and opened.command == command
    return typed or commands.is_asked_about(table, command)


def spoken(table: Table, number: int) -> None:
    """Utterance `number` has been spoken or cut short: it can be answered now, and what waited for it continues."""
    questions.said(table, number)
    if table.awaited is not None and table.awaited.number == number:
        timing.speech_ended(table, table.now_ms)
