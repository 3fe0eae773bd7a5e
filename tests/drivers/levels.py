"""Levels of speech as the recogniser measures them, by their signal-to-noise ratio."""

from voicechess.meaning import SILENCE_DB, SpeakingLevel


def level_with(snr_db: int | None) -> SpeakingLevel | None:
    """A level of so many decibels over the room; None: not measured."""
    return None if snr_db is None else SpeakingLevel(SILENCE_DB + snr_db, SILENCE_DB + snr_db, SILENCE_DB)
