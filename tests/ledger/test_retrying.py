"""A write that PostgreSQL broke off is tried again, where nobody else's work was lost with it."""

from __future__ import annotations

from functools import partial

import pytest
from django.db import OperationalError, connection, transaction

from ledger.models import Entry
from ledger.retrying import ATTEMPTS, with_retries

pytestmark = pytest.mark.django_db(transaction=True)

BREAK = "DO $$ BEGIN RAISE EXCEPTION 'broken off' USING ERRCODE = '{}'; END $$"


def failing(times, *, sqlstate, calls):
    """Return an act that PostgreSQL breaks off *times* times."""

    def act():
        calls.append("act")
        if len([call for call in calls if call == "act"]) <= times:
            with connection.cursor() as cursor:
                cursor.execute(BREAK.format(sqlstate))
        return "done"

    return act


@pytest.mark.parametrize("sqlstate", ["40001", "40P01"])
def test_act_that_was_broken_off_is_tried_again(sqlstate):
    calls, waited = [], []
    act = failing(ATTEMPTS - 1, sqlstate=sqlstate, calls=calls)
    assert with_retries(act, wait=waited.append) == "done"
    assert (len(calls), waited) == (3, [0, 1])


def test_last_failure_rises():
    calls, waited = [], []
    with pytest.raises(OperationalError, match="broken off"):
        with_retries(failing(9, sqlstate="40001", calls=calls), wait=waited.append)
    assert (len(calls), waited) == (3, [0, 1])


def test_other_errors_rise_at_once():
    calls = []
    with pytest.raises(OperationalError, match="broken off"):
        with_retries(failing(1, sqlstate="53300", calls=calls), wait=pytest.fail)
    assert len(calls) == 1


def test_inside_a_transaction_nothing_is_tried_again():
    calls = []
    with pytest.raises(OperationalError, match="broken off"), transaction.atomic():
        with_retries(failing(1, sqlstate="40P01", calls=calls), wait=pytest.fail)
    assert len(calls) == 1


def test_entry_is_posted_though_the_connection_was_cut(post, owner):
    post()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (backend,) = cursor.fetchone()
    owner.execute("SELECT pg_terminate_backend(%s, 5000)", [backend])

    assert not post(key="after the cut").replayed
    assert Entry.objects.count() == 2


def test_entry_whose_answer_was_lost_is_found_by_its_key(post, owner):
    lost = []

    def act():
        posted = post()
        if not lost:
            lost.append(posted)
            connection.ensure_connection()
            owner.execute(
                "SELECT pg_terminate_backend(%s, 5000)", [connection.connection.info.backend_pid]
            )
            connection.cursor().execute("SELECT 1")
        return posted

    found = with_retries(act, wait=partial(int))
    assert (found.replayed, found.id) == (True, lost[0].id)
