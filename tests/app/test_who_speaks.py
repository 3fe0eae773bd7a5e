"""Where a screen reader runs at the first start, the program asks once which of the two is to speak (issue 51)."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.drivers.talking import Talking
from voicechess.app.context import SPOKEN_BY, Context
from voicechess.app.playing import welcome
from voicechess.app.wiring import Program, WantedDevices
from voicechess.commands.options import devices
from voicechess.conversations.asking import SILENCE_MS
from voicechess.conversations.who_speaks import WhoSpeaks
from voicechess.sound.reader import PrismBackend, Reader

OFFER = "Gegen die Maschine, mit Weiß, leicht, ohne Uhr: einverstanden?"
ASKED = "Bei Ihnen läuft ein Bildschirmleser. Soll er vorlesen, was ich sage? Nein: dann spreche ich."


class Nvda:
    """A screen reader that answers."""

    name = "NVDA"
    speaking = False

    def output(self, text: str, interrupt: bool = False) -> None: ...

    def stop(self) -> None: ...


@pytest.fixture(autouse=True)
def running(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows says that a screen reader runs, and it answers."""

    def readers() -> Iterator[PrismBackend]:
        yield Nvda()

    monkeypatch.setattr("voicechess.app.playing.reader_runs", lambda: True)
    monkeypatch.setattr("voicechess.app.wiring.Reader", lambda pace: Reader(pace, readers))


def said_at_start(lines: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], str | None]:
    """What is shown when these lines are typed, and who was chosen."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO("\n".join(lines).encode())))
    sound = folder / f"{len(list(folder.iterdir()))}.wav"
    with Program(Context.create("de"), WantedDevices(voice_input=False, speaker=str(sound))) as program:
        shown = io.StringIO()
        monkeypatch.setattr("sys.stdout", shown)
        welcome(program)
        return shown.getvalue().splitlines(), program.journal.preference(SPOKEN_BY)


def test_it_is_asked_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown, chosen = said_at_start(["nein", "ende"], tmp_path, monkeypatch)
    assert shown[:2] == [ASKED, "Gut, ich spreche. Umschalten geht mit: Bildschirmleser, eigene Stimme."]
    assert OFFER in shown
    assert chosen == "voice"
    again, _ = said_at_start(["ende"], tmp_path, monkeypatch)
    assert ASKED not in again
    assert not devices(None, Context.create("de")).reader


def test_the_reader_that_was_chosen_reads_at_the_next_start_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown, chosen = said_at_start(["ja", "ende"], tmp_path, monkeypatch)
    assert shown[:2] == [ASKED, "NVDA liest jetzt."]
    assert chosen == "reader"
    assert devices(None, Context.create("de")).reader
    said_at_start(["nein", "mensch", "ohne uhr", "eigene stimme", "ende", "ja"], tmp_path, monkeypatch)
    assert not devices(None, Context.create("de")).reader


def test_who_leaves_at_the_question_is_not_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown, chosen = said_at_start(["ende"], tmp_path, monkeypatch)
    assert shown[0] == ASKED
    assert OFFER not in shown
    assert chosen == "voice"


def test_where_none_runs_nothing_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("voicechess.app.playing.reader_runs", lambda: False)
    shown, chosen = said_at_start(["ende"], tmp_path, monkeypatch)
    assert ASKED not in shown
    assert chosen is None


@pytest.mark.parametrize("words", ["ja", "bildschirmleser"])
def test_the_reader_is_chosen(words: str) -> None:
    talk = Talking(WhoSpeaks())
    assert talk.said == [ASKED]
    assert talk.say("hilfe")[0].startswith("Sprechen beide, versteht man keinen.")
    talk.say(words)
    assert isinstance(talk.conversation, WhoSpeaks)
    assert talk.conversation.reader is True


def test_nobody_answers_and_our_voice_goes_on() -> None:
    talk = Talking(WhoSpeaks())
    assert talk.wait(SILENCE_MS)[-1] == "Soll der Bildschirmleser vorlesen? Ja oder nein?"
    talk.wait(SILENCE_MS)
    assert talk.wait(SILENCE_MS) == ["Gut, ich spreche. Umschalten geht mit: Bildschirmleser, eigene Stimme."]
    assert isinstance(talk.conversation, WhoSpeaks)
    assert talk.conversation.over
