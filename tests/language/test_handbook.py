"""The handbook names the commands that "Hilfe" names, and docs/ has it as it is."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest

from voicechess.cli import main
from voicechess.game.leafing import PASSAGES
from voicechess.language.folders import LANGUAGES
from voicechess.language.handbook import PassageKind, as_html, as_markdown, as_text, handbook, read_aloud
from voicechess.language.sentences import load_sentences

DOCS = Path(__file__).parents[2] / "docs"
WRITTEN = {"de": DOCS / "handbuch.md", "en": DOCS / "manual.md"}
NAMED = (
    "help.position",
    "help.lines",
    "help.game",
    "help.claims",
    "help.voice",
    "help.two_people",
    "practice.help",
    "practice.analysis.help_ways",
    "practice.analysis.help_engine",
    "practice.analysis.help_writing",
    "practice.live.help",
)


@pytest.mark.parametrize("language", WRITTEN)
def test_docs_have_the_handbook_as_it_is(language: str, request: pytest.FixtureRequest) -> None:
    """`--rewrite-dialogues` writes it anew."""
    if request.config.getoption("--rewrite-dialogues"):
        WRITTEN[language].write_text(as_markdown(handbook(language)), encoding="utf-8")
    assert WRITTEN[language].read_text(encoding="utf-8") == as_markdown(handbook(language))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", NAMED)
def test_every_command_of_a_sentence_of_help_is_an_item(language: str, key: str) -> None:
    text = "".join(map(str, load_sentences(language).templates[key].parts))
    items = [block.text for section in handbook(language) for block in section.blocks if block.kind is PassageKind.ITEM]
    listed = [item for item in items if item in text]
    assert len(listed) >= text.count(". ") + 1
    assert all(text.count(part.rstrip(".").split(": ")[-1]) for part in text.split(". "))
    for part in text.split(". "):
        assert part.rstrip(".").split(": ", 1)[-1] in " | ".join(items)


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_written_to_be_listened_to(language: str) -> None:
    sections = handbook(language)
    assert len(sections) > 8
    for section in sections:
        assert section.blocks, section.title
        for block in section.blocks:
            assert len(block.text) <= 420, block.text
            assert "|" not in block.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_read_aloud_all_languages_have_the_same_passages_and_nothing_is_lost(language: str) -> None:
    sections = read_aloud(language)
    assert tuple(map(len, sections)) == PASSAGES
    said = " ".join(" ".join(section) for section in sections)
    left_out = [section.title for section in handbook(language) if not section.aloud]
    assert left_out == [{"de": "Einrichten", "en": "Installing"}.get(language, left_out[0])]
    for section in handbook(language):
        if section.aloud:
            assert all(block.text in said for block in section.blocks)
    assert all(passage.endswith((".", ":", "?", '"')) for section in sections for passage in section)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_well_formed_and_has_all_of_it(language: str) -> None:
    open_tags: list[str] = []
    words: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            if tag != "meta":
                open_tags.append(tag)

        def handle_endtag(self, tag: str) -> None:
            assert open_tags.pop() == tag

        def handle_data(self, data: str) -> None:
            words.extend(data.split())

    Reader().feed(as_html(handbook(language), language))
    assert open_tags == []
    for section in handbook(language):
        for block in section.blocks:
            assert " ".join(block.text.split()) in " ".join(words)


def test_the_command_prints_it_and_writes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["handbuch", "--lang", "de"]) == 0
    assert capsys.readouterr().out == as_text(handbook("de"))
    page = tmp_path / "handbuch.html"
    assert main(["manual", "--lang", "de", "--out", str(page)]) == 0
    assert page.read_text(encoding="utf-8") == as_html(handbook("de"), "de")
    assert main(["manual", "--lang", "de", "--out", str(page)]) == 2
    assert main(["manual", "--lang", "en", "--out", str(tmp_path / "manual.txt")]) == 0
    assert (tmp_path / "manual.txt").read_text(encoding="utf-8").startswith("voicechess manual\n")
