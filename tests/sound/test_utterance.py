"""For how long nobody has been speaking: by the decoder, by the VAD, and how loud it has been since."""

from __future__ import annotations

from dataclasses import replace

import pytest

from voicechess.meaning import UNKNOWN_WORD, Hypothesis, Word
from voicechess.sound.model import Decoded, DecodedWord
from voicechess.sound.utterance import SILENCE_MARGIN, Frame, OngoingUtterance
from voicechess.sound.vad import FRAME_MS

VOICE, HALF, ROOM = (-20.0, -40.0), (-23.0, -43.0), (-32.0, -52.0)
RUMBLE = (-21.0, -52.0)  # as loud, but without what makes speech
Stretch = tuple[int, tuple[float, float], bool]
WORD = DecodedWord("vier", 0, 400)


def ongoing(*stretches: Stretch) -> OngoingUtterance:
    """Sound of so many milliseconds each, with its levels, speech to the VAD or not."""
    utterance = OngoingUtterance((), 1000, 1000, -50.0)
    for length_ms, levels, loud in stretches:
        for _ in range(0, length_ms, FRAME_MS):
            utterance.take(Frame(bytes(640), levels), loud, utterance.now_ms + FRAME_MS)
    return utterance


def trailing_silence_ms(utterance: OngoingUtterance, *words: DecodedWord) -> int:
    utterance.tail = (Decoded(words, 1.0),)
    return utterance.trailing_silence_ms


def test_after_the_last_word_it_is_quiet_though_noise_is_taken_for_speech() -> None:
    assert trailing_silence_ms(ongoing((400, VOICE, True), (300, ROOM, True)), WORD) == 300


def test_a_word_drawn_out_into_the_noise_ended_when_the_vad_became_inactive() -> None:
    assert trailing_silence_ms(ongoing((400, VOICE, True), (300, ROOM, False)), DecodedWord("vier", 0, 650)) == 300


def test_a_vad_that_missed_the_last_word_does_not_count() -> None:
    deaf = ongoing((300, VOICE, True), (600, ROOM, False))
    assert trailing_silence_ms(deaf, DecodedWord("eva", 0, 300), DecodedWord("vier", 400, 700)) == 200


@pytest.mark.parametrize(("since", "quiet"), [(VOICE, 0), (HALF, 0), (ROOM, 300), (RUMBLE, 300)])
def test_what_is_no_word_counts_when_it_is_as_loud_as_the_voice(since: tuple[float, float], quiet: int) -> None:
    utterance = ongoing((400, VOICE, True), (300, since, True))
    assert trailing_silence_ms(utterance, WORD, DecodedWord(UNKNOWN_WORD, 420, 700)) == quiet


def test_speech_without_a_word_is_quiet_when_it_has_ended() -> None:
    assert trailing_silence_ms(ongoing((900, VOICE, True)), DecodedWord(UNKNOWN_WORD, 0, 300)) == 600


def test_without_any_word_only_the_vad_can_tell() -> None:
    assert trailing_silence_ms(ongoing((400, VOICE, True), (200, ROOM, False))) == 200
    assert trailing_silence_ms(ongoing((400, VOICE, True), (200, ROOM, True))) == 0


def test_where_the_decoder_heard_nothing_but_silence_it_is_over() -> None:
    utterance = ongoing((400, ROOM, True))
    utterance.end_segment()
    assert trailing_silence_ms(utterance) == 400


def test_segments_and_what_follows_are_joined_the_likeliest_first() -> None:
    utterance = ongoing((900, VOICE, True))
    utterance.segments = [(Decoded((DecodedWord("eva", 0, 200),), 2.0), Decoded((DecodedWord("anna", 0, 200),), 1.5))]
    utterance.tail = (Decoded((WORD,), 3.0), Decoded((DecodedWord("fünf", 0, 400),), 1.0))
    assert [one.text for one in utterance.hypotheses(3)] == ["eva vier", "anna vier", "eva fünf"]
    assert utterance.text == "eva vier"
    assert utterance.words[0].began_ms == 1000


def test_a_stretch_of_it_begins_and_ends_where_it_is_wanted() -> None:
    before = Frame(b"\x00\x00" * 320, ROOM)
    utterance = OngoingUtterance((before,), 0, 1000, -50.0)
    for number in range(1, 11):
        utterance.take(Frame(bytes((number, 0)) * 320, VOICE), True, utterance.now_ms + FRAME_MS)
    assert utterance.sound(1020, 1060) == (bytes((2, 0)) * 320 + bytes((3, 0)) * 320, 1020)
    assert utterance.sound(0, 1000) == (before.pcm, 980)
    assert utterance.sound(1180, 5000) == (bytes((10, 0)) * 320, 1180)


def test_words_much_less_likely_than_silence_were_not_said() -> None:
    utterance = ongoing((400, VOICE, True))
    for below, heard in ((0.0, ["vier"]), (SILENCE_MARGIN - 0.1, ["vier"]), (SILENCE_MARGIN + 0.1, [])):
        utterance.tail = (Decoded((), 10.0), Decoded((WORD,), 10.0 - below))
        assert [one.text for one in utterance.hypotheses(8)] == heard
    # Beside other words they are what else may have been said.
    before = DecodedWord("eva", 0, 300)
    utterance.tail = (Decoded((before,), 10.0), Decoded((before, WORD), 10.0 - SILENCE_MARGIN - 0.1))
    assert [one.text for one in utterance.hypotheses(8)] == ["eva", "eva vier"]


@pytest.mark.parametrize(("before", "led_db"), [(VOICE, 0.0), (ROOM, 12.0)])
def test_how_loud_it_was_right_before_the_words_is_known_where_somebody_was_heard(
    before: tuple[float, float], led_db: float
) -> None:
    words = Hypothesis((Word("cesar", 1600, 1900), Word("drei", 1900, 2200)))
    assert ongoing((600, before, True), (600, VOICE, True)).with_lead(words).lead_in_below_db == led_db
    assert (
        ongoing((100, before, True), (1100, VOICE, True))
        .with_lead(replace(words, words=words.words[1:]))
        .lead_in_below_db
        == 0.0
    )
    assert ongoing((300, before, True)).with_lead(Hypothesis((Word("drei", 1100, 1300),))).lead_in_below_db is None


def test_a_voice_is_as_loud_as_its_loudest_word_however_long_others_talk() -> None:
    assert ongoing((3000, ROOM, True), (400, VOICE, True), (3000, ROOM, True)).voice_db == pytest.approx(VOICE[0])
    assert ongoing((3000, ROOM, True)).voice_db == pytest.approx(ROOM[0])
    assert ongoing((3000, ROOM, True), (60, VOICE, True), (500, ROOM, True)).voice_db < VOICE[0] - 5  # a tap


def test_when_the_near_voice_was_last_heard_is_known_though_others_go_on() -> None:
    faded = ongoing((400, VOICE, True), (3000, ROOM, True))
    assert faded.now_ms - faded.near_ms == pytest.approx(3000, abs=300)
    two = ongoing((400, VOICE, True), (3000, HALF, True))
    assert two.near_ms == two.now_ms
    again = ongoing((400, VOICE, True), (1500, ROOM, True), (400, VOICE, True))
    assert again.near_ms == again.now_ms
