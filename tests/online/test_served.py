"""Games on a server: whatever it tells, in whatever order, the board is the server's and no move is sent twice."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.drivers.events import ending_fits, may_be_silent, random_event, spoken
from tests.storage.strategies import of
from voicechess.app.kinds import session_of
from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings, PersonalChoices, Player, start_board
from voicechess.game.effects import (
    Effect,
    Say,
    SendMove,
    ShowBoard,
    Sound,
    SpeakThrough,
    StopThinking,
    Think,
    UseBoardKeys,
)
from voicechess.game.phases import PLAYERS_TURN, Phase
from voicechess.game.session import Session
from voicechess.language.folders import LANGUAGES
from voicechess.language.sentences import load_sentences
from voicechess.language.wording import Wording
from voicechess.meaning import Reading
from voicechess.messages import one_line
from voicechess.online.link import LONGEST_LINE, harmless, link_key, link_of, refusal_key
from voicechess.opponents.lichess.transport import ServerFault
from voicechess.score.pgn import read_pgn, write_pgn
from voicechess.storage.codec import decode_event, encode_event

GAMES = {
    "white": GameSettings(black=Player.SERVER, time="10+5", white_name="anna", black_name="bernd"),
    "black": GameSettings(white=Player.SERVER, black=Player.VOICE, personal=PersonalChoices(chat=True)),
    "quick": GameSettings(
        black=Player.SERVER, time="1", touch_move=True, penalties=True, personal=PersonalChoices(quick=True)
    ),
    "chess960": GameSettings(black=Player.SERVER, chess960=37),
    "position": GameSettings(
        black=Player.SERVER, fen="r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
    ),
}
SENT: dict[str, int] = {}
"""How many moves were sent in the random games."""

WORDINGS = [Wording(language, strict=True) for language in LANGUAGES]


def told(effects: tuple[Effect, ...]) -> list[str]:
    """The keys of what is said."""
    return [effect.utterance.key for effect in effects if isinstance(effect, Say)]


def moves(session: Session) -> tuple[str, ...]:
    return tuple(ply.move.uci() for ply in session.plies)


def as_here(given: GameSettings, uci: tuple[str, ...]) -> tuple[str, ...] | None:
    """Moves of a server as the session has them; None where they are no game."""
    board, found = start_board(given), []
    try:
        for one in uci:
            move = board.parse_uci(one)
            if not move:
                return None
            board.push(move)
            found.append(move.uci())
    except ValueError:
        return None
    return tuple(found)


# --- a server that loses, refuses, repeats and takes back -------------------------------------------------------------


@dataclass
class Server:
    """The truth about one game, and what is on its way to it."""

    given: GameSettings
    random: Random
    board: chess.Board = field(init=False)
    sent: SendMove | None = None
    up: bool = True
    over: str = ""
    taken: int = 0

    def __post_init__(self) -> None:
        self.board = start_board(self.given)
        self.us = self.given.white is Player.VOICE

    def state(self, at_ms: int) -> ev.ServerState:
        past = start_board(self.given)
        told = []
        for move in self.board.move_stack:
            castles = past.is_castling(move) and self.random.random() < 0.5
            rook = chess.square(7 if past.is_kingside_castling(move) else 0, chess.square_rank(move.from_square))
            told.append(
                f"{chess.square_name(move.from_square)}{chess.square_name(rook)}"
                if castles and not past.chess960
                else past.uci(move)
            )
            past.push(move)
        timed = bool(self.given.time)
        return ev.ServerState(
            at_ms=at_ms,
            moves=tuple(told),
            white_ms=self.random.randrange(600_000) if timed else None,
            black_ms=self.random.randrange(600_000) if timed else None,
            status=self.over or "started",
            winner=self.random.choice([True, False, None]) if self.over else None,
            white_draws=self.random.random() < 0.1,
            black_draws=self.random.random() < 0.1,
            white_takes_back=self.random.random() < 0.1,
            black_takes_back=self.random.random() < 0.1,
            expires_ms=self.random.choice([None, 30_000]),
        )

    def take(self, request: SendMove) -> None:
        """A move is sent: it must be the one that the game waits for."""
        assert self.sent is None, "the one before has not been answered"
        self.sent, self.taken = request, self.taken + 1

    def happens(self, at_ms: int) -> list[ev.Event]:
        """The next thing that happens there."""
        random = self.random
        if self.sent is not None and random.random() < 0.6:
            return self.arrives(at_ms)
        kind = random.random()
        if kind < 0.05 and len(self.board.move_stack) > 1 and self.sent is None:
            for _ in range(random.choice([1, 1, 2])):
                self.board.pop()
        elif kind < 0.7 and self.board.turn != self.us and self.sent is None:
            self._moves()
        elif kind < 0.72 and self.sent is None:
            self._moves()
            self._moves()
        elif kind < 0.76:
            self.up = not self.up
            reason = random.choice(["network", "silent", "token", "busy", "gone", "what"])
            back = [ev.ServerLink(at_ms=at_ms, up=True), self.state(at_ms)]
            return back if self.up else [ev.ServerLink(at_ms=at_ms, up=False, reason=reason)]
        elif kind < 0.8:
            gone = random.random() < 0.6
            return [ev.ServerPresence(at_ms=at_ms, gone=gone, claim_ms=random.choice([None, 0, 9_000]))]
        elif kind < 0.84:
            return [ev.ServerChat(at_ms=at_ms, name=random.choice(["", "x\x1b[2J"]), text="a\nb")]
        elif kind < 0.842:
            self.over = random.choice(["mate", "draw", "aborted", "timeout", "what", "outoftime"])
        return [self.state(at_ms)] if self.up else []

    def _moves(self) -> None:
        legal = list(self.board.legal_moves)
        if legal:
            self.board.push(self.random.choice(legal))

    def arrives(self, at_ms: int) -> list[ev.Event]:
        """What was sent is made, refused, lost on its way or back, or made with an answer at once."""
        assert self.sent is not None
        request, self.sent = self.sent, None
        self.up = True  # what answers is there
        kind = self.random.random()
        legal = request.uci in [self.board.uci(move) for move in self.board.legal_moves]
        if kind < 0.1 or not legal:  # it may have been sent before a takeback was known
            reason = self.random.choice(["move", "token", "gone", "what"])
            return [ev.ServerRefused(at_ms=at_ms, request=request.number, reason=reason), self.state(at_ms)]
        if kind < 0.2:
            return [ev.ServerRefused(at_ms=at_ms, request=request.number, reason="lost"), self.state(at_ms)]
        self.board.push(self.board.parse_uci(request.uci))
        if kind < 0.4:
            self._moves()
        lost = ev.ServerRefused(at_ms=at_ms, request=request.number, reason="lost")
        return [lost, self.state(at_ms)] if kind > 0.9 else [self.state(at_ms)]


def player(session: Session, random: Random, at_ms: int, unsaid: list[int]) -> ev.Event:
    """A player who plays: announces a move when it is time, and hears everything to its end."""
    legal = list(session.board.legal_moves)
    if session.phase in PLAYERS_TURN and legal:
        whole = spoken(session.board, random.choice(legal))
        return ev.Heard(at_ms=at_ms, readings=(Reading(whole),), words="", began_ms=at_ms, ended_ms=at_ms)
    if not unsaid:
        return ev.Tick(at_ms=at_ms)
    last = unsaid[-1]
    unsaid.clear()
    return ev.Spoken(at_ms=at_ms, number=last)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", GAMES)
def test_the_board_is_the_servers_and_no_move_is_sent_twice(name: str, seed: int) -> None:
    given, random = GAMES[name], Random(f"{name} {seed}")
    live, replayed, server = session_of(given), session_of(given), Server(given, random)
    log: list[ev.Event] = []
    now_ms, unsaid = 0, list[int]()
    waiting: list[ev.Event] = [ev.Started(at_ms=0)]
    for _ in range(400):
        now_ms += random.choice([0, 5, 300, 2_000, 9_000])
        if not waiting:
            if random.random() < 0.02:  # the program is killed; what was sent may or may not have arrived
                if server.sent is not None and random.random() < 0.5:
                    server.arrives(now_ms)
                server.sent, server.up = None, True
                killed, live = live, session_of(given)
                for event in log:
                    live.handle(event)
                assert link_of(live._table) == link_of(killed._table)
                assert (live.phase, live.board, live.clock, live.plies) == (
                    killed.phase,
                    killed.board,
                    killed.clock,
                    killed.plies,
                )
                unsaid.clear()
                waiting += [ev.Resumed(at_ms=now_ms), server.state(now_ms)]
            elif random.random() < 0.4:
                waiting += server.happens(now_ms)
            elif random.random() < 0.6:
                waiting.append(player(live, random, now_ms, unsaid))
            else:
                waiting.append(random_event(live, random, now_ms, unsaid))
        if not waiting:
            continue
        event = decode_event(encode_event(waiting.pop(0)))
        if isinstance(event, ev.Resumed) and server.sent is not None:
            continue  # only a program that was killed comes back
        before = moves(live)
        log.append(event)
        effects = live.handle(event)
        if moves(live) != before:
            log.append(live.standing)  # as the journal keeps it
        assert replayed.handle(event) == effects
        assert moves(replayed) == moves(live)
        utterances = [effect.utterance for effect in effects if isinstance(effect, Say)]
        unsaid += [utterance.number for utterance in utterances]
        assert all(wording.say(utterance) for wording in WORDINGS for utterance in utterances)
        assert not any(isinstance(effect, Think | StopThinking) for effect in effects)
        for effect in effects:
            if isinstance(effect, SendMove):
                server.take(effect)
        if isinstance(event, ev.ServerState):
            there = as_here(given, event.moves)
            assert there is not None
            assert moves(live)[: len(there)] == there
            assert len(moves(live)) <= len(there) + (live.phase is not Phase.OVER)
            assert live.over == (event.status != "started") or log.index(event) == 0
        elif moves(live) != before:
            # Nothing else moves a piece but the player's own words, and what takes those back.
            assert isinstance(event, ev.Heard | ev.Spoken | ev.Tick | ev.ServerRefused | ev.Suspended | ev.Started) or (
                abs(len(moves(live)) - len(before)) <= 1
            )
        if isinstance(event, ev.Heard) and live.phase not in (Phase.REPEATING, Phase.OVER):
            done = any(
                isinstance(effect, Sound | SendMove | ShowBoard | SpeakThrough | UseBoardKeys) for effect in effects
            )
            assert utterances or done or may_be_silent(live), event
        assert ending_fits(live)
        if server.over and live.over:
            break
    SENT[name] = SENT.get(name, 0) + server.taken


def test_so_many_moves_were_sent() -> None:
    """The games above are such as players play: in none of their kinds nothing was sent."""
    assert all(SENT[name] >= 5 for name in SENT), SENT


SERVER_EVENTS: st.SearchStrategy[ev.Event] = st.one_of(
    [
        of(kind)
        for kind in (
            *(ev.ServerState, ev.ServerPresence, ev.ServerChat, ev.ServerLink, ev.ServerRefused, ev.ServerRated),
            *(ev.ServerProfile, ev.Resumed, ev.Tick, ev.Spoken, ev.Suspended),
        )
    ]
)
LINES = ("e2e4", "e2e4 e7e5", "e2e4 e7e5 g1f3", "d2d4", "", "e2e4 e7e5 e1e2 e8e7", "e2e5", "0000", "e2e4 \x1b")
TRUE_STATES = st.builds(
    ev.ServerState,
    at_ms=st.integers(0, 100_000),
    moves=st.sampled_from([tuple(line.split(" ")) if line else () for line in LINES]),
    status=st.sampled_from(["started", "started", "started", "created", "mate", "draw", ""]),
    winner=st.sampled_from([None, True]),
    white_ms=st.sampled_from([None, -5, 0, 7, 2**31 - 1]),
    black_ms=st.sampled_from([None, -5, 0, 7, 2**31 - 1]),
    white_draws=st.booleans(),
    black_draws=st.booleans(),
    white_takes_back=st.booleans(),
    black_takes_back=st.booleans(),
)


@settings(max_examples=100, deadline=None)
@given(
    st.sampled_from(sorted(GAMES)),
    st.lists(st.one_of(SERVER_EVENTS, TRUE_STATES, TRUE_STATES), max_size=12),
    st.randoms(),
)
def test_nothing_that_a_server_tells_raises(name: str, told_events: list[ev.Event], random: Random) -> None:
    live = session_of(GAMES[name])
    live.handle(ev.Started(at_ms=0))
    for number, event in enumerate(told_events):
        for one in (replace(event, at_ms=number * 1_000), random_event(live, random, number * 1_000 + 500, [])):
            was_over = live.over
            effects = live.handle(one)
            assert all(wording.say(say.utterance) for wording in WORDINGS for say in effects if isinstance(say, Say))
            there = as_here(GAMES[name], one.moves) if isinstance(one, ev.ServerState) else None
            if there is not None and not was_over:
                assert moves(live) in (there, *([moves(live)] if moves(live)[:-1] == there else []))


# --- single rules -----------------------------------------------------------------------------------------------------


def begun(given: GameSettings, *uci: str) -> Session:
    session = session_of(given)
    session.handle(ev.Started(at_ms=0))
    session.handle(ev.ServerState(at_ms=1, moves=uci))
    return session


def test_server_events_change_nothing_in_a_game_that_is_played_here() -> None:
    session = session_of(GameSettings(black=Player.VOICE))
    session.handle(ev.Started(at_ms=0))
    assert session.handle(ev.ServerState(at_ms=1, moves=("e2e4",), status="mate", winner=True)) == ()
    assert session.handle(ev.ServerLink(at_ms=1, up=False, reason="lost")) == ()
    assert not session.plies and not session.over


def test_what_an_engine_would_do_changes_nothing_in_a_game_on_a_server() -> None:
    session = begun(GAMES["black"])
    session.handle(ev.Tick(at_ms=60_000))
    for event in (
        ev.OpponentMoved(at_ms=60_001, uci="e2e4"),
        ev.OpponentMoved(at_ms=60_001, uci=None),
        ev.OpponentFailed(at_ms=60_001, reason="gone", final=True),
        ev.OpponentAnswered(at_ms=60_001, accepts=True),
    ):
        assert session.handle(event) == ()
    assert not session.plies and session.phase is Phase.THINKING


def test_a_state_that_comes_before_the_game_begins_is_not_lost() -> None:
    session = session_of(GAMES["white"])
    assert session.handle(ev.ServerState(at_ms=0, moves=("e2e4", "e7e5"))) == ()
    assert told(session.handle(ev.Started(at_ms=1)))[-2:] == ["move.opponent", "move.opponent"]
    assert moves(session) == ("e2e4", "e7e5")


def test_our_own_laws_end_nothing_at_a_server() -> None:
    """Mate, five times the same position and an empty clock on this board are no end while the server plays on."""
    mate = ("f2f3", "e7e5", "g2g4", "d8h4")
    session = begun(GAMES["white"], *mate)
    assert moves(session) == mate and not session.over
    shuffle = ("g1f3", "g8f6", "f3g1", "f6g8") * 5
    assert not begun(GAMES["white"], *shuffle).over
    late = session_of(GAMES["white"])
    late.handle(ev.Started(at_ms=0))
    late.handle(ev.ServerState(at_ms=1, moves=("e2e4", "e7e5"), white_ms=10, black_ms=10))
    late.handle(ev.Tick(at_ms=600_000))
    assert late.clock.remaining(chess.WHITE, 600_000) == 0 and not late.over


@pytest.mark.parametrize(
    ("status", "winner", "ending"),
    [
        ("mate", True, "checkmate"),
        ("resign", False, "resignation"),
        ("outoftime", True, "time"),
        ("outoftime", None, "time_no_mate"),
        ("timeout", True, "left"),
        ("timeout", None, "left_draw"),
        ("stalemate", None, "stalemate"),
        ("draw", None, "agreement"),
        ("aborted", None, "aborted"),
        ("noStart", False, "no_start"),
        ("noStart", None, "aborted"),
        ("cheat", True, "cheating"),
        ("variantEnd", True, "server"),
        ("unknownFinish", None, "server_end"),
        ("insufficientMaterialClaim", None, "server_draw"),
        ("mate", None, "server_end"),
        ("something new", False, "server"),
        ("something new", None, "server_end"),
    ],
)
def test_every_ending_of_the_server_has_its_own(status: str, winner: bool | None, ending: str) -> None:
    session = begun(GAMES["white"], "e2e4", "e7e5")
    session.handle(ev.ServerState(at_ms=2, moves=("e2e4", "e7e5"), status=status, winner=winner))
    assert session.ending is not None
    assert (session.ending.way.value, session.ending.winner) == (ending, winner)


@pytest.mark.parametrize(
    ("fen", "line", "ending"),
    [
        ("8/8/8/4k3/8/8/4K2n/8 w - - 0 1", "e2e3", "dead_position"),
        (chess.STARTING_FEN, "g1f3 g8f6 f3g1 f6g8 " * 2, "threefold"),
        (chess.STARTING_FEN, "g1f3 g8f6 f3g1 f6g8 " * 4, "fivefold"),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 99 80", "a1a2", "fifty_moves"),
    ],
)
def test_why_it_is_a_draw_is_looked_up_on_the_board(fen: str, line: str, ending: str) -> None:
    session = begun(replace(GAMES["white"], fen=fen))
    session.handle(ev.ServerState(at_ms=2, moves=tuple(line.split()), status="draw"))
    assert session.ending is not None and session.ending.way.value == ending


def test_the_score_has_the_sites_headers_and_the_servers_clocks() -> None:
    given = replace(GAMES["white"], site="https://lichess.org/abcdefgh", rated=True, white_rating=1500)
    session = begun(given)
    for at_ms, line, white_ms, black_ms in ((2, "e2e4", 600_000, 600_000), (3, "e2e4 e7e5", 600_000, 598_000)):
        session.handle(ev.ServerState(at_ms=at_ms, moves=tuple(line.split()), white_ms=white_ms, black_ms=black_ms))
    end = ev.ServerState(
        at_ms=4, moves=("e2e4", "e7e5"), white_ms=590_000, black_ms=598_000, status="resign", winner=False
    )
    session.handle(end)
    text = write_pgn(session.score)
    for line in (
        '[Event "Rated game"]',
        '[Site "https://lichess.org/abcdefgh"]',
        '[White "anna"]',
        '[Black "bernd"]',
        '[Result "0-1"]',
        '[WhiteElo "1500"]',
        '[TimeControl "600+5"]',
        '[Termination "normal"]',
    ):
        assert line in text
    assert "BlackElo" not in text and "Laws" not in text
    back = read_pgn(text)[0]
    assert [made.move.uci() for made in back.entries] == ["e2e4", "e7e5"]
    assert [(made.white_ms, made.black_ms) for made in back.entries] == [(600_000, 600_000), (600_000, 598_000)]


def test_reasons_that_a_server_fails_for_have_sentences() -> None:
    keys = load_sentences("de").templates
    reasons = (ServerFault.__doc__ or "").split('"')[1::2]
    assert {"network", "token", "busy", "other"} <= set(reasons)
    assert all(f"server.link.{link_key(reason)}" in keys for reason in (*reasons, "", "never heard of"))
    assert all(f"server.refused.{refusal_key(reason)}" in keys for reason in ("move", "wish", "lost", "busy", "", "?"))


@given(st.text(st.characters(codec=None, exclude_categories=()), max_size=3 * LONGEST_LINE))
def test_what_strangers_write_is_harmless(text: str) -> None:
    said = harmless(text, LONGEST_LINE)
    assert len(said) <= LONGEST_LINE
    assert said.isprintable() and one_line(said) == said
    assert said == said.strip() and "  " not in said


def test_a_long_row_of_accents_is_one() -> None:
    assert harmless("Zoe\u0308\u0301\u0301\u0301", 30) == "Zo\u00eb\u0301"
    assert harmless("a\u202eb \U0001f600 c\x1b[31md", 30) == "a b cd"
