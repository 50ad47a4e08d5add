"""A page on paper says who printed what and when, and leads nowhere but back."""

from __future__ import annotations

import pytest

from tests.tables.pit.conftest import read

from .conftest import CAGE, links, rows_of

PAGES = {
    "entries": "/pit/books/entries/?day=2026-03-14",
    "statement": f"/pit/books/statement/?account={CAGE}",
    "accounts": "/pit/books/accounts/?under=1010",
    "trial balance": "/pit/books/trial-balance/?day=2026-03-14",
    "seals": "/pit/books/seals/",
}


@pytest.mark.parametrize("page", PAGES)
def test_paper_says_who_printed_it_and_when(pit_boss, post, page):
    post()
    sheet = "&print=1" if "?" in PAGES[page] else "?print=1"
    (address,) = links(pit_boss.get(PAGES[page]), "Print")
    paper = pit_boss.get(f"{PAGES[page]}{sheet}")
    assert pit_boss.get(address).status_code == 200
    text = read(paper)
    assert "Jade Harbour · " in text
    assert "Printed by Daniel Reyes PB-004, Pit boss Printed 20" in text
    assert "Times in America/Los_Angeles" in text
    assert "<nav" not in paper.text
    assert "<form" not in paper.text
    assert 'data-behaviour="print"' in paper.text
    (back,) = links(paper, "Back")
    assert read(pit_boss.get(back)) != text


def test_every_page_is_ready_for_paper(pit_boss):
    page = pit_boss.get(PAGES["entries"])
    assert 'href="/static/tables/paper.css" media="print"' in page.text
    assert "Gaming day 2026-03-14 Gaming day when printed" in read(page)


def test_paper_holds_more_than_a_page(pit_boss, post):
    for _ in range(60):
        post()
    assert len(rows_of(pit_boss.get(PAGES["entries"]))) == 50
    paper = pit_boss.get(f"{PAGES['entries']}&print=1")
    assert len(rows_of(paper)) == 60
    assert "A paper holds" not in paper.text


def test_paper_says_what_it_leaves_out(pit_boss, post):
    for _ in range(1_001):
        post()
    paper = pit_boss.get(f"{PAGES['entries']}&print=1")
    assert len(rows_of(paper)) == 1_000
    assert "A paper holds 1,000 rows, and there are more." in paper.text
