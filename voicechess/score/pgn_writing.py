"""A score as PGN (Edwards' PGN standard), by python-chess, with what that leaves to us: escaping and clock times.

Comments carry, in this order: [%clk H:MM:SS] of the side that moved (with milliseconds if there are any), [%oclk …] of
the other when it is not what it was, "(=)" for a draw offer, notes as [%illegal w 0:02:00 Ke3], and foreign text.
Own tags: "TimeNotation" (what TimeControl cannot say), "Laws" (edition) and "Ending" (a `results.Way`).
"""

from __future__ import annotations

import re

import chess
import chess.pgn

from voicechess.laws.time_controls import TimeControl, pgn_time_control
from voicechess.messages import one_line
from voicechess.score.score import Entry, Note, Score

TIME_NOTATION, LAWS, ENDING = "TimeNotation", "Laws", "Ending"
_LONGEST_VALUE = 255
_COLUMNS = 80
_TAG_NAME = re.compile(r"[A-Za-z0-9_]{1,64}")


def write_pgn(score: Score) -> str:
    """The score as one PGN game, ending with a blank line."""
    game = chess.pgn.Game()
    game.setup(score.start())
    node: chess.pgn.GameNode = game
    game.comment = in_comment(score.comment)
    before: dict[chess.Color, int | None] = {colour: start_ms(score.time, colour) for colour in chess.COLORS}
    for board, made in score.positions():
        mover = board.turn
        node = node.add_variation(made.move, comment=_comment(made, mover, before[not mover]))
        before = {colour: made.left_ms(colour) for colour in chess.COLORS}
    game.headers["Result"] = _result(score)
    movetext = game.accept(chess.pgn.StringExporter(headers=False, columns=_COLUMNS))
    head = "\n".join(f'[{name} "{escaped(value)}"]' for name, value in _tags(score))
    return f"{head}\n\n{movetext}\n\n"


def start_ms(time: TimeControl | None, colour: chess.Color) -> int | None:
    """What a side has before the first move, None if unknown or untimed."""
    return None if time is None or time.untimed else time.period(colour, 0).first_ms


def escaped(value: str) -> str:
    r"""A tag's value that cannot end its string or its line: `\` and `"` escaped, everything else on one line."""
    return in_comment(value)[:_LONGEST_VALUE].replace("\\", "\\\\").replace('"', '\\"')


def in_comment(text: str) -> str:
    """`text` on one line, without the braces that end comments."""
    return " ".join(one_line(text).replace("{", " ").replace("}", " ").split())


def clock_text(ms: int) -> str:
    """Milliseconds as "H:MM:SS" or "H:MM:SS.mmm"."""
    seconds, rest = divmod(ms, 1_000)
    whole = f"{seconds // 3_600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{whole}.{rest:03}" if rest else whole


def _result(score: Score) -> str:
    return score.ending.pgn_result if score.ending is not None else score.result


def _tags(score: Score) -> list[tuple[str, str]]:
    foreign = dict(score.tags)
    tags = [
        ("Event", foreign.pop("Event", "?")),
        ("Site", foreign.pop("Site", "?")),
        ("Date", score.date),
        ("Round", foreign.pop("Round", "-")),
        ("White", score.white or "?"),
        ("Black", score.black or "?"),
        ("Result", _result(score)),
    ]
    if score.chess960:
        tags.append(("Variant", "Chess960"))
    if score.fen != chess.STARTING_FEN:
        tags += [("SetUp", "1"), ("FEN", score.start().fen())]
    if score.time is not None:
        tags += [("TimeControl", pgn_time_control(score.time)), (TIME_NOTATION, score.time.notation or "-")]
    if score.edition is not None:
        tags.append((LAWS, str(score.edition)))
    if score.ending is not None:
        tags += [("Termination", score.ending.termination), (ENDING, score.ending.way.value)]
    taken = {name for name, _ in tags} | {"SetUp", "FEN", "Variant"}
    return tags + [(name, value) for name, value in foreign.items() if name not in taken and _TAG_NAME.fullmatch(name)]


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
