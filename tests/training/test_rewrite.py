"""New words are written into a finished model without anything that trains one."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
WITHOUT = """
import sys
for name in ("torch", "scipy", "soundfile", "kaldi_native_fbank", "tqdm"):
    sys.modules[name] = None
from models.training.__main__ import main
sys.exit(main(sys.argv[1:]))
"""


def test_the_model_is_written_again_byte_for_byte(tmp_path: Path) -> None:
    """The words are those that it has; the net is left as it is."""
    model = tmp_path / "starter"
    shutil.copytree(ROOT / "models" / "starter-de", model)
    (model / "graph" / "words.txt").unlink()
    command = [
        sys.executable,
        "-c",
        WITHOUT,
        "--steps",
        "rewrite",
        "--out",
        str(model),
        "--work",
        str(tmp_path / "work"),
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    names = sorted(path.relative_to(model) for path in model.rglob("*") if path.is_file())
    own = ROOT / "models" / "starter-de"
    assert names == sorted(path.relative_to(own) for path in own.rglob("*") if path.is_file())
    assert [name for name in names if (model / name).read_bytes() != (own / name).read_bytes()] == []
