"""Did-you-mean for typed lines that no pattern matches: the entries (commands and choices) that share their words.

Typed lines address the program, so they are asked about more readily than speech (`pointing`): a word may point to an
entry that has it in no pattern (`<language>/pointers.toml`), be mistyped, or mean little by itself. Nothing is done
without asking: one entry is asked about, two are offered as a choice.

The score of an entry is a sum of weights; a word that no other entry has weighs 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache

from voicechess.language.lexicon import Lexicon
from voicechess.language.patterns import Pattern
from voicechess.language.pointing import filled, is_own, patterns_of, says_nothing, slot_alone, slots_in, words_near
from voicechess.language.prototypes import resembled
from voicechess.language.spelling import MAX_LETTERS, Spellings
from voicechess.language.tokens import slot_reader, slot_words
from voicechess.language.wordings import Target
from voicechess.meaning import UNKNOWN_WORD, Command, SlotValue

MIN_SCORE = 0.25
"""Lowest score of an entry that is asked about. Larger: fewer questions."""

RIVAL_SHARE = 0.6
"""Share of the best score, 0 to 1, from which another entry is offered beside it. Larger: fewer are."""

MAX_OFFERED = 2
"""Most entries offered at a time."""

RIVAL_MARGIN = 1.5
"""How much less likely than the best another entry may be to be offered beside it. Larger: more are."""

CLAUSE_SHARE, TOLD_WEIGHT = 0.2, 0.8
"""What the likeness of a single clause counts beside that of the whole line, and that a clause means the entry. Larger:
they count more."""

CLEAR_SCORE = 2.0
"""Score from which what is pointed to most is offered in any case. Larger: what the line resembles counts more."""

POINTED_SHARE, MOST_POINTED = 0.4, 1.5
"""What the score is worth beside the likeness, and the score above which no more counts. Larger: the words that point
count more, the whole sentence less."""

COMBINATION_WEIGHT = 0.8
"""Weight of several words that point to an entry together. Larger: they count more, as for all weights here."""

MISTYPED_WEIGHT = 0.6
"""Factor for a word with an edit distance of one or two from an entry's."""

COMMON_WEIGHT = 0.3
"""Limit of a word's weight as ever more entries share it; a word of one entry weighs 1."""

WHOLE_ENTRY_WEIGHT = 0.2
"""Added for an entry that consists of the word."""

FUNCTION_WORD_WEIGHT = 0.4
"""Weight of a function word."""

SLOT_WEIGHT = 0.3
"""Weight of a square, piece or number for which an entry has a slot, or which is the entry."""

OVERLAP_WEIGHT = 0.3
"""Weight of the words' overlap with one pattern: decides between entries that share a word."""

MIN_OVERLAP, MIN_OVERLAP_WORDS = 0.7, 2
"""Without any pointer: the share of the line, 0 to 1, and the number of words that a single pattern must have. Larger:
fewer questions."""

REPEATED = "repeat"
"""The command that is never one of two: said again as an answer, it would repeat the question."""

Values = tuple[tuple[str, SlotValue], ...]


def guessed_at(
    words: Sequence[str],
    lexicon: Lexicon,
    commands: Collection[str],
    chosen: Collection[str],
    clauses: Sequence[Sequence[str]] = (),
    told: Collection[Command] = (),
) -> tuple[Command, ...]:
    """At most `MAX_OFFERED` of these commands and choices, best first; none where the line points nowhere and resembles
    nothing. `told`: those that a clause of the line means."""
    pointed = next(filter(None, (scores(one, lexicon, commands, chosen) for one in (words, *reversed(clauses)))), {})
    alike = resembled(words, words, lexicon, commands, chosen)
    in_clause: dict[Command, float] = {}
    for said in clauses if len(clauses) > 1 else ():
        for one, share in resembled(said, words, lexicon, commands, chosen).items():
            in_clause[one] = max(in_clause.get(one, 0.0), share)
    least = min(alike.values(), default=0.0)

    def score(one: Command) -> float:
        return (
            alike.get(one, least)
            + CLAUSE_SHARE * in_clause.get(one, 0.0)
            + POINTED_SHARE * min(pointed.get(one, 0.0), MOST_POINTED)
            + TOLD_WEIGHT * (one in told)
        )

    pointed = {one: weight for one, weight in pointed.items() if weight >= MIN_SCORE}
    found = {one: score(one) for one in dict.fromkeys((*told, *pointed, *alike, *in_clause))}
    ranked = sorted(found, key=lambda one: (-round(found[one], 6), one.name))
    clearest = max(pointed, key=lambda one: pointed[one], default=None)
    near = [one for one in ranked if found[one] >= found[ranked[0]] - RIVAL_MARGIN]
    repeated = [one for one in near if one.name == REPEATED and one in (clearest, ranked[0])]
    if repeated and not told:
        return tuple(repeated)
    offered = [one for one in near if one.name != REPEATED][:MAX_OFFERED]
    if clearest is not None and pointed[clearest] >= CLEAR_SCORE and clearest not in offered:
        offered = [*offered[: MAX_OFFERED - 1], clearest]
    return tuple(offered)


def scores(
    words: Sequence[str], lexicon: Lexicon, commands: Collection[str], chosen: Collection[str]
) -> Mapping[Command, float]:
    """The score of each of these commands and choices that the line points to."""
    said = tuple(word for word in dict.fromkeys(words) if word != UNKNOWN_WORD and 1 < len(word) <= MAX_LETTERS)
    slots = slots_in([_usual_piece(word, lexicon) for word in words], lexicon)
    found: dict[Command, float] = {}
    for section, names in (("choices", frozenset(chosen)), ("commands", frozenset(commands) - frozenset(chosen))):
        for (key, fixed), score in _scores(said, slots, lexicon, section, names).items():
            values = filled(lexicon, section, key, {**slots, **dict(fixed)}, said)
            if values is not None:
                asked_with = sum(name in slots and name not in dict(fixed) for name, _ in values)
                one = Command(key, values)
                found[one] = max(found.get(one, 0.0), score + SLOT_WEIGHT * asked_with)
    return found


def _scores(
    said: tuple[str, ...], slots: Mapping[str, SlotValue], lexicon: Lexicon, section: str, names: frozenset[str]
) -> Mapping[Target, float]:
    """The score of each of these entries."""
    content = frozenset(glob for word in said if not says_nothing(word, lexicon) for glob in _globs(word, lexicon))
    telling: dict[Target, float] = {}
    little: dict[Target, float] = {}
    for target, pointers in _combinations(said, lexicon, names):
        of_kind = telling if any(not one.isdisjoint(content) for one in pointers) else little
        of_kind[target] = COMBINATION_WEIGHT * max(map(len, pointers)) / 2
    together = telling.keys() | little.keys()
    for word in said:
        of_kind = little if says_nothing(word, lexicon) else telling
        for target, weight in _of_word(word, lexicon, section, names).items():
            of_kind[target] = of_kind.get(target, 0.0) + weight
    for key in names if section == "choices" else ():
        if slot_alone(lexicon, section, key) in slots:
            telling.setdefault((key, ()), 0.0)
    alike = _overlap(said, lexicon, section, names)
    # Function words count only for entries that other words point to as well, or if there is nothing else.
    found = (
        telling or little or {(key, ()): MIN_OVERLAP * share for key, share in alike.items() if share >= MIN_OVERLAP}
    )
    denials = lexicon.wordings.negations.intersection(said)
    scores = {
        target: score + OVERLAP_WEIGHT * alike.get(target[0], 0.0) + (little.get(target, 0.0) if telling else 0.0)
        for target, score in found.items()
    }
    if not denials:
        return scores
    # Neither what a line negates is asked about, nor anything with a lower score than that.
    least = RIVAL_SHARE * max(scores.values(), default=0.0)
    return {
        target: score
        for target, score in scores.items()
        if score >= least and (target in together or (telling and is_own(lexicon, section, target[0], denials)))
    }


@lru_cache(maxsize=4096)
def _of_word(word: str, lexicon: Lexicon, section: str, names: frozenset[str]) -> Mapping[Target, float]:
    """The entries a word points to, with weights that decrease with their number."""
    silent = says_nothing(word, lexicon)
    near = {} if silent else words_near(word, lexicon, section, word in lexicon.wordings.negations)
    own: list[Target] = [(key, ()) for key in near if key in names]
    pointed = [target for target in _pointed(word, lexicon) if target[0] in names]
    found = dict.fromkeys(pointed, FUNCTION_WORD_WEIGHT if silent else _weight_of_rarity(pointed))
    form = max(near.values(), default=0.0) * len(near)  # below 1: an inflected form of another word
    for target in own:
        alone = WHOLE_ENTRY_WEIGHT if target[0] in _is_whole_entry(word, lexicon, section) else 0.0
        found[target] = max(found.get(target, 0.0), form * _weight_of_rarity(own) + alone)
    if found or silent:
        return found
    for other in _spellings(lexicon, section, names).near(word):
        for target, weight in _of_word(other, lexicon, section, names).items() if other != word else ():
            found[target] = max(found.get(target, 0.0), MISTYPED_WEIGHT * weight)
    return found


def _entries(lexicon: Lexicon, section: str) -> Collection[str]:
    return {"commands": lexicon.commands, "choices": lexicon.choices}[section].keys()


def _weight_of_rarity(targets: Collection[Target]) -> float:
    return COMMON_WEIGHT + (1 - COMMON_WEIGHT) / max(1, len({key for key, _ in targets}))


@lru_cache(maxsize=4096)
def _is_whole_entry(word: str, lexicon: Lexicon, section: str) -> frozenset[str]:
    """The entries that consist of this word."""
    read = slot_reader((word,), lexicon)
    return frozenset(
        key
        for key in _entries(lexicon, section)
        for pattern in patterns_of(lexicon, section, key)
        if word in pattern.words() and any(end == 1 for end, _ in pattern.match((word,), 0, read))
    )


@lru_cache(maxsize=32)
def _spellings(lexicon: Lexicon, section: str, names: frozenset[str]) -> Spellings:
    """Spellings of the words that a mistyped one may be."""
    own = {word for key in names for pattern in patterns_of(lexicon, section, key) for word in pattern.words()}
    pointing = {
        globs[0]
        for (key, _), pointers in lexicon.wordings.pointers.items()
        for globs in pointers
        if key in names and len(globs) == 1 and "*" not in globs[0]
    }
    return Spellings.of(word for word in own | pointing if not says_nothing(word, lexicon))


# --- Pointers ---


@lru_cache(maxsize=4096)
def _pointed(word: str, lexicon: Lexicon) -> tuple[Target, ...]:
    """The entries a single word points to."""
    single, _ = _by_size(lexicon)
    return tuple(target for target, globs in single.items() if not globs.isdisjoint(_globs(word, lexicon)))


def _combinations(
    said: Sequence[str], lexicon: Lexicon, names: frozenset[str]
) -> Iterator[tuple[Target, Sequence[frozenset[str]]]]:
    """The entries several words of a line point to together, with the globs that they match."""
    globs = frozenset(glob for word in said for glob in _globs(word, lexicon))
    _, several = _by_size(lexicon)
    for target, pointers in several.items():
        if target[0] in names and (found := [one for one in pointers if one <= globs]):
            yield target, found


@lru_cache(maxsize=8)
def _by_size(
    lexicon: Lexicon,
) -> tuple[Mapping[Target, frozenset[str]], Mapping[Target, Sequence[frozenset[str]]]]:
    """Pointers of one word, and those of several."""
    pointers = lexicon.wordings.pointers.items()
    return (
        {target: frozenset(one[0] for one in found if len(one) == 1) for target, found in pointers},
        {target: tuple(frozenset(one) for one in found if len(one) > 1) for target, found in pointers},
    )


@lru_cache(maxsize=4096)
def _globs(word: str, lexicon: Lexicon) -> frozenset[str]:
    """The globs in the pointers that match a word."""
    length = len(word)
    candidates = {word}
    for start in range(length):
        candidates.update((f"{word[: length - start]}*", f"*{word[start:]}"))
        candidates.update(f"*{word[start:end]}*" for end in range(start + 1, length + 1))
    return _all_globs(lexicon) & candidates


@lru_cache(maxsize=8)
def _all_globs(lexicon: Lexicon) -> frozenset[str]:
    return frozenset(glob for found in lexicon.wordings.pointers.values() for one in found for glob in one)


# --- Words of patterns ---


def _overlap(said: Sequence[str], lexicon: Lexicon, section: str, names: frozenset[str]) -> Mapping[str, float]:
    """The share of the line that a single pattern of each entry contains, if that is at least `MIN_OVERLAP_WORDS`
    words."""
    patterns, having = _patterns_by_word(lexicon, section)
    own = Counter(n for word in said for n in having.get(word, ()))
    values = slot_words(lexicon).intersection(said)
    found: dict[str, float] = {}
    for n, count in own.items():
        key, pattern = patterns[n]
        if key in names and count >= MIN_OVERLAP_WORDS:
            more = len(values - pattern.words()) if pattern.has_slot else 0
            found[key] = max(found.get(key, 0.0), (count + more) / len(said))
    return found


@lru_cache(maxsize=8)
def _patterns_by_word(
    lexicon: Lexicon, section: str
) -> tuple[Sequence[tuple[str, Pattern]], Mapping[str, Sequence[int]]]:
    """Patterns of a section with their entries, and the indices of those with each word."""
    patterns = [(key, pattern) for key in _entries(lexicon, section) for pattern in patterns_of(lexicon, section, key)]
    having: dict[str, list[int]] = {}
    for n, (_, pattern) in enumerate(patterns):
        for word in pattern.words():
            having.setdefault(word, []).append(n)
    return patterns, having


def _usual_piece(word: str, lexicon: Lexicon) -> str:
    piece = lexicon.wordings.pieces.get(word)
    return word if piece is None else lexicon.pieces[piece][0]
