"""What every command starts from: the language, its words, and the settings a person keeps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import chess

from voicechess.failure import Failure
from voicechess.game.messages import Slot, Text
from voicechess.language.lexicon import Lexicon, load
from voicechess.language.wording import Style, Wording

STYLES: Mapping[str, Style] = {"fide": Style.FIDE, "plain": Style.LETTERS, "nato": Style.NATO}


@dataclass(frozen=True)
class Context:
    """One language, ready to speak and to understand."""

    language: str
    wording: Wording
    lexicon: Lexicon

    @classmethod
    def create(cls, language: str, style: str = "fide") -> Context:
        """Load a language ("de", "en")."""
        return cls(language, Wording(language, STYLES[style]), load(language))

    def tell(self, key: str, **slots: Slot | str) -> None:
        """Print one sentence."""
        from voicechess.game.messages import Phrase

        filled = {name: Text(value) if isinstance(value, str) else value for name, value in slots.items()}
        print(self.wording.say(Phrase(key, filled)), flush=True)


def position(fen: str | None, chess960: int | None = None) -> chess.Board:
    """A board from what was given on the command line. Raises `Failure` when it is no legal position."""
    try:
        if chess960 is not None:
            return chess.Board.from_chess960_pos(chess960)
        board = chess.Board(fen) if fen else chess.Board()
    except ValueError as error:
        raise Failure("cli.bad_fen", {"fen": Text((fen or "")[:100])}) from error
    if not board.is_valid():
        raise Failure("cli.bad_fen", {"fen": Text((fen or "")[:100])})
    return board
