"""A gaming day's books open with its first posting and stay closed once they close."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.db import transaction

from ledger.errors import DayClosedError, EarlierDayOpenError
from ledger.models import Period
from ledger.services.days import open_day
from tests.ledger.conftest import AT, DAY, NEXT_DAY, PIT_BOSS, books, close, house, poster

pytestmark = pytest.mark.django_db

DAY_BEFORE = date(2026, 3, 13)


def test_first_posting_opens_the_day(post, casino):
    post()
    assert list(
        Period.objects.values_list("property_id", "gaming_day", "status", "opened_by", "opened_at")
    ) == [(casino.pk, DAY, "open", "employee:12", AT)]


def test_day_is_opened_once(casino):
    for at in (AT, AT + timedelta(hours=1)):
        open_day(property_id=casino.pk, gaming_day=DAY, actor=PIT_BOSS, at=at)
    assert list(Period.objects.values_list("opened_at", flat=True)) == [AT]


def test_closed_day_takes_no_postings(post, casino):
    last = post()
    assert close(casino)
    period = Period.objects.get()
    assert (period.status, period.closed_by, period.closed_at, period.last_entry_id) == (
        "closed",
        PIT_BOSS,
        AT,
        last.id,
    )
    before = books()

    with pytest.raises(DayClosedError) as refused, transaction.atomic():
        post(key="late")

    assert refused.value.members == {"gaming_day": "2026-03-14"}
    assert (refused.value.code, refused.value.status) == ("gaming_day_closed", 409)
    assert books() == before


def test_closing_twice_changes_nothing(post, casino):
    post()
    assert close(casino)
    before = books()
    assert not close(casino)
    assert books() == before


def test_repeat_of_an_entry_is_answered_after_the_day_closed(post, casino):
    first = post()
    close(casino)
    assert post().id == first.id


def test_closed_day_is_not_opened_again(casino):
    close(casino)
    before = books()
    with pytest.raises(DayClosedError), transaction.atomic():
        open_day(property_id=casino.pk, gaming_day=DAY, actor=PIT_BOSS, at=AT)
    assert books() == before


def test_days_close_in_their_order(post, casino):
    post()
    before = books()
    with pytest.raises(EarlierDayOpenError) as refused, transaction.atomic():
        close(casino, NEXT_DAY)
    assert (refused.value.gaming_day, refused.value.open_day) == (NEXT_DAY, DAY)
    assert books() == before

    assert close(casino)
    assert close(casino, NEXT_DAY)


def test_no_day_opens_before_a_closed_one(post, casino):
    close(casino)
    before = books()
    with pytest.raises(DayClosedError) as refused, transaction.atomic():
        post(gaming_day=DAY_BEFORE)
    assert refused.value.gaming_day == DAY_BEFORE
    assert books()["ledger_entry"] == before["ledger_entry"]


def test_next_day_opens_while_this_one_still_is(post):
    post()
    post(key="next", gaming_day=NEXT_DAY)
    post(key="again")
    assert list(Period.objects.order_by("gaming_day").values_list("gaming_day", "status")) == [
        (DAY, "open"),
        (NEXT_DAY, "open"),
    ]


def test_day_of_one_property_is_not_that_of_another(post, casino):
    post()
    close(casino)
    assert not poster(house("macau"))().replayed
