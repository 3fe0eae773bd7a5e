"""`voicechess demo`: a short game on any machine, with a synthetic voice at the microphone's place.

Status 0 only when every move was heard right at once.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import chess

from voicechess.app.context import Context, may_write
from voicechess.app.hearing import Hearing
from voicechess.app.simulation import RATE, SimulationAloud
from voicechess.commands.options import load_model
from voicechess.game.agreement import GameSettings
from voicechess.game.session import Session
from voicechess.language.wording import Style, Wording
from voicechess.messages import Failure, Text
from voicechess.moves.saying import said_move
from voicechess.sound.devices.files import write_wav
from voicechess.sound.speech import Speech, VoiceSettings

GAME = "e4 e5 Nf3 d6 Bc4 Bg4 Nc3 g6 Nxe5 Bxd1 Bxf7+ Ke7 Nd5#"
"""Légal's mate, as Kermur de Légal gave it in Paris about 1750: captures, a check and a mate in seven moves."""

MOVES = (len(GAME.split()) + 1) // 2
"""Moves that are spoken: White's."""

PLAYER_RATE = 140
"""Words per minute."""


def add_arguments(parser: argparse.ArgumentParser, sentence: Callable[[str], str]) -> None:
    """The command's arguments."""
    parser.add_argument("--out", type=Path, metavar="FILE.wav", help=sentence("out"))
    parser.add_argument("--overwrite", action="store_true", help=sentence("overwrite"))
    parser.add_argument("--model", type=Path, metavar="PATH", help=sentence("model"))


def run(args: argparse.Namespace, context: Context) -> int:
    """Play it, print it, count what was not heard right."""
    may_write(args.out, args.overwrite)
    model = load_model(context, args.model, "demo.no_model")
    lexicon = context.lexicon.restrict(model.knows)
    program = Speech(VoiceSettings(language=context.language))
    # Who speaks to the program speaks the language that is heard, in its own words, whatever language it answers in.
    spoken = Wording(lexicon.hears, Style.OWN)
    player = Speech(VoiceSettings(language=spoken.language, rate=PLAYER_RATE))
    conversation = SimulationAloud(
        Session(GameSettings(level=1)),
        Hearing(lexicon, doubt=model.scaling.doubt),
        model,
        context.wording,
        program,
        spoken,
        player,
        lambda who, words: context.tell(f"demo.{who}", words=words),
    )
    try:
        context.tell("demo.intro")
        missed = _play(conversation)
    finally:
        player.close()
        program.close()
    if args.out is not None:
        try:
            write_wav(args.out, bytes(conversation.sound), RATE)
        except OSError as error:
            raise Failure("cli.unwritable", {"path": Text(str(args.out))}) from error
        context.tell("demo.written", path=str(args.out))
    if missed:
        context.tell("demo.misheard", count=missed, total=MOVES)
        return 1
    context.tell("demo.all_right", count=MOVES)
    return 0


def _play(conversation: SimulationAloud) -> int:
    """The game, up to the first move that was not played as it was meant; how many are missing then."""
    board = chess.Board()
    conversation.start()
    for san in GAME.split():
        move = board.parse_san(san)
        if board.turn is chess.BLACK:
            conversation.answer(move.uci())
        else:
            conversation.speak(conversation.spoken.move(said_move(board, move)))
            if conversation.session.board.move_stack[-1:] != [move]:
                return MOVES - board.fullmove_number + 1
        board.push(move)
    return 0
