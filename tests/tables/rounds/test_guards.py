"""What the database refuses by itself, whoever asks: raw SQL around the services."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, connection, transaction

from tables.rounds.services.betting import no_more_bets, place_wager

pytestmark = pytest.mark.django_db


@pytest.fixture
def settled(open_table):
    shift = open_table()
    return shift.play_round().round


def refused(sql, *values):
    with (
        pytest.raises(DatabaseError) as error,
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(sql, values)
    return error.value.__cause__.sqlstate


@pytest.mark.parametrize(
    "change",
    [
        "house_net = house_net + 1",
        "record = '{}'",
        "result = NULL",
        "entry_id = NULL",
        "number = number + 1",
        "actor = 'employee:999'",
        "state = 'betting'",
        "state = 'revealed'",
    ],
)
def test_a_settled_round_does_not_change(settled, change):
    assert refused(f"UPDATE tables_round SET {change} WHERE id = %s", settled.pk) == "55000"  # noqa: S608  the test's own words


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM tables_round WHERE id = %s",
        "DELETE FROM tables_wager WHERE round_id = %s",
        "UPDATE tables_wager SET amount = amount + 1 WHERE round_id = %s",
        "INSERT INTO tables_wager (round_id, seat, patron_id, kind, amount, placed_at)"
        " SELECT round_id, seat, patron_id, 'late', 500, placed_at FROM tables_wager"
        " WHERE round_id = %s",
    ],
)
def test_a_settled_round_keeps_its_wagers(settled, sql):
    assert refused(sql, settled.pk) == "55000"


@pytest.mark.parametrize("table", ["tables_seatoutcome", "tables_buyin", "tables_count"])
def test_what_was_written_down_stays(settled, table):
    assert refused(f"UPDATE {table} SET id = id") == "42501"  # noqa: S608  the test's own words
    assert refused(f"DELETE FROM {table}") == "42501"  # noqa: S608  the test's own words


def test_a_locked_round_takes_no_wager(open_table):
    shift = open_table()
    placed = place_wager(
        session_id=shift.session.pk,
        seat=1,
        amount=5_000,
        actor=shift.crew.dealer,
        at=shift.clock,
    )
    no_more_bets(round_id=placed.round.pk, actor=shift.crew.dealer, at=shift.clock)

    assert refused("UPDATE tables_wager SET amount = 9000 WHERE id = %s", placed.wager.pk) == (
        "55000"
    )
    assert refused("DELETE FROM tables_round WHERE id = %s", placed.round.pk) == "55000"
