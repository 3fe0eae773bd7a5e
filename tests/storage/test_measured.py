"""What was measured of a model: kept whole, for these files and no others, and heeded when one is chosen."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from voicechess import own_files
from voicechess.language.folders import LANGUAGES
from voicechess.language.wording import Wording
from voicechess.messages import Failure, Phrase, Text
from voicechess.sound.model import STARTER_SCALING, UNMEASURED, LikelihoodScaling
from voicechess.storage import speech_models
from voicechess.storage.measured import (
    BESIDE,
    Figures,
    Measured,
    fingerprint,
    is_damaged,
    read_measured,
    write_measured,
)
from voicechess.storage.places import checked_models_file, measured_folder
from voicechess.storage.speech_models import Origin, Store, choose, scaling_of

from .archives import write_model

GOOD = Measured(LikelihoodScaling(0.7, -3.5, 0.1), Figures(72, 70, 0, 0, 12.5), Figures(72, 66, 1, 2, 230.0))
WORSE = replace(GOOD, figures=Figures(72, 50, 1, 0, 290.0))


@pytest.fixture(autouse=True)
def _untried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speech_models, "probe", lambda path: None)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return write_model(tmp_path / "model")


@pytest.mark.parametrize("kept", [GOOD, WORSE, Measured(LikelihoodScaling(), GOOD.figures)])
def test_it_is_kept_beside_the_model_and_read_again(model: Path, kept: Measured) -> None:
    assert read_measured(model) is None
    assert write_measured(model, kept) == model / BESIDE
    assert read_measured(model) == kept
    before = (model / BESIDE).read_bytes()
    write_measured(model, kept)
    assert (model / BESIDE).read_bytes() == before
    assert sorted(path.name for path in model.iterdir() if path.is_file()) == [BESIDE]


def test_it_holds_for_these_files_only(model: Path, tmp_path: Path) -> None:
    write_measured(model, GOOD)
    copied = tmp_path / "copied"
    shutil.copytree(model, copied)
    (copied / f"{BESIDE}.123").write_text("left over", encoding="utf-8")
    assert read_measured(copied) == GOOD
    for part, content in (("conf/model.conf", b"--acoustic-scale=2\n"), ("graph/more", b"x")):
        shutil.rmtree(copied)
        shutil.copytree(model, copied)
        (copied / part).write_bytes(content)
        assert read_measured(copied) is None
        assert scaling_of(copied) == UNMEASURED


@pytest.mark.parametrize(
    "damaged",
    [
        *(b"", b"\xff", b"[]", b"[" * 60_000, b"{}", b" " * 70_000),
        *((b'"version": 1', b'"version": 0'), (b'"scale": 0.7', b'"scale": 0'), (b'"scale": 0.7', b'"scale": NaN')),
        *((b'"doubt": 0.1', b'"doubt": true'), (b'"harm": 12.5', b'"harm": "12"'), (b'"wrong": 0', b'"wrog": 0')),
    ],
)
def test_a_damaged_one_is_none(model: Path, damaged: bytes | tuple[bytes, bytes]) -> None:
    path = write_measured(model, GOOD)
    content = path.read_bytes()
    if isinstance(damaged, tuple):
        assert damaged[0] in content
        path.write_bytes(content.replace(*damaged))
    else:
        path.write_bytes(damaged)
    assert read_measured(model) is None
    of_another_version = damaged == (b'"version": 1', b'"version": 0')
    assert is_damaged(model) is not of_another_version


def test_that_what_was_measured_is_damaged_is_told(model: Path) -> None:
    assert not is_damaged(model), "nothing was measured"
    write_measured(model, GOOD)
    assert not is_damaged(model)
    (model / BESIDE).write_text("{", encoding="utf-8")
    own_files.write_text(measured_folder() / f"{fingerprint(model)[:32]}.json", "{")
    assert is_damaged(model)
    for language in LANGUAGES:
        told = Wording(language, strict=True).say(Phrase("model.damaged_measured", {"path": Text(str(model))}))
        assert "voicechess model tune" in told


def test_where_nothing_can_be_written_beside_the_model_it_lies_with_the_games(
    model: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    written = own_files.write_text

    def refused(path: Path, text: str) -> None:
        if path.is_relative_to(model):
            raise PermissionError
        written(path, text)

    monkeypatch.setattr(own_files, "write_text", refused)
    assert write_measured(model, GOOD).parent == measured_folder()
    assert read_measured(model) == GOOD
    assert not (model / BESIDE).exists()
    measured_folder().rename(tmp_path / "gone")
    measured_folder().write_text("", encoding="utf-8")
    with pytest.raises(Failure) as failure:
        write_measured(model, GOOD)
    assert failure.value.key == "cli.unwritable"


def test_an_installed_model_is_taken_where_it_is_no_worse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own: list[Path] = [write_model(tmp_path / "starter")]
    monkeypatch.setattr(speech_models, "starter", lambda language: next(iter(own), None))
    store = Store(tmp_path / "models")
    installed = write_model(store.path("small-de"))
    unmeasured = choose(environ={}, store=store)
    assert (unmeasured.origin, unmeasured.scaling) == (Origin.STARTER, STARTER_SCALING)
    assert [phrase.key for phrase in unmeasured.told] == ["model.not_measured", "model.instead"]
    write_measured(installed, WORSE)
    worse = choose(environ={}, store=store)
    assert (worse.origin, worse.told) == (Origin.STARTER, ())
    write_measured(installed, GOOD)
    good = choose(environ={}, store=store)
    assert (good.origin, good.scaling, good.told) == (Origin.INSTALLED, GOOD.scaling, ())
    write_measured(installed, replace(GOOD, starter=GOOD.figures))  # as good as the other
    assert choose(environ={}, store=store).origin is Origin.INSTALLED
    # Where there is no other, it is taken all the same.
    own.clear()
    write_measured(installed, WORSE)
    assert choose(environ={}, store=store).scaling == WORSE.scaling
    (installed / BESIDE).unlink()
    assert choose(environ={}, store=store).scaling == UNMEASURED


@pytest.mark.parametrize(
    ("kept", "scaling", "told"),
    [
        (None, UNMEASURED, ["model.used_unmeasured"]),
        (WORSE, WORSE.scaling, ["model.used_worse"]),
        (GOOD, GOOD.scaling, []),
    ],
)
def test_one_that_is_asked_for_is_taken_and_told_of(
    model: Path, kept: Measured | None, scaling: LikelihoodScaling, told: list[str]
) -> None:
    if kept is not None:
        write_measured(model, kept)
    for chosen in (choose(model), choose(environ={"VOICECHESS_MODEL": str(model)})):
        assert chosen.folder is not None and chosen.folder.path == model
        assert (chosen.scaling, [phrase.key for phrase in chosen.told]) == (scaling, told)


def test_the_starter_model_needs_no_measuring(model: Path) -> None:
    (model / "manifest.json").write_text('{"name": "starter-de", "files": {}}', encoding="utf-8")
    write_measured(model, WORSE)
    assert (choose(model).scaling, choose(model).told) == (STARTER_SCALING, ())


def test_measuring_a_model_does_not_have_it_tried_again(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[Path] = []
    monkeypatch.setattr(speech_models, "probe", tried.append)
    choose(model)
    write_measured(model, GOOD)
    choose(model)
    assert tried == [model]
    assert checked_models_file().is_file()
