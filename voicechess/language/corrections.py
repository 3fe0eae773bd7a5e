"""Typed lines in which somebody corrects himself: "weiß, äh nein, doch Schwarz", "wo ist die Dame, ich meine der Turm".

What stands behind the last correction counts. Where it is only a part, it takes the place of the words before it that
make the same thing of it: "was steht auf Gustav, nein, auf Hector sieben".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from voicechess.language.lexicon import Lexicon
from voicechess.language.patterns import Pattern
from voicechess.language.tokens import SEPARATORS, Token
from voicechess.meaning import Command, Meaning, SpokenMove, is_whole_move

MAX_READ = 60
"""Number of ways to put the part into the line that are tried. Larger: more computing."""

Read = Callable[[Sequence[Token]], Meaning | None]
"""What tokens mean."""


def parts(tokens: Sequence[Token], lexicon: Lexicon) -> tuple[Sequence[Token], Sequence[Token]] | None:
    """What stands before and behind the last correction of a line; None where there is none."""
    frames = lexicon.typed.frames
    for start in range(len(tokens) - 1, 0, -1):
        behind_sign = tokens[start - 1].raw in SEPARATORS
        for patterns in (frames.correcting, frames.correcting_aside if behind_sign else ()):
            for end in _ends(tokens, start, patterns):
                run = _whole_run(tokens, start, end, lexicon)
                if run is not None and run[0] and run[1] < len(tokens):
                    return tokens[: run[0]], tokens[run[1] :]
    return None


def meant(
    tokens: Sequence[Token], lexicon: Lexicon, read: Read, may_replace: Callable[[Meaning, Meaning], bool]
) -> Meaning | None:
    """What a line means that corrects itself: the same kind of thing as what stood before. None where there is no
    correction, or it does not fit. A square behind a piece is that piece's. `may_replace`: whether one may stand in the
    place of another: a colour in that of another colour, not in that of a clock."""
    found = parts(tokens, lexicon)
    if found is None:
        return None
    before, behind = found
    was, said = read(before), read(behind)
    if was is None:
        return None
    begun = read([token for token in tokens[len(before) :] if token.raw not in SEPARATORS])
    if isinstance(begun, Command) and begun != said:
        return None  # the word of correction belongs to what follows: "Schiedsrichter, halt die Uhr an"
    denies = not lexicon.wordings.negations.isdisjoint(token.text for token in (*before, *behind))
    if denies and (said is None or isinstance(was, SpokenMove)):
        return None  # "Springer f3, nein, nicht c3": it may be either; but "ohne Uhr" has a meaning
    if isinstance(was, SpokenMove) and isinstance(said, SpokenMove):
        said = said if said.piece or not is_whole_move(said) else replace(said, piece=was.piece)
        return said if said != was else None
    if said is not None and type(said) is type(was) and may_replace(was, said):
        return said
    return next(_in_its_place(before, behind, was, read), None)


def _in_its_place(before: Sequence[Token], behind: Sequence[Token], was: Meaning, read: Read) -> Iterator[Meaning]:
    """What the line means with the part behind in the place of words before it, the fewest and last first."""
    words = [token for token in before if token.raw not in SEPARATORS]
    ways = [(size, start) for size in range(1, len(words)) for start in range(len(words) - size, -1, -1)]
    for size, start in ways[:MAX_READ]:
        one = read((*words[:start], *behind, *words[start + size :]))
        same = isinstance(one, Command) and isinstance(was, Command) and one.name == was.name
        moves = isinstance(one, SpokenMove) and isinstance(was, SpokenMove)
        if one is None or one == was or not (same or moves):
            continue
        if one != read((*words[:start], *words[start + size :])):  # else the words behind say nothing: "nein danke"
            yield one


def _whole_run(tokens: Sequence[Token], start: int, end: int, lexicon: Lexicon) -> tuple[int, int] | None:
    """From where to where the correction with this in it goes: with the signs, fillers and further ones beside it."""
    frames = lexicon.typed.frames

    def passes(token: Token) -> bool:
        return token.raw in SEPARATORS or token.text in lexicon.fillers or token.text in frames.beside_correcting

    while True:
        while start and passes(tokens[start - 1]):
            start -= 1
        while end < len(tokens) and passes(tokens[end]):
            end += 1
        longer = max(_ends(tokens, end, (*frames.correcting, *frames.correcting_aside)), default=end)
        earlier = [
            n for n in range(start) if start in _ends(tokens, n, (*frames.correcting, *frames.correcting_aside)) and n
        ]
        if longer == end and not earlier:
            return start, end
        end, start = longer, min((start, *earlier))


def _ends(tokens: Sequence[Token], start: int, patterns: Sequence[Pattern]) -> tuple[int, ...]:
    words = tuple(token.text for token in tokens)
    return _pattern_ends(words, start, tuple(patterns)) if start < len(words) else ()


@lru_cache(maxsize=4096)
def _pattern_ends(words: tuple[str, ...], start: int, patterns: tuple[Pattern, ...]) -> tuple[int, ...]:
    fitting = (one for one in patterns if words[start] in one.first_words())
    return tuple(end for one in fitting for end, _ in one.match(words, start, lambda _name, _at: iter(())))
