"""Browsing the handbook by voice: "Handbuch" starts, or continues where one stopped; "Weiter", "Zurück", "Stopp".

The welcome, or a paused game, passes commands here first while it is open. Sections and passages are numbers, the same
in all languages; the text is in `language.handbook`.
"""

from __future__ import annotations

from dataclasses import dataclass

from voicechess.meaning import Answer, AnswerKind, Command, Meaning
from voicechess.messages import HandbookPassage, Phrase

PASSAGES = (3, 6, 6, 4, 7, 4, 4, 2, 2, 4, 5, 2, 3, 2)
"""Number of passages of each section that is read aloud, in every language (`language.handbook.read_aloud`)."""

_ON = ("resume", "next", "forward")
_BACK = ("take_back", "correct")
_CLOSES = ("stop", "end")


@dataclass
class Leafing:
    """A place in the handbook."""

    open: bool = False  # it is being read
    section: int = 0  # the one last read
    begun: bool = False  # it was opened before, so how to browse it was said

    def begin(self) -> tuple[Phrase, ...]:
        """Open it: how to browse it (the first time), and the section."""
        first = () if self.begun else (Phrase("leafing.help"),)
        self.open = self.begun = True
        return (*first, *self._read())

    def answer(self, said: Meaning) -> tuple[Phrase, ...] | None:
        """Answer a command; None: it does not concern the handbook, which it may close."""
        if isinstance(said, Answer):
            said = Command("resume") if said.kind is AnswerKind.YES else Command("stop")
        if not isinstance(said, Command):
            return None
        match said.name:
            case name if name in _ON:
                if self.section + 1 < len(PASSAGES):
                    self.section += 1
                    return self._read()
                self.open, self.section, self.begun = False, 0, False
                return (Phrase("leafing.end"),)
            case name if name in _BACK:
                told = () if self.section else (Phrase("leafing.beginning"),)
                self.section = max(0, self.section - 1)
                return (*told, *self._read())
            case "repeat" | "handbook":
                return self._read()
            case "help":
                return (Phrase("leafing.help"), self.asks)
            case name if name in _CLOSES:
                self.open = False
                return (Phrase("leafing.closed"),)
        return None

    @property
    def asks(self) -> Phrase:
        """The question after a section."""
        return Phrase("leafing.more")

    def _read(self) -> tuple[Phrase, ...]:
        passages = range(PASSAGES[self.section])
        read = [Phrase("leafing.passage", {"passage": HandbookPassage(self.section, one)}) for one in passages]
        return (*read, self.asks)
