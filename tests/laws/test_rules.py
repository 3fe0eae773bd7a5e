"""Every rule of the page of laws is shown, kept and broken; every way a game can end has its proof."""

from __future__ import annotations

import os
import re
from pathlib import Path

import chess
import pytest

from tests.laws.rules import ADDED_RULES, KINDS, RULES, Rule
from voicechess.laws.results import PGN_RESULTS, TABLE, Ending, Way
from voicechess.score.pgn import read_pgn, write_pgn
from voicechess.score.score import Score

TESTS = Path(__file__).parent.parent
DIALOGUES = TESTS / "dialogues"
ROOT = TESTS.parent
LAWS = Path(os.environ.get("VOICECHESS_SHARED", ROOT.parent / "shared")) / "laws.md"
NO_GAME_ENDS_SO = {Way.ADJOURNED, Way.UNFINISHED}  # the game can still go on


def plain(text: str) -> str:
    return " ".join(text.split())


def sections(text: str) -> dict[str, str]:
    parts = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    return {head: body for head, _, body in (part.partition("\n") for part in parts)}


@pytest.mark.parametrize("rule", (*RULES, *ADDED_RULES), ids=lambda rule: rule.quote[:30])
def test_every_rule_is_shown(rule: Rule) -> None:
    assert rule.kept or rule.tests
    assert rule.broken or rule.only, "no broken way, and no reason why"
    for name in (*rule.kept.split(), *rule.broken.split()):
        assert (DIALOGUES / f"{name}.txt").is_file(), name
    for name in rule.tests.split():
        assert len(list(TESTS.rglob(f"{name}.py"))) == 1, name


@pytest.mark.shared
@pytest.mark.skipif(not LAWS.is_file(), reason="the page of laws lies beside the project, not in it")
def test_every_rule_of_the_page_has_its_row() -> None:
    page = sections(LAWS.read_text(encoding="utf-8"))
    for rule in RULES:
        body = next((plain(body) for head, body in page.items() if head.startswith(rule.section)), "")
        assert rule.quote in body, f"{rule.quote!r} is not on the page"
    missing = []
    for head, body in page.items():
        quotes = [rule.quote for rule in RULES if head.startswith(rule.section)]
        rows = [line.split("|")[1].strip() for line in body.splitlines() if line.startswith("|")][2:]
        missing += [row for row in rows if not any(row.startswith(quote) for quote in quotes)]
        text = plain(re.sub(r"^\|.*$", "", body, flags=re.MULTILINE))
        marked = text
        for quote in quotes:
            marked = marked.replace(quote, "\n" + quote)
        for numbered in re.findall(r"(?:^|(?<=\s))[1-9]\. [A-Z][a-z]+", text):
            missing += [numbered] if not any(quote.startswith(numbered) for quote in quotes) else []
        assert marked.lstrip().startswith(tuple(quotes)), f"{head}: its first rule has no row"
        if head.startswith(KINDS):
            continue
        # A sentence begins where a rule begins, or goes on with a rule that has its row.
        for piece in marked.split("\n"):
            sentences = [one for one in re.split(r"(?<=[a-z)\"*]\.)\s+(?=[A-Z(\"*0-9])", piece) if one.strip()]
            missing += sentences[1:]
    assert not missing


@pytest.mark.shared
@pytest.mark.skipif(not LAWS.is_file(), reason="the page of laws lies beside the project, not in it")
def test_every_row_of_the_page_of_additions_has_its_rule_and_every_rule_its_row() -> None:
    rows = [row for row, _ in tabled(LAWS.with_name("laws-added.md"))]
    assert len(rows) == len(ADDED_RULES)
    assert all(any(row.startswith(rule.quote) for rule in ADDED_RULES) for row in rows)
    assert all(any(row.startswith(rule.quote) for row in rows) for rule in ADDED_RULES)


def tabled(page: Path) -> list[tuple[str, dict[str, str]]]:
    """The rows of a page's table of editions: the point, and what each edition says of it."""
    lines = [line for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    head, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [(row[0], dict(zip(head[1:], row[1:], strict=True))) for row in rows]


def edition_played(name: str) -> str:
    """The edition that a dialogue is played by."""
    found = re.search(r"^laws: (\d+)$", (DIALOGUES / f"{name}.txt").read_text(encoding="utf-8"), re.MULTILINE)
    return found[1] if found else "2023"


@pytest.mark.shared
@pytest.mark.skipif(not LAWS.is_file(), reason="the page of laws lies beside the project, not in it")
@pytest.mark.parametrize(("page", "rules"), [("laws.md", RULES), ("laws-added.md", ADDED_RULES)])
def test_where_editions_differ_each_is_played(page: str, rules: tuple[Rule, ...]) -> None:
    missing = []
    for row, cells in tabled(LAWS.with_name(page)):
        rule = max((rule for rule in rules if row.startswith(rule.quote)), key=lambda rule: len(rule.quote))
        played = {edition_played(name) for name in (*rule.kept.split(), *rule.broken.split())}
        told = {year for year, cell in cells.items() if not re.match(r"same\b|.*\bas 2009", cell)}
        missing += [f"{row}: {year}" for year in sorted(told - played)]
    assert not missing


def ended() -> dict[str, set[str]]:
    """The ways in which games end in the dialogues, and the results that are told."""
    found: dict[str, set[str]] = {}
    for path in DIALOGUES.glob("*.txt"):
        for result, way in re.findall(r"^! GameEnded (\S+) (\S+)$", path.read_text(encoding="utf-8"), re.MULTILINE):
            found.setdefault(way, set()).add(result)
    return found


@pytest.mark.parametrize("way", [way for way in Way if way not in NO_GAME_ENDS_SO])
def test_every_ending_is_played(way: Way) -> None:
    results = ended().get(way.value, set())
    worth = TABLE[way][0]
    assert results, "no dialogue ends like that"
    assert results <= {worth.result(colour) for colour in chess.COLORS}


@pytest.mark.parametrize("way", Way)
@pytest.mark.parametrize("winner", [True, False])
def test_every_ending_goes_to_pgn_and_comes_back(way: Way, winner: bool) -> None:
    ending = Ending(way, winner if TABLE[way][0].has_winner else None)
    text = write_pgn(Score(ending=ending, result=ending.result))
    assert f'[Termination "{ending.termination}"]' in text
    assert f'[Result "{ending.pgn_result}"]' in text
    assert ending.pgn_result in PGN_RESULTS
    assert (f'[Points "{ending.result}"]' in text) == (ending.result not in PGN_RESULTS)
    assert read_pgn(text)[0].ending == ending
