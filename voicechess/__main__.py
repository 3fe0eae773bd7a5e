"""`voicechess`, `python -m voicechess`: the program from its first line on."""

import logging
import os
import sys
import warnings

from voicechess.app.interruption import INTERRUPTED, Interruption


def _keep_python_quiet() -> None:
    """What Python itself and libraries would print (a warning, an exception in a destructor, a line for a log that
    nobody has set up) is no sentence, and is read out in the middle of a game. With VOICECHESS_DEBUG set all that is
    printed, and the program's own log, which has what was heard."""
    if os.environ.get("VOICECHESS_DEBUG"):
        logging.basicConfig(format="%(relativeCreated)d %(name)s: %(message)s")
        logging.getLogger("voicechess").setLevel(logging.DEBUG)
        return
    sys.unraisablehook = lambda _: None
    if not sys.warnoptions:
        warnings.simplefilter("ignore")
    logging.getLogger().addHandler(logging.NullHandler())


def run() -> int:
    """The program; its exit status. Interrupted while it is still being imported, it ends with a sentence too."""
    interruption = Interruption()
    interruption.hold()
    from voicechess.cli import main

    _keep_python_quiet()
    try:
        return main(interruption=interruption)
    except KeyboardInterrupt:  # while the sentence that tells of something else was printed
        return INTERRUPTED
    finally:
        interruption.over()


if __name__ == "__main__":
    sys.exit(run())
