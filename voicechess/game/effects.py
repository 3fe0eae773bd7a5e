"""What the game wants done. The loop performs effects in order; the session touches nothing itself.

An `Announcer` numbers what one conversation says, and answers what is answered alike in every conversation.
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
    """Something asked of a server outside a game (`online.lobby`). One event with the same number answers it."""

    number: int = 0


@dataclass(frozen=True, slots=True)
class Say:
    """Say this."""

    utterance: Utterance


@dataclass(frozen=True, slots=True)
class Sound:
    """Play a short tone. `alone`: nothing is said with it, so a player who hears no tones is to get a word instead."""

    tone: Tone
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Hush:
    """Stop speaking at once and forget what was waiting."""


@dataclass(frozen=True, slots=True)
class Listen:
    """From now on this can be said; replaces what was expected before. Recognition pauses while we speak."""

    expectation: Expectation


@dataclass(frozen=True, slots=True)
class Think:
    """The engine is to move, or will be when the move that is being repeated has been made. Clocks in milliseconds,
    None when untimed. Replied by OpponentMoved or OpponentFailed."""

    board: chess.Board
    white_ms: int | None
    black_ms: int | None
    white_increment_ms: int = 0
    black_increment_ms: int = 0
    level: int = 5
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
    """`claimant` says that the other side cannot win by normal means: play so many `plies` for both sides. Or that
    it makes no effort to (`made`): look at the last `plies` that were made, of which `board` has the moves.

    Replied by ClaimJudged.
    """

    board: chess.Board
    claimant: chess.Color
    plies: int
    made: bool = False
    number: int = 0
    game: int = 0


@dataclass(frozen=True, slots=True)
class SeekHint:
    """The player to move wants a hint; answered by HintFound."""

    board: chess.Board
    number: int = 0
    game: int = 0


Request = Think | ConsiderDraw | JudgeClaim | SeekHint
"""What an opponent is asked. `number` is given when it is asked, and its answer has the same: one that comes late, when
something else has been asked or nothing is wanted any more, is recognised by that. `game`: which of several games it
belongs to, from 1, as its answer does; 0: there is only one."""


@dataclass(frozen=True, slots=True)
class SendMove:
    """Send this move to the server, castling as the king's move, in Chess960 as king takes rook. Never sent again while
    it is not known whether the server has it. `offers_draw`: the move offers a draw."""

    uci: str
    offers_draw: bool = False
    number: int = 0
    game: int = 0


class Wish(Enum):
    """What a player can want of the server besides a move."""

    RESIGN = "resign"
    ABORT = "abort"
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
    """Tell the server what the player wants."""

    wish: Wish
    number: int = 0
    game: int = 0


@dataclass(frozen=True, slots=True)
class GiveTime:
    """Add so many seconds to the opponent's clock."""

    seconds: int
    number: int = 0
    game: int = 0


@dataclass(frozen=True, slots=True)
class SendChat:
    """Write this line to the opponent."""

    text: str
    number: int = 0
    game: int = 0


@dataclass(frozen=True, slots=True)
class LookUpOpponent:
    """Ask who the opponent is. Replied by ServerProfile."""

    number: int = 0
    game: int = 0


ServerRequest = SendMove | SendWish | GiveTime | SendChat | LookUpOpponent
"""What a server is asked in a game. The game numbers them itself. The next ServerState answers a move or a wish, or
ServerRefused with the same number; of the others only that they failed is told, once. `game`: the number of its board,
where several are played at once."""


@dataclass(frozen=True, slots=True)
class KeepPrivate:
    """From now on moves that are announced are sealed into `envelope` and come as `Sealed`: they are neither shown nor
    recorded nor handed to the game. None: no longer. `clock` is the game's, for the time used on the envelope;
    `resumes_in_ms`: when play is to go on, from now, if that was agreed."""

    envelope: Envelope | None
    clock: Clock | None = None
    resumes_in_ms: int | None = None


@dataclass(frozen=True, slots=True)
class OpenEnvelope:
    """Play is to go on: how early or late is it, and the envelope's key. Replied by EnvelopeOpened.

    The key is only given if it is `wanted`, and before the agreed time only if play goes on `anyway`: it lies in the
    journal then.
    """

    envelope: Envelope
    wanted: bool = True
    anyway: bool = False


@dataclass(frozen=True, slots=True)
class StopThinking:
    """The engine's answer is not wanted any more (take back, end). `game`: as in a request."""

    game: int = 0


@dataclass(frozen=True, slots=True)
class AdjustVoice:
    """Change speech: `rate` and `volume` are steps of -1, 0 or +1."""

    rate: int = 0
    volume: int = 0


@dataclass(frozen=True, slots=True)
class SpeakThrough:
    """From now on the player's screen reader reads what is said (`reader`), or our own voice speaks. What comes of it
    is said."""

    reader: bool


@dataclass(frozen=True, slots=True)
class WearHeadphones:
    """From now on the program listens while it speaks, or does not any more (`on` False)."""

    on: bool


@dataclass(frozen=True, slots=True)
class Mute:
    """After the next sentence, which says so, nothing is heard any more and all is shown; or again (`on` False)."""

    on: bool


@dataclass(frozen=True, slots=True)
class SpeakBriskly:
    """From now on moves are repeated and announced in their shortest form, or no longer (`on` False)."""

    on: bool


@dataclass(frozen=True, slots=True)
class SpeakLanguage:
    """From now on the program speaks the language of this code ("de", "en"), what follows in these effects included."""

    code: str


@dataclass(frozen=True, slots=True)
class ShowLetter:
    """Show this line, to be copied. It is not spoken."""

    letter: Letter


@dataclass(frozen=True, slots=True)
class ShowText:
    """Show these lines, to be copied. They are not spoken."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShowBoard:
    """Show the game to sighted spectators on a page, or no longer (`shown` False). What comes of it is said."""

    shown: bool = True


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The result stands, one of `RESULTS`; `termination` is a key below [sentences.result]."""

    result: str
    termination: str


@dataclass(frozen=True, slots=True)
class NewGame:
    """The player wants another game (this one is kept)."""


@dataclass(frozen=True, slots=True)
class End:
    """End the program with this exit status."""

    code: int = 0


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
    | SpeakLanguage
    | ShowLetter
    | ShowText
    | ShowBoard
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
"""Command -> the change of voice and ear that it asks for, wherever it is said."""


def change_told(command: str) -> str:
    """The key of the sentence that confirms one of `VOICE_CHANGES`: a language confirms itself, in its own words."""
    return f"voice.{'language' if command in SWITCHES else command}"


class Announcer:
    """Numbers the utterances of one conversation: `Spoken` tells by its number which of them has ended.

    `first`: the numbers begin above it, so that two conversations that take turns never use the same one.
    """

    def __init__(self, first: int = 0) -> None:
        self.last_number = first

    def utterance(
        self, key: str, slots: Mapping[str, Slot] | None = None, priority: Priority = Priority.NORMAL
    ) -> Utterance:
        """The sentence `key` under a number of its own."""
        self.last_number += 1
        return Utterance(key, slots or {}, priority, self.last_number)

    def say(self, *phrases: Phrase, priority: Priority = Priority.NORMAL) -> tuple[Say, ...]:
        """These sentences, one utterance each."""
        return tuple(Say(self.utterance(phrase.key, phrase.slots, priority)) for phrase in phrases)

    def stop(self) -> tuple[Hush | Say, ...]:
        """ "Stopp": silence now, and the word that says that it was heard."""
        return (Hush(), *self.say(Phrase("stopped"), priority=Priority.NOW))

    def adjust_voice(self, command: str) -> tuple[VoiceChange | Say, ...]:
        """One of VOICE_CHANGES: the change holds from the word that confirms it on."""
        return (VOICE_CHANGES[command], *self.say(Phrase(change_told(command))))
