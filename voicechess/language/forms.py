"""Numbers, ordinals, times, and pieces in their grammatical cases, spelled out from `<language>/speech.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import chess

MAXIMUM = 999_999
"""The largest number spelled out; larger ones, which no count of moves or seconds reaches, are written in digits."""

SECOND_MS = 1_000
HOUR_S, MINUTE_S = 3_600, 60
UNITS = (("days", 24 * HOUR_S), ("hours", HOUR_S), ("minutes", MINUTE_S), ("seconds", 1))


class FormError(LookupError):
    """A form that the language lacks; the message names it."""


class Forms:
    """The words of one language for numbers, times and pieces, from the tables of its speech file."""

    def __init__(self, tables: Mapping[str, Any]) -> None:
        self._tables = tables

    def number(self, value: int, form: str = "") -> str:
        """A number: "einundzwanzig". Forms are those of "one" before a noun ("feminine": "eine Partie"), "times"
        ("einmal"), "percent" and "year" ("neunzehnhundertfünfundachtzig")."""
        numbers = self._tables["numbers"]
        if form == "times":
            times = numbers["times"]
            return str(times.get(str(value), times["many"])).format(count=self._cardinal(value, True))
        if form == "year":
            return self._year(value)
        if form == "percent":
            return str(numbers["percent"]).format(number=self._cardinal(value))
        if form:
            variants = numbers["one"]
            if form not in variants:
                raise FormError(f"a number has no form {form!r}")
            if value == 1:
                return str(variants[form])
        if abs(value) > MAXIMUM:
            return str(value)
        if value < 0:
            return str(numbers["negative"]).format(number=self._cardinal(-value))
        return self._cardinal(value)

    def _year(self, value: int) -> str:
        years = self._tables["numbers"]["years"]
        if not any(first <= value <= last for first, last in years["by_century"]):
            return self._cardinal(value)
        century, rest = divmod(value, 100)
        key = "whole" if not rest else "small_rest" if rest < 10 else "rest"
        return str(years[key]).format(century=self._cardinal(century), rest=self._cardinal(rest))

    def _cardinal(self, value: int, joined: bool = False) -> str:
        numbers = self._tables["numbers"]
        if joined and value == 1:
            return str(numbers["one_joined"])
        if value < 20:
            return str(numbers["small"][value])
        if value < 100:
            tens, unit = divmod(value, 10)
            word = str(numbers["tens"][tens - 2])
            if not unit:
                return word
            return str(numbers["tens_and_unit"]).format(unit=self._cardinal(unit, True), tens=word)
        size, one, many, whole = (
            (100, "hundred", "hundreds", "hundreds_and_rest")
            if value < 1000
            else (1000, "thousand", "thousands", "thousands_and_rest")
        )
        count, rest = divmod(value, size)
        word = str(numbers[one]) if count == 1 else str(numbers[many]).format(count=self._cardinal(count, True))
        if not rest:
            return word
        return str(numbers[whole]).format(**{many: word, "rest": self._cardinal(rest)})

    def ordinal(self, value: int, form: str = "") -> str:
        """First, second, third, from 1, in a form of [ordinals.forms]."""
        forms = self._tables["ordinals"]["forms"]
        if (form or "name") not in forms:
            raise FormError(f"an ordinal has no form {form!r}")
        return str(forms[form or "name"]).format(stem=self._ordinal_stem(value))

    def _ordinal_stem(self, value: int) -> str:
        ordinals = self._tables["ordinals"]
        if not 0 <= value < 1000:
            return self.number(value)
        if value < 20:
            return str(ordinals["small"][value])
        if value < 100:
            tens, unit = divmod(value, 10)
            word = str(ordinals["tens"][tens - 2])
            if not unit:
                return word
            return str(ordinals["tens_and_unit"]).format(
                unit=ordinals["small"][unit],
                unit_cardinal=self._cardinal(unit, True),
                tens=word,
                tens_cardinal=self._cardinal(tens * 10),
            )
        hundreds = self._cardinal(value // 100 * 100)
        if value % 100 == 0:
            return str(ordinals["hundreds"]).format(hundreds=hundreds)
        rest = self._ordinal_stem(value % 100)
        return str(ordinals["hundreds_and_rest"]).format(hundreds=hundreds, rest=rest)

    def duration(self, ms: int, form: str = "") -> str:
        """A duration as a person says it, never 01:30; fractions of a second are dropped, as on a clock.

        Form "clock", for a running clock: without seconds from an hour on.
        """
        if form not in ("", "clock"):
            raise FormError(f"a time span has no form {form!r}")
        durations = self._tables["durations"]
        total = max(0, ms) // SECOND_MS
        if form == "clock" and total >= HOUR_S:
            total -= total % MINUTE_S
        if ms > 0 and total == 0:
            return str(durations["moment"])
        counts: dict[str, int] = {}
        rest = total
        for unit, seconds in UNITS:
            counts[unit], rest = divmod(rest, seconds)
        if not total:
            return self._counted("seconds", 0)
        if counts["minutes"] and counts["seconds"] >= 10 and not counts["hours"] and not counts["days"]:
            return str(durations["minutes_and_seconds"]).format(
                minutes=self._counted("minutes", counts["minutes"]), seconds=self._cardinal(counts["seconds"])
            )
        if form == "clock" and counts["hours"] and counts["minutes"] >= 10 and not counts["days"]:
            return str(durations["hours_and_minutes"]).format(
                hours=self._counted("hours", counts["hours"]), minutes=self._cardinal(counts["minutes"])
            )
        return " ".join(self._counted(unit, count) for unit, count in counts.items() if count)

    def moment(self, month: int, day: int, hour: int, minute: int) -> str:
        """A date and time, as in `messages.Moment`: "am einundzwanzigsten November um zwanzig Uhr fünfzehn"."""
        moments = self._tables["moments"]
        halves = moments["halves"]
        key = "whole" if not minute else "few_minutes" if minute < 10 else "minutes"
        time = str(moments[key]).format(
            hour=self._cardinal((hour - 1) % 12 + 1 if halves else hour, True),
            minute=self._cardinal(minute),
            half=halves[hour // 12] if halves else "",
        )
        return str(moments["text"]).format(
            day=self.ordinal(day, "dative"), month=moments["months"][month - 1], time=time
        )

    def day(self, month: int, day: int) -> str:
        """A date: "ersten Dezember", as it follows "vom" and "bis"."""
        moments = self._tables["moments"]
        return str(moments["date"]).format(day=self.ordinal(day, "dative"), month=moments["months"][month - 1])

    def _counted(self, unit: str, count: int) -> str:
        one, many = self._tables["durations"][unit]
        return str(one) if count == 1 else str(many).format(count=self._cardinal(count))

    def piece(self, kind: chess.PieceType, colour: chess.Color | None = None, form: str = "") -> str:
        """A piece in a form of [declension]: "Springer", "der Springer", "den weißen Springer"."""
        table = self._tables["pieces"][chess.PIECE_NAMES[kind]]
        forms = self._tables["declension"][table["gender"]]
        if (form or "name") not in forms:
            raise FormError(f"a piece has no form {form!r}")
        return self._declined(kind, colour, forms[form or "name"])

    def pieces(self, kind: chess.PieceType, count: int, colour: chess.Color | None = None, form: str = "") -> str:
        """A number of pieces: "kein Turm" is "keine Türme", "ein Turm", "zwei Türme"; forms: accusative, dative."""
        if form not in ("", "accusative", "dative"):
            raise FormError(f"a number of pieces has no form {form!r}")
        if count == 1:
            return self.piece(kind, colour, f"a_{form}" if form else "a")
        key = "none" if count == 0 else "many"
        template = self._tables["counted"][f"dative_{key}" if form == "dative" else key]
        return self._declined(kind, colour, template, self.number(count))

    def _declined(self, kind: chess.PieceType, colour: chess.Color | None, template: list[str], count: str = "") -> str:
        table = self._tables["pieces"][chess.PIECE_NAMES[kind]]
        return template[0 if colour is None else 1].format(
            noun=table["noun"],
            oblique=table.get("oblique", table["noun"]),
            plural=table["plural"],
            dative_plural=table["dative_plural"],
            colour="" if colour is None else self._tables["sides"][chess.COLOR_NAMES[colour]]["stem"],
            count=count,
        )

    def side(self, colour: chess.Color, form: str = "") -> str:
        """White or Black, in a form of [sides]: name, adjective ("weiß"), pieces ("die weißen Figuren")."""
        forms = self._tables["sides"][chess.COLOR_NAMES[colour]]
        if (form or "name") not in forms:
            raise FormError(f"a side has no form {form!r}")
        return str(forms[form or "name"])

    def listing(self, items: list[str], joiner: str = "and") -> str:
        """An enumeration, the last item joined by "and", "or", or (joiner "") a comma; "groups": separated more
        strongly, since items contain commas; "row": without pauses."""
        listings = self._tables["listings"]
        if joiner in ("groups", "row"):
            return str(listings[joiner]).join(items)
        separator = str(listings["separator"])
        if joiner and joiner not in listings:
            raise FormError(f"a listing has no joiner {joiner!r}")
        if not joiner or len(items) < 2:
            return separator.join(items)
        return str(listings[joiner]).format(first=separator.join(items[:-1]), last=items[-1])
