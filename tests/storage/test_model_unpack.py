"""Archives that are unpacked, and those that are not."""

from __future__ import annotations

import io
import stat
import zipfile
from pathlib import Path

import pytest

from voicechess.messages import Failure
from voicechess.storage.archives import Limits, unpack

from .archives import FILES, archive, entry, model_archive

GOOD = model_archive()
LIMITS = Limits(files=20, max_bytes=1_000_000)


def refused(tmp_path: Path, content: bytes, limits: Limits = LIMITS) -> str:
    """The key that this archive is refused with; nothing may have been written outside the folder."""
    (tmp_path / "a.zip").write_bytes(content)
    folder = tmp_path / "inside"
    folder.mkdir()
    with pytest.raises(Failure) as caught:
        unpack(tmp_path / "a.zip", folder, limits)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.zip", "inside"]
    return caught.value.key


@pytest.mark.parametrize("top", ["vosk-model-test/", "", "a/b/"])
def test_the_shared_folder_is_left_out(tmp_path: Path, top: str) -> None:
    (tmp_path / "a.zip").write_bytes(model_archive(top))
    folder = tmp_path / "inside"
    folder.mkdir()
    unpack(tmp_path / "a.zip", folder, LIMITS)
    prefix = "b/" if top == "a/b/" else ""
    assert {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()} == {
        prefix + name: content for name, content in FILES.items()
    }


@pytest.mark.parametrize(
    "name",
    [
        "../evil",
        "model/../../evil",
        "/evil",
        "//evil",
        "C:/evil",
        "C:evil",
        "..\\evil",
        "model\\..\\..\\evil",
        "model/evil\n",
        "model/.",
        "model//evil",
        "model/evil.",
        "model/evil ",
        "model/NUL.txt",
        "model/com1",
        "a/b/c/d/e/f/g/h/i/evil",
        "model/" + "x" * 200,
        "~/../evil",
    ],
)
def test_names_that_lead_elsewhere_are_refused(tmp_path: Path, name: str) -> None:
    assert refused(tmp_path, archive({"model/good": b"x"}, entry(name))) == "model.unsafe_archive"


def test_a_name_cut_by_nul_is_refused(tmp_path: Path) -> None:
    content = archive({"model/good": b"x", "model/evilXxxx": b"x"}).replace(b"evilXxxx", b"evil\0xxx")
    assert refused(tmp_path, content) == "model.unsafe_archive"


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFSOCK])
def test_links_and_devices_are_refused(tmp_path: Path, kind: int) -> None:
    assert refused(tmp_path, archive({"model/good": b"x"}, entry("model/evil", kind | 0o777))) == "model.unsafe_archive"


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize(
    "names", [("a/b", "a/b"), ("a/b", "A/B"), ("a/ü", "a/u\u0308"), ("a/b", "a/b/c"), ("x/ß", "x/SS")]
)
def test_two_names_of_one_file_are_refused(tmp_path: Path, names: tuple[str, str]) -> None:
    assert refused(tmp_path, archive({}, *map(entry, names))) == "model.unsafe_archive"


def test_too_many_files_are_refused(tmp_path: Path) -> None:
    assert refused(tmp_path, archive({f"a/{n}": b"" for n in range(21)})) == "model.archive_too_large"


def test_a_bomb_is_refused(tmp_path: Path) -> None:
    assert refused(tmp_path, archive({"a/zeros": bytes(1_000_001)})) == "model.archive_too_large"


def test_a_bomb_that_lies_about_its_size_is_refused(tmp_path: Path) -> None:
    size = 5_000_000
    honest = archive({"a/zeros": bytes(size)})
    lying = honest.replace(size.to_bytes(4, "little"), (100).to_bytes(4, "little"))
    assert lying != honest
    assert refused(tmp_path, lying) in ("model.bad_archive", "model.archive_too_large")
    assert sum(file.stat().st_size for file in (tmp_path / "inside").rglob("*") if file.is_file()) <= 1_000_000


def _encrypted() -> bytes:
    content = bytearray(archive({"a/b": b"x"}))
    with zipfile.ZipFile(io.BytesIO(content)) as opened:
        start = opened.start_dir
    content[6] |= 1
    content[start + 8] |= 1
    return bytes(content)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<html>not found</html>",
        b"PK\x03\x04" + b"\xff" * 100,
        archive({}),
        GOOD[:-100],
        GOOD[:1000],
        GOOD[:5000] + bytes([GOOD[5000] ^ 1]) + GOOD[5001:],
        _encrypted(),
        GOOD[:200] + bytes(4096) + GOOD[4296:],
    ],
    ids=["empty", "page", "noise", "nothing", "cut", "beginning", "changed", "encrypted", "hole"],
)
def test_damaged_archives_are_refused(tmp_path: Path, content: bytes) -> None:
    assert refused(tmp_path, content) == "model.bad_archive"
