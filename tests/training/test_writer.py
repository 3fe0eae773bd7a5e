"""The writer against the decoder: a net made by hand, whose outputs are known, gives the expected words and times."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
import vosk

pytest.importorskip("torch", reason="needs the training extra")
pytest.importorskip("scipy", reason="needs the training extra")

from models.training import features, kaldi, lexicon, vocabulary, write
from models.training.language import language
from models.training.phones import GARBAGE, SILENCE

pytestmark = pytest.mark.training

GERMAN = language("de")
UNITS, INDEX, PDFS = GERMAN.units, GERMAN.sounds.index, GERMAN.sounds.outputs
TONES = {"a": 500.0, "i:": 1200.0, "u:": 2200.0, "o:": 4000.0}
WORDS = [("eins", ("a", "i:")), ("zwei", ("u:", "o:")), ("drei", ("a", "o:")), ("acht", ("o:",))]


def tone_model(
    folder: Path,
    small: bool = False,
    words: Sequence[tuple[str, lexicon.Pronunciation]] = WORDS,
    dearer: Mapping[str, float] | None = None,
) -> None:
    """Every sound of `TONES` is likely where its own mel bin is loud, silence where none is; nothing else ever is."""
    weights, bias = np.zeros((PDFS, features.BINS)), np.full(PDFS, -200.0)
    for phone, hertz in TONES.items():
        nearest = int(np.abs(features.centres() - hertz).argmin())
        for pdf in (2 * INDEX[phone], 2 * INDEX[phone] + 1):
            weights[pdf, nearest], bias[pdf] = 2.0, 0.0
    bias[2 * INDEX[SILENCE] : 2 * INDEX[SILENCE] + 2] = 2 * 14.0
    bias[2 * INDEX[GARBAGE]] = 2 * 11.0
    net = kaldi.Net(features.BINS)
    node = net.affine("out.affine", weights @ features.MEL, bias, "input", small)
    node = net.nonlinear("out", "LogSoftmaxComponent", PDFS, node)
    model = net.acoustic_model(node, (0, 0), np.full(PDFS, 1 / PDFS))
    acoustic = write.AcousticModel(model, GERMAN.sounds.names)
    write.write_folder(folder, words, acoustic, write.Settings(acoustic_scale=1.0), UNITS, dearer or {})


def tones(words: list[str], pause: float) -> tuple[np.ndarray, list[tuple[float, float]]]:
    """Each sound of each word for a fifth of a second, with pauses between the words; and when each word was."""
    time = np.arange(3200) / 16000
    sound, times = [np.zeros(6400)], []
    for word in words:
        begin = sum(map(len, sound)) / 16000
        sound += [6000 * np.sin(2 * np.pi * TONES[phone] * time) for phone in dict(WORDS)[word]]
        times.append((begin, sum(map(len, sound)) / 16000))
        sound.append(np.zeros(int(pause * 16000)))
    sound.append(np.zeros(6400))
    whole = np.concatenate(sound)
    return whole + np.random.default_rng(0).standard_normal(len(whole)), times


@pytest.mark.parametrize("pause", [0.0, 0.3])
@pytest.mark.parametrize("grammar", [None, ["eins", "zwei", "drei", "acht", "[unk]"]])
@pytest.mark.parametrize("small", [False, True])
def test_a_net_made_by_hand_gives_its_words_and_times(
    tmp_path: Path, pause: float, grammar: list[str] | None, small: bool
) -> None:
    vosk.SetLogLevel(-1)
    tone_model(tmp_path, small)
    said = ["zwei", "eins", "acht", "drei", "drei"]
    samples, times = tones(said, pause)
    model = vosk.Model(model_path=str(tmp_path))
    recogniser = vosk.KaldiRecognizer(model, 16000, *([json.dumps(grammar, ensure_ascii=False)] if grammar else []))
    recogniser.SetWords(True)
    recogniser.AcceptWaveform(np.rint(samples).astype("<i2").tobytes())
    found = json.loads(recogniser.FinalResult())["result"]
    assert [word["word"] for word in found] == said
    for word, (begin, end) in zip(found, times, strict=True):
        assert abs(word["start"] - begin) <= 0.05
        assert abs(word["end"] - end) <= 0.05


@pytest.mark.parametrize(("dearer", "heard"), [({"eins": 2.0}, "heinz"), ({"heinz": 2.0}, "eins")])
def test_of_words_that_sound_alike_the_dearer_is_heard_less(
    tmp_path: Path, dearer: Mapping[str, float], heard: str
) -> None:
    tone_model(tmp_path, words=[*WORDS, ("heinz", dict(WORDS)["eins"])], dearer=dearer)
    vosk.SetLogLevel(-1)
    recogniser = vosk.KaldiRecognizer(vosk.Model(model_path=str(tmp_path)), 16000, '["eins", "heinz"]')
    recogniser.SetMaxAlternatives(2)
    recogniser.AcceptWaveform(np.rint(tones(["eins"], 0.0)[0]).astype("<i2").tobytes())
    first, second = json.loads(recogniser.FinalResult())["alternatives"]
    assert first["text"] == heard
    # Vosk counts nine tenths of what a graph costs.
    assert first["confidence"] - second["confidence"] == pytest.approx(0.9 * 2.0, abs=0.01)


def test_half_precision_matrices_are_read_back() -> None:
    values = np.random.default_rng(0).standard_normal((7, 5))
    data = kaldi.matrix(values)
    assert data.startswith(b"CM2 ")
    low, span = np.frombuffer(data[4:12], "<f4")
    assert tuple(np.frombuffer(data[12:20], "<i4")) == (7, 5)
    back = low + span / 65535 * np.frombuffer(data[20:], "<u2").reshape(7, 5)
    assert np.abs(back - values).max() < span / 65535


def test_one_byte_matrices_are_read_back_as_kaldi_does() -> None:
    values = np.random.default_rng(0).standard_normal((300, 6)) * [1, 1, 0.01, 5, 1, 1] + [0, 3, 0, 0, 0, 0]
    values[:, 4] = -17.0  # all the same, and at the lower end
    values[:, 5] = 19.0  # at the upper end
    data = kaldi.small_matrix(values)
    assert data.startswith(b"CM ")
    low, span = np.frombuffer(data[3:11], "<f4")
    assert tuple(np.frombuffer(data[11:19], "<i4")) == (300, 6)
    steps = np.frombuffer(data[19 : 19 + 48], "<u2").reshape(6, 4)
    assert (np.diff(steps.astype(int)) >= 1).all()
    knots = low + span / 65535 * steps
    codes = np.frombuffer(data[67:], np.uint8).reshape(6, 300)
    for column, ((p0, p1, p2, p3), code) in enumerate(zip(knots, codes.astype(float), strict=True)):
        back = np.where(
            code <= 64, p0 + (p1 - p0) * code / 64,
            np.where(code <= 192, p1 + (p2 - p1) * (code - 64) / 128, p2 + (p3 - p2) * (code - 192) / 63),
        )  # fmt: skip
        spread = values[:, column].std()
        assert np.abs(back - values[:, column]).std() <= max(0.01 * spread, span / 65535)
        assert np.abs(back - values[:, column]).max() <= 0.04 * spread + 3 * span / 65535


def test_new_words_need_no_training(tmp_path: Path) -> None:
    tone_model(tmp_path)
    before = write.read_acoustic_model(tmp_path, UNITS)
    words = write.write_folder(tmp_path, [*WORDS, ("neun", ("i:", "a"))], before, write.Settings(), UNITS)
    assert "neun" in words
    assert write.read_acoustic_model(tmp_path, UNITS) == before
    vosk.SetLogLevel(-1)
    assert vosk.Model(model_path=str(tmp_path)).vosk_model_find_word("neun") > 0


def test_every_word_has_a_pronunciation_of_known_sounds() -> None:
    entries = lexicon.lexicon(GERMAN, vocabulary.words(GERMAN))
    assert {word for word, _ in entries} == set(vocabulary.words(GERMAN))
    assert all(sound in INDEX for _, sounds in entries for sound in sounds)
