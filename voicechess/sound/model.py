"""A speech model in vosk's folder format: checked before it is loaded, asked which words it knows, made to decode.

What is wrong with a folder is found by looking at its files, because vosk answers a damaged model with nothing but
"failed", and in the worst case by ending the process; `probe` therefore loads it in a child process first.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import subprocess
import sys
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

STARTER = "starter-de"
"""The model that the thresholds were chosen with (`bench tuning`). Likelihoods of others are scaled differently."""


@dataclass(frozen=True, slots=True)
class LikelihoodScaling:
    """How a model's log-likelihoods become comparable to the starter model's, with which the thresholds were chosen."""

    scale: float = 1.0  # factor of its log-likelihoods
    shift: float | None = None  # added to `Hypothesis.fit`; None: its fit tells nothing
    doubt: float = 0.0  # cost added to every reading, since it errs without showing it


STARTER_SCALING = LikelihoodScaling(shift=0.0)
"""That of the starter model."""

UNMEASURED = LikelihoodScaling(scale=0.5, doubt=0.25)
"""For a model of which nothing is known: only what is heard beyond doubt is done without a question."""

FST_MAGIC = b"\xd6\xfd\xb2\x7e"
ACOUSTIC_MAGIC = b"\x00B<TransitionModel>"
PROBE_S = 30.0
"""The timeout for trying a model: a small one takes a second, one of 2 GB from a slow disk half a minute."""

MODEL_RATE = 16_000
"""Samples per second that a model is made for, and what every decoder is fed: vosk makes a rate lower by itself, but
of sound with fewer samples it makes an error (seen), and its filter is not ours."""
BYTES_PER_MS = 2 * MODEL_RATE // 1000

WHOLE_FRAMES = 60
"""So many frames of 10 ms the net hears at a time of sound that is there whole; of sound that is still going on vosk
gives it 20, since words come as much later as it hears more. All its weights are read for each time (models/NOTES.md);
more leaves more of what `prepare` could do for the moment at which a player waits.
"""

LARGEST_TWICE_BYTES = 64_000_000
"""A larger model is not loaded a second time, which is what that takes: memory then matters more than time."""

UNDECODED_MS = 480
"""More than vosk ever has waiting; less than the silence after which it finds an end by itself."""


@dataclass(frozen=True, slots=True)
class DecodedWord:
    """A word with its times in milliseconds since the decoder's first sample."""

    text: str
    began_ms: int
    ended_ms: int
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class Decoded:
    """One word sequence for a piece of sound; `score` is a log-likelihood, only differences mean anything."""

    words: tuple[DecodedWord, ...]
    log_likelihood: float = 0.0


class Decoder(Protocol):
    """What turns sound into words; belongs to the thread that feeds it (vosk-api #606)."""

    def accept(self, pcm: bytes) -> bool:
        """Take 16-bit mono sound; True when the decoder itself has found an end (ask `final` then)."""

    def partial(self) -> str:
        """The words so far, a little behind the sound (about 0.2 s, vosk-api #336)."""

    def so_far(self) -> tuple[Decoded, ...]:
        """What `final` would give now, up to the last sample; the piece goes on. Costs as much as all of it again."""

    def prepare(self) -> None:
        """`so_far` will be asked for soon: do what can be done of it before the piece has ended."""

    def apart(self, pcm: bytes) -> tuple[Decoded, ...]:
        """What this sound is, all by itself; the piece goes on. Times since the sound's first sample."""

    def final(self) -> tuple[Decoded, ...]:
        """End this piece: its word sequences, best first, perhaps none. The next `accept` begins a new piece."""

    def forget(self) -> None:
        """End this piece without working out what it was, which costs a fifth as much."""


class SpeechModel(Protocol):
    """What a recogniser needs of a model. Its decoders have applied the scale already."""

    @property
    def scaling(self) -> LikelihoodScaling: ...

    def knows(self, word: str) -> bool:
        """Whether this word can be recognised."""

    def decoder(self, phrases: Sequence[str], alternatives: int) -> Decoder:
        """A decoder of sound at `MODEL_RATE` for these phrases, all of whose words are known."""


def is_starter(path: Path) -> bool:
    """Whether the model's manifest calls it the starter model."""
    manifest = path / "manifest.json"
    try:
        told = own_files.read_json(manifest)
    except OSError:
        return False
    return isinstance(told, dict) and told.get("name") == STARTER


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
            if not (path / part).is_file():  # a pipe would be waited for, a device has no end
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
"""Without umlauts: what gets them to the child depends on the system's language."""


def probe(path: Path, limit_s: float = PROBE_S) -> None:
    """Load the model in a child process and let it hear noise, so that a damaged one cannot end ours, nor hang it.

    Raises `SoundError`. Where no child can be started, or vosk is missing, nothing is known and nothing is said.
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
        except BaseException:  # the program is being ended: the child is not waited for any more
            child.kill()
            raise
    if told.startswith(b"begun") and child.returncode != 0:
        raise unusable


def _for_vosk(path: Path) -> str:
    """The path as vosk can open it: on Windows only ASCII (vosk-api #1072), so its short name, else that of a copy."""
    text = str(path)
    if sys.platform != "win32" or text.isascii():
        return text
    short = _short_name(text)
    return short if short and short.isascii() else str(_plain_copy(path, Path(os.environ.get("PROGRAMDATA", "C:\\"))))


def _short_name(text: str) -> str:
    """Windows' name of eight letters for each part; the path as it is where they are switched off (fsutil)."""
    if sys.platform != "win32":
        return text
    import ctypes

    buffer = ctypes.create_unicode_buffer(1024)
    ctypes.windll.kernel32.GetShortPathNameW(text, buffer, len(buffer))
    return buffer.value


def _plain_copy(path: Path, under: Path) -> Path:
    """The same model in a folder whose path is ASCII: links to its files where the disk has them, else copies.

    Raises `SoundError` where neither can be made there.
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
    """A loaded model; may be shared by threads (vosk-api #877). Only one model per process (#1337), but this one twice:
    once for sound that is going on, once for sound that is there whole."""

    def __init__(self, path: Path, scaling: LikelihoodScaling | None = None) -> None:
        """Examine and load. `scaling` None: that of the starter model for it, `UNMEASURED` for others.

        Raises `SoundError`.
        """
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
        self._for_whole = self._loaded_for_whole()

    def _loaded_for_whole(self) -> Any:
        """The model once more, whose net hears `WHOLE_FRAMES` at a time; itself where it is too large, or cannot be."""
        try:
            if sum(file.stat().st_size for file in self.path.rglob("*") if file.is_file()) > LARGEST_TWICE_BYTES:
                return self._model
            # Vosk takes this from the model's folder only, and reads all of it at once.
            with own_files.brief_folder() as folder:
                copy = folder / "model"
                shutil.copytree(self.path, copy, copy_function=shutil.copyfile)
                with (copy / "conf" / "model.conf").open("a", encoding="utf-8") as options:
                    options.write(f"\n--frames-per-chunk={WHOLE_FRAMES}\n")
                return self._vosk.Model(model_path=_for_vosk(copy))
        except Exception:  # vosk raises nothing more precise; without it all is the same, only slower
            return self._model

    def knows(self, word: str) -> bool:
        """Whether this word can be recognised; vosk itself only logs unknown ones (vosk-api #1314)."""
        return bool(self._model.vosk_model_find_word(word) >= 0)

    def decoder(self, phrases: Sequence[str], alternatives: int) -> Decoder:
        """A decoder for these phrases."""
        # vosk reads no \uXXXX: "fünf" would vanish (vosk-api #2040).
        grammar = json.dumps(list(phrases), ensure_ascii=False)

        def make(model: Any) -> Any:
            recogniser = self._vosk.KaldiRecognizer(model, MODEL_RATE, grammar)
            recogniser.SetMaxAlternatives(alternatives)
            recogniser.SetWords(True)
            return recogniser

        return _VoskDecoder(partial(make, self._model), partial(make, self._for_whole), self.scaling.scale)


class _VoskDecoder:
    """A vosk recogniser. Its times count from its first sample on, through every Result.

    Its partial results lag by up to a third of a second and have no times worth anything (with SetPartialWords they
    cover only the part of the lattice that is determinised, a second or more behind). So a second recogniser decodes
    the piece again when it is to be known how it ends: some hundredths of the piece's length.
    """

    def __init__(self, make: Callable[[], Any], make_for_whole: Callable[[], Any], scale: float) -> None:
        """`make_for_whole`: the same, for sound that is there whole."""
        self._make = make
        self._make_for_whole = make_for_whole
        self._scale = scale
        self._recogniser: Any = make()  # None: made when it is needed
        self._first_byte = 0  # of what this recogniser has been fed
        self._again: Any = None  # made when first needed
        self._again_bytes = 0  # what it has been fed
        self._prepared_bytes = 0  # of the piece, which it has been fed already
        self._fed_bytes = 0
        self._piece = b""
        self._ended = False  # AcceptWaveform said so: then FinalResult would be empty (vosk-api #590)

    def accept(self, pcm: bytes) -> bool:
        if self._recogniser is None:
            self._recogniser = self._make()
        self._piece += pcm
        self._fed_bytes += len(pcm)
        self._ended = bool(self._recogniser.AcceptWaveform(pcm))
        return self._ended

    def partial(self) -> str:
        if self._recogniser is None:
            return ""
        return str(json.loads(self._recogniser.PartialResult()).get("partial", ""))

    def so_far(self) -> tuple[Decoded, ...]:
        self.prepare()
        began_bytes, self._prepared_bytes = self._again_bytes - self._prepared_bytes, 0
        first_byte = self._fed_bytes - len(self._piece)
        shift_ms = round((first_byte - began_bytes) / BYTES_PER_MS)
        return self._alternatives(self._again.FinalResult(), shift_ms)

    def prepare(self) -> None:
        self._feed_again(self._piece[self._prepared_bytes :])
        self._prepared_bytes = len(self._piece)

    def apart(self, pcm: bytes) -> tuple[Decoded, ...]:
        self._unprepare()
        shift_ms = -round(self._again_bytes / BYTES_PER_MS)
        self._feed_again(pcm)
        return self._alternatives(self._again.FinalResult(), shift_ms)

    def _feed_again(self, pcm: bytes) -> None:
        """The second recogniser hears this too."""
        if self._again is None:
            self._again = self._make_for_whole()
        self._again_bytes += len(pcm)
        self._again.AcceptWaveform(pcm)

    def _unprepare(self) -> None:
        """What was prepared is not wanted any more. A new recogniser costs less than the end of that."""
        if self._prepared_bytes:
            self._again, self._again_bytes, self._prepared_bytes = None, 0, 0

    def final(self) -> tuple[Decoded, ...]:
        if self._recogniser is None:
            return ()
        text = self._recogniser.Result() if self._ended else self._recogniser.FinalResult()
        # After an end it found itself, vosk goes on with the sound it has not decoded yet; before that was silence.
        self._piece = self._piece[-round(UNDECODED_MS * BYTES_PER_MS) // 2 * 2 :] if self._ended else b""
        self._unprepare()
        self._ended = False
        return self._alternatives(text, round(self._first_byte / BYTES_PER_MS))

    def forget(self) -> None:
        # Vosk's Reset keeps the sound that it has not decoded yet, and a net with a memory would hear what was before.
        self._recogniser = None
        self._first_byte = self._fed_bytes
        self._piece = b""
        self._unprepare()
        self._ended = False

    def _alternatives(self, text: str, shift_ms: int = 0) -> tuple[Decoded, ...]:
        """A result's word sequences, with times that are later by `shift_ms`."""
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
    """Whether the model works, and which of these words it lacks."""
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
