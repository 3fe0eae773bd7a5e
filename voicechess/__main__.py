"""`python -m voicechess`."""

import sys

from voicechess.cli import main

sys.exit(main())
