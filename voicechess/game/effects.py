"""Effects: what the game wants done. The loop performs them in order; the session itself has no side effects.

An `Announcer` numbers the utterances of one conversation, and handles commands that work alike in every conversation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

import chess

from voicechess.language.folders import SWITCHES
from voicechess.laws.adjournment import Envelope
from voicechess.laws.clock import Clock
from voicechess.meaning import Expectation
from voicechess.messages import Phrase, Priority, Slot, Tone, Utterance
from voicechess.score.letters import Letter


@dataclass(frozen=True, slots=True, kw_only=True)
class LobbyRequest:
    """A request to a server outside a game (`online.lobby`), answered by one event with the same number."""

    number: int = 0


@dataclass(frozen=True, slots=True)
class Say:
    """Say this."""

    utterance: Utterance


@dataclass(frozen=True, slots=True)
class Sound:
    """Play a short tone."""

    tone: Tone
    alone: bool = False  # nothing is said with it, so a player without tones gets a word instead


@dataclass(frozen=True, slots=True)
class Hush:
    """Stop speaking and clear the queue."""


@dataclass(frozen=True, slots=True)
class Listen:
    """Expect this from now on, instead of what was expected before. Without headphones recognition pauses during
    speech."""

    expectation: Expectation


@dataclass(frozen=True, slots=True)
class Think:
    """The engine is to move, or will be once the move being repeated is made. Answered by OpponentMoved or
    OpponentFailed."""

    board: chess.Board
    white_ms: int | None  # White's remaining time; None: untimed
    black_ms: int | None  # likewise Black's
    white_increment_ms: int = 0
    black_increment_ms: int = 0
    level: int = 5  # 1 to 10
    number: int = 0
    game: int = 0


@dataclass(frozen=True, slots=True)
class ConsiderDraw:
    """The player offers a draw; answered by OpponentAnswered."""

    board: chess.Board
    level: int = 5
    number: int = 0
    game: int = 0


@dataclass(frozen=True, slots=True)
class JudgeClaim:
    """Judge a claim that the other side cannot, or makes no effort to, win by normal means. Answered by ClaimJudged."""

    board: chess.Board
    claimant: chess.Color
    plies: int  # number of plies to play on for both sides, or to evaluate
    made: bool = (
        False  # "no effort": evaluate the last plies made, which are on the board's stack, instead of playing on
    )
    number: int = 0
    game: int = 0


@dataclass(frozen=True, slots=True)
class SeekHint:
    """The player to move wants a hint; answered by HintFound."""

    board: chess.Board
    number: int = 0
    game: int = 0


Request = Think | ConsiderDraw | JudgeClaim | SeekHint
"""Requests to an opponent. `number` is assigned when it is made and repeated in its answer, so that late answers are
recognised. `game`: number of the game, from 1, if several are in progress; 0: the only one."""


@dataclass(frozen=True, slots=True)
class SendMove:
    """Send this move to the server. Never resent while it is unknown whether the server has it."""

    uci: str  # castling as the king's move, in Chess960 as king takes rook
    offers_draw: bool = False  # with a draw offer
    number: int = 0
    game: int = 0


class Wish(Enum):
    """Wishes to a server besides moves."""

    RESIGN = "resign"
    ABORT = "abort"
    BERSERK = "berserk"  # half of the own time, in an arena
    OFFER_DRAW = "offer_draw"
    ACCEPT_DRAW = "accept_draw"
    DECLINE_DRAW = "decline_draw"
    PROPOSE_TAKEBACK = "propose_takeback"
    ACCEPT_TAKEBACK = "accept_takeback"
    DECLINE_TAKEBACK = "decline_takeback"
    CLAIM_VICTORY = "claim_victory"
    CLAIM_DRAW = "claim_draw"


@dataclass(frozen=True, slots=True)
class SendWish:
    """Send a wish to the server."""

    wish: Wish
    number: int = 0
    game: int = 0


@dataclass(frozen=True, slots=True)
class GiveTime:
    """Give the opponent more time, on a server."""

    seconds: int
    number: int = 0
    game: int = 0


@dataclass(frozen=True, slots=True)
class SendChat:
    """Send this chat line to the opponent."""

    text: str
    number: int = 0
    game: int = 0


@dataclass(frozen=True, slots=True)
class LookUpOpponent:
    """Request the opponent's profile. Answered by ServerProfile."""

    number: int = 0
    game: int = 0


ServerRequest = SendMove | SendWish | GiveTime | SendChat | LookUpOpponent
"""Requests to a server in a game, numbered by the game. A move or a wish is answered by the next ServerState, or by
ServerRefused with the same number; of the others only failures are reported. `game`: board number, if several are in
progress."""


@dataclass(frozen=True, slots=True)
class KeepPrivate:
    """Seal announced moves and report them as `Sealed`: they are neither shown nor recorded nor passed to the game."""

    envelope: Envelope | None  # what they are sealed into; None: stop sealing
    clock: Clock | None = None  # the game's, for the times on the envelope
    resumes_in_ms: int | None = None  # time until play resumes; None: not agreed


@dataclass(frozen=True, slots=True)
class OpenEnvelope:
    """Play resumes: determine how early or late it is, and the envelope's key, which is in the journal from then on.
    Answered by EnvelopeOpened."""

    envelope: Envelope
    wanted: bool = True  # return the key
    anyway: bool = False  # return it also before the agreed time


@dataclass(frozen=True, slots=True)
class StopThinking:
    """Cancel the engine's request (takeback, end)."""

    game: int = 0  # as in a request


@dataclass(frozen=True, slots=True)
class AdjustVoice:
    """Change the voice."""

    rate: int = 0  # in steps: -1, 0 or +1
    volume: int = 0  # likewise


@dataclass(frozen=True, slots=True)
class SpeakThrough:
    """Speak through the player's screen reader, or with the program's own voice. The result is announced."""

    reader: bool  # False: with the program's own voice


@dataclass(frozen=True, slots=True)
class WearHeadphones:
    """Listen while speaking."""

    on: bool  # False: stop doing so


@dataclass(frozen=True, slots=True)
class Mute:
    """Mute speech after the next sentence, which says so, and show text only."""

    on: bool  # False: unmute


@dataclass(frozen=True, slots=True)
class SpeakBriskly:
    """Announce moves in their shortest form."""

    on: bool  # False: in the usual form


@dataclass(frozen=True, slots=True)
class KeepChoice:
    """The player has chosen these values of settings, by name: for later games, and for later starts where the settings
    file has only the default."""

    values: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class SpeakLanguage:
    """Speak another language, starting with the following effects."""

    code: str  # of the language: "de", "en"


@dataclass(frozen=True, slots=True)
class ShowLetter:
    """Show this line for copying, without speaking it."""

    letter: Letter


@dataclass(frozen=True, slots=True)
class ShowText:
    """Show these lines for copying, without speaking them."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShowBoard:
    """Show the board to sighted spectators on a page. The result is announced."""

    shown: bool = True  # False: stop doing so


@dataclass(frozen=True, slots=True)
class UseBoardKeys:
    """Let keys at the terminal walk over the board (`app.board_keys`). The result is announced."""


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game is over."""

    result: str  # one of `RESULTS`
    termination: str  # a key below [sentences.result]


@dataclass(frozen=True, slots=True)
class NewGame:
    """The player wants another game (this one is kept)."""


@dataclass(frozen=True, slots=True)
class End:
    """End the program."""

    code: int = 0  # exit status


Effect = (
    Say
    | Sound
    | Hush
    | Listen
    | Think
    | ConsiderDraw
    | JudgeClaim
    | SeekHint
    | SendMove
    | SendWish
    | GiveTime
    | SendChat
    | LookUpOpponent
    | KeepPrivate
    | OpenEnvelope
    | StopThinking
    | AdjustVoice
    | SpeakThrough
    | WearHeadphones
    | Mute
    | SpeakBriskly
    | KeepChoice
    | SpeakLanguage
    | ShowLetter
    | ShowText
    | ShowBoard
    | UseBoardKeys
    | GameEnded
    | NewGame
    | End
    | LobbyRequest
)


VoiceChange = AdjustVoice | WearHeadphones | Mute | SpeakLanguage

VOICE_CHANGES: Mapping[str, VoiceChange] = {
    "louder": AdjustVoice(volume=1),
    "softer": AdjustVoice(volume=-1),
    "faster": AdjustVoice(rate=1),
    "slower": AdjustVoice(rate=-1),
    "headphones": WearHeadphones(True),
    "no_headphones": WearHeadphones(False),
    "sound_off": Mute(True),
    "sound_on": Mute(False),
    **{command: SpeakLanguage(code) for command, code in SWITCHES.items()},
}
"""Command -> the change of speech or listening it asks for, wherever it is given."""


def change_told(command: str) -> str:
    """Key of the sentence that confirms one of `VOICE_CHANGES`; a language confirms itself in its own words."""
    return f"voice.{'language' if command in SWITCHES else command}"


class Announcer:
    """Numbers the utterances of one conversation: `Spoken` refers to them by number.

    `first`: numbers start above it, so that alternating conversations never share one.
    """

    def __init__(self, first: int = 0) -> None:
        self.last_number = first

    def utterance(
        self, key: str, slots: Mapping[str, Slot] | None = None, priority: Priority = Priority.NORMAL
    ) -> Utterance:
        """The sentence `key` with a new number."""
        self.last_number += 1
        return Utterance(key, slots or {}, priority, self.last_number)

    def say(self, *phrases: Phrase, priority: Priority = Priority.NORMAL) -> tuple[Say, ...]:
        """These sentences, one utterance each."""
        return tuple(Say(self.utterance(phrase.key, phrase.slots, priority)) for phrase in phrases)

    def stop(self) -> tuple[Hush | Say, ...]:
        """ "Stopp": stop speaking, and confirm it with a word."""
        return (Hush(), *self.say(Phrase("stopped"), priority=Priority.NOW))

    def adjust_voice(self, command: str) -> tuple[VoiceChange | Say, ...]:
        """One of VOICE_CHANGES, effective from its confirmation on."""
        return (VOICE_CHANGES[command], *self.say(Phrase(change_told(command))))
