"""Step-up: another person signs at the tablet, and the dealer stays signed in."""

from __future__ import annotations

import pytest
from axes.models import AccessAttempt
from django.db import transaction

from casino.staff.actors import Actor, ActorKind, Signer, system_actor
from casino.staff.errors import (
    CredentialsError,
    DeviceError,
    LockedError,
    RoleError,
    SegregationError,
)
from casino.staff.models import AuditRow, RoleChoice
from casino.staff.roles import Role
from casino.staff.services.devices import revoke_device
from casino.staff.services.pins import verify_console_signer, verify_signer

from .conftest import AT, PASSWORD, PIN, enrol_tablet


@pytest.fixture
def verify(house, tablet):
    def call(number="FS-031", pin="1379", role=Role.FLOOR_SUPERVISOR, **other):
        facts = {"property_id": house.pk, "device_id": tablet.device.pk, "at": AT}
        return verify_signer(number=number, pin=pin, role=role, **(facts | other))

    return call


def test_a_floor_supervisor_proves_to_be_the_signer(house, tablet, floor, verify):
    signer = verify()
    assert signer == Signer(
        employee_id=floor.pk,
        number="FS-031",
        role="floor_supervisor",
        method="pin",
        device_id=tablet.device.pk,
        property_id=house.pk,
    )
    assert signer.actor == Actor(
        kind=ActorKind.EMPLOYEE,
        ref=str(floor.pk),
        role="floor_supervisor",
        property_id=house.pk,
        device_id=tablet.device.pk,
        employee_id=floor.pk,
    )
    assert str(signer.actor) == f"employee:{floor.pk}"


def test_the_dealer_stays_signed_in(tablet, dealer, floor, verify):
    tablet.browser.post("/sign-in/tablet/", {"number": "DL-210", "pin": PIN})
    before = dict(tablet.browser.session)
    verify()
    assert dict(tablet.browser.session) == before
    assert before["_auth_user_id"] == str(dealer.pk)


def test_a_wrong_pin_is_refused_counted_and_audited(house, floor, verify):
    with pytest.raises(CredentialsError) as refused:
        verify(pin="0000")
    assert refused.value.pointer == "/pin"
    assert AccessAttempt.objects.get().username == "FS-031"
    row = AuditRow.objects.get(action="signer.refused")
    assert (row.subject, row.property_id, row.at) == (f"employee:{floor.pk}", house.pk, AT)
    assert not RoleChoice.objects.exists()


def test_wrong_tries_to_sign_and_to_sign_in_lock_together(tablet, floor, verify):
    for _ in range(3):
        with pytest.raises(CredentialsError):
            verify(pin="0000")
    with pytest.raises(CredentialsError):
        verify(number="031", pin="0000")
    with pytest.raises(LockedError) as refused:
        verify(pin="0000")
    assert refused.value.retry_after_seconds == 900
    with pytest.raises(LockedError):
        verify()


def test_a_wrong_try_counts_though_the_act_is_rolled_back(floor, verify, transactional_db):
    with pytest.raises(RuntimeError, match="durable"), transaction.atomic():
        verify(pin="0000")
    assert not AccessAttempt.objects.exists()
    with pytest.raises(CredentialsError):
        verify(pin="0000")
    assert AccessAttempt.objects.count() == 1


def test_a_pin_signs_at_no_device_but_an_enrolled_one_of_the_property(
    house, other_house, tablet, floor, verify
):
    strange = enrol_tablet(other_house).device
    for device_id in (None, 10**9, strange.pk):
        with pytest.raises(DeviceError):
            verify(device_id=device_id)
    revoke_device(
        device=tablet.device,
        actor=system_actor(name="test", property_id=house.pk),
        reason="Lost",
        at=AT,
    )
    with pytest.raises(DeviceError):
        verify()
    assert not AccessAttempt.objects.exists()


def test_nobody_signs_in_a_role_that_is_not_theirs(floor, verify):
    with pytest.raises(RoleError) as refused:
        verify(role=Role.PIT_BOSS)
    assert refused.value.detail == "FS-031 is not employed as Pit boss."
    assert not RoleChoice.objects.exists()


def test_sod_10_one_person_signs_in_one_role_for_a_whole_shift(two_roles, verify):
    verify(number="FS-040", pin=PIN, role=Role.FLOOR_SUPERVISOR)
    with pytest.raises(SegregationError) as refused:
        verify(number="FS-040", pin=PIN, role=Role.PIT_BOSS)
    assert refused.value.rule == "SOD-10"
    assert RoleChoice.objects.get().role == "floor_supervisor"


def test_in_the_next_shift_another_role_may_be_chosen(two_roles, verify):
    verify(number="FS-040", pin=PIN, role=Role.FLOOR_SUPERVISOR)
    swing = AT.replace(hour=21)  # 14:00 local
    assert verify(number="FS-040", pin=PIN, role=Role.PIT_BOSS, at=swing).role == "pit_boss"
    assert list(RoleChoice.objects.order_by("id").values_list("shift", "role")) == [
        ("day", "floor_supervisor"),
        ("swing", "pit_boss"),
    ]


def test_two_roles_chosen_at_one_moment_become_one(together, house, tablet, two_roles):
    def choose(role):
        return lambda: verify_signer(
            property_id=house.pk,
            number="FS-040",
            pin=PIN,
            role=role,
            device_id=tablet.device.pk,
            at=AT,
        )

    answers = together(choose(Role.FLOOR_SUPERVISOR), choose(Role.PIT_BOSS))
    assert sorted(type(answer).__name__ for answer in answers) == ["SegregationError", "Signer"]
    assert RoleChoice.objects.count() == 1


def test_a_pit_boss_signs_at_a_console_by_password(house, pit_boss):
    signer = verify_console_signer(
        property_id=house.pk, number="pb-007", password=PASSWORD, role=Role.PIT_BOSS, at=AT
    )
    assert (signer.method, signer.device_id) == ("password", None)


@pytest.mark.parametrize(
    ("password", "role", "error"),
    [
        ("4826", Role.PIT_BOSS, CredentialsError),
        (PASSWORD, Role.AUDITOR, RoleError),
        (PASSWORD, Role.DEALER, RoleError),
    ],
)
def test_a_console_signature_is_refused(pit_boss, password, role, error):
    with pytest.raises(error):
        verify_console_signer(
            property_id=pit_boss.property_id,
            number="PB-007",
            password=password,
            role=role,
            at=AT,
        )
    assert not RoleChoice.objects.exists()


def test_a_person_of_another_property_does_not_sign_here(other_house, pit_boss):
    with pytest.raises(CredentialsError):
        verify_console_signer(
            property_id=other_house.pk,
            number="PB-007",
            password=PASSWORD,
            role=Role.PIT_BOSS,
            at=AT,
        )
