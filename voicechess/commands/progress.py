"""Progress of a long command: a bar on a terminal, and quarters spoken aloud."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from voicechess.app.context import Context
from voicechess.messages import Phrase
from voicechess.sound.devices.choice import open_loudspeaker
from voicechess.sound.speaker import Speaker
from voicechess.sound.speech import Speech, VoiceSettings

WIDTH = 40  # characters of the bar


class Bar:
    """A progress bar on standard error if that is a terminal; `quarter` is called with 25, 50, 75 and 100 in any
    case."""

    def __init__(self) -> None:
        self.quarter: Callable[[int], None] = lambda _percent: None
        self.speaker: Speaker | None = None  # speaks the quarters; None: silent
        self._told = 0
        self._drawn = False

    def update(self, received: int, whole: int | None) -> None:
        """Show `received` of `whole` units; nothing if `whole` is None (unknown) or 0."""
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
        """Print a line on standard output below the bar."""
        self.close()
        print(text, flush=True)

    def close(self) -> None:
        """End the bar's line."""
        if self._drawn:
            sys.stderr.write("\n")
            self._drawn = False


@contextmanager
def spoken_progress(quiet: bool, context: Context, key: str) -> Iterator[Bar]:
    """A bar whose quarters are printed, and spoken unless `quiet`, with the sentence `key` and its slot {percent}."""
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
