"""Analysing a game by voice: navigation, variations, engine evaluation, moves tried, comments.

The game is a tree of moves with a cursor. An announced move moves the cursor if it is in the tree already; any other
begins a variation, which "Korrektur" removes again. Every change is stored at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import chess
import chess.pgn

from voicechess.game import events as ev
from voicechess.game.effects import (
    VOICE_CHANGES,
    Announcer,
    Hush,
    Listen,
    ShowBoard,
    ShowText,
    Sound,
    UseBoardKeys,
)
from voicechess.game.elsewhere import place_of
from voicechess.game.sight import Scene
from voicechess.language.thresholds import contenders
from voicechess.meaning import (
    Answer,
    AnswerKind,
    Command,
    Expectation,
    Question,
    QuestionKind,
    UnclearReason,
)
from voicechess.messages import Failure, Listing, Phrase, Text, Tone
from voicechess.moves.decisions import Act, Ask, AskPromotion, Complete, NotUnderstood, Play, Refuse, Reply
from voicechess.moves.matching import decide
from voicechess.moves.saying import said_move
from voicechess.practice.answers import expected, number_said
from voicechess.practice.bookmarks import Place, places_told
from voicechess.practice.effects import (
    Examined,
    ExaminingFailed,
    KeepAnalysis,
    PlayFrom,
    PracticeEffect,
    StopExamining,
)
from voicechess.practice.exercises.analysed import (
    CHOOSING,
    CHOOSING_GAME,
    CONTROLS,
    FITTING,
    QUERIES,
    WAYS,
    AnalysedGame,
    AnalysisStep,
    Change,
    line_through,
    opened_told,
)
from voicechess.practice.exercises.annotations import (
    costs_told,
    moved,
    since_passing,
    times_told,
    written,
)
from voicechess.practice.exercises.book import Book
from voicechess.practice.exercises.consulting import CONSULTS, Consulted, consulted
from voicechess.practice.exercises.drawings import DRAWS, drawing_told, drawings_told, drawn_with
from voicechess.practice.exercises.engine_view import EngineView
from voicechess.practice.exercises.position_queries import PositionQueries
from voicechess.practice.exercises.review import Review, worth_told
from voicechess.practice.menu import Exercise, scene_of
from voicechess.score.pgn import in_comment, write_game
from voicechess.score.score import UNKNOWN_TAG

# --- The conversation ---

Effects = tuple[PracticeEffect, ...]


class Analysis(Book):
    """The conversation about the games of a file.

    titles, opened, chosen, file, places: see `Book`.
    search: begins a search for games at the current position; None: not available.
    library: a collection of games and endgame tables; None: not available.
    build: begins setting up a position, to be compared with this one; None: not available.
    first: a command obeyed at the end of the game once it is open.
    answers: see `PositionQueries`.
    """

    def __init__(
        self,
        titles: Sequence[str],
        opened: Callable[[int], AnalysedGame],
        speaker: Announcer,
        chosen: int | None = None,
        *,
        file: int = 0,
        search: Callable[[Command, chess.Board], Exercise] | None = None,
        library: Consulted | None = None,
        build: Callable[[chess.Board], Exercise] | None = None,
        first: Command | None = None,
        places: Sequence[Place] = (),
        answers: str = "",
    ) -> None:
        super().__init__(titles, opened, speaker, chosen, file, places)
        self._search, self._library, self._build, self._first = search, library, build, first
        self._changes: list[Change] = []
        self._changed = False
        self._engine = EngineView(speaker)
        self._queries = PositionQueries(speaker, answers)
        self._inner: Exercise | None = None  # a review, a search or a position set up that has the floor
        self._told_of_file: chess.pgn.GameNode | None = None  # the node whose evaluation in the file was told last
        self._helped = 0  # parts of the help told in a row
        self._explained = False

    @property
    def expectation(self) -> Expectation:
        """The expectation of the current step: a number, a comment, yes or no, or moves and commands at the cursor."""
        if self._inner is not None:
            return self._inner.expectation
        match self.step:
            case AnalysisStep.CHOOSING:
                return Expectation(asked=Question(QuestionKind.NUMBER), commands=CHOOSING_GAME)
            case AnalysisStep.COMMENTING:
                return Expectation(asked=Question(QuestionKind.WAITING), commands=CHOOSING | {"correct"})
            case AnalysisStep.ENDING:
                return expected(CONTROLS, QuestionKind.YES_NO)
        unasked = CONSULTS if self._library is None else frozenset()
        unasked |= {name for name, do in (("find_games", self._search), ("set_up", self._build)) if do is None}
        commands = CONTROLS - unasked
        return expected(commands, None, self._board.copy())

    @property
    def busy(self) -> bool:
        """Whether the engine is analysing."""
        return self._engine.busy or (self._inner is not None and self._inner.busy)

    @property
    def over(self) -> bool:
        """Whether it has ended and said so."""
        return self.step is AnalysisStep.DONE

    @property
    def scene(self) -> Scene | None:
        """The position at the cursor and what is drawn there, once a game is open."""
        if self.step in (AnalysisStep.WAITING, AnalysisStep.CHOOSING):
            return None
        inner = scene_of(self._inner)
        if inner is not None:
            return inner
        here = self.step is AnalysisStep.LOOKING and self._inner is None
        white, black = ("" if name == UNKNOWN_TAG else name for name in (self._score.white, self._score.black))
        return Scene(self._board, (white, black), self._drawn, here)

    def handle(self, event: ev.Event) -> Effects:
        """Handle an event. Never raises."""
        if self._inner is not None:
            return self._passed_on(self._inner, event)
        match event:
            case ev.Started() if self.step is AnalysisStep.WAITING:
                kept = (Phrase("practice.analysis.has_places"),) if self._places else ()
                return (*(self._open() if self._number else self._ask_number(*kept)), Listen(self.expectation))
            case Examined() | ExaminingFailed():
                return self._engine.answered(event)
            case ev.Spoken(number=number):
                if event.completed:
                    self._queries.heard_whole(number)
                return self._heard_of(number, event.completed)
            case ev.Heard() if event.readings and not self.over:
                done = (*self._left_off(), *self._heard(event))
                return done if self.over or self._inner is not None else (*done, Listen(self.expectation))
        return ()

    def leave(self) -> Effects:
        """Stop the engine; all changes have been stored."""
        return (StopExamining(), *(() if self._inner is None else self._inner.leave()))

    # --- opening -------------------------------------------------------------------------------------------------

    def _load(self) -> tuple[Phrase, ...]:
        told = super()._load()
        self._changes.clear()
        return told

    def _open(self) -> Effects:
        try:
            told = self._load()
        except Failure as failure:  # another game of the file may be readable
            return self._ask_number(failure.phrase)
        self._go(self._game)
        title = opened_told(self._titles[self._number - 1])
        if self._first is not None:
            self._go(line_through(self._game)[-1])
            return (*self._say(title, *told), *self._command(self._first))
        places = (Phrase("practice.analysis.has_places"),) if self._places else ()
        explain = () if self._explained else (Phrase("practice.analysis.explain"), *places)
        self._explained = True
        return self._say(title, *told, *self._comment_and_variations(), *explain)

    def _to_place(self, number: int | None) -> Effects:
        self._explained |= bool(self._places)  # who goes to a bookmark has been here before
        return super()._to_place(number)

    # --- the cursor ----------------------------------------------------------------------------------------------

    def _go(self, node: chess.pgn.GameNode) -> Effects:
        """Move the cursor, and cancel the engine's analysis of the previous position. What was drawn there is gone, and
        cannot be undone any more."""
        self._changes = [change for change in self._changes if change.drawn is None]
        super()._go(node)
        return self._engine.forget()

    # --- hearing -------------------------------------------------------------------------------------------------

    def _heard(self, event: ev.Heard) -> Effects:
        typed = event.source is ev.Source.KEYBOARD
        if self.step is AnalysisStep.CHOOSING:
            return self._chosen(event)
        if self.step is AnalysisStep.COMMENTING:
            return self._commented(event, typed)
        decision = decide(self._board, event.readings, typed=typed)
        ending = self.step is AnalysisStep.ENDING
        if ending and not isinstance(decision, NotUnderstood):
            self.step = AnalysisStep.LOOKING  # anything but yes continues
        match decision:
            case Reply(Answer(kind=kind)) if ending:
                return self._ended(kind is AnswerKind.YES)
            case Act(command):
                return self._command(command)
            case Play(move):
                return self._tried(move)
            case Refuse(refusal):
                return self._say(refusal.phrase)
            case Ask(moves=(_,), doubt=doubt) if doubt is not None:
                return self._say(doubt.phrase)
            case Ask(moves=moves):
                named = Listing(tuple(said_move(self._board, move) for move in moves), "or")
                return self._say(Phrase("practice.analysis.which_move", {"moves": named}))
            case AskPromotion():
                return self._say(Phrase("practice.analysis.promotion"))
            case Complete():
                return self._say(Phrase("practice.mates.incomplete"))
            case NotUnderstood(UnclearReason.NOTHING):
                return (Sound(Tone.NOT_UNDERSTOOD, alone=True),)
            case NotUnderstood(reason, text) if text or reason.answered:
                return self._say(decision.phrase)
        if ending:
            return self._say(Phrase("practice.nothing_heard"), Phrase("practice.yes_or_no"))
        fitting = Listing(tuple(Text(one.words) for one in event.perhaps) or FITTING, "")
        return self._say(Phrase("practice.nothing_heard"), Phrase("not_understood.here", {"things": fitting}))

    def _chosen(self, event: ev.Heard) -> Effects:
        for meaning in contenders(event.readings).meanings:
            number = number_said(meaning)
            if number is not None and self._has(number):
                return self._open_game(number)
            match meaning:
                case Command("game") if (wanted := meaning.slot("number")) is not None and self._has(int(wanted)):
                    return self._open_game(int(wanted))
                case Command("to_place"):
                    wanted = meaning.slot("number")
                    return self._to_place(None if wanted is None else int(wanted))
                case Command("places"):
                    return self._say(places_told(self._places, self._titles))
                case Command("take_back" | "cancel") if self._number:  # a game is open
                    self.step = AnalysisStep.LOOKING
                    return self._say(Phrase("practice.analysis.again"), self._here()[0])
                case Command("stop"):
                    return self._speaker.stop()
                case Command("end"):
                    return self._ended(True)
                case Command(name) if name in VOICE_CHANGES:
                    return self._speaker.adjust_voice(name)
                case Command("help"):
                    return self._ask_number(Phrase("practice.analysis.help_choosing"))
                case Command("repeat"):
                    return self._ask_number()
        return self._ask_number(Phrase("practice.nothing_heard"))

    def _command(self, command: Command) -> Effects:
        name = command.name
        if name != "help":
            self._helped = 0
        if name in QUERIES:
            return self._queries.answer(since_passing(self._board), command)
        if name in WAYS:
            self._reads_on = False
        if name in VOICE_CHANGES:
            return self._speaker.adjust_voice(name)
        if name in DRAWS:
            return self._draw(command)
        simple: Mapping[str, Callable[[], Effects]] = {
            "stop": lambda: (*self._engine.forget(), *self._speaker.stop()),
            "end": self._end,
            "help": self._help,
            "repeat": lambda: self._say(*self._here()),
            **dict.fromkeys(("forward", "next"), self._forward),
            "resume": self._resume,
            "read_on": self._read_aloud,
            "keep_place": self._keep_place,
            "places": lambda: self._say(places_told(self._places, self._titles)),
            "next_game": lambda: self._by_games(1),
            "previous_game": lambda: self._by_games(-1),
            "other_game": lambda: self._other_game(None),
            "time": lambda: self._say(*times_told(self._node)),
            "move_times": lambda: self._say(*costs_told(line_through(self._node), self._increment_ms)),
            "mistake": self._look_for_mistakes,
            **dict.fromkeys(CONSULTS, lambda: self._consult(name)),
            "find_games": lambda: self._look_for_games(command),
            "set_up": self._set_up,
            "hint": lambda: self._engine.ask(self._board, "best_move"),
            "take_back": self._back,
            "beginning": lambda: self._jump(self._game),
            "leave_variation": self._leave_variation,
            "to_game": self._to_game,
            "correct": self._undo,
            "comment": self._ask_comment,
            "strike_comment": lambda: self._comment("", "comment_struck"),
            "show_game": self._show,
            "board_keys": lambda: (UseBoardKeys(),),
            "save": lambda: self._keep(self._kept()),
            **dict.fromkeys(("show_board", "hide_board"), lambda: (ShowBoard(name == "show_board"),)),
            "standings": lambda: self._evaluate("evaluation"),
            **dict.fromkeys(("evaluation", "evaluation_exact"), lambda: self._evaluate(name)),
            **dict.fromkeys(("best_move", "best_line"), lambda: self._engine.ask(self._board, name)),
        }
        if name in simple:
            return simple[name]()
        number, colour = command.slot("number"), command.slot("colour")
        numbered: Mapping[str, Callable[[int | None], Effects]] = {
            "variation": self._vary,
            "to_place": self._to_place,
            "strike_place": self._strike_place,
            "game": self._other_game,
        }
        if name in numbered:
            return numbered[name](None if number is None else int(number))
        if name in ("forward_moves", "back_moves") and number is not None:
            return self._by_moves(int(number) if name == "forward_moves" else -int(number))
        if name in ("goto", "retrace") and number is not None:
            return self._goto(int(number), None if colour is None else bool(colour))
        return self._say(Phrase(place_of(name)))

    def _resume(self) -> Effects:
        """Go on with what was being done: a comment, reading aloud, the next move."""
        if self._reads_on:
            return self._read_aloud()
        return self._say(*self._read_on()) if self._unread else self._forward()

    def _help(self) -> Effects:
        parts = ("ways", "book", "engine", "writing", "board")
        return self._next_part(*(Phrase(f"practice.analysis.help_{part}") for part in parts))

    def _next_part(self, *parts: Phrase) -> Effects:
        """The next part of the help each time; all of it would take half a minute."""
        at, self._helped = self._helped % len(parts), self._helped + 1
        return self._say(parts[at], *(() if at else (Phrase("help.more"),)))

    # --- navigation ----------------------------------------------------------------------------------------------

    def _end(self) -> Effects:
        """Go to the end of the line; from there, ask whether to leave the analysis."""
        if self.step is AnalysisStep.LOOKING and self._node.variations:
            last = line_through(self._node)[-1]
            return self._jump(last, self._at_the_end(last))
        self.step = AnalysisStep.ENDING
        return self._say(Phrase("practice.analysis.really_end"))

    def _ended(self, yes: bool) -> Effects:
        if not yes:
            self.step = AnalysisStep.LOOKING
            return self._say(Phrase("practice.analysis.goes_on"))
        self.step = AnalysisStep.DONE
        told = self._keep(self._kept()) if self._changed else ()
        return (StopExamining(), Hush(), *self._say(Phrase("practice.analysis.goodbye")), *told)

    # --- variations ----------------------------------------------------------------------------------------------

    def _tried(self, move: chess.Move) -> Effects:
        if self._node.has_variation(move):
            return self._step(self._node.variation(move))
        begins = self._node in self._played or bool(self._node.variations)
        node = self._node.add_variation(move)
        self._changes.append(Change(node))
        new = (Phrase("practice.analysis.new_variation"),) if begins else ()
        return (*self._keep(), *self._step(node, *new))

    def _undo(self) -> Effects:
        """Undo the last change; each further "Korrektur" undoes the one before."""
        if not self._changes:
            return self._say(Phrase("practice.nothing_to_correct"))
        change = self._changes.pop()
        node, above = change.node, change.node.parent
        if change.drawn is not None:
            self._redrawn = change.drawn
            return self._say(Phrase("practice.analysis.drawing_undone"), *drawings_told(self._drawn))
        if change.comment is not None:
            node.comment = change.comment
            return (*self._keep(), *self._say(Phrase("practice.analysis.comment_undone")))
        assert above is not None and node.move is not None
        inside: chess.pgn.GameNode | None = self._node
        while inside is not None and inside is not node:
            inside = inside.parent
        above.remove_variation(node.move)
        struck = Phrase("practice.analysis.struck", {"move": moved(above.board(), node.move)})
        kept = self._keep()
        if inside is None:
            return (*kept, *self._say(struck))
        return (*kept, *self._jump(above, struck))

    # --- comments and storage ------------------------------------------------------------------------------------

    def _ask_comment(self) -> Effects:
        self.step = AnalysisStep.COMMENTING
        return self._say(Phrase("practice.analysis.type_comment"))

    def _commented(self, event: ev.Heard, typed: bool) -> Effects:
        said = contenders(event.readings).likeliest
        if isinstance(said, Command) and said.name in ("cancel", "correct", "end"):
            self.step = AnalysisStep.LOOKING
            return self._say(Phrase("practice.analysis.no_comment"))
        if isinstance(said, Command) and said.name == "stop":
            return self._speaker.stop()
        asks = isinstance(said, Command) and said.name in ("help", "repeat")
        text = "" if asks else in_comment(event.words)
        if not typed or not text:
            return self._say(Phrase("practice.analysis.type_comment"))
        self.step = AnalysisStep.LOOKING
        return self._comment(f"{self._node.comment} {text}".strip(), "comment_kept")

    def _comment(self, text: str, key: str) -> Effects:
        self._changes.append(Change(self._node, self._node.comment))
        self._node.comment = text
        return (*self._keep(), *self._say(Phrase(f"practice.analysis.{key}")))

    def _draw(self, command: Command) -> Effects:
        """Draw an arrow or mark a square for sighted spectators, or remove all of it."""
        before = self._drawn
        self._redrawn = drawn_with(before, command)
        if self._redrawn != before:
            self._changes.append(Change(self._node, drawn=before))
        return self._say(drawing_told(before, command))

    def _keep(self, told: Phrase | None = None) -> Effects:
        self._changed = True
        return (KeepAnalysis(self._number, write_game(self._score, self._game), told, self._file),)

    def _kept(self) -> Phrase:
        return Phrase("practice.analysis.saved", {"path": Text(self._path)})

    def _show(self) -> Effects:
        lines = write_game(self._score, self._game).rstrip().split("\n")
        return (ShowText(tuple(lines)), *self._say(Phrase("show.game")))

    # --- evaluations of the file and of the engine ---------------------------------------------------------------

    def _evaluate(self, command: str) -> Effects:
        """Tell the file's evaluation of the position; the engine's if it has none or was told just before."""
        known = written(self._node).white
        if known is None or self._told_of_file is self._node:
            return self._engine.ask(self._board, command)
        self._told_of_file = self._node
        worth = worth_told(self._board, known if self._board.turn else -known, command == "evaluation_exact")
        return self._say(Phrase("practice.analysis.of_file", {"worth": worth}))

    def _look_for_mistakes(self) -> Effects:
        """Review the game as played, inside the analysis."""
        moves = [made.move for made in self._score.entries]
        if not moves:
            return self._say(Phrase("practice.review.no_game"))
        return self._give_floor(Review(self._score.start(), moves, self._speaker))

    def _look_for_games(self, command: Command) -> Effects:
        """Search for games inside the analysis, which then continues at the same place."""
        if self._search is None:
            return self._say(Phrase(place_of(command.name)))
        return self._give_floor(self._search(command, self._board.copy()))

    def _set_up(self) -> Effects:
        """Set up a position inside the analysis, to be compared with the one here."""
        if self._build is None:
            return self._say(Phrase(place_of("set_up")))
        return self._give_floor(self._build(self._board.copy()))

    def _consult(self, name: str) -> Effects:
        """Tell what the player's collection or endgame tables have about the position."""
        if self._library is None:
            return self._say(Phrase(place_of(name)))
        return self._say(*consulted(name, since_passing(self._board), self._library))

    def _give_floor(self, inner: Exercise) -> Effects:
        self._inner = inner
        return (*self._engine.forget(), *inner.handle(ev.Started(at_ms=0)))

    def _passed_on(self, inner: Exercise, event: ev.Event) -> Effects:
        review = isinstance(inner, Review)
        missing = review and isinstance(event, ExaminingFailed) and event.reason == "missing"
        done = self._say(Phrase("practice.review.no_engine")) if missing else inner.handle(event)
        if any(isinstance(effect, PlayFrom) for effect in done):  # a game begins, instead of everything else here
            self.step = AnalysisStep.DONE
            return (StopExamining(), *done)
        if not inner.over and not missing:
            return done
        self._inner = None
        return (*done, *self._say(Phrase("practice.analysis.again"), self._here()[0]), Listen(self.expectation))
