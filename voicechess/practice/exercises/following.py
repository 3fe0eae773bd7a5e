"""Following games in progress: an analysis whose games grow.

With the cursor at the last move, new moves are announced as they come. Away from it, or after "Pause", the player is
told once that there are new moves, and hears them on returning to the last move. No engine analyses a game in progress,
since that could help its players.
"""

from __future__ import annotations

import chess.pgn

from voicechess.game import events as ev
from voicechess.game.effects import VOICE_CHANGES, Announcer, Hush, Listen
from voicechess.game.elsewhere import place_of
from voicechess.language.thresholds import contenders
from voicechess.meaning import Command, Expectation, QuestionKind
from voicechess.messages import Failure, Listing, Phrase, Slot
from voicechess.practice.answers import expected
from voicechess.practice.effects import FollowLive, LiveGame, LiveLink, PracticeEffect, StopExamining
from voicechess.practice.exercises.analysed import CHOOSING, PLACES, AnalysedGame, AnalysisStep, title_told
from voicechess.practice.exercises.analysis import Analysis
from voicechess.practice.exercises.book import FIRST_TOLD
from voicechess.practice.exercises.consulting import CONSULTS
from voicechess.score.pgn import read_game
from voicechess.score.tree import read_tree

Effects = tuple[PracticeEffect, ...]

SETTLED_MS = 1_000
"""Milliseconds without a further game after which a round is taken to be complete. Larger: a later first question."""

PATIENCE_MS = 10_000
"""Interval in milliseconds of messages that no game has come yet. Larger: rarer."""

MOST_READ = 8
"""Number of new moves up to which all are read; of more only the last. Larger: longer to listen to."""

ENGINE = (
    frozenset({"evaluation", "evaluation_exact", "best_move", "best_line", "hint", "mistake", "standings"}) | CONSULTS
)
"""Commands refused while the game is in progress: they tell what an engine, collection, table or broadcast has."""

NOT_KEPT = frozenset({"comment", "strike_comment", "save"}) | PLACES
BOARDS = frozenset({"board", "next_board", "pause"})


class Following(Analysis):
    """The games reported with `number`, from the request on."""

    def __init__(self, number: int, speaker: Announcer, answers: str = "") -> None:
        self._keys: list[str] = []
        self._names: list[str] = []
        self._pgns: list[str] = []
        super().__init__(self._names, self._live, speaker, answers=answers)
        self._request = number
        self._tail: chess.pgn.GameNode = self._game  # the last move told or visited
        self._since_ms: int | None = None  # when the last game came, or the player was told that none has
        self._saying = 0  # number of the unfinished announcement of moves; 0: none
        self._paused = self._told_new = self._told_over = False
        self._told_unreadable = ""
        self._told_nothing = False

    @property
    def expectation(self) -> Expectation:
        """As in an analysis, plus the choice of boards; only commands to leave before a game is open."""
        if self.step is AnalysisStep.WAITING:
            return expected(CHOOSING, QuestionKind.WAITING)
        if self.step is AnalysisStep.CHOOSING:
            return expected(CHOOSING | {"board", "next_board"}, QuestionKind.NUMBER)
        found = super().expectation
        if self._inner is not None or found.commands is None:
            return found
        return Expectation(found.board, found.asked, found.commands | BOARDS, among_talk=found.among_talk)

    @property
    def busy(self) -> bool:
        """Whether the first game is awaited, or the engine is analysing a finished one."""
        return (self.step is AnalysisStep.WAITING and not self._told_nothing) or super().busy

    def handle(self, event: ev.Event) -> Effects:
        """Handle an event. Never raises."""
        if self.over:
            return ()
        match event:
            case LiveGame(number=self._request):
                return self._came(event)
            case LiveGame() | ev.Started():
                return ()
            case LiveLink(number=self._request, up=up, reason=reason):
                if reason == "gone" and not self._pgns:
                    self.step = AnalysisStep.DONE
                return self._say(Phrase("practice.live.back" if up else f"online.failed.{reason}"))
            case ev.Spoken(number=number) if number == self._saying:
                self._saying = 0
                return self._caught_up()
            case ev.Tick() if self.step is AnalysisStep.WAITING:
                return self._waited(event.at_ms)
            case ev.Heard() if self.step is AnalysisStep.WAITING:
                return self._heard_early(event)
        done = super().handle(event)
        return (*done, *self._caught_up()) if isinstance(event, ev.Heard) else done

    def leave(self) -> Effects:
        """Stop following."""
        return (FollowLive(""), *super().leave())

    # --- before a game is open -----------------------------------------------------------------------------------

    def _waited(self, at_ms: int) -> Effects:
        if self._since_ms is None:
            self._since_ms = at_ms
        if self._pgns and at_ms - self._since_ms >= SETTLED_MS:
            self._number = 1 if len(self._pgns) == 1 else 0
            return (*(self._open() if self._number else self._ask_number()), Listen(self.expectation))
        if not self._pgns and at_ms - self._since_ms >= PATIENCE_MS:
            self._since_ms, self._told_nothing = at_ms, True
            return self._say(Phrase("practice.live.nothing_yet"))
        return ()

    def _heard_early(self, event: ev.Heard) -> Effects:
        match contenders(event.readings).only:
            case Command("end" | "cancel"):
                return self._ended(True)
            case Command("stop"):
                return self._speaker.stop()
            case Command("help"):
                return self._say(Phrase("practice.live.nothing_yet"), Phrase("practice.help_also"))
            case Command(name) if name in VOICE_CHANGES:
                return self._speaker.adjust_voice(name)
        return self._say(Phrase("practice.live.nothing_yet"))

    def _ask_number(self, *first: Phrase) -> Effects:
        self.step = AnalysisStep.CHOOSING
        numbered = tuple(
            Phrase("practice.numbered", {"number": number, "exercise": title_told(title)})
            for number, title in enumerate(self._names[:FIRST_TOLD], 1)
        )
        slots: dict[str, Slot] = {"count": len(self._names), "games": Listing(numbered, "")}
        return self._say(*first, Phrase("practice.live.which", slots))

    def _live(self, number: int) -> AnalysedGame:
        text = self._pgns[number - 1]
        return AnalysedGame(read_game(text), text, "")

    def _open(self) -> Effects:
        try:
            told = self._load()
        except Failure as failure:
            return self._ask_number(failure.phrase)
        self._changes.clear()
        self._paused = self._told_new = self._told_over = False
        self._go(self._last)
        title: dict[str, Slot] = {"number": self._number, "title": title_told(self._names[self._number - 1])}
        opened = Phrase("practice.live.board" if len(self._names) > 1 else "practice.live.game", title)
        at = self._here() if self._node.parent is not None else (Phrase("practice.analysis.start"),)
        said = self._say(opened, *told, *at, *self._ending())
        self._saying = self._speaker.last_number
        return said

    # --- new moves -----------------------------------------------------------------------------------------------

    def _came(self, came: LiveGame) -> Effects:
        if came.key not in self._keys:
            self._keys.append(came.key)
            self._names.append(came.title)
            self._pgns.append(came.pgn)
            self._since_ms = came.at_ms
            return ()
        place = self._keys.index(came.key)
        before, self._pgns[place], self._names[place] = self._pgns[place], came.pgn, came.title
        if self.step in (AnalysisStep.WAITING, AnalysisStep.CHOOSING) or before == came.pgn:
            return ()
        if place + 1 != self._number:
            return self._other_over(place, before)
        try:
            corrected = self._grow(came.pgn)
        except Failure as failure:  # usually corrected soon
            if failure.key == self._told_unreadable:
                return ()
            self._told_unreadable = failure.key
            return self._say(failure.phrase)
        self._told_unreadable = ""
        if corrected is not None:
            return (*self._say(corrected), *self._caught_up())
        if self._follows or self._told_new or self._node is self._last:
            return self._caught_up()
        self._told_new = True
        return self._say(Phrase("practice.live.new_moves"))

    def _other_over(self, place: int, before: str) -> Effects:
        """Announce the result of a game on another board."""
        try:
            results = [read_game(text).pgn_result for text in (before, self._pgns[place])]
        except Failure:
            return ()
        if results[0] != "*" or results[1] == "*":
            return ()
        ended = Phrase("practice.live.ended", {"number": place + 1, "result": self._result(results[1])})
        return self._say(ended)

    @property
    def _follows(self) -> bool:
        return not self._paused and self._node is self._tail

    @property
    def _last(self) -> chess.pgn.GameNode:
        """The node of the last move played."""
        node: chess.pgn.GameNode = self._game
        while (following := self._played_after(node)) is not None:
            node = following
        return node

    def _played_after(self, node: chess.pgn.GameNode) -> chess.pgn.GameNode | None:
        return next((one for one in node.variations if one in self._played), None)

    def _grow(self, text: str) -> Phrase | None:
        """Update the tree to the moves of `text`, keeping moves tried; returns a sentence if moves were corrected.

        Raises `Failure` if `text` is invalid.
        """
        score = read_game(text)
        game, _ = read_tree(score, text)
        self._score = score
        self._game.headers["Result"] = score.pgn_result
        mine: chess.pgn.GameNode = self._game
        theirs: chess.pgn.GameNode = game
        struck: set[chess.pgn.GameNode] = set()
        while theirs.variations:
            theirs = theirs.variations[0]
            assert theirs.move is not None
            before = self._played_after(mine)
            if before is not None and before.move != theirs.move:
                struck |= self._strike(before)
            following = mine.variation(theirs.move) if mine.has_variation(theirs.move) else None
            if following is None or following not in self._played:
                following = following or mine.add_variation(theirs.move)
                mine.promote_to_main(following)
                self._played.add(following)
            following.comment, following.nags = theirs.comment or following.comment, theirs.nags or following.nags
            mine = following
        if (before := self._played_after(mine)) is not None:
            struck |= self._strike(before)
        if not struck:
            return None
        if self._tail in struck:
            self._tail = self._common(self._tail)
        if self._node in struck:
            self._go(self._common(self._node))
        return Phrase("practice.live.corrected")

    def _strike(self, first: chess.pgn.GameNode) -> set[chess.pgn.GameNode]:
        """Unmark this move and those after it as played; returns their nodes."""
        struck = set()
        node: chess.pgn.GameNode | None = first
        while node is not None:
            struck.add(node)
            node = self._played_after(node)
        self._played -= struck
        return struck

    def _common(self, node: chess.pgn.GameNode) -> chess.pgn.GameNode:
        while node not in self._played and node.parent is not None:
            node = node.parent
        return node

    def _caught_up(self) -> Effects:
        """Announce new moves if the cursor is at the last one told and no announcement is in progress."""
        if self.step is not AnalysisStep.LOOKING or self._inner is not None or self._saying or not self._follows:
            return ()
        new: list[chess.pgn.GameNode] = []
        while (following := self._played_after(new[-1] if new else self._tail)) is not None:
            new.append(following)
        done: list[PracticeEffect] = []
        told: list[Phrase] = []
        if len(new) > MOST_READ:
            done += self._go(new[-1])
            told += [Phrase("practice.live.skipped", {"count": len(new) - 1}), *self._here()]
        else:
            for node in new:
                done += self._go(node)
                told += self._here(jumped=False)
        told += self._ending()
        if not told:
            return ()
        done += self._say(*told)
        self._saying = self._speaker.last_number
        return (*done, Listen(self.expectation))

    def _go(self, node: chess.pgn.GameNode) -> Effects:
        done = super()._go(node)
        if node is self._last:
            self._tail, self._told_new = node, False
        return done

    # --- the end -------------------------------------------------------------------------------------------------

    @property
    def _lasts(self) -> bool:
        return self._game.headers["Result"] == "*"

    def _ending(self) -> tuple[Phrase, ...]:
        """The result, told once."""
        if self._lasts or self._told_over or self._node is not self._last:
            return ()
        self._told_over = True
        return (self._at_the_end(self._node),)

    def _at_the_end(self, node: chess.pgn.GameNode) -> Phrase:
        if node in self._played and self._lasts:
            return Phrase("practice.live.no_move_yet")
        return super()._at_the_end(node)

    def _result(self, result: str) -> Phrase:
        return Phrase("practice.live.drawn") if result == "1/2-1/2" else Phrase(f"practice.live.won_{result[0]}")

    def _end(self) -> Effects:
        """Go to the last move; from there, ask whether to stop following."""
        if self.step is AnalysisStep.LOOKING and self._node is not self._last:
            self._paused = False
            done = self._jump(self._last)
            return (*done, *self._say(*self._ending()))
        self.step = AnalysisStep.ENDING
        return self._say(Phrase("practice.live.really_end"))

    def _ended(self, yes: bool) -> Effects:
        if not yes:
            return super()._ended(yes)
        self.step = AnalysisStep.DONE
        return (FollowLive(""), StopExamining(), Hush(), *self._say(Phrase("practice.live.goodbye")))

    # --- hearing -------------------------------------------------------------------------------------------------

    def _chosen(self, event: ev.Heard) -> Effects:
        match contenders(event.readings).only:
            case Command("board" | "next_board") as command:
                return self._command(command)
            case Command("help"):
                return self._next_part(Phrase("practice.live.help_which"), Phrase("practice.help_also"))
            case Command(name) if name in PLACES:
                return self._say(Phrase(place_of(name)))
        return super()._chosen(event)

    def _command(self, command: Command) -> Effects:
        name = command.name
        if name in ENGINE and self._lasts:
            return self._say(Phrase("practice.live.no_engine"))
        if name in NOT_KEPT:
            return self._say(Phrase("practice.live.not_kept"))
        match name:
            case "board" | "game" | "next_board" | "next_game":
                number = command.slot("number")
                count = len(self._names)
                wanted = int(number) if number is not None else self._number % count + 1
                if not 1 <= wanted <= count:  # "game" always has its number
                    return self._say(Phrase("practice.live.no_board", {"count": count}))
                self._number = wanted
                return self._open()
            case "pause":
                self._paused = True
                return self._say(Phrase("practice.live.paused"))
            case "resume" | "read_on" if self._paused:
                self._paused = False
                new = self._node is self._tail and self._node is not self._last
                return () if new else self._say(Phrase("practice.live.goes_on"))
            case "help":
                return self._next_part(
                    Phrase("practice.live.help"),
                    Phrase("practice.analysis.help_ways"),
                    Phrase("practice.live.help_also"),
                    Phrase("practice.analysis.help_board"),
                    Phrase("practice.help_also"),
                )
        return super()._command(command)

    def _keep(self, told: Phrase | None = None) -> Effects:
        """Store nothing: the game is in progress."""
        return ()
