"""The calibration: what is learnt, that it is bounded, kept and deleted, and that nobody hears worse for it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import chess
import pytest

from voicechess.app.context import Context
from voicechess.app.wiring import Program, WantedDevices
from voicechess.conversations.calibration import MISSES, SILENCE_MS, Calibrating
from voicechess.game import events as ev
from voicechess.game.effects import Effect, Listen, Say
from voicechess.language.confusions import MIN_COST, NO_CONFUSIONS, Confusions, load_confusions
from voicechess.language.lexicon import load
from voicechess.language.personal import MAX_LEARNT, learn, phrases_to_read
from voicechess.language.personal import MIN_UTTERANCES as MIN_FITS
from voicechess.language.readings import interpret
from voicechess.language.thresholds import load_thresholds
from voicechess.meaning import (
    MIN_LEVELS,
    SILENCE_DB,
    Command,
    Expectation,
    Hypothesis,
    Reading,
    SpeakingLevel,
    SpokenMove,
    Word,
    level_of,
)
from voicechess.messages import Failure
from voicechess.moves.decisions import Ask, NotUnderstood, Play, Refuse
from voicechess.moves.matching import decide
from voicechess.storage.personal import Personal, forget_personal, read_personal, write_personal
from voicechess.storage.places import personal_file

THRESHOLDS = load_thresholds()

LEXICON = load("de")
GOOD = SpeakingLevel(-20.0, -6.0, -55.0)
SOFT = SpeakingLevel(-48.0, -36.0, -65.0)
NOISY = SpeakingLevel(-20.0, -6.0, -30.0)
LOUD = SpeakingLevel(-6.0, 0.0, -55.0)
PHRASES = phrases_to_read(LEXICON)


def heard(words: str, at_ms: int, meaning: Command | SpokenMove | None = None) -> ev.Heard:
    readings = (Reading(meaning or SpokenMove(), 0.0, words),)
    return ev.Heard(at_ms=at_ms, readings=readings, words=words, began_ms=at_ms, ended_ms=at_ms)


def keys(effects: tuple[Effect, ...]) -> list[str]:
    return [effect.utterance.key for effect in effects if isinstance(effect, Say)]


def hypothesis(words: str, score: float = 0.0) -> Hypothesis:
    return Hypothesis(tuple(Word(word, 0, 0) for word in words.split()), score)


def test_every_piece_file_and_rank_is_read_twice() -> None:
    words = " ".join(PHRASES).split()
    for entry in (*LEXICON.files, *LEXICON.ranks, *LEXICON.pieces.values()):
        assert words.count(entry[0]) >= 2
    assert len(set(PHRASES)) == len(PHRASES) == 16


def test_what_happens_twice_is_learnt_and_what_happens_once_is_not() -> None:
    twice = [(phrase, phrase.replace("drei", "zwei")) for phrase in PHRASES]
    assert learn(twice, LEXICON) == Confusions({"zwei": {"drei": MIN_COST}})
    once = [(PHRASES[0], PHRASES[0].replace("eins", "drei")), *((phrase, phrase) for phrase in PHRASES[1:])]
    assert learn(once, LEXICON) == Confusions()
    assert learn([(phrase, phrase) for phrase in PHRASES], LEXICON) == Confusions()


def test_a_broken_microphone_teaches_nothing() -> None:
    ranks = [words[0] for words in LEXICON.ranks]
    files = [words[0] for words in LEXICON.files]
    wrong = dict(zip(ranks + files, [*ranks[1:], ranks[0], *files[1:], files[0]], strict=True))
    assert len(wrong) > MAX_LEARNT
    assert learn([(p, " ".join(wrong.get(word, word) for word in p.split())) for p in PHRASES], LEXICON) == Confusions()


def test_nobody_hears_worse_for_it() -> None:
    """Whatever was learnt: every utterance that was played is played as before, and nothing else is played."""
    random = Random(3)
    board = chess.Board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
    expectation = Expectation(board=board)
    measured = load_confusions("de")
    vocabulary = [words[0] for words in (*LEXICON.files, *LEXICON.ranks, *LEXICON.pieces.values())]
    for _ in range(60):
        wrong = {word: random.choice(vocabulary) for word in random.sample(vocabulary, 4)}
        read = [(p, " ".join(wrong.get(word, word) for word in p.split())) for p in PHRASES]
        own = measured.adjusted(learn(read, LEXICON))
        for _ in range(10):
            lines = [" ".join((*random.sample(vocabulary, 2), random.choice(vocabulary[8:16]))) for _ in range(2)]
            evidence = [hypothesis(lines[0]), hypothesis(lines[1], -random.random() * 4)]
            before = decide(board, interpret(evidence, expectation, LEXICON, confusions=measured))
            after = decide(board, interpret(evidence, expectation, LEXICON, confusions=own))
            assert isinstance(after, Play) == isinstance(before, Play), (evidence, before, after)
            assert not isinstance(after, Play) or after == before


def test_it_helps_where_a_word_is_always_taken_for_another() -> None:
    board = chess.Board()
    own = learn([(phrase, phrase.replace("drei", "zwei")) for phrase in PHRASES], LEXICON)
    words = [hypothesis("springer felix zwei")]
    assert isinstance(
        decide(board, interpret(words, Expectation(board=board), LEXICON, confusions=Confusions())), Refuse
    )
    asked = decide(board, interpret(words, Expectation(board=board), LEXICON, confusions=own))
    assert isinstance(asked, Ask) and asked.moves == (chess.Move.from_uci("g1f3"),) and asked.doubt is not None


def test_it_reads_out_listens_and_tells_what_it_learnt() -> None:
    conversation = Calibrating(PHRASES, LEXICON)
    begun = conversation.handle(ev.Started(at_ms=0))
    assert keys(begun) == ["calibrate.intro", "calibrate.read"]
    assert any(isinstance(effect, Listen) for effect in begun)
    said: list[str] = []
    for number, phrase in enumerate(PHRASES):
        assert not conversation.over
        said = keys(conversation.handle(heard(phrase.replace("drei", "zwei"), 1000 * number)))
    assert said == ["calibrate.done", "calibrate.learnt", "calibrate.other_word"]
    assert conversation.learnt == Confusions({"zwei": {"drei": MIN_COST}})


def test_silence_and_the_word_end_break_it_off_and_nothing_is_learnt() -> None:
    silent = Calibrating(PHRASES, LEXICON)
    silent.handle(ev.Started(at_ms=0))
    for number in range(1, MISSES):
        assert keys(silent.handle(ev.Tick(at_ms=number * SILENCE_MS))) == ["calibrate.again", "calibrate.read"]
    assert keys(silent.handle(ev.Tick(at_ms=MISSES * SILENCE_MS))) == ["calibrate.broken_off"]
    ended = Calibrating(PHRASES, LEXICON)
    ended.handle(ev.Started(at_ms=0))
    assert keys(ended.handle(heard("wiederholen", 1, Command("repeat")))) == ["calibrate.read"]
    assert keys(ended.handle(heard("ende", 2, Command("end")))) == ["calibrate.broken_off"]
    assert silent.over and ended.over and silent.learnt is ended.learnt is None


def test_a_device_that_fails_is_said() -> None:
    machine = Calibrating(PHRASES, LEXICON)
    machine.handle(ev.Started(at_ms=0))
    assert keys(machine.handle(ev.DeviceLost(at_ms=1, device="microphone"))) == ["device.microphone_lost"]
    assert keys(machine.handle(ev.DeviceFound(at_ms=2, device="microphone"))) == ["device.microphone_found"]
    missing = ev.DeviceLost(at_ms=3, device="loudspeaker", was_there=False)
    assert keys(machine.handle(missing)) == ["device.loudspeaker_missing"]


def test_it_is_kept_read_and_deleted(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "calibration-de.json"
    assert read_personal(path) is None
    assert not forget_personal(path)
    for learnt in (Personal(Confusions({"zwei": {"drei": 2.7}})), Personal(level=SOFT), Personal(NO_CONFUSIONS, LOUD)):
        write_personal(path, learnt)
        assert read_personal(path) == learnt
    assert forget_personal(path)
    assert read_personal(path) is None


@pytest.mark.parametrize(
    "text",
    [
        *("", "[]", "{", '{"exchanged": 1}', '{"exchanged": {"a": {"b": "x"}}}', "[" * 9999),
        *('{"level": 3}', '{"level": {"speech_db": -20, "peak_db": -3}}'),
        *('{"fit": "x"}', '{"fit": true}', '{"fit": NaN}'),
        '{"level": {"speech_db": NaN, "peak_db": -3, "floor_db": -60}}',
    ],
)
def test_a_damaged_file_is_named_and_not_used(tmp_path: Path, text: str) -> None:
    path = tmp_path / "calibration-de.json"
    path.write_text(text)
    with pytest.raises(Failure) as failure:
        read_personal(path)
    assert failure.value.key == "calibrate.damaged"


def calibrated(levels: list[SpeakingLevel]) -> tuple[Calibrating, list[str]]:
    """A calibration in which every word is heard right, by somebody who speaks so loud."""
    conversation = Calibrating(PHRASES, LEXICON, levels=lambda: levels)
    conversation.handle(ev.Started(at_ms=0))
    said: list[str] = []
    for number, phrase in enumerate(PHRASES):
        said = keys(conversation.handle(heard(phrase, 1000 * number)))
    return conversation, said


@pytest.mark.parametrize(
    ("level", "advice"), [("GOOD", "good"), ("SOFT", "quiet"), ("LOUD", "clipped"), ("NOISY", "noisy")]
)
def test_it_tells_how_loud_somebody_speaks_and_what_to_do(level: str, advice: str) -> None:
    conversation, said = calibrated([globals()[level]] * MIN_LEVELS)
    assert said == ["calibrate.done", f"calibrate.level_{advice}", "calibrate.nothing_learnt"]
    assert conversation.level == globals()[level]
    assert conversation.learnt == NO_CONFUSIONS


def test_a_bang_or_a_cough_is_nobodys_level_and_few_words_tell_nothing() -> None:
    assert calibrated([GOOD] * MIN_LEVELS + [LOUD, NOISY])[0].level == GOOD
    conversation, said = calibrated([LOUD] * (MIN_LEVELS - 1))
    assert conversation.level is None and said == ["calibrate.done", "calibrate.nothing_learnt"]


def fitting(fits: list[float], wrong: int = 0) -> tuple[Calibrating, list[str]]:
    """A calibration in which speech fits like that, and so many phrases are heard wrong, each in its own way."""
    conversation = Calibrating(PHRASES, LEXICON, fits=lambda: fits)
    conversation.handle(ev.Started(at_ms=0))
    said: list[str] = []
    for number, phrase in enumerate(PHRASES):
        said = keys(conversation.handle(heard("was" if number < wrong else phrase, 1000 * number)))
    return conversation, said


def test_somebody_whose_speech_fits_badly_is_taken_for_noise_less_easily(tmp_path: Path) -> None:
    board, path = chess.Board(), tmp_path / "calibration-de.json"
    floor = THRESHOLDS.fit
    usual = [floor + 20.0] * 14
    for fits in (usual, [*usual, floor - 30, floor - 30], [floor - 9.0] * (MIN_FITS - 1)):
        assert fitting(fits)[0].fit is None, "as everybody, but for two coughs; or too little was heard"
    assert fitting([floor - 9.0] * 16, wrong=9)[0].fit is None
    conversation, said = fitting([floor - 9.0] * 16)
    assert said == ["calibrate.done", "calibrate.fit", "calibrate.nothing_learnt"]
    assert conversation.fit is not None
    write_personal(path, Personal(fit=conversation.fit))
    personal = read_personal(path)
    assert personal is not None and personal.anything and personal.fit == conversation.fit
    words = [replace(hypothesis("springer felix drei"), fit=floor - 12.0)]
    for fit, kind in ((floor, NotUnderstood), (personal.fit, Play)):
        readings = interpret(words, Expectation(board=board), LEXICON, fit=fit)
        assert isinstance(decide(board, readings), kind)


def test_levels_are_decibels_below_full_scale() -> None:
    tenth = level_of(0.1, 1.0, -60.0)
    assert (round(tenth.speech_db, 6), tenth.peak_db, tenth.floor_db, tenth.snr_db) == (-20.0, 0.0, -60.0, 40)
    assert level_of(0.0, 0.0, -65.0).speech_db == SILENCE_DB


def test_a_level_changes_nothing_that_is_heard() -> None:
    """Who speaks softly is told so; what is heard of them is taken as it is taken of everybody."""
    measured_costs = load_confusions("de")
    assert measured_costs.adjusted(Personal(level=SOFT).confusions) == measured_costs


def test_what_was_learnt_is_dear_enough_to_be_asked_and_cheap_enough_to_be_offered() -> None:
    assert THRESHOLDS.full < MIN_COST < THRESHOLDS.neighbour


@pytest.mark.parametrize(("lower", "by"), [(None, 0.0), (-9.0, -9.0), (9.0, 0.0)])
def test_a_game_asks_as_little_of_the_speaker_as_was_learnt_but_never_more(lower: float | None, by: float) -> None:
    if lower is not None:
        write_personal(personal_file("de"), Personal(fit=THRESHOLDS.fit + lower))
    wanted = WantedDevices(voice_input=False, voice_output=False)
    with Program(Context.create("de"), wanted) as program:
        assert program.loop.hearing.fit == THRESHOLDS.fit + by
