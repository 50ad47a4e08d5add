"""The pit's pages, as whoever is signed in at a console sees them."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tables.demo import house


class Text(HTMLParser):
    """What a page says, without its marks."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []

    def handle_data(self, data: str) -> None:
        self.words += data.split()


def read(response) -> str:
    """Return the text of a page that was shown, words parted by one blank."""
    assert response.status_code == 200, response.status_code
    page = Text()
    page.feed(response.content.decode())
    return " ".join(page.words)


def queries(browser: Client, address: str) -> int:
    """Return how often a page asks the database, once what is noted once (SOD-14) is noted."""
    browser.get(address)
    with CaptureQueriesContext(connection) as asked:
        assert browser.get(address).status_code == 200
    return len(asked)


@pytest.fixture
def sign_in(casino):
    """Return a function that signs a member of the demo staff in at a console."""

    def signed_in(number: str) -> Client:
        browser = Client()
        given = {"number": number, "password": house.PASSWORD}
        assert browser.post("/sign-in/", given).status_code == 302
        return browser

    return signed_in


@pytest.fixture
def pit_boss(sign_in):
    """Return the pit boss's browser."""
    return sign_in("PB-004")
