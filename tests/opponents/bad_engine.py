"""A UCI engine that misbehaves on purpose. Usage: bad_engine.py MODE MOVE FILE

MOVE is what it plays when it plays; FILE counts its starts, for the modes that begin with "once_"; FILE.pid is told its
process. In the modes that begin with "wrapper" it has a child that keeps its output open, opens the FIFO FILE.child,
and does not end by itself.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

out = sys.stdout.buffer


def say(line: bytes) -> None:
    out.write(line + b"\n")
    out.flush()


def flood(line: bytes, stream: object = out) -> None:
    while True:
        stream.write(line * 1000)  # type: ignore[attr-defined]


def go(mode: str, move: bytes) -> bool:
    """Answers `go`; False when an answer comes only after `stop`."""
    match mode:
        case "gone":
            os._exit(3)
        case "illegal":
            say(b"bestmove e2e5")
        case "garbled":
            say(b"bestmove \xc3\xa4!? ]]")
        case "null":
            say(b"bestmove 0000")
        case "none":
            say(b"bestmove (none)")
        case "silent" | "deaf":
            time.sleep(3600)
        case "waits_for_stop":
            return False
        case "flood":
            flood(b"info string x\n")
        case "flood_empty":
            flood(b"\n")
        case "flood_endless_line":
            flood(b"info")
        case "flood_stderr":
            flood(b"error\n", sys.stderr.buffer)
        case "noisy":
            say(b"\xff\xfe\x00 nonsense")
            say(b"info depth many score cp lots pv z9z9 wdl")
            say(b"info depth 1 score cp -30 pv e2e4 e2e4 e2e4")
            say(b"warning: disk nearly full")
            say(b"bestmove " + move)
        case _:
            say(b"info depth 1 score cp 12")
            say(b"bestmove " + move)
    return True


def main() -> None:
    mode, move = sys.argv[1], sys.argv[2].encode()
    Path(sys.argv[3] + ".pid").write_text(str(os.getpid()))
    if mode.startswith("once_"):
        count = Path(sys.argv[3])
        starts = count.read_text() if count.exists() else ""
        count.write_text(starts + "x")
        mode = "good" if starts else mode.removeprefix("once_")
    if mode.startswith("wrapper"):
        waits = "import sys, time; fifo = open(sys.argv[1], 'wb', 0); fifo.write(b'!'); time.sleep(300)"
        subprocess.Popen([sys.executable, "-c", waits, sys.argv[3] + ".child"])
        mode = mode.removeprefix("wrapper_")
    if mode == "gone_at_start":
        os._exit(1)
    if mode == "silent_at_start":
        time.sleep(3600)
    if mode == "flood_at_start":
        flood(b"hello\n")
    for line in sys.stdin:
        word = line.split()[0] if line.split() else ""
        if word == "uci":
            say(b"id name bad")
            say(b"option name Hash type spin default 4 min 1 max " + (b"2" if mode == "contradicts" else b"8"))
            say(b"uciok")
        elif word == "isready":
            say(b"readyok")
        elif word == "go" and not go(mode, move):
            pass
        elif word == "stop" and mode == "waits_for_stop":
            say(b"bestmove " + move)
        elif word == "quit" and mode != "ignores_quit":
            return


main()
