"""Two people at one microphone, who speak with a voice made from a person's and not with espeak-ng's formants."""

from __future__ import annotations

from pathlib import Path

import chess
import pytest

pytest.importorskip("ttspico", reason="needs the extra natural")

from models.bench import natural
from tests.drivers.blind_player import BlindPlayer, score_kept
from tests.drivers.virtual_sound import VirtualSound, until
from voicechess.storage.places import settings_path

GAME = (
    ("Bauer Felix drei", "f2f3"),
    ("Eva sieben Eva fünf", "e7e5"),
    ("Gustav vier", "g2g4"),
    ("Dame Hektor vier matt", "d8h4"),
)
VOICES = ("de-DE", "czech_machac")
"""One that the starter model was trained on, and one that it has never heard."""
MOST_TRIES = 3
MADE_S = 5.0
"""A move is made when it has been repeated, not when its repetition has been heard."""


@pytest.mark.sound
@pytest.mark.parametrize("voice", VOICES)
def test_a_game_to_mate(virtual_sound: VirtualSound, model_path: Path, voice: str) -> None:
    if not natural.available(voice):
        pytest.skip(f"the voice {voice} is not installed")
    settings_path().parent.mkdir(parents=True, exist_ok=True)
    settings_path().write_text("[voice]\nrate = 210\n", "utf-8")
    again, people = 0, ("play", "--opponent", "person", "--time", "60+10")
    with BlindPlayer(virtual_sound, model_path, *people, natural=voice) as player:
        player.listen(0, lambda: any("beginnt" in line for line in player.lines))
        board = chess.Board()
        for words, uci in GAME:
            move = chess.Move.from_uci(uci)
            board.push(move)
            while not said_and_played(player, words, move):
                again += 1
                assert again <= MOST_TRIES, player.lines[-8:]
            assert moves_played() == board.move_stack, player.lines[-6:]
        player.listen(0, lambda: any("gewinnt" in line for line in player.lines))
        player.leave("oder Ende?")
    print(f"{again} announcements were made again")


def said_and_played(player: BlindPlayer, words: str, move: chess.Move) -> bool:
    """Announce a move, say yes if asked whether that is meant; whether it stands in the journal then."""
    before = len(player.lines)
    player.listen(player.say(words), lambda: len(player.lines) > before)
    if any("Meinten Sie" in line for line in player.lines[before:]):
        player.listen(player.say("ja"))
    try:
        until(lambda: moves_played()[-1:] == [move], MADE_S)
    except TimeoutError:
        return False
    return True


def moves_played() -> list[chess.Move]:
    """What is in the journal of the only game."""
    return [entry.move for entry in score_kept().entries]
