"""The near voice's words are told from those beside them by how loud they are."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.sound.fakes import RATE, ScriptedModel, hush, tone
from voicechess.meaning import Hypothesis, Word
from voicechess.sound.island import BYSTANDER_MARGIN_DB, OTHER_TALKER_DB, SINGLE_TALKER_DB, island
from voicechess.sound.recogniser import (
    ISLAND_MARGIN_MS,
    MOST_DEFERRED_MS,
    Completeness,
    EndpointTimeouts,
    Recogniser,
    recognise,
)
from voicechess.sound.utterance import FADE_ALLOWANCE_MS

FAR, SOFT = OTHER_TALKER_DB + 3, OTHER_TALKER_DB - 3
FURTHER = FAR + BYSTANDER_MARGIN_DB


def said(line: str) -> tuple[Word, ...]:
    """Words of 100 ms each, how much softer than the loudest behind a colon."""
    pairs = [word.partition(":") for word in line.split()]
    return tuple(
        Word(text, 100 * at, 100 * at + 100, below_db=float(below or 0)) for at, (text, _, below) in enumerate(pairs)
    )


def test_what_is_softer_at_the_edges_is_cut_off() -> None:
    found = island(said(f"dazu:{FAR} hector:{SOFT} sieben hector sechs:{SOFT} fünf:{FAR} [unk]:{FAR}"))
    assert found is not None
    assert " ".join(word.text for word in found.words) == "hector sieben hector sechs"
    assert [word.text for word in found.before] == ["dazu"]
    assert [word.text for word in found.behind] == ["fünf", "[unk]"]
    assert found.below_db == FAR


@pytest.mark.parametrize(
    "line",
    [
        f"läufer felix:{SOFT} acht",
        f"läufer felix:{FAR} acht",  # nobody interrupts a word, and then lets it go on
        f"springer:{FAR} [unk]",  # nothing near is a word
        f"ja [unk]:{FAR}",  # a single word is not enough
    ],
)
def test_where_nothing_softer_is_beside_words_there_is_no_island(line: str) -> None:
    assert island(said(line)) is None


def text(words: Sequence[Word]) -> str:
    return " ".join(word.text for word in words)


@pytest.mark.parametrize(
    ("line", "near"),
    [
        (f"cesar acht anna sechs:{FAR}", ""),  # a voice sinks at the end
        (f"springer:{FAR} felix drei", "felix drei"),  # that may be a move of its own
        (f"cesar acht anna sechs:{FAR} [unk]:{FAR}", "cesar acht anna"),  # somebody goes on talking
        (f"cesar acht anna sechs:{OTHER_TALKER_DB + SINGLE_TALKER_DB}", "cesar acht anna"),  # too soft by far
        (f"cesar acht anna dazu:{FAR}", "cesar acht anna"),  # nor is it whole with it
        (f"dazu:{FURTHER} cesar acht anna sechs:{FAR} [unk]:{FURTHER}", "cesar acht anna sechs"),  # others: far softer
        (f"cesar acht anna sechs:{FAR} [unk]:{FURTHER - 1}", "cesar acht anna"),
        (f"felix drei vier:{FAR} [unk]:{FURTHER}", "felix drei"),  # whole without it
        (f"dazu:{FURTHER} felix drei:{FAR} [unk]:{FURTHER}", "felix drei"),
    ],
)
def test_a_voice_that_sinks_keeps_its_last_word(line: str, near: str) -> None:
    whole = {"cesar acht anna sechs", "felix drei", "springer felix drei"}
    found = island(said(line), lambda words: text(words) in whole)
    assert (text(found.words) if found else "") == near


def test_a_sinking_voice_is_not_waited_for_any_longer() -> None:
    """Of 60 announcements in a quiet room eight lost their last word for a time, and were waited for."""

    def completeness(words: str) -> Completeness:
        return Completeness.CERTAIN if words == "turm eva zwei" else Completeness.BEGUN

    recogniser = Recogniser(ScriptedModel(["turm", "eva", "zwei"], otherwise=["turm eva"]), RATE)
    recogniser.expect(("turm", "eva", "zwei"), completeness)
    (utterance,) = recognise(recogniser, hush(1000) + tone(400, 8000) + tone(200, 2800) + hush(2500))
    assert utterance.hypotheses[0].text == "turm eva zwei"
    assert utterance.endpoint_ms - 1600 <= 250


def test_softer_words_beside_it_may_have_belonged_to_it() -> None:
    found = island(said(f"[unk]:{FAR} auf:{FAR} gustav eins felix:{FAR} drei:{FAR + 1} [unk]:{FAR} acht:{FAR}"))
    assert found is not None
    wider = list(found.wider(Hypothesis(found.words)))
    assert [(one.text, one.edge_below_db) for one in wider] == [
        ("gustav eins felix", FAR),
        ("gustav eins felix drei", FAR + 1),
        ("auf gustav eins", FAR),
        ("auf gustav eins felix", FAR),
        ("auf gustav eins felix drei", FAR + 1),
    ]


def test_the_near_voice_is_heard_by_itself() -> None:
    model = ScriptedModel(["dazu", "turm", "eva", "zwei"], otherwise=["turm eva zwei"])
    recogniser = Recogniser(model, RATE)
    recogniser.expect(("dazu", "turm", "eva", "zwei"))
    (utterance,) = recognise(recogniser, hush(1000) + tone(200, 2000) + tone(600, 8000) + hush(1500))
    assert [(one.text, one.edge_below_db) for one in utterance.hypotheses] == [
        ("turm eva zwei", None),
        ("dazu turm eva zwei", pytest.approx(12.0 - SINGLE_TALKER_DB, abs=0.5)),
    ]
    assert abs(utterance.began_ms - 1200 + ISLAND_MARGIN_MS) <= 40
    (alone,) = model.decoders[-1].by_themselves
    assert abs(1000 * len(alone) / 2 / RATE - 600 - 2 * ISLAND_MARGIN_MS) <= 40


def test_it_ends_with_the_near_voice_though_others_go_on() -> None:
    model = ScriptedModel(["turm", "eva", "zwei", *["dazu"] * 25], otherwise=["turm eva zwei"])
    recogniser = Recogniser(model, RATE)
    recogniser.expect(("dazu", "turm", "eva", "zwei"))
    talk = b"".join(tone(180, 2000) + hush(20) for _ in range(25))
    first, *_ = recognise(recogniser, hush(1000) + tone(600, 8000) + talk + hush(1500))
    assert first.hypotheses[0].text == "turm eva zwei"
    near = EndpointTimeouts().complete_ms + FADE_ALLOWANCE_MS
    assert near <= first.endpoint_ms - 1600 <= MOST_DEFERRED_MS + near < 2000


@pytest.mark.parametrize(("whole", "soon"), [("wiederholen", True), ("", False)])
def test_so_it_does_with_a_single_long_word_that_is_whole_and_heard_with_what_is_beside_it(
    whole: str, soon: bool
) -> None:
    def completeness(text: str) -> Completeness:
        return Completeness.COMPLETE if text == whole else Completeness.INCOMPLETE

    model = ScriptedModel(["wiederholen", *["dazu"] * 10], word_ms=400)
    recogniser = Recogniser(model, RATE)
    recogniser.expect(("dazu", "wiederholen"), completeness)
    talk = b"".join(tone(180, 2000) + hush(20) for _ in range(25))
    first, *_ = recognise(recogniser, hush(1000) + tone(400, 8000) + talk + hush(1500))
    assert (first.endpoint_ms - 1400 < 2000) == soon
    assert first.hypotheses[0].text.startswith("wiederholen dazu")
