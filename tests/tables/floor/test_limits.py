"""Limits are dated rows that hold from the next round on."""

from __future__ import annotations

import pytest

from casino.staff.errors import RoleError
from tables.errors import AmountError, WagerRefusedError
from tables.floor.guards import limits_at
from tables.floor.services.limits import set_limits
from tables.rounds.services.betting import no_more_bets, place_wager
from tests import factories
from tests.tables.deals import everything

pytestmark = pytest.mark.django_db

HIGHER = {"wager_min": 20_000, "wager_max": 50_000, "wager_increment": 1_000}


@pytest.fixture
def shift(open_table):
    return open_table()


def change(shift, *, actor=None, at=None, **amounts):
    return set_limits(
        table=shift.table,
        actor=actor or shift.crew.floor.actor,
        at=at or shift.clock,
        **(HIGHER | amounts),
    )


def wager(shift, amount):
    return place_wager(
        session_id=shift.session.pk,
        seat=1,
        amount=amount,
        actor=shift.crew.dealer,
        at=shift.clock,
    )


@pytest.mark.parametrize(
    ("amounts", "pointer"),
    [
        ({"wager_min": 0}, "/wager_min"),
        ({"wager_min": -1_000}, "/wager_min"),
        ({"wager_min": 1_000.0}, "/wager_min"),
        ({"wager_min": True}, "/wager_min"),
        ({"wager_min": 20_500}, "/wager_min"),
        ({"wager_max": 19_000}, "/wager_max"),
        ({"wager_max": 50_500}, "/wager_max"),
        ({"wager_max": 2**53}, "/wager_max"),
        ({"wager_increment": 0}, "/wager_increment"),
    ],
)
def test_limits_that_nobody_could_wager_by_are_refused(shift, amounts, pointer):
    before = everything()

    with pytest.raises(AmountError) as refused:
        change(shift, **amounts)

    assert refused.value.pointer == pointer
    assert everything() == before


def test_a_dealer_does_not_change_limits(shift):
    before = everything()

    with pytest.raises(RoleError):
        change(shift, actor=shift.crew.dealer)

    assert everything() == before


def test_the_round_that_runs_keeps_its_limits_and_the_next_has_the_new(shift):
    first = wager(shift, 5_000).round
    change(shift)

    assert wager(shift, 6_000).round == first
    no_more_bets(round_id=first.pk, actor=shift.crew.dealer, at=shift.clock)
    first.refresh_from_db()
    assert first.limits.wager_min == 1_000


def test_a_wager_of_the_next_round_meets_the_new_limits(shift):
    change(shift)
    before = everything()

    with pytest.raises(WagerRefusedError) as refused:
        wager(shift, 5_000)

    assert refused.value.members == HIGHER
    assert everything() == before
    assert wager(shift, 20_000).round.limits.wager_min == 20_000


def test_what_is_decided_later_holds_later_though_a_clock_lags(shift):
    first = change(shift, wager_max=40_000)
    second = change(shift, wager_max=30_000)

    assert second.effective_at > first.effective_at
    assert limits_at(shift.table, second.effective_at).wager_max == 30_000


@pytest.mark.django_db(transaction=True)
def test_two_changes_at_one_moment_are_two_rows(shift, together):
    made = together(lambda: change(shift), lambda: change(shift))

    assert sorted(limits.wager_min for limits in made) == [20_000, 20_000]
    assert factories.a_table(shift.table.property).limits.count() == 3
