"""Dialogues as files: what is heard, what must be said, the position after.

A dialogue is a text file in tests/dialogues:

    # What it shows
    time: 5+3                   the game's settings; and "lang: en"
    greeting: yes               what is said and done at the start is written too; else only what comes after it
    listens: yes                Listen and Think are written too
    fen: ...
    correspondence: white german K7QM
                                the side of the player here, the notation and the mark of its lines
    day: 2026-11-23             the day on which it begins; further on: another day has come

    > eva vier                  heard, by voice
    >> e2e4                     typed
    >| korrektur                heard while the sentences before are still being said; so ">>|", "restart|", "sleep|: 9"
    >!| korrektur               the same with headphones
    >^| eva vier                words that followed before anything of the sentences before could be heard
    ><| eva vier                words that began three seconds earlier, before what was said last
    >a eva vier / ja            heard, two readings of the same cost
    >n eva fünf / eva vier      heard, the second at a cost of three more: no rival, but near
    >b acht pause               heard, the first word softer, so that others may have said it
    >u eva vier                 heard, but too doubtfully for the move to be played
    >f eva vier                 the same, because the sound fits the words badly
    < Bauer Eva zwei Eva vier.  must be said, exactly this and nothing else
    ! GameEnded 1-0 checkmate   must be done (all effects but Say; Listen and Think only with "listens: yes")
    ! Think level 3, 4:58.000 +3 against 5:00.000 +3
                                the engine is to move: its level, and in a timed game what White and Black have
    ? 20 moves, usual commands  what the recogniser is offered from here on: how many legal moves may be announced, the
                                question with its candidates, and the commands: `USUAL`, "+" others, "-" some of them
    engine: e7e5                the engine moves: "e7e5", "e7e5 offers", "e7e5 claims", "resigns", "accepts",
                                "declines", "fails silent", "fails gone final", "judges 20 -5 mate", "judges nothing",
                                "hints g1f3", "hints"
    server: moves e2e4 e7e5     so the game stands at the server; also "clock 4:58 5:00" (else as here), "draws white",
                                "takes back black", "is resign", "wins white", "expires 30" (seconds), all in one line
    server: gone 8              the opponent has gone, and the game can be claimed in so many seconds; "server: gone"
    server: back                and is back
    server: down network        the connection is lost; "server: up"
    server: refuses move        what was asked last; "server: refuses move 2": request number 2
    server: rated 8             what the game has changed in the rating; "server: rated unknown"
    server: profile GM DE 3 2 1 who the opponent is: title and country ("-": none), games against each other, points
    server: chat Anna: Hallo    what the opponent has written; "\\x1b" is that character, here and in black_name
    letter: 1. e4 e5            a line is pasted
    wait: 30                    seconds pass
    noise: 8                    from here on speech is only so many decibels above the noise of the room
    sleep: 3600                 the machine sleeps for so many seconds
    lost: microphone            a device fails; "missing: microphone" was never there; "found: microphone"
    trouble: key                something else fails
    late: 5000                  the envelope is opened so many seconds after the agreed time, or before it if negative;
                                "late: lost" and "late: lost 5000" without key
    restart                     the program ends; the game is replayed and resumed
    phase: listening            the phase at the end
    position: ...               the position at the end
    clock: 5:02 5:00            what White and Black have left at the end

Words are understood by the real understanding; sentences are made by the real wording. One second is spoken and a
fifth of a second decoded for each hearing; each sentence takes half a second.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from pathlib import Path

import chess

from tests.drivers.hearer import DOUBT
from tests.drivers.levels import level_with
from voicechess.app.envelopes import sealed
from voicechess.app.hearing import Hearing
from voicechess.app.kinds import session_of
from voicechess.app.mailbox import Mailbox, letter_words
from voicechess.game import events as ev
from voicechess.game.agreement import Correspondence, GameSettings, PersonalChoices, Player, Preset
from voicechess.game.commands import SAYABLE
from voicechess.game.effects import (
    AdjustVoice,
    Effect,
    GameEnded,
    GiveTime,
    KeepChoice,
    KeepPrivate,
    Listen,
    LookUpOpponent,
    OpenEnvelope,
    Say,
    SendChat,
    SendMove,
    SendWish,
    ShowBoard,
    ShowLetter,
    ShowText,
    SpeakBriskly,
    SpeakThrough,
    Think,
    WearHeadphones,
)
from voicechess.game.kind import Games
from voicechess.game.phases import Phase
from voicechess.game.session import Session
from voicechess.language.confusions import NO_CONFUSIONS
from voicechess.language.lexicon import Lexicon, load
from voicechess.language.readings import FIT_COST
from voicechess.language.thresholds import load_thresholds
from voicechess.language.wording import Wording
from voicechess.laws.draws import Quickplay
from voicechess.meaning import Expectation, Hypothesis, Meaning, RecognisedUtterance, SpokenMove, Word
from voicechess.messages import Phrase, Slot, Utterance
from voicechess.score.letters import LineNotation, line_of, read_letter

THRESHOLDS = load_thresholds()

FOLDER = Path(__file__).parent.parent / "dialogues"
NEAR = 3.0
"""Log-likelihood by which the second hypothesis of ">n" is less likely."""

SOFTER_DB = 6.0
"""Decibels by which the first word of ">b" is softer."""

UNSURE_FIT = THRESHOLDS.fit - DOUBT / FIT_COST
"""Fit of ">f"."""

OUTPUTS = ("<", "!", "?", "phase:", "position:", "clock:")
"""Beginnings of lines that are outputs."""

USUAL = SAYABLE[Games.CASUAL][Phase.LISTENING]
"""The commands expected on the player's turn, and in most other phases."""

SPEAKING_MS = 1_000
DECODING_MS = 200
SENTENCE_MS = 500
EARLIER_MS = 3_000
THINKING_MS = 2_000
NONCE = bytes(range(16))
OLD_KEY = bytes(range(32))
"""Key of the envelopes in `tests/journals`."""
NOW = datetime(2026, 11, 21, 18, 0)


@dataclass
class Dialogue:
    """A dialogue file."""

    about: str  # its first comment
    settings: dict[str, str]
    lines: list[str]


def read(path: Path) -> Dialogue:
    """Read a dialogue file. Settings end at the first empty line."""
    head, _, body = path.read_text(encoding="utf-8").partition("\n\n")
    about = "\n".join(line for line in head.splitlines() if line.startswith("#"))
    settings = dict(line.split(": ", 1) for line in head.splitlines() if not line.startswith("#"))
    return Dialogue(about, settings, [line for line in body.splitlines() if line.strip()])


def game_settings(given: dict[str, str]) -> GameSettings:
    """The settings of a game from the lines of a dialogue's head."""
    found = GameSettings(
        white=Player(given.get("white", "voice")),
        black=Player(given.get("black", "engine")),
        time=given.get("time", ""),
        laws=int(given.get("laws", "2023")),
        fen=given.get("fen", GameSettings().fen),
        chess960=int(given["chess960"]) if "chess960" in given else None,
        preset=Preset(given.get("preset", "casual")),
        default_minutes=int(given["default_time"]) if "default_time" in given else None,
        touch_move=given.get("touch_move") == "yes",
        penalties=given.get("penalties") == "yes",
        quickplay=Quickplay(given.get("quickplay", "claims")),
        draw_after=int(given.get("draw_after", "0")),
        draw_consent=given.get("draw_consent") == "yes",
        white_name=given.get("white_name", ""),
        black_name=_unescaped(given.get("black_name", "")),
        site=given.get("site", ""),
        board=int(given.get("board", "0")),
        rated=given.get("rated") == "yes",
        personal=PersonalChoices(quick=given.get("quick") == "yes", chat=given.get("chat") == "yes"),
        white_rating=int(given["white_rating"]) if "white_rating" in given else None,
        black_rating=int(given["black_rating"]) if "black_rating" in given else None,
        correspondence=_correspondence(given.get("correspondence", "")),
    )
    unknown = set(given) - {"white", "black", "time", "laws", "fen", "chess960", "preset", "lang"}
    unknown -= {"default_time", "touch_move", "penalties", "white_name", "black_name", "greeting", "listens"}
    unknown -= {"white_rating", "black_rating", "board"}
    unknown -= {"quickplay", "draw_after", "draw_consent"}
    unknown -= {"site", "rated", "quick", "chat", "correspondence", "day"}
    assert not unknown, f"unknown settings: {unknown}"
    return found


def _correspondence(text: str) -> Correspondence | None:
    if not text:
        return None
    colour, notation, *key = text.split()
    return Correspondence(colour == "white", LineNotation(notation), "".join(key))


@dataclass
class Play:
    """A dialogue being played."""

    dialogue: Dialogue
    goes_on: Session | None = None  # a game that was played before, up to `now_ms`
    now_ms: int = 0
    session: Session = field(init=False)
    log: list[ev.Event] = field(default_factory=list)
    said: list[Utterance] = field(default_factory=list)
    said_keys: set[str] = field(default_factory=set)  # of all sentences, also those in slots of others
    greeting: tuple[str, ...] = ()  # the lines at the start
    phases: set[str] = field(default_factory=set)  # that were reached
    commands: set[str] = field(default_factory=set)  # names of those recognised
    unsaid: list[int] = field(default_factory=list)  # numbers of the queued utterances
    private: KeepPrivate = field(default_factory=lambda: KeepPrivate(None))
    envelope: bytes = OLD_KEY  # the key of the last seal
    late: str = "0"  # the last "late:"
    requests: list[int] = field(default_factory=list)  # numbers of requests to the server
    snr_db: int = 40  # of the next utterances

    def __post_init__(self) -> None:
        language = self.dialogue.settings.get("lang", "de")
        self.lexicon: Lexicon = load(language)
        self.hearing = Hearing(self.lexicon, NO_CONFUSIONS)
        self.wording = Wording(language, strict=True)
        self.listens = self.dialogue.settings.get("listens") == "yes"
        self.session = self.goes_on or session_of(game_settings(self.dialogue.settings))

    def run(self) -> list[str]:
        """Play all inputs; returns the lines of the file with the resulting outputs."""
        inputs = [line for line in self.dialogue.lines if not line.startswith(OUTPUTS)]
        first = ev.Started(at_ms=0) if self.goes_on is None else ev.Resumed(at_ms=self.now_ms)
        if "day" in self.dialogue.settings:
            list(self._outputs(ev.DayCame(at_ms=0, day=self.dialogue.settings["day"])))
        lines = list(self._outputs(first))
        if self.goes_on is None:
            self.greeting = tuple(line for line in lines if not line.startswith(("?", "! Think")))
            lines = lines if self.dialogue.settings.get("greeting") == "yes" else []
        for line, following in zip(["", *inputs], [*inputs, ""], strict=True):
            lines += ["", line, *self._input(line)] if line else []
            if not _into_speech(following):
                lines += self._finish_speaking()
        lines += self._end()
        return lines if lines[0] else lines[1:]

    def _input(self, line: str) -> Iterator[str]:
        mark, _, rest = line.partition(" ")
        if mark == ">>" and self.session.settings.correspondence is not None:
            pasted = Mailbox().typed(rest, letter_words(self.lexicon))
            if pasted.letter is not None:
                yield from self._outputs(ev.LetterCame(at_ms=self.now_ms, letter=pasted.letter))
                return
        if mark in (">", ">>", ">|", ">>|", ">a", ">a|", ">n", ">n|", ">u", ">f", ">b", "><|", ">!|", ">^|"):
            event, key = sealed(self._heard(rest, mark), self.private, NONCE, NOW)
            self.envelope = key or self.envelope
            yield from self._outputs(event)
            return
        match mark.rstrip(":|"):
            case "engine":
                self.now_ms += THINKING_MS
                yield from self._outputs(self._engine(rest))
            case "server":
                yield from self._outputs(self._server(rest))
            case "wait":
                self.now_ms += int(float(rest) * 1_000)
                yield from self._outputs(ev.Tick(at_ms=self.now_ms))
            case "day":
                yield from self._outputs(ev.DayCame(at_ms=self.now_ms, day=rest))
            case "letter":
                letter = read_letter(rest, letter_words(self.lexicon))
                assert letter is not None, f"no line: {rest}"
                yield from self._outputs(ev.LetterCame(at_ms=self.now_ms, letter=letter))
            case "noise":
                self.snr_db = int(rest)
            case "sleep":
                self.now_ms += int(rest) * 1_000
                yield from self._outputs(ev.Suspended(at_ms=self.now_ms, gap_ms=int(rest) * 1_000))
            case "late":
                self.late = rest
            case "lost":
                yield from self._outputs(ev.DeviceLost(at_ms=self.now_ms, device=rest))
            case "missing":
                yield from self._outputs(ev.DeviceLost(at_ms=self.now_ms, device=rest, was_there=False))
            case "found":
                yield from self._outputs(ev.DeviceFound(at_ms=self.now_ms, device=rest))
            case "trouble":
                yield from self._outputs(ev.Trouble(at_ms=self.now_ms, key=rest))
            case "restart":
                self.session = session_of(self.session.settings)
                for event in self.log:
                    self.session.handle(event)
                self.unsaid.clear()
                self.now_ms += 10_000
                yield from self._outputs(ev.Resumed(at_ms=self.now_ms))
            case _:
                raise AssertionError(f"what is {line!r}?")

    def _heard(self, words: str, mark: str) -> ev.Heard:
        began_ms = self.now_ms - (EARLIER_MS if mark == "><|" else 0)
        typed = mark in (">>", ">>|")
        self.now_ms += 0 if typed else SPEAKING_MS
        ended_ms = self.now_ms
        self.now_ms += 0 if typed else DECODING_MS
        alternatives = words.split(" / ") if mark[:2] in (">a", ">n") else [words]
        less_likely = NEAR if mark.startswith(">n") else 0.0
        hypotheses = tuple(
            Hypothesis(
                tuple(
                    Word(word, began_ms, ended_ms, below_db=SOFTER_DB if mark == ">b" and not place else 0.0)
                    for place, word in enumerate(one.split())
                ),
                log_likelihood=-less_likely * number,
                fit=UNSURE_FIT if mark == ">f" else None,
            )
            for number, one in enumerate(alternatives)
        )
        said = RecognisedUtterance(hypotheses, began_ms, ended_ms, None if typed else level_with(self.snr_db))
        source = ev.Source.KEYBOARD if typed else ev.Source.VOICE
        hearing = replace(self.hearing, doubt=DOUBT) if mark == ">u" else self.hearing
        heard = hearing.understood(said, self.session.expectation, self.now_ms, source)
        self.commands.update(name for reading in heard.readings if (name := _command(reading.meaning)))
        return replace(heard, cut_in=mark == ">!|", ahead=mark == ">^|")

    def _engine(self, what: str) -> ev.Event:
        first, *rest = what.split()
        match first:
            case "resigns":
                return ev.OpponentMoved(at_ms=self.now_ms, uci=None)
            case "hints":
                return ev.HintFound(at_ms=self.now_ms, uci=rest[0] if rest else None)
            case "accepts" | "declines":
                return ev.OpponentAnswered(at_ms=self.now_ms, accepts=first == "accepts")
            case "judges":
                scores = tuple(None if one == "mate" else int(one) for one in rest if one != "nothing")
                return ev.ClaimJudged(at_ms=self.now_ms, scores=scores or None)
            case "fails":
                return ev.OpponentFailed(at_ms=self.now_ms, reason=rest[0], final="final" in rest)
        return ev.OpponentMoved(
            at_ms=self.now_ms, uci=first, offers_draw="offers" in rest, claims_draw="claims" in rest
        )

    def _server(self, what: str) -> ev.Event:
        first, _, rest = what.partition(" ")
        at_ms = self.now_ms
        match first:
            case "gone":
                return ev.ServerPresence(at_ms=at_ms, gone=True, claim_ms=int(rest) * 1_000 if rest else None)
            case "back":
                return ev.ServerPresence(at_ms=at_ms, gone=False)
            case "up" | "down":
                return ev.ServerLink(at_ms=at_ms, up=first == "up", reason=rest)
            case "rated":
                return ev.ServerRated(at_ms=at_ms, change=None if rest == "unknown" else int(rest))
            case "profile":
                title, country, *record = rest.split()
                points = tuple(round(2 * float(one)) for one in record[1:])
                return ev.ServerProfile(
                    at_ms=at_ms,
                    title=title.strip("-"),
                    country=country.strip("-"),
                    games=int(record[0]) if record else None,
                    half_points=(points[0], points[1]) if points else (0, 0),
                )
            case "chat":
                name, _, text = _unescaped(rest).partition(": ")
                return ev.ServerChat(at_ms=at_ms, name=name, text=text)
            case "refuses":
                reason, _, number = rest.partition(" ")
                return ev.ServerRefused(at_ms=at_ms, request=int(number or self.requests[-1]), reason=reason)
        return self._server_state(what.split())

    def _server_state(self, words: list[str]) -> ev.ServerState:
        """The state described by a line; what it does not name is as in the session."""
        parts: dict[str, list[str]] = {}
        for word in words:
            if word in ("moves", "clock", "draws", "takes", "is", "wins", "expires"):
                parts[word] = []
            else:
                parts[list(parts)[-1]].append(word)
        left = [self.session.clock.remaining(colour, self.now_ms) for colour in (True, False)]
        if "clock" in parts:
            left = [int(m) * 60_000 + int(s) * 1_000 for m, s in (one.split(":") for one in parts["clock"])]
        return ev.ServerState(
            at_ms=self.now_ms,
            moves=tuple(parts.get("moves", ())),
            white_ms=left[0],
            black_ms=left[1],
            status=parts["is"][0] if "is" in parts else "started",
            winner=parts["wins"] == ["white"] if "wins" in parts else None,
            white_draws="white" in parts.get("draws", ()),
            black_draws="black" in parts.get("draws", ()),
            white_takes_back="white" in parts.get("takes", ()),
            black_takes_back="black" in parts.get("takes", ()),
            expires_ms=int(parts["expires"][0]) * 1_000 if "expires" in parts else None,
        )

    def _outputs(self, event: ev.Event) -> Iterator[str]:
        self.log.append(event)
        effects = self.session.handle(event)
        self.phases.add(self.session.phase.value)
        for effect in effects:
            if isinstance(effect, Say):
                self.unsaid.append(effect.utterance.number)
                self.said.append(effect.utterance)
                self.said_keys.update((*_keys(effect.utterance), self.wording.shortest(effect.utterance.key)))
                yield f"< {self.wording.say(effect.utterance)}"
            elif isinstance(effect, SpeakBriskly):
                self.wording = self.wording.briskly(effect.on)
                yield f"! SpeakBriskly {'yes' if effect.on else 'no'}"
            elif isinstance(effect, KeepPrivate):
                self.private = effect
            elif isinstance(effect, OpenEnvelope):
                lost, late = "lost" in self.late, int(self.late.removeprefix("lost") or 0) * 1_000
                early = 0 if effect.anyway else max(0, -late)
                key = self.envelope.hex() if effect.wanted and not (lost or early) else ""
                opened = ev.EnvelopeOpened(at_ms=self.now_ms, key=key, late_ms=max(0, late), early_ms=early)
                yield from self._outputs(opened)
            elif isinstance(effect, Listen):
                if self.listens:
                    yield f"? {_offered(effect.expectation)}"
            elif isinstance(effect, ShowLetter):
                yield f"! ShowLetter {line_of(effect.letter, letter_words(self.lexicon))}"
            elif isinstance(effect, ShowText):
                yield from (f"! ShowText {line}".rstrip() for line in effect.lines)
            elif self.listens or not isinstance(effect, Think):
                if isinstance(effect, SendMove | SendWish | SendChat | GiveTime | LookUpOpponent):
                    self.requests.append(effect.number)
                yield f"! {_shown(effect)}"

    def _finish_speaking(self) -> Iterator[str]:
        while self.unsaid:
            self.now_ms += SENTENCE_MS
            yield from self._outputs(ev.Spoken(at_ms=self.now_ms, number=self.unsaid.pop(0)))

    def _end(self) -> Iterator[str]:
        yield ""
        yield f"phase: {self.session.phase.value}"
        yield f"position: {self.session.board.fen()}"
        if self.session.settings.time and self.session.settings.correspondence is None:
            left = [self.session.clock.remaining(colour, self.now_ms) or 0 for colour in (True, False)]
            yield "clock: " + " ".join(map(_clock, left))


def _unescaped(text: str) -> str:
    """With "\\x1b" and "\\u202e" replaced by these characters."""
    return re.sub(r"\\(?:x(\w{2})|u(\w{4}))", lambda found: chr(int(found[1] or found[2], 16)), text)


def _into_speech(line: str) -> bool:
    return line.partition(" ")[0].rstrip(":").endswith("|")


def _command(meaning: Meaning) -> str:
    return getattr(meaning, "name", "")


def _shown(effect: Effect) -> str:
    match effect:
        case GameEnded(result, termination):
            return f"GameEnded {result} {termination}"
        case AdjustVoice(rate, volume):
            return f"AdjustVoice {rate:+d} {volume:+d}"
        case WearHeadphones(on):
            return f"WearHeadphones {'yes' if on else 'no'}"
        case KeepChoice(values):
            return "KeepChoice " + ", ".join(f"{name} {value}" for name, value in values.items())
        case SendMove(uci, offers_draw):
            return f"SendMove {uci}" + (" offers" if offers_draw else "")
        case SendWish(wish):
            return f"SendWish {wish.value}"
        case SendChat(text):
            return f"SendChat {text}"
        case GiveTime(seconds):
            return f"GiveTime {seconds}"
        case SpeakThrough(reader):
            return "SpeakThrough the screen reader" if reader else "SpeakThrough our own voice"
        case ShowBoard(shown):
            return "ShowBoard" if shown else "ShowBoard no more"
        case Think(white_ms=None):
            return f"Think level {effect.level}"
        case Think():
            sides = ((effect.white_ms, effect.white_increment_ms), (effect.black_ms, effect.black_increment_ms))
            clocks = (_clock(ms or 0) + (f" +{added // 1_000}" if added else "") for ms, added in sides)
            return f"Think level {effect.level}, {' against '.join(clocks)}"
    tone = getattr(effect, "tone", None)
    alone = " alone" if getattr(effect, "alone", False) else ""
    return type(effect).__name__ + (f" {tone.value}{alone}" if tone is not None else "")


def _clock(ms: int) -> str:
    return f"{ms // 60_000}:{ms / 1000 % 60:06.3f}"


def _offered(expected: Expectation) -> str:
    """The expectation in one line."""
    parts = []
    if expected.board is not None:
        parts.append(f"{expected.board.legal_moves.count()} moves")
    if expected.asked.kind is not None:
        parts.append(" ".join([expected.asked.kind.value, *(move.uci() for move in expected.asked.candidates)]))
    if expected.asked.partial is not None:
        parts.append(" ".join(["said", *_said(expected.asked.partial)]))
    if expected.asked.whole:
        parts.append("the whole move")
    return ", ".join([*parts, _commands(expected.commands)])


def _said(partial: SpokenMove) -> Iterator[str]:
    """The known fields of a partial move: "piece=knight", "to_file=d"."""
    for part in fields(partial):
        value = getattr(partial, part.name)
        if value is None or value is False:
            continue
        match part.name.rpartition("_")[2]:
            case "file":
                value = chess.FILE_NAMES[value]
            case "rank":
                value = chess.RANK_NAMES[value]
            case "piece" | "promotion" | "captured":
                value = chess.piece_name(value)
        yield part.name if value is True else f"{part.name}={value}"


def _commands(names: frozenset[str] | None) -> str:
    if not names:
        return "all commands" if names is None else "no commands"
    more, fewer = sorted(names - USUAL), sorted(USUAL - names)
    if len(more) + len(fewer) > len(names):
        return "commands " + " ".join(sorted(names))
    return " ".join(["usual commands", *(f"+{name}" for name in more), *(f"-{name}" for name in fewer)])


def _keys(message: Utterance | Phrase) -> Iterator[str]:
    yield message.key
    waiting: list[Slot] = list(message.slots.values())
    while waiting:
        slot = waiting.pop()
        waiting.extend(getattr(slot, "items", ()) if not isinstance(slot, dict) else ())
        if isinstance(slot, Phrase):
            yield from _keys(slot)


def written(dialogue: Dialogue, lines: list[str]) -> str:
    """The text of the file with these lines."""
    settings = [f"{name}: {value}" for name, value in dialogue.settings.items()]
    return "\n".join([dialogue.about, *settings, "", *lines]) + "\n"
