"""Follow a game: it is announced move by move, interrupted by questions about the position."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from random import Random
from zlib import crc32

import chess

from voicechess.meaning import Meaning
from voicechess.messages import Listing, Phrase, Piece, SaidMove, Side, Slot, Square, Text
from voicechess.moves.saying import said_move
from voicechess.practice.answers import colour_said, empty_said, piece_said, placed_said, square_said, yes_said
from voicechess.practice.schedule import about
from voicechess.practice.task import MISFIT, RIGHT, WRONG, AnswerVerdict, Assessment, Course, Task

KINDS = ("where", "what", "attacker", "check", "turn")
"""Where is a piece; what is on a square; what attacks it; is the king in check; who is to move."""

MOVES_BETWEEN = {1: 2, 2: 4, 3: 8}
"""Level -> plies announced between two questions; 12 at level 4."""

RECALLED_AT_MOST = 80  # plies repeated when resuming. Larger: a longer recapitulation


@dataclass(frozen=True, slots=True)
class GameScore:
    """A game to follow: its introduction, moves in UCI, and starting position (FEN)."""

    title: Phrase
    moves: tuple[str, ...]
    start: str = chess.STARTING_FEN


@cache
def famous_games() -> tuple[GameScore, ...]:
    """The games included in the program."""
    text = (resources.files("voicechess.practice") / "games.toml").read_text(encoding="utf-8")
    games = []
    for entry in tomllib.loads(text)["games"]:
        board = chess.Board()
        moves = tuple(board.push_san(san).uci() for san in entry["moves"].split())
        games.append(GameScore(Phrase(f"practice.follow.game.{entry['key']}"), moves))
    return tuple(games)


def own_game(title: str, start: chess.Board, moves: Sequence[chess.Move]) -> GameScore:
    """A game of the player's own. `title`: the players' names, "" if unknown."""
    slots: Mapping[str, Slot] = {"title": Text(title)}
    introduced = Phrase("practice.follow.own", slots) if title else Phrase("practice.follow.own_unnamed")
    return GameScore(introduced, tuple(move.uci() for move in moves), start.fen())


@dataclass(frozen=True)
class FollowTask(Task):
    """A question after `ply` plies of a game, of which `told` were announced before."""

    game: GameScore
    ply: int
    told: int
    kind: str
    square: chess.Square
    seed: int
    step: int

    @property
    def ident(self) -> str:
        game = crc32(" ".join(self.game.moves).encode())
        return f"follow.{self.kind}.{self.square}.{self.ply}.{game:08x}"

    @property
    def skills(self) -> tuple[str, ...]:
        return (f"follow.{self.kind}",)

    def played(self) -> chess.Board:
        """The position of the question."""
        return _after(self.game, self.ply)

    @property
    def piece(self) -> chess.Piece:
        """The piece asked for ("where")."""
        piece = self.played().piece_at(self.square)
        assert piece is not None, "asked for pieces that are there only"
        return piece

    @property
    def answer(self) -> chess.Piece | chess.Square | bool | None:
        """The right answer: a square ("where"), a piece or None ("what"), a piece ("attacker"), a bool ("check"), a
        colour ("turn")."""
        board = self.played()
        match self.kind:
            case "where":
                return self.square
            case "what":
                return board.piece_at(self.square)
            case "attacker":
                return board.piece_at(next(iter(_attackers(board, self.square))))
            case "check":
                return board.is_check()
        return board.turn

    def ask(self) -> tuple[Phrase, ...]:
        opening = (self.game.title,) if self.told == 0 else ()
        moves = Listing(tuple(self._announced(self.told, self.ply)), "")
        return (*opening, Phrase("practice.follow.moves", {"moves": moves}), self._question())

    def _announced(self, since: int, until: int) -> list[SaidMove]:
        board = _after(self.game, since)
        announced = []
        for uci in self.game.moves[since:until]:
            move = board.parse_uci(uci)
            announced.append(said_move(board, move))
            board.push(move)
        return announced

    def _question(self) -> Phrase:
        board = self.played()
        slots: dict[str, Slot] = {}
        match self.kind:
            case "where":
                slots["piece"] = Piece(self.piece.piece_type, self.piece.color)
            case "what":
                slots["square"] = Square(self.square)
            case "attacker":
                slots = {"square": Square(self.square), "side": Side(not board.turn)}
        return Phrase(f"practice.follow.{self.kind}", slots)

    def assess(self, meaning: Meaning, words: str) -> Assessment:
        match self.kind:
            case "where":
                said: object = square_said(meaning)
            case "what" | "attacker":
                return self._assess_piece(meaning)
            case "check":
                said = yes_said(meaning)
            case _:
                said = colour_said(meaning)
        if said is None:
            return MISFIT
        return RIGHT if said == self.answer else WRONG

    def _assess_piece(self, meaning: Meaning) -> Assessment:
        answer = self.answer
        if empty_said(meaning):
            return RIGHT if answer is None else WRONG
        named, placed = piece_said(meaning), placed_said(meaning)
        kind = named.kind if named else placed.kind if placed else None
        colour = named.colour if named else placed.colour if placed else None
        if kind is None:
            return MISFIT
        if not isinstance(answer, chess.Piece) or kind != answer.piece_type:
            return WRONG
        if self.kind == "what" and colour is None:
            return Assessment(AnswerVerdict.MISFIT, (Phrase("practice.recall.colour_too"),))
        return RIGHT if colour in (None, answer.color) else WRONG

    def solution(self) -> tuple[Phrase, ...]:
        answer = self.answer
        if self.kind == "check":
            return (Phrase("practice.follow.in_check" if answer else "practice.follow.no_check"),)
        if isinstance(answer, chess.Piece):
            return (Phrase("practice.right_is", {"answer": Piece(answer.piece_type, answer.color)}),)
        if answer is None:
            return (Phrase("practice.recall.is_empty"),)
        if self.kind == "turn":
            return (Phrase("practice.right_is", {"answer": Side(bool(answer))}),)
        return (Phrase("practice.right_is", {"answer": Square(int(answer))}),)

    def hint(self) -> tuple[Phrase, ...]:
        since = max(0, self.ply - MOVES_BETWEEN[3])
        return (Phrase("practice.follow.last_moves", {"moves": Listing(tuple(self._announced(since, self.ply)), "")}),)

    def recap(self) -> tuple[Phrase, ...]:
        if self.told == 0:
            return ()
        since = max(0, self.told - RECALLED_AT_MOST)
        moves = Listing(tuple(self._announced(since, self.told)), "")
        return (self.game.title, Phrase("practice.follow.so_far", {"moves": moves}))

    def follow_up(self) -> Task | None:
        return question_at(self.game, self.ply, self.step, self.seed)

    def expects(self) -> Phrase:
        kinds = {"where": "square", "what": "piece", "attacker": "piece", "check": "yes_no", "turn": "colour"}
        return Phrase(f"practice.expects.{kinds[self.kind]}")

    @property
    def tries(self) -> int:
        return 1 if self.kind in ("check", "turn") else 2


def _after(game: GameScore, ply: int) -> chess.Board:
    board = chess.Board(game.start)
    for uci in game.moves[:ply]:
        board.push_uci(uci)
    return board


def _attackers(board: chess.Board, square: chess.Square) -> chess.SquareSet:
    """The attackers of a square by the side that has just moved."""
    return board.attackers(not board.turn, square)


def question_at(game: GameScore, told: int, step: int, seed: int, kind: str | None = None) -> FollowTask | None:
    """A question after `step` more plies (fewer at the end), of `kind` if possible; None at the end of the game."""
    ply = min(told + step, len(game.moves))
    if ply <= told:
        return None
    random = Random(f"{seed}/{ply}")
    board = _after(game, ply)
    kinds = [*([kind] if kind else []), *random.sample(KINDS, len(KINDS))]
    for one in kinds:
        squares = _squares_for(one, board)
        if squares:
            return FollowTask(game, ply, told, one, random.choice(squares), seed, step)
    raise AssertionError("the side to move can always be asked for")


def _squares_for(kind: str, board: chess.Board) -> list[chess.Square]:
    """The squares about which a question of this kind has exactly one answer."""
    pieces = board.piece_map()
    match kind:
        case "where":
            counts = list(pieces.values())
            return sorted(square for square, piece in pieces.items() if counts.count(piece) == 1)
        case "what":
            last = board.move_stack[-1].to_square if board.move_stack else None
            return sorted(square for square in pieces if square != last)
        case "attacker":
            # Exactly one attacker, so that the answer is unambiguous.
            return [square for square in chess.SQUARES if _lone_attack(board, square)]
    return [chess.A1]  # the question is not about a square


def _lone_attack(board: chess.Board, square: chess.Square) -> bool:
    piece = board.piece_at(square)
    return piece is not None and piece.color == board.turn and len(_attackers(board, square)) == 1


@dataclass(frozen=True)
class Follow(Course):
    """Levels 1 to 4: two, four, eight and twelve plies between questions. `games`: the games to choose from."""

    games: tuple[GameScore, ...]
    level: int = 1
    key: str = "follow"

    def skills(self) -> tuple[str, ...]:
        return tuple(f"follow.{kind}" for kind in KINDS)

    def task(self, skill: str, random: Random) -> Task:
        game = random.choice([game for game in self.games if game.moves] or list(famous_games()))
        step = MOVES_BETWEEN.get(self.level, 12)
        task = question_at(game, 0, step, random.getrandbits(32), about(skill))
        assert task is not None, "a game with moves has a question"
        return task
