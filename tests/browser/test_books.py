"""The books as an auditor leafs through them: from the day to the entry, its account, its chips."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from casino.staff.roles import Role
from ledger.models import Entry
from tests.ledger.conftest import house
from tests.ledger.test_admin import addresses, fill_books
from tests.staff.conftest import PASSWORD, hire

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def auditor(server: str, page: Page) -> Page:
    """Return the console of an auditor who has signed in on the way to the books."""
    place = house("golden-gate")
    fill_books(place, "document:ours")
    hire(place, "AU-001", Role.AUDITOR, pin=None)
    page.goto(f"{server}/admin/")
    page.get_by_label("Employee number").fill("AU-001")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="The books")).to_be_visible()
    return page


def finds_nothing_wrong(page: Page) -> None:
    # Preloading, axe copies what a style sheet imports into the page, which the policy refuses.
    found = Axe().run(page, options={"preload": False}).response["violations"]
    assert [(each["id"], [node["target"] for node in each["nodes"]]) for each in found] == []


def test_an_auditor_walks_from_the_day_to_the_chips(auditor: Page) -> None:
    auditor.get_by_role("link", name="Periods").click()
    auditor.get_by_role("link", name="of this day").click()
    entry = Entry.objects.get()
    auditor.get_by_role("link", name=str(entry.pk), exact=True).click()
    expect(auditor.get_by_role("row", name="1120/table:3")).to_contain_text("2 × 25.00")
    auditor.get_by_role("link", name="1120/table:3").click()
    auditor.get_by_role("link", name="The statement").click()
    expect(auditor.get_by_role("row", name="fill_received")).to_contain_text("50.00")
    auditor.get_by_role("button", name="Sign out").click()
    expect(auditor.get_by_role("heading", name="Sign in")).to_be_visible()


def test_no_page_meets_what_the_security_policy_refuses(auditor: Page, server: str) -> None:
    """The fixture `page` fails where a console says so."""
    for address in addresses(Entry.objects.get().property_id):
        auditor.goto(f"{server}{address}")
        expect(auditor.get_by_role("button", name="Sign out")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_list_and_a_row_can_be_read_by_everybody(auditor: Page, scheme: str) -> None:
    auditor.emulate_media(color_scheme=scheme)
    finds_nothing_wrong(auditor)
    auditor.get_by_role("link", name="Entries").click()
    finds_nothing_wrong(auditor)
    auditor.get_by_role("row", name="document:ours").get_by_role("link").first.click()
    expect(auditor.get_by_role("heading", name="Postings")).to_be_visible()
    finds_nothing_wrong(auditor)
