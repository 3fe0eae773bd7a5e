"""The synthesiser Festival, whose diphone voices were made from recordings of people.

Each voice says a language with its own phones (`diphones`). Festival is a program of the system: on Debian `apt-get
install festival` and the package of each voice. Which voices are reserved for what is in
`models/languages/<code>/voices.toml`.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import wave
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from models.bench.diphones import Plan
from voicechess.messages import Failure

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PACKAGES: dict[str, str] = {
    "czech_ph": "festvox-czech-ph", "czech_dita": "festvox-czech-dita", "czech_krb": "festvox-czech-krb",
    "czech_machac": "festvox-czech-machac", "lp_diphone": "festvox-italp16k", "pc_diphone": "festvox-itapc16k",
    "suo_fi_lj_diphone": "festvox-suopuhe-lj", "hy_fi_mv_diphone": "festvox-suopuhe-mv",
    "kal_diphone": "festvox-kallpc16k", "ked_diphone": "festvox-kdlpc16k",
    "hindi_NSK_diphone": "festvox-hi-nsk festival-hi",
}  # fmt: skip
"""Debian's packages of each voice, separated by spaces."""
LICENCES: dict[str, str] = {
    "czech_ph": "GPL-2.0-or-later", "czech_krb": "GPL-3.0-or-later", "lp_diphone": "GPL-2.0-or-later",
    "suo_fi_lj_diphone": "GNU LGPL", "kal_diphone": "Festival licence, much like MIT",
    "ked_diphone": "Festival licence, much like MIT", "hindi_NSK_diphone": "GPL-2.0-or-later",
}  # fmt: skip
"""Licences of the voices that starter models are trained on, as their packages state them."""
FOLDER = Path("/usr/share/festival/voices")
SAMPLE_RATE = 16_000


def available(voices: Iterable[str]) -> bool:
    """Whether the program and these voices are installed."""
    return shutil.which("festival") is not None and all(_group(voice) is not None for voice in voices)


def _group(voice: str) -> Path | None:
    return next(iter(sorted(FOLDER.glob(f"*/{voice}/group/*.group"))), None)


@cache
def recorded(voice: str) -> frozenset[str]:
    """The diphones of a voice, as "a-b".

    Raises:
        Failure: the voice is not installed.
    """
    path = _group(voice)
    if path is None:
        raise Failure("bench.natural_missing")
    with path.open("rb") as file:
        count = 0
        for line in file:
            if line.startswith(b"NumEntries"):
                count = int(line.split()[1])
            if line.startswith(b"EST_Header_End"):
                break
        return frozenset(file.readline().split(b" ", 1)[0].decode("latin-1") for _ in range(count))


def _segments(plan: Plan) -> str:
    return " ".join(
        f'("{piece.sound}" {piece.seconds:.4f}{"" if piece.hertz is None else f" (0 {piece.hertz:.1f})"})'
        for piece in plan.pieces
    )


def speak(plans: Sequence[Plan]) -> list[NDArray[np.float32]]:
    """The sound of each plan, -1 to 1, mono, at `SAMPLE_RATE`; the first phone begins after `diphones.LEAD_S`.

    Festival crashes on a few plans, which yield no samples.

    Raises:
        Failure: the program or a voice is not installed.
    """
    import numpy as np

    if not available({plan.voice for plan in plans}):
        raise Failure("bench.natural_missing")
    found = [np.zeros(0, np.float32) for _ in plans]
    waiting = sorted(range(len(plans)), key=lambda number: plans[number].voice)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        while waiting:
            _run([plans[number] for number in waiting], folder)
            for place, number in enumerate(waiting):
                path = folder / f"{place}.wav"
                if not path.exists():
                    waiting = waiting[place + 1 :]
                    break
                found[number] = read(path)
                path.unlink()
            else:
                waiting = []
    return found


def _run(plans: Sequence[Plan], folder: Path) -> None:
    """Have Festival write the sounds of the plans to the folder, numbered from 0, until it ends or crashes."""
    lines, voice = [], ""
    for number, plan in enumerate(plans):
        if plan.voice != voice:
            voice = plan.voice
            lines.append(f"(voice_{voice})")
        lines += [
            f"(set! said (utt.synth (eval '(Utterance Segments ({_segments(plan)})))))",
            f"(utt.wave.resample said {SAMPLE_RATE})",
            f'(utt.save.wave said "{folder.as_posix()}/{number}.wav" \'riff)',
        ]
    script = folder / "say.scm"
    script.write_text("\n".join(lines), encoding="latin-1")
    subprocess.run(["festival", "-b", str(script)], capture_output=True, check=False)


def read(path: Path) -> NDArray[np.float32]:
    """The samples of a 16-bit mono WAV file, -1 to 1."""
    import numpy as np

    with wave.open(str(path)) as file:
        return (np.frombuffer(file.readframes(file.getnframes()), "<i2") / 32768).astype(np.float32)
