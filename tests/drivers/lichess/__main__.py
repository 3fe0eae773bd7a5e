"""Run the stand-in by hand: `python -m tests.drivers.lichess --port 8787 --account Anna --account Bert --robot Robin`.

It prints the tokens of everybody. A fault is KIND[:REQUESTS[:HOW OFTEN]], such as `cut:GET */stream/*:3`.
"""

from __future__ import annotations

import argparse
import signal
import threading

from tests.drivers.lichess.clock import WallClock
from tests.drivers.lichess.faults import Fault, Kind
from tests.drivers.lichess.standin import StandIn


def _fault(text: str) -> Fault:
    kind, _, rest = text.partition(":")
    on, _, times = rest.partition(":")
    return Fault(Kind[kind.upper()], on or "*", times=int(times) if times else 1, seconds=5)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.drivers.lichess", description=__doc__)
    parser.add_argument("--port", type=int, default=8787)
    parser.add_argument("--account", action="append", help="somebody to play as (default: Anna and Bert)")
    parser.add_argument("--robot", action="append", default=[], help="somebody who accepts everything and moves")
    parser.add_argument("--speed", type=float, default=1, help="how much faster than the wall's its clock runs")
    parser.add_argument("--fault", action="append", type=_fault, default=[], help="KIND[:REQUESTS[:HOW OFTEN]]")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    done = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: done.set())
    with StandIn(WallClock(options.speed), port=options.port, seed=options.seed) as standin:
        names = options.account or ["Anna", "Bert"]
        for name in options.robot:
            standin.account(name, robot=True)
        for name in names:
            standin.account(name).follows = [one.lower() for one in (*names, *options.robot) if one != name]
            print(f"{name}: {standin.token(name)}", flush=True)
        standin.break_(*options.fault)
        print(standin.url, flush=True)
        done.wait()


main()
