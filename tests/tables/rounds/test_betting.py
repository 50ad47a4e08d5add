"""Wagers open the next round, change until "no more bets", and leave no gap when withdrawn."""

from __future__ import annotations

import pytest

from casino.staff.errors import SegregationError
from casino.staff.roles import Role
from tables.demo.loading import signer_at
from tables.errors import (
    AmountError,
    InvalidStateError,
    SeatError,
    StaleRevisionError,
    TableClosedError,
    WagerRefusedError,
)
from tables.rounds.models import Round
from tables.rounds.services import betting
from tables.rounds.services.leaving import leave_seat
from tests.tables.deals import everything

pytestmark = pytest.mark.django_db


@pytest.fixture
def shift(open_table):
    return open_table()


def place(shift, seat, amount, **more):
    more = {"actor": shift.crew.dealer, **more}
    return betting.place_wager(
        session_id=shift.session.pk, seat=seat, amount=amount, at=shift.clock, **more
    )


def withdraw(shift, seat, **more):
    return betting.withdraw_wager(
        session_id=shift.session.pk, seat=seat, actor=shift.crew.dealer, at=shift.clock, **more
    )


def wagers(round_):
    return list(round_.wagers.order_by("seat").values_list("seat", "amount"))


def test_the_first_wager_opens_the_round_and_another_amount_replaces_it(shift):
    first = place(shift, 1, 5_000)
    second = place(shift, 1, 6_000, revision=first.round.revision)

    assert (first.round.number, second.round.pk) == (1, first.round.pk)
    assert second.round.revision > first.round.revision
    assert wagers(first.round) == [(1, 6_000)]


@pytest.mark.parametrize("amount", [0, -500, 500, 1_001, 100_500, 2**60, 5_000.0, True, "5000"])
def test_an_amount_that_the_table_does_not_take_is_refused(shift, amount):
    before = everything()

    with pytest.raises((AmountError, WagerRefusedError)) as refused:
        place(shift, 1, amount)

    assert refused.value.pointer == "/amount"
    assert everything() == before


@pytest.mark.parametrize("seat", [0, 5, 7])
def test_an_empty_seat_wagers_nothing(shift, seat):
    before = everything()

    with pytest.raises(SeatError):
        place(shift, seat, 5_000)

    assert everything() == before


def test_a_watcher_places_nothing(shift):
    auditor = signer_at(shift.table, "AU-002", Role.AUDITOR).actor
    before = everything()

    with pytest.raises(SegregationError):
        place(shift, 1, 5_000, actor=auditor)

    assert everything() == before


def test_a_screen_that_was_drawn_earlier_is_refused(shift):
    stale = place(shift, 1, 5_000).round.revision
    place(shift, 2, 5_000)
    before = everything()

    with pytest.raises(StaleRevisionError):
        place(shift, 1, 6_000, revision=stale)

    assert everything() == before


def test_a_wager_drawn_from_a_round_that_is_over_does_not_open_the_next(shift):
    placed = place(shift, 1, 5_000)
    withdraw(shift, 1)
    before = everything()

    with pytest.raises(StaleRevisionError):
        place(shift, 2, 6_000, revision=placed.round.revision)

    assert everything() == before


def test_no_more_bets_fixes_the_wagers_once(shift):
    round_ = place(shift, 1, 5_000).round
    locked = betting.no_more_bets(round_id=round_.pk, actor=shift.crew.dealer, at=shift.clock)
    before = everything()

    assert (
        betting.no_more_bets(round_id=round_.pk, actor=shift.crew.dealer, at=shift.clock) == locked
    )
    with pytest.raises(InvalidStateError):
        place(shift, 2, 5_000)
    with pytest.raises(InvalidStateError):
        withdraw(shift, 1)

    assert everything() == before
    assert locked.record["seats"] == [{"seat": 1, "wager": 5_000}]


def test_the_number_of_a_round_that_never_was_is_free_again(shift):
    place(shift, 1, 5_000)
    place(shift, 2, 5_000)

    assert withdraw(shift, 1) is not None
    assert withdraw(shift, 2) is None
    assert withdraw(shift, 2) is None

    assert not Round.objects.exists()
    assert place(shift, 3, 5_000).round.number == 1


def test_numbers_have_no_gap_whatever_was_withdrawn_or_voided(shift):
    shift.play(2)
    place(shift, 1, 5_000)
    withdraw(shift, 1)
    shift.void(shift.play_round(), "misdeal")
    shift.play(2)

    assert list(Round.objects.order_by("number").values_list("number", flat=True)) == [
        1,
        2,
        3,
        4,
        5,
    ]


def test_the_last_wagers_are_repeated_for_those_who_still_sit_there(shift):
    shift.random.random = lambda: 0.5  # everybody plays
    last = shift.play_round().round
    leave_seat(session_id=shift.session.pk, seat=2, actor=shift.crew.dealer, at=shift.clock)

    again = betting.repeat_wagers(
        session_id=shift.session.pk, actor=shift.crew.dealer, at=shift.clock
    )

    assert again.number == last.number + 1
    assert wagers(again) == [wager for wager in wagers(last) if wager[0] != 2]


def test_there_is_nothing_to_repeat_before_the_first_round_or_during_one(shift):
    with pytest.raises(WagerRefusedError):
        betting.repeat_wagers(session_id=shift.session.pk, actor=shift.crew.dealer, at=shift.clock)
    place(shift, 1, 5_000)
    with pytest.raises(InvalidStateError):
        betting.repeat_wagers(session_id=shift.session.pk, actor=shift.crew.dealer, at=shift.clock)


def test_a_closed_table_takes_no_wager(shift):
    shift.close()
    before = everything()

    with pytest.raises(TableClosedError):
        place(shift, 1, 5_000)

    assert everything() == before
