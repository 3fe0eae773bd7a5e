"""Streams that are kept open, who may tell that the server is gone, and the thread that sends."""

from __future__ import annotations

import threading
from typing import cast

import pytest

from tests.opponents.lichess.doubles import LONG_S, Pauses, Script
from voicechess.opponents.lichess.feeds import Contact, Errands, Feed, pause_s
from voicechess.opponents.lichess.transport import LineStream, ServerFault


class Told:
    """What a contact tells."""

    def __init__(self) -> None:
        self.all: list[tuple[bool, str]] = []

    def __call__(self, up: bool, reason: str) -> None:
        self.all.append((up, reason))


def test_the_contact_is_lost_with_the_first_and_found_with_the_last() -> None:
    told = Told()
    contact = Contact(told, up=True)
    contact.lost("game", "silent")
    contact.lost("request", "network")
    contact.lost("game", "network")
    assert not contact.found("game")
    assert contact.found("request")
    assert not contact.found("request")
    assert told.all == [(False, "silent"), (True, "")]


def test_what_asks_somebody_to_do_something_is_told_though_the_contact_was_lost() -> None:
    told = Told()
    contact = Contact(told, up=True)
    contact.lost("game", "lost")
    contact.lost("game", "token")
    contact.lost("game", "token")
    contact.lost("request", "busy")
    assert told.all == [(False, "lost"), (False, "token"), (False, "busy")]


def test_the_first_contact_is_told_where_nothing_was_known() -> None:
    told = Told()
    contact = Contact(told)
    contact.found("events")
    assert told.all == [(True, "")]


@pytest.mark.parametrize(
    ("failures", "wait_s", "pause"), [(1, 0, 0), (2, 0, 1), (5, 0, 8), (6, 0, 10), (99, 0, 10), (1, 60, 60), (9, 3, 10)]
)
def test_pauses(failures: int, wait_s: int, pause: float) -> None:
    assert pause_s(failures, wait_s) == pause


class Streams:
    """Opens scripts in their order, and ends the feed when there are none left."""

    def __init__(self, *scripts: Script | ServerFault) -> None:
        self.scripts = list(scripts)
        self.done, self.took = threading.Event(), threading.Event()
        self.now = 0.0
        self.taken: list[tuple[bytes, bool]] = []
        self.told, self.pauses = Told(), Pauses()
        self.feed = Feed(
            "x",
            self.open,
            self.take,
            link=Contact(self.told),
            now=lambda: self.now,
            pause=self.pauses,
        )

    def open(self) -> LineStream:
        if not self.scripts:
            self.done.set()
            self.feed.stop()
            raise ServerFault("closed")
        script = self.scripts.pop(0)
        if isinstance(script, ServerFault):
            raise script
        return cast(LineStream, script)

    def take(self, line: bytes, first: bool) -> bool:
        self.taken.append((line, first))
        self.took.set()
        if line == b"later":
            self.now += 60
        if line == b"bug":
            raise KeyError("unforeseen")
        return line != b"garbage"

    def run(self) -> Streams:
        self.feed.start()
        assert self.done.wait(LONG_S)
        self.feed.join(LONG_S)
        return self


def test_each_stream_has_its_first_line() -> None:
    streams = Streams(Script(b"", b"a", b"b").cut(), Script(b"c").end()).run()
    assert streams.taken == [(b"a", True), (b"b", False), (b"c", True)]
    assert streams.told.all == [(True, ""), (False, "lost"), (True, "")], "closing it in order is no loss"


def test_a_stream_that_lived_long_begins_the_counting_anew() -> None:
    streams = Streams(Script().cut(), Script().cut(), Script(b"later").cut(), Script().cut()).run()
    assert streams.pauses.seconds == [0, 1, 0, 1]


def test_after_garbage_the_stream_is_opened_again() -> None:
    streams = Streams(Script(b"garbage", b"never read"), Script(b"a").end()).run()
    assert streams.taken == [(b"garbage", True), (b"a", True)]


def test_an_unforeseen_error_is_reported_and_the_feed_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    reported: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", reported.append)
    streams = Streams(Script(b"bug"), Script(b"a").end()).run()
    assert [one.exc_type for one in reported] == [KeyError]
    assert streams.taken[-1] == (b"a", True)


def test_what_cannot_be_mended_by_trying_again_ends_it() -> None:
    streams = Streams(ServerFault("token"), Script(b"never opened"))
    streams.feed.start()
    streams.feed.join(LONG_S)
    assert streams.told.all == [(False, "token")] and len(streams.scripts) == 1


def test_what_the_server_wants_us_to_wait_is_waited() -> None:
    assert Streams(ServerFault("busy", wait_s=75)).run().pauses.seconds[0] == 75


def test_the_old_stream_is_dropped_when_the_new_one_is_there_and_not_before() -> None:
    old, new = Script(b"a"), Script(b"c")
    streams = Streams(old)
    streams.feed.start()
    assert streams.took.wait(LONG_S)
    assert not old.stopped
    streams.feed.take_over(cast(LineStream, new), lambda: streams.take(b"b", True))
    assert old.stopped
    assert old.closed.wait(LONG_S)
    new.end()
    assert streams.done.wait(LONG_S)
    assert streams.taken == [(b"a", True), (b"b", True), (b"c", False)]
    assert streams.told.all == [(True, "")], "nothing was lost in between"


class Stubborn(Script):
    """Brings what had arrived before it was stopped."""

    def stop(self) -> None:
        pass


def test_what_an_old_stream_still_brings_is_not_taken() -> None:
    old, new = Stubborn(b"a"), Script()
    streams = Streams(old)
    streams.feed.start()
    assert streams.took.wait(LONG_S)
    streams.feed.take_over(cast(LineStream, new), lambda: streams.take(b"b", True))
    old.push(b"stale").end()
    new.end()
    assert streams.done.wait(LONG_S)
    assert streams.taken == [(b"a", True), (b"b", True)]


def test_errands_are_done_one_after_the_other_and_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    reported: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", reported.append)
    errands, done = Errands(), list[int]()
    for number in range(50):
        errands.put(lambda number=number: done.append(number))  # type: ignore[misc]
    errands.put(lambda: done.append(1 // 0))
    errands.put(lambda: done.append(50))
    errands.start()
    assert errands.close(LONG_S)
    assert done == list(range(51))
    assert [one.exc_type for one in reported] == [ZeroDivisionError]
