"""The figures of `bench model` as text, and the kinds of false alarms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from models.bench import natural
from models.bench.report import Report, table
from models.languages import USUAL
from models.languages.voices import voices
from voicechess.language.lexicon import Lexicon
from voicechess.language.understanding import understand_all
from voicechess.meaning import Answer, Command, Expectation, SpokenMove

# --- False alarms: what recognised words mean without a game ---


COMMAND, MOVE, DOUBTFUL, ANSWER, PART = "command", "move", "doubtful move", "answer", "part"
NOTHING_OF_OURS = "nothing"
"""A command; a move with its target; such a move beside other words; an answer; a partial move; nothing."""

KINDS = (COMMAND, MOVE, DOUBTFUL, ANSWER, PART, NOTHING_OF_OURS)
ALARMS = frozenset({COMMAND, MOVE, DOUBTFUL})
"""The kinds that count as false alarms."""


def verdict(words: Sequence[str], lexicon: Lexicon) -> str:
    """The kind of the words (`KINDS`), with no open question."""
    reading = understand_all(" ".join(words), lexicon, Expectation())[0]
    meaning = reading.meaning
    if isinstance(meaning, Command):
        return COMMAND
    if isinstance(meaning, Answer):
        return ANSWER
    if isinstance(meaning, SpokenMove):
        return PART if not meaning.complete else MOVE if reading.cost == 0 else DOUBTFUL
    return NOTHING_OF_OURS


def same_move(said: Sequence[str], heard: Sequence[str], lexicon: Lexicon) -> bool:
    """Whether both announcements name the same piece and squares; a lost "schlägt" or "Schach" does not matter."""
    meanings = [understand_all(" ".join(words), lexicon, Expectation())[0].meaning for words in (said, heard)]
    moves = [
        replace(one, captures=False, en_passant=False, check=None) for one in meanings if isinstance(one, SpokenMove)
    ]
    return len(moves) == 2 and moves[0] == moves[1]


# --- The report ---


_COSTS = (
    ("size_bytes", "bytes on disk", "{:.0f}"),
    ("load_s", "seconds to load", "{:.3f}"),
    ("ready_s", "seconds to a recogniser", "{:.3f}"),
    ("load_memory_mb", "MB after loading", "{:.1f}"),
    ("memory_mb", "MB at most while decoding", "{:.1f}"),
    ("real_time_factor", "of real time on one core", "{:.4f}"),
)
_WEAKEST = 15  # number of the weakest words that are listed


def as_text(report: Report) -> str:
    """The report as tables, percentages with 95 % intervals."""
    figures: dict[str, Any] = report.figures
    spoken, people = figures["announcements"], figures["people"]
    blocks = [
        _head(report, figures["words"]),
        _block("Whole announcements, unseen synthetic voices, short list", _shares(spoken["by condition"])),
        *([absent] if (absent := natural.missing((*voices(USUAL).test, voices(USUAL).known))) else []),
        _block("Clean announcements by voice", _shares(spoken["by voice"])),
        _block("Announced words, all conditions, the weakest", _by_word(spoken["by word"], _WEAKEST)),
        _block("Announced words, commonest confusions", _confusions(spoken["confusions"])),
        _block("Single words by people", _people(people)),
    ]
    for name in ("full vocabulary", "ranks"):
        if name in people:
            blocks.append(_block(f"People, {name}, by speaker", _shares(people[name]["by speaker"])))
            blocks.append(_block(f"People, {name}, by word, the weakest", _by_word(people[name]["by word"], _WEAKEST)))
            blocks.append(_block(f"People, {name}, confusions", _confusions(people[name]["confusions"])))
    if "ranks" in people:
        blocks.append(_block("People, ranks, said (down) and heard (across)", _matrix(people["ranks"]["matrix"])))
    blocks.append(_block("False alarms at the recogniser alone", _alarms(figures["false alarms"])))
    costs = [[label, form.format(report.costs[key])] for key, label, form in _COSTS]
    blocks.append(_block(f"Costs on {report.machine}", table(["", ""], costs)))
    return "\n\n".join(blocks)


def _head(report: Report, words: Mapping[str, Any]) -> str:
    lines = [f"Model: {report.subject}" + (" (quick)" if report.quick else "")]
    if report.note:
        lines.append(f"Note: {report.note}")
    missing = words["missing"]
    lines.append(
        f"Vocabulary: {words['vocabulary']} words, {len(missing)} missing; short list of {words['short list']}."
    )
    if missing:
        lines.append("Missing: " + ", ".join(missing))
    if words["missing from the short list"]:
        lines.append("Not sayable at all: " + ", ".join(words["missing from the short list"]))
    lines.append("[unk]: " + ("known" if words["rejects"] else "not known"))
    return "\n".join(lines)


def _block(title: str, body: str) -> str:
    return f"{title}\n{body}"


def _between(one: Mapping[str, Any]) -> str:
    low, high = one["between"]
    return f"{low:.1f}-{high:.1f}"


def _shares(figures: Mapping[str, Any]) -> str:
    moves = any("move_share" in one for one in figures.values())
    rows = [
        [
            *(name, one["utterances"], one["utterance_share"], _between(one), one["word_share"]),
            *([one["move_share"]] if moves else []),
        ]
        for name, one in figures.items()
    ]
    return table(["", "utterances", "all right %", "95 %", "words %", *(["move right %"] if moves else [])], rows)


def _people(figures: Mapping[str, Any]) -> str:
    rows = [
        [
            name,
            one["utterances"],
            one["utterance_share"],
            _between(one),
            one["mean over speakers"],
            one["nothing heard"],
        ]
        for name, one in figures.items()
    ]
    return table(["grammar", "words", "right %", "95 %", "mean over speakers", "nothing heard"], rows)


def _by_word(figures: Mapping[str, Any], most: int) -> str:
    rows = [[word, one["said"], one["share"], one["taken for"]] for word, one in figures.items() if word != "-"]
    rows.sort(key=lambda row: (row[2], row[0]))
    return table(["word", "said", "right %", "most often taken for"], rows[:most])


def _confusions(figures: list[tuple[str, str, int]]) -> str:
    return ", ".join(f"{said} as {heard} {count}" for said, heard, count in figures) or "none"


def _matrix(figures: Mapping[str, Mapping[str, int]]) -> str:
    columns = list(
        dict.fromkeys([*(word for word in figures if word != "-"), *(h for row in figures.values() for h in row)])
    )
    rows = [[word, *(row.get(column, "") for column in columns)] for word, row in figures.items()]
    return table(["", *columns], rows)


def _alarms(figures: Mapping[str, Any]) -> str:
    rows = [
        [name, one["utterances"], one["alarms"], one["share"], _between(one), *(one["kinds"].get(k, 0) for k in KINDS)]
        for name, one in figures.items()
    ]
    return table(["", "utterances", "alarms", "%", "95 %", *KINDS], rows)
