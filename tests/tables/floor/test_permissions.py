"""Who does and signs what at a table, held to the matrix of table-operations.md 15."""

from __future__ import annotations

import pytest

from casino.staff.actors import Signer, client_actor, employee_actor, system_actor
from casino.staff.errors import RoleError, SegregationError
from casino.staff.roles import Role
from tables.floor.permissions import Act, Signing, can_do, require_role, require_signer

DL, FS, PB = Role.DEALER, Role.FLOOR_SUPERVISOR, Role.PIT_BOSS

MATRIX = {
    Act.OPEN_TABLE: {DL, FS},
    Act.COUNT_TRAY: {DL},
    Act.SEAT_PATRON: {DL, FS},
    Act.BUY_IN: {DL},
    Act.ENTER_ROUND: {DL, FS},
    Act.PROPOSE_VOID: {DL, FS},
    Act.CLOSE_TABLE: {DL, FS},
    Act.CHANGE_LIMITS: {FS, PB},
    Act.PUBLISH_PROFILE: {Role.ADMIN},
    Act.FURNISH_FLOOR: {Role.ADMIN},
}
SIGNED_BY = {
    Signing.WITNESS_COUNT: FS,
    Signing.VERIFY_BUY_IN: FS,
    Signing.VOID: FS,
    Signing.APPROVE_VOID: PB,
    Signing.ACTIVATE_PROFILE: PB,
    Signing.CLOSE_BOOKS: PB,
    Signing.SECOND_CLOSE_BOOKS: Role.AUDITOR,
}


def working_as(role):
    return employee_actor(employee_id=7, role=role, property_id=1, device_id=2)


def signing_as(role):
    return Signer(
        employee_id=7, number="XX-007", role=role, method="pin", device_id=2, property_id=1
    )


@pytest.mark.parametrize("act", Act)
@pytest.mark.parametrize("role", Role)
def test_each_role_does_what_the_matrix_gives_it(act, role):
    assert can_do(working_as(role), act) == (role in MATRIX[act])


@pytest.mark.parametrize(
    ("role", "rule"),
    [(Role.ADMIN, "SOD-05"), (Role.AUDITOR, "SOD-06"), (Role.SURVEILLANCE, "SOD-06")],
)
@pytest.mark.parametrize("act", sorted(set(Act) - {Act.PUBLISH_PROFILE, Act.FURNISH_FLOOR}))
def test_who_watches_or_administers_creates_no_value_event(act, role, rule):
    with pytest.raises(SegregationError) as refused:
        require_role(working_as(role), act)
    assert refused.value.rule == rule


@pytest.mark.parametrize("role", [Role.CAGE_CASHIER, Role.COUNT_TEAM, Role.RUNNER])
@pytest.mark.parametrize("act", Act)
def test_another_department_is_refused_by_its_role(act, role):
    with pytest.raises(RoleError, match=str(role.label)) as refused:
        require_role(working_as(role), act)
    assert refused.value.members == {"act": act}


@pytest.mark.parametrize(
    "actor", [client_actor(name="reader-1", property_id=1), system_actor(name="x", property_id=1)]
)
def test_a_program_does_what_its_door_let_in_but_never_counts_for_a_person(actor):
    for act in set(Act) - {Act.COUNT_TRAY}:
        require_role(actor, act)
    with pytest.raises(SegregationError) as refused:
        require_role(actor, Act.COUNT_TRAY)
    assert refused.value.rule == "SOD-09"


@pytest.mark.parametrize("signing", Signing)
def test_each_signature_is_one_roles(signing):
    require_signer(signing_as(SIGNED_BY[signing]), signing, pointer="/floor")
    for role in set(Role) - {SIGNED_BY[signing]}:
        with pytest.raises((RoleError, SegregationError)):
            require_signer(signing_as(role), signing, pointer="/floor")
    with pytest.raises(RoleError) as refused:
        require_signer(signing_as(Role.RUNNER), signing, pointer="/floor")
    assert refused.value.pointer == "/floor"
