"""Why a host was not reached, found among the nested exceptions of requests and urllib3."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator

import urllib3

from voicechess.messages import Phrase, Text

_NAMED: tuple[tuple[tuple[type[BaseException], ...], str], ...] = (
    ((urllib3.exceptions.ProxyError,), "proxy"),
    ((ssl.SSLCertVerificationError,), "certificate"),
    ((ssl.SSLError,), "no_tls"),
    ((socket.gaierror, urllib3.exceptions.NameResolutionError), "no_name"),
    ((ConnectionRefusedError,), "refused"),
    ((TimeoutError, urllib3.exceptions.TimeoutError), "silent"),
)
"""Exceptions with a sentence in [sentences.unreached], the first match counts; others use the system's message."""


def causes(error: BaseException) -> Iterator[BaseException]:
    """The exception and those it wraps, breadth first, each once."""
    waiting, seen = [error], set[int]()
    while waiting:
        inner = waiting.pop(0)
        if id(inner) in seen:
            continue
        seen.add(id(inner))
        yield inner
        within_it = (getattr(inner, "reason", None), *inner.args, inner.__cause__, inner.__context__)
        waiting += [one for one in within_it if isinstance(one, BaseException)]


def reason(error: BaseException) -> Phrase | Text:
    """The reason as part of a sentence: a phrase, or the system's message if there is none."""
    found = tuple(causes(error))
    for kinds, key in _NAMED:
        if any(isinstance(one, kinds) for one in found):
            return Phrase(f"unreached.{key}")
    said = next((one.strerror for one in found if isinstance(one, OSError) and one.strerror), str(found[-1]))
    return Text(said.rstrip("."))
