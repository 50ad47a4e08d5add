"""A signature holds what was signed, once for each person and group, and never changes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from casino.staff.actors import Signer, client_actor, employee_actor, system_actor
from casino.staff.models import Signature
from casino.staff.roles import Role, SignerGroup
from casino.staff.selectors import list_audit_rows, list_signatures
from casino.staff.services import segregation
from casino.staff.services.audit import record
from casino.staff.services.segregation import SegregationError
from casino.staff.services.signatures import content_hash, is_intact, sign

from .conftest import AT, hire

COUNT = {"table": "T1", "chips": [{"denomination": 2500, "pieces": 240}], "total": 600000}


def as_signer(employee, role, *, device=None) -> Signer:
    return Signer(
        employee_id=employee.pk,
        number=employee.number,
        role=role,
        method="pin" if device else "password",
        device_id=device and device.pk,
        property_id=employee.property_id,
    )


@pytest.fixture
def dealer_signs(dealer, tablet):
    return as_signer(dealer, Role.DEALER, device=tablet.device)


@pytest.fixture
def floor_signs(floor, tablet):
    return as_signer(floor, Role.FLOOR_SUPERVISOR, device=tablet.device)


def put(signer, group, *, document="count:17", content=COUNT):
    return sign(signer=signer, document=document, group=group, content=content, at=AT)


def test_dealer_and_floor_sign_one_count(house, dealer_signs, floor_signs):
    put(dealer_signs, "dealer")
    put(floor_signs, "floor")
    rows = list_signatures(house.pk, "count:17")
    assert [(row.employee.number, row.role, row.signer_group, row.method) for row in rows] == [
        ("DL-210", "dealer", "dealer", "pin"),
        ("FS-031", "floor_supervisor", "floor", "pin"),
    ]
    assert {row.device_id for row in rows} == {dealer_signs.device_id}


@pytest.mark.parametrize(
    "changed",
    [
        COUNT | {"total": 600001},
        COUNT | {"table": "T2"},
        COUNT | {"note": ""},
        {name: COUNT[name] for name in ("table", "total")},
        COUNT | {"total": "600000"},
    ],
)
def test_another_content_breaks_the_signature(dealer_signs, changed):
    signature = put(dealer_signs, "dealer")
    assert is_intact(signature, dict(reversed(COUNT.items())))
    assert not is_intact(signature, changed)


def test_the_hash_is_of_sorted_json_without_blanks():
    assert content_hash({"b": 1, "a": "ä"}) == (
        "507aab815f2bdfce1c740c0b1ae7b1c874f56b9aa5b9ab109a07b57365148233"
    )


@pytest.mark.parametrize("content", [{"rate": float("nan")}, {"at": AT}])
def test_what_json_cannot_hold_is_not_signed(dealer_signs, content):
    with pytest.raises((TypeError, ValueError)):
        put(dealer_signs, "dealer", content=content)
    assert not Signature.objects.exists()


def test_sod_01_nobody_signs_one_document_in_two_groups(house, two_roles, tablet):
    signer = as_signer(two_roles, Role.FLOOR_SUPERVISOR, device=tablet.device)
    put(signer, "floor")
    with pytest.raises(SegregationError) as refused:
        put(signer, "approver")
    assert refused.value.members == {"rule": "SOD-01"}
    assert refused.value.detail == "FS-040 signed count:17 as Floor and cannot sign it as Approver."
    assert [row.signer_group for row in Signature.objects.all()] == ["floor"]


def test_one_person_may_sign_again_in_the_same_group_and_elsewhere_in_another(floor_signs):
    put(floor_signs, "floor")
    put(floor_signs, "floor", content=COUNT | {"recount": True})
    put(floor_signs, "approver", document="count:18")
    assert Signature.objects.count() == 3


def test_sod_01_holds_between_two_requests_at_one_moment(together, floor_signs):
    answers = together(lambda: put(floor_signs, "floor"), lambda: put(floor_signs, "approver"))
    (refusal,) = [answer for answer in answers if isinstance(answer, Exception)]
    assert isinstance(refusal, SegregationError)
    assert refusal.rule == "SOD-01"
    assert Signature.objects.count() == 1


def test_sod_01_holds_in_the_database_itself(floor_signs):
    signature = put(floor_signs, "floor")
    signature.pk, signature.signer_group = None, "approver"
    with pytest.raises(IntegrityError, match="staff_signature_one_group"), transaction.atomic():
        signature.save(force_insert=True)
    assert Signature.objects.count() == 1


def test_a_pin_without_a_device_is_no_signature(dealer):
    signer = as_signer(dealer, Role.DEALER)
    with pytest.raises(IntegrityError, match="pin_at_device"), transaction.atomic():
        put(replace(signer, method="pin"), "dealer")
    assert not Signature.objects.exists()


@pytest.mark.parametrize("group", SignerGroup)
def test_sod_05_an_administrator_signs_nothing(house, group):
    admin = as_signer(hire(house, "AD-1", Role.ADMIN), Role.ADMIN)
    with pytest.raises(SegregationError) as refused:
        put(admin, group)
    assert refused.value.rule == "SOD-05"
    assert not Signature.objects.exists()


WATCHERS = {Role.AUDITOR: {"approver", "reviewer"}, Role.SURVEILLANCE: {"reviewer"}}


@pytest.mark.parametrize("group", SignerGroup)
@pytest.mark.parametrize("role", WATCHERS)
def test_sod_06_those_who_watch_sign_only_that_they_have_seen(house, role, group):
    watcher = as_signer(hire(house, "AU-1", role), role)
    if group in WATCHERS[role]:
        assert put(watcher, group).signer_group == group
        return
    with pytest.raises(SegregationError) as refused:
        put(watcher, group)
    assert refused.value.rule == "SOD-06"
    assert not Signature.objects.exists()


@pytest.mark.parametrize(
    ("role", "rule"),
    [(Role.ADMIN, "SOD-05"), (Role.AUDITOR, "SOD-06"), (Role.SURVEILLANCE, "SOD-06")],
)
def test_sod_05_and_06_they_create_no_value_event(role, rule):
    with pytest.raises(SegregationError) as refused:
        segregation.require_value_role(role)
    assert refused.value.rule == rule


@pytest.mark.parametrize("role", set(Role) - {Role.ADMIN, Role.AUDITOR, Role.SURVEILLANCE})
def test_the_others_may_create_value_events(role):
    segregation.require_value_role(role)


def test_sod_03_a_dealer_does_not_approve_a_change_of_an_own_hand(floor_signs, dealer_signs):
    segregation.require_not_dealer_of_hand(dealer_id=dealer_signs.employee_id, approver=floor_signs)
    with pytest.raises(SegregationError) as refused:
        segregation.require_not_dealer_of_hand(
            dealer_id=floor_signs.employee_id, approver=floor_signs
        )
    assert refused.value.rule == "SOD-03"


def test_sod_09_a_program_never_signs_for_a_person(house, floor_signs):
    segregation.require_human(floor_signs.actor)
    for actor in (
        client_actor(name="cage-1", property_id=house.pk),
        system_actor(name="settlement", property_id=house.pk),
    ):
        with pytest.raises(SegregationError) as refused:
            segregation.require_human(actor)
        assert refused.value.rule == "SOD-09"


def test_sod_13_nobody_approves_an_own_act_in_another_role(two_roles, floor_signs):
    author = employee_actor(
        employee_id=two_roles.pk,
        role=Role.FLOOR_SUPERVISOR,
        property_id=two_roles.property_id,
        device_id=None,
    )
    segregation.require_other_person(author=author, approver=floor_signs)
    for role, rule in ((Role.PIT_BOSS, "SOD-13"), (Role.FLOOR_SUPERVISOR, "SOD-01")):
        with pytest.raises(SegregationError) as refused:
            segregation.require_other_person(author=author, approver=as_signer(two_roles, role))
        assert refused.value.rule == rule


def test_an_audit_row_says_who_did_what_with_which_change(house, floor_signs):
    record(
        actor=floor_signs.actor,
        action="round.voided",
        subject="round:812",
        property_id=house.pk,
        at=AT,
        before={"state": "settled"},
        after={"state": "voided"},
        reason="Misdeal",
        approver="employee:9",
    )
    (row,) = list_audit_rows(house.pk, "round:812")
    assert (row.actor, row.role, row.device_id, row.action, row.at) == (
        str(floor_signs.actor),
        "floor_supervisor",
        floor_signs.device_id,
        "round.voided",
        AT,
    )
    assert (row.before, row.after) == ({"state": "settled"}, {"state": "voided"})
    assert (row.reason, row.approver) == ("Misdeal", "employee:9")


FROZEN = ("staff_signature", "staff_auditrow", "staff_rolechoice")


@pytest.mark.parametrize("table", FROZEN)
@pytest.mark.parametrize("statement", ["UPDATE {} SET id = id", "DELETE FROM {}", "TRUNCATE {}"])
@pytest.mark.django_db
def test_the_application_cannot_change_what_was_written(table, statement):
    with (
        pytest.raises(DatabaseError, match="permission denied"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement.format(table))


@pytest.mark.parametrize("table", FROZEN)
@pytest.mark.parametrize("statement", ["UPDATE {} SET id = id", "DELETE FROM {}"])
def test_the_owner_cannot_change_it_either(owner, table, statement):
    with pytest.raises(Exception, match=f"{table} is append-only") as refused:
        owner.execute(statement.format(table))
    assert refused.value.sqlstate == "55000"


@pytest.mark.parametrize("table", FROZEN)
def test_the_owner_cannot_empty_it_either(truncate_guards, table):
    assert [guard.name for guard in truncate_guards if guard.table == table] == [f"{table}_kept"]


def test_the_rows_stand_after_an_attempt(floor_signs):
    put(floor_signs, "floor")
    with pytest.raises(DatabaseError), transaction.atomic():
        Signature.objects.update(role="pit_boss")
    assert Signature.objects.get().role == "floor_supervisor"
