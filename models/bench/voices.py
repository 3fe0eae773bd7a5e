"""Which synthetic voices are kept for what, so that "unseen" means unseen.

espeak-ng's voice variants are dealt out once, here. The recipe of the starter model may train on every variant that
is in none of these sets; thresholds and costs are chosen with `TUNING`; figures are reported with the two test
sets only.
"""

MODEL_TEST: frozenset[str] = frozenset(
    ("f4", "m7", "Alicia", "michel", "sandro", "mike2", "grandma", "klatt5", "Henrique", "quincy")
)
"""Heard by no training and no choice of settings; measures speech models."""

HEARING_TEST: frozenset[str] = frozenset(
    ("f5", "m8", "klatt3", "linda", "steph2", "edward2", "max", "belinda", "john", "Andrea", "ian", "victor")
)
"""Heard by no training and no choice of thresholds; measures the whole way from sound to decision."""

TUNING: frozenset[str] = frozenset(("m3", "f2", "Gene", "pablo", "aunty", "Storm", "robert", "iven2"))
"""For choosing settings, thresholds and costs of confusion; never trained on, never reported as unseen."""

NOT_SPEECH: frozenset[str] = frozenset(
    ("Demonic", "UniRobot", "anikaRobot", "croak", *(f"robosoft{n}" for n in ("", 2, 3, 4, 5, 6, 7, 8)))
)
"""Effects rather than voices: left out everywhere."""

RESERVED: frozenset[str] = MODEL_TEST | HEARING_TEST | TUNING | NOT_SPEECH
"""What training must not use."""
