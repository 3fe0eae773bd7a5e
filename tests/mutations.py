"""Mutation testing, by hand and never in CI: what can be changed in a pure room without a test going red?

    pip install cosmic-ray pytest-cov
    COVERAGE_FILE=OUT/laws.coverage python -m pytest --cov=voicechess --cov-context=test --cov-report= tests/laws
    python -m tests.mutations draw OUT laws --number 40 --seed 49
    python -m tests.mutations run OUT laws
    python -m tests.mutations run OUT --by-hand tests/mutations.toml

The operators are those of cosmic-ray. `draw` takes places in a room's code by lot, and one of the mutations of each,
since a comparison has eight and "and" has one. `run` imports the tests that OUT/*.coverage names and forks a process
for each mutant, so the sources stay as they are: there the function gets the changed code or, outside functions, all is
imported anew. Then the tests that reach the changed lines run, until one fails or `--seconds` are over. What survived
is in OUT/results.jsonl and is to be looked at: much of it changes nothing that anybody could notice.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import difflib
import gc
import importlib.machinery
import importlib.util
import json
import os
import random
import re
import resource
import sys
import tempfile
import time
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType

import pytest

ROOT = Path(__file__).parent.parent
LOOPS_S = 120
"""Seconds of processor time after which a mutant loops forever, and counts as killed. Larger: slower with such ones."""
OPTIONS = ("-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:cov", "--hypothesis-seed=0")
Mutant = dict[str, str]
"""`key`: its name; `path` of the file; `old` and `new` text; `tests`: pattern of those to run, if not by coverage."""


def draw(room: str, number: int, seed: int) -> Iterator[Mutant]:
    """Mutants of a room, by lot; a few less than `number`, since some change nothing."""
    from cosmic_ray.ast import ast_nodes, get_ast
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator, operator_names

    operators = {name: get_operator(name)() for name in operator_names() if not get_operator(name).arguments()}
    found: dict[tuple[str, int, int], list[tuple[str, int]]] = defaultdict(list)
    for file in sorted((ROOT / "voicechess" / room).rglob("*.py")):
        source, path = file.read_text(encoding="utf-8"), str(file.relative_to(ROOT))
        annotations, nodes = _annotations(ast.parse(source)), list(ast_nodes(get_ast(source)))
        for name, operator in operators.items():
            starts = (start for node in nodes for start, _ in operator.mutation_positions(node))
            for occurrence, (line, column) in enumerate(starts):
                if (line, column) not in annotations:
                    found[path, line, column].append((name, occurrence))
    lot = random.Random(seed)
    for path, line, column in lot.sample(sorted(found), min(number, len(found))):
        name, occurrence = lot.choice(found[path, line, column])
        source = (ROOT / path).read_text(encoding="utf-8")
        new = mutate_code(source, operators[name], occurrence)
        with contextlib.suppress(SyntaxError):  # "not" before ":=" is none
            if ast.dump(ast.parse(new)) != ast.dump(ast.parse(source)):
                yield {"key": f"{path}:{line}:{column} {name}", "path": path, "old": source, "new": new}


def _annotations(tree: ast.Module) -> set[tuple[int, int]]:
    """Line and column of everything that is only an annotation."""
    parts = [getattr(node, name, None) for node in ast.walk(tree) for name in ("annotation", "returns")]
    inside = [one for part in parts if isinstance(part, ast.expr) for one in ast.walk(part)]
    spans = [(one.lineno, one.col_offset, one.end_col_offset or 0) for one in inside if isinstance(one, ast.expr)]
    return {(line, column) for line, start, end in spans for column in range(start, end + 1)}


def _lines(before: str, after: str) -> set[int]:
    """The lines of `before` that change, from 1, and the rest of the statement that begins or goes on there."""
    matcher = difflib.SequenceMatcher(None, before.splitlines(), after.splitlines(), autojunk=False)
    changed = {
        line for kind, i, j, *_ in matcher.get_opcodes() if kind != "equal" for line in range(i + 1, max(j, i + 1) + 1)
    }
    for node in ast.walk(ast.parse(before)):
        if isinstance(node, ast.stmt):
            body: list[ast.stmt] = getattr(node, "body", [])
            header = range(node.lineno, body[0].lineno if body else (node.end_lineno or 0) + 1)
            changed |= set(header) if changed & set(header) else set()
    return changed


@cache
def _contexts(out: Path, path: str) -> list[dict[int, list[str]]]:
    """The tests that reach each line of a file, by each file of coverage; of "" all tests."""
    from coverage import CoverageData

    found = []
    for file in sorted(out.glob("*.coverage")):
        data = CoverageData(str(file))
        data.read()
        found.append(data.contexts_by_lineno(str(ROOT / path)) if path else {0: list(data.measured_contexts())})
    return found


def reaching(out: Path, path: str, lines: set[int]) -> list[str]:
    """The tests that reach these lines, or the file where they run at the import; the file's own first."""
    by_line = _contexts(out, path)
    contexts = {one for reached in by_line for line in lines for one in reached.get(line, ())}
    if "" in contexts:
        contexts = {one for reached in by_line for ones in reached.values() for one in ones}
    own = f"tests/{Path(path).parent.name}/test_{Path(path).stem}"
    return sorted({one.partition("|")[0] for one in contexts if one}, key=lambda one: (not one.startswith(own), one))


def _functions(code: CodeType) -> dict[str, list[CodeType]]:
    found: dict[str, list[CodeType]] = defaultdict(list)
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            found[inner.co_qualname].append(inner)
            for name, codes in _functions(inner).items():
                found[name] += codes
    return found


def put_in(path: str, before: str, after: str) -> bool:
    """Change the live functions of a file; False if something outside functions changes, for which all modules of the
    project are imported anew from here on."""
    file = str(ROOT / path)
    functions = [node for node in ast.walk(ast.parse(before)) if isinstance(node, ast.FunctionDef)]
    bodies = {line for one in functions for line in range(one.body[0].lineno, (one.end_lineno or 0) + 1)}
    if _lines(before, after) <= bodies:
        old, new = (_functions(compile(source, file, "exec", dont_inherit=True)) for source in (before, after))
        for one in gc.get_objects():
            if isinstance(one, FunctionType) and one.__code__.co_filename == file:
                lines = [code.co_firstlineno for code in old[one.__code__.co_qualname]]
                one.__code__ = new[one.__code__.co_qualname][lines.index(one.__code__.co_firstlineno)]
        return True
    for name in [name for name in sys.modules if name.startswith(("voicechess", "tests"))]:
        del sys.modules[name]

    class Changed(importlib.machinery.SourceFileLoader):
        def get_code(self, fullname: str) -> CodeType:
            code: CodeType = compile(after, file, "exec", dont_inherit=True)
            return code

    class Finder:
        @staticmethod
        def find_spec(name: str, *_: object) -> importlib.machinery.ModuleSpec | None:
            own = name == path.removesuffix(".py").replace("/", ".")
            return importlib.util.spec_from_file_location(name, file, loader=Changed(name, file)) if own else None

    sys.meta_path.insert(0, Finder)
    return False


class Trial:
    """A plugin of pytest in the process of one mutant: the first test that fails ends it, or its time."""

    def __init__(self, told: int, seconds: float) -> None:
        self.told, self.seconds = told, seconds

    def pytest_runtest_setup(self) -> None:
        """Before each test."""
        if time.process_time() > self.seconds:
            os._exit(0)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """After each part of a test."""
        if report.failed:
            os.write(self.told, f"{report.nodeid} {report.when}".encode())
            os._exit(1)

    def run(self, path: str, source: str, new: str, items: Sequence[pytest.Item]) -> None:
        """Run these tests with the change; ends the process, with status 0 if all pass."""
        resource.setrlimit(resource.RLIMIT_CPU, (LOOPS_S, LOOPS_S))
        for stream in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
        status = 0
        with tempfile.TemporaryDirectory() as folder:
            if put_in(path, source, new):
                items[0].config.pluginmanager.register(self)
                vars(items[0].config)["_tmp_path_factory"]._basetemp = Path(folder)
                for item, following in zip(items, (*items[1:], None), strict=True):
                    item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            else:
                tests = (one.nodeid for one in items)
                status = int(pytest.main([*OPTIONS, f"--basetemp={folder}/base", *tests], plugins=[self]))
        os._exit(status)


class Trials:
    """A plugin of pytest that tries mutants with the tests that were collected, instead of running those."""

    def __init__(self, out: Path, mutants: Sequence[Mutant], seconds: float) -> None:
        self.out, self.mutants, self.seconds = out, mutants, seconds

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Instead of the tests: one mutant after the other."""
        items = {item.nodeid: item for item in session.items}
        for mutant in self.mutants:
            path, source = mutant["path"], (ROOT / mutant["path"]).read_text(encoding="utf-8")
            assert source.count(mutant["old"]) == 1, f"{mutant['key']}: not once in {path}"
            new = source.replace(mutant["old"], mutant["new"])
            named = [one for one in items if "tests" in mutant and re.search(mutant["tests"], one)]
            tests = [items[one] for one in named or reaching(self.out, path, _lines(source, new)) if one in items]
            read, told = os.pipe()
            if tests and not (child := os.fork()):
                with contextlib.suppress(BaseException):
                    Trial(told, self.seconds).run(path, source, new, tests)
                os._exit(9)
            os.close(told)
            became = "unreached" if not tests else "killed" if os.waitpid(child, 0)[1] else "survived"
            with os.fdopen(read) as pipe, (self.out / "results.jsonl").open("a", encoding="utf-8") as file:
                file.write(json.dumps({"key": mutant["key"], "became": became, "by": pipe.read()}) + "\n")
        return True


def main() -> None:
    """See the top of this file."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("step", choices=("draw", "run"))
    parser.add_argument("out", type=Path, help="folder of what was drawn, of coverage data, and of results.jsonl")
    parser.add_argument("rooms", nargs="*")
    parser.add_argument("--number", type=int, default=40, help="of mutants drawn")
    parser.add_argument("--seed", type=int, default=49)
    parser.add_argument("--by-hand", type=Path, help="a list of mutants, instead of those drawn")
    parser.add_argument("--seconds", type=float, default=60.0, help="of processor time for the tests of one mutant")
    given = parser.parse_args()
    files = [given.out / f"{room}.json" for room in given.rooms]
    if given.step == "draw":
        for room, file in zip(given.rooms, files, strict=True):
            file.write_text(json.dumps(list(draw(room, given.number, given.seed))), encoding="utf-8")
        return
    mutants = [one for file in files for one in json.loads(file.read_text(encoding="utf-8"))]
    if given.by_hand:
        mutants = tomllib.loads(given.by_hand.read_text(encoding="utf-8"))["mutant"]
    sys.dont_write_bytecode = True
    tests = {one.partition("::")[0] for data in _contexts(given.out, "") for one in data[0] if one}
    pytest.main([*OPTIONS, *sorted(tests)], plugins=[Trials(given.out, mutants, given.seconds)])


if __name__ == "__main__":
    main()
