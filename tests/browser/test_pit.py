"""The pit as a pit boss watches it: the floor moves by itself, every figure leads to its round."""

from __future__ import annotations

from random import Random

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from tables.demo import house
from tables.demo.loading import load
from tables.demo.shift import Crew, TableShift
from tables.floor.models import TableSession
from tables.rounds.models import Round
from tests import factories

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

CONSOLES = {"light": {"width": 1366, "height": 900}, "dark": {"width": 1024, "height": 768}}


class PitBoss:
    """The pit boss at a console."""

    def __init__(self, page: Page, server: str) -> None:
        self.page, self.server = page, server
        page.goto(f"{server}/sign-in/")
        page.get_by_label("Employee number").fill("PB-004")
        page.get_by_label("Password").fill(house.PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("heading", name="Main pit")).to_be_visible()

    @property
    def connection(self) -> Locator:
        return self.page.locator("[data-behaviour='live']")

    def row(self, table: str) -> Locator:
        return self.page.get_by_role("row", name=table)

    def finds_nothing_wrong(self) -> None:
        found = Axe().run(self.page).response["violations"]
        assert [(each["id"], [node["target"] for node in each["nodes"]]) for each in found] == []


@pytest.fixture
def shift(server: str) -> TableShift:
    """Return T1 in play since this moment."""
    casino = factories.a_casino()
    shift = TableShift(
        table=factories.a_table(casino),
        crew=Crew(
            dealer=factories.dealer(casino),
            floor=factories.floor(casino),
            pit_boss=factories.pit_boss(casino),
        ),
        patrons={seat: factories.a_patron(casino, f"P{seat}") for seat in (1, 2, 3)},
        random=Random(11),
        clock=timezone.now(),
    )
    shift.open()
    return shift


@pytest.fixture
def boss(shift: TableShift, server: str, page: Page) -> PitBoss:
    # The page comes last, so that its stream ends before the server does.
    return PitBoss(page, server)


def test_a_round_shows_on_the_floor_by_itself(boss: PitBoss, shift: TableShift) -> None:
    expect(boss.connection).to_have_text("Connected", use_inner_text=True)
    boss.page.evaluate("window.wasNotReloaded = true")
    round_number = boss.row("T1").get_by_role("cell").nth(2)
    expect(round_number).to_have_text("—")
    shift.play(1)
    expect(round_number).to_contain_text("1")
    expect(boss.row("T1")).to_contain_text("Mei Tran DL-210")
    shift.play(1)
    expect(round_number).to_contain_text("2")
    assert boss.page.evaluate("window.wasNotReloaded")


def test_only_the_row_of_the_table_is_asked_for(boss: PitBoss, shift: TableShift) -> None:
    expect(boss.connection).to_have_text("Connected", use_inner_text=True)
    asked: list[str] = []
    boss.page.on("request", lambda request: asked.append(request.url.removeprefix(boss.server)))
    shift.play(1)
    expect(boss.row("T1").get_by_role("cell").nth(2)).to_contain_text("1")
    assert set(asked) == {f"/pit/tables/{shift.table.pk}/row/"}


def test_the_floor_says_when_it_is_not_connected(boss: PitBoss) -> None:
    expect(boss.connection).to_have_text("Connected", use_inner_text=True)
    boss.page.context.set_offline(True)
    expect(boss.connection).to_have_text("Not connected", use_inner_text=True)


def test_from_the_floor_down_to_the_written_steps(boss: PitBoss, shift: TableShift) -> None:
    shift.play(27)
    page = boss.page
    page.reload()  # what is redrawn under the pointer loses the click
    boss.row("T1").get_by_role("link", name="T1").click()
    expect(page.get_by_role("heading", name="Session T1 #1")).to_be_visible()
    rounds = page.locator("#rounds")
    rounds.get_by_role("link", name="Go on").click()
    expect(rounds.get_by_role("link", name="Round 2", exact=True)).to_be_visible()
    expect(rounds.get_by_role("link", name="Round 27", exact=True)).to_have_count(0)
    rounds.get_by_role("link", name="Round 2", exact=True).click()
    expect(page.get_by_role("heading", name="Round 2, table T1")).to_be_visible()
    page.get_by_role("button", name="Replay").click()
    expect(page.locator("#replay")).to_contain_text("the record comes to the stored result")
    boss.finds_nothing_wrong()


@pytest.mark.parametrize("scheme", CONSOLES)
def test_every_page_is_accessible_and_fits_its_console(
    server: str, page: Page, scheme: str
) -> None:
    load(at=timezone.now(), rounds=6)
    page.set_viewport_size(CONSOLES[scheme])
    page.emulate_media(color_scheme=scheme)
    PitBoss(page, server)
    running = TableSession.objects.get(state="open")
    settled = TableSession.objects.filter(state="closed_provisional").latest("pk")
    voided = Round.objects.filter(state="voided", session=settled).get()
    for address in (
        "/pit/",
        "/pit/sessions/",
        f"/pit/sessions/{running.pk}/",
        f"/pit/sessions/{settled.pk}/",
        f"/pit/rounds/{running.rounds.latest('pk').pk}/?replay=1",
        f"/pit/rounds/{voided.pk}/",
        f"/pit/entries/{voided.entry_id}/",
    ):
        page.goto(f"{server}{address}")
        found = Axe().run(page).response["violations"]
        assert (address, [each["id"] for each in found]) == (address, [])
        too_wide = page.evaluate(
            """() => [...document.querySelectorAll('.table-scroll')]
                 .filter((one) => one.scrollWidth > one.clientWidth)
                 .map((one) => one.textContent)"""
        )
        assert (address, too_wide) == (address, [])
