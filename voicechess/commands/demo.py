"""`voicechess demo`: a short game without sound devices, with a synthetic voice in place of the microphone.

Status 0 only if every move was recognised at once.
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
"""Légal's mate (Kermur de Légal, Paris, about 1750) in SAN: captures, a check and mate in seven moves."""

MOVES = (len(GAME.split()) + 1) // 2
"""Number of spoken moves, which are White's."""

PLAYER_RATE = 140
"""The player's voice, words per minute. Larger: faster, harder to recognise."""


def add_arguments(parser: argparse.ArgumentParser, sentence: Callable[[str], str]) -> None:
    """Define the arguments; `sentence(key)` gives their help texts."""
    parser.add_argument("--out", type=Path, metavar="FILE.wav", help=sentence("out"))
    parser.add_argument("--overwrite", action="store_true", help=sentence("overwrite"))
    parser.add_argument("--model", type=Path, metavar="PATH", help=sentence("model"))


def run(args: argparse.Namespace, context: Context) -> int:
    """Play the game, print it, and report moves that were not recognised."""
    may_write(args.out, args.overwrite)
    model = load_model(context, args.model, "demo.no_model")
    lexicon = context.lexicon.restrict(model.knows)
    program = Speech(VoiceSettings(language=context.language))
    # The player speaks the language of the recogniser, in its own words, whatever language the program answers in.
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
    """Play up to the first move that is not played as spoken; returns the number of moves missing then."""
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
