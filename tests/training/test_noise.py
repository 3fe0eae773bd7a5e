"""Noise for training: every kind sounds, and mixing energies comes to what mixing waves does."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the training extra")

from models.training import noise  # noqa: E402
from models.training.augment import Augmentation  # noqa: E402
from models.training.features import RATE, log_mel  # noqa: E402
from models.training.language import language  # noqa: E402
from models.training.rooms import REFERENCE, loudness  # noqa: E402
from models.training.speech import Speaker  # noqa: E402

pytestmark = pytest.mark.training


def test_a_pool_has_every_kind_at_one_loudness() -> None:
    people = [np.random.default_rng(k).standard_normal(RATE).astype(np.float32) for k in range(40)]
    sounds = noise.pool(3, None, 0.1, Speaker(3, language("de")), people)
    assert len(sounds) == 8
    for sound in sounds:
        assert len(sound) == 10 * RATE
        assert loudness(sound) == pytest.approx(REFERENCE, rel=0.01)
        assert np.isfinite(sound).all()


def test_two_sounds_mixed_as_energies_vary_as_their_waves_do() -> None:
    rng = np.random.default_rng(1)
    one, other = (1000 * rng.standard_normal(20 * RATE).astype(np.float32) for _ in range(2))
    waves = log_mel(one + other)
    augmentation = Augmentation(torch.from_numpy(log_mel(other)), 1)
    a, b = torch.from_numpy(log_mel(one)), torch.from_numpy(log_mel(other))
    energies = augmentation.summed(a[None], b[None])[0].numpy()
    plain = torch.logaddexp(a, b).numpy()
    assert np.abs(energies.mean(0) - waves.mean(0)).max() < 0.25
    # Without the phases the sum would vary much less than it does.
    spread, without, wanted = energies.std(0).mean(), plain.std(0).mean(), waves.std(0).mean()
    assert abs(spread - wanted) < 0.5 * abs(without - wanted)


def test_sound_begins_within_what_only_a_memory_hears() -> None:
    noise = torch.randn(1000, 40)
    sound = torch.arange(120.0)[None, :, None].expand(300, 120, 40)
    begun = Augmentation(noise, 1, 50).begun(sound)
    began = begun[:, 0, 0]
    # Before the first frame that is heard it stands again and again; from there on nothing is changed.
    assert torch.equal(begun, torch.maximum(sound, began[:, None, None]))
    assert (began.min(), began.max()) == (0, 50)
    assert 0.55 < (began > 0).float().mean() < 0.75
    assert torch.equal(Augmentation(noise, 1).begun(sound), sound)
