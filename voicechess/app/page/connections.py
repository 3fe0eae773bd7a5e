"""How many connections to the page are open, and for how long those that ask for nothing (issue 49, 22).

Anybody who reaches the port can open one, without the secret. Each takes a file descriptor of the process that plays,
so there are at most `MOST` of them; one more displaces the one that has waited longest, unless that is a browser with
the secret. Who sends no whole request for `PATIENCE_S` is closed.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST = 96
"""Connections at a time; a process may usually have 1,024 files open. Larger: fewer file descriptors are left for
the game."""

PATIENCE_S = 5.0
"""Timeout in seconds for a whole request, from the connection's beginning or its last answer. Larger: idle clients
hold their connections longer."""

AT_ONCE = 32
"""Backlog of the listening socket: connections that may be accepted before the first of them is counted."""


@dataclass(slots=True)
class _Connection:
    """A connection: time since which it has been idle (None: it is being answered), and whether it knew the secret."""

    transport: asyncio.Transport
    waits_since_s: float | None
    known: bool = False


Peer = tuple[str, int]
"""Address and port of a client, which identify the connection of a request."""


class Connections:
    """The open connections; for the server's thread."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._open: dict[Peer, _Connection] = {}
        self._now = now

    def __len__(self) -> int:
        return len(self._open)

    def protocol(self, **given: Any) -> H11Protocol:
        """Creates the protocol object of a connection, which is counted here."""
        return _Counted(self, **given)

    def begun(self, peer: Peer, transport: asyncio.Transport) -> bool:
        """Add a connection; False if there is no room for it."""
        if len(self._open) >= MOST and not self._displace():
            return False
        self._open[peer] = _Connection(transport, self._now())
        return True

    def ended(self, peer: Peer, transport: asyncio.Transport) -> None:
        """Remove a connection."""
        found = self._open.get(peer)
        if found is not None and found.transport is transport:
            del self._open[peer]

    def answering(self, peer: Peer | None) -> None:
        """A complete request with the secret has arrived. Others count as idle throughout: they could keep a connection
        busy for ever by not reading the answer."""
        found = self._open.get(peer) if peer is not None else None
        if found is not None:
            found.waits_since_s, found.known = None, True

    def answered(self, peer: Peer | None) -> None:
        """It was answered, and is idle again."""
        found = self._open.get(peer) if peer is not None else None
        if found is not None:
            found.waits_since_s = self._now()

    def close_idle(self) -> None:
        """Close connections idle for too long."""
        before_s = self._now() - PATIENCE_S
        for one in list(self._open.values()):
            if one.waits_since_s is not None and one.waits_since_s < before_s:
                one.transport.abort()

    def _displace(self) -> bool:
        """Close the connection idle for longest, those that knew the secret last. False: all are being answered."""
        waiting = [
            (one.known, one.waits_since_s, peer) for peer, one in self._open.items() if one.waits_since_s is not None
        ]
        if not waiting:
            return False
        peer = min(waiting)[2]
        self._open.pop(peer).transport.abort()
        return True


class _Counted(H11Protocol):
    """uvicorn's protocol of one connection, counted."""

    def __init__(self, connections: Connections, **given: Any) -> None:
        super().__init__(**given)
        self._connections = connections
        self._peer: Peer = ("", 0)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accepts the connection, or closes it at once if there is no room."""
        self._peer = cast(Peer, tuple((transport.get_extra_info("peername") or ("", 0))[:2]))
        if not self._connections.begun(self._peer, transport):
            transport.abort()
        super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Removes the connection."""
        self._connections.ended(self._peer, self.transport)
        super().connection_lost(exc)
