"""A tray is counted blind by the dealer, signed by dealer and floor, recounted once at most."""

from __future__ import annotations

import pytest

from casino.staff.actors import client_actor
from casino.staff.errors import RoleError, SegregationError
from casino.staff.models import Signature
from casino.staff.roles import Role
from casino.web.errors import NotFoundError
from tables.chips.models import Count, CountKind
from tables.chips.selectors import expected_tray
from tables.chips.services.counts import can_recount, is_signed, record_count, witness_count
from tables.demo.loading import signer_at
from tables.errors import CountRefusedError, InvalidStateError
from tables.floor.services.sessions import begin_opening, note_tray_sight
from tests import factories
from tests.tables.deals import everything

pytestmark = pytest.mark.django_db


@pytest.fixture
def session(casino):
    return begin_opening(
        table_id=factories.a_table(casino).pk, actor=factories.dealer(casino), at=factories.NOON
    )


def count(session, pieces, *, dealer=None, kind=CountKind.OPENER):
    return record_count(
        session_id=session.pk,
        kind=kind,
        pieces=pieces,
        dealer=dealer or factories.dealer(session.property),
        at=factories.NOON,
    )


def witness(counted, *, floor=None):
    return witness_count(
        count_id=counted.pk,
        floor=floor or factories.floor(counted.session.property),
        at=factories.NOON,
    )


def right(session):
    tray = expected_tray(session)
    return {50_000: tray // 50_000, 25: tray % 50_000 // 25}


def test_a_count_is_its_pieces_by_face_value(session):
    counted = count(session, {25: 4, 10_000: 2, 500: 0})

    assert (counted.total, counted.attempt, is_signed(counted)) == (20_100, 1, False)
    lines = counted.lines.values_list("denomination__value", "pieces")
    assert sorted(lines) == [(25, 4), (10_000, 2)]


@pytest.mark.parametrize(
    ("pieces", "pointer"),
    [
        ({75: 1}, "/pieces/75"),
        ({-25: 1}, "/pieces/-25"),
        ({25: -1}, "/pieces/25"),
        ({25: 1.0}, "/pieces/25"),
        ({25: "4"}, "/pieces/25"),
        ({25: True}, "/pieces/25"),
        ({25: 1_000_001}, "/pieces/25"),
    ],
)
def test_a_denomination_or_number_that_cannot_be_is_refused_by_name(session, pieces, pointer):
    before = everything()

    with pytest.raises(CountRefusedError) as refused:
        count(session, pieces)

    assert refused.value.pointer == pointer
    assert everything() == before


def test_a_denomination_out_of_use_is_not_counted(session):
    session.chip_set.denominations.filter(value=25).update(in_use=False)

    with pytest.raises(CountRefusedError):
        count(session, {25: 1})


def test_only_a_dealer_counts_and_no_program_does(session):
    floor = factories.floor(session.property).actor
    program = client_actor(name="reader-1", property_id=session.property_id)
    before = everything()

    with pytest.raises(RoleError):
        count(session, right(session), dealer=floor)
    with pytest.raises(SegregationError) as refused:
        count(session, right(session), dealer=program)

    assert refused.value.rule == "SOD-09"
    assert everything() == before


def test_who_has_seen_the_expected_tray_neither_counts_nor_looks_on(session):
    dealer, floor = factories.dealer(session.property), factories.floor(session.property)
    other = signer_at(session.table, "DL-214", Role.DEALER).actor
    note_tray_sight(session=session, employee_id=dealer.employee_id, at=factories.NOON)
    with pytest.raises(SegregationError) as refused:
        count(session, right(session))
    assert refused.value.rule == "SOD-14"

    counted = count(session, right(session), dealer=other)
    note_tray_sight(session=session, employee_id=floor.employee_id, at=factories.NOON)
    before = everything()
    with pytest.raises(SegregationError) as refused:
        witness(counted)
    assert refused.value.rule == "SOD-14"
    assert everything() == before


def test_the_dealer_of_a_count_does_not_sign_it_as_floor(session):
    counted = count(session, right(session))
    before = everything()

    with pytest.raises(SegregationError) as refused:
        witness(counted, floor=signer_at(session.table, "DL-210", Role.FLOOR_SUPERVISOR))

    assert refused.value.rule == "SOD-01"
    assert everything() == before


def test_the_floor_signs_once_and_as_floor(session):
    counted = count(session, right(session))
    with pytest.raises(RoleError):
        witness(counted, floor=factories.pit_boss(session.property))

    witness(counted)
    before = everything()
    witness(counted)

    assert everything() == before
    groups = Signature.objects.filter(document=f"count:{counted.pk}")
    assert sorted(groups.values_list("signer_group", flat=True)) == ["dealer", "floor"]


def test_there_is_nothing_to_sign_where_nothing_was_counted(session):
    with pytest.raises(NotFoundError):
        witness_count(count_id=0, floor=factories.floor(session.property), at=factories.NOON)


def test_a_recount_is_allowed_once_and_both_counts_are_kept(session):
    first = count(session, {25: 1})
    with pytest.raises(InvalidStateError):  # not before both have signed the first
        count(session, {25: 2})
    witness(first)
    assert can_recount(first)
    second = count(session, {25: 2})
    witness(second)
    before = everything()

    with pytest.raises(InvalidStateError):
        count(session, right(session))

    assert everything() == before
    assert list(Count.objects.order_by("attempt").values_list("attempt", "total")) == [
        (1, 25),
        (2, 50),
    ]


def test_a_count_that_agrees_is_not_repeated(session):
    witness(count(session, right(session)))
    before = everything()

    with pytest.raises(InvalidStateError):
        count(session, {25: 1})

    assert everything() == before


def test_an_opener_is_counted_while_opening_and_a_closer_while_closing(session, open_table):
    with pytest.raises(InvalidStateError):
        count(session, right(session), kind=CountKind.CLOSER)

    playing = open_table("T2").session
    for kind in CountKind:
        with pytest.raises(InvalidStateError):
            count(playing, {25: 1}, kind=kind)
