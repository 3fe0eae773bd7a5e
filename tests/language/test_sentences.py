"""The sentences of both languages: the same keys and slots, readable templates, forms that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import voicechess.language
from tests.language.keys import Keys, collected
from voicechess.language.folders import LANGUAGES, lacking_words
from voicechess.language.sentences import Gap, SentencesError, load_sentences, read_template
from voicechess.language.wording import Style
from voicechess.opponents.levels import LEVELS
from voicechess.storage.settings import SETTINGS

WHOLE = ("de", "en")
"""The languages that have every sentence and every word; what another one lacks is English until it is listed here."""


def keys() -> Keys:
    """The keys that the program uses."""
    return collected({key.partition(".")[0] for key in load_sentences("de").templates if "." in key})


def forms(language: str) -> set[str]:
    """Every form that some slot can be said in."""
    tables = load_sentences(language).forms
    declension = {form for table in tables["declension"].values() for form in table}
    sides = {form for table in tables["sides"].values() for form in table}
    numbers = set(tables["numbers"]["one"]) | set(tables["ordinals"]["forms"]) | {"times", "year", "percent"}
    return declension | sides | numbers | {"", "full", "clear", "clock"}


def test_every_folder_with_sentences_is_a_language() -> None:
    folder = Path(voicechess.language.__file__).parent
    assert {path.parent.name for path in folder.glob("*/*.toml")} == set(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_the_same_things(language: str) -> None:
    german, other = load_sentences("de").templates, load_sentences(language).templates
    assert len(german) > 100, "the collector found almost nothing"
    assert german.keys() == other.keys()


@pytest.mark.parametrize("language", WHOLE)
def test_a_whole_language_lacks_nothing(language: str) -> None:
    assert not load_sentences(language).lacking, "these are said in English"
    assert not lacking_words(language), "these are English"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_uses_the_same_slots(language: str) -> None:
    german, other = load_sentences("de").templates, load_sentences(language).templates
    differing = {
        key: (slots, others)
        for key in german.keys() & other.keys()
        if (slots := {gap.slot for gap in german[key].gaps}) != (others := {gap.slot for gap in other[key].gaps})
    }
    assert not differing


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_form_in_a_sentence_exists(language: str) -> None:
    known = forms(language)
    unknown = {
        (key, gap.slot, gap.form)
        for key, template in load_sentences(language).templates.items()
        for gap in template.gaps
        if gap.form not in known
    }
    assert not unknown


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_is_empty_or_untidy(language: str) -> None:
    for key, template in load_sentences(language).templates.items():
        text = "".join(part if isinstance(part, str) else "x" for part in template.parts)
        assert text.strip() == text, key
        assert text, key
        assert "  " not in text, key


def test_every_key_in_the_code_has_a_sentence() -> None:
    templates = load_sentences("de").templates
    used = keys().named
    used |= dict.fromkeys((level.key for level in LEVELS.values()), "levels")
    used |= dict.fromkeys((f"settings.explain.{setting.name}" for setting in SETTINGS.values()), "settings")
    # The two devices fail in the same ways, with a sentence each.
    ways = {key.rpartition(".")[2] for key in templates if key.startswith("sound.loudspeaker.")}
    assert {"none", "refused", "unknown", "silent"} <= ways
    used |= dict.fromkeys(
        (f"sound.{device}.{way}" for device in ("microphone", "loudspeaker") for way in ways), "sound"
    )
    assert len(used) > 500, "the collector found almost nothing"
    some = {
        "journal.full",
        "model.wrong_sha256",
        "opponent.flood",
        "settings.no_number",
        "settings.no_toml",
        "pgn.error.token",
    }
    assert some <= used.keys()
    assert {"sound.model.damaged", "offer.no_offer", "calibrate.damaged", "bench.voice_missing"} <= used.keys()
    assert not {key: place for key, place in used.items() if key not in templates}


def test_every_sentence_is_said_somewhere() -> None:
    collected_keys = keys()
    assert not collected_keys.may_say("ending.boredom") and not collected_keys.may_say("offer.nonsense")
    assert not [key for key in load_sentences("de").templates if not collected_keys.may_say(key)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_forms_of_every_language_have_the_same_shape(language: str) -> None:
    german, other = load_sentences("de").forms, load_sentences(language).forms
    assert german.keys() == other.keys()
    for table in (
        "counted",
        "durations",
        "listings",
        "announcement",
        "pieces",
        "sides",
        "styles",
        "ordinals",
        "numbers",
    ):
        assert german[table].keys() == other[table].keys(), table
    every = [set(table) for tables in (german, other) for table in tables["declension"].values()]
    assert all(one == every[0] for one in every)
    assert set(german["styles"]) == {style.value for style in Style}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_tables_of_numbers_are_complete(language: str) -> None:
    tables = load_sentences(language).forms
    assert (len(tables["numbers"]["small"]), len(tables["numbers"]["tens"])) == (20, 8)
    assert (len(tables["ordinals"]["small"]), len(tables["ordinals"]["tens"])) == (20, 8)
    for style in tables["styles"].values():
        assert [len(style["files"]), len(style["ranks"]), len(style["clear_ranks"])] == [8, 8, 8]
        assert len(set(style["files"])) == 8


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_bare_times_or_move_numbers_are_spoken(language: str) -> None:
    """ "05:00" is read as five o'clock, "1 e4" as ten to the fourth."""
    for key, template in load_sentences(language).templates.items():
        text = "".join(part for part in template.parts if isinstance(part, str))
        assert not re.search(r"(?<![+/])\b\d\d?:\d\d\b|\b\d+ [a-h][1-8]\b", text), key


def test_templates() -> None:
    template = read_template("{piece:the} auf {square} {{so}}", "here")
    assert template.gaps == {Gap("piece", "the"), Gap("square")}
    said = ["x" if isinstance(part, Gap) else part for part in template.parts]
    assert "".join(said) == "x auf x {so}"


@pytest.mark.parametrize("text", ["{", "}", "{}", "{a.b}", "{a!r}", "{0}", "{a:b c}", "{a[0]}"])
def test_wrong_templates_are_refused_with_their_place(text: str) -> None:
    with pytest.raises(SentencesError, match="here"):
        read_template(text, "here")


def test_an_unknown_language_is_named() -> None:
    with pytest.raises(SentencesError, match="qq"):
        load_sentences("qq")


PROMISE = re.compile(r"(?:The|the|The old) (?:game|one) (?:is|stays) saved|^Saved")


def test_whatever_calls_the_game_saved_has_another_sentence_where_it_is_not() -> None:
    templates = load_sentences("en").templates
    promising = {
        key
        for key, template in templates.items()
        if PROMISE.search("".join(part for part in template.parts if isinstance(part, str)))
    }
    assert {"saved", "goodbye", "new_game", "program.interrupted"} <= promising
    # What the disk itself reports says when it will be.
    unmatched = {key for key in promising if f"unkept.{key}" not in templates}
    assert not {key for key in unmatched if not key.startswith("journal.")}
    # And each of the others stands in for one that is said.
    assert not {key for key in templates if key.startswith("unkept.") and key.removeprefix("unkept.") not in templates}
