"""Bookmarks in a file of games, kept from one reading to the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import chess
import chess.pgn

from voicechess.messages import Listing, Phrase, Side, Slot, Text

MOST_PLACES = 50
"""Bookmarks of a file; a further one drops the oldest. Larger: a longer list to listen to."""


@dataclass(frozen=True, slots=True)
class Place:
    """A bookmark.

    game: number of the game in the file, from 1.
    moves: from the start position to there, as UCI; "0000": a pass.
    number, white: move number and side of the last of them; `number` 0: the start position.
    """

    game: int
    moves: tuple[str, ...] = ()
    number: int = 0
    white: bool = True


def place_of(game: object, moves: object, number: object, white: object) -> Place:
    """A bookmark from stored values. Raises TypeError or ValueError for any that never were one's."""
    if type(game) is not int or type(number) is not int or type(white) is not bool or not isinstance(moves, list):
        raise TypeError("not a bookmark")
    return Place(game, tuple(chess.Move.from_uci(uci).uci() for uci in moves), number, white)


def place_at(game: int, node: chess.pgn.GameNode) -> Place:
    """The bookmark of a position in a game's tree."""
    if node.parent is None or node.move is None:
        return Place(game)
    moves: list[str] = []
    at: chess.pgn.GameNode | None = node
    while at is not None and at.move is not None:
        moves.append(at.move.uci())
        at = at.parent
    before = node.parent.board()
    return Place(game, tuple(reversed(moves)), before.fullmove_number, before.turn == chess.WHITE)


def followed(game: chess.pgn.Game, place: Place) -> tuple[chess.pgn.GameNode, bool]:
    """The position of a bookmark, and whether all its moves are there; otherwise the last one that is."""
    node: chess.pgn.GameNode = game
    for uci in place.moves:
        move = chess.Move.from_uci(uci)
        if not node.has_variation(move):
            return node, False
        node = node.variation(move)
    return node, True


def with_place(places: Sequence[Place], place: Place) -> tuple[Place, ...]:
    """The bookmarks with this one as the last."""
    return (*(one for one in places if one != place), place)[-MOST_PLACES:]


def place_told(place: Place, titles: Sequence[str]) -> Phrase:
    """ "Zug zwölf, Weiß", with the players where there are several games."""
    key = "practice.analysis.place" if place.number else "practice.analysis.place_start"
    slots: dict[str, Slot] = {"number": place.number, "side": Side(place.white)} if place.number else {}
    told = Phrase(key, slots)
    if len(titles) < 2 or place.game > len(titles):
        return told
    title = titles[place.game - 1]
    named: Slot = Text(title) if title else Phrase("practice.analysis.game_number", {"number": place.game})
    return Phrase("practice.analysis.place_in", {"game": named, "place": told})


def places_told(places: Sequence[Place], titles: Sequence[str]) -> Phrase:
    """All bookmarks with their numbers, oldest first."""
    if not places:
        return Phrase("practice.analysis.no_place")
    numbered = tuple(
        Phrase("practice.numbered", {"number": number, "exercise": place_told(place, titles)})
        for number, place in enumerate(places, 1)
    )
    return Phrase("practice.analysis.places", {"places": Listing(numbered, "groups")})
