"""A game with its variations and comments: read as a tree of moves, python-chess' `chess.pgn.Game`.

The main line has been read by `pgn` before, which refuses what cannot be trusted. A variation that cannot be read is
left out and counted: a game is worth looking at without it.
"""

from __future__ import annotations

import re

import chess
import chess.pgn

from voicechess.score.pgn import BRACKET, COMMENTS, TOKEN, in_comment
from voicechess.score.score import Score, parse_san

MOST_NODES = 20_000
"""Moves in all variations together."""

MOST_DEPTH = 30
"""Variations inside variations."""

LONGEST_COMMENT = 1_000

_SIGNS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
"""Numeric annotation glyphs (PGN specification, 10)."""


def read_tree(score: Score, text: str) -> tuple[chess.pgn.Game, int]:
    """The game `text`, whose main line is `score`'s, and how many variations were left out."""
    game = chess.pgn.Game()
    game.setup(score.start())
    node: chess.pgn.GameNode = game
    board = score.start()
    above: list[tuple[chess.pgn.GameNode, chess.Board]] = []
    nodes = left_out = skipped = 0  # skipped: open brackets of a variation that is left out
    before = ""  # a comment that comes before the first move of a variation
    for found in TOKEN.finditer(text):
        token = found[0]
        if skipped:
            skipped += bool(found["open"]) - bool(found["close"])
            if not skipped and above:
                node, board = above.pop()
        elif found["open"]:
            if node.parent is None or not board.move_stack or len(above) >= MOST_DEPTH or nodes >= MOST_NODES:
                above.append((node, board))
                skipped, left_out = 1, left_out + 1
                continue
            above.append((node, board))
            node, board, before = node.parent, board.copy(stack=1), ""
            board.pop()
        elif found["close"] and above:
            node, board = above.pop()
        elif found["comment"]:
            comment = in_comment(" ".join(COMMENTS.findall(token)))
            if above and node is above[-1][0].parent:
                before = f"{before} {comment}".strip()[:LONGEST_COMMENT]
            else:
                node.comment = f"{node.comment} {comment}".strip()[:LONGEST_COMMENT]
        elif found["move"]:
            try:
                move = parse_san(board, token)
            except ValueError:
                if not above:
                    break  # `score` has no more either
                move = chess.Move.null()
            if above and (not move or nodes >= MOST_NODES):
                skipped, left_out = 1, left_out + 1
                continue
            node = node.variation(move) if node.has_variation(move) else node.add_variation(move)
            node.starting_comment, before = before or node.starting_comment, ""
            board.push(move)
            nodes += 1
        elif found["space"] and node.parent is not None:
            glyph = _SIGNS.get(token) or (int(token[1:]) if re.fullmatch(r"\$\d{1,3}", token) else 0)
            node.nags |= {glyph} if glyph else set()
    return game, left_out


def comment_said(comment: str) -> str:
    """A comment without what is written for programs in it, such as clock times."""
    return " ".join(part for part in BRACKET.sub(" ", comment).split() if part != "(=)")
