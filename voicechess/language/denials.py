"""Typed lines that say not to do something: "don't take it back", "please do not resign", "nicht lauter".

A frame passes over words that carry no meaning, and where a "not" may be among them ("I did not mean that, take it
back"), it may be the one that denies the command. It denies it if it opens a clause whose other words mean the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from voicechess.language.clauses import split_tokens
from voicechess.language.lexicon import Lexicon
from voicechess.language.pointing import patterns_of
from voicechess.language.tokens import Token, slot_reader
from voicechess.meaning import Command, Meaning

Read = Callable[[Sequence[Token]], Meaning | None]
"""What tokens mean."""


def is_denied(tokens: Sequence[Token], meaning: Meaning, lexicon: Lexicon, read: Read) -> bool:
    """Whether a clause denies this meaning of the line, and no other clause has it."""
    frames = lexicon.typed.frames
    if tokens[-1].raw == "?" and tokens[0].text in frames.opening_questions:
        return False  # "wollen wir uns nicht auf Remis einigen?"
    clauses = split_tokens(tokens, lexicon)
    denying = [(clause, rest) for clause in clauses if (rest := _denied(clause, meaning, lexicon))]
    if not any(read(rest) == meaning for _, rest in denying):
        return False
    others = [clause for clause in clauses if not any(clause is one for one, _ in denying)]
    return not any(read(one) == meaning for one in others)


def _denied(clause: Sequence[Token], meaning: Meaning, lexicon: Lexicon) -> Sequence[Token]:
    """What stands behind a denial that only silent words precede, and that is not part of a pattern of this meaning;
    nothing where there is none."""
    frames = lexicon.typed.frames
    words = tuple(token.text for token in clause)
    silent = frames.silent | lexicon.fillers | lexicon.wordings.particles | lexicon.wordings.negations
    for start, word in enumerate(words):
        for pattern in frames.unmeant.denying:
            ends = [end for end, _ in pattern.match(words, start, lambda _name, _at: iter(()))]
            if ends:
                return () if _is_part_of(words, start, meaning, lexicon) else clause[max(ends) :]
        if word not in silent:
            break
    return ()


def _is_part_of(words: tuple[str, ...], at: int, meaning: Meaning, lexicon: Lexicon) -> bool:
    """Whether a pattern of this meaning has the word at this index: "nicht so langsam" is "schneller"."""
    if not isinstance(meaning, Command):
        return False
    read, skip = slot_reader(words, lexicon), lexicon.fillers | lexicon.wordings.particles
    sections = (("commands", lexicon.commands), ("choices", lexicon.choices))
    patterns = (
        one for name, table in sections if meaning.name in table for one in patterns_of(lexicon, name, meaning.name)
    )
    having = [one for one in patterns if words[at] in one.words()]
    return any(end > at for one in having for start in range(at + 1) for end, _ in one.match(words, start, read, skip))
