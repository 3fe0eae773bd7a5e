"""A language said with the sounds of another, for players who learnt it late.

For every sound there are replacements, nearest first; a foreign espeak-ng voice is given the first few of them that its
language has. The labels stay what they are: the model must hear the word that was meant.
"""

from __future__ import annotations

import functools
import random

from models.training import espeak
from models.training.language import Language
from models.training.phones import is_pause, plain


@functools.cache
def _has(voice: str, phonemes: str) -> bool:
    """Whether a voice can say these phonemes, by letting it say them."""
    if not phonemes:
        return True
    said = [plain(symbol) for _, symbol in espeak.speak(f"[[{phonemes.replace(' ', '')}]]", voice)[2]]
    return [symbol for symbol in said if symbol != espeak.WORD and not is_pause(symbol)] == phonemes.split()


@functools.cache
def _choices(language: Language, voice: str, phone: str) -> tuple[str, ...]:
    found = language.replacements.get(phone, (phone,))
    return tuple(one for one in found if one in language.always or _has(voice, one))[:3]


def accented(
    language: Language, sounds: tuple[str, ...], voice: str, choice: random.Random
) -> list[tuple[str, tuple[str, ...]]] | None:
    """The phonemes a speaker of another language puts in place of the sounds of `language`.

    Args:
        sounds: a pronunciation, ' before the stressed vowel.
        voice: one of the language's foreign ones.

    Returns:
        For each sound, its bare name and the phonemes said instead (none to two); None if one cannot be said.
    """
    said: list[tuple[str, tuple[str, ...]]] = []
    for sound in sounds:
        phone = plain(sound)
        found = _choices(language, voice, phone)
        if not found:
            return None
        # The nearest sound mostly, the others sometimes: learners differ.
        pick = found[0] if choice.random() < 0.6 else choice.choice(found)
        said.append((phone, tuple(pick.split())))
    return said
