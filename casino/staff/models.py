"""Who acts, from which device, and what they signed; signatures and audit rows never change."""

from __future__ import annotations

from typing import ClassVar, Final

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.hashers import check_password, make_password
from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import RangeOperators
from django.db import models, transaction
from django.db.models import Q
from typing_extensions import override

from casino.properties.models import Property
from casino.staff.pins import is_pin, peppered
from casino.staff.roles import Role, SignerGroup, SigningMethod

NUMBER_FORM: Final = r"^[A-Z0-9][A-Z0-9-]*$"
"""What an employee number looks like: `DL-210`."""


class EmployeeManager(BaseUserManager["Employee"]):
    """Employees are made with their roles, so that none exists who may do nothing by accident."""

    def create_employee(
        self,
        *,
        property: Property,
        number: str,
        name: str,
        roles: tuple[Role, ...],
        pin: str | None = None,
        password: str | None = None,
        preferred_language: str = "",
        is_staff: bool = False,
    ) -> Employee:
        """Create an employee; without *pin* or *password* that way of signing in is closed.

        Raises:
            ValueError: no role is given, or the PIN is not 4 to 8 digits.
        """
        if not roles:
            raise ValueError(f"{number} needs a role")
        employee = self.model(
            property=property,
            number=self.normalize_number(number),
            name=name,
            preferred_language=preferred_language,
            is_staff=is_staff,
        )
        employee.set_password(password)
        if pin is not None:
            employee.set_pin(pin)
        with transaction.atomic(using=self._db):
            employee.save(using=self._db)
            EmployeeRole.objects.using(self._db).bulk_create(
                EmployeeRole(employee=employee, role=role) for role in roles
            )
        return employee

    @staticmethod
    def normalize_number(number: str) -> str:
        """Return *number* as it is stored: no blanks around it, capital letters."""
        return number.strip().upper()

    @override
    def get_by_natural_key(self, username: str | None) -> Employee:
        return self.get(number=self.normalize_number(username or ""))


class Employee(AbstractBaseUser):
    """A person who works here; the project's user."""

    property = models.ForeignKey(Property, on_delete=models.PROTECT, related_name="employees")
    number = models.CharField(max_length=20, unique=True)
    """The login name, as on the badge: `DL-210`."""
    name = models.CharField(max_length=120)
    preferred_language = models.CharField(max_length=12, blank=True, default="")
    pin_hash = models.CharField(max_length=160, blank=True, default="")
    """Empty: this person has no PIN."""
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(default=False)
    """May enter an administration site; never together with a PIN."""

    objects: ClassVar[EmployeeManager] = EmployeeManager()

    USERNAME_FIELD = "number"
    REQUIRED_FIELDS = ["name"]

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="staff_employee_number",
                condition=Q(number__regex=NUMBER_FORM),
            ),
            models.CheckConstraint(
                name="staff_employee_no_pin_for_admins",
                condition=Q(is_staff=False) | Q(pin_hash=""),
            ),
        ]

    @override
    def __str__(self) -> str:
        return self.number

    def set_pin(self, pin: str) -> None:
        """Take *pin* as the new PIN; the caller saves.

        Raises:
            ValueError: not 4 to 8 digits.
        """
        if not is_pin(pin):
            raise ValueError("a PIN is 4 to 8 digits")
        self.pin_hash = make_password(peppered(pin))

    def has_pin(self, pin: str) -> bool:
        """Return whether *pin* is this person's PIN; takes as long when there is none."""
        return check_password(peppered(pin), self.pin_hash)

    def held_roles(self) -> frozenset[Role]:
        """Return the roles that this person was given."""
        return frozenset(Role(row.role) for row in self.roles.all())


class EmployeeRole(models.Model):
    """One role that one person was given."""

    employee = models.ForeignKey(Employee, on_delete=models.CASCADE, related_name="roles")
    role = models.CharField(max_length=20, choices=Role.choices)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="staff_employeerole_once", fields=["employee", "role"]),
            models.CheckConstraint(
                name="staff_employeerole_known", condition=Q(role__in=Role.values)
            ),
        ]

    @override
    def __str__(self) -> str:
        return f"{self.employee_id}: {self.role}"


class RoleChoice(models.Model):
    """The one role in which a person works during one shift (SOD-10; append-only)."""

    employee = models.ForeignKey(Employee, on_delete=models.PROTECT, related_name="role_choices")
    gaming_day = models.DateField()
    shift = models.CharField(max_length=40, blank=True)
    """The shift's name; empty where a property has no shift table."""
    role = models.CharField(max_length=20, choices=Role.choices)
    chosen_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="staff_rolechoice_once", fields=["employee", "gaming_day", "shift"]
            )
        ]

    @override
    def __str__(self) -> str:
        return f"{self.employee_id} is {self.role} on {self.gaming_day} {self.shift}".rstrip()


class Enrolment(models.Model):
    """An address that makes a tablet ours: once within a day, in a sandbox again and again."""

    property = models.ForeignKey(Property, on_delete=models.PROTECT, related_name="enrolments")
    name = models.CharField(max_length=60)
    place = models.CharField(max_length=60)
    token_hash = models.CharField(max_length=64, unique=True)
    """SHA-256 of the secret in the address."""
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True)
    """Null in a sandbox: the address lasts and is never used up."""
    used_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="staff_enrolment_used_in_time",
                condition=Q(used_at=None) | Q(expires_at__gt=models.F("used_at")),
            )
        ]

    @override
    def __str__(self) -> str:
        return f"{self.name} at {self.place}"


class Device(models.Model):
    """A tablet at which people sign in by PIN; it keeps a secret in a cookie, we its hash."""

    property = models.ForeignKey(Property, on_delete=models.PROTECT, related_name="devices")
    name = models.CharField(max_length=60)
    place = models.CharField(max_length=60)
    """Where it stands, by name: `table:3`."""
    token_hash = models.CharField(max_length=64, unique=True)
    """SHA-256 of the cookie's secret."""
    enrolled_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(name="staff_device_place", fields=["property", "place"])]

    @override
    def __str__(self) -> str:
        return f"{self.name} at {self.place}"


class Signature(models.Model):
    """One person's signature under one document as it then read (append-only)."""

    property = models.ForeignKey(Property, on_delete=models.PROTECT, related_name="+")
    document = models.CharField(max_length=80)
    """What is signed, by name: `count:17`."""
    signer_group = models.CharField(max_length=20, choices=SignerGroup.choices)
    employee = models.ForeignKey(Employee, on_delete=models.PROTECT, related_name="signatures")
    role = models.CharField(max_length=20, choices=Role.choices)
    method = models.CharField(max_length=20, choices=SigningMethod.choices)
    device = models.ForeignKey(Device, on_delete=models.PROTECT, null=True, related_name="+")
    content_hash = models.CharField(max_length=64)
    """SHA-256 of the canonical content; another content has another hash."""
    signed_at = models.DateTimeField()

    class Meta:
        constraints = [
            # SOD-01: two rows of one person under one document must agree in their group.
            ExclusionConstraint(
                name="staff_signature_one_group",
                expressions=[
                    ("property", RangeOperators.EQUAL),
                    ("document", RangeOperators.EQUAL),
                    ("employee", RangeOperators.EQUAL),
                    ("signer_group", RangeOperators.NOT_EQUAL),
                ],
            ),
            models.CheckConstraint(
                name="staff_signature_pin_at_device",
                condition=~Q(method=SigningMethod.PIN) | Q(device__isnull=False),
            ),
        ]
        indexes = [models.Index(name="staff_signature_document", fields=["property", "document"])]

    @override
    def __str__(self) -> str:
        return f"{self.document} by {self.employee_id} as {self.role}"


class AuditRow(models.Model):
    """One act of one actor on one subject, with what it changed (append-only)."""

    property = models.ForeignKey(Property, on_delete=models.PROTECT, related_name="+")
    actor = models.CharField(max_length=80)
    """`employee:12`, `client:cage-1` or `system:settlement`."""
    role = models.CharField(max_length=20, blank=True)
    """The role the actor then worked in; empty for programs."""
    device = models.ForeignKey(Device, on_delete=models.PROTECT, null=True, related_name="+")
    action = models.CharField(max_length=60)
    """Noun and past participle: `round.voided`, `signer.refused`."""
    subject = models.CharField(max_length=80)
    """What was acted on, by name: `round:812`."""
    at = models.DateTimeField()
    before = models.JSONField(null=True)
    after = models.JSONField(null=True)
    reason = models.TextField(blank=True)
    approver = models.CharField(max_length=80, blank=True)

    class Meta:
        indexes = [
            models.Index(name="staff_auditrow_subject", fields=["property", "subject", "id"]),
            models.Index(name="staff_auditrow_at", fields=["property", "at"]),
        ]

    @override
    def __str__(self) -> str:
        return f"{self.action} {self.subject} by {self.actor}"
