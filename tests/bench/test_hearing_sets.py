"""What `bench hearing` plays: legal where it should be, illegal where not, repeatable, and apart from tuning."""

from __future__ import annotations

import random

import chess
import numpy as np
import pytest
from numpy.typing import NDArray

from models.bench import natural, samples
from models.bench.announcing import far_miss, meant, middlegames, near_miss, styles
from models.bench.hearing_parts import (
    QUESTION,
    TURN,
    command_forms,
    in_way,
    joined,
    places,
    question_for_rank,
    question_for_yes,
    said_by,
)
from models.bench.hearing_sets import FULL, QUICK, TEST, TUNE, Ground, Sets
from models.bench.samples import Part, Recorded, Spoken, load_recording, recordings
from models.bench.synthesis import SAMPLE_RATE, Voice
from models.bench.vocabulary import Vocabulary
from models.languages.voices import voices
from voicechess.meaning import QuestionKind
from voicechess.messages import Failure
from voicechess.sound import mixing

GERMAN = Vocabulary("de")
POSITIONS = middlegames(30, "tests")


def test_positions_are_middlegames_and_repeat() -> None:
    again = middlegames.__wrapped__(30, "tests")
    assert [(board.fen(), move) for board, move in POSITIONS] == [(board.fen(), move) for board, move in again]
    assert len({board.fen() for board, _ in POSITIONS}) == 30
    assert all(move in board.legal_moves and board.legal_moves.count() >= 12 for board, move in POSITIONS)
    assert middlegames(3, "other")[0][0] != POSITIONS[0][0]


def test_every_style_announces_its_move_and_no_other() -> None:
    for board, _ in POSITIONS[::3]:
        for move in list(board.legal_moves)[::2]:
            for words in styles(board, move, GERMAN).values():
                assert meant(board, words, GERMAN.lexicon) == (move,)


@pytest.mark.parametrize(
    ("fen", "uci", "style", "words"),
    [
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "castling", "kurze rochade"),
        ("r3k3/8/8/8/8/8/8/4K3 b q - 0 1", "e8c8", "castling, other word", "große rochade"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", "short", "anna acht springer"),
        ("4k3/8/8/8/8/8/8/N1N1K3 w - - 0 1", "a1b3", "short", "springer anna bella drei"),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "captures", "eva schlägt david fünf"),
        ("4k3/8/8/8/8/8/7R/4K3 w - - 0 1", "h2h8", "check", "turm hector acht schach"),
    ],
)
def test_announcements_are_what_people_say(fen: str, uci: str, style: str, words: str) -> None:
    assert styles(chess.Board(fen), chess.Move.from_uci(uci), GERMAN)[style] == tuple(words.split())


def test_illegal_announcements_announce_nothing() -> None:
    draw = random.Random(1)
    for board, move in POSITIONS:
        said = next(iter(styles(board, move, GERMAN).values()))
        near = near_miss(board, said, GERMAN.lexicon, draw)
        assert near is not None and sum(a != b for a, b in zip(said, near, strict=True)) == 1
        for words in (near, far_miss(board, GERMAN.lexicon, draw)):
            assert words and meant(board, words, GERMAN.lexicon) == ()


def test_questions_have_the_answer_they_wait_for() -> None:
    asked = [one for board, _ in POSITIONS if (one := question_for_rank(board, 3, GERMAN.lexicon))]
    assert asked and all(chess.square_rank(one.move.to_square) == 3 for one in asked)
    sure = [one for board, _ in POSITIONS if (one := question_for_yes(board, GERMAN.lexicon))]
    assert sure and all(one.move in one.board.legal_moves for one in sure)


def test_every_command_has_a_form() -> None:
    forms = command_forms(GERMAN, random.Random(1))
    assert ("aufgeben",) in forms or ("ich", "gebe", "auf") in forms
    assert len(forms) > 40 and forms == command_forms(GERMAN, random.Random(1))


def test_every_command_is_measured_in_every_place_where_it_is_listened_for() -> None:
    sets = Sets(TEST, FULL, GERMAN)
    elsewhere = [(FULL.commands_elsewhere, place) for place in (QUESTION, *places(GERMAN).values())]
    for count, place in [(FULL.commands, TURN), *elsewhere]:
        items = sets.commands(count, place)
        assert {item.command.name for item in items if item.command} == place.commands & GERMAN.lexicon.commands.keys()
        assert all(item.waits_for == place.waits_for for item in items)


def test_neighbouring_words_of_a_voice_are_one_breath() -> None:
    voice = Voice("m8")
    parts: list[Part] = [Spoken("turm", voice), Spoken("anna", voice), Recorded("x"), Spoken("eva", voice)]
    assert joined(parts) == [Spoken("turm anna", voice), Recorded("x"), Spoken("eva", voice)]


def _speakers(ground: Ground) -> set[str]:
    sets = Sets(ground, QUICK, GERMAN)
    items = [*sets.announcements(60), *sets.illegal(10, near=True), *sets.illegal(10, near=False), *sets.commands(20)]
    assert items == [
        *Sets(ground, QUICK, GERMAN).announcements(60),
        *sets.illegal(10, near=True),
        *sets.illegal(10, near=False),
        *sets.commands(20),
    ]
    assert all(item.voice for item in items)
    return {item.voice.variant for item in items if item.voice} | {item.fen for item in items}


def test_nothing_of_the_tuning_sets_is_in_the_test_sets() -> None:
    test, tuning = _speakers(TEST), _speakers(TUNE)
    assert len(test) > 20 and not test & tuning
    assert set(TEST.voices) <= test and set(TUNE.voices) <= tuning
    assert not set(TEST.noises) & set(TUNE.noises) and TEST.split != TUNE.split


def test_an_item_can_be_said_faster_and_with_an_accent() -> None:
    item = Sets(TEST, QUICK, GERMAN).announcements(1)[0]
    assert item.voice and said_by(item, rate=250, accent="it").voice != item.voice
    assert said_by(item, rate=item.voice.rate) == item


@pytest.mark.shared
def test_all_sets_are_there_with_human_words_and_other_speech() -> None:
    try:
        sets = Sets(TEST, QUICK, GERMAN).all()
    except Failure:
        pytest.skip("the recordings beside the project are not here (VOICECHESS_SHARED)")
    assert {name[0] for name in sets} == set(
        "abcdefghijkln" if any(map(natural.available, voices("de").test)) else "abcdefhijkln"
    ) and all(sets.values())
    names = [item.sample.name for items in sets.values() for item in items]
    assert len(names) == len(set(names))
    assert all(any(isinstance(part, Recorded) for part in item.sample.parts) for item in sets["c spliced"])
    nothing = [item for name in ("d near", "e noise", "e rooms", "i noise") for item in sets[name]]
    assert all(item.move is None and item.command is None for item in nothing)
    ours = OurGameQuestions()
    for item in (*sets["c answers"], *sets["i other speech"], *sets["i noise"], *sets["k answers in noise"]):
        ours.check(item.fen, item.before)
    assert {bool(item.sample.conditions.noise) for item in sets["j corrections"]} == {False, True}
    assert all(item.move and item.before for name in ("j other speech", "j noise") for item in sets[name])


@pytest.mark.parametrize(
    ("fen", "uci", "style", "words"),
    [
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "castling", "castle kingside"),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "captures", "eva takes david five"),
        ("4k3/8/8/8/8/8/7R/4K3 w - - 0 1", "h2h4", "to, other word", "rook hector two goes to hector four"),
    ],
)
def test_announcements_in_english_are_what_people_say(fen: str, uci: str, style: str, words: str) -> None:
    said = styles(chess.Board(fen), chess.Move.from_uci(uci), Vocabulary("en"))[style]
    assert said == tuple(words.split())


@pytest.mark.shared
def test_english_has_the_sets_that_german_has() -> None:
    try:
        german, english = (Sets(TUNE, QUICK, Vocabulary(code)).all() for code in ("de", "en"))
    except Failure:
        pytest.skip("the recordings beside the project are not here (VOICECHESS_SHARED)")
    alike = {name for name in german if name[0] not in "gn"}
    own = {f"m {way}{kind}" for way in Vocabulary("en").ways for kind in ("", ", illegal", " in rooms 10 dB")}
    assert own == {name for name in english if name[0] == "m"} and len(own) == 9
    assert {name for name in english if name[0] not in "gmn" and "English" not in name} == alike
    assert {name for name in english if "English" in name} == {"l English talker 20 dB", "l English talker 10 dB"}
    assert all(english.values())
    spoken = [items for name, items in english.items() if name[0] != "n"]
    parts = [part for items in spoken for item in items for part in item.sample.parts]
    assert {part.voice.language for part in parts if isinstance(part, Spoken)} == {"en"}
    assert {part.language for part in parts if isinstance(part, Recorded)} == {"en"}


def test_each_way_to_say_a_square_means_the_same_move() -> None:
    english = Vocabulary("en")
    items = Sets(TUNE, QUICK, english).announcements(40)
    said = {name: in_way(items, way) for name, way in english.ways.items()}
    for name, others in said.items():
        for item in others:
            for words in (item.sample.words, item.again):
                moves = meant(chess.Board(item.fen), words, english.lexicon)
                assert [move.uci() for move in moves] == [item.move], (name, words)
    parts = [item.sample.parts[0] for item in said["letters"]]
    read = {word for part in parts if isinstance(part, Spoken) for word in part.text.split()}
    assert {"bee", "eh"} <= read and "a" not in read, "a voice would read an article"
    assert {word for item in said["German numerals"] for word in item.sample.words} >= {"eva", "drei"}


def test_what_is_announced_in_another_language_is_no_row_of_names_and_numbers() -> None:
    items = Sets(TUNE, QUICK, Vocabulary("en")).foreign_announcements("de", 30)
    names = {word for words in (*GERMAN.lexicon.files, *GERMAN.lexicon.ranks) for word in words}
    assert all(set(item.sample.words) - names for item in items)
    assert {item.voice.language for item in items if item.voice} == {"de"}
    for item in items:
        assert [move.uci() for move in meant(chess.Board(item.fen), item.sample.words, GERMAN.lexicon)] == [item.move]


@pytest.mark.shared
def test_a_crowd_is_many_people_at_once_none_of_whom_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []

    def load(path: str, code: str = "de") -> NDArray[np.float32]:
        heard.append(path)
        return load_recording(path, code)

    monkeypatch.setattr(samples, "load_recording", load)
    try:
        mixed = samples.crowd.__wrapped__()
    except Failure:
        pytest.skip("the recordings beside the project are not here (VOICECHESS_SHARED)")
    assert len(mixed) == samples.CROWD_SECONDS * SAMPLE_RATE
    seconds = [mixing.active_dbfs(mixed[at : at + SAMPLE_RATE]) for at in range(0, len(mixed), SAMPLE_RATE)]
    assert min(seconds) > mixing.NOMINAL_DBFS - 6, "it is never silent"
    assert len(set(heard)) > 50 and not set(heard) & {one.path for one in recordings("check")}


@pytest.mark.shared
def test_nobody_talks_in_the_rooms_of_both_grounds() -> None:
    rooms = [
        {
            noise
            for of_ground in (ground.rooms, *ground.talk.values())
            for room in of_ground.values()
            for noise in room.noises
            if noise
        }
        for ground in (TEST, TUNE)
    ]
    talkers = [{noise.partition(" ")[2] for noise in noises if " " in noise} for noises in rooms]
    assert not rooms[0] & rooms[1] and not talkers[0] & talkers[1]
    try:
        people = [
            {one.speaker for one in recordings(split)} | {f"en/{one.speaker}" for one in recordings(split, "en")}
            for split in ("check", "train")
        ]
    except Failure:
        pytest.skip("the recordings beside the project are not here (VOICECHESS_SHARED)")
    for named, noises, known, split in zip(talkers, rooms, people, ("check", "train"), strict=True):
        assert named and named <= known
        recorded = [noise for noise in noises if " " not in noise]
        assert all((samples.shared_folder() / "noise" / split / f"{noise}.flac").is_file() for noise in recorded)


@pytest.mark.shared
def test_a_talker_on_television_has_no_more_than_its_loudspeaker_gives() -> None:
    try:
        near, far = (samples.talker(f"{kind}emodb08") for kind in (samples.TALKER, samples.TELEVISION))
    except Failure:
        pytest.skip("the recordings beside the project are not here (VOICECHESS_SHARED)")
    assert len(near) == samples.TALKER_SECONDS * SAMPLE_RATE

    def high(sound: NDArray[np.float32]) -> float:
        spectrum = np.abs(np.fft.rfft(sound)) ** 2
        return float(spectrum[len(spectrum) * 6 // 8 :].sum() / spectrum.sum())

    assert high(far) < high(near) / 10


class OurGameQuestions:
    """The words before an answer really lead to a question."""

    def check(self, fen: str, before: str) -> None:
        from models.bench.deciders import OurGame
        from models.bench.hearing_parts import Item
        from models.bench.samples import Sample

        dialogue = OurGame(GERMAN.lexicon).begin(Item(Sample("", ()), fen, before))
        assert dialogue.expectation.asked.kind in (QuestionKind.COMPLETE, QuestionKind.WHICH_MOVE), (fen, before)
