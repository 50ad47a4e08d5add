"""Minor units are written as people read them, with the digits that their currency has."""

from __future__ import annotations

import pytest
from django.template import Context, Template
from django.utils import translation

from casino.web.amounts import amount_text, entry_text, minor_digits
from ledger.models import Currency


@pytest.mark.parametrize(
    ("minor", "currency", "text"),
    [
        (0, "USD", "0.00"),
        (5, "USD", "0.05"),
        (123456, "USD", "1,234.56"),
        (-123456, "USD", "−1,234.56"),
        (125000, "JPY", "125,000"),
        (1234567, "KWD", "1,234.567"),
        (2**62, "USD", "46,116,860,184,273,879.04"),
    ],
)
def test_an_amount_has_the_digits_of_its_currency(minor: int, currency: str, text: str) -> None:
    with translation.override("en"):
        assert amount_text(minor, currency) == text


def test_an_amount_is_written_in_the_language_of_the_reader() -> None:
    with translation.override("de"):
        assert amount_text(123456, "EUR") == "1.234,56"


@pytest.mark.parametrize(
    ("minor", "currency", "text"),
    [(9500, "USD", "95.00"), (7, "USD", "0.07"), (500, "JPY", "500"), (1, "KWD", "0.001")],
)
def test_an_entry_field_holds_plain_digits(minor: int, currency: str, text: str) -> None:
    with translation.override("de"):
        assert entry_text(minor, currency) == text


def test_an_amount_in_a_page_keeps_its_sign_and_digits_together() -> None:
    page = Template('{% load amounts %}{{ win|amount:"USD" }}').render(Context({"win": -18050}))
    assert page == '<span class="amount">−180.50</span>'


@pytest.mark.django_db
def test_the_books_know_each_currency_by_the_same_digits():
    booked = dict(Currency.objects.values_list("code", "exponent"))
    assert booked == {code: minor_digits(code) for code in booked}
    assert len(booked) == 24
