"""What is written is read back the same, and nothing else is read at all."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings

from voicechess.game import events
from voicechess.game.agreement import GameSettings, PersonalChoices
from voicechess.game.events import Event, Heard, OpponentMoved, Tick
from voicechess.meaning import Command, Reading, SpokenMove
from voicechess.storage.codec import (
    CodecError,
    decode_event,
    decode_settings,
    encode_event,
    encode_settings,
    event_types,
)

from .strategies import EVENTS, SETTINGS

HEARD = Heard(
    at_ms=5,
    readings=(
        Reading(SpokenMove(piece=2, to_file=5, to_rank=2), 0.5, "springer felix drei"),
        Reading(Command("level", (("number", 3), ("x", True), ("y", "z")))),
    ),
    words="springer felix drei",
    began_ms=1,
    ended_ms=4,
)


def test_every_event_is_known() -> None:
    assert {"Started", "Heard", "Tick", "OpponentMoved", "Trouble"} <= set(event_types())
    assert all(vars(events)[name] is kind for name, kind in event_types().items())


@settings(max_examples=300)
@given(EVENTS)
def test_events_come_back_equal_in_value_and_type(event: Event) -> None:
    text = encode_event(event)
    text.encode("ascii")
    back = decode_event(text)
    assert back == event
    assert repr(back) == repr(event)  # 1 == True == 1.0


@settings(max_examples=100)
@given(SETTINGS)
def test_settings_come_back_equal(value: GameSettings) -> None:
    value = replace(value, time=value.time.replace("|", "~"))  # the bar has a test of its own below
    assert decode_settings(encode_settings(value)) == value


def test_a_renamed_field_keeps_its_name_in_journals() -> None:
    text = encode_event(replace(HEARD, snr_db=12))
    assert '"above_room_db":12' in text and "snr_db" not in text
    assert decode_event(text) == replace(HEARD, snr_db=12)
    text = encode_event(replace(HEARD, readings=(Reading(Command("time"), trimmed=True),)))
    assert '"between":true' in text and decode_event(text) == replace(
        HEARD, readings=(Reading(Command("time"), trimmed=True),)
    )
    with pytest.raises(CodecError):  # one name only: two would contradict each other
        decode_event(text.replace("between", "trimmed"))


def test_a_command_that_counts_seconds_keeps_its_own_name_in_journals() -> None:
    """As long as minutes and seconds were two commands, journals had two names; an older program knows no slot."""
    command = Command("arbiter_add", (("colour", True), ("number", 90), ("seconds", 1)))
    text = encode_event(replace(HEARD, readings=(Reading(command),)))
    assert '"name":"arbiter_add_seconds","slots":[["colour",true],["number",90]]' in text
    assert decode_event(text) == replace(HEARD, readings=(Reading(command),))


def test_a_field_that_old_games_do_not_have_takes_its_default() -> None:
    assert decode_event('{"v":1,"is":"OpponentMoved","at_ms":1,"uci":"e7e5"}') == OpponentMoved(at_ms=1, uci="e7e5")


@pytest.mark.parametrize(
    ("text", "newer"),
    [
        ("", False),
        ("[]", False),
        ('{"is":"Tick","at_ms":1}', False),
        ('{"v":"1","is":"Tick","at_ms":1}', False),
        ('{"v":true,"is":"Tick","at_ms":1}', False),
        ('{"v":0,"is":"Tick","at_ms":1}', False),
        ('{"v":2,"is":"Tick","at_ms":1}', True),
        ('{"v":1,"is":"Tock","at_ms":1}', True),
        ('{"v":1,"is":"Event","at_ms":1}', True),
        ('{"v":1,"at_ms":1}', True),
        ('{"v":1,"is":"Tick"}', False),
        ('{"v":1,"is":"Tick","at_ms":1.0}', False),
        ('{"v":1,"is":"Tick","at_ms":true}', False),
        ('{"v":1,"is":"Tick","at_ms":"1"}', False),
        ('{"v":1,"is":"Tick","at_ms":null}', False),
        ('{"v":1,"is":"Tick","at_ms":1,"more":1}', True),
        ("[" * 100_000, False),
    ],
)
def test_what_does_not_fit_is_refused(text: str, newer: bool) -> None:
    with pytest.raises(CodecError) as caught:
        decode_event(text)
    assert caught.value.newer is newer


def test_every_change_of_type_anywhere_is_refused() -> None:
    whole = json.loads(encode_event(HEARD))

    def variants(value: Any) -> list[Any]:
        """The value with one part of it replaced by something of another type."""
        if isinstance(value, dict):
            return [{**value, name: other} for name, part in value.items() for other in variants(part)]
        if isinstance(value, list):
            inside = [[*value[:i], other, *value[i + 1 :]] for i, part in enumerate(value) for other in variants(part)]
            return [*inside, {"a": 1}]
        return [[value], {"a": value}]

    bad = variants(whole)
    assert len(bad) > 30
    for variant in bad:
        with pytest.raises(CodecError):
            decode_event(json.dumps(variant))


def test_what_has_no_place_in_an_event_is_refused() -> None:
    with pytest.raises(CodecError):
        encode_event(Tick(at_ms=object()))  # type: ignore[arg-type]


@pytest.mark.parametrize(("kept", "time"), [("5|3", "5~3"), ("5+3|3+2", "5+3~3+2"), ("5+3", "5+3")])
def test_the_bar_between_two_times_that_earlier_versions_kept(kept: str, time: str) -> None:
    """What is given as "5|3" today is five minutes and three seconds, as sites write it."""
    assert decode_settings(f'{{"v":1,"time":"{kept}"}}').time == time
    assert decode_settings(encode_settings(GameSettings(time="5|3"))).time == "5+3"


def test_a_reading_that_cannot_be_meant_has_an_infinite_cost() -> None:
    event = Heard(at_ms=0, readings=(Reading(Command("stop"), float("inf")),), words="stopp", began_ms=0, ended_ms=0)
    assert decode_event(encode_event(event)) == event


def test_what_is_personal_stands_among_the_terms_as_in_old_journals() -> None:
    old = '{"v":1,"white":"voice","black":"server","thresholds_ms":[60000],"captured":false,"quick":true,"chat":true}'
    settings = decode_settings(old)
    assert settings.personal == PersonalChoices((60_000,), captured=False, quick=True, chat=True)
    assert json.loads(encode_settings(settings)).items() >= json.loads(old).items()
    assert decode_settings('{"v":1}') == GameSettings()
