"""The books as a pit boss reads them: found, followed, handed on and printed, in each light."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.utils import timezone
from playwright.sync_api import Page, expect

from casino.properties.models import Property
from casino.properties.selectors import gaming_day_of
from casino.staff.models import Employee
from ledger.inspecting import compare_books, verify_books
from ledger.models import Entry
from ledger.money import Money
from ledger.services.days import close_day
from ledger.services.exchange import exchange_legs
from ledger.services.posting import post_entry
from ledger.services.sealing import seal_next
from ledger.services.templates import Places
from tables.demo import house
from tables.demo.loading import load
from tables.floor.models import Table

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

CONSOLES = {"light": {"width": 1280, "height": 900}, "dark": {"width": 1024, "height": 768}}


@pytest.fixture
def casino(server: str) -> Property:
    """Return the demo casino: yesterday closed and sealed, money exchanged today."""
    now = timezone.now()
    casino = load(at=now, rounds=12)
    boss, auditor, cashier = (
        f"employee:{Employee.objects.get(number=number).pk}"
        for number in ("PB-004", "AU-002", "CC-117")
    )
    today = gaming_day_of(casino, now)
    while seal_next(property_id=casino.pk, at=now):
        pass
    verify_books(property_id=casino.pk, actor=auditor, at=now)
    compare_books(property_id=casino.pk, actor=auditor, at=now)
    close_day(
        property_id=casino.pk,
        gaming_day=today - timedelta(days=1),
        actor=boss,
        approver=auditor,
        at=now,
    )
    exchange = exchange_legs(
        sold=Money(1_500_000, "JPY"),
        currency="USD",
        rate=(150, 100),
        own_currency=casino.currency,
        places=Places(window="main"),
    )
    post_entry(
        property_id=casino.pk,
        key="exchange:1",
        kind="currency_exchanged",
        legs=exchange.legs,
        source="exchange:1",
        actor=cashier,
        at=now,
        gaming_day=today,
        rate=exchange.rate,
    )
    return casino


@pytest.fixture
def boss(casino: Property, server: str, page: Page) -> Page:
    """Return the pit boss's page, signed in."""
    page.goto(f"{server}/sign-in/")
    page.get_by_label("Employee number").fill("PB-004")
    page.get_by_label("Password").fill(house.PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Main pit")).to_be_visible()
    return page


def addresses() -> list[str]:
    """Return the address of every page of the books."""
    tray = f"1120/{Table.objects.get(code='T1').ref}"
    exchanged = Entry.objects.get(kind="currency_exchanged")
    voided = Entry.objects.filter(kind="reversal").earliest("pk")
    return [
        "/pit/books/entries/",
        "/pit/books/entries/?kind=reversal&table=T1",
        "/pit/books/accounts/",
        "/pit/books/accounts/?under=4010",
        "/pit/books/accounts/?find=tray",
        f"/pit/books/statement/?account={tray}",
        "/pit/books/trial-balance/",
        f"/pit/books/trial-balance/?day={voided.gaming_day}",
        "/pit/books/seals/",
        f"/pit/entries/{exchanged.pk}/",
        f"/pit/entries/{voided.pk}/",
    ]


def violations(page: Page) -> list[str]:
    """Return what axe finds wrong, by rule and place."""
    return [
        f"{found['id']}: {node['target']}"
        for found in Axe().run(page).response["violations"]
        for node in found["nodes"]
    ]


def too_wide(page: Page) -> list[str]:
    """Return the tables that do not fit."""
    return page.evaluate(
        """() => [...document.querySelectorAll('.table-scroll')]
             .filter((one) => one.scrollWidth > one.clientWidth)
             .map((one) => one.textContent)"""
    )


@pytest.mark.parametrize("scheme", CONSOLES)
def test_every_page_and_paper_is_accessible_and_fits_its_console(
    boss: Page, server: str, scheme: str
) -> None:
    boss.set_viewport_size(CONSOLES[scheme])
    boss.emulate_media(color_scheme=scheme)
    for address in addresses():
        papers = [f"{address}{'&' if '?' in address else '?'}print=1"]
        for each in [address, *(papers if "/books/" in address else [])]:
            boss.goto(f"{server}{each}")
            assert (each, violations(boss)) == (each, [])
            assert (each, too_wide(boss)) == (each, [])
            width = boss.evaluate("document.documentElement.scrollWidth")
            assert (each, width) == (each, CONSOLES[scheme]["width"])


@pytest.mark.parametrize("sheet", ["A4", "Letter"])
def test_paper_is_light_bears_no_way_on_and_fits_its_sheet(
    boss: Page, server: str, sheet: str
) -> None:
    boss.emulate_media(media="print", color_scheme="dark")
    # What a sheet of this size leaves between its margins, in pixels of CSS.
    boss.set_viewport_size({"width": {"A4": 702, "Letter": 725}[sheet], "height": 900})
    for address in addresses():
        if "/books/" in address:
            boss.goto(f"{server}{address}")
            assert boss.locator(".paper-head").is_visible()
            assert not boss.get_by_role("navigation").first.is_visible()
            assert not boss.get_by_role("button").first.is_visible()
            assert boss.evaluate("getComputedStyle(document.documentElement).backgroundColor") == (
                "rgb(255, 255, 255)"
            )
            assert (address, too_wide(boss)) == (address, [])


def test_a_wrong_value_is_read_out_beside_its_field(boss: Page, server: str) -> None:
    boss.goto(f"{server}/pit/books/entries/")
    boss.get_by_label("Amount in USD").fill("1,50")
    boss.get_by_label("Amount in USD").press("Enter")
    amount = boss.get_by_label("Amount in USD")
    expect(amount).to_have_value("1,50")
    expect(amount).to_have_accessible_description(
        "Of one leg, on either side. ! Write the amount in plain digits, such as 25.00."
    )
    assert violations(boss) == []


def test_from_a_search_to_the_round_and_to_the_account(boss: Page, server: str) -> None:
    boss.goto(f"{server}/pit/")
    boss.get_by_role("link", name="Books").click()
    boss.get_by_label("Table").select_option("T1")
    boss.get_by_label("Kind").select_option(label="Round settled")
    boss.get_by_role("button", name="Search").click()
    entries = boss.get_by_role("table", name="Entries, the newest first")
    entries.get_by_role("link", name="Round settled").first.click()
    expect(boss.get_by_role("heading", name="Ledger entry")).to_be_visible()
    boss.get_by_role("link", name="1120/table:").first.click()
    expect(
        boss.get_by_role("heading", name="Statement of Table inventory (tray), table T1")
    ).to_be_visible()
    boss.get_by_role("link", name="Round 1, table T1").first.click()
    expect(boss.get_by_role("heading", name="Round 1, table T1")).to_be_visible()


@pytest.mark.parametrize("kind", ["CSV", "XLSX"])
def test_a_file_is_handed_on(boss: Page, server: str, kind: str, tmp_path: Path) -> None:
    boss.goto(f"{server}/pit/books/entries/?table=T1")
    with boss.expect_download() as started:
        boss.get_by_role("link", name=kind, exact=True).click()
    file = tmp_path / started.value.suggested_filename
    started.value.save_as(file)
    assert file.name == f"jade-harbour-entries.{kind.lower()}"
    assert file.stat().st_size > 1_000


def test_a_list_goes_on_within_its_page(boss: Page, server: str) -> None:
    boss.goto(f"{server}/pit/books/statement/?account=1120/{Table.objects.get(code='T1').ref}")
    rows = boss.locator("#rows")
    first = rows.get_by_role("rowheader").nth(1).locator("..").inner_text()
    rows.get_by_role("link", name="Older").click()
    expect(rows.get_by_role("link", name="Newer")).to_be_visible()
    rows.get_by_role("link", name="Newer").click()
    expect(rows.get_by_role("rowheader").nth(1).locator("..")).to_have_text(
        first, use_inner_text=True
    )


def test_the_printer_is_one_press_away(boss: Page, server: str) -> None:
    boss.goto(f"{server}/pit/books/seals/")
    boss.get_by_role("link", name="Print", exact=True).click()
    expect(boss.get_by_role("heading", level=1)).to_have_text("Jade Harbour · Seals")
    boss.evaluate("window.print = () => { window.wasPrinted = true; }")
    boss.get_by_role("button", name="Print").click()
    assert boss.evaluate("window.wasPrinted")
    boss.get_by_role("link", name="Back").click()
    expect(boss.get_by_role("navigation", name="Books")).to_be_visible()
