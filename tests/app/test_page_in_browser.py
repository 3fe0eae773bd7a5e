"""The page in a real browser: it follows a game, moves are made at it, and a screen reader finds its way."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path

import pytest

pytest.importorskip("selenium", reason="selenium is not installed")

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import Select, WebDriverWait

GIVE_UP_S = 60
FLAGS = (
    *("headless", "no-sandbox", "disable-gpu", "disable-quic", "no-first-run", "disable-background-networking"),
    *("disable-component-update", "disable-sync", "force-prefers-reduced-motion", "window-size=1400,1000"),
)
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        not (shutil.which("chromium") and shutil.which("chromedriver")), reason="no chromium with its driver here"
    ),
]


class Watching:
    """The program with its page, and a browser that has it open."""

    def __init__(self, browser: webdriver.Chrome, *options: str, begins: tuple[str, ...] = ("play",)) -> None:
        command = [sys.executable, "-m", "voicechess", *begins, "--input", "keyboard", "--output", "text"]
        address = ["--board", "--board-address", "127.0.0.1:0", *options]  # at a port of its own
        pipe = subprocess.PIPE
        self.game = subprocess.Popen([*command, *address], stdin=pipe, stdout=pipe, encoding="utf-8")
        assert self.game.stdout is not None
        self.url = next(line.strip() for line in self.game.stdout if line.startswith("http"))
        self.browser = browser
        browser.get(self.url)
        self.until(lambda: self.find("html").get_attribute("data-ready") == "yes")

    def type(self, *lines: str) -> None:
        assert self.game.stdin is not None
        self.game.stdin.writelines(line + "\n" for line in lines)
        self.game.stdin.flush()

    def find(self, selector: str) -> WebElement:
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def until(self, condition: Callable[[], object]) -> None:
        WebDriverWait(self.browser, GIVE_UP_S, ignored_exceptions=[Exception]).until(lambda _: condition())

    def piece(self, square: str) -> str:
        """What stands there, as it is drawn."""
        images = self.browser.find_elements(By.CSS_SELECTOR, f'[data-square="{square}"] img')
        return images[0].get_attribute("src").rpartition("/")[2] if images else ""  # type: ignore[union-attr]

    def click(self, *squares: str) -> None:
        for square in squares:
            self.find(f'[data-square="{square}"]').click()

    def choose(self, name: str, value: str) -> None:
        Select(self.find(f"[name={name}]")).select_by_value(value)

    def text(self, selector: str) -> str:
        return str(self.find(selector).get_attribute("textContent"))

    def violations(self) -> list[str]:
        """What axe-core finds wrong."""
        script = resources.files("axe_core_python") / "axe.min.js"
        self.browser.execute_script(script.read_text("utf-8"))
        found = self.browser.execute_async_script("axe.run().then(arguments[0])")
        return [f"{one['id']}: {node['html']}" for one in found["violations"] for node in one["nodes"]]

    def close(self) -> None:
        self.game.terminate()
        self.game.wait(GIVE_UP_S)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    options = webdriver.ChromeOptions()
    options.binary_location = str(shutil.which("chromium"))
    for flag in (*FLAGS, f"user-data-dir={tmp_path_factory.mktemp('browser')}"):
        options.add_argument(f"--{flag}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(str(shutil.which("chromedriver"))))
    driver.set_script_timeout(GIVE_UP_S)
    yield driver
    driver.quit()


@pytest.fixture
def watching(browser: webdriver.Chrome) -> Iterator[Callable[..., Watching]]:
    opened: list[Watching] = []

    def watch(*options: str, begins: tuple[str, ...] = ("play",)) -> Watching:
        opened.append(Watching(browser, *options, begins=begins))
        return opened[-1]

    yield watch
    for one in opened:
        one.close()


def test_it_follows_the_game_and_nothing_is_wrong_for_a_screen_reader(watching: Callable[..., Watching]) -> None:
    page = watching("--both", "--time", "5+3", "--white-name", "<b>Anna</b>")
    page.type("e2e4", "e7e5", "Dame h7")
    page.until(lambda: page.text("#moves").count("e5") == 1 and "Hector sieben" in page.text("#transcript"))
    assert "Gehört: Dame h7" in page.text("#transcript")
    assert page.find("#board tbody tr:nth-child(5) td:nth-of-type(5) img").get_attribute("alt") == "Weißer Bauer"
    assert [th.text for th in page.browser.find_elements(By.CSS_SELECTOR, "#board thead th")][:2] == ["Anna", "Bella"]
    assert len(page.browser.find_elements(By.CSS_SELECTOR, "td.last")) == 2
    assert "<b>Anna</b>" in page.text("#below .who"), "a name is no part of the page"
    assert page.text("#below .clock").startswith(("5:", "4:"))
    assert page.find("#live").get_attribute("aria-live") == "off"
    assert not page.violations()
    page.browser.execute_script("document.querySelector('details').open = true")
    for theme in ("dark", "light"):
        page.choose("theme", theme)
        assert not page.violations(), theme
    page.choose("coordinates", "letters")
    page.until(lambda: page.find("#board thead th").text == "a")
    page.find("[name=aloud]").click()
    page.until(lambda: page.find("#live").get_attribute("aria-live") == "polite")
    page.type("Material")
    page.until(lambda: all(side in page.text("#live") for side in ("Weiß: ", "Schwarz: ")))
    page.browser.refresh()
    page.until(lambda: "Hector sieben" in page.text("#transcript") and page.find("#board thead th").text == "a")
    assert not [entry for entry in page.browser.get_log("browser") if entry["level"] == "SEVERE"]  # type: ignore[no-untyped-call]


def test_moves_by_click_and_by_keyboard(watching: Callable[..., Watching]) -> None:
    page = watching("--both", "--board-input", "--fen", "4k3/P7/8/8/8/8/8/4K2R w K - 0 1")
    assert not page.violations()
    page.click("e1", "e5")
    page.until(lambda: "Der König kann nicht nach Eva fünf" in page.text("#transcript"))
    page.click("a7", "a8")
    page.find("#promotion button:nth-of-type(4)").click()
    page.until(lambda: page.piece("a8") == "wN.svg")
    assert "Bauer Anna sieben Anna acht Springer." in page.text("#transcript"), "repeated as if announced"
    page.click("e8")
    square = page.browser.switch_to.active_element
    square.send_keys(Keys.ARROW_DOWN)
    page.browser.switch_to.active_element.send_keys(Keys.ENTER)
    page.until(lambda: page.piece("e7") == "bK.svg")
    page.click("e1", "g1")
    page.until(lambda: page.piece("f1") == "wR.svg")
    assert "Kurze Rochade." in page.text("#transcript")


def test_letters_jump_to_pieces(watching: Callable[..., Watching]) -> None:
    page = watching("--both", "--board-input", "--fen", "4k3/P7/8/8/3n4/8/8/4K2R w K - 0 1")

    def press(keys: str) -> str | None:
        page.browser.switch_to.active_element.send_keys(keys)
        return page.browser.switch_to.active_element.get_attribute("data-square")

    page.click("e5")
    assert [press(key) for key in "kktbs"] == ["e8", "e1", "h1", "a7", "d4"]
    assert press(Keys.SHIFT + "k") == "e1"
    assert press("d") == "e1", "there is no queen"
    assert "Diese Figur steht nicht auf dem Brett." in page.text("#status")
    assert page.browser.switch_to.active_element.get_attribute("aria-label") == "Eva eins: Weißer König"
    assert press(Keys.ARROW_UP) == "e2"
    assert (press("z"), page.text("#status")) == ("e2", "Noch kein Zug.")
    assert (press("u"), page.text("#status")) == ("e2", "Ohne Uhr.")
    page.click("h1", "h8")
    page.until(lambda: page.piece("h8") == "wR.svg")
    page.click("e5")
    press("z")
    assert page.text("#status") == page.text("#moves li:last-child") != ""
    assert not page.violations()


def test_a_coach_draws_by_voice_and_the_pupil_moves_at_the_page(
    watching: Callable[..., Watching], tmp_path: Path
) -> None:
    file = tmp_path / "study.pgn"
    file.write_text('[White "Anna"]\n\n{ [%csl Re5] [%cal Bd2d4] } 1. e4 e5 2. Nf3 *\n', "utf-8")
    page = watching("--board-input", begins=("analyse", str(file)))

    def shapes() -> list[str]:
        return [str(one.get_attribute("class")) for one in page.browser.find_elements(By.CSS_SELECTOR, "#arrows .line")]

    page.until(lambda: page.piece("e2") == "wP.svg")
    assert shapes() == ["line R", "line B"]
    assert page.text("#drawn") == "Eingezeichnet: Feld Eva fünf. Pfeil David zwei David vier."
    assert page.text("#below .who").startswith("Weiß: Anna")
    assert not page.violations()

    page.type("Pfeil g1 f3", "markiere e4")
    page.until(lambda: len(shapes()) == 4)
    assert page.text("#drawn").endswith("Pfeil Gustav eins Felix drei. Feld Eva vier.")
    label = page.find('[data-square="e4"]').get_attribute("aria-label")
    assert label == "Eva vier: Leer. Markiert"
    # A ring lies on its square, and an arrow ends on the square it points to.
    inside = """
        const box = document.querySelector(`[data-square="${arguments[0]}"]`).getBoundingClientRect();
        const path = [...document.querySelectorAll("#arrows .line")][arguments[1]];
        const end = path.getPointAtLength(0), to = path.getScreenCTM();
        const x = end.x * to.a + to.e, y = end.y * to.d + to.f;
        return x > box.left && x < box.right && y > box.top && y < box.bottom;
    """
    for square, index in (("e5", 0), ("d2", 1), ("g1", 2), ("e4", 3)):
        assert page.browser.execute_script(inside, square, index), square
    page.click("e2")
    assert page.find('[data-square="e4"]').get_attribute("aria-label") == "Eva vier: Leer. Markiert", "redrawn"
    assert not page.violations()

    page.click("e4")
    page.until(lambda: page.piece("e4") == "wP.svg")
    assert not shapes() and not page.find("#drawn").is_displayed()
    assert "Gesagt: Eins: Eva vier." in page.text("#transcript")
    page.click("d7", "d5")
    page.until(lambda: "Neue Variante." in page.text("#transcript"))
    page.click("e4", "e6")
    page.until(lambda: "keinen Doppelschritt" in page.text("#transcript"))
    assert page.piece("e4") == "wP.svg"
    page.type("kommentar")
    page.until(lambda: not page.find("#how").is_displayed())
    page.click("e4")
    assert page.text("#status") == (
        "Jetzt nicht: am Zug ist die andere Seite, oder das Programm wartet auf etwas anderes."
    )
    page.type("abbrechen", "markiere d5")
    page.until(lambda: len(shapes()) == 1)
    page.browser.execute_script("document.querySelector('details').open = true")
    page.choose("coordinates", "letters")
    page.until(lambda: page.find("#board thead th").text == "a")
    assert page.text("#drawn") == "Eingezeichnet: Feld d 5."
    wrong = [entry for entry in page.browser.get_log("browser") if entry["level"] == "SEVERE"]  # type: ignore[no-untyped-call]
    assert not [entry for entry in wrong if page.url in entry["message"]]


def test_a_strict_blind_game_is_covered(watching: Callable[..., Watching]) -> None:
    page = watching("--both", "--preset", "strict-blind")
    page.type("e2e4")
    page.until(lambda: "e4" in page.text("#moves"))
    assert not page.find("#board").is_displayed() and page.find("#covered").is_displayed()
    assert not page.browser.find_elements(By.CSS_SELECTOR, "#board img")


def test_a_program_that_has_ended_is_told_on_the_page(watching: Callable[..., Watching]) -> None:
    page = watching("--both")
    page.close()
    page.until(lambda: page.find("#lost").is_displayed())


def test_on_a_phone_the_board_fits(watching: Callable[..., Watching], tmp_path: Path) -> None:
    page = watching("--black")
    page.browser.set_window_size(500, 900)
    try:
        page.until(lambda: page.find("#board").is_displayed())
        width = page.browser.execute_script(
            "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        assert width <= 0
        assert page.find("#board tbody th").text == "eins", "Black's side is below"
    finally:
        page.browser.set_window_size(1400, 1000)
