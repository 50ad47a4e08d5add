"""Draws the pictures of the README from a demo of its own, which is gone afterwards.

`make screenshots` runs it; `python docs/screenshots.py books` draws the books alone. Needs a
Chromium on PATH (or in CHROMIUM) and the packages of the tests.
"""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, Page, expect, sync_playwright

from casino.local.chromium import find_chromium

PROJECT: Final = Path(__file__).resolve().parent.parent
IMAGES: Final = PROJECT / "docs" / "images"
LARGEST: Final = 300_000
"""Bytes of a picture: a README is read over slow lines too."""

BANK: Final = ("six-six", "four-two", "four-four", "one-one")
SEATS: Final = (
    ("five-five", "six-four", "three-three", "two-one"),
    ("six-two", "five-three", "six-five", "six-five"),
    ("two-two", "six-three", "five-four", "three-one"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Demo:
    """A running demo casino, and how one gets in."""

    address: str
    tablet: str
    """The address that enrols a browser as the tablet of table T1."""


@contextmanager
def demo() -> Iterator[Demo]:
    """Run `./baize up` on a state folder that is removed at the end."""
    with tempfile.TemporaryDirectory(prefix="baize-pictures-") as state:
        environ = {**os.environ, "BAIZE_STATE_DIR": state, "PORT": str(_free_port())}
        with subprocess.Popen(  # noqa: S603  our own launcher
            [PROJECT / "baize", "up"], env=environ, stdout=subprocess.PIPE, text=True
        ) as launcher:
            try:
                assert launcher.stdout is not None
                yield _read(launcher.stdout)
            finally:
                launcher.terminate()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


def _read(said: Iterator[str]) -> Demo:
    found: dict[str, str] = {}
    for line in said:
        if ready := re.match(r"Baize is ready: (\S+)", line):
            found["address"] = ready[1]
        if tablet := re.match(r"\s+T1\s+(\S+)", line):
            found["tablet"] = tablet[1]
        if line.startswith("Ctrl-C"):
            return Demo(**found)
    sys.exit("the demo did not start; `./baize up` says why")


def press(page: Page, *names: str) -> None:
    """Press buttons by the names that a dealer reads."""
    for name in names:
        page.get_by_role("button", name=name, exact=True).click()


def open_page(browser: Browser, address: str, *, height: int) -> Page:
    """Open *address* as a tablet or desktop of its own would."""
    context = browser.new_context(viewport={"width": 1280, "height": height}, locale="en-US")
    page = context.new_page()
    page.goto(address)
    return page


def draw_tablet(browser: Browser, casino: Demo) -> None:
    """Deal one round of tiles at table T1 and stop where the dealer is told what to pay."""
    page = open_page(browser, casino.tablet, height=720)
    page.get_by_label("Employee number").fill("DL-210")
    page.get_by_label("PIN").fill("2101")
    press(page, "Sign in", "Next round")
    for seat, chips in ((1, "Add 100"), (2, "Add 25"), (4, "Add 25")):
        page.get_by_role("radio", name=f"Seat {seat}").check(force=True)
        press(page, chips, "Wager")
        expect(page.locator("#status")).to_contain_text(f"Seat {seat}:")
    press(page, "No more bets")
    picker = page.locator("[data-picker]")
    for tile in (*BANK, *(tile for hand in SEATS for tile in hand)):
        picker.get_by_role("button", name=tile).first.click()
    expect(page.get_by_role("button", name="Confirm", exact=True)).to_be_visible()
    keep(page, "tablet")


def draw_pit(browser: Browser, casino: Demo) -> None:
    """Show the session that was settled yesterday, with its proof."""
    page = open_page(browser, f"{casino.address}/pit/sessions/1/", height=1240)
    page.get_by_label("Employee number").fill("PB-004")
    page.get_by_label("Password").fill("jade-harbour")
    press(page, "Sign in")
    expect(page.get_by_text("Proved: three roads, one win.")).to_be_visible()
    keep(page, "pit")


def draw_books(browser: Browser, casino: Demo) -> None:
    """Show how entries are found, and the trial balance of the day."""
    page = open_page(browser, f"{casino.address}/pit/books/entries/?table=T1", height=900)
    page.get_by_label("Employee number").fill("AU-002")
    page.get_by_label("Password").fill("jade-harbour")
    press(page, "Sign in")
    expect(page.get_by_text("Entries, the newest first")).to_be_visible()
    keep(page, "books-entries")
    page.goto(f"{casino.address}/pit/books/trial-balance/")
    expect(page.get_by_text("It balances:").first).to_be_visible()
    keep(page, "books-trial-balance")


def keep(page: Page, name: str) -> None:
    """Write the page as it stands, unless it has grown too large to be shown."""
    picture = page.screenshot()
    if len(picture) > LARGEST:
        sys.exit(f"{name}.png would have {len(picture)} bytes; {LARGEST} are allowed")
    IMAGES.mkdir(exist_ok=True)
    (IMAGES / f"{name}.png").write_bytes(picture)


DRAWN: Final[Mapping[str, Callable[[Browser, Demo], None]]] = {
    "tablet": draw_tablet,
    "pit": draw_pit,
    "books": draw_books,
}


def main() -> None:
    """Draw the pictures that are named, or all of them."""
    named = set(sys.argv[1:]) or set(DRAWN)
    with demo() as casino, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_chromium(os.environ), args=["--no-sandbox"]
        )
        for name in named:
            DRAWN[name](browser, casino)
        browser.close()


if __name__ == "__main__":
    main()
