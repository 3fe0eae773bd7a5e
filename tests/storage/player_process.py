"""Plays into a journal until it is killed, announcing each event once it is kept.

Usage: player_process.py JOURNAL [EVENTS]; prints the game's number, then the number of each event; after EVENTS events
it waits to be killed.
"""

import sys
import time
from pathlib import Path

from voicechess.game.agreement import GameSettings
from voicechess.game.events import OpponentMoved
from voicechess.storage.journal import Journal

journal = Journal(Path(sys.argv[1]))
last = int(sys.argv[2]) if len(sys.argv) > 2 else sys.maxsize
record = journal.begin(GameSettings())
print(record.game_id, flush=True)
number = 0
while True:
    number += 1
    record.append(OpponentMoved(at_ms=number, uci="e7e5"))
    print(number, flush=True)
    if number == last:
        time.sleep(3600)
