"""What a person may get wrong when signing in, signing or approving.

Refusal
└── StaffRefusal
    ├── CredentialsError     the number, or the PIN or password, is not right
    ├── LockedError          too many wrong tries for this number
    ├── NotSignedInError     nobody has signed in, or no role was chosen
    ├── RoleError            the person does not hold the role, or it has no place here
    ├── DeviceError          no enrolled device, or a revoked one
    ├── EmploymentError      nobody can be employed like that
    ├── EnrolmentError       the enrolment address is unknown, used or expired
    └── SegregationError     one person would do what two must (SOD-01 to SOD-14)
"""

from __future__ import annotations

import math
from datetime import datetime

from django.utils.translation import ngettext

from casino.web.errors import Refusal


class StaffRefusal(Refusal):
    """Something that a person tried was refused."""

    status = 403


class CredentialsError(StaffRefusal):
    """The number, or the PIN or password, is not right; which of them is not said."""

    code = "credentials_refused"
    title = "The number, or the PIN or password, is not right"


class LockedError(StaffRefusal):
    """Too many wrong tries: the right PIN or password is refused too, until the lock ends."""

    code = "sign_in_locked"
    status = 429
    title = "Too many wrong tries"
    retryable = True

    def __init__(self, number: str, *, until: datetime, at: datetime) -> None:
        self.retry_after_seconds = max(1, math.ceil((until - at).total_seconds()))
        minutes = math.ceil(self.retry_after_seconds / 60)
        super().__init__(
            ngettext(
                "Too many wrong tries for %(number)s. Try again in %(minutes)d minute.",
                "Too many wrong tries for %(number)s. Try again in %(minutes)d minutes.",
                minutes,
            )
            % {"number": number, "minutes": minutes},
            pointer="/number",
            retry_after_seconds=self.retry_after_seconds,
        )
        self.number, self.until = number, until


class NotSignedInError(StaffRefusal):
    """Nobody has signed in here, or has not yet chosen a role."""

    code = "not_signed_in"
    status = 401
    title = "Nobody has signed in"


class RoleError(StaffRefusal):
    """The person does not hold the role, or the role has no place here."""

    code = "role_refused"
    title = "The role is not this person's, or has no place here"


class DeviceError(StaffRefusal):
    """A PIN counts only at an enrolled device, and this is none."""

    code = "device_refused"
    title = "This device is not enrolled"


class EmploymentError(StaffRefusal):
    """Nobody can be employed like that."""

    code = "employment_refused"
    status = 422
    title = "Nobody can be employed like that"


class EnrolmentError(StaffRefusal):
    """The enrolment address is unknown, was used, or is too old."""

    code = "enrolment_refused"
    status = 404
    title = "The enrolment address does not work"


class SegregationError(StaffRefusal):
    """One person would do what two must, or what the role may not.

    Source: table-operations.md 15.
    """

    code = "segregation_of_duties"
    title = "One person may not do both"

    def __init__(self, detail: str, *, rule: str) -> None:
        super().__init__(detail, rule=rule)
        self.rule = rule
