"""A score as PGN (Edwards' PGN standard), written and read.

Written by python-chess, except escaping and clock times. Comments carry, in this order: [%clk H:MM:SS] of the side that
moved (with milliseconds if there are any), [%oclk …] of the other side if it has changed, "(=)" for a draw offer, notes
as [%illegal w 0:02:00 Ke3], "[%after]" before notes that follow the move, and foreign text. Own tags: "TimeNotation"
(what TimeControl cannot express), "Laws" (edition), "Ending" (a `results.Way`) and, for results that PGN does not have,
"Points" ("1/2-0").

Reading is strict: each game gives a whole score or a `Failure` with the reason, never part of a game and never another
game. python-chess' reader skips what it does not understand: "Sf3" becomes the pawn move f3, null moves and broken
variations slip through, some input raises IndexError. So the text is tokenised here, every token must be valid, and
only the moves are left to python-chess. German piece letters, figurines, dashes of any kind and tag names in any case
are accepted. Variations and numeric annotation glyphs (NAGs) are skipped: a score has one line of moves (see `tree`).

`pgn_index` has already split a file into games, so an unreadable one does not affect the others.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import chess

from voicechess.laws.results import Ending, Way
from voicechess.laws.time_controls import SIDES, TimeControl, parse_time, pgn_time_control, read_pgn_time
from voicechess.messages import Failure, Slot, Text, one_line
from voicechess.score.openings import opening_of
from voicechess.score.pgn_index import PgnIndex
from voicechess.score.position import read_position
from voicechess.score.score import UNDATED, UNKNOWN_TAG, Entry, Note, NoteKind, Score, parse_san

if TYPE_CHECKING:
    import chess.pgn

# --- Writing ---

TIME_NOTATION, LAWS, ENDING, POINTS = "TimeNotation", "Laws", "Ending", "Points"
_COLUMNS = 80  # of a line, as the standard recommends
AFTER = "[%after]"
"""Marks the notes behind it as incidents after the move, not before it."""

_BAR = "|"
"""Separator between White's time control and Black's in our tag, for earlier versions; elsewhere it is `SIDES`."""
_TAG_NAME = re.compile(r"[^\s\"\[\]{}]{1,64}")


def write_pgn(score: Score) -> str:
    """The score as one PGN game, ending with a blank line."""
    import chess.pgn

    game = chess.pgn.Game()
    game.setup(score.start())
    node: chess.pgn.GameNode = game
    game.comment = in_comment(score.comment)
    before: dict[chess.Color, int | None] = {colour: start_ms(score.time, colour) for colour in chess.COLORS}
    for board, made in score.positions():
        mover = board.turn
        node = node.add_variation(made.move, comment=_comment(made, mover, before[not mover]))
        before = {colour: made.left_ms(colour) for colour in chess.COLORS}
    if score.after:
        node.comment = " ".join([*filter(None, [node.comment]), AFTER, *map(_note, score.after)])
    return write_game(score, game)


def write_game(score: Score, game: chess.pgn.Game) -> str:
    """As `write_pgn`, but with the moves, variations and comments of `game`."""
    import chess.pgn

    game.headers["Result"] = score.pgn_result
    movetext = game.accept(chess.pgn.StringExporter(headers=False, columns=_COLUMNS))
    head = "\n".join(f'[{name} "{escaped(value)}"]' for name, value in _tags(score))
    return f"{head}\n\n{movetext}\n\n"


def start_ms(time: TimeControl | None, colour: chess.Color) -> int | None:
    """A side's time before the first move in milliseconds; None if unknown or untimed."""
    return None if time is None or time.untimed else time.period(colour, 0).first_ms


def escaped(value: str) -> str:
    r"""A tag's value on one line, with `\` and `"` escaped."""
    return in_comment(value).replace("\\", "\\\\").replace('"', '\\"')


def in_comment(text: str) -> str:
    """`text` on one line without braces, which would end a comment."""
    return " ".join(one_line(text).replace("{", " ").replace("}", " ").split())


def clock_text(ms: int) -> str:
    """Milliseconds as "H:MM:SS" or "H:MM:SS.mmm"."""
    seconds, rest = divmod(ms, 1_000)
    whole = f"{seconds // 3_600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{whole}.{rest:03}" if rest else whole


def _tags(score: Score) -> list[tuple[str, str]]:
    foreign = dict(score.tags)
    tags = [
        ("Event", foreign.pop("Event", "?")),
        ("Site", foreign.pop("Site", "?")),
        ("Date", score.date),
        ("Round", foreign.pop("Round", "-")),
        ("White", score.white or "?"),
        ("Black", score.black or "?"),
        ("Result", score.pgn_result),
    ]
    if score.chess960:
        tags.append(("Variant", "Chess960"))
    if score.fen != chess.STARTING_FEN:
        tags += [("SetUp", "1"), ("FEN", score.start().fen())]
    if score.time is not None:
        tags += [
            ("TimeControl", pgn_time_control(score.time)),
            (TIME_NOTATION, score.time.notation.replace(SIDES, _BAR) or "-"),
        ]
    if score.edition is not None:
        tags.append((LAWS, str(score.edition)))
    if score.ending is not None:
        tags += [("Termination", score.ending.termination), (ENDING, score.ending.way.value)]
        if score.ending.result != score.ending.pgn_result:
            tags.append((POINTS, score.ending.result))
    if "ECO" not in foreign and "Opening" not in foreign:
        tags += _opening(score)
    taken = {name for name, _ in tags} | {"SetUp", "FEN", "Variant"}
    return tags + [(name, value) for name, value in foreign.items() if name not in taken and _TAG_NAME.fullmatch(name)]


def _opening(score: Score) -> list[tuple[str, str]]:
    """The tags ECO and Opening of a finished game; during play they would be forbidden help (Laws, Art. 11.3)."""
    if score.pgn_result == "*":
        return []
    found = opening_of(score.board())
    return [] if found is None else [("ECO", found.eco), ("Opening", found.english)]


def _comment(made: Entry, mover: chess.Color, other_before: int | None) -> str:
    parts = []
    own, other = made.left_ms(mover), made.left_ms(not mover)
    if own is not None:
        parts.append(f"[%clk {clock_text(own)}]")
    if other is not None and other != other_before:
        parts.append(f"[%oclk {clock_text(other)}]")
    if made.draw_offered:
        parts.append("(=)")
    parts += [_note(note) for note in made.notes]
    comment = in_comment(made.comment)
    return " ".join([*parts, comment] if comment else parts)


def _note(note: Note) -> str:
    text = in_comment(note.text).replace("[", "").replace("]", "")
    colour = "w" if note.colour == chess.WHITE else "b"
    sign = "-" if note.ms < 0 else ""
    return f"[%{note.kind.value} {colour} {sign}{clock_text(abs(note.ms))} {text}".rstrip() + "]"


# --- Reading ---

MAX_CHARACTERS = 4_000_000
"""Longest game that is read, in characters. The longest with comments have some 100,000. Larger: more time on
malicious files."""
MAX_PLIES = 6_000
MAX_TAGS = 100

SIGNS = {
    "!": 1,
    "?": 2,
    "!!": 3,
    "??": 4,
    "!?": 5,
    "?!": 6,
    "□": 7,
    "=": 10,
    "∞": 13,
    "⩲": 14,
    "⩱": 15,
    "±": 16,
    "∓": 17,
}
SIGNS |= {
    "‼": 3,
    "⁇": 4,
    "⁉": 5,
    "⁈": 6,
    "+=": 14,
    "=+": 15,
    "+/=": 14,
    "=/+": 15,
    "+/-": 16,
    "-/+": 17,
    "+-": 18,
    "-+": 19,
}
"""Signs for numeric annotation glyphs, with their numbers (PGN specification, 10)."""

TOKEN = re.compile(
    r"""
      (?P<space>\s+|^%[^\n]*|\.{2,}|…|e\.p\.)
    | (?P<sign>\$\d{1,6}|[!?]{1,2}|[‼⁇⁉⁈□∞⩲⩱±∓]|(?:\+/?[-=]|[-=]/?\+|=)(?=[\s{;()]|\Z))
    | (?P<tag>\[\s*(?P<name>[^\s"\[\]{}]{1,64})\s*"(?:(?P<value>(?:[^\\\n]|\\.)*?)|(?P<raw>[^\n]*?))"\s*\])
    | (?P<comment>\{[^}]*\}(?:\s*\{[^}]*\})*|;[^\n]*|\(=\))
    | (?P<open>\()
    | (?P<close>\))
    | (?P<result>(?:1[-‐-―−]0|0[-‐-―−]1|(?:1/2|½)(?:[-‐-―−](?:1/2|½))?|\*)(?=[\s{};()\[]|\Z))
    | (?P<number>(?!0000)\d{1,5}(?:\.+|…|(?=\s|\Z)))
    | (?P<move>[A-Za-z0@♔-♟‐-―−-][^\s(){};$!?\[\]‼⁇⁉⁈□∞⩲⩱±∓]{0,15})
    """,
    re.VERBOSE | re.MULTILINE,
)
_BRACES = re.compile(r"\{([^}]*)\}")
BRACKET = re.compile(r"\[%[^\[\]]*\]")
_COMMAND = re.compile(
    r"\[%(?P<name>[a-z]+)(?:\s+(?P<side>[wb]))?\s+(?P<minus>-)?(?P<h>\d{1,4}):(?P<m>\d{1,2}):(?P<s>\d{1,2})(?:\.(?P<ms>\d{1,3}))?(?:\s+(?P<text>.*))?\]",
    re.DOTALL,
)
"""A command in brackets in a comment. Matched against whole brackets only: searching a long comment with unclosed ones
would take quadratic time."""
NULL = frozenset({"--", "Z0", "0000", "@@@@", "null", "pass"})
_STANDARD = frozenset({"", "?", "-", "standard", "chess", "normal", "regular", "orthodox", "fromposition"})
_CHESS960 = frozenset({"chess960", "960", "frc", "fischerandom", "fischerrandom", "freestyle", "wild/fr"})
_RESULTS = {
    "1-0": "1-0",
    "0-1": "0-1",
    "1/2-1/2": "1/2-1/2",
    "½-½": "1/2-1/2",
    "1/2": "1/2-1/2",
    "½": "1/2-1/2",
    "*": "*",
}
_TAGS: tuple[str, ...] = (
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "Result",
    "Variant",
    "SetUp",
    "FEN",
    "TimeControl",
)
_TAGS += ("ECO", "Opening", "Termination", TIME_NOTATION, LAWS, ENDING, POINTS)
_CANONICAL = {name.lower(): name for name in _TAGS}
_OWN = frozenset({"Date", "White", "Black", "Result", "Variant", "SetUp", "FEN", TIME_NOTATION, LAWS, ENDING})


def _refused(reason: str, game: int, slots: Mapping[str, Slot] | None = None) -> Failure:
    """The failure of a game that cannot be read; `game` counts from 1."""
    return Failure("pgn.error." + reason, {"game": game, **(slots or {})})


@dataclass(slots=True)
class _Draft:
    """A partly read game."""

    number: int
    tags: dict[str, str] = field(default_factory=dict)
    board: chess.Board | None = None
    score: Score = field(default_factory=Score)
    entries: list[Entry] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)  # since the last move
    after: list[Note] = field(default_factory=list)  # incidents since the last move
    depth: int = 0  # of nested variations
    result: str | None = None

    @property
    def begun(self) -> bool:
        return self.board is not None


def read_pgn(text: str) -> tuple[Score, ...]:
    """All games in `text`. Raises `Failure` at the first that is invalid, illegal or too large."""
    return tuple(score for score, _ in read_games(text))


def read_games(text: str) -> tuple[tuple[Score, str], ...]:
    """As `read_pgn`, each game with its part of the text, which has its variations (`tree.read_tree`)."""
    index = PgnIndex(io.BytesIO(text.encode(errors="replace")))
    parts = [index.text(number) for number in range(1, len(index) + 1)]
    if not parts:
        raise _refused("empty", 1)
    return tuple((read_game(part, number), part) for number, part in enumerate(parts, 1))


def read_game(text: str, number: int = 1) -> Score:
    """The single game in `text`; `number` in its file, from 1. Raises `Failure` with the reason if it is invalid."""
    if len(text) > MAX_CHARACTERS:
        raise _refused("too_large", number)
    draft = _Draft(number)
    at = 0
    while at < len(text):
        found = TOKEN.match(text, at)
        if found is None:
            key = "comment" if text[at] == "{" else "token"
            raise _refused(key, number, {"text": Text(_shown(text[at:]))})
        at = found.end()
        if found["tag"] is not None:
            _tag(draft, found)
        elif found["comment"] is None or draft.tags or draft.begun:  # else a comment before the game
            _movetext(draft, found)
    return _finished(draft)


def read_tags(text: str) -> dict[str, str]:
    """The tags of a game as far as they can be read, for its title. Never raises."""
    draft = _Draft(1)
    for found in TOKEN.finditer(text):
        if found["tag"] is not None and len(draft.tags) < MAX_TAGS:
            _tag(draft, found)
        elif found["move"] is not None and draft.tags:
            break
    return draft.tags


def players(tags: Mapping[str, str]) -> tuple[str, ...]:
    """The known names of the players, White's first."""
    return tuple(
        name
        for name in (tags.get("White", UNKNOWN_TAG), tags.get("Black", UNKNOWN_TAG))
        if name.strip() not in ("", UNKNOWN_TAG)
    )


def title(tags: Mapping[str, str]) -> str:
    """The players; without any the chapter of a study, or the event; "" if nothing is known."""
    named = " – ".join(players(tags))
    others = (tags.get(name, "").strip() for name in ("ChapterName", "Event"))
    return named or next((one for one in others if one not in ("", UNKNOWN_TAG)), "")


def comments_in(token: str) -> list[str]:
    """The texts of the comments in a `comment` token."""
    if token.startswith("{"):
        return _BRACES.findall(token)
    return [token if token == "(=)" else token[1:]]


def _tag(draft: _Draft, found: re.Match[str]) -> None:
    name = _CANONICAL.get(found["name"].lower(), found["name"])
    if draft.depth or draft.begun or len(draft.tags) >= MAX_TAGS:
        raise _refused("token", draft.number, {"text": Text(_shown(name))})
    value = found["raw"] if found["value"] is None else found["value"]
    value = re.sub(r'\\([\\"])', r"\1", value)
    # The first of two tags with one name counts, so that a later one cannot forge it.
    draft.tags.setdefault(name, value)


def _movetext(draft: _Draft, found: re.Match[str]) -> None:
    if found["space"]:
        return
    if not draft.begun:
        _begin(draft)
    token = found[0]
    if draft.result is not None and not found["comment"]:
        raise _refused("token", draft.number, {"text": Text(_shown(token))})
    if found["open"]:
        draft.depth += 1
    elif found["close"]:
        draft.depth -= 1
        if draft.depth < 0:
            raise _refused("variation", draft.number)
    elif draft.depth:
        return
    elif found["comment"]:
        draft.comments += comments_in(token)
    elif found["result"]:
        draft.result = _RESULTS[plain_dashes(token)]
    elif found["move"]:
        _move(draft, token)


def plain_dashes(text: str) -> str:
    """The text with all dashes replaced by hyphens."""
    return re.sub("[‐-―−]", "-", text)


def _begin(draft: _Draft) -> None:
    """Set up the starting position once the tags are complete."""
    variant = draft.tags.get("Variant", "").strip()
    plain = re.sub(r"[\s_-]|chess$", "", variant.lower())
    if plain not in _STANDARD | _CHESS960:
        raise _refused("variant", draft.number, {"text": Text(_shown(variant))})
    fen = draft.tags.get("FEN", "").strip()
    if not fen and draft.tags.get("SetUp") == "1":
        raise _refused("fen", draft.number)
    try:
        draft.board, dropped = read_position(fen or chess.STARTING_FEN, plain in _CHESS960)
    except Failure as failure:
        raise _refused("impossible_fen", draft.number, {"reason": failure.phrase}) from failure
    except ValueError as error:
        raise _refused("fen", draft.number) from error
    draft.score = replace(_from_tags(draft.tags, draft.board), dropped=dropped)


def _from_tags(tags: Mapping[str, str], board: chess.Board) -> Score:
    time = _time(tags)
    edition = tags.get(LAWS, "")
    own = _OWN | ({"TimeControl"} if time is not None else set())
    return Score(
        white=tags.get("White", "?"),
        black=tags.get("Black", "?"),
        date=tags.get("Date", UNDATED),
        fen=board.fen(),
        chess960=board.chess960,
        time=time,
        edition=int(edition) if re.fullmatch(r"[0-9]{4}", edition) else None,
        tags=tuple((name, value) for name, value in tags.items() if name not in own),
    )


def _time(tags: Mapping[str, str]) -> TimeControl | None:
    """The time control by our own tag if it agrees with the standard tag; otherwise by the standard tag."""
    standard = tags.get("TimeControl", "").replace(" ", "")
    try:
        control = parse_time(tags[TIME_NOTATION].replace(_BAR, SIDES))
    except (KeyError, Failure):
        return read_pgn_time(standard)
    return control if standard in ("", pgn_time_control(control)) else read_pgn_time(standard)


def _move(draft: _Draft, token: str) -> None:
    board = draft.board
    assert board is not None
    if plain_dashes(token) in NULL:
        raise _refused("null_move", draft.number)
    if len(draft.entries) >= MAX_PLIES:
        raise _refused("too_large", draft.number)
    try:
        move = parse_san(board, token)
    except ValueError as error:
        if plain_dashes(token) == "0-0" and plain_dashes(draft.tags.get("Result", "0-0")) not in _RESULTS:
            raise _refused("result_unknown", draft.number, {"text": Text("0-0")}) from error
        slots: dict[str, Slot] = {"text": Text(_shown(token)), "move": board.fullmove_number}
        raise _refused("move", draft.number, slots) from error
    _settle_comments(draft)
    mover = board.turn
    other = draft.entries[-1].left_ms(not mover) if draft.entries else start_ms(draft.score.time, not mover)
    white, black = (None, other) if mover == chess.WHITE else (other, None)
    board.push(move)
    draft.entries.append(Entry(move, white, black))
    draft.after.clear()


def _settle_comments(draft: _Draft) -> None:
    """Attach the comments since the last move to it, all at once: there may be millions."""
    comment = " ".join(draft.comments)
    draft.comments.clear()
    if not comment:
        return
    if not draft.entries:
        text = " ".join(f"{draft.score.comment} {comment}".split())
        draft.score = replace(draft.score, comment=text)
        return
    assert draft.board is not None
    entry, mover = draft.entries[-1], not draft.board.turn
    left = {colour: entry.left_ms(colour) for colour in chess.COLORS}
    notes = list(entry.notes)
    noted = notes

    def command(bracket: re.Match[str]) -> str:
        nonlocal noted
        if bracket[0] == AFTER:
            noted = draft.after
            return " "
        found = _COMMAND.fullmatch(bracket[0])
        if found is None:
            return bracket[0]
        if int(found["m"]) > 59 or int(found["s"]) > 59:
            return found[0]
        seconds = int(found["h"]) * 3_600 + int(found["m"]) * 60 + int(found["s"])
        ms = seconds * 1_000 + int((found["ms"] or "0").ljust(3, "0"))
        if found["name"] in ("clk", "oclk") and not found["side"] and not found["minus"]:
            left[mover if found["name"] == "clk" else not mover] = ms
            return " "
        if found["side"] and found["name"] in {kind.value for kind in NoteKind}:
            ms = -ms if found["minus"] else ms
            noted.append(Note(NoteKind(found["name"]), found["side"] == "w", ms, (found["text"] or "").strip()))
            return " "
        return found[0]

    rest = BRACKET.sub(command, comment)
    offered = "(=)" in rest.split()
    text = " ".join(part for part in rest.split() if part != "(=)")
    draft.entries[-1] = Entry(
        entry.move,
        left[chess.WHITE],
        left[chess.BLACK],
        entry.draw_offered or offered,
        tuple(notes),
        f"{entry.comment} {text}".strip(),
    )


def _finished(draft: _Draft) -> Score:
    if draft.depth:
        raise _refused("variation", draft.number)
    if not draft.begun:
        _begin(draft)
    _settle_comments(draft)
    written = plain_dashes(draft.tags.get("Result", "*")).replace(" ", "")
    tagged, result = _RESULTS.get(written, "*"), draft.result or "*"
    if written == "0-0" and draft.result is None:  # both have lost; the last token may be that or a castling
        raise _refused("result_unknown", draft.number, {"text": Text(_shown(written))})
    if result == "*":
        result = tagged
    elif tagged not in ("*", result):
        raise _refused("result", draft.number)
    ending = _ending(draft.tags, result)
    score = replace(draft.score, entries=tuple(draft.entries), after=tuple(draft.after), result=result, ending=ending)
    ours = _opening(score)
    own = set(ours) if set(ours) <= set(score.tags) else set()
    return replace(
        score,
        tags=tuple(
            tag for tag in score.tags if tag not in own and (ending is None or tag[0] not in ("Termination", POINTS))
        ),
    )


def _ending(tags: Mapping[str, str], result: str) -> Ending | None:
    """The ending by our own tag if it agrees with the result; None otherwise."""
    for winner in (None, chess.WHITE, chess.BLACK):
        try:
            ending = Ending(Way(tags.get(ENDING, "")), winner)
        except ValueError:
            continue
        if ending.pgn_result == result and tags.get(POINTS, ending.result) == ending.result:
            return ending
    return None


def _shown(text: str) -> str:
    """The first printable characters of untrusted text, for a sentence."""
    return "".join(c for c in text[:20] if c.isprintable())
