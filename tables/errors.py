"""What can be refused at a table, as data; nothing has changed when one is raised.

Refusal
└── TableRefusal
    ├── InvalidStateError         a session or a round is not in the state that the act needs
    ├── TableClosedError          the table has no open session
    ├── TableBusyError            the table already has a session
    ├── StaleRevisionError        the screen was drawn from an older state
    ├── SeatError                 no such seat, or nobody sits there
    ├── WagerRefusedError         below, above, or not a multiple of what the table takes
    ├── AmountError               not a positive whole number of minor units
    ├── RoundRefusedError         the rules refuse the hands, the sets or the profile
    ├── DepthError                less is recorded than the table asks for
    ├── DepthNotBuiltError        the table is set to record in a way that is not built
    ├── FurnishingError           a pit, table or chip set that cannot be
    ├── OccurredAtError           the moment cannot be the round's
    ├── CountRefusedError         pieces, denominations or signatures of a count
    ├── ReasonRequiredError       this act needs its reason in words
    ├── ApprovalRequiredError     this act needs the signature of another role
    ├── ChecklistOpenError        something must be finished before the table closes
    └── PeriodNotReadyError       something must be finished before a shift or gaming day closes
"""

from __future__ import annotations

from collections.abc import Collection

from django.utils.translation import gettext as _

from casino.web.errors import Refusal


class TableRefusal(Refusal):
    """Anything that is refused at a table."""


class InvalidStateError(TableRefusal):
    """The act does not fit the state of what it acts on."""

    code = "invalid_state"
    status = 409
    title = "Not possible in this state"

    def __init__(self, subject: str, *, current: str, allowed: Collection[str]) -> None:
        """Name the *subject*, its *current* state and the states in which the act is *allowed*."""
        super().__init__(
            _("%(subject)s is %(current)s; this needs it to be %(allowed)s.")
            % {"subject": subject, "current": current, "allowed": ", ".join(sorted(allowed))},
            current_status=str(current),
        )


class TableClosedError(TableRefusal):
    """The table has no open session."""

    code = "table_closed"
    status = 409
    title = "The table is closed"


class TableBusyError(TableRefusal):
    """The table already has a session that has not been closed."""

    code = "table_busy"
    status = 409
    title = "The table already has a session"


class StaleRevisionError(TableRefusal):
    """The act was decided from an older state than the one that stands now."""

    code = "version_conflict"
    status = 412
    title = "The record has changed since it was read"

    def __init__(self, *, given: int, current: int) -> None:
        super().__init__(
            _("This changed a moment ago; look at it again and repeat."),
            given_version=given,
            current_version=current,
        )


class SeatError(TableRefusal):
    """No such seat at this table, or nobody sits there, or somebody does already."""

    code = "validation_failed"
    status = 422
    title = "The seat does not fit"


class WagerRefusedError(TableRefusal):
    """The wager is not one that this table takes now."""

    code = "limit_exceeded"
    status = 422
    title = "The wager does not fit the limits of the table"


class AmountError(TableRefusal):
    """An amount that is not a positive whole number of minor units."""

    code = "validation_failed"
    status = 422
    title = "The amount does not fit"


class RoundRefusedError(TableRefusal):
    """The rules refuse the round; code and pointer are the rules' own."""

    code = "validation_failed"
    status = 422
    title = "The rules refuse this round"

    def __init__(self, detail: str, *, rule_code: str, pointer: str) -> None:
        super().__init__(detail, pointer=pointer, rule_code=rule_code)


class DepthError(TableRefusal):
    """The round is recorded at less depth than its table asks for."""

    code = "validation_failed"
    status = 422
    title = "The round is not recorded deeply enough"


class DepthNotBuiltError(TableRefusal):
    """The table is set to a depth of record at which no session can be played yet."""

    code = "not_built"
    status = 422
    title = "The table is set to a depth that is not built"


class FurnishingError(TableRefusal):
    """A pit, table or chip set that cannot be, or stands already."""

    code = "validation_failed"
    status = 422
    title = "The floor cannot be furnished like that"


class OccurredAtError(TableRefusal):
    """The moment that was given cannot be the round's."""

    code = "validation_failed"
    status = 422
    title = "The time does not fit"

    def __init__(self, detail: str, *, server_time: str) -> None:
        super().__init__(detail, pointer="/occurred_at", server_time=server_time)


class CountRefusedError(TableRefusal):
    """The count names a denomination that the table does not use, or not a number of pieces."""

    code = "unknown_denomination"
    status = 422
    title = "The count does not fit the chip set"


class ReasonRequiredError(TableRefusal):
    """The act needs its reason in words."""

    code = "validation_failed"
    status = 422
    title = "A reason is needed"

    def __init__(self, *, pointer: str = "/reason") -> None:
        super().__init__(_("Give the reason in a few words."), pointer=pointer)


class ApprovalRequiredError(TableRefusal):
    """The act needs the signature of a role that has not signed."""

    code = "approval_required"
    status = 403
    title = "A signature is missing"

    def __init__(self, *, role: str, pointer: str) -> None:
        super().__init__(
            _("This needs the signature of a %(role)s.") % {"role": role},
            pointer=pointer,
            needs_role=role,
        )


class ChecklistOpenError(TableRefusal):
    """The closing checklist (table-operations.md 3.3) still has an open item."""

    code = "invalid_state"
    status = 409
    title = "The table cannot close yet"

    def __init__(self, items: Collection[str]) -> None:
        super().__init__(" ".join(items), open_items=list(items))


class PeriodNotReadyError(TableRefusal):
    """A shift or a gaming day still has something open; each item is named."""

    code = "invalid_state"
    status = 409
    title = "The books cannot close yet"

    def __init__(self, items: Collection[str]) -> None:
        super().__init__(" ".join(items), open_items=list(items))
