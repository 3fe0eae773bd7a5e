"""What is no command: thanks, greetings, praise, an age, whose number is no level, a game's terms in the middle of it,
and messages to the opponent."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from voicechess.language.clauses import split_tokens
from voicechess.language.lexicon import Lexicon
from voicechess.language.patterns import Pattern
from voicechess.language.tokens import ENDINGS, Token, slot_reader, tokenise
from voicechess.meaning import Command, Expectation, Meaning, Question, QuestionKind, UnclearReason


def courtesy(line: str, lexicon: Lexicon, typed: bool) -> UnclearReason | None:
    """`THANKS`, `GREETING` or `PRAISE` if the whole line says nothing else. Only typed lines greet and praise: who says
    "Hallo" in the room greets somebody else."""
    for tokens, one in _in_each(line, lexicon, typed):
        words = tuple(token.text for token in tokens if token.raw not in (*ENDINGS, ","))
        unmeant = one.typed.frames.unmeant
        if _is_one_of(unmeant.thanks, words, one):
            return UnclearReason.THANKS
        if typed and _is_one_of(unmeant.greetings, words, one):
            return UnclearReason.GREETING
        if typed and _is_one_of(unmeant.praise, words, one):
            return UnclearReason.PRAISE
    return None


TERMS = {
    QuestionKind.LEVEL: frozenset({"level", "harder", "easier", "level_mixed"}),
    QuestionKind.TIME: frozenset({"minutes", "hours", "timed"}),
}
"""Question before a game -> answers that are told to belong there when they come in the middle of one."""

TERMS_IN_ANY_ORDER = frozenset({"harder", "easier", "ask_level"})
"""Those of them that may be worded as freely as before the game: "wo sind die Kinder" would be an easy level."""


def belongs_before_the_game(
    line: str, lexicon: Lexicon, expectation: Expectation, read: Callable[[str, Lexicon, Expectation, bool], Meaning]
) -> bool:
    """Whether a typed line that means nothing in this game would answer a question before it: "Stufe drei"."""
    if expectation.asked.kind is not None or "new_game" not in (expectation.commands or ()):
        return False
    for kind, names in TERMS.items():
        before = replace(expectation, board=None, asked=Question(kind))
        for typed, meant in ((False, names), (True, TERMS_IN_ANY_ORDER)):
            meaning = read(line, lexicon, before, typed)
            if isinstance(meaning, Command) and meaning.name in meant:
                return True
    return False


def _is_one_of(patterns: Sequence[Pattern], words: tuple[str, ...], lexicon: Lexicon) -> bool:
    read_slot = slot_reader(words, lexicon)
    return bool(words) and any(end == len(words) for one in patterns for end, _ in one.match(words, 0, read_slot))


def without_ages(line: str, lexicon: Lexicon, typed: bool) -> str | None:
    """The line without clauses that tell somebody's age ("ich bin erst neun"); None if there are none."""
    for tokens, one in _in_each(line, lexicon, typed):
        clauses = split_tokens(tokens, one)
        left = [clause for clause in clauses if not _tells_an_age(tuple(token.text for token in clause), one)]
        if len(left) < len(clauses):
            return " ".join(token.raw for clause in left for token in clause)
    return None


def _tells_an_age(clause: tuple[str, ...], lexicon: Lexicon) -> bool:
    frames = lexicon.typed.frames
    words = frames.in_full(clause)
    silent = frames.silent | lexicon.fillers | lexicon.wordings.particles
    read_slot = slot_reader(words, lexicon)
    return any(frame.best_fit(words, read_slot, silent) is not None for frame in frames.unmeant.ages)


def _in_each(line: str, lexicon: Lexicon, typed: bool) -> Iterator[tuple[list[Token], Lexicon]]:
    """The line in the language, and if it is typed in the others."""
    for one in (lexicon, *lexicon.others) if typed else (lexicon,):
        yield list(tokenise(line, one, typed)), one


_LINE = re.compile(r"\s*(\w+)\s*:(.*)", re.DOTALL)


def written_to_them(words: str, lexicon: Lexicon) -> Command | None:
    """ "Sag: Schönes Wochenende!": a message to the opponent, verbatim. Typed only."""
    found = _LINE.fullmatch(words)
    if found is None:
        return None
    said = found[1].lower()
    begins = (one.commands["say_hello"] for one in (lexicon, *lexicon.others))
    if not any(said in pattern.first_words() for patterns in begins for pattern in patterns):
        return None
    return Command("say_text", (("text", " ".join(found[2].split())),))
