"""Models on disk: installed whole or not at all, checked, chosen."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from voicechess.messages import Failure, Text
from voicechess.sound.model import LikelihoodScaling
from voicechess.storage import speech_models
from voicechess.storage.measured import Figures, Measured, write_measured
from voicechess.storage.places import checked_models_file
from voicechess.storage.speech_models import KNOWN, Origin, Store, choose, look_at, starter, verify

from .archives import FILES, archive, model_archive, write_model
from .bad_server import Server, serving

ARCHIVE = model_archive()
SHA256 = hashlib.sha256(ARCHIVE).hexdigest()
ROOT = Path(__file__).parents[2]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("no_proxy", "*")
    with serving(ARCHIVE) as found:
        yield found


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "models", pause=lambda seconds: None)


@pytest.fixture
def untried(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The models of these tests only look like models: that one was tried is all there is to know."""
    tried: list[Path] = []
    monkeypatch.setattr(speech_models, "probe", tried.append)
    return tried


def key_of(caught: pytest.ExceptionInfo[Failure]) -> str:
    return caught.value.key


@pytest.mark.parametrize("path", ["good", "breaks_off", "no_ranges", "redirect", "other_rest"])
def test_installing(server: Server, store: Store, path: str) -> None:
    told: list[int] = []
    folder = store.install(
        "small-de", url=server.url(path), accept_sha256=SHA256.upper(), progress=lambda now, whole: told.append(now)
    )
    assert folder == store.path("small-de")
    assert {name: (folder / name).read_bytes() for name in FILES} == FILES
    assert verify(folder) == ()
    assert max(told) == len(ARCHIVE)
    assert sorted(file.name for file in store.folder.iterdir()) == ["install.lock", "small-de"]
    assert [model.name for model in store.installed()] == ["small-de"]


def test_installing_again_does_nothing_unless_it_is_damaged(server: Server, store: Store) -> None:
    folder = store.install("small-de", url=server.url("good"), accept_sha256=SHA256)
    store.install("small-de", url=server.url("good"), accept_sha256=SHA256)
    assert len(server.requests) == 1
    (folder / "am/final.mdl").write_bytes(b"\0Bchanged")
    store.install("small-de", url=server.url("good"), accept_sha256=SHA256)
    assert len(server.requests) == 2
    assert verify(folder) == ()


def test_another_sha256_is_refused_with_both_values_and_can_be_accepted(server: Server, store: Store) -> None:
    with pytest.raises(Failure) as caught:
        store.install("small-de", url=server.url("good"))
    assert caught.value.key == "model.wrong_sha256"
    assert caught.value.slots == {
        "name": Text("small-de"),
        "expected": Text(KNOWN["small-de"].sha256),
        "found": Text(SHA256),
    }
    assert not store.path("small-de").exists()
    store.install("small-de", url=server.url("good"), accept_sha256=SHA256)
    assert len(server.requests) == 1  # what was refused need not be downloaded twice


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("other_bytes", "model.wrong_sha256"),
        ("says_less", "model.wrong_sha256"),
        ("says_more", "model.interrupted"),
        ("endless", "model.too_large"),
        ("missing", "model.http_error"),
    ],
)
def test_what_is_not_the_model_is_not_installed(server: Server, store: Store, path: str, key: str) -> None:
    with pytest.raises(Failure) as caught:
        store.install("small-de", url=server.url(path), accept_sha256=SHA256)
    assert key_of(caught) == key
    assert not store.path("small-de").exists()


@pytest.mark.parametrize(
    ("content", "key"),
    [
        (archive({"a/../../evil": b"x"}), "model.unsafe_archive"),
        (
            archive({"a/zeros": bytes(500_000_000 // 1000)} | {f"a/{n}": b"" for n in range(1001)}),
            "model.archive_too_large",
        ),
        (archive({"a/readme": b"x"}), "model.missing_file"),
        (archive({**FILES, "graph/Gr.fst": b"no graph at all, but long enough for a header"}), "model.damaged_file"),
        (b"no archive", "model.bad_archive"),
    ],
    ids=["outside", "many", "no_model", "no_graph", "no_archive"],
)
def test_an_accepted_archive_that_is_no_model_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch, store: Store, content: bytes, key: str
) -> None:
    monkeypatch.setenv("no_proxy", "*")
    whole = write_model(store.path("small-de"))
    with serving(content) as server, pytest.raises(Failure) as caught:
        sha256 = hashlib.sha256(content).hexdigest()
        store.install("small-de", url=server.url("good"), accept_sha256=sha256, again=True)
    assert key_of(caught) == key
    assert verify(whole) == ()  # the model that was there is still there
    assert not [file for file in store.folder.iterdir() if file.name.startswith(".")]


def test_names_and_values_that_make_no_sense(store: Store) -> None:
    with pytest.raises(Failure) as caught:
        store.install("huge-xx")
    assert (caught.value.key, caught.value.slots["known"]) == ("model.unknown", Text("small-de"))
    with pytest.raises(Failure) as caught:
        store.install("small-de", accept_sha256="abc")
    assert key_of(caught) == "model.bad_sha256"


def test_one_at_a_time(server: Server, store: Store) -> None:
    store.folder.mkdir(parents=True)
    code = (
        "import sys, time; from pathlib import Path; from voicechess.storage.places import ByteLock\n"
        f"lock = ByteLock(Path({str(store.folder / 'install.lock')!r}))\n"
        "print(lock.take(), flush=True); time.sleep(3600)"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=environment) as other:
        assert other.stdout is not None
        try:
            assert other.stdout.readline() == "True\n"
            with pytest.raises(Failure) as caught:
                store.install("small-de", url=server.url("good"), accept_sha256=SHA256)
        finally:
            other.kill()
            other.wait()
        assert key_of(caught) == "model.busy"
    store.install("small-de", url=server.url("good"), accept_sha256=SHA256)


def test_removing(server: Server, store: Store) -> None:
    store.install("small-de", url=server.url("good"), accept_sha256=SHA256)
    store.remove("small-de")
    store.remove("small-de")
    assert store.installed() == ()


def test_a_store_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(Failure) as caught:
        Store(tmp_path / "file").install("small-de")
    assert key_of(caught) == "model.unwritable"


@pytest.mark.parametrize("name", FILES)
def test_verify_finds_every_missing_and_every_changed_file(server: Server, store: Store, name: str) -> None:
    folder = store.install("small-de", url=server.url("good"), accept_sha256=SHA256)
    (folder / name).write_bytes((folder / name).read_bytes() + b"x")
    assert [(problem.key, problem.slots["name"]) for problem in verify(folder)] == [("model.changed_file", Text(name))]
    (folder / name).unlink()
    found = {(problem.key, problem.slots["name"]) for problem in verify(folder)}
    assert ("model.missing_file", Text(name)) in found


@pytest.mark.parametrize(
    "manifest", ["", "[]", '{"files": []}', '{"files": {"a": 1}}', json.dumps({"files": {"../x": "0" * 64}})]
)
def test_a_manifest_that_makes_no_sense_is_damage(tmp_path: Path, manifest: str) -> None:
    folder = write_model(tmp_path / "model")
    (folder / "manifest.json").write_text(manifest)
    assert [problem.key for problem in verify(folder)] == ["model.damaged_file"]


def test_a_manifest_may_say_more_than_we_know(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "model")
    sums = {name: {"sha256": hashlib.sha256(content).hexdigest(), "bytes": 1} for name, content in FILES.items()}
    (folder / "manifest.json").write_text(json.dumps({"files": sums, "made": {"by": "us"}}))
    assert verify(folder) == ()


def test_a_static_graph_takes_no_grammars(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "model")
    assert look_at(folder).grammars
    (folder / "graph/Gr.fst").rename(folder / "graph/HCLG.fst")
    (folder / "graph/HCLr.fst").unlink()
    assert not look_at(folder).grammars


def test_words_may_stand_in_the_graph_and_files_in_the_old_places(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "model")
    graph = bytearray((folder / "graph/Gr.fst").read_bytes())
    graph[30] |= 2  # the header's flags
    (folder / "graph/Gr.fst").write_bytes(graph)
    (folder / "graph/words.txt").unlink()
    assert look_at(folder).grammars
    old = tmp_path / "old"
    old.mkdir()
    for name, content in FILES.items():
        (old / Path(name).name).write_bytes(content)
    assert look_at(old).grammars


@pytest.mark.usefixtures("untried")
def test_the_order_of_models(tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speech_models, "starter", lambda language: tmp_path / "starter")
    option, wished = write_model(tmp_path / "option"), write_model(tmp_path / "wished")
    nothing = choose(environ={}, store=store)
    assert (nothing.folder, nothing.origin) == (None, None)
    assert [notice.key for notice in nothing.notices] == ["model.no_folder"]
    write_model(tmp_path / "starter")
    assert choose(environ={}, store=store).origin is Origin.STARTER
    installed = write_model(store.path("small-de"))
    write_measured(installed, Measured(LikelihoodScaling(), Figures(1, 1, 0, 0, 0.0)))
    assert choose(environ={}, store=store).origin is Origin.INSTALLED
    assert choose(environ={}, store=store, languages=("en",)).origin is Origin.STARTER
    environ = {"VOICECHESS_MODEL": str(wished)}
    assert choose(environ=environ, store=store).origin is Origin.ENVIRONMENT
    chosen = choose(option, environ=environ, store=store)
    assert (chosen.origin, chosen.folder and chosen.folder.path) == (Origin.OPTION, option)
    # A damaged model that nobody asked for is passed over with a notice.
    (installed / "am/final.mdl").write_bytes(b"")
    chosen = choose(environ={}, store=store)
    assert chosen.origin is Origin.STARTER
    assert [notice.key for notice in chosen.notices] == ["model.damaged_file"]
    assert [phrase.key for phrase in chosen.told] == ["model.damaged_file", "model.instead"]
    # One that was asked for is not.
    for environ in ({"VOICECHESS_MODEL": str(installed)}, {"VOICECHESS_MODEL": str(tmp_path / "nowhere")}):
        with pytest.raises(Failure):
            choose(environ=environ, store=store)


def test_a_model_is_tried_once_and_again_when_it_has_changed(tmp_path: Path, untried: list[Path]) -> None:
    folder = write_model(tmp_path / "model")
    for _ in range(3):
        assert choose(folder).origin is Origin.OPTION
    assert untried == [folder]
    graph = folder / "graph/HCLr.fst"
    status = graph.stat()
    os.utime(graph, ns=(status.st_atime_ns, status.st_mtime_ns + 100))  # the tick of NTFS
    choose(folder)
    assert untried == [folder] * 2
    (folder / "conf/model.conf").write_text("--beam=13\n")
    choose(folder)
    assert untried == [folder] * 3
    other = write_model(tmp_path / "other")
    for one in (other, folder, other, folder):
        choose(one)
    assert untried == [*[folder] * 3, other]


@pytest.mark.parametrize("memory", [b"", b"[]", b"[" * 60_000, b"\xff", b'{"a": 1}'])
def test_a_memory_that_makes_no_sense_remembers_nothing(tmp_path: Path, untried: list[Path], memory: bytes) -> None:
    folder = write_model(tmp_path / "model")
    checked_models_file().write_bytes(memory)
    choose(folder)
    choose(folder)
    assert untried == [folder]


def test_where_nothing_can_be_remembered_it_is_tried_each_time(
    tmp_path: Path, untried: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("VOICECHESS_HOME", str(tmp_path / "file"))
    folder = write_model(tmp_path / "model")
    choose(folder)
    choose(folder)
    assert untried == [folder] * 2


def test_what_differs_from_its_manifest_is_not_even_tried(
    server: Server, store: Store, untried: list[Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(speech_models, "starter", lambda language: write_model(tmp_path / "starter"))
    folder = store.install("small-de", url=server.url("good"), accept_sha256=SHA256)
    content = bytearray((folder / "am/final.mdl").read_bytes())
    content[-1] ^= 1
    (folder / "am/final.mdl").write_bytes(content)
    chosen = choose(environ={}, store=store)
    assert (chosen.origin, untried) == (Origin.STARTER, [tmp_path / "starter"])
    assert [phrase.key for phrase in chosen.told] == ["model.changed_file", "model.instead"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such files here")
@pytest.mark.parametrize("name", [*FILES, "manifest.json", "graph/phones/word_boundary.int", "conf/extra.conf"])
@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_what_has_no_end_is_no_part_of_a_model(tmp_path: Path, name: str, kind: str) -> None:
    """In a process of its own, since whoever opens such a thing may wait for ever."""
    folder = write_model(tmp_path / "model")
    part = folder / name
    part.unlink(missing_ok=True)
    part.parent.mkdir(exist_ok=True)
    if kind == "pipe":
        os.mkfifo(part)
    else:
        part.symlink_to("/dev/zero")
    command = [sys.executable, "-m", "voicechess", "model", "verify", str(folder)]
    done = subprocess.run(command, capture_output=True, check=False, timeout=120)
    assert done.returncode == 1
    assert name in done.stdout.decode()
    assert done.stderr == b""


def test_the_starter_model_that_is_here_is_whole() -> None:
    folder = starter()
    if folder is None:
        pytest.skip("no starter model has been made yet: models/starter-de")
    assert verify(folder) == ()
    assert look_at(folder).grammars
