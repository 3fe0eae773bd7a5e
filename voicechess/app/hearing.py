"""Whether words heard so far are something that can be answered: how long the silence after them must be.

"Springer Felix drei" with one legal move is complete; "Eva acht" of a pawn may go on with a piece; "Springer Gustav
eins" is where a move begins. The words themselves are judged again when the utterance has ended: this only decides
how long to wait.

One utterance taken by itself: what was heard on a position and what the game would do about it.

The same recogniser, phrases, understanding and session as in a game; for `voicechess hear` and measurements.

A game played without devices: a synthetic voice speaks into the real recogniser, the game answers.

Everything between sound and sound is what a real game uses; only microphone and loudspeaker are left out, so it runs
anywhere and as fast as the machine can.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache

import chess

from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings, Player
from voicechess.game.effects import Effect, Listen, Say
from voicechess.game.session import Session
from voicechess.language.confusions import NO_CONFUSIONS, load_confusions
from voicechess.language.lexicon import Lexicon
from voicechess.language.patterns import Literal, SlotPart
from voicechess.language.phrases import phrases
from voicechess.language.readings import interpret
from voicechess.language.wording import Wording
from voicechess.meaning import Command, Expectation, Hypothesis, Question, Reading, SpokenMove, Unclear, Word
from voicechess.moves.decisions import (
    Act,
    Ask,
    AskPromotion,
    Complete,
    Context,
    Decision,
    NotUnderstood,
    Play,
    Refuse,
    Reply,
)
from voicechess.moves.matching import candidates, decide
from voicechess.sound.model import SpeechModel
from voicechess.sound.pcm import converted
from voicechess.sound.recogniser import Completeness, RecognisedUtterance, Recogniser, recognise
from voicechess.sound.speech import Speech

# --- Whether words heard so far are something that can be answered: how long the silence after them must  ---

MOST_CONFUSED = 5.0
"""Dearer confusions are too rare to wait for."""


_NO_MOVE_ASKED = (None, Question.YES_NO)
"""Questions to which a part of a move is no answer, but the beginning of a move."""


def completeness(words: str, expectation: Expectation, lexicon: Lexicon) -> Completeness:
    """How far `words` go towards something that can be answered now. Cheap: called several times a second."""
    if not words:
        return Completeness.INCOMPLETE
    reading = _read(words, expectation, lexicon)
    if reading.cost > 0:
        return Completeness.INCOMPLETE
    if isinstance(reading.meaning, Command):
        return Completeness.MAY_GO_ON if _goes_on(words, lexicon) else Completeness.COMPLETE
    if isinstance(reading.meaning, SpokenMove) and expectation.question is Question.TRY_MICROPHONE:
        return Completeness.COMPLETE if reading.meaning.complete else Completeness.INCOMPLETE
    if expectation.board is None:
        return Completeness.COMPLETE
    if expectation.question in _NO_MOVE_ASKED:
        if isinstance(reading.meaning, SpokenMove) and _begins(reading.meaning, expectation.board):
            return Completeness.BEGUN
        if isinstance(reading.meaning, Unclear) and _goes_on_to_a_file(words, expectation, lexicon):
            return Completeness.BEGUN
    context = Context(expectation.question, expectation.candidates, expectation.partial)
    match decide(expectation.board, (reading,), context):
        case Play() if expectation.question is None and _begins_if_misheard(words, expectation, lexicon):
            return Completeness.MAY_GO_ON
        case Play() | Reply() | Act():
            return Completeness.COMPLETE
        case AskPromotion():
            return Completeness.MAY_GO_ON
        case Complete() | NotUnderstood():
            return Completeness.INCOMPLETE
        case _:
            # Not legal, or several: perhaps only the first half ("Eva vier … Eva fünf").
            return Completeness.MAY_GO_ON


def _read(words: str, expectation: Expectation, lexicon: Lexicon) -> Reading:
    """The words taken as they are."""
    hypothesis = Hypothesis(tuple(Word(word, 0, 0) for word in words.split()))
    return interpret((hypothesis,), expectation, lexicon, confusions=NO_CONFUSIONS)[0]


def _begins(move: SpokenMove, board: chess.Board) -> bool:
    """Whether this is how an announcement begins rather than ends: no target yet, or one's own piece on it.

    Whoever says "Dame Anna" pauses before "vier", even where only one move can be meant; whoever names the square of a
    piece of their own is about to say where it goes.
    """
    if move.castling is not None:
        return False
    return move.target is None or board.color_at(move.target) == board.turn


def _goes_on_to_a_file(words: str, expectation: Expectation, lexicon: Lexicon) -> bool:
    """Whether a beginning is followed by the file that it goes to ("Eva zwei Eva"), which alone has no meaning."""
    before, _, last = words.rpartition(" ")
    if expectation.board is None or not any(last in lexicon.heard.file_words(file) for file in range(8)):
        return False
    move = _read(before, expectation, lexicon).meaning
    return isinstance(move, SpokenMove) and move.target is not None and _begins(move, expectation.board)


def _begins_if_misheard(words: str, expectation: Expectation, lexicon: Lexicon) -> bool:
    """Whether an announcement begins like this if one word was taken for another that sounds like it.

    "Dame Bella zwei" is a move, "Dame Bella drei …" the beginning of one when the queen stands there: whoever pauses
    then must not find another move played.
    """
    board = expectation.board
    if board is None:
        return False
    for line, _ in load_confusions(lexicon.heard.code).answers(words.split(), MOST_CONFUSED):
        move = _read(line, expectation, lexicon).meaning
        if not isinstance(move, SpokenMove) or move.from_file is not None or move.target is None:
            continue
        if board.piece_at(move.target) == chess.Piece(move.piece or chess.PAWN, board.turn):
            return True
    return False


def _goes_on(words: str, lexicon: Lexicon) -> bool:
    """Whether some longer command begins with these words ("stellung" and "stellung weiß")."""
    return tuple(words.split()) in _beginnings(lexicon.heard)


@lru_cache(maxsize=4)
def _beginnings(lexicon: Lexicon) -> frozenset[tuple[str, ...]]:
    """The words that commands with something more behind them begin with."""
    found: set[tuple[str, ...]] = set()
    for patterns in lexicon.commands.values():
        for pattern in patterns:
            for sentence in pattern.expand():
                words = _literals(sentence)
                found.update(tuple(words[:length]) for length in range(1, len(words) + (len(words) < len(sentence))))
    return frozenset(found)


def _literals(sentence: Iterable[Literal | SlotPart]) -> list[str]:
    """The plain words a sentence begins with, up to its first slot."""
    words: list[str] = []
    for part in sentence:
        if not isinstance(part, Literal):
            break
        words.append(part.text)
    return words


# --- One utterance taken by itself: what was heard on a position and what the game would do about it ---

DECISIONS = {
    Play: "play",
    Ask: "ask",
    Complete: "ask",
    AskPromotion: "ask",
    Refuse: "refuse",
    Act: "command",
    Reply: "command",
    NotUnderstood: "unclear",
}

WAITED_MS = 60_000
"""The game has been listening for so long when a recording begins: nothing in it was said too early."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of an utterance. `decision`: play, ask, refuse, command or unclear; `move` only when played.

    `candidates`: legal moves with their costs, cheapest first; `say`: what the game answers.
    """

    heard: str
    decision: str
    move: chess.Move | None
    candidates: tuple[tuple[chess.Move, float], ...]
    say: str


def session_at(board: chess.Board) -> Session:
    """A game in this position, both sides at the microphone, its first announcements over."""
    session = Session(GameSettings(white=Player.VOICE, black=Player.VOICE, fen=board.fen()))
    for effect in session.handle(ev.Started(at_ms=0)):
        if isinstance(effect, Say):
            session.handle(ev.Spoken(at_ms=0, number=effect.utterance.number))
    return session


def outcome(utterance: RecognisedUtterance, board: chess.Board, lexicon: Lexicon, wording: Wording) -> Outcome:
    """What a game in this position does about the utterance."""
    session = session_at(board)
    readings = interpret(utterance.hypotheses, session.expectation, lexicon)
    decision: Decision = decide(board, readings)
    words = utterance.hypotheses[0].text if utterance.hypotheses else ""
    heard = ev.Heard(
        at_ms=WAITED_MS + utterance.ended_ms,
        readings=readings,
        words=words,
        began_ms=WAITED_MS + utterance.began_ms,
        ended_ms=WAITED_MS + utterance.ended_ms,
        above_room_db=utterance.level.above_db,
    )
    said = [wording.say(effect.utterance) for effect in session.handle(heard) if isinstance(effect, Say)]
    return Outcome(
        heard=heard.words,
        decision=DECISIONS[type(decision)],
        move=decision.move if isinstance(decision, Play) else None,
        candidates=tuple(candidates(board, readings)),
        say=" ".join(said),
    )


def expectation_at(board: chess.Board) -> Expectation:
    """What can be said by the player to move in this position."""
    return session_at(board).expectation


# --- A game played without devices: a synthetic voice speaks into the real recogniser, the game answers ---

RATE = 16_000
BEFORE_MS, AFTER_MS = 400, 1_200
"""Silence around a spoken sentence: what a room gives, and enough for the longest wait for more words."""


@dataclass
class Rehearsal:
    """Speaks, hears and keeps the sound of a conversation. `sound` is 16 kHz mono, 16 bit.

    `wording` is the program's, `spoken` that of the player, who speaks the language that the recogniser hears.
    `show(who, words)` is told every line: "player" or "program".
    """

    session: Session
    wording: Wording
    spoken: Wording
    lexicon: Lexicon
    model: SpeechModel
    player: Speech
    program: Speech
    show: Callable[[str, str], None]
    sound: bytearray = field(default_factory=bytearray)
    heard: str = ""
    _expectation: Expectation = field(default_factory=Expectation)

    @property
    def now_ms(self) -> int:
        """The conversation's own time: how much of it has been heard."""
        return len(self.sound) * 1000 // (2 * RATE)

    def start(self) -> None:
        """The first announcements."""
        self._perform(self.session.handle(ev.Started(at_ms=self.now_ms)))

    def speak(self, words: str) -> None:
        """The player says this; what the game makes of it is said."""
        self.show("player", words)
        voice = self.player.sound(self.spoken.for_voice(words))
        pcm = _silence(BEFORE_MS) + converted(voice.pcm, voice.rate, RATE, 1) + _silence(AFTER_MS)
        recogniser = Recogniser(self.model, RATE)
        expectation, lexicon = self._expectation, self.lexicon
        recogniser.expect(phrases(expectation, lexicon), lambda text: completeness(text, expectation, lexicon))
        began_ms = self.now_ms
        self.sound += pcm
        self.heard = ""
        for utterance in recognise(recogniser, pcm, began_ms):
            self.heard = utterance.hypotheses[0].text if utterance.hypotheses else ""
            readings = interpret(utterance.hypotheses, expectation, lexicon)
            self._perform(
                self.session.handle(
                    ev.Heard(
                        at_ms=max(self.now_ms, utterance.ended_ms),
                        readings=readings,
                        words=self.heard,
                        began_ms=utterance.began_ms,
                        ended_ms=utterance.ended_ms,
                        above_room_db=utterance.level.above_db,
                    )
                )
            )

    def answer(self, uci: str) -> None:
        """The opponent's move."""
        self._perform(self.session.handle(ev.OpponentMoved(at_ms=self.now_ms, uci=uci)))

    def _perform(self, effects: tuple[Effect, ...]) -> None:
        waiting = list(effects)
        while waiting:
            effect = waiting.pop(0)
            match effect:
                case Say(utterance):
                    text = self.wording.say(utterance)
                    self.show("program", text)
                    spoken = self.program.sound(self.wording.for_voice(text))
                    self.sound += converted(spoken.pcm, spoken.rate, RATE, 1) + _silence(150)
                    waiting += self.session.handle(ev.Spoken(at_ms=self.now_ms, number=utterance.number))
                case Listen(expectation):
                    self._expectation = expectation


def _silence(ms: int) -> bytes:
    return bytes(2 * RATE * ms // 1000)
