"""`voicechess hear FILE…`: recognise recordings, and show what a game would do."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path

import chess

from voicechess.app.context import Context, position
from voicechess.app.hearing import Hearing
from voicechess.app.simulation import Outcome, outcome, session_at
from voicechess.commands.options import load_model
from voicechess.meaning import RecognisedUtterance
from voicechess.messages import Text
from voicechess.moves.saying import said_move
from voicechess.sound.devices.files import SoundFile
from voicechess.sound.recogniser import Recogniser, utterances_in


def add_arguments(parser: argparse.ArgumentParser, sentence: Callable[[str], str]) -> None:
    """Define the arguments; `sentence(key)` gives their help texts."""
    parser.add_argument("files", metavar="FILE", nargs="+", type=Path, help=sentence("files"))
    parser.add_argument("--fen", help=sentence("fen"))
    parser.add_argument("--json", action="store_true", help=sentence("json"))
    parser.add_argument("--model", type=Path, metavar="PATH", help=sentence("model"))


def run(args: argparse.Namespace, context: Context) -> int:
    """Print a line per utterance. Raises `Failure` for the first file that cannot be read."""
    board, dropped = position(args.fen)
    context.tell_on_error(*dropped)
    expectation = session_at(board).expectation
    model = load_model(context, args.model)
    hearing = Hearing(context.lexicon.restrict(model.knows), doubt=model.scaling.doubt)
    for path in args.files:
        SoundFile(path)  # raises for any bad file before the first is decoded
    for path in args.files:
        file = SoundFile(path)
        recogniser = Recogniser(model, file.rate)
        hearing.offer(recogniser, expectation)
        utterance = None
        for utterance in utterances_in(recogniser, file.pieces()):
            result = outcome(utterance, board, hearing, context.wording)
            if args.json:
                print(_line(_as_json(path, utterance, result)), flush=True)
            else:
                _tell(context, path, board, result)
        if utterance is None and not args.json:
            context.tell("hear.nothing", file=str(path))
    return 0


def _line(found: dict[str, object]) -> str:
    """One line of JSON, safe on a terminal: printable letters unescaped, control characters of file names escaped."""
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in json.dumps(found, ensure_ascii=False))


def _tell(context: Context, path: Path, board: chess.Board, result: Outcome) -> None:
    slots = {"file": str(path), "heard": result.heard or "…"}
    if result.move is not None:
        move = context.wording.move(said_move(board, result.move), full=True)
        context.tell("hear.play", **slots, move=Text(move))
    elif result.decision in ("ask", "refuse"):
        key = result.decision if result.say else "unanswered"
        context.tell(f"hear.{key}", **slots, say=Text(result.say))
    else:
        context.tell(f"hear.{result.decision}", **slots)


def _as_json(path: Path, utterance: RecognisedUtterance, result: Outcome) -> dict[str, object]:
    return {
        "file": str(path),
        "began_ms": utterance.began_ms,
        "ended_ms": utterance.ended_ms,
        "heard": result.heard,
        "decision": result.decision,
        "move": result.move.uci() if result.move is not None else None,
        "candidates": [{"move": move.uci(), "cost": round(cost, 3)} for move, cost in result.candidates],
        "say": result.say,
        "decode_ms": utterance.decode_ms,
    }
