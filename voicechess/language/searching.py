"""Games that are looked for in a typed line: "Partien gegen Anna vom November", "lost games with the Sicilian".

Names of people and openings are any words, so that nobody can listen for them; what is spoken stands among the
commands ("find_games") and the answers in a search ("narrow"). Both come to the same slots.
"""

from __future__ import annotations

from collections.abc import Sequence

from voicechess.language.lexicon import SEARCH_MONTHS, Lexicon
from voicechess.language.tokens import ENDINGS, read_number, tokenise
from voicechess.meaning import Command, Expectation, QuestionKind, SlotValue

MOST_BEFORE = 6
"""Words before "Partien" at most: "zeig mir bitte alle verlorenen Partien"."""

_YEARS = range(1800, 2200)
_RESULTS = {"lost": 0, "drawn": 1, "won": 2}  # as in the slot {result}


def searched_in_any(line: str, lexicon: Lexicon, expectation: Expectation) -> Command | None:
    """Games that are looked for by names or months, which nobody listens for: in the language that has most to do with
    the line, its own before others."""
    going_on = QuestionKind.FOUND in (expectation.asked.kind, *expectation.asked.earlier)
    each = (searched_for(line, one, going_on) for one in (lexicon, *lexicon.others))
    found = [one for one in each if one is not None]
    return max(found, key=lambda one: (one.name == "find_games", len(one.slots)), default=None)


def searched_for(line: str, lexicon: Lexicon, going_on: bool = False) -> Command | None:
    """What is looked for, with the slots against, opening, result, ago, days, month, year, machine and here; None where
    the line is no search, or says nothing of the games. `going_on`: in a search, where "gegen Anna" narrows it."""
    search = lexicon.typed.search
    tokens = [token for token in tokenise(line, lexicon, typed=True) if token.raw not in ENDINGS]
    raw, words = [token.raw.lower() for token in tokens], [token.text for token in tokens]
    at = next((n for n, word in enumerate(raw[: MOST_BEFORE + 1]) if word in search["games"]), -1)
    if at < 0 and not going_on:
        return None
    before = [word for n, word in enumerate(raw[: max(at, 0)]) if words[n] not in lexicon.fillers]
    results = {word for key in _RESULTS for word in search[key]}
    if any(word not in results and word not in search["lead"] for word in before):
        return None
    slots: dict[str, SlotValue] = {}
    for word in before:
        _result(word, lexicon, slots)
    _read(raw[at + 1 :], words[at + 1 :], lexicon, slots)
    return Command("narrow" if at < 0 else "find_games", tuple(slots.items())) if slots else None


def _result(word: str, lexicon: Lexicon, slots: dict[str, SlotValue]) -> bool:
    for key, value in _RESULTS.items():
        if word in lexicon.typed.search[key]:
            slots["result"] = value
            return True
    return False


def _read(raw: Sequence[str], words: Sequence[str], lexicon: Lexicon, slots: dict[str, SlotValue]) -> None:
    """What stands behind "Partien"."""
    search = lexicon.typed.search
    names: list[str] | None = None  # of the opponent or the opening, while their words come
    at = 0
    while at < len(raw):
        word = raw[at]
        dated = _date(raw, words, at, lexicon, slots)
        if dated > at:
            names, at = None, dated
            continue
        if word in search["against"]:
            names = []
            at += 1
            end = _name(raw, at, lexicon, names)
            if names and all(one in search["machine"] for one in names):
                slots["machine"] = 1
            elif names:
                slots["against"] = " ".join(names)
            at = end
            continue
        if word in search["with"]:
            names = []
            at = _name(raw, at + 1, lexicon, names)
            if any(one in search["position"] for one in names):
                slots["here"] = 1
            elif names and all(one in search["opening"] for one in names):
                slots["here"] = 2
            elif names and not _result(names[0], lexicon, slots):
                slots["opening"] = " ".join(one for one in names if one not in search["opening"])
            continue
        _result(word, lexicon, slots)
        at += 1


def _name(raw: Sequence[str], at: int, lexicon: Lexicon, names: list[str]) -> int:
    """Collect the words of a name from `at` on, without articles; where the next part begins."""
    search = lexicon.typed.search
    ends = {*search["against"], *search["with"], *search["dates"], *(one for key in _RESULTS for one in search[key])}
    begun = at
    while at < len(raw) and (at == begun or raw[at] not in ends):
        if raw[at] not in search["articles"] and any(map(str.isalnum, raw[at])):
            names.append(raw[at])
        at += 1
    return at


def _date(raw: Sequence[str], words: Sequence[str], at: int, lexicon: Lexicon, slots: dict[str, SlotValue]) -> int:
    """Read a day, a month, a year or a number of days at `at`; the place behind it, `at` where there is none."""
    search = lexicon.typed.search
    begun = at
    while at < len(raw) and (raw[at] in search["dates"] or raw[at] in search["articles"]):
        at += 1
    if at >= len(raw):
        return begun
    for key, slot, value in (("today", "ago", 0), ("yesterday", "ago", 1), ("week", "days", 7), ("month", "days", 31)):
        if raw[at] in search[key]:
            slots[slot] = value
            return at + 1
    month = next((n for n, key in enumerate(SEARCH_MONTHS, 1) if raw[at] in search[key]), 0)
    if month:
        slots["month"] = month
        if at + 1 < len(raw) and raw[at + 1].isdecimal() and int(raw[at + 1]) in _YEARS:
            slots["year"] = int(raw[at + 1])
            return at + 2
        return at + 1
    if raw[at].isdecimal() and int(raw[at]) in _YEARS:
        slots["year"] = int(raw[at])
        return at + 1
    for end, number in read_number(words, at, lexicon):
        if end < len(raw) and raw[end] in search["days"]:
            slots["days"] = number
            return end + 1
    return begun
