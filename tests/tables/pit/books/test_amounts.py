"""An amount as people write it is read exactly, or refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.web.amounts import amount_text, entry_text
from casino.web.errors import ValidationError
from tables.pit.books.amounts import read_amount


@pytest.mark.parametrize(
    ("text", "currency", "minor"),
    [
        ("1,234.50", "USD", 123_450),
        ("1234.5", "USD", 123_450),
        (" 25 ", "USD", 2_500),
        ("25.", "USD", 2_500),
        ("1,234", "JPY", 1_234),
        ("1.234", "KWD", 1_234),
        ("12,345,678.90", "USD", 1_234_567_890),
    ],
)
def test_an_amount_is_read_as_it_is_written(text, currency, minor):
    assert read_amount(text, currency) == minor


@pytest.mark.parametrize(
    ("text", "currency"),
    [
        ("1,50", "USD"),
        ("12,34,567", "USD"),
        ("1.234", "USD"),
        ("1234,567", "USD"),
        ("1.5", "JPY"),
        ("-5", "USD"),
        ("5 USD", "USD"),
        ("١٢", "USD"),
        (",123", "USD"),
        ("", "USD"),
    ],
)
def test_what_could_be_another_amount_is_refused(text, currency):
    with pytest.raises(ValidationError) as refused:
        read_amount(text, currency)
    assert "Write the amount in plain digits" in refused.value.detail


@given(minor=st.integers(0, 10**12), currency=st.sampled_from(["USD", "JPY", "KWD"]))
def test_what_a_page_writes_can_be_asked_for(minor, currency):
    assert read_amount(amount_text(minor, currency), currency) == minor
    assert read_amount(entry_text(minor, currency), currency) == minor
