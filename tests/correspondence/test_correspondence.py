"""Correspondence in the session: whatever comes is answered, and the same events give the same game."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from random import Random

import chess
import pytest

from voicechess.app.kinds import session_of
from voicechess.game import events as ev
from voicechess.game.agreement import Correspondence, GameSettings, Player
from voicechess.game.effects import Effect, Listen, Say, ShowLetter
from voicechess.game.session import Session
from voicechess.language.lexicon import load
from voicechess.language.phrases import phrases
from voicechess.language.understanding import understand, understand_all
from voicechess.language.wording import Wording
from voicechess.meaning import Command, Expectation, SpokenMove, Unclear
from voicechess.score.letters import Letter, LineNotation
from voicechess.storage.codec import decode_event, decode_settings, encode_event, encode_settings

GERMAN, ENGLISH = load("de"), load("en")
TERMS = Correspondence(chess.WHITE, LineNotation.GERMAN, "K7QM")
SETTINGS = GameSettings(white=Player.VOICE, black=Player.VOICE, time="50days/10", correspondence=TERMS)
WORDS = (
    "zeile", "zeit", "ja", "nein", "zurücknehmen", "remis", "annehmen", "ablehnen", "korrektur", "hilfe",
    "urlaub drei tage", "zeit abgelaufen", "pause", "falls eva fünf dann springer felix drei",
    "falls", "wiederholen", "zeile in zahlen",
    "hängepartie", "schwarz fehlt", "schiedsrichter weiter", "zurück zu zug eins", "stopp", "speichern", "stellung",
)  # fmt: skip


def heard(session: Session, words: str, at_ms: int, typed: bool = False) -> ev.Heard:
    source = ev.Source.KEYBOARD if typed else ev.Source.VOICE
    readings = understand_all(words, GERMAN, session.expectation, typed)
    return ev.Heard(at_ms=at_ms, readings=readings, words=words, began_ms=at_ms, ended_ms=at_ms, source=source)


def some_letter(random: Random, session: Session) -> Letter:
    """A line that may be right, wrong in any way, or nonsense that no reader would give."""
    board = session.board
    moves = [board.san(move) for move in random.sample(list(board.legal_moves), min(2, board.legal_moves.count()))]
    number = random.choice([None, 0, 1, board.fullmove_number, 9_999])
    odd = random.choice(["", "2026-11-20", "9999-12-31", "0001-01-01", "kein Datum"])
    letter = Letter(
        moves=tuple(random.choice([*moves, "Xy", "0-0", "5254", "99999"]) for _ in range(random.randrange(3))),
        number=number,
        black=random.random() < 0.5,
        key=random.choice(["", "K7QM", "ABCD"]),
        check=random.choice(["", "ABCDEF"]),
        offers_draw=random.random() < 0.3,
        result=random.choice(["", "", "", "1/2-1/2", "?"]),
        received=odd,
        sent=random.choice(["", odd]),
        conditions=(("e5", "Nf3"),) if random.random() < 0.1 else (),
        leave=random.choice([None, None, ("2026-12-01", "2026-12-05"), (odd, odd), ("9999-12-30", "9999-12-31")]),
    )
    single = letter.number is None and not letter.key
    return replace(letter, number=board.fullmove_number, black=not board.turn) if single and moves else letter


@pytest.mark.parametrize("seed", range(12))
def test_whatever_comes_is_answered_and_replayed_to_the_same_game(seed: int) -> None:
    random = Random(seed)
    settings = replace(SETTINGS, correspondence=replace(TERMS, colour=seed % 2 == 0))
    session, fresh, wording = session_of(settings), session_of(settings), Wording("de", strict=True)
    log: list[ev.Event] = []
    unsaid: list[int] = []

    def happen(event: ev.Event) -> None:
        log.append(event)
        effects = session.handle(event)
        for effect in effects:
            if isinstance(effect, Say):
                assert wording.say(effect.utterance)
                unsaid.append(effect.utterance.number)
        answered = any(not isinstance(effect, Listen) for effect in effects)
        assert answered or not isinstance(event, ev.LetterCame), "silence is never an answer"

    happen(ev.DayCame(at_ms=0, day="2026-11-20"))
    happen(ev.Started(at_ms=0))
    for number in range(1, 200):
        at_ms = 5_000 * number
        while unsaid and random.random() < 0.9:
            happen(ev.Spoken(at_ms=at_ms, number=unsaid.pop(0)))
        match random.randrange(6):
            case 0:
                happen(ev.LetterCame(at_ms=at_ms, letter=some_letter(random, session)))
            case 1:
                happen(heard(session, random.choice(WORDS), at_ms))
            case 2:
                day = f"2026-{random.randrange(11, 13)}-{random.randrange(1, 32):02}"  # some are none
                happen(ev.DayCame(at_ms=at_ms, day=day))
            case 3 if random.random() < 0.3:
                happen(random.choice([ev.Resumed(at_ms=at_ms), ev.Suspended(at_ms=at_ms, gap_ms=3_000)]))
            case _:
                legal = list(session.board.legal_moves)
                if legal:
                    happen(heard(session, session.board.san(random.choice(legal)), at_ms, typed=True))
    for event in log:
        fresh.handle(decode_event(encode_event(event)))
    assert (fresh.phase, fresh.plies, fresh.reminders) == (session.phase, session.plies, session.reminders)
    assert len(session.plies) > 5


def test_the_settings_of_a_correspondence_game_are_kept() -> None:
    assert decode_settings(encode_settings(SETTINGS)) == SETTINGS


def test_a_game_from_before_there_was_correspondence_is_none() -> None:
    old = encode_settings(GameSettings()).replace(',"correspondence":null', "")
    assert decode_settings(old).correspondence is None


def test_no_clock_runs_and_sleep_is_nobodys_pause() -> None:
    session = session_of(SETTINGS)
    session.handle(ev.DayCame(at_ms=0, day="2026-11-20"))
    session.handle(ev.Started(at_ms=0))
    session.handle(ev.Suspended(at_ms=90_000_000, gap_ms=80_000_000))
    assert session.phase.value in ("announcing", "listening")
    assert session.clock.remaining(chess.WHITE, 90_000_000) is None


# --- "falls … dann …" -------------------------------------------------------------------------------------------------

HERE = Expectation(board=chess.Board(), commands=frozenset({"suppose"}))
ELSEWHERE = Expectation(board=chess.Board(), commands=frozenset({"help"}))


@pytest.mark.parametrize(
    ("words", "typed"),
    [
        ("falls springer felix sechs dann läufer bella fünf", False),
        ("falls der springer nach felix sechs dann der läufer bella fünf", False),
        ("wenn Sf6 dann Lb5", True),
        ("falls Sf6, dann Lb5", True),
        ("if knight f6 then bishop b5", True),
        ("if Nf6, then Bb5", True),
    ],
)
def test_a_conditional_move_is_two_moves(words: str, typed: bool) -> None:
    for lexicon in (GERMAN, ENGLISH):
        meaning = understand(words, lexicon, HERE, typed)
        assert isinstance(meaning, Command)
        assert meaning.name == "suppose"
        squares = [(move.piece, move.to_file, move.to_rank) for move in meaning.moves]
        assert squares == [(chess.KNIGHT, 5, 5), (chess.BISHOP, 1, 4)]


@pytest.mark.parametrize("heard_for_it", ["an", "en", "kann", "dann"])
def test_a_short_word_between_the_moves_may_be_taken_for_another(heard_for_it: str) -> None:
    """It is told back anyway. The "dann" of a synthetic voice was heard as "an" three times in five."""
    meaning = understand(f"falls eva fünf {heard_for_it} springer felix drei", GERMAN, HERE)
    assert isinstance(meaning, Command)
    assert [(move.piece, move.to_file, move.to_rank) for move in meaning.moves] == [(None, 4, 4), (chess.KNIGHT, 5, 2)]
    assert not isinstance(understand("falls eva fünf an springer felix drei", GERMAN, HERE, typed=True), SpokenMove)


@pytest.mark.parametrize("words", ["falls", "falls eva fünf", "falls eva fünf dann springer", "falls eva fünf dann"])
def test_half_a_conditional_move_is_asked_about_and_never_made(words: str) -> None:
    assert understand(words, GERMAN, HERE) == Command("suppose")


@pytest.mark.parametrize("words", ["wenn das wetter gut", "wenn", "falls dann", "dann eva fünf"])
def test_talk_is_no_conditional_move(words: str) -> None:
    meaning = understand(words, GERMAN, HERE)
    assert isinstance(meaning, Unclear | SpokenMove) or meaning == Command("suppose")
    assert not getattr(meaning, "moves", ())


def test_elsewhere_nobody_listens_for_conditions() -> None:
    assert not isinstance(understand("wenn eva vier dann eva fünf", GERMAN, ELSEWHERE), Command)
    assert not any(phrase.startswith("falls springer") for phrase in phrases(ELSEWHERE, GERMAN))


def test_every_pair_of_words_of_a_conditional_move_is_offered() -> None:
    offered = {pair for phrase in phrases(HERE, GERMAN) for pair in pairwise(phrase.split())}
    for words in (
        "falls springer felix sechs dann läufer bella fünf",
        "falls kurze rochade dann eva acht dame",
        "falls eva fünf dann lange rochade",
        "falls hector acht turm dann könig gustav sieben",
    ):
        assert set(pairwise(words.split())) <= offered, words


def test_the_line_is_shown_and_not_said() -> None:
    session = session_of(SETTINGS)
    effects: list[Effect] = []
    for event in (ev.DayCame(at_ms=0, day="2026-11-20"), ev.Started(at_ms=0)):
        effects += session.handle(event)
    effects += session.handle(heard(session, "e4", 10_000, typed=True))
    for number in range(1, 20):
        effects += session.handle(ev.Spoken(at_ms=11_000, number=number))
    shown = session.handle(heard(session, "zeile", 12_000))
    assert [type(effect) for effect in shown if not isinstance(effect, Listen)] == [Say, ShowLetter]
    (letter,) = [effect.letter for effect in shown if isinstance(effect, ShowLetter)]
    assert (letter.key, letter.moves, letter.sent) == ("K7QM", ("e4",), "2026-11-20")


@pytest.mark.parametrize("introduced", [False, True])
def test_terms_that_were_just_agreed_are_not_told_once_more(introduced: bool) -> None:
    begun = session_of(SETTINGS).handle(ev.Started(at_ms=0, introduced=introduced))
    said = [one.utterance.key for one in begun if isinstance(one, Say)]
    assert ("post.begin" in said) is not introduced
    assert said[-1] == "post.yours"
