"""Typed lines of several clauses, of which one is a complete command and the others mean nothing known.

"Geht das auch leiser? Die Kleine schläft." Typed lines address the program, so a reason, a salutation or a sigh beside
a command does not invalidate it. A clause that negates, says when or who says so, or has a word of another command
does: then the clauses' meanings are only asked about.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from voicechess.language.lexicon import Lexicon
from voicechess.language.tokens import ENDINGS, SEPARATORS, Token, slot_reader, slot_words
from voicechess.meaning import Answer, AnswerKind, Command, Meaning

MAX_CLAUSES = 5
"""Most clauses of a line. Larger: more computing."""

MAX_BESIDE = 9
"""Most words of a clause without a meaning. Larger: more of a story is skipped."""

Words = tuple[str, ...]
Read = Callable[[Words], Meaning | None]
"""Returns the meaning of words by themselves."""


@dataclass(frozen=True)
class _Clause:
    words: Words
    meaning: Meaning | None
    """Its meaning by itself."""


def split(tokens: Sequence[Token], lexicon: Lexicon) -> tuple[Words, ...]:
    """Splits a line into clauses at punctuation and before conjunctions; a single clause if there are none."""
    clauses = split_tokens(tokens, lexicon, SEPARATORS)
    return tuple(words for one in clauses if (words := tuple(t.text for t in one if any(map(str.isalnum, t.text)))))


def split_tokens(
    tokens: Sequence[Token], lexicon: Lexicon, separators: Collection[str] = ENDINGS
) -> tuple[Sequence[Token], ...]:
    """Splits the tokens likewise; the default separators are those that are no part of a move."""
    found: list[list[Token]] = [[]]
    for token in tokens:
        if token.raw in separators or token.text in lexicon.typed.frames.joining:
            found.append([])
        if token.raw not in separators:
            found[-1].append(token)
    return tuple(one for one in found if one)


def meant(clauses: Sequence[Words], lexicon: Lexicon, asked: bool, read: Read) -> Meaning | None:
    """The only meaning of a clause, or of adjacent clauses, if all others are meaningless; otherwise None. `asked`: a
    question is open, so that "nein" is an answer and no mere opening."""
    if not 1 < len(clauses) <= MAX_CLAUSES:
        return None
    cuts = [_joined(clauses, read, ends) for ends in _cuts(len(clauses))]
    found = {one: None for parts in cuts if (one := _only(parts, lexicon, asked)) is not None}
    return next(iter(found)) if len(found) == 1 else None


def meanings(clauses: Sequence[Words], read: Read) -> tuple[Command, ...]:
    """Every command that is a clause by itself, in order; none if a later clause negates."""
    found: dict[Command, None] = {}
    for n, words in enumerate(clauses if len(clauses) > 1 else ()):
        one = read(words)
        if n and isinstance(one, Answer) and one.kind in (AnswerKind.NO, AnswerKind.NONE):
            return ()
        if isinstance(one, Command):
            found[one] = None
    return tuple(found)


def _cuts(count: int) -> Iterator[tuple[int, ...]]:
    """Every way to join adjacent clauses, as the end indices of the joined ones."""
    for joined in range(1 << (count - 1)):
        yield (*(n + 1 for n in range(count - 1) if not joined & 1 << n), count)


def _joined(clauses: Sequence[Words], read: Read, ends: Sequence[int]) -> tuple[_Clause, ...]:
    begins = (0, *ends)
    parts = [tuple(word for one in clauses[a:b] for word in one) for a, b in zip(begins, ends, strict=False)]
    return tuple(_Clause(words, read(words)) for words in parts)


def _only(parts: Sequence[_Clause], lexicon: Lexicon, asked: bool) -> Meaning | None:
    """The meaning of these parts, if there is only one."""
    if len(parts) < 2:
        return None
    rest = [one for n, one in enumerate(parts) if not _is_beginning(n, one, parts, asked)]
    telling = _telling_of(rest, lexicon)
    rest = [one for n, one in enumerate(rest) if one in telling or not _begins_only(n, one, rest, lexicon)]
    said = {one.meaning: None for one in telling}
    if len(said) != 1:
        return None
    meaning = next(iter(said))
    if meaning is None:
        return None
    first = next(n for n, one in enumerate(rest) if one in telling)
    beside = ((n, one.words) for n, one in enumerate(rest) if one not in telling)
    return meaning if all(_says_nothing(words, meaning, lexicon, n < first) for n, words in beside) else None


def _telling_of(parts: Sequence[_Clause], lexicon: Lexicon) -> Sequence[_Clause]:
    """The clauses with a meaning; if there are several, without asides and a mere opening among them."""
    telling = [one for one in parts if one.meaning is not None]
    others = [one for one in telling if not _is_aside(one.words, lexicon, before=False)]
    telling = others or telling
    while len(telling) > 1 and _begins_only(0, telling[0], telling, lexicon):
        telling = telling[1:]
    return telling


def _begins_only(at: int, clause: _Clause, parts: Sequence[_Clause], lexicon: Lexicon) -> bool:
    """Whether a clause is a mere opening or a reason whose meaning a later clause shares."""
    if clause.meaning is None or not any(one.meaning for one in parts[at + 1 :]):
        return False
    opens = isinstance(clause.meaning, Command) and clause.meaning.name in lexicon.typed.frames.openings
    return opens or _is_aside(clause.words, lexicon, before=True)


def _is_beginning(n: int, one: _Clause, parts: Sequence[_Clause], asked: bool) -> bool:
    """Whether this "ja" or "nein" only opens something else: no question is open, or another answer follows ("nein, den
    zweiten")."""
    if not isinstance(one.meaning, Answer) or one.meaning.kind not in (AnswerKind.YES, AnswerKind.NO):
        return False
    if not asked:
        return n == 0 or one.meaning.kind is AnswerKind.YES
    rest = [other.meaning for other in parts[1:]]
    return n == 0 and one.meaning.kind is AnswerKind.NO and any(_is_choice(other) for other in rest)


def _is_choice(meaning: Meaning | None) -> bool:
    return isinstance(meaning, Answer) and meaning.kind is AnswerKind.CHOICE


def _says_nothing(words: Words, meaning: Meaning, lexicon: Lexicon, before: bool) -> bool:
    """Whether a clause may accompany the meaning: an aside, or words of which none is known. Beside an answer or a move
    only asides are allowed. `before`: whether it precedes the meaning."""
    frames = lexicon.typed.frames
    kept = _without_joining(words, lexicon)
    own = _own(lexicon, meaning.name) if isinstance(meaning, Command) else frozenset[str]()
    if not kept or _is_aside(words, lexicon, before) or _is_aside(words, lexicon, before, own):
        return True
    if len(kept) > MAX_BESIDE or not frames.holding.isdisjoint(kept) or not lexicon.wordings.negations.isdisjoint(kept):
        return False
    others = [word for word in kept if word not in frames.silent]
    if not isinstance(meaning, Command):
        return not others
    if any(_known(kept, other) > _known(kept, lexicon) for other in lexicon.others):
        return False  # it is in another language
    telling = _telling(lexicon, meaning.name)
    return not any(word in slot_words(lexicon) or word in telling for word in others)


def _known(words: Words, lexicon: Lexicon) -> int:
    return sum(word in lexicon.typed.frames.silent or word in lexicon.known_words for word in words)


@lru_cache(maxsize=1024)
def _is_aside(words: Words, lexicon: Lexicon, before: bool, own: frozenset[str] = frozenset()) -> bool:
    """Whether the clause is an aside. `before`: it precedes the meaning; `own`: words of the meaning, which do not
    count."""
    kept = _without_joining(words, lexicon)
    read_slot = slot_reader(kept, lexicon)
    frames = lexicon.typed.frames
    known = (*frames.asides, *(frames.reasons if before else ()))
    return any(frame.best_fit(kept, read_slot, frames.silent | own) for frame in known)


def _without_joining(words: Words, lexicon: Lexicon) -> Words:
    """The words of a clause with contractions expanded, without its conjunction."""
    frames = lexicon.typed.frames
    return tuple(word for word in frames.in_full(words) if word not in frames.joining)


@lru_cache(maxsize=512)
def _telling(lexicon: Lexicon, key: str) -> Collection[str]:
    """Words of the language file that stand for anything but this entry."""
    own = _own(lexicon, key)
    return lexicon.spoken_words - own - lexicon.fillers - lexicon.typed.frames.idle - frozenset(lexicon.decoys)


@lru_cache(maxsize=512)
def _own(lexicon: Lexicon, key: str) -> frozenset[str]:
    """The words of an entry."""
    tables = (lexicon.commands, lexicon.choices, lexicon.typed.frames.commands, lexicon.typed.frames.choices)
    return frozenset(word for table in tables for one in table.get(key, ()) for word in one.words())
