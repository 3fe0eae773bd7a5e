"""Dialogues as files: what is heard, and what must be said then, word for word.

Each file begins with "language exercise level seed"; "= line" behind it is a line of the player's file of puzzles, or
of the games that are analysed. "> words" is heard, "> words | other words" with a close second reading, ">> words" is
typed; "! resumed" ends the program and begins it again at the bookmark; "! engine 35 e7e5" is what the engine says of a
position that it was asked about, "! no engine" that it cannot; "! fetched" brings the puzzles in the "=" lines over the
network, "! not fetched" none; "fetches theme" is written where they are asked for. "! found" brings a broadcast and a
game to be followed, "! found nothing" none, "! not found" no answer; "! board 1 1. e4 e5 *" is how a game there stands,
"! link lost" and "! link back" tell of the connection. "! games" brings the games that are looked for, of those in the
"=" lines, "! no games" none; "! percent 40" is how far that has come. "! wait 1500" lets so many milliseconds pass.
--rewrite-dialogues writes what is said.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.drivers.exercising import Room, analysed, built, drilled, online, sought, watched
from voicechess.game.events import Event, Tick
from voicechess.messages import Phrase
from voicechess.practice.courses import EXERCISES
from voicechess.practice.effects import (
    Examine,
    Examined,
    ExaminingFailed,
    GamesFound,
    LiveFound,
    LiveGame,
    LiveLink,
    LiveOffer,
    PuzzlesFetched,
    RequestFailed,
    SearchedSoFar,
)

FOLDER = Path(__file__).parent / "dialogues"
FILES = sorted(FOLDER.glob("*.txt"))
RESUMED = "! resumed"
OTHER_MACHINES = {"analysis", "online", "live", "set_up", "find_games"}
"""What has a dialogue though it is not a series of tasks."""


def played(text: str) -> str:
    """The dialogue with what is said now."""
    heading, *lines = text.splitlines()
    language, key, level, seed = heading.split()
    file = [line[2:] for line in lines if line.startswith("= ")]
    room, said = begun(language, key, int(level), int(seed), file)
    written = [heading, *(f"= {line}" for line in file), *said]
    for line in lines:
        if line == RESUMED:
            room, said = resumed(room, language, key, int(level), file)
        elif line.startswith("! "):
            said = room.event(from_outside(room, line, file))
        elif line.startswith(">> "):
            said = room.type(line[3:])
        elif line.startswith("> "):
            said = room.hear(*(words.strip() for words in line[2:].split("|")), gap=0.4)
        else:
            continue
        written += ["", line, *said]
    return "\n".join(written) + "\n"


def asked_the_engine(room: Room) -> list[int]:
    """The numbers of what it was asked."""
    return [effect.number for effect in room.effects if isinstance(effect, Examine)]


OFFERS = (LiveOffer("round:r1", "Cup, Round 3"), LiveOffer("game:g1", "GM Robin", player=True))
PLAYERS = {"1": ("Ada", "Bo"), "2": ("Cem", "Dana"), "3": ("Eli", "Fay")}


def from_outside(room: Room, line: str, file: list[str]) -> Event:
    """What the engine or the network answers to what was asked last."""
    match line.split()[1:]:
        case ["no", "engine"]:
            return ExaminingFailed(at_ms=room.now, reason="missing", number=asked_the_engine(room)[-1])
        case ["engine", centipawns, best]:
            (*_, number) = asked_the_engine(room)
            return Examined(at_ms=room.now, index=0, centipawns=int(centipawns), best=best, number=number)
        case ["fetched"]:
            return PuzzlesFetched(at_ms=room.now, number=room.fetches[-1].number, lines=tuple(file))
        case ["not", "fetched"]:
            reason = Phrase("online.failed.network")
            return RequestFailed(at_ms=room.now, number=room.fetches[-1].number, reason=reason)
        case ["found"]:
            return LiveFound(at_ms=room.now, number=room.live, offers=OFFERS)
        case ["found", "nothing"]:
            return LiveFound(at_ms=room.now, number=room.live, offers=())
        case ["not", "found"]:
            return RequestFailed(at_ms=room.now, number=room.live, reason=Phrase("online.failed.network"))
        case ["games"]:
            assert room.archive is not None
            wanted, archive = room.searches[-1], room.archive
            games = archive.holding(wanted.position, wanted.among) if wanted.position else archive.games()
            return GamesFound(at_ms=room.now, number=wanted.number, games=games, told=archive.told)
        case ["no", "games"]:
            reason = Phrase("journal.unreadable", {"number": 1})
            return RequestFailed(at_ms=room.now, number=room.searches[-1].number, reason=reason)
        case ["percent", percent]:
            return SearchedSoFar(at_ms=room.now, number=room.searches[-1].number, percent=int(percent))
        case ["board", board, *moves]:
            pgn = f'[White "{PLAYERS[board][0]}"]\n[Black "{PLAYERS[board][1]}"]\n\n{" ".join(moves)}\n'
            title = " – ".join(PLAYERS[board])
            return LiveGame(at_ms=room.now, number=room.live, key=board, title=title, pgn=pgn)
        case ["link", how]:
            up = how == "back"
            return LiveLink(at_ms=room.now, number=room.live, up=up, reason="" if up else "network")
        case ["wait", ms]:
            room.now += int(ms)
            return Tick(at_ms=room.now)
    raise AssertionError(line)


def begun(language: str, key: str, level: int, seed: int, file: list[str]) -> tuple[Room, list[str]]:
    if key == "online":
        room = online(seed, language)
    elif key == "live":
        room = watched(language)
    elif key == "find_games":
        room = sought(file, language)
    elif key == "set_up":
        room = built(language)
    else:
        room = analysed(file, language)[0] if key == "analysis" else drilled(key, level, seed, language, lines=file)[0]
    return room, room.said


def resumed(before: Room, language: str, key: str, level: int, file: list[str]) -> tuple[Room, list[str]]:
    if key == "analysis":
        room, _ = analysed(file, language, before.kept, places=before.places)
    else:
        room, _ = drilled(key, level, 0, language, before.bookmark, lines=file)
    return room, room.said


def test_there_is_a_dialogue_of_every_exercise() -> None:
    exercises = {path.read_text("utf-8").split()[1] for path in FILES}
    assert exercises == {key for key, row in EXERCISES.items() if row.course is not None} | OTHER_MACHINES


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_dialogue(path: Path, request: pytest.FixtureRequest) -> None:
    text = path.read_text("utf-8")
    found = played(text)
    if request.config.getoption("--rewrite-dialogues"):
        path.write_text(found, "utf-8")
    else:
        assert found == text
