"""Models on disk: what is wrong with a folder, and the real recogniser on synthetic speech."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import vosk

from tests.sound.fakes import Recording
from voicechess.meaning import SILENCE_DB
from voicechess.sound import model as models
from voicechess.sound.errors import SoundError
from voicechess.sound.model import (
    ACOUSTIC_MAGIC,
    FST_MAGIC,
    MODEL_RATE,
    STARTER_SCALING,
    UNMEASURED,
    LikelihoodScaling,
    VoskModel,
    check_model,
    examine,
    probe,
)
from voicechess.sound.pcm import converted
from voicechess.sound.recogniser import Recogniser, recognise
from voicechess.sound.speech import Speech, VoiceSettings


def folder(path: Path) -> Path:
    """Something that looks like a model."""
    for part, content in {
        "am/final.mdl": ACOUSTIC_MAGIC + bytes(100),
        "conf/model.conf": b"--beam=10\n",
        "conf/mfcc.conf": b"--num-ceps=40\n",
        "graph/HCLr.fst": FST_MAGIC + bytes(100),
        "graph/Gr.fst": FST_MAGIC + bytes(100),
    }.items():
        (path / part).parent.mkdir(parents=True, exist_ok=True)
        (path / part).write_bytes(content)
    return path


def key_of(path: Path) -> str:
    with pytest.raises(SoundError) as error:
        examine(path)
    assert "path" in error.value.slots
    return error.value.key


def test_a_folder_that_looks_whole_passes(tmp_path: Path) -> None:
    examine(folder(tmp_path))


def test_what_is_missing_or_damaged_is_named(tmp_path: Path) -> None:
    assert key_of(tmp_path / "nowhere") == "sound.model.missing"
    assert key_of(tmp_path) == "sound.model.damaged"
    for index, part in enumerate(["am/final.mdl", "conf/model.conf", "graph/HCLr.fst", "graph/Gr.fst"]):
        gone, empty = folder(tmp_path / f"gone{index}"), folder(tmp_path / f"empty{index}")
        (gone / part).unlink()
        (empty / part).write_bytes(b"")
        assert key_of(gone) == key_of(empty) == "sound.model.damaged"
    html = folder(tmp_path / "html")
    (html / "am/final.mdl").write_bytes(b"<html>not found</html>")
    assert key_of(html) == "sound.model.damaged"


def test_a_big_model_that_takes_no_phrases(tmp_path: Path) -> None:
    path = folder(tmp_path)
    (path / "graph/HCLr.fst").rename(path / "graph/HCLG.fst")
    assert key_of(path) == "sound.model.no_graph"


def test_a_damaged_model_ends_another_process_not_ours(tmp_path: Path) -> None:
    with pytest.raises(SoundError) as error:
        probe(folder(tmp_path))
    assert error.value.key == "sound.model.unusable"
    (check,) = check_model(tmp_path)
    assert not check.ok


@pytest.mark.parametrize("part", ["am/final.mdl", "graph/HCLr.fst"])  # Gr.fst is not used with phrases
def test_a_real_model_cut_off(model_path: Path, tmp_path: Path, part: str) -> None:
    path = tmp_path / "model"
    shutil.copytree(model_path, path, copy_function=shutil.copyfile)
    content = (model_path / part).read_bytes()
    (path / part).write_bytes(content[: len(content) // 2])
    with pytest.raises(SoundError) as error:
        probe(path)
    assert error.value.key == "sound.model.unusable"


@pytest.fixture(scope="module")
def sentence() -> Recording:
    """A synthetic voice that says an announcement."""
    speech = Speech(VoiceSettings(rate=150))
    sound = speech.sound("Springer Gustav eins Felix drei")
    speech.close()
    return Recording(bytes(sound.rate) + sound.pcm + bytes(2 * sound.rate), sound.rate)


@pytest.fixture(scope="module")
def for_model(sentence: Recording) -> Recording:
    """The same at the rate that decoders take."""
    return Recording(converted(sentence.pcm, sentence.rate, MODEL_RATE, 1), MODEL_RATE)


def test_a_synthetic_voice_is_understood(model_path: Path, sentence: Recording) -> None:
    model = VoskModel(model_path)
    assert model.knows("läufer")
    assert not model.knows("xyzzy")
    recogniser = Recogniser(model, sentence.rate)
    recogniser.expect(["springer gustav eins felix drei", "läufer felix vier", "fünf", "xyzzy"])
    assert recogniser.unsayable == ("xyzzy",)
    (utterance,) = recognise(recogniser, sentence.pcm)
    best = utterance.hypotheses[0]
    assert best.text.replace("[unk]", "").strip() == "springer gustav eins felix drei"
    assert utterance.began_ms == pytest.approx(500, abs=250)
    assert utterance.ended_ms == pytest.approx(sentence.duration_ms - 1000, abs=250)
    assert all(a.ended_ms <= b.began_ms + 1 for a, b in zip(best.words, best.words[1:], strict=False))
    scores = [hypothesis.log_likelihood for hypothesis in utterance.hypotheses]
    assert scores == sorted(scores, reverse=True)
    assert utterance.decode_ms > 0
    assert utterance.level is not None and SILENCE_DB < utterance.level.speech_db < utterance.level.peak_db <= 0


def test_other_sound_fits_its_words_less_than_speech(model_path: Path, sentence: Recording) -> None:
    model = VoskModel(model_path)
    recogniser = Recogniser(model, sentence.rate)
    recogniser.expect(["springer gustav eins felix drei", "läufer felix vier", "anna", "acht", "dame eva zwei"])
    backwards = b"".join(sentence.pcm[at : at + 2] for at in range(len(sentence.pcm) - 2, -1, -2))
    found = recognise(recogniser, sentence.pcm) + recognise(recogniser, backwards, 60_000)
    fits = [utterance.hypotheses[0].fit for utterance in found]
    if model.scaling.shift is not None:
        assert len(fits) >= 2 and None not in fits
        said, *others = [one for one in fits if one is not None]
        assert said > 0 and said > max(others) + 10
    else:
        assert set(fits) == {None}


def test_only_of_the_starter_model_it_is_known_what_its_scores_mean(model_path: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(model_path, tmp_path / "model")
    for manifest, scores in (
        ('{"name": "starter-de"}', STARTER_SCALING),
        ('{"name": "small-de"}', UNMEASURED),
        ("[", UNMEASURED),
        ("[" * 99_999, UNMEASURED),
    ):
        (copy / "manifest.json").write_text(manifest, encoding="utf-8")
        assert VoskModel(copy).scaling == scores


def test_scores_are_scaled_and_fits_shifted_as_the_model_has_it(model_path: Path, sentence: Recording) -> None:
    found = []
    for scores in (LikelihoodScaling(shift=0.0), LikelihoodScaling(scale=2.0, shift=-3.0)):
        recogniser = Recogniser(VoskModel(model_path, scores), sentence.rate)
        recogniser.expect(["springer gustav eins felix drei"])
        found.append(recognise(recogniser, sentence.pcm)[0].hypotheses[0])
    plain, other = found
    assert other.log_likelihood == pytest.approx(2 * plain.log_likelihood)
    assert plain.fit is not None and other.fit is not None
    seconds = plain.log_likelihood / (other.fit + 3.0 - plain.fit)
    assert seconds == pytest.approx((plain.words[-1].ended_ms - plain.words[0].began_ms) / 1000, abs=0.02)


def test_the_same_recogniser_hears_again_with_other_phrases(model_path: Path, sentence: Recording) -> None:
    recogniser = Recogniser(VoskModel(model_path), sentence.rate)
    for phrases in (["springer gustav eins felix drei"], ["felix drei", "springer gustav eins felix drei"]):
        for began_ms in (0, 60_000):
            recogniser.expect(phrases)
            found = recognise(recogniser, sentence.pcm, began_ms)
            assert "felix drei" in found[-1].hypotheses[0].text
            assert began_ms < found[-1].ended_ms <= began_ms + sentence.duration_ms


def test_what_it_is_so_far_is_what_it_will_be(model_path: Path, for_model: Recording) -> None:
    """Words and times, at the end of a first piece and of a second; and looking changes nothing."""
    phrases = ["springer gustav eins felix drei", "läufer felix vier"]
    model = VoskModel(model_path)
    decoder, other = (model.decoder(phrases, 3) for _ in range(2))
    for _ in range(2):
        for part in (for_model.pcm[: for_model.rate * 3], for_model.pcm[for_model.rate * 3 :]):
            decoder.accept(part)
            other.accept(part)
            so_far = decoder.so_far()
        final = decoder.final()
        assert final == other.final()
        assert [word.text for word in so_far[0].words] == [word.text for word in final[0].words]
        for word, same in zip(so_far[0].words, final[0].words, strict=True):
            assert word.began_ms == pytest.approx(same.began_ms, abs=40)
            assert word.ended_ms == pytest.approx(same.ended_ms, abs=40)


@pytest.mark.parametrize("forgotten", [False, True])
def test_what_is_prepared_changes_nothing(model_path: Path, for_model: Recording, forgotten: bool) -> None:
    """Words, scores and times; also of a sound by itself, and of the piece after one that was prepared in vain."""
    model = VoskModel(model_path)
    decoder, other = (model.decoder(["springer gustav eins felix drei"], 3) for _ in range(2))
    for part in (for_model.pcm[: for_model.rate], for_model.pcm[for_model.rate :]):
        decoder.accept(part)
        decoder.prepare()
        other.accept(part)
    assert decoder.so_far() == other.so_far()
    decoder.prepare()
    (found, *_), (same, *_) = decoder.decode_alone(for_model.pcm), other.decode_alone(for_model.pcm)
    assert [word.text for word in found.words] == ["springer", "gustav", "eins", "felix", "drei"]
    assert [word.began_ms for word in found.words] == pytest.approx([word.began_ms for word in same.words], abs=40)
    decoder.prepare()
    for one in (decoder, other):
        if forgotten:
            one.discard()
        else:
            one.final()
        one.accept(for_model.pcm)
    (found, *_), (same, *_) = decoder.so_far(), other.so_far()
    assert [word.text for word in found.words] == ["springer", "gustav", "eins", "felix", "drei"]
    assert [word.began_ms for word in found.words] == pytest.approx([word.began_ms for word in same.words], abs=40)


def test_after_what_is_forgotten_the_next_piece_is_heard_as_after_what_was_asked_for(
    model_path: Path, for_model: Recording
) -> None:
    """Its words, its scores and its times; the sound before it leaves nothing behind."""
    model = VoskModel(model_path)
    decoder, other = (model.decoder(["springer gustav eins felix drei"], 3) for _ in range(2))
    for one in (decoder, other):
        one.accept(for_model.pcm[: for_model.rate])
    decoder.discard()
    other.final()
    for one in (decoder, other):
        one.accept(for_model.pcm)
    assert decoder.so_far() == other.so_far()
    found, expected = decoder.final(), other.final()
    assert [word.text for word in found[0].words] == ["springer", "gustav", "eins", "felix", "drei"]
    assert [one.log_likelihood for one in found] == [one.log_likelihood for one in expected]
    for word, same in zip(found[0].words, expected[0].words, strict=True):
        assert word.text == same.text
        assert word.began_ms == pytest.approx(same.began_ms, abs=1)


def test_a_sound_by_itself_is_heard_whatever_is_going_on(model_path: Path, for_model: Recording) -> None:
    """It is the same each time, its times are its own, and the piece that is going on does not notice."""
    model = VoskModel(model_path)
    decoder, other = (model.decoder(["springer gustav eins felix drei"], 3) for _ in range(2))
    found = []
    for part in (for_model.pcm[: for_model.rate], for_model.pcm[for_model.rate :]):
        decoder.accept(part)
        other.accept(part)
        found.append(decoder.decode_alone(for_model.pcm)[0])
        decoder.so_far()
    assert [word.text for word in found[0].words] == ["springer", "gustav", "eins", "felix", "drei"]
    for word, same in zip(*(one.words for one in found), strict=True):
        assert (word.text, word.began_ms) == (same.text, pytest.approx(same.began_ms, abs=40))
    assert found[0].words[-1].ended_ms == pytest.approx(for_model.duration_ms - 1000, abs=250)
    assert decoder.final() == other.final()


def test_umlauts_reach_the_recogniser_as_they_are(model_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """vosk reads no escapes: with them "fünf" would silently vanish (vosk-api #2040)."""
    model = VoskModel(model_path)
    grammars: list[str] = []
    real = model._vosk.KaldiRecognizer

    def spy(loaded: object, rate: int, grammar: str) -> object:
        grammars.append(grammar)
        return real(loaded, rate, grammar)

    monkeypatch.setattr(model._vosk, "KaldiRecognizer", spy)
    model.decoder(["läufer fünf"], 3).final()
    assert grammars == ['["läufer fünf"]']


def options_of_loaded(monkeypatch: pytest.MonkeyPatch, path: Path) -> tuple[list[Path], list[str], VoskModel]:
    """Of each time that vosk loads a model: from where, and with which options; and what hears in the end."""
    real = vosk.Model
    folders: list[Path] = []
    options: list[str] = []

    def spy(model_path: str) -> object:
        folders.append(Path(model_path))
        options.append((Path(model_path) / "conf" / "model.conf").read_text(encoding="utf-8"))
        return real(model_path=model_path)

    monkeypatch.setattr(vosk, "Model", spy)
    model = VoskModel(path)
    model.decoder(["ja"], 1)  # by then the second one is loaded too
    return folders, options, model


def test_sound_that_is_there_whole_is_heard_in_larger_steps(
    model_path: Path, for_model: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a copy of the model, which is gone at once; the model's folder stays as it is."""
    before = (model_path / "conf" / "model.conf").read_text(encoding="utf-8")
    folders, (own, whole), model = options_of_loaded(monkeypatch, model_path)
    assert folders[0] == model_path and not folders[1].exists()
    assert own == before == (model_path / "conf" / "model.conf").read_text(encoding="utf-8")
    assert (
        "--frames-per-chunk" not in own and whole.splitlines()[-1] == f"--frames-per-chunk={models.BATCH_CHUNK_FRAMES}"
    )
    monkeypatch.setattr(models, "LARGEST_SECOND_COPY_BYTES", 0)
    in_one_size = VoskModel(model_path)
    heard, same = (
        one.decoder(["springer gustav eins felix drei"], 3).decode_alone(for_model.pcm) for one in (model, in_one_size)
    )
    assert [word.text for word in heard[0].words] == ["springer", "gustav", "eins", "felix", "drei"]
    assert [one.words for one in heard] == [one.words for one in same]
    assert [one.log_likelihood for one in heard] == pytest.approx([one.log_likelihood for one in same], abs=0.001)


@pytest.mark.parametrize("largest, disk", [(0, False), (models.LARGEST_SECOND_COPY_BYTES, True)])
def test_a_model_that_is_large_or_cannot_be_copied_does_all_by_itself(
    model_path: Path, for_model: Recording, monkeypatch: pytest.MonkeyPatch, largest: int, disk: bool
) -> None:
    monkeypatch.setattr(models, "LARGEST_SECOND_COPY_BYTES", largest)
    if disk:
        monkeypatch.setattr(shutil, "copytree", _disk_full)
    folders, _, model = options_of_loaded(monkeypatch, model_path)
    assert folders == [model_path]
    heard = model.decoder(["springer gustav eins felix drei"], 3).decode_alone(for_model.pcm)
    assert [word.text for word in heard[0].words] == ["springer", "gustav", "eins", "felix", "drei"]


def _disk_full(*_: object, **__: object) -> None:
    raise OSError("no space left on device")


def test_where_windows_has_no_short_names_the_model_is_linked_to_a_plain_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """vosk opens only ASCII there (vosk-api #1072); the second time nothing is made anew, and what changed is."""
    there = folder(tmp_path / "Jürgen Müller" / "model")
    monkeypatch.setattr("voicechess.sound.model.sys.platform", "win32")
    monkeypatch.setattr("voicechess.sound.model._short_name", lambda text: text)
    monkeypatch.setenv("PROGRAMDATA", str(tmp_path / "plain"))
    copy = Path(models._for_vosk(there))
    assert str(copy).isascii()
    names = sorted(file.relative_to(there) for file in there.rglob("*"))
    assert sorted(file.relative_to(copy) for file in copy.rglob("*")) == names
    monkeypatch.setattr("voicechess.sound.model.os.link", None)
    assert Path(models._for_vosk(there)) == copy


def test_where_no_plain_path_can_be_had_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there = folder(tmp_path / "Jürgen" / "model")
    monkeypatch.setattr("voicechess.sound.model.sys.platform", "win32")
    monkeypatch.setattr("voicechess.sound.model._short_name", lambda text: "")
    (tmp_path / "file").touch()
    monkeypatch.setenv("PROGRAMDATA", str(tmp_path / "file"))
    with pytest.raises(SoundError) as caught:
        models._for_vosk(there)
    assert caught.value.key == "sound.model.path_letters"


def test_without_links_the_files_are_copied_and_kept_up_to_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = folder(tmp_path / "Jürgen" / "model")

    def refused(*_: object) -> None:
        raise OSError("no links on this disk")

    monkeypatch.setattr("voicechess.sound.model.os.link", refused)
    copy = models._plain_copy(there, tmp_path)
    (there / "conf" / "model.conf").write_bytes(b"--beam=11.5\n")
    assert models._plain_copy(there, tmp_path) == copy
    assert (copy / "conf" / "model.conf").read_bytes() == b"--beam=11.5\n"
