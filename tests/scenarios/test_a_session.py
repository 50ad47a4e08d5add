"""One table from opener to closer, in the words of the floor, through the services."""

from __future__ import annotations

from random import Random

import pytest

from ledger import selectors as ledger
from tables.demo.shift import Crew, TableShift
from tables.floor.states import SessionState
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def casino():
    return factories.a_casino()


def a_shift(casino, code):
    patrons = [factories.a_patron(casino, ref) for ref in ("P1", "P2", "P3", "P4")]
    return TableShift(
        table=factories.a_table(casino, code),
        crew=Crew(
            dealer=factories.dealer(casino),
            floor=factories.floor(casino),
            pit_boss=factories.pit_boss(casino),
        ),
        patrons=dict(enumerate(patrons, start=1)),
        random=Random(7),
        clock=factories.NOON,
    )


@pytest.mark.parametrize("code", ["T1", "T2"])
@pytest.mark.parametrize("variance", [0, -2_500, 10_000])
def test_a_shift_ends_with_every_figure_equal(casino, code, variance):
    shift = a_shift(casino, code)
    shift.open()
    settled = shift.play(20)
    shift.void(settled[-1], "dealt to the wrong seat")
    shift.play(3)
    run = shift.close(variance=variance)

    shift.session.refresh_from_db()
    assert shift.session.state == SessionState.CLOSED_PROVISIONAL
    totals = run.totals
    won = sum(done.round.house_net for done in settled[:-1])
    won += sum(shift.session.rounds.filter(number__gt=20).values_list("house_net", flat=True))
    assert totals.rounds == 22
    assert totals.chip_variance == variance
    assert totals.estimated_win == won + variance
    assert ledger.balance(casino.pk, f"1120/{shift.table.ref}") == totals.closer
    assert sum(row.closing for row in ledger.trial_balance(casino.pk)) == 0
