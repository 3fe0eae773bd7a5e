"""Archives of models: a good one that is no model but looks like one, and bad ones."""

from __future__ import annotations

import io
import stat
import struct
import zipfile
from pathlib import Path
from random import Random

_FST = struct.pack("<ii6si8sii", 2125659606, 6, b"vector", 8, b"standard", 2, 0) + bytes(40)
# The acoustic model is of random bytes, so that the archive is large enough to break off.
FILES: dict[str, bytes] = {
    "am/final.mdl": b"\0B<TransitionModel>" + Random(1).randbytes(300_000),
    "conf/mfcc.conf": b"--sample-frequency=16000\n",
    "conf/model.conf": b"",
    "graph/HCLr.fst": _FST,
    "graph/Gr.fst": _FST,
    "graph/disambig_tid.int": b"1\n2\n",
    "graph/words.txt": b"<eps> 0\nanna 1\n",
}


def write_model(folder: Path) -> Path:
    """A folder with the files of a model."""
    for name, content in FILES.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    return folder


def archive(files: dict[str, bytes], *more: zipfile.ZipInfo) -> bytes:
    """A ZIP archive of these files, and of these entries with the content b"x"."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, content in files.items():
            opened.writestr(name, content)
        for info in more:
            opened.writestr(info, b"x")
    return whole.getvalue()


def model_archive(top: str = "vosk-model-test/") -> bytes:
    """The good archive, everything in one folder as published models are."""
    return archive({top + name: content for name, content in FILES.items()})


def entry(name: str, mode: int = stat.S_IFREG | 0o644) -> zipfile.ZipInfo:
    """An entry with any name and any kind of file."""
    info = zipfile.ZipInfo("x")
    info.filename = name
    info.external_attr = mode << 16
    return info
