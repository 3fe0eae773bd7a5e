"""Three ways of deciding what to do about an utterance, compared on the same recognitions.

`Literally` takes the best hypothesis literally. `LegalOnly` reimplements the idea of Lichess' voice input (lichess-org/
lila, ui/voice): the words are matched with the announcements of all legal moves by edit cost, and moves within a window
of the best one are asked about. `OurGame` is the game itself: a session decides on the readings of all hypotheses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import chess

from models.bench.announcing import Words, styles
from models.bench.hearing_parts import BEFORE_GAME, Item
from models.bench.vocabulary import Vocabulary
from voicechess.app.hearing import Hearing
from voicechess.app.simulation import session_at
from voicechess.game import events as ev
from voicechess.game.effects import Effect, Say, Sound
from voicechess.game.phases import Phase
from voicechess.game.session import Session
from voicechess.language.lexicon import Lexicon
from voicechess.language.understanding import understand
from voicechess.meaning import (
    Answer,
    AnswerKind,
    Command,
    Expectation,
    Hypothesis,
    Meaning,
    Missing,
    Question,
    QuestionKind,
    RecognisedUtterance,
    SpeakingLevel,
    SpokenMove,
    Unclear,
    UnclearReason,
    Word,
    is_partial_move,
)
from voicechess.messages import SaidMove, Tone
from voicechess.moves.decisions import Act, NotUnderstood
from voicechess.moves.fitting import answers_question, fits, merge
from voicechess.moves.matching import decide

PLAY, ASK, REFUSE, COMMAND, UNCLEAR, NOISE = "play", "ask", "refuse", "command", "unclear", "noise"
"""Kinds of decisions; COMMAND: also an answer, NOISE: a tone at most."""


@dataclass(frozen=True)
class Decision:
    """What is done about an utterance."""

    kind: str  # one of the above
    move: chess.Move | None = None  # that is played
    asked: tuple[chess.Move, ...] = ()  # the moves in question
    command: Command | None = None  # that is obeyed


class Dialogue(Protocol):
    """One item's conversation with one way of deciding."""

    @property
    def expectation(self) -> Expectation:
        """What is expected now."""

    def hear(self, hypotheses: Sequence[Hypothesis], level: SpeakingLevel | None = None) -> Decision:
        """Decide on the next utterance."""


class Decider(Protocol):
    """A way of deciding."""

    name: str

    def begin(self, item: Item) -> Dialogue:
        """A conversation at the item's position, after the words before it."""


def as_hypothesis(words: str) -> Hypothesis:
    """Words as a certain hypothesis."""
    return Hypothesis(tuple(Word(word, 0, 0) for word in words.split()))


class OurGame:
    """The game itself."""

    def __init__(self, lexicon: Lexicon, doubt: float = 0.0) -> None:
        """`doubt`: of the speech model (`LikelihoodScaling`)."""
        self.name = "ours"
        self._hearing = Hearing(lexicon, doubt=doubt)

    def begin(self, item: Item) -> Dialogue:
        """A game in the item's position, or a conversation with its expectation."""
        if item.waits_for is not None:
            return _Conversation(item.waits_for, self._hearing)
        dialogue = _GameDialogue(chess.Board(item.fen), self._hearing)
        if item.before:
            dialogue.hear((as_hypothesis(item.before),))
        return dialogue


class _GameDialogue:
    def __init__(self, board: chess.Board, hearing: Hearing) -> None:
        self._session: Session = session_at(board)
        self._hearing = hearing
        self._now_ms = 0
        self._repeated: chess.Move | None = None

    @property
    def expectation(self) -> Expectation:
        return self._session.expectation

    def hear(self, hypotheses: Sequence[Hypothesis], level: SpeakingLevel | None = None) -> Decision:
        """Decide on the next utterance; after a move it is said during its repetition."""
        self._now_ms += 10_000
        said = RecognisedUtterance(tuple(hypotheses), self._now_ms - 2000, self._now_ms, level)
        heard = self._hearing.understood(said, self._session.expectation, self._now_ms)
        best = heard.readings[0].meaning
        effects = self._session.handle(heard)
        if self._repeated is not None:
            return self._after_repetition(effects, self._repeated, best)
        decision = self._decision(effects, best)
        self._repeated = decision.move
        if decision.kind != PLAY:
            # The game's speech ends; not a repetition, during which the move can still be corrected.
            for effect in effects:
                if isinstance(effect, Say):
                    self._session.handle(ev.Spoken(at_ms=self._now_ms + 1000, number=effect.utterance.number))
        return decision

    def _after_repetition(self, effects: Sequence[Effect], repeated: chess.Move, best: Meaning) -> Decision:
        """The move was taken back, made, not affected (the utterance was not understood), or is asked about."""
        if any(isinstance(effect, Say) and effect.utterance.key == "move.corrected" for effect in effects):
            return Decision(COMMAND, command=Command("correct"))
        if self._session.plies:
            return Decision(PLAY, repeated)
        if self._session.phase is Phase.REPEATING:
            return Decision(PLAY, repeated) if best == Unclear(UnclearReason.NOTHING) else Decision(UNCLEAR)
        return Decision(ASK, asked=self._session.expectation.asked.candidates)

    def _decision(self, effects: Sequence[Effect], best: Meaning) -> Decision:
        said = [effect.utterance for effect in effects if isinstance(effect, Say)]
        for utterance in said:
            move = utterance.slots.get("move")
            if utterance.key == "move.repeat" and isinstance(move, SaidMove):
                return Decision(PLAY, chess.Move.from_uci(move.uci))
        if any(isinstance(effect, Sound) and effect.tone is Tone.NOT_UNDERSTOOD for effect in effects):
            # That sentence explains a tone the first time only.
            return Decision(NOISE if all(one.key == "not_understood.nothing" for one in said) else UNCLEAR)
        if any(utterance.key.startswith("not_understood.") for utterance in said):
            return Decision(UNCLEAR)
        if any(utterance.key.startswith("refuse.") for utterance in said) and not isinstance(best, Command):
            return Decision(REFUSE)  # a command that is refused was recognised
        expectation = self._session.expectation
        if expectation.asked.kind not in (None, QuestionKind.YES_NO) and not isinstance(best, Command):
            return Decision(ASK, asked=expectation.asked.candidates)
        return Decision(COMMAND, command=best if isinstance(best, Command) else None)


class _Conversation:
    """A conversation outside games. It obeys unambiguous commands; before a game the likeliest answer counts, since
    everybody here is as loud as the player (`conversations.asking`)."""

    def __init__(self, expectation: Expectation, hearing: Hearing) -> None:
        self.expectation = expectation
        self._hearing = hearing

    def hear(self, hypotheses: Sequence[Hypothesis], level: SpeakingLevel | None = None) -> Decision:
        heard = self._hearing.understood(RecognisedUtterance(tuple(hypotheses), 0, 0, level), self.expectation, 0)
        best = heard.readings[0].meaning
        if self.expectation.asked.kind in BEFORE_GAME and isinstance(best, Command) and best != Command("end"):
            return Decision(COMMAND, command=best)
        match decide(chess.Board(), heard.readings, Question(self.expectation.asked.kind)):
            case Act(command):
                return Decision(COMMAND, command=command)
            case NotUnderstood(UnclearReason.NOTHING):
                return Decision(NOISE)
        return Decision(UNCLEAR)


class _BareDialogue:
    """Position and open question, for ways of deciding without a game."""

    def __init__(self, item: Item, vocabulary: Vocabulary) -> None:
        self.board = chess.Board(item.fen)
        self._lexicon = vocabulary.lexicon
        self.expectation = Expectation(self.board)
        if item.before:
            self._act(item.before)

    def hear(self, hypotheses: Sequence[Hypothesis], level: SpeakingLevel | None = None) -> Decision:
        return self._act(hypotheses[0].text)

    def _act(self, words: str) -> Decision:
        meaning = understand(words, self._lexicon, self.expectation)
        closed = self._closes(meaning)
        if closed is not None:
            return Decision(PLAY, closed)
        if isinstance(meaning, Command):
            return Decision(COMMAND, command=meaning)
        if isinstance(meaning, Answer):
            return Decision(COMMAND)
        return self._move(words, meaning)

    def _move(self, words: str, meaning: Meaning) -> Decision:
        raise NotImplementedError

    def _ask(
        self, moves: tuple[chess.Move, ...], question: QuestionKind, partial: SpokenMove | None = None
    ) -> Decision:
        self.expectation = Expectation(self.board, Question(question, moves, partial=partial))
        return Decision(ASK, asked=moves)

    def _closes(self, meaning: Meaning) -> chess.Move | None:
        """The move that this names as an answer to the open question; None if it does not."""
        asked, candidates = self.expectation.asked, self.expectation.asked.candidates
        if asked.kind is None:
            return None
        found: tuple[chess.Move, ...] = ()
        if isinstance(meaning, Answer):
            if meaning.kind is AnswerKind.YES and len(candidates) == 1:
                found = candidates
            elif meaning.kind is AnswerKind.CHOICE and meaning.choice and meaning.choice <= len(candidates):
                found = (candidates[meaning.choice - 1],)
        elif isinstance(meaning, SpokenMove):
            if asked.kind is QuestionKind.COMPLETE and asked.partial is not None:
                missing = Missing.TO_FILE if asked.partial.to_file is None else Missing.TO_RANK
                found = fits(self.board, merge(asked.partial, meaning, missing))
            elif asked.kind is QuestionKind.PROMOTION:
                found = tuple(move for move in candidates if move.promotion in (meaning.piece, meaning.promotion))
            else:
                found = answers_question(self.board, candidates, meaning)
        return found[0] if len(found) == 1 else None


class Literally:
    """Takes the best hypothesis literally; asks only if its words are ambiguous or incomplete."""

    name = "literal"

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary

    def begin(self, item: Item) -> Dialogue:
        """A conversation at the item's position."""
        return _LiteralDialogue(item, self._vocabulary)


class _LiteralDialogue(_BareDialogue):
    def _move(self, words: str, meaning: Meaning) -> Decision:
        if not isinstance(meaning, SpokenMove):
            return Decision(UNCLEAR)
        found = fits(self.board, meaning)
        if not found:
            return Decision(REFUSE if meaning.complete else UNCLEAR)
        if not meaning.complete:
            return self._ask(found, QuestionKind.COMPLETE, meaning)
        if len(found) == 1:
            return Decision(PLAY, found[0])
        same = len({(move.from_square, move.to_square) for move in found}) == 1
        return self._ask(found, QuestionKind.PROMOTION if same else QuestionKind.WHICH_MOVE)


class LegalOnly:
    """Only legal moves compete; the best one is played unless another is within the window."""

    name = "legal only"
    swap = 0.6
    """Cost of a file, rank or piece in place of another; words of different kinds are not exchanged."""
    odd = 0.5
    """Cost of a word too many or too few."""
    window = 0.3
    """Cost above the best move's within which moves are asked about. Larger: more questions."""
    most = 1.2
    """Cost from which a move is not considered. Larger: less is rejected."""
    choices = 4
    """Most moves in a question."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._known: dict[str, list[tuple[chess.Move, Words]]] = {}
        lexicon = vocabulary.lexicon
        groups = (lexicon.files, lexicon.ranks, tuple(lexicon.pieces.values()))
        self.kinds = {word: kind for kind, ideas in enumerate(groups) for words in ideas for word in words}
        self.plain = {word: words[0] for ideas in groups for words in ideas for word in words}

    def begin(self, item: Item) -> Dialogue:
        """A conversation at the item's position."""
        return _LegalDialogue(item, self._vocabulary, self)

    def phrases(self, fen: str) -> list[tuple[chess.Move, Words]]:
        """All announcements of all legal moves of a position."""
        if fen not in self._known:
            board = chess.Board(fen)
            moves = [(move, styles(board, move, self._vocabulary)) for move in board.legal_moves]
            self._known[fen] = [(move, words) for move, said in moves for words in said.values()]
        return self._known[fen]

    def cost(self, heard: Sequence[str], phrase: Sequence[str]) -> float:
        """Edit cost between an announcement and the words recognised."""
        row = [self.odd * n for n in range(len(heard) + 1)]
        for word in phrase:
            above, row = row, [row[0] + self.odd]
            for column, other in enumerate(heard):
                kind = self.kinds.get(word)
                swapped = (
                    0.0 if word == other else self.swap if kind is not None and kind == self.kinds.get(other) else 9
                )
                row.append(min(above[column] + swapped, above[column + 1] + self.odd, row[-1] + self.odd))
        return row[-1]


class _LegalDialogue(_BareDialogue):
    def __init__(self, item: Item, vocabulary: Vocabulary, ways: LegalOnly) -> None:
        self._ways = ways
        self._phrases = ways.phrases(item.fen)
        self._passed = vocabulary.lexicon.fillers | set(vocabulary.lexicon.decoys) | {"[unk]"}
        super().__init__(item, vocabulary)

    def _move(self, words: str, meaning: Meaning) -> Decision:
        ways = self._ways
        heard = [ways.plain.get(word, word) for word in words.split() if word not in self._passed]
        if not heard:
            return Decision(UNCLEAR)
        if is_partial_move(meaning) and fits(self.board, meaning):
            return self._ask(fits(self.board, meaning), QuestionKind.COMPLETE, meaning)
        costs: dict[chess.Move, float] = {}
        for move, phrase in self._phrases:
            costs[move] = min(ways.cost(heard, phrase), costs.get(move, ways.most))
        if isinstance(meaning, SpokenMove):
            costs |= dict.fromkeys(fits(self.board, meaning), 0.0)  # ambiguous, yet literal
        ranked = sorted(costs.items(), key=lambda pair: pair[1])
        if not ranked or ranked[0][1] >= ways.most:
            return Decision(UNCLEAR)
        close = tuple(move for move, cost in ranked if cost <= ranked[0][1] + ways.window)
        if len(close) == 1:
            return Decision(PLAY, close[0])
        return self._ask(close[: ways.choices], QuestionKind.WHICH_MOVE)
