"""Slip numbers have no gap, none is used twice, and a document keeps the one it has.

Source: table-operations.md 20, invariant 8; ledger.md 1.4.
"""

from __future__ import annotations

import contextlib
import random
from functools import partial

import pytest
from django.db import transaction
from psycopg import errors

from ledger.errors import InvalidEntryError, UnknownPropertyError
from ledger.models import Series, Slip
from ledger.services.slips import draw_slip
from tests.ledger.conftest import AT, books, house

pytestmark = pytest.mark.django_db

DRAW = "SELECT ledger_draw_slip(%s, 'fill_slip', %s, 'employee:7', now())"

GAPS = """
SELECT property_id, series FROM ledger_series LEFT JOIN ledger_slip USING (property_id, series)
GROUP BY property_id, series, next
HAVING (count(number), coalesce(min(number), 1), coalesce(max(number), 0))
       IS DISTINCT FROM (next - 1, 1::bigint, next - 1)
"""
"""Series whose numbers are not exactly those that were drawn, asked by hand."""


class GivenUpError(Exception):
    """The transaction that prepared a slip failed afterwards."""


def draw(casino, document, series="fill_slip", **other):
    usual = {"property_id": casino.pk, "actor": "employee:7", "at": AT}
    return draw_slip(series=series, document=document, **(usual | other))


def prepare(casino, document, *, fails):
    """Draw a number in a transaction that fails afterwards, or not."""
    with transaction.atomic():
        number = draw(casino, document)
        if fails:
            raise GivenUpError
    return number


def numbers(casino, series="fill_slip"):
    rows = Slip.objects.filter(property_id=casino.pk, series=series).order_by("number")
    return list(rows.values_list("number", flat=True))


def test_numbers_follow_one_another_in_each_series_of_each_property(casino):
    other = house("macau")
    assert [draw(casino, f"fill:{n}") for n in range(3)] == [1, 2, 3]
    assert draw(casino, "credit:1", "credit_slip") == 1
    assert draw(other, "fill:0") == 1
    assert draw(casino, "fill:9") == 4


def test_document_keeps_its_number(casino):
    assert draw(casino, "fill:17") == 1
    draw(casino, "fill:18")
    before = books()
    assert draw(casino, "fill:17", actor="employee:8") == 1
    assert books() == before


def test_slip_keeps_what_who_and_when(casino):
    draw(casino, "fill:17")
    slip = Slip.objects.get()
    assert (slip.document, slip.drawn_by, slip.drawn_at) == ("fill:17", "employee:7", AT)


def test_number_of_a_transaction_that_fails_is_the_next_ones(casino):
    draw(casino, "fill:1")
    with pytest.raises(GivenUpError):
        prepare(casino, "fill:2", fails=True)
    assert draw(casino, "fill:3") == 2
    assert numbers(casino) == [1, 2]


@pytest.mark.parametrize(
    ("field", "other"),
    [
        ("series", {"series": ""}),
        ("series", {"series": "Fill"}),
        ("series", {"series": "fill slip"}),
        ("series", {"series": "f" * 41}),
        ("series", {"series": "fill_slip\n"}),
        ("document", {"document": ""}),
        ("document", {"document": "x" * 201}),
        ("actor", {"actor": ""}),
    ],
)
def test_slip_that_cannot_be_is_refused_by_its_field(casino, field, other):
    with pytest.raises(InvalidEntryError) as refused:
        draw(casino, **({"document": "fill:1"} | other))
    assert refused.value.field == field
    assert Series.objects.count() == 0


def test_property_that_does_not_exist_has_no_slips(casino):
    with pytest.raises(UnknownPropertyError), transaction.atomic():
        draw(casino, "fill:1", property_id=404)


@pytest.mark.django_db(transaction=True)
def test_next_slip_waits_for_the_commit_before_it(casino, connect):
    first, second = connect(), connect(autocommit=True)
    assert first.execute(DRAW, [casino.pk, "fill:1"]).fetchone() == (1,)
    second.execute("SET lock_timeout = '50ms'")
    with pytest.raises(errors.LockNotAvailable):
        second.execute(DRAW, [casino.pk, "fill:2"])
    assert second.execute(DRAW.replace("fill_", "credit_"), [casino.pk, "c:1"]).fetchone() == (1,)
    first.rollback()
    assert second.execute(DRAW, [casino.pk, "fill:2"]).fetchone() == (1,)


@pytest.mark.django_db(transaction=True)
def test_twins_of_one_document_get_one_number(casino, together):
    assert together(*[partial(draw, casino, "fill:1")] * 6) == [1] * 6
    assert numbers(casino) == [1]


@pytest.mark.django_db(transaction=True)
def test_no_number_is_missing_or_used_twice_whoever_draws_and_fails(casino, together, owner):
    chance = random.Random(20260314)
    plans = [
        [(f"fill:{chance.randrange(20)}", chance.random() < 0.3) for _ in range(12)]
        for _ in range(6)
    ]

    def clerk(plan):
        def act():
            kept = {}
            for document, fails in plan:
                with contextlib.suppress(GivenUpError):
                    number = prepare(casino, document, fails=fails)
                    assert kept.setdefault(document, number) == number
            return kept

        return act

    answers = together(*map(clerk, plans))

    assert [each for each in answers if isinstance(each, Exception)] == []
    told = {}
    for kept in answers:
        for document, number in kept.items():
            assert told.setdefault(document, number) == number
    assert sorted(told.values()) == numbers(casino) == list(range(1, len(told) + 1))
    assert dict(Slip.objects.values_list("document", "number")) == told
    assert owner.execute(GAPS).fetchall() == []


@pytest.mark.django_db(transaction=True)
def test_series_neither_goes_back_nor_leaps_nor_loses_a_number(casino, owner):
    draw(casino, "fill:1")
    before = books()
    for statement in (
        "UPDATE ledger_series SET next = next",
        "UPDATE ledger_series SET next = next + 2",
        "UPDATE ledger_series SET next = 1",
        "UPDATE ledger_series SET series = 'other'",
        "DELETE FROM ledger_series",
        "UPDATE ledger_slip SET number = 2",
        "DELETE FROM ledger_slip",
    ):
        with pytest.raises(errors.ObjectNotInPrerequisiteState, match="append-only"):
            owner.execute(statement)
    assert books() == before


@pytest.mark.django_db(transaction=True)
def test_gap_that_somebody_made_by_hand_is_found(casino, owner):
    draw(casino, "fill:1")
    owner.execute("UPDATE ledger_series SET next = next + 1")
    assert owner.execute(GAPS).fetchall() == [(casino.pk, "fill_slip")]
