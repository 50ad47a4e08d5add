"""Segregation of duties: each rule that an act can break is one function that raises its code.

Source: table-operations.md 15.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from django.utils.translation import gettext as _

from casino.staff.actors import Actor, ActorKind, Signer
from casino.staff.errors import SegregationError
from casino.staff.models import Signature
from casino.staff.roles import Role, SignerGroup

__all__ = [
    "SegregationError",
    "require_human",
    "require_not_dealer_of_hand",
    "require_one_group",
    "require_other_person",
    "require_signing_role",
    "require_value_role",
]

WATCHERS: Final[Mapping[Role, frozenset[SignerGroup]]] = MappingProxyType(
    {
        Role.AUDITOR: frozenset({SignerGroup.APPROVER, SignerGroup.REVIEWER}),
        Role.SURVEILLANCE: frozenset({SignerGroup.REVIEWER}),
    }
)
"""Those who watch create nothing; what they sign says only that they have seen it."""


def require_one_group(
    *, property_id: int, document: str, employee_id: int, group: SignerGroup
) -> None:
    """Refuse a person who has signed *document* in another group (SOD-01).

    Raises:
        SegregationError: SOD-01.
    """
    other = (
        Signature.objects.filter(
            property_id=property_id, document=document, employee_id=employee_id
        )
        .exclude(signer_group=group)
        .select_related("employee")
        .first()
    )
    if other is not None:
        raise SegregationError(
            _("%(number)s signed %(document)s as %(signed)s and cannot sign it as %(group)s.")
            % {
                "number": other.employee.number,
                "document": document,
                "signed": SignerGroup(other.signer_group).label,
                "group": group.label,
            },
            rule="SOD-01",
        )


def require_not_dealer_of_hand(*, dealer_id: int, approver: Signer) -> None:
    """Refuse a void or correction that the dealer of the hand approves (SOD-03).

    Raises:
        SegregationError: SOD-03.
    """
    if approver.employee_id == dealer_id:
        raise SegregationError(
            _("%(number)s dealt this hand and cannot approve its change.")
            % {"number": approver.number},
            rule="SOD-03",
        )


def require_value_role(role: str) -> None:
    """Refuse a role that may not create a value event (SOD-05, SOD-06).

    Raises:
        SegregationError: SOD-05 for an administrator, SOD-06 for those who watch.
    """
    _require_not_admin(role)
    if role in WATCHERS:
        raise SegregationError(
            _("Who works as %(role)s creates nothing of value.") % {"role": Role(role).label},
            rule="SOD-06",
        )


def require_signing_role(*, role: str, group: SignerGroup) -> None:
    """Refuse a role that may not sign a document of value in *group* (SOD-05, SOD-06).

    Raises:
        SegregationError: SOD-05 for an administrator, SOD-06 for those who watch.
    """
    _require_not_admin(role)
    if role in WATCHERS and group not in WATCHERS[Role(role)]:
        raise SegregationError(
            _("Who works as %(role)s cannot sign as %(group)s.")
            % {"role": Role(role).label, "group": group.label},
            rule="SOD-06",
        )


def require_human(actor: Actor) -> None:
    """Refuse a signature or approval that no person gives (SOD-09).

    Raises:
        SegregationError: SOD-09.
    """
    if actor.kind is not ActorKind.EMPLOYEE:
        raise SegregationError(
            _("%(actor)s never signs for a person.") % {"actor": actor}, rule="SOD-09"
        )


def require_other_person(*, author: Actor, approver: Signer) -> None:
    """Refuse an approval by the author of the act, whatever role either was in (SOD-13).

    Raises:
        SegregationError: SOD-13 after a change of role, SOD-01 without one.
    """
    if author.employee_id != approver.employee_id:
        return
    if author.role != approver.role:
        raise SegregationError(
            _("%(number)s did this as %(author)s and cannot approve it as %(approver)s.")
            % {
                "number": approver.number,
                "author": Role(author.role).label,
                "approver": Role(approver.role).label,
            },
            rule="SOD-13",
        )
    raise SegregationError(
        _("%(number)s cannot approve an own act.") % {"number": approver.number}, rule="SOD-01"
    )


def _require_not_admin(role: str) -> None:
    if role == Role.ADMIN:
        raise SegregationError(
            _("An administrator creates, signs and approves nothing of value."), rule="SOD-05"
        )
