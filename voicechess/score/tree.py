"""A game with variations and comments, read as a tree of moves (python-chess' `chess.pgn.Game`).

The main line has already been read by `pgn`, which rejects an invalid game. An invalid variation is left out and
counted, since the game is still worth looking at. In variations a side may pass, written as "--".
"""

from __future__ import annotations

from collections import defaultdict

import chess
import chess.pgn

from voicechess.score.pgn import BRACKET, NULL, SIGNS, TOKEN, comments_in, in_comment, plain_dashes
from voicechess.score.score import Score, parse_san

MAX_NODES = 20_000
"""Moves of a game including variations, beyond which further variations are left out."""

MAX_DEPTH = 30
"""Nesting depth of variations, beyond which they are left out."""


def read_tree(score: Score, text: str) -> tuple[chess.pgn.Game, int]:
    """The tree of the game in `text`, whose main line is that of `score`, and the number of variations left out."""
    game = chess.pgn.Game()
    game.setup(score.start())
    node: chess.pgn.GameNode = game
    board = score.start()
    above: list[tuple[chess.pgn.GameNode, chess.Board]] = []
    nodes = left_out = skipped = 0  # skipped: open brackets of a variation that is left out
    comments: defaultdict[chess.pgn.GameNode, list[str]] = defaultdict(list)
    before: list[str] = []  # comments that come before the first move of a variation
    for found in TOKEN.finditer(text):
        token = found[0]
        if skipped:
            skipped += bool(found["open"]) - bool(found["close"])
            if not skipped and above:
                node, board = above.pop()
        elif found["open"]:
            if node.parent is None or not board.move_stack or len(above) >= MAX_DEPTH or nodes >= MAX_NODES:
                above.append((node, board))
                skipped, left_out = 1, left_out + 1
                continue
            above.append((node, board))
            node, board, before = node.parent, board.copy(stack=1), []
            board.pop()
        elif found["close"] and above:
            node, board = above.pop()
        elif found["comment"]:
            first = above and node is above[-1][0].parent
            (before if first else comments[node]).extend(comments_in(token))
        elif found["move"]:
            try:
                passes = above and plain_dashes(token) in NULL and not board.is_check()
                move = chess.Move.null() if passes else parse_san(board, token)
            except ValueError:
                if not above:
                    break  # the main line of `score` ends here as well
                move = None
            if move is None or (above and nodes >= MAX_NODES):
                skipped, left_out = 1, left_out + 1
                continue
            node = node.variation(move) if node.has_variation(move) else node.add_variation(move)
            node.starting_comment, before = in_comment(" ".join(before)) or node.starting_comment, []
            board.push(move)
            nodes += 1
        elif found["sign"] and node.parent is not None:
            glyph = SIGNS.get(token) or (int(token[1:]) if token[0] == "$" else 0)
            node.nags |= {glyph} if 0 < glyph < 256 else set()
    for commented, texts in comments.items():  # joined once: one move may have a million
        commented.comment = in_comment(" ".join(texts))
    return game, left_out


def comment_said(comment: str) -> str:
    """A comment without commands to programs, such as clock times, and draw offers."""
    return " ".join(part for part in BRACKET.sub(" ", comment).split() if part != "(=)")
