"""Leafing through the handbook by voice: "Handbuch" begins, or goes on where one stopped; "Weiter", "Zurück", "Stopp".

Who has it read (the welcome, a game in its pause) asks it first while it is open. It knows sections and passages by
their numbers, which all languages have alike, and no words: these stand in `language.handbook`.
"""

from __future__ import annotations

from dataclasses import dataclass

from voicechess.meaning import Answer, AnswerKind, Command, Meaning
from voicechess.messages import HandbookPassage, Phrase

PASSAGES = (3, 6, 6, 4, 7, 3, 3, 2, 2, 4, 5, 2, 3, 2)
"""Of each section that is read aloud, how many passages it has, in every language (`language.handbook.read_aloud`)."""

_ON = ("resume", "next", "forward")
_BACK = ("take_back", "correct")
_CLOSES = ("stop", "end")


@dataclass
class Leafing:
    """Where in the handbook somebody is. `open`: it is being read. `section`: the one that was read last."""

    open: bool = False
    section: int = 0
    begun: bool = False

    def begin(self) -> tuple[Phrase, ...]:
        """What is said when it is opened: how to go through it, the first time, and the section."""
        first = () if self.begun else (Phrase("leafing.help"),)
        self.open = self.begun = True
        return (*first, *self._read())

    def answer(self, said: Meaning) -> tuple[Phrase, ...] | None:
        """What is said to this; None: it is nothing that has to do with the handbook, which may be closed by it."""
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
        """The question behind a section."""
        return Phrase("leafing.more")

    def _read(self) -> tuple[Phrase, ...]:
        passages = range(PASSAGES[self.section])
        read = [Phrase("leafing.passage", {"passage": HandbookPassage(self.section, one)}) for one in passages]
        return (*read, self.asks)
