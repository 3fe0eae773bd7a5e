"""docs/adding-a-language.md, tried: a folder of ten words of French is all that the recipe needs to hear them.

It is laid into a copy of the program, as somebody adds a language. Voices of espeak-ng say the words, a small net
learns them, and another voice is understood.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

for needed in ("torch", "scipy", "soundfile", "tqdm", "ttspico", "espeakng_loader"):
    pytest.importorskip(needed, reason="needs the training extra")

pytestmark = pytest.mark.training

ROOT = Path(__file__).parents[2]
FRENCH = Path(__file__).parent / "fr"

DECODE = """
import json, sys
import vosk
from models.bench.synthesis import TUNING
from models.training import check, vocabulary
from models.training.language import language
from models.training.rooms import loudness
from models.training.speech import Speaker

vosk.SetLogLevel(-1)
french = language("fr")
ear = check.Ear(vosk.Model(model_path=sys.argv[1]), [*vocabulary.words(french), "[unk]"])
speaker, total = Speaker(1, french, tuple(sorted(TUNING))), check.Tally()
for line in ("tour anna deux", "cavalier david trois", "fou prend david cinq", "anna sept", "cavalier anna cinq"):
    for voice in ("m3", "f2"):
        said = speaker.say(line.split(), natural=True, voice=voice)
        total.add(said.words, ear.words(said.samples * (2000 / loudness(said.samples))))
print(json.dumps([total.words_right, total.errors]))
"""


def run(copy: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy)},
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=1200,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the program and the recipe, which have one language more."""
    folder = tmp_path_factory.mktemp("third")
    ignored = shutil.ignore_patterns("__pycache__", "starter-*", "work*")
    for part in ("voicechess", "models"):
        shutil.copytree(ROOT / part, folder / part, ignore=ignored)
    shutil.copytree(FRENCH, folder / "models" / "languages" / "fr", ignore=shutil.ignore_patterns("words.toml"))
    spoken = folder / "voicechess" / "language" / "fr"
    spoken.mkdir()
    shutil.copy(FRENCH / "words.toml", spoken)
    return folder


def test_a_folder_of_ten_words_becomes_a_model_that_hears_them(copy: Path, tmp_path: Path) -> None:
    work = tmp_path / "work"
    run(copy, "-m", "models.training", "--language", "fr", "--preset", "toy", "--work", str(work), "--cores", "1",
        "--shared", str(tmp_path / "none"), "--net", "first", "--steps", "synthesise", "train", "write")  # fmt: skip
    told = json.loads((work / "model" / "manifest.json").read_text(encoding="utf-8"))
    assert told["language"] == "fr"
    assert len(set(told["words"]) - {"[unk]"}) == 10
    right, errors = json.loads(run(copy, "-c", DECODE, str(work / "model")))
    assert right >= 70, errors  # untrained: 10 or so
