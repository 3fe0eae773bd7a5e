"""A speech model in vosk's folder format: validated before it is loaded, queried for its vocabulary, and run as a
decoder.

A broken folder is diagnosed from its files, because vosk answers a damaged model with nothing but "failed", and at
worst ends the process; so `probe` loads it in a child process first.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from voicechess import own_files
from voicechess.meaning import UNKNOWN_WORD
from voicechess.messages import Text
from voicechess.sound.errors import Check, SoundError, failed
from voicechess.sound.libraries import begin, find_runtime, keep_libraries_quiet, not_loaded

STARTER = "starter-"
"""Prefix of the names of the bundled models, one for each language that is recognised. The thresholds were tuned with
the German one (`bench tuning`); likelihoods of others are scaled differently."""


@dataclass(frozen=True, slots=True)
class LikelihoodScaling:
    """Makes a model's log-likelihoods comparable to the starter model's, for which the thresholds were tuned."""

    scale: float = 1.0
    """Factor on its log-likelihoods. Larger: the best hypothesis is trusted more."""
    shift: float | None = None
    """Added to the fit (`recogniser.fit`). Larger: less is taken for noise. None: its fit is not usable."""
    doubt: float = 0.0
    """Cost added to every reading, for a model whose errors do not show in its likelihoods. Larger: more questions."""


STARTER_SCALING = LikelihoodScaling(shift=0.0)
"""Scaling of the starter model."""

UNMEASURED = LikelihoodScaling(scale=0.5, doubt=0.25)
"""For a model that was not measured: only the certain is done without a question."""

FST_MAGIC = b"\xd6\xfd\xb2\x7e"
ACOUSTIC_MAGIC = b"\x00B<TransitionModel>"
PROBE_S = 30.0
"""Timeout, seconds, of loading a model: a small one takes one, one of 2 GB from a slow disk thirty."""

MODEL_RATE = 16_000
"""Samples per second of every model and decoder. Vosk would downsample by itself, with a poorer filter, and fails to
upsample."""
BYTES_PER_MS = 2 * MODEL_RATE // 1000

BATCH_CHUNK_FRAMES = 60
"""Frames of 10 ms per chunk of the acoustic model for complete sound; for a stream vosk uses 20, since a chunk is
latency. Larger: less computing, as all weights are read once a chunk (models/NOTES.md), but more of it is left for the
moment at which a player waits."""

LARGEST_SECOND_COPY_BYTES = 64_000_000
"""Size in bytes up to which a model is loaded a second time for complete sound. Larger: more memory, less time."""

UNDECODED_MS = 480
"""Milliseconds at the end of a segment that are decoded again with the next one after vosk has endpointed: more than
vosk ever has undecoded, less than the silence after which it endpoints."""


@dataclass(frozen=True, slots=True)
class DecodedWord:
    """A recognised word. Times are milliseconds since the decoder's first sample."""

    text: str
    began_ms: int
    ended_ms: int
    confidence: float = 1.0  # 0 to 1, as the recogniser reports it


@dataclass(frozen=True, slots=True)
class Decoded:
    """One entry of an n-best list."""

    words: tuple[DecodedWord, ...]
    log_likelihood: float = 0.0
    """Natural logarithm; only differences are meaningful."""


class Decoder(Protocol):
    """Decodes sound into words, segment by segment. Belongs to the thread that feeds it (vosk-api #606)."""

    def accept(self, pcm: bytes) -> bool:
        """Take 16-bit mono sound; True if the decoder has endpointed (then call `final`)."""

    def partial(self) -> str:
        """Partial result, about 0.2 s behind the sound (vosk-api #336)."""

    def so_far(self) -> tuple[Decoded, ...]:
        """What `final` would return now, up to the last sample; the segment continues. Decodes the whole segment
        again."""

    def prepare(self) -> None:
        """Announce a call of `so_far`: decode what can be decoded in advance."""

    def decode_alone(self, pcm: bytes) -> tuple[Decoded, ...]:
        """N-best list of this sound alone; the segment continues. Times since the sound's first sample."""

    def final(self) -> tuple[Decoded, ...]:
        """End the segment and return its n-best list, perhaps empty. The next `accept` starts another one."""

    def discard(self) -> None:
        """End the segment without a result, at a fifth of the cost."""


class SpeechModel(Protocol):
    """What a recogniser needs of a model."""

    @property
    def scaling(self) -> LikelihoodScaling:
        """How to interpret its log-likelihoods; its decoders have applied the scale already."""

    def knows(self, word: str) -> bool:
        """Whether the word is in its vocabulary."""

    def decoder(self, phrases: Sequence[str], n_best: int) -> Decoder:
        """A decoder at `MODEL_RATE` for these phrases, whose words are all known, that returns so many hypotheses."""


def is_starter(path: Path) -> bool:
    """Whether the model's manifest calls it the starter model of a language."""
    manifest = path / "manifest.json"
    try:
        told = own_files.read_json(manifest)
    except OSError:
        return False
    return isinstance(told, dict) and str(told.get("name")).startswith(STARTER)


def examine(path: Path) -> None:
    """Raises `SoundError` when the folder cannot be a model that takes phrases (vosk-api #217)."""
    name = str(path)
    if not (own_files.is_there(path) and path.is_dir()):
        raise SoundError("sound.model.missing", path=name)
    if (path / "graph" / "HCLG.fst").exists() and not (path / "graph" / "HCLr.fst").exists():
        raise SoundError("sound.model.no_graph", path=name)
    wanted = {
        "am/final.mdl": ACOUSTIC_MAGIC,
        "conf/model.conf": b"",
        "conf/mfcc.conf": b"",
        "graph/HCLr.fst": FST_MAGIC,
        "graph/Gr.fst": FST_MAGIC,
    }
    for part, magic in wanted.items():
        try:
            if not (path / part).is_file():  # no pipe, which would block, and no device, which has no end
                raise FileNotFoundError
            with (path / part).open("rb") as file:
                start = file.read(max(1, len(magic)))
        except OSError as error:
            raise SoundError("sound.model.damaged", path=name, part=part) from error
        if not start or not start.startswith(magic):
            raise SoundError("sound.model.damaged", path=name, part=part)


_PROBE = """
import json, random, sys
if sys.platform == "win32":
    import ctypes
    ctypes.windll.kernel32.SetErrorMode(0x8003)  # a broken model ends this process, and no dialog waits for anybody
import vosk
print("begun", flush=True)
vosk.SetLogLevel(-1)
model = vosk.Model(model_path=sys.argv[1])
draw = random.Random(1)
noise = b"".join(draw.randrange(-9000, 9000).to_bytes(2, "little", signed=True) for _ in range(16000))
for phrases in ([sys.argv[3]], []):  # without phrases it takes those of the model's own graph
    recogniser = vosk.KaldiRecognizer(model, int(sys.argv[2]), *phrases)
    recogniser.SetMaxAlternatives(3)
    recogniser.SetWords(True)
    for start in range(0, len(noise), 3200):
        recogniser.AcceptWaveform(noise[start:start + 3200])
    json.loads(recogniser.FinalResult())
"""
_PROBE_PHRASES = (
    "springer gustav eins felix drei",
    "dame anna vier",
    "turm hector acht",
    "bella david eva",
    UNKNOWN_WORD,
)
"""Without umlauts: how those reach the child process depends on the system's encoding."""


def probe(path: Path, limit_s: float = PROBE_S) -> None:
    """Load the model in a child process and decode noise, so that a damaged one can neither end this process nor hang
    it.

    Raises `SoundError`. Where no child can be started, or vosk is missing, it passes.
    """
    examine(path)
    unusable = SoundError("sound.model.unusable", path=str(path))
    grammar = json.dumps(_PROBE_PHRASES)
    try:
        child = begin(_PROBE, _for_vosk(path), str(MODEL_RATE), grammar, stdout=subprocess.PIPE)
    except OSError:
        return
    with child:
        try:
            told, _ = child.communicate(timeout=limit_s)
        except subprocess.TimeoutExpired as error:
            child.kill()
            raise unusable from error
        except BaseException:  # the program is ending: do not wait for the child
            child.kill()
            raise
    if told.startswith(b"begun") and child.returncode != 0:
        raise unusable


def _for_vosk(path: Path) -> str:
    """A path that vosk can open: on Windows ASCII only (vosk-api #1072), so its short name, or that of a copy."""
    text = str(path)
    if sys.platform != "win32" or text.isascii():
        return text
    short = _short_name(text)
    return short if short and short.isascii() else str(_plain_copy(path, Path(os.environ.get("PROGRAMDATA", "C:\\"))))


def _short_name(text: str) -> str:
    """Windows' 8.3 name; the path unchanged where these are disabled (fsutil)."""
    if sys.platform != "win32":
        return text
    import ctypes

    buffer = ctypes.create_unicode_buffer(1024)
    ctypes.windll.kernel32.GetShortPathNameW(text, buffer, len(buffer))
    return buffer.value


def _plain_copy(path: Path, under: Path) -> Path:
    """A copy of the model below an ASCII path: hard links where the disk has them, otherwise copies.

    Raises `SoundError` if neither is possible.
    """
    copy = under / "voicechess" / hashlib.sha256(str(path).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    try:
        if not str(copy).isascii():
            raise OSError(errno.EINVAL, "not ASCII")
        for source in sorted(file for file in path.rglob("*") if file.is_file()):
            target, there = copy / source.relative_to(path), source.stat()
            target.parent.mkdir(parents=True, exist_ok=True)
            if target.is_file() and (target.stat().st_size, target.stat().st_mtime) == (there.st_size, there.st_mtime):
                continue
            target.unlink(missing_ok=True)
            try:
                os.link(source, target)
            except OSError:  # another disk, or one without links
                shutil.copy2(source, target)
    except OSError as error:
        raise SoundError("sound.model.path_letters", path=str(path)) from error
    return copy


class VoskModel:
    """A loaded model; threads may share it (vosk-api #877). One model per process (#1337), but loaded twice: once for
    streams, once for complete sound (batches)."""

    def __init__(self, path: Path, scaling: LikelihoodScaling | None = None) -> None:
        """Examine and load. `scaling`: None for the starter model's own, or `UNMEASURED` for others. Raises
        `SoundError`."""
        examine(path)
        keep_libraries_quiet()
        find_runtime()
        try:
            import vosk
        except (ImportError, OSError) as error:
            raise not_loaded("vosk", "sound.recogniser.missing", error) from error
        self.path = path
        self.scaling = scaling or (STARTER_SCALING if is_starter(path) else UNMEASURED)
        self._vosk: Any = vosk
        vosk.SetLogLevel(-1)
        try:
            # Never by language or name: that downloads without a check.
            self._model = vosk.Model(model_path=_for_vosk(path))
        except SoundError:
            raise
        except Exception as error:  # vosk raises nothing more precise
            raise SoundError("sound.model.unusable", path=str(path)) from error
        # Beside what else a start does; only a decoder waits for it.
        self._batch_model: Any = self._model
        self._second = threading.Thread(target=self._load_for_batches, name="batches")
        self._second.start()

    def _load_for_batches(self) -> None:
        """Load the model again, with chunks of `BATCH_CHUNK_FRAMES`, unless it is too large, or that fails."""
        # vosk raises nothing more precise; without it results are the same, but slower
        with contextlib.suppress(Exception):
            if sum(file.stat().st_size for file in self.path.rglob("*") if file.is_file()) > LARGEST_SECOND_COPY_BYTES:
                return
            # Vosk takes this setting only from the model's folder, and reads all of that at once.
            with own_files.brief_folder() as folder:
                copy = folder / "model"
                shutil.copytree(self.path, copy, copy_function=shutil.copyfile)
                with (copy / "conf" / "model.conf").open("a", encoding="utf-8") as options:
                    options.write(f"\n--frames-per-chunk={BATCH_CHUNK_FRAMES}\n")
                self._batch_model = self._vosk.Model(model_path=_for_vosk(copy))

    def knows(self, word: str) -> bool:
        """Whether this word can be recognised; vosk itself only logs unknown ones (vosk-api #1314)."""
        return bool(self._model.vosk_model_find_word(word) >= 0)

    def decoder(self, phrases: Sequence[str], n_best: int) -> Decoder:
        """A decoder for these phrases."""
        # vosk reads no \uXXXX: "fünf" would vanish (vosk-api #2040).
        grammar = json.dumps(list(phrases), ensure_ascii=False)
        self._second.join()

        def make(model: Any) -> Any:
            recogniser = self._vosk.KaldiRecognizer(model, MODEL_RATE, grammar)
            recogniser.SetMaxAlternatives(n_best)
            recogniser.SetWords(True)
            return recogniser

        return _VoskDecoder(partial(make, self._model), partial(make, self._batch_model), self.scaling.scale)


class _VoskDecoder:
    """A vosk recogniser. Its times count from its first sample, through every result.

    Its partial results lag by up to a third of a second and have no usable times (with SetPartialWords they cover only
    the determinised part of the lattice, a second or more behind). So a second recogniser decodes the segment again, as
    a batch, when its end has to be known; that takes some hundredths of its duration.
    """

    def __init__(self, make: Callable[[], Any], make_batch: Callable[[], Any], scale: float) -> None:
        """`make`: creates a recogniser for a stream. `make_batch`: one for complete sound. `scale`: as in
        `LikelihoodScaling`."""
        self._make = make
        self._make_batch = make_batch
        self._scale = scale
        self._recogniser: Any = make()  # None: created on demand
        self._first_byte = 0  # offset of its first byte in the stream
        self._batch: Any = None  # created on demand
        self._batch_bytes = 0  # bytes it has been fed
        self._prepared_bytes = 0  # bytes of the segment it has been fed in advance
        self._fed_bytes = 0
        self._segment = b""
        self._ended = False  # AcceptWaveform returned True: FinalResult would be empty (vosk-api #590)

    def accept(self, pcm: bytes) -> bool:
        if self._recogniser is None:
            self._recogniser = self._make()
        self._segment += pcm
        self._fed_bytes += len(pcm)
        self._ended = bool(self._recogniser.AcceptWaveform(pcm))
        return self._ended

    def partial(self) -> str:
        if self._recogniser is None:
            return ""
        return str(json.loads(self._recogniser.PartialResult()).get("partial", ""))

    def so_far(self) -> tuple[Decoded, ...]:
        self.prepare()
        began_bytes, self._prepared_bytes = self._batch_bytes - self._prepared_bytes, 0
        first_byte = self._fed_bytes - len(self._segment)
        shift_ms = round((first_byte - began_bytes) / BYTES_PER_MS)
        return self._alternatives(self._batch.FinalResult(), shift_ms)

    def prepare(self) -> None:
        self._feed_batch(self._segment[self._prepared_bytes :])
        self._prepared_bytes = len(self._segment)

    def decode_alone(self, pcm: bytes) -> tuple[Decoded, ...]:
        self._unprepare()
        shift_ms = -round(self._batch_bytes / BYTES_PER_MS)
        self._feed_batch(pcm)
        return self._alternatives(self._batch.FinalResult(), shift_ms)

    def _feed_batch(self, pcm: bytes) -> None:
        """Feed the batch recogniser."""
        if self._batch is None:
            self._batch = self._make_batch()
        self._batch_bytes += len(pcm)
        self._batch.AcceptWaveform(pcm)

    def _unprepare(self) -> None:
        """Drop what was prepared. A new recogniser is cheaper than finishing that one."""
        if self._prepared_bytes:
            self._batch, self._batch_bytes, self._prepared_bytes = None, 0, 0

    def final(self) -> tuple[Decoded, ...]:
        if self._recogniser is None:
            return ()
        text = self._recogniser.Result() if self._ended else self._recogniser.FinalResult()
        # After its own endpoint vosk goes on with the sound it has not decoded yet; before that was silence.
        self._segment = self._segment[-round(UNDECODED_MS * BYTES_PER_MS) // 2 * 2 :] if self._ended else b""
        self._unprepare()
        self._ended = False
        return self._alternatives(text, round(self._first_byte / BYTES_PER_MS))

    def discard(self) -> None:
        # Vosk's Reset keeps undecoded sound, and the net's memory would still hold what was before.
        self._recogniser = None
        self._first_byte = self._fed_bytes
        self._segment = b""
        self._unprepare()
        self._ended = False

    def _alternatives(self, text: str, shift_ms: int = 0) -> tuple[Decoded, ...]:
        """A result's n-best list, with times later by `shift_ms`."""
        result = json.loads(text)
        return tuple(_decoded(one, shift_ms, self._scale) for one in result.get("alternatives", [result]))


def _decoded(alternative: dict[str, Any], shift_ms: int, scale: float) -> Decoded:
    words = tuple(
        DecodedWord(
            word["word"],
            round(1000 * word["start"]) + shift_ms,
            round(1000 * word["end"]) + shift_ms,
            float(word.get("conf", 1.0)),
        )
        for word in alternative.get("result", [])
    )
    return Decoded(words, scale * float(alternative.get("confidence", 0.0)))


def check_model(path: Path, words: Sequence[str] = ()) -> list[Check]:
    """Checks that the model works, and which of these words it lacks."""
    try:
        probe(path)
        model = VoskModel(path)
    except SoundError as error:
        return [failed("sound.check.model", error)]
    lacking = [word for word in words if not model.knows(word)]
    if lacking:
        slots = {"path": Text(path.name), "words": Text(", ".join(lacking))}
        return [Check("sound.check.model", True, "sound.model.lacks_words", slots)]
    return [Check("sound.check.model", True, "sound.model.good", {"path": Text(path.name)})]
