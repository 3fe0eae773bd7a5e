"""The board for sighted spectators: a page in a browser, or the position in letters after each move at a terminal.

The loop reports what is said and heard and which game is in progress (`Onlooker` in `app.around`). Failures become
sentences, and the game goes on.
"""

from __future__ import annotations

import contextlib
import importlib
import webbrowser
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import chess

from voicechess.game.session import Session
from voicechess.game.sight import Scene, Sight, lettered, seen, shown
from voicechess.language.lexicon import load
from voicechess.language.wording import Wording
from voicechess.messages import Failure, Phrase, Piece, Text
from voicechess.own_files import write_text
from voicechess.score.score import PieceLetters
from voicechess.storage.places import page_file

if TYPE_CHECKING:
    from voicechess.app.page.server import Address, Page

CLOCKS_MS = 1_000
"""Interval in milliseconds at which an idle board refreshes its clocks. Larger: they lag more."""

# fmt: off
_TEXTS = (
    "title", "board", "moves", "transcript", "clocks", "settings", "coordinates", "names", "letters", "theme", "auto",
    "light", "dark", "colours", "brown", "green", "blue", "contrast", "size", "aloud", "white", "black", "to_move",
    "heard", "said", "hidden", "nothing", "lost", "promotion", "empty", "from_to", "result", "number", "refused",
    "none", "drawn", "arrow", "mark", "marked", "no_move", "untimed",
)
# fmt: on
"""The texts of the page by their keys below [sentences.page.text]."""


class ShownBoard:
    """Shows the game beside it. `form`: "page", "text", or "" for nothing until `show`.

    `address`: where the page is served; None: on this computer only. `move`: called with a move made on the page, as a
    typed line; None: the page is read-only. `words`: returns the current wording. `print_line`: prints the page's
    address and the position in letters.
    """

    def __init__(
        self,
        form: str,
        words: Callable[[], Wording],
        *,
        address: str | None = None,
        move: Callable[[str], None] | None = None,
        print_line: Callable[[str], None] = print,
        browse: Callable[[str], object] = webbrowser.open,
    ) -> None:
        self._lettered, self._words, self._move = form == "text", words, move
        self._print, self._browse, self._address = print_line, browse, address
        self._page: Page | None = None
        self._sight: Sight | None = None
        self._looked_ms = 0

    def begin(self) -> None:
        """Serve the page. Raises Failure: its libraries are missing, the address cannot be used."""
        if self._page is not None and self._page.works:
            return
        try:
            server = importlib.import_module("voicechess.app.page.server")
        except ModuleNotFoundError as error:
            raise Failure("cli.missing_extra", {"extra": Text("board")}) from error
        from voicechess.app.page.shown import Shown

        self._shown = Shown()
        address: Address = server.Address.read(self._address) if self._address else server.Address()
        self._page = server.Page(self._shown, address, self._texts, self._move)
        if self._sight is not None:
            self._shown.look(self._sight)
        self._print(self._words().say(Phrase("page.address")))
        self._print(self._page.url)

    def show(self, wanted: bool) -> Phrase:
        """Open the page in a browser, or stop serving it; returns the message about it."""
        if not wanted:
            if self._page is None:
                return Phrase("page.not_shown")
            self.close()
            return Phrase("page.closed")
        try:
            self.begin()
        except Failure as failure:
            return failure.phrase
        assert self._page is not None
        with contextlib.suppress(Exception):  # whatever browsers raise: the address was printed
            self._browse(self._leading_to(self._page.url))
        return Phrase("page.shown")

    def _leading_to(self, url: str) -> str:
        """The address of a local file that redirects there. Any account can read a browser's command line, and the
        page's address is its secret. Raises OSError."""
        file = page_file()
        write_text(file, f'<meta charset="utf-8"><meta http-equiv="refresh" content="0; url={url}">\n')
        return file.as_uri()

    def close(self) -> None:
        """Stop serving the page."""
        if self._page is not None:
            with contextlib.suppress(OSError):
                page_file().unlink()
            self._page.close()
            self._page = None

    # --- called by the loop --------------------------------------------------------------------------------------

    def said(self, text: str) -> None:
        """Show what is being said."""
        if self._page is not None:
            self._shown.add("said", text)

    def heard(self, words: str) -> None:
        """Show what was heard or typed."""
        if self._page is not None and words:
            self._shown.add("heard", words)

    def look(self, game: Session | Scene | None, now_ms: int, idle: bool) -> None:
        """Show the game after a step; `idle`: only time has passed. None: there is nothing to see; what was seen last
        stays, and nobody moves there any more.

        Raises Failure: the page is no longer served.
        """
        if game is None:
            if self._sight is not None and self._sight.here:
                self._see(replace(self._sight, here=False))
            return
        if idle and now_ms - self._looked_ms < CLOCKS_MS:
            return
        self._looked_ms = now_ms
        if self._page is not None and not self._page.works:
            self.close()
            raise Failure("page.failed")
        before = self._sight
        if isinstance(game, Scene):
            sight = shown(game, self._letters, before)
        else:
            sight = seen(game, now_ms, self._letters, before)
        self._see(sight)
        if self._lettered and sight.fen and (before is None or before.fen != sight.fen):
            self._print_position(sight)

    def _see(self, sight: Sight) -> None:
        self._sight = sight
        if self._page is not None:
            self._shown.look(sight)

    @property
    def _letters(self) -> PieceLetters:
        return PieceLetters[load(self._words().language).about.notation.upper()]

    def _print_position(self, sight: Sight) -> None:
        letters = self._words().say(Phrase("page.piece_letters"))
        for line in lettered(sight.fen, letters, sight.below):
            self._print(line)

    def _texts(self) -> dict[str, object]:
        """The texts of the page in the current language."""
        words = self._words()
        pieces = {
            f"{'w' if colour else 'b'}{chess.piece_symbol(kind).upper()}": words.say(
                Phrase("page.piece", {"piece": Piece(kind, colour)})
            )
            for kind in chess.PIECE_TYPES
            for colour in chess.COLORS
        }
        return {
            "language": words.language,
            "texts": {name: words.say(Phrase(f"page.text.{name}")) for name in _TEXTS},
            "letters": words.say(Phrase("page.piece_letters")),
            "commands": {name: words.say(Phrase(f"keys.letter.{name}")).lower() for name in ("last_move", "time")},
            "files": [words.file(file) for file in range(8)],
            "ranks": [words.rank(rank) for rank in range(8)],
            "pieces": pieces,
        }
