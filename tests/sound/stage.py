"""A speaker on a stage: its loudspeaker plays as long as a test wants, and all that it tells is written down."""

from __future__ import annotations

from tests.drivers.virtual_sound import until
from tests.sound.fakes import FakeLoudspeaker
from voicechess.sound.devices.interfaces import Loudspeaker, monotonic_ms
from voicechess.sound.errors import SoundError
from voicechess.sound.speaker import Speaker, SpeakerCallbacks
from voicechess.sound.speech import Speech, SpokenSound


class SpelledSpeech(Speech):
    """A voice whose sound is the text itself, so that a test can read what was played."""

    def __init__(self) -> None:
        super().__init__(command=["never started"])
        self.failing = False
        self.right_language = True
        self.rendered: list[str] = []
        self.quick: list[str] = []
        self.second: list[str] = []
        self.has_second = True

    def warm(self) -> None:
        pass

    def sound(self, text: str, quick: bool = False, second: bool = False) -> SpokenSound:
        self.rendered.append(text)
        self.quick += [text] * quick
        self.second += [text] * second
        if self.failing:
            raise SoundError("sound.voice.failed")
        return SpokenSound(text.encode("utf-16-le"), 22050, self.right_language, self.has_second or not second)


class Stage:
    """A speaker with all its callbacks written down."""

    def __init__(self) -> None:
        self.loudspeaker = FakeLoudspeaker()
        self.available = True
        self.speech = SpelledSpeech()
        self.spoken: list[tuple[int, bool]] = []
        self.told: list[str] = []
        self.speech_since_ms: int | None = None
        self.barges_in = False
        self.near = True
        self.speaker = Speaker(
            self.open,
            self.speech,
            SpeakerCallbacks(
                spoken=lambda number, completed: self.spoken.append((number, completed)),
                lost=lambda error: self.told.append(f"lost {error.key}"),
                found=lambda name: self.told.append(f"found {name}"),
                trouble=lambda error: self.told.append(f"trouble {error.key}"),
            ),
            speech_since=lambda: self.speech_since_ms,
            barges_in=lambda: self.barges_in,
            near=lambda: self.near,
        )
        self.speaker.start()

    def open(self) -> Loudspeaker:
        if not self.available:
            raise SoundError("sound.loudspeaker.none")
        return self.loudspeaker

    @property
    def audible(self) -> bool:
        """Whether the program would hear itself now."""
        return self.speaker.audible_at(monotonic_ms())

    def playing(self, index: int) -> str:
        """The text that is the index-th sound, once it is being played."""
        return self.sound(index).decode("utf-16-le")

    def sound(self, index: int) -> bytes:
        """The index-th sound, once it is being played."""
        until(lambda: len(self.loudspeaker.playbacks) > index)
        return self.loudspeaker.playbacks[index].pcm

    def end(self, index: int) -> None:
        self.loudspeaker.playbacks[index].end()

    def has_spoken(self, *expected: tuple[int, bool]) -> bool:
        until(lambda: len(self.spoken) >= len(expected))
        return tuple(self.spoken) == expected
