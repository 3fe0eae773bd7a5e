"""The results of `bench hearing` by way of deciding, as figures and as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from models.bench import natural
from models.bench.deciders import ASK, COMMAND, NOISE, PLAY, REFUSE, Decision
from models.bench.hearing_parts import Item
from models.bench.listening import Overheard
from models.bench.report import Report, interval, percentage, table
from models.languages import USUAL
from models.languages.voices import voices
from voicechess.meaning import UNKNOWN_WORD, Hypothesis, RecognisedUtterance, SpeakingLevel

# --- One item, from sound to decision ---


AT_ONCE, AFTER_A_QUESTION, WRONG = "right at once", "right after one question", "wrong move played"
ASKED, REFUSED, COMMANDED, MISSED = "asked", "refused", "command or answer", "not understood"
IGNORED = "taken for noise"
ENDS = (AT_ONCE, AFTER_A_QUESTION, WRONG, ASKED, REFUSED, COMMANDED, MISSED, IGNORED)
"""Results of an item. "asked": also after a question with a wrong end. What is taken for noise, or not recognised at
all, gets a tone at most, and sometimes a sentence; what is not understood always gets a sentence."""


@dataclass(frozen=True)
class Outcome:
    """The decisions on an item."""

    first: Decision  # on the utterance
    second: Decision | None = None  # on the answer to a question
    cpu_s: float = 0.0  # processor time of the first


@dataclass
class Trial:
    """An item, what was recognised, and the decisions by way of deciding."""

    set: str  # its name
    item: Item
    overheard: Overheard
    outcomes: dict[str, Outcome] = field(default_factory=dict)

    @property
    def utterance(self) -> RecognisedUtterance | None:
        """The utterance that counts: the first one with a word, since later ones would come during the answer."""
        spoken = (
            one
            for one in self.overheard.utterances
            if any(word != UNKNOWN_WORD for word in one.hypotheses[0].text.split())
        )
        return next(spoken, next(iter(self.overheard.utterances), None))

    @property
    def hypotheses(self) -> tuple[Hypothesis, ...]:
        """Its n-best list; () if nothing was recognised."""
        return self.utterance.hypotheses if self.utterance else ()

    @property
    def level(self) -> SpeakingLevel | None:
        """Its level; None if nothing was recognised."""
        return self.utterance.level if self.utterance else None

    @property
    def silence_ms(self) -> int | None:
        """Milliseconds from the end of the speech to the endpoint; None if nothing was recognised."""
        return self.utterance.endpoint_ms - self.overheard.ended_ms if self.utterance else None

    def end(self, decider: str) -> str:
        """Its result by one way of deciding, one of `ENDS`."""
        outcome, item = self.outcomes[decider], self.item
        played = [one.move for one in (outcome.first, outcome.second) if one is not None and one.kind == PLAY]
        if any(move is None or move.uci() != item.move for move in played):
            return WRONG
        first = outcome.first
        if item.command is not None and first.kind == COMMAND:
            return AT_ONCE if first.command == item.command else COMMANDED
        if item.move is None and item.before and item.sample.words and first.kind == COMMAND:
            return AT_ONCE  # a "no" that was understood
        if played:
            return AT_ONCE if first.kind == PLAY else AFTER_A_QUESTION
        return {ASK: ASKED, REFUSE: REFUSED, COMMAND: COMMANDED, NOISE: IGNORED}.get(first.kind, MISSED)


# --- The figures of all items, and the report ---


DECIDERS = ("ours", "literal", "legal only", "text")
_TOTALS = {
    "all of (a) and (b)": ("a ", "b "),
    "all of (c)": ("c ",),
    "all of (d)": ("d ",),
    "all of (e)": ("e ",),
    "all of (f)": ("f ",),
    "all of (g)": ("g ",),
    "all of (i)": ("i ",),
    "talk and noise of (j)": ("j other", "j noise"),
    "all of (m)": ("m ",),
    "all of (n)": ("n ",),
}
_EXAMPLES = 8
_SILENCES: dict[str, tuple[str | tuple[str, ...], str]] = {
    "(a) clean": ("a clean", ""),
    "(a) all": ("a ", ""),
    "(b) 20 dB": ("b ", "20 dB"),
    "(b) 10 dB": ("b ", "10 dB"),
    "(b) 5 dB": ("b ", "5 dB"),
    "(c) spliced": ("c spliced", ""),
    "(a) and (b)": (("a ", "b "), ""),
}


def figures(trials: Sequence[Trial]) -> dict[str, object]:
    """Counts of the results, by set and way of deciding."""
    sets: dict[str, list[Trial]] = {}
    for trial in trials:
        sets.setdefault(trial.set, []).append(trial)
    totals = {name: [trial for trial in trials if trial.set.startswith(prefixes)] for name, prefixes in _TOTALS.items()}
    return {
        "sets": {name: _figures(of_set) for name, of_set in sets.items()},
        "totals": {name: _figures(found) for name, found in totals.items() if found},
        "wrong": {decider: _wrong(trials, decider) for decider in DECIDERS},
        "silence": {
            name: _silence(found)
            for name, chosen in _SILENCES.items()
            if (
                found := [
                    trial for trial in trials if trial.set.startswith(chosen[0]) and trial.set.endswith(chosen[1])
                ]
            )
        },
    }


def _figures(trials: Sequence[Trial]) -> dict[str, object]:
    rows: dict[str, object] = {}
    for decider in DECIDERS:
        judged = [trial for trial in trials if decider in trial.outcomes]
        ends = [trial.end(decider) for trial in judged]
        if ends:
            wrong = ends.count(WRONG)
            rows[decider] = {
                "items": len(ends),
                **{end: ends.count(end) for end in ENDS},
                "wrong per thousand, 95 %": [round(10 * bound, 2) for bound in interval(wrong, len(ends))],
            }
    return rows


def _wrong(trials: Sequence[Trial], decider: str) -> list[str]:
    """The wrong moves: set, words said, words recognised, move meant, move played."""
    found = [trial for trial in trials if decider in trial.outcomes and trial.end(decider) == WRONG]
    lines = []
    for trial in found:
        outcome = trial.outcomes[decider]
        move = (outcome.second or outcome.first).move or outcome.first.move
        heard = trial.hypotheses[0].text if trial.hypotheses else ""
        said = " ".join(trial.item.sample.words) or trial.item.labels.get("text") or trial.item.labels.get("noise", "")
        lines.append(f"{trial.set}: {said} | {heard} | {trial.item.move or '-'} | {move.uci() if move else '-'}")
    return lines


def _silence(trials: Sequence[Trial]) -> dict[str, object]:
    """Silence from the end of the speech to the endpoint, without processor time."""
    waits = sorted(trial.silence_ms for trial in trials if trial.silence_ms is not None)
    return {
        "utterances": len(waits),
        "median_ms": round(median(waits)) if waits else 0,
        "95th_ms": waits[min(len(waits) - 1, len(waits) * 95 // 100)] if waits else 0,
        "ended too early": sum(wait < 0 for wait in waits),
        "nothing heard": sum(trial.utterance is None for trial in trials),
    }


def costs(trials: Sequence[Trial]) -> dict[str, object]:
    """Processor times and memory."""
    sound_s = sum(trial.overheard.sound_s for trial in trials)
    decided = sorted(trial.outcomes["ours"].cpu_s for trial in trials)
    return {
        "sound_s": round(sound_s, 1),
        "recognising, of real time": round(sum(trial.overheard.cpu_s for trial in trials) / max(sound_s, 1e-9), 4),
        "deciding_ms, median": round(1000 * median(decided), 2),
        "deciding_ms, 95th": round(1000 * decided[len(decided) * 95 // 100], 2),
        "of real time in all": round(
            (sum(trial.overheard.cpu_s for trial in trials) + sum(decided)) / max(sound_s, 1e-9), 4
        ),
        "memory_mb at most": round(max((trial.overheard.memory_mb for trial in trials), default=0.0), 1),
    }


def as_text(report: Report) -> str:
    """The report as tables."""
    found: dict[str, Any] = report.figures
    lines = [f"{report.measured}: {report.subject}" + (" (quick)" if report.quick else "")]
    if report.note:
        lines.append(f"Note: {report.note}")
    if absent := natural.missing(voices(USUAL).test):
        lines.append(f"(g): {absent}")
    blocks = ["\n".join(lines)]
    for decider in DECIDERS:
        rows = [
            [name, *_row(of_set[decider])]
            for part in ("sets", "totals")
            for name, of_set in found[part].items()
            if decider in of_set
        ]
        if rows:
            heads = [
                _TITLES[decider],
                "items",
                "at once %",
                "with question %",
                "WRONG",
                "asked %",
                "refused %",
                "command %",
                "missed %",
                "noise %",
            ]
            blocks.append(table(heads, rows))
    for decider in DECIDERS:
        wrong = found["wrong"][decider]
        if wrong:
            shown = [*wrong[:_EXAMPLES], *(["..."] if len(wrong) > _EXAMPLES else [])]
            blocks.append("\n".join([f"Wrong moves, {decider} (set: said | heard | meant | played)", *shown]))
    if found["silence"]:
        heads = ["Silence before the decision", *next(iter(found["silence"].values()))]
        blocks.append(table(heads, [[name, *one.values()] for name, one in found["silence"].items()]))
    blocks.append(table([f"Costs on {report.machine}", ""], [[k, str(v)] for k, v in report.costs.items()]))
    return "\n\n".join(blocks)


_TITLES = {
    "ours": "ours",
    "literal": "best hypothesis literally",
    "legal only": "legal moves only",
    "text": "ours, from text",
}


def _row(one: dict[str, Any]) -> list[object]:
    items = one["items"]
    at_once, asked_well = one[ENDS[0]], one[ENDS[1]]
    shares = [percentage(one[end], items) for end in ENDS[3:]]
    return [items, percentage(at_once, items), percentage(at_once + asked_well, items), one[WRONG], *shares]
