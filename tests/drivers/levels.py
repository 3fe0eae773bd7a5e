"""Speaking levels by signal-to-noise ratio."""

from voicechess.meaning import SILENCE_DB, SpeakingLevel


def level_with(snr_db: int | None) -> SpeakingLevel | None:
    """A speaking level with this signal-to-noise ratio, decibels; None: not measured."""
    return None if snr_db is None else SpeakingLevel(SILENCE_DB + snr_db, SILENCE_DB + snr_db, SILENCE_DB)
