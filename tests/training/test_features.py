"""The features the net learns from are the ones the recogniser computes."""

import numpy as np
import pytest

pytest.importorskip("scipy", reason="needs the training extra")
knf = pytest.importorskip("kaldi_native_fbank", reason="needs the training extra")

from models.training import features  # noqa: E402

pytestmark = pytest.mark.training


def test_cepstra_equal_kaldis_to_a_thousandth() -> None:
    rng = np.random.default_rng(1)
    time = np.arange(16000) / 16000
    samples = 3000 * np.sin(2 * np.pi * (200 + 900 * time) * time) + 40 * rng.standard_normal(16000)
    samples = np.round(samples).astype(np.float32)
    options = knf.MfccOptions()
    options.use_energy = False
    options.num_ceps = options.mel_opts.num_bins = 40
    options.mel_opts.low_freq, options.mel_opts.high_freq = 20, -400
    options.frame_opts.dither, options.frame_opts.samp_freq = 0, 16000
    mfcc = knf.OnlineMfcc(options)
    mfcc.accept_waveform(16000, samples.tolist())
    mfcc.input_finished()
    expected = np.stack([mfcc.get_frame(i) for i in range(mfcc.num_frames_ready)])
    ours = features.log_mel(samples) @ features.CEPSTRA.T
    assert ours.shape == expected.shape
    # 0.02 on values up to several hundred: single precision, and a table of cosines in Kaldi.
    assert np.abs(ours - expected).max() < 0.02
    assert np.abs(ours - expected).mean() < 1e-3


def test_digital_silence_is_the_floor() -> None:
    assert np.allclose(features.log_mel(np.zeros(4000, np.float32)), features.LOG_FLOOR)
