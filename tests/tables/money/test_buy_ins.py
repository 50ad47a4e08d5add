"""A buy-in is one entry under one key; taken back, it is taken back whole and signed."""

from __future__ import annotations

import pytest

from casino.events.models import OutboxEvent
from casino.staff.errors import RoleError, SegregationError
from casino.staff.models import Signature
from casino.staff.roles import Role
from casino.web.errors import NotFoundError
from ledger import selectors as ledger
from ledger.errors import KeyReusedError
from tables.demo.loading import signer_at
from tables.errors import (
    AmountError,
    ApprovalRequiredError,
    InvalidStateError,
    ReasonRequiredError,
    SeatError,
)
from tables.floor.services.sessions import begin_opening
from tables.money.models import BuyIn
from tables.money.selectors import list_standing_buy_ins
from tables.money.services.buy_ins import buy_in_cash, void_buy_in
from tables.settlement import figures
from tests import factories
from tests.tables.deals import everything

pytestmark = pytest.mark.django_db


@pytest.fixture
def shift(open_table):
    return open_table()


def buy(shift, amount=20_000, **more):
    given = {"seat": 1, "key": "k1", "actor": shift.crew.dealer, "verifier": None}
    return buy_in_cash(session_id=shift.session.pk, amount=amount, at=shift.clock, **(given | more))


def take_back(shift, buy_in, **more):
    given = {"reason": "called twice", "proposer": shift.crew.dealer, "floor": shift.crew.floor}
    return void_buy_in(buy_in_id=buy_in.pk, at=shift.clock, **(given | more))


def test_currency_goes_into_the_box_and_chips_out_of_the_tray(shift):
    bought = buy(shift)

    lines = ledger.entry_detail(bought.entry_id).lines
    assert [(line.account[:4], line.amount) for line in lines] in (
        [("1020", 20_000), ("1120", -20_000)],
        [("1120", -20_000), ("1020", 20_000)],
    )
    assert (bought.patron.ref, bought.verified_by) == ("P1", None)
    assert ledger.entry_detail(bought.entry_id).entry.shift == "day"
    event = OutboxEvent.objects.get(topic="buy_in.recorded", subject_id=f"buy_{bought.pk}")
    assert event.payload == {"id": f"buy_{bought.pk}", "table_session": f"ses_{shift.session.pk}"}


def test_the_same_buy_in_again_is_one_buy_in(shift):
    bought = buy(shift)
    before = everything()

    assert buy(shift) == bought

    assert everything() == before


def test_a_repeat_answers_as_the_first_did_though_the_table_has_closed(shift):
    bought = buy(shift)
    shift.close()
    before = everything()

    assert buy(shift) == bought

    assert everything() == before


@pytest.mark.parametrize(
    ("change", "field"),
    [({"amount": 20_500}, "legs"), ({"seat": 2}, "source")],
)
def test_one_key_with_another_buy_in_is_refused_by_name(shift, change, field):
    buy(shift)
    before = everything()

    with pytest.raises(KeyReusedError) as refused:
        buy(shift, **change)

    assert refused.value.field == field
    assert everything() == before


@pytest.mark.parametrize("amount", [0, -1, 1.5, True, "100", 2**53])
def test_an_amount_is_a_positive_whole_number(shift, amount):
    before = everything()

    with pytest.raises(AmountError):
        buy(shift, amount)

    assert everything() == before


@pytest.mark.parametrize("seat", [0, 4, 9])
def test_nobody_buys_in_at_an_empty_seat(shift, seat):
    before = everything()

    with pytest.raises(SeatError):
        buy(shift, seat=seat)

    assert everything() == before


def test_a_closed_table_sells_no_chips(shift):
    shift.close()
    before = everything()

    with pytest.raises(InvalidStateError):
        buy(shift)

    assert everything() == before


def test_a_table_that_opens_sells_no_chips_yet(casino):
    session = begin_opening(
        table_id=factories.a_table(casino).pk, actor=factories.dealer(casino), at=factories.NOON
    )
    before = everything()

    with pytest.raises(InvalidStateError):
        buy_in_cash(
            session_id=session.pk,
            seat=1,
            amount=10_000,
            key="early",
            actor=factories.dealer(casino),
            at=factories.NOON,
        )

    assert everything() == before


def test_above_the_limit_the_floor_verifies(shift):
    before = everything()
    with pytest.raises(ApprovalRequiredError) as refused:
        buy(shift, 100_001)
    assert refused.value.pointer == "/verifier"
    assert everything() == before

    assert buy(shift, 100_000).verified_by is None
    bought = buy(shift, 100_001, key="k2", verifier=shift.crew.floor)

    assert bought.verified_by_id == shift.crew.floor.employee_id
    assert Signature.objects.get(document=bought.ref).signer_group == "floor"


def test_the_verifier_is_a_supervisor_and_not_the_dealer(shift):
    before = everything()

    with pytest.raises(RoleError):
        buy(shift, 200_000, verifier=shift.crew.pit_boss)
    with pytest.raises(SegregationError) as refused:
        buy(
            shift,
            200_000,
            verifier=signer_at(shift.table, "DL-210", Role.FLOOR_SUPERVISOR),
        )
    with pytest.raises(RoleError):
        buy(shift, actor=shift.crew.floor.actor)

    assert refused.value.rule == "SOD-13"
    assert everything() == before


def test_a_buy_in_is_taken_back_whole_and_counts_nowhere(shift):
    box, tray = (
        figures.box_recorded(shift.session),
        ledger.balances(shift.session.property_id, "1120"),
    )
    bought = buy(shift)

    voided = take_back(shift, bought)

    assert ledger.balances(shift.session.property_id, "1120") == tray
    assert figures.box_recorded(shift.session) == box
    assert bought not in list_standing_buy_ins(shift.session)
    assert ledger.entry_detail(voided.entry_id).entry.reverses == (
        ledger.entry_detail(bought.entry_id).entry.public_id
    )


def test_the_supervisor_who_verified_a_buy_in_may_sign_its_return(shift):
    bought = buy(shift, 200_000, verifier=shift.crew.floor)

    assert take_back(shift, bought).floor_id == shift.crew.floor.employee_id


def test_a_buy_in_is_taken_back_once(shift):
    bought = buy(shift)
    take_back(shift, bought)
    before = everything()

    with pytest.raises(InvalidStateError):
        take_back(shift, bought)

    assert everything() == before


def test_a_return_has_its_reason_its_signature_and_two_people(shift):
    bought = buy(shift)
    before = everything()

    with pytest.raises(ReasonRequiredError):
        take_back(shift, bought, reason=" ")
    with pytest.raises(RoleError):
        take_back(shift, bought, floor=shift.crew.pit_boss)
    with pytest.raises(SegregationError) as same:
        take_back(shift, bought, proposer=shift.crew.floor.actor)
    with pytest.raises(SegregationError) as promoted:
        take_back(
            shift,
            bought,
            proposer=signer_at(shift.table, "DL-214", Role.DEALER).actor,
            floor=signer_at(shift.table, "DL-210", Role.FLOOR_SUPERVISOR),
        )

    assert (same.value.rule, promoted.value.rule) == ("SOD-01", "SOD-13")
    assert everything() == before


def test_nothing_is_taken_back_after_the_table_closed_or_where_nothing_was(shift):
    bought = BuyIn.objects.first()
    shift.close()
    before = everything()

    with pytest.raises(InvalidStateError):
        take_back(shift, bought)
    with pytest.raises(NotFoundError):
        void_buy_in(
            buy_in_id=0,
            reason="none",
            proposer=shift.crew.dealer,
            floor=shift.crew.floor,
            at=shift.clock,
        )

    assert everything() == before


@pytest.mark.django_db(transaction=True)
def test_one_buy_in_sent_by_two_tablets_is_one(shift, together):
    done = together(*[lambda: buy(shift)] * 4)

    assert {each.pk for each in done} == {BuyIn.objects.latest("pk").pk}
