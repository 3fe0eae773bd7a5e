"""(l) Rooms with other people talking, a television or a machine, and with a bad or distant microphone.

Test and tuning rooms share no recording and no person.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from models.bench.hearing_parts import Item
from models.bench.samples import TALKER, TELEVISION, Conditions

QUIET = Conditions()
"""A quiet room and a good microphone."""

FAR = Conditions(rt60_s=0.6, direct_db=-8.7)
"""Two metres from the microphone in a living room of 50 m³, whose critical distance for somebody speaking towards it is
0.73 m (0.057 √(Q V / RT60), Q = 2)."""

BLUETOOTH = Conditions(telephone=True)
"""A headset with a codec of 8000 samples per second (CVSD)."""


@dataclass(frozen=True)
class Room:
    """A kind of room."""

    noises: Sequence[str]  # names of its recordings, used in turn; "": none
    snrs_db: Sequence[int]  # signal-to-noise ratios, decibels
    heard: Conditions = QUIET  # room and microphone


TEST_ROOMS: Mapping[str, Room] = {
    "one talker": Room(("talker_kvad_male3", "emgse_one_male_english", "emgse_one_female_chinese"), (20, 10, 5)),
    "two talkers": Room(("emgse_two_male_english", "emgse_two_female_chinese"), (20, 10, 5)),
    "meeting": Room(("meeting_ami_trn07", "meeting_ami_trn08", "conversation_noice"), (20, 10, 5)),
    "television": Room((f"{TELEVISION}emodb14", f"{TELEVISION}emodb16"), (20, 10, 5)),
    "café": Room(("cafe_autumnsgrove", "moodist_cafe", "restaurant_noice_bbc", "moodist_supermarket"), (10, 5)),
    "office": Room(("office_noice", "library_noice_bbc"), (10,)),
    "fan": Room(("moodist_ceiling-fan", "home_aircon0_timgrau"), (10,)),
    "keyboard": Room(("moodist_keyboard",), (10,)),
    "vacuum cleaner": Room(("home_vacuuming0_timgrau",), (10, 5)),
    "washing machine": Room(("moodist_washing-machine", "moodist_laundry-room", "home_dishwasher0_timgrau"), (10, 5)),
    "street": Room(("moodist_busy-street", "home_street0_timgrau", "street_emgse1", "street_scaper150993"), (10, 5)),
    "bluetooth, one talker": Room(("talker_kvad_male3", "emgse_one_male_english"), (20,), BLUETOOTH),
    "far": Room(("",), (0,), FAR),
}

TUNING_ROOMS: Mapping[str, Room] = {
    "one talker": Room(
        (f"{TALKER}kerstin", f"{TALKER}emodb08", "meeting_ami_trn02", f"{TALKER}emodb03", "talker_ami_es2011a"),
        (20, 10, 5),
    ),
    "meeting": Room(tuple(f"meeting_ami_trn0{number}" for number in (1, 3, 4, 5, 6, 9)), (10, 5)),
    "television": Room((f"{TELEVISION}emodb10", f"{TELEVISION}emodb13", "radio_ina_musanmix"), (10,)),
    "café": Room(("cafe_blanket", "city_blanket"), (10, 5)),
    "machine": Room(("construction_98024", "clatter_dfn573577"), (10, 5)),
    "bluetooth, one talker": Room((f"{TALKER}kerstin", f"{TALKER}emodb03", "talker_ami_es2011a"), (20, 10), BLUETOOTH),
    "far": Room(("",), (0,), FAR),
}


TEST_TALK: Mapping[str, Mapping[str, Room]] = {
    "en": {
        "English talker": Room((f"{TALKER}en/vctk_p226", f"{TALKER}en/librivox_austen"), (20, 10, 5)),
        "English television": Room((f"{TELEVISION}en/vctk_p226", f"{TELEVISION}en/librivox_austen"), (20, 10, 5)),
    },
}
"""Further rooms, with talk in the language of the game: code -> rooms."""

TUNING_TALK: Mapping[str, Mapping[str, Room]] = {
    "en": {"English talker": Room((f"{TALKER}en/vctk_p225", f"{TALKER}en/vctk_p227"), (20, 10))},
}


def in_rooms(items: Sequence[Item], rooms: Mapping[str, Room]) -> dict[str, list[Item]]:
    """The announcements in every room at every SNR, by the names of the sets."""
    made = {}
    for name, room in rooms.items():
        for snr in room.snrs_db:
            conditions = [replace(room.heard, noise=noise, snr_db=float(snr)) for noise in room.noises]
            made[f"l {name} {snr} dB" if any(room.noises) else f"l {name}"] = [
                replace(one, sample=replace(one.sample, conditions=conditions[number % len(conditions)]))
                for number, one in enumerate(items)
            ]
    return made


def anywhere(items: Sequence[Item], rooms: Mapping[str, Room], snr_db: float) -> list[Item]:
    """The utterances with the noises of all rooms in turn, at one SNR."""
    noises = [noise for room in rooms.values() for noise in room.noises if noise]
    return [
        replace(one, sample=replace(one.sample, conditions=Conditions(noises[number % len(noises)], snr_db)))
        for number, one in enumerate(items)
    ]
