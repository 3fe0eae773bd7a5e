"""PGN as databases, sites, programs and people write it, and files of many games of which some cannot be read."""

from __future__ import annotations

import io
import re
from pathlib import Path

import chess.pgn
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voicechess.app.pgn_file import PgnFile
from voicechess.messages import Failure
from voicechess.score import pgn_index
from voicechess.score.pgn import read_pgn, write_game, write_pgn
from voicechess.score.pgn_index import PgnIndex, as_utf8
from voicechess.score.tree import read_tree


def file_of(content: str | bytes) -> PgnFile:
    raw = content.encode() if isinstance(content, str) else content
    return PgnFile(as_utf8(io.BytesIO(raw), io.BytesIO()))


def moves(content: str, number: int = 1) -> list[str]:
    return [made.move.uci() for made in file_of(content).score(number).entries]


# --- tags ------------------------------------------------------------------------------------------------------------

ENDGAME = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"


@pytest.mark.parametrize(
    ("tags", "title"),
    [
        ('[White "Anna"]\n[Event "Cup"]', "Anna"),
        ('[White "?"]\n[Event "Endings: Rook"]', "Endings: Rook"),
        ('[Event "Endings: Rook"]\n[ChapterName "Rook"]', "Rook"),
        ('[Event "?"]', ""),
        ('[Site "?"]', ""),
    ],
)
def test_a_game_without_players_has_the_title_of_its_chapter_or_event(tags: str, title: str) -> None:
    assert list(file_of(f"{tags}\n\n1. e4 *")) == [title]


@pytest.mark.parametrize("names", [("Fen", "Setup"), ("fen", "setup"), ("FEN", "SETUP")])
def test_tags_are_known_in_any_case(names: tuple[str, str]) -> None:
    (score,) = read_pgn(f'[white "Anna"]\n[{names[1]} "1"]\n[{names[0]} "{ENDGAME}"]\n[RESULT "1-0"]\n\n1. e4 *')
    assert (score.fen, score.white, score.result) == (ENDGAME, "Anna", "1-0")


@pytest.mark.parametrize("name", ["variant", "VARIANT"])
def test_another_variant_is_not_shown_as_chess(name: str) -> None:
    with pytest.raises(Failure, match="variant"):
        read_pgn(f'[{name} "Atomic"]\n\n1. e4 *')


@pytest.mark.parametrize("variant", ["Standard", "From Position", "Chess", "?", "normal chess"])
def test_chess_by_other_names(variant: str) -> None:
    assert not read_pgn(f'[Variant "{variant}"]\n\n1. e4 *')[0].chess960


@pytest.mark.parametrize(
    "variant", ["Chess960", "chess 960", "Fischerandom", "Fischer Random", "FRC", "Fischerandom Chess"]
)
def test_chess960_by_other_names(variant: str) -> None:
    assert read_pgn(f'[Variant "{variant}"]\n\n1. e4 *')[0].chess960


def test_names_with_signs_are_kept_and_read_again_by_others() -> None:
    text = write_pgn(read_pgn('[White-Team "SC Eins"]\n[Utc_Time "12:00"]\n[x.y:z#1 "2"]\n[Größe "3"]\n\n1. e4 *')[0])
    for line in ('[White-Team "SC Eins"]', '[x.y:z#1 "2"]', '[Größe "3"]'):
        assert line in text
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None and game.headers["White-Team"] == "SC Eins"


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("15'/game & 10\"/move", "15'/game & 10\"/move"),
        ("25' + 10\"", "25' + 10\""),
        ('The "Open" of {1} [2]', 'The "Open" of {1} [2]'),
        ("C:\\\\games\\", "C:\\games\\"),
        ("1-0 * 0-1 ; (", "1-0 * 0-1 ; ("),
    ],
)
def test_quotes_and_signs_in_values(written: str, value: str) -> None:
    (score,) = read_pgn(f'[Event "a"]\n[Annotator "{written}"]\n[Result "1-0"]\n\n1. e4 1-0')
    assert dict(score.tags)["Annotator"] == value


def test_long_values_are_kept_whole() -> None:
    value = "Wort " * 100 + "Ende"
    assert f'[Annotator "{value}"]' in write_pgn(read_pgn(f'[Annotator "{value}"]\n\n1. e4 *')[0])


@pytest.mark.parametrize("tags", ['[SetUp "1"]', '[Setup "1"]\n[FEN ""]', '[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]'])
def test_a_game_whose_position_is_missing_is_not_shown_from_another(tags: str) -> None:
    with pytest.raises(Failure, match="fen"):
        read_pgn(f"{tags}\n\n1. e4 *")


def test_an_empty_position_is_the_usual_one() -> None:
    assert read_pgn('[FEN ""]\n[SetUp "0"]\n\n1. e4 *')[0].fen == chess.STARTING_FEN


@pytest.mark.parametrize(("tag", "notation"), [("600+5", "10+5"), ("40/7200:3600", "120/40:60"), ("1/172800", "2days")])
def test_times_are_taken_as_pgn_means_them(tag: str, notation: str) -> None:
    (score,) = read_pgn(f'[TimeControl "{tag}"]\n\n1. e4 *')
    assert score.time is not None and score.time.notation == notation
    assert f'[TimeControl "{tag}"]' in write_pgn(score)


def test_a_time_control_in_words_stays_as_it_is() -> None:
    (score,) = read_pgn('[TimeControl "15\'/game & 10"/move"]\n\n1. e4 *')
    assert score.time is None and '[TimeControl "15\'/game & 10\\"/move"]' in write_pgn(score)


# --- moves and results -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dash", "-‐‑‒–—−")
def test_dashes_of_every_kind(dash: str) -> None:
    text = f"1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O{dash}O Nf6 5. d3 0{dash}0 "
    assert moves(f"{text} 1{dash}0")[6:] == ["e1g1", "g8f6", "d2d3", "e8g8"]
    assert [
        score.result for score in read_pgn(f"1. e4 1{dash}0\n1. e4 0{dash}1\n1. e4 1/2{dash}1/2\n1. e4 ½{dash}½")
    ] == [
        "1-0",
        "0-1",
        "1/2-1/2",
        "1/2-1/2",
    ]
    assert read_pgn(f'[Result "1{dash}0"]\n\n1. e4 1{dash}0')[0].result == "1-0"


@pytest.mark.parametrize("dash", [b"\x96", b"\x97"])
def test_dashes_of_windows(dash: bytes) -> None:
    file = file_of(b'[White "J\xf6rg"]\n\n1. e4 1' + dash + b'0\n\n[White "Eva"]\n\n1. d4 0' + dash + b"1\n")
    assert list(file) == ["Jörg", "Eva"]
    assert [file.score(number).result for number in (1, 2)] == ["1-0", "0-1"]


def test_figurines_and_small_castling() -> None:
    assert moves("1.e4 e5 2.♘f3 ♞c6 3.♗c4 ♝c5 4.o-o ♟d6 5.♙d3 *")[2:] == [
        *("g1f3", "b8c6", "f1c4", "f8c5", "e1g1", "d7d6", "d2d3"),
    ]


def test_signs_behind_moves_are_kept_as_glyphs() -> None:
    file = file_of("1. e4 ± e5 $146 2. Nf3 +- Nc6 ⩲ 3. Bb5 = a6 -+ 4. Ba4 +/= b5?! *")
    text = file.text(1)
    game, _ = read_tree(file.score(1), text)
    assert [next(iter(node.nags)) for node in game.mainline()] == [16, 146, 18, 14, 10, 19, 14, 6]


def test_a_result_that_nobody_knows_is_told() -> None:
    for text in ('[Result "0-0"]\n\n1. e4 e5 0-0', '[Result "0-0"]\n\n1. e4 e5', "1. e4 e5 0-0"):
        with pytest.raises(Failure, match="result_unknown"):
            read_pgn(text)


# --- comments --------------------------------------------------------------------------------------------------------


def test_comments_are_kept_whole_wherever_they_stand() -> None:
    words = " ".join(f"Wort{number}" for number in range(800))
    text = f"{{{words} a}} 1. e4 {{{words} b}} e5 ; {words} c\n2. Nf3 (2. f4 {{{words} d}}) Nc6 1-0 {{{words} e}}\n"
    file = file_of(text)
    score = file.score(1)
    written = write_game(score, read_tree(score, file.text(1))[0])
    assert re.sub(r"\s+", " ", written).count(words) == 5
    again = read_pgn(written)[0]
    assert (again.comment, again.entries[0].comment) == (f"{words} a", f"{words} b")
    assert again.entries[1].comment == f"{words} c"
    assert again.entries[3].comment == f"{words} e"


# --- several games ---------------------------------------------------------------------------------------------------

BAD = {
    "illegal": "1. e4 e5 2. Ke3 Nc6 1-0",
    "result": "1. e4 e5 0-0",
    "variation": "1. e4 (1. d4 1-0",
    "closed": "1. e4 ) 1-0",
    "comment": "1. e4 {oh 1-0",
    "token": "1. e4 ~~~ 1-0",
    "null": "1. e4 -- 2. d4 1-0",
}


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
@pytest.mark.parametrize("behind", ["1. c4 c5 0-1", "1. c4 {gut} c5 0-1", "{x} 1. c4 (1. d4 {y}) c5 0-1"])
@pytest.mark.parametrize("result", ["1-0", "0-0"])
def test_a_bad_game_spoils_no_other(bad: str, behind: str, result: str) -> None:
    heads = [f'[Event "{name}"]\n[White "{name}"]\n[Result "{result if name == "b" else "*"}"]\n\n' for name in "abc"]
    file = file_of(f"{heads[0]}1. d4 d5 *\n\n{heads[1]}{bad}\n\n{heads[2]}{behind}\n")
    assert list(file) == ["a", "b", "c"]
    assert [len(file.score(number).entries) for number in (1, 3)] == [2, 2]
    with pytest.raises(Failure) as failure:
        file.score(2)
    assert failure.value.slots["game"] == 2


@pytest.mark.parametrize(
    "text",
    [
        '[Event "a"]\n\n1. e4 e5 1/2-1/2[Event "b"]\n\n1. d4 d5 1-0[Event "c"]\n\n1. c4 *',
        '[Event "a"]\r\n\r\n1. e4 e5 1/2-1/2\r\n[Event "b"]\r\n\r\n1. d4 d5 1-0\r\n[Event "c"]\r\n\r\n1. c4 *\r\n',
        '[Event "a"]\r\r1. e4 e5 1/2-1/2\r\r[Event "b"]\r\r1. d4 d5 1-0\r\r[Event "c"]\r\r1. c4 *\r',
        '[Event "a"]\n1. e4 e5\n[Event "b"]\n1. d4 d5\n[Event "c"]\n1. c4',
        '[Event "a"] [Site "x"] 1. e4 e5 1/2-1/2 [Event "b"] 1. d4 d5 1-0 [Event "c"] 1. c4 *',
        'Hallo, drei:\n\n[Event "a"]\n\n1. e4 e5 *\n\n[Event "b"]\n\n1. d4 d5 *\n\n[Event "c"]\n\n1. c4 *\n--\nGruß',
        '; y\n[Event "a"]\n1. e4 {[Event "x"]} e5 *\n[Event "b"]\n\n1. d4 ({1-0} 1. c4 1-0) d5 *\n[Event "c"]\n1. c4 *',
    ],
    ids=["no newline", "crlf", "cr", "no result", "one line", "a letter", "look-alikes"],
)
def test_where_games_end(text: str) -> None:
    file = file_of(text)
    assert [len(file.score(number).entries) for number in range(1, len(file) + 1)] == [2, 2, 1]
    assert not file.has(4)


def test_games_without_moves_and_result_are_games() -> None:
    file = file_of('[Event "a"]\n[White "A"]\n\n\n[Event "b"]\n[White "B"]\n\n1. e4 *\n\n[Event "c"]\n[White "C"]\n')
    assert list(file) == ["A", "B", "C"]


def test_a_comment_that_quotes_a_game_is_a_comment() -> None:
    file = file_of('[White "A"]\n\n1. e4 {Vergleiche:\n[Event "x"]\n1. d4 d5} e5 *\n\n[White "B"]\n\n1. c4 *\n')
    assert list(file) == ["A", "B"]
    assert len(file.score(1).entries) == 2


# --- encodings -------------------------------------------------------------------------------------------------------

NAMES = '[White "Müller, Jörg"]\n[Black "José Ħ"]\n\n1. e4 {Größe} 1-0\n'


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252", "latin-1"])
def test_encodings_are_read_as_what_they_are(encoding: str) -> None:
    text = NAMES if encoding.startswith("utf") else NAMES.replace("Ħ", "Ñ")
    file = file_of(text.encode(encoding))
    score = file.score(1)
    assert score.players == ("Müller, Jörg", "José Ħ" if encoding.startswith("utf") else "José Ñ")
    assert score.entries[0].comment == "Größe"


def test_games_of_several_encodings_in_one_file() -> None:
    latin = NAMES.replace("Ħ", "Ñ")
    file = file_of(NAMES.encode() + b"\n" + latin.encode("latin-1") + b"\n" + latin.encode())
    assert list(file) == ["Müller, Jörg – José Ħ", "Müller, Jörg – José Ñ", "Müller, Jörg – José Ñ"]


# --- long files ------------------------------------------------------------------------------------------------------


def test_only_what_is_asked_for_is_read_of_a_long_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As much of the file is looked at as the game's place demands, and no more than a chunk of it is in memory."""
    path = tmp_path / "long.pgn"
    path.write_text("".join(f'[Event "{n}"]\n[White "W{n}"]\n\n1. e4 e5 1-0\n\n' for n in range(5_000)), "utf-8")
    monkeypatch.setattr(pgn_index, "_CHUNK", 10_000)
    monkeypatch.setattr("voicechess.app.pgn_file.MAX_BYTES", 1_000)
    taken: list[int] = []

    class Watched(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            taken.append(size or 0)
            return super().read(size)

    index = PgnIndex(Watched(path.read_bytes()))
    assert index.has(3) and sum(taken) <= 10_003
    file = PgnFile.at(path)
    assert file[2] == "W2" and len(file) == 5_000 and file[4_999] == "W4999"
    assert max(taken) <= 10_000
    path.write_text("1. d4 *\n", "utf-8")
    with pytest.raises(Failure, match="changed"):
        file.text(3)


def test_a_game_too_large_is_refused_by_its_number_and_the_others_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is refused before it is read: its text alone might not fit into memory."""
    monkeypatch.setattr(pgn_index, "MAX_BYTES", 100)
    game = '[White "A"]\n\n1. e4 {%s} *\n\n'
    file = file_of("".join(game % (length * "x") for length in (10, 300, 20)))
    with pytest.raises(Failure) as refused:
        file.text(2)
    assert (refused.value.key, refused.value.slots) == ("pgn.error.too_large", {"game": 2})
    assert [len(file.score(number).entries) for number in (1, 3)] == [1, 1]


PIECES = [
    '[Event "a"]\n',
    '[White "b"]\n',
    "1. e4 ",
    "e5 ",
    "{c} ",
    "{",
    "}",
    "(",
    ")",
    "1-0 ",
    "*\n",
    "; x\n",
    "\n",
    '[Fen "',
]


@settings(max_examples=300)
@given(st.lists(st.sampled_from(PIECES), max_size=30), st.integers(1, 50))
def test_the_parts_are_the_whole_file_in_order_whatever_the_chunks(pieces: list[str], chunk: int) -> None:
    text = "".join(pieces)
    whole = list(pgn_index.games_in(io.BytesIO(text.encode())))
    ends = [0]
    for begin, end in whole:
        assert ends[-1] <= begin < end <= len(text)
        ends.append(end)
    read = file_of(text) if whole else None
    for number in range(1, len(whole) + 1):
        assert read is not None
        try:
            score = read.score(number)
        except Failure as failure:
            assert failure.slots["game"] == number
        else:
            assert write_pgn(read_pgn(write_pgn(score))[0]) == write_pgn(score)


@settings(max_examples=200)
@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(raw: bytes) -> None:
    try:
        file = file_of(b"1. e4 " + raw)
        list(file)
        for number in range(1, len(file) + 1):
            read_tree(file.score(number), file.text(number))
    except Failure as failure:
        assert failure.key.startswith("pgn.error.")
