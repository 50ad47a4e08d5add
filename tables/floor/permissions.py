"""Which role does and signs what at a table: the one place that the services and pages ask.

What a program may do was decided at its door, by scopes; it never signs for a person.
Source: table-operations.md 15.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from django.utils.translation import gettext as _

from casino.staff.actors import Actor, ActorKind, Signer
from casino.staff.errors import RoleError
from casino.staff.roles import Role
from casino.staff.services import segregation


class Act(StrEnum):
    """What is done at a table."""

    OPEN_TABLE = "open_table"
    COUNT_TRAY = "count_tray"
    SEAT_PATRON = "seat_patron"
    BUY_IN = "buy_in"
    ENTER_ROUND = "enter_round"
    PROPOSE_VOID = "propose_void"
    CLOSE_TABLE = "close_table"
    CHANGE_LIMITS = "change_limits"
    PUBLISH_PROFILE = "publish_profile"
    FURNISH_FLOOR = "furnish_floor"


class Signing(StrEnum):
    """What is signed at a table, on an act of somebody else."""

    WITNESS_COUNT = "witness_count"
    VERIFY_BUY_IN = "verify_buy_in"
    VOID = "void"
    APPROVE_VOID = "approve_void"
    ACTIVATE_PROFILE = "activate_profile"
    CLOSE_BOOKS = "close_books"
    SECOND_CLOSE_BOOKS = "second_close_books"


_AT_TABLE: Final = frozenset({Role.DEALER, Role.FLOOR_SUPERVISOR})

DOERS: Final[Mapping[Act, frozenset[Role]]] = {
    Act.OPEN_TABLE: _AT_TABLE,
    Act.COUNT_TRAY: frozenset({Role.DEALER}),
    Act.SEAT_PATRON: _AT_TABLE,
    Act.BUY_IN: frozenset({Role.DEALER}),
    Act.ENTER_ROUND: _AT_TABLE,
    # The floor too: it enters rounds, and then another supervisor signs.
    Act.PROPOSE_VOID: _AT_TABLE,
    Act.CLOSE_TABLE: _AT_TABLE,
    Act.CHANGE_LIMITS: frozenset({Role.FLOOR_SUPERVISOR, Role.PIT_BOSS}),
    Act.PUBLISH_PROFILE: frozenset({Role.ADMIN}),
    Act.FURNISH_FLOOR: frozenset({Role.ADMIN}),
}
assert DOERS.keys() == set(Act)

SIGNERS: Final[Mapping[Signing, Role]] = {
    Signing.WITNESS_COUNT: Role.FLOOR_SUPERVISOR,
    Signing.VERIFY_BUY_IN: Role.FLOOR_SUPERVISOR,
    Signing.VOID: Role.FLOOR_SUPERVISOR,
    Signing.APPROVE_VOID: Role.PIT_BOSS,
    Signing.ACTIVATE_PROFILE: Role.PIT_BOSS,
    Signing.CLOSE_BOOKS: Role.PIT_BOSS,
    # Two people of different departments (SOD-08).
    Signing.SECOND_CLOSE_BOOKS: Role.AUDITOR,
}
assert SIGNERS.keys() == set(Signing)


def can_do(actor: Actor, act: Act) -> bool:
    """Tell whether the actor's role lets it do *act*, whatever the table's state."""
    if actor.kind is not ActorKind.EMPLOYEE:
        return act is not Act.COUNT_TRAY
    return actor.role in DOERS[act]


def require_role(actor: Actor, act: Act) -> None:
    """Refuse an actor whose role does not let it do *act*.

    Raises:
        SegregationError: SOD-05 for an administrator, SOD-06 for those who watch, SOD-09 for a
            program that counts chips: a count is signed by the hand that made it.
        RoleError: it is another role's to do.
    """
    if can_do(actor, act):
        return
    segregation.require_human(actor)
    segregation.require_value_role(actor.role)
    raise RoleError(
        _("This is not for a person working as %(role)s to do.") % {"role": Role(actor.role).label},
        act=act,
    )


def require_signer(signer: Signer, signing: Signing, *, pointer: str) -> None:
    """Refuse a signature in another role than the one that signs this.

    Raises:
        SegregationError: SOD-05 for an administrator, SOD-06 for those who watch.
        RoleError: it is another role's to sign; the pointer names the signature.
    """
    wanted = SIGNERS[signing]
    if signer.role == wanted:
        return
    segregation.require_value_role(signer.role)
    raise RoleError(
        _("%(number)s signs as %(role)s; this takes a %(wanted)s.")
        % {
            "number": signer.number,
            "role": Role(signer.role).label,
            "wanted": wanted.label,
        },
        pointer=pointer,
    )
