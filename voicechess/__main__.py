"""`voicechess`, `python -m voicechess`: the program from its first line on."""

import sys

from voicechess.app.interruption import INTERRUPTED, Interruption


def run() -> int:
    """The program; its exit status. Interrupted while it is still being imported, it ends with a sentence too."""
    interruption = Interruption()
    interruption.hold()
    from voicechess.cli import main

    try:
        return main(interruption=interruption)
    except KeyboardInterrupt:  # while the sentence that tells of something else was printed
        return INTERRUPTED
    finally:
        interruption.over()


if __name__ == "__main__":
    sys.exit(run())
