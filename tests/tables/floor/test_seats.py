"""A seat holds one patron at a time, and nobody leaves a wager behind."""

from __future__ import annotations

import pytest

from tables.errors import InvalidStateError, SeatError
from tables.floor.models import SeatOccupancy
from tables.floor.services.patrons import describe_patron
from tables.floor.services.seats import seat_patron
from tables.rounds.services.betting import place_wager, withdraw_wager
from tables.rounds.services.leaving import leave_seat
from tests import factories
from tests.tables.deals import everything

pytestmark = pytest.mark.django_db


@pytest.fixture
def shift(open_table):
    return open_table()


def seat(shift, number, ref):
    return seat_patron(
        session_id=shift.session.pk,
        seat=number,
        patron=factories.a_patron(shift.table.property, ref),
        actor=shift.crew.dealer,
        at=shift.clock,
    )


def leave(shift, number):
    leave_seat(session_id=shift.session.pk, seat=number, actor=shift.crew.dealer, at=shift.clock)


def test_a_seat_is_not_taken_twice(shift):
    before = everything()

    with pytest.raises(SeatError, match="Wei Chen sits at seat 1"):
        seat(shift, 1, "P7")

    assert everything() == before


def test_the_same_patron_in_the_same_seat_changes_nothing(shift):
    before = everything()

    assert seat(shift, 1, "P1").patron.ref == "P1"

    assert everything() == before


@pytest.mark.parametrize("number", [0, -1, 7])
def test_a_seat_that_the_table_does_not_have_is_refused(shift, number):
    before = everything()

    with pytest.raises(SeatError, match="numbered 1 to 6"):
        seat(shift, number, "P7")
    with pytest.raises(SeatError, match="numbered 1 to 6"):
        leave(shift, number)

    assert everything() == before


def test_nobody_sits_down_while_the_table_closes(shift):
    shift.close()
    before = everything()

    with pytest.raises(InvalidStateError):
        seat(shift, 5, "P7")

    assert everything() == before


def test_a_patron_does_not_leave_a_wager_behind(shift):
    place_wager(
        session_id=shift.session.pk,
        seat=2,
        amount=5_000,
        actor=shift.crew.dealer,
        at=shift.clock,
    )
    before = everything()

    with pytest.raises(SeatError, match="Seat 2 has a wager"):
        leave(shift, 2)

    assert everything() == before
    withdraw_wager(session_id=shift.session.pk, seat=2, actor=shift.crew.dealer, at=shift.clock)
    leave(shift, 2)
    assert SeatOccupancy.objects.get(seat=2).until == shift.clock


def test_the_seat_of_who_has_left_is_free(shift):
    leave(shift, 3)
    before = everything()
    leave(shift, 3)
    assert everything() == before

    seat(shift, 3, "P8")

    held = SeatOccupancy.objects.filter(seat=3).order_by("pk")
    assert [(each.patron.ref, each.until is None) for each in held] == [("P3", False), ("P8", True)]


@pytest.mark.parametrize("description", ["", "   ", "x" * 81])
def test_a_patron_is_described_in_a_few_words(shift, description):
    before = everything()

    with pytest.raises(SeatError) as refused:
        describe(shift, description)

    assert refused.value.pointer == "/description"
    assert everything() == before


def test_one_description_under_one_key_is_one_patron(shift):
    assert describe(shift, " grey hat ").pk == describe(shift, "grey hat").pk
    assert describe(shift, "grey hat").name == "grey hat"


def describe(shift, description):
    from uuid import UUID

    return describe_patron(
        property_id=shift.table.property_id,
        description=description,
        key=UUID(int=7),
        actor=shift.crew.dealer,
        at=shift.clock,
    )


@pytest.mark.django_db(transaction=True)
def test_of_two_patrons_at_one_moment_one_gets_the_seat(shift, together):
    done = together(lambda: seat(shift, 5, "P6"), lambda: seat(shift, 5, "P7"))

    assert sorted(type(each).__name__ for each in done) == ["SeatError", "SeatOccupancy"]
    assert SeatOccupancy.objects.filter(seat=5, until=None).count() == 1
