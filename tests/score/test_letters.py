"""Lines that people send each other: every legal game becomes the same game at the other side, and whatever is altered,
skipped or swapped on the way is noticed and told."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import chess
import pytest

from voicechess.language.wording import Wording
from voicechess.messages import Failure
from voicechess.score.letters import (
    MAX_MAIL,
    Contents,
    Letter,
    LetterWords,
    LineNotation,
    compare,
    is_cut,
    letter_of,
    line_of,
    looks_like_letter,
    mark,
    parse_written,
    read_letter,
    written,
)

WORDS = LetterWords(("wenn", "falls", "if"), ("dann", "then"), ("urlaub", "leave"))
GERMAN = Wording("de", strict=True)
ENGLISH = Wording("en", strict=True)


def told(failure: Failure) -> str:
    """The sentence, which there is in both languages."""
    assert ENGLISH.say(failure.phrase)
    return GERMAN.say(failure.phrase)


def random_game(random: Random, plies: int, start: chess.Board | None = None) -> tuple[chess.Board, list[chess.Move]]:
    start = start or chess.Board()
    board, moves = start.copy(), list[chess.Move]()
    while len(moves) < plies and any(board.legal_moves):
        moves.append(random.choice(sorted(board.legal_moves, key=chess.Move.uci)))
        board.push(moves[-1])
    return start, moves


def sent(start: chess.Board, moves: list[chess.Move], notation: LineNotation, key: str = "K7QM") -> str:
    return line_of(letter_of(start, moves, notation, Letter(key=key, received="2026-11-20", sent="2026-11-23")), WORDS)


def arrived(line: str, start: chess.Board, played: list[chess.Move]) -> Contents:
    letter = read_letter(line, WORDS)
    assert letter is not None, line
    return compare(letter, start, played, "K7QM")


def test_iccf_numbers() -> None:
    board = chess.Board()
    assert written(board, chess.Move.from_uci("e2e4"), LineNotation.NUMERIC) == "5254"
    castling = chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    assert {written(castling, castling.parse_san(one), LineNotation.NUMERIC) for one in ("O-O", "O-O-O")} == {
        "5171",
        "5131",
    }
    promoting = chess.Board("8/5P2/8/8/8/8/k7/7K w - - 0 1")
    pieces = [promoting.parse_san(f"f8={piece}") for piece in "QRBN"]
    assert [written(promoting, move, LineNotation.NUMERIC) for move in pieces] == ["67681", "67682", "67683", "67684"]
    assert [parse_written(promoting, f"6768{digit}") for digit in (1, 2, 3, 4)] == pieces
    for nothing in ("6768", "5255", "0000", "5252", "9999", "52545", ""):
        with pytest.raises(ValueError):
            parse_written(board if nothing != "6768" else promoting, nothing)


@pytest.mark.parametrize("notation", LineNotation)
@pytest.mark.parametrize("seed", range(8))
def test_every_legal_game_becomes_the_same_game_at_the_other_side(seed: int, notation: LineNotation) -> None:
    random = Random(seed)
    chess960 = chess.Board.from_chess960_pos(random.randrange(960)) if seed % 2 else None
    start, moves = random_game(random, 120, chess960)
    there: list[chess.Move] = []
    for made in range(1, len(moves) + 1):
        line = sent(start, moves[:made], notation)
        assert not is_cut(line)
        contents = arrived(line, start, there)
        assert contents.fresh == 1
        there = list(contents.moves)
        assert there == moves[:made], line
    assert there == moves


def test_promotions_and_all_kinds_of_castling_survive() -> None:
    for fen in ("r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R w KQkq - 0 1", "r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R b KQkq - 0 1"):
        start = chess.Board(fen)
        for move in start.legal_moves:
            for notation in LineNotation:
                assert arrived(sent(start, [move], notation), start, []).moves == (move,)


@pytest.mark.parametrize("seed", range(60))
def test_any_single_move_that_is_altered_skipped_or_swapped_is_noticed(seed: int) -> None:
    """Whatever is done to one move of the line, the new one among them, in any notation."""
    random = Random(seed)
    notation = random.choice(list(LineNotation))
    start, moves = random_game(random, random.randrange(4, 60))
    line = sent(start, moves, notation)
    letter = read_letter(line, WORDS)
    assert letter is not None
    index = random.randrange(len(moves))
    board = start.copy()
    for move in moves[:index]:
        board.push(move)
    others = [written(board, other, notation) for other in board.legal_moves if other != moves[index]]
    kinds = {
        "skipped": (*letter.moves[:index], *letter.moves[index + 1 :]),
        "swapped": (
            *letter.moves[: index - 1],
            *reversed(letter.moves[index - 1 : index + 1]),
            *letter.moves[index + 1 :],
        )
        if index
        else letter.moves[::-1],
        "doubled": (*letter.moves[: index + 1], letter.moves[index], *letter.moves[index + 1 :]),
    }
    if others:
        kinds["altered"] = (*letter.moves[:index], random.choice(others), *letter.moves[index + 1 :])
    for kind, tokens in kinds.items():
        if tokens == letter.moves:
            continue
        board = start.copy()
        broken = line.replace(_moves_of(letter.moves), _moves_of(tokens))
        assert broken != line, kind
        with pytest.raises(Failure) as failed:
            arrived(broken, start, moves[:-1])
        assert told(failed.value), kind


def _moves_of(tokens: tuple[str, ...]) -> str:
    return line_of(Letter(moves=tokens, number=1), WORDS)


@pytest.mark.parametrize("seed", range(20))
def test_any_single_sign_that_is_altered_changes_nothing_or_is_noticed(seed: int) -> None:
    random = Random(seed)
    start, moves = random_game(random, 30)
    line = sent(start, moves, random.choice(list(LineNotation)))
    for _ in range(40):
        place = random.randrange(len(line))
        broken = line[:place] + random.choice("abcdefgh12345678KDTLSx+-=*() ") + line[place + 1 :]
        try:
            letter = read_letter(broken, WORDS)
            contents = None if letter is None else compare(letter, start, moves[:-1], "K7QM")
        except Failure as failure:
            assert told(failure)
        else:
            assert contents is None or contents.moves == tuple(moves) or contents.fresh == 0, broken


def test_what_differs_is_told_with_its_place() -> None:
    start = chess.Board()
    played = [start.parse_san("e4")]
    cases = {
        "1. d4 d5": "Zug eins von Weiß",
        "2. Sf3 Sc6": "von Schwarz",
        "1. e4 Sc3": "nicht möglich",
        "1. e4": "",
    }
    for line, place in cases.items():
        letter = read_letter(line, WORDS)
        assert letter is not None, line
        if not place:
            assert compare(letter, start, played).fresh == 0
            continue
        with pytest.raises(Failure) as failed:
            compare(letter, start, played)
        assert place in told(failed.value), line


def test_a_line_of_another_game_is_noticed() -> None:
    start, moves = random_game(Random(1), 5)
    letter = read_letter(sent(start, moves, LineNotation.SAN, key="ABCD"), WORDS)
    assert letter is not None
    with pytest.raises(Failure, match="other_game"):
        compare(letter, start, moves[:4], "K7QM")


def test_what_stands_with_the_move_is_read_and_covered_by_the_check() -> None:
    start = chess.Board()
    move, one, answer = (chess.Move.from_uci(uci) for uci in ("e2e4", "e7e5", "g1f3"))
    full = Letter(
        key="K7QM", offers_draw=True, received="2026-11-20", sent="2026-11-23", leave=("2026-12-01", "2026-12-09")
    )
    line = line_of(letter_of(start, [move], LineNotation.GERMAN, full, [(one, answer)]), WORDS)
    assert line.startswith("[K7QM] 1. e4 (=) 2026-11-20/2026-11-23 urlaub 2026-12-01/2026-12-09 wenn e5 dann Sf3 *")
    letter = read_letter(line, WORDS)
    assert letter is not None
    assert (letter.offers_draw, letter.received, letter.leave) == (True, "2026-11-20", ("2026-12-01", "2026-12-09"))
    assert compare(letter, start, []).conditions == ((one, answer),)
    for before, after in (
        ("(=) ", ""),
        ("11-23", "11-24"),
        ("12-09", "12-19"),
        ("e5 dann", "d5 dann"),
        ("K7QM", "K7QN"),
    ):
        broken = read_letter(line.replace(before, after), WORDS)
        assert broken is not None
        with pytest.raises(Failure):
            compare(broken, start, [], "K7QM")
    english = line.replace("wenn", "if").replace("dann", "then").replace("urlaub", "leave").replace("Sf3", "Nf3")
    assert compare(read_letter(english, WORDS) or Letter(), start, []).conditions == ((one, answer),)


@pytest.mark.parametrize(
    ("text", "leave", "sent"),
    [
        ("1. e4 urlaub 2026-12-01/2026-12-09 2026-11-23", ("2026-12-01", "2026-12-09"), "2026-11-23"),
        ("1. e4 2026-11-23 urlaub 2026-12-01", ("2026-12-01", "2026-12-01"), "2026-11-23"),
        ("1. e4 2026-11-23", None, "2026-11-23"),
    ],
)
def test_only_the_dates_behind_the_word_are_a_leave(text: str, leave: tuple[str, str] | None, sent: str) -> None:
    letter = read_letter(text, WORDS)
    assert letter is not None
    assert (letter.leave, letter.sent) == (leave, sent)


def test_several_conditions() -> None:
    start = chess.Board()
    board = start.copy()
    board.push_san("e4")
    conditions = [
        (chess.Move.from_uci("e7e5"), chess.Move.from_uci("g1f3")),
        (chess.Move.from_uci("c7c5"), chess.Move.from_uci("b1c3")),
    ]
    line = line_of(letter_of(start, board.move_stack, LineNotation.SAN, Letter(key="K7QM"), conditions), WORDS)
    assert "wenn e5 dann Nf3; wenn c5 dann Nc3 *" in line
    assert arrived(line, start, []).conditions == tuple(conditions)


# --- what surrounds a line in other people's mail ---------------------------------------------------------------------

START, MOVES = random_game(Random(7), 40)
LINE = sent(START, MOVES, LineNotation.GERMAN)
OLD = sent(START, MOVES[:-1], LineNotation.GERMAN)


def wrapped(line: str, width: int = 60, before: str = "") -> str:
    words, lines = line.split(" "), [""]
    for word in words:
        if len(lines[-1]) + len(word) > width:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return "\n".join(before + one for one in lines)


@pytest.mark.parametrize(
    "mail",
    [
        LINE,
        wrapped(LINE),
        wrapped(LINE, before="> "),
        wrapped(LINE, before=">> > "),
        f"Lieber Hans,\n\nhier mein Zug Nr. 20:\n\n{wrapped(LINE)}\n\nGruß\nEva\n-- \nEva Muster\n1. FC Schach 1904\n",
        f"{LINE}\n\nAm 20.11.2026 schrieb Hans:\n{wrapped(OLD, before='> ')}\n> -- \n> Hans",
        f"{wrapped(OLD, before='> ')}\n\n{LINE}",
        LINE.replace(" ", "\u00a0"),
        LINE.replace("-", "\u2011"),
        LINE.replace(" ", " \u200b"),
        LINE.replace("\n", "\r\n") + "\r\n",
        f"\ufeff\u202e{LINE}\u202c",
        LINE.lower().replace("voicechess", "") if LINE.islower() else LINE + ".",
        f"{LINE} Viel Spaß!",
    ],
)
def test_a_line_is_found_in_a_mail(mail: str) -> None:
    assert arrived(mail, START, MOVES[:-1]).moves == tuple(MOVES)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\n" * 50,
        "Hallo Hans, wie geht es Dir?",
        "> > >",
        "\x00\x1b[2J",
        "🙂" * 100,
        "[",
        "[[[[",
        "*",
        "-- \n",
        "1.",
        "Viele Grüße\n-- \nEva",
    ],
)
def test_where_there_is_no_line_there_is_none(text: str) -> None:
    assert read_letter(text, WORDS) is None


def test_what_is_wrong_with_a_line_is_one_sentence() -> None:
    cases = [
        LINE[:-9],
        LINE[: len(LINE) // 2],
        LINE.replace("2026-11-23", "2026-13-45"),
        LINE.replace(" 2. ", " 7. "),
        LINE.replace("] 1. ", "] 1. Xy9 "),
        LINE.replace("*", "wenn e5 *"),
        LINE.replace("*", "wenn e5 oder Sf3 *"),
        LINE.replace("*", "wenn e5 dann Kh8 *"),
        "x" * (MAX_MAIL + 1),
        "1. e4 " * 2_000_000,
    ]
    for text in cases:
        with pytest.raises(Failure) as failed:
            arrived(text, START, MOVES[:-1])
        assert len(told(failed.value)) < 200


def test_no_text_takes_long() -> None:
    """Nothing here goes with the square of the length, however a text is made."""
    for piece in (
        "\n",
        "1. \n",
        "[K7QM] ",
        "1. ",
        "1.",
        "> ",
        "e4 ",
        "wenn e4 dann e5 ",
        "[",
        "*",
        "(=) ",
        "1-0 ",
        "\u0301",
        "-- \n",
        "2026-01-01/",
    ):
        for text in (piece * (MAX_MAIL // len(piece)), "[K7QM] " + piece * (MAX_MAIL // len(piece) - 10)):
            try:
                letter = read_letter(text, WORDS)
                if letter is not None:
                    compare(letter, chess.Board(), [])
            except Failure as failure:
                assert told(failure)


def test_what_a_typed_line_looks_like() -> None:
    quoted = ("> 5254", "> 2. Sf3 Sc6", ">> 2... Sc6", "> [K7QM] 1. e4")
    for line in (LINE, "5254", "1. e4 e5", "12. Sf3 Sc6 13. Lb5", "[K7QM]", *quoted):
        assert looks_like_letter(line), line
    for line in ("Springer Felix drei", "e4", "Sf3", "3. Lb5", "Hilfe", "", "12", "1.", "ja", "> ja", "> e4"):
        assert not looks_like_letter(line), line
    assert is_cut(LINE[:40])
    assert not is_cut("1. e4 e5")


def test_a_mark_has_four_signs() -> None:
    assert {len(mark(number)) for number in (0, 1, 10**9)} == {4}
    assert len({mark(number) for number in range(500)}) == 500


BY_HAND = LetterWords(
    ("wenn",),
    ("dann",),
    ("urlaub",),
    {"remis": "sender", "=": "sender"},
    {"gibt auf": "sender", "weiss gibt auf": "white"},
)


@pytest.mark.parametrize(
    ("text", "draw", "resigns", "rest"),
    [
        ("1... e5 Remis?", "sender", "", ""),
        ("1... e5 (remis)", "sender", "", ""),
        ("1... e5 =", "sender", "", ""),
        ("1... e5 ?", "", "", "?"),
        ("1... e5 !", "", "", ""),
        ("1... e5\n\nRemis?\n\nGruß\nEva", "sender", "", ""),
        ("1... e5 Weiß gibt auf!", "", "white", ""),
        ("1... e5\nGruß, Eva", "", "", ""),
        ("1... e5 Gruß, Eva", "", "", "Gruß, Eva"),
        ("1... e5\nKein Remis.\nGruß", "", "", "Kein Remis."),
        ("1... e5 Remis? Gruß", "sender", "", "Gruß"),
        ("[K7QM] 1. e4 e5 *7HK2QD Remis?", "sender", "", ""),
        ("[K7QM] 1. e4 e5 *7HK2QD\nGibt auf.", "", "sender", ""),
        ("1... e5 " + "x" * 500, "", "", "x" * 200),
    ],
)
def test_what_stands_behind_a_line_is_understood_or_kept_to_be_told(
    text: str, draw: str, resigns: str, rest: str
) -> None:
    letter = read_letter(text, BY_HAND)
    assert letter is not None
    assert letter.moves[-1] == "e5"
    assert (letter.draw_by_hand, letter.resigns, letter.rest) == (draw, resigns, rest)


SPANISH, ICELANDIC = "RDTACP", "KDHBRP"


@pytest.mark.parametrize(
    ("pieces", "line", "moves", "rest"),
    [
        (SPANISH, "1. e4 e5 2. Cf3 Cc6 3. Ab5 (=)", "e2e4 e7e5 g1f3 b8c6 f1b5", ""),
        (SPANISH, "1. e4 d5 2. e5 f5 3. exf6 e.p. Cxf6", "e2e4 d7d5 e4e5 f7f5 e5f6 g8f6", ""),
        (SPANISH, "1. e4 e5 2. Re2+ De7", "e2e4 e7e5 e1e2 d8e7", ""),
        (SPANISH, "1. e4 e5 wenn Cf3 dann Cc6", "e2e4 e7e5", ""),
        (SPANISH, "1. e4 e5 2. 0-0", "", ""),
        (SPANISH, "1. e4 e5 2. Nf3", "", ""),
        (SPANISH, "1. e4 e5 2. ♘f3 Cc6", "e2e4 e7e5 g1f3 b8c6", ""),
        (SPANISH, "1. e4 e5 2. Cf3 tablas?", "e2e4 e7e5 g1f3", "tablas?"),
        (ICELANDIC, "1. e4 e5 2. Rf3 Rc6", "e2e4 e7e5 g1f3 b8c6", ""),
        ("", "1. e4 e5 2. Cf3 Cc6", "e2e4 e7e5", "Cf3 Cc6"),
        ("", "1. e4 e5!? 2. Nf3!! gute Partie", "e2e4 e7e5 g1f3", "gute Partie"),
    ],
)
def test_lines_of_people_are_read_with_the_letters_of_the_setting(
    pieces: str, line: str, moves: str, rest: str
) -> None:
    letter = read_letter(line, replace(WORDS, pieces=pieces))
    assert letter is not None
    assert letter.rest == rest, "what is no move is told"
    try:
        found = compare(letter, chess.Board(), [])
    except Failure as failure:
        assert (failure.key, moves) == ("letter.error.impossible", "")
        return
    assert " ".join(move.uci() for move in found.moves) == moves
    assert len(found.conditions) == line.count("wenn")


def test_a_promotion_has_the_letter_of_the_setting_and_a_line_of_a_program_its_own() -> None:
    promoting = chess.Board("8/5P2/8/8/8/8/k7/7K w - - 0 1")
    for typed in ("f8=D", "f8D", "f8(D)", "f8=D+"):
        assert parse_written(promoting, typed, SPANISH) == chess.Move.from_uci("f7f8q"), typed
    board = chess.Board()
    line = sent(board, [chess.Move.from_uci(uci) for uci in ("e2e4", "e7e5", "g1f3")], LineNotation.SAN)
    letter = read_letter(line, replace(WORDS, pieces=SPANISH))
    assert letter is not None and letter.moves[-1] == "Nf3"
    assert compare(letter, board, []).moves[-1] == chess.Move.from_uci("g1f3")


@pytest.mark.parametrize("pieces", [SPANISH, ICELANDIC])
@pytest.mark.parametrize("seed", range(4))
def test_every_legal_move_comes_back_from_other_letters(pieces: str, seed: int) -> None:
    board = chess.Board()
    for move in random_game(Random(seed), 80)[1]:
        text = board.san(move)
        own = "".join(pieces["KQRBNP".index(one)] if one in "KQRBN" else one for one in text)
        assert parse_written(board, own if "O-O" not in text else text, pieces) == move, own
        board.push(move)


@pytest.mark.parametrize(
    ("text", "move", "offers"),
    [("1... e5(=)", "e5", True), ("1... e5=", "e5", True), ("1... e5", "e5", False), ("9. e8=", "e8=", False)],
)
def test_an_offer_close_behind_a_move_is_one(text: str, move: str, offers: bool) -> None:
    letter = read_letter(text, BY_HAND)
    assert letter is not None
    assert (letter.moves, letter.offers_draw) == ((move,), offers)
