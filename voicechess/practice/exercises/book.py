"""A file of games read like a book: a cursor in a game's tree of moves, what is told there, the ways through it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import chess
import chess.pgn

from voicechess.game.effects import Announcer
from voicechess.messages import Failure, Listing, Phrase, Side, Slot
from voicechess.practice.bookmarks import Place, followed, place_at, place_told, with_place
from voicechess.practice.effects import KeepPlaces, PracticeEffect
from voicechess.practice.exercises.analysed import AnalysedGame, AnalysisStep, line_through, opened_told, title_told
from voicechess.practice.exercises.annotations import comments_told, moved, signs_told, written
from voicechess.practice.exercises.drawings import drawings_told, drawn_at
from voicechess.score.tree import comment_said, read_tree

Effects = tuple[PracticeEffect, ...]

FIRST_TOLD = 5
"""Games named when a file with several is opened. Larger: a longer list to listen to."""

MOST_ALOUD = 10
"""Moves of one side read aloud at a time, about half a minute; "weiter" reads on. Larger: longer parts."""


class Book:
    """The cursor in one of the games.

    titles: the games' titles, "" if unnamed.
    opened: opens the game with this number, from 1; raises `Failure`.
    chosen: the number of the game; None: it is asked for.
    file: identifies the file in effects.
    places: its bookmarks, oldest first.
    """

    def __init__(
        self,
        titles: Sequence[str],
        opened: Callable[[int], AnalysedGame],
        speaker: Announcer,
        chosen: int | None = None,
        file: int = 0,
        places: Sequence[Place] = (),
    ) -> None:
        self.step = AnalysisStep.WAITING
        self._titles, self._opened, self._speaker = titles, opened, speaker
        self._number = chosen or (1 if len(titles) == 1 else 0)
        self._game = chess.pgn.Game()
        self._node: chess.pgn.GameNode = self._game
        self._board = chess.Board()
        self._played: set[chess.pgn.GameNode] = set()
        self._unread: list[tuple[Phrase, ...]] = []  # remaining parts of the comments here
        self._increment_ms = 0
        self._file, self._places = file, tuple(places)
        self._aloud: list[tuple[int, chess.pgn.GameNode]] = []  # what is being read aloud: number and move
        self._reads_on = False  # "weiter" goes on reading aloud
        self._redrawn: tuple[str, ...] | None = None  # what is drawn instead of what the file has here

    def _say(self, *phrases: Phrase) -> Effects:
        return self._speaker.say(*phrases)

    # --- opening -------------------------------------------------------------------------------------------------

    def _ask_number(self, *first: Phrase) -> Effects:
        self.step = AnalysisStep.CHOOSING
        numbered = tuple(
            Phrase("practice.numbered", {"number": number, "exercise": title_told(title)})
            for number, title in enumerate(self._titles[:FIRST_TOLD], 1)
        )
        slots: Mapping[str, Slot] = {"count": len(self._titles), "games": Listing(numbered, "")}
        return self._say(*first, Phrase("practice.analysis.which", slots))

    def _load(self) -> tuple[Phrase, ...]:
        """Load the chosen game; returns sentences about what was dropped or added. Raises `Failure`."""
        opened = self._opened(self._number)
        self._score = opened.score
        self._path = opened.path
        self._game, left_out = read_tree(opened.score, opened.text)
        self._game.headers["Result"] = opened.score.pgn_result
        control = opened.score.time
        self._increment_ms = 0 if control is None or control.untimed else control.period(chess.WHITE, 0).bonus_ms
        node: chess.pgn.GameNode = self._game
        self._played = {node}
        for _ in opened.score.entries:
            node = node.variations[0]
            self._played.add(node)
        self.step = AnalysisStep.LOOKING
        told = [*([Phrase("practice.analysis.kept")] if opened.kept else []), *opened.score.dropped]
        told += [Phrase("practice.analysis.left_out", {"count": left_out})] if left_out else []
        return tuple(told)

    # --- the cursor ----------------------------------------------------------------------------------------------

    def _go(self, node: chess.pgn.GameNode) -> Effects:
        """Move the cursor; what was drawn by voice vanishes."""
        self._node, self._board, self._unread, self._redrawn = node, node.board(), [], None
        return ()

    @property
    def _drawn(self) -> tuple[str, ...]:
        """The arrows and marked squares here (`drawings`)."""
        return drawn_at(self._node) if self._redrawn is None else self._redrawn

    def _here(self, jumped: bool = True) -> tuple[Phrase, ...]:
        """The move leading to the cursor, its comment and the variations here. `jumped`: with move number and side."""
        move = self._node.move
        if self._node.parent is None or move is None:
            return (Phrase("practice.analysis.start"), *self._comment_and_variations())
        before = self._board.copy(stack=1)
        before.pop()
        slots: dict[str, Slot] = {"number": before.fullmove_number, "move": moved(before, move)}
        if jumped:
            told = Phrase("practice.analysis.at", {**slots, "side": Side(before.turn)})
        else:
            told = Phrase("score.white" if before.turn == chess.WHITE else "score.black", slots)
        return (told, *signs_told(self._node), *self._comment_and_variations())

    def _comment_and_variations(self) -> tuple[Phrase, ...]:
        self._unread = comments_told(comment_said(self._node.starting_comment), written(self._node).words)
        told = [*drawings_told(self._drawn), *self._read_on()]
        others = self._node.variations[1:]
        if others:
            moves = Listing(tuple(self._said(node) for node in others))
            key = "variation_here" if len(others) == 1 else "variations_here"
            told.append(Phrase(f"practice.analysis.{key}", {"count": len(others), "moves": moves}))
        return tuple(told)

    def _read_on(self) -> tuple[Phrase, ...]:
        """The next part of the comments here, and whether there is more."""
        if not self._unread:
            return ()
        told, *self._unread = self._unread
        return (*told, Phrase("practice.analysis.comment_goes_on")) if self._unread else told

    def _said(self, node: chess.pgn.GameNode) -> Slot:
        """The move leading to `node`."""
        assert node.move is not None and node.parent is not None
        return moved(node.parent.board(), node.move)

    def _at_the_end(self, node: chess.pgn.GameNode) -> Phrase:
        if node not in self._played:
            return Phrase("practice.analysis.line_over")
        match self._game.headers["Result"]:
            case "1-0" | "0-1" as result:
                return Phrase("practice.analysis.game_won", {"side": Side(result == "1-0")})
            case "1/2-1/2":
                return Phrase("practice.analysis.game_drawn")
        return Phrase("practice.analysis.game_over")

    # --- the games of the file -----------------------------------------------------------------------------------

    def _has(self, number: int) -> bool:
        """Whether there is a game with this number; reads no more of a long file than needed."""
        try:
            return number >= 1 and self._titles[number - 1] is not None
        except IndexError:
            return False

    def _open_game(self, number: int) -> Effects:
        """Open another game of the file; the present one stays if that cannot be read."""
        before, self._number = self._number, number
        done = self._open()
        if self.step is AnalysisStep.CHOOSING:
            self._number = before
        return done

    def _open(self) -> Effects:
        """Open the game of the current number and tell about it, or ask for another."""
        raise NotImplementedError

    def _by_games(self, step: int) -> Effects:
        """Open the next or previous game."""
        if self._has(self._number + step):
            return self._open_game(self._number + step)
        return self._say(Phrase("practice.analysis.last_game" if step > 0 else "practice.analysis.first_game"))

    def _other_game(self, number: int | None) -> Effects:
        """Open the game with this number; None, or a number that no game has: ask for it."""
        if number is not None and self._has(number):
            return self._open_game(number)
        if not self._has(2):
            return self._say(Phrase("practice.analysis.only_game"))
        return self._ask_number()

    # --- bookmarks -----------------------------------------------------------------------------------------------

    def _keep_place(self) -> Effects:
        place = place_at(self._number, self._node)
        self._places = with_place(self._places, place)
        return self._store_places(Phrase("practice.analysis.place_kept", {"place": self._told(place)}))

    def _strike_place(self, number: int | None) -> Effects:
        """Delete a bookmark; None: the one here, otherwise the last."""
        if not self._places:
            return self._say(Phrase("practice.analysis.no_place"))
        here = place_at(self._number, self._node)
        if number is None:
            number = (self._places.index(here) if here in self._places else len(self._places) - 1) + 1
        if not 1 <= number <= len(self._places):
            return self._say(Phrase("practice.analysis.only_places", {"count": len(self._places)}))
        struck = self._places[number - 1]
        self._places = tuple(one for one in self._places if one != struck)
        return self._store_places(Phrase("practice.analysis.place_struck", {"place": self._told(struck)}))

    def _store_places(self, told: Phrase) -> Effects:
        return (KeepPlaces(self._places, told, self._file),)

    def _told(self, place: Place) -> Phrase:
        return place_told(place, self._titles)

    def _to_place(self, number: int | None) -> Effects:
        """Go to a bookmark, in another game as well; None: the one marked last."""
        if not self._places:
            return self._say(Phrase("practice.analysis.no_place"))
        number = number or len(self._places)
        if not 1 <= number <= len(self._places):
            return self._say(Phrase("practice.analysis.only_places", {"count": len(self._places)}))
        place, before = self._places[number - 1], self._number
        told: tuple[Phrase, ...] = ()
        if place.game != self._number or self.step is AnalysisStep.CHOOSING:
            if not self._has(place.game):
                return self._say(Phrase("practice.analysis.no_such_place"))
            self._number = place.game
            try:
                told = (opened_told(self._titles[place.game - 1]), *self._load())
            except Failure as failure:
                self._number = before
                return self._say(failure.phrase)
        node, whole = followed(self._game, place)
        return self._jump(node, *told, *(() if whole else (Phrase("practice.analysis.no_such_place"),)))

    # --- reading aloud -------------------------------------------------------------------------------------------

    def _read_aloud(self) -> Effects:
        """Read the moves to the next comment, sign or variation, at most `MOST_ALOUD`."""
        self._reads_on = True
        if self._unread:
            return self._say(*self._read_on())
        if not self._node.variations:
            return self._say(self._at_the_end(self._node))
        done: list[PracticeEffect] = []
        aloud: list[tuple[int, chess.pgn.GameNode]] = []
        while self._node.variations and len(aloud) < MOST_ALOUD:
            done += self._go(self._node.variations[0])
            told = self._here(jumped=False)
            if not self._node.variations:
                told = (*told, self._at_the_end(self._node))
            elif len(told) == 1 and len(aloud) == MOST_ALOUD - 1:
                told = (*told, Phrase("practice.analysis.comment_goes_on"))
            done += self._say(*told)
            aloud.append((self._speaker.last_number, self._node))
            if len(told) > 1:
                break
        self._aloud = aloud
        return tuple(done)

    def _heard_of(self, spoken: int, completed: bool) -> Effects:
        """A sentence has been said: what is read aloud has been heard to there, and no further if it was cut short."""
        if completed:
            self._aloud = [one for one in self._aloud if one[0] > spoken]
            return ()
        return self._left_off()

    def _left_off(self) -> Effects:
        """Move the cursor back to the move that is being said, if moves are being read aloud."""
        if not self._aloud:
            return ()
        (_, node), self._aloud = self._aloud[0], []
        return () if node is self._node else self._go(node)

    # --- navigation ----------------------------------------------------------------------------------------------

    def _jump(self, node: chess.pgn.GameNode, *first: Phrase) -> Effects:
        done = self._go(node)
        return (*done, *self._say(*first, *self._here()))

    def _step(self, node: chess.pgn.GameNode, *after: Phrase) -> Effects:
        done = self._go(node)
        return (*done, *self._say(*self._here(jumped=False), *after))

    def _forward(self) -> Effects:
        if not self._node.variations:
            return self._say(self._at_the_end(self._node))
        return self._step(self._node.variations[0])

    def _back(self) -> Effects:
        if self._node.parent is None:
            return self._say(Phrase("practice.analysis.no_way_back"))
        left = self._node not in self._played and self._node.parent in self._played
        return self._jump(self._node.parent, *((Phrase("practice.analysis.in_game"),) if left else ()))

    def _by_moves(self, count: int) -> Effects:
        """Move by `count` moves of both sides, backwards if negative, at most to either end of the line."""
        line = line_through(self._node)
        wanted = line.index(self._node) + 2 * count
        if (count > 0 and self._node is line[-1]) or (count < 0 and self._node is line[0]):
            return self._forward() if count > 0 else self._back()
        last = (self._at_the_end(line[-1]),) if wanted >= len(line) else ()
        return self._jump(line[min(max(wanted, 0), len(line) - 1)], *last)

    def _goto(self, number: int, colour: chess.Color | None) -> Effects:
        """Go to the position after the move with this number, of `colour` or, if None, White."""
        line, start = line_through(self._node), self._game.board()
        index = 2 * (number - start.fullmove_number) + (colour is chess.BLACK) + 1 - (start.turn == chess.BLACK)
        if colour is None and index == 0 and len(line) > 1:
            index = 1  # Black began
        if 1 <= index < len(line):
            return self._jump(line[index])
        if len(line) == 1:
            return self._say(Phrase("score.none"))
        last = start.fullmove_number + (len(line) - 2 + (start.turn == chess.BLACK)) // 2
        return self._say(Phrase("practice.analysis.no_move", {"first": start.fullmove_number, "last": last}))

    # --- variations ----------------------------------------------------------------------------------------------

    def _vary(self, number: int | None) -> Effects:
        """Enter the variation with this number, from 1; None: the only one there is."""
        others = self._node.variations[1:]
        if not others and self._node.parent is not None:  # the main move has just been made
            others = [node for node in self._node.parent.variations[1:] if node is not self._node]
        if number is None and len(others) > 1:
            numbered = tuple(
                Phrase("practice.analysis.numbered", {"number": place, "move": self._said(node)})
                for place, node in enumerate(others, 1)
            )
            return self._say(Phrase("practice.analysis.which_variation", {"moves": Listing(numbered, "")}))
        place = number or 1
        if not others:
            return self._say(Phrase("practice.analysis.no_variation"))
        if not 1 <= place <= len(others):
            return self._say(Phrase("practice.analysis.only_variations", {"count": len(others)}))
        return self._step(others[place - 1])

    def _leave_variation(self) -> Effects:
        """Go back to where the innermost variation begins."""
        node = self._node
        while node.parent is not None and node.parent.variations[0] is node:
            node = node.parent
        if node.parent is None:
            return self._to_game()
        return self._jump(node.parent)

    def _to_game(self) -> Effects:
        node = self._node
        while node not in self._played and node.parent is not None:
            node = node.parent
        if node is self._node:
            return self._say(Phrase("practice.analysis.is_game"))
        return self._jump(node, Phrase("practice.analysis.in_game"))
