"""`voicechess bench wordings FILE.tsv`: whether lines are understood as people type and say them.

The file has three columns: the place where a line is said (`expectations`), the usual wording with the same meaning,
and the line. Lines are typed, and with `--spoken` also said by synthetic test voices and recognised as in a game. A
line without a usual wording is talk and must have no effect.
"""

from __future__ import annotations

import argparse
import csv
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import chess

from models.bench.listening import Ears, Listening
from models.bench.samples import Sample, Spoken, require_extra
from models.bench.synthesis import MODEL_TEST, Voice
from voicechess.app.hearing import Hearing
from voicechess.app.simulation import session_at
from voicechess.conversations.asking import awaited
from voicechess.display.simul import SAID_HERE
from voicechess.game import events as ev
from voicechess.game.agreement import Player
from voicechess.game.commands import SAYABLE
from voicechess.game.kind import Games
from voicechess.game.phases import Phase
from voicechess.language.folders import LANGUAGES
from voicechess.language.lexicon import Lexicon, load
from voicechess.language.wordings import SECTIONS
from voicechess.meaning import Answer, AnswerKind, Command, Expectation, Question, QuestionKind, RecognisedUtterance
from voicechess.messages import Failure, Text
from voicechess.moves.decisions import Ask, AskPromotion, Complete, NotUnderstood
from voicechess.moves.matching import Act, Play, Refuse, Reply, decide
from voicechess.practice import drill, menu
from voicechess.practice.answers import expected
from voicechess.practice.exercises import analysed
from voicechess.storage.speech_models import choose, scaling_of

TWO_KNIGHTS = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1"
"""A position with the question which of two knights moves."""

PROMOTES = "8/4P3/8/8/8/8/k7/4K3 w - - 0 1"
"""A position with the question what a pawn becomes."""

AT_ONCE, ASKED, UNCLEAR, OTHERWISE = "at once", "asked", "unclear", "otherwise"
"""Results of a line; ASKED: it is asked about what was meant, OTHERWISE: something else is done."""


@dataclass(frozen=True)
class Line:
    """A line of the file."""

    place: str  # a key of `expectations`
    usual: str  # the usual wording of its meaning; "": talk
    said: str  # the line


@cache
def expectations() -> dict[str, Expectation]:
    """Place -> what is expected there."""
    board, knights, pawn = chess.Board(), chess.Board(TWO_KNIGHTS), chess.Board(PROMOTES)
    for uci in ("e2e4", "e7e5"):
        board.push_uci(uci)
    game = session_at(board, Player.ENGINE).expectation
    at_board = SAYABLE[Games.CASUAL_ENGINE]
    which = tuple(chess.Move.from_uci(uci) for uci in ("b1d2", "f3d2"))
    new = tuple(chess.Move.from_uci(f"e7e8{piece}") for piece in "qrbn")
    return {
        **{
            name: awaited(QuestionKind(name))
            for name in ("opponent", "colour", "level", "time", "days", "online", "rated")
        },
        "practice": expected(menu.CONTROLS, QuestionKind.EXERCISE),
        "shade": expected(drill.CONTROLS, QuestionKind.EXERCISE),
        "review": expected(analysed.CONTROLS, None, board),
        "people": Expectation(board, commands=SAYABLE[Games.CASUAL][Phase.LISTENING]),
        "post": Expectation(board, commands=SAYABLE[Games.POST][Phase.LISTENING]),
        "simul": Expectation(board, commands=at_board[Phase.LISTENING] | SAID_HERE),
        "usual": awaited(QuestionKind.YES_NO),
        "offer": awaited(
            QuestionKind.YES_NO,
            earlier=(QuestionKind.OPPONENT, QuestionKind.COLOUR, QuestionKind.LEVEL, QuestionKind.TIME),
        ),
        "game": game,
        "move": replace(game, board=board),  # with the moves that led to it
        "yesno": Expectation(board, Question(QuestionKind.YES_NO), at_board[Phase.CONFIRMING]),
        "which": Expectation(knights, Question(QuestionKind.WHICH_MOVE, which), at_board[Phase.CHOOSING]),
        "promotion": Expectation(pawn, Question(QuestionKind.PROMOTION, new), at_board[Phase.PROMOTING]),
        "drawoffered": Expectation(board, Question(QuestionKind.YES_NO), at_board[Phase.DRAW_OFFERED]),
        "over": Expectation(commands=at_board[Phase.OVER]),
        "paused": Expectation(board, commands=at_board[Phase.PAUSED]),
    }


def read(path: Path) -> list[Line]:
    """The lines of a file. Raises Failure for an invalid file."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]
    except (OSError, UnicodeError) as error:
        raise Failure("bench.recording_unreadable", {"path": Text(str(path))}) from error
    lines = [Line(*row) for row in rows if len(row) == 3]
    if not lines or any(line.place not in expectations() for line in lines):
        raise Failure("bench.recording_unreadable", {"path": Text(str(path))})
    return lines


def meant_by(line: Line, hearing: Hearing) -> object:
    """The decision on the usual wording of a line."""
    expectation = _expected(line, hearing)
    usual = RecognisedUtterance.typed(line.usual, 0)
    return _outcome(expectation, hearing.understood(usual, expectation, 0, ev.Source.KEYBOARD))[0]


def result(line: Line, said: RecognisedUtterance, hearing: Hearing, typed: bool) -> str:
    """The result of a line: `AT_ONCE`, `ASKED`, `UNCLEAR` or `OTHERWISE`."""
    expectation = _expected(line, hearing)
    meant, came = (
        _outcome(expectation, hearing.understood(one, expectation, 0, source))
        for one, source in (
            (RecognisedUtterance.typed(line.usual, 0), ev.Source.KEYBOARD),
            (said, ev.Source.KEYBOARD if typed else ev.Source.VOICE),
        )
    )
    if not line.usual:
        return OTHERWISE if isinstance(came[0], Play | Act) else ASKED if came[1] else UNCLEAR
    if _in_order(came[0]) == _in_order(meant[0]) and not isinstance(came[0], NotUnderstood):
        return AT_ONCE
    if came[1]:
        return ASKED if _among(meant[0], came[1]) else UNCLEAR
    return UNCLEAR if isinstance(came[0], NotUnderstood | Refuse) else OTHERWISE


def _expected(line: Line, hearing: Hearing) -> Expectation:
    """The expectation for a line; for a move that is legal in the initial position only, with that position."""
    expectation = expectations()[line.place]
    if line.place != "move" or hearing.move_in(line.usual.lower(), expectation) is not None:
        return expectation
    return replace(expectation, board=chess.Board())


def _in_order(decision: object) -> object:
    """The decision, with the slots of a command in alphabetical order."""
    if not isinstance(decision, Act):
        return decision
    command = decision.command
    slots = dict(command.slots)
    if command.name == "terms" and slots.keys() == {"minutes", "increment"}:  # "Blitz, fünf plus drei"
        command = Command("minutes", (("number", slots["minutes"]), ("number2", slots["increment"])))
    return Act(Command(command.name, tuple(sorted(command.slots)), command.moves), decision.trimmed)


def _among(meant: object, asked: Sequence[object]) -> bool:
    names = {one.name for one in asked if isinstance(one, Command)}
    # Of an offered draw: an offer against it is a yes, playing on a no.
    answers = {AnswerKind.YES: {"draw_accept", "draw_offer"}, AnswerKind.NO: {"draw_decline", "resume"}}
    return (
        meant in asked
        or (isinstance(meant, Reply) and not names.isdisjoint(answers.get(meant.answer.kind, ())))
        or (isinstance(meant, Act) and meant.command in asked)
        or (isinstance(meant, Play) and meant.move in asked)
        or (isinstance(meant, Command) and meant.name in names)
    )


def _outcome(expectation: Expectation, heard: ev.Heard) -> tuple[object, tuple[object, ...]]:
    """The decision, and the meanings that are asked about."""
    typed = heard.source is ev.Source.KEYBOARD
    decision = decide(expectation.board or chess.Board(), heard.readings, expectation.asked, typed=typed)
    guesses = tuple(one.meaning for one in heard.perhaps if isinstance(one.meaning, Command))
    match decision:
        case NotUnderstood() if (
            len(guesses) == 1
            and guesses[0] != Command("end")  # as in `asking`
            and not heard.perhaps[0].cost
            and not expectation.commands
        ):
            return Act(guesses[0]), ()
        case NotUnderstood() if guesses:
            return decision, guesses
        case Ask(moves) | AskPromotion(moves) if not isinstance(decision, AskPromotion):
            return decision, moves
        case Complete() if expectation.asked.kind is None:
            return decision, (decision,)
    if expectation is expectations()["drawoffered"] and isinstance(decision, Act):
        # An offer against an offer is agreement, and who wants to play on declines.
        instead = {"draw_offer": AnswerKind.YES, "resume": AnswerKind.NO}.get(decision.command.name)
        decision = decision if instead is None else Reply(Answer(instead))
    if expectation.asked.kind is QuestionKind.YES_NO and decision in (
        Act(Command("draw_accept")),
        Reply(Answer(AnswerKind.YES)),
    ):
        return Reply(Answer(AnswerKind.YES)), ()
    if expectation.asked.kind is QuestionKind.YES_NO and decision in (
        Act(Command("draw_decline")),
        Reply(Answer(AnswerKind.NO)),
    ):
        return Reply(Answer(AnswerKind.NO)), ()
    if isinstance(decision, Reply) and expectation.asked.kind is QuestionKind.WHICH_MOVE and decision.answer.choice:
        return Play(expectation.asked.candidates[decision.answer.choice - 1]), ()
    return decision, ()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `voicechess bench wordings`."""
    parser.add_argument("file", type=Path, nargs="?", metavar="FILE.tsv", help="place, usual wording, what is said")
    parser.add_argument("--table", action="store_true", help="how many wordings each answer, command and choice has")
    parser.add_argument("--lang", default="de", choices=LANGUAGES, help="the language of the file")
    parser.add_argument("--spoken", action="store_true", help="also through the recogniser, by unseen voices")
    parser.add_argument("--model", type=Path, metavar="PATH", help="a Vosk model folder")
    parser.add_argument("--list", action="store_true", help="name the lines that are not understood at once")
    parser.add_argument("--jobs", type=int, default=None, metavar="N", help="worker processes")


def run(args: argparse.Namespace) -> int:
    """Measures, prints a table, returns 0. Raises Failure when it cannot be measured."""
    if args.table or args.file is None:
        print(as_table(load("de"), load("en")))
        return 0
    lines, hearing = read(args.file), Hearing(load(args.lang))
    typed = [result(line, RecognisedUtterance.typed(line.said, 0), hearing, typed=True) for line in lines]
    _print("typed", lines, typed, args.list)
    if args.spoken:
        require_extra()
        _print("spoken", lines, spoken(lines, args.model, args.lang, args.jobs), args.list)
    return 0


def as_table(*lexicons: Lexicon) -> str:
    """Numbers of sentences of each answer, command and choice by language, without wrappings and slot values."""
    rows = ["| Entry | " + " | ".join(f"{one.about.name}: usual | in other words" for one in lexicons) + " |"]
    rows.append("|---" * (1 + 2 * len(lexicons)) + "|")
    for section in SECTIONS:
        tables = [
            {"answers": one.answers, "commands": one.commands, "choices": one.choices}[section] for one in lexicons
        ]
        for key in tables[0]:
            counts = [
                str(sum(pattern.count() for pattern in table.get(key, ())))
                for lexicon, usual in zip(lexicons, tables, strict=True)
                for table in (usual, lexicon.wordings.section(section))
            ]
            rows.append(f"| {section[:-1]} {key} | " + " | ".join(counts) + " |")
    return "\n".join(rows)


def spoken(lines: Sequence[Line], model: Path | None, code: str, jobs: int | None) -> list[str]:
    """The results of the lines said by the test voices in turn, in the language of this code."""
    chosen = choose(model, load(code).hearable).folder
    if chosen is None:
        raise Failure("program.model_needed")
    voices, expected = sorted(MODEL_TEST), expectations()
    tasks = [
        Listening(
            Sample(
                f"wording/{n}",
                (Spoken(line.said, Voice(voices[n % len(voices)], 130 + n * 7 % 60, 50, 50, language=code)),),
            ),
            expected[line.place],
        )
        for n, line in enumerate(lines)
    ]
    hearing = Hearing(_restricted(chosen.path, code), doubt=scaling_of(chosen.path).doubt)
    found = []
    with Ears(chosen.path, code, jobs) as ears:
        for line, overheard in zip(lines, ears.listen(tasks), strict=True):
            results = [result(line, one, hearing, typed=False) for one in overheard.utterances]
            found.append(next((one for one in (OTHERWISE, AT_ONCE, ASKED) if one in results), UNCLEAR))
    return found


def _restricted(path: Path, code: str) -> Lexicon:
    from models.bench.footprint import in_own_process, known_words

    lexicon = load(code)
    known = in_own_process(known_words, path, sorted(lexicon.spoken_words))
    return lexicon.restrict(known.__contains__)


def _print(how: str, lines: Sequence[Line], results: Sequence[str], listed: bool) -> None:
    print(f"{how:14} {'lines':>6} {AT_ONCE:>9} {ASKED:>7} {UNCLEAR:>8} {OTHERWISE:>10}")
    for place in (*dict.fromkeys(line.place for line in lines), ""):
        of_place = [one for line, one in zip(lines, results, strict=True) if place in ("", line.place)]
        found = Counter(of_place)
        counts = " ".join(f"{found[one]:>{w}}" for one, w in ((AT_ONCE, 9), (ASKED, 7), (UNCLEAR, 8), (OTHERWISE, 10)))
        share = f"{found[AT_ONCE] / len(of_place):7.1%} {(found[AT_ONCE] + found[ASKED]) / len(of_place):7.1%}"
        print(f"{place or 'all':14} {len(of_place):>6} {counts} {share}")
    if listed:
        for line, one in zip(lines, results, strict=True):
            if one != AT_ONCE and (line.usual or one != UNCLEAR):
                print(f"  {one:10} {line.place:10} {line.usual} | {line.said}")
