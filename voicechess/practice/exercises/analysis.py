"""Analysing a game by voice: navigation, variations, engine evaluation, moves tried, comments.

The game is a tree of moves with a cursor. An announced move moves the cursor if it is in the tree already; any other
begins a variation, which "Korrektur" removes again. Every change is stored at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import chess
import chess.pgn

from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings, Player
from voicechess.game.commands import obey
from voicechess.game.effects import VOICE_CHANGES, Announcer, Hush, Listen, Say, ShowText, Sound
from voicechess.game.elsewhere import place_of
from voicechess.game.phases import Phase, Waiting
from voicechess.game.situation import Ply
from voicechess.game.state import Table
from voicechess.language.thresholds import contenders
from voicechess.meaning import Answer, AnswerKind, Command, Expectation, Question, QuestionKind, UnclearReason
from voicechess.messages import Failure, Listing, Phrase, Side, Slot, Text, Tone
from voicechess.moves.decisions import Act, Ask, AskPromotion, Complete, NotUnderstood, Play, Refuse, Reply
from voicechess.moves.matching import decide
from voicechess.moves.saying import said_move
from voicechess.practice.answers import expected, number_said
from voicechess.practice.effects import (
    Examined,
    ExaminingFailed,
    KeepAnalysis,
    PracticeEffect,
    StopExamining,
)
from voicechess.practice.exercises.analysed import (
    CHOOSING,
    CONTROLS,
    FITTING,
    QUERIES,
    AnalysedGame,
    AnalysisStep,
    Change,
    line_through,
    opened_told,
    title_told,
)
from voicechess.practice.exercises.annotations import (
    comments_told,
    costs_told,
    moved,
    signs_told,
    since_passing,
    times_told,
    written,
)
from voicechess.practice.exercises.consulting import CONSULTS, Consulted, consulted
from voicechess.practice.exercises.engine_view import EngineView
from voicechess.practice.exercises.review import Review, worth_told
from voicechess.practice.menu import Exercise
from voicechess.score.pgn import in_comment, write_game
from voicechess.score.tree import comment_said, read_tree

# --- The conversation ---

Effects = tuple[PracticeEffect, ...]

FIRST_TOLD = 5
"""Games named when a file with several is opened. Larger: a longer list to listen to."""


class Analysis:
    """The conversation about the games of a file.

    titles: the games' titles, "" if unnamed.
    opened: opens the game with this number, from 1; raises `Failure`.
    chosen: the number of the game; None asks for it.
    file: identifies the file in `KeepAnalysis`.
    search: begins a search for games at the current position; None: not available.
    library: a collection of games and endgame tables; None: not available.
    first: a command obeyed at the end of the game once it is open.
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
        first: Command | None = None,
    ) -> None:
        self.step = AnalysisStep.WAITING
        self._file, self._search, self._library, self._first = file, search, library, first
        self._titles, self._opened, self._speaker = titles, opened, speaker
        self._number = chosen or (1 if len(titles) == 1 else 0)
        self._game = chess.pgn.Game()
        self._node: chess.pgn.GameNode = self._game
        self._board = chess.Board()
        self._played: set[chess.pgn.GameNode] = set()
        self._changes: list[Change] = []
        self._changed = False
        self._engine = EngineView(speaker)
        self._inner: Exercise | None = None  # a review or a search that has the floor
        self._unread: list[tuple[Phrase, ...]] = []  # remaining parts of the comments here
        self._told_of_file: chess.pgn.GameNode | None = None  # the node whose evaluation in the file was told last
        self._increment_ms = 0
        self._helped = 0  # parts of the help told in a row
        self._position_told: tuple[int, str] | None = None

    @property
    def expectation(self) -> Expectation:
        """The expectation of the current step: a number, a comment, yes or no, or moves and commands at the cursor."""
        if self._inner is not None:
            return self._inner.expectation
        match self.step:
            case AnalysisStep.CHOOSING:
                return Expectation(asked=Question(QuestionKind.NUMBER), commands=CHOOSING)
            case AnalysisStep.COMMENTING:
                return Expectation(asked=Question(QuestionKind.WAITING), commands=CHOOSING | {"correct"})
            case AnalysisStep.ENDING:
                return expected(CONTROLS, QuestionKind.YES_NO)
        unasked = CONSULTS if self._library is None else frozenset()
        commands = CONTROLS - unasked - (frozenset() if self._search is not None else {"find_games"})
        return expected(commands, None, self._board.copy())

    @property
    def busy(self) -> bool:
        """Whether the engine is analysing."""
        return self._engine.busy or (self._inner is not None and self._inner.busy)

    @property
    def over(self) -> bool:
        """Whether it has ended and said so."""
        return self.step is AnalysisStep.DONE

    def handle(self, event: ev.Event) -> Effects:
        """Handle an event. Never raises."""
        if self._inner is not None:
            return self._passed_on(self._inner, event)
        match event:
            case ev.Started() if self.step is AnalysisStep.WAITING:
                return (*(self._open() if self._number else self._ask_number()), Listen(self.expectation))
            case Examined() | ExaminingFailed():
                return self._engine.answered(event)
            case ev.Heard() if event.readings and not self.over:
                done = self._heard(event)
                return done if self.over or self._inner is not None else (*done, Listen(self.expectation))
        return ()

    def leave(self) -> Effects:
        """Stop the engine; all changes have been stored."""
        return (StopExamining(), *(() if self._inner is None else self._inner.leave()))

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
        return self._say(title, *told, *self._comment_and_variations(), Phrase("practice.analysis.explain"))

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
        """Move the cursor, and cancel the engine's analysis of the previous position."""
        self._node, self._board, self._unread = node, node.board(), []
        return self._engine.forget()

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
        return (told, *signs_told(self._node.nags), *self._comment_and_variations())

    def _comment_and_variations(self) -> tuple[Phrase, ...]:
        self._unread = comments_told(comment_said(self._node.starting_comment), written(self._node).words)
        told = list(self._read_on())
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
            case NotUnderstood(text=text) if text:
                return self._say(decision.phrase)
        if ending:
            return self._say(Phrase("practice.nothing_heard"), Phrase("practice.yes_or_no"))
        fitting = Listing(tuple(Text(one.words) for one in event.perhaps) or FITTING, "")
        return self._say(Phrase("practice.nothing_heard"), Phrase("not_understood.here", {"things": fitting}))

    def _chosen(self, event: ev.Heard) -> Effects:
        for meaning in contenders(event.readings).meanings:
            number = number_said(meaning)
            if number is not None and 1 <= number <= len(self._titles):
                self._number = number
                return self._open()
            match meaning:
                case Command("stop"):
                    return self._speaker.stop()
                case Command("end"):
                    return self._ended(True)
                case Command(name) if name in VOICE_CHANGES:
                    return self._speaker.adjust_voice(name)
                case Command("repeat" | "help"):
                    return self._ask_number()
        return self._ask_number(Phrase("practice.nothing_heard"))

    def _command(self, command: Command) -> Effects:
        name = command.name
        if name != "help":
            self._helped = 0
        if name in QUERIES:
            return self._query(command)
        if name in VOICE_CHANGES:
            return self._speaker.adjust_voice(name)
        simple: Mapping[str, Callable[[], Effects]] = {
            "stop": lambda: (*self._engine.forget(), *self._speaker.stop()),
            "end": self._end,
            "help": self._help,
            "repeat": lambda: self._say(*self._here()),
            **dict.fromkeys(("forward", "next"), self._forward),
            "resume": lambda: self._say(*self._read_on()) if self._unread else self._forward(),
            "time": lambda: self._say(*times_told(self._node)),
            "move_times": lambda: self._say(*costs_told(line_through(self._node), self._increment_ms)),
            "mistake": self._look_for_mistakes,
            **dict.fromkeys(CONSULTS, lambda: self._consult(name)),
            "find_games": lambda: self._look_for_games(command),
            "hint": lambda: self._engine.ask(self._board, "best_move"),
            "take_back": self._back,
            "beginning": lambda: self._jump(self._game),
            "leave_variation": self._leave_variation,
            "to_game": self._to_game,
            "correct": self._undo,
            "comment": self._ask_comment,
            "strike_comment": lambda: self._comment("", "comment_struck"),
            "show_game": self._show,
            "save": lambda: self._keep(self._kept()),
            "standings": lambda: self._evaluate("evaluation"),
            **dict.fromkeys(("evaluation", "evaluation_exact"), lambda: self._evaluate(name)),
            **dict.fromkeys(("best_move", "best_line"), lambda: self._engine.ask(self._board, name)),
        }
        if name in simple:
            return simple[name]()
        number, colour = command.slot("number"), command.slot("colour")
        if name == "variation":
            return self._vary(None if number is None else int(number))
        if name in ("forward_moves", "back_moves") and number is not None:
            return self._by_moves(int(number) if name == "forward_moves" else -int(number))
        if name in ("goto", "retrace") and number is not None:
            return self._goto(int(number), None if colour is None else bool(colour))
        return self._say(Phrase(place_of(name)))

    def _help(self) -> Effects:
        return self._next_part(*(Phrase(f"practice.analysis.help_{part}") for part in ("ways", "engine", "writing")))

    def _next_part(self, *parts: Phrase) -> Effects:
        """The next part of the help each time; all of it would take half a minute."""
        at, self._helped = self._helped % len(parts), self._helped + 1
        return self._say(parts[at], *(() if at else (Phrase("help.more"),)))

    def _query(self, command: Command) -> Effects:
        """Answer a query by the function of a game, at a table with this position."""
        table = Table(GameSettings(white=Player.VOICE, black=Player.VOICE))
        table.board, table.state = since_passing(self._board), Waiting(Phase.LISTENING)
        table.plies = [Ply(move, table.clock, table.clock, 0) for move in table.board.move_stack]
        table.told.position = self._position_told
        obey(table, command)
        self._position_told = table.told.position
        answered: list[PracticeEffect] = []
        for effect in table.take_effects():
            if isinstance(effect, Say):
                answered += self._say(Phrase(effect.utterance.key, effect.utterance.slots))
            else:
                answered.append(effect)
        return tuple(answered)

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
        if not inner.over and not missing:
            return done
        self._inner = None
        return (*done, *self._say(Phrase("practice.analysis.again"), self._here()[0]), Listen(self.expectation))
