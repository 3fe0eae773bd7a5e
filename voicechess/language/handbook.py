"""The handbook: a text in sections that takes the spoken commands from the sentences of "Hilfe" (issue 51).

The source is `<language>/handbook.md`: a title, sections under "##", paragraphs, items ("- ") and commands to be typed
(indented by four spaces). A line `{help.position}` stands for the items that this sentence of the language lists, so
the handbook always names the same commands as "Hilfe". `{written}` before a title marks a section that is not read
aloud: a listener has the program already.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cache

from voicechess.language.folders import HANDBOOK, read_handbook
from voicechess.language.sentences import Gap, SentencesError, load_sentences


class PassageKind(Enum):
    """What a block of the handbook is."""

    PARAGRAPH = "paragraph"
    ITEM = "item"
    COMMAND = "command"  # to be typed in a terminal


@dataclass(frozen=True, slots=True)
class Passage:
    """One paragraph, one item of a list or one command line."""

    kind: PassageKind
    text: str


@dataclass(frozen=True, slots=True)
class Section:
    """A section with its title; the first one of a handbook has the title of the whole. `aloud`: it is read aloud."""

    title: str
    blocks: tuple[Passage, ...]
    aloud: bool = True


_WRITTEN = "{written} "
_LISTED = re.compile(r"\{([a-z_.]+)\}")
_LEAD_IN = re.compile(r"^[A-ZÄÖÜ][\w ]{1,30}: ")
"""The lead-in of a sentence of "Hilfe" before its first command ("Fragen: ")."""


@cache
def handbook(language: str) -> tuple[Section, ...]:
    """The handbook of a language. Raises `SentencesError` if it names an unknown sentence."""
    name, source = f"{language}/{HANDBOOK}", read_handbook(language)
    found: list[tuple[str, list[Passage]]] = []
    for line in source.splitlines():
        if line.startswith("#"):
            found.append((line.lstrip("# "), []))
        else:
            found[-1][1].extend(_blocks(line, language, name))
    return tuple(
        Section(title.removeprefix(_WRITTEN), tuple(blocks), not title.startswith(_WRITTEN)) for title, blocks in found
    )


def _blocks(line: str, language: str, name: str) -> Iterator[Passage]:
    listed = _LISTED.fullmatch(line)
    if listed is not None:
        for command in _commands(listed[1], language, name):
            yield Passage(PassageKind.ITEM, command)
    elif line.startswith("    "):
        yield Passage(PassageKind.COMMAND, line.strip())
    elif line.startswith("- "):
        yield Passage(PassageKind.ITEM, line[2:])
    elif line:
        yield Passage(PassageKind.PARAGRAPH, line)


def _commands(key: str, language: str, name: str) -> list[str]:
    """The commands that a sentence lists, one by one."""
    template = load_sentences(language).templates.get(key)
    if template is None:
        raise SentencesError(f"{name}: {key} is no sentence")
    text = "".join(part for part in template.parts if not isinstance(part, Gap))
    parts = [part.strip().rstrip(".") for part in re.split(r"\.\s+", _LEAD_IN.sub("", text.strip()))]
    return [part for part in parts if part]


@cache
def read_aloud(language: str) -> tuple[tuple[str, ...], ...]:
    """The spoken text of each section that is read aloud: its title, then its passages, each a few sentences.

    A list belongs to the paragraph before it, so that all languages have the same number of passages.
    """
    found = []
    for section in handbook(language):
        passages = [_ended(section.title)]
        for block in section.blocks:
            if block.kind is PassageKind.PARAGRAPH or len(passages) == 1:
                passages.append(_ended(block.text))
            else:
                passages[-1] += f" {_ended(block.text)}"
        if section.aloud:
            found.append(tuple(passages))
    return tuple(found)


def _ended(text: str) -> str:
    """With a full stop if there is none, so that the voice pauses."""
    return text if re.search(r'[.:?!]["“]?$', text) else f"{text}."


def as_text(sections: tuple[Section, ...]) -> str:
    """Plain text, one line a paragraph: a screen reader and a Braille display break lines themselves."""
    lines = []
    for section in sections:
        lines += [section.title, ""]
        for block in section.blocks:
            lines += [{PassageKind.ITEM: "- ", PassageKind.COMMAND: "    "}.get(block.kind, "") + block.text]
            lines += [] if block.kind is PassageKind.ITEM else [""]
        if lines[-1]:
            lines.append("")
    return "\n".join(lines)


def as_markdown(sections: tuple[Section, ...]) -> str:
    """Markdown, as it lies in docs/."""
    lines = []
    for number, section in enumerate(sections):
        lines += [f"{'##' if number else '#'} {section.title}", ""]
        for block, following in zip(section.blocks, (*section.blocks[1:], None), strict=True):
            text = block.text.replace("<", "\\<") if block.kind is not PassageKind.COMMAND else block.text
            lines.append({PassageKind.ITEM: "- ", PassageKind.COMMAND: "    "}.get(block.kind, "") + text)
            if block.kind is not PassageKind.ITEM or following is None or following.kind is not PassageKind.ITEM:
                lines.append("")
    return "\n".join(lines)


def as_html(sections: tuple[Section, ...], language: str) -> str:
    """A page with headings and lists that a screen reader can jump between."""
    body, in_list = [], False
    for number, section in enumerate(sections):
        level = 2 if number else 1
        body.append(f"<h{level}>{html.escape(section.title)}</h{level}>")
        for block in (*section.blocks, None):
            if in_list and (block is None or block.kind is not PassageKind.ITEM):
                body.append("</ul>")
                in_list = False
            if block is None:
                continue
            if block.kind is PassageKind.ITEM and not in_list:
                body.append("<ul>")
                in_list = True
            text = html.escape(block.text, quote=False)
            tags = {
                PassageKind.PARAGRAPH: ("<p>", "</p>"),
                PassageKind.ITEM: ("<li>", "</li>"),
                PassageKind.COMMAND: ("<pre>", "</pre>"),
            }
            body.append(text.join(tags[block.kind]))
    title = html.escape(sections[0].title)
    head = f'<html lang="{language}">\n<meta charset="utf-8">\n<title>{title}</title>\n<main>\n'
    return f"<!DOCTYPE html>\n{head}{chr(10).join(body)}\n</main>\n</html>\n"
