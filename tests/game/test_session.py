"""What a session shows, what it refuses to be made of, and which clock runs when."""

from __future__ import annotations

import chess
import pytest

from voicechess.app.kinds import session_of
from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings, Player
from voicechess.game.effects import Effect, Hush, Listen, Say, StopThinking, Think
from voicechess.game.phases import Phase
from voicechess.game.repetition import GRACE_MS, LONGEST_GRACE_MS
from voicechess.game.session import Session
from voicechess.language.wording import Wording
from voicechess.meaning import Answer, AnswerKind, Command, Meaning, QuestionKind, Reading, SpokenMove
from voicechess.messages import Failure, Priority

E4 = SpokenMove(to_file=4, to_rank=3)
E5 = SpokenMove(to_file=4, to_rank=4)


def heard(meaning: Meaning, began_ms: int, ended_ms: int, at_ms: int) -> ev.Heard:
    return ev.Heard(
        at_ms=at_ms,
        readings=(Reading(meaning),),
        words="",
        began_ms=began_ms,
        ended_ms=ended_ms,
        source=ev.Source.VOICE,
    )


def say_all(session: Session, effects: tuple[Effect, ...], at_ms: int) -> tuple[Effect, ...]:
    """Everything has been said at `at_ms`; what follows from that."""
    following: tuple[Effect, ...] = ()
    for effect in effects:
        if isinstance(effect, Say):
            following += session.handle(ev.Spoken(at_ms=at_ms, number=effect.utterance.number))
    return following


def started(settings: GameSettings) -> Session:
    session = session_of(settings)
    say_all(session, session.handle(ev.Started(at_ms=0)), 1_000)
    return session


@pytest.mark.parametrize(
    "settings",
    [
        GameSettings(fen="nonsense"),
        GameSettings(fen="8/8/8/8/8/8/8/8 w - - 0 1"),
        GameSettings(fen="kK6/8/8/8/8/8/8/8 w - - 0 1"),
        GameSettings(time="soon"),
        GameSettings(laws=1900),
        GameSettings(chess960=960),
    ],
)
def test_settings_that_cannot_be_played(settings: GameSettings) -> None:
    with pytest.raises(Failure) as refusal:
        session_of(settings)
    assert Wording("de", strict=True).say(refusal.value.phrase)


def test_the_move_costs_the_time_until_its_words_ended() -> None:
    """However long decoding and repeating take, and the machine's time begins when it is told: with the repetition."""
    session = started(GameSettings(time="5"))
    effects = session.handle(heard(E4, 10_000, 11_000, 14_000))
    assert session.phase is Phase.REPEATING
    assert session.board == chess.Board()
    assert [type(effect) for effect in effects if not isinstance(effect, Listen)] == [Say, Think]
    following = say_all(session, effects, 16_000)
    assert session.clock.remaining(chess.WHITE, 20_000) == 300_000 - 10_000
    assert session.clock.remaining(chess.BLACK, 20_000) == 300_000 - 6_000
    assert [effect for effect in following if not isinstance(effect, Listen)] == []


def test_the_announcement_of_the_machines_move_is_not_the_players_time() -> None:
    session = started(GameSettings(time="5"))
    say_all(session, session.handle(heard(E4, 1_500, 2_000, 2_000)), 3_000)
    effects = session.handle(ev.OpponentMoved(at_ms=9_000, uci="e7e5", ended_ms=8_000))
    assert session.clock.remaining(chess.BLACK, 60_000) == 294_000
    assert session.clock.running is None
    say_all(session, effects, 12_000)
    assert session.clock.remaining(chess.WHITE, 13_000) == 300_000 - 1_000 - 1_000


def test_the_rest_of_a_move_that_comes_before_the_question_is_its_rest() -> None:
    """Not a move of its own (a pawn to f3), and the question is not put any more."""
    session = started(GameSettings())
    asked = session.handle(heard(SpokenMove(piece=chess.KNIGHT), 1_500, 2_000, 3_700))
    assert [effect.utterance.priority for effect in asked if isinstance(effect, Say)] == [Priority.PATIENT]
    rest = session.handle(heard(SpokenMove(to_file=5, to_rank=2), 3_650, 4_500, 4_800))
    assert rest[0] == Hush()
    say_all(session, rest, 6_000)
    assert [ply.move.uci() for ply in session.plies] == ["g1f3"]


def test_a_yes_from_before_the_question_is_no_answer_to_it() -> None:
    session = started(GameSettings(fen="4k3/8/8/8/8/8/7P/1N2K3 w - - 0 1"))
    session.handle(heard(SpokenMove(piece=chess.KNIGHT, to_file=2), 1_500, 2_000, 3_700))
    assert session.phase is Phase.CHOOSING
    session.handle(heard(Answer(AnswerKind.YES), 3_650, 4_000, 4_200))
    assert session.phase is Phase.CHOOSING


def test_speech_that_nobody_reports_does_not_stop_the_game() -> None:
    session = started(GameSettings())
    session.handle(heard(E4, 1_500, 2_000, 2_000))
    session.handle(ev.Tick(at_ms=21_000))
    assert not session.plies
    session.handle(ev.Tick(at_ms=22_000))
    assert session.phase is Phase.THINKING


def test_two_people_the_clock_goes_over_when_the_words_ended() -> None:
    session = started(GameSettings(black=Player.VOICE, time="5+2"))
    say_all(session, session.handle(heard(E4, 3_000, 4_000, 4_500)), 6_000)
    assert session.clock.remaining(chess.WHITE, 9_000) == 302_000 - 3_000 + 2_000
    assert session.clock.remaining(chess.BLACK, 9_000) == 302_000 - 5_000


def repeated(settings: GameSettings | None = None) -> Session:
    """e4 was said until 2,000 ms and has been repeated at 3,000, and the microphone listens."""
    session = started(settings or GameSettings())
    effects = session.handle(heard(E4, 1_500, 2_000, 2_000))
    (number,) = (effect.utterance.number for effect in effects if isinstance(effect, Say))
    session.handle(ev.Spoken(at_ms=3_000, number=number, listening=True))
    return session


def test_words_count_as_a_correction_until_the_move_is_made() -> None:
    """However late they were said: only a tick tells that nobody is speaking, and it had not come yet."""
    session = repeated()
    session.handle(heard(Command("correct"), 3_000 + 2 * GRACE_MS, 3_500 + 2 * GRACE_MS, 4_000 + 2 * GRACE_MS))
    assert session.phase is Phase.LISTENING and not session.plies


def test_halt_when_nothing_is_said_is_about_the_move_and_asks() -> None:
    session = repeated()
    effects = session.handle(heard(Command("stop"), 3_100, 3_400, 3_500))
    assert [effect.utterance.key for effect in effects if isinstance(effect, Say)] == ["ask.plain"]
    assert (session.phase, session.plies) == (Phase.CHOOSING, ())
    session.handle(heard(Answer(AnswerKind.NO), 4_500, 4_800, 5_000))
    assert session.phase is Phase.LISTENING and not session.plies


def test_a_move_waits_for_a_tick_in_which_nobody_speaks() -> None:
    session = repeated()
    session.handle(ev.Tick(at_ms=3_000 + GRACE_MS - 1))
    session.handle(ev.Tick(at_ms=3_000 + LONGEST_GRACE_MS - 1, speaking=True))
    assert session.correctable and not session.plies
    session.handle(ev.Tick(at_ms=3_000 + LONGEST_GRACE_MS))
    assert not session.correctable and len(session.plies) == 1


def announced(effects: tuple[Effect, ...]) -> list[str]:
    return [effect.utterance.key for effect in effects if isinstance(effect, Say)]


def test_an_early_answer_is_made_with_the_end_of_the_time_for_a_correction() -> None:
    """Not before, and its clock has run for as long as the machine thought."""
    session = repeated(GameSettings(time="5"))
    early = session.handle(ev.OpponentMoved(at_ms=3_100, uci="e7e5", ended_ms=2_700))
    assert early == () and session.correctable
    assert session.handle(ev.Tick(at_ms=3_000 + GRACE_MS - 1)) == ()
    assert session.handle(ev.Tick(at_ms=3_000 + GRACE_MS, speaking=True)) == (), "nobody is interrupted"
    closed = session.handle(ev.Tick(at_ms=3_100 + GRACE_MS))
    assert announced(closed) == ["move.opponent"]
    assert not any(isinstance(effect, Think) for effect in closed)
    assert [ply.move.uci() for ply in session.plies] == ["e2e4", "e7e5"]
    assert session.clock.remaining(chess.BLACK, 9_000) == 300_000 - 700
    assert session.clock.remaining(chess.WHITE, 9_000) == 300_000 - 1_000


def test_an_answer_to_a_move_that_was_corrected_changes_nothing() -> None:
    """Whether held when the move is corrected or come afterwards without its number being looked at."""
    session = repeated()
    answer = ev.OpponentMoved(at_ms=3_100, uci="e7e5")
    session.handle(answer)
    corrected = session.handle(heard(Command("correct"), 3_200, 3_500, 3_600))
    assert StopThinking() in corrected
    assert session.handle(answer) == ()
    effects = session.handle(heard(SpokenMove(to_file=3, to_rank=3), 6_000, 6_500, 6_600))
    assert any(isinstance(effect, Think) for effect in effects)
    say_all(session, effects, 7_000)
    assert [ply.move.uci() for ply in session.plies] == ["d2d4"]
    assert session.phase is Phase.THINKING, "it is still asked for its answer to this one"


def test_an_answer_that_was_not_asked_for_yet_is_none() -> None:
    """As in the journal of an older program, which asks when the move has been made."""
    session = repeated(GameSettings(black=Player.VOICE))
    assert session.handle(ev.OpponentMoved(at_ms=3_100, uci="e7e5")) == ()
    session.handle(ev.Tick(at_ms=3_000 + GRACE_MS))
    assert [ply.move.uci() for ply in session.plies] == ["e2e4"]


def test_an_early_answer_that_took_all_of_the_machines_time_loses() -> None:
    session = repeated(GameSettings(time="1"))
    session.handle(ev.OpponentMoved(at_ms=62_100, uci="e7e5", ended_ms=62_000))
    session.handle(ev.Tick(at_ms=62_200))
    assert session.ending is not None and session.result == "1-0"


def test_a_move_that_is_repeated_once_more_waits_for_the_end_of_that() -> None:
    session = repeated()
    effects = session.handle(heard(Command("repeat"), 3_100, 3_500, 3_600))
    session.handle(ev.Tick(at_ms=3_600 + LONGEST_GRACE_MS))
    assert session.phase is Phase.REPEATING and not session.correctable, "it is being said"
    (number,) = (effect.utterance.number for effect in effects if isinstance(effect, Say))
    session.handle(ev.Spoken(at_ms=10_000, number=number, listening=True))
    assert session.correctable


def test_listen_comes_only_when_it_has_changed() -> None:
    session = started(GameSettings())
    first = session.handle(heard(Command("time"), 2_000, 3_000, 3_000))
    assert not any(isinstance(effect, Listen) for effect in first)
    second = session.handle(heard(Command("resign"), 4_000, 5_000, 5_000))
    asked = [effect.expectation for effect in second if isinstance(effect, Listen)]
    assert [expectation.asked.kind for expectation in asked] == [QuestionKind.YES_NO]
    assert session.expectation == asked[-1]


def test_the_score_holds_moves_clocks_and_the_end() -> None:
    session = started(GameSettings(black=Player.VOICE, time="5", white_name="A", black_name="B"))
    say_all(session, session.handle(heard(E4, 2_000, 3_000, 3_000)), 3_500)
    say_all(session, session.handle(heard(E5, 6_000, 7_000, 7_000)), 7_500)
    score = session.score
    assert [entry.move.uci() for entry in score.entries] == ["e2e4", "e7e5"]
    assert [entry.white_ms for entry in score.entries] == [298_000, 298_000]
    assert [entry.black_ms for entry in score.entries] == [300_000, 296_000]
    assert (score.white, score.black, score.result, session.result) == ("A", "B", "*", "*")
    assert score.board() == session.board
    assert not session.over


def test_handing_out_the_board_hands_out_no_power() -> None:
    session = started(GameSettings())
    session.board.push_san("e4")
    assert session.board == chess.Board()
