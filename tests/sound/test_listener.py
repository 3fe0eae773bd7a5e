"""The listener, round by round, without its thread."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import pytest

from tests.sound.fakes import RATE, ScriptedMicrophone, ScriptedModel, hush, tone
from voicechess.meaning import SILENCE_DB, Hypothesis, RecognisedUtterance, Word, level_of
from voicechess.sound import listener as listener_module
from voicechess.sound.devices.choice import open_microphone
from voicechess.sound.devices.files import write_wav
from voicechess.sound.devices.interfaces import Block, Pace
from voicechess.sound.errors import EndOfSound, SoundError
from voicechess.sound.listener import STALE_MS, Attention, Listener, ListenerCallbacks

SPOKEN = hush(300) + tone(200) + hush(700)


@dataclass
class Told:
    log: list[str] = field(default_factory=list)

    def callbacks(self) -> ListenerCallbacks:
        return ListenerCallbacks(
            heard=lambda utterance: self.log.append(utterance.hypotheses[0].text),
            lost=lambda error: self.log.append(f"lost {error.key}"),
            found=lambda name: self.log.append(f"found {name}"),
            trouble=lambda error: self.log.append(f"trouble {error.key}"),
            ended=lambda: self.log.append("ended"),
        )


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener_module, "RETRY_S", 0.0)


def steps(listener: Listener, count: int = 100) -> None:
    for _ in range(count):
        listener.step()


def test_hears_what_is_expected() -> None:
    told = Told()
    listener = Listener(lambda: ScriptedMicrophone(SPOKEN), ScriptedModel(["turm"]), told.callbacks())
    listener.expect(["turm"])
    steps(listener)
    assert told.log == ["turm"]


class GappyMicrophone(ScriptedMicrophone):
    """Loses sound before the blocks of these numbers, counted from 1."""

    def __init__(self, *script: bytes, gaps: frozenset[int]) -> None:
        super().__init__(*script)
        self._gaps, self._number = gaps, 0

    def read(self, timeout_s: float) -> Block | None:
        block = super().read(timeout_s)
        self._number += 1
        return block and replace(block, gap=self._number in self._gaps)


@pytest.mark.parametrize(("gap", "torn"), [(2, False), (35, True), (42, True), (52, False)])
def test_an_utterance_is_torn_where_sound_was_lost_in_it_or_shortly_before(gap: int, torn: bool) -> None:
    """The word lies between 4.0 and 4.2 s."""
    heard: list[bool] = []
    callbacks = ListenerCallbacks(heard=lambda utterance: heard.append(utterance.torn))
    sound = hush(4000) + tone(200) + hush(1500)
    listener = Listener(lambda: GappyMicrophone(sound, gaps=frozenset({gap})), ScriptedModel(["turm"]), callbacks)
    listener.expect(["turm"])
    steps(listener)
    assert heard == [torn]


def test_a_player_is_speaking_until_it_is_told_what_they_said() -> None:
    """Else a move could be made between the last word of its correction and the correction."""
    hearing: list[bool] = []
    callbacks = ListenerCallbacks(heard=lambda utterance: hearing.append(listener.hearing))
    listener = Listener(lambda: ScriptedMicrophone(SPOKEN), ScriptedModel(["turm"]), callbacks)
    listener.expect(["turm"])
    steps(listener)
    assert (hearing, listener.hearing) == ([True], False)


def test_hears_nothing_while_nothing_is_expected() -> None:
    told, microphone = Told(), ScriptedMicrophone(SPOKEN, stands_still=True)
    listener = Listener(lambda: microphone, ScriptedModel(["turm"]), told.callbacks())
    steps(listener, 5)
    assert (told.log, microphone.skipped) == ([], 5)


def test_what_a_device_hears_while_nothing_is_expected_is_gone() -> None:
    told, microphone = Told(), ScriptedMicrophone(SPOKEN)
    listener = Listener(lambda: microphone, ScriptedModel(["turm"]), told.callbacks())
    steps(listener, microphone.left)
    listener.expect(["turm"])
    steps(listener, 5)
    assert (told.log, microphone.left) == ([], 0)


def test_does_not_hear_while_the_program_speaks() -> None:
    told, speaking = Told(), [True]
    microphone = ScriptedMicrophone(SPOKEN, stands_still=True)
    listener = Listener(
        lambda: microphone, ScriptedModel(["turm"]), told.callbacks(), speaking=lambda _at_ms: speaking[0]
    )
    listener.expect(["turm"])
    steps(listener, 20)
    assert microphone.skipped == 20
    speaking[0] = False
    steps(listener)
    assert told.log == ["turm"]


@pytest.mark.parametrize(("from_ms", "to_ms", "heard"), [(1_200, 2_400, [300, 2_700]), (0, 1_200, [1_500, 2_700])])
def test_on_a_busy_machine_what_counts_is_when_it_was_said(from_ms: int, to_ms: int, heard: list[int]) -> None:
    """Sound is looked at late there: the program speaks again by now. Of three words, at 300, 1500 and 2700 ms, the one
    that it said itself is not heard, the others are (issue 49)."""
    began: list[int] = []
    callbacks = ListenerCallbacks(heard=lambda utterance: began.append(utterance.began_ms // 100 * 100))
    listener = Listener(
        lambda: ScriptedMicrophone(SPOKEN + SPOKEN + SPOKEN),
        ScriptedModel(["turm", "turm"]),
        callbacks,
        speaking=lambda at_ms: from_ms <= at_ms < to_ms or at_ms > 10_000,
    )
    listener.expect(["turm"])
    steps(listener)
    assert began == heard


def test_on_a_busy_machine_the_key_counts_as_it_was_held(monkeypatch: pytest.MonkeyPatch) -> None:
    told, now_ms = Told(), [1_200]
    monkeypatch.setattr(listener_module, "monotonic_ms", lambda: now_ms[0])
    microphone = ScriptedMicrophone(SPOKEN + SPOKEN + SPOKEN)
    listener = Listener(lambda: microphone, ScriptedModel(["turm", "anna"]), told.callbacks(), push_to_talk=True)
    listener.expect(["turm"])
    listener.press()
    now_ms[0] = 1_650  # within the second word, which is told when this is looked at
    listener.release()
    steps(listener)
    assert told.log == ["turm"] and not listener.pressed


class Overhearing:
    """Remembers whether it was to listen to each block, and hears a word in the third of those."""

    def __init__(self, heard: RecognisedUtterance, fails: bool = False, own: str = "") -> None:
        self.listened: list[bool] = []
        self._heard, self._fails, self._own = heard, fails, own

    def feed(self, block: Block, rate: int, listens: bool) -> RecognisedUtterance | None:
        self.listened.append(listens)
        if self._fails:
            raise RuntimeError("vosk")
        self._block = block
        return self._heard if self.listened.count(True) == 3 and listens else None

    def since(self, begins: bool) -> list[Block]:
        return [self._block]

    def told(self, utterance: RecognisedUtterance) -> None:
        pass

    def echo_ended_ms(self) -> int:
        return 0

    def is_own(self, utterance: RecognisedUtterance) -> bool:
        return utterance.hypotheses[0].text == self._own

    def is_strange(self, utterance: RecognisedUtterance) -> bool:
        return False

    def rest(self, utterance: RecognisedUtterance) -> list[Block]:
        return []

    def begins_as_own(self, utterance: RecognisedUtterance) -> bool:
        return False


WORD = RecognisedUtterance((Hypothesis((Word("stopp", 0, 300),)),), 0, 300, level_of(0.1, 0.1, SILENCE_DB))


@pytest.mark.parametrize("fails", [False, True])
def test_a_few_words_are_heard_while_the_program_speaks(fails: bool) -> None:
    """All blocks are wanted, for the echo of the room; where that fails it is told, and all else is as without it."""
    told, speaking = Told(), [True]
    overheard: list[RecognisedUtterance] = []
    microphone = ScriptedMicrophone(SPOKEN + SPOKEN)
    overhearing = Overhearing(WORD, fails)
    listener = Listener(
        *(lambda: microphone, ScriptedModel(["turm"])),
        replace(told.callbacks(), overheard=overheard.append),
        speaking=lambda _at_ms: speaking[0],
        overhearing=cast(Any, overhearing),
    )
    listener.expect(["turm"])
    steps(listener, 5)
    speaking[0] = False
    steps(listener)
    assert told.log == (["trouble sound.recogniser.deaf"] if fails else []) + ["turm"]
    if fails:
        assert overhearing.listened == [True] and overheard == []
    else:
        assert overhearing.listened[:6] == [True] * 5 + [False] and overheard == [WORD]


@pytest.mark.parametrize(("leaks", "speaks"), [(True, False), (True, True), (False, False)])
@pytest.mark.parametrize(("late_ms", "heard"), [(STALE_MS - 2_000, True), (STALE_MS + 2_000, False)])
def test_what_comes_much_too_late_is_no_word_of_the_players_where_the_program_can_be_heard(
    late_ms: int, heard: bool, leaks: bool, speaks: bool
) -> None:
    """A starved machine took the program's own "Eva fünf" for a move, half a minute late."""
    told = Told()
    overheard: list[RecognisedUtterance] = []
    microphone = ScriptedMicrophone(SPOKEN)
    listener = Listener(
        *(lambda: microphone, ScriptedModel(["turm"])),
        replace(told.callbacks(), overheard=overheard.append),
        speaking=lambda _at_ms: speaks,
        overhearing=cast(Any, Overhearing(WORD, False)),
        leaks=lambda: leaks,
        clock=lambda: late_ms + (WORD.ended_ms if speaks else microphone.now_ms),
    )
    listener.expect(["turm"])
    steps(listener)
    if speaks:
        assert (overheard != []) == heard
    else:
        assert told.log == (["turm"] if heard or not leaks else [])


@pytest.mark.parametrize(("pause_ms", "torn"), [(400, True), (1_000, False)])
def test_what_goes_on_behind_the_programs_own_words_may_lack_its_beginning(pause_ms: int, torn: bool) -> None:
    """Of "Springer Gustav acht Felix sechs" the beginning was dropped, and "Felix sechs" played (issue 49)."""
    heard: list[tuple[str, bool]] = []
    microphone = ScriptedMicrophone(hush(300) + tone(200) + hush(pause_ms) + tone(200) + hush(700))
    listener = Listener(
        lambda: microphone,
        ScriptedModel(["turm", "anna"]),
        ListenerCallbacks(heard=lambda utterance: heard.append((utterance.hypotheses[0].text, utterance.torn))),
        overhearing=cast(Any, Overhearing(WORD, own="turm")),
        leaks=lambda: True,
    )
    listener.expect(["turm", "anna"])
    steps(listener)
    assert heard == [("anna", torn)]


def test_an_utterance_is_given_up_when_the_program_begins_to_speak() -> None:
    told, speaking = Told(), [False]
    microphone = ScriptedMicrophone(hush(300) + tone(200))
    listener = Listener(
        lambda: microphone, ScriptedModel(["turm"]), told.callbacks(), speaking=lambda _at_ms: speaking[0]
    )
    listener.expect(["turm"])
    steps(listener, 5)
    assert listener.hearing
    speaking[0] = True
    microphone.add(hush(100))
    steps(listener, 1)
    speaking[0] = False
    microphone.add(hush(1000))
    steps(listener)
    assert (told.log, listener.hearing) == ([], False)


def test_a_lost_microphone_is_told_once_and_found_again() -> None:
    told = Told()
    broken = SoundError("sound.microphone.none")
    openings: list[ScriptedMicrophone | SoundError] = [
        ScriptedMicrophone(hush(200), SoundError("sound.microphone.lost")),
        broken,
        broken,
        ScriptedMicrophone(SPOKEN),
    ]
    first = openings[0]

    def open_next() -> ScriptedMicrophone:
        opening = openings.pop(0)
        if isinstance(opening, SoundError):
            raise opening
        return opening

    listener = Listener(open_next, ScriptedModel(["turm"]), told.callbacks())
    listener.expect(["turm"])
    steps(listener)
    assert told.log == ["lost sound.microphone.lost", "found scripted", "turm"]
    assert isinstance(first, ScriptedMicrophone)
    assert first.closed


def test_it_is_found_only_when_it_delivers() -> None:
    told = Told()
    openings = [
        ScriptedMicrophone(SoundError("sound.microphone.lost")),
        ScriptedMicrophone(None, SoundError("sound.microphone.lost")),
        ScriptedMicrophone(hush(100)),
    ]
    listener = Listener(lambda: openings.pop(0), ScriptedModel([]), told.callbacks())
    listener.expect(["turm"])
    steps(listener, 3)
    assert told.log == ["lost sound.microphone.lost"]
    steps(listener, 1)
    assert told.log == ["lost sound.microphone.lost", "found scripted"]


def test_a_microphone_with_another_rate_is_heard_as_well() -> None:
    told = Told()
    openings = [
        ScriptedMicrophone(hush(100), SoundError("sound.microphone.lost"), rate=16000),
        ScriptedMicrophone(SPOKEN + SPOKEN, rate=32000),
    ]
    listener = Listener(lambda: openings.pop(0), ScriptedModel(["turm"]), told.callbacks())
    listener.expect(["turm"])
    steps(listener)
    assert listener.rate == 32000
    assert "turm" in told.log


def test_exact_zeros_are_told_once() -> None:
    told = Told()
    listener = Listener(lambda: ScriptedMicrophone(bytes(32000 * 8)), ScriptedModel([]), told.callbacks())
    listener.expect(["turm"])
    steps(listener)
    assert told.log == ["trouble sound.microphone.zeros"]


def test_push_to_talk_ends_with_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    told = Told()
    microphone = ScriptedMicrophone(hush(100) + tone(200), stands_still=True)
    monkeypatch.setattr(listener_module, "monotonic_ms", lambda: microphone.now_ms)
    listener = Listener(lambda: microphone, ScriptedModel(["turm"]), told.callbacks(), push_to_talk=True)
    listener.expect(["turm"])
    steps(listener, 3)
    assert microphone.skipped == 3
    listener.press()
    steps(listener, 4)
    assert told.log == []
    listener.release()
    steps(listener, 1)
    assert told.log == ["turm"]


def test_push_to_talk_with_a_file_ends_with_the_file(tmp_path: Path) -> None:
    told, path = Told(), tmp_path / "said.wav"
    write_wav(path, SPOKEN, RATE)
    listener = Listener(
        lambda: open_microphone(str(path), pace=Pace.FAST, by_key=True),
        ScriptedModel(["turm"]),
        told.callbacks(),
        push_to_talk=True,
    )
    listener.expect(["turm"])
    steps(listener, 2)
    listener.press()
    while not told.log:
        listener.step()
    listener.release()
    steps(listener, 1)
    assert told.log == ["turm", "ended"]


def test_new_phrases_wait_for_the_end_of_the_utterance() -> None:
    told, model = Told(), ScriptedModel(["turm", "eva"])
    microphone = ScriptedMicrophone(hush(300) + tone(200))
    listener = Listener(lambda: microphone, model, told.callbacks())
    listener.expect(["turm"])
    steps(listener, 5)
    listener.expect(["eva"])
    microphone.add(hush(700) + tone(200) + hush(700))
    steps(listener)
    assert told.log == ["turm", "eva"]
    assert [decoder.phrases[0] for decoder in model.decoders] == ["turm", "eva"]


def test_another_model_recognises_from_the_next_utterance_on() -> None:
    told, german, english = Told(), ScriptedModel(["turm"]), ScriptedModel(["rook"])
    microphone = ScriptedMicrophone(hush(300) + tone(200))
    listener = Listener(lambda: microphone, german, told.callbacks())
    listener.expect(["turm"])
    steps(listener, 5)
    listener.recognise_with(english)
    listener.expect(["rook"])
    microphone.add(hush(700) + tone(200) + hush(700))
    steps(listener)
    assert told.log == ["turm", "rook"]
    assert [decoder.phrases[0] for decoder in german.decoders] == ["turm"]
    assert [decoder.phrases[0] for decoder in english.decoders] == ["rook"]


def test_the_end_of_a_file_is_told_with_what_was_being_said() -> None:
    told = Told()
    microphone = ScriptedMicrophone(hush(300) + tone(200), EndOfSound())
    listener = Listener(lambda: microphone, ScriptedModel(["turm"]), told.callbacks())
    listener.expect(["turm"])
    steps(listener, 10)
    assert told.log[:2] == ["turm", "ended"]


def test_a_failing_recogniser_is_told_once_and_made_anew() -> None:
    told = Told()
    model = ScriptedModel(["turm"])
    failing = [True]
    make = model.decoder

    def decoder(*arguments: object) -> object:
        if failing:
            failing.pop()
            raise Exception("Failed to create a recognizer")
        return make(*arguments)  # type: ignore[arg-type]

    model.decoder = decoder  # type: ignore[method-assign, assignment]
    microphone = ScriptedMicrophone(SPOKEN + SPOKEN)
    listener = Listener(lambda: microphone, model, told.callbacks())
    listener.expect(["turm"])
    steps(listener)
    assert told.log == ["trouble sound.recogniser.failed", "turm"]


def test_the_thread_ends_and_gives_the_microphone_back() -> None:
    microphone = ScriptedMicrophone()
    listener = Listener(lambda: microphone, ScriptedModel([]), Told().callbacks())
    listener.start()
    listener.close()
    assert microphone.closed or microphone.left == 0


def attention_to(*sound: bytes) -> Attention:
    """To somebody who has said a word, and then this is heard."""
    attention, told = Attention(), Told()
    microphone = ScriptedMicrophone(SPOKEN)
    listener = Listener(lambda: microphone, ScriptedModel(["turm"]), told.callbacks(), attention=attention)
    listener.expect(["turm"])
    steps(listener, microphone.left)
    assert told.log == ["turm"] and not attention.hearing
    microphone.add(b"".join(sound))
    steps(listener, microphone.left)
    return attention


@pytest.mark.parametrize("spoken_ms", [100, 300, 800])
def test_who_goes_on_speaking_is_near(spoken_ms: int) -> None:
    """From the first word on, of which it is not known yet that it is one."""
    assert attention_to(tone(spoken_ms)).near
    assert attention_to(tone(100, 2500), tone(spoken_ms)).near, "it begins with a hiss"


def test_a_tap_is_not_taken_for_a_person_for_longer_than_a_word_needs() -> None:
    tap = attention_to(tone(80), hush(320))
    assert tap.hearing and not tap.near
    assert attention_to(tone(80)).near, "it might have been one"


def test_who_is_further_away_than_the_player_is_not_near() -> None:
    far = attention_to(tone(600, 2500))
    assert far.hearing and far.barges_in and not far.near
    assert attention_to(tone(600, 5000)).near, "a voice that sinks"


def test_breath_is_no_beginning_of_a_word() -> None:
    breath = attention_to(tone(100, 800))
    assert breath.hearing and not breath.near
