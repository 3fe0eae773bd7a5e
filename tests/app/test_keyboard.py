"""What is typed for an envelope is not shown at the terminal."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from voicechess.app.keyboard import Keyboard


def test_typed_for_the_envelope(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    lines: list[str] = []
    keyboard = Keyboard(lines.append, lambda key, line_begun: None, lambda: None)

    def keys() -> Iterator[str]:
        yield from "ab\x7fc\n"
        keyboard.hide(True)
        yield from "xy\x7fz\n"
        keyboard.hide(False)
        yield from "d\n"

    monkeypatch.setattr(keyboard, "_keys", keys)
    keyboard._read_keys()
    assert lines == ["ac", "xz", "d"]
    assert capsys.readouterr().out == "ab\b \bc\n\nd\n"
