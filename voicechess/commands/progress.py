"""How far a command has come that takes long: a bar for those who see it, quarters spoken for those who do not."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from voicechess.app.context import Context
from voicechess.messages import Phrase
from voicechess.sound.devices.choice import open_loudspeaker
from voicechess.sound.speaker import Speaker
from voicechess.sound.speech import Speech, VoiceSettings

WIDTH = 40


class Bar:
    """Draws on standard error when that is a terminal; `quarter` is called with 25, 50, 75 and 100 in any case."""

    def __init__(self) -> None:
        self.quarter: Callable[[int], None] = lambda _percent: None
        self.speaker: Speaker | None = None  # what speaks the quarters
        self._told = 0
        self._drawn = False

    def update(self, received: int, whole: int | None) -> None:
        """How many bytes are here, and of how many (None: unknown)."""
        if not whole:
            return
        share = min(1.0, received / whole)
        if sys.stderr.isatty():
            filled = int(WIDTH * share)
            sys.stderr.write(f"\r[{'#' * filled}{'.' * (WIDTH - filled)}] {int(100 * share)} %")
            sys.stderr.flush()
            self._drawn = True
        percent = int(4 * share) * 25
        if percent > self._told:
            self._told = percent
            self.quarter(percent)

    def line(self, text: str) -> None:
        """A line of its own beside the bar."""
        self.close()
        print(text, flush=True)

    def close(self) -> None:
        """Leave the bar's line."""
        if self._drawn:
            sys.stderr.write("\n")
            self._drawn = False


@contextmanager
def spoken_progress(quiet: bool, context: Context, key: str) -> Iterator[Bar]:
    """A bar for those who see it, and quarters spoken for those who do not: the sentence of this key."""
    bar = Bar()
    if not quiet:
        bar.speaker = Speaker(lambda: open_loudspeaker(None), Speech(VoiceSettings(language=context.language)))
        bar.speaker.start()

    def quarter(percent: int) -> None:
        text = context.wording.say(Phrase(key, {"percent": percent}))
        bar.line(text)
        if bar.speaker is not None:
            bar.speaker.say(percent, context.wording.for_voice(text))

    bar.quarter = quarter
    try:
        yield bar
    finally:
        bar.close()
        if bar.speaker is not None:
            bar.speaker.close()
