"""What all tests share: where the recordings are, and no skipping where CI must not skip."""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).parent.parent
MUST_RUN_IN_CI = ("sound", "training", "shared", "index", "frozen", "browser", "reader")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite-dialogues", action="store_true", help="write what is said into tests/dialogues")


def pytest_configure(config: pytest.Config) -> None:
    """No test touches the real journal or settings of whoever runs it, and none depends on how fast the machine is.

    In CI the examples that are drawn are the same every time; elsewhere each run looks at others.
    """
    os.environ.pop("VOICECHESS_LANG", None)
    settings.register_profile("voicechess", deadline=None, derandomize=bool(os.environ.get("CI")))
    settings.load_profile("voicechess")


@pytest.fixture(autouse=True)
def _own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VOICECHESS_HOME", str(tmp_path_factory.mktemp("home")))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """In CI a skipped test that CI must have is a failed one."""
    report = yield
    if os.environ.get("CI") and report.skipped and any(item.get_closest_marker(name) for name in MUST_RUN_IN_CI):
        report.outcome = "failed"
        report.longrepr = f"CI must not skip this: {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Nor may a whole file leave itself out in CI: everything it could ask for is installed there."""
    report = yield
    if os.environ.get("CI") and report.skipped:
        report.outcome = "failed"
        report.longrepr = f"CI must not skip this: {report.longrepr}"
    return report


@pytest.fixture(scope="session")
def model_path() -> Path:
    """VOICECHESS_MODEL, else this repository's model, else the one among the recordings beside it."""
    shared = Path(os.environ.get("VOICECHESS_SHARED", ROOT.parent / "shared"))
    named = os.environ.get("VOICECHESS_MODEL")
    candidates = [Path(named)] if named else [ROOT / "models" / "starter-de", shared / "models" / "poc-de"]
    for candidate in candidates:
        if (candidate / "graph" / "HCLr.fst").is_file():
            return candidate
    pytest.skip("no German speech model here: set VOICECHESS_MODEL")
