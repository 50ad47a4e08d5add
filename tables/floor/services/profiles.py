"""Rule profiles: every option resolved, versioned and hashed; a change is a new version."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime

from django.db import transaction

from casino.staff.actors import Actor
from casino.staff.services import audit
from tables import games
from tables.floor import locks
from tables.floor.models import RuleProfile
from tables.floor.permissions import Act, require_role


def publish_profile(
    *,
    property_id: int,
    code: str,
    game: str,
    options: Mapping[str, object],
    actor: Actor,
    at: datetime,
) -> RuleProfile:
    """Store *options* as the newest version of profile *code*; the same options change nothing.

    Raises:
        RoleError, SegregationError: it is another role's to do.
        RoundRefusedError: an option is unknown, has a value it cannot have, or is not built.
    """
    require_role(actor, Act.PUBLISH_PROFILE)
    resolved = games.complete_options(game, options)
    digest = digest_of(game, resolved)
    with transaction.atomic():
        locks.property_(property_id)
        newest = (
            RuleProfile.objects.filter(property_id=property_id, code=code)
            .order_by("-version")
            .first()
        )
        if newest is not None and newest.digest == digest:
            return newest
        profile = RuleProfile.objects.create(
            property_id=property_id,
            code=code,
            version=newest.version + 1 if newest else 1,
            game=game,
            options=resolved,
            digest=digest,
            created_at=at,
            created_by=str(actor),
        )
        audit.record(
            actor=actor,
            action="rule_profile.published",
            subject=f"rule_profile:{profile.pk}",
            property_id=property_id,
            at=at,
            before=newest.options if newest else None,
            after=resolved,
        )
    return profile


def digest_of(game: str, options: Mapping[str, object]) -> str:
    """Return the SHA-256, in hex, of a game and its resolved options in canonical JSON."""
    text = json.dumps({"game": game, "options": options}, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
