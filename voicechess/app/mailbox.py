"""Extracts correspondence lines from typed input, and knows the words in which they are written."""

from __future__ import annotations

from dataclasses import dataclass, field

import chess

from voicechess.language.alphabets import ALPHABETS
from voicechess.language.lexicon import Lexicon
from voicechess.language.patterns import SlotPart
from voicechess.messages import Failure
from voicechess.score.letters import SENDER, Letter, LetterWords, is_cut, looks_like_letter, read_letter

MOST_LINES = 200
"""Most typed lines that one wrapped correspondence line may consist of. Larger: more is waited for."""


def letter_words(lexicon: Lexicon) -> LetterWords:
    """The words of a line: written in this language, read in all."""
    languages = (lexicon, *lexicon.others)
    condition, reply, leave = (
        tuple(dict.fromkeys(word for one in languages for word in one.correspondence.line[key]))
        for key in lexicon.correspondence.line
    )
    draw, resigns = (
        {text: side for one in languages for text, side in _by_hand(one, key, command).items()}
        for key, command in (("draw", "draw_offer"), ("resigns", "resign"))
    )
    return LetterWords(condition, reply, leave, draw, resigns, ALPHABETS.get(lexicon.typed.alphabet, ""))


def _by_hand(lexicon: Lexicon, key: str, command: str) -> dict[str, str]:
    """Wordings of this command in a letter, and who gives it: the side named, or the sender."""
    found = dict.fromkeys(lexicon.correspondence.sender[key], SENDER)
    for sentence in (sentence for pattern in lexicon.commands[command] for sentence in pattern.expand()):
        named = any(isinstance(part, SlotPart) for part in sentence)
        for colour in chess.COLORS if named else (None,):
            for word in ("",) if colour is None else lexicon.colours[colour]:
                text = " ".join(word if isinstance(part, SlotPart) else part.text for part in sentence)
                found[text.casefold()] = SENDER if colour is None else chess.COLOR_NAMES[colour]
    return found


@dataclass(frozen=True, slots=True)
class Pasted:
    """Result for a typed line. `taken`: it is part of a letter. `failure`: what to say about it."""

    taken: bool = False
    letter: Letter | None = None
    failure: Failure | None = None


@dataclass
class Mailbox:
    """Extracts letters from typed lines, rejoining one wrapped by a mail program."""

    _begun: list[str] = field(default_factory=list)

    def typed(self, text: str, words: LetterWords) -> Pasted:
        """Classify this typed line, together with those before it."""
        if self._begun:
            if ("*" in text or any(character.isdigit() for character in text)) and len(self._begun) < MOST_LINES:
                return self._together(text, words)
            self._begun.clear()
            return Pasted(failure=Failure("letter.error.cut"), taken=not text.strip())
        return self._together(text, words) if looks_like_letter(text) else Pasted()

    def _together(self, text: str, words: LetterWords) -> Pasted:
        whole = "\n".join([*self._begun, text])
        if is_cut(whole):
            self._begun.append(text)
            return Pasted(taken=True)
        self._begun.clear()
        try:
            letter = read_letter(whole, words)
        except Failure as failure:
            return Pasted(taken=True, failure=failure)
        return Pasted(taken=letter is not None, letter=letter)
