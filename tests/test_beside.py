"""What lies beside the project is read only by tests that say so, for they run where nothing lies there as well."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

READS = """
import os
import pytest

{mark}
def test_that_reads():
    assert list({how})
"""


@pytest.mark.parametrize("how", ["os.scandir({!r})", "open({!r} + '/list.txt')"])
@pytest.mark.parametrize(("mark", "status"), [("", 1), ("@pytest.mark.shared", 0)])
def test_a_test_that_reads_from_beside_is_marked(tmp_path: Path, how: str, mark: str, status: int) -> None:
    beside, test = tmp_path / "beside", tmp_path / "test_reading.py"
    beside.mkdir()
    (beside / "list.txt").write_text("x\n", "utf-8")
    test.write_text(READS.format(mark=mark, how=how.format(str(beside))), "utf-8")
    pytest_here = [sys.executable, "-m", "pytest", "-c", str(ROOT / "pyproject.toml"), "-p", "tests.conftest"]
    done = subprocess.run(
        [*pytest_here, "-p", "no:cacheprovider", str(test)],
        env={**os.environ, "VOICECHESS_SHARED": str(beside)},
        capture_output=True,
        cwd=ROOT,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == status, done.stdout
    assert ("not marked `shared`" in done.stdout) == bool(status)
