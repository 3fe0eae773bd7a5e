"""`voicechess bench hearing`: from sound to the move that was meant.

Every item of `hearing_sets` is recognised as in a game, and three ways of deciding act on the result. If one of them
asks, the player answers by voice (yes, the number of the choice, the missing part, or the whole move again), and that
is recognised as well. For comparison the game is given the words as text: errors there are not the recogniser's.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import chess

from models.bench.announcing import Words
from models.bench.deciders import ASK, NOISE, Decider, Decision, Dialogue, LegalOnly, Literally, OurGame, as_hypothesis
from models.bench.footprint import in_own_process, known_words
from models.bench.hearing_parts import Item
from models.bench.hearing_report import Outcome, Trial, as_text, costs, figures
from models.bench.hearing_sets import FULL, QUICK, TEST, TUNE, Sets
from models.bench.listening import Ears, Listening
from models.bench.report import Report, Stages, write_json
from models.bench.samples import Spoken, require_extra, shared_folder
from models.bench.vocabulary import Vocabulary
from models.languages import CODES, USUAL
from voicechess.language.lexicon import Lexicon, load
from voicechess.language.patterns import Literal
from voicechess.meaning import UNKNOWN_WORD, Expectation, Hypothesis, QuestionKind, SpeakingLevel
from voicechess.messages import Failure
from voicechess.storage.speech_models import choose, scaling_of

# --- The player's answers to questions ---


_ORDINALS = ("first", "second", "third", "fourth")


def reply(item: Item, expectation: Expectation, lexicon: Lexicon) -> Words | None:
    """The player's answer to the open question: yes, the number of the choice, the missing part, or the whole move.

    If the question asks for the whole move: the fullest announcement, but of a single proposed move the same words
    again, even if another was meant, which is the worst case. None if no move was meant.
    """
    if item.move is None:
        return None
    move = chess.Move.from_uci(item.move)
    if expectation.asked.whole:
        return item.sample.words if len(expectation.asked.candidates) == 1 and not item.before else item.again
    if expectation.asked.kind is QuestionKind.WHICH_MOVE and move in expectation.asked.candidates:
        if len(expectation.asked.candidates) == 1:
            return _answer("yes", lexicon)
        return _answer(_ORDINALS[expectation.asked.candidates.index(move)], lexicon)
    if expectation.asked.kind is QuestionKind.PROMOTION and move.promotion and move in expectation.asked.candidates:
        return (lexicon.pieces[move.promotion][0],)
    if expectation.asked.kind is QuestionKind.COMPLETE and (part := _missing(expectation, move, lexicon)):
        return part
    return item.again


def _missing(expectation: Expectation, move: chess.Move, lexicon: Lexicon) -> Words | None:
    """The missing part of a partial move; None if the known part is wrong."""
    partial = expectation.asked.partial
    if partial is None:
        return None
    to_file, to_rank = chess.square_file(move.to_square), chess.square_rank(move.to_square)
    from_file, from_rank = chess.square_file(move.from_square), chess.square_rank(move.from_square)
    heard = (
        (partial.to_file, to_file),
        (partial.to_rank, to_rank),
        (partial.from_file, from_file),
        (partial.from_rank, from_rank),
    )
    if any(said is not None and said != meant for said, meant in heard):
        return None
    file, rank = lexicon.files[to_file][0], lexicon.ranks[to_rank][0]
    if partial.to_file is None:
        return (file, rank)
    if partial.to_rank is None:
        return (rank,)
    return (lexicon.files[from_file][0], lexicon.ranks[from_rank][0])


def _answer(key: str, lexicon: Lexicon) -> Words:
    sentences = [sentence for pattern in lexicon.answers[key] for sentence in pattern.expand()]
    first = next(sentence for sentence in sentences if len(sentence) == 1)
    return tuple(part.text for part in first if isinstance(part, Literal))


# --- The measurement ---


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `voicechess bench hearing`."""
    parser.add_argument("--model", type=Path, metavar="PATH", help="a Vosk model folder")
    parser.add_argument("--lang", default=USUAL, choices=CODES, help="the language that is spoken")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write all figures there")
    parser.add_argument("--quick", action="store_true", help="a small part of everything")
    parser.add_argument("--tuning", action="store_true", help="the sets for choosing settings, never for figures")
    parser.add_argument("--only", default="", metavar="SETS", help="only sets beginning with one of these, by commas")
    parser.add_argument("--note", default="", help="a remark that belongs to the figures, printed with them")
    parser.add_argument("--jobs", type=int, default=None, metavar="N", help="worker processes")


def prepared(option: Path | None, code: str = USUAL) -> tuple[Path, Vocabulary, frozenset[str]]:
    """The model to measure, the vocabulary, and the words the model knows. Raises Failure if something is missing."""
    require_extra()
    shared_folder()
    chosen = choose(option, load(code).hearable).folder
    if chosen is None:
        raise Failure("program.model_needed")
    vocabulary = Vocabulary(code)
    return chosen.path, vocabulary, in_own_process(known_words, chosen.path, [*vocabulary.words, UNKNOWN_WORD])


def run(args: argparse.Namespace) -> int:
    """Measures, prints the table, returns 0. Raises Failure when it cannot be measured."""
    path, vocabulary, known = prepared(args.model, args.lang)
    sets = Sets(TUNE if args.tuning else TEST, QUICK if args.quick else FULL, vocabulary).all()
    wanted = tuple(name for name in args.only.split(",") if name)
    items = [(name, item) for name, of_set in sets.items() if not wanted or name.startswith(wanted) for item in of_set]
    stages = Stages()
    with Ears(path, args.lang, jobs=args.jobs) as ears:
        trials = measure(items, vocabulary, known, ears, stages, scaling_of(path).doubt)
    report = Report(
        measured="hearing, tuning sets" if args.tuning else "hearing",
        subject=str(path),
        note=args.note,
        quick=args.quick,
        figures=figures(trials),
        costs=costs(trials),
    )
    print(as_text(report))
    if args.json:
        write_json(report, args.json)
    return 0


def measure(
    items: Sequence[tuple[str, Item]],
    vocabulary: Vocabulary,
    known: frozenset[str],
    ears: Ears,
    stages: Stages,
    doubt: float = 0.0,
) -> list[Trial]:
    """Recognise every item and decide on it in every way. `doubt`: of the speech model (`LikelihoodScaling`)."""
    lexicon = vocabulary.lexicon.restrict(known.__contains__)
    ours = OurGame(lexicon, doubt)
    deciders: tuple[Decider, ...] = (ours, Literally(vocabulary), LegalOnly(vocabulary))
    tasks = [Listening(item.sample, ours.begin(item).expectation) for _, item in items]
    heard = ears.listen(tasks, stages.stage("announcements"))
    trials = [Trial(name, item, overheard) for (name, item), overheard in zip(items, heard, strict=True)]
    questions: list[tuple[Trial, str, Dialogue, Listening]] = []
    for trial in trials:
        for decider in deciders:
            dialogue, outcome = _first(decider, trial.item, trial.hypotheses, trial.level)
            trial.outcomes[decider.name] = outcome
            answer = reply(trial.item, dialogue.expectation, lexicon) if outcome.first.kind == ASK else None
            voice = trial.item.voice
            if answer and voice:
                sample = replace(
                    trial.item.sample,
                    name=f"{trial.item.sample.name}/{decider.name}",
                    parts=(Spoken(" ".join(answer), voice),),
                    words=answer,
                )
                questions.append((trial, decider.name, dialogue, Listening(sample, dialogue.expectation)))
        if trial.item.sample.words:
            trial.outcomes["text"] = _from_text(ours, trial.item, lexicon)
    answers = ears.listen([question[-1] for question in questions], stages.stage("answers"))
    for (trial, name, dialogue, _), overheard in zip(questions, answers, strict=True):
        answer_heard = Trial(trial.set, trial.item, overheard)
        hypotheses = answer_heard.hypotheses
        second = dialogue.hear(hypotheses, answer_heard.level) if hypotheses else Decision(NOISE)
        trial.outcomes[name] = replace(trial.outcomes[name], second=second)
    return trials


def _first(
    decider: Decider, item: Item, hypotheses: Sequence[Hypothesis], level: SpeakingLevel | None = None
) -> tuple[Dialogue, Outcome]:
    dialogue = decider.begin(item)
    began = time.thread_time()
    first = dialogue.hear(hypotheses, level) if hypotheses else Decision(NOISE)
    return dialogue, Outcome(first, cpu_s=time.thread_time() - began)


def _from_text(ours: OurGame, item: Item, lexicon: Lexicon) -> Outcome:
    """The game's decisions on the words as text, and on the answer as text."""
    dialogue, outcome = _first(ours, item, (as_hypothesis(" ".join(item.sample.words)),))
    answer = reply(item, dialogue.expectation, lexicon) if outcome.first.kind == ASK else None
    if not answer:
        return outcome
    return replace(outcome, second=dialogue.hear((as_hypothesis(" ".join(answer)),)))
