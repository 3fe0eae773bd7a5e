"""What all tests share: where the recordings are, and no skipping where CI must not skip."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).parent.parent
SHARED = Path(os.environ.get("VOICECHESS_SHARED", ROOT.parent / "shared")).resolve()
"""What lies beside the project, if it does."""
MUST_RUN_IN_CI = ["sound", "training", "shared", "index", "frozen", "browser", "reader", "wine"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite-dialogues", action="store_true", help="write what is said into tests/dialogues")


def pytest_configure(config: pytest.Config) -> None:
    """No test touches the real journal or settings of whoever runs it, and none depends on how fast the machine is.

    In CI the examples that are drawn are the same every time; elsewhere each run looks at others.
    """
    os.environ.pop("VOICECHESS_LANG", None)
    # The machine's own screen reader has no part in this: its library would start Speech Dispatcher, and the calls that
    # hang in it stay for as long as the process. Tests that want one start their own.
    os.environ["SPEECHD_CMD"], os.environ["SPEECHD_ADDRESS"] = "/bin/false", "unix_socket:/nonexistent/speechd.sock"
    settings.register_profile("voicechess", deadline=None, derandomize=bool(os.environ.get("CI")))
    settings.load_profile("voicechess")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """Which tests run on which core: see `tests/drivers/side_by_side.py`."""
    from tests.drivers.side_by_side import WhatIsMadeOnce

    return WhatIsMadeOnce(config, log)


@cache
def _text(path: Path) -> str:
    return path.read_text("utf-8")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests by ear are looked for by the text of their files (`tests.drivers.side_by_side.files_marked`)."""
    for item in items:
        if item.get_closest_marker("sound") is not None and "mark.sound" not in _text(item.path):
            raise pytest.UsageError(f"{item.nodeid} is marked by something else than mark.sound in {item.path.name}")


@pytest.fixture(autouse=True)
def _no_devices(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test listens to the microphone of whoever runs it through PulseAudio, except on cables of its own."""
    if request.node.get_closest_marker("sound") is None:
        monkeypatch.setenv("PULSE_SERVER", "unix:/nowhere")


@pytest.fixture(autouse=True)
def _own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VOICECHESS_HOME", str(tmp_path_factory.mktemp("home")))


_DONE_WITHOUT = str(SHARED / "lichess-api")
"""The stand-in for Lichess checks what it sends where the description lies there, and plays without it too."""

_read_beside: list[str] = []


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    """An audit hook, which lasts as long as the process: what is opened or listed beside the project."""
    if event in ("open", "os.listdir", "os.scandir") and arguments and isinstance(arguments[0], str | os.PathLike):
        path = os.fspath(arguments[0])
        if isinstance(path, str) and path.startswith(str(SHARED)) and not path.startswith(_DONE_WITHOUT):
            _read_beside.append(path)


sys.addaudithook(_watch)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol() -> Generator[None, object, object]:
    """What was read before this test is not its doing."""
    _read_beside.clear()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None]:
    """A test that reads from beside the project says so: by this marker it is run where nothing lies there."""
    yield
    if _read_beside and item.get_closest_marker("shared") is None:
        pytest.fail(f"not marked `shared`, but it reads {_read_beside[0]}")


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
    named = os.environ.get("VOICECHESS_MODEL")
    candidates = [Path(named)] if named else [ROOT / "models" / "starter-de", SHARED / "models" / "poc-de"]
    for candidate in candidates:
        if (candidate / "graph" / "HCLr.fst").is_file():
            return candidate
    pytest.skip("no German speech model here: set VOICECHESS_MODEL")


@pytest.fixture(scope="session")
def english_model_path() -> Path:
    """VOICECHESS_MODEL_EN, else this repository's English model."""
    path = Path(os.environ.get("VOICECHESS_MODEL_EN") or ROOT / "models" / "starter-en")
    if not (path / "graph" / "HCLr.fst").is_file():
        pytest.skip("no English speech model here: set VOICECHESS_MODEL_EN")
    return path
