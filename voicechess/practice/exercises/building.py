"""Setting up a position by voice, one or several pieces at a time, for an analysis, a game, or to be compared.

Every piece is repeated as understood; contradictions to the position and words not understood are told at once and left
out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from functools import partial

import chess

from voicechess.game import events as ev
from voicechess.game.commands import told_elsewhere
from voicechess.game.effects import VOICE_CHANGES, Announcer, Hush, Listen, ShowBoard, Sound
from voicechess.game.sight import Scene
from voicechess.language.placements import REST
from voicechess.language.thresholds import contenders
from voicechess.meaning import Command, Expectation, Meaning, QuestionKind, Unclear, UnclearReason
from voicechess.messages import Failure, Listing, Phrase, Piece, Side, Slot, Square, Text, Tone
from voicechess.practice.answers import (
    NamedPiece,
    Placement,
    colour_said,
    expected,
    piece_said,
    placements_said,
    square_said,
    yes_said,
)
from voicechess.practice.effects import PlayFrom, PracticeEffect
from voicechess.practice.exercises.analysed import QUERIES
from voicechess.practice.exercises.built_position import BuiltPosition, Wing, said, wings_told
from voicechess.practice.exercises.comparing import Comparison, Reference
from voicechess.practice.exercises.position_queries import PositionQueries
from voicechess.practice.menu import Exercise, scene_of
from voicechess.score.position import read_position

Effects = tuple[PracticeEffect, ...]

OWN = frozenset({"ready", "take_back", "correct", "repeat", "help", "stop", "end", "analyse", "new_game"})
OWN |= {"show_board", "hide_board", "compare", "resume", "next"}
CONTROLS = OWN | QUERIES | frozenset(VOICE_CHANGES)
LEADS_ON = frozenset({"analyse", "new_game", "machine", "person"})
"""Commands that finish the position like "fertig" and say what comes next."""

SLASHES = 7
"""Number of slashes by which a typed line is recognised as a FEN."""


class BuildingStep(Enum):
    """The open question, or what is in progress."""

    PLACING = "placing"
    CASTLING = "castling"  # asks for castling rights
    NEXT = "next"  # asks whether to analyse or play
    ENDING = "ending"  # asks whether to discard the position
    ANALYSING = "analysing"
    DONE = "done"


class Building:
    """The conversation. `analyse`: begins an analysis of a position. `against`: what it is compared with;
    `answers`: see `PositionQueries`."""

    def __init__(
        self,
        analyse: Callable[[chess.Board], Exercise],
        speaker: Announcer,
        against: Callable[[], Reference | None] = lambda: None,
        answers: str = "",
    ) -> None:
        self.step = BuildingStep.PLACING
        self._analyse, self._speaker = analyse, speaker
        self._queries = PositionQueries(speaker, answers)
        self._position = BuiltPosition()
        self._colour: chess.Color | None = None  # of the last piece, assumed for the next ones
        self._open: tuple[Placement, ...] = ()  # placements waiting for a colour
        self._half: NamedPiece | chess.Square | None = None  # a piece waiting for its square, or vice versa
        self._then = ""  # one of `LEADS_ON`, said before the question about castling
        self._last: tuple[Phrase, ...] = (said("explain"),)  # to be repeated on request
        self._helped = 0  # parts of the help told in a row
        self._comparison = Comparison(against)
        self._inner: Exercise | None = None

    @property
    def expectation(self) -> Expectation:
        """Placements and other changes of the position, and the answers to an open question."""
        if self._inner is not None:
            return self._inner.expectation
        questions = {
            BuildingStep.CASTLING: QuestionKind.YES_NO,
            BuildingStep.ENDING: QuestionKind.YES_NO,
            BuildingStep.NEXT: QuestionKind.OPPONENT,
        }
        asked = questions.get(self.step)
        always = (QuestionKind.SET_UP, QuestionKind.OPPONENT)
        if asked is None:
            return expected(CONTROLS, always[0], earlier=always[1:])
        return expected(CONTROLS, asked, earlier=tuple(one for one in always if one is not asked))

    @property
    def over(self) -> bool:
        """Whether it has ended and said so."""
        return self.step is BuildingStep.DONE or (self._inner is not None and self._inner.over)

    @property
    def busy(self) -> bool:
        """Whether the analysis is busy."""
        return self._inner is not None and self._inner.busy

    @property
    def scene(self) -> Scene:
        """What stands so far, or what spectators see of the analysis."""
        return scene_of(self._inner) or Scene(self._position.board)

    def handle(self, event: ev.Event) -> Effects:
        """Handle an event. Never raises."""
        if self._inner is not None:
            return self._inner.handle(event)
        match event:
            case ev.Started():
                return (*self._say(*self._last), Listen(self.expectation))
            case ev.Spoken(number=number, completed=True):
                self._queries.heard_whole(number)
                self._comparison.heard(number)
            case ev.Heard() if event.readings and not self.over:
                done = self._heard(event)
                return done if self.over or self._inner is not None else (*done, Listen(self.expectation))
        return ()

    def leave(self) -> Effects:
        """The effects needed before the analysis is abandoned."""
        return () if self._inner is None else self._inner.leave()

    def _say(self, *phrases: Phrase) -> Effects:
        return self._speaker.say(*phrases)

    def _tell(self, *phrases: Phrase) -> Effects:
        """Say sentences that are repeated on request."""
        self._last = phrases
        return self._say(*phrases)

    # --- hearing -------------------------------------------------------------------------------------------------

    def _heard(self, event: ev.Heard) -> Effects:
        if event.source is ev.Source.KEYBOARD and event.words.count("/") == SLASHES:
            return self._whole(event.words)
        heard = contenders(event.readings)
        for meaning in (heard.meanings or (heard.likeliest,)) if heard.sure else ():
            done = None if meaning is None else self._answered(meaning, event.at_ms)
            if done is not None:
                return done
        likeliest = heard.likeliest
        if isinstance(likeliest, Unclear) and likeliest.reason is UnclearReason.NOTHING:
            return (Sound(Tone.NOT_UNDERSTOOD, alone=True),)
        if isinstance(likeliest, Unclear) and likeliest.reason is UnclearReason.TOO_LONG:
            return self._say(Phrase("not_understood.too_long"))
        told = told_elsewhere(likeliest) if heard.sure else None
        words = (said("not_understood", {"words": Text(event.whole)}),) if event.whole else ()
        return self._say(*(words or (Phrase("practice.nothing_heard"),)), told or self._asked())

    def _asked(self) -> Phrase:
        """The open question in short."""
        match self.step:
            case BuildingStep.CASTLING | BuildingStep.ENDING:
                return Phrase("practice.yes_or_no")
            case BuildingStep.NEXT:
                return said("what_next")
        return said("for_example")

    def _answered(self, meaning: Meaning, at_ms: int) -> Effects | None:
        if self.step in (BuildingStep.CASTLING, BuildingStep.ENDING) and (yes := yes_said(meaning)) is not None:
            return self._ended(yes) if self.step is BuildingStep.ENDING else self._may_castle(yes, at_ms)
        if self.step is BuildingStep.NEXT and yes_said(meaning) is False:
            self._change()
            return self._tell(said("goes_on"))
        if placements := placements_said(meaning):
            assert isinstance(meaning, Command)
            return self._placed(placements, str(meaning.slot(REST) or ""))
        if (colour := colour_said(meaning)) is not None:
            return self._of_colour(colour)
        if (half := self._completed(meaning)) is not None:
            return half
        return self._command(meaning, at_ms) if isinstance(meaning, Command) else None

    def _command(self, command: Command, at_ms: int) -> Effects | None:
        name = command.name
        if name != "help":
            self._helped = 0
        if name in QUERIES:
            return self._query(command)
        if name in VOICE_CHANGES:
            return self._speaker.adjust_voice(name)
        if name in LEADS_ON:
            return self._finish(name, at_ms)
        colour = command.slot("colour")
        changes: Mapping[str, Callable[[], Effects]] = {
            "clear_board": lambda: self._whole_board(self._position.clear, "cleared"),
            "start_position": lambda: self._whole_board(self._position.start, "started"),
            "to_move": lambda: self._to_move(bool(colour)),
            "may_castle_short": partial(self._castling, colour, True),
            "may_castle_long": partial(self._castling, colour, False),
            "may_castle": partial(self._castling, colour, None),
            "no_castling": lambda: self._no_castling(*(chess.COLORS if colour is None else (bool(colour),))),
            **dict.fromkeys(("take_back", "correct"), self._undo),
            "repeat": lambda: self._say(*self._last),
            "compare": self._compare,
            **dict.fromkeys(("resume", "next"), self._go_on_comparing),
            "ready": lambda: self._finish("", at_ms),
            "help": self._help,
            **dict.fromkeys(("show_board", "hide_board"), lambda: (ShowBoard(name == "show_board"),)),
            "stop": self._speaker.stop,
            "end": self._end,
        }
        return changes[name]() if name in changes else None

    def _help(self) -> Effects:
        """How to place pieces; the following times the next part of the help."""
        parts = (
            (said("help_pieces"), Phrase("help.more")),
            (said("help_more"),),
            (said("help_questions"),),
            (said("help_compare"),),
        )
        self._helped += 1
        return self._say(*parts[(self._helped - 1) % len(parts)])

    def _query(self, command: Command) -> Effects:
        # The short description omits squares ("kurz rochiert"), which matter here.
        asked = Command("position_whole") if command.name == "position" else command
        return self._queries.answer(self._position.board.copy(), asked)

    # --- pieces --------------------------------------------------------------------------------------------------

    def _placed(self, placements: tuple[Placement, ...], rest: str = "") -> Effects:
        """Place pieces and empty squares. Asks for the colour first if none has been said yet. `rest`: words not
        understood."""
        first = next((one.piece for one in placements if one.piece is not None), None)
        left_out = (said("not_understood", {"words": Text(rest)}),) if rest else ()
        self._half = None
        if first is not None and first.colour is None and self._colour is None:
            self._open = placements
            return self._tell(said("which_colour"), *left_out)
        self._open = ()
        self._change()
        rights = self._position.rights
        put: dict[chess.Color, list[Slot]] = {chess.WHITE: [], chess.BLACK: []}
        emptied: list[Slot] = []
        wrong: list[Phrase] = []
        for one in placements:
            before = self._position.board.piece_at(one.square)
            if one.piece is None:
                if before is None:
                    wrong.append(Phrase("position.square_empty", {"square": Square(one.square)}))
                else:
                    self._position.remove(one.square)
                    emptied.append(_on(before, one.square))
                continue
            colour = one.piece.colour if one.piece.colour is not None else self._colour
            assert colour is not None, "said with the first piece or before"
            self._colour = colour
            fault = self._position.put(one.square, chess.Piece(one.piece.kind, colour))
            if fault is not None:
                wrong.append(fault)
                continue
            now = Phrase("practice.piece_on", {"piece": Piece(one.piece.kind), "square": Square(one.square)})
            if before not in (None, self._position.board.piece_at(one.square)):
                assert before is not None
                now = said("instead", {"now": now, "before": Piece(before.piece_type, before.color)})
            put[colour].append(now)
        told = [
            Phrase(key, {"pieces": Listing(tuple(put[colour]), "")})
            for colour, key in ((chess.WHITE, "practice.white_pieces"), (chess.BLACK, "practice.black_pieces"))
            if put[colour]
        ]
        told += [said("emptied", {"pieces": Listing(tuple(emptied), "")})] if emptied else []
        lost = (Phrase("fen.castling_dropped"),) if set(rights) - set(self._position.rights) else ()
        return self._tell(*told, *wrong, *lost, *left_out)

    def _of_colour(self, colour: chess.Color) -> Effects:
        """Set the colour of waiting placements, otherwise of the next pieces."""
        self._colour = colour
        if self._open:
            return self._placed(self._open)
        if isinstance(self._half, NamedPiece):
            self._half = NamedPiece(self._half.kind, colour)
            return self._tell(said("which_square"))
        self._change()
        return self._tell(said("colour", {"side": Side(colour)}))

    def _completed(self, meaning: Meaning) -> Effects | None:
        """Combine a piece and a square said one after the other; None if the meaning is neither."""
        piece, square = piece_said(meaning), square_said(meaning)
        if piece is not None and isinstance(self._half, int):
            return self._placed((Placement(self._half, piece),))
        if square is not None and isinstance(self._half, NamedPiece):
            return self._placed((Placement(square, self._half),))
        if piece is not None:
            self._change()
            self._half = piece
            return self._tell(said("which_square"))
        if square is not None:
            self._change()
            self._half = square
            return self._tell(said("which_piece", {"square": Square(square)}))
        return None

    def _whole(self, fen: str) -> Effects:
        """Take over a position typed as FEN, or compare with it after "compare"."""
        try:
            board, dropped = read_position(fen)
        except Failure as failure:
            return self._say(failure.phrase)
        except ValueError:
            return self._say(Phrase("cli.bad_fen", {"fen": Text(fen[:100])}))
        if self._comparison.awaits_fen:
            self._comparison.typed(board)
            told = self._compare()
            self._comparison.awaits_fen = False
            return (*self._say(*dropped), *told)
        self._change()
        self._position.take(board)
        return (*self._tell(said("taken"), *dropped), *self._query(Command("position")))

    # --- the rest of a position ----------------------------------------------------------------------------------

    def _change(self) -> None:
        """Return to placing pieces, dropping any open question."""
        self.step, self._then, self._open, self._half = BuildingStep.PLACING, "", (), None
        self._comparison.end()

    def _whole_board(self, change: Callable[[], None], key: str) -> Effects:
        self._change()
        change()
        self._colour = None
        return self._tell(said(key))

    def _to_move(self, colour: chess.Color) -> Effects:
        self._change()
        self._position.turn(colour)
        return self._tell(said("turn", {"side": Side(colour)}))

    def _castling(self, colour: object, short: bool | None) -> Effects:
        """Grant castling rights. `short` None: on both sides, as far as king and rooks are on their squares."""
        side = bool(colour)
        wings: tuple[Wing, ...] = ((side, True), (side, False)) if short is None else ((side, short),)
        if short is None:
            wings = tuple(wing for wing in wings if wing in self._position.possible) or wings
        wrong = self._position.castling(*wings)
        if wrong is not None:
            return self._tell(wrong)
        self._change()
        return self._tell(said("castling", {"sides": wings_told(self._position.rights)}))

    def _no_castling(self, *colours: chess.Color) -> Effects:
        self._change()
        self._position.no_castling(*colours)
        return self._tell(self._castling_told())

    def _castling_told(self) -> Phrase:
        rights = self._position.rights
        return said("castling", {"sides": wings_told(rights)}) if rights else said("nobody_castles")

    def _undo(self) -> Effects:
        if self._open or self._half is not None:
            self._change()
            return self._tell(said("dropped"))
        self._change()
        undone = self._position.undo()
        return self._tell(Phrase("practice.nothing_to_correct") if undone is None else said("undone", {"what": undone}))

    def _compare(self) -> Effects:
        """Tell where the position differs from the one that it is compared with."""
        self._change()
        told = self._tell(*self._comparison.begin(self._position.board))
        self._comparison.numbered(self._speaker.last_number)
        return told

    def _go_on_comparing(self) -> Effects:
        """Tell the next part of the differences."""
        told = self._tell(*(self._comparison.next_part() or (self._asked(),)))
        self._comparison.numbered(self._speaker.last_number)
        return told

    # --- the end -------------------------------------------------------------------------------------------------

    def _finish(self, then: str, at_ms: int) -> Effects:
        """Finish the position if it is valid; `then`: one of `LEADS_ON`, "" asks."""
        self._change()
        faults = self._position.faults()
        if faults:
            return self._tell(*faults)
        possible = self._position.possible
        if possible and not self._position.castling_said:
            self.step, self._then = BuildingStep.CASTLING, then
            return self._tell(said("ask_castling", {"sides": wings_told(possible)}))
        return self._go_on(then, at_ms)

    def _may_castle(self, yes: bool, at_ms: int) -> Effects:
        then = self._then
        if yes:
            self._position.castling(*self._position.possible)
        else:
            self._position.no_castling(*chess.COLORS)
        told = self._say(self._castling_told())
        return (*told, *self._finish(then, at_ms))

    def _go_on(self, then: str, at_ms: int) -> Effects:
        board = self._position.board.copy()
        if then == "analyse":
            self._inner = self._analyse(board)
            self.step = BuildingStep.ANALYSING
            return self._inner.handle(ev.Started(at_ms=at_ms))
        if then:
            self.step = BuildingStep.DONE
            people = None if then == "new_game" else then == "person"
            return (PlayFrom(board.fen(), people), *self._say(said("stands", {"side": Side(board.turn)})))
        self.step = BuildingStep.NEXT
        return self._tell(said("stands", {"side": Side(board.turn)}), said("what_next"))

    def _end(self) -> Effects:
        if self._position.empty and not self._position.changed:
            return self._ended(True)
        self.step = BuildingStep.ENDING
        return self._tell(said("really_end"))

    def _ended(self, yes: bool) -> Effects:
        if not yes:
            self.step = BuildingStep.PLACING
            return self._tell(said("goes_on"))
        self.step = BuildingStep.DONE
        return (Hush(), *self._say(said("goodbye")))


def _on(piece: chess.Piece, square: chess.Square) -> Phrase:
    return Phrase("practice.piece_on", {"piece": Piece(piece.piece_type, piece.color), "square": Square(square)})
