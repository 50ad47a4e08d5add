"""A signature holds a hash of what was signed: another content breaks it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _
from psycopg.errors import ExclusionViolation

from casino.staff.actors import Signer
from casino.staff.models import Signature
from casino.staff.roles import SignerGroup
from casino.staff.services import segregation


def sign(
    *, signer: Signer, document: str, group: str, content: Mapping[str, Any], at: datetime
) -> Signature:
    """Put the signer's name under *document* (`count:17`) as its *content* now reads.

    Args:
        group: a member of `SignerGroup`, in which the person signs.
        content: the whole document as JSON, all that the signer vouches for.

    Raises:
        SegregationError: SOD-01 signed in another group already, SOD-05 and SOD-06 by role.
    """
    signer_group = SignerGroup(group)
    segregation.require_signing_role(role=signer.role, group=signer_group)
    segregation.require_one_group(
        property_id=signer.property_id,
        document=document,
        employee_id=signer.employee_id,
        group=signer_group,
    )
    try:
        with transaction.atomic():
            return Signature.objects.create(
                property_id=signer.property_id,
                document=document,
                signer_group=signer_group,
                employee_id=signer.employee_id,
                role=signer.role,
                method=signer.method,
                device_id=signer.device_id,
                content_hash=content_hash(content),
                signed_at=at,
            )
    except IntegrityError as error:
        # The same person signed in another group a moment ago, and the constraint waited for it.
        if isinstance(error.__cause__, ExclusionViolation):
            raise segregation.SegregationError(
                _("%(number)s has just signed %(document)s in another group.")
                % {"number": signer.number, "document": document},
                rule="SOD-01",
            ) from error
        raise


def is_intact(signature: Signature, content: Mapping[str, Any]) -> bool:
    """Return whether *content* is what was signed, to the last character."""
    return signature.content_hash == content_hash(content)


def content_hash(content: Mapping[str, Any]) -> str:
    """Return SHA-256 of *content* as JSON with sorted keys, no blanks, UTF-8; in hexadecimal.

    Raises:
        TypeError, ValueError: a value that JSON cannot hold exactly.
    """
    text = json.dumps(
        content, ensure_ascii=False, allow_nan=False, separators=(",", ":"), sort_keys=True
    )
    return hashlib.sha256(text.encode()).hexdigest()
