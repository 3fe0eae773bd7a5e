"""Utterances out of blocks, with a decoder that says what the test wrote."""

from __future__ import annotations

import pytest

from tests.sound.fakes import RATE, ScriptedModel, hush, tone
from voicechess.meaning import RecognisedUtterance
from voicechess.sound import recogniser as recogniser_module
from voicechess.sound.devices.interfaces import Block
from voicechess.sound.model import LikelihoodScaling
from voicechess.sound.pcm import level_db
from voicechess.sound.recogniser import (
    Completeness,
    Recogniser,
    recognise,
)
from voicechess.sound.vad import FRAME_MS, VoiceActivityDetector

WORDS = ("turm", "eva", "zwei")


def heard(model: ScriptedModel, pcm: bytes, completeness: Completeness = Completeness.COMPLETE) -> RecognisedUtterance:
    recogniser = Recogniser(model, RATE)
    recogniser.expect(WORDS, lambda _text: completeness)
    found = recognise(recogniser, pcm)
    assert len(found) == 1
    return found[0]


def test_an_utterance_has_its_words_and_their_times() -> None:
    utterance = heard(ScriptedModel(["turm", "eva", "zwei"]), hush(1000) + tone(600) + hush(1500))
    assert utterance.hypotheses[0].text == "turm eva zwei"
    assert abs(utterance.began_ms - 1000) <= 40
    assert abs(utterance.ended_ms - 1600) <= 40
    assert [word.ended_ms - word.began_ms for word in utterance.hypotheses[0].words] == [200, 200, 200]


def test_a_word_or_two_are_heard_again_slower_and_faster() -> None:
    model = ScriptedModel(["turm", "eva"], otherwise=["turm anna", ""])
    utterance = heard(model, hush(1000) + tone(400) + hush(1500))
    assert utterance.hypotheses[0].text == "turm eva"
    assert [(one.text, one.speed) for one in utterance.hypotheses[-2:]] == [("turm anna", 0.9), ("", 1.1)]
    slower, faster = (len(sound) for sound in model.decoders[-1].by_themselves)
    assert abs(slower * 0.9 / (faster * 1.1) - 1) < 0.01
    again = utterance.hypotheses[-2].words
    assert utterance.began_ms - 200 <= again[0].began_ms <= utterance.began_ms
    assert abs(again[-1].ended_ms - utterance.endpoint_ms) <= 60


def test_of_words_heard_again_it_is_known_how_loud_they_were() -> None:
    model = ScriptedModel(["turm", "eva"], otherwise=["turm anna", "turm anna"])
    utterance = heard(model, hush(1000) + tone(200, 8000) + tone(200, 4000) + hush(1500))
    assert [[word.below_db > 3 for word in one.words] for one in utterance.hypotheses[-2:]] == [[False, True]] * 2


def test_a_whole_announcement_is_not_heard_again() -> None:
    model = ScriptedModel(["turm", "eva", "zwei"])
    utterance = heard(model, hush(1000) + tone(600) + hush(1500))
    assert {one.speed for one in utterance.hypotheses} == {1.0}
    assert not model.decoders[-1].by_themselves


@pytest.mark.parametrize("amplitude", [30, 300, 1000])
def test_how_loud_the_room_was_before_it_is_told(amplitude: int) -> None:
    room = tone(4000, amplitude)
    utterance = heard(ScriptedModel(["turm", "eva", "zwei"]), room + tone(600) + room[: 2 * RATE])
    assert utterance.level is not None and utterance.level.floor_db == pytest.approx(level_db(room), abs=0.5)


def talk(ms: int, amplitude: int) -> bytes:
    """Somebody else: words, and pauses between them in which it is quiet."""
    return (tone(240, amplitude) + hush(160)) * (ms // 400)


@pytest.mark.parametrize("amplitude", [400, 1000])
def test_others_who_talk_make_the_room_loud_though_they_pause(amplitude: int) -> None:
    model = ScriptedModel(["turm", "eva", "zwei"])
    utterance = heard(model, hush(600) + tone(600) + hush(160) + talk(800, amplitude), Completeness.INCOMPLETE)
    assert utterance.level is not None and utterance.level.floor_db == pytest.approx(
        level_db(tone(400, amplitude)), abs=1
    )


def test_a_knock_makes_no_room_loud() -> None:
    model = ScriptedModel(["turm", "eva", "zwei"])
    utterance = heard(model, hush(1600) + tone(40) + hush(800) + tone(600) + hush(1500))
    assert utterance.level is not None and utterance.level.floor_db < -50


def test_how_well_speech_fits_is_told_by_models_whose_scores_tell() -> None:
    sound = hush(1000) + tone(400) + hush(1500)
    model = ScriptedModel(["turm", "eva"], scaling=LikelihoodScaling(shift=2.0), otherwise=["turm anna", ""])
    best, *_, slower, _ = heard(model, sound).hypotheses
    assert best.fit == pytest.approx((best.log_likelihood + recogniser_module.EDGE_LOG_LIKELIHOOD) / 0.4 + 2, abs=0.01)
    assert slower.speed == 0.9 and slower.fit is None
    other = ScriptedModel(["turm", "eva"], otherwise=["turm anna", ""])
    assert {one.fit for one in heard(other, sound).hypotheses} == {None}


def test_times_are_those_of_the_blocks() -> None:
    recogniser = Recogniser(ScriptedModel(["turm"]), RATE)
    recogniser.expect(WORDS)
    (utterance,) = recognise(recogniser, hush(500) + tone(200) + hush(500), began_ms=100_000)
    assert abs(utterance.began_ms - 100_500) <= 40


@pytest.mark.parametrize(
    ("completeness", "silence_ms"),
    [
        (Completeness.CERTAIN, 140),
        (Completeness.COMPLETE, 250),
        (Completeness.MAY_GO_ON, 500),
        (Completeness.INCOMPLETE, 900),
        (Completeness.BEGUN, 2500),
    ],
)
def test_what_can_go_on_is_waited_for(completeness: Completeness, silence_ms: int) -> None:
    utterance = heard(ScriptedModel(["turm"]), hush(500) + tone(200) + hush(2500), completeness)
    assert silence_ms <= utterance.endpoint_ms - utterance.ended_ms < silence_ms + 100


def test_the_words_are_known_before_the_silence_after_them_is_over() -> None:
    """Looked at once, when the gate has closed; what is told then can be got ready, and the end costs nothing more."""
    model = ScriptedModel(["turm", "eva", "zwei"])
    recogniser = Recogniser(model, RATE)
    judged: list[str] = []

    def certain(text: str) -> Completeness:
        judged.append(text)
        return Completeness.CERTAIN if text == "turm eva zwei" else Completeness.INCOMPLETE

    recogniser.expect(WORDS, certain)
    told: list[tuple[str, int]] = []
    now_ms = 0
    recogniser.likely = lambda words: told.append((words, now_ms))
    found: list[RecognisedUtterance] = []
    sound = hush(1000) + tone(600) + hush(1500)
    for now_ms in range(20, len(sound) // (2 * RATE // 1000), 20):
        looks = model.decoders[-1].looks if model.decoders else 0
        block = Block(sound[2 * RATE * (now_ms - 20) // 1000 : 2 * RATE * now_ms // 1000], now_ms)
        if (utterance := recogniser.feed(block)) is not None:
            found.append(utterance)
            assert looks == model.decoders[-1].looks, "the silence is not decoded"
    assert [utterance.hypotheses[0].text for utterance in found] == ["turm eva zwei"]
    assert [words for words, _ in told] == ["turm eva zwei"]
    assert told[0][1] <= found[0].endpoint_ms - 40
    assert 140 <= found[0].endpoint_ms - found[0].ended_ms <= 180
    assert len(judged) == len(set(judged)), "no words are judged twice"


def test_a_noise_as_loud_as_speech_does_not_hide_its_end() -> None:
    """The gate stays open: what tells is that no word follows."""
    utterance = heard(ScriptedModel(["turm"]), hush(500) + tone(200) + tone(2000, 900), Completeness.CERTAIN)
    assert 250 <= utterance.endpoint_ms - utterance.ended_ms <= 370
    utterance = heard(ScriptedModel(["turm"]), hush(500) + tone(200) + tone(2000, 6000), Completeness.CERTAIN)
    assert 140 + 450 <= utterance.endpoint_ms - utterance.ended_ms <= 260 + 450, "it may be the voice that goes on"


@pytest.mark.parametrize(
    ("completeness", "pause_ms"),
    [
        (Completeness.CERTAIN, 60),
        (Completeness.CERTAIN, 120),
        (Completeness.COMPLETE, 120),
        (Completeness.COMPLETE, 220),
    ],
)
def test_a_voice_that_goes_on_is_not_cut_off(completeness: Completeness, pause_ms: int) -> None:
    """ "gegen den Computer" was answered while "mit Schwarz und fünf Minuten" was being said (issue 50)."""
    sound = hush(500) + tone(200) + hush(pause_ms) + tone(600) + hush(1500)
    assert (
        heard(ScriptedModel(["turm", "eva", "zwei", "an"]), sound, completeness).hypotheses[0].text
        == "turm eva zwei an"
    )


@pytest.mark.parametrize(("echo_ended_ms", "texts"), [(600, ["turm", "eva zwei an"]), (400, ["turm eva zwei an"])])
def test_behind_an_echo_nothing_goes_on(echo_ended_ms: int, texts: list[str]) -> None:
    """ "Zwei Spieler, Weiß beginnt" and the player's "Eva vier" became one utterance, the program's own."""
    recogniser = Recogniser(ScriptedModel(["turm", "eva", "zwei", "an"]), RATE)
    recogniser.expect(WORDS, lambda _text: Completeness.COMPLETE)
    recogniser.echo_ended_ms = lambda: echo_ended_ms
    sound = hush(500) + tone(200) + hush(220) + tone(600) + hush(1500)
    assert [one.hypotheses[0].text for one in recognise(recogniser, sound)] == texts


def test_words_too_soft_for_the_vad_are_waited_for() -> None:
    room, soft = tone(4000, 900), tone(200, 1100)
    recogniser = Recogniser(ScriptedModel(["turm", "eva", "zwei", "an"]), RATE)
    recogniser.expect(WORDS, lambda _text: Completeness.MAY_GO_ON)
    found = recognise(recogniser, room + tone(200) + 3 * soft + tone(1500, 900))
    assert found[0].hypotheses[0].text == "turm eva zwei an"
    assert 500 <= found[0].endpoint_ms - 4800 <= 620


def test_a_pause_in_an_incomplete_sentence_does_not_end_it() -> None:
    def completeness(text: str) -> Completeness:
        return Completeness.COMPLETE if len(text.split()) == 3 else Completeness.INCOMPLETE

    recogniser = Recogniser(ScriptedModel(["turm", "eva", "zwei"]), RATE)
    recogniser.expect(WORDS, completeness)
    found = recognise(recogniser, hush(500) + tone(200) + hush(700) + tone(400) + hush(1500))
    assert [utterance.hypotheses[0].text for utterance in found] == ["turm eva zwei"]


@pytest.mark.parametrize("pause_ms", [900, 1500, 2000, 2080])
def test_whoever_thinks_in_the_middle_of_a_move_has_said_one_move(pause_ms: int) -> None:
    """Also where the rest has only just begun when the pause has been long enough: its first word is not known yet."""

    def completeness(text: str) -> Completeness:
        return Completeness.COMPLETE if len(text.split()) == 3 else Completeness.BEGUN

    recogniser = Recogniser(ScriptedModel(["turm", "eva", "zwei"], end_at=frozenset([9])), RATE)
    recogniser.expect(WORDS, completeness)
    found = recognise(recogniser, hush(500) + tone(200) + hush(pause_ms) + tone(400) + hush(3000))
    assert [utterance.hypotheses[0].text for utterance in found] == ["turm eva zwei"]


def test_noise_after_the_beginning_of_a_move_does_not_hide_its_end() -> None:
    utterance = heard(ScriptedModel(["turm"]), hush(500) + tone(200) + tone(4000, 900), Completeness.BEGUN)
    assert utterance.endpoint_ms - utterance.ended_ms <= 2500 + 450 + 150


def test_what_leads_to_the_first_word_is_kept_when_something_else_is_expected() -> None:
    model = ScriptedModel(["turm"])
    recogniser = Recogniser(model, RATE)
    recogniser.expect(["turm"])
    assert recogniser.feed(Block(hush(200) + tone(40), 240)) is None
    recogniser.expect(["eva"])
    assert recogniser.feed(Block(tone(160), 400)) is None
    assert recogniser.since_ms == pytest.approx(260, abs=20)
    recogniser.feed(Block(hush(500), 900))
    assert tone(200) in b"".join(model.decoders[0].fed)


def test_two_sentences_are_two_utterances() -> None:
    recogniser = Recogniser(ScriptedModel(["turm", "eva"]), RATE)
    recogniser.expect(WORDS)
    found = recognise(recogniser, hush(500) + tone(200) + hush(700) + tone(200) + hush(700))
    assert [utterance.hypotheses[0].text for utterance in found] == ["turm", "eva"]
    assert found[1].began_ms - found[0].began_ms == pytest.approx(900, abs=40)


def test_an_end_the_decoder_finds_itself_loses_no_words() -> None:
    model = ScriptedModel(["turm", "eva", "zwei"], end_at=frozenset(range(4, 100, 3)))
    recogniser = Recogniser(model, RATE)
    recogniser.expect(WORDS, lambda text: Completeness.COMPLETE if len(text.split()) == 3 else Completeness.INCOMPLETE)
    found = recognise(recogniser, hush(500) + tone(200) + hush(300) + tone(400) + hush(1200))
    assert [utterance.hypotheses[0].text for utterance in found] == ["turm eva zwei"]


def test_hypotheses_differ_and_are_sorted() -> None:
    utterance = heard(ScriptedModel(["turm"]), hush(500) + tone(200) + hush(900))
    texts = [hypothesis.text for hypothesis in utterance.hypotheses if hypothesis.speed == 1.0]
    assert texts == ["turm", "[unk]"]
    assert utterance.hypotheses[0].log_likelihood > utterance.hypotheses[1].log_likelihood


def test_noise_without_words_is_nothing() -> None:
    recogniser = Recogniser(ScriptedModel([]), RATE)
    recogniser.expect(WORDS)
    assert recognise(recogniser, hush(500) + tone(300) + hush(1500)) == []


def test_silence_never_reaches_the_decoder() -> None:
    model = ScriptedModel(["turm"])
    recogniser = Recogniser(model, RATE)
    recogniser.expect(WORDS)
    recognise(recogniser, hush(20_000))
    assert model.decoders == []
    recognise(recogniser, tone(200) + hush(20_000))
    assert len(b"".join(model.decoders[0].fed)) < 2 * RATE


def test_the_first_word_is_not_cut() -> None:
    model = ScriptedModel(["turm"])
    recogniser = Recogniser(model, RATE)
    recogniser.expect(WORDS)
    recognise(recogniser, hush(1000) + tone(200) + hush(1000))
    sound = b"".join(model.decoders[0].fed)
    assert tone(200) in sound
    assert sound.index(tone(200)) >= 2 * RATE * 60 // 1000


def test_phrases_with_unknown_words_are_left_out_and_told() -> None:
    model = ScriptedModel(["turm"], lacks=("rochade",))
    recogniser = Recogniser(model, RATE)
    recogniser.expect(["turm", "kurze rochade", "turm"])
    recognise(recogniser, tone(200) + hush(600))
    assert recogniser.unsayable == ("kurze rochade",)
    assert model.decoders[0].phrases == ("turm", "[unk]")


def test_other_phrases_take_another_decoder_and_the_same_ones_keep_it() -> None:
    model = ScriptedModel(["turm", "turm", "turm"])
    recogniser = Recogniser(model, RATE)
    for phrases in (["turm"], ["turm"], ["eva"]):
        recogniser.expect(phrases)
        recognise(recogniser, tone(200) + hush(600))
    assert [decoder.phrases[0] for decoder in model.decoders] == ["turm", "eva"]


def test_a_decoder_is_replaced_after_much_sound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recogniser_module, "RENEW_AFTER_MS", 10_000)
    model = ScriptedModel(["turm"] * 1000)
    recogniser = Recogniser(model, RATE)
    recogniser.expect(["turm"])
    for _ in range(15):
        recognise(recogniser, tone(600) + hush(400))
    assert len(model.decoders) == 2


def test_endless_noise_ends_after_the_longest_time() -> None:
    recogniser = Recogniser(ScriptedModel(["turm"] * 100), RATE)
    recogniser.expect(WORDS)
    found = recognise(recogniser, b"".join(tone(400) + hush(100) for _ in range(30)))
    assert found
    assert found[0].endpoint_ms - found[0].began_ms <= 12_200


def test_others_who_talk_on_keep_nobody_from_an_answer() -> None:
    """ "Pause", not understood, was answered when the talk behind it had lasted twelve seconds."""
    recogniser = Recogniser(ScriptedModel(["turm"] + ["eva"] * 100), RATE)
    recogniser.expect(WORDS, lambda _text: Completeness.INCOMPLETE)
    talked = (tone(360, 2000) + hush(40)) * 20
    found = recognise(recogniser, hush(600) + tone(200) + talked)
    assert 2_900 <= found[0].endpoint_ms - 800 <= 3_500


def test_a_click_is_no_speech_and_a_hum_becomes_the_room() -> None:
    detector = VoiceActivityDetector()
    frame = 2 * RATE * FRAME_MS // 1000
    assert not any(detector.push(tone(20)) for _ in range(2))
    detector.push(hush(20))
    hum = tone(8000, 600)
    states = [detector.push(hum[start : start + frame]) for start in range(0, len(hum), frame)]
    assert states[10]
    assert not states[-1]
    assert detector.floor_db > -40


def fed(recogniser: Recogniser, pcm: bytes, from_ms: int = 0) -> list[RecognisedUtterance]:
    """What is heard in this, which begins then, without an end of the sound."""
    step = 2 * RATE // 50
    blocks = (
        Block(pcm[first : first + step], from_ms + (first + step) * 1000 // (2 * RATE))
        for first in range(0, len(pcm), step)
    )
    return [utterance for block in blocks if (utterance := recogniser.feed(block)) is not None]


@pytest.mark.parametrize(
    ("script", "player_db", "nobodys"),
    [
        ([], None, True),  # talks on without a word of ours
        (["turm"] * 20, None, False),
        (["turm"] * 20, -10.0, False),
        (["turm"] * 20, 0.0, True),  # far softer than the player
    ],
)
def test_who_does_not_speak_to_the_program_is_nobody(script: list[str], player_db: float | None, nobodys: bool) -> None:
    recogniser = Recogniser(ScriptedModel(script), RATE)
    recogniser.expect(WORDS, lambda _text: Completeness.INCOMPLETE)
    recogniser.player_db = lambda: player_db
    fed(recogniser, hush(1000) + tone(200))
    assert recogniser.hearing and not recogniser.is_background, "it may be the beginning of a word"
    fed(recogniser, tone(1600), 1200)
    assert recogniser.hearing and recogniser.is_background is nobodys


def test_talk_without_a_word_of_ours_is_decoded_once() -> None:
    model = ScriptedModel([])
    recogniser = Recogniser(model, RATE)
    recogniser.expect(WORDS)
    fed(recogniser, hush(1000) + (tone(1700) + hush(200)) * 4)
    assert recogniser.hearing and model.decoders[-1].looks == 0
    fed(recogniser, hush(900), 8600)
    assert not recogniser.hearing and model.decoders[-1].looks == 0


def test_talk_far_off_is_not_decoded_until_it_ends_or_the_player_speaks() -> None:
    model = ScriptedModel(["turm", "eva", "zwei"])
    recogniser = Recogniser(model, RATE)
    recogniser.expect(WORDS, lambda text: Completeness.COMPLETE if text == "turm eva zwei" else Completeness.BEGUN)
    recogniser.player_db = lambda: -12.0
    fed(recogniser, hush(1000) + talk(8000, 900))
    (decoder,) = model.decoders
    assert sum(map(len, decoder.fed)) < 2 * RATE // 2
    (utterance,) = fed(recogniser, tone(600) + talk(2000, 900), 9000)
    assert utterance.hypotheses[0].text == "turm eva zwei"
    assert sum(map(len, decoder.fed)) < 2 * RATE * 6, "of the talk no more than the end"
    assert abs(utterance.ended_ms - 9600) <= 40


def test_the_player_is_heard_though_they_speak_far_more_softly_than_before() -> None:
    recogniser = Recogniser(ScriptedModel(["turm", "eva", "zwei"]), RATE)
    recogniser.expect(WORDS)
    recogniser.player_db = lambda: 0.0
    (utterance,) = fed(recogniser, hush(1000) + tone(600, 2000) + hush(1500))
    assert utterance.hypotheses[0].text == "turm eva zwei"
    assert abs(utterance.ended_ms - 1600) <= 40
