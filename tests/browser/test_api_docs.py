"""The API's page for people works under the content security policy (the console stays silent)."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_page_shows_every_resource_and_opens_one(page: Page, server: str) -> None:
    page.goto(f"{server}/api/v1/docs")
    expect(page.get_by_role("heading", name="Baize")).to_be_visible()
    page.get_by_role("button", name="get /api/v1/property", exact=True).click()
    expect(page.get_by_text("Gaming days back from the one that runs.")).to_be_visible()
