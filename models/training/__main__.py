"""`python -m models.training`: make the starter model again, step by step; a run that was stopped goes on there.

`--steps rewrite` and `--steps record` need neither PyTorch nor anything else that trains: with `.[bench]` they run.
"""

from __future__ import annotations

import argparse
import logging
import sys
from datetime import date
from pathlib import Path

from models import languages
from models.training import manifest, vocabulary
from models.training.finish import NETS, rewrite
from models.training.language import language
from models.training.settings import PRESETS

RECIPE = ("synthesise", "train", "align", "retrain", "words", "grow", "people", "write", "check")
ROOT = Path(__file__).resolve().parents[2]


def _arguments(given: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m models.training", description=__doc__)
    parser.add_argument("--work", type=Path, default=ROOT / "models" / "work", help="folder for work in progress")
    parser.add_argument("--out", type=Path, help="folder of the model; default: inside the work folder")
    parser.add_argument("--language", choices=languages.CODES, default=languages.USUAL, help="what the model hears")
    parser.add_argument("--preset", choices=sorted(PRESETS), default="full")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared", help="folder with speech/ and noise/")
    parser.add_argument("--hold-out", action="store_true", help="leave out the speakers that choose settings")
    parser.add_argument("--steps", nargs="+", choices=(*RECIPE, "rewrite", "record"), default=RECIPE, help="only these")
    parser.add_argument("--report", type=Path, help="for record: what `voicechess bench model OUT --json` wrote")
    parser.add_argument("--net", choices=NETS, default=NETS[-1], help="for write: which of the nets, to compare them")
    parser.add_argument(
        "--begin",
        type=Path,
        help="a finished folder to go on with: its net is `fifth`; of another language, where `first` begins",
    )
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--device", help="where nets learn; default: cuda where it is there, else cpu")
    options = parser.parse_args(given)
    if "record" in options.steps and options.report is None:
        parser.error("record needs --report")
    return options


def main(given: list[str] | None = None) -> int:
    """Run the steps asked for; 0 when all are done."""
    options = _arguments(given)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    options.work.mkdir(parents=True, exist_ok=True)
    out = options.out or options.work / "model"
    if not set(RECIPE).isdisjoint(options.steps):
        from models.training.recipe import Run  # PyTorch: gigabytes that the other steps do not need

        Run(options, out).take(options.steps)
    if "rewrite" in options.steps:
        logging.info("rewrite")
        spoken = language(options.language)
        rewrite(out, spoken, vocabulary.words(spoken), PRESETS[options.preset].written)
    if "record" in options.steps:
        logging.info("record")
        manifest.record(out, options.report, date.today())
    return 0


if __name__ == "__main__":
    sys.exit(main())
