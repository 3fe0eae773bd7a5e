"""A simultaneous display: one player, who gives it, against several numbered boards, going from board to board.

A conversation round several games, each a `Session` of its own. It is held as displays without sight of the boards are
(E. Hearst, J. Knott: Blindfold Chess, 2009, introduction): the giver goes round in the order of the boards, the name of
the board is called before the opponent's answer, the giver answers, and goes on. An opponent's answer waits until the
giver comes round; a board that has none yet is passed over, and waited for where no other has one.

A move said at the wrong board would be a wrong move. So every arrival names the board first; what is said belongs to
the board that was named; and a move whose words began before the name had been said is asked about.

A board is an opponent's answers by events with its number (`game`): an engine, or a person beside who speaks when the
giver is there; or a game at a server, one of those that the giver has in progress there. A server's word holds at once,
and so do its clocks: such a game is told what happens when it happens, and what it says of that waits for the giver.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from voicechess.display import board_sentences as sentences
from voicechess.display.boards import Board, results, standings, waiting
from voicechess.display.display_games import DisplayEffect, DisplayGames
from voicechess.game import effects as ef
from voicechess.game import events as ev
from voicechess.game.commands import COMMANDS, takes_floor
from voicechess.game.phases import Phase
from voicechess.game.questions import ANSWER_MS
from voicechess.game.session import Session
from voicechess.game.state import SPEECH_LIMIT_MS
from voicechess.language.thresholds import contenders
from voicechess.laws.time_controls import describe, parse_time
from voicechess.meaning import AnswerKind, Command, Expectation, Question, QuestionKind, Reading
from voicechess.messages import Listing, Side, Slot
from voicechess.moves.decisions import Act, Decision, NotUnderstood, Refuse, Reply
from voicechess.moves.matching import decide
from voicechess.moves.saying import said_move

WAIT_MS = 3_000
"""Milliseconds without an answer at any board after which it is said that all are still thinking. Larger: longer
silences."""

GATHER_MS = 5_000
"""Timeout, milliseconds, for the states of all games when a display at a server starts. Larger: a later start."""

LOOK_MS = 1_000
"""Interval, milliseconds, at which the clocks of other boards are checked. Results do not depend on it."""

SAID_HERE = frozenset({"board", "next_board", "standings"})
"""Commands that only a display has. "Weiter" is one of them too while the board at hand is not paused."""

REFUSED = frozenset(name for name in COMMANDS if name.startswith(("absent", "adjourn", "arbiter"))) | {
    *(
        "seal",
        "change",
        "present",
        "reversed",
        "mistake",
        "practise",
        "analyse",
        "set_up",
        *("find_games", "played_here", "endgame_table"),
        "live",
        "moment",
    )
}
"""Commands of a single game: a display is interrupted as a whole, by "Ende", and has no arbiter to be called."""


class Display(DisplayGames):
    """The whole display. `sessions`: its games in the order of the boards, new or resumed. `at`: the number of the
    board where the giver was last. `numbers`: of the boards; None: as was agreed in the games.

    All its games are at a server, or none."""

    def __init__(self, sessions: Sequence[Session], at: int = 1, numbers: Sequence[int] | None = None) -> None:
        super().__init__(sessions, at, numbers)
        self._reported = False
        self._listened: Expectation | None = None
        self._naming = 0  # utterance that names the board
        self._named_ms: int | None = None  # when it ended
        self._waiting_ms: int | None = None  # since when no board is ready
        self._gathering_ms: int | None = None  # since when the states of games at a server are awaited
        self._doubted: ev.Heard | None = None  # a move perhaps meant for another board
        self._told_terms = False  # the terms shared by all boards were announced

    # --- looking -----------------------------------------------------------------------------------------------------

    @property
    def at(self) -> Board:
        """The current board."""
        return self._at

    @property
    def correctable(self) -> bool:
        """Whether a move is being repeated at the current board."""
        return self._at.session.phase is Phase.REPEATING

    @property
    def expectation(self) -> Expectation:
        """What can sensibly be said now."""
        expected = self._at.session.expectation
        if self._doubted is not None:
            expected = replace(expected, asked=Question(QuestionKind.YES_NO))
        if self.correctable or expected.commands is None:
            return expected
        return replace(expected, commands=expected.commands | SAID_HERE)

    # --- what happens --------------------------------------------------------------------------------------------

    def handle(self, event: ev.Event) -> tuple[DisplayEffect, ...]:
        """Handle an event; effects in order. Never raises."""
        self._now_ms = max(self._now_ms, event.at_ms)
        match event:
            case ev.Started():
                self._start(event)
            case ev.Resumed():
                self._resume()
            case ev.Heard():
                self._heard(event)
            case ev.Spoken():
                self._spoken(event)
            case ev.Tick():
                self._tick(event)
            case ev.Suspended():
                self._everywhere(event, [board for board in self.boards.values() if board.due is None])
            case ev.OpponentMoved() | ev.OpponentAnswered() | ev.ClaimJudged() | ev.HintFound() | ev.OpponentFailed():
                self._answered(event)
            case _ if isinstance(event, ev.ServerEvent):
                self._server_told(event)
            case _:
                self._tell(self._at, event)
        self._go_on()
        if self._listens:
            self._listen()
        effects, self._effects = tuple(self._effects), []
        return effects

    def _start(self, event: ev.Started) -> None:
        if event.three_words:
            self._say("start.three_words")
        if self._at.served:
            self._enter_games()
            return
        first = self.boards[min(self.boards)]
        mixed = len({board.giver for board in self.boards.values()}) > 1
        slots: dict[str, Slot] = {"count": len(self.boards), "side": Side(first.giver)}
        self._say("simul.start_alternating" if mixed else "simul.start", slots)
        if first.timed:
            self._say("start.time", {"time": describe(parse_time(first.session.settings.time))})
        for board in self.boards.values():
            board.due = ev.Started
            if not board.givers_move and not self._by_person(board):
                self._begin(board)  # engines with White start at once
        self._arrive(next((board for board in self.boards.values() if board.ready), first))

    def _resume(self) -> None:
        self._listened, self._listens = None, True  # the previous holder of the floor expected other words
        self._say("simul.resumed")
        if self._at.served:
            self._enter_games()
            return
        for board in self.boards.values():
            if board.session.over:
                board.seen = True
                continue
            new = board.session.phase is Phase.NOT_STARTED
            board.due, board.seen = (ev.Started if new else ev.Resumed), not new
            if not board.givers_move and not self._by_person(board):
                self._begin(board)
        if self.over:
            return
        following = self._at if self._at.ready else self._following()
        self._arrive(following or self._at)
        self._going = following is None

    def _enter_games(self) -> None:
        """Start or resume the games at a server; the giver's first board is chosen once all states have arrived."""
        self._gathering_ms, self._aside, self._unsaid = self._now_ms, True, sentences.TOLD_BY_DISPLAY
        for board in self._open():
            new = board.session.phase is Phase.NOT_STARTED
            first = ev.Started(at_ms=self._now_ms, introduced=True, three_words=False)
            self._tell(board, first if new else ev.Resumed(at_ms=self._now_ms))
        self._aside, self._unsaid = False, frozenset()

    def _gather(self, since_ms: int) -> None:
        """Once all states have arrived: announce how many boards wait, and go to the first."""
        boards = self._open()
        late = any(board.session.awaits_server and not board.held for board in boards)
        if late and self._now_ms - since_ms < GATHER_MS:
            return
        self._gathering_ms = None
        self._say("simul.served", {"count": len(self.boards), "waiting": waiting(boards)})
        unsure = next((board for board in boards if board.held), None)
        following = unsure or (self._at if self._at.ready else self._following())
        if boards:
            self._arrive(following or self._at)
            self._going = following is None

    def _server_told(self, event: ev.ServerEvent) -> None:
        """Pass an event of a server to its game at once, since it applies immediately. But a lost move is repeated
        aloud before it is sent again, and waits for the giver."""
        board = self.boards.get(event.game)
        if board is None:
            return
        told, away = replace(event, game=0), board is not self._at or self._gathering_ms is not None
        unsure = isinstance(event, ev.ServerState) and board.session.repeats_when_told(event)
        if isinstance(event, ev.ServerState):
            board.held.clear()  # each contains the whole game
        if away and unsure:
            board.held.append(told)
            return
        # If the giver has moved and waits, the board of a reply is named like any other.
        answered = isinstance(event, ev.ServerState) and len(event.moves) > board.moves
        self._aside = away or (self._going and answered and not unsure)
        self._tell(board, told)
        self._aside = False
        if board is self._at and unsure:
            self._going = False

    @staticmethod
    def _by_person(board: Board) -> bool:
        """Whether a person here plays this board."""
        return board.session.settings.white is board.session.settings.black

    def _begin(self, board: Board, *, aloud: bool = False) -> None:
        """Start or resume a game; only the current board's sentences are heard."""
        due, board.due = board.due, None
        if due is None:
            return
        if due is ev.Started:
            first = ev.Started(at_ms=self._now_ms, introduced=True, three_words=False)
            self._quietly(board, first, quiet=self._told_terms or not aloud)
            self._told_terms |= aloud
            return
        self._unsaid = sentences.TOLD_ANYWAY
        self._quietly(board, ev.Resumed(at_ms=self._now_ms), quiet=not aloud)
        self._unsaid = frozenset()

    def _answered(
        self, event: ev.OpponentMoved | ev.OpponentAnswered | ev.ClaimJudged | ev.HintFound | ev.OpponentFailed
    ) -> None:
        """Pass a reply to its board, where it waits for the giver unless nothing has to be announced."""
        for board in self.boards.values():
            if event.game not in (0, board.number) or (not event.game and self._by_person(board)):
                continue
            answer = replace(event, game=0)
            stays = board is self._at and not self._going and not self.correctable
            if stays:  # otherwise its board is named like any other
                self._tell(board, answer)
            elif isinstance(event, ev.OpponentAnswered) and not event.accepts:
                self._tell(board, answer)  # a draw declined: it thinks on
            elif not board.session.over and (not isinstance(event, ev.OpponentFailed) or event.final):
                board.held.append(answer)

    def _tick(self, event: ev.Tick) -> None:
        self._tell(self._at, event)
        for board in self.boards.values():
            # A waiting reply has stopped its board's clock, which the game does not know yet.
            runs = board.timed and not board.held and board.due is None and not board.session.over
            if board is not self._at and runs and event.at_ms - board.looked_ms >= LOOK_MS:
                board.looked_ms = event.at_ms
                self._tell(board, event)
        if self._doubted is not None and event.at_ms - self._doubted.at_ms >= SPEECH_LIMIT_MS + ANSWER_MS:
            self._doubted, self._listens = None, True  # silence is no
            self._say("simul.dropped", {"number": self._at.number})
        if self._waiting_ms is not None and event.at_ms - self._waiting_ms >= WAIT_MS:
            self._waiting_ms = None
            if len(self._open()) > 1:
                self._say("simul.waiting")

    def _spoken(self, event: ev.Spoken) -> None:
        if event.number == self._naming and event.completed:
            self._named_ms = event.at_ms
        board, number = self._numbers.pop(event.number, (None, 0))
        if board is not None:
            self._tell(board, replace(event, number=number))

    # --- what is heard -----------------------------------------------------------------------------------------------

    def _heard(self, event: ev.Heard) -> None:
        at = self._at
        self._listens = True
        heard = event
        decision = self._decide(event)
        doubted, self._doubted = self._doubted, None
        answer = decision.answer.kind if isinstance(decision, Reply) else None
        if doubted is not None and answer in (AnswerKind.NO, AnswerKind.NONE):
            self._say("simul.dropped", {"number": at.number})
            return
        if doubted is not None and answer is AnswerKind.YES and event.ahead:
            self._doubted = doubted  # the question was not heard yet, and follows
            return
        if doubted is not None and answer is AnswerKind.YES and event.began_ms >= doubted.at_ms:
            heard = replace(doubted, at_ms=event.at_ms, began_ms=event.began_ms, ended_ms=event.ended_ms)
            self._named_ms = min(heard.began_ms, self._named_ms or heard.began_ms)
        elif (asked := self._boards_named(event)) is not None:
            self._say("simul.which", {"boards": Listing(tuple(asked), "or")})
            return
        elif (isinstance(decision, Act) and self._obeys(decision.command, event)) or (
            self._too_early(event) and self._while_changing(event, decision)
        ):
            return
        asks = decision.command.name if isinstance(decision, Act) else ""
        if asks == "repeat":
            self._name(at)
        said = self._announcer.last_number
        self._tell(at, heard)
        if asks == "repeat" and self._announcer.last_number == said:
            self._tell_standing(at)
        elif asks == "help":
            self._say("simul.what_now" if self.over else "simul.help")

    def _too_early(self, event: ev.Heard) -> bool:
        """Whether these words began before the board was named; during a repetition they can only take back."""
        return not self.correctable and (self._named_ms is None or event.began_ms < self._named_ms)

    def _decide(self, event: ev.Heard) -> Decision:
        expected = self.expectation
        typed = event.source is ev.Source.KEYBOARD
        return decide(self._at.session.board, event.readings, expected.asked, typed=typed)

    def _boards_named(self, event: ev.Heard) -> list[int] | None:
        """Board numbers that may have been named, if ambiguous."""
        meanings = [one.meaning for one in contenders(event.readings).readings]
        numbers = [one.slot("number") for one in meanings if isinstance(one, Command) and one.name == "board"]
        named = list(dict.fromkeys(number for number in numbers if isinstance(number, int) and number in self.boards))
        return named if len(named) > 1 and len(numbers) == len(meanings) else None

    def _obeys(self, command: Command, event: ev.Heard) -> bool:
        """Obey a command of the display; whether it was one."""
        at = self._at
        if self.correctable and (command.name in SAID_HERE or command.name == "resume"):
            # As with other commands during a repetition the move stands, unless the game takes them for a correction.
            moves, self._unsaid = at.moves, sentences.INTO_REPETITION
            self._tell(at, event)
            self._unsaid = frozenset()
            if at.moves == moves:
                return True
        number = command.slot("number")
        match command.name:
            case "board" if isinstance(number, int) and number in self.boards:
                self._leave()
                self._do(ef.Hush())
                self._arrive(self.boards[number])
            case "board":
                self._say("simul.no_board", {"count": max(self.boards)})
            case "resume" if at.session.phase is Phase.PAUSED:
                paused = [one for one in self._open() if one.session.phase is Phase.PAUSED]
                self._everywhere(event, paused)
            case "next_board" | "resume":
                self._next_board()
            case "pause":
                others = [one for one in self._open() if one.timed and one.due is None and not one.held]
                self._everywhere(event, [at, *(one for one in others if one is not at)])
            case "standings":
                self._say(*standings(tuple(self.boards.values())))
            case name if name in REFUSED:
                self._say("elsewhere.single")
            case _:
                return False
        return True

    def _next_board(self) -> None:
        """ "Weiter": go to the next board that is ready."""
        self._leave()
        following = self._following()
        if following is None or following is self._at:
            self._going = not self._at.givers_move and not self._at.session.over
            if not self._going or following is None:
                self._say("simul.none_ready")
            return
        self._do(ef.Hush())
        self._arrive(following)

    def _while_changing(self, event: ev.Heard, decision: Decision) -> bool:
        """Whether these early words are anything but a query or the like: then they are asked about."""
        match decision:
            case NotUnderstood():
                return False
            case Act(command) if not takes_floor(command):
                return False
            case Act() | Reply() | Refuse():
                self._say("simul.again", {"number": self._at.number})
                self._naming = self._announcer.last_number
            case _:
                self._doubted = event
                self._say("simul.for_board", {"number": self._at.number})
                self._naming = self._announcer.last_number
        return True

    # --- from board to board -------------------------------------------------------------------------------------

    def _open(self) -> list[Board]:
        """The boards whose games are in progress."""
        return [board for board in self.boards.values() if not board.session.over]

    def _following(self) -> Board | None:
        """The next ready board in order, the current one last."""
        order = sorted(self.boards.values(), key=lambda board: (board.number <= self._at.number, board.number))
        return next((board for board in order if board.ready), None)

    def _go_on(self) -> None:
        """Go to the next board when done here; report when done everywhere."""
        if self._gathering_ms is not None:
            self._gather(self._gathering_ms)
            return
        if self.over:
            if not self._reported:
                self._reported, self._going = True, False
                self._say("simul.report", {"results": results(tuple(self.boards.values()))})
                self._say("simul.what_now")
            return
        if not self._going:
            self._waiting_ms = None
        if not self._going or self._at.asking or self._at.session.phase is Phase.PAUSED:
            return
        if self._at.givers_move and self._at.due is None and not self._at.untold:
            self._going = False  # a move was taken back
            return
        following = self._following()
        if following is not None:
            self._leave()
            self._arrive(following)
        elif self._waiting_ms is None:
            self._waiting_ms = self._now_ms

    def _leave(self) -> None:
        """Leave: the current utterance counts as said; an open question is dropped."""
        board = self._at
        for here, (of, number) in list(self._numbers.items()):
            if of is board and self._numbers.pop(here, None) is not None:
                self._tell(board, ev.Spoken(at_ms=self._now_ms, number=number))
        if board.asking:
            now = self._now_ms
            readings = (Reading(Command("stop")),)
            stop = ev.Heard(
                at_ms=now, readings=readings, words="", began_ms=now, ended_ms=now, source=ev.Source.KEYBOARD
            )
            self._quietly(board, stop)

    def _arrive(self, board: Board) -> None:
        """Arrive at this board: name it, then say what the giver has to know."""
        self._at, self._going, self._waiting_ms, self._doubted = board, False, None, None
        self._listens = True
        mixed = len({one.giver for one in self.boards.values()}) > 1
        named = board.seen or not mixed or board.served
        self._name(board, "simul.board" if named else "simul.board_side")
        board.seen = True
        untold, board.untold = board.untold, []
        for utterance in untold:
            self._say_of(board, utterance)
        self._begin(board, aloud=True)
        if board.held:
            if board.served:  # its clocks were sent earlier, but are announced only now
                self._tell(board, ev.Tick(at_ms=self._now_ms))
            while board.held:
                answer = board.held.popleft()
                self._tell(board, answer if board.served else replace(answer, at_ms=self._now_ms))
        elif not board.asking and not (board.served and {one.key for one in untold} - sentences.GREETING):
            self._tell_standing(board)

    def _name(self, board: Board, key: str = "simul.board") -> None:
        self._say(key, {"number": board.number, "side": Side(board.giver)})
        self._naming, self._named_ms = self._announcer.last_number, None

    def _tell_standing(self, board: Board) -> None:
        """Announce the state of a board without news."""
        session = board.session
        if session.ending is not None:
            self._say(session.ending.words.key, session.ending.words.slots)
            return
        position = session.board
        turn = position.turn
        if session.plies:
            move = position.pop()
            self._say("score.last", {"side": Side(position.turn), "move": said_move(position, move)})
        if session.phase is Phase.PAUSED:
            self._say("pause.say_resume")
        elif session.phase is Phase.THINKING:
            self._say("simul.thinking", {"side": Side(turn)})
        elif not board.givers_move:
            self._say("simul.to_move", {"side": Side(turn)})
        if session.phase is Phase.DRAW_OFFERED:
            by = Side(not turn)
            self._say("draw.offered_by" if self._by_person(board) else "draw.offered", {"side": by})

    def _listen(self) -> None:
        self._listens = False
        expected = self.expectation
        if expected != self._listened:
            self._listened = expected
            self._do(ef.Listen(expected))
