"""Typed lines that say not to do something: "don't take it back", "please do not resign", "nicht lauter".

A frame passes over words that carry no meaning, and where a "not" may be among them ("I did not mean that, take it
back"), it may be the one that denies the command. It denies it if it opens a clause whose other words mean the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from voicechess.language.clauses import split_tokens
from voicechess.language.lexicon import Lexicon
from voicechess.language.tokens import Token
from voicechess.meaning import Meaning

Read = Callable[[Sequence[Token]], Meaning | None]
"""What tokens mean."""


def is_denied(tokens: Sequence[Token], meaning: Meaning, lexicon: Lexicon, read: Read) -> bool:
    """Whether a clause denies this meaning of the line, and no other clause has it."""
    frames = lexicon.typed.frames
    if tokens[-1].raw == "?" and tokens[0].text in frames.opening_questions:
        return False  # "wollen wir uns nicht auf Remis einigen?"
    clauses = split_tokens(tokens, lexicon)
    denying = [(clause, rest) for clause in clauses if (rest := _denied(clause, lexicon))]
    if not any(read(rest) == meaning for _, rest in denying):
        return False
    others = [clause for clause in clauses if not any(clause is one for one, _ in denying)]
    return not any(read(one) == meaning for one in others)


def _denied(clause: Sequence[Token], lexicon: Lexicon) -> Sequence[Token]:
    """What stands behind a denial that only silent words precede; nothing where there is none."""
    frames = lexicon.typed.frames
    words = tuple(token.text for token in clause)
    silent = frames.silent | lexicon.fillers | lexicon.wordings.particles | lexicon.wordings.negations
    for start, word in enumerate(words):
        for pattern in frames.denying:
            ends = [end for end, _ in pattern.match(words, start, lambda _name, _at: iter(()))]
            if ends:
                return clause[max(ends) :]
        if word not in silent:
            break
    return ()
