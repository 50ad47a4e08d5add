"""The demo casino is loaded once, is the same from the same seed, and its books add up."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import transaction
from django.utils.timezone import now

from casino.staff.middleware import DEVICE_COOKIE
from casino.staff.models import Device
from ledger import selectors as ledger
from ledger.doctor import BOOKS, answers
from tables.demo import house
from tables.demo.loading import ROUNDS_TODAY, load
from tables.floor.models import Table, TableSession
from tables.rounds.models import Round
from tables.settlement.models import SettlementRun
from tests import factories
from tests.tables.deals import everything

pytestmark = pytest.mark.django_db

ROUNDS = 6


def rounds_of(**given):
    """Return what a load with these arguments plays; it is rolled back."""
    with transaction.atomic():
        load(**({"at": factories.NOON, "rounds": ROUNDS} | given))
        played = list(
            Round.objects.order_by("pk").values_list(
                "session__table__code", "number", "state", "record", "result", "occurred_at"
            )
        )
        transaction.set_rollback(True)
    return played


def test_a_second_load_changes_nothing():
    casino = load(at=factories.NOON, rounds=ROUNDS)
    before = everything()

    assert load(at=factories.NOON + timedelta(days=3), rounds=ROUNDS, seed=1) == casino

    assert everything() == before


def test_the_same_seed_plays_the_same_rounds_and_another_others():
    played = rounds_of()

    # At each of two tables a voided round and the round after it; then the table of today.
    assert len(played) == 2 * (ROUNDS + 1) + ROUNDS_TODAY
    assert rounds_of() == played
    assert rounds_of(seed=1) != played


def test_everything_balances_and_every_session_but_todays_is_settled():
    casino = load(at=factories.NOON, rounds=ROUNDS)

    assert list(answers(BOOKS)) == []
    assert sum(row.closing for row in ledger.trial_balance(casino.pk)) == 0
    sessions = TableSession.objects.order_by("gaming_day", "table__code")
    assert [(each.table.code, each.gaming_day.day, each.state) for each in sessions] == [
        ("T1", 13, "closed_provisional"),
        ("T2", 13, "closed_provisional"),
        ("T1", 14, "open"),
    ]
    variances = SettlementRun.objects.order_by("session__table__code").values_list(
        "state", "totals__chip_variance"
    )
    assert list(variances) == [("done", -2_500), ("done", 0)]


@pytest.mark.parametrize("minutes", [0, 5, 60 * 23])
def test_nothing_lies_in_the_future_whenever_it_is_loaded(minutes):
    day_start = factories.NOON - timedelta(hours=6)
    at = day_start + timedelta(minutes=minutes)

    load(at=at, rounds=1)

    latest = Round.objects.latest("occurred_at")
    assert latest.occurred_at < at
    assert latest.session.state == "open"


def test_the_command_prints_addresses_and_logins_that_work(client, monkeypatch):
    monkeypatch.setenv("BAIZE_URL", "http://testserver")
    printed = StringIO()
    for _ in range(2):
        call_command("demo", rounds=1, stdout=printed)
    said = printed.getvalue()

    addresses = dict.fromkeys(word for word in said.split() if "/tablet/enrol/" in word)
    assert len(addresses) == len(house.TABLES)
    for address, table in zip(addresses, Table.objects.order_by("code"), strict=True):
        for _ in range(2):  # a noted address goes on working
            response = client.get(address.removeprefix("http://testserver"))
            assert (response.status_code, response.url) == (302, "/sign-in/tablet/")
            assert response.cookies[DEVICE_COOKIE].value
        assert Device.objects.latest("pk").place == table.ref
    signed_in = client.post("/sign-in/tablet/", {"number": "210", "pin": "2101"})
    assert (signed_in.status_code, signed_in.url) == (302, "/tablet/")
    for path in ("/pit/", "/api/v1/docs"):
        assert f"http://testserver{path}" in said
    token = client.post(
        "/o/token/",
        {
            "grant_type": "client_credentials",
            "client_id": house.API_CLIENT,
            "client_secret": house.API_SECRET,
        },
    )
    assert token.status_code == 200
    tables = client.get(
        "/api/v1/tables", headers={"Authorization": f"Bearer {token.json()['access_token']}"}
    )
    assert [table["code"] for table in tables.json()["data"]] == ["T1", "T2"]


def test_a_newcomer_can_enter_a_round_at_once():
    load(at=now(), rounds=1)

    session = TableSession.objects.get(state="open")
    assert session.occupancies.filter(until=None).exists()
    assert session.opened_at < now()
