"""The bounds of the games in a PGN file, found on demand in bounded memory.

A game ends with its result, or where the next one begins: with a tag after moves, or a second "Event" after tags;
comments and tag values are ignored. An unclosed comment must not swallow the games behind it: if a line in it begins
like a tag and the next brace opens another comment, or none follows, the comment ended at that line.

Files are UTF-8 with or without a byte order mark, or UTF-16. Bytes that are not valid UTF-8 are read as Windows-1252,
each by itself, since databases are compiled from files of many origins.
"""

from __future__ import annotations

import codecs
import re
from array import array
from collections.abc import Iterator
from typing import BinaryIO

from voicechess.messages import Failure

MAX_BYTES = 16_000_000
"""Largest game that is read into memory, in bytes. The longest with comments have some 100,000."""

_CHUNK = 1 << 20
"""Bytes read at a time. Larger: more memory, less time."""

_HEAD = 1 << 16
"""Bytes of a game searched for tags when only its title is wanted. Larger: more time for files without tags."""

_UTF8 = codecs.BOM_UTF8
_UTF16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}

_DASH = rb"(?:-|\xe2\x80[\x90-\x95]|\xe2\x88\x92|[\x96\x97])"
_HALF = rb"(?:1/2|(?:\xc2)?\xbd)"
_LINE = rb";[^\r\n]*|%(?<![^\r\n]%)[^\r\n]*"
_TAG = rb"\[\s*(?P<name>[^\s\"\[\]{}]{1,64})\s*\""
_ENDS = rb"(?=[\s{};()\[]|\Z)"
# The lookbehinds follow the first character, so that the search can skip to it.
_RESULT = rb"(?:1(?<![^\s)}\]]1)(?:" + _DASH + rb"0|/2(?:" + _DASH + _HALF + rb")?)|0(?<![^\s)}\]]0)" + _DASH + rb"1"
_RESULT += rb"|(?:\xc2)?\xbd(?:" + _DASH + _HALF + rb")?|\*(?<![^\s)}\]]\*))" + _ENDS

_IN_HEAD = re.compile(
    rb"(?P<space>\s+|" + _LINE + rb")|(?P<tag>" + _TAG + rb")|(?P<comment>\{)|(?P<result>" + _RESULT + rb")"
)
_IN_MOVES = re.compile(
    rb"(?P<space>" + _LINE + rb")|(?P<tag>" + _TAG + rb")|(?P<comment>\{)|(?P<open>\()|(?P<close>\))"
    rb"|(?P<result>" + _RESULT + rb")"
)
_USUAL_TAGS = re.compile(rb"(?:\[(?!(?i:event)\b)\w+ \"[^\"\\\r\n]*\"\]\s*)+")
"""The tags of most games, skipped in one match."""
_IN_COMMENT = re.compile(rb"\}|\{|[\r\n]\s*(?=" + _TAG + rb")")
_VALUE_ENDS = re.compile(rb"(?:\\.|[^\\\r\n])*?\"\s*\]|[^\r\n]*?\"\s*\]|[^\r\n]*")
_BEHIND = re.compile(rb"(?:[ \t]*(?:\{[^{}]*\}|;[^\r\n]*))*")
"""Comments on the line of a result, which belong to the game that has ended."""
_LIKE_MOVES = re.compile(rb"[a-h][1-8]|[0Oo]-[0Oo]|\d\s*\.")


class _Scan:
    """The scanner's state between two chunks. Offsets are bytes from the beginning of the file."""

    def __init__(self, begin: int) -> None:
        self.found: list[tuple[int, int]] = []
        self._begin = begin
        self._tags = self._event = self._moves = self._in_comment = self._like_moves = False
        self._depth = 0
        self._next: int | None = None  # in a comment: offset of a line that begins like a tag

    def feed(self, chunk: bytes, base: int) -> int:
        """Scan the bytes at the offset `base`; returns the offset to continue at."""
        at = 0
        while at < len(chunk):
            if self._in_comment:
                met = _IN_COMMENT.search(chunk, at)
                if met is None:
                    break
                at = met.end()
                if met[0] == b"}":
                    self._in_comment = False
                elif met[0] == b"{" and self._next is not None:
                    return self.unended()
                elif met[0] != b"{" and self._next is None:
                    self._next = base + at
                continue
            usual = None if self._moves else _USUAL_TAGS.match(chunk, at)
            if usual is not None:
                self._tags, at = True, usual.end()
                continue
            met = (_IN_MOVES.search if self._moves else _IN_HEAD.match)(chunk, at)
            if met is None:
                if self._moves:
                    self._look_for_moves(chunk, at, len(chunk))
                    break
                self._moves = True
                continue
            if self._moves:
                self._look_for_moves(chunk, at, met.start())
            at = self._take(met, chunk, base)
        return base + len(chunk)

    def unended(self) -> int:
        """Close the open comment at the line that begins like a tag; returns its offset, or -1 if there is none."""
        at, self._next = self._next, None
        if at is None or not self._in_comment:
            return -1
        self._in_comment = False
        self._moves = True
        self._end(at, at)
        return at

    def finish(self, end: int) -> None:
        """End the last game at the end of the file."""
        if self._tags or self._moves:
            self._end(end, end)

    def _look_for_moves(self, chunk: bytes, begin: int, end: int) -> None:
        if not self._like_moves:
            self._like_moves = _LIKE_MOVES.search(chunk, begin, end) is not None

    def _take(self, met: re.Match[bytes], chunk: bytes, base: int) -> int:
        kind = met.lastgroup if met.lastgroup != "name" else "tag"
        if kind == "comment":
            self._in_comment, self._next = True, None
        elif kind in ("open", "close"):
            self._depth += 1 if kind == "open" else -1
        elif kind == "result" and self._depth <= 0:
            behind = _BEHIND.match(chunk, met.end())
            assert behind is not None, "it matches nothing too"
            self._like_moves = True
            self._end(base + behind.end(), base + behind.end())
            return behind.end()
        elif met["tag"] is not None:
            event = met["name"].lower() == b"event"
            if self._moves or (event and self._event):
                self._end(base + met.start(), base + met.start())
            self._tags, self._event = True, self._event or event
            ends = _VALUE_ENDS.match(chunk, met.end())
            assert ends is not None, "it matches nothing too"
            return ends.end()
        return met.end()

    def _end(self, end: int, begin: int) -> None:
        """End a game and begin the next. Text without tags and moves is no game: a letter around the games, a
        heading."""
        if self._tags or self._like_moves:
            self.found.append((self._begin, end))
        self._begin, self._depth = begin, 0
        self._tags = self._event = self._moves = self._like_moves = False


def games_in(file: BinaryIO) -> Iterator[tuple[int, int]]:
    """The first and the past-the-end byte of each game; `file` must not be UTF-16 (`as_utf8`)."""
    file.seek(0)
    at = len(_UTF8) if file.read(len(_UTF8)) == _UTF8 else 0
    scan = _Scan(at)
    while True:
        file.seek(at)
        chunk = file.read(_CHUNK)
        if len(chunk) == _CHUNK:  # whole lines, so that no token is cut in two
            lines = max(chunk.rfind(b"\n"), chunk.rfind(b"\r")) + 1
            chunk = chunk[: lines or max(chunk.rfind(b" "), chunk.rfind(b"\t")) + 1 or _CHUNK]
        if not chunk:
            again = scan.unended()
            if again < 0:
                break
            at = again
        else:
            at = scan.feed(chunk, at)
        yield from scan.found
        scan.found.clear()
    scan.finish(at)
    yield from scan.found


def as_utf8(file: BinaryIO, copy: BinaryIO) -> BinaryIO:
    """`file`; if it is UTF-16, `copy` with its text in UTF-8."""
    file.seek(0)
    mark = file.read(2)
    encoding = _UTF16.get(mark) or {b"[\0": "utf-16-le", b"\0[": "utf-16-be"}.get(mark)
    if encoding is None:
        return file
    file.seek(2 if mark in _UTF16 else 0)
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    while chunk := file.read(_CHUNK):
        copy.write(decoder.decode(chunk).encode())
    copy.write(decoder.decode(b"", final=True).encode())
    return copy


class PgnIndex:
    """The games of a PGN file by number, from 1. `file` must stay open and not be UTF-16 (`as_utf8`)."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._coming = games_in(file)
        self._bounds = array("Q")

    def has(self, number: int) -> bool:
        """Whether there is a game of this number; reads no further than its end."""
        while len(self._bounds) < 2 * number:
            bounds = next(self._coming, None)
            if bounds is None:
                return False
            self._bounds.extend(bounds)
        return number >= 1

    def __len__(self) -> int:
        for bounds in self._coming:
            self._bounds.extend(bounds)
        return len(self._bounds) // 2

    def end(self, number: int) -> int:
        """The offset behind a game in bytes. Raises IndexError if there is no such game."""
        if not self.has(number):
            raise IndexError(number)
        return self._bounds[2 * number - 1]

    def text(self, number: int) -> str:
        """A game's text. Raises `Failure` if it exceeds `MAX_BYTES`, IndexError if there is no such game."""
        if not self.has(number):
            raise IndexError(number)
        begin, end = self._bounds[2 * number - 2 : 2 * number]
        if end - begin > MAX_BYTES:
            raise Failure("pgn.error.too_large", {"game": number})
        return self._read(begin, end)

    def head(self, number: int) -> str:
        """The beginning of a game's text, enough for its tags. Raises IndexError if there is no such game."""
        if not self.has(number):
            raise IndexError(number)
        begin, end = self._bounds[2 * number - 2 : 2 * number]
        if end - begin <= _HEAD:
            return self._read(begin, end)
        return self._read(begin, begin + _HEAD).rpartition("\n")[0]

    def _read(self, begin: int, end: int) -> str:
        self._file.seek(begin)
        return decoded(self._file.read(end - begin))


def _as_1252(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return "".join(_WINDOWS_1252[byte] for byte in error.object[error.start : error.end]), error.end


# The five bytes that Windows-1252 does not define are taken as Latin-1.
_WINDOWS_1252 = {byte: bytes([byte]).decode("windows-1252", "ignore") or chr(byte) for byte in range(128, 256)}
codecs.register_error("voicechess.1252", _as_1252)


def decoded(part: bytes) -> str:
    """Decode UTF-8, with Windows-1252 for invalid bytes; line ends become "\\n"."""
    return part.decode(errors="voicechess.1252").replace("\r\n", "\n").replace("\r", "\n")
